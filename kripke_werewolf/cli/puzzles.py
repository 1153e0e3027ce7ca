"""The commands `puzzle` and `story`, which replay scenarios and check the answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from textwrap import indent
from typing import Any

from kripke_werewolf.cli.declared import AsJson, File, command
from kripke_werewolf.cli.output import columns, exit_with, in_words, tell
from kripke_werewolf.errors import FormatError
from kripke_werewolf.files import read_text
from kripke_werewolf.language import Formula
from kripke_werewolf.models import KripkeModel
from kripke_werewolf.models.history import History
from kripke_werewolf.puzzles import PUZZLES, Engine, Puzzle, PuzzleAnswer, puzzle
from kripke_werewolf.reports.tables import counted
from kripke_werewolf.semantics.explanation import world_text
from kripke_werewolf.semantics.verdict import Verdict
from kripke_werewolf.stories import Asked, Happened, Moment, Sized, Story, StoryOutcome, read_story

_FEW = 8  # worlds that are listed by name


def _few(model: KripkeModel) -> str:
    """Return the names of the worlds if they are few, else an empty string."""
    return f": {', '.join(map(world_text, model.worlds))}" if len(model) <= _FEW else ""


# --- puzzle ----------------------------------------------------------------------------------------


@command("puzzle")
def puzzle_command(
    name: str | None = None,
    *,
    n: int | None = None,
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
      --steps: Also list the remaining worlds after each step.
      --draw: Draw the model to this file.
      --after: Draw the model after this many steps; by default at the start.
      --engine: explicit: list all worlds; symbolic: decision diagrams, for large sizes; auto: by
        size.
    """
    if name is None:
        descriptions = {name: build().description for name, build in PUZZLES.items()}
        tell(columns(descriptions.items()), descriptions, as_json=as_json)
        return
    found = puzzle(name, n, engine=engine)
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
            few = _few(model) if number and not symbolic else ""
            count, noun = shown[number].rsplit(" ", 1)
            yield f"{count:>{width}} {noun}  {_title(history, number)}{few}"
        if impossible is not None:
            yield f"{0:>{width}} worlds  after {impossible!r}"
    if symbolic:
        said = all(isinstance(step.action, Formula) for step in history.steps)
        happened = counted(len(history), "announcement" if said else "event")
        yield f"{happened}: {_worlds(models[0].size)} at first, {_worlds(models[-1].size)} left"
    else:
        yield f"worlds: {', '.join(map(str, [*(m.size for m in models), *[0] * (impossible is not None)]))}"
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
    names = ["start", *(step.name for step in history.steps)]
    worlds = [(name, model.size) for name, model in zip(names, history.models(), strict=True)]
    if impossible is not None:
        worlds.append((impossible, 0))
    about = {name: getattr(found, name) for name in ("name", "description", "source", "engine")}
    steps = [{"name": name, "worlds": number} for name, number in worlds]
    asked = [q._asdict() | {"formula": str(q.formula), "verdict": str(verdict)} for q, verdict in answers]
    return {"version": 1, **about, "steps": steps, "questions": asked}


def _worlds(number: int) -> str:
    """Return a number of worlds, rounded if it has more than 20 digits."""
    if number < 10**20:
        return counted(number, "world")
    return f"about {Decimal(number):.2e}".replace("e+", "e") + " worlds"


# --- story -----------------------------------------------------------------------------------------


@command("story")
def story_command(file: Path, *, quiet: bool = False, explain: bool = False, as_json: AsJson = False) -> None:
    """Run the story in FILE; print its events, the number of worlds after each, and the answers.

    Exit code 0 if all answers and sizes are as expected, 1 if not, 2 if FILE is not a story.

    Options:
      -q, --quiet: Print only unexpected answers, and the total.
      --explain: Print the reasons for unexpected answers.
    """
    try:
        told = read_story(file)
    except FormatError:
        if re.search(r"(?mi)^\s*(rules|players):", read_text(file)):
            raise FormatError(f"{file}: a typed sheet, which `infer` reads, not a story") from None
        raise
    outcomes = list(told.outcomes())
    tell(_story_lines(told, outcomes, quiet, explain), _story_dict(told, outcomes), as_json=as_json)
    exit_with(all(outcome.right for outcome in outcomes))


def _story_lines(told: Story, outcomes: Sequence[StoryOutcome], quiet: bool, explain: bool) -> Iterator[str]:
    yield told.title or told.source
    if told.credit and not quiet:
        yield f"({told.credit})"
    if not quiet:
        yield f"at the start: {counted(len(told.model), 'world')}"
    for outcome in outcomes:
        if not (quiet and outcome.right):
            yield from _outcome_lines(outcome, quiet, explain)
    checked = [outcome for outcome in outcomes if _is_checked(outcome.moment)]
    wrong = sum(not outcome.right for outcome in checked)
    if wrong:
        yield f"{wrong} of {len(checked)} answers not as expected"
    else:
        yield f"all {len(checked)} answers as expected"


def _is_checked(moment: Moment) -> bool:
    return not isinstance(moment, Happened) and moment.expected is not None


def _outcome_lines(outcome: StoryOutcome, quiet: bool, explain: bool) -> Iterator[str]:
    line = f"line {outcome.moment.line}: " if quiet else "  "
    match outcome:
        case StoryOutcome(Happened(name), model):
            yield f"{name}: {counted(len(model), 'world')}{_few(model)}"
        case StoryOutcome(Asked(meaning, f, expected), model, Verdict() as verdict):
            words = expected and {"true": "yes", "false": "no"}.get(expected, expected)
            yield f"{line}{meaning}? {in_words(verdict)}{_remark(outcome, words)}"
            if explain and not outcome.right:
                yield indent(str(model.explain(f)), "    ")
        case StoryOutcome(Sized(number, f), _, found):
            what = "worlds" if f is None else f"worlds where {f}"
            yield f"{line}{what}: {found}{_remark(outcome, number)}"


def _remark(outcome: StoryOutcome, expected: str | int | None) -> str:
    if expected is None:
        return ""
    return "  OK" if outcome.right else f"  WRONG: expected {expected}"


def _story_dict(told: Story, outcomes: Sequence[StoryOutcome]) -> dict[str, object]:
    return {
        "version": 1,
        "title": told.title,
        "source": told.credit,
        "worlds": len(told.model),
        "moments": [{"line": outcome.moment.line, **_outcome_dict(outcome)} for outcome in outcomes],
    }


def _outcome_dict(outcome: StoryOutcome) -> dict[str, object]:
    match outcome.moment:
        case Happened(name):
            return {"event": name, "worlds": len(outcome.model)}
        case Asked(meaning, f, expected):
            found = {"question": str(f), "meaning": meaning, "verdict": str(outcome.found)}
            return {**found, "expected": expected, "right": outcome.right}
        case Sized(number, f):
            count = None if f is None else str(f)
            return {"count": count, "found": outcome.found, "expected": number, "right": outcome.right}
