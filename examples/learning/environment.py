"""A game whose players may make any moves, as programs that learn to play need it.

A `Juncture` is a place of a play, with all that every player has seen and done. Its path, the actions and
results of chance that lead there, is all that has to be kept, copied or sent elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from graphlib import CycleError, TopologicalSorter
from itertools import combinations, product
from typing import Any, NamedTuple, TypeAlias

from kripke_werewolf.base.errors import GameError
from kripke_werewolf.games.avalon.rules import AvalonTable, Ended
from kripke_werewolf.games.programs.match import Match
from kripke_werewolf.games.programs.program import Anything, End, Game, Happening, Program, Seen, recalled

LIMIT = 20_000
"""The default limit on the states of a game whose players may make any moves."""
_KEPT = 200_000  # as many nodes are kept; others are found again from their numbers

Rewards: TypeAlias = Callable[[Any], Mapping[Any, float]]
"""The value of an outcome for each player."""


class Bounds(NamedTuple):
    """What must be known of a game before it is played."""

    moves: Mapping[Any, list[Hashable]]
    """The moves of each player, indexed by the numbers of their actions."""
    outcomes: list[Hashable]
    longest: int | None
    """The greatest number of steps of a play; None if it is unbounded."""
    widest: int
    """The greatest number of results of a step."""
    atoms: list[str]


class Playable:
    """A game with arbitrary moves: its moves numbered, its outcomes valued.

    `game`: a `Game`, or a match, whose strategies are left out, such as `Avalon(rules)`.
    `rewards`: the value of an outcome for each player; 0 for players left out. Without it the game has a
    method `rewards`. The bounds of a game are found by a walk through all states of the world and the public
    situation, except those of Avalon. Raises GameError for other games, and for a game with more
    than `limit` states.
    """

    def __init__(self, game: Any, rewards: Rewards | None = None, *, limit: int = LIMIT) -> None:
        self.game = game = without_strategies(game)
        rewards = rewards or getattr(game, "rewards", None)
        if rewards is None:
            raise GameError(f"say what an outcome of {game.name} is worth to each player: rewards=…")
        self._rewards, self._limit = rewards, limit
        self.program = Program(game, dict.fromkeys(game.players, Anything()))
        declared: Bounds | None = _of_avalon(game) if isinstance(game, AvalonTable) else None
        self.bounds = declared or self._walked()
        worths = [(outcome, rewards(outcome)) for outcome in self.bounds.outcomes]
        self.worths = {o: [float(worth.get(player, 0)) for player in game.players] for o, worth in worths}
        """The value of every outcome for each player."""
        self.node = lru_cache(_KEPT)(self._make_node)
        """The node after these actions and results of chance; with none the one before the deal."""
        self._moves: dict[Any, set[Hashable]] = {}  # of a player who has seen and done all this
        self._possible_after = lru_cache(_KEPT)(self._make_possible_after)

    def __reduce__(self) -> tuple[Any, ...]:
        return _playable, (self.game, self._rewards, self._limit)

    def _walked(self) -> Bounds:
        """Return the bounds of a game, found by a walk through the states of world and public situation."""
        moves: dict[Any, dict[Hashable, None]] = {player: {} for player in self.game.players}
        after: dict[Any, set[Any]] = {}
        outcomes: dict[Hashable, None] = {}
        widest, atoms = len(self.program.starts()), {*self.game.vocabulary()}
        allowed = self._situations()
        for now, world, chosen, results in allowed:
            for player, move in chosen.items():
                moves[player][move] = None
            atoms.update(self.game.atoms(world) if (now, world) not in after else ())
            places = {(h.now, h.world) for h in results if isinstance(h, Happening)}
            after.setdefault((now, world), set()).update(places)
            outcomes.update((h.outcome, None) for h in results if isinstance(h, End))
            widest = max(widest, len(results))
        listed = {player: list(found) for player, found in moves.items()}
        return Bounds(listed, list(outcomes), _longest(after), widest, sorted(atoms))

    def _situations(self) -> list[tuple[Any, Any, dict[Any, Any], Mapping[Any, Fraction]]]:
        """Return all situations that the rules allow: `now`, the world, moves, and what these lead to."""
        todo = [*dict.fromkeys((state.now, state.actual) for state in self.program.starts())]
        seen, found = set(todo), []
        for now, world in todo:  # grows during the loop
            if len(todo) > self._limit:
                raise GameError(
                    f"{self.game.name} has more than {self._limit:,} states, too many to list: allow more "
                    "(limit=…), or let it end after a number of steps if players may go on for ever"
                )
            deciding = self.program.deciders(now, world)
            for chosen in product(*deciding.values()):
                moves = dict(zip(deciding, chosen, strict=True))
                found.append((now, world, moves, self.program.happenings(now, world, moves)))
                for happening in found[-1][3]:
                    if isinstance(happening, Happening) and (happening.now, happening.world) not in seen:
                        seen.add((happening.now, happening.world))
                        todo.append((happening.now, happening.world))
        return found

    def results(
        self, now: Any, world: Any, given: Mapping[Any, Hashable] | None = None
    ) -> Iterator[Mapping[Happening | End, Fraction]]:
        """Yield the possible results of all moves that contain the given ones, with their probabilities."""
        options = dict(self.program.deciders(now, world))
        options |= {p: (move,) for p, move in (given or {}).items() if p in options}
        for chosen in product(*options.values()):
            yield self.program.happenings(now, world, dict(zip(options, chosen, strict=True)))

    def _make_node(self, path: tuple[int, ...]) -> Juncture:
        return self.node(path[:-1])._after(path[-1], path) if path else self._before_the_deal()

    def _before_the_deal(self) -> Juncture:
        deals, players = self.program.starts(), self.game.players
        sights = {s: tuple((player, self.game.sees(player, s.actual)) for player in players) for s in deals}
        ways = [(Happening(s.actual, s.now, sights[s]), p) for s, p in deals.items()]
        return Juncture(self, (), None, None, dict.fromkeys(players, ()), {}, ways)

    def decisions(self, limit: int) -> Iterator[Juncture]:
        """Yield for each player to move a node for all that they may have seen and done.

        Raises GameError for more than `limit` nodes.
        """
        todo, found, size = [self.node(())], set[Any](), 0
        while todo:
            node, size = todo.pop(), size + 1
            if size > limit:
                raise GameError(
                    f"{self.game.name} has more than {limit:,} courses, too many for a table of what to do "
                    "in each: allow more (limit=…)"
                )
            if node.player is not None and (node.player, node.seen[node.player]) not in found:
                found.add((node.player, node.seen[node.player]))
                yield node
            todo += [node.child(action) for action in node.actions]

    def known(self, node: Juncture, player: Any) -> list[int]:
        """Return for each atom 1 if a player knows that it is true, -1 if they know it is false, else 0."""
        if node.ended or not node.seen[player]:
            return [0] * len(self.bounds.atoms)
        true = [set(self.game.atoms(world)) for world in self._possible(player, node.seen[player])]
        always, ever = set.intersection(*true), set.union(*true)
        return [1 if atom in always else 0 if atom in ever else -1 for atom in self.bounds.atoms]

    def _possible(self, player: Any, seen: Seen) -> frozenset[Hashable]:
        """Return the states of the world that a player considers possible after what they have seen."""
        *before, (move, now, sight) = seen
        if before:
            earlier = self._possible(player, tuple(before))
            return self._possible_after(player, earlier, before[-1][1], move, now, sight)
        happenings = [happening for happening, _ in self.node(()).ways if isinstance(happening, Happening)]
        return frozenset(happening.world for happening in happenings if happening.sight(player) == sight)

    def _make_possible_after(
        self, player: Any, worlds: frozenset[Hashable], now: Any, move: Hashable, then: Any, sight: Hashable
    ) -> frozenset[Hashable]:
        happenings = (h for w in worlds for results in self.results(now, w, {player: move}) for h in results)
        return frozenset(
            h.world
            for h in happenings
            if isinstance(h, Happening) and h.now == then and h.sight(player) == sight
        )


@dataclass(frozen=True, eq=False)
class Juncture:
    """A place of a play: before a player's move, before chance, or at the end."""

    table: Playable = field(repr=False)
    path: tuple[int, ...]
    """The actions and results of chance that lead here."""
    now: Any
    """The public situation."""
    world: Any
    """The state of the world; at the end the outcome."""
    seen: Mapping[Any, Seen]
    """What each player has seen and done; nothing before the deal."""
    chosen: Mapping[Any, Hashable]
    """The moves made in this step, which nobody has seen yet."""
    ways: Sequence[tuple[Happening | End, Fraction]] = ()
    """The possible results of chance with their probabilities; none before a move and at the end."""
    player: Any = None
    """The player to move; None before chance and at the end."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _node, (self.table, self.path)

    @property
    def ended(self) -> bool:
        """Whether this is the end."""
        return self.player is None and not self.ways

    @cached_property
    def legal(self) -> dict[int, Hashable]:
        """The legal moves of the player to move, by the numbers of their actions, ascending."""
        if self.player is None:
            return {}
        listed = self.table.bounds.moves[self.player]
        moves = {*self.table.program.deciders(self.now, self.world)[self.player]}
        if len(self.table._moves) >= _KEPT:
            self.table._moves.clear()
        known = self.table._moves.setdefault((self.player, self.seen[self.player]), moves)
        if known != moves:
            here, there = (", ".join(sorted(map(str, options))) for options in (moves, known))
            raise GameError(
                f"{self.table.game.name}, {self}: {self.player} may do {here}, but {there} in a situation "
                "that looks the same to them"
            )
        return {number: listed[number] for number in sorted(map(listed.index, moves))}

    @property
    def actions(self) -> list[int]:
        """The actions of the player to move, or the numbers of the results of chance."""
        return list(range(len(self.ways))) or list(self.legal)

    def child(self, action: int) -> Juncture:
        """Return the node after an action or a result of chance."""
        return self.table.node((*self.path, action))

    def _after(self, action: int, path: tuple[int, ...]) -> Juncture:
        if self.player is None:
            return self._reached(self.ways[action][0], path)
        chosen = {**self.chosen, self.player: self.table.bounds.moves[self.player][action]}
        return self._waiting(path, self.now, self.world, self.seen, chosen)

    def _waiting(
        self,
        path: tuple[int, ...],
        now: Any,
        world: Any,
        seen: Mapping[Any, Seen],
        chosen: Mapping[Any, Hashable],
    ) -> Juncture:
        """Return the node before the next player's move; after the last move, the result, or chance."""
        waiting = [player for player in self.table.program.deciders(now, world) if player not in chosen]
        if waiting:
            return Juncture(self.table, path, now, world, seen, chosen, player=waiting[0])
        ways = [pair for results in self.table.results(now, world, chosen) for pair in results.items()]
        node = Juncture(self.table, path, now, world, seen, chosen, ways)
        return node._reached(ways[0][0], path) if chosen and len(ways) == 1 else node

    def _reached(self, happening: Happening | End, path: tuple[int, ...]) -> Juncture:
        if isinstance(happening, End):
            return Juncture(self.table, path, self.now, happening.outcome, self.seen, {})
        now, world = happening.now, happening.world
        return self._waiting(path, now, world, recalled(self.seen, self.chosen, happening), {})

    def __str__(self) -> str:
        if self.ended:
            return f"the end: {self.world}"
        if not self.path:
            return "before the deal"
        chosen = "".join(f"; {player}: {move}" for player, move in self.chosen.items())
        return f"{self.table.game.moment(self.now)}: {self.world}{chosen}"


def without_strategies(game: Any) -> Game:
    """Return the game that players may play as they like: a `Game`, or that of a match such as Avalon."""
    found = game.game if isinstance(game, Match) else game
    if not isinstance(found, Game):
        problem = f"expected a game made of the class Game, such as Crew(), or Avalon(rules); got {game!r}"
        raise GameError(problem)
    return found


def _of_avalon(table: AvalonTable) -> Bounds:
    """Return all moves and outcomes of Avalon, without a walk through millions of states."""
    rules, most = table.rules, len(table.sizes)
    parties = [party for size in sorted({*table.sizes}) for party in combinations(table.players, size)]
    moves: dict[int, list[Hashable]] = {}
    for i in table.players:
        names = [j for j in table.players if j != i and rules.assassinate]
        moves[i] = [*parties, "for", "against", "pass", "fail", *names]
    voted = table.proposals - (rules.fifth == "accepted")
    longest = 1 + most * (table.proposals + voted + 1) + rules.assassinate
    evils = sorted({sitting.deal.evil for sitting in table.deals()})
    endings: list[Hashable] = [Ended(outcome, those) for outcome in table.outcomes() for those in evils]
    widest = max(len(table.deals()), len(table.players))
    return Bounds(moves, endings, longest, widest, sorted(table.vocabulary()))


def _longest(after: Mapping[Any, set[Any]]) -> int | None:
    """Return the greatest number of states on a path; None if there are cycles."""
    length: dict[Any, int] = {}
    try:
        for place in TopologicalSorter(after).static_order():  # what follows comes first
            length[place] = 1 + max((length[following] for following in after[place]), default=0)
    except CycleError:
        return None
    return max(length.values())


def _node(table: Playable, path: tuple[int, ...]) -> Juncture:
    return table.node(path)


def _playable(game: Game, rewards: Rewards, limit: int) -> Playable:
    return Playable(game, rewards, limit=limit)
