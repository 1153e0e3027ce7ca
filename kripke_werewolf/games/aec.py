"""A game as a PettingZoo environment (agent environment cycle), for programs that learn to play.

Needs the package pettingzoo (extra `pettingzoo`). What an agent observes is what it knows: for each atom 1 if
it knows that the atom is true, -1 if it knows that it is false, else 0; everybody may do anything, so nobody
concludes anything from the moves but what the rules say.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

import numpy as np

from kripke_werewolf.errors import GameError
from kripke_werewolf.games.chance import draw, generator
from kripke_werewolf.games.program import Anything, Game, Program, State
from kripke_werewolf.games.solving import LIMIT, Solved
from kripke_werewolf.language import Atom

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
except ImportError:
    raise GameError(
        "an environment needs the packages pettingzoo and gymnasium; install kripke-werewolf[pettingzoo]"
    ) from None


class Environment(AECEnv):  # type: ignore[misc]
    """A game of this library as an environment of PettingZoo.

    `rewards`: what an outcome is worth to each player. The actions are the numbers of the moves in `moves`.
    """

    def __init__(
        self,
        game: Game,
        rewards: Callable[[Any], Mapping[Any, float]],
        *,
        render_mode: str | None = None,
        limit: int = LIMIT,
    ) -> None:
        super().__init__()
        self.metadata = {"name": game.name, "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = render_mode
        self.game, self._worth = game, rewards
        self.program = Program(game, {player: Anything() for player in game.players})
        found: dict[str, dict[Hashable, None]] = {str(player): {} for player in game.players}
        for state in Solved(self.program, limit).transitions:
            for player, moves in game.decides(state.now, state.actual).items():
                found[str(player)].update(dict.fromkeys(moves))
        self.moves = {agent: list(moves) for agent, moves in found.items()}
        """The moves of each agent, by the numbers of its actions."""
        start = next(iter(self.program.starts()))
        self.atoms = sorted(start.knowledge.space.valuation)
        self._players = {str(player): player for player in game.players}
        self.possible_agents = list(self._players)
        self.action_spaces = {a: spaces.Discrete(max(1, len(self.moves[a]))) for a in self.possible_agents}
        self.observation_spaces = {
            a: spaces.Dict(
                {
                    "observation": spaces.Box(-1, 1, (len(self.atoms),), np.int8),
                    "action_mask": spaces.Box(0, 1, (max(1, len(self.moves[a])),), np.int8),
                }
            )
            for a in self.possible_agents
        }
        self._rng = generator(None)

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal."""
        if seed is not None:
            self._rng = generator(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.state_now: State = draw(self.program.starts(), self._rng)
        self._chosen: dict[Any, Any] = {}
        self._go_on()

    def _go_on(self) -> None:
        """Select who decides next; steps in which nobody decides are taken at once."""
        while True:
            deciding = self.program.decided(self.state_now)
            waiting = [player for player in deciding if player not in self._chosen]
            if waiting:
                self.agent_selection = str(waiting[0])
                return
            courses = [c for c in self.program.courses(self.state_now) if dict(c.moves) == self._chosen]
            chances = {n: c.probability for n, c in enumerate(courses)}
            total = sum(chances.values())
            place = courses[draw({n: p / total for n, p in chances.items()}, self._rng)].place
            self._chosen = {}
            if not isinstance(place, State):
                worth = self._worth(place)
                self.rewards = {a: float(worth.get(self._players[a], 0)) for a in self.agents}
                self.terminations = dict.fromkeys(self.agents, True)
                self.agent_selection = self.agents[0]
                return
            self.state_now = place

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent knows, and which moves it may make."""
        state, player = self.state_now, self._players[agent]
        known = [state.knowledge.known(player, Atom(atom), state.world) for atom in self.atoms]
        legal = () if any(self.terminations.values()) else self._legal(player)
        mask = [move in legal for move in self.moves[agent]] or [False]
        return {
            "observation": np.array([0 if k is None else 1 if k else -1 for k in known], np.int8),
            "action_mask": np.array(mask, np.int8),
        }

    def _legal(self, player: Any) -> tuple[Any, ...]:
        return tuple(self.game.decides(self.state_now.now, self.state_now.actual).get(player, ()))

    def step(self, action: int | None) -> None:
        """Make a move; what it leads to happens when all who decide now have moved."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        player, legal = self._players[agent], self._legal(self._players[agent])
        number = -1 if action is None else int(action)
        if not 0 <= number < len(self.moves[agent]) or self.moves[agent][number] not in legal:
            raise GameError(
                f"action {action!r} of {agent} is not allowed (moves: {', '.join(map(str, legal))})"
            )
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._chosen[player] = self.moves[agent][number]
        self._go_on()
        self._accumulate_rewards()

    def render(self) -> str:
        """Return where the game stands."""
        return f"{self.game.moment(self.state_now.now)}: {self.state_now.actual}"

    def close(self) -> None:
        """Release nothing: there is nothing to release."""
