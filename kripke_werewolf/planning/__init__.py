"""Epistemic planning: tasks, shortest sequences of actions, and shortest announcements."""

from kripke_werewolf.planning.announcement import shortest_announcement
from kripke_werewolf.planning.plan import shortest_plan
from kripke_werewolf.planning.task import ObservedAction, Task

__all__ = ["ObservedAction", "Task", "shortest_announcement", "shortest_plan"]
