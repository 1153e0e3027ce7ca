"""The family of Avalon: what players know when some have gone on quests, and others say what they know.

The first engine updates the model of the game; the second filters the ways to deal the cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.base.randomness import Draws
from kripke_werewolf.base.settings import Natural, Positive
from kripke_werewolf.games.avalon.knowledge import initial_model
from kripke_werewolf.games.avalon.rules import EVIL, Deal, Rules
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.models.model import KripkeModel
from kripke_werewolf.research.forge.family import Knobs
from kripke_werewolf.research.forge.knowing import (
    SPOKEN,
    Known,
    Language,
    News,
    SpokenStory,
    StoryEvent,
    StoryFact,
    formula_of,
    heard_family,
)
from kripke_werewolf.research.stories.scenes import Wordings, listed, read_list, sentences

_RULES = (
    "{A} play Avalon: the number of evil players is {n}, all others are good, and one of these is Merlin; "
    "evil players see who is evil but not who Merlin is, Merlin sees who is evil, and all others see only "
    "their own card; those who go on a quest play one card each, and only evil players may play a card that "
    "fails it; everybody sees who goes and how many cards fail, but not whose cards these are; when somebody "
    "is shown whether another player is evil, everybody sees that, but nobody else sees the answer; players "
    "who say that they know something do know it; all of them know these rules, and know this of each other."
)
_SAID = {
    "actual": ("In fact {A} are evil, and {fact}.",),
    "fails": ("{A} went on a quest, and the number of cards that failed it was {n}.",),
    "looks": ("{a} was shown whether {fact}.",),
    **SPOKEN,
}
_FACTS = {
    "evil": ("{a} is evil", "evil_{a}"),
    "merlin": ("{a} is Merlin", "merlin_{a}"),
    "one": ("at least one of {a} and {b} is evil", "evil_{a} | evil_{b}"),
    "same": ("{a} is evil exactly if {b} is evil", "evil_{a} <-> evil_{b}"),
}
_BEGINS = Wordings({"": (_RULES,)})


class _AvalonStory(NamedTuple):
    people: int
    evil: tuple[int, ...]
    merlin: int
    events: tuple[StoryEvent, ...] = ()


class AvalonStory(_AvalonStory, SpokenStory):
    """A story without names: the number of players, who is evil, who is Merlin, and what happens."""

    language = Language(_SAID, _FACTS)

    def news(self, event: StoryEvent) -> News | None:
        """Return the news of an event: of a quest that failed, how many evil players went at least."""
        failed = event.kind == "fails" and event.word != "0"
        return News(StoryFact("fails", event.group, int(event.word))) if failed else event.news

    @property
    def actual(self) -> int:
        """The actual deal, as a bit."""
        return 1 << _deals(self.people).index((self.evil, self.merlin))

    def facts(self) -> Sequence[StoryFact]:
        """Return the facts that may be asked about."""
        return _facts(self.people)

    def where(self, fact: StoryFact) -> int:
        """Return the deals in which a fact is true, or in which a quest may fail, as bits."""
        if fact.kind == "fails":
            return _evil_among(self.people, fact.who, fact.n)
        return _where(self.people, fact)

    def formula(self, fact: StoryFact, agents: Sequence[str]) -> str:
        """Return a fact, or that a quest may fail, in the language of the library."""
        if fact.kind == "fails":
            return f"atleast({fact.n}; {', '.join(f'evil_{agents[i]}' for i in fact.who)})"
        return self.language.formula(fact, agents)

    def start(self) -> Known:
        """Return the knowledge at the start."""
        return _start(self.people)

    def players(self) -> Sequence[str]:
        """Return the numbers of the players."""
        return [str(i + 1) for i in range(self.people)]

    def content(self, fact: StoryFact) -> Formula:
        """Return a fact as the game writes it."""
        said = self.formula(fact, self.players())
        return formula_of(said.replace("evil_", "e_").replace("merlin_", "m_"))

    def begun(self) -> KripkeModel:
        """Return the model at the start."""
        deal = Deal(tuple(i + 1 for i in self.evil), self.merlin + 1, players=self.people)
        return _begun(self.people).point(deal)

    def sayings(self, place: int) -> Sequence[tuple[StoryEvent, StoryEvent]]:
        """Return failing quests and statements, each with a successful quest or with silence."""
        return _sayings(self.people)

    def others(self) -> Sequence[AvalonStory]:
        """Return the same story with other cards that nobody has ruled out."""
        left = self.states()[-1].worlds & ~self.actual
        return [
            self._replace(evil=e, merlin=m) for i, (e, m) in enumerate(_deals(self.people)) if left >> i & 1
        ]

    def head(self, agents: Sequence[str], draws: Draws) -> list[str]:
        """Return the rules, and who has which card."""
        actual = StoryEvent("actual", self.evil, StoryFact("merlin", (self.merlin,)))
        begins = _RULES.format(A=listed(agents), n=len(self.evil))
        return [begins, self.language.sentence(actual, agents, draws)]

    def begins(self, agents: Sequence[str]) -> list[str]:
        """Return the lines of a story file, in which people are shown what their cards say."""
        evil, merlin = ([f"{card}_{name}" for name in agents] for card in ("evil", "merlin"))
        actual = [atom if i in self.evil else f"~{atom}" for i, atom in enumerate(evil)]
        actual += [atom if i == self.merlin else f"~{atom}" for i, atom in enumerate(merlin)]
        lines = [f"agents: {', '.join(agents)}", f"atoms: {', '.join([*evil, *merlin])}"]
        lines += [f"law: exactly({len(self.evil)}; {', '.join(evil)})", f"law: oneof({', '.join(merlin)})"]
        lines += [f"law: {one} -> ~{other}" for one, other in zip(merlin, evil, strict=True)]
        lines += [f"sees {name}: {evil[i]}, {merlin[i]}" for i, name in enumerate(agents)]
        lines.append(f"actual: {' & '.join(actual)}")
        return lines + [
            f"show {name}: ({evil[i]} | {merlin[i]}) & {other}"
            for i, name in enumerate(agents)
            for other in evil
            if other != evil[i]
        ]


# --- the second engine: the ways to deal the cards ----------------------------------------------------


@lru_cache
def _deals(players: int) -> list[tuple[tuple[int, ...], int]]:
    """Return the sets of players who may be evil, each with a possible Merlin."""
    evil = combinations(range(players), EVIL[players])
    return [(some, merlin) for some in evil for merlin in range(players) if merlin not in some]


@lru_cache
def _facts(players: int) -> list[StoryFact]:
    facts = [StoryFact(kind, (i,)) for kind in ("evil", "merlin") for i in range(players)]
    pairs = list(combinations(range(players), 2))
    return facts + [StoryFact(kind, two) for kind in ("one", "same") for two in pairs]


@lru_cache
def _sayings(players: int) -> list[tuple[StoryEvent, StoryEvent]]:
    quests = [group for size in (2, 3) for group in combinations(range(players), size)]
    fails = [StoryEvent("fails", group, None, n) for group in quests for n in "12"]
    says = [StoryEvent("says", (i,), fact) for i in range(players) for fact in _facts(players)]
    return [(turn, turn._replace(word="0")) for turn in fails] + [
        (turn, StoryEvent("idle", turn.group)) for turn in says
    ]


@lru_cache(maxsize=1 << 12)
def _where(players: int, fact: StoryFact) -> int:
    def true(evil: tuple[int, ...], merlin: int) -> bool:
        a, b = fact.who[0] in evil, fact.who[-1] in evil
        return {"evil": a, "merlin": merlin == fact.who[0], "one": a or b, "same": a == b}[fact.kind]

    return sum(1 << i for i, deal in enumerate(_deals(players)) if true(*deal))


@lru_cache(maxsize=1 << 12)
def _evil_among(players: int, group: tuple[int, ...], number: int) -> int:
    return sum(1 << i for i, (evil, _) in enumerate(_deals(players)) if len({*group} & {*evil}) >= number)


@lru_cache
def _start(players: int) -> Known:
    def view(i: int, evil: tuple[int, ...], merlin: int) -> object:
        if i in evil:
            return evil
        return (evil, i) if i == merlin else None

    return Known.of([[view(i, *deal) for deal in _deals(players)] for i in range(players)])


@lru_cache(maxsize=1 << 4)
def _begun(players: int) -> KripkeModel:
    rules: Any = {"players": players, "merlin": "naive"}
    return initial_model(Rules(**rules))


# --- English -----------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _read(text: str) -> tuple[AvalonStory, tuple[str, ...]]:
    """Return the story and the players of a story in English."""
    begins, *told = sentences(text)
    given = _BEGINS.read(begins)[1]
    names = tuple(read_list(given["A"]))
    first, *turns = [AvalonStory.language.read(sentence, names) for sentence in told] or [StoryEvent("")]
    if first.kind != "actual" or any(turn.kind == "actual" for turn in turns):
        raise FormatError("a story of Avalon begins with the rules, and with who is evil and who is Merlin")
    evil, merlin = first.group, first.fact.who[0] if first.fact else -1
    deals = _deals(len(names)) if len(names) in EVIL else []
    right = (evil, merlin) in deals and first.fact == StoryFact("merlin", (merlin,))
    if not right or int(given["n"]) != len(evil):
        raise FormatError(f"{text[:60]!r} … are not the cards of a game of Avalon")
    return AvalonStory(len(names), evil, merlin, tuple(turns)), names


# --- the generator -----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class _AvalonKnobs(Knobs):
    """The kind of games of Avalon to make; five to seven players."""

    possible = range(5, 8)
    orders: tuple[Natural, ...] = (1, 2, 3)
    agents: Positive = 5
    events: Positive = 5


def _random_round(knobs: _AvalonKnobs, order: int, draws: Draws) -> AvalonStory:
    """Return a random game, in which players say only what they know."""
    players = range(knobs.agents)
    table = AvalonStory(knobs.agents, *draws.choice(_deals(knobs.agents)))
    while len(table.events) < knobs.events:
        turn, silent = draws.choice(_sayings(knobs.agents))
        chance, known = draws.random(), table.states()[-1]
        if chance < _LOOKING:
            one, other = draws.sample(players, 2)
            turn = StoryEvent("looks", (one,), StoryFact("evil", (other,)))
        elif not table.heard(known, turn) & table.actual:
            if chance < _SILENT:
                continue
            turn = silent
        table = table._replace(events=(*table.events, turn))
    return table


_LOOKING, _SILENT = 0.2, 0.8
"""How likely a look is, and how likely a false statement is redrawn; otherwise somebody is silent."""


AVALON = heard_family("avalon", _AvalonKnobs, _read, _random_round)
