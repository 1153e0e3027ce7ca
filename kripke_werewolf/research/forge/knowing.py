"""What is commonly known in a story, without models: the worlds that are possible, as bits, and who can tell
which of them apart; and the English of its events, its facts and the questions about it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import permutations, product
from operator import and_, or_
from typing import Any, NamedTuple, TypeAlias

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.base.randomness import Draws
from kripke_werewolf.logic.formulas.syntax import formula
from kripke_werewolf.logic.semantics.bits import gathered
from kripke_werewolf.research.forge.family import with_item
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
        found = 0
        for cell in self.cells[agent]:
            if cell & worlds:
                found |= cell
        return found

    def along(self, agents: Iterable[int], worlds: int) -> int:
        """Return the worlds that are reached from some by a step of one agent after another."""
        return reduce(lambda found, agent: self.reached(agent, found), agents, worlds)

    def around(self, worlds: int, steps: int) -> int:
        """Return the worlds that any agents reach in some number of steps."""
        for _ in range(steps):
            worlds = reduce(or_, [self.reached(agent, worlds) for agent in range(len(self.cells))])
        return worlds

    def near(self, worlds: int, steps: int) -> list[object]:
        """Return the sets of worlds that are met within some steps: equal lists, equal knowledge so far."""
        met = list[object]()
        for _ in range(steps):
            met.append([{cell for cell in own if cell & worlds} for own in self.cells])
            worlds = self.around(worlds, 1)
        return met

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


def numbers(some: Sequence[str], names: Sequence[str]) -> tuple[int, ...]:
    """Return the numbers of some of the people in a story; raise `FormatError` for others."""
    if strangers := [name for name in some if name not in names]:
        raise FormatError(f"{strangers[0]!r} is not one of the people in this story ({', '.join(names)})")
    return tuple([names.index(name) for name in some])


def formula_asked(chain: Chain, fact: str, agents: Sequence[str]) -> str:
    """Return the formula of a question in the language of the library."""
    return "".join(f"{_ALL_WAYS[way]}_{agents[agent]} " for way, agent in chain) + fact


class StoryFact(NamedTuple):
    """Something that may be true in a story: its kind, the people in it, and a number.

    With `parts`, it is that not all of these facts are true.
    """

    kind: str
    who: tuple[int, ...] = ()
    n: int = 1
    parts: tuple[StoryFact, ...] = ()

    def fill(self, words: str, names: Sequence[str]) -> str:
        """Return words, or a formula, with the people and the number of the fact in their places."""
        people = [names[i] for i in self.who]
        return words.format(n=self.n, m=self.n + 1, names=names, **dict(zip("ab", people, strict=False)))


class FactKind(NamedTuple):
    """A kind of facts: its words and its formula, when it is true in a world, and the numbers it may have.

    Without words it is never said or asked.
    """

    words: str
    formula: str
    true: Callable[[Any, StoryFact], object]
    numbers: Iterable[int] = (1,)

    @property
    def people(self) -> int:
        """The number of people in it."""
        return ("{a}" in self.words) + ("{b}" in self.words)


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
        """How the fact is told; nothing if there is none."""
        return _HOW.get(self.kind, "aloud") if self.fact else ""

    @property
    def form(self) -> object:
        """The form of its sentence."""
        return self.kind, len(self.group), self.fact and (self.fact.kind, len(self.fact.parts))

    def said(self, fact: str, agents: Sequence[str]) -> str:
        """Return the formula that is announced, with that of the fact."""
        sign = {"knows that": "K", "knows whether": "Kw", "does not know whether": "~Kw"}.get(self.how)
        return f"{sign}_{agents[self.group[0]]} ({fact})" if sign else fact

    def line(self, fact: str, agents: Sequence[str]) -> str:
        """Return the line of a story file, with the formula of the fact."""
        if self.how == "shown":
            return f"show {', '.join(agents[i] for i in self.group)}: {fact}"
        return f"announce: {self.said(fact, agents)}"

    def heard(self, known: Known, fact: int) -> int:
        """Return the worlds that are left when this is said, without models."""
        if self.how == "does not know whether":
            return known.worlds & ~known.where("knows whether", self.group[0], fact)
        return known.where(self.how, self.group[0], fact) if self.how in WAYS else fact

    def known(self, known: Known, fact: int) -> Known:
        """Return the knowledge afterwards, without models."""
        if self.how == "shown":
            return known.shown(self.group, fact)
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
    "says": "knows that",
    "unsure": "does not know whether",
}
"""How the fact of an event is told, if not aloud."""
_OWN_WORDS = ("says", "unsure")
_NOT = "it is not so that "


class Language:
    """How stories are told and read: the sentences of events, by kind, and the kinds of facts.

    The places `{a}` and `{b}` are for the first people of an event or a fact, and `{A}` for the others;
    `{m}` in a formula is the number after `{n}`, and `{names[0]}` the first person of the story.

    >>> evil = FactKind("{a} is evil", "evil_{a}", lambda some, fact: fact.who[0] in some)
    >>> language, names = Language(SPOKEN, {"evil": evil}), ["Anne", "Bob"]
    >>> both = StoryFact("not", parts=(StoryFact("evil", (0,)), StoryFact("evil", (1,))))
    >>> language.sentence(StoryEvent("says", (1,), both), names, Draws("1"))
    'Bob said: I know that it is not so that Anne is evil and I am evil.'
    >>> language.read(_, names).fact == both, language.formula(both, names)
    (True, '~((evil_Anne) & (evil_Bob))')
    """

    def __init__(self, said: Mapping[str, tuple[str, ...]], facts: Mapping[str, FactKind]) -> None:
        self.said, self.facts = said, facts
        self._sentences = Wordings(said)
        self._words = Wordings({kind: (own.words,) for kind, own in facts.items() if own.words})

    def sentence(self, event: StoryEvent, names: Sequence[str], draws: Draws) -> str:
        """Return a sentence that says an event."""
        words, people = draws.choice(self.said[event.kind]), [names[i] for i in event.group]
        places = [place for place in "ab" if f"{{{place}}}" in words]
        fact = ""
        if event.fact and event.kind in _OWN_WORDS:
            fact = self.words(event.fact, with_item(names, event.group[0], "I")).replace("I is", "I am")
        elif event.fact:
            fact = self.words(event.fact, names)
        given = dict(zip(places, people, strict=False)) | {"A": listed(people[len(places) :] or [""])}
        return words.format(**given, fact=fact, **dict.fromkeys(("word", "words", "n"), event.word))

    def read(self, sentence: str, names: Sequence[str]) -> StoryEvent:
        """Return the event that a sentence says; raise `FormatError` for anything else."""
        kind, given = self._sentences.read(sentence)
        people = [given[place] for place in "ab" if place in given]
        people += read_list(given["A"]) if "A" in given else []
        said = given.get("fact", "")
        if kind in _OWN_WORDS:
            said = re.sub(r"\bI (am|is)\b", f"{given['a']} is", said)
        fact = self.read_fact(said, names) if said else None
        word = "".join(given.get(place, "") for place in ("word", "words", "n"))
        return StoryEvent(kind, numbers(people, names), fact, word)

    def words(self, fact: StoryFact, names: Sequence[str]) -> str:
        """Return a fact in English."""
        if fact.parts:
            return _NOT + listed([self.words(part, names) for part in fact.parts])
        return fact.fill(self.facts[fact.kind].words, names)

    def formula(self, fact: StoryFact, names: Sequence[str]) -> str:
        """Return a fact in the language of the library."""
        if fact.parts:
            return f"~({' & '.join(f'({self.formula(part, names)})' for part in fact.parts)})"
        return fact.fill(self.facts[fact.kind].formula, names)

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

    `excluded`: kinds of facts about two people, of which may be said that they are not both true.
    """

    def __init__(
        self, language: Language, people: int, values: Iterable[Any], excluded: Sequence[Sequence[str]] = ()
    ) -> None:
        self.language, self.people, self.values = language, people, tuple(values)
        self.names = [f"N{i}" for i in range(people)]
        self._known: dict[StoryFact, int] = {}
        self.facts = [
            StoryFact(kind, who, n)
            for kind, own in language.facts.items()
            if own.words
            for who in permutations(range(people), own.people)
            for n in own.numbers
        ]
        self._single = [[fact for fact in self.facts if fact.who == (i,)] for i in range(people)]
        for pair, kinds in product(permutations(range(people), 2), excluded):
            both = [StoryFact(kind, (i,)) for kind, i in zip(kinds, pair, strict=True)]
            self.facts.append(StoryFact("not", parts=tuple(both)))

    def where(self, fact: StoryFact) -> int:
        """Return the worlds where a fact is true, as bits."""
        if fact not in self._known:
            every = (1 << len(self.values)) - 1
            if fact.parts:
                found = every & ~reduce(and_, map(self.where, fact.parts))
            else:
                true = self.language.facts[fact.kind].true
                found = sum(1 << i for i, world in enumerate(self.values) if true(world, fact))
            self._known[fact] = found
        return self._known[fact]

    def exclusion(self, among: int, size: int, draws: Draws) -> StoryFact:
        """Return a fact that some things about people are not all so: false in one of these worlds."""
        world = draws.choice([i for i in range(len(self.values)) if among >> i & 1])
        people = sorted(draws.sample(range(self.people), min(size, self.people)))
        true = ([fact for fact in self._single[i] if self.where(fact) >> world & 1] for i in people)
        return StoryFact("not", parts=tuple([draws.choice(facts) for facts in true]))


formula_of = lru_cache(maxsize=1 << 14)(formula)
"""Returns the formula in a string."""
