"""Puzzles of announcements, with the numbers of the literature (items 1 to 13)."""

from itertools import product
from math import comb

import pytest

from kripke_werewolf.logic.formulas import Common, Everyone, Formula, Knows, conjunction, disjunction
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.models.model import Numbered
from kripke_werewolf.logic.puzzles import Puzzle, hexa, muddy_children, russian_cards


def sizes(puzzle: Puzzle) -> list[int]:
    return [len(model) for model in puzzle.history().models]


def nobody(n: int) -> Formula:
    return conjunction(f"~Kw_{i} muddy_{i}" for i in range(1, n + 1))


# --- 1 and 2: muddy children ------------------------------------------------------------------------


@pytest.mark.parametrize("n", range(1, 9))
def test_muddy_children_leave_those_with_more_mud(n: int) -> None:
    expected = [2**n] + [sum(comb(n, k) for k in range(j + 1, n + 1)) for j in range(n)]
    assert sizes(muddy_children(n=n)) == expected


@pytest.mark.parametrize("n", [2, 3, 5])
def test_without_the_father(n: int) -> None:
    model = muddy_children(n=n, father=False).model
    children = [str(i) for i in range(1, n + 1)]
    known: Formula = disjunction(f"muddy_{i}" for i in children)
    common = Common(children, known)
    assert not model.holds(common)
    assert len(model.announce(nobody(n))) == 2**n
    assert model.announce(known).holds(common)
    for k in range(n + 1):
        assert model.holds(known) == (k < n), k
        known = Everyone(children, known)


# --- 6: Russian cards ------------------------------------------------------------------------------

CARDS = "0123456"
B_KNOWS = conjunction(f"Kw_b a_{k}" for k in CARDS)
C_IGNORANT = conjunction(f"~K_c a_{k} & ~K_c b_{k}" for k in CARDS)


def test_russian_cards() -> None:
    puzzle = russian_cards()
    assert sizes(puzzle) == [140, 20, 3]
    first, second = puzzle.history().at(1), puzzle.history().at(2)
    assert first.designated == ("012|345|6",)
    assert first.holds(Common(list("ab"), B_KNOWS))
    assert first.holds(Common(list("abc"), C_IGNORANT))
    assert first.holds("K_b c_6")
    deal = B_KNOWS & conjunction(f"Kw_a b_{k}" for k in CARDS)
    assert second.holds(Common(list("ab"), deal))


def test_an_unsafe_announcement_of_russian_cards() -> None:
    hand = conjunction(f"a_{k}" for k in "012")
    none = conjunction(f"~a_{k}" for k in "012")
    after = russian_cards().model.announce(Knows("a", hand | none))
    assert len(after) == 20
    assert after.holds(B_KNOWS)
    assert after.holds(Knows("a", C_IGNORANT))
    assert not after.holds(Common(list("abc"), C_IGNORANT))
    then = after.announce(Knows("a", C_IGNORANT))
    assert len(then) == 4
    assert then.holds("K_c a_0")


# --- 13: distributed knowledge ---------------------------------------------------------------------


def test_distributed_knowledge_becomes_common() -> None:
    model = KripkeModel.from_observations(
        [(p, q) for p, q in product((True, False), repeat=2)],
        {"a": lambda w: w[0], "b": lambda w: not w[0] or w[1]},
        lambda w: [name for name, value in zip("pq", w, strict=True) if value],
        [(True, True)],
    )
    for text, expected in {
        "D_{a,b} q": True, "K_a p": True, "K_a q": False, "K_b q": False, "C_{a,b} q": False,
    }.items():  # fmt: skip
        assert model.holds(text) == expected, text
    after = model.announce("K_a p").announce("K_b (p -> q)")
    assert len(after) == 1
    assert after.holds("C_{a,b} q")


# --- 23: three players, three cards ----------------------------------------------------------------

B_KNOWS_DEAL = conjunction(f"Kw_b {agent}_{k}" for agent in "abc" for k in "012")


def test_hexa_show() -> None:
    puzzle = hexa(move="show")
    assert sizes(puzzle) == [6, 6]
    after = puzzle.history().model
    assert after.valid(B_KNOWS_DEAL)
    assert after.valid(Common(list("abc"), B_KNOWS_DEAL))


def test_hexa_whisper() -> None:
    puzzle = hexa(move="whisper")
    assert sizes(puzzle) == [6, 12]
    after = puzzle.history().model
    assert len(after.contract()) == 12
    assert len(after.where(B_KNOWS_DEAL)) == 6
    assert after.where(Knows("c", B_KNOWS_DEAL)) == []
    assert {len(Numbered(after).successors("c", w)) for w in range(12)} == {4}
