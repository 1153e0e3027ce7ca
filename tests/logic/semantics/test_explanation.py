"""Explanations: every step holds, follows, and can be read."""

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kripke_werewolf import FormulaError, KripkeModel
from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.models.model import Numbered
from kripke_werewolf.logic.puzzles import coordinated_attack, hexa, muddy_children, sum_and_product
from kripke_werewolf.logic.semantics import Explanation, Link, private
from tests.cases import cases
from tests.reference.explanations import follows
from tests.reference.kripke import Plain, extension, happening, holds
from tests.strategies import formulas_with_actions, plain_models

pytestmark = pytest.mark.usefixtures("carrier")


def in_context(model: Plain, node: Explanation) -> Plain:
    for update in node.after:
        model, _ = happening(model, update, None)
    return model


@settings(max_examples=settings.default.max_examples * 3)
@given(plain_models(), formulas_with_actions(), st.data())
def test_every_step_rechecks_on_the_reference(model: Plain, formula: f.Formula, data: st.DataObject) -> None:
    built = model.build()
    try:
        Numbered(built).mask(formula)  # the reference may not come to what cannot be evaluated
        expected = extension(model, formula)
    except FormulaError:
        assume(False)
    at = data.draw(st.one_of(st.none(), st.sampled_from(model.worlds)))
    explanation = built.explain(formula, at)
    assert explanation.formula is formula
    assert explanation.value == (model.designated <= expected if at is None else at in expected)
    assert follows(built, explanation)
    for node in explanation:
        context = in_context(model, node)
        if node.world is not None:
            assert holds(context, node.formula, node.world) == node.value
        for link in node.links:
            assert all((link.source, link.target) in context.relations[a] for a in link.agents)
    assert str(explanation)
    assert len(explanation.sentences().split(". ")) <= 2 or "." in str(formula)


@given(plain_models(), formulas_with_actions(max_depth=2), st.data())
def test_a_changed_step_does_not_recheck(model: Plain, formula: f.Formula, data: st.DataObject) -> None:
    built = model.build()
    try:
        Numbered(built).mask(formula)
    except FormulaError:
        assume(False)
    explanation = built.explain(formula, data.draw(st.sampled_from(model.worlds)))
    assert not follows(built, replace(explanation, value=not explanation.value))
    if explanation.children:
        first, *rest = explanation.children
        turned = replace(first, value=not first.value)
        assert not follows(built, replace(explanation, children=(turned, *rest)))
        assert not follows(built, replace(explanation, children=(), rule="one world"))
    if explanation.links:
        first_link = explanation.links[0]
        moved = first_link._replace(source="nowhere")
        assert not follows(built, replace(explanation, links=(moved, *explanation.links[1:])))


def test_a_false_claim_of_knowledge_shows_the_world() -> None:
    model = hexa().model
    explanation = model.explain("K_b a_0")
    assert str(explanation) == (
        "b does not know that a holds card 0: b cannot tell 012 from 210, where a does not hold card 0"
    )
    assert explanation.path == (Link("012", ("b",), "210"),)
    assert explanation.worlds == ("012", "210")
    assert [(n.rule, n.world, n.value) for n in explanation] == [
        ("one world", "012", False),
        ("valuation", "210", False),
    ]


def test_players_and_roles_are_called_as_in_a_game() -> None:
    model = KripkeModel.from_partitions(
        ["wvsv", "vsww"], {"2": [["wvsv", "vsww"]], "3": [["wvsv"], ["vsww"]]}, {"wolf_4": ["vsww"]}, "vsww"
    )
    assert model.explain("K_2 wolf_4").sentences() == (
        "player 2 does not know that player 4 is a wolf: "
        "player 2 cannot tell vsww from wvsv, where player 4 is not a wolf."
    )
    assert "everyone among players 2 and 3 knows" in str(model.explain("E_{2,3} wolf_4"))


def test_the_witness_with_the_shortest_explanation_is_chosen() -> None:
    # at u the body fails because of an atom, at v because of what b does not know
    model = KripkeModel(
        "wuv", {"a": [("w", "v"), ("w", "u")], "b": [("v", "w")]}, {"p": ["w", "v"], "q": ["u"]}
    )
    assert model.explain("K_a (p & K_b q)", at="w").path == (Link("w", ("a",), "u"),)
    assert [link.target for link in model.explain("K_a (p -> K_b q)", at="w").path] == ["v", "w"]


def test_common_knowledge_fails_along_a_shortest_path() -> None:
    model = coordinated_attack(n=12).model
    explanation = model.explain("C_{A,B} arrived_1", at=7)
    assert [(link.source, link.agents, link.target) for link in explanation.path] == [
        (k, ("AB"[(k + 1) % 2],), k - 1) for k in range(7, 0, -1)
    ]
    assert "… (7 steps); at 1 A considers 0 possible, where message 1 has not arrived" in str(explanation)


def test_what_is_true_at_many_worlds_is_summed_up() -> None:
    model = muddy_children(n=5).model
    explanation = model.explain("C_{1,2,3,4,5} (muddy_1 | ~muddy_1)")
    assert explanation.children == ()
    assert "at all 32 worlds that children 1, 2, 3, 4 and 5 can reach from 11111" in str(explanation)
    assert "at all 2 worlds that child 1 cannot exclude at 11111, which are 01111, 11111" in str(
        model.explain("K_1 muddy_2")
    )
    assert follows(model, explanation)


@cases(
    (
        "[!~a_1]K_b a_0",
        ["public announcement that a does not hold card 1 can happen", "b cannot tell 012 from 210"],
    ),
    ("[!a_1]false", ["cannot happen there"]),
    ("<!a_1>true", ["cannot happen there"]),
    ("Kw_b a_0", ["b considers 012 possible, where a holds card 0, and 210, where a does not hold card 0"]),
    ("D_{a,b} c_2", ["the only world that a and b together cannot exclude"]),
    (
        "E_{a,b} ~c_1",
        ["not everyone among a and b knows that c does not hold card 1", "a cannot tell 012 from 021"],
    ),
    ("P_b(a_0) = 1/2", ["a_0 is true at 1 of the 2 worlds that b cannot exclude, so P_b(a_0) is 1/2"]),
    ("exactly(2; a_0, a_1, b_1)", ["2 of the 3 parts are true"]),
    (
        "[b?!a_0]Kw_b a_0",
        ["after the semi-private announcement to b whether a holds card 0, b knows whether"],
    ),
    ("somewhere (a_2 & b_1)", ["both a holds card 2 and b holds card 1 at 210"]),
    (
        "K_c K_b a_0",
        ["at 012, b does not know that a holds card 0", "\n  b does not know that a holds card 0"],
    ),
)
def test_sentences(text: str, parts: list[str]) -> None:
    explanation = hexa().model.explain(text)
    for part in parts:
        assert part in str(explanation)


def test_knowing_values() -> None:
    model = KripkeModel.from_partitions(
        [1, 2, 3],
        {"a": [[1, 2], [3]]},
        {f"x_{k}": [k] for k in (1, 2, 3)},
        variables={"x": {str(k): f"x_{k}" for k in (1, 2, 3)}},
    )
    unknown = model.explain("Kv_a(x)", at=1)
    assert str(unknown) == (
        "a does not know the value of x: at 1 a considers 1 possible, where it is 1, and 2, where it is not"
    )
    assert follows(model, unknown)
    assert follows(model, model.explain("Kv_a(x)", at=3))


def test_mixed_verdicts_are_explained_at_a_world_of_each_kind() -> None:
    model = hexa().model.point("012", "102", "120")
    explanation = model.explain("a_0")
    assert explanation.world is None
    assert str(explanation).startswith("a_0 is true at 1 of the 3 designated worlds")
    assert [child.value for child in explanation.children] == [True, False]
    assert follows(model, explanation)
    assert not follows(model.point("012", "021"), explanation)
    assert str(model.explain("a_2")).startswith("a_2 is true at none of the 3 designated worlds")
    assert model.explain("a_0 | a_1").value


def test_deep_formulas_are_explained_to_a_depth() -> None:
    deep: f.Formula = f.Knows("b", "a_0")
    for _ in range(3000):
        deep = ~deep
    explanation = hexa().model.explain(deep)
    assert follows(hexa().model, explanation)
    assert any(node.rule == "looked up" for node in explanation)


def test_explanations_of_large_models_are_short() -> None:
    puzzle = sum_and_product(n=100)
    explanation = puzzle.model.explain(puzzle.events[0].action, at=(4, 13))
    assert len(str(explanation).splitlines()) <= 12
    assert follows(puzzle.model, explanation)


def test_who_may_be_wrong_believes() -> None:
    start = KripkeModel.from_partitions(
        ["w", "v"], {"a": [["w", "v"]], "b": [["w", "v"]]}, {"p": ["w"]}, designated="w"
    )
    assert start.explain("[a!p]B_b ~K_a p").sentence == (
        "[a!p]B_b ~K_a p is true at w: after the private announcement to a that p is true, "
        "b believes that a does not know that p is true at (w, told)"
    )
    told = start.update(private("a", "p"))
    for text, said in {
        "B_b ~K_a p": "b believes that a does not know that p is true",
        "B_b p": "b does not believe that p is true",
        "K_a p": "a knows that p is true",
        "C_{a,b} p": "it is not common belief among a and b that p is true",
        "E_{a,b} p": "not everyone among a and b believes that p is true",
    }.items():
        why = told.explain(text)
        assert why.sentence.startswith(said), why.sentence
        assert follows(told, why)


def test_a_world_is_described_once_and_named_from_then_on() -> None:
    model = KripkeModel.from_partitions(
        ["w", "v", "u"], {"a": [["w", "v"], ["u"]], "b": [["w"], ["v", "u"]]}, {"p": ["w", "v"]}, "w"
    )
    words = {"w": "the first world (w)", "v": "the second world (v)", "u": "the third world (u)"}
    for question in ("K_a K_b p", "C_{a,b} p", "[!p]K_a K_b p", "K_a (p & ~K_b p)", "M_a M_b ~p"):
        plain = model.explain(question)
        told = model.explain(question, called=lambda world: words[str(world)])
        assert follows(model, told)
        text = str(told)
        for name, described in words.items():
            assert text.count(described) <= 1
            text = text.replace(described, name)
        assert text == str(plain)
