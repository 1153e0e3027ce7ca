from __future__ import annotations

from fractions import Fraction

import pytest

from kripke_werewolf.avalon import Avalon, Deal, Deviation, intended, published
from kripke_werewolf.errors import GameError
from kripke_werewolf.games import best_response
from tests.reference.avalon import Reference


class From(Deviation):
    """The game from one deal and one leader on."""

    def opening(self, team):
        steps = super().opening(team)
        chosen = [s for s in steps if s[2].state.deal == Deal((1, 2)) and s[2].state.now.leader == 1]
        return [(Fraction(1), seen, place) for _, seen, place in chosen]


def test_evil_plays_best_as_by_enumeration_of_moves() -> None:
    best = best_response(From(Avalon(intended())), "evil")
    assert best.value == Reference().best_evil(((1, 2), None), 1) == Fraction(71, 72)
    situation, choice, value = best.policy[0]
    assert situation == "evil (1, 2); quest 1, 0 failed, leader 1; proposes; 10 worlds"
    assert (choice, value) == ("(1, 2)", best.value)


@pytest.mark.parametrize(
    ("rules", "team", "said"),
    [
        (published(), "evil", "needs announcements='atleast'"),
        (intended(merlin="naive", percival=True, morgana=True), "evil", "do not know the same: morgana"),
        (intended(), "good", "team='good' is not possible"),
        (intended(merlin="naive"), 1, "needs inference=False"),
    ],
)
def test_teams_without_a_decision_process_are_refused(rules, team, said: str) -> None:
    with pytest.raises(GameError, match=said):
        best_response(Deviation(Avalon(rules)), team)
