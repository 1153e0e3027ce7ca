"""The arena as an environment of TextArena: reset, get_observation, step, close."""

import textarena as ta

from kripke_werewolf.research.arena import Arena, Werewolf


class WerewolfEnv(ta.Env):
    """Werewolf by one of the rule sets."""

    def __init__(self, rules: str = "cisra", talk: int = 0):
        self.rules, self.talk = rules, talk

    def reset(self, num_players: int, seed: int | None = None):
        """Begin a game."""
        table = Werewolf(rules=self.rules, players=num_players, seed=seed or 0)
        self.arena, self.state = Arena(table, talk=self.talk), None

    def get_observation(self):
        """Return the number of the player who is to answer, and the prompt."""
        seat, prompt = self.arena.get_observation()
        return self.arena.table.seats.index(seat), [(ta.GAME_ID, str(prompt), ta.ObservationType.PROMPT)]

    def step(self, action: str):
        """Take the answer."""
        return self.arena.step(action)

    def close(self):
        """Return the rewards, minus the log loss above its bound, and the scored decisions of each player."""
        rewards, info = {}, {}
        for number, seat in enumerate(self.arena.table.seats):
            rows = [row for row in self.arena.rows if row["seat"] == seat]
            rewards[number] = -sum(row["log"] - row["log_bound"] for row in rows) / max(1, len(rows))
            info[number] = {"decisions": rows}
        return rewards, info
