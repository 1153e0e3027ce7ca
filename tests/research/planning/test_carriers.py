"""The same plan from bits, arrays and diagrams, and with states cut off at a depth."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kripke_werewolf as kw
from kripke_werewolf import ActionModel, Formula, FormulaError, KnowledgeStructure, KripkeModel, ModelTooLarge
from kripke_werewolf.logic.puzzles import muddy_children
from kripke_werewolf.research.planning import Task, find_plan, find_policy, validate
from tests.reference.kripke import Plain
from tests.strategies import action_models, formulas, plain_models

pytestmark = pytest.mark.usefixtures("carrier")

CONTENTS = formulas(max_depth=1, quantifiers=False, everywhere=False, dynamic=False, probability=False)
ACTIONS = st.lists(action_models(max_events=2, weights=False, contents=CONTENTS), min_size=1, max_size=2)


@given(plain_models(max_worlds=4, weights=False), ACTIONS, CONTENTS, st.booleans())
def test_plans_do_not_depend_on_the_carrier(
    model: Plain, acts: list[ActionModel], goal: Formula, sure: bool
) -> None:
    explicit = model.build()
    actions = {f"act {k}": act for k, act in enumerate(acts)}
    found = [
        find_plan(Task(start, actions, goal, sure=sure), longest=2)
        for start in (explicit, KnowledgeStructure.from_explicit(explicit))
    ]
    assert (found[0].plan, found[0].states) == (found[1].plan, found[1].states)


@given(plain_models(max_worlds=3, weights=False), ACTIONS, CONTENTS, st.integers(1, 6))
def test_plans_with_a_depth_are_plans(
    model: Plain, acts: list[ActionModel], goal: Formula, depth: int
) -> None:
    task = Task(model.build(), {str(k): act for k, act in enumerate(acts)}, goal)
    exact = find_plan(task, longest=2)
    bounded = find_plan(task, longest=2, depth=depth)
    if bounded.plan is None:
        assert bounded.stopped
        # actions and goals of depth 1: two actions and a goal look 3 steps far
        assert exact.plan is None or depth < 3
    else:
        assert validate(task, bounded.plan).valid
    if depth > 3:
        assert bounded.plan == exact.plan


def test_symbolic_puzzles() -> None:
    plans = []
    for engine in ("explicit", "symbolic"):
        puzzle = muddy_children(4, muddy=3, engine=engine)
        says = {name: puzzle.formulas[name] for name in ("father", "nobody")}
        goal = " & ".join(f"Kw_{i} muddy_{i}" for i in "123")
        found = find_plan(Task(puzzle.model, says, goal))
        plans.append((found.plan, found.states))
    assert plans[0] == plans[1] == (("father", "nobody", "nobody"), 4)


def test_only_reachable_states_are_listed() -> None:
    atoms = [f"p{k}" for k in range(40)]
    known = KnowledgeStructure(atoms, True, {"a": atoms[1:]}, [{"p1", "p2"}])
    assert len(Task(known, {"say": "p0"}, "K_a p0").model) == 2
    unknown = KnowledgeStructure(atoms, True, {"a": atoms[:10]}, [{"p1", "p2"}])
    with pytest.raises(ModelTooLarge, match="the start of the task would have 1,073,741,824 worlds"):
        Task(unknown, {"say": "p0"}, "K_a p0")


def endless() -> Task:
    """Return the task of two generals: each message may be lost, and none makes it common knowledge."""
    acts = {}
    for sender, receiver in ("ab", "ba"):
        events = {"arrives": "up", "lost": kw.Event("up", {"up": False}), "none": "~up"}
        classes = {sender: [["arrives", "lost"], ["none"]], receiver: [["arrives"], ["lost", "none"]]}
        acts[f"{sender} sends"] = ActionModel.from_partitions(events, classes, ["arrives"])
    return Task(KripkeModel.from_partitions(["w"], {x: [["w"]] for x in "ab"}, {"up": ["w"]}), acts, "~up")


def test_a_depth_ends_endless_searches() -> None:
    assert "the limit on states (200) is reached" in find_plan(endless(), states=200).stopped
    numbers = [find_plan(endless(), depth=depth, states=200).states for depth in (1, 2, 3)]
    assert numbers == sorted(set(numbers))  # what is cut off makes the difference
    assert numbers[-1] < 200
    assert "formulas up to depth 2" in find_plan(endless(), depth=2).stopped


def test_a_depth_is_for_knowledge() -> None:
    start = KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]]}, {"p": ["w"]}, ["w"])
    with pytest.raises(FormulaError, match="depth=1 ignores probabilities"):
        find_plan(Task(start, {"say": "p"}, "P_a(p) >= 1/2"), depth=1)
    policy = find_policy(Task(KnowledgeStructure.from_explicit(start), {"say": "p"}, "K_a p"))
    assert policy is not None
    assert policy.depth == 1
