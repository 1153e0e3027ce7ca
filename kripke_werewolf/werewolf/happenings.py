"""What happened to a superposition, kept as such instead of as worlds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from kripke_werewolf.werewolf.roles import SEER, VILLAGER, WOLF, Deck, Role, is_wolf

if TYPE_CHECKING:
    from kripke_werewolf.werewolf.chains import Chain

__all__ = ["Happenings", "Shown"]

Shown: TypeAlias = tuple[frozenset[int], frozenset[int], Mapping[int, Role]]
"""What the visions of a seer show: wolves of some rank, players who are none, and exact ranks."""


@dataclass(frozen=True)
class Happenings:
    """Visions, attacks, drawn roles and deaths, in order; an immutable value.

    `fixed`: the role drawn for a player, `"wolf"` for a wolf of unknown rank; `killed`: the time of the
    official death; `attacks`: (time, attacker, target); `spared`: (time, player) where he had to live.
    """

    time: int = 0
    visions: tuple[tuple[int, int, frozenset[Role]], ...] = ()
    attacks: tuple[tuple[int, int, int], ...] = ()
    spares: tuple[tuple[int, int], ...] = ()
    fixed: Mapping[int, Role] = field(default_factory=dict)
    killed: Mapping[int, int] = field(default_factory=dict)
    contradictory: bool = False

    def seen(self, seer: int, target: int, roles: frozenset[Role]) -> Happenings:
        """Return this and a vision."""
        return replace(self, time=self.time + 1, visions=(*self.visions, (seer, target, roles)))

    def attacked(self, attacker: int, target: int) -> Happenings:
        """Return this and an attack."""
        return replace(self, time=self.time + 1, attacks=(*self.attacks, (self.time, attacker, target)))

    def spared(self, player: int) -> Happenings:
        """Return this and that a player lives now."""
        return replace(self, time=self.time + 1, spares=(*self.spares, (self.time, player)))

    def fixed_to(self, player: int, role: Role) -> Happenings:
        """Return this and that a player has a role."""
        known = self.fixed.get(player, role)
        if known == WOLF and is_wolf(role):
            known = role
        agree = known == role or (role == WOLF and is_wolf(known))
        if role == SEER:  # there is one at most
            agree = agree and all(p == player for p, r in self.fixed.items() if r == SEER)
        return replace(
            self,
            time=self.time + 1,
            fixed={**self.fixed, player: known},
            contradictory=self.contradictory or not agree,
        )

    def killed_now(self, player: int) -> Happenings:
        """Return this and an official death."""
        return replace(self, time=self.time + 1, killed={player: self.time, **self.killed})

    def is_wolf(self, player: int) -> bool:
        """Whether the role drawn for the player is a wolf's."""
        return player in self.fixed and is_wolf(self.fixed[player])

    def known(self, deck: Deck) -> tuple[frozenset[int], frozenset[int], int | None]:
        """Return who was drawn as a wolf of no certain rank, as a villager, and as the seer.

        Killed wolves of unknown rank are left to the chains.
        """
        chained = {p for p in self.fixed if deck.ranked and self.hidden(p)}
        wolves = frozenset(p for p, r in self.fixed.items() if r == WOLF) - chained
        villagers = frozenset(p for p, r in self.fixed.items() if r == VILLAGER)
        seers = [p for p, r in self.fixed.items() if r == SEER]
        return wolves, villagers, seers[0] if seers else None

    def hidden(self, player: int) -> bool:
        """Whether the player died as a wolf whose rank was not shown."""
        return player in self.killed and self.fixed.get(player) == WOLF

    def shown_by(self, seer: int | None, deck: Deck) -> Shown | None:
        """Return what the visions of a player say if he is the seer; None if they contradict that."""
        wolves: set[int] = set()
        others: set[int] = set()
        exact: dict[int, Role] = {}
        for target, roles in self._visions_of.get(seer, ()):
            ranks = roles & set(deck.wolf_roles)
            if target == seer:
                if SEER not in roles:
                    return None
            elif not ranks:
                if VILLAGER not in roles:
                    return None
                others.add(target)
            elif len(ranks) < deck.wolves and deck.ranked:
                (rank,) = ranks
                if exact.setdefault(target, rank) != rank:
                    return None
            elif VILLAGER not in roles:
                wolves.add(target)
        if len(set(exact.values())) < len(exact):
            return None
        return frozenset(wolves), frozenset(others), exact

    @cached_property
    def _visions_of(self) -> dict[int | None, list[tuple[int, frozenset[Role]]]]:
        found: dict[int | None, list[tuple[int, frozenset[Role]]]] = {}
        for seer, target, roles in self.visions:
            found.setdefault(seer, []).append((target, roles))
        return found

    @cached_property
    def _attacks_of(self) -> dict[int, list[tuple[int, int]]]:
        found: dict[int, list[tuple[int, int]]] = {}
        for time, attacker, target in self.attacks:
            found.setdefault(attacker, []).append((time, target))
        return found

    def bitten_by(self, chain: Chain) -> tuple[frozenset[int], frozenset[int]] | None:
        """Return whom the dominant wolves attacked, and who so died at night; None for a contradiction.

        Whoever had to live at some time must not have died before.
        """
        prey: dict[int, int] = {}
        for wolf, begin, end in chain.spans:
            for time, target in self._attacks_of.get(wolf, ()):
                if begin < time < end:
                    prey.setdefault(target, time)
        for time, player in self.spares:
            if min(prey.get(player, time), self.killed.get(player, time)) < time:
                return None
        return frozenset(prey), frozenset(prey)
