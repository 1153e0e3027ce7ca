"""Secrecy: what others see of a player's choice; that equal handouts give equal views is audited."""

import json
import random
from itertools import islice, pairwise

import pytest

from kripke_werewolf import QuantumWerewolf, preset
from kripke_werewolf.games.werewolf.log import HouseRules
from kripke_werewolf.play.tabletop import PHONES, Choose, EndPhase, Sitting, Vote
from kripke_werewolf.play.tabletop.views import (
    Archive,
    master_view,
    player_view,
    public_view,
    table_view,
    view_bytes,
)
from tests.games.werewolf.test_own_information import night_with_a_known_wolf

NAMES = ["Ann", "Bo", "Cy", "Di", "Ed"]
HOUSE = HouseRules(ballot="open", ties="nobody")


def evening(rules, deal, targets, secret, public, house=HOUSE, steps=60):
    """Yield the sitting after every command; public and secret ones have two sources of chance."""
    rules = preset(rules)
    numbers = "shuffled" if rules.table == "anonymous" else None
    settings = {"deal": deal, "targets": targets, "numbers": numbers, "wolves": 1, "rng": secret}
    sitting = Sitting(
        game=QuantumWerewolf(NAMES, rules=rules, **settings), manner=PHONES, house=house, seed=secret
    )
    hidden, seen = random.Random(secret), random.Random(public)
    for _ in range(steps):
        game = sitting.game
        if game.verdict is not None:
            return
        if game.phase.kind == "vote":
            name, target = sitting.waiting_for[0], seen.choice(["Ann", "Bo", None])
            sitting, _ = sitting.submit(name, Vote(name, target if target in game.alive else None))
        elif sitting.open:
            name, action = sitting.open[0]
            others = [other for other in game.alive if other != name]
            sitting, answer = sitting.submit(name, Choose(name, action, hidden.choice(others)))
            if not answer.accepted:
                sitting, _ = sitting.submit(None, EndPhase("pass"))
        yield sitting


@pytest.mark.parametrize("rules", ["cisra", "gekka", "straat"])
@pytest.mark.parametrize("deal", ["quantum", "classical"])
def test_by_night_the_others_see_only_that_one_more_has_answered(rules, deal):
    """Not who it was, whether it counts, and whom they chose."""
    archive, changes = Archive(), 0
    for before in evening(rules, deal, "secret", 4, 4):
        if before.game.phase.kind == "vote" or before.game.verdict is not None or not before.open:
            continue
        name, action = before.open[0]
        seen = set()
        for target in before.game.alive:
            after, answer = before.submit(name, Choose(name, action, target))
            if not answer.accepted or after.moment != before.moment:
                continue
            others = [n for n in NAMES if n != name]
            views = [view_bytes(player_view(after, n, archive)) for n in others]
            seen.add((*views, view_bytes(public_view(after, archive))))
        assert len(seen) < 2
        changes += len(seen)
    assert changes > 5


def test_a_refused_attack_changes_no_other_view():
    sitting = Sitting(game=night_with_a_known_wolf(), manner=PHONES)
    after, answer = sitting.submit("Ann", Choose("Ann", "attack", "Bo"))
    assert not answer.accepted
    archive = Archive()
    for name in NAMES[1:4]:
        assert view_bytes(player_view(after, name, archive)) == view_bytes(
            player_view(sitting, name, archive)
        )
    assert view_bytes(public_view(after, archive)) == view_bytes(public_view(sitting, archive))
    (question,) = player_view(after, "Ann", archive)["ask"]
    assert question["refused"] == ["Bo"]
    assert question["targets"] == ["Bo", "Cy", "Di"]  # the list of names is the same for all


def test_a_view_kept_for_a_step_is_that_of_a_game_played_anew():
    kept = Archive()
    for sitting in islice(evening("straat", "quantum", "secret", 2, 2), 0, None, 4):
        fresh = Archive()
        for name in NAMES:
            assert player_view(sitting, name, kept) == player_view(sitting, name, fresh)
            assert kept.at(sitting.game).handout(name) == sitting.game.handout(name)


def test_secret_ballots_show_who_has_voted_and_no_more():
    house = HouseRules(ballot="secret")
    archive, seen = Archive(), set()
    for target in ("Ann", "Bo", None):
        sitting = Sitting(
            game=QuantumWerewolf(NAMES, rules="gekka", wolves=1, rng=1), manner=PHONES, house=house
        )
        sitting, _ = sitting.submit(None, EndPhase("pass"))
        sitting, answer = sitting.submit("Cy", Vote("Cy", target))
        assert answer.accepted
        vote = player_view(sitting, "Cy", archive)["vote"]
        assert (vote["answered"], vote["target"]) == (True, target)
        seen.add(
            (view_bytes(player_view(sitting, "Ann", archive)), view_bytes(public_view(sitting, archive)))
        )
        assert public_view(sitting, archive)["ballot"]["voted"] == ["Cy"]
    assert len(seen) == 1


def test_the_game_master_sees_everything():
    sitting = Sitting(game=QuantumWerewolf(NAMES, rules="gekka", wolves=1, rng=1), manner=PHONES)
    sitting, _ = sitting.submit("Ann", Choose("Ann", "vision", "Bo"))
    view = master_view(sitting, Archive())
    assert view["choices"] == [
        {"actor": "Ann", "action": "vision", "target": "Bo", "result": None, "counts": True}
    ]
    assert view["waiting_for"] == ["Bo", "Cy", "Di", "Ed"]
    json.dumps(view)


def test_the_news_of_the_night_stay_for_the_day():
    """On every screen, with every vote."""
    for sitting in islice(evening("gekka", "quantum", "secret", 3, 3, steps=200), 0, None, 3):
        game = sitting.game
        if game.phase.kind == "vote" and game.verdict is None:
            feed = json.dumps(public_view(sitting, Archive())["feed"])
            public = [message.text for message in game.messages if message.to is None]
            assert all(text in feed for text in public if not text.startswith("End of "))
            last = public_view(sitting, Archive())["feed"][-1]["lines"]
            assert any("found dead" in text for text in last)  # somebody, or nobody


def test_news_of_a_day_and_a_night_in_which_nothing_happens():
    game = QuantumWerewolf(NAMES, rules="cisra", wolves=1, rng=1)
    sitting = Sitting(game=game, manner=PHONES, house=HouseRules(missing="pass"))
    for _ in range(4):
        sitting, answer = sitting.submit(None, EndPhase("pass"))
        assert answer.accepted
    feed = public_view(sitting, Archive())["feed"]
    assert [(page["phase"], page["lines"][-1]) for page in feed][0::3] == [
        ("night 1, visions", "Nobody is found dead."),
        ("night 2, visions", "Nobody is found dead."),
    ]
    assert feed[1]["lines"] == ["Nobody is voted off."]
    assert "Passed over" in feed[2]["lines"][0]


@pytest.mark.parametrize("rules", ["cisra", "gekka", "straat"])
@pytest.mark.parametrize("seed", range(3))
def test_a_table_that_stays_up_says_as_of_when_it_is(rules, seed):
    """Besides that it is, byte for byte, the table that was made public."""
    phase, made, dated = None, None, 0
    for before, now in pairwise(evening(rules, "quantum", "secret", seed, seed, steps=120)):
        if now.game.steps != before.game.steps and now.game.table_due:
            phase, made = before.game.phase, table_view(now.game.table(public=True))
        view = public_view(now, Archive())
        table = dict(view["table"] or {})
        if made is not None:
            assert table.pop("since") == f"As of the end of {phase}."
            assert view_bytes(table) == view_bytes(made)
            dated += view["kind"] == "night"
        assert "since" not in table
    assert dated
