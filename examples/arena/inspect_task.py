"""A task for Inspect (inspect_ai): the model sits in one seat of Werewolf, blind programs in the others.

inspect eval examples/arena/inspect_task.py --model MODEL -T games=20 -T rules=straat
"""

from statistics import mean as average

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import get_model
from inspect_ai.scorer import Score, mean, scorer, stderr
from inspect_ai.solver import solver

from kripke_werewolf.research.arena import Agent, Arena, Werewolf
from kripke_werewolf.research.arena.scores import measures

SCORES = {"log_above_P": "P: log loss above its bound", "known": "K: weight against what is known"}


@solver
def seated():
    """Let the model play one game; its decisions are kept."""

    async def solve(state, generate):
        table = Werewolf(**state.metadata)
        me = table.seats[table.seed % len(table.seats)]
        arena = Arena(
            table, {seat: Agent("blind", f"{table.seed} {seat}") for seat in table.seats if seat != me}
        )
        while not arena.done:
            seat, prompt = arena.get_observation()
            if seat == me:
                arena.step((await get_model().generate(str(prompt))).completion)
            else:
                arena.step(arena.agents[seat](prompt))
        state.store.set("rows", [row for row in arena.rows if row["seat"] == me])
        return state

    return solve


@scorer(metrics={name: [mean(), stderr()] for name in SCORES})
def against_the_exact_player():
    """Score by what the model's seat could know."""

    async def score(state, target):
        rows = [dict(measures(row)) for row in state.store.get("rows")]
        return Score(value={name: average([row.get(key, 0) for row in rows]) for name, key in SCORES.items()})

    return score


@task
def werewolf(games: int = 10, rules: str = "cisra", players: int = 4):
    """Return the task: one sample for each game."""
    settings = ({"rules": rules, "players": players, "seed": seed} for seed in range(games))
    data = [Sample(input="play", metadata=one) for one in settings]
    return Task(dataset=data, solver=seated(), scorer=against_the_exact_player())
