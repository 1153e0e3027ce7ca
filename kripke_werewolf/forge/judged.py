"""Items of sets of stories, read back: what follows from the text of each, and a table of what is wrong."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, NoReturn

from kripke_werewolf.errors import FormatError, KripkeError
from kripke_werewolf.files import read_text
from kripke_werewolf.forge.family import loaded
from kripke_werewolf.grouping import grouped
from kripke_werewolf.reports.tables import Grid

OPEN = "the text leaves the answer open"
"""The flaw of an item whose answer does not follow from its text."""


class RawItem(NamedTuple):
    """An item as it stands in a file: its place, its text, its label, and whatever else the format has."""

    place: str
    story: str
    question: str
    label: str
    rest: Any = None


class JudgedItem(NamedTuple):
    """An item, and what follows from its text.

    `place`: where it stands in the file. `asked`: the kind of its question. `label`: the answer given there.
    `answers`: the answer by each engine, None if there is none. `order_needed`: the least number of agents
    whose beliefs or knowledge are asked about in a question with this answer, if some are left out. `flaw`:
    what kind of thing is wrong, or nothing; `why`: the derivation.
    """

    place: str
    asked: str
    label: str
    answers: Mapping[str, str | None]
    order_needed: int
    flaw: str = ""
    why: str = ""

    @property
    def verdict(self) -> str:
        """Whether the label is `right`, `wrong`, or `open` as far as the text goes."""
        if self.flaw == OPEN:
            return "open"
        return "right" if {*self.answers.values()} == {self.label} else "wrong"


class Format(NamedTuple):
    """A format of items: `split` yields those of a file, `judge` derives what follows from one.

    Both raise `FormatError`; an unknown sentence is refused, not passed over.
    """

    split: Callable[[str], Iterator[RawItem]]
    judge: Callable[[RawItem], JudgedItem]

    def audit(self, path: str | os.PathLike[str]) -> list[JudgedItem]:
        """Judge every item of a file; raise `FormatError`, naming the place, for anything else in it."""
        source, place, found = os.fspath(path), "", list[JudgedItem]()
        text = read_text(path)
        try:
            for item in self.split(text):
                place = f", {item.place}"
                found.append(self.judge(item))
                place = ""
        except KripkeError as error:
            raise FormatError(f"{source}{place}: {error}") from None
        if not found:
            raise FormatError(f"{source} has no items")
        return found


FORMATS: Mapping[str, str] = {
    "tomi": "kripke_werewolf.forge.published:TOMI",
    "hitom": "kripke_werewolf.forge.published:HITOM",
    "mindgames": "kripke_werewolf.forge.announced:MINDGAMES",
}
"""The published formats by name, each with the module and the name of its declaration."""


def format_named(name: str) -> Format:
    """Return a published format; raise `UnknownNameError` for any other name."""
    found: Format = loaded(FORMATS, name, kind="format")
    return found


def audit_table(items: Iterable[JudgedItem]) -> Grid:
    """Return the numbers of items by question and flaw, with the orders that have the same answer."""
    kinds = grouped(((item.asked, item.verdict, item.flaw), item) for item in items)
    rows = []
    for kind, own in sorted(kinds.items()):
        needed = sorted(Counter(item.order_needed for item in own).items())
        orders = ", ".join(f"{order}: {number:,}" for order, number in needed)
        rows.append((*kind, f"{len(own):,}", orders, own[0].place))
    header = "question", "label", "flaw", "items", "least order with this answer", "first"
    return Grid(header, tuple(rows), words=True)


def unknown(sentence: str) -> NoReturn:
    """Raise `FormatError` for a sentence that a format does not have."""
    raise FormatError(f"{sentence!r} is not a sentence of this format")


def fields_of(data: Any, place: str, /, **kinds: type) -> list[Any]:
    """Return fields of a JSON object; raise `FormatError` if one is missing or of another kind.

    >>> fields_of({"story": "Anne slept."}, "line 1", story=str)
    ['Anne slept.']
    """
    for name, kind in kinds.items():
        if not isinstance(data, dict) or name not in data:
            raise FormatError(f"{place}: expected a JSON object with the field {name!r}")
        if not isinstance(data[name], kind):
            raise FormatError(f"{place}: the field {name!r} is not {'text' if kind is str else 'a list'}")
    return [data[name] for name in kinds]
