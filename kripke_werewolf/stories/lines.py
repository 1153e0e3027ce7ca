"""A text of statements `word arguments "label": content`, cut up, with the place of everything.

A statement begins on a line of its own; lines that are indented more go on with it. `#` begins a
comment. Blank lines say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NoReturn

from kripke_werewolf.errors import FormatError, FormulaSyntaxError, KripkeError, UnknownNameError, near_misses
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.parser import parse

__all__ = ["Part", "Statement", "Text"]

_COMMENT = re.compile(r'"[^"\n]*"|(?:(?<=\s)|^)#[^\n]*', re.MULTILINE)
_HEAD = re.compile(r'(\w+)([^":\n]*?)\s*("[^"\n]*")?[ \t]*(:|$)', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a text: its characters, and where in the whole text they begin."""

    text: str
    start: int


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement: its word, arguments, label and content."""

    word: Part
    arguments: Part
    label: str
    content: Part


class Text:
    """A whole text, from the file `source`; comments are blanked out so that places stay."""

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self.text = _COMMENT.sub(
            lambda m: m[0] if m[0].startswith('"') else " " * len(m[0]), text.expandtabs(4)
        )

    def line(self, place: int) -> int:
        """Return the number of the line that a place is in."""
        return self.text.count("\n", 0, place) + 1

    def fail(self, place: int, message: str) -> NoReturn:
        """Raise a FormatError that names line and column and shows them."""
        start = self.text.rfind("\n", 0, place) + 1
        line = self.text[start:].split("\n", 1)[0].rstrip()
        column = place - start
        where = f"{self.source}, line {self.line(place)}, column {column + 1}"
        raise FormatError(f"{where}: {message}\n  {line}\n  {' ' * column}^") from None

    def statements(self, within: Part | None = None) -> Iterator[Statement]:
        """Yield the statements of the text, or of a part of it that begins with a line."""
        part = within or Part(self.text, 0)
        lines = [(part.start + m.start(), m[0]) for m in re.finditer(r"[^\n]+", part.text) if m[0].strip()]
        if not lines:
            return
        least = min(len(line) - len(line.lstrip()) for _, line in lines)
        starts = [at for at, line in lines if len(line) - len(line.lstrip()) == least]
        if lines[0][0] != starts[0]:
            self.fail(lines[0][0], "this line is indented but goes on with nothing")
        ends = [*starts[1:], part.start + len(part.text)]
        for start, end in zip(starts, ends, strict=True):
            yield self._statement(start + least, end)

    def _statement(self, start: int, end: int) -> Statement:
        found = _HEAD.match(self.text, start, end)
        if found is None:
            self.fail(start, 'expected a statement: a word, perhaps names and a "label", a colon')
        if not found[4]:
            place = found.end(3) if found[3] else found.end(2)
            self.fail(place, f"expected ':' after {found[0].strip()!r}")
        return Statement(
            Part(found[1], start),
            Part(found[2], found.start(2)),
            (found[3] or "")[1:-1],
            self.stripped(found.end(), end),
        )

    def stripped(self, start: int, end: int) -> Part:
        """Return a part of the text without the blanks around it."""
        text = self.text[start:end]
        return Part(text.strip(), start + len(text) - len(text.lstrip()) if text.strip() else start)

    def split(self, part: Part, at: str = ",") -> list[Part]:
        """Return the pieces of a part between separators that are outside all brackets and quotes.

        An empty part has no pieces. An empty piece is an error.
        """
        if not part.text:
            return []
        pieces, depth, begin, quoted = [], 0, 0, False
        for i, c in enumerate([*part.text, at]):
            if c == '"':
                quoted = not quoted
            depth += (c in "([{") - (c in ")]}") if not quoted else 0
            if i == len(part.text) or (c == at and depth <= 0 and not quoted):
                piece = self.stripped(part.start + begin, part.start + i)
                if not piece.text:
                    side = "before" if i < len(part.text) else "after"
                    self.fail(part.start + i, f"expected something {side} {at!r}")
                pieces.append(piece)
                begin = i + 1
        return pieces

    def names(self, part: Part) -> list[Part]:
        """Return the names in a part, between commas; braces and quotes around a name are taken off."""
        found = []
        for piece in self.split(part):
            name = re.fullmatch(r'\{(.+)\}|"(.+)"|([^\s{}"]+)', piece.text)
            if name is None:
                self.fail(piece.start, f"expected a name, got {piece.text!r}; names with blanks go in braces")
            found.append(Part(name[1] or name[2] or name[3], piece.start))
        return found

    def cells(self, part: Part) -> list[list[Part]]:
        """Return cells of names: blanks between names, commas between cells."""
        found = []
        for cell in self.split(part):
            names, at = [], 0
            for word in cell.text.split():
                at = cell.text.index(word, at)
                names.append(Part(word, cell.start + at))
                at += len(word)
            found.append(names)
        return found

    def known(self, part: Part, names: Iterable[str], kind: str) -> str:
        """Return the name in a part if it is known; otherwise fail there."""
        names = list(names)
        if part.text not in names:
            self.fail(part.start, str(UnknownNameError(part.text, names, kind=kind)))
        return part.text

    def word(self, part: Part, words: Iterable[str], what: str) -> str:
        """Return the word in a part if it is one of those allowed; otherwise fail there."""
        words = list(words)
        if part.text not in words:
            near = near_misses(part.text, words)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            self.fail(
                part.start, f"expected {what} ({', '.join(words)}), got {part.text or 'nothing'!r}{hint}"
            )
        return part.text

    def formula(self, part: Part) -> Formula:
        """Return the formula in a part; fails where it cannot be read."""
        try:
            return parse(part.text)
        except FormulaSyntaxError as error:
            reason = str(error).split("\n", 1)[0].partition(": ")[2]
            self.fail(part.start + error.position, reason)
        except KripkeError as error:
            self.fail(part.start, str(error))

    def place_of(self, name: str, part: Part) -> int:
        """Return where a name stands in a part; its beginning if it is not found as it is written."""
        found = re.search(rf"(?<![^\W_]){re.escape(name)}(?!\w)", part.text)
        return part.start + (found.start() if found else 0)
