"""Plans that change what is believed, not only what is known."""

import pytest

import kripke_werewolf as kw
from kripke_werewolf import ModelError
from kripke_werewolf.logic.puzzles import puzzle
from kripke_werewolf.research.planning import Task
from kripke_werewolf.research.planning.epddl import to_epddl


def test_a_hint_is_found_where_the_truth_would_say_too_much() -> None:
    start = puzzle("professor").model
    actions = {"tell": "drunk", "hint": kw.soft("drunk"), "praise": kw.soft("genius")}
    assert kw.plan(start, actions, "B_prof ~genius & M_prof ~drunk").plan == ("hint",)
    again = start.update(kw.soft("drunk"))
    assert kw.plan(again, actions, "B_prof genius & M_prof ~genius").plan == ("praise",)


@pytest.mark.parametrize("hint", [False, True])
def test_no_file_without_the_orders(hint: bool) -> None:
    start = puzzle("professor").model
    plain = kw.KripkeModel.from_partitions(start.worlds, {"prof": [start.worlds]}, start.valuation)
    actions = {"say": kw.soft("drunk") if hint else "drunk"}
    with pytest.raises(ModelError, match="EPDDL cannot express"):
        to_epddl(Task(plain if hint else start, actions, "K_prof drunk"))
