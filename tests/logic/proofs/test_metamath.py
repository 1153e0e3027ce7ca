"""Files for Metamath: their statements are fixed here, and the program itself must accept them."""

import re
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kripke_werewolf.base.errors import FormulaError, Undecided
from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.deciding import valid
from kripke_werewolf.logic.formulas import Formula, parse
from kripke_werewolf.logic.formulas.logics import Logic, logic_named
from kripke_werewolf.logic.formulas.syntax import all_operators
from kripke_werewolf.logic.proofs import DERIVED, RULES, Line, Proof, derivation, expand, system, tautologies
from kripke_werewolf.logic.proofs.abbreviations import unabbreviated
from kripke_werewolf.logic.proofs.checker import _flaw_of_step
from kripke_werewolf.logic.semantics import ActionModel, Event
from tests.cases import cases, each
from tests.reference.metamath.database import prelude_text
from tests.reference.metamath.export import primitive_file, to_metamath
from tests.reference.metamath.program import INSTALLED, accepts, axioms, statements, verdict, written
from tests.reference.metamath.tautology import is_tautology
from tests.strategies import formulas
from tests.theorems import LOGICS

pytestmark = pytest.mark.skipif(not INSTALLED, reason="the program metamath is not installed here")


def proof(
    logic: str, *lines: tuple[str | Formula, str] | tuple[str | Formula, str, tuple[int, ...]]
) -> Proof:
    read = (Line(g if isinstance(g, Formula) else parse(g), *reason) for g, *reason in lines)
    return Proof(logic_named(logic), tuple(read))


def goal(text: str) -> str:
    """Return the conclusion of a file: its last statement."""
    label, (kind, symbols) = list(statements(text).items())[-1]
    assert (label, kind) == ("proof.goal", "$p")
    return symbols


# --- the program, and the prelude ------------------------------------------------------------------


def test_metamath_is_judged_by_what_it_says() -> None:
    text = primitive_file(proof("T", ("K_a p -> p", "T"))).text
    assert accepts(text)
    for good, bad in (
        ("$= ( line.1 ) A $.", "$= ? $."),
        ("$= ( line.1 ) A $.", "$= ( line.2 ) A $."),
        ("proof.goal $p |- ( K_ a p -> p )", "proof.goal $p |- ( p -> K_ a p )"),
        ("ruleT.1 $a |- ( K_ A1 ph -> ph )", "ruleT.1 $a |- ( ph -> K_ A1 ph )"),
    ):
        assert text.count(good) == 1
        assert not accepts(text.replace(good, bad)), verdict(text.replace(good, bad))


def test_the_prelude_states_modus_ponens_alone() -> None:
    assert accepts(prelude_text())
    assert axioms(prelude_text()) == ["|- ( ph -> ps ) => |- ph => |- ps"]


# --- tautologies -----------------------------------------------------------------------------------


def test_tautologies_are_cited_as_they_are_written() -> None:
    tried = {"p & q -> p | q", "p ^ p <-> ~true", "exactly(1; p, q) <-> p ^ q", "atleast(0; p)"}
    kinds = {type(node) for text in tried for node in parse(text).subformulas()}
    assert kinds >= {
        kind for kind in all_operators() if kind.pointwise and kind.__module__.startswith("kripke")
    }
    for text in tried:
        file = primitive_file(proof("K", (text, "Taut"))).text
        assert accepts(file), text
        assert axioms(file, after=prelude_text()) == [f"|- {written(parse(text))}"]
    for text in ("p | q -> p & q", "exactly(1; p, q, r) -> p ^ q", "atmost(1; p, q) -> ~atleast(1; p, q)"):
        assert not accepts(primitive_file(proof("K", (text, "Taut"))).text), text


@given(formulas(modal=False, quantifiers=False, dynamic=False, everywhere=False))
def test_tautologies_are_those_of_the_library(g: Formula) -> None:
    assert is_tautology(g) == tautologies.is_tautology(g)


# --- the axioms of the systems ---------------------------------------------------------------------

GROUP = "{ A1 , A2 }"
MIXED = "a: T, b: KD45, others: K"
FIXED = [  # a rule, premises and a conclusion, and what the file should say of it
    ("MP", "p -> q, p", "q", ""),
    ("K", "", "K_b (p -> q) -> (K_b p -> K_b q)", "|- ( K_ A1 ( ph -> ps ) -> ( K_ A1 ph -> K_ A1 ps ) )"),
    (
        "K", "", "D_{a,b} (p -> q) -> (D_{a,b} p -> D_{a,b} q)",
        f"|- ( D_ {GROUP} ( ph -> ps ) -> ( D_ {GROUP} ph -> D_ {GROUP} ps ) )",
    ),
    (
        "K", "", "everywhere (p -> q) -> (everywhere p -> everywhere q)",
        "|- ( everywhere ( ph -> ps ) -> ( everywhere ph -> everywhere ps ) )",
    ),
    ("Nec", "p", "K_b p", "|- ph => |- K_ A1 ph"),
    ("Nec", "p", "everywhere p", "|- ph => |- everywhere ph"),
    ("T", "", "K_b p -> p", "|- ( K_ A1 ph -> ph )"),
    ("T", "", "D_{a,b} p -> p", f"|- ( D_ {GROUP} ph -> ph )"),
    ("D", "", "~K_b false", "|- ~ K_ A1 false"),
    ("4", "", "K_b p -> K_b K_b p", "|- ( K_ A1 ph -> K_ A1 K_ A1 ph )"),
    ("4", "", "D_{a,b} p -> D_{a,b} D_{a,b} p", f"|- ( D_ {GROUP} ph -> D_ {GROUP} D_ {GROUP} ph )"),
    ("5", "", "~K_b p -> K_b ~K_b p", "|- ( ~ K_ A1 ph -> K_ A1 ~ K_ A1 ph )"),
    ("5", "", "~D_{a,b} p -> D_{a,b} ~D_{a,b} p", f"|- ( ~ D_ {GROUP} ph -> D_ {GROUP} ~ D_ {GROUP} ph )"),
    (
        "Mix", "", "C_{a,b} p <-> E_{a,b} (p & C_{a,b} p)",
        f"|- ( C_ {GROUP} ph <-> ( K_ A1 ( ph & C_ {GROUP} ph ) & K_ A2 ( ph & C_ {GROUP} ph ) ) )",
    ),
    ("Mix", "", "C_{b} p <-> K_b (p & C_{b} p)", "|- ( C_ { A1 } ph <-> K_ A1 ( ph & C_ { A1 } ph ) )"),
    (
        "Ind", "q -> E_{a,b} (p & q)", "q -> C_{a,b} p",
        f"|- ( ch -> ( K_ A1 ( ph & ch ) & K_ A2 ( ph & ch ) ) ) => |- ( ch -> C_ {GROUP} ph )",
    ),
    (
        "Mix", "", "C_{a,b}^{q} p <-> E_{a,b} (q -> p & C_{a,b}^{q} p)",
        f"|- ( C^_ {GROUP} ( ps , ph ) <-> ( K_ A1 ( ps -> ( ph & C^_ {GROUP} ( ps , ph ) ) ) "
        f"& K_ A2 ( ps -> ( ph & C^_ {GROUP} ( ps , ph ) ) ) ) )",
    ),
    (
        "Ind", "q -> E_{a,b} (r -> p & q)", "q -> C_{a,b}^{r} p",
        "|- ( ch -> ( K_ A1 ( ph1 -> ( ph2 & ch ) ) & K_ A2 ( ph1 -> ( ph2 & ch ) ) ) ) "
        f"=> |- ( ch -> C^_ {GROUP} ( ph1 , ph2 ) )",
    ),
    ("T_H", "", "K_b (D_{a,b} p -> p)", "|- K_ b ( D_ { a , b } ph -> ph )"),
    ("D+", "", "D_{a} p -> D_{a,b} p", f"|- ( K_ A1 ph -> D_ {GROUP} ph )"),
    ("D+", "", "K_b p -> D_{a,b} p", f"|- ( K_ A2 ph -> D_ {GROUP} ph )"),
    ("D+", "", "D_{a,b} p -> D_{a,b,c} p", f"|- ( D_ {GROUP} ph -> D_ {{ A1 , A2 , A3 }} ph )"),
    ("T_U", "", "everywhere p -> p", "|- ( everywhere ph -> ph )"),
    (
        "5_U", "", "~everywhere p -> everywhere ~everywhere p",
        "|- ( ~ everywhere ph -> everywhere ~ everywhere ph )",
    ),
    ("U", "", "everywhere p -> K_b p", "|- ( everywhere ph -> K_ A1 ph )"),
    ("!p", "", "[!K_a q]p <-> (K_a q -> p)", "|- ( [! ph ] P <-> ( ph -> P ) )"),
    ("!B", "", "[!p]~q <-> (p -> ~[!p]q)", "|- ( [! ph ] ~ ps <-> ( ph -> ~ [! ph ] ps ) )"),
    (
        "!B", "", "[!p](q & r) <-> [!p]q & [!p]r",
        "|- ( [! ph ] ( ps1 & ps2 ) <-> ( [! ph ] ps1 & [! ph ] ps2 ) )",
    ),
    (
        "!B", "", "[!p](q ^ r) <-> (p -> ([!p]q ^ [!p]r))",
        "|- ( [! ph ] ( ps1 ^ ps2 ) <-> ( ph -> ( [! ph ] ps1 ^ [! ph ] ps2 ) ) )",
    ),
    ("!B", "", "[!p]true <-> true", "|- ( [! ph ] true <-> true )"),
    (
        "!B", "", "[!p]exactly(1; q, r) <-> (p -> exactly(1; [!p]q, [!p]r))",
        "|- ( [! ph ] exactly ( S 0 , ps1 , ps2 ) <-> "
        "( ph -> exactly ( S 0 , [! ph ] ps1 , [! ph ] ps2 ) ) )",
    ),
    ("!K", "", "[!p]K_b q <-> (p -> K_b [!p]q)", "|- ( [! ph ] K_ A1 ps <-> ( ph -> K_ A1 [! ph ] ps ) )"),
    (
        "!D", "", "[!p]D_{a,b} q <-> (p -> D_{a,b} [!p]q)",
        f"|- ( [! ph ] D_ {GROUP} ps <-> ( ph -> D_ {GROUP} [! ph ] ps ) )",
    ),
    (
        "!U", "", "[!p]everywhere q <-> (p -> everywhere [!p]q)",
        "|- ( [! ph ] everywhere ps <-> ( ph -> everywhere [! ph ] ps ) )",
    ),
    ("!!", "", "[!p][!q]r <-> [!(p & [!p]q)]r", "|- ( [! ph ] [! ps ] ch <-> [! ( ph & [! ph ] ps ) ] ch )"),
    ("!true", "", "[!true]p <-> p", "|- ( [! true ] ph <-> ph )"),
    (
        "!=", "", "everywhere (p <-> q) -> ([!p]r <-> [!q]r)",
        "|- ( everywhere ( ph <-> ps ) -> ( [! ph ] ch <-> [! ps ] ch ) )",
    ),
    ("Nec!", "p", "[!q]p", "|- ph => |- [! ps ] ph"),
    ("RE!", "p <-> q", "[!p]r <-> [!q]r", "|- ( ph <-> ps ) => |- ( [! ph ] ch <-> [! ps ] ch )"),
    (
        "Ind!", "q & p -> E_{a,b} (p -> q & [!p]r)", "q -> [!p]C_{a,b} r",
        "|- ( ( ch & ph ) -> ( K_ A1 ( ph -> ( ch & [! ph ] ps ) ) & K_ A2 ( ph -> ( ch & [! ph ] ps ) ) ) )"
        f" => |- ( ch -> [! ph ] C_ {GROUP} ps )",
    ),
]  # fmt: skip


def logic_with(rule: str) -> str:
    named = [*LOGICS.values(), logic_named(MIXED)]
    return next(logic.name for logic in named if rule in [r.name for r in system(logic)])


@each(FIXED)
def test_axioms_are_printed_from_their_declarations(
    rule: str, premises: str, conclusion: str, expected: str
) -> None:
    assumed = [(text, "Taut") for text in premises.split(", ") if text]  # they are none, and stay unproved
    number = len(assumed) + 1
    last = conclusion, rule, tuple(range(1, number))
    text = primitive_file(proof(logic_with(rule), *assumed, last)).text
    assert axioms(text, after=prelude_text()) == [expected] * (expected != "")
    label, _ = list(statements(text).items())[-2]
    assert label == f"line.{number}"
    assert f" line.{number}\n" not in verdict(text)  # not among those that are not proved
    assert goal(text) == f"|- {written(unabbreviated(parse(conclusion)))}"


def test_every_axiom_is_fixed_here() -> None:
    assert {rule for rule, *_ in FIXED} | {"Taut"} == {name for name in RULES if "@" not in name}


# the agent reads whether p and may change q to it; the other one sees only that something happens
READ = ActionModel(
    {"yes": Event("p", {"q": "p | r"}), "no": Event("~p")},
    {"a": [("yes", "yes"), ("no", "no")], "b": [("yes", "yes"), ("yes", "no"), ("no", "yes"), ("no", "no")]},
    ["yes"],
    name="read",
)


@cases(
    ("@p", "[read:yes]q <-> (p -> p | r)", "|- ( [ read:yes ] q <-> ( p -> ( p | r ) ) )"),
    (
        "@B", "[read:yes]~s <-> (p -> ~[read:yes]s)",
        "|- ( [ read:yes ] ~ ps <-> ( p -> ~ [ read:yes ] ps ) )",
    ),
    (
        "@K", "[read:yes]K_a s <-> (p -> K_a [read:yes]s)",
        "|- ( [ read:yes ] K_ a ps <-> ( p -> K_ a [ read:yes ] ps ) )",
    ),
    (
        "@K", "[read:yes]K_b s <-> (p -> K_b [read:yes]s & K_b [read:no]s)",
        "|- ( [ read:yes ] K_ b ps <-> ( p -> ( K_ b [ read:yes ] ps & K_ b [ read:no ] ps ) ) )",
    ),
    (
        "@U", "[read:yes]everywhere s <-> (p -> everywhere [read:yes]s & everywhere [read:no]s)",
        "|- ( [ read:yes ] everywhere ps <-> "
        "( p -> ( everywhere [ read:yes ] ps & everywhere [ read:no ] ps ) ) )",
    ),
)  # fmt: skip
def test_axioms_of_an_action(rule: str, conclusion: str, expected: str) -> None:
    text = primitive_file(proof("K", (parse(conclusion).bind(read=READ), rule))).text
    assert accepts(text)
    assert axioms(text, after=prelude_text()) == [expected]


# --- derivations -----------------------------------------------------------------------------------


def schemas_of_derived_axioms() -> list[tuple[str, str, frozenset[str]]]:
    """Return the derived axioms for some agents and formulas, and the frames that they need."""
    values = {"φ": "p & ~K_b q", "ψ": "K_a p"}
    found = []
    for derived in (rule for rules in DERIVED.values() for rule in rules):
        text = derived.text.replace("_G", "_{a,b}")
        if not set("⊢…;") & set(text) and not derived.name.startswith("Mix"):
            found.append((derived.name, str(parse(text).substitute(values)), derived.frames))
    return found


@pytest.mark.slow
def test_derived_axioms_are_accepted_in_each_logic_that_has_them() -> None:
    for rule, text, frames in schemas_of_derived_axioms():
        tried = [logic for logic in LOGICS.values() if frames <= set(logic.properties)]
        assert tried, text
        for logic in tried:
            file = to_metamath(Proof(logic, (Line(parse(text), rule),)))
            assert goal(file.text).split(maxsplit=1)[1] == written(unabbreviated(parse(text)))
            assert accepts(file.text), (logic, text)


def test_a_step_that_an_update_does_not_keep_sound_is_not_proved() -> None:
    # nobody who hears something false can go on believing consistently
    for logic, rule in ("KD", "D"), ("KD45", "D"), ("T", "D"):
        lines = expand(proof(logic, ("~K_a false", rule))).lines
        announced = Line(parse("[!p]~K_a false"), "Nec!", (len(lines),))
        text = primitive_file(Proof(LOGICS[logic], (*lines, announced))).text
        assert accepts(text) == (logic == "T")
        assert goal(text).startswith("|-D" if logic != "T" else "|- ")
    # who has not heard it can be wrong about it, after all
    alone = parse("[b!p](K_a q -> q)")
    told = Line(unabbreviated(alone), "Nec@", (1,))
    assert not accepts(primitive_file(Proof(LOGICS["S5"], (Line(alone.body, "T"), told))).text)


DECIDED = formulas(conditions=False, atoms=("p", "q"), probability=False, quantifiers=False)


@st.composite
def theorems(draw: st.DrawFn) -> tuple[Formula, Logic]:
    """Draw a formula and a logic in which it is valid, but not by its connectives alone."""
    logic = draw(st.sampled_from(list(LOGICS.values())))
    parts = draw(st.lists(DECIDED, min_size=4, max_size=4, unique=True))
    for g, h in [*permutations(parts, 2), *((g, f.Knows("a", g)) for g in parts)]:
        with suppress(FormulaError, Undecided):
            if valid(g >> h, logic=logic, limit=20_000) and not tautologies.is_tautology(g >> h):
                return g >> h, logic
    return (parts[0] >> parts[1]) >> (f.Knows("a", parts[0]) >> f.Knows("a", parts[0] | parts[1])), logic


@pytest.mark.slow
@given(theorems())
def test_derivations_of_random_theorems_are_accepted(theorem: tuple[Formula, Logic]) -> None:
    goal_formula, logic = theorem
    try:
        found = derivation(goal_formula, logic=logic, limit=200_000)
        assert found is not None
        text = to_metamath(found).text
    except (FormulaError, Undecided):
        return  # common knowledge after an action, too long a search, a tautology of too many letters
    assert accepts(text), found
    known = {axiom for *_, axiom in FIXED} | {"|- ph => |- ph", "|- ( ph -> ps ) => |- ph => |- ps"}
    for axiom in axioms(re.sub(r"taut\.\d+ \$a", "", text), after=prelude_text()):
        fixed = re.sub(r"\|-\S+", "|-", axiom)
        # those of actions, of groups of one and of all connectives are too many to list
        unlisted = r"\[ |\{ A1 \}|ps[123]|ph \] (true|false|~|exactly|at)|^\|- \( (.+) -> \2 \)$"
        assert fixed in known or re.search(unlisted, fixed), axiom


def test_a_letter_in_an_action_stays_what_it_is() -> None:
    lines = ("[a!φ]~q <-> (φ -> ~[a!φ]q)", "@B"), ("[a!φ]~q <-> (r -> ~[a!φ]q)", "@B")
    good, bad = (Proof(LOGICS["K"], (Line(unabbreviated(parse(text)), rule),)) for text, rule in lines)
    text = primitive_file(good).text
    assert accepts(text)
    assert axioms(text, after=prelude_text()) == [
        "|- ( [ private:told ] ~ ps <-> ( %CF%86 -> ~ [ private:told ] ps ) )"
    ]
    assert right(good)
    assert not right(bad)
    assert not accepts(primitive_file(bad).text)


# --- mutants ---------------------------------------------------------------------------------------


def right(found: Proof) -> bool:
    """Return whether our checker accepts every line as a primitive step."""
    depends: list[frozenset[str]] = []
    lines = [replace(line, formula=unabbreviated(line.formula)) for line in found.lines]
    return all(_flaw_of_step(found.logic, lines, n, depends) is None for n in range(1, len(lines) + 1))


@st.composite
def formula_mutants(draw: st.DrawFn, whole: Formula) -> Formula:
    """Draw a formula with one of its parts changed, wherever the part occurs."""
    chosen = draw(st.sampled_from(list(whole.subformulas())))
    other: list[Formula] = [f.Not(chosen), f.Knows("a", chosen), f.Atom("q"), *chosen.children]
    match chosen:
        case f.And() | f.Or():
            other += [f.Or(*chosen.children), f.And(*chosen.children), f.And(*reversed(chosen.children))]
        case f.Implies(left, right) | f.Iff(left, right):
            other += [right >> left, left.iff(right), left & right, left >> ~right]
        case f.Knows(_, body):
            other += [f.Knows("b", body), f.Knows("a", body), f.Distributed("a", body)]
        case f.Common(_, body):
            other += [f.Common("a", body), f.Knows("a", body), f.Distributed("ab", body)]
        case f.Box(f.Announce(content), body):
            other += [f.Box(f.Announce(body), content), f.Box(f.Announce(~content), body), content >> body]
    new = draw(st.sampled_from(other))
    return whole.rewrite(lambda node: new if node is chosen else node)


@st.composite
def mutants(draw: st.DrawFn, source: Proof) -> Proof:
    """Draw a derivation with one change: in a formula, a rule, a reference, or the order of lines."""
    lines = list(source.lines)
    number = draw(st.integers(0, len(lines) - 1))
    line = lines[number]
    match draw(st.sampled_from(["formula", "formula", "rule", "refs", "swap", "logic"])):
        case "formula":
            lines[number] = replace(line, formula=draw(formula_mutants(line.formula)))
        case "rule":
            lines[number] = replace(line, rule=draw(st.sampled_from(list(RULES))))
        case "refs":
            refs = st.lists(st.integers(1, len(lines)), max_size=2).map(tuple)
            lines[number] = replace(line, refs=draw(st.permutations(line.refs).map(tuple) | refs))
        case "swap":
            other = draw(st.integers(0, len(lines) - 1))
            lines[number], lines[other] = lines[other], line
        case "logic":
            return Proof(draw(st.sampled_from([*LOGICS.values(), logic_named(MIXED)])), source.lines)
    return Proof(source.logic, tuple(lines))


@cache
def sources() -> list[Proof]:
    """Return derivations in primitive steps, with every axiom and rule among them."""
    found = [
        expand(Proof(logic, (Line(parse(text), rule),)))
        for rule, text, frames in schemas_of_derived_axioms()
        for logic in LOGICS.values()
        if frames <= set(logic.properties)
    ]
    found += [expand(proof(logic, *lines)) for lines in LINES for logic in ("K4", "KD45")]
    for text, logic in product(UPDATES, [*LOGICS, MIXED]):
        derived = derivation(text, logic=logic)
        found += [expand(derived)] if derived is not None else []
    return found


LINES = [
    [("K_a p -> K_a K_a p", "4"), ("[!q](K_a p -> K_a K_a p)", "Nec", (1,))],
    [("everywhere p -> K_a p", "U")],
    [("~everywhere p -> everywhere ~everywhere p", "5_U")],
    [("[a!p]q <-> (p -> q)", "@p")],
    [("p <-> ~~p", "PL"), ("[!p]C_{a,b} q <-> [!~~p]C_{a,b} q", "RE", (1,))],
]
UPDATES = [
    "[!p]C_{a,b} p",
    "[!p][!q]K_a r -> [!(p & [!p]q)]K_a r",
    "[!p]K_a q & p -> K_a [!p](q | r)",
    "[!p](p & D_{a,b} p | ~p & everywhere p)",
    "[a!p](K_a p & (q -> q)) & [a!p](K_b q -> K_b q)",
    "everywhere p -> [b?!p](K_b p & everywhere p)",
    "[!p]everywhere q & p -> [!p](everywhere q & everywhere (q | r))",
    "[b?!p]D_{a,b} q -> [b?!p]D_{a,b} (q | r)",
    "[?!p]C_{a,b} Kw_a p",
    "[a!p]K_b q <-> (p -> K_b q)",
    "[a!p][!q]C_{a,b} (p & q) -> [a!p][!q]C_{a,b} q",
    "[a!p]C_{a,b}^{q} p -> [a!p]K_a (q -> p)",
    "K_b (D_{a,b} p -> p)",
    "C_{a,b} p -> p",
]


@pytest.mark.slow
def test_the_sources_of_mutants_have_all_rules() -> None:
    assert {line.rule for source in sources() for line in source.lines} == set(RULES)
    for source in sources()[::5]:
        assert right(source)
        assert accepts(primitive_file(source).text)


@given(st.data())
def test_our_checker_and_metamath_agree_on_mutants(data: st.DataObject) -> None:
    mutant = data.draw(mutants(data.draw(st.sampled_from(sources()))))
    accepted = accepts(primitive_file(mutant).text)
    assert accepted == right(mutant)
    if accepted:
        assert valid(mutant.conclusion, logic=mutant.logic)
