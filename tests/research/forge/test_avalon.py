"""What players know in games of Avalon: two engines, the English, and twins."""

from functools import cache

import pytest

from kripke_werewolf.base.errors import FormatError, GameError
from kripke_werewolf.research.forge import forged, players
from kripke_werewolf.research.forge.heard import Known
from kripke_werewolf.research.forge.players import AVALON
from kripke_werewolf.research.stories import story
from tests.cases import cases, each
from tests.renamed_stories import groups, need_their_order, noticed, under_other_names

derive = AVALON.derive
BEGINS = (
    players._AVALON.format(A="Anne, Bob, Carla, Di and Ed", n=2)
    + " In fact Carla is evil, Di is evil and Ed is Merlin."
)


def made(seed, items=20, **knobs):
    return list(forged(AVALON, AVALON.knobs(**({"batch": 8} | knobs)), items=items, seed=seed))


@each([(1, 5), (2, 6)])
def test_the_story_file_gives_the_answers(seed, agents):
    for item in made(seed, items=12, agents=agents, orders=(1, 2), pairs=True):
        assert story("\n".join(item.scene)).history().model.holds(item.formula)


@each([1, 2])
def test_other_names_change_nothing_else(seed):
    for item in made(seed, items=4):
        assert under_other_names(item, derive).formula == item.formula


@each([{"pairs": True}, {"quadruples": True, "orders": (1, 2), "batch": 4}])
def test_groups_need_their_order(knobs):
    items = made(2, items=32, **knobs)
    for group in groups(items):
        need_their_order(group, AVALON)
    for name in {*items[0].shortcuts} - {"follows from what all heard"}:
        assert sum(item.shortcuts[name] == item.answer for item in items) * 2 == len(items)


FAILED = " Bob and Carla went on a quest, and the number of cards that failed it was 1."


@cases(
    ("", "Does Ed know that Carla is evil?", "yes"),
    ("", "Does Carla know that Di is evil?", "yes"),
    (FAILED, "Does Bob know that Carla is evil?", "yes"),
    (FAILED, "Does Di know that Bob knows that Carla is evil?", "yes"),
    (FAILED, "Does Anne think it possible that Bob knows that Carla is evil?", "yes"),
    (" Anne was shown whether Di is evil.", "Does Anne know that Di is evil?", "yes"),
    (" Anne was shown whether Di is evil.", "Does Bob know that Anne knows whether Di is evil?", "yes"),
    (
        " I know that it is not so that I am good and Di is good, Carla said.",
        "Does Di know that Carla is evil?",
        "yes",
    ),
    (
        " I know that it is not so that Di is good and I am good, Carla said.",
        "Does Ed know that Carla is evil?",
        "yes",
    ),
    (" Ed said: I know that I am Merlin.", "Does Carla know that Ed is Merlin?", "yes"),
)
def test_what_is_known(told, question, answer):
    assert set(derive(BEGINS + told, question).answers.values()) == {answer}


@cases(
    BEGINS + " Zoe kept silent.",
    BEGINS + " Anne slept.",
    BEGINS.replace("Ed is Merlin", "Di is Merlin"),
    BEGINS.replace("evil players is 2", "evil players is 3"),
    BEGINS.split(" In fact")[0],
    BEGINS.partition(". ")[2],
)
def test_other_stories_are_refused(told):
    with pytest.raises(FormatError):
        derive(told, "Does Anne know that Bob is evil?")


def test_impossible_knobs():
    with pytest.raises(GameError, match="4 to 7"):
        AVALON.knobs(agents=3)
    with pytest.raises(GameError, match="pairs or in quadruples"):
        AVALON.knobs(quadruples=True, pairs=True)


@cache
def told():
    return [(item.story, item.question) for item in made(11, items=60, pairs=True)]


shown, facts = Known.shown, players._OF_AVALON.facts
failing = {"fails": facts["fails"]._replace(true=lambda deal, fact: fact.who[0] in deal[0])}


@pytest.mark.parametrize(
    "mutant",
    [
        (Known, "shown", lambda self, group, fact: self),
        (Known, "shown", lambda self, group, fact: shown(self, range(len(self.cells)), fact)),
        (players._OF_AVALON, "facts", facts | failing),
        (Known, "announced", lambda self, fact: self),
    ],
)
def test_mutants_of_the_second_engine_are_found(mutant, monkeypatch):
    texts = [*told(), (BEGINS + " Anne was shown whether Di is evil.", "Does Anne know that Di is evil?")]
    assert noticed(players, derive, texts, monkeypatch, *mutant)
