"""Random walks of an evening through the keeper, and that their checks notice what is wrong."""

import pytest

from kripke_werewolf import LogFile, QuantumWerewolf
from kripke_werewolf.base.wording import Sentence
from kripke_werewolf.games.werewolf.log import HouseRules
from kripke_werewolf.play.tabletop import MASTER, PHONES, Choose, EndPhase, Pause, Sitting, Vote, VoteOff
from kripke_werewolf.play.tabletop import views as views_module
from kripke_werewolf.play.tabletop.views import Archive, player_view, public_view
from tests.play.tabletop.screens import contradictions, together
from tests.play.tabletop.walks import undone, walked

NAMES = ["Ann", "Bo", "Cy", "Di"]


@pytest.mark.parametrize("seed", range(6))
def test_a_walk_finds_nothing(seed):
    walk = walked(seed, 40)
    assert walk.wrong == []
    assert walk.steps.total() == 40


# what a walk would notice


@pytest.fixture(scope="module")
def screens():
    """The screens of the day after somebody was found dead and somebody was voted off."""
    roles = ["seer", "alpha", "v", "v", "v", "v"]
    game = QuantumWerewolf([*NAMES, "Ed", "Flo"], rules="cisra", deal="classical", roles=roles, rng=1)
    sitting = Sitting(game=game, manner=PHONES, house=HouseRules(missing="pass"))
    path = [EndPhase("pass"), VoteOff(("Di",)), Choose("Bo", "attack", "Cy"), EndPhase("pass")]
    for command in path:
        sitting, answer = sitting.submit(None, command)
        assert answer.accepted, answer.text
    assert sitting.game.alive == ("Ann", "Bo", "Ed", "Flo")
    return sitting


def views(sitting):
    archive = Archive()
    return {name: player_view(sitting, name, archive) for name in sitting.game.players}, public_view(
        sitting, archive
    )


def with_news(view, *lines):
    *before, last = view["feed"]
    return {**view, "feed": [*before, {**last, "lines": [*last["lines"], *lines]}]}


def test_contradictions_are_noticed(screens):
    own, public = views(screens)
    ann = own["Ann"]
    assert contradictions(public) == contradictions(ann) == together(own, public) == []
    day = public["feed"][0]
    for wrong in (
        with_news(public, Sentence("nobody-found-dead")),
        with_news(public, Sentence("voted-off", player="Di", announced=None)),
        with_news(public, Sentence("voted-off", player="Ann", announced=None)),
        with_news(
            public, Sentence("game-ended", verdict="draw", several=False, forced=False, winners=(), any=False)
        ),
        {**public, "feed": [{**day, "lines": [*day["lines"], Sentence("nobody-voted-off")]}]},
        {**public, "alive": [*public["alive"], "Di"]},
        {**public, "dead": [*public["dead"], "Ann"]},
        {**public, "kind": "day"},
        {**public, "feed": public["feed"][:-1]},
        {**ann, "you": {**ann["you"], "alive": False}},
        {**ann, "waiting": 0},
        {**ann, "ask": [{**ask, "target": "Zoe"} for ask in ann["ask"]]},
        {**ann, "ask": [{**ask, "counts": not ask["counts"]} for ask in ann["ask"]]},
    ):
        assert contradictions(wrong), wrong
    assert together({**own, "Bo": {**own["Bo"], "waiting": 7}}, public)
    lost = {name: {**view, "ask": []} for name, view in own.items()}
    assert together(lost, public)


def test_lost_answers_are_noticed(screens):
    """An answer of the first night that was never given."""
    assert undone(screens, "0.2.0.1", {("Bo", "attack"): "Cy", ("Cy", "attack"): "Ann"}) == []
    assert undone(screens, "0.2.0.1", {("Bo", "attack"): "Ann"})


# what walks have found


def test_one_player_is_no_answer_to_a_question_for_two():
    for manner in [PHONES, MASTER]:
        for name in NAMES:
            game = QuantumWerewolf(NAMES, wolves=1, rules="cisra", cards={"cupid": 1}, rng=1)
            sitting = Sitting(game=game, manner=manner)
            after, answer = sitting.submit(None, Choose("Ann", "link", name))
            assert (after, answer.accepted) == (sitting, False)
            assert "name two different players" in answer.text
            after, answer = sitting.submit(None, Choose("Ann", "link", "Bo and Cy"))
            assert answer.accepted


@pytest.mark.parametrize("kind", ["night", "day"])
def test_what_was_completed_in_a_pause_ends_after_it(kind):
    """The game master answers for the last one who is missing."""
    game = QuantumWerewolf(NAMES, rules="gekka", wolves=1, rng=1)
    sitting = Sitting(game=game, manner=PHONES, house=HouseRules(ballot="open", missing="pass"))
    if kind == "day":
        sitting, _ = sitting.submit(None, EndPhase("pass"))
    first = sitting.game.phase
    answers = [Choose(name, "vision", "Bo") if kind == "night" else Vote(name, "Bo") for name in NAMES]
    for command in answers[:-1]:
        sitting, _ = sitting.submit(None, command)
    for command in (Pause(), answers[-1]):
        sitting, answer = sitting.submit(None, command)
        assert answer.accepted
    assert sitting.tick(5.0).game.phase == first
    sitting, _ = sitting.submit(None, Pause(False))
    assert sitting.tick(6.0).game.phase != first


# walks notice a table that does something wrong


def _leak(monkeypatch):
    """Everybody's screen tells the first target that was chosen."""
    real = views_module._table_now
    told = lambda sitting: {**real(sitting), "hint": [choice.target for choice in sitting.choices[:1]]}  # noqa: E731
    monkeypatch.setattr(views_module, "_table_now", told)


def _forget(monkeypatch):
    """Choices of Bo are acknowledged, and not written."""
    real = LogFile.write

    def write(self, game, choices=None, **more):
        kept = None if choices is None else tuple(choice for choice in choices if choice.actor != "Bo")
        return real(self, game, kept, **more)

    monkeypatch.setattr(LogFile, "write", write)


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (_leak, "seen by others"),
        (_forget, "not from the log"),
    ],
)
def test_walks_notice_a_fault(monkeypatch, fault, kind):
    fault(monkeypatch)
    found = (found for seed in range(12) for found, _ in walked(seed, 40).wrong)
    assert kind in found
