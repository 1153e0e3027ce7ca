"""Searches against each other and against updates: lengths, limits, interruption."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kripke_werewolf import Formula, KripkeModel, disjunction
from kripke_werewolf.base.errors import (
    FormulaError,
    ModelError,
    UnknownActionError,
    UnknownAgentError,
    UnknownAtomError,
)
from kripke_werewolf.logic.puzzles import everybody_knows_all, public_calls
from kripke_werewolf.logic.semantics import ActionModel, Event, assign, private
from kripke_werewolf.research.planning import ObservedAction, Task, find_plan, validate
from kripke_werewolf.research.planning.task import Moves
from tests.reference.kripke import Plain, extension, producted
from tests.strategies import action_models, formulas, plain_models

pytestmark = pytest.mark.usefixtures("carrier")

CONTENTS = formulas(max_depth=1, quantifiers=False, everywhere=False, dynamic=False, probability=False)
WAYS = ["a", "b"]  # of random action models: their agents, taken as ways to observe
OBSERVERS = st.fixed_dictionaries({
    agent: st.lists(st.tuples(CONTENTS, st.sampled_from(WAYS)), max_size=2) for agent in ("a", "b")
})  # fmt: skip


@st.composite
def observed(draw: st.DrawFn) -> ObservedAction:
    kind = draw(action_models(max_events=2, weights=False, contents=CONTENTS))
    last = draw(st.sampled_from(WAYS))
    return ObservedAction(kind, {agent: [*ways, (True, last)] for agent, ways in draw(OBSERVERS).items()})


def stepped(model: Plain, action: ObservedAction) -> Plain | None:
    """Return the model after an action, by the definition; None if it does not apply."""
    for world in model.designated:
        if not any(world in extension(model, action.kind.events[e].pre) for e in action.kind.designated):
            return None

    def way(agent: str) -> str:
        return next(way for f, way in action.observers[agent] if model.designated <= extension(model, f))

    sights = {agent: action.kind._sight(way(agent)) for agent in ("a", "b")}
    return producted(model, ActionModel._of_sights(action.kind.events, sights, action.kind.designated))


@given(plain_models(max_worlds=3, weights=False), st.lists(observed(), min_size=1, max_size=2), CONTENTS)
def test_plans_with_observers_are_shortest(model: Plain, acts: list[ObservedAction], goal: Formula) -> None:
    task = Task(model.build(), {str(k): act for k, act in enumerate(acts)}, goal)
    fewest, layer = None, [model]
    for length in range(3):
        if any(now.designated <= extension(now, goal) for now in layer):
            fewest = length
            break
        after = [stepped(now, act) for now in layer for act in acts]
        layer = [now for now in after if now is not None and len(now.worlds) <= 30]
    found = find_plan(task, longest=2)
    if fewest is not None:
        assert found.plan is not None
        assert len(found.plan) == fewest
    for how in ("greedy", "width"):
        other = find_plan(task, how, longest=4, states=60)
        if other.plan is not None:
            assert fewest is None or len(other.plan) >= fewest
            assert validate(task, other.plan).valid


@given(
    plain_models(max_worlds=3, weights=False),
    st.lists(observed(), min_size=2, max_size=3),
    CONTENTS,
    st.randoms(),
)
def test_walks(model: Plain, acts: list[ObservedAction], goal: Formula, rng: random.Random) -> None:
    task = Task(model.build(), {str(k): act for k, act in enumerate(acts)}, goal)
    moves = Moves(task)
    plan = [str(rng.randrange(len(acts))) for _ in range(3)]
    now, state, built = model, moves.start, task.model
    for number, name in enumerate(plan):
        after = stepped(now, acts[int(name)])
        following = moves.after(state, name)
        assert (after is None) == (following is None) == (not task.applies(built, name))
        checked = validate(task, plan[: number + 1])
        if after is None or following is None:
            last = checked.steps[number]
            assert last.problem
            kind = acts[int(name)].kind
            needed = disjunction(kind.events[e].pre for e in kind.designated)
            impossible = [w for w in built.designated if not built.holds(needed, at=w)]
            assert list(last.worlds) == impossible
            return
        if len(after.worlds) > 60:
            return
        now, state, built = after, following, task.after(built, name)
        holds = now.designated <= extension(now, goal)
        assert holds == moves.reached(state) == checked.valid == (moves.distance(state) == 0)
        for check in checked.goals:
            assert (not check.worlds) == (now.designated <= extension(now, check.goal))


WHOLE = formulas(max_depth=1, quantifiers=False, dynamic=False, probability=False)
ACTIONS = st.lists(action_models(max_events=2, weights=False, contents=WHOLE), min_size=1, max_size=2)


@given(plain_models(max_worlds=3, weights=False), ACTIONS, WHOLE)
def test_plans_about_all_worlds(model: Plain, acts: list[ActionModel], goal: Formula) -> None:
    task = Task(model.build(), {str(k): act for k, act in enumerate(acts)}, goal, everywhere=True)
    observed_by_all = [ObservedAction(act, {x: [(True, x)] for x in "ab"}) for act in acts]
    fewest, layer = None, [model]
    for length in range(3):
        if any(now.designated <= extension(now, goal) for now in layer):
            fewest = length
            break
        layer = [
            after for now in layer for act in observed_by_all if (after := stepped(now, act)) is not None
        ]
    found = find_plan(task, longest=2)
    assert (None if found.plan is None else len(found.plan)) == fewest
    assert found.plan is None or validate(task, found.plan).valid


def test_worlds_out_of_reach_count_only_where_it_is_asked_for() -> None:
    start = KripkeModel(["w", "v"], {"a": [("w", "w"), ("v", "v")]}, {"p": ["w"]}, ["w"])
    actions = {"wait": "true", "say": "p"}
    task = Task(start, actions, "everywhere p", everywhere=True)
    assert find_plan(task).plan == ("say",)
    assert find_plan(Task(start, {"wait": "true"}, "everywhere p", everywhere=True)).plan is None
    with pytest.raises(FormulaError, match="is about unreachable worlds"):
        Task(start, actions, "everywhere p")


def test_gossip_by_every_search() -> None:
    model, calls = public_calls(4)
    task = Task(model, calls, everybody_knows_all(4))
    for how in ("optimal", "greedy", "width"):
        found = find_plan(task, how)
        assert found.plan is not None
        assert len(found.plan) >= 4
        assert (len(found.plan) == 4) or how != "optimal"
        assert validate(task, found.plan).valid


def counter(bits: int) -> Task:
    """Return the task of counting from 0 to the greatest number."""
    start = KripkeModel.from_partitions(["w"], {"a": [["w"]]}, {f"bit_{k}": [] for k in range(bits)})
    carries = {k: " & ".join(["true", *(f"bit_{j}" for j in range(k))]) for k in range(bits)}
    up = assign({f"bit_{k}": f"bit_{k} ^ ({carry})" for k, carry in carries.items()})
    return Task(start, {"up": up}, " & ".join(f"bit_{k}" for k in range(bits)), name="count")


def test_limits() -> None:
    found = find_plan(counter(4), longest=14)
    assert found.plan is None
    assert "at most 14" in found.stopped
    assert len(find_plan(counter(4)).plan or ()) == 15
    few = find_plan(counter(6), states=20)
    assert few.plan is None
    assert "the limit on states (20) is reached" in few.stopped
    assert few.best
    assert "best so far" in few.headline()
    assert "the limit on megabytes (0) is reached" in find_plan(counter(11), megabytes=0).stopped


def test_an_interrupted_search_has_a_best_plan() -> None:
    def stop(states: int, depth: int) -> None:
        raise KeyboardInterrupt

    found = find_plan(counter(11), "greedy", progress=stop)
    assert found.plan is None
    assert found.stopped.startswith("interrupted after")
    assert len(found.best) > 100


def test_plans_are_told_in_sentences_and_as_a_film() -> None:
    start = KripkeModel.from_partitions(
        ["w", "v"], {"a": [["w", "v"]], "b": [["w", "v"]]}, {"p-1": ["w"]}, ["w"]
    )
    task = Task(
        start, {"tell a": private("a", '"p-1"'), "tell b": private("b", '"p-1"')}, 'K_a "p-1" & ~K_b "p-1"'
    )
    checked = validate(task, ["tell a"])
    assert checked.valid
    assert (
        list(checked.sentences())
        == ["After tell a, a believes that “p-1” is true; b does not believe that “p-1” is true."]
        or checked.sentences()
    )
    assert len(checked.history.draw().frames) == 2


def test_errors() -> None:
    model = KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]]}, {"p": ["w"]})
    kind = ActionModel({"e": Event()}, {"fully": [("e", "e")]})
    for actions, goal, error in (
        ({"x": "q"}, "p", UnknownAtomError),
        ({"x": "p"}, "K_b p", UnknownAgentError),
        ({"x": private("b", "p")}, "p", UnknownAgentError),
        ({"x": assign(q=True)}, "p", UnknownAtomError),
        ({"x": ObservedAction(kind, {})}, "p", UnknownAgentError),
        ({"x": "p"}, "everywhere p", FormulaError),
    ):
        with pytest.raises(error):
            Task(model, actions, goal)
    with pytest.raises(UnknownAgentError):
        Task(model, {"x": "p"}, "p", by={"x": "b"})
    with pytest.raises(UnknownActionError):
        Task(model, {"x": "p"}, "p", by={"y": "a"})
    with pytest.raises(ModelError, match="cannot observe it 'half'; the ways to observe it are fully"):
        ObservedAction(kind, {"a": [(True, "half")]})
    unsure = Task(model, {"x": ObservedAction(kind, {"a": [("p", "fully")]})}, "K_a p")
    assert find_plan(unsure).plan is None
    assert not unsure.applies(model, "x")
    assert "no condition for how a observes it" in validate(unsure, ["x"]).steps[0].problem
    with pytest.raises(FormulaError, match="optimal, greedy, width; got 'best'"):
        find_plan(unsure, "best")  # type: ignore[arg-type]


def test_a_found_plan_is_true_in_conditions() -> None:
    model = KripkeModel.from_partitions("wv", {"a": ["wv"]}, {"p": ["w"]}, "w")
    assert find_plan(Task(model, {"say p": "p"}, "K_a p"))
    assert find_plan(Task(model, {"say p": "p"}, "p")).plan == ()  # nothing to do
    assert find_plan(Task(model, {"say p": "p"}, "p"))
    assert not find_plan(Task(model, {"say p": "p"}, "K_a ~p"))
