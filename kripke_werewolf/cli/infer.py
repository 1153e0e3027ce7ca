"""The command `infer`: from one player's sheet to everything that explains it."""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from kripke_werewolf.cli.output import exit_with, json_option, tell
from kripke_werewolf.errors import FormatError, GameError, KripkeError
from kripke_werewolf.files import read_text
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.sentence_parser import read_question
from kripke_werewolf.reports.tables import counted, shown

if TYPE_CHECKING:
    from fractions import Fraction

    from kripke_werewolf.werewolf.inference import Evidence, Histories, Made, Reason
    from kripke_werewolf.werewolf.rules import Action


def _seconds(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    if value is not None and not 0 < value < math.inf:
        raise click.BadParameter(f"{value:g} is not a number of seconds greater than 0")
    return value


@click.command("infer")
@click.argument("sheet")
@click.argument("formulas", nargs=-1, metavar="[FORMULA…]")
@click.option(
    "--why",
    multiple=True,
    metavar="FACT",
    help="Print table entries that imply this: a fact, or '1 attacks 4'. May be repeated.",
)
@click.option(
    "--possible",
    type=click.Choice(["attacks", "moves"]),
    help="Print only which attacks, or which moves, are possible; this is faster.",
)
@click.option(
    "--smallest",
    is_flag=True,
    help="With --why: search for as few entries as possible, until --timeout.",
)
@click.option("--example", is_flag=True, help="Print one of the histories.")
@click.option(
    "--timeout", type=float, callback=_seconds, metavar="SECONDS", help="Stop after this many seconds."
)
@json_option
def infer_command(
    sheet: str,
    formulas: tuple[str, ...],
    why: tuple[str, ...],
    possible: str | None,
    smallest: bool,
    example: bool,
    timeout: float | None,
    as_json: bool,
) -> None:
    """Find all histories of a game that explain one player's SHEET.

    SHEET is what `handout --json` writes (with the ending .json), or a sheet typed by hand (see the page
    on file formats). Prints the number of histories, the probability of every fact for the player, and
    the possible moves of all players. FORMULAs are about the player's knowledge, as formulas or in plain
    English: "K_2 wolf_4", "does Ann know that Di is a wolf?".

    Exit code 0; 1 if a FORMULA is not true; 2 if the search was not finished, so that no FORMULA is answered.
    """
    from kripke_werewolf.werewolf.inference import NoHistory, infer, possible_moves
    from kripke_werewolf.werewolf.questions import resolve
    from kripke_werewolf.werewolf.wording import vocabulary

    if possible and formulas:
        raise KripkeError("--possible only looks for moves, and answers no formulas; leave one of them out")
    evidence = read_evidence(sheet)
    about = vocabulary(evidence.setup, evidence.known_numbers)
    asked = [(text, _closed(read_question(text, about))) for text in formulas]
    for _, f in asked:  # a name that is unknown is said before a long search
        resolve(evidence.setup, f, evidence.known_numbers)
    try:
        if possible:
            actions: tuple[Action, ...] = ("attack",) if possible == "attacks" else ("vision", "attack")
            found = possible_moves(evidence, actions=actions, timeout=timeout)
        else:
            found = infer(evidence, timeout=timeout, progress=_progress())
    except NoHistory as error:
        raise _with_conflict(error, timeout) from None
    reasons = [(text, found.because(text, seconds=timeout or 10, smallest=smallest)) for text in why]
    answers = [_answer(found, text, f) for text, f in asked] if found.status == "exact" else []
    content = _content(found, example)
    content["why"] = [_reason(text, because) for text, because in reasons]
    content["answers"] = answers
    lines = [*_lines(found, example), *_why(reasons), *(_answered(answer) for answer in answers)]
    tell(lines, content, as_json=as_json)
    if asked and not answers:
        raise GameError("the formulas are not answered, because the search was not finished")
    exit_with(all(answer["verdict"] == "true" for answer in answers))


def _closed(question: Formula | object) -> Formula:
    if not isinstance(question, Formula):
        raise KripkeError(
            'ask "who" and "how likely" of the log of a game (`ask LOG`); the table says how likely a fact is'
        )
    return question


def _answer(found: Histories, text: str, f: Formula) -> dict[str, str]:
    """Return the answer to a formula; for one about facts also its probability."""
    answer = {"formula": text, "verdict": str(found.ask(f))}
    return answer | ({"chance": str(found.chance(f))} if f.is_boolean else {})


def _answered(answer: dict[str, str]) -> str:
    said = {"true": "yes", "false": "no"}.get(answer["verdict"], "open")
    likely = f", with probability {answer['chance']}" if said == "open" and "chance" in answer else ""
    return f"{answer['formula']}: {said}{likely}"


def read_evidence(path: str) -> Evidence:
    """Read a sheet: a handout as JSON, or a typed sheet; raises `FormatError` and `OSError`."""
    from kripke_werewolf.werewolf.handout import Handout
    from kripke_werewolf.werewolf.inference import evidence_in, read_sheet

    text = read_text(path)
    if not path.endswith(".json"):
        return read_sheet(text, source=path)
    try:
        return evidence_in(Handout.from_dict(json.loads(text)))
    except json.JSONDecodeError as error:
        raise FormatError(f"{path}, line {error.lineno}, column {error.colno}: {error.msg}") from None
    except FormatError as error:
        raise FormatError(f"{path}: {error}") from None


def _with_conflict(error: Any, timeout: float | None) -> Exception:
    """Return the error with the entries that cannot hold together, if the solver can find them."""
    try:
        conflict = error.conflict(seconds=timeout or 10)
    except GameError as refusal:
        return GameError(f"{error}; which entries contradict each other is not known: {refusal}")
    return error if conflict is None else GameError(f"{error}: {conflict}")


def _progress() -> Callable[[int], None] | None:
    """Return a function that tells on a terminal, twice a second, how many scenarios have been tried."""
    if not sys.stderr.isatty():
        return None
    told = [time.monotonic()]

    def tell_scenarios(number: int) -> None:
        if time.monotonic() - told[0] > 0.5:
            told[0] = time.monotonic()
            click.echo(f"\r{number:,} scenarios tried ", err=True, nl=False)

    return tell_scenarios


# --- for people --------------------------------------------------------------------------------------


_HELP = (
    "More time, more entries in the tables or exact ones, and fewer players would help. For a recorded game, "
    "`ask LOG --reading facts` says what follows from the facts alone."
)
"""Printed below a search that was not finished."""


def _lines(found: Histories, example: bool) -> Iterator[str]:
    yield _headline(found)
    if found.reason:
        yield _HELP
    if found.status == "exact":
        yield ""
        yield found.table().to_text("percent")
        for name, numbers in found.numbers.items():
            likely = sorted(numbers.items(), key=lambda item: -item[1])
            yield f"{name} is number " + ", ".join(f"{n} ({_chance(p)})" for n, p in likely)
    for phase, moves in groupby(found.moves, key=lambda made: made.phase):
        yield ""
        yield f"{phase}:"
        for player, made in groupby(moves, key=lambda m: m.player):
            yield f"  {player} {_told(list(made))}"
    if example:
        yield ""
        yield "For example:"
        yield from (f"  {line}" for line in found.example())


def _headline(found: Histories) -> str:
    viewer = found.viewer
    if found.status == "exact":
        worlds = " or ".join(f"{n:,}" for n in found.worlds)
        many = "history explains" if found.number == 1 else "histories explain"
        return f"{found.number:,} {many} what {viewer} was told; worlds left: {worlds} (exact)."
    if found.status == "possible moves only":
        why = f", because {found.reason}" if found.reason else ""
        few = ""
        if found.attacks:
            ways = counted(len(found.attacks), "way")
            few = f" {ways} to attack; worlds left: {' or '.join(f'{n:,}' for n in found.worlds)}."
        return f"The moves that are possible for {viewer}, without probabilities{why}.{few}"
    tried = counted(found.budget.scenarios, "scenario")
    return f"Not finished, because {found.reason}; {tried} tried, {found.number:,} histories found so far."


_LISTED = 8
"""So many moves of a player in a phase are printed; JSON has all."""


def _told(moves: Sequence[Made]) -> str:
    """Return a player's possible attacks and visions in a phase, the most likely first."""
    parts = [f"{m.move}{'' if m.chance in (None, 1) else f' ({_chance(m.chance)})'}" for m in moves[:_LISTED]]
    more = len(moves) - _LISTED
    return ", ".join(parts) + (f" … and {more} more" if more > 0 else "")


def _chance(chance: Fraction | None) -> str:
    return shown(chance, "percent")


def _why(reasons: Sequence[tuple[str, Reason | None]]) -> Iterator[str]:
    for text, because in reasons:
        yield f"{text}: the tables leave it open" if because is None else str(because)


# --- for programs ------------------------------------------------------------------------------------


def _content(found: Histories, example: bool) -> dict[str, Any]:
    exact = found.status == "exact"
    content: dict[str, Any] = {"player": found.viewer, "reading": "table"}
    content |= {"status": found.status, "reason": found.reason}
    content |= {"help": _HELP} if found.reason else {}
    if exact:
        content |= {"histories": found.number, "worlds": list(found.worlds), "table": found.table().to_dict()}
        content["numbers"] = {
            name: {str(n): str(p) for n, p in numbers.items()} for name, numbers in found.numbers.items()
        }
    elif found.maps:
        content |= {"worlds": list(found.worlds), "attacks": [way for _, way in found.attacks]}
    content["moves"] = [
        {
            "phase": m.phase,
            "player": m.player,
            "action": m.action,
            "move": m.move,
            "chance": None if m.chance is None else str(m.chance),
        }
        for m in found.moves
    ]
    return {**content, "example": list(found.example())} if example else content


def _reason(text: str, because: Reason | None) -> dict[str, Any]:
    if because is None:
        return {"conclusion": text, "forced": False}
    entries = [{"row": c.row, "column": c.heading, "entry": c.text, "place": c.place} for c in because.cells]
    needed = len(because.needed)
    return {"conclusion": text, "forced": True, "entries": entries, "least": because.least, "needed": needed}
