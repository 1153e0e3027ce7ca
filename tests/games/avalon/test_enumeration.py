"""Exact solutions against a plain enumeration of everything that can happen."""

import os
import random
from fractions import Fraction

import pytest

from kripke_werewolf.base.errors import GameError
from kripke_werewolf.games.avalon import Avalon, Rules, intended, published, solve
from kripke_werewolf.games.avalon.rules import option_values
from tests.reference.quests import Quests

RANDOM = int(os.environ.get("AVALON_RULE_SETS", "4"))
"""The number of random rule sets; all 74 take five minutes. With more than 4, more players are tried."""
LONG = (pytest.mark.slow, pytest.mark.timeout(1800))
_LEFT_OUT = ("percival", "morgana", "mordred", "oberon", "knowledge")


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


@pytest.mark.parametrize("seed", range(RANDOM))
def test_random_rules_are_solved_as_by_enumeration(seed: int) -> None:
    check(drawn(seed))


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules",
    [
        published(),
        published(merlin=True, higher_order=True),
        intended(),
        intended(higher_order=True),
        intended(leader_goes=True, announcements="policy"),
        intended(merlin="naive", assassinate=True),
        intended(merlin="naive", higher_order=True, assassinate=True, announcements="policy"),
    ],
)
def test_named_rules_are_solved_as_by_enumeration(rules: Rules) -> None:
    check(rules)
