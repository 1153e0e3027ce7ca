"""Frame classes: the properties of an accessibility relation, and those that an update lost.

The properties and the names of the classes are those of the modal cube (Chellas 1980, chapters 3 and 5;
Garson, "Modal Logic", Stanford Encyclopedia of Philosophy).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, NamedTuple, Self

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.errors import ModelError
from kripke_werewolf.logic.formulas.logics import FRAME_CLASSES, FRAME_PROPERTIES
from kripke_werewolf.logic.semantics.worlds import world_text

_NAMES = {properties: name for name, properties in FRAME_CLASSES.items()}
_ALL = frozenset(FRAME_PROPERTIES)


def _having(name: str, meaning: str) -> Any:
    return property(lambda found: name not in found.counterexamples, doc=meaning)


class FrameClass(str, Displayed):
    """The class of one agent's relation: a string such as `S5` or `KD45`, with the reasons.

    `agent`: the agent. `counterexamples`: for each property that fails, a tuple of world names:
    reflexive (w,): w does not see itself; serial (w,): w sees no world;
    symmetric (w, v): w sees v but not the other way round; transitive (w, v, u): w sees v and v
    sees u, but w does not see u; euclidean (w, v, u): w sees v and u, but v does not see u.
    """

    __slots__ = ("agent", "counterexamples")
    agent: str
    counterexamples: Mapping[str, tuple[Hashable, ...]]

    def __new__(cls, agent: str, counterexamples: Mapping[str, tuple[Hashable, ...]]) -> Self:
        """Return the class of a relation that has all properties except those with a counterexample."""
        found = super().__new__(cls, _NAMES[_ALL.difference(counterexamples)])
        found.agent, found.counterexamples = agent, dict(counterexamples)
        return found

    def __getnewargs__(self) -> tuple[str, Mapping[str, tuple[Hashable, ...]]]:  # type: ignore[override]
        return self.agent, self.counterexamples

    def headline(self) -> str:
        """Return the class, and a counterexample for each property that fails."""
        fails = (
            f"not {p} ({', '.join(map(world_text, worlds))})" for p, worlds in self.counterexamples.items()
        )
        return f"the relation of {self.agent} is {self}{''.join(f'; {fail}' for fail in fails)}"

    def __repr__(self) -> str:
        return f"FrameClass({self.agent!r}, {self.counterexamples!r})"

    @property
    def properties(self) -> tuple[str, ...]:
        """The properties that hold."""
        return tuple(p for p in FRAME_PROPERTIES if p not in self.counterexamples)

    reflexive: bool = _having("reflexive", "Whether every world sees itself.")
    serial: bool = _having("serial", "Whether every world sees some world.")
    transitive: bool = _having("transitive", "Whether every world sees all successors of its successors.")
    symmetric: bool = _having("symmetric", "Whether every world is seen by its successors.")
    euclidean: bool = _having("euclidean", "Whether the successors of a world see each other.")

    @property
    def flaws(self) -> Mapping[str, str]:
        """For each property that fails, a sentence."""
        return {
            p: f"not {p}: {_REASONS[p].format(*map(_named, worlds))}"
            for p, worlds in self.counterexamples.items()
        }

    @property
    def reasons(self) -> tuple[str, ...]:
        """The sentences about the properties that fail."""
        return tuple(self.flaws.values())


def _named(world: Hashable) -> str:
    """Return the name of a world; a string is quoted, and the events of a product follow it."""
    return world_text(world) if isinstance(world, tuple) else repr(world)


_REASONS = {
    "reflexive": "{0} does not see itself",
    "serial": "{0} sees no world",
    "transitive": "{0} sees {1}, which sees {2}, but {0} does not see {2}",
    "symmetric": "{0} sees {1}, but {1} does not see {0}",
    "euclidean": "{0} sees {1} and {2}, but {1} does not see {2}",
}


class Loss(NamedTuple):
    """A frame property that an update lost: the agent's class `before` and `after` it."""

    agent: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.agent}: {self.before} -> {self.after}"


def losses(
    before: Mapping[str, Any], old_worlds: Any, after: Mapping[str, Any], worlds: Any
) -> tuple[Loss, ...]:
    """Return the agents whose relation lost a property, with its class before and after."""
    found = []
    for agent, relation in before.items():
        old, new = relation.failures(old_worlds), after[agent].failures(worlds)
        if new.keys() - old.keys():
            found.append(Loss(agent, _NAMES[_ALL.difference(old)], _NAMES[_ALL.difference(new)]))
    return tuple(found)


def properties_of(under: str | Iterable[str]) -> frozenset[str]:
    """Return frame properties, given by name or as the name of a class."""
    known = {**{name: frozenset([name]) for name in FRAME_PROPERTIES}, **FRAME_CLASSES}
    names = [under] if isinstance(under, str) else list(under)
    for name in names:
        if name not in known:
            raise ModelError(f"unknown frame property or class {name!r}; known: {', '.join(known)}")
    return frozenset[str]().union(*map(known.__getitem__, names))
