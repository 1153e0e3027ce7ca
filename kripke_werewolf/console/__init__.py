"""The console of a game: a language of moves, a session on a log, and the screens."""

from kripke_werewolf.console.language import Command, parse
from kripke_werewolf.console.session import Session
from kripke_werewolf.werewolf.log import HouseRules

__all__ = ["Command", "HouseRules", "Session", "parse"]
