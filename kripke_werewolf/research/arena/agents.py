"""Agents without a model: chance, blind belief, and the exact P of the library."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from random import Random

from kripke_werewolf.research.arena.arena import Observation


class Agent:
    """Moves at random, and states beliefs of a kind: `blind`, `chance` or `exact`.

    `blind` believes the same of every fact, whatever it was told; `chance` believes anything; `exact`
    believes the P of its seat.
    """

    def __init__(self, kind: str, seed: object = 0) -> None:
        self.name, self._rng, self._believed = kind, Random(f"{kind} {seed}"), BELIEFS[kind]

    def __call__(self, text: Observation) -> str:
        """Return an answer to an observation."""
        move = self._rng.choice(text.options) if text.options else None
        return json.dumps({"move": move, "say": "", "beliefs": self._believed(text, self._rng)})


def _blind(text: Observation, rng: Random) -> dict[str, float]:
    share = 0.5 if text.total is None else text.total / len(text.facts)
    return dict.fromkeys(text.facts, share)


BELIEFS: Mapping[str, Callable[[Observation, Random], dict[str, float]]] = {
    "blind": _blind,
    "chance": lambda text, rng: {fact: round(rng.random(), 2) for fact in text.facts},
    "exact": lambda text, rng: {fact: float(share) for fact, share in text.chances().items()},
}
"""What agents of each kind believe."""
