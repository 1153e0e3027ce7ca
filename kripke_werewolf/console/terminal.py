"""The terminals of the console: one with completion, or plain lines."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, BinaryIO, Protocol

from kripke_werewolf.errors import FormatError

if TYPE_CHECKING:
    from prompt_toolkit.completion import Completer


class Terminal(Protocol):
    """The screen and the keyboard of a console."""

    def show(self, text: str) -> None:
        """Print lines."""

    def clear(self) -> None:
        """Remove everything that was shown, and forget keys typed ahead: the next screen is for others."""

    def ask(self, prompt: str, first: Sequence[str] = (), names: Sequence[str] = ()) -> str:
        """Read a line; `first` may complete its beginning, `names` any word. Raises EOFError at the end."""


class PlainTerminal:
    """Lines from a file or pipe; every line read is printed after its prompt, as a transcript.

    `line` is the number of the last line read. Raises FormatError for bytes that are not UTF-8.
    """

    def __init__(self, source: BinaryIO | None = None) -> None:
        self.source = sys.stdin.buffer if source is None else source
        self.line = 0

    def show(self, text: str) -> None:
        """Print lines."""
        print(text, flush=True)

    def clear(self) -> None:
        """Do nothing: a file keeps what was written."""

    def ask(self, prompt: str, first: Sequence[str] = (), names: Sequence[str] = ()) -> str:
        """Read the next line."""
        raw = self.source.readline()
        if not raw:
            raise EOFError
        self.line += 1
        try:
            text = raw.decode("utf-8-sig").strip()
        except UnicodeDecodeError as error:
            raise FormatError(f"line {self.line}: not a text in UTF-8: {error.reason}") from None
        self.show(f"{prompt}{text}")
        return text


class PromptTerminal:
    """A terminal: completion of commands and names while typing, no history of other players' input."""

    def show(self, text: str) -> None:
        """Print lines, long ones broken between words."""
        width = max(20, shutil.get_terminal_size().columns)
        for line in text.split("\n"):
            print(
                textwrap.fill(line, width, break_long_words=False) if len(line) > width else line, flush=True
            )

    def clear(self) -> None:
        """Empty the screen and its scrollback, and forget keys typed ahead."""
        from prompt_toolkit.shortcuts import clear

        clear()
        sys.stdout.write("\x1b[3J")
        sys.stdout.flush()
        _forget_keys()

    def ask(self, prompt: str, first: Sequence[str] = (), names: Sequence[str] = ()) -> str:
        """Read a line with completion."""
        from prompt_toolkit import PromptSession

        session: PromptSession[str] = PromptSession(completer=_completer(first, names))
        return session.prompt(prompt).strip()


def _forget_keys() -> None:
    """Drop the keys that were typed before they were asked for."""
    from prompt_toolkit.application import get_app_session
    from prompt_toolkit.input.typeahead import clear_typeahead

    clear_typeahead(get_app_session().input)
    if sys.platform == "win32":
        import msvcrt

        while msvcrt.kbhit():
            msvcrt.getwch()
    else:
        import termios

        termios.tcflush(sys.stdin, termios.TCIFLUSH)


def completions(text: str, first: Iterable[str], names: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Yield the completions of a string, and how many of its last characters each replaces.

    `first` completes the beginning of the string, `names` (which may have blanks) any word after it; the
    beginning too if there is no `first`.

    >>> list(completions("vision mary", ["vision", "vote"], ["Ann", "Mary Ann"]))
    [('Mary Ann', 4)]
    >>> list(completions("vi", ["vision", "vote"], ["Ann"]))
    [('vision', 2)]
    """
    candidates = [(word, 0) for word in first]
    starts = [place + 1 for place, c in enumerate(text) if c == " "]
    if not candidates:
        starts.insert(0, 0)
    candidates += [(name, start) for name in names for start in starts]
    found = set()
    for candidate, start in candidates:
        typed = text[start:]
        whole = typed.casefold() == candidate.casefold()
        if candidate.casefold().startswith(typed.casefold()) and not whole and candidate not in found:
            found.add(candidate)
            yield candidate, len(typed)


def _completer(first: Sequence[str], names: Sequence[str]) -> Completer:
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document

    class NamesAndCommands(Completer):
        def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
            for text, length in completions(document.text_before_cursor, first, names):
                yield Completion(text, start_position=-length)

    return NamesAndCommands()
