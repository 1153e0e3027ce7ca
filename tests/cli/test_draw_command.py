"""`kripke-werewolf draw`."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from PIL import Image

from kripke_werewolf import FormatError, KripkeModel, UnknownAgentError, UnknownAtomError, UnknownNameError
from kripke_werewolf.cli.main import cli
from kripke_werewolf.games.werewolf import LogFile, QuantumWerewolf, replay


def draw(*arguments: object) -> str:
    found = CliRunner().invoke(cli, ["draw", *map(str, arguments), "--force"], standalone_mode=False)
    if found.exception is not None:
        raise found.exception
    return found.output


def page_data(path: Path) -> dict[str, Any]:
    text = path.read_text(encoding="utf-8")
    begin = text.index('id="data">') + len('id="data">')
    found: dict[str, Any] = json.loads(text[begin : text.index("</script>", begin)])
    return found


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.json"
    classes = {"a": [["w", "v"]], "b": [["w"], ["v"]]}
    KripkeModel.from_partitions(["w", "v"], classes, {"p": ["w"]}, "w").save(path)
    return path


@pytest.fixture
def log(tmp_path: Path) -> Path:
    game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=2, rules="straat", targets="public")
    game = game.vision("Ann", "Bo", result="wolf").attack("Ann", "Cy").vote_off("Di", role="wolf")
    path = tmp_path / "game.jsonl"
    with LogFile.create(path, game):
        pass
    return path


@pytest.mark.parametrize("ending", ["png", "pdf", "svg", "tex", "dot", "gif", "html"])
def test_puzzle_in_every_format(ending: str, tmp_path: Path) -> None:
    out = tmp_path / f"m.{ending}"
    assert draw("muddy-children", "-n", 2, "-o", out) == f"{out}\n"
    assert out.stat().st_size > 200


def test_still_pictures_show_the_start_of_a_puzzle_or_what_is_left(tmp_path: Path) -> None:
    out = tmp_path / "m.dot"
    draw("muddy-children", "-n", 3, "-o", out)
    assert out.read_text(encoding="utf-8").count("shape=") == 8
    draw("muddy-children", "-n", 3, "-o", out, "--updates", "father", "nobody")
    assert out.read_text(encoding="utf-8").count("shape=") == 4
    draw("muddy-children", "-n", 3, "-o", out, "--updates", "muddy_1")
    assert out.read_text(encoding="utf-8").count("shape=") == 4


def test_moving_pictures_show_all_updates(tmp_path: Path) -> None:
    formulas = ("--formula", "K_1 muddy_1", "--formula", "muddy_2")
    draw("muddy-children", "-n", 3, "-o", tmp_path / "m.html", *formulas)
    data = page_data(tmp_path / "m.html")
    assert [frame["size"] for frame in data["frames"]] == [8, 7, 4, 1]
    assert data["formulas"] == ["K_1 muddy_1", "muddy_2"]
    draw("muddy-children", "-n", 3, "-o", tmp_path / "m.gif", "--updates", "father")
    assert Image.open(tmp_path / "m.gif").n_frames == 3


def test_model_file(model: Path, tmp_path: Path) -> None:
    out = tmp_path / "m.svg"
    draw(model, "-o", out, "--agents", "a", "--formula", "p", "--title", "Two worlds", "--edges", "full")
    text = out.read_text(encoding="utf-8")
    assert "<title>Two worlds</title>" in text
    assert "confuses w, v" in text
    assert "Agent b" not in text
    draw(model, "-o", out, "--updates", "p")
    assert "Kripke model with 1 world<" in out.read_text(encoding="utf-8")


def test_atoms_and_labels(model: Path, tmp_path: Path) -> None:
    out = tmp_path / "m.dot"
    draw(model, "-o", out, "--atoms", "", "--labels")
    assert "xlabel" not in out.read_text(encoding="utf-8")
    assert "#1A1A1A" in out.read_text(encoding="utf-8")


def test_a_picture_is_public_or_with_secrets(log: Path, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="--secrets and --public are two different pictures"):
        draw(log, "-o", tmp_path / "g.svg", "--secrets", "--public")
    assert not (tmp_path / "g.svg").exists()


def test_game(log: Path, tmp_path: Path) -> None:
    draw(log, "-o", tmp_path / "g.html", "--public")
    data = page_data(tmp_path / "g.html")
    titles = [frame["name"] for frame in data["frames"]]
    assert titles[0] == "Night 1. Alive: Ann, Bo, Cy, Di."
    assert len(data["frames"][0]["model"]["worlds"]) == 12
    assert len(data["frames"][-1]["model"]["worlds"]) == 6  # the deals, since the secrets are too many
    assert not any("sees" in title for title in titles)
    draw(log, "-o", tmp_path / "g.html", "--secrets")
    data = page_data(tmp_path / "g.html")
    titles = [frame["name"] for frame in data["frames"]]
    assert titles[0] == "The game begins."
    assert "Ann looks at Bo and sees wolf" in titles[1]
    assert data["frames"][0]["size"] == 12
    assert data["frames"][0]["rows"][0] == ["player", "villager", "seer", "werewolf", "dead"]
    night = replay(log).at(2)
    with LogFile.create(tmp_path / "night.jsonl", night):
        pass
    draw(tmp_path / "night.jsonl", "-o", tmp_path / "g.dot", "--agents", "Ann,Bo", "--secrets")
    labels = set(re.findall(r'-- \w+ \[label="(\w+)"', (tmp_path / "g.dot").read_text(encoding="utf-8")))
    assert labels == {"Ann", "Bo"}


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        (["muddy-childen"], UnknownNameError, "did you mean 'muddy-children'"),
        (["muddy-children", "--updates", "mother"], UnknownNameError, "father"),
        (["muddy-children", "--agents", "7"], UnknownAgentError, "'7'"),
        (["muddy-children", "--formula", "clean"], UnknownAtomError, "'clean'"),
        (["muddy-children", "--arrangement", "square"], click.BadParameter, "cube"),
        (["{model}", "-n", "3"], FormatError, "a size is for puzzles"),
        (["{model}", "--updates", "q"], UnknownAtomError, "'q'"),
        (["{log}", "--updates", "p"], FormatError, "--formula fills"),
        (["hexa", "--public"], FormatError, "--secrets and --public are for games"),
        (["hexa", "--theme", "drak"], UnknownNameError, "did you mean 'dark'"),
        (["hexa", "--color", "red"], click.BadParameter, "'red' is not of the form AGENT=COLOUR"),
        (["hexa", "--color", "x=red"], UnknownAgentError, "'x'"),
        (["hexa", "--document"], FormatError, "document is for .tex"),
    ],
)
def test_bad_input_is_one_error_and_no_file(
    arguments: list[str], error: type[Exception], says: str, model: Path, log: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.png"
    named = [a.format(model=model, log=log) for a in arguments]
    with pytest.raises(error, match=says):
        draw(*named, "-o", out)
    assert not out.exists()


def test_a_model_after_updates_is_saved_as_json(model: Path, tmp_path: Path) -> None:
    after = tmp_path / "after.json"
    draw(model, "--updates", "p", "-o", after)
    assert json.loads(after.read_text(encoding="utf-8"))["worlds"] == ["w"]
    for option in (["--title", "x"], ["--agents", "a"]):
        with pytest.raises(FormatError, match=f"{option[0][2:]}: for pictures"):
            draw(model, *option, "-o", after)


def test_unknown_ending_exits_with_2(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "kripke_werewolf", "draw", "hexa", "-o", str(tmp_path / "m.bmp")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert ".svg" in done.stderr
    assert "Traceback" not in done.stderr


def played(path: Path, *, seen: str, result: str, to_the_end: bool = False) -> Path:
    """Write a game in which Ann looks at somebody in secret."""
    game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="straat", targets="secret", rng=1)
    game = game.vision("Ann", seen, result=result)
    while to_the_end and game.verdict is None:
        game = game.end_phase(missing="random")
        game = game if game.verdict else game.vote_off(game.alive[0])
    with LogFile.create(path, game):
        pass
    return path


@pytest.mark.parametrize("ending", ["html", "svg"])
def test_a_game_on_the_screen_has_no_secrets(ending: str, tmp_path: Path) -> None:
    pages = []
    for number, (seen, result) in enumerate([("Bo", "wolf"), ("Cy", "villager"), ("Cy", "wolf")]):
        log = played(tmp_path / f"{number}.jsonl", seen=seen, result=result)
        draw(log, "-o", tmp_path / f"{number}.{ending}")
        pages.append((tmp_path / f"{number}.{ending}").read_bytes())
    assert pages[0] == pages[1] == pages[2]
    draw(log, "-o", tmp_path / f"s.{ending}", "--secrets")
    assert (tmp_path / f"s.{ending}").read_bytes() != pages[2]


def test_a_game_that_is_over_is_replayed_with_its_secrets(tmp_path: Path) -> None:
    log = played(tmp_path / "g.jsonl", seen="Bo", result="wolf", to_the_end=True)
    draw(log, "-o", tmp_path / "g.html")
    assert "Ann looks at Bo and sees wolf" in (tmp_path / "g.html").read_text(encoding="utf-8")
    draw(log, "-o", tmp_path / "p.html", "--public")
    assert "sees wolf" not in (tmp_path / "p.html").read_text(encoding="utf-8")


def test_too_many_secrets_for_the_screen(tmp_path: Path) -> None:
    log = Path(__file__).parents[2] / "examples" / "games" / "five_players.jsonl"
    draw(log, "-o", tmp_path / "g.html", "--public")
    data = page_data(tmp_path / "g.html")
    assert {frame["size"] for frame in data["frames"]} == {60, 72, 36}  # roles and deaths that are possible


def test_the_screen_shows_the_deals_where_the_worlds_are_too_many(tmp_path: Path) -> None:
    words = []
    for number, (seen, result) in enumerate([("Bo", "wolf"), ("Cy", "villager")]):
        game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=1, rules="straat", targets="secret", rng=1)
        game = game.vision("Ann", seen, result=result).end_phase(missing="random")
        with LogFile.create(tmp_path / f"{number}.jsonl", game):
            pass
        with pytest.warns(UserWarning, match="what everybody knows is shown"):
            draw(tmp_path / f"{number}.jsonl", "-o", tmp_path / f"{number}.html")
        words.append(page_data(tmp_path / f"{number}.html")["frames"][-1]["picture"]["words"])
    assert words[0] == words[1]
    with pytest.warns(UserWarning, match="what everybody knows is shown"):
        draw(tmp_path / "0.jsonl", "-o", tmp_path / "g.svg")
    text = " ".join(re.sub(r"<[^>]*>", "", (tmp_path / "g.svg").read_text(encoding="utf-8")).split())
    assert "Alive: Ann, Bo, Cy, Di." in text


def test_a_picture_of_a_game_says_what_its_worlds_are_called(log: Path, tmp_path: Path) -> None:
    draw(log, "-o", tmp_path / "g.svg", "--secrets")
    text = re.sub(r"<[^>]*>", "", (tmp_path / "g.svg").read_text(encoding="utf-8"))
    assert "Game of Ann, Bo, Cy, Di. A world names their roles in this order: v vill" in " ".join(
        text.split()
    )


def test_a_picture_shows_one_formula(model: Path, tmp_path: Path) -> None:
    asked = ("--formula", "p", "--formula", "K_b p")
    draw(model, "-o", tmp_path / "m.html", *asked)
    assert len(page_data(tmp_path / "m.html")["formulas"]) == 2
    with pytest.raises(FormatError, match="a picture shows one"):
        draw(model, "-o", tmp_path / "m.svg", *asked)
    assert not (tmp_path / "m.svg").exists()
