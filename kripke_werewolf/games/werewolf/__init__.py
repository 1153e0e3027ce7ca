"""The game Quantum Werewolf: roles, rule sets, the superposition of worlds, the game and its log."""

from kripke_werewolf.base.usage import help_callers
from kripke_werewolf.games.werewolf.enumerated import Enumerated
from kripke_werewolf.games.werewolf.game import QuantumWerewolf
from kripke_werewolf.games.werewolf.log import LogFile, read_log, replay
from kripke_werewolf.games.werewolf.roles import Deck, Role, SecretAct
from kripke_werewolf.games.werewolf.rules import PRESETS, Rules, preset
from kripke_werewolf.games.werewolf.rulesheet import rule_sheet
from kripke_werewolf.games.werewolf.superposition import Superposition
from kripke_werewolf.games.werewolf.table import Table, TableChange
from kripke_werewolf.games.werewolf.telling import Episode, Message, story
from kripke_werewolf.games.werewolf.told import Told

__all__ = [
    "PRESETS",
    "Deck",
    "Enumerated",
    "Episode",
    "LogFile",
    "Message",
    "QuantumWerewolf",
    "Role",
    "Rules",
    "SecretAct",
    "Superposition",
    "Table",
    "TableChange",
    "Told",
    "preset",
    "read_log",
    "replay",
    "rule_sheet",
    "story",
]

help_callers(__name__)
