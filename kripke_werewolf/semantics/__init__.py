"""What formulas mean: truth sets, verdicts and explanations; announcements, action models, histories."""

from kripke_werewolf.semantics.action import (
    ActionModel,
    Event,
    assign,
    lie,
    observe,
    private,
    public,
    semi_private,
    suspected,
    whether,
)
from kripke_werewolf.semantics.explanation import Explanation, Link
from kripke_werewolf.semantics.history import History, Learning, Step
from kripke_werewolf.semantics.product import announce, product_update
from kripke_werewolf.semantics.truth import check_names, truth_set, truth_sets
from kripke_werewolf.semantics.verdict import Verdict

__all__ = [
    "ActionModel",
    "Event",
    "Explanation",
    "History",
    "Learning",
    "Link",
    "Step",
    "Verdict",
    "announce",
    "assign",
    "check_names",
    "lie",
    "observe",
    "private",
    "product_update",
    "public",
    "semi_private",
    "suspected",
    "truth_set",
    "truth_sets",
    "whether",
]
