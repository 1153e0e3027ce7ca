"""The command `prove`."""

import json
import sys
import warnings

import pytest
from click.testing import CliRunner

from kripke_werewolf import FormulaSyntaxError, KripkeModel, Undecided, UnknownNameError
from kripke_werewolf.cli.main import cli, main
from tests.cases import cases


def run(*arguments):
    return CliRunner().invoke(cli, ["prove", *arguments])


def test_valid():
    done = run("K_a p -> K_a K_a p", "--logic", "S5")
    said = "valid in S5\nread as K_a p -> K_a K_a p; atoms: p; agents: a\n"
    assert (done.exit_code, done.output) == (0, said)


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
    assert picture.read_text(encoding="utf-8").lstrip().startswith("<")


def test_a_schema_is_refuted_by_an_instance():
    done = run("[!φ]φ")
    assert done.exit_code == 1
    assert done.stdout.startswith(
        "not valid in S5 as a schema, for example with φ = p & ~K_a p: counter-model"
    )
    told = json.loads(run("schema: [!p]p", "--json").stdout)
    assert (told["valid"], told["letters"], told["values"]) == (False, ["p"], {"p": "q & ~K_a q"})
    assert not KripkeModel.from_dict(told["countermodel"]).holds(told["instance"])


def test_what_holds_for_atoms_only_is_said():
    done = run("[!p]p")
    assert (done.exit_code, done.stdout) == (0, "valid in S5\nread as [!p]p; atoms: p\n")
    assert "not for all formulas: with q & ~K_a q for p" in done.stderr
    assert run("<!p>q -> p").stderr == ""
    assert run("K_a p -> p").stderr == ""
    assert "with q & ~K_a q for p" in run("[a!p]K_a p").stderr
    assert run("[a!p]p | ~[a!p]p").stderr == ""


@cases(
    ("Kp -> p", "K_a p -> p; atoms: p; agents: a"),
    ("□p → ◇p", "K_a p -> M_a p; atoms: p; agents: a"),
    (r"$K\phi \to \phi$", "K_a φ -> φ; schematic letters: φ; agents: a"),
    ("C p -> E p", "C_{a,b} p -> E_{a,b} p; atoms: p; agents: a, b"),
    ("p && q || r <=> -p", "p & q | r <-> ~p; atoms: p, q, r"),
)
def test_the_notation_of_textbooks_is_read(written, read):
    done = run(written)
    assert done.exit_code in (0, 1)
    assert done.stdout.splitlines()[-1] == f"read as {read}"
    assert done.stderr == ""


@cases(
    ("Kap -> p", "Kap is read as an atom; did you mean K_a p?"),
    ("pvq -> qvp", "pvq is read as an atom; did you mean p | q?"),
    ("T -> p", "T is read as an atom; did you mean true?"),
    ("p ^ q -> p", "^ is read as exclusive or; 'and' is written &"),
    ("C_{ab} p -> K_a p", "ab is read as one agent; did you mean {a,b}?"),
    ("E_{ab} p -> p", "ab is read as one agent; did you mean {a,b}?"),
    ("C_G p -> E_G p", "a group is declared as in --group G=a,b"),
    ("K & p", "K is read as an atom; did you mean K_a …?"),
    ("AKp -> p", "AKp is read as an atom; did you mean everywhere K_a p?"),
    ("Kabp -> p", "Kabp is read as an atom; did you mean E_{a,b} p?"),
    ("K_{a b} p -> p", "a b is read as one agent; did you mean {a,b}? For a group there are E_{a,b}, C_"),
    ("K_{ab} p -> p", "ab is read as one agent; did you mean {a,b}? For a group there are E_{a,b}, C_"),
    ("K p -> K_b p", "K without an index is about b, as operators with an index are; write K_b"),
    ("C p -> K_c p & K_d p", "C without an index is about c, d, as operators with an index are"),
)
def test_names_that_look_like_something_else_are_noted(written, note):
    assert note in run(written).stderr
    assert any(note in said for said in json.loads(run(written, "--json").stdout)["notes"])


def test_groups_are_declared():
    done = run("C_G p -> E_G p & K_c p", "--group", "G=a,b", "--group", "H=c")
    assert "read as C_{a,b} p -> E_{a,b} p & K_c p" in done.stdout
    assert done.stderr == ""
    for wrong in ("G=", "G=a,,b"):
        assert "--group G" in str(run("p", "--group", wrong).exception)
    done = run("C_G p", "--group", 'G=a,{Mary Ann},"b,c"')
    assert 'read as C_{Mary Ann,a,"b,c"} p' in done.stdout
    for wrong in ("G", "=a"):
        assert "is not of the form G=a,b" in run("p", "--group", wrong).stderr


def test_several_agents_are_not_one():
    error = run("K p & K_a K_b p").exception
    assert isinstance(error, FormulaSyntaxError)
    assert error.meant == "K_a p & K_a K_b p"


@cases(
    (["K_a p ->"], FormulaSyntaxError),
    (["p", "--logic", "S6"], UnknownNameError),
    (["E_{a,b} E_{a,b} p -> C_{a,b} p", "--limit", "5"], Undecided),
)
def test_bad_input_is_an_error(arguments, error):
    assert isinstance(run(*arguments).exception, error)


def test_a_formula_that_is_valid_as_a_schema_too_has_no_note() -> None:
    result = CliRunner().invoke(cli, ["prove", "[!p]K_a q <-> (p -> K_a [!p]q)"], standalone_mode=False)
    assert result.exception is None
    assert "valid for atoms" not in result.output


@pytest.mark.parametrize("arguments", [["K_a", "p"], ["K_a p -> p", "S5"]])
def test_an_argument_too_many_is_explained(arguments, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["kripke-werewolf", "prove", *arguments])
    monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)  # main sets it
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2
    assert "write a formula in quotes, and numbers and names as options" in capsys.readouterr().err
