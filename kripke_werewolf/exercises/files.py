"""Exercises as TOML files.

The format is described in docs/exercises.md. Errors name line and column of the wrong key.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kripke_werewolf.exercises.exercise import Exercise
from kripke_werewolf.exercises.serialisation import ExerciseReader, to_dict
from kripke_werewolf.files import read_text
from kripke_werewolf.stories.text import located


def read_exercise(path: str | os.PathLike[str]) -> Exercise:
    """Return the exercise in a TOML file.

    Raises `FormatError` with line, column and what was expected; `OSError` if the file, or one that it names,
    cannot be opened.
    """
    return parse_exercise(read_text(path), str(path), Path(path).parent)


def parse_exercise(text: str, source: str = "exercise", folder: Path | None = None) -> Exercise:
    """Return the exercise in a TOML string; `source` is its name in errors, `folder` that of its files."""
    return ExerciseReader(parse_toml(text, source), source, text, folder).exercise()


def parse_toml(text: str, source: str) -> dict[str, Any]:
    """Return the data in a TOML string; raises `FormatError` with line and column."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        place = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        message = str(error).partition(" (at ")[0]
        at = len(text.rstrip())
        if place:
            lines = text.split("\n")[: int(place[1]) - 1]
            at = sum(len(line) + 1 for line in lines) + int(place[2]) - 1
        raise located(text, at, source, f"this is not TOML: {message}") from None


def to_toml(exercise: Exercise) -> str:
    """Return the exercise file that `read_exercise` reads back as the same exercise."""
    return toml_text(to_dict(exercise))


def toml_text(data: Mapping[str, Any], within: str = "") -> str:
    """Return plain data as TOML: mappings, including nested ones, as tables.

    `within`: the name of the enclosing table.
    """
    lines: list[str] = []
    tables: list[tuple[str, Mapping[str, Any]]] = [(within, data)]
    while tables:
        path, table = tables.pop(0)
        inner = {
            k: v
            for k, v in table.items()
            if isinstance(v, Mapping) and path.count(".") - within.count(".") <= bool(within)
        }
        rows = {k: v for k, v in table.items() if k not in inner}
        if path != within and (rows or not inner):
            lines += ["", f"[{path}]"]
        lines += [f"{_toml_key(key)} = {_toml(value)}" for key, value in rows.items()]
        prefix = f"{path}." if path else ""
        tables[:0] = [(f"{prefix}{_toml_key(key)}", value) for key, value in inner.items()]
    return "\n".join(lines) + "\n"


def _toml_key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_toml_key(k)} = {_toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        if value and all(isinstance(v, str) and len(v) > 20 for v in value):
            return "[\n" + "".join(f"  {_toml(v)},\n" for v in value) + "]"
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
