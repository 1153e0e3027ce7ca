"""The commands that answer questions: `ask`, `game knowledge`, `game timeline` and `check`.

Modules that are needed only for games or some files are imported when they are used, so that questions
about small models are answered quickly.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from errno import ENAMETOOLONG
from fractions import Fraction
from functools import partial, reduce
from os.path import isfile
from typing import TYPE_CHECKING, Any, TypeAlias

from kripke_werewolf.base import errors
from kripke_werewolf.base.errors import FormatError, KripkeError, UnknownAgentError, check_known
from kripke_werewolf.base.files import read_text
from kripke_werewolf.cli.declared import Asking, NewFile, Pairs, Reply, Settled, Viewer, Words, command
from kripke_werewolf.cli.output import columns
from kripke_werewolf.cli.sources import load_game, load_model, load_source
from kripke_werewolf.logic.english.questions import HowLikely, WhatHappened, Who, on_condition, parted
from kripke_werewolf.logic.english.vocabulary import Vocabulary
from kripke_werewolf.logic.formulas.operators import P
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.notation.parser import parse
from kripke_werewolf.logic.notation.reading import read_asked
from kripke_werewolf.logic.semantics.answers import chances_in_words, found_for, verdict_in_words
from kripke_werewolf.logic.semantics.verdict import NO_WORLD, Verdict

if TYPE_CHECKING:
    from kripke_werewolf.games.werewolf import QuantumWerewolf
    from kripke_werewolf.logic.english.questions import Question
    from kripke_werewolf.logic.semantics.explanation import Explanation
    from kripke_werewolf.logic.symbolic import KnowledgeStructure
    from kripke_werewolf.logic.symbolic.smcdel import Answer as SmcdelAnswer

_Source: TypeAlias = "QuantumWerewolf | KripkeModel"
_WHO = re.compile(r"\s*who\s+knows\s+(?!that\b|whether\b|the\b|who\b)(.*?)\s*\??\s*", re.IGNORECASE)


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
    since: bool = False,
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
      --at WORLD: For a model: evaluate at this world; by default at all designated worlds.
      --asker PLAYER: The player who says "I"; the answer is not limited to their view.
      --given FORMULA: Ask of those worlds only where this is true, like "if" or "given that" in a question;
        may be repeated.
      --explain: Print the reasons for the answer.
      --since: For a game: print since which event the answer has been yes.
      --phrase ATOM=WORDS: Words for atoms, such as "{thing}_in_{place}=the {thing} is in the {place}"; may
        be repeated.
    """
    found = _load_for(source, formulas, n)
    about = replace(_vocabulary(found), phrases=phrases)
    if asker is not None:
        about = replace(about, asker=check_known(about.agent(asker), about.agents, UnknownAgentError))
    read = partial(read_asked, vocabulary=about)
    supposed = partial(reduce, lambda so_far, more: on_condition(so_far, more, read), given)
    if len(formulas) == 1 and not isinstance(found, KripkeModel) and (who := _WHO.fullmatch(formulas[0])):
        _for_yes_or_no(formulas[0], explain=explain, since=since)
        try:
            asked = read_asked(" " * who.start(1) + who[1], about)
        except errors.FormulaSyntaxError as error:
            raise error.explained(error.meant, error.remark, formulas[0]) from None
        return _who_knows(found, *_yes_or_no(who[1], supposed(asked)), how)
    questions = [supposed(asked) for asked in _read_all(formulas, about)]
    if isinstance(found, KripkeModel):
        if since:
            raise KripkeError("--since is about games: a model has no events")
        if how["engine"] != "auto" or how["reading"] != "facts":
            raise KripkeError("--engine and --reading are about games, and this is a model: leave them out")
        if at is not None:
            found = found.point({str(name): name for name in found.worlds}.get(at, at))
    elif at is not None:
        raise KripkeError("--at is about models: in a game, ask about all surviving worlds")
    elif since and how["reading"] != "facts":
        facts = "--reading facts"
        raise KripkeError(f"--since says when a formula became true under {facts}; leave --reading out")
    if not isinstance(parted(questions[0])[0], Formula) and len(questions) == 1:
        _for_yes_or_no(formulas[0], explain=explain, since=since)
        return _open(found, formulas[0], questions[0], how)
    if len(questions) > len(formulas):
        formulas = formulas * len(questions)  # several readings of one question
    reports = [
        _sentence(text, f) | _report(found, f, on, how, explain=explain, since=since)
        for text, (f, on) in zip(formulas, map(_yes_or_no, formulas, questions), strict=True)
    ]
    lines = [_report_text(report, alone=len(reports) == 1) for report in reports] + _reading_of(reports)
    lines += [f"not explained: {report['not explained']}" for report in reports if "not explained" in report]
    return Reply(lines, reports, yes=all(report["verdict"] == "true" for report in reports))


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


def _read_all(texts: Sequence[str], about: Vocabulary) -> list[Question]:
    """Read the questions; if they are one question without quotes, say so."""
    try:
        return [read_asked(text, about) for text in texts]
    except errors.FormulaSyntaxError as error:
        from kripke_werewolf.logic.english.sentence_parser import SeveralMeanings

        whole = " ".join(texts)
        if len(texts) == 1 and isinstance(error, SeveralMeanings):
            return [*error.readings]
        if len(texts) == 1 or isinstance(error, SeveralMeanings):
            raise
        try:
            read_asked(whole, about)
        except errors.FormulaSyntaxError:
            raise error from None
        remedy = f'for one, write it in quotes: "{whole}"'
        raise errors.FormulaError(f"these are {len(texts)} questions; {remedy}") from None


def _vocabulary(source: _Source) -> Vocabulary:
    """Return the names that a question may be about."""
    if isinstance(source, KripkeModel):
        return Vocabulary(source.agents, source.atoms)
    from kripke_werewolf.games.werewolf.vocabulary import vocabulary

    return vocabulary(source.setup)


def _yes_or_no(text: str, question: Question) -> tuple[Formula, Formula | None]:
    """Return a question, read from a string, that is answered by yes or no, and its condition."""
    asked, given = parted(question)
    if not isinstance(asked, Formula):
        raise KripkeError(f"{text!r} is not a yes-or-no question: ask it alone, in a command of its own")
    return asked, given


def _for_yes_or_no(text: str, *, explain: bool, since: bool) -> None:
    """Raise KripkeError for options that a "who" or "how likely" question cannot have."""
    if explain or since:
        raise KripkeError(f"--explain and --since are for yes-or-no questions, not for {text!r}")


def _open(source: _Source, text: str, asked: Question, how: Settled) -> Reply:
    """Return the answer to a "who", "how many" or "how likely" question."""
    from kripke_werewolf.games.werewolf.questions import what_happened

    question, given = parted(asked)
    assert not isinstance(question, Formula)
    if isinstance(question, WhatHappened) and not isinstance(source, KripkeModel):
        names = what_happened(source, question).names
        return Reply(names or ["nothing"], {"sentence": text, "happened": [*names]})
    viewer = question.viewer if isinstance(question, Who) else question.agent
    chances_asked = isinstance(question, HowLikely) or question.ranked
    if isinstance(source, KripkeModel) and chances_asked and viewer is None:
        remedy = 'ask "how likely is it for AGENT that …"'
        raise KripkeError(f"{text!r}: in a model only agents have probabilities: {remedy}")
    reports: dict[str, dict[str, Any]] = {}

    def verdict_of(f: Formula) -> Verdict:
        reports[str(f)] = report = _report(source, f, given, how, explain=False, since=False)
        return Verdict(report["verdict"], report["satisfied"], report["worlds"])

    def chances_of(agent: str, f: Formula) -> dict[Fraction, int]:
        by: Any = {} if isinstance(source, KripkeModel) else how
        values = source.probabilities(agent, f, given=given, **by)
        reports[str(f)] = {"formula": str(P(agent, f) >= 0).removesuffix(" >= 0")}
        if not isinstance(source, KripkeModel):
            from kripke_werewolf.games.werewolf.told import told

            more = how["reading"] == "facts" and not {*values} <= {0, 1} and told(source).announced
            reports[str(f)] |= {"reading": how["reading"]} | ({"a table may say more": True} if more else {})
        return values

    found = found_for(question, verdict_of, chances_of, _vocabulary(source).agents)
    if found.none == NO_WORLD:
        return Reply([str(found)], {"sentence": text, "given": str(given), "answer": NO_WORLD})
    whose = "".join(dict.fromkeys(f"for {report['for']}: " for report in reports.values() if "for" in report))
    reading = _reading_of(reports.values()) + _sampled(source)
    if isinstance(question, Who):
        said = {name: chances_in_words(chances) for name, chances in found.chances.items()}
        rows = [
            (name, said.get(name) or reports[str(f)]["answer"], reports[str(f)]["formula"])
            for name, f in question.answers
        ]
        answers = {name: reports[str(f)] for name, f in question.answers}
        content = {"sentence": text, "who": [*found.names], "possibly": [*found.possible], "answers": answers}
        return Reply([f"{whose}{found}", *columns(rows), *reading], content)
    lines = [f"{whose}{found}"] if question.relation else []
    parts: list[dict[str, Any]] = []
    for formula, chances in found.chances.items():
        report, total = reports.get(formula, {"formula": formula}), sum(chances.values())
        for value, worlds in chances.items():
            share = f" in {worlds} of {total} worlds" if worlds < total else ""
            if viewer is None and given is None:
                share = f" ({value * total} of {total} worlds)"
            lines.append(f"{whose}{value}{share}")
        lines.append(_read_as(report))
        values = [{"probability": str(value), "worlds": n} for value, n in chances.items()]
        kept = {name: value for name, value in report.items() if name in _ABOUT_AN_ANSWER}
        parts.append({"sentence": text, **kept, "worlds": total, "values": values})
    if found.holds is not None:
        parts[0]["holds"] = found.holds
    for other in parts[1:]:
        parts[0]["other"] = other
    return Reply([*lines, *reading], parts[0])


def _sentence(text: str, read_as: Formula) -> dict[str, str]:
    """Return a question as a string for its report, if it is not a formula."""
    try:
        return {} if parse(text) is read_as else {"sentence": text}
    except errors.FormulaSyntaxError:
        return {"sentence": text}


def _report(
    source: _Source, f: Formula, given: Formula | None, how: Settled, *, explain: bool, since: bool
) -> dict[str, Any]:
    """Return the answer to one formula, perhaps on a condition, as it is printed for programs."""
    why: Callable[[], Explanation]
    if isinstance(source, KripkeModel):
        verdict = source.verdict(f, given=given)
        text, why = verdict_in_words(verdict, f, given), lambda: source.explain(f, given=given)
    else:
        answer = source.ask(f, given=given, **how)
        given = answer.given
        f, verdict, text, why = answer.formula, answer.verdict, str(answer), answer.explain
    report: dict[str, Any] = {"formula": str(f), "verdict": str(verdict), "worlds": verdict.total}
    report |= {"satisfied": verdict.satisfied, "answer": text}
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
            report["because"] = str(why())
            if not isinstance(source, KripkeModel) and (reasons := answer.reasons()):
                report["rests on"] = list(reasons)
        except KripkeError as error:  # the answer was found all the same
            report["not explained"] = str(error)
    if since and not isinstance(source, KripkeModel):
        report["since"] = None
        if held := source.since(f, given=given):
            report["since"] = {"event": held.number, "what": held.event}
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
    if "since" in report:
        text += _since_text(report["since"])
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


def _since_text(held: dict[str, Any] | None) -> str:
    if held is None:
        return ", it does not hold now"
    if held["event"] == 0:
        return ", since the start"
    return f", since event {held['event']}: {held['what']}"


# --- knowledge and timeline ------------------------------------------------------------------------


@command("game knowledge", how={Asking: "reading timeout"})
def _knowledge(
    log: str,
    *,
    viewer: Viewer = None,
    about: str | None = None,
    draw: NewFile | None = None,
    how: Settled,
) -> Reply:
    """Print what the players know about each other in the game in LOG.

    Each row is the knowledge of one player: the role of another player, if they know it; otherwise the
    roles they can exclude, and the exact probability that the other is a wolf.

    Options:
      --about FORMULA: Print who knows whether this formula is true.
      --draw: Draw the matrix to this file.
    """
    game = load_game(log)
    if about is not None:
        if viewer is not None or draw is not None:
            others = "--player and --draw"
            raise KripkeError(f"--about asks all players about one formula; {others} cannot be added")
        return _who_knows(game, *_yes_or_no(about, read_asked(about, _vocabulary(game))), how)
    matrix = game.knowledge(**how)
    if viewer is not None:
        from kripke_werewolf.play.console.commands import player_named

        matrix = matrix.of(player_named(viewer, game.setup))
    if draw is not None:
        from visualise import knowledge_map
        from visualise.matplotlib_output import save_axes

        save_axes(knowledge_map(matrix), draw)
    return Reply([str(matrix)], matrix.to_dict())


def _who_knows(game: QuantumWerewolf, about: Formula, given: Formula | None, how: Settled) -> Reply:
    """Return for each player whether they know that a formula is true, or that it is not."""
    found = game.who_knows(about, given=given, reading=how["reading"], timeout=how["timeout"])
    (table,) = found.display()
    return Reply([*columns(table.rows), found.note], found.to_dict())


def _sampled(source: _Source) -> list[str]:
    """Return the remark below an answer that is about a sample of the worlds of a game."""
    sampled = "" if isinstance(source, KripkeModel) else source.setup.sampled
    return [sampled] if sampled else []


@command("game timeline", how={Asking: "reading timeout"})
def _timeline(log: str, formulas: Words, *, plot: NewFile | None = None, how: Settled) -> Reply:
    """Print for every event of the game in LOG whether formulas are true after it.

    yes: in all surviving worlds; no: in none; otherwise the number of worlds is given.

    Options:
      --plot: Draw the share of worlds where the formulas are true to this file.
    """
    game = load_game(log)
    questions = [read_asked(text, _vocabulary(game)) for text in formulas]
    asked = [_yes_or_no(text, question)[0] for text, question in zip(formulas, questions, strict=True)]
    moments = game.timeline(*formulas, **how)
    if plot is not None:
        from visualise import timeline_plot
        from visualise.matplotlib_output import save_axes

        save_axes(timeline_plot(moments, asked), plot)
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
    FORMULAs have the syntax of this library, where SMCDEL's atom 1 is written "1", in quotes.

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
    answers = [*(answer for _, answer in answered), *true]
    return Reply(lines, {"answers": answers}, yes=all(true), indent=None)


def _answer_text(answer: SmcdelAnswer) -> str:
    if isinstance(answer, bool):
        return "true" if answer else "false"
    # in the order of the answer, as programs get it
    return " ".join(f"{{{', '.join(map(str, state))}}}" for state in answer) or "nowhere"
