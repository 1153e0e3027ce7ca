"""Studies as files: a grid of matches in TOML, played in chunks so that they survive interruptions.

A journal next to the result gets a line for every finished chunk. A restarted study reads it and plays the
missing chunks; the result is the same, byte for byte, however often it was stopped.
"""

from __future__ import annotations

import ast
import json
import os
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from kripke_werewolf.base._version import __version__
from kripke_werewolf.base.errors import FormatError, GameError, KripkeError, UnknownNameError
from kripke_werewolf.base.files import locked, parse_json, read_text, unlock, write_aside
from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.games.programs.match import Match
from kripke_werewolf.games.programs.outcomes import as_record, by_number
from kripke_werewolf.games.programs.simulation import CHUNK, cause, check_number, played, stoppable

FORMAT = "kripke_werewolf study"
_KEYS = {"game", "games", "seed", "rules", "strategies", "grid"}
_GAMES = {
    "avalon": "kripke_werewolf.games.avalon.study:match",
    "transmission": "kripke_werewolf.games.programs.transmission:transmission",
}


class StudyStopped(KripkeError, RuntimeError):
    """A study that was interrupted; when restarted it continues."""


# --- what a study is ------------------------------------------------------------------------------


def _named_object(name: object, known: Mapping[str, str], *, kind: str) -> Any:
    """Return the object named by `module:name` or by a known name; raises GameError or UnknownNameError."""
    if not isinstance(name, str):
        raise GameError(
            f"the {kind} {name!r} is not a name (write one of {', '.join(known)}, or module:name)"
        )
    if ":" not in name and name not in known:
        raise UnknownNameError(name, known, kind=kind, place="the study (or write module:name)")
    module, _, attribute = known.get(name, name).partition(":")
    try:
        return getattr(import_module(module), attribute)
    except ImportError as error:
        raise GameError(f"the {kind} {name!r}: cannot import the module {module!r} ({error})") from error
    except AttributeError:
        raise GameError(f"the {kind} {name!r}: the module {module!r} has no {attribute!r}") from None


def strategy_named(text: str, parameters: Mapping[str, Any] | None = None) -> Any:
    """Return the strategy that a string names: `module:Class` or `module:Class(n=3)`, or one of Avalon's.

    >>> strategy_named("Good")
    Good()

    Raises GameError or UnknownNameError.
    """
    name, bracket, rest = text.partition("(")
    given = dict(parameters or {})
    if bracket:
        try:
            call = ast.parse(f"f({rest}", mode="eval").body
            assert isinstance(call, ast.Call) and not call.args  # noqa: PT018 - one thing: keywords only
            given |= {k.arg: ast.literal_eval(k.value) for k in call.keywords if k.arg}
        except (SyntaxError, ValueError, AssertionError):
            raise GameError(
                f"cannot read the strategy {text!r}: write module:Class or module:Class(name=value)"
            ) from None
    ours = {n: f"kripke_werewolf.games.avalon.strategies:{n}" for n in ("Good", "Evil", "CautiousMerlin")}
    kind = _named_object(name.strip(), ours, kind="strategy")
    try:
        return kind(**given)
    except TypeError as error:
        raise GameError(f"the strategy {text!r} cannot be made with {given!r}: {error}") from None


@dataclass(frozen=True)
class Study:
    """A study: its cells, and the number of games in each."""

    games: int
    seed: int
    cells: tuple[tuple[Mapping[str, Any], Match[Any, Any]], ...]
    """For each cell of the grid, its parameter values and its match."""

    def header(self) -> dict[str, Any]:
        """Return the data that identify the study: the games, the seed, the version, and every cell."""
        cells = [{"cell": dict(values), **match.about()} for values, match in self.cells]
        sizes = {"games": self.games, "seed": self.seed, "chunk": CHUNK}
        return {"format": FORMAT, "version": __version__, **sizes, "cells": cells}

    def chunks(self) -> Iterator[tuple[int, int, int, np.random.SeedSequence]]:
        """Yield all chunks: the cell, the number of the chunk, its games, its seed."""
        for cell in range(len(self.cells)):
            for number, first in enumerate(range(0, self.games, CHUNK)):
                seed = np.random.SeedSequence(self.seed, spawn_key=(cell, number))
                yield cell, number, min(CHUNK, self.games - first), seed


def read_study(path: Path) -> Study:
    """Read a study from a TOML file; raises FormatError and GameError.

    Keys: `game` (`avalon`, `transmission` or `module:function`), `games`, `seed`, and the tables
    `rules`, `strategies` (`module:Class`, by player) and `grid` (`"rules.leader" = ["seat", "random"]`,
    `"strategies.evil.n" = [0, 1, 2]`).
    """
    try:
        content = tomllib.loads(read_text(path))
    except (OSError, ValueError, RecursionError) as error:
        raise FormatError(f"cannot read the study {str(path)!r}: {error}") from None
    if extra := sorted(content.keys() - _KEYS):
        raise UnknownNameError(extra[0], _KEYS, kind="key", place=f"the study {str(path)!r}")
    if "game" not in content:
        raise FormatError(f'the study {str(path)!r} names no game (game = "avalon")')
    seed = content.get("seed", 1)
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise GameError(f"seed={seed!r} is not possible (allowed: a whole number from 0)")
    for table in ("rules", "strategies", "grid"):
        if not isinstance(content.get(table, {}), dict):
            raise FormatError(f"{table} in the study {str(path)!r} is not a table ([{table}])")
    grid = content.get("grid", {})
    for place, values in grid.items():
        if not isinstance(values, list) or not values:
            raise FormatError(f"grid: {place!r} needs a list of values, got {values!r}")
        if place.partition(".")[0] not in ("rules", "strategies") or "." not in place:
            raise FormatError(f"grid: {place!r} must begin with rules. or strategies.")
    builder = _named_object(content["game"], _GAMES, kind="game")
    cells = []
    for combination in product(*grid.values()):
        values = dict(zip(grid, combination, strict=True))
        tables = {name: dict(content.get(name, {})) for name in ("rules", "strategies")}
        parameters: dict[str, dict[str, Any]] = {}
        for place, value in values.items():
            table, name, *parameter = place.split(".", 2)
            if parameter:
                parameters.setdefault(name, {})[parameter[0]] = value
            else:
                tables[table][name] = value
        if unknown := sorted(parameters.keys() - tables["strategies"].keys()):
            what = f"parameters of the strategy of {unknown[0]!r}"
            raise GameError(f"grid: {what}, which the study does not name")
        named = tables["strategies"].items()
        made = {who: strategy_named(text, parameters.get(who)) for who, text in named}
        try:
            match = builder(**tables["rules"], **made)
        except TypeError as error:
            raise GameError(f"the game {content['game']!r} cannot be made: {error}") from None
        if not isinstance(match, Match):
            raise GameError(f"{content['game']!r} makes {match!r}, which is not a match")
        cells.append((values, match))
    games = check_number("games", content.get("games", 10_000))
    return Study(games, seed, tuple(cells))


# --- running --------------------------------------------------------------------------------------


def run_study(
    study: Study,
    out: Path,
    *,
    executor: Executor | None = None,
    progress: Callable[[int], object] | None = None,
) -> dict[str, Any]:
    """Play the missing chunks of a study, write the result, and return it.

    The journal is `out` with the ending `.part`; it is removed when the result is written. Raises
    `StudyStopped` when interrupted (SIGINT, SIGTERM) or when the executor breaks; GameError for a journal of
    another study.
    """
    journal = out.with_name(out.name + ".part")
    header = study.header()
    lock = locked(journal, f"the study {str(out)!r} is being run by another process")
    try:
        if (result := _finished(out, header)) is not None:
            journal.unlink(missing_ok=True)  # still there if the last run was killed at this point
            return result
        done = _read_journal(journal, header)
        if progress is not None:
            progress(sum(sum(counts.values()) for counts in done.values()))
        with stoppable(), journal.open("a", encoding="utf-8") as file:
            if not journal.stat().st_size:
                _append(file, header)
            _play_missing(study, done, file, executor, progress)
        counts = grouped((cell, found) for (cell, _), found in sorted(done.items()))
        result = {**header, "cells": list(map(_cell, header["cells"], counts.values()))}
        write_aside(out, (json.dumps(result, indent=2) + "\n").encode())
        journal.unlink()
        return result
    except KeyboardInterrupt:  # before the first chunk or after the last
        raise StudyStopped("the study stopped: interrupted; restart it to continue") from None
    finally:
        unlock(lock)


def _play_missing(
    study: Study,
    done: dict[tuple[int, int], dict[str, int]],
    file: Any,
    executor: Executor | None,
    progress: Callable[[int], object] | None,
) -> None:
    missing = [chunk for chunk in study.chunks() if chunk[:2] not in done]
    identities = [match.current() for _, match in study.cells]
    total = len(done) + len(missing)
    chunks = (
        ((cell, number), (study.cells[cell][1], identities[cell], games, seed))
        for cell, number, games, seed in missing
    )
    try:
        for (cell, number), counts in played(executor, chunks):
            named = {json.dumps(as_record(outcome)): int(n) for outcome, n in counts.items()}
            done[cell, number] = dict(sorted(named.items(), key=lambda item: by_number(item[0])))
            _append(file, {"cell": cell, "number": number, "counts": done[cell, number]})
            if progress is not None:
                progress(counts.total())
    except KripkeError:
        raise
    except (Exception, KeyboardInterrupt) as error:
        raise StudyStopped(
            f"the study stopped after {len(done)} of {total} chunks: {cause(error)}; restart it to continue"
        ) from error


def _append(file: Any, content: Mapping[str, Any]) -> None:
    file.write(json.dumps(content) + "\n")
    file.flush()
    os.fsync(file.fileno())


def _finished(out: Path, header: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the result if the study is finished."""
    if not out.exists():
        return None
    try:
        found: dict[str, Any] = parse_json(read_text(out), str(out))
    except (OSError, ValueError) as error:
        raise FormatError(f"{str(out)!r} exists and is not a result of a study: {error}") from None
    if not isinstance(found, dict) or _identified(found) != _identified(header):
        raise GameError(f"{str(out)!r} is the result of another study; give another file")
    return found


def _identified(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return the identity of a study: its header, with the identity of each cell."""
    return {**result, "cells": [cell.get("identity") for cell in result.get("cells", ())]}


def _read_journal(journal: Path, header: Mapping[str, Any]) -> dict[tuple[int, int], dict[str, int]]:
    """Return the finished chunks; an incomplete last line is removed."""
    if not journal.exists():
        return {}
    content = journal.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if whole != content:
        os.truncate(journal, len(whole))
    lines = [json.loads(line) for line in whole.splitlines()]
    if lines and lines[0] != json.loads(json.dumps(header)):
        raise GameError(
            f"the journal {str(journal)!r} is of another study (another grid, seed, strategy or version); "
            "remove it or give another file"
        )
    return {(line["cell"], line["number"]): line["counts"] for line in lines[1:]}


def _cell(about: Mapping[str, Any], counts: Iterable[Mapping[str, int]]) -> dict[str, Any]:
    """Return a cell with the sums of some counts of its outcomes, which are keys as JSON."""
    total = sum(map(Counter, counts), Counter[str]())
    rows = sorted(total.items(), key=lambda item: by_number(item[0]))
    return {**about, "outcomes": [{**json.loads(key), "games": n} for key, n in rows]}


def _counts(cell: Mapping[str, Any]) -> dict[str, int]:
    return {json.dumps({k: v for k, v in r.items() if k != "games"}): r["games"] for r in cell["outcomes"]}


def merged(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Return the combined results of a study run with two seeds; raises GameError if they do not match."""
    for key in ("format", "version", "chunk"):
        if first.get(key) != second.get(key):
            raise GameError(f"the results differ in {key}: {first.get(key)!r} and {second.get(key)!r}")
    identities = [[cell["identity"] for cell in result["cells"]] for result in (first, second)]
    if identities[0] != identities[1]:
        raise GameError("the results are of different games or strategies and cannot be merged")
    seeds: list[int] = []
    for result in (first, second):
        seed = result["seed"]  # several in a result that was merged
        seeds += seed if isinstance(seed, list) else [seed]
    if len(set(seeds)) < len(seeds):
        raise GameError(f"both results have a seed in common ({seeds}): the same games would count twice")
    both = zip(first["cells"], second["cells"], strict=True)
    cells = [_cell(mine, map(_counts, (mine, theirs))) for mine, theirs in both]
    return {**first, "games": first["games"] + second["games"], "seed": seeds, "cells": cells}
