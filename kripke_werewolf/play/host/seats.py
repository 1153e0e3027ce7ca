"""The players and their devices: a private file in the folder of an evening.

Every device has a secret token. The file keeps only the data to check tokens, so that nobody can take a seat
by reading it. Tokens never occur in the log, in an address or in a QR code.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections import Counter
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Self

from kripke_werewolf.base.errors import FormatError, GameError, check_known
from kripke_werewolf.base.files import locked, parse_json, read_text, replace_file, unlock
from kripke_werewolf.base.settings import from_data, types_of
from kripke_werewolf.base.wording import ENGLISH, Sentence
from kripke_werewolf.play.console.commands import as_typed, check_people
from kripke_werewolf.play.tabletop.advice import robot_names
from kripke_werewolf.play.tabletop.beginning import new_seed

FORMAT, VERSION = "kripke_werewolf seats", 2

LONGEST_NAME = 40
"""The greatest length of a player's name."""
MOST_PLAYERS = 60
"""The largest number of players of an evening."""
MOST_DEVICES = 8
"""The largest number of devices of the game master; players have one each."""

MOST_WATCHERS = 20
"""The largest number of devices that watch."""

_FIRST = "game-1.jsonl"
"""The log of the first game of an evening."""

_LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"  # no letter that looks like another or like a digit


def new_code(length: int) -> str:
    """Return a random code that can be read aloud.

    >>> len(new_code(6))
    6
    """
    return "".join(secrets.choice(_LETTERS) for _ in range(length))


def same_code(given: object, code: str) -> bool:
    r"""Whether a code was typed correctly, ignoring case and the width of letters.

    >>> same_code(" abcdef", "ABCDEF"), same_code("\uff21\uff42", "AB")
    (True, True)
    """
    typed = as_typed(given).strip().upper() if isinstance(given, str) else ""
    return secrets.compare_digest(typed.encode(), code.encode())


def check_name(name: object) -> str:
    """Return the name of a player; raise GameError if it is not a name, or is too short or too long."""
    if not isinstance(name, str) or not 0 < len(name.strip()) <= LONGEST_NAME:
        raise GameError(Sentence("name-too-long", n=LONGEST_NAME))
    return name


@dataclass(frozen=True, slots=True)
class Device:
    """A registered device."""

    check: str
    """The value against which its token is checked."""
    seat: str | None
    """The player with this device; None for the game master's, and for those that watch."""
    watches: bool = False
    """Whether it watches, and sees every secret."""

    @property
    def is_master(self) -> bool:
        """Whether it is the game master's."""
        return self.seat is None and not self.watches


@dataclass(frozen=True, kw_only=True)
class Seats:
    """The seats of an evening: an immutable value.

    >>> seats, token = Seats(evening="e", code="ABCDEF").join("Ann")
    >>> seats.players, seats.device(token).seat
    (('Ann',), 'Ann')
    >>> seats.join("Ann")
    Traceback (most recent call last):
    ...
    kripke_werewolf.play.host.seats.SeatTaken: Ann's seat is taken; ...
    """

    evening: str = field(default_factory=lambda: secrets.token_hex(4))
    """A name for the evening, part of its cookies' names."""
    code: str = field(default_factory=lambda: new_code(6))
    """The code that a device must send to join."""
    players: tuple[str, ...] = ()
    """The players who have joined or may join, in seat order."""
    later: tuple[str, ...] = ()
    """Those who joined after it had begun: they play in the next game."""
    begun: bool = False
    """Whether the game has begun with these players."""
    finished: tuple[Mapping[str, bool], ...] = ()
    """Who won and who did not in each earlier game of the evening."""
    robots: tuple[str, ...] = ()
    """The players that the program plays when the game begins; they have no devices."""
    watching: str = field(default_factory=lambda: new_code(10))
    """The code that admits devices to watch; "" admits nobody."""
    devices: tuple[Device, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    """The settings of the game to begin, as JSON-able values."""

    @property
    def score(self) -> dict[str, tuple[int, int]]:
        """How many of the finished games each player has won and played, those who won most first."""
        played = Counter(name for game in self.finished for name in game)
        won = Counter(name for game in self.finished for name, wins in game.items() if wins)
        return {name: (won[name], played[name]) for name in sorted(played, key=lambda name: -won[name])}

    @property
    def free(self) -> tuple[str, ...]:
        """The players without a device, in seat order."""
        taken = {device.seat for device in self.devices}
        return tuple(name for name in self.players if name not in taken)

    @cached_property
    def watchers(self) -> int:
        """The number of devices that watch."""
        return sum(device.watches for device in self.devices)

    def device(self, token: str | None) -> Device | None:
        """Return the device with a token, or None."""
        check = _check(token or "")
        return next((d for d in self.devices if secrets.compare_digest(d.check, check)), None)

    def join(self, name: object, language: str = ENGLISH) -> tuple[Seats, str]:
        """Give a new device the seat of a player, and return its token; `language`: see `check_people`.

        Raises SeatTaken, or GameError for a name that cannot play here.
        """
        name = check_name(name)
        everybody = (*self.players, *self.later)
        if name in everybody and name not in self.free:
            raise SeatTaken(name, begun=self.begun)
        if name not in everybody:
            if len(everybody) >= MOST_PLAYERS:
                raise GameError(Sentence("table-is-full", n=MOST_PLAYERS))
            check_people([*everybody, name], language)
        after, token = self._with(Device("", name))
        robots = tuple(robot for robot in self.robots if robot != name)
        if self.begun and name not in self.players:
            return replace(after, later=(*(n for n in self.later if n != name), name)), token
        people = [player for player in self.players if player not in self.robots]
        people += [name] if name not in people else []
        if self.begun:
            return replace(after, robots=robots), token
        return replace(after, players=(*people, *robots), robots=robots), token

    def _with(self, device: Device) -> tuple[Seats, str]:
        """Register a device, and return its token."""
        token = secrets.token_urlsafe(32)
        return replace(self, devices=(*self.devices, replace(device, check=_check(token)))), token

    def with_robots(self, number: Any) -> Seats:
        """Let this number of robots play along; before the game only."""
        people = tuple(name for name in self.players if name not in self.robots)
        robots = tuple(name for name in robot_names(number) if name not in people)
        if len(people) + len(robots) > MOST_PLAYERS:
            raise GameError(Sentence("table-is-full", n=MOST_PLAYERS))
        return replace(self, players=(*people, *robots), robots=robots)

    def again(self, winners: Collection[str], *, draw: bool) -> Seats:
        """Return the seats for the next game, with those who joined late; the seed of the game is a new one.

        `winners`: of the game that is over; `draw`: whether the people draw new seats.

        >>> first = Seats(players=("Ann", "Bo"), later=("Cy",), begun=True, settings={"seed": 1})
        >>> second = first.again(["Bo"], draw=False)
        >>> second.players, second.score
        (('Ann', 'Bo', 'Cy'), {'Bo': (1, 1), 'Ann': (0, 1)})
        """
        chance = Random(self.settings.get("seed"))
        settings = {**self.settings, "seed": chance.getrandbits(62)}
        people = [name for name in (*self.players, *self.later) if name not in self.robots]
        if draw:
            chance.shuffle(people)
        won = {name: name in winners for name in self.players}
        return replace(
            self,
            players=(*people, *self.robots),
            later=(),
            begun=False,
            finished=(*self.finished, won),
            settings=settings,
        )

    def watch(self, code: object, *, promised: bool) -> tuple[Seats, str]:
        """Register a device that watches, and return its token.

        Raises GameError for a wrong code, or without the promise of silence.

        >>> seats = Seats()
        >>> seats.watch(seats.watching, promised=True)[0].watchers
        1
        """
        if not self.watching or not same_code(code, self.watching):
            raise GameError(Sentence("wrong-code"))
        if not promised:
            raise GameError(Sentence("promise-first"))
        if self.watchers >= MOST_WATCHERS:
            raise GameError(Sentence("too-many-watch", n=MOST_WATCHERS))
        return self._with(Device("", None, watches=True))

    def admitting(self, *, allowed: bool) -> Seats:
        """Remove all devices that watch, and change the code; `allowed`: whether others may come."""
        devices = tuple(device for device in self.devices if not device.watches)
        return replace(self, devices=devices, watching=new_code(10) if allowed else "")

    def join_master(self) -> tuple[Seats, str]:
        """Register a new device of the game master, and return its token.

        If there are too many, the oldest is removed.
        """
        gone = [d for d in self.devices if d.is_master][: 1 - MOST_DEVICES]
        kept = tuple(d for d in self.devices if d not in gone)
        return replace(self, devices=kept)._with(Device("", None))

    def without(self, name: str) -> Seats:
        """Free the seat of a player by removing the device, and before the game also the player."""
        check_known(name, (*self.players, *self.later), kind="player")
        devices = tuple(d for d in self.devices if d.seat != name)
        players = tuple(n for n in self.players if n != name or self.begun)
        later = tuple(n for n in self.later if n != name)
        robots = tuple(n for n in self.robots if n != name)
        return replace(self, devices=devices, players=players, later=later, robots=robots)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-able values."""
        return {"format": FORMAT, "version": VERSION, **asdict(self)}

    @staticmethod
    def from_dict(data: Any) -> Seats:
        """Return the seats written by `to_dict`; raise FormatError for anything else."""
        try:
            if data["format"] != FORMAT or data["version"] != VERSION:
                raise ValueError(f"it is not a {FORMAT} file of version {VERSION}")
            seats: Seats = from_data(Seats, {name: data[name] for name in types_of(Seats)})
        except (TypeError, ValueError, KeyError, GameError) as error:
            raise FormatError(f"the seats cannot be read: {error}") from None
        return seats


class SeatTaken(GameError):
    """Another device has the seat already."""

    def __init__(self, name: str, *, begun: bool) -> None:
        super().__init__(Sentence("seat-taken", player=name, begun=begun))


def _check(token: str) -> str:
    """Return the stored form of a token; tokens are random and long, so no salt is needed."""
    return hashlib.sha256(token.encode()).hexdigest()


class SeatsFile:
    """The seats on disk, readable only by their owner, in the folder of an evening.

    The games of the evening are logs beside them, `game-1.jsonl` and so on. Raises GameError if another
    program hosts the evening, FormatError for an invalid file.
    """

    def __init__(self, folder: Path) -> None:
        if folder.is_file():
            said = f"{str(folder)!r} is a file; an evening is a folder of games"
            raise GameError(f"{said}: put a log that is to go on into one, as {_FIRST}")
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / "seats.json"
        problem = f"{str(folder)!r} is being hosted by another program; close that one first"
        self._lock = locked(self.path, problem)
        try:
            self.seats: Seats | None = self._read()
        except BaseException:
            self.close()
            raise

    @property
    def log(self) -> Path:
        """The log of the game that is played or begins next; without seats, of the latest game here."""
        if self.seats is not None:
            return self._log(len(self.seats.finished) + 1)
        return self._log(next(number for number in count(1) if not self._log(number + 1).exists()))

    def _log(self, number: int) -> Path:
        return self.folder / _FIRST.replace("1", str(number))

    def _read(self) -> Seats | None:
        try:
            return Seats.from_dict(parse_json(read_text(self.path), "the seats"))
        except FileNotFoundError:
            return None
        except FormatError as error:
            raise FormatError(f"{self.path}: {error}; delete the file to start again") from None

    def write(self, seats: Seats) -> None:
        """Write these seats to disk; if that fails, nothing has changed."""
        if seats == self.seats:
            return
        data = json.dumps(seats.to_dict(), ensure_ascii=False, indent=1).encode()
        replace_file(self.path, data, secret=True)
        self.seats = seats

    def settings_to_begin(self, given: Mapping[str, Any], *, exists: bool) -> Mapping[str, Any]:
        """Return the settings of the game to begin: those given now, or those with which players wait.

        `exists`: whether there is its log, which has its own. Raises GameError if the log of a game that has
        begun is gone.
        """
        waiting = self.seats
        if exists:
            return waiting.settings if waiting is not None else {}
        if waiting is not None and waiting.begun:
            gone = f"the log {str(self.log)!r} of the game that was hosted here is gone"
            raise GameError(f"{gone}; put it back, or delete {str(self.path)!r} to start again")
        if waiting is not None and not given.keys() - {"engine"}:
            return waiting.settings
        return {"engine": "auto", **given, "seed": new_seed(given.get("seed"))}

    def close(self) -> None:
        """Unlock the evening for other programs; a folder in which nothing was kept goes."""
        unlock(self._lock)
        with suppress(OSError):
            self.folder.rmdir()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
