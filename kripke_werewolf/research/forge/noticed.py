"""Stories in which some watch what others do, and some notice that.

A family declares its deeds, what they make true, and its questions. The first engine is product updates; the
second takes the perspective of one person after another. A sentence says whether somebody notices something,
as the last link of a chain: up to a depth below the length of that chain, the stories with it and without it
are bisimilar.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import accumulate, combinations, pairwise
from operator import eq
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from kripke_werewolf.base.errors import FormatError, ModelError
from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.base.randomness import Draws
from kripke_werewolf.logic.models.model import KripkeModel
from kripke_werewolf.research.forge import family
from kripke_werewolf.research.forge.heard import formula_of
from kripke_werewolf.research.stories import occurrences
from kripke_werewolf.research.stories.occurrences import Log, Occurrence, believed, is_in, left_open
from kripke_werewolf.research.stories.scenes import Deed, Notices, Realises, Remarks, Setting, Watches

Chain: TypeAlias = tuple[str, ...]
_SMALL = 24  # worlds up to which contracting costs more than it saves


@lru_cache(maxsize=1 << 12)
def _after_log(agents: Chain, places: Chain, log: Log, thing: str, depth: int) -> KripkeModel:
    """Return the model after a log, at the start of which the thing is nowhere, as all know.

    Only formulas up to a modal depth are preserved; conditions of events have none.
    """
    if not log:
        true = {is_in(thing, place): list[int]() for place in places}
        return KripkeModel.from_partitions([0], {agent: [[0]] for agent in agents}, true, 0)
    after = _after_log(agents, places, log[:-1], thing, depth).update(action(log[-1], agents, places))
    return after.contract(depth=depth) if len(after) > _SMALL else after


action = lru_cache(maxsize=1 << 13)(occurrences.Occurrence.action)


def by_updates(log: Log, thing: str, chain: Sequence[str], setting: Setting) -> str | None:
    """Return the only place where a chain of agents think that the thing is, by the models of the library."""
    places = setting.places_of(thing)
    after = _after_log(setting.agents, places, log, thing, len(chain))
    found = [place for place in places if after.holds(formula_of(thinks_in(chain, thing, place)))]
    return found[0] if len(found) == 1 else None


def thinks_in(chain: Sequence[str], thing: str, place: str | None) -> str:
    """Return the formula that a chain of agents think that a thing is in a place."""
    return "".join(f"B_{agent} " for agent in chain) + is_in(thing, str(place))


class NoticedStory(NamedTuple):
    """A story: the deeds, the numbers of their wordings, and the settings before, between and after them."""

    deeds: tuple[Deed, ...]
    wordings: tuple[int, ...]
    settings: tuple[Setting, ...]

    @property
    def start(self) -> Setting:
        """The setting before the first deed."""
        return self.settings[0]

    def then(self, deeds: Sequence[Deed]) -> NoticedStory:
        """Return the story with further deeds; raise `ModelError` if one of them cannot be done."""
        after = accumulate(deeds, lambda now, deed: deed.after(now), initial=self.settings[-1])
        return NoticedStory((*self.deeds, *deeds), self.wordings, (*self.settings[:-1], *after))

    def put(self, number: int, deed: Deed) -> NoticedStory:
        """Return the story with another deed at a place."""
        before = self._replace(deeds=self.deeds[:number], settings=self.settings[: number + 1])
        return before.then([deed, *self.deeds[number + 1 :]])

    def noticed(self, thing: str) -> tuple[_Noticed, ...]:
        """Return all that has happened to a thing, with who noticed it."""
        found = [_Noticed(what, None) for what in self.start.happened]
        for place, (deed, now) in enumerate(zip(self.deeds, self.settings[1:], strict=True)):
            found += [_Noticed(what) for what in now.happened[len(found) :]]
            if isinstance(deed, Watches):
                for own in range(len(found) - now.watchable, len(found)):
                    found[own] = found[own].by(place, deed)
        return tuple([own for own in found if own.what.thing == thing])


class _Noticed(NamedTuple):
    """What has happened, and the deeds of those who notice it, by their places; none before the story."""

    what: Occurrence
    links: Mapping[int, Watches] | None = MappingProxyType({})

    def by(self, place: int, deed: Watches) -> _Noticed:
        """Return the same with another such deed at a place."""
        links = {**(self.links or {}), place: deed}
        noticers = tuple([own.agent for own in links.values() if not own.denied])
        return _Noticed(self.what._replace(noticers=noticers), links)


def log_of(told: Sequence[_Noticed], counts: Callable[[Sequence[Watches]], bool] | None = None) -> Log:
    """Return the log of what has happened; `counts`: only what was noticed so."""
    own = [one for one in told if not counts or one.links is None or counts([*one.links.values()])]
    return tuple([one.what for one in own])


def links_of(agents: Sequence[str], present: Sequence[str], chain: Chain, draws: Draws) -> list[str]:
    """Return the links of those who notice something: often those of a chain, or as many."""
    outside, chance = [agent for agent in agents if agent not in present], draws.random()
    if not outside or not present:
        return []
    if chance < _LIKE_CHAIN:
        wanted = list(chain[::-1])
        if chance < _OTHER_LINK and chain[1:]:
            wanted[draws.below(len(chain) - 1)] = draws.choice(agents)
        return wanted
    seen, links = [draws.choice(outside)], 1 + draws.below(len(chain) + 1)
    while len(seen) < links:
        seen.append(draws.choice([agent for agent in (*present, seen[0]) if agent != seen[-1]]))
    return seen


_LIKE_CHAIN, _OTHER_LINK = 0.9, 0.4
"""How likely the links are those of the chain asked about, and that one of them is another."""


def noticing(links: Sequence[str], draws: Draws) -> Iterator[Watches]:
    """Yield the deeds of those who notice something; it may be that the last does not."""
    denied = draws.random() < 0.5
    for number, agent in enumerate(links):
        no = denied and number == len(links) - 1
        if number:
            yield (Notices if number == 1 else Realises)(agent, links[number - 1], denied=no)
        else:
            yield Watches(agent, denied=no)


_Reader: TypeAlias = Callable[[str, Sequence[Watches]], bool]


def _notices(first: str, links: Sequence[Watches]) -> bool:
    return any(link.agent == first and not link.denied for link in links)


_READERS: Mapping[str, _Reader] = {
    "notices unless denied": lambda first, links: not (links and links[-1].denied),
    "notices as the last": lambda first, links: _notices(first, links[-1:]),
    "notices at all": _notices,
    "notices, or nobody does": lambda first, links: not links or _notices(first, links),
}
"""What readers count who nest nothing, from the first agent asked about and those who notice something."""


@dataclass(frozen=True)
class NoticedFamily(family.Family):
    """A family of stories in which deeds are noticed: what it declares.

    `read` reads a story in English, which `begins` with a sentence. `ask` writes a question about where a
    chain of agents think that a thing is; `asked` reads it. `lines`: those of a story file. `draw`: a random
    story about what a chain of agents notice.
    """

    read: Callable[[str], NoticedStory]
    begins: Callable[[Setting], str]
    ask: Callable[[Chain, str, Draws], str]
    asked: Callable[[str, Setting], tuple[Chain, str]]
    lines: Callable[[NoticedStory], tuple[str, ...]]
    draw: Callable[[Any, Draws, Sequence[str], Chain], NoticedStory]

    def derive(self, story: str, question: str) -> family.Certificate:
        """Read a story and a question, and derive everything from them by both engines."""
        scene = self.read(story)
        chain, thing = self.asked(question, scene.start)
        told = scene.noticed(thing)
        log = log_of(told)
        answer = _answer(log, chain)
        if answer is None:
            raise FormatError("somebody learns what they did not expect; what they think of others is open")
        unwatched = tuple([what and what._replace(noticers=()) for what in log])
        readers = _READERS.items() if chain[1:] else ()  # with one agent, they need to nest nothing
        return family.Certificate(
            answers={"perspectives": answer, "updates": by_updates(log, thing, chain, scene.start)},
            order=len(chain),
            order_needed=family.least_order(chain, partial(believed, log)),
            formula=thinks_in(chain, thing, answer),
            scene=self.lines(scene),
            shortcuts={
                **family.shorter(chain, partial(believed, log)),
                "ignore who notices": believed(unwatched, chain),
                "before the events": believed(log_of([own for own in told if own.links is None]), ()),
                **{name: _read_by(reader, told, chain[0]) for name, reader in readers},
            },
        )

    def alike(self, story: str, other: str, question: str, depth: int) -> bool:
        """Return whether two stories are alike to a depth, as far as they are about what is asked."""
        one, two = self.read(story), self.read(other)
        _, thing = self.asked(question, one.start)
        told = one.noticed(thing), two.noticed(thing)
        return one.start == two.start and _alike(told, one.start.agents, depth)

    def tried(self, knobs: family.Knobs, order: int, draws: Draws, seed: str) -> Iterator[family.Group]:
        """Yield a group about one random story, if it has any."""
        agents = draws.sample(family.NAMES.split(), knobs.agents)
        chain = family.random_chain(agents, order, draws)
        scene = self.draw(knobs, draws, agents, chain)
        scene = scene._replace(wordings=tuple([draws.below(len(deed.said)) for deed in scene.deeds]))
        for changes, thing in _changes(scene, chain, draws, 1 + knobs.quadruples):
            question, places = self.ask(chain, thing, draws), scene.start.places_of(thing)
            if self.asked(question, scene.start) != (chain, thing):
                raise family.Disagreement(f"{question} Meant were {chain} and {thing}")
            with suppress(ModelError):  # somebody might tell something else
                told = family.corners(scene, changes, NoticedStory.put)
                own = [place for place, _ in changes]
                versions = [self._version(story, corner, own, question) for corner, story in told.items()]
                yield self.told(versions, question, seed, tuple(draws.sample(places, len(places))))
                return

    def _version(
        self, scene: NoticedStory, corner: family.Corner, places: Sequence[int], question: str
    ) -> family.Version:
        """Return one story of a group; raise `Disagreement` unless it is read back as it was meant."""
        start, numbered = scene.start, zip(scene.deeds, scene.wordings, strict=True)
        said = [deed.sentence(number) for deed, number in numbered]
        text = " ".join([self.begins(start), *said])
        if self.lines(self.read(text)) != self.lines(scene):
            raise family.Disagreement(f"{text} Meant was {scene.deeds}")
        deeds = [(type(d).__name__, d.names, d.said[0]) for d in scene.deeds if not isinstance(d, Remarks)]
        names = {*start.agents, *start.rooms, *start.things, *start.named()["place"]}
        shape = repr((self.asked(question, start), deeds, start.things, start.inside, start.open))
        words = [word for word in dict.fromkeys(re.findall(r"\w+", shape)) if word in names]
        shape = re.sub(r"\w+", lambda word: str(words.index(word[0])) if word[0] in names else word[0], shape)
        return family.Version(corner, tuple([said[place] for place in places]), shape, text)


_Told: TypeAlias = tuple[_Noticed, ...]
_Changed: TypeAlias = tuple[Sequence[tuple[int, tuple[Watches, Watches]]], str]
"""The places of sentences with what may stand there, and the thing that is asked about."""


def _changes(scene: NoticedStory, chain: Chain, draws: Draws, sides: int) -> Iterator[_Changed]:
    """Yield one or two changes: sentences about the last to notice something, which change independently.

    Such a sentence is denied or not, or about somebody else. All stories are alike to a depth below the
    order of the question, and of four no reader who nests nothing is right about more than two.
    """
    agents, changed = scene.start.agents, list[tuple[int, tuple[Watches, Watches]]]()
    for number, (deed, after) in enumerate(pairwise((*scene.deeds, None))):
        if isinstance(deed, Watches) and not isinstance(after, Watches):
            others = [replace(deed, agent=agent) for agent in agents if agent not in deed.names.values()]
            for other in (replace(deed, denied=not deed.denied), *others):
                with suppress(ModelError):
                    other.happen(scene.settings[number])
                    changed.append((number, (deed, other)))
    for thing in draws.sample([*scene.start.things], len(scene.start.things)):
        told, tries = scene.noticed(thing), draws.sample(changed, len(changed))
        turned = grouped((_answer(log_of(_put(told, n, pair[1])), chain), (n, pair)) for n, pair in tries)
        turned.pop(_answer(log_of(told), chain), None)
        for some in (some for own in turned.values() for some in combinations(own, sides)):
            stories = family.corners(told, some, _put)
            fair = len({place for place, _ in some}) == sides and _fair(stories, chain)
            if fair and _alike([*stories.values()], agents, len(chain) - 1):
                yield some, thing


def _put(told: _Told, place: int, deed: Watches) -> _Told:
    """Return the log of what has happened if a deed at a place is another."""
    return tuple([own.by(place, deed) if own.links and place in own.links else own for own in told])


def _answer(log: Log, chain: Chain) -> str | None:
    """Return the answer to a question, if what has happened gives one."""
    return None if left_open(log, chain) else believed(log, chain)


def _fair(told: Mapping[family.Corner, _Told], chain: Chain) -> bool:
    """Return whether each change turns the answer, and those who nest nothing see no more."""
    own = [_answer(log_of(story), chain) for story in told.values()]
    if None in own or len({(answer, sum(corner) % 2) for corner, answer in zip(told, own, strict=True)}) > 2:
        return False
    readers = _READERS.values() if chain[1:] and len(told) > 2 else ()
    read = [[_read_by(reader, story, chain[0]) for story in told.values()] for reader in readers]
    return all(sum(map(eq, guessed, own)) <= 2 for guessed in read)


def _read_by(reader: _Reader, told: _Told, first: str) -> str | None:
    return believed(log_of(told, partial(reader, first)), ())


def _alike(told: Sequence[_Told], agents: Sequence[str], depth: int) -> bool:
    first, *others = map(log_of, told)
    return all(occurrences.alike_to_depth(first, other, agents, depth) for other in others)
