"""Kripke models: relations, bisimulation, histories and file formats."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from kripke_werewolf.base.usage import help_callers as _help_callers

if _TYPE_CHECKING:
    from kripke_werewolf.logic.models.bisimulation import bisimilar as bisimilar
    from kripke_werewolf.logic.models.bisimulation import distinguishing_formula as distinguishing_formula
    from kripke_werewolf.logic.models.formats.smcdel import to_smcdel as to_smcdel
    from kripke_werewolf.logic.models.frames import FrameClass as FrameClass
    from kripke_werewolf.logic.models.frames import Loss as Loss
    from kripke_werewolf.logic.models.history import History as History
    from kripke_werewolf.logic.models.history import Learning as Learning
    from kripke_werewolf.logic.models.history import Step as Step
    from kripke_werewolf.logic.models.model import KripkeModel as KripkeModel
    from kripke_werewolf.logic.semantics.space import DEFAULT_LIMIT as DEFAULT_LIMIT

_help_callers(__name__)
