"""Formulas: operators, syntax trees, printers, logics. What reads them is in `notation` and `english`."""

from typing import TYPE_CHECKING

from kripke_werewolf.base.usage import help_callers
from kripke_werewolf.logic.formulas import operators
from kripke_werewolf.logic.formulas.operators import *  # noqa: F403
from kripke_werewolf.logic.formulas.syntax import Formula, formula

if TYPE_CHECKING:
    from kripke_werewolf.logic.english.sentence_parser import from_sentence
    from kripke_werewolf.logic.english.sentences import to_sentence
    from kripke_werewolf.logic.formulas.simplification import simplify
    from kripke_werewolf.logic.notation.parser import parse
    from kripke_werewolf.logic.notation.reading import Understood, understand

_LATER = {
    ".notation.parser": ("parse",),
    ".notation.reading": ("Understood", "understand"),
    ".english.sentence_parser": ("from_sentence",),
    ".english.sentences": ("to_sentence",),
    "simplification": ("simplify",),
}

# the letters of the literature
K = operators.Knows
B = operators.Believes
Bw = operators.BelievesWhether
M = operators.Possible
Kw = operators.KnowsWhether
Kv = operators.KnowsValue
E = operators.Everyone
Em = operators.EveryoneDual
Ew = operators.EveryoneWhether
Sk = operators.SomeoneKnows
Sf = operators.SafelyBelieves
Sb = operators.StronglyBelieves
C = operators.Common
CB = operators.CommonBelief
Cm = operators.CommonDual
Cw = operators.CommonWhether
D = operators.Distributed
Dm = operators.DistributedDual
Dw = operators.DistributedWhether

__all__ = [
    "CB",
    "B",
    "Bw",
    "C",
    "Cm",
    "Cw",
    "D",
    "Dm",
    "Dw",
    "E",
    "Em",
    "Ew",
    "Formula",
    "K",
    "Kv",
    "Kw",
    "M",
    "Sb",
    "Sf",
    "Sk",
    "Understood",
    "formula",
    "from_sentence",
    "parse",
    "simplify",
    "to_sentence",
    "understand",
]
__all__ += operators.__all__

help_callers(__name__)
