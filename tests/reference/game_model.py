"""The model of a game by its definition: the product of all action models, with nothing merged or left out.

Slow: every private record multiplies the worlds.
"""

from collections.abc import Iterable, Iterator
from itertools import permutations
from math import prod

import kripke_werewolf as kw
from kripke_werewolf.games.werewolf.actions import actions_of
from kripke_werewolf.games.werewolf.events import definitions
from kripke_werewolf.games.werewolf.told import told

__all__ = ["game_model", "product_size", "without_dominance"]


def is_wolf(role: str) -> bool:
    """Whether a role of the rules is that of a wolf."""
    return role not in ("villager", "seer")


def game_model(game: kw.QuantumWerewolf, agents: Iterable[str]) -> kw.KripkeModel:
    """Return the product of the action models of all that some players may have been told, with the deal."""
    model = _start(game)
    for action in _actions(game, agents):
        model = model.update(_spelled_out(game, action), limit=10**6)
    return model


def product_size(game: kw.QuantumWerewolf, agents: Iterable[str]) -> int:
    """Return an upper bound of the worlds of `game_model`, without building it."""
    return game.setup.deck.worlds * prod(len(action.events) for action in _actions(game, agents))


def _actions(game: kw.QuantumWerewolf, agents: Iterable[str]) -> Iterator[kw.ActionModel]:
    """Yield the action model of everything that bears on the knowledge of some players."""
    return (action for _, action in actions_of(told(game, full=True), frozenset(agents)))


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
