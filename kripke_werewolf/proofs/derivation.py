"""Checked derivations of formulas, short and readable."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

from kripke_werewolf.deciding.decision import DEFAULT_STEPS, valid
from kripke_werewolf.deciding.sat import Steps
from kripke_werewolf.errors import Undecided
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula, FormulaLike, formula
from kripke_werewolf.language.logics import Logic, logic_named
from kripke_werewolf.proofs.abbreviations import Abbreviator, unabbreviated
from kripke_werewolf.proofs.checker import Checking, check
from kripke_werewolf.proofs.derived import DERIVED
from kripke_werewolf.proofs.proof import Line, Proof
from kripke_werewolf.proofs.prover import derived_lines
from kripke_werewolf.proofs.schemas import is_schematic
from kripke_werewolf.proofs.systems import RULES, system


def derivation(f: FormulaLike, *, logic: str | Logic = "S5", limit: int = DEFAULT_STEPS) -> Proof | None:
    """Return a derivation of a formula in a logic, or None if it is not valid.

    Its lines cite the axioms of the logic and derived rules; `expand` writes it in primitive steps. It has
    been checked. The logics are those of `valid`.

    >>> print(derivation("K_a p & K_b (p -> q) -> p", logic="T"))
    logic: T
    1. K_a p -> p                     T
    2. K_a p & K_b (p -> q) -> p      PL 1
    >>> derivation("K_a p -> p", logic="KD45") is None
    True

    The letters φ, ψ and χ stand for any formulas. The derivation then derives every instance: under
    announcements it uses no axiom about atoms for the letters.

    Raises `Undecided` after `limit` steps of the search; `FormulaError` for an operator that cannot be
    decided (probability, Kv), and for symmetric relations, in which formulas are decided and not derived;
    `UnknownNameError` for an unknown logic.
    """
    found, chosen = formula(f), logic_named(logic)
    goal, steps = unabbreviated(found), Steps(limit)
    lines = _known(goal, chosen) or derived_lines(goal, chosen, steps)
    if lines is None:
        if _is_updated_schema(goal) and valid(found, logic=chosen, limit=limit):
            reason = "no axiom says that two actions have the same effect on a letter"
            raise Undecided(f"{found} is valid, but no derivation of it as a schema was found: {reason}")
        return None
    whole = Proof(chosen, tuple(lines))
    shown = Abbreviator(found).written
    for short in (_merged(whole.pruned()), whole.pruned(), whole):
        above = [replace(line, formula=shown(line.formula)) for line in short.lines[:-1]]
        last = replace(short.lines[-1], formula=found)
        for written in (Proof(chosen, (*above, last)), Proof(chosen, (*short.lines[:-1], last))):
            if check(written).right:  # a rule may need a line in expanded form
                return written
    raise Undecided(f"{found} is valid, but the derivation found for it does not pass the checker")


def _is_updated_schema(f: Formula) -> bool:
    """Return whether a formula has schematic letters and updates, under which these differ from atoms."""
    nodes = list(f.subformulas())
    return any(map(is_schematic, nodes)) and any(isinstance(node, s.Box) for node in nodes)


def _known(goal: Formula, logic: Logic) -> list[Line] | None:
    """Return the derivation of an axiom, or of a derived axiom that cites no other; else None."""
    for rule in system(logic):
        if rule.is_axiom and rule.instance((), goal) is not None and rule.sound(rule, logic, goal):
            return [Line(goal, rule.name)]
    axioms = {name for name, rules in DERIVED.items() if name not in RULES and "⊢" not in rules[0].text}
    for derived in chain(*DERIVED.values()):
        if derived.frames <= set(logic.properties):
            lines = derived.lines(goal)
            if lines and not any(line.rule in axioms for line in lines):
                return lines
    return None


def _merged(proof: Proof) -> Proof:
    """Return a derivation in which lines that only restate another line are derived directly.

    For example `K_a p & K_a q -> K_a (p & q)`, and then `K_a p -> (K_a q -> K_a (p & q))`. A derivation with
    a wrong line is unchanged.
    """
    checking = Checking(proof.logic)
    for line in proof.lines:
        if line.rule in _RESTATING and len(line.refs) == 1:
            before = checking.lines[line.refs[0] - 1]
            at_once = replace(line, rule=before.rule, refs=before.refs)
            if before.rule not in _RESTATING and checking.allows(at_once):
                line = at_once
        if checking.add(line) is not None:
            return proof
    return Proof(proof.logic, tuple(checking.lines)).pruned()


_RESTATING = ("PL", "Red")
