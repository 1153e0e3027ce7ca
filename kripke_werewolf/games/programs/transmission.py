"""The bit transmission problem: a sender, a receiver, and a channel that loses messages.

The sender S has a bit and sends it until S knows that R knows it; the receiver R acknowledges as soon as
R knows it (Fagin, Halpern, Moses and Vardi 1995, examples 4.1.1 and 7.1.1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from kripke_werewolf.base.errors import FormulaError, GameError
from kripke_werewolf.games.programs.chance import add
from kripke_werewolf.games.programs.program import Cases, End, Game, Happening, Program
from kripke_werewolf.games.programs.simulation import check_number
from kripke_werewolf.logic.formulas.syntax import rational


class Wire(NamedTuple):
    """The state of the world: the bit, whether R has received it, and whether S has an acknowledgement."""

    bit: int
    received: bool
    acknowledged: bool


class BitTransmission(Game):
    """A bit and its acknowledgement over a channel that loses each message with probability `loss`.

    Atoms: `bit`, the bit is 1; `received`; `acknowledged`. The game ends after `rounds` rounds; the outcome
    says how far the message got.

    >>> from kripke_werewolf.games import solve
    >>> solution = solve(transmission(rounds=2))
    >>> solution.share("received"), solution.share("acknowledged")
    (Fraction(1, 2), Fraction(1, 4))
    >>> solution.probability("Kw_R bit", at="round 2")
    Fraction(1, 2)
    """

    name = "bit transmission"
    players = ("S", "R")
    probable = True

    def __init__(self, *, rounds: int = 3, loss: object = Fraction(1, 2)) -> None:
        try:
            self.loss = rational(loss)
        except FormulaError as error:
            raise GameError(f"loss: {error}") from None
        if not 0 <= self.loss <= 1:
            raise GameError(f"loss={loss!r} is not possible (allowed: from 0 to 1)")
        self.rounds = check_number("rounds", rounds)

    def deals(self) -> list[Wire]:
        """Return the two bits."""
        return [Wire(0, False, False), Wire(1, False, False)]

    def atoms(self, world: Wire) -> Iterator[str]:
        """Yield the atoms true at a state of the world."""
        yield from (name for name in world._fields if getattr(world, name))

    def vocabulary(self) -> tuple[str, ...]:
        """Return all atoms."""
        return Wire._fields

    def sees(self, player: str, world: Wire) -> object:
        """Return the bit for S, nothing for R."""
        return world.bit if player == "S" else None

    def moment(self, now: int) -> str:
        """Return the number of the round."""
        return f"round {now}"

    def decides(self, now: int, world: Wire) -> dict[str, tuple[str, ...]]:
        """Return the moves: both may send in every round."""
        return {"S": ("send", "wait"), "R": ("send", "wait")}

    def after(self, now: int, world: Wire, moves: Mapping[str, str]) -> dict[Any, Fraction]:
        """Return the results of the channel; a message arrives in the round in which it is sent."""
        found: dict[Any, Fraction] = {}
        through = {True: 1 - self.loss, False: self.loss}
        for sent, answered in product((True, False), repeat=2):  # whether each message comes through
            chance = through[sent] * through[answered]
            arrived = sent and moves["S"] == "send"
            reply = answered and moves["R"] == "send"
            after = Wire(world.bit, world.received or arrived, world.acknowledged or reply)
            seen = (("S", reply), ("R", world.bit if arrived else None))
            if now < self.rounds:
                add(found, Happening(after, now + 1, seen), chance)
            else:
                reached = (name for name in ("acknowledged", "received") if getattr(after, name))
                add(found, End(next(reached, "lost")), chance)
        return {place: p for place, p in found.items() if p}


def transmission(*, rounds: int = 3, loss: object = Fraction(1, 2)) -> Program:
    """Return the knowledge-based program: send until you know that the other agent knows."""
    return Program(
        BitTransmission(rounds=rounds, loss=loss),
        {
            "S": Cases({"K_S Kw_R bit": "wait"}, otherwise="send"),
            "R": Cases({"Kw_R bit": "send"}, otherwise="wait"),
        },
    )
