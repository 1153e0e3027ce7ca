"""An item: a story, a question, its answer, and what shows that the answer is right and how deep it is.

Items are written as lines of JSON, with their fields in the order of declaration.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from kripke_werewolf.errors import FormatError, GameError
from kripke_werewolf.files import parse_json, read_text
from kripke_werewolf.settings import as_data, from_data


@dataclass(frozen=True, slots=True)
class Contrast:
    """The twin of an item: its story differs in one sentence, and the same question has another answer.

    `id`, `story`, `answer`: those of the twin. `own`, `other`: the sentence in the item's story, and the
    sentence that stands there in the twin's. `depth`: the models after both stories satisfy the same formulas
    of at most this modal depth; -1 if they differ in the facts.
    """

    id: str
    story: str
    answer: str
    own: str
    other: str
    depth: int


@dataclass(frozen=True, slots=True)
class StoryItem:
    """A story, a question about it, and its answer.

    `id`: the same for items that differ only in names and wordings. `order`: the number of agents whose
    beliefs about each other are asked about. `order_needed`: the least depth of a question about this story
    that leaves out some of these agents and has the same answer; `order` if there is none. `formula`: true
    after the story, in the language of the library. `scene`: the story as the lines of a story file.
    `trace`: for each agent, their answer after each event. `shortcuts`: what simple rules of guessing answer.
    `seed`: the seed of the run and the number of its batch. `version`: of the library.

    >>> item = StoryItem("1f", "rooms", "Anne is in the hall.", "Where is Anne?", "hall", ("hall",), 0, 0,
    ...                  "anne_in_hall", ("agents: Anne",), {"Anne": ["hall"]}, None, {}, "1/0", "1.0")
    >>> StoryItem.from_json(item.to_json()) == item
    True
    """

    id: str
    family: str
    story: str
    question: str
    answer: str
    choices: tuple[str, ...]
    order: int
    order_needed: int
    formula: str
    scene: tuple[str, ...]
    trace: Mapping[str, Sequence[str | None]]
    twin: Contrast | None
    shortcuts: Mapping[str, str | None]
    seed: str
    version: str

    def to_json(self) -> str:
        """Return the item as one line of JSON: the same bytes on every platform."""
        fields = {name: getattr(self, name) for name in self.__match_args__}
        return json.dumps(fields, ensure_ascii=False, default=as_data)

    @classmethod
    def from_json(cls, line: str, *, source: str = "item") -> StoryItem:
        """Return the item in a line of JSON; raise `FormatError`, naming the source, for anything else."""
        data = parse_json(line, source)
        try:
            item = from_data(cls, data, called="an item")
        except (GameError, ValueError) as error:
            raise FormatError(f"{source}: {error}") from None
        if not isinstance(item, cls):
            raise FormatError(f"{source}: expected an item as a JSON object")
        return item


def numbered_lines(text: str) -> Iterator[tuple[str, str]]:
    """Yield the lines that are not empty, each with its number in words."""
    lines = enumerate(text.split("\n"), 1)
    return ((f"line {number}", line) for number, line in lines if line.strip())


def read_items(path: str | os.PathLike[str]) -> Iterator[StoryItem]:
    """Yield the items in a file of JSON lines; raise `FormatError`, naming the line, for anything else."""
    for place, line in numbered_lines(read_text(path)):
        yield StoryItem.from_json(line, source=f"{os.fspath(path)}, {place}")
