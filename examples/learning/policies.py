"""Policies learned elsewhere, as strategies: solved, simulated, measured, with their best responses.

A policy depends on all that a player has seen and done, other strategies only on what the player knows. In a
`Program` both are possible.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any
from zlib import crc32

from kripke_werewolf.base.errors import GameError
from kripke_werewolf.games.programs.chance import Mixed, choose
from kripke_werewolf.games.programs.program import Holds, Seen

from .environment import Juncture, Playable

LIMIT = 200_000
"""The default limit on the courses of a game for which a policy is read."""
_FINEST = 10**6


class Learned:
    """A strategy given as a table: for all that the player may have seen and done, the moves with weights.

    It is made from a policy by `openspiel.from_policy` or `aec.Environment.from_policy`, and played in a
    `Program` like any other.
    """

    recalls = True

    def __init__(self, table: Mapping[Seen, Mapping[Hashable, Fraction]]) -> None:
        self.table = _Table(table)

    def __call__(self, player: Any, now: Any, moves: Sequence[Any], holds: Holds, memory: Seen) -> Mixed[Any]:
        """Return the mixture of moves."""
        return choose(self.table[memory])


class _Table(dict[Seen, Mapping[Hashable, Fraction]]):
    """The table of a policy, shown by its size and a number that tells it from others."""

    def __repr__(self) -> str:
        return f"<{len(self)} situations: {crc32(repr(dict(self)).encode()):08x}>"


def learned(
    table: Playable, answer: Callable[[Juncture], Mapping[int, float]], *, limit: int = LIMIT
) -> dict[Any, Learned]:
    """Return the strategies of all players, from a function that gives the weights of actions at a node.

    Weights are rounded to millionths. Raises GameError if they do not sum to 1, for illegal actions, and for
    more than `limit` courses of the game.
    """
    found: dict[Any, dict[Seen, dict[Hashable, Fraction]]] = {player: {} for player in table.game.players}
    for node in table.decisions(limit):
        weights = answer(node)
        parts = {action: round(float(p) * _FINEST) for action, p in weights.items()}
        off = abs(sum(parts.values()) - _FINEST) > len(parts) or min(parts.values()) < 0
        if off or not {action for action in parts if parts[action]} <= node.legal.keys():
            problem = f"the policy of {node.player} gives {dict(weights)!r}"
            raise GameError(f"{node}: {problem}; expected weights of {node.legal} that sum to 1")
        parts[max(parts, key=parts.__getitem__)] += _FINEST - sum(parts.values())
        found[node.player][node.seen[node.player]] = {
            node.legal[action]: Fraction(part, _FINEST) for action, part in parts.items() if part
        }
    return {player: Learned(situations) for player, situations in found.items()}
