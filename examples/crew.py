"""A crew: four players want one of them to win a trick, and may say almost nothing.

    python examples/crew.py

Six cards, red and blue from 1 to 3: players 1 and 3 hold two of them, players 2 and 4 one. Player 3 may show
one of their cards. Then player 1 leads, suit must be followed, and the highest card of the suit led wins. The
task, in the manner of The Crew: player 3 must win the trick. A world is what everybody holds.
"""

from itertools import permutations
from typing import Any, NamedTuple

import kripke_werewolf as kw
from kripke_werewolf.games import End, Game, Happening, Program, choose, solve

CARDS = tuple(f"{suit}{rank}" for suit in "rb" for rank in (1, 2, 3))


class Trick(NamedTuple):
    """Whether a card may still be shown, the card shown, and the cards of the trick."""

    showing: bool
    shown: Any = None
    played: tuple[str, ...] = ()


def wins(card):
    """The formula that player 3 wins the trick if player 1 leads a card: 3 has a card that beats all."""
    suit, rank = card[0], int(card[1])
    return kw.disjunction(
        kw.Atom(f"has_3_{suit}{n}")
        & kw.conjunction(~kw.Atom(f"has_{i}_{suit}{m}") for m in range(n + 1, 4) for i in (2, 4))
        for n in range(rank + 1, 4)
    )


class Crew(Game):
    """One trick; `showing`: whether player 3 may show a card."""

    name, players = "crew", (1, 2, 3, 4)

    def __init__(self, *, showing=True):
        self.showing = showing

    def deals(self):
        """The hands of all players."""
        parts = ((d[:2], d[2:3], d[3:5], d[5:]) for d in permutations(CARDS))
        return sorted({tuple(tuple(sorted(hand)) for hand in hands) for hands in parts})

    def atoms(self, world):
        """Who holds which card."""
        yield from (f"has_{i}_{card}" for i in self.players for card in world[i - 1])

    def vocabulary(self):
        """Also the cards that nobody holds any more."""
        return [f"has_{i}_{card}" for i in self.players for card in CARDS]

    def sees(self, player, world):
        """The own hand."""
        return world[player - 1]

    def start(self):
        """The table before the trick."""
        return Trick(self.showing)

    def moment(self, now):
        """The card to be played."""
        return "showing" if now.showing else f"trick, card {len(now.played) + 1}"

    def decides(self, now, world):
        """The cards that a player may play, or that player 3 may show."""
        if now.showing:
            return {3: (*world[2], None)}
        hand = world[len(now.played)]
        following = [card for card in hand if now.played and card[0] == now.played[0][0]]
        return {len(now.played) + 1: tuple(following or hand)}

    def after(self, now, world, moves):
        """The table after a card."""
        (card,) = moves.values()
        if now.showing:
            return Happening(world, Trick(False, card))
        played = (*now.played, card)
        if len(played) < 4:
            left = tuple(tuple(c for c in hand if c != card) for hand in world)
            return Happening(left, now._replace(played=played))
        best = max((c for c in played if c[0] == played[0][0]), key=lambda c: c[1])
        return End("won" if played[2] == best else "lost")


def careful(player, now, moves, holds):
    """Lead a card that certainly lets player 3 win; player 3 shows and plays high cards."""
    if player == 3:
        return max(filter(None, moves), key=lambda card: card[1])
    safe = [card for card in moves if player == 1 and holds(kw.K(1, wins(card)))] or moves
    return choose({card: f"1/{len(safe)}" for card in safe})


# How much is it worth to show a card?
for showing in (True, False):
    solution = solve(Program(Crew(showing=showing), dict.fromkeys(Crew.players, careful)))
    print(f"{'with' if showing else 'without'} showing a card: {float(solution.share('won')):.3f}")

# A play, and what everybody considers possible at its end.
play = Program(Crew(), dict.fromkeys(Crew.players, careful)).play(rng=4)
print(play)
play.states[-1].knowledge.model.draw()
