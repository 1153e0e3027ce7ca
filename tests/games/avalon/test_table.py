"""Avalon without strategies, as learning programs play it."""

import pytest

from examples.learning.environment import Playable
from kripke_werewolf.base.errors import GameError
from kripke_werewolf.games.avalon import Avalon, Rules, intended
from kripke_werewolf.games.avalon.rules import AvalonTable
from tests.cases import cases

SMALL = {"players": 3, "evil": 1, "sizes": (1, 2, 2), "proposals": 1}


def small(**options) -> AvalonTable:
    """Three seats, one of them evil, three quests, no votes."""
    return AvalonTable(Rules(fifth="accepted", **options), **SMALL)


@pytest.fixture
def spiel():
    return pytest.importorskip("pyspiel", reason="open_spiel is not installed (extra 'openspiel')")


@cases(
    small(),
    small(merlin="naive", assassinate=True, leader="random"),
    AvalonTable(Rules(), players=3, evil=1, sizes=(2, 1, 2), proposals=2),
)
def test_the_bounds_are_those_of_a_walk(table) -> None:
    playable = Playable(table, limit=99_999)
    found, said = playable._walked(), playable.bounds
    assert found.longest == said.longest
    assert found.widest <= said.widest
    assert set(found.outcomes) <= set(said.outcomes)
    assert set(found.atoms) <= set(said.atoms) | {f"fails_{n}" for n in range(3)}
    for player, moves in found.moves.items():
        assert set(moves) <= set(said.moves[player])


def test_players_know_their_cards_and_what_happened() -> None:
    table = Playable(small(merlin="naive", assassinate=True))
    node = table.node(())
    deals = [str(happening.world) for happening, _ in node.ways]
    node = node.child(deals.index("evil 2, Merlin 3")).child(0)  # 1 leads
    assert {move: node.child(n).now.party for n, move in node.legal.items()}[(2,)] == (2,)
    node = node.child(list(node.legal.values()).index((2,)))
    assert node.player == 2
    fail = next(n for n, move in node.legal.items() if move == "fail")
    node = node.child(fail)

    def known(player):
        return dict(zip(table.bounds.atoms, table.known(node, player), strict=True))

    assert known(1)["e_2"] == 1  # a fail of 2 alone
    assert known(1)["m_3"] == 1  # and 1 is not Merlin
    assert known(2)["m_3"] == known(2)["m_1"] == 0
    assert known(2)["failed_1"] == known(2)["fails_1"] == known(3)["in_2"] == 1


def test_avalon_passes_the_test_of_openspiel(spiel) -> None:
    from examples.learning.openspiel import openspiel_game

    for rules in (intended(), intended(merlin="naive", percival=True, morgana=True, assassinate=True)):
        game = openspiel_game(Avalon(rules))
        spiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
        assert game.max_game_length() == Playable(AvalonTable(rules)).bounds.longest * 5


def test_impossible_tables_are_refused() -> None:
    for wrong in (
        {"evil": 3},
        {"evil": 0, "sizes": (4, 1)},
        {"sizes": (4,)},
        {"sizes": (0, 1)},
        {"proposals": 0},
    ):
        with pytest.raises(GameError, match="no game for players=3"):
            AvalonTable(Rules(), **({"players": 3, "evil": 1, "sizes": (1, 2)} | wrong))
