"""The arena in other harnesses, where they are installed, with their own stand-ins for a model."""

import json
from importlib import import_module

import pytest

pytestmark = pytest.mark.filterwarnings("ignore")


def reply(prompt: str) -> str:
    """Answer as a model would: the first of the options in the prompt."""
    options = prompt.rpartition("Options: ")[2].partition(".\n")[0].split("; ")
    return json.dumps({"move": options[0], "beliefs": {"wolf_Ann": "30%"}})


def test_textarena_plays_a_game() -> None:
    pytest.importorskip("textarena", reason="textarena is not installed")
    env = import_module("examples.arena.textarena_env").WerewolfEnv()
    env.reset(4, seed=2)
    done = False
    while not done:
        player, observed = env.get_observation()
        assert 0 <= player < 4
        done, _ = env.step(reply(observed[0][1]))
    rewards, info = env.close()
    assert all(reward < 0 for reward in rewards.values())
    assert all(info[player]["decisions"] for player in range(4))


def test_inspect_plays_some_games(tmp_path) -> None:
    pytest.importorskip("inspect_ai", reason="inspect_ai is not installed")
    model = import_module("inspect_ai.model")

    def output(prompt, *_):
        found = model.ModelOutput.from_content("mockllm/model", reply(prompt[-1].text))
        found.usage = model.ModelUsage(
            input_tokens=1, output_tokens=1, total_tokens=2
        )  # else a tokenizer is fetched
        return found

    task = import_module("examples.arena.inspect_task").werewolf(games=2)
    mock = model.get_model("mockllm/model", custom_outputs=output)
    (log,) = import_module("inspect_ai").eval(task, model=mock, log_dir=str(tmp_path), display="none")
    assert log.status == "success"
    found = {score.name: score.metrics["mean"].value for score in log.results.scores}
    assert found["log_above_P"] > 0
