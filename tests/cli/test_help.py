"""Help, the version, and options in other words."""

import sys

import pytest

from kripke_werewolf import __version__
from kripke_werewolf.cli.main import main


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
        (("validity", "p"), "did you mean 'prove' or"),
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
