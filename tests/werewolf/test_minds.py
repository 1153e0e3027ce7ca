"""Players' knowledge of each other, and joint and common, with the numbers of tables: all histories."""

import random

import pytest

from kripke_werewolf import QuantumWerewolf
from kripke_werewolf.errors import GameError
from kripke_werewolf.werewolf import preset
from kripke_werewolf.werewolf.inference import minds
from tests.reference.histories import Everybody

NAMES = ("Ann", "Bo", "Cy")
OPEN = preset("cisra", table="open")
SEERS = preset("gekka", several_seers=True)

QUESTIONS = [
    "K_Ann K_Bo ~wolf_Ann",
    "K_Ann (seer_Ann -> M_Bo wolf_Cy)",
    "K_Ann (wolf_Bo -> K_Bo wolf_Bo)",
    "M_Ann K_Bo seer_Bo",
    "K_Ann M_Bo K_Ann wolf_Cy",
    "M_Bo Kw_Ann seer_Cy",
    "D_{Ann,Bo} wolf_Cy",
    "D_{Ann,Bo} (seer_Ann -> good_Bo)",
    "K_Cy D_{Ann,Bo} (seer_Ann -> good_Bo)",
    "Dw_{Ann,Bo} seer_Cy",
    "C_{Ann,Bo} ~wolf_Ann",
    "C_{Ann,Bo} (wolf_Ann | good_Ann)",
    "C_{Ann,Bo} (K_Ann wolf_Cy -> M_Bo wolf_Cy)",
    "K_Cy C_{Ann,Bo} ~seer_Ann",
    "E_{Ann,Bo} E_{Ann,Bo} ~wolf_Cy",
]


def after_visions(rules, seed, seers=1):
    """A game of three players in which everybody has looked at somebody."""
    chance = random.Random(seed)
    game = QuantumWerewolf(NAMES, wolves=1, seers=seers, rules=rules, rng=seed)
    for name in NAMES:
        game = game.vision(name, chance.choice(game.legal_targets(name, "vision")))
    return game


@pytest.mark.parametrize(("rules", "seed", "seers"), [("gekka", 2, 1), (OPEN, 6, 1), (SEERS, 4, 2)])
def test_answers_are_those_of_the_model_of_all_histories(rules, seed, seers):
    game = after_visions(rules, seed, seers)
    literal = Everybody(game).model(game, NAMES)
    for question in QUESTIONS:
        assert game.ask(question, reading="table").verdict == literal.verdict(question), question


def test_what_others_know_while_they_may_have_moved():
    """Those in the question may have moved in the phase that is running, or not."""
    game = QuantumWerewolf(NAMES, wolves=1, rules=OPEN, rng=3).vision("Ann", "Bo", result="good")
    literal = Everybody(game, moving=(0, 1)).model(game, NAMES[:2])
    for question in [q for q in QUESTIONS if "Cy" not in q.split("_")[1] and "K_Cy" not in q]:
        answer = game.ask(question, reading="table")
        assert answer.verdict == literal.verdict(question), question
    with pytest.raises(GameError, match="has not ended has no probability"):
        game.ask("P_Ann(K_Bo wolf_Ann) > 0", reading="table")


def test_too_many_records_are_refused(monkeypatch):
    monkeypatch.setattr(minds, "MOST_RECORDS", 3)
    game = after_visions("gekka", 1)
    with pytest.raises(GameError, match="reading='facts' answers it"):
        game.ask("C_{Ann,Bo} (K_Ann wolf_Cy -> M_Bo wolf_Cy)", reading="table")
