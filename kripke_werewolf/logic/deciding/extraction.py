"""Models built from satisfiable types: copies of types, with witnesses added as needed.

For every false box, an existing world is its witness if possible, else a new one; then the steps of a
shortest path are added for every promise of common knowledge. Adding worlds never invalidates a witness,
because the types determine the relations, so the procedure terminates.

Each type has one copy unless there is distributed knowledge. On types, D_G has a relation of its own,
contained in those of the members of G, whose intersection may be larger. A *cover* replaces each type by
copies with marks, and makes an agent's relation depend on the marks, so that the intersection relates two
copies only if the relation of the group related their types, and every step on types can still be taken from
every copy. So formulas have the same truth values at the copies as at the types, common knowledge included.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, xor
from typing import Any, NamedTuple

from kripke_werewolf.base.errors import Undecided
from kripke_werewolf.logic.deciding.closure import Closure, Eventuality, Type, steps_needed
from kripke_werewolf.logic.deciding.core import paths_kept
from kripke_werewolf.logic.semantics.bits import BitSpace, Rows, members


def extracted(closure: Closure, types: Sequence[Type], *, worlds: int) -> BitSpace:
    """Return the model of types that contain all their witnesses; world 0 has the first type.

    Raises `Undecided` if it would have more than `worlds` worlds.
    """
    return _Extraction(closure, types, worlds).run()


class _Extraction:
    def __init__(self, closure: Closure, types: Sequence[Type], limit: int) -> None:
        self.closure, self.types, self.limit = closure, types, limit
        self.cover = _cover_of(closure)
        self.copies: list[_Copy] = []
        self.numbers: dict[_Copy, int] = {}
        # per agent and world the successors, as bits
        self.after: dict[str, list[int]] = {agent: [] for agent in closure.agents}

    def run(self) -> BitSpace:
        self._add(self.cover.start(self.types[0]))
        done = 0
        while done < len(self.copies):
            while done < len(self.copies):
                self._witness_boxes(done)
                done += 1
            for promise in self.closure.eventualities:
                self._keep_promises(promise)
        relations = {agent: Rows.of_sights(after) for agent, after in self.after.items()}
        valuation = {atom: self._where(node) for node, atom in self.closure.atoms.items()}
        return BitSpace.numbered((1 << len(self.copies)) - 1, relations, valuation)

    def _add(self, copy: _Copy) -> None:
        if copy in self.numbers:
            return
        if len(self.copies) == self.limit:
            raise Undecided(f"the model that was found has more than {self.limit:,} worlds")
        number = self.numbers[copy] = len(self.copies)
        self.copies.append(copy)
        related = self.cover.related
        for agent, after in self.after.items():
            for w in range(number):
                after[w] |= related(agent, self.copies[w], copy) << number
            after.append(sum(related(agent, copy, c) << w for w, c in enumerate(self.copies)))

    def _where(self, literal: int) -> int:
        """Return the worlds where a literal is true."""
        return sum(copy.type.holds(literal) << w for w, copy in enumerate(self.copies))

    # --- boxes -----------------------------------------------------------------------------------

    def _witness_boxes(self, world: int) -> None:
        closure, here = self.closure, self.copies[world].type
        for number, box in closure.boxes.items():
            if not here.truth >> number & 1:
                every = (1 << len(self.copies)) - 1
                reached = reduce(and_, [self.after[agent][world] for agent in box.group], every)
                if all(self.copies[w].type.targets >> number & 1 for w in members(reached)):
                    self._step(world, box.group, number)
        for agent in closure.lookers:
            if not self.after[agent][world]:
                self._step(world, (agent,), None)

    def _step(self, world: int, group: tuple[str, ...], box: int | None) -> None:
        """Add a successor of the world at which the target of the box is false (None: any)."""
        source = self.copies[world]
        fitting = (t for t in self.types if box is None or not t.targets >> box & 1)
        target = next(t for t in fitting if self.closure.related(group, source.type, t))
        self._add(self.cover.follow(group, source, target))

    # --- promises --------------------------------------------------------------------------------

    def _keep_promises(self, promise: Eventuality) -> None:
        """Add a path for every world whose promise is not kept yet."""
        steps = steps_needed(self.closure, self.types, promise)
        kept = self._kept(promise)
        for start, known in enumerate(promise.knowns):
            for world, copy in enumerate(tuple(self.copies)):
                here, state = copy.type, start
                if here.holds(known) or kept[start] >> world & 1:
                    continue
                for left in range(steps[here, state] - 1, -1, -1):
                    agent, state, here = next(
                        (edge.agent, edge.state, t)
                        for edge in promise.edges[state]
                        if here.holds(edge.guard)
                        for t in self.types
                        if t.holds(edge.within)
                        and (steps.get((t, edge.state)) == left if left else not t.holds(edge.body))
                        and self.closure.related((edge.agent,), here, t)
                    )
                    copy = self.cover.follow((agent,), copy, here)
                    self._add(copy)
                kept = self._kept(promise)

    def _kept(self, promise: Eventuality) -> list[int]:
        """Return for each state the worlds from which a path of the automaton leads to a false body."""

        def sees(agent: str, there: int) -> int:
            return sum(1 << w for w, reached in enumerate(self.after[agent]) if reached & there)

        return paths_kept(promise.edges, self._where, sees)


# --- covers --------------------------------------------------------------------------------------


class _Copy(NamedTuple):
    """A type and its mark, which only the cover reads."""

    type: Type
    mark: Any


def _cover_of(closure: Closure) -> _GuardCover | _ShareCover:
    """Return the cover that a formula needs; without distributed knowledge, copies need no marks.

    Raises `Undecided` for distributed knowledge of agents with different logics, or with symmetric relations,
    or with euclidean ones that need not be transitive: then no cover is known, and models are found by search
    only.
    """
    groups = tuple(group for group in closure.below if len(group) > 1)
    logics = {closure.logic.of((agent,)) for agent in closure.agents}
    no_cover = closure.twins or any(logic.symmetric for logic in logics)
    if groups and (len(logics) > 1 or no_cover):
        raise Undecided(f"no model of {closure.logic} with distributed knowledge is built")
    if groups and any(logic.euclidean for logic in logics):
        return _ShareCover(closure, groups)
    return _GuardCover(closure, groups)


@dataclass(frozen=True, slots=True)
class _GuardCover:
    """Copies with a guard for every group of several agents; for relations that need not be euclidean.

    The guard is a member of the group. A step of agent a leads to a copy with another guard, or to a copy
    guarded by a if it starts at such a copy and the group's relation leads there. So the members together
    reach a copy only if its guard allows it.
    """

    closure: Closure
    groups: tuple[tuple[str, ...], ...]

    def start(self, at: Type) -> _Copy:
        """Return the copy with the first member of every group as its guard."""
        return _Copy(at, tuple([team[0] for team in self.groups]))

    def follow(self, group: Sequence[str], source: _Copy, target: Type) -> _Copy:
        """Keep the guards of groups that step together; otherwise choose a guard who does not step."""
        mark = []
        for team, guard in zip(self.groups, source.mark, strict=True):
            others = [member for member in team if member not in group]
            mark.append(others[0] if others and guard in group else guard)
        return _Copy(target, tuple(mark))

    def related(self, agent: str, source: _Copy, target: _Copy) -> bool:
        """Return whether the agent's relation relates two copies."""
        if not self.closure.related((agent,), source.type, target.type):
            return False
        for team, before, after in zip(self.groups, source.mark, target.mark, strict=True):
            related = before == agent and self.closure.related(team, source.type, target.type)
            if after == agent and not related:
                return False
        return True


@dataclass(frozen=True, slots=True)
class _ShareCover:
    """Copies with the agents who may arrive and, for every group of several agents, their shares.

    For euclidean relations. Every member of a group holds a share of a secret, the boxes that the group's
    relation respects here; the secret is the exclusive or of the shares. A step of agent a keeps a's share;
    all members together keep the secret, and fewer determine nothing. If relations are not reflexive, not all
    agents may arrive at every copy.
    """

    closure: Closure
    groups: tuple[tuple[str, ...], ...]

    def start(self, at: Type) -> _Copy:
        """Return a copy at which as many agents as possible may arrive, with each secret in one share."""
        shares = [(self._secret(team, at), *[0] * (len(team) - 1)) for team in self.groups]
        return _Copy(at, (self._arriving((), at), tuple(shares)))

    def _secret(self, team: tuple[str, ...], at: Type) -> int:
        return at.truth & self.closure.below[team]

    def _arriving(self, group: Sequence[str], at: Type) -> frozenset[str]:
        # together they may arrive only where the relation of each of their groups is reflexive
        arriving = set(group)
        for agent in self.closure.agents:
            more = arriving | {agent}
            if all(self.closure.related(g, at, at) for g in self.closure.below if more.issuperset(g)):
                arriving = more
        return frozenset(arriving)

    def follow(self, group: Sequence[str], source: _Copy, target: Type) -> _Copy:
        """Keep the shares of the agents who step; adjust another agent's share to fit the secret."""
        found = []
        for team, shares in zip(self.groups, source.mark[1], strict=True):
            free = next((n for n, member in enumerate(team) if member not in group), None)
            if free is not None:
                others = reduce(xor, [*shares[:free], *shares[free + 1 :]])
                shares = (*shares[:free], self._secret(team, target) ^ others, *shares[free + 1 :])
            found.append(shares)
        return _Copy(target, (self._arriving(group, target), tuple(found)))

    def related(self, agent: str, source: _Copy, target: _Copy) -> bool:
        """Return whether the agent's relation relates two copies."""
        arriving, shares = target.mark
        if agent not in arriving or not self.closure.related((agent,), source.type, target.type):
            return False
        return all(
            agent not in team or before[team.index(agent)] == after[team.index(agent)]
            for team, before, after in zip(self.groups, source.mark[1], shares, strict=True)
        )
