"""Action models as text, in stories and in files with derivations: one line for each event and each relation.

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
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from kripke_werewolf.base.reader import Part, begin
from kripke_werewolf.errors import KripkeError, UnknownNameError
from kripke_werewolf.grouping import grouped
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.names import QUOTED, atom_text
from kripke_werewolf.semantics.action import ActionModel, Event
from kripke_werewolf.stories.text import Statement, cell_of, cells, statements

_EVENT = re.compile(rf"\s*({QUOTED}|(?!if\b).*?)(?:\s+if\b\s*(.*?))?\s*", re.DOTALL)
_ARROW = re.compile(rf"\s*({QUOTED}|.*?)\s*->\s*({QUOTED}|.*?)\s*", re.DOTALL)
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
        name = _unquoted(found[1]) if found else ""
        if not found or not name or name in events:
            given.fail("expected a new name for the event", begin(given.text))
        pre: Formula | bool = True
        if found[2] is not None:
            pre = self.formula(given.group(found, 2).cut())
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
        group = [self.agent(part) for part in line.arguments.names()]
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
        name = _unquoted(part.text)
        if name not in events:
            part.fail(str(UnknownNameError(name, events, kind="event")))
        return name


def _unquoted(name: str) -> str:
    try:
        return str(json.loads(name, strict=False)) if name.startswith('"') else name
    except ValueError:
        return name


def action_lines(action: ActionModel) -> list[str]:
    """Return an action as lines for `ActionReader`; weights are omitted.

    >>> from kripke_werewolf.semantics.action import private
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
    agents = grouped((_arrows(pairs), _agent_text(agent)) for agent, pairs in action.relations.items())
    lines += [f"agent {', '.join(group)}: {arrows}" for arrows, group in agents.items()]
    if action.others is not None:
        lines.append(f"others: {_arrows(action.others)}")
    if action.designated != tuple(action.events):
        chosen = [
            name for event, name in zip(action.events, names, strict=True) if event in action.designated
        ]
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
    return name if re.fullmatch(r"\w[\w']*", name) else json.dumps(name, ensure_ascii=False)


def _agent_text(agent: str) -> str:
    return agent if re.fullmatch(r"\w[\w']*", agent) else f"{{{agent}}}"


def _arrows(pairs: Iterable[tuple[object, object]]) -> str:
    return ", ".join(f"{_event_text(e)} -> {_event_text(f)}" for e, f in pairs)
