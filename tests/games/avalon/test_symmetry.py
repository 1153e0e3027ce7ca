"""Renaming the players changes nothing: the seating is part of the situation."""

import random

import numpy as np
import pytest

from kripke_werewolf.games.avalon import Avalon, Good, MarkovChain, configurations, intended, published, solve
from tests.cases import cases

RULES = {
    "hiding": published(merlin=True, higher_order=True, assassinate=True),
    "looking ahead": intended(merlin="naive", higher_order=True, announcements="policy"),
    "random leaders": intended(leader="random", good_leader="any", assassinate=True, merlin="naive"),
    "hiding from all": published(higher_order=True, announcements="policy", leader="random"),
    "roles": intended(merlin="naive", percival=True, mordred=True, assassinate=True),
}


@pytest.mark.parametrize("name", RULES)
def test_what_follows_the_image_of_a_state_is_the_image_of_what_follows(name: str) -> None:
    game, rng = Avalon(RULES[name]), random.Random(name)
    seats = game.rules.seats
    chain = MarkovChain(game)
    chain.walk(8, np.random.default_rng(5))
    assert game.symmetries()
    assert game.proven()

    def image(place, names):
        if not game.is_state(place):
            return place
        knowledge, deals = game.image(place.knowledge, names)
        return place._replace(
            knowledge=knowledge, world=deals[place.world], now=game.renamed(place.now, names)
        )

    for state in sorted(chain.visited, key=lambda s: s.now[1:])[:30]:
        state = state._replace(now=state.now._replace(order=seats))
        names = dict(zip(seats, rng.sample(seats, len(seats)), strict=True))
        following = game.successors(state)
        assert game.successors(image(state, names)) == {image(t, names): p for t, p in following.items()}
        pruned = game.pruned(state)
        alike = {game.pruned(t) if game.is_state(t) else t: p for t, p in following.items()}
        again = game.successors(pruned).items()
        assert {game.pruned(t) if game.is_state(t) else t: p for t, p in again} == alike


@pytest.mark.parametrize("name", ["T/F/T", "F/T/F"])
def test_orbits_have_the_outcomes_of_all_states(solved, game_of, name: str) -> None:
    rules = configurations("published")[name]
    whole = solve(game_of(rules), symmetry=False)
    assert solved(rules).weights == whole.weights
    assert len(solved(rules).states) < len(whole.states)


class Wary(Good):
    """Never go with the player on seat 3, who looks suspicious."""

    def approves(self, player, party, now):
        return 3 not in party


@cases(
    Avalon(intended(memory=True)),
    Avalon(intended(), good={1: Wary()}),
    Avalon(intended(), beliefs={"good": Wary()}),
    Avalon(intended(merlin="naive", percival=True, morgana=True, mordred=True)),
)
def test_games_in_which_players_differ_have_no_symmetries(game: Avalon) -> None:
    assert not game.symmetries()
