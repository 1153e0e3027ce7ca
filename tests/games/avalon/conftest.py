from collections.abc import Callable
from functools import cache

import pytest

from kripke_werewolf.games.avalon import Avalon, AvalonSolution, Rules, solve


@cache
def _game(rules: Rules) -> Avalon:
    return Avalon(rules)


@cache
def _solution(rules: Rules) -> AvalonSolution:
    return solve(_game(rules))


@pytest.fixture(scope="session")
def game_of() -> Callable[[Rules], Avalon]:
    """The game under given rules; cached, with its states."""
    return _game


@pytest.fixture(scope="session")
def solved() -> Callable[[Rules], AvalonSolution]:
    """The solution of the game under given rules, computed once."""
    return _solution
