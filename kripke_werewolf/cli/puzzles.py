"""The command `puzzle`, which replays the puzzles of the literature and checks the answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.base.reports.tables import counted
from kripke_werewolf.cli.declared import Given, NewFile, Reply, command
from kripke_werewolf.cli.output import columns, few_worlds, in_words
from kripke_werewolf.logic.formulas import Formula
from kripke_werewolf.logic.models.history import History
from kripke_werewolf.logic.puzzles import PUZZLES, Puzzle, PuzzleAnswer, muddy_children, puzzle


@command("puzzle", how={puzzle: "n engine", muddy_children: "muddy"})
def _puzzle(
    name: str | None = None, *, steps: bool = False, draw: NewFile | None = None, after: int = 0, how: Given
) -> Reply:
    """Run the puzzle NAME; print the number of worlds after each step, and the answers. Without NAME, list
    all puzzles.

    Exit code 0 if all answers agree with the literature, 1 if not, or if an event is impossible for this
    size.

    Options:
      -n, --n: The size: the number of children, days, …, or the largest number.
      --muddy: How many of the children are muddy; by default all.
      --steps: Also list the remaining worlds after each step.
      --draw: Draw the model to this file.
      --after: Draw the model after this many steps; by default at the start.
      --engine: explicit: list all worlds; symbolic: decision diagrams, for large sizes; auto: by
        size.
    """
    if name is None:
        descriptions = {name: PUZZLES.about(name) for name in PUZZLES}
        return Reply(columns(descriptions.items()), descriptions)
    found = puzzle(name, **how)
    if found.engine == "symbolic" and draw is not None:
        raise FormatError("the symbolic engine lists no worlds to draw; use --engine explicit")
    history, impossible = found.possible()
    answers = found.answers(history)
    if draw is not None:
        from visualise import save

        save(history.at(after), draw, title=f"{found.name}, {_title(history, after)}")
    names = ["start", *(step.name for step in history.steps)]
    sizes = [{"name": n, "worlds": m.size} for n, m in zip(names, history.models(), strict=True)]
    if impossible is not None:
        sizes.append({"name": impossible, "worlds": 0})
    asked = [q._asdict() | {"formula": str(q.formula), "verdict": str(verdict)} for q, verdict in answers]
    content = {name: getattr(found, name) for name in ("name", "description", "source", "engine")}
    content = {"version": 1, **content, "steps": sizes, "questions": asked}
    right = all(verdict == question.expected for question, verdict in answers)
    lines = _puzzle_lines(found, history, impossible, answers, steps)
    return Reply(lines, content, yes=impossible is None and right)


def _puzzle_lines(
    found: Puzzle, history: History[Any], impossible: str | None, answers: Sequence[PuzzleAnswer], steps: bool
) -> Iterator[str]:
    models = list(history.models())
    symbolic = found.engine == "symbolic"
    if not symbolic:
        yield found.description
        yield f"({found.source})\n"
    if steps:
        shown = [_worlds(model.size).rsplit(" ", 1) for model in models]
        width = max(len(count) for count, _ in shown)
        for number, (model, (count, noun)) in enumerate(zip(models, shown, strict=True)):
            few = few_worlds(model) if number and not symbolic else ""
            yield f"{count:>{width}} {noun}  {_title(history, number)}{few}"
        if impossible is not None:
            yield f"{0:>{width}} worlds  after {impossible!r}"
    if symbolic:
        said = all(isinstance(step.action, Formula) for step in history.steps)
        happened = counted(len(history), "announcement" if said else "event")
        yield f"{happened}: {_worlds(models[0].size)} at first, {_worlds(models[-1].size)} left"
    else:
        sizes = [model.size for model in models] + ([] if impossible is None else [0])
        yield f"worlds: {', '.join(map(str, sizes))}"
    if impossible is not None:
        yield f"{impossible!r} cannot be said: it is false in all remaining worlds"
    after = None
    for question, verdict in () if symbolic else answers:
        if question.after != after:
            after = question.after
            yield f"\n{_title(history, after)}"
        remark = "" if verdict == question.expected else f" (expected: {question.expected})"
        yield f"  {question.meaning}? {in_words(verdict)}{remark}"


def _title(history: History[Any], step: int) -> str:
    return f"after {history.steps[step - 1].name!r}" if step else "at the start"


def _worlds(number: int) -> str:
    """Return a number of worlds, rounded if it has more than 20 digits."""
    about = f"about {Decimal(number):.2e}".replace("e+", "e")
    return counted(number, "world") if number < 10**20 else f"{about} worlds"
