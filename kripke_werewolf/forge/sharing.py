"""Items for others: a table that loaders of data sets can read, and a card that says what is in it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256

from kripke_werewolf.forge.checking import balance
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
