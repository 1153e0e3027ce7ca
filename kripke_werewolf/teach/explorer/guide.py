"""Guided stories: the next event in words, first a prediction, then the outcome."""

from __future__ import annotations

from itertools import pairwise

from kripke_werewolf.base.errors import FormatError, ModelError
from kripke_werewolf.base.reports.tables import counted
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.puzzles.puzzle import Asked, Happened, Moment, Sized
from kripke_werewolf.teach.explorer.boards import Board
from kripke_werewolf.teach.explorer.state import Json, State, number_written

VERDICTS = ("true", "false", "mixed")


def guide_of(state: State, board: Board) -> Json | None:
    """Return the position of a board in its story; None if it has none."""
    source = board.source
    if not source.moments:
        return None
    position = board.moment
    finished = position >= len(source.moments)
    following, question = (None, None) if finished else _told(source.moments[position])
    return {
        "title": source.title,
        "credit": source.credit,
        "position": position,
        "of": len(source.moments),
        "done": _done(state, board),
        "next": following,
        "question": question,
        "prediction": state.predictions.get(position),
        "finished": finished,
    }


def check_prediction(board: Board, answer: object) -> str:
    """Return a prediction in stored form; raises `FormatError` for the wrong format."""
    moments = board.source.moments
    if board.moment >= len(moments):
        raise ModelError("there is nothing to predict here")
    word = str(answer).strip().casefold()
    if isinstance(moments[board.moment], Asked):
        said = {"yes": "true", "no": "false"}.get(word, word)
        if said not in VERDICTS:
            raise FormatError(f"expected one of {', '.join(VERDICTS)}, got {answer!r}")
        return said
    if (number := number_written(word)) < 0:
        raise FormatError(f"expected a number of worlds, got {answer!r}")
    return str(number)


def _told(moment: Moment) -> tuple[Json, Json]:
    """Return a moment, and the question about it."""
    choices = None
    match moment:
        case Happened(words, f):
            kind, asked = "event", "How many worlds will there be after this?"
        case Asked(words, f):
            kind, asked, choices = "question", "Is this true now?", list(VERDICTS)
        case Sized(_, f):
            where = "now" if f is None else "now where this is true"
            kind, words, asked = "size", "How many worlds?", f"How many worlds are there {where}?"
    told = {"kind": kind, "words": words, "unicode": f.unicode() if isinstance(f, Formula) else None}
    return told, {"words": asked, "choices": choices}


def _done(state: State, board: Board) -> list[Json]:
    """Return the past moments of the story, with the predictions."""
    found: list[Json] = []
    for before, at in pairwise(board.path):
        if at.do.get("command") == "next":
            moment = at.source.moments[before.moment]
            outcome, value = _outcome(moment, at)
            said = state.predictions.get(before.moment)
            right = None if said is None else said == value
            told, _ = _told(moment)
            found.append({**told, "outcome": outcome, "value": value, "prediction": said, "right": right})
    return found


def _outcome(moment: Moment, board: Board) -> tuple[str, str]:
    """Return the outcome of a moment, in words and in the form of a prediction."""
    model = board.model
    match moment:
        case Happened():
            left = counted(len(model), "world")
            return f"{left} now.", str(len(model))
        case Asked(_, f):
            verdict = model.verdict(f)
            return f"{verdict.in_words().capitalize()}.", str(verdict)
        case Sized(_, f):
            count = len(model) if f is None else len(model.where(f))
            return f"{counted(count, 'world')}.", str(count)
