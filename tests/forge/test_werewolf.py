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
from tests.renamed_stories import under_other_names

derive = WEREWOLF.derive


def made(seed, items=20, **knobs):
    return list(forged(WEREWOLF, WEREWOLF.knobs(**({"orders": (1, 2, 3)} | knobs)), items=items, seed=seed))


@pytest.mark.parametrize(("seed", "agents"), [(1, 3), (2, 4), (3, 5)])
def test_the_game_itself_gives_the_answers(seed, agents):
    for item in made(seed, items=12, agents=agents):
        game = replay(item.scene)
        assert isinstance(game, QuantumWerewolf)
        assert game.ask(item.formula).holds


@pytest.mark.parametrize("seed", [1, 2])
def test_other_names_change_nothing_else(seed):
    for item in made(seed, items=8):
        assert under_other_names(item, derive).formula == item.formula


def test_own_results_are_known_and_those_of_others_are_not():
    begins = werewolf._RULES.format(A="Anne, Bob and Carla", n=1)
    told = f"{begins} Anne looked at Bob and was told evil. Carla looked at Bob and was told good."
    asked = {
        "Does Anne know that Anne is the seer only if Bob is a wolf?": "yes",
        "Does Bob know that Anne is the seer only if Bob is a wolf?": "no",
        "Does Bob know that Anne knows whether Anne is the seer only if Bob is a wolf?": "no",
        "Does Carla know that Carla is the seer only if Bob is good?": "yes",
        "Does Carla think it possible that Anne knows that Anne is the seer only if Bob is good?": "yes",
        "Does Anne think it possible that Bob is good?": "yes",
    }
    for question, answer in asked.items():
        assert set(derive(told, question).answers.values()) == {answer}, question


def test_items_are_the_same_again_and_as_often_yes_as_no():
    items = made(5, items=40)
    assert made(5, items=40) == items
    assert [StoryItem.from_json(item.to_json()) for item in items] == items
    assert 15 <= sum(item.answer == "yes" for item in items) <= 25


@pytest.mark.parametrize(
    "mutant",
    [
        ("shown", lambda self, group, fact: self),
        ("shown", lambda self, group, fact: shown(self, range(len(self.cells)), fact)),
        ("holds", lambda self, chain, fact, at: holds(self, chain[::-1], fact, at)),
    ],
)
def test_mutants_of_the_second_engine_are_found(mutant, monkeypatch):
    texts = [(item.story, item.question) for item in made(11, items=60)]
    monkeypatch.setattr(Known, *mutant)
    assert any(len(set(derive(*text).answers.values())) > 1 for text in texts)


shown, holds = Known.shown, Known.holds


def test_what_is_not_possible_is_refused():
    with pytest.raises(GameError, match="no pairs"):
        made(1, pairs=True)
    with pytest.raises(FormatError, match="0 meanings"):
        derive(f"{made(1, items=1)[0].story} Anne sang.", "Does Anne know that Anne is good?")
