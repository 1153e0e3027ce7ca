from fractions import Fraction

import pytest

from kripke_werewolf.base.errors import GameError
from kripke_werewolf.games import best_response
from kripke_werewolf.games.avalon import Avalon, Deal, Deviation, intended, published
from tests.cases import cases


class From(Deviation):
    """The game from a given deal, leader and scores on, with nothing learnt from these."""

    def __init__(self, game, leader, scores):
        super().__init__(game)
        self.leader, self.scores = leader, dict(zip(("failed", "succeeded"), scores, strict=True))

    def opening(self, team):
        found = []
        for _, seen, state in super().opening(team):
            if state.world == Deal((1, 2)) and state.now.leader == self.leader:
                found.append((Fraction(1), seen, state._replace(now=state.now._replace(**self.scores))))
        return found


def test_evil_plays_best() -> None:
    leader, scores, value = 3, (1, 2), "25/36"
    best = best_response(From(Avalon(intended()), leader, scores), "evil")
    assert best.value == Fraction(value)
    situation, _, worth = best.policy[0]
    assert situation.startswith(
        f"evil (1, 2); quest {sum(scores) + 1}, {scores[0]} failed, leader {leader}; "
    )
    assert worth == best.value or "votes" in situation


class Last(Deviation):
    """The game from the last proposal of the last quest on: 3 leads, 1 and 2 are evil."""

    def opening(self, team):
        places = {}
        for _, seen, state in super().opening(team):
            now = state.now._replace(leader=3, attempt=5, failed=2, succeeded=2)
            if state.world.evil == (1, 2) and state.world.oberon in (None, 2):
                places[state._replace(now=now)] = seen[0], 3
        return [(Fraction(1, len(places)), seen, place) for place, seen in places.items()]


def test_evil_players_who_tell_each_other_their_cards() -> None:
    """With Oberon the evil players are a team only if they pool their information: an upper bound."""
    rules = intended(merlin="naive", assassinate=True, oberon=True, inference=False)
    with pytest.raises(GameError, match=r"oberon is among them .*pooled=True"):
        best_response(Last(Avalon(rules)), "evil")
    best = best_response(Last(Avalon(rules), pooled=True), "evil")
    # only the party of 3, 4 and 5 succeeds. Merlin, if it is 3, proposes it, another leader in one case of
    # six:
    # in 4/9 of all games, and then 3 is the one to name, rightly in 3/4
    assert best.value == Fraction(5, 9) + Fraction(4, 9) * Fraction(3, 4)
    assert ("3", Fraction(3, 4)) in {(choice, value) for _, choice, value in best.policy}
    assert best_response(Last(Avalon(rules.but(oberon=False))), "evil").value == best.value


@cases(
    (published(), "evil", "needs announcements='atleast'"),
    (intended(merlin="naive", percival=True, morgana=True), "evil", "do not know the same: morgana"),
    (intended(), "good", "team='good' is not possible"),
    (intended(merlin="naive"), 1, "needs inference=False"),
)
def test_teams_without_a_decision_process_are_refused(rules, team, said: str) -> None:
    with pytest.raises(GameError, match=said):
        best_response(Deviation(Avalon(rules)), team)
