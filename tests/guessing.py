"""What a student earns who reads no task: the worth of the best answer that fits a kind and its parameters.

A guesser knows last year's sheet: the kind of each task, its parameters and its lists of formulas, and so the
right answers of other students, but reads nothing of the task. The best guess is the answer that earns most,
partial points included, among the right answers of all variants, what is always allowed (`all`, `none`,
names, pairs and triples of names, `true`), and what experience suggests: short formulas, small models, all
reasons. It is chosen after the fact, on the variants that it is judged by, so that it is an upper bound.

`python -m tests.guessing 30 0 examples/course/week*.toml` prints the figures for a class of 30 and the seed.
"""

import sys
from collections.abc import Hashable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from typing import Any
from unittest.mock import patch

from kripke_werewolf.base.errors import KripkeError
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.teach.exercises import Exercise, Sheet, Task, read_sheet
from kripke_werewolf.teach.exercises.drawings import AModel
from kripke_werewolf.teach.exercises.forms import AFormula, Form, Names
from kripke_werewolf.teach.exercises.relations import ABisimulation
from kripke_werewolf.teach.exercises.validity import ValidOrModel

PROPERTIES = ("reflexive", "serial", "transitive", "symmetric", "euclidean")
LITERALS = ("p", "~p", "q", "~q")
FORMULAS = (
    *("true", "false", *LITERALS),
    *(f"{x} {sign} {y}" for x, y in combinations(LITERALS, 2) for sign in "&|"),
    *(f"{no}{know}_{a} {x}" for no in ("", "~") for know in ("K", "M", "Kw") for a in "ab" for x in "pq"),
)


def models() -> Iterator[str]:
    """Yield small models: one world, and two and three worlds in a line, with all kinds of facts."""
    for facts in product(("", "p", "q", "p, q"), repeat=2):
        for agents in ("a: w-v", "b: w-v", "a: w-v; b: w-v"):
            yield f"w*: {facts[0]}; v: {facts[1]}; {agents}"
    for facts in product(("", "p", "q", "p, q"), repeat=3):
        yield f"w*: {facts[0]}; v: {facts[1]}; u: {facts[2]}; a: w-v; b: v-u"
        yield f"w*: {facts[0]}; v: {facts[1]}; u: {facts[2]}; a: w-v; b: w-u"


def guesses(exercises: Sequence[Exercise]) -> list[str]:
    """Return answers that fit the kind of these exercises."""
    found = dict.fromkeys(exercise.solution() for exercise in exercises)
    form = exercises[0].form
    if isinstance(form, Names):
        names = dict.fromkeys(name for exercise in exercises for name in exercise.form.names)
        found |= dict.fromkeys(["all", "none", *names])
        if len(names) <= 12:
            found |= dict.fromkeys(", ".join(some) for n in (2, 3) for some in combinations(names, n))
            found |= dict.fromkeys(f"all but {name}" for name in names)
    if isinstance(form, ValidOrModel):
        some = (c for n in range(3) for c in combinations(PROPERTIES, n))
        found |= dict.fromkeys(["valid", *(f"valid: {', '.join(c) or 'no property'}" for c in some)])
    if isinstance(form, AModel) and not form.names:
        found |= dict.fromkeys(models())
    if isinstance(form, AFormula | ABisimulation):
        found |= dict.fromkeys(FORMULAS)
    return list(found)


@dataclass(frozen=True)
class _Unexplained:
    """A truth value without its explanation, which only takes time where nobody reads it."""

    value: bool

    def __str__(self) -> str:
        return ""


def _unexplained(model: KripkeModel, f: Formula, at: Hashable = None) -> _Unexplained:
    return _Unexplained(model.holds(f) if at is None else model.holds(f, at=at))


def worth(exercises: Sequence[Exercise], answer: str) -> Fraction:
    """Return the share of the points that one answer earns."""
    total, read = Fraction(0), dict[Form, Any]()
    for exercise in exercises:
        with suppress(KripkeError):
            if exercise.form not in read:
                read[exercise.form] = exercise.form.read(answer)
            total += exercise.judge(read[exercise.form]).credit
    return total / len(exercises)


def best_guess(exercises: Sequence[Exercise]) -> tuple[Fraction, str]:
    """Return what the best guess earns, and the guess."""
    with patch.object(KripkeModel, "explain", _unexplained):
        return max((worth(exercises, answer), answer) for answer in guesses(exercises))


def best_of_task(task: Task, exercises: Sequence[Exercise]) -> tuple[Fraction, str]:
    """Return what the best guess earns; of one exercise for all, every list of names is as likely."""
    if isinstance(task.what, Exercise):
        return Fraction(1, 2 ** len(task.what.form.options)), ""
    return best_guess(exercises)


def best_of_sheet(sheet: Sheet, students: int) -> tuple[Fraction, list[tuple[Fraction, str]]]:
    """Return what the best guesses earn of the points of a sheet, and of each task, for a class."""
    levels = sheet.levels()
    variants = [sheet.variant(f"s{n}", levels, n).exercises for n in range(students)]
    best = [best_of_task(*pair) for pair in zip(sheet.tasks, zip(*variants, strict=True), strict=True)]
    earned = sum(task.points * share for task, (share, _) in zip(sheet.tasks, best, strict=True))
    return Fraction(earned) / sheet.points, best


if __name__ == "__main__":
    for path in map(Path, sys.argv[3:]):
        sheet = read_sheet(path)
        sheet = replace(sheet, seed=sheet.seed + int(sys.argv[2]))
        total, best = best_of_sheet(sheet, int(sys.argv[1]))
        print(f"{path.name}, seed {sheet.seed}: {float(total):.1%}", flush=True)
        for (share, answer), task in zip(best, sheet.tasks, strict=True):
            print(f"   {float(share):5.0%} {task.points} {task.name}: {answer!r:.90}", flush=True)
