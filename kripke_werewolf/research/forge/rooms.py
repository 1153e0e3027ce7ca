"""The family of rooms: things are moved or swapped while some are away, watch unseen, and notice that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from kripke_werewolf.base.errors import ModelError
from kripke_werewolf.base.randomness import Draws
from kripke_werewolf.base.settings import Natural, Positive
from kripke_werewolf.research.forge import family, noticed
from kripke_werewolf.research.forge.noticed import Chain, NoticedFamily, NoticedStory
from kripke_werewolf.research.stories import scenes
from kripke_werewolf.research.stories.occurrences import believed
from kripke_werewolf.research.stories.scenes import Deed, Setting

THINGS = "apple ball book candle coin crown diary egg flute glove key lemon letter mug orange pen ring scarf"
PLACES = (
    "bag barrel basket bottle bucket cabinet chest crate cupboard drawer jar locker pot safe suitcase tub"
)
ROOM_NAMES = "attic cellar garage hall kitchen library office parlour studio study"


@dataclass(frozen=True, kw_only=True)
class _RoomKnobs(family.Knobs):
    """What the stories should be like.

    `rooms`, `things`: how many there are; `places`: in each room. `open`: whether the places are.
    `distractors`: the average number of sentences without meaning.
    """

    possible = family.Knobs.possible | {"rooms": (1, 2), "things": range(1, 19), "places": range(2, 9)}
    events: Positive = 8
    rooms: Positive = 1
    things: Positive = 2
    places: Positive = 4
    open: bool = False
    distractors: Natural = 2


@lru_cache(maxsize=64)
def _read(story: str) -> NoticedStory:
    start, deeds = scenes.read_scene(story)
    return NoticedStory((), (), (start.begun(),)).then(deeds)


def _draw(knobs: _RoomKnobs, draws: Draws, agents: Sequence[str], chain: Chain) -> NoticedStory:
    """Return a random story in which a chain of agents often notice something."""
    rooms = draws.sample(ROOM_NAMES.split(), knobs.rooms)
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

ROOMS = NoticedFamily(
    "rooms",
    _RoomKnobs,
    read=_read,
    begins=Setting.english,
    ask=lambda chain, thing, draws: scenes.question(chain, thing, draws.below(2)),
    asked=scenes.asked_about,
    lines=lambda scene: (*scene.start.lines(), *filter(None, [deed.line() for deed in scene.deeds])),
    draw=_draw,
)
