"""One Night and decks on the command line."""

import json

import pytest

from kripke_werewolf.base.errors import FormatError, GameError
from kripke_werewolf.play.tabletop.night import read_night
from tests.running import invoke
from tests.running import output as run

CARDS = ("--cards", "wolf=1", "--cards", "minion", "--cards", "drunk=2", "--cards", "insomniac=1")


@pytest.fixture
def night(tmp_path):
    """Return the file of an evening that was played to its end from a script, with a break in between."""
    path = tmp_path / "n.jsonl"
    begin = ("play", "--rules", "one-night", "--players", "Ann", "Bo", "Cy", "--log", path, "--seed", 1)
    asked = run(*begin, *CARDS, "--middle", 2, typed="\n")
    assert f"To continue: kripke-werewolf play {path}" in asked
    while read_night(path).stage == "night":
        name = read_night(path).waiting_for[0]
        run("play", path, typed=f"\n{read_night(path).offered(name, 0)[-1]}\n\n")
    everybody_reads = 3 * "\n\n"
    over = run("play", path, typed=f"{everybody_reads}\nBo\n\n\nCy\n\n\nBo\n\n\n")
    assert f"To read it: kripke-werewolf game report {path}" in over
    return path


def test_what_is_read_from_an_evening(night, tmp_path):
    sitting = read_night(night)
    told = run("game", "handout", night, "--player", "Bo")
    assert all(line in told for line in sitting.sheet("Bo"))
    assert all(line in told for line in sitting.news)
    run("game", "report", night, "-o", tmp_path / "r.html", "--language", "nl")
    assert "De nacht" in (tmp_path / "r.html").read_text(encoding="utf-8")
    card = sitting.dealt[0]
    assert run("ask", night, f"K_Ann dealt_{card}_Ann").strip() == "yes"
    assert "Cy" in run("game", "night", night)


def test_the_rules():
    assert "A drunk exchanges their card" in run("game", "rules", "one-night", *CARDS)
    assert "Troublemaker" not in run("game", "rules", "one-night", "--language", "de")


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (("--rules", "one-night", "--wolves", 2), "the option --wolves is not for One Night"),
        (("--rules", "one-night", "--ties", "nobody"), "the option --ties is not for One Night"),
        (("--rules", "one-night", "--cards", "wolf=2"), "cards: 2 given; give one for each of"),
        (("--rules", "cisra", "--middle", 3), "the option --middle is for --rules one-night"),
        (("--rules", "cisra", "--cards", "suggested"), "3 players: decks are suggested for 5 to 20"),
        (("--cards", "suggested", "--cards", "fox"), "--cards suggested must stand alone"),
    ],
)
def test_options_that_do_not_fit(tmp_path, args, reason):
    with pytest.raises(GameError, match=reason):
        run("play", "--players", "Ann", "Bo", "Cy", "--log", tmp_path / "g.jsonl", *args, typed="")
    assert not (tmp_path / "g.jsonl").exists()


def test_one_player_has_nobody_to_play_with(tmp_path):
    with pytest.raises(GameError, match="at least two players"):
        run("play", "--rules", "one-night", "--players", "Ann", "--log", tmp_path / "g.jsonl", typed="")
    assert not (tmp_path / "g.jsonl").exists()


def test_a_game_that_has_begun_keeps_its_cards(night):
    with pytest.raises(GameError, match="cannot change"):
        run("play", night, "--rules", "one-night", typed="")


def test_a_night_is_not_taken_for_a_model(night):
    for command in ("game", "tale", night), ("game", "table", night):
        with pytest.raises(FormatError, match=r"a night, which .* read, not the log"):
            run(*command)


def test_a_handout_has_no_steps(night):
    with pytest.raises(GameError, match="no steps"):
        run("game", "handout", night, "--player", "Bo", "--step", 1)


def test_decks():
    (found,) = json.loads(run("game", "decks", "--players", 6, "--json"))
    assert found["cards"] == {"hunter": 1}
    assert found["chances"]["village"] == "401/720"
    assert "cupid 1, fox 1" in run("game", "decks", "--players", 5, "--cards", "cupid", "--cards", "fox")
    assert isinstance(invoke("game", "decks", "--rules", "straat").exception, GameError)


def test_suggested_cards_are_dealt(tmp_path):
    names = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus")
    path = tmp_path / "g.jsonl"
    said = run(
        "play", "--rules", "cisra", "--players", *names, "--cards", "suggested", "--log", path, typed=""
    )
    assert "1 bodyguard, 1 hunter" in said


def test_one_person_plays_with_robots(tmp_path):
    path = tmp_path / "r.json"
    begin = ("play", "--rules", "one-night", "--players", "Ann", "--robots", 2, "--log", path, "--seed", 3)
    asked = run(*begin, typed="\n")
    assert "Practice: the program plays for Robot 1 and Robot 2" in asked
    assert "Robot 1's turn" not in asked
    choice = read_night(path).offered("Ann", 0)[-1]
    over = run("play", path, typed=f"\n{choice}\n\n\n\nvote\n\nRobot 1\n\n")
    assert read_night(path).stage == "over"
    assert "Robot 2" in over
    with pytest.raises(GameError, match="leave out --robots"):
        run("play", path, "--robots", 1)
