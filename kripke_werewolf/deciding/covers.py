"""Making the relation of distributed knowledge the intersection of the agents' relations.

On types, D_G has a relation of its own, contained in those of the members of G; the intersection of
the members' relations may be larger. A cover replaces each type by copies that carry a mark, and
lets an agent's relation depend on the marks, so that the intersection leads from copy to copy only
where the relation of the group led, and every step on types can still be taken from every copy. So
formulas are true at the copies exactly where they are true at the types, common knowledge included.

* `ModeCover`, for logics whose relations need not be euclidean. For each group a mark names a
  member, the guard. A step of agent a may lead to any copy whose guard is not a; to a copy whose
  guard is a only from such a copy, and only where the group's relation leads. All members together
  reach a copy only past its guard.
* `ShareCover`, for euclidean relations. For each group, every member holds a share of a secret: which
  boxes the group's relation respects here, the exclusive or of the shares. A step of agent a keeps
  a's share; all members together keep the secret, and any fewer learn nothing. Where relations are
  not reflexive, a mark also says which agents may arrive at this copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from kripke_werewolf.deciding.closure import Closure, Type

__all__ = ["Copy", "Cover", "cover_of"]

Mark: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Copy:
    """A type and its mark."""

    type: Type
    mark: Mark


class Cover(Protocol):
    """A way to mark types."""

    def start(self, at: Type) -> Copy:
        """Return some copy of a type."""

    def follow(self, group: Sequence[str], source: Copy, target: Type) -> Copy:
        """Return a copy of `target`, to which the relation of the group leads, reached from `source`."""

    def related(self, agent: str, source: Copy, target: Copy) -> bool:
        """Return whether the agent's relation leads from copy to copy."""


def cover_of(closure: Closure) -> Cover:
    """Return the cover that a formula needs; types themselves if there is no distributed knowledge."""
    wide = tuple(group for group in closure.below if len(group) > 1)
    if not wide:
        return PlainCover(closure)
    return ShareCover(closure, wide) if closure.logic.euclidean else ModeCover(closure, wide)


@dataclass(frozen=True, slots=True)
class PlainCover:
    """One copy of every type."""

    closure: Closure

    def start(self, at: Type) -> Copy:
        """Return the copy of a type."""
        return Copy(at, ())

    def follow(self, group: Sequence[str], source: Copy, target: Type) -> Copy:
        """Return the copy of `target`."""
        return Copy(target, ())

    def related(self, agent: str, source: Copy, target: Copy) -> bool:
        """Return whether the agent's relation leads from type to type."""
        return self.closure.related((agent,), source.type, target.type)


@dataclass(frozen=True, slots=True)
class ModeCover:
    """Copies with a guard for every group of several agents."""

    closure: Closure
    groups: tuple[tuple[str, ...], ...]

    def start(self, at: Type) -> Copy:
        """Return the copy with the first member of every group as its guard."""
        return Copy(at, tuple(group[0] for group in self.groups))

    def follow(self, group: Sequence[str], source: Copy, target: Type) -> Copy:
        """Keep the guards where all of a group step, else pass to a guard who does not."""
        mark: list[object] = []
        for members, guard in zip(self.groups, source.mark, strict=True):
            others = [member for member in members if member not in group]
            mark.append(others[0] if others and guard in group else guard)
        return Copy(target, tuple(mark))

    def related(self, agent: str, source: Copy, target: Copy) -> bool:
        """Return whether the agent's relation leads from copy to copy."""
        if not self.closure.related((agent,), source.type, target.type):
            return False
        return all(
            after != agent or (before == agent and self.closure.related(group, source.type, target.type))
            for group, before, after in zip(self.groups, source.mark, target.mark, strict=True)
        )


@dataclass(frozen=True, slots=True)
class ShareCover:
    """Copies with the agents who may arrive and, for every group of several agents, their shares."""

    closure: Closure
    groups: tuple[tuple[str, ...], ...]

    def start(self, at: Type) -> Copy:
        """Return a copy at which as many may arrive as possible, with the secrets in one share."""
        shares = tuple(
            (at.values & self.closure.below[group],) + (0,) * (len(group) - 1) for group in self.groups
        )
        return Copy(at, (self._arriving((), at), *shares))

    def _arriving(self, group: Sequence[str], at: Type) -> frozenset[str]:
        # together they may only arrive where the relation of every group among them leads to itself
        arriving = set(group)
        for agent in self.closure.agents:
            more = arriving | {agent}
            if all(self.closure.related(g, at, at) for g in self.closure.below if more.issuperset(g)):
                arriving = more
        return frozenset(arriving)

    def follow(self, group: Sequence[str], source: Copy, target: Type) -> Copy:
        """Keep the shares of those who step; where somebody else has a share, that one fits the secret."""
        mark: list[object] = [self._arriving(group, target)]
        for members, shares in zip(self.groups, source.mark[1:], strict=True):
            assert isinstance(shares, tuple)
            free = next((n for n, member in enumerate(members) if member not in group), None)
            changed = list(shares)
            if free is not None:
                secret = target.values & self.closure.below[members]
                for n, share in enumerate(shares):
                    if n != free:
                        secret ^= share
                changed[free] = secret
            mark.append(tuple(changed))
        return Copy(target, tuple(mark))

    def related(self, agent: str, source: Copy, target: Copy) -> bool:
        """Return whether the agent's relation leads from copy to copy."""
        arriving = target.mark[0]
        assert isinstance(arriving, frozenset)
        if agent not in arriving or not self.closure.related((agent,), source.type, target.type):
            return False
        for members, before, after in zip(self.groups, source.mark[1:], target.mark[1:], strict=True):
            if agent in members:
                assert isinstance(before, tuple)
                assert isinstance(after, tuple)
                n = members.index(agent)
                if before[n] != after[n]:
                    return False
        return True
