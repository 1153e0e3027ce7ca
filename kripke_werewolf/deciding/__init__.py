"""Satisfiability and validity of formulas in a logic."""

from kripke_werewolf.deciding.decision import (
    Decision,
    countermodel,
    decide_satisfiability,
    decide_validity,
    satisfiable,
    valid,
)
from kripke_werewolf.language.logics import LOGICS, Logic, logic_named
from kripke_werewolf.usage import help_callers

__all__ = [
    "LOGICS",
    "Decision",
    "Logic",
    "countermodel",
    "decide_satisfiability",
    "decide_validity",
    "logic_named",
    "satisfiable",
    "valid",
]

help_callers(__name__)
