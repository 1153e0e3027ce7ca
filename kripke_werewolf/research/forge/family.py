"""Families of stories: what each declares once, and the stream of its items.

A run is made of batches with their own seeds, which are the same however many processes make them; items
that differ only in names and wordings are made once.

An item: a story, a question, its answer, and what shows that the answer is right and how deep it is.

Items are written as lines of JSON, with their fields in the order of declaration.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from importlib import import_module
from itertools import chain, combinations, count, pairwise
from typing import Any, ClassVar, TypeAlias, TypeVar

from kripke_werewolf.base._version import __version__
from kripke_werewolf.base.errors import FormatError, GameError, KripkeError, check_known
from kripke_werewolf.base.files import parse_json, read_text
from kripke_werewolf.base.randomness import Draws
from kripke_werewolf.base.settings import Natural, Positive, as_data, check_fields, from_data
from kripke_werewolf.games.programs.chain import without_collection


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


T = TypeVar("T")
YES_NO = ("yes", "no")
NAMES = "Anne Bob Carla David Emma Farid Gina Hugo Ines Jack Kira Liam Mona Nils Olga Paul Rosa Sven Tara Uri"
OPEN_THOUGHTS = "somebody asked about learns what they did not expect; what they then think of others is open"
DEEPEST = 6
"""The highest order of a question."""
_MOST_EVENTS = 200  # of a story
_TRIES = 2000  # stories that are tried for a question
_IDLE = 20  # batches without a new item after which there are no more


@dataclass(frozen=True, kw_only=True)
class Knobs:
    """The kind of items that a family should make; families add their own fields.

    `orders`: the orders of the questions, which take turns. `pairs`: each item comes with a twin. `agents`,
    `events`: how many a story has. `batch`: the number of stories of a batch. `possible`: the numbers of
    agents that a family can have; `limits`: the orders, and why there are no others.
    """

    possible: ClassVar[Sequence[int]] = range(2, 1 + len(NAMES.split()))
    limits: ClassVar[tuple[Sequence[int], str]] = (range(DEEPEST + 1), f"allowed: some of 0 to {DEEPEST}")

    orders: tuple[Natural, ...] = (1, 2, 3, 4)
    pairs: bool = False
    agents: Positive = 4
    events: Positive = 8
    batch: Positive = 60

    def __post_init__(self) -> None:
        check_fields(self)
        allowed, why = self.limits
        if not self.orders or not {*self.orders} <= {*allowed}:
            raise GameError(f"orders={self.orders!r} is not possible ({why})")
        if self.events > _MOST_EVENTS:
            raise GameError(f"events={self.events} is not possible (allowed: 1 to {_MOST_EVENTS})")
        if self.agents not in self.possible:
            least, most = self.possible[0], self.possible[-1]
            raise GameError(f"agents={self.agents} is not possible (allowed: {least} to {most} agents)")


@dataclass(frozen=True, slots=True)
class Certificate:
    """What follows from the text of a story and a question alone; the fields are those of an item.

    `answers`: the answer by each engine, by its name, which must agree.
    """

    answers: Mapping[str, str | None]
    order: int
    order_needed: int
    formula: str
    scene: tuple[str, ...]
    trace: Mapping[str, Sequence[str | None]]
    shortcuts: Mapping[str, str | None]


Group: TypeAlias = tuple[StoryItem, ...]
"""Items that belong together: an item, or an item and its twin."""


@dataclass(frozen=True)
class Family:
    """A family of stories.

    `items` yields the items of one batch, from the knobs, the draws and the name of the seed. `derive` reads
    a story and a question in English, and derives everything from them; it raises `FormatError` for a
    sentence that is not of the family. `alike` reads two stories and a question, and
    returns whether the models after both satisfy the same formulas up to a depth.
    """

    name: str
    knobs: type[Knobs]
    items: Callable[[Any, Draws, str], Iterator[Group]]
    derive: Callable[[str, str], Certificate]
    alike: Callable[[str, str, str, int], bool]


def yes_no(true: object) -> str:
    """Return the answer to a question for yes or no."""
    return "yes" if true else "no"


class Disagreement(KripkeError, RuntimeError):
    """Two derivations of one answer that differ: an error of this library."""


def items_told(
    family: Family,
    told: Sequence[tuple[object, str]],
    question: str,
    *,
    seed: str,
    choices: tuple[str, ...] = YES_NO,
    said: Sequence[str] = (),
) -> Group:
    """Return the items of a question about stories, if the engines agree.

    `told`: the shape of each story, without names and wordings, and its text. `said`: the sentences in which
    two stories differ, if they are twins.
    """
    made = []
    for shape, text in told:
        found = family.derive(text, question)
        answer, *others = {*found.answers.values()}
        if others or answer is None:
            raise Disagreement(f"the engines disagree about {question!r} after {text!r}")
        name = blake2b(repr(shape).encode(), digest_size=8).hexdigest()
        about = (name, family.name, text, question, answer, choices, found.order, found.order_needed)
        shown = (found.formula, found.scene, found.trace, None, found.shortcuts, seed, __version__)
        made.append(StoryItem(*about, *shown))
    if not said:
        return tuple(made)
    return tuple(
        replace(own, twin=Contrast(other.id, other.story, other.answer, here, there, own.order - 1))
        for own, other, here, there in zip(made, made[::-1], said, said[::-1], strict=True)
    )


def in_turn(
    knobs: Knobs,
    draws: Draws,
    found: Callable[[int], Iterable[T]],
    groups: Callable[[T, int], Iterable[Group]],
) -> Iterator[Group]:
    """Yield the items of one batch, of the orders in turn, from the first story that is found for each.

    Without pairs they are one item of each group.
    """
    for number in range(knobs.batch):
        order = knobs.orders[number % len(knobs.orders)]
        first = next((own for _ in range(_TRIES) for own in found(order)), None)
        if first is None:
            raise GameError(
                f"no story of {knobs.agents} people for a question of order {order} was found in {_TRIES:,} "
                "attempts; ask for more agents or events, for lower orders, or for less of what its knobs add"
            )
        for group in groups(first, order):
            lone = group[1:] and not knobs.pairs
            yield (replace(draws.choice(group), twin=None),) if lone else group


def parts(chain: Sequence[T]) -> Iterator[tuple[T, ...]]:
    """Yield the chains that leave out some agents, the shortest first; nobody stands next to themselves.

    >>> list(parts(["a", "b", "a"]))
    [(), ('a',), ('b',), ('a',), ('a', 'b'), ('b', 'a')]
    """
    for length in range(len(chain)):
        for some in combinations(chain, length):
            if all(one != other for one, other in pairwise(some)):
                yield some


def with_item(items: Sequence[T], place: int, item: T) -> tuple[T, ...]:
    """Return the items with another one at a place.

    >>> with_item("abc", 1, "x")
    ('a', 'x', 'c')
    """
    return (*items[:place], item, *items[place + 1 :])


def least_order(chain: Sequence[T], answer: Callable[[Sequence[T]], object], *, least: int = 0) -> int:
    """Return the length, from `least`, of the shortest part of a chain with the same answer as all of it."""
    own = answer(chain)
    same = (len(part) for part in parts(chain) if len(part) >= least and answer(part) == own)
    return next(same, len(chain))


FAMILIES: Mapping[str, str] = {
    "announcements": "kripke_werewolf.research.forge.announcements:ANNOUNCEMENTS",
    "avalon": "kripke_werewolf.research.forge.avalon:AVALON",
    "gossip": "kripke_werewolf.research.forge.gossip:GOSSIP",
    "werewolf": "kripke_werewolf.research.forge.werewolf:WEREWOLF",
    "rooms": "kripke_werewolf.research.forge.rooms:ROOMS_FAMILY",
}
"""The families by name, each with the module and the name of its declaration."""


def family_named(name: str) -> Family:
    """Return a family; raise `UnknownNameError` for any other name."""
    module, _, attribute = FAMILIES[check_known(name, FAMILIES, kind="family")].partition(":")
    found: Family = getattr(import_module(module), attribute)
    return found


def batch(family: str, knobs: Knobs, seed: int, number: int) -> list[Group]:
    """Return the items of one batch."""
    name = f"{seed}/{number}"
    with without_collection():  # a batch makes few cycles, and a collection visits all that stories share
        return list(family_named(family).items(knobs, Draws(f"{family}/{name}"), name))


def forged(
    family: Family, knobs: Knobs, *, items: int, seed: int, executor: Executor | None = None
) -> Generator[StoryItem, None, None]:
    """Yield items of a family, distinct up to names; with pairs, every second one is the twin of the first.

    The items depend only on the knobs and the seed, not on `executor`, which makes the batches, and the first
    items of a longer run are those of a shorter one.

    >>> rooms = family_named("rooms")
    >>> first, twin = forged(rooms, rooms.knobs(pairs=True), items=2, seed=1)
    >>> first.answer == twin.twin.answer != twin.answer
    True

    Raises `GameError` if there are no more distinct items.
    """
    if items < 1:
        raise GameError(f"items={items!r} is not possible (allowed: a whole number from 1)")
    known: set[str] = set()
    idle = 0
    many = map if executor is None else executor.map
    starts = count(step=_PENDING)
    batches = (many(partial(batch, family.name, knobs, seed), range(n, n + _PENDING)) for n in starts)
    for groups in chain.from_iterable(batches):
        before = len(known)
        for group in groups:
            own = {item.id for item in group}
            if len(own) < len(group) or own & known:
                continue
            for item in group:
                known.add(item.id)
                yield item
                if len(known) >= items:
                    return
        idle = idle + 1 if len(known) == before else 0
        if idle == _IDLE:
            raise GameError(
                f"only {len(known):,} distinct items of the family {family.name} were found, of {items:,}; "
                "ask for fewer, or for more agents or events"
            )


_PENDING = 64  # batches that are given to the executor ahead
