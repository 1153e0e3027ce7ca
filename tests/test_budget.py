"""What the packages weigh at most: numbers may only be lowered. `python -m tests.house` prints today's."""

import pytest

from tests import house

BUDGET = {
    "code lines": 65_000,
}
"""A new capability is paid for by what it makes superfluous, or by something that few use."""


@pytest.mark.parametrize("name", BUDGET)
def test_nothing_grows(name: str) -> None:
    assert house.table()[name] <= BUDGET[name]


def test_everything_that_is_measured_has_a_limit() -> None:
    assert BUDGET.keys() == house.table().keys()


def test_no_conditional_expression_holds_another() -> None:
    assert house.nested_conditionals() == []
