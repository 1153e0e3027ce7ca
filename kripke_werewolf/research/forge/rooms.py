"""The family of rooms: things are moved or swapped while some are away, watch unseen, and notice that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from kripke_werewolf.base.errors import GameError, ModelError
from kripke_werewolf.base.randomness import Draws
from kripke_werewolf.base.settings import Natural, Positive
from kripke_werewolf.research.forge import family, noticed
from kripke_werewolf.research.forge.noticed import Chain, NoticedFamily, NoticedStory
from kripke_werewolf.research.stories import scenes
from kripke_werewolf.research.stories.occurrences import Occurrence, believed, is_in, left_open
from kripke_werewolf.research.stories.scenes import Deed, Setting

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

    events: Positive = 8
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


def by_updates(log: Sequence[Occurrence | None], chain: Sequence[str], setting: Setting) -> str | None:
    """Return the only place where a chain of agents think that the thing is, by the models of the library."""
    happened = [what for what in log if what]
    said = [place for what in happened for place in (what.place, what.other) if place]
    thing = happened[0].thing
    places = tuple(dict.fromkeys([*said, *setting.places_of(thing)]))
    nowhere = tuple([(is_in(thing, place), False) for place in places])
    after = noticed.after_log(setting.agents, places, tuple(log), nowhere, len(chain))
    return noticed.only_true(after, {place: thinks_in(chain, thing, place) for place in places})


def thinks_in(chain: Sequence[str], thing: str, place: str | None) -> str:
    """Return the formula that a chain of agents think that a thing is in a place."""
    return "".join(f"B_{agent} " for agent in chain) + is_in(thing, str(place))


@lru_cache(maxsize=64)
def _read(story: str) -> NoticedStory:
    start, deeds = scenes.read_scene(story)
    return NoticedStory((), (), (start.begun(),)).then(deeds)


def _draw(knobs: _RoomKnobs, draws: Draws, agents: Sequence[str], chain: Chain) -> NoticedStory:
    """Return a random story in which a chain of agents often notice something."""
    rooms = draws.sample(ROOMS.split(), knobs.rooms)
    places = draws.sample(PLACES.split(), knobs.rooms * knobs.places)
    things = {thing: draws.choice(places) for thing in draws.sample(THINGS.split(), knobs.things)}
    inside = {agent: rooms[n * len(rooms) // len(agents)] for n, agent in enumerate(agents)}
    split = {room: tuple(places[n :: len(rooms)]) for n, room in enumerate(rooms)}
    start = Setting(tuple(agents), split, things, inside, open=knobs.open)
    # who watches first is away, and somebody else, if there is still somebody
    others = [agent for agent in agents if agent not in (chain[0], chain[-1])] or chain[-1:]
    away = [*dict.fromkeys([chain[-1], draws.choice(others)])][: len(agents) - 1]
    scene = NoticedStory((), (), (start.begun(),))
    scene, left = scene.then([scenes.Leaves(agent, inside[agent]) for agent in away]), knobs.events
    while left:
        with suppress(ModelError):  # what is drawn may be impossible
            scene = scene.then([*_drawn(scene.settings[-1], draws, chain)])
            left -= 1
        if draws.random() * knobs.events * 2 < knobs.distractors:
            scene = scene.then([scenes.Remarks(draws.choice(agents), draws.choice(places))])
    return scene


def _drawn(now: Setting, draws: Draws, chain: Chain) -> Iterator[Deed]:
    """Yield a random deed, which may be impossible, and who notices it."""
    agent, other = draws.sample(now.agents, 2)
    thing, chance = draws.choice([*now.things]), draws.random()
    room, places = now.room_of(thing), draws.sample(now.places_of(thing), 2)
    if chance < _LEAVING:
        yield scenes.Leaves(agent, now.inside.get(agent, room))
    elif chance < _ENTERING:
        yield scenes.Enters(agent, draws.choice([*now.rooms]))
    elif chance < _TELLING and now.inside.get(other) != room:
        yield scenes.Tells(agent, other, thing, str(believed(now.log(thing), (agent,))))
    elif chance < _LOOKING:
        yield scenes.Looks(agent, thing)
    else:
        yield scenes.Moves(agent, thing, places[0]) if chance < _MOVING else scenes.Swaps(agent, *places)
        present = [own for own in now.agents if own in now.present(room)]
        yield from noticed.noticing(noticed.links_of(now.agents, present, chain, draws), draws)


_LEAVING, _ENTERING, _TELLING, _LOOKING, _MOVING = 0.06, 0.12, 0.14, 0.16, 0.26
"""How likely it is that somebody leaves, enters, tells, looks, or moves something, cumulatively."""

FAMILY = NoticedFamily(
    "rooms",
    _RoomKnobs,
    read=_read,
    begins=Setting.english,
    ask=lambda chain, thing, start, draws: scenes.question(chain, thing, draws.below(2)),
    asked=scenes.asked_about,
    subjects=lambda start: [*start.things],
    choices=lambda thing, start: start.places_of(thing),
    facts=lambda log: believed(log, ()),
    said=lambda place, thing: place,
    open=left_open,
    updates=lambda start, log, chain, thing: by_updates(log, chain, start),
    formula=thinks_in,
    lines=lambda scene: (*scene.start.lines(), *filter(None, [deed.line() for deed in scene.deeds])),
    draw=_draw,
)
