"""The command `infer`: questions about a sheet, and searches that are not finished."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from kripke_werewolf import GameError, KripkeError, QuantumWerewolf, Told, Undecided
from kripke_werewolf.cli.main import cli
from kripke_werewolf.games.werewolf.inference import Histories, infer, replay
from kripke_werewolf.games.werewolf.sheets import read_sheet

SHEET = """
rules: cisra
players: Ann, Bo, Cy, Di
wolves: 1
you: Bo
number: 2

night 1, visions
  you look at Ann: good
  table
    number  good  evil  dead
    1       75%   25%   0%
    2       62%   38%   0%
    3       88%   12%   0%
    4       75%   25%   0%
"""
LARGE = "rules: cisra\nplayers: 12\nwolves: 2\nyou: 4\n\nnight 1, visions\nday 1\nnight 2, attacks\n" + (
    "night 2, visions\n  table\n    number  evil\n    1       18%\n    2       8%\n"
)


@pytest.fixture
def run(tmp_path):
    """Return a function that runs `infer` on a sheet; it returns the exit code, the output and the error."""

    def run(text, *args):
        path = tmp_path / "sheet.txt"
        path.write_text(text, encoding="utf-8")
        done = CliRunner().invoke(cli, ["game", "infer", str(path), *args], standalone_mode=False)
        error = None if isinstance(done.exception, SystemExit) else done.exception
        return done.return_value, done.output, error

    return run


def test_a_printed_handout_is_a_sheet_and_is_shown_on_a_terminal(tmp_path, monkeypatch):
    game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="gekka", rng=1).vision("Bo", "Ann")
    path = tmp_path / "bo.txt"
    path.write_text(str(game.handout("Bo")), encoding="utf-8")
    silent = CliRunner().invoke(cli, ["game", "infer", str(path)])
    assert silent.stderr == ""
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda stream: True)
    shown = CliRunner().invoke(cli, ["game", "infer", str(path)])
    assert shown.stdout == silent.stdout
    assert shown.stderr.startswith(str(game.handout("Bo")).rstrip())


@pytest.mark.parametrize(
    ("question", "holds"),
    [
        ("P_2(wolf_2) = 3/8", True),  # what the table says of number 2, which is Bo
        ("K_2 ~wolf_Di", False),
        ("does player 2 know that Di is a wolf?", False),
        ("Bo considers it possible that Di is a wolf", True),
    ],
)
def test_own_number_and_english(run, question, holds):
    code, printed, _ = run(SHEET, question)
    assert (code, printed.splitlines()[-1]) == (0 if holds else 1, f"{question}: {'yes' if holds else 'no'}")


@pytest.mark.parametrize("question", ["wolf_4", "K_4 wolf_Di", "P_2(wolf_1) = 1"])
def test_a_hidden_number_is_refused(run, question):
    with pytest.raises(GameError, match=r"this number is hidden; .*\(known: 2 is Bo\)"):
        infer(read_sheet(SHEET)).ask(question)
    assert "this number is hidden" in str(run(SHEET, question)[2])


def test_an_open_fact_has_a_probability(run):
    chance = infer(read_sheet(SHEET)).chance("wolf_Di")
    assert 0 < chance < 1
    code, printed, _ = run(SHEET, "wolf_Di")
    assert (code, printed.splitlines()[-1]) == (1, f"wolf_Di: open, with probability {chance}")
    (answer,) = json.loads(run(SHEET, "wolf_Di", "--json")[1])["answers"]
    assert (answer["verdict"], Fraction(answer["chance"])) == ("mixed", chance)


def test_an_unfinished_search_says_what_helps_and_is_no_answer(run):
    code, printed, error = run(LARGE, "K_4 wolf_1", "--timeout", "0.01")
    assert printed.startswith("Not finished, because time ran out (0.01 s); no history has been found so far")
    assert "`ask LOG --reading facts`" in printed
    assert isinstance(error, KripkeError)  # exit code 2
    assert "not answered" in str(error)
    code, printed, error = run(LARGE, "--timeout", "0.01", "--json")
    assert (code or 0, error) == (0, None)
    assert json.loads(printed)["help"]


def test_a_reason_that_is_not_known_in_time_leaves_the_other_answers(run, monkeypatch):
    pytest.importorskip("ortools")
    because = Histories.because

    def hurried(found, conclusion, *, seconds, smallest):
        return because(found, conclusion, seconds=0 if conclusion == "~seer_Ann" else None, smallest=smallest)

    monkeypatch.setattr(Histories, "because", hurried)
    why = ["--why", "~wolf_Ann | wolf_Ann", "--why", "~seer_Ann", "--why", "wolf_Di"]
    _, printed, error = run(SHEET, *why)
    assert "wolf_Di: the tables leave it open" in printed
    assert "the moves and events alone (smallest)" in printed
    assert "~seer_Ann" not in printed
    assert isinstance(error, Undecided)  # exit code 2
    assert str(error) == (
        "~seer_Ann: time ran out (0 s) before it was known whether this follows; allow more time"
    )
    content = json.loads(run(SHEET, *why, "--json")[1])
    assert [answer["forced"] for answer in content["why"]] == [True, None, False]


def test_what_the_tables_exclude_is_not_left_open(run):
    sheet = Path(__file__).parents[2] / "examples" / "sheets" / "schroedingers-wolves.txt"
    why = ["--why", "3 attacks 1", "--why", "3 attacks 2"]
    _, printed, _ = run(sheet.read_text(encoding="utf-8"), "--why", "wolf_7", *why)
    assert "3 attacks 1: the tables exclude it\n3 attacks 2: the tables leave it open" in printed
    assert "wolf_7: the tables exclude it" in printed


def test_why_is_asked_in_words_and_of_the_own_number(run):
    for fact in ("Bo is a wolf", "does Bo know that they are a wolf?", "wolf_2"):
        _, printed, error = run(SHEET, "--why", fact)
        assert error is None
        assert f"{fact}: the tables leave it open" in printed


@pytest.mark.parametrize(
    ("why", "message"),
    [
        ("1 attacks 3", "1 attacks 3: this may have been in 0 nights; say in which one"),
        ("who is a wolf?", "who is a wolf\\?: only a fact can have reasons, or a move like '1 attacks 4'"),
    ],
)
def test_what_has_no_reason_is_said(run, why, message):
    with pytest.raises(GameError, match=message):
        raise run(SHEET, "--why", why)[2]


def test_a_formula_that_is_not_answered_leaves_the_other_answers(run, monkeypatch):
    monkeypatch.setattr(replay, "MOST_HISTORIES", -1)
    asked = ["~seer_Ann | seer_Ann", "C_{Ann,Cy} wolf_Di"]
    _, printed, error = run(SHEET, *asked)
    assert printed.splitlines()[-1] == "~seer_Ann | seer_Ann: yes"
    assert isinstance(error, Undecided)  # exit code 2
    assert str(error).startswith("C_{Ann,Cy} wolf_Di: ")
    answers = json.loads(run(SHEET, *asked, "--json")[1])["answers"]
    assert [answer["verdict"] for answer in answers] == ["true", None]


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (["--timeout", "-3"], "-3 is not a number of seconds"),
        (["--timeout", "nan"], "nan is not a number of seconds"),
        (["who knows that Di is a wolf?"], "about the log"),
        (["K_Bo wolf_Dii"], "did you mean 'wolf_Di'"),
    ],
)
def test_bad_input(run, args, reason):
    assert reason in str(run(SHEET, *args)[2])


@pytest.fixture(scope="module")
def handout(tmp_path_factory):
    """Return the file with the handout of the first of twenty players after three nights."""
    names = [f"P{i}" for i in range(1, 21)]
    game = QuantumWerewolf(names, wolves=4, rules="cisra", rng=1)
    game = game.vision("P1", "P2", result="good")
    while str(game.phase) != "day 3":
        game = game.end_phase(missing="random")
    path = tmp_path_factory.mktemp("sheets") / "p1.json"
    path.write_text(game.handout("P1").to_json(), encoding="utf-8")
    return str(path)


def ask(*args):
    """Return the exit code, the output and the error of `infer`."""
    done = CliRunner().invoke(cli, ["game", "infer", *args], standalone_mode=False)
    return done.return_value, done.output, done.exception


def test_the_facts_in_a_sheet_as_json(handout):
    found = json.loads(
        ask(handout, "wolf_P3", "K_P1 (seer_P1 -> good_P2)", "--reading", "facts", "--json")[1]
    )
    assert (found["player"], found["reading"]) == ("P1", "facts")
    assert [answer["verdict"] for answer in found["answers"]] == ["mixed", "true"]
    assert ["a table may say more" in answer for answer in found["answers"]] == [True, False]
    found = json.loads(ask(handout, "--reading", "facts", "--json")[1])
    assert found["table"]["rows"]


@pytest.mark.parametrize("options", [["--why", "wolf_P1"], ["--smallest"], ["--example"], ["--timeout", "1"]])
def test_facts_need_no_search(handout, options):
    error = ask(handout, "--reading", "facts", *options)[2]
    assert str(error) == f"{options[0]}: --reading facts does not search for histories; leave one of them out"


def test_a_typed_sheet_that_leaves_moves_open_is_not_asked_by_facts(run):
    shorter = "\n".join(line for line in SHEET.splitlines() if "look" not in line)
    assert "needs all that the player saw: say in each phase" in str(run(shorter, "--reading", "facts")[2])
    assert run(SHEET, "--reading", "facts")[2] is None


def test_what_is_too_large_for_facts_is_said(handout, monkeypatch):
    def refused(told, question, *, given):
        raise GameError("too large")

    monkeypatch.setattr(Told, "ask", refused)
    _, printed, error = ask(handout, "wolf_P3", "--reading", "facts")
    assert isinstance(error, Undecided)  # exit code 2
    assert (printed, str(error)) == ("", "wolf_P3: too large")
