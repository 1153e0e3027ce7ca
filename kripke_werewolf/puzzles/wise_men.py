"""Three wise men and their hats."""

from __future__ import annotations

from itertools import product

from kripke_werewolf.language import KnowsWhether, Not
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.puzzles.puzzle import Puzzle, ask, happens, places

__all__ = ["three_wise_men"]


def three_wise_men(*, seated: bool = False) -> Puzzle:
    """Return the puzzle of three men who wear three of three red and two white hats, all red in fact.

    Each sees the others' hats; `seated` in a row, the first sees the two before him, the second sees
    the third, and the third sees none. A world such as `rwr` gives the colours in order.

    >>> [len(model) for model in three_wise_men().history().models()]
    [7, 6, 4]
    """
    sees = {"1": (1, 2), "2": (2,) if seated else (0, 2), "3": () if seated else (0, 1)}
    model = KripkeModel.from_observations(
        ["".join(hats) for hats in product("rw", repeat=3) if hats.count("w") <= 2],
        {man: places(*seen) for man, seen in sees.items()},
        lambda world: [f"red_{i}" for i, hat in enumerate(world, 1) if hat == "r"],
        "rrr",
    )
    return Puzzle(
        "three-wise-men",
        "Three men wear hats from a stock of three red and two white ones"
        + ("; they sit in a row, each seeing those before him." if seated else " and see each other's."),
        "McCarthy 1978; Fagin, Halpern, Moses and Vardi 1995, exercises of chapter 1",
        model,
        tuple(
            happens(f"{i} says: I do not know the colour of my hat", Not(KnowsWhether(i, f"red_{i}")))
            for i in ("1", "2")
        ),
        (
            ask("3 knows the colour of his hat", "Kw_3 red_3", False, after=0),
            ask("3 knows it after the first answer", "Kw_3 red_3", False, after=1),
            ask("whatever the hats, 3 now knows that his is red", "everywhere K_3 red_3", after=2),
        ),
    )
