"""The family of gossip: who knows whose secret, after exchanges that are seen, watched or unnoticed.

Tijdeman 1971 for the puzzle. That somebody knows a secret is a fact; questions are about beliefs about it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import accumulate

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.base.randomness import Draws
from kripke_werewolf.base.settings import Positive
from kripke_werewolf.logic.formulas.operators import Atom, Or
from kripke_werewolf.logic.semantics.action import Event
from kripke_werewolf.logic.written import action_lines
from kripke_werewolf.research.forge import family, knowing
from kripke_werewolf.research.forge.rooms import action, unfolded
from kripke_werewolf.research.stories.occurrences import (
    Log,
    Occurrence,
    alike_to_depth,
    perspective,
    without_watchers,
)
from kripke_werewolf.research.stories.scenes import Wordings, listed, read_list, sentences


class _Exchange(Occurrence):
    """Two people, `thing` and `place`, tell each other all the secrets that they know."""

    __slots__ = ()

    def _put(self, place: str, places: tuple[str, ...]) -> Event:
        pairs = ((self.thing, place), (place, self.thing))
        return Event(post={has(a, c): Or(has(a, c), has(b, c)) for a, b in pairs for c in places if c != a})


def has(agent: str, other: str) -> str:
    """Return the atom that an agent knows the secret of another."""
    return f"has_{agent}_{other}"


Gossips = tuple[tuple[_Exchange, str], ...]
"""Each exchange, with the person who, according to the story, misses the last thing; else ""."""


def _log_of(story: Gossips) -> Log:
    """Return the exchanges of a story."""
    return tuple(exchange for exchange, _ in story)


@lru_cache(maxsize=1 << 14)
def _known_through(log: Log) -> tuple[Mapping[str, frozenset[str]], ...]:
    """Return whose secrets those who have talked know, at the start and after each step of a log."""
    known: dict[str, frozenset[str]] = {}
    steps = [known]
    for exchange in log:
        if exchange:
            pair = exchange.thing, exchange.place
            joint = frozenset(pair).union(*[known.get(agent, ()) for agent in pair])
            known = {**known, pair[0]: joint, pair[1]: joint}
        steps.append(known)
    return tuple(steps)


def _secrets_after(log: Log) -> Mapping[str, frozenset[str]]:
    """Return whose secrets those who have talked know after a log: the second engine."""
    return _known_through(log)[-1]


def thought(log: Log, chain: Sequence[str]) -> Mapping[str, frozenset[str]]:
    """Return the secrets that people know, as the first of a chain thinks that the next thinks …."""
    return _secrets_after(reduce(perspective, chain, log))


@lru_cache(maxsize=1 << 14)
def _unsurprised(log: Log, agent: str) -> int:
    """Return the number of steps before an agent hears more or less than they expect.

    What they then think of the others is left open: they may guess that there was a talk they missed.
    """
    states = zip(log, _known_through(log), _known_through(perspective(log, agent)), strict=False)
    for number, (exchange, known, expected) in enumerate(states):
        pair = (exchange.thing, exchange.place) if exchange else ()
        if agent in pair and any(known.get(who) != expected.get(who) for who in pair):
            return number
    return len(log)


def surprised(log: Log, chain: Sequence[str]) -> bool:
    """Return whether somebody in a chain, as those before them see it, hears what they do not expect."""
    seen = accumulate(chain, perspective, initial=log)
    return any(_unsurprised(own, agent) < len(log) for own, agent in zip(seen, chain, strict=False))


# --- English -----------------------------------------------------------------------------------------

_RULES = (
    "{A} each have a secret that nobody else knows at first; whenever two of them talk, they tell each other "
    "all the secrets that they know, and nobody else hears them; those who are present see who talks, and "
    "know this of each other, and everybody else thinks that nobody talks; those who watch or notice "
    "something go unnoticed, unless the story says otherwise; all of them know these rules, and know this "
    "of each other."
)
_TALK = {
    "alone": ("{a} talked to {b} with nobody else present.", "{a} met {b} alone, and they talked."),
    "before": ("{a} talked to {b} in the presence of {A}.", "{a} and {b} talked, with {A} looking on."),
}
_LINKS: Sequence[dict[str, tuple[str, ...]]] = (
    {"yes": ("{a} was watching from outside.",), "no": ("{a} was not watching from outside.",)},
    {"yes": ("{a} noticed that {b} was watching.",), "no": ("{a} did not notice that {b} was watching.",)},
    {"yes": ("{a} realised that {b} had noticed.",), "no": ("{a} did not realise that {b} had noticed.",)},
)


def _sentences(step: tuple[_Exchange, str], names: Sequence[str], draws: Draws) -> Iterator[str]:
    exchange, unaware = step
    a, b = exchange.thing, exchange.place
    others = [name for name in names if name in exchange.group - {a, b}]
    yield draws.choice(_TALK["before" if others else "alone"]).format(a=a, b=b, A=listed(others or [""]))
    for number, agent in enumerate((*exchange.noticers, *filter(None, [unaware]))):
        before = exchange.noticers[number - 1] if number else ""
        words = _LINKS[min(number, 2)]["yes" if number < len(exchange.noticers) else "no"]
        yield words[0].format(a=agent, b=before)


_BEGINS, _SECRET = Wordings({"": (_RULES,)}), Wordings({"": ("{a} knows {b}'s secret",)})
_STEPS = [Wordings({**_TALK, **links}) for links in _LINKS]


@lru_cache(maxsize=64)
def _read(text: str) -> tuple[Gossips, tuple[str, ...]]:
    """Return the exchanges and the people of a story in English."""
    first, *rest = sentences(text)
    names = tuple(read_list(_BEGINS.read(first)[1]["A"]))
    number = knowing.Numbers.of(names)
    story: list[tuple[_Exchange, str]] = []
    for sentence in rest:
        before, unaware = story[-1] if story else (None, "")
        kind, given = _STEPS[min(len(before.noticers), 2) if before else 0].read(sentence)
        a, b = (names[number[given[place]]] if place in given else "" for place in "ab")
        others = [names[number[other]] for other in read_list(given["A"])] if "A" in given else []
        if kind in _TALK:
            story.append((_Exchange(a, b, frozenset([a, b, *others])), ""))
        elif not before or unaware or b != "".join(before.noticers[-1:]):
            raise FormatError(f"{sentence!r} does not follow from what comes before it")
        else:
            noticed = before._replace(noticers=(*before.noticers, a))
            story[-1] = (noticed, "") if kind == "yes" else (before, a)
    return tuple(story), names


def _derive(text: str, question: str) -> family.Certificate:
    """Return all that follows from a story and a question in English."""
    story, names = _read(text)
    number, log = knowing.Numbers.of(names), _log_of(story)
    asked, words = knowing.read_wording(question, names)
    if {way for way, _ in asked} - {"thinks that"}:
        raise FormatError(f"{question!r} is not about what {listed(names)} think")
    one, other = (names[number[name]] for name in _SECRET.read(words)[1].values())
    chain = tuple([names[place] for _, place in asked])

    def told(known: Mapping[str, frozenset[str]]) -> str:
        return family.yes_no(other in known.get(one, [one]))

    def answer(some: Sequence[str], events: Log = log) -> str | None:
        return None if surprised(events, some) else told(thought(events, some))

    own = answer(chain)
    if own is None:
        raise FormatError(family.OPEN_THOUGHTS)
    after = unfolded(names, names, log, tuple([(has(a, b), a == b) for a in names for b in names]))
    fact = Atom(has(one, other))
    yes, no = (knowing.formula_asked(asked, str(f), names) for f in (fact, ~fact))
    is_so, is_not = (after.holds(knowing.formula_of(f)) for f in (yes, no))
    trace = {}
    for name in names:
        clear, steps = _unsurprised(log, name), _known_through(perspective(log, name))
        trace[name] = [told(known) if step < clear else None for step, known in enumerate(steps[1:])]
    return family.Certificate(
        answers={"updates": family.yes_no(is_so) if is_so != is_not else None, "perspectives": own},
        order=len(chain),
        order_needed=family.least_order(chain, answer),
        formula=yes if own == "yes" else no,
        scene=tuple(_lines(story, names)),
        trace=trace,
        shortcuts={
            "reality": answer(()),
            "always yes": "yes",
            "drop the first agent": answer(chain[1:]),
            "drop the last agent": answer(chain[:-1]),
            "ignore who notices": answer(chain, without_watchers(log)),
        },
    )


def _alike(story: str, other: str, question: str, depth: int) -> bool:
    """Return whether two stories are alike to a depth."""
    (one, names), (two, same) = _read(story), _read(other)
    return names == same and alike_to_depth(_log_of(one), _log_of(two), names, depth, facts=_secrets_after)


def _lines(story: Gossips, names: tuple[str, ...]) -> Iterator[str]:
    """Yield the lines of the story in a story file."""
    yield f"agents: {', '.join(names)}"
    yield f"atoms: {', '.join(has(one, other) for one in names for other in names)}"
    yield f"world start: {', '.join(has(name, name) for name in names)}"
    yield from (f"sees {name}: all" for name in names)
    for number, (exchange, _) in enumerate(story, 1):
        yield f"action talk{number}:"
        yield from [f"    {line}" for line in action_lines(action(exchange, names, names))]
        yield f"do: talk{number}"


# --- the generator -----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class _GossipKnobs(family.Knobs):
    """The kind of stories of gossip to make, with three to eight agents."""

    possible = range(3, 9)
    events: Positive = 5


def _random_story(agents: Sequence[str], events: int, order: int, draws: Draws) -> Gossips:
    """Return a random story, in which people who are not present watch and notice, often as many as asked."""
    story: list[tuple[_Exchange, str]] = []
    for _ in range(events):
        present = draws.sample(agents, 2 + draws.below(len(agents) - 2))
        one, other = present[:2]
        outside = [agent for agent in agents if agent not in present]
        links, seen = order if draws.random() < 0.5 else 1 + draws.below(order + 1), [draws.choice(outside)]
        while len(seen) < links:
            seen.append(draws.choice([agent for agent in (*present, seen[0]) if agent != seen[-1]]))
        story.append((_Exchange(one, other, frozenset(present), tuple(seen[:-1])), seen[-1]))
    return tuple(story)


def _twins(
    story: Gossips, order: int, agents: Sequence[str]
) -> Iterator[tuple[Gossips, Gossips, int, tuple[str, ...]]]:
    """Yield a story, its twin in which somebody notices after all, where, and the agents asked about.

    For order 0 somebody talks to another person in the twin.
    """
    for place, (exchange, unaware) in enumerate(story):
        if not order:
            away = {exchange.thing, exchange.place, unaware, *exchange.noticers}
            for other in (agent for agent in agents if agent not in away):
                group = exchange.group if other in exchange.group else frozenset([exchange.thing, other])
                changed = exchange._replace(place=other, group=group)
                twin = family.with_item(story, place, (changed, unaware))
                if _secrets_after(_log_of(story)) != _secrets_after(_log_of(twin)):
                    yield story, twin, place, ()
        elif len(exchange.noticers) == order - 1:
            noticed = exchange._replace(noticers=(*exchange.noticers, unaware))
            twin = family.with_item(story, place, (noticed, ""))
            chain = (unaware, *exchange.noticers[::-1])
            logs = _log_of(story), _log_of(twin)
            clear = not any(surprised(log, chain) for log in logs)
            differ = clear and thought(logs[0], chain) != thought(logs[1], chain)
            if differ and alike_to_depth(*logs, agents, order - 1, facts=_secrets_after):
                yield story, twin, place, chain


def _items(knobs: family.Knobs, draws: Draws, seed: str) -> Iterator[family.Group]:
    """Yield the items of one batch."""

    def found(order: int) -> Iterator[tuple[Gossips, Gossips, int, tuple[str, ...], list[str]]]:
        names = draws.sample(family.NAMES.split(), knobs.agents)
        for twins in _twins(_random_story(names, knobs.events, order, draws), order, names):
            yield *twins, names

    return family.in_turn(knobs, draws, found, lambda twins, _: [_group(*twins, draws, seed)])


def _group(
    one: Gossips, two: Gossips, place: int, chain: tuple[str, ...], names: list[str], draws: Draws, seed: str
) -> family.Group:
    """Return an item about a story, and its twin."""
    here, there = (thought(_log_of(story), chain) for story in (one, two))
    differ = {a: here.get(a, frozenset([a])) ^ there.get(a, frozenset([a])) for a in {**here, **there}}
    pair = draws.choice(sorted((a, b) for a, others in differ.items() for b in others))
    told = [list(_sentences(step, names, draws)) for step in one]
    changed = -1 if chain else 0  # the sentence of the step
    other = told[place].copy()
    other[changed] = list(_sentences(two[place], names, draws))[changed]
    fact = f"{pair[0]} knows {pair[1]}'s secret"
    question = knowing.wording_of([("thinks that", names.index(name)) for name in chain], fact, names)
    made, numbered = [], re.compile("|".join(names))  # names make no difference
    for story, steps in ((one, told), (two, family.with_item(told, place, other))):
        text = " ".join([_RULES.format(A=listed(names)), *(sentence for step in steps for sentence in step)])
        shape = [(e.thing, e.place, sorted(e.group), e.noticers, no) for e, no in story], chain, pair
        made.append((numbered.sub(lambda found: str(names.index(found[0])), str(shape)), text))
    return family.items_told(GOSSIP, made, question, seed=seed, said=(told[place][changed], other[changed]))


GOSSIP = family.Family("gossip", _GossipKnobs, _items, _derive, _alike)
