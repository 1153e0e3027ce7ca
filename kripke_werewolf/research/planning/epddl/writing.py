"""Planning tasks as EPDDL, and as the JSON of ground tasks that its guideline describes."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

from kripke_werewolf.base.errors import FormulaError, ModelError
from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.semantics.bits import members
from kripke_werewolf.research.planning.epddl.reading import exclusive_cases
from kripke_werewolf.research.planning.epddl.terms import CLOSING, CONNECTIVES, MODALITIES, WORDS, any_of
from kripke_werewolf.research.planning.task import ObservedAction, PlannedAction, Task, kind_of_action

Name = TypeVar("Name", bound=Hashable)

_MOST_PAIRS = 2_000_000
_FORMS = {kind: form for form, kind in MODALITIES.items()}


class _Written(NamedTuple):
    """A formula as data of the JSON and as EPDDL, with its modal depth and the number of its parts."""

    data: Any
    text: str
    depth: int = 0
    size: int = 1


def to_epddl(task: Task) -> dict[str, str]:
    """Return a task as EPDDL: a domain, its library of action types, and a problem, by file name.

    Nothing has parameters, as the actions of a task are ground. Names become identifiers. Raises
    `FormulaError` for a formula that EPDDL does not have.

    >>> from kripke_werewolf.logic.models import KripkeModel
    >>> m = KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]]}, {"p": ["w"]}, ["w"])
    >>> files = to_epddl(Task(m, {"say p": "p"}, "K_a p", name="tell"))
    >>> list(files), "(:goal ([a] (p)))" in files["tell.epddl"]
    (['tell-domain.epddl', 'tell-types.epddl', 'tell.epddl'], True)
    """
    ground = _ground(task)
    name, language, start = (ground[key] for key in ("problem", "language", "initial-state"))
    domain: list[Any] = [(":action-type-libraries", f"{name}-types")]
    domain.append((":predicates", *((atom,) for atom in language["atoms"])))
    kinds: dict[str, Any] = {}
    for label, action in ground["actions"].items():
        places, designated = ([f"?{e}" for e in action[key]] for key in ("events", "designated"))
        kinds[action["action-type"]] = (
            *(":action-type", action["action-type"], ":events", places),
            *(":observability-types", list(action["relations"])),
            *(":relations", _relations(action["relations"], "?"), ":designated", designated),
        )
        for event, pre in action["preconditions"].items():
            changes = [_change(atom, f) for atom, f in (action["effects"][event] or {}).items()]
            domain.append((":event", f"{label}-{event}", ":precondition", pre, ":effects", _list(changes)))
        kind = [action["action-type"], *((f"{label}-{event}",) for event in action["events"])]
        seen = [(agent, _cases(ways)) for agent, ways in action["observability-conditions"].items()]
        domain.append((":action", label, ":action-type", kind, ":observability-conditions", _list(seen)))
    labels = [part for w, true in start["labels"].items() for part in (w, _list((atom,) for atom in true))]
    shown = (":relations", _relations(start["relations"]), ":labels", labels)
    init = (":init", ":worlds", start["worlds"], *shown, ":designated", start["designated"])
    problem = [
        (":domain", f"{name}-domain"),
        (":agents", *language["agents"]),
        init,
        (":goal", ground["goal"]),
    ]
    return {
        f"{name}-domain.epddl": _definition("domain", f"{name}-domain", domain),
        f"{name}-types.epddl": _definition("action-type-library", f"{name}-types", kinds.values()),
        f"{name}.epddl": _definition("problem", name, problem),
    }


def _definition(kind: str, name: str, sections: Iterable[Any]) -> str:
    lines = (f"  {_text(section).replace(' :', chr(10) + '    :')}" for section in sections)
    return "\n".join([f"(define ({kind} {name})", *lines, ")\n"])


def _text(part: Any) -> str:
    """Return words, formulas, and sequences of them, as EPDDL."""
    if isinstance(part, _Written):
        return part.text
    return part if isinstance(part, str) else f"({' '.join(map(_text, part))})"


def _list(parts: Iterable[Any]) -> Any:
    found = tuple(parts)
    return (":and", *found) if found else ()


def _relations(relations: Mapping[str, Mapping[str, list[str]]], sign: str = "") -> list[Any]:
    found: list[Any] = []
    for name, pairs in relations.items():
        found += name, _list((f"{sign}{x}", f"{sign}{y}") for x, seen in pairs.items() for y in seen)
    return found


def _change(atom: str, value: _Written) -> Any:
    if value.data == "true":
        return (atom,)
    if value.data == "false":
        return "not", (atom,)
    return "iff", value, (atom,)


def _cases(ways: Mapping[str, _Written]) -> Any:
    for way, condition in ways.items():
        if condition.data == "true":
            return way
    return "if", *[part for way, condition in ways.items() for part in ("else-if", condition, way)][1:]


def ground_data(task: Task) -> dict[str, Any]:
    """Return a task as data, ready for `json.dumps`: the JSON of a ground task, without facts.

    Facts have been evaluated. See `to_epddl`.

    >>> from kripke_werewolf.logic.models import KripkeModel
    >>> m = KripkeModel(["w"], {"a": [("w", "w")]}, {"p": ["w"]})
    >>> ground_data(Task(m, {}, "K_a p"))["goal"]
    {'formula': {'modality-name': 'box', 'modality-index': ['a'], 'formula': 'p'}}

    Raises `ModelError` for a model with more than 2 million pairs of related worlds.
    """
    data = _ground(task)
    name, language, goal = data.pop("problem"), data["language"], data["goal"]
    numbers = {**language, "facts": (), "actions": data["actions"]}
    told = {"problem": name, "domain": f"{name}-domain", "libraries": [f"{name}-types"]}
    told["requirements"] = [":lists", ":multi-pointed-models", ":ontic-actions", ":partial-observability"]
    told |= {f"{key}-number": len(of) for key, of in numbers.items()}
    told["initial-worlds-number"] = len(task.model)
    told |= {"goal-modal-depth": goal.depth, "goal-size": goal.size}
    return {"planning-task-info": told, **_plain(data)}


def _plain(data: Any) -> Any:
    """Return data with the formulas as data."""
    if isinstance(data, dict):
        return {key: _plain(value) for key, value in data.items()}
    return {"formula": data.data} if isinstance(data, _Written) else data


def _ground(task: Task) -> dict[str, Any]:
    """Return the data of a task, with the formulas written in both ways, and the name of the problem."""
    if task.model.ranks or any(
        event.ranks for action in task.actions.values() for event in kind_of_action(action).events.values()
    ):
        raise ModelError(f"{task.name} has orders of plausibility, which EPDDL cannot express")
    model, writer = task.model, _Writer(task)
    worlds = _identified(model.worlds)
    if (pairs := sum(map(len, model.relations.values()))) > _MOST_PAIRS:
        raise ModelError(
            f"{task.name} has {pairs:,} pairs of related worlds, above the limit of {_MOST_PAIRS:,} "
            "in a file; contract the model first, model.generated().contract()"
        )
    relations: dict[str, Any] = {}
    for agent, name in writer.agents.items():
        relations[name] = {worlds[w]: [worlds[v] for v in model.successors(agent, w)] for w in model}
    start = {
        "worlds": list(worlds.values()),
        "relations": relations,
        "labels": {worlds[w]: [writer.atoms[atom] for atom in model.atoms_at(w)] for w in model},
        "designated": [worlds[w] for w in model.designated],
    }
    labels = _identified(task.actions)
    return {
        "problem": _identified([task.name])[task.name],
        "language": {"atoms": list(writer.atoms.values()), "agents": list(writer.agents.values())},
        "facts": [],
        "initial-state": start,
        "actions": {labels[name]: writer.action(action) for name, action in task.actions.items()},
        "goal": writer.formula(task.goal),
    }


class _Writer:
    """Writes formulas and actions as data, with identifiers as names."""

    def __init__(self, task: Task) -> None:
        self.atoms, self.agents = _identified(task.model.atoms), _identified(task.model.agents)
        self.kinds: dict[Hashable, str] = {}
        self.written: dict[Formula, _Written] = {}

    def action(self, action: PlannedAction) -> dict[str, Any]:
        """Return an action; its type gets a number."""
        kind = kind_of_action(action)
        if isinstance(action, ObservedAction):
            sights, observers = {way: kind._sight(way) for way in kind.relations}, action.observers
        else:  # agents who see the same observe it the way of the first
            first = {kind._sight(agent): agent for agent in reversed(self.agents)}
            observers = {agent: ((s.TRUE, first[kind._sight(agent)]),) for agent in self.agents}
            sights = {agent: sight for sight, agent in reversed(first.items())}
        ways, names = _identified(sights), _identified(kind.events)
        events = list(names.values())
        designated = [names[event] for event in kind.designated]
        relations: dict[str, Any] = {}
        for way, sight in sights.items():
            seen = ([events[k] for k in members(some)] for some in sight)
            relations[ways[way]] = dict(zip(events, seen, strict=True))
        form = tuple(events), str(relations), tuple(designated)
        effects: dict[str, Any] = {}
        for event, name in names.items():
            changes = kind.events[event].post.items()
            effects[name] = {self.atoms[atom]: self.formula(f) for atom, f in changes} or None
        conditions: dict[str, Any] = {}
        for agent, cases in observers.items():
            found = grouped((ways[way], condition) for condition, way in exclusive_cases(cases))
            conditions[self.agents[agent]] = {way: self.formula(any_of(some)) for way, some in found.items()}
        return {
            "action-type": self.kinds.setdefault(form, f"type-{len(self.kinds) + 1}"),
            "events": events,
            "relations": relations,
            "designated": designated,
            "preconditions": {name: self.formula(kind.events[e].pre) for e, name in names.items()},
            "effects": effects,
            "observability-conditions": conditions,
        }

    def formula(self, f: Formula) -> _Written:
        """Return a formula, written after its parts, however deep it is."""
        for g in (*f.below, f):
            if g not in self.written:
                self.written[g] = self._joined(g)
        return self.written[f]

    def _joined(self, f: Formula) -> _Written:
        """Return a formula whose parts are written."""
        if isinstance(f, s.Constant):
            return _Written(str(f), f"({f})")
        if isinstance(f, s.Atom):
            return _Written(self.atoms[f.name], f"({self.atoms[f.name]})")
        if isinstance(f, s.Iff):
            return self.formula((f.left >> f.right) & (f.right >> f.left))
        kind = type(f)
        known = kind in WORDS or kind in _FORMS
        if isinstance(f, s.Modal) and (f.within is not s.TRUE or not known):
            if (unfolded := f.unfolded()) is not None:
                return self.formula(unfolded)
            known = False
        if not known:
            raise FormulaError(f"EPDDL has no operator for {f}")
        parts = [self.written[g] for g in f.children]
        data = [part.data for part in parts]
        inside = {"formula": data[0]} if len(parts) == 1 else {"formulas": data}
        depth, size = max(part.depth for part in parts), sum(part.size for part in parts) + 1
        if kind in WORDS:
            told = {"connective": WORDS[kind], **inside}
            return _Written(told, _text((WORDS[kind], *(p.text for p in parts))), depth, size)
        bracket, prefix = _FORMS[kind]
        agents = [self.agents[agent] for agent in f.label]
        group = agents[0] if len(agents) == 1 else _text(agents)
        index = f"{prefix} {group}".strip()
        name = prefix + {"[": "box", "<": "diamond"}[bracket]
        told = {"modality-name": name, "modality-index": agents, **inside}
        return _Written(told, f"({bracket}{index}{CLOSING[bracket]} {parts[0].text})", depth + 1, size)


def _identified(names: Iterable[Name]) -> dict[Name, str]:
    """Return for each name a different one that EPDDL allows.

    >>> list(_identified(["p", "say p", 1, "1", "not"]).values())
    ['p', 'say-p', 'x1', "x1'", 'xnot']
    """
    found, taken = dict[Name, str](), set[str]()
    for name in names:
        plain = re.sub(r"[^A-Za-z0-9_'-]", "-", str(name))
        if not re.match("[A-Za-z_]", plain) or plain in CONNECTIVES:
            plain = f"x{plain}"
        while plain in taken:
            plain += "'"
        taken.add(plain)
        found[name] = plain
    return found
