"""Histories: since when something holds, which updates sufficed, going back and branching."""

from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import kripke_werewolf.logic.models.history
from kripke_werewolf.base.errors import FalseAnnouncement, FormulaError, ModelError
from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.models import History, KripkeModel
from kripke_werewolf.logic.puzzles import muddy_children
from kripke_werewolf.logic.semantics import ActionModel, Event, private, semi_private
from tests.reference.kripke import Plain, announced, extension, producted
from tests.strategies import action_models, formulas, plain_models

pytestmark = pytest.mark.usefixtures("carrier")


def after(model: Plain, action: ActionModel | f.Formula) -> Plain | None:
    """Return the model after an update, None if it cannot happen."""
    result = producted(model, action) if isinstance(action, ActionModel) else announced(model, action)
    return result if result.designated else None


def everywhere(model: Plain, formula: f.Formula) -> bool:
    return model.designated <= extension(model, formula)


@st.composite
def stories(draw: st.DrawFn) -> tuple[Plain, list[ActionModel | f.Formula], f.Formula]:
    model = draw(plain_models())
    # announcements of what is true somewhere, so that many of them can happen
    contents = formulas(max_depth=1, quantifiers=False)
    actions: list[ActionModel | f.Formula] = []
    now = model
    for action in draw(st.lists(st.one_of(contents, action_models(max_events=2)), min_size=1, max_size=4)):
        then = after(now, action)
        if then is not None and len(then.worlds) <= 16:
            now = then
            actions.append(action)
    assume(actions)
    return model, actions, draw(formulas(max_depth=2, quantifiers=False))


@pytest.mark.parametrize("small", [1024, 0])  # with 0, every model on the way is contracted
@given(stories())
def test_a_history_against_brute_force(
    small: int, story: tuple[Plain, list[ActionModel | f.Formula], f.Formula]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kripke_werewolf.logic.models.history, "_SMALL", small)
        patch.setattr(kripke_werewolf.logic.models.history, "_GROWTH", min(small, 4))
        check_against_brute_force(*story)


def check_against_brute_force(start: Plain, actions: list[ActionModel | f.Formula], asked: f.Formula) -> None:
    models = [start]
    history = History(start.build())
    for action in actions:
        history = history.then(action)
        found = after(models[-1], action)
        assert found is not None
        models.append(found)
    held = [everywhere(model, asked) for model in models]
    since = next((k for k in range(len(held)) if all(held[k:])), None)
    assert history.since(asked) == since
    assert [history.holds(asked, step=k) for k in range(len(models))] == held
    assert [verdict == "true" for (verdict,) in history.timeline(asked)] == held

    learning = history.explain_learning(asked)
    if since is None:
        assert learning is None
        return
    sufficient = []
    for size in range(len(actions) + 1):
        for chosen in combinations(range(len(actions)), size):
            now: Plain | None = start
            for k in chosen:
                now = None if now is None else after(now, actions[k])
            if now is not None and everywhere(now, asked):
                sufficient.append(tuple(k + 1 for k in chosen))
    assert learning is not None
    assert learning.since == since
    assert learning.smallest
    assert learning.sufficient in sufficient
    assert len(learning.sufficient) == min(map(len, sufficient))


def heads() -> KripkeModel:
    return KripkeModel.from_partitions(
        ["heads", "tails"],
        {"a": [["heads", "tails"]], "b": [["heads", "tails"]]},
        {"heads": ["heads"]},
        ["heads"],
    )


def test_steps_are_named_and_kept() -> None:
    history = History(heads()).then(semi_private("a", "heads"), name="a looks").then("K_a heads | K_a ~heads")
    assert [step.name for step in history.steps] == ["a looks", "!K_a heads | K_a ~heads"]
    assert len(history) == 2
    assert list(history.models) == [history.start, history.at(1), history.model]
    assert history.then(private("b", "heads")).steps[-1].name == "private"


def test_going_back_and_branching() -> None:
    history = History(heads()).then(semi_private("a", "heads")).then("heads")
    assert history.undo().model == history.at(1)
    assert history.undo().undo() == History(heads())
    other = history.branch(1).then(private("b", "heads"))
    assert len(other.model) == 3
    assert len(history.model) == 1
    assert history.branch(2) == history


def test_without_enough_attempts_no_step_can_be_left_out() -> None:
    children = muddy_children(n=9).history().then("true").then("muddy_1 | true")
    learnt = children.explain_learning("K_1 muddy_1", limit=50)
    assert learnt is not None
    assert not learnt.smallest
    assert learnt.sufficient == tuple(range(1, 10))


def test_errors() -> None:
    history = History(heads()).then("heads")
    with pytest.raises(ModelError, match="nothing to undo"):
        History(heads()).undo()
    with pytest.raises(ModelError, match=r"no step 2; steps run from 0 \(the start\) to 1"):
        history.at(2)
    with pytest.raises(ModelError, match="no step -1"):
        history.branch(-1)
    with pytest.raises(FalseAnnouncement):
        history.then("~heads")
    with pytest.raises(FormulaError):
        history.then("heads &")
    assert len(history) == 1


def test_a_question_depends_on_what_changes_what_it_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kripke_werewolf.logic.models.history, "_SMALL", 0)
    monkeypatch.setattr(kripke_werewolf.logic.models.history, "_GROWTH", 0)
    shift = ActionModel(
        {"shift": Event(True, {"p": "q", "q": "r", "r": "s"}), "nothing": Event("K_b t")},
        {
            "a": [("shift", "shift"), ("nothing", "nothing")],
            "b": [("shift", "nothing"), ("nothing", "nothing")],
        },
        ["shift"],
    )
    true = {atom: ["w"] if atom in "st" else [] for atom in "pqrstu"}
    start = KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]], "b": [["w"], ["v"]]}, true, ["w"])
    history = History(start)
    for step in range(5):
        assert (history.verdict("p") == "true") == (step >= 3)
        assert (history.verdict("r") == "true") == (step >= 1)
        assert history.verdict("K_b p | u") == "false"  # b never notices
        history = history.then(shift)


def test_what_cannot_be_reached_counts_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kripke_werewolf.logic.models.history, "_SMALL", 0)
    monkeypatch.setattr(kripke_werewolf.logic.models.history, "_GROWTH", 0)
    seen = [("yes", "yes"), ("no", "no")]
    look = ActionModel({"yes": Event("p"), "no": Event("~p")}, {"a": seen, "b": seen}, ["yes"])
    history = History(
        KripkeModel.from_partitions("wv", {"a": ["wv"], "b": ["wv"]}, {"p": ["w"], "q": ["w", "v"]}, "w")
    )
    for action in (private("a", "q | p"), private("a", "q"), look):
        history = history.then(action)
    for text in ("somewhere ~p", "everywhere p", "K_a somewhere ~p", "everywhere (p | K_b ~p)"):
        assert history.verdict(text) == history.model.verdict(text), text


@given(plain_models(max_worlds=6), st.lists(formulas(max_depth=1, quantifiers=False), min_size=2, max_size=5))
def test_what_is_left_after_announcements_is_enough(plain: Plain, said: list[f.Formula]) -> None:
    """Of models that were announced in and followed by others only the worlds left are kept."""
    models = [plain.build()]
    history = History(models[0])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kripke_werewolf.logic.models.history, "_SMALL", 0)
        for content in said:
            try:
                longer = history.then(content)
                models.append(models[-1].announce(content))
            except (FalseAnnouncement, FormulaError):
                continue
            history = longer
            assert history.model == models[-1]
        for number, model in enumerate(models):
            again = history.at(number)
            assert (again, again.lost) == (model, model.lost)
            assert history.branch(number).verdict(said[0]) == model.verdict(said[0])
