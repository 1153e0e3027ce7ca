"""Splits a story into statements `word arguments "label": content`.

A statement begins on a new line; lines that are indented further continue it. `#` begins a
comment. Blank lines are ignored.

Action models as text, in stories and in files with derivations: one line for each event and each relation.

    action move:
        event moved if ~basket: basket := true
        event nothing:
        agent Sally: moved -> nothing, nothing -> nothing
        others: moved -> moved, nothing -> nothing
        actual: moved

`confuses a: moved nothing` gives the cells of events that an agent cannot tell apart. `others` applies to
agents that no line names; `actual` gives the events that may be the actual one, by default all of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NoReturn

from kripke_werewolf.base.errors import (
    FormulaSyntaxError,
    KripkeError,
    UnknownAgentError,
    UnknownAtomError,
    UnknownNameError,
)
from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.base.reader import QUOTED, Part, begin, unquoted
from kripke_werewolf.logic.formulas.names import atom_text, group_text
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.models.model import KripkeModel
from kripke_werewolf.logic.notation.reading import understand
from kripke_werewolf.logic.semantics.action import ActionModel, Event

_COMMENT = re.compile(rf"{QUOTED}|(?:(?<=\s)|^)#[^\n]*", re.MULTILINE)
"""Quoted strings, which may contain `#`, and comments."""
_ACT = rf'(?:{QUOTED}|[^":\n\[\]<>])+'  # on either side of the colon in [name:event]
_ARGUMENTS = rf"(?:{QUOTED}|\[{_ACT}:{_ACT}\]|<{_ACT}:{_ACT}>|[^\":\n])*?"
_HEAD = re.compile(rf"(\w+)({_ARGUMENTS})(?<![,\s])\s*({QUOTED})?[ \t]*(:|$)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement, and its word, arguments, label and content; `quoted`: the label in quotes."""

    whole: Part
    word: Part
    arguments: Part
    quoted: Part
    content: Part

    @property
    def label(self) -> str:
        """The label without its quotes."""
        return self.quoted.text[1:-1]

    def names(self) -> list[Part]:
        """Return the names before the colon; without others, quotes hold one and no label."""
        return self.arguments.names() or self.quoted.names()


def statements(part: Part) -> Iterator[Statement]:
    """Yield the statements in a part of a story."""
    for block in part.blocks():
        found = _HEAD.match(block.text)
        if found is None:
            block.fail('expected a statement: a word, perhaps names and a "label", a colon')
        if not found[4]:
            block.fail(f"expected ':' after {found[0].strip()!r}", found.end(3 if found[3] else 2))
        word, arguments, quoted = (block.group(found, number) for number in (1, 2, 3))
        yield Statement(block, word, arguments, quoted, block.cut(found.end()))


def cells(part: Part) -> list[list[Part]]:
    """Return cells of names: names separated by spaces, cells by commas."""
    return [[cell.group(word) for word in re.finditer(r"\S+", cell.text)] for cell in part.split()]


def cell_of(
    cells: Iterable[Iterable[Part]], names: Sequence[str], kind: str, whose: str = ""
) -> dict[str, int]:
    """Return the cell number of each name; a name in no cell gets its own."""
    found = {name: -number for number, name in enumerate(names)}
    for number, cell in enumerate(cells, 1):
        for part in cell:
            if found[part.known(names, kind)] > 0:
                part.fail(f"{part.text!r} is in two cells{whose}")
            found[part.text] = number
    return found


# --- of any text -----------------------------------------------------------------------------------


def without_comments(text: str) -> str:
    """Replace comments by spaces, so that positions stay the same."""
    return _COMMENT.sub(lambda m: m[0] if m[0].startswith('"') else " " * len(m[0]), text)


def read_formula(
    text: str,
    model: KripkeModel | None,
    refuse: Callable[[str, int], NoReturn],
    *,
    agents: Collection[str] | None = None,
    groups: Mapping[str, Iterable[object]] | None = None,
    phrases: Mapping[str, str] | None = None,
) -> Formula:
    """Return the formula in a string, over the atoms and agents of the model, if one is given.

    `refuse` raises the error, from a message and a position in the string; `agents` and `groups` are as in
    `parse`, `phrases` as in `to_sentence`.
    """
    try:
        atoms = None if model is None else model.valuation
        found = understand(text, agents=agents, atoms=atoms, groups=groups, phrases=phrases).formula
        if model is not None:
            model.where(found)
    except FormulaSyntaxError as error:
        meant = f"; did you mean {error.meant}?" if error.meant else ""
        refuse(str(error).split("\n", 1)[0].partition(": ")[2] + meant, error.position)
    except (UnknownAtomError, UnknownAgentError) as error:
        refuse(str(error), place_of(str(error.name), text))
    except KripkeError as error:  # such as an action or variable that the model does not have
        refuse(str(error), begin(text))
    return found


def place_of(name: str, text: str) -> int:
    """Return the position of a name in a string; its beginning if the name is not found in this form."""
    found = re.search(rf"(?<![^\W_]){re.escape(name)}(?!\w)", text)
    return found.start() if found else begin(text)


_EVENT = re.compile(rf"\s*({QUOTED}|(?!if\b).*?)(?:\s+if\b\s*(.*?))?\s*", re.DOTALL)
_ARROW = re.compile(rf"\s*({QUOTED}|.*?)\s*->\s*({QUOTED}|.*?)\s*", re.DOTALL)
_WORD = re.compile(r"\w[\w']*")
_LINES = ("event", "agent", "others", "confuses", "actual")


@dataclass(frozen=True, slots=True)
class ActionReader:
    """Reads action models from their lines.

    `formula`, `atom` and `agent` read a formula, an atom to be changed and an agent, or fail at their
    position. `agents`: those who see which event happens, unless a line says otherwise.
    """

    formula: Callable[[Part], Formula]
    atom: Callable[[Part], str]
    agent: Callable[[Part], str]
    agents: Sequence[str] = ()

    def read(self, name: str, statement: Statement) -> ActionModel:
        """Return the action model described by a statement."""
        events: dict[str, Event] = {}
        relations: dict[str, list[tuple[str, str]]] = {}
        others: list[tuple[str, str]] | None = None
        designated: list[str] | None = None
        if not statement.content.text:
            statement.content.fail("expected lines 'event NAME if FORMULA: CHANGES'")
        for inner in statements(statement.content):
            content = inner.content
            match inner.word.word(_LINES, "a line of an action"):
                case "event":
                    self._event(inner, events)
                case "actual":
                    designated = [self._known(part, events) for part in content.split()]
                case "agent":
                    relations |= dict.fromkeys(self._group(inner), self._arrows(content, events))
                case "others":
                    others = self._arrows(content, events)
                case _:
                    cell = cell_of(cells(content), list(events), "event")
                    pairs = [(e, f) for e in events for f in events if cell[e] == cell[f]]
                    relations |= dict.fromkeys(self._group(inner), pairs)
        if others is None:
            for agent in self.agents:
                relations.setdefault(agent, [(e, e) for e in events])
        try:
            return ActionModel(events, relations, designated, others=others, name=name)
        except KripkeError as error:
            return statement.word.fail(str(error))

    def _event(self, line: Statement, events: dict[str, Event]) -> None:
        given = line.arguments if line.arguments.text.strip() or not line.label else line.quoted
        found = _EVENT.fullmatch(given.text)
        name = _event_named(given.group(found, 1)) if found else ""
        if not found or not name or name in events:
            given.fail("expected a new name for the event", begin(given.text))
        pre = True if found[2] is None else self.formula(given.group(found, 2).cut())
        events[name] = Event(pre, self.changes(line.content) if line.content.text else {})

    def changes(self, part: Part) -> dict[str, Formula]:
        """Return the changes of atoms in a part: `p := φ, q := ψ`."""
        if not part.text:
            part.fail("expected 'atom := formula'")
        found = {}
        for piece in part.split():
            atom, value = piece.halves(":=", "atom := formula")
            found[self.atom(atom)] = self.formula(value)
        return found

    def _group(self, line: Statement) -> list[str]:
        group = [self.agent(part) for part in line.names()]
        if not group:
            line.arguments.fail(f"expected at least one agent after {line.word.text!r}")
        return group

    def _arrows(self, part: Part, events: Mapping[str, Event]) -> list[tuple[str, str]]:
        found = []
        for piece in part.split():
            arrow = _ARROW.fullmatch(piece.text)
            if arrow is None:
                piece.fail(f"expected 'event -> event', got {piece.text!r}")
            first, second = (self._known(piece.group(arrow, n), events) for n in (1, 2))
            found.append((first, second))
        return found

    def _known(self, part: Part, events: Mapping[str, Event]) -> str:
        name = _event_named(part)
        if name not in events:
            part.fail(str(UnknownNameError(name, events, kind="event")))
        return name


def _event_named(part: Part) -> str:
    try:
        return unquoted(part.text)
    except ValueError as error:
        part.fail(error.args[0])


def action_lines(action: ActionModel) -> list[str]:
    """Return an action as lines for `ActionReader`; weights are omitted.

    >>> from kripke_werewolf.logic.semantics.action import private
    >>> print(*action_lines(private("a", "p")), sep="\\n")
    event told if p:
    event nothing:
    agent a: told -> told, nothing -> nothing
    others: told -> nothing, nothing -> nothing
    actual: told
    """
    names = [_event_text(event) for event in action.events]
    lines = []
    for name, event in zip(names, action.events.values(), strict=True):
        condition = "" if event.pre is Event().pre else f" if {_one(event.pre)}"
        changes = ", ".join(f"{atom_text(atom)} := {_one(f)}" for atom, f in event.post.items())
        lines.append(f"event {name}{condition}: {changes}".rstrip())
    agents = grouped((_arrows(pairs), group_text((a,))) for a, pairs in action.relations.items())
    lines += [f"agent {', '.join(group)}: {arrows}" for arrows, group in agents.items()]
    if action.others is not None:
        lines.append(f"others: {_arrows(action.others)}")
    if action.designated != tuple(action.events):
        chosen = [name for e, name in zip(action.events, names, strict=True) if e in action.designated]
        lines.append(f"actual: {', '.join(chosen)}")
    return [line.rstrip() for line in lines]


@lru_cache(maxsize=1 << 10)
def _one(f: Formula) -> str:
    """Return a formula as a string without a comma outside brackets, or a quoted name at its end.

    What is quoted at the end of a line's first half is read as its label.
    """
    return f"({f})" if "," in str(f) or str(f).endswith('"') else str(f)


def _event_text(event: object) -> str:
    name = str(event)
    return name if _WORD.fullmatch(name) else json.dumps(name, ensure_ascii=False)


def _arrows(pairs: Iterable[tuple[object, object]]) -> str:
    return ", ".join(f"{_event_text(e)} -> {_event_text(f)}" for e, f in pairs)
