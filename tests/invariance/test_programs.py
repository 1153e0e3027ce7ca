"""What must not change the shares, timelines and probabilities of a program.

Names and types of players, worlds, moves and outcomes are only names; the order of deals and players and
declared atoms have no meaning.
"""

import random
from collections import namedtuple
from dataclasses import dataclass, field
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from kripke_werewolf import parse
from kripke_werewolf.games import Anything, End, Game, Happening, Mixed, Program, choose, solve
from tests.games.programs.random_games import FORMULAS, Small, strategies
from tests.reference.programs import enumerated

seeds = st.integers(0, 100_000)


@dataclass(frozen=True)
class Alike:
    """A world that looks like every other."""

    number: int = field(repr=False)


Pair = namedtuple("Pair", "left right")

WORLDS = (
    (0, 1, 2, 3),
    (False, True, 2, 3),  # equal to those before, but of other types
    ("", "x (1)", "x", ("x", 1)),
    ((0, 1), (0, 2), (1, 1), (1, 2)),
    (Pair(0, 1), Pair(0, 2), Pair(1, 1), Pair(1, 2)),  # equal to those before
    (Fraction(1, 2), None, frozenset(), Pair("x", 1)),
    tuple(map(Alike, range(4))),
)
NAMES = ((1, 2), ("b", "a"), ("Ann Lee", "K"), ("é", "{x}"), (2, "a"))
ATOMS = (("q", "p"), ("K", "M_a"), ("deal 1", "x'"), ("f_1", "F"))
MOVES = (("0", "1"), (True, False), ((), ((),)), ("pass", None))


def _mapped(values, mapping):
    """Return a distribution, or a mixture, over the images of some values."""
    return {mapping(value): p for value, p in values.items()}


class Renamed(Game):
    """The game `Small` under other names, in another order."""

    name = "renamed"

    def __init__(
        self, base, names, worlds, atoms, moves, outcomes, *, order=None, declared=True, deals=range(4)
    ):
        order = order or random.Random(0)
        self.base, self.probable, self.declared = base, base.probable, declared
        self.called = dict(zip(base.players, names, strict=True))
        self.at = dict(enumerate(worlds))
        self.atom = dict(zip("pq", atoms, strict=True))
        self.move, self.ending = dict(enumerate(moves)), outcomes
        self.dealt = order.sample(list(deals), len(deals))
        self.players = tuple(order.sample(names, 2))

    def _base(self, world):
        return next(n for n, other in self.at.items() if other == world)

    def _who(self, player):
        return next(name for name, other in self.called.items() if other == player)

    def _did(self, move):
        return next(n for n, other in self.move.items() if other == move)

    def deals(self):
        return [self.at[n] for n in self.dealt]

    def atoms(self, world):
        return [self.atom[name] for name in self.base.atoms(self._base(world))]

    def vocabulary(self):
        return list(self.atom.values()) if self.declared else ()

    def sees(self, player, world):
        return self.base.sees(self._who(player), self._base(world))

    def start(self):
        return self.base.start()

    def moment(self, now):
        return self.base.moment(now)

    def decides(self, now, world):
        found = self.base.decides(now, self._base(world))
        named = {self.called[p]: tuple(self.move[m] for m in moves) for p, moves in found.items()}
        return {p: named[p] for p in self.players if p in named}

    def after(self, now, world, moves):
        made = {self._who(player): self._did(move) for player, move in moves.items()}
        found = self.base.after(now, self._base(world), made)
        return _mapped(found, self._renamed)

    def _renamed(self, happening):
        if isinstance(happening, End):
            return End(self.ending[happening.outcome])
        seen = tuple((self.called[player], sight) for player, sight in happening.seen)
        return Happening(self.at[happening.world], happening.now, seen)

    def formula(self, text):
        return parse(text).rename(
            agents=lambda name: str(self.called[name]), atoms=lambda name: self.atom[name]
        )


class Playing:
    """A strategy of `Small` in a renamed game."""

    def __init__(self, game, strategy):
        self.game, self.strategy = game, strategy

    def __call__(self, player, now, moves, holds):
        game = self.game
        answer = self.strategy(
            game._who(player),
            now,
            tuple(map(game._did, moves)),
            lambda f: holds(
                f.rename(agents=lambda a: str(game.called[a]), atoms=game.atom.get)
                if not isinstance(f, str)
                else game.formula(f)
            ),
        )
        if isinstance(answer, Mixed):
            return choose(_mapped(dict(answer.weights), game.move.get))
        return game.move[answer]


def renamed(game: Renamed, playing) -> Program:
    return Program(game, {game.called[name]: Playing(game, how) for name, how in playing.items()})


def playing_of(seed: int):
    """Return strategies, mixed ones among them: players then have own moves to remember."""
    found = strategies(seed)
    rng = random.Random(seed)
    return {name: Anything() if rng.random() < 0.4 else how for name, how in found.items()}


@given(seeds, st.booleans(), st.sampled_from(FORMULAS))
def test_players_remember_their_own_moves(seed: int, blind: bool, formula: str) -> None:
    game, playing = Small(seed), playing_of(seed)
    if blind:  # then their own moves are all that players learn
        game.sight, game.news = [[0] * 4] * 2, [0] * 4
    solution = solve(Program(game, playing))
    outcomes, measured = enumerated(game, playing, formula)
    assert solution.weights == outcomes
    assert solution.timeline(formula) == measured


@given(
    seeds,
    st.sampled_from(NAMES),
    st.sampled_from(WORLDS),
    st.sampled_from(ATOMS),
    st.sampled_from(MOVES),
    st.sampled_from([(0, 1, 2, 3), ("x", "y", ("x",), None), tuple(map(Alike, range(4)))]),
    st.sampled_from(FORMULAS),
    st.randoms(use_true_random=False),
)
def test_names_types_and_orders_mean_nothing(
    seed, names, worlds, atoms, moves, outcomes, formula, order
) -> None:
    base, playing = Small(seed, probable=True), playing_of(seed)
    game = Renamed(base, names, worlds, atoms, moves, outcomes, order=order)
    plain, other = solve(Program(base, playing)), solve(renamed(game, playing))
    assert {outcomes[end]: p for end, p in plain.weights.items()} == other.weights
    asked = game.formula(formula)
    assert plain.timeline(formula) == other.timeline(asked)
    assert plain.first(formula) == other.first(asked)
    for moment in plain.moments:
        for name in "ab":
            chance = plain.expected(name, "p", at=moment)
            assert chance == other.expected(game.called[name], game.formula("p"), at=moment)


@given(seeds, st.sampled_from([(WORLDS[0], WORLDS[1]), (WORLDS[3], WORLDS[4])]))
@settings(max_examples=10)
def test_equal_worlds_of_another_game_are_not_taken_for_its_own(seed: int, pair) -> None:
    """A game gets back the worlds that it returned, also while another with equal ones exists."""
    base, playing = Small(seed), playing_of(seed)
    games = [Renamed(base, "ab", worlds, "pq", range(2), range(4)) for worlds in pair]
    solutions = [solve(renamed(game, playing)) for game in games]
    for worlds, solution in zip(pair, solutions, strict=True):
        types = {repr(world): type(world) for world in worlds}
        assert all(types[repr(s.actual)] is type(s.actual) for s in solution.states)
    assert solutions[0].weights == solutions[1].weights


@given(seeds, st.sets(st.integers(0, 3), min_size=1), st.sampled_from(FORMULAS))
def test_declared_atoms_change_no_measurement(seed: int, deals: set[int], formula: str) -> None:
    """An atom that is false everywhere at a moment is false there, declared or not."""
    base, playing = Small(seed), {"a": Anything(), "b": Anything()}
    games = [
        Renamed(base, "ab", range(4), "pq", range(2), range(4), declared=declared, deals=sorted(deals))
        for declared in (True, False)
    ]
    declared, free = (solve(renamed(game, playing)) for game in games)
    assert declared.weights == free.weights
    known = {atom for state in free.states for atom in games[1].atoms(state.actual)}
    if parse(formula).atoms <= known:
        assert declared.timeline(formula) == free.timeline(formula)
        assert declared.first(formula) == free.first(formula)
