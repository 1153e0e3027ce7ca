"""The model of a game by its definition: the product of all action models, all players' secrets.

Slow: every private record multiplies the worlds.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import kripke_werewolf as kw
from kripke_werewolf.werewolf.events import Attack, Declined, Event, Told, Vision, definitions
from kripke_werewolf.werewolf.roles import is_wolf

__all__ = ["game_model", "product_size", "without_dominance"]


def game_model(game: kw.QuantumWerewolf) -> kw.KripkeModel:
    """Return the product of the action models of all events of a game, with the deal at the start."""
    model = _start(game)
    for _, action in _actions(game):
        model = model.update(_spelled_out(game, action))
    return model


def product_size(game: kw.QuantumWerewolf) -> int:
    """Return an upper bound of the worlds of `game_model`, without building it."""
    size = game.at(0).size
    for event, action in _actions(game):
        if isinstance(event, Vision | Attack | Declined | Told):
            size *= len(action.events)
    return size


def _actions(game: kw.QuantumWerewolf) -> Iterator[tuple[Event, kw.ActionModel]]:
    """Yield every event that changes what players know, with its action model for all of them."""
    for step, before in zip(game.steps, game.states, strict=False):
        for event in step:
            found = event.model(game.setup, before, frozenset(game.players))
            if found is not None:
                yield event, found


def _spelled_out(game: kw.QuantumWerewolf, action: kw.ActionModel) -> kw.ActionModel:
    """Return the action without atoms `dominant_i`, which the model does not have: words may mention them."""
    return action.with_events(
        {
            name: kw.Event(
                without_dominance(game, event.pre),
                {atom: without_dominance(game, f) for atom, f in event.post.items()},
                weight=event.weight,
            )
            for name, event in action.events.items()
        }
    )


def _start(game: kw.QuantumWerewolf) -> kw.KripkeModel:
    deck, dealt = game.setup.deck, game.setup.roles
    cards = [role for role in deck.roles for _ in range(deck.cards(role))]
    worlds = sorted(set(permutations(cards)))

    def seen(player: int) -> object:
        """In a classical deal players see their own cards, and wolves those of all wolves."""

        def observe(world: tuple[str, ...]) -> object:
            if dealt is None:
                return None
            pack = tuple(r if is_wolf(r) else "" for r in world) if is_wolf(world[player]) else ()
            return world[player], pack

        return observe

    def true(world: tuple[str, ...]) -> set[str]:
        facts = {f"{role}_{name}" for role, name in zip(world, game.players, strict=True)}
        sides = {f"{'wolf' if is_wolf(r) else 'good'}_{n}" for r, n in zip(world, game.players, strict=True)}
        return facts | sides

    atoms = [f"{fact}_{name}" for fact in (*deck.roles, "wolf", "good", "dead") for name in game.players]
    observations = {name: seen(player) for player, name in enumerate(game.players)}
    return kw.KripkeModel.from_observations(
        worlds, observations, true, None if dealt is None else [dealt], atoms=atoms
    )


def without_dominance(game: kw.QuantumWerewolf, f: kw.Formula) -> kw.Formula:
    """Replace the atoms `dominant_i` by their definition."""
    meaning = definitions(game.setup)
    return f.substitute({atom: meaning[atom] for atom in meaning if atom.startswith("dominant_")})
