"""Exact chances of blind play: against every game of few players, and against games drawn for more."""

from collections import Counter
from fractions import Fraction

import pytest

import kripke_werewolf as kw
from kripke_werewolf.base.errors import GameError
from kripke_werewolf.games.werewolf import Role, SecretAct, decks
from kripke_werewolf.games.werewolf.decks import blind_chances, suggested_cards
from kripke_werewolf.games.werewolf.state import is_compulsory
from tests.cases import cases

SENTRY = Role(
    name="sentry",
    acts=(
        SecretAct(name="watch", by="sentry_{i} & ~dead_{i}", when="evening", change=(("safe_{t}", "true"),)),
    ),
    nightly=("safe",),
    shield="safe_{t}",
)


def new_game(players, cards, rules="cisra", rng=0, **settings):
    names = [f"P{seat}" for seat in range(players)]
    return kw.QuantumWerewolf(names, cards=cards, rules=rules, deal="classical", rng=rng, **settings)


def ways(game, visions):
    """Return the games after each of the choices that are as likely as each other."""
    if game.may_act:
        name, actions = next(iter(game.may_act.items()))
        action = actions[0]
        if action == "vision" and not visions:  # which changes nothing, and is declined
            return [game.decline(name)]
        choices = game.legal_choices(name, action).values()
        after = [game.do(name, action, *targets) for targets in choices]
        if action != "take" and not is_compulsory(game.setup, action):
            after.append(game.decline(name, action=action))
        return after or [game.end_phase(missing="pass")]
    if game.phase.kind == "vote":
        return [game.vote_off(name) for name in game.alive]
    return [game.end_phase()]


def enumerated(game, visions):
    """Return the chances of the verdicts by playing every game."""
    if game.verdict is not None:
        return Counter({game.verdict: Fraction(1)})
    total, following = Counter(), ways(game, visions)
    for after in following:
        for verdict, chance in enumerated(after, visions).items():
            total[verdict] += chance / len(following)
    return total


SMALL = [
    (5, {}, {"wolves": 1}),
    (5, {"hunter": 1}, {"wolves": 1}),
    (4, {"bodyguard": 1}, {"wolves": 1}),
    (4, {"hunter": 2, "seer": 0}, {"wolves": 1}),
    (4, {"fox": 1}, {"wolves": 1}),
    (4, {"cupid": 1, "hunter": 1, "seer": 0}, {"wolves": 1}),
    (4, {"witch": 1, "seer": 0}, {"wolves": 1}),
    (4, {"drunk": 1}, {"wolves": 1}),
    (5, {"seer": 0}, {"wolves": 2}),
]


@pytest.mark.parametrize(("players", "cards", "settings"), SMALL)
def test_few_players_against_every_game(players, cards, settings):
    found = blind_chances(players, cards=cards, **settings)
    assert sum(found.values()) == 1
    game = new_game(players, cards, **settings)
    assert found == enumerated(game, "fox" in cards)


@cases({"evil_wins": "all wolves"}, {"verdict_after": "lynching"}, {"opening": ("visions", "attacks")})
def test_other_rules_against_every_game(change):
    rules = kw.preset("cisra", **change)
    found = blind_chances(4, wolves=1, cards={"hunter": 1}, rules=rules)
    assert found == enumerated(new_game(4, {"hunter": 1}, rules, wolves=1), visions=False)


def test_neither_the_order_of_cards_nor_their_names_matter():
    one = blind_chances(8, cards={"hunter": 1, "bodyguard": 1})
    assert blind_chances(8, cards={"bodyguard": 1, "hunter": 1}) == one
    assert blind_chances(8, cards={SENTRY: 1, "hunter": 1}) == one
    assert blind_chances(7, cards={"drunk": 1}) == blind_chances(7, cards={Role(name="mayor"): 1})


@pytest.mark.parametrize("players", [5, 6, 11, 12, 15, 20])
def test_every_suggested_deck_has_exact_chances(players):
    found = blind_chances(players, cards=suggested_cards(players))
    assert sum(found.values()) == 1
    assert found["village"] > 0


@cases(
    (lambda: blind_chances(6, rules="straat"), "attacks take fractions of a life"),
    (lambda: blind_chances(6, rules="gekka"), "the order of the turns in a night matters"),
    (lambda: blind_chances(6, rules=kw.preset("cisra", burnings=2)), "how many players are voted off"),
    (lambda: suggested_cards(4), "decks are suggested for 5 to 20"),
    (lambda: suggested_cards(21), "decks are suggested for 5 to 20"),
)
def test_what_has_no_exact_chances_is_refused_with_the_reason(call, reason):
    with pytest.raises(GameError, match=reason):
        call()


def test_too_many_states_are_refused(monkeypatch):
    monkeypatch.setattr(decks, "MOST_STATES", 20)
    with pytest.raises(GameError, match="more than 20 states"):
        blind_chances(9, cards={"bodyguard": 1})
