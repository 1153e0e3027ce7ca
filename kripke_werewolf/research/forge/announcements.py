"""The family of announcements: people see some numbers, and hear what is said or see who is whispered to.

The muddy children (Littlewood 1953) are the numbers 0 and 1, with any lines of sight.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise, permutations, product
from operator import itemgetter
from typing import NamedTuple

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.base.randomness import Draws
from kripke_werewolf.base.settings import Positive
from kripke_werewolf.logic.models.model import KripkeModel
from kripke_werewolf.research.forge import knowing
from kripke_werewolf.research.forge.family import Knobs
from kripke_werewolf.research.stories.scenes import Wordings, listed, read_list, sentences


class _StoryWords(NamedTuple):
    """The words of a kind of stories: how one begins, what people have, and what can be said about it.

    `values`: the words for each number, or for all. `own`: whether everybody sees what they have themselves.
    """

    begins: str
    thing: str
    values: tuple[str, ...]
    own: bool
    facts: Mapping[str, tuple[str, ...]]


SETTINGS = {
    "mud": _StoryWords(
        "{A} have been in the garden; each has a forehead that is muddy or clean, and cannot see it.",
        "forehead",
        ("{a} is clean", "{a} is muddy"),
        False,
        {
            "least": ("{a} is muddy",),
            "sum": ("the number of muddy foreheads is at least {n}",),
            "higher": ("{a} is muddy and {b} is clean",),
            "same": ("{a} is muddy exactly if {b} is muddy",),
        },
    ),
    "cards": _StoryWords(
        "{A} hold a card each, with a whole number from 0 to {n}, and each knows their own number.",
        "card",
        ("{a}'s number is {n}",),
        True,
        {
            "least": ("{a}'s number is at least {n}",),
            "sum": ("the sum of all the numbers is at least {n}",),
            "higher": ("{a}'s number is higher than {b}'s number",),
            "same": ("{a}'s number is the same as {b}'s number",),
        },
    ),
}
_SAID = {
    "aloud": ("Their host tells all of them that {fact}.", "Their host says for all to hear that {fact}."),
    "knows": ("Asked for all to hear whether {fact}, {a} answers aloud: I know.",),
    "does not know": ("Asked for all to hear whether {fact}, {a} answers aloud: I do not know.",),
    "whispers": (
        "Their host whispers to {A} whether {fact}, and the others see this but do not hear the answer.",
        "While the others look on but hear nothing, their host lets {A} know whether {fact}.",
    ),
    "idle": ("Their host mentions that lunch is ready.", "Their host remarks that it is going to rain."),
}
_HOW: Mapping[str, knowing.How] = {
    "aloud": "aloud",
    "knows": "knows whether",
    "does not know": "does not know whether",
    "whispers": "shown",
}
"""How the news of an event is told."""
_HEAD = {
    "sees": ("{a} can see the {thing} of {A}.", "{a} has a clear view of the {thing} of {A}."),
    "sees nothing": ("{a} can see no other {thing}.", "{a} sees nobody else's {thing}."),
    "common": (
        "All of them know who can see what, and that whatever their host says or one of them answers is "
        "true, and they know this of each other.",
    ),
    "actual": ("In fact {facts}.",),
}


def _number_atom(agent: str, n: int) -> str:
    """Return the atom that the number of an agent is at least n."""
    return f"{agent}_at_least_{n}"


class NumberFact(NamedTuple):
    """Something that may be true of the numbers: its kind, and the agents and the number in it."""

    kind: str
    a: int = 0
    b: int = 0
    n: int = 1

    def formula(self, most: int, agents: Sequence[str]) -> str:
        """Return the fact in the language of the library; its atoms are that a number is at least another."""
        atoms = [[_number_atom(agent, n) for n in range(1, most + 1)] for agent in agents]
        pairs = list(zip(atoms[self.a], atoms[self.b], strict=True))
        return {
            "least": _number_atom(agents[self.a], self.n),
            "sum": f"atleast({self.n}; {', '.join(atom for own in atoms for atom in own)})",
            "higher": " | ".join(f"{one} & ~{other}" for one, other in pairs),
            "same": " & ".join(f"({one} <-> {other})" for one, other in pairs),
        }[self.kind]

    def true(self, values: Sequence[int]) -> bool:
        """Return whether the fact is true of numbers."""
        one, other = values[self.a], values[self.b]
        return {
            "least": one >= self.n,
            "sum": sum(values) >= self.n,
            "higher": one > other,
            "same": one == other,
        }[self.kind]


class Saying(NamedTuple):
    """Something that is said: its kind, its subject, and who is asked or whispered to."""

    kind: str
    fact: NumberFact | None = None
    group: tuple[int, ...] = ()

    @property
    def news(self) -> knowing.News | None:
        """What it tells."""
        return knowing.News(self.fact, _HOW[self.kind], self.group) if self.fact else None


class _Telling(NamedTuple):
    setting: str
    most: int
    sees: tuple[tuple[int, ...], ...]
    values: tuple[int, ...]
    events: tuple[Saying, ...] = ()


class Telling(_Telling, knowing.SpokenStory):
    """A story without names: the highest number, what everybody sees and has, and what is said."""

    @property
    def actual(self) -> int:
        """The actual numbers, as a bit."""
        place = 0
        for value in self.values:
            place = place * (self.most + 1) + value
        return 1 << place

    def facts(self) -> Sequence[NumberFact]:
        """Return the facts that are neither always nor never true."""
        return _facts(self.setting, self.most, len(self.values))

    def where(self, fact: NumberFact) -> int:
        """Return the numbers for which a fact is true, as bits."""
        return _where(fact, self.most, len(self.values))

    def sayings(self, place: int) -> Sequence[tuple[Saying, Saying]]:
        """Return the facts that may be said aloud, each with a remark that does not matter."""
        return [(Saying("aloud", fact), Saying("idle")) for fact in self.facts()]

    def others(self) -> Sequence[Telling]:
        """Return the same story about other numbers that nobody has ruled out."""
        left = self.states()[-1].worlds
        every = enumerate(product(range(self.most + 1), repeat=len(self.values)))
        return [
            self._replace(values=values) for i, values in every if left >> i & 1 and values != self.values
        ]

    def told(self, agents: Sequence[str], draws: Draws) -> list[str]:
        """Return the sentences of the story."""
        setting = SETTINGS[self.setting]
        told = [setting.begins.format(A=listed(list(agents)), n=self.most)]
        for i, agent in enumerate(agents):
            others = [agents[k] for k in self.sees[i] if k != i]
            thing = f"{setting.thing}s" if len(others) > 1 else setting.thing
            words = draws.choice(_HEAD["sees" if others else "sees nothing"])
            told.append(words.format(a=agent, thing=thing, A=listed(others or [""])))
        told += [_HEAD["common"][0], self.sentence(None, agents, draws)]
        return told + [self.sentence(event, agents, draws) for event in self.events]

    def sentence(self, event: Saying | None, agents: Sequence[str], draws: Draws) -> str:
        """Return the sentence for an event, or for what everybody has."""
        if event is None:
            own = SETTINGS[self.setting].values
            facts = [
                own[n % len(own)].format(a=agent, n=n) for agent, n in zip(agents, self.values, strict=True)
            ]
            return _HEAD["actual"][0].format(facts=listed(facts))
        group = [agents[i] for i in event.group] or [""]
        fact = self.words(event.fact, agents) if event.fact else ""
        return draws.choice(_SAID[event.kind]).format(fact=fact, a=group[0], A=listed(group))

    def words(self, fact: NumberFact, agents: Sequence[str]) -> str:
        """Return a fact in English."""
        words = SETTINGS[self.setting].facts[fact.kind][0]
        return words.format(a=agents[fact.a], b=agents[fact.b], n=fact.n)

    def formula(self, fact: NumberFact, agents: Sequence[str]) -> str:
        """Return a fact in the language of the library."""
        return fact.formula(self.most, agents)

    def read_fact(self, words: str, agents: Sequence[str]) -> NumberFact:
        """Return a fact in English; raise `FormatError` for anything else."""
        (kind, given), number = _FACTS[self.setting].read(words), knowing.Numbers.of(agents)
        a, b = (number[given[place]] if place in given else 0 for place in "ab")
        return NumberFact(kind, a, b, int(given.get("n", 1)))

    def start(self) -> knowing.Known:
        """Return the knowledge at the start."""
        return _start(self.most, self.sees)

    def players(self) -> Sequence[str]:
        """Return letters, by which people are called in the model."""
        return knowing.short_names(len(self.sees))

    def begun(self) -> KripkeModel:
        """Return the model at the start."""
        return _begun(self.most, self.sees).point(self.values)

    def head(self, agents: Sequence[str]) -> list[str]:
        """Return the lines of a story file before its events."""
        levels = range(1, self.most + 1)
        atoms = {agent: [_number_atom(agent, n) for n in levels] for agent in agents}
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
def _where(fact: NumberFact, most: int, number: int) -> int:
    every = product(range(most + 1), repeat=number)
    return sum(1 << i for i, values in enumerate(every) if fact.true(values))


@lru_cache(maxsize=1 << 12)
def _start(most: int, sees: tuple[tuple[int, ...], ...]) -> knowing.Known:
    every = list(product(range(most + 1), repeat=len(sees)))

    def seen(own: Sequence[int]) -> list[object]:
        return [tuple(values[i] for i in own) for values in every]

    return knowing.Known.of([*map(seen, sees)])


@lru_cache(maxsize=1 << 12)
def _begun(most: int, sees: tuple[tuple[int, ...], ...]) -> KripkeModel:
    people = knowing.short_names(len(sees))
    looks = [itemgetter(*own) if own else lambda values: 0 for own in sees]

    def true(values: Sequence[int]) -> list[str]:
        return [_number_atom(a, n) for a, own in zip(people, values, strict=True) for n in range(1, own + 1)]

    worlds = product(range(most + 1), repeat=len(sees))
    return KripkeModel.from_observations(worlds, dict(zip(people, looks, strict=True)), true)


# --- English -----------------------------------------------------------------------------------------


_BEGINS = Wordings({name: (setting.begins,) for name, setting in SETTINGS.items()})
_SENTENCES = Wordings(_HEAD | _SAID)
_FACTS = {name: Wordings(setting.facts) for name, setting in SETTINGS.items()}
_VALUES = {
    name: Wordings({n: (words,) for n, words in enumerate(setting.values)})
    for name, setting in SETTINGS.items()
}


@lru_cache(maxsize=64)
def _read(text: str) -> tuple[Telling, tuple[str, ...]]:
    """Return the scene and the people of a story in English."""
    first, *rest = sentences(text)
    name, given = _BEGINS.read(first)
    agents = read_list(given["A"])
    number = knowing.Numbers.of(agents)
    scene = Telling(name, int(given.get("n", 1)), (), ())
    for sentence in rest:
        kind, places = _SENTENCES.read(sentence)
        named = read_list(places["A"]) if "A" in places else []
        group = tuple(number[agent] for agent in (*named, *filter(None, [places.get("a")])))
        if kind.startswith("sees"):
            own = group if SETTINGS[name].own else group[:-1]
            scene = scene._replace(sees=(*scene.sees, tuple(sorted(own))))
        elif kind == "actual":
            values = [_VALUES[name].read(fact) for fact in read_list(places["facts"])]
            scene = scene._replace(values=tuple(int(own.get("n", n)) for n, own in values))
        elif kind in _SAID:
            fact = scene.read_fact(places["fact"], agents) if "fact" in places else None
            scene = scene._replace(events=(*scene.events, Saying(kind, fact, group)))
    if {len(scene.sees), len(scene.values)} != {len(agents)}:
        raise FormatError(f"the story does not say for each of {listed(agents)} what they see and have")
    return scene, tuple(agents)


# --- the generator -----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class _AnnouncementKnobs(Knobs):
    """The kind of stories of announcements to make; up to six agents, or four with numbers."""

    possible = range(2, 7)
    events: Positive = 4


@lru_cache(maxsize=100)
def _facts(setting: str, most: int, number: int) -> list[NumberFact]:
    every = [NumberFact("least", a, 0, n) for a in range(number) for n in range(1, most + 1)]
    every += [NumberFact("sum", 0, 0, n) for n in range(1, number * most + 1)]
    every += [
        NumberFact(kind, *pair) for kind in ("higher", "same") for pair in permutations(range(number), 2)
    ]
    return every


def _random_event(scene: Telling, kinds: Sequence[str], draws: Draws) -> Saying:
    """Return something that may be said now."""
    people = len(scene.values)
    while True:
        kind, fact = draws.choice(kinds), draws.choice(_facts(scene.setting, scene.most, people))
        if kind == "idle":
            return Saying(kind)
        if kind == "whispers":
            return Saying(kind, fact, tuple(sorted(draws.sample(range(people), 1 + draws.below(people - 1)))))
        if kind == "knows":
            agent = draws.below(people)
            knows = scene.states()[-1].holds((("knows whether", agent),), scene.where(fact), scene.actual)
            return Saying(kind if knows else "does not know", fact, (agent,))
        if fact.true(scene.values):
            return Saying(kind, fact)


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


ANNOUNCEMENTS = knowing.heard_family("announcements", _AnnouncementKnobs, _read, _random_scene)
