"""Stories: a model with events, questions and expected numbers of worlds, read from a text file.

The format is described in docs/stories.md.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import reduce
from textwrap import indent
from typing import NamedTuple, Unpack

from kripke_werewolf.base.display import Displayed, drawn
from kripke_werewolf.base.drawing import Options, Pictures
from kripke_werewolf.base.errors import FalseAnnouncement, FormatError, KripkeError, ModelError
from kripke_werewolf.base.files import read_text, unmarked
from kripke_werewolf.base.reader import Part, whole
from kripke_werewolf.base.reports.documents import Block, Items, Paragraph
from kripke_werewolf.base.reports.tables import counted
from kripke_werewolf.logic import semantics, written
from kripke_werewolf.logic.english.sentences import People
from kripke_werewolf.logic.formulas import TRUE, Atom, Formula, conjunction
from kripke_werewolf.logic.formulas.logics import LOGICS, Logic, logic_named
from kripke_werewolf.logic.models.history import History
from kripke_werewolf.logic.models.model import KripkeModel
from kripke_werewolf.logic.puzzles.puzzle import Asked, Happened, Moment, Sized, obeying
from kripke_werewolf.logic.semantics import ActionModel, Event
from kripke_werewolf.logic.semantics.verdict import Verdict
from kripke_werewolf.logic.semantics.worlds import few_worlds
from kripke_werewolf.research.stories.occurrences import IS_IN, is_in
from kripke_werewolf.research.stories.scenes import DEEDS, PLACES, Setting, Watches


@dataclass(frozen=True, slots=True, repr=False)
class StoryOutcome(Displayed):
    """The outcome of a moment: the model, the verdict or number found, and whether it was expected."""

    moment: Moment
    model: KripkeModel
    found: Verdict | int
    right: bool

    def headline(self) -> str:
        """Return the moment, and the verdict or number found."""
        return f"{self.moment.headline()}; found {self.found}{'' if self.right else ' (wrong)'}"

    def display(self) -> Iterator[Block]:
        """Yield the line, and the picture of the model."""
        yield Paragraph(self.headline())
        yield drawn(self.model)

    def in_words(self, *, quiet: bool = False, explain: bool = False) -> Iterator[str]:
        """Yield a line with the result, and the reasons for an unexpected answer if `explain`.

        `quiet`: the line of the story stands before it.
        """
        line = f"line {self.moment.line}: " if quiet else "  "
        expected = getattr(self.moment, "expected", None)
        wanted = {"true": "yes", "false": "no"}.get(str(expected), expected)
        judged = "OK" if self.right else f"WRONG: expected {wanted}"
        match self.moment, self.found:
            case Happened(name), _:
                yield f"{name}: {counted(len(self.model), 'world')}{few_worlds(self.model.worlds)}"
            case Asked(meaning, f), Verdict() as verdict:
                remark = f"  {judged}" if expected is not None else ""
                yield f"{line}{meaning}? {verdict.in_words()}{remark}"
                if explain and not self.right:
                    yield indent(str(self.model.explain(f)), "    ")
            case Sized(_, f), found:
                what = "worlds" if f is None else f"worlds where {f}"
                yield f"{line}{what}: {found}  {judged}"

    def to_dict(self) -> dict[str, object]:
        """Return the line of the story, its question or event, and what was found, for JSON."""
        told: dict[str, object] = {"line": self.moment.line}
        match self.moment:
            case Happened(name):
                return told | {"event": name, "worlds": len(self.model)}
            case Asked(meaning, f, expected):
                told |= {"question": str(f), "meaning": meaning, "verdict": str(self.found)}
            case Sized(expected, f):
                told |= {"count": None if f is None else str(f), "found": self.found}
        return told | {"expected": expected, "right": self.right}


class StoryRun(NamedTuple):
    """A story that was run: the outcome of each moment, in order."""

    story: Story
    outcomes: tuple[StoryOutcome, ...]

    @property
    def right(self) -> bool:
        """Whether all answers and numbers are as expected."""
        return all(outcome.right for outcome in self.outcomes)

    def in_words(self, *, quiet: bool = False, explain: bool = False) -> Iterator[str]:
        """Yield lines: the events with the numbers of worlds, the answers, and how many are as expected.

        `quiet`: only unexpected answers, and the total. `explain`: the reasons for unexpected answers.
        """
        yield self.story.title or self.story.source
        if self.story.credit and not quiet:
            yield f"({self.story.credit})"
        if not quiet:
            yield f"at the start: {counted(len(self.story.model), 'world')}"
        for outcome in self.outcomes:
            if not (quiet and outcome.right):
                yield from outcome.in_words(quiet=quiet, explain=explain)
        checked = [o.right for o in self.outcomes if getattr(o.moment, "expected", None) is not None]
        wrong = checked.count(False)
        answers = f"{wrong} of {len(checked)} answers not" if wrong else f"all {len(checked)} answers"
        yield f"{answers} as expected"

    def to_dict(self) -> dict[str, object]:
        """Return the story with all outcomes, for JSON."""
        told = self.story
        about = {"version": 1, "title": told.title, "source": told.credit, "worlds": len(told.model)}
        return {**about, "moments": [outcome.to_dict() for outcome in self.outcomes]}


@dataclass(frozen=True, slots=True, repr=False)
class Story(Displayed):
    """A scenario with events and questions.

    `title`; `credit`: its source. `model`: the model at the start. `moments`: events and questions, in
    order. `source`: the name of the file, for messages. `logic`: that of the models after all events.

    >>> from kripke_werewolf.research.stories import story
    >>> told = story('''
    ... agents: a, b
    ... atoms: p
    ... sees a: p
    ... actual: p
    ... expect no: K_b p
    ... announce: p
    ... expect yes: C_{a,b} p
    ... ''')
    >>> [outcome.right for outcome in told.outcomes()]
    [True, True, True]
    """

    title: str
    credit: str
    model: KripkeModel
    moments: tuple[Moment, ...]
    source: str
    logic: Logic = LOGICS["K"]

    def headline(self) -> str:
        """Return the title, the number of worlds at the start, and the number of moments."""
        return f"{self.title}: {counted(len(self.model), 'world')}, {counted(len(self.moments), 'moment')}"

    def display(self) -> Iterator[Block]:
        """Yield the pictures of its history, and the questions with their answers."""
        yield Paragraph(self.title)
        yield from self.history().display()
        asked = [o for o in self.outcomes() if not isinstance(o.moment, Happened)]
        if asked:
            yield Items(tuple(outcome.headline() for outcome in asked))
        if self.credit:
            yield Paragraph(f"Source: {self.credit}")

    def draw(self, **options: Unpack[Options]) -> Pictures:
        """Return the pictures of its history; see `History.draw`."""
        return self.history().draw(**options)

    def history(self) -> History[KripkeModel]:
        """Return the history of all events; raises the same errors as `outcomes`."""
        happened = (moment for moment in self.moments if isinstance(moment, Happened))
        return reduce(self._after, happened, History(self.model))

    def outcomes(self) -> Iterator[StoryOutcome]:
        """Run the story: yield the outcome of each moment, in order.

        Raises `FormatError`, naming the line, for an event that cannot happen.
        """
        history = History(self.model)
        for moment in self.moments:
            found: Verdict | int
            match moment:
                case Happened():
                    history = self._after(history, moment)
                    found, right = len(history.model), True
                case Asked(_, f, expected, _):
                    found = history.model.verdict(f)
                    right = expected is None or found == expected
                case Sized(number, f, _):
                    found = len(history.model) if f is None else len(history.model.where(f))
                    right = found == number
            yield StoryOutcome(moment, history.model, found, right)

    def run(self) -> StoryRun:
        """Run the story to its end; raises the same errors as `outcomes`."""
        return StoryRun(self, tuple(self.outcomes()))

    def _after(self, history: History[KripkeModel], event: Happened) -> History[KripkeModel]:
        try:
            then = history.then(event.action, name=event.name)
        except FalseAnnouncement as error:
            raise FormatError(f"{self.source}, line {event.line}: this cannot happen: {error}") from None
        for agent, flaw in then.model.frame_flaws(self.logic).items():
            said = f"this leaves the logic {self.logic}: the relation of {agent} is {flaw}"
            raise FormatError(f"{self.source}, line {event.line}: {said}")
        return then


def read_story(path: str | os.PathLike[str]) -> Story:
    """Return the story in a file.

    Raises `FormatError` with line and column and what was expected; `OSError` if it cannot be opened.
    """
    return story(read_text(path), source=os.fspath(path))


def story(text: str, *, source: str = "story") -> Story:
    """Return the story in a string; errors call it `source`. Raises the same errors as `read_story`."""
    return _Reader(whole(written.without_comments(unmarked(text).expandtabs(4)), source)).read()


_HEAD = ("title", "source", "logic")
_PLACED = ("places", "room", "inside", "thing")
_WORLDS = ("agents", "atoms", "law", "world", "sees", "confuses", "variable", "actual", "phrase")
_SCENE = (*_HEAD, *_WORLDS, *_PLACED)
_EVENTS = ("announce", "assign", "do", "tell", "show", "suspect", "lie", "observe")
_WITHOUT_AGENTS = _EVENTS[:3]
_QUESTIONS = ("expect", "ask", "size", "count")
_ANYWHERE = ("let", "action")
_WORDS = (*_SCENE, *_EVENTS, *_QUESTIONS, *_ANYWHERE, *DEEDS)
_ANSWERS = {"yes": "true", "no": "false", "mixed": "mixed"}
_TOLD = {"tell": semantics.private, "show": semantics.semi_private, "suspect": semantics.suspected}


class _Reader:
    """One reading, statement by statement: first the scene, then the moments."""

    def __init__(self, text: Part) -> None:
        self.text = text
        self.title = self.credit = ""
        self.logic = LOGICS["K"]
        self.reasoners: list[Part] = []  # the agents in it
        self.agents: list[str] = []
        self.atoms: list[str] = []
        self.listed: dict[str, list[str]] = {}
        self.laws: list[tuple[Formula, Part]] = []
        self.seen: dict[str, list[Formula]] = {}
        self.cells: dict[str, list[list[Part]]] = {}
        self.variables: dict[str, dict[str, Formula]] = {}
        self.actual: Part | None = None
        self.phrases: dict[str, str] = {}
        self.definitions: dict[str, Formula] = {}
        self.actions: dict[str, ActionModel] = {}
        self.moments: list[Moment] = []
        self.placed = Setting((), {}, {}, {})
        self.scene: Setting | None = None  # what has happened in rooms, once something has

    def read(self) -> Story:
        for statement in written.statements(self.text):
            word = statement.word.word(_WORDS, "a statement")
            if word in _SCENE and self.moments:
                statement.word.fail(f"{word!r} must stand before the first event or question")
            if word in _SCENE:
                self._describe(word, statement)
            elif word == "let":
                name = self._name(statement, "let nobody: ~Kw_a p & ~Kw_b p")
                self.definitions[name.text] = self._formula(statement.content)
            elif word == "action":
                action = self._acting().read(self._name(statement, "action move:").text, statement)
                self.actions[action.name] = action
            elif word in DEEDS:
                self.moments.append(self._deed(statement))
            else:
                self.moments.append(self._moment(word, statement))
        if not self.agents:
            self.text.fail("a story needs agents; expected a line such as 'agents: a, b'")
        for agent in self.reasoners:
            agent.known(self.agents, "agent")
        made, moments = self._model(), tuple(self.moments)
        return Story(self.title, self.credit, made, moments, self.text.source.name, self.logic)

    # --- parts of statements -----------------------------------------------------------------------

    def _name(self, statement: written.Statement, example: str) -> Part:
        """Return the one name that a statement has as its argument."""
        names = statement.names()
        if len(names) != 1:
            statement.arguments.fail(f"expected one name: {example!r}")
        return names[0]

    def _new(self, part: Part, names: Container[str]) -> str:
        if part.text in names:
            part.fail(f"{part.text!r} is named twice")
        return part.text

    def _known(self, part: Part, names: Iterable[object], kind: str) -> list[str]:
        """Return the names in a part; all must be known."""
        return [name.known(map(str, names), kind) for name in part.names()]

    def _group(self, statement: written.Statement, wanted: str = "at least one agent") -> list[str]:
        group = [name.known(self.agents, "agent") for name in statement.names()]
        if not group or (wanted == "one agent" and len(group) > 1):
            statement.arguments.fail(f"expected {wanted} after {statement.word.text!r}")
        return group

    def _formula(self, part: Part) -> Formula:
        """Return a formula over the names of the story, with definitions expanded."""
        if not part.text:
            part.fail("expected a formula")
        found = written.read_formula(part.text, None, part.fail, phrases=self.phrases)
        known = [*self.atoms, *self.definitions]
        for name in sorted(found.atoms.difference(known)):
            _named(name, part).known(known, "atom")
        for name in sorted(found.agents.difference(self.agents)):
            _named(name, part).known(self.agents, "agent")
        try:
            return found.substitute(self.definitions).bind(**self.actions)
        except KripkeError as error:
            part.fail(str(error))

    def _factual(self, part: Part) -> Formula:
        """Return a formula about facts, without knowledge operators."""
        found = self._formula(part)
        if found.agents:
            part.fail(f"expected a formula without knowledge, got {part.text!r}")
        return found

    def _acting(self) -> written.ActionReader:
        """Return a reader of actions over the names of the story."""
        return written.ActionReader(
            formula=self._formula,
            atom=lambda part: part.known(self.atoms, "atom"),
            agent=lambda part: part.known(self.agents, "agent"),
            agents=self.agents,
        )

    # --- the scene ---------------------------------------------------------------------------------

    def _describe(self, word: str, statement: written.Statement) -> None:
        content = statement.content
        match word:
            case "title":
                self.title = content.line
            case "source":
                self.credit = content.line
            case "logic":
                try:
                    self.logic = logic_named(content.line)
                except KripkeError as error:
                    content.fail(str(error))
                self.reasoners = [_named(agent, content) for agent, _ in self.logic.mixed[:-1]]
            case "agents" | "atoms":
                names = self.agents if word == "agents" else self.atoms
                for part in content.names():
                    names.append(self._new(part, names))
            case "law":
                self.laws.append((self._factual(content), content))
            case "world":
                name = self._name(statement, "world heads: h")
                self.listed[self._new(name, self.listed)] = self._known(content, self.atoms, "atom")
            case "sees":
                for agent in self._group(statement):
                    self.seen.setdefault(agent, []).extend(self._sights(content))
            case "confuses":
                for agent in self._group(statement):
                    self.cells.setdefault(agent, []).extend(written.cells(content))
            case "variable":
                name = self._name(statement, "variable birthday: July_16, …")
                self.variables[name.text] = {p.text: self._formula(p) for p in content.split()}
            case "actual":
                self.actual = content
            case "phrase":
                atom = statement.arguments.cut()
                self.phrases[self._new(atom, self.phrases)] = content.line
                try:
                    People(None, self.phrases)
                except KripkeError as error:
                    atom.fail(str(error))
            case "places":
                kind = content.word(PLACES, "places")
                self.placed = self.placed._replace(open=kind == "open")
            case "room" | "inside" | "thing":
                self._place(word, statement)

    def _place(self, word: str, statement: written.Statement) -> None:
        """Read the places of a room, the room of an agent, or the place where a thing is at the start."""
        given, names = self._name(statement, f"{word} NAME: …"), statement.content.names()
        rooms, things, inside, *_ = self.placed[1:]
        everywhere = self.placed.named()["place"]
        if word != "room" and len(names) != 1:
            statement.content.fail(f"expected one {'room' if word == 'inside' else 'place'}")
        if word == "room":
            rooms = {**rooms, self._new(given, rooms): [self._new(name, everywhere) for name in names]}
        elif word == "inside":
            given.known(self.agents, "agent")
            inside = {**inside, self._new(given, inside): names[0].known(rooms, "room")}
        else:
            things = {**things, self._new(given, things): names[0].known(everywhere, "place")}
        self.placed = self.placed._replace(rooms=rooms, things=things, inside=inside)
        if word == "thing":
            self.phrases |= IS_IN
            atoms = [is_in(given.text, place) for place in self.placed.places_of(given.text)]
            self.atoms += [self._new(replace(given, text=atom), self.atoms) for atom in atoms]
            here = is_in(given.text, things[given.text])
            law = conjunction(Atom(atom) if atom == here else ~Atom(atom) for atom in atoms)
            self.laws.append((law, given))

    def _deed(self, statement: written.Statement) -> Happened:
        """Read a deed in a scene; what somebody notices becomes a part of the event before."""
        before = self.scene or self.placed._replace(agents=tuple(self.agents)).begun()
        word, kind, known = statement.word, DEEDS[statement.word.text], before.named()
        parts = [*statement.names(), *statement.content.names()]
        if len(parts) != len(kind.__match_args__):
            example = f"{kind.word} {', '.join(kind.__match_args__)}".replace(", ", ": ", 1)
            word.fail(f"expected {example.upper()!r}")
        fields = zip(parts, kind.__match_args__, strict=True)
        deed = kind(*(part.known(known[name], name) for part, name in fields))
        try:
            self.scene = deed.after(before)
        except ModelError as error:
            word.fail(str(error))
        name, new = statement.label or deed.sentence()[:-1], self.scene.happened[len(before.happened) :]
        if isinstance(deed, Watches):
            new = self.scene.happened[len(before.happened) - before.watchable :]
            last = self.moments.pop() if self.moments else None
            if not isinstance(last, Happened):
                word.fail("expected it to follow the event that is noticed")
            name = f"{last.name}. {name}"
        actions = [what.action(before.agents, before.places_of(what.thing)) for what in new]
        action = reduce(_together, actions) if actions else TRUE
        return Happened(name, action, word.number)

    def _sights(self, content: Part) -> list[Formula]:
        """Return the observations of an agent: static formulas, `nothing`, `all`, or `all but` some atoms."""
        if content.text == "nothing":
            return []
        if content.text == "all" or content.text.startswith("all but "):
            out = self._known(content.cut(len("all but ")), self.atoms, "atom")
            return [Atom(atom) for atom in self.atoms if atom not in out]
        pieces = content.split()
        if not pieces:
            content.fail("expected atoms or formulas, all, all but …, or nothing")
        return [self._factual(piece) for piece in pieces]

    def _model(self) -> KripkeModel:
        worlds = self.listed or self._lawful()
        if self.listed and self.laws:
            self.laws[0][1].fail("a story lists its worlds or has laws, not both")
        facts = KripkeModel.from_observations(worlds, {}, worlds.__getitem__, atoms=self.atoms)
        sees = {agent: self._observation(agent, facts) for agent in self.agents}
        try:
            model = KripkeModel.from_observations(
                worlds, sees, worlds.__getitem__, atoms=self.atoms, variables=self.variables
            )
        except KripkeError as error:
            self.text.fail(str(error))
        if self.actual is None:
            return model
        if self.actual.text in self.listed:
            return model.point(self.actual.text)
        actual = model.where(self._formula(self.actual))
        if not actual:
            self.actual.fail(f"no world satisfies {self.actual.text}")
        return model.point(*actual)

    def _lawful(self) -> dict[str, list[str]]:
        """Return the worlds that satisfy the laws, named by their true atoms."""
        if not self.atoms:
            self.text.fail("a story needs worlds; expected a line 'atoms: p, q' or 'world NAME: atoms'")
        try:
            numbers = obeying(self.atoms, [law for law, _ in self.laws])
        except ModelError as error:
            (self.laws[0][1] if self.laws else self.text).fail(str(error))
        digits = [(atom, 1 << place) for place, atom in enumerate(reversed(self.atoms))][::-1]
        states = [[atom for atom, digit in digits if number & digit] for number in reversed(numbers)]
        return {" ".join(state) or "-": state for state in states}

    def _observation(self, agent: str, facts: KripkeModel) -> Callable[[Hashable], Hashable]:
        """Return an agent's observation at a world: the truth values of formulas, or its cell."""
        if agent not in self.cells:
            seen = [frozenset(facts.where(f)) for f in self.seen.get(agent, ())]
            return lambda world: tuple(world in true for true in seen)
        confused = self.cells[agent]
        if agent in self.seen:
            place = confused[0][0] if confused else self.text
            place.fail(f"either say what {agent!r} sees or which worlds it confuses, not both")
        cell = written.cell_of(confused, list(map(str, facts.worlds)), "world", f" of {agent!r}")
        return lambda world: cell[str(world)]

    # --- events and questions ----------------------------------------------------------------------

    def _moment(self, word: str, statement: written.Statement) -> Moment:
        line, content = statement.word.number, statement.content
        argument = statement.arguments.cut()
        asked = statement.label or content.line.rstrip(".?")
        match word:
            case "size":
                return Sized(self._number(content), None, line)
            case "count":
                return Sized(self._number(argument), self._formula(content), line)
            case "ask":
                if argument.text:
                    argument.fail("'ask' expects no answer; 'expect yes' does")
                return Asked(asked, self._formula(content), None, line)
            case "expect":
                expected = _ANSWERS[argument.word(_ANSWERS, "the answer")]
                return Asked(asked, self._formula(content), expected, line)
            case _:
                label = statement.label if argument.text or word in _WITHOUT_AGENTS else ""
                return Happened(label or statement.whole.line, self._event(word, statement), line)

    def _number(self, part: Part) -> int:
        if not part.text.isdecimal():
            part.fail("expected a number of worlds")
        return int(part.text)

    def _event(self, word: str, statement: written.Statement) -> ActionModel | Formula:
        content = statement.content
        if word in _WITHOUT_AGENTS and statement.arguments.text:
            statement.arguments.fail(f"expected ':' or a label after {word!r}")
        match word:
            case "announce":
                return self._formula(content)
            case "assign":
                return semantics.assign(self._acting().changes(content))
            case "do":
                return self._done(content)
            case "lie":
                return semantics.lie(self._group(statement, "one agent")[0], self._formula(content))
            case "observe":
                answers = [self._formula(piece) for piece in content.split() or [content]]
                return semantics.observe(self._group(statement), answers[0] if len(answers) == 1 else answers)
            case _:
                return _TOLD[word](self._group(statement), self._formula(content))

    def _done(self, content: Part) -> ActionModel:
        """Return an action by its name, possibly with the events that may be the actual one."""
        end = content.text.find(":")
        name = content.cut(0, end) if end >= 0 else content
        action = self.actions[name.known(self.actions, "action")]
        if end < 0:
            return action
        chosen = content.cut(end + 1)
        if not chosen.text:
            chosen.fail("expected an event, or several between commas")
        return action.point(*self._known(chosen, action.events, "event"))


def _together(one: ActionModel, other: ActionModel) -> ActionModel:
    """Return the action that makes the changes of two with the same events, about two things."""
    both = zip(one.events.items(), other.events.values(), strict=True)
    return one.with_events({e: Event(own.pre, {**own.post, **more.post}) for (e, own), more in both})


def _named(name: str, part: Part) -> Part:
    """Return a name at its position in a part; at the beginning if it is not found in this form."""
    return replace(part, text=name, start=part.start + written.place_of(name, part.text))
