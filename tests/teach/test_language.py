"""The languages of courses: what is printed in one is read back, and means the same."""

import re

import pytest

from kripke_werewolf import FormatError, parse
from kripke_werewolf.logic.proofs import NATURAL
from kripke_werewolf.logic.proofs.derived import rule_named
from kripke_werewolf.logic.proofs.systems import elsewhere
from kripke_werewolf.teach.exercises import new_exercise, parse_exercise, to_toml
from kripke_werewolf.teach.exercises.sheet import parse_sheet
from kripke_werewolf.teach.exercises.validity import NaturalDeduction
from kripke_werewolf.teach.explorer import respond
from kripke_werewolf.teach.language import LANGUAGES, OURS, CourseLanguage
from tests.cases import each

KINDS = (
    "derivation",
    "natural-deduction",
    "tableau",
    "valid",
    "find-model",
    "reduce",
    "to-formula",
    "distinguish",
)
SHEET = 'title = "x"\nseed = 1\nlanguage = {}\n\n[[task]]\nkind = "derivation"\nlogic = "KD45"\n'


@pytest.mark.parametrize("book", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_model_answer_in_the_words_of_the_book_is_right(kind: str, book: str) -> None:
    for seed in range(2):
        exercise = new_exercise(kind, rng=seed).told_in(LANGUAGES[book])
        answer, reason = exercise.solved()
        assert exercise.check(answer).right, (exercise.asked(), answer)
        assert exercise.check(exercise.solution()).right  # ours is read, too
        assert parse_exercise(to_toml(exercise)) == exercise
        for text in (exercise.asked(), answer, reason):
            assert exercise.notation.shown(text) == text


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_a_table_names_rules_of_ours_and_what_it_prints_it_reads(language: CourseLanguage) -> None:
    for rule, names in language.rules:
        assert rule in NATURAL or rule.casefold() in elsewhere() or rule_named(rule) == rule
        assert language.shown(f"p   {rule} 1").endswith(f"   {names[0]} 1")
        for name in names:
            assert language.read(f"p   {name} 1").split()[1] == rule


def test_a_course_says_which_language_it_speaks() -> None:
    chellas = parse_sheet(SHEET.format('"Chellas"'))
    assert chellas.language is LANGUAGES["Chellas"]
    own = parse_sheet(SHEET.format('{signs = {K = "L_", M = "M_"}, rules = {Nec = ["NEC"]}}'))
    assert parse_sheet(own.to_toml()) == own
    exercise = own.variant("a").exercises[0]
    assert "L_" in exercise.asked()
    assert "K_" not in exercise.asked()
    assert exercise.check(exercise.solved()[0]).right


REFUSED = [
    ('"Chelas"', "did you mean 'Chellas'?"),
    ('{sings = {K = "L_"}}', "a language has no key 'sings'"),
    ("[1]", "language: "),
]


@each(REFUSED)
def test_a_language_that_is_not_understood_is_refused(given: str, said: str) -> None:
    with pytest.raises(FormatError, match=re.escape(said)):
        parse_sheet(SHEET.format(given))


def test_where_agents_may_be_wrong_they_believe() -> None:
    exercise = new_exercise("derivation", rng=1, logic="KD45")
    assert "B_" in exercise.asked()
    assert "K_" not in exercise.asked()
    assert exercise.check(exercise.solved()[0].replace("B_", "K_")).right
    assert exercise.notation.shown("a does not know that p") == "a does not believe that p"
    assert "K_" in new_exercise("derivation", rng=1, logic="S5").asked()


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_a_task_with_few_rules_can_be_solved_in_the_words_of_the_book(language: CourseLanguage) -> None:
    exercise = new_exercise("derivation", rng=1, logic="K", rules=["Taut", "MP", "K", "Nec"]).told_in(
        language
    )
    assert exercise.check(exercise.solved()[0]).right


@pytest.mark.parametrize("agent", "ab")
@pytest.mark.parametrize("kind", ["derivation", "tableau", "natural-deduction", "valid"])
def test_an_operator_of_the_only_agent_needs_no_index(kind: str, agent: str) -> None:
    given = f'kind = "{kind}"\nformula = "K_{agent} p -> p & M_{agent} p"\nlogic = "T"\n'
    for language in ('"Chellas"', '{alone = true, signs = {K = "L_", M = "N_"}}'):
        exercise = parse_exercise(f"{given}language = {language}\n")
        answer = exercise.solved()[0]
        assert "_" not in exercise.asked()
        assert exercise.check(answer).right, answer


def test_the_desk_speaks_the_language_of_the_exercise() -> None:
    exercise = parse_exercise(
        'kind = "derivation"\nformula = "K_a (p -> p)"\nlogic = "K"\nlanguage = "Chellas"\n'
    )
    reply = respond({"do": {"command": "open", "text": to_toml(exercise), "name": "e.toml"}})
    assert reply["ok"], reply
    for do in ({"command": "proof", "text": exercise.desk()}, {"command": "row", "text": "p → p   PL"}):
        reply = respond({"state": reply["state"], "do": do, "want": ["proof"]})
        assert reply["ok"], reply
    asked = {"command": "judge", "text": "□(p → p)   RN 1"}
    assert respond({"state": reply["state"], "do": asked})["result"] == {"right": True, "reason": ""}
    hint = respond({"state": reply["state"], "do": {"command": "hint"}})["result"]
    assert hint["row"] == "□(p → p)   RN 1"
    done = {"command": "row", "text": hint["row"]}
    proof = respond({"state": reply["state"], "do": done, "want": ["proof"]})["view"]["proof"]
    assert (proof["done"], proof["claim"]) == (True, "□(p → p)")
    assert [(row["formula"], row["reason"]) for row in proof["rows"]][1] == ("□(p → p)", "RN 1")
    assert "RN" in [name for name, *_ in proof["palette"]]


def test_a_rule_that_is_not_among_ours_is_called_as_it_was_written() -> None:
    given = 'kind = "derivation"\nformula = "K_a (p -> p)"\nlogic = "K"\nlanguage = "Blackburn et al."\n'
    with pytest.raises(
        FormatError, match="unknown axiom or rule 'Uniform Substitution'; did you mean the axiom"
    ):
        parse_exercise(given).check("1. □(p → p)   Uniform Substitution: 1")


def test_our_own_language_changes_nothing() -> None:
    assert OURS.shown("K_a p -> p   T") == OURS.read("K_a p -> p   T") == "K_a p -> p   T"


@pytest.mark.parametrize("language", [OURS, *LANGUAGES.values()], ids=["ours", *LANGUAGES])
def test_natural_deduction_says_what_does_the_work_of_a_rule_of_derivations(language: CourseLanguage) -> None:
    given = 'kind = "natural-deduction"\nformula = "K_a p -> p"\nlogic = "T"\n'
    exercise = parse_exercise(given).told_in(language)
    for name, meant in {"RN": "KI", "C2": "Mix", "RK": "KE", "Positive Introspection": "R4"}.items():
        printed = dict(language.rules).get(meant, (meant,))[0]
        for judge in (exercise.check, exercise.read_back):
            with pytest.raises(FormatError, match=re.escape(f"for `{name}` write `{printed}`")):
                judge(f"1. p -> p   {name} 3, 4")


CARNAP = """1. | □(p → q) :AS
2. | | □p :AS
3. | | | □ :AS
4. | | | p → q :□E 1
5. | | | p :□E 2
6. | | | q :→E 4, 5
7. | | □q :□I 3-6
8. | □p → □q :→I 2-7
9. □(p → q) → (□p → □q) :→I 1-8"""


def test_a_proof_is_read_as_carnap_prints_it() -> None:
    task = NaturalDeduction("", parse("K_a (p -> q) -> (K_a p -> K_a q)"), "K").told_in(LANGUAGES["Carnap"])
    assert task.check(CARNAP).right
    assert not task.check(CARNAP.replace(":□E 2", ":□E 1")).right
