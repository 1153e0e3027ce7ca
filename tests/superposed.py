"""Random moves; and what happens to superpositions, as formulas about players by seat."""

from collections.abc import Iterable
from random import Random
from typing import Any

from kripke_werewolf import QuantumWerewolf
from kripke_werewolf.logic.formulas import Atom, Formula, disjunction


def fact(stem: str, player: int) -> Formula:
    return Atom(f"{stem}_{player}")


def lives(player: int) -> Formula:
    return ~Atom(f"dead_{player}")


def sees(seer: int, target: int, roles: Iterable[str]) -> Formula:
    return Atom(f"seer_{seer}") >> disjunction(Atom(f"{role}_{target}") for role in sorted(roles))


def attack(attacker: int, target: int) -> dict[str, Any]:
    """Return the arguments of `Superposition.die`."""
    return {"player": target, "where": fact("dominant", attacker), "unless": fact("wolf", target)}


def moved(game: QuantumWerewolf, chance: Random) -> QuantumWerewolf:
    """Return a game after a random move of somebody whose turn it is."""
    begun = {name for name, _ in game.state.acted}
    turns = [p for p in game.may_act if p in begun] if game.phase.kind == "night" else []
    turns = turns or list(game.may_act)
    if game.phase.kind == "night" and game.rules.acting_order == "number":
        turns = [min(turns, key=dict(zip(game.players, game.setup.numbers, strict=True)).__getitem__)]
    player = chance.choice(turns)
    action = game.may_act[player][0]  # the vision of a turn comes first
    targets = game.legal_targets(player, action)
    if not targets:
        return game.end_phase(missing="pass")
    if action == "vision" and not game.rules.vision_compulsory and chance.random() < 0.2:
        return game.decline(player)
    target = chance.choice(targets)
    return game.vision(player, target) if action == "vision" else game.attack(player, target)
