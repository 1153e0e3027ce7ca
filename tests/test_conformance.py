"""The recorded games of all three rule sets, and whether the runner detects errors in them."""

import json
from pathlib import Path

import pytest

from tests.conformance import main

DATA = Path(__file__).parent / "data"


@pytest.mark.parametrize("rules", ["cisra", "gekka", "straat"])
@pytest.mark.parametrize("engine", ["enumerated", "counting"])
def test_recorded_games(rules, engine, capsys):
    assert main(["--engine", engine, str(DATA / f"{rules}_games.json")]) == 0
    assert "games," in capsys.readouterr().out


def corrupt_cell(step):
    rows = step["after"]["table"]
    row = rows[0] if isinstance(rows, list) else rows["P1"]
    row["dead"] = "1/7"


def corrupt_hash(step):
    step["after"]["sha256"] = "0" * 64


def corrupt_worlds(step):
    key = "worlds" if "worlds" in step["after"] else "distinct"
    step["after"][key] += 1


@pytest.mark.parametrize("rules", ["cisra", "gekka", "straat"])
@pytest.mark.parametrize("corrupt", [corrupt_cell, corrupt_hash, corrupt_worlds])
def test_a_wrong_expectation_is_one_mismatch(rules, corrupt, tmp_path, capsys):
    games = json.loads((DATA / f"{rules}_games.json").read_text(encoding="utf-8"))["games"][:2]
    corrupt(games[1]["steps"][0])
    path = tmp_path / "games.json"
    path.write_text(json.dumps({"games": games}), encoding="utf-8")
    assert main([str(path)]) == 1
    assert "2 games" in (out := capsys.readouterr().out)
    assert "1 mismatches" in out


def test_a_wrong_verdict_is_noticed(tmp_path, capsys):
    games = json.loads((DATA / "gekka_games.json").read_text(encoding="utf-8"))["games"][:1]
    games[0]["steps"][-2]["after"]["winner"] = "Human"
    path = tmp_path / "games.json"
    path.write_text(json.dumps({"games": games}), encoding="utf-8")
    assert main([str(path)]) == 1
    assert "verdict" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"{}", 'not a file of recorded games: it is an object with "games", a list'),
        (b"[1]", 'it is an object with "games", a list'),
        (b'{"games": 3}', 'it is an object with "games", a list'),
        (b'{"games": [{"id": "a", "setup": {}}]}', "game 1 lacks id, setup or steps"),
        (b"x", "not JSON: Expecting value"),
        (b"\xff", "not JSON: 'utf-8' codec"),
        (None, "cannot be read: No such file"),
    ],
)
def test_an_unreadable_file_is_refused(tmp_path, capsys, content, reason):
    path = tmp_path / "games.json"
    if content is not None:
        path.write_bytes(content)
    assert main([str(path)]) == 2
    assert reason in (error := capsys.readouterr().err)
    assert "Error(" not in error
