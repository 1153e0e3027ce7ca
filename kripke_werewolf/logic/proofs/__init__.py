"""Derivations: axiom systems, proofs as values, their checker and the prover."""

from kripke_werewolf.base.usage import help_callers as _help_callers
from kripke_werewolf.logic.proofs.checker import Checked as Checked
from kripke_werewolf.logic.proofs.checker import check as check
from kripke_werewolf.logic.proofs.derivation import derivation as derivation
from kripke_werewolf.logic.proofs.derivation import prove as prove
from kripke_werewolf.logic.proofs.derived import DERIVED as DERIVED
from kripke_werewolf.logic.proofs.derived import Derived as Derived
from kripke_werewolf.logic.proofs.derived import expand as expand
from kripke_werewolf.logic.proofs.desk import fill as fill
from kripke_werewolf.logic.proofs.desk import hint as hint
from kripke_werewolf.logic.proofs.natural import Judgement as Judgement
from kripke_werewolf.logic.proofs.natural import NaturalProof as NaturalProof
from kripke_werewolf.logic.proofs.natural import NaturalRow as NaturalRow
from kripke_werewolf.logic.proofs.natural import read_natural as read_natural
from kripke_werewolf.logic.proofs.natural_rules import NATURAL as NATURAL
from kripke_werewolf.logic.proofs.natural_rules import PALETTE as PALETTE
from kripke_werewolf.logic.proofs.natural_rules import NaturalRule as NaturalRule
from kripke_werewolf.logic.proofs.natural_search import Hint as Hint
from kripke_werewolf.logic.proofs.natural_search import natural_hint as natural_hint
from kripke_werewolf.logic.proofs.proof import Line as Line
from kripke_werewolf.logic.proofs.proof import Proof as Proof
from kripke_werewolf.logic.proofs.systems import RULES as RULES
from kripke_werewolf.logic.proofs.systems import Rule as Rule
from kripke_werewolf.logic.proofs.systems import system as system
from kripke_werewolf.logic.proofs.tableau import Tableau as Tableau
from kripke_werewolf.logic.proofs.tableau import TableauLine as TableauLine
from kripke_werewolf.logic.proofs.tableau import check_tableau as check_tableau
from kripke_werewolf.logic.proofs.tableau import read_tableau as read_tableau
from kripke_werewolf.logic.proofs.tableau import tableau as tableau
from kripke_werewolf.logic.proofs.text import read_proof as read_proof

_help_callers(__name__)
