"""A game whose players may make any moves, as the environments for learning programs need it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from typing import Any

from kripke_werewolf.errors import GameError
from kripke_werewolf.games.program import Anything, Game, Program, State
from kripke_werewolf.games.solving import Solved
from kripke_werewolf.language import Atom

LIMIT = 20_000
"""The default limit on the states of a game whose players may make any moves."""


class Playable:
    """A game with arbitrary moves: its moves numbered, its outcomes valued.

    `rewards`: the value of an outcome for each player; 0 for players left out. Raises GameError for anything
    but a `Game`, and for a game with more than `limit` states.
    """

    def __init__(self, game: Game, rewards: Callable[[Any], Mapping[Any, float]], *, limit: int) -> None:
        if not isinstance(game, Game):
            raise GameError(f"expected a game made of the class Game, such as Crew(); got {game!r}")
        self.game = game
        self.program = Program(game, {player: Anything() for player in game.players})
        solved = Solved(self.program, limit)
        found: dict[Hashable, dict[Hashable, None]] = {player: {} for player in game.players}
        for state in solved.states:
            for player, moves in game.decides(state.now, state.actual).items():
                found[player].update(dict.fromkeys(moves))
        self.moves = {player: list(moves) for player, moves in found.items()}
        """The moves of each player, indexed by the numbers of their actions."""
        self._worths = {o: dict(rewards(o)) for o in solved.places if not isinstance(o, State)}
        self.longest = solved.longest
        """The greatest number of steps of a play; None if it is unbounded."""
        self.widest = max(len(self.program.courses(state)) for state in solved.states)
        """The greatest number of courses of a step."""
        self.atoms = sorted({atom for s in solved.states for atom in s.knowledge.points.valuation})

    def __deepcopy__(self, memo: object) -> Playable:
        return self  # immutable

    def worth(self, outcome: Any) -> dict[Any, float]:
        """Return the value of an outcome for each player."""
        worth = self._worths[outcome]
        return {player: float(worth.get(player, 0)) for player in self.game.players}

    @property
    def worths(self) -> list[dict[Any, float]]:
        """The value of every outcome for each player."""
        return [self.worth(outcome) for outcome in self._worths]

    def deciding(self, state: State) -> list[Any]:
        """Return the players who decide now, in order."""
        return list(self.game.decides(state.now, state.actual))

    def legal(self, state: State, player: Any) -> tuple[Hashable, ...]:
        """Return a player's legal moves."""
        return tuple(self.game.decides(state.now, state.actual).get(player, ()))

    def known(self, state: State, player: Any) -> list[int]:
        """Return for each atom 1 if a player knows that it is true, -1 if they know it is false, else 0."""
        knowledge = state.knowledge.with_atoms(self.atoms)
        found = [knowledge.known(player, Atom(atom), state.world) for atom in self.atoms]
        return [0 if known is None else 1 if known else -1 for known in found]

    def after(self, state: State, chosen: Mapping[Any, Hashable]) -> list[tuple[Any, Any, Fraction]]:
        """Return the possible results of moves: happening (None at the end), place, probability."""
        courses = [c for c in self.program.courses(state) if dict(c.moves) == dict(chosen)]
        total = sum((c.probability for c in courses), Fraction(0))
        return [(c.happening, c.place, c.probability / total) for c in courses]
