"""Help with a derivation: missing rules, and a hint for the first wrong line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations

from kripke_werewolf.deciding.decision import DEFAULT_STEPS, decide_validity
from kripke_werewolf.deciding.sat import Steps
from kripke_werewolf.errors import FormulaError, Undecided
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.proofs.abbreviations import unabbreviated
from kripke_werewolf.proofs.checker import Checking, check
from kripke_werewolf.proofs.derivation import Abbreviator
from kripke_werewolf.proofs.derived import DERIVED
from kripke_werewolf.proofs.proof import Line, Proof
from kripke_werewolf.proofs.prover import derived_lines
from kripke_werewolf.proofs.systems import system

_FROM_ONE = ("Nec", "RK", "RE")
_FROM_ALL = ("PL", "RK", "RK4", "RK5", "RK45", "Ind", "Ind!", "Red")


def fill(proof: Proof, *, limit: int = DEFAULT_STEPS) -> Proof:
    """Return a derivation with a rule for each line without one, if a single step suffices.

    A line is left unchanged if the search takes more than `limit` steps.

    >>> from kripke_werewolf.proofs.text import read_proof
    >>> print(fill(read_proof("p & q -> p\\nK_a (p & q) -> K_a p", logic="K")))
    logic: K
    1. p & q -> p               PL
    2. K_a (p & q) -> K_a p     RK 1
    """
    checking, lines = Checking(proof.logic, limit), list[Line]()
    for line in proof.lines:
        found = line
        try:
            found = line if line.rule else one_step(checking, line.formula) or line
            flaw = checking.add(found)
        except Undecided as reason:
            flaw = str(reason)
        lines.append(found)
        if flaw is not None:
            break
    return Proof(proof.logic, (*lines, *proof.lines[len(lines) :]))


def one_step(checking: Checking, f: Formula) -> Line | None:
    """Return a formula as the next line of a derivation by a single rule, if there is one."""
    above = tuple(range(1, len(checking.lines) + 1))
    for rule, refs in _tries(checking, unabbreviated(f)):
        if checking.allows(Line(f, rule, refs)):
            return Line(f, rule, refs)
    for rule in _FROM_ALL:
        if checking.allows(Line(f, rule, above)):
            refs = above
            for ref in above:
                fewer = tuple(n for n in refs if n != ref)
                if checking.allows(Line(f, rule, fewer)):
                    refs = fewer
            return Line(f, rule, refs)
    return None


def _tries(checking: Checking, f: Formula) -> Iterator[tuple[str, tuple[int, ...]]]:
    for rule in system(checking.logic):
        if rule.is_axiom and rule.name != "Taut":
            yield rule.name, ()
    for name, rules in DERIVED.items():
        if any(rule.lines(f) for rule in rules) or name in ("Def", "Mix!"):
            yield name, ()
    yield "PL", ()
    formulas = [unabbreviated(line.formula) for line in checking.lines]
    for major, g in enumerate(formulas, 1):
        if isinstance(g, s.Implies) and g.right is f:
            yield from (("MP", (major, n)) for n, h in enumerate(formulas, 1) if h is g.left)
    for rule_name in _FROM_ONE:
        yield from ((rule_name, (n,)) for n in range(len(formulas), 0, -1))


def hint(proof: Proof, *, limit: int = DEFAULT_STEPS) -> str:
    """Return a hint for the first wrong line of a derivation; empty if all lines are correct.

    In this order: a rule that yields the line directly; the wrong agent or direction; that the formula is not
    valid, with a counter-model; or a possible next line.
    """
    found = check(proof, limit=limit)
    if found.line is None:
        return ""
    checking, line = Checking(proof.logic, limit), proof.lines[found.line - 1]
    for right in proof.lines[: found.line - 1]:
        checking.add(right)
    return "".join(_hints(checking, line, limit)) or "no hint is known"


def _hints(checking: Checking, line: Line, limit: int) -> Iterator[str]:
    try:
        step = one_step(checking, line.formula)
        if step is not None:
            yield f"the line is right by {step.reason}"
            return
        # a tautology with other agents or in the other direction is seldom intended
        for other, what in _variants(line.formula) if line.rule not in ("", "Taut", "PL") else ():
            if checking.allows(replace(line, formula=other)):
                yield f"{line.reason} gives {other}: {what}"
                return
        decided = decide_validity(line.formula, logic=checking.logic, limit=limit)
        if not decided.answer:
            yield f"the formula is {decided}"
            return
        yield _next_line(checking, line.formula, limit)
    except (FormulaError, Undecided) as reason:
        yield f"whether the formula is valid at all is not known: {reason}"


def _next_line(checking: Checking, f: Formula, limit: int) -> str:
    given = [unabbreviated(line.formula) for line in checking.lines]
    lines = derived_lines(unabbreviated(f), checking.logic, Steps(limit), given)
    assert lines, f"{f} is valid, so it has a derivation"
    first = f"{Abbreviator(f).written(lines[0].formula)}   {lines[0].reason}"
    return f"the formula is valid, but does not follow in one step; a line to derive first: {first}"


def _variants(f: Formula) -> Iterator[tuple[Formula, str]]:
    """Yield formulas that may have been intended."""
    if isinstance(f, s.Implies):
        yield s.Implies(f.right, f.left), "the other direction"
    for node in reversed(list(f.subformulas())):
        if isinstance(node, s.OfAgent):
            for agent in sorted(f.agents - {node.agent}):
                other = type(node)(agent, node.body)
                yield f.rewrite(lambda g, old=node, new=other: new if g is old else g), "another agent"  # type: ignore[misc]
    for a, b in permutations(sorted(f.agents), 2):
        if a < b:
            swap = {a: b, b: a}
            yield f.rename(agents=lambda name, swap=swap: swap.get(name, name)), "other agents"  # type: ignore[misc]
