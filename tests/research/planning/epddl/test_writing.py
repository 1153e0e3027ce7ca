"""Written tasks mean the same: read back as EPDDL, and by a slow reader of the JSON for ground tasks."""

import json
import random
from itertools import product
from typing import Any

import pytest

from kripke_werewolf.base.errors import FormatError, FormulaError, ModelError
from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.models import KripkeModel, bisimilar
from kripke_werewolf.logic.models.model import Numbered
from kripke_werewolf.logic.semantics import ActionModel, Event, private, public
from kripke_werewolf.research.planning import ObservedAction, Task
from kripke_werewolf.research.planning.epddl import ground_data, parse_task, to_epddl
from tests.research.planning.epddl.post_office import DOMAIN, EXPLICIT_PROBLEM, PROBLEM

AGENTS, ATOMS = ("ann", "bob"), ("p", "q")
UNARY = [
    f.Not,
    lambda g: f.Knows("ann", g),
    lambda g: f.Possible("bob", g),
    lambda g: f.KnowsWhether("ann", g),
    lambda g: f.Everyone(AGENTS, g),
    lambda g: f.EveryoneDual(AGENTS, g),
    lambda g: f.EveryoneWhether(AGENTS, g),
    lambda g: f.SomeoneKnows(AGENTS, g),
    lambda g: f.Common(AGENTS, g),
    lambda g: f.CommonDual(AGENTS, g),
    lambda g: f.CommonWhether(AGENTS, g),
]


def random_formula(rng: random.Random, depth: int = 2) -> Formula:
    if depth == 0:
        return rng.choice([f.Atom("p"), f.Atom("q"), f.TRUE])
    if rng.random() < 0.5:
        return rng.choice(UNARY)(random_formula(rng, depth - 1))
    return rng.choice([f.And, f.Or, f.Implies, f.Iff])(*(random_formula(rng, depth - 1) for _ in range(2)))


def random_pairs(rng: random.Random, names: list[str]) -> list[tuple[str, str]]:
    return [pair for pair in product(names, repeat=2) if rng.random() < 0.6]


def random_task(rng: random.Random) -> Task:
    """Return a task with actions that all observe the same way, or depending on the state."""
    worlds = [f"w{k}" for k in range(rng.randint(1, 4))]
    model = KripkeModel(
        worlds,
        {agent: random_pairs(rng, worlds) for agent in AGENTS},
        {atom: [w for w in worlds if rng.random() < 0.5] for atom in ATOMS},
        rng.sample(worlds, rng.randint(1, len(worlds))),
    )
    actions: dict[str, ActionModel | ObservedAction] = {}
    for number in range(4):
        events = {
            f"e{k}": Event(
                random_formula(rng), {atom: random_formula(rng, 1) for atom in ATOMS if rng.random() < 0.4}
            )
            for k in range(rng.randint(1, 3))
        }
        names = list(events)
        pointed = rng.sample(names, rng.randint(1, len(names)))
        seen = AGENTS if number < 2 else ("near", "far")
        kind = ActionModel(
            events, {way: random_pairs(rng, names) for way in seen}, pointed, name=f"a{number}"
        )
        cases = [(random_formula(rng, 1), "near"), (random_formula(rng, 1), "far"), (f.TRUE, "near")]
        actions[f"a{number}"] = kind if number < 2 else ObservedAction(kind, dict.fromkeys(AGENTS, cases))
    return Task(model, actions, random_formula(rng))


def outcome(task: Task, name: str) -> KripkeModel | None:
    """Return the state after an action, None if it does not apply or who sees what depends on the world."""
    action, model = task.action(name), task.model
    cases = action.observers.values() if isinstance(action, ObservedAction) else ()
    unclear = any(not model.holds(g) and not model.holds(~g) for seen in cases for g, _ in seen)
    return None if unclear or not task.applies(model, name) else model.update(task.instance(model, name))


def same(one: KripkeModel, other: KripkeModel) -> bool:
    """Return whether each designated world is bisimilar to one of the other model, whatever the chances."""
    one, other = (
        KripkeModel.from_space(m.space.unweighted(), m.space.set_of(Numbered(m).points)) for m in (one, other)
    )
    pairs = product(one.designated, other.designated)
    alike = {(w, v) for w, v in pairs if bisimilar(one, w, other, v)}
    return {w for w, _ in alike} == set(one.designated) and {v for _, v in alike} == set(other.designated)


@pytest.mark.parametrize("seed", range(40))
def test_a_task_read_back_means_the_same(seed: int) -> None:
    task = random_task(random.Random(seed))
    again = parse_task(to_epddl(task))
    assert same(again.model, task.model)
    assert again.model.holds(again.goal) == task.model.holds(task.goal)
    for name in task.actions:
        if name not in again.actions:  # left out: its preconditions say `false`
            assert task.impossible(task.model, name) == task.model.designated
            continue
        assert again.impossible(again.model, name) == task.impossible(task.model, name)
        wanted = outcome(task, name)
        if wanted is not None:
            assert same(again.model.update(again.instance(again.model, name)), wanted)


@pytest.mark.parametrize("problem", [PROBLEM, EXPLICIT_PROBLEM], ids=["theory", "worlds"])
def test_the_post_office_read_back(problem: str) -> None:
    task = parse_task({"post.epddl": DOMAIN, "vase.epddl": problem})
    again = parse_task(to_epddl(task))
    assert (again.model, again.goal, list(again.actions)) == (task.model, task.goal, list(task.actions))
    for name, action in task.actions.items():
        copy = again.action(name)
        assert list(copy.kind.events.values()) == list(action.kind.events.values())
        assert (copy.kind._sights, copy.observers) == (action.kind._sights, action.observers)
    assert to_epddl(task) == to_epddl(parse_task({"x": problem, "y": DOMAIN}))


# --- the JSON, by its meaning --------------------------------------------------------------------


class Ground:
    """A state of a ground task: worlds, relations and labels as in the JSON."""

    def __init__(self, state: dict[str, Any]) -> None:
        self.state = state

    def true(self, g: Any, w: str) -> bool:
        relations = self.state["relations"]
        if list(g) == ["formula"]:
            return self.true(g["formula"], w)
        if isinstance(g, str):
            return g == "true" or (g != "false" and g in self.state["labels"][w])
        if "connective" in g:
            parts = [self.true(part, w) for part in g.get("formulas", [g.get("formula")])]
            return {
                "not": not parts[0],
                "and": all(parts),
                "or": any(parts),
                "imply": not parts[0] or parts[-1],
            }[g["connective"]]
        agents, name = g["modality-index"], g["modality-name"]
        reached = {v for agent in agents for v in relations[agent][w]}
        if name.startswith("C."):
            while more := {v for u in reached for agent in agents for v in relations[agent][u]} - reached:
                reached |= more
            found = [self.true(g["formula"], v) for v in reached]
            return all(found) if name == "C.box" else any(found)
        each = [[self.true(g["formula"], v) for v in relations[agent][w]] for agent in agents]
        return {
            "box": all(map(all, each)),
            "diamond": all(map(any, each)),
            "Kw.box": all(all(found) or not any(found) for found in each),
        }[name]

    def after(self, action: dict[str, Any]) -> KripkeModel | None:
        points = self.state["designated"]
        pre, effects = action["preconditions"], action["effects"]
        if not all(any(self.true(pre[e], w) for e in action["designated"]) for w in points):
            return None
        seen = {}
        for agent, ways in action["observability-conditions"].items():
            true = [way for way, g in ways.items() if all(self.true(g, w) for w in points)]
            if len(true) != 1:
                return None
            seen[agent] = action["relations"][true[0]]
        worlds = [(w, e) for w in self.state["worlds"] for e in action["events"] if self.true(pre[e], w)]
        relations = {
            agent: [
                ((w, e), (v, d)) for w, e in worlds for v in self.state["relations"][agent][w]
                for d in sight[e] if (v, d) in worlds
            ]
            for agent, sight in seen.items()
        }  # fmt: skip
        label = self.state["labels"]
        valuation = {
            atom: [(w, e) for w, e in worlds if self.true((effects[e] or {}).get(atom, atom), w)]
            for atom in {*ATOMS, *(atom for its in label.values() for atom in its)}
        }
        chosen = [(w, e) for w, e in worlds if w in points and e in action["designated"]]
        return KripkeModel(worlds, relations, valuation, chosen)


@pytest.mark.parametrize("seed", range(40, 80))
def test_the_json_means_the_same(seed: int) -> None:
    task = random_task(random.Random(seed))
    data = json.loads(json.dumps(ground_data(task)))
    state = Ground(data["initial-state"])
    assert all(state.true(data["goal"], w) for w in data["initial-state"]["designated"]) == task.model.holds(
        task.goal
    )
    for name in task.actions:
        after, wanted = state.after(data["actions"][name]), outcome(task, name)
        if wanted is not None:
            assert after is not None
            assert same(after, wanted)


def test_the_form_of_the_json() -> None:
    data = ground_data(parse_task({"post.epddl": DOMAIN, "vase.epddl": PROBLEM}))
    assert list(data) == ["planning-task-info", "language", "facts", "initial-state", "actions", "goal"]
    assert data["planning-task-info"]["actions-number"] == len(data["actions"]) == 15
    shake = data["actions"]["shake_Ann_vase"]
    assert shake["events"] == ["e-rattles", "e-silent", "nothing"]
    assert shake["relations"]["Oblivious"] == {event: ["nothing"] for event in shake["events"]}
    assert shake["observability-conditions"]["Ann"] == {"Fully": {"formula": "true"}}
    assert set(shake["observability-conditions"]["Bob"]) == {"Partially", "Oblivious"}
    assert data["actions"]["walk_Ann_hall_yard"]["effects"] == {
        "e-walk": {"at_Ann_hall": {"formula": "false"}, "at_Ann_yard": {"formula": "true"}}
    }
    assert shake["effects"] == dict.fromkeys(shake["events"])
    assert data["goal"]["formula"]["connective"] == "and"
    assert (data["planning-task-info"]["goal-modal-depth"], data["planning-task-info"]["goal-size"]) == (2, 7)


# --- names and limits ----------------------------------------------------------------------------


def test_any_names_become_identifiers() -> None:
    model = KripkeModel.from_partitions(
        [(0, 0), (0, 1)],
        {"1": [[(0, 0), (0, 1)]], "Big Al": [[(0, 0)], [(0, 1)]]},
        {"a card": [(0, 0)], "a-card": []},
    )
    task = Task(
        model,
        {"say it!": public('"a card"'), "tell 1": private("1", '"a card"')},
        'K_1 "a card"',
        name="a (b)",
    )
    again = parse_task(to_epddl(task))
    assert again.model.agents == ("x1", "Big-Al")
    assert again.goal == f.Knows("x1", f.Atom("a-card"))
    assert list(again.actions) == ["say-it-", "tell-1"]
    assert len(again.model) == len(Numbered(again.model).points) == 2


def test_too_many_pairs_are_refused_with_their_number() -> None:
    model = KripkeModel.from_partitions(range(1500), {"a": [range(1500)]}, {"p": [0]})
    with pytest.raises(
        ModelError, match=r"big has 2,250,000 pairs of related worlds, above the limit of 2,000,000"
    ):
        to_epddl(Task(model, {}, "p", name="big"))


def test_a_formula_that_the_language_does_not_have() -> None:
    model = KripkeModel(["w"], {"a": [("w", "w")], "b": []}, {"p": ["w"]})
    with pytest.raises(FormulaError, match=r"EPDDL has no operator for D_\{a,b\} p"):
        to_epddl(Task(model, {}, f.Knows("a", f.Distributed(("a", "b"), "p"))))


def test_a_formula_may_be_nested_deeply() -> None:
    model = KripkeModel(["w"], {"a": [("w", "w")]}, {"p": ["w"]})
    goal = f.Atom("p")
    for k in range(500):
        goal = f.Knows("a", goal) if k % 2 else ~(goal & f.Atom("p"))
    task = Task(model, {}, goal, name="deep")
    written = to_epddl(task)["deep.epddl"]
    assert written.count("[a]") == 250
    assert written.count("(not (and ") == 250
    assert ground_data(task)["planning-task-info"]["goal-modal-depth"] == 250
    with pytest.raises(FormatError, match="brackets inside each other"):
        parse_task(to_epddl(task))


@pytest.mark.parametrize("seed", range(4))
def test_atoms_that_are_true_nowhere_survive(seed: int) -> None:
    rng = random.Random(seed)
    atoms = [f"p{k}" for k in range(5)]
    true = {atom: ["u"] * rng.randint(0, 1) for atom in atoms}
    model = KripkeModel.from_partitions(["u", "v"], {"ann": [["u", "v"]]}, true, "u")
    again = parse_task(to_epddl(Task(model, {"tell": private(["ann"], "p0")}, "p1", name="t"))).model
    assert list(again.atoms) == atoms
    assert [again.holds(atom) for atom in atoms] == [model.holds(atom) for atom in atoms]


def test_an_agent_without_arrows_is_pointed_out() -> None:
    model = KripkeModel(["u"], {"ann": [("u", "u")], "bob": []}, {"p": ["u"]})
    with pytest.warns(UserWarning, match=r"t.epddl:6:\d+: agent bob has no arrows"):
        parse_task(to_epddl(Task(model, {}, "p", name="t")))
