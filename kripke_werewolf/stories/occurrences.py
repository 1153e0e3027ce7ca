"""What deeds do to beliefs about where a thing is, as action models."""

from __future__ import annotations

from typing import Literal, NamedTuple

from kripke_werewolf.language.operators import Atom
from kripke_werewolf.semantics.action import ActionModel, Event


def is_in(thing: str, place: str) -> str:
    """Return the atom that a thing is in a place."""
    return f"{thing}_in_{place}"


IS_IN = {is_in("{thing}", "{place}"): "the {thing} is in the {place}"}
"""The phrase for these atoms."""


class Occurrence(NamedTuple):
    """What a deed does to beliefs about where a thing is.

    `place`: where the thing is afterwards, or is said to be; empty for a look. `group`: those who see it in
    common. `noticers`: the first watches from outside, each of the others notices that the one before has
    watched or noticed, and nobody else notices that. `by`: who looks.
    """

    thing: str
    place: str
    group: frozenset[str]
    noticers: tuple[str, ...] = ()
    kind: Literal["moved", "told", "looked"] = "moved"
    by: str = ""

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
        return Event(post={is_in(self.thing, other): other == place for other in places})
