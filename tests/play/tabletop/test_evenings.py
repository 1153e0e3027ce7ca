"""Statistics over evenings: they depend on the games alone, and say what they leave out."""

import json
import random
import shutil
from pathlib import Path

import pytest

from kripke_werewolf import GameError, LogFile
from kripke_werewolf.games.werewolf.log import TruncatedLog
from kripke_werewolf.play.tabletop.evenings import statistics
from tests.games.werewolf.test_tale import played
from tests.logs import signed

DATA = Path(__file__).parents[2] / "data"


def written(path, game):
    LogFile.create(path, game).close()
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Some games, one broken off, and what is no log."""
    place = tmp_path_factory.mktemp("evenings")
    for number, kind in enumerate(("cisra", "straat", "cards", "gekka")):
        written(place / f"{kind}.jsonl", played(kind, number))
    written(place / "begun.jsonl", played("straat", 7).at(3))
    (place / "other.jsonl").write_text('{"a": 1}\n', encoding="utf-8")
    (place / "notes.txt").write_text("Ann has the key", encoding="utf-8")
    return place


def without_names_of_files(found):
    return found.games, found.players


def test_what_is_counted(folder):
    found = statistics(folder)
    games = {kind: played(kind, number) for number, kind in enumerate(("cisra", "straat", "cards", "gekka"))}
    over = [game for game in games.values() if game.verdict is not None]
    assert sum(row["games"] for row in found.games) == len(games) + 1
    assert sum(row["not over"] for row in found.games) == len(games) + 1 - len(over)
    for side in ("village", "wolves"):
        assert sum(row[side] for row in found.games) == sum(game.verdict == side for game in over)
    assert [row["player"] for row in found.players] == ["Ann", "Bob", "Cyd", "Dee", "Eve"]
    for row in found.players:
        assert row["games"] == len(over) == row["village"] + row["wolves"] + row["other"]
        assert row["won"] == sum(game.results[row["player"]] is True for game in over)
    (remark,) = found.remarks
    assert "other.jsonl, line 1" in remark


def test_names_of_files_and_copies_do_not_matter(folder, tmp_path):
    names = sorted(path.name for path in folder.glob("*.jsonl"))
    others = random.Random(1).sample(names, len(names))
    for name, other in zip(names, others, strict=True):
        shutil.copy(folder / name, tmp_path / f"x-{other}")
    assert without_names_of_files(statistics(tmp_path)) == without_names_of_files(statistics(folder))
    shutil.copy(folder / "cisra.jsonl", tmp_path / "a copy.jsonl")
    written(tmp_path / "before the break.jsonl", played("straat", 1).at(2))
    again = statistics(tmp_path)
    assert without_names_of_files(again) == without_names_of_files(statistics(folder))
    assert [r for r in again.remarks if "is not counted again" in r and "before the break" in r]


def test_the_end_of_a_file_that_was_cut_off(folder, tmp_path):
    text = (folder / "straat.jsonl").read_text(encoding="utf-8")
    (tmp_path / "cut.jsonl").write_text(text[:-30], encoding="utf-8")
    with pytest.warns(TruncatedLog):
        (row,) = statistics(tmp_path).games
    assert row["not over"] == 1


def test_a_log_that_cannot_have_happened_hides_no_other(folder, tmp_path):
    """Its steps begin with those of a good one."""
    shutil.copy(folder / "straat.jsonl", tmp_path / "good.jsonl")
    lines = (folder / "straat.jsonl").read_text(encoding="utf-8").splitlines()
    last = json.loads(lines[-1])
    again = json.dumps(last | {"step": last["step"] + 1})
    (tmp_path / "broken.jsonl").write_text("\n".join([*signed([*lines, again]), ""]), encoding="utf-8")
    found = statistics(tmp_path)
    assert [row["games"] for row in found.games] == [1]
    assert len(found.players) == 5
    assert "broken.jsonl" in found.remarks[0]
    assert "cannot have happened" in found.remarks[0]


def test_released_logs_are_read():
    assert sum(row["games"] for row in statistics(DATA / "released").games) == 3


def test_the_document_and_an_empty_folder(folder, tmp_path):
    assert statistics(tmp_path).to_dict() == {"games": [], "players": [], "remarks": []}
    (tmp_path / "folder.jsonl").mkdir()
    (remark,) = statistics(tmp_path).remarks
    assert remark == f"left out: {tmp_path / 'folder.jsonl'}: Is a directory"
    assert "Games" in statistics(tmp_path).document.to_text()
    with pytest.raises(GameError, match="is not a folder"):
        statistics(tmp_path / "nowhere")
