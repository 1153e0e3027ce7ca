"""The first night on one device: explanations, hints, what a night changed, and robots."""

import pytest

from kripke_werewolf import LogFile, QuantumWerewolf
from kripke_werewolf.base.wording import Sentence
from kripke_werewolf.games.werewolf.log import HouseRules
from kripke_werewolf.play.console.screens import Rounds
from kripke_werewolf.play.tabletop import DEVICE, Keeper, Robots
from tests.play.console.terminal import Listed

NAMES = ["Ann", "Bo", "Cy", "Di"]


def screens(folder, lines, *, robots=(), language="en", ballot="spoken", rules="gekka"):
    """Return what one device showed while these lines were typed."""
    folder.mkdir(exist_ok=True)
    game = QuantumWerewolf(NAMES, rules=rules, wolves=1, rng=1)
    with LogFile.create(folder / "g.jsonl", game) as log:
        keeper, typed = Keeper(log, DEVICE, house=HouseRules(ballot=ballot), seed=1), iter(lines)
        if robots:
            keeper.submit(None, Robots(robots))
        terminal = Listed(lambda prompt, terminal: next(typed, None))
        Rounds(keeper, terminal, language=language).run()
        return "\n".join(terminal.screens)


def test_a_player_reads_what_a_question_does(tmp_path):
    shown = screens(tmp_path, ["", "hint", "Bo", "", "", "help", "Ann", "", "", "Cy"])
    assert shown.count("In the worlds where you are the seer") == 4  # Ann, Bo, Bo's help, Cy
    assert "Nothing that you were told, apart from the numbers in the tables, favours one name" in shown


@pytest.mark.parametrize(("language", "words"), [("nl", "tip hulp"), ("ja", "ヒント ヘルプ")])
def test_the_words_are_typed_in_the_language_of_the_screen(tmp_path, language, words):
    shown = screens(tmp_path, ["", *words.split(), "Bo", ""], language=language)
    assert Sentence("no-hint", hard=False).told(language) in shown
    english = screens(tmp_path / "en", ["", "hint", "help", "Bo", ""], language=language)
    assert english.count("\n") == shown.count("\n")


def test_only_people_get_the_device_and_read_what_changed(tmp_path):
    lines = ["", "Bo", "", "", "", "Di", "", "Cy", "", "", "", "", ""]
    shown = screens(tmp_path, lines, robots=("Bo", "Cy", "Di"), ballot="open")
    assert "Hand the device to Ann" in shown
    for robot in ("Bo", "Cy", "Di"):
        assert f"Hand the device to {robot}" not in shown
    assert "Practice: the program plays for Bo, Cy and Di." in shown
    assert shown.count("What night 1 changed for you: if you are the seer, Bo is") == 1
    assert "Votes: " in shown


def test_a_hint_is_not_for_the_screen_that_all_see(tmp_path):
    """In an open ballot everybody looks on."""
    lines = ["", "Bo", "", *[""] * 6, "hint", "Di"]
    shown = screens(tmp_path, lines, robots=("Bo", "Cy", "Di"), ballot="open")
    assert "From what you were told" not in shown
    assert "favours one name" not in shown
    assert "unknown command 'hint'" in shown
