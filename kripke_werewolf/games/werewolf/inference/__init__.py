"""Inference from tables: all histories that explain one player's information.

A player sees their own moves, deaths, and published tables. `infer` finds all histories of the game that
would have given exactly this information, and so determines the player's knowledge if the numbers of tables
are used.
"""

from kripke_werewolf.base.usage import load_later as _load_later
from kripke_werewolf.games.werewolf.inference.answers import Histories as Histories
from kripke_werewolf.games.werewolf.inference.answers import Made as Made
from kripke_werewolf.games.werewolf.inference.answers import NoHistory as NoHistory
from kripke_werewolf.games.werewolf.inference.answers import Reason as Reason
from kripke_werewolf.games.werewolf.inference.answers import find_histories as find_histories
from kripke_werewolf.games.werewolf.inference.answers import infer as infer
from kripke_werewolf.games.werewolf.inference.plan import Cell as Cell
from kripke_werewolf.games.werewolf.inference.plan import Plan as Plan
from kripke_werewolf.games.werewolf.inference.plan import plan_of as plan_of
from kripke_werewolf.games.werewolf.inference.replay import Replay as Replay
from kripke_werewolf.games.werewolf.inference.scenarios import Budget as Budget
from kripke_werewolf.games.werewolf.inference.sheets import read_sheet as read_sheet

_load_later(__name__)
