"""Reading what a symbolic structure is given: vocabulary, law, observables, relations, states."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kripke_werewolf.errors import FormulaError, ModelError, UnknownAtomError
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula, FormulaLike, agent_name, formula
from kripke_werewolf.symbolic.bdd import BDDs, Oxidd, variable_set
from kripke_werewolf.symbolic.conjunction import Conjunction, Part, part
from kripke_werewolf.symbolic.evaluation import truth, truths
from kripke_werewolf.symbolic.relation import Law, Relation
from kripke_werewolf.symbolic.space import Space

__all__ = ["assembled", "designate", "governed", "space_of"]

_BOOLEAN = (s.Atom, s.Constant, s.Not, s.And, s.Or, s.Xor, s.Implies, s.Iff, s.Count)


def space_of(
    vocabulary: Iterable[str],
    observables: Mapping[Any, Iterable[str]],
    links: Mapping[Any, FormulaLike],
    variables: Mapping[str, Mapping[Any, FormulaLike]] | None,
    bdds: BDDs | None,
) -> Space:
    """Return the space of all sets of atoms, with what agents observe and how they are linked."""
    names = list(vocabulary)
    for name in names:
        if not isinstance(name, str) or not name:
            raise ModelError(f"an atom needs a nonempty name, got {name!r}")
    if len(set(names)) < len(names):
        twice = next(n for n in names if names.count(n) > 1)
        raise ModelError(f"atom {twice!r} is twice in the vocabulary")
    manager = Oxidd() if bdds is None else bdds
    numbers = dict(zip(names, manager.declare(len(names)), strict=True))
    scope = variable_set(numbers.values())
    read = {agent_name(a): formula(f) for a, f in links.items()}
    seen = {agent_name(a): list(atoms) for a, atoms in observables.items()}
    valuation = {n: Part(manager.variable(v), 1 << v) for n, v in numbers.items()}
    declared = {x: {str(k): formula(f) for k, f in values.items()} for x, values in (variables or {}).items()}
    space = Space(manager, numbers, valuation, Law(Conjunction(manager), scope), {}, declared)
    doubled = Space(
        manager,
        numbers,
        {n + "'": Part(manager.variable(v + 1), 1 << v + 1) for n, v in numbers.items()} | valuation,
        space.law,
        {},
        {},
    )
    relations = {}
    for agent in {**seen, **read}:
        for atom in seen.get(agent, ()):
            if atom not in numbers:
                raise UnknownAtomError(atom, numbers, place=f"the observables of agent {agent!r}")
        observed = variable_set(numbers[a] for a in seen.get(agent, ()))
        link: tuple[Part, ...] = ()
        if agent in read:
            clash = next((n for n in names if n + "'" in numbers), None)
            if clash is not None:
                raise ModelError(f"atom {clash + chr(39)!r} cannot be told from the primed atom {clash!r}")
            link = (truth(doubled, _boolean(read[agent], f"the relation of agent {agent!r}")),)
        relations[agent] = Relation(0, link).meet(space.law, Relation(observed))
    return Space(manager, numbers, valuation, space.law, relations, declared)


def governed(
    space: Space,
    law: FormulaLike | list[Iterable[str]],
    designated: FormulaLike | Iterable[Iterable[str]] | None,
) -> tuple[Space, Part | None]:
    """Return the space under a law, and the designated states."""
    if isinstance(law, list):
        inside = _listed(space, law)
    else:
        inside = truth(space, _boolean(formula(law), "the law"))
    restricted = space.bdds.attempt(space.restricted, inside)
    if not space.bdds.attempt(restricted.law.all.satisfiable):
        raise ModelError(f"the law excludes every state{'' if isinstance(law, list) else f': {law}'}")
    if designated is None:
        return restricted, None
    if isinstance(designated, Formula | str | bool | frozenset | set):
        designated = [designated]  # type: ignore[list-item]
    return restricted, designate(restricted, tuple(designated))


def designate(space: Space, states: tuple[Iterable[str] | Formula, ...]) -> Part:
    """Return the designated states: each given as the set of its true names, or by a formula."""
    formulas = [formula(x) for x in states if isinstance(x, Formula | str | bool)]
    listed = [x for x in states if not isinstance(x, Formula | str | bool)]
    for state in listed:
        space.assignment(state)  # refuses what is no state
    found = [*truths(space, formulas), *([_listed(space, listed)] if listed else [])]
    diagram, support = space.bdds.false, 0
    for p in found:
        diagram, support = diagram | p.diagram, support | p.support
    chosen = part(space.bdds, diagram, support)
    if not space.bdds.attempt(space.law.some, chosen):
        raise ModelError("at least one state must be designated")
    return chosen


def _listed(space: Space, states: list[Iterable[str]]) -> Part:
    """Return the diagram of some states."""
    rows = []
    for state in states:
        names = frozenset(state)
        for name in names:
            if name not in space.vocabulary and name not in space.valuation:
                raise UnknownAtomError(name, space.atoms)
        rows.append(variable_set(space.vocabulary[n] for n in names if n in space.vocabulary))
    order = sorted(space.vocabulary.values(), key=space.bdds.level)
    return Part(space.bdds.attempt(assembled, space.bdds, rows, order), space.law.scope)


def assembled(bdds: BDDs, rows: list[int], order: list[int]) -> Any:
    """Return the diagram that is true at the rows, bit sets of the variables in `order`."""
    # upwards from the bottom: rows that agree on all variables above share a diagram
    level: dict[int, Any] = dict.fromkeys(rows, bdds.true)
    for v in reversed(order):
        above: dict[int, Any] = {}
        for row, f in level.items():
            rest = row & ~(1 << v)
            if rest in above:
                continue
            if rest == row:
                other = level.get(row | 1 << v, bdds.false)
                above[rest] = bdds.choose(bdds.variable(v), other, f)
            else:
                other = level.get(rest, bdds.false)
                above[rest] = bdds.choose(bdds.variable(v), f, other)
        level = above
    return level.get(0, bdds.false)


def _boolean(f: Formula, place: str) -> Formula:
    for node in f.subformulas():
        if not isinstance(node, _BOOLEAN):
            raise FormulaError(f"{place} must be a boolean formula of atoms; it contains {node}")
    return f
