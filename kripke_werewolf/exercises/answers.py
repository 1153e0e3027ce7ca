"""Reading answers: yes or no, worlds, formulas, models."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from kripke_werewolf.errors import (
    FormatError,
    FormulaSyntaxError,
    KripkeError,
    UnknownAgentError,
    UnknownAtomError,
    UnknownNameError,
)
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.parser import parse
from kripke_werewolf.models.formats import json as json_format
from kripke_werewolf.models.model import KripkeModel

__all__ = ["located", "read_answer", "read_formula", "read_model", "read_worlds", "read_yes_no"]

_YES_NO = {"yes": True, "y": True, "true": True, "no": False, "n": False, "false": False}


def located(text: str, position: int, source: str, message: str) -> FormatError:
    """Return an error that names line and column of a place in a text, and shows them."""
    start = text.rfind("\n", 0, position) + 1
    line = text[start:].split("\n", 1)[0]
    column = position - start
    return FormatError(
        f"{source}, line {text.count(chr(10), 0, position) + 1}, column {column + 1}: {message}\n"
        f"  {line}\n  {' ' * column}^"
    )


def _begin(text: str) -> int:
    return len(text) - len(text.lstrip())


def read_yes_no(text: str, source: str) -> bool:
    """Return yes as True and no as False."""
    word = text.strip().rstrip(".").casefold()
    if word not in _YES_NO:
        raise located(text, _begin(text), source, f"expected yes or no, got {text.strip()[:40]!r}")
    return _YES_NO[word]


def read_worlds(text: str, names: Sequence[str], source: str) -> list[str]:
    """Return the names of worlds in a text, between commas or on lines of their own; `none`: no world."""
    if text.strip().casefold() == "none" and "none" not in names:
        return []
    found = []
    for piece in re.finditer(r"[^,;\n]+", text.replace("{", " ").replace("}", " ")):
        name = piece[0].strip()
        if name and name not in names:
            error = UnknownNameError(name, names, kind="world")
            raise located(text, piece.start() + _begin(piece[0]), source, str(error))
        found += [name] if name else []
    if not found:
        raise located(text, len(text.rstrip()), source, "expected names of worlds between commas, or none")
    return found


def read_formula(text: str, model: KripkeModel, source: str) -> Formula:
    """Return the formula in a text, over the atoms and agents of the model."""
    try:
        found = parse(text)
    except FormulaSyntaxError as error:
        reason = str(error).split("\n", 1)[0].partition(": ")[2]
        raise located(text, error.position, source, reason) from None
    except KripkeError as error:
        raise located(text, _begin(text), source, str(error)) from None
    for names, known, kind in (
        (found.atoms, model.atoms, UnknownAtomError),
        (found.agents, model.agents, UnknownAgentError),
    ):
        for name in sorted(names):
            if name not in known:
                place = re.search(rf"(?<![^\W_]){re.escape(name)}(?!\w)", text)
                at = place.start() if place else _begin(text)
                raise located(text, at, source, str(kind(name, known)))
    try:
        model.truth_set(found)
    except KripkeError as error:  # an action or variable that the model does not have
        raise located(text, _begin(text), source, str(error)) from None
    return found


def read_answer(text: str, choices: Sequence[Formula], model: KripkeModel, source: str) -> Formula:
    """Return the formula in a text; if there are choices, the one with the number there, or that is there."""
    if not choices:
        return read_formula(text, model, source)
    word = text.strip().rstrip(".)")
    if word.isdecimal() and 1 <= int(word) <= len(choices):
        return choices[int(word) - 1]
    for f in choices:
        if str(f) == word:
            return f
    message = f"expected a number from 1 to {len(choices)}, got {text.strip()[:40]!r}"
    raise located(text, _begin(text), source, message)


def read_model(text: str, source: str, f: Formula) -> KripkeModel:
    """Return the model in a JSON text, which must have the atoms and agents of the formula."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        message = f"expected a model as JSON: {error.msg[:1].lower()}{error.msg[1:]}"
        raise located(text, error.pos, source, message) from None
    try:
        if isinstance(data, dict):  # as in exercise files, the header may be left out
            data = {"format": json_format.FORMAT, "version": 1, **data}
        model = KripkeModel.from_dict(data)
        model.truth_set(f)
    except KripkeError as error:
        raise FormatError(f"{source}: {error}") from None
    return model
