"""The families of Avalon and Werewolf: what players know when some have acted, and others say what they know.

What they share: some of the cards are evil, and one of the others is special.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any, ClassVar

from kripke_werewolf.base.errors import FormatError, GameError
from kripke_werewolf.base.randomness import Draws
from kripke_werewolf.base.settings import Natural, Positive
from kripke_werewolf.games.avalon.rules import EVIL
from kripke_werewolf.research.forge import heard
from kripke_werewolf.research.forge.family import Knobs
from kripke_werewolf.research.forge.heard import FactKind, Opening, Start, StoryEvent, StoryFact, StoryWorlds

_AVALON = (
    "{A} play Avalon: the number of evil players is {n}, all others are good, and one of these is Merlin; "
    "evil players see who is evil but not who Merlin is, Merlin sees who is evil, and all others see only "
    "their own card; those who go on a quest play one card each, and only evil players may play a card that "
    "fails it; everybody sees who goes and how many cards fail, but not whose cards these are; when somebody "
    "is shown whether another player is evil, everybody sees that, but nobody else sees the answer; players "
    "who say that they know something do know it; all of them know these rules, and know this of each other."
)
_WEREWOLF = (
    "{A} play Werewolf: the number of wolves is {n}, one of the others is the seer, and all others are "
    "villagers; wolves see who is a wolf, and all others see only their own card; at night each of some "
    "players points at another, and a host nods to them if they are the seer and the other is a wolf; "
    "everybody sees who points at whom, but only who points sees whether the host nods; what players say "
    "about their own knowledge is true; all of them know these rules, and know this of each other."
)


def _language(
    said: Mapping[str, tuple[str, ...]], evil: str, good: str, special: str, **more: FactKind
) -> heard.Language:
    """Return the language of a game, with the words for its cards."""
    cards = {
        "evil": FactKind(f"{{a}} is {evil}", "evil_{a}", lambda deal, fact: fact.who[0] in deal[0]),
        "good": FactKind(f"{{a}} is {good}", "~evil_{a}", lambda deal, fact: fact.who[0] not in deal[0]),
        "special": FactKind(f"{{a}} is {special}", "special_{a}", lambda deal, fact: fact.who[0] == deal[1]),
    }
    return heard.Language({**said, **heard.SPOKEN}, cards | more)


def _failing(deal: Any, fact: StoryFact) -> bool:
    return len({*deal[0]} & {*fact.who}) >= int(fact.n)


def _alike(deal: Any, fact: StoryFact) -> bool:
    return len({i in deal[0] for i in fact.who}) == 1


def _nodded(deal: Any, fact: StoryFact) -> bool:
    return fact.who[0] == deal[1] and fact.who[1] in deal[0]


_OF_AVALON = _language(
    {
        "fails": ("{A} went on a quest, and the number of cards that failed it was {n}.",),
        "looks": ("{a} was shown whether {fact}.",),
    },
    *("evil", "good", "Merlin"),
    same=FactKind("{a} is evil exactly if {b} is evil", "evil_{a} <-> evil_{b}", _alike),
    fails=FactKind("", "atleast({n}; {all})", _failing, range(1 + max(EVIL.values())), "evil_{}"),
)
_OF_WEREWOLF = _language(
    {
        "points": ("{a} pointed at {b}.", "At night {a} pointed at {b}."),
        "shows": ("{a} showed to all that {fact}.",),
        "unsure": ("{a} said: I do not know whether {fact}.", "I do not know whether {fact}, {a} said."),
    },
    *("a wolf", "not a wolf", "the seer"),
    points=FactKind("", "special_{a} & evil_{b}", _nodded, ("",)),
)


@lru_cache
def worlds_of(language: heard.Language, people: int, evil: int) -> StoryWorlds:
    """Return the sets of players who may be evil, each with a possible special one."""
    sides, seats = combinations(range(people), evil), range(people)
    deals = [(some, special) for some in sides for special in seats if special not in some]
    return StoryWorlds(language, people, deals, ["good"])


@dataclass(frozen=True)
class AvalonCards(Start):
    """A beginning: who is evil, and who is special; each sees their own card."""

    begins: ClassVar = {"avalon": _AVALON}
    language = _OF_AVALON
    all_seeing = True

    @property
    def worlds(self) -> StoryWorlds:
        """The ways to deal the cards."""
        return worlds_of(self.language, self.people, self.n)

    def check_head(self) -> None:
        """Raise `FormatError` unless the story says who has which card."""
        if not 0 < self.n < self.people <= _MOST or self.actual.bit_count() != 1:
            raise FormatError("the story does not say at first who has which card")

    def view(self, agent: int) -> Sequence[object]:
        """Return the views of somebody, by world: evil players see who is evil, the special one may."""
        deals = self.worlds.values
        sees = [agent in evil or (agent == special and self.all_seeing) for evil, special in deals]
        return [(own and evil, agent == special) for own, (evil, special) in zip(sees, deals, strict=True)]

    def drawn(self, order: int, draws: Draws) -> StoryEvent:
        """Return a random look, quest or statement, or silence."""
        if draws.random() < _LOOKING:
            one, other = draws.sample(range(self.people), 2)
            return StoryEvent("looks", (one,), StoryFact("evil", (other,)))
        event = draws.choice(_sayings(self.worlds))
        if draws.random() < _SPEAKING:
            return event
        return _quest(event.group, 0) if event.kind == "fails" else StoryEvent("idle", event.group)

    def sayings(self, facts: Iterable[StoryFact], draws: Draws) -> Sequence[StoryEvent]:
        """Return the things that may be said or shown, and failing quests; somebody says the other facts."""
        said = [StoryEvent("says", (draws.below(self.people),), fact) for fact in facts]
        return [*_sayings(self.worlds), *said]

    def opening(self, agents: Sequence[str]) -> Opening:
        """Return how the story file begins, in which people are shown what their cards say."""
        evil, special = ([f"{card}_{name}" for name in agents] for card in ("evil", "special"))
        pairs = [*zip(evil, special, strict=True)]
        laws = [f"exactly({self.n}; {', '.join(evil)})", f"oneof({', '.join(special)})"]
        laws += [f"{two} -> ~{one}" for one, two in pairs]
        shown = [
            f"show {name}: {f'({one} | {two})' if self.all_seeing else one} & {other}"
            for name, (one, two) in zip(agents, pairs, strict=True)
            for other in evil
            if other != one
        ]
        return [*evil, *special], laws, pairs, shown

    @classmethod
    def begun(cls, knobs: Knobs, order: int, draws: Draws) -> AvalonCards:
        """Return random cards."""
        number = EVIL.get(knobs.agents, 1)
        evil, special = draws.choice(worlds_of(cls.language, knobs.agents, number).values)
        cards = [*[StoryFact("evil", (i,)) for i in evil], StoryFact("special", (special,))]
        actual = StoryEvent("actual", (), StoryFact("all", parts=tuple(cards)))
        return cls(min(cls.begins), knobs.agents, number, (actual,))


@dataclass(frozen=True)
class WerewolfCards(AvalonCards):
    """A beginning: who is a wolf, and who is the seer."""

    begins: ClassVar = {"werewolf": _WEREWOLF}
    language = _OF_WEREWOLF
    all_seeing = False

    @classmethod
    def begun(cls, knobs: Knobs, order: int, draws: Draws) -> AvalonCards:
        """Return random cards; raise `GameError` for an order that quadruples do not have."""
        if knobs.quadruples and order > 1:
            raise GameError("stories of werewolves have no quadruples of order 2; leave out --quadruples")
        return super().begun(knobs, order, draws)

    def drawn(self, order: int, draws: Draws) -> StoryEvent:
        """Return that somebody points at another, shows what they are or says something, or silence."""
        pair = tuple(draws.sample(range(self.people), 2))
        others = [StoryEvent("idle", pair[:1]), draws.choice(_sayings(self.worlds))]
        return draws.choice([StoryEvent("points", pair, StoryFact("points", pair, "")), *others])


_MOST = 10  # players of a story
_LOOKING, _SPEAKING = 0.2, 0.4  # how likely something drawn is a look; that it is a statement and not silence


def _quest(group: tuple[int, ...], n: int) -> StoryEvent:
    return StoryEvent("fails", group, StoryFact("fails", group, n), str(n))


@lru_cache
def _sayings(worlds: StoryWorlds) -> list[StoryEvent]:
    """Return the statements of players about what they know, and what else the language has sentences for."""
    people, cards = range(worlds.people), [fact for fact in worlds.facts if len(fact.who) == 1]
    statements = [StoryEvent("says", (i,), fact) for i in people for fact in worlds.facts]
    statements += [StoryEvent(kind, fact.who, fact) for kind in ("shows", "unsure") for fact in cards]
    quests = [group for size in (2, 3) for group in combinations(people, size)]
    statements += [_quest(group, n) for group in quests for n in (1, 2)]
    return [event for event in statements if event.kind in worlds.language.said]


@dataclass(frozen=True, kw_only=True)
class _PlayerKnobs(Knobs):
    """The kind of games to make stories of; four to seven players, and orders 1 and 2."""

    possible = Knobs.possible | {"agents": range(4, 8), "orders": (1, 2)}
    orders: tuple[Natural, ...] = (1, 2)
    agents: Positive = 5


AVALON = heard.HeardFamily("avalon", _PlayerKnobs, AvalonCards)
WEREWOLF = heard.HeardFamily("werewolf", _PlayerKnobs, WerewolfCards)
