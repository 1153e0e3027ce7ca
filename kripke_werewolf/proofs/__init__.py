"""Derivations: axiom systems, proofs as values, their checker and the prover."""

from kripke_werewolf.proofs.checker import Checked, check
from kripke_werewolf.proofs.derivation import derivation
from kripke_werewolf.proofs.derived import DERIVED, Derived, expand
from kripke_werewolf.proofs.hints import fill, hint
from kripke_werewolf.proofs.natural import Judgement, NaturalProof, NaturalRow
from kripke_werewolf.proofs.natural_rules import NATURAL, PALETTE, NaturalRule
from kripke_werewolf.proofs.natural_search import Hint, natural_hint
from kripke_werewolf.proofs.natural_text import read_natural
from kripke_werewolf.proofs.proof import Line, Proof
from kripke_werewolf.proofs.systems import RULES, Rule, system
from kripke_werewolf.proofs.tableau import Tableau, TableauLine, check_tableau
from kripke_werewolf.proofs.tableau_search import tableau
from kripke_werewolf.proofs.tableau_text import read_tableau
from kripke_werewolf.proofs.text import read_proof
from kripke_werewolf.usage import help_callers

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
    "read_natural",
    "read_proof",
    "read_tableau",
    "system",
    "tableau",
]

help_callers(__name__)
