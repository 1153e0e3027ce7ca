"""The players' cells according to public information."""

import pytest

from kripke_werewolf.games.werewolf import QuantumWerewolf, public_cells
from kripke_werewolf.games.werewolf.game_models import build_model
from kripke_werewolf.games.werewolf.told import told


def night(seen: str, result: str, *, targets: str = "secret") -> QuantumWerewolf:
    game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="straat", targets=targets, rng=1)
    return game.vision("Ann", seen, result=result).end_phase(missing="random")


def test_at_first_everybody_has_one_cell_with_all_deals() -> None:
    found = public_cells(QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1))
    assert len(found.deals) == 6
    for player in found.players:
        assert player.left == (6,)
        assert player.roles == found.roles
        assert player.alive


@pytest.mark.parametrize("targets", ["secret", "public"])
def test_cells_are_those_of_the_model_of_several_players(targets: str) -> None:
    game = night("Bo", "wolf", targets=targets)
    found = public_cells(game)
    for player, other in zip(found.players, ("Bo", "Cy", "Ann"), strict=True):
        model = build_model(told(game).past, [player.player, other], limit=20_000)
        deals = [str(world).partition(" ")[0] for world in model.worlds]
        cells = model.classes(player.player) or []
        assert set(found.deals.worlds) == set(deals)
        assert list(player.left or ()) == sorted(
            len({str(world).partition(" ")[0] for world in cell}) for cell in cells
        )
    assert targets == "public" or any(len(player.left or ()) > 1 for player in found.players)


def test_what_is_secret_does_not_show() -> None:
    assert public_cells(night("Bo", "wolf")) == public_cells(night("Cy", "villager"))


def test_roles_and_deaths_that_are_public() -> None:
    game = night("Bo", "wolf").vote_off("Cy", role="villager")
    cy = public_cells(game).players[2]
    assert not cy.alive
    assert cy.roles == ("villager",)


def test_large_models_are_not_counted() -> None:
    game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di", "Ed", "Fay"], wolves=2, rules="straat", rng=1)
    for _ in range(2):
        game = game.end_phase(missing="random").vote_off(game.alive[0])
    assert {player.left for player in public_cells(game, limit=100_000).players} == {None}
