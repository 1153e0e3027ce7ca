"""Questions at the table: players ask on phones and at the console, and hear what their handout says."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from kripke_werewolf import KripkeError, LogFile, QuantumWerewolf
from kripke_werewolf.games.werewolf.log import HouseRules
from kripke_werewolf.play.console.screens import Master, Rounds
from kripke_werewolf.play.tabletop import PHONES, Keeper
from tests.play.console.terminal import Listed

NAMES = ("Ann", "Bo", "Cy", "Di")
START = QuantumWerewolf(NAMES, wolves=1, rules="cisra")
QUESTIONS = (
    "Does Ann know that Bo is evil?",
    "If I am the seer, is Bo evil?",
    "Could Bo be a wolf?",
    "How likely is Bo to be evil?",
    "Who could be the wolf?",
    "Nobody is dead?",
    "What did I see?",
)


@pytest.fixture
def keeper(tmp_path: Path) -> Iterator[Keeper]:
    """A game in which Ann has seen that Bo is evil."""
    game = START.vision("Ann", "Bo", result="evil")
    with LogFile.create(tmp_path / "g.jsonl", game) as log:
        yield Keeper(log, PHONES, house=HouseRules(ballot="open"))


@pytest.mark.parametrize("name", ["Ann", "Cy"])
@pytest.mark.parametrize("question", QUESTIONS)
def test_what_is_told_is_what_the_handout_says(keeper: Keeper, name: str, question: str) -> None:
    handout = keeper.game.handout(name)
    assert keeper.known(name) == handout
    answer = handout.ask(question)
    assert keeper.ask(name, question).startswith(f"{answer} (read as {answer.read_as[:150]}")


def test_the_game_master_asks_about_everything(keeper: Keeper) -> None:
    for question in ("Does Ann know that Bo is evil?", "Who is the wolf?"):
        assert keeper.ask(None, question).startswith(f"{keeper.game.ask(question)} (read as ")


def test_what_others_did_changes_no_answer(tmp_path: Path) -> None:
    """Cy cannot tell what Ann has seen: whatever it was, Cy hears the same."""
    games = [START.vision("Ann", "Bo", result=seen) for seen in ("evil", "good")]
    said = []
    for number, game in enumerate(games):
        with LogFile.create(tmp_path / f"{number}.jsonl", game) as log:
            keeper = Keeper(log, PHONES)
            said.append([keeper.ask("Cy", question) for question in QUESTIONS])
    assert said[0] == said[1]
    assert games[0].ask("wolf_Bo").verdict.fraction != games[1].ask("wolf_Bo").verdict.fraction


def test_a_reading_is_cut_off(tmp_path: Path) -> None:
    with LogFile.create(tmp_path / "g.jsonl", START) as log:
        assert len(Keeper(log, PHONES).ask("Ann", "Does nobody know who the wolf is?")) < 300


# --- the console ---------------------------------------------------------------------------------


def test_a_question_in_ones_own_hands_is_answered_there(tmp_path: Path) -> None:
    left = {name: list(QUESTIONS) for name in ("Ann", "Cy")}
    targets = cycle(NAMES)  # some are refused

    def answer(prompt: str, terminal: Any) -> str | None:
        screen = terminal.screens[-1]
        if not screen.startswith(NAMES) or not prompt.startswith(("\nWhom", "\nName")):
            return None if prompt.startswith("day") else ""
        asked = next((asked for name, asked in left.items() if screen.startswith(name)), [])
        return asked.pop(0) if asked else next(targets)

    terminal = Listed(answer)
    game = START.vision("Ann", "Bo", result="evil").end_phase().end_phase()
    with LogFile.create(tmp_path / "g.jsonl", game) as log:
        keeper = Keeper(log, PHONES)
        expected = [(name, keeper.ask(name, question)) for name in left for question in QUESTIONS]
        Rounds(keeper, terminal).run()
    for name, told in expected:
        assert any(told in screen for screen in terminal.screens if screen.startswith(f"{name}, ")), told
    others = [screen for screen in terminal.screens if not screen.startswith(("Ann, ", "Cy, "))]
    assert not any("(read as " in screen for screen in others)


def test_the_game_masters_screen_answers(keeper: Keeper) -> None:
    lines = iter(["Who is the wolf?", "Is Bo trusted?", "help", "quit"])
    terminal = Listed(lambda prompt, terminal: next(lines))
    Master(keeper, terminal).run()
    (screen,) = terminal.screens
    assert keeper.ask(None, "Who is the wolf?") in screen
    assert '"trusted" is not understood' in screen
    assert "A question in English that ends with '?' is answered" in screen


def test_what_is_no_question_is_refused(keeper: Keeper) -> None:
    with pytest.raises(KripkeError, match="not understood"):
        keeper.ask("Ann", "Does Bo trust me?")
