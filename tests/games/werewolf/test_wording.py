"""A game in words: the description of a deal is true in its world."""

import re
from pathlib import Path

import pytest

from kripke_werewolf import Atom, FormulaSyntaxError, QuantumWerewolf, replay
from kripke_werewolf.games.werewolf.actions import WorldName
from kripke_werewolf.games.werewolf.questions import world_in_words
from tests.cases import cases, each

NAMES = ["Ann", "Bo", "Cy", "Di", "Ed"]


CLAUSE = r"(\w+) is (?:the |an? )?(\w+(?: wolf)?)"


GAMES = {
    "cisra": QuantumWerewolf(NAMES, rules="cisra", wolves=2, rng=2).vision("Ann", "Bo"),
    "straat": QuantumWerewolf(NAMES, rules="straat", wolves=2, seers=2, rng=2).vision("Ann", "Bo"),
    "gekka": QuantumWerewolf(NAMES, rules="gekka", wolves=2, rng=2),
    "with the dead": replay(Path(__file__).parents[3] / "examples" / "games" / "five_players.jsonl"),
}


@each(GAMES)
def test_deals_are_described_as_they_are(name):
    game = GAMES[name]
    model = game.model(["Ann", "Bo"] if name == "cisra" else ["Ann"])
    for world in model.worlds:
        text = world_in_words(game.setup, world)
        assert text.startswith("the world where ")
        assert text.endswith(f" ({world})")
        said = text.removeprefix("the world where ").removesuffix(f" ({world})")
        atoms = set()
        for players, role in re.findall(CLAUSE, said):
            fact = {"seers": "seer", "wolves": "wolf"}.get(role, role.removesuffix(" wolf"))
            atoms |= {f"{fact}_{name}" for name in re.findall(r"[A-Z]\w+", players)}
        facts = [*game.setup.deck.roles[1:], "dead"]
        assert atoms == {atom for atom in model.atoms_at(world) if atom.partition("_")[0] in facts}


def test_the_dead_and_those_without_a_card():
    game = QuantumWerewolf(["Ann", "Bo", "Cy"], rules="straat", wolves=1, seers=0, rng=2)
    assert world_in_words(game.setup, WorldName("WVv")) == (
        "the world where Ann is a wolf, Ann is dead and Bo is dead (WVv)"
    )


@cases(
    ("Does player 2 know that player 4 is a wolf?", "K_2 wolf_4"),
    ("nobody knows that Di is a wolf", "~Sk_{Ann,Bo,Cy,Di,Ed} wolf_Di"),
    ("Ann doesn't know whether Bo is evil", "~Kw_Ann wolf_Bo"),
    ("is Bo not a wolf?", "~wolf_Bo"),
)
def test_games_are_asked_in_words(words, formula):
    game = GAMES["gekka"]
    assert game.ask(words).formula is game.ask(formula).formula
    assert game.ask(words).verdict == game.ask(formula).verdict
    assert game.since(words) == game.since(formula)
    (by_words,), (by_formula,) = (
        [moment.verdicts for moment in game.timeline(text)][-1] for text in (words, formula)
    )
    assert by_words == by_formula
    assert game.handout("Ann").ask(words).verdict == game.handout("Ann").ask(formula).verdict


@pytest.mark.parametrize("rules", GAMES)
def test_the_first_night_has_the_number_that_the_rules_give_it(rules):
    game = GAMES[rules]
    first = game.setup.rules.first_number
    assert game.ask("did Ann look at Bo in the first night?").formula == Atom(f"looked_Ann_Bo_{first}")


@pytest.mark.parametrize("rules", GAMES)
def test_other_questions_are_answered_by_formulas(rules):
    for asked in (GAMES[rules], GAMES[rules].handout("Ann")):
        who = asked.ask("who knows that Di is a wolf?")
        knowers = tuple(name for name in GAMES[rules].players if asked.ask(f"K_{name} wolf_Di").holds)
        assert who.names == knowers
        likely = asked.ask("how likely is it that Di is a wolf?")
        if asked is GAMES[rules]:
            assert likely.probability == asked.ask("wolf_Di").verdict.fraction
        else:  # what its owner thinks, not a share of worlds
            assert [likely.probability] == [*GAMES[rules].probabilities("Ann", "wolf_Di")]


def test_suggestions_about_a_game_name_its_atoms():
    with pytest.raises(FormulaSyntaxError) as caught:
        GAMES["cisra"].ask("K_Ann p=q")
    assert caught.value.meant is None
