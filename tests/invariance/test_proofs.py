"""What derivations and sheets must not depend on, and what no model may refute."""

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kripke_werewolf import ActionModel, Event, Formula, FormulaError, KripkeError, Undecided, parse, valid
from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.proofs import DERIVED, RULES, Line, Proof, check, derivation, read_proof
from kripke_werewolf.logic.proofs.abbreviations import unabbreviated
from kripke_werewolf.logic.proofs.systems import reduced_once
from kripke_werewolf.logic.semantics.bits import BitSpace, Rows
from tests.reference.metamath import INSTALLED, accepts, to_metamath
from tests.strategies import closed, with_every_operator
from tests.theorems import LOGICS, theorems

AGENTS, ATOMS = "abc", "pqr"
seeds = st.integers(0, 2**32)


# --- small models, and formulas with something in every position ------------------------------------


def space(rng: Random, logic: str) -> BitSpace:
    """Return a random model of a logic with at most three worlds, fast to evaluate in."""
    n = rng.choice([1, 2, 2, 3, 3, 3])
    relations = {}
    for agent in AGENTS:
        pairs = closed([(rng.randrange(n), rng.randrange(n)) for _ in range(rng.randrange(4))], n, logic)
        relations[agent] = Rows.of_sights([sum(1 << v for w, v in pairs if w == x) for x in range(n)])
    return BitSpace.numbered(2**n - 1, relations, {atom: rng.randrange(2**n) for atom in ATOMS})


def refuted(formula: Formula, rng: Random, logic: str, number: int) -> bool:
    """Return whether a formula is false at some world of some of `number` random models of a logic."""
    spaces = (space(rng, logic) for _ in range(number))
    return any(there.truth(formula) != there.all for there in spaces)


POSITIONS = [
    *("[!g]K_a q", "[?!g]K_a q", "[a!g]K_b q", "[a?!g]K_b q", "<?!g>M_b q", "<a!g>q", "[!p][!g]q"),
    *("[!p]g", "[?!p]g", "<?!p>g", "[a!p]g", "[a?!p]g", "[a,b?!p]g", "K_a [?!p]g", "[?!p](g & [!q]g)"),
    *("[?!p][!g]q", "[?!p][?!g]q", "<?!p>[a!g]K_b q", "[?!p][a?!g]K_b q", "E_{a,b} g & C_{a,b} g"),
    *("[?!p][if]false", "<?!p>[if]false", "[?!p][set]q", "[?!p][inside]q", "K_a [?!p]<if:f>true"),
    *("[a?!p][if:f]false", "[a!p][set]K_b q", "[if]K_a q", "[set]K_a q", "[if][?!p][set]q", "[a,b!p][if]q"),
]
"""Formulas with g as a part, in an announcement, in conditions and changes, and in nested actions."""


def placed(text: str, g: Formula) -> Formula:
    """Return the formula of a position with g in it."""

    def action(name: str, event: Event) -> ActionModel:
        other = Event(f.Atom("r"))
        loops = {agent: [("f", "f"), ("h", "h"), ("f", "h")] for agent in "bc"}
        return ActionModel(
            {"f": event, "h": other}, {"a": [("f", "f"), ("h", "h")], **loops}, ["f"], name=name
        )

    conditional = action("if", Event(g))
    actions = {
        "if": conditional,
        "set": action("set", Event(post={"q": g})),
        "inside": action("inside", Event(f.Box(f.Act("if", None, conditional), f.FALSE))),
    }
    return parse(text).substitute({"g": g}).bind(**actions)


OPERATORS = [
    *with_every_operator(f.Atom("q")),
    *map(parse, ("p ^ q", "exactly(1; p, q)", "forall r. (q & r)", "[!p]M_a q", "<a?!q>K_b p", "P_a(q) > 0")),
]


# --- abbreviations, axioms, rules -------------------------------------------------------------------


@pytest.mark.parametrize("text", POSITIONS)
@settings(max_examples=3)
@given(seeds)
def test_abbreviations_and_reduction_axioms_hold_with_every_operator_in_every_position(
    text: str, seed: int
) -> None:
    rng = Random(seed)
    model = space(rng, "K")
    for operator in OPERATORS:
        formula = placed(text, operator)
        try:
            written = unabbreviated(formula)
        except FormulaError:  # quantifiers over atoms of an action
            continue
        claims = [f.Iff(formula, written)]
        claims += [
            found[1] for g in written.subformulas() if isinstance(g, f.Box) and (found := reduced_once(g))
        ]
        for claim in claims:
            assert model.truth(claim) == model.all, claim


def lines_of(formula: Formula, logic: str, rules: tuple[str, ...]) -> Iterator[Proof]:
    """Yield derivations of one line by the rules of which one might give it."""
    yield from (Proof(LOGICS[logic], (Line(formula, rule),)) for rule in rules)


def candidate(rng: Random) -> tuple[Formula, str, tuple[str, ...]]:
    """Return a formula that a line might derive, a logic, and the rules for it."""
    logic = rng.choice(list(LOGICS))
    if rng.random() < 0.5:
        text = rng.choice([x for x in POSITIONS if x.startswith("[?!p]")])
        whole, inside = placed(text, rng.choice(OPERATORS)), text.removeprefix("[?!p]")
        split = f.And(*(placed(f"[!{p}]{inside}", rng.choice(OPERATORS)) for p in ("p", "~p")))
        if rng.random() < 0.8:
            split = f.And(*(f.Box(f.Announce(p), whole.children[-1]) for p in (f.Atom("p"), ~f.Atom("p"))))
        return f.Iff(whole, split), logic, ("PL", "Def", "Red")
    names = [x for x in (*RULES.values(), *(r for rules in DERIVED.values() for r in rules)) if axiom(x.text)]
    rule = rng.choice(names)
    forms = rule.text.replace("D_H", "D_{a,b,c}").replace("_G", "_{a,b}").split("; ")
    form = rng.choice([form for form in forms if "pre(" not in form])
    parts = {x: placed(rng.choice(POSITIONS), rng.choice(OPERATORS)) for x in "φψχθ"}
    found = parse(form).substitute(parts)
    if rng.random() < 0.5:
        node = rng.choice([g for g in found.subformulas() if len(g.children) == 2 and not g.label] or [found])
        found = found.rewrite(lambda g: g.with_children(reversed(g.children)) if g is node else g)
    return found, logic, (rule.name,)


def axiom(text: str) -> bool:
    """Return whether a rule is an axiom whose forms are formulas."""
    return not any(sign in text for sign in ("⊢", "U,e", "and so on", "tautology"))


@settings(max_examples=50)
@given(seeds)
def test_what_the_checker_accepts_is_refuted_by_no_model(seed: int) -> None:
    rng = Random(seed)
    formula, logic, rules = candidate(rng)
    if any(check(proof).right for proof in lines_of(formula, logic, rules)):
        assert not refuted(formula, rng, logic, 60), formula


@pytest.mark.skipif(not INSTALLED, reason="the program metamath is not installed here")
@settings(max_examples=8)
@given(seeds)
def test_what_metamath_accepts_is_refuted_by_no_model(seed: int) -> None:
    rng = Random(seed)
    formula, logic, rules = candidate(rng)
    for proof in lines_of(formula, logic, rules):
        try:
            text = to_metamath(proof).text
        except KripkeError:  # not accepted, or an operator without axioms
            continue
        assert not accepts(text) or not refuted(formula, rng, logic, 200), formula


UPDATED = ["[!χ]", "<!χ>", "[?!χ]", "<?!χ>", "[a!χ]", "[a?!χ]", "[b?!χ]", "[!p]", "[?!p]", "[!χ][?!p]", ""]
BODIES = ["φ", "K_a φ", "everywhere φ", "~φ", "(φ & ψ)", "K_a p", "(K_a φ -> φ)"]


@settings(max_examples=50)
@given(seeds)
def test_a_schema_that_is_accepted_has_no_false_instance(seed: int) -> None:
    rng = Random(seed)
    one, other = rng.choice(UPDATED), rng.choice(BODIES)
    left = rng.choice([f"{one}{other}", f"K_a {one}φ"])
    right = rng.choice([f"[!χ]{other} & [!~χ]{other}", f"[!p]{other} & [!~p]{other}", f"χ -> {other}",
                        other, f"{rng.choice(UPDATED)}{other}", left])  # fmt: skip
    schema, logic = parse(f"({left}) {rng.choice(['<->', '->'])} ({right})"), rng.choice(list(LOGICS))
    try:
        accepted = valid(schema, logic=logic)
    except (FormulaError, Undecided):
        accepted = False
    if accepted or any(check(proof).right for proof in lines_of(schema, logic, ("PL", "Def", "Red"))):
        for _ in range(5):
            instance = schema.substitute(
                {x: placed(rng.choice(["g", *POSITIONS]), rng.choice(OPERATORS)) for x in "φψχ"}
            )
            assert not refuted(instance, rng, logic, 15), (schema, instance)


def test_an_action_that_nothing_describes_is_in_no_derivation() -> None:
    inside = ActionModel({"f": Event(parse("[unknown]p"))}, {"a": [("f", "f")]}, ["f"], name="W")
    for text in (
        "[unknown]p -> [unknown]p",
        "K_a <unknown>p | true",
        "[!<unknown:e>p]q -> true",
        "[W]p -> true",
    ):
        found = check(Proof(LOGICS["S5"], (Line(parse(text).bind(W=inside), "PL"),)))
        assert not found.right
        assert "unknown action 'unknown'" in found.reason
    truth = parse("K_a ~K_b p -> ~K_b p")
    lines = Line(truth, "T"), Line(f.Box(f.Act("unknown"), truth), "Nec@", (1,))
    assert check(Proof(LOGICS["S5"], lines)).line == 2


# --- the notation of a derivation -------------------------------------------------------------------


@cache
def derivations() -> tuple[Proof, ...]:
    """Return derivations of random formulas of several lines."""
    found = (derivation(formula, logic=logic) for formula, logic, _ in theorems(24, Random(3), depth=2))
    return tuple(proof for proof in found if proof is not None and len(proof) > 1)


def rewritten(proof: Proof, rng: Random) -> str:
    """Return the text of a derivation with other spacing, numbering, brackets and order of lines."""
    order, left = list[int](), list(range(1, len(proof) + 1))
    while left:
        ready = [n for n in left if set(proof.lines[n - 1].refs) <= set(order)]
        order.append(rng.choice(ready))
        left.remove(order[-1])
    place = {old: new for new, old in enumerate(order, 1)}
    numbered, gap = rng.choice(["{}. ", "({}) ", "{}) ", ""]), rng.choice(["  ", "\t", " " * 7])
    rows = [f"logic: {proof.logic}"]
    for new, old in enumerate(order, 1):
        line = proof.lines[old - 1]
        refs = rng.choice([", ", ",", " "]).join(str(place[n]) for n in line.refs)
        formula = rng.choice([str, Formula.unicode])(line.formula)
        formula = rng.choice(["{}", "({})", "(({}))"]).format(formula.replace(" ", rng.choice([" ", " "])))
        rows.append(f"{numbered.format(new)}{formula}{gap}{line.rule} {refs}".rstrip())
    return "\n".join(rows)


@given(seeds)
def test_the_verdict_on_a_derivation_does_not_depend_on_its_notation(seed: int) -> None:
    rng = Random(seed)
    proof = rng.choice(derivations())
    lines = list(proof.lines)
    if rng.random() < 0.5:  # a mistake
        n = rng.randrange(len(lines))
        lines[n] = Line(rng.choice(lines).formula, lines[n].rule, lines[n].refs)
    changed = Proof(proof.logic, tuple(lines))
    right = check(changed).right
    assert check(read_proof(rewritten(changed, rng))).right == right
    names = dict(zip("abpq", ("Zoë", "agent_7", "wolf_2", "s1"), strict=True))
    renamed = [
        Line(line.formula.rename(agents=lambda x: names.get(x, x), atoms=lambda x: names.get(x, x)),
             line.rule, line.refs)
        for line in lines
    ]  # fmt: skip
    assert check(Proof(proof.logic, tuple(renamed))).right == right
