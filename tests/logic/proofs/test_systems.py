"""Axioms are sound on all models of the logic, and rules lead from valid formulas to valid formulas."""

from collections.abc import Iterator

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kripke_werewolf import Formula, FormulaError, Logic, countermodel, parse, valid
from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.proofs import DERIVED, RULES, Line, Proof, check, read_proof, system
from kripke_werewolf.logic.proofs.abbreviations import unabbreviated
from kripke_werewolf.logic.proofs.systems import Rule, filled, reduced_once
from tests.cases import each
from tests.strategies import action_models, formulas, models
from tests.theorems import LOGICS

LETTERS = ("φ", "ψ", "χ", "θ")
SMALL = formulas(conditions=False, quantifiers=False, probability=False, max_depth=2)
STATIC = formulas(
    conditions=False, quantifiers=False, probability=False, dynamic=False, everywhere=False, max_depth=1
)
AXIOMS = [rule for rule in RULES.values() if rule.is_axiom and "⊢" not in rule.text and "[" not in rule.text]


def is_sound(rule: Rule, logic: Logic) -> bool:
    return set(rule.frame.split()) <= set(logic.properties)


def schemas(text: str) -> Iterator[tuple[tuple[Formula, ...], Formula]]:
    """Yield the forms of a rule for an agent, for a pair and, if it speaks of two groups, for both."""
    for form in text.split(";"):
        for group in (("a",), ("a", "b")):
            meaning = (("a", ("a",)), ("G", group), ("H", ("a", "b")))
            yield filled(form.strip(), meaning)[:2]


@pytest.mark.parametrize("rule", [r for r in AXIOMS if r.name != "Taut"], ids=lambda rule: rule.name)
@given(data=st.data())
@settings(max_examples=20)
def test_axioms_are_true_in_every_model_of_their_logics(rule, data):
    name = data.draw(st.sampled_from([name for name, logic in LOGICS.items() if is_sound(rule, logic)]))
    model = data.draw(models(logic=name, max_worlds=4))
    put = {letter: data.draw(SMALL) for letter in LETTERS}
    for _, conclusion in schemas(rule.text):
        instance = conclusion.substitute(put)
        assert model.valid(instance), instance


@each(LOGICS, [r for r in RULES.values() if r.frame])
def test_frame_axioms_are_valid_just_where_they_are_declared_sound(name, rule):
    for _, conclusion in schemas(rule.text):
        if "D" not in rule.text or rule.name == "D":
            instance = conclusion.substitute(dict.fromkeys(LETTERS, "p"))
            assert valid(instance, logic=name) == is_sound(rule, LOGICS[name])


@each(LOGICS)
def test_a_system_has_what_its_name_says(name):
    frames = [rule.name for rule in system(LOGICS[name]) if rule.frame]
    named = {"K": "", "T": "T", "KD": "D", "S4": "T4", "S5": "T5"}.get(name, name.removeprefix("K"))
    assert frames == [letter for letter in ("T", "D", "4", "5") if letter in named]


@given(data=st.data())
def test_reduction_axioms_are_true_in_every_model(data):
    model = data.draw(models(logic="K", max_worlds=3))
    body = data.draw(SMALL.map(unabbreviated))
    if data.draw(st.booleans()):
        update: f.Announce | f.Act = f.Announce(data.draw(SMALL))
    else:
        action = data.draw(action_models(weights=False, contents=STATIC))
        update = f.Act("U", data.draw(st.sampled_from(list(action.events))), action.point(*action.events))
    found = reduced_once(unabbreviated(f.Box(update, body)))
    if found is not None:
        name, instance = found
        assert model.valid(instance)
        assert RULES[name].instance((), instance) is not None


@pytest.mark.parametrize("rule", [RULES["!true"], RULES["!="]], ids=lambda rule: rule.name)
@given(data=st.data())
def test_axioms_about_what_announcements_leave_are_true_in_every_model(rule, data):
    model = data.draw(models(logic="K", max_worlds=4))
    put = {letter: data.draw(SMALL) for letter in LETTERS}
    instance = filled(rule.text, ()).conclusion.substitute(put)
    assert model.valid(instance), instance
    assert rule.instance((), unabbreviated(instance)) is not None


def test_reduction_axioms_reach_all_operators_but_common_knowledge():
    for text in ("q", "true", "q & r", "atmost(1; q, r)", "K_a q", "D_{a,b} q", "everywhere q", "[!q]r"):
        assert reduced_once(unabbreviated(parse(f"[!p]({text})"))) is not None
    assert reduced_once(unabbreviated(parse("[!p]C_{a,b} q"))) is None


def test_an_event_reduces_with_its_own_precondition_only():
    box = unabbreviated(parse("[b!p]K_a q"))
    _, instance = reduced_once(box)
    other = f.Iff(instance.left, f.Implies("r", instance.right.right))
    assert RULES["@K"].instance((), instance) is not None
    assert RULES["@K"].instance((), other) is None


def test_substitution_for_atoms_after_an_announcement_is_refused():
    assert RULES["!p"].instance((), parse("[!q]r <-> (q -> r)")) is not None
    assert RULES["!p"].instance((), parse("[!q]K_a r <-> (q -> K_a r)")) is None


RULES_WITH_PREMISES = [rule for rule in RULES.values() if "⊢" in rule.text and "U" not in rule.text]


@pytest.mark.parametrize("rule", RULES_WITH_PREMISES, ids=lambda rule: rule.name)
@given(data=st.data())
@settings(max_examples=25)
def test_rules_lead_from_valid_formulas_to_valid_ones(rule, data):
    name = data.draw(st.sampled_from(list(LOGICS)))
    if rule.under_update:
        assume(LOGICS[name].reflexive or not LOGICS[name].serial)
    parts = st.one_of(STATIC, st.sampled_from([f.TRUE, parse("p -> p"), parse("K_a p -> K_a p"), parse("p")]))
    put = {letter: data.draw(parts) for letter in LETTERS}
    for premises, conclusion in schemas(rule.text):
        try:
            if all(valid(g.substitute(put), logic=name) for g in premises):
                assert valid(conclusion.substitute(put), logic=name)
        except FormulaError:  # a formula that cannot be decided
            pass


@each(
    ["KD", "KD45"],
    [
        # necessitation under an update, where seriality gets lost
        "~K_a false   D\n[!p]~K_a false   Nec! 1",
        "~K_a false   D\n[a!p]~K_a false   Nec 1",
        "~K_a false   D\n~K_a false <-> true   PL 1\n[!p]~K_a false <-> [!p]true   RE 2",
        "~K_a false   D\nK_a p -> ~K_a false   PL 1\n[!p]K_a p -> [!p]~K_a false   RK 2",
    ],
)
def test_updates_must_keep_what_a_line_needs(name, text):
    proof = read_proof(text, logic=name)
    found = check(proof)
    assert (found.right, found.line) == (False, len(proof))
    assert "serial" in found.reason
    assert countermodel(proof.conclusion, logic=name) is not None


def test_private_actions_do_not_keep_truth():
    true = parse("K_b ~K_a q -> ~K_a q")
    lines = Line(true, "T"), Line(f.Box(f.Announce("q", ("a",)), true), "Nec", (1,))
    found = check(Proof(LOGICS["S5"], lines))
    assert found.line == 2
    assert "reflexive" in found.reason
    assert countermodel(lines[1].formula) is not None
    public = Line(f.Box(f.Announce("q"), true), "Nec", (1,))
    assert check(Proof(LOGICS["S5"], (lines[0], public))).right


@each(LOGICS)
def test_derived_axioms_are_derived_where_they_hold(name):
    logic = LOGICS[name]
    for rules in DERIVED.values():
        for derived in rules:
            if "⊢" in derived.text or "[U" in derived.text or derived.name in ("Def", "Red"):
                continue
            for group in (("a", "b"), ("a", "b", "c")):
                meaning = (("a", ("a",)), ("G", group))
                put = dict.fromkeys(LETTERS, "K_b p | q")
                instance = filled(derived.text.partition(";")[0], meaning).conclusion.substitute(put)
                right = check(Proof(logic, (Line(instance, derived.name),))).right
                assert right == (derived.frames <= set(logic.properties) or derived.name in basis(logic)), (
                    instance
                )
                assert valid(instance, logic=name) or not right


def basis(logic) -> set[str]:
    """Return the names of the axioms of a logic."""
    return {rule.name for rule in system(logic)}
