"""The console where everybody votes."""

import re

import pytest

from kripke_werewolf import LogFile, QuantumWerewolf
from kripke_werewolf.games.werewolf.log import HouseRules
from kripke_werewolf.play.console.screens import Master, Rounds
from kripke_werewolf.play.tabletop import DEVICE, MASTER, Keeper, Pause
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
        "Ann, whom do you vote for? ('nobody' to decline)"
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


@pytest.mark.parametrize(("manner", "screen"), [(DEVICE, Rounds), (MASTER, Master)])
def test_a_game_paused_on_phones_goes_on(tmp_path, manner, screen):
    keeper = keeper_of(tmp_path, manner)
    assert keeper.submit(None, Pause()).accepted
    screen(keeper, Listed(lambda prompt, _: None)).run()
    assert not keeper.sitting.flow.paused
