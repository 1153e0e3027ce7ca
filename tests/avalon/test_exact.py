from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from kripke_werewolf.avalon import Avalon, Chain, Good, Outcome, Rules, Solution, intended, published, solve
from tests.reference.avalon import Reference

Solved = Callable[[Rules], Solution]
POLICY = {"announcements": "policy"}


@pytest.mark.parametrize(
    ("rules", "good"),
    [
        (published(), "6067/12960"),
        (published(merlin=True, higher_order=True), "131/900"),
        (intended(), "49/1620"),
        (intended(higher_order=True), "589/9720"),
        (intended(merlin="naive", assassinate=True), "1/108"),
        (intended(merlin="cautious", assassinate=True), "533/7290"),
        (intended(**POLICY), "587/1080"),
    ],
)
def test_win_rates_of_good(solved: Solved, rules: Rules, good: str) -> None:
    assert solved(rules).good == Fraction(good)


@pytest.mark.parametrize(
    ("rules", "good"),
    [
        (intended(merlin="naive", assassinate=True), "133/1215"),
        (intended(merlin="naive", higher_order=True, assassinate=True, **POLICY), "37351/58320"),
    ],
)
def test_three_successes_before_the_assassination(solved: Solved, rules: Rules, good: str) -> None:
    weights = solved(rules).weights
    succeeded = sum(p for end, p in weights.items() if end.winner == "good" or end.by == "assassination")
    assert succeeded == Fraction(good)


def test_quests_played_in_the_published_game(solved: Solved) -> None:
    quests, of_good, of_evil = solved(published()).means().values()
    assert [round(float(mean or 0), 5) for mean in (quests, of_good, of_evil)] == [3.74514, 4.22169, 3.32569]


def test_probabilities_sum_to_one(solved: Solved) -> None:
    assert solved(published(merlin=True, higher_order=True)).total == 1


PUBLISHED = {"inference": False, "fifth_accepted": True, "lowest": True, "pairs": True}


@pytest.mark.parametrize(
    ("reference", "rules"),
    [
        (Reference(**PUBLISHED, announcements="success"), published()),
        (Reference(**PUBLISHED, merlin="naive", cards="hide"), published(merlin=True, higher_order=True)),
        (Reference(cards="lookahead"), intended(higher_order=True)),
        (Reference(announcements="policy", leader_goes=True), intended(leader_goes=True, **POLICY)),
        (
            Reference(announcements="policy", merlin="naive", cards="lookahead", assassinate=True),
            intended(merlin="naive", higher_order=True, assassinate=True, **POLICY),
        ),
    ],
)
def test_all_outcomes_are_as_likely_as_in_the_reference(
    solved: Solved, reference: Reference, rules: Rules
) -> None:
    assert {tuple(end): p for end, p in solved(rules).weights.items()} == reference.solve()


class Rejecting(Good):
    def approves(self, player, party, now):
        return False


def test_five_rejections_fail_a_quest_and_announce_nothing() -> None:
    game = Avalon(intended(), good=Rejecting())
    solution = solve(game)
    assert solution.weights == {Outcome("evil", 3): 1}
    assert {state.knowledge for state in solution.states} == {next(iter(game.starts())).knowledge}


def test_or_the_fifth_proposal_is_accepted_without_a_vote() -> None:
    chain = Chain(Avalon(published(), good=Rejecting()))
    chain.walk(100, np.random.default_rng(1))
    turns = [
        chain.game.turn(state, party) for state in chain.visited for party in chain.game.proposals(state)
    ]
    assert {(turn.state.now.attempt, turn.accepted, bool(turn.votes)) for turn in turns} == {
        (1, False, True), (2, False, True), (3, False, True), (4, False, True), (5, True, False)
    }  # fmt: skip


def test_a_solution_for_json(solved: Solved) -> None:
    found = solved(published()).to_dict()
    assert found["good"] == "6067/12960"
    assert found["quests"]["all"] == "5393/1440"
    assert found["states"] == len(solved(published()).states)
    assert sum(Fraction(row["probability"]) for row in found["outcomes"]) == 1
