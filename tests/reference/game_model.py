"""The model of a game by its definition: the product of all action models, all players' secrets.

Slow: every private record multiplies the worlds.
"""

from __future__ import annotations

from itertools import permutations

import kripke_werewolf as kw
from kripke_werewolf.werewolf.actions import action_of, definitions
from kripke_werewolf.werewolf.events import Attack, Declined, Told, Vision
from kripke_werewolf.werewolf.roles import is_wolf

__all__ = ["game_model", "product_size", "without_dominance"]


def game_model(game: kw.QuantumWerewolf) -> kw.KripkeModel:
    """Return the product of the action models of all events of a game in the quantum deal."""
    model = _start(game)
    before = game.at(0)
    for step in game.steps:
        for event in step:
            action = action_of(event, game, before)
            if action is not None:
                model = model.update(_spelled_out(game, action))
        before = before.repeat(step)
    return model


def product_size(game: kw.QuantumWerewolf) -> int:
    """Return an upper bound of the worlds of `game_model`, without building it."""
    size, before = game.at(0).size, game.at(0)
    for step in game.steps:
        for event in step:
            action = action_of(event, game, before)
            if isinstance(event, Vision | Attack | Declined | Told) and action is not None:
                size *= len(action.events)
        before = before.repeat(step)
    return size


def _spelled_out(game: kw.QuantumWerewolf, action: kw.ActionModel) -> kw.ActionModel:
    """Return the action without atoms `dominant_i`, which the model does not have: words may mention them."""
    return action.with_events(
        {
            name: kw.Event(without_dominance(game, event.pre), event.post, weight=event.weight)
            for name, event in action.events.items()
        }
    )


def _start(game: kw.QuantumWerewolf) -> kw.KripkeModel:
    deck = game.setup.deck
    cards = [role for role in deck.roles for _ in range(deck.cards(role))]
    worlds = sorted(set(permutations(cards)))
    atoms: dict[str, list[tuple[str, ...]]] = {}
    for i, name in enumerate(game.players):
        atoms |= {f"{role}_{name}": [w for w in worlds if w[i] == role] for role in deck.roles}
        atoms[f"wolf_{name}"] = [w for w in worlds if is_wolf(w[i])]
        atoms[f"good_{name}"] = [w for w in worlds if not is_wolf(w[i])]
        atoms[f"dead_{name}"] = []
    return kw.KripkeModel.from_partitions(worlds, {name: [worlds] for name in game.players}, atoms)


def without_dominance(game: kw.QuantumWerewolf, f: kw.Formula) -> kw.Formula:
    """Replace the atoms `dominant_i` by their definition."""
    meaning = definitions(game)
    return f.substitute({atom: meaning[atom] for atom in meaning if atom.startswith("dominant_")})
