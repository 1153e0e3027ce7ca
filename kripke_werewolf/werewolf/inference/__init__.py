"""From tables to histories: everything that explains what one player was told.

A player sees their own moves, deaths, and published tables. `infer` finds all histories of the game that
would have told them just that, and so answers what they know when the tables speak too.
"""

from kripke_werewolf.werewolf.inference.answers import Histories, Made, NoHistory, infer, possible_moves
from kripke_werewolf.werewolf.inference.evidence import Cell, Evidence
from kripke_werewolf.werewolf.inference.handouts import evidence_in
from kripke_werewolf.werewolf.inference.reasons import Reason
from kripke_werewolf.werewolf.inference.sheets import read_sheet

__all__ = [
    "Cell",
    "Evidence",
    "Histories",
    "Made",
    "NoHistory",
    "Reason",
    "evidence_in",
    "infer",
    "possible_moves",
    "read_sheet",
]
