"""Players' knowledge of each other, and joint and common, with the numbers of tables: all histories."""

import random
import re
from pathlib import Path

import pytest

from kripke_werewolf import GameError, QuantumWerewolf, Undecided, preset
from kripke_werewolf.games.werewolf.budget import Budget
from kripke_werewolf.games.werewolf.engines import knowers_in
from kripke_werewolf.games.werewolf.inference import Replay, infer, replay
from kripke_werewolf.games.werewolf.questions import AskedOfGame
from kripke_werewolf.games.werewolf.sheets import read_sheet
from kripke_werewolf.games.werewolf.told import told
from kripke_werewolf.games.werewolf.vocabulary import resolve
from tests.cases import cases
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


def with_attacks():
    """With one wolf visions and attacks are one player's in every world, but only a vision has a result."""
    game = QuantumWerewolf(NAMES, wolves=1, rules=preset("straat", table="open", told="nothing"), rng=3)
    for name, target in zip(NAMES, ("Bo", "Cy", "Ann"), strict=True):
        game = game.vision(name, target).attack(name, target)
    return game


def with_chances(seed, moves):
    """A game in which players are told their probabilities, so that every history is listed."""
    rules = preset("straat", table="open", opening=("visions",), cycle=("vote", "visions", "attacks"))
    game = QuantumWerewolf(NAMES, wolves=1, rules=rules, rng=seed)
    for name in NAMES[:moves]:
        game = game.vision(name, NAMES[NAMES.index(name) - seed])
    return game


@cases(
    lambda: after_visions("gekka", 2),
    lambda: after_visions(OPEN, 6),
    lambda: after_visions(SEERS, 4, 2),
    lambda: QuantumWerewolf(NAMES, wolves=1, seers=0, rules=OPEN, rng=1).end_phase(),
    with_attacks,
    lambda: with_chances(3, 2),
    lambda: with_chances(2, 3).vote_off("Cy"),
)
def test_answers_are_those_of_the_model_of_all_histories(made):
    game = made()
    literal = Everybody(game).model(game, NAMES[:2] if made is with_attacks else NAMES)
    for question in OF_TWO if made is with_attacks else QUESTIONS:
        asked = question if game.setup.deck.seers else question.replace("seer", "wolf")
        assert game.ask(asked, reading="exact").verdict == literal.verdict(asked), asked


OF_TWO = [question for question in QUESTIONS if "K_Cy" not in question]  # three players' records take long
DEAL = r"the world where (\w+ is (the|an?) [\w ]+(, | and )?)+"


@pytest.mark.parametrize(("rules", "seed"), [("gekka", 2), (OPEN, 6)])
def test_explanations_name_deals_and_histories(rules, seed):
    game = after_visions(rules, seed)
    for question in [*OF_TWO[::2], "P_Ann(wolf_Cy) > 1/4", "K_Ann (P_Bo(wolf_Cy) >= 1/4)"]:
        answer = game.ask(question, reading="exact")
        why = answer.explain()
        assert (why.formula, why.value) == (answer.formula, answer.holds)
        assert re.search(DEAL, str(why)), why
        assert not re.search("Record|frozenset|believe", str(why)), why
        names = [str(node.world) for node in why if node.world is not None]
        assert names
        assert all(re.fullmatch(r"[sva]{3}( \w+:\S+( \w+)?)*", name) for name in names), names


def test_all_histories_are_a_model_of_what_several_know():
    game = after_visions("gekka", 2)
    literal = Everybody(game).model(game, NAMES)
    for question in [*OF_TWO[:4], *OF_TWO[6:8], *OF_TWO[10:]]:
        f = resolve(game.setup, question)
        model = Replay(told(game, *knowers_in(f)), ["Ann", "Bo"]).model(f)
        assert model.verdict(f) == literal.verdict(question), question
        assert {model.frame_class(agent) for agent in model.agents} == {"S5"}
    f = resolve(game.setup, "K_Ann (P_Bo(wolf_Cy) >= 0)")
    model = Replay(told(game, "Ann"), ["Ann", "Bo"], weighted=True).model(f)
    assert set(model.probabilities("Ann", "wolf_Cy")) == {infer(game.handout("Ann")).chance("wolf_Cy")}
    assert infer(game.handout("Bo")).chance("wolf_Cy") in model.probabilities("Bo", "wolf_Cy")


def test_common_knowledge_rests_on_the_entry_of_the_table():
    answer = after_visions("gekka", 2).ask("C_{Ann,Bo} ~wolf_Ann", reading="exact")
    assert answer.holds
    assert answer.reasons() == ("the table of night 1 says that Ann is human with certainty (100%)",)


def test_what_others_know_while_they_may_have_moved():
    """Anybody may have moved in the phase that is running, or not."""
    game = QuantumWerewolf(NAMES, wolves=1, rules=OPEN, rng=3).vision("Ann", "Bo", result="good")
    literal = Everybody(game).model(game, NAMES[:2])
    for question in [q for q in QUESTIONS if "Cy" not in q.split("_")[1] and "K_Cy" not in q]:
        answer = game.ask(question, reading="exact")
        assert answer.verdict == literal.verdict(question), question
    with pytest.raises(GameError, match="has not ended has no probability"):
        game.ask("P_Ann(K_Bo wolf_Ann) > 0", reading="exact")


def test_only_published_numbers_are_read():
    for question in ["K_Ann wolf_Bo", "K_Ann K_Bo wolf_Bo", "E_{Ann,Bo} wolf_Cy", "C_{Bo,Cy} wolf_Bo"]:
        for rules in ["straat", "cisra"]:
            dealt = QuantumWerewolf(NAMES, rules=rules, wolves=1, deal="classical", rng=1)
            sampled = QuantumWerewolf(NAMES, rules=rules, wolves=1, sample=3, rng=1)
            for game, why in ((dealt, "no table is published"), (sampled, "shows no exact tables")):
                with pytest.raises(GameError, match=why):
                    game.ask(question, reading="exact")


def test_what_everybody_knows_is_asked_player_by_player():
    game = QuantumWerewolf([*NAMES, "Di"], wolves=1, rules="straat")
    assert not game.ask("E_{Ann,Bo} ~wolf_Bo", reading="exact").holds
    told_of = QuantumWerewolf(NAMES, wolves=1, rules="gekka").vision("Ann", "Bo", result="wolf")
    why = told_of.ask("K_Bo K_Ann (seer_Ann -> wolf_Bo)", reading="exact").explain()
    assert why.value is False


def test_too_many_histories_are_not_listed(monkeypatch):
    monkeypatch.setattr(replay, "MOST_HISTORIES", 50)
    game = QuantumWerewolf(NAMES, wolves=1, rules="straat", rng=1)
    with pytest.raises(GameError, match=r"over 50 histories.*reading='facts'"):
        game.ask("K_Ann K_Bo wolf_Cy", reading="exact")
    with pytest.raises(GameError) as error:
        game.ask("K_Ann K_Bo wolf_Cy", reading="exact", timeout=60)
    assert "timeout" not in str(error.value)  # more time would not help


def test_what_was_announced_is_common_knowledge_without_a_search(monkeypatch):
    monkeypatch.setattr(replay, "MOST_HISTORIES", -1)
    sheet = Path(__file__).parents[3] / "examples" / "sheets" / "schroedingers-wolves.txt"
    found = infer(read_sheet(sheet.read_text(encoding="utf-8")))
    assert found.ask("K_4 C_{1,2} (good_7 | wolf_1)") == found.ask("C_{1,2,3} D_{1,2} ~wolf_7") == "true"


def test_the_entries_are_sought_within_the_time_of_the_question():
    game, budget = after_visions("gekka", 2), Budget(600)
    answer = AskedOfGame.of(game, "K_Bo ~wolf_Ann", reading="exact", budget=budget).answer()
    assert answer.reasons()
    budget.seconds = 1e-9
    with pytest.raises(Undecided, match="time ran out before the entries on which K_Bo ~wolf_Ann"):
        answer.reasons()
