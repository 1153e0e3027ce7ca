"""Simplified formulas: equivalent in the logic named, never larger, and stable."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kripke_werewolf import Formula, KripkeModel, UnknownNameError, parse, simplify
from kripke_werewolf.logic.models.model import Numbered
from tests.cases import cases
from tests.strategies import closed, formulas, models, with_every_operator

LOGICS = ["K", "KD", "T", "K4", "S4", "K45", "KD45", "S5"]
SERIAL = {"KD", "T", "S4", "KD45", "S5"}
REFLEXIVE = {"T", "S4", "S5"}
IDEMPOTENT = {"S4", "K45", "KD45", "S5"}
INTROSPECTIVE = {"K45", "KD45", "S5"}


def size(formula: Formula) -> int:
    """Return the number of operators and atoms, each occurrence counted."""
    sizes: dict[Formula, int] = {}
    for node in formula.subformulas():
        sizes[node] = 1 + sum(sizes[c] for c in node.children)
    return sizes[formula]


@st.composite
def questions(draw: st.DrawFn) -> tuple[str, Formula, KripkeModel]:
    logic = draw(st.sampled_from(LOGICS))
    formula = draw(formulas(atoms=("p", "q"), max_depth=4))
    return logic, formula, draw(models(atoms=("p", "q"), logic=logic, weights=True, max_worlds=4))


@settings(max_examples=settings.default.max_examples * 3, deadline=None)
@given(questions())
def test_equivalent_and_never_larger(question: tuple[str, Formula, KripkeModel]) -> None:
    logic, formula, model = question
    simple = simplify(formula, logic=logic)
    assert np.array_equal(Numbered(model).mask(simple), Numbered(model).mask(formula)), str(simple)
    assert size(simple) <= size(formula)
    assert simplify(simple, logic=logic) is simple


@pytest.mark.parametrize("logic", LOGICS)
def test_every_operator_over_every_other(logic: str) -> None:
    pairs = [[], [(0, 1)], [(0, 1), (1, 2)], [(0, 0), (0, 1), (2, 1)]]
    frames = [closed(found, 3, logic) for found in pairs]
    built = [KripkeModel(range(3), {"a": a, "b": b}, {"p": [1]}) for a, b in product(frames, frames)]
    for inner in map(parse, ("p", "true", "false")):
        for body in with_every_operator(inner):
            for formula in with_every_operator(body):
                simple = simplify(formula, logic=logic)
                for model in built:
                    assert np.array_equal(Numbered(model).mask(simple), Numbered(model).mask(formula)), str(
                        formula
                    )


@cases(
    ("~~p", "p"),
    ("p & true & q & p", "p & q"),
    ("p | ~p", "true"),
    ("p & (p | q)", "p"),
    ("p & (~p | q)", "p & q"),
    ("p & (p -> q)", "p & q"),
    ("~(~p & ~q)", "p | q"),
    ("~(p & q)", "~(p & q)"),
    ("~p -> ~q", "q -> p"),
    ("p -> p -> q", "p -> q"),
    ("~p <-> q", "p ^ q"),
    ("p ^ q ^ p", "q"),
    ("p ^ (q ^ true)", "p <-> q"),
    ("exactly(2; p, true, q)", "p ^ q"),
    ("atleast(1; p, q)", "p | q"),
    ("atmost(0; p)", "~p"),
    ("~atleast(2; p, q, r)", "atmost(1; p, q, r)"),
    ("~K_a ~p", "M_a p"),
    ("~[!p]~K_a q", "<!p>K_a q"),
    ("~exists p. ~K_a p", "forall p. K_a p"),
    ("K_a p & K_a q", "K_a (p & q)"),
    ("M_a p | M_a ~p", "M_a true"),
    ("[!p]K_a p & [!p]K_b p", "[!p](K_a p & K_b p)"),
    ("D_a p & E_a q", "K_a (p & q)"),
    ("everywhere somewhere p", "somewhere p"),
    ("Kw_a everywhere p", "true"),
    ("C_{a,b}^{p | q} (p | q)", "true"),
    ("Cm_{a,b}^{~p} p", "false"),
    ("Cw_{a,b}^{p} ~p", "true"),
    ("forall q, r. K_a (q & p)", "forall q. K_a (q & p)"),
    ("exists p. exists q. K_a (p & q)", "exists p, q. K_a (p & q)"),
    ("[!false]K_a p", "true"),
    ("[!p]q", "p -> q"),
    ("[?!p]q", "q"),
    ("[a?!~p]K_a q", "[a?!p]K_a q"),
    ("P_a(true) > 1/2", "true"),
    ("P_a(p) + P_a(p) > 1", "2*P_a(p) > 1"),
    ("~P_a(p) > 1/2", "P_a(p) <= 1/2"),
    ("P_a(p) - P_a(p) = 0", "true"),
)  # fmt: skip
def test_in_every_logic(text: str, simple: str) -> None:
    for logic in LOGICS if "M_a true" not in simple else ("K", "K4", "K45"):
        assert simplify(text, logic=logic) is parse(simple)


@cases(
    ("K_a everywhere p", "everywhere p", SERIAL),
    ("K_a p & M_a p", "K_a p", SERIAL),
    ("D_{a,b} false", "false", REFLEXIVE),
    ("K_a p & p", "K_a p", REFLEXIVE),
    ("K_a C_{a,b} p", "C_{a,b} p", REFLEXIVE),
    ("C_{a,b} C_{a,b} p", "C_{a,b} p", REFLEXIVE | INTROSPECTIVE),
    ("K_a K_a p", "K_a p", IDEMPOTENT),
    ("K_a Kw_a p", "Kw_a p", IDEMPOTENT),
    ("D_{a,b} D_{a,b} p", "D_{a,b} p", IDEMPOTENT),
    ("Kw_a K_a p", "true", INTROSPECTIVE),
    ("K_a M_a p", "M_a p", {"KD45", "S5"}),
    ("K_a ~K_a p", "~K_a p", {"KD45", "S5"}),
    ("K_a P_a(p) > 1/2", "P_a(p) > 1/2", {"KD45", "S5"}),
    ("[!p]K_a false", "~p", REFLEXIVE),
    ("[!p]K_a M_a q", "[!p]M_a q", {"S5"}),
    ("[?!p]K_a K_a q", "[?!p]K_a q", IDEMPOTENT),
    ("[b!p](K_a q & q)", "[b!p]K_a q", set()),
    ("[b!p]K_a K_a q", "[b!p]K_a q", INTROSPECTIVE),
    ("K_a K_b p", "K_b p", set()),
)
def test_only_where_the_logic_allows_it(text: str, simple: str, logics: set[str]) -> None:
    for logic in LOGICS:
        expected = simple if logic in logics else text
        assert simplify(text, logic=logic) is parse(expected), logic


def test_names_of_logics() -> None:
    assert simplify("K_a K_a p") is parse("K_a K_a p")
    assert simplify("K_a K_a p", logic="s5") is parse("K_a p")
    with pytest.raises(UnknownNameError, match="unknown logic 'S6'"):
        simplify("p", logic="S6")


def test_depth_costs_no_recursion() -> None:
    depth = 1_500
    assert simplify("~" * depth + "p") is parse("p")
    assert simplify("K_a " * depth + "p", logic="S5") is parse("K_a p")
    assert simplify("[!p]" * depth + "K_a p") is parse("[!p]" * depth + "K_a p")
    assert simplify("(p & " * depth + "q" + ")" * depth) is parse("p & q")
    both = parse("K_a " * depth + "p") & parse("K_a " * depth + "q")
    assert simplify(both) is parse("K_a " * depth + "(p & q)")
    assert simplify(" & ".join(f"p{i}" for i in range(depth))).children[-1] is parse(f"p{depth - 1}")
