"""The command `prove`."""

import json

import pytest
from click.testing import CliRunner

from kripke_werewolf import KripkeModel
from kripke_werewolf.cli.prove import prove_command
from kripke_werewolf.errors import FormulaSyntaxError, Undecided, UnknownNameError


def run(*arguments):
    return CliRunner().invoke(prove_command, arguments)


def test_valid():
    done = run("K_a p -> K_a K_a p", "--logic", "S5")
    assert (done.exit_code, done.output) == (0, "valid in S5\n")


def test_not_valid_shows_a_smallest_counter_model():
    done = run("K_a K_b p -> K_b K_a p")
    assert done.exit_code == 1
    assert done.output.startswith("not valid in S5: counter-model with 3 worlds, the fewest possible\n")
    assert "<- the formula is false here" in done.output
    assert "a cannot tell apart:" in done.output


def test_json_holds_the_model():
    done = run("K_a p -> p", "--logic", "KD45", "--json")
    assert done.exit_code == 1
    told = json.loads(done.output)
    assert (told["formula"], told["logic"], told["valid"]) == ("K_a p -> p", "KD45", False)
    assert KripkeModel.from_dict(told["countermodel"]).holds("K_a p & ~p")
    assert json.loads(run("p -> p", "--json").output)["valid"] is True


def test_the_counter_model_is_drawn(tmp_path):
    picture = tmp_path / "model.svg"
    assert run("p -> K_a p", "-o", str(picture)).exit_code == 1
    assert picture.read_text().lstrip().startswith("<")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["K_a p ->"], FormulaSyntaxError),
        (["p", "--logic", "S6"], UnknownNameError),
        (["E_{a,b} E_{a,b} p -> C_{a,b} p", "--limit", "5"], Undecided),
    ],
)
def test_bad_input_is_an_error(arguments, error):
    assert isinstance(run(*arguments).exception, error)
