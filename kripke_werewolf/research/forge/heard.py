"""Stories that all hear and see, though not all that they show: how they are drawn, changed and asked about.

What is commonly known is kept without models: the worlds that are possible, as bits, and who can tell which
of them apart. A family declares how its stories begin, what may be said in them, and their language. The
first engine is the model after the story file; the second filters the worlds that the story leaves.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, reduce
from itertools import combinations, permutations, product
from operator import and_, or_
from typing import Any, ClassVar, NamedTuple, TypeAlias

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.base.randomness import Draws
from kripke_werewolf.logic.formulas.syntax import formula
from kripke_werewolf.logic.models.model import KripkeModel
from kripke_werewolf.logic.semantics.bits import gathered, members
from kripke_werewolf.research.forge import family
from kripke_werewolf.research.stories.scenes import Wordings, listed, read_list, sentences
from kripke_werewolf.research.stories.story import story


class Known(NamedTuple):
    """The worlds that are possible, and for each agent the sets of them that they cannot tell apart.

    >>> start = Known(0b1111, ((0b0011, 0b1100), (0b0101, 0b1010)))
    >>> start.announced(0b0111).where("knows that", 0, 0b0100) == 0b0100
    True
    """

    worlds: int
    cells: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, views: Sequence[Sequence[object]]) -> Known:
        """Return the knowledge at the start; `views`: what each agent sees in each world."""
        alike = (gathered((view, 1 << world) for world, view in enumerate(seen)) for seen in views)
        return cls((1 << len(views[0])) - 1, tuple(tuple(cells.values()) for cells in alike))

    def announced(self, fact: int) -> Known:
        """Return the knowledge after everybody hears that something is true."""
        cells = tuple(tuple(c & fact for c in own if c & fact) for own in self.cells)
        return Known(self.worlds & fact, cells)

    def shown(self, group: Sequence[int], fact: int) -> Known:
        """Return the knowledge after a group learns whether something is true, and the others see that."""
        cells = list(self.cells)
        for agent in group:
            cells[agent] = tuple(c for cell in cells[agent] for c in (cell & fact, cell & ~fact) if c)
        return self._replace(cells=tuple(cells))

    def reached(self, agent: int, worlds: int) -> int:
        """Return the worlds that an agent considers possible at some of these."""
        return sum([cell for cell in self.cells[agent] if cell & worlds])

    def around(self, worlds: int, steps: int) -> list[int]:
        """Return the worlds that any agents reach in no step, in one, and so on."""
        found = [worlds]
        for _ in range(steps):
            found.append(reduce(or_, [self.reached(agent, found[-1]) for agent in range(len(self.cells))]))
        return found

    def near(self, worlds: int, steps: int) -> list[object]:
        """Return the sets of worlds that are met within some steps: equal lists, equal knowledge so far."""
        before = self.around(worlds, steps)[:-1]
        return [[{cell for cell in own if cell & some} for own in self.cells] for some in before]

    def where(self, way: str, agent: int, fact: int) -> int:
        """Return the worlds where an agent knows that, does not know whether, thinks it possible that …."""
        possible, doubted = (self.reached(agent, self.worlds & some) for some in (fact, ~fact))
        ways = {"M": possible, "K": self.worlds & ~doubted, "Kw": self.worlds & ~(possible & doubted)}
        found = ways[WAYS[way].removeprefix("~")]
        return self.worlds & ~found if WAYS[way].startswith("~") else found

    def holds(self, chain: Sequence[tuple[str, int]], fact: int, at: int) -> bool:
        """Return whether a question is answered yes at a world."""
        for way, agent in reversed(chain):
            fact = self.where(way, agent, fact)
        return bool(fact & at)


WAYS = {
    "knows that": "K",
    "knows whether": "Kw",
    "thinks it possible that": "M",
    "does not know that": "~K",
    "does not know whether": "~Kw",
    "does not think it possible that": "~M",
}
"""The operators of knowledge that questions are about, by their words."""
Chain: TypeAlias = Sequence[tuple[str, int]]
"""Agents and what is asked about their knowledge or belief, in words."""


def wording_of(chain: Chain, fact: str, agents: Sequence[str]) -> str:
    """Return a question in English, which `read_wording` reads.

    >>> wording_of((("knows that", 0), ("knows whether", 1)), "Bob is muddy", ["Anne", "Bob"])
    'Does Anne know that Bob knows whether Bob is muddy?'
    >>> read_wording(_, ["Anne", "Bob"])
    ((('knows that', 0), ('knows whether', 1)), 'Bob is muddy')
    """
    said = "".join(f"{agents[agent]} {way} " for way, agent in chain) + fact
    asked = re.sub(r"^(\w+) (know|think)s ", r"Does \1 \2 ", said)
    return f"Is it true that {said}?" if asked == said else f"{asked}?"


def read_wording(text: str, agents: Sequence[str]) -> tuple[Chain, str]:
    """Return the agents of a question in English, and the words of its fact; `FormatError` otherwise."""
    said = re.sub(r"^Does (\w+) (know|think) ", r"\1 \2s ", text[:-1]).removeprefix("Is it true that ")
    asked = _WAY.findall(said)
    chain = tuple([(way, numbers([name], agents)[0]) for name, way in asked])
    fact = _WAY.sub("", said)
    if wording_of(chain, fact, agents) != text:
        raise FormatError(f"{text!r} is not a question about what {', '.join(agents)} know")
    return chain, fact


_WAY = re.compile(rf"(\w+) ({'|'.join(WAYS)}) ")


def numbers(some: Sequence[str], names: Sequence[str]) -> tuple[int, ...]:
    """Return the numbers of some of the people in a story; raise `FormatError` for others."""
    if strangers := [name for name in some if name not in names]:
        raise FormatError(f"{strangers[0]!r} is not one of the people in this story ({', '.join(names)})")
    return tuple([names.index(name) for name in some])


class StoryFact(NamedTuple):
    """Something that may be true in a story: its kind, the people in it, and a number or another value.

    With `parts`, it is that not all of these facts are true, or of the kind "all" that they are.
    """

    kind: str
    who: tuple[int, ...] = ()
    n: Any = 1
    parts: tuple[StoryFact, ...] = ()

    def fill(self, words: str, names: Sequence[str]) -> str:
        """Return words, or a formula, with the people and the number of the fact in their places."""
        people = dict(zip("ab", [names[i] for i in self.who], strict=False))
        return words.format(n=self.n, names=names, **people)


class FactKind(NamedTuple):
    """A kind of facts: its words and its formula, when it is true in a world, and the values it may have.

    Without words it is never said or asked: an event of this kind tells it, with its value. `{all}` in its
    formula is `each` of the people in it.
    """

    words: str
    formula: str
    true: Callable[[Any, StoryFact], object]
    values: Sequence[Any] = (1,)
    each: str = ""


class StoryEvent(NamedTuple):
    """Something that happens: its kind, the people in it, the fact it is about, and a word or number.

    `how` its fact is told: aloud, shown to the group, or as what the first of the group says that they know.
    """

    kind: str
    group: tuple[int, ...] = ()
    fact: StoryFact | None = None
    word: str = ""

    @property
    def how(self) -> str:
        """How the fact is told, if there is one."""
        return _HOW.get(self.kind, "aloud")

    @property
    def hearers(self) -> tuple[int, ...]:
        """Those to whom the fact is shown."""
        return self.group[:1] if self.kind == "points" else self.group

    @property
    def form(self) -> object:
        """The form of its sentence."""
        return self.kind, len(self.group), self.fact and (self.fact.kind, len(self.fact.parts))

    def line(self, fact: str, agents: Sequence[str]) -> str:
        """Return the line of a story file, with the formula of the fact."""
        if self.how == "shown":
            return f"show {', '.join(agents[i] for i in self.hearers)}: {fact}"
        said = f"{WAYS[self.how]}_{agents[self.group[0]]} ({fact})" if self.how in WAYS else fact
        return f"announce: {said}"

    def heard(self, known: Known, fact: int) -> int:
        """Return the worlds that are left when this is said, without models."""
        return known.where(self.how, self.group[0], fact) if self.how in WAYS else fact

    def known(self, known: Known, fact: int) -> Known:
        """Return the knowledge afterwards, without models."""
        if self.how == "shown":
            return known.shown(self.hearers, fact)
        return known.announced(self.heard(known, fact))


SPOKEN = {
    "says": ("{a} said: I know that {fact}.", "I know that {fact}, {a} said."),
    "idle": ("{a} said: I will not say anything.", "{a} kept silent."),
}
"""What players say aloud."""
_HOW = {
    "knows": "knows whether",
    "does not know": "does not know whether",
    "whispers": "shown",
    "looks": "shown",
    "points": "shown",
    "says": "knows that",
    "unsure": "does not know whether",
}
"""How the fact of an event is told, if not aloud."""
_OWN_WORDS, _FIRST = ("says", "unsure"), ("sees", "sees nothing", "actual")
_NOT = "it is not so that "


class Language:
    """How stories are told and read: the sentences of events, by kind, and the kinds of facts.

    The places `{a}` and `{b}` are for the first people of an event or a fact, and `{A}` for the others;
    `{names[0]}` in a formula is the first person of the story.

    >>> evil = FactKind("{a} is evil", "evil_{a}", lambda some, fact: fact.who[0] in some)
    >>> language, names = Language(SPOKEN, {"evil": evil}), ["Anne", "Bob"]
    >>> both = StoryFact("not", parts=(StoryFact("evil", (0,)), StoryFact("evil", (1,))))
    >>> language.sentence(StoryEvent("says", (1,), both), names, Draws("1"))
    'Bob said: I know that it is not so that Anne is evil and I am evil.'
    >>> language.read(_, names).fact == both, language.formula(both, names)
    (True, '~((evil_Anne) & (evil_Bob))')
    """

    def __init__(self, said: Mapping[str, tuple[str, ...]], facts: Mapping[str, FactKind]) -> None:
        self.said, self.facts = {"actual": ("In fact {fact}.",), **said}, facts
        self._sentences = Wordings(self.said)
        self._words = Wordings({kind: (own.words,) for kind, own in facts.items() if own.words})

    def sentence(self, event: StoryEvent, names: Sequence[str], draws: Draws) -> str:
        """Return a sentence that says an event."""
        words, people = draws.choice(self.said[event.kind]), [names[i] for i in event.group]
        places = [place for place in "ab" if f"{{{place}}}" in words]
        if event.kind in _OWN_WORDS:
            names = ["I" if i == event.group[0] else name for i, name in enumerate(names)]
        fact = self.words(event.fact, names).replace("I is", "I am") if event.fact else ""
        given = dict(zip(places, people, strict=False)) | {"A": listed(people[len(places) :] or [""])}
        return words.format(**given, fact=fact, word=event.word, n=event.word)

    def read(self, sentence: str, names: Sequence[str]) -> StoryEvent:
        """Return the event that a sentence says; raise `FormatError` for anything else."""
        kind, given = self._sentences.read(sentence)
        people = [name for place in "abA" if place in given for name in read_list(given[place])]
        said = given.get("fact", "")
        if kind in _OWN_WORDS:
            said = re.sub(r"\bI (am|is)\b", f"{given['a']} is", said)
        word, group = given.get("word") or given.get("n", ""), numbers(people, names)
        if kind in self.facts:
            values = {str(value): value for value in self.facts[kind].values}
            if word not in values:
                raise FormatError(f"{sentence!r} cannot be (allowed: {', '.join(values)})")
            return StoryEvent(kind, group, StoryFact(kind, group, values[word]), word)
        if kind == "actual":
            facts = [self.read_fact(part, names) for part in read_list(said)]
            return StoryEvent(kind, group, StoryFact("all", parts=tuple(facts)))
        return StoryEvent(kind, group, self.read_fact(said, names) if said else None, word)

    def words(self, fact: StoryFact, names: Sequence[str]) -> str:
        """Return a fact in English."""
        if fact.parts:
            parts = listed([self.words(part, names) for part in fact.parts])
            return parts if fact.kind == "all" else f"{_NOT}{parts}"
        return fact.fill(self.facts[fact.kind].words, names)

    def formula(self, fact: StoryFact, names: Sequence[str]) -> str:
        """Return a fact in the language of the library."""
        if fact.parts:
            parts = " & ".join(f"({self.formula(part, names)})" for part in fact.parts)
            return parts if fact.kind == "all" else f"~({parts})"
        own = self.facts[fact.kind]
        everyone = ", ".join(own.each.format(names[i]) for i in fact.who)
        return fact.fill(own.formula.replace("{all}", everyone), names)

    def read_fact(self, words: str, names: Sequence[str]) -> StoryFact:
        """Return a fact in English; raise `FormatError` for anything else."""
        if words.startswith(_NOT):
            parts = [self.read_fact(part, names) for part in read_list(words.removeprefix(_NOT))]
            return StoryFact("not", parts=tuple(parts))
        kind, given = self._words.read(words)
        who = [given[place] for place in "ab" if place in given]
        return StoryFact(kind, numbers(who, names), int(given.get("n", 1)))


class StoryWorlds:
    """The worlds of stories, as the values that facts are about, and the facts that may be said and asked.

    `excluded`: kinds of facts of which may be said that two people do not both have them.
    """

    def __init__(
        self, language: Language, people: int, values: Iterable[Any], excluded: Iterable[str] = ()
    ) -> None:
        self.language, self.people, self.values = language, people, tuple(values)
        self.where, self._true = cache(self._worlds_of), cache(self._facts_of)
        self.facts = [
            StoryFact(kind, who, n)
            for kind, own in language.facts.items()
            if own.words
            for who in permutations(range(people), own.words.count("{a}") + own.words.count("{b}"))
            for n in own.values
        ]
        for kind, pair in product(excluded, permutations(range(people), 2)):
            self.facts.append(StoryFact("not", parts=tuple([StoryFact(kind, (i,)) for i in pair])))

    def _worlds_of(self, fact: StoryFact) -> int:
        """Return the worlds where a fact is true, as bits."""
        if not fact.parts:
            true = self.language.facts[fact.kind].true
            return sum(1 << i for i, world in enumerate(self.values) if true(world, fact))
        found = reduce(and_, map(self.where, fact.parts))
        return found if fact.kind == "all" else found ^ ((1 << len(self.values)) - 1)

    def exclusion(self, among: int, people: Iterable[int], draws: Draws) -> StoryFact:
        """Return a fact that some things about people are not all so: false in one of these worlds."""
        world = draws.choice(members(among))
        return StoryFact("not", parts=tuple([draws.choice(self._true(i, world)) for i in sorted(people)]))

    def _facts_of(self, person: int, world: int) -> list[StoryFact]:
        """Return the facts about one person alone that are true in a world."""
        return [fact for fact in self.facts if fact.who == (person,) and self.where(fact) >> world & 1]


formula_of = lru_cache(maxsize=1 << 14)(formula)
"""Returns the formula in a string."""


# --- stories ------------------------------------------------------------------------------------------


Played: TypeAlias = tuple[tuple[str, ...], KripkeModel]
"""The lines of a story file, and the model after them."""
Opening: TypeAlias = tuple[Sequence[str], Sequence[str], Sequence[Sequence[str]], Sequence[str]]
"""The atoms of a story file, what is always so, the atoms that each agent sees, and what else is shown."""
Options: TypeAlias = tuple[tuple[StoryEvent, StoryEvent], ...]
Change: TypeAlias = tuple[tuple[int, tuple[StoryEvent, StoryEvent]], ...]
"""Places in a story, and what may stand at each of them."""


@dataclass(frozen=True)
class Start(ABC):
    """How a story begins, without names; what is said, seen and asked in a family is declared by a subclass.

    `kind`: that of the first sentence, which names the `people` and a number `n`; `head`: what is said next.
    A family declares its first sentences by kind (`begins`).
    """

    begins: ClassVar[Mapping[str, str]]

    kind: str
    people: int
    n: int
    head: tuple[StoryEvent, ...] = ()

    @classmethod
    @abstractmethod
    def begun(cls, knobs: Any, order: int, draws: Draws) -> Start:
        """Return a random beginning."""

    @abstractmethod
    def check_head(self) -> None:
        """Raise `FormatError` unless the head says what it must, no more and no less."""

    @property
    @abstractmethod
    def worlds(self) -> StoryWorlds:
        """The worlds that are possible at the start."""

    @abstractmethod
    def view(self, agent: int) -> Sequence[object]:
        """Return the views of somebody, by world."""

    @abstractmethod
    def drawn(self, order: int, draws: Draws) -> StoryEvent:
        """Return a random event, which may be impossible."""

    @abstractmethod
    def sayings(self, facts: Iterable[StoryFact], draws: Draws) -> Sequence[StoryEvent]:
        """Return the statements that may replace an event; `facts`: what else may be said."""

    @abstractmethod
    def opening(self, agents: Sequence[str]) -> Opening:
        """Return how the story file begins."""

    @property
    def actual(self) -> int:
        """The worlds, as bits, that may be the actual one."""
        told = [event.fact for event in self.head if event.fact]
        return reduce(and_, map(self.worlds.where, told), (1 << len(self.worlds.values)) - 1)

    def played(self, agents: Sequence[str], events: Sequence[StoryEvent]) -> Played:
        """Return the lines of a story file, and the model after it: the first engine."""
        atoms, laws, sees, shown = self.opening(agents)
        actual = [self.worlds.language.formula(event.fact, agents) for event in self.head if event.fact]
        lines = [f"agents: {', '.join(agents)}", f"atoms: {', '.join(atoms)}"]
        lines += [f"law: {law}" for law in laws]
        lines += [f"sees {a}: {', '.join(own) or 'nothing'}" for a, own in zip(agents, sees, strict=True)]
        lines += [f"actual: {' & '.join(actual)}", *shown]
        lines += [e.line(self.worlds.language.formula(e.fact, agents), agents) for e in events if e.fact]
        return tuple(lines), _model(tuple(lines))


@lru_cache(maxsize=1 << 8)
def _model(lines: tuple[str, ...]) -> KripkeModel:
    return story("\n".join(lines)).history().model


class HeardStory(NamedTuple):
    """A story without names: how it begins, and what happens."""

    start: Start
    events: tuple[StoryEvent, ...] = ()

    @property
    def actual(self) -> int:
        """The worlds that may be the actual one; none if the story is impossible."""
        return self.start.actual & self.known.worlds

    @property
    def known(self) -> Known:
        """What is known after the story: the second engine."""
        return _known(self)

    def until(self, place: int) -> HeardStory:
        """Return the story before a place."""
        return self._replace(events=self.events[:place])

    def put(self, place: int, what: StoryEvent) -> HeardStory:
        """Return the story with another event at a place."""
        return self._replace(events=(*self.events[:place], what, *self.events[place + 1 :]))

    def answer(self, chain: Chain, fact: StoryFact) -> bool:
        """Return the answer to a question."""
        return self.known.holds(chain, self.start.worlds.where(fact), self.actual)

    def alike(self, other: HeardStory, depth: int) -> bool:
        """Return whether what is known after two stories is the same to a depth."""
        known = self.known.near(self.actual, depth) == other.known.near(self.actual, depth)
        return self.actual == other.actual and known

    def spoken(self, events: Sequence[StoryEvent]) -> int:
        """Return the worlds where all facts are true that these events say to all."""
        told = [event for event in events if event.how in ("aloud", "knows that")]
        facts = [self.start.worlds.where(event.fact) for event in told if event.fact]
        return reduce(and_, facts, self.until(0).known.worlds)


@lru_cache(maxsize=1 << 13)
def _known(told: HeardStory) -> Known:
    start = told.start
    if not told.events:
        return Known.of([start.view(agent) for agent in range(start.people)])
    before, event = told.until(-1).known, told.events[-1]
    return event.known(before, start.worlds.where(event.fact)) if event.fact else before


@lru_cache(maxsize=64)
def _read(kind_of: type[Start], text: str) -> tuple[HeardStory, tuple[str, ...]]:
    """Return the story and the people of a story in English."""
    first, *rest = sentences(text)
    kind, given = Wordings({kind: (words,) for kind, words in kind_of.begins.items()}).read(first)
    names = tuple(read_list(given["A"]))
    start = kind_of(kind, len(names), int(given.get("n", 1)))
    told = tuple([start.worlds.language.read(sentence, names) for sentence in rest])
    head = tuple([event for event in told if event.kind in _FIRST])
    if head != told[: len(head)]:
        raise FormatError("what is so at first is not told at the beginning")
    start = replace(start, head=head)
    start.check_head()
    return HeardStory(start, told[len(head) :]), names


@dataclass(frozen=True)
class HeardFamily(family.Family):
    """A family of heard stories; `start` declares what is said, seen and asked."""

    start: type[Start]

    def derive(self, story: str, question: str) -> family.Certificate:
        """Return all that follows from a story and a question in English."""
        told, agents = _read(self.start, story)
        chain, words = read_wording(question, agents)
        start, fact = told.start, told.start.worlds.language.read_fact(words, agents)
        if not told.actual:
            raise FormatError("what is said to have happened cannot all be true")

        def answer(part: Chain) -> str:
            return family.yes_no(told.answer(part, fact))

        own, heard = answer(chain), told.spoken(told.events)
        ways = "".join(f"{WAYS[way]}_{agents[agent]} " for way, agent in chain)
        asked = f"{ways}({start.worlds.language.formula(fact, agents)})"
        scene, model = start.played(agents, told.events)
        all_heard = Known(heard, ((heard,),) * len(agents))
        public = family.yes_no(all_heard.holds(chain, start.worlds.where(fact), heard))
        before = family.yes_no(told.until(0).answer(chain, fact))
        return family.Certificate(
            answers={"models": family.yes_no(model.holds(formula_of(asked))), "filtering": own},
            order=len(chain),
            order_needed=family.least_order(chain, answer),
            formula=asked if own == "yes" else f"~{asked}",
            scene=scene,
            shortcuts=family.shorter(chain, answer)
            | {"before the events": before, "follows from what all heard": public},
        )

    def alike(self, story: str, other: str, question: str, depth: int) -> bool:
        """Return whether what is known after two stories in English is the same to a depth."""
        (one, names), (two, same) = _read(self.start, story), _read(self.start, other)
        begun_alike = names == same and one.until(0).known == two.until(0).known
        return begun_alike and (depth < 0 or one.alike(two, depth))

    def tried(self, knobs: family.Knobs, order: int, draws: Draws, seed: str) -> Iterator[family.Group]:
        """Yield the groups about one random story."""
        told = HeardStory(self.start.begun(knobs, order, draws))
        while len(told.events) < knobs.events:
            longer = told._replace(events=(*told.events, told.start.drawn(order, draws)))
            if longer.actual:
                told = longer
        agents = draws.sample(family.NAMES.split(), told.start.people)
        for change, chain, fact in story_changes(told, order, draws, 1 + knobs.quadruples):
            words = told.start.worlds.language.words(fact, agents)
            versions = [*_versions(told, change, (chain, fact), agents, draws)]
            yield self.told(versions, wording_of(chain, words, agents), seed)


def _versions(
    told: HeardStory, change: Change, asked: tuple[Chain, StoryFact], agents: list[str], draws: Draws
) -> Iterator[family.Version]:
    """Yield the stories with all choices of what stands at some places, in the same words elsewhere."""
    start = told.start

    def said(events: Sequence[StoryEvent]) -> list[str]:
        return [start.worlds.language.sentence(event, agents, draws) for event in events]

    head = [start.begins[start.kind].format(A=listed(agents), n=start.n), *said(start.head)]
    text, own = said(told.events), [(place, said(pair)) for place, pair in change]
    for corner, made in family.corners(told, change, HeardStory.put).items():
        for (place, words), side in zip(own, corner, strict=True):
            text[place] = words[side]
        mine = tuple([text[place] for place, _ in change])
        yield family.Version(corner, mine, (made, *asked), " ".join([*head, *text]))


# --- changes -----------------------------------------------------------------------------------------


Asked: TypeAlias = tuple[Change, Chain, StoryFact]
"""A change of a story, and a question: the agents, and the fact."""
_ROUNDS, _CHAINS, _FACTS, _EXCLUSIONS, _SENTENCES, _COVERS, _CROSSES, _PAIRS = 6, 12, 12, 60, 40, 60, 300, 4
"""How many are tried for a change, and how many pairs are made of a story."""


def story_changes(told: HeardStory, order: int, draws: Draws, sides: int) -> Iterator[Asked]:
    """Yield changes of one sentence or two, each of which changes the answer whatever stands elsewhere.

    The question is about worlds at the distance of its order. No sentence rules out anything nearer; together
    they rule out all of these worlds, or not.
    """
    free, idle = range(len(told.events)), StoryEvent("idle", (0,))
    places = tuple(sorted(draws.sample(free, min(sides, len(free)))))
    silent = reduce(lambda story, place: story.put(place, idle), places, told)
    rest = [event for place, event in enumerate(told.events) if place not in places]
    for _ in range(_ROUNDS):
        asked = _far_question(silent, order, draws) if len(places) == sides and silent.actual else None
        if not asked:
            return
        ruled = _ruling_out(silent, rest, asked, draws)
        found = _paired(ruled, asked.counts)
        if sides > 1:
            found = _balanced(_crossed(ruled, asked.counts, draws), asked, silent.start, draws)
        changes = [tuple(zip(places, options, strict=True)) for options in found]
        fitting = [change for change in changes if _fits(told, change, asked)]
        if fitting:
            yield from ((change, asked.chain, asked.fact) for change in fitting[:_PAIRS])
            return


def _fits(told: HeardStory, change: Change, asked: FarQuestion) -> bool:
    """Return whether every other sentence changes the answer, and no question of a lower order notices."""
    stories = family.corners(told, change, HeardStory.put)
    first, *others = stories.values()
    turned = {own.answer(asked.chain, asked.fact) != sum(corner) % 2 for corner, own in stories.items()}
    if not first.actual or len(turned) != 1:
        return False
    below = {first.answer(part, asked.fact) for part in family.parts(asked.chain)}
    return len(below) < 2 and all(first.alike(other, len(asked.chain) - 1) for other in others)


class FarQuestion(NamedTuple):
    """A question: its agents, its fact, the worlds against its answer, and those of them that are reached."""

    chain: Chain
    fact: StoryFact
    against: int
    counts: int


def _far_question(silent: HeardStory, order: int, draws: Draws) -> FarQuestion | None:
    """Return a question that several worlds decide, all of them at the distance of its order."""
    known, worlds, people = silent.known, silent.start.worlds, range(silent.start.people)
    inner = known.around(silent.actual, order - 1)[-1]
    for _ in range(_CHAINS):
        agents, way = family.random_chain(people, order, draws), draws.choice([*_DENIED])
        reached = reduce(lambda found, agent: known.reached(agent, found), agents, silent.actual)
        far = reached & ~inner
        sizes = [max(1, order + draws.below(3) - 1) for _ in range(_FACTS if far else 0)]
        facts = draws.sample(worlds.facts, min(_FACTS, len(worlds.facts)))
        facts += [worlds.exclusion(far, draws.sample(people, min(n, len(people))), draws) for n in sizes]
        for fact in draws.sample(facts, len(facts)):
            true = silent.start.worlds.where(fact)
            against = ~true if way == "knows that" else true
            counts = reached & against
            if not counts & inner and counts.bit_count() > 1:
                first = draws.choice((way, _DENIED[way]))
                chain = zip((first, *[way] * (order - 1)), agents, strict=True)
                return FarQuestion(tuple(chain), fact, against, counts)
    return None


_DENIED = {"knows that": "does not know that", "thinks it possible that": "does not think it possible that"}
Ruling: TypeAlias = dict[StoryEvent, tuple[int, int]]
"""What sentences rule out of the worlds that count, and which worlds against the answer they leave open."""


def _ruling_out(silent: HeardStory, rest: Sequence[StoryEvent], asked: FarQuestion, draws: Draws) -> Ruling:
    """Return sentences that rule out some of the worlds that count, and nothing nearer.

    What is said aloud never implies the fact: what follows from what all have heard gives no answer.
    """
    known, start, order, counts = silent.known, silent.start, len(asked.chain), asked.counts
    inner, hint = known.around(silent.actual, order - 1)[-1], silent.spoken(rest) & asked.against
    sizes = [min(start.people, order + draws.below(2)) for _ in range(_GROUPS)]
    groups = [draws.sample(range(start.people), size) for size in sizes]
    facts = [start.worlds.exclusion(counts, draws.choice(groups), draws) for _ in range(_EXCLUSIONS)]
    found = {}
    for event in start.sayings(facts, draws):
        if event.fact and event.fact != asked.fact:
            left, open_ = event.heard(known, start.worlds.where(event.fact)), hint & silent.spoken([event])
            if not inner & ~left and counts & ~left and open_:
                found[event] = counts & ~left, open_
    return {event: found[event] for event in draws.sample([*found], min(_SENTENCES, len(found)))}


_GROUPS = 3  # of people in the sentences of a story: those that replace each other are about the same


def _paired(ruled: Ruling, counts: int) -> list[Options]:
    """Return sentences that rule out all that counts, each with silence in its place."""
    said = [event for event, (out, _) in ruled.items() if out == counts]
    return [((event, StoryEvent("idle", event.group[:1])),) for event in said]


def _crossed(ruled: Ruling, counts: int, draws: Draws) -> list[Options]:
    """Return sentences u, v for one place and s, t for another, each time in the same form.

    Together u and s rule out all that counts, as do v and t, but not u and t, nor v and s.
    """
    some = [(u, s) for u, s in permutations(ruled, 2) if ruled[u][0] | ruled[s][0] == counts]
    alike = grouped(((u.form, s.form), (u, s)) for u, s in draws.sample(some, min(_COVERS, len(some))))
    return [
        ((u, v), (s, t))
        for own in alike.values()
        for (u, s), (v, t) in combinations(own, 2)
        if ruled[u][0] | ruled[t][0] != counts != ruled[v][0] | ruled[s][0]
        and all(ruled[x][1] & ruled[y][1] for x in (u, v) for y in (s, t))
    ]


def _balanced(found: Sequence[Options], asked: FarQuestion, start: Start, draws: Draws) -> list[Options]:
    """Return a cross (or none) whose sentences look as alike where the answer is yes as where it is no.

    It counts how alike the two sentences of a story are, and how alike each is to what is asked: with the
    share of common words to a tenth, since equal shares are three times as rare.
    """
    names, language = [f"N{i}" for i in range(start.people)], start.worlds.language

    @cache
    def alike(*facts: StoryFact) -> list[tuple[float, ...]]:
        words = [language.words(fact, names) for fact in (*facts, asked.fact)]
        looks = [family.likeness(*pair) for pair in combinations(words, 2)]
        return [(round(10 * share), *phrases) for share, *phrases in looks]

    for options in draws.sample(found, min(_CROSSES, len(found))):
        u, v, s, t = (event.fact or asked.fact for pair in options for event in pair)
        if sorted([alike(u, s), alike(v, t)]) == sorted([alike(u, t), alike(v, s)]):
            return [options]
    return []
