"""Logs, handouts and typed sheets of the released formats load and answer as when they were written."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from kripke_werewolf import QuantumWerewolf, Told, replay
from kripke_werewolf.base.errors import GameError, IllegalMove
from kripke_werewolf.games.werewolf import PRESETS
from kripke_werewolf.games.werewolf.inference import infer
from kripke_werewolf.games.werewolf.sheets import read_sheet

HOME = Path(__file__).parents[2] / "data" / "released"
ANSWERS = json.loads((HOME / "answers.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ANSWERS)
def test_a_log_answers_as_before(name):
    game, wanted = replay(HOME / f"{name}.jsonl"), ANSWERS[name]
    assert (game.size, game.table().to_dict()) == (wanted["size"], wanted["table"])
    assert {q: str(game.ask(q)) for q in wanted["facts"]} == wanted["facts"]
    for reading in ("exact", "table"):  # the old word is read
        found = {q: str(game.ask(q, reading=reading)) for q in wanted["table_reading"]}
        assert found == wanted["table_reading"], reading


def test_a_log_may_name_somebody_after_the_collapse_that_ended_the_game():
    """Games once allowed it to those whom the collapse found dead; they no longer do, and read it still."""
    lines = (HOME.parent / "named-after-the-end.jsonl").read_text(encoding="utf-8").splitlines()
    game = replay(lines)
    assert (game.log, game.alive) == (tuple(lines), ())
    assert (game.verdict, game.results) == ("wolves", {"Ann": False, "Bo": False, "Cy": True})
    with pytest.raises(IllegalMove, match="the game is over"):
        game.undo().take_along("Bo", "Cy")
    (named,) = game.steps[-1]
    with pytest.raises(GameError):
        game.undo().repeat((replace(named, actor="Ann"),))  # a seer


@pytest.mark.parametrize("name", ANSWERS)
def test_a_handout_is_read_written_and_answers_as_before(name):
    text, wanted = (HOME / f"{name}-handout.json").read_text(encoding="utf-8"), ANSWERS[name]
    told = Told.from_dict(json.loads(text))
    assert told.to_json() + "\n" == text
    assert told == replay(HOME / f"{name}.jsonl").handout(wanted["player"])
    assert {q: str(told.ask(q)) for q in wanted["facts"]} == wanted["facts"]
    assert infer(told).number == wanted["histories"]


def test_days_are_counted_alike_today_and_as_they_were_in_older_files():
    """Night 0 of an older sheet is the night before day 1, and day 2 without a day 1 the first day."""
    today = [QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules=name) for name in PRESETS]
    for game in today:
        while game.phase.kind != "vote":
            game = game.end_phase(missing="pass")
        assert (game.at(0).phase.number, str(game.phase)) == (1, "day 1")
    for name, first, day in (("cisra", 0, "day 1"), ("gekka", 1, "day 2")):
        told = read_sheet((HOME / f"{name}-sheet.txt").read_text(encoding="utf-8"))
        phases = [entry.phase for entry in told.entries]
        assert phases[0].number == first
        assert next(str(phase) for phase in phases if phase.kind == "vote") == day
        game = replay(HOME / f"{name}.jsonl")
        assert game.rules.changes() == []
        assert game.at(0).phase.number == first


@pytest.mark.parametrize("name", ANSWERS)
def test_a_typed_sheet_answers_as_before(name):
    told, wanted = read_sheet((HOME / f"{name}-sheet.txt").read_text(encoding="utf-8")), ANSWERS[name]
    found = infer(told)
    assert (told.player, found.number) == (wanted["player"], wanted["histories"])
    words = {"true": "yes", "false": "no"}
    answers = {q: words.get(str(found.ask(q)), str(found.ask(q))) for q in wanted["table_reading"]}
    assert answers == wanted["table_reading"]
