"""What commands read: the log of a game, or a model."""

from __future__ import annotations

import json
from pathlib import Path

from kripke_werewolf.errors import FormatError
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.werewolf.game import QuantumWerewolf
from kripke_werewolf.werewolf.log import replay

__all__ = ["load", "load_game", "player_named"]


def load(path: str) -> QuantumWerewolf | KripkeModel:
    """Read a game log (JSON lines) or a model (one JSON object), whichever the file holds.

    Raises `FormatError`, naming the line and what is wrong, and `OSError` for a file that cannot be read.
    """
    if path.endswith(".jsonl"):
        return replay(path)
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(f"{path}: not a text in UTF-8: {error.reason} at byte {error.start}") from None
    try:
        data = json.loads(text)
    except RecursionError:
        raise FormatError(f"{path}: the data are nested too deeply") from None
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":  # more than one object: lines of JSON
            return replay(path)
        raise FormatError(f"{path}, line {error.lineno}, column {error.colno}: {error.msg}") from None
    if isinstance(data, dict) and "rules" in data:  # the header of a game without moves
        return replay(path)
    try:
        return KripkeModel.from_dict(data)
    except FormatError as error:
        raise FormatError(f"{path}: {error}") from None


def load_game(path: str) -> QuantumWerewolf:
    """Read the log of a game; raises `FormatError` if the file holds a model."""
    found = load(path)
    if isinstance(found, KripkeModel):
        raise FormatError(f"{path}: a model, not the log of a game")
    return found


def player_named(game: QuantumWerewolf, text: str) -> str:
    """Return the player called so, or with this number; raises `UnknownNameError`."""
    by_number = {str(n): name for n, name in zip(game.setup.numbers, game.players, strict=True)}
    return text if text in game.players else by_number.get(text) or game.players[game.setup.seat(text)]
