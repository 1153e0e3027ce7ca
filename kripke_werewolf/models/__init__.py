"""Kripke models and what belongs to them."""

from kripke_werewolf.models.bisimulation import bisimilar
from kripke_werewolf.models.distinguishing import distinguishing_formula
from kripke_werewolf.models.formats.smcdel import SmcdelFile, read_smcdel
from kripke_werewolf.models.formats.smcdel_writer import to_smcdel
from kripke_werewolf.models.frames import FrameClass, Loss
from kripke_werewolf.models.model import DEFAULT_LIMIT, KripkeModel

__all__ = [
    "DEFAULT_LIMIT",
    "FrameClass",
    "KripkeModel",
    "Loss",
    "SmcdelFile",
    "bisimilar",
    "distinguishing_formula",
    "read_smcdel",
    "to_smcdel",
]
