"""Planning tasks as EPDDL, and as the JSON of ground tasks that its guideline describes."""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterable, Mapping
from typing import Any, TypeVar

from kripke_werewolf.errors import FormulaError, ModelError
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.planning.epddl.actions import exclusive_cases
from kripke_werewolf.planning.epddl.terms import CONNECTIVES, any_of
from kripke_werewolf.planning.task import ObservedAction, PlannedAction, Task
from kripke_werewolf.semantics.bits import members

Name = TypeVar("Name", bound=Hashable)

_MOST_PAIRS = 2_000_000
_WORDS: dict[type[Formula], str] = {s.Not: "not", s.And: "and", s.Or: "or", s.Implies: "imply"}
_MODALITIES: dict[type[Formula], str] = {
    s.Knows: "box",
    s.Possible: "diamond",
    s.KnowsWhether: "Kw.box",
    s.Common: "C.box",
    s.CommonDual: "C.diamond",
}


def to_epddl(task: Task) -> dict[str, str]:
    """Return a task as EPDDL: a domain, its library of action types, and a problem, by file name.

    Nothing has parameters, as the actions of a task are ground. Names become identifiers. Raises
    `FormulaError` for a formula that EPDDL does not have.

    >>> from kripke_werewolf.models import KripkeModel
    >>> m = KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]]}, {"p": ["w"]}, ["w"])
    >>> files = to_epddl(Task(m, {"say p": "p"}, "K_a p", name="tell"))
    >>> list(files), "(:goal ([a] (p)))" in files["tell.epddl"]
    (['tell-domain.epddl', 'tell-types.epddl', 'tell.epddl'], True)
    """
    data = ground_data(task)
    name = data["planning-task-info"]["problem"]
    language, start = data["language"], data["initial-state"]
    domain = [f"(:action-type-libraries {name}-types)"]
    domain += (
        [f"(:predicates {' '.join(f'({atom})' for atom in language['atoms'])})"] if language["atoms"] else []
    )
    kinds: dict[str, str] = {}
    for label, action in data["actions"].items():
        kinds.setdefault(action["action-type"], _action_type(action))
        for event in action["events"]:
            changes = [_change(atom, f) for atom, f in (action["effects"][event] or {}).items()]
            told = f"    :precondition {_text(action['preconditions'][event])}"
            told += f"\n    :effects {_listed(changes)}" if changes else ""
            domain.append(f"(:event {label}-{event}\n{told})")
        events = " ".join(f"({label}-{event})" for event in action["events"])
        seen = [f"({agent} {_cases(ways)})" for agent, ways in action["observability-conditions"].items()]
        domain.append(
            f"(:action {label}\n    :parameters ()\n    :action-type ({action['action-type']} {events})\n"
            f"    :observability-conditions {_listed(seen)})"
        )
    labels = " ".join(f"{w} {_listed(map(_text, true))}" for w, true in start["labels"].items())
    problem = [
        f"(:domain {name}-domain)",
        *([f"(:agents {' '.join(language['agents'])})"] if language["agents"] else []),
        f"(:init\n    :worlds ({' '.join(start['worlds'])})\n"
        f"    :relations ({_relations(start['relations'])})\n    :labels ({labels})\n"
        f"    :designated ({' '.join(start['designated'])}))",
        f"(:goal {_text(data['goal'])})",
    ]
    return {
        f"{name}-domain.epddl": _definition(f"domain {name}-domain", domain),
        f"{name}-types.epddl": _definition(f"action-type-library {name}-types", kinds.values()),
        f"{name}.epddl": _definition(f"problem {name}", problem),
    }


def _definition(what: str, sections: Iterable[str]) -> str:
    return "\n".join([f"(define ({what})", *(f"  {section}" for section in sections), ")\n"])


def _listed(parts: Iterable[str]) -> str:
    joined = " ".join(parts)
    return f"(:and {joined})" if joined else "()"


def _relations(relations: Mapping[str, Mapping[str, list[str]]], sign: str = "") -> str:
    return " ".join(
        f"{name} {_listed(f'({sign}{x} {sign}{y})' for x, seen in pairs.items() for y in seen)}"
        for name, pairs in relations.items()
    )


def _action_type(action: Mapping[str, Any]) -> str:
    events, designated = (" ".join(f"?{e}" for e in action[key]) for key in ("events", "designated"))
    return (
        f"(:action-type {action['action-type']}\n    :events ({events})\n"
        f"    :observability-types ({' '.join(action['relations'])})\n"
        f"    :relations ({_relations(action['relations'], '?')})\n    :designated ({designated}))"
    )


def _change(atom: str, value: Any) -> str:
    if value["formula"] in ("true", "false"):
        return f"({atom})" if value["formula"] == "true" else f"(not ({atom}))"
    return f"(iff {_text(value)} ({atom}))"


def _cases(ways: Mapping[str, Any]) -> str:
    parts = [f"if {_text(condition)} {way}" for way, condition in ways.items()]
    always = [way for way, condition in ways.items() if condition["formula"] == "true"]
    return always[0] if always else f"({' else-'.join(parts)})"


def _text(f: Any) -> str:
    """Return the data of a formula as EPDDL."""
    if isinstance(f, str):
        return f"({f})"
    if list(f) == ["formula"]:
        return _text(f["formula"])
    if "connective" in f:
        return f"({f['connective']} {' '.join(map(_text, f.get('formulas', [f.get('formula')])))})"
    start, _, shape = f["modality-name"].rpartition(".")
    agents = f["modality-index"]
    index = f"{start}. " * bool(start) + (agents[0] if len(agents) == 1 else f"({' '.join(agents)})")
    return f"({f'[{index}]' if shape == 'box' else f'<{index}>'} {_text(f['formula'])})"


def _measured(f: Any) -> tuple[int, int]:
    """Return the modal depth of the data of a formula, and the number of its operators and atoms."""
    if isinstance(f, str):
        return 0, 1
    parts = [_measured(part) for part in f.get("formulas", [f.get("formula")])]
    return max(depth for depth, _ in parts) + ("modality-name" in f), 1 + sum(size for _, size in parts)


def ground_data(task: Task) -> dict[str, Any]:
    """Return a task as data, ready for `json.dumps`: the JSON of a ground task, without facts.

    Facts have been evaluated. See `to_epddl`.

    >>> from kripke_werewolf.models import KripkeModel
    >>> m = KripkeModel(["w"], {"a": [("w", "w")]}, {"p": ["w"]})
    >>> ground_data(Task(m, {}, "K_a p"))["goal"]
    {'formula': {'modality-name': 'box', 'modality-index': ['a'], 'formula': 'p'}}

    Raises `ModelError` for a model with more than 2 million pairs of related worlds.
    """
    model, writer = task.model, _Writer(task)
    (name,) = identifiers([task.name])
    called = dict(zip(model, identifiers(model.worlds), strict=True))
    depth, size = _measured(writer.formula(task.goal))
    if (pairs := sum(map(len, model.relations.values()))) > _MOST_PAIRS:
        raise ModelError(
            f"{task.name} has {pairs:,} pairs of related worlds, above the limit of {_MOST_PAIRS:,} "
            "in a file; contract the model first, model.generated().contract()"
        )
    return {
        "planning-task-info": {
            "problem": name,
            "domain": f"{name}-domain",
            "libraries": [f"{name}-types"],
            "requirements": [":lists", ":multi-pointed-models", ":ontic-actions", ":partial-observability"],
            "agents-number": len(model.agents),
            "atoms-number": len(model.atoms),
            "facts-number": 0,
            "actions-number": len(task.actions),
            "initial-worlds-number": len(model),
            "goal-modal-depth": depth,
            "goal-size": size,
        },
        "language": {"atoms": list(writer.atoms.values()), "agents": list(writer.agents.values())},
        "facts": [],
        "initial-state": {
            "worlds": list(called.values()),
            "relations": {
                name: {called[w]: [called[v] for v in model.successors(agent, w)] for w in model}
                for agent, name in writer.agents.items()
            },
            "labels": {
                called[world]: [writer.atoms[atom] for atom in model.atoms_at(world)] for world in model
            },
            "designated": [called[world] for world in model.designated],
        },
        "actions": dict(
            zip(identifiers(task.actions), map(writer.action, task.actions.values()), strict=True)
        ),
        "goal": writer.whole(task.goal),
    }


class _Writer:
    """Writes formulas and actions as data, with identifiers as names."""

    def __init__(self, task: Task) -> None:
        self.atoms, self.agents = _identified(task.model.atoms), _identified(task.model.agents)
        self.kinds: dict[Hashable, str] = {}

    def action(self, action: PlannedAction) -> dict[str, Any]:
        """Return an action; its type gets a number."""
        kind = action.kind if isinstance(action, ObservedAction) else action
        sights = {way: kind._sight(way) for way in kind.relations}
        observers = action.observers if isinstance(action, ObservedAction) else {}
        if not isinstance(action, ObservedAction):  # agents who see the same observe it the way of the first
            sights = {agent: kind._sight(agent) for agent in self.agents}
            first = {sight: agent for agent, sight in reversed(sights.items())}
            observers = {agent: ((s.TRUE, first[sight]),) for agent, sight in sights.items()}
            sights = {agent: sight for sight, agent in first.items()}
        ways, names = _identified(sights), _identified(kind.events)
        events = list(names.values())
        designated = [names[event] for event in kind.designated]
        relations = {
            ways[way]: {e: [events[k] for k in members(seen)] for e, seen in zip(events, sight, strict=True)}
            for way, sight in sights.items()
        }
        form = tuple(events), str(relations), tuple(designated)
        content = dict(zip(events, kind.events.values(), strict=True))
        return {
            "action-type": self.kinds.setdefault(form, f"type-{len(self.kinds) + 1}"),
            "events": events,
            "relations": relations,
            "designated": designated,
            "preconditions": {name: self.whole(event.pre) for name, event in content.items()},
            "effects": {
                name: {self.atoms[atom]: self.whole(f) for atom, f in event.post.items()} or None
                for name, event in content.items()
            },
            "observability-conditions": {
                self.agents[agent]: self._cases(cases, ways) for agent, cases in observers.items()
            },
        }

    def _cases(self, cases: Iterable[tuple[Formula, str]], ways: Mapping[str, str]) -> dict[str, Any]:
        found: dict[str, list[Formula]] = {}
        for condition, way in exclusive_cases(cases):
            found.setdefault(ways[way], []).append(condition)
        return {way: self.whole(any_of(conditions)) for way, conditions in found.items()}

    def whole(self, f: Formula) -> dict[str, Any]:
        """Return a formula that is not part of another one."""
        return {"formula": self.formula(f)}

    def formula(self, f: Formula) -> Any:
        """Return a formula."""
        match f:
            case s.Constant():
                return "true" if f is s.TRUE else "false"
            case s.Atom(name=name):
                return self.atoms[name]
            case s.Iff(left=left, right=right):
                return self.formula((left >> right) & (right >> left))
            case s.Not(body=body):
                return {"connective": "not", "formula": self.formula(body)}
            case s.And() | s.Or() | s.Implies():
                return {"connective": _WORDS[type(f)], "formulas": list(map(self.formula, f.children))}
            case s.Modal() if type(f) in _MODALITIES and f.within is s.TRUE:
                agents = [self.agents[agent] for agent in f.label]
                told = {"modality-name": _MODALITIES[type(f)], "modality-index": agents}
                return {**told, "formula": self.formula(f.body)}
        unfolded = f.unfolded() if isinstance(f, s.Modal) else None
        if unfolded is None:
            raise FormulaError(f"EPDDL has no operator for {f}")
        return self.formula(unfolded)


def identifiers(names: Iterable[object]) -> list[str]:
    """Return for each name a different one that EPDDL allows.

    >>> identifiers(["p", "say p", 1, "1", "not"])
    ['p', 'say-p', 'x1', "x1'", 'xnot']
    """
    found: dict[str, None] = {}
    for name in names:
        plain = re.sub(r"[^A-Za-z0-9_'-]", "-", str(name))
        plain = plain if re.match("[A-Za-z_]", plain) and plain not in CONNECTIVES else f"x{plain}"
        while plain in found:
            plain += "'"
        found[plain] = None
    return list(found)


def _identified(names: Collection[Name]) -> dict[Name, str]:
    return dict(zip(names, identifiers(names), strict=True))
