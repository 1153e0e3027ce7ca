"""`kripke-werewolf puzzle`, which replays the puzzles of the literature and checks the answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from kripke_werewolf.cli.declared import AsJson, File, command
from kripke_werewolf.cli.output import columns, exit_with, few_worlds, in_words, tell
from kripke_werewolf.errors import FormatError
from kripke_werewolf.language import Formula
from kripke_werewolf.models.history import History
from kripke_werewolf.puzzles import PUZZLES, Engine, Puzzle, PuzzleAnswer, puzzle
from kripke_werewolf.reports.tables import counted


@command("puzzle")
def puzzle_command(
    name: str | None = None,
    *,
    n: int | None = None,
    muddy: int | None = None,
    steps: bool = False,
    draw: File | None = None,
    after: int = 0,
    engine: Engine = "explicit",
    as_json: AsJson = False,
) -> None:
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
        tell(columns(descriptions.items()), descriptions, as_json=as_json)
        return
    found = puzzle(name, n, engine=engine, muddy=muddy)
    if found.engine == "symbolic" and draw is not None:
        raise FormatError("the symbolic engine lists no worlds to draw; use --engine explicit")
    history, impossible = found.possible()
    answers = found.answers(history)
    if draw is not None:
        from visualise import save

        save(history.at(after), draw, title=f"{found.name}, {_title(history, after)}")
    lines = _puzzle_lines(found, history, impossible, answers, steps)
    tell(lines, _puzzle_dict(found, history, impossible, answers), as_json=as_json)
    exit_with(impossible is None and all(a.verdict == a.question.expected for a in answers))


def _puzzle_lines(
    found: Puzzle, history: History[Any], impossible: str | None, answers: Sequence[PuzzleAnswer], steps: bool
) -> Iterator[str]:
    models = list(history.models())
    symbolic = found.engine == "symbolic"
    if not symbolic:
        yield found.description
        yield f"({found.source})\n"
    if steps:
        shown = [_worlds(model.size) for model in models]
        width = max(len(number.split(" w")[0]) for number in shown)
        for number, model in enumerate(models):
            few = few_worlds(model) if number and not symbolic else ""
            count, noun = shown[number].rsplit(" ", 1)
            yield f"{count:>{width}} {noun}  {_title(history, number)}{few}"
        if impossible is not None:
            yield f"{0:>{width}} worlds  after {impossible!r}"
    if symbolic:
        said = all(isinstance(step.action, Formula) for step in history.steps)
        happened = counted(len(history), "announcement" if said else "event")
        yield f"{happened}: {_worlds(models[0].size)} at first, {_worlds(models[-1].size)} left"
    else:
        yield f"worlds: {', '.join(str(number) for _, number in _sizes(history, impossible))}"
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


def _puzzle_dict(
    found: Puzzle, history: History[Any], impossible: str | None, answers: Sequence[PuzzleAnswer]
) -> dict[str, object]:
    about = {name: getattr(found, name) for name in ("name", "description", "source", "engine")}
    steps = [{"name": name, "worlds": number} for name, number in _sizes(history, impossible)]
    asked = [q._asdict() | {"formula": str(q.formula), "verdict": str(verdict)} for q, verdict in answers]
    return {"version": 1, **about, "steps": steps, "questions": asked}


def _sizes(history: History[Any], impossible: str | None) -> list[tuple[str, int]]:
    """Return the number of worlds at the start and after each event, 0 after an impossible one."""
    names = ["start", *(step.name for step in history.steps)]
    sizes = [(name, model.size) for name, model in zip(names, history.models(), strict=True)]
    return sizes if impossible is None else [*sizes, (impossible, 0)]


def _worlds(number: int) -> str:
    """Return a number of worlds, rounded if it has more than 20 digits."""
    if number < 10**20:
        return counted(number, "world")
    return f"about {Decimal(number):.2e}".replace("e+", "e") + " worlds"
