"""One Night: two wolves among five cards; a seer looks, a robber swaps, then everybody votes at once.

    python examples/one_night.py

Three players hold a card each, two more lie in the middle. A world is the cards as they were dealt, and the
cards as they lie now: a player who was robbed has not seen the new card.
"""

from collections import Counter
from itertools import permutations

from kripke_werewolf.games import Anything, End, Game, Happening, Program, choose, solve

PLAYERS = ("Ann", "Bob", "Cy")
DECK = ("wolf", "wolf", "seer", "robber", "villager")


class OneNight(Game):
    """The night, and one vote."""

    name, players, probable = "One Night", PLAYERS, True

    def deals(self):
        """The cards of the players and in the middle."""
        return sorted({(cards, cards) for cards in permutations(DECK)})

    def atoms(self, world):
        """The cards that players hold now, and that they were dealt."""
        dealt, cards = world
        yield from (f"{p}_{card}" for p, card in zip(PLAYERS, cards, strict=False))
        yield from (f"{p}_was_{card}" for p, card in zip(PLAYERS, dealt, strict=False))

    def sees(self, player, world):
        """The own card; wolves see each other."""
        dealt, _ = world
        card = dealt[PLAYERS.index(player)]
        return card, tuple(c == "wolf" for c in dealt[:3]) if card == "wolf" else ()

    def start(self):
        """It is night."""
        return "night"

    def decides(self, now, world):
        """Another player: to look at, to rob, or to vote for."""
        awake = [p for p, c in zip(PLAYERS, world[0], strict=False) if c in ("seer", "robber")]
        return {p: tuple(q for q in PLAYERS if q != p) for p in (awake if now == "night" else PLAYERS)}

    def after(self, now, world, moves):
        """Two votes or more kill; the village wins if it hits a wolf, or kills nobody where no wolf plays."""
        (dealt, old), seen = world, []
        cards = list(old)
        if now == "vote":
            votes = Counter(moves.values())
            dead = [cards[PLAYERS.index(p)] for p in PLAYERS if votes[p] == max(votes.values()) > 1]
            safe = not dead and "wolf" not in cards[:3]
            return End("village" if "wolf" in dead or safe else "wolves")
        for player, other in moves.items():
            me, you = PLAYERS.index(player), PLAYERS.index(other)
            if dealt[me] == "robber":
                cards[me], cards[you] = cards[you], cards[me]
            seen.append((player, dealt[you]))  # the seer looks before the robber swaps
        return Happening((dealt, tuple(cards)), "vote", tuple(seen))


def voting(player, now, moves, holds):
    """Vote for those most likely to be wolves, or, being one more likely than not, for those least likely."""
    if now == "night":
        return Anything()(player, now, moves, holds)
    first, second = moves
    likelier, less = (f"P_{player}({first}_wolf) {sign} P_{player}({second}_wolf)" for sign in "><")
    wolf = holds(f"P_{player}({player}_wolf) > 1/2")
    if holds(likelier) or holds(less):
        return first if holds(likelier) != wolf else second
    return choose(dict.fromkeys(moves, "1/2"))


game = Program(OneNight(), dict.fromkeys(PLAYERS, voting))
solution = solve(game)
print(f"The village wins {solution.share('village')} of the games.")

# What does a player know when it comes to the vote?
for question, formula in {
    "Ann knows whether they hold a wolf": "Kw_Ann Ann_wolf",
    "Ann knows whether Bob holds one": "Kw_Ann Bob_wolf",
    "Ann was a wolf and is not one now, without knowing it": "Ann_was_wolf & ~Ann_wolf & ~K_Ann ~Ann_wolf",
    "Ann knows more about Bob's card than Bob": "Kw_Ann Bob_wolf & K_Ann ~Kw_Bob Bob_wolf",
}.items():
    print(f"{solution.probability(formula, at='step vote')!s:>7}  {question}")

# One game, as it went, and the worlds that Ann considers possible at the vote.
played = game.play(rng=3)
print(played)
played.states[1].knowledge.model.draw(agents=["Ann"])
