"""The family of announcements: people see some numbers, and hear what is said or see who is whispered to.

The muddy children (Littlewood 1953) are the numbers 0 and 1, with any lines of sight.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise, product
from typing import NamedTuple

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.base.randomness import Draws
from kripke_werewolf.base.settings import Positive
from kripke_werewolf.research.forge.family import Knobs
from kripke_werewolf.research.forge.heard import ORDERS, HeardFamily, HeardStory, Start, begun
from kripke_werewolf.research.forge.knowing import FactKind, Language, StoryEvent, StoryFact, StoryWorlds
from kripke_werewolf.research.stories.scenes import Wordings, listed, read_list, sentences


class _StoryWords(NamedTuple):
    """The words of a kind of stories: how one begins, what people have, and what can be said about it.

    `own`: whether everybody sees what they have themselves.
    """

    begins: str
    thing: str
    own: bool
    facts: Mapping[str, str]


SETTINGS = {
    "mud": _StoryWords(
        "{A} have been in the garden; each has a forehead that is muddy or clean, and cannot see it.",
        "forehead",
        False,
        {
            "least": "{a} is muddy",
            "less": "{a} is clean",
            "sum": "the number of muddy foreheads is at least {n}",
            "higher": "{a} is muddy and {b} is clean",
            "same": "{a} is muddy exactly if {b} is muddy",
        },
    ),
    "cards": _StoryWords(
        "{A} hold a card each, with a whole number from 0 to {n}, and each knows their own number.",
        "card",
        True,
        {
            "least": "{a}'s number is at least {n}",
            "less": "{a}'s number is less than {n}",
            "is": "{a}'s number is {n}",
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


def _higher(values: Sequence[int], fact: StoryFact) -> bool:
    one, other = fact.who
    return values[one] > values[other]


@lru_cache(maxsize=100)
def _worlds(setting: str, most: int, people: int) -> StoryWorlds:
    """Return the numbers that people may have; the atoms: a number is at least another."""
    atoms = [f"{{names[{i}]}}_at_least_{n}" for i in range(people) for n in range(1, most + 1)]
    pairs = [(f"{{a}}_at_least_{n}", f"{{b}}_at_least_{n}") for n in range(1, most + 1)]
    more = " | ".join(f"{one} & ~{other}" for one, other in pairs)
    same = " & ".join(f"({one} <-> {other})" for one, other in pairs)
    least, words = "{a}_at_least_{n}", SETTINGS[setting].facts
    levels, sums = range(1, most + 1), range(1, people * most + 1)
    kinds = {
        "least": (least, lambda values, fact: values[fact.who[0]] >= fact.n, levels),
        "less": (f"~{least}", lambda values, fact: values[fact.who[0]] < fact.n, levels),
        "is": (f"{least} & ~{{a}}_at_least_{{m}}", lambda values, f: values[f.who[0]] == f.n, levels[:-1]),
        "sum": (f"atleast({{n}}; {', '.join(atoms)})", lambda values, fact: sum(values) >= fact.n, sums),
        "higher": (more, _higher, (1,)),
        "same": (same, lambda values, fact: len({values[i] for i in fact.who}) == 1, (1,)),
    }
    facts = {kind: FactKind(own, *kinds[kind]) for kind, own in words.items()}
    return StoryWorlds(Language(_SAID, facts), people, product(range(most + 1), repeat=people))


@dataclass(frozen=True)
class Telling(Start):
    """A beginning: the highest number, and what everybody sees and has."""

    setting: str
    most: int
    sees: tuple[tuple[int, ...], ...]
    values: tuple[int, ...]

    @property
    def worlds(self) -> StoryWorlds:
        """The numbers that are possible."""
        return _worlds(self.setting, self.most, len(self.sees))

    @property
    def actual(self) -> int:
        """The actual numbers, as a bit."""
        return 1 << self.worlds.values.index(self.values)

    @property
    def had(self) -> list[StoryFact]:
        """What everybody has, as facts."""
        people = enumerate(self.values)
        if self.setting == "cards":
            return [StoryFact("is", (i,), value) for i, value in people]
        return [StoryFact("least" if value else "less", (i,)) for i, value in people]

    def view(self, agent: int) -> Sequence[object]:
        """Return the numbers that somebody sees in each world."""
        return [tuple(values[i] for i in self.sees[agent]) for values in self.worlds.values]

    def drawn(self, order: int, draws: Draws) -> StoryEvent:
        """Return something that may be said, whispered or answered."""
        kinds = ("aloud", "aloud", "knows", "whispers", "idle") if order < 3 else ("whispers", "idle")
        kind, fact = draws.choice(kinds), draws.choice(self.worlds.facts)
        people = range(len(self.sees))
        if kind == "whispers":
            group = draws.sample(people, 1 + draws.below(len(people) - 1))
            return StoryEvent(kind, tuple(sorted(group)), fact)
        if kind == "knows":
            return StoryEvent(draws.choice((kind, "does not know")), (draws.below(len(people)),), fact)
        return StoryEvent(kind, (), None if kind == "idle" else fact)

    def said(self, fact: StoryFact, draws: Draws) -> StoryEvent:
        """Return an event by which a fact is said aloud."""
        return StoryEvent("aloud", (), fact)

    def sayings(self, told: HeardStory) -> Sequence[StoryEvent]:
        """Return the facts that may be said aloud."""
        return [StoryEvent("aloud", (), fact) for fact in self.worlds.facts]

    def head(self, agents: Sequence[str], draws: Draws) -> list[str]:
        """Return the sentences before those of the events."""
        setting = SETTINGS[self.setting]
        told = [setting.begins.format(A=listed(agents), n=self.most)]
        for i, seen in enumerate(self.sees):
            others = [k for k in seen if k != i]
            thing = f"{setting.thing}s" if len(others) > 1 else setting.thing
            kind = "sees" if others else "sees nothing"
            event = StoryEvent(kind, (i, *others), None, thing)
            told.append(self.worlds.language.sentence(event, agents, draws))
        facts = [self.worlds.language.words(fact, agents) for fact in self.had]
        return [*told, *_SAID["common"], _SAID["actual"][0].format(words=listed(facts))]

    def lines(self, agents: Sequence[str]) -> list[str]:
        """Return the lines of a story file before its events."""
        atoms = [[f"{agent}_at_least_{n}" for n in range(1, self.most + 1)] for agent in agents]
        laws = [f"{higher} -> {lower}" for own in atoms for lower, higher in pairwise(own)]
        seen = [", ".join(atom for i in own for atom in atoms[i]) or "nothing" for own in self.sees]
        true = [atom for own, value in zip(atoms, self.values, strict=True) for atom in own[:value]]
        return begun(agents, [*chain(*atoms)], laws, seen, true)


# --- English -----------------------------------------------------------------------------------------


_BEGINS = Wordings({name: (setting.begins,) for name, setting in SETTINGS.items()})


@lru_cache(maxsize=64)
def _read(text: str) -> tuple[HeardStory, tuple[str, ...]]:
    """Return the story and the people of a story in English."""
    first, *rest = sentences(text)
    name, given = _BEGINS.read(first)
    agents, most = tuple(read_list(given["A"])), int(given.get("n", 1))
    language = _worlds(name, most, len(agents)).language
    sees = list[tuple[int, ...]]()
    had, events = list[StoryFact](), list[StoryEvent]()
    for event in [language.read(sentence, agents) for sentence in rest]:
        if event.kind.startswith("sees"):
            sees.append(tuple(sorted(event.group if SETTINGS[name].own else event.group[1:])))
        elif event.kind == "actual":
            had = [language.read_fact(fact, agents) for fact in read_list(event.word)]
        elif event.kind != "common":
            events.append(event)
    values = tuple([0 if fact.kind == "less" else fact.n for fact in had])
    start = Telling(name, most, tuple(sees), values)
    if len(sees) != len(agents) or values not in start.worlds.values or had != start.had:
        raise FormatError(f"the story does not say for each of {listed(agents)} what they see and have")
    return HeardStory(start, tuple(events)), agents


# --- the generator -----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class _AnnouncementKnobs(Knobs):
    """The kind of stories of announcements to make; up to six agents, or four with numbers."""

    possible, limits = range(2, 7), ORDERS
    events: Positive = 4


def _draw(knobs: Knobs, order: int, draws: Draws) -> Telling:
    """Return a random beginning; for questions of high order one that leaves much open."""
    people = range(knobs.agents)
    deep = knobs.quadruples and order > 2
    name = draws.choice(list(SETTINGS)[deep:]) if knobs.agents < 5 else "mud"
    most, own = 1 if name == "mud" else {2: 7, 3: 3}.get(knobs.agents, 2), SETTINGS[name].own
    sight = draws.choice((0.6, 0.9, 1.0) if order < 3 else (0.9, 1.0))
    if knobs.quadruples:  # with full sight one world only is as far as a chain of people reaches
        sight = draws.choice((0.6, 0.7, 0.8))
    sees = [tuple(k for k in people if (own if k == i else draws.random() < sight)) for i in people]
    values = tuple(max(draws.below(most + 1), draws.below(most + 1)) for _ in people)
    return Telling(name, most, tuple(sees), values)


FAMILY = HeardFamily("announcements", _AnnouncementKnobs, _read, _draw)
