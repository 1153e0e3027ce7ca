"""A game as a game of OpenSpiel, for its algorithms: search, equilibria, learning.

Needs the package open_spiel (extra `openspiel`). Players may make any moves. Those who decide simultaneously
move one after the other without seeing the others' choices. The information state of a player consists of all
their observations and moves; the observation tensor is their knowledge: for each atom 1 if they know that it
is true, -1 if they know that it is false, else 0.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np

from kripke_werewolf.errors import GameError, missing_package
from kripke_werewolf.games.environment import LIMIT, Playable
from kripke_werewolf.games.identity import identity
from kripke_werewolf.games.program import Game, Happening, State

try:
    import pyspiel
except ImportError:
    raise GameError(missing_package("a game of OpenSpiel", "open_spiel", extra="openspiel")) from None

_made: dict[str, type[Any]] = {}


def openspiel_game(game: Game, rewards: Callable[[Any], Mapping[Any, float]], *, limit: int = LIMIT) -> Any:
    """Return a game of this library as a `pyspiel.Game`; it is registered with OpenSpiel.

    `rewards`: the value of an outcome for each player. Raises GameError for anything but a `Game`, for games
    without a longest play and for games with more than `limit` states.
    """
    digest = sha256(f"{identity(game)} {identity(rewards)}".encode()).hexdigest()[:12]
    name = f"kripke_werewolf_{digest}"
    if name not in _made:
        _made[name] = _registered(name, Playable(game, rewards, limit=limit))
    return pyspiel.load_game(name)


def _registered(name: str, playable: Playable) -> type[Any]:
    """Register a class of games with OpenSpiel, and return it."""
    players = playable.game.players
    if playable.longest is None:
        raise GameError(f"{playable.game.name} has no longest play, which OpenSpiel needs")
    worths = [value for worth in playable.worths for value in worth.values()]
    sums = {sum(worth.values()) for worth in playable.worths}
    low, high = min(worths), max(worths)
    kinds = pyspiel.GameType
    zero = sums == {0.0}
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
        num_distinct_actions=max(1, *(len(moves) for moves in playable.moves.values())),
        max_chance_outcomes=max(len(playable.program.starts()), playable.widest),
        num_players=len(players),
        min_utility=low if low < high else low - 1,
        max_utility=high,
        **({"utility_sum": 0.0} if zero else {}),
        max_game_length=max(1, playable.longest * len(players)),
    )

    class Made(pyspiel.Game):  # type: ignore[misc]
        """A game of this library."""

        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            super().__init__(kind, about, params or {})
            self.playable = playable

        def new_initial_state(self) -> Position:
            """Return the state before the deal."""
            return Position(self, playable)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
            """Return the observer, which turns states into observations."""
            perfect = iig_obs_type is not None and iig_obs_type.perfect_recall
            return _Observer(playable, perfect=perfect)

    pyspiel.register_game(kind, Made)
    return Made


class _Way(NamedTuple):
    """An outcome of chance: a place with its probability, and the observations of single players."""

    probability: float
    place: Any
    happening: Any
    """The `Happening`; None at the end."""


class Position(pyspiel.State):  # type: ignore[misc]
    """A position of a play: before the deal, before a player's move, before chance, or at the end."""

    def __init__(self, game: Any, playable: Playable) -> None:
        super().__init__(game)
        self.playable = playable
        self.place: Any = None  # None: before the deal
        self.chosen: dict[Any, Hashable] = {}
        self.sights: dict[Any, tuple[Any, ...]] = dict.fromkeys(playable.game.players, ())

    # methods called by OpenSpiel -------------------------------------------------------------------------

    def current_player(self) -> int:
        """Return the number of the player to move, or the constant for chance or for the end."""
        if self.place is not None and not isinstance(self.place, State):
            return int(pyspiel.PlayerId.TERMINAL)
        waiting = self._waiting()
        return self.playable.game.players.index(waiting[0]) if waiting else int(pyspiel.PlayerId.CHANCE)

    def _waiting(self) -> list[Any]:
        if self.place is None:
            return []
        return [player for player in self.playable.deciding(self.place) if player not in self.chosen]

    def _legal_actions(self, number: int) -> list[int]:
        player = self.playable.game.players[number]
        moves = self.playable.moves[player]
        return sorted(moves.index(move) for move in self.playable.legal(self.place, player))

    def _ways(self) -> list[_Way]:
        if self.place is None:
            starts, game = self.playable.program.starts(), self.playable.game
            dealt = {s: tuple((i, game.sees(i, s.actual)) for i in game.players) for s in starts}
            return [_Way(float(p), s, Happening(s.actual, s.now, dealt[s])) for s, p in starts.items()]
        return [
            _Way(float(p), place, happening)
            for happening, place, p in self.playable.after(self.place, self.chosen)
        ]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the numbers of the possible outcomes of chance with their probabilities."""
        return [(number, way.probability) for number, way in enumerate(self._ways())]

    def _apply_action(self, action: int) -> None:
        game = self.playable.game
        if (number := self.current_player()) >= 0:
            player = game.players[number]
            self.chosen[player] = self.playable.moves[player][action]
            return
        way = self._ways()[action]
        self.place = way.place
        for player in game.players if isinstance(way.place, State) else ():
            step = (self.chosen.get(player), way.place.now, way.happening.sight(player))
            self.sights[player] = (*self.sights[player], step)
        self.chosen = {}

    def _action_to_string(self, number: int, action: int) -> str:
        if number < 0:
            return f"chance {action}"
        return str(self.playable.moves[self.playable.game.players[number]][action])

    def is_terminal(self) -> bool:
        """Return whether the play has ended."""
        return self.current_player() == int(pyspiel.PlayerId.TERMINAL)

    def returns(self) -> list[float]:
        """Return the value of the outcome for each player; 0 before the end."""
        if not self.is_terminal():
            return [0.0] * len(self.playable.game.players)
        return list(self.playable.worth(self.place).values())

    def __str__(self) -> str:
        if self.place is None:
            return "before the deal"
        if not isinstance(self.place, State):
            return f"the end: {self.place}"
        chosen = "".join(f"; {player}: {move}" for player, move in self.chosen.items())
        return f"{self.playable.game.moment(self.place.now)}: {self.place.actual}{chosen}"


class _Observer:
    """A player's observation of a position, in the form of OpenSpiel's observers."""

    def __init__(self, playable: Playable, *, perfect: bool) -> None:
        self._playable, self._perfect = playable, perfect
        self.tensor = np.zeros(len(playable.atoms), np.float32)
        self.dict = {"known": self.tensor}

    def set_from(self, position: Position, number: int) -> None:
        """Set the tensor to a player's knowledge."""
        self.tensor.fill(0)
        if isinstance(position.place, State):
            self.tensor[:] = self._playable.known(position.place, self._playable.game.players[number])

    def string_from(self, position: Position, number: int) -> str:
        """Return all that a player has seen and done or, without perfect recall, their knowledge."""
        player = self._playable.game.players[number]
        own = f"; chosen: {position.chosen[player]}" if player in position.chosen else ""
        if self._perfect:
            return f"{player}: {position.sights[player]!r}{own}"
        if not isinstance(position.place, State):
            return f"{player}: {position}"
        known = zip(self._playable.atoms, self._playable.known(position.place, player), strict=True)
        facts = [atom if value > 0 else f"~{atom}" for atom, value in known if value]
        return f"{player}: {self._playable.game.moment(position.place.now)}; {', '.join(facts)}{own}"
