"""Reading formulas: every spelling, the precedence of operators, and the errors for mistakes."""

import re
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kripke_werewolf import FormulaError, FormulaSyntaxError, parse
from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.formulas import Act, Announce, Atom, Box, Diamond, Formula, K
from tests import strategies
from tests.cases import cases, each
from tests.reference import formulas as reference

p, q, r = Atom("p"), Atom("q"), Atom("r")
a, b = "a", "b"


@cases(
    (["p", "(p)", " p ", "((p))", "\tp\n"], p),
    (["wolf_2", "wolf_{2}", "wolf_{ 2 }", r"\mathit{wolf}_{2}", r"\mathit{wolf}_2", '"wolf_2"',
      r"\text{wolf\_2}", r"\mathrm{wolf}_{2}"], Atom("wolf_2")),
    (["false", "⊥", r"\bot"], f.FALSE),
    (["~p", "¬p", "!p", "-p", "∼p", "not p", r"\neg p", r"\lnot p", r"\sim p", "~ p", "not(p)"], ~p),
    (["p & q", "p && q", "p ∧ q", "p and q", r"p \wedge q", r"p \land q", "p&q"], p & q),
    (["p | q", "p || q", "p ∨ q", "p or q", r"p \vee q", r"p \lor q"], p | q),
    (["p ^ q", "p ⊕ q", "p xor q", r"p \oplus q"], p ^ q),
    (["p -> q", "p => q", "p → q", "p ⇒ q", "p ⊃ q", "p implies q", r"p \to q", r"p \rightarrow q",
      r"p \Rightarrow q", r"p \implies q", r"p \supset q"], p >> q),
    (["p <-> q", "p <=> q", "p ↔ q", "p ⇔ q", "p ≡ q", "p iff q", r"p \leftrightarrow q",
      r"p \Leftrightarrow q", r"p \iff q", r"p \equiv q"], p.iff(q)),
    (["exactly(2; p, q, r)", r"\mathsf{exactly}(2; p, q, r)"], f.exactly(2, p, q, r)),
    (["atleast(1; p, q)"], f.atleast(1, p, q)),
    (["oneof(p, q)", "exactly(1; p, q)"], f.oneof(p, q)),
    (["count(p, q) >= 1", "count (p, q) ≥ 1", r"count\left(p, q\right) \geq 1"], f.atleast(1, p, q)),
    (["count(p, q) >= count(~p)", "atleast(1; p, q, ~~p)"], f.atleast(1, p, q, ~~p)),
    (["count & p"], Atom("count") & p),
    (["K_a p", "K_{a} p", "K_{ a } p", "□_a p", r"\Box_a p", "[]_a p", "a knows that p",
      'K_"a" p', r"K_{\text{a}} p", r"K_{\mathit{a}} p", "K_a(p)", "a  knows\tthat p"], K(a, p)),
    (["K_2 p", "K_{2} p", "2 knows that p"], K(2, p)),
    (["B_a p", "B_{a} p", r"\mathbf{B}_a p", 'B_"a" p'], f.B(a, p)),
    (["K_{Mary Ann} p", 'K_"Mary Ann" p', 'K_{"Mary Ann"} p', r"K_{\text{Mary Ann}} p",
      '"Mary Ann" knows that p'], K("Mary Ann", p)),
    (["M_a p", "◇_a p", "<>_a p", r"\Diamond_a p", r"\hat K_a p", r"\hat{K}_{a} p",
      r"\hat{ K }_a p"], f.M(a, p)),
    (["Kw_a p", "a knows whether p", r"\mathit{Kw}_{a} p"], f.Kw(a, p)),
    (["E_{a,b} p", "E_{b, a} p", r"E_{\{a,b\}} p"], f.E([a, b], p)),
    (["C_{a,b} p", "C_{ a , b } p", r"C_{\{ a, b \}} p"], f.C([a, b], p)),
    (["C_a p", "C_{a} p", "C_{a,a} p"], f.C(a, p)),
    (["Cw_{a,b} p", r"\mathit{Cw}_{a,b} p"], f.CommonWhether([a, b], p)),
    (["D_{a,b} p"], f.D([a, b], p)),
    (["Dw_{a,b} p", r"\mathit{Dw}_{a,b} p"], f.DistributedWhether([a, b], p)),
    (["C_{\"a,b\", c} p"], f.C(["a,b", "c"], p)),
    (["[!p]q", "[! p ] q", r"\left[!p\right]q", "[!(p)](q)"], Box(Announce(p), q)),
    (["<!p>q", "⟨!p⟩q", r"\langle !p \rangle q"], Diamond(Announce(p), q)),
    (["[?!p]q", "[? ! p]q"], Box(Announce(p, None, True), q)),
    (["[a,b!p]q", "[b, a ! p]q"], Box(Announce(p, (a, b)), q)),
    (["[1,2!p]q"], Box(Announce(p, ("1", "2")), q)),
    (["[a,b?!p]q"], Box(Announce(p, (a, b), True), q)),
    (["<a?!p>q"], Diamond(Announce(p, (a,), True), q)),
    (["[!!p]q"], Box(Announce(~p), q)),
    (["[show]p", '["show"]p'], Box(Act("show"), p)),
    (["<show>p"], Diamond(Act("show"), p)),
    (["[show:e]p", "[show : e]p"], Box(Act("show", "e"), p)),
    (["[show:2]p"], Box(Act("show", "2"), p)),
    (["everywhere p", r"\mathsf{everywhere} p"], f.Everywhere(p)),
    (["P_a(p) >= 2/3", "P_a(p) ≥ 2/3", r"P_{a}(p) \geq 2/3"], f.P(a, p) >= Fraction(2, 3)),
    (["2/3 <= P_a(p)", "-P_a(p) <= -2/3"], Fraction(2, 3) - f.P(a, p) <= 0),
    (["P_a(p) > 0.5", "P_a(p) > 1/2"], f.P(a, p) > Fraction(1, 2)),
    (["P_a(p) <= 1", "P_a(p) ≤ 1", r"P_a(p) \leq 1"], f.P(a, p) <= 1),
    (["P_a(p) = 1"], f.P(a, p) == 1),
    (["P_a(p) != 1", "P_a(p) ≠ 1", r"P_a(p) \neq 1"], f.P(a, p) != 1),
    (["P_a(p) + P_a(q) >= 1"], f.P(a, p) + f.P(a, q) >= 1),
    (["2*P_a(p) - 1/2·P_b(q) < -1", r"2 \cdot P_a(p) - 1/2 \cdot P_b(q) < -1"],
     2 * f.P(a, p) - Fraction(1, 2) * f.P(b, q) < -1),
    (["-P_a(p) + 1 >= 0", "-P_a(p) >= -1"], -f.P(a, p) >= -1),
    (["P_a(p) >= P_b(p)", "P_a(p) - P_b(p) >= 0"], f.P(a, p) >= f.P(b, p)),
    (["forall p, q. p", "∀p,q.p", r"\forall p, q. p"], f.Forall(["p", "q"], p)),
    (["exists p. p", "∃p. p", r"\exists p. p"], f.Exists("p", p)),
    (["Kv_a(x)", "Kv_{a}(x)", r"\mathit{Kv}_{a}(x)"], f.Kv(a, "x")),
    (['"12"', r"\text{12}"], Atom("12")),
    (['"not"', r"\text{not}"], Atom("not")),
    (["p''"], Atom("p''")),
    (["$p & q$", " $$ p & q $$ "], p & q),
    (["φ", r"\phi", r"\varphi"], Atom("φ")),
    (["ψ_1", r"\psi_1", r"\psi_{1}", r"\psi_{ 1 }"], Atom("ψ_1")),
    (["χ'", r"\chi'"], Atom("χ'")),
    (["K_a φ", "K_aφ", r"K_a\phi", "K_{a}φ"], K(a, "φ")),
    (["K_α φ", "K_{α}φ"], K("α", "φ")),
    (["-p & q", "(-p) & q"], ~p & q),
    ([r"p \quad \wedge \, q", r"\left( p \wedge q \right)"], p & q),
)  # fmt: skip
def test_spellings(spellings: list[str], formula: Formula) -> None:
    for text in spellings:
        assert parse(text) is formula, text


@cases(
    ("~p & q", "(~p) & q"),
    ("K_a p & q", "(K_a p) & q"),
    ("[!p]q & r", "([!p]q) & r"),
    ("everywhere p & q", "(everywhere p) & q"),
    ("forall p. p & q", "(forall p. p) & q"),
    ("[!p & q]r", "[!(p & q)]r"),
    ("p | q & r", "p | (q & r)"),
    ("p ^ q & r", "p ^ (q & r)"),
    ("p ^ q | r", "(p ^ q) | r"),
    ("p | q -> r", "(p | q) -> r"),
    ("p -> q -> r", "p -> (q -> r)"),
    ("p <-> q <-> r", "(p <-> q) <-> r"),
)
def test_precedence(short: str, long: str) -> None:
    assert parse(short) is parse(long)


def test_chains_are_one_operator() -> None:
    assert parse("p & q & r").children == (p, q, r)
    assert parse("p | q | r").children == (p, q, r)
    assert parse("p ^ q ^ r").children == (p, q, r)
    assert parse("p & (q & r)").children == (p, q & r)


@cases(
    ("p)", 1, "the end"),
    ("p | ~Mq & Kq", 5, "M_a"),
    ("□p", 0, "K_a"),
    ("p <- q", 2, "an operator"),
    ("[!p q", 4, "']'"),
    ("[p & q]r", 3, "']'"),
    ("exactly(2, p)", 9, "';'"),
    ("P_a(p) >= 1 >= 0", 12, "an operator"),
    ("forall p & q. p", 9, "'.'"),
    ("Kv_a(p & q)", 7, "')'"),
    ("a knows p", 2, "an operator"),
    ("$p$ & $q$", 0, "a formula"),
    ('"p', 0, "a formula"),
)
def test_mistakes_are_shown_at_their_place(text: str, position: int, expected: str) -> None:
    with pytest.raises(FormulaSyntaxError) as caught:
        parse(text)
    error = caught.value
    assert error.text == text
    assert error.position == position
    assert any(e.startswith(expected) for e in error.expected), error.expected
    assert expected in str(error)


@cases(
    ("p & C_{a,} p", 4, "a name is missing"),
    ("P_{a,b}(p) > 0", 0, "one agent expected"),
    (r'p | "\q"', 4, "is not quoted"),
    ("P_a(p) > 1/00", 9, "a division by zero"),
    ("exactly(1.5; p)", 8, "exactly needs a whole number"),
    ("[1/2!p]q", 1, "a name or a whole number expected"),
)
def test_words_that_mean_nothing(text: str, position: int, reason: str) -> None:
    with pytest.raises(FormulaSyntaxError) as caught:
        parse(text)
    assert caught.value.position == position
    assert reason in str(caught.value)


@cases(
    ("Kp -> p", "K_a p -> p"),
    ("K(p -> q) -> (K p -> K q)", "K_a (p -> q) -> (K_a p -> K_a q)"),
    ("□(□p -> p) -> []p", "K_a (K_a p -> p) -> K_a p"),
    (r"\Box p \to \Diamond p & \hat Kp & \hat{K} p", "K_a p -> M_a p & M_a p & M_a p"),
    ("~K~p & K[!p]q & K<!p>q & Kw p", "~K_a ~p & K_a [!p]q & K_a <!p>q & Kw_a p"),
    ("Kφ & MKψ_1 & Bq' & Kp_2", "K_a φ & M_a K_a ψ_1 & B_a q' & K_a p_2"),
    (r"$K\phi \to \phi$", "K_a φ -> φ"),
    ("Cp -> Dp & \\hat C p", "C_{a,b} p -> D_{a,b} p & Cm_{a,b} p"),
    ("C p -> K_c p & K_d p", "C_{c,d} p -> K_c p & K_d p"),
)
def test_operators_without_an_index(bare: str, full: str) -> None:
    assert parse(bare, agents=()) is parse(full)


def test_operators_without_an_index_are_about_the_agents_given() -> None:
    assert parse("K p & Cq", agents=["Ann"]) is parse("K_Ann p & C_Ann q")
    assert parse("C p -> K_d p", agents=("a", "b", "c")) is parse("C_{a,b,c} p -> K_d p")
    for text, agents in [("K p", ("a", "b")), ("Kp & C p", ()), ("K p & K_a K_b p", ())]:
        with pytest.raises(FormulaSyntaxError, match="K needs an index, for there are several agents: a, b"):
            parse(text, agents=agents)


@each(["K", "~K", "K & C", "(E)", "[K]p", "forall K. K", "K knows that K", "K | D -> M"])
def test_letters_without_an_operand_are_names(text: str) -> None:
    assert parse(str(parse(text))) is parse(text)
    assert parse(text).atoms <= {"K", "C", "E", "D", "M", "p"}


def test_names_that_look_like_operators_are_quoted() -> None:
    for name in ("Kp", "KKp", "Cq_1", "Mφ", "Dr''"):
        assert str(Atom(name)) == f'"{name}"'
        assert parse(str(Atom(name))) is parse(Atom(name).latex()) is Atom(name)
    for name in ("Ka", "Kpq", "Keep", "Mr_Smith", "kp", "Pp"):
        assert str(Atom(name)) == name
    assert parse("Mr knows that p") is K("Mr", "p")
    assert str(K("aφ", "p")) == "K_{aφ} p"


@each([">=", ">", "<=", "<", "=", "!="])
def test_counts_are_compared(relation: str) -> None:
    names = ["p", "q", "r", "s"]
    compares = f.Probability.comparisons[relation].holds
    for left in range(1, 4):
        for right in (names[left:], 0, 2):
            text = right if isinstance(right, int) else f"count({', '.join(right)})"
            asked = parse(f"count({', '.join(names[:left])}) {relation} {text}")
            for values in product((False, True), repeat=len(names)):
                true = {name for name, value in zip(names, values, strict=True) if value}
                number = right if isinstance(right, int) else len(true & {*right})
                there = asked.substitute({name: f.Constant(name in true) for name in names})
                assert f.simplify(there) is f.Constant(compares(len(true & {*names[:left]}), number))


@each(["count(p)", "count(p) > p", "count(p) > 1.5", "count() > 1"])
def test_a_count_is_compared_with_a_whole_number_or_another(text: str) -> None:
    with pytest.raises(FormulaSyntaxError):
        parse(text)


def test_groups_go_by_name() -> None:
    groups = {"G": ["a", "b"], "H": ["b", "c"]}
    assert parse("C_G p -> E_{H,d} p & D_{a} q", groups=groups) is parse("C_{a,b} p -> E_{b,c,d} p & D_a q")
    assert parse("C_G p") is f.C("G", p)
    with pytest.raises(FormulaSyntaxError, match="one agent expected, not the group a, b"):
        parse("K_G p", groups=groups)
    with pytest.raises(FormulaError, match="a group needs at least one agent"):
        parse("C_G p", groups={"G": []})


def test_the_caret_stands_under_the_mistake() -> None:
    with pytest.raises(FormulaSyntaxError) as caught:
        parse("p &\n\tq ∧ é (r\nand s")
    assert str(caught.value).splitlines() == [
        'cannot read the formula at line 2, column 8: unexpected "("; '
        "expected an operator (& ^ | -> <->) or 'knows that' or 'knows whether' or the end",
        "  \tq ∧ é (r",
        "  \t      ^",
    ]


def test_only_the_neighbourhood_of_a_mistake_in_a_long_line_is_shown() -> None:
    with pytest.raises(FormulaSyntaxError) as caught:
        parse("p & " * 100 + "$" + " & p" * 100)
    _, line, caret = str(caught.value).splitlines()
    assert len(line) < 110
    assert line.startswith("  …")
    assert line.endswith("…")
    assert line[caret.index("^")] == "$"


# --- against the grammar ---------------------------------------------------------------------------

WORDS = [
    *("p", "q", "wolf_2", "wolf_{Mary Ann}", '"2nd floor"', r"\mathit{wolf}_{4}", "12", "1/2", "0.5"),
    *("true", "⊥", "~", "¬", "not", "&", "∧", "and", "|", "or", "^", "->", "→", "implies", "<->", "iff"),
    *("K_a", "B_{a}", r"\hat K_a", r"\hat{K}_{a}", "Kw_a", "E_{a,b}", "Ew_{a, b}", "Sk_a", "Em_a"),
    *(r"\hat{C}_{a,b}", "C_{a,b}", "Cw_a", "D_{a,b}", "Dm_{a,b}", "Kv_a(", "P_a(", "P_{b}("),
    *("a knows that", "2 knows whether", "everywhere", "somewhere", "forall p.", "∃ p, q."),
    *("[!", "[?!", "[a!", "[a, b?!", "<!", "⟨a!", "]", ">", "⟩", "[act]", "[act:e]", "<act>"),
    *("(", ")", "(", ")", "exactly(1;", "atleast(", "oneof(", "count(", ";", ",", ".", ":", "!"),
    *(">=", "≥", "<", "=", "!=", "*", r"\cdot", "+", "-", "knows", "that", "_", "P", "K", "\\left("),
    *("K", "C", "Kw", "D", "□", "[]", "<>", r"\Box", r"\hat K", "Kp", "KMq_1", "Cφ", "Kp'", "Kpq", "K_aφ"),
    *("=>", "<=>", "&&", "||", "-", "∼", "⊃", r"\iff", r"\phi", r"\psi_{1}", "φ", "$", "K_a\\phi"),
]


@settings(max_examples=settings.default.max_examples * 6)
@given(st.data())
def test_every_text_is_read_as_the_grammar_says(data: st.DataObject) -> None:
    if data.draw(st.booleans()):
        formula = data.draw(
            strategies.formulas(max_depth=4, variables=["x"], actions=[Act("act"), Act("act", "e")])
        )
        notation = data.draw(st.sampled_from([str, Formula.unicode, Formula.latex]))
        words = re.split(r"(?<= )", notation(formula))
        for _ in range(data.draw(st.integers(0, 2))):
            place = data.draw(st.integers(0, len(words)))
            words[place : place + data.draw(st.integers(0, 1))] = [data.draw(st.sampled_from(WORDS)) + " "]
        text = "".join(words)
    else:
        words = st.one_of(st.sampled_from(WORDS), st.text(max_size=2))
        text = " ".join(data.draw(st.lists(words, max_size=12)))
    try:
        expected = reference.read(text)
    except Exception:
        with pytest.raises(FormulaSyntaxError) as caught:
            parse(text, agents=[reference.AGENT])
        assert 0 <= caught.value.position <= len(text)
    else:
        assert parse(text, agents=[reference.AGENT]) is expected


def test_an_assignment_alone_is_no_formula() -> None:
    with pytest.raises(FormulaSyntaxError, match=r"column 3: an assignment is an action: kw\.assign"):
        parse("p := q")
