"""The fields of exercises as plain data: how each type of field is read from TOML or JSON, and written.

A field of an exercise has one of the types in `_TYPES`. Formulas, agents and worlds are checked against the
last model in a field before them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from contextlib import suppress
from dataclasses import MISSING, fields
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Annotated, Any, NamedTuple, NoReturn, TypeAlias, get_args, get_origin, get_type_hints

from kripke_werewolf.deciding import logic_named
from kripke_werewolf.errors import FormatError, KripkeError, UnknownAgentError, UnknownNameError, did_you_mean
from kripke_werewolf.exercises.exercise import Exercise
from kripke_werewolf.exercises.forms import model_without_header
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.models import KripkeModel
from kripke_werewolf.models.history import History
from kripke_werewolf.puzzles import puzzle
from kripke_werewolf.semantics.action import ActionModel
from kripke_werewolf.semantics.explanation import world_text
from kripke_werewolf.stories import read_story
from kripke_werewolf.stories.text import located, read_formula

World: TypeAlias = Annotated[Hashable, "world"]
"""The name of a world of the preceding model."""
Agent: TypeAlias = Annotated[str, "agent"]
"""An agent of the preceding model."""
Logic: TypeAlias = Annotated[str, "logic"]
"""The name of a logic, such as S5."""
Goals: TypeAlias = tuple[tuple[str, Formula], ...]
"""Pairs of an agent and a formula; in files a table of formulas by agent."""
FreeFormula: TypeAlias = Annotated[Formula, "free"]
"""A formula that need not be about the preceding model."""


class ExerciseReader:
    """One reading of an exercise from plain data.

    `text`: the TOML it comes from, in which errors are located. Keys are named by their path, such as
    `model.relations.a`. `folder`: the folder of the files it names.
    """

    def __init__(
        self, data: Mapping[str, Any], source: str, text: str = "", folder: Path | None = None
    ) -> None:
        self.data, self.source, self.text, self.folder = data, source, text, folder
        self.model: KripkeModel | None = None

    def fail(self, key: str, message: str, offset: int = 0) -> NoReturn:
        """Raise `FormatError` at the value of a key."""
        if not self.text and self.data:
            raise FormatError(f"{self.source}: {key}: {message}") from None
        raise located(self.text, self._place(key) + offset, self.source, message) from None

    def _place(self, path: str) -> int:
        """Return the position of a key's value, as precisely as its lines allow."""
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

    def exercise(self) -> Exercise:
        """Return the exercise described by the data."""
        kind = self._kind()
        known = known_fields(kind)
        for key in self.data:
            if key != "kind" and key not in known:
                allowed = f"(allowed: {', '.join(known)}){did_you_mean(key, known)}"
                self.fail(key, f"a {kind.kind} exercise has no key {key!r} {allowed}")
        parts: dict[str, Any] = {"title": ""}
        for key, field in known.items():
            if key in self.data:
                parts[key] = field.read(self, key)
            elif field.default is MISSING:
                self.fail("kind", f"a {kind.kind} exercise needs the key {key!r}")
            else:
                parts[key] = field.default
        try:
            return kind(**parts)
        except KripkeError as error:  # what the kind itself checks
            self.fail("kind", str(error))

    def _kind(self) -> type[Exercise]:
        name = self.data.get("kind")
        if isinstance(name, str) and name in Exercise.kinds:
            return Exercise.kinds[name]
        got = f", got {name!r}" if "kind" in self.data else ": missing"
        expected = f"expected a kind of exercise ({', '.join(Exercise.kinds)})"
        return self.fail("kind", f"{expected}{got}{did_you_mean(str(name), Exercise.kinds)}")

    # --- values ------------------------------------------------------------------------------------

    def value(self, key: str) -> Any:
        """Return the plain value of a key."""
        found: Any = self.data
        for part in key.split("."):
            found = found[part]
        return found

    def _expected(self, key: str, words: str, fits: Callable[[Any], bool]) -> Any:
        """Return the plain value of a key if it fits; `words`: what was expected."""
        value = self.value(key)
        if not fits(value):
            self.fail(key, f"expected {words}, got {value!r}")
        return value

    def string(self, key: str) -> str:
        """Return a string."""
        return str(self._expected(key, "a string", lambda value: isinstance(value, str)))

    def strings(self, key: str) -> tuple[str, ...]:
        """Return several strings."""
        return tuple(self._expected(key, "a list of strings", _is_strings))

    def number(self, key: str) -> int:
        """Return a nonnegative whole number."""
        return int(self._expected(key, "a whole number", lambda value: _is_whole(value) and value >= 0))

    def truth(self, key: str) -> bool:
        """Return a truth value."""
        return bool(self._expected(key, "true or false", lambda value: isinstance(value, bool)))

    def fraction(self, key: str) -> Fraction:
        """Return a number, which may be written as a string such as "2/3"."""
        value = self.value(key)
        with suppress(ValueError, ZeroDivisionError):
            if isinstance(value, str) or _is_whole(value):
                return Fraction(value)
        return self.fail(key, f'expected a number such as 3 or "2/3", got {value!r}')

    def formula(self, key: str) -> Formula:
        """Return a formula about the model."""
        return self._formula_in(key, self.value(key), self.model)

    def free_formula(self, key: str) -> Formula:
        """Return a formula about anything."""
        return self._formula_in(key, self.value(key), None)

    def _formula_in(self, key: str, given: object, model: KripkeModel | None) -> Formula:
        if not isinstance(given, str):
            self.fail(key, f"expected a formula as a string, got {given!r}")
        # the position of the string itself, if it is found in this form
        written = self.text.find(json.dumps(given, ensure_ascii=False), self._place(key))
        inside = written - self._place(key) + 1 if written >= 0 else 0
        return read_formula(given, model, lambda message, at: self.fail(key, message, inside + at))

    def formulas(self, key: str) -> tuple[Formula, ...]:
        """Return several formulas about the model."""
        given = self._expected(key, "a list of formulas", lambda value: isinstance(value, list))
        return tuple(self._formula_in(key, text, self.model) for text in given)

    def goals(self, key: str) -> Goals:
        """Return pairs of an agent and a formula."""
        table = self._expected(key, 'a table such as {b = "p"}', _is_table)
        found = []
        for agent, given in table.items():
            place = f"{key}.{agent}"
            self._check_agent(place, agent)
            for text in given if isinstance(given, list) else [given]:
                found.append((agent, self._formula_in(place, text, self.model)))
        return tuple(found)

    def agent(self, key: str) -> str:
        """Return an agent of the model."""
        name = self.string(key)
        self._check_agent(key, name)
        return name

    def _check_agent(self, key: str, name: str) -> None:
        agents = self.model.agents if self.model else ()
        if name not in agents:
            self.fail(key, str(UnknownAgentError(name, agents)))

    def world(self, key: str) -> Hashable:
        """Return a world of the model."""
        value = self.value(key)
        worlds = self.model.worlds if self.model else ()
        for name in worlds:
            if name == value or world_text(name) == str(value):
                return name
        return self.fail(key, str(UnknownNameError(value, map(world_text, worlds), kind="world")))

    def logic(self, key: str) -> str:
        """Return the name of a logic."""
        try:
            return logic_named(self.string(key)).name
        except KripkeError as error:
            return self.fail(key, str(error))

    def model_at(self, key: str) -> KripkeModel:
        """Return a model, given in full or by reference; the following fields are about it."""
        self.model = self._read_model(key)
        return self.model

    def _read_model(self, path: str) -> KripkeModel:
        given = self._expected(path, f"a table [{path}]", _is_table)
        sources = [key for key in ("puzzle", "story", "file") if key in given]
        if not sources:
            try:
                return model_without_header(given)
            except FormatError as error:
                self._fail_inside(path, error)
        source = sources[0]
        allowed = (source, "after", "designated", *(["n"] if source == "puzzle" else []))
        for key in given:
            if key not in allowed:
                self.fail(f"{path}.{key}", f"expected one of {', '.join(allowed)}, got {key!r}")
        name, after = self.string(f"{path}.{source}"), given.get("after", 0)
        if source != "puzzle" and self.folder is None:
            self.fail(f"{path}.{source}", "files can only be named in a file")
        try:
            if source == "file":
                history = History(KripkeModel.load((self.folder or Path()) / name))
            elif source == "story":
                history = read_story((self.folder or Path()) / name).history()
            else:
                history = puzzle(name, n=given.get("n")).history()
            model = history.at(after)
        except (KripkeError, TypeError) as error:
            self.fail(f"{path}.{source}", str(error))
        if "designated" in given:
            self.model = model
            model = model.point(self.world(f"{path}.designated"))
        return model

    def action(self, key: str) -> ActionModel:
        """Return an action model."""
        try:
            return ActionModel.from_dict(self.value(key))
        except FormatError as error:
            return self._fail_inside(key, error)

    def _fail_inside(self, path: str, error: FormatError) -> NoReturn:
        """Raise an error about the data of a table at its position in that table."""
        key = re.match(r"[\w.]*(?=[:\[])", str(error))
        self.fail(f"{path}.{key[0]}" if key and key[0] else path, str(error))


def _is_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(part, str) for part in value)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_table(value: object) -> bool:
    return isinstance(value, Mapping)


def _model_data(model: KripkeModel) -> dict[str, Any]:
    data = model.to_dict()
    parts = ("worlds", "designated", "relations", "valuation", "weights", "variables")
    return {part: data[part] for part in parts if data.get(part) is not None}


# --- types of fields -------------------------------------------------------------------------------


class Field(NamedTuple):
    """A field of a kind: how it is read, and written as plain data, and its default, if it has one."""

    read: Callable[[ExerciseReader, str], Any]
    write: Callable[[Any], Any]
    default: Any = MISSING


def by_agent(pairs: Iterable[tuple[str, Formula]]) -> dict[str, list[Formula]]:
    """Return the formulas of each agent."""
    found: dict[str, list[Formula]] = {}
    for agent, f in pairs:
        found.setdefault(agent, []).append(f)
    return found


def _texts(formulas: Iterable[Formula]) -> list[str]:
    return [str(f) for f in formulas]


def _table(pairs: Goals) -> Mapping[str, list[str]]:
    return {agent: _texts(formulas) for agent, formulas in by_agent(pairs).items()}


_TYPES: Mapping[Any, Field] = {
    str: Field(ExerciseReader.string, str),
    int: Field(ExerciseReader.number, int),
    bool: Field(ExerciseReader.truth, bool),
    Fraction: Field(ExerciseReader.fraction, str),
    tuple[str, ...]: Field(ExerciseReader.strings, list),
    Formula: Field(ExerciseReader.formula, str),
    FreeFormula: Field(ExerciseReader.free_formula, str),
    tuple[Formula, ...]: Field(ExerciseReader.formulas, _texts),
    Goals: Field(ExerciseReader.goals, _table),
    World: Field(ExerciseReader.world, world_text),
    Agent: Field(ExerciseReader.agent, str),
    Logic: Field(ExerciseReader.logic, str),
    KripkeModel: Field(ExerciseReader.model_at, _model_data),
    ActionModel: Field(ExerciseReader.action, ActionModel.to_dict),
}
"""The types of fields; each may also be `| None`, with None as default."""


@cache
def known_fields(kind: type[Exercise]) -> Mapping[str, Field]:
    """Return the fields of a kind by name, in order; `title` is always optional."""
    hints = get_type_hints(kind, include_extras=True)
    found = {}
    for field in fields(kind):
        hint, default = hints[field.name], field.default
        if get_origin(hint) is not Annotated and type(None) in get_args(hint):
            hint = next(part for part in get_args(hint) if part is not type(None))
            default = None if default is MISSING else default
        if hint not in _TYPES:
            known = ", ".join(getattr(known, "__name__", str(known)) for known in _TYPES)
            raise TypeError(
                f"{kind.__name__}.{field.name} has the type {hint}; the types of fields are {known}"
            )
        found[field.name] = _TYPES[hint]._replace(default="" if field.name == "title" else default)
    return found


def to_dict(exercise: Exercise) -> dict[str, Any]:
    """Return an exercise as plain data, ready for JSON or TOML.

    >>> from kripke_werewolf.exercises import new_exercise
    >>> exercise = new_exercise("truth-set", rng=1)
    >>> from_dict(to_dict(exercise)) == exercise
    True
    """
    found: dict[str, Any] = {"kind": exercise.kind}
    for name, field in known_fields(type(exercise)).items():
        value = getattr(exercise, name)
        if value != field.default:
            found[name] = field.write(value)
    return found


def from_dict(data: Mapping[str, Any], *, source: str = "exercise") -> Exercise:
    """Return the exercise described by plain data; raises `FormatError`, which names the key."""
    return ExerciseReader(data, source).exercise()
