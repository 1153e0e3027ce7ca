"""What players know in games of Werewolf: two engines and the English."""

import pytest

from kripke_werewolf import FormatError, GameError
from kripke_werewolf.research.forge import forged, players
from kripke_werewolf.research.forge.heard import Known, StoryEvent
from kripke_werewolf.research.forge.players import WEREWOLF
from kripke_werewolf.research.stories import story
from tests.cases import cases, each
from tests.renamed_stories import groups, need_their_order, noticed, under_other_names

derive = WEREWOLF.derive


def made(seed, items=20, **knobs):
    return list(forged(WEREWOLF, WEREWOLF.knobs(**({"batch": 6} | knobs)), items=items, seed=seed))


@each([(2, 4, 1), (3, 5, 2)])
def test_the_story_file_gives_the_answers(seed, agents, order):
    for item in made(seed, items=8, agents=agents, orders=(order,), pairs=True):
        assert story("\n".join(item.scene)).history().model.holds(item.formula)


@each([1])
def test_other_names_change_nothing_else(seed):
    for item in made(seed, items=6, orders=(1,)):
        assert under_other_names(item, derive).formula == item.formula


@each(
    [
        {"pairs": True, "orders": (1,)},
        {"pairs": True, "orders": (2,), "agents": 5},
        {"quadruples": True, "orders": (1,), "agents": 4},
    ]
)
def test_groups_need_their_order(knobs):
    items = made(2, items=16, **knobs)
    for group in groups(items):
        need_their_order(group, WEREWOLF)
    assert sum(item.answer == "yes" for item in items) * 2 == len(items)


BEGINS = (
    players._WEREWOLF.format(A="Anne, Bob, Carla and Di", n=1)
    + " In fact Bob is a wolf and Anne is the seer."
)
POINTED = " Anne pointed at Bob. At night Carla pointed at Di."


@cases(
    (POINTED, "Does Anne know that Bob is a wolf?", "yes"),
    (POINTED, "Does Carla know that Carla is the seer?", "no"),
    (POINTED, "Does Carla know whether Bob is a wolf?", "no"),
    (POINTED, "Does Bob know that Anne knows whether Bob is a wolf?", "no"),
    (POINTED, "Is it true that Bob does not know whether Anne is the seer?", "yes"),
    (POINTED, "Does Bob think it possible that Anne knows that Bob is a wolf?", "yes"),
    (" Bob showed to all that Bob is a wolf.", "Does Carla know that Di is not a wolf?", "yes"),
    (" I know that I am the seer, Anne said.", "Does Bob know that Carla is the seer?", "no"),
    (
        " Anne said: I know that I am the seer.",
        "Does Carla know that Bob knows that Anne is the seer?",
        "yes",
    ),
    (
        " Anne pointed at Bob. Anne said: I know that Bob is a wolf.",
        "Does Carla know that Anne is the seer?",
        "yes",
    ),
)
def test_what_is_known(told, question, answer):
    assert set(derive(BEGINS + told, question).answers.values()) == {answer}


@cases(
    f"{BEGINS} Anne attacked Bob.",
    f"{BEGINS} Zoe kept silent.",
    f"{BEGINS} Anne showed to all that Anne is a wolf.",
    BEGINS.replace("wolves is 1", "wolves is 2"),
    BEGINS.replace("Anne is the seer", "Bob is the seer"),
    BEGINS.split(" In fact")[0],
)
def test_other_stories_are_refused(told):
    with pytest.raises(FormatError):
        derive(told, "Does Anne know that Bob is a wolf?")


@cases(({"orders": (1, 3)}, "allowed: 1 to 2"), ({"agents": 3}, "allowed: 4 to 7"))
def test_impossible_knobs(knobs, message):
    with pytest.raises(GameError, match=message):
        WEREWOLF.knobs(**knobs)


holds, facts = Known.holds, players._OF_WEREWOLF.facts
pointing = {"points": facts["points"]._replace(true=lambda deal, fact: fact.who[0] == deal[1])}


@pytest.mark.parametrize(
    "mutant",
    [
        (Known, "holds", lambda self, chain, fact, at: holds(self, chain[::-1], fact, at)),
        (StoryEvent, "heard", lambda self, known, fact: known.worlds),
        (players.WerewolfCards, "view", lambda self, agent: [0] * len(self.worlds.values)),
        (players._OF_WEREWOLF, "facts", facts | pointing),
    ],
)
def test_mutants_of_the_second_engine_are_found(mutant, monkeypatch):
    texts = [(item.story, item.question) for item in made(5, items=12, orders=(1,))]
    texts.append((BEGINS + POINTED, "Does Bob know that Anne knows whether Bob is a wolf?"))
    texts.append((BEGINS + " Anne pointed at Carla.", "Does Anne know that Carla is not a wolf?"))
    assert noticed(players, derive, texts, monkeypatch, *mutant)


def test_quadruples_of_order_2_are_refused_at_once() -> None:
    with pytest.raises(GameError, match="no quadruples of order 2"):
        made(1, quadruples=True, orders=(1, 2))
