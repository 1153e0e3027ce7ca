"""After the game: story, report and everybody's knowledge come from another process, or are given up."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

from kripke_werewolf import LogFile, QuantumWerewolf
from kripke_werewolf.base.reports.documents import Document
from kripke_werewolf.base.wording import in_language
from kripke_werewolf.games.werewolf.knowledge import knowledge_of
from kripke_werewolf.games.werewolf.tale import knowledge_after, tale, to_ask
from kripke_werewolf.play.host.afterwards import Afterwards, _cells_for_phones


def begun() -> QuantumWerewolf:
    game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=1, rules="straat", rng=3)
    return game.vision("Ann", "Bo", result="villager").end_phase(missing="pass")


def ended() -> QuantumWerewolf:
    game = begun().vote_off("Cy", role="wolf")
    assert game.verdict is not None
    return game


def run(afterwards: Afterwards, work: Callable[[], Awaitable[None]]) -> None:
    async def both() -> None:
        task = asyncio.get_running_loop().create_task(afterwards.run())
        try:
            await asyncio.wait_for(work(), 120)
        finally:
            task.cancel()

    asyncio.new_event_loop().run_until_complete(both())


async def until(true: Callable[[], bool]) -> None:
    while not true():
        await asyncio.sleep(0.01)


def test_everything_is_worked_out(tmp_path: Path) -> None:
    game, path = ended(), tmp_path / "g.jsonl"
    LogFile.create(path, game).close()
    afterwards = Afterwards(path)

    async def work() -> None:
        afterwards.follow(game)
        await until(lambda: afterwards.story is not None)
        assert "Cy" in json.dumps(afterwards.progress()["story"])
        assert not afterwards.progress()["done"]
        await until(lambda: bool(afterwards.progress()["done"]))

    run(afterwards, work)
    found = afterwards.progress()
    assert len(found["answers"]) == found["total"] == len(to_ask(game)) >= 4
    assert afterwards.report
    assert "Cy" in afterwards.report.to_text()
    facts = {asked: knowledge_after(game, asked) for asked in to_ask(game)}
    assert afterwards.story == tale(game, facts)
    assert "Ergebnis" in in_language(afterwards.report, "de").to_page()
    assert in_language(found["answers"][-1], "de")["phase"] == "Tag 1"
    (step, reading), last = to_ask(game)[-1], found["answers"][-1]
    known = knowledge_of(game.at(step), reading=reading)
    assert last == _cells_for_phones(game, (step, reading), known)
    assert dict(last["known"]["Ann"])["Cy"] == "wolf" == known.known("Ann", "Cy")
    assert dict(found["answers"][0]["known"]["Bo"])["Cy"] != "wolf"


def test_it_follows_the_game_and_forgets_what_is_taken_back(tmp_path: Path) -> None:
    """What is found while the game runs is there at its end; nothing stays of steps that were taken back."""
    night, day = begun(), ended()
    other = begun().vote_off("Di", role="wolf")
    path = tmp_path / "g.jsonl"
    with LogFile.create(path, night) as log:
        afterwards = Afterwards(path)

        async def work() -> None:
            afterwards.follow(night)
            await until(lambda: len(afterwards.progress()["answers"]) == len(to_ask(night)))
            early = afterwards.progress()
            assert early["story"] == []
            assert not early["done"]
            for game in (day, night, other):
                log.write(game)
                afterwards.follow(game)
                assert afterwards.progress()["answers"][0] == early["answers"][0]
                assert afterwards.progress()["story"] == []
            await until(lambda: bool(afterwards.progress()["done"]))

        run(afterwards, work)
    expected = [_cells_for_phones(other, asked, knowledge_after(other, asked)) for asked in to_ask(other)]
    assert afterwards.progress()["answers"] == expected


def test_what_takes_too_long_is_given_up(tmp_path: Path) -> None:
    LogFile.create(tmp_path / "g.jsonl", game := ended()).close()
    afterwards = Afterwards(tmp_path / "g.jsonl", limit=0.001)

    async def work() -> None:
        afterwards.follow(game)
        await until(lambda: bool(afterwards.progress()["done"]))

    run(afterwards, work)
    assert afterwards.report == ""
    assert {answer["error"] for answer in afterwards.progress()["answers"]} == {
        "this took too long and was abandoned"
    }
    assert afterwards.story is not None
    assert "2 of 2 questions are left out" in afterwards.story.to_text()


def test_a_story_that_is_told_again_is_no_change(tmp_path: Path) -> None:
    afterwards = Afterwards(tmp_path / "g" / "game-1.jsonl")
    versions = []
    for story in (Document("The night", ()), Document("The night", ()), None, None, Document("Another", ())):
        afterwards.tell(story)
        versions.append(afterwards.version)
    assert versions == [1, 1, 2, 2, 3]


def test_a_search_of_the_tables_ends_in_time() -> None:
    found = knowledge_after(ended(), to_ask(ended())[-1], timeout=0)
    assert "time ran out (0 s)" in str(found)


def test_a_classical_deal_has_no_table_to_ask_about() -> None:
    game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=1, rules="gekka", deal="classical", rng=3)
    game = game.end_phase(missing="pass")
    assert to_ask(game) == [(len(game.steps), "facts")]
