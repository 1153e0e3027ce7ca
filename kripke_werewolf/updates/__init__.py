"""Updates of models: announcements, action models, histories."""

from kripke_werewolf.updates.action import (
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
from kripke_werewolf.updates.history import History, Learning, Step
from kripke_werewolf.updates.product import announce, product_update

__all__ = [
    "ActionModel",
    "Event",
    "History",
    "Learning",
    "Step",
    "announce",
    "assign",
    "lie",
    "observe",
    "private",
    "product_update",
    "public",
    "semi_private",
    "suspected",
    "whether",
]
