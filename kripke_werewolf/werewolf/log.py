"""The log of a game: lines of JSON, of which every step is on disk before it counts.

Nothing is ever overwritten, except a last line that was only half written. `replay` makes the moves
again with their outcomes forced, so a log of an impossible history is refused, with the line and the
reason. The module `log_format` says what the lines mean.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from kripke_werewolf.errors import FormatError, GameError, KripkeError
from kripke_werewolf.werewolf.events import PhaseEnded
from kripke_werewolf.werewolf.game import QuantumWerewolf
from kripke_werewolf.werewolf.house import HouseRules
from kripke_werewolf.werewolf.log_format import (
    Choice,
    Recorded,
    Session,
    choice_line,
    game_lines,
    read_content,
    session_line,
    step_line,
    undo_line,
    withdrawal_line,
)
from kripke_werewolf.werewolf.setting import Engine

try:
    import fcntl
except ImportError:  # no advisory locks on this system
    fcntl = None  # type: ignore[assignment]

__all__ = ["LogFile", "TruncatedLog", "branch", "read_log", "replay"]


class TruncatedLog(UserWarning):
    """The last line of a log was only half written, and was left out."""


def read_log(source: str | os.PathLike[str] | Sequence[str]) -> Recorded:
    """Read a log from a file (given by its path) or from lines, without playing it.

    Raises FormatError with the number of the line for anything that is not a log, and OSError when the
    file cannot be read. A last line that ends in the middle is left out; `notice` then says so.
    """
    if isinstance(source, (str, os.PathLike)):
        return read_content(Path(source).read_bytes(), os.fspath(source))
    return read_content("".join(f"{line}\n" for line in source).encode(), "the log")


def replay(
    source: str | os.PathLike[str] | Sequence[str], *, step: int | None = None, engine: Engine = "auto"
) -> QuantumWerewolf:
    """Return the game a log records, or its state after `step` steps.

    Warns with TruncatedLog if the last line was left out. Raises FormatError, naming the line and the
    reason, for a history that the rules do not allow.

    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1).vision("Ann", "Bo", result="wolf")
    >>> replay(game.log) == game
    True
    """
    recorded = read_log(source)
    if recorded.notice is not None:
        warnings.warn(recorded.notice, TruncatedLog, stacklevel=2)
    return _play(recorded, source, step=step, engine=engine)


def _play(
    recorded: Recorded, source: object, *, step: int | None = None, engine: Engine = "auto"
) -> QuantumWerewolf:
    steps = len(recorded.steps) if step is None else step
    if not 0 <= steps <= len(recorded.steps):
        raise GameError(f"step {step} does not exist; the log has steps 0 to {len(recorded.steps)}")
    game = QuantumWerewolf.from_setup(recorded.setup, engine=engine)
    name = os.fspath(source) if isinstance(source, (str, os.PathLike)) else "the log"
    for number, (events, line) in enumerate(
        zip(recorded.steps[:steps], recorded.lines, strict=False), start=1
    ):
        try:
            game = game.repeat(events)
        except KripkeError as error:
            raise FormatError(f"{name}, line {line}: step {number} cannot have happened: {error}") from error
    return game


def _open_choices(recorded: Recorded, game: QuantumWerewolf, path: Path) -> tuple[Choice, ...]:
    """Return the noted choices that are still to be worked off; raise FormatError for impossible ones."""
    found = []
    for choice, line in recorded.choices:
        try:
            if choice.action in game.may_act.get(game.players[game.setup.seat(choice.actor)], ()):
                found.append(choice)
                reason = game.refusal(choice.actor, choice.action, target=choice.target)
            else:
                acted = choice.action in game.setup.actions(game.phase)
                reason = None if acted else f"there is no {choice.action} in {game.phase}"
        except KripkeError as error:
            reason = str(error)
        if reason is not None:
            raise FormatError(f"{path}, line {line}: the {choice.action} of {choice.actor}: {reason}")
    return tuple(found)


def branch(
    source: str | os.PathLike[str], target: str | os.PathLike[str], *, step: int, engine: Engine = "auto"
) -> QuantumWerewolf:
    """Begin a new log with the first steps of another, and return the game there.

    It goes on with the house rules and the seed of the other. Raises GameError if the target exists already.
    """
    game = replay(source, step=step, engine=engine)
    with LogFile.create(target, game, session=read_log(source).session):
        return game


class LogFile:
    """A log open for writing, locked against other writers; use it as a context manager.

    `write(game)` returns when the steps of the game are on disk. A game with fewer or other steps than
    the file is recorded as an undo and the new steps. `choose` notes what a player will do when his
    phase is worked off, `settle` house rules and the seed.
    """

    __slots__ = ("_file", "choices", "game", "notice", "path", "session")

    game: QuantumWerewolf
    """The game as it is on disk."""
    choices: tuple[Choice, ...]
    """What players have chosen for the phase that has not ended, the last choice last."""
    notice: str | None
    """What was found when the log was opened, such as a half-written last line."""
    session: Session | None
    """The house rules and the seed the log keeps; None if it keeps none."""

    def __init__(
        self,
        path: Path,
        file: BinaryIO,
        game: QuantumWerewolf,
        notice: str | None,
        choices: tuple[Choice, ...] = (),
        session: Session | None = None,
    ) -> None:
        self.path, self._file, self.game, self.notice = path, file, game, notice
        self.choices, self.session = choices, session

    @classmethod
    def create(
        cls, path: str | os.PathLike[str], game: QuantumWerewolf, *, session: Session | None = None
    ) -> LogFile:
        """Begin a new log with this game. Raises GameError if the file exists and is not empty."""
        path = Path(path)
        try:
            # an empty file is left by a program killed right here
            empty = path.is_file() and not path.stat().st_size
            file = path.open("r+b" if empty else "xb", buffering=0)
        except FileExistsError:
            raise _exists(path) from None
        _lock(file, path)
        if os.fstat(file.fileno()).st_size:  # somebody else was faster
            file.close()
            raise _exists(path)
        log = cls(path, file, game, None, session=session)
        log._append(game_lines(game.setup, game.steps, session=session))
        _sync_directory(path.parent)
        return log

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, engine: Engine = "auto") -> LogFile:
        """Go on with a log; a half-written last line is removed, and `notice` says so.

        Raises FormatError for a file that is no log, GameError if another program is writing it.
        """
        path = Path(path)
        file = path.open("r+b", buffering=0)
        try:
            _lock(file, path)
            content = file.read()
            recorded = read_content(content, str(path))
            game = _play(recorded, path, engine=engine)
            choices = _open_choices(recorded, game, path)
            file.truncate(recorded.length)
            file.seek(recorded.length)
            if not content[: recorded.length].endswith(b"\n"):
                _write_all(file, b"\n")
        except BaseException:
            file.close()
            raise
        return cls(path, file, game, recorded.notice, choices, recorded.session)

    def write(self, game: QuantumWerewolf) -> QuantumWerewolf:
        """Bring the file up to this game, and return it when it is safe on disk.

        Raises GameError if it is another game (other players, rules or settings).
        """
        if game.setup != self.game.setup:
            raise GameError(f"{str(self.path)!r} is the log of another game; its players or settings differ")
        kept = 0
        for old, new in zip(self.game.steps, game.steps, strict=False):
            if old != new:
                break
            kept += 1
        undone = len(self.game.steps) - kept
        lines = [undo_line(undone)] if undone else []
        lines += [step_line(i, events) for i, events in enumerate(game.steps[kept:], start=kept + 1)]
        ended = any(isinstance(event, PhaseEnded) for step in game.steps[kept:] for event in step)
        self._append(lines)
        self.game = game
        if undone or ended:
            self.choices = ()
        return game

    def settle(self, house: HouseRules, seed: int) -> None:
        """Keep house rules and the seed from here on; they are on disk on return."""
        if self.session != (house, seed):
            self._append([session_line(house, seed)])
            self.session = house, seed

    def choose(self, choice: Choice) -> None:
        """Note a choice, in place of an earlier one for the same action; it is on disk on return."""
        self._append([choice_line(choice)])
        self.choices = (*self._others(choice), choice)

    def withdraw(self, choice: Choice) -> None:
        """Take back a choice."""
        self._append([withdrawal_line(choice)])
        self.choices = self._others(choice)

    def _others(self, choice: Choice) -> tuple[Choice, ...]:
        same = choice.actor, choice.action
        return tuple(c for c in self.choices if (c.actor, c.action) != same)

    def undo(self) -> QuantumWerewolf:
        """Take back the last step, on disk too."""
        return self.write(self.game.undo())

    def _append(self, lines: Iterable[str]) -> None:
        data = "".join(f"{line}\n" for line in lines).encode()
        end = self._file.tell()
        try:
            _write_all(self._file, data)
            os.fsync(self._file.fileno())
        except OSError:  # a full disk: leave no half line for the next write to continue
            self._file.truncate(end)
            self._file.seek(end)
            raise

    def close(self) -> None:
        """Close the file and give up the lock."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _exists(path: Path) -> GameError:
    return GameError(f"{str(path)!r} exists already; open it to go on, or choose another name")


def _write_all(file: BinaryIO, data: bytes) -> None:
    rest = memoryview(data)
    while rest:  # an unbuffered file may take less than all
        rest = rest[file.write(rest) :]


def _lock(file: BinaryIO, path: Path) -> None:
    if fcntl is None:
        return
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise GameError(f"{str(path)!r} is being written by another program; close that one first") from None


def _sync_directory(path: Path) -> None:
    """Make a new file's name as durable as its content, where directories can be opened."""
    if os.name == "posix":
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
