"""The language: syntax trees, grammar, parser, printers."""

from kripke_werewolf.language.operators import (
    FALSE,
    TRUE,
    Act,
    And,
    Announce,
    Atom,
    Box,
    Common,
    CommonWhether,
    Constant,
    Count,
    Diamond,
    Distributed,
    DistributedWhether,
    Everyone,
    Everywhere,
    Exists,
    Forall,
    Formula,
    Iff,
    Implies,
    Knows,
    KnowsValue,
    KnowsWhether,
    Not,
    Or,
    Possible,
    Somewhere,
    Xor,
    atleast,
    atmost,
    conjunction,
    disjunction,
    exactly,
    formula,
    oneof,
)
from kripke_werewolf.language.parser import parse
from kripke_werewolf.language.probability import LinearSum, P, Probability
from kripke_werewolf.language.reduction import reduce_announcements
from kripke_werewolf.language.sentences import from_sentence, to_sentence
from kripke_werewolf.language.simplification import simplify

# the letters of the literature
K = Knows
M = Possible
Kw = KnowsWhether
Kv = KnowsValue
E = Everyone
C = Common
D = Distributed

__all__ = [
    "FALSE",
    "TRUE",
    "Act",
    "And",
    "Announce",
    "Atom",
    "Box",
    "C",
    "Common",
    "CommonWhether",
    "Constant",
    "Count",
    "D",
    "Diamond",
    "Distributed",
    "DistributedWhether",
    "E",
    "Everyone",
    "Everywhere",
    "Exists",
    "Forall",
    "Formula",
    "Iff",
    "Implies",
    "K",
    "Knows",
    "KnowsValue",
    "KnowsWhether",
    "Kv",
    "Kw",
    "LinearSum",
    "M",
    "Not",
    "Or",
    "P",
    "Possible",
    "Probability",
    "Somewhere",
    "Xor",
    "atleast",
    "atmost",
    "conjunction",
    "disjunction",
    "exactly",
    "formula",
    "from_sentence",
    "oneof",
    "parse",
    "reduce_announcements",
    "simplify",
    "to_sentence",
]
