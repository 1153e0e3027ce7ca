"""Scores against their definitions, and the report's means and intervals."""

import json
from fractions import Fraction
from itertools import product
from math import log, sqrt
from random import Random
from statistics import mean, stdev

import pytest

from kripke_werewolf.games.programs.blind import BlindPlay
from kripke_werewolf.games.programs.chance import clustered
from kripke_werewolf.research.arena import Arena, arena_report, avalon
from kripke_werewolf.research.arena.scores import scored


@pytest.mark.parametrize("seed", range(5))
def test_scores_are_expected_losses(seed: int) -> None:
    """The mean over all ways in which the facts may turn out, each fact by its own chance."""
    rng = Random(seed)
    facts = ["f", "g", "h"]
    p = {fact: Fraction(rng.randrange(1, 9), 9) for fact in facts}
    q = {fact: rng.randrange(2, 99) / 100 for fact in facts}
    found = scored(p, p, q, 1)
    expected_log = expected_brier = 0.0
    for ways in product([True, False], repeat=3):
        chance = 1.0
        for fact, true in zip(facts, ways, strict=True):
            chance *= float(p[fact] if true else 1 - p[fact])
        losses = [(q[fact], true) for fact, true in zip(facts, ways, strict=True)]
        expected_log += chance * mean(-log(said if true else 1 - said) for said, true in losses)
        expected_brier += chance * mean((said - true) ** 2 for said, true in losses)
    assert found["log"] == found["log_truth"] == pytest.approx(expected_log, abs=1e-6)
    assert found["brier"] == pytest.approx(expected_brier, abs=1e-6)
    assert found["log"] >= found["log_bound"]
    assert found["brier"] >= found["brier_bound"]
    assert found["sum_off"] == pytest.approx(abs(sum(q.values()) - 1), abs=1e-6)


def test_knowledge_is_scored_without_a_reference() -> None:
    p = {"f": Fraction(0), "g": Fraction(1), "h": Fraction(1, 2), "i": Fraction(1, 2)}
    found = scored(p, p, {"f": 0.3, "g": 0.9, "h": 1.0}, 2)
    assert (found["known"], found["against_known"]) == (2, 0.4)
    assert (found["sure_wrong"], found["left_out"]) == (1, 1)
    assert "sum_off" not in found


@pytest.mark.parametrize("seed", [1, 2])
def test_intervals_of_single_values_are_the_usual_ones(seed: int) -> None:
    rng = Random(seed)
    values = [rng.gauss(1, 2) for _ in range(50)]
    found, half = clustered([value] for value in values)
    assert found == pytest.approx(mean(values))
    assert half == pytest.approx(1.959964 * stdev(values) / sqrt(50), rel=1e-5)


def test_long_games_count_for_what_they_are() -> None:
    """A ratio over decisions: the mean of the two means would be 1/2."""
    assert clustered([[0.0, 0.0, 0.0], [1.0]])[0] == 0.25


@pytest.mark.parametrize("seed", [1, 2])
def test_regrets_add_up_to_the_best_value_minus_the_own(seed: int) -> None:
    """The performance difference lemma, for one seat of small Avalon that plays blindly, as all others do."""
    gaps, rng, best = [], Random(seed), best_value()
    for number in range(100):
        arena = Arena(avalon(small=True, seed=1000 * seed + number))
        while not arena.done:
            arena.step(json.dumps({"move": rng.choice(arena.get_observation()[1].options)}))
        own = arena.table.of.rewards(arena.table._referee.end.outcome)[1]
        gaps.append(best - own - sum(row["regret"] for row in arena.rows if row["seat"] == "1"))
    assert abs(mean(gaps)) < 3.5 * stdev(gaps) / sqrt(len(gaps))


def best_value() -> float:
    """The value of small Avalon for its first player who plays as well as possible, before the deal."""
    game = avalon(small=True).of
    blind, total = BlindPlay(game), Fraction(0)
    for state, p in blind.program.starts().items():
        seen = ((None, state.now, (game.sees(1, state.actual),)),)
        belief = blind.belief(1, seen)
        total += p * max(blind.values(1, state.now, belief).values())
    return float(total)


def test_a_report_divides_and_weighs() -> None:
    head = {"table": {"game": "g", "seed": 1, "players": 4}}
    row = {"agent": "x", "role": "wolf", "tries": [1], "forfeit": False, "claims": []}
    row |= dict.fromkeys(("log", "log_bound", "log_truth", "brier", "brier_bound", "known", "sure_wrong"), 0)
    games = [[head, row, {**row, "role": "seer", "tries": [1, 2]}, {}], [head, row, {}]]
    grid = arena_report(games, ["role"])
    means = {(line[2], line[3]): line[4:] for line in grid.rows}
    assert means["seer", "answers without a legal move"] == ("1.0000", "inf", "1", "1")
    assert means["wolf", "answers without a legal move"] == ("0.0000", "0.0000", "2", "2")
    assert {line[0] for line in grid.rows} == {"game=g players=4"}
