"""`play` with a script on standard input: a whole game, refusals, options, a program that is ended."""

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from kripke_werewolf import read_log, replay
from kripke_werewolf.cli.declared import COMMANDS
from kripke_werewolf.cli.main import cli
from kripke_werewolf.games.werewolf.log import HouseRules
from tests.forked import run

ROOT = Path(__file__).parent.parent.parent
PLAYERS = ["Ann", "Bo", "Cy", "Di", "Ed"]
NEW = ["play", "--rules", "cisra", "--players", *PLAYERS, "--log", "g.jsonl", "--seed", "2"]


def command(*args, cwd, script=""):
    """Run the program in a new process; return its exit code, output and errors."""
    code, out, err = run(args, cwd=cwd, script=script)
    assert "Traceback" not in err, err
    return code, out, err


def play(args, script, cwd):
    """Run `play` in this process; return the exit code, the output and the error."""
    before = Path.cwd()
    os.chdir(cwd)
    try:
        result = CliRunner().invoke(cli, args, input=script)
    finally:
        os.chdir(before)
    return result.exit_code, result.output, result.exception


def header(path):
    return json.loads(path.read_text(encoding="utf-8").splitlines()[0])


def test_a_game_from_a_script(tmp_path):
    script = """
        # the first night
        vision Ann Bo as good
        vision Bo Cy as evil
        decline Cy
        end

        burn Cy as villager
        attack Ann Bo
        attack Bo Di
        attack Di Ed
        attack Ed Ann
        vision Ann Di as good
        end
        table
        status
    """
    code, out, err = command(*NEW, cwd=tmp_path, script=script)
    assert (code, err) == (0, "")
    assert "tell Ann: You look at Bo and see: good." in out
    assert "tell all: Cy is voted off and was good." in out
    assert "tell all: the table" in out
    assert "== day 1 ==" in out
    assert "To continue: kripke-werewolf play g.jsonl" in out
    game = replay(tmp_path / "g.jsonl")
    assert str(game.phase) == "day 2"
    numbers = [line for line in out.splitlines() if "Your number is" in line]
    assert len(numbers) == 5
    assert sorted(game.setup.numbers) == [1, 2, 3, 4, 5]
    code, out, _ = command("play", "g.jsonl", cwd=tmp_path, script="burn Ann Bo\n")
    assert code == 0
    assert len(replay(tmp_path / "g.jsonl").steps) == len(game.steps) + 1


@pytest.mark.parametrize("language", ["nl", "my words/fy.ftl"])
def test_what_to_type_to_go_on_names_the_language(tmp_path, language):
    (tmp_path / "my words").mkdir()
    (tmp_path / "my words" / "fy.ftl").write_text("game-over = Dien.\n", encoding="utf-8")
    _, out, _ = command(*NEW, "--language", language, cwd=tmp_path)
    typed = next(line for line in out.splitlines() if line.startswith("To continue: kripke-werewolf "))
    given = shlex.split(typed.removeprefix("To continue: kripke-werewolf "))
    assert given == ["play", "g.jsonl", "--language", language]
    code, again, err = command(*given, cwd=tmp_path)
    assert (code, err) == (0, "")
    assert typed in again


def test_house_rules_and_the_seed_last_over_a_break(tmp_path):
    """A game in two sittings is the same as in one, without repeating the options."""
    first, day, night = "end\n", "vote Ann Bo\n", "end\nend\n"
    settings = ["--missing", "random"]
    code, _, _ = play([*NEW, *settings], first + day + night, tmp_path)
    assert code == 0
    whole = replay(tmp_path / "g.jsonl")
    broken = [*NEW[:-3], "b.jsonl", *NEW[-2:]]
    assert play([*broken, *settings], first, tmp_path)[0] == 0
    assert play(["play", "b.jsonl"], day, tmp_path)[0] == 0
    assert play(["play", "b.jsonl"], night, tmp_path)[0] == 0
    assert replay(tmp_path / "b.jsonl") == whole
    assert (tmp_path / "b.jsonl").read_bytes() == (tmp_path / "g.jsonl").read_bytes()


def test_house_rules_may_be_changed_on_the_way(tmp_path):
    play([*NEW, "--ties", "village"], "end\n", tmp_path)
    refused = play(["play", "g.jsonl"], "vote Ann Bo\n", tmp_path)
    assert refused[0] != 0
    assert "the village decides" in str(refused[2])
    assert play(["play", "g.jsonl", "--ties", "lot"], "", tmp_path)[0] == 0
    assert play(["play", "g.jsonl"], "vote Ann Bo\n", tmp_path)[0] == 0
    assert read_log(tmp_path / "g.jsonl").session == (HouseRules(), 2)


@pytest.mark.parametrize(
    "given", [["--burnings", "2"], ["--wolves", "2"], ["--deal", "classical"], ["--sample", "3"]]
)
def test_what_is_settled_is_not_changed_silently(tmp_path, given):
    play(NEW, "", tmp_path)
    code, _, error = play(["play", "g.jsonl", *given], "end\n", tmp_path)
    assert code != 0
    assert f"leave out {given[0]}" in str(error)
    assert replay(tmp_path / "g.jsonl").steps == ()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("attack Ann Bo", "there are no attacks in night 1, visions"),
        ("vision Ann Ann", "allow no vision on oneself"),
        ("vision Ann Zed", "unknown player 'Zed'; did you mean 'Ed'"),
        ("vizion Ann Bo", "unknown command 'vizion'; did you mean 'vision'"),
        ("vote Ann", "there is no vote in night 1, visions; 'end pass' ends it"),
        ("undo 7", "cannot take back 7"),
        ("\udce4", "not valid UTF-8"),
    ],
)
def test_a_refused_line_ends_the_script_and_changes_nothing(tmp_path, line, reason):
    script = f"vision Bo Cy\n{line}\nvision Di Cy\n".encode("utf-8", "surrogateescape")
    code, _, error = play(NEW, script, tmp_path)
    assert code != 0
    with pytest.raises(type(error), match=f"line 2.*{reason}"):
        raise error
    assert [e.actor for e in replay(tmp_path / "g.jsonl").events] == ["Bo"]


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (["--players", "Ann,,Bo"], "'' is not a player's name"),
        (["--players", "Ann", "B\x9bo", "Cy"], "control character"),
        (["--players", "Ann", "\udce4", "Cy"], "set its locale to UTF-8"),
        (["--players", *PLAYERS, "--rules", "cicra"], "unknown rule set 'cicra'; did you mean 'cisra'"),
        (["--players", *PLAYERS, "--option", "frist_attack=true"], "did you mean 'first_attack'"),
        (["--players", *PLAYERS, "--option", "first_attack"], "has no value; write NAME=VALUE"),
        (["--players", *PLAYERS, "--option", "first_attack=maybe"], "first_attack='maybe' is not possible"),
        (["--players", *PLAYERS, "--option", "burnings=none"], "burnings='none' is not possible"),
        (["--players", *PLAYERS, "--targets", "open"], "'open' is not one of 'secret', 'public'"),
        (["--players", *PLAYERS, "--deal", "magic"], "'magic' is not one of 'quantum', 'classical'"),
        (["--players", *PLAYERS, "--seed", "-1"], "seed=-1"),
        (["--players", *PLAYERS, "--sample", "0"], "sample"),
        (["--players"], "requires an argument"),
        (["--players", *PLAYERS, "--engine", "steam"], "'steam' is not one of"),
        ([], "there are no players"),
    ],
)  # fmt: skip
def test_impossible_games(tmp_path, args, reason):
    code, _, error = play(["play", *args], "", tmp_path)
    assert code != 0
    text = str(error) if not isinstance(error, SystemExit) else _
    assert reason in text
    assert list(tmp_path.iterdir()) == []


def test_bad_input_ends_with_two_and_one_message(tmp_path):
    for args in (["play", "--players", "Ann", "Ann", "Bo"], ["play", "nowhere.jsonl"], ["play", "--players"]):
        code, _, err = command(*args, cwd=tmp_path)
        assert code == 2
        assert len(err.strip().splitlines()) <= 4
    command(*NEW, cwd=tmp_path)
    code, _, err = command(*NEW, cwd=tmp_path)
    assert (code, err) == (
        2,
        "error: 'g.jsonl' already exists; open it to continue, or choose another name\n",
    )
    code, _, err = command("play", "g.jsonl", "--players", "Ann", cwd=tmp_path)
    assert code == 2
    assert "the players and rules of" in err


def test_options_of_the_rules(tmp_path):
    options = (
        "first_attack=true split-seer=yes table=anonymous columns=wolf,dead default_wolves=none burnings=2"
    )
    args = [part for option in options.split() for part in ("--option", option)]
    code, _, _ = play(["play", "--rules", "gekka", *args, "--players", *PLAYERS], "", tmp_path)
    assert code == 0
    rules = header(tmp_path / "game.jsonl")["rules"]
    assert rules["first_attack"] is rules["split_seer"] is True
    assert (rules["table"], rules["columns"]) == ("anonymous", ["wolf", "dead"])
    assert (rules["default_wolves"], rules["burnings"]) == (None, 2)


def test_settings(tmp_path):
    args = ["--wolves", "2", "--seers", "2", "--targets", "public", "--deal", "classical", "--burnings", "3"]
    code, out, _ = play(["play", *args, "--players", *PLAYERS, "Fay"], "status\nnumbers\nhelp\n", tmp_path)
    assert code == 0
    found = header(tmp_path / "game.jsonl")
    assert (found["wolves"], found["seers"], found["targets"], found["deal"]) == (2, 2, "public", "classical")
    assert found["rules"]["burnings"] == 3
    assert out.count("Your role is") == 6
    assert "vision PLAYER TARGET [as RESULT]" in out


def test_house_rules_are_kept(tmp_path):
    args = ["--rules", "cisra", "--wolves", "1", "--seed", "2", "--ballot", "open", "--absent", "pass"]
    votes = "end\nballot Ann Di\nballot Bo Di\nballot Cy\nballot Di Ann\nballot Ed Di\n"
    code, out, _ = play(["play", *args, "--players", *PLAYERS], votes, tmp_path)
    assert code == 0
    assert "tell all: Votes: Di 3, Ann 1, nobody 1 (Ann for Di; Bo for Di; Cy for nobody; " in out
    assert "tell all: Di is voted off" in out
    code, out, _ = play(["play", "game.jsonl", "--missing", "pass"], "status\n", tmp_path)
    assert code == 0
    house = HouseRules(ballot="open", absent="pass", missing="pass")
    assert read_log(tmp_path / "game.jsonl").session == (house, 2)


def test_a_sample_says_so(tmp_path):
    _, out, _ = play(["play", "--sample", "7", "--players", *PLAYERS], "table master\n", tmp_path)
    assert out.count("a random sample of at most 7 of ") == 2


def test_names_are_taken_up_to_the_next_option(tmp_path):
    def given(*args):
        return COMMANDS["play"].make_context("play", list(args)).params["players"]

    assert given("--players", "Ann", "Bo", "--rules", "cisra") == ("Ann", "Bo")
    assert given("--players", "Ann, Bo") == ("Ann", "Bo")
    assert given("--players", "Ann, Bo", "Cy") == ("Ann, Bo", "Cy")
    assert given("--players=-x", "--players", "Bo", "Cy") == ("-x", "Bo", "Cy")
    assert given("--players", "<script>", "🐺") == ("<script>", "🐺")


def test_names_that_the_output_cannot_encode(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "kripke_werewolf", "play", "--players", "🐺", "Ann", "Bo", "--wolves", "1"],
        input=b"vision Ann \xf0\x9f\x90\xba\n", capture_output=True, cwd=tmp_path, timeout=60,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert b"vision Ann \\U0001f43a" in done.stdout


def test_names_under_a_locale_that_cannot_read_them(tmp_path):
    posix = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "kripke_werewolf", "play", "--players", "Zo\u00eb", "Ann", "Bo"],
        input=b"", capture_output=True, cwd=tmp_path, timeout=60,
        env=os.environ | {"PYTHONPATH": str(ROOT), **posix},
    )  # fmt: skip
    assert done.returncode == 2
    assert b"'Zo\\udcc3\\udcab' could not be read in the encoding of this system" in done.stderr


ENDED_IN_A_FINALIZER = """
import os, signal, time
from kripke_werewolf.play.console.terminal import leaving_when_ended

class Thing:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        for _ in range(1000):
            pass

with leaving_when_ended():
    Thing()
    time.sleep(30)
"""


@pytest.mark.skipif(os.name != "posix", reason="needs signals of POSIX")
def test_a_program_ends_although_python_ignores_it_at_first():
    done = subprocess.run(
        [sys.executable, "-c", ENDED_IN_A_FINALIZER], capture_output=True, text=True, timeout=25, check=False
    )
    assert "Exception ignored" in done.stderr
    assert done.returncode == 128 + signal.SIGTERM
