"""Shortest announcements: what to say so that some learn a thing and others do not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np

from kripke_werewolf.errors import ModelError, Undecided
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula, FormulaLike, agent_name, formula, natural
from kripke_werewolf.models.distinguishing import distinguishing_formula
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.models.numbering import Longs
from kripke_werewolf.models.relation import Mask, Partition

__all__ = ["shortest_announcement"]


def shortest_announcement(
    model: KripkeModel,
    speaker: object,
    *,
    learns: Mapping[object, FormulaLike | Iterable[FormulaLike]] | None = None,
    ignorant: Mapping[object, FormulaLike | Iterable[FormulaLike]] | None = None,
    goal: FormulaLike = True,
    limit: int = 100_000,
) -> Formula | None:
    """Return a shortest public announcement by a speaker after which some know a thing and others do not.

    `learns`: {agent: what it shall know} ; `ignorant`: {agent: what it shall not know whether it is
    so}; formulas, or several for an agent. `goal`: a formula that shall hold as well. All this has to
    be so afterwards at the designated worlds.

    A speaker who is S5 can announce any union of its information cells that contains the actual one,
    and nothing else. The shortest announcement names the fewest cells; it is returned as a formula
    K_a (… | …) that says which, each described by what the speaker knows in it. None if no announcement
    does it. (Atoms that the speaker knows everywhere, and worlds out of reach, are left out of account.)

    Raises `ModelError` for a speaker that is not S5, `Undecided` after `limit` attempts.

    >>> m = KripkeModel.from_partitions(
    ...     ["00", "01", "10", "11"], {"a": [["00", "01", "10", "11"]], "b": [["00", "10"], ["01", "11"]],
    ...      "c": [["00", "01"], ["10", "11"]]}, {"p": ["10", "11"], "q": ["01", "11"]}, "11")
    >>> print(shortest_announcement(m, "c", learns={"b": "p"}))
    K_c p
    """
    natural(limit, "limit")
    name = agent_name(speaker)
    # bisimilar cells are one: no announcement can name one of them alone
    part = model.generated().contract(keep_distributed=True, keep_probability=True)
    relation = part.relation(name)
    if not isinstance(relation, Partition):
        raise ModelError(f"agent {name!r} is not S5 here: it cannot tell truthfully what it does not know")
    wanted = [s.Knows(agent, f) for agent, f in _pairs(learns)]
    unwanted = [s.KnowsWhether(agent, f) for agent, f in _pairs(ignorant)]
    aim = s.conjunction([*wanted, *(~f for f in unwanted), formula(goal)])
    part.truth_set(aim)  # names what the model does not have before the search begins

    cells = relation.members
    actual = sorted({int(relation.labels[w]) for w in part.designated_indices})
    others = [k for k in range(len(cells)) if k not in actual and len(cells[k])]
    others = [k for k in others if not _forbidden(part, cells[k], wanted)]
    for tried, more in enumerate(_by_size(others)):
        if tried >= limit:
            raise Undecided(
                f"no announcement was found among the first {limit:,}, which name up to "
                f"{len(actual) + len(more)} of {len(cells)} cells of {name} (limit=…)"
            )
        mask = np.isin(relation.labels, [*actual, *more])
        if part.restrict(mask).holds(aim):
            return _said(part, name, [cells[k].tolist() for k in range(len(cells))], mask)
    return None


def _pairs(
    given: Mapping[object, FormulaLike | Iterable[FormulaLike]] | None,
) -> Iterator[tuple[str, Formula]]:
    for agent, what in (given or {}).items():
        for f in [what] if isinstance(what, Formula | str | bool) else what:
            yield agent_name(agent), formula(f)


def _by_size(items: Sequence[int]) -> Iterator[tuple[int, ...]]:
    for size in range(len(items) + 1):
        yield from combinations(items, size)


def _forbidden(model: KripkeModel, cell: Longs, wanted: Sequence[s.Knows]) -> bool:
    """Return whether a cell, if named, surely keeps an agent from learning what it shall learn."""
    for f in wanted:
        if all(isinstance(node, _BOOLEAN) for node in f.body.subformulas()):
            false = ~model.truth_set(f.body)
            for w in model.designated_indices.tolist():
                seen = model.relation(f.agent).successors(w)
                if false[seen[np.isin(seen, cell)]].any():
                    return True
    return False


_BOOLEAN = (s.Atom, s.Constant, s.Not, s.And, s.Or, s.Xor, s.Implies, s.Iff, s.Count)


def _said(model: KripkeModel, speaker: str, cells: list[list[int]], mask: Mask) -> Formula:
    """Return that the speaker knows to be in one of the cells of a mask, as a formula about the rest."""
    inside = [cell for cell in cells if cell and mask[cell[0]]]
    outside = [cell for cell in cells if cell and not mask[cell[0]]]
    if not outside:
        return s.TRUE
    described = [_description(model, speaker, cell, outside) for cell in inside]
    bodies = [f.body if isinstance(f, s.Knows) else f for f in described]
    return s.Knows(speaker, s.disjunction(dict.fromkeys(bodies)))


def _description(model: KripkeModel, speaker: str, cell: list[int], others: list[list[int]]) -> Formula:
    """Return a formula true in a cell and false in the others: literals if they suffice."""
    known: list[Formula] = []
    left = list(others)
    literals = [
        (s.Atom(atom) if row[cell[0]] else ~s.Atom(atom), row == row[cell[0]])
        for atom, row in model.valuation.items()
        if (row[cell] == row[cell[0]]).all()
    ]
    literals.sort(key=lambda pair: isinstance(pair[0], s.Not))  # of equal ones, what is so goes first
    while left:
        # the literal that excludes most of the cells that are left
        best, excluded = None, list[list[int]]()
        for literal, true in literals:
            out = [other for other in left if not true[other].any()]
            if len(out) > len(excluded):
                best, excluded = literal, out
        if best is None:
            break
        known.append(best)
        left = [other for other in left if other not in excluded]
    known += [_apart(model, speaker, cell, other) for other in left]
    return s.conjunction(known)


def _apart(model: KripkeModel, speaker: str, cell: list[int], other: list[int]) -> Formula:
    """Return a formula about the speaker's knowledge that is true in one cell and false in another."""
    names = model.worlds
    for here, there, positive in ((cell, other, True), (other, cell, False)):
        for w in here:
            found = [distinguishing_formula(model, names[w], model, names[v]) for v in there]
            if all(f is not None for f in found):
                seen = s.Possible(speaker, s.conjunction(f for f in found if f is not None))
                return seen if positive else ~seen
    raise ModelError(f"two cells of {speaker!r} are bisimilar; contract the model first")
