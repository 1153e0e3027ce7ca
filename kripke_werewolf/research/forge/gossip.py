"""The family of gossip: who knows whose secret, after talks that are seen, watched or unnoticed.

Tijdeman 1971 for the puzzle. That somebody knows a secret is a fact; questions are about beliefs about it. In
quadruples people swap parcels instead: secrets only spread, so what one talk changes, no other undoes.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate
from typing import Any

from kripke_werewolf.base.errors import FormatError, ModelError
from kripke_werewolf.base.randomness import Draws
from kripke_werewolf.logic.formulas.operators import Atom, Or
from kripke_werewolf.logic.semantics.action import Event
from kripke_werewolf.logic.written import action_lines
from kripke_werewolf.research.forge import family, knowing, noticed
from kripke_werewolf.research.forge.noticed import Chain, NoticedFamily, NoticedStory, Subject
from kripke_werewolf.research.stories import scenes
from kripke_werewolf.research.stories.occurrences import Log, Occurrence, perspective
from kripke_werewolf.research.stories.scenes import Deed, Setting, Wordings, listed, read_list


class _Exchange(Occurrence):
    """Two people, `thing` and `place`, tell each other all secrets that they know, or swap all they have."""

    __slots__ = ()

    def _put(self, place: str, places: tuple[str, ...]) -> Event:
        pairs = ((self.thing, place), (place, self.thing))
        if self.other:
            return Event(post={has(a, c): Atom(has(b, c)) for a, b in pairs for c in places})
        return Event(post={has(a, c): Or(has(a, c), has(b, c)) for a, b in pairs for c in places if c != a})


def has(agent: str, other: str) -> str:
    """Return the atom that an agent knows the secret of another, or has their parcel."""
    return f"has_{agent}_{other}"


@lru_cache(maxsize=1 << 14)
def _held(log: Log) -> dict[str, frozenset[str]]:
    """Return whose secrets or parcels those have who have talked or swapped."""
    held: dict[str, frozenset[str]] = {}
    for what in log:
        if what:
            one, two = (held.get(agent, frozenset([agent])) for agent in (what.thing, what.place))
            if not what.other:
                one = two = one | two
            held = {**held, what.thing: two, what.place: one}
    return held


@lru_cache(maxsize=1 << 14)
def _surprised(log: Log, agent: str) -> bool:
    """Return whether an agent hears more or less than they expect.

    What they then think of the others is left open: they may guess that there was a talk they missed.
    """
    taken = perspective(log, agent)
    for number, what in enumerate(log):
        pair = (what.thing, what.place) if what and not what.other else ()
        known, expected = _held(log[:number]), _held(taken[:number])
        if agent in pair and any(known.get(who) != expected.get(who) for who in pair):
            return True
    return False


# --- the deeds ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Meets(Deed):
    """Two people talk or swap parcels with nobody else present."""

    word = "meets"
    wordings = (
        "{agent} and {other} {did} with nobody else present.",
        "{agent} met {other} alone, and they {did}.",
    )
    watchable = True
    other: str
    did: str

    def happen(self, setting: Setting) -> dict[str, Any]:
        """Return the parts of the setting that change."""
        present = read_list(self.names.get("present", self.other))
        self.need(len({self.agent, self.other, *present}) > len(present), "they are others")
        seen = _Exchange(self.agent, self.other, frozenset([self.agent, self.other, *present]))
        parcels = self.did if self.did == _DID["parcel"] else ""
        return {"happened": (*setting.happened, seen._replace(other=parcels))}


@dataclass(frozen=True, slots=True)
class Talks(Meets):
    """Two people talk or swap parcels while others look on."""

    wordings = (
        "{agent} and {other} {did} in the presence of {present}.",
        "{agent} and {other} {did}, with {present} looking on.",
    )
    present: str


_DID = {"secret": "talked", "parcel": "traded"}
_WORDINGS = scenes.deed_wordings(Meets, Talks, scenes.Watches, scenes.Notices, scenes.Realises)
_RULES = (
    "{{A}} each have a {} at first; {}; those who are present see who does this, and know this of each "
    "other, and everybody else thinks that nothing happens; those who watch or notice something go "
    "unnoticed, unless the story says otherwise; all of them know these rules, and know this of each other."
)
_KINDS = {
    "secret": _RULES.format(
        "secret that nobody else knows",
        "whenever two of them talk, they tell each other all the secrets that they know, and nobody else "
        "hears them",
    ),
    "parcel": _RULES.format(
        "parcel of their own",
        "whenever two of them trade, each gives the other all the parcels that they have, and nobody sees "
        "whose these were",
    ),
}
_BEGINS = Wordings({kind: (words,) for kind, words in _KINDS.items()})
_FACTS = {"secret": "{a} knows {b}'s secret", "parcel": "{a} has {b}'s parcel"}
_READ = {kind: Wordings({kind: (words,)}) for kind, words in _FACTS.items()}


def _begun(names: Sequence[str], kind: str) -> NoticedStory:
    """Return a story without deeds; what people have at first stands in the place of a room."""
    return NoticedStory((), (), (Setting(tuple(names), {kind: ()}, {}, {}),))


@lru_cache(maxsize=64)
def _read(text: str) -> NoticedStory:
    first, *rest = scenes.sentences(text)
    kind, given = _BEGINS.read(first)
    scene = _begun(read_list(given["A"]), kind)
    named = {**scene.start.named(), "did": _DID.values()}
    return scene.then([scenes.read_deed(said, named, _WORDINGS) for said in rest])


def _ask(chain: Chain, subject: Subject, start: Setting, draws: Draws) -> str:
    """Return a question in English."""
    fact = _FACTS[min(start.rooms)].format(a=subject[0], b=subject[1])
    asked = [("thinks that", start.agents.index(name)) for name in chain]
    return knowing.wording_of(asked, fact, start.agents)


def _asked(question: str, start: Setting) -> tuple[Chain, Subject]:
    """Return the chain and the subject of a question in English; raise `FormatError` for anything else."""
    names = start.agents
    asked, words = knowing.read_wording(question, names)
    if {way for way, _ in asked} - {"thinks that"}:
        raise FormatError(f"{question!r} is not about what {listed(names)} think")
    _, subject = _READ[min(start.rooms)].read(words)
    knowing.numbers([*subject.values()], names)
    return tuple([names[place] for _, place in asked]), (subject["a"], subject["b"])


def _open(log: Log, chain: Sequence[str]) -> bool:
    seen = accumulate(chain, perspective, initial=log)
    return any(_surprised(own, agent) for own, agent in zip(seen, chain, strict=False))


def _updates(start: Setting, log: Log, chain: Chain, subject: Subject) -> str | None:
    """Return the answer by the models of the library."""
    names = start.agents
    after = noticed.unfolded(names, names, log, tuple([(has(a, b), a == b) for a in names for b in names]))
    return noticed.only_true(after, {answer: _formula(chain, subject, answer) for answer in family.YES_NO})


def _formula(chain: Chain, subject: Subject, answer: str) -> str:
    fact = has(*subject) if answer == "yes" else f"~{has(*subject)}"
    return "".join(f"B_{agent} " for agent in chain) + fact


def _lines(scene: NoticedStory) -> tuple[str, ...]:
    """Return the lines of a story file."""
    names = scene.start.agents
    lines = [f"agents: {', '.join(names)}", f"atoms: {', '.join(has(a, b) for a in names for b in names)}"]
    lines.append(f"world start: {', '.join(has(name, name) for name in names)}")
    lines += [f"sees {name}: all" for name in names]
    for number, exchange in enumerate(scene.settings[-1].happened, 1):
        told = action_lines(noticed.action(exchange, names, names))
        lines += [f"action talk{number}:", *(f"    {line}" for line in told), f"do: talk{number}"]
    return tuple(lines)


def _others(deed: Deed, start: Setting, draws: Draws) -> Sequence[Deed]:
    """Return talks with another person."""
    away = {*deed.names.values(), *read_list(deed.names.get("present", ""))}
    free = [agent for agent in start.agents if agent not in away]
    return [replace(deed, other=agent) for agent in free if isinstance(deed, Meets)]


def _draw(knobs: family.Knobs, order: int, draws: Draws) -> tuple[NoticedStory, Chain]:
    """Return a random story, and who is asked about in quadruples."""
    agents = draws.sample(family.NAMES.split(), knobs.agents)
    kind = "parcel" if knobs.quadruples else "secret"
    chain = family.random_chain(agents, order, draws) if knobs.quadruples else ()
    scene = _begun(agents, kind)
    while sum(isinstance(deed, Meets) for deed in scene.deeds) < knobs.events:
        one, other, *more = present = draws.sample(agents, 2 + draws.below(len(agents) - 2))
        met = Talks(one, other, _DID[kind], listed(more)) if more else Meets(one, other, _DID[kind])
        links = noticed.links_of(agents, present, chain, order, draws)
        with suppress(ModelError):  # a link may not see what it should notice
            scene = scene.then([met, *noticed.noticing(links, not chain or draws.random() < 0.5)])
    return scene, chain


class _GossipKnobs(family.Knobs):
    """The kind of stories of gossip to make, with three to eight agents."""

    possible = range(3, 9)


FAMILY = NoticedFamily(
    "gossip",
    _GossipKnobs,
    read=_read,
    begins=lambda start: _KINDS[min(start.rooms)].format(A=listed(start.agents)),
    ask=_ask,
    asked=_asked,
    subjects=lambda start: [(a, b) for a in start.agents for b in start.agents],
    choices=lambda subject, start: family.YES_NO,
    facts=lambda log: frozenset([(a, b) for a, others in _held(log).items() for b in others ^ {a}]),
    said=lambda facts, subject: family.yes_no((subject in facts) != (subject[0] == subject[1])),
    open=_open,
    updates=_updates,
    formula=_formula,
    lines=_lines,
    others=_others,
    draw=_draw,
)
