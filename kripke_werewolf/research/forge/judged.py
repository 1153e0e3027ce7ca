"""Items of sets of stories, read back: what follows from the text of each, and a table of what is wrong.

Sets made by `forge`, read back: everything derived again from the text alone, and the balance of a set.

Items for others: a table that loaders of data sets can read, and a card that says what is in it.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple, NoReturn

from kripke_werewolf.base.errors import FormatError, GameError, KripkeError
from kripke_werewolf.base.files import read_text
from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.base.reports.documents import Document, Items, Paragraph
from kripke_werewolf.base.reports.tables import Grid
from kripke_werewolf.base.settings import as_data
from kripke_werewolf.research.forge.family import StoryItem, family_named, numbered_lines

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


def _split(text: str) -> Iterator[RawItem]:
    for place, line in numbered_lines(text):
        item = StoryItem.from_json(line, source=place)
        yield RawItem(place, item.story, item.question, item.answer, item)


def _judge(read: RawItem) -> JudgedItem:
    """Derive everything in an item and its twin again."""
    item, family = read.rest, family_named(read.rest.family)
    found = family.derive(item.story, item.question)
    derived = ("order", "order_needed", "formula", "scene", "trace", "shortcuts")
    same = {name: getattr(item, name) == getattr(found, name) for name in derived}
    same["answer"] = {*found.answers.values()} == {item.answer} and item.answer in item.choices
    if item.twin:
        other = family.derive(item.twin.story, item.question).answers
        own = re.finditer(re.escape(item.twin.own), item.story)
        stories = [item.story[: at.start()] + item.twin.other + item.story[at.end() :] for at in own]
        right = {*other.values()} == {item.twin.answer} != {item.answer}
        depth = item.twin.depth == found.order - 1
        alike = depth and family.alike(item.story, item.twin.story, item.question, item.twin.depth)
        same["twin"] = right and alike and item.twin.story in stories
    flaw = ", ".join(name for name, true in same.items() if not true)
    asked, why = f"{item.family}, order {item.order}", str(found) if flaw else ""
    return JudgedItem(read.place, asked, item.answer, found.answers, found.order_needed, flaw, why)


FORGED = Format(_split, _judge)
"""The format of `forge`; the flaw of an item is the fields that do not follow from its text."""


def balance(items: Sequence[StoryItem]) -> Grid:
    """Return shares of the items, by the order of their questions.

    The shares are of items with a twin, of those that need exactly their order, and of those that a rule of
    guessing gets right: the shortcuts, and always the same label or position. A dash: the rule has no answer.
    """
    if not items:
        raise GameError("there are no items to report on")
    values: dict[str, list[object]] = {
        "twins": [item.twin is not None for item in items],
        "need their order": [item.order_needed == item.order for item in items],
        "the best label": [item.answer for item in items],
        "the best position": [[*item.choices, item.answer].index(item.answer) for item in items],
    }
    for name in dict.fromkeys(name for item in items for name in item.shortcuts):
        values[name] = [
            item.shortcuts[name] == item.answer if name in item.shortcuts else None for item in items
        ]
    orders, rows = Counter(sorted(item.order for item in items)), []
    for name, found in values.items():
        own = grouped((item.order, value) for item, value in zip(items, found, strict=True))
        rows.append((name, *(_best(own[order]) for order in orders)))
    header = "share", *(f"order {order} ({number:,})" for order, number in orders.items())
    return Grid(header, tuple(rows))


def _best(found: Sequence[object]) -> str:
    """Return the share of the most frequent value other than False, among those that are not None."""
    own = [value for value in found if value is not None]
    most = max(Counter(value for value in own if value is not False).values(), default=0)
    return f"{most / len(own):.2f}" if own else "–"


def table_of(items: Sequence[StoryItem]) -> list[dict[str, Any]]:
    """Return items as rows with the same columns; what depends on the people of a story is text in JSON."""
    nested = ("trace", "shortcuts", "twin")
    return [
        {name: json.dumps(value) if name in nested else value for name, value in as_data(item).items()}
        for item in items
    ]


def card_of(items: Sequence[StoryItem]) -> Document:
    """Return the data card of items: what they are, how they are distributed, and how to check them.

    It omits the seed, with which the set could be made again, but has the hash of the items, which identifies
    the set later.
    """
    shares = balance(items)
    families = Counter(item.family for item in items)
    lines = "".join(f"{item.to_json()}\n" for item in items)
    facts = {
        "items": f"{len(items):,}, of which {sum(item.twin is not None for item in items):,} have a twin",
        "family": ", ".join(f"{name} ({number:,})" for name, number in families.items()),
        "kripke-werewolf": ", ".join(sorted({item.version for item in items})),
        "SHA-256 of the lines": sha256(lines.encode()).hexdigest(),
    }
    about = (
        "Stories with questions about what people know and think. Each answer was derived from the text "
        "alone by two engines, which agree; twins differ in one sentence and have different answers. "
        "The command kripke-werewolf forge check derives everything again."
    )
    told = Items(tuple(f"{name}: {value}" for name, value in facts.items()))
    return Document("Data card", (Paragraph(about), shares, told))
