import json
import os
import signal
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NoReturn

import pytest
from filelock import FileLock

from kripke_werewolf.base.errors import FormatError, GameError, KripkeError, UnknownNameError
from kripke_werewolf.games.programs import studies
from kripke_werewolf.games.programs.studies import StudyStopped, merged, read_study, run_study, strategy_named

TEXT = """
game = "transmission"
games = 120_000
seed = {seed}
[grid]
"rules.rounds" = [2, 3]
"rules.loss" = ["1/2", "1/4"]
"""


def written(folder: Path, text: str, **values: object) -> Path:
    file = folder / "study.toml"
    file.write_text(text.format(**values), encoding="utf-8")
    return file


def test_a_study_that_is_being_run_keeps_its_lock(tmp_path: Path) -> None:
    file, out = written(tmp_path, TEXT, seed=1), tmp_path / "out.json"
    with FileLock(tmp_path / "out.json.part.lock"):
        for _ in range(2):
            with pytest.raises(GameError, match=r"out\.json' is being run by another process"):
                run_study(read_study(file), out)
    assert not out.exists()


def test_a_line_that_was_not_written_whole_is_played_again(tmp_path: Path) -> None:
    study, out = read_study(written(tmp_path, TEXT, seed=1)), tmp_path / "out.json"
    seen: list[int] = []

    def stop(games: int) -> None:
        seen.append(games)
        if len(seen) == 6:
            raise KeyboardInterrupt

    with pytest.raises(studies.StudyStopped, match="stopped after 5 of 24 chunks: interrupted"):
        run_study(study, out, progress=stop)
    journal = tmp_path / "out.json.part"
    journal.write_bytes(journal.read_bytes()[:-7])
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        run_study(study, out, executor=pool)
    whole = tmp_path / "whole.json"
    run_study(study, whole)
    assert out.read_bytes() == whole.read_bytes()


def interrupted(*_: object) -> NoReturn:
    raise KeyboardInterrupt


def test_a_study_stopped_while_its_result_is_written_goes_on(tmp_path: Path, monkeypatch) -> None:
    study = read_study(written(tmp_path, TEXT.replace("120_000", "100"), seed=1))
    out, journal = tmp_path / "out.json", tmp_path / "out.json.part"
    with monkeypatch.context() as patched:
        patched.setattr(studies, "_cell", interrupted)
        with pytest.raises(studies.StudyStopped, match="interrupted; restart it to continue"):
            run_study(study, out)
    left = journal.read_bytes()
    result = run_study(study, out)
    journal.write_bytes(left)  # as if killed before the journal was removed
    assert run_study(study, out) == result
    assert not journal.exists()


def test_results_of_other_seeds_add_up_and_others_do_not(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(studies, "CHUNK", 500)
    text = TEXT.replace("120_000", "1000")
    results = []
    for seed in (1, 2):
        results.append(run_study(read_study(written(tmp_path, text, seed=seed)), tmp_path / f"{seed}.json"))
    both = merged(*results)
    assert (both["games"], both["seed"]) == (2000, [1, 2])
    assert all(sum(row["games"] for row in cell["outcomes"]) == 2000 for cell in both["cells"])
    with pytest.raises(GameError, match="seed in common"):
        merged(results[0], results[0])
    other = read_study(written(tmp_path, text.replace('"1/4"', '"1/5"'), seed=3))
    with pytest.raises(GameError, match="is the result of another study"):
        run_study(other, tmp_path / "1.json")
    with pytest.raises(GameError, match="different games or strategies"):
        merged(results[0], run_study(other, tmp_path / "3.json"))


@pytest.mark.slow
def test_a_study_with_a_worker_killed_has_the_same_result(tmp_path: Path) -> None:
    study, out = read_study(written(tmp_path, TEXT, seed=1)), tmp_path / "out.json"
    whole = tmp_path / "whole.json"
    run_study(study, whole)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        first = pool.submit(os.getpid).result()

        def kill(games: int) -> None:
            if games:
                os.kill(first, signal.SIGKILL)

        with pytest.raises(StudyStopped, match="a process ended abruptly"):
            run_study(study, out, executor=pool, progress=kill)
    run_study(study, out)
    assert out.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("games = 3", FormatError, "names no game"),
        ("game = 3", GameError, "3 is not a name"),
        ('game = "chess"', UnknownNameError, "unknown game 'chess'"),
        ('game = "avalon"\nplayers = 3', UnknownNameError, "unknown key 'players'"),
        ('game = "avalon"\ngames = 0', GameError, "games=0"),
        ('game = "avalon"\nseed = -1', GameError, "seed=-1"),
        ('game = "avalon"\n[rules]\npreset = "house"', UnknownNameError, "known: published, intended"),
        ('game = "avalon"\n[rules]\ncards = "bluff"', GameError, "cards='bluff' is not possible"),
        (
            'game = "avalon"\n[strategies]\nevil = "nowhere:X"',
            GameError,
            "cannot import the module 'nowhere'",
        ),
        ('game = "avalon"\n[strategies]\nevil = "os:X"', GameError, "has no 'X'"),
        ('game = "avalon"\n[strategies]\nevil = "Evil(3)"', GameError, "cannot read the strategy"),
        ('game = "avalon"\n[strategies]\nevil = "Evil(n=3)"', GameError, "cannot be made with"),
        ('game = "avalon"\n[grid]\n"rules.leader" = "seat"', FormatError, "needs a list"),
        ('game = "avalon"\n[grid]\n"leader" = ["seat"]', FormatError, "must begin with rules"),
        ('game = "avalon"\n[grid]\n"strategies.evil.n" = [1]', GameError, "which the study does not name"),
        ("game = ", FormatError, "cannot read the study"),
        ('game = "os:getcwd"', GameError, "which is not a match"),
    ],
)
def test_bad_studies_are_refused(tmp_path: Path, text: str, error: type[KripkeError], said: str) -> None:
    file = tmp_path / "study.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(error) as caught:
        read_study(file)
    assert said in str(caught.value)


def test_a_study_may_say_which_strategies_are_believed_to_be_played(tmp_path: Path) -> None:
    text = """
game = "avalon"
[rules]
preset = "intended"
[strategies]
good = "Good"
believed_evil = "tests.games.programs.strategies:Patient"
[grid]
"strategies.believed_evil.n" = [1, 2]
"""
    cells = read_study(written(tmp_path, text)).cells
    assert [match.beliefs["evil"].n for _, match in cells] == [1, 2]
    assert cells[0][1] != cells[1][1]


def test_strategies_are_named_with_their_parameters() -> None:
    assert repr(strategy_named("CautiousMerlin")) == "CautiousMerlin(behind=Good())"
    assert strategy_named("tests.games.programs.strategies:Patient(n=2)").n == 2
    assert strategy_named("tests.games.programs.strategies:Patient", {"n": 3}).n == 3


def test_a_result_is_json_that_says_what_it_is_about(tmp_path: Path) -> None:
    text = TEXT.replace("120_000", "100")
    run_study(read_study(written(tmp_path, text, seed=1)), tmp_path / "r.json")
    found = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert (found["format"], found["games"], len(found["cells"])) == ("kripke_werewolf study", 100, 4)
    assert found["cells"][1]["cell"] == {"rules.rounds": 2, "rules.loss": "1/4"}
    assert set(found["cells"][0]["strategies"]) == {"S", "R"}
