"""Exercises as plain data and as TOML files: how each type of field is read and written.

A field of an exercise has one of the types in `_TYPES`. Formulas, agents and worlds are checked against the
last model in a field before them. The format is described in docs/exercises.md. Errors name line and column
of the wrong key.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable, Collection, Hashable, Mapping
from contextlib import suppress
from dataclasses import MISSING, dataclass, fields
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Annotated, Any, NamedTuple, NoReturn, Self, TypeAlias, TypeVar, get_args, get_origin

from kripke_werewolf.base.errors import FormatError, KripkeError, UnknownNameError, check_known, did_you_mean
from kripke_werewolf.base.files import read_text, unmarked
from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.base.reader import Source
from kripke_werewolf.base.settings import fits, types_of
from kripke_werewolf.logic.deciding import logic_named
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.models.history import History
from kripke_werewolf.logic.puzzles import puzzle
from kripke_werewolf.logic.semantics.action import ActionModel
from kripke_werewolf.logic.semantics.worlds import world_text
from kripke_werewolf.logic.written import read_formula
from kripke_werewolf.research.stories import read_story
from kripke_werewolf.teach.exercises.exercise import Exercise, kind_named
from kripke_werewolf.teach.exercises.forms import model_without_header
from kripke_werewolf.teach.language import LANGUAGES, CourseLanguage

T = TypeVar("T")

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


@dataclass
class TableReader:
    """One reading of a table of plain data.

    `text`: the TOML it comes from, in which errors are located; `within`: the part of the text with the
    table. Keys are named by their path, such as `model.relations.a`. `folder`: the folder of the files it
    names. `label`: the name of the table among others.
    """

    data: Mapping[str, Any]
    source: str
    text: str = ""
    folder: Path | None = None
    label: str = ""
    within: tuple[int, int | None] = (0, None)

    def fail(self, key: str, message: str, offset: int = 0) -> NoReturn:
        """Raise `FormatError` at the value of a key; at the beginning of the table if it has no such key."""
        if self.text or not self.data:
            raise Source(self.text, self.source).error(self._place(key) + offset, message) from None
        where = [self.source, self.label, "" if message.startswith(f"{key}: ") else key]
        raise FormatError(": ".join(filter(None, [*where, message]))) from None

    def _place(self, path: str) -> int:
        """Return the position of a key's value, as precisely as its lines allow."""
        *tables, key = path.split(".")
        begin, end = self.within
        table, at = "", begin
        quoted = rf'\s*"?{re.escape(key)}"?\s*=\s*'
        whole = rf'\s*"?{re.escape(path)}"?\s*=\s*'
        for line in self.text[begin:end].splitlines(keepends=True):
            if header := re.match(r"\s*\[\s*([^\[\]]+?)\s*\]", line):
                table = header[1].replace('"', "")
                if table == path:
                    return at
            if found := re.match(quoted if table == ".".join(tables) else whole, line):
                return at + found.end()
            at += len(line)
        return self._place(".".join(tables)) if tables else begin

    def check_keys(self, known: Collection[str], owner: str) -> None:
        """Fail at a key that is not among the known ones of the `owner`."""
        for key in self.data:
            if key not in known:
                allowed = f"(allowed: {', '.join(known)}){did_you_mean(key, known)}"
                self.fail(key, f"{owner} has no key {key!r} {allowed}")

    def field(self, key: str, owner: str, read: Callable[[Self, str], T], default: Any = MISSING) -> T:
        """Return the value of a key, or its default; if it has none, the `owner` needs the key."""
        if key in self.data:
            return read(self, key)
        if default is MISSING:
            self.fail("kind" if "kind" in self.data else "", f"{owner} needs the key {key!r}")
        return default  # type: ignore[no-any-return]

    # --- values ------------------------------------------------------------------------------------

    def value(self, key: str) -> Any:
        """Return the plain value of a key."""
        found: Any = self.data
        for part in key.split("."):
            found = found[part]
        return found

    def expected(self, key: str, words: str, kind: Any) -> Any:
        """Return the plain value of a key if it is of a type; `words`: what was expected."""
        value = self.value(key)
        if not fits(value, kind):
            self.fail(key, f"{key}: expected {words}, got {value!r}")
        return value

    def string(self, key: str) -> str:
        """Return a string."""
        return str(self.expected(key, "a string", str))

    def strings(self, key: str) -> tuple[str, ...]:
        """Return several strings."""
        given = self.value(key)
        if not isinstance(given, list) or not fits(tuple(given), tuple[str, ...]):
            self.fail(key, f"{key}: expected a list of strings, got {given!r}")
        return tuple(given)

    def number(self, key: str) -> int:
        """Return a nonnegative whole number."""
        value = int(self.expected(key, "a whole number", int))
        if value < 0:
            self.fail(key, f"{key}: expected a whole number from 0, got {value}")
        return value

    def fraction(self, key: str) -> Fraction:
        """Return a number, which may be written as a string such as "2/3"."""
        value = self.value(key)
        with suppress(ValueError, ZeroDivisionError):
            if fits(value, int | float | str):
                return Fraction(str(value))
        return self.fail(key, f'{key}: expected a number such as 3 or "2/3", got {value!r}')

    def language(self, key: str) -> CourseLanguage:
        """Return the language of a course: one of those shipped, by its name, or a table."""
        given = self.value(key)
        try:
            if isinstance(given, str):
                return LANGUAGES[check_known(given, LANGUAGES, kind="language of a course")]
            TableReader(given, key).check_keys(("book", "signs", "rules", "agents", "alone"), "a language")
            return CourseLanguage.of("", given)
        except (KripkeError, AttributeError, TypeError, ValueError) as error:
            return self.fail(key, f"{key}: {error}")

    def file(self, key: str) -> Path:
        """Return the path of a file that is named in a file."""
        name = self.expected(key, "the name of a file", str)
        if self.folder is None:
            self.fail(key, "files can only be named in a file")
        return self.folder / str(name)


class _ExerciseReader(TableReader):
    """One reading of an exercise; see `TableReader`."""

    model: KripkeModel | None = None

    @property
    def _known(self) -> KripkeModel:
        """The model whose names are known; one without any if there is none."""
        return self.model or KripkeModel([], {}, {})

    def exercise(self) -> Exercise:
        """Return the exercise described by the data."""
        name = self.field("kind", "an exercise", TableReader.string)
        try:
            kind = kind_named(name)
        except KripkeError as error:
            self.fail("kind", str(error))
        known, owner = known_fields(kind), f"a {name} exercise"
        self.check_keys(("kind", *known), owner)
        parts = {key: self.field(key, owner, field.read, field.default) for key, field in known.items()}
        try:
            return kind(**parts)
        except KripkeError as error:  # what the kind itself checks
            self.fail("kind", str(error))

    def formula(self, key: str) -> Formula:
        """Return a formula about the model."""
        return self.formula_in(key, self.value(key), self.model)

    def formula_in(self, key: str, given: object, model: KripkeModel | None) -> Formula:
        """Return the formula in a value, about a model if one is given."""
        if not isinstance(given, str):
            self.fail(key, f"expected a formula as a string, got {given!r}")
        # the position of the string itself, if it is found in this form
        place = self._place(key)
        inside = max(0, self.text.find(json.dumps(given, ensure_ascii=False), place) - place + 1)
        return read_formula(given, model, lambda message, at: self.fail(key, message, inside + at))

    def goals(self, key: str) -> Goals:
        """Return pairs of an agent and a formula."""
        table = self.expected(key, 'a table such as {b = "p"}', Mapping)
        found = []
        for agent, given in table.items():
            place = f"{key}.{self._agent(f'{key}.{agent}', agent)}"
            texts = given if isinstance(given, list) else [given]
            found += [(agent, self.formula_in(place, text, self.model)) for text in texts]
        return tuple(found)

    def agent(self, key: str) -> str:
        """Return an agent of the model."""
        return self._agent(key, self.string(key))

    def _agent(self, key: str, name: str) -> str:
        if name not in self._known.agents:
            self.fail(key, str(UnknownNameError(name, self._known.agents, kind="agent")))
        return name

    def world(self, key: str) -> Hashable:
        """Return a world of the model."""
        value = self.value(key)
        worlds = {world_text(name): name for name in self._known.worlds}
        for said, name in worlds.items():
            if value == name or str(value) == said:
                return name
        return self.fail(key, str(UnknownNameError(value, worlds, kind="world")))

    def logic(self, key: str) -> str:
        """Return the name of a logic."""
        try:
            return logic_named(self.string(key)).name
        except KripkeError as error:
            return self.fail(key, str(error))

    def model_at(self, path: str) -> KripkeModel:
        """Return a model, given in full or by reference; the following fields are about it."""
        given = self.expected(path, f"a table [{path}]", Mapping)
        sources = [key for key in ("puzzle", "story", "file") if key in given]
        if sources:
            self.model = self._named_model(path, sources[0], given)
            if "designated" in given:
                self.model = self.model.point(self.world(f"{path}.designated"))
            return self.model
        try:
            self.model = model_without_header(given)
        except FormatError as error:
            self._fail_inside(path, error)
        return self.model

    def _named_model(self, path: str, source: str, given: Mapping[str, Any]) -> KripkeModel:
        """Return the model of a puzzle, a story or a file."""
        allowed = [source, "after", "designated", *(["n"] if source == "puzzle" else [])]
        for key in given:
            if key not in allowed:
                self.fail(f"{path}.{key}", f"expected one of {', '.join(allowed)}, got {key!r}")
        key = f"{path}.{source}"
        place = self.string(key) if source == "puzzle" else self.file(key)
        try:
            if source == "file":
                history = History(KripkeModel.load(place))
            elif source == "story":
                history = read_story(place).history()
            else:
                history = puzzle(str(place), n=given.get("n")).history()
            return history.at(given.get("after", 0))
        except (KripkeError, TypeError) as error:
            self.fail(key, str(error))

    def action(self, key: str) -> ActionModel:
        """Return an action model."""
        try:
            return ActionModel.from_dict(self.value(key))
        except FormatError as error:
            return self._fail_inside(key, error)

    def _fail_inside(self, path: str, error: FormatError) -> NoReturn:
        """Raise an error about the data of a table at its position in that table."""
        if key := re.match(r"[\w.]+(?=[:\[])", str(error)):
            path = f"{path}.{key[0]}"
        self.fail(path, str(error))


def _model_data(model: KripkeModel) -> dict[str, Any]:
    data = model.to_dict().items()
    return {part: value for part, value in data if value is not None and part not in ("format", "version")}


# --- types of fields -------------------------------------------------------------------------------


class _Field(NamedTuple):
    """A field of a kind: how it is read, and written as plain data, and its default, if it has one."""

    read: Callable[[_ExerciseReader, str], Any]
    write: Callable[[Any], Any]
    default: Any = MISSING


def _table(pairs: Goals) -> Mapping[str, list[str]]:
    return {agent: [*map(str, formulas)] for agent, formulas in grouped(pairs).items()}


_TYPES: Mapping[Any, _Field] = {
    str: _Field(_ExerciseReader.string, str),
    int: _Field(_ExerciseReader.number, int),
    tuple[str, ...]: _Field(_ExerciseReader.strings, list),
    Formula: _Field(_ExerciseReader.formula, str),
    FreeFormula: _Field(lambda given, key: given.formula_in(key, given.value(key), None), str),
    Goals: _Field(_ExerciseReader.goals, _table),
    World: _Field(_ExerciseReader.world, world_text),
    Agent: _Field(_ExerciseReader.agent, str),
    Logic: _Field(_ExerciseReader.logic, str),
    KripkeModel: _Field(_ExerciseReader.model_at, _model_data),
    ActionModel: _Field(_ExerciseReader.action, ActionModel.to_dict),
    CourseLanguage: _Field(_ExerciseReader.language, lambda language: language.name or language.table()),
}
"""The types of fields; each may also be `| None`, with None as default."""


@cache
def known_fields(kind: type[Exercise]) -> Mapping[str, _Field]:
    """Return the fields of a kind by name, in order; `title` is always optional."""
    hints, found = types_of(kind), {}
    for field in fields(kind):
        hint, default = hints[field.name], field.default
        if get_origin(hint) is not Annotated and type(None) in get_args(hint):
            hint = next(part for part in get_args(hint) if part is not type(None))
            default = None if default is MISSING else default
        if hint not in _TYPES:
            known = ", ".join(getattr(known, "__name__", str(known)) for known in _TYPES)
            owner = f"{kind.__name__}.{field.name}"
            raise TypeError(f"{owner} has the type {hint}; the types of fields are {known}")
        found[field.name] = _TYPES[hint]._replace(default="" if field.name == "title" else default)
    return found


def to_dict(exercise: Exercise) -> dict[str, Any]:
    """Return an exercise as plain data, ready for JSON or TOML.

    >>> from kripke_werewolf.teach.exercises import new_exercise
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
    return _ExerciseReader(data, source).exercise()


# --- TOML ----------------------------------------------------------------------------------------------


def read_exercise(path: str | os.PathLike[str]) -> Exercise:
    """Return the exercise in a TOML file.

    Raises `FormatError` with line, column and what was expected; `OSError` if the file, or one that it names,
    cannot be opened.
    """
    return parse_exercise(read_text(path), str(path), Path(path).parent)


def parse_exercise(text: str, source: str = "exercise", folder: Path | None = None) -> Exercise:
    """Return the exercise in a TOML string; `source` is its name in errors, `folder` that of its files."""
    return _ExerciseReader(parse_toml(text, source), source, text, folder).exercise()


def parse_toml(text: str, source: str) -> dict[str, Any]:
    """Return the data in a TOML string; raises `FormatError` with line and column."""
    try:
        return tomllib.loads(unmarked(text))
    except (ValueError, RecursionError) as error:
        at = len(text.rstrip())
        if place := re.search(r"\(at line (\d+), column (\d+)\)", str(error)):
            before = text.split("\n")[: int(place[1]) - 1]
            at = sum(len(line) + 1 for line in before) + int(place[2]) - 1
        message = str(error).partition(" (at ")[0]
        raise Source(text, source).error(at, f"this is not TOML: {message}") from None


def to_toml(exercise: Exercise) -> str:
    """Return the exercise file that `read_exercise` reads back as the same exercise."""
    return toml_text(to_dict(exercise))


def toml_text(data: Mapping[str, Any]) -> str:
    """Return plain data as TOML, with a table for each mapping in it."""
    tables = {key: value for key, value in data.items() if isinstance(value, Mapping)}
    plain = {key: value for key, value in data.items() if key not in tables}
    inner = [f"\n[{_toml_key(name)}]\n{toml_table(table)}" for name, table in tables.items()]
    return "".join([toml_table(plain), *inner])


def toml_table(table: Mapping[str, Any]) -> str:
    """Return the keys and values of a table as TOML, each on a line of its own."""
    return "".join(f"{_toml_key(key)} = {_toml(value)}\n" for key, value in table.items())


def _toml_key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_toml_key(k)} = {_toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        if value and all(isinstance(v, str) and len(v) > 20 for v in value):
            return "[\n" + "".join(f"  {_toml(v)},\n" for v in value) + "]"
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
