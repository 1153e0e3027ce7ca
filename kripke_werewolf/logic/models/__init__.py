"""Kripke models: relations, bisimulation, histories and file formats."""

from typing import TYPE_CHECKING

from kripke_werewolf.base.usage import help_callers

if TYPE_CHECKING:
    from kripke_werewolf.logic.models.bisimulation import bisimilar, distinguishing_formula
    from kripke_werewolf.logic.models.formats.smcdel import to_smcdel
    from kripke_werewolf.logic.models.frames import FrameClass, Loss
    from kripke_werewolf.logic.models.history import History, Learning, Step
    from kripke_werewolf.logic.models.model import KripkeModel
    from kripke_werewolf.logic.semantics.space import DEFAULT_LIMIT

_LATER = {
    "bisimulation": ("bisimilar", "distinguishing_formula"),
    "formats.smcdel": ("to_smcdel",),
    "frames": ("FrameClass", "Loss"),
    "history": ("History", "Learning", "Step"),
    "model": ("DEFAULT_LIMIT", "KripkeModel"),
}

__all__ = [
    "DEFAULT_LIMIT",
    "FrameClass",
    "History",
    "KripkeModel",
    "Learning",
    "Loss",
    "Step",
    "bisimilar",
    "distinguishing_formula",
    "to_smcdel",
]

help_callers(__name__)
