"""EPDDL, the language of the planning competition for tasks about knowledge, and PDDL: read and written."""

from kripke_werewolf.research.planning.epddl.reading import LIBRARIES, library_types, load_task, parse_task
from kripke_werewolf.research.planning.epddl.writing import ground_data, to_epddl

__all__ = ["LIBRARIES", "ground_data", "library_types", "load_task", "parse_task", "to_epddl"]
