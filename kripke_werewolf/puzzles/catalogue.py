"""All puzzles by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from types import MappingProxyType

from kripke_werewolf.errors import ModelError, UnknownNameError
from kripke_werewolf.puzzles import actions, announcements, cards, numbers
from kripke_werewolf.puzzles.puzzle import Engine, Puzzle

_BUILDERS: tuple[Callable[..., Puzzle], ...] = (
    announcements.muddy_children,
    announcements.three_wise_men,
    announcements.cheryl,
    numbers.sum_and_product,
    cards.russian_cards,
    numbers.consecutive_numbers,
    announcements.surprise_exam,
    announcements.drinking_logicians,
    announcements.dining_cryptographers,
    cards.aces_and_eights,
    cards.hexa,
    actions.gossip,
    actions.prisoners,
    announcements.coordinated_attack,
    actions.sally_anne,
    cards.resistance,
    numbers.what_sum,
)

PUZZLES: Mapping[str, Callable[..., Puzzle]] = MappingProxyType(
    {build.__name__.replace("_", "-"): build for build in _BUILDERS}
)


def puzzle(name: str, n: int | None = None, *, engine: Engine = "explicit") -> Puzzle:
    """Return a puzzle by its name, of size n where the puzzle has a size, on one of the engines.

    Raises `UnknownNameError` for another name, and `ModelError` for a size it cannot have.

    >>> len(puzzle("muddy-children", 5).model)
    32
    """
    build = PUZZLES.get(name)
    if build is None:
        raise UnknownNameError(name, PUZZLES, kind="puzzle")
    if n is None:
        return build(engine=engine)
    if "n" not in signature(build).parameters:
        raise ModelError(f"the puzzle {name} has no size n")
    return build(n, engine=engine)
