"""Liar's dice: a die in each cup, ascending bids about both, until one is called a lie.

    python examples/liars_dice.py

Each of two players rolls a die with four faces. The bid (2, 3) says that two dice show a 3. A world is the
dice. Players know their own die, the bids, and each other's way to bid: so bids tell something.
"""

from fractions import Fraction
from itertools import product

from kripke_werewolf.games import End, Game, Happening, Program, choose, solve

PLAYERS, FACES = ("Ann", "Bob"), (1, 2, 3, 4)
BIDS = tuple(product((1, 2), FACES))  # in ascending order: all bids of one die, then of two


class Dice(Game):
    """The last bid is public."""

    name, players, probable = "liar's dice", PLAYERS, True

    def deals(self):
        """The dice."""
        return list(product(FACES, repeat=2))

    def atoms(self, world):
        """The bids that are true, and the dice."""
        yield from (f"true_{n}_{face}" for n, face in BIDS if world.count(face) >= n)
        yield from (f"{player}_{face}" for player, face in zip(PLAYERS, world, strict=True))

    def sees(self, player, world):
        """The own die."""
        return world[PLAYERS.index(player)]

    def start(self):
        """No bid."""
        return ()

    def moment(self, now):
        """The number of the bid."""
        return f"bid {len(now) + 1}"

    def decides(self, now, world):
        """A higher bid, or calling the last one a lie."""
        higher = BIDS[BIDS.index(now[-1]) + 1 :] if now else BIDS
        return {PLAYERS[len(now) % 2]: (*higher, "liar") if now else higher}

    def after(self, now, world, moves):
        """A lie that was called loses, and so does a wrong call."""
        ((player, move),) = moves.items()
        if move != "liar":
            return Happening(world, (*now, move))
        (n, face), other = now[-1], PLAYERS[1 - PLAYERS.index(player)]
        return End(other if world.count(face) >= n else player)


class Bidding:
    """Bid what may be true and is most likely; call a lie what is probably none; bluff at times."""

    def __init__(self, bluff):
        self.bluff = bluff

    def __call__(self, player, now, moves, holds):
        """The bid, or the call."""
        bids = [move for move in moves if move != "liar"]
        sure = [bid for bid in bids if holds(f"K_{player} true_{bid[0]}_{bid[1]}")]
        if now and (not bids or holds(f"P_{player}(true_{now[-1][0]}_{now[-1][1]}) < 1/2")):
            return "liar"
        honest = (sure or ["liar"] if now else sure)[0]
        return choose({honest: 1 - self.bluff, bids[0]: self.bluff}) if honest != bids[0] else honest


# How often should one bluff? Each knows how often the other does.
shares = [Fraction(n, 4) for n in range(3)]
print("Ann wins, by how often she (down) and Bob (across) bluff")
print("      ", *(f"{share!s:>6}" for share in shares))
for mine in shares:
    games = [Program(Dice(), {"Ann": Bidding(mine), "Bob": Bidding(theirs)}) for theirs in shares]
    print(f"{mine!s:>6}", *(f"{float(solve(game).share('Ann')):6.3f}" for game in games))

# What do bids tell?
game = Program(Dice(), dict.fromkeys(PLAYERS, Bidding(Fraction(1, 4))))
solution = solve(game)
for moment in solution.moments:
    known = solution.probability("K_Bob Ann_1 | K_Bob Ann_2 | K_Bob Ann_3 | K_Bob Ann_4", at=moment)
    print(f"{moment}: reached with {solution.reached(moment)}; Bob knows Ann's die with {known}")
mean = solution.expected("Ann", "true_2_3", at="bid 2")
print("On average Ann gives the bid of two threes the probability", mean)
played = game.play(rng=5)
print(played)
played.states[1].knowledge.model.draw()
