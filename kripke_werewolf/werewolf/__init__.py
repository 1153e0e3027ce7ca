"""The game Quantum Werewolf: roles, rule sets, the superposition of worlds, the game and its log."""

from kripke_werewolf.usage import help_callers
from kripke_werewolf.werewolf.enumerated import Enumerated
from kripke_werewolf.werewolf.game import QuantumWerewolf
from kripke_werewolf.werewolf.knowledge import PublicCells, public_cells
from kripke_werewolf.werewolf.log import LogFile, branch, read_log, replay
from kripke_werewolf.werewolf.roles import Deck, Role, SecretAct
from kripke_werewolf.werewolf.rules import PRESETS, Rules, preset
from kripke_werewolf.werewolf.rulesheet import rule_sheet
from kripke_werewolf.werewolf.superposition import Superposition
from kripke_werewolf.werewolf.table import StateChange, Table, compare
from kripke_werewolf.werewolf.telling import Episode, Message, story
from kripke_werewolf.werewolf.told import Told

__all__ = [
    "PRESETS",
    "Deck",
    "Enumerated",
    "Episode",
    "LogFile",
    "Message",
    "PublicCells",
    "QuantumWerewolf",
    "Role",
    "Rules",
    "SecretAct",
    "StateChange",
    "Superposition",
    "Table",
    "Told",
    "branch",
    "compare",
    "preset",
    "public_cells",
    "read_log",
    "replay",
    "rule_sheet",
    "story",
]

help_callers(__name__)
