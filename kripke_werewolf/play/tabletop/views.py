"""Views of a sitting: for a player, for everybody, and for the game master, as JSON-ready values.

A player's view is a function of their handout, of their own choice and vote, and of the public state of the
table (votes, the number of missing answers, absent players, the time). So two sittings that a player cannot
tell apart have equal views, byte for byte (`view_bytes`). In particular only the game master's view has
numbers that change with others' actions at night, except for the number of missing answers.

Handouts are cached for every step (`Archive`), so a view costs only the new steps.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import takewhile
from operator import is_
from threading import Lock
from typing import Any, TypeAlias

from kripke_werewolf.base.errors import check_known
from kripke_werewolf.base.grouping import remembered
from kripke_werewolf.base.reports.tables import Grid, shown
from kripke_werewolf.base.wording import Sentence, word
from kripke_werewolf.games.werewolf import QuantumWerewolf, Table
from kripke_werewolf.games.werewolf.events import Event, FoundDead, PhaseEnded, VotedOff
from kripke_werewolf.games.werewolf.roles import Action
from kripke_werewolf.games.werewolf.rules import words_for
from kripke_werewolf.games.werewolf.rulesheet import what_it_does
from kripke_werewolf.games.werewolf.setup import Setup
from kripke_werewolf.games.werewolf.tale import ending
from kripke_werewolf.games.werewolf.telling import describe_setup, messages
from kripke_werewolf.games.werewolf.told import Entry, Told, told_first, told_next
from kripke_werewolf.play.tabletop.advice import night_changes
from kripke_werewolf.play.tabletop.sitting import Flow, Sitting, votes_in_words

View: TypeAlias = dict[str, Any]
"""A JSON-ready value; views share parts of it, so it must not be modified."""


def view_bytes(view: View) -> bytes:
    """Return a view as JSON, the same bytes for equal views.

    >>> view_bytes({"phase": "night 1"})
    b'{"phase":"night 1"}'
    """
    return json.dumps(view, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


Kept: TypeAlias = dict[tuple[int, str], tuple[object, View]]
"""Cached views by the identity of values; the values are kept alive, so that identities stay unique."""


# --- handouts kept for every step -----------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _StepHandouts:
    """The handouts after a step, by player; None: the public one."""

    whole: Told
    """Everything, with the secrets of the game master."""
    _handouts: dict[str | None, Told] = field(default_factory=dict)
    _kept: Kept = field(default_factory=dict)
    """The views of parts and tables, shared with the records of the other steps."""

    def handout(self, player: str | None) -> Told:
        """Return a player's handout so far; None: the public one."""
        return remembered(self._handouts, player, lambda: self.whole.of(*filter(None, [player])))

    def sheet(self, player: str) -> list[View]:
        """Return a player's handout by phases, as JSON-ready values."""
        known = self.handout(player)
        return [self._page(known, *parts) for parts in zip(self.whole.entries, known.entries, strict=True)]

    def _page(self, known: Told, source: Entry, part: Entry) -> View:
        """Return the information a player was given in a phase; `source`: the part shared between steps."""
        key = id(source), known.player
        if key not in self._kept:
            page: View = {"phase": str(part.phase), "lines": list(known.lines(part))}
            if part.table is not None:
                page["table"] = self.table(part.table)
            self._kept[key] = source, page
        return self._kept[key][1]

    def table(self, table: Table) -> View:
        """Return the view of a table."""
        return remembered(self._kept, (id(table), ""), lambda: (table, table_view(table)))[1]


class Archive:
    """The records of a game that continues, goes back and continues again: a thread-safe cache."""

    def __init__(self) -> None:
        self._steps: list[object] = []
        self._records: list[_StepHandouts] = []
        self._setup: Setup | None = None
        self.public: tuple[Sitting | None, View] = None, {}
        """The latest public view, with its sitting."""
        self.own: dict[str, tuple[object, View]] = {}
        """For each player the latest part of their view that is theirs alone, with what it depends on."""
        self._lock = Lock()

    def at(self, game: QuantumWerewolf) -> _StepHandouts:
        """Return the record of a game; steps seen before cost nothing."""
        with self._lock:
            if self._setup is not game.setup:
                first = _StepHandouts(told_first(game.setup, game.states[0]))
                self._setup, self._steps, self._records = game.setup, [], [first]
            kept = sum(1 for _ in takewhile(bool, map(is_, self._steps, game.steps)))
            if kept < len(game.steps):
                del self._steps[kept:], self._records[kept + 1 :]
            for number, step in enumerate(game.steps[kept:], kept):
                last, states = self._records[number], game.states[number : number + 2]
                known = told_next(last.whole, game.setup, step, *states)
                self._records.append(_StepHandouts(known, _kept=last._kept))
                self._steps.append(step)
            return self._records[len(game.steps)]


# --- parts of views -------------------------------------------------------------------------------


def table_view(table: Table) -> View:
    """Return the view of a table: cells as strings, percentages of a column with equal decimals."""
    grid = table.grid("percent")
    columns = [[row[place] for row in grid.rows] for place in range(1, len(grid.header))]
    aligned = [aligned_percentages(column) for column in columns]
    rows = tuple(zip((row[0] for row in grid.rows), *aligned, strict=True))
    found = grid_view(replace(grid, rows=rows))
    if table.worlds is not None:
        found["left"] = Sentence("left", n=table.worlds)
    return found


def grid_view(grid: Grid) -> View:
    """Return the view of a grid of strings as it stands."""
    found: View = {"header": list(grid.header), "rows": [list(row) for row in grid.rows]}
    return {**found, "note": grid.note} if grid.note else found


def aligned_percentages(cells: list[str]) -> list[str]:
    """Return percentages with one decimal if any of them has one; 0% and 100% are exact and unchanged.

    >>> aligned_percentages(["18.3%", "77%", "0%"])
    ['18.3%', '77.0%', '0%']
    """
    if not any("." in cell for cell in cells):
        return cells
    exact = ("0%", "100%")
    return [word(f"{c[:-1]}.0%") if c.endswith("%") and "." not in c and c not in exact else c for c in cells]


def _feed(sitting: Sitting, public: Told) -> list[View]:
    """Return the public news by phases, with votes before their consequences.

    The end of a phase is not news; that nobody was found dead at night, or voted off by day, is.
    """
    found, dead = [], False
    for part in public.entries:
        counted = [count for count in sitting.flow.counted if count.position == part.phase.position]
        lines, together, voted_off = list[str](), list[Event](), 0
        for event in part.events:
            if isinstance(event, VotedOff | PhaseEnded) and counted:
                lines += _announced(public.setup, together)
                lines += [str(count) for count in counted if count.voted_off == voted_off]
                counted = [count for count in counted if count.voted_off != voted_off]
                together = []
            voted_off += isinstance(event, VotedOff)
            together.append(event)
        lines += [*_announced(public.setup, together), *map(str, counted)]
        lines = [text for text in lines if text != Sentence("end-of", phase=part.phase)]
        dead = dead or any(isinstance(event, FoundDead) for event in part.events)
        if part.phase.kind == "vote":
            dead = False
            if part.ended and not voted_off:
                lines.append(Sentence("nobody-voted-off"))
        elif part.ended and not dead and public.setup.phase_at(part.phase.position + 1) == "vote":
            lines.append(Sentence("nobody-found-dead"))
        if lines:
            found.append({"phase": str(part.phase), "position": part.phase.position, "lines": lines})
    return found


def _announced(setup: Setup, events: list[Event]) -> list[str]:
    return [message.text for message in messages(setup, events) if message.to is None]


def _table_now(sitting: Sitting) -> View:
    """Return the public state of the table."""
    game, flow = sitting.game, sitting.flow
    phase, kind = str(game.phase), "night"
    if game.verdict is not None:
        phase, kind = Sentence("game-is-over"), "over"
    elif sitting.voting:
        kind = "day"
    found: View = {
        "phase": phase,
        "kind": kind,
        "moment": sitting.moment,
        **people_view(flow, game.players, game.alive, len(sitting.waiting_for)),
    }
    if flow.deadline is not None:
        found["deadline"] = flow.deadline
    elif flow.left is not None:
        found["left"] = flow.left
    if kind == "day":
        found["ballot"] = _ballot(sitting)
    return found


def people_view(flow: Flow, players: Sequence[str], alive: Container[str], waiting: int) -> View:
    """Return the view that everybody may have of the players; `waiting`: how many have not answered."""
    found: View = {
        "players": list(players),
        "alive": [name for name in players if name in alive],
        "dead": [name for name in players if name not in alive],
        "away": list(flow.away),
        "paused": flow.paused,
        "waiting": waiting,
    }
    if flow.robots:
        found["robots"] = Sentence("robots-play", n=len(flow.robots), names=flow.robots)
    return found


def _ballot(sitting: Sitting) -> View:
    """Return the public view of the ballot."""
    kind, votes = sitting.house.ballot, sitting.flow.votes
    found: View = {"kind": kind, "round": sitting.flow.round, "candidates": list(sitting.candidates)}
    if kind != "spoken":
        found["voted"] = [voter for voter, _ in votes]
    if kind == "open":
        found["votes"] = [[voter, target] for voter, target in votes]
    return found


def _question(sitting: Sitting, known: Told, player: str, action: Action) -> View:
    """Return a question of the night, with its answer."""
    choice, choices = sitting.choice(player, action), sitting.choosable(player, action)
    made, verb = known.entries[-1].move(player, action), words_for(action).do
    found: View = {
        "action": action,
        "question": Sentence("whom", action=action, do=verb),
        "explained": what_it_does(sitting.game.setup, action),
        "targets": list(choices),
        "may_decline": sitting.may_decline(action),
        "answered": choice is not None or made is not None,
        "target": choice.target if choice is not None else " and ".join(getattr(made, "targets", ())) or None,
        "final": made is not None or (choice is not None and sitting.foretells),
        "counts": made is not None or sitting.counts(player, action),
    }
    if any(len(names) > 1 for names in choices.values()):
        found["labels"] = [Sentence("together", names=names) for names in choices.values()]
        found["pairs"] = [list(names) for names in choices.values()]
    if not found["counts"]:
        asked = (player, action) in known.entries[-1].asked
        found["why"] = Sentence("nobody-to", action=action, do=verb, asked=asked)
    if told := known.entries[-1].refused(player):
        found["refused"] = list(told)
    return found


# --- the three views ------------------------------------------------------------------------------


def public_view(sitting: Sitting, archive: Archive) -> View:
    """Return the public view, for a shared screen; it is cached until another is requested."""
    latest, view = archive.public
    if latest is sitting:
        return view
    record = archive.at(sitting.game)
    public = record.handout(None)
    found: View = {
        "view": "public",
        "settings": describe_setup(sitting.game.setup),
        **_table_now(sitting),
        "feed": _feed(sitting, public),
        "table": record.table(public.tables[-1]) if public.tables else None,
    }
    published = [part.phase for part in public.entries if part.table is not None]
    if published:  # the table stays up in later phases
        found["table"] = {**found["table"], "since": Sentence("as-of-the-end", phase=published[-1])}
    if sitting.game.verdict is not None:
        found["ending"] = grid_view(ending(sitting.game).table)
        found["headline"] = found["feed"][-1]["lines"][-1]
    archive.public = sitting, found
    return found


def player_view(sitting: Sitting, player: str, archive: Archive) -> View:
    """Return the view of one player, and nothing else."""
    check_known(player, sitting.game.players, kind="player")
    record, shared = archive.at(sitting.game), {**public_view(sitting, archive), "player": player}
    answers = [c for c in sitting.choices if c.actor == player], dict(sitting.flow.votes).get(player, "")
    given = record, sitting.moment, sitting.manner, sitting.house, answers
    if archive.own.get(player, (None,))[0] != given:
        archive.own[player] = given, _own_view(sitting, player, record)
    return {**shared, "view": "player", **archive.own[player][1]}


def _own_view(sitting: Sitting, player: str, record: _StepHandouts) -> View:
    """Return the part of a player's view that is theirs alone."""
    game, known = sitting.game, record.handout(player)
    own: View = {"alive": player in game.alive, "opening": list(known.opening)}
    if known.number is not None:
        own["number"] = known.number
    if known.card is not None:
        own["card"] = word(known.card)
    for _, row in known.entries[-1].chances if game.verdict is None else ():
        own["chances"] = [[word(column), shown(value, "percent")] for column, value in row]
    found: View = {"you": own, "sheet": record.sheet(player), "changed": night_changes(known)}
    # in the first two nights and days questions are explained
    found["early"] = game.phase.number <= game.setup.phase_after(None).number + 1
    if game.verdict is None and (player in game.alive or player in game.state.naming):
        found["ask"] = [_question(sitting, known, player, action) for action in sitting.slots.get(player, ())]
        if player in game.alive and game.phase.kind == "vote" and sitting.house.ballot != "spoken":
            told = {"explained": what_it_does(game.setup, "vote"), "may_decline": True}
            found["vote"] = vote_view(player, sitting.flow.votes, sitting.candidates, **told)
    return found


def vote_view(player: str, votes: Iterable[Any], candidates: Sequence[str], **told: Any) -> View:
    """Return the question whom a player votes for, with their answer, like those of the night.

    `votes`: the voters with their targets; `told`: `may_decline`, and perhaps what a vote does, `explained`.
    """
    given = dict(votes)
    answer = {"answered": player in given, "target": given.get(player)}
    return {"action": "vote", "targets": list(candidates), **told, **answer}


def master_view(sitting: Sitting, archive: Archive) -> View:
    """Return the whole state, for the game master."""
    game = sitting.game
    return {
        **public_view(sitting, archive),
        "view": "master",
        "master_table": table_view(game.table()),
        "worlds": Sentence("worlds", n=game.size),
        "choices": [{**asdict(c), "counts": sitting.counts(c.actor, c.action)} for c in sitting.choices],
        "to_do": _to_do(sitting),
        "waiting_for": list(sitting.waiting_for),
        "votes": [[voter, target] for voter, target in sitting.flow.votes],
        "steps": len(game.steps),
        "last": [[text for event in step if (text := event.in_full())] for step in game.steps[-10:]],
    }


def _to_do(sitting: Sitting) -> str:
    """Return the missing actions and their players, with all secrets."""
    game = sitting.game
    if game.verdict is not None:
        return Sentence("game-is-over")
    if sitting.voting:
        missing = sitting.waiting_for
        return Sentence("to-vote", names=missing) if missing else Sentence("village-votes")
    due = [Sentence("due", player=name, actions=actions) for name, actions in sitting.to_choose.items()]
    return Sentence("to-act", due=due) if due else Sentence("nothing-to-do")


def status_lines(view: View) -> Iterator[str]:
    """Yield where the game stands, by the view for everybody; by the game master's, who is to act, too."""
    secret = "worlds" in view
    yield Sentence("where-it-stands", phase=view["phase"], secret=secret, n=view.get("steps", 0))
    yield Sentence("alive", names=view["alive"]) if view["alive"] else Sentence("nobody-alive")
    for key in ("dead", "away"):
        if view[key]:
            yield Sentence(key, names=view[key])
    ballot = view.get("ballot", {})
    votes = view.get("votes") or ballot.get("votes") or ()
    if voted := [votes_in_words([pair]) for pair in votes] or ballot.get("voted"):
        yield Sentence("voted", votes=voted)
    if secret:
        yield view["worlds"]
        if view["choices"]:
            yield Sentence("choices-noted", choices=[_noted(choice) for choice in view["choices"]])
        if view["kind"] != "over":
            yield view["to_do"]


def _noted(choice: View) -> str:
    """Return a noted choice in words, with everything that is secret."""
    forced = {"forced": choice["result"] is not None, "result": choice["result"] or ""}
    done = {"any": bool(choice["target"]), "target": choice["target"] or ""}
    return Sentence("choice", actor=choice["actor"], action=choice["action"], **done, **forced)
