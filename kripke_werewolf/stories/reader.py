"""Reading stories: statements to a model and moments. The format is described in docs/stories.md."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from kripke_werewolf.errors import FormatError, KripkeError
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.semantics.action import (
    ActionModel,
    Event,
    assign,
    lie,
    observe,
    private,
    semi_private,
    suspected,
)
from kripke_werewolf.stories.lines import Part, Statement, Text
from kripke_werewolf.stories.scene import Scene
from kripke_werewolf.stories.story import Asked, Happened, Moment, Sized, Story

__all__ = ["read_story", "story"]

_SCENE = ("title", "source", "agents", "atoms", "law", "world", "sees", "confuses", "variable", "actual")
_EVENTS = ("announce", "tell", "show", "suspect", "lie", "observe", "assign", "do")
_QUESTIONS = ("expect", "ask", "size", "count")
_ANYWHERE = ("let", "action")
_ACTION = ("event", "agent", "confuses", "actual")
_GROUP = {"tell": private, "show": semi_private, "suspect": suspected}


def read_story(path: str | os.PathLike[str]) -> Story:
    """Return the story in a file.

    Raises `FormatError` with line and column and what was expected; `OSError` if it cannot be opened.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(f"{os.fspath(path)}: byte {error.start} is not UTF-8 text") from None
    return story(text, source=os.fspath(path))


def story(text: str, *, source: str = "story") -> Story:
    """Return the story in a text; `source` is what errors call it. Raises as `read_story` does."""
    return _Reader(Text(text, source)).read()


class _Reader:
    """One reading, statement by statement."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.scene = Scene(text)
        self.title = self.credit = ""
        self.definitions: dict[str, Formula] = {}
        self.actions: dict[str, ActionModel] = {}
        self.moments: list[Moment] = []

    def read(self) -> Story:
        for statement in self.text.statements():
            words = (*_SCENE, *_EVENTS, *_QUESTIONS, *_ANYWHERE)
            word = self.text.word(statement.word, words, "a statement")
            if word in _SCENE:
                if self.moments:
                    self.text.fail(
                        statement.word.start, f"{word!r} must stand before the first event or question"
                    )
                self._describe(word, statement)
            elif word == "let":
                self._let(statement)
            elif word == "action":
                self._action(statement)
            else:
                self._moment(word, statement)
        if not self.scene.agents:
            self.text.fail(0, "a story needs agents; expected a line such as 'agents: a, b'")
        return Story(self.title, self.credit, self.scene.model(), tuple(self.moments), self.text.source)

    # --- the scene -------------------------------------------------------------------------------

    def _describe(self, word: str, statement: Statement) -> None:
        content = " ".join(statement.content.text.split())
        if word == "title":
            self.title = content
        elif word == "source":
            self.credit = content
        else:
            self.scene.say(word, statement, self._formula)

    def _let(self, statement: Statement) -> None:
        names = self.text.names(statement.arguments)
        if len(names) != 1:
            self.text.fail(statement.arguments.start, "expected one name: 'let nobody: ~Kw_a p & ~Kw_b p'")
        self.definitions[names[0].text] = self._formula(statement.content)

    def _formula(self, part: Part) -> Formula:
        """Return a formula with the definitions put in, over names that the story has."""
        if not part.text:
            self.text.fail(part.start, "expected a formula")
        found = self.text.formula(part)
        for atom in sorted(found.atoms - self.definitions.keys()):
            if atom not in self.scene.atom_names:
                place = Part(atom, self.text.place_of(atom, part))
                self.text.known(place, [*self.scene.atom_names, *self.definitions], "atom")
        for agent in sorted(found.agents):
            if agent not in self.scene.agents:
                self.text.known(Part(agent, self.text.place_of(agent, part)), self.scene.agents, "agent")
        try:
            return found.substitute(self.definitions).bind(**self.actions)
        except KripkeError as error:
            self.text.fail(part.start, str(error))

    # --- events and questions ----------------------------------------------------------------------

    def _moment(self, word: str, statement: Statement) -> None:
        line = self.text.line(statement.word.start)
        if word in _EVENTS:
            action = self._event(word, statement)
            shown = " ".join(self.text.text[statement.word.start : self._end(statement)].split())
            self.moments.append(Happened(statement.label or shown, action, line))
        elif word in ("size", "count"):
            number = statement.content if word == "size" else statement.arguments
            number = self.text.stripped(number.start, number.start + len(number.text))
            if not number.text.isdecimal():
                self.text.fail(number.start, "expected a number of worlds")
            f = None if word == "size" else self._formula(statement.content)
            self.moments.append(Sized(int(number.text), f, line))
        else:
            expected = None
            argument = self.text.stripped(
                statement.arguments.start, statement.arguments.start + len(statement.arguments.text)
            )
            if word == "expect":
                answers = {"yes": "true", "no": "false", "mixed": "mixed"}
                expected = answers[self.text.word(argument, answers, "the answer")]
            elif argument.text:
                self.text.fail(argument.start, "'ask' expects no answer; 'expect yes' does")
            f = self._formula(statement.content)
            meaning = statement.label or " ".join(statement.content.text.split())
            self.moments.append(Asked(meaning, f, expected, line))

    def _end(self, statement: Statement) -> int:
        return statement.content.start + len(statement.content.text)

    def _event(self, word: str, statement: Statement) -> ActionModel | Formula:
        content = statement.content
        group = [self.text.known(p, self.scene.agents, "agent") for p in self.text.names(statement.arguments)]
        if word in ("announce", "assign", "do"):
            if group:
                self.text.fail(statement.arguments.start, f"expected ':' or a label after {word!r}")
        elif not group or (word == "lie" and len(group) > 1):
            wanted = "one agent" if word == "lie" else "at least one agent"
            self.text.fail(statement.arguments.start, f"expected {wanted} after {word!r}")
        match word:
            case "announce":
                return self._formula(content)
            case "assign":
                return assign(self._changes(content))
            case "do":
                return self._done(content)
            case "lie":
                return lie(group[0], self._formula(content))
            case "observe":
                answers = [self._formula(p) for p in self.text.split(content)]
                if not answers:
                    self.text.fail(content.start, "expected a formula, or several between commas")
                return observe(group, answers[0] if len(answers) == 1 else answers)
            case _:
                return _GROUP[word](group, self._formula(content))

    def _done(self, content: Part) -> ActionModel:
        """Return an action by its name, perhaps with the events that may be the actual one."""
        name, colon, events = content.text.partition(":")
        action = self.actions[self.text.known(Part(name.strip(), content.start), self.actions, "action")]
        if not colon:
            return action
        begin = content.start + len(name) + 1
        chosen = self.text.names(Part(events, begin))
        if not chosen:
            self.text.fail(begin, "expected an event, or several between commas")
        return action.point(*(self.text.known(part, map(str, action.events), "event") for part in chosen))

    def _changes(self, part: Part) -> dict[str, Formula]:
        changes = {}
        for piece in self.text.split(part):
            atom, mark, _ = piece.text.partition(":=")
            if not mark:
                self.text.fail(piece.start, f"expected 'atom := formula', got {piece.text!r}")
            begin = piece.start + len(atom) + 2
            name = self.text.known(Part(atom.strip(), piece.start), self.scene.atom_names, "atom")
            changes[name] = self._formula(self.text.stripped(begin, piece.start + len(piece.text)))
        if not changes:
            self.text.fail(part.start, "expected 'atom := formula'")
        return changes

    # --- actions -----------------------------------------------------------------------------------

    def _action(self, statement: Statement) -> None:
        names = self.text.names(statement.arguments)
        if len(names) != 1:
            self.text.fail(statement.arguments.start, "expected one name for the action")
        events: dict[str, Event] = {}
        relations: dict[str, list[tuple[str, str]]] = {}
        designated: list[str] | None = None
        if not statement.content.text:
            self.text.fail(statement.content.start, "expected lines 'event NAME if FORMULA: CHANGES'")
        start = self.text.text.rfind("\n", 0, statement.content.start) + 1
        for inner in self.text.statements(Part(self.text.text[start : self._end(statement)], start)):
            word = self.text.word(inner.word, _ACTION, "a line of an action")
            if word == "event":
                name, _, condition = inner.arguments.text.strip().partition(" if ")
                at = inner.arguments.start + inner.arguments.text.find(" if ") + 4
                pre = self._formula(self.text.stripped(at, at + len(condition))) if condition else True
                if not name or name in events:
                    self.text.fail(inner.arguments.start, "expected a new name for the event")
                events[name] = Event(pre, self._changes(inner.content) if inner.content.text else {})
            elif word == "actual":
                designated = [self.text.known(p, events, "event") for p in self.text.names(inner.content)]
            else:
                if word == "agent":
                    pairs = [self._arrow(p, events) for p in self.text.split(inner.content)]
                else:
                    pairs = self._confused(inner.content, events)
                for part in self.text.names(inner.arguments):
                    relations[self.text.known(part, self.scene.agents, "agent")] = pairs
        for agent in self.scene.agents:  # unless told otherwise an agent sees which event happens
            relations.setdefault(agent, [(e, e) for e in events])
        try:
            action = ActionModel(events, relations, designated, name=names[0].text)
        except KripkeError as error:
            self.text.fail(statement.word.start, str(error))
        self.actions[names[0].text] = action

    def _confused(self, part: Part, events: Mapping[str, Event]) -> list[tuple[str, str]]:
        """Return the pairs of events in one cell; an event in none is in a cell of its own."""
        cell_of = {event: frozenset([event]) for event in events}
        for cell in self.text.cells(part):
            names = [self.text.known(p, events, "event") for p in cell]
            for name, place in zip(names, cell, strict=True):
                if len(cell_of[name]) > 1:
                    self.text.fail(place.start, f"{name!r} is in two cells")
                cell_of[name] = frozenset(names)
        return [(e, f) for e in events for f in events if f in cell_of[e]]

    def _arrow(self, part: Part, events: Mapping[str, Event]) -> tuple[str, str]:
        first, mark, _ = part.text.partition("->")
        if not mark:
            self.text.fail(part.start, f"expected 'event -> event', got {part.text!r}")
        begin = part.start + len(first) + 2
        return (
            self.text.known(Part(first.strip(), part.start), events, "event"),
            self.text.known(self.text.stripped(begin, part.start + len(part.text)), events, "event"),
        )
