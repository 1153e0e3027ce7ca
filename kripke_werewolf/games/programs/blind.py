"""Games whose players may do anything: a referee, and what players believe and moves are worth in blind play.

In blind play the others make every move equally likely. Beliefs need no model of knowledge: a player's
information is all that they have seen and done, and the belief that follows is a filter forward. Values are
exact, by a walk through all that may be seen later.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from random import Random
from statistics import fmean
from typing import Any, TypeAlias

from kripke_werewolf.base.errors import GameError
from kripke_werewolf.games.programs.chance import ONE, ZERO, add, equally, jointly
from kripke_werewolf.games.programs.knowledge import written
from kripke_werewolf.games.programs.program import (
    Anything,
    End,
    Game,
    Happening,
    Program,
    Seen,
    State,
    recalled,
)

Belief: TypeAlias = Mapping[Any, Fraction]
"""The probabilities of states of the world."""


class BlindPlay:
    """A game in which everybody else plays blindly. Games that go on for ever have no values."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.program = Program(game, dict.fromkeys(game.players, Anything()))
        self.belief = lru_cache(100_000)(self._belief)
        """The belief of a player who has seen and done something (`Seen`)."""
        self._options = cache(self._options_of)

    def _belief(self, player: Any, seen: Seen) -> Belief:
        *before, (move, now, sight) = seen
        if before:
            earlier = self.belief(player, tuple(before))
            return _scaled(self._spread(player, before[-1][1], earlier, move)[1][now, sight])
        fitting: dict[Any, Fraction] = {}
        for state, p in self.program.starts().items():
            seen_now = ((player, self.game.sees(player, state.actual)),)
            if Happening(state.actual, now, seen_now).sight(player) == sight:
                add(fitting, state.actual, p)
        return _scaled(fitting)

    def _spread(
        self, player: Any, now: Any, belief: Belief, move: Hashable
    ) -> tuple[Fraction, dict[tuple[Any, Any], dict[Any, Fraction]]]:
        """Return the rewards of plays that end now, and the worlds after all that may be seen next."""
        settled, after = ZERO, dict[tuple[Any, Any], dict[Any, Fraction]]()
        for world, p in belief.items():
            deciding = self.program.deciders(now, world)
            moves: dict[Any, Mapping[Hashable, Fraction]] = {
                who: equally(some) for who, some in deciding.items()
            }
            if player in moves:
                moves[player] = {move: ONE}
            for chosen, q in jointly(moves):
                for found, r in self.program.happenings(now, world, chosen).items():
                    if isinstance(found, End):
                        settled += p * q * r * self._rewards(found)[player]
                    else:
                        seen = found.now, found.sight(player)
                        add(after.setdefault(seen, {}), found.world, p * q * r)
        return settled, after

    def _rewards(self, end: End) -> Mapping[Any, Any]:
        rewards = getattr(self.game, "rewards", None)
        return rewards(end.outcome) if rewards else dict.fromkeys(self.game.players, 0)

    def values(self, player: Any, now: Any, belief: Belief) -> Mapping[Hashable, Fraction]:
        """Return the expected reward of each move of a player who plays on as well as possible.

        The game has a method `rewards`: the reward of each player at an outcome. If the player has nothing to
        decide, the only move is None. Raises GameError for a game without rewards.
        """
        if not hasattr(self.game, "rewards"):
            raise GameError(f"{self.game.name} has no rewards: give it a method that values an outcome")
        return self._options(player, now, tuple(sorted(belief.items(), key=written)))

    def _options_of(self, player: Any, now: Any, belief: tuple[Any, ...]) -> Mapping[Hashable, Fraction]:
        found: dict[Hashable, Fraction] = {}
        for move in self.program.deciders(now, belief[0][0]).get(player, (None,)):
            value, after = self._spread(player, now, dict(belief), move)
            for (then, _), worlds in after.items():
                later = self.values(player, then, _scaled(worlds))
                value += sum(worlds.values()) * max(later.values())
            found[move] = value
        return found

    def estimated(
        self, player: Any, now: Any, belief: Belief, *, plays: int, chance: Random
    ) -> dict[Hashable, tuple[float, float]]:
        """Return two independent means of the reward after each move, each of some blind plays.

        Everybody plays blindly after the move, the player included.
        """
        found = {}
        for move in self.program.deciders(now, next(iter(belief)))[player]:
            starts = (Happening(picked(belief, chance), now) for _ in range(2 * plays))
            ends = [float(self._played_on(start, {player: move}, chance)[player]) for start in starts]
            found[move] = fmean(ends[:plays]), fmean(ends[plays:])
        return found

    def _played_on(
        self, place: Happening, chosen: Mapping[Any, Hashable], chance: Random
    ) -> Mapping[Any, Any]:
        while True:
            deciding = self.program.deciders(place.now, place.world)
            moves = {who: chance.choice(some) for who, some in deciding.items()} | dict(chosen)
            found = picked(self.program.happenings(place.now, place.world, moves), chance)
            if isinstance(found, End):
                return self._rewards(found)
            place, chosen = found, {}


class Referee:
    """A play whose moves are asked for, one player after the other; who moves together sees none of them."""

    place: Happening
    """The state of the world, and the public situation."""
    end: End | None = None
    seen: dict[Any, Seen]
    """What each player has seen and done."""

    def __init__(self, blind: BlindPlay, chance: Random) -> None:
        self._blind, self._chance, game = blind, chance, blind.game
        self._state: State = picked(blind.program.starts(), chance)
        world, now = self._state.actual, self._state.now
        sights = tuple((player, game.sees(player, world)) for player in game.players)
        self.place = Happening(world, now, sights)
        self.seen = recalled(dict.fromkeys(game.players, ()), {}, self.place)
        self._chosen: dict[Any, Hashable] = {}
        self._steps: list[tuple[dict[Any, Hashable], Happening]] = []
        self._go_on()

    @property
    def waiting(self) -> dict[Any, tuple[Hashable, ...]]:
        """The players who have not chosen their move, with their moves; nobody at the end."""
        if self.end is not None:
            return {}
        deciding = self._blind.program.deciders(self.place.now, self.place.world)
        return {player: moves for player, moves in deciding.items() if player not in self._chosen}

    def options(self, player: Any) -> dict[str, Hashable]:
        """Return the moves of a player by their words; raise GameError if two have the same words."""
        moves = self.waiting[player]
        found = {self._blind.game.words(move): move for move in moves}
        if len(found) < len(moves):
            raise GameError(f"{self._blind.game.name}: two of the moves {moves!r} have the same words")
        return found

    def move(self, player: Any, move: Hashable) -> None:
        """Let a player choose a move; after the last of those who move together things happen."""
        self._chosen[player] = move
        self._go_on()

    def _go_on(self) -> None:
        while self.end is None and not self.waiting:
            ways = self._blind.program.happenings(self.place.now, self.place.world, self._chosen)
            found = picked(ways, self._chance)
            if isinstance(found, End):
                self.end = found
            else:
                self._steps.append((self._chosen, found))
                self.seen = recalled(self.seen, self._chosen, found)
                self.place, self._chosen = found, {}

    def belief(self, player: Any) -> Belief:
        """Return the belief of a player now."""
        return self._blind.belief(player, self.seen[player])

    def told(self, player: Any) -> list[str]:
        """Return all that a player has seen and done, in the words of the game."""
        game, lines = self._blind.game, list[str]()
        for move, now, sights in self.seen[player]:
            if move is not None:
                lines.append(f"You chose: {game.words(move)}.")
            lines.append(f"* {game.situation(now)}")
            lines += [f"You see: {game.words(sight)}." for sight in sights]
        return lines

    @property
    def state(self) -> State:
        """Everybody's knowledge in blind play, and the point of that model; large in games like Avalon."""
        for chosen, happening in self._steps:
            courses = self._blind.program.courses(self._state)
            self._state = next(
                c.place for c in courses if (dict(c.moves), c.happening) == (chosen, happening)
            )
        self._steps.clear()
        return self._state


def picked(weights: Mapping[Any, Fraction], chance: Random) -> Any:
    """Return one of several results, by their probabilities: the same in every process."""
    if len(weights) == 1:
        return next(iter(weights))
    ways = sorted(weights, key=written)
    return chance.choices(ways, [float(weights[way]) for way in ways])[0]


def _scaled(weights: Mapping[Any, Fraction]) -> Belief:
    total = sum(weights.values())
    return {world: p / total for world, p in weights.items()}
