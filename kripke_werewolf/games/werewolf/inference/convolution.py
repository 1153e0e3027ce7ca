"""Convolution: all ways to choose one option of each part such that the sums are as required.

Every option has a vector of whole numbers, a set of flags and a weight. The vectors are added and the flags
united, part by part. The sums of the first parts that are on the way to an end within bounds are the states
of a layered graph, in which options lead from state to state. The graph of a single number is small. The
graph of several numbers is the product of theirs, again restricted to what is on the way to an end: first the
numbers that must be met exactly, then the others and the flags. Weights are exact integers, added up along
the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import lcm, prod
from operator import or_
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from kripke_werewolf.games.werewolf.budget import Budget, Unfinished

Numbers: TypeAlias = NDArray[np.int64]
Bounds: TypeAlias = tuple[float, float]
"""The least and greatest value of a sum, infinite if it is not bounded."""

_CHUNK = 1 << 20
"""The largest number of sums that are made at once."""
_FLAGS = 50
"""How many flags a number holds."""


class _NoEnd(Exception):
    """No choice of options is within the bounds."""


@dataclass(frozen=True, slots=True)
class Summand:
    """An option of a part."""

    numbers: tuple[int, ...]
    flags: int
    weights: tuple[Fraction, ...]
    """Its weights; each is multiplied along a choice of all parts."""


@dataclass(frozen=True, slots=True)
class Total:
    """All choices: for each part and option, the sum over the choices with it, weight by weight."""

    shares: tuple[tuple[tuple[int, ...], ...], ...]
    unit: int
    """The divisor of the sums."""
    example: tuple[int, ...]
    """The option of each part in one choice."""


def convolve(
    parts: Sequence[Sequence[Summand]],
    bounds: Sequence[Bounds],
    finish: Callable[[Sequence[int], int], tuple[Fraction, ...] | None],
    budget: Budget,
) -> Total | None:
    """Return the sums over all choices of one option per part whose numbers are within bounds.

    `finish` accepts the numbers and flags of an end and returns one factor for each weight, or None. None if
    no choice is accepted. Raises Unfinished beyond the budget.
    """
    if not all(parts):
        return None
    numbers = list(_numbers(parts, bounds))
    columns = [*numbers, *_flags(parts)]
    addition = _Addition(budget)
    try:
        singles = [addition.single(column) for column in columns]
        choices = [sum(len(before) for before, _, _ in single.edges) for single in singles]
        order = sorted(range(len(columns)), key=choices.__getitem__)
        sums = reduce(addition.product, (singles[n] for n in order))
    except _NoEnd:
        return None
    ends = (sums.ends[:, np.argsort(order)] + [column.offset for column in columns]).tolist()
    flags = (sum(some << _FLAGS * k for k, some in enumerate(end[len(numbers) :])) for end in ends)
    finished = [finish(end[: len(numbers)], united) for end, united in zip(ends, flags, strict=True)]
    accepted = [factors for factors in finished if factors is not None]
    if not accepted:
        return None
    none = (Fraction(0),) * len(accepted[0])
    factors, unit = _whole([end or none for end in finished])
    weights, units = zip(*(_whole([option.weights for option in part]) for part in parts), strict=True)
    shares = _shares(sums, weights, factors, budget)
    return Total(shares, unit * prod(units), sums.path(finished.index(accepted[0])))


def _whole(fractions: Sequence[Sequence[Fraction]]) -> tuple[NDArray[Any], int]:
    """Return fractions as whole numbers, and their common denominator."""
    unit = lcm(*(f.denominator for row in fractions for f in row))
    return np.array([[int(f * unit) for f in row] for row in fractions], object), unit


class _Column(NamedTuple):
    """A number of all options, or some flags."""

    values: tuple[tuple[int, ...], ...]
    """Its value for each option of each part; numbers minus the least of the part."""
    add: np.ufunc
    """How values are added."""
    low: float
    high: float
    """The bounds of the sum."""
    offset: int = 0
    """What is missing from the sum."""


def _numbers(parts: Sequence[Sequence[Summand]], bounds: Sequence[Bounds]) -> Iterator[_Column]:
    for c, (lowest, highest) in enumerate(bounds):
        numbers = [[option.numbers[c] for option in part] for part in parts]
        least = [min(part) for part in numbers]
        values = tuple(tuple(n - x for n in part) for part, x in zip(numbers, least, strict=True))
        yield _Column(values, np.add, lowest - sum(least), highest - sum(least), sum(least))


def _flags(parts: Sequence[Sequence[Summand]]) -> Iterator[_Column]:
    every = reduce(or_, (option.flags for part in parts for option in part))
    for shift in range(0, every.bit_length(), _FLAGS):
        some = (1 << _FLAGS) - 1
        values = tuple(tuple(option.flags >> shift & some for option in part) for part in parts)
        yield _Column(values, np.bitwise_or, 0, some)


Edges: TypeAlias = tuple[Numbers, Numbers, Numbers]
"""The choices of one part: the state before, the kind of the option, the state after."""


class _Sums(NamedTuple):
    """The sums of the first parts that are on the way to an end, for some of the numbers."""

    kinds: Sequence[Numbers]
    """For each part, the kind of each option: those of one kind add the same."""
    edges: Sequence[Edges]
    """For each part, the choices, by the state before."""
    ends: Numbers
    """The sums of all parts: a row for each state after the last part."""

    def size(self, part: int) -> int:
        """Return the number of states before a part, or after the last one."""
        return len(self.ends) if part == len(self.edges) else int(self.edges[part][0][-1]) + 1

    def following(self, part: int, states: Numbers) -> Numbers:
        """Return the states after some states before a part, for each of its options; -1 for none."""
        before, kind, after = self.edges[part]
        low, high = int(states.min()), int(states.max()) + 1
        some = slice(*np.searchsorted(before, (low, high)))
        found = np.full((high - low, len(self.kinds[part])), -1)
        found[before[some] - low, kind[some]] = after[some]
        return found[states - low]

    def path(self, state: int) -> tuple[int, ...]:
        """Return the options of one choice of all parts that leads to an end."""
        chosen: list[int] = []
        for (before, kind, after), kinds in zip(reversed(self.edges), reversed(self.kinds), strict=True):
            last = np.argmax(after == state)
            chosen.append(int(np.argmax(kinds == kind[last])))
            state = int(before[last])
        return tuple(reversed(chosen))


Step: TypeAlias = Callable[[int, Numbers], Numbers]
"""From a part and some states before it to the states after each kind of option; -1 for none."""


@dataclass
class _Addition:
    """The addition of all parts."""

    budget: Budget

    def single(self, column: _Column) -> _Sums:
        """Return the sums of one column."""
        parts = [np.unique(np.array(part), return_inverse=True) for part in column.values]
        most = list(map(max, column.values))

        def step(part: int, states: Numbers) -> Numbers:
            sums = column.add.outer(states, parts[part][0])
            within = (sums <= column.high) & (sums + sum(most[part + 1 :]) >= column.low)
            return np.where(within, sums, -1)

        return self._sums([kinds for _, kinds in parts], step, lambda states: states[:, None])

    def product(self, one: _Sums, other: _Sums) -> _Sums:
        """Return the sums of the numbers of both."""
        both = zip(one.kinds, other.kinds, strict=True)
        pairs = [mine * (theirs.max() + 1) + theirs for mine, theirs in both]
        parts = [np.unique(pair, return_index=True, return_inverse=True) for pair in pairs]

        def step(part: int, states: Numbers) -> Numbers:
            _, option, _ = parts[part]
            i, j = np.divmod(states, other.size(part))
            mine = one.following(part, i)[:, one.kinds[part][option]]
            theirs = other.following(part, j)[:, other.kinds[part][option]]
            return np.where((mine < 0) | (theirs < 0), -1, mine * other.size(part + 1) + theirs)

        def ends(states: Numbers) -> Numbers:
            i, j = np.divmod(states, len(other.ends))
            return np.hstack((one.ends[i], other.ends[j]))

        return self._sums([kinds for _, _, kinds in parts], step, ends)

    def _sums(self, kinds: Sequence[Numbers], step: Step, ends: Callable[[Numbers], Numbers]) -> _Sums:
        """Return the states that are on the way to an end; raise _NoEnd if there is none."""
        layers = [np.zeros(1, np.int64)]
        for part, options in enumerate(kinds):
            found = [np.unique(after) for _, after in self._after(step, part, layers[-1], len(options))]
            every = found[0] if len(found) == 1 else np.unique(np.concatenate(found))
            layers.append(every[every >= 0])
            if (states := sum(map(len, layers))) > self.budget.states:
                raise Unfinished(f"more than {self.budget.states:,} partial sums ({states:,})")
            if not len(layers[-1]):
                raise _NoEnd
        edges: list[Edges] = []
        live = layers[-1]
        for part in reversed(range(len(kinds))):
            hits = []
            for at, after in self._after(step, part, layers[part], len(kinds[part])):
                place = np.minimum(np.searchsorted(live, after), len(live) - 1)
                before, kind = np.nonzero(live[place] == after)
                hits.append((at + before, kind, place[before, kind]))
            before, kind, following = map(np.concatenate, zip(*hits, strict=True))
            new = np.diff(before, prepend=-1) > 0  # they are in order
            edges.append((np.cumsum(new) - 1, kind, following))
            live = layers[part][before[new]]
        return _Sums(kinds, edges[::-1], ends(layers[-1]))

    def _after(self, step: Step, part: int, states: Numbers, options: int) -> Iterator[tuple[int, Numbers]]:
        """Yield the states after some states, with the place of the first of these."""
        size = max(1, _CHUNK // options)
        for at in range(0, len(states), size):
            self.budget.tick()
            yield at, step(part, states[at : at + size])


def _shares(
    sums: _Sums, weights: Sequence[NDArray[Any]], factors: NDArray[Any], budget: Budget
) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return for each part and option the sum over all choices with it, weight by weight."""
    alike = [_gathered(w, kinds, int(kinds.max()) + 1) for w, kinds in zip(weights, sums.kinds, strict=True)]
    forward = [np.ones((1, factors.shape[1]), object)]
    for part, (before, kind, after) in enumerate(sums.edges):
        budget.tick()
        forward.append(_gathered(forward[-1][before] * alike[part][kind], after, sums.size(part + 1)))
    found, backward = [], factors
    for part in reversed(range(len(weights))):
        budget.tick()
        before, kind, after = sums.edges[part]
        through = _gathered(forward[part][before] * backward[after], kind, len(alike[part]))
        found.append(tuple(map(tuple, (through[sums.kinds[part]] * weights[part]).tolist())))
        backward = _gathered(backward[after] * alike[part][kind], before, sums.size(part))
    return tuple(reversed(found))


def _gathered(values: NDArray[Any], places: Numbers, size: int) -> NDArray[Any]:
    """Return the sums of the rows by place."""
    found = np.zeros((size, values.shape[1]), object)
    np.add.at(found, places, values)
    return found
