"""Logs, handouts and typed sheets of the released formats load and answer as when they were written."""

import json
from pathlib import Path

import pytest

from kripke_werewolf import Told, replay
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


@pytest.mark.parametrize("name", ANSWERS)
def test_a_handout_is_read_written_and_answers_as_before(name):
    text, wanted = (HOME / f"{name}-handout.json").read_text(encoding="utf-8"), ANSWERS[name]
    told = Told.from_dict(json.loads(text))
    assert told.to_json() + "\n" == text
    assert told == replay(HOME / f"{name}.jsonl").handout(wanted["player"])
    assert {q: str(told.ask(q)) for q in wanted["facts"]} == wanted["facts"]
    assert infer(told).number == wanted["histories"]


@pytest.mark.parametrize("name", ANSWERS)
def test_a_typed_sheet_answers_as_before(name):
    told, wanted = read_sheet((HOME / f"{name}-sheet.txt").read_text(encoding="utf-8")), ANSWERS[name]
    found = infer(told)
    assert (told.player, found.number) == (wanted["player"], wanted["histories"])
    words = {"true": "yes", "false": "no"}
    answers = {q: words.get(str(found.ask(q)), str(found.ask(q))) for q in wanted["table_reading"]}
    assert answers == wanted["table_reading"]
