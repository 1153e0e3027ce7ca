"""An evening: players join, the game begins, is played and ends. Nothing here knows about networks.

Only one thread at a time may use an `Evening`; `frames` makes all views to be sent at once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from kripke_werewolf.base.errors import FormatError, IllegalMove
from kripke_werewolf.base.reports.documents import Document
from kripke_werewolf.base.wording import ENGLISH, Sentence, in_language
from kripke_werewolf.play.host.seats import Device, Seats, SeatsFile, check_name
from kripke_werewolf.play.tabletop import Away, Keeper, Receipt, Robots
from kripke_werewolf.play.tabletop.commands import read_command
from kripke_werewolf.play.tabletop.night import NightKeeper
from kripke_werewolf.play.tabletop.views import View, view_bytes

Begin: TypeAlias = Callable[[tuple[str, ...]], Keeper | NightKeeper]
"""Return the keeper of a new game of these players; raises GameError if they cannot play it."""

TV, MASTER, SECRETS, WATCHER = "tv", "master", "secrets", "watch"
"""Readers other than players: the shared screen, the game master, the latter with all secrets, and those who
watch everything; those who watch what is public read what the shared screen shows."""

Reader: TypeAlias = tuple[str, str | None]
"""A reader: `("player", name)`, or one of the others with None."""

_STEP = 4096
_LONGEST_ID = 64


def padded(content: bytes, size: int) -> bytes:
    """Return a JSON object padded to `size` bytes with spaces in an extra field.

    >>> len(padded(b'{"a":1}', 40)), len(padded(b'{"b":12345}', 40))
    (40, 40)
    """
    blanks = size - len(content) - len(b',"pad":""')
    return content[:-1] + b',"pad":"' + b" " * blanks + b'"}'


@dataclass(frozen=True, slots=True)
class Dispatch:
    """A view to send."""

    mark: str
    """A string that is equal for equal views."""
    content: bytes
    """The view as `{"view": …}`, padded to the common size."""


Frames: TypeAlias = dict[tuple[Reader, str], Dispatch]
"""What is sent to each reader, by languages."""


class Evening:
    """An evening with a log; before the log exists, players join.

    `begin` makes the game of the players who have joined, by the rules of `sheet`.
    """

    def __init__(
        self,
        log: Path,
        file: SeatsFile,
        *,
        begin: Begin,
        sheet: Document,
        about: str = "",
        keeper: Keeper | NightKeeper | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        self.log = log
        self.keeper = keeper
        self.sheet = sheet
        """The rules on one page."""
        self.about = about
        """The settings in one line, for waiting players."""
        self._file, self._begin = file, begin
        seats = file.seats or Seats(settings=settings or {})
        if keeper is not None:
            players = keeper.game.players
            devices = tuple(d for d in seats.devices if d.seat is None or d.seat in players)
            if seats.robots and not seats.begun:  # it was cut off while it began
                keeper.submit(None, Robots(seats.robots))
            seats = replace(seats, players=players, begun=True, devices=devices)
        file.write(seats)

    @property
    def seats(self) -> Seats:
        """The seats as on disk."""
        assert self._file.seats is not None
        return self._file.seats

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.keeper is not None and self.keeper.over

    def close(self) -> None:
        """Close the log."""
        if self.keeper is not None:
            self.keeper.close()

    # before the game

    def join(self, name: object, language: str = ENGLISH) -> str:
        """Admit a player on a new device, and return its token; `language`: the shared screen's."""
        name = name.strip() if isinstance(name, str) else name
        token = self._admitted(*self.seats.join(name, language))
        if self.keeper is not None:
            if name in self.keeper.sitting.flow.away:
                self.keeper.submit(None, Away(str(name), away=False))
            if name in (robots := self.keeper.sitting.flow.robots):
                self.keeper.submit(None, Robots(tuple(robot for robot in robots if robot != name)))
        return token

    def _admitted(self, seats: Seats, token: str) -> str:
        """Write the seats with a new device, and return its token."""
        self._file.write(seats)
        return token

    def with_robots(self, number: int) -> None:
        """Let this number of robots play along in the game to begin."""
        if self.seats.begun:
            raise IllegalMove(Sentence("game-has-begun"))
        self._file.write(self.seats.with_robots(number))

    def watch(self, code: object, *, promised: bool) -> str:
        """Admit a device that watches, and return its token."""
        return self._admitted(*self.seats.watch(code, promised=promised))

    def admit(self, watches: object, *, allowed: bool) -> None:
        """Send away all who watch this; if it is `allowed`, a new code admits others."""
        if watches not in self.seats.codes:
            raise FormatError("watchers see 'public' or 'all'")
        self._file.write(self.seats.admitting(str(watches), allowed=allowed))

    def join_master(self) -> str:
        """Admit a new device of the game master, and return its token."""
        return self._admitted(*self.seats.join_master())

    def free(self, name: object) -> None:
        """Free a seat, so that another device can take it."""
        self._file.write(self.seats.without(check_name(name)))

    def leave(self, seat: str) -> None:
        """Remove a player who is waiting for the game to begin."""
        if self.seats.begun:
            raise IllegalMove(Sentence("cannot-leave"))
        self.free(seat)

    def begin(self, device: Device, now: float) -> None:
        """Begin the game with the players who have joined; the game master and the first player may do so."""
        if self.keeper is not None:
            raise IllegalMove(Sentence("game-has-begun"))
        if device.seat is not None and device.seat != self.seats.players[0]:
            raise IllegalMove(Sentence("first-begins", player=self.seats.players[0]))
        self.keeper = self._begin(self.seats.players)
        self._file.write(replace(self.seats, begun=True))
        if self.seats.robots:
            self.keeper.submit(None, Robots(self.seats.robots))
        self.keeper.tick(now)

    # the game

    def submit(self, seat: str | None, body: Mapping[str, Any], now: float) -> Receipt:
        """Carry out a command from a device: `command`, `request` (a new id) and `moment`."""
        if self.keeper is None:
            raise IllegalMove(Sentence("game-not-begun"))
        request, moment = body.get("request"), body.get("moment")
        for name, value in (("request", request), ("moment", moment)):
            if not isinstance(value, str) or not 0 < len(value) <= _LONGEST_ID:
                raise FormatError(f"the {name} is a string of 1 to {_LONGEST_ID} characters")
        command = read_command(body.get("command"), seat)
        answer = self.keeper.submit(seat, command, request=request, moment=moment, now=now)
        if seat is None and isinstance(command, Away) and command.away and answer.accepted:
            self.free(command.player)
        return answer

    def hint(self, seat: str, action: str) -> str:
        """Return a hint to a player; see `Keeper.hint`."""
        if self.keeper is None or self.over:
            raise IllegalMove(Sentence("game-not-begun"))
        if isinstance(self.keeper, NightKeeper):
            raise IllegalMove(Sentence("night-not-here"))
        return self.keeper.hint(seat, action)

    def tick(self, now: float) -> bool:
        """Let time pass, and return whether that changed anything."""
        return self.keeper is not None and any([self.keeper.tick(now), self.keeper.play_robots(now)])

    # views

    def view(self, reader: Reader, online: Container[Reader] = ()) -> View:
        """Return a reader's present view. `online`: players with open pages, shown to the game master."""
        who, name = reader
        if self.keeper is None:
            found = self._lobby(reader)
        elif who == "player":
            found = self.keeper.player_view(name or "")
        elif who in (SECRETS, WATCHER):
            found = self.keeper.master_view()
        else:
            found = self.keeper.public_view()
        if who in (MASTER, SECRETS):
            taken = [name for name in self.seats.players if name not in self.seats.free]
            showing = [name for name in taken if ("player", name) in online]
            found = {**found, "view": who, "taken": taken, "online": showing, "codes": dict(self.seats.codes)}
            if isinstance(self.keeper, Keeper) and not self.over:
                game = self.keeper.game
                found["played"] = list(self.keeper.sitting.flow.robots)
                found["acts"] = list(game.setup.actions(game.phase))
        if watchers := self.seats.watchers:
            secret = watchers.count("all")
            found = {**found, "watchers": Sentence("watched", n=len(watchers), secret=secret)}
        return found

    def _lobby(self, reader: Reader) -> View:
        players = list(self.seats.players)
        found: View = {"view": "lobby", "kind": "lobby", "players": players, "settings": self.about}
        found["robots"] = Sentence("robots-play", n=len(self.seats.robots), names=self.seats.robots)
        found["practice"] = len(self.seats.robots)
        if reader[0] == "player":
            found |= {"player": reader[1], "first": players[:1] == [reader[1]]}
        return found

    def frames(self, online: Container[Reader] = (), languages: Iterable[str] = (ENGLISH,)) -> Frames:
        """Return everybody's present frame in some languages, the game master's only if their page is open.

        The frames of all players in one language have the same size.
        """
        wanted: list[Reader] = [*(("player", name) for name in self.seats.players), (TV, None)]
        wanted += [(who, None) for who in (MASTER, SECRETS, WATCHER) if (who, None) in online]
        views = {reader: self.view(reader, online) for reader in wanted}
        return {(reader, name): frame for name in languages for reader, frame in _told(views, name).items()}


def _told(found: Mapping[Reader, View], language: str) -> dict[Reader, Dispatch]:
    views = {reader: view_bytes(view) for reader, view in in_language(dict(found), language).items()}
    bodies = {reader: b'{"view":' + content + b"}" for reader, content in views.items()}
    lengths = [len(body) for (who, _), body in bodies.items() if who == "player"]
    longest = max(lengths, default=0) + len(b',"pad":""')
    size = -(-longest // _STEP) * _STEP  # reveals little about the longest
    bodies |= {reader: padded(body, size) for reader, body in bodies.items() if reader[0] == "player"}
    marks = {reader: hashlib.sha256(view).hexdigest()[:16] for reader, view in views.items()}
    return {reader: Dispatch(marks[reader], body) for reader, body in bodies.items()}


def reply_to(answer: Receipt, language: str) -> bytes:
    """Return the reply to a command; all replies have a similar size."""
    text = in_language(answer.text, language)
    told = {"accepted": answer.accepted, "text": text[: _STEP // 8]}
    return padded(json.dumps(told, separators=(",", ":")).encode(), _STEP)
