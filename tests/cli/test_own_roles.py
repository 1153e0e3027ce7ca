"""Roles that a user's file declares, in every command: two that no catalogue has."""

import json

from kripke_werewolf.base.errors import FormatError
from tests.running import invoke
from tests.running import output as run

MINE = """
from kripke_werewolf import Role, SecretAct
from kripke_werewolf.games.werewolf.roles import Ending

GRAVEDIGGER = Role(
    name="gravedigger",
    rule="A gravedigger looks every evening whether a wolf lies among the dead.",
    acts=(
        SecretAct(
            name="dig",
            by="gravedigger_{i} & ~dead_{i}",
            when="evening",
            on_self=True,
            shows=(("bones", "[any j: wolf_{j} & dead_{j}]"), ("earth", "~[any j: wolf_{j} & dead_{j}]")),
        ),
    ),
)
MAYOR = Role(
    name="mayor",
    rule="If it is the mayor who dies, the town revolts, and the mayor has won.",
    endings=(Ending("revolt", "[any j: out_{j} & everywhere mayor_{j}]", "mayor_{i}"),),
)
"""
BEGIN = ("--rules", "cisra", "--players", "Ann", "Bo", "Cy", "--wolves", 1, "--seers", 0, "--seed", 1)
CARDS = ("--cards", "gravedigger=1", "--cards", "mayor=1")
NIGHT = "dig Ann Bo as earth\ndig Bo Ann\ndig Cy Cy\nend\n"


def test_two_roles_nobody_thought_of_in_every_command(tmp_path):
    mine, log, sheet, picture = (tmp_path / name for name in ("mine.py", "g.jsonl", "ann.txt", "g.svg"))
    mine.write_text(MINE, encoding="utf-8")
    page = run("game", "rules", "cisra", "--roles", mine, *CARDS)
    assert "looks every evening whether a wolf lies among the dead" in page
    assert "everybody digs a player" in page
    begin = ("play", *BEGIN, "--roles", mine, *CARDS, "--log", log, "--screen", "master")
    told = run(*begin, typed=NIGHT)
    assert "tell Ann: You dig Bo and see: earth." in told
    assert run("ask", log, "M_Ann mayor_Bo & ~K_Ann mayor_Bo").startswith("yes")
    assert run("ask", log, "does Ann know that Bo is the gravedigger?").startswith("no")
    sheet.write_text(run("game", "handout", log, "--player", "Ann"), encoding="utf-8")
    found = json.loads(
        run("game", "infer", sheet, "--roles", mine, "--json", "K_Ann ~wolf_Ann | M_Ann wolf_Ann")
    )
    assert found["answers"][0]["verdict"] == "true", found["answers"]
    run("draw", log, "-o", picture)
    assert "<svg" in picture.read_text(encoding="utf-8")
    over = run("play", log, "--screen", "master", typed="vote Cy as mayor\n")
    assert "Cy      " in over
    assert "won" in over
    assert "revolt" in run("game", "replay", log)
    assert "dig" in run("game", "tale", log)


def test_a_sheet_with_unknown_cards_says_how_to_declare_them(tmp_path):
    sheet = tmp_path / "ann.txt"
    sheet.write_text(
        "you: Ann\nrules: cisra\nplayers: Ann, Bo, Cy\nwolves: 1\ncards: gravedigger\n", encoding="utf-8"
    )
    result = invoke("game", "infer", sheet)
    assert isinstance(result.exception, FormatError)
    assert "--roles FILE" in str(result.exception)
