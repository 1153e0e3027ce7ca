"""Logs of Quantum Werewolf: the public view, or one player's, made only from their handout.

The state contains the handout and its model, not the log: so a link reveals no more than the player, or
everybody, knows, and opens without the engine of the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kripke_werewolf.base.errors import FormatError, KripkeError
from kripke_werewolf.base.reports.documents import Heading, Items, Paragraph
from kripke_werewolf.base.reports.tables import Grid
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.notation.reading import meanings_of
from kripke_werewolf.logic.semantics.answers import Answer, answer_to
from kripke_werewolf.teach.explorer import limits
from kripke_werewolf.teach.explorer.limits import limited
from kripke_werewolf.teach.explorer.state import Json, Kept, State, digest, read_as, read_object

if TYPE_CHECKING:
    from kripke_werewolf.games.werewolf import Told


def state_of_game(text: str, do: Json) -> State | Json:
    """Return the state of a log as seen by one player (or publicly); or the players to choose from."""
    from kripke_werewolf.games.werewolf import replay
    from kripke_werewolf.games.werewolf.told import told

    game = replay(text.splitlines())
    if "player" not in do:
        return {"choose": list(game.players)}
    player = do["player"]
    if player is not None and player not in game.players:
        raise FormatError(f"player: expected one of {', '.join(game.players)}, got {player!r}")
    return State(start={"game": _seen(told(game, *filter(None, [player])))})


def state_of_handout(data: Mapping[str, Any]) -> State:
    """Return the state of a player's handout, as written by `Told.to_dict`."""
    from kripke_werewolf.games.werewolf import Told

    return State(start={"game": _seen(Told.from_dict(data))})


def _seen(known: Told) -> Json:
    """Return the parts of a handout, and the model of the player's knowledge.

    `no_model`: the reason if there is none.
    """
    document = known.document
    phases = list[dict[str, Any]]()
    for block in (Heading(document.title), *document.blocks):
        match block:
            case Heading(text):
                phases.append({"heading": text, "lines": [], "table": None})
            case Paragraph(text):
                phases[-1]["lines"].append(text)
            case Items(texts):
                phases[-1]["lines"] += texts
            case Grid(header, rows):
                phases[-1]["table"] = [list(row) for row in (header, *rows)]
    model, why = _model(known)
    return {
        "title": document.title,
        "who": known.player or None,
        "handout": known.to_dict(),
        "phases": phases,
        "model": None if model is None else model.to_dict(),
        "no_model": why or None,
    }


def _model(known: Told) -> tuple[KripkeModel | None, str]:
    """Return the model of a player's knowledge, or the reason why there is none."""
    from kripke_werewolf.games.werewolf.game_models import build_model

    if not known.player:
        return None, "Open the log as one player to see the model of what they know."
    try:
        with limited(limits.EFFORT_OF_PART, "the model of this game"):
            model = build_model(known, [known.player], limit=limits.MOST_WORLDS)
            return model.with_words(known.words), ""
    except KripkeError as error:
        return None, str(error)


_answers = Kept[Answer](100)


def asked_of_handout(data: Json, text: str) -> Answer:
    """Return the answer to a question by all that a player, or everybody, was told."""
    return _answers.get(digest(data, text), lambda: _asked_of(data, text))


def _asked_of(data: Json, text: str) -> Answer:
    from kripke_werewolf.games.werewolf import Told
    from kripke_werewolf.games.werewolf.questions import OfGame

    known = Told.from_dict(data)
    with limited(limits.EFFORT_OF_PART, "this question"):
        return answer_to(OfGame(known, known.words), text, meanings_of(text, known.words))


def game_view(data: Any) -> Json:
    """Return a player's information without the model; raises `FormatError` for invalid data."""
    phases = []
    for each in read_as(read_object(data, "game").get("phases"), list, "game.phases", "a list"):
        phase = read_object(each, "game.phases")
        lines, table = _texts(phase.get("lines"), "game.phases.lines"), phase.get("table")
        if table is not None:
            table = [_texts(row, "game.table") for row in read_as(table, list, "game", "a list")]
        phases.append({"heading": str(phase.get("heading", "")), "lines": lines, "table": table})
    who, why = (None if data.get(key) is None else str(data[key]) for key in ("who", "no_model"))
    return {"title": str(data.get("title", "")), "who": who, "phases": phases, "no_model": why}


def _texts(value: Any, place: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise FormatError(f"{place}: expected strings")
    return value
