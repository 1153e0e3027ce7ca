"""Secret Hitler, the laws: who passed them, and what does everybody make of it?

    python examples/secret_hitler.py

Of five players one is a fascist and one is Hitler; these two know each other. In turn a president draws three
laws and discards one; the chancellor, the next player, puts one of the other two into force. Two laws win.
A world is the fascist, Hitler, and the number of fascist laws in hand.
"""

from fractions import Fraction
from itertools import permutations
from math import comb
from typing import NamedTuple

from kripke_werewolf.games import End, Game, Happening, Program, solve

PLAYERS = ("Ann", "Bob", "Cy", "Di", "Ed")
LIBERAL, FASCIST = 6, 11  # laws in the pile, shuffled before every draw


class Term(NamedTuple):
    """The public situation: the laws in force, and the number of laws in hand (0: not drawn yet)."""

    laws: tuple[str, ...] = ()
    left: int = 0


class SecretHitler(Game):
    """Three terms at most."""

    name, players, probable = "Secret Hitler", PLAYERS, True

    def deals(self):
        """The two evil players; no laws have been drawn."""
        return [(fascist, hitler, 0) for fascist, hitler in permutations(PLAYERS, 2)]

    def atoms(self, world):
        """The roles."""
        return [f"evil_{world[0]}", f"evil_{world[1]}", f"hitler_{world[1]}"]

    def sees(self, player, world):
        """Evil players see the roles."""
        return world if player in world else "liberal"

    def start(self):
        """No laws."""
        return Term()

    def moment(self, now):
        """The term, and who is to decide."""
        return f"term {len(now.laws) + 1}" + {3: ", president", 2: ", chancellor"}.get(now.left, "")

    def decides(self, now, world):
        """The laws to discard or to enact."""
        hand = ("fascist",) * (world[2] > 0) + ("liberal",) * (world[2] < now.left)
        return {PLAYERS[len(now.laws) + (now.left == 2)]: hand} if now.left else {}

    def after(self, now, world, moves):
        """The president sees three laws, the chancellor two, the others the law in force."""
        fascist, hitler, bad = world
        president, chancellor = PLAYERS[len(now.laws) :][:2]
        if now.left == 0:
            pile = {n: comb(FASCIST, n) * comb(LIBERAL, 3 - n) for n in range(4)}
            draws = [Happening((fascist, hitler, n), Term(now.laws, 3), ((president, n),)) for n in pile]
            return {draw: Fraction(pile[n], sum(pile.values())) for n, draw in enumerate(draws)}
        (law,) = moves.values()
        if now.left == 3:
            rest = bad - (law == "fascist")
            return Happening((fascist, hitler, rest), Term(now.laws, 2), ((chancellor, rest),))
        laws = (*now.laws, law)
        return End(law) if laws.count(law) == 2 else Happening((fascist, hitler, 0), Term(laws))


def party_line(player, now, moves, holds):
    """Discard the laws of the other side, and enact those of one's own."""
    own, other = ("fascist", "liberal") if holds(f"evil_{player}") else ("liberal", "fascist")
    wanted = other if now.left == 3 else own
    return wanted if wanted in moves else moves[0]


game = Program(SecretHitler(), dict.fromkeys(PLAYERS, party_line))
solution = solve(game)
print(f"The liberals win {float(solution.share('liberal')):.1%} of the games.")

# At the beginning, and after the first and second law: who knows what?
for question, formula in {
    "Bob, the first chancellor, takes Ann for evil": "P_Bob(evil_Ann) > 1/2 & ~evil_Bob",
    "Ann, the first president, knows that Bob is evil": "K_Ann evil_Bob & ~evil_Ann",
    "Cy, who only saw the laws, takes Ann for evil": "P_Cy(evil_Ann) > 1/2 & ~evil_Cy",
    "Cy is wrong about that": "P_Cy(evil_Ann) > 1/2 & ~evil_Cy & ~evil_Ann",
}.items():
    chances = [float(solution.probability(formula, at=f"term {n}")) for n in (1, 2, 3)]
    print(f"{'  '.join(f'{chance:.3f}' for chance in chances)}  {question}")

# One game, and what Cy considers possible after the first law.
played = game.play(rng=4)
print(played)
played.states[3].knowledge.model.draw(agents=["Cy"])
