"""From a handout to the evidence in it."""

from __future__ import annotations

from collections.abc import Iterator

from kripke_werewolf.errors import GameError
from kripke_werewolf.werewolf import told
from kripke_werewolf.werewolf.events import (
    Attack,
    Collapsed,
    Declined,
    FoundDead,
    GameEnded,
    PhaseEnded,
    Refused,
    Said,
    Vision,
    VotedOff,
)
from kripke_werewolf.werewolf.events import Told as Notice
from kripke_werewolf.werewolf.inference.evidence import (
    BY_FACTS,
    NOT_ASKED,
    PASSED,
    UNMADE,
    Acting,
    Cell,
    Died,
    Evidence,
    Judged,
    Known,
    Move,
    Shown,
    Step,
    Told,
    Voted,
    aftermath,
)
from kripke_werewolf.werewolf.rules import Action
from kripke_werewolf.werewolf.table import Table
from kripke_werewolf.werewolf.told import Entry, dead_in

_COVERED = (
    *(Vision, Attack, Declined, Refused, VotedOff, FoundDead),
    *(PhaseEnded, Said, Notice, Collapsed, GameEnded),
)
"""The kinds of events that histories include."""


def evidence_in(handout: told.Told) -> Evidence:
    """Return the content of a handout, in order.

    Raises GameError if somebody was believed, or for a kind of event that histories do not include.
    """
    steps: list[Step] = []
    if handout.table is not None:
        steps.append(_table(handout.table, "the table before the first move"))
    for part in handout.entries:
        steps += _part(handout, part)
    return Evidence(handout.setup, handout.player, tuple(steps), handout.number)


def _table(table: Table, name: str) -> Shown:
    cells = [
        Cell(label, column, value, value, str(value), name)
        for label in table.labels
        for column, value in table.row(label).items()
        if value is not None
    ]
    return Shown(name, tuple(cells), table.worlds)


def _part(handout: told.Told, part: Entry) -> Iterator[Step]:
    if any(isinstance(event, Said) and event.believed for event in part.events):
        raise GameError(
            "words that are believed change the superposition, which the search for histories does not "
            f"cover; {BY_FACTS}"
        )
    if unknown := sorted({event.name for event in part.events if not isinstance(event, _COVERED)}):
        raise GameError(f"the search for histories does not cover the event {unknown[0]!r}; {BY_FACTS}")
    for _, own in part.chances:
        row = handout.player if handout.number is None else str(handout.number)
        name = f"your chances at the beginning of {part.phase}"
        cells = [Cell(row, column, v, v, str(v), name) for column, v in own if v is not None]
        yield Shown(name, tuple(cells))
    if handout.setup.actions(part.phase):
        known = dict(_moves(handout, part))
        yield Acting(part.phase, known, part.refused(handout.player), part.ended)
    yield from _what_followed(handout, part)
    if part.table is not None:
        yield _table(part.table, f"the table of {part.phase}")


def _moves(handout: told.Told, part: Entry) -> Iterator[tuple[tuple[str, Action], Known]]:
    """Yield the player's moves, and the public information about the others'."""
    setup, earlier = handout.setup, handout.entries[: handout.entries.index(part)]
    dead = dead_in(event for before in earlier for event in before.events)
    for name in setup.players:
        for action in setup.actions(part.phase):
            if name in dead:
                continue
            move, own = part.move(name, action), name == handout.player
            if (name, action) in part.passed_over:
                yield (name, action), PASSED
            elif move is not None:
                yield (name, action), _move(move, own=own)
            elif own:
                yield (name, action), PASSED if (name, action) in part.asked else NOT_ASKED
            elif setup.targets == "public":
                yield (name, action), NOT_ASKED if part.ended else UNMADE


def _move(event: Vision | Attack | Declined, *, own: bool) -> Move:
    if isinstance(event, Vision):
        return Move(event.target, event.result, shown=own)
    return Move(None if isinstance(event, Declined) else event.target)


def _what_followed(handout: told.Told, part: Entry) -> Iterator[Step]:
    """Yield the consequences of each vote and of the end of the phase: deaths, verdict, notices."""
    news: list[Step] = []
    begun: VotedOff | PhaseEnded | None = None
    for event in (*part.events, None):
        if begun is not None and (event is None or isinstance(event, VotedOff | PhaseEnded)):
            yield from aftermath(handout.setup, handout.player, news, voted=isinstance(begun, VotedOff))
        match event:
            case VotedOff() | PhaseEnded():
                begun, news = event, []
                if isinstance(event, VotedOff):
                    yield Voted(event.player, event.announced)
            case FoundDead():
                news.append(Died({event.player: event.announced}))
            case Collapsed():
                news.append(Judged(collapsed=True))
            case Notice() if event.player == handout.player:
                news.append(Told(event.player, event.role))
            case GameEnded():
                news.append(Judged(event.verdict, event.winners))
