"""Epistemic planning: tasks, shortest sequences of actions, and shortest announcements."""

from kripke_werewolf.planning.announcement import shortest_announcement
from kripke_werewolf.planning.search import PlanFound, find_plan, shortest_plan
from kripke_werewolf.planning.task import ObservedAction, Task

__all__ = ["ObservedAction", "PlanFound", "Task", "find_plan", "shortest_announcement", "shortest_plan"]
