"""Sets made by `forge`, read back: everything derived again from the text alone, and the balance of a set."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from kripke_werewolf.errors import GameError
from kripke_werewolf.forge.family import family_named
from kripke_werewolf.forge.item import StoryItem, numbered_lines
from kripke_werewolf.forge.judged import Format, JudgedItem, RawItem
from kripke_werewolf.grouping import grouped
from kripke_werewolf.reports.tables import Grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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


def plot_balance(grid: Grid, axes: Axes) -> None:
    """Draw the shares as rings, larger for higher orders, so that equal shares are all seen."""
    names = [row[0] for row in grid.rows]
    for column, order in enumerate(grid.header[1:], 1):
        shares = [float(row[column].replace("–", "nan")) for row in grid.rows]
        axes.plot(shares, names, "o", label=order, markersize=2 + 3 * column, fillstyle="none")
    axes.set(xlim=(-0.04, 1.04), xlabel="share of the items")
    axes.invert_yaxis()
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3)
