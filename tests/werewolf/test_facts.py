"""What players know by `reading="facts"`, against a list of all worlds and what happened there."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kripke_werewolf as kw
from kripke_werewolf.werewolf.draws import Chance
from tests.reference.facts import TooLarge, facts_model
from tests.werewolf.test_own_information import play

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
@pytest.mark.parametrize("targets", ["secret", "public"])
@pytest.mark.parametrize("rules", GAMES)
def test_answers_are_those_of_the_listed_worlds(rules: str, targets: Any, seed: int) -> None:
    chance = random.Random(seed)
    names = ["Ann", "Bo", "Cy", "Di"][: 3 if rules == "straat" else 4]
    seers = int(chance.random() < 0.8)
    start = kw.QuantumWerewolf(names, wolves=1, seers=seers, rules=GAMES[rules], targets=targets)
    game = play(start.with_draw(Chance(seed)), chance, chance.randint(2, 12))
    if not game.size or game.verdict is not None:
        return
    try:
        model = facts_model(game, ["Ann", "Bo"], limit=4_000)
    except TooLarge:
        return
    roles = game.setup.deck.roles
    ranks = ["dominant"] if game.rules.ranked else []
    facts = [f"{fact}_{name}" for fact in (*roles, "wolf", "dead", *ranks) for name in names]
    for _ in range(3):
        fact = kw.Atom(chance.choice(facts))
        for question in _about(chance.choice([fact, ~fact])):
            assert game.ask(question).verdict == model.verdict(question), (question, game.handout("Ann"))


def _about(f: kw.Formula) -> list[kw.Formula]:
    """Questions about what one player knows, what they know of another's knowledge, and about both."""
    return [
        kw.K("Ann", f),
        kw.K("Bo", kw.K("Ann", f)),
        kw.K("Ann", ~kw.K("Bo", f)),
        kw.C({"Ann", "Bo"}, f),
        kw.D({"Ann", "Bo"}, f),
    ]
