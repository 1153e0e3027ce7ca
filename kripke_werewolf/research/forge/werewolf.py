"""The family of werewolf: what players know in a game of Quantum Werewolf, on the day after a night.

Everybody sees who does what, and only those who look see the result. The first engine is the model of the
game; the second filters the ways to deal the cards, with what each look could have shown. What players can
conclude from who may act, and from whether the game goes on, must follow from the rest of the story.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations, product
from typing import Any, NamedTuple

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.base.randomness import Draws
from kripke_werewolf.base.settings import Natural
from kripke_werewolf.games.werewolf.game import QuantumWerewolf
from kripke_werewolf.games.werewolf.rules import preset
from kripke_werewolf.logic.models.model import KripkeModel
from kripke_werewolf.logic.semantics.bits import gathered
from kripke_werewolf.research.forge import knowing
from kripke_werewolf.research.forge.family import Knobs
from kripke_werewolf.research.forge.heard import Change, HeardFamily, HeardStory, Start
from kripke_werewolf.research.forge.knowing import Known, StoryEvent, StoryFact, StoryWorlds
from kripke_werewolf.research.stories.scenes import Wordings, listed, read_list, sentences

_RULES = (
    "{A} play Quantum Werewolf: one of them is the seer, the number of wolves is {n}, and all others are "
    "villagers; nobody has a card yet, and every way to deal the cards is possible until it is ruled out; "
    "a player who looks at another is told good or evil, which is true if they are the seer and may be "
    "either if they are not; seers and villagers are good and wolves are evil; the first wolf is called "
    "alpha and the second beta; the card of a player who is hanged is shown to all, and the player was alive "
    "until then; alpha kills the player whom they attack at night, and never attacks a wolf, and the attacks "
    "of all others do nothing; what players say about their own knowledge is true; everybody sees who looks "
    "at whom, who attacks whom and who speaks, but not what others are told; all of them know these rules, "
    "and know this of each other."
)
_BEGINS = Wordings({"": (_RULES,)})
_SIDES, _WOLVES = ("good", "evil"), ("alpha", "beta")
_CARDS = ("villager", "seer", *_WOLVES)


class QuantumWorld(NamedTuple):
    """A way to deal the cards, what each look has shown, and whom alpha has killed."""

    deal: tuple[str, ...]
    told: tuple[str, ...]
    killed: int


def _has(*cards: str) -> Any:
    return lambda world, fact: world.deal[fact.who[0]] in cards


def _hanged(world: QuantumWorld, fact: StoryFact) -> bool:
    return world.deal[fact.who[0]] == _CARDS[fact.n] and world.killed != fact.who[0]


_LANGUAGE = knowing.Language(
    {
        "looks": ("{a} looked at {b} and was told {word}.", "{a}, looking at {b}, was told {word}."),
        "hanged": ("{a} was hanged, and the card was {word}.",),
        "attacks": ("{a} attacked {b} at night.", "At night {a} attacked {b}."),
        **knowing.SPOKEN,
        "unsure": ("{a} said: I do not know whether {fact}.", "I do not know whether {fact}, {a} said."),
    },
    {
        "wolf": knowing.FactKind("{a} is a wolf", "wolf_{a}", _has(*_WOLVES)),
        "good": knowing.FactKind("{a} is good", "good_{a}", _has("seer", "villager")),
        "seer": knowing.FactKind("{a} is the seer", "seer_{a}", _has("seer")),
        "dead": knowing.FactKind("{a} is dead", "dead_{a}", lambda world, fact: world.killed == fact.who[0]),
        "hanged": knowing.FactKind("", "", _hanged),
    },
)


@lru_cache(maxsize=1 << 8)
def _worlds(people: int, wolves: int, night: tuple[StoryEvent, ...]) -> StoryWorlds:
    """Return the ways to deal the cards, each with what everybody who looks may be told."""
    cards = ["seer", *_WOLVES[:wolves], *["villager"] * (people - wolves - 1)]
    looks = [event.group for event in night if event.kind == "looks"]
    target = {event.group[0]: event.group[1] for event in night if event.kind == "attacks"}
    worlds = [
        QuantumWorld(deal, told, target[deal.index("alpha")])
        for deal in sorted(set(permutations(cards)))
        for told in product(_SIDES, repeat=len(looks))
        if deal[target[deal.index("alpha")]] not in _WOLVES
        and all(
            deal[one] != "seer" or (side == "evil") == (deal[other] in _WOLVES)
            for (one, other), side in zip(looks, told, strict=True)
        )
    ]
    return StoryWorlds(_LANGUAGE, people, worlds, [("seer", "wolf"), ("seer", "good")])


@lru_cache(maxsize=1 << 8)
def _gathered(worlds: StoryWorlds, field: int) -> dict[object, int]:
    """Return the worlds, as bits, by the value of a field."""
    return gathered((world[field], 1 << i) for i, world in enumerate(worlds.values))


@dataclass(frozen=True)
class QuantumNight(Start):
    """A beginning: the number of players and of wolves, and who looks at whom, and attacks whom, at night."""

    least = 1
    fixed = ("hanged",)
    people: int
    wolves: int
    night: tuple[StoryEvent, ...]

    @property
    def looks(self) -> list[StoryEvent]:
        """The looks, with what was told."""
        return [event for event in self.night if event.kind == "looks"]

    @property
    def worlds(self) -> StoryWorlds:
        """The worlds of the game."""
        return _worlds(self.people, self.wolves, tuple([event._replace(word="") for event in self.night]))

    @property
    def actual(self) -> int:
        """The worlds with what has been told."""
        return _gathered(self.worlds, 1).get(tuple([look.word for look in self.looks]), 0)

    def view(self, agent: int) -> Sequence[object]:
        """Return the views of somebody, by world."""
        own = [number for number, look in enumerate(self.looks) if look.group[0] == agent]
        return [tuple(world.told[number] for number in own) for world in self.worlds.values]

    def where(self, fact: StoryFact, events: Sequence[StoryEvent]) -> int:
        """Return the worlds where a fact is true after some events: who was hanged is dead."""
        hanged = ("hanged", fact.who) in [event[:2] for event in events]
        return -1 if fact.kind == "dead" and hanged else self.worlds.where(fact)

    def check(self, known: Known, events: Sequence[StoryEvent]) -> None:
        """Raise `FormatError` unless, whatever was told, all could act and the game goes on."""
        gone = [event.group[0] for event in events if event.kind == "hanged"]
        acting = [event.group[0] for event in events[-1:] if event.kind != "hanged"]
        if len(gone) > 1 or {*gone} & {*acting}:
            raise FormatError("somebody acts after their death, or two players are hanged")
        living = [i for i in range(self.people) if i not in gone]
        classes = [same & known.worlds for same in _gathered(self.worlds, 1).values() if same & known.worlds]
        must = [~self.where(StoryFact("dead", (i,)), events) for i in living]
        if not events:
            must += [self.worlds.where(StoryFact("hanged", (i,), _CARDS.index("alpha"))) for i in living]
            must += [self.worlds.where(StoryFact("seer", look.group[:1])) for look in self.looks]
        wolf = [self.worlds.where(StoryFact("wolf", (i,))) for i in range(self.people)]
        open_ = all(same & true for same in classes for true in must)
        goes_on = all(sum(bool(same & own) for own in wolf) > self.wolves for same in classes)
        if not open_ or not goes_on or (not events and len(classes) < 2 ** len(self.looks)):
            raise FormatError("it is open who may act, or whether the game is over")

    def alike(self, one: HeardStory, two: HeardStory, depth: int) -> bool:
        """Return whether what is known after both is the same to a depth, as far as it is about cards."""
        found = []
        for told in (one, two):
            kinds = _kinds(told.states()[-1], _gathered(self.worlds, 0), depth)
            found.append({kind for kind, worlds in kinds.items() if worlds & told.actual})
        return found[0] == found[1]

    def twins(self, told: HeardStory, order: int, draws: Draws) -> Iterator[Change]:
        """Yield the game with something said and without it.

        For order 2 a player says again that they do not know whether they are the seer. Each then knows the
        same about the cards in both, but not about what that player knows. They say it before in both, so
        that the words alone, without what was known when they were said, give no answer.
        """
        if order == 1:
            yield from super().twins(told, order, draws)
            return
        for place in draws.sample(told.free, len(told.free)):
            for said in dict.fromkeys(event for event in told.events[:place] if event.kind == "unsure"):
                pair = said, self.silent(said)
                with suppress(FormatError):  # what is said may be false
                    one, two = (told.put(place, event) for event in pair)
                    news = one.states()[-1].worlds != two.states()[-1].worlds
                    if news and self.alike(one, two, 1) and not self.alike(one, two, 2):
                        yield (place,), (pair,)

    def drawn(self, order: int, draws: Draws) -> StoryEvent:
        """Return a statement or silence, or that somebody is hanged who was looked at."""
        agent = draws.below(self.people)
        if draws.random() < _HANGING and self.looks:
            cards = _CARDS[: 2 + self.wolves]
            return _shown(StoryEvent("hanged", draws.choice(self.looks).group[1:], None, draws.choice(cards)))
        if draws.random() < _SPEAKING:
            return draws.choice(_said_by(self.worlds, agent)[-1 if order > 1 else 0 :])
        return StoryEvent("idle", (agent,))

    def sayings(self, told: HeardStory) -> Sequence[StoryEvent]:
        """Return the statements of players about their knowledge."""
        return [said for i in range(self.people) for said in _said_by(self.worlds, i)]

    def head(self, agents: Sequence[str], draws: Draws) -> list[str]:
        """Return the rules, and what happened at night."""
        said = [_LANGUAGE.sentence(event, agents, draws) for event in self.night]
        return [_RULES.format(A=listed(agents), n=self.wolves), *said]

    def scene(self, events: tuple[StoryEvent, ...], agents: tuple[str, ...]) -> tuple[str, ...]:
        """Return the log of the game."""
        return _game(self, (*self.night, *events), agents).log

    def model(self, events: tuple[StoryEvent, ...], agents: tuple[str, ...]) -> KripkeModel:
        """Return the model of the game: the first engine."""
        game = _game(self, (*self.night, *events), agents)
        if game.verdict or len(game.alive) != self.people - sum(e.kind == "hanged" for e in events):
            raise FormatError("the game is over, or somebody is found dead, and the story does not say so")
        return game.model()


_LOOKING, _HANGING, _SPEAKING = 0.7, 0.2, 0.8  # how likely a look is, a hanging, and otherwise a statement


@lru_cache(maxsize=1 << 8)
def _said_by(worlds: StoryWorlds, speaker: int) -> list[StoryEvent]:
    says = [StoryEvent("says", (speaker,), fact) for fact in worlds.facts if fact.kind != "dead"]
    return [*says, StoryEvent("unsure", (speaker,), StoryFact("seer", (speaker,)))]


def _shown(event: StoryEvent) -> StoryEvent:
    """Return an event; of a hanging, with the fact what the card is, and that the player was alive."""
    if event.kind != "hanged":
        return event
    return event._replace(fact=StoryFact("hanged", event.group, _CARDS.index(event.word)))


def _kinds(known: Known, alike: Mapping[object, int], depth: int) -> dict[object, int]:
    """Return the sets of worlds that satisfy the same formulas up to a modal depth, by kind.

    `alike`: the sets of worlds with the same facts, by what they have in common.
    """
    found: dict[object, int] = {kind: own & known.worlds for kind, own in alike.items()}
    for _ in range(depth):
        kinds = found
        for cells in known.cells:
            near = [frozenset(kind for kind, own in kinds.items() if own & cell) for cell in cells]
            pairs = product(zip(near, cells, strict=True), found.items())
            finer = gathered(((kind, seen), own & cell) for (seen, cell), (kind, own) in pairs)
            found = {kind: own for kind, own in finer.items() if own}
    return found


@lru_cache(maxsize=1 << 8)
def _game(night: QuantumNight, events: tuple[StoryEvent, ...], names: tuple[str, ...]) -> QuantumWerewolf:
    """Return the game, without tables and without private notices."""
    if not events:
        quiet = replace(preset("cisra"), name="cisra, few words", told="nothing", table_at=())
        rules = replace(quiet, announce_vote="role", opening=("visions", "attacks"), burnings=3)
        return QuantumWerewolf(names, wolves=night.wolves, rules=rules, targets="public", rng=0)
    game, event = _game(night, events[:-1], names), events[-1]
    one, other = names[event.group[0]], names[event.group[-1]]
    if event.kind == "looks":
        return game.vision(one, other, result=event.word)
    if event.kind == "hanged":
        return game.vote_off(one, role=event.word)
    if event.fact:
        return game.claim(one, event.said(night.formula(event.fact, names), names))
    return game.attack(one, other) if event.kind == "attacks" else game


# --- reading, and the generator ------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _read(text: str) -> tuple[HeardStory, tuple[str, ...]]:
    """Return the game and the players of a story in English."""
    first, *rest = sentences(text)
    given = _BEGINS.read(first)[1]
    names = tuple(read_list(given["A"]))
    events = [_shown(_LANGUAGE.read(sentence, names)) for sentence in rest]
    if not 3 <= len(names) <= 6 or not 1 <= int(given["n"]) <= 2:
        raise FormatError("a story of Quantum Werewolf has 3 to 6 players and 1 or 2 wolves")
    night = [event for kind in ("looks", "attacks") for event in events if event.kind == kind]
    once = {(event.kind, event.group[0]) for event in night}
    act = sum(event.kind == "attacks" for event in night)
    if night != events[: len(once)] or act != len(names) or any(a == b for a, b in (e.group for e in night)):
        raise FormatError("first some players look at others, each once, and then each attacks another, once")
    start = QuantumNight(len(names), int(given["n"]), tuple(night))
    return HeardStory(start, tuple(events[len(night) :])), names


@dataclass(frozen=True, kw_only=True)
class _WerewolfKnobs(Knobs):
    """The kind of games of Quantum Werewolf to make; four or five players, and orders 1 and 2."""

    possible, in_fours = range(4, 6), ()  # in 1,200 games none was found
    limits = (
        (1, 2),
        "allowed: 1 and 2; games that agree on what each knows of the others' knowledge of cards agree on "
        "all, so no question needs a higher order",
    )
    orders: tuple[Natural, ...] = (1, 2)


def _draw(knobs: Knobs, order: int, draws: Draws) -> QuantumNight:
    """Return a random night."""
    people, wolves = range(knobs.agents), 1 if knobs.agents < 5 else 1 + draws.below(2)
    while True:
        acts = [("looks", i) for i in people if draws.random() < _LOOKING] + [("attacks", i) for i in people]
        pairs = [(kind, (i, draws.choice([j for j in people if j != i]))) for kind, i in acts]
        sides = {"looks": _SIDES, "attacks": ("",)}
        events = [StoryEvent(kind, pair, None, draws.choice(sides[kind])) for kind, pair in pairs]
        night = QuantumNight(knobs.agents, wolves, tuple(events))
        with suppress(FormatError):
            if HeardStory(night).actual:
                return night


FAMILY = HeardFamily("werewolf", _WerewolfKnobs, _read, _draw)
