"""What deeds do to beliefs about where a thing is, as action models.

Beliefs in scenes without models: what has happened, as a chain of agents takes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce
from itertools import accumulate
from typing import Literal, NamedTuple, TypeAlias

from kripke_werewolf.logic.formulas.operators import Atom
from kripke_werewolf.logic.semantics.action import ActionModel, Event


def is_in(thing: str, place: str) -> str:
    """Return the atom that a thing is in a place."""
    return f"{thing}_in_{place}"


IS_IN = {is_in("{thing}", "{place}"): "the {thing} is in the {place}"}
"""The phrase for these atoms."""


class Occurrence(NamedTuple):
    """What a deed does to beliefs about where a thing is.

    `place`: where the thing is afterwards, or is said to be; empty for a look. `group`: those who see it in
    common. `noticers`: the first watches from outside, each of the others notices that the one before has
    watched or noticed, and nobody else notices that. `by`: who looks. `other`: the place whose content is
    swapped with that of `place`, unseen.
    """

    thing: str
    place: str
    group: frozenset[str]
    noticers: tuple[str, ...] = ()
    kind: Literal["moved", "told", "looked"] = "moved"
    by: str = ""
    other: str = ""

    def action(self, agents: tuple[str, ...], places: tuple[str, ...]) -> ActionModel:
        """Return the action model, for the places where the thing may be.

        >>> told = Occurrence("ball", "box", frozenset({"Anne", "Bob"}), kind="told")
        >>> told.action(("Anne", "Bob", "Cy"), ("box", "bag")).relations["Anne"]
        <Accessibility: Anne: 'nothing' → 'nothing', 'seen' → 'seen', 'said' → 'seen'>
        """
        idle = {agent: ["nothing"] for agent in agents}
        events, views = {"nothing": Event()}, {"nothing": idle}  # views: what each takes to happen
        if self.by:
            actual = [f"looks in {place}" for place in places]
            for place, name in zip(places, actual, strict=True):
                events[name], found = Event(Atom(is_in(self.thing, place))), f"finds in {place}"
                events[found] = self._put(place, places)
                views[name] = idle | dict.fromkeys(self.group, actual) | {self.by: [found]}
                views[found] = views[name]
        else:
            actual, view = ["seen"], idle | {agent: ["seen"] for agent in self.group}
            events["seen"], views["seen"] = self._put(self.place, places), view
            for noticer in self.noticers:
                actual = [f"{actual[0]}, by {noticer}"]
                view = view | {noticer: actual}
                events[actual[0]], views[actual[0]] = events["seen"], view
            if self.kind == "told":
                events["said"], views["said"], actual = Event(), view, ["said"]
        relations = {agent: [(e, f) for e, view in views.items() for f in view[agent]] for agent in agents}
        return ActionModel(events, relations, actual, name=self.kind)

    def _put(self, place: str, places: tuple[str, ...]) -> Event:
        if self.other:
            one, two = is_in(self.thing, place), is_in(self.thing, self.other)
            return Event(post={one: Atom(two), two: Atom(one)})
        return Event(post={is_in(self.thing, other): other == place for other in places})


Log: TypeAlias = tuple[Occurrence | None, ...]
"""What has happened to one thing, with None where nothing seems to have happened."""


@lru_cache(maxsize=1 << 14)
def perspective(log: Log, agent: str) -> Log:
    """Return the log that an agent takes for the actual one."""
    return tuple([what and _taken(log[:step], what, agent) for step, what in enumerate(log)])


def _taken(before: Log, what: Occurrence, agent: str) -> Occurrence | None:
    """Return the occurrence that an agent takes for this one, after others."""
    if agent == what.by:
        return what if what.place else what._replace(place=place_in(before) or "")
    if agent in what.noticers:
        last = len(what.noticers) - what.noticers[::-1].index(agent)
        return what._replace(noticers=what.noticers[:last], kind="moved")
    if agent not in what.group:
        return None
    if what.by:
        return what._replace(place="")
    common = not what.noticers and what.kind == "moved"
    return what if common else what._replace(noticers=(), kind="moved")


def place_in(log: Log) -> str | None:
    """Return where the thing is after what has happened; None if nothing has put it anywhere."""
    place = None
    for what in log:
        if what and what.other:
            place = {what.place: what.other, what.other: what.place}.get(place or "", place)
        elif what and what.place and what.kind != "told":
            place = what.place
    return place


def believed(log: Log, chain: Iterable[str]) -> str | None:
    """Return where the first agent of a chain thinks that the next thinks … that the thing is."""
    return place_in(reduce(perspective, chain, log))


def left_open(log: Log, chain: Sequence[str]) -> bool:
    """Return whether the story leaves open what a chain of agents thinks.

    Those who find a thing, or hear of it, where they did not expect it have missed something, and may guess
    who else has seen it. So it is open what they think that others think, until these see the thing with
    them.
    """
    logs = [*accumulate(chain, perspective, initial=log)]
    shown = [bool(what and what.place and what.kind != "told" and not what.other) for what in logs[-1]]
    last = max((n for n, seen in enumerate(shown) if seen), default=0)
    return any(_surprised_at(before, agent) > last for before, agent in zip(logs, chain[:-1], strict=False))


@lru_cache(maxsize=1 << 14)
def _surprised_at(log: Log, agent: str) -> int:
    """Return the last step at which an agent learns that a thing was not where they thought; -1 if none."""
    last = -1
    for step, (what, taken) in enumerate(zip(log, perspective(log, agent), strict=True)):
        if what and taken and not what.other and what.by in ("", agent):
            place = what.place if what.kind == "told" else place_in(log[:step])
            if place != believed(log[:step], (agent,)):
                last = step
    return last


def alike_to_depth(one: Log, other: Log, agents: Sequence[str], depth: int) -> bool:
    """Return whether the thing is in the same place to all chains of at most `depth` agents.

    Every agent has one successor everywhere, so the models are then bisimilar to this depth.
    """
    if one == other or depth < 0:
        return True
    if place_in(one) != place_in(other):
        return False
    return depth == 0 or all(
        alike_to_depth(perspective(one, agent), perspective(other, agent), agents, depth - 1)
        for agent in agents
    )
