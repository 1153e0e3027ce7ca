"""Exercises generated from a seed, with answers verified by the checker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from kripke_werewolf.base.errors import FormulaError, ModelError, Undecided, check_known
from kripke_werewolf.base.randomness import generator
from kripke_werewolf.logic.formulas import parse
from kripke_werewolf.teach.exercises.exercise import Card, Exercise, Setting, kind_named, modal_depth
from kripke_werewolf.teach.exercises.exercise import Rng as Rng

_TRIES = 3000
_TRIES_EACH = 100  # before another verdict or the like is drawn


class Unsuitable(Exception):
    """An attempt to generate an exercise has failed; another one may succeed."""


def assume(condition: object) -> None:
    """Raise `Unsuitable`, so that another attempt is made, unless a condition holds."""
    if not condition:
        raise Unsuitable


def checked_parameters(kind: str, given: Mapping[str, Setting]) -> dict[str, Setting]:
    """Return all parameters of a kind, with defaults for those not given.

    Raises `UnknownNameError` for an unknown kind or parameter, `ModelError` for a value that is not allowed.

    >>> checked_parameters("model-checking", {"size": 5})
    {'size': 5, 'depth': 2}
    """
    parameters = kind_named(kind).parameters
    found = {name: parameter.default for name, parameter in parameters.items()}
    for name, value in given.items():
        parameter = parameters[check_known(name, parameters, kind=f"parameter of {kind}")]
        settled = parameter.settled(value)
        if settled is None:
            allowed = f"{name} of {kind} ({parameter.meaning}) may be {parameter.allowed_text}"
            raise ModelError(f"{allowed}, got {value!r}")
        found[name] = settled
    return found


def new_exercise(kind: str, *, rng: Rng | int | None = None, **parameters: Setting) -> Exercise:
    """Return a new exercise of a kind, such as one about an S5 model with `size` worlds.

    The parameters are those of the kind (`Exercise.kinds[kind].parameters`). The same seed gives the same
    exercise.

    Raises `UnknownNameError` for an unknown kind or parameter, `ModelError` if a value is not allowed or no
    such exercise is found.

    >>> exercise = new_exercise("model-checking", size=4, depth=2, rng=1)
    >>> exercise.check(exercise.solution()).right
    True
    """
    return next(alike(kind, generator(rng), parameters))


def dealt(suits: Sequence[Sequence[Card]], rng: Rng, place: int) -> Card:
    """Return the card at a place, from 0, when all cards are dealt; `rng` shuffles them.

    No suit comes up again before the others have, and no card before the others of its suit.

    >>> from numpy.random import default_rng
    >>> suits = ([{"n": 1}, {"n": 3}], [{"n": 2}, {"n": 4}])
    >>> sorted(dealt(suits, default_rng(7), place)["n"] for place in range(4))
    [1, 2, 3, 4]
    """
    shuffled = [[suit[k] for k in rng.permutation(len(suit))] for suit in suits]
    passed, at = divmod(place, len(suits))
    orders = [rng.permutation(len(suits)) for _ in range(passed + 1)]
    suit: Sequence[Card] = shuffled[int(orders[passed][at])]
    return suit[passed % len(suit)]


def deck_of(kind: str, parameters: Mapping[str, Any]) -> Sequence[Sequence[Card]]:
    """Return the cards of a list of formulas, if one is given, otherwise the deck of a kind."""
    others = dict(parameters)
    listed = [{"principle": f, "depth": modal_depth(f)} for f in map(parse, others.pop("formulas", ()))]
    return [listed] if listed else Exercise.kinds[kind].deck(**others)


def alike(
    kind: str, rng: Rng, parameters: Mapping[str, Setting], card: Card | None = None
) -> Iterator[Exercise]:
    """Yield new exercises of a kind with the same card of its `deck`: this one, or one that is drawn.

    Another card is drawn if no exercise is found. Raises as `new_exercise`.
    """
    values = checked_parameters(kind, parameters)
    suits, others = deck_of(kind, values), {k: v for k, v in values.items() if k != "formulas"}
    failed, fixed = 0, False
    while failed < _TRIES:
        if not fixed and failed % _TRIES_EACH == 0 and (failed or card is None):
            suit = suits[int(rng.random() * len(suits)) if len(suits) > 1 else 0]
            card = suit[int(rng.integers(len(suit)))]
        failed += 1
        with suppress(Unsuitable, FormulaError, Undecided):
            found = Exercise.kinds[kind].generate(rng, **{**others, **(card or {})})
            if found is not None and found.solvable():
                failed, fixed = 1, True
                yield found
    wanted = ", ".join(f"{name} {value}" for name, value in values.items())
    raise ModelError(f"no exercise of the kind {kind} with {wanted} was found in {_TRIES:,} attempts")
