import numpy as np
import pytest

from examples.bit_transmission import BitTransmission
from kripke_werewolf.base.errors import GameError
from tests.games.programs.crew import Crew


@pytest.mark.parametrize("game", [BitTransmission(rounds=3), Crew()])
def test_it_passes_the_test_of_pettingzoo(game, capsys) -> None:
    pytest.importorskip("pettingzoo", reason="pettingzoo is not installed (extra 'pettingzoo')")
    from pettingzoo.test import api_test, seed_test

    from examples.learning.aec import Environment

    def make() -> Environment:
        return Environment(game, lambda end: dict.fromkeys(game.players, float(end in ("won", "received"))))

    api_test(make(), num_cycles=100)
    seed_test(make, num_cycles=20)


def test_agents_observe_what_they_know() -> None:
    pytest.importorskip("pettingzoo", reason="pettingzoo is not installed (extra 'pettingzoo')")
    from examples.learning.aec import Environment

    env = Environment(BitTransmission(rounds=2, loss=0), lambda end: {"R": end == "received"})
    env.reset(seed=1)
    bit = env.node.world[0]
    assert env.atoms == ["acknowledged", "bit", "received"]
    assert env.observe("R")["observation"][1] == 0
    assert env.observe("S")["observation"][1] == (1 if bit else -1)
    env.step(env.moves["S"].index("send"))
    env.step(env.moves["R"].index("wait"))
    assert env.observe("R")["observation"][1] == (1 if bit else -1)
    with pytest.raises(GameError, match="action 7 of S is not allowed"):
        env.step(7)
    env.step(env.moves["S"].index("wait"))
    env.step(env.moves["R"].index("wait"))
    assert env.terminations == {"S": True, "R": True}
    assert env._cumulative_rewards == {"S": 0, "R": 1}
    assert not np.any(env.observe("R")["action_mask"])
