"""Policies against an enumeration of all trees of actions, on six tasks with sensing."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kripke_werewolf import FormatError, Formula, FormulaError, KripkeModel, Undecided, UnknownAgentError
from kripke_werewolf.logic.models.model import Numbered
from kripke_werewolf.logic.semantics import ActionModel, Event, assign, observe, public
from kripke_werewolf.research.planning import Policy, Task, find_plan, find_policy, validate
from tests.cases import cases
from tests.reference.kripke import Plain
from tests.strategies import action_models, formulas, plain_models


def two(p: str, agents: str, **more: bool) -> KripkeModel:
    """Return a model in which nobody knows whether an atom is true; the others are known."""
    true = {p: ["yes"]} | {atom: ["yes", "no"] if value else [] for atom, value in more.items()}
    return KripkeModel.from_partitions(["yes", "no"], {a: [["yes", "no"]] for a in agents}, true)


def looked(agent: str, atom: str, where: str = "true") -> ActionModel:
    """Return the action in which an agent who is in the right place looks whether an atom is true."""
    return observe(agent, [f"({where}) & {atom}", f"({where}) & ~{atom}"])


def fleet() -> Task:
    """Return two robots; one may go to a crossing, look whether it is blocked, and report."""
    actions: dict[str, ActionModel] = {}
    for r in "12":
        actions |= {
            f"go {r}": ActionModel({"go": Event(f"~at_{r}", {f"at_{r}": True})}, {}, others=[("go", "go")]),
            f"look {r}": looked(r, "blocked", f"at_{r}"),
            f"say {r} blocked": public(f"K_{r} blocked"),
            f"say {r} clear": public(f"K_{r} ~blocked"),
        }
    start = two("blocked", "12", at_1=False, at_2=False)
    return Task(start, actions, "Kw_1 blocked & Kw_2 blocked", by={name: name.split()[1] for name in actions})


def coin() -> Task:
    return Task(
        two("heads", "a"), {"look": looked("a", "heads"), "turn": assign(heads="~heads")}, "K_a heads"
    )


def boxes() -> Task:
    """Return a key in one of three boxes, which are opened one by one; it is taken where it is."""
    worlds = ["1", "2", "3"]
    start = KripkeModel.from_partitions(
        worlds, {"a": [worlds]}, {f"in_{k}": [k] for k in worlds} | {"got": []}
    )
    actions = {f"open {k}": looked("a", f"in_{k}") for k in worlds}
    actions |= {
        f"take {k}": ActionModel({"e": Event(f"K_a in_{k}", {"got": True})}, {}, others=[("e", "e")])
        for k in worlds
    }
    return Task(start, actions, "got")


def relay() -> Task:
    """Return a message that only b can act on, and only a can read."""
    actions = {
        "read": looked("a", "red"),
        "call red": public("K_a red"),
        "call not red": public("K_a ~red"),
        "press": ActionModel({"e": Event("K_b red", {"done": True})}, {}, others=[("e", "e")]),
        "leave": ActionModel({"e": Event("K_b ~red", {"done": True})}, {}, others=[("e", "e")]),
    }
    by = {"read": "a", "call red": "a", "call not red": "a", "press": "b", "leave": "b"}
    return Task(two("red", "ab", done=False), actions, "done", by=by)


def blind() -> Task:
    return Task(two("p", "a"), {"turn": assign(p="~p")}, "p")


TASKS = {"fleet": fleet, "coin": coin, "boxes": boxes, "relay": relay, "blind": blind}


def parts(model: KripkeModel, agents: tuple[str, ...]) -> list[KripkeModel]:
    """Return the model with the designated worlds that some agent tells apart in different parts.

    Views that bisimilar worlds have are the same.
    """
    model = model.generated().contract()
    found: dict[object, list[object]] = {}
    for name, k in zip(model.designated, Numbered(model).points, strict=True):
        seen = tuple(tuple(Numbered(model).successors(agent, k)) for agent in agents)
        found.setdefault(seen, []).append(name)
    return [model.point(*names) for names in found.values()]  # type: ignore[arg-type]


def enumerated(task: Task, agents: tuple[str, ...], most: int) -> int | None:
    """Return the depth of the shallowest tree of actions that reaches the goal."""

    def solved(model: KripkeModel, depth: int) -> bool:
        if model.holds(task.goal):
            return True
        return depth > 0 and any(
            all(solved(part, depth - 1) for part in parts(model.update(task.instance(model, name)), agents))
            for name in task.actions
            if task.applies(model, name)
        )

    start = parts(task.model, agents)
    return next((d for d in range(most + 1) if all(solved(part, d) for part in start)), None)


@cache
def policy_of(name: str) -> Policy | None:
    return find_policy(TASKS[name](), deepest=4)


@cases(
    ("fleet", 3, 4),
    ("coin", 2, 2),
    ("boxes", 3, 5),
    ("relay", 3, 5),
    ("blind", None, 0),
)
def test_policies_are_as_shallow_as_any_tree(name: str, depth: int | None, size: int | None) -> None:
    task, policy = TASKS[name](), policy_of(name)
    agents = tuple(sorted({a for doers in task.by.values() for a in doers})) or task.model.agents
    assert enumerated(task, agents, 3) == depth == (None if policy is None else policy.depth)
    if policy is not None:
        assert size is None or len(policy.steps) == size
        assert validate(task, policy).valid
        assert Policy.from_dict(policy.to_dict()) == policy


def test_the_fleet_needs_four_actions_without_looking_at_what_is_seen() -> None:
    plan = find_plan(fleet()).plan
    assert plan is not None
    assert len(plan) == 4


def test_branches_are_exclusive_and_complete() -> None:
    for name in TASKS:
        task, policy = TASKS[name](), policy_of(name)
        if policy is not None and len(policy.start) > 1:
            held = [
                set(Numbered(task.model).numbers(seen)) & set(Numbered(task.model).points)
                for seen, _ in policy.start
            ]
            assert sorted(k for part in held for k in part) == Numbered(task.model).points


CONTENTS = formulas(max_depth=1, quantifiers=False, everywhere=False, dynamic=False, probability=False)


@given(
    plain_models(max_worlds=3, weights=False),
    st.lists(action_models(max_events=2, weights=False, contents=CONTENTS), min_size=1, max_size=2),
    CONTENTS,
)
def test_policies_of_any_agents(model: Plain, acts: list[ActionModel], goal: Formula) -> None:
    # agents may consider nothing possible, and what is actual impossible
    task = Task(model.build(), {str(k): act for k, act in enumerate(acts)}, goal)
    policy = find_policy(task, deepest=2)
    assert enumerated(task, task.model.agents, 2) == (None if policy is None else policy.depth)
    if policy is not None:
        assert validate(task, policy).valid
        told = [world for seen, _ in policy.start for world in task.model.where(seen)]
        actual = sorted(world for world in told if world in task.model.designated)
        assert actual == sorted(task.model.designated)
        steps = tuple(step._replace(branches=step.branches[::-1]) for step in policy.steps)
        assert validate(task, Policy(policy.start[::-1], steps, policy.depth)).valid


def done_if(pre: str) -> ActionModel:
    return ActionModel({"e": Event(pre, {"q": True})}, {}, others=[("e", "e")])


def test_who_considers_nothing_possible_is_told_apart() -> None:
    start = KripkeModel("wv", {"a": [("v", "v")]}, {"p": ["w"], "q": []})
    task = Task(start, {pre: done_if(pre) for pre in ("p", "~p")}, "q")
    policy = find_policy(task)
    assert policy is not None
    assert validate(task, policy).valid


def test_a_cut_policy_is_not_valid() -> None:
    policy = policy_of("coin")
    assert policy is not None
    step = policy.steps[0]
    cut = Policy(policy.start, (step._replace(branches=step.branches[:1]), *policy.steps[1:]), policy.depth)
    assert not validate(coin(), cut).valid


def test_strong_cyclic() -> None:
    toss = ActionModel({"up": Event(True, {"heads": True}), "down": Event(True, {"heads": False})}, {},
                       others=[(e, f) for e in ("up", "down") for f in ("up", "down")])  # fmt: skip
    start = KripkeModel.from_partitions(["t"], {"a": [["t"]]}, {"heads": []})
    task = Task(start, {"toss": toss, "look": looked("a", "heads")}, "K_a heads")
    assert find_policy(task) is None
    policy = find_policy(task, cyclic=True)
    assert policy is not None
    assert policy.depth is None
    assert [step.action for step in policy.steps] == ["toss", "look"]
    assert sorted(branch.step for branch in policy.steps[1].branches) == [-1, 0]
    assert validate(task, policy).valid


def test_implicit_coordination() -> None:
    # b cannot press unless a has read and called
    policy = find_policy(relay(), coordinated=True)
    assert policy is not None
    assert policy.depth == 3
    silent = Task(two("p", "ab"), {"say p": public("p")}, "K_b p", by={"say p": "a"})
    assert find_policy(silent, coordinated=True) is None
    known = Task(silent.model.point("yes"), silent.actions, silent.goal, by=silent.by)
    assert find_policy(known).depth == 1  # type: ignore[union-attr]
    assert find_policy(known, coordinated=True) is None  # a does not know that p is true


def test_errors() -> None:
    with pytest.raises(UnknownAgentError):
        find_policy(coin(), ["nobody"])
    with pytest.raises(FormulaError, match="nobody for look, turn"):
        find_policy(coin(), coordinated=True)
    with pytest.raises(Undecided, match=r"limit on states \(2\)"):
        find_policy(boxes(), states=2)
    with pytest.raises(FormatError, match="0 to 0"):
        Policy.from_dict({"start": [{"if": "true", "step": 3}], "steps": [{"action": "x", "then": []}]})
