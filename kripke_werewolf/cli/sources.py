"""Reads the input files of commands: text files, models, and logs of games."""

from __future__ import annotations

import re
from pathlib import Path

import kripke_werewolf as kw
from kripke_werewolf.base.drawing import is_picture
from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.base.files import holds_night, parse_json, read_text
from kripke_werewolf.cli.output import note


def load_source(path: str, n: int | None = None) -> kw.QuantumWerewolf | kw.KripkeModel:
    """Read a game log (JSON lines) or a model (one JSON object), whichever the file holds.

    The name of a puzzle stands for its model of size `n`, and a picture for the one that it shows. Raises
    `FormatError`, naming the line and the error, and `OSError` for a file that cannot be read.
    """
    if n is not None or not Path(path).suffix:  # for other files no puzzle is imported
        from kripke_werewolf.logic.puzzles.catalogue import names_puzzle, puzzle

        if names_puzzle(path, n):
            note(f"at the start of the puzzle; `draw {path} --updates … -o new.json` saves later models")
            return puzzle(path, n).model
    if path.endswith(".jsonl") and not holds_night(Path(path)):
        return kw.replay(path)
    if is_picture(path):
        return kw.KripkeModel.load(path)
    text = read_text(path)
    if not text.strip():
        raise FormatError(f"{path} is empty; expected a model or the log of a game")
    try:
        data = parse_json(text, path)
    except FormatError as error:
        if str(error).endswith(": extra data"):  # more than one object: lines of JSON
            return kw.replay(path)
        if re.search(r"(?mi)^\s*rules:", text):
            sheet = f"{path}: a typed sheet, which `game infer` reads"
            raise FormatError(f"{sheet}, not the log of a game") from None
        if "line 1, column 1: expecting" in str(error):
            kinds = "a model (JSON, from model.save(…)) nor the log of a game (from play --log)"
            raise FormatError(f"{path} is neither {kinds}; `check` reads files of SMCDEL") from None
        raise
    if isinstance(data, dict) and "rules" in data:  # the header of a game without moves
        return kw.replay(path)
    if isinstance(data, dict) and "handout" in str(data.get("format")):
        raise FormatError(f"{path}: a handout, which `game infer` reads, not the log of a game")
    if isinstance(data, dict) and "one night" in str(data.get("format")):
        return kw.PlayedNight.from_dict(data).model
    try:
        return kw.KripkeModel.from_dict(data)
    except FormatError as error:
        raise FormatError(f"{path}: {error}") from None


def load_game(path: str, step: int | str | None = None) -> kw.QuantumWerewolf:
    """Read the log of a game, up to `step` if given; raises `FormatError` if the file holds a model."""
    found = load_source(path)
    if isinstance(found, kw.KripkeModel):
        what = "a model"
        if holds_night(Path(path)):
            what = "a night, which `ask`, `game handout`, `game night` and `game report` read"
        raise FormatError(f"{path}: {what}, not the log of a game")
    return found if step is None else found.at(step)


def load_model(path: str) -> kw.KripkeModel:
    """Read a model; raises `FormatError` if the file holds the log of a game."""
    found = load_source(path)
    if not isinstance(found, kw.KripkeModel):
        raise FormatError(f"{path}: the log of a game, not a model; `ask` asks about games")
    return found
