"""A game as a PettingZoo environment (agent environment cycle), for programs that learn to play.

Needs the package pettingzoo (extra `pettingzoo`). An agent observes its knowledge: for each atom 1 if it
knows that the atom is true, -1 if it knows that it is false, else 0. Players may make any moves, so nobody
concludes more from a move than the rules imply.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from kripke_werewolf.base.errors import GameError
from kripke_werewolf.base.randomness import generator
from kripke_werewolf.games.programs.chance import sample

from .environment import LIMIT, Juncture, Playable, Rewards
from .policies import LIMIT as POLICY_LIMIT
from .policies import Learned, learned


class Environment(AECEnv):  # type: ignore[misc]
    """A game of this library as an environment of PettingZoo.

    `game`: a `Game`, or `Avalon(rules)`. `rewards`: the value of an outcome for each player; by default that
    of the game. The actions are the numbers of the moves in `moves`.
    """

    def __init__(
        self,
        game: Any,
        rewards: Rewards | None = None,
        *,
        render_mode: str | None = None,
        limit: int = LIMIT,
    ) -> None:
        super().__init__()
        self.playable = Playable(game, rewards, limit=limit)
        self.game = game = self.playable.game
        self.metadata = {"name": game.name, "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = render_mode
        self.moves = {str(player): moves for player, moves in self.playable.bounds.moves.items()}
        """The moves of each agent, indexed by the numbers of its actions."""
        self.atoms = self.playable.bounds.atoms
        self._players = {str(player): player for player in game.players}
        self.possible_agents = list(self._players)
        self.action_spaces = {a: spaces.Discrete(max(1, len(self.moves[a]))) for a in self.possible_agents}
        self.observation_spaces = {}
        for agent, choices in self.action_spaces.items():
            known = spaces.Box(-1, 1, (len(self.atoms),), np.int8)
            mask = spaces.Box(0, 1, (int(choices.n),), np.int8)
            self.observation_spaces[agent] = spaces.Dict({"observation": known, "action_mask": mask})
        self._rng = generator(None)

    def observation_space(self, agent: str) -> Any:
        """Return an agent's observation space."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return an agent's action space."""
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
        self._go_on(self.playable.node(()))

    def _go_on(self, node: Juncture) -> None:
        """Continue at a node; what chance decides is drawn at once."""
        while node.player is None and not node.ended:
            node = node.child(sample({n: p for n, (_, p) in enumerate(node.ways)}, self._rng))
        self.node = node
        """The place of the play."""
        if node.ended:
            worth = self.playable.worths[node.world]
            self.rewards = dict(zip(self.agents, worth, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0] if node.ended else str(node.player)

    def observe(self, agent: str) -> dict[str, Any]:
        """Return an agent's knowledge and legal moves."""
        return self._observed(self.node, self._players[agent])

    def _observed(self, node: Juncture, player: Any) -> dict[str, Any]:
        mask = np.zeros(int(self.action_spaces[str(player)].n), np.int8)
        mask[[*node.legal] if node.player == player else []] = 1
        return {"observation": np.array(self.playable.known(node, player), np.int8), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Make a move; its consequences follow once all who decide now have moved."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = -1 if action is None else int(action)
        if number not in self.node.legal:
            raise GameError(
                f"action {action!r} of {agent} is not allowed "
                f"(moves: {', '.join(map(str, self.node.legal.values()))})"
            )
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._go_on(self.node.child(number))
        self._accumulate_rewards()

    def from_policy(
        self, policies: Mapping[str, Callable[[dict[str, Any]], Any]], *, limit: int = POLICY_LIMIT
    ) -> dict[Any, Learned]:
        """Return the strategies of all agents by policies.

        A policy is a function of an observation, as `observe` returns it; its value is an action, or a weight
        for each action. Raises GameError for more than `limit` courses of the game.
        """

        def answer(node: Juncture) -> Mapping[int, float]:
            given = policies[str(node.player)](self._observed(node, node.player))
            return dict(enumerate(given)) if np.ndim(given) else {int(given): 1.0}

        return learned(self.playable, answer, limit=limit)

    def render(self) -> str:
        """Return the situation as a string."""
        return str(self.node)

    def close(self) -> None:
        """Do nothing: there are no resources to release."""
