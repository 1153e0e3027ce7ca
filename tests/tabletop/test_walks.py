"""Random walks of an evening through the keeper, and that their checks notice what is wrong."""

import pytest

from kripke_werewolf import QuantumWerewolf, replay
from kripke_werewolf.tabletop import (
    MASTER,
    PHONES,
    Archive,
    Choose,
    EndPhase,
    Keeper,
    Pause,
    Sitting,
    Undo,
    Vote,
    VoteOff,
    player_view,
    public_view,
)
from kripke_werewolf.tabletop import views as views_module
from kripke_werewolf.werewolf import LogFile
from kripke_werewolf.werewolf.events import FoundDead
from kripke_werewolf.werewolf.log import HouseRules, PhaseChoice
from kripke_werewolf.wording import Sentence
from tests.tabletop.screens import contradictions, together
from tests.tabletop.walks import undone, walked

NAMES = ["Ann", "Bo", "Cy", "Di"]


@pytest.mark.parametrize("seed", range(12))
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
        with_news(public, Sentence("voted-off", player="Di", known=False, role="")),
        with_news(public, Sentence("voted-off", player="Ann", known=False, role="")),
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


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("changes", [("Ann", "Bo"), ("Bo",), ("Ann", "Cy", "Ann")])
def test_a_changed_choice_is_the_last_also_after_a_break(tmp_path, seed, changes):
    """The last choice is what the game master takes back."""
    game = QuantumWerewolf(NAMES, rules="straat", wolves=1, rng=seed)
    with LogFile.create(tmp_path / "g.jsonl", game) as log:
        keeper = Keeper(log, MASTER, seed=seed)
        for name, target in (("Ann", "Bo"), ("Bo", "Cy"), ("Cy", "Di"), *((name, "Ann") for name in changes)):
            assert keeper.submit(None, Choose(name, "vision", target)).accepted
        before = keeper.sitting
    with LogFile.open(tmp_path / "g.jsonl") as log:
        keeper = Keeper(log, MASTER)
        assert keeper.sitting.choices == before.choices
        assert keeper.sitting.choices[-1] == PhaseChoice(changes[-1], "vision", "Ann")
        assert keeper.submit(None, Undo()).accepted
        assert keeper.sitting.choices == before.choices[:-1]
    with LogFile.open(tmp_path / "g.jsonl") as log:
        assert log.choices == before.choices[:-1]


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


@pytest.mark.parametrize("manner", [PHONES, MASTER])
@pytest.mark.parametrize(("rules", "seed"), [("cisra", 1), ("gekka", 2), ("straat", 3)])
def test_a_night_ends_in_which_somebody_is_found_dead_who_names_another(rules, seed, manner):
    roles = ["seer", "wolf" if rules == "straat" else "alpha", "hunter", "v", "v"]
    game = QuantumWerewolf(
        [*NAMES, "Ed"], rules=rules, deal="classical", cards={"hunter": 1}, roles=roles, wolves=1, rng=seed
    )
    sitting = Sitting(game=game, manner=manner, seed=seed, house=HouseRules(ballot="open", missing="pass"))
    for _ in range(60):
        if "Cy" in sitting.game.state.naming or sitting.game.verdict is not None:
            break
        if sitting.game.phase.kind == "vote":
            sitting, _ = sitting.submit(None, EndPhase())
        for name, action in sitting.open:
            target = {"Bo": "Cy"}.get(name, "Bo")
            sitting, answer = sitting.submit(name, Choose(name, action, target))
            assert answer.accepted, answer.text
    assert sitting.game.state.naming == {"Cy"}
    assert any(isinstance(event, FoundDead) for event in sitting.game.events)
    assert sitting.choices == ()
    assert sitting.waiting_for == ("Cy",)
    sitting, answer = sitting.submit("Cy", Choose("Cy", "take", "Di"))
    assert answer.accepted
    assert not {"Cy", "Di"} & set(sitting.game.alive)


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


@pytest.mark.parametrize("seed", range(3))
def test_a_night_that_a_kill_has_cut_in_two_ends_by_itself(tmp_path, seed):
    """All have answered, and nobody can tap anything that would end it."""
    path = tmp_path / "g.jsonl"
    game = QuantumWerewolf(NAMES, rules="gekka", wolves=1, rng=seed)
    with LogFile.create(path, game) as log:
        keeper = Keeper(log, PHONES, seed=seed, house=HouseRules(missing="pass"))
        for name in NAMES[:-1]:
            assert keeper.submit(name, Choose(name, "vision", "Di"), request=name).accepted
        before = path.read_bytes()
        assert keeper.submit("Di", Choose("Di", "vision", "Bo"), request="Di").accepted
        after = path.read_bytes()
    for cut in range(len(before), len(after), 97):
        path.write_bytes(after[:cut])
        with LogFile.open(path) as log:
            keeper = Keeper(log, PHONES)
            keeper.submit("Di", Choose("Di", "vision", "Bo"), request="Di", now=1.0)
            keeper.tick(2.0)
            assert keeper.game.phase.kind == "vote"
            assert replay(path) == keeper.game


# walks notice a table that does something wrong


def _leak(monkeypatch):
    """Everybody's screen tells the first target that was chosen."""
    real = views_module._table_now
    told = lambda sitting: {**real(sitting), "hint": [choice.target for choice in sitting.choices[:1]]}  # noqa: E731
    monkeypatch.setattr(views_module, "_table_now", told)


def _say_too_much(monkeypatch):
    """Every day ends with nobody voted off, also when somebody was."""
    real = views_module._feed

    def feed(sitting, public):
        pages = real(sitting, public)
        days = [page for page in pages if str(page["phase"]).startswith("day") and "Votes" not in str(page)]
        nobody = Sentence("nobody-voted-off")
        return [{**p, "lines": [*p["lines"], nobody]} if p in days else p for p in pages]

    monkeypatch.setattr(views_module, "_feed", feed)


def _forget(monkeypatch):
    """Choices of Bo are acknowledged, and not written."""
    real = LogFile.update

    def update(self, game, choices=None, **more):
        kept = None if choices is None else tuple(choice for choice in choices if choice.actor != "Bo")
        real(self, game, kept, **more)

    monkeypatch.setattr(LogFile, "update", update)


def _swallow(monkeypatch):
    """An accepted choice of Cy changes nothing."""
    real = Sitting._with

    def kept(self, choice):
        after, answer = real(self, choice)
        return (self if choice.actor == "Cy" and self.choice("Cy", choice.action) else after), answer

    monkeypatch.setattr(Sitting, "_with", kept)


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (_leak, "seen by others"),
        (_say_too_much, "contradiction"),
        (_forget, "not from the log"),
        (_swallow, "lost"),
    ],
)
def test_walks_notice_a_fault(monkeypatch, fault, kind):
    fault(monkeypatch)
    found = (found for seed in range(12) for found, _ in walked(seed, 40).wrong)
    assert kind in found
