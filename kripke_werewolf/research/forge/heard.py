"""Stories that all hear and see, though not all that they show: how they are drawn, changed and asked about.

A family declares how its stories begin, what may be said in them, and their language. The first engine is the
model after the story file; the second filters the worlds that the story leaves.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import combinations, islice, permutations, product
from operator import and_
from typing import Any, ClassVar, NamedTuple, TypeAlias

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.base.randomness import Draws
from kripke_werewolf.logic.models.model import KripkeModel
from kripke_werewolf.research.forge import family, knowing
from kripke_werewolf.research.forge.knowing import Chain, Known, StoryEvent, StoryFact
from kripke_werewolf.research.stories.story import story

ORDERS = (range(1, 1 + family.DEEPEST), f"allowed: some of 1 to {family.DEEPEST}; the story tells the facts")
"""The orders of questions, and why there are no others."""
Change: TypeAlias = tuple[tuple[int, ...], tuple[tuple[StoryEvent, StoryEvent], ...]]
"""Places in a story, and what may stand at each of them."""


@dataclass(frozen=True)
class Start(ABC):
    """How a story begins, without names: what a family declares.

    `least`: the lowest order of a question that has an answer. `fixed`: the kinds of events that no other may
    replace.
    """

    least: ClassVar[int] = 0
    fixed: ClassVar[tuple[str, ...]] = ()

    @property
    @abstractmethod
    def worlds(self) -> knowing.StoryWorlds:
        """The worlds that are possible at the start."""

    @property
    @abstractmethod
    def actual(self) -> int:
        """The worlds, as bits, that may be the actual one."""

    @abstractmethod
    def view(self, agent: int) -> Sequence[object]:
        """Return the views of somebody, by world."""

    @abstractmethod
    def head(self, agents: Sequence[str], draws: Draws) -> list[str]:
        """Return the sentences before those of the events."""

    def lines(self, agents: Sequence[str]) -> list[str]:
        """Return the lines of a story file before its events."""
        raise NotImplementedError

    @abstractmethod
    def drawn(self, order: int, draws: Draws) -> StoryEvent:
        """Return a random event, which may be impossible."""

    @abstractmethod
    def sayings(self, told: HeardStory) -> Sequence[StoryEvent]:
        """Return the statements that may replace an event."""

    def said(self, fact: StoryFact, draws: Draws) -> StoryEvent:
        """Return an event by which a fact is said."""
        return StoryEvent("says", (draws.below(self.worlds.people),), fact)

    def silent(self, event: StoryEvent) -> StoryEvent:
        """Return an event that says nothing, in place of a statement."""
        return StoryEvent("idle", event.group[:1])

    def formula(self, fact: StoryFact, agents: Sequence[str]) -> str:
        """Return a fact in the language of the library."""
        return self.worlds.language.formula(fact, agents)

    def where(self, fact: StoryFact, events: Sequence[StoryEvent]) -> int:
        """Return the worlds where a fact is true after some events."""
        return self.worlds.where(fact)

    def check(self, known: Known, events: Sequence[StoryEvent]) -> None:  # noqa: B027, most need none
        """Raise `FormatError` if the story leaves open whether the last event may happen."""

    def alike(self, one: HeardStory, two: HeardStory, depth: int) -> bool:
        """Return whether what is known after two stories is the same to a depth."""
        known = one.states()[-1].near(one.actual, depth) == two.states()[-1].near(one.actual, depth)
        return one.actual == two.actual and known

    def twins(self, told: HeardStory, order: int, draws: Draws) -> Iterator[Change]:
        """Yield changes that questions of lower order do not notice: something said, or nothing."""
        return _twins(told, order, draws)

    def scene(self, events: tuple[StoryEvent, ...], agents: tuple[str, ...]) -> tuple[str, ...]:
        """Return the lines of a file from which the story can be replayed."""
        told = [event.line(self.formula(event.fact, agents), agents) for event in events if event.fact]
        return *self.lines(agents), *told

    def model(self, events: tuple[StoryEvent, ...], agents: tuple[str, ...]) -> KripkeModel:
        """Return the model after events: the first engine."""
        return _model(self.scene(events, agents))


@lru_cache(maxsize=1 << 8)
def _model(scene: tuple[str, ...]) -> KripkeModel:
    return story("\n".join(scene)).history().model


def begun(
    agents: Sequence[str], atoms: Sequence[str], laws: Sequence[str], sees: Sequence[str], true: Sequence[str]
) -> list[str]:
    """Return the first lines of a story file, with what each agent sees, and the atoms that are true."""
    actual = [atom if atom in true else f"~{atom}" for atom in atoms]
    lines = [f"agents: {', '.join(agents)}", f"atoms: {', '.join(atoms)}", *(f"law: {law}" for law in laws)]
    lines += [f"sees {agent}: {own}" for agent, own in zip(agents, sees, strict=True)]
    return [*lines, f"actual: {' & '.join(actual)}"]


class HeardStory(NamedTuple):
    """A story without names: how it begins, and what happens."""

    start: Start
    events: tuple[StoryEvent, ...] = ()

    @property
    def actual(self) -> int:
        """The worlds that may be the actual one; none if the story is impossible."""
        return self.start.actual & self.states()[-1].worlds

    def states(self) -> tuple[Known, ...]:
        """Return the knowledge at the start and after each event: the second engine."""
        return _states(self)

    def until(self, place: int) -> HeardStory:
        """Return the story before a place."""
        return self._replace(events=self.events[:place])

    def put(self, place: int, what: StoryEvent) -> HeardStory:
        """Return the story with another event at a place."""
        return self._replace(events=family.with_item(self.events, place, what))

    @property
    def free(self) -> list[int]:
        """The places of events that others may replace."""
        return [place for place, event in enumerate(self.events) if event.kind not in self.start.fixed]

    def where(self, fact: StoryFact) -> int:
        """Return the worlds where a fact is true at the end."""
        return self.start.where(fact, self.events)

    def answer(self, chain: Chain, fact: StoryFact) -> bool:
        """Return the answer to a question."""
        return self.states()[-1].holds(chain, self.where(fact), self.actual)

    def deep(self, chain: Chain, fact: StoryFact) -> bool:
        """Return whether all questions that leave out some of these agents have the same answer."""
        shorter = [part for part in family.parts(chain) if len(part) >= self.start.least]
        return len({self.answer(part, fact) for part in shorter}) < 2

    def heard(self, known: Known, event: StoryEvent) -> int:
        """Return the worlds that are left when an event is heard."""
        return event.heard(known, self.where(event.fact)) if event.fact else known.worlds

    def spoken(self, events: Sequence[StoryEvent]) -> int:
        """Return the worlds where all facts are true that these events say to all."""
        told = [event for event in events if event.how in ("aloud", "knows that")]
        facts = [self.where(event.fact) for event in told if event.fact]
        return reduce(and_, facts, self.states()[0].worlds)


@lru_cache(maxsize=1 << 13)
def _states(told: HeardStory) -> tuple[Known, ...]:
    start = told.start
    before = tuple[Known, ...]()
    if told.events:
        before, event = _states(told.until(-1)), told.events[-1]
        now = event.known(before[-1], told.where(event.fact)) if event.fact else before[-1]
    else:
        now = Known.of([start.view(agent) for agent in range(start.worlds.people)])
    start.check(now, told.events)
    return (*before, now)


@dataclass(frozen=True)
class HeardFamily(family.Family):
    """A family of heard stories.

    `read` reads a story in English, with the names in it; `draw` returns a random beginning.
    """

    read: Callable[[str], tuple[HeardStory, tuple[str, ...]]]
    draw: Callable[[Any, int, Draws], Start]

    def derive(self, story: str, question: str) -> family.Certificate:
        """Return all that follows from a story and a question in English."""
        told, agents = self.read(story)
        chain, words = knowing.read_wording(question, agents)
        language, states, start = told.start.worlds.language, told.states(), told.start
        fact, at = language.read_fact(words, agents), told.actual
        if not at:
            raise FormatError("what is said to have happened cannot all be true")
        masks = [told.until(place).where(fact) for place in range(len(states))]

        def answer(part: Chain, number: int = -1) -> str:
            return family.yes_no(states[number].holds(part, masks[number], at))

        def view(known: Known, agent: int, fact: int) -> str | None:
            possible = known.reached(agent, at)
            return None if possible & fact and possible & ~fact else family.yes_no(possible & fact)

        own = answer(chain)
        asked = knowing.formula_asked(chain, f"({start.formula(fact, agents)})", agents)
        shorter = {"reality": (), "drop the first agent": chain[1:], "drop the last agent": chain[:-1]}
        heard = told.spoken(told.events)
        public = Known(heard, ((heard,),) * len(agents))
        return family.Certificate(
            answers={
                "models": family.yes_no(start.model(told.events, agents).holds(knowing.formula_of(asked))),
                "filtering": own,
            },
            order=len(chain),
            order_needed=family.least_order(chain, answer, least=start.least),
            formula=asked if own == "yes" else f"~{asked}",
            scene=start.scene(told.events, agents),
            trace={
                name: [view(known, agent, mask) for known, mask in zip(states, masks, strict=True)]
                for agent, name in enumerate(agents)
            },
            shortcuts={
                "before the events": answer(chain, 0),
                "follows from what all heard": family.yes_no(public.holds(chain, masks[-1], heard)),
                **{name: answer(part) for name, part in shorter.items() if len(part) >= start.least},
            },
        )

    def alike(self, story: str, other: str, question: str, depth: int) -> bool:
        """Return whether what is known after two stories in English is the same to a depth."""
        (one, names), (two, same) = self.read(story), self.read(other)
        begun_alike = names == same and one.states()[0] == two.states()[0]
        return begun_alike and (depth < 0 or one.start.alike(one, two, depth))

    def tried(self, knobs: family.Knobs, order: int, draws: Draws, seed: str) -> Iterator[family.Group]:
        """Yield the groups about one random story."""
        told = HeardStory(self.draw(knobs, order, draws))
        while len(told.events) < knobs.events:
            longer = told._replace(events=(*told.events, told.start.drawn(order, draws)))
            with suppress(FormatError):
                told = longer if longer.actual else told
        asked = crosses(told, order, draws) if knobs.quadruples else _pairs(told, order, draws)
        agents = draws.sample(family.NAMES.split(), told.start.worlds.people)
        for change, chain, fact in asked:
            words = told.start.worlds.language.words(fact, agents)
            versions = [*_versions(told, change, (chain, fact), agents, draws)]
            yield self.told(versions, knowing.wording_of(chain, words, agents), seed)


def _versions(
    told: HeardStory, change: Change, asked: tuple[Chain, StoryFact], agents: list[str], draws: Draws
) -> Iterator[family.Version]:
    """Yield the stories with all choices of what stands at some places, in the same words elsewhere."""
    language, head, (places, options) = told.start.worlds.language, told.start.head(agents, draws), change
    text = head + [language.sentence(event, agents, draws) for event in told.events]

    said = [[language.sentence(event, agents, draws) for event in pair] for pair in options]
    for corner in product((0, 1), repeat=len(places)):
        story, words, own = told, tuple(text), list[str]()
        for place, pair, sentences, side in zip(places, options, said, corner, strict=True):
            own.append(sentences[side])
            story, words = story.put(place, pair[side]), family.with_item(words, len(head) + place, own[-1])
        yield family.Version(corner, tuple(own), (story, *asked), " ".join(words))


# --- pairs -------------------------------------------------------------------------------------------


Asked: TypeAlias = tuple[Change, Chain, StoryFact]
"""A change of a story, and a question: the agents, and the fact."""
_QUESTIONS = 4  # about one pair
_ATTEMPTS = 2000  # questions that are tried after two stories
_MIXES = [("knows that",), ("thinks it possible that",), tuple(knowing.WAYS)]


def _pairs(told: HeardStory, order: int, draws: Draws) -> Iterator[Asked]:
    """Yield a change of one sentence, each time with another question whose answer it changes."""
    for places, options in islice(told.start.twins(told, order, draws), 1):
        one, two = (told.put(places[0], event) for event in options[0])
        apart = _telling_apart(one, two, order, draws)
        for chain, fact in islice(apart, _QUESTIONS):
            yield (places, options), chain, fact


def _twins(told: HeardStory, order: int, draws: Draws) -> Iterator[Change]:
    """Yield a place with something said there, and with nothing of importance said there.

    Questions of a lower order have the same answers after both.
    """
    start = told.start
    for place in draws.sample(told.free, len(told.free)):
        known, sayings = told.until(place).states()[-1], start.sayings(told)
        inner, outer = (known.around(told.actual, steps) for steps in (order - 1, order))
        for said in draws.sample(sayings, len(sayings) if outer & ~inner else 0):
            heard = told.heard(known, said)
            if inner & ~heard or not outer & ~heard:
                continue
            pair = said, start.silent(said)
            with suppress(FormatError):  # what was answered may be so no longer
                one, two = (told.put(place, event) for event in pair)
                both = one.actual & two.actual
                if both and start.alike(one, two, order - 1) and not start.alike(one, two, order):
                    yield (place,), (pair,)


def _telling_apart(
    one: HeardStory, two: HeardStory, order: int, draws: Draws
) -> Iterator[tuple[Chain, StoryFact]]:
    """Yield random questions which two stories answer differently.

    All questions that leave out somebody have one answer, so that all of them are wrong in one story.
    """
    (here, there), worlds = (told.states()[-1] for told in (one, two)), one.start.worlds
    for _ in range(_ATTEMPTS):
        agents = family.random_chain(range(worlds.people), order, draws)
        fact, words = draws.choice(worlds.facts), draws.choice(_MIXES)
        if here.along(agents, one.actual) != there.along(agents, two.actual):
            chain = tuple((draws.choice(words), agent) for agent in agents)
            if one.answer(chain, fact) != two.answer(chain, fact) and one.deep(chain, fact):
                yield chain, fact


# --- quadruples --------------------------------------------------------------------------------------

_CHAINS, _FACTS, _EXCLUSIONS, _SENTENCES, _COVERS, _CROSSES = 12, 12, 60, 40, 60, 300
"""How many are tried for a quadruple."""


def crosses(told: HeardStory, order: int, draws: Draws) -> Iterator[Asked]:
    """Yield changes of two sentences, each of which changes the answer whichever stands at the other place.

    The question is about worlds at the distance of its order. Each sentence rules out some of those that
    count, and nothing nearer; u with s, and v with t, rule out all of them, u with t and v with s do not.
    """
    free, idle = told.free, StoryEvent("idle", (0,))
    places = tuple(sorted(draws.sample(free, min(2, len(free)))))
    silent = reduce(lambda story, place: story.put(place, idle), places, told)
    with suppress(FormatError):
        asked = _far_question(silent, order, draws) if places[1:] and silent.actual else None
        if not asked:
            return
        chain, fact, _ = asked
        rest = [event for place, event in enumerate(told.events) if place not in places]
        found = _balanced(_crossed(silent, rest, asked, draws), silent, draws)
        fitting = list[Change]()
        for u, v, s, t in found:
            first, *others = (told.put(places[0], x).put(places[1], y) for x in (u, v) for y in (s, t))
            own, answers = first.answer(chain, fact), [story.answer(chain, fact) for story in others]
            alike = first.actual and all(told.start.alike(first, other, order - 1) for other in others)
            if alike and answers == [not own, not own, own] and first.deep(chain, fact):
                fitting.append((places, ((u, v), (s, t))))
        if len(fitting) == len(found):
            yield from ((change, chain, fact) for change in fitting)


def _far_question(silent: HeardStory, order: int, draws: Draws) -> tuple[Chain, StoryFact, int] | None:
    """Return a question that several worlds decide, all of them at the distance of its order, and these."""
    known, worlds = silent.states()[-1], silent.start.worlds
    inner = known.around(silent.actual, order - 1)
    for _ in range(_CHAINS):
        agents = family.random_chain(range(worlds.people), order, draws)
        reached = known.along(agents, silent.actual)
        far, way = reached & ~inner, draws.choice(("knows that", "thinks it possible that"))
        sizes = [max(1, order + draws.below(3) - 1) for _ in range(_FACTS if far else 0)]
        facts = draws.sample(worlds.facts, min(_FACTS, len(worlds.facts)))
        facts += [worlds.exclusion(far, size, draws) for size in sizes]
        for fact in draws.sample(facts, len(facts)):
            true = silent.where(fact)
            counts = reached & (~true if way == "knows that" else true)
            if not counts & inner and counts.bit_count() > 1:
                return tuple((way, agent) for agent in agents), fact, counts
    return None


Cross: TypeAlias = tuple[StoryEvent, StoryEvent, StoryEvent, StoryEvent]


def _crossed(
    silent: HeardStory, rest: Sequence[StoryEvent], asked: tuple[Chain, StoryFact, int], draws: Draws
) -> list[Cross]:
    """Return sentences u, v for one place and s, t for another, in the same form, that answer a question.

    What is said aloud never implies the fact: what follows from what all have heard gives no answer.
    """
    chain, fact, counts = asked
    known, start, order = silent.states()[-1], silent.start, len(chain)
    inner, true = known.around(silent.actual, order - 1), silent.where(fact)
    hint = silent.spoken(rest) & (~true if chain[0][0] == "knows that" else true)
    sizes = [order + draws.below(2) for _ in range(_EXCLUSIONS)]
    facts = [start.worlds.exclusion(counts, size, draws) for size in sizes]
    out: dict[StoryEvent, int] = {}
    for event in [*start.sayings(silent), *(start.said(other, draws) for other in facts)]:
        left = silent.heard(known, event)
        if not inner & ~left and 0 != counts & ~left != counts and event.fact != fact:
            out[event] = counts & ~left
    some = draws.sample(list(out), min(_SENTENCES, len(out)))
    open_ = {event: hint & silent.spoken([event]) for event in some}
    covers = [(u, s) for u, s in permutations(some, 2) if out[u] | out[s] == counts]
    return [
        (u, v, s, t)
        for (u, s), (v, t) in combinations(draws.sample(covers, min(_COVERS, len(covers))), 2)
        if u.form == v.form
        and s.form == t.form
        and out[u] | out[t] != counts != out[v] | out[s]
        and all(open_[x] & open_[y] for x in (u, v) for y in (s, t))
    ]


def _balanced(found: Sequence[Cross], silent: HeardStory, draws: Draws) -> list[Cross]:
    """Return a cross whose sentences look as alike where the answer is yes as where it is no.

    Otherwise two crosses, of which one is the opposite of the other in this; nothing if there are none.
    """
    language, names = silent.start.worlds.language, silent.start.worlds.names
    keyed: dict[tuple[int, ...], list[Cross]] = {}
    for cross in draws.sample(found, min(_CROSSES, len(found))):
        u, v, s, t = (language.words(event.fact, names) if event.fact else "" for event in cross)
        keyed.setdefault(family.leaning(u, v, s, t), []).append(cross)
    opposite = {key: tuple(-sign for sign in key) for key in keyed}
    both = [key for key in keyed if opposite[key] in keyed]
    if not both:
        return []
    key = min(both, key=lambda signs: sum(map(abs, signs)))
    return [draws.choice(keyed[sign]) for sign in dict.fromkeys((key, opposite[key]))]
