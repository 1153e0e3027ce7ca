import json
import os
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from math import sqrt
from multiprocessing import get_context

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kripke_werewolf.base.errors import GameError
from kripke_werewolf.games import wilson
from kripke_werewolf.games.avalon import (
    Avalon,
    AvalonSimulation,
    Good,
    MarkovChain,
    Outcome,
    Rules,
    SimulationStopped,
    intended,
    published,
    simulate,
    solve,
)
from kripke_werewolf.games.avalon.study import replicate
from kripke_werewolf.games.programs.chain import CHUNK, open_executor
from tests.cases import each

GAME = Avalon(published())
GAMES = 2 * CHUNK + 1000


@pytest.fixture(scope="module")
def here() -> AvalonSimulation:
    return simulate(GAME, GAMES, rng=7)


@pytest.fixture(scope="module")
def pool() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        yield executor


@pytest.mark.parametrize(
    "rules",
    [
        published(),
        intended(announcements="policy"),
        intended(merlin="naive", higher_order=True, assassinate=True, announcements="policy"),
    ],
)
def test_simulated_and_exact_agree_and_see_the_same_states(game_of, solved, rules: Rules) -> None:
    games, chain = 400_000, MarkovChain(game_of(rules))
    solution = solved(rules)
    counts = chain.walk(games, np.random.default_rng(3))
    assert chain.visited == solution.states
    assert set(counts) == set(solution.weights)
    for outcome, count in counts.items():
        low, high = wilson(count, games, confidence=0.9999)
        assert low < float(solution.weights[outcome]) < high


def test_the_mean_number_of_quests_lies_in_its_interval(solved, here: AvalonSimulation) -> None:
    solution = solved(GAME.rules)
    for winner in (None, "good", "evil"):
        low, high = here.quests_interval(winner, confidence=0.999)
        assert low < float(solution.quests(winner)) < high


def test_the_seed_decides(here: AvalonSimulation) -> None:
    assert here.games == GAMES
    assert simulate(GAME, GAMES, rng=7) == here
    assert simulate(GAME, GAMES, rng=np.random.default_rng(7)) == here
    assert simulate(GAME, GAMES, rng=8) != here


def test_earlier_games_do_not_change_what_a_seed_means() -> None:
    used = MarkovChain(GAME)
    used.walk(5000, np.random.default_rng(1))
    fresh = MarkovChain(Avalon(published()))
    assert used.walk(1000, np.random.default_rng(2)) == fresh.walk(1000, np.random.default_rng(2))


@pytest.mark.slow
def test_processes(here: AvalonSimulation, pool: Executor) -> None:
    assert simulate(GAME, GAMES, rng=7, executor=pool) == here
    with open_executor(workers=1) as one:
        assert simulate(GAME, GAMES, rng=7, executor=one) == here


@pytest.mark.slow
def test_a_dask_cluster(here: AvalonSimulation) -> None:
    distributed = pytest.importorskip("distributed", reason="distributed is not installed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        assert simulate(GAME, GAMES, rng=7, executor=client.get_executor()) == here


def test_progress_counts_every_game() -> None:
    steps: list[int] = []
    simulate(GAME, GAMES, rng=7, progress=steps.append)
    assert steps == [CHUNK, CHUNK, 1000]


def test_results_so_far_are_kept_when_the_user_interrupts() -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(SimulationStopped, match="20,000 of 41,000 games: interrupted") as caught:
        simulate(GAME, GAMES, rng=7, progress=interrupt)
    assert caught.value.simulation == simulate(GAME, CHUNK, rng=7)


def test_what_happened_to_a_process_is_told() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:

        class Local(Good):
            pass

        with pytest.raises(SimulationStopped, match="a strategy must be a class of a module"):
            simulate(Avalon(published(), good=Local()), 10, executor=pool)
        with pytest.raises(BrokenProcessPool):
            pool.submit(os._exit, 1).result()
        with pytest.raises(SimulationStopped, match="after 0 of 41,000 games: a process ended abruptly"):
            simulate(GAME, GAMES, rng=7, executor=pool)


@each([-1, "seven", 1.5, np.random.RandomState(1)])
def test_what_is_no_seed_is_refused(rng: object) -> None:
    for use in (GAME.play, partial(simulate, GAME, 10), lambda rng: next(replicate(10, rng=rng))):
        with pytest.raises(GameError, match="is not possible \\(allowed: a whole number from 0"):
            use(rng=rng)


def test_what_is_no_game_or_executor_is_refused() -> None:
    for use in (partial(simulate, games=10), solve, MarkovChain):
        with pytest.raises(GameError, match=r"expected a game, .* got <Rules: published>"):
            use(published())
        with pytest.raises(GameError, match=r"expected a game, .* got 'F/F/F'"):
            use("F/F/F")
    with pytest.raises(GameError, match="executor=2 is not a concurrent"):
        simulate(GAME, 10, executor=2)


def test_impossible_numbers_are_refused() -> None:
    for games in (0, -5, 1.5, True):
        with pytest.raises(GameError, match=f"games={games}"):
            simulate(GAME, games)
    assert simulate(GAME, np.int64(10)).games == 10
    with pytest.raises(GameError, match="workers=0"):
        open_executor(workers=0).__enter__()


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_bounds_solve_its_equation(numbers: tuple[int, int]) -> None:
    """A bound is the probability from which the observed share is exactly z standard errors away."""
    successes, trials = numbers
    share, z = successes / trials, 1.959963984540054
    low, high = wilson(successes, trials)
    assert 0 <= low <= share <= high <= 1
    for bound in (low, high):
        if 0 < bound < 1:
            assert abs(share - bound) == pytest.approx(z * sqrt(bound * (1 - bound) / trials), abs=1e-9)


def test_json_holds_the_counts() -> None:
    result = AvalonSimulation({Outcome("good", 3): 1, Outcome("evil", 4, "assassination"): 3})
    found = json.loads(json.dumps(result.to_dict()))
    assert (found["games"], found["good"], found["quests"]["all"]) == (4, 0.25, 3.75)
    counted = {"winner": "good", "quests": 3, "by": "quests", "games": 1, "share": 0.25}
    assert found["outcomes"][1].items() >= counted.items()
