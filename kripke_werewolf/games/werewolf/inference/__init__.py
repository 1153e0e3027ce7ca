"""Inference from tables: all histories that explain one player's information.

A player sees their own moves, deaths, and published tables. `infer` finds all histories of the game that
would have given exactly this information, and so determines the player's knowledge if the numbers of tables
are used.
"""

from kripke_werewolf.games.werewolf.inference.answers import Histories, NoHistory, find_histories, infer
from kripke_werewolf.games.werewolf.inference.plan import plan_of
from kripke_werewolf.games.werewolf.inference.replay import Replay

__all__ = [
    "Histories",
    "NoHistory",
    "Replay",
    "find_histories",
    "infer",
    "plan_of",
]
