"""Shortest plans against a search without any merging, and the gossip problem."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kripke_werewolf.base.errors import FormulaError, ModelError, UnknownAtomError
from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.semantics import ActionModel, Event, assign, semi_private
from kripke_werewolf.research.planning import PlanFound, Task, find_plan, validate
from tests.cases import cases
from tests.reference.kripke import Plain, announced, extension, producted
from tests.strategies import action_models, formulas, plain_models

pytestmark = pytest.mark.usefixtures("carrier")


def search(
    model: KripkeModel,
    actions: Mapping[str, ActionModel | f.FormulaLike],
    goal: f.FormulaLike,
    longest: int = 10,
) -> PlanFound:
    return find_plan(Task(model, actions, goal, sure=False), longest=longest)


def shortest(
    model: KripkeModel, actions: Mapping[str, ActionModel | f.FormulaLike], goal: f.FormulaLike
) -> tuple[str, ...] | None:
    """Return a shortest plan; None if it is known that there is none."""
    found = search(model, actions, goal)
    assert not found.stopped
    return found.plan


def by_brute_force(
    model: Plain, actions: dict[str, ActionModel | f.Formula], goal: f.Formula, limit: int
) -> int | None:
    """Return the length of a shortest plan, None if none is as short as the limit."""
    for length in range(limit + 1):
        for names in product(actions, repeat=length):
            now = model
            for name in names:
                act = actions[name]
                now = producted(now, act) if isinstance(act, ActionModel) else announced(now, act)
                if not now.designated or len(now.worlds) > 40:
                    break
            else:
                if now.designated <= extension(now, goal):
                    return length
    return None


@given(
    plain_models(max_worlds=4, weights=False),
    st.lists(
        st.one_of(
            formulas(max_depth=1, quantifiers=False, everywhere=False),
            action_models(
                max_events=2,
                weights=False,
                contents=formulas(max_depth=1, quantifiers=False, everywhere=False, dynamic=False),
            ),
        ),
        min_size=1,
        max_size=3,
    ),
    formulas(max_depth=2, quantifiers=False, everywhere=False),
)
def test_plans_are_shortest(model: Plain, acts: list[ActionModel | f.Formula], goal: f.Formula) -> None:
    actions = {str(k): act for k, act in enumerate(acts)}
    expected = by_brute_force(model, actions, goal, 2)
    plan = search(model.build(), actions, goal, 2).plan
    assert (None if plan is None else len(plan)) == expected
    if plan is not None:
        now = model.build()
        for name in plan:
            act = actions[name]
            now = now.update(act) if isinstance(act, ActionModel) else now.announce(act)
        assert now.holds(goal)


def coin() -> KripkeModel:
    return KripkeModel.from_partitions(
        ["h", "t"], {"a": [["h", "t"]], "b": [["h", "t"]]}, {"heads": ["h"]}, ["h"]
    )


def test_no_plan_at_all_and_none_within_the_limit() -> None:
    assert shortest(coin(), {"look": semi_private("a", "heads")}, "K_b heads") is None
    assert shortest(coin(), {}, "K_b heads") is None
    flip = {"flip": assign(heads="~heads")}
    assert shortest(coin(), flip, "K_a heads") is None
    count = KripkeModel.from_partitions(["w"], {"a": [["w"]]}, {f"bit_{k}": [] for k in range(4)})
    up = {f"bit_{k}": f.conjunction(f"bit_{j}" for j in range(k)) ^ f.Atom(f"bit_{k}") for k in range(4)}
    goal = f.conjunction(f"bit_{k}" for k in range(4))
    assert search(count, {"up": assign(up)}, goal, 15).plan == ("up",) * 15
    cut = search(count, {"up": assign(up)}, goal, 14)
    assert cut.plan is None
    assert "no plan of length at most 14" in cut.stopped


def test_distributed_knowledge_and_probability_are_not_lost_by_merging() -> None:
    model = KripkeModel.from_partitions(
        ["u", "v", "u'", "v'"],
        {"a": [["u", "v"], ["u'", "v'"]], "b": [["u", "v'"], ["u'", "v"]]},
        {"p": ["u", "u'"]},
        ["u"],
    )
    assert shortest(model, {"wait": "true"}, "D_{a,b} p") == ()
    toss = ActionModel(
        {"up": Event(True, {"heads": True}, weight=2), "down": Event(True, {"heads": False})},
        {"a": [(e, g) for e in ("up", "down") for g in ("up", "down")]},
        others=[(e, g) for e in ("up", "down") for g in ("up", "down")],
    )
    assert shortest(coin(), {"toss": toss}, "P_a(heads) = 2/3") == ("toss",)
    # weights that no formula speaks of do not keep states apart
    assert shortest(coin(), {"toss": toss, "say": "heads"}, "K_a heads") == ("say",)
    assert shortest(coin(), {"toss": toss}, "K_a heads") is None
    # models in which the agents know the same together, and give the same probabilities, are tried once
    look = {"look": semi_private("a", "heads")}
    assert shortest(coin(), look, "K_b heads & D_{a,b} heads") is None
    assert shortest(coin(), look, "P_b(heads) = 1/3") is None


def test_of_several_plans_the_first_in_the_order_of_the_actions() -> None:
    model = KripkeModel(["w"], {"a": [("w", "w")]}, {"p": [], "q": []})
    actions = {"both": assign(p="q", q=True), "q": assign(q=True), "p": assign(p=True)}
    assert shortest(model, actions, "p & q") == ("both", "both")
    del actions["both"]
    assert shortest(model, actions, "p & q") == ("q", "p")


@cases(("everywhere p", FormulaError), ("[!somewhere p]p", FormulaError), ("q", UnknownAtomError))
def test_errors(goal: str, error: type[Exception]) -> None:
    model = KripkeModel(["w"], {"a": [("w", "w")]}, {"p": ["w"]})
    with pytest.raises(error):
        shortest(model, {"wait": "true"}, goal)
    with pytest.raises(error):
        shortest(model, {"go": goal}, "K_a p")
    with pytest.raises(error):
        shortest(model, {"go": semi_private("a", goal)}, "K_a p")
    with pytest.raises(FormulaError):
        search(model, {}, "p", -1)


def test_an_action_that_cannot_be_taken_is_refused() -> None:
    open_ = KripkeModel.from_partitions(["u", "v"], {"a": [["u", "v"]]}, {"p": ["u"]}, ["u", "v"])
    strict, easy = (Task(open_, {"say p": "p"}, "K_a p", sure=sure) for sure in (True, False))
    assert not strict.applies(open_, "say p")
    with pytest.raises(ModelError, match=r"'say p': impossible at v, which needs p$"):
        strict.after(open_, "say p")
    assert easy.applies(open_, "say p")
    assert easy.after(open_, "say p").holds("K_a p")
    for task in (strict, easy):
        with pytest.raises(ModelError, match=r"impossible at v, which needs p$"):
            task.after(open_.point("v"), "say p")


@pytest.mark.parametrize("seed", range(4))
def test_each_sentence_says_what_a_step_has_changed(seed: int) -> None:
    rng = random.Random(seed)
    pairs = [(a, b) for a in "abc" for b in "abc" if a != b]
    model = KripkeModel(["w"], {"i": [("w", "w")]}, {f"at-{x}": ["w"] * (x == "a") for x in "abc"})
    moves = {
        f"go_{x}_{y}": ActionModel(
            {"e": Event(f'"at-{x}"', {f"at-{x}": False, f"at-{y}": True})}, {"i": [("e", "e")]}
        )
        for x, y in rng.sample(pairs, len(pairs))
    }
    checked = validate(Task(model, moves, '"at-c"'), ["go_a_b", "go_b_c"])
    first, second = checked.sentences()
    assert first == "After go a b, go b c is possible; at-b is true; at-a is false."
    assert second == "After go b c, at-c is true; at-b is false."


def test_actions_need_names() -> None:
    with pytest.raises(ModelError, match=r"must be a mapping, such as \{'tell': 'p'\}; got \['p'\]"):
        Task(KripkeModel(["w"], {}, {"p": ["w"]}), ["p"], "p")
