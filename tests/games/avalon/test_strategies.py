from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kripke_werewolf.base.errors import GameError, IllegalMove
from kripke_werewolf.games.avalon import (
    Avalon,
    CautiousMerlin,
    Evil,
    Good,
    MarkovChain,
    Rules,
    State,
    intended,
    published,
    simulate,
    solve,
)
from kripke_werewolf.games.avalon.rules import evil, seats
from tests.cases import cases, each

PLAYERS = seats(5)

# --- strategies of one's own -----------------------------------------------------------------------


class Hopeful(Good):
    """Good players who approve of every party they are on."""

    def approves(self, player, party, now):
        return player in party or super().approves(player, party, now)


class Shy(Evil):
    """Evil players who pass on the first quest; a decision may be a string."""

    def fails(self, player, party, now):
        return f"K_{player} ~e_{player}" if now.quest == 1 else True


def test_own_strategies_are_played_and_solved(solved) -> None:
    game = Avalon(published(announcements="policy"), good=Hopeful(), evil=Shy())
    exact = float(solve(game).good)
    low, high = simulate(game, 20_000, rng=5).interval(confidence=0.999)
    assert low < exact < high
    assert exact != float(solved(published(announcements="policy")).good)


def test_a_strategy_for_merlin_is_expected_by_evil() -> None:
    """Evil infers by Merlin's strategy: a Merlin who always approves is revealed only by that."""

    class Approving(Good):
        def approves(self, player, party, now):
            return True

    game = Avalon(intended(merlin="naive", assassinate=True), merlin=Approving())
    ((turn, _),) = game.turns(next(iter(game.starts())), (1, 3))
    assert turn.votes[turn.state.world.merlin].holds
    assert turn.heard == turn.state.knowledge


def playing(**methods: Callable[..., object]) -> Good:
    """Return good players with some methods of their own."""
    return type("Own", (Good,), methods)()  # type: ignore[no-any-return]


def leading(answer: object) -> Good:
    """Return good players who propose the same whenever they lead."""
    return playing(party=lambda self, player, now, holds: answer)


def voting(decide: Callable[..., object]) -> Good:
    """Return good players who vote by a function of player and party."""
    return playing(approves=lambda self, player, party, now: decide(player, party))


def peeking(self, player, now, holds):
    return [tuple(a for a in PLAYERS if holds(~evil(a)))[: now.size]]


def stumbling(self, player, now, holds):
    return (party for party in [1 / 0])


@cases(
    (
        leading([(1, 2, 3)]),
        "leads quest 1 and proposes (1, 2, 3); the rule: a party for quest 1 has 2 different players",
    ),
    (leading([(1, 1)]), "leads quest 1 and proposes (1, 1); the rule: a party for quest 1"),
    (leading([]), "leads quest 1 and proposes no party"),
    (leading((1, 2)), "leads quest 1 and proposes 1; the rule: a party for quest 1 has 2"),
    (leading([[[1], 2]]), "leads quest 1 and proposes [[1], 2]; the rule"),
    (leading([(1.0, 2)]), "leads quest 1 and proposes (1.0, 2); the rule"),
    (
        playing(party=stumbling),
        "leads quest 1 and their strategy raises ZeroDivisionError: division by zero; the rule",
    ),
    (voting(lambda player, party: {}[player]), "and their strategy raises KeyError: 1; the rule"),
    (voting(lambda player, party: "maybe"), "decides by maybe (unknown atom 'maybe'"),
    (voting(lambda player, party: 0.5), "decides wrongly (expected a formula"),
    (
        voting(lambda player, party: ~(evil(party[0]) | evil(party[1]))),
        "which they neither know to be true nor know to be false",
    ),
    (playing(party=peeking), "leads quest 1 and decides by ~e_"),
)
def test_a_strategy_that_breaks_a_rule_is_named(strategy: Good, said: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        solve(Avalon(published(), good=strategy))
    assert said in str(caught.value)
    assert str(caught.value).startswith("Avalon, rules 'published': player ")
    assert "(good)" in str(caught.value)


@each(["fails", "suspects"])
def test_an_error_in_an_evil_strategy_is_raised_with_the_player(mistaken: str) -> None:
    def mistake(*arguments: object) -> bool:
        raise LookupError("nothing there")

    strategy = type("Mistaken", (Evil,), {mistaken: mistake})()
    with pytest.raises(
        IllegalMove, match=r"\(evil\) .* their strategy raises LookupError: nothing"
    ) as caught:
        solve(Avalon(intended(merlin="naive", assassinate=True), evil=strategy))
    assert isinstance(caught.value.__cause__, LookupError)


def test_a_false_announcement_is_refused() -> None:
    with pytest.raises(GameError, match="announcements='success' does not fit the strategy Shy"):
        solve(Avalon(published(), evil=Shy()))


@cases(
    ({"good": Hopeful}, "is a class, not an instance"),
    ({"good": "brave"}, "has no party and no approves"),
    ({"evil": Good()}, "has no fails and no suspects"),
)
def test_what_is_no_strategy_is_refused(strategies: dict[str, object], said: str) -> None:
    with pytest.raises(GameError, match=said):
        Avalon(published(), **strategies)


def test_what_are_no_rules_is_refused() -> None:
    with pytest.raises(GameError, match="rules='published' are not rules"):
        Avalon("published")


def test_a_strategy_needs_a_player() -> None:
    with pytest.raises(GameError, match="merlin=None"):
        Avalon(published(), merlin=Good())


def test_strategies_are_compared_by_value() -> None:
    assert Avalon(published(), good=Hopeful()) == Avalon(published(), good=Hopeful())
    assert Avalon(published(), good=Hopeful()) != Avalon(published())
    assert Avalon(intended(merlin="cautious")).strategies()["Merlin"] == CautiousMerlin()
    assert hash(Avalon(published(), good=Hopeful())) == hash(Avalon(published(), good=Hopeful()))


# --- properties of ours ----------------------------------------------------------------------------


def visited(rules: Rules, games: int) -> list[State]:
    chain = MarkovChain(Avalon(rules))
    chain.walk(games, np.random.default_rng(1))
    return list(chain.visited)


@each([published(), published(higher_order=True), published(merlin=True, higher_order=True)])
def test_somewhere_is_the_test_at_the_actual_world(rules: Rules) -> None:
    """A good player who knows a true fact somewhere knows it here, and conversely."""
    at_world = rules.but(knowledge="actual")
    for knowledge, deal in {(state.knowledge, state.world) for state in visited(rules, 200)}:
        for i, a in product(deal.good, PLAYERS):
            for fact in (evil(a), ~evil(a)):
                here = knowledge.holds(at_world.knows(i, fact), deal)
                assert knowledge.holds(rules.knows(i, fact), deal) == here


@settings(max_examples=20)
@given(
    st.sampled_from(
        [published(merlin=True), intended(merlin="naive", higher_order=True), intended(merlin="cautious")]
    ),
    st.integers(0, 2**32),
)
def test_the_actual_world_is_never_dropped_and_known_facts_are_true(rules: Rules, seed: int) -> None:
    played = Avalon(rules).play(rng=seed)
    for turn in played.turns:
        world = turn.after.world(turn.state.world)
        assert world in turn.after.model.worlds
        for relation in turn.after.model.relations.values():
            assert world in relation.successors(world)


@settings(max_examples=10)
@given(st.integers(0, 2**32))
def test_a_cautious_merlin_is_never_found_out_by_votes(seed: int) -> None:
    played = Avalon(intended(merlin="cautious", assassinate=True)).play(rng=seed)
    for turn in played.turns:
        assert turn.heard == turn.state.knowledge
        assert not turn.suspects or turn.suspects == turn.state.world.good
