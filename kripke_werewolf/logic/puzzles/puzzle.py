"""Puzzles: a start, then events and questions in order, with the known answers.

What the pictures of worlds are made of: children with mud, hats, cards, wolves.

Starts of puzzles without a list of worlds: the worlds satisfy a law, or are numbers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cache, cached_property, partial, reduce
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, Unpack, get_args

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.drawing import Options, Pictures
from kripke_werewolf.base.errors import FalseAnnouncement, ModelError, ModelTooLarge
from kripke_werewolf.base.reports.documents import Block, Items, Paragraph
from kripke_werewolf.base.reports.tables import Grid, Tabled, counted
from kripke_werewolf.base.usage import Explaining
from kripke_werewolf.logic.english.phrases import sections
from kripke_werewolf.logic.english.vocabulary import Vocabulary
from kripke_werewolf.logic.formulas.syntax import Formula, FormulaLike, formula
from kripke_werewolf.logic.models.history import History
from kripke_werewolf.logic.models.model import KripkeModel, Model
from kripke_werewolf.logic.semantics.action import ActionModel
from kripke_werewolf.logic.semantics.answers import Answer, OfModel, answer_of
from kripke_werewolf.logic.semantics.bits import arrays_are_there
from kripke_werewolf.logic.semantics.verdict import Verdict
from kripke_werewolf.logic.semantics.worlds import few_worlds

if TYPE_CHECKING:
    from kripke_werewolf.logic.symbolic import KnowledgeStructure, SymbolicStructure


@dataclass(frozen=True, slots=True)
class Icon:
    """A part of the pictures of worlds, for some atoms.

    `drawing`: the name of a file in `visualise/drawings`, whose parts of the class `true` are drawn where one
    of the atoms is true, those of the class `false` elsewhere. `shows`: the atoms, each with the words
    written into the drawing where it is true. `label`: the name below.

    >>> hands = [Icon("card", {f"{player}_{card}": card for card in "01"}, player) for player in "ab"]
    """

    drawing: str
    shows: Mapping[str, str]
    label: str = ""


def wolf_icons(atoms: Iterable[str]) -> tuple[Icon, ...]:
    """Return the icons that show who is a wolf in the worlds of a game, from the atoms of its model.

    Below each stands the player's name, or its beginning; numbers in the order of the seats if beginnings are
    the same. For example `visualise.svg(model, icons=wolf_icons(model.atoms))`.

    >>> [icon.label for icon in wolf_icons(["seer_Ann", "wolf_Ann", "wolf_Charlotte"])]
    ['Ann', 'Charl']
    """
    names = [atom.removeprefix("wolf_") for atom in atoms if atom.startswith("wolf_")]
    labels = [name[:_LETTERS] for name in names]
    if len(set(labels)) < len(names):
        labels = [str(seat) for seat in range(1, len(names) + 1)]
    return tuple(Icon("wolf", {f"wolf_{name}": ""}, label) for name, label in zip(names, labels, strict=True))


_LETTERS = 5
"""The letters of a label for which there is room below an icon."""


_FEW = 64  # worlds up to which a model is built from a list, beyond that from arrays if available
_GLANCE = 12  # with more atoms a notebook shows a puzzle without its model
_MOST = 2**21  # states examined before a law removes them


@dataclass(frozen=True)
class Scenario(Explaining):
    """The start of a puzzle whose worlds are all the sets of atoms that satisfy a law.

    `atoms`: in the order of the decision diagrams, related ones close together. `sees`: the atoms observed by
    each agent. `actual`: the atoms that are true at the actual world. `name`: a function from the binary
    number of the true atoms, the first atom being the highest digit, to the name of the world in the explicit
    model; by default the digits. `ranks`: for an agent that finds some worlds more plausible than others,
    formulas; the rank of a world is the number of those that are true.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> hats = Scenario(["red_1", "red_2"], parse("red_1 | red_2"), {1: ["red_2"], 2: ["red_1"]},
    ...                 ["red_1", "red_2"])
    >>> list(hats.model().worlds), hats.structure().size
    (['01', '10', '11'], 3)
    """

    atoms: Sequence[str]
    law: Formula
    sees: Mapping[Any, Collection[str]]
    actual: Collection[str]
    name: Callable[[int], Hashable] | None = None
    ranks: Mapping[Any, Sequence[FormulaLike]] = field(default_factory=dict)

    def model(self) -> KripkeModel:
        """Return the explicit model; raises `ModelError` if it would have too many worlds."""
        value = _place_values(self.atoms)

        def number(true: Iterable[str]) -> int:
            return sum(value[atom] for atom in true)

        model = numbered_model(
            obeying(self.atoms, [self.law]),
            {atom: partial(_masked, place) for atom, place in value.items()},
            {agent: partial(_masked, number(seen)) for agent, seen in self.sees.items()},
            self.name or f"{{:0{len(self.atoms)}b}}".format,
            number(self.actual),
        )
        return model.ranked(self.ranks) if self.ranks else model

    def structure(self) -> KnowledgeStructure:
        """Return the knowledge structure."""
        from kripke_werewolf.logic.symbolic import KnowledgeStructure

        return KnowledgeStructure(self.atoms, self.law, self.sees, [self.actual], ranks=self.ranks)


def obeying(atoms: Sequence[str], laws: Sequence[Formula]) -> Sequence[int]:
    """Return the sets of atoms that satisfy laws, as ascending binary numbers with a digit for each atom.

    The sets grow atom by atom; a law removes some as soon as all its atoms are included. Raises `ModelError`
    if none or too many are left.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> found = obeying(["p", "q", "r"], [parse("p <-> q"), parse("q | r")])
    >>> [format(number, "03b") for number in found]
    ['001', '110', '111']
    """
    found: Sequence[int] = [0]
    left = list(laws)
    for count, atom in enumerate(atoms, 1):
        if 2 * len(found) > _MOST:
            raise ModelError(
                f"more than {_MOST:,} states to look at; put laws about few atoms first, and atoms that a law"
                " relates next to each other"
            )
        found = [number << 1 | digit for number in found for digit in (0, 1)]
        known = atoms[:count]
        for law in [law for law in left if law.atoms <= set(known)]:
            left.remove(law)
            true = {a: partial(_masked, place) for a, place in _place_values(known).items()}
            found = numbered_model(found, true, {}, int).where(law)  # type: ignore[assignment]
        if not found:
            raise ModelError(f"the laws leave no world: no state of {atom!r} obeys them")
    return found


def runs(ranges: Iterable[range]) -> Sequence[int]:
    """Return the numbers of all the ranges, one after the other; an array if there are many."""
    given = list(ranges)
    if sum(map(len, given)) <= _FEW or not arrays_are_there():
        return list(chain.from_iterable(given))
    import numpy as np

    arrays = [np.arange(run.start, run.stop, run.step, dtype=np.int64) for run in given]
    return np.concatenate(arrays)  # type: ignore[return-value]


def numbered_model(
    numbers: Sequence[int],
    atoms: Mapping[str, Callable[[Any], Any]],
    observations: Mapping[Any, Callable[[Any], Any]],
    name: Callable[[int], Hashable],
    actual: int | None = None,
) -> KripkeModel:
    """Return the S5 model with one world for each number.

    `atoms` gives for each atom a function that is nonzero where it is true, `observations` for each agent a
    function to the nonnegative integer it sees, `name` the name of a world. The functions in `atoms` and
    `observations` must be arithmetical, since they are also called with an array of all numbers. `actual`:
    the number of the designated world; by default all are designated.

    >>> numbered_model(range(4), {"p": lambda k: k & 1}, {"a": lambda k: k >> 1}, str, 3).holds("M_a ~p")
    True
    """
    if len(numbers) <= _FEW or not arrays_are_there():
        number = {name(k): k for k in map(int, numbers)}
        return KripkeModel.from_observations(
            number,
            {agent: partial(_seen, see, number) for agent, see in observations.items()},
            lambda world: [atom for atom, true in atoms.items() if true(number[world])],
            None if actual is None else [name(actual)],
            atoms=atoms,
        )
    import numpy as np

    from kripke_werewolf.logic.semantics.arrays import ArraySpace, Valuation
    from kripke_werewolf.logic.semantics.cells import Partition
    from kripke_werewolf.logic.semantics.numbering import dense
    from kripke_werewolf.logic.semantics.worlds import Computed

    try:
        table = np.asarray(numbers, np.int64)
    except OverflowError:
        table = np.asarray(numbers, object)
    relations = {}
    for agent, see in observations.items():
        seen = see(table)
        labels, cells = dense(seen, int(seen.max()) + 1)
        relations[str(agent)] = Partition(labels, len(cells))

    @cache
    def places() -> Mapping[Hashable, int]:
        return {name(k): place for place, k in enumerate(table.tolist())}

    def find(world: object) -> int | None:
        return places().get(world) if isinstance(world, Hashable) else None

    names = Computed(len(table), lambda place: name(int(table[place])), find)
    valuation = Valuation(len(table), {atom: partial(_truth, true, table) for atom, true in atoms.items()})
    space = ArraySpace(names, relations, valuation, {}, {})
    return KripkeModel.from_space(space, None if actual is None else table == actual)


def _place_values(atoms: Sequence[str]) -> dict[str, int]:
    return {atom: 1 << place for atom, place in zip(atoms, reversed(range(len(atoms))), strict=True)}


def _masked(mask: int, numbers: Any) -> Any:
    return numbers & mask


def _seen(function: Callable[[Any], Any], number: Mapping[Hashable, int], world: Hashable) -> Hashable:
    seen: Hashable = function(number[world])
    return seen


def _truth(function: Callable[[Any], Any], table: Any) -> Any:
    return function(table).astype(bool)


_allowed = ContextVar("_allowed", default=1_100_000)  # worlds at the start
_QUICK = 10_000  # worlds, events included, up to which `auto` is the explicit engine

Engine: TypeAlias = Literal["explicit", "symbolic", "auto"]


@dataclass(frozen=True, slots=True, repr=False)
class Happened(Displayed):
    """An event: its name in plain words, and the action or the formula announced.

    `line`: its line in the source, if it was read from one.
    """

    name: str
    action: ActionModel | Formula
    line: int = 0

    def headline(self) -> str:
        """Return the name, and the formula if one is announced."""
        return self.name if isinstance(self.action, ActionModel) else f"{self.name}: {self.action.unicode()}"

    def display(self) -> Iterator[Block]:
        """Yield the name, and the picture of an action."""
        yield Paragraph(self.headline())
        if isinstance(self.action, ActionModel):
            yield from self.action.display()


@dataclass(frozen=True, slots=True, repr=False)
class Asked(Displayed):
    """A formula asked at this point; `expected` is `true`, `false`, `mixed`, or None."""

    meaning: str
    formula: Formula
    expected: str | None
    line: int = 0

    def headline(self) -> str:
        """Return the question, and the expected answer."""
        return f"{self.meaning}: {self.formula.unicode()}; expected {self.expected or 'nothing'}"


@dataclass(frozen=True, slots=True, repr=False)
class Sized(Displayed):
    """The expected number of worlds at this point: of all worlds, or of those where `formula` is true."""

    expected: int
    formula: Formula | None
    line: int = 0

    def headline(self) -> str:
        """Return the expected number."""
        where = f" where {self.formula.unicode()}" if self.formula is not None else ""
        return f"expected: {counted(self.expected, 'world')}{where}"


Moment: TypeAlias = Happened | Asked | Sized


class Question(NamedTuple):
    """A formula asked after some of the events, its meaning in words, and the known answer."""

    formula: Formula
    meaning: str
    expected: str | None
    after: int


class PuzzleAnswer(NamedTuple):
    """The verdict on a question."""

    question: Question
    verdict: Verdict


def _about(name: str) -> Mapping[str, str]:
    """Return the entries of a puzzle in `puzzles.txt`: its sentence, its source and its words."""
    return sections("puzzles", __package__ or "").get(name, {})


def _words_of(name: str) -> Vocabulary | None:
    """Return the words of a puzzle, if they are declared."""
    said = dict(_about(name))
    if not said:
        return None
    one, several = said.pop("kinds", "agent, agents").split(", ")
    atoms = [atom for atom in said if atom not in ("says", "source", "neuter")]
    phrases = tuple((atom, words) for atom in atoms for words in said[atom].split(" | "))
    return Vocabulary(kinds=((one, several),), phrases=phrases, neuter="neuter" in said)


@dataclass(frozen=True, repr=False)
class Puzzle(Displayed):
    """A puzzle; `history` replays it on either engine.

    `start`: the model at the start, or a `Scenario` whose worlds are given by a
    law. `moments`: events and questions in order, with the answers from the literature. `formulas`,
    `actions`: the named ones. `engine`: `explicit` for the Kripke model, `symbolic` for the knowledge
    structure. `icons`: what the pictures of its worlds are made of. `words`: those of sentences and questions
    in English, by default those of its name in `puzzles.txt`.
    """

    name: str
    description: str
    start: KripkeModel | Scenario
    moments: tuple[Moment, ...] = ()
    formulas: Mapping[str, Formula] = field(default_factory=dict, hash=False)
    actions: Mapping[str, ActionModel] = field(default_factory=dict, hash=False)
    engine: Engine = "explicit"
    icons: tuple[Icon, ...] = ()
    words: Vocabulary | None = None

    def __post_init__(self) -> None:
        if self.engine not in get_args(Engine):
            raise ModelError(f"the engine is {', '.join(get_args(Engine))}; got {self.engine!r}")

    @property
    def source(self) -> str:
        """The literature from which it comes."""
        return _about(self.name).get("source", "")

    def headline(self) -> str:
        """Return the name and the numbers of events and questions."""
        events, questions = counted(len(self.events), "event"), counted(len(self.questions), "question")
        return f"{self.name}: {events}, {questions}"

    def display(self) -> Iterator[Block]:
        """Yield the puzzle in words, its history (as pictures if it is small), and its questions."""
        yield Paragraph(f"{self.name}. {self.description}")
        large = isinstance(self.start, Scenario) and len(self.start.atoms) > _GLANCE
        if large or self.engine == "symbolic":
            yield Items(tuple(event.headline() for event in self.events))
        else:
            yield from self.possible()[0].display()
        if self.questions:
            yield from self.questions.display()
        yield Paragraph(f"Source: {self.source}")

    def draw(self, **options: Unpack[Options]) -> Pictures:
        """Return the pictures of its history; see `History.draw`."""
        wanted: Options = {"icons": self.icons, **options}
        return self.possible()[0].draw(**wanted)

    @property
    def events(self) -> tuple[Happened, ...]:
        """The events, in order."""
        return tuple(moment for moment in self.moments if isinstance(moment, Happened))

    @property
    def questions(self) -> Tabled[Question]:
        """The questions, in order, each with the number of events before it."""
        found, after = [], 0
        for moment in self.moments:
            match moment:
                case Happened():
                    after += 1
                case Asked(meaning, f, expected):
                    found.append(Question(f, meaning, expected, after))
        return Tabled(found, _asked("expected", ((q, q.expected or "") for q in found)))

    @cached_property
    def model(self) -> KripkeModel:
        """The Kripke model at the start, with the actual world designated if it is given."""
        model = self.start if isinstance(self.start, KripkeModel) else self.start.model()
        words = self.words or _words_of(self.name)
        return model if words is None else model.with_words(words)

    def ask(self, question: FormulaLike, *, given: FormulaLike | None = None) -> Answer:
        """Return the answer to a formula or a question in English, at the start; see `KripkeModel.ask`.

        >>> from kripke_werewolf.logic.puzzles import puzzle
        >>> print(puzzle("muddy-children", 3).ask("Which children know that child 1 is not clean?"))
        2, 3
        """
        if self.engine != "symbolic":
            return self.model.ask(question, given=given)
        structure, words = self.structure, self.words or _words_of(self.name) or Vocabulary()
        known = replace(words, agents=structure.agents, atoms=structure.atoms)
        return answer_of(OfModel(structure, known), question, given)

    @cached_property
    def structure(self) -> SymbolicStructure:
        """The knowledge structure at the start."""
        if isinstance(self.start, Scenario):
            return self.start.structure()
        from kripke_werewolf.logic.symbolic import KnowledgeStructure

        return KnowledgeStructure.from_explicit(self.start)

    def history(self) -> History[Any]:
        """Return the history of all events.

        Raises `FalseAnnouncement` if one of them is impossible.
        """
        return reduce(_then, self.events, self._beginning())

    def possible(self) -> tuple[History[Any], str | None]:
        """Return the history up to the first impossible event, and the name of that event, if any."""
        history = self._beginning()
        for event in self.events:
            try:
                history = _then(history, event)
            except FalseAnnouncement:
                return history, event.name
        return history, None

    def run(self) -> PuzzleRun:
        """Return how it goes up to the first impossible event, with the answers to the questions."""
        history, impossible = self.possible()
        return PuzzleRun(self, history, impossible, tuple(self.answers(history)))

    def _beginning(self) -> History[Any]:
        start: Model = self.structure if self.engine == "symbolic" else self.model
        return History(start)

    def answers(self, history: History[Any] | None = None) -> Tabled[PuzzleAnswer]:
        """Return the verdicts on the questions, or on those asked within a given history."""
        played = self.history() if history is None else history
        asked = [q for q in self.questions if q.after <= len(played)]
        found = [PuzzleAnswer(q, played.verdict(q.formula, step=q.after)) for q in asked]
        return Tabled(found, _asked("answer", found))


class PuzzleRun(NamedTuple):
    """A puzzle that was run: its history, the event that was impossible, if any, and the answers."""

    puzzle: Puzzle
    history: History[Any]
    impossible: str | None
    answers: tuple[PuzzleAnswer, ...]

    @property
    def right(self) -> bool:
        """Whether all events are possible, and all answers as in the literature."""
        return self.impossible is None and all(v == q.expected for q, v in self.answers)

    def moment(self, step: int) -> str:
        """Return the words for the moment after a number of steps."""
        return f"after {self.history.steps[step - 1].name!r}" if step else "at the start"

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers of worlds after each step, and the questions with their answers, for JSON."""
        found, names = self.puzzle, ["start", *(step.name for step in self.history.steps)]
        sizes = [{"name": n, "worlds": m.size} for n, m in zip(names, self.history.models, strict=True)]
        if self.impossible is not None:
            sizes.append({"name": self.impossible, "worlds": 0})
        asked = [q._asdict() | {"formula": str(q.formula), "verdict": str(v)} for q, v in self.answers]
        content = {name: getattr(found, name) for name in ("name", "description", "source", "engine")}
        return {"version": 1, **content, "steps": sizes, "questions": asked}

    def in_words(self, *, steps: bool = False) -> Iterator[str]:
        """Yield lines: the puzzle, the numbers of worlds and the answers; `steps`: also the worlds left.

        Of a puzzle with decision diagrams: only the numbers of worlds.
        """
        models = self.history.models
        symbolic = self.puzzle.engine == "symbolic"
        if not symbolic:
            yield self.puzzle.description
            yield f"({self.puzzle.source})\n"
        if steps:
            shown = [_many_worlds(model.size).rsplit(" ", 1) for model in models]
            width = max(len(count) for count, _ in shown)
            for number, (model, (count, noun)) in enumerate(zip(models, shown, strict=True)):
                few = few_worlds(model.worlds) if number and not symbolic else ""
                yield f"{count:>{width}} {noun}  {self.moment(number)}{few}"
            if self.impossible is not None:
                yield f"{0:>{width}} worlds  after {self.impossible!r}"
        if symbolic:
            said = all(isinstance(step.action, Formula) for step in self.history.steps)
            happened = counted(len(self.history), "announcement" if said else "event")
            first, last = (_many_worlds(models[place].size) for place in (0, -1))
            yield f"{happened}: {first} at first, {last} left"
        else:
            sizes = [model.size for model in models] + ([] if self.impossible is None else [0])
            yield f"worlds: {', '.join(map(str, sizes))}"
        if self.impossible is not None:
            yield f"{self.impossible!r} cannot be said: it is false in all remaining worlds"
        after = None
        for question, verdict in () if symbolic else self.answers:
            if question.after != after:
                after = question.after
                yield f"\n{self.moment(after)}"
            remark = "" if verdict == question.expected else f" (expected: {question.expected})"
            yield f"  {question.meaning}? {verdict.in_words()}{remark}"


def _many_worlds(number: int) -> str:
    """Return a number of worlds, rounded if it has more than 20 digits."""
    about = f"about {Decimal(number):.2e}".replace("e+", "e")
    return counted(number, "world") if number < 10**20 else f"{about} worlds"


def _asked(heading: str, questions: Iterable[tuple[Question, str]]) -> Grid:
    """Return a table of questions, with something about each under the heading."""
    rows = ((str(q.after), q.meaning, q.formula.unicode(), told) for q, told in questions)
    return Grid(("after event", "question", "formula", heading), tuple(rows), words=True)


def _then(history: History[Any], event: Happened) -> History[Any]:
    return history.then(event.action, name=event.name)


def happens(name: str, action: ActionModel | FormulaLike) -> Happened:
    """Return an event: an action, or the public announcement of a formula."""
    return Happened(name, action if isinstance(action, ActionModel) else formula(action))


def asks(meaning: str, f: FormulaLike, expected: str | bool = True) -> Asked:
    """Return a question; `expected` is true, false or `mixed`."""
    verdict = str(expected).lower()
    if verdict not in ("true", "false", "mixed"):
        raise ModelError(f"a verdict is true, false or mixed; got {expected!r}")
    return Asked(meaning, formula(f), verdict)


def known_if(condition: bool, *moments: Moment) -> tuple[Moment, ...]:
    """Return the moments, or only the events if the answers are not known."""
    return tuple(moment for moment in moments if condition or isinstance(moment, Happened))


def places(*numbers: int) -> Callable[[Any], Hashable]:
    """Return the observation function of an agent who sees these positions of a world, a string."""
    return lambda world: tuple(world[k] for k in numbers)


@contextmanager
def at_most(worlds: int) -> Iterator[None]:
    """Within the block, reject puzzles with too many worlds at the start before building them.

    >>> from kripke_werewolf.logic.puzzles import puzzle
    >>> with at_most(1000):
    ...     puzzle("what-sum")
    Traceback (most recent call last):
    ...
    kripke_werewolf.errors.ModelTooLarge: the puzzle with n = 300 ...
    """
    token = _allowed.set(worlds)
    try:
        yield
    finally:
        _allowed.reset(token)


def check_size(
    n: object,
    *,
    least: int,
    most: int | None = None,
    worlds: Callable[[int], int] | None = None,
    engine: Engine = "explicit",
) -> None:
    """Raise `ModelError` if a puzzle's size n is not a whole number, is below `least` or is too large.

    It can be too large only for the explicit engine: above `most`, or if the start would have too many
    worlds; `worlds` returns their number for a size. This raises `ModelTooLarge`. Inside `at_most` fewer
    worlds are allowed.
    """
    if not isinstance(n, int) or isinstance(n, bool) or n < least:
        raise ModelError(f"n must be a whole number, {least} or more; got {n!r}")
    if engine != "explicit":
        return
    if worlds is not None:
        allowed = _allowed.get()
        beyond = 1
        while worlds(least + beyond) <= allowed:
            beyond *= 2
        most = least - 1 + bisect_right(range(least, least + beyond), allowed, key=worlds)
        if most < n <= 10 * most:  # beyond that even the number of worlds is too long to print
            hint = f"n can be at most {most} here" if most >= least else "every other size is larger"
            raise ModelTooLarge(worlds(n), allowed, f"the puzzle with n = {n}", hint)
    if most is not None and n > most:
        raise ModelError(f"n = {n} is too large; n can be at most {most} here")


def engine_for(engine: Engine, worlds: int) -> Engine:
    """Return the engine for a puzzle with this many worlds; `auto` means explicit if there are few."""
    if engine == "auto":
        return "explicit" if worlds <= _QUICK else "symbolic"
    return engine
