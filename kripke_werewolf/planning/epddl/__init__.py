"""EPDDL, the language of the planning competition for tasks about knowledge, and PDDL: read."""

from kripke_werewolf.planning.epddl.reading import LIBRARIES, library_types, load_task, parse_task

__all__ = ["LIBRARIES", "library_types", "load_task", "parse_task"]
