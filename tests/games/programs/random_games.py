"""Random small games and strategies, made of plain tables."""

import random
from fractions import Fraction

from kripke_werewolf.games import Cases, End, Game, Happening, choose

FORMULAS = ("p", "q", "K_b p", "K_a q", "~K_b K_a p", "M_b (p & ~q)", "C_{a,b} (p | q)")


class Small(Game):
    """Two players, four worlds, three steps; events and observations are drawn once, from a seed."""

    name = "small"
    players = ("a", "b")

    def __init__(self, seed: int, *, probable: bool = False) -> None:
        rng = random.Random(seed)
        self.seed, self.probable = seed, probable
        self.true = [[name for name in "pq" if rng.random() < 0.5] for _ in range(4)]
        self.first = [[rng.randrange(2) for _ in range(4)] for _ in range(2)]
        self.next = [[rng.randrange(4) for _ in range(4)] for _ in range(4)]
        self.sight = [[rng.randrange(3) for _ in range(4)] for _ in range(2)]
        self.news = [rng.randrange(2) for _ in range(4)]
        self.fork = Fraction(rng.randrange(1, 4), 4)

    def deals(self):
        return range(4)

    def atoms(self, world):
        return self.true[world]

    def vocabulary(self):
        return "pq"

    def sees(self, player, world):
        return self.first[self.players.index(player)][world]

    def start(self):
        return 1, 0

    def moment(self, now):
        return f"step {now[0]}"

    def decides(self, now, world):
        return {"a": (0, 1), "b": (0, 1)} if now[0] != 2 else {"b": (0, 1)}

    def after(self, now, world, moves):
        row = 2 * moves.get("a", 0) + moves["b"]
        found = {}
        for target, chance in ((self.next[world][row], self.fork), ((world + row) % 4, 1 - self.fork)):
            if now[0] == 3:
                place = End(target)
            else:
                seen = tuple((p, self.sight[i][target]) for i, p in enumerate(self.players))
                place = Happening(target, (now[0] + 1, self.news[target]), seen)
            found[place] = found.get(place, Fraction(0)) + chance
        return found


def strategies(seed: int) -> dict[str, Cases]:
    """Return strategies of formulas about the player's own knowledge, some of them mixed."""
    rng = random.Random(seed + 1)
    found = {}
    for player in "ab":
        formula = rng.choice(FORMULAS)
        mixed = choose({0: Fraction(1, 3), 1: Fraction(2, 3)})
        found[player] = Cases(
            {f"K_{player} ({formula})": rng.choice([0, 1, mixed])}, otherwise=rng.choice([0, 1])
        )
    return found
