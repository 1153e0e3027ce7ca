"""The log of a game: lines of JSON; a step counts once it is on disk.

The first line is a header with the setup. Every further line is one step, `{"step": 3, "events": […]}`, the
move and what followed from it, or `{"undo": 2}`, which takes back the last two steps.

`{"chosen": {"actor": "Ann", "action": "attack", "target": "Bo"}}` records a player's choice in a phase whose
actions are resolved together; without a target they decline. `{"withdrawn": {"actor": "Ann", "action":
"attack"}}` withdraws it. Choices are kept until the phase ends or a step is undone.

`{"session": {"ties": "village", "seed": 7}}` gives the house rules from here on that are not the defaults,
and the seed of later draws; the last such line counts.

`{"flow": {…}}` is the state of the evening besides the game: votes, absent players, pauses; the last such
line counts. `{"request": {…}}` is an answered request, so that a repetition gets the same answer. Both are
written and read by the package `tabletop`.

Every line ends with `"check"`: a checksum of the line and of the checksum before it. Reading stops at the
first line that was edited, dropped, added or exchanged. This detects accidents, not forgeries, and not lines
missing at the end.

Nothing is ever overwritten except an incomplete last line. `replay` repeats the moves with their outcomes
forced, so a log of an impossible history is rejected, with the line and the reason. While a log is open for
writing, a file beside it, with the suffix `.lock`, is locked.
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import reduce
from hashlib import sha256
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, Self, TypeAlias

from kripke_werewolf.base.errors import FormatError, GameError, KripkeError
from kripke_werewolf.base.files import being_written, decoded, locked, parse_json, private_opener, unlock
from kripke_werewolf.base.settings import (
    Natural,
    Positive,
    as_data,
    check_fields,
    check_possible,
    fits,
    from_data,
)
from kripke_werewolf.base.usage import Helpful
from kripke_werewolf.games.werewolf.enumerated import Engine
from kripke_werewolf.games.werewolf.events import Event, Step, ends_phase
from kripke_werewolf.games.werewolf.game import QuantumWerewolf
from kripke_werewolf.games.werewolf.roles import Action
from kripke_werewolf.games.werewolf.setup import Setup, read_setup
from kripke_werewolf.games.werewolf.state import public_refusal

if TYPE_CHECKING:
    from filelock import FileLock

FORMAT = "kripke_werewolf game"
VERSION = 3

Ties: TypeAlias = Literal["lot", "village", "nobody"]
Unacted: TypeAlias = Literal["remind", "pass", "random"]
Ballot: TypeAlias = Literal["spoken", "open", "secret"]
Absent: TypeAlias = Literal["wait", "pass", "random"]


class TruncatedLog(UserWarning):
    """The last line of a log was incomplete, and was ignored."""


@dataclass(frozen=True, slots=True)
class HouseRules:
    """Rules chosen by the village. Raises GameError for impossible values.

    >>> HouseRules(missing="pass").ties
    'lot'
    """

    ties: Ties = "lot"
    """How ties are decided: by lot; by the village, which names a player; or nobody is voted off."""
    missing: Unacted = "remind"
    """Whether a phase waits for all compulsory actions, or skips missing ones, or chooses at random."""
    ballot: Ballot = "spoken"
    """Whether the village names the player voted off, or everybody votes, openly or secretly."""
    absent: Absent = "wait"
    """Whether the phase waits for absent players, or skips their actions, or chooses at random."""
    night_seconds: Positive | None = None
    """The time limit of a phase at night; None for no limit."""
    day_seconds: Positive | None = None
    """The time limit of a day; None for no limit."""

    def __post_init__(self) -> None:
        check_fields(self)


Session: TypeAlias = tuple[HouseRules, int]
"""The house rules, and the random seed."""


@dataclass(frozen=True, slots=True)
class PhaseChoice:
    """The choice of a player for the end of the phase: a target, or None to decline."""

    actor: str
    action: Action
    target: str | None = None
    result: str | None = None
    """The forced result of a vision; None to draw it."""

    @property
    def turn(self) -> tuple[str, Action]:
        """The player and the action."""
        return self.actor, self.action


@dataclass(frozen=True, slots=True)
class Recorded:
    """The contents of a log: the setup, and the steps that have not been undone."""

    setup: Setup
    steps: tuple[Step, ...] = ()
    lines: tuple[int, ...] = ()
    """The line number of each step."""
    notice: str | None = None
    """A warning to the reader, for example about an incomplete last line."""
    length: int = 0
    """The number of bytes that are complete lines."""
    choices: tuple[PhaseChoice, ...] = ()
    """The choices for the current phase, in order."""
    session: Session | None = None
    """The house rules and the seed; None if the log has none."""
    flow: Mapping[str, Any] | None = None
    """The state of the evening besides the game; None if the log has none."""
    requests: tuple[Mapping[str, Any], ...] = ()
    """The answered requests, in order."""
    check: str = ""
    """The checksum of the last line; "" before the first one."""


# --- writing lines -------------------------------------------------------------------------------

Line: TypeAlias = dict[str, Any]
"""The fields of a line, without its checksum."""


def game_lines(setup: Setup, steps: tuple[Step, ...]) -> tuple[str, ...]:
    """Return the log of a game without line breaks: the header, then one line per step."""
    lines, _ = _checked([_header(setup), *_steps(steps)], "")
    return tuple(lines)


def _checked(lines: Iterable[Line], check: str) -> tuple[list[str], str]:
    """Return lines as strings, with checksums, and the last checksum; `check` is the one before them."""
    texts = []
    for line in lines:
        check = _checksum(check, line)
        texts.append(_text({**line, "check": check}))
    return texts, check


def _checksum(before: str, line: Line) -> str:
    return sha256(f"{before}\n{_text(line)}".encode()).hexdigest()[:16]


def _text(line: Line) -> str:
    return json.dumps(line, ensure_ascii=False)


def _header(setup: Setup) -> Line:
    return {"format": FORMAT, "version": VERSION, **setup.to_dict()}


def _steps(steps: Iterable[Step], start: int = 1) -> list[Line]:
    return [
        {"step": number, "events": [event.to_dict() for event in events]}
        for number, events in enumerate(steps, start)
    ]


def _session(house: HouseRules, seed: int) -> Line:
    return {"session": {**as_data(house), "seed": seed}}


# --- reading lines -------------------------------------------------------------------------------


def read_log(source: str | os.PathLike[str] | Sequence[str]) -> Recorded:
    """Read a log from a file (given by its path) or from lines, without playing it.

    Raises FormatError with the number of the line for anything that is not a log, and OSError when the file
    cannot be read. An incomplete last line is ignored; `notice` then says so.
    """
    if isinstance(source, (str, os.PathLike)):
        return _read(Path(source).read_bytes(), os.fspath(source))
    return _read("".join(f"{line}\n" for line in source).encode(), "the log")


def _read(content: bytes, name: str) -> Recorded:
    """Read the bytes of a log, which errors call `name`.

    Raises FormatError with the number of the line. An incomplete last line is ignored.
    """
    found: Recorded | None = None
    for number, raw in enumerate(content.splitlines(keepends=True), start=1):
        place = f"{name}, line {number}"
        if not raw.strip():
            continue
        try:
            line = parse_json(decoded(raw, place), place)
        except FormatError:
            half = not raw.endswith((b"\n", b"\r"))  # then it is the last line
            if half and found is not None:
                notice = f"{place} is only half written and was ignored"
                return replace(found, length=len(content) - len(raw), notice=notice)
            if half and b"{" in raw[:4]:
                raise FormatError(
                    f"{place}: the header is only half written, so no game was begun; "
                    "delete the file to start again"
                ) from None
            if found is None:
                _check_other(content, name)
            raise
        try:
            found = _with_line(found, line, number)
        except KripkeError as error:
            raise FormatError(f"{place}: {error}") from error
    if found is None:
        raise FormatError(f"{name} is empty; a log begins with a header")
    return replace(found, length=len(content))


def _with_line(before: Recorded | None, value: object, number: int) -> Recorded:
    """Return the contents of a log after another line; before the header there are none."""
    line = _object(value, "line")
    if before is None:
        return _begun(line)
    check = _verified(line, before.check)
    return replace(_after(before, line, number), check=check)


def _verified(value: Line, before: str) -> str:
    """Remove the checksum from a line and return it; raise FormatError if it is wrong."""
    given, check = value.pop("check", None), _checksum(before, value)
    if given != check:
        found = f"the checksum {given!r}" if given is not None else "no checksum"
        where = "this line or one before it was" if before else "the line was"
        raise FormatError(f"it has {found} where {check!r} is expected: {where} edited, dropped or added")
    return check


def _after(now: Recorded, line: Line, number: int = 0) -> Recorded:
    """Return the contents of a log after a line below the header."""
    match line:
        case {"undo": undone}:
            most = len(now.steps)
            if not fits(undone, Positive) or undone > most:
                raise FormatError(f"cannot undo {undone!r} steps; there are {most}")
            return replace(now, steps=now.steps[:-undone], lines=now.lines[:-undone], choices=())
        case {"session": session}:
            return replace(now, session=_read_session(session))
        case {"flow": flow}:
            return replace(now, flow=_object(flow, "flow"))
        case {"request": request}:
            return replace(now, requests=(*now.requests, _object(request, "request")))
        case {"chosen": given} | {"withdrawn": given}:
            choice: PhaseChoice = from_data(PhaseChoice, _object(given, "choice"), called="a choice")
            check_possible("action", choice.action, [action for action, *_ in now.setup.deck.timed])
            others = tuple(other for other in now.choices if other.turn != choice.turn)
            if "chosen" in line:
                others += (choice,)  # the one that was made last stands last
            elif others == now.choices:
                raise FormatError(f"{choice.actor!r} has chosen no {choice.action} to take back")
            return replace(now, choices=others)
    step = _read_step(line, len(now.steps) + 1)
    choices = () if ends_phase(step) else now.choices
    return replace(now, steps=(*now.steps, step), lines=(*now.lines, number), choices=choices)


def _check_other(content: bytes, name: str) -> None:
    """Raise FormatError for a file that is a single JSON value, and so not a log of several lines."""
    try:
        value = parse_json(decoded(content, name), name)
    except FormatError:
        return
    kind = "JSON data, not the log of a game; a log has one step a line, as play --log writes it"
    if isinstance(value, dict) and "worlds" in value:
        kind = "a model, which `ask`, `draw` and `explore` read, not the log of a game"
    elif isinstance(value, dict) and "handout" in str(value.get("format")):
        kind = "a handout, which `game infer` reads, not the log of a game"
    raise FormatError(f"{name}: {kind}") from None


def _begun(header: Line) -> Recorded:
    """Return the contents of a log that has only its header."""
    if header.get("format") != FORMAT:
        arenas = "`arena report` reads an arena's"
        raise FormatError(f"the header has format {header.get('format')!r}, not {FORMAT!r}; {arenas}")
    check_possible("version", header.get("version"), (VERSION,))
    check = _verified(header, "")
    settings = {name: given for name, given in header.items() if name not in ("format", "version")}
    return Recorded(read_setup(settings), check=check)


def _read_step(value: Line, expected: int) -> Step:
    if value.keys() != {"step", "events"} or not isinstance(value["events"], list) or not value["events"]:
        raise FormatError('a step has the fields "step", its number, and "events", a list that is not empty')
    if value["step"] != expected:
        raise FormatError(f"step {value['step']!r} stands where step {expected} is expected")
    return tuple(Event.from_dict(_object(event, "event")) for event in value["events"])


def _object(value: object, what: str) -> Line:
    if not isinstance(value, dict):
        raise FormatError(f"the {what} {value!r} is not an object")
    return value


def _read_session(value: object) -> Session:
    """Return house rules and seed from fields of JSON; raise KripkeError for others."""
    house = {**_object(value, "session")}
    seed = house.pop("seed", None)
    if not fits(seed, Natural):
        raise FormatError(f"the seed of a session is an integer of at least 0, not {seed!r}")
    return from_data(HouseRules, house, called="a session"), seed


# --- playing what was read -----------------------------------------------------------------------


def replay(
    source: str | os.PathLike[str] | Sequence[str],
    *,
    step: int | None = None,
    engine: Engine = "auto",
    since: QuantumWerewolf | None = None,
) -> QuantumWerewolf:
    """Return the game in a log, or its state after `step` steps.

    `since`: the game as it was read before; only what is new is played.

    Warns with TruncatedLog if the last line was ignored. Raises FormatError, naming the line and the reason,
    for a history that the rules do not allow.

    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1).vision("Ann", "Bo", result="wolf")
    >>> replay(game.log) == game
    True
    """
    recorded = read_log(source)
    if recorded.notice is not None:
        warnings.warn(recorded.notice, TruncatedLog, stacklevel=2)
    if since is None or since.setup != recorded.setup:
        since = QuantumWerewolf.from_setup(recorded.setup, engine=engine)
    name = os.fspath(source) if isinstance(source, (str, os.PathLike)) else "the log"
    game = _played(recorded, since, name)
    return game if step is None else game.at(step)


def shared_start(one: Iterable[object], other: Iterable[object]) -> int:
    """Return the length of the beginning that two sequences, such as steps, have in common."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _played(recorded: Recorded, since: QuantumWerewolf, name: str) -> QuantumWerewolf:
    """Return the game after all steps, most of which may have been played before, by `since`."""
    game = since.at(shared_start(since.steps, recorded.steps))
    first = len(game.steps)
    for number, (events, line) in enumerate(
        zip(recorded.steps[first:], recorded.lines[first:], strict=False), start=first + 1
    ):
        try:
            game = game.repeat(events)
        except KripkeError as error:
            raise FormatError(f"{name}, line {line}: step {number} cannot have happened: {error}") from error
    return game


def _open_choices(recorded: Recorded, game: QuantumWerewolf, name: str) -> tuple[PhaseChoice, ...]:
    """Return the recorded choices not yet carried out; raise FormatError for impossible ones.

    Choices without effect, by players who lack the action, are kept too.
    """
    setup, state, found = game.setup, game.state, []
    for choice in recorded.choices:
        try:
            seat = setup.seat(choice.actor)
            if choice.action not in setup.actions(game.phase):
                raise GameError(f"there is no {choice.action} in {game.phase}")
            if (setup.players[seat], choice.action) in state.acted:
                continue
            target = choice.target
            if target and (reason := public_refusal(setup, state.dead, seat, choice.action, target)):
                raise GameError(reason)
        except KripkeError as error:
            raise FormatError(f"{name}: the {choice.action} of {choice.actor}: {error}") from None
        found.append(choice)
    return tuple(found)


# --- a log that is written -----------------------------------------------------------------------


@dataclass(slots=True, eq=False, repr=False)
class LogFile(metaclass=Helpful):
    """A log open for writing, locked against other writers; use it as a context manager.

    `write(game)` returns when the steps of the game are on disk, and players' choices for the phase. A game
    with fewer or different steps than the file is recorded as an undo and the new steps. `settle` records
    house rules and the seed.
    """

    path: Path
    _file: BinaryIO
    _lock: FileLock
    recorded: Recorded
    """The contents on disk; the choices without those carried out when the log was opened."""
    game: QuantumWerewolf
    """The game as on disk."""

    @classmethod
    def create(
        cls, path: str | os.PathLike[str], game: QuantumWerewolf, *, session: Session | None = None
    ) -> LogFile:
        """Begin a new log with this game, which only the file's owner can read: it has all secrets.

        Raises GameError if the file exists and is not empty.
        """
        path = Path(path)
        exists = GameError(f"{str(path)!r} already exists; open it to continue, or choose another name")
        if path.exists() and (not path.is_file() or path.stat().st_size):
            raise exists
        # an empty file is left by a program killed right here
        file = open(path, "ab", buffering=0, opener=private_opener)  # noqa: SIM115
        path.chmod(0o600)
        with _locking(path, file) as lock:
            if os.fstat(file.fileno()).st_size:  # another program was faster
                raise exists
            recorded = Recorded(game.setup, game.steps, session=session)
            log = cls(path, file, lock, recorded, game)
            settled = () if session is None else (_session(*session),)
            log._append([_header(game.setup), *settled, *_steps(game.steps)])
            _sync_directory(path.parent)
        return log

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, engine: Engine = "auto") -> LogFile:
        """Continue a log; an incomplete last line is removed, and `notice` says so.

        Raises FormatError for a file that is not a log, GameError if another program is writing it.
        """
        path = Path(path)
        file = path.open("r+b", buffering=0)
        with _locking(path, file) as lock:
            content = file.read()
            found = _read(content, str(path))
            game = _played(found, QuantumWerewolf.from_setup(found.setup, engine=engine), str(path))
            found = replace(found, choices=_open_choices(found, game, str(path)))
            file.truncate(found.length)
            file.seek(found.length)
            if not content[: found.length].endswith(b"\n"):
                _write_all(file, b"\n")
        return cls(path, file, lock, found, game)

    def write(
        self,
        game: QuantumWerewolf,
        choices: tuple[PhaseChoice, ...] | None = None,
        *,
        flow: Mapping[str, Any] | None = None,
        requests: tuple[Mapping[str, Any], ...] = (),
    ) -> QuantumWerewolf:
        """Write a game with choices to disk, atomically, and return it; all is on disk then.

        `choices`: by default those that remain after the steps of the game. `flow`: the new state of the
        evening besides the game, None if unchanged. `requests`: those answered with it. Raises GameError if
        it is another game (other players, rules or settings).
        """
        if game.setup != self.game.setup:
            raise GameError(f"{str(self.path)!r} is the log of another game; its players or settings differ")
        kept = shared_start(self.game.steps, game.steps)
        undone = len(self.game.steps) - kept
        lines: list[Line] = [{"undo": undone}] if undone else []
        lines += _steps(game.steps[kept:], kept + 1)
        if choices is not None:
            noted, turns = reduce(_after, lines, self.recorded).choices, {choice.turn for choice in choices}
            gone = (choice for choice in noted if choice.turn not in turns)
            lines += ({"withdrawn": {"actor": one.actor, "action": one.action}} for one in gone)
            left = (choice for choice in noted if choice.turn in turns)
            same = shared_start(left, choices)  # the order is kept, too
            lines += ({"chosen": as_data(choice)} for choice in choices[same:])
        if flow is not None and flow != self.recorded.flow:
            lines.append({"flow": flow})
        lines += ({"request": request} for request in requests)
        if lines:
            self._append(lines)
        self.recorded, self.game = reduce(_after, lines, self.recorded), game
        return game

    def settle(self, house: HouseRules, seed: int) -> None:
        """Record house rules and the seed from here on; they are on disk on return."""
        if self.recorded.session != (house, seed):
            self._append([_session(house, seed)])
            self.recorded = replace(self.recorded, session=(house, seed))

    def _append(self, lines: Iterable[Line]) -> None:
        """Write lines to disk, with checksums."""
        texts, check = _checked(lines, self.recorded.check)
        data = "".join(f"{text}\n" for text in texts).encode()
        end = self._file.tell()
        try:
            _write_all(self._file, data)
            os.fsync(self._file.fileno())
        except OSError as error:  # a full disk: leave no incomplete line
            self._file.truncate(end)
            self._file.seek(end)
            error.filename = str(self.path)
            raise
        self.recorded = replace(self.recorded, check=check)

    def close(self) -> None:
        """Close the file and release the lock."""
        self._file.close()
        unlock(self._lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _write_all(file: BinaryIO, data: bytes) -> None:
    rest = memoryview(data)
    while rest:  # an unbuffered file may take less than all
        rest = rest[file.write(rest) :]


@contextmanager
def _locking(path: Path, file: BinaryIO) -> Iterator[FileLock]:
    """Lock a log against other writers; in case of an error, unlock and close it again.

    Raises GameError if another program holds the lock.
    """
    with ExitStack() as undone:
        undone.callback(file.close)
        lock = locked(path, being_written(path))
        undone.callback(unlock, lock)
        yield lock
        undone.pop_all()


def _sync_directory(path: Path) -> None:
    """Make the name of a new file durable, where directories can be opened."""
    if os.name == "posix":
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
