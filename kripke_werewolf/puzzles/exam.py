"""The surprise examination."""

from __future__ import annotations

from kripke_werewolf.language import Announce, Box, Formula, Knows, Not, disjunction, formula
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.puzzles.puzzle import Puzzle, ask, check_size, happens

__all__ = ["surprise_exam"]


def surprise_exam(*, n: int = 5) -> Puzzle:
    """Return the puzzle of the exam on one of n days that shall be a surprise, said n - 1 times.

    A surprise: on the morning of the exam, after the days before have passed without, the student
    does not know that it will be on that day. Worlds are the days 1 to n, atoms `exam_1`, …

    >>> [len(model) for model in surprise_exam(n=5).history().models()]
    [5, 4, 3, 2, 1]
    """
    check_size(n, least=2, most=60)
    days = range(1, n + 1)
    model = KripkeModel.from_observations(
        [str(d) for d in days], {"student": lambda world: None}, lambda world: [f"exam_{world}"]
    )
    surprise = disjunction(_surprise(day) for day in days)
    return Puzzle(
        "surprise-exam",
        f"The teacher says: on one of the next {n} days there will be an exam, and it will be a surprise.",
        "Quine 1953; Gerbrandy 2007",
        model,
        tuple(happens("teacher: the exam will be a surprise", surprise) for _ in days[1:]),
        (
            ask("the exam will be a surprise", surprise, "mixed", after=0),
            ask(
                "it will be a surprise, also after this was said",
                surprise,
                "mixed" if n > 2 else False,
                after=1,
            ),
            ask("only the first day is left", "everywhere exam_1", after=n - 1),
            ask("on which an exam would be a surprise", surprise, False, after=n - 1),
        ),
    )


def _surprise(day: int) -> Formula:
    """Return that the exam is on this day, and unexpected after the days before it."""
    unexpected: Formula = Not(Knows("student", f"exam_{day}"))
    for earlier in range(day - 1, 0, -1):
        unexpected = Box(Announce(formula(f"~exam_{earlier}")), unexpected)
    return formula(f"exam_{day}") & unexpected
