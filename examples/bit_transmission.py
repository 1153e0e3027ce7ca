"""The bit transmission problem: a sender, a receiver, and a line that loses messages.

    python examples/bit_transmission.py

The sender S has a bit and sends it until S knows that R knows it; the receiver R acknowledges as soon as R
knows it (Fagin, Halpern, Moses and Vardi 1995, examples 4.1.1 and 7.1.1). A world is the bit, whether R has
received it, and whether S has an acknowledgement.
"""

from collections import Counter
from fractions import Fraction
from itertools import product

from kripke_werewolf.games import Cases, End, Game, Happening, Program, solve


class BitTransmission(Game):
    """A message arrives in the round in which it is sent, or never."""

    name, players, probable = "bit transmission", ("S", "R"), True

    def __init__(self, *, rounds=3, loss=Fraction(1, 2)):
        self.rounds, self.loss = rounds, Fraction(loss)

    def deals(self):
        """The two bits."""
        return [(0, False, False), (1, False, False)]

    def vocabulary(self):
        """All atoms."""
        return ("bit", "received", "acknowledged")

    def atoms(self, world):
        """Those that are true."""
        return [atom for atom, true in zip(self.vocabulary(), world, strict=True) if true]

    def sees(self, player, world):
        """The bit for S, nothing for R."""
        return world[0] if player == "S" else None

    def moment(self, now):
        """The number of the round."""
        return f"round {now}"

    def decides(self, now, world):
        """Both may send in every round."""
        return {"S": ("send", "wait"), "R": ("send", "wait")}

    def after(self, now, world, moves):
        """The results of the line; the outcome says how far the message got."""
        bit, received, acknowledged = world
        found = Counter()
        for sent, answered in product((True, False), repeat=2):  # whether each message comes through
            chance = (self.loss, 1 - self.loss)[sent] * (self.loss, 1 - self.loss)[answered]
            arrived, replied = sent and moves["S"] == "send", answered and moves["R"] == "send"
            after = (bit, received or arrived, acknowledged or replied)
            seen = (("S", replied), ("R", bit if arrived else None))
            end = ["lost", *self.atoms((0, *after[1:]))][-1]
            found[Happening(after, now + 1, seen) if now < self.rounds else End(end)] += chance
        return {happening: p for happening, p in found.items() if p}


def transmission(**options):
    """Both send until they know that they need not."""
    sender, receiver = (
        Cases({"K_S Kw_R bit": "wait"}, otherwise="send"),
        Cases({"Kw_R bit": "send"}, otherwise="wait"),
    )
    return Program(BitTransmission(**options), {"S": sender, "R": receiver})


if __name__ == "__main__":
    solution = solve(transmission(rounds=4))
    print(f"S gets an acknowledgement in {solution.share('acknowledged')} of the cases.")
    for moment, p in solution.timeline("Kw_R bit").items():
        print(f"{moment}: R knows the bit with probability {p}")
    assert set(solution.timeline("K_R K_S Kw_R bit").values()) == {0}
    print("It never becomes common knowledge.")
