"""Chance: every random outcome of a game is drawn by one callable.

`draw(kind, player, weights)` returns a key of `weights`, with probability weight / sum of the weights. `kind`
is the kind of draw: `"vision"`, `"role"` (at a death), `"collapse"` (a role, when an undetermined game ends),
`"deal"` (a role, classical deal), `"turn"` (who acts next), `"tie"`, `"target"` (of a missing action) or
`"number"`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import accumulate
from typing import TYPE_CHECKING, TypeAlias

from kripke_werewolf.base.errors import GameError, IllegalMove

if TYPE_CHECKING:
    import numpy as np

Draw: TypeAlias = Callable[[str, str | None, Mapping[str, int]], str]


class Chance:
    """A seed and the number of draws so far: the same state always draws the same outcome.

    Used by a game that was given `rng=` instead of `draw=`. The position advances during an operation and is
    stored with the resulting game, so games remain immutable values.
    """

    __slots__ = ("position", "seed")

    def __init__(self, seed: int, position: int = 0) -> None:
        self.seed, self.position = seed, position

    def __call__(self, kind: str, player: str | None, weights: Mapping[str, int]) -> str:
        """Draw an outcome with exactly its weight (integers of any size)."""
        import numpy as np

        rng = np.random.default_rng([self.seed, self.position])
        self.position += 1
        ticket = _below(sum(weights.values()), rng)
        sums = zip(weights, accumulate(weights.values()), strict=True)
        return next(outcome for outcome, above in sums if ticket < above)


def _below(bound: int, rng: np.random.Generator) -> int:
    """Return a uniform integer from 0 to bound - 1, without bias and for bounds of any size."""
    bits = (bound - 1).bit_length()
    while True:
        value = int.from_bytes(rng.bytes(bits // 8 + 1), "little") & ((1 << bits) - 1)
        if value < bound:
            return value


def checked_draw(draw: object) -> Draw:
    """Return a draw; raises GameError for anything that is not a function."""
    if not callable(draw):
        raise GameError(
            f"draw={draw!r} is not possible (allowed: a function draw(kind, player, weights) that returns "
            "one of the weights' keys, such as Chance(seed)); a seed or a generator is given as rng="
        )
    return draw


def drawn_outcome(
    draw: Draw,
    kind: str,
    player: str | None,
    weights: Mapping[str, int],
    *,
    forced: frozenset[str] | None = None,
) -> str:
    """Return a drawn outcome; `forced` restricts it to some outcomes, without a draw if only one is left.

    Raises IllegalMove if no forced outcome has a world, and GameError if the draw returns an impossible
    outcome.
    """
    possible = {o: w for o, w in weights.items() if w and (forced is None or o in forced)}
    if not possible:
        wanted = " or ".join(sorted(forced or ())) or "anything"
        shown = ", ".join(f"{o} in {w:,}" for o, w in weights.items() if w)
        raise IllegalMove(f"{player or kind}: {wanted} is impossible in every world left (worlds: {shown})")
    if forced is not None and len(possible) == 1:
        return next(iter(possible))
    outcome = draw(kind, player, possible)
    if outcome not in possible:
        allowed = ", ".join(possible)
        raise GameError(
            f"the draw {kind!r} of {player!r} gave {outcome!r}, which is impossible (possible: {allowed})"
        )
    return outcome
