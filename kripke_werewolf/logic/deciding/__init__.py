"""Satisfiability and validity of formulas in a logic."""

from kripke_werewolf.base.usage import help_callers as _help_callers
from kripke_werewolf.logic.deciding.decision import Decision as Decision
from kripke_werewolf.logic.deciding.decision import countermodel as countermodel
from kripke_werewolf.logic.deciding.decision import decide_satisfiability as decide_satisfiability
from kripke_werewolf.logic.deciding.decision import decide_validity as decide_validity
from kripke_werewolf.logic.deciding.decision import satisfiable as satisfiable
from kripke_werewolf.logic.deciding.decision import valid as valid
from kripke_werewolf.logic.formulas.logics import LOGICS as LOGICS
from kripke_werewolf.logic.formulas.logics import Logic as Logic
from kripke_werewolf.logic.formulas.logics import logic_named as logic_named

_help_callers(__name__)
