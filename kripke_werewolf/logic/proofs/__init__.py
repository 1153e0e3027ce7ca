"""Derivations: axiom systems, proofs as values, their checker and the prover."""

from kripke_werewolf.base.usage import help_callers
from kripke_werewolf.logic.proofs.checker import Checked, check
from kripke_werewolf.logic.proofs.derivation import derivation, prove
from kripke_werewolf.logic.proofs.derived import DERIVED, Derived, expand
from kripke_werewolf.logic.proofs.desk import fill, hint
from kripke_werewolf.logic.proofs.natural import Judgement, NaturalProof, NaturalRow, read_natural
from kripke_werewolf.logic.proofs.natural_rules import NATURAL, PALETTE, NaturalRule
from kripke_werewolf.logic.proofs.natural_search import Hint, natural_hint
from kripke_werewolf.logic.proofs.proof import Line, Proof
from kripke_werewolf.logic.proofs.systems import RULES, Rule, system
from kripke_werewolf.logic.proofs.tableau import Tableau, TableauLine, check_tableau, read_tableau, tableau
from kripke_werewolf.logic.proofs.text import read_proof

__all__ = [
    "DERIVED",
    "NATURAL",
    "PALETTE",
    "RULES",
    "Checked",
    "Derived",
    "Hint",
    "Judgement",
    "Line",
    "NaturalProof",
    "NaturalRow",
    "NaturalRule",
    "Proof",
    "Rule",
    "Tableau",
    "TableauLine",
    "check",
    "check_tableau",
    "derivation",
    "expand",
    "fill",
    "hint",
    "natural_hint",
    "prove",
    "read_natural",
    "read_proof",
    "read_tableau",
    "system",
    "tableau",
]

help_callers(__name__)
