"""Families of stories: what each declares once, and the stream of its items.

A run is made of batches with their own seeds, which are the same however many processes make them; items
that differ only in names and wordings are made once.

An item: a story, a question, its answer, and what shows that the answer is right and how deep it is.

Items are written as lines of JSON, with their fields in the order of declaration.
"""

from __future__ import annotations

import json
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from hashlib import blake2b
from importlib import import_module
from itertools import chain, combinations, count, pairwise, product
from typing import Any, ClassVar, NamedTuple, TypeAlias, TypeVar

from kripke_werewolf.base._version import __version__
from kripke_werewolf.base.errors import FormatError, GameError, KripkeError, check_known
from kripke_werewolf.base.files import parse_json, read_text
from kripke_werewolf.base.randomness import Draws
from kripke_werewolf.base.settings import Natural, Positive, as_data, check_fields, from_data
from kripke_werewolf.games.programs.chain import without_collection


@dataclass(frozen=True, slots=True)
class StoryItem:
    """A story, a question about it, and its answer.

    `id`: the same for items that differ only in names and wordings. `order`: the number of agents whose
    beliefs about each other are asked about. `order_needed`: the least depth of a question about this story
    that leaves out some of these agents and has the same answer; `order` if there is none. `formula`: true
    after the story, in the language of the library. `scene`: the story as the lines of a story file.
    `shortcuts`: what simple rules of guessing answer.
    `group`: the same for all items of a pair or a quadruple, whose stories differ in one sentence or in two;
    `corner`: which of the sentences stand in this story, 0 or 1 for each; `own`: these sentences. Every other
    sentence changes the answer, and the models after all stories of a group satisfy the same formulas about
    what is asked, of modal depth below `order`. `seed`: that of the run and the number of its batch.
    `version`: of the library.

    >>> item = StoryItem("1f", "rooms", "Anne is in the hall.", "Where is Anne?", "hall", ("hall",), 0, 0,
    ...                  "anne_in_hall", ("agents: Anne",), {}, "", (), (), "1/0", "1.0")
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
    shortcuts: Mapping[str, str | None]
    group: str
    corner: tuple[Natural, ...]
    own: tuple[str, ...]
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
U = TypeVar("U")
Corner: TypeAlias = tuple[int, ...]
"""Which of two sentences stands at each place of a story."""
YES_NO = ("yes", "no")
NAMES = "Anne Bob Carla David Emma Farid Gina Hugo Ines Jack Kira Liam Mona Nils Olga Paul Rosa Sven Tara Uri"
DEEPEST = 6
"""The highest order of a question."""
_TRIES, _RARE = 2000, 40_000  # stories that are tried for a question, and for a quadruple
_IDLE = 20  # batches without a new item after which there are no more


@dataclass(frozen=True, kw_only=True)
class Knobs:
    """The kind of items that a family should make; families add their own fields.

    `orders`: the orders of the questions, which take turns. `pairs`, `quadruples`: items come in groups of
    two or four. `agents`, `events`: how many a story has. `batch`: the number of stories of a batch.
    `possible`: the numbers that a family allows.
    """

    possible: ClassVar[dict[str, Sequence[int]]] = {
        "orders": range(1, DEEPEST + 1),
        "agents": range(2, 1 + len(NAMES.split())),
        "events": range(1, 201),
    }

    orders: tuple[Natural, ...] = (1, 2, 3, 4)
    pairs: bool = False
    quadruples: bool = False
    agents: Positive = 4
    events: Positive = 5
    batch: Positive = 60

    def __post_init__(self) -> None:
        check_fields(self)
        if self.quadruples and self.pairs:
            raise GameError("items are in pairs or in quadruples, not in both")
        for name, allowed in self.possible.items():
            value = getattr(self, name)
            given = {*value} if isinstance(value, tuple) else {value}
            if not given or given - {*allowed}:
                numbers = f"{allowed[0]} to {allowed[-1]}"
                raise GameError(f"{name}={value!r} is not possible (allowed: {numbers})")


class Certificate(NamedTuple):
    """What follows from the text of a story and a question alone; the fields are those of an item.

    `answers`: the answer by each engine, by its name, which must agree.
    """

    answers: Mapping[str, str | None]
    order: int
    order_needed: int
    formula: str
    scene: tuple[str, ...]
    shortcuts: Mapping[str, str | None]


Group: TypeAlias = tuple[StoryItem, ...]
"""Items that belong together: an item, a pair or a quadruple."""


class Version(NamedTuple):
    """One story of a group: which sentences stand in it, its shape without names and wordings, its text."""

    corner: Corner
    own: tuple[str, ...]
    shape: object
    text: str


class Disagreement(KripkeError, RuntimeError):
    """Two derivations of one answer that differ: an error of this library."""


@dataclass(frozen=True)
class Family(ABC):
    """A family of stories, with its name and its knobs."""

    name: str
    knobs: type[Knobs]

    @abstractmethod
    def tried(self, knobs: Any, order: int, draws: Draws, seed: str) -> Iterable[Group]:
        """Yield the groups about one random story, if it has any; `seed` is its name."""

    @abstractmethod
    def derive(self, story: str, question: str) -> Certificate:
        """Read a story and a question in English, and derive everything from them.

        Raises `FormatError` for a sentence that is not of the family.
        """

    @abstractmethod
    def alike(self, story: str, other: str, question: str, depth: int) -> bool:
        """Return whether the models after two stories satisfy the same formulas up to a depth."""

    def items(self, knobs: Any, draws: Draws, seed: str) -> Iterator[Group]:
        """Yield the items of one batch: the orders take turns, each with the first story that fits.

        Without pairs and quadruples they are one item of each group.
        """
        attempts = _RARE if knobs.quadruples else _TRIES
        for number in range(knobs.batch):
            order = knobs.orders[number % len(knobs.orders)]
            tries = ([*self.tried(knobs, order, draws, seed)] for _ in range(attempts))
            groups = next((groups for groups in tries if groups), None)
            if groups is None:
                raise GameError(
                    f"no story of {knobs.agents} people for a question of order {order} in {attempts:,} "
                    "attempts; ask for more agents or events, for lower orders, or for less of what knobs add"
                )
            for group in groups:
                alone = not knobs.pairs and not knobs.quadruples
                yield (replace(draws.choice(group), group="", corner=(), own=()),) if alone else group

    def told(
        self, versions: Sequence[Version], question: str, seed: str, choices: tuple[str, ...] = YES_NO
    ) -> Group:
        """Return the items of a question about the versions of a story.

        Raises `Disagreement` unless the engines agree, and every other sentence changes the answer.
        """
        made = []
        for corner, own, shape, text in versions:
            found = self.derive(text, question)
            answer, *others = {*found.answers.values()}
            if others or answer is None:
                raise Disagreement(f"the engines disagree about {question!r} after {text!r}")
            name = blake2b(repr(shape).encode(), digest_size=8).hexdigest()
            about = (name, self.name, text, question, answer, choices, *found[1:], "", corner, own)
            made.append(StoryItem(*about, seed, __version__))
        turned = {(sum(item.corner) % 2, item.answer) for item in made}
        if len(made) > 1 and not len(turned) == len({item.answer for item in made}) == 2:
            raise Disagreement(f"the sentences do not change the answer to {question!r}: {versions}")
        return tuple(replace(item, group=made[0].id) for item in made)


def yes_no(true: object) -> str:
    """Return the answer to a question for yes or no."""
    return "yes" if true else "no"


@lru_cache(maxsize=1 << 14)
def likeness(one: str, other: str) -> tuple[float, ...]:
    """Return how alike two strings look: the share of common words, and the parts that agree and differ."""
    mine, theirs = ({*text.rstrip(".?").split()} for text in (one, other))
    phrases = [re.split(", | and ", re.sub(r"^.*\bthat ", "", text).rstrip(".?")) for text in (one, other)]
    here, there = ({phrase.partition(" ")[0]: phrase for phrase in own} for own in phrases)
    same = [here[word] == there[word] for word in here if word in there]
    return len(mine & theirs) / max(1, len(mine | theirs)), sum(same), same.count(False)


def random_chain(agents: Sequence[T], length: int, draws: Draws) -> tuple[T, ...]:
    """Return random agents of whom nobody stands next to themselves."""
    chain = list[T]()
    while len(chain) < length:
        chain.append(draws.choice([agent for agent in agents if agent not in chain[-1:]]))
    return tuple(chain)


def parts(chain: Sequence[T]) -> Iterator[tuple[T, ...]]:
    """Yield the chains that leave out some agents, the shortest first; nobody stands next to themselves.

    >>> list(parts(["a", "b", "a"]))
    [(), ('a',), ('b',), ('a',), ('a', 'b'), ('b', 'a')]
    """
    for length in range(len(chain)):
        for some in combinations(chain, length):
            if all(one != other for one, other in pairwise(some)):
                yield some


def corners(
    story: T, changes: Iterable[tuple[int, Sequence[U]]], put: Callable[[T, int, U], T]
) -> dict[Corner, T]:
    """Return the stories with all choices of what stands at some places.

    >>> put = lambda text, place, new: text[:place] + new + text[place + 1 :]
    >>> corners("abc", [(0, "ax"), (2, "cy")], put)
    {(0, 0): 'abc', (0, 1): 'aby', (1, 0): 'xbc', (1, 1): 'xby'}
    """
    found: dict[Corner, T] = {(): story}
    for place, options in changes:
        choices = product(found.items(), enumerate(options))
        found = {(*corner, side): put(own, place, new) for (corner, own), (side, new) in choices}
    return found


def least_order(chain: Sequence[T], answer: Callable[[Sequence[T]], object]) -> int:
    """Return the length of the shortest part of a chain with the same answer as all of it."""
    own = answer(chain)
    return next((len(part) for part in parts(chain) if answer(part) == own), len(chain))


def shorter(chain: Sequence[T], answer: Callable[[Sequence[T]], str | None]) -> dict[str, str | None]:
    """Return the answer of somebody who leaves out some of the agents of a question, by what they do."""
    left = {"reality": (), "drop the first agent": chain[1:], "drop the last agent": chain[:-1]}
    return {name: answer(part) for name, part in left.items()}


FAMILIES = ("announcements", "avalon", "gossip", "rooms", "werewolf")
"""The names of the families."""
_MODULES = {"avalon": "players", "werewolf": "players"}


def family_named(name: str) -> Family:
    """Return a family; raise `UnknownNameError` for any other name."""
    module = _MODULES.get(check_known(name, FAMILIES, kind="family"), name)
    found: Family = getattr(import_module(f"kripke_werewolf.research.forge.{module}"), name.upper())
    return found


def batch(family: str, knobs: Knobs, seed: int, number: int) -> list[Group]:
    """Return the items of one batch."""
    name = f"{seed}/{number}"
    with without_collection():  # a batch makes few cycles, and a collection visits all that stories share
        return list(family_named(family).items(knobs, Draws(f"{family}/{name}"), name))


def forged(
    family: Family, knobs: Knobs, *, items: int, seed: int, executor: Executor | None = None
) -> Generator[StoryItem, None, None]:
    """Yield items of a family, distinct up to names, in whole groups; `items`: the least number of them.

    The items depend only on the knobs and the seed, not on `executor`, which makes the batches, and the first
    items of a longer run are those of a shorter one.

    >>> rooms = family_named("rooms")
    >>> first, twin = forged(rooms, rooms.knobs(pairs=True), items=2, seed=1)
    >>> first.group == twin.group, first.answer == twin.answer
    (True, False)

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
            known |= own
            yield from group
            if len(known) >= items:
                return
        idle = idle + 1 if len(known) == before else 0
        if idle == _IDLE:
            raise GameError(
                f"only {len(known):,} distinct items of the family {family.name} were found, of {items:,}; "
                "ask for fewer, or for more agents or events"
            )


_PENDING = 64  # batches that are given to the executor ahead
