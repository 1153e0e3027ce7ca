"""The commands that answer questions: `ask`, `game knowledge`, `game timeline` and `check`.

Modules that are needed only for games or some files are imported when they are used, so that questions
about small models are answered quickly.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from dataclasses import replace
from errno import ENAMETOOLONG
from os.path import isfile
from typing import TYPE_CHECKING, Any, TypeAlias

from kripke_werewolf.base import errors
from kripke_werewolf.base.errors import FormatError, KripkeError, UnknownAgentError, check_known
from kripke_werewolf.base.files import read_text
from kripke_werewolf.cli.declared import Asking, Pairs, Reply, Settled, Viewer, Words, command, read_step
from kripke_werewolf.cli.output import columns
from kripke_werewolf.cli.sources import load_game, load_model, load_source
from kripke_werewolf.logic.english.questions import HowLikely, WhatHappened, Who, parted
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.notation.parser import parse
from kripke_werewolf.logic.notation.reading import meanings_of, read_asked
from kripke_werewolf.logic.semantics.answers import OfModel, answer_to, chances_in_words
from kripke_werewolf.logic.semantics.verdict import NO_WORLD
from kripke_werewolf.logic.semantics.worlds import few_worlds, world_text

if TYPE_CHECKING:
    from kripke_werewolf.games.werewolf import QuantumWerewolf
    from kripke_werewolf.logic.english.questions import Question
    from kripke_werewolf.logic.english.vocabulary import Vocabulary
    from kripke_werewolf.logic.semantics.answers import Answer
    from kripke_werewolf.logic.symbolic import KnowledgeStructure
    from kripke_werewolf.logic.symbolic.smcdel import Answer as SmcdelAnswer

_Source: TypeAlias = "QuantumWerewolf | KripkeModel"
_MOST_ROWS = 7
"""The largest number of rows below an answer, so that it fits ten lines."""


# --- ask -------------------------------------------------------------------------------------------


@command("ask", how={Asking: "reading timeout engine"})
def _ask(
    source: str,
    formulas: Words,
    *,
    n: int | None = None,
    at: str | None = None,
    asker: str | None = None,
    given: Words = (),
    explain: bool = False,
    phrases: Pairs = (),
    how: Settled,
) -> Reply:
    """Answer questions about the game or model in the file SOURCE, or about the puzzle of this name.

    A game is a log written by `play` (JSON lines), a model is a JSON file. Questions are formulas or plain
    English: "K_2 wolf_4", "does Ann know that Di is a wolf?", "who knows that Di is a wolf?", "how likely
    does Bo think it is that Di is a wolf?", "is Bo the seer if Di is a wolf?" Call players by name or number.

    Exit code 0 if every formula is true (in all worlds that may be the actual one), 1 if not; 0 for "who"
    and "how likely" questions.

    Options:
      -n, --n: For a puzzle: its size, such as the number of children.
      --at PLACE: For a model: evaluate at this world; by default at all designated worlds. For a game: after
        this number of steps, or at the end of this phase, such as "day 1".
      --asker PLAYER: The player who says "I"; the answer is not limited to their view.
      --given FORMULA: Ask of those worlds only where this is true, like "if" or "given that" in a question;
        may be repeated.
      --explain: Print the reasons for the answer.
      --phrase ATOM=WORDS: Words for atoms, such as "{thing}_in_{place}=the {thing} is in the {place}"; may
        be repeated.
    """
    found = _load_for(source, formulas, n)
    if isinstance(found, KripkeModel):
        if how["engine"] != "auto" or how["reading"] != "facts":
            raise KripkeError("--engine and --reading are about games, and this is a model: leave them out")
        if at is not None:
            found = found.point({str(name): name for name in found.worlds}.get(at, at))
    elif at is not None:
        found = found.at(read_step(at))
    of = _asked_with(found, how)
    words = replace(of.words, phrases=(*of.words.phrases, *phrases))
    if asker is not None:
        words = replace(words, asker=check_known(words.agent(asker), words.agents, UnknownAgentError))
    meant = _read_all(formulas, words, given)
    if len(formulas) == 1 and len(meant[0]) == 1 and not isinstance(parted(meant[0][0])[0], Formula):
        if explain:
            raise KripkeError(f"--explain is for yes-or-no questions, not for {formulas[0]!r}")
        return _open(found, meant[0][0], answer_to(of, formulas[0], meant[0]))
    asked = [(text, one) for text, several in zip(formulas, meant, strict=True) for one in several]
    reports = []
    for text, one in asked:
        _yes_or_no(text, one)
        answer = answer_to(of, text, [one])
        reports.append(_sentence(text, one) | _report(found, answer, explain=explain))
    lines = [_report_text(report, alone=len(reports) == 1) for report in reports] + _reading_of(reports)
    lines += [f"not explained: {report['not explained']}" for report in reports if "not explained" in report]
    return Reply(lines, reports, yes=all(report["verdict"] == "true" for report in reports))


def _asked_with(source: _Source, how: Settled) -> Any:
    """Return the game or model to be asked, with its words."""
    if isinstance(source, KripkeModel):
        return OfModel(source, source.words)
    from kripke_werewolf.games.werewolf.questions import OfGame

    return OfGame(source, source.words, how)


def _load_for(source: str, formulas: Sequence[str], n: int | None) -> _Source:
    """Read the file to ask about; if it is the formula and another argument is the file, say so."""
    try:
        return load_source(source, n)
    except (OSError, errors.UnknownNameError) as error:
        from kripke_werewolf.logic.puzzles import PUZZLES

        files = [text for text in formulas if isfile(text) or text in PUZZLES]
        shown = errors.cut_off(source)
        if files:
            one = "one" if isfile(files[0]) else "a puzzle"
            remedy = f'write ask {files[0]} "{shown}"'
            raise FormatError(f"{shown!r} is not a file, and {files[0]!r} is {one}: {remedy}") from None
        if isinstance(error, OSError) and error.errno == ENAMETOOLONG:
            raise FormatError(f"{shown!r} is not a file: write ask FILE and then the questions") from None
        raise


def _read_all(texts: Sequence[str], words: Vocabulary, given: Words) -> list[tuple[Question, ...]]:
    """Return the readings of the questions; if they are one question without quotes, say so."""
    try:
        return [meanings_of(text, words, *given) for text in texts]
    except errors.FormulaSyntaxError as error:
        whole = " ".join(texts)
        if len(texts) == 1:
            raise
        try:
            meanings_of(whole, words)
        except errors.FormulaSyntaxError:
            raise error from None
        remedy = f'for one, write it in quotes: "{whole}"'
        raise errors.FormulaError(f"these are {len(texts)} questions; {remedy}") from None


def _yes_or_no(text: str, question: Question) -> tuple[Formula, Formula | None]:
    """Return a question, read from a string, that is answered by yes or no, and its condition."""
    asked, given = parted(question)
    if not isinstance(asked, Formula):
        raise KripkeError(f"{text!r} is not a yes-or-no question: ask it alone, in a command of its own")
    return asked, given


def _open(source: _Source, asked: Question, answer: Answer) -> Reply:
    """Return the answer to a "who", "how many" or "how likely" question, and to each of its parts."""
    question, given = parted(asked)
    sentence = {"sentence": answer.question}
    if str(answer) == NO_WORLD:
        return Reply([NO_WORLD], sentence | {"given": str(given), "answer": NO_WORLD})
    if isinstance(question, WhatHappened):
        return Reply(
            [*answer.names, *answer.possible] or [answer.none], sentence | {"happened": [*answer.names]}
        )
    reports = {name: _report(source, part) | {"formula": part.said} for name, part in answer.parts}
    whose = "".join(dict.fromkeys(f"for {report['for']}: " for report in reports.values() if "for" in report))
    reading = _reading_of(reports.values()) + _sampled(source)
    if isinstance(question, Who):
        said = {name: chances_in_words(chances) for name, chances in answer.chances.items()}
        rows = [(name, said.get(name, row["answer"]), row["formula"]) for name, row in reports.items()]
        shown = [
            row for row in rows if len(rows) <= _MOST_ROWS or row[0] in (*answer.names, *answer.possible)
        ]
        more = [f"… {len(rows) - _MOST_ROWS} more"] if len(shown) > _MOST_ROWS else []
        content = sentence | {"who": [*answer.names], "possibly": [*answer.possible], "answers": reports}
        return Reply([f"{whose}{answer}", *columns(shown[:_MOST_ROWS]), *more, *reading], content)
    assert isinstance(question, HowLikely)
    viewer = question.agent
    lines = [f"{whose}{answer}"] if question.relation else []
    parts: list[dict[str, Any]] = []
    for name, chances in answer.chances.items():
        report, total = reports[name], sum(chances.values())
        for value, worlds in chances.items():
            share = f" in {worlds} of {total} worlds" if worlds < total else ""
            if viewer is None and given is None:
                share = f" ({value * total} of {total} worlds)"
            lines.append(f"{whose}{value}{share}")
        values = [{"probability": str(value), "worlds": n} for value, n in chances.items()]
        kept = {key: value for key, value in report.items() if key in _ABOUT_AN_ANSWER}
        parts.append(sentence | kept | {"worlds": total, "values": values})
    lines.append(f"read as: {answer.read_as}")
    if question.relation:
        parts[0]["holds"] = answer.holds
    for other in parts[1:]:
        parts[0]["other"] = other
    return Reply([*lines, *reading], parts[0])


def _sentence(text: str, read_as: Question) -> dict[str, str]:
    """Return a question as a string for its report, if it is not a formula."""
    try:
        return {} if parse(text) is read_as else {"sentence": text}
    except errors.FormulaSyntaxError:
        return {"sentence": text}


def _report(source: _Source, answer: Any, *, explain: bool = False) -> dict[str, Any]:
    """Return the answer to one formula, perhaps on a condition, as it is printed for programs."""
    f, verdict, given = answer.formula, answer.verdict, answer.given
    report: dict[str, Any] = {"formula": str(f), "verdict": str(verdict), "worlds": verdict.total}
    report |= {"satisfied": verdict.satisfied, "answer": str(answer)}
    if given is not None:
        report["given"] = str(given)
    if not isinstance(source, KripkeModel):
        if _for_the_game_master(f):
            report["for"] = _GAME_MASTER
        if f.agents:
            report["reading"] = answer.reading
        if f.agents and answer.more:
            report["a table may say more"] = True
    if explain:
        try:
            report["because"] = str(answer.explain())
            if not isinstance(source, KripkeModel) and (reasons := answer.reasons()):
                report["rests on"] = list(reasons)
        except KripkeError as error:  # the answer was found all the same
            report["not explained"] = str(error)
    return report


_ABOUT_AN_ANSWER = ("formula", "given", "for", "reading", "a table may say more")
_GAME_MASTER = "the game master"
"""Whose view the answer to a question about facts is, in a game."""


def _for_the_game_master(f: Formula) -> bool:
    """Whether an answer is about the surviving worlds, and not settled by what some players know."""
    from kripke_werewolf.games.werewolf.engines import knowers_in

    return knowers_in(f) is None


def _report_text(report: dict[str, Any], *, alone: bool) -> str:
    start = [] if alone else [report["formula"]]
    if "for" in report:
        start.append(f"for {report['for']}")
    text = f"{', '.join(start)}: {report['answer']}" if start else str(report["answer"])
    if alone and ("sentence" in report or "given" in report):
        text += f"\n{_read_as(report)}"
    if "because" in report:
        text += f"\n{report['because']}"
    return text + "".join(f"\nrests on: {reason}" for reason in report.get("rests on", ()))


def _read_as(report: dict[str, Any]) -> str:
    """Return the line that says how a question was read."""
    condition = f", if {report['given']}" if "given" in report else ""
    return f"read as: {report['formula']}{condition}"


def _reading_of(reports: Collection[dict[str, Any]]) -> list[str]:
    """Return the line that names the reading of the answers about knowledge, if there are any."""
    more = any("a table may say more" in report for report in reports)
    for report in reports:
        if "reading" in report:
            return [_reading_text(report["reading"], more=more)]
    return []


def _reading_text(reading: Any, *, more: bool = False) -> str:
    from kripke_werewolf.games.werewolf.told import reading_in_words

    return reading_in_words(reading, more=more)


# --- knowledge and timeline ------------------------------------------------------------------------


@command("game knowledge", how={Asking: "reading timeout"})
def _knowledge(
    log: str,
    *,
    viewer: Viewer = None,
    how: Settled,
) -> Reply:
    """Print what the players know about each other in the game in LOG.

    Each row is the knowledge of one player: the role of another player, if they know it; otherwise the
    roles they can exclude, and the exact probability that the other is a wolf.
    """
    game = load_game(log)
    matrix = game.knowledge(**how)
    if viewer is not None:
        from kripke_werewolf.play.console.commands import player_named

        matrix = matrix.of(player_named(viewer, game.setup))
    return Reply([str(matrix)], matrix.to_dict())


def _sampled(source: _Source) -> list[str]:
    """Return the remark below an answer that is about a sample of the worlds of a game."""
    sampled = "" if isinstance(source, KripkeModel) else source.setup.sampled
    return [sampled] if sampled else []


@command("game timeline", how={Asking: "reading timeout"})
def _timeline(log: str, formulas: Words, *, how: Settled) -> Reply:
    """Print for every event of the game in LOG whether formulas are true after it.

    yes: in all surviving worlds; no: in none; otherwise the number of worlds is given.
    """
    game = load_game(log)
    questions = [read_asked(text, game.words) for text in formulas]
    asked = [_yes_or_no(text, question)[0] for text, question in zip(formulas, questions, strict=True)]
    moments = game.timeline(*formulas, **how)
    headings = [f"[{i}]" for i in range(1, len(asked) + 1)]
    rows = [(str(m.number), *(v.in_words(mixed="{}/{}") for v in m.verdicts), m.event) for m in moments]
    whose = [f", for {_GAME_MASTER}" if _for_the_game_master(f) else "" for f in asked]
    lines = [f"{heading} {q}{who}" for heading, q, who in zip(headings, questions, whose, strict=True)]
    lines += columns([("", *headings, ""), *rows])
    if any(f.agents for f in asked):
        lines.append(_reading_text(how["reading"], more=any(m.more for m in moments)))
    lines += _sampled(game)
    events: list[dict[str, Any]] = []
    for m in moments:
        found = [{"verdict": str(v), "satisfied": v.satisfied, "worlds": v.total} for v in m.verdicts]
        events.append({"event": m.number, "what": m.event, "verdicts": found})
        if m.more:
            events[-1]["a table may say more"] = True
    return Reply(lines, {"formulas": [*map(str, questions)], "reading": how["reading"], "events": events})


# --- check -----------------------------------------------------------------------------------------


@command("check")
def _check(source: str, formulas: Words = ()) -> Reply:
    """Answer the queries of an SMCDEL file, and evaluate formulas on it or on a model.

    SOURCE is a file in SMCDEL's text format (- for standard input), or, with the ending .json, a model.
    FORMULAs have the syntax of this library, where SMCDEL's atom 1 is written "1", in quotes; for a
    model it says where they are true.

    Exit code 0, or 1 if a FORMULA is not true at all designated worlds.
    """
    model: KripkeModel | KnowledgeStructure | None = None
    answered: list[tuple[str, SmcdelAnswer]] = []
    if source.endswith(".json"):
        model = load_model(source)
        if not formulas:
            raise errors.FormulaError(f"{source} is a model: give a formula to check on it")
    else:
        from kripke_werewolf.logic.symbolic import read_smcdel

        text, name = (sys.stdin.read(), "standard input") if source == "-" else (read_text(source), source)
        file = read_smcdel(text, source=name)
        answered = [(q.text, answer) for q, answer in zip(file.queries, file.answers(), strict=True)]
        if formulas:
            model = file.structure()
    verdicts = [(text, model.verdict(text)) for text in formulas if model is not None]
    true = [verdict == "true" for _, verdict in verdicts]
    lines = [f"{text}: {_answer_text(answer)}" for text, answer in answered]
    lines += [f"{text}: {verdict.in_words(yes='true', no='false')}" for text, verdict in verdicts]
    content: dict[str, Any] = {"answers": [*(answer for _, answer in answered), *true]}
    if isinstance(model, KripkeModel):
        where = [model.where(text) for text in formulas]
        places = [f"{len(worlds)} of {len(model)} worlds{few_worlds(worlds)}" for worlds in where]
        lines = [f"{line} (true at {place})" for line, place in zip(lines, places, strict=True)]
        content["where"] = [[*map(world_text, worlds)] for worlds in where]
    return Reply(lines, content, yes=all(true), indent=None)


def _answer_text(answer: SmcdelAnswer) -> str:
    if isinstance(answer, bool):
        return "true" if answer else "false"
    # in the order of the answer, as programs get it
    return " ".join(f"{{{', '.join(map(str, state))}}}" for state in answer) or "nowhere"
