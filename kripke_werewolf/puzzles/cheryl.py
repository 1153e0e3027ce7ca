"""Cheryl's birthday."""

from __future__ import annotations

from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.puzzles.puzzle import Puzzle, ask, happens

__all__ = ["cheryl"]

DATES = {"May": (15, 16, 19), "June": (17, 18), "July": (14, 16), "August": (14, 15, 17)}


def cheryl() -> Puzzle:
    """Return the puzzle of Cheryl's birthday: Albert is told its month, Bernard its day.

    Worlds and atoms are the ten dates, such as `July_16`. The variable `birthday` has them as values.

    >>> puzzle = cheryl()
    >>> [len(model) for model in puzzle.history().models()], puzzle.history().model.worlds[0]
    ([10, 5, 3, 1], 'July_16')
    """
    dates = [f"{month}_{day}" for month, days in DATES.items() for day in days]
    model = KripkeModel.from_observations(
        dates,
        {"Albert": lambda date: date.split("_")[0], "Bernard": lambda date: date.split("_")[1]},
        lambda date: [date],
        variables={"birthday": {date: date for date in dates}},
    )
    return Puzzle(
        "cheryl",
        "Cheryl's birthday is one of ten dates; she tells Albert the month and Bernard the day.",
        "Singapore and Asian Schools Math Olympiad 2015",
        model,
        (
            happens(
                "Albert: I don't know when it is, but I know that Bernard does not know either",
                "~Kv_Albert(birthday) & K_Albert ~Kv_Bernard(birthday)",
            ),
            happens("Bernard: at first I did not know, but now I do", "Kv_Bernard(birthday)"),
            happens("Albert: then I know it too", "Kv_Albert(birthday)"),
        ),
        (
            ask("Bernard might have known at once", "somewhere Kv_Bernard(birthday)", after=0),
            ask("her birthday is 16 July", "July_16", after=3),
            ask("and both know it", "C_{Albert,Bernard} July_16", after=3),
        ),
    )
