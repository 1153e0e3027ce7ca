"""Planning tasks from EPDDL, and from PDDL without numbers.

EPDDL: Burigana and Fabiano 2026, The Epistemic Planning Domain Definition Language: Official Guideline.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files

from kripke_werewolf.errors import FormatError
from kripke_werewolf.files import read_text
from kripke_werewolf.planning.epddl import actions, brackets
from kripke_werewolf.planning.epddl.actions import ActionType
from kripke_werewolf.planning.epddl.brackets import SECTIONS, Expression, read_brackets
from kripke_werewolf.planning.epddl.start import initial_state
from kripke_werewolf.planning.epddl.terms import AGENT, Context, Declarations, Types
from kripke_werewolf.planning.task import ObservedAction, Task

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
            if not brackets.REQUIREMENT.fullmatch(item.word):
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
    path = files("kripke_werewolf.planning.epddl") / "libraries" / f"{name}.epddl"
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
        model = initial_state(self.words, start, [atom for atom in self.words.atoms if atom in used])
        return Task(model, found, goal, name=self.problem.name, by=by)

    def _ground(self) -> Iterator[tuple[ObservedAction, str | None]]:
        # each action of PDDL is of the type basic, with an event of its name
        sections, nodes, effect = self.domain.named(":event"), list(self.actions.values()), ":effects"
        if self.pddl:
            sections, nodes, effect = self.actions, list(map(_of_pddl, nodes)), ":effect"
        events = {}
        for name, node in sections.items():
            given = node.options(2, optional=(":parameters", ":precondition", effect))
            events[name] = actions.EventSchema.read(self.words, given)
        for node in nodes:
            yield from actions.ground_actions(self.words, node, self._kind, events)

    def _kind(self, name: Expression) -> ActionType:
        """Return the action type with a name."""
        known: dict[str, ActionType] = {"basic": actions.BASIC}
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
