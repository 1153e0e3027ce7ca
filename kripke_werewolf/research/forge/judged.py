"""Sets of stories read back: what follows from the text of each item, what is wrong, and who guesses right.

Items for others: a table that loaders of data sets can read, and a card that says what is in it.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import combinations, zip_longest
from statistics import fmean
from typing import Any, NamedTuple

from kripke_werewolf.base.errors import FormatError, GameError, KripkeError
from kripke_werewolf.base.files import read_text
from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.base.reports.documents import Document, Items, Paragraph
from kripke_werewolf.base.reports.tables import Grid
from kripke_werewolf.research.forge.cues import guessed
from kripke_werewolf.research.forge.family import StoryItem, family_named, numbered_lines
from kripke_werewolf.research.stories.scenes import sentences

OPEN, SKIPPED = "the text leaves the answer open", "not read"
"""The flaws of an item whose answer does not follow from its text, and of one that is not understood."""


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
        """Whether the label is `right`, `wrong`, or `open` as far as the text goes; or `skipped`."""
        read = "right" if {*self.answers.values()} == {self.label} else "wrong"
        return {OPEN: "open", SKIPPED: "skipped"}.get(self.flaw, read)


class Format(NamedTuple):
    """A format of items: `split` yields those of a file, `judge` derives what follows from one.

    Both raise `FormatError`; an unknown sentence is refused, not passed over.
    """

    split: Callable[[str], Iterator[RawItem]]
    judge: Callable[[RawItem], JudgedItem]

    def audit(self, path: str | os.PathLike[str], *, skip: bool = False) -> list[JudgedItem]:
        """Judge every item of a file; raise `FormatError`, naming the place, for anything else in it.

        `skip`: items with a sentence that is not understood are `SKIPPED`, instead of an error.
        """
        text = read_text(path)
        try:
            found = [self._judged(item, skip) for item in self.split(text)]
        except FormatError as error:
            raise FormatError(f"{os.fspath(path)}: {error}") from None
        if not found:
            raise FormatError(f"{os.fspath(path)} has no items")
        return found

    def _judged(self, item: RawItem, skip: bool) -> JudgedItem:
        try:
            return self.judge(item)
        except KripkeError as error:
            if not skip:
                raise FormatError(f"{item.place}: {error}") from None
            return JudgedItem(item.place, "", item.label, {}, 0, SKIPPED, str(error))


def audit_table(items: Iterable[JudgedItem]) -> Grid:
    """Return the numbers of items by question and flaw, with the orders that have the same answer."""
    kinds = grouped(((item.asked, item.verdict, item.flaw), item) for item in items)
    rows = []
    for kind, own in sorted(kinds.items()):
        needed = sorted(Counter(item.order_needed for item in own if item.answers).items())
        orders = ", ".join(f"{order}: {number:,}" for order, number in needed)
        rows.append((*kind, f"{len(own):,}", orders, own[0].place))
    header = "question", "label", "flaw", "items", "least order with this answer", "first"
    return Grid(header, tuple(rows), words=True)


def fields_of(data: Any, place: str, /, **kinds: type) -> list[Any]:
    """Return fields of a JSON object; raise `FormatError` if one is missing or of another kind.

    >>> fields_of({"story": "Anne slept."}, "line 1", story=str)
    ['Anne slept.']
    """
    for name, kind in kinds.items():
        if not isinstance(data, dict) or not isinstance(data.get(name), kind):
            wanted = "a string" if kind is str else "a list"
            raise FormatError(f"{place}: expected a JSON object with {wanted} in the field {name!r}")
    return [data[name] for name in kinds]


# --- items of this library ---------------------------------------------------------------------------


def _split(text: str) -> Iterator[RawItem]:
    """Yield the items, each with those of its group."""
    read = [(place, StoryItem.from_json(line, source=place)) for place, line in numbered_lines(text)]
    groups = grouped((item.group, item) for _, item in read if item.group)
    for place, item in read:
        yield RawItem(place, item.story, item.question, item.answer, (item, groups.get(item.group, [])))


def _judge(read: RawItem) -> JudgedItem:
    """Derive everything in an item again, and compare it with the other items of its group."""
    item, group = read.rest
    family = family_named(item.family)
    found = family.derive(item.story, item.question)
    derived = ("order", "order_needed", "formula", "scene", "shortcuts")
    same = {name: getattr(item, name) == getattr(found, name) for name in derived}
    same["answer"] = {*found.answers.values()} == {item.answer} and item.answer in item.choices
    same["group"] = len(group) == 2 ** len(item.corner) or not item.group
    for other in group:
        changed = {(a, b) for a, b in zip_longest(sentences(item.story), sentences(other.story)) if a != b}
        both = zip(item.corner, other.corner, item.own, other.own, strict=False)
        same["group"] &= changed == {(a, b) for one, two, a, b in both if one != two}
        turned = (sum(item.corner) + sum(other.corner)) % 2 == 1
        same["group"] &= (other.answer != item.answer) == turned and other.question == item.question
        same["group"] &= family.alike(item.story, other.story, item.question, found.order - 1)
    flaw = ", ".join(name for name, true in same.items() if not true)
    asked, why = f"{item.family}, order {item.order}", str(found) if flaw else ""
    return JudgedItem(read.place, asked, item.answer, found.answers, found.order_needed, flaw, why)


FORGED = Format(_split, _judge)
"""The format of `forge`; the flaw of an item is the fields that do not follow from its text."""


def group_shares(rows: Iterable[tuple[str, Sequence[int], object]]) -> dict[str, float]:
    """Return the shares of items, of pairs and of quadruples that are wholly right, as far as there are some.

    `rows`: the group of each item, its corner, and whether it is right. Two items of a group that differ in
    one sentence are a pair. Groups of which an item is missing do not count.

    >>> group_shares([("1f", (0,), True), ("1f", (1,), False)])
    {'items': 0.5, 'pairs': 0.0}
    """
    groups: dict[str, dict[tuple[int, ...], bool]] = {}
    found: dict[str, list[bool]] = {"items": [], "pairs": [], "quadruples": []}
    for name, corner, right in rows:
        found["items"].append(bool(right))
        groups.setdefault(name, {})[tuple(corner)] = bool(right)
    for own in groups.values():
        whole = [corner for corner in own if len(own) == 2 ** len(corner)]
        for one, other in combinations(whole, 2):
            if sum(a != b for a, b in zip(one, other, strict=True)) == 1:
                found["pairs"].append(own[one] and own[other])
        if len(whole) == 4:
            found["quadruples"].append(all(own.values()))
    return {name: sum(own) / len(own) for name, own in found.items() if own}


def balance(items: Sequence[StoryItem]) -> Grid:
    """Return shares of the items, by the order of their questions, and of pairs and quadruples.

    The shares are of items that need exactly their order, and of those that a reader gets right who does not
    understand the story; see `guessed`. A dash: the reader has no answer.
    """
    if not items:
        raise GameError("there are no items to report on")
    values = guessed(items) | {"need their order": [item.order_needed == item.order for item in items]}
    orders = sorted(Counter(item.order for item in items).items())
    groups, corners = [item.group for item in items], [item.corner for item in items]
    shares = {own: group_shares(zip(groups, corners, values[own], strict=True)) for own in values}
    kinds, rows = [kind for kind in shares["need their order"] if kind != "items"], []
    for name, found in values.items():
        told = [(item.order, right) for item, right in zip(items, found, strict=True) if right is not None]
        known = {order: f"{fmean(own):.2f}" for order, own in grouped(told).items()}
        cells = [known.get(order, "–") for order, _ in orders]
        rows.append((name, *cells, *(f"{shares[name][kind]:.2f}" for kind in kinds)))
    header = "share", *(f"order {order} ({number:,})" for order, number in orders), *kinds
    return Grid(header, tuple(rows))


def card_of(items: Sequence[StoryItem]) -> Document:
    """Return the data card of items: what they are, how they are distributed, and how to check them.

    It omits the seed, with which the set could be made again, but has the hash of the items, which identifies
    the set later.
    """
    families = Counter(item.family for item in items)
    sizes = Counter(2 ** len(item.corner) for item in items)
    lines = "".join(f"{item.to_json()}\n" for item in items)
    facts = (
        f"items: {len(items):,}, of which {sizes[2]:,} in pairs and {sizes[4]:,} in quadruples",
        f"family: {', '.join(f'{name} ({number:,})' for name, number in families.items())}",
        f"kripke-werewolf: {', '.join(sorted({item.version for item in items}))}",
        f"SHA-256 of the lines: {sha256(lines.encode()).hexdigest()}",
    )
    about = (
        "Stories with questions about what people know and think. Each answer was derived from the text "
        "alone by two engines, which agree; the stories of a pair differ in one sentence, those of a "
        "quadruple in two, and each of them changes the answer. The table says how often readers are right "
        "who do not understand the stories. The command kripke-werewolf forge check derives everything again."
    )
    return Document("Data card", (Paragraph(about), balance(items), Items(facts)))
