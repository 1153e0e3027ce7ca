"""The console where everybody votes, where time is limited, and where the game is paused."""

import re
import sys

import pytest

from kripke_werewolf import LogFile, QuantumWerewolf, read_log
from kripke_werewolf.games.werewolf.log import HouseRules
from kripke_werewolf.play.console.screens import Master, Rounds
from kripke_werewolf.play.tabletop import DEVICE, MASTER, Keeper
from tests.play.console.terminal import Listed

SIZE, NAMES = (80, 24), ["Ann", "Bo", "Cy", "Di"]


def keeper_of(tmp_path, manner=DEVICE, **house):
    """Return a game on its first day."""
    game = QuantumWerewolf(NAMES, rules="cisra", wolves=1, numbers=[2, 4, 1, 3], rng=1).end_phase()
    return Keeper(LogFile.create(tmp_path / "g.jsonl", game), manner, house=HouseRules(**house), seed=1)


def votes_of(keeper):
    return dict(keeper.sitting.flow.votes)


class Village:
    """Answers who is asked for a vote from a list for each name, other prompts with Enter; stops at night."""

    def __init__(self, keeper, /, night=None, **answers):
        self.keeper, self.night, self.log = keeper, night, []
        self.answers = {name: iter(given) for name, given in answers.items()}

    def __call__(self, prompt, terminal):
        self.log.append(prompt.strip())
        if self.keeper.game.phase.kind != "vote" or self.keeper.game.verdict is not None:
            return self.night
        if "whom do you vote for" in prompt.casefold():
            name = re.match(r"\w+", prompt.strip())[0]
            name = terminal.screens[-1].split(",")[0] if name == "Whom" else name
            return next(self.answers[name])
        if prompt.startswith("day"):
            return next(self.answers["day"])
        return (
            next(self.answers["hand"], "") if "Hand the device" in prompt and "hand" in self.answers else ""
        )


def test_an_open_ballot(tmp_path):
    keeper = keeper_of(tmp_path, ballot="open")
    village = Village(keeper, Ann=["Zed", "Di"], Bo=["di"], Cy=["nobody"], Di=["C"])
    terminal = Listed(village)
    Rounds(keeper, terminal).run()
    assert [p for p in village.log if p.startswith("Ann")] == [
        "Ann, whom do you vote for? ('nobody' for nobody)"
    ] * 2
    assert "Refused: unknown player 'Zed'" in terminal.screens[1]
    asked = [screen for screen in terminal.screens if "Di, whom" in screen]
    assert "\nVotes so far: Ann for Di; Bo for Di; Cy for nobody.\n" in asked[0]
    news = keeper.public_view()["feed"][-1]["lines"]
    assert news[0] == "Votes: Di 2, Cy 1, nobody 1 (Ann for Di; Bo for Di; Cy for nobody; Di for Cy)."
    assert keeper.game.alive == ("Ann", "Bo", "Cy")
    assert news[0] in terminal.screens[-2]  # everybody reads it when the device goes round


def test_a_secret_ballot_with_the_device_in_hand(tmp_path):
    keeper = keeper_of(tmp_path, ballot="secret")
    terminal = Listed(Village(keeper, Ann=["Di"], Bo=["later", "Di"], Cy=["nobody"], Di=["Ann"], day=[""]))
    Rounds(keeper, terminal).run()
    handed = [
        re.search(r"Hand the device to (\w+)", s)[1] for s in terminal.screens if "Hand the device" in s
    ]
    assert handed[:5] == ["Ann", "Bo", "Cy", "Di", "Bo"]  # and once more who was asked later
    for screen in terminal.screens:
        if "Hand the device" in screen or "Not everybody" in screen:
            assert "vote for" not in screen
        if "whom do you vote for" in screen.casefold():
            assert len({name for name in NAMES if f"{name}, day 1" in screen}) == 1
    assert keeper.public_view()["feed"][-1]["lines"][0] == "Votes: Di 2, Ann 1, nobody 1."


@pytest.mark.parametrize("ballot", ["open", "secret"])
def test_a_vote_is_changed_and_the_day_taken_back(tmp_path, ballot):
    keeper = keeper_of(tmp_path, ballot=ballot)
    answers = {"Ann": ["Di", "Cy", "Bo"], "Bo": ["Di", "Di"], "Cy": ["Di"], "Di": ["Di"]}
    commands = {"Bo": ["again Ann", None], "Cy": ["undo", None]}
    seen = []

    def answer(prompt, terminal):
        found = re.search(r"Hand the device to (\w+)" if ballot == "secret" else r"^(\w+), whom", prompt)
        if found and commands.get(found[1], [None])[0]:
            seen.append((commands[found[1]].pop(0), votes_of(keeper)))
            return seen[-1][0]
        return Village.__call__(village, prompt, terminal)

    village = Village(keeper, **answers)
    Rounds(keeper, Listed(answer)).run()
    assert seen == [("again Ann", {"Ann": "Di"}), ("undo", {"Ann": "Cy", "Bo": "Di"})]
    counted = keeper.sitting.flow.counted
    assert [dict(count.counts) for count in counted] == [{"Di": 3, "Bo": 1}]


def test_a_tied_ballot_is_repeated_among_the_tied(tmp_path):
    keeper = keeper_of(tmp_path, ballot="open", ties="village")
    village = Village(keeper, Ann=["Bo", "Bo"], Bo=["Ann", "Cy", "Ann"], Cy=["Bo", "Bo"], Di=["Ann", "Bo"])
    terminal = Listed(village)
    Rounds(keeper, terminal).run()
    assert any("The vote was tied; only Ann, Bo can be voted for." in screen for screen in terminal.screens)
    assert any("only Ann, Bo can be voted for" in s and "Refused" in s for s in terminal.screens)
    assert "Bo" not in keeper.game.alive


def test_the_game_master_notes_the_ballots(tmp_path):
    keeper = keeper_of(tmp_path, MASTER, ballot="secret")
    lines = iter(["ballot Ann Di", "b Bo", "status", "ballot Cy Di", "ballot Cy Di Ann", "ballot Di Ann"])
    terminal = Listed(lambda prompt, _: next(lines, None))
    Master(keeper, terminal, patient=True).run()
    (screen,) = terminal.screens
    assert "to vote: Ann, Bo, Cy, Di" in screen
    assert "voted: Ann for Di, Bo for nobody\n" in screen
    assert "'Ann' is not understood at the end; write: ballot VOTER [PLAYER]" in screen
    assert "tell all: Votes: Di 2, Ann 1, nobody 1." in screen
    assert keeper.game.alive == ("Ann", "Bo", "Cy")


class Clock:
    """A clock that advances by a minute whenever it is read."""

    now = 0.0

    def __call__(self):
        self.now += 60
        return self.now


@pytest.mark.parametrize("missing", ["pass", "remind"])
def test_a_night_ends_when_its_time_is_up(tmp_path, missing):
    """In the middle of a turn, too: the device is cleared, and everybody sees that it is day."""
    game = QuantumWerewolf(NAMES, rules="straat", wolves=1, rng=1)
    keeper = Keeper(
        LogFile.create(tmp_path / "s.jsonl", game),
        DEVICE,
        house=HouseRules(night_seconds=400, missing=missing),
        seed=1,
    )
    clock = Clock()

    def answer(prompt, terminal):
        if prompt.startswith("day"):
            return None
        return "Cy" if "Whom" in prompt else ""

    terminal = Listed(answer, clock=clock)
    Rounds(keeper, terminal, clock=clock).run()
    assert str(keeper.game.phase) == "day 1"
    acted = {event.actor for step in keeper.game.steps for event in step if hasattr(event, "actor")}
    assert len(acted) > 0
    assert (len(acted) == len(NAMES)) == (missing == "remind")  # all have their turn, though time is up
    assert sum("Time is up." in screen for screen in terminal.screens) == (missing == "remind")
    day = [screen for screen in terminal.screens if "day 1> " in screen]
    assert not any("straat, night" in screen or "Your chances" in screen for screen in day)


def test_the_master_is_told_what_happens_when_time_is_up(tmp_path):
    game = QuantumWerewolf(NAMES, rules="gekka", wolves=1, rng=1)
    house = HouseRules(night_seconds=100, missing="random")
    clock = Clock()
    keeper = Keeper(LogFile.create(tmp_path / "g.jsonl", game), MASTER, house=house, seed=1)
    lines = iter(["status", "quit"])
    terminal = Listed(lambda prompt, _: next(lines), clock=clock)
    Master(keeper, terminal, patient=True, clock=clock).run()
    (screen,) = terminal.screens
    assert "Time is up." in screen
    assert "tell Ann: You look at" in screen
    assert "== day 2 ==" in screen


def test_a_pause_stops_the_time(tmp_path):
    keeper = keeper_of(tmp_path, day_seconds=200)
    clock, prompts = Clock(), []

    def answer(prompt, terminal):
        prompts.append((prompt, keeper.sitting.flow))
        if "continue, or" in prompt:
            clock.now += 10_000
            return "" if len(prompts) == 2 else "quit"
        return "pause"

    terminal = Listed(answer, clock=clock)
    Rounds(keeper, terminal, clock=clock).run()
    (first, before), (second, resting), (third, after), *_ = prompts
    assert first == third == "day 1> "
    assert second == "Press Enter to continue, or write 'quit'. "
    assert resting.paused
    assert resting.deadline is None
    assert not after.paused
    assert after.deadline - before.deadline > 10_000
    assert any(screen.startswith("The game is paused.") for screen in terminal.screens)
    assert keeper.sitting.flow.paused  # it was left so, and is found so
    again = Listed(lambda prompt, _: None)
    Rounds(keeper, again).run()
    assert "The game is paused." in again.screens[-2]


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_the_time_that_is_left_on_a_terminal(terminal, tmp_path):
    settings = ("--rules", "gekka", "--wolves", "1", "--night-seconds", "2", "--missing", "pass")
    program = terminal("play", *settings, "--players", *NAMES, "--log", "g.jsonl")
    program.prompt("Hand the device to Ann")
    program.type("")
    program.prompt("Whom do you look at")
    program.prompt("Hand the device to Ann", later=True)  # with the news; nobody has typed anything
    assert "It is day 2." in program.screens[-1]
    assert re.search(r"0:0[012]", "".join(program.screens))
    assert "Whom do you look at" not in program.screens[-1]
    program.type("quit")
    assert program.end() == 0
    assert not read_log(tmp_path / "g.jsonl").choices
