"""Beliefs and values in blind play, against the model of knowledge, and against all strategies one by one."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from kripke_werewolf.base.errors import GameError
from kripke_werewolf.games import Anything, Program, solve
from kripke_werewolf.games.programs.blind import BlindPlay, Referee
from kripke_werewolf.logic.formulas import Atom
from tests.games.programs.kuhn import Kuhn, chips
from tests.games.programs.random_games import Small


class Poker(Kuhn):
    rewards = staticmethod(chips)


class Pure:
    """A strategy that looks up its move by all that the player has seen and done."""

    recalls = True

    def __init__(self, moves: dict) -> None:
        self.moves = moves

    def __call__(self, player, now, moves, holds, seen):
        return self.moves[seen[0][2], now]


def best_of_all(player: str) -> Fraction:
    """The value of the best of all pure strategies, each played against blind play to the end."""
    turns = [(), ("pass", "bet")] if player == "a" else [("pass",), ("bet",)]
    places = [((card,), now) for card in "JQK" for now in turns]
    found = []
    for chosen in product(("pass", "bet"), repeat=len(places)):
        strategies = {"a": Anything(), "b": Anything()}
        strategies[player] = Pure(dict(zip(places, chosen, strict=True)))
        ends = dict(solve(Program(Poker(), strategies)).rows())
        found.append(sum(p * chips(end)[player] for end, p in ends.items()))
    return max(found)


def value_of_best(game: Poker, player: str) -> Fraction:
    blind, total = BlindPlay(game), Fraction(0)
    for deal in game.deals():
        seen = ((None, (), (game.sees(player, deal),)),)
        total += max(blind.values(player, (), blind.belief(player, seen)).values())
    return total / len(game.deals())


@pytest.mark.parametrize("player", ["a", "b"])
def test_the_best_value_is_that_of_the_best_of_all_strategies(player: str) -> None:
    assert value_of_best(Poker(), player) == best_of_all(player)


@pytest.mark.parametrize("seed", range(6))
def test_beliefs_are_those_of_the_model(seed: int) -> None:
    """In random games with blind players the filter forward and the model of knowledge agree."""
    blind = BlindPlay(Small(seed, probable=True))
    for play in range(4):
        rng = Random(f"{seed} {play}")
        referee = Referee(blind, rng)
        while (waiting := referee.waiting) and referee.end is None:
            knowledge, world, _ = referee.state
            for player, atom in product("ab", "pq"):
                worlds = referee.belief(player).items()
                believed = sum(p for w, p in worlds if atom in blind.game.atoms(w))
                assert believed == knowledge.chance(player, Atom(atom), world)
            player, moves = next(iter(waiting.items()))
            referee.move(player, rng.choice(moves))


@pytest.mark.parametrize("seed", [1, 2])
def test_estimates_are_near_the_values_of_blind_play(seed: int) -> None:
    """With a king, a bet wins 1 or 2, and a pass leads to as many wins: 1/4 + … by all continuations."""
    blind, now = BlindPlay(Poker()), ()
    king = blind.belief("a", ((None, (), ("K",)),))
    found = blind.estimated("a", now, king, plays=600, chance=Random(seed))
    exact = {"bet": 1.5, "pass": (1 + (2 - 1) / 2) / 2}
    for move, halves in found.items():
        assert all(abs(mean - exact[move]) < 0.3 for mean in halves)
        assert halves[0] != halves[1]


def test_a_game_without_rewards_has_no_values() -> None:
    blind = BlindPlay(Kuhn())
    with pytest.raises(GameError, match="no rewards"):
        blind.values("a", (), blind.belief("a", ((None, (), ("K",)),)))


def test_who_moves_together_sees_none_of_the_moves() -> None:
    referee = Referee(BlindPlay(Small(1)), Random(0))
    before = referee.seen
    assert [*referee.waiting] == ["a", "b"]
    referee.move("a", 1)
    assert [*referee.waiting] == ["b"]
    assert referee.seen == before
    referee.move("b", 0)
    assert all(len(seen) == 2 for seen in referee.seen.values())
