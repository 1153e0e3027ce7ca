"""Action models: events that agents may confuse, with preconditions and postconditions.

Baltag, Moss and Solecki 1998 for events and product update; van Ditmarsch, van der Hoek and Kooi
2007 (chapter 6) and van Ditmarsch and Kooi 2008 for postconditions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial, reduce
from math import lcm
from operator import and_
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, TypeVar, Unpack

from kripke_werewolf.base.display import DRAWN_WORLDS, Displayed
from kripke_werewolf.base.drawing import Options, Picture, drawer
from kripke_werewolf.base.errors import (
    FormulaError,
    ModelError,
    UnknownActionError,
    UnknownAgentError,
    UnknownAtomError,
    check_known,
)
from kripke_werewolf.base.grouping import grouped, remembered
from kripke_werewolf.base.usage import Explaining, set_parts
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.syntax import (
    Formula,
    FormulaLike,
    agent_name,
    formula,
    group_of,
    natural,
    rational,
)
from kripke_werewolf.logic.semantics.bits import Classes, ManySteps, Rows, gathered, members, renumbered
from kripke_werewolf.logic.semantics.explored import Explored, NameSet
from kripke_werewolf.logic.semantics.space import Space, Together, check_formula_names

if TYPE_CHECKING:
    from kripke_werewolf.base.reports.documents import Block

T = TypeVar("T")
Sight: TypeAlias = tuple[int, ...]
"""An agent's relation over events: for each event the events considered possible then, as bits."""


def is_equivalence(sight: Sequence[int]) -> bool:
    """Return whether a relation over events is an equivalence.

    >>> is_equivalence((0b01, 0b10)), is_equivalence((0b10, 0b10))
    (True, False)
    """
    return all(seen >> e & 1 for e, seen in enumerate(sight)) and all(
        sight[f] == seen for seen in set(sight) for f in members(seen)
    )


class Event(Explaining):
    """A possible event, with its precondition and postconditions.

    `pre`: the precondition, a formula. `post`: for each atom that changes, a formula; the atom takes its
    truth value before the event, all atoms simultaneously. `weight`: the likelihood of the event relative to
    the events that an agent cannot distinguish from it, a rational number. `rank`: how implausible the event
    is among those, a number for all agents or {agent: number}, with 0 for agents who are not named. An update
    orders the worlds by their events first, and then as before (Baltag and Smets 2008).
    """

    __slots__ = ("post", "pre", "ranks", "weight")
    __match_args__ = ("pre", "post", "weight")
    pre: Formula
    post: Mapping[str, Formula]
    weight: Fraction
    ranks: Mapping[str, int]  # positive ones; under "" that of all agents who are not named

    def __init__(
        self,
        pre: FormulaLike = True,
        post: Mapping[str, FormulaLike] | None = None,
        *,
        weight: object = 1,
        rank: int | Mapping[str, int] = 0,
    ) -> None:
        if post is not None and not isinstance(post, Mapping):
            raise ModelError(f"postconditions must be given as {{atom: formula}}, got {post!r}")
        found = rational(weight)
        if found <= 0:
            raise ModelError(f"the weight of an event must be positive, got {weight!r}")
        changes = {atom: formula(f) for atom, f in sorted((post or {}).items())}
        given = rank if isinstance(rank, Mapping) else {"": rank}
        ranks = {agent: natural(number, "the rank of an event") for agent, number in sorted(given.items())}
        set_parts(self, pre=formula(pre), post=changes, weight=found)
        set_parts(self, ranks=ranks if any(ranks.values()) else {})

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"events are immutable: cannot set {name!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(Event, weight=self.weight, rank=dict(self.ranks)), (self.pre, dict(self.post))

    def _key(self) -> tuple[Any, ...]:
        return self.pre, tuple(self.post.items()), self.weight, tuple(self.ranks.items())

    def rank_for(self, agent: str) -> int:
        """Return how implausible the event is for an agent."""
        return self.ranks.get(agent, self.ranks.get("", 0))

    def changing(self, post: Mapping[str, Formula], pre: Formula | None = None) -> Event:
        """Return the same event with other postconditions, and perhaps another precondition."""
        return Event(self.pre if pre is None else pre, post, weight=self.weight, rank=self.ranks)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Event):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        parts = [repr(str(self.pre))]
        if self.post:
            parts.append(repr({atom: str(f) for atom, f in self.post.items()}))
        if self.weight != 1:
            parts.append(f"weight={str(self.weight)!r}")
        if self.ranks:
            parts.append(f"rank={self.ranks!r}")
        return f"Event({', '.join(parts)})"


class ActionModel(Explored[Hashable], Displayed):
    """A (multi-)pointed action model; an immutable value.

    `events`: {name: Event}, or {name: formula} for an event with that precondition which changes
    nothing. `relations`: for each agent, the pairs (e, f) such that the agent
    considers it possible that f happens when e does. `designated`: the events that may be the
    actual one; by default all. `others`: the pairs for every agent not in `relations`; without it,
    such an agent is an error. `name`: the name of the action in formulas and pictures.

    >>> show = ActionModel({"e": "p", "idle": Event()}, {"a": [("e", "e"), ("idle", "idle")]},
    ...                    ["e"], others=[("e", "idle"), ("idle", "idle")])
    """

    called_in_examples = "action"
    __slots__ = ("_found", "_hash", "_others", "_sights", "designated", "events", "name")
    events: Mapping[Hashable, Event]
    designated: tuple[Hashable, ...]
    _sights: Mapping[str, Sight]
    _others: Sight | None
    name: str
    _hash: int
    _found: dict[Hashable, Any]  # cached facts about the action

    def __init__(
        self,
        events: Mapping[Any, Event | FormulaLike],
        relations: Mapping[Any, Iterable[tuple[Hashable, Hashable]]],
        designated: Iterable[Hashable] | None = None,
        *,
        others: Iterable[tuple[Hashable, Hashable]] | None = None,
        name: str = "action",
    ) -> None:
        number = {event: i for i, event in enumerate(events)}
        read = {agent_name(a): _sight(pairs, number) for a, pairs in relations.items()}
        rest = None if others is None else _sight(others, number)
        self._fill(events, read, designated, rest, name)

    @classmethod
    def from_partitions(
        cls,
        events: Mapping[Any, Event | FormulaLike],
        classes: Mapping[Any, Iterable[Iterable[Hashable]]],
        designated: Iterable[Hashable] | None = None,
        *,
        others: Iterable[Iterable[Hashable]] | None = None,
        name: str = "action",
    ) -> ActionModel:
        """Return the action in which each agent can tell apart the events of different classes only.

        `classes` gives each agent lists of events; `others` the same for all other agents. Raises
        `ModelError` for classes that overlap or leave out an event.

        >>> coin = {"heads": "h", "tails": "~h"}
        >>> looks = ActionModel.from_partitions(
        ...     coin, {"a": [["heads"], ["tails"]]}, others=[["heads", "tails"]])
        >>> looks.relation("a"), looks.relation("b")
        (<Accessibility: a: {'heads'} {'tails'}>, <Accessibility: b: {'heads', 'tails'}>)
        """
        sights = {agent_name(a): _cells(given, events, f"agent {a!r}") for a, given in classes.items()}
        rest = None if others is None else _cells(others, events, "the other agents")
        return cls._of_sights(events, sights, designated, rest, name)

    @classmethod
    def from_observations(
        cls,
        events: Mapping[Any, Event | FormulaLike],
        observations: Mapping[Any, Callable[[Any], Hashable]],
        designated: Iterable[Hashable] | None = None,
        *,
        others: Callable[[Any], Hashable] | None = None,
        name: str = "action",
    ) -> ActionModel:
        """Return the action in which an agent cannot tell apart events with the same observation.

        `observations` gives each agent a function of the event's name; `others` the same for all others.

        >>> coin = {"heads": Event("h"), "tails": Event("~h")}
        >>> looks = ActionModel.from_observations(coin, {"a": str}, others=lambda event: None)
        >>> looks.relation("a"), looks.relation("b")
        (<Accessibility: a: {'heads'} {'tails'}>, <Accessibility: b: {'heads', 'tails'}>)
        """
        sights = {agent_name(agent): _alike(map(sees, events)) for agent, sees in observations.items()}
        rest = None if others is None else _alike(map(others, events))
        return cls._of_sights(events, sights, designated, rest, name)

    def _fill(
        self,
        given: Mapping[Any, Event | FormulaLike],
        relations: Mapping[str, Sight],
        designated: Iterable[Hashable] | None,
        others: Sight | None,
        name: str,
    ) -> None:
        if not isinstance(given, Mapping):
            raise ModelError(f"the events must be a mapping, such as {{'e': precondition}}; got {given!r}")
        pointed = _pointed(designated, {event: i for i, event in enumerate(given)})
        if not given:
            raise ModelError("an action model needs at least one event")
        events: dict[Hashable, Event] = {}
        for key, event in given.items():
            if not isinstance(event, Event | Formula | str | bool):
                changes = ", or Event(pre, {atom: formula})" if isinstance(event, Mapping) else ""
                raise ModelError(
                    f"event {key!r} must be an Event, or its precondition ('p', True){changes}; got {event!r}"
                )
            events[key] = event if isinstance(event, Event) else Event(event)
        identity = (tuple(events.items()), tuple(sorted(relations.items())), pointed, others, name)
        set_parts(self, events=events, designated=pointed, name=name)
        set_parts(self, _sights=relations, _others=others, _hash=hash(identity), _found={})

    @classmethod
    def _of_sights(
        cls,
        events: Mapping[Any, Event | FormulaLike],
        sights: Mapping[str, Sight],
        designated: Iterable[Hashable] | None = None,
        others: Sight | None = None,
        name: str = "action",
    ) -> ActionModel:
        """Return the action model with each agent's relation given as bits; see `Sight`."""
        action = cls.__new__(cls)
        action._fill(events, dict(sights), designated, others, name)
        return action

    def __reduce__(self) -> tuple[Any, ...]:
        return ActionModel._of_sights, (self.events, self._sights, self.designated, self._others, self.name)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, ActionModel):
            return NotImplemented
        return (
            self._hash == other._hash
            and list(self.events.items()) == list(other.events.items())
            and self._sights == other._sights
            and (self.designated, self._others, self.name) == (other.designated, other._others, other.name)
        )

    def __hash__(self) -> int:
        return self._hash

    def _given(self) -> dict[str, Any]:
        parts = "events", "relations", "designated", "others", "name"
        return {part: getattr(self, part) for part in parts}

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents that have a relation of their own, in order."""
        return tuple(self._sights)

    @property
    def others(self) -> NameSet[tuple[Hashable, Hashable]] | None:
        """The pairs for every agent without a relation of its own; None if there may be no other agent."""
        if self._others is None:
            return None
        events = list(self.events)
        return NameSet((e, f) for e, s in zip(events, self._others, strict=True) for f in self._named(s))

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.events)

    def __len__(self) -> int:
        return len(self.events)

    def __contains__(self, event: object) -> bool:
        return isinstance(event, Hashable) and event in self.events

    def __getitem__(self, event: Hashable) -> Event:
        return list(self.events.values())[self._place(event)]

    def successors(self, agent: object, at: Hashable) -> NameSet[Hashable]:
        """Return the events that an agent considers possible when an event happens."""
        return self._named(self._sight(agent)[self._place(at)])

    def predecessors(self, agent: object, at: Hashable) -> NameSet[Hashable]:
        """Return the events at which an agent considers an event possible."""
        place, sight = self._place(at), self._sight(agent)
        return NameSet(e for e, seen in zip(self, sight, strict=True) if seen >> place & 1)

    def reachable(self, agents: object, at: Hashable) -> NameSet[Hashable]:
        """Return the events that some agents reach from an event in one or more steps."""
        return self._named(_steps(map(self._sight, group_of(agents))).sees(self._place(at)))

    def _pictured(self, agent: str) -> Iterator[Block]:
        return self.draw(agents=[agent]).display()

    def headline(self) -> str:
        """Return the name, the events with their preconditions, and the designated events."""
        shown = [f"{name}: {event.pre}" for name, event in list(self.events.items())[:6]]
        if len(self.events) > 6:
            shown.append("…")
        agents = list(self.agents[:6])
        if len(self.agents) > 6:
            agents.append("…")
        if self.others is not None:
            agents.append("others")
        listed = ", ".join(agents) or "-"
        pointed = ", ".join(map(str, self.designated[:6]))
        return f"{self.name}; agents {listed}; events {', '.join(shown)}; designated {pointed}"

    def display(self) -> Iterator[Block]:
        """Yield the picture; for an action with many events, also the preconditions in words."""
        if len(self.events) > DRAWN_WORLDS:
            yield from super().display()
        else:
            yield from self.draw().display()

    def draw(self, **options: Unpack[Options]) -> Picture:
        """Return the picture of the action; not all options apply to actions.

        >>> public("p").draw()
        <Scene: Action model public; 1 node>
        """
        return drawer("scene_of")(self, options)

    def to_dict(self) -> dict[str, object]:
        """Return the action model as plain data, ready for `json.dumps`.

        The names of events become strings. `logic.semantics.action_json` describes the format.

        >>> data = private("b", "p").to_dict()
        >>> data["events"], data["others"]
        ({'told': {'pre': 'p'}, 'nothing': {'pre': 'true'}}, [['told', 'nothing'], ['nothing', 'nothing']])
        >>> ActionModel.from_dict(data) == private("b", "p")
        True

        Raises `ModelError` if two events get the same name, and if a condition contains another action model,
        as in a composition.
        """
        from kripke_werewolf.logic.semantics.action_json import action_to_dict

        return action_to_dict(self)

    @classmethod
    def from_dict(cls, data: Any) -> ActionModel:
        """Return the action model described by plain data; raises `FormatError`, which names the place."""
        from kripke_werewolf.logic.semantics.action_json import action_from_dict

        return action_from_dict(data)

    def _once(self, what: Hashable, find: Callable[[], T]) -> T:
        return remembered(self._found, what, find)

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """All preconditions and postconditions, each once."""
        events = self.events.values()
        conditions = (f for event in events for f in (event.pre, *event.post.values()))
        return self._once("formulas", lambda: tuple(dict.fromkeys(conditions)))

    def conditions(self, atoms: Container[str]) -> Iterator[Formula]:
        """Yield the preconditions, and the postconditions of the given atoms."""
        for event in self.events.values():
            yield event.pre
            yield from (value for atom, value in event.post.items() if atom in atoms)

    @property
    def formula_agents(self) -> frozenset[str]:
        """The agents that occur in preconditions and postconditions."""
        return frozenset[str]().union(*(f.agents for f in self.formulas))

    @property
    def formula_atoms(self) -> frozenset[str]:
        """The atoms that occur in preconditions and postconditions, or are changed."""
        return self.changed.union(*(f.atoms for f in self.formulas))

    @property
    def changed(self) -> frozenset[str]:
        """The atoms that some event changes."""
        events = self.events.values()
        return self._once("changed", lambda: frozenset(atom for event in events for atom in event.post))

    def most_rank(self, agent: str) -> int:
        """Return the greatest rank of an event for an agent."""
        return max(event.rank_for(agent) for event in self.events.values())

    @property
    def shares(self) -> tuple[int, ...]:
        """The weights of the events as integers in the same ratios."""
        scale = lcm(*(event.weight.denominator for event in self.events.values()))
        return tuple(int(event.weight * scale) for event in self.events.values())

    def among(self, agents: Collection[str]) -> Mapping[str, Sight]:
        """Return the relations of the given agents; raises `UnknownAgentError` if one has none."""
        key = "among", *agents
        return self._once(key, lambda: {a: self._sight(a) for a in agents})

    def splitting(self, agents: Collection[str]) -> frozenset[str]:
        """Return those of the given agents who may divide the weight of a world among several events."""

        def found() -> frozenset[str]:
            seen = {a: list(enumerate(sight)) for a, sight in self.among(agents).items()}
            return frozenset(a for a in seen if any(bits >> e & 1 and bits != 1 << e for e, bits in seen[a]))

        return self._once(("splitting", *agents), found)

    def _agent(self, agent: object) -> str:
        name = agent_name(agent)
        if self._others is None and name not in self._sights:
            hint = f"the action model; give {name!r} a relation there, or others=[…] for all who have none"
            raise UnknownAgentError(name, self._sights, place=hint)
        return name

    def _sight(self, agent: object) -> Sight:
        """Return an agent's relation over the events; raises `UnknownAgentError` if it has none."""
        if isinstance(agent, Together):
            every = (1 << len(self.events)) - 1
            views = list(map(self._sight, agent.members))
            return tuple(reduce(and_, (view[e] for view in views), every) for e in range(len(self.events)))
        found = self._sights.get(self._agent(agent), self._others)
        assert found is not None
        return found

    def _place(self, event: Hashable) -> int:
        return list(self.events).index(check_known(event, self.events, UnknownActionError, kind="event"))

    def _named(self, events: int) -> NameSet[Hashable]:
        return NameSet(name for place, name in enumerate(self.events) if events >> place & 1)

    def _kinds(self, agents: Iterable[str]) -> list[list[list[int]]]:
        """Return the numbers of the events, grouped by indistinguishability and then by their changes.

        Events are indistinguishable if every agent considers the same events possible at both, and both
        possible at the same events.
        """
        among = tuple(agents)

        def kinds() -> list[list[list[int]]]:
            views = [_views(self._sight(agent)) for agent in among]
            posts = [tuple(event.post.items()) for event in self.events.values()]
            alike = grouped((tuple(view[e] for view in views), e) for e in range(len(self)))
            return [[*grouped((posts[e], e) for e in same).values()] for same in alike.values()]

        return self._once(("kinds", among), kinds)

    def for_agents(self, agents: Iterable[str], atoms: Container[str]) -> ActionModel:
        """Return the part of the action that is relevant to the given agents and atoms.

        It omits the relations of other agents, changes of other atoms, and events that the agents cannot
        reach from a designated event.
        """
        key = tuple(agents), frozenset(atom for atom in self.changed if atom in atoms)
        return self._once(("part", *key), lambda: self._part(*key))

    def _part(self, agents: tuple[str, ...], atoms: frozenset[str]) -> ActionModel:
        sights = {agent: self._sight(agent) for agent in agents}
        chosen = set(self.designated)
        start = sum(1 << e for e, event in enumerate(self.events) if event in chosen)
        reached = start | _steps(sights.values()).image(start)
        kept = members(reached)
        named = list(self.events.items())
        events = {}
        for e in kept:
            name, event = named[e]
            post = {atom: f for atom, f in event.post.items() if atom in atoms}
            if len(post) < len(event.post):
                event = event.changing(post)
            events[name] = event
        among = {}
        for agent, sight in sights.items():
            smaller = {seen: renumbered(seen, reached) for seen in {sight[e] for e in kept}}
            among[agent] = tuple(smaller[sight[e]] for e in kept)
        return self._of_sights(events, among, self.designated, None, self.name)

    def check_names(self, space: Space[Any]) -> None:
        """Raise an `UnknownNameError` if a space lacks a name of the action, or the action an agent."""
        agents, atoms = space.relations.keys(), space.valuation.keys()
        named = self._once("named", lambda: (self.formula_agents.union(self._sights), self.formula_atoms))
        if agents >= named[0] and atoms >= named[1] and not any(f.is_scattered for f in self.formulas):
            return
        for atom in sorted(self.changed - atoms):
            raise UnknownAtomError(atom, atoms)
        self.check_agents(agents)
        self.among(agents)
        for f in self.formulas:
            check_formula_names(space, f)

    def check_agents(self, known: Container[str]) -> None:
        """Raise `UnknownAgentError` if the action names an unknown agent."""
        for agent in self._sights:
            if agent not in known:
                told = {f.name for f in self.formulas if isinstance(f, s.Atom)}
                swapped = "private(agents, formula)" if any(name in known for name in told) else None
                raise UnknownAgentError(agent, known if isinstance(known, Iterable) else (), meant=swapped)

    def point(self, *events: Hashable) -> ActionModel:
        """Return the same action model with the given events designated."""
        return self._of_sights(self.events, self._sights, events, self._others, self.name)

    def named(self, name: str) -> ActionModel:
        """Return the same action model under another name."""
        return self._of_sights(self.events, self._sights, self.designated, self._others, name)

    def ordered(self) -> ActionModel:
        """Return the action with ranks in which agents do not exclude what they do not consider possible.

        Events that the agent cannot exclude from each other's sight become a cell; those that it never
        considers possible come last there. So private announcements, suspicions and lies become soft: what
        the others believe can be revised. Raises `ModelError` for a relation that is not KD45.

        >>> private("b", "p").ordered().events["told"]
        Event('p', rank={'': 1, 'b': 0})
        """
        cells, ranks = dict[str, Sight](), dict[str, int]()
        others = {} if self._others is None else {"": self._others}
        for agent, sight in {**self._sights, **others}.items():
            relation, every = Rows.of_sights(sight), (1 << len(self)) - 1
            if flaws := relation.failures(every).keys() & {"serial", "transitive", "euclidean"}:
                whose = agent or "the others"
                raise ModelError(f"{self.name!r}: the relation of {whose} is not {min(flaws)}")
            whole = relation.closed(every, ("reflexive", "symmetric", "transitive"))
            cells[agent] = tuple(map(whole.sees, range(len(self))))
            ranks[agent] = every & ~relation.image(every)
        events = {
            name: Event(
                event.pre,
                event.post,
                weight=event.weight,
                rank={a: event.rank_for(a) + (ranks[a] >> e & 1) * (1 + self.most_rank(a)) for a in ranks},
            )
            for e, (name, event) in enumerate(self.events.items())
        }
        rest = cells.pop("", None)
        return self._of_sights(events, cells, self.designated, rest, self.name)

    def substitute(self, meaning: Mapping[str, Formula]) -> ActionModel:
        """Replace atoms by formulas in all conditions; the action changes the same atoms."""
        new = {}
        for name, event in self.events.items():
            post = {atom: f.substitute(meaning) for atom, f in event.post.items()}
            new[name] = event.changing(post, event.pre.substitute(meaning))
        return self.with_events(new)

    def with_events(self, events: Mapping[Any, Event]) -> ActionModel:
        """Return the same action with other pre- and postconditions."""
        if list(events) != list(self.events):
            raise ModelError(f"expected the events {', '.join(map(str, self.events))}, in this order")
        return self._of_sights(events, self._sights, self.designated, self._others, self.name)

    def then(self, other: ActionModel) -> ActionModel:
        """Return the sequential composition: this action, then the other, as one action model.

        Updating with it gives a model bisimilar to updating twice (van Ditmarsch, van der Hoek and Kooi 2007,
        section 6.5). Its events are pairs; `pre(e, f) = pre(e) & <this, e> pre(f)`. Weights are multiplied,
        so that P agrees with the two updates if every event of the second has equally many alternatives.
        """
        events: dict[Hashable, Event] = {}
        for e, first in self.events.items():
            for f, second in other.events.items():
                pre = s.conjunction(p for p in (first.pre, self._before(e, second.pre)) if p is not s.TRUE)
                post = dict(first.post) | {p: self._before(e, g) for p, g in second.post.items()}
                rank = _ranks_of_both(second, first, self)
                events[e, f] = Event(pre, post, weight=first.weight * second.weight, rank=rank)
        agents = {**self._sights, **other._sights}
        relations = {a: _paired_sights(self._sight(a), other._sight(a)) for a in agents}
        others = None
        if self._others is not None and other._others is not None:
            others = _paired_sights(self._others, other._others)
        designated = tuple((e, f) for e in self.designated for f in other.designated)
        name = f"{self.name}, then {other.name}"
        return self._of_sights(events, relations, designated, others, name)

    def _before(self, event: Hashable, f: Formula) -> Formula:
        """Return a formula that holds before the event, where it is possible, iff `f` holds after it."""
        if f.is_boolean:
            return f.substitute(self.events[event].post)
        return s.Diamond(s.Act(self.name, event, self), f)


def _ranks_of_both(later: Event, earlier: Event, action: ActionModel) -> dict[str, int]:
    """Return the ranks of an event after another, one of an action: the later counts first."""
    agents = {"", *later.ranks, *(agent for event in action.events.values() for agent in event.ranks)}
    return {a: later.rank_for(a) * (1 + action.most_rank(a)) + earlier.rank_for(a) for a in agents}


def _paired_sights(a: Sight, b: Sight) -> Sight:
    """Return the relation over pairs of events of an agent who confuses them if they confuse both parts."""
    spread = [sum(1 << e * len(b) for e in members(seen)) for seen in a]
    return tuple(x * y for x in spread for y in b)  # no carries: the copies of y lie apart


def _steps(sights: Iterable[Sight]) -> ManySteps:
    return ManySteps(map(Rows.of_sights, sights))


def _cells(classes: Iterable[Iterable[Hashable]], events: Iterable[Hashable], whose: str) -> Sight:
    number = {event: i for i, event in enumerate(events)}

    def unknown(name: object, events: Collection[object], whose: str) -> UnknownActionError:
        return UnknownActionError(name, events, kind="event")

    return _alike(Classes.read(classes, number, whose, unknown, kind="event").labels)


def _alike(seen: Iterable[Hashable]) -> Sight:
    """Return the relation of an agent who confuses the events in which it sees the same."""
    views = list(seen)
    alike = gathered((view, 1 << e) for e, view in enumerate(views))
    return tuple(alike[view] for view in views)


def _views(sight: Sight) -> list[tuple[int, int]]:
    """Return for each event its successors and its predecessors."""
    seen_from = [0] * len(sight)
    for seen, seeing in gathered((seen, 1 << e) for e, seen in enumerate(sight)).items():
        for e in members(seen):
            seen_from[e] |= seeing
    return list(zip(sight, seen_from, strict=True))


def _sight(pairs: Iterable[tuple[Hashable, Hashable]], number: Mapping[Hashable, int]) -> Sight:
    found = [0] * len(number)
    for pair in pairs:
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise ModelError(f"expected pairs of events, got {pair!r}; from_partitions takes sets of events")
        for event in pair:
            check_known(event, number, UnknownActionError, kind="event")
        found[number[pair[0]]] |= 1 << number[pair[1]]
    return tuple(found)


def _pointed(designated: Iterable[Hashable] | None, number: Mapping[Hashable, int]) -> tuple[Hashable, ...]:
    if designated is None:
        return tuple(number)
    if isinstance(designated, str):
        designated = [designated]
    wanted = [_event(e, number) for e in designated]
    if not wanted:
        raise ModelError("at least one event must be designated")
    return tuple(sorted(dict.fromkeys(wanted), key=number.__getitem__))


def _event(name: Hashable, number: Mapping[Hashable, int]) -> Hashable:
    if name in number:
        return name
    # formulas refer to events by strings, even if they are numbers or pairs
    for event in number:
        if str(event) == name:
            return event
    raise UnknownActionError(name, number, kind="event")


# --- ready-made actions --------------------------------------------------------------------------


# relations over two events, the first of which is the actual one
_APART, _CONFUSED, _UNNOTICED = (0b01, 0b10), (0b11, 0b11), (0b10, 0b10)


def _told(
    group: object, events: Mapping[str, Event], designated: Iterable[str], others: Sight, name: str
) -> ActionModel:
    """Return the action in which a group sees which event happens; `others` is the relation of the others."""
    apart = tuple(1 << e for e in range(len(events)))
    sights = dict.fromkeys(group_of(group), apart)
    return ActionModel._of_sights(events, sights, designated, others=others, name=name)


def public(content: FormulaLike) -> ActionModel:
    """Return the truthful public announcement of a formula."""
    return ActionModel._of_sights({"announced": Event(content)}, {}, others=(1,), name="public")


def whether(content: FormulaLike) -> ActionModel:
    """Return the public announcement of whether a formula is true."""
    f = formula(content)
    return ActionModel._of_sights({"yes": Event(f), "no": Event(~f)}, {}, others=_APART, name="whether")


def semi_private(group: object, content: FormulaLike) -> ActionModel:
    """Return the action in which a group learns whether a formula is true, and the others see that."""
    f = formula(content)
    events = {"yes": Event(f), "no": Event(~f)}
    return _told(group, events, events, _CONFUSED, "semi_private")


def private(group: object, content: FormulaLike) -> ActionModel:
    """Return the action in which a group is told a formula, while the others believe nothing happens.

    Their belief is false, so the result is no longer S5.
    """
    return _told(group, {"told": Event(content), "nothing": Event()}, ["told"], _UNNOTICED, "private")


def suspected(group: object, content: FormulaLike) -> ActionModel:
    """Return the action in which a group learns whether a formula is true, and the others suspect it.

    The others consider it possible that the group has learnt that it is true, that the group has learnt
    that it is false, and that nothing has happened.
    """
    f = formula(content)
    events = {"yes": Event(f), "no": Event(~f), "nothing": Event()}
    return _told(group, events, ["yes", "no"], (0b111,) * 3, "suspected")


def soft(content: FormulaLike) -> ActionModel:
    """Return the public news of a formula that everybody comes to believe, and nobody to know.

    All worlds where it is true become more plausible than all others: the radical upgrade as an action. The
    `ordered` form of another action makes that one soft.

    >>> soft("p").events
    {'true': Event('p'), 'false': Event('~p', rank={'': 1})}
    """
    f = formula(content)
    events = {"true": Event(f), "false": Event(~f, rank=1)}
    return ActionModel._of_sights(events, {}, others=_CONFUSED, name="soft")


def lie(speaker: object, content: FormulaLike) -> ActionModel:
    """Return a lie: the speaker announces a formula that they know to be false, and the others believe it.

    The others believe the announcement to be truthful (van Ditmarsch, van Eijck, Sietsma and Wang 2012); the
    result is no longer S5.
    """
    agent, f = agent_name(speaker), formula(content)
    events = {"truth": Event(s.Knows(agent, f)), "lie": Event(s.Knows(agent, ~f))}
    return _told(agent, events, ["lie"], (0b01, 0b01), "lie")


def assign(changes: Mapping[str, FormulaLike] | None = None, /, **more: FormulaLike) -> ActionModel:
    """Return the public and simultaneous assignment of truth values to atoms: `assign(p="q", q="p")`."""
    post = {**(changes or {}), **more}
    if not post:
        raise FormulaError("assign needs at least one atom, for example assign(p=True)")
    return ActionModel._of_sights({"assigned": Event(True, post)}, {}, others=(1,), name="assign")


def observe(agent: object, question: FormulaLike | Iterable[FormulaLike]) -> ActionModel:
    """Return the action in which an agent learns the answer to a question; the others see only that.

    `question` is a formula (is it true?), or several (which of these are true?: one event for each, possible
    where that formula is true).
    """
    if isinstance(question, Formula | str | bool):
        return semi_private(agent, question).named("observe")
    events = {str(f): Event(f) for f in map(formula, question)}
    return _told(agent, events, events, ((1 << len(events)) - 1,) * len(events), "observe")


def action_of_update(update: s.Update) -> ActionModel | None:
    """Return the action model of an update inside a formula.

    None for a public announcement, which only restricts the model, and for an upgrade, which only orders it.
    Raises `UnknownActionError` for an `Act` whose name is not bound.
    """
    match update:
        case s.Upgrade():
            return None
        case s.Act(_, event, _):
            action = update.bound
            assert isinstance(action, ActionModel)
            return action if event is None else action.point(event)
        case s.Announce(content, None, whether_so):
            return whether(content) if whether_so else None
        case s.Announce(content, group, whether_so):
            told = semi_private if whether_so else private
            return told(group, content)


def action_of(f: s.Dynamic) -> ActionModel | None:
    """Return the action model of the update in a formula; see `action_of_update`."""
    return remembered(f._found, "action", lambda: action_of_update(f.update))
