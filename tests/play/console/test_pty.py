"""The console in a pseudo-terminal: whole games of every rule set, completion, breaks, wrong input."""

import random
import re
import sys

import pytest

from kripke_werewolf import read_log, replay
from tests.play.console.test_screens import SECRETS

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")]

NAMES = ["Ann", "Mary Ann", "Cy", "Di", "Ed"]
PROMPT = (
    r"(Hand the device to (?P<name>.+?)\. .*press Enter\.|Whom do you (look at|attack)\?"
    r"|Name somebody all the same|Press Enter; the screen is cleared"
    r"|(?P<day>day \d+)>|(?P<night>night [^>]*)>|The game is over)"
)


def answer(found, chance):
    if found["day"]:
        return chance.choice(NAMES)
    if found[0].startswith(("Whom", "Name")):
        return chance.choice([*NAMES, "Zed"])
    return ""


@pytest.mark.parametrize("rules", ["gekka", "straat"])
def test_a_whole_game(terminal, tmp_path, rules):
    chance, names = random.Random(4), NAMES[:4]
    program = terminal(
        "play", "--rules", rules, "--wolves", "1", "--players", *names, "--log", "g.jsonl", "--seed", "4"
    )
    prompts = 0
    while (found := program.prompt(PROMPT)) is not None:
        prompts += 1
        program.type(answer(found, chance))
        if prompts == 12:  # the power goes
            program.child.kill()
            program.end()
            program = terminal("play", "g.jsonl", "--seed", "4")
    assert program.end() == 0
    assert prompts > 20
    game = replay(tmp_path / "g.jsonl")
    assert game.verdict is not None
    for screen in program.screens:
        if "Hand the device" in screen or re.search(r"day \d+>", screen):
            assert not SECRETS.search(screen)
    assert "The game is saved in g.jsonl" in program.screens[-1]


def test_completion_and_wrong_input(terminal, tmp_path):
    program = terminal("play", "--rules", "cisra", "--players", *NAMES, "--log", "g.jsonl", "--seed", "1")
    assert program.prompt(PROMPT)["name"] == "Ann"
    program.type("")
    program.prompt(r"Whom do you look at\?")
    program.type("Ann")
    program.prompt(r"Whom do you look at\?")
    program.type("Zed")
    program.prompt(r"Whom do you look at\?")
    program.complete("Ma", "ry Ann")
    program.type("")
    program.prompt("Press Enter")
    assert "Refused: Ann cannot look at Ann" in program.screens[-1]
    assert "Refused: unknown player 'Zed'" in program.screens[-1]
    (choice,) = read_log(tmp_path / "g.jsonl").choices
    assert choice.target == "Mary Ann"
    program.type("")
    program.prompt("Hand the device to Mary Ann")
    program.type("quit")
    assert program.end() == 0
    assert "To continue: kripke-werewolf play g.jsonl" in program.screens[-1]


def test_a_question_is_completed_and_answered(terminal):
    program = terminal("play", "--rules", "cisra", "--players", *NAMES, "--log", "g.jsonl", "--seed", "1")
    program.prompt(PROMPT)
    program.type("")
    program.prompt(r"Whom do you look at\?")
    for begun, rest in (("Could Mary", " Ann"), (" be a wo", "lf")):
        program.complete(begun, rest)
    program.type("?")
    program.prompt(r"Whom do you look at\?")
    assert "yes (read as M_Ann wolf_{Mary Ann})" in program.screens[-1]


def test_keys_typed_ahead_do_not_reach_the_next_screen(terminal, tmp_path):
    program = terminal(
        "play", "--rules", "cisra", "--players", *NAMES, "--log", "g.jsonl", "--seed", "1", hurried=False
    )
    program.prompt("Hand the device to Ann")
    program.type("\r" * 20)
    assert program.prompt("Whom do you look at|Hand the device")[0] == "Whom do you look at"
    program.type("nobody")
    program.prompt("Press Enter; the screen is cleared")
    program.type("\r" * 20)
    assert program.prompt("Hand the device to Mary Ann")
    program.type("quit")
    assert program.end() == 0
    assert len(read_log(tmp_path / "g.jsonl").choices) == 1


def test_the_end_of_input_and_an_interrupt_save_the_game(terminal, tmp_path):
    for key in ("\x04", "\x03"):
        log = f"{ord(key)}.jsonl"
        program = terminal("play", "--players", *NAMES, "--log", log)
        program.prompt("Hand the device")
        program.type(key)
        assert program.end() == 0
        assert replay(tmp_path / log).steps == ()
