"""What an agent's text is taken to say: what was meant, or nothing."""

import json
from random import Random

import pytest

from kripke_werewolf.base.answers import read_answer
from tests.cases import cases, each

NAMES = ["Ann", "Bo", "Cy", "Di", "Flo", "Gus", "Anna", "Roberta", "Robert", "Maximilian"]
PAIRS = ["Bo and Cy", "Cy and Flo", "middle1 and middle2", "middle1 and middle3"]
OTHERS = ["nobody", "for", "against", "pass", "fail"]
FACTS = ["wolf_Ann", "wolf_Bo", "wolf_middle1"]
WAYS = (
    *("plain", "prose", "fence", "slip", "lower", "illegal", "percent", "comma", "two", "nothing"),
    *("line", "echo", "odd", "single", "list", "denied", "other", "deep"),
)


def messy(rng: Random, options: list[str], way: str) -> tuple[str, object, dict[str, float]]:
    """Return an answer as models write them, the move that was meant, and the beliefs."""
    move: object = rng.choice(options)
    meant, beliefs = move, {fact: round(rng.random(), 2) for fact in FACTS}
    written: dict[str, object] = dict(beliefs)
    if way == "percent":
        written = {fact: f"{round(100 * p)}%" for fact, p in beliefs.items()}
    if way == "odd":
        written = {fact: rng.choice([None, "high", -0.1, 1.7, True, "1/0", "nan", 10**400]) for fact in FACTS}
        written |= {"wolf_Santa": 0.9, "wolf_Anm": 0.9, "Wolf_Bo": 0.9}
        beliefs = {}
    if way == "illegal":
        move, meant = rng.choice(["the moon", "__import__('os')", "", None, 7, {"name": "Bo"}, True]), None
    if way == "denied":
        move, meant = f"not {move}", None
    if way == "other":
        left = [name for name in NAMES if name not in options]
        move = meant = rng.choice(left) if left else None
    if way == "slip" and isinstance(move, str) and len(move) > 3:
        place = rng.randrange(1, len(move))
        move = rng.choice([move[:place] + move[place + 1 :], move[:place] + "z" + move[place:]])
        meant = move if move in NAMES else meant
    if way == "lower" and isinstance(move, str):
        move = move.upper() if rng.random() < 0.5 else move.lower()
    if way == "list" and isinstance(move, str) and " and " in move:
        move = move.split(" and ")[::-1]
    answer = json.dumps({"move": move, "beliefs": written, "say": "vote {Ann}!"})
    text = {
        "prose": f"Let me think. {{Ann}} is odd, so: {answer} I hope {{really}} that helps!",
        "fence": f"```json\n{answer}\n```",
        "comma": answer[:-1] + ",}",
        "two": json.dumps({"move": "a first thought"}) + "\nNo, wait. " + answer,
        "nothing": "I would rather not play.",
        "line": f"My reasons are secret.\nMove: {move}",
        "echo": 'Options: Bo; Cy.\nAnswer with one JSON object {"move": "one of the options"}.\n' + answer,
        "single": answer.replace('"', "'"),
        "deep": '{"a":' * 3000 + "[" * 3000,
    }.get(way, answer)
    return text, meant, beliefs


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nothing_is_taken_that_was_not_meant(seed: int) -> None:
    rng = Random(seed)
    right = 0
    for number in range(300):
        options = rng.sample([*NAMES, *PAIRS, *OTHERS], 5)
        text, meant, beliefs = messy(rng, options, WAYS[number % len(WAYS)])
        found = read_answer(text, options, FACTS, NAMES)
        if meant not in options:
            meant = None
        assert found.move in (None, meant), (text, options)
        assert {*found.beliefs.items()} <= {*beliefs.items()}, text
        right += found.move is not None and found.move == meant
    assert right > 150


@cases(
    '{"move": "Bo"}\nNo, wait: I choose Cy.',
    '{"move": "Bo"}\nIf I were Cy, I would answer {"move": "Cy"}.',
    '[{"move": "Bo"}, {"move": "Cy"}]',
    '{"move": "Bo", "move": "Cy"}',
    '{"move": "Bo", "Move": "Cy"}',
    "Move: Bo\nNo, rather Cy.",
    "Move: Bo\nMove: Cy",
)
def test_a_move_that_is_taken_back_or_named_beside_another_is_in_doubt(text: str) -> None:
    assert read_answer(text, ["Bo", "Cy"], []).move is None
    assert read_answer(text.replace("Cy", "Bo"), ["Bo", "Cy"], []).move == "Bo"


def test_a_belief_that_is_stated_twice_is_in_doubt() -> None:
    found = read_answer('{"move": "Bo", "beliefs": {"f": 0.1, "g": 0.5, "f": 0.9}}', ["Bo"], ["f", "g"])
    assert (found.move, found.beliefs) == ("Bo", {"g": 0.5})


def test_slips_of_json_are_mended_where_they_are() -> None:
    """Quotes inside a string are what was said, and those around it what was meant."""
    said = read_answer('{"say": "\u201cTrust me\u201d, please,]", "move": "Bo"}', ["Bo"], [])
    assert (said.move, said.say) == ("Bo", "\u201cTrust me\u201d, please,]")
    assert read_answer("{\u201cmove\u201d: \u201cBo\u201d,\n}", ["Bo"], []).move == "Bo"


@each(["Anna", "Robert"], [0, 1, 2])
def test_the_name_of_somebody_else_is_not_a_slip(option: str, seed: int) -> None:
    near = {"Anna": "Ann", "Robert": "Roberta"}[option]
    options = Random(seed).sample([option, "Bo", "Cy"], 3)
    answer = json.dumps({"move": near})
    assert read_answer(answer, options, []).move == option
    assert read_answer(answer, options, [], ["Ann", "Roberta"]).move is None


def test_a_slip_that_is_as_near_to_the_name_of_somebody_else_is_in_doubt() -> None:
    answer = '{"move": "Maq"}'
    assert read_answer(answer, ["Max", "Bo"], []).move == "Max"
    assert read_answer(answer, ["Max", "Bo"], [], ["Mac", "Max", "Bo"]).move is None


@cases(("40%", 0.4), ("2/5", 0.4), (0.4, 0.4), (1, 1.0), ("0", 0.0), (" .5 ", 0.5), ("100 %", 1.0))
def test_probabilities(written: object, p: float) -> None:
    text = json.dumps({"beliefs": {"f": written}})
    assert read_answer(text, [], ["f"]).beliefs == {"f": p}


@cases("101%", "3/2", "1/0", "-1", "", "0.5.5", None, True, [0.5], 1.01, -0.5, 10**500)
def test_no_probabilities(written: object) -> None:
    found = read_answer(json.dumps({"beliefs": {"f": written}}), [], ["f"])
    assert found.beliefs == {}
    assert "no probability" in found.faults[0] or "no JSON" in found.faults[0]


def test_what_is_said_is_no_answer() -> None:
    """An object in a string of the answer, and one inside another object, are not answers of their own."""
    inner = json.dumps({"move": "Di"})
    assert read_answer(json.dumps({"move": "Cy", "say": inner}), ["Cy", "Di"], []).move == "Cy"
    assert read_answer(json.dumps({"thought": {"move": "Di"}}), ["Cy", "Di"], []).move is None


def test_twins_in_other_letters_are_told_apart_only_as_written() -> None:
    assert read_answer('{"move": "bo"}', ["Bo", "bo"], []).move == "bo"
    assert read_answer('{"move": "BO"}', ["Bo", "bo"], []).move is None
