"""Stories of gossip: two engines, the English, and the depth of the pairs."""

import os
import subprocess
import sys
from functools import partial

import pytest

from kripke_werewolf import FormatError, bisimilar
from kripke_werewolf.research.forge import forged, gossip, noticed
from kripke_werewolf.research.forge.gossip import FAMILY as GOSSIP
from kripke_werewolf.research.stories import story
from tests.cases import each
from tests.renamed_stories import groups, need_their_order
from tests.renamed_stories import noticed as noticed_by

SEEDS = (1, 2)

derive = GOSSIP.derive


def made(seed, items=10, **knobs):
    return list(forged(GOSSIP, GOSSIP.knobs(**knobs), items=items, seed=seed))


@each([3, 5], SEEDS)
def test_the_formula_of_an_item_is_true_after_its_scene(agents, seed):
    orders = (1, 2, 3)
    for item in made(seed, items=8, agents=agents, events=3, pairs=True, orders=orders):
        assert story("\n".join(item.scene)).history().model.holds(item.formula)


KINDS = {"pairs": True, "orders": (1, 2, 3, 4), "events": 3}, {"quadruples": True, "orders": (1, 2)}


@each(KINDS, SEEDS)
def test_groups_are_alike_up_to_the_depth_before_their_order_and_no_further(knobs, seed):
    for group in groups(made(seed, items=12, batch=5, **knobs)):
        need_their_order(group, GOSSIP)
        models = [story("\n".join(item.scene)).history().model.contract() for item in group]
        for item, other in zip(group[1:], models[1:], strict=True):
            pair = models[0], models[0].designated[0], other, other.designated[0]
            assert bisimilar(*pair, depth=item.order - 1)
            assert item.answer == group[0].answer or not bisimilar(*pair, depth=item.order)


def test_parcels_change_hands():
    begins = gossip._RULES.format(A="Anne, Bob and Carla")
    told = (
        f"{begins} Anne met Bob alone, and they traded. Carla was watching through the window. Bob met Carla "
        "alone, and they traded."
    )
    for question, answer in {
        "Does Carla have Anne's parcel?": "yes",
        "Does Bob think that Carla has Anne's parcel?": "yes",
        "Does Anne think that Bob has Anne's parcel?": "yes",
        "Does Carla think that Bob has Carla's parcel?": "yes",
        "Does Carla think that Bob thinks that Carla has Anne's parcel?": "yes",
        "Does Bob think that Carla thinks that Carla has Anne's parcel?": "no",
    }.items():
        asked = question.replace("Does Carla have", "Is it true that Carla has")
        assert set(derive(told, asked).answers.values()) == {answer}, question


def test_questions_about_knowledge_are_not_of_the_family():
    item = made(1, items=2, orders=(1,), pairs=True)[0]
    with pytest.raises(FormatError, match="is not about what"):
        derive(item.story, item.question.replace("think that", "know that"))


def test_the_order_of_hashes_does_not_matter():
    make = """
from kripke_werewolf.cli.main import cli
for family in ("announcements", "gossip"):
    cli(["forge", family, "--items", "4", "--seed", "3", "--pairs"], standalone_mode=False)
"""
    environments = ({**os.environ, "PYTHONHASHSEED": seed} for seed in ("1", "2"))
    run = partial(subprocess.run, [sys.executable, "-c", make], capture_output=True, check=True)
    one, two = (run(env=each).stdout.splitlines() for each in environments)
    assert one == two
    assert len(one) == 8


def test_pairs_are_balanced_and_no_shortcut_is_good():
    items = made(7, items=40, pairs=True)
    assert {item.order for item in items} == {1, 2, 3, 4}
    assert sum(item.answer == "yes" for item in items) == 20
    for name in [name for name in items[0].shortcuts if "notices" not in name or "ignore" in name]:
        assert sum(item.shortcuts[name] == item.answer for item in items) <= 20, name
    assert sum(item.order_needed == item.order for item in items) >= 10


held, perspective = gossip._held, noticed.occurrences.perspective
MUTANTS = {
    "trades change nothing": (gossip, "_held", lambda log: {}),
    "everybody sees everything": (noticed.occurrences, "perspective", lambda log, agent: log),
    "noticing is ignored": (
        noticed.occurrences, "perspective",
        lambda log, agent: perspective(tuple(e and e._replace(noticers=()) for e in log), agent),
    ),
    "one trade only": (gossip, "_held", lambda log: held(log[:1])),
}  # fmt: skip


@pytest.mark.parametrize("mutant", MUTANTS)
def test_mutants_of_the_second_engine_are_found(mutant, monkeypatch):
    texts = [(item.story, item.question) for item in made(11, items=40, pairs=True)]
    assert noticed_by(gossip, derive, texts, monkeypatch, *MUTANTS[mutant])


@each(["Anne sings.", "Zoe met Yan alone, and they traded."])
def test_sentences_of_other_stories_are_errors(wrong):
    item = made(1, items=1)[0]
    with pytest.raises(FormatError):
        derive(f"{item.story} {wrong}", item.question)
