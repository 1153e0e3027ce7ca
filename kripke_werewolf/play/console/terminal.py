"""The terminals of the console, with completion or plain lines; and tables of views."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
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
        from prompt_toolkit.shortcuts import clear  # if the extra is missing, no game begins

        self.quiet, self._clear = quiet, clear

    def show(self, text: str, style: Style = "plain") -> None:
        """Print lines, long ones wrapped; in colour unless NO_COLOR is set."""
        for line in wrapped_string(text, max(20, shutil.get_terminal_size().columns)):
            colour = "" if os.environ.get("NO_COLOR") else _COLOURS.get(style, "")
            print(f"\x1b[{colour}m{line}\x1b[0m" if colour and line else line, flush=True)

    def clear(self, *, hands: bool = False) -> None:
        """Clear the screen and its scrollback, and discard keys typed ahead."""
        self._clear()
        print("\x1b[3J", end="", flush=True)
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
    from prompt_toolkit.keys import Keys

    typed, last = get_app_session().input, time.monotonic()
    clear_typeahead(typed)
    with typed.raw_mode():  # keys are read as they come, and not shown
        while time.monotonic() - last < quiet:
            time.sleep(0.02)
            if pressed := typed.read_keys() or typed.flush_keys():
                last = time.monotonic()
            if any(one.key == Keys.ControlC for one in pressed):
                raise KeyboardInterrupt


def table_text(view: View, language: str = ENGLISH) -> str:
    """Return a table of a view, with what is said below it, in a language.

    >>> from kripke_werewolf import QuantumWerewolf, preset
    >>> from kripke_werewolf.play.tabletop.views import table_view
    >>> rules = preset("cisra", show_worlds=True)
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], rules=rules, wolves=1).end_phase()
    >>> game = game.vote_off("Cy", role="villager").attack("Ann", "Bo").end_phase()
    >>> print(table_text(table_view(game.table(public=True))))
    number    good   evil    dead
    1        66.7%  33.3%    0%
    2        66.7%  33.3%   33.3%
    3       100%     0%    100%
    4        66.7%  33.3%    0%
    left: 6 worlds
    """
    rows = [list(row) for row in in_language(view["rows"], language)]
    decimals = [any("." in cell for cell in column) for column in zip(*view["rows"], strict=True)]
    for row, plain in zip(rows, view["rows"], strict=True):
        for place, cell in enumerate(plain[1:], start=1):
            if decimals[place] and cell in ("0%", "100%"):  # where the others have a point and a digit
                row[place] += "  "
    grid = Grid(tuple(in_language(view["header"], language)), tuple(map(tuple, rows)))
    below = [view[key] for key in ("note", "left", "since") if key in view]
    return "\n".join([grid.to_text(), *in_language(below, language)])
