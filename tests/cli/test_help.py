"""Help, the version, and options in other words."""

import sys

import pytest

from kripke_werewolf import __version__
from kripke_werewolf.cli.main import main
from kripke_werewolf.cli.play import PHONES_HOUSE, host_command, play_command
from kripke_werewolf.werewolf.log import HouseRules


@pytest.fixture
def run(monkeypatch, capsys):
    """Return a function that runs the program; it returns the exit code and what is printed."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["kripke-werewolf", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        return ended.value.code, *capsys.readouterr()

    return run


def test_help_and_version_may_be_words(run):
    assert run("help") == run("--help") == run("-h")
    assert run("help", "ask") == run("ask", "--help")
    assert run("version") == run("--version") == run("-V")
    assert __version__ in run("version")[1]


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (("simulate",), "did you mean 'play'?"),
        (("validity", "p"), "did you mean prove"),
        (("chek",), "did you mean 'check'?"),
        (("help", "chek"), "did you mean 'check'?"),
        (("draw", "hexa", "--save", "x.png"), "--out"),
        (("play", "--ruleset", "gekka"), "--rules"),
        (("play", "--random", "1"), "--seed"),
    ],
)
def test_other_words_for_commands_and_options(run, arguments, meant):
    code, out, error = run(*arguments)
    assert (code, out) == (2, "")
    assert meant in error


def test_the_help_names_the_house_rules_that_hold_by_default():
    texts = {option.name: option.help for option in play_command.params}
    assert (
        texts.items()
        >= {o.name: o.help for o in host_command.params if o.name in HouseRules.__slots__}.items()
    )
    for name in HouseRules.__slots__:
        usual, on_phones = getattr(HouseRules(), name), getattr(PHONES_HOUSE, name)
        assert f"by default {'without limit' if usual is None else usual}" in texts[name]
        assert on_phones == usual or f"on phones {on_phones}" in texts[name]
