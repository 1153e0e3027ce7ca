"""Help, the version, and options in other words."""

import re
import sys

import pytest

from kripke_werewolf import __version__
from kripke_werewolf.cli.main import main
from kripke_werewolf.games.werewolf.log import HouseRules


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
        (("simulate",), "or avalon simulate --games 1000?"),
        (("validity", "p"), "did you mean prove"),
        (("chek",), "did you mean 'check'?"),
        (("help", "chek"), "did you mean 'check'?"),
        (("draw", "hexa", "--save", "x.png"), "--out"),
        # below the first level, and names that have moved
        (("replay", "g.jsonl"), "did you mean 'game replay'?"),
        (("game", "study", "s.toml"), "did you mean 'kripke-werewolf avalon study'?"),
        (("game", "story", "g.jsonl"), "did you mean 'tale'?"),
        (("announce", "coin.json", "h"), 'did you mean ask FILE "[!p]K_a p" or draw FILE'),
        (("play", "--cards", "wolf=2", "hunter", "seer", "drunk"), "repeat it: --cards seer."),
        (("exercise", "list"), "did you mean exercise new --help?"),
        (("exercise", "kinds"), "did you mean exercise new --help?"),
        (("exercise", "sheet", "nwe"), "unknown command 'nwe' in exercise sheet; did you mean 'new'?"),
        (("exercise", "new", "--type", "valid"), "Did you mean exercise new --kind "),
        (("exercise", "new", "--count", "3"), "Did you mean exercise sheet new "),
        (("exercise", "sheet", "-n", "3"), "Did you mean exercise sheet new "),
        (("exercise", "--kind", "valid"), "Did you mean new --kind"),
        (("avalon", "simulate", "-n", "1000"), "Did you mean avalon simulate --games 1000?"),
        (("avalon", "solve", "--players", "5"), "Did you mean avalon solve --set players=5?"),
        (("plan", "valdate", "p", "d"), "unknown command 'valdate' in plan; did you mean 'validate'?"),
        (
            ("play", "--deal", "clasical"),
            "'clasical' is not one of 'quantum', 'classical'. Did you mean 'classical'?",
        ),
        (("proof", "K_a p -> p"), 'did you mean prove "K_a p -> p"?'),
        (("play", "1", "2", "3"), "names of players follow --players.\n"),
        (("play", "--ruleset", "gekka"), "--rules"),
        (("play", "--random", "1"), "--seed"),
        (
            ("draw", "hexa"),
            "Missing option '-o' / '--out'.\nThe file to write; its ending is the format: png,",
        ),
        (("exercise", "sheet", "print", "s.toml"), "in exercise sheet (known: new, check, export)"),
        (("plan", "hexa"), "hexa: No such file or directory\n"),
    ],
)
def test_other_words_for_commands_and_options(run, arguments, meant):
    code, out, error = run(*arguments)
    assert (code, out) == (2, "")
    assert meant in error


@pytest.mark.parametrize(
    "command", ["draw", "host", "game table", "exercise sheet new", "arena run", "forge make"]
)
def test_an_option_that_is_like_no_other_is_answered_with_those_there_are(run, command):
    shown = re.findall(r"^  (-[-\w]+)", run(*command.split(), "--help")[1], re.MULTILINE)
    wanted = sorted({*shown} - {"-h"})
    error = run(*command.split(), "--zxqj")[2]
    assert sorted(re.search(r"\(known: (.*)\)", error)[1].split(", ")) == wanted


def test_the_help_names_the_house_rules_that_hold_by_default(run):
    of_a_device, on_phones = run("play", "--help")[1], run("host", "--help")[1]
    for house, text in (HouseRules(), of_a_device), (HouseRules("lot", "pass", "open", "pass"), on_phones):
        shown = " ".join(text.split())
        for name in ("ballot", "ties", "missing", "absent"):
            _, _, rest = shown.partition(f"--{name} ")
            assert f"[default: {getattr(house, name)}]" in rest.partition(" --")[0], name
    assert " ".join(on_phones.split()).count("by default without limit") == 2
