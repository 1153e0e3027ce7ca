"""`kripke-werewolf puzzle`: steps, answers, bad input."""

import json

import pytest
from click.testing import CliRunner, Result

from kripke_werewolf.base.errors import ModelError, ModelTooLarge, UnknownNameError
from kripke_werewolf.cli.main import cli
from kripke_werewolf.logic.puzzles import PUZZLES
from tests.cases import cases


def puzzle(*arguments: object) -> Result:
    found = CliRunner().invoke(cli, ["puzzle", *map(str, arguments)], standalone_mode=False)
    if found.exception is not None:
        raise found.exception
    return found


def test_muddy_children_step_by_step() -> None:
    lines = puzzle("muddy-children", "-n", 6, "--steps").output.splitlines()
    assert "64 worlds  at the start" in lines
    assert "22 worlds  after 'round 3: nobody knows'" in lines
    assert " 1 world  after 'round 5: nobody knows': 111111" in lines
    assert "worlds: 64, 63, 57, 42, 22, 7, 1" in lines
    assert "  now all children know? yes" in lines


@pytest.mark.parametrize("name", PUZZLES)
def test_every_puzzle_runs(name: str) -> None:
    found = puzzle(name)
    assert found.return_value == 0
    assert "expected" not in found.output


def test_the_list_of_puzzles() -> None:
    lines = puzzle().output.splitlines()
    assert [line.split()[0] for line in lines] == list(PUZZLES)
    assert json.loads(puzzle("--json").output).keys() == PUZZLES.keys()


def test_json() -> None:
    found = json.loads(puzzle("cheryl", "--json").output)
    assert [step["worlds"] for step in found["steps"]] == [10, 5, 3, 1]
    assert all(q["verdict"] == q["expected"] for q in found["questions"])


def test_a_story_that_cannot_happen() -> None:
    result = puzzle("sum-and-product", "-n", 64, "--steps")
    assert result.return_value == 1
    assert "worlds: 930, 62, 46, 0" in result.output
    assert "  0 worlds  after 'S: now I know them too'" in result.output
    assert "both know" not in result.output
    found = json.loads(puzzle("sum-and-product", "-n", 64, "--json").output)
    assert [step["worlds"] for step in found["steps"]] == [930, 62, 46, 0]


@cases(
    (["muddy"], UnknownNameError),
    (["muddy-children", "-n", 40], ModelTooLarge),
    (["muddy-children", "-n", 0], ModelError),
    (["hexa", "-n", 4], ModelError),
)
def test_bad_input(arguments: list[object], error: type[Exception]) -> None:
    with pytest.raises(error):
        puzzle(*arguments)


@cases(
    ("muddy-children", ["-n", 6], "6 announcements: 64 worlds at first, 1 world left"),
    ("muddy-children", ["-n", 100], "100 announcements: about 1.27e30 worlds at first, 1 world left"),
    ("cheryl", [], "3 announcements: 10 worlds at first, 1 world left"),
)
def test_symbolic_engine(name: str, size: list[object], last: str) -> None:
    assert puzzle(name, "--engine", "symbolic", *size).output.strip() == last


@cases((["hexxa"], UnknownNameError), (["cheryl", "-n", 4], ModelError))
def test_symbolic_engine_refuses(arguments: list[object], error: type[Exception]) -> None:
    with pytest.raises(error):
        puzzle(*arguments, "--engine", "symbolic")
