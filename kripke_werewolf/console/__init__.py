"""The game master's console: a language of moves, a session on a log, and a device handed round."""

from kripke_werewolf.console.language import Command, parse
from kripke_werewolf.console.session import Session
from kripke_werewolf.werewolf.house import HouseRules

__all__ = ["Command", "HouseRules", "Session", "parse"]
