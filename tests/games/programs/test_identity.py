import random
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from functools import cache
from multiprocessing import get_context

import numpy as np
import pytest

from kripke_werewolf.base.errors import GameError, IllegalMove
from kripke_werewolf.games.avalon import (
    Avalon,
    CautiousMerlin,
    Evil,
    Good,
    choose,
    intended,
    published,
    simulate,
    solve,
)
from kripke_werewolf.games.programs.identity import identity, named
from tests.cases import cases, each
from tests.games.programs.strategies import Patient, Tunable

POLICY = published(announcements="policy")
LIMIT = 2


@cache
def rate(n: int) -> Fraction:
    """Return how often Good wins against patient players, computed once."""
    return solve(Avalon(POLICY, evil=Patient(n))).good


@each([1, 3])
def test_a_parameter_is_part_of_what_is_solved_and_simulated(n: int) -> None:
    exact = float(rate(n))
    assert round(exact, 4) == {1: 0.5120, 3: 1.0}[n]
    low, high = simulate(Avalon(POLICY, evil=Patient(n)), 2_000, rng=n).interval(confidence=0.9999)
    assert low <= exact <= high


class ByClass(Evil):
    limit = 1

    def fails(self, player, party, now):
        return now.quest > self.limit


class ByGlobal(Evil):
    def fails(self, player, party, now):
        return now.quest > LIMIT


def closed(limit: int) -> Evil:
    class Closed(Evil):
        def fails(self, player, party, now):
            return now.quest > limit

    return Closed()


def test_class_attributes_globals_and_closures_are_part_of_it(monkeypatch) -> None:
    one, other = Avalon(POLICY, evil=ByClass()), Avalon(POLICY, evil=ByGlobal())
    assert round(float(solve(one).good), 4) == 0.5120
    before = one.identity(), other.identity()
    monkeypatch.setattr(ByClass, "limit", 2)
    monkeypatch.setitem(globals(), "LIMIT", 1)
    assert round(float(solve(one).good), 4) == 0.5347
    assert before[0] != one.identity()
    assert before[1] != other.identity()
    assert identity(closed(1)) == identity(closed(1)) != identity(closed(2))


def test_a_parameter_changed_afterwards_is_noticed() -> None:
    strategy = Patient(1)
    game = Avalon(POLICY, evil=strategy)
    before = solve(game).good
    strategy.n = 2
    assert solve(game).good == rate(2) != before == rate(1)


class Rolling(Evil):
    def fails(self, player, party, now):
        return random.random() < 0.5


class RollingNumpy(Evil):
    def fails(self, player, party, now):
        return np.random.random() < 0.5  # noqa: NPY002 - it is what must be noticed


class Counting(Evil):
    def __init__(self):
        self.asked = 0

    def fails(self, player, party, now):
        self.asked += 1
        return self.asked % 2 == 0


class Keeping(Evil):
    def __init__(self):
        self.rng = np.random.default_rng(1)


@cases(
    (Rolling(), "player . .* draws random numbers"),
    (RollingNumpy(), "draws random numbers"),
    (Counting(), "answers false when asked once and true when asked again"),
)
def test_undeclared_chance_and_state_are_refused(strategy: Evil, said: str) -> None:
    for use in (solve, lambda game: simulate(game, 100, rng=1), lambda game: game.play(rng=1)):
        with pytest.raises(IllegalMove, match=said):
            use(Avalon(POLICY, evil=strategy))


def test_a_source_of_randomness_is_no_parameter() -> None:
    with pytest.raises(GameError, match=r"rng is .*source of randomness"):
        solve(Avalon(POLICY, evil=Keeping()))
    with pytest.raises(GameError, match="cannot be compared"):
        identity(type("Open", (Evil,), {"lines": iter(())})())


@cases(
    ({True: 0.5}, "sum to 1/2"),
    ({True: 1.5, False: -0.5}, "below 0"),
    ({True: 0.123456789123, False: 0.876543210877}, "not exact"),
    ({}, "takes a mapping"),
    ({True: "half"}, "expected an exact number"),
)
def test_weights_must_be_exact_and_sum_to_one(weights: dict[bool, object], said: str) -> None:
    with pytest.raises(GameError, match=said):
        choose(weights)


def test_strategies_by_seat() -> None:
    alone = Avalon(POLICY, evil={1: Patient(3)})
    assert alone.strategies()["evil 1"].n == 3
    assert Avalon(POLICY, evil={i: Patient(1) for i in range(1, 6)}) == Avalon(POLICY, evil=Patient(1))
    assert Fraction(587, 1080) < solve(alone).good
    with pytest.raises(GameError, match="6 is not a seat"):
        Avalon(POLICY, evil={6: Patient(1)})


def test_results_say_what_they_are_about() -> None:
    about = simulate(Avalon(POLICY, evil=Patient(2)), 100, rng=1).about
    assert (about["game"], about["rules"]["name"]) == ("Avalon", "published")
    assert about["strategies"]["evil"] == "Patient(n=2)"
    assert named(CautiousMerlin()) == "CautiousMerlin(behind=Good())"


def test_simulations_of_the_same_game_add_up() -> None:
    game = Avalon(POLICY, evil=Patient(1))
    first, second = simulate(game, 100, rng=1), simulate(game, 150, rng=2)
    assert (first + second).games == 250
    with pytest.raises(GameError, match="count twice"):
        first + simulate(game, 100, rng=1)
    with pytest.raises(GameError, match="different games or strategies"):
        first + simulate(Avalon(POLICY, evil=Patient(2)), 100, rng=3)


def test_a_worker_with_other_values_is_noticed(monkeypatch) -> None:
    monkeypatch.setattr(Tunable, "limit", 2)
    patient = Avalon(POLICY, evil=Patient(1))
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        with pytest.raises(GameError, match="not the same as here"):
            simulate(Avalon(POLICY, evil=Tunable()), 10, rng=1, executor=pool)
        assert simulate(patient, 10, rng=1, executor=pool) == simulate(patient, 10, rng=1)


def test_the_look_ahead_has_two_readings() -> None:
    rules = intended(merlin="naive", higher_order=True, lookahead="possible")
    assert solve(Avalon(rules)).good == Fraction(13, 81)


def test_merlin_plays_by_the_strategy_of_the_good_players() -> None:
    class Blind(Good):
        def approves(self, player, party, now):
            return True

    rules = intended(merlin="naive", assassinate=True)
    assert Avalon(rules, good=Blind()) == Avalon(rules, good=Blind(), merlin=Blind())
    hidden = Avalon(intended(merlin="cautious"), good=Blind())
    assert hidden.merlin.behind.approves(1, (1, 2), None) is True


def _made(text: str, **around: object):
    """Return the class `Rule` of a module with these globals."""
    place = {"Evil": Evil, "choose": choose, **around}
    exec(text, place)
    return place["Rule"]


@cases(
    ("return now.quest > n", True),
    ("return now.quest > (lambda: n)()", True),
    ("return now.quest > sum(n for _ in 'a')", True),
    ("return now.quest > max(n, 1)", True),
    ("class Inner:\n            kept = n\n        return now.quest > Inner.kept", True),
    ("return now.quest > self.n", False),
    ("n = 1\n        return now.quest > n", False),
    ("return now.quest > (lambda n: n)(1)", False),
    ("return now.quest > dict(n=1)['n']", False),
)
def test_the_globals_that_are_part_of_it_are_those_that_are_read(body: str, reads: bool) -> None:
    text = f"class Rule(Evil):\n    n = 1\n    def fails(self, player, party, now):\n        {body}\n"
    first, second = (identity(_made(text, n=n)()) for n in (1, 2))
    assert (first != second) == reads
    if not reads:  # a source of randomness that is not read is none of its business
        identity(_made(text, n=random.Random())())


def test_a_global_with_the_name_of_a_builtin_is_part_of_it() -> None:
    text = "class Rule(Evil):\n    def fails(self, player, party, now):\n        return now.quest > round\n"
    assert identity(_made(text, round=1)()) != identity(_made(text, round=2)())
