"""A small cooperative card game for four players, in the manner of The Crew: one trick, with a task.

Six cards, red and blue from 1 to 3; players 1 and 3 hold two of them, players 2 and 4 one. Player 3 may show
one of their cards. Then player 1 leads, suit must be followed, and the highest card of the suit led wins. The
task: player 3 must win the trick. No other communication is allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any, NamedTuple

from kripke_werewolf.games.chance import choose, equally
from kripke_werewolf.games.program import End, Game, Happening, Holds, Program
from kripke_werewolf.language import Atom, Formula, Knows, conjunction, disjunction

CARDS = tuple(f"{suit}{rank}" for suit in "rb" for rank in (1, 2, 3))
Hands = tuple[tuple[str, ...], ...]


class Trick(NamedTuple):
    """The public situation: whether a card may still be shown, the card shown, and the cards of the trick."""

    showing: bool
    shown: str | None = None
    played: tuple[str, ...] = ()


def has(player: int, card: str) -> Atom:
    """Return the atom that a player holds a card: `has_3_r2`."""
    return Atom(f"has_{player}_{card}")


def wins(card: str) -> Formula:
    """Return that player 3 wins the trick if player 1 leads a card: 3 has a card that beats all."""
    suit, rank = card[0], int(card[1])
    return disjunction(
        has(3, f"{suit}{n}")
        & conjunction(~has(other, f"{suit}{m}") for m in range(n + 1, 4) for other in (2, 4))
        for n in range(rank + 1, 4)
    )


class Crew(Game):
    """The game; `showing`: whether player 3 may show a card."""

    name = "crew"
    players = (1, 2, 3, 4)

    def __init__(self, *, showing: bool = True) -> None:
        self.showing = showing

    def deals(self) -> list[Hands]:
        """Return all deals."""
        hands = {(tuple(sorted(d[:2])), d[2:3], tuple(sorted(d[3:5])), d[5:]) for d in permutations(CARDS)}
        return sorted(hands)

    def atoms(self, world: Hands) -> Iterator[str]:
        """Yield the atoms that say who holds which card."""
        yield from (has(i, card).name for i in self.players for card in world[i - 1])

    def vocabulary(self) -> list[str]:
        """Return the atoms of all players and cards."""
        return [has(i, card).name for i in self.players for card in CARDS]

    def sees(self, player: int, world: Hands) -> tuple[str, ...]:
        """Return the player's hand."""
        return world[player - 1]

    def start(self) -> Trick:
        """Return the table before the trick."""
        return Trick(self.showing)

    def moment(self, now: Trick) -> str:
        """Return the number of the card to be played."""
        return "showing" if now.showing else f"trick, card {len(now.played) + 1}"

    def decides(self, now: Trick, world: Hands) -> dict[int, tuple[Any, ...]]:
        """Return the cards that the current player may play, or that player 3 may show."""
        if now.showing:
            return {3: (*world[2], None)}
        player = len(now.played) + 1
        hand = world[player - 1]
        following = [card for card in hand if now.played and card[0] == now.played[0][0]]
        return {player: tuple(following or hand)}

    def after(self, now: Trick, world: Hands, moves: Mapping[int, Any]) -> Happening | End:
        """Return the table after a card."""
        (card,) = moves.values()
        if now.showing:
            return Happening(world, Trick(False, card))
        played = (*now.played, card)
        if len(played) < 4:
            hands = tuple(tuple(c for c in hand if c != card) for hand in world)
            return Happening(hands, now._replace(played=played))
        return End("won" if played[2] == _best(played) else "lost")


class Careful:
    """Lead a card that certainly lets player 3 win; player 3 shows and plays high cards."""

    def __call__(self, player: int, now: Trick, moves: Sequence[Any], holds: Holds) -> Any:
        """Return the card."""
        cards = [card for card in moves if card is not None]
        if player == 3:
            return max(cards, key=lambda card: card[1])
        safe = [card for card in cards if player == 1 and holds(Knows(1, wins(card)))]
        return choose(equally(safe or cards))


def _best(played: Sequence[str]) -> str:
    """Return the card that wins the trick."""
    return max((card for card in played if card[0] == played[0][0]), key=lambda card: card[1])


def crew(*, showing: bool = True, strategy: Callable[..., Any] | None = None) -> Program:
    """Return the game with the same strategy for all players, by default `Careful`."""
    return Program(Crew(showing=showing), dict.fromkeys(Crew.players, strategy or Careful()))
