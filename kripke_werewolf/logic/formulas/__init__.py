"""Formulas: operators, syntax trees, printers, logics. What reads them is in `notation` and `english`."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from kripke_werewolf.base.usage import help_callers as _help_callers
from kripke_werewolf.logic.formulas import operators
from kripke_werewolf.logic.formulas.operators import *  # noqa: F403
from kripke_werewolf.logic.formulas.syntax import Formula as Formula
from kripke_werewolf.logic.formulas.syntax import formula as formula

if _TYPE_CHECKING:
    from kripke_werewolf.logic.english.sentence_parser import from_sentence as from_sentence
    from kripke_werewolf.logic.english.sentences import to_sentence as to_sentence
    from kripke_werewolf.logic.formulas.simplification import simplify as simplify
    from kripke_werewolf.logic.notation.parser import parse as parse
    from kripke_werewolf.logic.notation.reading import Understood as Understood
    from kripke_werewolf.logic.notation.reading import understand as understand

# the letters of the literature
K = operators.Knows
B = operators.Believes
M = operators.Possible
Kw = operators.KnowsWhether
Kv = operators.KnowsValue
E = operators.Everyone
Em = operators.EveryoneDual
Ew = operators.EveryoneWhether
Sk = operators.SomeoneKnows
C = operators.Common
Cm = operators.CommonDual
Cw = operators.CommonWhether
D = operators.Distributed
Dm = operators.DistributedDual
Dw = operators.DistributedWhether

_help_callers(__name__)
