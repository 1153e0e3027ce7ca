"""What players know in games of Quantum Werewolf: two engines and the English."""

import pytest

from kripke_werewolf import QuantumWerewolf
from kripke_werewolf.errors import FormatError, GameError
from kripke_werewolf.forge import werewolf
from kripke_werewolf.forge.family import forged
from kripke_werewolf.forge.item import StoryItem
from kripke_werewolf.forge.knowing import Known
from kripke_werewolf.forge.werewolf import WEREWOLF
from kripke_werewolf.werewolf.log import replay
from tests.renamed_stories import forget, need_their_order, under_other_names

derive = WEREWOLF.derive


def made(seed, items=20, **knobs):
    return list(
        forged(
            WEREWOLF, WEREWOLF.knobs(**({"orders": (1, 2, 3), "batch": 6} | knobs)), items=items, seed=seed
        )
    )


@pytest.mark.parametrize(("seed", "agents"), [(2, 4), (3, 5)])
def test_the_game_itself_gives_the_answers(seed, agents):
    for item in made(seed, items=8, agents=agents):
        game = replay(item.scene)
        assert isinstance(game, QuantumWerewolf)
        assert game.ask(item.formula).holds


@pytest.mark.parametrize("seed", [1, 2])
def test_other_names_change_nothing_else(seed):
    for item in made(seed, items=6):
        assert under_other_names(item, derive).formula == item.formula


BEGINS = werewolf._RULES.format(A="Anne, Bob, Carla and Di", n=1)
FIGHT = (
    " Anne attacked Bob at night. At night Bob attacked Carla. Carla attacked Anne at night."
    " At night Di attacked Anne."
)


@pytest.mark.parametrize(
    ("told", "question", "answer"),
    [
        ("", "Does Anne know that Anne is the seer only if Bob is a wolf?", "yes"),
        ("", "Does Bob know that Anne is the seer only if Bob is a wolf?", "no"),
        ("", "Does Bob know that Anne knows whether Anne is the seer only if Bob is a wolf?", "no"),
        ("", "Does Carla know that Carla is the seer only if Bob is good?", "yes"),
        (
            "",
            "Does Carla think it possible that Anne knows that Anne is the seer only if Bob is good?",
            "yes",
        ),
        ("", "Does Anne think it possible that Bob is good?", "yes"),
        ("", "Does Anne know that Anne is dead?", "no"),
        (
            " Anne said: I know that I am the seer only if Bob is a wolf.",
            "Does Bob know that Carla knows that Anne is the seer only if Bob is a wolf?",
            "yes",
        ),
    ],
)
def test_own_results_are_known_and_those_of_others_only_if_they_are_said(told, question, answer):
    looks = " Anne looked at Bob and was told evil. Carla looked at Bob and was told good."
    assert set(derive(BEGINS + looks + FIGHT + told, question).answers.values()) == {answer}


def test_a_shown_card_is_known_to_all():
    hanged = f"{BEGINS}{FIGHT} Di was hanged, and the card was villager."
    for question, before, after in [
        ("Does Bob know that Di is good?", "no", "yes"),
        ("Does Anne know that Carla knows that Di is dead?", "no", "yes"),
        ("Does Anne know that Bob is the seer only if Di is a wolf?", "no", "no"),
        ("Does Anne think it possible that Di is a wolf?", "yes", "no"),
        ("Does Anne know that Anne is dead?", "no", "no"),
    ]:
        assert set(derive(BEGINS + FIGHT, question).answers.values()) == {before}, question
        assert set(derive(hanged, question).answers.values()) == {after}, question


@pytest.mark.parametrize(
    "told",
    [
        " Anne attacked Bob at night.",
        f"{FIGHT} Anne attacked Bob at night.",
        f"{FIGHT} Anne was hanged, and the card was alpha.",
        " Anne kept silent.",
        f" Anne attacked Anne at night.{FIGHT}",
        f"{FIGHT} Anne said: I know that Bob is a wolf.",
        f"{FIGHT} Dora kept silent.",
    ],
)
def test_what_cannot_be_or_is_left_open_is_refused(told):
    with pytest.raises(FormatError):
        derive(BEGINS + told, "Does Anne know that Bob is good?")


@pytest.mark.parametrize("seed", [1, 5])
def test_items_are_the_same_again_and_as_often_yes_as_no(seed):
    items = made(seed, items=40)
    assert made(seed, items=40) == items
    assert [StoryItem.from_json(item.to_json()) for item in items] == items
    assert 12 <= sum(item.answer == "yes" for item in items) <= 28


def test_most_stories_have_words_and_some_an_execution_or_deaths():
    told = [item.story.removeprefix(item.story.split(". ")[0]) for item in made(8, items=60)]
    assert all(" attacked " in story for story in told)
    for words, least in (("I know that", 25), ("was hanged", 8), ("looked at", 20)):
        assert sum(words in story for story in told) >= least, words


@pytest.mark.parametrize("seed", [1, 2])
def test_twins_of_order_one(seed):
    for item in made(seed, items=8, orders=(1,), pairs=True):
        need_their_order(item, WEREWOLF)


@pytest.mark.parametrize(
    "knobs", [{"orders": (0,)}, {"agents": 6}, {"agents": 3}, {"pairs": True, "orders": (2,)}]
)
def test_impossible_knobs(knobs):
    with pytest.raises(GameError, match="the family werewolf has"):
        WEREWOLF.knobs(**knobs)


def disagree(told, question):
    """Return whether the engines give two answers, or one of them none."""
    try:
        return len(set(derive(told, question).answers.values())) > 1
    except FormatError:
        return True


shown, holds, dead_at = Known.shown, Known.holds, werewolf._with


@pytest.mark.parametrize(
    "mutant",
    [
        (Known, "shown", lambda self, group, fact: self),
        (Known, "shown", lambda self, group, fact: shown(self, range(len(self.cells)), fact)),
        (Known, "holds", lambda self, chain, fact, at: holds(self, chain[::-1], fact, at)),
        (werewolf, "_heard", lambda table, known, event: known.worlds),
        (werewolf, "_with", lambda dead, player, worlds: dead),
        (werewolf, "_with", lambda dead, player, worlds: dead_at(dead, 0, worlds)),
    ],
)
def test_mutants_of_the_second_engine_are_found(mutant, monkeypatch):
    texts = [(item.story, item.question) for item in made(11, items=60)]
    monkeypatch.setattr(*mutant)
    forget(werewolf)
    try:
        assert any(disagree(*text) for text in texts)
    finally:
        forget(werewolf)
