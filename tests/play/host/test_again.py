"""An evening of several games: again, with other rules and seats, late comers, and a score."""

import asyncio
import json
import random
from contextlib import closing
from pathlib import Path

import pytest

from kripke_werewolf.base.errors import FormatError, GameError, IllegalMove, UnknownNameError
from kripke_werewolf.base.files import holds_night
from kripke_werewolf.games.werewolf.log import LogFile, replay
from kripke_werewolf.play.host import app
from kripke_werewolf.play.host.app import Room
from kripke_werewolf.play.host.evening import CHOICES, Evening
from kripke_werewolf.play.host.seats import SeatsFile
from kripke_werewolf.play.tabletop import PHONES, Keeper, Robots
from kripke_werewolf.play.tabletop.night import NightKeeper

PEOPLE = ("Ann", "Bo", "Cy", "Di", "Ed")


def opened(folder: Path) -> Evening:
    """Return an evening as the command opens it: with the game that goes on, if there is one."""
    file = SeatsFile(folder)
    keeper = NightKeeper(file.log) if file.log.exists() and holds_night(file.log) else None
    assert keeper or not file.log.exists() or file.seats
    return Evening(file, {"seed": 7} if file.seats is None else file.seats.settings, keeper=keeper)


def lobby(folder: Path, people: tuple[str, ...] = PEOPLE) -> Evening:
    evening = opened(folder)
    for name in people:
        evening.join(name)
    return evening


def to_its_end(evening: Evening) -> None:
    """Let robots play the game for everybody."""
    assert evening.keeper is not None
    evening.keeper.submit(None, Robots(evening.keeper.game.players))
    for now in range(200):
        evening.tick(float(now))
        if evening.over:
            return
    raise AssertionError("the game does not end")


def settings_of(evening: Evening, name: str = "Ann") -> dict[str, object]:
    return {choice["name"]: choice["value"] for choice in evening.view(("player", name))["choices"]}


@pytest.mark.parametrize("seed", range(3))
def test_three_games_in_a_row(seed: int, tmp_path: Path) -> None:
    """The score is what the logs say; everybody who joined plays in the next game, under the rules chosen."""
    rng = random.Random(seed)
    evening, won, played = lobby(tmp_path / "e"), dict.fromkeys(PEOPLE, 0), dict.fromkeys(PEOPLE, 0)
    with closing(evening):
        for number, rules in enumerate(rng.sample(["straat", "cisra", "gekka", "one-night"], 3), 1):
            leader = evening.seats.players[0]
            evening.change({"rule_set": rules})
            assert settings_of(evening, leader)["rule_set"] == rules
            evening.begin(0.0)
            log = tmp_path / "e" / f"game-{number}.jsonl"
            assert evening.log == log
            assert isinstance(evening.keeper, NightKeeper if rules == "one-night" else Keeper)
            with pytest.raises(IllegalMove, match="not over"):
                evening.again(draw=False)
            to_its_end(evening)
            results = replay(log).results if rules != "one-night" else {}
            winners = [name for name in results if results[name]] or list(evening.keeper.winners)
            for name in evening.seats.players:
                played[name] = played.get(name, 0) + 1
                won[name] = won.get(name, 0) + (name in winners)
            shown = evening.view(("tv", None))["score"]["rows"]
            assert {row[0]: (row[1], row[2]) for row in shown} == {
                name: (str(won[name]), str(played[name])) for name in played
            }
            assert evening.view(("player", leader))["leads"]
            evening.again(draw=rng.random() < 0.5)
            assert set(evening.seats.players) == set(played)
            assert log.exists()
            assert not evening.log.exists()


def test_late_comers_wait_and_play_in_the_next_game(tmp_path: Path) -> None:
    with closing(lobby(tmp_path / "e", PEOPLE[:4])) as evening:
        evening.begin(0.0)
        before = evening.view(("player", "Ann"))
        evening.join("Zoe")
        assert evening.view(("player", "Ann")) == before
        view = evening.view(("player", "Zoe"))
        assert (view["kind"], view["waits"]) == ("lobby", True)
        assert not {"choices", "ask", "table", "you", "moment"} & view.keys()
        assert {name for (who, name) in (reader for reader, _ in evening.frames()) if who == "player"} == {
            *PEOPLE[:4],
            "Zoe",
        }
        with pytest.raises(GameError, match="taken"):
            evening.join("Zoe")
        with pytest.raises(IllegalMove, match="begun"):
            evening.leave("Ann")
        to_its_end(evening)
        evening.again(draw=False)
        assert evening.seats.players == (*PEOPLE[:4], "Zoe")
        evening.leave("Zoe")
        assert evening.seats.players == PEOPLE[:4]


def test_an_answer_for_an_earlier_game_is_refused(tmp_path: Path) -> None:
    """A phone that slept sends what it kept: the moments of two games can be alike but for the game."""
    with closing(lobby(tmp_path / "e")) as evening:
        kept = []
        for _ in range(2):
            evening.begin(0.0)
            view = evening.view(("player", "Ann"))
            ask = view["ask"][0]
            command = {"do": "choose", "action": ask["action"], "target": ask["targets"][0]}
            kept.append({"command": command, "moment": view["moment"], "request": f"r{len(kept)}"})
            if len(kept) == 1:
                to_its_end(evening)
                evening.again(draw=False)
        first, second = kept
        assert first["moment"].partition(":")[2] == second["moment"].partition(":")[2]
        with pytest.raises(IllegalMove, match="this game is over"):
            evening.submit("Ann", first, 0.0)
        assert evening.submit("Ann", second, 0.0).accepted


def test_the_next_lobby_survives(tmp_path: Path) -> None:
    """Seats, score and settings are those of before; tokens admit the same devices."""
    folder = tmp_path / "e"
    with closing(lobby(folder)) as evening:
        token = evening.join("Flo")
        evening.change({"rule_set": "gekka", "day_seconds": 120})
        evening.begin(0.0)
        assert evening.keeper is not None
        assert evening.keeper.sitting.house.day_seconds == 120
        to_its_end(evening)
        evening.again(draw=True)
        seats, view = evening.seats, evening.view(("master", None))
        evening._file.close()
    with closing(opened(folder)) as again:
        assert again.seats == seats
        assert again.view(("master", None)) == view
        assert again.seats.device(token).seat == "Flo"  # type: ignore[union-attr]
        again.begin(0.0)
        assert again.log == folder / "game-2.jsonl"
        again._file.close()


def test_new_seats_are_drawn_by_the_seed(tmp_path: Path) -> None:
    drawn = set()
    for seed in range(12):
        with closing(lobby(tmp_path / str(seed))) as evening:
            seats = evening.seats.again(["Bo"], draw=True)
            evening._file.close()
        again = json.loads(json.dumps(seats.to_dict()))
        assert sorted(again["players"]) == sorted(PEOPLE)
        drawn.add(seats.players)
    assert drawn == {seats.players}  # the same seed, the same seats
    orders = {replaced.players for seed in range(30) for replaced in [_seeded(seats, seed)]}
    assert len(orders) > 10


def _seeded(seats, seed):  # type: ignore[no-untyped-def]
    from dataclasses import replace

    return replace(seats, settings={"seed": seed}).again([], draw=True)


@pytest.mark.parametrize(
    ("given", "error", "reason"),
    [
        ({"rule_set": "ciszra"}, FormatError, "rule_set is one of .*one-night; got 'ciszra'"),
        ({"deal": True}, FormatError, "deal is one of quantum, classical"),
        ({"colour": "red"}, UnknownNameError, "colour"),
        ({"seed": 3}, UnknownNameError, "seed"),
        ({"wolves": 400}, FormatError, "wolves is one of"),
    ],
)
def test_impossible_settings_change_nothing(given, error, reason, tmp_path: Path) -> None:
    with closing(lobby(tmp_path / "e")) as evening:
        before = evening.seats
        with pytest.raises(error, match=reason):
            evening.change(given)
        assert evening.seats == before
        evening._file.close()


def test_every_choice_of_the_lobby_begins_a_game(tmp_path: Path) -> None:
    """Alone and with others at random: what is offered is possible for six."""
    rng = random.Random(4)
    ways = [{name: value} for name, values in CHOICES.items() for value in values if value != 4]
    for _ in range(12):
        ways.append({name: rng.choice([v for v in values if v != 4]) for name, values in CHOICES.items()})
        if ways[-1]["rule_set"] == "one-night":
            del ways[-1]["cards"]  # not offered there
    for number, way in enumerate(ways):
        with closing(lobby(tmp_path / str(number), (*PEOPLE, "Flo"))) as evening:
            evening.change(way)
            kept = settings_of(evening)
            assert {name: kept[name] for name in way if name in kept} == {n: way[n] for n in way if n in kept}
            assert str(evening.sheet)
            evening.begin(0.0)
            evening._file.close()


def test_the_rules_page_shows_the_deck_in_play(tmp_path: Path) -> None:
    with closing(lobby(tmp_path / "e", (*PEOPLE, "Flo"))) as evening:
        evening.change({"rule_set": "one-night"})
        before = str(evening.sheet)
        evening.begin(0.0)
        assert str(evening.sheet) == before
        for card in {*evening.keeper.game.cards}:  # type: ignore[union-attr]
            assert str(getattr(card, "name", card)) in before


def test_limits_count_while_phones_are_connected(tmp_path, monkeypatch):
    """An evening without phones stands still, and a laptop that slept an hour has lost two seconds."""
    with SeatsFile(tmp_path / "g") as file:
        room = Room(Evening(file, {}), key="K", address="http://x/")
        begun, clock, told = room.clock, [0.0], []
        happens = iter([(1, 1), (1, 1), (3600, 1), (1, 0), (0, 0)])  # seconds that pass, and phones

        async def sleep(seconds):
            told.append(room.clock - begun)
            passed, room.online["player", "Ann"] = next(happens)
            clock[0] += passed
            room.closing = len(told) == 5

        monkeypatch.setattr(app.time, "monotonic", lambda: clock[0])
        monkeypatch.setattr(app.asyncio, "sleep", sleep)
        asyncio.new_event_loop().run_until_complete(room.keep_time())
        room.close()
    assert told == pytest.approx([0, 1, 2, 4, 4])


def test_a_phase_has_its_whole_time_again_after_a_break(tmp_path):
    with SeatsFile(tmp_path / "g") as file:
        evening = Evening(file, {"rule_set": "gekka", "night_seconds": 60, "seed": 1})
        for name in ("Ann", "Bo", "Cy"):
            evening.join(name)
        evening.begin(100.0)
        evening.tick(130.0)
        log = evening.log
        evening.close()
        again = Evening(file, {}, keeper=Keeper(LogFile.open(log), PHONES))
        assert again.tick(9_000.0)
        assert again.keeper.sitting.flow.deadline == 9_060.0
        assert str(again.keeper.game.phase) == "night 1"
        again.close()
