"""User-defined games, and knowledge-based programs that play them.

A `Game` defines the deals, the players' observations, their moves, and the consequences. A `Program` is a
game with a strategy for every player. Everybody knows the game and the strategies and remembers all their
observations and moves, which determines their knowledge: a point of the model is a course of the game so far,
and a player cannot tell apart two points with the same observations and own moves (Fagin, Halpern, Moses and
Vardi 1995, chapter 7).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, partial, reduce
from operator import or_
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.errors import GameError, IllegalMove
from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.base.randomness import generator
from kripke_werewolf.base.reports.documents import Block, Outline
from kripke_werewolf.games.programs.chain import Solution
from kripke_werewolf.games.programs.chance import ONE, Mixed, add, choose, equally, jointly, sample
from kripke_werewolf.games.programs.decisions import answered, answering
from kripke_werewolf.games.programs.knowledge import Knowledge, Points, written
from kripke_werewolf.games.programs.match import Match, Twin, is_ours, world_of
from kripke_werewolf.games.programs.match import State as State
from kripke_werewolf.games.programs.outcomes import Simulation
from kripke_werewolf.logic.english.sentences import enumerated
from kripke_werewolf.logic.formulas import Formula
from kripke_werewolf.logic.formulas.syntax import FormulaLike
from kripke_werewolf.logic.semantics.bits import Rows, gathered, integral

Holds: TypeAlias = Callable[[FormulaLike], bool]
"""The query function of a strategy: the truth value of a formula; an error if the player does not know it."""


class Happening(NamedTuple):
    """The result of the players' moves."""

    world: Hashable
    """The new state of the world: what players may be uncertain about."""
    now: Hashable
    """The new public situation."""
    seen: tuple[tuple[Hashable, Hashable], ...] = ()
    """Private observations: pairs of a player and an observation; None stands for nothing."""

    def sight(self, player: Hashable) -> tuple[Hashable, ...]:
        """Return all observations of a player, in order."""
        return tuple(seen for who, seen in self.seen if who == player and seen is not None)


Seen: TypeAlias = tuple[tuple[Hashable, Hashable, tuple[Hashable, ...]], ...]
"""All that a player has seen and done: for each step their move, the public situation, what they saw."""


def recalled(
    seen: Mapping[Any, Seen], moves: Mapping[Any, Hashable], happening: Happening
) -> dict[Any, Seen]:
    """Return the observations and moves of each player after a step."""
    return {i: (*before, (moves.get(i), happening.now, happening.sight(i))) for i, before in seen.items()}


class End(NamedTuple):
    """The end of the game."""

    outcome: Hashable


class Game(ABC):
    """A game: states, players, observations, moves, decisions, and its end.

    Subclass it and define the methods; `docs/knowledge-based-programs.md` writes one step by step.
    """

    name: str = "game"
    players: tuple[Hashable, ...]
    """The players: the agents of the formulas."""
    probable: bool = False
    """Whether players have probabilities, from the chances of the game and of mixed decisions."""

    @abstractmethod
    def deals(self) -> Mapping[Any, Fraction] | Iterable[Any]:
        """Return the initial worlds: equally likely, or with their probabilities."""

    @abstractmethod
    def atoms(self, world: Any) -> Iterable[str]:
        """Return the atoms that are true at a world."""

    @abstractmethod
    def sees(self, player: Any, world: Any) -> Hashable:
        """Return a player's observation of the deal."""

    @abstractmethod
    def decides(self, now: Any, world: Any) -> Mapping[Any, Sequence[Hashable]]:
        """Return the players who decide now, simultaneously, with their moves."""

    @abstractmethod
    def after(self, now: Any, world: Any, moves: Mapping[Any, Any]) -> Any:
        """Return the result of the moves: a `Happening` or `End`, or several with their probabilities."""

    def start(self) -> Hashable:
        """Return the initial public situation."""
        return 1

    def vocabulary(self) -> Iterable[str]:
        """Return atoms that may be true nowhere at the start.

        Strategies may ask about these, and about atoms that were true somewhere in an earlier step.
        """
        return ()

    def moment(self, now: Any) -> str:
        """Return the name of the moment, for measurements."""
        return f"step {now}"

    def situation(self, now: Any) -> str:
        """Return the public situation in words, for those who play."""
        return self.moment(now)

    def words(self, value: Any) -> str:
        """Return a move or an observation in words, for those who play."""
        if not isinstance(value, tuple | frozenset):
            return str(value)
        found = [self.words(part) for part in value]
        if isinstance(value, frozenset):
            found.sort()
        return enumerated(found or ["nobody"])


class Cases:
    """A strategy by cases: the first true formula determines the move.

    >>> Cases({"K_R bit": "reply"}, otherwise="wait")
    Cases({'K_R bit': 'reply'}, otherwise='wait')
    """

    def __init__(self, cases: Mapping[FormulaLike, Any], *, otherwise: Any) -> None:
        self.cases, self.otherwise = tuple(cases.items()), otherwise

    def __repr__(self) -> str:
        return f"Cases({dict(self.cases)!r}, otherwise={self.otherwise!r})"

    def __call__(self, player: Any, now: Any, moves: Sequence[Any], holds: Holds) -> Any:
        """Return the move of the first case that applies."""
        return next((move for f, move in self.cases if holds(f)), self.otherwise)


class Anything:
    """A strategy that makes every move equally likely: moves reveal no more than the rules do."""

    def __call__(self, player: Any, now: Any, moves: Sequence[Any], holds: Holds) -> Any:
        """Return a mixture of all moves."""
        return choose(equally(moves))


class Decided(NamedTuple):
    """A player's possible moves with probabilities, and the formulas queried to decide."""

    moves: Mapping[Any, Fraction]
    asked: Mapping[Formula, bool]


class Transition(NamedTuple):
    """One possible course of a step."""

    probability: Fraction
    moves: tuple[tuple[Hashable, Hashable], ...]
    happening: Happening | None
    place: Any
    """The next state, or the outcome."""


@dataclass(frozen=True, repr=False)
class Play(Displayed):
    """A complete play; `str` narrates it."""

    program: Program = field(repr=False)
    states: tuple[State, ...]
    courses: tuple[Transition, ...]

    @property
    def outcome(self) -> Any:
        """The outcome of the play."""
        return self.courses[-1].place

    def headline(self) -> str:
        """Return the outcome."""
        return f"{self.program.title}: {self.outcome} after {len(self.courses)} steps"

    def display(self) -> Iterator[Block]:
        """Yield the play as a narrative."""
        yield Outline(str(self))

    def __str__(self) -> str:
        lines = [f"{self.program.title}; the deal: {self.states[0].actual}"]
        for state, course in zip(self.states, self.courses, strict=True):
            lines += ["", f"{self.program.game.moment(state.now)}: {state.actual}"]
            decided = self.program.decided(state)
            for player, move in course.moves:
                asked = "; ".join(
                    f"{f.unicode()} is {'true' if holds else 'false'}"
                    for f, holds in decided[player].asked.items()
                )
                line = f"  {player}: {move}"
                if (p := decided[player].moves[move]) != 1:
                    line += f" (with probability {p})"
                if asked:
                    line += f", since {asked}"
                lines.append(line)
            if course.happening:
                lines += [f"  {player} sees {seen}" for player, seen in course.happening.seen]
        return "\n".join([*lines, "", f"The end: {self.outcome}"])


class Program(Match[Solution, Simulation]):
    """A game with a strategy for every player.

    A strategy is called with the player, the public situation, the moves, and `holds`, which returns the
    truth value of a formula if the player knows it, and raises an error if not. It returns a move or a
    mixture (`choose`). A strategy with a true attribute `recalls`, such as one that was learned elsewhere, is
    also given all that the player has seen and done (`Seen`).

    Raises GameError for players without a strategy and strategies without a player.
    """

    game: Game
    solution = Solution
    simulation = Simulation

    def __init__(self, game: Game, strategies: Mapping[Any, Callable[..., Any]]) -> None:
        if not isinstance(game, Game):
            raise GameError(f"game={game!r} is not a Game")
        if len({str(p) for p in game.players}) < len(game.players):
            raise GameError(f"{game.name}: two of the players {game.players!r} have the same name")
        missing = [str(p) for p in game.players if p not in strategies]
        extra = [str(p) for p in strategies if p not in game.players]
        if missing or extra:
            problem = f"no strategy for {', '.join(missing)}" if missing else f"no player {', '.join(extra)}"
            raise GameError(f"{problem} (the players of {game.name} are {', '.join(map(str, game.players))})")
        for player, strategy in strategies.items():
            if not callable(strategy) or isinstance(strategy, type):
                raise GameError(
                    f"the strategy {strategy!r} of {player} cannot be called: give a function or instance"
                )
        self.game, self.title, self._strategies = game, game.name, dict(strategies)
        self._remembers = any(getattr(strategy, "recalls", False) for strategy in strategies.values())
        self.forget()

    def forget(self) -> None:
        """Clear the cached results of strategies."""
        self._step = cache(self._make_step)
        self._decided = cache(self._make_decided)
        self.deciders = cache(self._make_deciders)
        """The players who decide in a public situation and a state of the world, with their moves."""
        self._starts: dict[State, Fraction] | None = None

    def options(self) -> dict[str, object]:
        """Return the parameters of the game."""
        return dict(vars(self.game))

    def strategies(self) -> dict[str, object]:
        """Return the strategies by player."""
        return {str(player): strategy for player, strategy in self._strategies.items()}

    def __reduce__(self) -> tuple[Any, ...]:
        return Program, (self.game, self._strategies)

    # --- the walk --------------------------------------------------------------------------------

    def starts(self) -> dict[State, Fraction]:
        """Return the states after the deal, with their probabilities."""
        if self._starts is None:
            now = self._plain(self.game.start(), "start()")
            points = []
            for w, weight in self._dealt().items():
                sights = {p: self._plain(self.game.sees(p, w), "sees()") for p in self.game.players}
                dealt = Happening(w, now, tuple(sights.items()))
                points.append(_Point(w, tuple(sights.values()), weight, self._recalled(w, {}, dealt)))
            knowledge, names = self._contracted(points, ())
            self._starts = {}
            for point, name in zip(points, names, strict=True):
                add(self._starts, State(knowledge, name, now), point.weight)
        return self._starts

    def _recalled(self, point: Any, moves: Mapping[Any, Hashable], happening: Happening) -> tuple[Seen, ...]:
        """Return the memory of each player after a step, if a strategy uses it."""
        if not self._remembers:
            return ()
        before = point.memories if isinstance(point, Twin) else ((),) * len(self.game.players)
        seen = dict(zip(self.game.players, before, strict=True))
        return tuple(recalled(seen, moves, happening).values())

    def _dealt(self) -> dict[Any, Fraction]:
        """Return the initial worlds with their probabilities."""
        given = self.game.deals()
        listed = given if isinstance(given, Mapping) else [self._plain(w, "deals()") for w in given]
        deals = dict(choose(listed).weights) if isinstance(listed, Mapping) else equally(listed)
        if not deals:
            raise GameError(f"{self.game.name}: deals() returns no world")
        return deals

    def successors(self, state: State) -> dict[Any, Fraction]:
        """Return the possible successors, states and outcomes, with their probabilities."""
        found: dict[Any, Fraction] = {}
        for course in self.courses(state):
            add(found, course.place, course.probability)
        return found

    def courses(self, state: State) -> tuple[Transition, ...]:
        """Return the possible courses of the next step."""
        return self._step(state.knowledge, state.now)[state.world]

    def decided(self, state: State) -> dict[Any, Decided]:
        """Return the moves of the players who decide, with probabilities."""
        moves = self.deciders(state.now, state.actual)
        knowledge, world, now = state
        return {p: self._decided(knowledge, now, knowledge.cell(p, world), p, m) for p, m in moves.items()}

    def play(self, *, rng: np.random.Generator | int | None = None) -> Play:
        """Return one play with chance drawn from `rng`; raises GameError for an invalid seed."""
        chance = generator(rng)
        self.current()
        place: Any = sample(self.starts(), chance)
        states, courses = [], []
        while isinstance(place, State):
            ways = self.courses(place)
            course = ways[sample({n: c.probability for n, c in enumerate(ways)}, chance)]
            states.append(place)
            courses.append(course)
            place = course.place
        self.unchanged()
        return Play(self, tuple(states), tuple(courses))

    # --- one step --------------------------------------------------------------------------------

    def _make_decided(
        self, knowledge: Knowledge, now: Any, cell: int, player: Any, moves: tuple[Any, ...]
    ) -> Decided:
        """Return the possible moves of a player who considers these points possible."""
        strategy = self._strategies[player]
        illegal = partial(self._illegal, player, now)
        memory: tuple[Seen, ...] = ()
        if getattr(strategy, "recalls", False):  # the same at all points that the player considers possible
            point: Any = knowledge.points.names[cell.bit_length() - 1]
            memory = (point.memories[self.game.players.index(player)],)
        holds, asked = answering(knowledge, cell, illegal)
        ask = partial(strategy, player, now, moves, holds, *memory)
        answer = answered(ask, illegal, ours=is_ours(strategy, "__call__"))
        mixed = answer.weights if isinstance(answer, Mixed) else ((answer, ONE),)
        for move, _ in mixed:
            if move not in moves:  # it may be a mapping, which is not hashable
                allowed = ", ".join(map(repr, moves))
                raise illegal(f"answers {move!r}; allowed are {allowed}, and choose({{…}}) of them")
        weights = dict(mixed)
        return Decided({move: weights[move] for move in moves if move in weights}, asked)

    def _illegal(self, player: Any, now: Any, problem: str) -> IllegalMove:
        return IllegalMove(
            f"{self.game.name}, {self.game.moment(now)}: player {player} {problem}; the rule: a player "
            "decides by formulas whose truth value they know"
        )

    def _make_step(self, knowledge: Knowledge, now: Any) -> dict[Hashable, tuple[Transition, ...]]:
        """Return for every point of a model the possible courses of the next step.

        The points are treated together, since the courses at all of them determine what players consider
        possible.
        """
        groups: dict[Hashable, list[_Point]] = {}
        ways: dict[Hashable, list[tuple[Fraction, Any, Any, Any]]] = {}
        weights = knowledge.space.listed_weights(next(iter(knowledge.space.relations)))
        for number, name in enumerate(knowledge.points.names):
            if not knowledge.space.all >> number & 1:
                continue
            ways[name] = []
            actual = world_of(name)
            cells = tuple(knowledge.cell(p, name) for p in self.game.players)
            for moves, p in self._moves(knowledge, now, name, actual):
                for happening, q in self.happenings(now, actual, moves).items():
                    if isinstance(happening, End):
                        ways[name].append((p * q, moves, None, happening.outcome))
                        continue
                    sights = tuple(
                        (cell, happening.sight(player), moves.get(player))
                        for cell, player in zip(cells, self.game.players, strict=True)
                    )
                    group = groups.setdefault(happening.now, [])
                    ways[name].append((p * q, moves, happening, (happening.now, len(group))))
                    seen = self._recalled(name, moves, happening)
                    group.append(_Point(happening.world, sights, weights[number] * p * q, seen))
        known = knowledge.points.valuation
        models = {label: self._contracted(points, known) for label, points in groups.items()}
        found = {}
        for name, courses in ways.items():
            listed = []
            for p, moves, happening, place in courses:
                if happening is not None:
                    label, number = place
                    after, names = models[label]
                    place = State(after, names[number], label)
                elif isinstance(place, State):
                    raise GameError(f"{self.game.name}: an outcome must not be a state")
                listed.append(Transition(p, tuple(moves.items()), happening, place))
            found[name] = tuple(listed)
        return found

    def _moves(
        self, knowledge: Knowledge, now: Any, name: Any, actual: Any
    ) -> Iterator[tuple[dict[Any, Any], Fraction]]:
        """Yield the joint moves possible at a point, with their probabilities."""
        decided = {}
        for player, moves in self.deciders(now, actual).items():
            cell = knowledge.cell(player, name)
            for number, other in enumerate(knowledge.points.names):
                if cell >> number & 1 and self.deciders(now, world_of(other)).get(player, ()) != moves:
                    raise GameError(
                        f"{self.game.name}, {self.game.moment(now)}: {player} may do "
                        f"{', '.join(map(str, moves))} at {name}, but something else at {other}, which looks "
                        "the same to them"
                    )
            decided[player] = self._decided(knowledge, now, cell, player, moves).moves
        yield from jointly(decided)

    def _make_deciders(self, now: Any, world: Any) -> dict[Any, tuple[Hashable, ...]]:
        """Return the players who decide, with their moves."""
        found = {player: tuple(moves) for player, moves in self.game.decides(now, world).items()}
        self._plain(tuple(found.values()), "decides()")
        if unknown := [player for player in found if player not in self.game.players]:
            raise GameError(
                f"{self.game.name}: decides() names {unknown[0]!r}, who is not a player (the players are "
                f"{', '.join(map(repr, self.game.players))})"
            )
        return found

    def happenings(self, now: Any, world: Any, moves: dict[Any, Any]) -> Mapping[Any, Fraction]:
        """Return the results of moves with their probabilities."""
        given = self.game.after(now, world, moves)
        if isinstance(given, Happening | End):
            given = {self._plain(given, "after()"): ONE}
        found = choose(given) if isinstance(given, Mapping) else given
        if not isinstance(found, Mixed) or not all(isinstance(h, Happening | End) for h, _ in found.weights):
            raise GameError(
                f"{self.game.name}: after() returns {found!r}; expected a Happening or End, or a mapping "
                "of these to probabilities"
            )
        for happening, _ in found.weights:
            seen = happening.seen if isinstance(happening, Happening) else ()
            if not isinstance(seen, tuple) or not all(map(self._is_sight, seen)):
                raise GameError(
                    f"{self.game.name}: after() returns seen={seen!r}; expected a tuple of pairs of a player "
                    f"and an observation (the players are {', '.join(map(repr, self.game.players))})"
                )
        return dict(found.weights)

    def _is_sight(self, seen: object) -> bool:
        return isinstance(seen, tuple) and len(seen) == 2 and seen[0] in self.game.players

    def _plain(self, value: Any, method: str) -> Any:
        """Return a value that can be compared and counted; raise GameError for any other."""
        try:
            hash(value)
        except TypeError as error:
            raise GameError(
                f"{self.game.name}: {method} returns {value!r}, which cannot be used ({error}): worlds, "
                "observations, moves and outcomes are values such as strings, numbers, tuples and frozen sets"
            ) from None
        return value

    def _contracted(self, points: list[_Point], known: Iterable[str]) -> tuple[Knowledge, list[Hashable]]:
        """Return the model of some points with bisimilar ones merged, and the name of each in it.

        `known`: atoms of earlier steps.
        """
        players = range(len(self.game.players))
        probable = self.game.probable
        apart = dict.fromkeys((point.world, point.memories) for point in points)
        equal = {key: n for n, key in enumerate(sorted(apart, key=lambda key: tuple(map(written, key))))}
        block = [equal[point.world, point.memories] for point in points]
        cells = [grouped((point.sights[i], n) for n, point in enumerate(points)) for i in players]
        while True:
            profiles = [
                {sight: _profile(inside, block, points, probable) for sight, inside in cells[i].items()}
                for i in players
            ]
            keys = [(block[n], *(profiles[i][p.sights[i]] for i in players)) for n, p in enumerate(points)]
            order = {key: n for n, key in enumerate(sorted(set(keys)))}
            finer = [order[key] for key in keys]
            if max(finer) == max(block):
                break
            block = finer
        worlds: list[Any] = [None] * (max(block) + 1)
        weights, names = [Fraction(0)] * len(worlds), list(worlds)
        for n, point in enumerate(points):
            worlds[block[n]] = point.world
            weights[block[n]] += point.weight
            names[block[n]] = Twin(point.world, memories=point.memories)
        if not self._remembers:
            names = [
                w if worlds.count(w) == 1 else Twin(w, worlds[: n + 1].count(w)) for n, w in enumerate(worlds)
            ]
        relations = {}
        for i, player in enumerate(self.game.players):
            sets = {reduce(or_, [1 << block[n] for n in inside]) for inside in cells[i].values()}
            relations[str(player)] = Rows((cell, cell) for cell in sorted(sets))
        valuation = dict.fromkeys([*known, *self.game.vocabulary()], 0)
        valuation |= gathered((atom, 1 << n) for n, w in enumerate(worlds) for atom in self.game.atoms(w))
        together = integral(gathered((weight, 1 << n) for n, weight in enumerate(weights)))
        knowledge = Knowledge.of(
            Points(names, valuation),
            (1 << len(names)) - 1,
            relations,
            dict.fromkeys(relations, together if probable else ()),
        )
        return knowledge, [names[b] for b in block]


class _Point(NamedTuple):
    """A course of the game so far: the world, each player's observations, and its probability."""

    world: Hashable
    sights: tuple[Hashable, ...]
    weight: Fraction
    memories: tuple[Seen, ...] = ()


def _profile(inside: list[int], block: list[int], points: list[_Point], probable: bool) -> tuple[Any, ...]:
    """Return the blocks that a player considers possible, with any probabilities."""
    if not probable:
        return tuple(sorted({block[n] for n in inside}))
    shares: dict[int, Fraction] = {}
    for n in inside:
        add(shares, block[n], points[n].weight)
    total = sum(shares.values())
    return tuple((b, shares[b] / total) for b in sorted(shares))
