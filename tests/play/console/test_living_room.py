"""What went wrong in a living room: each defect once, in a pseudo-terminal of 80 columns and 24 lines."""

import errno
import os
import random
import re
import signal
import sys

import pytest

from kripke_werewolf import QuantumWerewolf
from kripke_werewolf.games.werewolf import LogFile, log
from kripke_werewolf.play.console.screens import Rounds
from kripke_werewolf.play.tabletop import DEVICE, Keeper
from tests.games.werewolf.test_own_information import night_with_a_known_wolf
from tests.play.console.terminal import CLEARED, Listed, plain

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")]

SIZE = (80, 24)
FOUR = ["Ann", "Bo", "Cy", "Di"]
PROMPT = (
    r"(Hand the device to (?P<name>.+?)\. .*press Enter\.|Whom do you (look at|attack)\?"
    r"|Name somebody all the same|Press Enter; the screen is cleared"
    r"|(?P<day>day \d+)>|The game is over\. Press)"
)


def new(rules, names, seed=1, **settings):
    more = [f"--{name}={value}" for name, value in settings.items()]
    return ["play", "--rules", rules, "--players", *names, "--log", "g.jsonl", "--seed", str(seed), *more]


def pages(program):
    """Return the screens that everybody sees, as lines."""
    shared = re.compile(r"Hand the device|^day \d+>|The game is over", re.MULTILINE)
    return [screen.strip("\n").split("\n") for screen in program.screens if shared.search(screen)]


@pytest.mark.parametrize(("rules", "players"), [("cisra", 20), ("straat", 12)])
def test_the_news_stay_below_the_table(terminal, rules, players):
    """Twelve players fit on a screen; of the table of more the first rows are scrolled away."""
    names = [f"Player{number}" for number in range(1, players + 1)]
    program, chance, votes = terminal(*new(rules, names)), random.Random(1), 0
    last = "Hand the device to"
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
        assert len(screen) <= 24 or players > 12, screen
        assert all(len(line) <= 80 for line in screen)
        if any("%" in line for line in screen):
            assert any(line.startswith("number") for line in screen)
    (day,) = [screen for screen in screens if any(line.startswith("day ") for line in screen)]
    assert any("found dead" in line for line in day[-24:])
    assert any("is voted off" in line for line in screens[-1][-24:])  # for the first holders of the night


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
        assert ("\x1b[1;36mAnn, night 1, visions" in program.output.split(CLEARED)[-1]) == coloured
        assert "Ann, night 1, visions" in plain(program.output)


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
