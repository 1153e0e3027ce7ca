"""After the game: the report and everybody's knowledge come from another process, or are given up."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from kripke_werewolf import LogFile, QuantumWerewolf
from kripke_werewolf.host.afterwards import Afterwards, answer, questions
from kripke_werewolf.werewolf.knowledge import knowledge_of
from kripke_werewolf.wording import in_language


@pytest.fixture
def finished(tmp_path: Path) -> tuple[Path, QuantumWerewolf]:
    game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=1, rules="straat", rng=3)
    game = game.vision("Ann", "Bo", result="villager").end_phase(missing="pass")
    game = game.vote_off("Cy", role="wolf")
    assert game.verdict is not None
    path = tmp_path / "g.jsonl"
    with LogFile.create(path, game):
        return path, game


def worked_out(afterwards: Afterwards) -> list[int]:
    async def run() -> list[int]:
        return [len(afterwards.answers) async for _ in afterwards.run()]

    return asyncio.new_event_loop().run_until_complete(run())


def test_everything_is_worked_out(finished: tuple[Path, QuantumWerewolf]) -> None:
    path, game = finished
    afterwards = Afterwards(path)
    steps = worked_out(afterwards)
    assert steps == sorted(steps)
    found = afterwards.progress()
    assert found["done"]
    assert len(found["answers"]) == found["total"] == len(questions(game)) >= 4
    assert afterwards.report
    assert "Cy" in afterwards.report.to_text()
    assert "Ergebnis" in in_language(afterwards.report, "de").to_page()
    assert in_language(found["answers"][-1], "de")["phase"] == "Tag 1"
    (step, reading), last = questions(game)[-1], found["answers"][-1]
    known = knowledge_of(game.at(step), reading=reading)
    assert last["reading"] == reading
    assert dict(last["known"]["Ann"])["Cy"] == "wolf" == known.known("Ann", "Cy")
    first = found["answers"][0]
    assert dict(first["known"]["Bo"])["Cy"] != "wolf"


def test_what_takes_too_long_is_given_up(finished: tuple[Path, QuantumWerewolf]) -> None:
    afterwards = Afterwards(finished[0], limit=0.001)
    worked_out(afterwards)
    assert afterwards.report == ""
    assert not afterwards.answers


def test_a_search_of_the_tables_ends_in_time(finished: tuple[Path, QuantumWerewolf]) -> None:
    step, reading = questions(finished[1])[-1]
    found = answer(finished[1], step, reading, timeout=0)
    assert (found["phase"], found["reading"]) == ("day 1", "exact")
    assert "the time was up (0 s)" in found["error"]


def test_a_classical_deal_has_no_table_to_ask_about() -> None:
    game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=1, rules="gekka", deal="classical", rng=3)
    game = game.end_phase(missing="pass")
    assert questions(game) == [(len(game.steps), "facts")]
