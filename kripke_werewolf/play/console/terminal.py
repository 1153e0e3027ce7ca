"""The terminals of the console, with completion or plain lines; and tables on a small screen."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import zip_longest
from math import ceil
from typing import BinaryIO, Literal, Protocol, TypeAlias

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.base.reports.tables import Grid, cell_width
from kripke_werewolf.base.wording import ENGLISH, Sentence, in_language
from kripke_werewolf.games.werewolf import Table
from kripke_werewolf.play.tabletop.views import aligned_percentages

Style: TypeAlias = Literal["plain", "title", "private", "refused"]
"""The kinds of lines that a terminal shows in different colours."""

Words: TypeAlias = Sequence[str]
"""The words and names that can be completed while a line is typed."""

_COLOURS: dict[Style, str] = {"title": "1", "private": "1;36", "refused": "31"}
_WIDE = r"\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff01-\uff60"
_PIECE = re.compile(
    rf" *[「『（]*(?:[{_WIDE}]|[^ {_WIDE}]+)[、。，．：；！？・」』）ーっゃゅょァィゥェォッャュョ]*"
)
"""What is never split at the end of a line: a word, or a wide character and what cannot begin a line."""
_PAUSE = 0.05
"""The seconds without a key before a new screen for the same people."""


class TimeUp(Exception):
    """The time limit of a line has passed."""


class Terminal(Protocol):
    """The screen and the keyboard of a console."""

    @property
    def size(self) -> tuple[int, int] | None:
        """The columns and lines of the screen; None if nothing is ever scrolled away."""

    def show(self, text: str, style: Style = "plain") -> None:
        """Print lines."""

    def clear(self, *, hands: bool = False) -> None:
        """Clear the screen and discard keys typed ahead: the next screen is for others.

        `hands`: the device changes hands; keys are discarded until none is held down any more.
        """

    def ask(self, prompt: str, first: Words = (), names: Words = (), *, until: float | None = None) -> str:
        """Read a line; `first` and `names` complete words.

        Raises EOFError at the end, and TimeUp when `time.time` reaches `until`.
        """


class PlainTerminal:
    """Lines from a file or pipe; every line read is printed after its prompt, as a transcript.

    `line` is the number of the last line read. Raises FormatError for bytes that are not UTF-8.
    """

    def __init__(self, source: BinaryIO | None = None) -> None:
        self.source = sys.stdin.buffer if source is None else source
        self.line = 0

    size = None

    def show(self, text: str, style: Style = "plain") -> None:
        """Print lines."""
        print(text, flush=True)

    def clear(self, *, hands: bool = False) -> None:
        """Do nothing: a file keeps its output."""

    def ask(self, prompt: str, first: Words = (), names: Words = (), *, until: float | None = None) -> str:
        """Read the next line; files have no time limits."""
        raw = self.source.readline()
        if not raw:
            raise EOFError
        self.line += 1
        try:
            text = raw.decode("utf-8-sig").strip()
        except UnicodeDecodeError as error:
            raise FormatError(f"line {self.line}: not valid UTF-8: {error.reason}") from None
        self.show(f"{prompt}{text}")
        return text


class PromptTerminal:
    """A terminal with completion of commands and names, and no history of other players' input.

    `quiet`: the seconds without a key before the device changes hands; longer than the repetition of a held
    key.
    """

    def __init__(self, *, quiet: float = 0.6) -> None:
        self.quiet = quiet

    @property
    def size(self) -> tuple[int, int]:
        """The columns and lines of the screen."""
        found = shutil.get_terminal_size()
        return max(20, found.columns), max(8, found.lines)

    def show(self, text: str, style: Style = "plain") -> None:
        """Print lines, long ones wrapped; in colour unless NO_COLOR is set."""
        for line in wrapped_string(text, self.size[0]):
            colour = "" if os.environ.get("NO_COLOR") else _COLOURS.get(style, "")
            print(f"\x1b[{colour}m{line}\x1b[0m" if colour and line else line, flush=True)

    def clear(self, *, hands: bool = False) -> None:
        """Clear the screen and its scrollback, and discard keys typed ahead."""
        from prompt_toolkit.shortcuts import clear

        clear()
        sys.stdout.write("\x1b[3J")
        sys.stdout.flush()
        _forget_keys(self.quiet if hands else _PAUSE)

    def ask(self, prompt: str, first: Words = (), names: Words = (), *, until: float | None = None) -> str:
        """Read a line with completion by the tab key; no space is reserved for a menu.

        The time left, if limited, is shown at the end of the line.
        """
        from prompt_toolkit import PromptSession
        from prompt_toolkit.application import get_app
        from prompt_toolkit.completion import WordCompleter
        from prompt_toolkit.shortcuts import CompleteStyle

        session: PromptSession[str] = PromptSession(
            completer=WordCompleter([*first, *names], ignore_case=True, WORD=True),
            complete_style=CompleteStyle.READLINE_LIKE,
            complete_while_typing=False,
            reserve_space_for_menu=0,
        )
        if until is None:
            return session.prompt(prompt).strip()

        async def end() -> None:
            while time.time() < until:  # in small steps, since the machine may sleep
                await asyncio.sleep(min(1.0, max(0.0, until - time.time())))
            get_app().exit(exception=TimeUp())

        def begin() -> None:
            get_app().create_background_task(end())

        return session.prompt(
            prompt, rprompt=lambda: clock_text(until - time.time()), refresh_interval=1, pre_run=begin
        ).strip()


@contextmanager
def leaving_when_ended() -> Iterator[None]:
    """Raise SystemExit when the program is ended by a signal, so that the screen is cleared on the way.

    Python ignores an exception in a finalizer, so it is raised again each second until the block is left.
    """

    def stop(number: int, _: object) -> None:
        if sys.platform != "win32":
            signal.signal(signal.SIGALRM, lambda *_: stop(number, None))
            signal.setitimer(signal.ITIMER_REAL, 1)
        raise SystemExit(128 + number)

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), stop)
    try:
        yield
    finally:
        if sys.platform != "win32":
            signal.setitimer(signal.ITIMER_REAL, 0)


def clock_text(seconds: float) -> str:
    """Return the time left in minutes and seconds.

    >>> clock_text(119.2), clock_text(-3)
    ('2:00', '0:00')
    """
    whole = max(0, ceil(seconds))
    return f"{whole // 60}:{whole % 60:02}"


def wrapped_string(text: str, width: int) -> list[str]:
    """Wrap a string for a screen of this width, breaking lines between words.

    Japanese characters are two columns wide. A line may end after any of them, but begins with no full stop.

    >>> wrapped_string("Alive: Ann, Bo, Cy.", 12), wrapped_string("夜が明けました。", 14)
    (['Alive: Ann,', 'Bo, Cy.'], ['夜が明けまし', 'た。'])
    """
    found = list[str]()
    for line in text.split("\n"):
        found.append("")
        for piece in _PIECE.findall(line):
            if found[-1] and cell_width(found[-1] + piece) > width:
                found.append(piece.lstrip(" "))
            else:
                found[-1] += piece
    return found


def _forget_keys(quiet: float) -> None:
    """Discard typed keys until none comes for `quiet` seconds."""
    from prompt_toolkit.application import get_app_session
    from prompt_toolkit.input.typeahead import clear_typeahead

    clear_typeahead(get_app_session().input)
    if sys.platform == "win32":
        import msvcrt

        last = time.monotonic()
        while time.monotonic() - last < quiet:
            while msvcrt.kbhit():
                msvcrt.getwch()
                last = time.monotonic()
            time.sleep(0.02)
    else:
        import select
        import termios
        import tty

        before = termios.tcgetattr(sys.stdin)
        tty.setcbreak(sys.stdin, termios.TCSANOW)  # keys are read as they come, and not shown
        try:
            while select.select([sys.stdin], [], [], quiet)[0]:
                if not os.read(sys.stdin.fileno(), 1024):
                    break
        finally:
            termios.tcsetattr(sys.stdin, termios.TCSAFLUSH, before)


_BETWEEN = " | "
"""The separator of two blocks of rows."""


def table_text(table: Table, size: tuple[int, int] | None = None, *, language: str = ENGLISH) -> str:
    """Return a public table with aligned percentages, in two blocks if the screen needs them.

    `size`: the columns and lines of the screen; None for no limit.

    >>> from kripke_werewolf import QuantumWerewolf, preset
    >>> rules = preset("cisra", show_worlds=True)
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], rules=rules, wolves=1).end_phase()
    >>> game = game.vote_off("Cy", role="villager").attack("Ann", "Bo").end_phase()
    >>> print(table_text(game.table(public=True), (64, 4)))
    number    good   evil    dead | number    good   evil    dead
    1        66.7%  33.3%    0%   | 3       100%     0%    100%
    2        66.7%  33.3%   33.3% | 4        66.7%  33.3%    0%
    left: 6 worlds
    """
    grid = _aligned(table.grid("percent"), language)
    after = list(filter(None, [grid.note]))
    if table.worlds is not None:
        after.append(in_language(Sentence("left", n=table.worlds), language))
    return "\n".join([*blocks(grid, size, less=len(after)), *after])


def _aligned(grid: Grid, language: str) -> Grid:
    """Return a table of percentages in a language, with aligned decimals; 0% and 100% are exact."""
    columns = [list(column) for column in zip(*grid.rows, strict=True)]
    for place, column in enumerate(columns[1:], start=1):
        aligned, blanks = aligned_percentages(column), dict[str, str]()
        if any("." in cell for cell in aligned):
            blanks = {"0%": "  ", "100%": "  "}
        columns[place] = [in_language(cell, language) + blanks.get(cell, "") for cell in aligned]
    return replace(in_language(grid, language), rows=tuple(zip(*columns, strict=True)))


def blocks(grid: Grid, size: tuple[int, int] | None, *, less: int = 0) -> list[str]:
    """Return the lines of a table, in two blocks of rows side by side if it is too long and they fit.

    `less`: the number of lines needed for other things.
    """
    lines = replace(grid, note="").to_text().split("\n")
    if size is None or len(lines) + less <= size[1]:
        return lines
    head, *rows = lines
    half, width = ceil(len(rows) / 2), max(map(cell_width, lines))
    if 2 * width + len(_BETWEEN) > size[0]:
        return lines
    pairs = zip_longest([head, *rows[:half]], [head, *rows[half:]], fillvalue="")
    return [f"{one}{' ' * (width - cell_width(one))}{_BETWEEN}{other}".rstrip() for one, other in pairs]
