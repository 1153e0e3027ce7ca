"""Schemas: the textbook's, random ones against their instances, and the answers in words."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kripke_werewolf import Formula, FormulaError, KripkeModel, parse, private
from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.deciding import (
    countermodel,
    decide_satisfiability,
    decide_validity,
    decision,
    satisfiable,
    valid,
)
from kripke_werewolf.logic.deciding.schemas import named_instance, read_schema
from tests import strategies
from tests.cases import cases
from tests.reference.schemas import INVALID, VALID
from tests.theorems import LOGICS


@pytest.mark.parametrize("logic", LOGICS)
def test_the_laws_of_announcements_are_valid(logic: str) -> None:
    wrong = [schema for schema in VALID if not valid(schema, logic=logic)]
    assert not wrong, wrong


@pytest.mark.parametrize("logic", LOGICS)
def test_what_is_no_law_is_refuted_by_an_instance(logic: str) -> None:
    for schema in INVALID:
        found = decide_validity(schema, logic=logic)
        assert not found.answer, schema
        assert found.values.keys() == read_schema(schema)[1], schema
        assert found.model is not None
        assert not found.model.holds(parse(schema).substitute(found.values)), schema
        assert not valid(found.instance, logic=logic), schema


@cases(
    "[!p]p",
    "[!p]K_a p",
    "[!p]C_{a,b} p",
    "[!p][!q]r <-> [!(p & q)]r",
    "p & C_{a,b} p -> ([!p]q <-> q)",
)
def test_some_laws_hold_of_atoms_only(formula) -> None:
    assert valid(formula), formula
    assert not valid(f"schema: {formula}"), formula
    assert not valid(formula, letters=parse(formula).atoms), formula


def test_announcing_the_same_worlds_is_the_same_announcement() -> None:
    assert valid("[!K_a p]φ <-> [!K_a p & p]φ", logic="T")
    assert not valid("[!K_a p]φ <-> [!K_a p & p]φ", logic="K")


@pytest.mark.parametrize("logic", LOGICS)
@given(data=st.data())
def test_without_updates_a_schema_is_valid_as_its_formula_is(logic: str, data: st.DataObject) -> None:
    formula = data.draw(strategies.formulas(dynamic=False, probability=False, quantifiers=False))
    assert valid(formula, logic=logic, letters=formula.atoms) == valid(formula, logic=logic)


@pytest.mark.parametrize("logic", ["K", "KD", "S4", "S5"])
@given(data=st.data())
def test_random_schemas_agree_with_their_instances(logic: str, data: st.DataObject) -> None:
    schema = data.draw(_announcing(3))
    letters = data.draw(st.sets(st.sampled_from(["p", "q", "r"]), min_size=1))
    found = decide_validity(schema, logic=logic, letters=letters)
    if found.answer:
        instance = schema.substitute({letter: data.draw(_announcing(2)) for letter in letters})
        assert valid(instance, logic=logic, letters=())
    else:
        assert found.model is not None
        assert not found.model.holds(schema.substitute(found.values))
        assert found.values.keys() == schema.atoms & letters


@pytest.mark.parametrize("logic", ["K", "KD45", "S5"])
@given(data=st.data())
def test_an_instance_with_names_of_worlds_refutes_as_well(logic: str, data: st.DataObject) -> None:
    found = _named(data.draw(_announcing(3)), logic)
    assume(found is not None)


@pytest.mark.parametrize("logic", ["K", "S5"])
def test_the_names_of_an_instance_are_new(logic: str) -> None:
    schema = parse("K_e w0 -> w1")
    found = _named(schema, logic)
    assert found is not None
    values, model = found
    assert model.agents == ("e", "e0")
    assert all(value.atoms.isdisjoint(schema.atoms) for value in values.values())


def _named(schema: Formula, logic: str) -> tuple[dict[str, Formula], KripkeModel] | None:
    """Return an instance with names of worlds and a model that refutes it; None if none was extracted."""
    search = decision._Search(schema, False, logic, 100_000, schema.atoms)
    if not search.succeeded or search.types is None:
        return None
    space = search._extracted(search.types)
    assert space is not None
    values, named = named_instance(search.core, space, schema)
    model = KripkeModel.from_space(named, 1)
    assert not model.holds(schema.substitute(values))
    return values, model


def _announcing(depth: int) -> st.SearchStrategy[Formula]:
    """Return a strategy for formulas with public announcements, of knowledge and of groups."""
    part: st.SearchStrategy[Formula] = st.sampled_from([f.Atom("p"), f.Atom("q"), f.Atom("r")])
    for _ in range(depth):
        part = st.one_of(
            part,
            st.builds(lambda x, y: f.Box(f.Announce(x), y), part, part),
            st.builds(lambda x, y: f.Diamond(f.Announce(x), y), part, part),
            st.builds(f.Knows, st.sampled_from(["a", "b"]), part),
            st.builds(lambda kind, x: kind(["a", "b"], x), st.sampled_from([f.C, f.D, f.E]), part),
            st.builds(f.Not, part),
            st.builds(lambda kind, x, y: kind(x, y), st.sampled_from([f.And, f.Implies, f.Iff]), part, part),
        )
    return part


def test_letters() -> None:
    formula, letters = read_schema("φ & ψ_1 & χ' & p & φ2 & phi & φώς")
    assert letters == {"φ", "ψ_1", "χ'", "φ2"}
    assert formula.atoms - letters == {"p", "phi", "φώς"}
    assert read_schema(" schema: p & K_a q") == (parse("p & K_a q"), frozenset("pq"))
    assert read_schema("φ & p", ["p", "q"])[1] == {"p"}
    with pytest.raises(FormulaError, match="column 10: the text ends"):
        valid("schema: (")


def test_an_instance_is_a_formula_of_other_names() -> None:
    found = decide_validity("[!φ]φ & p & q & r & s")
    assert not found.answer
    assert found.values["φ"].atoms.isdisjoint("pqrs")


def test_a_schema_is_told_in_words() -> None:
    found = decide_validity("[!φ]φ")
    assert str(found).splitlines() == [
        "not valid in S5 as a schema, for example with φ = p & ~K_a p: "
        "counter-model with 2 worlds, the fewest possible",
        "",
        "w0: p  <- the instance is false here",
        "w1: (not p)",
        "a cannot tell apart: w0 and w1",
    ]
    assert str(decide_validity("φ -> φ")) == "valid in S5, whatever formula φ stands for"
    assert str(decide_validity("φ & ψ -> φ")) == "valid in S5, whatever formulas φ, ψ stand for"


def test_some_instance_of_a_schema_is_satisfiable() -> None:
    assert satisfiable("~[!p]p") is None
    found = decide_satisfiability("~[!φ]φ")
    assert found.answer
    assert found.model is not None
    assert found.model.holds(found.instance)
    assert str(found).startswith("satisfiable in S5 as a schema, for example with φ = ")
    assert satisfiable("φ & ~φ") is None
    assert str(decide_satisfiability("φ & ~φ")) == "unsatisfiable in S5, whatever formula φ stands for"
    model = countermodel("[!φ]φ")
    assert model is not None
    assert len(model) == 2


@cases(
    ("[a!φ]φ", False),
    ("schema: [a!p]p", False),
    ("schema: [a!p]q <-> (p -> q)", False),
    ("[a!φ]K_a φ", False),
    ("[a?!φ]Kw_a φ", False),
    ("[?!φ]ψ <-> [!φ]ψ & [!~φ]ψ", False),
    ("[a!φ]ψ -> [a!φ]ψ", True),
    ("schema: [a!p](q & r) <-> [a!p]q & [a!p]r", True),
    ("[a!φ]K_a ψ <-> (φ -> K_a [a!φ]ψ)", True),
    ("~φ -> [a!φ]ψ", True),
    ("<a!φ>ψ -> φ", True),
    ("[a!φ]K_a ψ -> [a!φ]ψ", True),
    ("[a!φ]C_{a,b} ψ -> [a!φ]ψ", True),
    ("[a!φ]K_b ψ -> [a!φ]ψ", False),
    ("[a,b!φ]C_{a,b} ψ -> [a,b!φ]ψ", True),
    ("[a?!φ]C_{a,b} ψ -> [a?!φ]C_b ψ", True),
    ("[a?!φ]ψ <-> [a?!~φ]ψ", True),
    ("schema: [a!p][b!q]r -> [b!q][a!p]r", False),
)
def test_after_other_updates_schemas_are_decided(text: str, answer: bool) -> None:
    found = decide_validity(text)
    assert found.answer is answer
    assert answer or not found.model.holds(found.instance)
    f, letters = read_schema(text)
    assert (satisfiable(~f, letters=letters) is None) is answer


def test_schemas_that_are_not_decided() -> None:
    with pytest.raises(
        FormulaError, match=r"does not follow for all formulas φ, χ, ψ; .* no simple instance is known"
    ):
        valid("~(φ & ψ & χ & <a!p>(~φ & ~ψ & ~χ))")
    told = parse("[tell]p").bind(tell=private("a", "φ"))
    with pytest.raises(FormulaError, match="an action mentions φ"):
        valid(told)
    assert valid(told >> told)
    with pytest.raises(FormulaError, match=r"the quantifier .* would bind"):
        valid("forall φ. φ -> φ")
