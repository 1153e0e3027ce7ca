"""Advice and robots; both are functions of what the player was told."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kripke_werewolf import PRESETS, GameError, LogFile, QuantumWerewolf, preset
from kripke_werewolf.base.reports.tables import shown
from kripke_werewolf.base.wording import LANGUAGES, Sentence
from kripke_werewolf.games.werewolf.declarations import declared
from kripke_werewolf.games.werewolf.events import Vision
from kripke_werewolf.games.werewolf.log import HouseRules
from kripke_werewolf.games.werewolf.roles import TAKE
from kripke_werewolf.games.werewolf.rulesheet import what_it_does
from kripke_werewolf.play.tabletop import (
    DEVICE,
    PHONES,
    Choose,
    EndPhase,
    Keeper,
    Robots,
    Sitting,
    Undo,
    Vote,
)
from kripke_werewolf.play.tabletop.advice import night_changes, robot_answer, robot_names, whom_to_name
from kripke_werewolf.play.tabletop.views import Archive, player_view

NAMES = ["Ann", "Bo", "Cy", "Di", "Ed"]
MANY = [*NAMES, "Flo", "Gus", "Hal"]
CARDS = {"cupid": 1, "bodyguard": 1, "witch": 1, "hunter": 1, "fox": 1}


def played(rules, seed, phases, names=NAMES, **more):
    """Return a game after some phases of random moves."""
    rules = preset(rules) if isinstance(rules, str) else rules
    numbers = "shuffled" if rules.table == "anonymous" else None
    game = QuantumWerewolf(names, rules=rules, wolves=1, numbers=numbers, rng=seed, **more)
    for _ in range(phases):
        if game.verdict is None:
            voting = game.phase.kind == "vote" and not game.state.naming
            game = game.vote_off(game.alive[-1]) if voting else game.end_phase(missing="random")
    return game


# --- what an action does -----------------------------------------------------------------------------


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("deal", ["quantum", "classical"])
def test_every_action_is_explained_in_every_language(rules, deal):
    """By its declaration, in two sentences, without a word that a catalogue lacks."""
    decks = [{}, CARDS] if preset(rules).attack != "fractional" else [{}, {"cupid": 1, "hunter": 1}]
    for cards in [*decks, *([{"drunk": 1}] if rules != "straat" else [])]:
        setup = QuantumWerewolf(MANY, rules=rules, wolves=1, cards=cards, deal=deal).setup
        for action in (*declared(setup).acts, TAKE, "vote"):
            said = [what_it_does(setup, action).told(language) for language in LANGUAGES]
            assert len({*said}) == len(LANGUAGES)
            assert all("{" not in text and "_" not in text for text in said)
            assert said[0].count(". ") + 1 >= 2, said[0]
            assert ("worlds" in said[0]) == (deal == "quantum") or action in (TAKE, "vote")


# --- what a night changed ----------------------------------------------------------------------------


@settings(max_examples=12, deadline=None)
@given(
    rules=st.sampled_from(["cisra", "gekka", "straat"]), seed=st.integers(0, 2**20), phases=st.integers(1, 7)
)
def test_what_changed_is_so(rules, seed, phases):
    """Looks and lost roles follow from the handout; chances are those of the own row of the table."""
    game = played(rules, seed, phases)
    for name in game.players:
        known = game.handout(name)
        line = night_changes(known)
        deck = known.setup.deck
        for event in known.events:
            if isinstance(event, Vision) and event.result is not None:
                said = Sentence("if-you-are", card="the seer", player=event.target, role=event.result)
                if said not in line:
                    continue  # of an earlier night
                fact = {"good": "~wolf", "human": "~wolf", "evil": "wolf"}.get(event.result, event.result)
                negated, fact = fact.startswith("~"), fact.removeprefix("~")
                then = f"{'~' * negated}{fact}_{event.target}"
                assert str(known.ask(f"seer_{name} -> {then}")) == "yes"
        for kind in deck.kinds:
            being = {"seer": "the seer", "wolf": "a wolf"}.get(kind, f"the {kind}")
            if "no longer be" in line and being in line.partition("no longer be ")[2].partition(";")[0]:
                assert str(known.ask(f"{kind}_{name}")) == "no"
        if "your chances" in line and known.entries[-1].phase.kind == "vote":  # no later table is shown yet
            row = known.tables[-1][str(known.number) if known.number else name]
            shares = line.partition("your chances")[2].partition(": ")[2].rstrip(".").split(", ")
            for part in shares:
                column, share = part.partition(" from ")[0], part.rpartition(" to ")[2]
                assert share == shown(row[column], "percent")


def test_a_first_night_and_a_second():
    game = QuantumWerewolf(NAMES, rules="cisra", wolves=1)
    assert night_changes(game.handout("Ann")) == ""
    game = game.vision("Ann", "Bo", result="good").vision("Bo", "Ann", result="evil")
    assert night_changes(game.handout("Ann")) == ""  # not before its end
    game = game.end_phase()
    one, other = (night_changes(game.handout(name)) for name in ("Ann", "Cy"))
    row = game.handout("Ann").tables[-1]["1"]
    assert "if you are the seer, Bo is good" in one
    assert f"evil from 20% to {shown(row['evil'], 'percent')}" in one
    assert "seer" not in other
    game = game.vote_off("Ed", role="seer")
    assert night_changes(game.handout("Ann")) == one  # until the next night is over
    later = night_changes(game.end_phase(missing="random").end_phase().handout("Ann"))
    assert later not in ("", one)


def test_roles_whose_cards_the_dead_have_had_are_lost():
    game = QuantumWerewolf(NAMES, rules=preset("straat", table_at=(), told="nothing"), wolves=1)
    game = game.end_phase(missing="pass").vote_off("Ed", role="villager").end_phase(missing="pass")
    assert "no longer" not in night_changes(game.handout("Ann"))
    game = game.vote_off("Di", role="seer")
    game = game if game.verdict else game.end_phase(missing="pass")
    assert "no longer" not in night_changes(game.handout("Ann"))  # that was by day: the news says it


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("rules", ["cisra", "gekka", "straat"])
def test_a_hint_names_by_the_own_probabilities(rules, seed):
    game = played(rules, seed, 3)
    for name in game.alive:
        known = game.handout(name)
        table = known.probabilities(columns=["wolf"])
        others = [other for other in game.alive if other != name]
        shares = {other: table[other, "wolf"] for other in others}
        for action, best in (("vote", max), ("attack", min)):
            wanted = [other for other in others if shares[other] == best(shares.values())]
            kind = "vote" if action == "vote" else "bite" if rules == "straat" else "kill"
            no = Sentence("no-hint", hard=False)
            told = no if wanted == others else Sentence("hint", kind=kind, names=wanted)
            assert whom_to_name(known, action, others) == told
        assert "%" not in whom_to_name(known, "vision", others)


# --- robots ------------------------------------------------------------------------------------------


def test_names_of_robots():
    assert robot_names(0) == ()
    for number in (-1, 31):
        with pytest.raises(GameError, match="robots cannot play"):
            robot_names(number)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("manner", [PHONES, DEVICE], ids=["phones", "device"])
@pytest.mark.parametrize("rules", ["cisra", "gekka", "roles"])
def test_robots_play_a_game_to_its_end(tmp_path, rules, manner, seed):
    """With every role, by lot: no answer is refused for good, and the same seed gives the same game."""
    more = {"rules": "cisra", "cards": CARDS} if rules == "roles" else {"rules": rules}
    names = MANY if rules == "roles" else NAMES
    logs = []
    for run in "ab":
        game = QuantumWerewolf(names, wolves=1, rng=seed, **more)
        with LogFile.create(tmp_path / f"{run}.jsonl", game) as log:
            keeper = Keeper(log, manner, house=HouseRules(ballot="open", missing="pass"), seed=seed)
            keeper.submit(None, Robots(tuple(names)))
            for _ in range(60):
                if keeper.game.verdict is not None:
                    break
                moment = keeper.sitting.moment
                assert keeper.play_robots()
                if manner is DEVICE and keeper.sitting.moment == moment:  # a hunter's answer ends a phase
                    assert keeper.sitting.waiting_for == ()
                    keeper.submit(None, EndPhase())
            logs.append(keeper.game.log)
            assert keeper.game.verdict is not None
    assert logs[0] == logs[1]


def test_robots_are_kept_in_the_log_and_when_the_game_goes_back(tmp_path):
    with LogFile.create(tmp_path / "g.jsonl", QuantumWerewolf(NAMES, rules="gekka", wolves=1)) as log:
        keeper = Keeper(log, PHONES)
        answer = keeper.submit(None, Robots(("Ed", "Bo")))
        assert answer.text == "Practice: the program plays for Bo and Ed."
        assert not keeper.submit("Ann", Robots(())).accepted
        keeper.play_robots()
        assert keeper.public_view()["waiting"] == 3
        assert not keeper.play_robots()
    with LogFile.open(tmp_path / "g.jsonl") as log:
        keeper = Keeper(log, PHONES)
        assert keeper.sitting.flow.robots == ("Bo", "Ed")
        keeper.submit(None, EndPhase("pass"))
        back = keeper.sitting._undo(1, False)[0]
        assert back.flow.robots == ("Bo", "Ed")
        assert "Bo and Ed" in keeper.player_view("Ann")["robots"]


@pytest.mark.parametrize("ballot", ["open", "secret"])
def test_going_back_passes_by_what_only_robots_did(tmp_path, ballot):
    """They answer again at once: the game would never get further back."""
    with LogFile.create(tmp_path / "g.jsonl", QuantumWerewolf(NAMES, rules="gekka", wolves=1)) as log:
        keeper = Keeper(log, PHONES, house=HouseRules(ballot=ballot), seed=3)
        keeper.submit(None, Robots(("Bo", "Cy", "Di", "Ed")))
        phases = []
        for answer in (Choose("Ann", "vision", "Bo"), Vote("Ann", "Bo")):
            keeper.play_robots()
            phases.append(str(keeper.game.phase))
            assert keeper.submit("Ann", answer).accepted
        for phase in reversed(phases):
            keeper.play_robots()
            assert keeper.submit(None, Undo()).accepted
            assert str(keeper.game.phase) == phase
        keeper.play_robots()
        assert keeper.submit(None, Undo()).text == "cannot take back 1 votes and phases; there are none"


def test_nobody_answers_for_robots_in_a_pause():
    view = player_view(Sitting(game=QuantumWerewolf(NAMES, wolves=1), manner=PHONES), "Ann", Archive())
    assert robot_answer(view, random.Random(1)) is not None
    assert robot_answer({**view, "paused": True}, random.Random(1)) is None


@pytest.mark.parametrize("seed", range(4))
def test_a_hint_says_that_it_leaves_the_tables_aside(seed):
    """It may name somebody whom the table on the same screen makes less likely than others."""
    known = played("gekka", seed, 3).handout("Ann")
    for action in ("vision", "attack", "vote"):
        assert "apart from the numbers in the tables" in whom_to_name(known, action, ["Bo", "Cy", "Di"])
