"""The superposition: the set of surviving worlds, from the game master's point of view.

A world is an assignment of the deck's roles to the players, with the players dead in it. All worlds have the
same weight, so every probability is a quotient of two counts. `Superposition` has the operations needed by
the game; `Enumerated` lists the worlds, other implementations may only count. Players are indices from 0 in
seat order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Protocol, Self

from kripke_werewolf.errors import GameError
from kripke_werewolf.werewolf.roles import SEER, WOLF, Deck, Role


class NotCovered(GameError):
    """An engine does not cover a game or a question; another one may."""


class NoWorldLeft(GameError):
    """No world fits what was told, so there is nothing to know about the game."""

    def __init__(self) -> None:
        super().__init__("no world is left, so there is nothing to know about the game")


class Superposition(Protocol):
    """A set of worlds, all of equal weight. Values are immutable: every operation returns a new one.

    Counts are exact Python integers. Tuples have one entry per player. The dominant wolf is the
    highest-ranked living one; only ranked decks have dominant wolves.
    """

    deck: Deck
    """The cards that were dealt."""

    @property
    def size(self) -> int:
        """The number of worlds."""

    def role_counts(self) -> Mapping[Role, tuple[int, ...]]:
        """For each role of the deck and each player, the number of worlds where they hold it."""

    def wolf_counts(self) -> tuple[int, ...]:
        """For each player, the number of worlds where they are a wolf of any rank."""

    def death_counts(self) -> tuple[int, ...]:
        """For each player, the number of worlds where they are dead."""

    def dominant_counts(self) -> tuple[int, ...]:
        """For each player, the number of worlds where they are the dominant wolf."""

    def prey_counts(self, attacker: int) -> tuple[int, ...]:
        """For each player, the number of worlds where `attacker` is dominant and they are not a wolf."""

    def bite_count(self, attacker: int, target: int) -> int:
        """The number of worlds where `attacker` is a wolf (of any rank, dead or not) and `target` is not."""
        attacking = self.fix(attacker, WOLF)
        return attacking.size - attacking.wolf_counts()[target]

    def pool(self, seer: int, target: int, *, alive: bool) -> Mapping[Role, int]:
        """The worlds where `seer` is a seer (and alive, if asked), counted by the role of `target`.

        Roles that do not occur are omitted.
        """
        looking = self.fix(seer, SEER)
        counts = (looking.spare(seer) if alive else looking).role_counts()
        return {role: counts[role][target] for role in self.deck.roles if counts[role][target]}

    def living(self) -> Mapping[tuple[int, int], int]:
        """The worlds counted by (living wolves, living others)."""

    def see(self, seer: int, target: int, roles: frozenset[Role]) -> Self:
        """Remove the worlds where `seer` is a seer (dead or not) and `target` has none of the roles."""

    def attack(self, attacker: int, target: int) -> Self:
        """Let `target` die where `attacker` is dominant; remove the worlds where the target is a wolf."""

    def spare(self, player: int) -> Self:
        """Remove the worlds where `player` is dead."""

    def fix(self, player: int, role: Role) -> Self:
        """Keep the worlds where `player` has this role; `"wolf"` is a wolf of any rank."""

    def kill(self, player: int) -> Self:
        """Let `player` be dead in every world."""


def probability(count: int, superposition: Superposition) -> Fraction | None:
    """Return count / size as an exact fraction, or None if no world is left."""
    return Fraction(count, superposition.size) if superposition.size else None


def random_world(
    superposition: Superposition, choose: Callable[[int, Mapping[Role, int]], Role]
) -> tuple[Superposition, tuple[Role, ...]]:
    """Draw one world uniformly, by drawing the role of one player after the other.

    `choose(player, weights)` draws a role with weight = number of worlds; the product of the conditional
    probabilities is the same for every world. Certain roles are not drawn. Returns the superposition of that
    world alone, and its roles.
    """
    roles: list[Role] = []
    for player in range(superposition.deck.players):
        weights = {r: c[player] for r, c in superposition.role_counts().items() if c[player]}
        role = choose(player, weights) if len(weights) > 1 else next(iter(weights))
        if len(weights) > 1:
            superposition = superposition.fix(player, role)
        roles.append(role)
    return superposition, tuple(roles)
