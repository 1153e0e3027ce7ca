"""Splits a story into statements `word arguments "label": content`, and records their positions.

A statement begins on a new line; lines that are indented further continue it. `#` begins a
comment. Blank lines are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

from kripke_werewolf.errors import (
    FormatError,
    FormulaSyntaxError,
    KripkeError,
    UnknownAgentError,
    UnknownAtomError,
    UnknownNameError,
    did_you_mean,
    line_and_column,
    pointed,
    shortened,
)
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.names import QUOTED
from kripke_werewolf.language.reading import understand
from kripke_werewolf.models.model import KripkeModel

_COMMENT = re.compile(rf"{QUOTED}|(?:(?<=\s)|^)#[^\n]*", re.MULTILINE)
"""Quoted strings, which may contain `#`, and comments."""
_LINE = re.compile(r"^([^\S\n]*+)\S[^\n]*", re.MULTILINE)
_ACT = rf'(?:{QUOTED}|[^":\n\[\]<>])+'  # on either side of the colon in [name:event]
_ARGUMENTS = rf"(?:{QUOTED}|\[{_ACT}:{_ACT}\]|<{_ACT}:{_ACT}>|[^\":\n])*?"
_HEAD = re.compile(rf"(\w+)({_ARGUMENTS})\s*({QUOTED})?[ \t]*(:|$)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Span:
    """A part of the input: its characters, and the position where they begin."""

    text: str
    start: int

    @property
    def line(self) -> str:
        """The text in one line."""
        return " ".join(self.text.split())


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement, and its word, arguments, label and content; `quoted`: the label in quotes."""

    whole: Span
    word: Span
    arguments: Span
    quoted: Span
    content: Span

    @property
    def label(self) -> str:
        """The label without its quotes."""
        return self.quoted.text[1:-1]


class Text:
    """The whole text of the file `source`; comments become spaces so that positions stay the same."""

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self.text = without_comments(text.expandtabs(4))

    def line(self, place: int) -> int:
        """Return the line number of a position."""
        return self.text.count("\n", 0, place) + 1

    def fail(self, place: int, message: str) -> NoReturn:
        """Raise a FormatError that names line and column and shows them."""
        raise located(self.text, place, self.source, message) from None

    def statements(self, within: Span | None = None) -> Iterator[Statement]:
        """Yield the statements of the text, or of the lines of a part of it."""
        part = within or Span(self.text, 0)
        begin, end = self.text.rfind("\n", 0, part.start) + 1, part.start + len(part.text)
        lines = list(_LINE.finditer(self.text[begin:end]))
        if not lines:
            return
        least = min(len(line[1]) for line in lines)
        starts = [begin + line.start() for line in lines if len(line[1]) == least]
        if begin + lines[0].start() != starts[0]:
            self.fail(begin + lines[0].start(), "this line is indented but continues nothing")
        for start, stop in zip(starts, [*starts[1:], end], strict=True):
            yield self._statement(start + least, stop)

    def _statement(self, start: int, end: int) -> Statement:
        found = _HEAD.match(self.text, start, end)
        if found is None:
            self.fail(start, 'expected a statement: a word, perhaps names and a "label", a colon')
        if not found[4]:
            place = found.end(3) if found[3] else found.end(2)
            self.fail(place, f"expected ':' after {found[0].strip()!r}")
        return Statement(
            self.cut(start, end),
            Span(found[1], start),
            Span(found[2], found.start(2)),
            Span(found[3] or "", found.start(3)),
            self.cut(found.end(), end),
        )

    def cut(self, start: int, end: int) -> Span:
        """Return the part of the text between two positions, stripped."""
        text = self.text[start:end]
        return Span(text.strip(), start + len(text) - len(text.lstrip()) if text.strip() else start)

    def after(self, part: Span, mark: str) -> Span:
        """Return the rest of a part after the first mark."""
        end = part.start + len(part.text)
        return self.cut(end - len(part.text.partition(mark)[2]), end)

    def halves(self, part: Span, mark: str, wanted: str) -> tuple[Span, Span]:
        """Return the parts before and after the first mark in a part; fail without the mark."""
        before, found, _ = part.text.partition(mark)
        if not found:
            self.fail(part.start, f"expected {wanted!r}, got {part.text!r}")
        return self.cut(part.start, part.start + len(before)), self.after(part, mark)

    def split(self, part: Span, at: str = ",") -> list[Span]:
        """Return the pieces of a part between separators that are outside all brackets and quotes.

        An empty part has no pieces. An empty piece is an error.
        """
        if not part.text:
            return []
        pieces, depth, begin, quoted = [], 0, 0, False
        for i, c in enumerate([*part.text, at]):
            if c == '"' and part.text[i - 1 : i] != "\\":
                quoted = not quoted
            depth += (c in "([{") - (c in ")]}") if not quoted else 0
            if i == len(part.text) or (c == at and depth <= 0 and not quoted):
                piece = self.cut(part.start + begin, part.start + i)
                if not piece.text:
                    side = "before" if i < len(part.text) else "after"
                    self.fail(part.start + i, f"expected something {side} {at!r}")
                pieces.append(piece)
                begin = i + 1
        return pieces

    def names(self, part: Span) -> list[Span]:
        """Return the names in a part, between commas; braces and quotes around a name are removed."""
        found = []
        for piece in self.split(part):
            name = re.fullmatch(r'\{(.+)\}|"(.+)"|([^\s{}"]+)', piece.text)
            if name is None:
                self.fail(piece.start, f"expected a name, got {piece.text!r}; names with blanks go in braces")
            found.append(Span(name[1] or name[2] or name[3], piece.start))
        return found

    def cells(self, part: Span) -> list[list[Span]]:
        """Return cells of names: names separated by spaces, cells by commas."""
        found = []
        for cell in self.split(part):
            names, at = [], 0
            for word in cell.text.split():
                at = cell.text.index(word, at)
                names.append(Span(word, cell.start + at))
                at += len(word)
            found.append(names)
        return found

    def cell_of(
        self, cells: list[list[Span]], names: Sequence[str], kind: str, whose: str = ""
    ) -> dict[str, int]:
        """Return the cell number of each name; a name in no cell gets its own."""
        found = {name: -number for number, name in enumerate(names)}
        for number, cell in enumerate(cells, 1):
            for part in cell:
                if found[self.known(part, names, kind)] > 0:
                    self.fail(part.start, f"{part.text!r} is in two cells{whose}")
                found[part.text] = number
        return found

    def known(self, part: Span, names: Iterable[str], kind: str) -> str:
        """Return the name in a part if it is known; otherwise fail at its position."""
        names = list(names)
        if part.text not in names:
            self.fail(part.start, str(UnknownNameError(part.text, names, kind=kind)))
        return part.text

    def word(self, part: Span, words: Iterable[str], what: str) -> str:
        """Return the word in a part if it is allowed; otherwise fail at its position."""
        words = list(words)
        if part.text not in words:
            got = f"got {part.text or 'nothing'!r}{did_you_mean(part.text, words)}"
            self.fail(part.start, f"expected {what} ({', '.join(words)}), {got}")
        return part.text

    def formula(self, part: Span, phrases: Mapping[str, str] | None = None) -> Formula:
        """Return the formula in a part; fail at the position of an error."""

        def refuse(message: str, at: int) -> NoReturn:
            self.fail(part.start + at, message)

        return read_formula(part.text, None, refuse, phrases=phrases)

    def place_of(self, name: str, part: Span) -> Span:
        """Return a name at its position in a part; at the beginning if it is not found in this form."""
        return Span(name, part.start + _place_of(name, part.text))


# --- of any text -----------------------------------------------------------------------------------


def without_comments(text: str) -> str:
    """Replace comments by spaces, so that positions stay the same."""
    return _COMMENT.sub(lambda m: m[0] if m[0].startswith('"') else " " * len(m[0]), text)


def located(text: str, place: int, source: str, message: str) -> FormatError:
    """Return an error that names the line and column of a position, and shows the line."""
    number, column, line = line_and_column(text, place)
    told = f"{source}, line {number}, column {column}: {shortened(message)}"
    return FormatError(f"{told}\n{pointed(line.rstrip(), column - 1)}")


def read_formula(
    text: str,
    model: KripkeModel | None,
    refuse: Callable[[str, int], NoReturn],
    *,
    agents: Collection[str] | None = None,
    groups: Mapping[str, Iterable[object]] | None = None,
    phrases: Mapping[str, str] | None = None,
) -> Formula:
    """Return the formula in a string, over the atoms and agents of the model, if one is given.

    `refuse` raises the error, from a message and a position in the string; `agents` and `groups` are as in
    `parse`, `phrases` as in `to_sentence`.
    """
    try:
        atoms = None if model is None else model.valuation
        found = understand(text, agents=agents, atoms=atoms, groups=groups, phrases=phrases).formula
        if model is not None:
            model.where(found)
    except FormulaSyntaxError as error:
        meant = f"; did you mean {error.meant}?" if error.meant else ""
        refuse(str(error).split("\n", 1)[0].partition(": ")[2] + meant, error.position)
    except (UnknownAtomError, UnknownAgentError) as error:
        refuse(str(error), _place_of(str(error.name), text))
    except KripkeError as error:  # such as an action or variable that the model does not have
        refuse(str(error), begin(text))
    return found


def begin(text: str) -> int:
    """Return the position after leading spaces."""
    return len(text) - len(text.lstrip())


def _place_of(name: str, text: str) -> int:
    """Return the position of a name in a string; its beginning if the name is not found in this form."""
    found = re.search(rf"(?<![^\W_]){re.escape(name)}(?!\w)", text)
    return found.start() if found else begin(text)
