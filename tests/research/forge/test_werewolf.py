"""What players know in games of Quantum Werewolf: two engines and the English."""

from contextlib import suppress
from functools import cache
from itertools import combinations

import pytest

from kripke_werewolf import FormatError, GameError, QuantumWerewolf, replay
from kripke_werewolf.base.randomness import Draws
from kripke_werewolf.research.forge import StoryItem, forged, werewolf
from kripke_werewolf.research.forge.heard import HeardStory
from kripke_werewolf.research.forge.knowing import Known, StoryEvent
from kripke_werewolf.research.forge.werewolf import FAMILY as WEREWOLF
from tests.cases import cases, each
from tests.renamed_stories import groups, need_their_order, noticed, under_other_names

derive = WEREWOLF.derive


@cache
def made(seed, items=20, **knobs):
    return list(forged(WEREWOLF, WEREWOLF.knobs(**({"batch": 6} | knobs)), items=items, seed=seed))


@each([(2, 4), (3, 5)])
def test_the_game_itself_gives_the_answers(seed, agents):
    for item in made(seed, items=3, agents=agents, batch=3):
        game = replay(item.scene)
        assert isinstance(game, QuantumWerewolf)
        assert game.ask(item.formula).holds


@each([1])
def test_other_names_change_nothing_else(seed):
    for item in made(seed, items=6):
        assert under_other_names(item, derive).formula == item.formula


BEGINS = werewolf._RULES.format(A="Anne, Bob, Carla and Di", n=1)
FIGHT = (
    " Anne attacked Bob at night. At night Bob attacked Carla. Carla attacked Anne at night."
    " At night Di attacked Anne."
)


@cases(
    ("", "Does Anne know that it is not so that Anne is the seer and Bob is good?", "yes"),
    ("", "Does Bob know that it is not so that Anne is the seer and Bob is good?", "no"),
    (
        "",
        "Does Bob know that Anne knows whether it is not so that Anne is the seer and Bob is good?",
        "no",
    ),
    ("", "Does Carla know that it is not so that Carla is the seer and Bob is a wolf?", "yes"),
    (
        "",
        "Does Carla think it possible that Anne knows that "
        "it is not so that Anne is the seer and Bob is a wolf?",
        "yes",
    ),
    ("", "Does Anne know that Anne is dead?", "no"),
    (
        " Anne said: I know that it is not so that I am the seer and Bob is good.",
        "Does Bob know that Carla knows that it is not so that Anne is the seer and Bob is good?",
        "yes",
    ),
)
def test_own_results_are_known_and_those_of_others_only_if_they_are_said(told, question, answer):
    looks = " Anne looked at Bob and was told evil. Carla looked at Bob and was told good."
    assert set(derive(BEGINS + looks + FIGHT + told, question).answers.values()) == {answer}


def test_a_shown_card_is_known_to_all():
    hanged = f"{BEGINS}{FIGHT} Di was hanged, and the card was villager."
    for question, before, after in [
        ("Does Bob know that Di is good?", "no", "yes"),
        ("Does Anne know that Carla knows that Di is dead?", "no", "yes"),
        ("Does Anne know that it is not so that Bob is the seer and Di is good?", "no", "no"),
        ("Does Anne think it possible that Di is a wolf?", "yes", "no"),
        ("Does Anne know that Anne is dead?", "no", "no"),
    ]:
        assert set(derive(BEGINS + FIGHT, question).answers.values()) == {before}, question
        assert set(derive(hanged, question).answers.values()) == {after}, question


@cases(
    " Anne attacked Bob at night.",
    f"{FIGHT} Anne attacked Bob at night.",
    f"{FIGHT} Anne was hanged, and the card was villager. Anne kept silent.",
    f"{FIGHT} Anne was hanged, and the card was alpha.",
    " Anne kept silent.",
    f" Anne attacked Anne at night.{FIGHT}",
    f"{FIGHT} Anne said: I know that Bob is a wolf.",
    f"{FIGHT} Dora kept silent.",
)
def test_what_cannot_be_or_is_left_open_is_refused(told):
    with pytest.raises(FormatError):
        derive(BEGINS + told, "Does Anne know that Bob is good?")


def test_items_are_the_same_again_and_as_often_yes_as_no():
    items = made(5, items=16)
    assert made.__wrapped__(5, items=16) == items
    assert [StoryItem.from_json(item.to_json()) for item in items] == items
    assert 4 <= sum(item.answer == "yes" for item in items) <= 12


@pytest.mark.slow
@each([(2, 5, 1), (3, 4, 2)])
def test_one_of_two_twins_needs_its_order(seed, agents, order):
    items = made(seed, items=6, agents=agents, orders=(order,), batch=4, pairs=True)
    for group in groups(items):
        need_their_order(group, WEREWOLF)
        assert {item.order_needed for item in group} == {1, order}
    for name in {*items[0].shortcuts} - {"reality", "follows from what all heard"}:
        assert sum(item.shortcuts[name] == item.answer for item in items) <= 3, name


def test_who_says_that_they_do_not_know_has_not_found_out():
    """A player who was told something false learns that they are not the seer when the card is shown."""
    told = f"{BEGINS} Anne looked at Di and was told good.{FIGHT} Di was hanged, and the card was villager."
    unsure = " Anne said: I do not know whether I am the seer."
    for question, silent, spoken in [
        ("Does Anne know whether Anne is the seer?", "no", "no"),
        ("Does Bob know whether Anne is the seer?", "no", "no"),
        ("Does Bob think it possible that Anne knows whether Anne is the seer?", "yes", "no"),
        ("Does Bob know whether Anne knows whether Anne is the seer?", "no", "yes"),
    ]:
        assert set(derive(told, question).answers.values()) == {silent}, question
        assert set(derive(told + unsure, question).answers.values()) == {spoken}, question
    assert WEREWOLF.alike(told, told + unsure, "", 1)
    assert not WEREWOLF.alike(told, told + unsure, "", 2)


@pytest.mark.parametrize(("seed", "number"), [(1, 5), pytest.param(2, 12, marks=pytest.mark.slow)])
def test_games_that_are_alike_to_depth_two_are_alike_to_depth_three(seed, number):
    """So no question of order three needs its order, and none is asked."""
    draws = Draws(f"games alike/{seed}")
    by_looks = {}
    for _ in range(number):
        game = HeardStory(werewolf._draw(WEREWOLF.knobs(), 2, draws))
        for _ in range(12):
            longer = game._replace(events=(*game.events, game.start.drawn(2, draws)))
            with suppress(FormatError):
                game = longer if longer.actual else game
        by_looks[game.start] = [game.until(end) for end in range(len(game.events) + 1)]
    pairs = [pair for some in by_looks.values() for pair in combinations(some, 2)]
    alike = [[pair[0].start.alike(*pair, depth) for depth in (1, 2, 3)] for pair in pairs]
    assert all(two == three for _, two, three in alike)
    assert {(one, two) for one, two, _ in alike} >= {(True, True), (False, False)}


@cases(
    ({"orders": (0,)}, "allowed: 1 and 2"),
    ({"orders": (1, 3)}, "no question needs a higher order"),
    ({"agents": 6}, "allowed: 4 to 5 agents"),
    ({"quadruples": True}, "not the orders of quadruples .allowed: none in this family"),
)
def test_impossible_knobs(knobs, message):
    with pytest.raises(GameError, match=message):
        WEREWOLF.knobs(**knobs)


holds, dead = Known.holds, werewolf._LANGUAGE.facts["dead"]


@pytest.mark.parametrize(
    "mutant",
    [
        (Known, "holds", lambda self, chain, fact, at: holds(self, chain[::-1], fact, at)),
        (StoryEvent, "heard", lambda self, known, fact: known.worlds),
        (werewolf.QuantumNight, "view", lambda self, agent: [0] * len(self.worlds.values)),
        (
            werewolf._LANGUAGE,
            "facts",
            werewolf._LANGUAGE.facts | {"dead": dead._replace(true=lambda world, fact: False)},
        ),
    ],
)
def test_mutants_of_the_second_engine_are_found(mutant, monkeypatch):
    texts = [(item.story, item.question) for item in made(5, items=12)]
    texts.append((BEGINS + FIGHT, "Does Anne think it possible that Bob is dead?"))
    assert noticed(werewolf, derive, texts, monkeypatch, *mutant)
