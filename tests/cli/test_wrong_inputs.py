"""What a stranger types wrongly about a game: one message each, that names the input and what is allowed."""

import errno
import io
import json
import os
import shlex
import sys
from pathlib import Path

import pytest

from kripke_werewolf import KripkeModel, replay
from kripke_werewolf.cli.main import main

DEMO = Path(__file__).parents[1] / "data" / "demo.jsonl"


@pytest.fixture
def refused(tmp_path, monkeypatch, capsys):
    """A function that returns what a command prints on standard error; it must end with exit code 2."""
    monkeypatch.chdir(tmp_path)
    log = DEMO.read_text(encoding="utf-8").splitlines(keepends=True)
    for name, lines in {"g": log, "empty": [], "dropped": log[:1] + log[2:], "cut": [log[0][:40]]}.items():
        Path(f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
    KripkeModel.from_partitions("wv", {"a": [["w", "v"]]}, {"p": ["w"]}).save("m.json")
    Path("h.json").write_text(json.dumps(replay(DEMO).handout(1).to_dict(), indent=2), encoding="utf-8")
    Path("s.txt").write_text("rules: cisra\nplayers: 4\nwolves: 1\nyou: 1\n", encoding="utf-8")
    Path("two.txt").write_text(
        "rules: straat\nplayers: 4\nwolves: 1\nyou: 1\nseers: 2\ntargets: public\n", encoding="utf-8"
    )
    Path("x.json").write_text("[1,\n 2]", encoding="utf-8")
    Path("deep.json").write_text("[" * 100_000, encoding="utf-8")
    Path("deep.toml").write_text("wolves = " + "[" * 100_000, encoding="utf-8")
    Path("digits.json").write_text("1" * 5_000, encoding="utf-8")
    Path("blank.json").write_text("\n", encoding="utf-8")
    Path("line.txt").write_text("x" * 100_000 + " & ", encoding="utf-8")
    Path("task.toml").write_text('kind = "truth-set"\nformula = "p"\n' + "x" * 100_000, encoding="utf-8")
    Path("bad.toml").write_text("preset = = 1", encoding="utf-8")
    Path("field.toml").write_text('preset = "cisra"\nwolvs = 3', encoding="utf-8")

    def run(*args):
        monkeypatch.setattr(sys, "argv", ["kripke-werewolf", *args])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        assert ended.value.code == 2
        assert printed.out == ""
        assert "Traceback" not in printed.err
        assert len(printed.err) < 1_000
        return printed.err

    return run


WRONG = r"""
game infer '' | no file is given: its name is empty
game infer g.jsonl | not the sheet of one player; `game handout g.jsonl
play m.json | m.json: a model, which `ask`, `draw` and `explore` read, not the log of a game
play h.json | h.json: a handout, which `game infer` reads, not the log
ask h.json 'K_1 wolf_2' | h.json: a handout, which `game infer` reads, not the log
game knowledge s.txt | s.txt: a typed sheet, which `game infer` reads, not the log
play x.json | x.json: JSON data, not the log of a game
ask m.json K_a p | these are 2 questions; for one, write it in quotes: "K_a p"
ask g.jsonl K_Bob K_Alice wolf_3 | for one, write it in quotes: "K_Bob K_Alice wolf_3"
ask 'K_a p' m.json | 'K_a p' is not a file, and 'm.json' is one: write ask m.json "K_a p"
ask nofile.jsonl wolf_1 | nofile.jsonl: No such file
ask empty.jsonl wolf_1 | empty.jsonl is empty; a log begins with a header
ask dropped.jsonl wolf_1 | dropped.jsonl, line 2: it has the checksum
game knowledge cut.jsonl | cut.jsonl, line 1: the header is only half written
game handout g.jsonl --player Bob -o g.jsonl --force | its extension must be one of .txt, .md, .html
game table bad.toml | bad.toml is neither a model (JSON, from model.save(…)) nor
game infer deep.json | deep.json: the data are nested too deeply
draw deep.json -o a.svg | deep.json: the data are nested too deeply
game rules deep.toml | deep.toml is not a TOML file of rules: maximum recursion depth
exercise check deep.toml p | this is not TOML: maximum recursion depth
game infer digits.json | digits.json: Exceeds the limit (4300 digits)
game replay blank.json | blank.json is empty; expected a model or the log of a game
story line.txt | line.txt, line 1, column 100003: expected ':' after 'xxxx
proof check line.txt | line.txt, line 1, column 100003: the text ends too early
exercise check task.toml p | task.toml, line 3, column 100001: this is not TOML
ask g.jsonl 'K_Zed wolf_1' | unknown agent 'Zed' (known: Alice, Bob, Craig, David)
ask g.jsonl 'K_1 wolf_9' | unknown player '9' in the atom 'wolf_9' (known: Alice, Bob
ask g.jsonl 'K_1 wolff_1' | unknown atom 'wolff_Alice'; did you mean 'wolf_Alice'
game knowledge g.jsonl --player Zed | unknown player 'Zed' (known: Alice, Bob
game table g.jsonl --player 0 | unknown player '0' (known: Alice, Bob
game table g.jsonl --step -1 | step -1 does not exist; the game has steps 0 to 6
play --night-seconds 3 | It is an option of 'host'.
game handout g.jsonl --player '' | unknown player '' (known: Alice, Bob
ask g.jsonl '' | the sentence is empty
ask g.jsonl 'is Bob the zeer?' | "zeer" is not understood
ask g.jsonl 'Bob nows that Craig is dead' | cannot read the sentence
ask g.jsonl 'K1 wolfs_2' | unexpected "wolfs_2"
ask g.jsonl 'C_{} wolf_2' | cannot read the formula at column 1: a name is missing
ask g.jsonl 'P_1(wolf_2) >= 3/0' | cannot read the formula at column 16: not a number
game timeline g.jsonl 'K_1 (wolf_2' | the formula at column 12: the text ends
game timeline g.jsonl 'who is dead?' | 'who is dead?' is not a yes-or-no question
ask g.jsonl 'who knows wolf_1?' --explain | not for 'who knows wolf_1
ask g.jsonl 'how likely is it for Bob that Di is dead?' | nobody is called "Di"
game table g.jsonl --reading exact | give --player PLAYER, too
game table g.jsonl --public --player Bob | --public and --player are two different
game audit csira --players 5 | 'csira'; did you mean 'cisra'? (known: cisra, gekka, straat)
game audit none.toml --players 5 | none.toml: No such file
game audit bad.toml --players 5 | bad.toml is not a TOML file of rules
game audit field.toml --players 5 | 'wolvs' in the rules in field.toml
game audit cisra --players 5 --wolves 9 | 9 wolves and 1 seer for 5 players
game audit cisra --players 40 | above the limit of
game audit cisra --players 5 --games 0 | 0 is not in the range x>=1
"""
"""Commands and, after a bar, what is said about them."""


def test_a_wrong_input_is_named_with_what_is_allowed(refused):
    missing = []
    for line in WRONG.strip().splitlines():
        command, _, message = line.rpartition(" | ")
        found = refused(*shlex.split(command))
        if message not in found:
            missing.append((command, message, found))
    assert not missing
    assert f"{os.devnull} is empty; expected a model or the log" in refused("game", "replay", os.devnull)


def test_files_are_similar_by_their_own_names(refused, tmp_path):
    far = tmp_path / "a_folder_with_a_long_name"
    far.mkdir()
    (far / "other.json").touch()
    (far / "g.jsonl").touch()
    assert refused("game", "table", str(far / "unrelated.txt")).endswith("No such file or directory\n")
    assert refused("game", "table", str(far / "gg.jsonl")).endswith(f"; did you mean {far / 'g.jsonl'}?\n")


def test_a_log_is_not_overwritten_by_a_handout_of_it(refused):
    before = Path("g.jsonl").read_bytes()
    refused("game", "handout", "g.jsonl", "--player", "Bob", "-o", "./g.jsonl")
    assert Path("g.jsonl").read_bytes() == before


class _Full(io.FileIO):
    """A file on a full disk."""

    def write(self, data, /):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_behind_standard_output_is_named(refused, tmp_path, monkeypatch):
    with io.TextIOWrapper(io.BufferedWriter(_Full(tmp_path / "out", "w")), encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stdout", full)
        message = refused("game", "table", "g.jsonl")
        monkeypatch.undo()
        full.buffer.raw.write = lambda data: len(data)  # there is room again, for what is left at closing
    assert message == f"error: standard output could not be written: {os.strerror(errno.ENOSPC)}\n"
    assert (tmp_path / "out").read_bytes() == b""
