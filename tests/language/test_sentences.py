"""Formulas in plain English: what is written is read back, and nothing has two readings."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kripke_werewolf import language as f
from kripke_werewolf import parse
from kripke_werewolf.errors import FormulaError, FormulaSyntaxError
from kripke_werewolf.language import Formula
from kripke_werewolf.language.sentences import from_sentence, to_sentence

NAMES = [
    *(
        "a",
        "A",
        "2",
        "12",
        "Ann",
        "alice",
        "wolf_2",
        "wolf_Ann",
        "seer_a",
        "dead_",
        "wolf",
        "_",
        "alpha_12",
        "x'",
    ),
    *(
        "both",
        "If",
        "player",
        "that",
        "is",
        "knows",
        "wolf_is",
        "İf",
        "Ks",
        "12a",
        "٣",
        "player 2",
        "Ann Lee",
    ),
    *(
        "",
        " ",
        "a and b",
        '"',
        "\\",
        ",",
        "wolf_a, b",
        ".",
        "p is true",
        "\n",
        "🐺",
        "good_🐺",
        "wolf_the",
        "and",
    ),
]
names = st.one_of(st.sampled_from([n for n in NAMES if n]), st.text(min_size=1, max_size=4))
PEOPLE = {"a": "Ann", "2": "Bob Lee", "12": "Dr. Watt", "Ann": "a", "b": "B-2", "alice": "12"}


def sentences(depth: int = 4) -> st.SearchStrategy[Formula]:
    found: st.SearchStrategy[Formula] = st.one_of(names.map(f.Atom), st.sampled_from([f.TRUE, f.FALSE]))
    agent, group = names, st.lists(names, min_size=1, max_size=3)
    for _ in range(depth):
        part = found
        several = st.lists(part, min_size=2, max_size=4)
        found = st.one_of(
            part,
            part.map(f.Not),
            several.map(lambda parts: f.And(*parts)),
            several.map(lambda parts: f.Or(*parts)),
            st.builds(f.Implies, part, part),
            st.builds(f.Iff, part, part),
            st.builds(lambda k, a, g: k(a, g), st.sampled_from([f.K, f.M, f.Kw]), agent, part),
            st.builds(
                lambda k, g, x: k(g, x),
                st.sampled_from([f.E, f.C, f.CommonWhether, f.D, f.DistributedWhether]),
                group,
                part,
            ),
        )
    return found


@settings(max_examples=300)
@given(sentences(), st.sampled_from([None, PEOPLE, {"2": "3", "a": "player-one"}]))
def test_sentences_are_read_back(formula: Formula, people: dict[str, str] | None) -> None:
    sentence = to_sentence(formula, people=people)
    assert sentence.endswith(".")
    assert from_sentence(sentence, people=people) is formula


@pytest.mark.parametrize("name", [n for n in NAMES if n])
@pytest.mark.parametrize("people", [None, PEOPLE])
def test_any_name_is_read_back(name: str, people: dict[str, str] | None) -> None:
    for formula in (f.Atom(name), ~f.Atom(name), f.K(name, f.Atom(f"wolf_{name}")), f.C([name, "z"], "p")):
        assert from_sentence(to_sentence(formula, people=people), people=people) is formula


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("K_2 ~K_3 wolf_4", "Player 2 knows that player 3 does not know that player 4 is a wolf."),
        ("seer_Ann & ~dead_2", "Both Ann is a seer and player 2 is not dead."),
        ("alpha_1 | dominant_2", "Either player 1 is the alpha wolf or player 2 is the dominant wolf."),
        ("p & ~q & r", "All of p is true, q is false and r is true."),
        ("p | K_a q | r", "At least one of p is true, a knows that q is true, or r is true."),
        ("K_a p & q", "Both a knows that p is true, and q is true."),
        ("K_a (p & q)", "a knows that both p is true and q is true."),
        ("p -> Kw_a q", "If p is true, then a knows whether q is true."),
        ("p <-> q", "It is the case that p is true exactly when q is true."),
        ("~(p & q)", "It is not the case that both p is true and q is true."),
        ("~~p", "It is not the case that p is false."),
        ("M_a p", "a considers it possible that p is true."),
        ("~M_a p", "a does not consider it possible that p is true."),
        ("~Kw_2 p", "Player 2 does not know whether p is true."),
        ("E_{1,2,3} good_1", "Everyone among player 1, player 2 and player 3 knows that player 1 is good."),
        ("~E_{a} p", "Not everyone among a knows that p is true."),
        ("C_{a,b} p", "It is common knowledge among a and b that p is true."),
        ("~Cw_{a,b} p", "It is not common knowledge among a and b whether p is true."),
        ("D_{a,b} p", "It is distributed knowledge among a and b that p is true."),
        ("~Dw_{a,b} p", "It is not distributed knowledge among a and b whether p is true."),
        ("true -> false", "If truth holds, then falsehood holds."),
        ('K_{Mary Ann} "odd one"', '"Mary Ann" knows that "odd one" is true.'),
    ],
)
def test_wording(text: str, sentence: str) -> None:
    assert to_sentence(text) == sentence
    assert from_sentence(sentence) is parse(text)


def test_people_have_names_of_their_own() -> None:
    people = {2: "Ann", 3: "Bob Lee"}
    sentence = to_sentence("K_2 wolf_3 & ~wolf_4", people=people)
    assert sentence == "Both Ann knows that Bob Lee is a wolf, and player 4 is not a wolf."
    assert from_sentence(sentence, people=people) is parse("K_2 wolf_3 & ~wolf_4")


def test_reading_is_lenient_about_capitals_blanks_and_the_full_stop() -> None:
    formula = parse("K_2 (p & wolf_3)")
    for text in (
        "player 2 knows that both p is true and player 3 is a wolf",
        "PLAYER 2 Knows That BOTH p Is True, AND Player 3 is a Wolf .",
        "  Player  2 knows\nthat both\tp is true and player 3 is a wolf.  ",
    ):
        assert from_sentence(text) is formula
    assert from_sentence("P is true") is f.Atom("P")


@pytest.mark.parametrize(
    ("text", "position", "expected"),
    [
        ("", 0, "a clause"),
        (".", 0, "a clause"),
        ("p", 1, "'is true'"),
        ("p is", 2, "'is true'"),
        ("p is true q is true", 10, "the end"),
        ("Player 2 is true", 9, "'is a wolf'"),
        ("Player 2 knows p", 9, "'knows that'"),
        ("Player 2 knows that", 19, "a clause"),
        ("Both p is true or q is true", 15, "'and'"),
        ("Both p is true.", 14, "'and'"),
        ("If p is true q is true", 13, "'then'"),
        ("It is common knowledge among a and b p is true", 37, "'that'"),
        ("It is common knowledge among that p is true", 29, "a name"),
        ("Everyone among a, b knows that p is true", 20, "'and'"),
        ("all of p is true, q is true", 27, "'and'"),
        ("player x is a wolf", 7, "'is a wolf'"),
        ("p is true\nand q is true", 10, "the end"),
    ],
)
def test_mistakes_are_shown_at_their_place(text: str, position: int, expected: str) -> None:
    with pytest.raises(FormulaSyntaxError, match="cannot read the sentence at") as caught:
        from_sentence(text)
    assert caught.value.position == position
    assert any(e.startswith(expected) for e in caught.value.expected), caught.value.expected


@pytest.mark.parametrize(
    ("text", "position", "reason"),
    [
        ('"" is true', 0, "a name is empty"),
        (r'Both p is true and "\q" is true', 19, "is not quoted"),
        ("p is true; q", 9, 'unexpected ";"'),
        ('"p is true', 0, "unexpected"),
    ],
)
def test_words_that_mean_nothing(text: str, position: int, reason: str) -> None:
    with pytest.raises(FormulaSyntaxError, match=reason) as caught:
        from_sentence(text)
    assert caught.value.position == position


@pytest.mark.parametrize(
    "text", ["[!p]q", "p ^ q", "exactly(1; p, q)", "P_a(p) > 0", "~forall p. p", "Kv_a(x)"]
)
def test_what_has_no_sentence(text: str) -> None:
    with pytest.raises(FormulaError, match="no sentence here says"):
        to_sentence(text)


@pytest.mark.parametrize(
    ("people", "reason"),
    [
        ({"a": "Ann", "b": "Ann"}, "two people have the same name"),
        ({"a": "Tom and Jerry"}, "the word 'and' of 'Tom and Jerry'"),
        ({"a": "Player 2"}, "the word 'Player'"),
        ({"a": ""}, "consists of words, got ''"),
        ({"a": "Ann  Lee"}, "consists of words"),
        ({"a": 'Ann "X"'}, "consists of words"),
        ({"a": 3}, "consists of words, got 3"),
    ],
)
def test_names_that_would_confuse(people: dict[str, str], reason: str) -> None:
    with pytest.raises(FormulaError, match=reason):
        to_sentence("p", people=people)
    with pytest.raises(FormulaError, match=reason):
        from_sentence("p is true", people=people)


def test_only_texts_are_read() -> None:
    with pytest.raises(FormulaError, match="expected the text of a sentence, got 3"):
        from_sentence(3)  # type: ignore[arg-type]


def test_depth_costs_no_recursion() -> None:
    formula = parse("K_1 ~" * 5_000 + "(p & q)")
    assert from_sentence(to_sentence(formula)) is formula


SCRAPS = [
    *("p", "a", "player", "2", "player 2", "is", "not", "true", "is true", "is false"),
    *("is a wolf", "knows that", "does not know whether", "both", "and", ",", "either", "or"),
    *("if", "then", "it is the case that", "exactly", "when", "it is common knowledge among"),
    *("that", "whether", "all of", '"x y"', '"', '"\\q"', '""', ".", "$"),
]  # fmt: skip


@settings(max_examples=300)
@given(st.lists(st.one_of(st.sampled_from(SCRAPS), st.text(max_size=2)), max_size=10).map(" ".join))
def test_any_text_is_read_or_refused_with_a_place(text: str) -> None:
    error = None
    try:
        formula = from_sentence(text)
    except FormulaSyntaxError as caught:
        error = caught
    if error is not None:
        assert 0 <= error.position <= len(text)
        return
    assert from_sentence(to_sentence(formula)) is formula
