"""The proof desk: premises, judged lines, hints that finish, undo, and what cannot be read."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kripke_werewolf import LOGICS, FormatError, FormulaError, parse, valid
from kripke_werewolf.logic.proofs import Line, Proof, check, expand, read_proof
from kripke_werewolf.logic.proofs.desk import Desk, read_desk
from kripke_werewolf.logic.proofs.script import implication
from tests.cases import cases, each

PRIMITIVE = ["Taut", "MP", "K", "Nec", "T", "D", "4", "5", "Mix", "Ind", "!p", "!B", "!K", "Ind!"]
ONLY = f"rules: {', '.join(PRIMITIVE)}\n"
GOALS = [
    ("K", "K_a p, K_a (p -> q) ⊢ K_a q"),
    ("K", "K_a p | K_a q -> K_a (p | q)"),
    ("K", "M_a (p | q) <-> M_a p | M_a q"),
    ("T", "p -> M_a p"),
    ("S4", "K_a p ⊢ K_a (K_a p | q)"),
    ("KD45", "K_a ~K_a p | K_a K_a p"),
    ("S5", "p ⊢ K_a M_a p"),
    ("K", "C_{a,b} p, C_{a,b} q ⊢ C_{a,b} (p & q)"),
    ("S5", "[!p]K_a p"),
    ("S5", "[!p]C_{a,b} p"),
]


def finished(desk: Desk, most: int = 60) -> Desk:
    """Follow hints until the goal is derived."""
    for _ in range(most):
        if desk.done:
            return desk
        hint = desk.hint()
        assert hint.row, (desk.text, hint)
        desk = desk.typed(hint.row)
        assert desk.judged[-1].right, (desk.text, desk.judged[-1])
    raise AssertionError(f"hints do not end:\n{desk.text}")


@pytest.mark.parametrize("rules", ["", pytest.param(ONLY, marks=pytest.mark.slow)], ids=["all", "primitive"])
def test_hints_finish_from_the_beginning_and_from_the_middle(rules: str) -> None:
    for logic, asked in GOALS:
        whole = finished(read_desk(f"logic: {logic}\nshow: {asked}\n{rules}"))
        sheet = whole.sheet
        assert not rules or {line.rule for line in sheet.lines} <= {*PRIMITIVE, "given"}
        proof = replace(sheet, goal=None, rules=())
        assert check(proof).right, asked
        assert valid(implication(sheet.premises, sheet.goal), logic=logic)
        assert check(expand(proof)).right
        assert f"logic: {logic}\n" in whole.text
        assert read_desk(whole.text) == whole
        beginning = whole
        for _ in range(1 + len(whole.rows) // 2):
            beginning = beginning.undo()
        assert finished(beginning).done, asked


def test_hints_use_the_lines_there_are() -> None:
    desk = read_desk("logic: K\nshow: K_a (p & q) -> K_a (q & p)").typed("p & q -> q & p   PL")
    assert desk.hint().row == "K_a (p & q) -> K_a (q & p)   RK 1"
    given = ("q -> r   given", "p -> q   given")
    desk = read_desk("show: p, p -> q, q -> r ⊢ r\nrules: MP").typed(given[0]).typed(given[1])
    assert finished(desk).rows == (*given, "p   given", "q   MP 2, 3", "r   MP 1, 4")


NUMBERED = ["1 p -> p   PL", "(1) p -> p   PL", "1. p -> p   PL", "1: p -> p   PL", "p -> p   PL"]


@pytest.mark.parametrize("row", NUMBERED)
def test_a_row_may_be_typed_with_its_number(row: str) -> None:
    desk = read_desk("logic: K\nshow: p -> p")
    assert desk.typed(row).rows == ("p -> p   PL",)
    assert desk.typed(row).done


@cases(
    ("2. p -> p   PL", "expected line 1, got 2"),
    ("a. p -> p   PL", "here 1, not a letter"),
    ("(b) p -> p   PL", "here 1, not a letter"),
    ("p -> M_a p   T◇", "did you mean `PL` from a line by the axiom itself"),
)
def test_a_row_with_another_number_or_name_is_refused(row: str, said: str) -> None:
    with pytest.raises(FormatError, match=re.escape(said)):
        read_desk("logic: T\nshow: p -> p").typed(row)


def test_one_who_is_named_as_several_is_doubted_where_a_row_is_wrong() -> None:
    desk = read_desk("logic: S5\nshow: C_{a,b} p -> p").typed("C_{ab} p -> C_{a,b} p   PL")
    assert desk.judged[0].reason.endswith("ab is read as one agent; did you mean {a,b}?")
    assert "one agent" not in desk.typed("C_{a,b} p -> q   PL").judged[0].reason


def test_a_hint_says_why_there_is_no_way() -> None:
    assert "not valid in S4" in read_desk("logic: S4\nshow: p ⊢ K_a p").hint().why
    assert "K_a" in read_desk("logic: K\nshow: K_a p -> p").hint().why
    only = read_desk("logic: K\nshow: K_a (p | ~p)\nrules: K, MP")
    assert "by these rules alone" in only.hint().why
    wrong = only.typed("K_a p -> p   K").hint().why
    assert wrong.startswith("the formula is not valid in K")
    other = read_desk("logic: T\nshow: q").typed("p -> K_a p   T").hint()
    assert other.why == "T gives K_a p -> p: the other direction"


# --- premises --------------------------------------------------------------------------------------

FORMULAS = [
    parse(text)
    for text in (
        "p", "q", "p -> q", "K_a p", "K_a (p -> q)", "K_a q", "K_a p -> K_a q", "p & q", "p <-> q",
        "K_a p <-> K_a q", "K_b K_a p", "[!p]q", "p -> [!p]q", "[!q]K_a p",
    )
]  # fmt: skip
RULES = ["given", "PL", "MP", "Nec", "RK", "RE", "Red", "K", "T", "Nec!", "Ind", "RK4"]


@st.composite
def _proofs(draw: st.DrawFn) -> Proof:
    """Draw premises, and lines of which each is right."""
    premises = tuple(draw(st.lists(st.sampled_from(FORMULAS), min_size=1, max_size=3, unique=True)))
    logic, lines = LOGICS[draw(st.sampled_from(["K", "S5"]))], list[Line]()
    for premise in premises:
        lines.append(Line(premise, "given"))
    for _ in range(12):
        f, rule = draw(st.sampled_from(FORMULAS)), draw(st.sampled_from(RULES))
        refs = tuple(draw(st.lists(st.integers(1, len(lines)), max_size=2)))
        if check(Proof(logic, (*lines, Line(f, rule, refs)), premises)).right:
            lines.append(Line(f, rule, refs))
    return Proof(logic, tuple(lines), premises)


@given(_proofs())
def test_what_is_derived_from_premises_follows_from_them(proof: Proof) -> None:
    for line in proof.lines:
        assert valid(implication(proof.premises, line.formula), logic=proof.logic), (str(proof), line)
    assert check(expand(proof)).right
    assert not expand(proof).premises
    assert read_proof(str(proof)) == proof


@cases(
    ("given: p\n1. p   given\n2. K_a p   Nec 1", "no premise, and line 1 rests on p, which is true here"),
    ("given: p\n1. p -> p   PL\n2. K_a p -> K_a p   RK 1", ""),
    ("given: p\n1. p   given\n2. q -> p   PL 1\n3. K_a q -> K_a p   RK 2", "line 2 rests on p"),
    ("given: p <-> q\n1. p <-> q   given\n2. K_a p <-> K_a q   RE 1", "it needs a line"),
    ("given: K_a p\n1. K_a p   given\n2. p <-> ~~p   PL\n3. K_a ~~p   RE 2, 1", ""),
    ("given: p\n1. p   given\n2. [!q]p   Nec! 1", "Nec! needs lines that rest on no premise"),
    ("given: p\ngiven: q\n1. p   given\n2. q   given\n3. p & q   PL 1, 2\n4. p   PL 3", ""),
    ("given: M_a p\n1. ~K_a ~p   given", ""),
)
def test_rules_on_lines_that_rest_on_premises(text: str, reason: str) -> None:
    found = check(read_proof(text))
    assert found.right is not bool(reason)
    assert reason in found.reason


# --- the state machine -----------------------------------------------------------------------------


def _sheets() -> Iterator[Desk]:
    yield read_desk("logic: S4\nshow: K_a p ⊢ K_a (K_a p | q)\nrules: given, 4, Taut, MP, Nec, K")
    yield read_desk("group G = a, b\nshow: C_G p -> K_a p")


@each(list(_sheets()))
def test_undo_and_redo_are_inverse(start: Desk) -> None:
    desk, states = start, [start]
    while not desk.done:
        desk = desk.typed(desk.hint().row)
        states.append(desk)
    for before in reversed(states[:-1]):
        desk = desk.undo()
        assert desk.sheet == before.sheet
        assert read_desk(desk.text).sheet == desk.sheet
    for after in states[1:]:
        desk = desk.redo()
        assert desk.sheet == after.sheet
    assert desk == states[-1]
    with pytest.raises(FormulaError, match="no line was taken back"):
        desk.redo()
    with pytest.raises(FormulaError, match="no line to take back"):
        start.undo()
    assert desk.undo().typed("p -> p   Taut").undone == ()


def test_a_wrong_line_is_marked_and_cannot_be_cited() -> None:
    file = (
        "logic: T\nshow: K_a p -> p | q\n1. p -> K_a p   T\n2. p -> p | q   Taut\n3. K_a p -> p | q   PL 1, 2"
    )
    desk = read_desk(file)
    assert [judged.right for judged in desk.judged] == [False, True, False]
    assert desk.judged[2].reason == "it cites line 1, which is wrong"
    assert not desk.done
    mended = desk.typed("K_a p -> p   T").typed("K_a p -> p | q   PL 2, 3")
    assert [judged.right for judged in mended.judged] == [False, True, True, True]


def test_only_the_rules_of_the_palette() -> None:
    desk = read_desk("logic: K\nshow: K_a (p | ~p)\nrules: Taut, Nec")
    assert desk.typed("K_a (p | ~p)   RK").judged[0].reason == "RK may not be used here; allowed: Taut, Nec"
    assert finished(desk).rows == ("p | ~p   Taut", "K_a (p | ~p)   Nec 1")
    with pytest.raises(FormatError, match="line 2, column 8"):
        read_desk("show: p\nrules: Magic")


@cases(
    ("K_a p ->", 12),
    ("", None),
    ("<img src=x>   T", None),
    ("p ⊢ q   T", 6),
    ("(" * 3000, None),
    ("3. p -> p   Taut", None),
    ("p   given", 8),
)
def test_rows_that_cannot_be_read(row: str, at: int | None) -> None:
    desk = read_desk("show: p -> p")
    with pytest.raises(FormatError) as error:
        desk.typed(row)
    assert at is None or f"column {at}:" in str(error.value)
    assert len(str(error.value)) < 500


@each(["", "calculus: natural\n"])
def test_a_logic_without_derivations_is_refused(calculus: str) -> None:
    with pytest.raises(FormulaError, match="decided in KB"):
        read_desk(f"{calculus}logic: KB\nshow: p -> p")


def test_hostile_names_come_back_unchanged() -> None:
    long = "x" * 10_000
    for name in (long, '"<img src=x onerror=alert(1)>"', '"a # b"', '"1. p   T"'):
        desk = read_desk(f"show: {name} -> {name}")
        done = desk.typed(f"{name} -> {name}   Taut")
        assert done.done
        assert read_desk(done.text) == done


@each(["K_a p, K_a (p -> q) ⊢ K_a q", "p | q -> q | p"])
def test_natural_deduction_at_the_desk(asked: str) -> None:
    desk = finished(read_desk(f"calculus: natural\nlogic: K\nshow: {asked}"))
    assert read_desk(desk.text) == desk
    assert check(desk.sheet.hilbert()).right
    assert "tabular" in desk.sheet.to_latex()
    wrong = desk.undo().typed("q   ->E 1")
    assert not wrong.judged[-1].right
    assert not wrong.done
    assert wrong.typed(desk.rows[-1]).done
    assert "KI" in desk.palette


def test_a_file_is_right_only_if_it_reaches_its_goal() -> None:
    """Right lines about something else do not derive the goal, nor do no lines at all."""
    for logic, goal in GOALS:
        top = f"logic: {logic}\nshow: {goal}\n"
        for lines in ("", "1. false -> K_a p   Taut\n2. K_b (false -> K_a p)   Nec 1\n"):
            found = check(read_proof(top + lines))
            assert (found.right, found.line) == (False, None)
            assert str(found).startswith("not finished: ")
        assert check(finished(read_desk(top)).sheet).right


@cases(
    ("show: p ⊢ p\nshow: q ⊢ q\n1. p   given", 7, "given twice"),
    ("calculus: fitch\nlogic: K\n1. p -> p   Taut", 1, "expected a line such as 'logic: K'"),
)
def test_declarations_that_mislead(text: str, column: int, message: str) -> None:
    with pytest.raises(FormatError, match=message) as error:
        read_proof(text)
    assert f"column {column}:" in str(error.value)


@each(["", "rules: MP, Taut\n", "rules: given, MP\n"])
def test_premises_are_in_the_palette(rules: str) -> None:
    """There is `given` in it if there are premises, whether or not it is among the rules that are named."""
    palette = read_desk(f"logic: K\nshow: p, p -> q ⊢ q\n{rules}").palette
    assert palette["given"] == "one of p, p -> q"
    assert "MP" in palette
    assert "given" not in read_desk(f"logic: K\nshow: p -> p\n{rules}").palette
