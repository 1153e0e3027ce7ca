"""Every valid formula is derived, and no derivation leads to a formula that is not valid."""

import sys
from dataclasses import replace
from random import Random

import pytest

from kripke_werewolf import FormulaError, Undecided, UnknownNameError, logic_named, parse, valid
from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.proofs import RULES, Line, Proof, Rule, check, derivation, expand, read_proof
from kripke_werewolf.logic.proofs.abbreviations import unabbreviated
from kripke_werewolf.logic.proofs.systems import filled
from tests.cases import cases, each
from tests.logic.deciding.test_theorems import AXIOMS
from tests.reference.schemas import INVALID, VALID
from tests.theorems import LOGICS, formula, mutant, theorems


@each(["K", "KD45", "S4", "S5"], AXIOMS)
def test_textbook_formulas_are_derived_where_they_are_valid(name, text):
    proof = derivation(text, logic=name)
    assert (proof is not None) == (name in AXIOMS[text])
    if proof is not None:
        assert proof.conclusion is parse(text)
        assert check(proof).right


@pytest.mark.slow
@each(range(4))
def test_random_theorems_are_derived_and_their_derivations_checked(seed):
    for found, name, kind in theorems(24, Random(seed)):
        proof = derivation(found, logic=name)
        assert proof is not None, (found, name)
        assert proof.conclusion is found
        assert check(proof).right, (found, name)
        assert len(proof) <= (30 if kind == "common" else 15)


@pytest.mark.slow
@each(range(2))
def test_an_expanded_derivation_cites_axioms_and_primitive_rules_only(seed):
    for found, name, _ in theorems(16, Random(100 + seed)):
        proof = derivation(found, logic=name)
        assert proof is not None
        whole = expand(proof)
        assert whole.conclusion is unabbreviated(found)
        assert all(line.rule in RULES for line in whole.lines)
        assert all(RULES[line.rule].frame in {"", *LOGICS[name].properties} for line in whole.lines)
        assert check(whole).right
        assert expand(whole).lines == whole.lines


@pytest.mark.slow
@each(range(3))
def test_a_changed_derivation_is_refused_or_still_right(seed):
    rng = Random(seed)
    refused = 0
    for found, name, _ in theorems(16, Random(200 + seed)):
        proof = derivation(found, logic=name)
        assert proof is not None
        for _ in range(4):
            changed = _changed(proof, rng)
            answer = check(changed)
            refused += not answer.right
            for line in changed.lines[: answer.line - 1 if answer.line else None]:
                assert valid(line.formula, logic=name), (changed, line)
    assert refused > 10


def _changed(proof: Proof, rng: Random) -> Proof:
    place = rng.randrange(len(proof))
    line = proof.lines[place]
    match rng.randrange(4):
        case 0:
            line = Line(line.formula, rng.choice(["PL", "RK", "T", "4", "5", "Nec", "Mix", "Ind"]), line.refs)
        case 1 if place:
            line = Line(line.formula, line.rule, (rng.randint(1, place),))
        case _:
            line = Line(mutant(line.formula, rng), line.rule, line.refs)
    return Proof(proof.logic, (*proof.lines[:place], line, *proof.lines[place + 1 :]))


def test_a_stronger_logic_is_needed_for_a_proof_that_uses_its_axiom():
    proof = derivation("K_a p -> K_a K_a p", logic="S5")
    assert proof is not None
    assert proof.uses() == ("T", "5", "PL", "RK")
    weaker = check(Proof(LOGICS["T"], proof.lines))
    assert (weaker.right, weaker.line) == (False, 2)
    assert weaker.reason.startswith("5 is not sound in T")


@cases(
    ("K_a p -> p", ("T",)),
    ("K_a (p -> q) -> (K_a p -> K_a q)", ("K",)),
    ("C_{a,b} p <-> E_{a,b} (p & C_{a,b} p)", ("Mix",)),
    ("[!p]C_{a,b} p", ("Red", "Nec", "Ind!")),
)
def test_short_derivations(text, rules):
    proof = derivation(text)
    assert proof is not None
    assert proof.uses() == rules


def test_the_abbreviations_of_the_formula_are_kept():
    proof = derivation("p -> K_a M_a p")
    assert proof is not None
    assert [str(line.formula) for line in proof.lines] == [
        "K_a ~p -> ~p",
        "M_a p -> K_a M_a p",
        "p -> K_a M_a p",
    ]


@cases(
    "everywhere p -> C_{a,b} p",
    "[a!p]K_a p",
    "[?!p]Kw_a p",
    "[!p][a!q]K_a (p & q)",
    "exactly(1; p, q) -> K_a (p | ~p)",
    "forall p. p -> p",
)
def test_the_other_operators(text):
    proof = derivation(text)
    assert proof is not None
    assert check(proof).right
    assert check(expand(proof)).right


MORE_SCHEMAS = [
    "everywhere φ -> C_{a,b} ([!φ]ψ <-> ψ)",
    "~φ -> [a!φ]ψ",
    "[a!φ]~ψ -> [a!φ][b!ψ]χ",
    "K_b [a!φ]ψ -> K_b (φ -> ~[a!φ]~ψ)",
    "[a!φ]ψ & [a!φ](ψ -> χ) -> [a!φ]χ",
    "[!φ][!ψ][!χ]χ_1 <-> [!<!<!φ>ψ>χ]χ_1",
]


@each(["K", "KD45", "S5"], [*VALID, *MORE_SCHEMAS])
def test_every_valid_schema_is_derived(name: str, text: str) -> None:
    proof = derivation(text, logic=name)
    assert proof is not None
    assert check(proof).right
    assert proof.conclusion is parse(text)


@each(INVALID)
def test_no_schema_is_derived_that_is_not_valid(text: str) -> None:
    assert derivation(text) is None


@each(range(2))
def test_random_valid_schemas_are_derived(seed: int) -> None:
    rng, found = Random(500 + seed), 0
    while found < 40:
        left = schema(rng, 2)
        whole = f.Iff(left, mutant(left, rng)) if rng.random() < 0.4 else f.Implies(left, schema(rng, 2))
        name = rng.choice(list(LOGICS))
        if not valid(whole, logic=name):
            continue
        found += 1
        proof = derivation(whole, logic=name)
        assert proof is not None, (whole, name)
        assert check(proof).right
        put = {letter: formula("announced", rng, 2) for letter in "φψχ"}
        lines = tuple(replace(line, formula=line.formula.substitute(put)) for line in proof.lines)
        assert check(Proof(proof.logic, lines)).right


def schema(rng: Random, depth: int) -> f.Formula:
    """Return a random schema, mostly of announcements."""
    if depth == 0 or rng.random() < 0.15:
        return f.TRUE if rng.random() < 0.1 else f.Atom(rng.choice("φψχp"))

    def part() -> f.Formula:
        return schema(rng, depth - 1)

    match rng.choice(["~", "&", "->", "K", "C", "!", "!", "!", "everywhere"]):
        case "~":
            return f.Not(part())
        case "&":
            return f.And(part(), part())
        case "->":
            return f.Implies(part(), part())
        case "K":
            return f.Knows(rng.choice("ab"), part())
        case "C":
            return f.Common(("a", "b"), part())
        case "everywhere":
            return f.Everywhere(part())
    return f.Box(f.Announce(part()), part())


@each(["!p", "Red"], ["[!φ]φ", "[!χ]φ <-> (χ -> φ)", "φ -> [!χ]φ"])
def test_the_axiom_for_atoms_is_not_about_schematic_letters(rule, text):
    assert not check(Proof(LOGICS["S5"], (Line(parse(text), rule),))).right


@cases(
    ("P_a(p) >= 1/2", "S5", FormulaError),
    ("Kv_a(x) -> p", "S5", FormulaError),
    ("K_a p -> K_a p & p", "KB", FormulaError),
    ("C_{a,b} p -> p", "a: S5, b: KTB", FormulaError),
    ("p -> p", "S6", UnknownNameError),
)
def test_what_cannot_be_derived_is_said_before_the_search(text, logic, error):
    with pytest.raises(error):
        derivation(text, logic=logic)


def test_a_valid_schema_without_a_derivation_is_named() -> None:
    with pytest.raises(Undecided, match=r"\[a!φ\]ψ -> \[a!~~φ\]ψ is valid, but .* two actions have the same"):
        derivation("[a!φ]ψ -> [a!~~φ]ψ")


def test_the_search_ends_at_its_limit():
    with pytest.raises(Undecided):
        derivation("E_{a,b} E_{a,b} p -> E_{a,b} E_{a,b} (p | q)", limit=5)


@each(["(forall p. φ) <-> φ", "φ -> (forall p. φ)", "(exists p. φ & p) -> φ"])
def test_no_schema_is_derived_through_a_quantifier(text: str) -> None:
    for refused in (lambda: valid(text), lambda: derivation(text)):
        with pytest.raises(FormulaError, match="φ stands for any formula"):
            refused()


def test_what_does_not_pass_the_checker_is_not_handed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = [Line(parse("K_a p -> p"), "T")]
    module = sys.modules["kripke_werewolf.logic.proofs.derivation"]  # the package has a function of this name
    monkeypatch.setattr(module, "derived_lines", lambda *_: wrong)
    with pytest.raises(Undecided, match="does not pass the checker"):
        derivation("K_a p & K_a q -> K_a (q & p)")


# --- common knowledge after actions, and a logic for each agent -------------------------------------


MIXED = ["a: S5, b: KD45, others: K", "a: T, b: K45, others: S4", "a: K, b: S5, others: KD"]


@each(range(2))
def test_random_theorems_of_mixed_logics_are_derived(seed: int) -> None:
    rng, found = Random(800 + seed), 0
    while found < 20:
        kind, name = rng.choice(["plain", "common", "announced"]), rng.choice(MIXED)
        left, right = formula(kind, rng, 3), formula(kind, rng, 2)
        whole = f.Implies(left, f.Or(right, f.Knows(rng.choice("ab"), left)))
        holds = valid(whole, logic=name)
        proof = derivation(whole, logic=name)
        assert (proof is not None) == holds, (whole, name)
        if proof is not None:
            found += 1
            assert check(expand(proof)).right


@each([rule for rule in RULES.values() if rule.frame], ["a", "b", "c"], MIXED)
def test_each_agent_has_the_axioms_of_their_logic(rule: Rule, agent: str, name: str) -> None:
    meaning = (("a", (agent,)), ("G", ("a", "b")), ("H", (agent,)))
    instance = filled(rule.text.partition(";")[0], meaning).conclusion.substitute({"φ": f.Atom("p")})
    logic = logic_named(name)
    assert not check(Proof(logic, (Line(instance, rule.name),))).right or valid(instance, logic=logic)
    assert (derivation(instance, logic=logic) is not None) == valid(instance, logic=logic)


def test_the_action_rule_needs_a_premise_for_each_event() -> None:
    lines = """
        p -> [a!p](p -> p)             Red
        K_a (p -> [a!p](p -> p))       Nec 1
        p -> p                         PL
        C_{a,b} (p -> p)               Nec 3
        [private:nothing](p -> p) & [private:nothing]C_{a,b} (p -> p)         Red 3, 4
        K_b ([private:nothing](p -> p) & [private:nothing]C_{a,b} (p -> p))   Nec 5
        [a!p]C_{a,b} (p -> p)          Ind@ 2, 6
    """
    proof = read_proof("action private = [a!p]\n" + lines, logic="K")
    assert check(proof).right
    last = replace(proof.lines[-1], refs=(2,))
    assert check(Proof(proof.logic, (*proof.lines[:-1], last))).line == 7
