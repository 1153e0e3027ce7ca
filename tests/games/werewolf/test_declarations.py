"""Declarations: what they say of each world, and the properties that engines ask for."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

import kripke_werewolf as kw
from kripke_werewolf import PRESETS, Atom, Deck, Rules, atleast, preset
from kripke_werewolf.games.werewolf import declarations as d
from kripke_werewolf.games.werewolf.setup import Setup

NAMES = ("Ann", "Bo 2", "3", "Dee")
SOURCE = Path(d.__file__).parent


def game_of(rules: Rules, names: tuple[str, ...] = NAMES, *, wolves: int = 2, seers: int = 1) -> d.Declared:
    return d.declared(Setup(names, Deck(len(names), wolves, seers, ranked=rules.ranked), rules))


def test_schemas_are_about_any_names_and_all_players() -> None:
    game = game_of(preset("cisra"), ("Zoë", 'a "b"', "wolf_1"), wolves=1)
    act = game.acts["attack"]
    assert game.at(act.by, "Zoë") is Atom("dominant_Zoë")
    assert game.at(f"{act.by} & {act.impossible}", "wolf_1", 'a "b"') is (
        Atom("dominant_wolf_1") & Atom('wolf_a "b"')
    )
    assert game.at("[any j: seer_{j}]").atoms == {f"seer_{name}" for name in game.players}
    assert game.at("count([each j: wolf_{j}]) >= 2") is atleast(2, *(Atom(f"wolf_{n}") for n in game.players))


@pytest.mark.parametrize("rules", [*PRESETS.values(), preset("gekka", vision_shows="role", told="role")])
def test_every_world_shows_one_result_and_says_one_word(rules: Rules) -> None:
    game = game_of(rules)
    for words in (game.acts["vision"].shows, game.vote.says, game.found.says, game.notices):
        parts = [d.seated(game, where, 0, 0).substitute(game.meaning) for _, where in words]
        assert not parts or kw.valid(game.law >> kw.oneof(*parts))


PROPERTIES = {
    "cisra": {"vision": (1, 1, 1), "attack": (1, 0, 0)},
    "gekka": {"vision": (1, 1, 1), "attack": (1, 0, 0)},
    "straat": {"vision": (1, 1, 1), "attack": (0, 0, 1)},
}


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize(("players", "wolves"), [(4, 2), (6, 3), (30, 7)])
def test_the_properties_of_the_published_games(name: str, players: int, wolves: int) -> None:
    game = game_of(preset(name), tuple(f"p{n}" for n in range(players)), wolves=wolves)
    for act in game.acts.values():
        found = (d.exclusive, d.splits_worlds, d.removes_nothing)
        assert tuple(int(has(game, act)) for has in found) == PROPERTIES[name][act.name]


def test_properties_are_those_of_the_declaration() -> None:
    two = game_of(preset("straat"), tuple("abcdef"), seers=2)
    assert not d.exclusive(two, two.acts["vision"])
    assert not d.splits_worlds(two, two.acts["vision"])
    one = game_of(preset("cisra"), tuple("abcd"), wolves=1)
    assert d.removes_nothing(one, one.acts["attack"])
    game = game_of(preset("cisra"), tuple("abcd"))
    vision = game.acts["vision"]
    assert not d.splits_worlds(game, replace(vision, shows=(("dead", "dead_{t}"),)))
    assert not d.splits_worlds(game, replace(vision, shows=(("wolf", "wolf_{i}"),)))


ALLOWED = {
    "counted.py": 2,  # one seer at most is what it counts; fewer wolves shown than dealt
    "enumerated.py": 1,  # the words of an error
    "setup.py": 1,  # which engine is taken
}
"""The greatest number of lines of a module that compare a number of cards."""


def test_engines_do_not_ask_for_the_name_of_a_rule_set_or_for_numbers_of_cards() -> None:
    cards = r"deck\.(?:seers|wolves)\b"
    asks = re.compile(rf"rules\.name\s*[!=]=|{cards}\s*(?:[<>]|[!=]=)|(?:[<>]|[!=]=)\s*\S*{cards}")
    for path in SOURCE.rglob("*.py"):
        lines = path.read_text(encoding="utf-8").splitlines()
        found = [f"{number}: {line}" for number, line in enumerate(lines, start=1) if asks.search(line)]
        assert len(found) <= ALLOWED.get(path.relative_to(SOURCE).as_posix(), 0), (path, found)
