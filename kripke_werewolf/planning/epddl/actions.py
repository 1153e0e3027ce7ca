"""Action types, events and actions: read, and grounded."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.simplification import negated
from kripke_werewolf.planning.epddl.brackets import Expression
from kripke_werewolf.planning.epddl.terms import AGENT, Context, Declarations, Types, all_of, any_of
from kripke_werewolf.planning.task import ObservedAction
from kripke_werewolf.semantics.action import ActionModel, Event, Sight

_PARTS = {
    "precondition": (":precondition",),
    "postconditions": (":effects",),
    "event": (":precondition", ":effects"),
}
_KINDS = ("trivial", "non-trivial", "propositional")
_CONDITIONS = [f":{kind}-{part}" for kind in _KINDS for part in _PARTS]


@dataclass(frozen=True)
class ActionType:
    """An action type of a library: events without content, and the ways to observe them.

    `sights`: for each way, the relation over the events. `conditions`: pairs of a number of an event and what
    must be true of the event that takes its place.
    """

    events: tuple[str, ...]
    sights: Mapping[str, Sight]
    designated: tuple[int, ...]
    conditions: tuple[tuple[int, str], ...] = ()

    @classmethod
    def read(cls, node: Expression) -> ActionType:
        """Return the action type in `(:action-type NAME …)`."""
        wanted = ":events", ":observability-types", ":relations", ":designated"
        given = node.options(2, *wanted, optional=[":conditions"])
        events = [item.word for item in given[":events"].enclosed("events", some=True)]
        types = given[":observability-types"].enclosed("types", some=True)
        ways = [item.new((), "an observability type") for item in types]
        context = Declarations({}).with_local(events, "event")
        seen = read_relations(context, given[":relations"], ways, "observability type", "event")
        sights = {}
        for way in ways:
            sights[way] = tuple(
                sum(1 << k for k, f in enumerate(events) if (e, f) in seen[way]) for e in events
            )

        def number(item: Expression) -> int:
            return events.index(item.among(events, "event"))

        designated = tuple(map(number, given[":designated"].enclosed("events", some=True)))
        conditions: list[tuple[int, str]] = []
        if ":conditions" in given:
            for event, kinds in given[":conditions"].paired():
                for kind in kinds.enclosed("conditions"):
                    conditions.append((number(event), kind.among(_CONDITIONS, "condition of events")))
        return cls(tuple(events), sights, designated, tuple(conditions))


BASIC = ActionType(("?e",), {"Fully": (1,)}, (0,))
"""The action type that every domain has: one event, which everyone observes."""


def read_relations(
    context: Context, node: Expression, known: Collection[str], what: str, kind: str
) -> dict[str, set[tuple[str, str]]]:
    """Return the relations between entities of a kind in `(NAME LIST NAME LIST …)`; a list has pairs."""

    def pair(inner: Context, item: Expression) -> tuple[str, str]:
        if len(item.enclosed("a pair")) != 2:
            raise item.fault(f"expected a pair ({kind} {kind}), found {item}")
        one, other = (inner.term(term, frozenset({kind}), kind) for term in item)
        return one, other

    found: dict[str, set[tuple[str, str]]] = {name: set() for name in known}
    for name, pairs in node.paired():
        found[name.among(known, what)].update(context.listed(pairs, pair, kind))
    return found


# --- events --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class EventSchema:
    """An event with parameters; `given`: what follows its keywords."""

    parameters: Mapping[str, Types]
    given: Mapping[str, Expression]

    @classmethod
    def read(cls, words: Declarations, given: Mapping[str, Expression]) -> EventSchema:
        """Return the event, with its formulas checked."""
        context = Context(words, draft=True)
        if ":parameters" in given:
            context = next(context.choices(given[":parameters"]))
        schema = cls({name: context.words.entities[name] for name in context.values}, given)
        schema.ground(context)
        return schema

    def values(self, context: Context, place: Expression) -> Context:
        """Return the context with the values of its parameters in `(EVENT TERM …)`."""
        terms = context.terms(place, list(self.parameters.values()))
        return replace(context, values=dict(zip(self.parameters, terms, strict=True)))

    def ground(self, context: Context) -> Event:
        """Return the event for the values of its parameters."""
        changes: dict[str, tuple[list[Formula], list[Formula]]] = {}
        if written := self.given.get(":effects", self.given.get(":effect")):
            for effects in context.listed(written, _effects):
                for atom, value, condition in effects:
                    changes.setdefault(atom, ([], []))[value].append(condition)
        post = {}
        for atom, (ended, made) in changes.items():
            begins, ends = any_of(made), any_of(ended)
            stays = all_of([s.Atom(atom), negated(ends)])
            after = begins if ends is negated(begins) else any_of([begins, stays])
            if after is not s.Atom(atom):
                post[atom] = after
        pre = self.given.get(":precondition")
        if pre is None or str(pre) == "()":
            return Event(s.TRUE, post)
        return Event(context.formula(pre), post)

    def meets(self, condition: str) -> bool:
        """Return whether a condition of an action type is true of it."""
        kind, _, part = condition[1:].rpartition("-")
        nodes = [self.given[key] for key in _PARTS[part] if key in self.given]
        if kind == "propositional":
            return not any(node.is_modal for node in nodes)
        trivial = [str(node) in ("true", "(true)", "()") for node in nodes]
        if kind == "trivial":
            return all(trivial)
        return bool(nodes) and not any(trivial)


_Effect: TypeAlias = tuple[str, bool, Formula]
"""An atom, the truth value it gets, and the condition."""


def _effects(context: Context, node: Expression) -> list[_Effect]:
    if node.head not in ("when", "iff"):
        return [(*_literal(context, node), s.TRUE)]
    test, body = node.parts(f"({node.head} FORMULA LITERALS)")
    condition, literals = context.formula(test), list(context.listed(body, _literal))
    found = [(atom, value, condition) for atom, value in literals]
    if node.head == "iff":
        found += [(atom, not value, negated(condition)) for atom, value in literals]
    return found


def _literal(context: Context, node: Expression) -> tuple[str, bool]:
    if node.head in ("and", "forall", ":and", ":forall"):
        wanted = node.head[1:] if context.words.pddl else f":{node.head}"
        raise node.items[0].fault(f"expected {wanted!r} here, found {node.head!r}")
    body = node
    if node.head == "not":
        (body,) = node.parts("(not ATOM)")
    if body.head in context.words.fixed:
        raise body.items[0].fault(f"{body.head} is a fact, which no event changes")
    return str(context.atom(body).label[0]), body is node


# --- how agents observe an action ----------------------------------------------------------------

_Cases: TypeAlias = tuple[tuple[Formula, str], ...]
"""Conditions with ways to observe an action: the first condition that is true counts."""


def _observers(context: Context, node: Expression, ways: Collection[str]) -> dict[str, _Cases]:
    given: dict[str, _Cases] = {}
    values = ", ".join(f"{v} = {e}" for v, e in context.values.items())
    where = f" for {values}" if values else ""
    for agent, cases in context.listed(node, lambda inner, item: _observer(inner, item, ways), "agent"):
        if given.setdefault(agent, cases) != cases:
            told = f"agent {agent}" if agent else "the default"
            raise node.fault(f"{told} is given two different observability types{where}")
    default, found = given.get("", ()), {}
    for agent in context.words.agents:
        if not (default or agent in given):
            raise node.fault(
                f"nothing says how agent {agent} observes the action{where}; add "
                f"({agent} TYPE) or (default TYPE), where TYPE is {' or '.join(ways)}"
            )
        found[agent] = exclusive_cases([*given.get(agent, ()), *default])
    return found


def _observer(context: Context, node: Expression, ways: Collection[str]) -> tuple[str, _Cases]:
    """Return the agent, empty for the default, and the cases in `(AGENT TYPE)` or `(AGENT (if …))`."""
    if len(node.items) != 2:
        raise node.fault(f"expected (AGENT TYPE), (AGENT (if …)) or (default TYPE), found {node}")
    agent, seen = node.items
    name = ""
    if agent.word != "default":
        name = context.term(agent, AGENT, "agent")
    if seen.word or not name:
        return name, ((s.TRUE, seen.among(ways, "observability type")),)
    cases: list[tuple[Formula, str]] = []
    items, wanted = list(seen.items), ["if"]
    while items:
        key = items.pop(0)
        condition: Formula = s.TRUE
        needed = 1 if key.word == "else" else 2
        if key.word not in wanted or len(items) < needed:
            raise key.fault(f"expected {' or '.join(wanted)}, with a condition (not after else) and a type")
        if key.word != "else":
            condition = context.formula(items.pop(0))
        cases.append((condition, items.pop(0).among(ways, "observability type")))
        if key.word == "else" and items:
            raise items[0].fault("nothing may follow the type of 'else'")
        wanted = ["else-if", "else"]
    return name, tuple(cases)


def exclusive_cases(cases: Iterable[tuple[Formula, str]]) -> _Cases:
    """Return the cases, each with the condition that it is the first that is true."""
    found = []
    before: list[Formula] = []
    for condition, way in cases:
        exact = all_of([*before, condition])
        if exact is not s.FALSE:
            found.append((exact, way))
        before.append(negated(condition))
    return tuple(found)


# --- actions -------------------------------------------------------------------------------------


def ground_actions(
    words: Declarations,
    node: Expression,
    kind_of: Callable[[Expression], ActionType],
    events: Mapping[str, EventSchema],
) -> Iterator[tuple[ObservedAction, str | None]]:
    """Yield the ground actions of `(:action NAME …)`, each with the agent who is its first parameter.

    Actions that can never happen, because of facts, are left out.
    """
    given = node.options(2, ":action-type", optional=[":parameters", ":observability-conditions"])
    name, *places = given[":action-type"].enclosed("an action type and its events")
    kind = kind_of(name)
    if len(places) != len(kind.events):
        told = f"{name} takes {len(kind.events)} events ({' '.join(kind.events)}), found {len(places)}"
        raise given[":action-type"].fault(told)
    schemas = []
    for place in places:
        (place.enclosed("an event and its arguments") or (place,))[0].among(events, "event")
        schemas.append(events[place.head])
    for number, condition in kind.conditions:
        if not schemas[number].meets(condition):
            told = f"{places[number].head} cannot be {kind.events[number]} of {name}, which needs {condition}"
            raise places[number].fault(told)
    heads = [place.head for place in places]
    called = [head + "'" * heads[:k].count(head) for k, head in enumerate(heads)]
    seen, everyone = given.get(":observability-conditions"), ((s.TRUE, next(iter(kind.sights))),)
    contexts = [Context(words, draft=True), Context(words)]
    if ":parameters" in given:
        contexts = [inner for context in contexts for inner in context.choices(given[":parameters"])]
    for context in contexts:
        given_to = [schema.values(context, place) for schema, place in zip(schemas, places, strict=True)]
        if context.draft:
            continue
        made = (schema.ground(values) for schema, values in zip(schemas, given_to, strict=True))
        ground = dict(zip(called, made, strict=True))
        designated = [called[number] for number in kind.designated]
        observers = _observers(context, seen, kind.sights) if seen else dict.fromkeys(words.agents, everyone)
        if any(ground[event].pre is not s.FALSE for event in designated):
            label = "_".join([node.items[1].word, *context.values.values()])
            model = ActionModel._of_sights(ground, kind.sights, designated, name=label)
            doer = next((e for e in context.values.values() if e in words.agents), None)
            yield ObservedAction(model, observers), doer
