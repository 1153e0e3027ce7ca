"""The model checker against the slow reference, and its errors."""

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from kripke_werewolf import ActionModel, Event, KripkeModel, parse, private
from kripke_werewolf.base.errors import (
    FormulaError,
    ModelError,
    UnknownActionError,
    UnknownAgentError,
    UnknownAtomError,
    UnknownVariableError,
)
from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.semantics.bits import BitSpace
from kripke_werewolf.logic.semantics.space import Space
from tests.cases import cases, each
from tests.reference.explanations import follows
from tests.reference.kripke import Plain, extension
from tests.strategies import action_models, formulas, formulas_with_actions, plain_models

pytestmark = pytest.mark.usefixtures("carrier")

MANY = settings(max_examples=settings.default.max_examples * 4)


def checked(model: Plain, formula: f.Formula) -> None:
    parts = list(formula.subformulas())
    try:
        expected = [extension(model, part) for part in parts]
    except FormulaError:  # a quantified atom that is bound again inside, or used by an action
        assume(False)
    event(type(formula).__name__)
    built = model.build()
    for part, worlds in zip(reversed(parts), reversed(expected), strict=True):
        assert set(built.where(part)) == worlds, part


@MANY
@given(plain_models(), formulas_with_actions())
def test_every_operator_agrees_with_the_reference(model: Plain, formula: f.Formula) -> None:
    checked(model, formula)


@given(plain_models(agents=("a", "b", "c"), max_worlds=8), formulas(agents=("a", "b", "c"), max_depth=4))
def test_deeper_formulas_on_larger_models(model: Plain, formula: f.Formula) -> None:
    checked(model, formula)


def two_worlds() -> KripkeModel:
    p, q = f.Atom("p"), f.Atom("q")
    return KripkeModel.from_partitions(
        ["w", "v"],
        {"a": [["w", "v"]], "b": [["w"], ["v"]]},
        {"p": ["w"], "q": ["w", "v"]},
        variables={"x": {"yes": p, "no": ~p}, "broken": {"yes": "nonsense", "no": q}},
    )


@cases(
    ("P", UnknownAtomError, "p"),
    ("K_a K_b (q -> pp)", UnknownAtomError, "p"),
    ("[!q]<!p>forall r. s", UnknownAtomError, None),
    ("K_A p", UnknownAgentError, "a"),
    ("C_{a,bb} p", UnknownAgentError, "b"),
    ("P_bb(p) >= 1/2", UnknownAgentError, "b"),
    ("[bb!p]q", UnknownAgentError, "b"),
    ("Kv_a(xx)", UnknownVariableError, "x"),
    ("Kv_a(broken)", UnknownAtomError, None),
    ("[show]p", UnknownActionError, None),
    ("p & K_a [show]p", UnknownActionError, None),
)
def test_unknown_names_are_errors_with_near_misses(text: str, error: type, near: str | None) -> None:
    with pytest.raises(error) as caught:
        two_worlds().holds(text)
    assert near is None or near in caught.value.near


def test_names_inside_bound_actions_are_checked() -> None:
    model = two_worlds()
    for happening, error in [
        (Event("nonsense"), UnknownAtomError),
        (Event("p", {"nonsense": "p"}), UnknownAtomError),
        (Event("p", {"p": "K_c p"}), UnknownAgentError),
        (Event("Kv_a(y)"), UnknownVariableError),
        (Event("[other]p"), UnknownActionError),
    ]:
        action = ActionModel({"e": happening}, {}, others=[("e", "e")])
        with pytest.raises(error):
            model.holds("<go>p", actions={"go": action})
        with pytest.raises(error):
            model.update(action)
        outer = ActionModel({"e": Event(parse("[inner]p").bind(inner=action))}, {}, others=[("e", "e")])
        with pytest.raises(error):
            model.holds("<go>p", actions={"go": outer})
    fine = ActionModel({"e": Event("p")}, {}, others=[("e", "e")])
    with pytest.raises(UnknownActionError, match="did you mean"):
        model.holds("[go:ee]p", actions={"go": fine})
    with pytest.raises(UnknownAgentError):
        model.holds("[go]p", actions={"go": ActionModel({"e": Event("p")}, {"a": [("e", "e")]})})


def test_events_of_any_name_are_found_by_their_text() -> None:
    model = two_worlds()
    action = ActionModel({1: Event("p"), (2, "x"): Event("~p")}, {}, others=[(1, 1), ((2, "x"), (2, "x"))])
    assert model.where("<go:1>p", actions={"go": action}) == ["w"]
    assert model.where(f.Diamond(f.Act("go", (2, "x"), action), True)) == ["v"]
    assert model.where(f.Diamond(f.Act("go", "(2, 'x')", action), True)) == ["v"]


def test_verdicts_count_the_designated_worlds() -> None:
    model = two_worlds()
    assert model.verdict("p") == "mixed"
    assert model.verdict("p").fraction == Fraction(1, 2)
    assert (model.verdict("q"), model.verdict("~q")) == ("true", "false")
    assert model.point("w").verdict("p") == "true"
    assert not model.holds("p")
    assert model.holds("p", at="w")


def test_deep_formulas_and_deep_announcements_do_not_recurse() -> None:
    model = two_worlds()
    deep: f.Formula = f.Atom("p")
    for i in range(10_000):
        deep = f.Knows("b", ~deep) if i % 2 else ~f.Knows("b", deep)
    assert model.where(deep) == ["w"]
    said: f.Formula = f.Atom("p")
    for _ in range(300):
        said = f.Box(f.Announce(f.Atom("q")), said)
    assert model.where(said) == ["w"]


def test_shared_subformulas_are_evaluated_once() -> None:
    # without sharing this formula has 2^200 subformulas
    shared: f.Formula = f.Atom("p")
    for _ in range(200):
        shared = f.Iff(f.Knows("a", shared), f.Possible("a", shared))
    assert two_worlds().where(shared) == two_worlds().where(f.Not(~shared))


def test_where_nothing_is_possible_everything_is_believed() -> None:
    blind = KripkeModel(["w"], {"a": []}, {"p": []}, variables={"x": {"yes": "p", "no": "~p"}})
    for text in ["K_a p", "K_a ~p", "Kw_a p", "E_a p", "C_a p", "D_a p", "Kv_a(x)", "P_a(p) = 1"]:
        assert blind.holds(text), text
    assert not blind.holds("M_a true")


def test_probabilities_beyond_machine_integers_are_exact() -> None:
    tiny = Fraction(1, 3**60)
    model = KripkeModel.from_partitions(
        range(3),
        {"a": [range(3)], "b": [[0], [1, 2]]},
        {"p": [0]},
        weights={"a": {0: tiny, 1: 1 - tiny, 2: 1}, "b": {0: 1, 1: 5**50, 2: 1}},
    )
    assert model.valid(f.P("a", "p") == tiny / 2)
    assert not model.holds(f.P("a", "p") == tiny / 2 + Fraction(1, 3**100))
    assert model.holds(f.P("b", "K_b ~p & P_a(p) > 0") == 1, at=1)
    assert model.where(f.P("a", "p") * 2 - f.P("b", "p") == tiny) == [1, 2]


@given(plain_models(weights=True, s5=True))
def test_certainty_is_knowledge_when_every_world_weighs_something(model: Plain) -> None:
    assert model.build().valid("(P_a(p) = 1 <-> K_a p) & (P_b(p | q) > 0 <-> M_b (p | q))")


@each([0, -1, "-1/2"])
def test_weights_of_events_must_be_positive(weight: object) -> None:
    with pytest.raises(ModelError, match="positive"):
        Event("p", weight=weight)


def test_quantifiers_over_many_atoms() -> None:
    names = [f"p{i}" for i in range(20)]
    model = KripkeModel.from_partitions(["w"], {"a": [["w"]]}, {name: ["w"] for name in names})
    assert model.holds(f.Forall(names, "p1 | ~p1"))
    assert not model.holds(f.Forall(names, "p1 & K_a p2"))
    with pytest.raises(FormulaError, match="1,048,576 instances"):
        model.holds(f.Forall(names, f.Or(*names)))


@given(plain_models(), st.lists(formulas(max_depth=2), min_size=1, max_size=8), action_models())
def test_forgetting_changes_nothing(plain: Plain, asked: list[f.Formula], action: ActionModel) -> None:
    fresh = [model.where(formula) for formula in asked for model in [plain.build()]]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Space, "remembered", 0)
        patch.setattr(BitSpace, "remembered", 0)
        model = plain.build()
        assert [model.where(formula) for formula in asked] == fresh
        assume(model.holds(f.disjunction(action.events[e].pre for e in action.designated)))
        forgetful = model.update(action)
    assert forgetful == plain.build().update(action)


@pytest.mark.parametrize("body", ["D_{a,b} p", "P_a(p) = 1/2", "K_a p", "somewhere ~p", "C_{a,b} (p | q)"])
@pytest.mark.parametrize("updates", [1, 9])  # the second makes spaces of a thousand worlds
def test_many_updates_that_change_little(body: str, updates: int) -> None:
    model = KripkeModel.from_partitions("wv", {"a": ["wv"], "b": ["wv"]}, {"p": ["w"], "q": ["v"]}, "w")
    told = model.update(private("a", "p | q"))
    formula = parse("[a! p | q]" * updates + body)
    assert model.holds(formula) == told.holds(body)
    assert follows(model, model.explain(formula))


def test_threads_do_not_forget_what_others_look_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Space, "remembered", 3)
    monkeypatch.setattr(BitSpace, "remembered", 3)
    model = KripkeModel.from_partitions(
        range(4), {"a": [[0, 1], [2, 3]], "b": [[0], [1, 2], [3]]}, {"p": [0, 3]}
    )
    texts = ["K_a " * i + "K_b ~" * j + "p" for i in range(9) for j in range(9)]
    expected = [model.where(text) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(lambda _: [model.where(text) for text in texts], range(40))
        assert all(answers == expected for answers in found)
