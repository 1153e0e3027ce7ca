"""Truth after more updates than there can be products."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kripke_werewolf import KripkeModel, UnknownAtomError, UnknownWorldError
from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.formulas import Act, Box, K
from kripke_werewolf.logic.semantics import ActionModel, Event, private
from tests.strategies import formulas


def flips(count: int) -> list[ActionModel]:
    """Return actions in which one of three agents sees that p or q changes, and the others see nothing."""
    idle = {"idle": Event()}
    return [
        ActionModel(
            {"e": Event(True, {"p": "~p"} if i % 2 else {"q": "p", "p": "~q"}), **idle},
            {"abc"[i % 3]: [("e", "e"), ("idle", "idle")]},
            ["e"],
            others=[("e", "idle"), ("idle", "idle")],
            name=f"flip{i}",
        )
        for i in range(count)
    ]


def start() -> KripkeModel:
    cells = {agent: ["lrx"] for agent in "abc"}
    return KripkeModel.from_partitions("lrx", cells, {"p": ["l"], "q": ["r"]}, "l")


def after(actions: list[ActionModel], asked: f.Formula) -> f.Formula:
    """Return the formula that another is true after some actions."""
    for action in reversed(actions):
        asked = Box(Act(action.name, None, action), asked)
    return asked


FLIPS = flips(24)  # the product has 3 * 2 ** 24 worlds


@given(
    formulas(agents=("a",), atoms=("p", "q"), probability=False, everywhere=False, max_depth=2),
    st.sampled_from("lrx"),
)
def test_what_an_agent_has_not_seen_has_not_happened_for_them(body: f.Formula, world: str) -> None:
    found = start().holds(after(FLIPS, K("a", body)), at=world)
    assert found == start().holds(after(FLIPS[::3], K("a", body)), at=world)


def test_names_are_checked_as_before() -> None:
    with pytest.raises(UnknownAtomError):
        start().holds(Box(Act("tell", None, private("a", "r")), "p"), at="l")
    with pytest.raises(UnknownWorldError):
        start().holds(Box(Act("tell", None, private("a", "p")), "p"), at="z")
