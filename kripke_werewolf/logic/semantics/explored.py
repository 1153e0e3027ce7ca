"""What models, action models and symbolic structures have in common: names, and arrows between them.

A person explores all of them alike: by the names of the worlds, states or events, never by their places.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, NoReturn, Self, TypeVar

from kripke_werewolf.base.display import Catalogue, Displayed
from kripke_werewolf.base.errors import UnknownAgentError, UnknownNameError, check_known
from kripke_werewolf.base.usage import unchangeable
from kripke_werewolf.logic.formulas.syntax import agent_name

if TYPE_CHECKING:
    from kripke_werewolf.base.reports.documents import Block

W = TypeVar("W", bound=Hashable)
T = TypeVar("T")

SHOWN = 12  # names, or pairs of names, in a line
_LISTED = 100_000  # pairs up to which a line begins to list a relation


class NameSet(Set[W], Displayed):
    """Names of worlds, states or events, in order; it compares and combines like any set.

    >>> NameSet(["w", "v"]) & {"v", "u"}, NameSet(["w", "v"]) == {"v", "w"}
    ({'v'}, True)
    """

    __slots__ = ("_names",)
    _names: Mapping[W, None]

    def __init__(self, names: Iterable[W]) -> None:
        self._names = dict.fromkeys(names)

    @classmethod
    def _from_iterable(cls, names: Iterable[Any]) -> NameSet[Any]:
        return NameSet(names)

    def __iter__(self) -> Iterator[W]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, Hashable) and name in self._names

    __hash__ = Set._hash

    def headline(self) -> str:
        """Return the first names, and for a large set their number."""
        return "{" + shortened(map(name_shown, self._first()), len(self)) + "}"

    def _first(self) -> Iterable[W]:
        """Return at least the names that are shown."""
        return self

    def __repr__(self) -> str:
        return self.headline()


def name_shown(name: Any) -> str:
    """Return a name as it is written; of one that a thousand updates have nested too deeply, only the end."""
    try:
        return repr(name)
    except RecursionError:
        return f"(…, {name[-1]!r})"


def shortened(words: Iterable[str], number: int, between: str = ", ") -> str:
    """Return the first words, and for many their number."""
    shown = between.join(islice(words, SHOWN))
    return shown if number <= SHOWN else f"{shown}{between}… ({number:,} in all)"


@dataclass(frozen=True, slots=True, repr=False)
class PossibleWorld(Displayed, Generic[W]):
    """A world of a model: its name, the atoms that are true there, and what each agent considers possible."""

    name: W
    atoms: tuple[str, ...]
    sees: Mapping[str, Set[W]]

    def headline(self) -> str:
        """Return the name, the true atoms, and for each agent the worlds it considers possible."""
        seen = "".join(f"; {agent} considers {worlds} possible" for agent, worlds in self.sees.items())
        return f"{name_shown(self.name)}: {', '.join(self.atoms) or 'no atom'} true{seen}"


class Explored(ABC, Generic[W]):
    """Worlds, states or events, with a relation between them for each agent."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise unchangeable(self, name)

    @property
    @abstractmethod
    def agents(self) -> tuple[str, ...]:
        """The names of the agents, in order."""

    @abstractmethod
    def __iter__(self) -> Iterator[W]:
        """Yield the names, in order."""

    @abstractmethod
    def successors(self, agent: object, at: W) -> NameSet[W]:
        """Return the worlds, states or events that an agent considers possible at one."""

    @abstractmethod
    def predecessors(self, agent: object, at: W) -> NameSet[W]:
        """Return the worlds, states or events where an agent considers one possible."""

    @abstractmethod
    def reachable(self, agents: object, at: W) -> NameSet[W]:
        """Return the worlds that some agents reach from one in one or more steps: C is about them."""

    def classes(self, agent: object) -> list[list[W]] | None:
        """Return the classes of an agent's relation; None if it is not an equivalence."""
        sees = {w: tuple(self.successors(agent, w)) for w in self}
        if any(w not in seen or any(sees[v] != seen for v in seen) for w, seen in sees.items()):
            return None
        return [list(cell) for cell in dict.fromkeys(sees.values())]

    def relation(self, agent: object) -> Accessibility[W]:
        """Return an agent's accessibility relation: pairs (w, v) such that it considers v possible at w."""
        return Accessibility(self, self._agent(agent))

    @property
    def relations(self) -> Mapping[str, Accessibility[W]]:
        """For each agent, its accessibility relation."""
        return Catalogue(self.agents, self.relation)

    def replace(self, **parts: Any) -> Self:
        """Return a copy with some of the parts that its constructor takes replaced, given by name.

        `copy.replace(model, …)` is the same in Python 3.13.

        >>> from kripke_werewolf import KripkeModel
        >>> m = KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]]}, {"p": ["w"]})
        >>> m.replace(valuation={"p": ["v"]}, designated="v").holds("p & ~K_a p")
        True
        """
        given = self._given()
        if unknown := sorted(parts.keys() - given.keys()):
            allowed = f"its parts are {', '.join(given)}" if given else "build a new one"
            raise TypeError(f"{type(self).__name__} cannot replace {', '.join(unknown)}; {allowed}")
        return type(self)(**{**given, **parts})

    __replace__ = replace

    def _given(self) -> dict[str, Any]:
        """Return the parts that the constructor takes."""
        return {}

    def _agent(self, agent: object) -> str:
        name = agent_name(agent)
        return check_known(name, self.agents, UnknownAgentError)

    def _pairs(self, agent: str) -> Iterator[tuple[W, W]]:
        """Yield the pairs of a relation, in order."""
        return ((w, v) for w in self for v in self.successors(agent, w))

    def _arrows(self, agent: str) -> int:
        """Return the number of pairs in a relation."""
        return sum(len(self.successors(agent, w)) for w in self)

    def _alike(self, agent: str, other: Explored[Any], their: str) -> bool:
        """Return whether the relation of an agent has the same pairs as another one."""
        return set(self.relation(agent)) == set(other.relation(their))

    def _pictured(self, agent: str) -> Iterable[Block]:
        """Return the picture of a relation."""
        return ()


class Accessibility(Set[tuple[W, W]], Displayed):
    """An agent's accessibility relation: the pairs (w, v) such that it considers v possible at w.

    It compares and combines like any set of pairs.

    >>> from kripke_werewolf import KripkeModel
    >>> m = KripkeModel([1, 2, 3], {"a": [(1, 2), (2, 2)]}, {})
    >>> (1, 2) in m.relation("a"), m.relation("a") == {(2, 2), (1, 2)}, m.relation("a")
    (True, True, <Accessibility: a: 1 → 2, 2 → 2>)
    >>> m.closed("a").relation("a")
    <Accessibility: a: {1, 2} {3}>
    """

    __slots__ = ("agent", "among")
    among: Explored[W]
    agent: str

    def __init__(self, among: Explored[W], agent: str) -> None:
        self.among, self.agent = among, agent

    _from_iterable: Any = NameSet

    def __iter__(self) -> Iterator[tuple[W, W]]:
        return self.among._pairs(self.agent)

    def __len__(self) -> int:
        return self.among._arrows(self.agent)

    def __contains__(self, pair: object) -> bool:
        try:
            return isinstance(pair, tuple) and len(pair) == 2 and pair[1] in self.successors(pair[0])
        except UnknownNameError:
            return False

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Accessibility):
            return self.among._alike(self.agent, other.among, other.agent)
        return super().__eq__(other)

    __hash__ = Set._hash

    def successors(self, at: W) -> NameSet[W]:
        """Return the worlds that the agent considers possible at a world."""
        return self.among.successors(self.agent, at)

    @property
    def classes(self) -> list[list[W]] | None:
        """The classes of the relation; None if it is not an equivalence."""
        return self.among.classes(self.agent)

    def headline(self) -> str:
        """Return the agent, with the classes of an equivalence, otherwise its arrows or their number."""
        if (number := len(self)) > _LISTED:
            return f"{self.agent}: {number:,} pairs"
        if (classes := self.classes) is not None:
            cells = (repr(NameSet(cell)) for cell in classes)
            return f"{self.agent}: {shortened(cells, len(classes), ' ')}"
        arrows = (f"{name_shown(w)} → {name_shown(v)}" for w, v in self)
        return f"{self.agent}: {shortened(arrows, number) or 'no arrows'}"

    def display(self) -> Iterator[Block]:
        """Yield the line, and the picture of the relation where there is one."""
        yield from super().display()
        yield from self.among._pictured(self.agent)
