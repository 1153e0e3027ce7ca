"""The family of gossip: who has whose parcel, after trades that are seen, watched or unnoticed.

People trade all that they have, as in the puzzle of gossip (Tijdeman 1971) they tell all that they know. But
secrets only spread, so that what one talk changes no other undoes; two trades undo each other. A trade is a
swap between two of the places of a room, which are the people, and those who are present are in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kripke_werewolf.base.errors import FormatError, ModelError
from kripke_werewolf.base.randomness import Draws
from kripke_werewolf.research.forge import family, noticed
from kripke_werewolf.research.forge.noticed import Chain, NoticedFamily, NoticedStory
from kripke_werewolf.research.stories import scenes
from kripke_werewolf.research.stories.scenes import Deed, Setting, Swaps, Wordings, listed, read_list

_MARKET, _PARCEL = "market", "parcel_of_"


@dataclass(frozen=True, slots=True)
class Meets(Deed):
    """Two people trade with nobody else present."""

    wordings = (
        "{agent} and {other} traded with nobody else present.",
        "{agent} met {other} alone, and they traded.",
    )
    watchable = True
    other: str

    @property
    def people(self) -> list[str]:
        """Those who are there."""
        return [name for some in self.names.values() for name in read_list(some)]

    def happen(self, setting: Setting) -> dict[str, Any]:
        """Return the parts of the setting that change."""
        inside = dict.fromkeys(self.people, _MARKET)
        self.need(len(inside) == len(self.people), "these are not different people")
        return Swaps(self.agent, self.agent, self.other).happen(setting._replace(inside=inside))


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


def _begun(names: Sequence[str]) -> NoticedStory:
    parcels = {f"{_PARCEL}{name}": name for name in names}
    return NoticedStory((), (), (Setting(tuple(names), {_MARKET: tuple(names)}, parcels, {}).begun(),))


@lru_cache(maxsize=64)
def _read(text: str) -> NoticedStory:
    first, *rest = scenes.sentences(text)
    scene = _begun(read_list(_BEGINS.read(first)[1]["A"]))
    return scene.then([scenes.read_deed(said, scene.start.named(), _WORDINGS) for said in rest])


def _ask(chain: Chain, parcel: str, draws: Draws | None = None) -> str:
    """Return a question in English."""
    if not chain:
        return f"Who really has {parcel.removeprefix(_PARCEL)}'s parcel?"
    inner = "".join(f"that {name} thinks " for name in chain[1:])
    return f"Who does {chain[0]} think {inner}has {parcel.removeprefix(_PARCEL)}'s parcel?"


def _asked(question: str, start: Setting) -> tuple[Chain, str]:
    """Return the chain and the parcel of a question in English; raise `FormatError` for anything else."""
    *chain, owner = [name for name in re.findall(r"\w+", question) if name in start.agents] or [""]
    if _ask(tuple(chain), f"{_PARCEL}{owner}") != question:
        raise FormatError(f"{question!r} is not about who has whose parcel in this story")
    return tuple(chain), f"{_PARCEL}{owner}"


def _lines(scene: NoticedStory) -> tuple[str, ...]:
    """Return the lines of a story file, in which those who are present come in and leave."""
    inside, lines = list[str](), scene.start.lines()
    for deed in scene.deeds:
        if isinstance(deed, Meets):
            lines += [f"leave {name}: {_MARKET}" for name in inside]
            inside = deed.people
            lines += [f"enter {name}: {_MARKET}" for name in inside]
            lines.append(Swaps(deed.agent, deed.agent, deed.other).line())
        else:
            lines.append(deed.line())
    return tuple(filter(None, lines))


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

    possible = family.Knobs.possible | {"agents": range(3, 9)}


GOSSIP = NoticedFamily(
    "gossip",
    _GossipKnobs,
    read=_read,
    begins=lambda start: _RULES.format(A=listed(start.agents)),
    ask=_ask,
    asked=_asked,
    lines=_lines,
    draw=_draw,
)
