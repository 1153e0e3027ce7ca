from fractions import Fraction
from itertools import permutations

import pytest

from kripke_werewolf.base.errors import GameError
from kripke_werewolf.games import (
    Anything,
    Cases,
    End,
    Game,
    Happening,
    Program,
    choose,
    exchange,
    rotation,
    solve,
)
from tests.cases import cases, each


class Highest(Game):
    """Three players hold different cards; in each of two rounds all may bet on theirs being the highest.

    The deal is a set of pairs, so that it can be renamed. The losers of a round see each other's cards.
    """

    name = "highest"
    players = ("a", "b", "c")
    generators = (rotation("abc"), exchange("a", "b", "abc"))

    def __init__(self, cards: int = 4) -> None:
        self.cards = cards

    def deals(self):
        return [frozenset(zip("abc", hand, strict=True)) for hand in permutations(range(self.cards), 3)]

    def atoms(self, world):
        return [f"has_{player}_{card}" for player, card in world]

    def vocabulary(self):
        return [f"has_{player}_{card}" for player in "abc" for card in range(self.cards)]

    def sees(self, player, world):
        return dict(world)[player]

    def decides(self, now, world):
        return dict.fromkeys("abc", ("bet", "pass"))

    def after(self, now, world, moves):
        hand = dict(world)
        best = max(hand, key=hand.get)
        if now == 2:
            return End(sum(move == "bet" for move in moves.values()) - 2 * (moves[best] == "bet"))
        cards = frozenset(pair for pair in world if pair[0] != best)
        losers = [player for player in "abc" if player != best]
        return Happening(world, 2, tuple((player, cards) for player in losers))

    def symmetries(self):
        return self.generators


def sure(player: str, cards: int = 4) -> Cases:
    return Cases(
        {f"K_{player} has_{player}_{cards - 1}": choose({"bet": "2/3", "pass": "1/3"})}, otherwise="pass"
    )


def test_one_state_of_each_orbit_is_solved() -> None:
    program = Program(Highest(), {p: sure(p) for p in "abc"})
    orbits, whole = solve(program), solve(program, symmetry=False)
    assert orbits.weights == whole.weights
    assert 5 * len(orbits.states) <= len(whole.states)
    assert solve(program, symmetry=True) == orbits


@each(["has_a_3", "K_a has_a_3", "K_b has_a_3", "Kw_b has_c_1 & ~K_a has_b_0", "C_{a,b} ~has_c_3"])
def test_questions_about_single_players_have_the_same_answers(formula: str) -> None:
    program = Program(Highest(), {p: sure(p) for p in "abc"})
    orbits, whole = solve(program), solve(program, symmetry=False)
    assert orbits.timeline(formula) == whole.timeline(formula)
    assert orbits.first(formula) == whole.first(formula)


def test_probabilities_of_players_are_the_same() -> None:
    class Probable(Highest):
        probable = True

    program = Program(Probable(), {p: sure(p) for p in "abc"})
    orbits, whole = solve(program), solve(program, symmetry=False)
    for moment in whole.moments:
        assert orbits.expected("b", "has_a_3", at=moment) == whole.expected("b", "has_a_3", at=moment)


def test_strategies_that_tell_players_apart_are_solved_state_by_state() -> None:
    program = Program(Highest(), {"a": sure("a"), "b": sure("b"), "c": Cases({}, otherwise="bet")})
    whole = solve(program, symmetry=False)
    assert solve(program) == whole
    assert len(solve(program).states) == len(whole.states)
    with pytest.raises(GameError, match="do not treat all players alike"):
        solve(program, symmetry=True)


def test_anything_treats_players_alike() -> None:
    program = Program(Highest(3), dict.fromkeys("abc", Anything()))
    assert program.proven()
    assert solve(program).weights == solve(program, symmetry=False).weights


class Favoured(Highest):
    """A bet of a counts twice."""

    def after(self, now, world, moves):
        place = super().after(now, world, moves)
        return End(place.outcome + (moves["a"] == "bet")) if isinstance(place, End) else place


class Loaded(Highest):
    def deals(self):
        first, *rest = super().deals()
        return {first: Fraction(1, 2)} | dict.fromkeys(rest, Fraction(1, 2 * len(rest)))


class Spying(Highest):
    def sees(self, player, world):
        return world if player == "c" else super().sees(player, world)


class Silent(Highest):
    def decides(self, now, world):
        return dict.fromkeys("bc", ("bet", "pass")) if now == 1 else super().decides(now, world)

    def after(self, now, world, moves):
        return super().after(now, world, {"a": "pass", **moves})


class Marked(Highest):
    def atoms(self, world):
        return [*super().atoms(world), *(["mark"] if dict(world)["a"] == 0 else [])]


class Named(Highest):
    """The outcome names a player."""

    def after(self, now, world, moves):
        place = super().after(now, world, moves)
        return End(max(world, key=lambda pair: pair[1])[0]) if isinstance(place, End) else place


class Partial(Highest):
    generators = ({"a": "b", "b": "a"},)


@cases(
    (Favoured, r"after\(\) at 2"),
    (Loaded, r"deals\(\) gives"),
    (Spying, "cannot exclude"),
    (Silent, r"decides\(\) at 1"),
    (Marked, r"atoms\(\) at"),
    (Named, r"after\(\) at 2"),
    (Partial, "must rename all players"),
)
def test_a_declared_symmetry_that_the_game_does_not_have_is_refused(game, said: str) -> None:
    with pytest.raises(GameError, match=said):
        solve(Program(game(), {p: sure(p) for p in "abc"}), symmetry=True)
