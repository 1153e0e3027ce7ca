"""The language: syntax trees, grammar, parser, printers."""

from typing import TYPE_CHECKING

from kripke_werewolf.language import operators
from kripke_werewolf.language.formulas import Formula, formula
from kripke_werewolf.language.operators import *  # noqa: F403
from kripke_werewolf.usage import help_callers

if TYPE_CHECKING:
    from kripke_werewolf.language.parser import parse
    from kripke_werewolf.language.reading import Understood, understand
    from kripke_werewolf.language.sentence_parser import from_sentence
    from kripke_werewolf.language.sentences import to_sentence
    from kripke_werewolf.language.simplification import simplify

_LATER = {
    "parser": ("parse",),
    "reading": ("Understood", "understand"),
    "sentence_parser": ("from_sentence",),
    "sentences": ("to_sentence",),
    "simplification": ("simplify",),
}

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

__all__ = [
    "B",
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
