"""The Resistance: spies on a mission."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from itertools import combinations

from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.puzzles.puzzle import Puzzle, ask, happens

__all__ = ["resistance"]


def resistance(*, spies_know: bool = True) -> Puzzle:
    """Return five players of whom two, 1 and 2, are spies; the mission of 1 and 5 fails.

    Everybody knows whether he is a spy; with `spies_know` the spies know each other. Atoms `spy_1`,
    …; a world is the pair of spies.

    >>> [len(model) for model in resistance().history().models()]
    [10, 7]
    """
    players = "12345"

    def sees(player: str) -> Callable[[str], Hashable]:
        return lambda spies: spies if spies_know and player in spies else player in spies

    model = KripkeModel.from_observations(
        ["".join(pair) for pair in combinations(players, 2)],
        {i: sees(i) for i in players},
        lambda spies: [f"spy_{i}" for i in spies],
        "12",
    )
    return Puzzle(
        "resistance",
        "Five players, two of them spies. A mission fails if a spy sabotages it.",
        "Don Eskridge, The Resistance, 2009",
        model,
        (happens("the mission of 1 and 5 fails", "spy_1 | spy_5"),),
        (
            ask("5, who is no spy, knows that 1 is one", "K_5 spy_1", after=1),
            ask("3 knows that", "K_3 spy_1", False, after=1),
            ask("1 knows that 5 knows it", "K_1 K_5 spy_1", spies_know, after=1),
        ),
    )
