"""Action models: events that agents may confuse, with preconditions and postconditions.

Baltag, Moss and Solecki 1998 for events and product update; van Ditmarsch, van der Hoek and Kooi
2007 (chapter 6) and van Ditmarsch and Kooi 2008 for postconditions.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, NoReturn

from kripke_werewolf.errors import FormulaError, ModelError, UnknownActionError, UnknownAgentError
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula, FormulaLike, agent_name, formula, group_of, rational
from kripke_werewolf.models.relation import General, Relation

__all__ = [
    "ActionModel",
    "Event",
    "action_of_update",
    "assign",
    "lie",
    "observe",
    "private",
    "public",
    "semi_private",
    "suspected",
    "whether",
]


class Event:
    """One thing that may happen: where it can happen, and what it changes.

    `pre`: the precondition, a formula. `post`: for each atom that changes, the formula whose truth
    value (before the event) it takes; all atoms change at once. `weight`: how likely the event is
    among those an agent cannot tell apart, a rational number.
    """

    __slots__ = ("post", "pre", "weight")
    pre: Formula
    post: Mapping[str, Formula]
    weight: Fraction

    def __init__(
        self,
        pre: FormulaLike = True,
        post: Mapping[str, FormulaLike] | None = None,
        *,
        weight: object = 1,
    ) -> None:
        if post is not None and not isinstance(post, Mapping):
            raise ModelError(f"postconditions must be given as {{atom: formula}}, got {post!r}")
        found = rational(weight)
        if found <= 0:
            raise ModelError(f"the weight of an event must be positive, got {weight!r}")
        for slot, value in (
            ("pre", formula(pre)),
            ("post", {atom: formula(f) for atom, f in sorted((post or {}).items())}),
            ("weight", found),
        ):
            object.__setattr__(self, slot, value)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"events are immutable: cannot set {name!r}")

    def _key(self) -> tuple[Any, ...]:
        return self.pre, tuple(self.post.items()), self.weight

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Event) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        parts = [repr(str(self.pre))]
        if self.post:
            parts.append(repr({atom: str(f) for atom, f in self.post.items()}))
        if self.weight != 1:
            parts.append(f"weight={str(self.weight)!r}")
        return f"Event({', '.join(parts)})"


class ActionModel:
    """A (multi-)pointed action model; an immutable value.

    `events`: {name: Event}. `relations`: for each agent the pairs (e, f) such that the agent
    considers it possible that f happens when e does. `designated`: the events that may be the
    actual one; by default all. `others`: the pairs for every agent not in `relations`; without it
    such an agent is an error. `name`: how formulas and pictures call the action.

    >>> show = ActionModel({"e": Event("p"), "idle": Event()}, {"a": [("e", "e"), ("idle", "idle")]},
    ...                    ["e"], others=[("e", "idle"), ("idle", "idle")])
    """

    __slots__ = ("_hash", "designated", "events", "name", "others", "relations")
    events: Mapping[Hashable, Event]
    relations: Mapping[str, frozenset[tuple[int, int]]]
    designated: tuple[Hashable, ...]
    others: frozenset[tuple[int, int]] | None
    name: str
    _hash: int

    def __init__(
        self,
        events: Mapping[Any, Event],
        relations: Mapping[Any, Iterable[tuple[Hashable, Hashable]]],
        designated: Iterable[Hashable] | None = None,
        *,
        others: Iterable[tuple[Hashable, Hashable]] | None = None,
        name: str = "action",
    ) -> None:
        if not events:
            raise ModelError("an action model needs at least one event")
        for event in events.values():
            if not isinstance(event, Event):
                raise ModelError(f"expected an Event, got {event!r}")
        number = {event: i for i, event in enumerate(events)}
        read = {agent_name(a): _numbered(pairs, number) for a, pairs in relations.items()}
        rest = None if others is None else _numbered(others, number)
        self._fill(dict(events), read, _pointed(designated, number), rest, name)

    def _fill(
        self,
        events: Mapping[Hashable, Event],
        relations: Mapping[str, frozenset[tuple[int, int]]],
        designated: tuple[Hashable, ...],
        others: frozenset[tuple[int, int]] | None,
        name: str,
    ) -> None:
        key = (tuple(events.items()), tuple(sorted(relations.items())), designated, others, name)
        for slot, value in (
            ("events", events),
            ("relations", relations),
            ("designated", designated),
            ("others", others),
            ("name", name),
            ("_hash", hash(key)),
        ):
            object.__setattr__(self, slot, value)

    @classmethod
    def _of(cls, *parts: Any) -> ActionModel:
        action = cls.__new__(cls)
        action._fill(*parts)
        return action

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"action models are immutable: cannot set {name!r}")

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, ActionModel):
            return NotImplemented
        return (
            self._hash == other._hash
            and list(self.events.items()) == list(other.events.items())
            and self.relations == other.relations
            and (self.designated, self.others, self.name) == (other.designated, other.others, other.name)
        )

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}: {event.pre}" for name, event in list(self.events.items())[:6])
        more = ", …" if len(self.events) > 6 else ""
        pointed = ", ".join(map(str, self.designated[:6]))
        return f"<ActionModel {self.name!r}: {shown}{more}; designated {pointed}>"

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """All preconditions and postconditions."""
        return tuple(f for event in self.events.values() for f in (event.pre, *event.post.values()))

    @property
    def formula_agents(self) -> frozenset[str]:
        """The agents that occur in preconditions and postconditions."""
        return frozenset[str]().union(*(f.agents for f in self.formulas))

    @property
    def formula_atoms(self) -> frozenset[str]:
        """The atoms that occur in preconditions and postconditions, or are changed."""
        changed = (event.post.keys() for event in self.events.values())
        return frozenset[str]().union(*(f.atoms for f in self.formulas), *changed)

    def relation(self, agent: object) -> Relation:
        """Return an agent's relation over the events, numbered in order."""
        name = agent_name(agent)
        pairs = self.relations.get(name, self.others)
        if pairs is None:
            hint = "the action model; give others=[…] for agents without a relation of their own"
            raise UnknownAgentError(name, self.relations, place=hint)
        return _event_relation(len(self.events), pairs)

    def check_agents(self, known: Container[str]) -> None:
        """Raise `UnknownAgentError` if the action names an agent that is not known."""
        for agent in self.relations:
            if agent not in known:
                raise UnknownAgentError(agent, known if isinstance(known, Iterable) else ())

    def point(self, *events: Hashable) -> ActionModel:
        """Return the same action model with the given events designated."""
        number = {event: i for i, event in enumerate(self.events)}
        return self._of(self.events, self.relations, _pointed(events, number), self.others, self.name)

    def named(self, name: str) -> ActionModel:
        """Return the same action model under another name."""
        return self._of(self.events, self.relations, self.designated, self.others, name)

    def with_events(self, events: Mapping[Any, Event]) -> ActionModel:
        """Return the same action with other pre- and postconditions; the events keep their names."""
        if list(events) != list(self.events):
            raise ModelError(f"expected the events {', '.join(map(str, self.events))}, in this order")
        return self._of(dict(events), self.relations, self.designated, self.others, self.name)

    def then(self, other: ActionModel) -> ActionModel:
        """Return the sequential composition: this action, then the other, as one action model.

        Updating with it gives a model bisimilar to updating twice (van Ditmarsch, van der Hoek and
        Kooi 2007, section 6.5). Its events are pairs; `pre(e, f) = pre(e) & <this, e> pre(f)`.
        Weights multiply, so that P agrees with the two updates where every event of the second
        has equally many alternatives.
        """
        events: dict[Hashable, Event] = {}
        for e, first in self.events.items():
            for f, second in other.events.items():
                pre = s.conjunction(p for p in (first.pre, self._before(e, second.pre)) if p is not s.TRUE)
                post = dict(first.post) | {p: self._before(e, g) for p, g in second.post.items()}
                events[e, f] = Event(pre, post, weight=first.weight * second.weight)
        width = len(other.events)

        def paired(
            a: frozenset[tuple[int, int]], b: frozenset[tuple[int, int]]
        ) -> frozenset[tuple[int, int]]:
            return frozenset((i * width + k, j * width + m) for i, j in a for k, m in b)

        relations = {}
        for agent in {**self.relations, **other.relations}:
            a, b = self.relations.get(agent, self.others), other.relations.get(agent, other.others)
            if a is None or b is None:
                raise UnknownAgentError(
                    agent,
                    (self.relations if a is None else other.relations),
                    place="one of the action models",
                )
            relations[agent] = paired(a, b)
        others = None if self.others is None or other.others is None else paired(self.others, other.others)
        designated = tuple((e, f) for e in self.designated for f in other.designated)
        return self._of(events, relations, designated, others, f"{self.name}, then {other.name}")

    def _before(self, event: Hashable, f: Formula) -> Formula:
        """Return what must hold before the event for `f` to hold after it (where it can happen)."""
        if all(isinstance(node, _BOOLEAN) for node in f.subformulas()):
            return f.substitute(self.events[event].post)
        return s.Diamond(s.Act(self.name, event, self), f)


_BOOLEAN = (s.Atom, s.Constant, s.Not, s.And, s.Or, s.Xor, s.Implies, s.Iff, s.Count)


@lru_cache(maxsize=4096)
def _event_relation(size: int, pairs: frozenset[tuple[int, int]]) -> Relation:
    return General.from_pairs(size, pairs)


def _numbered(
    pairs: Iterable[tuple[Hashable, Hashable]], number: Mapping[Hashable, int]
) -> frozenset[tuple[int, int]]:
    found = []
    for pair in pairs:
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise ModelError(f"a relation over events must consist of pairs of events, got {pair!r}")
        for event in pair:
            if event not in number:
                raise UnknownActionError(event, number, kind="event")
        found.append((number[pair[0]], number[pair[1]]))
    return frozenset(found)


def _pointed(designated: Iterable[Hashable] | None, number: Mapping[Hashable, int]) -> tuple[Hashable, ...]:
    if designated is None:
        return tuple(number)
    wanted = [_event(e, number) for e in ([designated] if isinstance(designated, str) else designated)]
    if not wanted:
        raise ModelError("at least one event must be designated")
    return tuple(sorted(dict.fromkeys(wanted), key=number.__getitem__))


def _event(name: Hashable, number: Mapping[Hashable, int]) -> Hashable:
    if name in number:
        return name
    # formulas know events by their text, also those that are numbers or pairs
    for event in number:
        if str(event) == name:
            return event
    raise UnknownActionError(name, number, kind="event")


# --- ready-made actions --------------------------------------------------------------------------


def _same(*events: str) -> list[tuple[str, str]]:
    return [(e, e) for e in events]


def _all(*events: str) -> list[tuple[str, str]]:
    return [(e, f) for e in events for f in events]


def public(content: FormulaLike) -> ActionModel:
    """Return the truthful public announcement of a formula."""
    return ActionModel({"announced": Event(content)}, {}, others=_same("announced"), name="public")


def whether(content: FormulaLike) -> ActionModel:
    """Return the public announcement of whether a formula is true."""
    f = formula(content)
    return ActionModel({"yes": Event(f), "no": Event(~f)}, {}, others=_same("yes", "no"), name="whether")


def semi_private(group: object, content: FormulaLike) -> ActionModel:
    """Return the action in which a group learns whether a formula is true, and the others see that."""
    f = formula(content)
    knowing = {agent: _same("yes", "no") for agent in group_of(group)}
    return ActionModel(
        {"yes": Event(f), "no": Event(~f)}, knowing, others=_all("yes", "no"), name="semi_private"
    )


def private(group: object, content: FormulaLike) -> ActionModel:
    """Return the action in which a group is told a formula, while the others believe nothing happens.

    Their belief is false, so the result is no longer S5.
    """
    knowing = {agent: _same("told", "nothing") for agent in group_of(group)}
    unaware = [("told", "nothing"), ("nothing", "nothing")]
    events = {"told": Event(content), "nothing": Event()}
    return ActionModel(events, knowing, ["told"], others=unaware, name="private")


def suspected(group: object, content: FormulaLike) -> ActionModel:
    """Return the action in which a group learns whether a formula is true, and the others suspect it.

    To the others it is possible that the group learnt that it is so, learnt that it is not, or that
    nothing happened.
    """
    f = formula(content)
    events = {"yes": Event(f), "no": Event(~f), "nothing": Event()}
    knowing = {agent: _same(*events) for agent in group_of(group)}
    return ActionModel(events, knowing, ["yes", "no"], others=_all(*events), name="suspected")


def lie(speaker: object, content: FormulaLike) -> ActionModel:
    """Return the lie of a speaker: announcing a formula that it knows to be false, to believers.

    The others believe that the speaker tells the truth (van Ditmarsch, van Eijck, Sietsma and Wang
    2012); the result is no longer S5.
    """
    agent, f = agent_name(speaker), formula(content)
    events = {"truth": Event(s.Knows(agent, f)), "lie": Event(s.Knows(agent, ~f))}
    believed = [("truth", "truth"), ("lie", "truth")]
    return ActionModel(events, {agent: _same("truth", "lie")}, ["lie"], others=believed, name="lie")


def assign(changes: Mapping[str, FormulaLike] | None = None, /, **more: FormulaLike) -> ActionModel:
    """Return the public assignment of new truth values to atoms, all at once: `assign(p="q", q="p")`."""
    post = {**(changes or {}), **more}
    if not post:
        raise FormulaError("assign needs at least one atom, for example assign(p=True)")
    return ActionModel({"assigned": Event(True, post)}, {}, others=_same("assigned"), name="assign")


def observe(agent: object, question: FormulaLike | Iterable[FormulaLike]) -> ActionModel:
    """Return the action in which an agent gets the true answer to a question, and the others see it ask.

    `question` is a formula (is it true?), or several (which of these are true?: one event for
    each, possible where that formula is true).
    """
    if isinstance(question, Formula | str | bool):
        return semi_private(agent, question).named("observe")
    answers = [formula(f) for f in question]
    events = {str(f): Event(f) for f in answers}
    return ActionModel(
        events, {a: _same(*events) for a in group_of(agent)}, others=_all(*events), name="observe"
    )


def action_of_update(update: s.Announce | s.Act) -> ActionModel | None:
    """Return the action model that an update inside a formula stands for.

    None for a public announcement, which merely restricts the model. The name of an `Act` must be bound.
    """
    match update:
        case s.Announce(content, None, True):
            return whether(content)
        case s.Announce(_, None, False):
            return None
        case s.Announce(content, group, True):
            return semi_private(group, content)
        case s.Announce(content, group, False):
            return private(group, content)
        case s.Act(_, event, action) if action is not None:
            return action if event is None else action.point(event)
    raise TypeError(f"not an update that can be made: {update!r}")
