"""Sally, Anne and the marble: a false belief."""

from __future__ import annotations

from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.puzzles.puzzle import Puzzle, ask, happens
from kripke_werewolf.semantics.action import ActionModel, Event, assign

__all__ = ["sally_anne"]


def sally_anne() -> Puzzle:
    """Return the test of false belief: Anne moves the marble while Sally is away and thinks of nothing.

    `here`: Sally is in the room. `basket`: the marble is in the basket, and not in the box.

    >>> [len(model) for model in sally_anne().history().models()]
    [1, 1, 1, 2, 2]
    """
    model = KripkeModel.from_partitions(
        ["start"], {"Sally": [["start"]], "Anne": [["start"]]}, {"here": ["start"], "basket": []}
    )
    move = ActionModel(
        {"move": Event(True, {"basket": False}), "nothing": Event()},
        {
            "Anne": [("move", "move"), ("nothing", "nothing")],
            "Sally": [("move", "nothing"), ("nothing", "nothing")],
        },
        ["move"],
        name="move",
    )
    return Puzzle(
        "sally-anne",
        "Sally puts a marble into a basket and goes out; Anne moves it to a box; Sally comes back.",
        "Baron-Cohen, Leslie and Frith 1985; Bolander 2018",
        model,
        (
            happens("Sally puts the marble into the basket", assign(basket=True)),
            happens("Sally leaves", assign(here=False)),
            happens("Anne moves the marble to the box", move),
            happens("Sally comes back", assign(here=True)),
        ),
        (
            ask("the marble is in the basket", "basket", False, after=4),
            ask("Sally believes that it is in the basket", "B_Sally basket", after=4),
            ask("Anne knows that it is not", "K_Anne ~basket", after=4),
            ask("Anne knows what Sally believes", "K_Anne B_Sally basket", after=4),
            ask("Sally believes that Anne believes so, too", "B_Sally B_Anne basket", after=4),
        ),
    )
