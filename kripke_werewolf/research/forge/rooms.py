"""The family of rooms: things are moved while some are away, some watch unseen, and some notice that.

An item of order k in a pair comes from a story in which somebody does not notice something, as the k-th link
of a chain; in its twin they do. Up to depth k - 1 the two are bisimilar.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from kripke_werewolf.base.errors import FormatError, GameError, ModelError
from kripke_werewolf.base.randomness import Draws
from kripke_werewolf.base.settings import Natural, Positive
from kripke_werewolf.logic.formulas.operators import Atom, Knows
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.models.model import KripkeModel
from kripke_werewolf.logic.semantics.unbuilt import Unfolding
from kripke_werewolf.research.forge import family
from kripke_werewolf.research.stories import scenes
from kripke_werewolf.research.stories.occurrences import (
    Log,
    Occurrence,
    alike_to_depth,
    believed,
    is_in,
    left_open,
    perspective,
    place_in,
    without_watchers,
)
from kripke_werewolf.research.stories.scenes import Deed, Setting, question

THINGS = "apple ball book candle coin crown diary egg flute glove key lemon letter mug orange pen ring scarf"
PLACES = (
    "bag barrel basket bottle bucket cabinet chest crate cupboard drawer jar locker pot safe suitcase tub"
)
ROOMS = "attic cellar garage hall kitchen library office parlour studio study"


@dataclass(frozen=True, kw_only=True)
class _RoomKnobs(family.Knobs):
    """What the stories should be like.

    `rooms`, `things`: how many there are; `places`: in each room. `open`: whether the places are.
    `distractors`: the average number of sentences without meaning.
    """

    rooms: Positive = 1
    things: Positive = 2
    places: Positive = 4
    open: bool = False
    distractors: Natural = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        words = {"rooms": ROOMS, "things": THINGS, "places": PLACES}
        for name, text in words.items():
            most = len(text.split()) // (self.rooms if name == "places" else 1)
            least, given = 1 + (name == "places"), getattr(self, name)
            if not least <= given <= most:
                raise GameError(f"{name}={given} is not possible (at least {least}; there are {most} names)")


# --- the first engine: product updates ------------------------------------------------------------


def by_updates(log: Sequence[Occurrence], chain: Sequence[str], setting: Setting) -> str | None:
    """Return the only place where a chain of agents think that the thing is, by the models of the library."""
    thing, said = log[0].thing, [what.place for what in log if what.place]
    places = tuple(dict.fromkeys([*said, *setting.places_of(thing)]))
    nowhere = tuple([(is_in(thing, place), False) for place in places])
    after = unfolded(setting.agents, places, tuple(log), nowhere)
    found = [place for place in places if after.holds(_thought(tuple(chain), is_in(thing, place)))]
    return found[0] if len(found) == 1 else None


@lru_cache(maxsize=1 << 12)
def unfolded(
    agents: tuple[str, ...], places: tuple[str, ...], log: Log, atoms: tuple[tuple[str, bool], ...]
) -> Unfolding:
    """Return the world after a log, which begins with these values of atoms as common knowledge."""
    if not log:
        true = {atom: [0] * value for atom, value in atoms}
        model = KripkeModel.from_partitions([0], {agent: [[0]] for agent in agents}, true, 0)
        return Unfolding.at(model.space, 0)
    return unfolded(agents, places, log[:-1], atoms).then(action(log[-1], agents, places))


action = lru_cache(maxsize=1 << 13)(Occurrence.action)


@lru_cache(maxsize=1 << 16)
def _thought(agents: tuple[str, ...], atom: str) -> Formula:
    return Knows(agents[0], _thought(agents[1:], atom)) if agents else Atom(atom)


# --- certificates ----------------------------------------------------------------------------------


def _mentioned(log: Log) -> list[str]:
    return [what.place for what in log if what and what.place]


_SHORTCUTS: Mapping[str, Callable[[Log, tuple[str, ...]], str | None]] = {
    "reality": lambda log, chain: place_in(log),
    "first place": lambda log, chain: _mentioned(log)[0],
    "last place": lambda log, chain: _mentioned(log)[-1],
    "most frequent place": lambda log, chain: Counter(_mentioned(log)).most_common(1)[0][0],
    "drop the first agent": lambda log, chain: believed(log, chain[1:]),
    "drop the last agent": lambda log, chain: believed(log, chain[:-1]),
    "ignore who notices": lambda log, chain: believed(without_watchers(log), chain),
}
"""What simple readers answer, from what has happened to a thing and the agents asked about."""


class _Told(NamedTuple):
    """A story: the deeds, the numbers of their wordings, and the settings before, between and after them."""

    deeds: tuple[Deed, ...]
    wordings: tuple[int, ...]
    settings: tuple[Setting, ...]

    @property
    def start(self) -> Setting:
        """The setting before the first deed."""
        return self.settings[0]

    @property
    def sentences(self) -> list[str]:
        """The sentences of the deeds."""
        return [deed.sentence(number) for deed, number in zip(self.deeds, self.wordings, strict=True)]

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of a story file."""
        return (*self.start.lines(), *filter(None, [deed.line() for deed in self.deeds]))

    def log(self, thing: str) -> tuple[Occurrence, ...]:
        """Return all that has happened to a thing at the end."""
        return self.settings[-1].log(thing)

    def trace(self, thing: str) -> dict[str, list[str | None]]:
        """Return where each agent thinks that a thing is after each deed of a story file."""
        after = zip(self.deeds, self.settings[1:], strict=True)
        steps = [len(now.log(thing)) for deed, now in after if deed.told]
        found = {}
        for agent in self.start.agents:
            taken = perspective(self.log(thing), agent)
            places = [place_in(taken[:step]) for step in range(len(taken) + 1)]
            found[agent] = [places[step] for step in steps]
        return found

    def shape(self, chain: tuple[str, ...], thing: str) -> object:
        """Return the story with a question, without names and wordings."""
        numbers: dict[str, int] = {}
        deeds = [deed for deed in self.deeds if not isinstance(deed, scenes.Remarks)]
        named = [(*chain, thing), *(tuple(deed.names.values()) for deed in deeds)]
        shape: list[object] = [[numbers.setdefault(name, len(numbers)) for name in names] for names in named]
        shape += [deed.said[0] for deed in deeds]
        start = self.start
        for pairs in (start.inside.items(), start.things.items(), start.rooms.values()):
            shape.append(sorted([numbers.get(name, -1) for name in pair] for pair in pairs))
        return shape, start.open


def _after(start: Setting, deeds: Sequence[Deed], known: Sequence[Setting] = ()) -> tuple[Setting, ...]:
    """Return the settings before, between and after deeds, the first of which may be known."""
    settings = [*(known or [start.begun()])]
    for deed in deeds[len(settings) - 1 :]:
        settings.append(deed.after(settings[-1]))
    return tuple(settings)


def thinks_in(chain: Sequence[str], thing: str, place: str | None) -> str:
    """Return the formula that a chain of agents think that a thing is in a place."""
    return "".join(f"B_{agent} " for agent in chain) + is_in(thing, str(place))


@lru_cache(maxsize=64)
def _read(story: str) -> _Told:
    start, deeds = scenes.read_scene(story)
    return _Told(tuple(deeds), (), _after(start, deeds))


def derive(story: str, asked: str) -> family.Certificate:
    """Read a story and a question, and derive everything from them by both engines."""
    told = _read(story)
    return _certificate(told, *scenes.asked_about(asked, told.start))


def _alike(story: str, other: str, asked: str, depth: int) -> bool:
    """Return whether two stories are alike to a depth, as far as they are about the thing asked about."""
    one, two = _read(story), _read(other)
    _, thing = scenes.asked_about(asked, one.start)
    same = one.start == two.start
    return same and alike_to_depth(one.log(thing), two.log(thing), one.start.agents, depth)


def _certificate(told: _Told, chain: tuple[str, ...], thing: str) -> family.Certificate:
    log = told.log(thing)
    if left_open(log, chain):
        raise FormatError(family.OPEN_THOUGHTS)
    answer = believed(log, chain)
    return family.Certificate(
        answers={"perspectives": answer, "updates": by_updates(log, chain, told.start)},
        order=len(chain),
        order_needed=family.least_order(chain, lambda part: believed(log, part)),
        formula=thinks_in(chain, thing, answer),
        scene=told.lines,
        trace=told.trace(thing),
        shortcuts={name: guess(log, chain) for name, guess in _SHORTCUTS.items()},
    )


# --- generation ------------------------------------------------------------------------------------


def _items(knobs: _RoomKnobs, draws: Draws, seed: str) -> Iterator[family.Group]:
    """Yield the items of one batch: as many groups as it has stories, with the orders taking turns."""

    def found(order: int) -> Iterator[family.Group]:
        told = _story(knobs, draws, order)
        group = _pair(told, order, draws, seed) if knobs.pairs else _single(told, order, draws, seed)
        if group:
            yield group

    return family.in_turn(knobs, draws, found, lambda group, _: [group])


def _single(told: _Told, order: int, draws: Draws, seed: str) -> family.Group:
    """Return an item about a random thing and random agents."""
    chain: list[str] = []
    while len(chain) < order:  # nobody stands next to themselves
        chain.append(draws.choice([agent for agent in told.start.agents if agent not in chain[-1:]]))
    thing = draws.choice([*told.start.things])
    return () if left_open(told.log(thing), chain) else _asked([told], tuple(chain), thing, draws, seed)


def _pair(told: _Told, order: int, draws: Draws, seed: str) -> family.Group:
    """Return an item and its twin, in either order; nothing if the story allows none."""
    changes = [change for change in _changes(told, draws) if len(change[2]) == order]
    for number, deed, chain, thing in draws.sample(changes, len(changes)):
        deeds = family.with_item(told.deeds, number, deed)
        with suppress(ModelError):  # such as for something told that the teller now does not think
            twin = told._replace(deeds=deeds, settings=_after(told.start, deeds, told.settings[: number + 1]))
            one, other = told.log(thing), twin.log(thing)
            same = alike_to_depth(one, other, told.start.agents, order - 1)
            clear = not left_open(one, chain) and not left_open(other, chain)
            if same and clear and believed(one, chain) != believed(other, chain):
                stories = draws.sample([told, twin], 2)
                said = [story.sentences[number] for story in stories]
                return _asked(stories, chain, thing, draws, seed, said)
    return ()


def _changes(told: _Told, draws: Draws) -> Iterator[tuple[int, Deed, tuple[str, ...], str]]:
    """Yield the places where a story may have a twin, with the other deed, and whom and what it is about."""
    for number, deed in enumerate(told.deeds):
        if isinstance(deed, scenes.Moves):
            free = [place for place in told.start.places_of(deed.thing) if place != deed.place]
            yield number, replace(deed, place=draws.choice(free)), (), deed.thing
        elif isinstance(deed, scenes.Watches) and deed.denied:
            what = told.settings[number].happened[-1]
            yield number, replace(deed, denied=False), (deed.agent, *what.noticers[::-1]), what.thing


def _asked(
    stories: Sequence[_Told],
    chain: tuple[str, ...],
    thing: str,
    draws: Draws,
    seed: str,
    said: Sequence[str] = (),
) -> family.Group:
    """Return the items of one question about stories, in the same words and with the same choices.

    The English read back must be what was meant.
    """
    asks, places = question(chain, thing, draws.below(2)), stories[0].start.places_of(thing)
    told = []
    for story in stories:
        text = " ".join([story.start.english(), *story.sentences])
        read, lines = _read(text), story.lines
        found, meant = (read.lines, scenes.asked_about(asks, read.start)), (lines, (chain, thing))
        if found != meant:
            raise family.Disagreement(f"{text} {asks} Meant was {meant}, but read was {found}")
        told.append((story.shape(chain, thing), text))
    choices = tuple(draws.sample(places, len(places)))
    return family.items_told(ROOMS_FAMILY, told, asks, choices=choices, seed=seed, said=said)


def _story(knobs: _RoomKnobs, draws: Draws, order: int) -> _Told:
    """Return a random story in which somebody does not notice something, often as the link wanted."""
    agents = tuple(draws.sample(family.NAMES.split(), knobs.agents))
    rooms = draws.sample(ROOMS.split(), knobs.rooms)
    places = draws.sample(PLACES.split(), knobs.rooms * knobs.places)
    things = {thing: draws.choice(places) for thing in draws.sample(THINGS.split(), knobs.things)}
    inside = {agent: rooms[n * len(rooms) // len(agents)] for n, agent in enumerate(agents)}
    split = {room: tuple(places[n :: len(rooms)]) for n, room in enumerate(rooms)}
    start = Setting(agents, split, things, inside, open=knobs.open)
    deeds: list[Deed] = []
    settings = [start.begun()]
    left = knobs.events
    while left:
        with suppress(ModelError):  # what is drawn may be impossible
            new = list(_drawn(settings[-1], draws, order))
            after = _after(start, new, settings[-1:])[1:]
            left -= 1
            deeds += new
            settings += after
        if draws.random() * knobs.events * 2 < knobs.distractors:
            deeds.append(scenes.Remarks(draws.choice(agents), draws.choice(places)))
            settings += _after(start, deeds[-1:], settings[-1:])[1:]
    wordings = tuple([draws.below(len(deed.said)) for deed in deeds])
    return _Told(tuple(deeds), wordings, tuple(settings))


def _drawn(now: Setting, draws: Draws, order: int) -> Iterator[Deed]:
    """Yield a random deed, which may be impossible, and who notices it."""
    agent, other = draws.sample(now.agents, 2)
    thing, chance = draws.choice([*now.things]), draws.random()
    room = now.room_of(thing)
    if chance < _LEAVING:
        yield scenes.Leaves(agent, now.inside.get(agent, room))
    elif chance < _ENTERING:
        yield scenes.Enters(agent, draws.choice([*now.rooms]))
    elif chance < _TELLING and now.inside.get(other) != room:
        yield scenes.Tells(agent, other, thing, str(believed(now.log(thing), (agent,))))
    elif chance < _LOOKING:
        yield scenes.Looks(agent, thing)
    else:
        yield scenes.Moves(agent, thing, draws.choice(now.places_of(thing)))
        yield from _noticing(now.agents, now.present(room), draws, order)


_LEAVING, _ENTERING, _TELLING, _LOOKING = 0.3, 0.5, 0.57, 0.63
"""How likely the kinds of deeds are, cumulatively; otherwise something is moved."""


def _noticing(agents: Sequence[str], present: frozenset[str], draws: Draws, order: int) -> Iterator[Deed]:
    """Yield the agents who notice a move, and each other's noticing, up to one who does not."""
    outside = [agent for agent in agents if agent not in present]
    if outside and present:
        last = draws.choice(outside)
        there = [agent for agent in agents if agent in present or agent == last]
        links = order if order and draws.random() < _FITTING else 1 + draws.below(order + 1)
        yield scenes.Watches(last, denied=links == 1)
        for link in range(2, links + 1):
            agent = draws.choice([agent for agent in there if agent != last])
            yield (scenes.Notices if link == 2 else scenes.Realises)(agent, last, denied=link == links)
            last = agent


_FITTING = 0.6  # the share of moves with as many links as the question has agents


ROOMS_FAMILY = family.Family("rooms", _RoomKnobs, _items, derive, _alike)
