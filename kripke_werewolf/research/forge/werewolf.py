"""The family of Werewolf: what players know when some have pointed at others at night, or showed cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from kripke_werewolf.base.randomness import Draws
from kripke_werewolf.base.settings import Natural, Positive
from kripke_werewolf.research.forge import heard
from kripke_werewolf.research.forge.avalon import AvalonCards, player_statements
from kripke_werewolf.research.forge.family import Knobs
from kripke_werewolf.research.forge.heard import StoryEvent, StoryFact, StoryWorlds

_RULES = (
    "{A} play Werewolf: the number of wolves is {n}, one of the others is the seer, and all others are "
    "villagers; wolves see who is a wolf, and all others see only their own card; at night each of some "
    "players points at another, and a host nods to them if they are the seer and the other is a wolf; "
    "everybody sees who points at whom, but only who points sees whether the host nods; what players say "
    "about their own knowledge is true; all of them know these rules, and know this of each other."
)
_LANGUAGE = heard.Language(
    {
        "actual": ("In fact {fact}.",),
        "points": ("{a} pointed at {b}.", "At night {a} pointed at {b}."),
        "shows": ("{a} showed to all that {fact}.",),
        "unsure": ("{a} said: I do not know whether {fact}.", "I do not know whether {fact}, {a} said."),
        **heard.SPOKEN,
    },
    {
        "evil": heard.FactKind("{a} is a wolf", "evil_{a}", lambda deal, fact: fact.who[0] in deal[0]),
        "good": heard.FactKind(
            "{a} is not a wolf", "~evil_{a}", lambda deal, fact: fact.who[0] not in deal[0]
        ),
        "special": heard.FactKind(
            "{a} is the seer", "special_{a}", lambda deal, fact: fact.who[0] == deal[1]
        ),
        "points": heard.FactKind(
            "",
            "special_{a} & evil_{b}",
            lambda deal, fact: fact.who[0] == deal[1] and fact.who[1] in deal[0],
            ("",),
        ),
    },
)


@dataclass(frozen=True)
class WerewolfCards(AvalonCards):
    """A beginning: who is a wolf, and who is the seer."""

    begins: ClassVar = {"werewolf": _RULES}
    language = _LANGUAGE
    all_seeing = False

    def drawn(self, order: int, draws: Draws) -> StoryEvent:
        """Return that somebody points at another, shows what they are or says something, or silence."""
        pair = tuple(draws.sample(range(self.people), 2))
        others = [StoryEvent("idle", pair[:1]), draws.choice(self.sayings())]
        return draws.choice([StoryEvent("points", pair, StoryFact("points", pair, "")), *others])

    def sayings(self) -> Sequence[StoryEvent]:
        """Return the things that may be said or shown."""
        return _sayings(self.worlds)


@lru_cache
def _sayings(worlds: StoryWorlds) -> list[StoryEvent]:
    kinds = [(i, StoryFact(kind, (i,))) for i in range(worlds.people) for kind in ("evil", "good", "special")]
    shown = [StoryEvent("shows", (i,), fact) for i, fact in kinds]
    return shown + [StoryEvent("unsure", (i,), fact) for i, fact in kinds] + player_statements(worlds)


@dataclass(frozen=True, kw_only=True)
class _WerewolfKnobs(Knobs):
    """The kind of games of Werewolf to make; four to seven players, and orders 1 and 2."""

    possible = range(4, 8)
    limits = ((1, 2), "allowed: 1 and 2")
    orders: tuple[Natural, ...] = (1, 2)
    agents: Positive = 5


FAMILY = heard.HeardFamily("werewolf", _WerewolfKnobs, WerewolfCards)
