"""Shortest announcements against all unions of the speaker's cells."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kripke_werewolf import KripkeModel, ModelError, Undecided, UnknownAgentError, UnknownAtomError
from kripke_werewolf.logic.formulas import Knows, conjunction
from kripke_werewolf.logic.models.model import Numbered
from kripke_werewolf.logic.puzzles import hexa, russian_cards
from kripke_werewolf.research.planning import shortest_announcement
from tests.reference.kripke import Plain
from tests.strategies import plain_models

pytestmark = pytest.mark.usefixtures("carrier")

WORDS = ["p", "~p", "p & q", "K_a p", "~K_b q"]


@given(
    plain_models(agents=("a", "b", "c"), atoms=("p", "q"), max_worlds=6, s5=True, weights=False),
    st.sampled_from(WORDS),
    st.sampled_from(["p", "q", "p | q", "K_b p"]),
)
def test_the_fewest_cells_are_named(model: Plain, learnt: str, kept: str) -> None:
    # the parts of the model that are out of reach, and bisimilar worlds, cannot be spoken of
    built = model.build().generated().contract(keep_distributed=True)
    found = shortest_announcement(built, "a", learns={"b": learnt}, ignorant={"c": kept})
    aim = f"K_b ({learnt}) & ~Kw_c ({kept})"
    relation = built.arrays.relations["a"]
    cells = [set(c.tolist()) for c in relation.members if len(c)]  # type: ignore[attr-defined]
    actual = [c for c in cells if c & set(Numbered(built).points)]
    others = [c for c in cells if c not in actual]
    fewest = None
    for size in range(len(others) + 1):
        for more in combinations(others, size):
            mask = np.isin(np.arange(len(built)), list(set[int]().union(*actual, *more)))
            if built.restrict([w for w, kept in zip(built, mask, strict=True) if kept]).holds(aim):
                fewest = size + len(actual)
                break
        if fewest is not None:
            break
    if found is None:
        assert fewest is None
        return
    true = Numbered(built).mask(found)
    assert sum(bool(true[list(c)].any()) for c in cells) == fewest
    assert built.valid(f"({found}) <-> K_a ({found})")
    assert built.announce(found).holds(aim)


def test_russian_cards() -> None:
    model = russian_cards().model
    found = shortest_announcement(
        model,
        "a",
        learns={"b": ["a_0", "a_1", "a_2"]},
        ignorant={"c": [f"a_{k}" for k in range(6)]},
    )
    assert found is not None
    assert str(found) == "K_a (a_0 & a_1 & a_2 | a_3 & a_4 & a_5)"
    # but a could not know that c will not learn anything
    after = model.announce(found)
    assert not after.holds(Knows("a", conjunction(f"~K_c a_{k} & ~K_c b_{k}" for k in range(7))))


def test_three_cards() -> None:
    model = hexa().model
    for hearer, other, said in (("b", "c", "K_a (a_0 | a_1)"), ("c", "b", "K_a (a_0 | a_2)")):
        found = shortest_announcement(model, "a", learns={hearer: "a_0"}, ignorant={other: "a_0"})
        assert str(found) == said
    assert shortest_announcement(model, "a", learns={"b": "a_0", "c": "a_0"}) == Knows("a", "a_0")
    assert shortest_announcement(model, "a", learns={"b": "a_1"}) is None


def test_what_cannot_be_told_in_atoms_is_told_as_knowledge() -> None:
    # two of a's cells agree on all atoms and differ in what b knows
    model = KripkeModel.from_partitions(
        ["u", "v", "w", "x"],
        {"a": [["u"], ["v"], ["w"], ["x"]], "b": [["u", "w"], ["v"], ["x"]], "c": [["u", "v", "w", "x"]]},
        {"p": ["u", "v", "x"]},
        "u",
    )
    found = shortest_announcement(model, "a", goal="everywhere ~K_b p")
    assert found is not None
    assert model.where(found) == ["u", "w"]
    assert str(found) == "K_a (M_b ~p | ~p)"  # b, too, cannot say it in atoms


def test_errors() -> None:
    model = hexa().model
    with pytest.raises(UnknownAgentError):
        shortest_announcement(model, "d", learns={"b": "a_0"})
    with pytest.raises(UnknownAgentError):
        shortest_announcement(model, "a", learns={"d": "a_0"})
    with pytest.raises(UnknownAtomError):
        shortest_announcement(model, "a", learns={"b": "a_4"})
    with pytest.raises(Undecided, match="first 2"):
        shortest_announcement(model, "a", ignorant={"b": "b_1"}, limit=2)
    believer = KripkeModel(["w", "v"], {"a": [("w", "v"), ("v", "v")]}, {"p": ["w"]})
    with pytest.raises(ModelError, match="not S5"):
        shortest_announcement(believer, "a", learns={"a": "p"})
