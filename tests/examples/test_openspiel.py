import pickle
from fractions import Fraction

import pytest

from examples.bit_transmission import BitTransmission
from kripke_werewolf.base.errors import GameError
from kripke_werewolf.games import Anything, Program, solve
from kripke_werewolf.games.avalon import intended
from tests.examples.test_environment import Endless
from tests.games.programs.crew import Crew
from tests.games.programs.kuhn import Kuhn
from tests.games.programs.test_program import Guess, Waiting


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
