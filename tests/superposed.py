"""What happens to superpositions, as formulas about players by seat."""

from collections.abc import Iterable
from typing import Any

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
