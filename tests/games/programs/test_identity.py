import random
from fractions import Fraction
from functools import cache

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
from kripke_werewolf.games.programs.match import identity, named
from tests.cases import cases, each
from tests.games.programs.strategies import Patient

POLICY = published(announcements="policy")


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


def test_code_and_parameters_tell_strategies_apart(monkeypatch) -> None:
    game = Avalon(POLICY, evil=Patient(1))
    before = game.identity()
    assert before == Avalon(POLICY, evil=Patient(1)).identity() != Avalon(POLICY, evil=Patient(2)).identity()
    monkeypatch.setattr(Patient, "fails", Rolling.fails)
    assert before != game.identity()
    assert identity(lambda *asked: 1) != identity(lambda *asked: 2) == identity(lambda *asked: 2)
    assert named(CautiousMerlin(Good())) == "CautiousMerlin(behind=Good())"


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


@cases(
    (Rolling(), "player . .* draws random numbers"),
    (RollingNumpy(), "draws random numbers"),
    (Counting(), "answers false when asked once and true when asked again"),
)
def test_undeclared_chance_and_state_are_refused(strategy: Evil, said: str) -> None:
    for use in (solve, lambda game: simulate(game, 100, rng=1), lambda game: game.play(rng=1)):
        with pytest.raises(IllegalMove, match=said):
            use(Avalon(POLICY, evil=strategy))


@cases(
    ({True: 0.5}, "sum to 1/2"),
    ({True: 1.5, False: -0.5}, "below 0"),
    ({True: 0.123456789123, False: 0.876543210877}, "not exact"),
    ({}, "takes options with weights"),
    ({True: "half"}, "expected an exact number"),
)
def test_weights_must_be_exact_and_sum_to_one(weights: dict[bool, object], said: str) -> None:
    with pytest.raises(GameError, match=said):
        choose(weights)


def test_results_say_what_they_are_about() -> None:
    about = simulate(Avalon(POLICY, evil=Patient(2)), 100, rng=1).about
    assert (about["game"], about["rules"]["name"]) == ("Avalon", "published")
    assert about["strategies"]["evil"] == "Patient(n=2)"
    assert named(CautiousMerlin()) == "CautiousMerlin(behind=Good())"


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
    assert hidden.strategies()["Merlin"].behind.approves(1, (1, 2), None) is True
