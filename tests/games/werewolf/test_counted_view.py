"""What one player knows, counted, against the model of their knowledge."""

import random
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kripke_werewolf as kw
from kripke_werewolf.base.errors import GameError
from kripke_werewolf.games.werewolf import questions
from kripke_werewolf.games.werewolf.counted import Counted
from kripke_werewolf.games.werewolf.engines import (
    MANY,
    Counting,
    Diagrams,
    ListedWorlds,
    counts_deaths,
    seen_worlds,
)
from kripke_werewolf.games.werewolf.game_models import build_model
from kripke_werewolf.games.werewolf.setup import Setup
from tests.cases import cases, each
from tests.games.werewolf.test_own_information import play

RULES: list[Any] = [
    "cisra",
    "gekka",
    "straat",
    kw.preset("cisra", table="open"),
    kw.preset("gekka", announce_vote="side", first_attack=True),
    kw.preset("cisra", announce_vote="role", announce_found="role", vision_shows="kind", table="open"),
    kw.preset("cisra", opening=("attacks", "visions"), vision_self=True, announce_found="kind"),
]
NAMES = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo"]


def known_by_counting(f: kw.Formula, known: kw.Told) -> bool:
    """Return whether a formula is true, each part asked of counting."""

    def true(part: kw.Formula) -> bool:
        if (cover := Counting().covers(known, part)).cost is None:
            raise GameError(cover.why)
        return Counting().verdict(known, part) == "true"

    return questions.settled(f, true) is kw.TRUE


def share(worlds: Counted, setup: Setup, atom: str) -> Fraction:
    """Return the share of the worlds in which a fact is true, such as `wolf_Bo` or `dead_Bo`."""
    fact, _, name = atom.partition("_")
    return Fraction(worlds.count(kw.Atom(f"{fact}_{setup.seat(name)}")), worlds.size)


def agree(game: kw.QuantumWerewolf, viewer: str) -> None:
    """Check every chance of a player's view against the model; pass over views that are not counted."""
    own = game.handout(viewer)
    worlds = seen_worlds(own)
    if isinstance(worlds, str):
        return
    model = build_model(own, [viewer], limit=10**6)
    weights = model.arrays.weight(viewer)
    facts = {*game.setup.deck.roles, "wolf", "good", *(("dead",) if counts_deaths(own) else ())}
    for atom in (f"{fact}_{subject}" for fact in facts for subject in game.players):
        true = int(np.sum(weights[model.arrays.valuation[atom]]))
        assert share(worlds, game.setup, atom) == Fraction(true, int(np.sum(weights))), atom


@pytest.mark.parametrize("rules", ["cisra", "gekka", "straat"])
def test_sixteen_players_are_counted_for_three_nights(rules: Any) -> None:
    game = kw.QuantumWerewolf([f"P{i}" for i in range(1, 17)], rules=rules, rng=1)
    nights = 0
    while nights < 3:
        voting = game.phase.kind == "vote"
        nights += "vision" in game.setup.actions(game.phase)
        game = game.vote_off(game.alive[-1]) if voting else game.end_phase(missing="random")
    assert game.verdict is None
    shares = game.knowledge(limit=1).shares  # so that no model would do
    for viewer in game.alive:
        assert sum(shares[viewer, subject]["wolf"] for subject in game.players) == game.setup.deck.wolves


@settings(max_examples=10, deadline=None)
@given(st.sampled_from(RULES), st.integers(4, 6), st.integers(1, 3), st.integers(0, 2**32 - 1))
def test_chances_are_those_of_the_model(rules: Any, players: int, wolves: int, seed: int) -> None:
    chance = random.Random(seed)
    game = kw.QuantumWerewolf(NAMES[:players], rules=rules, wolves=min(wolves, players - 2), rng=seed)
    for _ in range(30):
        if game.verdict is not None:
            break
        game = play(game, chance, 1)
        agree(game, chance.choice(game.players))


@each(["cisra", "gekka", "straat"])
def test_most_views_are_counted(rules: str) -> None:
    done = total = 0
    for seed in range(2):
        chance = random.Random(seed)
        game = kw.QuantumWerewolf(NAMES, rules=rules, wolves=2, rng=seed)  # type: ignore[arg-type]
        while game.verdict is None and len(game.steps) < 30:
            for name in game.players:
                done += not isinstance(seen_worlds(game.handout(name)), str)
                total += 1
            game = play(game, chance, 1)
    assert done > total / 2


@cache
def after_two_nights(players: int, wolves: int) -> kw.QuantumWerewolf:
    """Return a game in its second day under the rules `cisra`."""
    game = kw.QuantumWerewolf([f"P{i}" for i in range(1, players + 1)], wolves=wolves, rules="cisra", rng=3)
    while str(game.phase) != "day 2":
        voting = game.phase.kind == "vote"
        game = game.vote_off(game.alive[-1]) if voting else game.end_phase(missing="random")
    return game


def test_questions_are_answered_as_on_the_model() -> None:
    game = after_two_nights(6, wolves=2)
    for viewer in game.alive:
        known = game.handout(viewer)
        chance = share(seen_worlds(known), game.setup, "wolf_P2")  # type: ignore[arg-type]
        for question in (
            f"K_{viewer} ~(wolf_P2 & seer_P2)",
            f"K_{viewer} wolf_P2 | M_{viewer} (alpha_P2 & seer_P3)",
            f"P_{viewer}(wolf_P2) = {chance}",
            f"~K_{viewer} dominant_P4 & P_{viewer}(wolf_P2 | wolf_P4) > {chance}",
        ):
            explicit = game.ask(question, engine="explicit")
            assert known_by_counting(explicit.formula, known) == explicit.holds, question


def test_a_large_game_is_answered_by_counting() -> None:
    game = after_two_nights(16, wolves=4)
    assert game.setup.deck.worlds > MANY
    viewer, other = game.alive[:2]
    chance = share(seen_worlds(game.handout(viewer)), game.setup, f"wolf_{other}")  # type: ignore[arg-type]
    assert 0 < chance < 1
    assert game.ask(f"P_{viewer}(wolf_{other}) = {chance}").holds
    assert game.table(viewer=viewer, columns=["wolf"])[other, "wolf"] == chance
    assert game.knowledge().shares[viewer, other]["wolf"] == chance


def test_what_is_known_after_unnoticed_words_is_found_on_diagrams() -> None:
    game = kw.QuantumWerewolf(NAMES[:4], wolves=1, rules="gekka").vision("Ann", "Bo", result="human")
    game = game.private("Ann", "Bo", "~wolf_Cy", noticed=False)
    shares, seen = game.knowledge().shares, game.table(viewer="Bo")
    for name in NAMES[:4]:
        (chance,) = game.probabilities("Bo", f"wolf_{name}")
        assert seen[name, "wolf"] == shares["Bo", name]["wolf"] == chance


def test_timelines_of_large_games_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    game = after_two_nights(16, wolves=4)
    viewer, other = game.alive[:2]
    for engine in (ListedWorlds, Diagrams):
        monkeypatch.setattr(engine, "start", None)  # no model is built
    for question in (f"P_{viewer}(wolf_{other}) = 1/4", f"K_{viewer} ~wolf_{game.players[0]}"):
        *_, last = moments = game.timeline(question)
        assert moments[0].verdicts[0] == str(question.startswith("P")).lower()
        assert last.verdicts[0] == game.ask(question).verdict


@cases((15, "K_P1 (seer_P1 -> wolf_P2)"), (5, "P_P1(wolf_P2) > 1/14"), (5, "~K_P1 dead_P2 & M_P1 seer_P2"))
def test_questions_too_large_for_any_model_are_counted(wolves: int, question: str) -> None:
    game = kw.QuantumWerewolf([f"P{i}" for i in range(1, 71)], wolves=wolves, rules="cisra")
    answer = game.vision("P1", "P2", result="evil").ask(question)
    assert answer.holds
    assert answer.model is None
    assert answer.reasons() == ()


@cases(({"targets": "public"}, "secret targets"), ({"deal": "classical"}, "quantum deals"))
def test_what_is_not_counted_is_refused(settings: dict[str, Any], message: str) -> None:
    game = kw.QuantumWerewolf(NAMES, wolves=1, rng=1, **settings)
    assert message in str(seen_worlds(game.handout("Ann")))


def test_deaths_during_attacks_and_words_are_left_to_the_model() -> None:
    game = kw.QuantumWerewolf(NAMES, wolves=2, rules="cisra", rng=1).vision("Ann", "Bo", result="good")
    known = game.handout("Ann")
    assert known_by_counting(kw.parse("K_Ann ~dead_Bo"), known)
    with pytest.raises(GameError, match="cannot be counted"):
        known_by_counting(kw.parse("K_Ann K_Ann wolf_Bo"), known)
    claimed = game.claim("Bo", "~wolf_Bo").end_phase()
    assert "interrupted" in str(seen_worlds(claimed.handout("Ann")))
    night = game.end_phase().end_phase()
    assert night.phase.kind == "attacks"
    with pytest.raises(GameError, match="under way"):
        known_by_counting(kw.parse("K_Ann ~dead_Bo"), night.handout("Ann"))
