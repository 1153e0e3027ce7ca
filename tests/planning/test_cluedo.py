"""Cluedo as a task: which cards must be shown so that Ann knows the envelope and Cy does not."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations, product

import pytest

import kripke_werewolf as kw
from kripke_werewolf.planning import Task, find_plan, validate
from kripke_werewolf.planning.search import How

SUSPECTS, WEAPONS = ("Green", "Plum", "White"), ("dagger", "pistol", "rope")


def cluedo() -> Task:
    """Return the task: three cards of each kind, one of each in the envelope, and one or two in a hand."""
    places = ("envelope", "envelope", "Ann", "Bob", "Bob", "Cy")
    deals = set()
    for suspect, weapon in product(SUSPECTS, WEAPONS):
        for rest in permutations([card for card in SUSPECTS + WEAPONS if card not in (suspect, weapon)]):
            held = zip(places, (suspect, weapon, *rest), strict=True)
            deals.add(frozenset(f"{place}_{card}" for place, card in held))

    def seen(player: str) -> Callable[[frozenset[str]], frozenset[str]]:
        return lambda deal: frozenset(fact for fact in deal if fact.startswith(player))

    actual = frozenset(
        {"envelope_Plum", "envelope_rope", "Ann_Green", "Bob_White", "Bob_dagger", "Cy_pistol"}
    )
    start = kw.KripkeModel.from_observations(
        sorted(deals, key=sorted), {p: seen(p) for p in ("Ann", "Bob", "Cy")}, list, designated=[actual]
    )
    # Bob or Cy shows Ann one of two cards that she has asked for; the other sees that it is one of them
    acts = {
        f"{who} shows {shown}, asked for {suspect} and {weapon}": kw.observe(
            ["Ann", who], [f"{who}_{suspect}", f"{who}_{weapon}"]
        ).point(f"{who}_{shown}")
        for who, suspect, weapon in product(("Bob", "Cy"), SUSPECTS, WEAPONS)
        for shown in (suspect, weapon)
    }
    knows = {p: kw.conjunction(kw.Kw(p, f"envelope_{c}") for c in SUSPECTS + WEAPONS) for p in ("Ann", "Cy")}
    return Task(start, acts, knows["Ann"] & ~knows["Cy"], name="cluedo")


@pytest.mark.parametrize("how", ["optimal", "greedy", "width"])
def test_what_has_to_be_shown(how: How) -> None:
    task = cluedo()
    found = find_plan(task, how)
    assert found.plan is not None
    assert validate(task, found.plan).valid
    if how == "optimal":
        layer = [task.model]
        for _ in found.plan:  # whatever fewer actions lead to
            assert not any(model.holds(task.goal) for model in layer)
            layer = [
                model.update(task.instance(model, name))
                for model in layer
                for name in task.actions
                if task.applies(model, name)
            ]
