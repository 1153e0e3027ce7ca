"""SMCDEL text files: read as SMCDEL reads them, answered as it answers, and written."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kripke_werewolf import FormatError, Formula, KripkeModel, ModelError, ModelTooLarge, parse, to_smcdel
from kripke_werewolf.logic.formulas import Exists, Forall
from kripke_werewolf.logic.models.formats import smcdel
from kripke_werewolf.logic.symbolic.smcdel import Answer, read_smcdel
from tests.strategies import formulas, models

CASES = json.loads((Path(__file__).parents[3] / "data" / "smcdel_answers.json").read_text(encoding="utf-8"))[
    "cases"
]
HEAD = "VARS 1,2,3,4\nLAW Top\nOBS a: 1\n b: 2\n"


def sorted_answer(answer: Any) -> Any:
    return answer if isinstance(answer, bool) else sorted(sorted(state) for state in answer)


def read_formula(text: str) -> Formula:
    (query,) = read_smcdel(f"{HEAD}VALID? {text}").queries
    return query.formula


# --- answers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(len(CASES)))
def test_answers_are_those_of_smcdel(number: int) -> None:
    file = read_smcdel(CASES[number]["text"])
    found = [sorted_answer(answer) for answer in file.answers()]
    assert found == [sorted_answer(answer) for answer in CASES[number]["answers"]]


@pytest.mark.parametrize("number", range(len(CASES)))
def test_the_explicit_and_the_symbolic_model_agree(number: int) -> None:
    file = read_smcdel(CASES[number]["text"])
    model, structure = file.model(), file.structure()
    assert len(model) == structure.size
    for query, answer in zip(file.queries, CASES[number]["answers"], strict=True):
        if any(modal_in_quantifier(f) for f in query.formula.subformulas()):
            continue  # `forall p. φ` puts constants for p, so it keeps to the states of the law
        if query.kind == "VALID?":
            assert model.valid(query.formula) is structure.valid(query.formula) is answer
        else:
            wanted = sorted_answer(answer)
            assert states(model.where(query.formula)) == states(structure.where(query.formula)) == wanted


def modal_in_quantifier(f: Formula) -> bool:
    return isinstance(f, Forall | Exists) and bool(f.agents)


def states(found: Any) -> list[list[int]]:
    return sorted(sorted(map(int, state)) for state in found)


LAWFUL = [[1, 2, 3, 4], [1, 2, 4], [1, 4], [2], [2, 3]]


@pytest.mark.parametrize(
    ("query", "where"),
    [
        ("Exists 1 (K alice 1)", LAWFUL),
        ("Exists 1 (K bob 1)", [[1, 4]]),
        ("Forall 1 (Kw bob 2)", LAWFUL),
        ("Exists 2 (K alice (1 -> 2))", [[1, 2, 3, 4], [2], [2, 3]]),
        ("Forall 2 ~K alice 2", [[1, 2, 4], [1, 4]]),
        ("Exists 3 (K bob Bot)", []),
        ("Forall 1 Exists 2 (K alice 1 & 2)", []),
        ("K alice Forall 3 (2 | ~3)", [[1, 2, 3, 4], [2], [2, 3]]),
        ("Exists 4 (~4 & K alice 4)", LAWFUL[:3]),
    ],
)
def test_quantifiers_look_beyond_the_law(query: str, where: list[list[int]]) -> None:
    file = read_smcdel(
        f"VARS 1,2,3,4 LAW (1 | 2) & (3 -> 2) & (4 iff 1) OBS alice: 1,3 bob: 2 WHERE? {query}"
    )
    (answer,) = file.answers()
    assert [list(map(int, state)) for state in sorted_answer(answer)] == where


def test_a_state_outside_the_law_may_be_asked_about() -> None:
    text = "VARS 1,2 LAW 1 & 2 OBS a: 1 TRUE? {} 1 TRUE? {2} 2 TRUE? {} K a Bot TRUE? {1} K a 2 TRUE? {1} 2"
    assert read_smcdel(text).answers() == [False, True, True, True, False]


def test_a_law_that_nothing_satisfies() -> None:
    file = read_smcdel("VARS 1 LAW 1 & ~1 OBS a: 1 VALID? Bot WHERE? Top TRUE? {1} 1")
    assert file.answers() == [True, [], True]
    with pytest.raises(ModelError):
        file.model()


def test_announcements_to_a_group_are_semi_private() -> None:
    head = "VARS 1 LAW Top OBS a: 1 b: c: "
    asked: list[tuple[str, Answer]] = [
        ("TRUE? {1} [b ! 1] K b 1", True),
        ("VALID? [b ! 1] K c (Kw b 1)", True),
        ("VALID? [b ! 1] Kw c 1", False),
        ("WHERE? [b ! 1] Kw c 1", [[]]),
        ("WHERE? <b ! 1> Kw b 1", [[1]]),
        ("VALID? [b ?! 1] Kw b 1", True),
        ("WHERE? <b ?! 1> K b ~1", [[]]),
        ("VALID? [b,c ?! 1] b,c comknow whether 1", True),
        ("VALID? [b ! 1] [c ! 1] b,c comknow that 1", True),
        ("WHERE? [b ! 1] [a ?! 1] b,c comknow that 1", [[]]),
        ("VALID? [?! 1] c knows whether (1, ~1)", True),
    ]
    file = read_smcdel(head + " ".join(query for query, _ in asked))
    assert file.answers() == [answer for _, answer in asked]


def test_a_hundred_muddy_children() -> None:
    n = 100
    children = range(1, n + 1)
    sees = "\n".join(f"c{i}: {','.join(str(j) for j in children if j != i)}" for i in children)
    nobody = f"[!AND({','.join(f'~Kw c{i} {i}' for i in children)})]"
    text = f"VARS {','.join(map(str, children))} LAW OR({','.join(map(str, children))}) OBS {sees}"
    three = "AND(K c1 1, K c2 2, K c3 3)"
    file = read_smcdel(f"{text} TRUE? {{1,2,3}} {nobody} {three} TRUE? {{1,2,3}} {nobody} {nobody} {three}")
    assert file.answers() == [False, True]
    with pytest.raises(ModelTooLarge):
        file.model()


def test_too_many_answers() -> None:
    file = read_smcdel("VARS 1,2,3,4 LAW Top OBS a: 1 WHERE? 1 | 2")
    assert len(file.answers(limit=12)[0]) == 12  # type: ignore[arg-type]
    with pytest.raises(ModelTooLarge, match=r"the answer to WHERE\? 1 | 2 would have 12 worlds"):
        file.answers(limit=11)


# --- reading -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("1 | 2 & 3", '("1" | "2") & "3"'),
        ("1 -> 2 iff 3", '("1" -> "2") <-> "3"'),
        ("Not 1 | ¬2", '~"1" | ~"2"'),
        ("~ a knows that 1 & 2", '~K_a "1" & "2"'),
        ("a knows that 2 & 3", 'K_a "2" & "3"'),
        ("K a 2 -> 3 iff 4", 'K_a (("2" -> "3") <-> "4")'),
        ("[!1] K a 2 & 3", '[!"1"]K_a ("2" & "3")'),
        ("Kw a 1 & 2", 'Kw_a ("1" & "2")'),
        ("Forall 1,2 3 & 4", 'forall "1", "2". ("3" & "4")'),
        ("Exists 1 1 & 2", 'exists "1". ("1" & "2")'),
        ("a knows whether (1) & 2", 'Kw_a "1" & "2"'),
        ("a knows whether (1, 2 | 3) & 4", 'Kw_a "1" & Kw_a ("2" | "3") & "4"'),
        ("a, b comknow that 1 & 2", 'C_{a,b} "1" & "2"'),
        ("(a, b) comknow whether 1", 'Cw_{a,b} "1"'),
        ("a,b distknow whether ~1", 'Dw_{a,b} ~"1"'),
        ("OR(a,b comknow that 1, 2)", 'C_{a,b} "1" | "2"'),
        ("ONEOF(1,1,2)", 'oneof("1", "1", "2")'),
        ("[a,b ?! 1] 2", '[a,b?!"1"]"2"'),
        ("[a ! 1] 2", '"1" -> [a?!"1"]"2"'),
        ("<a ! 1> 2", '"1" & <a?!"1">"2"'),
    ],
)
def test_precedence_and_spellings(text: str, formula: str) -> None:
    assert read_formula(text) is parse(formula)


def test_the_parts_of_a_file() -> None:
    file = read_smcdel(
        """-- a comment
        VARS p, q_1 ,3 -- another
        LAW p | q_1
        OBS alice: p,q_1
            bob:
        TRUE? { p, 3 } p & 3   -- asked first
        VALID?
            K bob p
        """
    )
    assert file.vocabulary == ("p", "q_1", "3")
    assert file.law is parse("p | q_1")
    assert file.observables == {"alice": ("p", "q_1"), "bob": ()}
    first, second = file.queries
    assert (first.kind, first.state, first.text) == ("TRUE?", ("p", "3"), "TRUE? { p, 3 } p & 3")
    assert (second.kind, second.state, second.text) == ("VALID?", None, "VALID? K bob p")
    assert file.answers() == [True, False]
    assert read_smcdel("VARS p LAW p OBS a: WHERE? p").answers() == [[["p"]]]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "line 1, column 1: the file ends too early; expected VARS"),
        ("VARS 1 2", "line 1, column 8: unexpected '2'; expected LAW"),
        ("VARS 1\nLAW 1 &\nOBS a: 1", "line 3, column 1: unexpected 'OBS'; expected a formula"),
        ("p", "line 1, column 1: expected VARS, with which a file begins, got 'p'"),
        ("VARS 1\nLAW 3\nOBS a: 1", "line 2, column 5: atom 3 is not in VARS"),
        ("VARS 1\nLAW TRUE\nOBS a: 1", "line 2, column 5: TRUE is not in VARS; what is always true is Top"),
        ("VARS 1\nLAW K a 1\nOBS a: 1", "line 2, column 5: the law must be boolean, without 'K'"),
        ("VARS 1\nLAW 1\nOBS a: 1 a: 1", "line 3, column 10: agent a has a line in OBS already"),
        (
            "VARS 1\nLAW 1\nOBS a: 1\nVALID? K b 1",
            "line 4, column 10: b is neither an agent in OBS nor an atom",
        ),
        ("VARS 1\nLAW 1\nOBS a: 1\nTRUE? 1", "line 4, column 7: unexpected '1'; expected a state"),
        (
            "VARS 1\nLAW 1\nOBS a: 1\nVALID? (1\n",
            "line 4, column 10: the file ends too early; expected ')'",
        ),
        ("VARS 1\nLAW 1\nOBS a: 1\n\tVALID? ∧", "line 4, column 9: unexpected '∧'; expected a formula"),
    ],
)
def test_mistakes_are_shown_at_their_place(text: str, reason: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_smcdel(text, source="game.smcdel.txt")
    assert str(caught.value).startswith("game.smcdel.txt, " + reason)


def test_depth_costs_no_recursion() -> None:
    depth = 2_000
    formula = "(" * depth + "1" + ")" * depth
    queries = [formula, "[!1] " * depth + "1", "K a " * depth + "1"]
    text = f"VARS 1 LAW {'~' * depth}1 OBS a: 1 VALID? {' VALID? '.join(queries)}"
    assert read_smcdel(text).answers() == [True, True, True]


# --- writing -------------------------------------------------------------------------------------


@settings(max_examples=50)
@given(models(logic="S5", atoms=("p", "q")), st.data())
def test_what_is_written_is_the_same_model(model: KripkeModel, data: st.DataObject) -> None:
    file = read_smcdel(to_smcdel(model, named=True))
    again = file.model()
    assert len(again) == len(model)
    for _ in range(3):
        formula = data.draw(
            formulas(atoms=("p", "q"), max_depth=3).filter(
                lambda f: not any(isinstance(g, Forall | Exists) for g in f.subformulas())
            )
        )
        assert len(again.where(formula)) == len(model.where(formula))


def test_numbers_and_comments_for_names() -> None:
    model = KripkeModel.from_partitions(
        range(4),
        {"Ann Lee": [[0, 1], [2, 3]], 2: [[0, 1, 2, 3]], "b": [[0], [1], [2], [3]]},
        {"wolf_2": [0, 1], "odd one": [0]},
    )
    text = to_smcdel(model)
    assert text.splitlines() == [
        "-- 1: wolf_2",
        '-- 2: "odd one"',
        "-- 3: observed by b only",
        "-- 4: true at every state, for 2, who observes nothing",
        '-- agent1: agent "Ann Lee"',
        '-- agent2: agent "2"',
        "VARS 1,2,3,4",
        "LAW OR(AND(1,2,~3,4),AND(1,~2,~3,4),AND(~1,~2,~3,4),AND(~1,~2,3,4))",
        "OBS agent1: 1",
        "    agent2: 4",
        "    b: 1,2,3",
    ]
    assert len(read_smcdel(text).model()) == 4


def test_worlds_that_agree_in_everything_stay_apart() -> None:
    model = KripkeModel.from_partitions("wvu", {"a": ["wvu"]}, {"p": ["w", "v", "u"]})
    assert len(read_smcdel(to_smcdel(model)).model()) == 3


def test_numbers_stay_and_no_law_is_needed_for_all_states() -> None:
    model = KripkeModel.from_observations(
        [(x, y) for x in (0, 1) for y in (0, 1)],
        {"a": lambda w: w[0]},
        lambda w: [name for name, bit in zip(("3", "7"), w, strict=True) if bit],
        atoms=["3", "7"],
    )
    assert to_smcdel(model) == "VARS 3,7\nLAW Top\nOBS a: 3\n"


def test_a_model_of_nothing_but_a_world() -> None:
    model = KripkeModel(["w"], {}, {})
    assert to_smcdel(model) == "-- 1: true at the only state\nVARS 1\nLAW AND(1)\nOBS \n"
    assert len(read_smcdel(to_smcdel(model)).model()) == 1


def test_what_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelError, match="the relation of agent a is not reflexive: 'w' does not see itself"):
        to_smcdel(KripkeModel("wv", {"a": [("w", "v"), ("v", "v")]}, {"p": ["w"]}))
    model = KripkeModel.from_partitions("wv", {"a": [["w"], ["v"]]}, {"iff": ["w"]})
    assert '-- 1: "iff"' in to_smcdel(model)
    with pytest.raises(ModelError, match="atom 'iff' cannot keep its name"):
        to_smcdel(model, named=True)
    monkeypatch.setattr(smcdel, "_MOST_LITERALS", 1)
    with pytest.raises(ModelTooLarge, match="contract the model first"):
        to_smcdel(model)


SCRAPS = [
    *("VARS", "LAW", "OBS", "1", "2", "a", "b", "a:", ",", "Top", "(", ")", "~", "&", "|", "->"),
    *("iff", "AND(", "K a", "Kw a", "a knows that", "a,b comknow whether", "[!", "[?!", "[a !"),
    *("]", "<!", ">", "Forall 1", "{", "}", "VALID?", "WHERE?", "TRUE? {1}", "--", "\n", "$"),
    *("ONEOF(", "knows", "p"),
]  # fmt: skip


@settings(max_examples=75)
@given(
    st.sampled_from(["", "VARS 1,2 LAW ", "VARS 1,2 LAW 1 | 2 OBS a: 1 b: 2 WHERE? "]),
    st.lists(st.one_of(st.sampled_from(SCRAPS), st.text(max_size=2)), max_size=10).map(" ".join),
)
def test_any_text_is_read_or_refused(start: str, text: str) -> None:
    error = None
    try:
        file = read_smcdel(start + text)
    except FormatError as caught:
        error = caught
    if error is not None:
        assert str(error).startswith("<text>, line ")
        return
    assert len(file.answers()) == len(file.queries)
