"""Exact solutions against a plain enumeration of everything that can happen."""

from __future__ import annotations

import os
import random
from fractions import Fraction

import pytest

from kripke_werewolf.avalon import Avalon, Rules, intended, published, solve
from kripke_werewolf.avalon.rules import option_values
from kripke_werewolf.errors import GameError
from tests.cases import each
from tests.reference.quests import Quests

RANDOM = int(os.environ.get("AVALON_RULE_SETS", "6"))
"""The number of random rule sets; all 74 take five minutes. With more than 6, more players are tried."""
LONG = (pytest.mark.slow, pytest.mark.timeout(1800))
LARGE = (6, 7) if RANDOM > 6 else (6,)
_LEFT_OUT = ("percival", "morgana", "mordred", "oberon", "memory", "knowledge")


def enumerated(rules: Rules) -> dict[tuple[str, int, str], Fraction]:
    return Quests(**{k: v for k, v in rules.options().items() if k not in _LEFT_OUT}).solve()


def drawn(seed: int) -> Rules:
    """Rules with options drawn at random; six players where the worlds are few."""
    rng = random.Random(seed)
    while True:
        options = {
            name: rng.choice(values) if rng.random() < 0.4 else getattr(Rules(), name)
            for name, values in option_values().items()
            if name not in ("players", *_LEFT_OUT)
        }
        options["merlin"] = rng.choice([None, "naive", "cautious"])
        options["players"] = 6 if options["merlin"] is None and rng.random() < 0.2 else 5
        try:
            return Rules(**options, knowledge="somewhere" if options["worlds"] == "pairs" else "actual")
        except GameError:
            continue


def check(rules: Rules) -> None:
    assert {tuple(end): p for end, p in solve(Avalon(rules)).weights.items()} == enumerated(rules)


@each(range(3))
def test_random_rules_are_solved_as_by_enumeration(seed: int) -> None:
    check(drawn(seed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3, RANDOM))
def test_more_random_rules_are_solved_as_by_enumeration(seed: int) -> None:
    check(drawn(seed))


@pytest.mark.slow
@pytest.mark.parametrize("players", (5, 6) if RANDOM > 6 else (5,))
def test_games_with_merlin_are_solved_as_by_enumeration(players: int) -> None:
    check(intended(players=players, merlin="naive", assassinate=True))


@pytest.mark.slow
@each(
    [
        published(),
        published(merlin=True, higher_order=True),
        intended(leader_goes=True, announcements="policy"),
        intended(merlin="naive", higher_order=True, assassinate=True, announcements="policy"),
    ]
)
def test_named_rules_are_solved_as_by_enumeration(rules: Rules) -> None:
    check(rules)


@pytest.mark.parametrize("players", [pytest.param(n, marks=LONG) for n in LARGE])
def test_games_without_merlin_are_solved_as_by_enumeration(players: int) -> None:
    check(intended(players=players))


@each(
    [(intended(), "49/1620"), (intended(higher_order=True), "589/9720"), (published(), "6067/12960")],
)
def test_the_enumeration_gives_the_named_values(rules: Rules, good: str) -> None:
    assert sum(p for end, p in enumerated(rules).items() if end[0] == "good") == Fraction(good)
