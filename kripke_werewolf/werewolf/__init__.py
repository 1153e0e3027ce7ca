"""The game Quantum Werewolf: roles, rule sets, the superposition of worlds, the game and its log."""

from kripke_werewolf.werewolf.enumerated import Enumerated
from kripke_werewolf.werewolf.game import QuantumWerewolf
from kripke_werewolf.werewolf.log import LogFile, branch, read_log, replay
from kripke_werewolf.werewolf.messages import Message
from kripke_werewolf.werewolf.roles import Deck
from kripke_werewolf.werewolf.rules import PRESETS, Rules, preset
from kripke_werewolf.werewolf.superposition import Superposition
from kripke_werewolf.werewolf.table import Table

__all__ = [
    "PRESETS",
    "Deck",
    "Enumerated",
    "LogFile",
    "Message",
    "QuantumWerewolf",
    "Rules",
    "Superposition",
    "Table",
    "branch",
    "preset",
    "read_log",
    "replay",
]
