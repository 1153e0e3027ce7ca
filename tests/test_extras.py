"""What needs a package that is not installed says so, and how to install it; everything else works."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

WITHOUT = """
import sys
sys.modules[sys.argv.pop(1)] = None
sys.argv[0] = "kripke-werewolf"
from kripke_werewolf.cli.main import main
"""
DRAW = ["draw", "muddy-children", "-n", "2"]

SEVERAL_WOLVES = """
from kripke_werewolf import QuantumWerewolf
from kripke_werewolf.games.werewolf.inference import infer
game = QuantumWerewolf(list("ABCDEF"), wolves=2, rules="cisra", rng=1)
while game.phase.position < 3:
    for name in game.may_act:
        for action in game.may_act[name]:
            game = getattr(game, action)(name, game.legal_targets(name, action)[-1])
    game = game.end_phase() if game.phase.kind == "vote" else game
infer(game.handout("A"))
"""

# (extra, package): a command, or a program in Python
NEEDED: dict[tuple[str, str], list[str] | str] = {
    ("duckdb", "duckdb"): ["disclose", "x.csv", "--sees", "age", "--secret", "ill"],
    ("infer", "ortools"): SEVERAL_WOLVES,
    ("notebook", "anywidget"): "from kripke_werewolf.teach.explorer.page.notebook import Explorer",
    ("sat", "pysat"): "import kripke_werewolf as kw; kw.satisfiable('M_a p & K_a ~p', limit=1)",
    ("play", "starlette"): ["host"],
    ("play", "uvicorn"): ["host"],
    ("play", "segno"): ["host"],
    ("", "filelock"): ["play", "--players", "Ann", "Bo", "Cy", "Di", "--log", "x.jsonl"],
    ("", "matplotlib"): [*DRAW, "-o", "x.pdf"],
    ("", "numpy"): ["demo"],
    ("", "oxidd"): ["puzzle", "muddy-children", "--engine", "symbolic"],
    ("", "PIL"): [*DRAW, "-o", "x.gif"],
}
FOR_DEVELOPERS = {"course", "test", "test-all", "docs", "dev", "release"}
FOR_EXAMPLES = {"openspiel", "pettingzoo"}
DONE_WITHOUT = {"readers"}  # the card of a set then says less, and the command names the extra


@pytest.mark.parametrize(("extra", "package"), NEEDED)
def test_the_message_says_how_to_install_it(extra: str, package: str, tmp_path: Path) -> None:
    wanted = NEEDED[extra, package]
    code, arguments = (WITHOUT + "main()", wanted) if isinstance(wanted, list) else (WITHOUT + wanted, [])
    done = subprocess.run(
        [sys.executable, "-c", code, package, *arguments],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    advice = f'"kripke-werewolf[{extra}]"' if extra else package.replace("PIL", "pillow")
    message = done.stderr.rstrip().splitlines()[-1]
    assert f", which is not installed: pip install {advice}" in message
    if isinstance(wanted, list):
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    else:
        assert message.startswith("kripke_werewolf.")  # an error of the library


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_a_terminal_needs_the_extra_before_a_game_begins(tmp_path: Path) -> None:
    play = ["play", "--players", "Ann", "Bo", "Cy", "Di", "--log", "x.jsonl"]
    for on_terminal in (True, False):
        ours, theirs = os.openpty()
        done = subprocess.run(
            [sys.executable, "-c", WITHOUT + "main()", "prompt_toolkit", *play],
            cwd=tmp_path,
            stdin=theirs if on_terminal else subprocess.DEVNULL,
            stdout=theirs if on_terminal else subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        os.close(ours)
        os.close(theirs)
        assert (tmp_path / "x.jsonl").exists() is not on_terminal  # from a pipe one plays without it
        assert done.returncode == (2 if on_terminal else 0), done.stderr
        needed = 'this needs prompt_toolkit, which is not installed: pip install "kripke-werewolf[play]"'
        assert (needed in done.stderr) is on_terminal


def test_no_extra_is_left_out() -> None:
    tried = {extra for extra, _ in NEEDED if extra}
    assert tried | FOR_DEVELOPERS | FOR_EXAMPLES | DONE_WITHOUT == set(PROJECT["optional-dependencies"])
