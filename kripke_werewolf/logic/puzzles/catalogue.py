"""All puzzles by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from pathlib import Path
from typing import Any

from kripke_werewolf.base.display import Catalogue
from kripke_werewolf.base.errors import FormatError, ModelError, UnknownNameError, check_known
from kripke_werewolf.base.usage import explained
from kripke_werewolf.logic.puzzles import actions, announcements, beliefs, cards, numbers
from kripke_werewolf.logic.puzzles.puzzle import Engine, Puzzle

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
    beliefs.professor: "A professor feels like a genius, which may only be due to drink.",
    beliefs.diagnosis: "A doctor revises a diagnosis after each test.",
    beliefs.nearest_worlds: "n lamps were off, and an agent believes what changes least.",
    numbers.what_sum: "Three agents wear numbers, at most n; one is the sum of the others.",
}

PUZZLES = Catalogue.of({one.__name__.replace("_", "-"): one for one in _DECLARED}, _DECLARED.__getitem__)
"""The functions that build the puzzles, each with a sentence for any size."""


def puzzle(name: str, n: int | None = None, *, engine: Engine = "explicit", **options: Any) -> Puzzle:
    """Return a puzzle by its name, of size n where the puzzle has a size, on one of the engines.

    `options`: the other arguments of the function of that puzzle, such as `muddy` of `muddy_children`. Raises
    `UnknownNameError` for an unknown name, `CallError` for an unknown option, and `ModelError` for an
    impossible size.

    >>> len(puzzle("muddy-children", 5).model)
    32
    """
    build = PUZZLES[check_known(name, PUZZLES, kind="puzzle")]
    if n is not None and "n" not in signature(build).parameters:
        raise ModelError(f"the puzzle {name} has no size n")
    given = {option: value for option, value in {"n": n, **options}.items() if value is not None}
    found: Puzzle = explained(build)(**given, engine=engine)
    return found


def names_puzzle(source: str, n: int | None = None) -> bool:
    """Whether a command means a puzzle by `source`, and not a file.

    Raises `FormatError` for a size given with a file, and `UnknownNameError` for a word that is neither.

    >>> names_puzzle("cheryl"), names_puzzle("model.json")
    (True, False)
    """
    if source in PUZZLES:
        return True
    if n is not None:
        raise FormatError(f"a size is for puzzles, and {source!r} is not one of them: {', '.join(PUZZLES)}")
    path = Path(source)
    if path.name == source and not path.suffix and not path.exists():
        beside = sorted(file.name for file in Path().iterdir())
        raise UnknownNameError(source, [*PUZZLES, *beside], kind="puzzle or file")
    return False
