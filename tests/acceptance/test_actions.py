"""Action models with known results (items 14 to 19 and 31)."""

import pytest

from kripke_werewolf import ActionModel, Event, KripkeModel, lie, private, semi_private
from kripke_werewolf.logic.formulas import Everyone, Formula, formula
from kripke_werewolf.logic.models.model import Numbered
from kripke_werewolf.logic.puzzles import coordinated_attack, resistance


def blind() -> KripkeModel:
    """Two worlds, one with p; nobody can tell."""
    return KripkeModel.from_partitions(
        ["p", "~p"], {"a": [["p", "~p"]], "b": [["p", "~p"]]}, {"p": ["p"]}, ["p"]
    )


def frames(model: KripkeModel) -> set[str]:
    return {str(model.frame_class(agent)) for agent in model.agents}


# --- 14 to 16: private, semi-private, lied -----------------------------------------------------------


@pytest.mark.parametrize(
    "action",
    [
        ActionModel(
            {"e": Event("p"), "s": Event()},
            {"a": [("e", "e"), ("s", "s")], "b": [("e", "s"), ("s", "s")]},
            ["e"],
        ),
        private("a", "p"),
    ],
    ids=["by hand", "ready-made"],
)
def test_private_announcement(action: ActionModel) -> None:
    after = blind().update(action)
    assert len(after) == 3
    assert after.holds("K_a p")
    assert after.holds("B_b ~Kw_a p")
    assert after.holds("B_a B_b ~Kw_a p")
    assert not after.holds("C_{a,b} p")
    assert after.frame_class("b") == "KD45"
    assert after.frame_class("a") == "S5"
    then = after.announce("K_a p")
    assert len(then) == 1
    assert list(then.arrays.pairs("b")) == []
    assert then.holds("B_b false")
    assert not then.frame_class("b").serial


def test_semi_private_announcement() -> None:
    after = blind().update(semi_private("a", "p"))
    assert len(after) == 2
    assert frames(after) == {"S5"}
    assert after.valid("C_{a,b} Kw_a p")
    assert after.where("Kw_b p") == []


def test_lie() -> None:
    model = KripkeModel.from_partitions(
        ["p", "~p"], {"a": [["p"], ["~p"]], "b": [["p", "~p"]]}, {"p": ["p"]}, ["~p"]
    )
    by_hand = ActionModel(
        {"t": Event("K_a p"), "l": Event("K_a ~p")},
        {"a": [("t", "t"), ("l", "l")], "b": [("t", "t"), ("l", "t")]},
        ["l"],
    )
    for action in (by_hand, lie("a", "p")):
        after = model.update(action)
        assert len(after) == 2
        assert after.holds("B_b p & ~p & K_a ~p & K_a B_b p & B_b C_{a,b} p")
        assert after.frame_class("b") == "KD45"


# --- 18 and 19: chains -------------------------------------------------------------------------------


def test_coordinated_attack() -> None:
    model = coordinated_attack(n=12).model
    assert len(model) == 13
    known: Formula = formula("arrived_1")
    first = []
    for depth in range(9):
        first.append(model.where(known)[0])
        known = formula(f"K_{'BA'[depth % 2]} ({known})")
    assert first == [1, 1, 2, 3, 4, 5, 6, 7, 8]
    assert model.where("C_{A,B} arrived_1") == []


@pytest.mark.parametrize("n", [2, 3, 8, 31, 200])
def test_everyone_knows_everyone_knows_along_a_chain(n: int) -> None:
    model = KripkeModel.from_observations(
        range(n),
        {"a": lambda i: i // 2, "b": lambda i: (i + 1) // 2},
        lambda i: ["p"] if i < n - 1 else [],
        0,
    )
    known: Formula = formula("p")
    depth = 0
    while model.holds(Everyone(list("ab"), known)):
        known, depth = Everyone(list("ab"), known), depth + 1
    assert depth == n - 2
    assert not model.holds("C_{a,b} p")


# --- 31: the Resistance ------------------------------------------------------------------------------


@pytest.mark.parametrize(("spies_know", "cells"), [(True, [1, 1, 5, 5, 3]), (False, [4, 2, 5, 5, 3])])
def test_the_resistance(spies_know: bool, cells: list[int]) -> None:
    puzzle = resistance(spies_know=spies_know)
    assert len(puzzle.model) == 10
    after = puzzle.history().model
    assert len(after) == 7
    (actual,) = Numbered(after).points
    assert [len(Numbered(after).successors(str(i), actual)) for i in after.agents] == cells
    assert after.holds("K_5 spy_1 & ~K_3 spy_1")
    assert after.holds("K_1 K_5 spy_1") == spies_know
