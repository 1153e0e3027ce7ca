"""Commands on the log of a game: table, replay, branch, undo, handout, report; good and bad input."""

import csv
import io
import json
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from kripke_werewolf import KripkeError, LogFile, QuantumWerewolf, replay
from kripke_werewolf.cli.main import cli
from kripke_werewolf.games.werewolf.tale import knowledge_after, tale, to_ask
from kripke_werewolf.play.tabletop.evenings import statistics
from tests.cli.test_play import command
from tests.logs import signed
from tests.running import invoke
from tests.running import output as run

NAMES = ["Ann", "Bo", "<script>", 'Di "D" 🐺', "Ed"]


@pytest.fixture
def log(tmp_path):
    game = QuantumWerewolf(NAMES, rules="cisra", numbers=[2, 3, 1, 5, 4], rng=1)
    game = game.vision("Ann", "Bo", result="good").vision("Bo", "Ed", result="evil").end_phase()
    game = game.vote_off("Ed", role="villager").attack("Ann", "Bo")
    LogFile.create(tmp_path / "g.jsonl", game).close()
    return tmp_path / "g.jsonl"


# table


def test_table_in_every_format(log):
    game = replay(log)
    assert run("game", "table", log) == str(game.table()) + "\n"
    for form, write in (("markdown", "to_markdown"), ("csv", "to_csv"), ("html", "to_html")):
        for numbers in ("decimal", "percent", "fractions", "counts"):
            printed = run("game", "table", log, "--format", form, "--as", numbers)
            assert printed == getattr(game.table(), write)(numbers) + "\n"
    assert list(csv.reader(io.StringIO(run("game", "table", log, "--format", "csv"))))[3][0] == "<script>"
    assert "<script>" not in run("game", "table", log, "--format", "html")


def test_every_command_says_that_a_game_is_a_sample(tmp_path):
    path = tmp_path / "s.jsonl"
    LogFile.create(path, QuantumWerewolf(NAMES, rules="cisra", sample=9, rng=1)).close()
    said = "a random sample of at most 9 of 20 worlds"
    for name in ("game table", "game replay", "game timeline", "game knowledge", "ask"):
        formulas = ["wolf_1 | ~wolf_1"] if name in ("game timeline", "ask") else []
        assert said in run(*name.split(), path, *formulas), name
    assert said in run("ask", path, "who knows wolf_1")
    assert said in run("game", "handout", path, "--player", "Ann")
    result = CliRunner().invoke(cli, ["game", "table", str(path), "--format", "csv"])
    assert said in result.stderr
    assert said not in result.stdout


def test_table_as_json(log):
    data = json.loads(run("game", "table", log, "--json"))
    assert data["step"] == 5
    assert data["phase"] == "night 2, attacks"
    assert data["rows"] == replay(log).table().to_dict()["rows"]
    assert json.loads(run("game", "table", log, "--json", "--as", "counts"))["rows"][0]["good"] == int(
        replay(log).table()["Ann", "good"] * replay(log).size
    )


def test_public_table_and_that_of_a_player(log):
    assert run("game", "table", log, "--public") == str(replay(log).table(public=True)) + "\n"
    by_name, by_number = (
        run("game", "table", log, "--player", "Bo"),
        run("game", "table", log, "--player", "3"),
    )
    assert by_name == by_number == str(replay(log).table(viewer="Bo")) + "\n"


def test_accents_of_names_may_be_typed_apart(tmp_path):
    for name, typed in (joined := "Jos\u00e9", apart := "Jose\u0301"), (apart, joined):
        path = tmp_path / f"{len(name)}.jsonl"
        LogFile.create(path, QuantumWerewolf([name, "Bo", "Cy"], wolves=1)).close()
        assert run("game", "table", path, "--player", typed) == run("game", "table", path, "--player", name)


def test_table_of_a_step_and_a_difference(log):
    lines = run("game", "table", log, "--step", 0, "--as", "fractions").splitlines()
    assert lines[0] == "after step 0, in night 1, visions"
    assert lines[3].split() == ["Ann", "4/5", "1/5", "0"]
    text = run("game", "table", log, "--step", 1, "--diff", 0, "--as", "fractions")
    assert text.startswith("step 0 → 1, worlds: 20 → 19\n")
    assert "Bo" in text
    assert "1/5 → 4/19" in text
    told = run("game", "replay", log)  # its headings are the phases, below each the numbers of its steps
    for phase in ("night 1, visions", "night 1", "day 1"):
        number = re.findall(r"(?m)^ +(\d+)  ", told.partition(f"\n{phase}")[2].partition("\n\n")[0])[-1]
        assert run("game", "table", log, "--step", phase) == run("game", "table", log, "--step", number)
    data = json.loads(run("game", "table", log, "--step", 1, "--diff", 0, "--json"))
    assert {"player": "Ann", "column": "evil", "before": "1/5", "after": "4/19"} in data["changed"]


def test_columns_of_the_table(log):
    for more in ([], ["--player", "Bo"], ["--public"]):
        whole = run("game", "table", log, "--columns", "seer,dead", "--as", "fractions", *more).splitlines()
        assert whole[0].split()[1:] == ["seer", "dead"]
    shares = replay(log).table(columns=["seer"])
    rows = run("game", "table", log, "--columns", "seer", "--as", "fractions").splitlines()[1:]
    assert [row.rsplit(" ", 1)[1] for row in rows[:5]] == [
        str(shares[name, "seer"]) for name in shares.labels
    ]


# replay


def test_replay_tells_the_story(log):
    text = run("game", "replay", log)
    assert "   1  Ann looks at Bo and sees good (of 4 worlds: good 3, evil 1). [19 worlds]" in text
    assert "Ed is voted off and was a villager" in text
    assert 'After step 5: night 2, attacks. Alive: Ann, Bo, <script>, Di "D" 🐺.' in text
    early = run("game", "replay", log, "--step", 3)
    assert "voted off" not in early
    assert "After step 3: day 1" in early
    assert early.endswith(str(replay(log, step=3).table()) + "\n")


# branch and undo


def test_branch_and_the_difference(log, tmp_path):
    new = tmp_path / "new.jsonl"
    text = run(
        "game", "branch", log, "--step", 0, "-o", new, "--move", "vision Ann Ed as evil", "--as", "fractions"
    )
    assert [e.target for e in replay(new).events] == ["Ed"]
    assert "new.jsonl, step 1" in text
    assert "worlds: 19 → 17" in text
    assert replay(log).size != replay(new).size
    text = run("game", "branch", log, "--step", 2, "-o", tmp_path / "other.jsonl")
    assert replay(tmp_path / "other.jsonl") == replay(log, step=2)
    assert "g.jsonl, step 5 → " in text
    data = json.loads(run("game", "branch", log, "--step", 2, "-o", tmp_path / "third.jsonl", "--json"))
    assert data["before"] == replay(log).table().to_dict()
    assert data["after"] == replay(log, step=2).table().to_dict()


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (["--step", 9], "step 9 does not exist; the game has steps 0 to 5"),
        (["--step", -1], "step -1 does not exist"),
        (["--step", 1, "--move", "vision Ann Bo"], "the move 'vision Ann Bo' is refused: .*already used"),
        (["--step", 1, "--move", "status"], "'status' is not a move"),
    ],
)
def test_a_refused_branch_leaves_no_file(log, tmp_path, args, reason):
    with pytest.raises(KripkeError, match=reason):
        run("game", "branch", log, "-o", tmp_path / "new.jsonl", *args)
    assert not (tmp_path / "new.jsonl").exists()
    with pytest.raises(KripkeError, match="exists; add --force"):
        run("game", "branch", log, "--step", 1, "-o", log)


def test_undo(log):
    before = log.read_bytes()
    text = run("game", "undo", log, "--steps", 2)
    assert text.startswith("undone: step 5: Ann attacks Bo.\nundone: step 4: Ed is voted off")
    assert "now: step 3, day 1" in text
    assert log.read_bytes().startswith(before)
    assert len(replay(log).steps) == 3
    with pytest.raises(KripkeError, match="cannot undo 4: the game has 3 steps"):
        run("game", "undo", log, "--steps", 4)
    with LogFile.open(log), pytest.raises(KripkeError, match="another program"):
        run("game", "undo", log)


# handout and report


def test_handout(log, tmp_path):
    game = replay(log)
    assert run("game", "handout", log, "--player", "Bo") == f"{game.handout('Bo')}\n"
    assert run("game", "handout", log, "--player", "3") == f"{game.handout('Bo')}\n"
    assert (
        run("game", "handout", log, "--player", "bo".upper().title(), "--step", 2)
        == f"{game.at(2).handout('Bo')}\n"
    )
    assert json.loads(run("game", "handout", log, "--player", "<script>", "--json"))["player"] == "<script>"
    run("game", "handout", log, "--player", "Bo", "-o", tmp_path / "h.md")
    assert (tmp_path / "h.md").read_text(encoding="utf-8") == game.handout("Bo").document.to_markdown()
    with pytest.raises(KripkeError, match=r"one of \.txt, \.md, \.html, \.json"):
        run("game", "handout", log, "--player", "Bo", "-o", tmp_path / "h.pdf")
    run("game", "handout", log, "--player", "<script>", "-o", tmp_path / "h.html")
    page = (tmp_path / "h.html").read_text(encoding="utf-8")
    assert "<title>What &lt;script&gt; knows</title>" in page
    assert "<script>" not in page
    with pytest.raises(LookupError, match="unknown player 'Bob'; did you mean 'Bo'"):
        run("game", "handout", log, "--player", "Bob")


def test_report(log, tmp_path):
    run("game", "report", log, "-o", tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 3
    assert "<script>" not in page
    printed = run("game", "report", log, "-o", tmp_path / "a report.md").splitlines()
    assert len(printed) == 4
    text = (tmp_path / "a report.md").read_text(encoding="utf-8")
    assert "](a%20report-table.svg)" in text
    assert (tmp_path / "a report-dead.svg").read_text(encoding="utf-8").startswith("<svg")
    run("game", "report", log, "-o", tmp_path / "short.md", "--step", 1, "--no-plots")
    assert "voted off" not in (tmp_path / "short.md").read_text(encoding="utf-8")


def test_a_report_that_cannot_be_written(log, tmp_path):
    with pytest.raises(KripkeError, match=r"r\.pdf': its extension must be one of \.html, \.md"):
        run("game", "report", log, "-o", tmp_path / "r.pdf")
    with pytest.raises(KripkeError, match=r"cannot write .*nowhere"):
        run("game", "report", log, "-o", tmp_path / "nowhere" / "r.html", "--no-plots")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["g.jsonl"]


def test_a_story_to_pass_on(log, tmp_path):
    game = replay(log)
    found = {asked: knowledge_after(game, asked) for asked in to_ask(game) if asked[1] == "facts"}
    assert run("game", "tale", log) == f"{tale(game, found).to_text()}\n"
    assert run("game", "tale", log, "-o", tmp_path / "t.html") == f"{tmp_path / 't.html'}\n"
    page = (tmp_path / "t.html").read_text(encoding="utf-8")
    assert "<script>" not in page
    assert "<h3>Ed, day 1</h3>" in page
    run("game", "tale", log, "-o", tmp_path / "t.md", "--language", "de")
    assert "Wendepunkte" in (tmp_path / "t.md").read_text(encoding="utf-8")
    exact = run("game", "tale", log, "--reading", "exact", "--timeout", "0.001")
    assert "2 of 2 questions are left out" in exact
    with pytest.raises(KripkeError, match="its extension must be one of"):
        run("game", "tale", log, "-o", tmp_path / "t.pdf")


def test_statistics(log, tmp_path):
    found = statistics(tmp_path)
    assert run("game", "statistics", tmp_path) == f"{found.document.to_text()}\n"
    assert json.loads(run("game", "statistics", tmp_path, "--json")) == found.to_dict()
    run("game", "statistics", tmp_path, "-o", tmp_path / "s.html")
    assert "<h1>Games of Quantum Werewolf</h1>" in (tmp_path / "s.html").read_text(encoding="utf-8")


# bad input, through the real program


BAD_FILES = r"""
game table nowhere.jsonl | nowhere.jsonl: No such file
game table g.jsonl --step 9 | step 9 does not exist
game table g.jsonl --public --player Bo | give one of them
game table broken.jsonl | broken.jsonl, line 3: step 2 cannot have happened: Bo
game replay edited.jsonl | edited.jsonl, line 2: step 1 cannot have happened
game handout empty.jsonl --player Bo | empty.jsonl is empty
game report chess.jsonl -o r.html | the header has format 'chess'
game tale chess.jsonl | the header has format 'chess'
game statistics nowhere | 'nowhere' is not a folder; give one with logs of games
game undo bytes.jsonl | bytes.jsonl, line 1: not valid UTF-8
game table dropped.jsonl | dropped.jsonl, line 2: it has the checksum
play broken.jsonl | broken.jsonl, line 3: step 2 cannot have happened
game branch broken.jsonl --step 0 -o n.jsonl | line 3: step 2 cannot have happened
"""


def test_bad_files_end_with_two_and_a_reason(log, tmp_path):
    lines = log.read_text(encoding="utf-8").splitlines()
    broken = [lines[0], lines[1], lines[2].replace('"target": "Ed"', '"target": "Bo"')]
    (tmp_path / "broken.jsonl").write_text("\n".join(signed(broken)) + "\n", encoding="utf-8")
    edited = [lines[0], lines[1].replace('"good": 3', '"good": 4')]
    (tmp_path / "edited.jsonl").write_text("\n".join(signed(edited)) + "\n", encoding="utf-8")
    kept = log.read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "dropped.jsonl").write_text("".join(kept[:1] + kept[2:]), encoding="utf-8")
    (tmp_path / "empty.jsonl").write_text("", encoding="utf-8")
    (tmp_path / "chess.jsonl").write_text('{"format": "chess"}\n', encoding="utf-8")
    (tmp_path / "bytes.jsonl").write_bytes(b"\xff\xfe\x00")
    for line in BAD_FILES.strip().splitlines():
        typed, _, reason = line.rpartition(" | ")
        code, _, err = command(*shlex.split(typed), cwd=tmp_path)
        assert (code, reason in err, err.count("\n")) == (2, True, 1), (line, err)


def test_a_half_written_line_is_noted(log, tmp_path):
    log.write_bytes(log.read_bytes()[:-20])
    code, out, err = command("game", "table", "g.jsonl", "--json", cwd=tmp_path)
    assert code == 0
    assert "line 6 is only half written" in err
    assert json.loads(out)["step"] == 4
    code, _, err = command("play", "g.jsonl", cwd=tmp_path)
    assert code == 0
    assert "line 6 is only half written" in err
    assert command("game", "table", "g.jsonl", cwd=tmp_path)[2] == ""


@pytest.mark.filterwarnings("error:.*the move ends it")
def test_the_demo_has_nothing_to_remark(tmp_path: Path) -> None:
    done = invoke("demo", "--out", tmp_path)
    assert (done.stderr, done.return_value) == ("", None)
    assert {path.name for path in tmp_path.iterdir()} == {"demo.png", "demo.jsonl"}
