"""A command loads only the parts of the library that it needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from kripke_werewolf import KripkeModel

PACKAGES = (
    "avalon",
    "console",
    "deciding",
    "exercises",
    "planning",
    "puzzles",
    "stories",
    "symbolic",
    "werewolf",
)
HEAVY = (*(f"kripke_werewolf.{package}" for package in PACKAGES), "visualise", "rich", "prompt_toolkit")
CODE = """
import sys
from kripke_werewolf.cli import main
try:
    main()
finally:
    print([name for name in {names!r} if name in sys.modules], file=sys.stderr)
"""


def loaded(*arguments: object) -> str:
    """Run a command in a pipe; return which heavy packages it loads."""
    command = [sys.executable, "-c", CODE.format(names=HEAVY), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stderr.strip()


@pytest.mark.parametrize("question", [["ask"], ["ask", "--json"], ["ask", "--explain"], ["check"]])
def test_a_question_about_a_model_loads_no_game_and_no_engine(question: list[str], tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    KripkeModel.from_partitions("wv", {"a": ["wv"]}, {"p": ["w", "v"]}).save(path)
    command, *options = question
    assert loaded(command, path, "K_a p", *options) == "[]"


def test_the_help_loads_no_command() -> None:
    assert loaded("--help") == "[]"
