"""A game as a game of OpenSpiel, for its algorithms: search, equilibria, learning.

Needs the package open_spiel (extra `openspiel`). Players may make any moves. Those who decide simultaneously
move one after the other without seeing the others' choices. The information state of a player consists of all
their observations and moves; the observation tensor is their knowledge: for each atom 1 if they know that it
is true, -1 if they know that it is false, else 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import numpy as np
import pyspiel

from kripke_werewolf.base.errors import GameError
from kripke_werewolf.games.programs.match import identity

from .environment import LIMIT, Juncture, Playable, Rewards
from .policies import LIMIT as POLICY_LIMIT
from .policies import Learned, learned

_CHANCE, _END = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)
_made: dict[str, Playable] = {}


def openspiel_game(game: Any, rewards: Rewards | None = None, *, limit: int = LIMIT) -> Any:
    """Return a game of this library as a `pyspiel.Game`; it is registered with OpenSpiel.

    `game`: a `Game`, or `Avalon(rules)`. `rewards`: the value of an outcome for each player; by default that
    of the game. Raises GameError for other games, for games without a longest play and for games with more
    than `limit` states.
    """
    playable = Playable(game, rewards, limit=limit)
    digest = sha256(f"{identity(playable.game)} {identity(rewards)}".encode()).hexdigest()[:12]
    name = f"kripke_werewolf_{digest}"
    if name not in _made:
        _register(name, playable)
        _made[name] = playable
    return pyspiel.load_game(name)


def from_policy(policy: Any, game: Any, *, limit: int = POLICY_LIMIT) -> dict[Any, Learned]:
    """Return the strategies of all players by a policy of OpenSpiel.

    `policy`: anything with a method `action_probabilities(state)`. `game`: made by `openspiel_game`. Weights
    are rounded to millionths. Raises GameError for other games, and for more than `limit` courses.
    """
    playable = _made.get(game.get_type().short_name)
    if playable is None:
        raise GameError(f"{game} is not a game of this library: make it with openspiel_game")

    def answer(node: Juncture) -> Mapping[int, float]:
        state = game.new_initial_state()
        for action in node.path:
            state.apply_action(action)
        weights: Mapping[int, float] = policy.action_probabilities(state)
        return weights

    return learned(playable, answer, limit=limit)


def _register(name: str, playable: Playable) -> None:
    """Register a class of games with OpenSpiel."""
    players, bounds = playable.game.players, playable.bounds
    if bounds.longest is None:
        raise GameError(f"{playable.game.name} has no longest play, which OpenSpiel needs")
    worths = [value for worth in playable.worths.values() for value in worth]
    low, high = min(worths), max(worths)
    kinds = pyspiel.GameType
    zero = {sum(worth) for worth in playable.worths.values()} == {0.0}
    kind = kinds(
        short_name=name,
        long_name=playable.game.name,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if zero else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=len(players),
        min_num_players=len(players),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
    )
    about = pyspiel.GameInfo(
        num_distinct_actions=max(1, *map(len, bounds.moves.values())),
        max_chance_outcomes=bounds.widest,
        num_players=len(players),
        min_utility=low if low < high else low - 1,
        max_utility=high,
        **({"utility_sum": 0.0} if zero else {}),
        max_game_length=bounds.longest * len(players),
    )

    class Made(pyspiel.Game):  # type: ignore[misc]
        """A game of this library."""

        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            super().__init__(kind, about, params or {})

        def __reduce__(self) -> tuple[Any, ...]:
            return pyspiel.load_game, (name,)

        def new_initial_state(self) -> Position:
            """Return the state before the deal."""
            return Position(self, name)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
            """Return the observer, which turns states into observations."""
            perfect = iig_obs_type is not None and iig_obs_type.perfect_recall
            return _Observer(playable, perfect=perfect)

    pyspiel.register_game(kind, Made)


class Position(pyspiel.State):  # type: ignore[misc]
    """A position of a play: before the deal, before a player's move, before chance, or at the end."""

    def __init__(self, game: Any, name: str) -> None:
        super().__init__(game)
        self.name, self.path = name, tuple[int, ...]()  # OpenSpiel copies a state with all that it has

    @property
    def node(self) -> Juncture:
        """The place of the play."""
        return _made[self.name].node(self.path)

    # methods called by OpenSpiel -------------------------------------------------------------------------

    def current_player(self) -> int:
        """Return the number of the player to move, or the constant for chance or for the end."""
        node = self.node
        if node.ended:
            return _END
        return _CHANCE if node.player is None else node.table.game.players.index(node.player)

    def _legal_actions(self, number: int) -> list[int]:
        return list(self.node.legal)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the numbers of the possible outcomes of chance with their probabilities."""
        return [(number, float(p)) for number, (_, p) in enumerate(self.node.ways)]

    def _apply_action(self, action: int) -> None:
        self.path = (*self.path, action)

    def _action_to_string(self, number: int, action: int) -> str:
        if number < 0:
            return f"chance {action}"
        playable = _made[self.name]
        return str(playable.bounds.moves[playable.game.players[number]][action])

    def is_terminal(self) -> bool:
        """Return whether the play has ended."""
        return self.node.ended

    def returns(self) -> list[float]:
        """Return the value of the outcome for each player; 0 before the end."""
        node = self.node
        return node.table.worths[node.world] if node.ended else [0.0] * len(node.seen)

    def __str__(self) -> str:
        return str(self.node)


class _Observer:
    """A player's observation of a position, in the form of OpenSpiel's observers."""

    def __init__(self, playable: Playable, *, perfect: bool) -> None:
        self._playable, self._perfect = playable, perfect
        self.tensor = np.zeros(len(playable.bounds.atoms), np.float32)
        self.dict = {"known": self.tensor}

    def set_from(self, position: Position, number: int) -> None:
        """Set the tensor to a player's knowledge."""
        self.tensor[:] = self._playable.known(position.node, self._playable.game.players[number])

    def string_from(self, position: Position, number: int) -> str:
        """Return all that a player has seen and done or, without perfect recall, their knowledge."""
        node, player = position.node, self._playable.game.players[number]
        own = f"; chosen: {node.chosen[player]}" if player in node.chosen else ""
        if self._perfect:
            return f"{player}: {node.seen[player]!r}{own}"
        if node.ended or not node.path:
            return f"{player}: {node}"
        known = zip(self._playable.bounds.atoms, self._playable.known(node, player), strict=True)
        facts = [atom if value > 0 else f"~{atom}" for atom, value in known if value]
        return f"{player}: {self._playable.game.moment(node.now)}; {', '.join(facts)}{own}"
