"""How a formula is written changes neither the answer nor, by much, the steps that it takes."""

from functools import cache
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.lwb import bracketed
from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.deciding.decision import DEFAULT_STEPS, _Search
from kripke_werewolf.logic.formulas import Formula
from tests import strategies
from tests.reference.small_models import SmallModels
from tests.theorems import LOGICS

small_models = cache(SmallModels)

TIMES = 3  # as many steps a variant may take
SMALL = 10_000  # steps always allowed, and 20 to read each subformula

_formulas = strategies.formulas(groups=False, dynamic=False, probability=False, everywhere=False)
_rngs = st.integers(0, 2**32).map(Random)


def reordered(formula: Formula, rng: Random) -> Formula:
    """Return a formula with the arguments of connectives in another order."""

    def step(node: Formula) -> Formula:
        if isinstance(node, f.And | f.Or | f.Xor | f.Count):
            return node.with_children(rng.sample(node.children, len(node.children)))
        return node

    return formula.rewrite(step)


def renamed(formula: Formula, rng: Random) -> Formula:
    """Return a formula with other names of atoms, agents and bound atoms."""
    names = {}

    def new(name: str) -> str:
        return names.setdefault(name, f"{rng.choice('uvxyz')}{rng.randrange(100)}_{len(names)}")

    def step(node: Formula) -> Formula:
        if isinstance(node, f.Forall | f.Exists):
            fresh = {name: f.Atom(f"b{rng.randrange(10**9)}") for name in node.names}
            body = node.body.rewrite(lambda g: fresh.get(g.name, g) if isinstance(g, f.Atom) else g)
            return type(node)([atom.name for atom in fresh.values()], body)
        return node

    return formula.rewrite(step).rename(atoms=new, agents=new)


def dual(formula: Formula, rng: Random) -> Formula:
    """Return a formula in which operators are replaced by others and negations."""

    def step(node: Formula) -> Formula:
        if rng.random() < 0.3:
            return node
        match node:
            case f.Knows(agent, body):
                return ~f.Possible(agent, ~body)
            case f.Possible(agent, body):
                return ~f.Knows(agent, ~body)
            case f.And(parts):
                return ~f.Or(*(~part for part in parts))
            case f.Or((first, *others)):
                return ~first >> (f.disjunction(others) if others else f.FALSE)
            case f.Implies(left, right):
                return ~left | right
            case f.Iff(left, right):
                return (left >> right) & (right >> left)
            case f.Atom():
                return node
        return ~~node

    return formula.rewrite(step)


def expanded(formula: Formula, _: Random) -> Formula:
    """Return a formula with counting written out."""

    def at_most(number: int, parts: tuple[Formula, ...]) -> Formula:
        return f.conjunction(~f.conjunction(some) for some in combinations(parts, number + 1))

    def at_least(number: int, parts: tuple[Formula, ...]) -> Formula:
        fewer = combinations(parts, len(parts) - number + 1) if number else ()
        return f.conjunction(map(f.disjunction, fewer))

    def step(node: Formula) -> Formula:
        if not isinstance(node, f.Count):
            return node
        low, high = node.bounds
        if low > len(node.children):
            return f.FALSE
        return at_least(low, node.children) & at_most(high, node.children)

    return formula.rewrite(step)


WRITINGS = {
    "bracketed": bracketed,
    "reordered": reordered,
    "renamed": renamed,
    "dual": dual,
    "expanded": expanded,
    "several": lambda formula, rng: bracketed(dual(reordered(expanded(formula, rng), rng), rng), rng),
}


def check(formula: Formula, writing: str, logic: str, rng: Random) -> None:
    """Compare a formula with a variant."""
    variant = WRITINGS[writing](formula, rng)
    plain, other = (_Search(g, False, logic, DEFAULT_STEPS, None) for g in (formula, variant))
    assert other.succeeded == plain.succeeded, variant
    for one, two, read in ((plain, other, formula), (other, plain, variant)):
        assert one.steps.taken <= TIMES * two.steps.taken + SMALL + 20 * len([*read.subformulas()]), variant


@pytest.mark.parametrize("writing", WRITINGS)
@given(formula=_formulas, logic=st.sampled_from(sorted(LOGICS)), rng=_rngs)
def test_formulas(writing: str, formula: Formula, logic: str, rng: Random) -> None:
    check(formula, writing, logic, rng)


@pytest.mark.parametrize("connective", [f.Iff, f.Xor])
@given(rng=_rngs)
def test_chains_of_equivalences_have_no_brackets_and_no_order(connective: type[Formula], rng: Random) -> None:
    def chained(parts: list[Formula]) -> Formula:
        if len(parts) == 1:
            return parts[0]
        at = rng.randrange(1, len(parts))
        left, right = chained(parts[:at]), chained(parts[at:])
        return ~connective(~left, ~~right) if rng.random() < 0.5 else connective(left, right)

    atoms = [f.Atom(f"p{i}") for i in range(12)]
    one, other = (f.K("a", chained(rng.sample(atoms, len(atoms)))) for _ in range(2))
    found = _Search(f.Iff(one, other), False, "K", DEFAULT_STEPS, None)
    assert not found.succeeded
    assert found.steps.taken <= SMALL
