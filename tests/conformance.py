"""Replay recorded games through the public game API and compare every step.

    python -m tests.conformance tests/data/straat_games.json …

Reads the formats of the three files of recorded games (`cisra`, `gekka`, `straat`); which one a file
has is told from its contents. Compared after every step: the number of worlds and the hash of the
sorted world strings, the exact table, the deaths, the verdict; and on the way the weights of every
draw. Prints `N games, M steps, K mismatches` per file with the details of the mismatches; the exit
code is 1 if there is any, 2 if a file cannot be read. `--engine counting` plays on the superposition
that only counts: it has no world strings to compare.

A file is `{"games": [GAME, …]}`. Players are `P1`, `P2`, … by seat (in `cisra` files 0, 1, …). Roles are
letters: `v` villager, `s` seer, `a b c` wolf of rank 1 2 3, `w` wolf without rank. A world is a string of
these letters by seat, with capitals for the dead. After a step are expected: the number of worlds
(`worlds`; in `straat` files `distinct`), the SHA-256 of the world strings, sorted by code point and
separated by newlines (`sha256`; in `straat` files without deaths), up to 200 of the strings (`list`), the
table as fractions (`table`, `"0/0"` if no world is left), the dead or living (`dead`, `alive`; `killed`),
and the verdict (`verdict`; `winner`; `check_win`).

* `cisra`: a game has `id`, `setup` (`n`, `wolves`, `seers`, `options`), `start`, `steps` and `result`
  (`verdict`, `winners`); a step has `label`, `phase` (`visions`, `burn`, `kills`), `actions` (`{player:
  target}`, or who is burned), `outcomes` (the draws in their order, as `["vision", 0, "good"]`, `["role",
  2, "v"]` and `["world", null, "vas"]`), `log` and `after`.
* `gekka`: a game has `id`, `setup` (`options` by the game's own names), `steps` and `result` (`winner`,
  `personal`); a step has `phase`, `actions` (`{"P1": {"divine": "P2", "attack": "P3"}}` or `{"execute":
  "P4"}`), `events` (what each player did, in the order of the draw, and deaths) and `after`.
* `straat`: a game has `id`, `setup` (`variant`: `intended` by the README, `head` as the script runs),
  `start`, `steps` and `result`; a step has `phase`, `actions` (`act`, `player`, `target`, `sees`,
  `weights`) or `lynch`, `night_deaths` or `deaths`, and `after`.

Where the recorded program departs from its published rules, the rules count: `gekka` judges an
execution on the worlds as they are (a game marked `stale_bug` has its verdict in `fresh_verdict`), and
before the deaths of nightfall, which a game that is over does not have; with everybody dead the village
has won.
"""

import argparse
import hashlib
import json
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, get_args

from kripke_werewolf.games.werewolf import Enumerated, QuantumWerewolf, preset
from kripke_werewolf.games.werewolf.events import FoundDead, Notice, PhaseEnded, Vision, VotedOff
from kripke_werewolf.games.werewolf.game import Missing

Json = dict[str, Any]
Engine = Literal["enumerated", "counting"]
ROLES = {"v": "villager", "s": "seer", "w": "wolf", "a": "alpha", "b": "beta", "c": "gamma"}
COLUMNS = ("villager", "seer", "good", "wolf", "dead")


class Comparison:
    """Collects what differs, step by step."""

    def __init__(self) -> None:
        self.games = self.steps = 0
        self.mismatches: list[str] = []
        self.where = ""

    def at(self, game: str, step: object) -> None:
        self.where = f"{game}, {step}"
        self.steps += 1

    def equal(self, what: str, expected: object, got: object) -> None:
        if expected != got:
            self.mismatches.append(f"{self.where}: {what}: expected {expected!r}, got {got!r}")

    def weights(self, what: str, expected: Mapping[str, int], got: Sequence[tuple[str, int]]) -> None:
        """Weights are equal up to a common factor: one program counts every world several times."""
        shares = {k: Fraction(v, sum(expected.values())) for k, v in expected.items() if v}
        total = sum(weight for _, weight in got)
        self.equal(what, shares, {_short(k): Fraction(v, total) for k, v in got})

    def worlds(self, after: Json, game: QuantumWerewolf, *, deaths: bool = True) -> None:
        self.equal("worlds", after.get("worlds", after.get("distinct")), game.size)
        if isinstance(game.worlds, Enumerated):
            strings = sorted(game.worlds.world_strings(deaths=deaths))
            self.equal("sha256", after["sha256"], hashlib.sha256("\n".join(strings).encode()).hexdigest())
            if "list" in after:
                self.equal("list", after["list"], " ".join(strings))

    def table(self, expected: Sequence[Mapping[str, str]], game: QuantumWerewolf) -> None:
        table = game.table(columns=COLUMNS)
        names = {"evil": "wolf", "werewolf": "wolf"}
        for name, row in zip(game.players, expected, strict=True):
            for column, text in row.items():
                value = None if text == "0/0" else Fraction(text)
                self.equal(f"table, {name}, {column}", value, table[name, names.get(column, column)])


def _short(outcome: str) -> str:
    """The recorded spelling of an outcome: letters for roles, words for sides."""
    letters = {role: letter for letter, role in ROLES.items()}
    return letters.get(outcome, outcome)


class Outcomes:
    """The recorded draws of one step as a `draw` callable; draws left over are a mismatch."""

    def __init__(self) -> None:
        self.rest: deque[tuple[str, str | None, str]] = deque()
        self.world: str | None = None

    def put(self, kind: str, player: str | None, outcome: str) -> None:
        self.rest.append((kind, player, outcome))

    def __call__(self, kind: str, player: str | None, weights: Mapping[str, int]) -> str:
        if kind == "collapse":  # recorded as one world, drawn player by player
            if self.rest and self.rest[0][0] == "world":
                self.world = self.rest.popleft()[2]
            return ROLES[(self.world or "")[int((player or "")[1:]) - 1].lower()]
        expected_kind, expected_player, outcome = self.rest.popleft()
        if (expected_kind, expected_player) != (kind, player):
            raise LookupError(
                f"{expected_kind!r} of {expected_player!r} is recorded, {kind!r} of {player!r} drawn"
            )
        return ROLES.get(outcome, outcome)


def new_game(
    record: Json, rules: str, options: Mapping[str, object], engine: Engine
) -> tuple[QuantumWerewolf, Outcomes]:
    setup, outcomes = record["setup"], Outcomes()
    if setup["seers"] > 1:  # which cannot be counted
        engine = "enumerated"
    game = QuantumWerewolf(
        [f"P{i + 1}" for i in range(setup["n"])],
        wolves=setup["wolves"],
        seers=setup["seers"],
        rules=preset(rules, **options),
        strict=True,
        engine=engine,
        draw=outcomes,
    )
    return game, outcomes


def whole_phase(
    game: QuantumWerewolf, actions: Mapping[str, Mapping[str, str]], missing: Missing | None = None
) -> QuantumWerewolf:
    """Play all actions of a phase, by player and kind, in the order of the rules, and end it."""
    phase, kinds = game.phase, game.setup.actions(game.phase)
    game, acting = game.acting_order(actions)
    for actor in acting:
        for kind in kinds:
            if kind in actions[actor]:
                game = game.do(actor, kind, actions[actor][kind])
    ended = game.phase != phase or game.verdict is not None
    return game if ended else game.end_phase(missing=missing)


def cisra(record: Json, engine: Engine, compare: Comparison) -> None:
    game, outcomes = new_game(record, "cisra", record["setup"]["options"], engine)
    _cisra_state(record["start"], game, compare)
    for step in record["steps"]:
        compare.at(record["id"], step["label"])
        for kind, player, outcome in step["outcomes"]:
            outcomes.put(kind, None if player is None else game.players[player], outcome)
        before = len(game.events)
        if step["phase"] == "burn":
            game = game.vote_off(game.players[step["actions"]])
        else:
            actions = {game.players[int(p)]: game.players[t] for p, t in step["actions"].items()}
            (kind,) = game.setup.actions(game.phase)
            game = whole_phase(game, {player: {kind: target} for player, target in actions.items()})
        drawn = [e for e in game.events[before:] if isinstance(e, (Vision, VotedOff, FoundDead))]
        logged = [line for line in step["log"] if line["ev"] in ("vision", "burn", "death")]
        compare.equal("draws left over", 0, len(outcomes.rest))
        compare.equal("number of draws", len(logged), len(drawn))
        for line, event in zip(logged, drawn, strict=False):
            if "weights" in line:
                compare.weights(f"weights of {line['ev']}", line["weights"], event.weights)
            if line["ev"] == "vision":
                compare.equal("vision", line["result"], getattr(event, "result", "") or "none")
            if line["ev"] == "burn":
                compare.equal("announced", line["announced"], getattr(event, "announced", ""))
        _cisra_state(step["after"], game, compare)
    result = record["result"]
    compare.equal("verdict", {"good": "village", "evil": "wolves"}[result["verdict"]], game.verdict)
    compare.equal(
        "winners", result["winners"], [p for p, name in enumerate(game.players) if game.results[name]]
    )


def _cisra_state(after: Json, game: QuantumWerewolf, compare: Comparison) -> None:
    compare.worlds(after, game)
    compare.table(after["table"], game)
    compare.equal("dead", after["dead"], [p for p, name in enumerate(game.players) if name not in game.alive])
    known = {game.players[int(p)]: ROLES[r] for p, r in after["known"].items()}
    compare.equal("known roles", known, game.known_roles)
    compare.equal("told", known, {e.player: e.role for e in game.events if isinstance(e, Notice)})
    compare.equal(
        "verdict", {None: None, "good": "village", "evil": "wolves"}[after["verdict"]], game.verdict
    )
    compare.equal("forced", after["forced"], game.forced)


def gekka(record: Json, engine: Engine, compare: Comparison) -> None:
    recorded = record["setup"]["options"]
    options: dict[str, object] = {
        "first_attack": recorded["quantumwerewolf_firstattack"] == "on",
        "show_dead": recorded["quantumwerewolf_dead"] != "no",
        "split_seer": recorded["quantumwerewolf_diviner"] == "on",
        "table": "open" if recorded["quantumwerewolf_table"] == "open" else "anonymous",
    }
    game, outcomes = new_game(record, "gekka", options, engine)
    for step in record["steps"]:
        compare.at(record["id"], step["phase"])
        deaths = [e for e in step["events"] if e["ev"] == "die"]
        for event in deaths:
            if event["cause"] == "killed" and event["role"] is not None:
                outcomes.put("role", event["player"], event["role"])
        before = len(game.events)
        if step["actions"] and "execute" in step["actions"]:
            game = game.vote_off(step["actions"]["execute"], role=deaths[0]["role"])
        elif step["actions"] is not None:
            game = _gekka_night(game, step, compare)
        died = [e for e in game.events[before:] if isinstance(e, (VotedOff, FoundDead))]
        compare.equal("verdict", _gekka_verdict(record, step), game.verdict)
        after, made = step["after"], game.events[before:]
        ended_at_once = isinstance(made[0] if made else None, VotedOff) and not any(
            isinstance(event, PhaseEnded) for event in made
        )
        if ended_at_once:  # the program goes on to find the dead
            deaths = deaths[:1]
            outcomes.rest.clear()
        compare.equal("draws left over", 0, len(outcomes.rest))
        compare.equal("died", [e["player"] for e in deaths], [e.player for e in died])
        for event, ours in zip(deaths, died, strict=False):
            if event["drawn_from"]:
                compare.weights(f"weights of {event['player']}", event["drawn_from"], ours.weights)
        if not ended_at_once or after["alive"] == list(game.alive):
            compare.equal("alive", after["alive"], list(game.alive))
            compare.worlds(after, game)
            compare.table([after["table"][name] for name in game.players], game)
    last = record["steps"][-1]
    verdict = _gekka_verdict(record, last)
    if verdict is not None:
        sure = {"village": "0/1", "wolves": "1/1", "draw": None}[verdict]
        table = last["after"]["table"]
        by_rule = {n: None if sure is None else table[n]["wolf"] == sure for n in game.players}
        compare.equal("personal results", by_rule, game.results)
        if verdict == _VERDICTS[record["result"]["winner"]]:
            compare.equal("recorded personal results", record["result"]["personal"], game.results)


_VERDICTS = {None: None, "Human": "village", "Werewolf": "wolves", "Draw": "draw"}


def _gekka_verdict(record: Json, step: Json) -> str | None:
    """The verdict the rules give, where the program that was recorded departs from them."""
    after, result = step["after"], record["result"]
    if after["finished"] and result["stale_bug"]:
        return _VERDICTS[result["fresh_verdict"]]
    if after["finished"] and not after["alive"] and after["worlds"]:
        return "village"
    return _VERDICTS[after["winner"]]


def _gekka_night(game: QuantumWerewolf, step: Json, compare: Comparison) -> QuantumWerewolf:
    phase = game.phase
    for event in step["events"]:
        if event["ev"] != "act":
            continue
        player = event["player"]
        if "divine" in event:
            forced = None if event["result"] == "none" else event["result"]
            game = game.vision(player, event["divine"], result=forced)
            seen = next(e for e in reversed(game.events) if isinstance(e, Vision))
            result = {"human": "human", "wolf": "werewolf", None: "none"}[seen.result]
            compare.equal(f"vision of {player}", event["result"], result)
        if "attack" in event:
            game = game.attack(player, event["attack"])
        if game.phase == phase and game.verdict is None:  # the last one is followed by the morning
            compare.equal(f"worlds after {player}", event["worlds"], game.size)
    return game.end_phase() if game.phase == phase and game.verdict is None else game


def straat(record: Json, engine: Engine, compare: Comparison) -> None:
    bites = {"head": "script", "intended": "intended"}[record["setup"]["variant"]]
    game, outcomes = new_game(record, "straat", {"bites": bites, "verdict_after": "lynching"}, engine)
    _straat_state(record["start"], game, compare)
    for step in record["steps"]:
        compare.at(record["id"], step["phase"])
        deaths = step.get("night_deaths", step.get("deaths", []))
        for death in deaths if "actions" in step else deaths[1:]:
            outcomes.put("role", death["player"], death["role"])
        before, phase = len(game.events), game.phase
        if "lynch" in step:
            game = game.vote_off(step["lynch"], role=deaths[0]["role"])
        for action in step.get("actions", ()):
            if action["act"] == "werewolf":
                game = game.attack(action["player"], action["target"])
                continue
            game = game.vision(action["player"], action["target"], result=action.get("sees"))
            seen = next(e for e in reversed(game.events) if isinstance(e, Vision))
            compare.equal("vision", action.get("sees"), _short(seen.result) if seen.result else None)
            if "weights" in action:
                compare.weights("weights of a vision", action["weights"], seen.weights)
        if game.phase == phase and game.verdict is None:
            game = game.end_phase()
        died = [e for e in game.events[before:] if isinstance(e, (VotedOff, FoundDead))]
        compare.equal("draws left over", 0, len(outcomes.rest))
        compare.equal("died", [d["player"] for d in deaths], [e.player for e in died])
        for death, event in zip(deaths, died, strict=False):
            compare.weights(f"weights of {death['player']}", death["weights"], event.weights)
        _straat_state(step["after"], game, compare)
    compare.equal("result", _STRAAT[record["result"]], game.verdict)


_STRAAT = {None: None, "villagers": "village", "werewolves": "wolves"}


def _straat_state(after: Json, game: QuantumWerewolf, compare: Comparison) -> None:
    compare.worlds(after, game, deaths=False)
    compare.table([after["table"][name] for name in game.players], game)
    compare.equal("killed", sorted(after["killed"]), sorted(set(game.players) - set(game.alive)))
    compare.equal("check_win", _STRAAT[after["check_win"]], game.verdict or game.state.standing)


def replayer(record: Json) -> Callable[[Json, Engine, Comparison], None]:
    """Tell the format of a recorded game."""
    setup = record["setup"]
    if "variant" in setup:
        return straat
    return cisra if "vision_worlds" in setup["options"] else gekka


def recorded(path: Path) -> list[Json]:
    """Read a file of recorded games. Raises ValueError or OSError with a message."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise OSError(f"cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise ValueError(f"not a file of recorded games: not JSON: {error}") from None
    games = data.get("games") if isinstance(data, dict) else None
    if not isinstance(games, list):
        raise ValueError('not a file of recorded games: it is an object with "games", a list')
    for number, record in enumerate(games, start=1):
        if not isinstance(record, dict) or not {"id", "setup", "steps"} <= record.keys():
            raise ValueError(f"not a file of recorded games: game {number} lacks id, setup or steps")
    return games


def check(records: list[Json], engine: Engine) -> Comparison:
    """Replay recorded games and collect what differs."""
    compare = Comparison()
    for record in records:
        compare.games += 1
        compare.where = f"{record['id']}, start"
        try:
            replayer(record)(record, engine, compare)
        except Exception as error:  # a crash is a mismatch of its own, and the other games still count
            compare.mismatches.append(f"{compare.where}: {type(error).__name__}: {error}")
    return compare


def report(path: Path, compare: Comparison, most: int) -> Iterator[str]:
    for mismatch in compare.mismatches[:most]:
        yield f"  {mismatch}"
    if len(compare.mismatches) > most:
        yield f"  … and {len(compare.mismatches) - most} more"
    yield f"{path}: {compare.games} games, {compare.steps} steps, {len(compare.mismatches)} mismatches"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description="Replay recorded games.")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.json")
    parser.add_argument("--engine", choices=get_args(Engine), default="enumerated")
    parser.add_argument(
        "--show", type=int, default=20, metavar="N", help="show at most N mismatches per file"
    )
    options = parser.parse_args(arguments)
    failed = False
    for path in options.files:
        try:
            records = recorded(path)
        except (OSError, ValueError) as error:
            print(f"{path}: {error}", file=sys.stderr)
            return 2
        compare = check(records, options.engine)
        failed |= bool(compare.mismatches)
        print("\n".join(report(path, compare, options.show)))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
