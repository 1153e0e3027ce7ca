"""Announcements, product updates and composition against the definitions."""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kripke_werewolf.base.errors import FalseAnnouncement, FormulaError, ModelError, UnknownAtomError
from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.formulas import Atom, K, parse
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.models.model import Numbered
from kripke_werewolf.logic.semantics import ActionModel, Event, public
from kripke_werewolf.logic.symbolic import KnowledgeStructure
from tests.cases import each
from tests.reference.kripke import Plain, announced, plain, producted
from tests.strategies import action_models, formulas, plain_models, secret_actions

pytestmark = pytest.mark.usefixtures("carrier")


def equal(model: KripkeModel, expected: Plain) -> None:
    found = plain(model)
    assert set(found.worlds) == set(expected.worlds)
    assert (found.relations, found.true) == (expected.relations, expected.true)
    assert found.designated == expected.designated
    for agent, weights in expected.weights.items():
        ratios = {found.weights[agent][w] / weights[w] for w in expected.worlds}
        assert len(ratios) <= 1, (agent, found.weights[agent], weights)


@given(plain_models(), formulas(max_depth=2, variables=["x"]))
def test_announcement_keeps_the_worlds_where_it_is_true(model: Plain, content: f.Formula) -> None:
    try:
        expected = announced(model, content)
    except FormulaError:
        assume(False)
    if expected.designated:
        equal(model.build().announce(content), expected)
    else:
        with pytest.raises(FalseAnnouncement) as caught:
            model.build().announce(content)
        assert caught.value.formula is content
        assert set(caught.value.worlds) == model.designated


@given(plain_models(), action_models())
def test_product_update_is_the_definition(model: Plain, action: ActionModel) -> None:
    expected = producted(model, action)
    if expected.designated:
        equal(model.build().update(action), expected)
    else:
        with pytest.raises(FalseAnnouncement):
            model.build().update(action)


@given(plain_models(), action_models(), action_models())
def test_weights_through_two_updates(model: Plain, one: ActionModel, two: ActionModel) -> None:
    expected = producted(producted(model, one), two)
    assume(producted(model, one).designated and expected.designated)
    equal(model.build().update(one).update(two), expected)


@given(secret_actions())
def test_an_update_for_these_agents_only_keeps_what_is_true(
    case: tuple[Plain, Plain, list[ActionModel], f.Formula],
) -> None:
    plain, part, actions, body = case
    full, merged = plain.build(), part.build()
    for action in actions:
        try:
            full = full.update(action)
        except (FalseAnnouncement, ModelError):  # in a model with `Kv`, changes must leave one value
            assume(False)
        merged = merged.update(action, merge=True)
    assert len(merged) <= len(full)
    try:
        assert str(merged.verdict(body)) == str(full.verdict(body))
    except FormulaError:  # a quantified atom that is bound again inside
        assume(False)


def test_nothing_is_kept_of_what_these_agents_cannot_know() -> None:
    model = KripkeModel.from_partitions("wv", {"a": ["wv"]}, {"p": ["w"]}, "w")
    looks = {n: Event(f"{'' if n % 2 else '~'}p", {"q": n % 3 == 0}) for n in range(100)}
    action = ActionModel.from_observations(looks, {"b": str}, [1], others=lambda n: None)
    merged = model.update(action, merge=True)
    assert merged.worlds[:] == ("w", "v")  # one copy, so their names need not tell any apart
    assert merged.holds("~Kw_a p")
    with pytest.raises(UnknownAtomError):
        model.update(action)
    known = KripkeModel.from_partitions("wv", {"b": [["w"], ["v"]]}, {"p": ["w"]}, "w")
    assert known.update(action, merge=True).worlds[:] == ("w",)


def test_copies_that_have_become_alike_are_one_with_the_weight_of_all() -> None:
    model = KripkeModel.from_partitions("uw", {"a": ["uw"]}, {"p": ["u"], "q": ["u"]})
    both = {"a": (3, 3)}
    changed = model.update(
        ActionModel._of_sights({"no": Event(True, {"q": False}), "so": Event()}, both), merge=True
    )
    assert set(changed.worlds) == {("u", "no"), ("u", "so"), ("w", "so")}
    assert len(changed) == 3
    assert changed.holds("P_a(p) = 1/2 & P_a(q) = 1/4")
    back = changed.update(
        ActionModel._of_sights({"yes": Event("p", {"q": True}), "so": Event("~p")}, both), merge=True
    )
    assert len(back) == 2
    assert back.holds("P_a(p) = 1/2 & P_a(q <-> p) = 1")


@given(plain_models(), formulas(max_depth=1), formulas(max_depth=2), st.sampled_from(["x", "y", "xy"]))
def test_an_event_written_twice_is_one_event(
    model: Plain, change: f.Formula, body: f.Formula, designated: str
) -> None:
    """Whichever of its copies is designated: the actual worlds stay, and weights of equal copies add up."""
    again = Event(True, {"p": f.Not(f.Not(change))})  # the worlds show that it is the same, the events do not
    events = {"x": Event(True, {"p": change}), "y": again}
    once = ActionModel._of_sights({"x": events["x"]}, {"a": (1,), "b": (1,)})
    twice = ActionModel._of_sights(events, {"a": (3, 3), "b": (3, 3)}, list(designated))
    try:
        one = model.build().update(once)
    except ModelError:  # in a model with `Kv`, changes must leave one value
        assume(False)
    two = model.build().update(twice, merge=True)
    assert len(two) <= len(one)
    try:
        assert str(two.verdict(body)) == str(one.verdict(body))
    except FormulaError:  # a quantified atom that is bound again inside
        assume(False)


def test_merging_makes_no_probabilities_where_there_are_none() -> None:
    model = KripkeModel.from_partitions("uv", {"a": ["uv"]}, {"p": ["u"]}, weights={"a": {"u": 0, "v": 1}})
    events = {"x": Event(True, {"q": True}), "y": Event(True, {"q": parse("p | ~p")})}
    twice = ActionModel._of_sights(events, {"a": (3, 3)})
    changed = KripkeModel.from_dict(model.to_dict() | {"valuation": {"p": ["u"], "q": []}})
    with pytest.raises(ModelError, match="has no probabilities"):
        changed.announce("p").update(twice, merge=True).holds("P_a(q) = 1")


@given(plain_models(weights=False), action_models(weights=False), action_models(weights=False))
def test_composition_is_one_update_after_the_other(model: Plain, one: ActionModel, two: ActionModel) -> None:
    once = producted(model, one)
    twice = producted(once, two)
    assume(once.designated and twice.designated)
    composed = plain(model.build().update(one.then(two)))

    def renamed(w: tuple[object, tuple[object, object]]) -> object:
        return (w[0], w[1][0]), w[1][1]

    assert {renamed(w) for w in composed.worlds} == set(twice.worlds)
    assert {renamed(w) for w in composed.designated} == twice.designated
    for agent, pairs in composed.relations.items():
        assert {(renamed(w), renamed(v)) for w, v in pairs} == twice.relations[agent]
    for atom, worlds in composed.true.items():
        assert {renamed(w) for w in worlds} == twice.true[atom]


def test_a_false_announcement_names_the_formula_and_the_worlds() -> None:
    model = KripkeModel.from_partitions("uvw", {"a": ["uvw"]}, {"p": ["u"]}, ["v", "w"])
    with pytest.raises(FalseAnnouncement, match=r"false announcement: K_a p is false at all 2 .*\(v, w\)"):
        model.announce("K_a p")
    with pytest.raises(FalseAnnouncement, match="p is false at"):
        model.update(public("p"))


def test_an_update_needs_an_action_model() -> None:
    model = KripkeModel(["w"], {}, {"p": ["w"]})
    with pytest.raises(FormulaError, match="announce"):
        model.update("p")  # type: ignore[arg-type]


def test_event_weights_beyond_machine_integers_are_exact() -> None:
    model = KripkeModel.from_partitions("wv", {"a": ["wv"]}, {"p": ["w"]})
    tiny = Fraction(1, 7**40)
    coin = ActionModel(
        {"heads": Event(True, {"p": True}, weight=tiny), "tails": Event("p", {"p": False}, weight=1 - tiny)},
        {"a": [(e, g) for e in ("heads", "tails") for g in ("heads", "tails")]},
    )
    after = model.update(coin)
    assert after.valid(f.P("a", "p") == (1 + tiny) / 2)


@each([{0, 2}, {1, 2}, {0, 1}, {0, 1, 2}])
def test_the_weight_of_a_world_is_shared_among_the_events_that_an_agent_confuses(confused: set[int]) -> None:
    # three events that can happen everywhere, of different weights; the others the agent sees
    weight = [Fraction(1), Fraction(2), Fraction(5)]
    events = {e: Event(weight=weight[e]) for e in range(3)}
    alike = [(e, d) for e in range(3) for d in range(3) if e == d or {e, d} <= confused]
    model = KripkeModel.from_partitions(
        ["w", "v"], {"a": [["w", "v"]]}, {"p": ["w"]}, weights={"a": {"w": 1, "v": 3}}
    )
    updated = model.update(ActionModel(events, {"a": alike}, [0, 1, 2]))
    total = sum(weight[e] for e in confused)
    share = {e: weight[e] / total if e in confused else Fraction(1) for e in range(3)}
    found = dict(zip(updated.worlds, map(int, updated.arrays.weights["a"]), strict=True))
    for w, own in (("w", 1), ("v", 3)):
        for e in range(3):
            assert Fraction(found[w, e], found["w", 0]) == own * share[e] / share[0]
    assert updated.valid("P_a(p) = 1/4")
    # where one of them changes p, probabilities tell its share
    first = min(confused)
    events[first] = Event(True, {"p": True}, weight=weight[first])
    told = ActionModel(events, {"a": alike}, [first])
    expected = Fraction(1, 4) + Fraction(3, 4) * share[first]
    for changed in (model.update(told), KnowledgeStructure.from_explicit(model).update(told)):
        assert changed.holds(f"P_a(p) = {expected}")


def test_a_model_described_in_other_words_has_new_names_and_atoms() -> None:
    model = KripkeModel.from_partitions(
        "uvw", {"a": ["uv", "w"]}, {"p": ["u", "w"]}, "u", weights={"a": {"u": 1, "v": 2, "w": 1}}
    )
    told = Numbered(model).described(
        lambda number: f"world {number}", {"sure": K("a", Atom("p")), "p<": Atom("p")}
    )
    assert told.worlds[:] == ("world 0", "world 1", "world 2")
    assert (told.atoms, told.designated) == (("sure", "p<"), ("world 0",))
    assert told.where("sure") == ["world 2"]
    assert told.where(Atom("p<")) == ["world 0", "world 2"]
    assert told.holds("P_a(sure) = 0 & ~sure", at="world 1")


def test_formulas_put_for_atoms_of_an_action() -> None:
    action = ActionModel._of_sights({"e": Event("p", {"q": "p & q"})}, {"a": (1,)})
    plain = action.substitute({"p": parse("r | q")})
    assert plain.events["e"] == Event("r | q", {"q": "(r | q) & q"})
