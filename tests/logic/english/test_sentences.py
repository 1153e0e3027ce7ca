"""Formulas in plain English: every sentence is read back, and has only one reading."""

import re
from collections.abc import Iterable
from dataclasses import replace
from importlib.resources import files

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kripke_werewolf import (
    FormulaError,
    FormulaSyntaxError,
    KripkeModel,
    QuantumWerewolf,
    decide_validity,
    parse,
    to_sentence,
)
from kripke_werewolf.games.werewolf.vocabulary import vocabulary
from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.english.phrases import sections
from kripke_werewolf.logic.english.questions import HowLikely, Who
from kripke_werewolf.logic.english.sentence_parser import from_sentence, read_question
from kripke_werewolf.logic.english.vocabulary import MoveWords, Vocabulary
from kripke_werewolf.logic.formulas import Formula
from kripke_werewolf.logic.notation.reading import understand
from kripke_werewolf.logic.semantics import private
from tests.cases import cases, each
from tests.strategies import formulas

NAMES = [
    *("a", "A", "2", "12", "Ann", "alice", "wolf_2", "wolf_Ann", "seer_a", "dead_", "wolf", "_"),
    *("alpha_12", "x'", "both", "If", "player", "that", "is", "knows", "wolf_is", "İf", "Ks", "12a"),
    *("٣", '"', "\\", ",", ".", "🐺", "good_🐺", "wolf_the", "and", "player 2", "Ann Lee", "", " "),
    *("a and b", "wolf_a, b", "p is true", "\n"),
]
names = st.one_of(st.sampled_from([n for n in NAMES if n]), st.text(min_size=1, max_size=4))


def sentences(depth: int = 3) -> st.SearchStrategy[Formula]:
    """Return formulas of the whole language, over names of all kinds."""

    def over(some: list[str]) -> st.SearchStrategy[Formula]:
        acts = [f.Act(some[0]), f.Act(some[1], some[2])]
        return formulas(
            agents=some, atoms=some, variables=some, actions=acts, conditions=False, max_depth=depth
        )

    return st.lists(names, min_size=4, max_size=4).flatmap(over)


@settings(max_examples=settings.default.max_examples * 3)
@given(sentences())
@example(parse("P_b(p) = 3/2"))
@example(parse("~B_a ~K_2 p & ~C_{a,b} E_{2,b} p"))
def test_sentences_are_read_back(formula: Formula) -> None:
    sentence = to_sentence(formula)
    assert sentence.endswith(".")
    assert from_sentence(sentence) is formula


PHRASES = {"{thing}_in_{place}": "the {thing} is in the {place}", "{a}_has_{b}": "the {b} is held by {a}"}
SAID = ("key_in_box", "is_in_box", "Ann_has_key", "a_has_a", "key_in_the_box", "2_has_12", "p")


@given(sentences(), st.permutations(SAID))
def test_phrases_of_atoms_are_read_back(formula: Formula, atoms: list[str]) -> None:
    told = formula.substitute(dict(zip(sorted(formula.atoms), atoms, strict=False)))
    said = to_sentence(told, phrases=PHRASES)
    assert from_sentence(said, phrases=PHRASES) is told
    named = {f"{place}_has_{thing}" for thing, place in [("key", "Ann"), ("a", "a"), ("12", "2")]}
    assert (" is held by " in said or " is not held by " in said) == bool(told.atoms & named)


@cases(
    ("is the key in the box?", "key_in_box"),
    ("Isn't the key in the box?", "key_in_box"),
    ("the key isn't in the box", "~key_in_box"),
    ("Does Ann think that the key is not in the box", "B_Ann ~key_in_box"),
    ("Bo doesn't know that the key is held by Ann", "~K_Bo Ann_has_key"),
)
def test_phrases_of_atoms_are_asked(text: str, formula: str) -> None:
    about = Vocabulary(("Ann", "Bo"), ("key_in_box", "Ann_has_key"))
    for known in (None, about):
        assert from_sentence(text, phrases=PHRASES, vocabulary=known) is parse(formula)
        assert understand(text, phrases=PHRASES).formula is parse(formula)
    assert read_question(text, replace(about, phrases=tuple(PHRASES.items()))) is parse(formula)


@cases(("p_{a}", "the thing is here"), ("p_{a}", "{a} sleeps"), ("p", "this is what is so"), ("p", "it is 1"))
def test_what_is_no_phrase(atom: str, words: str) -> None:
    with pytest.raises(FormulaError, match="is not a phrase for"):
        to_sentence("p", phrases={atom: words})


@given(sentences())
def test_belief_is_said_where_it_was_written(formula: Formula) -> None:
    assert ("belie" in to_sentence(formula)) == any(isinstance(g, f.Believes) for g in formula.subformulas())


@cases(
    ("K_2 ~K_3 wolf_4", "Player 2 knows that player 3 does not know that player 4 is a wolf."),
    ("seer_Ann & ~dead_2", "Both Ann is a seer and player 2 is not dead."),
    ("p -> Kw_a q", "If p is true, then a knows whether q is true."),
    ("p <-> q", "It is the case that p is true exactly when q is true."),
    ("~Kw_2 p", "Player 2 does not know whether p is true."),
    ("E_{1,2,3} good_1", "Everyone among player 1, player 2 and player 3 knows that player 1 is good."),
    ("C_{a,b} p", "It is common knowledge among a and b that p is true."),
    ('K_{Mary Ann} "odd one"', '"Mary Ann" knows that "odd one" is true.'),
    ("p ^ q", "One but not both of these holds: p is true and q is true."),
    (
        "atleast(2; p, K_a q, r)",
        "At least 2 of these hold: p is true, a knows that q is true, and r is true.",
    ),
    ("everywhere p", "It holds at every world that p is true."),
    ("forall p, q. (p | q)", "For all truth values of p and q it holds that either p is true or q is true."),
    ("Kv_2(card)", "Player 2 knows the value of card."),
    ("~Kv_a(is)", 'a does not know the value of "is".'),
    ("[!p]K_a q", "After the public announcement that p is true, a knows that q is true."),
    ("[a,2!p]q", "After the private announcement to player 2 and a that p is true, q is true."),
    ("<show:yes>q", "The event yes of the action show can take place, after which q is true."),
    (
        "-2*P_1(p) + 1/2*P_b(q) - P_b(r) != -1",
        "Minus 2 times the probability for player 1 that p is true plus 1/2 times the probability for b "
        "that q is true minus the probability for b that r is true is not exactly -1.",
    ),
    (
        "K_a (P_b(P_a(p) < 1) = 0)",
        "a knows that the probability for b that the probability for a that p is true is less than 1 "
        "is exactly 0.",
    ),
)
def test_wording(text: str, sentence: str) -> None:
    assert to_sentence(text) == sentence
    assert from_sentence(sentence) is parse(text)


def test_actions_are_bound_to_their_names() -> None:
    peek = private(["a"], "p")
    formula = parse("[peek]K_a <peek:told>q").bind(peek=peek)
    sentence = to_sentence(formula)
    assert from_sentence(sentence, actions={"peek": peek}) is formula
    assert from_sentence(sentence) is parse("[peek]K_a <peek:told>q")


def test_reading_is_lenient_about_capitals_blanks_and_the_full_stop() -> None:
    formula = parse("K_2 (p & wolf_3)")
    for text in (
        "player 2 knows that both p is true and player 3 is a wolf",
        "PLAYER 2 Knows That BOTH p Is True, AND Player 3 is a Wolf .",
        "  Player  2 knows\nthat both\tp is true and player 3 is a wolf.  ",
    ):
        assert from_sentence(text) is formula
    assert from_sentence("P is true") is f.Atom("P")


UNREAD = "cannot read the sentence at"


@cases(
    ("Player 2 knows that", 19, UNREAD),
    ("Both p is true or q is true", 15, UNREAD),
    ("It is common knowledge among a and b p is true", 37, UNREAD),
    ("Everyone among a, b knows that p is true", 20, UNREAD),
    ("The probability for a that p is true is at least q", 49, UNREAD),
    ("After the action show", 21, UNREAD),
    ('"" is true', 0, "unexpected"),
    (r'Both p is true and "\q" is true', 19, "unexpected"),
)
def test_mistakes_are_shown_at_their_place(text: str, position: int, reason: str) -> None:
    with pytest.raises(FormulaSyntaxError, match=reason) as caught:
        from_sentence(text)
    assert caught.value.position == position


def test_depth_costs_no_recursion() -> None:
    formula = parse("K_1 ~" * 600 + "(p & q)")
    assert from_sentence(to_sentence(formula)) is formula


SCRAPS = [
    *("p", "a", "player", "2", "player 2", "is", "not", "true", "is true", "is false"),
    *("is a wolf", "knows that", "does not know whether", "both", "and", ",", "either", "or"),
    *("if", "then", "it is the case that", "exactly", "when", "it is common knowledge among"),
    *("that", "whether", "all of", '"x y"', '"', '"\\q"', '""', ".", "$"),
]  # fmt: skip


@settings(max_examples=settings.default.max_examples * 3)
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


# --- questions -------------------------------------------------------------------------------------

PLAYERS = ("Ann", "Bo", "Di", "Mary Ann", "Will", "Who", "If", "Does")
GAME = Vocabulary(
    PLAYERS,
    tuple(f"{fact}_{name}" for fact in ("wolf", "seer", "good", "dead", "alpha", "tall") for name in PLAYERS),
    numbers=(("1", "Ann"), ("2", "Bo"), ("4", "Mary Ann")),
    facts=(("evil", "wolf"), ("human", "good")),
)
EVERYBODY = "Ann,Bo,Di,Does,If,Mary Ann,Who,Will"


@given(sentences(2))
def test_any_sentence_can_be_asked(formula: Formula) -> None:
    sentence = to_sentence(formula).removesuffix(".")
    assert from_sentence(f"Is it the case that {sentence}?") is formula
    assert from_sentence(f"is it true that {sentence}") is formula


@cases(
    ("player 2 knows whether Ann knows that player 4 is wolf", "Kw_Bo K_Ann wolf_{Mary Ann}"),
    ("Bo doesn't know whether Di is the seer", "~Kw_Bo seer_Di"),
    ("does Bo consider it possible that Di is alive?", "M_Bo ~dead_Di"),
    ("Is Di not a werewolf?", "~wolf_Di"),
    ("everyone among players 1 and 2 considers it possible that Di is evil", "M_Ann wolf_Di & M_Bo wolf_Di"),
    ("nobody knows that wolf_Di", f"~Sk_{{{EVERYBODY}}} wolf_Di"),
    ("does everyone among players 1, 2 and 4 know that Di is dead", "E_{Ann,Bo,Mary Ann} dead_Di"),
    ("is it compatible with the common knowledge of Ann and Bo that Di is dead?", "Cm_{Ann,Bo} dead_Di"),
    ("is it true that the probability for Bo that Di is evil is at least 50%?", "P_Bo(wolf_Di) >= 1/2"),
    ("is it the case that Di is evil exactly when Bo is dead?", "wolf_Di <-> dead_Bo"),
    ("does Who know that if If is a wolf then Does is dead?", "K_Who (wolf_If -> dead_Does)"),
    ("Who knows that Does does not know that If is dead.", "K_Who ~K_Does dead_If"),
    ("can Bo tell whether Di is still alive?", "Kw_Bo ~dead_Di"),
    ("Bo can't tell if Di is a wolf", "~Kw_Bo wolf_Di"),
    ("is it commonly known that Di is evil?", f"C_{{{EVERYBODY}}} wolf_Di"),
    ("do all players know that Di is evil?", f"E_{{{EVERYBODY}}} wolf_Di"),
    ("does Bo know who the alpha wolf is?", " | ".join(f"K_Bo alpha_{{{name}}}" for name in PLAYERS)),
)
def test_questions_about_a_game(text: str, formula: str) -> None:
    assert read_question(text, GAME) is parse(formula)


def test_questions_about_a_model() -> None:
    about = Vocabulary(("a", "b", "2"), ("p", "q", "muddy_2", "wolf_2"))
    for text, formula in (
        ("p holds", "p"),
        ("does p hold?", "p"),
        ("is q false?", "~q"),
        ("does a know that p?", "K_a p"),
        ("if p then q doesn't hold", "p -> ~q"),
        ("both p and a knows that q", "p & K_a q"),
        ("everybody knows that player 2 is muddy", "E_{2,a,b} muddy_2"),
    ):
        assert read_question(text, about) is parse(formula)


@cases(
    ("who knows that Di is a wolf?", "Bo", "K_Bo wolf_Di"),
    ("Who does not know whether Who is evil?", "Ann", "~Kw_Ann wolf_Who"),
    ("who considers it possible that it is not the case that Di is a wolf?", "Bo", "M_Bo ~wolf_Di"),
    ("who are the wolves?", "Bo", "wolf_Bo"),
    ("who isn't alive?", "Bo", "dead_Bo"),
    ("who knows who the wolf is?", "Bo", " | ".join(f"K_Bo wolf_{{{name}}}" for name in PLAYERS)),
    ("who can tell who is alpha?", "Di", " | ".join(f"K_Di alpha_{{{name}}}" for name in PLAYERS)),
)
def test_questions_with_a_hole(text: str, name: str, formula: str) -> None:
    who = read_question(text, GAME)
    assert isinstance(who, Who)
    assert who.of(name) is parse(formula)


def test_questions_for_a_number() -> None:
    for text in (
        "how likely does Bo hold it that Di is evil?",
        "how likely does Bo think it is that Di is evil?",
        "how probable is it for Bo that Di's a wolf?",
        "how sure is Bo that Di is a wolf?",
        "how certain is Bo that Di is a wolf?",
        "what is the probability for Bo that wolf_Di",
    ):
        assert read_question(text, GAME) == HowLikely("Bo", parse("wolf_Di"))
    for text in ("How likely is it that Di is evil?", "what is the probability that Di is a wolf"):
        assert read_question(text, GAME) == HowLikely(None, parse("wolf_Di"))
    with pytest.raises(FormulaSyntaxError):
        from_sentence("how likely does Bo hold it that p?")


def test_a_formula_may_end_with_a_question_mark():
    for text in ("K_Bo wolf_Di", "Kw_2 ~wolf_Di", "C wolf_Di -> M_Bo wolf_Di"):
        assert (
            read_question(f"{text}?", GAME)
            is read_question(f"{text} ?", GAME)
            is parse(text, agents=GAME.agents)
        )


@cases(
    ("Bo beleives quite that wolf_Di", 3, '"beleives quite" is not understood\n'),
    ("Bo knows that Dy is a wolf", 14, 'nobody is called "Dy"'),
    ("Bo knows that if wolf_Dii then wolf_Di", 17, 'there is no atom "wolf_Dii"; did you mean "wolf_Di"'),
    (
        "it is comon knowledge among Ann and Bo that wolf_Di",
        6,
        '"comon" is not understood\n',
    ),
    ("K_1 (seer_1 -> ", 14, r"the formula (.|\n)*text ends too early(?!(.|\n)*sentence)"),
)
def test_words_that_are_not_understood(text: str, position: int, message: str) -> None:
    with pytest.raises(FormulaSyntaxError, match=message) as caught:
        read_question(text, GAME)
    assert caught.value.position == position


QUESTIONS = [
    *("does", "who", "is", "Who", "Will", "If", "Mary Ann", "player 2", "players 1 and 2", "anybody"),
    *("know that", "knows whether", "how likely does", "hold it that", "it", "the case that", "wolf_2"),
    *("evil", "a", "among", "everyone", "common knowledge", "the probability for", "is at least", "1/0"),
    *("50%", "2 times", "minus"),
]


@settings(max_examples=settings.default.max_examples * 3)
@given(st.lists(st.sampled_from([*SCRAPS, *QUESTIONS]), max_size=10).map(" ".join))
def test_any_question_is_read_or_refused_with_a_place(text: str) -> None:
    for asked in (text, f"{text}?"):
        error = None
        try:
            read_question(asked, GAME)
        except FormulaSyntaxError as caught:
            error = caught
        assert error is None or 0 <= error.position <= len(asked)


# --- phrasings that students type ------------------------------------------------------------------

FOUR = ("Ann", "Bo", "Cy", "Di")
NIGHT = Vocabulary(
    FOUR,
    tuple(f"{fact}_{name}" for fact in ("wolf", "seer", "villager", "good", "dead") for name in FOUR),
    numbers=tuple((str(number), name) for number, name in enumerate(FOUR, start=1)),
    facts=(("evil", "wolf"), ("human", "good")),
)
SOMEBODY = " | ".join(f"{{}}_{name}" for name in FOUR)


@cases(
    ("do both Ann and Bo know that Di is a wolf?", "E_{Ann,Bo} wolf_Di"),
    ("either Ann or Bo knows that Di is a wolf", "Sk_{Ann,Bo} wolf_Di"),
    ("do Ann and Bo consider it possible that Di is a wolf?", "M_Ann wolf_Di & M_Bo wolf_Di"),
    ("if Ann and Bo are good then Di is a wolf", "(good_Ann & good_Bo) -> wolf_Di"),
    ("do the players know that Di is a wolf?", "E_{Ann,Bo,Cy,Di} wolf_Di"),
    ("might Di be the seer?", "somewhere seer_Di"),
    ("Ann can't rule out that Di is a wolf", "~K_Ann ~wolf_Di"),
    ("does Ann think it possible that Di is a wolf?", "M_Ann wolf_Di"),
    ("does Bo know whether they're dead?", "Kw_Bo dead_Bo"),
    ("if Di is a wolf then she knows that she is a wolf", "wolf_Di -> K_Di wolf_Di"),
    (
        "does anybody know whether Di is a wolf?",
        "Kw_Ann wolf_Di | Kw_Bo wolf_Di | Kw_Cy wolf_Di | Kw_Di wolf_Di",
    ),
    ("does Ann know whether Di is a wolf or a villager?", "K_Ann wolf_Di | K_Ann villager_Di"),
    ("Ann does not know whether Di is dead or alive", "~(K_Ann dead_Di | K_Ann ~dead_Di)"),
    ("is Ann unsure whether Di is a wolf?", "~Kw_Ann wolf_Di"),
    ("do players 2 and 3 together know whether Di is a wolf?", "Dw_{Bo,Cy} wolf_Di"),
    ("is it known to everybody that Di is a wolf?", "E_{Ann,Bo,Cy,Di} wolf_Di"),
    ("Don’t Bo and Cy know that Di is a wolf?", "E_{Bo,Cy} wolf_Di"),
    ("isn't it common knowledge that Di is dead", "C_{Ann,Bo,Cy,Di} dead_Di"),
    ("does everyone among players one, two and 3 know that Di is dead?", "E_{Ann,Bo,Cy} dead_Di"),
    # words about all players
    ("does everyone know that somebody is a wolf?", f"E ({SOMEBODY.format(*['wolf'] * 4)})"),
    ("Bo doesn't know whether anyone is still alive", f"~Kw_Bo ({SOMEBODY.format(*['~dead'] * 4)})"),
    ("is everybody good?", "good_Ann & good_Bo & good_Cy & good_Di"),
    ("can anybody rule out that Di is dead?", "Sk ~dead_Di"),
    (
        "nobody knows who the seer is",
        "~(" + " | ".join(f"({' | '.join(f'K_{one} seer_{other}' for other in FOUR)})" for one in FOUR) + ")",
    ),
    # an `or` belongs to the phrase that waits for it
    ("either Ann knows whether Di is a wolf or Bo is a wolf", "Kw_Ann wolf_Di | wolf_Bo"),
    ("either Ann and Bo know whether Di is a wolf or Bo is dead", "Ew_{Ann,Bo} wolf_Di | dead_Bo"),
    ("at least one of these holds: Di is a wolf, Di is dead, or Bo is dead", "wolf_Di | dead_Di | dead_Bo"),
    ("does Ann know whether either Bo or Cy is a wolf?", "Kw_Ann (wolf_Bo | wolf_Cy)"),
    (
        "if Ann knows whether Di is a wolf or Di is the seer, "
        "then Bo knows whether either Di is a wolf or Di is the seer",
        "K_Ann wolf_Di | K_Ann seer_Di -> Kw_Bo (wolf_Di | seer_Di)",
    ),
)
def test_phrasings_that_students_type(text: str, formula: str) -> None:
    assert read_question(text, NIGHT) is parse(formula, agents=FOUR)


def test_everyone_is_not_has_two_meanings() -> None:
    with pytest.raises(FormulaSyntaxError, match=r"two meanings: .*\(~dead_Ann & .*~\(dead_Ann & "):
        read_question("everyone is not dead", NIGHT)


@cases(
    ("is the seer dead?", "{seer} & dead_{name}"),
    ("the seer is not a wolf", "{seer} & ~wolf_{name}"),
    ("does the seer know that Di is a wolf?", "{seer} & K_{name} wolf_Di"),
)
def test_a_role_stands_for_the_only_player_who_has_it(text: str, formula: str) -> None:
    said = " | ".join(f"({formula.format(seer=f'seer_{name}', name=name)})" for name in FOUR)
    one = replace(NIGHT, single=("seer",))
    assert read_question(text, one) is parse(said)
    with pytest.raises(FormulaSyntaxError, match="unexpected"):
        read_question(text, NIGHT)


def test_accents_may_be_typed_apart() -> None:
    joined, apart = "José", "Jose\u0301"
    for name, typed in ((joined, apart), (apart, joined)):
        about = Vocabulary((name, "Bo"), (f"wolf_{name}", "wolf_Bo"))
        for text in (f"does {typed} know that {typed} is a wolf?", f"K_{{{typed}}} wolf_{{{typed}}}"):
            assert read_question(text, about) is f.K(name, f.Atom(f"wolf_{name}"))


@cases(
    ("does Bo know that Ann knows that she is a wolf?", 33, '"she" may stand for Bo or Ann: write the'),
    ("does he know that Di is a wolf?", 5, '"he" does not refer to anybody named before'),
    ("does Bo know that Di is a wolf and Cy is dead?", 35, 'unexpected "Cy"'),
    ("who knows who the wolve is?", 18, '"wolve" is not understood'),
)
def test_phrasings_that_are_refused(text: str, position: int, message: str) -> None:
    with pytest.raises(FormulaSyntaxError, match=message) as caught:
        read_question(text, NIGHT)
    assert (caught.value.position, caught.value.text) == (position, text)


ABOUT_A_CLAUSE = [
    ("Ann knows that {}", "K_Ann {}"),
    ("Ann knows whether {}", "Kw_Ann {}"),
    ("Ann does not know whether {}", "~Kw_Ann {}"),
    ("everyone among Ann and Bo knows whether {}", "Ew_{{Ann,Bo}} {}"),
    ("it is common knowledge among Ann and Bo whether {}", "Cw_{{Ann,Bo}} {}"),
    ("Ann considers it possible that {}", "M_Ann {}"),
    ("either {} or Bo knows whether {}", "{0} | Kw_Bo {0}"),
]


@pytest.mark.parametrize("whole", ["{}", "is it the case that {}?", "if {}, then {}"])
@pytest.mark.parametrize(("words", "formula"), ABOUT_A_CLAUSE)
@pytest.mark.parametrize(
    ("clause", "read"),
    [
        ("truth holds", "true"),
        ("falsehood holds", "false"),
        ("either Di is a wolf or Di is the seer", "(wolf_Di | seer_Di)"),
    ],
)
def test_what_is_said_of_a_clause_does_not_depend_on_the_clause(
    whole: str, words: str, formula: str, clause: str, read: str
) -> None:
    sentence = whole.replace("{}", words.format(clause, clause))
    wanted = formula.format(read)
    assert read_question(sentence, NIGHT) is parse(f"({wanted}) -> {wanted}" if "if" in whole else wanted)


EVERY = {
    "everyone": "E_{a,b} p",
    "everybody": "E_{a,b} p",
    "someone": "Sk_{a,b} p",
    "somebody": "Sk_{a,b} p",
    "anybody": "Sk_{a,b} p",
    "nobody": "~Sk_{a,b} p",
}


@each([*EVERY, *map(str.title, EVERY)])
def test_words_for_all_and_none_name_no_agent(word: str) -> None:
    """In a model they are about all its agents; without one, a formula must name them."""
    text, meant = f"{word} knows that p", parse(EVERY[word.lower()])
    model = KripkeModel.from_partitions("wv", {"a": [["w", "v"]], "b": [["w"], ["v"]]}, {"p": ["w"]})
    assert read_question(text, Vocabulary(("a", "b"), ("p",))) is parse(text, agents=("a", "b")) is meant
    assert model.where(text) == model.where(meant)
    assert decide_validity(f"{text} -> K_a p | ~K_b p").formula.agents == {"a", "b"}
    for read in (parse, from_sentence):
        with pytest.raises(FormulaSyntaxError):
            read(text)
        assert read(f'"{word}" knows that p') is f.K(word, "p")
    assert from_sentence(to_sentence(f.K(word, "p"))) is f.K(word, "p")


@each(["Does a know that p?", "if p, then q", "player 2 knows that Bo is a wolf"])
def test_a_sentence_among_formulas_says_which_function_reads_it(text: str) -> None:
    with pytest.raises(FormulaSyntaxError, match=r"kw\.understand") as caught:
        parse(text)
    assert caught.value.meant is not None
    assert parse(caught.value.meant) is from_sentence(text)


def test_nonsense_is_refused_quickly() -> None:
    with pytest.raises(FormulaSyntaxError):
        read_question("both " * 500, NIGHT)


MOVES = replace(
    NIGHT,
    single=("seer", "wolf"),
    moves=(
        MoveWords("attacked", "attack", "attacked"),
        MoveWords("looked", "look at", "looked at"),
        MoveWords("saw", "see", "saw", ("good", "evil")),
    ),
)
OWN = "(K_{0} seer_{0} | K_{0} villager_{0} | K_{0} wolf_{0})"


@cases(
    ("didn't Ann attack Bo in night 1?", "attacked_Ann_Bo_1"),
    ("can Ann and Bo both be wolves?", "somewhere (wolf_Ann & wolf_Bo)"),
    ("for all Ann knows, Di might be a wolf", "M_Ann wolf_Di"),
    ("did anyone look at Di?", "looked_Ann_Di | looked_Bo_Di | looked_Cy_Di"),
    ("does everyone know their own role?", " & ".join(map(OWN.format, FOUR))),
    ("do Ann and Bo together know who the wolf is?", " | ".join(f"D_{{Ann,Bo}} wolf_{n}" for n in FOUR)),
    ("do the wolves know that Di is dead?", " | ".join(f"(wolf_{n} & K_{n} dead_Di)" for n in FOUR)),
    ("is exactly one of Ann, Bo and Cy a wolf?", "exactly(1; wolf_Ann, wolf_Bo, wolf_Cy)"),
    ("does Bo think Di is more likely a wolf than Cy?", "P_Bo(wolf_Di) - P_Bo(wolf_Cy) > 0"),
    ("are there at least two villagers?", f"atleast(2; {', '.join(f'villager_{n}' for n in FOUR)})"),
    ("hey, can you tell me whether Ann has figured out that Di is dead", "K_Ann dead_Di"),
    ("can Bo rule out both Ann and Di as the seer?", "K_Bo ~seer_Ann & K_Bo ~seer_Di"),
    ("In Di's eyes, Ann is probably the wolf.", "P_Di(wolf_Ann) > 1/2"),
    ("as far as Di can tell, might Cy have attacked her?", "M_Di attacked_Cy_Di"),
)
def test_what_players_ask(text: str, formula: str) -> None:
    assert read_question(text, MOVES) is parse(formula)


@cases(
    ("who attacked Ann in night 1?", "Cy", "attacked_Cy_Ann_1"),
    ("whom did Ann look at?", "Bo", "looked_Ann_Bo"),
    (
        "how many wolves are left?",
        "1",
        "exactly(1; " + ", ".join(f"wolf_{n} & ~dead_{n}" for n in FOUR) + ")",
    ),
    ("who knows that he is dead?", "Di", "K_Di dead_Di"),
)
def test_questions_with_several_answers(text: str, answer: str, formula: str) -> None:
    found = read_question(text, MOVES)
    assert isinstance(found, Who)
    assert found.of(answer) is parse(formula)


@cases(
    ("does Ann know that Bo doesn't know who she is?", '"she" may stand for Ann or Bo'),
    ("am I a wolf?", '"I": write a player.s name'),
    ("if somebody is dead then does Ann know that he is a wolf?", '"he" may stand for'),
)
def test_what_is_not_clear_is_refused(text: str, message: str) -> None:
    with pytest.raises(FormulaSyntaxError, match=message):
        read_question(text, MOVES)


@cases(
    ("does Bob know that Ann is a wolf", ["does Bo know that Ann is a wolf?"]),
    ("what did Bo see when the sun rose?", []),
    ("did Bo murder Ann?", []),
)
def test_questions_are_offered_for_names_only(text: str, offered: list[str]) -> None:
    with pytest.raises(FormulaSyntaxError) as caught:
        read_question(text, MOVES)
    assert (caught.value.meant or "").split("\nor: ") == (offered or [""])


def one_to_one(names: Iterable[str], places: Iterable[str]) -> dict[str, str]:
    """Return a different place for each name."""
    return dict(zip(sorted(names), places, strict=False))


@given(sentences(2))
def test_sentences_about_a_game_are_read_back(formula: Formula) -> None:
    """Words that only a vocabulary allows change no sentence that is written."""
    agents = one_to_one(formula.agents, (*FOUR, *(f"Player{n}" for n in range(len(formula.agents)))))
    atoms = one_to_one(formula.atoms, (*NIGHT.atoms, *(f"atom_{n}" for n in range(len(formula.atoms)))))
    about = formula.rename(agents=agents.__getitem__, atoms=atoms.__getitem__)
    wide = Vocabulary(
        tuple({*FOUR, *about.agents}), tuple({*NIGHT.atoms, *about.atoms}), NIGHT.numbers, NIGHT.facts
    )
    try:
        read = read_question(to_sentence(about), wide)
    except FormulaSyntaxError as error:
        raise AssertionError(to_sentence(about)) from error
    assert read is about


NIGHTS = vocabulary(QuantumWerewolf(FOUR, rules="cisra", wolves=1, cards={"cupid": 1}).setup)
CHILDREN = Vocabulary(
    ("1", "2", "3"),
    ("muddy_1", "muddy_2", "muddy_3"),
    facts=(("clean", "~muddy"),),
    kinds=(("child", "children"),),
    neuter=True,
)
BOX = Vocabulary(("Ann", "Bob"), ("key_in_box", "Ann_has_key", "heads"), phrases=tuple(PHRASES.items()))


@pytest.mark.parametrize("about", [NIGHTS, CHILDREN, BOX], ids=["game", "children", "box"])
@given(st.data())
def test_sentences_have_one_reading_with_any_words(about: Vocabulary, data: st.DataObject) -> None:
    said = formulas(agents=about.agents, atoms=about.atoms, conditions=False, max_depth=4)
    formula = data.draw(said)
    assert read_question(to_sentence(formula, phrases=dict(about.phrases)), about) is formula


@each(["alike", "elsewhere", "forms", "grammar", "verbs"])
def test_no_entry_of_a_list_of_words_hides_another(name: str) -> None:
    text = files("kripke_werewolf.logic.english").joinpath(f"{name}.txt").read_text(encoding="utf-8")
    entries = re.findall(r"^[^#\s].*?: ", text, re.MULTILINE)
    assert sum(map(len, sections(name).values())) == len(entries) > 0
