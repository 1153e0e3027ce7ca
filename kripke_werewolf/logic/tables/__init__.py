"""Worlds as rows of a table: models larger than memory, and what a published table gives away."""

from kripke_werewolf.base.usage import help_callers
from kripke_werewolf.logic.tables.disclosure import Disclosure, disclose
from kripke_werewolf.logic.tables.model import TableAnswer, TableModel

__all__ = ["Disclosure", "TableAnswer", "TableModel", "disclose"]

help_callers(__name__)
