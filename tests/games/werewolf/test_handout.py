"""Handouts: everything a player may know, and equal for all games they cannot tell apart."""

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kripke_werewolf import IllegalMove, KripkeError, QuantumWerewolf, Told, UnknownNameError, preset, replay
from kripke_werewolf.games.werewolf.events import Declined
from tests.cases import cases
from tests.games.werewolf.test_own_information import night_with_a_known_wolf, play

NAMES = ["Ann", "Bo", "Cy", "Di"]


def random_game(names, rules, chance, *, steps=12, **settings):
    game = QuantumWerewolf(names, rules=rules, wolves=1, rng=chance.randrange(2**32), **settings)
    return play(game, chance, steps)


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32), targets=st.sampled_from(["secret", "public"]))
@pytest.mark.parametrize("rules", ["cisra", "gekka", "straat"])
def test_a_handout_has_every_message_to_the_player_and_none_to_others(rules, seed, targets):
    game = random_game(NAMES, rules, random.Random(seed), targets=targets)
    for player in NAMES:
        told = [text for told in game.handout(player).told for text in told]
        own = (f"{player} looks at ", f"{player} attacks ", f"{player} declines ")  # told in private
        announced = [m for m in game.messages if m.to is not None or not m.text.startswith(own)]
        assert told == [m.text for m in announced if m.to in (None, player)]


def test_the_number_of_worlds_is_told_where_the_rules_say_so():
    for rules, told in (("straat", True), ("gekka", False)):
        game = QuantumWerewolf(NAMES, rules=rules).end_phase()
        handout = game.handout("Bo")
        assert ("Left: " in str(handout)) == told
        assert (handout.entries[0].table.worlds is not None) == told


def test_cards_of_a_classical_deal():
    roles = ["alpha", "seer", "beta", "villager", "villager"]
    game = QuantumWerewolf([*NAMES, "Ed"], rules="gekka", wolves=2, deal="classical", roles=roles)
    assert game.handout("Ann").opening == ("Your role is alpha.", "The other wolves: Cy (beta).")
    assert game.handout("Bo").opening == ("Your role is seer.",)
    lonely = QuantumWerewolf(
        NAMES, rules="gekka", wolves=1, deal="classical", roles=["alpha", "seer", "v", "v"]
    )
    assert lonely.handout("Ann").opening[1] == "You are the only wolf."


def test_hostile_names_in_every_format():
    names = ["<script>", 'An"n *x*', "Bo|b", "🐺"]
    game = QuantumWerewolf(names, rules="straat", wolves=1, rng=1).end_phase(missing="random")
    handout = game.handout("<script>")
    assert "<script>" in str(handout)
    shown = handout._repr_mimebundle_()["text/html"]
    page = handout.document
    for text in (page.to_html(), page.to_page(), shown, page.to_markdown()):
        assert "<script>" not in text
        assert "&lt;script&gt;" in text
    assert "Bo\\|b" in page.to_markdown()
    assert json.loads(handout.to_json())["player"] == "<script>"
    with pytest.raises(UnknownNameError):
        game.handout("script")


def test_own_rules():
    rules = replace(preset("cisra"), name="mine", table="open", told="probabilities", table_at=("nightfall",))
    game = QuantumWerewolf(NAMES, rules=rules, wolves=1).end_phase().end_phase()
    handout = game.handout("Ann")
    assert handout.opening == ()
    assert handout.table is not None
    assert handout.entries[0].table is None
    assert dict(dict(handout.entries[0].chances)["Ann"]) == game.at(0).table()["Ann"]


def test_not_asked_is_told_from_declined_and_from_passed_over():
    start = QuantumWerewolf(NAMES, rules="cisra", wolves=1).vision("Bo", "Cy", result="evil").end_phase()
    assert start.handout("Ann").entries[0].move("Ann", "vision") == Declined("Ann", "vision")
    start = start.vote_off("Di", role="seer")
    asked = [start.attack("Ann", "Bo").end_phase().handout(name) for name in NAMES]
    assert [handout.entries[2].asked for handout in asked] == [{(name, "attack")} for name in NAMES[:3]] + [
        set()
    ]
    assert [handout.entries[3].asked for handout in asked] == [set()] * 4  # the seer is dead
    assert "You are passed over: you had an attack." in str(asked[1])
    assert "You are not asked for a vision." in str(asked[1])
    assert "not asked" not in str(asked[3])  # nobody asks the dead


@settings(max_examples=30)
@given(seed=st.integers(0, 2**32), targets=st.sampled_from(["secret", "public"]))
@pytest.mark.parametrize("rules", ["cisra", "gekka", "straat"])
@pytest.mark.parametrize("deal", ["quantum", "classical"])
def test_a_handout_is_exact_data(rules, deal, seed, targets):
    game = random_game(NAMES, rules, random.Random(seed), targets=targets, deal=deal)
    for player in NAMES:
        handout = game.handout(player)
        assert Told.from_dict(json.loads(handout.to_json())) == handout
        assert handout.alive == game.alive
        assert handout.verdict == game.verdict


@cases(
    ({"format": "a letter"}, "format 'kripke_werewolf handout'"),
    ({"version": 9}, "version 9 of handouts is unknown"),
    ({"player": "Zoe"}, "unknown player 'Zoe'"),
    ({"number": 7}, "7 cannot be the player's own number"),
    ({"settings": {"players": ["Ann"]}}, "the settings lack rules, wolves"),
    ({"phases": [{}]}, "the handout lacks 'phase'"),
    ({"table": {"columns": ["good"], "rows": [{"number": "1", "good": "1/0"}]}}, "not a table"),
    ({"table": {"columns": ["good"], "rows": [{"number": "x", "good": "1"}]}}, "rows of a table are 1, 2"),
)
def test_what_is_no_handout_is_refused(change, said):
    data = QuantumWerewolf(NAMES, rules="cisra", wolves=1).handout("Ann").to_dict() | change
    with pytest.raises(KripkeError, match=said):
        Told.from_dict(data)


def test_events_and_tables_about_others_are_refused():
    data = QuantumWerewolf(NAMES, rules="cisra", wolves=1).vision("Ann", "Bo").handout("Ann").to_dict()
    data["phases"][0]["events"][0]["target"] = "Zoe"
    with pytest.raises(KripkeError, match="unknown player 'Zoe'"):
        Told.from_dict(data)


def test_a_refused_attack_is_told_to_its_actor():
    game = night_with_a_known_wolf()
    with pytest.raises(IllegalMove, match="Bo is a wolf in every remaining world"):
        game.attack("Ann", "Bo")
    refused = game.refuse("Ann", "Bo")
    assert refused.handout("Ann").entries[-1].refused("Ann") == ("Bo",)
    assert "You cannot attack Bo, who is a wolf in every world" in str(refused.handout("Ann"))
    assert refused.handout("Bo") == game.handout("Bo")
    f = "dominant_Ann -> wolf_Bo"
    assert not game.ask(f"K_Ann ({f})").holds
    assert refused.ask(f"K_Ann ({f}) & ~K_Bo ({f})").holds
    by_tables = refused.ask(f"K_Ann ({f})", reading="exact")
    assert by_tables.reasons() == ("the refused attack of Ann in night 2, attacks",)
    assert replay(refused.log) == refused
    assert refused.may_act == game.may_act
    for target, said in (("Cy", "the attack is allowed"), ("Ann", "no attack on oneself")):
        with pytest.raises(IllegalMove, match=said):
            game.refuse("Ann", target)


def test_a_player_may_be_called_like_a_result():
    game = QuantumWerewolf(["human", "Bo", "Cy"], wolves=1, rules="gekka").vision("Bo", "Cy", result="human")
    (seen,) = game.handout("Bo").events
    assert seen.named == {"Bo", "Cy"}
