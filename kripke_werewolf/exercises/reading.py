"""Exercise files: TOML with the keys of the kind and a model, inline or from elsewhere.

The format is described in docs/exercises.md. Errors name line and column of the key that is wrong.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable, Hashable, Mapping
from pathlib import Path
from typing import Any, NoReturn

from kripke_werewolf.errors import (
    FormatError,
    FormulaSyntaxError,
    KripkeError,
    UnknownAgentError,
    UnknownNameError,
    near_misses,
)
from kripke_werewolf.exercises.answers import located
from kripke_werewolf.exercises.tasks import (
    Announcement,
    Distinguish,
    Exercise,
    FindModel,
    ModelChecking,
    TruthSet,
)
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.logics import logic_named
from kripke_werewolf.language.parser import parse
from kripke_werewolf.models.formats import json as json_format
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.puzzles.catalogue import puzzle
from kripke_werewolf.semantics.history import History
from kripke_werewolf.semantics.wording import world_text
from kripke_werewolf.stories import read_story

__all__ = ["read_exercise", "to_toml"]


def read_exercise(path: str | os.PathLike[str]) -> Exercise:
    """Return the exercise in a TOML file.

    Raises `FormatError` with line and column and what was expected; `OSError` if the file, or one
    that it names, cannot be opened.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(f"{os.fspath(path)}: byte {error.start} is not UTF-8 text") from None
    return _Reader(text, Path(path)).read()


_KEYS = {
    "model-checking": (("formula", "at", "model"), ()),
    "truth-set": (("formula", "model"), ()),
    "find-model": (("formula", "logic"), ("most_worlds",)),
    "distinguish": (("true_at", "false_at", "model"), ("most_depth", "choices")),
    "announcement": (("learns", "model"), ("speaker", "ignorant", "choices")),
}


class _Reader:
    """One reading; keys are named by their path in the file."""

    def __init__(self, text: str, path: Path) -> None:
        self.text, self.path = text, path
        try:
            self.data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            place = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
            message = str(error).partition(" (at ")[0]
            at = len(text.rstrip())
            if place:
                lines = text.split("\n")[: int(place[1]) - 1]
                at = sum(len(line) + 1 for line in lines) + int(place[2]) - 1
            raise located(text, at, str(path), f"this is not TOML: {message}") from None
        self.model: KripkeModel | None = None

    def fail(self, key: str, message: str, offset: int = 0) -> NoReturn:
        raise located(self.text, self._place(key) + offset, str(self.path), message) from None

    def _place(self, path: str) -> int:
        """Return where the value of a key stands, as nearly as its lines show."""
        *tables, key = path.split(".")
        table, at = "", 0
        quoted = rf'\s*"?{re.escape(key)}"?\s*=\s*'
        whole = rf'\s*"?{re.escape(path)}"?\s*=\s*'
        for line in self.text.splitlines(keepends=True):
            header = re.match(r"\s*\[\s*([^\[\]]+?)\s*\]", line)
            if header:
                table = header[1].replace('"', "")
                if table == path:
                    return at
            found = re.match(quoted, line) if table == ".".join(tables) else re.match(whole, line)
            if found:
                return at + found.end()
            at += len(line)
        return self._place(".".join(tables)) if tables else 0

    # --- values ------------------------------------------------------------------------------------

    def read(self) -> Exercise:
        kind = self.data.get("kind")
        if kind not in _KEYS:
            got = f", got {kind!r}" if "kind" in self.data else ": missing"
            near = near_misses(str(kind), _KEYS)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            self.fail("kind", f"expected a kind of exercise ({', '.join(_KEYS)}){got}{hint}")
        required, optional = _KEYS[kind]
        for key in self.data:
            if key not in ("kind", "title", *required, *optional):
                near = near_misses(key, (*required, *optional, "title"))
                hint = f"; did you mean {near[0]!r}?" if near else ""
                allowed = ", ".join(("title", *required, *optional))
                self.fail(key, f"a {kind} exercise has no key {key!r} (allowed: {allowed}){hint}")
        for key in required:
            if key not in self.data:
                self.fail("kind", f"a {kind} exercise needs the key {key!r}")
        title = self.string("title") if "title" in self.data else ""
        if "model" in required:
            self.model = self._model()
        return _BUILDERS[kind](self, title)

    def string(self, key: str) -> str:
        value = self.value(key)
        if not isinstance(value, str):
            self.fail(key, f"expected a text, got {value!r}")
        return value

    def value(self, key: str) -> Any:
        found: Any = self.data
        for part in key.split("."):
            found = found[part]
        return found

    def number(self, key: str) -> int | None:
        value = self.data.get(key)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 0):
            self.fail(key, f"expected a whole number, got {value!r}")
        return value

    def formula(self, key: str, text: object = None) -> Formula:
        given = self.value(key) if text is None else text
        if not isinstance(given, str):
            self.fail(key, f"expected a formula as a text, got {given!r}")
        # where the text itself stands, if it is written as it is
        written = self.text.find(json.dumps(given, ensure_ascii=False), self._place(key))
        inside = written - self._place(key) + 1 if written >= 0 else 0
        try:
            found = parse(given)
            if self.model is not None:
                self.model.truth_set(found)
        except FormulaSyntaxError as error:
            reason = str(error).split("\n", 1)[0].partition(": ")[2]
            self.fail(key, reason, inside + error.position)
        except UnknownNameError as error:
            place = re.search(rf"(?<![^\W_]){re.escape(str(error.name))}(?!\w)", given)
            self.fail(key, str(error), inside + (place.start() if place else 0))
        except KripkeError as error:
            self.fail(key, str(error), inside)
        return found

    def world(self, key: str) -> Hashable:
        value = self.value(key)
        assert self.model is not None
        for name in self.model.worlds:
            if name == value or world_text(name) == str(value):
                return name
        known = [world_text(w) for w in self.model.worlds]
        return self.fail(key, str(UnknownNameError(value, known, kind="world")))

    def agent(self, key: str, name: str) -> str:
        assert self.model is not None
        if name not in self.model.agents:
            self.fail(key, str(UnknownAgentError(name, self.model.agents)))
        return name

    def pairs(self, key: str) -> tuple[tuple[str, Formula], ...]:
        table = self.data.get(key, {})
        if not isinstance(table, Mapping):
            self.fail(key, f'expected a table such as {{b = "p"}}, got {table!r}')
        found = []
        for agent, given in table.items():
            place = f"{key}.{agent}"
            self.agent(place, agent)
            for text in given if isinstance(given, list) else [given]:
                found.append((agent, self.formula(place, text)))
        return tuple(found)

    def choices(self) -> tuple[Formula, ...]:
        given = self.data.get("choices", [])
        if not isinstance(given, list):
            self.fail("choices", f"expected a list of formulas, got {given!r}")
        return tuple(self.formula("choices", text) for text in given)

    # --- the model ---------------------------------------------------------------------------------

    def _model(self) -> KripkeModel:
        given = self.data["model"]
        if not isinstance(given, Mapping):
            self.fail("model", f"expected a table [model], got {given!r}")
        sources = [key for key in ("puzzle", "story", "file") if key in given]
        if not sources:
            try:
                return KripkeModel.from_dict({"format": json_format.FORMAT, "version": 1, **given})
            except FormatError as error:
                key = re.match(r"[\w.]*", str(error))
                self.fail(f"model.{key[0]}" if key and key[0] else "model", str(error))
        source = sources[0]
        allowed = (source, "after", "designated", *(["n"] if source == "puzzle" else []))
        for key in given:
            if key not in allowed:
                self.fail(f"model.{key}", f"expected one of {', '.join(allowed)}, got {key!r}")
        name, after = self.string(f"model.{source}"), given.get("after", 0)
        try:
            if source == "file":
                history = History(json_format.read(self.path.parent / name))
            elif source == "story":
                history = read_story(self.path.parent / name).history()
            else:
                history = puzzle(name, n=given.get("n")).history()
            model = history.at(after)
        except (KripkeError, TypeError) as error:
            self.fail(f"model.{source}", str(error))
        if "designated" in given:
            self.model = model
            model = model.point(self.world("model.designated"))
        return model


def _the_model(reader: _Reader) -> KripkeModel:
    assert reader.model is not None
    return reader.model


def _model_checking(reader: _Reader, title: str) -> Exercise:
    return ModelChecking(title, _the_model(reader), reader.formula("formula"), reader.world("at"))


def _truth_set(reader: _Reader, title: str) -> Exercise:
    return TruthSet(title, _the_model(reader), reader.formula("formula"))


def _find_model(reader: _Reader, title: str) -> Exercise:
    try:
        logic = logic_named(reader.string("logic")).name
    except KripkeError as error:
        reader.fail("logic", str(error))
    return FindModel(title, reader.formula("formula"), logic, reader.number("most_worlds"))


def _distinguish(reader: _Reader, title: str) -> Exercise:
    return Distinguish(
        title,
        _the_model(reader),
        reader.world("true_at"),
        reader.world("false_at"),
        reader.number("most_depth"),
        reader.choices(),
    )


def _announcement(reader: _Reader, title: str) -> Exercise:
    speaker = reader.agent("speaker", reader.string("speaker")) if "speaker" in reader.data else None
    learns, ignorant = reader.pairs("learns"), reader.pairs("ignorant")
    return Announcement(title, _the_model(reader), speaker, learns, ignorant, reader.choices())


_BUILDERS: Mapping[str, Callable[[_Reader, str], Exercise]] = {
    "model-checking": _model_checking,
    "truth-set": _truth_set,
    "find-model": _find_model,
    "distinguish": _distinguish,
    "announcement": _announcement,
}


# --- writing ---------------------------------------------------------------------------------------


def to_toml(exercise: Exercise) -> str:
    """Return the exercise file that `read_exercise` reads back as the same exercise."""
    rows: dict[str, Any] = {"kind": exercise.kind}
    if exercise.title:
        rows["title"] = exercise.title
    tables: dict[str, Mapping[str, Any]] = {}
    match exercise:
        case ModelChecking(_, _, f, at):
            rows |= {"formula": str(f), "at": world_text(at)}
        case TruthSet(_, _, f):
            rows |= {"formula": str(f)}
        case FindModel(_, f, logic, most):
            rows |= {"formula": str(f), "logic": logic} | ({} if most is None else {"most_worlds": most})
        case Distinguish(_, _, true_at, false_at, most, _):
            rows |= {"true_at": world_text(true_at), "false_at": world_text(false_at)}
            rows |= {} if most is None else {"most_depth": most}
        case Announcement(_, _, speaker, learns, ignorant, _):
            rows |= {} if speaker is None else {"speaker": speaker}
            for name, pairs in (("learns", learns), ("ignorant", ignorant)):
                agents = dict.fromkeys(agent for agent, _ in pairs)
                tables[name] = {a: [str(f) for agent, f in pairs if agent == a] for a in agents}
    if exercise.shown_choices:
        rows["choices"] = [str(f) for f in exercise.shown_choices]
    if exercise.shown_model is not None:
        data = json_format.to_dict(exercise.shown_model)
        tables["model"] = {k: data[k] for k in ("worlds", "designated") if data[k] is not None}
        for part in ("relations", "valuation", "weights", "variables"):
            if part in data:
                tables[f"model.{part}"] = data[part]
    lines = [f"{key} = {_value(value)}" for key, value in rows.items()]
    for name, table in tables.items():
        lines += ["", f"[{name}]", *(f"{_key(key)} = {_value(value)}" for key, value in table.items())]
    return "\n".join(lines) + "\n"


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        if value and all(isinstance(v, str) and len(v) > 20 for v in value):
            return "[\n" + "".join(f"  {_value(v)},\n" for v in value) + "]"
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
