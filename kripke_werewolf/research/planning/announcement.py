"""Shortest announcements by which some agents learn a formula and others do not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations
from typing import Any, TypeAlias

from kripke_werewolf.base.errors import ModelError, Undecided
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.syntax import Formula, FormulaLike, agent_name, formula, natural
from kripke_werewolf.logic.models.bisimulation import distinguishing_formula
from kripke_werewolf.logic.models.model import KripkeModel, Numbered
from kripke_werewolf.logic.semantics.space import Worlds, check_formula_names
from kripke_werewolf.research.planning.task import State

Asked: TypeAlias = "Mapping[Any, FormulaLike | Iterable[FormulaLike]]"
"""For each agent a formula, or several."""


def shortest_announcement(
    model: KripkeModel,
    speaker: object,
    *,
    learns: Asked | None = None,
    ignorant: Asked | None = None,
    goal: FormulaLike = True,
    limit: int = 100_000,
) -> Formula | None:
    """Return a shortest public announcement by a speaker that some agents learn from and others do not.

    `learns`: for each agent, the formulas (one or several) that they must know afterwards; `ignorant`: for
    each agent the formulas whose truth value they must not know. `goal`: a formula that must also be true.
    All these are evaluated after the announcement at the designated worlds.

    The truthful announcements of a speaker who is S5 are the unions of their information cells that contain
    the actual one. The shortest announcement names the fewest cells; it is returned as a formula K_a (… | …)
    that describes each by the speaker's knowledge in it, or None if no announcement suffices. (Atoms that the
    speaker knows everywhere, and unreachable worlds, are not mentioned.)

    Raises `ModelError` for a speaker that is not S5, `Undecided` after `limit` attempts.

    >>> m = KripkeModel.from_partitions(
    ...     ["00", "01", "10", "11"], {"a": [["00", "01", "10", "11"]], "b": [["00", "10"], ["01", "11"]],
    ...      "c": [["00", "01"], ["10", "11"]]}, {"p": ["10", "11"], "q": ["01", "11"]}, "11")
    >>> print(shortest_announcement(m, "c", learns={"b": "p"}))
    K_c p
    """
    natural(limit, "limit")
    name = agent_name(speaker)
    # bisimilar worlds are merged: no announcement can name one of them alone
    part = model.generated().contract(keep_distributed=True, keep_probability=True)
    numbered = Numbered(part)
    classes = numbered.classes(name)
    if classes is None:
        raise ModelError(f"agent {name!r} is not S5 here, and so need not know that what is said is true")
    wanted = [s.Knows(agent, f) for agent, f in _pairs(learns)]
    unwanted = [s.KnowsWhether(agent, f) for agent, f in _pairs(ignorant)]
    aim = s.conjunction([*wanted, *(~f for f in unwanted), formula(goal)])
    space = numbered.space
    points = space.set_of(numbered.points)
    check_formula_names(space, aim)
    cells = [space.set_of(members) for members in classes]
    actual = [k for k, cell in enumerate(cells) if space.some(cell & points)]
    left = [k for k in range(len(cells)) if k not in actual]
    others = [k for k in left if not _forbidden(space, points, cells[k], wanted)]
    start, aims = State(space, points, None), s.conjuncts(aim)
    unions = chain.from_iterable(combinations(others, size) for size in range(len(others) + 1))
    for tried, more in enumerate(unions):
        if tried >= limit:
            raise Undecided(
                f"no announcement was found among the first {limit:,}, which name up to "
                f"{len(actual) + len(more)} of {len(cells)} cells of {name} (limit=…)"
            )
        named = [*actual, *more]
        if all(map(start.within(space.any_of([cells[k] for k in named])).holds, aims)):
            outside = [cell for k, cell in enumerate(cells) if k not in named]
            told = dict.fromkeys(described(part, cells[k], outside) for k in sorted(named))
            return s.Knows(name, s.disjunction(told)) if outside else s.TRUE
    return None


def _pairs(given: Asked | None) -> Iterator[tuple[str, Formula]]:
    for agent, asked in (given or {}).items():
        for f in [asked] if isinstance(asked, Formula | str | bool) else asked:
            yield agent_name(agent), formula(f)


def _forbidden(space: Worlds[Any], points: Any, cell: Any, wanted: Sequence[s.Knows]) -> bool:
    """Return whether naming a cell certainly prevents an agent from learning a wanted formula."""
    return any(
        not State(space, space.steps(space.relations[f.agent], points) & cell, None).holds(f.body)
        for f in wanted
        if f.body.is_boolean
    )


def described(model: KripkeModel, cell: Any, others: Sequence[Any]) -> Formula:
    """Return a formula true at all worlds of a set and at none of other sets, of literals if they suffice.

    No world of the set is bisimilar to one of the others.
    """
    space: Worlds[Any] = model.space
    atoms = [s.Atom(atom) for atom in model.atoms]
    # true ones come first, preferred to others that exclude the same number of cells
    literals = list(filter(State(space, cell, None).holds, [*atoms, *(~atom for atom in atoms)]))
    known: list[Formula] = []
    left = list(others)
    while left:
        excluded = {f: [other for other in left if State(space, other, None).holds(~f)] for f in literals}
        best = max(literals, key=lambda f: len(excluded[f]), default=s.TRUE)
        if not excluded.get(best):
            break
        known.append(best)
        left = [other for other in left if not State(space, other, None).holds(~best)]
    here, *there = ([*map(space.name, space.members(worlds))] for worlds in (cell, *left))
    for worlds in there:
        found = ([distinguishing_formula(model, w, model, v) for v in worlds] for w in here)
        known.append(s.disjunction(s.conjunction(f for f in row if f is not None) for row in found))
    return s.conjunction(known)
