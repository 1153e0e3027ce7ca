"""What can be asked: every form of the list means what the list says, whoever and whatever stands in it."""

import random
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from kripke_werewolf import (
    FormulaSyntaxError,
    GameError,
    KripkeModel,
    QuantumWerewolf,
    muddy_children,
    parse,
    valid,
)
from kripke_werewolf.games.werewolf.vocabulary import vocabulary
from kripke_werewolf.logic.english.phrases import AskedForm, asked_forms, sections
from kripke_werewolf.logic.english.questions import HowLikely, Supposed, WhatHappened, Who
from kripke_werewolf.logic.english.sentence_parser import SeveralMeanings, completions, read_question
from kripke_werewolf.logic.english.vocabulary import Vocabulary
from kripke_werewolf.logic.formulas import Formula
from kripke_werewolf.logic.notation.reading import meanings_of
from tests.cases import each

NAMES = ("Ann", "Bo", "Cy", "Di")
ABOUT = vocabulary(QuantumWerewolf(NAMES, wolves=1, rules="cisra").setup)
FACTS = {
    "a wolf": "wolf_{}",
    "dead": "dead_{}",
    "alive": "~dead_{}",
    "evil": "wolf_{}",
}
ROLES = ("seer", "villager", "wolf")


def said(rng: random.Random) -> tuple[dict[str, str], Callable[[str], str]]:
    """Return words for the places of forms, and a function that puts the same into a meaning."""
    one, other, third = rng.sample(NAMES, 3)
    fact, second, stated = (rng.choice([*FACTS]) for _ in range(3))
    words = {
        "X": one,
        "Y": other,
        "F": fact,
        "G": second,
        "S": f"{third} is {stated}",
        "N": rng.choice("123"),
    }

    def meant(text: str) -> str:
        facts = {"F": FACTS[fact], "G": FACTS[second]}
        text = re.sub(r"\b([FG])_(\w)", lambda found: facts[found[1]].format(found[2]), text)
        text = re.sub(r"(?<![a-z])S(?![a-z])", f"({FACTS[stated].format(third)})", text)
        text = text.replace("C_all", f"C_{{{','.join(NAMES)}}}")
        return re.sub(r"(?<![A-Za-z])[XYN](?![A-Za-z])", lambda found: words[found[0]], text)

    return words, meant


def put(body: str, place: str, value: str) -> str:
    return re.sub(rf"(?<![A-Za-z]){place}(?![A-Za-z])", value, body)


def same(found: object, meant: str) -> bool:
    assert isinstance(found, Formula), found
    return bool(valid(found.iff(parse(meant))))


def check(found: object, meaning: str, meant: Callable[[str], str]) -> None:
    """Check that a question was read as what its form means."""
    if meaning.endswith(", if S"):
        assert isinstance(found, Supposed)
        assert same(found.given, meant("S"))
        check(found.asked, meaning.removesuffix(", if S"), meant)
        return
    head, _, body = meaning.rpartition(": ")
    chance = re.fullmatch(r"P(?:_(X))?\(([^()]*)\)(?: (\S+) (.*))?", meaning)
    if meaning.startswith(("the answers that", "what the log")):
        assert isinstance(found, Who)
    elif head == "the number of worlds":
        assert isinstance(found, WhatHappened)
        assert [same(f, meant(body)) for _, f in found.answers] == [True]
    elif head.startswith(("all", "some")):
        values, joint = ROLES if "R" in head else NAMES, " & " if head.startswith("all") else " | "
        parts = (f"({put(body, head[-1], value)})" for value in values)
        assert same(found, meant(joint.join(parts)))
    elif head.startswith("how many"):
        assert isinstance(found, Who)
        counted = ", ".join(meant(put(body, "Z", name)) for name in NAMES)
        assert all(same(f, f"exactly({n}; {counted})") for n, f in found.answers)
    elif head:
        assert isinstance(found, Who)
        assert found.ranked == (1 if "likeliest" in head else -1 if "least" in head else 0)
        place = "R" if head == "what R" else "Z"
        assert {name for name, _ in found.answers} <= {*ROLES, *NAMES}
        assert len(found.answers) >= 2
        assert all(same(f, meant(put(body, place, name))) for name, f in found.answers)
    elif chance and isinstance(found, HowLikely):
        viewer, inside, relation, bound = chance.groups()
        assert found.agent == (viewer and meant(viewer))
        assert same(found.body, meant(inside))
        assert found.relation == (relation or "")
        if bound and bound[0] == "P":
            assert found.other is not None
            assert same(found.other, meant(bound[2:-1]))
        elif bound:
            assert found.bound == Fraction(meant(bound))
    else:
        assert same(found, meant(meaning))


@pytest.mark.parametrize("seed", range(3))
def test_every_form_means_what_the_list_says(seed: int) -> None:
    rng = random.Random(seed)
    for form in asked_forms():
        words, meant = said(rng)
        check(read_question(form.filled(**words), ABOUT), form.meaning, meant)


def test_a_reader_learns_thirty_forms() -> None:
    assert 25 <= sum(map(len, sections("forms").values())) <= 30


@each(
    [
        *(("Ann and Bo", "[Ann] & [Bo]"), ("both Ann and Bo", "[Ann] & [Bo]"), ("Ann or Bo", "[Ann] | [Bo]")),
        *(("neither Ann nor Bo", "~[Ann] & ~[Bo]"), ("everyone", "[Ann] & [Bo] & [Cy] & [Di]")),
        *(("someone", "[Ann] | [Bo] | [Cy] | [Di]"), ("nobody", "~[Ann] & ~[Bo] & ~[Cy] & ~[Di]")),
        *(("everyone but Di", "[Ann] & [Bo] & [Cy]"), ("at least one of Ann and Bo", "[Ann] | [Bo]")),
        *(("exactly one of Ann and Bo", "([Ann] | [Bo]) & ~([Ann] & [Bo])"),),
    ]
)
def test_several_agents_stand_where_one_does(said: str, meant: str) -> None:
    for form, body in (("is {} a wolf?", "wolf_{}"), ("does {} know that Di is dead?", "K_{} dead_Di")):
        whole = re.sub(r"\[(\w+)\]", lambda found: f"({body.format(found[1])})", meant)  # noqa: B023
        assert same(read_question(form.format(said), ABOUT), whole)


@pytest.mark.parametrize("seed", range(2))
def test_a_form_that_is_typed_can_be_completed_at_every_word(seed: int) -> None:
    rng = random.Random(seed)
    for form in rng.sample(asked_forms(), 12):
        words = form.filled(**said(rng)[0]).rstrip("?").replace(",", " ,").split()
        for number in range(len(words)):
            begun = " ".join([*words[:number], ""])
            offered = completions(begun, ABOUT)
            assert offered, (form.question, number)
            assert len({*offered}) == len(offered)
            for whole in (rest for rest in offered if rest.endswith("?")):
                read_question(f"{begun}{whole}", ABOUT)


def test_words_of_the_page_are_offered_first() -> None:
    assert {*completions("", ABOUT)[:9]} >= {"Who", "What", "Is", "Does"}
    assert {*completions("Does Bo ", ABOUT)[:3]} >= {"know", "think"}
    assert completions("Does Bo know th", ABOUT)[:2] == ("their", "that")
    assert "Cy" in completions("Does Bo know that C", ABOUT)
    assert completions("Is Bo more l", ABOUT)[0] == "likely"
    for nothing in ("Does Zed know ", "Why does Bo ", "Bo Bo ", "Is Bo rather "):
        assert completions(nothing, ABOUT) == ()


@each(
    [
        *(
            "Is Bo always a wolf?",
            "Is Bo absolutely a wolf?",
            "Must Bo always be dead?",
            "Is Bo hardly dead?",
        ),
        *("Is Ann lying?", "Does Bo think that heads is possible?", "Would I know if Bo had attacked Ann?"),
        *(
            "Is it common knowledge that Bo may be a wolf?",
            "Is Bo good or evil?",
            "Does Bo even want Ann dead?",
        ),
        *("Is Bo rarely dead?", "Does Ann mistakenly think that Bo is dead?", "Is Ann nearly dead?"),
    ]
)
def test_what_is_not_understood_is_refused_with_forms_about_the_same(text: str) -> None:
    with pytest.raises(FormulaSyntaxError) as caught:
        read_question(text, ABOUT)
    assert caught.value.meant is None
    offered = re.findall(r'"([^"]+\?)"', str(caught.value).rpartition("(you can ask: ")[2])
    named = {name for name in NAMES if name in text}
    for question in offered:
        read_question(question, ABOUT)
        assert (
            named & {*re.findall(r"\w+", question)} == named
            if len(named) < 2
            else named & {*question.split()}
        )


@each(
    [
        ("Does Bo know that Cy may be a wolf?", "K_Bo M_Bo wolf_Cy"),
        ("Does Bo know that Cy can't be a wolf?", "K_Bo ~M_Bo wolf_Cy"),
        ("Does Bo know that Ann knows that Cy must be a wolf?", "K_Bo K_Ann K_Ann wolf_Cy"),
        ("Does Ann think Bo could be a wolf?", "M_Ann wolf_Bo"),
    ]
)
def test_what_may_be_under_what_is_known_is_the_knowers(text: str, meant: str) -> None:
    assert read_question(text, ABOUT) is parse(meant)


@each(
    [
        ("Was it Bo who attacked Cy?", "attacked_Bo_Cy"),
        ("Is it Cy that Bo attacked?", "attacked_Bo_Cy"),
        ("Is Bo the player who attacked Cy?", "attacked_Bo_Cy"),
        ("Is Bo no wolf?", "~wolf_Bo"),
        ("Is Bo a dead wolf?", "dead_Bo & wolf_Bo"),
        ("Are Bo and Cy the two wolves?", "wolf_Bo & wolf_Cy"),
        ("Bo dead?", "dead_Bo"),
        ("Is Bo dead only if Cy is a wolf?", "dead_Bo -> wolf_Cy"),
        ("Is Bo possibly a wolf?", "somewhere wolf_Bo"),
        ("Is Bo a wolf in all worlds?", "everywhere wolf_Bo"),
        ("In all worlds where Bo is dead, is Cy a wolf?", "everywhere (dead_Bo -> wolf_Cy)"),
        ("Could Bo be a wolf, for all Ann knows?", "M_Ann wolf_Bo"),
        ("Does Ann know that Bo is dead and that Cy is a wolf?", "K_Ann (dead_Bo & wolf_Cy)"),
        ("Has Ann ruled Bo out as a wolf?", "K_Ann ~wolf_Bo"),
        ("Could Ann and Bo work out together that Cy is dead?", "D_{Ann,Bo} dead_Cy"),
        ("Do Ann and Bo know that they are both wolves?", "E_{Ann,Bo} (wolf_Ann & wolf_Bo)"),
        ("Does Ann know that Bo thinks they're both evil?", "K_Ann B_Bo (wolf_Ann & wolf_Bo)"),
        (
            "Does only Ann not know that Bo is dead?",
            "~K_Ann dead_Bo & K_Bo dead_Bo & K_Cy dead_Bo & K_Di dead_Bo",
        ),
        ("Is exactly one dead?", "exactly(1; dead_Ann, dead_Bo, dead_Cy, dead_Di)"),
    ]
)
def test_the_same_in_another_order_of_words(text: str, meant: str) -> None:
    assert same(read_question(text, ABOUT), meant)


@each(
    [
        (
            "Is nobody but Ann possibly the seer?",
            "~(somewhere seer_Bo | somewhere seer_Cy | somewhere seer_Di)",
        ),
        (
            "Does Bo know that no one but Ann is possibly dead?",
            "K_Bo ~(M_Bo dead_Bo | M_Bo dead_Cy | M_Bo dead_Di)",
        ),
        ("Is neither Ann nor Bo definitely a wolf?", "~everywhere wolf_Ann & ~everywhere wolf_Bo"),
        ("Is at most one of Ann and Bo possibly dead?", "atmost(1; somewhere dead_Ann, somewhere dead_Bo)"),
        ("Is somebody definitely dead?", "everywhere (dead_Ann | dead_Bo | dead_Cy | dead_Di)"),
        ("Could neither Ann nor Bo be dead?", "somewhere (~dead_Ann & ~dead_Bo)"),
    ]
)
def test_nobody_who_is_possibly_something_is_one_of_whom_it_may_be_true(text: str, meant: str) -> None:
    assert same(read_question(text, ABOUT), meant)


@each(
    [
        *("If Bo knows that Cy is dead, does Ann know it?", "If Bo had attacked Cy, would Di be dead?"),
        *(
            "Is it known whether Bo is a wolf?",
            "Is Bo dead or alive?",
            "Would Ann think that Bo is dead if Di is?",
        ),
    ]
)
def test_what_may_mean_something_else_is_refused(text: str) -> None:
    with pytest.raises(FormulaSyntaxError):
        read_question(text, ABOUT)


def test_worlds_are_counted() -> None:
    game = QuantumWerewolf(NAMES, wolves=1, rules="cisra").vision("Ann", "Bo", result="evil")
    for said, fact in (("Di the seer", "seer_Di"), ("Bo dead", "dead_Bo"), ("Bo a wolf", "wolf_Bo")):
        answer = game.ask(f"In how many worlds is {said}?")
        assert answer.names == (str(game.ask(fact).verdict.satisfied),)


def test_worlds_of_a_game_are_only_counted_and_only_by_facts() -> None:
    game = QuantumWerewolf(NAMES, wolves=1, rules="cisra")
    for asked in ("In which worlds is Bo dead?", "In how many worlds does Bo know that Cy is dead?"):
        with pytest.raises(GameError, match="only counted in how many worlds a fact is true"):
            game.ask(asked)


MODEL = KripkeModel.from_partitions("wvu", {"a": ["wv", "u"]}, {"p": ["w", "v"], "q": ["w"]}, "w")


@each(
    [
        ("Does a know p and q?", "K_a (p & q)"),
        ("Is p or q true?", "p | q"),
        ("Does a know that not p?", "K_a ~p"),
        ("Does a know that p, not q and p?", "K_a (p & ~q & p)"),
        ("Does a consider ~q possible?", "M_a ~q"),
        ("Does a think q is possible?", "M_a q"),
        ("Isn't q possible?", "somewhere q"),
        ("Can't q be true?", "somewhere q"),
        ("Isn't q common knowledge?", "C_a q"),
        ("Is not q possible?", "somewhere ~q"),
        ("Does a consider both q and not q possible?", "M_a q & M_a ~q"),
        ("Does a know that p and q are both false?", "K_a (~p & ~q)"),
        ("Does a know that p and q are not both true?", "K_a ~(p & q)"),
        ("Would a believe q if told that p?", "B_a^{p} q"),
        ("Who would think that p if told that q?", "B_a^{q} p"),
        ("If q is announced, does a know p?", "[!q]K_a p"),
        ("Does a know p after not q is announced?", "[!~q]K_a p"),
        ("After announcing that p, is it common knowledge that q?", "[!p]C_a q"),
        ("If it is announced that a knows p, who knows q?", "[!K_a p]K_a q"),
        ("Are p and q false?", "~p & ~q"),
        ("Is p and q false?", "~(p & q) or ~p & ~q"),
        ("Is either p or q not true?", "~p | ~q"),
        ("Does a consider it possible that neither p nor q is true?", "M_a ~(p | q)"),
        ("Isn't p false?", "~p"),
        ("Isn't it certain that p and q are both true?", "everywhere (p & q)"),
    ]
)
def test_atoms_are_joined_as_facts_are(text: str, meant: str) -> None:
    found = MODEL.ask(text)
    assert found.read_as == meant


def test_what_are_false_are_each_false_in_a_condition_too() -> None:
    meanings = meanings_of("Does a know p if p and q are false?", Vocabulary(("a",), ("p", "q")))
    assert [*map(str, meanings)] == ["K_a p, if ~p & ~q"]


def test_a_model_names_the_worlds_where_something_is_so() -> None:
    for text, f in (("is q true", "q"), ("does a know q", "K_a q"), ("does a know that p", "K_a p")):
        assert MODEL.ask(f"In which worlds {text}?").names == tuple(MODEL.where(f))
        assert MODEL.ask(f"In how many worlds {text}?").names == (str(len(MODEL.where(f))),)
        for both in (f"If p, in which worlds {text}?", f"In which worlds {text} if p?"):
            assert MODEL.ask(both).names == tuple(MODEL.where(f"p & {f}"))


@each(
    [
        ("Does Ann know whether Bo is a wolf or dead?", "Kw_Ann (wolf_Bo | dead_Bo)"),
        ("Does Ann know whether Bo is a wolf or a seer?", "K_Ann wolf_Bo | K_Ann seer_Bo"),
        ("Does Ann know whether Bo is dead or alive?", "K_Ann dead_Bo | K_Ann ~dead_Bo"),
    ]
)
def test_which_of_two_is_known_where_they_exclude_each_other(text: str, meant: str) -> None:
    assert same(read_question(text, ABOUT), meant)


def test_it_is_no_pronoun_where_nobody_is_named_before() -> None:
    words = muddy_children(2).model.words
    asked = "If it is announced that child 1 is muddy, does child 2 know that it is muddy?"
    with pytest.raises(FormulaSyntaxError, match='column 66: "it" may stand for 1 or 2'):
        read_question(asked, words)
    found = read_question(asked.replace("it is muddy", "child 1 is clean"), words)
    assert str(found) == "[!muddy_1]K_2 ~muddy_1"


def test_what_may_be_is_asked_for_somebody() -> None:
    with pytest.raises(FormulaSyntaxError, match="for whom may it be so"):
        read_question("Is it common knowledge that Bo may be a wolf?", ABOUT)


def test_a_pronoun_stands_for_those_asked_about_beneath_what_another_knows() -> None:
    found = read_question(
        "Which players think it possible that I know what they are?", replace(ABOUT, asker="Bo")
    )
    assert isinstance(found, Who)
    for name, f in found.answers:
        assert same(f, f"M_{name} ({' | '.join(f'K_Bo {role}_{name}' for role in ROLES)})")


def readings(text: str, about: Vocabulary = ABOUT) -> list[Any]:
    try:
        return [read_question(text, about)]
    except SeveralMeanings as error:
        return [*error.readings]


CHILDREN = muddy_children(3).model.words


@each(
    [
        (ABOUT, "Does Ann know that any players know that they are dead?", "dead"),
        (ABOUT, "Does Ann know that some dead players know that they are evil?", "wolf"),
        (ABOUT, "Does Ann know that at least two wolves know that they are dead?", "dead"),
        (CHILDREN, "Does 1 know that 2 children know that they are muddy?", "muddy"),
        (CHILDREN, "Does 1 know how many children know that they are muddy?", "muddy"),
    ]
)
def test_they_are_several_of_a_kind_or_who_is_named(about: Vocabulary, text: str, fact: str) -> None:
    meant = [{atom for atom in f.atoms if atom.startswith(fact)} for f in readings(text, about)]
    assert {f"{fact}_{about.agents[0]}"} in meant
    assert {f"{fact}_{agent}" for agent in about.agents} in meant


def test_one_of_a_kind_is_meant_by_a_pronoun() -> None:
    (found,) = readings("Does a dead player know that she is a wolf?")
    assert same(found, " | ".join(f"(dead_{name} & K_{name} wolf_{name})" for name in NAMES))
    (found,) = readings("Do some players know whether Bo knows that he is dead?")
    assert same(found, " | ".join(f"Kw_{name} K_Bo dead_Bo" for name in NAMES))
    with pytest.raises(FormulaSyntaxError, match='"she" may stand for a wolf or Bo'):
        read_question("Does a wolf think that Bo knows that she is a wolf?", ABOUT)


def test_others_are_others_than_each_of_those_named_or_than_all() -> None:
    found = readings("Does Ann know that Bo knows that someone else is a wolf?")
    others = [{atom.removeprefix("wolf_") for atom in f.atoms} for f in found]
    assert others == [{"Bo", "Cy", "Di"}, {"Ann", "Cy", "Di"}, {"Cy", "Di"}]
    (found,) = readings("Do Ann and Bo know that the others are good?")
    assert same(found, "E_{Ann,Bo} (good_Cy & good_Di)")


def test_a_condition_is_one_of_two_statements() -> None:
    found = read_question("If Di is dead or Cy is a wolf, is Bo dead?", ABOUT)
    assert str(found) == "dead_Bo, if dead_Di | wolf_Cy"


def test_a_kind_stands_before_numbers() -> None:
    found = read_question("Do children 1 and 2 together know that 3 is muddy?", CHILDREN)
    assert str(found) == "D_{1,2} muddy_3"


def test_deaths_are_told_by_the_log() -> None:
    for text, when, whom in (
        *(("Who died in night 1?", "night 1", ()), ("Who died last night?", "night last", ())),
        ("In which night did Bo die?", "", ("Bo",)),
    ):
        assert read_question(text, ABOUT) == WhatHappened(kind="deaths", agents=whom, when=when)


def test_a_look_that_was_seen_is_true_as_it_is_said() -> None:
    game = QuantumWerewolf(NAMES, wolves=1, rules="cisra").vision("Ann", "Bo", result="evil")
    for result, true in (("evil", True), ("good", False)):
        assert game.ask(f"K_Ann saw_Ann_Bo_{result}").holds == true
        assert game.ask(f"Ann looked at Bo and saw {result}").holds == true


@each(
    [
        ("Does Anne have the red card?", "red_Anne"),
        ("Does Bob know that Anne has red?", "K_Bob red_Anne"),
        ("Could Anne hold the white card?", "somewhere white_Anne"),
    ]
)
def test_who_has_a_card(text: str, meant: str) -> None:
    cards = Vocabulary(("Anne", "Bob"), ("red_Anne", "red_Bob", "white_Anne", "white_Bob"))
    assert read_question(text, cards) is parse(meant)


@each(
    [
        ("Did Ann link Bo and Cy?", "linked_Ann_Bo_Cy"),
        ("Did Ann link Cy and Bo?", "linked_Ann_Bo_Cy"),
        ("Are Bo and Di lovers?", "linked_Bo & linked_Di"),
    ]
)
def test_lovers(text: str, meant: str) -> None:
    about = vocabulary(QuantumWerewolf(NAMES, wolves=1, rules="cisra", cards={"cupid": 1}).setup)
    assert read_question(text, about) is parse(meant)


def test_a_look_and_what_it_showed_are_one_statement() -> None:
    about = replace(ABOUT, asker="Ann")
    for text in (
        "I looked at Bo and saw evil",
        "I looked at Bo in night 1 and saw evil",
        "Ann checked Bo and saw a wolf",
    ):
        meant = "saw_Ann_Bo_evil_1" if "night" in text else "saw_Ann_Bo_evil"
        assert read_question(text, about) is parse(meant)


def test_words_of_other_things_are_read() -> None:
    children = Vocabulary(
        ("1", "2"),
        ("muddy_1", "muddy_2"),
        facts=(("clean", "~muddy"),),
        kinds=(("child", "children"),),
        neuter=True,
    )
    coin = Vocabulary(("Anne", "Bob"), ("heads",), facts=(("tails", "~heads"),))
    for text, about, meant in (
        ("Is child 1 clean?", children, "~muddy_1"),
        ("Does child 1 know whether it is muddy?", children, "Kw_1 muddy_1"),
        ("Do all children know that child 2 is muddy?", children, "E_{1,2} muddy_2"),
        ("Does Anne know heads?", coin, "K_Anne heads"),
        ("Is heads common knowledge between Anne and Bob?", coin, "C_{Anne,Bob} heads"),
        ("Could it be tails?", coin, "somewhere ~heads"),
        ("Is it tails?", coin, "~heads"),
    ):
        assert str(read_question(text, about)) == str(parse(meant))


def test_forms_are_offered_about_what_there_is() -> None:
    coin = Vocabulary(("Anne", "Bob"), ("heads",), facts=(("tails", "~heads"),))
    with pytest.raises(FormulaSyntaxError, match='"Does Bob not know that heads is true\\?"') as caught:
        read_question("What does Bob not know?", coin)
    assert "happen" not in str(caught.value)


@pytest.mark.parametrize("name", ["Cy", "Anne", "I"])
def test_what_somebody_knows_is_asked_of_games(name: str) -> None:
    with pytest.raises(FormulaSyntaxError, match=r"one player of a game; .* of a model ask"):
        read_question(f"What does {name} know?", Vocabulary(("Anne", "Bob"), ("heads",)))


def test_a_form_is_filled_at_its_places() -> None:
    form = AskedForm("", "Does X know that Y is F?", "K_X F_Y")
    assert form.places == ("X", "Y", "F")
    assert form.filled(X="Bo", Y="Di", F="dead") == "Does Bo know that Di is dead?"
