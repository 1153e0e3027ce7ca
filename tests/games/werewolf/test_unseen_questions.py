"""Questions by somebody who had not seen the reader, and how the parts of questions combine."""

import json
import random
import re
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from kripke_werewolf import FormulaSyntaxError, QuantumWerewolf, parse
from kripke_werewolf.games.werewolf.setup import Setup
from kripke_werewolf.games.werewolf.vocabulary import vocabulary
from kripke_werewolf.logic.english.questions import HowLikely, Question, Supposed, WhatHappened, Who
from kripke_werewolf.logic.english.sentence_parser import SeveralMeanings
from kripke_werewolf.logic.formulas import Formula
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.notation.reading import read_asked
from tests.cases import cases, each
from tests.games.werewolf.test_players_questions import ALL, FIVE, SETUP, YES_OR_NO, for_each, same, some

DATA = Path(__file__).parents[2] / "data" / "players_questions.jsonl"
UNSEEN = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]


@cache
def outcome(text: str, asker: str, setup: Setup) -> tuple[tuple[Question, ...], list[str]]:
    """Return all readings of a question; if it is refused, none and the questions that are offered."""
    try:
        return (read_asked(text, replace(vocabulary(setup), asker=asker)),), []
    except SeveralMeanings as several:
        return several.readings, []
    except FormulaSyntaxError as error:
        return (), [text for text in (error.meant or "").split("\nor: ") if text]


def readings(text: str, asker: str = "", setup: Setup = SETUP) -> tuple[Question, ...]:
    """Return all readings of a question, none if it is refused; of conditions, as formulas have them."""
    return tuple(map(flat, outcome(text, asker, setup)[0]))


def flat(found: Question) -> Question:
    """Return a question on a condition as one of formulas that are true if the answer is yes."""
    if isinstance(found, Supposed) and isinstance(found.asked, Formula):
        return _supposed(found.given, found.asked)[-1]
    if isinstance(found, Supposed) and isinstance(found.asked, Who) and not found.asked.ranked:
        answers = ((name, _supposed(found.given, f)[-1]) for name, f in found.asked.answers)
        return replace(found.asked, answers=tuple(answers))
    return found


def means(found: Question, asked: dict[str, Any]) -> bool:
    """Whether a reading is what was asked."""
    if isinstance(found, Formula):
        return "meaning" in asked and same(found, asked["meaning"])
    if isinstance(found, WhatHappened):
        return "happened" in asked
    if isinstance(found, Who):
        answers = asked.get("answers", {})
        right = all(name in answers and same(f, answers[name]) for name, f in found.answers)
        return right and len(found.answers) == len(answers) and found.ranked == asked["ranked"]
    meant = dict(asked.get("chance", {}))
    meant["bound"] = Fraction(meant.get("bound", -1))
    assert meant.pop("factor", "1") == "1"
    assert not meant.pop("given", None)
    for part in ("body", "other"):
        meant[part] = parse(meant[part]) if meant.get(part) else None
    return found == HowLikely(**meant)


def test_no_question_is_misread_and_most_are_read() -> None:
    read = {asked["text"]: readings(asked["text"], asked["asker"]) for asked in UNSEEN}
    wrong = [a["text"] for a in UNSEEN if read[a["text"]] and not any(means(r, a) for r in read[a["text"]])]
    assert not wrong
    assert all(read.values())


BLIND = [
    json.loads(line)
    for line in (DATA.parent / "blind_questions.jsonl").read_text(encoding="utf-8").splitlines()
]


def test_the_writer_of_a_question_and_its_reader_mean_the_same() -> None:
    """The meanings are those of the writer, who had not seen the reader.

    `also`: what is read where they differ in what is taken for granted: that a fact of which somebody is
    unaware is one, or that nobody else is meant by nobody.
    """
    wrong = []
    for asked in BLIND:
        found = [f for f in readings(asked["text"], asked["asker"]) if isinstance(f, Formula)]
        meant = [asked[key] for key in ("meaning", "also") if key in asked]
        if found and not any(same(f, one) for f in found for one in meant):
            wrong.append(asked["text"])
        assert found, asked["text"]
    assert not wrong


PEOPLE = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo"]
SETUPS = {n: QuantumWerewolf(PEOPLE[:n], rules="cisra", wolves=2, seers=1).setup for n in (4, 6)}
OF_GAMES = [
    json.loads(line)
    for line in (DATA.parent / "asked_of_games.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.mark.filterwarnings("ignore:.*is read as")
def test_no_question_to_a_game_is_misread_and_most_are_read() -> None:
    """The first of the meanings are those of the writers, who had not seen the reader.

    Others say what is taken for granted: that what may be is what the asker holds possible, that there is one
    seer, that visions show `evil` and `good`, and that the first night of these rules is night 1. No reading
    is right where no question is clear (`refused`). Questions that are offered are about the same players.
    """
    wrong, read = [], 0
    for asked in OF_GAMES:
        setup, said = SETUPS[asked["players"]], asked["text"] + asked["asker"]
        found, others = outcome(asked["text"], asked["asker"], setup)
        found = tuple(map(flat, found))
        read += bool(found) and "refused" not in asked
        if found and not fits(found, asked):
            wrong.append(asked["text"])
        for text in others:
            read_asked(text, replace(vocabulary(setup), asker=asked["asker"]))
            named = {name for name in PEOPLE if re.search(rf"\b{name}\b", text, re.IGNORECASE)}
            assert all(re.search(rf"{name}|\d", said, re.IGNORECASE) for name in named)
    assert not wrong
    assert read == sum("refused" not in asked for asked in OF_GAMES)


def fits(found: tuple[Question, ...], asked: dict[str, Any]) -> bool:
    """Whether the readings of a question to a game are right."""
    if "meanings" in asked:
        meant = [plain(one) for one in asked["meanings"]]
        return any(same(parse(plain(str(f))), one) for f in found for one in meant)
    if "chance" in asked.get("open", ()):
        meant = plain(asked["open"]["chance"]).replace("P(", "P_X(").split(" || ")
        held = [parse(plain(str(f.of(f.agent or "X")))) for f in found if isinstance(f, HowLikely)]
        return any(f is parse(one) for f in held for one in meant)
    return len(found) != 1 or not (isinstance(found[0], Formula) or "refused" in asked)


def plain(meaning: str) -> str:
    """Return a meaning without the word for "no wolf"."""
    return re.sub(r"\bgood_(\w+)", r"~wolf_\1", meaning)


def misread(asked: Iterable[tuple[str, str]], asker: str = "") -> list[str]:
    """Return the questions that do not have one reading, the one that is given."""
    found = [(text, meant, readings(text, asker)) for text, meant in asked]
    return [text for text, meant, read in found if len(read) != 1 or not same(read[0], meant)]


NAMED = [asked for asked in UNSEEN if re.search(r"\b(Ann|Bo|Cy|Di|Ed)\b", asked["text"])]
CYCLE = {"Ann": "Bo", "Bo": "Cy", "Cy": "Di", "Di": "Ed", "Ed": "Ann"}


def test_the_names_of_players_do_not_matter() -> None:
    def renamed(f: Formula) -> Formula:
        return f.rename(agents=lambda a: CYCLE[a], atoms=lambda a: re.sub("Ann|Bo|Cy|Di|Ed", in_cycle, a))

    def in_cycle(found: re.Match[str]) -> str:
        return CYCLE[found[0]]

    for asked in NAMED[::3]:
        text = re.sub(r"\b(Ann|Bo|Cy|Di|Ed)\b", in_cycle, asked["text"])
        before, after = readings(asked["text"], asked["asker"]), readings(text, CYCLE.get(asked["asker"], ""))
        assert len(before) == len(after), text
        for one, other in zip(before, after, strict=True):
            if isinstance(one, Formula):
                assert renamed(one) is other or same(renamed(one), str(other)), text


SIMPLE = [
    (text, meant)
    for text, meant in YES_OR_NO
    if re.match("(?i)(is|are|does|do|did|has) ", text) and not re.search(r"\b(him|her|he|each other)\b", text)
]


def test_what_stands_in_front_of_any_question() -> None:
    dead, wrong = s.Atom("dead_Ed"), []
    fronts = (
        ("Provided that Ed is dead, ", dead),
        ("If Ed's dead, ", dead),
        ("Unless Ed is dead, ", ~dead),
        ("Supposing Ed isn't dead, then ", ~dead),
    )
    for (text, meant), (front, condition) in product(SIMPLE, fronts):
        asked, whole = front + text[0].lower() + text[1:], _supposed(condition, parse(meant))
        found = [f for f in readings(asked) if isinstance(f, Formula)]
        if found and not any(same(f, str(one)) for f in found for one in whole):
            wrong.append(asked)
    assert not wrong


CHANGING = [
    "Unless it rains, ", "unles it rains, ", "Hardly, ", "hardyl, ", "Only then, ", "Supposing so, ",
    "Tonight, ", "Why oh why: ", "Dear game master, I think he lies: ",
]  # fmt: skip


def test_words_in_front_are_not_passed_over() -> None:
    for text, _ in SIMPLE[::8]:
        for front in CHANGING:
            assert readings(front + text) == (), front + text


@pytest.mark.filterwarnings("ignore:.*is read as")
@pytest.mark.parametrize("seed", range(3))
def test_misspelt_words_change_no_meaning(seed: int) -> None:
    rng, read = random.Random(seed), 0
    for text, meant in rng.sample(YES_OR_NO, 8):
        words = [word for word in re.findall(r"\w+", text)[1:] if len(word) > 3 and word not in FIVE]
        word = rng.choice(words or [text])
        swapped = rng.randrange(1, len(word) - 1)
        typed = word[:swapped] + word[swapped + 1] + word[swapped] + word[swapped + 2 :]
        found = readings(re.sub(rf"\b{re.escape(word)}\b", typed, text, count=1))
        assert not found or any(same(f, meant) for f in found), (text, typed)
        read += bool(found)
    assert read >= 5


@cases(
    ("Ann Bo", "Is Ally dead?", None),
    ("Ann Bo", "is ally dead?", None),
    ("Ann Bo", "Does Bo know that Noe is dead?", None),
    ("Will Bo", "Does Bo know that Wil is dead?", None),
    ("Al Ali Bob", "is alli dead?", None),
    ("Don Bo", "Don't Don and Bo know that Don is dead?", "E_{Bo,Don} dead_Don"),
    ("May Will", "May Will be a wolf?", "somewhere wolf_Will"),
    ("May Will", "Does May know that Will is dead?", "K_May dead_Will"),
)
def test_names_are_no_words_and_words_no_names(players: str, text: str, meant: str | None) -> None:
    found = readings(text, setup=QuantumWerewolf(players.split(), rules="cisra", wolves=1).setup)
    assert [str(f) for f in found] == ([] if meant is None else [meant])


SURE = [
    ("Is Bo definitely not the wolf?", "everywhere ~wolf_Bo"),
    ("Does Ann know for sure that Bo is the wolf?", "K_Ann wolf_Bo"),
]  # fmt: skip


def test_what_is_so_for_certain_is_so_in_all_worlds() -> None:
    assert not misread(SURE)


@each(["P_Ann(wolf_Bo)", "Pr_Ann(wolf_Bo) = ?", "What is Ann's chance that Bo is the wolf?"])
def test_a_chance_alone_is_asked_as_a_number(text: str) -> None:
    assert readings(text) == (HowLikely("Ann", parse("wolf_Bo")),)


def _supposed(condition: Formula, asked: Formula) -> list[Formula]:
    """Return what a question means under a condition: if it is about all worlds, in those where it holds."""
    whole = [condition >> asked]
    if isinstance(asked, s.Everywhere):
        whole.append(s.Everywhere(condition >> asked.body))
    if isinstance(asked, s.Somewhere):
        whole.append(s.Somewhere(condition & asked.body))
    return whole


LOOKED_AT_ATTACKER = " | ".join(f"attacked_{p}_Cy & looked_Bo_{p}" for p in ("Ann", "Di", "Ed"))
COMPOSED = [
    ("", "Did Bo look at the player who attacked Cy?", LOOKED_AT_ATTACKER),
    ("", "Might nobody be dead?", f"somewhere {for_each('~dead_X')}"),
    ("", "For all Ann knows, did Bo attack Cy?", "M_Ann attacked_Bo_Cy"),
    ("", "If Ann and Bo shared what they know, would they know that Cy is the wolf?", "D_{Ann,Bo} wolf_Cy"),
    ("Ann", "Did anyone other than Bo look at me?", "looked_Cy_Ann | looked_Di_Ann | looked_Ed_Ann"),
    ("", "For Ann, is Bo more likely to be the wolf than Cy?", "P_Ann(wolf_Bo) - P_Ann(wolf_Cy) > 0"),
    ("", "Is it common knowledge who the wolf is?", some(f"C_{{{ALL}}} wolf_X")),
]  # fmt: skip


def test_parts_that_are_combined() -> None:
    for asker in ("", "Ann", "Cy"):
        assert not misread([(text, meant) for who, text, meant in COMPOSED if who == asker], asker)


@cases(
    ("Ann does not think that Bo is the wolf", {"~B_Ann wolf_Bo", "B_Ann ~wolf_Bo"}),
    ("Are two of Ann, Bo and Cy dead?",
     {f"{n}(2; dead_Ann, dead_Bo, dead_Cy)" for n in ("atleast", "exactly")}),
)  # fmt: skip
def test_all_meanings_are_found(text, meant) -> None:
    assert set(readings(text)) == set(map(parse, meant))


OTHERS = {"Bo", "Cy", "Di", "Ed"}


@cases(
    ("Who besides Ann knows that Bo is the wolf?", "K_X wolf_Bo", OTHERS),
    ("Who could the wolf be if Bo is good?", "somewhere (good_Bo & wolf_X)", {*FIVE}),
    ("Who was Ann attacked by?", "attacked_X_Ann", OTHERS),
    ("Who did nobody attack?", f"~{some('attacked_Y_X', 'Y')}", {*FIVE}),
)
def test_who_did_what_to_whom(text, meant, names) -> None:
    (found,) = readings(text)
    assert isinstance(found, Who), text
    assert {name for name, _ in found.answers} == names, text
    for name, f in found.answers:
        one = parse(meant.replace("X", name)).substitute({f"attacked_{name}_{name}": s.FALSE})
        assert same(f, str(one)), text


def test_whether_all_may_be_something_has_two_meanings() -> None:
    joint, each_of_them = readings("Could everyone be a villager?")
    assert same(joint, f"somewhere {for_each('villager_X')}")
    assert same(each_of_them, for_each("somewhere villager_X"))


def test_an_object_is_not_the_subject_of_its_clause() -> None:
    for verb, stem in (("attack", "attacked"), ("look at", "looked")):
        (found,) = readings(f"Does Ann know that Bo did not {verb} her?")
        assert found is parse(f"K_Ann ~{stem}_Bo_Ann")


@pytest.mark.parametrize("seed", range(3))
def test_any_words_are_read_or_refused(seed: int) -> None:
    rng, seen = random.Random(seed), " ".join(asked["text"] for asked in UNSEEN)
    words = sorted({*re.findall(r"[\w']+|[^\w\s]", seen)})
    pronouns = re.findall(r"\w+", "I me us them him her she they neither one of between and")
    for _ in range(25):
        said = [rng.choice(rng.choice((words, pronouns, FIVE))) for _ in range(rng.randint(1, 9))]
        readings(" ".join(said), rng.choice(("", "Ann", "Bo")))


@each(
    [
        *(f"Does Bo {verb} evil?" for verb in ("seem", "claim", "expect")),
        *(
            f"Is {who} more likely to be the wolf than Bo?"
            for who in ("nobody", "anybody", "either Ann or Cy")
        ),
        *(
            f"is Bo {said}?"
            for said in ("dead on nights 1 and 2", "a wolf on nights 1 and 2", "dead last night")
        ),
        *(f"does Ann know that Bo is a wolf {when}?" for when in ("on nights 1 and 2", "last night")),
        *("Is one of us two the wolf?", "Is it 120 % likely that Bo is the wolf?"),
    ]
)
def test_words_that_change_the_meaning_are_not_passed_over(text: str) -> None:
    assert readings(text, "Ann") == ()
