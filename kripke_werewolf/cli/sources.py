"""Reads the input files of commands: text files, models, and logs of games."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from kripke_werewolf.base.drawing import is_picture
from kripke_werewolf.base.errors import FormatError, GameError
from kripke_werewolf.base.files import holds_night, parse_json, read_text
from kripke_werewolf.cli.declared import Words
from kripke_werewolf.logic import models

ONE_NIGHT_RULES = "one-night"
"""The name of One Night among the rule sets."""

RolesFile = Annotated[str | None, click.Path(exists=True, dir_okay=False)]
"""A Python file that declares roles."""

if TYPE_CHECKING:
    from kripke_werewolf.games.werewolf import QuantumWerewolf, Role
    from kripke_werewolf.logic.models import KripkeModel


def load_source(path: str, n: int | None = None) -> QuantumWerewolf | KripkeModel:
    """Read a game log (JSON lines) or a model (one JSON object), whichever the file holds.

    The name of a puzzle stands for its model of size `n`, and a picture for the one that it shows. Raises
    `FormatError`, naming the line and the error, and `OSError` for a file that cannot be read.
    """
    if n is not None or not Path(path).suffix:  # for other files no puzzle is imported
        from kripke_werewolf.logic.puzzles.catalogue import names_puzzle, puzzle

        if names_puzzle(path, n):
            return puzzle(path, n).model
    if path.endswith(".jsonl") and not holds_night(Path(path)):
        return _replay(path)
    if is_picture(path):
        return models.KripkeModel.load(path)
    text = read_text(path)
    if not text.strip():
        raise FormatError(f"{path} is empty; expected a model or the log of a game")
    try:
        data = parse_json(text, path)
    except FormatError as error:
        if str(error).endswith(": extra data"):  # more than one object: lines of JSON
            return _replay(path)
        if re.search(r"(?mi)^\s*rules:", text):
            sheet = f"{path}: a typed sheet, which `game infer` reads"
            raise FormatError(f"{sheet}, not the log of a game") from None
        if "line 1, column 1: expecting" in str(error):
            kinds = "a model (JSON, from model.save(…)) nor the log of a game (from play --log)"
            raise FormatError(f"{path} is neither {kinds}") from None
        raise
    if isinstance(data, dict) and "rules" in data:  # the header of a game without moves
        return _replay(path)
    if isinstance(data, dict) and "handout" in str(data.get("format")):
        raise FormatError(f"{path}: a handout, which `game infer` reads, not the log of a game")
    if isinstance(data, dict) and "one night" in str(data.get("format")):
        from kripke_werewolf.games.one_night import PlayedNight

        return PlayedNight.from_dict(data).model
    try:
        return models.KripkeModel.from_dict(data)
    except FormatError as error:
        raise FormatError(f"{path}: {error}") from None


def load_game(path: str, step: int | None = None) -> QuantumWerewolf:
    """Read the log of a game, up to `step` if given; raises `FormatError` if the file holds a model."""
    found = load_source(path)
    if isinstance(found, models.KripkeModel):
        what = "a model"
        if holds_night(Path(path)):
            what = "a night, which `ask`, `game handout`, `game night` and `game report` read"
        raise FormatError(f"{path}: {what}, not the log of a game")
    return found if step is None else found.at(step)


def load_model(path: str) -> KripkeModel:
    """Read a model; raises `FormatError` if the file holds the log of a game."""
    found = load_source(path)
    if not isinstance(found, models.KripkeModel):
        raise FormatError(f"{path}: the log of a game, not a model; `ask` asks about games")
    return found


def _replay(path: str) -> QuantumWerewolf:
    from kripke_werewolf.games.werewolf import replay

    return replay(path)


def read_cards(
    *, cards: Words = (), roles: RolesFile = None, players: int | None = None, **others: Any
) -> dict[str | Role, int]:
    """Return the numbers of cards of further roles, some declared in a file of the user's own.

    `players`: for how many players cards are suggested. Further settings are ignored.

    Options:
      --cards NAME=NUMBER: Cards of other roles, such as hunter=1; may be repeated. With --players,
        "suggested" stands for those that `game decks` suggests.
      --roles FILE: A Python file that declares roles of your own; all are dealt once unless --cards says so.
    """
    from kripke_werewolf.games.werewolf.roles import read_roles

    if "suggested" in cards:
        from kripke_werewolf.games.werewolf.decks import suggested_cards

        if players is None or len(cards) > 1:
            raise GameError("--cards suggested must stand alone, and needs --players NAME…")
        return suggested_cards(players)
    own = read_roles(roles) if roles is not None else {}
    found: dict[str | Role, int] = dict.fromkeys(own.values(), 1)
    for text in cards:
        name, equals, number = text.replace(":", "=").partition("=")
        if equals and not number.strip().isdecimal():
            raise GameError(f"{text!r} is not a number of cards; write NAME=NUMBER, such as hunter=1")
        found[own.get(name.strip(), name.strip())] = int(number or "1")
    return found


def night_cards(settings: Mapping[str, Any], players: int = 3) -> tuple[str | Role, ...]:
    """Return the cards of One Night that settings name, or the usual ones and villagers."""
    from kripke_werewolf.games.werewolf.roles import USUAL_CARDS

    number = players + settings.get("middle", 3)
    cards = Counter(read_cards(**{**settings, "players": None})).elements()
    return tuple(cards) or (*USUAL_CARDS, *["villager"] * number)[:number]
