"""Decisions: read, and checked against the player's knowledge and for hidden randomness.

A decision is a formula whose truth value at the actual world the player must know: it depends only on the
worlds that the player considers possible. It may also be mixed (`choose`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

import numpy as np

from kripke_werewolf.base.errors import (
    FormulaError,
    GameError,
    IllegalMove,
    KripkeError,
    cut_off,
)
from kripke_werewolf.games.programs.chance import ONE, ZERO, Mixed
from kripke_werewolf.games.programs.knowledge import Knowledge
from kripke_werewolf.logic.formulas import Formula
from kripke_werewolf.logic.formulas.syntax import FormulaLike, asked_formula, formula
from kripke_werewolf.logic.notation.parser import unindexed

T = TypeVar("T")
Rule: TypeAlias = Formula | Mixed[Formula]
"""A decision: a formula, or several with their probabilities."""


def timeless(value: FormulaLike, agents: Collection[str] | None) -> Formula:
    """Return the formula of a query in a game; see `asked_formula`.

    In games `<>` and `[]` need an agent, since they are easily meant as operators of time; games have none.
    Raises FormulaError.
    """
    if not isinstance(value, str):
        return asked_formula(value, ())
    return _timeless(value, None if agents is None else tuple(agents))


@lru_cache(4096)
def _timeless(text: str, agents: tuple[str, ...] | None) -> Formula:
    found = formula(text, agents=agents)
    if any(not sign.isalpha() for sign in unindexed(text).signs):
        raise FormulaError(
            f"{text!r} has a box or diamond without an agent; did you mean {found}? (formulas about a game "
            "have no operators of time; for what happens when, measure at several moments: timeline, first)"
        )
    return found


class _Undeclared(GameError):
    """A decision that depends on chance, or on something else that the strategy does not declare."""


def twice(ask: Callable[[], T]) -> T:
    """Return the answer of a strategy, asked twice.

    Raises `_Undeclared` if the answers differ, or if a global generator of random numbers was used.
    """
    before = _chance()
    first, second = ask(), ask()
    if _chance() != before:
        raise _Undeclared(
            "draws random numbers, which an exact solution cannot follow: mix with choose({…}) instead"
        )
    if first != second:
        once, again = (cut_off(str(answer), 100) for answer in (first, second))
        raise _Undeclared(
            f"answers {once} when asked once and {again} when asked again: a decision may depend on "
            "parameters and on what the strategy is asked, not on chance (mix with choose({…})) or on what "
            "happened before"
        )
    return first


def _chance() -> Any:
    state: Any = np.random.get_state()  # noqa: NPY002 - whether strategies use it is the question
    _, keys, place, *_ = state
    return random.getstate(), place, keys.tobytes()


def as_rule(answer: object, *, agents: Collection[str] | None = None) -> Rule:
    """Return a decision as a formula or as a mixture of formulas; raises KripkeError for anything else."""
    if isinstance(answer, Formula):
        return answer
    if isinstance(answer, Mixed):
        weights: dict[Formula, Fraction] = {}
        for option, p in answer.weights:
            read = as_rule(option, agents=agents)
            if isinstance(read, Mixed):
                raise GameError("a mixed decision cannot be an option of another")
            weights[read] = weights.get(read, ZERO) + p
        return Mixed(tuple(weights.items()))
    dtype = getattr(answer, "dtype", None)
    if dtype is not None and getattr(dtype, "kind", "") == "b" and not getattr(answer, "shape", ()):
        return formula(bool(answer))  # numpy's truth values are accepted
    if isinstance(answer, str):
        return timeless(answer, agents)
    return formula(answer)  # type: ignore[arg-type]


def decided(rule: Rule, knowledge: Knowledge, cell: int) -> Fraction | Formula:
    """Return the probability of yes for a player who considers these worlds possible.

    If the player does not know the truth value of a formula of the decision, that formula is returned.
    """
    total = ZERO
    for f, p in weighed(rule):
        found = knowledge.settled(f, cell)
        if found is None:
            return f
        if found:
            total = total + p if total else p
    return total


def weighed(rule: Rule) -> tuple[tuple[Formula, Fraction], ...]:
    """Return the formulas of a decision with their probabilities."""
    return rule.weights if isinstance(rule, Mixed) else ((rule, ONE),)


def supports(rule: Rule, knowledge: Knowledge) -> tuple[int, int]:
    """Return the worlds at which a decision may be yes, and those at which it may be no."""
    everywhere, may, not_ = knowledge.space.all, 0, 0
    for f, _ in weighed(rule):
        yes = knowledge.truth(f)
        may, not_ = may | everywhere & yes, not_ | everywhere & ~yes
    return may, not_


def answering(
    knowledge: Knowledge, cell: int, illegal: Callable[[str], IllegalMove]
) -> tuple[Callable[[FormulaLike], bool], dict[Formula, bool]]:
    """Return the function that answers the questions of a player, and the answers given so far.

    The player considers the worlds of a cell possible; a formula whose truth they do not know is an error.
    """
    asked: dict[Formula, bool] = {}

    def holds(f: FormulaLike) -> bool:
        try:
            read = timeless(f, knowledge.space.relations)
            found = knowledge.settled(read, cell)
        except KripkeError as error:
            raise illegal(f"decides by {f} ({error})") from error
        if found is None:
            raise illegal(f"decides by {read}, which they neither know to be true nor know to be false")
        asked[read] = found
        return found

    return holds, asked


def answered(ask: Callable[[], T], illegal: Callable[[str], IllegalMove], *, ours: bool) -> T:
    """Return the answer of a strategy; exceptions in it are raised as errors of the player.

    `ours`: whether all its code is the library's own; it is then asked only once.
    """
    try:
        return ask() if ours else twice(ask)
    except IllegalMove:
        raise
    except _Undeclared as error:
        raise illegal(f"their strategy {error}") from error
    except KripkeError as error:
        raise illegal(f"decides wrongly ({error})") from error
    except Exception as error:
        raise illegal(f"their strategy raises {type(error).__name__}: {error}") from error
