"""The table: five players, their roles, the sizes of the quest parties, and how a game can end.

Players are the agents 1 to 5 of "Modelling Avalon" (Mein, Huitema and van Lune); the atom `e_i` says that
player i is evil, `m_i` that player i is Merlin.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Literal, NamedTuple, TypeAlias

from kripke_werewolf.language import Atom

__all__ = [
    "PAIRS",
    "PARTY_SIZES",
    "PLAYERS",
    "PROPOSALS",
    "Deal",
    "Outcome",
    "Party",
    "Role",
    "Side",
    "evil",
    "is_merlin",
    "parties",
]

Party: TypeAlias = tuple[int, ...]
Role: TypeAlias = Literal["good", "evil", "Merlin"]
Side: TypeAlias = Literal["good", "evil"]

PLAYERS = (1, 2, 3, 4, 5)
PARTY_SIZES = (2, 3, 2, 3, 3)
PROPOSALS = 5
"""How many parties are proposed for one quest at most."""
PAIRS = tuple(combinations(PLAYERS, 2))
"""Who may be evil."""


@cache
def evil(player: int) -> Atom:
    """Return the atom `e_i`: player i is evil."""
    return Atom(f"e_{player}")


@cache
def is_merlin(player: int) -> Atom:
    """Return the atom `m_i`: player i is Merlin."""
    return Atom(f"m_{player}")


class Deal(NamedTuple):
    """An assignment of roles; the worlds of the models are deals.

    >>> deal = Deal((3, 4), 5)
    >>> str(deal), deal.good, deal.role(5)
    ('evil 3 and 4, Merlin 5', (1, 2, 5), 'Merlin')
    """

    evil: tuple[int, int]
    """The two evil players, ascending."""
    merlin: int | None = None
    """The good player who is Merlin, None in a game without."""

    @property
    def good(self) -> tuple[int, ...]:
        """The good players, Merlin among them."""
        return tuple(i for i in PLAYERS if i not in self.evil)

    def role(self, player: int) -> Role:
        """Return the role of a player."""
        return "evil" if player in self.evil else "Merlin" if player == self.merlin else "good"

    def __str__(self) -> str:
        merlin = "" if self.merlin is None else f", Merlin {self.merlin}"
        return f"evil {self.evil[0]} and {self.evil[1]}{merlin}"


class Outcome(NamedTuple):
    """How a game ended."""

    winner: Side
    quests: int
    """How many quests were played."""
    by: Literal["quests", "assassination"] = "quests"
    """Whether three quests decided, or the assassination of Merlin."""

    def __str__(self) -> str:
        return f"{self.winner} after {self.quests} quests" + (
            " and the assassination of Merlin" if self.by == "assassination" else ""
        )


def parties(size: int) -> list[Party]:
    """Return all parties of a size, in order."""
    return list(combinations(PLAYERS, size))
