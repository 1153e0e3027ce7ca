"""What players know by `reading="facts"`, against a list of all worlds and what happened there."""

import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import kripke_werewolf as kw
from kripke_werewolf.base.errors import DiagramTooLarge, ModelTooLarge
from kripke_werewolf.games.werewolf.events import PhaseEnded
from tests.games.werewolf.test_own_information import play
from tests.reference.facts import TooLarge, facts_model

GAMES = {
    "cisra": kw.preset("cisra"),
    "cisra, open tables": kw.preset("cisra", table="open"),
    "cisra, exact visions": kw.preset("cisra", vision_shows="role", vision_worlds="alive"),
    "gekka": kw.preset("gekka"),
    "gekka, attacks at once": kw.preset("gekka", first_attack=True),
    "straat": kw.preset("straat"),
}


@settings(max_examples=4)
@given(seed=st.integers(0, 2**32))
@pytest.mark.parametrize("rules", [rules for rules in GAMES if rules != "straat"])
def test_a_running_phase_of_a_classical_deal_has_a_move_left(rules: str, seed: int) -> None:
    chance = random.Random(seed)
    several = GAMES[rules].attackers == "dominant"  # the moves of lower wolves leave no trace
    names, wolves = ["Ann", "Bo", "Cy", "Di"], 1 + int(several and chance.random() < 0.3)
    game = kw.QuantumWerewolf(names, wolves=wolves, rules=GAMES[rules], deal="classical", rng=seed)
    game = play(game, chance, chance.randint(1, 8))
    passed_over = any(isinstance(e, PhaseEnded) and e.missing for step in game.steps for e in step)
    assume(game.size and game.verdict is None and not passed_over)
    try:
        model = facts_model(game, ["Ann", "Bo"], limit=20_000)
    except TooLarge:
        return
    for _ in range(3):
        f = kw.Atom(f"{chance.choice(['dead', 'wolf', 'seer'])}_{chance.choice(names)}")
        for question in about(chance.choice([f, ~f])):
            assert game.ask(question).verdict == model.verdict(question), (question, game.handout("Ann"))


def about(f: kw.Formula) -> list[kw.Formula]:
    """Questions about what one player knows, what they know of another's knowledge, and about both."""
    return [
        kw.K("Ann", f),
        kw.M("Bo", f),
        kw.K("Bo", kw.K("Ann", f)),
        kw.K("Ann", ~kw.K("Bo", f)),
        kw.C({"Ann", "Bo"}, f),
        kw.D({"Ann", "Bo"}, f),
    ]


def test_a_refusal_by_size_prints_powers_and_advises_what_can_work() -> None:
    game = kw.QuantumWerewolf([f"P{i}" for i in range(1, 13)], wolves=3, rules="cisra", targets="public")
    with pytest.raises(ModelTooLarge) as refused:
        game.model(limit=1)
    assert "public" not in str(refused.value)
    assert "symbolic engine" in str(refused.value)
    size = 8_682_887_408_469_703_833_600_000
    assert "about 10^25 worlds" in str(ModelTooLarge(size, 10, "the model", "ask less"))
    assert "need about 10^25 nodes" in str(DiagramTooLarge(size, 10))
