"""The family of announcements: people see some numbers, and hear what is said or see who is whispered to.

The muddy children (Littlewood 1953) are the numbers 0 and 1, with any lines of sight.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise, product

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.base.randomness import Draws
from kripke_werewolf.base.settings import Positive
from kripke_werewolf.research.forge import heard
from kripke_werewolf.research.forge.family import Knobs
from kripke_werewolf.research.forge.heard import Opening, Start, StoryEvent, StoryFact, StoryWorlds

_RULES = (
    "; all of them know who can see whom, and that whatever their host says or one of them answers is true, "
    "and they know this of each other."
)
_BEGINS = {
    "mud": "{A} have been in the garden; each has a forehead that is muddy or clean; people see the "
    f"foreheads of those whom they can see, and nobody sees their own{_RULES}",
    "cards": "{A} hold a card each, with a whole number from 0 to {n}; people see the numbers of those whom "
    f"they can see, and each knows their own number{_RULES}",
}
_FACTS = {
    "mud": {
        "least": "{a} is muddy",
        "less": "{a} is clean",
        "sum": "the number of muddy foreheads is at least {n}",
        "higher": "{a} is muddy and {b} is clean",
        "same": "{a} is muddy exactly if {b} is muddy",
    },
    "cards": {
        "least": "{a}'s number is at least {n}",
        "less": "{a}'s number is less than {n}",
        "is": "{a}'s number is {n}",
        "sum": "the sum of all the numbers is at least {n}",
        "higher": "{a}'s number is higher than {b}'s number",
        "same": "{a}'s number is the same as {b}'s number",
    },
}
_SAID = {
    "sees": ("{a} can see {A}.", "{a} has a clear view of {A}."),
    "sees nothing": ("{a} sees nobody else.", "{a} has no view of anybody else."),
    "aloud": ("Their host tells all of them that {fact}.", "Their host says for all to hear that {fact}."),
    "knows": ("Asked for all to hear whether {fact}, {a} answers aloud: I know.",),
    "does not know": ("Asked for all to hear whether {fact}, {a} answers aloud: I do not know.",),
    "whispers": (
        "Their host whispers to {A} whether {fact}, and the others see this but do not hear the answer.",
        "While the others look on but hear nothing, their host lets {A} know whether {fact}.",
    ),
    "idle": ("Their host mentions that lunch is ready.", "Their host remarks that it is going to rain."),
}


@lru_cache(maxsize=100)
def _worlds(setting: str, most: int, people: int) -> StoryWorlds:
    """Return the numbers that people may have; the atoms: a number is at least another."""
    levels, sums = range(1, most + 1), range(1, people * most + 1)
    atoms = [f"{{names[{i}]}}_at_least_{n}" for i in range(people) for n in levels]
    pairs = [(f"{{a}}_at_least_{n}", f"{{b}}_at_least_{n}") for n in levels]
    more = " | ".join(f"{one} & ~{other}" for one, other in pairs)
    same = " & ".join(f"({one} <-> {other})" for one, other in pairs)
    own = f"exactly({{n}}; {', '.join(one for one, _ in pairs)})"
    least = "{a}_at_least_{n}"
    kinds = {
        "least": (least, lambda values, fact: values[fact.who[0]] >= fact.n, levels),
        "less": (f"~{least}", lambda values, fact: values[fact.who[0]] < fact.n, levels),
        "is": (own, lambda values, fact: values[fact.who[0]] == fact.n, levels[:-1]),
        "sum": (f"atleast({{n}}; {', '.join(atoms)})", lambda values, fact: sum(values) >= fact.n, sums),
        "higher": (more, lambda values, fact: values[fact.who[0]] > values[fact.who[1]], (1,)),
        "same": (same, lambda values, fact: len({values[i] for i in fact.who}) == 1, (1,)),
    }
    facts = {kind: heard.FactKind(own, *kinds[kind]) for kind, own in _FACTS[setting].items()}
    return StoryWorlds(heard.Language(_SAID, facts), people, product(range(most + 1), repeat=people))


_MOST = {2: 7, 3: 3}
"""The highest number in stories of two and of three people; with more, 2."""


@dataclass(frozen=True)
class Telling(Start):
    """A beginning: the highest number, whom everybody sees, and what they have."""

    begins = _BEGINS

    @property
    def worlds(self) -> StoryWorlds:
        """The numbers that are possible."""
        return _worlds(self.kind, self.n, self.people)

    def seen(self, agent: int) -> list[int]:
        """Return the people whose numbers somebody sees."""
        return [i for i in self.head[agent].group if i != agent or self.kind == "cards"]

    def view(self, agent: int) -> Sequence[object]:
        """Return the numbers that somebody sees in each world."""
        seen = self.seen(agent)
        return [tuple(values[i] for i in seen) for values in self.worlds.values]

    def check_head(self) -> None:
        """Raise `FormatError` unless the story says for each what they see and have."""
        people = [event.group[0] for event in self.head if event.kind != "actual"]
        if people != [*range(self.people)] or self.actual.bit_count() != 1:
            raise FormatError("the story does not say for each of the people what they see and have")

    def drawn(self, order: int, draws: Draws) -> StoryEvent:
        """Return something that may be said, whispered or answered."""
        kinds = ("aloud", "aloud", "knows", "whispers", "idle") if order < 3 else ("whispers", "idle")
        kind, fact = draws.choice(kinds), draws.choice(self.worlds.facts)
        if kind == "whispers":
            group = draws.sample(range(self.people), 1 + draws.below(self.people - 1))
            return StoryEvent(kind, tuple(sorted(group)), fact)
        if kind == "knows":
            return StoryEvent(draws.choice((kind, "does not know")), (draws.below(self.people),), fact)
        return StoryEvent(kind, (), None if kind == "idle" else fact)

    def sayings(self, facts: Iterable[StoryFact], draws: Draws) -> Sequence[StoryEvent]:
        """Return the facts that may be said aloud."""
        return [StoryEvent("aloud", (), fact) for fact in (*self.worlds.facts, *facts)]

    def opening(self, agents: Sequence[str]) -> Opening:
        """Return the beginning of the story file: an atom for each number that an agent may have."""
        atoms = [[f"{agent}_at_least_{n}" for n in range(1, self.n + 1)] for agent in agents]
        laws = [f"{higher} -> {lower}" for own in atoms for lower, higher in pairwise(own)]
        seen = [[atom for i in self.seen(agent) for atom in atoms[i]] for agent in range(self.people)]
        return [*chain(*atoms)], laws, seen, ()

    @classmethod
    def begun(cls, knobs: Knobs, order: int, draws: Draws) -> Telling:
        """Return a random beginning; for questions of high order one that leaves much open."""
        people = range(knobs.agents)
        many = knobs.agents > 4  # muddy foreheads leave too little open for quadruples of fewer people
        kind = "mud" if many else draws.choice([*_BEGINS][order > 2 or knobs.quadruples :])
        most = 1 if kind == "mud" else _MOST.get(knobs.agents, 2)
        sight = draws.choice((0.7, 0.8, 0.9))
        missed = [*people]
        if kind == "cards":  # each is the only one who does not see some number, so that worlds are far away
            missed = draws.sample(people, knobs.agents)
            sight = draws.choice((0.9, 1.0, 1.0))
        seen = [[k for k in people if k not in (i, missed[i]) and draws.random() < sight] for i in people]
        head = [StoryEvent("sees" if seen[i] else "sees nothing", (i, *seen[i])) for i in people]
        had = [StoryFact("is", (i,), draws.below(most + 1)) for i in people]
        if kind == "mud":
            had = [StoryFact("least" if own.n else "less", own.who) for own in had]
        actual = StoryEvent("actual", (), StoryFact("all", parts=tuple(had)))
        return cls(kind, knobs.agents, most, (*head, actual))


@dataclass(frozen=True, kw_only=True)
class _AnnouncementKnobs(Knobs):
    """The kind of stories of announcements to make; up to six agents, or four with numbers."""

    possible = Knobs.possible | {"agents": range(2, 7)}
    events: Positive = 4


ANNOUNCEMENTS = heard.HeardFamily("announcements", _AnnouncementKnobs, Telling)
