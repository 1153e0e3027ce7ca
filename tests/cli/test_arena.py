"""The group `arena`: games in files, and reports on them."""

import json
from pathlib import Path

import pytest

from tests.forked import run


@pytest.mark.parametrize("seed", ["1", "2"])
def test_games_are_written_reported_and_replayed(tmp_path: Path, seed: str) -> None:
    command = ("arena", "run", "avalon", "--set", "small=true", "--games", "2", "--seed", seed)
    code, out, _ = run((*command, "--seat", "1=exact", "-o", "games"), cwd=tmp_path)
    assert code == 0
    files = sorted(tmp_path.glob("games/*.jsonl"))
    assert [file.name for file in files] == [f"avalon-{int(seed) + n}.jsonl" for n in (0, 1)]
    names = [str(file) for file in files]
    assert run(("arena", "report", *names, "--replay"), cwd=tmp_path) == (0, out, "")
    code, found, _ = run(("arena", "report", *names, "--by", "role", "--json"), cwd=tmp_path)
    ends = [json.loads(file.read_text(encoding="utf-8").splitlines()[-1])["outcome"] for file in files]
    told = out.partition("\noutcomes\n")[2].splitlines()
    assert sorted(told) == sorted({f"{end}: {ends.count(end)} of 2" for end in ends})
    rows = json.loads(found)["scores"]
    assert json.loads(found)["outcomes"] == {end: ends.count(end) for end in ends}
    assert {row["agent"] for row in rows} == {"exact", "blind"}
    exact = [row for row in rows if row["agent"] == "exact" and row["measure"].startswith("P:")]
    assert {row["mean"] for row in exact} == {"0.0000"}


def test_a_changed_file_does_not_replay(tmp_path: Path) -> None:
    run(("arena", "run", "avalon", "--set", "small=true", "-o", "games"), cwd=tmp_path)
    file = tmp_path / "games" / "avalon-0.jsonl"
    file.write_text(file.read_text().replace('"log_bound": 0', '"log_bound": 1', 1))
    code, _, err = run(("arena", "report", str(file), "--replay"), cwd=tmp_path)
    assert code == 2
    assert "line 2 of" in err
    assert "does not fit: the answers give 0" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("werewolf", "--set", "rules=strat"), "did you mean 'straat'"),
        (("avalon", "--set", "playrs=3"), "unknown setting 'playrs'; did you mean 'players'"),
        (("avalon", "--seat", "9=blind"), "no seat '9' at this table (seats: 1, 2, 3, 4, 5)"),
        (("avalon", "--others", "nobody:at_home"), "the strategy 'nobody:at_home' cannot be made"),
        (
            ("werewolf", "--seat", "Ann=gpt"),
            "unknown agent 'gpt' (known: blind, chance, exact, person, MODULE:CLASS)",
        ),
        (("one-night", "--set", "players=x"), "give an integer of at least 1"),
    ],
)
def test_bad_settings_are_named(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    code, out, err = run(("arena", "run", *arguments), cwd=tmp_path)
    assert (code, out) == (2, "")
    assert message in err


def test_reports_are_of_games(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("{}\n")
    code, _, err = run(("arena", "report", "x"), cwd=tmp_path)
    assert (code, "x is not a game of the arena" in err) == (2, True)
