"""The family of Avalon: what players know when some have gone on quests, and others say what they know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any, TypeAlias

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.base.randomness import Draws
from kripke_werewolf.base.settings import Natural, Positive
from kripke_werewolf.games.avalon.rules import EVIL
from kripke_werewolf.research.forge import knowing
from kripke_werewolf.research.forge.family import Knobs
from kripke_werewolf.research.forge.heard import ORDERS, HeardFamily, HeardStory, Start, begun
from kripke_werewolf.research.forge.knowing import SPOKEN, FactKind, StoryEvent, StoryFact, StoryWorlds
from kripke_werewolf.research.stories.scenes import Wordings, listed, read_list, sentences

_RULES = (
    "{A} play Avalon: the number of evil players is {n}, all others are good, and one of these is Merlin; "
    "evil players see who is evil but not who Merlin is, Merlin sees who is evil, and all others see only "
    "their own card; those who go on a quest play one card each, and only evil players may play a card that "
    "fails it; everybody sees who goes and how many cards fail, but not whose cards these are; when somebody "
    "is shown whether another player is evil, everybody sees that, but nobody else sees the answer; players "
    "who say that they know something do know it; all of them know these rules, and know this of each other."
)
_BEGINS = Wordings({"": (_RULES,)})
AvalonDeal: TypeAlias = tuple[tuple[int, ...], int]
"""The evil players, and Merlin."""


def _failing(deal: AvalonDeal, fact: StoryFact) -> bool:
    return len({*deal[0]} & {*fact.who}) >= fact.n


_LANGUAGE = knowing.Language(
    {
        "actual": ("In fact {A} are evil, and {fact}.",),
        "fails": ("{A} went on a quest, and the number of cards that failed it was {n}.",),
        "looks": ("{a} was shown whether {fact}.",),
        **SPOKEN,
    },
    {
        "evil": FactKind("{a} is evil", "evil_{a}", lambda deal, fact: fact.who[0] in deal[0]),
        "good": FactKind("{a} is good", "~evil_{a}", lambda deal, fact: fact.who[0] not in deal[0]),
        "merlin": FactKind("{a} is Merlin", "merlin_{a}", lambda deal, fact: fact.who[0] == deal[1]),
        "same": FactKind(
            "{a} is evil exactly if {b} is evil",
            "evil_{a} <-> evil_{b}",
            lambda deal, fact: len({i in deal[0] for i in fact.who}) == 1,
        ),
        "fails": FactKind("", "", _failing),
    },
)


@lru_cache
def _worlds(players: int) -> StoryWorlds:
    """Return the sets of players who may be evil, each with a possible Merlin."""
    evil, seats = combinations(range(players), EVIL[players]), range(players)
    deals = [(some, merlin) for some in evil for merlin in seats if merlin not in some]
    return StoryWorlds(_LANGUAGE, players, deals, [("good", "good")])


@dataclass(frozen=True)
class AvalonCards(Start):
    """A beginning: the number of players, who is evil, and who is Merlin."""

    people: int
    evil: tuple[int, ...]
    merlin: int

    @property
    def worlds(self) -> StoryWorlds:
        """The ways to deal the cards."""
        return _worlds(self.people)

    @property
    def actual(self) -> int:
        """The actual deal, as a bit."""
        return 1 << self.worlds.values.index((self.evil, self.merlin))

    def view(self, agent: int) -> Sequence[object]:
        """Return the views of somebody, by world."""

        def seen(evil: tuple[int, ...], merlin: int) -> object:
            return (evil, agent == merlin) if agent in (*evil, merlin) else None

        return [seen(*deal) for deal in self.worlds.values]

    def formula(self, fact: StoryFact, agents: Sequence[str]) -> str:
        """Return a fact, or that a quest may fail, in the language of the library."""
        if fact.kind == "fails":
            return f"atleast({fact.n}; {', '.join(f'evil_{agents[i]}' for i in fact.who)})"
        return super().formula(fact, agents)

    def silent(self, event: StoryEvent) -> StoryEvent:
        """Return a successful quest for one that fails, and otherwise silence."""
        return event._replace(word="0", fact=None) if event.kind == "fails" else super().silent(event)

    def drawn(self, order: int, draws: Draws) -> StoryEvent:
        """Return a random look, quest or statement, or silence."""
        if draws.random() < _LOOKING:
            one, other = draws.sample(range(self.people), 2)
            return StoryEvent("looks", (one,), StoryFact("evil", (other,)))
        event = draws.choice(_sayings(self.people))
        return event if draws.random() < _SPEAKING else self.silent(event)

    def sayings(self, told: HeardStory) -> Sequence[StoryEvent]:
        """Return failing quests and statements."""
        return _sayings(self.people)

    def head(self, agents: Sequence[str], draws: Draws) -> list[str]:
        """Return the rules, and who has which card."""
        actual = StoryEvent("actual", self.evil, StoryFact("merlin", (self.merlin,)))
        begins = _RULES.format(A=listed(agents), n=len(self.evil))
        return [begins, _LANGUAGE.sentence(actual, agents, draws)]

    def lines(self, agents: Sequence[str]) -> list[str]:
        """Return the lines of a story file, in which people are shown what their cards say."""
        evil, merlin = ([f"{card}_{name}" for name in agents] for card in ("evil", "merlin"))
        laws = [f"exactly({len(self.evil)}; {', '.join(evil)})", f"oneof({', '.join(merlin)})"]
        laws += [f"{one} -> ~{other}" for one, other in zip(merlin, evil, strict=True)]
        sees = [f"{one}, {other}" for one, other in zip(evil, merlin, strict=True)]
        true = [*(evil[i] for i in self.evil), merlin[self.merlin]]
        shown = [
            f"show {name}: ({evil[i]} | {merlin[i]}) & {other}"
            for i, name in enumerate(agents)
            for other in evil
            if other != evil[i]
        ]
        return begun(agents, [*evil, *merlin], laws, sees, true) + shown


_LOOKING, _SPEAKING = 0.2, 0.4  # how likely something drawn is a look; that it is a statement and not silence


def _counted(event: StoryEvent) -> StoryEvent:
    """Return an event; if a quest fails, with the fact that this number of evil players went at least."""
    failed = event.kind == "fails" and event.word != "0"
    return event._replace(fact=StoryFact("fails", event.group, int(event.word))) if failed else event


@lru_cache
def _sayings(players: int) -> list[StoryEvent]:
    quests = [group for size in (2, 3) for group in combinations(range(players), size)]
    fails = [_counted(StoryEvent("fails", group, None, n)) for group in quests for n in "12"]
    return fails + [StoryEvent("says", (i,), fact) for i in range(players) for fact in _worlds(players).facts]


@lru_cache(maxsize=64)
def _read(text: str) -> tuple[HeardStory, tuple[str, ...]]:
    """Return the story and the players of a story in English."""
    begins, *told = sentences(text)
    given = _BEGINS.read(begins)[1]
    names = tuple(read_list(given["A"]))
    first, *turns = [_counted(_LANGUAGE.read(sentence, names)) for sentence in told] or [StoryEvent("")]
    if first.kind != "actual" or any(turn.kind == "actual" for turn in turns):
        raise FormatError("a story of Avalon begins with the rules, and with who is evil and who is Merlin")
    evil, merlin = first.group, first.fact.who[0] if first.fact else -1
    deals = _worlds(len(names)).values if len(names) in EVIL else ()
    right = (evil, merlin) in deals and first.fact == StoryFact("merlin", (merlin,))
    if not right or int(given["n"]) != len(evil):
        raise FormatError(f"{text[:60]!r} … are not the cards of a game of Avalon")
    return HeardStory(AvalonCards(len(names), evil, merlin), tuple(turns)), names


@dataclass(frozen=True, kw_only=True)
class _AvalonKnobs(Knobs):
    """The kind of games of Avalon to make; five to seven players."""

    possible, limits, in_fours = range(5, 8), ORDERS, (1, 2)
    orders: tuple[Natural, ...] = (1, 2, 3)
    agents: Positive = 5


def _draw(knobs: Knobs, order: int, draws: Draws) -> AvalonCards:
    """Return random cards."""
    deal: Any = draws.choice(_worlds(knobs.agents).values)
    return AvalonCards(knobs.agents, *deal)


FAMILY = HeardFamily("avalon", _AvalonKnobs, _read, _draw)
