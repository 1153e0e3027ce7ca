"""Boolean questions about a superposition, answered by counting its worlds case by case.

A case says which role each player in the question has, and which of them are dead. Its worlds are
counted by conditioning the superposition, so none has to be listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import prod

from kripke_werewolf.errors import GameError
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.semantics.verdict import Verdict
from kripke_werewolf.werewolf.counted import Counted
from kripke_werewolf.werewolf.roles import SEER, VILLAGER, WOLF, Role, is_wolf
from kripke_werewolf.werewolf.state import Setup
from kripke_werewolf.werewolf.superposition import Superposition

__all__ = ["MOST_CASES", "verdict_by_cases"]

MOST_CASES = 1000
"""How many cases are counted at most; with a hundred players a case takes some hundredths of a second."""

_BOOLEAN = (s.Atom, s.Constant, s.Not, s.And, s.Or, s.Xor, s.Implies, s.Iff, s.Count)


def verdict_by_cases(setup: Setup, worlds: Superposition, f: Formula) -> Verdict | None:
    """Return whether a boolean formula is true in all, none or some of the worlds, with their numbers.

    None if it is not boolean, has too many cases, or if the worlds cannot be counted by them.
    """
    if not all(isinstance(node, _BOOLEAN) for node in f.subformulas()):
        return None
    if isinstance(f, s.Atom) and f.name.startswith("dominant_"):
        seat = setup.seat(f.name.removeprefix("dominant_"))
        return Verdict.of(worlds.dominant_counts()[seat], worlds.size)
    roles: dict[int, tuple[Role, ...]] = {}
    mortal: list[int] = []
    for seat, name in enumerate(setup.players):
        about = {fact for fact in _facts(setup) if f"{fact}_{name}" in f.atoms}
        if "dominant" in about:
            return None
        if "dead" in about:
            mortal.append(seat)
        if about - {"dead"}:
            exact = bool(about & set(setup.deck.wolf_roles)) or not isinstance(worlds, Counted)
            roles[seat] = setup.deck.roles if exact else _kinds(setup)
    if prod(map(len, roles.values())) * 3 ** len(mortal) > MOST_CASES:
        return None
    try:
        found = list(_cases(worlds, list(roles.items()), mortal))
    except GameError:
        return None
    true: dict[str, list[int]] = {atom: [] for atom in f.atoms}
    for number, (holders, dead, _) in enumerate(found):
        facts = {f"{fact}_{setup.players[p]}" for p, role in holders for fact in _facts_of(role)}
        facts |= {f"dead_{setup.players[p]}" for p in dead}
        for atom in facts & true.keys():
            true[atom].append(number)
    # the cases as worlds without agents: the checker knows what the connectives mean
    inside = KripkeModel(range(len(found)), {}, true).truth_set(f)
    numbers = [count for *_, count in found]
    return Verdict.of(sum(n for n, yes in zip(numbers, inside, strict=True) if yes), sum(numbers))


def _facts(setup: Setup) -> set[str]:
    return {"wolf", "seer", "villager", "good", "dead", "dominant", *setup.deck.wolf_roles}


def _facts_of(role: Role) -> set[str]:
    return {role, WOLF} if is_wolf(role) else {role, "good"}


def _kinds(setup: Setup) -> tuple[Role, ...]:
    return tuple(r for r in (VILLAGER, SEER) if setup.deck.cards(r)) + ((WOLF,) if setup.deck.wolves else ())


def _cases(
    worlds: Superposition, roles: Sequence[tuple[int, Sequence[Role]]], mortal: Sequence[int]
) -> Iterator[tuple[tuple[tuple[int, Role], ...], tuple[int, ...], int]]:
    """Yield the cases that occur: who has which role, who is dead, and in how many worlds."""
    stack: list[tuple[Superposition, tuple[tuple[int, Role], ...]]] = [(worlds, ())]
    while stack:
        here, holders = stack.pop()
        if not here.size:
            continue
        if len(holders) < len(roles):
            player, possible = roles[len(holders)]
            stack += [(here.fix(player, role), (*holders, (player, role))) for role in possible]
            continue
        for number in range(len(mortal) + 1):
            for dead in combinations(mortal, number):
                count = _with_deaths(here, dead, [p for p in mortal if p not in dead])
                if count:
                    yield holders, dead, count


def _with_deaths(worlds: Superposition, dead: Sequence[int], alive: Sequence[int]) -> int:
    """Return in how many worlds just these are dead, by inclusion and exclusion."""
    for player in alive:
        worlds = worlds.spare(player)
    total = 0
    for number in range(len(dead) + 1):
        for spared in combinations(dead, number):
            here = worlds
            for player in spared:
                here = here.spare(player)
            total += (-1) ** number * here.size
    return total
