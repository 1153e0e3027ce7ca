"""What went wrong in a living room: each defect once, in a pseudo-terminal of 80 columns and 24 lines."""

import errno
import os
import random
import re
import signal
import sys
import threading
import time

import pytest

from kripke_werewolf import QuantumWerewolf, replay
from kripke_werewolf.console.screens import Rounds
from kripke_werewolf.tabletop import DEVICE, Keeper
from kripke_werewolf.werewolf import LogFile, log, read_log
from tests.console.terminal import CLEARED, Listed, Pty, plain
from tests.werewolf.test_own_information import night_with_a_known_wolf

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")]

SIZE = (80, 24)
FOUR = ["Ann", "Bo", "Cy", "Di"]
PROMPT = (
    r"(Hand the device to (?P<name>.+?)\. .*press Enter\.|Whom do you (look at|attack)\?"
    r"|Name somebody all the same|Press Enter; the screen is cleared|Enter: the next page"
    r"|(?P<day>day \d+)>|The game is over\. Press)"
)


@pytest.fixture
def terminal(tmp_path):
    opened = []

    def start(*args, **more):
        opened.append(Pty(*args, cwd=tmp_path, size=SIZE, **more))
        return opened[-1]

    yield start
    for each in opened:
        each.close()


def new(rules, names, seed=1, **settings):
    more = [f"--{name}={value}" for name, value in settings.items()]
    return ["play", "--rules", rules, "--players", *names, "--log", "g.jsonl", "--seed", str(seed), *more]


def pages(program):
    """Return the screens that everybody sees, as lines."""
    shared = re.compile(r"Hand the device|^day \d+>|Enter: the next page|The game is over", re.MULTILINE)
    return [screen.strip("\n").split("\n") for screen in program.screens if shared.search(screen)]


@pytest.mark.parametrize(("rules", "players"), [("cisra", 20), ("straat", 12)])
def test_the_table_fits_and_the_news_stay(terminal, rules, players):
    names = [f"Player{number}" for number in range(1, players + 1)]
    program, chance, votes = terminal(*new(rules, names)), random.Random(1), 0
    last = "Hand the device to Player1[.]"
    while votes < 2:
        found = program.prompt(PROMPT)
        votes += bool(found["day"])
        asked = found[0].startswith(("Whom", "Name"))
        program.type(chance.choice(names) if asked or found["day"] else "")
        if votes == 1 and found["day"]:
            break
    program.prompt(last)
    program.type("quit")
    assert program.end() == 0
    screens = pages(program)
    assert len(screens) > players
    for screen in screens:
        assert len(screen) <= 24, screen
        assert all(len(line) <= 80 for line in screen)
        if any("%" in line for line in screen):
            assert any(line.startswith("number") for line in screen)
    (day,) = [screen for screen in screens if any(line.startswith("day ") for line in screen)]
    assert any("found dead" in line for line in day)
    assert any("is voted off" in line for line in screens[-1])  # and stays for the first holders of the night


def test_the_last_screen_says_who_was_what(terminal, tmp_path):
    names, chance = FOUR[:3], random.Random(2)
    program = terminal(*new("straat", names, seed=2, wolves=1))
    while (found := program.prompt(PROMPT)) is not None:
        asked = found[0].startswith(("Whom", "Name"))
        program.type(chance.choice(names) if asked or found["day"] else "")
    assert program.end() == 0
    (last,) = [screen for screen in program.screens if "The game is over" in screen]
    game = replay(tmp_path / "g.jsonl")
    assert re.search(r"player +number +role +died +result", last)
    for name, role in game.known_roles.items():
        assert re.search(rf"^{name} +\d +{role} .*(won|lost)$", last, re.MULTILINE)


def test_a_key_that_is_held_down_chooses_nothing(terminal, tmp_path):
    program, held = terminal(*new("cisra", [*FOUR, "Ed"]), hurried=False), True

    def hold():
        while held:
            os.write(program.master, b"\r")
            time.sleep(0.03)

    program.prompt("Hand the device to Ann")
    key = threading.Thread(target=hold)
    key.start()
    time.sleep(1)
    held = False
    key.join()
    program.prompt("Whom do you look at")
    assert not any("Hand the device to Bo" in screen for screen in program.screens)
    program.type("nobody")  # the private screen refuses an Enter, and asks again
    program.prompt("Press Enter; the screen is cleared", later=True)
    program.type("")
    program.prompt("Hand the device to Bo")
    program.type("quit")
    program.end()
    assert [(choice.actor, choice.target) for choice, _ in read_log(tmp_path / "g.jsonl").choices] == [
        ("Ann", None)
    ]


def test_one_choice_is_changed_and_the_others_stay(terminal, tmp_path):
    program = terminal(*new("gekka", [*FOUR, "Ed"], wolves=1))
    for name, target in (("Ann", "Bo"), ("Bo", "Cy")):
        program.prompt(f"Hand the device to {name}")
        program.type("")
        program.prompt("Whom do you look at")
        program.type(target)
        program.prompt("Press Enter; the screen is cleared")
        program.type("")
    program.prompt("Hand the device to Cy")
    program.type("again Ann")
    program.prompt("Hand the device to Ann")
    program.type("")
    program.prompt("Whom do you look at")
    assert "You have chosen: look at Bo. Enter keeps it." in program.screens[-1]
    program.type("Di")
    program.prompt("Press Enter; the screen is cleared")
    program.type("Cy")  # and once more, on the way out
    program.prompt("Hand the device to Cy")
    program.type("quit")
    program.end()
    chosen = {choice.actor: choice.target for choice, _ in read_log(tmp_path / "g.jsonl").choices}
    assert chosen == {"Ann": "Cy", "Bo": "Cy"}


def test_a_program_that_is_ended_leaves_no_secret_on_the_screen(terminal):
    program = terminal(*new("cisra", FOUR))
    program.prompt("Hand the device to Ann")
    program.type("")
    program.prompt("Whom do you look at")
    assert "Your number is" in program.screens[-1]
    os.kill(program.child.pid, signal.SIGTERM)
    assert program.end() == 128 + signal.SIGTERM
    assert "Your number is" not in program.screens[-1]


def test_a_full_disk_leaves_no_secret_on_the_screen(tmp_path, monkeypatch):
    def full(file, data):
        raise OSError(errno.ENOSPC, "No space left on device")

    game = QuantumWerewolf(FOUR, rules="cisra", rng=1)
    with LogFile.create(tmp_path / "g.jsonl", game) as file:
        keeper = Keeper(file, DEVICE, seed=1)
        monkeypatch.setattr(log, "_write_all", full)
        terminal = Listed(lambda prompt, _: "Bo" if "Whom" in prompt else "")
        with pytest.raises(OSError, match="No space left"):
            Rounds(keeper, terminal).run()
    assert "Your number is" in terminal.screens[-2]
    assert terminal.screens[-1] == ""


@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit for another program's files")
def test_after_a_full_disk_the_game_goes_on_where_it_was(terminal, tmp_path):
    import resource

    program, path = terminal(*new("cisra", FOUR)), tmp_path / "g.jsonl"
    for name, target in (("Ann", "Bo"), ("Bo", "Cy")):
        program.prompt(f"Hand the device to {name}")
        program.type("")
        program.prompt("Whom do you look at")
        if name == "Bo":
            kept, limit = path.read_bytes(), path.stat().st_size + 10
            resource.prlimit(program.child.pid, resource.RLIMIT_FSIZE, (limit, limit))
        program.type(target)
        if name == "Ann":
            program.prompt("Press Enter; the screen is cleared")
            program.type("")
    assert program.end() == 2
    assert path.read_bytes() == kept
    assert "g.jsonl: File too large" in program.screens[-1]
    assert "Your number is" not in program.screens[-1]
    assert "Traceback" not in program.output
    program = terminal("play", "g.jsonl")
    assert program.prompt("Hand the device to (.+?)[.] ")[1] == "Bo"


def test_the_words_of_the_shared_screen_on_a_private_one(terminal):
    program = terminal(*new("cisra", FOUR))
    program.prompt("Hand the device to Ann")
    program.type("")
    for word in ("undo", "quit", ""):
        program.prompt("Whom do you look at")
        program.type(word)
    program.prompt("Whom do you look at")
    screen = program.screens[-1]
    assert "'undo' is for the screen that everybody sees" in screen
    assert "'quit' is for the screen that everybody sees" in screen
    assert "unknown player" not in screen
    assert "Write a name; 'nobody' to decline" in screen


def test_colours(terminal):
    for more, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
        program = terminal(*new("cisra", FOUR)[:-4], "--log", f"{coloured}.jsonl", **more)
        program.prompt("Hand the device to Ann")
        program.type("")
        program.prompt("Whom do you look at")
        assert ("\x1b[1;36mAnn, night 0, visions" in program.output.split(CLEARED)[-1]) == coloured
        assert "Ann, night 0, visions" in plain(program.output)


def refused_attack(tmp_path, target, second):
    """Return the prompts of a night in which Ann attacks somebody, and then somebody else."""
    game = night_with_a_known_wolf()
    path, prompts = tmp_path / f"{target}{second}.jsonl", []
    with LogFile.create(path, game) as file:
        keeper = Keeper(file, DEVICE, seed=1)

        def answer(prompt, terminal):
            kinds = [kind for kind in ("Hand the device", "Whom") if kind in prompt]
            prompts.append(kinds[0] if kinds else "leave")
            holder = terminal.screens[-1].split(",")[0]
            if "Hand the device to Bo" in prompt:
                return None
            if "Whom" in prompt:
                return target
            return second if holder == "Ann" and "somebody else" in prompt else ""

        terminal = Listed(answer)
        Rounds(keeper, terminal).run()
        return prompts, keeper.sitting.choice("Ann", "attack"), "".join(terminal.screens)


def test_a_refused_attack_costs_no_prompt(tmp_path):
    taken, choice, _ = refused_attack(tmp_path, "Cy", "")
    assert choice.target == "Cy"
    refused, choice, screens = refused_attack(tmp_path, "Bo", "Cy")
    assert choice.target == "Cy"
    assert "Bo is a wolf in every remaining world" in screens
    assert refused == taken == ["Hand the device", "Whom", "leave", "Hand the device"]
    left, choice, _ = refused_attack(tmp_path, "Bo", "")
    assert choice is None  # the device comes again
    assert left == taken


def test_public_targets_are_told_once():
    game = QuantumWerewolf(FOUR, rules="gekka", wolves=1, targets="public").vision("Ann", "Bo", result="wolf")
    assert game.handout("Ann").told[0] == ("You look at Bo and see: wolf.",)
    assert game.handout("Cy").told[0] == ("Ann looks at Bo.",)
