"""The game Quantum Werewolf: roles, rule sets, the superposition of worlds, the game and its log."""

from kripke_werewolf.base.usage import help_callers as _help_callers
from kripke_werewolf.games.werewolf.enumerated import Enumerated as Enumerated
from kripke_werewolf.games.werewolf.game import QuantumWerewolf as QuantumWerewolf
from kripke_werewolf.games.werewolf.knowledge import PublicCells as PublicCells
from kripke_werewolf.games.werewolf.knowledge import public_cells as public_cells
from kripke_werewolf.games.werewolf.log import LogFile as LogFile
from kripke_werewolf.games.werewolf.log import branch as branch
from kripke_werewolf.games.werewolf.log import read_log as read_log
from kripke_werewolf.games.werewolf.log import replay as replay
from kripke_werewolf.games.werewolf.roles import Deck as Deck
from kripke_werewolf.games.werewolf.roles import Role as Role
from kripke_werewolf.games.werewolf.roles import SecretAct as SecretAct
from kripke_werewolf.games.werewolf.rules import PRESETS as PRESETS
from kripke_werewolf.games.werewolf.rules import Rules as Rules
from kripke_werewolf.games.werewolf.rules import preset as preset
from kripke_werewolf.games.werewolf.rulesheet import rule_sheet as rule_sheet
from kripke_werewolf.games.werewolf.superposition import Superposition as Superposition
from kripke_werewolf.games.werewolf.table import StateChange as StateChange
from kripke_werewolf.games.werewolf.table import Table as Table
from kripke_werewolf.games.werewolf.table import compare as compare
from kripke_werewolf.games.werewolf.telling import Episode as Episode
from kripke_werewolf.games.werewolf.telling import Message as Message
from kripke_werewolf.games.werewolf.telling import story as story
from kripke_werewolf.games.werewolf.told import Told as Told

_help_callers(__name__)
