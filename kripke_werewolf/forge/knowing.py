"""What is commonly known in a story, without models: the worlds that are possible, as bits, and who can tell
which of them apart; and questions about it in English.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial, reduce
from itertools import islice
from operator import or_
from typing import Any, NamedTuple, Protocol, Self, TypeAlias, TypeVar

from kripke_werewolf.errors import FormatError
from kripke_werewolf.forge.family import (
    NAMES,
    Certificate,
    Family,
    Group,
    Knobs,
    in_turn,
    items_told,
    least_order,
    parts,
    yes_no,
)
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.operators import Believes, Knows, KnowsWhether, OfAgent, Possible
from kripke_werewolf.randomness import Draws
from kripke_werewolf.stories.english import Wordings


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
        cells = []
        for seen in views:
            alike: dict[object, int] = {}
            for world, view in enumerate(seen):
                alike[view] = alike.get(view, 0) | 1 << world
            cells.append(tuple(alike.values()))
        return cls((1 << len(views[0])) - 1, tuple(cells))

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
                finer: dict[object, int] = {}
                for seen, cell in zip(near, cells, strict=True):
                    for kind, own in found.items():
                        finer[kind, seen] = finer.get((kind, seen), 0) | own & cell
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
_OPERATORS: Mapping[str, type[OfAgent]] = {"K": Knows, "Kw": KnowsWhether, "M": Possible, "B": Believes}
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


def certified(
    story: _HeardStory,
    chain: Chain,
    fact: Any,
    agents: tuple[str, ...],
    formula: str,
    model: bool,
    *,
    least: int = 0,
    before: Sequence[int] = (),
) -> Certificate:
    """Return all that follows about a question, from what was known at the start and after each event.

    `fact`, `formula`: the fact asked about, also as a formula. `model`: the answer by the models of the
    library. `least`: the lowest order of a question. `before`: where the fact was true at the start and after
    each event, if it changes.
    """
    states, at = story.states(), story.actual
    masks = before or [story.where(fact)] * len(states)

    def answer(part: Sequence[tuple[str, int]], number: int = -1) -> str:
        return yes_no(states[number].holds(part, masks[number], at))

    def view(known: Known, agent: int, fact: int) -> str | None:
        possible = known.reached(agent, at)
        if possible & fact and possible & ~fact:
            return None
        return yes_no(possible & fact)

    own, asked = answer(chain), formula_asked(chain, f"({formula})", agents)
    if own == "no":
        asked = f"~{asked}"
    shorter = {"reality": (), "drop the first agent": chain[1:], "drop the last agent": chain[:-1]}
    return Certificate(
        answers={"models": yes_no(model), "filtering": own},
        order=len(chain),
        order_needed=least_order(chain, answer, least=least),
        formula=asked,
        scene=_lines(story, agents),
        trace={
            name: [view(known, agent, mask) for known, mask in zip(states, masks, strict=True)]
            for agent, name in enumerate(agents)
        },
        shortcuts={
            "always yes": "yes",
            "before the events": answer(chain, 0),
            **{name: answer(part) for name, part in shorter.items() if len(part) >= least},
        },
    )


@lru_cache(maxsize=64)
def _lines(story: _HeardStory, agents: tuple[str, ...]) -> tuple[str, ...]:
    return story.lines(agents)


def formula_asked(chain: Chain, fact: str, agents: Sequence[str]) -> str:
    """Return the formula of a question in the language of the library."""
    return "".join(f"{_ALL_WAYS[way]}_{agents[agent]} " for way, agent in chain) + fact


def asked_of(chain: Chain, fact: Formula, agents: Sequence[str]) -> Formula:
    """Return the formula of a question."""
    for way, agent in reversed(chain):
        fact = _OPERATORS[_ALL_WAYS[way]](agents[agent], fact)
    return fact


@lru_cache(maxsize=100)
def short_names(number: int) -> tuple[str, ...]:
    """Return names for people that let stories share their models."""
    return tuple(f"a{i}" for i in range(number))


SPOKEN = {
    "says": ("{a} said: I know that {fact}.", "I know that {fact}, {a} said."),
    "idle": ("{a} said: I will not say anything.", "{a} kept silent."),
}
"""What players say aloud, with the words of `CardFact.said_by` for the fact."""


class CardFact(NamedTuple):
    """Something that may be true of the cards of players: its kind, and the players in it."""

    kind: str
    a: int
    b: int

    def said(self, wordings: Mapping[str, str], names: Sequence[str]) -> str:
        """Return the fact in words or as a formula."""
        return wordings[self.kind].format(a=names[self.a], b=names[self.b])

    def said_by(self, speaker: int, wordings: Mapping[str, str], names: Sequence[str]) -> str:
        """Return the fact in the words of a player.

        >>> one = {"one": "at least one of {a} and {b} is evil"}
        >>> CardFact("one", 0, 1).said_by(1, one, ["Anne", "Bob"])
        'at least one of Anne and me is evil'
        """
        own = self.said(wordings, [*names[:speaker], "I", *names[speaker + 1 :]])
        for plain, spoken in _FIRST_PERSON:
            own = re.sub(rf"\b{plain}\b", spoken, own)
        return own

    @classmethod
    def read(cls, kinds: Wordings[str], text: str, names: Sequence[str], speaker: str = "") -> CardFact:
        """Return a fact in words, perhaps those of a player; raise `FormatError` for any others."""
        for plain, spoken in _FIRST_PERSON if speaker else ():
            text = re.sub(rf"\b{spoken}\b", plain.replace("I", speaker), text)
        (kind, given), number = kinds.read(text), Numbers.of(names)
        return cls(kind, number[given["a"]], number[given.get("b", given["a"])])


_FIRST_PERSON = (("and I is", "and me is"), ("of I and", "of me and"), ("I is", "I am"))


class _HeardStory(Protocol):
    """A story without names: what its twins and the questions about it depend on."""

    def _replace(self, *, events: tuple[Any, ...]) -> Self: ...

    def __hash__(self) -> int: ...

    @property
    def people(self) -> int:
        """The number of people."""

    @property
    def events(self) -> tuple[Any, ...]:
        """What happens."""

    @property
    def actual(self) -> int:
        """The worlds that may be the actual one."""

    def states(self) -> Sequence[Known]:
        """Return the knowledge at the start and after each event."""

    def facts(self) -> Sequence[Any]:
        """Return the facts that may be asked about."""

    def where(self, fact: Any) -> int:
        """Return the worlds where a fact is true."""

    def sayings(self, place: int) -> Sequence[tuple[Any, Any]]:
        """Return the statements that may replace an event, each with one that says nothing there."""

    def heard(self, known: Known, event: Any) -> int:
        """Return the worlds that are left when something is said."""

    def others(self) -> Sequence[Self]:
        """Return the same story about other facts."""

    def told(self, agents: Sequence[str], draws: Draws) -> list[str]:
        """Return the sentences of the story; those of the events are the last."""

    def sentence(self, event: Any, agents: Sequence[str], draws: Draws) -> str:
        """Return the sentence for an event, or for the facts if it is None."""

    def words(self, fact: Any, agents: Sequence[str]) -> str:
        """Return a fact in English."""

    def lines(self, agents: Sequence[str]) -> tuple[str, ...]:
        """Return the lines of a file from which the story can be replayed."""


S = TypeVar("S", bound=_HeardStory)


def twins(scene: S, order: int, draws: Draws) -> Iterator[tuple[S, S, int]]:
    """Yield the story with something said at a place, and with nothing of importance said there.

    Questions of a lower order have the same answers after both. For order 0 the facts differ, at place -1.
    """
    if not order:
        if others := scene.others():
            yield scene, draws.choice(others), -1
        return
    for place in draws.sample(range(len(scene.events)), len(scene.events)):
        known = scene._replace(events=scene.events[:place]).states()[-1]
        inner, outer = (known.around(scene.actual, steps) for steps in (order - 1, order))
        sayings = scene.sayings(place)
        for said in draws.sample(sayings, len(sayings)):
            heard = scene.heard(known, said[0])
            if inner & ~heard or not outer & ~heard:
                continue
            one, two = (
                scene._replace(events=(*scene.events[:place], event, *scene.events[place + 1 :]))
                for event in said
            )
            with suppress(FormatError):  # what was answered may be so no longer
                states = one.states()[-1], two.states()[-1]
                true = states[0].worlds & states[1].worlds & scene.actual
                if true and _same_depth(*states, scene.actual, order) == order - 1:
                    yield one, two, place


def alike_told(
    read: Callable[[str], tuple[_HeardStory, Sequence[str]]], text: str, other: str, question: str, depth: int
) -> bool:
    """Return whether two stories are alike to a depth: worlds within that distance have the same cells."""
    (one, names), (two, same) = read(text), read(other)
    begun_alike = names == same and one.states()[0] == two.states()[0]
    if depth < 0 or not begun_alike:
        return begun_alike
    known = one.states()[-1], two.states()[-1]
    return one.actual == two.actual and _same_depth(*known, one.actual, depth) == depth


_QUESTIONS = 4  # about one story


def twin_items(
    family: Family,
    found: Callable[[int], Iterator[tuple[S, S, int]]],
    knobs: Knobs,
    draws: Draws,
    seed: str,
    *,
    least: int = 0,
) -> Iterator[Group]:
    """Yield the items of one batch of a family, from the twins of an order that are drawn by `found`.

    `least`: the lowest order of a question.
    """

    def groups(pair: tuple[S, S, int], order: int) -> Iterator[Group]:
        return _groups(*pair, order, draws, partial(items_told, family, seed=seed), least)

    return in_turn(knobs, draws, found, groups)


def _groups(
    one: S, two: S, place: int, order: int, draws: Draws, items: Callable[..., Group], least: int
) -> Iterator[Group]:
    """Yield items about a story with their twins, made by `items` from what is told and asked."""
    agents = draws.sample(NAMES.split(), one.people)
    told = one.told(agents, draws)
    other = two.sentence(two.events[place] if place >= 0 else None, agents, draws)
    place += len(told) - len(one.events)
    facts = one.facts()
    states, actual = (one.states()[-1], two.states()[-1]), (one.actual, two.actual)
    masks = [one.where(fact) for fact in facts]
    stories = (one, " ".join(told)), (two, " ".join([*told[:place], other, *told[place + 1 :]]))
    for ways, number in islice(_telling_apart(states, actual, order, masks, draws, least), _QUESTIONS):
        question = wording_of(ways, one.words(facts[number], agents), agents)
        pair = [((scene, ways, facts[number]), text) for scene, text in stories]
        yield items(pair, question, said=(told[place], other))


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
