"""The language: syntax trees, grammar, parser, printers."""

from kripke_werewolf.language.formulas import Formula, formula
from kripke_werewolf.language.operators import (
    FALSE,
    TRUE,
    Act,
    And,
    Announce,
    Atom,
    Box,
    Common,
    CommonDual,
    CommonWhether,
    Constant,
    Count,
    Diamond,
    Distributed,
    DistributedDual,
    DistributedWhether,
    Everyone,
    EveryoneDual,
    EveryoneWhether,
    Everywhere,
    Exists,
    Forall,
    Iff,
    Implies,
    Knows,
    KnowsValue,
    KnowsWhether,
    LinearSum,
    Not,
    Or,
    P,
    Possible,
    Probability,
    SomeoneKnows,
    Somewhere,
    Xor,
    atleast,
    atmost,
    atoms,
    conjunction,
    disjunction,
    exactly,
    oneof,
)
from kripke_werewolf.language.parser import parse
from kripke_werewolf.language.reading import Understood, understand
from kripke_werewolf.language.reduction import reduce_announcements
from kripke_werewolf.language.sentence_parser import from_sentence
from kripke_werewolf.language.sentences import to_sentence
from kripke_werewolf.language.simplification import simplify

# the letters of the literature
K = Knows
M = Possible
Kw = KnowsWhether
Kv = KnowsValue
E = Everyone
Em = EveryoneDual
Ew = EveryoneWhether
Sk = SomeoneKnows
C = Common
Cm = CommonDual
Cw = CommonWhether
D = Distributed
Dm = DistributedDual
Dw = DistributedWhether

__all__ = [
    "FALSE",
    "TRUE",
    "Act",
    "And",
    "Announce",
    "Atom",
    "Box",
    "C",
    "Cm",
    "Common",
    "CommonDual",
    "CommonWhether",
    "Constant",
    "Count",
    "Cw",
    "D",
    "Diamond",
    "Distributed",
    "DistributedDual",
    "DistributedWhether",
    "Dm",
    "Dw",
    "E",
    "Em",
    "Everyone",
    "EveryoneDual",
    "EveryoneWhether",
    "Everywhere",
    "Ew",
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
    "Sk",
    "SomeoneKnows",
    "Somewhere",
    "Understood",
    "Xor",
    "atleast",
    "atmost",
    "atoms",
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
    "understand",
]
