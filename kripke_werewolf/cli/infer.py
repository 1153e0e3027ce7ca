"""The command `game infer`: from one player's sheet to everything that explains it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, TypeAlias

import click

from kripke_werewolf.base.errors import GameError, KripkeError, Undecided
from kripke_werewolf.cli.declared import Reading, Reply, Seconds, Words, command
from kripke_werewolf.cli.output import progress_shown
from kripke_werewolf.games.werewolf.inference import Histories, NoHistory, infer
from kripke_werewolf.games.werewolf.questions import AskedOfGame
from kripke_werewolf.games.werewolf.roles import read_roles
from kripke_werewolf.games.werewolf.sheets import load_sheet
from kripke_werewolf.games.werewolf.told import Told, reading_in_words
from kripke_werewolf.games.werewolf.vocabulary import resolve
from kripke_werewolf.logic.english.questions import parted
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.notation.reading import read_asked

_Question: TypeAlias = tuple[str, Formula, Formula | None]
"""A question as it was asked, its formula and its condition."""


@command("game infer")
def _infer(
    sheet: str,
    formulas: Words = (),
    *,
    why: Words = (),
    smallest: bool = False,
    example: bool = False,
    reading: Reading = "exact",
    timeout: Seconds | None = None,
    roles: str | None = None,
) -> Reply:
    """Find all histories of a game that explain one player's SHEET.

    SHEET is what `game handout` writes, as text or with --json, or a sheet typed by hand (see the page on
    file formats). Prints the number of histories, the probability of every fact for the player, and the
    possible moves of all players; on a terminal first the sheet as it was understood. FORMULAs are about the
    player's knowledge, as formulas or in plain English: "K_2 wolf_4", "does Ann know that Di is a wolf?".

    With --reading facts there is no search: only entries of 0 and 100% count, and SHEET is a handout. Prints
    the answers to FORMULAs, or without any the probability of every fact.

    Exit code 0; 1 if a FORMULA is not true; 2 if time ran out before a FORMULA or a FACT was decided.

    Options:
      --why FACT: Print table entries that imply this: a fact, or '1 attacks 4'. May be repeated.
      --smallest: With --why: search for as few entries as possible, until --timeout.
      --example: Print one of the histories.
      --reading: What follows from all numbers of the tables; or, for a handout of any size, from the
        facts alone.
      --timeout SECONDS: Search for at most this many seconds.
      --roles FILE: A Python file that declares roles of your own, for a sheet typed by hand.
    """
    own = read_roles(roles) if roles is not None else {}
    source = load_sheet(sheet, roles=own.values())
    asked: list[_Question] = []
    for text in formulas:
        f, given = parted(read_asked(text, source.words))
        if not isinstance(f, Formula):
            said = 'ask "who" and "how likely" about the log (`ask LOG`); the table says how likely a fact is'
            raise KripkeError(said)
        resolve(source.setup, f, source.words)  # an unknown name is said before a long search
        asked.append((text, f, given))
    if sys.stderr.isatty():
        click.echo(f"{source}\n", err=True)
    if reading == "facts":
        search = {"--why": why, "--smallest": smallest, "--example": example, "--timeout": timeout}
        if refused := ", ".join(option for option, given in search.items() if given):
            why_not = "--reading facts does not search for histories; leave one of them out"
            raise KripkeError(f"{refused}: {why_not}")
        return _by_facts(sheet, source, asked)
    try:
        with progress_shown("ways to attack tried") as tell:
            found = infer(source, timeout=timeout, progress=lambda number: tell(done=number))
    except NoHistory as error:
        raise _with_conflict(error, timeout) from None
    lines, late = [*found.in_words(example=example)], list[str]()
    content = found.to_dict(example=example) | {"why": [], "answers": []}
    for text in why:
        reason: dict[str, Any] = {"conclusion": text}
        content["why"].append(reason)
        try:
            because = found.because(text, seconds=timeout or 10, smallest=smallest)
        except Undecided as error:
            late.append(f"{text}: {error}")
            reason |= {"forced": None, "reason": str(error)}
            continue
        if because is not None:
            lines.append(str(because))
            reason |= because.to_dict()
        else:
            reason |= {"forced": False, "excluded": found.exclude(text)}
            lines.append(f"{text}: the tables {'exclude it' if reason['excluded'] else 'leave it open'}")
    if found.status == "exact":
        content["answers"] = [_answer(found, *question) for question in asked]
    elif asked:
        late.append("the formulas are not answered, because the search was not finished")
    return _answered(lines, content, late)


def _by_facts(path: str, source: Told, asked: Sequence[_Question]) -> Reply:
    """Return the consequences of the facts in a handout: the answers to formulas, or the table."""
    if any(entry.unsaid for entry in source.entries):
        raise KripkeError(
            f"{path}: this sheet leaves own moves open, and --reading facts needs all that the player saw: "
            "say in each phase what you did, or that you are not asked"
        )
    content: dict[str, Any] = {"player": source.player, "reading": "facts"}
    if not asked:
        table = source.probabilities()
        return Reply([table.to_text("percent")], {**content, "table": table.to_dict()})
    content["answers"] = answers = [_fact(source, *question) for question in asked]
    told = _answered([], content, [])
    more = any("a table may say more" in answer for answer in answers)
    remark = f"as {source.player} sees it, {reading_in_words('facts', more=more)}"
    return told._replace(lines=[*told.lines, remark]) if told.lines else told


def _answered(lines: list[str], content: dict[str, Any], late: list[str]) -> Reply:
    """Return the reply, with a line for each formula that is decided; `late`: what is not decided."""
    for answer in content["answers"]:
        likely = f", with probability {answer['chance']}" if "chance" in answer else ""
        if "reason" in answer:
            late.append(f"{answer['formula']}: {answer['reason']}")
        else:
            lines.append(f"{answer['formula']}: {answer['verdict'].in_words(mixed=f'open{likely}')}")
    yes = all(answer["verdict"] == "true" for answer in content["answers"])
    return Reply(lines, content, yes, undecided="\n".join(late))


def _fact(told: Told, text: str, f: Formula, given: Formula | None) -> dict[str, Any]:
    """Return the answer to a formula by the facts in a handout; or the reason for having none."""
    try:
        answer = told.ask(f, given=given)
    except KripkeError as error:
        return {"formula": text, "verdict": None, "reason": str(error)}
    found: dict[str, Any] = {"formula": text, "verdict": answer.verdict}
    if f.is_boolean and answer.verdict != "none":
        with suppress(KripkeError):  # a probability may need more than the verdict
            (chance,) = AskedOfGame.of(told, f, given=given).probabilities(told.player)
            found["chance"] = str(chance)
    if answer.more:
        found["a table may say more"] = True
    return found


def _answer(found: Histories, text: str, f: Formula, given: Formula | None) -> dict[str, str | None]:
    """Return the answer to a formula, about facts also its probability; or the reason for having none."""
    try:
        answer: dict[str, str | None] = {"formula": text, "verdict": found.ask(f, given=given)}
        if f.is_boolean and answer["verdict"] != "none":
            answer["chance"] = str(found.chance(f, given=given))
    except GameError as error:
        return {"formula": text, "verdict": None, "reason": str(error)}
    return answer


def _with_conflict(error: Any, timeout: float | None) -> Exception:
    """Return the error with the entries that cannot hold together, if the solver can find them."""
    try:
        conflict = error.conflict(seconds=timeout or 10)
    except (GameError, Undecided) as refusal:
        return GameError(f"{error}; which entries contradict each other is not known: {refusal}")
    return error if conflict is None else GameError(f"{error}: {conflict}")
