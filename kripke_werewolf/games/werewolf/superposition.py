"""The superposition: the set of surviving worlds, from the game master's point of view.

A world is an assignment of the deck's roles to the players, with the players dead in it. All worlds have the
same weight, so every probability is a quotient of two counts. `Superposition` has the operations needed by
the game; `Enumerated` lists the worlds, other implementations may only count. Players are indices from 0 in
seat order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, Self

from kripke_werewolf.base.errors import GameError
from kripke_werewolf.games.werewolf.roles import Deck
from kripke_werewolf.logic.formulas import FALSE, TRUE, Atom, Formula


class NotCovered(GameError):
    """An engine does not cover a game or a question; another one may."""


class NoWorldLeft(GameError):
    """No world fits what was told, so there is nothing to know about the game."""

    def __init__(self) -> None:
        super().__init__("no world is left, so there is nothing to know about the game")


class Superposition(Protocol):
    """A set of worlds, all of equal weight. Values are immutable: every operation returns a new one.

    Counts are exact Python integers. Tuples have one entry per player.
    """

    deck: Deck
    """The cards that were dealt."""

    @property
    def size(self) -> int:
        """The number of worlds."""

    def counts(self, fact: str) -> tuple[int, ...]:
        """For each player, the number of worlds where a fact such as `seer`, `wolf` or `dead` is true."""

    def role_counts(self) -> Mapping[str, tuple[int, ...]]:
        """For each role of the deck and each player, the number of worlds where they hold it."""
        return {role: self.counts(role) for role in self.deck.roles}

    def death_counts(self) -> tuple[int, ...]:
        """For each player, the number of worlds where they are dead."""
        return self.counts("dead")

    def count(self, f: Formula) -> int:
        """The number of worlds where a formula about players by seat is true, such as `wolf_0 & ~dead_1`.

        Raises NotCovered if they cannot be counted.
        """

    def everywhere(self, f: Formula) -> bool:
        """Whether a formula about players by seat is true in every world, as verdicts ask."""
        return self.count(f) == self.size

    def keep(self, f: Formula) -> Self:
        """Remove the worlds where a formula about players by seat is false.

        Raises NotCovered if what is left cannot be counted.
        """

    def fix(self, player: int, role: str) -> Self:
        """Keep the worlds where `player` has this role; `"wolf"` is a wolf of any rank."""
        return self.keep(Atom(f"{role}_{player}"))

    def die(self, player: int, where: Formula = TRUE, *, unless: Formula = FALSE) -> Self:
        """Let `player` be dead where a formula is true; remove the worlds where `unless` is true as well."""
        return self.change({f"dead_{player}": TRUE}, where, unless=unless)

    def change(
        self, values: Mapping[str, Formula], where: Formula = TRUE, *, unless: Formula = FALSE
    ) -> Self:
        """Give atoms the truth values of formulas where `where` is true, in one go.

        Worlds where `unless` is true as well are removed. Raises NotCovered if the rest cannot be counted.
        """


def random_world(
    superposition: Superposition, choose: Callable[[int, Mapping[str, int]], str]
) -> tuple[Superposition, tuple[str, ...]]:
    """Draw one world uniformly, by drawing the role of one player after the other.

    `choose(player, weights)` draws a role with weight = number of worlds; the product of the conditional
    probabilities is the same for every world. Certain roles are not drawn. Returns the superposition of that
    world alone, and its roles.
    """
    roles: list[str] = []
    for player in range(superposition.deck.players):
        weights = {r: c[player] for r, c in superposition.role_counts().items() if c[player]}
        role = next(iter(weights))
        if len(weights) > 1:
            role = choose(player, weights)
            superposition = superposition.fix(player, role)
        roles.append(role)
    return superposition, tuple(roles)
