"""Answers, their wording, errors, limits, and families of hard formulas."""

import pytest

from kripke_werewolf import parse
from kripke_werewolf.base.errors import FormulaError, Undecided, UnknownActionError, UnknownNameError
from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.deciding import (
    countermodel,
    decide_satisfiability,
    decide_validity,
    decision,
    logic_named,
    satisfiable,
    valid,
)
from tests.cases import cases


def test_a_decision_reads_well():
    found = decide_validity("K_a p -> K_b K_a p")
    assert (found.question, found.answer, found.logic) == ("valid", False, "S5")
    assert str(found).splitlines() == [
        "not valid in S5: counter-model with 2 worlds, the fewest possible",
        "",
        "w0: p  <- the formula is false here",
        "w1: (not p)",
        "a tells all worlds apart",
        "b cannot tell apart: w0 and w1",
    ]
    assert str(decide_validity("K_a p -> K_a K_a p")) == "valid in S5"
    assert str(decide_satisfiability("K_a p & ~p")) == "unsatisfiable in S5"
    assert str(decide_satisfiability("K_a p & ~p", logic="kd45")).splitlines()[-1] == (
        "a considers possible: at w0 w1; at w1 w1"
    )


@cases(
    ("KB", "KB"),
    ("B", "KTB"),
    ("KT", "T"),
    ("KT5", "S5"),
    ("S 5", "S5"),
    ("weak S5", "KD45"),
)
def test_names_of_logics(name, logic):
    assert logic_named(name).name == logic
    assert decide_validity("p", logic=name).logic == logic


@cases(
    ("[b!p]C_a q", "[b!p]K_a q"),
    ("[b!p][!q]K_b Cw_a q", "[b!p][!q]K_b Kw_a q"),
    ("[a!p]C_{a,b} true", "true"),
)
def test_common_knowledge_that_drops_out(formula, plain):
    for logic in ("S5", "K4"):
        assert valid(f"({formula}) <-> ({plain})", logic=logic)
    assert valid(f"({formula}) <-> ({plain})", logic="K") == ("!q" in formula or plain == "true")


def test_an_unknown_logic_is_refused():
    known = (
        "K, T, KD, K4, S4, K45, KD45, S5, KB, KDB, KTB, KD4, K5, KD5, KB5, or one for each agent, as in "
        "'a: S5, b: KD45, others: K'"
    )
    for name in ("S6", "a: S5, b: S6"):
        with pytest.raises(UnknownNameError, match=rf"unknown logic 'S6'.*\(known: {known}\)"):
            valid("p", logic=name)
    for name in ("a: S5, S4", "a: S5, a: K", ": K"):
        with pytest.raises(FormulaError, match=r"for example 'a: S5, b: KD45, others: K'"):
            valid("p", logic=name)


@cases(
    ("p & P_a(p) >= 1/2", "P_a"),
    ("q | Kv_a(x)", "Kv_a"),
    ("[a!p]C_{a,b} P_a(p) >= 1/2", "P_a"),
    (
        "forall a, b, c, d, e, f, g, h, i, j, k, l, m. (a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k ^ l ^ m)",
        "13 atoms",
    ),
)
def test_what_cannot_be_decided_is_named(formula, said):
    with pytest.raises(FormulaError, match="cannot") as error:
        valid(formula)
    assert said in str(error.value)


def test_an_action_must_be_bound():
    with pytest.raises(UnknownActionError, match="show"):
        valid("[show]p")


def binary_tree(depth):
    """K forces a tree with 2^depth leaves (Halpern and Moses 1992)."""
    level = [f.Atom(f"d{i}") for i in range(depth + 2)]
    bit = [f.Atom(f"p{i}") for i in range(depth)]
    parts = [level[i + 1] >> level[i] for i in range(depth + 1)]
    for i in range(depth):
        ways = [f.M("a", level[i + 1] & ~level[i + 2] & b) for b in (bit[i], ~bit[i])]
        parts.append((level[i] & ~level[i + 1]) >> f.conjunction(ways))
        for j in range(i):
            parts += [(level[i] & b) >> f.K("a", level[i] >> b) for b in (bit[j], ~bit[j])]
    rule, everywhere = f.conjunction(parts), []
    for _ in range(depth + 1):
        everywhere.append(rule)
        rule = f.K("a", rule)
    return f.conjunction([level[0] & ~level[1], *everywhere])


@pytest.mark.parametrize("logic", ["K", "T", "S4"])
def test_the_answer_is_known_where_the_model_is_too_large(logic, monkeypatch):
    formula = binary_tree(3)
    assert not valid(~formula, logic=logic)
    monkeypatch.setattr(decision, "_MOST_WORLDS", 2**4 - 2)
    assert not valid(~formula, logic=logic)
    refused = decide_validity(~formula, logic=logic)
    assert (refused.answer, refused.model) == (False, None)
    said = "there is a counter-model, but none was found with at most 14 worlds"
    assert refused.too_large == said
    assert str(refused) == f"not valid in {logic}: {said}"
    with pytest.raises(Undecided, match=f"^{said}$"):
        countermodel(~formula, logic=logic)
    found = decide_satisfiability(formula, logic=logic)
    assert (found.answer, found.model) == (True, None)
    assert str(found).startswith(f"satisfiable in {logic}: there is a model, but")
    with pytest.raises(Undecided, match=r"there is a model, but none was found with at most 14 worlds"):
        satisfiable(formula, logic=logic)


def test_no_model_is_looked_for_where_only_the_answer_is_asked(monkeypatch):
    monkeypatch.setattr(decision, "model_of_types", None)
    monkeypatch.setattr(decision, "model_of_size", None)
    assert not valid("K_a K_b p -> K_b K_a p")
    assert valid("K_a p -> K_a K_a p")
    decided = decide_validity("K_a p -> p")
    assert (decided.answer, decided.model, decided.too_large) == (True, None, None)


def binary_counter(bits):
    """Every step adds one to a binary number that starts at zero; and the formula of its last value."""
    bit = [f.Atom(f"b{i}") for i in range(bits)]
    rules = [f.M("a", f.TRUE)]
    for i, b in enumerate(bit):
        carry = f.conjunction(bit[:i])
        changes = (b >> f.K("a", ~b)) & (~b >> f.K("a", b))
        stays = (b >> f.K("a", b)) & (~b >> f.K("a", ~b))
        rules += [carry >> changes, ~carry >> stays]
    rule = f.conjunction(rules)
    return f.conjunction([*(~b for b in bit), rule, f.C("a", rule)]), f.conjunction(bit)


def test_common_knowledge_forces_long_paths():
    counts, last = binary_counter(5)
    model = satisfiable(counts & ~f.C("a", ~last), logic="K")
    assert len(model) == 32
    assert satisfiable(counts & f.C("a", ~last), logic="K") is None


@pytest.mark.parametrize("logic", ["K", "S5"])
def test_deep_formulas(logic):
    formula = f.Atom("p")
    for i in range(300):
        formula = f.K("ab"[i % 2], formula)
    assert satisfiable(formula, logic=logic).holds("p | K_a p")
    assert not valid(formula, logic=logic)


def test_nested_announcements_are_decided_or_given_up():
    formula = f.Atom("p")
    for i in range(40):
        formula = f.Box(f.Announce(f.K("ab"[i % 2], formula) | f.Atom("q")), formula & f.Atom("q"))
    with pytest.raises(Undecided):
        valid(formula, limit=100_000)


DISTRIBUTED = (
    "~D_{a,b} p & ~D_{b,c} p & ~D_{a,c} q & ~D_{a,b,c} ~p & K_a (M_b p & M_c ~p)"
    " & D_{c,d} q & ~D_{a,d} p & C_{a,b,c,d} (M_a p & M_d ~q | ~D_{c,d} p)"
)


@pytest.mark.parametrize("logic", ["K", "T", "KD", "K4", "S4", "K45", "KD45", "S5"])
def test_overlapping_groups(logic):
    assert satisfiable(DISTRIBUTED, logic=logic).holds(DISTRIBUTED)
    together = parse("D_{a,b} (p -> q) & D_{b,c} p & ~D_{a,b,c} q")
    assert satisfiable(together, logic=logic) is None
