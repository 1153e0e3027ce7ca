"""Exercises as files: TOML that is read back, and Markdown or LaTeX to hand out.

The TOML format is described in docs/exercises.md. Errors name line and column of the key that is wrong.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from kripke_werewolf.deciding import logic_named
from kripke_werewolf.errors import FormatError, KripkeError, UnknownAgentError, UnknownNameError
from kripke_werewolf.exercises.tasks import EXERCISES, Exercise, OnModel, by_agent, model_without_header
from kripke_werewolf.language import Atom, parse
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.names import TEX_ESCAPES
from kripke_werewolf.language.sentences import names as group_names
from kripke_werewolf.language.sentences import subject
from kripke_werewolf.models import KripkeModel
from kripke_werewolf.models.history import History
from kripke_werewolf.puzzles import puzzle
from kripke_werewolf.reports.latex import included, standing_alone
from kripke_werewolf.semantics.explanation import world_text
from kripke_werewolf.stories import read_story
from kripke_werewolf.stories.text import hint, located, read_formula, read_text

# --- reading TOML ----------------------------------------------------------------------------------


def read_exercise(path: str | os.PathLike[str]) -> Exercise:
    """Return the exercise in a TOML file.

    Raises `FormatError` with line and column and what was expected; `OSError` if the file, or one
    that it names, cannot be opened.
    """
    return _Reader(read_text(path), Path(path)).exercise()


class _Reader:
    """One reading; keys are named by their path in the file."""

    def __init__(self, text: str, path: Path) -> None:
        self.text, self.path = text, path
        self.model: KripkeModel | None = None
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

    def fail(self, key: str, message: str, offset: int = 0) -> NoReturn:
        raise located(self.text, self._place(key) + offset, str(self.path), message) from None

    def _place(self, path: str) -> int:
        """Return the position of a key's value, as nearly as its lines show."""
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
        kind = self._kind()
        keys, on_model = _keys(kind), issubclass(kind, OnModel)
        required = [key for key in keys if key not in _OPTIONAL] + ["model"] * on_model
        known = ["title", *required, *(key for key in keys if key in _OPTIONAL)]
        for key in self.data:
            if key != "kind" and key not in known:
                allowed = f"(allowed: {', '.join(known)})"
                self.fail(key, f"a {kind.kind} exercise has no key {key!r} {allowed}{hint(key, known)}")
        for key in required:
            if key not in self.data:
                self.fail("kind", f"a {kind.kind} exercise needs the key {key!r}")
        parts: dict[str, Any] = {"title": self.string("title") if "title" in self.data else ""}
        if on_model:
            parts["model"] = self.model = self._read_model()
        for key in keys:
            parts[key] = _KEYS[key].read(self, key) if key in self.data else _OPTIONAL[key]
        return kind(**parts)

    def _kind(self) -> type[Exercise]:
        name = self.data.get("kind")
        if isinstance(name, str) and name in EXERCISES:
            return EXERCISES[name]
        got = f", got {name!r}" if "kind" in self.data else ": missing"
        expected = f"expected a kind of exercise ({', '.join(EXERCISES)})"
        return self.fail("kind", f"{expected}{got}{hint(str(name), EXERCISES)}")

    # --- values ------------------------------------------------------------------------------------

    def value(self, key: str) -> Any:
        found: Any = self.data
        for part in key.split("."):
            found = found[part]
        return found

    def string(self, key: str) -> str:
        value = self.value(key)
        if not isinstance(value, str):
            self.fail(key, f"expected a text, got {value!r}")
        return value

    def number(self, key: str) -> int:
        value = self.value(key)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            self.fail(key, f"expected a whole number, got {value!r}")
        return value

    def formula(self, key: str) -> Formula:
        return self._formula_in(key, self.value(key))

    def _formula_in(self, key: str, given: object) -> Formula:
        if not isinstance(given, str):
            self.fail(key, f"expected a formula as a text, got {given!r}")
        # where the string itself stands, if it is written as it is
        written = self.text.find(json.dumps(given, ensure_ascii=False), self._place(key))
        inside = written - self._place(key) + 1 if written >= 0 else 0
        return read_formula(given, self.model, lambda message, at: self.fail(key, message, inside + at))

    def formulas(self, key: str) -> tuple[Formula, ...]:
        given = self.value(key)
        if not isinstance(given, list):
            self.fail(key, f"expected a list of formulas, got {given!r}")
        return tuple(self._formula_in(key, text) for text in given)

    def pairs(self, key: str) -> tuple[tuple[str, Formula], ...]:
        table = self.value(key)
        if not isinstance(table, Mapping):
            self.fail(key, f'expected a table such as {{b = "p"}}, got {table!r}')
        found = []
        for agent, given in table.items():
            place = f"{key}.{agent}"
            self._check_agent(place, agent)
            for text in given if isinstance(given, list) else [given]:
                found.append((agent, self._formula_in(place, text)))
        return tuple(found)

    def agent(self, key: str) -> str:
        name = self.string(key)
        self._check_agent(key, name)
        return name

    def _check_agent(self, key: str, name: str) -> None:
        agents = self.model.agents if self.model else ()
        if name not in agents:
            self.fail(key, str(UnknownAgentError(name, agents)))

    def world(self, key: str) -> Hashable:
        value = self.value(key)
        worlds = self.model.worlds if self.model else ()
        for name in worlds:
            if name == value or world_text(name) == str(value):
                return name
        return self.fail(key, str(UnknownNameError(value, map(world_text, worlds), kind="world")))

    def logic(self, key: str) -> str:
        try:
            return logic_named(self.string(key)).name
        except KripkeError as error:
            return self.fail(key, str(error))

    def _read_model(self) -> KripkeModel:
        given = self.data["model"]
        if not isinstance(given, Mapping):
            self.fail("model", f"expected a table [model], got {given!r}")
        sources = [key for key in ("puzzle", "story", "file") if key in given]
        if not sources:
            try:
                return model_without_header(given)
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
                history = History(KripkeModel.load(self.path.parent / name))
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


class _Key(NamedTuple):
    """How the value of a key is read, and written again."""

    read: Callable[[_Reader, str], Any]
    write: Callable[[Any], Any]


def _texts(formulas: Iterable[Formula]) -> list[str]:
    return [str(f) for f in formulas]


def _table(pairs: Iterable[tuple[str, Formula]]) -> Mapping[str, list[str]]:
    return {agent: _texts(formulas) for agent, formulas in by_agent(pairs).items()}


_KEYS = {
    "formula": _Key(_Reader.formula, str),
    "at": _Key(_Reader.world, world_text),
    "true_at": _Key(_Reader.world, world_text),
    "false_at": _Key(_Reader.world, world_text),
    "most_depth": _Key(_Reader.number, int),
    "most_worlds": _Key(_Reader.number, int),
    "logic": _Key(_Reader.logic, str),
    "speaker": _Key(_Reader.agent, str),
    "learns": _Key(_Reader.pairs, _table),
    "ignorant": _Key(_Reader.pairs, _table),
    "choices": _Key(_Reader.formulas, _texts),
}
"""The keys of all kinds: the fields of their classes but the title and the model."""

_OPTIONAL: Mapping[str, object] = {
    "most_depth": None, "most_worlds": None, "speaker": None, "ignorant": (), "choices": ()
}  # fmt: skip
"""The keys that may be left out, and what they are then."""


def _keys(kind: type[Exercise]) -> list[str]:
    return [field.name for field in fields(kind) if field.name in _KEYS]


# --- writing TOML ----------------------------------------------------------------------------------


def to_toml(exercise: Exercise) -> str:
    """Return the exercise file that `read_exercise` reads back as the same exercise."""
    rows: dict[str, Any] = {"kind": exercise.kind} | ({"title": exercise.title} if exercise.title else {})
    tables: dict[str, Mapping[str, Any]] = {}
    for key in _keys(type(exercise)):
        value = getattr(exercise, key)
        if key in _OPTIONAL and value == _OPTIONAL[key]:
            continue
        written = _KEYS[key].write(value)
        if isinstance(written, Mapping):
            tables[key] = written
        else:
            rows[key] = written
    if exercise.shown_model is not None:
        data = exercise.shown_model.to_dict()
        tables["model"] = {k: data[k] for k in ("worlds", "designated") if data[k] is not None}
        for part in ("relations", "valuation", "weights", "variables"):
            if part in data:
                tables[f"model.{part}"] = data[part]
    lines = [f"{key} = {_toml(value)}" for key, value in rows.items()]
    for name, table in tables.items():
        lines += ["", f"[{name}]", *(f"{_toml_key(key)} = {_toml(value)}" for key, value in table.items())]
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


# --- Markdown and LaTeX ----------------------------------------------------------------------------

_MOST_ROWS = 40  # worlds that are listed


def to_markdown(exercise: Exercise, *, solution: bool = False) -> str:
    """Return an exercise as Markdown; with `solution`, its solution and the reason below."""
    lines = [f"# {exercise.title or 'Exercise'}", ""]
    model = exercise.shown_model
    if model is not None:
        lines += ["| world | true there |", "|---|---|"]
        lines += [f"| {name} | {', '.join(atoms) or '-'} |" for name, atoms in _rows(model)]
        lines += ["", *(f"* {sentence}" for sentence in _relations(model)), ""]
    lines += [exercise.question(), ""]
    if exercise.shown_choices:
        lines += [*(f"{n}. `{f}`" for n, f in enumerate(exercise.shown_choices, 1)), ""]
    lines += [f"Answer: {exercise.answer_form()}."]
    if solution:
        answer, reason = _solved(exercise)
        shown = ["```", answer, "```"] if "\n" in answer else [f"`{answer}`"]
        lines += ["", "## Solution", "", *shown, "", "```", reason, "```"]
    return "\n".join(lines) + "\n"


def to_latex(exercise: Exercise, *, solution: bool = False, document: bool = False) -> str:
    """Return an exercise as LaTeX to be included, or as a document that compiles as it is.

    With `solution` it has its solution and the reason below.
    """
    lines = [rf"\subsection*{{{_escaped(exercise.title or 'Exercise')}}}"]
    model = exercise.shown_model
    if model is not None:
        lines += [r"\begin{center}\begin{tabular}{ll}", r"world & true there\\\hline"]
        lines += [
            rf"{_escaped(name)} & {', '.join(f'${Atom(a).latex()}$' for a in atoms) or '--'}\\"
            for name, atoms in _rows(model)
        ]
        lines += [r"\end{tabular}\end{center}", r"\begin{itemize}"]
        lines += [rf"  \item {_escaped(sentence)}" for sentence in _relations(model)]
        lines += [r"\end{itemize}"]
    lines += [_sentence(exercise.question())]
    if exercise.shown_choices:
        lines += [r"\begin{enumerate}"]
        lines += [rf"  \item ${f.latex()}$" for f in exercise.shown_choices]
        lines += [r"\end{enumerate}"]
    if solution:
        answer, reason = _solved(exercise)
        shown = [rf"\paragraph{{Solution.}} \texttt{{{_escaped(answer)}}}"]
        if "\n" in answer:
            shown = [r"\paragraph{Solution.}", r"\begin{verbatim}", answer, r"\end{verbatim}"]
        lines += [
            "",
            *shown,
            "",
            r"\begin{quote}\raggedright",
        ]
        for line in reason.split("\n"):
            indent = (len(line) - len(line.lstrip())) // 2
            lines += [r"\quad" * indent + "{}" * bool(indent) + _escaped(line.strip()) + r"\par"]
        lines += [r"\end{quote}"]
    return standing_alone(lines, ["amsmath"]) if document else included(lines, ["amsmath"])


def _solved(exercise: Exercise) -> tuple[str, str]:
    answer = exercise.solution()
    return answer, exercise.check(answer).reason


def _rows(model: KripkeModel) -> Iterator[tuple[str, tuple[str, ...]]]:
    for world in model.worlds[:_MOST_ROWS]:
        yield world_text(world), model.atoms_at(world)
    if len(model) > _MOST_ROWS:
        yield f"… ({len(model):,} in all)", ()


def _relations(model: KripkeModel) -> Iterator[str]:
    """Yield for each agent a sentence on the worlds it cannot tell apart, or considers possible."""
    if len(model) > _MOST_ROWS:
        yield f"{len(model):,} worlds; agents {group_names(model.agents)}"
        return
    text = [world_text(w) for w in model.worlds]
    for agent in model.agents:
        classes = model.classes(agent)
        if classes is not None:
            cells = [cell for cell in classes if len(cell) > 1]
            shown = "; ".join("{" + ", ".join(text[w] for w in cell) + "}" for cell in cells)
            told = f"cannot tell apart the worlds in {shown}" if cells else "tells all worlds apart"
            yield f"{subject(agent)} {told}"
            continue
        arrows = []
        for number, name in enumerate(text):
            seen = [text[v] for v in model.successors(agent, number)]
            arrows.append(f"at {name}: {', '.join(seen) or 'none'}")
        yield f"{subject(agent)} considers possible {'; '.join(arrows)}"


def _sentence(text: str) -> str:
    parts = text.split("`")
    return "".join(f"${parse(part).latex()}$" if n % 2 else _escaped(part) for n, part in enumerate(parts))


_ESCAPES = TEX_ESCAPES | {"…": r"\dots{}"}


def _escaped(text: str) -> str:
    return "".join(_ESCAPES.get(c, c) for c in text)
