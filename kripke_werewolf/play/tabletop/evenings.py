"""Many evenings together: games, winners and players, counted over the logs in a folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kripke_werewolf.base.errors import GameError, KripkeError
from kripke_werewolf.base.reports.documents import Block, Document, Heading, Items
from kripke_werewolf.base.reports.tables import Grid
from kripke_werewolf.games.werewolf import QuantumWerewolf
from kripke_werewolf.games.werewolf.events import Step
from kripke_werewolf.games.werewolf.log import Recorded, read_log, replay, shared_start
from kripke_werewolf.games.werewolf.setup import Setup

Row = dict[str, Any]
"""A row of a table, by column."""
_COUNTED = ("games", "village", "wolves", "other", "won")


@dataclass(frozen=True, slots=True)
class Statistics:
    """Games and players over several evenings.

    `games`: by rule set and number of players, the games, those won by each side, and those not over.
    `players`: over finished games, the games of each player; on which side they were, as far as that was
    certain in the end; those that they won. `remarks`: files that were left out.
    """

    games: tuple[Row, ...]
    players: tuple[Row, ...]
    remarks: tuple[str, ...] = ()

    @property
    def document(self) -> Document:
        """Both tables and the remarks."""
        blocks: list[Block] = [Heading("Games"), _grid(self.games), Heading("Players"), _grid(self.players)]
        blocks += [Heading("Remarks"), Items(self.remarks)] if self.remarks else []
        return Document("Games of Quantum Werewolf", tuple(blocks))

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-able values."""
        return {"games": list(self.games), "players": list(self.players), "remarks": list(self.remarks)}


def _grid(rows: tuple[Row, ...]) -> Grid:
    header = tuple(rows[0]) if rows else ("none",)
    return Grid(header, tuple(tuple("" if row[c] is None else str(row[c]) for c in header) for row in rows))


def statistics(folder: Path) -> Statistics:
    """Return the statistics of the logs in a folder, the files `*.jsonl`.

    A log that another one continues, or a copy of one, is not counted again. Raises GameError for anything
    but a folder.
    """
    if not folder.is_dir():
        raise GameError(f"{str(folder)!r} is not a folder; give one with logs of games")
    logs, remarks = list[tuple[Recorded, Path]](), list[str]()
    for path in sorted(folder.glob("*.jsonl")):
        try:
            logs.append((read_log(path), path))
        except (KripkeError, OSError) as error:
            said = f"{path}: {error.strerror}" if isinstance(error, OSError) else str(error)
            remarks.append(f"left out: {said}")
    longer: dict[Setup, list[tuple[tuple[Step, ...], str]]] = {}
    ends, totals = dict[tuple[str, int], Counter[str]](), dict[str, Counter[str]]()
    for log, path in sorted(logs, key=lambda item: -len(item[0].steps)):
        known = longer.setdefault(log.setup, [])
        if whole := [name for steps, name in known if shared_start(steps, log.steps) == len(log.steps)]:
            remarks.append(f"{path.name} is not counted again: {whole[0]} has all of its steps")
            continue
        try:
            game = replay(path)
        except KripkeError as error:
            remarks.append(f"left out: {error}")
            continue
        known.append((log.steps, path.name))
        rules = game.rules.name + (" with options" if game.rules.changes() else "")
        ends.setdefault((rules, len(game.players)), Counter())[game.verdict or "not over"] += 1
        for player, counts in _counted(game) if game.verdict else ():
            totals.setdefault(player, Counter()).update(counts)
    sides = dict.fromkeys(("village", "wolves", *sorted({end for found in ends.values() for end in found})))
    games = [
        {"rules": rules, "players": number, "games": found.total(), **{side: found[side] for side in sides}}
        for (rules, number), found in sorted(ends.items())
    ]
    players = [
        {"player": name, **{column: counts[column] for column in _COUNTED}}
        for name, counts in sorted(totals.items())
    ]
    return Statistics(tuple(games), tuple(players), tuple(sorted(remarks)))


def _counted(game: QuantumWerewolf) -> Iterator[tuple[str, Counter[str]]]:
    """Yield the players of a finished game, with the counts for each."""
    sides = game.state.certain((("village", "good_{i}"), ("wolves", "wolf_{i}")))
    for name in game.players:
        yield name, Counter({"games": 1, sides.get(name, "other"): 1, "won": int(game.results[name] is True)})
