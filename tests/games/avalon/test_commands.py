import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from click.testing import CliRunner, Result

from kripke_werewolf import GameError, KripkeError, UnknownNameError, avalon
from kripke_werewolf.cli import research
from kripke_werewolf.cli.main import cli
from kripke_werewolf.games.avalon import (
    Avalon,
    AvalonSimulation,
    SimulationStopped,
    published,
    study,
)
from kripke_werewolf.games.avalon.strategies import strategy_named
from kripke_werewolf.games.programs.chain import CHUNK
from tests.cases import cases, each


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["avalon", *map(str, arguments)])


def test_play_tells_a_game() -> None:
    told = run("play", "--seed", 1)
    assert told.exit_code == 0
    assert told.output == f"{Avalon(published()).play(rng=1)}\n"


def test_solve_prints_fractions() -> None:
    found = json.loads(run("solve", "--rules", "published", "--merlin", "none", "--json").output)
    assert found["version"] == 1
    assert list(found["configurations"]) == ["F/F/F"]
    assert found["configurations"]["F/F/F"]["good"] == "6067/12960"
    assert "6067/12960" in run("solve", "--merlin", "none").output


def test_solve_takes_single_rules() -> None:
    found = json.loads(run("solve", "--merlin", "none", "--set", "announcements=policy", "--json").output)
    assert found["configurations"]["F/F/F"]["good"] == "587/1080"
    assert found["configurations"]["F/F/F"]["options"]["announcements"] == "policy"


def test_a_cautious_merlin_on_freed_published_rules_is_named() -> None:
    freed = ["--set", "worlds=roles", "--set", "knowledge=actual", "--games", 10, "--seed", 1]
    assert run("simulate", "--merlin", "cautious", *freed).output.startswith("cautious/F/F: 10 games")


def test_solve_without_a_configuration_solves_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(avalon, "configurations", lambda name: {"F/F/F": published()})
    assert list(json.loads(run("solve", "--json").output)["configurations"]) == ["F/F/F"]


def test_simulate_prints_results() -> None:
    result = run("simulate", "--games", 500, "--seed", 7)
    assert result.exit_code == 0
    assert "500 games" in result.output
    found = json.loads(run("simulate", "--games", 500, "--seed", 7, "--json").output)
    assert (found["games"], found["seed"], found["configuration"]) == (500, 7, "F/F/F")


def test_a_seed_that_was_not_given_is_told_and_kept() -> None:
    first = run("simulate", "--games", 500, "--json")
    found = json.loads(first.stdout)
    assert first.stderr == f"note: --seed {found['seed']} plays the same again\n"
    assert run("simulate", "--games", 500, "--json", "--seed", found["seed"]).output == first.stdout
    told = run("play")
    (seed,) = [word for word in told.stderr.split() if word.isdigit()]
    assert run("play", "--seed", seed).output == told.stdout


@each(["play", "simulate", "study"])
def test_a_seed_below_zero_is_a_wrong_argument(command: str) -> None:
    result = run(command, "--seed", "-1")
    assert result.exit_code == 2
    assert "'--seed': -1 is not in the range x>=0" in result.output


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM")
def test_results_so_far_are_printed_when_a_scheduler_ends_the_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @contextmanager
    def ended(what: str, total: int) -> Iterator[Callable[[int], object]]:
        yield lambda games: os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(research, "progress_shown", ended)
    result = run("simulate", "--games", 2 * CHUNK, "--seed", 7, "--json")
    assert isinstance(result.exception, SimulationStopped)
    assert "after 20,000 of 40,000 games: interrupted" in str(result.exception)
    assert json.loads(result.stdout)["games"] == CHUNK


def test_a_study_takes_strategies(monkeypatch: pytest.MonkeyPatch) -> None:
    few = {"F/F/F": published()}
    monkeypatch.setattr(avalon, "configurations", lambda name: few)
    monkeypatch.setattr(study, "configurations", lambda name: few)
    monkeypatch.setattr(study, "PRINTED", {"F/F/F": study.PRINTED["F/F/F"]})
    trusting = "tests.games.programs.strategies:Trusting"
    options = ["--games", 500, "--no-ablation", "--json"]
    result = run("study", "--good", trusting, *options)
    assert result.exit_code == 0, result.exception
    about = json.loads(result.stdout)["table"]["F/F/F"]["exact"]["about"]
    assert about["strategies"]["good"] == "Trusting()"
    solved = run("solve", "--merlin", "none", "--good", trusting, "--json")
    assert json.loads(solved.stdout)["configurations"]["F/F/F"]["good"] != "6067/12960"


def test_study_prints_the_table_and_rows_found_before_it_breaks(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(games: int, **options: object):
        rows = avalon.compare_all(games, **options)
        yield next(rows)
        raise SimulationStopped(AvalonSimulation({}), games, "the scheduler is gone")

    monkeypatch.setattr(avalon, "compare_all", study.replicate, raising=False)
    monkeypatch.setattr(study, "replicate", broken)
    for options in ([], ["--json"]):
        result = run("study", "--games", 500, *options)
        assert isinstance(result.exception, SimulationStopped)
        assert "F/F/F" in result.output
        assert "0.46" in result.output
        assert "T/F/F" not in result.output


def test_strategies_are_named_with_their_parameters() -> None:
    assert repr(strategy_named("CautiousMerlin")) == "CautiousMerlin(behind=Good())"
    assert strategy_named("tests.games.programs.strategies:Patient(n=2)").n == 2


@cases(
    (["simulate", "--assassinate"], GameError, "assassinate=True needs a Merlin"),
    (["simulate", "--set", "cards=bluff"], GameError, "cards is one of fail, hide, lookahead"),
    (["solve", "--set", "card=hide"], UnknownNameError, "did you mean 'cards'"),
    (
        ["play", "--rules", "intended", "--merlin", "lowest"],
        GameError,
        "merlin='lowest' is not possible",
    ),
    (["simulate", "--set", "merlin=naive"], GameError, "--set merlin=naive: use --merlin"),
    (["solve", "--set", "assassinate=true"], GameError, "use --assassinate"),
    (["solve", "--merlin", "cautious"], GameError, "needs worlds='roles', as in intended()"),
    (["simulate", "--games", "0"], GameError, "games=0"),
    (["solve", "--evil", "Wicked"], UnknownNameError, "unknown strategy 'Wicked' in Avalon"),
    (["solve", "--evil", "nowhere:X"], GameError, "No module named 'nowhere'"),
    (["solve", "--evil", "os:X"], GameError, "has no attribute 'X'"),
    (["solve", "--evil", "Evil(3)"], GameError, "cannot be made: Evil.__init__() takes 1 positional"),
    (["solve", "--evil", "Evil(n=3)"], GameError, "unexpected keyword argument 'n'"),
)
def test_bad_input_is_named(arguments: list[str], error: type[KripkeError], said: str) -> None:
    result = run(*arguments)
    assert isinstance(result.exception, error)
    assert said in str(result.exception)
    assert result.output == ""
