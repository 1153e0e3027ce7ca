"""A game whose players may make any moves, as the environments for learning programs need it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from typing import Any

from kripke_werewolf.games.program import Anything, Game, Program, State
from kripke_werewolf.games.solving import Solved
from kripke_werewolf.language import Atom


class Playable:
    """A game with arbitrary moves: its moves numbered, its outcomes valued.

    `rewards`: the value of an outcome for each player; 0 for players left out.
    """

    def __init__(self, game: Game, rewards: Callable[[Any], Mapping[Any, float]], *, limit: int) -> None:
        self.game, self._rewards = game, rewards
        self.program = Program(game, {player: Anything() for player in game.players})
        solved = Solved(self.program, limit)
        found: dict[Hashable, dict[Hashable, None]] = {player: {} for player in game.players}
        for state in solved.states:
            for player, moves in game.decides(state.now, state.actual).items():
                found[player].update(dict.fromkeys(moves))
        self.moves = {player: list(moves) for player, moves in found.items()}
        """The moves of each player, indexed by the numbers of their actions."""
        self.outcomes = [place for place in solved.places if not isinstance(place, State)]
        self.longest = solved.longest
        """The greatest number of steps of a play; None if it is unbounded."""
        self.widest = max(len(self.program.courses(state)) for state in solved.states)
        """The greatest number of courses of a step."""
        start = next(iter(self.program.starts()))
        self.atoms = sorted(start.knowledge.space.valuation)

    def __deepcopy__(self, memo: object) -> Playable:
        return self  # immutable

    def worth(self, outcome: Any) -> dict[Any, float]:
        """Return the value of an outcome for each player."""
        worth = self._rewards(outcome)
        return {player: float(worth.get(player, 0)) for player in self.game.players}

    def deciding(self, state: State) -> list[Any]:
        """Return the players who decide now, in order."""
        return list(self.game.decides(state.now, state.actual))

    def legal(self, state: State, player: Any) -> tuple[Hashable, ...]:
        """Return a player's legal moves."""
        return tuple(self.game.decides(state.now, state.actual).get(player, ()))

    def known(self, state: State, player: Any) -> list[int]:
        """Return for each atom 1 if a player knows that it is true, -1 if they know it is false, else 0."""
        found = [state.knowledge.known(player, Atom(atom), state.world) for atom in self.atoms]
        return [0 if known is None else 1 if known else -1 for known in found]

    def after(self, state: State, chosen: Mapping[Any, Hashable]) -> list[tuple[Any, Any, Fraction]]:
        """Return the possible results of moves: happening (None at the end), place, probability."""
        courses = [c for c in self.program.courses(state) if dict(c.moves) == dict(chosen)]
        total = sum((c.probability for c in courses), Fraction(0))
        return [(c.happening, c.place, c.probability / total) for c in courses]
