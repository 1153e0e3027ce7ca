"""Satisfiability and validity of formulas in a logic."""

from kripke_werewolf.base.usage import help_callers
from kripke_werewolf.logic.deciding.decision import (
    Decision,
    countermodel,
    decide_satisfiability,
    decide_validity,
    satisfiable,
    valid,
)
from kripke_werewolf.logic.formulas.logics import LOGICS, Logic, logic_named

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
