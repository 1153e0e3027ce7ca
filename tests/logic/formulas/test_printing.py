"""What is printed is read back as the same formula, in every notation and with any names."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kripke_werewolf import Formula, parse
from kripke_werewolf.logic import formulas as f
from tests.cases import cases
from tests.strategies import formulas, with_every_operator

HOSTILE = [
    *("p", "wolf_2", "p'", "0a", "x_", "_", "__", "a_b_c", "Mary Ann", "wolf_Mary Ann", "wolf_ x", "x y_z"),
    *("12", "1.5", "1/2", "٣", "²", "K", "K_a", "Kw_a", "K_a'", "Kw_ a", "P_a", "B_", "M_1 2", "□_a", "E_"),
    *("not", "not'", "true", "true_2", "true_x y", "knows", "knows'x", "iff", "exactly", "oneof_", "forall"),
    *('"', '"quoted"', "a\"b", "\\", "\\q", "a\\", "\\text{x}", "\\mathit{Kw}_{a}"),
    *("{", "}", "{}", "a{b", "a_{b}"),
    *(",", "a,b", "a, b", " a", "a ", " ", "\t", "\n", "a\nb", "\r\n", "\0", "\x7f", "\u2028", "\u00a0"),
    *("🐺", "wolf_🐺", "狼_二", "é", "e\u0301", "~", "^", "~a^", "$%&#", "a%b"),
    *("w_100%", "[!p]", "(", ")", ";", ":"),
    *("p & q", "a!b", "?!", "<", ">", "->", "--", "-1", "+", "/", "*", ".", "a.b", "//", "'", "''", "`"),
]  # fmt: skip
ACTS = [f.Act("show"), f.Act("show", "e"), f.Act("Mary Ann", "1"), f.Act("12", "x y"), f.Act("not", "K_a")]

hostile_name = st.one_of(st.sampled_from(HOSTILE), st.text(min_size=1, max_size=5))
hostile_formula = st.deferred(
    lambda: st.lists(hostile_name, min_size=3, max_size=3).flatmap(
        lambda names: formulas(agents=names, atoms=names, variables=names, actions=ACTS, max_depth=3)
    )
)
everyday_formula = formulas(
    agents=("a", "Bob", "2"), atoms=("p", "wolf_2", "q'"), variables=("x",), actions=ACTS, max_depth=4
)


@settings(max_examples=settings.default.max_examples * 4)
@given(st.one_of(everyday_formula, hostile_formula))
def test_every_notation_is_read_back(formula: Formula) -> None:
    assert parse(str(formula)) is formula
    assert parse(formula.unicode()) is formula
    assert parse(formula.latex()) is formula


@settings(max_examples=settings.default.max_examples * 4)
@given(st.one_of(everyday_formula, hostile_formula))
def test_repr_rebuilds_the_formula(formula: Formula) -> None:
    assert eval(repr(formula), vars(f)) is formula


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_everywhere_a_name_may_stand(name: str) -> None:
    atom = f.Atom(name)
    samples: list[Formula] = [
        atom,
        ~atom & atom,
        f.K(name, atom),
        f.Kw(name, atom),
        f.M(name, atom),
        f.C([name, "a"], atom),
        f.CommonWhether([name], atom),
        f.D(["z", name], atom),
        f.Kv(name, name),
        f.Forall([name, "q"], atom),
        f.Exists(name, atom),
        f.Box(f.Announce(atom, (name,)), atom),
        f.Diamond(f.Announce(atom, ("b", name), True), atom),
        f.Box(f.Act(name), atom),
        f.Diamond(f.Act(name, name), atom),
        f.P(name, atom) - 2 * f.P("b", atom) > Fraction(-1, 3),
        f.exactly(1, atom, f.K(name, atom)),
    ]
    for formula in samples:
        assert parse(str(formula)) is formula
        assert parse(formula.unicode()) is formula
        assert parse(formula.latex()) is formula
        assert eval(repr(formula), vars(f)) is formula


def test_names_like_operators() -> None:
    for formula in with_every_operator(f.Atom("p")):
        head = str(formula).removesuffix("p").strip()
        stem = head.partition("_")[0]
        for atom in map(f.Atom, (head, stem, f"{stem}_a")):
            assert parse(str(atom)) is parse(atom.unicode()) is parse(atom.latex()) is atom


@cases(
    ("p ^ q | r", "p ⊕ q ∨ r", r"p \oplus q \vee r"),
    ("p -> q <-> r", "p → q ↔ r", r"p \to q \leftrightarrow r"),
    ("K_a ~K_b wolf_2", "K_a ¬K_b wolf_2", r"K_{a} \neg K_{b} \mathit{wolf}_{2}"),
    ("M_a p & Kw_b q", "M_a p ∧ Kw_b q", r"\hat{K}_{a} p \wedge \mathit{Kw}_{b} q"),
    ("C_{a,b} (p & q)", "C_{a,b} (p ∧ q)", r"C_{a,b} (p \wedge q)"),
    ("[!p]<a?!q>r", "[!p]⟨a?!q⟩r", r"[!p]\langle a?!q\rangle r"),
    ("[show:e]p", "[show:e]p", r"[\mathit{show}:e]p"),
    ("P_a(p) >= 2/3", "P_a(p) ≥ 2/3", r"P_{a}(p) \geq 2/3"),
    ("-2*P_a(p) - P_b(q) != -1", "-2·P_a(p) - P_b(q) ≠ -1", r"-2 \cdot P_{a}(p) - P_{b}(q) \neq -1"),
    ("Kv_a(x)", "Kv_a(x)", r"\mathit{Kv}_{a}(x)"),
    ('K_{Mary Ann} wolf_{Mary Ann} & "12"', 'K_{Mary Ann} wolf_{Mary Ann} ∧ "12"',
     r"K_{\text{Mary Ann}} \mathit{wolf}_{\text{Mary Ann}} \wedge \text{12}"),
)  # fmt: skip
def test_the_three_notations(text: str, unicode: str, latex: str) -> None:
    formula = parse(text)
    assert str(formula) == text
    assert formula.unicode() == unicode
    assert formula.latex() == latex
    assert formula._repr_latex_() == f"${latex}$"


@cases(
    "p & (q & r)",
    "(p -> q) -> r",
    "~(p & q)",
    "K_a (p -> q)",
    "<!P_a(p) > 1/2>q",
    "[!P_a(p) < 1/2][!~p]q",
    "exactly(0; p & q, r -> p)",
    "P_a(p -> q) = 1",
)
def test_parentheses_stand_where_they_are_needed_and_only_there(text: str) -> None:
    assert str(parse(text)) == text


def test_latex_escapes_what_tex_would_misread() -> None:
    assert f.Atom("100%_$#&~^\\{}").latex() == (
        r"\text{100\%\_\$\#\&\textasciitilde{}\textasciicircum{}\textbackslash{}\{\}}"
    )
