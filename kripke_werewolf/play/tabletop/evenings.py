"""Many evenings together: games, winners and players, counted over the logs in a folder."""

from __future__ import annotations

import unicodedata
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from kripke_werewolf.base.drawing import drawer
from kripke_werewolf.base.errors import GameError, KripkeError
from kripke_werewolf.base.reports.documents import Block, Document, Figure, Heading, Items
from kripke_werewolf.base.reports.tables import Grid
from kripke_werewolf.games.werewolf import QuantumWerewolf
from kripke_werewolf.games.werewolf.events import Step, VotedOff
from kripke_werewolf.games.werewolf.log import Recorded, TruncatedLog, read_log, replay, shared_start
from kripke_werewolf.games.werewolf.setup import Setup
from kripke_werewolf.games.werewolf.tale import first_known, knowledge_after, to_ask
from kripke_werewolf.play.tabletop.sitting import Flow, read_flow

Row = dict[str, Any]
"""A row of a table, by column."""
_COUNTED = ("games", "village", "wolves", "other", "won", "nights", "first off", "votes", "for wolves")
_KNOWN = ("knew a wolf", "rounds until then")


@dataclass(frozen=True, slots=True)
class Statistics:
    """Games and players over several evenings.

    `games`: by rule set and number of players, the games, those won by each side, and those not over.
    `players`: over finished games, the games of each player; on which side they were, as far as that was
    certain in the end; those that they won; the nights that they lived through; the games in which they were
    voted off first; open votes for a player whose side came out, and those of them for a wolf; and, if it was
    asked for, the games in which they could know a living wolf, and the rounds until then. `remarks`: files
    that were left out, and names that are alike.
    """

    games: tuple[Row, ...]
    players: tuple[Row, ...]
    remarks: tuple[str, ...] = ()

    def document(self, *, plots: bool = False) -> Document:
        """Return both tables and the remarks; with `plots` also a picture, which needs `visualise`."""
        blocks: list[Block] = [Heading("Games"), _grid(self.games), Heading("Players"), _grid(self.players)]
        if plots and self.players:
            size = (7.0, 1.0 + 0.3 * len(self.players))
            figure_svg, parts_of_games = drawer("figure_svg"), drawer("parts_of_games")
            svg = figure_svg(lambda ax: parts_of_games(self.players, ax=ax), size=size, name="players")
            blocks.append(Figure("players", svg, "Games by player: won, and the others"))
        blocks += [Heading("Remarks"), Items(self.remarks)] if self.remarks else []
        return Document("Games of Quantum Werewolf", tuple(blocks))

    def to_csv(self) -> str:
        """Return the table of players as comma-separated values."""
        return _grid(self.players).to_csv()

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-able values."""
        return {"games": list(self.games), "players": list(self.players), "remarks": list(self.remarks)}


def _grid(rows: tuple[Row, ...]) -> Grid:
    header = tuple(rows[0]) if rows else ("none",)
    return Grid(header, tuple(tuple("" if row[c] is None else str(row[c]) for c in header) for row in rows))


def statistics(folder: Path, *, knowledge: bool = False) -> Statistics:
    """Return the statistics of the logs in a folder, the files `*.jsonl`.

    A log that another one continues, or a copy of one, is not counted again. `knowledge`: whether to work out
    since when players could know a wolf, from their own sheet and the news. Raises GameError for anything but
    a folder.
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
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", TruncatedLog)
                game, flow = replay(path), read_flow(log.flow or {})
        except KripkeError as error:
            remarks.append(f"left out: {error}")
            continue
        known.append((log.steps, path.name))
        rules = game.rules.name + (" with options" if game.rules.changes() else "")
        ends.setdefault((rules, len(game.players)), Counter())[game.verdict or "not over"] += 1
        for player, counts in _counted(game, flow, knowledge=knowledge) if game.verdict else ():
            totals.setdefault(player, Counter()).update(counts)
    sides = dict.fromkeys(("village", "wolves", *sorted({end for found in ends.values() for end in found})))
    games = [
        {"rules": rules, "players": number, "games": found.total(), **{side: found[side] for side in sides}}
        for (rules, number), found in sorted(ends.items())
    ]
    columns = _COUNTED + (_KNOWN if knowledge else ())
    players = list[Row]()
    for name, counts in sorted(totals.items()):
        players.append({"player": name, **{column: counts[column] for column in columns}})
    for row in players if knowledge else ():
        row[_KNOWN[1]] = round(row[_KNOWN[1]] / row[_KNOWN[0]], 1) if row[_KNOWN[0]] else None
    return Statistics(tuple(games), tuple(players), (*sorted(remarks), *_alike(totals)))


def _counted(game: QuantumWerewolf, flow: Flow, *, knowledge: bool) -> Iterator[tuple[str, Counter[str]]]:
    """Yield the players of a finished game, with the counts for each."""
    sides = game.state.certain((("village", "good_{i}"), ("wolves", "wolf_{i}")))
    votes = [vote for tally in flow.counted for vote in tally.votes]
    off = next((event.player for event in game.events if isinstance(event, VotedOff)), None)
    mornings = [now for was, now in pairwise(game.states) if "vote" == now.phase.kind != was.phase.kind]
    asked = [one for one in to_ask(game) if one[1] == "facts"] if knowledge else []
    first = first_known(game, {one: knowledge_after(game, one) for one in asked}, "facts")
    for name in game.players:
        own = [sides[target] == "wolves" for voter, target in votes if voter == name and target in sides]
        known = first.get((name, "wolf"))
        rounds = game.states[known.step - 1].phase.number if known else 0
        nights = sum(name in state.alive for state in mornings)
        won, once = int(game.results[name] is True), {"games": 1, sides.get(name, "other"): 1}
        more = {"first off": int(name == off), _KNOWN[0]: int(known is not None), _KNOWN[1]: rounds}
        counts = {"won": won, "nights": nights, "votes": len(own), "for wolves": sum(own)}
        yield name, Counter(once | counts | more)


def _alike(names: Iterable[str]) -> Iterator[str]:
    """Yield a remark for names that differ only in case or accents; they are counted apart."""
    groups: dict[str, list[str]] = {}
    for name in sorted(names):
        plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
        groups.setdefault(plain.casefold(), []).append(name)
    for group in groups.values():
        if len(group) > 1:
            yield f"{', '.join(group)}: different players, whose names differ only in case or accents"
