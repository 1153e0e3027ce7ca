"""Bounded planning: shortest sequences of actions and shortest announcements."""

from kripke_werewolf.planning.announcement import shortest_announcement
from kripke_werewolf.planning.plan import shortest_plan

__all__ = ["shortest_announcement", "shortest_plan"]
