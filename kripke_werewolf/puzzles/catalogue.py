"""All puzzles by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from types import MappingProxyType

from kripke_werewolf.errors import ModelError, UnknownNameError
from kripke_werewolf.puzzles.attack import coordinated_attack
from kripke_werewolf.puzzles.cards import aces_and_eights, hexa, russian_cards
from kripke_werewolf.puzzles.cheryl import cheryl
from kripke_werewolf.puzzles.children import muddy_children
from kripke_werewolf.puzzles.exam import surprise_exam
from kripke_werewolf.puzzles.gossip import gossip
from kripke_werewolf.puzzles.logicians import dining_cryptographers, drinking_logicians
from kripke_werewolf.puzzles.numbers import consecutive_numbers, sum_and_product, what_sum
from kripke_werewolf.puzzles.prisoners import prisoners
from kripke_werewolf.puzzles.puzzle import Puzzle
from kripke_werewolf.puzzles.resistance import resistance
from kripke_werewolf.puzzles.sally_anne import sally_anne
from kripke_werewolf.puzzles.wise_men import three_wise_men

__all__ = ["PUZZLES", "puzzle"]

PUZZLES: Mapping[str, Callable[..., Puzzle]] = MappingProxyType(
    {
        "muddy-children": muddy_children,
        "three-wise-men": three_wise_men,
        "cheryl": cheryl,
        "sum-and-product": sum_and_product,
        "russian-cards": russian_cards,
        "consecutive-numbers": consecutive_numbers,
        "surprise-exam": surprise_exam,
        "drinking-logicians": drinking_logicians,
        "dining-cryptographers": dining_cryptographers,
        "aces-and-eights": aces_and_eights,
        "hexa": hexa,
        "gossip": gossip,
        "prisoners": prisoners,
        "coordinated-attack": coordinated_attack,
        "sally-anne": sally_anne,
        "resistance": resistance,
        "what-sum": what_sum,
    }
)


def puzzle(name: str, *, n: int | None = None) -> Puzzle:
    """Return a puzzle by its name, of size n where the puzzle has a size.

    Raises `UnknownNameError` for another name, and `ModelError` for a size it cannot have.

    >>> len(puzzle("muddy-children", n=5).model)
    32
    """
    build = PUZZLES.get(name)
    if build is None:
        raise UnknownNameError(name, PUZZLES, kind="puzzle")
    if n is None:
        return build()
    if "n" not in signature(build).parameters:
        raise ModelError(f"the puzzle {name} has no size n")
    return build(n=n)
