"""A command loads only the parts of the library that it needs."""

import subprocess
import sys
from pathlib import Path

import pytest

from kripke_werewolf import KripkeModel

PARTS = (
    *("games.avalon", "games.werewolf", "logic.deciding", "logic.proofs", "logic.puzzles", "logic.symbolic"),
    *("play.console", "research.planning", "research.stories", "teach.exercises"),
    *("logic.formulas.simplification", "logic.notation.foreign"),
    *(
        "logic.english.grammar",
        "logic.english.sentence_parser",
        "logic.english.sentences",
    ),
)
HEAVY = (
    *(f"kripke_werewolf.{part}" for part in PARTS),
    *("importlib.metadata", "numpy", "prompt_toolkit", "visualise"),
)
MOST_OF_THE_PACKAGE = 85
MOST_OF_A_COMMAND = 165
"""Modules, those of Python included: 82, and 120 to 145 in Python 3.11."""
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


def number_loaded(*command: str) -> int:
    """Run Python; return the number of modules that it has loaded at the end, beyond those it begins with."""
    count = "import atexit, sys; before = {*sys.modules}\n"
    count += "atexit.register(lambda: print(len({*sys.modules} - before), file=sys.stderr))\n"
    code, *arguments = command
    done = subprocess.run(
        [sys.executable, "-c", count + code, *arguments], capture_output=True, text=True, check=True
    )
    return int(done.stderr.splitlines()[-1])


@pytest.mark.parametrize("question", [["ask"], ["ask", "--json"], ["check"]])
def test_a_question_about_a_model_loads_no_game_and_no_engine(question: list[str], tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    KripkeModel.from_partitions("wv", {"a": ["wv"]}, {"p": ["w", "v"]}).save(path)
    command, *options = question
    assert loaded(command, path, "K_a p", *options) == "[]"


def test_an_explanation_loads_the_words_of_sentences(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    KripkeModel.from_partitions("wv", {"a": ["wv"]}, {"p": ["w", "v"]}).save(path)
    assert loaded("ask", path, "K_a p", "--explain") == "['kripke_werewolf.logic.english.sentences']"


def test_a_proof_is_searched_only_if_it_is_wanted() -> None:
    valid = "K_a p -> p"
    assert (
        loaded("prove", valid)
        == "['kripke_werewolf.logic.deciding', 'kripke_werewolf.logic.formulas.simplification']"
    )
    assert "kripke_werewolf.logic.proofs" in loaded("prove", valid, "--proof")


@pytest.mark.parametrize("arguments", [(), ("muddy-children", "-n", "3"), ("three-wise-men", "--json")])
def test_a_puzzle_loads_no_story_and_no_numbers(arguments: tuple[str, ...]) -> None:
    assert loaded("puzzle", *arguments) == "['kripke_werewolf.logic.puzzles']"


def test_a_file_of_smcdel_loads_only_the_symbolic_engine(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_text("VARS 1,2 LAW 1 | 2 OBS a: 1 b: 2 VALID? [!1] K a 1", encoding="utf-8")
    assert loaded("check", path) == "['kripke_werewolf.logic.symbolic']"


def test_the_number_of_modules_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    KripkeModel.from_partitions("wv", {"a": ["wv"]}, {"p": ["w", "v"]}).save(path)
    assert number_loaded("import kripke_werewolf") <= MOST_OF_THE_PACKAGE
    command = "from kripke_werewolf.cli import main; main()"
    for words in (
        ("ask", str(path), "K_a p"),
        ("ask", "muddy-children", "K_1 muddy_2"),
        ("check", str(path), "K_a p"),
        ("prove", "K_a p -> p"),
        ("puzzle", "muddy-children"),
        ("puzzle",),
    ):
        assert number_loaded(command, *words) <= MOST_OF_A_COMMAND, words


def test_the_help_loads_no_command() -> None:
    assert loaded("--help") == "[]"
