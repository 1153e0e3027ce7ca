"""Questions who, how many and how likely in Python, compared with the verdicts of the formulas."""

import random
from fractions import Fraction
from itertools import count
from types import SimpleNamespace

import pytest

from kripke_werewolf import FormulaSyntaxError, GameError, QuantumWerewolf
from kripke_werewolf.base.errors import Undecided
from kripke_werewolf.games.werewolf import budget, questions

FOUR = ["Ann", "Bo", "Cy", "Di"]


@pytest.fixture(scope="module", params=[1, 2, 3])
def game(request):
    """A game after a night, with different visions."""
    night = QuantumWerewolf(FOUR, wolves=1, rules="cisra", rng=request.param)
    for name, target in zip(FOUR, FOUR[1:] + FOUR[:1], strict=True):
        night = night.vision(name, target)
    return night


def test_who_is_answered_like_its_formulas(game):
    found = game.ask("who could be the wolf?")
    assert found.names == tuple(name for name in FOUR if game.ask(f"somewhere wolf_{name}").holds)
    found = game.ask("who is the wolf?")
    assert found.possible == tuple(name for name in FOUR if game.ask(f"wolf_{name}").verdict == "mixed")


def test_how_many(game):
    found = game.ask("how many players could be the wolf?")
    assert found.number == sum(game.ask(f"somewhere wolf_{name}").holds for name in FOUR)


def test_how_likely_and_under_a_condition(game):
    share = {text: game.ask(text).verdict.fraction for text in ("wolf_Di", "good_Bo", "wolf_Di & good_Bo")}
    assert game.ask("how likely is it that Di is the wolf?").probability == share["wolf_Di"]
    given = game.ask("what is the probability that Di is the wolf, given that Bo is good?")
    assert given.probability == share["wolf_Di & good_Bo"] / share["good_Bo"]
    (own,) = game.probabilities("Ann", "wolf_Di")
    assert game.ask("for Ann, how likely is it that Di is the wolf?").probability == own
    for bound in (Fraction(1, 10), own, Fraction(1)):
        asked = game.ask(f"for Ann, is it at least {bound} likely that Di is the wolf?")
        assert asked.holds is (own >= bound)
    assert (
        str(game.ask("how likely is it that Di is the wolf, given that Bo is dead?")) == "no world has that"
    )


def test_the_most_likely(game):
    shares = {name: game.ask(f"wolf_{name}").verdict.fraction for name in FOUR}
    best = tuple(name for name in FOUR if shares[name] == max(shares.values()))
    assert game.ask("who is the most likely wolf?").names == best
    of_two = max(("Ann", "Bo"), key=shares.__getitem__)
    assert of_two in game.ask("who is more likely to be the wolf, Ann or Bo?").names


def test_who_asks(game):
    for name in FOUR:
        assert str(game.ask("am I the wolf?", asker=name)) == str(game.ask(f"wolf_{name}"))
        assert str(game.handout(name).ask("am I the wolf?")) == str(game.handout(name).ask(f"wolf_{name}"))
    with pytest.raises(FormulaSyntaxError, match="asker="):
        game.ask("am I the wolf?")


def test_two_readings_are_answered_both(game):
    found = game.ask("everyone is not dead")
    assert [str(answer) for _, answer in found.parts] == ["yes", "yes"]
    assert str(found) == "yes (2 readings)"
    found = game.ask("does Ann know that Bo knows that he is the wolf?")
    readings = dict(found.parts)
    assert set(readings) == {"K_Ann K_Bo wolf_Ann", "K_Ann K_Bo wolf_Bo"}
    assert all(str(answer) == str(game.ask(reading)) for reading, answer in readings.items())


@pytest.mark.parametrize("seed", range(3))
def test_questions_about_the_log_do_not_depend_on_seats(seed: int) -> None:
    names = random.Random(seed).sample(["Ann", "Bo", "Cy", "Di"], 4)
    one, two, three, four = names
    game = QuantumWerewolf(names, rules="cisra", wolves=2, seers=1)
    game = game.vision(one, two).end_phase().vote_off(four, role="villager").end_phase()
    assert str(game.ask(f"did anybody look at {two} last night?")) == "yes"
    game = game.vision(two, three).end_phase()
    nights = game.ask(f"on which nights did {two} look at {three}?")
    assert nights.names == ("2",)
    assert str(game.ask(f"on which nights did {three} look at {two}?")) == "none"
    (voted,) = game.ask("who was voted off?").names
    assert voted == game.ask(f"when did {four} die?").names[0]
    assert voted.startswith(f"day 1: {four} ")
    assert f"{one} looks at {two}" in str(game.ask("what happened on the first night?"))
    assert game.ask(f"what did {two} do last night?").names == game.ask(f"what did {two} do?").names
    assert f"{two} looks at {three}" in str(game.ask(f"what did {two} do?"))
    assert str(game.ask(f"what did {three} do?")) == "nothing"
    assert float(game.ask("how many worlds are left?")) == game.worlds.size


def test_what_somebody_knows_of_somebody_is_what_they_are_asked_for() -> None:
    game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], rules="cisra", wolves=2, seers=1)
    game = game.end_phase().vote_off("Di", role="villager")
    known = game.ask("what does Ann know about Di?").names
    assert {"Di is not a wolf", "Di is dead"} <= {*known}
    assert str(game.ask("what was Ann told about Bo?")) == "none"
    assert str(game.ask("who looked at Bo?")) == "nobody"
    for said in known:
        assert game.ask(f"does Ann know that {said}?").holds


def test_there_is_no_last_night_before_one_is_over() -> None:
    game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1)
    for asked in (game, game.handout("Ann")):
        with pytest.raises(GameError, match="no night is over yet"):
            asked.ask("did Ann look at Bo last night?")
    with pytest.raises(GameError, match="no night is over yet"):
        game.ask("what happened last night?")
    handout = game.vision("Ann", "Bo").end_phase().handout("Ann")
    assert handout.ask("did Ann look at Bo last night?").holds


def test_a_question_of_many_parts_has_one_limit() -> None:
    """What somebody knows is asked about 112 formulas here, each of which would be answered in time."""
    names = [f"P{number}" for number in range(14)]
    handout = QuantumWerewolf(names, rules="straat", wolves=4, rng=3).handout("P0")
    with pytest.raises(Undecided):
        handout.ask("What does P1 know?", timeout=1.0)


@pytest.mark.parametrize("question", ["Who knows that Cy is a wolf?", "Who knows who is a wolf?"])
@pytest.mark.parametrize("rules", ["cisra", "gekka", "straat"])
def test_the_parts_of_a_question_share_their_time(rules, question, monkeypatch):
    """By a clock that goes on by a second whenever it is looked at."""
    game = QuantumWerewolf(FOUR, rules=rules, wolves=1, rng=1).end_phase(missing="random")
    real, clock = budget.Budget, count()
    monkeypatch.setattr(budget, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    monkeypatch.setattr(questions, "Budget", lambda seconds: real(seconds, started=next(clock)))
    assert not game.ask(question, reading="exact", timeout=10**6).names
    needed = next(clock)
    with pytest.raises(GameError, match="time ran out"):
        game.at(len(game.steps)).ask(question, reading="exact", timeout=needed // 2)
    assert next(clock) < needed + needed // 2 + 50
