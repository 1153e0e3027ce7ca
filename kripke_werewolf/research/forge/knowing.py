"""What is commonly known in a story, without models: the worlds that are possible, as bits, and who can tell
which of them apart; and questions about it in English.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial, reduce
from itertools import islice, product
from operator import or_
from typing import Any, ClassVar, Literal, NamedTuple, Protocol, Self, TypeAlias

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.base.randomness import Draws
from kripke_werewolf.logic.formulas.operators import Knows, KnowsWhether
from kripke_werewolf.logic.formulas.syntax import Formula, formula
from kripke_werewolf.logic.models.model import KripkeModel
from kripke_werewolf.logic.semantics.action import semi_private
from kripke_werewolf.logic.semantics.bits import gathered
from kripke_werewolf.research.forge.family import (
    NAMES,
    Certificate,
    Family,
    Group,
    Knobs,
    in_turn,
    items_told,
    least_order,
    parts,
    with_item,
    yes_no,
)
from kripke_werewolf.research.stories.scenes import Wordings, listed, read_list


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
        return Known(
            self.worlds & fact, tuple(tuple(c & fact for c in own if c & fact) for own in self.cells)
        )

    def shown(self, group: Sequence[int], fact: int) -> Known:
        """Return the knowledge after a group learns whether something is true, and the others see that."""
        cells = list(self.cells)
        for agent in group:
            cells[agent] = tuple(c for cell in cells[agent] for c in (cell & fact, cell & ~fact) if c)
        return self._replace(cells=tuple(cells))

    def reached(self, agent: int, worlds: int) -> int:
        """Return the worlds that an agent considers possible at some of these."""
        found = 0
        for cell in self.cells[agent]:
            if cell & worlds:
                found |= cell
        return found

    def around(self, worlds: int, steps: int) -> int:
        """Return the worlds that any agents reach in some number of steps."""
        for _ in range(steps):
            worlds = reduce(or_, [self.reached(agent, worlds) for agent in range(len(self.cells))])
        return worlds

    def kinds(self, alike: Sequence[int], depth: int) -> dict[object, int]:
        """Return the sets of worlds that satisfy the same formulas up to a modal depth, by kind.

        `alike`: the sets of worlds with the same facts, in the same order wherever kinds are compared.

        >>> sorted(Known(0b111, ((0b011, 0b100),)).kinds([0b101, 0b010], 1).values())
        [1, 2, 4]
        """
        found: dict[object, int] = {kind: own & self.worlds for kind, own in enumerate(alike)}
        for _ in range(depth):
            kinds = found
            for cells in self.cells:
                near = [frozenset(kind for kind, own in kinds.items() if own & cell) for cell in cells]
                pairs = product(zip(near, cells, strict=True), found.items())
                finer = gathered(((kind, seen), own & cell) for (seen, cell), (kind, own) in pairs)
                found = {kind: own for kind, own in finer.items() if own}
        return found

    def where(self, way: str, agent: int, fact: int) -> int:
        """Return the worlds where an agent knows that, knows whether, or thinks it possible that …."""
        if way == "thinks it possible that":
            return self.reached(agent, self.worlds & fact)
        sure = self.worlds & ~self.reached(agent, self.worlds & ~fact)
        if way == "knows whether":
            sure |= self.worlds & ~self.reached(agent, self.worlds & fact)
        return sure

    def holds(self, chain: Sequence[tuple[str, int]], fact: int, at: int) -> bool:
        """Return whether a question is answered yes at a world."""
        for way, agent in reversed(chain):
            fact = self.where(way, agent, fact)
        return bool(fact & at)


WAYS = {"knows that": "K", "knows whether": "Kw", "thinks it possible that": "M"}
"""The operators of knowledge that questions are about, by their words."""
_ALL_WAYS: Mapping[str, str] = {**WAYS, "thinks that": "B"}
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
    chain = []
    while (found := _WAY.match(said)) and found[1] in agents:
        chain.append((found[2], agents.index(found[1])))
        said = said[found.end() :]
    if found or wording_of(chain, said, agents) != text:
        raise FormatError(f"{text!r} is not a question about what {', '.join(agents)} know")
    return tuple(chain), said


_WAY = re.compile(rf"(\w+) ({'|'.join(_ALL_WAYS)}) ")


class Numbers(dict[str, int]):
    """The numbers of the people in a story; other names are an error."""

    @classmethod
    def of(cls, names: Sequence[str]) -> Numbers:
        """Return the numbers of names in order."""
        return cls(zip(names, range(len(names)), strict=True))

    def __missing__(self, name: str) -> int:
        raise FormatError(f"{name!r} is not one of the people in this story ({', '.join(self)})")


def formula_asked(chain: Chain, fact: str, agents: Sequence[str]) -> str:
    """Return the formula of a question in the language of the library."""
    return "".join(f"{_ALL_WAYS[way]}_{agents[agent]} " for way, agent in chain) + fact


@lru_cache(maxsize=100)
def short_names(number: int) -> tuple[str, ...]:
    """Return names for people that let stories share their models."""
    return tuple(f"a{i}" for i in range(number))


How: TypeAlias = Literal["aloud", "shown", "knows that", "knows whether", "does not know whether"]


class News(NamedTuple):
    """What an event tells: everybody a fact, or what somebody knows of it; a group whether it is true.

    `how`: `aloud`, `shown`, or what the first of the group says that they know.
    """

    fact: StoryFact
    how: How = "aloud"
    group: tuple[int, ...] = ()

    def said(self, fact: str, agents: Sequence[str]) -> str:
        """Return the formula that is announced, with that of the fact."""
        signs = {"knows that": "K", "knows whether": "Kw", "does not know whether": "~Kw"}
        return fact if self.how == "aloud" else f"{signs[self.how]}_{agents[self.group[0]]} ({fact})"

    def line(self, fact: str, agents: Sequence[str]) -> str:
        """Return the line of a story file, with the formula of the fact."""
        if self.how == "shown":
            return f"show {', '.join(agents[i] for i in self.group)}: {fact}"
        return f"announce: {self.said(fact, agents)}"

    def update(self, model: KripkeModel, fact: Formula, agents: Sequence[str]) -> KripkeModel:
        """Return the model afterwards."""
        if self.how == "shown":
            return model.update(semi_private([agents[i] for i in self.group], fact))
        if self.how == "knows that":
            fact = Knows(agents[self.group[0]], fact)
        elif self.how != "aloud":
            fact = KnowsWhether(agents[self.group[0]], fact)
        return model.announce(~fact if self.how == "does not know whether" else fact)

    def heard(self, known: Known, fact: int) -> int:
        """Return the worlds that are left when this is said, without models."""
        if self.how == "aloud":
            return fact
        if self.how == "does not know whether":
            return known.worlds & ~known.where("knows whether", self.group[0], fact)
        return known.where(self.how, self.group[0], fact)

    def known(self, known: Known, fact: int) -> Known:
        """Return the knowledge afterwards, without models."""
        if self.how == "shown":
            return known.shown(self.group, fact)
        return known.announced(self.heard(known, fact))


class StoryFact(NamedTuple):
    """Something that may be true in a story: its kind, the people in it, and a number."""

    kind: str
    who: tuple[int, ...] = ()
    n: int = 1

    def fill(self, words: str, names: Sequence[str]) -> str:
        """Return words, or a formula, with the people and the number of the fact in their places."""
        people = [names[i] for i in self.who]
        return words.format(n=self.n, names=names, **dict(zip("ab", people, strict=False)))


class StoryEvent(NamedTuple):
    """Something that happens: its kind, the people in it, the fact it is about, and a word or number."""

    kind: str
    group: tuple[int, ...] = ()
    fact: StoryFact | None = None
    word: str = ""

    @property
    def news(self) -> News | None:
        """What it tells of its fact."""
        return News(self.fact, _HOW[self.kind], self.group) if self.fact else None


SPOKEN = {
    "says": ("{a} said: I know that {fact}.", "I know that {fact}, {a} said."),
    "idle": ("{a} said: I will not say anything.", "{a} kept silent."),
}
"""What players say aloud."""
_HOW: Mapping[str, How] = {
    "aloud": "aloud",
    "knows": "knows whether",
    "does not know": "does not know whether",
    "whispers": "shown",
    "looks": "shown",
    "says": "knows that",
    "unsure": "does not know whether",
}
"""How the news of an event is told."""
_OWN_WORDS = ("says", "unsure")
_FIRST_PERSON = (("and I is", "and me is"), ("of I and", "of me and"), ("I is", "I am"))


class Language:
    """How stories are told and read: the sentences of events, and the words and formulas of facts, by kind.

    The places `{a}` and `{b}` are for the first people of an event or a fact, and `{A}` for the others;
    `{names[0]}` in a formula is for the first person of the story.

    >>> facts = {"one": ("at least one of {a} and {b} is evil", "evil_{a} | evil_{b}")}
    >>> language, names = Language(SPOKEN, facts), ["Anne", "Bob"]
    >>> language.sentence(StoryEvent("says", (1,), StoryFact("one", (0, 1))), names, Draws("1"))
    'Bob said: I know that at least one of Anne and me is evil.'
    >>> language.read(_, names)
    StoryEvent(kind='says', group=(1,), fact=StoryFact(kind='one', who=(0, 1), n=1), word='')
    """

    def __init__(self, said: Mapping[str, tuple[str, ...]], facts: Mapping[str, tuple[str, str]]) -> None:
        self.said, self.facts = said, facts
        self._sentences = Wordings(said)
        self._words = Wordings({kind: own[:1] for kind, own in facts.items()})

    def sentence(self, event: StoryEvent, names: Sequence[str], draws: Draws) -> str:
        """Return a sentence that says an event."""
        words, people = draws.choice(self.said[event.kind]), [names[i] for i in event.group]
        places = [place for place in "ab" if f"{{{place}}}" in words]
        fact = ""
        if event.fact and event.kind in _OWN_WORDS:
            fact = self.words(event.fact, with_item(names, event.group[0], "I"))
            for plain, spoken in _FIRST_PERSON:
                fact = re.sub(rf"\b{plain}\b", spoken, fact)
        elif event.fact:
            fact = self.words(event.fact, names)
        given = dict(zip(places, people, strict=False)) | {"A": listed(people[len(places) :] or [""])}
        return words.format(**given, fact=fact, **dict.fromkeys(("word", "words", "n"), event.word))

    def read(self, sentence: str, names: Sequence[str]) -> StoryEvent:
        """Return the event that a sentence says; raise `FormatError` for anything else."""
        (kind, given), number = self._sentences.read(sentence), Numbers.of(names)
        people = [given[place] for place in "ab" if place in given]
        people += read_list(given["A"]) if "A" in given else []
        fact, said = None, given.get("fact", "")
        if kind in _OWN_WORDS:
            for plain, spoken in _FIRST_PERSON:
                said = re.sub(rf"\b{spoken}\b", plain.replace("I", given["a"]), said)
        if said:
            fact = self.read_fact(said, names)
        group = tuple([number[name] for name in people])
        word = "".join(given.get(place, "") for place in ("word", "words", "n"))
        return StoryEvent(kind, group, fact, word)

    def words(self, fact: StoryFact, names: Sequence[str]) -> str:
        """Return a fact in English."""
        return fact.fill(self.facts[fact.kind][0], names)

    def formula(self, fact: StoryFact, names: Sequence[str]) -> str:
        """Return a fact in the language of the library."""
        return fact.fill(self.facts[fact.kind][1], names)

    def read_fact(self, words: str, names: Sequence[str]) -> StoryFact:
        """Return a fact in English; raise `FormatError` for anything else."""
        (kind, given), number = self._words.read(words), Numbers.of(names)
        who = tuple([number[given[place]] for place in "ab" if place in given])
        return StoryFact(kind, who, int(given.get("n", 1)))


class HeardStory(Protocol):
    """A story without names: what is said, seen and asked, and what its twins and questions depend on.

    All see or hear what happens, but not all that it shows. A family declares the rest; the first engine is
    the model after the story, the second filters the worlds.
    """

    least: ClassVar[int] = 0
    """The lowest order of a question."""

    def _replace(self, *, events: tuple[StoryEvent, ...]) -> Self: ...

    def __hash__(self) -> int: ...

    @property
    def language(self) -> Language:
        """How the story is told."""

    @property
    def events(self) -> tuple[StoryEvent, ...]:
        """What happens."""

    @property
    def actual(self) -> int:
        """The worlds that may be the actual one."""

    def facts(self) -> Sequence[StoryFact]:
        """Return the facts that may be asked about."""

    def where(self, fact: StoryFact) -> int:
        """Return the worlds where a fact is true."""

    def sayings(self, place: int) -> Sequence[tuple[StoryEvent, StoryEvent]]:
        """Return the statements that may replace an event, each with one that says nothing there."""

    def others(self) -> Sequence[Self]:
        """Return the same story about other facts that nobody has ruled out."""

    def head(self, agents: Sequence[str], draws: Draws) -> list[str]:
        """Return the sentences before those of the events; the last one says the facts if they may differ."""

    def states(self) -> tuple[Known, ...]:
        """Return the knowledge at the start and after each event: the second engine."""

    def holds(self, chain: Chain, fact: StoryFact, agents: tuple[str, ...]) -> bool:
        """Return the answer to a question by the models of the library: the first engine."""

    def lines(self, agents: tuple[str, ...]) -> tuple[str, ...]:
        """Return the lines of a file from which the story can be replayed."""

    # --- what follows ------------------------------------------------------------------------------

    def news(self, event: StoryEvent) -> News | None:
        """Return the news of an event."""
        return event.news

    def heard(self, known: Known, event: StoryEvent) -> int:
        """Return the worlds that are left when an event is heard."""
        news = self.news(event)
        return news.heard(known, self.where(news.fact)) if news else known.worlds

    def truths(self, fact: StoryFact) -> Sequence[int]:
        """Return the worlds where a fact is true at the start and after each event."""
        return [self.where(fact)] * len(self.states())

    def alike(self, other: Self, depth: int) -> bool:
        """Return whether what is known after both is the same to a depth.

        Worlds within that distance must have the same cells.
        """
        begun_alike = self.states()[0] == other.states()[0]
        if depth < 0 or not begun_alike:
            return begun_alike
        known = self.states()[-1], other.states()[-1]
        return self.actual == other.actual and _same_depth(*known, self.actual, depth) == depth

    def guesses(self, chain: Chain) -> dict[str, str]:
        """Return the answers of rules of guessing that only this family has."""
        return {}

    def twins(self, order: int, draws: Draws) -> Iterator[tuple[Self, Self, int]]:
        """Yield the story with something said at a place, and with nothing of importance said there.

        Questions of a lower order have the same answers after both. For order 0 the facts differ, at place
        -1.
        """
        if not order:
            if others := self.others():
                yield self, draws.choice(others), -1
            return
        for place in draws.sample(range(len(self.events)), len(self.events)):
            known = self._replace(events=self.events[:place]).states()[-1]
            inner, outer = (known.around(self.actual, steps) for steps in (order - 1, order))
            sayings = self.sayings(place)
            for said in draws.sample(sayings, len(sayings)):
                heard = self.heard(known, said[0])
                if inner & ~heard or not outer & ~heard:
                    continue
                one, two = (self._replace(events=with_item(self.events, place, event)) for event in said)
                with suppress(FormatError):  # what was answered may be so no longer
                    states = one.states()[-1], two.states()[-1]
                    true = states[0].worlds & states[1].worlds & self.actual
                    if true and _same_depth(*states, self.actual, order) == order - 1:
                        yield one, two, place


class SpokenStory(HeardStory, Protocol):
    """A heard story in which news are all that happens."""

    def start(self) -> Known:
        """Return the knowledge at the start."""

    def begun(self) -> KripkeModel:
        """Return the model at the start, with players called as in `players`."""

    def players(self) -> Sequence[str]:
        """Return the names of the people in the model."""

    def begins(self, agents: Sequence[str]) -> list[str]:
        """Return the lines of a story file before its events."""

    def states(self) -> tuple[Known, ...]:
        """Return the knowledge at the start and after each event."""
        return _states(self)

    def formula(self, fact: StoryFact, agents: Sequence[str]) -> str:
        """Return a fact in the language of the library."""
        return self.language.formula(fact, agents)

    def content(self, fact: StoryFact) -> Formula:
        """Return a fact in the model."""
        return formula_of(self.formula(fact, self.players()))

    def holds(self, chain: Chain, fact: StoryFact, agents: tuple[str, ...]) -> bool:
        """Return the answer to a question by updates of the model."""
        return _model(self).holds(formula_of(formula_asked(chain, f"({self.content(fact)})", self.players())))

    def lines(self, agents: tuple[str, ...]) -> tuple[str, ...]:
        """Return the lines of a story file."""
        told = [news for news in map(self.news, self.events) if news]
        return *self.begins(agents), *(news.line(self.formula(news.fact, agents), agents) for news in told)


formula_of = lru_cache(maxsize=1 << 14)(formula)
"""Returns the formula in a string."""


@lru_cache(maxsize=1 << 13)
def _states(story: SpokenStory) -> tuple[Known, ...]:
    if not story.events:
        return (story.start(),)
    before = _states(story._replace(events=story.events[:-1]))
    news = story.news(story.events[-1])
    return (*before, news.known(before[-1], story.where(news.fact)) if news else before[-1])


@lru_cache(maxsize=1 << 12)
def _model(story: SpokenStory) -> KripkeModel:
    if not story.events:
        return story.begun()
    before = _model(story._replace(events=story.events[:-1]))
    news = story.news(story.events[-1])
    return news.update(before, story.content(news.fact), story.players()) if news else before


Read: TypeAlias = Callable[[str], tuple[HeardStory, tuple[str, ...]]]
"""Reads a story in English, and the names in it."""


def derived(read: Read, text: str, question: str) -> Certificate:
    """Return all that follows from a story and a question in English."""
    story, agents = read(text)
    chain, words = read_wording(question, agents)
    fact = story.language.read_fact(words, agents)
    states, at, masks = story.states(), story.actual, story.truths(fact)

    def answer(part: Chain, number: int = -1) -> str:
        return yes_no(states[number].holds(part, masks[number], at))

    def view(known: Known, agent: int, fact: int) -> str | None:
        possible = known.reached(agent, at)
        return None if possible & fact and possible & ~fact else yes_no(possible & fact)

    own, asked = answer(chain), formula_asked(chain, f"({story.language.formula(fact, agents)})", agents)
    shorter = {"reality": (), "drop the first agent": chain[1:], "drop the last agent": chain[:-1]}
    return Certificate(
        answers={"models": yes_no(story.holds(chain, fact, agents)), "filtering": own},
        order=len(chain),
        order_needed=least_order(chain, answer, least=story.least),
        formula=asked if own == "yes" else f"~{asked}",
        scene=story.lines(agents),
        trace={
            name: [view(known, agent, mask) for known, mask in zip(states, masks, strict=True)]
            for agent, name in enumerate(agents)
        },
        shortcuts={
            "always yes": "yes",
            "before the events": answer(chain, 0),
            **{name: answer(part) for name, part in shorter.items() if len(part) >= story.least},
            **story.guesses(chain),
        },
    )


def _alike(read: Read, text: str, other: str, question: str, depth: int) -> bool:
    """Return whether what is known after two stories in English is the same to a depth."""
    (one, names), (two, same) = read(text), read(other)
    return names == same and one.alike(two, depth)


_QUESTIONS = 4  # about one story


def heard_family(
    name: str, knobs: type[Knobs], read: Read, draw: Callable[[Any, int, Draws], HeardStory]
) -> Family:
    """Return a family of heard stories.

    `read`: reads a story in English. `draw`: returns a random story for a question of an order.
    """

    def items(knobs: Any, draws: Draws, seed: str) -> Iterator[Group]:
        def found(order: int) -> Iterator[tuple[HeardStory, HeardStory, int]]:
            return draw(knobs, order, draws).twins(order, draws)

        def groups(drawn: tuple[HeardStory, HeardStory, int], order: int) -> Iterator[Group]:
            return _groups(family, *drawn, order, draws, seed)

        return in_turn(knobs, draws, found, groups)

    family = Family(name, knobs, items, partial(derived, read), partial(_alike, read))
    return family


def _groups(
    family: Family, one: HeardStory, two: HeardStory, place: int, order: int, draws: Draws, seed: str
) -> Iterator[Group]:
    """Yield the items of questions about two stories, which differ in the event at a place."""
    states, actual = (one.states()[-1], two.states()[-1]), (one.actual, two.actual)
    agents = draws.sample(NAMES.split(), len(states[0].cells))
    head, language = one.head(agents, draws), one.language
    told = head + [language.sentence(event, agents, draws) for event in one.events]
    other = language.sentence(two.events[place], agents, draws) if order else two.head(agents, draws)[-1]
    place += len(head)
    facts = one.facts()
    masks = [one.where(fact) for fact in facts]
    stories = (one, " ".join(told)), (two, " ".join(with_item(told, place, other)))
    apart = _telling_apart(states, actual, order, masks, draws, one.least)
    for ways, number in islice(apart, _QUESTIONS):
        question = wording_of(ways, language.words(facts[number], agents), agents)
        pair = [((scene, ways, facts[number]), text) for scene, text in stories]
        yield items_told(family, pair, question, seed=seed, said=(told[place], other))


_ATTEMPTS = 2000  # questions that are tried after two stories
_MIXES = [("knows that",), ("thinks it possible that",), tuple(WAYS)]


def _telling_apart(
    states: Sequence[Known], places: Sequence[int], order: int, facts: Sequence[int], draws: Draws, least: int
) -> Iterator[tuple[Chain, int]]:
    """Yield random questions, with the number of the fact, which two states answer differently.

    All questions that leave out somebody have one answer, so that in one of the states all of them are wrong.
    """
    reached: dict[tuple[int, ...], tuple[int, ...]] = {tuple(places): ()}
    people = range(len(states[0].cells))
    for _ in range(order):  # to where steps by chains of agents lead, with one chain for each pair of sets
        longer: dict[tuple[int, ...], tuple[int, ...]] = {}
        for sets, agents in reached.items():
            others = [agent for agent in people if agent not in agents[-1:]]
            for agent in draws.sample(others, len(others)):
                longer.setdefault(tuple(map(Known.reached, states, (agent, agent), sets)), (*agents, agent))
        reached = longer
    apart = [agents for sets, agents in reached.items() if sets[0] != sets[1]]
    for _ in range(_ATTEMPTS if apart else 0):
        agents, fact, words = draws.choice(apart), draws.below(len(facts)), draws.choice(_MIXES)
        chain = tuple((draws.choice(words), agent) for agent in agents)
        one, two = (
            partial(known.holds, fact=facts[fact], at=at) for known, at in zip(states, places, strict=True)
        )
        if one(chain) != two(chain) and len({one(part) for part in parts(chain) if len(part) >= least}) < 2:
            yield chain, fact


def _same_depth(one: Known, two: Known, at: int, most: int) -> int:
    """Return a depth, up to `most`, to which two states satisfy the same formulas at a world that both have.

    The worlds that are reached in fewer steps have the same cells in both.
    """
    for depth in range(most):
        near = [{cell for cell in own if cell & at} for own in one.cells]
        if near != [{cell for cell in own if cell & at} for own in two.cells]:
            return depth
        at = one.around(at, 1)
    return most
