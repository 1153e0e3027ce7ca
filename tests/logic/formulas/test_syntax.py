"""Formulas as values: one object each, unchangeable, and safe at any depth."""

import copy
import gc
import pickle
import threading
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kripke_werewolf import FormulaError, FormulaSyntaxError, UnknownAtomError, parse, public
from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.formulas import Act, Announce, Atom, Box, Formula, K
from kripke_werewolf.logic.formulas import syntax as base
from tests.cases import cases, each
from tests.strategies import formulas

p, q, r = Atom("p"), Atom("q"), Atom("r")
DEPTH = 3_000


def deep(depth: int = DEPTH) -> Formula:
    found: Formula = p
    for i in range(depth // 4):
        found = Box(Announce(q), K("a", ~(found & Atom(f"q{i % 3}"))))
    return found


# --- values --------------------------------------------------------------------------------------


def test_equal_formulas_are_one_object() -> None:
    assert Atom("p") is p
    assert K("a", "p & q") is parse("K_a (p & q)")
    assert K(2, p) is K("2", p)
    assert f.C(["b", "a", "b"], p) is f.C({"a", "b"}, p)
    assert f.Forall(["p", "q", "p"], r) is f.Forall(("p", "q"), r)
    assert f.Constant(True) is f.TRUE
    assert f.atleast(2, ["p", "q"]) is f.atleast(2, "p", "q")


def test_different_formulas_differ() -> None:
    different = [
        *(p, q, p & q, q & p, f.And(p & q, r), p & q & r, p | q, K("a", p), K("b", p), f.M("a", p)),
        *(f.C("a", p), f.C(["a", "b"], p), f.D("a", p), Box(Announce(p), q), f.Diamond(Announce(p), q)),
        *(Box(Announce(p, None, True), q), Box(Announce(p, ("a",)), q), Box(Act("p"), q)),
        *(Box(Act("p", "e"), q), f.exactly(1, p), f.atleast(1, p), f.exactly(2, p)),
    ]
    assert len(set(different)) == len(different)
    assert p != "p"


def test_unused_formulas_are_forgotten() -> None:
    gc.collect()
    before = len(base._table)
    found = [Atom(f"forgotten_{i}") & p for i in range(100)]
    assert len(base._table) >= before + 200
    del found
    gc.collect()
    assert len(base._table) <= before


def test_formulas_cannot_be_changed() -> None:
    formula = p & q
    with pytest.raises(AttributeError, match="immutable"):
        formula.label = ()  # type: ignore[misc]
    with pytest.raises(AttributeError, match="immutable"):
        formula.extra = 1  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="immutable"):
        del formula.children


def test_formulas_have_no_truth_value() -> None:
    with pytest.raises(FormulaError, match="neither true nor false"):
        bool(p)
    with pytest.raises(FormulaError, match="neither true nor false"):
        assert p or q


@settings(max_examples=settings.default.max_examples * 2)
@given(formulas(variables=["x"], actions=[Act("show")], max_depth=3))
def test_copies_and_pickles_are_the_same_object(formula: Formula) -> None:
    assert copy.copy(formula) is formula
    assert copy.deepcopy([formula])[0] is formula
    assert pickle.loads(pickle.dumps(formula)) is formula


def test_threads_that_build_the_same_formulas_get_the_same_objects() -> None:
    results: list[list[Formula]] = []
    ready = threading.Barrier(8)

    def build() -> None:
        ready.wait()
        found = [K(i % 3, Atom(f"thread_{i}") & p) for i in range(500)]
        results.append([*found, *(parse(f"K_a thread_{i}") for i in range(20))])

    threads = [threading.Thread(target=build) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 8
    assert all(x is y for other in results[1:] for x, y in zip(results[0], other, strict=True))


# --- depth ---------------------------------------------------------------------------------------


def test_depth_costs_no_recursion() -> None:
    formula = deep()
    for text in (str(formula), formula.unicode(), formula.latex()):
        assert parse(text) is formula
    assert pickle.loads(pickle.dumps(formula)) is formula
    assert eval(repr(formula), vars(f)) is formula
    assert hash(formula) == hash(deep())
    assert formula == deep()
    assert formula.agents == {"a"}
    assert formula.atoms == {"p", "q", "q0", "q1", "q2"}
    swapped = formula.substitute({"p": q, "q": p})
    assert swapped is not formula
    assert swapped.substitute({"p": q, "q": p}) is formula
    assert formula.rewrite(lambda node: node) is formula
    assert copy.deepcopy(formula) is formula
    assert formula.bind(show=None) is formula  # type: ignore[arg-type]


@cases(
    "(" * DEPTH + "p" + ")" * DEPTH,
    "~" * DEPTH + "p",
    "p -> " * DEPTH + "p",
    "p <-> " * DEPTH + "p",
    "p & " * DEPTH + "p",
    "(p & " * DEPTH + "p" + ")" * DEPTH,
    "[!" * DEPTH + "p" + "]q" * DEPTH,
)
def test_deep_texts_are_read_and_written(text: str) -> None:
    formula = parse(text)
    assert parse(str(formula)) is formula


# --- operators -----------------------------------------------------------------------------------


def test_python_operators() -> None:
    assert (p & q) is f.And(p, q)
    assert (p | q) is f.Or(p, q)
    assert (p ^ q) is f.Xor(p, q)
    assert ~p is f.Not(p)
    assert (p >> q) is f.Implies(p, q)
    assert p.iff(q) is f.Iff(p, q)
    assert (p & q & r) is f.And(p, q, r)
    assert (p & (q & r)) is f.And(p, f.And(q, r))
    assert (p & "q | r") is f.And(p, q | r)
    assert ("q | r" & p) is f.And(q | r, p)
    assert ("p" | q) is f.Or(p, q)
    assert ("p" ^ q) is f.Xor(p, q)
    assert ("p" >> q) is f.Implies(p, q)
    assert (p >> "q") is f.Implies(p, q)
    assert (p & True) is f.And(p, f.TRUE)
    assert (False | p) is f.Or(f.FALSE, p)
    assert ((K("a", p) & ~K("b", p)) >> q) is parse("K_a p & ~K_b p -> q")


@each([1, None, 0.5, [p]])
def test_strangers_are_no_operands(stranger: object) -> None:
    for combine in (
        lambda x, y: x & y,
        lambda x, y: x | y,
        lambda x, y: x ^ y,
        lambda x, y: x >> y,
    ):
        with pytest.raises(TypeError):
            combine(p, stranger)


def test_numbers_and_texts_of_numpy_are_taken_as_plain_ones() -> None:
    assert K(np.int64(3), p) is K(3, p)
    assert f.exactly(np.int64(2), p, q) is f.exactly(2, p, q)
    assert type(K(np.str_("numpy"), Atom(np.str_("text"))).agent) is str
    assert repr(Atom(np.str_("text_of_numpy"))) == "parse('text_of_numpy')"
    assert (f.P("a", p) >= np.int64(1)) is (f.P("a", p) >= 1)


def test_parts_have_the_names_of_the_notation() -> None:
    match parse("[a,b?!p]K_a q"):
        case Box(Announce(content, group, whether), f.Knows(agent, body)):
            assert (content, group, whether, agent, body) == (p, ("a", "b"), True, "a", q)
        case _:
            pytest.fail("no match")
    match parse("atleast(2; p, q, r)"):
        case f.Count(kind, number, parts):
            assert (kind, number, parts) == ("atleast", 2, (p, q, r))
        case _:
            pytest.fail("no match")
    match parse("[show:e]p"):
        case Box(Act(name, event, model), body):
            assert (name, event, model, body) == ("show", "e", None, p)
        case _:
            pytest.fail("no match")
    chance = parse("1/2*P_a(p) - P_b(q) < 1")
    assert isinstance(chance, f.Probability)
    assert chance.terms == ((Fraction(1, 2), "a", p), (Fraction(-1), "b", q))
    assert (chance.relation, chance.bound) == ("<", Fraction(1))


# --- what occurs, and replacing it ---------------------------------------------------------------


def test_agents_and_atoms() -> None:
    formula = parse("K_a p & C_{b,c} q & [d!r]P_e(s) >= 1 & Kv_g(x) & forall t. u & [act]v")
    assert formula.agents == {"a", "b", "c", "d", "e", "g"}
    assert formula.atoms == {"p", "q", "r", "s", "t", "u", "v"}


@given(
    formulas(variables=["x"]),
    st.lists(st.sampled_from(["p", "q", "K_a", "", "2", "a b"]), min_size=5, max_size=5),
)
def test_a_renamed_formula_is_read_back_or_refused(formula: Formula, names: list[str]) -> None:
    new = dict(zip(["a", "b", "p", "q", "r"], names, strict=False))
    try:
        renamed = formula.rename(agents=new.__getitem__, atoms=new.__getitem__)
    except FormulaError:
        bound = any(isinstance(node, f.Forall | f.Exists) for node in formula.subformulas())
        assert "" in names or (bound and len({new[atom] for atom in formula.atoms}) < len(formula.atoms))
    else:
        assert parse(str(renamed)) is renamed


def test_renaming_joins_no_bound_atom_with_another() -> None:
    with pytest.raises(FormulaError, match="cannot rename both p and q to r in forall p"):
        parse("K_a forall p. (p | q)").rename(atoms=lambda atom: "r")
    assert parse("p -> K_a q").rename(atoms=lambda atom: "r") is parse("r -> K_a r")


@settings(max_examples=settings.default.max_examples * 2)
@given(formulas(variables=["x"], actions=[Act("show")], max_depth=4))
def test_subformulas_of_random_formulas(formula: Formula) -> None:
    seen: set[Formula] = set()
    for node in formula.subformulas():
        assert node not in seen
        assert seen.issuperset(node.children)
        seen.add(node)
    assert node is formula


def test_substitution_is_simultaneous() -> None:
    assert parse("p & K_a q").substitute({"p": q, "q": p}) is parse("q & K_a p")
    assert parse("p & K_a q").substitute({"p": "q | r", "q": True}) is parse("(q | r) & K_a true")
    assert parse("[!p]p").substitute({"p": parse("K_a q")}) is parse("[!K_a q]K_a q")
    assert parse("P_a(p) > 0").substitute({"p": ~q}) is parse("P_a(~q) > 0")


def test_substitution_does_not_disturb_quantifiers() -> None:
    formula = parse("p & forall p. (p | q)")
    assert formula.substitute({"q": r}) is parse("p & forall p. (p | r)")
    assert formula.substitute({"p": ~q}) is parse("~q & forall p. (p | q)")
    assert formula.substitute({"r": p}) is formula
    assert parse("forall p. exists q. (p & q & r)").substitute({"p": r, "q": r, "r": ~Atom("s")}) is parse(
        "forall p. exists q. (p & q & ~s)"
    )
    with pytest.raises(FormulaError, match="cannot put ~p for q inside a quantifier over p"):
        formula.substitute({"q": ~p})


def test_substitution_does_not_reach_into_actions() -> None:
    action = public("p | q")
    formula = parse("[show]p & r").bind(show=action)
    assert formula.substitute({"r": p}) is parse("[show]p & p").bind(show=action)
    with pytest.raises(FormulaError, match=r"cannot replace p, q in the action of \[show\]p"):
        formula.substitute({"p": r, "q": r})


# --- errors --------------------------------------------------------------------------------------


@cases(
    (lambda: Atom(""), "an atom needs a nonempty name, got ''"),
    (lambda: f.Constant("yes"), "a constant is True or False, got 'yes'"),
    (lambda: f.And(p), "And needs at least two formulas, got 1"),
    (lambda: f.Not(3), "expected a formula, its text, or True/False; got 3"),
    (lambda: K(None, p), "an agent is a nonempty name or a number; got None"),
    (lambda: K("", p), "got ''"),
    (lambda: K(["a", "b"], p), r"got \['a', 'b'\]"),
    (lambda: f.C([], p), "a group needs at least one agent"),
    (lambda: f.Kv("a", ""), "a variable needs a nonempty name, got ''"),
    (lambda: f.Forall([], p), r"a quantifier needs the names of atoms, got \[\]"),
    (lambda: f.Exists(["p", 3], p), "a quantified atom needs a nonempty name, got 3"),
    (lambda: f.Count("about", 2, p), "expected one of exactly, atleast, atmost; got 'about'"),
    (lambda: f.exactly(-1, p), "exactly needs a whole number that is not negative, got -1"),
    (lambda: f.atmost(1), "atmost needs at least one formula to count"),
    (lambda: Box(p, q), r"expected an Announce, an Act or an Upgrade, got parse\('p'\)"),
    (lambda: Box(Act(""), q), "an action needs a nonempty name, got ''"),
    (lambda: f.P("a", p) >= 0.5, r"expected an exact number .* got 0.5"),
    (lambda: f.P("a", p) >= "1/0", "got '1/0'"),
    (lambda: f.Probability([], ">=", 1), "at least one P_a"),
    (lambda: f.Probability([(1, "a", p)], "=>", 1), "expected one of >= > <= < = !=; got '=>'"),
    (lambda: bool(f.P("a", p)), "not a truth value"),
)
def test_what_is_no_formula(build: object, message: str) -> None:
    with pytest.raises(FormulaError, match=message):
        build()  # type: ignore[operator]


def test_errors_survive_pickling() -> None:
    for error in (
        FormulaSyntaxError("p &", 3, ["a formula"], "the text ends too early"),
        UnknownAtomError("wolf_Alcie", ["wolf_Alice", "wolf_Bob"]),
        FormulaError("some reason"),
    ):
        found = pickle.loads(pickle.dumps(error))
        assert type(found) is type(error)
        assert str(found) == str(error)
        assert vars(found) == vars(error)


@each([r"\( {} \)", r"\[{}\]", "$ {} $", "$$ {} $$", " {} "])
def test_delimiters_of_latex_mean_nothing(around: str) -> None:
    assert parse(around.format(r"K_a p \Longrightarrow p \Longleftrightarrow q")) is parse(
        "(K_a p -> p) <-> q"
    )
