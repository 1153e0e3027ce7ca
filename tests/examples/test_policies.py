"""Policies learned elsewhere are measured here as there."""

import random
from fractions import Fraction

import pytest

from kripke_werewolf.base.errors import GameError
from kripke_werewolf.games import Anything, Cases, Program, simulate, solve
from tests.games.programs.kuhn import Kuhn, chips
from tests.games.programs.random_games import Small, strategies
from tests.games.programs.test_program import Guess


@pytest.fixture
def spiel():
    return pytest.importorskip("pyspiel", reason="open_spiel is not installed (extra 'openspiel')")


def random_policy(game, seed: int):
    """A policy with random weights in every information state."""
    from open_spiel.python import policy

    found, rng = policy.TabularPolicy(game), random.Random(seed)
    for row, mask in zip(found.action_probability_array, found.legal_actions_mask, strict=True):
        weights = [rng.choice([0, 0.5, 1]) * legal for legal in mask]
        total = sum(weights) or sum(mask)
        row[:] = [w / total for w in weights] if any(weights) else [m / total for m in mask]
    return found


def payoff(end) -> dict[str, float]:
    return {"a": float(end), "b": float(end % 2)}


@pytest.mark.parametrize(
    ("game", "rewards", "seed"),
    [(Kuhn(), chips, 1), (Kuhn(), chips, 2), *((Small(n), payoff, n) for n in range(6))],
)
def test_values_are_those_of_openspiel(spiel, game, rewards, seed) -> None:
    from open_spiel.python.algorithms import expected_game_score

    from examples.learning.openspiel import from_policy, openspiel_game

    made = openspiel_game(game, rewards)
    policy = random_policy(made, seed)
    playing = from_policy(policy, made)
    solution = solve(Program(game, playing))
    values = expected_game_score.policy_value(made.new_initial_state(), [policy] * 2)
    for number, player in enumerate(game.players):
        value = sum(p * Fraction(rewards(end)[player]) for end, p in solution.weights.items())
        assert float(value) == pytest.approx(values[number], abs=1e-5)


class Remembering:
    """Another strategy, which ignores what it is given to remember."""

    recalls = True

    def __init__(self, strategy):
        self.strategy = strategy

    def __call__(self, player, now, moves, holds, memory):
        assert memory[-1][1] == now
        return self.strategy(player, now, moves, holds)


def test_other_strategies_may_play_against_a_policy() -> None:
    """The memory changes nothing for strategies that do not use it."""
    for seed in range(4):
        game, playing = Small(seed), strategies(seed)
        remembering = {**playing, "a": Remembering(playing["a"])}
        with_it, without = solve(Program(game, remembering)), solve(Program(game, playing))
        assert with_it.weights == without.weights
        assert with_it.timeline("K_a q") == without.timeline("K_a q")
        assert with_it.timeline("K_b K_a p") == without.timeline("K_b K_a p")


def test_a_policy_of_pettingzoo_is_read() -> None:
    """It sees what an agent knows: a guesses "equal" after knowing x to be true, b tells nothing."""
    pytest.importorskip("pettingzoo", reason="pettingzoo is not installed (extra 'pettingzoo')")
    from examples.learning.aec import Environment

    env = Environment(Guess(), lambda end: {"a": float(end)})
    equal = env.moves["a"].index("equal")

    def guess(seen):
        return equal if seen["observation"][0] == 1 else 1 - equal

    playing = env.from_policy({"a": guess, "b": lambda seen: seen["action_mask"] / seen["action_mask"].sum()})
    solution = solve(Program(Guess(), playing))
    own = Program(Guess(), {"a": Cases({"K_a x": "equal"}, otherwise="different"), "b": Anything()})
    assert solution.weights == solve(own).weights
    low, high = simulate(Program(Guess(), playing), 500, rng=1).interval(True, confidence=0.9999)
    assert low < solution.share(True) < high


def test_wrong_weights_and_too_many_courses_are_refused() -> None:
    pytest.importorskip("pettingzoo", reason="pettingzoo is not installed (extra 'pettingzoo')")
    from examples.learning.aec import Environment

    env = Environment(Guess(), lambda end: {"a": float(end)})
    for answer in (7, [0.5, 0.2], [1.5, -0.5]):
        with pytest.raises(GameError, match=r"step 1.*the policy of b gives .* sum to 1"):
            env.from_policy({"a": lambda seen: 0, "b": lambda seen, answer=answer: answer})
    with pytest.raises(GameError, match="more than 10 courses"):
        env.from_policy({"a": lambda seen: 0, "b": lambda seen: 0}, limit=10)


def test_a_game_of_openspiel_is_refused(spiel) -> None:
    from examples.learning.openspiel import from_policy

    with pytest.raises(GameError, match=r"kuhn_poker\(\) is not a game of this library"):
        from_policy(None, spiel.load_game("kuhn_poker"))
