"""`kripke-werewolf story FILE`, which runs a story and checks its answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import indent

from kripke_werewolf.cli.declared import Reply, command
from kripke_werewolf.cli.output import few_worlds, in_words
from kripke_werewolf.errors import FormatError
from kripke_werewolf.files import read_text
from kripke_werewolf.reports.tables import counted
from kripke_werewolf.semantics.verdict import Verdict
from kripke_werewolf.stories import Asked, Happened, Sized, Story, StoryOutcome, read_story


@command("story")
def _story(file: Path, *, quiet: bool = False, explain: bool = False) -> Reply:
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
            raise FormatError(f"{file}: a typed sheet, which `game infer` reads, not a story") from None
        raise
    outcomes = list(told.outcomes())
    content = {
        "version": 1,
        "title": told.title,
        "source": told.credit,
        "worlds": len(told.model),
        "moments": [{"line": outcome.moment.line, **_outcome_dict(outcome)} for outcome in outcomes],
    }
    yes = all(outcome.right for outcome in outcomes)
    return Reply(_story_lines(told, outcomes, quiet, explain), content, yes)


def _story_lines(told: Story, outcomes: Sequence[StoryOutcome], quiet: bool, explain: bool) -> Iterator[str]:
    yield told.title or told.source
    if told.credit and not quiet:
        yield f"({told.credit})"
    if not quiet:
        yield f"at the start: {counted(len(told.model), 'world')}"
    for outcome in outcomes:
        if not (quiet and outcome.right):
            yield from _outcome_lines(outcome, quiet, explain)
    checked = [o.right for o in outcomes if getattr(o.moment, "expected", None) is not None]
    wrong = checked.count(False)
    answers = f"{wrong} of {len(checked)} answers not" if wrong else f"all {len(checked)} answers"
    yield f"{answers} as expected"


def _outcome_lines(outcome: StoryOutcome, quiet: bool, explain: bool) -> Iterator[str]:
    line = f"line {outcome.moment.line}: " if quiet else "  "
    match outcome:
        case StoryOutcome(Happened(name), model):
            yield f"{name}: {counted(len(model), 'world')}{few_worlds(model)}"
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
