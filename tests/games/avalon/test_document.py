"""The formulas of "Modelling Avalon": 1 and 2 are good, 3 and 4 evil, 5 is Merlin."""

import pytest

from kripke_werewolf.games.avalon import (
    Avalon,
    Deal,
    Knowledge,
    Rules,
    Situation,
    State,
    initial_model,
    intended,
)
from kripke_werewolf.games.avalon.rules import evil, seats
from kripke_werewolf.logic.formulas import Knows, parse
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.models.model import Numbered

PLAYERS = seats(5)
DEAL = Deal((3, 4), 5)
RULES = intended(merlin="naive", higher_order=True)


@pytest.fixture(scope="module")
def start() -> KripkeModel:
    return initial_model(RULES).point(DEAL)


@pytest.fixture(scope="module")
def after(start: KripkeModel) -> KripkeModel:
    return start.announce("e_1 | e_4")


def cells(model: KripkeModel) -> list[int]:
    here = model.worlds.index(DEAL)
    return [len(Numbered(model).successors(str(i), here)) for i in PLAYERS]


SEES = "(e_3 & e_4 & ~e_1 & ~e_2 & ~e_5 & (m_1 | m_2 | m_5))"
OWN = "(K_1 ~e_1 & K_2 ~e_2 & K_5 ~e_5)"
INITIAL = [
    "K_1 ~e_1 & K_2 ~e_2",
    f"K_3 {SEES} & K_4 {SEES} & K_3 {OWN} & K_4 {OWN} & K_3 K_4 {OWN} & K_4 K_3 {OWN}",
    f"K_4 {SEES} & K_3 {SEES}",
    "K_5 (~e_1 & ~e_2 & e_3 & e_4 & ~e_5)",
    f"K_5 K_3 {SEES} & K_5 K_4 {SEES}",
    f"K_5 K_3 {OWN} & K_5 K_4 {OWN} & K_5 K_3 K_4 {OWN} & K_5 K_4 K_3 {OWN}",
]


def test_sizes_of_the_models(start: KripkeModel) -> None:
    assert (len(start), cells(start)) == (30, [12, 12, 3, 3, 1])
    assert len(initial_model(intended())) == len(initial_model(Rules(worlds="pairs"))) == 10


@pytest.mark.parametrize("text", INITIAL)
def test_initial_knowledge(start: KripkeModel, text: str) -> None:
    assert start.holds(text)


def test_after_the_first_quest(after: KripkeModel) -> None:
    assert (len(after), cells(after)) == (21, [6, 10, 3, 3, 1])
    assert after.holds("K_1 (~e_1 & e_4)")
    assert after.holds("K_2 (~e_2 & (e_1 | e_4))")
    assert after.holds("K_3 K_1 e_4 & K_4 K_1 e_4")
    assert not after.holds("K_3 m_5 | K_4 m_5")


def test_evil_knows_merlin_from_the_votes_before_the_quest() -> None:
    heard = first_turn().heard.model.point(DEAL)
    assert (len(heard), cells(heard)[2:4]) == (30, [1, 1])
    assert heard.holds("K_3 m_5 & K_4 m_5")
    # not that they no longer consider it possible that 1 and 2 are not Merlin: that they are
    assert heard.holds("~M_3 (m_1 | m_2) & M_3 (~m_1 & ~m_2)")


def test_one_failure_of_three_tells_a_good_member_a_disjunction(start: KripkeModel) -> None:
    told = start.announce("atleast(1; e_1, e_2, e_4)")
    assert told.holds("K_1 (e_2 | e_4) & ~K_1 e_4 & ~K_3 K_1 e_4 & ~K_4 K_1 e_4")


def test_the_second_quest_is_accepted_3_to_2_and_both_pass() -> None:
    (state,) = first_turn().following
    assert isinstance(state, State)
    assert state.now.leader == 2
    turn = Avalon(RULES).turns(state, (2, 3, 4))[0][0]
    assert [i for i, vote in turn.votes.items() if vote.holds] == [2, 3, 4]
    assert [card.holds for card in turn.cards.values()] == [False, False]
    assert turn.announcement is None
    assert turn.after == turn.heard


def first_turn():
    game = Avalon(RULES)
    state = State(Knowledge.dealt(RULES), DEAL, Situation(RULES, 1, 1, 0, 0))
    return game.turns(state, (1, 4))[0][0]


def test_formulas_of_decisions_print_and_parse() -> None:
    turn = first_turn()
    assert [i for i, vote in turn.votes.items() if not vote.holds] == [5]
    assert turn.votes[5].formula == ~(Knows(5, evil(1)) | Knows(5, evil(4)))
    assert parse(str(turn.cards[4].formula)) == turn.cards[4].formula
