"""Planning tasks from EPDDL, and from PDDL without numbers.

EPDDL: Burigana and Fabiano 2026, The Epistemic Planning Domain Definition Language: Official Guideline.

Initial states: listed worlds, finitary S5 theories, and PDDL's list of true atoms.

Action types, events and actions: read, and grounded.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import NamedTuple, TypeAlias
from warnings import warn

from kripke_werewolf.base.errors import FormatError, ModelError, counted_roughly
from kripke_werewolf.base.files import read_text
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.simplification import negated
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.models.model import KripkeModel
from kripke_werewolf.logic.semantics.action import ActionModel, Event, Sight
from kripke_werewolf.logic.semantics.bits import BitSpace, Rows
from kripke_werewolf.research.planning.epddl.terms import (
    AGENT,
    REQUIREMENT,
    SECTIONS,
    Context,
    Declarations,
    Expression,
    Types,
    all_of,
    any_of,
    read_brackets,
)
from kripke_werewolf.research.planning.task import ObservedAction, Task

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
        seen = _read_relations(context, given[":relations"], ways, "observability type", "event")
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


def _read_relations(
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
class _EventSchema:
    """An event with parameters; `given`: what follows its keywords."""

    parameters: Mapping[str, Types]
    given: Mapping[str, Expression]

    @classmethod
    def read(cls, words: Declarations, given: Mapping[str, Expression]) -> _EventSchema:
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
        return Event(s.TRUE if pre is None or str(pre) == "()" else context.formula(pre), post)

    def meets(self, condition: str) -> bool:
        """Return whether a condition of an action type is true of it."""
        kind, _, part = condition[1:].rpartition("-")
        nodes = [self.given[key] for key in _PARTS[part] if key in self.given]
        if kind == "propositional":
            return not any(node.is_modal for node in nodes)
        trivial = [str(node) in ("true", "(true)", "()") for node in nodes]
        return all(trivial) if kind == "trivial" else bool(nodes) and not any(trivial)


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
    name = "" if agent.word == "default" else context.term(agent, AGENT, "agent")
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


def _ground_actions(
    words: Declarations,
    node: Expression,
    kind_of: Callable[[Expression], ActionType],
    events: Mapping[str, _EventSchema],
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


_MOST_WORLDS = 100_000


def _initial_state(words: Declarations, node: Expression, used: Collection[str]) -> KripkeModel:
    """Return the model in `(:init …)`; `used` are the atoms in actions and the goal.

    Its other atoms are those of predicates without arguments, except in a theory, and those that it mentions.
    PDDL's list of true atoms describes one world.
    """
    alone = [name for name, arguments in words.predicates.items() if not (arguments or name in words.fixed)]
    atoms = dict.fromkeys([*alone, *used])
    if words.pddl:
        true = [Context(words).atom(item).label[0] for item in node.items[1:]]
        return KripkeModel(["w"], {}, {**dict.fromkeys(atoms, ()), **dict.fromkeys(true, ("w",))})
    if [item.word for item in node.items[1:2]] == [":worlds"]:
        return _listed_worlds(words, node, atoms)
    return _finitary_theory(words, node, used)


def _listed_worlds(words: Declarations, node: Expression, atoms: Iterable[str]) -> KripkeModel:
    """Return the model in `(:init :worlds … :relations … :labels … :designated …)`.

    An agent without arrows considers nothing possible, which a warning says.
    """
    given = node.options(1, ":worlds", ":relations", ":labels", ":designated")
    worlds: list[str] = []
    for item in given[":worlds"].enclosed("worlds", some=True):
        worlds.append(item.new(worlds, "a world"))
    context = words.with_local(worlds, "world")
    relations = _read_relations(context, given[":relations"], words.agents, "agent", "world")
    for agent, pairs in relations.items():
        if not pairs:
            told = f"agent {agent} has no arrows: they consider nothing possible, and so believe everything"
            warn(str(given[":relations"].fault(told)), stacklevel=5)
    true: dict[str, list[str]] = {atom: [] for atom in atoms}
    for item, label in given[":labels"].paired():
        world = item.among(worlds, "world")
        for f in context.listed(label, Context.atom):
            if isinstance(f, s.Atom):
                true.setdefault(f.name, []).append(world)
    points = [item.among(worlds, "world") for item in given[":designated"].enclosed("worlds", some=True)]
    return KripkeModel(worlds, relations, true, points)


class _Statement(NamedTuple):
    """A part of a theory: what is true, or with "C" commonly known; with "Kw" or "~Kw" an agent is commonly
    known to know or not to know whether it is true."""

    kind: str
    agent: str
    formula: Formula
    node: Expression


def _finitary_theory(words: Declarations, node: Expression, atoms: Iterable[str]) -> KripkeModel:
    """Return the S5 model described by the theory in `(:init LIST)`.

    Its worlds are the valuations in which everything commonly known is true; designated are those in which
    the rest is true as well. An agent can tell two worlds apart iff they differ in something that the agent
    is commonly known to know. Son and others 2014.
    """
    (theory,) = node.parts("(:init LIST)")
    told = [part for parts in Context(words).listed(theory, _statements) for part in parts]
    names = list(dict.fromkeys([*atoms, *(atom for part in told for atom in sorted(part.formula.atoms))]))
    space = _valuations([part for part in told if part.kind == "C"], names, node)
    points, cells = space.all, {agent: [space.all] for agent in words.agents}
    for kind, agent, f, place in told:
        true = space.truth(f)
        if not kind:
            points &= true
        if not points:
            raise place.fault(f"no world is designated: {f} contradicts the rest of the theory")
        if kind == "Kw":
            cells[agent] = [half for cell in cells[agent] for half in (cell & true, cell & ~true) if half]
    for kind, agent, f, place in told:
        true = space.truth(f)
        if kind == "~Kw" and not all(cell & true and cell & ~true for cell in cells[agent]):
            raise place.fault(f"in some world {agent} does know whether {f}")
    relations = {agent: Rows((cell, cell) for cell in seen) for agent, seen in cells.items()}
    return KripkeModel.from_space(BitSpace.numbered(space.all, relations, space.valuation), points)


def _statements(context: Context, node: Expression) -> Iterator[_Statement]:
    """Yield the parts of a statement; it is commonly known that agents know what is commonly known."""
    whole = context.formula(node)
    common = isinstance(whole, s.Common) and {*whole.label} == {*context.words.agents}
    for f in s.conjuncts(whole.children[0]) if common else (whole,):
        match f:
            case s.KnowsWhether(agent, body) if common:
                found = _Statement("Kw", agent, body, node)
            case s.Not(s.KnowsWhether(agent, body)) if common:
                found = _Statement("~Kw", agent, body, node)
            case s.Knows(_, body) if common:
                found = _Statement("C", "", body, node)
            case _:
                found = _Statement("C" if common else "", "", f, node)
        if not found.formula.is_boolean:
            raise node.fault(
                "a finitary S5 theory mentions knowledge only inside [C. All], as [AGENT], [Kw. AGENT] or "
                f"<Kw. AGENT>, found {node}"
            )
        yield found


def _valuations(known: Sequence[_Statement], names: Sequence[str], place: Expression) -> BitSpace:
    """Return the valuations in which everything commonly known is true, as worlds without relations."""
    from kripke_werewolf.logic.symbolic import KnowledgeStructure

    try:
        found = KnowledgeStructure(names, s.conjunction(part.formula for part in known), {})
    except ModelError:
        if not known:
            raise
        _valuations(known[:-1], names, place)  # an earlier statement may be the wrong one
        *_, wrong = known
        told = f"no world is possible: {wrong.formula} contradicts what else is commonly known"
        raise wrong.node.fault(told) from None
    if found.size > _MOST_WORLDS:
        told_of = frozenset[str]().union(*(part.formula.atoms for part in known))
        free = [name for name in names if name not in told_of]
        if len(free) > 5:
            free[5:] = ["…"]
        why = f", as nothing is commonly known about {', '.join(free)}" if free else ""
        raise place.fault(
            f"the theory has {counted_roughly(found.size)} worlds, above the limit of {_MOST_WORLDS:,}"
            f"{why}; add more common knowledge, such as ([C. All] (not ATOM))"
        )
    columns = dict.fromkeys(names, 0)
    for world, true in enumerate(found.worlds):
        for name in true:
            columns[name] |= 1 << world
    return BitSpace.numbered((1 << found.size) - 1, {}, columns)


_SEVERAL = (":event", ":action", ":action-type")
LIBRARIES = ("basic", "intermediate")
"""The libraries of action types that come with this package."""


def load_task(*paths: str | os.PathLike[str]) -> Task:
    """Return the task in the files of a problem, its domain, and libraries of action types, in any order.

    The libraries `basic` and `intermediate` need no file. Raises `FormatError` with file, line and column.
    """
    return parse_task({os.fspath(path): read_text(path) for path in paths})


def parse_task(sources: Mapping[str, str]) -> Task:
    """Return the task described by EPDDL or PDDL; `sources`: what the files contain, by their names.

    >>> domain = '''(define (domain coin) (:predicates (heads))
    ...   (:event e-heads :precondition (heads))
    ...   (:action say :action-type (basic (e-heads))))'''
    >>> problem = '''(define (problem toss) (:domain coin) (:agents a)
    ...   (:init (:and (heads) ([C. All] (<Kw. a> (heads))))) (:goal ([a] (heads))))'''
    >>> task = parse_task({"domain.epddl": domain, "problem.epddl": problem})
    >>> list(task.actions), len(task.model), str(task.goal)
    (['say'], 2, 'K_a heads')
    """
    read = [_Definition(read_brackets(name, text)) for name, text in sources.items()]
    found = {kind: [d for d in read if d.kind == kind] for kind in SECTIONS}
    for kind in ("domain", "problem"):
        if len(found[kind]) != 1:
            told = " and ".join(f"{d.node.source.name} ({d.kind})" for d in read) or "no files"
            raise FormatError(f"a task needs one {kind}, got {told}")
    return _Reader(found["domain"][0], found["problem"][0], found["action-type-library"]).task()


class _Definition:
    """What is in `(define (KIND NAME) SECTION …)`; `sections`: the sections by their keyword."""

    def __init__(self, node: Expression) -> None:
        header = [item for part in node.items[1:2] for item in part.items]
        if node.head != "define" or len(header) != 2 or header[0].word not in SECTIONS:
            raise node.fault(f"expected (define (KIND NAME) …), where KIND is {', '.join(SECTIONS)}")
        self.node, self.kind, self.name = node, header[0].word, header[1].new((), f"the {header[0]}")
        keys = (":requirements", *SECTIONS[self.kind])
        self.sections: dict[str, list[Expression]] = {key: [] for key in keys}
        for section in node.items[2:]:
            first = (section.enclosed("a section") or (section,))[0]
            key = first.among(keys, f"section of a {self.kind}")
            if self.sections[key] and key not in _SEVERAL:
                raise section.fault(f"{key} occurs twice")
            self.sections[key].append(section)
        for item in self.items(":requirements"):
            if not REQUIREMENT.fullmatch(item.word):
                raise item.fault(f"unknown requirement {item}")

    def items(self, key: str) -> tuple[Expression, ...]:
        """Return the items of a section that occurs at most once."""
        return self.sections[key][0].items[1:] if self.sections[key] else ()

    def the(self, key: str) -> Expression:
        """Return a section that must occur."""
        if not self.sections[key]:
            raise self.node.fault(f"the {self.kind} {self.name} has no ({key} …)")
        return self.sections[key][0]

    def named(self, key: str) -> dict[str, Expression]:
        """Return the sections `(KEY NAME …)` by name."""
        found: dict[str, Expression] = {}
        for section in self.sections[key]:
            found[(section.items[1:] or (section,))[0].new(found, key[1:])] = section
        return found

    def action_types(self) -> dict[str, ActionType]:
        """Return the action types of a library."""
        return {name: ActionType.read(node) for name, node in self.named(":action-type").items()}


@cache
def library_types(name: str) -> Mapping[str, ActionType]:
    """Return the action types of a library that comes with this package.

    >>> sorted(library_types("basic"))[:3]
    ['public-announcement', 'public-ontic', 'public-sensing']
    """
    path = files("kripke_werewolf.research.planning.epddl") / "libraries" / f"{name}.epddl"
    return _Definition(read_brackets(path.name, path.read_text(encoding="utf-8"))).action_types()


class _Reader:
    """Reads a task from its definitions."""

    def __init__(self, domain: _Definition, problem: _Definition, libraries: list[_Definition]) -> None:
        self.domain, self.problem = domain, problem
        self.libraries = {of.name: of.action_types() for of in libraries}
        self.actions = domain.named(":action")
        keys = {item.word for node in self.actions.values() for item in node}
        self.pddl = ":action-type" not in keys and bool(keys & {":precondition", ":effect"})
        (named,) = problem.the(":domain").parts("(:domain NAME)")
        if named.word != domain.name:
            raise named.fault(f"the problem is for the domain {named}, the given domain is {domain.name}")
        if self.pddl and self.problem.sections[":agents"]:
            told = "only EPDDL has agents, and the domain is in PDDL: its actions have no :action-type"
            raise self.problem.the(":agents").fault(told)
        self.words = Declarations(self._supertypes(), self.pddl)
        self._declare()

    def _supertypes(self) -> dict[str, Types]:
        parents: dict[str, tuple[str, ...]] = {"object": ()}
        if not self.pddl:
            parents = {"entity": (), "agent": ("entity",), "object": ("entity",)}
        declared = [d for section in self.domain.sections[":types"] for d in section.typed(1)]
        for node, _ in declared:
            parents[node.new(parents.keys() - {"object"}, "a type")] = ()
        for node, kinds in declared:
            parents[node.word] = tuple(kind.among(parents, "type") for kind in kinds)
            if not kinds and node.word != "object":
                parents[node.word] = ("object",)

        def above(name: str, below: tuple[str, ...] = ()) -> Types:
            if name in below:
                raise self.domain.the(":types").fault(f"type {name} is a subtype of itself")
            return frozenset({name}).union(*(above(parent, (*below, name)) for parent in parents[name]))

        return {name: above(name) for name in parents}

    def _declare(self) -> None:
        words, context = self.words, Context(self.words)
        for of, key in ((self.domain, ":constants"), (self.problem, ":agents"), (self.problem, ":objects")):
            for node, kinds in [d for section in of.sections[key] for d in section.typed(1)]:
                name = node.new(words.entities, "an entity")
                words.entities[name] = words.types(kinds, "agent" if key == ":agents" else "object")
                if key == ":agents":
                    context.term(node, AGENT)
        for node in self.domain.items(":predicates"):
            fact = node.head == ":fact"
            items = node.enclosed("a predicate")[fact:] or (node,)
            name = items[0].new(words.predicates, "a predicate")
            words.predicates[name] = [words.types(k) for _, k in node.typed(fact + 1, "a variable")]
            words.fixed.update({name} if fact else ())
        for node in self.problem.items(":agent-groups"):
            (agents,) = node.parts("(GROUP AGENTS)")
            words.groups[node.items[0].new(words.groups, "a group")] = tuple(context.group(agents))
        for node in self.problem.items(":facts-init"):
            words.facts.update(context.listed(node, _fact))

    def task(self) -> Task:
        """Return the task."""
        found: dict[str, ObservedAction] = {}
        by: dict[str, tuple[str, ...]] = {}
        for action, doer in self._ground():
            name = action.kind.name
            if name in found:
                raise self.domain.node.fault(f"two actions would both be called {name}")
            found[name] = action
            if doer is not None:
                by[name] = (doer,)
        goal = Context(self.words).formula(self.problem.the(":goal").parts("(:goal FORMULA)")[0])
        changed = (action.kind.changed for action in found.values())
        used = goal.atoms.union(*changed, *(f.atoms for action in found.values() for f in action.formulas))
        start = self.problem.the(":init")
        model = _initial_state(self.words, start, [atom for atom in self.words.atoms if atom in used])
        return Task(model, found, goal, name=self.problem.name, by=by)

    def _ground(self) -> Iterator[tuple[ObservedAction, str | None]]:
        # each action of PDDL is of the type basic, with an event of its name
        sections, nodes, effect = self.domain.named(":event"), list(self.actions.values()), ":effects"
        if self.pddl:
            sections, nodes, effect = self.actions, list(map(_of_pddl, nodes)), ":effect"
        events = {}
        for name, node in sections.items():
            given = node.options(2, optional=(":parameters", ":precondition", effect))
            events[name] = _EventSchema.read(self.words, given)
        for node in nodes:
            yield from _ground_actions(self.words, node, self._kind, events)

    def _kind(self, name: Expression) -> ActionType:
        """Return the action type with a name."""
        known: dict[str, ActionType] = {"basic": BASIC}
        for node in self.domain.items(":action-type-libraries"):
            if node.word not in self.libraries:
                known |= library_types(node.among(LIBRARIES, "library of action types"))
        for types in self.libraries.values():
            known |= types
        for other in LIBRARIES:
            if name.word not in known and name.word in library_types(other):
                raise name.fault(f"{name} is in the library {other}: add (:action-type-libraries {other})")
        return known[name.among(known, "action type")]


def _of_pddl(node: Expression) -> Expression:
    """Return PDDL's action as an action of the type basic, whose event has the same name and parameters."""
    parameters = [item for key, value in node.paired(2) if key.word == ":parameters" for item in (key, value)]
    variables = [variable for item in parameters[1:] for variable, _ in item.typed(what="a variable")]
    name = node.items[1]
    event = replace(node, items=(name, *variables))
    kind = replace(node, items=(replace(name, word="basic"), event))
    return replace(node, items=(node.items[0], name, *parameters, replace(name, word=":action-type"), kind))


def _fact(context: Context, node: Expression) -> tuple[str, ...]:
    name = (node.items or (node,))[0].among(context.words.predicates, "predicate")
    if name not in context.words.fixed:
        raise node.fault(f"{name} is not declared as (:fact {name} …); what may change belongs in :init")
    return name, *context.terms(node, context.words.predicates[name])
