from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from kripke_werewolf.games.avalon import (
    Avalon,
    AvalonSolution,
    Deal,
    Good,
    Knowledge,
    MarkovChain,
    Outcome,
    Rules,
    intended,
    merlin_found,
    published,
    simulate,
    solve,
)
from tests.cases import cases, each

Solved = Callable[[Rules], AvalonSolution]
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


def test_quests_played_in_the_published_game(solved: Solved) -> None:
    quests, of_good, of_evil = solved(published()).means().values()
    assert [round(float(mean or 0), 5) for mean in (quests, of_good, of_evil)] == [3.74514, 4.22169, 3.32569]


class Rejecting(Good):
    def approves(self, player, party, now):
        return False


def test_five_rejections_fail_a_quest_and_announce_nothing() -> None:
    game = Avalon(intended(), good=Rejecting())
    solution = solve(game)
    assert solution.weights == {Outcome("evil", 3): 1}
    assert {state.knowledge for state in solution.states} == {next(iter(game.starts())).knowledge}


def test_or_the_fifth_proposal_is_accepted_without_a_vote() -> None:
    chain = MarkovChain(Avalon(published(), good=Rejecting()))
    chain.walk(20, np.random.default_rng(1))
    game = chain.match
    parties = ((state, party) for state in chain.visited for party in game.choice(state).moves)
    turns = [turn for state, party in parties for turn, _ in game.turns(state, party)]
    assert {(turn.state.now.attempt, turn.accepted, bool(turn.votes)) for turn in turns} == {
        (1, False, True), (2, False, True), (3, False, True), (4, False, True), (5, True, False)
    }  # fmt: skip


def test_a_solution_for_json(solved: Solved) -> None:
    found = solved(published()).to_dict()
    assert found["good"] == "6067/12960"
    assert found["quests"]["all"] == "5393/1440"
    assert found["states"] == len(solved(published()).states)
    assert sum(Fraction(row["probability"]) for row in found["outcomes"]) == 1


def test_when_evil_knows_who_merlin_is(solved: Solved) -> None:
    naive = solved(intended(merlin="naive", **POLICY)).timeline(merlin_found())
    assert [str(p) for p in naive.values()] == ["0", "3/5", "31/36", "1", "1"]
    cautious = solved(intended(merlin="cautious", assassinate=True))
    assert set(cautious.timeline(merlin_found()).values()) == {0}
    assert cautious.expected(3, "m_5", at="quest 1") == Fraction(1, 5)


@each([{"players": 7}, {"players": 6, "oberon": True, "percival": True}])
def test_larger_tables_play_and_simulate(options: dict[str, object]) -> None:
    rules = intended(merlin="naive", assassinate=True, **options)
    played = Avalon(rules).play(rng=1)
    assert len(played.deal.evil) == {6: 2, 7: 3}[rules.players]
    assert str(played).splitlines()[-1] == f"The end: {played.outcome}"
    assert {len(turn.party) for turn in played.turns} <= set(rules.sizes)
    assert simulate(Avalon(rules), 3, rng=1).games == 3


@cases(
    published(higher_order=True),
    published(merlin=True, assassinate=True),
    intended(merlin="cautious", higher_order=True, **POLICY),
)
def test_what_follows_is_what_all_turns_together_lead_to(rules: Rules) -> None:
    game = Avalon(rules)
    chain = MarkovChain(game)
    chain.walk(25, np.random.default_rng(2))
    for state in chain.visited:
        found = defaultdict[Any, Fraction](Fraction)
        for party, p in game.choice(state).moves.items():
            for turn, q in game.turns(state, party):
                for place, r in turn.following.items():
                    found[place] += p * q * r
        assert game.successors(state) == found


def test_what_each_role_sees() -> None:
    rules = Rules(merlin="naive", players=7, percival=True, morgana=True, mordred=True, oberon=True)
    deal = Deal((1, 2, 3), 4, 5, 1, 2, 3, 7)
    model = Knowledge.dealt(rules).model.point(deal)
    assert model.holds("K_4 (e_1 & e_3) & ~Kw_4 e_2")  # Merlin does not see Mordred
    assert model.holds("K_5 (m_4 | m_1) & ~Kw_5 m_4")  # Percival takes Morgana for Merlin
    assert model.holds("K_1 e_2 & ~Kw_1 e_3")  # evil players do not see Oberon
    assert model.holds("K_3 (e_3 & o_3) & ~Kw_3 e_1")  # nor Oberon them
    assert model.holds("K_6 ~e_6 & ~Kw_6 e_1")
