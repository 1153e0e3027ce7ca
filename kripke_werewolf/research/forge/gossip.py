"""The family of gossip: who has whose parcel, after trades that are seen, watched or unnoticed.

People trade all that they have, as in the puzzle of gossip (Tijdeman 1971) they tell all that they know. But
secrets only spread, so that what one talk changes no other undoes; two trades undo each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kripke_werewolf.base.errors import FormatError, ModelError
from kripke_werewolf.base.randomness import Draws
from kripke_werewolf.logic.formulas.operators import Atom
from kripke_werewolf.logic.semantics.action import Event
from kripke_werewolf.logic.written import action_lines
from kripke_werewolf.research.forge import family, heard, noticed
from kripke_werewolf.research.forge.noticed import Chain, NoticedFamily, NoticedStory, Subject
from kripke_werewolf.research.stories import scenes
from kripke_werewolf.research.stories.occurrences import Log, Occurrence
from kripke_werewolf.research.stories.scenes import Deed, Setting, Wordings, listed, read_list


class _Trade(Occurrence):
    """Two people, `thing` and `place`, swap all they have."""

    __slots__ = ()

    def _put(self, place: str, places: tuple[str, ...]) -> Event:
        pairs = ((self.thing, place), (place, self.thing))
        return Event(post={has(a, c): Atom(has(b, c)) for a, b in pairs for c in places})


def has(agent: str, other: str) -> str:
    """Return the atom that an agent has the parcel of another."""
    return f"has_{agent}_{other}"


# --- the deeds ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Meets(Deed):
    """Two people trade with nobody else present."""

    word = "meets"
    wordings = (
        "{agent} and {other} traded with nobody else present.",
        "{agent} met {other} alone, and they traded.",
    )
    watchable = True
    other: str

    def happen(self, setting: Setting) -> dict[str, Any]:
        """Return the parts of the setting that change."""
        present = read_list(self.names.get("present", self.other))
        self.need(len({self.agent, self.other, *present}) > len(present), "they are others")
        seen = _Trade(self.agent, self.other, frozenset([self.agent, self.other, *present]))
        return {"happened": (*setting.happened, seen)}


@dataclass(frozen=True, slots=True)
class Trades(Meets):
    """Two people trade while others look on."""

    wordings = (
        "{agent} and {other} traded in the presence of {present}.",
        "{agent} and {other} traded, with {present} looking on.",
    )
    present: str


_WORDINGS = scenes.deed_wordings(Meets, Trades, scenes.Watches, scenes.Notices, scenes.Realises)
_RULES = (
    "{A} each have a parcel of their own at first; whenever two of them trade, each gives the other all the "
    "parcels that they have, and nobody sees whose these were; those who are present see who does this, and "
    "know this of each other, and everybody else thinks that nothing happens; those who watch or notice "
    "something go unnoticed, unless the story says otherwise; all of them know these rules, and know this of "
    "each other."
)
_BEGINS = Wordings({"": (_RULES,)})
_FACT = "{a} has {b}'s parcel"
_FACTS = Wordings({"": (_FACT,)})


def _begun(names: Sequence[str]) -> NoticedStory:
    return NoticedStory((), (), (Setting(tuple(names), {}, {}, {}),))


@lru_cache(maxsize=64)
def _read(text: str) -> NoticedStory:
    first, *rest = scenes.sentences(text)
    scene = _begun(read_list(_BEGINS.read(first)[1]["A"]))
    return scene.then([scenes.read_deed(said, scene.start.named(), _WORDINGS) for said in rest])


def _ask(chain: Chain, subject: Subject, start: Setting, draws: Draws) -> str:
    """Return a question in English."""
    asked = [("thinks that", start.agents.index(name)) for name in chain]
    return heard.wording_of(asked, _FACT.format(a=subject[0], b=subject[1]), start.agents)


def _asked(question: str, start: Setting) -> tuple[Chain, Subject]:
    """Return the chain and the subject of a question in English; raise `FormatError` for anything else."""
    names = start.agents
    asked, words = heard.read_wording(question, names)
    if {way for way, _ in asked} - {"thinks that"}:
        raise FormatError(f"{question!r} is not about what {listed(names)} think")
    subject = _FACTS.read(words)[1]
    heard.numbers([*subject.values()], names)
    return tuple([names[place] for _, place in asked]), (subject["a"], subject["b"])


@lru_cache(maxsize=1 << 14)
def _held(log: Log) -> dict[str, str]:
    """Return the parcels by those who have them, as far as they have traded."""
    held: dict[str, str] = {}
    for what in log:
        if what:
            one, two = (held.get(agent, agent) for agent in (what.thing, what.place))
            held |= {what.thing: two, what.place: one}
    return held


def _updates(start: Setting, log: Log, chain: Chain, subject: Subject) -> str | None:
    """Return the answer by the models of the library."""
    names = start.agents
    own = tuple([(has(a, b), a == b) for a in names for b in names])
    after = noticed.after_log(names, names, log, own, len(chain))
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
    for number, trade in enumerate(scene.settings[-1].happened, 1):
        told = action_lines(noticed.action(trade, names, names))
        lines += [f"action trade{number}:", *(f"    {line}" for line in told), f"do: trade{number}"]
    return tuple(lines)


def _draw(knobs: family.Knobs, draws: Draws, agents: Sequence[str], chain: Chain) -> NoticedStory:
    """Return a random story in which a chain of agents often notice something."""
    scene = _begun(agents)
    while sum(isinstance(deed, Meets) for deed in scene.deeds) < knobs.events:
        one, other, *more = present = draws.sample(agents, 2 + draws.below(len(agents) - 2))
        met = Trades(one, other, listed(more)) if more else Meets(one, other)
        links = noticed.links_of(agents, present, chain, draws)
        with suppress(ModelError):  # a link may not see what it should notice
            scene = scene.then([met, *noticed.noticing(links, draws)])
    return scene


class _GossipKnobs(family.Knobs):
    """The kind of stories of gossip to make, with three to eight agents."""

    possible = range(3, 9)


FAMILY = NoticedFamily(
    "gossip",
    _GossipKnobs,
    read=_read,
    begins=lambda start: _RULES.format(A=listed(start.agents)),
    ask=_ask,
    asked=_asked,
    subjects=lambda start: [(a, b) for a in start.agents for b in start.agents],
    choices=lambda subject, start: family.YES_NO,
    facts=lambda log: frozenset(pair for pair in _held(log).items() if len({*pair}) > 1),
    said=lambda held, subject: family.yes_no(dict(held).get(subject[0], subject[0]) == subject[1]),
    open=lambda log, chain: False,
    updates=_updates,
    formula=_formula,
    lines=_lines,
    draw=_draw,
)
