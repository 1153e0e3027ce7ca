"""Derivations as text, the checker's verdicts and hints, and the commands."""

import json
import re
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from kripke_werewolf import ActionModel, Event, Formula, assign, lie, parse, private, public, valid
from kripke_werewolf.base.errors import FormatError, FormulaError, KripkeError, Undecided
from kripke_werewolf.cli.main import cli
from kripke_werewolf.logic.proofs import Line, Proof, check, derivation, expand, fill, hint, read_proof
from kripke_werewolf.logic.proofs.tautologies import follows, is_tautology
from kripke_werewolf.logic.proofs.text import read_with_remarks
from kripke_werewolf.logic.semantics.bits import BitSpace
from tests.cases import cases, each
from tests.running import invoke
from tests.strategies import formulas
from tests.theorems import LOGICS, theorems


def truth_table(premises: list[Formula], conclusion: Formula) -> bool:
    """Return whether a conclusion is true in every row of the truth table where the premises are."""
    atoms = sorted(conclusion.atoms.union(*(f.atoms for f in premises)))
    rows = range(2 ** len(atoms))
    columns = {p: sum((row >> n & 1) << row for row in rows) for n, p in enumerate(atoms)}
    space = BitSpace.numbered((1 << len(rows)) - 1, {}, columns)
    both = space.all
    for f in premises:
        both &= space.truth(f)
    return not both & ~space.truth(conclusion)


@given(
    premises=st.lists(formulas(modal=False, quantifiers=False, dynamic=False, everywhere=False), max_size=3),
    conclusion=formulas(modal=False, quantifiers=False, dynamic=False, everywhere=False),
)
def test_what_follows_is_what_a_truth_table_says(premises, conclusion):
    needed = follows(premises, conclusion)
    assert (needed is not None) == truth_table(premises, conclusion)
    if needed is not None:
        assert truth_table([premises[n] for n in needed], conclusion)


def test_formulas_under_other_operators_are_letters():
    assert is_tautology(parse("K_a p | ~K_a p"))
    assert not is_tautology(parse("K_a (p | ~p)"))
    assert follows([parse("K_a p -> [!p]q"), parse("K_a p")], parse("[!p]q")) == [0, 1]


@each(range(2))
def test_text_and_data_are_read_back(seed):
    for found, name, _ in theorems(12, Random(300 + seed)):
        proof = derivation(found, logic=name)
        assert proof is not None
        assert read_proof(str(proof)) == proof
        json.dumps(proof.to_dict())


def test_actions_are_named_in_text():
    proof = derivation("[a!p]K_b q <-> (p -> K_b q)")
    assert proof is not None
    text = str(proof)
    assert "[private:nothing]q" in text
    assert read_proof(text) == proof
    bare = text.replace("action private = [a!p]\n", "")
    assert not check(read_proof(text.replace("[a!p]", "[b!p]"))).right
    with pytest.raises(FormatError, match="line 2, column 5: unknown action 'private'"):
        read_proof(bare)


@cases(
    ("K_a p -> p T", "K_a p -> p", "T", ()),
    ("1. K_a p -> p\tby t", "K_a p -> p", "T", ()),
    ("~K_a p -> K_a ~K_a p  5", "~K_a p -> K_a ~K_a p", "5", ()),
    (r"K_{a} p \to p   T", "K_a p -> p", "T", ()),
    ("[!p]q <-> (p -> q)   !p  # a comment", "[!p]q <-> (p -> q)", "!p", ()),
)
def test_ways_to_write_a_line(row, formula, rule, refs):
    assert read_proof(row).lines == (Line(parse(formula), rule, refs),)


ACTION = "action show:\n    event e if p:\n    event f:\n    agent a: e -> f\n"


@cases(
    ("", 1, 1, "expected a line such as"),
    ("K_a p -> p   TT", 1, 14, "unknown axiom or rule 'TT'; did you mean"),
    ("p -> p   PL\nK_a (p -> p)   necessitatoin 1", 2, 16, "did you mean 'necessitation'"),
    ("p -> p   PL\nK_a (p -> p)   Nec 2", 2, 20, "line 2 is not above this one; the lines above are 1"),
    ("K_a (p -> p)   Nec 1", 1, 20, "line 1 is not above this one; there is no line above"),
    ("1. p -> p   PL\n3. q -> q   PL", 2, 1, "expected line 2, got 3"),
    ("logic: S6\np -> p   PL", 1, 8, "unknown logic 'S6'"),
    ("p & & q   PL", 1, 5, "expected a formula"),
    # one step by one rule
    ("K_a p -> p   T   p -> p  PL", 1, 18, "write each step on a line of its own"),
    ("p -> p   PL 2. K_a (p -> p)", 1, 13, "write each step on a line of its own"),
    ("p -> p; q -> q   PL", 1, 7, "write each step on a line of its own"),
    ("p -> p   2", 1, 10, "expected a rule and perhaps the numbers of lines, such as 'MP 1, 2', got '2'"),
    ("p -> p   PL, T", 1, 14, "expected one rule for a line, got PL and T"),
    # slips
    ("Kab p -> p T", 1, 5, "did you mean E_{a,b} p -> p?"),
    ("[φ]ψ <-> (φ -> ψ)   !p", 1, 2, "write [!φ] to announce it"),
    ("p ⊢ p   PL", 1, 3, "declare the premise at the top, as in 'given: p'"),
    ("p   assumption", 1, 5, "this derivation has no premises"),
    ("(forall p. φ) -> φ   PL", 1, 1, "no derivation can have this formula: φ stands for any formula"),
    ("Kp & K_a q & K_b q   PL", 1, 1, "expected K_a"),
    # actions
    ("action show = e*: p\np -> p   PL", 1, 15, "expected an announcement to some agents"),
    ("action show: event e if p:\np -> p   PL", 1, 14, "'event NAME if FORMULA: CHANGES' below"),
    ("action show:\np -> p   PL", 1, 13, "expected lines 'event NAME if FORMULA: CHANGES'"),
    ("action show:\n    event e if p\np -> p   PL", 2, 17, "expected ':' after 'event e if p'"),
    ("action show:\n    event e if [tell:x]p:\np -> p   PL", 2, 17, "unknown action 'tell'"),
    ("action show:\n    event e: p = q\np -> p   PL", 2, 14, "expected 'atom := formula'"),
    ("action show:\n  a: e -> e\np -> p   PL", 2, 3, "(event, agent, others, confuses, actual)"),
    (ACTION + "    actual:\np -> p   PL", 1, 1, "at least one event must be designated"),
    (ACTION + ACTION + "p -> p   PL", 5, 1, "the action show is declared twice"),
    (ACTION + "[show:g]p -> p   PL", 5, 7, "unknown event 'g'"),
    ("p -> p   PL\n" + ACTION, 2, 1, "must stand before the lines of the derivation"),
)
def test_errors_name_line_and_column(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read_proof(text, source="homework.txt")
    told = str(error.value)
    assert told.startswith(f"homework.txt, line {line}, column {column}: ")
    assert message in told
    assert told.splitlines()[-1].index("^") == column + 1


def test_the_logic_asked_for_must_be_that_of_the_text():
    assert read_proof("logic: KD45\np -> p   PL").logic is LOGICS["KD45"]
    assert read_proof("p -> p   PL").logic is LOGICS["S5"]
    with pytest.raises(FormatError, match="is in K, and"):
        read_proof("logic: K\np -> p   PL", logic="T")


@cases(
    # text, logic, wrong line, what the reason says, what the hint says
    ("K_a p -> p  T\nK_b p -> K_b K_a p  RK 1", "S5", 2, "would need p -> K_a p", "RK 1 gives K_b K_a p ->"),
    ("K_a p -> p  RK", "S5", 1, "operator such as K_a", "the line is right by T"),
    ("p -> K_a p  T", "S5", 1, "not an instance of T", "T gives K_a p -> p: the other direction"),
    ("K_a p -> K_b K_a p  4", "S4", 1, "not an instance of 4", "4 gives K_a p -> K_a K_a p: another agent"),
    ("K_a p -> p  T", "K", 1, "T is not sound in K, which has", "not valid in K: counter-model"),
    ("(p -> q) -> p   Taut", "S5", 1, "false where p is false", "the formula is not valid in S5"),
    (
        "p & q -> p  PL\nK_a (p & q) -> K_a p  PL 1", "K", 2,
        "alone: the connectives leave it false where K_a (p & q) is true and K_a p is false",
        "the line is right by RK 1",
    ),
    (
        "K_a p -> p  T\nC_{a,b} p -> K_a K_b p  PL 1", "S5", 2,
        "does not follow", "a line to derive first: p & C_{a,b} p -> p   PL",
    ),
    (
        "[a!p]K_b q <-> (p -> K_b [a!p]q)  @K", "S5", 1,
        "did you mean [a!p]K_b q <-> p -> K_b [private:nothing]q?", "not valid",
    ),
    ("K_a p -> p  T\n[b!p](K_a p -> p)  Nec 1", "S5", 2, "is derived for reflexive", "right by Red"),
    ("[a!p]C_{a,b} q -> [a!p]K_b q  Ind@", "S5", 1, "perhaps after ->, not [a!p]K_b q", "derive first"),
    ("C_{a,b} p -> p  Mix", "S5", 1, "not an instance of Mix", "the line is right by T_C"),
    ("logic: T\n~K_a p -> K_a ~K_a p   RK5", "T", 1, "(5) is not sound in T", "not valid"),
    ("Kw_a p -> p   T", "S5", 1, "did you mean K_a p -> p?", "not valid"),
    ("K_b ~p -> K_b ~K_b p   5", "S5", 1, "did you mean ~K_b p -> K_b ~K_b p?", ""),
    ("p -> p", "K", 1, "it cites no rule", "the line is right by PL"),
    ("E_{a,b} p -> K_a p   Def", "K", 1, "it follows by PL, not by Def", "the line is right by PL"),
    ("p -> p  PL\n[!p]p  !p 1", "S5", 2, "give it a row of its own, and then cite both rows by PL", "Red"),
)  # fmt: skip
def test_the_first_wrong_line_is_named_with_a_reason_and_a_hint(text, logic, line, reason, help_text):
    proof = read_proof(text, logic=logic)
    found = check(proof)
    assert (found.right, found.line) == (False, line)
    assert reason in found.reason
    assert help_text in hint(proof)


def test_a_hint_leads_to_a_derivation():
    lines = ["K_a p -> p   T"]
    goal = "C_{a,b} p -> K_a K_b p"
    for _ in range(12):
        told = hint(read_proof("\n".join([*lines, f"{goal}   PL 1"])))
        if told.startswith("the line is right by "):
            lines.append(f"{goal}   {told.removeprefix('the line is right by ')}")
            break
        lines.append(told.partition("first: ")[2])
    assert check(read_proof("\n".join(lines))).right


@each(range(2))
def test_rules_that_are_left_out_are_filled_in(seed):
    for found, name, _ in theorems(12, Random(400 + seed)):
        proof = derivation(found, logic=name)
        assert proof is not None
        bare = Proof(proof.logic, tuple(Line(line.formula, "") for line in proof.lines))
        filled = fill(bare)
        assert [line.formula for line in filled.lines] == [line.formula for line in proof.lines]
        assert check(filled).right


# --- how students write ------------------------------------------------------------------------------


@cases(
    ("Kp -> p   T", "K_a p -> p"),
    ("agents: c\nKp -> p   T", "K_c p -> p"),
    ("C p -> E p   C->E", "C_{a,b} p -> E_{a,b} p"),
    ("group G = {a, b}\nlogic: K\nC_G p -> K_a p   C->K", "C_{a,b} p -> K_a p"),
    ("1. ⊢ K_a p -> p   T", "K_a p -> p"),
    (r"\vdash_{S5} K_a p -> p   T", "K_a p -> p"),
    (r"1. $\vdash K_a(p\to q)\to(K_a p\to K_a q)$   (K)", "K_a (p -> q) -> (K_a p -> K_a q)"),
    ("1. & K_a p \\to p & (T) \\\\", "K_a p -> p"),
    ("valid in S5\nread as K_a p -> p\n\nlogic: S5\n1. K_a p -> p   T", "K_a p -> p"),
    ("K_a p -> p   (T, since what is known, given some evidence, is true)", "K_a p -> p"),
    ("(p) -> (p)   PL\n(b) -> p -> b   PL", "b -> p -> b"),
    ("p -> p  PL\n(p -> p) -> (q -> q)  PL\nq -> q  by modus ponens from 2 and 1", "q -> q"),
)
def test_notation_is_read_as_elsewhere(text: str, read: str) -> None:
    proof = read_proof(text)
    assert proof.conclusion is parse(read)
    assert check(proof).right


@cases(
    *("(Nec, 1)", "from 1 by Nec", "1, Nec", "Nec (1)", "Nec: 1", "rule Nec, line 1", "R2 1"),
    "necessitation 1",
)
def test_reasons_in_other_words(reason: str) -> None:
    proof = read_proof(f"K_a p -> p   axiom T\nK_b (K_a p -> p)   {reason}")
    assert proof.lines[1] == Line(parse("K_b (K_a p -> p)"), "Nec", (1,))


def test_a_quantifier_over_what_an_action_assigns_is_no_wrong_line() -> None:
    declared = "action U:\n  event e: p := q\n  others: e -> e\n"
    with pytest.raises(FormatError, match="line 4, column 1: no derivation can have this formula"):
        read_proof(f"{declared}(forall p. [U:e]p) -> q   PL")


def test_groups_must_agree() -> None:
    assert read_proof("C_G p -> K_a p  C->K", groups={"G": ["a", "b"]}).conclusion.agents == {"a", "b"}
    with pytest.raises(FormatError, match="G was declared as a, b"):
        read_proof("group G = b, c\nC_G p -> K_b p  C->K", groups={"G": ["a", "b"]})


@cases(
    ("AKp -> AKp   PL", "did you mean everywhere K_a p?"),
    ("C_G p -> K_G p   C->K", "group G = a, b"),
    ("K_{a b} p -> p   T", "For a group there are E_{a,b}, C_{a,b} and D_{a,b}."),
    ("K p -> p   T\nK_b p -> p   T", "K without an index is about b"),
    ("P_a(p) > 0 -> P_a(p) > 0   PL", "is treated as an atom here"),
)
def test_look_alikes_are_noted(text: str, remark: str) -> None:
    proof, remarks = read_with_remarks(text)
    assert any(remark in said for said in remarks)
    assert read_with_remarks(str(proof).replace("AKp", "p"))[1] == [] or "without" not in remark
    assert read_with_remarks("K_a p -> p   T")[1] == []


TWO_ACTIONS = "([a!p]K_b q <-> (p -> K_b q)) & ([b!p]K_a q <-> (p -> K_a q))"


def test_actions_of_one_name_are_told_apart_in_every_format() -> None:
    proof = derivation(TWO_ACTIONS)
    assert proof is not None
    for written in (str(proof), proof.to_markdown(), proof.to_html(), proof.to_latex()):
        assert "private" in written
        assert "private_2" in written.replace("\\", "")
        assert "[a!p]" in written.replace("\\", "")
    assert read_proof(str(proof)) == proof


SHOW = ActionModel(
    {"told": Event("p", {"q": "p", "r": "forall r, s. r"}), "no 1": "~p", "nothing": Event()},
    {
        "a": [("told", "told"), ("no 1", "no 1"), ("nothing", "nothing")],
        "Mary Ann": [("told", "no 1")],
        "b": [],
    },
    ["told", "no 1"],
    others=[("told", "nothing"), ("nothing", "nothing")],
    name="show",
)
OWN = {
    "show": SHOW,
    "again": SHOW.then(public("q")),
    "look": SHOW.point("nothing"),
    "quiet": private("a", "p").named("quiet"),
    "assign": assign(p="~p & [!q]r"),
    "lie": lie("a", "p"),
}


@cases(
    "[show]K_a (p -> q) -> [show](K_a p -> K_a q)",
    "[show]p & [look]p & [show:told]p -> [look](p | K_{Mary Ann} p)",
    "[quiet]K_a p & [a!p]K_a p",
    "[show](p & r) -> [show]r & ([!p]C_{a,b} q & [!p]C_{a,b} (q -> r) -> [!p]C_{a,b} r)",
    "[assign]q <-> q",
    "[lie]p -> ([again]r -> [lie](p & (q | ~q)))",
)
def test_action_models_of_ones_own_are_described_and_read_back(text: str) -> None:
    proof = derivation(parse(text).bind(**OWN))
    assert proof is not None
    assert check(proof).right
    read = read_proof(str(proof))
    assert check(read).right
    assert str(read) == str(proof)


def test_an_action_is_written_with_all_that_axioms_are_about() -> None:
    proof = derivation(parse("[show]K_a p -> [show]K_a p").bind(show=SHOW))
    assert str(proof).splitlines()[:10] == [
        "logic: S5",
        "action show:",
        "    event told if p: q := p, r := (forall r, s. r)",
        '    event "no 1" if ~p:',
        "    event nothing:",
        '    agent a: told -> told, "no 1" -> "no 1", nothing -> nothing',
        '    agent {Mary Ann}: told -> "no 1"',
        "    agent b:",
        "    others: told -> nothing, nothing -> nothing",
        '    actual: told, "no 1"',
    ]
    assert proof is not None
    assert read_proof(str(proof)) == proof


def test_an_action_may_be_described_by_hand() -> None:
    proof = read_proof(
        """
        agents: a, b     # of K and C without an index
        group G = a, b

        action look:     # a looks, b sees that
            event yes if p:
            # nothing is changed
            event no if ~p:

            agent a: yes -> yes, no -> no
            confuses b: yes no
        action tell:
          event said if [look:yes]K_a p: q := true
          others: said -> said
        K_a p -> p       T
        [tell:said](K_a p -> p)   Nec 1
        [look]C_G q -> [look]C q   PL
        """
    )
    assert check(proof).right
    assert proof.conclusion.agents == {"a", "b"}
    unknown = "action x:\n  event e:\n  agent a: e -> e\nK_b q -> q   T\n[x:e](K_b q -> q)   Nec 1"
    found = check(read_proof(unknown))
    assert (found.right, found.line) == (False, 2)
    assert "unknown agent 'b'" in found.reason


def test_a_line_that_is_not_decided_is_named() -> None:
    hard = " & ".join(f"((p{n} ^ p{n + 1}) ^ p{n + 2})" for n in range(14))
    proof = read_proof(f"p -> p   PL\n{hard} -> ~p0 | ~p1   PL 1")
    told = "line 2: undecided within 300 steps of the search"
    with pytest.raises(Undecided, match=told):
        check(proof, limit=300)
    assert [line.rule for line in fill(proof, limit=300).lines] == ["PL", "PL"]


@each([0, -1, "x", None, True, 1.5])
def test_a_limit_is_a_number_of_steps(limit: object) -> None:
    for search in (derivation, valid):
        with pytest.raises(FormulaError, match="a whole number of at least 1"):
            search("K_a p -> K_a p", limit=limit)  # type: ignore[operator]


# --- the commands ---------------------------------------------------------------------------------


RIGHT = "logic: S5\n1. K_a p -> p   T\n2. K_b (K_a p -> p)   Nec 1\n"


def test_proof_check(tmp_path: Path):
    path = tmp_path / "homework.txt"
    path.write_text(RIGHT, encoding="utf-8")
    done = invoke("proof", "check", path)
    assert done.return_value == 0
    assert done.output == "right: K_b (K_a p -> p) is derived in S5, in 2 lines\n"
    told = json.loads(invoke("proof", "check", path, "--json").output)
    assert (told["right"], told["line"], len(told["proof"]["lines"])) == (True, None, 2)


def test_proof_check_names_the_wrong_line(tmp_path: Path):
    path = tmp_path / "homework.txt"
    path.write_text(RIGHT + "3. K_b p -> p   T\n4. K_a p & K_a (p -> q) -> K_b q   RK\n", encoding="utf-8")
    done = invoke("proof", "check", path)
    assert done.return_value == 1
    assert (
        f"{path}: line 4 is wrong: the rule would need q (no antecedent has the same operator" in done.output
    )
    assert "hint: RK gives K_a p & K_a (p -> q) -> K_a q: another agent" in done.output


def test_files_of_other_systems_are_read(tmp_path: Path) -> None:
    path = tmp_path / "homework.txt"
    path.write_bytes(b"\xef\xbb\xbf" + RIGHT.replace("\n", "\r\n").replace("   ", "\t").encode())
    assert invoke("proof", "check", path).return_value == 0
    done = CliRunner().invoke(cli, ["proof", "check", "-"], input=path.read_bytes())
    assert done.exit_code == 0


def test_proof_expand(tmp_path: Path):
    path = tmp_path / "homework.txt"
    path.write_text("p & q -> p   PL\nK_a (p & q) -> K_a p   RK 1\n", encoding="utf-8")
    done = invoke("proof", "expand", path, "--logic", "K")
    assert done.exit_code == 0
    assert check(read_proof(done.output)).right
    assert read_proof(done.output) == expand(read_proof(path.read_text(encoding="utf-8"), logic="K"))
    path.write_text("p -> q   PL\n", encoding="utf-8")
    assert invoke("proof", "expand", path).return_value == 1


def test_standard_input_groups_and_limits(tmp_path: Path):
    text = "C_G p -> K_a p   C->K\n"
    done = CliRunner().invoke(cli, ["proof", "check", "-", "--group", "G=a,b"], input=text)
    assert (done.exit_code, done.stdout) == (0, "right: C_{a,b} p -> K_a p is derived in S5, in 1 line\n")
    done = CliRunner().invoke(cli, ["proof", "check", "-"], input="p -> ,   T", standalone_mode=False)
    assert str(done.exception).startswith("standard input, line 1, column 6: ")
    done = CliRunner().invoke(cli, ["proof", "check", "-"], input=b"\xff", standalone_mode=False)
    assert "standard input: not valid UTF-8: invalid start byte at byte 0" in str(done.exception)
    path = tmp_path / "homework.txt"
    path.write_text("(p -> q) -> (~q -> ~p)   PL\n", encoding="utf-8")
    for command in ("check", "expand"):
        error = invoke("proof", command, path, "--limit", 1).exception
        assert isinstance(error, Undecided)
        assert str(error).startswith(f"{path}, line 1: undecided within 1 steps")


def test_actions_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "show.txt"
    path.write_text(
        "group G = a, b\naction show:\n  event e if E_G p: q := p\n  others: e -> e\n  actual: e\n",
        encoding="utf-8",
    )
    done = invoke("prove", "[show]K_c q", "--actions", path, "--proof", "--logic", "T")
    assert done.return_value == 0
    assert "    event e if (E_{a,b} p): q := p\n    others: e -> e\n1. " in done.output
    checked = CliRunner().invoke(cli, ["proof", "check", "-"], input=done.output)
    assert (checked.exit_code, checked.stdout[:6]) == (0, "right:")
    told = json.loads(invoke("prove", "[show]K_c q", "--actions", path, "--proof", "--json").stdout)
    assert told["proof"]["actions"] == {"show": "event e if (E_{a,b} p): q := p\nothers: e -> e"}
    for text, options, message in (
        ("[show]q", (), r"write \[!show\] to announce it, or declare it in a file for the option --actions"),
        ("[hide]q", ("--actions", path), r"unknown action 'hide' .* declare it in .*show.txt"),
        ("[show:f]q", ("--actions", path), r"unknown event 'f' \(known: e\)"),
    ):
        with pytest.raises(KripkeError, match=message):
            raise invoke("prove", text, *options).exception or AssertionError
    path.write_text("p -> p   PL\n", encoding="utf-8")
    assert "expected an action, such as" in str(invoke("prove", "[show]q", "--actions", path).exception)


ANY = str(derivation(parse("[show]K_a (p -> q) -> [show](K_a p -> K_a q)").bind(show=SHOW))) + "\n"
SCRAPS = ["[", "]", "(", "{", "}", '"', ":", ":=", "->", "\n", "    ", "#", ",", ";", "action", "event", "if"]
SCRAPS += [*"p1²\0\t\r\u2028⊢T\\φ", "K_a", "others", "logic", "PL 1", ""]


def test_any_text_is_read_or_refused_with_a_place() -> None:
    rng, read, refused = Random(7), 0, []
    for _ in range(150):
        start = rng.randrange(len(ANY))
        text = ANY[:start] + rng.choice(SCRAPS) + ANY[start + rng.choice([0, 1, 5, 30]) :]
        try:
            proof = read_proof(text)
        except FormatError as error:
            refused.append(str(error))
        else:
            read += 1
            assert str(read_proof(str(proof))) == str(proof)
    assert all(re.match(r"proof, line \d+, column \d+: ", said) for said in refused)
    assert min(read, len(refused)) > 10


@each(["text", "markdown", "html", "latex"])
def test_prove_prints_a_derivation(form):
    done = invoke("prove", "K_a p -> K_a K_a p", "--proof", "--format", form)
    assert done.return_value == 0
    assert done.output.startswith("valid in S5\n")
    assert done.output.count("RK 4") == 1
    rows = {"text": "\n", "markdown": "\n| ", "html": "<tr><th", "latex": "\\\\\n"}[form]
    assert done.output.count(rows) >= 6


def test_prove_prints_no_derivation_of_what_is_not_valid():
    done = invoke("prove", "K_a p -> K_b p", "--proof")
    assert done.return_value == 1
    assert "counter-model" in done.output
    told = json.loads(invoke("prove", "K_a p -> p", "--proof", "--json").output)
    assert told["proof"]["lines"] == [{"formula": "K_a p -> p", "rule": "T", "refs": []}]


def test_a_derivation_in_latex_is_read_back() -> None:
    proof = read_proof("K_a p -> p   T\nq -> q   PL\nK_b (q -> q)   Nec 2")
    assert read_proof(proof.to_latex()) == proof
