"""Stories of announcements: two engines, the English, and the depth of the pairs."""

import re
from functools import cache

import pytest

from kripke_werewolf import FormatError, GameError, bisimilar
from kripke_werewolf.research.forge import announcements, knowing
from kripke_werewolf.research.forge.announcements import ANNOUNCEMENTS
from kripke_werewolf.research.forge.family import Disagreement, forged
from kripke_werewolf.research.forge.knowing import Known
from kripke_werewolf.research.stories import story
from tests.cases import each
from tests.renamed_stories import noticed

SEEDS = (1, 2)

derive = ANNOUNCEMENTS.derive


def made(seed, items=10, **knobs):
    return list(forged(ANNOUNCEMENTS, ANNOUNCEMENTS.knobs(**knobs), items=items, seed=seed))


@each([2, 5], SEEDS)
def test_the_formula_of_an_item_is_true_after_its_scene(agents, seed):
    for item in made(seed, agents=agents, pairs=True, orders=(0, 1, 2, 3)):
        assert story("\n".join(item.scene)).history().model.holds(item.formula)
        assert item.story != item.twin.story
        assert item.answer != item.twin.answer


@each(SEEDS)
def test_twins_are_alike_up_to_the_depth_before_their_order_and_no_further(seed):
    items = made(seed, pairs=True, orders=(0, 1, 2, 3, 4))
    for item, twin in zip(items[::2], items[1::2], strict=True):
        one, two = (story("\n".join(each.scene)).history().model for each in (item, twin))
        places = one.designated[0], two.designated[0]
        assert not item.order or bisimilar(one, places[0], two, places[1], depth=item.order - 1)
        assert not bisimilar(one, places[0], two, places[1], depth=item.order)
        assert item.twin.depth == item.order - 1
        assert item.story.replace(item.twin.own, item.twin.other) == twin.story


def test_pairs_are_balanced_and_no_shortcut_is_good():
    items = made(7, items=240, pairs=True)
    assert {item.order for item in items} == {1, 2, 3, 4}
    assert sum(item.answer == "yes" for item in items) == 120
    for name in items[0].shortcuts:
        assert sum(item.shortcuts[name] == item.answer for item in items) <= 120
    assert sum(item.order_needed == item.order for item in items) >= 108


def test_orders_that_these_agents_do_not_reach_are_refused():
    with pytest.raises(GameError, match="of 2 people for a question of order 6"):
        made(1, items=2, agents=2, orders=(6,))


shown, where, holds, start = Known.shown, Known.where, Known.holds, announcements._start
MUTANTS = {
    "everybody hears whispers": (
        Known,
        "shown",
        lambda self, group, fact: shown(self, range(len(self.cells)), fact),
    ),
    "nobody hears announcements": (Known, "announced", lambda self, fact: self),
    "whether means that": (
        Known,
        "where",
        lambda self, way, agent, fact: where(self, way.replace("whether", "that"), agent, fact),
    ),
    "the first agent only": (Known, "holds", lambda self, chain, fact, at: holds(self, chain[:1], fact, at)),
    "more means less": (
        announcements,
        "_TRUE",
        announcements._TRUE | {"higher": lambda fact, values: values[fact.who[0]] < values[fact.who[1]]},
    ),
    "everybody sees themselves": (
        announcements,
        "_start",
        lambda most, sees: start(most, tuple((*own, i) for i, own in enumerate(sees))),
    ),
}


@cache
def texts():
    return [(item.story, item.question) for item in made(11, items=400, pairs=True)]


@pytest.mark.parametrize("mutant", MUTANTS)
def test_mutants_of_the_second_engine_are_found(mutant, monkeypatch):
    assert noticed(announcements, derive, texts(), monkeypatch, *MUTANTS[mutant])


def test_engines_that_disagree_stop_the_forge(monkeypatch):
    right = knowing._model
    monkeypatch.setattr(knowing, "_model", lambda scene: right(scene._replace(events=scene.events[:-1])))
    with pytest.raises(Disagreement):
        made(1)


@each(["Their host sings.", "Asked for all to hear whether Zoe is muddy, Zoe answers aloud: I know."])
def test_sentences_of_other_stories_are_errors(wrong):
    item = made(1, items=1)[0]
    with pytest.raises(FormatError):
        derive(f"{item.story} {wrong}", item.question)


@each([r"In fact [^.]+\. ?", r"\w+ can see the [^.]+\. ?"])
def test_a_story_must_say_what_everybody_sees_and_has(left_out):
    told = next(item.story for item in made(4, items=60) if re.search(left_out, item.story))
    with pytest.raises(FormatError, match="does not say for each of"):
        derive(re.sub(left_out, "", told, count=1), "Does Zoe know whether Zoe is muddy?")
