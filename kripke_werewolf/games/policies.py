"""Policies learned elsewhere, as strategies: solved, simulated, measured, with their best responses.

A policy depends on all that a player has seen and done, other strategies only on what the player knows.
`with_memory` returns the program of a game in which both are possible.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from kripke_werewolf.errors import GameError
from kripke_werewolf.games.chance import Mixed, choose
from kripke_werewolf.games.environment import Juncture, Playable, Seen, recalled, without_strategies
from kripke_werewolf.games.program import Anything, End, Game, Happening, Holds, Program

LIMIT = 200_000
"""The default limit on the courses of a game for which a policy is read."""
_FINEST = 10**6


class Learned:
    """A strategy given as a table: for all that the player may have seen and done, the moves with weights.

    It is made from a policy by `openspiel.from_policy` or `aec.Environment.from_policy`, and played by
    `with_memory`.
    """

    def __init__(self, table: Mapping[Seen, Mapping[Hashable, Fraction]]) -> None:
        self.table = _Table(table)

    def __call__(self, player: Any, now: Any, moves: Sequence[Any], holds: Holds) -> Mixed[Any]:
        """Return the mixture of moves."""
        weights = self.table[moves[0].seen]
        return choose({option: weights[option.move] for option in moves if option.move in weights})


class _Table(dict[Seen, Mapping[Hashable, Fraction]]):
    """The table of a policy, shown by its size."""

    def __repr__(self) -> str:
        return f"<{len(self)} situations>"


def learned(
    table: Playable, answer: Callable[[Juncture], Mapping[int, float]], *, limit: int = LIMIT
) -> dict[Any, Learned]:
    """Return the strategies of all players, from a function that gives the weights of actions at a node.

    Weights are rounded to millionths. Raises GameError if they do not sum to 1, for illegal actions, and for
    more than `limit` courses of the game.
    """
    found: dict[Any, dict[Seen, dict[Hashable, Fraction]]] = {player: {} for player in table.game.players}
    for node in table.decisions(limit):
        weights = answer(node)
        parts = {action: round(float(p) * _FINEST) for action, p in weights.items()}
        off = abs(sum(parts.values()) - _FINEST) > len(parts) or min(parts.values()) < 0
        if off or not {action for action in parts if parts[action]} <= node.legal.keys():
            problem = f"the policy of {node.player} gives {dict(weights)!r}"
            raise GameError(f"{node}: {problem}; expected weights of {node.legal} that sum to 1")
        parts[max(parts, key=parts.__getitem__)] += _FINEST - sum(parts.values())
        found[node.player][node.seen[node.player]] = {
            node.legal[action]: Fraction(part, _FINEST) for action, part in parts.items() if part
        }
    return {player: Learned(situations) for player, situations in found.items()}


def with_memory(game: Any, strategies: Mapping[Any, Callable[..., Any]]) -> Program:
    """Return the program of a game whose players may remember all that they have seen and done.

    `game`: a `Game`, or `Avalon(rules)`. `strategies`: learned ones, `Anything()`, and any others, which see
    the same as without memory.
    """
    own = (Learned, Anything)
    played = {i: s if isinstance(s, own) or not callable(s) else _Plain(s) for i, s in strategies.items()}
    return Program(Recalling(without_strategies(game)), played)


class _Option(NamedTuple):
    """A move, with all that its player has seen and done."""

    move: Hashable
    seen: Seen

    def __str__(self) -> str:
        return str(self.move)


class _Plain:
    """A strategy that does not use the memory."""

    def __init__(self, strategy: Callable[..., Any]) -> None:
        self.strategy = strategy

    def __call__(self, player: Any, now: Any, moves: Sequence[_Option], holds: Holds) -> Any:
        options = {option.move: option for option in moves}
        answer = self.strategy(player, now.now, tuple(options), holds)
        if isinstance(answer, Mixed):
            return Mixed((options.get(move, move), p) for move, p in answer.weights)
        return options.get(answer, answer)


class _World(NamedTuple):
    """A state of the world, with all that each player has seen and done."""

    world: Any
    seen: tuple[Seen, ...]

    def __str__(self) -> str:
        return str(self.world)


class _Public(NamedTuple):
    """The public situation, with the earlier ones."""

    now: Any
    earlier: tuple[Any, ...]


class Recalling(Game):
    """The same game, in which moves are chosen with all that the player has seen and done."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.name, self.players, self.probable = game.name, game.players, game.probable

    def deals(self) -> Any:
        """Return the deals."""
        given = self.game.deals()
        if isinstance(given, Mapping):
            return {self._dealt(world): p for world, p in given.items()}
        return [self._dealt(world) for world in given]

    def _dealt(self, world: Any) -> _World:
        sights = tuple((player, self.game.sees(player, world)) for player in self.players)
        return self._then(((),) * len(self.players), {}, Happening(world, self.game.start(), sights))

    def _then(self, seen: tuple[Seen, ...], moves: Mapping[Any, Any], happening: Happening) -> _World:
        before = dict(zip(self.players, seen, strict=True))
        return _World(happening.world, tuple(recalled(before, moves, happening).values()))

    def atoms(self, world: _World) -> Iterable[str]:
        """Return the atoms that are true at a world."""
        return self.game.atoms(world.world)

    def vocabulary(self) -> Iterable[str]:
        """Return the atoms of the game."""
        return self.game.vocabulary()

    def sees(self, player: Any, world: _World) -> Hashable:
        """Return a player's observation of the deal."""
        return self.game.sees(player, world.world)

    def start(self) -> _Public:
        """Return the initial public situation."""
        return _Public(self.game.start(), ())

    def moment(self, now: _Public) -> str:
        """Return the name of the moment."""
        return self.game.moment(now.now)

    def decides(self, now: _Public, world: _World) -> dict[Any, tuple[_Option, ...]]:
        """Return the moves, each with the memory of its player."""
        seen = dict(zip(self.players, world.seen, strict=True))
        decided = self.game.decides(now.now, world.world)
        return {player: tuple(_Option(move, seen[player]) for move in decided[player]) for player in decided}

    def after(self, now: _Public, world: _World, moves: Mapping[Any, _Option]) -> Any:
        """Return the results of moves."""
        made = {player: option.move for player, option in moves.items()}
        given = self.game.after(now.now, world.world, made)

        def onward(result: Happening | End) -> Happening | End:
            if isinstance(result, End):
                return result
            public = _Public(result.now, (*now.earlier, now.now))
            return Happening(self._then(world.seen, made, result), public, result.seen)

        if isinstance(given, Mixed):
            return Mixed((onward(result), p) for result, p in given.weights)
        if isinstance(given, Mapping):
            return {onward(result): p for result, p in given.items()}
        return onward(given)
