from __future__ import annotations

import pickle
from fractions import Fraction

import pytest

from kripke_werewolf.avalon import intended
from kripke_werewolf.errors import GameError
from kripke_werewolf.games import Anything, Program, best_response, solve
from kripke_werewolf.games.transmission import BitTransmission
from tests.examples.test_environment import Endless
from tests.games.crew import Crew
from tests.games.kuhn import Kuhn, chips
from tests.games.test_program import Guess, Waiting


def won(end) -> dict[str, float]:
    """The value of an outcome of the games here, the same for all."""
    return dict.fromkeys([*"abSR", *range(1, 5)], float(end in ("won", "received", True)))


def guessed(end) -> dict[str, float]:
    return {"a": 1.0 if end else -1.0, "b": -1.0 if end else 1.0}


@pytest.fixture
def spiel():
    return pytest.importorskip("pyspiel", reason="open_spiel is not installed (extra 'openspiel')")


def made(game, rewards):
    from examples.learning.openspiel import openspiel_game

    return openspiel_game(game, rewards)


@pytest.mark.parametrize(
    ("game", "rewards"), [(BitTransmission(rounds=2), won), (Crew(), won), (Guess(), guessed)]
)
def test_it_passes_the_test_of_openspiel(spiel, game, rewards) -> None:
    played = made(game, rewards)
    spiel.random_sim_test(played, num_sims=3, serialize=True, verbose=False)
    state = played.new_initial_state()
    state.apply_action(0)
    assert str(pickle.loads(pickle.dumps(state))) == str(state)


def walked(state, chance: Fraction, found: dict) -> None:
    """Add up the probabilities of the ends, everybody choosing at random."""
    if state.is_terminal():
        found[str(state)] = found.get(str(state), 0) + chance
        return
    actions = state.chance_outcomes() if state.is_chance_node() else None
    legal = state.legal_actions()
    for action, p in actions or [(a, 1 / len(legal)) for a in legal]:
        walked(state.child(action), chance * p, found)


def test_its_tree_has_the_outcomes_of_the_game(spiel) -> None:
    for game in (BitTransmission(rounds=2), Guess()):
        found: dict = {}
        walked(made(game, won).new_initial_state(), 1.0, found)
        exact = solve(Program(game, {player: Anything() for player in game.players}))
        assert found == pytest.approx({f"the end: {end}": float(p) for end, p in exact.weights.items()})


def test_a_best_response_of_openspiel_is_ours(spiel) -> None:
    """Its exploitability module walks the information states; ours are beliefs."""
    from open_spiel.python import policy
    from open_spiel.python.algorithms import best_response as theirs

    game = made(Guess(), guessed)
    uniform = policy.UniformRandomPolicy(game)
    response = theirs.BestResponsePolicy(game, 0, uniform)
    value = response.value(game.new_initial_state())
    program = Program(Guess(), {"a": Anything(), "b": Anything()})
    ours = best_response(program, "a", goal=lambda end: guessed(end)["a"])
    assert value == pytest.approx(float(ours.value))


def test_equilibria_are_those_of_the_own_game_of_openspiel(spiel) -> None:
    from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

    found = []
    for game in (made(Kuhn(), chips), spiel.load_game("kuhn_poker")):
        solver = cfr.CFRSolver(game)
        for _ in range(30):
            solver.evaluate_and_update_policy()
        average = solver.average_policy()
        values = expected_game_score.policy_value(game.new_initial_state(), [average] * 2)
        found.append([*values, exploitability.exploitability(game, average), len(average.states)])
    assert found[0] == pytest.approx(found[1], abs=1e-12)


def test_players_observe_what_they_know_and_remember_what_they_saw(spiel) -> None:
    game = made(Guess(), guessed)
    state = game.new_initial_state()
    state.apply_action(0)  # the deal of two coins
    assert state.current_player() == 1
    before = [state.information_state_string(player) for player in (0, 1)]
    state.apply_action(0)
    assert state.is_chance_node()
    assert state.information_state_string(0) == before[0]  # b's move is not seen before it is sent
    assert state.information_state_string(1) != before[1]
    assert list(state.observation_tensor(0)) == [-1, 0]
    assert list(state.observation_tensor(1)) == [0, -1]


def test_a_game_without_a_longest_play_is_refused(spiel) -> None:
    with pytest.raises(GameError, match="players may go on for ever"):
        made(Endless(), guessed)
    with pytest.raises(GameError, match="no longest play"):
        made(Waiting(), guessed)


def test_rewards_may_be_any_function(spiel) -> None:
    game = made(Guess(), lambda end: {"a": 2.0 * end})
    spiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    assert str(pickle.loads(pickle.dumps(game))) == str(game)


def test_what_is_not_a_game_of_the_class_is_refused(spiel) -> None:
    with pytest.raises(GameError, match="expected a game made of the class Game"):
        made(intended(), guessed)
    with pytest.raises(GameError, match="say what an outcome of Kuhn poker is worth"):
        made(Kuhn(), None)
