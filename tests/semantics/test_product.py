"""Announcements, product updates and composition against the definitions."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kripke_werewolf import language as f
from kripke_werewolf.errors import FalseAnnouncement, FormulaError, ModelTooLarge, UnknownWorldError
from kripke_werewolf.language import Atom, K, parse
from kripke_werewolf.models import KripkeModel
from kripke_werewolf.semantics import ActionModel, Event, assign, public
from tests.reference.kripke import Plain, announced, extension, plain, producted
from tests.strategies import action_models, formulas, plain_models


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


@given(plain_models(), formulas(max_depth=2), formulas(max_depth=2))
def test_a_public_action_is_an_announcement(model: Plain, content: f.Formula, after: f.Formula) -> None:
    try:
        extension(model, f.Box(f.Announce(content), after))
    except FormulaError:
        assume(False)
    action = public(content)
    built = model.build()
    assert built.valid(f.Iff(f.Box(f.Announce(content), after), f.Box(f.Act("say", None, action), after)))
    assert built.valid(
        f.Iff(f.Diamond(f.Announce(content), after), f.Diamond(f.Act("say", None, action), after))
    )


@given(plain_models(), action_models(), formulas(max_depth=2))
def test_box_and_diamond_of_an_action_are_duals(model: Plain, action: ActionModel, body: f.Formula) -> None:
    act = f.Act("go", None, action)
    try:
        extension(model, body)
    except FormulaError:
        assume(False)
    assert model.build().valid(f.Iff(f.Box(act, body), ~f.Diamond(act, ~body)))


@given(plain_models(), action_models(), formulas(max_depth=2, quantifiers=False))
def test_the_operator_says_what_the_update_does(model: Plain, action: ActionModel, body: f.Formula) -> None:
    assume(producted(model, action).designated)
    built = model.build()
    for world in model.worlds:
        expected = all(
            built.point(world).update(action.point(e)).holds(body)
            for e in action.designated
            if built.holds(action.events[e].pre, at=world)
        )
        assert built.holds(f.Box(f.Act("go", None, action), body), at=world) == expected


# van Ditmarsch, van der Hoek and Kooi 2007, chapter 4, and the same for D
F, G, H = Atom("p"), K("b", "q"), f.Atom("r")
AXIOMS = {
    "[!f]p <-> (f -> p)": "[!{f}]p <-> ({f} -> p)",
    "[!f]~g <-> (f -> ~[!f]g)": "[!{f}]~{g} <-> ({f} -> ~[!{f}]{g})",
    "[!f](g & h) <-> [!f]g & [!f]h": "[!{f}]({g} & {h}) <-> [!{f}]{g} & [!{f}]{h}",
    "[!f]K_a g <-> (f -> K_a [!f]g)": "[!{f}]K_a {g} <-> ({f} -> K_a [!{f}]{g})",
    "[!f]D_ab g <-> (f -> D_ab [!f]g)": "[!{f}]D_{{a,b}} {g} <-> ({f} -> D_{{a,b}} [!{f}]{g})",
    "[!f][!g]h <-> [!(f & [!f]g)]h": "[!{f}][!{g}]{h} <-> [!({f} & [!{f}]{g})]{h}",
}


@pytest.mark.parametrize("axiom", AXIOMS.values(), ids=AXIOMS)
@given(data=st.data())
def test_reduction_axioms(axiom: str, data: st.DataObject) -> None:
    kind = formulas(max_depth=2, quantifiers=False, dynamic=False, everywhere=False, probability=False)
    model = data.draw(plain_models(s5=False))
    x, y, z = (f"({data.draw(kind)})" for _ in range(3))
    assert model.build().valid(axiom.format(f=x, g=y, h=z))


def test_the_axiom_for_common_knowledge_is_not_valid() -> None:
    model = KripkeModel.from_partitions(
        [0, 1, 2],
        {"a": [[0, 1], [2]], "b": [[0, 2], [1]]},
        {"p": [1, 2], "q": [2]},
    )
    schema = parse("[!p]C_{a,b} q <-> (p -> C_{a,b} [!p]q)")
    assert model.where(schema) == [0, 1]


def test_announcing_keeps_names_and_designation() -> None:
    model = KripkeModel.from_partitions("uvw", {"a": ["uvw"]}, {"p": ["u", "v"]}, ["v", "w"])
    after = model.announce("p")
    assert list(after.worlds) == ["u", "v"]
    assert after.designated == ("v",)
    assert after.holds("K_a p", at="u")
    with pytest.raises(UnknownWorldError):
        after.holds("p", at="w")


def test_a_false_announcement_names_the_formula_and_the_worlds() -> None:
    model = KripkeModel.from_partitions("uvw", {"a": ["uvw"]}, {"p": ["u"]}, ["v", "w"])
    with pytest.raises(FalseAnnouncement, match=r"false announcement: K_a p is false at all 2 .*\(v, w\)"):
        model.announce("K_a p")
    with pytest.raises(FalseAnnouncement, match="p is false at"):
        model.update(public("p"))


def test_a_product_that_is_too_large_says_how_large_before_building_it() -> None:
    model = KripkeModel.from_partitions(range(100), {"a": [range(100)]}, {"p": range(50)})
    action = ActionModel({"e": Event("p"), "f": Event()}, {}, others=[("e", "f"), ("f", "f")])
    with pytest.raises(ModelTooLarge, match="150 worlds") as caught:
        model.update(action, limit=149)
    assert (caught.value.worlds, caught.value.limit) == (150, 149)
    assert len(model.update(action, limit=150)) == 150


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


def test_all_atoms_change_at_once_and_from_the_old_values() -> None:
    model = KripkeModel.from_partitions("wv", {"a": ["wv"]}, {"p": ["w"], "q": ["v"]})
    after = model.update(assign(p="q", q="K_a p | p"))
    assert [after.atoms_at(w) for w in after.worlds] == [("q",), ("p",)]
