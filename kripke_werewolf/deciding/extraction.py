"""A model out of satisfiable types: copies of types, and witnesses as they are needed.

Worlds are copies of types (one each, unless distributed knowledge asks for more, see `covers`). For
every false box a world that is there already is taken as its witness if possible, else a new one;
then for every promise of common knowledge the steps of a shortest path. Adding worlds never undoes a
witness, because the relations are given by the types, so it ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kripke_werewolf.deciding.closure import Closure, Eventuality, Type, steps_needed
from kripke_werewolf.deciding.covers import Copy, cover_of
from kripke_werewolf.deciding.structure import Structure
from kripke_werewolf.errors import Undecided

__all__ = ["extracted"]


def extracted(closure: Closure, types: Sequence[Type], *, worlds: int) -> Structure:
    """Return a model of types that have all their witnesses among them; world 0 is of the first type.

    Raises `Undecided` when it would have more than `worlds` worlds.
    """
    return _Extraction(closure, types, worlds).run()


class _Extraction:
    def __init__(self, closure: Closure, types: Sequence[Type], limit: int) -> None:
        self.closure, self.types, self.limit = closure, types, limit
        self.cover = cover_of(closure)
        self.copies: list[Copy] = []
        self.numbers: dict[Copy, int] = {}
        # per agent and world the successors, as bits
        self.after: dict[str, list[int]] = {agent: [] for agent in closure.agents}

    def run(self) -> Structure:
        self._add(self.cover.start(self.types[0]))
        done = 0
        while done < len(self.copies):
            while done < len(self.copies):
                self._witness_boxes(done)
                done += 1
            for promise in self.closure.eventualities:
                self._keep_promises(promise)
        return Structure(
            len(self.copies),
            {agent: tuple(after) for agent, after in self.after.items()},
            {
                variable.name: sum((c.type.values >> k & 1) << w for w, c in enumerate(self.copies))
                for k, variable in enumerate(self.closure.variables)
                if variable.name is not None
            },
        )

    def _add(self, copy: Copy) -> int:
        if copy in self.numbers:
            return self.numbers[copy]
        if len(self.copies) == self.limit:
            raise Undecided(
                f"there is a (counter-)model, but the one that was found has more than {self.limit:,} worlds"
            )
        number = self.numbers[copy] = len(self.copies)
        self.copies.append(copy)
        related = self.cover.related
        for agent, after in self.after.items():
            for w in range(number):
                after[w] |= related(agent, self.copies[w], copy) << number
            after.append(sum(related(agent, copy, c) << w for w, c in enumerate(self.copies)))
        return number

    # --- boxes -----------------------------------------------------------------------------------

    def _witness_boxes(self, world: int) -> None:
        closure, here = self.closure, self.copies[world].type
        for k, variable in enumerate(closure.variables):
            if variable.name is None and not here.values >> k & 1:
                reached = (1 << len(self.copies)) - 1
                for agent in variable.group:
                    reached &= self.after[agent][world]
                if all(self.copies[w].type.targets >> k & 1 for w in _bits(reached)):
                    self._step(world, variable.group, k)
        if closure.logic.serial:
            for agent in closure.agents:
                if not self.after[agent][world]:
                    self._step(world, (agent,), None)

    def _step(self, world: int, group: tuple[str, ...], box: int | None) -> None:
        """Add a successor of the world where the target of the box is false (None: any)."""
        source = self.copies[world]
        target = next(
            t
            for t in self.types
            if not (box is not None and t.targets >> box & 1) and self.closure.related(group, source.type, t)
        )
        self._add(self.cover.follow(group, source, target))

    # --- promises --------------------------------------------------------------------------------

    def _keep_promises(self, promise: Eventuality) -> None:
        """Add a path for every world where the promise is made and not yet kept."""
        steps = steps_needed(self.closure, self.types, promise)
        kept = self._kept(promise)
        for world, copy in enumerate(tuple(self.copies)):
            here = copy.type
            if here.holds(promise.known) or kept >> world & 1:
                continue
            for left in range(steps[here] - 1, -1, -1):
                agent, here = next(
                    (agent, t)
                    for t in self.types
                    if t.holds(promise.within)
                    and (steps.get(t) == left if left else not t.holds(promise.body))
                    for agent in promise.group
                    if self.closure.related((agent,), here, t)
                )
                copy = self.cover.follow((agent,), copy, here)
                self._add(copy)
            kept = self._kept(promise)

    def _kept(self, promise: Eventuality) -> int:
        """Return the worlds from which a path of the group through `within` leads to a false body."""
        inside = goal = 0
        for w, copy in enumerate(self.copies):
            inside |= copy.type.holds(promise.within) << w
            goal |= (copy.type.holds(promise.within) and not copy.type.holds(promise.body)) << w
        kept, before = 0, -1
        while kept != before:
            before = kept
            for agent in promise.group:
                kept |= sum(1 << w for w, reached in enumerate(self.after[agent]) if reached & goal)
            goal |= kept & inside
        return kept


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
