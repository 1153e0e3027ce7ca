"""All puzzles by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from types import MappingProxyType
from typing import Any

from kripke_werewolf.errors import ModelError, UnknownNameError
from kripke_werewolf.puzzles import actions, announcements, cards, numbers
from kripke_werewolf.puzzles.puzzle import Engine, Puzzle

_DECLARED: Mapping[Callable[..., Puzzle], str] = {
    announcements.muddy_children: "Some of n children are muddy; each sees the others' foreheads only.",
    announcements.three_wise_men: "Three men wear hats from a stock of three red and two white ones.",
    announcements.cheryl: "Cheryl tells Albert the month of her birthday, and Bernard the day.",
    numbers.sum_and_product: "S knows the sum of two numbers, P their product; the sum is at most n.",
    cards.russian_cards: "Two players tell each other their cards aloud, and the third must not learn them.",
    numbers.consecutive_numbers: "Two agents have consecutive numbers, at most n; each sees only its own.",
    announcements.surprise_exam: "A teacher announces a surprise exam on one of the next n days.",
    announcements.drinking_logicians: "n logicians are asked in a bar whether all of them want beer.",
    announcements.dining_cryptographers: "n cryptographers find out whether one of them paid, but not who.",
    cards.aces_and_eights: "Three players wear two cards each on their foreheads, aces or eights.",
    cards.hexa: "Three players hold one card each, and see only their own.",
    actions.gossip: "Each of n agents has a secret; two who call each other exchange all they have.",
    actions.prisoners: "One of n prisoners is called each day into a room with a light.",
    announcements.coordinated_attack: "Two generals send each other a messenger up to n times.",
    actions.sally_anne: "Anne moves Sally's marble while Sally is away.",
    cards.resistance: "Two of five players are spies, and a mission fails if a spy sabotages it.",
    numbers.what_sum: "Three agents wear numbers, at most n; one is the sum of the others.",
}

PUZZLES: Mapping[str, Callable[..., Puzzle]] = MappingProxyType(
    {build.__name__.replace("_", "-"): build for build in _DECLARED}
)
ABOUT: Mapping[str, str] = MappingProxyType({name: _DECLARED[build] for name, build in PUZZLES.items()})
"""A sentence on each puzzle, for any size."""


def puzzle(name: str, n: int | None = None, *, engine: Engine = "explicit", **options: Any) -> Puzzle:
    """Return a puzzle by its name, of size n where the puzzle has a size, on one of the engines.

    `options`: the other arguments of the function of that puzzle, such as `muddy` of `muddy_children`. Raises
    `UnknownNameError` for an unknown name or option, and `ModelError` for an impossible size.

    >>> len(puzzle("muddy-children", 5).model)
    32
    """
    build = PUZZLES.get(name)
    if build is None:
        raise UnknownNameError(name, PUZZLES, kind="puzzle")
    taken = signature(build).parameters
    for option in options:
        if option not in taken:
            raise UnknownNameError(option, taken, kind="argument", place=f"the puzzle {name}")
    if n is None:
        return build(engine=engine, **options)
    if "n" not in taken:
        raise ModelError(f"the puzzle {name} has no size n")
    return build(n, engine=engine, **options)
