"""Translations between symbolic structures and explicit models."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import compress
from math import lcm

import numpy as np
import numpy.typing as npt

from kripke_werewolf.base.errors import ModelTooLarge
from kripke_werewolf.logic.models.formats.smcdel import observed_by, separating
from kripke_werewolf.logic.models.model import KripkeModel, Numbered
from kripke_werewolf.logic.semantics.arrays import ArraySpace, Valuation, Weights, in_lowest_terms
from kripke_werewolf.logic.semantics.bits import members
from kripke_werewolf.logic.semantics.cells import General, Mask, Partition
from kripke_werewolf.logic.semantics.cells import Relation as ExplicitRelation
from kripke_werewolf.logic.semantics.numbering import ranges, rows_numbered
from kripke_werewolf.logic.semantics.ranks import hidden
from kripke_werewolf.logic.semantics.space import DEFAULT_LIMIT
from kripke_werewolf.logic.semantics.worlds import Computed
from kripke_werewolf.logic.symbolic.bdd import Diagram, Oxidd, Variables, variable_set
from kripke_werewolf.logic.symbolic.conjunction import Conjunction, Factor, assembled, factor, joint_support
from kripke_werewolf.logic.symbolic.diagrams import DiagramSpace
from kripke_werewolf.logic.symbolic.relation import Law, Relation
from kripke_werewolf.logic.symbolic.structure import KnowledgeStructure, SymbolicStructure
from kripke_werewolf.logic.symbolic.weights import GivenWeights, Levels, weights

Words = npt.NDArray[np.uint64]


# --- symbolic to explicit ---------------------------------------------------------------------------


def to_explicit(structure: SymbolicStructure, *, limit: int = DEFAULT_LIMIT) -> KripkeModel:
    """Return the explicit model whose worlds are the states; see `SymbolicStructure.to_explicit`."""
    space, bdds = structure.space, structure.space.bdds
    if structure.size > limit:
        advice = "ask the symbolic structure instead, or announce first"
        raise ModelTooLarge(structure.size, limit, "the explicit model", advice)
    order = sorted(members(space.law.scope), key=bdds.level)
    table = _table(bdds, bdds.attempt(space.law.all.whole).diagram, order)
    columns: dict[int, Mask] = {v: _bit(table, i) for i, v in enumerate(order)}
    size = len(table)
    rows = {a: _evaluated(bdds, p.diagram, columns, size) for a, p in space.valuation.items()}
    chosen = None
    if structure._chosen is not None:
        chosen = _evaluated(bdds, structure._chosen.diagram, columns, size)
    relations = {a: _explicit(bdds, r, table, order, columns) for a, r in space.relations.items()}
    numbers: dict[bytes, int] = {}

    def name(index: int) -> frozenset[str]:
        return space.state({v for v, column in columns.items() if column[index]})

    def find(state: object) -> int | None:
        if not numbers:
            numbers.update((row.tobytes(), i) for i, row in enumerate(table))
        if state not in structure.worlds:
            return None
        true = space.assignment(state)  # type: ignore[arg-type]
        key = np.zeros(table.shape[1], np.uint64)
        for i, v in enumerate(order):
            if v in true:
                key[i // 64] |= np.uint64(1) << np.uint64(63 - i % 64)
        return numbers[key.tobytes()]

    names, given = Computed(size, name, find), _integers(space, columns, size)
    arrays = ArraySpace(names, relations, Valuation(size, rows), given, space.variables)
    return KripkeModel.from_space(arrays, chosen)


def _integers(space: DiagramSpace, columns: Mapping[int, Mask], size: int) -> dict[str, Weights]:
    """Return the agents' weights of the states, for agents whose weights differ."""
    found: dict[str, Weights] = {}
    if not space.weightings:
        return found
    for agent in space.relations:
        levels = weights(space.bdds, space.weightings, agent)
        values = np.zeros(size, object)
        common = lcm(*(value.denominator for value in levels))
        for value, p in levels.items():
            values[_evaluated(space.bdds, p.diagram, columns, size)] = int(value * common)
        if len(set(values.tolist())) > 1:
            found[agent] = in_lowest_terms(values)
    return found


def _table(bdds: Oxidd, f: Diagram, order: list[int]) -> Words:
    """Return the satisfying assignments as rows of packed bits, in lexicographic order."""
    words = max(1, -(-len(order) // 64))
    # downwards from the top: the assignments so far that lead to each diagram
    reached: dict[Diagram, list[Words]] = {f: [np.zeros((1, words), np.uint64)]}
    for i, v in enumerate(order):
        below: dict[Diagram, list[Words]] = {}
        for g, pieces in reached.items():
            rows = np.concatenate(pieces)
            branch = bdds.branch(g)
            _, high, low = branch if branch is not None and branch[0] == v else (v, g, g)
            if low != bdds.false:
                below.setdefault(low, []).append(rows)
            if high != bdds.false:
                rows = rows.copy()
                rows[:, i // 64] |= np.uint64(1) << np.uint64(63 - i % 64)
                below.setdefault(high, []).append(rows)
        reached = below
    table = np.concatenate([np.zeros((0, words), np.uint64), *reached.get(bdds.true, ())])
    return table[np.lexsort(table.T[::-1])]


def _bit(table: Words, place: int) -> Mask:
    return (table[:, place // 64] >> np.uint64(63 - place % 64) & np.uint64(1)).astype(bool)


def _evaluated(bdds: Oxidd, f: Diagram, columns: Mapping[int, Mask], size: int) -> Mask:
    """Return the values of a diagram at all rows."""
    values: dict[Diagram, Mask] = {bdds.true: np.ones(size, bool), bdds.false: np.zeros(size, bool)}
    for g, (v, high, low) in bdds.branches([f]).items():
        values[g] = np.where(columns[v], values[high], values[low])
    return values[f]


def _explicit(
    bdds: Oxidd, relation: Relation, table: Words, order: list[int], columns: Mapping[int, Mask]
) -> ExplicitRelation:
    observed, count = _cells(table, order, relation.observed)
    if not relation.link:
        return Partition(observed, count)
    # cells: states that agree on all variables that the relation depends on
    support = joint_support(relation.link)
    copies = relation.reach << 1
    cells, count = _cells(table, order, relation.observed | relation.reach | support & ~copies)
    _, first = np.unique(cells, return_index=True)
    seen = observed[first]
    # pairs of cells that agree on the observed variables, by sorting on those
    by_seen = np.argsort(seen, kind="stable")
    begin = np.searchsorted(seen[by_seen], seen, side="left")
    length = np.searchsorted(seen[by_seen], seen, side="right") - begin
    sources = np.repeat(np.arange(count), length)
    targets = by_seen[ranges(begin, length)]
    pairs = {v: columns[v][first[sources]] for v in members(support & ~copies)}
    pairs |= {v + 1: columns[v][first[targets]] for v in members(relation.reach)}
    linked = np.ones(len(sources), bool)
    for p in relation.link:
        linked &= _evaluated(bdds, p.diagram, pairs, len(sources))
    return General(cells, count, sources[linked], targets[linked]).simplest()


def _cells(table: Words, order: list[int], variables: Variables) -> tuple[npt.NDArray[np.int32], int]:
    """Number the states by their values of the given variables."""
    return rows_numbered(((_bit(table, i), 2) for i, v in enumerate(order) if variables >> v & 1), len(table))


# --- explicit to symbolic ---------------------------------------------------------------------------


def from_explicit(model: KripkeModel) -> SymbolicStructure:
    """Return the structure of an explicit model; see `KnowledgeStructure.from_explicit`.

    An agent with an equivalence relation observes the atoms that are constant on each of its classes, and the
    hidden variables needed to number the classes that agree on those. An agent with another relation gets a
    link between cell numbers. Worlds that still agree on everything are numbered by hidden variables that
    nobody observes.
    """
    size, arrays = len(model), model.arrays
    columns: dict[str, list[bool]] = {a: arrays.valuation[a].tolist() for a in model.atoms}
    given = list(columns.values())
    observed: dict[str, list[str]] = {}
    edges: dict[str, tuple[list[str], ExplicitRelation]] = {}

    def named(stem: str, new: list[list[bool]]) -> list[str]:
        names = []
        for column in new:
            names.append(next(n for k in range(1, len(columns) + 2) if (n := f"{stem}#{k}") not in columns))
            columns[names[-1]] = column
        return names

    for agent, relation in ((agent, given.canonical()) for agent, given in arrays.relations.items()):
        labels = relation.labels.tolist()
        if isinstance(relation, Partition):
            known, fresh = observed_by(given, labels)
            observed[agent] = [*(model.atoms[i] for i in known), *named(agent, fresh)]
        else:
            edges[agent] = named(agent, separating([], labels)), relation
    named("world", separating(list(columns.values()), range(size)))

    bdds = Oxidd()
    names = list(columns)
    vocabulary = dict(zip(names, bdds.declare(len(names)), strict=True))
    order = list(vocabulary.values())
    rows = [0] * size
    for name, v in vocabulary.items():
        for i in compress(range(size), columns[name]):
            rows[i] |= 1 << v
    scope = variable_set(order)

    def where(worlds: Iterable[int]) -> Factor:
        return factor(bdds, bdds.attempt(assembled, bdds, [rows[i] for i in worlds], order), scope)

    whole = where(range(size))
    law = Law(Conjunction(bdds, (whole,)), scope)
    relations = {}
    for agent in model.relations:
        if agent in observed:
            relations[agent] = Relation(variable_set(vocabulary[n] for n in observed[agent]))
        else:
            relations[agent] = _linked(bdds, [vocabulary[n] for n in edges[agent][0]], edges[agent][1])
    valuation = {a: Factor(bdds.variable(vocabulary[a]), 1 << vocabulary[a]) for a in model.atoms}
    for atom in hidden(arrays.valuation, arrays.relations):
        valuation[atom] = where(np.flatnonzero(arrays.valuation[atom]).tolist())
    weighed: dict[str, Levels] = {}
    for agent, weight in arrays.weights.items():
        values = {0, *weight.tolist()}
        weighed[agent] = {Fraction(n): where(np.flatnonzero(weight == n).tolist()) for n in values}
        weighed[agent][Fraction(0)] |= ~whole
    weightings = (GivenWeights(weighed),) if weighed else ()
    space = DiagramSpace(bdds, vocabulary, valuation, law, relations, model.variables, weightings)
    chosen = None
    if not model.designates_all:
        chosen = where(Numbered(model).points)
    return KnowledgeStructure._of(space, chosen)


def _linked(bdds: Oxidd, code: list[int], relation: ExplicitRelation) -> Relation:
    """Return the relation that links the codes of cells."""

    def coded(cell: int, shift: int) -> int:
        return variable_set(v + shift for place, v in enumerate(code) if cell >> place & 1)

    rows = [
        coded(s, 0) | coded(t, 1)
        for s, t in zip(relation.sources.tolist(), relation.targets.tolist(), strict=True)
    ]
    order = sorted((w for v in code for w in (v, v + 1)), key=bdds.level)
    return Relation(0, (Factor(bdds.attempt(assembled, bdds, rows, order), variable_set(order)),))
