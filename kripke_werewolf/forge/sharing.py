"""Items for others: a table as loaders of data sets take it, and a card that says what is in it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256

from kripke_werewolf.errors import GameError
from kripke_werewolf.forge.item import StoryItem
from kripke_werewolf.games.solving import Records
from kripke_werewolf.reports.documents import Document, Items, Paragraph
from kripke_werewolf.settings import as_data


def table_of(items: Sequence[StoryItem]) -> Records:
    """Return items as rows with the same columns; what depends on the people of a story is text in JSON."""
    nested = ("trace", "shortcuts", "twin")
    rows = tuple(
        {name: json.dumps(value) if name in nested else value for name, value in as_data(item).items()}
        for item in items
    )
    return Records(rows, {"game": "forge"})


def card_of(items: Sequence[StoryItem]) -> Document:
    """Return the data card of items: what they are, how they are distributed, and how to check them.

    It has no seed, with which the set could be made again, but the hash of the items, which shows later which
    set was meant.
    """
    if not items:
        raise GameError("there are no items to describe")

    def shares(values: Sequence[object]) -> str:
        found = sorted(Counter(map(str, values)).items())
        return ", ".join(f"{value} {number / len(items):.1%}" for value, number in found)

    guesses: dict[str, list[bool]] = {}
    for item in items:
        for name, guess in item.shortcuts.items():
            guesses.setdefault(name, []).append(guess == item.answer)
    lines = "".join(f"{item.to_json()}\n" for item in items)
    facts = {
        "items": f"{len(items):,}, of which {sum(item.twin is not None for item in items):,} have a twin",
        "family": shares([item.family for item in items]),
        "order": shares([item.order for item in items]),
        "need exactly their order": f"{sum(i.order_needed == i.order for i in items) / len(items):.1%}",
        "place of the answer": shares([item.choices.index(item.answer) + 1 for item in items]),
        **{f"shortcut {name}": f"{sum(found) / len(found):.1%}" for name, found in sorted(guesses.items())},
        "kripke-werewolf": ", ".join(sorted({item.version for item in items})),
        "SHA-256 of the lines": sha256(lines.encode()).hexdigest(),
    }
    about = (
        "Stories with questions about what people know and think. Each answer was derived from the text "
        "alone by two engines, which agree; twins differ in one sentence and have different answers. "
        "The command kripke-werewolf forge check derives everything again."
    )
    return Document("Data card", (Paragraph(about), Items(tuple(f"{k}: {v}" for k, v in facts.items()))))
