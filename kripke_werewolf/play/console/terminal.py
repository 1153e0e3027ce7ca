"""The terminals of the console, with completion or plain lines; and tables on a small screen."""

from __future__ import annotations

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
from kripke_werewolf.base.wording import ENGLISH, in_language
from kripke_werewolf.logic.english.sentence_parser import completions
from kripke_werewolf.logic.english.vocabulary import Vocabulary
from kripke_werewolf.play.tabletop.views import View

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

    def ask(self, prompt: str, words: Words = (), about: Vocabulary | None = None) -> str:
        """Read a line, of which these words can be completed, and questions `about` some names.

        Raises EOFError at the end.
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

    def ask(self, prompt: str, words: Words = (), about: Vocabulary | None = None) -> str:
        """Read the next line."""
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

    def ask(self, prompt: str, words: Words = (), about: Vocabulary | None = None) -> str:
        """Read a line with completion by the tab key; no space is reserved for a menu."""
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import DynamicCompleter, WordCompleter
        from prompt_toolkit.shortcuts import CompleteStyle

        def offered() -> WordCompleter:
            begun = session.default_buffer.document.text_before_cursor
            more = completions(begun, about) if about and " " in begun else ()
            return WordCompleter([*words, *more], ignore_case=True, WORD=True)

        session: PromptSession[str] = PromptSession(
            completer=DynamicCompleter(offered),
            complete_style=CompleteStyle.READLINE_LIKE,
            complete_while_typing=False,
            reserve_space_for_menu=0,
        )
        return session.prompt(prompt).strip()


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


def grid_of(view: View, language: str = ENGLISH) -> Grid:
    """Return a table of a view, in a language."""
    rows = tuple(map(tuple, view["rows"]))
    return in_language(Grid(tuple(view["header"]), rows, view.get("note", "")), language)


def table_text(view: View, size: tuple[int, int] | None = None, *, language: str = ENGLISH) -> str:
    """Return the public table of a view, in two blocks if the screen needs them.

    `size`: the columns and lines of the screen; None for no limit.

    >>> from kripke_werewolf import QuantumWerewolf, preset
    >>> from kripke_werewolf.play.tabletop.views import table_view
    >>> rules = preset("cisra", show_worlds=True)
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], rules=rules, wolves=1).end_phase()
    >>> game = game.vote_off("Cy", role="villager").attack("Ann", "Bo").end_phase()
    >>> print(table_text(table_view(game.table(public=True)), (64, 4)))
    number    good   evil    dead | number    good   evil    dead
    1        66.7%  33.3%    0%   | 3       100%     0%    100%
    2        66.7%  33.3%   33.3% | 4        66.7%  33.3%    0%
    left: 6 worlds
    """
    grid, after = grid_of(view, language), [view[key] for key in ("note", "left") if key in view]
    decimals = [any("." in cell for cell in column) for column in zip(*view["rows"], strict=True)]
    rows = [list(row) for row in grid.rows]
    for row, plain in zip(rows, view["rows"], strict=True):
        for place, cell in enumerate(plain[1:], start=1):
            if decimals[place] and cell in ("0%", "100%"):  # where the others have a point and a digit
                row[place] += "  "
    lines = blocks(replace(grid, rows=tuple(map(tuple, rows))), size, less=len(after))
    return "\n".join([*lines, *in_language(after, language)])


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
