"""Epistemic planning: tasks, plans, policies, and shortest announcements."""

from kripke_werewolf.base.usage import help_callers
from kripke_werewolf.research.planning.announcement import shortest_announcement
from kripke_werewolf.research.planning.policies import Policy, Validation, find_policy, validate
from kripke_werewolf.research.planning.search import PlanFound, find_plan, plan
from kripke_werewolf.research.planning.task import ObservedAction, Task

__all__ = [
    "ObservedAction",
    "PlanFound",
    "Policy",
    "Task",
    "Validation",
    "find_plan",
    "find_policy",
    "plan",
    "shortest_announcement",
    "validate",
]

_PACKAGES = {"epddl": "epddl"}

help_callers(__name__)
