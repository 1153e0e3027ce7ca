"""Stories of gossip: two engines, the English, and the depth of the pairs."""

import os
import re
import subprocess
import sys
from functools import partial

import pytest

from kripke_werewolf import FormatError, KripkeModel, bisimilar
from kripke_werewolf.research.forge import forged, gossip
from kripke_werewolf.research.forge.gossip import GOSSIP
from kripke_werewolf.research.stories import occurrences, story
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


def about_the_parcel(item):
    """Return the model after a story, without the facts about other parcels than the one asked about."""
    data = story("\n".join(item.scene)).history().model.to_dict()
    asked = re.search(r"parcel_of_\w+_in_", item.formula)[0]
    data["valuation"] = {atom: own for atom, own in data["valuation"].items() if atom.startswith(asked)}
    return KripkeModel.from_dict(data).contract()


KINDS = {"pairs": True, "orders": (1, 2, 3, 4), "events": 3}, {"quadruples": True, "orders": (1, 2)}


@each(KINDS, SEEDS)
def test_groups_are_alike_up_to_the_depth_before_their_order_and_no_further(knobs, seed):
    for group in groups(made(seed, items=12, batch=5, **knobs)):
        need_their_order(group, GOSSIP)
        models = [about_the_parcel(item) for item in group]
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
        "Who really has Anne's parcel?": "Carla",
        "Who does Bob think has Anne's parcel?": "Carla",
        "Who does Anne think has Anne's parcel?": "Bob",
        "Who does Carla think has Carla's parcel?": "Bob",
        "Who does Carla think that Bob thinks has Anne's parcel?": "Carla",
        "Who does Bob think that Carla thinks has Anne's parcel?": "Anne",
    }.items():
        assert set(derive(told, question).answers.values()) == {answer}, question


@each(["Who does Zoe think has Anne's parcel?", "Does Anne have Anne's parcel?", "Who knows?"])
def test_other_questions_are_not_of_the_family(question):
    with pytest.raises(FormatError, match="is not about who"):
        derive(gossip._RULES.format(A="Anne, Bob and Carla"), question)


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
    for name in [name for name in items[0].shortcuts if "notices" not in name or "ignore" in name]:
        assert sum(item.shortcuts[name] == item.answer for item in items) <= 20, name
    assert sum(item.order_needed == item.order for item in items) >= 10


place_in, perspective = occurrences.place_in, occurrences.perspective
MUTANTS = {
    "trades change nothing": (occurrences, "place_in", lambda log: place_in(log[:1])),
    "everybody sees everything": (occurrences, "perspective", lambda log, agent: log),
    "noticing is ignored": (
        occurrences, "perspective",
        lambda log, agent: perspective(tuple(e and e._replace(noticers=()) for e in log), agent),
    ),
    "one trade only": (occurrences, "place_in", lambda log: place_in(log[:2])),
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
