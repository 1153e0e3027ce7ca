"""Stories of announcements: two engines, the English, and the depth of the pairs."""

import re
from functools import cache

import pytest

from kripke_werewolf import FormatError, GameError, bisimilar
from kripke_werewolf.research.forge import announcements
from kripke_werewolf.research.forge.announcements import ANNOUNCEMENTS
from kripke_werewolf.research.forge.family import Disagreement, forged
from kripke_werewolf.research.forge.heard import Known, StoryWorlds
from kripke_werewolf.research.stories import story
from tests.cases import each
from tests.renamed_stories import groups, need_their_order, noticed

SEEDS = (1, 2)

derive = ANNOUNCEMENTS.derive


def made(seed, items=10, **knobs):
    return list(forged(ANNOUNCEMENTS, ANNOUNCEMENTS.knobs(**knobs), items=items, seed=seed))


@each([2, 5], SEEDS)
def test_the_formula_of_an_item_is_true_after_its_scene(agents, seed):
    for item in made(seed, agents=agents, pairs=True, orders=(1, 2, 3)):
        assert story("\n".join(item.scene)).history().model.holds(item.formula)


@each([{"pairs": True, "orders": (1, 2, 3, 4)}, {"quadruples": True, "orders": (1, 2, 3)}], SEEDS)
def test_groups_are_alike_up_to_the_depth_before_their_order_and_no_further(knobs, seed):
    for group in groups(made(seed, items=12, batch=4, **knobs)):
        need_their_order(group, ANNOUNCEMENTS)
        models = [story("\n".join(item.scene)).history().model for item in group]
        one, order, worlds = models[0], group[0].order, [model.designated[0] for model in models]
        for item, other, world in zip(group[1:], models[1:], worlds[1:], strict=True):
            assert bisimilar(one, worlds[0], other, world, depth=order - 1)
            same = item.answer == group[0].answer
            assert same or not bisimilar(one, worlds[0], other, world, depth=order)


@each([{"pairs": True}, {"quadruples": True, "orders": (1, 2), "batch": 12}])
def test_groups_are_balanced_and_no_shortcut_is_good(knobs):
    items = made(7, items=96, **knobs)
    assert sum(item.answer == "yes" for item in items) * 2 == len(items)
    for name in {*items[0].shortcuts} - ({"follows from what all heard"} if "pairs" in knobs else set()):
        assert sum(item.shortcuts[name] == item.answer for item in items) * 2 <= len(items), name
    assert sum(item.order_needed == item.order for item in items) >= 0.45 * len(items)


def test_orders_that_these_agents_do_not_reach_are_refused():
    with pytest.raises(GameError, match="of 2 people for a question of order 6"):
        made(1, items=2, agents=2, orders=(6,))


worlds_of = StoryWorlds._worlds_of
shown, where, holds, view = Known.shown, Known.where, Known.holds, announcements.Telling.view
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
    "nobody has a higher number": (
        StoryWorlds,
        "_worlds_of",
        lambda self, fact: 0 if fact.kind == "higher" else worlds_of(self, fact),
    ),
    "nobody sees anything": (announcements.Telling, "view", lambda self, agent: [0] * len(view(self, agent))),
}


@cache
def texts():
    return [(item.story, item.question) for item in made(11, items=200, pairs=True)]


@pytest.mark.parametrize("mutant", MUTANTS)
def test_mutants_of_the_second_engine_are_found(mutant, monkeypatch):
    assert noticed(announcements, derive, texts(), monkeypatch, *MUTANTS[mutant])


def test_engines_that_disagree_stop_the_forge(monkeypatch):
    right = announcements.Telling.played
    shorter = lambda self, agents, events: right(self, agents, events[:-1])  # noqa: E731
    monkeypatch.setattr(announcements.Telling, "played", shorter)
    with pytest.raises(Disagreement):
        made(1)


@each(["Their host sings.", "Asked for all to hear whether Zoe is muddy, Zoe answers aloud: I know."])
def test_sentences_of_other_stories_are_errors(wrong):
    item = made(1, items=1)[0]
    with pytest.raises(FormatError):
        derive(f"{item.story} {wrong}", item.question)


@each([r"In fact [^.]+\. ?", r"(?<=\. )\w+ can see [^.]+\. ?"])
def test_a_story_must_say_what_everybody_sees_and_has(left_out):
    told = next(item.story for item in made(4, items=60) if re.search(left_out, item.story))
    with pytest.raises(FormatError, match="does not say for each of"):
        derive(re.sub(left_out, "", told, count=1), "Does Zoe know whether Zoe is muddy?")
