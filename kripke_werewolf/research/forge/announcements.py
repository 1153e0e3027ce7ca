"""The family of announcements: people see some numbers, and hear what is said or see who is whispered to.

The muddy children (Littlewood 1953) are the numbers 0 and 1, with any lines of sight.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise, permutations, product
from operator import itemgetter
from typing import NamedTuple

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.base.randomness import Draws
from kripke_werewolf.base.settings import Positive
from kripke_werewolf.logic.models.model import KripkeModel
from kripke_werewolf.research.forge.family import Knobs
from kripke_werewolf.research.forge.knowing import (
    Known,
    Language,
    SpokenStory,
    StoryEvent,
    StoryFact,
    heard_family,
    short_names,
)
from kripke_werewolf.research.stories.scenes import Wordings, listed, read_list, sentences


class _StoryWords(NamedTuple):
    """The words of a kind of stories: how one begins, what people have, and what can be said about it.

    `values`: the words for each number, or for all. `own`: whether everybody sees what they have themselves.
    """

    begins: str
    thing: str
    values: tuple[str, ...]
    own: bool
    facts: Mapping[str, str]


SETTINGS = {
    "mud": _StoryWords(
        "{A} have been in the garden; each has a forehead that is muddy or clean, and cannot see it.",
        "forehead",
        ("{a} is clean", "{a} is muddy"),
        False,
        {
            "least": "{a} is muddy",
            "sum": "the number of muddy foreheads is at least {n}",
            "higher": "{a} is muddy and {b} is clean",
            "same": "{a} is muddy exactly if {b} is muddy",
        },
    ),
    "cards": _StoryWords(
        "{A} hold a card each, with a whole number from 0 to {n}, and each knows their own number.",
        "card",
        ("{a}'s number is {n}",),
        True,
        {
            "least": "{a}'s number is at least {n}",
            "sum": "the sum of all the numbers is at least {n}",
            "higher": "{a}'s number is higher than {b}'s number",
            "same": "{a}'s number is the same as {b}'s number",
        },
    ),
}
_SAID = {
    "sees": ("{a} can see the {word} of {A}.", "{a} has a clear view of the {word} of {A}."),
    "sees nothing": ("{a} can see no other {word}.", "{a} sees nobody else's {word}."),
    "common": (
        "All of them know who can see what, and that whatever their host says or one of them answers is "
        "true, and they know this of each other.",
    ),
    "actual": ("In fact {words}.",),
    "aloud": ("Their host tells all of them that {fact}.", "Their host says for all to hear that {fact}."),
    "knows": ("Asked for all to hear whether {fact}, {a} answers aloud: I know.",),
    "does not know": ("Asked for all to hear whether {fact}, {a} answers aloud: I do not know.",),
    "whispers": (
        "Their host whispers to {A} whether {fact}, and the others see this but do not hear the answer.",
        "While the others look on but hear nothing, their host lets {A} know whether {fact}.",
    ),
    "idle": ("Their host mentions that lunch is ready.", "Their host remarks that it is going to rain."),
}
_TRUE: Mapping[str, Callable[[StoryFact, Sequence[int]], bool]] = {
    "least": lambda fact, values: values[fact.who[0]] >= fact.n,
    "sum": lambda fact, values: sum(values) >= fact.n,
    "higher": lambda fact, values: values[fact.who[0]] > values[fact.who[1]],
    "same": lambda fact, values: values[fact.who[0]] == values[fact.who[1]],
}
"""When a fact is true of the numbers."""


@lru_cache(maxsize=100)
def _language(setting: str, most: int, number: int) -> Language:
    """Return how stories with these numbers and people are told; the atoms: a number is at least another."""
    atoms = [f"{{names[{i}]}}_at_least_{n}" for i in range(number) for n in range(1, most + 1)]
    pairs = [(f"{{a}}_at_least_{n}", f"{{b}}_at_least_{n}") for n in range(1, most + 1)]
    formulas = {
        "least": "{a}_at_least_{n}",
        "sum": f"atleast({{n}}; {', '.join(atoms)})",
        "higher": " | ".join(f"{one} & ~{other}" for one, other in pairs),
        "same": " & ".join(f"({one} <-> {other})" for one, other in pairs),
    }
    words = SETTINGS[setting].facts
    return Language(_SAID, {kind: (words[kind], written) for kind, written in formulas.items()})


class _Telling(NamedTuple):
    setting: str
    most: int
    sees: tuple[tuple[int, ...], ...]
    values: tuple[int, ...]
    events: tuple[StoryEvent, ...] = ()


class Telling(_Telling, SpokenStory):
    """A story without names: the highest number, what everybody sees and has, and what is said."""

    @property
    def actual(self) -> int:
        """The actual numbers, as a bit."""
        place = 0
        for value in self.values:
            place = place * (self.most + 1) + value
        return 1 << place

    @property
    def language(self) -> Language:
        """How the story is told."""
        return _language(self.setting, self.most, len(self.sees))

    def facts(self) -> Sequence[StoryFact]:
        """Return the facts that are neither always nor never true."""
        return _facts(self.most, len(self.values))

    def where(self, fact: StoryFact) -> int:
        """Return the numbers for which a fact is true, as bits."""
        return _where(fact, self.most, len(self.values))

    def sayings(self, place: int) -> Sequence[tuple[StoryEvent, StoryEvent]]:
        """Return the facts that may be said aloud, each with a remark that does not matter."""
        return [(StoryEvent("aloud", (), fact), StoryEvent("idle")) for fact in self.facts()]

    def others(self) -> Sequence[Telling]:
        """Return the same story about other numbers that nobody has ruled out."""
        left = self.states()[-1].worlds
        every = enumerate(product(range(self.most + 1), repeat=len(self.values)))
        return [
            self._replace(values=values) for i, values in every if left >> i & 1 and values != self.values
        ]

    def head(self, agents: Sequence[str], draws: Draws) -> list[str]:
        """Return the sentences before those of the events."""
        setting = SETTINGS[self.setting]
        told = [setting.begins.format(A=listed(agents), n=self.most)]
        for i, seen in enumerate(self.sees):
            others = [k for k in seen if k != i]
            thing = f"{setting.thing}s" if len(others) > 1 else setting.thing
            kind = "sees" if others else "sees nothing"
            told.append(self.language.sentence(StoryEvent(kind, (i, *others), None, thing), agents, draws))
        own = setting.values
        facts = [own[n % len(own)].format(a=a, n=n) for a, n in zip(agents, self.values, strict=True)]
        return [*told, *_SAID["common"], _SAID["actual"][0].format(words=listed(facts))]

    def start(self) -> Known:
        """Return the knowledge at the start."""
        return _start(self.most, self.sees)

    def players(self) -> Sequence[str]:
        """Return letters, by which people are called in the model."""
        return short_names(len(self.sees))

    def begun(self) -> KripkeModel:
        """Return the model at the start."""
        return _begun(self.most, self.sees).point(self.values)

    def begins(self, agents: Sequence[str]) -> list[str]:
        """Return the lines of a story file before its events."""
        levels = range(1, self.most + 1)
        atoms = {agent: [f"{agent}_at_least_{n}" for n in levels] for agent in agents}
        seen = [", ".join(atom for i in own for atom in atoms[agents[i]]) or "nothing" for own in self.sees]
        actual = [
            atom if level <= value else f"~{atom}"
            for own, value in zip(atoms.values(), self.values, strict=True)
            for level, atom in enumerate(own, 1)
        ]
        lines = [f"agents: {', '.join(agents)}", f"atoms: {', '.join(chain(*atoms.values()))}"]
        lines += [f"law: {higher} -> {lower}" for own in atoms.values() for lower, higher in pairwise(own)]
        lines += [f"sees {agent}: {own}" for agent, own in zip(agents, seen, strict=True)]
        return [*lines, f"actual: {' & '.join(actual)}"]


@lru_cache(maxsize=1 << 16)
def _where(fact: StoryFact, most: int, number: int) -> int:
    every = product(range(most + 1), repeat=number)
    return sum(1 << i for i, values in enumerate(every) if _TRUE[fact.kind](fact, values))


@lru_cache(maxsize=1 << 12)
def _start(most: int, sees: tuple[tuple[int, ...], ...]) -> Known:
    every = list(product(range(most + 1), repeat=len(sees)))

    def seen(own: Sequence[int]) -> list[object]:
        return [tuple(values[i] for i in own) for values in every]

    return Known.of([*map(seen, sees)])


@lru_cache(maxsize=1 << 12)
def _begun(most: int, sees: tuple[tuple[int, ...], ...]) -> KripkeModel:
    people = short_names(len(sees))
    looks = [itemgetter(*own) if own else lambda values: 0 for own in sees]

    def true(values: Sequence[int]) -> list[str]:
        return [f"{a}_at_least_{n}" for a, own in zip(people, values, strict=True) for n in range(1, own + 1)]

    worlds = product(range(most + 1), repeat=len(sees))
    return KripkeModel.from_observations(worlds, dict(zip(people, looks, strict=True)), true)


# --- English -----------------------------------------------------------------------------------------


_BEGINS = Wordings({name: (setting.begins,) for name, setting in SETTINGS.items()})
_VALUES = {
    name: Wordings({n: (words,) for n, words in enumerate(setting.values)})
    for name, setting in SETTINGS.items()
}


@lru_cache(maxsize=64)
def _read(text: str) -> tuple[Telling, tuple[str, ...]]:
    """Return the scene and the people of a story in English."""
    first, *rest = sentences(text)
    name, given = _BEGINS.read(first)
    agents, most = tuple(read_list(given["A"])), int(given.get("n", 1))
    language = _language(name, most, len(agents))
    sees = list[tuple[int, ...]]()
    values, events = list[tuple[int, dict[str, str]]](), list[StoryEvent]()
    for event in [language.read(sentence, agents) for sentence in rest]:
        if event.kind.startswith("sees"):
            sees.append(tuple(sorted(event.group if SETTINGS[name].own else event.group[1:])))
        elif event.kind == "actual":
            values = [_VALUES[name].read(fact) for fact in read_list(event.word)]
        elif event.kind != "common":
            events.append(event)
    if {len(sees), len(values)} != {len(agents)}:
        raise FormatError(f"the story does not say for each of {listed(agents)} what they see and have")
    numbers = tuple([int(own.get("n", n)) for n, own in values])
    return Telling(name, most, tuple(sees), numbers, tuple(events)), agents


# --- the generator -----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class _AnnouncementKnobs(Knobs):
    """The kind of stories of announcements to make; up to six agents, or four with numbers."""

    possible = range(2, 7)
    events: Positive = 4


@lru_cache(maxsize=100)
def _facts(most: int, number: int) -> list[StoryFact]:
    every = [StoryFact("least", (a,), n) for a in range(number) for n in range(1, most + 1)]
    every += [StoryFact("sum", (), n) for n in range(1, number * most + 1)]
    pairs = list(permutations(range(number), 2))
    return every + [StoryFact(kind, pair) for kind in ("higher", "same") for pair in pairs]


def _random_event(scene: Telling, kinds: Sequence[str], draws: Draws) -> StoryEvent:
    """Return something that may be said now."""
    people = len(scene.values)
    while True:
        kind, fact = draws.choice(kinds), draws.choice(scene.facts())
        if kind == "idle":
            return StoryEvent(kind)
        if kind == "whispers":
            group = draws.sample(range(people), 1 + draws.below(people - 1))
            return StoryEvent(kind, tuple(sorted(group)), fact)
        if kind == "knows":
            agent = draws.below(people)
            knows = scene.states()[-1].holds((("knows whether", agent),), scene.where(fact), scene.actual)
            return StoryEvent(kind if knows else "does not know", (agent,), fact)
        if _TRUE[fact.kind](fact, scene.values):
            return StoryEvent(kind, (), fact)


def _random_scene(knobs: Knobs, order: int, draws: Draws) -> Telling:
    """Return a random story; for questions of high order one that leaves much open."""
    people = range(knobs.agents)
    name = draws.choice(list(SETTINGS)) if knobs.agents < 5 else "mud"
    most, own = 1 if name == "mud" else {2: 7, 3: 3}.get(knobs.agents, 2), SETTINGS[name].own
    sight = draws.choice((0.6, 0.9, 1.0) if order < 3 else (0.9, 1.0))
    sees = [tuple(k for k in people if (own if k == i else draws.random() < sight)) for i in people]
    values = tuple(max(draws.below(most + 1), draws.below(most + 1)) for _ in people)
    scene = Telling(name, most, tuple(sees), values)
    kinds = ("aloud",) * 2 if order < 3 else ("idle",)
    for _ in range(knobs.events):
        event = _random_event(scene, (*kinds, "knows", "whispers", "idle"), draws)
        scene = scene._replace(events=(*scene.events, event))
    return scene


ANNOUNCEMENTS = heard_family("announcements", _AnnouncementKnobs, _read, _random_scene)
