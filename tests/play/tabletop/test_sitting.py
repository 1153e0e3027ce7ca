"""A sitting: choices, votes, time, players who are away, requests that come twice, going back."""

import random
from contextlib import suppress
from itertools import product

import pytest

from kripke_werewolf import FormatError, GameError, IllegalMove, QuantumWerewolf, UnknownNameError, preset
from kripke_werewolf.games.werewolf import LogFile
from kripke_werewolf.games.werewolf.draws import Chance
from kripke_werewolf.games.werewolf.events import FoundDead, Refused, Vision
from kripke_werewolf.games.werewolf.log import HouseRules
from kripke_werewolf.games.werewolf.telling import messages
from kripke_werewolf.play.tabletop import (
    DEVICE,
    MASTER,
    PHONES,
    Away,
    Choose,
    EndPhase,
    Keeper,
    Pause,
    Sitting,
    Undo,
    Vote,
    VoteOff,
)
from kripke_werewolf.play.tabletop.commands import read_command
from tests.conformance import whole_phase
from tests.games.werewolf.test_own_information import night_with_a_known_wolf

NAMES = ["Ann", "Bo", "Cy", "Di", "Ed"]


def sitting_of(rules="gekka", manner=PHONES, house=None, game=None, wolves=1, **settings):
    game = game or QuantumWerewolf(NAMES, rules=rules, wolves=wolves, rng=1, **settings)
    return Sitting(game=game, manner=manner, house=house or HouseRules(), seed=5)


def after(sitting, *commands, **more):
    """Return the sitting after commands of the players concerned, all of them accepted."""
    for command in commands:
        seat = getattr(command, "actor", getattr(command, "voter", None))
        sitting, answer = sitting.submit(seat, command, **more)
        assert answer.accepted, answer.text
    return sitting


def refused(sitting, seat, command, **more):
    """Return why a command is refused; check that nothing has changed."""
    same, answer = sitting.submit(seat, command, **more)
    assert not answer.accepted
    assert same == sitting
    return answer.text


def visions(sitting, names=NAMES):
    return [Choose(name, "vision", "Ann" if name != "Ann" else "Bo") for name in names]


# choices


def test_choices_are_replaced_until_the_phase_ends():
    sitting = after(sitting_of(), *visions(None, NAMES[:4]))
    assert sitting.waiting_for == ("Ed",)
    sitting = after(sitting, Choose("Ann", "vision", "Cy"))
    sitting = after(sitting, Choose("Bo", "vision", "Di"), Choose("Ed", "vision", "Ed"))
    looked = {e.actor: e.target for e in sitting.game.events if isinstance(e, Vision)}
    assert looked == {"Ann": "Cy", "Bo": "Di", "Cy": "Ann", "Di": "Ann", "Ed": "Ed"}
    assert str(sitting.game.phase) == "day 1"


def test_a_result_that_is_impossible_by_itself_is_refused_for_that_reason():
    game = QuantumWerewolf(NAMES, rules="straat", wolves=1).vision("Ann", "Bo", result="villager")
    sitting = sitting_of(game=game.end_phase().vote_off("Ed", role="villager"), manner=MASTER)
    told = refused(sitting, None, Choose("Ann", "vision", "Bo", "wolf"))
    assert "together with the other choices" not in told
    assert "wolf" in told


@pytest.mark.parametrize("manner", [PHONES, DEVICE])
def test_an_attack_that_only_its_actor_may_know_to_be_refused(manner):
    sitting = sitting_of(game=night_with_a_known_wolf(), manner=manner)
    first, answer = sitting.submit("Ann", Choose("Ann", "attack", "Bo"))
    assert "Bo is a wolf in every remaining world" in answer.text
    assert not answer.accepted
    assert first.game.events[-1] == Refused("Ann", "Bo")
    assert first.refused("Ann") == ("Bo",)
    again, answer = first.submit("Ann", Choose("Ann", "attack", "Bo"))
    assert again == first
    assert "Bo is a wolf in every remaining world" in answer.text
    assert first.waiting_for == tuple(NAMES[:4])


def test_on_one_device_a_refused_attack_tells_of_all_that_would_be_refused():
    """Otherwise the device would have to come again for another attempt, which everybody would see."""
    roles = ["alpha", "beta", "gamma", "seer", *["villager"] * 3]
    names = ["Ann", "Bo", "Cy", "Di", "Ed", "Fay", "Gus"]
    game = QuantumWerewolf(names, rules="cisra", wolves=3, deal="classical", roles=roles)
    while game.phase.kind != "attacks":
        game = game.end_phase()
    for manner, told in ((DEVICE, ("Bo", "Cy")), (PHONES, ("Bo",))):
        sitting, answer = sitting_of(game=game, manner=manner).submit("Ann", Choose("Ann", "attack", "Bo"))
        assert sitting.refused("Ann") == told
        assert answer.text.endswith("; the same is true of Cy") == (manner == DEVICE)
        assert sitting.submit("Ann", Choose("Ann", "attack", "Di"))[1].accepted


def test_a_vision_told_at_once_is_final_and_comes_true():
    sitting = sitting_of("cisra", manner=DEVICE)
    sitting, answer = sitting.submit("Ann", Choose("Ann", "vision", "Bo"))
    (told,) = answer.messages
    assert told.to == "Ann"
    for change in (Choose("Ann", "vision", "Cy"), Choose("Ann", "vision", None)):
        assert "cannot change that now" in refused(sitting, "Ann", change)
    sitting = after(sitting, *(Choose(name, "vision", "Ann") for name in NAMES[1:]), EndPhase())
    assert told in messages(sitting.game.setup, sitting.game.events)


def test_players_do_only_what_is_theirs():
    sitting = sitting_of()
    assert refused(sitting, "Ann", Choose("Bo", "vision", "Cy")).endswith("only for themselves")
    assert "only the game master" in refused(sitting, "Ann", Choose("Ann", "vision", "Cy", "wolf"))
    for command in (EndPhase("pass"), Undo(), Pause(), Away("Bo"), VoteOff(("Bo",))):
        assert refused(sitting, "Ann", command) == "that is for the game master"
    assert "unknown player 'Zed'" in refused(sitting, "Zed", Choose("Zed", "vision", "Ann"))


def test_a_night_in_which_an_attack_becomes_impossible_still_ends():
    rules = preset("cisra", opening=("night",), cycle=("vote", "night"))
    chosen = [("Ann", "Bo", "Bo"), ("Bo", "Ann", "Cy"), ("Cy", "Ann", "Bo")]
    refusals = set()
    for seed in range(6):
        game = QuantumWerewolf(NAMES[:3], rules=rules, wolves=1, rng=seed)
        sitting = Sitting(game=game, manner=PHONES, seed=seed)
        for name, seen, attacked in chosen:
            sitting = after(sitting, Choose(name, "vision", seen), Choose(name, "attack", attacked))
        refusals |= {e for e in sitting.game.events if isinstance(e, Refused)}
        assert sitting.game.phase.kind == "vote" or sitting.game.verdict
        assert sitting.choices == ()
    assert Refused("Cy", "Bo") in refusals


# forced outcomes


def test_a_forced_outcome_is_checked_when_it_is_given():
    """It used to fail at the end of the night, blamed on another player's line."""
    sitting = sitting_of("gekka", manner=MASTER)
    sitting = after_master(sitting, Choose("Ann", "vision", "Bo", "wolf"))
    assert "cannot show 'villain'" in refused(sitting, None, Choose("Bo", "vision", "Cy", "villain"))
    assert "impossible in every world left" in refused(sitting, None, Choose("Cy", "vision", "Cy", "wolf"))
    for name in NAMES[1:]:
        sitting = after_master(sitting, Choose(name, "vision", "Ann"))
    assert ("Ann", "wolf") in {(e.actor, e.result) for e in sitting.game.events if isinstance(e, Vision)}


def test_a_forced_outcome_that_needs_an_order_gets_it():
    """Bo, attacked first, would see nothing: the order is drawn until the outcome is possible."""
    for seed in range(8):
        game = QuantumWerewolf(["Ann", "Bo", "Cy"], rules=preset("gekka", first_attack=True), wolves=1)
        sitting = Sitting(game=game, manner=MASTER, seed=seed)
        for choice in (
            Choose("Ann", "attack", "Bo"),
            Choose("Bo", "vision", "Ann", "wolf"),
            Choose("Bo", "attack", "Cy"),
            Choose("Cy", "attack", "Bo"),
            Choose("Ann", "vision", "Bo"),
            Choose("Cy", "vision", "Bo"),
        ):
            sitting = after_master(sitting, choice)
        (shown,) = (e.result for e in sitting.game.events if isinstance(e, Vision) and e.actor == "Bo")
        assert shown == "wolf"


def test_forced_outcomes_that_contradict_each_other():
    game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, seers=2, numbers=[2, 1, 3])
    sitting = after_master(Sitting(game=game, manner=MASTER), Choose("Ann", "vision", "Cy", "wolf"))
    reason = refused(sitting, None, Choose("Bo", "vision", "Cy", "seer"))
    assert "Ann: wolf is impossible in every world left" in reason
    assert "together with the other choices" in reason


def test_players_do_not_learn_that_an_outcome_was_forced():
    rules = preset("gekka", first_attack=True, acting_order="number")
    game = QuantumWerewolf(["Ann", "Bo", "Cy"], rules=rules, wolves=1)
    sitting = Sitting(game=game, manner=PHONES)
    sitting = after(sitting, *(Choose(name, "vision", "Cy") for name in game.players))
    sitting = after(sitting, Choose("Cy", "attack", "Bo"), Choose("Bo", "attack", "Cy"))
    sitting = after_master(sitting, Choose("Bo", "vision", "Ann", "wolf"))
    sitting, answer = sitting.submit("Ann", Choose("Ann", "attack", "Bo"))  # Bo is dead where Ann is the wolf
    assert (answer.text, answer.messages) == ("noted: Ann has chosen", ())
    assert str(sitting.game.phase) == "night 1"
    assert "Bo: wolf is impossible in every world left" in refused(sitting, None, EndPhase())
    assert str(after(sitting, Choose("Bo", "vision", "Ann")).game.phase) == "day 1"


def after_master(sitting, command):
    sitting, answer = sitting.submit(None, command)
    assert answer.accepted, answer.text
    return sitting


# votes


def voted(ties, ballot, votes, rules="gekka"):
    sitting = sitting_of(rules, wolves=2, house=HouseRules(ties=ties, ballot=ballot))
    sitting = after(sitting, *visions(sitting))
    return after(sitting, *(Vote(name, target) for name, target in zip(NAMES, votes, strict=False)))


@pytest.mark.parametrize("ballot", ["open", "secret"])
def test_the_votes_decide_when_all_have_voted(ballot):
    sitting = voted("lot", ballot, ["Bo", "Cy", "Bo", None])
    assert str(sitting.game.phase) == "day 1"
    sitting = after(sitting, Vote("Ann", "Cy"), Vote("Ann", "Bo"), Vote("Ed", "Ed"))
    assert sitting.game.alive == ("Ann", "Cy", "Di", "Ed")
    (count,) = sitting.flow.counted
    assert count.counts == (("Bo", 2), ("Cy", 1), ("Ed", 1), (None, 1))
    assert bool(count.votes) == (ballot == "open")
    assert ("Ann for Bo" in str(count)) == (ballot == "open")


@pytest.mark.parametrize(("ties", "off"), [("lot", 1), ("nobody", 0)])
def test_ties(ties, off):
    sitting = voted(ties, "open", ["Bo", "Bo", "Cy", "Cy", None])
    assert len(sitting.game.players) - len(sitting.game.alive) == off
    assert sitting.game.phase.kind == "night"
    sitting = voted(ties, "open", ["Bo", "Bo", None, None, "Cy"])
    assert sitting.game.alive == tuple(NAMES)  # a tie with nobody


def test_a_second_vote_among_the_tied():
    sitting = voted("village", "secret", ["Bo", "Bo", "Cy", "Cy", None])
    assert (sitting.flow.round, sitting.candidates, sitting.flow.votes) == (2, ("Bo", "Cy"), ())
    assert "only Bo, Cy can be voted for" in refused(sitting, "Ann", Vote("Ann", "Di"))
    decided = after(sitting, *(Vote(name, "Cy") for name in NAMES))
    assert decided.game.alive == ("Ann", "Bo", "Di", "Ed")
    tied = after(sitting, *(Vote(n, t) for n, t in zip(NAMES, ["Bo", "Bo", "Cy", "Cy", None], strict=True)))
    assert tied.game.alive == tuple(NAMES)
    assert tied.game.phase.kind == "night"
    assert len(tied.flow.counted) == 2


def test_votes_that_are_refused():
    night = sitting_of(house=HouseRules(ballot="open"))
    assert refused(night, "Ann", Vote("Ann", "Bo")) == "there is no vote in night 1"
    spoken = after(sitting_of(), *visions(None))
    assert "votes aloud" in refused(spoken, "Ann", Vote("Ann", "Bo"))
    assert spoken.waiting_for == ()
    day = voted("lot", "open", ["Bo", "Bo", "Bo", "Bo", "Bo"], rules=preset("gekka", burnings=2))
    assert str(day.game.phase) == "day 1"
    assert day.waiting_for == ("Ann", "Cy", "Di", "Ed")
    assert "is dead and has no vote" in refused(day, "Bo", Vote("Bo", "Ann"))
    assert "Bo cannot be voted off: Bo is dead" in refused(day, "Ann", Vote("Ann", "Bo"))


def test_the_game_master_counts_and_decides():
    day = voted("lot", "open", ["Bo"])
    assert after(day, EndPhase()).game.alive == ("Ann", "Cy", "Di", "Ed")
    assert after(day, VoteOff(("Di",))).game.alive == ("Ann", "Bo", "Cy", "Ed")
    assert after(voted("lot", "open", []), EndPhase()).game.alive == tuple(NAMES)


# who is away, and time


@pytest.mark.parametrize(("absent", "looked"), [("pass", 4), ("random", 5)])
def test_players_who_are_away(absent, looked):
    sitting = after(sitting_of(house=HouseRules(absent=absent)), *visions(None, NAMES[:4]))
    sitting = after(sitting, Away("Ed"))
    assert str(sitting.game.phase) == "day 1"
    assert sum(isinstance(e, Vision) for e in sitting.game.events) == looked


def test_players_who_are_waited_for():
    sitting = after(sitting_of(), *visions(None, NAMES[:4]), Away("Ed"))
    assert (sitting.waiting_for, sitting.flow.away) == (("Ed",), ("Ed",))
    assert "somebody has not chosen yet" in refused(sitting, None, EndPhase())
    sitting = after_master(sitting, Choose("Ed", "vision", "Ann"))  # the game master acts for them
    assert str(sitting.game.phase) == "day 1"
    assert after(sitting, Away("Ed", False)).flow.away == ()


def test_the_time_of_a_phase():
    house = HouseRules(night_seconds=60, day_seconds=100, missing="pass", ballot="open")
    sitting = sitting_of(house=house).tick(1000.0)
    assert sitting.flow.deadline == 1060
    sitting = after(sitting, Choose("Ann", "vision", "Bo"), now=1010.0)
    assert sitting.tick(1059.0) == sitting
    paused = after(sitting, Pause(), now=1020.0)
    assert (paused.flow.deadline, paused.flow.left) == (None, 40)
    assert paused.tick(2000.0) == paused
    assert refused(paused, "Bo", Choose("Bo", "vision", "Ann")) == "the game is paused"
    sitting = after(paused, Pause(False), now=3000.0)
    assert sitting.flow.deadline == 3040
    day = sitting.tick(3041.0)
    assert (str(day.game.phase), day.flow.deadline) == ("day 1", 3141)
    assert day.tick(3142.0).game.phase.kind == "night"  # nobody voted


def test_time_that_is_up_where_the_house_rules_remind():
    sitting = sitting_of(house=HouseRules(night_seconds=60)).tick(0.0)
    assert sitting.tick(61.0) == sitting
    spoken = after(sitting_of(house=HouseRules(day_seconds=5)), *visions(None)).tick(0.0)
    assert spoken.tick(6.0) == spoken  # the village decides aloud


# requests and moments


def test_a_repeated_request_is_answered_as_before(tmp_path):
    game = QuantumWerewolf(NAMES, rules="gekka", wolves=1, rng=1)
    path = tmp_path / "g.jsonl"
    with LogFile.create(path, game) as file:
        keeper = Keeper(file, PHONES, seed=5)
        first = keeper.submit("Ann", Choose("Ann", "vision", "Bo"), request="1")
        no = keeper.submit("Bo", Choose("Bo", "attack", "Cy"), request="1")
        assert not no.accepted
        keeper.submit("Ann", Choose("Ann", "vision", "Cy"), request="2")
        assert keeper.submit("Ann", Choose("Ann", "vision", "Bo"), request="1") == first
        with pytest.raises(GameError, match="'1' was used for another command"):
            keeper.submit("Ann", Choose("Ann", "vision", "Di"), request="1")
        content = path.read_bytes()
    with LogFile.open(path) as file:
        again = Keeper(file, PHONES)
        assert again.submit("Ann", Choose("Ann", "vision", "Bo"), request="1") == first
        assert again.submit("Bo", Choose("Bo", "attack", "Cy"), request="1") == no
        assert again.sitting.choice("Ann", "vision").target == "Cy"
        assert path.read_bytes() == content
        assert again.revision == 0


def test_a_command_of_a_stale_page():
    sitting = after(sitting_of(), Choose("Ann", "vision", "Bo"))
    moment = sitting.moment
    assert after(sitting, Choose("Ann", "vision", "Cy"), moment=moment).moment == moment
    day = after(sitting, *visions(None, NAMES[1:]))
    assert "it is day 1 now; nothing" in refused(day, "Ann", Choose("Ann", "vision", "Bo"), moment=moment)
    back = after(day, Undo(phase=True))
    assert str(back.game.phase) == "night 1"
    assert "it is night 1 now; nothing" in refused(back, "Ann", Choose("Ann", "vision", "Bo"), moment=moment)


# going back


def test_undo_counts_votes_and_whole_phases():
    sitting = voted("lot", "open", ["Bo", "Bo", "Bo", "Bo", "Bo"])
    sitting = after(sitting, Choose("Ann", "vision", "Cy"))
    assert len(sitting.moments) == 3  # this night, the vote, the first night
    assert after(sitting, Undo()).choices == ()
    assert str(after(sitting, Undo(2)).game.phase) == "day 1"
    first = after(sitting, Undo(3))
    assert (first.game.steps, first.flow.counted) == ((), ())
    assert "cannot take back 4 votes and phases; 1 to 3 can be" in refused(sitting, None, Undo(4))
    assert "nothing to undo" in refused(sitting_of(), None, Undo(phase=True))


# the log


def test_a_flow_that_cannot_be_read(tmp_path):
    path = tmp_path / "g.jsonl"
    for flow in ({"era": "x"}, {"mood": 1}, {"deadline": "soon"}, {"votes": 3}):
        path.unlink(missing_ok=True)
        with LogFile.create(path, QuantumWerewolf(NAMES, rng=1)) as file:
            file.write(file.game, (), flow=flow)
        with LogFile.open(path) as file, pytest.raises(FormatError, match="the flow"):
            Keeper(file, PHONES)


# commands as JSON


def test_commands_that_no_device_of_ours_sends():
    for data, seat, reason in [
        ([], "Ann", "a command is an object, not \\[\\]"),
        ({}, "Ann", "None is not a command"),
        ({"do": ["x"]}, "Ann", "is not a command"),
        ({"do": "undo"}, "Ann", "'undo' is for the game master"),
        ({"do": "choose", "action": "vision", "target": "Bo", "actor": "Bo"}, "Ann", "has no 'actor'"),
        ({"do": "choose", "action": "vision", "target": "Bo", "result": "wolf"}, "Ann", "has no 'result'"),
        (
            {"do": "choose", "action": 5, "target": "Bo"},
            "Ann",
            "the action of the command 'choose' cannot be 5",
        ),
        (
            {"do": "choose", "action": "vision", "target": 3},
            "Ann",
            "the target of the command 'choose' cannot be 3",
        ),
        ({"do": "choose", "action": "vision", "target": "x" * 2000}, "Ann", "more than 1000 characters"),
        ({"do": "vote", "target": "Bo", "extra": 1}, "Ann", "has no 'extra'"),
        ({"do": "undo", "count": 0}, None, "the count of the command 'undo' cannot be 0"),
        ({"do": "pause", "paused": "yes"}, None, "the paused of the command 'pause' cannot be 'yes'"),
        ({"do": "vote_off", "players": "Bo"}, None, "cannot be 'Bo'"),
        ({"do": "end", "missing": "later"}, None, "cannot be 'later'"),
    ]:
        with pytest.raises(FormatError, match=reason):
            read_command(data, seat)


def test_who_is_no_player_has_no_view(tmp_path):
    with LogFile.create(tmp_path / "g.jsonl", QuantumWerewolf(NAMES, rng=1)) as file:
        keeper = Keeper(file, PHONES)
    with pytest.raises(UnknownNameError, match="unknown player 'Zed'"):
        keeper.player_view("Zed")


def test_a_phase_is_resolved_as_the_moves_of_the_game_are():
    """Whatever everybody chooses, in whatever order they answer."""
    compared = 0
    for rules, deal, seed in product(("cisra", "gekka", "straat"), ("quantum", "classical"), range(6)):
        chance, number = random.Random(seed), "shuffled" if preset(rules).table == "anonymous" else None
        game = QuantumWerewolf(NAMES, rules=rules, deal=deal, wolves=1, numbers=number, rng=seed)
        sitting = Sitting(game=game, manner=PHONES, seed=seed)
        for _ in range(4 * len(NAMES)):
            if sitting.game.verdict is not None or sitting.game.phase.kind == "vote" or not sitting.open:
                break
            name, action = chance.choice(sitting.open)
            target = chance.choice([other for other in sitting.game.alive if other != name])
            before = sitting
            sitting, answer = sitting.submit(name, Choose(name, action, target))
            if not answer.accepted or sitting.game.phase == before.game.phase:
                continue
            chosen = {(c.actor, c.action): c.target for c in before.choices} | {(name, action): target}
            actions = {}
            for (actor, act), whom in chosen.items():
                if act in before.game.may_act.get(actor, ()):
                    actions.setdefault(actor, {})[act] = whom
            drawn = before.game.with_draw(Chance(seed, len(before.game.steps) << 20))
            with suppress(IllegalMove):  # a choice that the others' moves have made impossible
                assert whole_phase(drawn, actions, "pass") == sitting.game
                compared += 1
    assert compared > 20


def test_players_found_dead_are_told_in_seat_order():
    """They die in the order of their numbers, which may be hidden."""
    setup = QuantumWerewolf(NAMES, rules="cisra", numbers=[5, 4, 3, 2, 1]).setup
    told = messages(setup, [FoundDead("Ed", "villager"), FoundDead("Bo", "villager")])
    assert [message.text.split()[0] for message in told] == ["Bo", "Ed"]
