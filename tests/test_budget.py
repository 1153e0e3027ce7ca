"""What the packages weigh at most; `python -m tests.house` prints today's.

The whole may only fall, and a room only grow by what another one has given up.
"""

import pytest

from tests import house

BUDGET = {
    "code lines": 59_737,
    "code lines of __main__": 2,
    "code lines of base": 1_857,
    "code lines of cli": 2_355,
    "code lines of games": 13_857,
    "code lines of kripke_werewolf": 112,
    "code lines of logic": 21_459,
    "code lines of play": 3_969,
    "code lines of research": 4_883,
    "code lines of teach": 6_454,
    "code lines of visualise": 4_789,
    "public names": 1_692,
    "modules in the largest ring": 12,
    "conditional expressions to 1,000 lines": 34.3,
    "entries of kripke_werewolf": 10,
}
"""A new capability is paid for by what it makes superfluous, or by something that few use."""


@pytest.mark.parametrize("name", BUDGET)
def test_nothing_grows(name: str) -> None:
    assert house.table()[name] <= BUDGET[name]


def test_everything_that_is_measured_has_a_limit() -> None:
    assert BUDGET.keys() == house.table().keys()


def test_no_conditional_expression_holds_another() -> None:
    assert house.nested_conditionals() == []
