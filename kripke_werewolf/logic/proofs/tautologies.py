"""Propositional consequence, decided by a SAT solver.

Atoms, and formulas whose outermost operator is not a connective, are letters here, either true or false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from kripke_werewolf.logic.deciding.core import TRUE, AndNode, Builder
from kripke_werewolf.logic.deciding.sat import Solver, Steps
from kripke_werewolf.logic.deciding.translation import boolean_literal
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.logics import LOGICS
from kripke_werewolf.logic.formulas.syntax import Formula

DEFAULT_STEPS = 2_000_000
"""The default limit on a search: about a second."""


def _is_letter(f: Formula) -> bool:
    """Return whether a formula is an atom, or its outermost operator is not a connective."""
    return isinstance(f, s.Atom) or not f.pointwise


def letters(f: Formula) -> Iterator[Formula]:
    """Yield the letters of which a formula is a Boolean combination, each once.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> [str(g) for g in letters(parse("p & (K_a p -> ~K_a (p & q))"))]
    ['p', 'K_a p', 'K_a (p & q)']
    """
    return (g for g in f.ordered(operands) if _is_letter(g))


def operands(f: Formula) -> tuple[Formula, ...]:
    """Return the operands of a connective; a letter has none."""
    return () if _is_letter(f) else f.children


def replaced(f: Formula, put: Callable[[Formula], Formula]) -> Formula:
    """Return a formula with its letters replaced."""
    new: dict[Formula, Formula] = {}
    for g in f.ordered(operands):
        new[g] = put(g) if _is_letter(g) else g.with_children(new[part] for part in g.children)
    return new[f]


def follows(
    premises: Sequence[Formula], conclusion: Formula, *, limit: int = DEFAULT_STEPS
) -> list[int] | None:
    """Return the indices of premises from which a conclusion follows, or None if it does not.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> follows([parse("p"), parse("q"), parse("p -> K_a q")], parse("K_a q | r"))
    [0, 2]

    Raises `Undecided` after `limit` steps of the search.
    """
    found = _needed(tuple(premises), conclusion, limit)
    return None if found is None else list(found)


@lru_cache(8192)
def _needed(premises: tuple[Formula, ...], conclusion: Formula, limit: int) -> tuple[int, ...] | None:
    numbers: dict[Formula, s.Atom] = {}

    def put(g: Formula) -> Formula:
        return numbers.setdefault(g, s.Atom(str(len(numbers))))

    return _solved(tuple(replaced(f, put) for f in premises), replaced(conclusion, put), limit)


@lru_cache(8192)
def _solved(premises: tuple[Formula, ...], conclusion: Formula, limit: int) -> tuple[int, ...] | None:
    """Return which premises a conclusion needs; their letters are numbers, so that equal shapes are equal."""
    steps, build = Steps(limit), Builder(LOGICS["K"])
    whole = [boolean_literal(f, build, steps) for f in (*premises, s.Not(conclusion))]
    cores = [build.finish(literal, ()) for literal in whole]
    nodes = {number: node for core in cores for number, node in core.nodes.items()}
    *assumed, goal = [core.root for core in cores]
    solver = Solver(max(nodes, default=TRUE), steps=steps)
    for number, node in nodes.items():
        if isinstance(node, AndNode):
            solver.define(number, node.parts)
    solver.add((TRUE,))
    if solver.solve([goal, *assumed]):
        return None
    blamed = set(solver.core)
    return tuple(place for place, literal in enumerate(assumed) if literal in blamed)


def falsified(f: Formula, *, limit: int = DEFAULT_STEPS) -> dict[Formula, bool]:
    """Return a row of the truth table in which a formula is false, empty if there is none.

    Letters whose value does not matter in that row are omitted.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> {str(g): value for g, value in falsified(parse("K_a p | q -> p | r")).items()}
    {'K_a p': True, 'p': False, 'r': False}

    Raises `Undecided` after `limit` steps of the search.
    """
    values: dict[Formula, bool] = {}
    if follows((), f, limit=limit) is not None:
        return values
    found = list(letters(f))
    for g in found:
        values[g] = follows(_stated(values), s.Or(f, s.Not(g)), limit=limit) is None
    for g in reversed(found):
        fewer = {h: value for h, value in values.items() if h is not g}
        if follows(_stated(fewer), s.Not(f), limit=limit) is not None:
            values = fewer
    return values


def _stated(values: Mapping[Formula, bool]) -> list[Formula]:
    return [g if value else s.Not(g) for g, value in values.items()]


def is_tautology(f: Formula, *, limit: int = DEFAULT_STEPS) -> bool:
    """Return whether a formula is a tautology; raises `Undecided` after `limit` steps.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> is_tautology(parse("K_a p | ~K_a p")), is_tautology(parse("K_a (p | ~p)"))
    (True, False)
    """
    return follows((), f, limit=limit) is not None
