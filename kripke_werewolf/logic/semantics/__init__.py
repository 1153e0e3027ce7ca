"""Semantics of formulas: truth sets, verdicts and explanations; action models and their elimination."""

from typing import TYPE_CHECKING

from kripke_werewolf.base.provided import provide
from kripke_werewolf.base.usage import help_callers
from kripke_werewolf.logic.semantics.action import (
    ActionModel,
    Event,
    assign,
    lie,
    observe,
    private,
    public,
    semi_private,
    soft,
    suspected,
    whether,
)
from kripke_werewolf.logic.semantics.explored import Accessibility, NameSet, PossibleWorld
from kripke_werewolf.logic.semantics.verdict import Verdict

if TYPE_CHECKING:
    from kripke_werewolf.logic.semantics.explanation import Explanation, Link
    from kripke_werewolf.logic.semantics.reduction import reduce_announcements

_LATER = {"explanation": ("Explanation", "Link"), "reduction": ("reduce_announcements",)}

__all__ = [
    "Accessibility",
    "ActionModel",
    "Event",
    "Explanation",
    "Link",
    "NameSet",
    "PossibleWorld",
    "Verdict",
    "assign",
    "lie",
    "observe",
    "private",
    "public",
    "reduce_announcements",
    "semi_private",
    "soft",
    "suspected",
    "whether",
]

provide("kripke_werewolf.logic.semantics.action", "assign")
help_callers(__name__)
