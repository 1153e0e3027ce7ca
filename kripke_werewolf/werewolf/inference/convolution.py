"""Convolution: all ways to choose one option of each part such that the sums are as demanded.

Every option has a vector of whole numbers, a set of flags and a weight. The vectors are added and the flags
united, part by part. A partial sum is dropped as soon as no choice of the other parts can bring it within its
bounds; equal ones are one state. Numbers that must be met exactly are added up group by group first (the
numbers of one table, and before that some of them): a partial sum is dropped if one of its groups cannot be
completed. Then the sums of the last parts are listed too, from the end, and a state is dropped if none of
them completes it. Vectors are packed into words of 64 bits, each number in a field of its own, so that a
million of them are added and tested in a few milliseconds. Weights are exact integers, added up only along
states that lead to an end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from itertools import accumulate
from math import lcm
from operator import add, or_
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Words: TypeAlias = NDArray[np.uint64]
"""States or options: one row each, packed numbers first and then flags."""

_CHUNK = 1 << 20
_MIX = np.uint64(0x9E3779B97F4A7C15)


class TooManyStates(Exception):
    """More partial sums than the memory allows; `states` is the number reached."""

    def __init__(self, states: int) -> None:
        self.states = states
        super().__init__(f"{states:,} partial sums")


@dataclass(frozen=True, slots=True)
class Summand:
    """An option of a part."""

    numbers: tuple[int, ...]
    flags: int
    weights: tuple[int, ...]
    """Its weights; each is multiplied along a choice of all parts."""


@dataclass(frozen=True, slots=True)
class Total:
    """All choices: for each part and option, the sum over the choices with it, channel by channel."""

    shares: tuple[tuple[tuple[int, ...], ...], ...]
    unit: int
    """The divisor of the sums."""
    states: int
    """The number of states, a measure of the work."""
    example: tuple[int, ...]
    """The option of each part in one choice."""


class _Field(NamedTuple):
    """A number in the rows of states and options: its bits, and the bounds of its sum."""

    word: int
    shift: int
    mask: int
    low: int
    high: int
    before: tuple[int, ...]
    """For each number of parts the most that the first ones may add to it."""

    def inside(self, column: Words, others: int = 0) -> NDArray[np.bool_]:
        """Return where it is within its bounds, if the parts that are left may add `others`."""
        numbers = column >> np.uint64(self.shift) & np.uint64(self.mask)
        good: NDArray[np.bool_] = numbers <= self.high
        return good & (numbers + np.uint64(others) >= self.low) if self.low > others else good


class _Layout:
    """Options and states as rows of words: numbers in fields, each less the least of its part; then flags."""

    def __init__(
        self,
        parts: Sequence[Sequence[Summand]],
        low: Sequence[int | None],
        high: Sequence[int | None],
        groups: Sequence[int],
    ) -> None:
        size = len(low)
        self.least = [[min(o.numbers[c] for o in part) for c in range(size)] for part in parts]
        most = [[max(o.numbers[c] for o in part) for c in range(size)] for part in parts]
        self.offset = [sum(column) for column in zip(*self.least, strict=True)]
        fields: dict[int, _Field] = {}
        for c, offset in enumerate(self.offset):
            spans = (y[c] - x[c] for x, y in zip(self.least, most, strict=True))
            before = tuple(accumulate(spans, initial=0))
            least, greatest = low[c], high[c]
            fields[c] = _Field(
                *(0, 0, (1 << max(before[-1].bit_length(), 1)) - 1),
                0 if least is None else max(0, least - offset),
                before[-1] if greatest is None else min(before[-1], greatest - offset),
                before,
            )
        self.possible = all(field.low <= field.high for field in fields.values())
        exact = [c for c, field in fields.items() if field.low == field.high]
        self.words = 0
        for group in dict.fromkeys(groups[c] for c in exact):
            self._place(fields, [c for c in exact if groups[c] == group])
        self.exact = self.words
        """The number of initial words in which every number must be met exactly."""
        self._place(fields, [c for c in range(size) if c not in exact])
        self.fields = [fields[c] for c in range(size)]
        flags = reduce(or_, (option.flags for part in parts for option in part), 0)
        self.bits = [b for b in range(flags.bit_length()) if flags >> b & 1]
        self.width = self.words + -(-len(self.bits) // 64)

    def _place(self, fields: dict[int, _Field], columns: Sequence[int]) -> None:
        """Assign the next words to some numbers."""
        used = 64
        for c in columns:
            bits = fields[c].mask.bit_length()
            if used + bits > 64:
                self.words, used = self.words + 1, 0
            fields[c] = fields[c]._replace(word=self.words - 1, shift=used)
            used += bits

    def of(self, word: int) -> list[_Field]:
        """Return the numbers in a word."""
        return [field for field in self.fields if field.word == word]

    @cached_property
    def goal(self) -> Words:
        """The exact numbers required at an end."""
        return self._row(field.low for field in self.fields)[: self.exact]

    def _row(self, numbers: Iterable[int], flags: int = 0) -> Words:
        row = sum(n << 64 * field.word + field.shift for n, field in zip(numbers, self.fields, strict=True))
        row |= sum(1 << 64 * self.words + i for i, b in enumerate(self.bits) if flags >> b & 1)
        return np.frombuffer(row.to_bytes(8 * self.width, "little"), "<u8")

    def packed(self, options: Sequence[Summand], least: Sequence[int]) -> Words:
        """Return the rows of the options of a part."""
        rows = [self._row((n - x for n, x in zip(o.numbers, least, strict=True)), o.flags) for o in options]
        return np.array(rows, np.uint64).reshape(len(rows), self.width)

    def unpacked(self, state: Words) -> tuple[Sequence[int], int]:
        """Return the numbers and flags that a row stands for."""
        row = int.from_bytes(state.astype("<u8").tobytes(), "little")
        numbers = (row >> 64 * f.word + f.shift & f.mask for f in self.fields)
        flags = sum(1 << b for i, b in enumerate(self.bits) if row >> 64 * self.words + i & 1)
        return tuple(map(add, numbers, self.offset)), flags


class _Useful(NamedTuple):
    """The sums of some exact numbers of a word that occur on the way to the goal, by the number of parts."""

    mask: np.uint64
    sums: tuple[Words, ...]

    def holds(self, found: Words, number: int) -> NDArray[np.bool_]:
        """Return which words have such a sum."""
        return _among(found & self.mask, self.sums[number])


def convolve(
    parts: Sequence[Sequence[Summand]],
    low: Sequence[int | None],
    high: Sequence[int | None],
    finish: Callable[[Sequence[int], int], tuple[Fraction, ...] | None],
    *,
    channels: Sequence[int],
    groups: Sequence[int],
    max_states: int,
    tick: Callable[[], None] = lambda: None,
) -> Total | None:
    """Return the sums over all choices of one option per part whose numbers are within bounds.

    `finish` accepts the numbers and flags of an end and returns one factor for each channel, or None;
    `channels` says with which of the options' weights each channel begins; `groups` says which numbers belong
    together, such as those of one table. None if no choice is accepted. Raises TooManyStates beyond
    `max_states` states.
    """
    if not all(parts):
        return None
    order = sorted(range(len(parts)), key=lambda i: len(parts[i]))
    ordered = [parts[i] for i in order]
    layout = _Layout(ordered, low, high, groups)
    if not layout.possible:
        return None
    packed = list(map(layout.packed, ordered, layout.least))
    addition = _Addition(layout, packed, tick)
    layers, states = addition.layers(max_states)
    if len(layers) <= len(packed):
        return None
    ends = [finish(*layout.unpacked(state)) for state in layers[-1]]
    accepting = np.array([end is not None for end in ends], np.bool_)
    if not accepting.any():
        return None
    edges = addition.edges(layers, accepting)
    accepted = [end for end in ends if end is not None]
    unit = lcm(*(f.denominator for end in accepted for f in end))
    factors = [tuple(int(f * unit) for f in end) for end in accepted]
    shares = dict(zip(order, _shares(ordered, edges, factors, channels, tick), strict=True))
    example = dict(zip(order, _path(edges), strict=True))
    places = range(len(parts))
    return Total(tuple(shares[i] for i in places), unit, states, tuple(example[i] for i in places))


@dataclass(frozen=True, slots=True)
class _Edges:
    """The choices of one part: useful state, option, and next useful state."""

    before: NDArray[np.intp]
    option: NDArray[np.intp]
    after: NDArray[np.intp]
    size: int
    """The number of useful states before the choice."""


class _Addition:
    """The addition of all parts, option by option."""

    def __init__(self, layout: _Layout, packed: Sequence[Words], tick: Callable[[], None]) -> None:
        self.layout, self.packed, self.tick = layout, packed, tick
        self.useful = [self._useful(layout.of(word)) for word in range(layout.exact)]

    def _useful(self, fields: Sequence[_Field]) -> _Useful:
        """Return the sums of some exact numbers of a word that occur on the way to the goal.

        The sums of fewer of these numbers are found first and limit them.
        """
        half, word = len(fields) // 2, fields[0].word
        fewer = [self._useful(some) for some in (fields[:half], fields[half:]) if half > 1]
        mask = np.uint64(sum(field.mask << field.shift for field in fields))
        parts = [_sorted(options[:, word] & mask) for options in self.packed]
        ahead: list[Words] = [np.zeros(1, np.uint64)]
        for number, options in enumerate(parts, 1):
            self.tick()
            sums = np.add.outer(ahead[-1], options).ravel()
            for field in () if fewer else fields:
                sums = sums[field.inside(sums, field.before[-1] - field.before[number])]
            sums = _sorted(sums)
            for some in fewer:
                sums = sums[some.holds(sums, number)]
            ahead.append(sums)
        found = [_common(self.layout.goal[word : word + 1] & mask, ahead[-1])]
        for options, sums in zip(reversed(parts), reversed(ahead[:-1]), strict=True):
            found.append(_common(np.subtract.outer(found[-1], options).ravel(), sums))
        return _Useful(mask, tuple(reversed(found)))

    def _sums(
        self, states: Words, options: Words, number: int, *, back: bool = False
    ) -> Iterator[tuple[Words, NDArray[np.intp], NDArray[np.intp]]]:
        """Yield the sums of states and options that the other parts can complete, with both their positions.

        `number`: the number of the parts in the sum; if `back`, of those not in it. The words are added one
        after the other, each only for the pairs that its predecessors leave.
        """
        layout = self.layout
        step = max(1, _CHUNK // len(options))
        for at in range(0, len(states), step):
            self.tick()
            chunk = states[at : at + step]
            before, option = np.indices((len(chunk), len(options))).reshape(2, -1)
            for w, useful in enumerate(self.useful):
                sums = chunk[before, w] + options[option, w]
                good = useful.holds(layout.goal[w] - sums if back else sums, number)
                before, option = before[good], option[good]
            found = chunk[before]
            chosen = options[option, : found.shape[1]]
            found[:, : layout.words] += chosen[:, : layout.words]
            found[:, layout.words :] |= chosen[:, layout.words :]
            good = np.ones(len(found), np.bool_)
            for field in layout.fields:
                if layout.exact <= field.word < found.shape[1]:
                    good &= field.inside(found[:, field.word], field.before[-1] - field.before[number])
            yield found[good], at + before[good], option[good]

    def layers(self, max_states: int) -> tuple[list[Words], int]:
        """Return the sums of the first parts, for every number of parts, and the number of states.

        The exact numbers of the last parts are added up from the other end, as long as that is less work;
        beyond the meeting point only states that these complete are kept. Ends early if none is left.
        """
        layout, packed = self.layout, self.packed
        layers = [np.zeros((1, layout.width), np.uint64)]
        ahead: dict[int, Words] = {}
        behind = np.zeros((1, layout.exact), np.uint64)
        first, states = len(packed), 1
        while len(layers) <= len(packed):
            number, most = len(layers), max_states - states
            front, back = packed[number - 1], _distinct(packed[first - 1][:, : layout.exact])
            if layout.exact and first > number and len(behind) * len(back) < len(layers[-1]) * len(front):
                first -= 1
                found = (sums for sums, _, _ in self._sums(behind, back, first, back=True))
                behind = ahead[first] = left = _together(found, layout.exact, most)
            else:
                found = (sums for sums, _, _ in self._sums(layers[-1], front, number))
                if number in ahead:
                    keys = np.sort(_keys(layout.goal - ahead[number]))
                    found = (sums[_among(_keys(sums[:, : layout.exact]), keys)] for sums in found)
                left = _together(found, layers[-1].shape[1], most)
                layers.append(left)
            states += len(left)
            if not len(left):
                return layers[:-1], states
        return layers, states

    def edges(self, layers: Sequence[Words], accepting: NDArray[np.bool_]) -> list[_Edges]:
        """Return the choices of each part that lead to an accepted end, the last part first."""
        found: list[_Edges] = []
        goals, width = layers[-1][accepting], self.layout.exact
        for number in range(len(self.packed), 0, -1):
            layer, options = layers[number - 1], self.packed[number - 1]
            leading = np.arange(len(layer))
            if width:  # what flags a state has does not follow from a goal, but its exact numbers do
                sources = [_keys(goals[:, :width] - option) for option in _distinct(options[:, :width])]
                leading = leading[_among(_keys(layer[:, :width]), _sorted(np.concatenate(sources)))]
            order = np.argsort(_keys(goals))
            keys = _keys(goals)[order]
            hits = []
            for sums, states, taken in self._sums(layer[leading], options, number):
                after = order[np.minimum(np.searchsorted(keys, _keys(sums)), len(keys) - 1)]
                same = (goals[after] == sums).all(axis=1)
                hits.append((leading[states[same]], taken[same], after[same]))
            before, option, after = map(np.concatenate, zip(*hits, strict=True))
            kept, renumbered = np.unique(before, return_inverse=True)
            found.append(_Edges(renumbered, option, after, len(kept)))
            goals = layer[kept]
        return found[::-1]


def _sorted(numbers: Words) -> Words:
    """Return the distinct numbers, sorted; unlike `numpy.unique` it does not hash them, which is slower."""
    numbers = np.sort(numbers)
    return numbers[np.r_[True, numbers[1:] != numbers[:-1]]] if len(numbers) else numbers


def _common(found: Words, values: Words) -> Words:
    """Return the distinct numbers that are among some sorted values, sorted."""
    return _sorted(found[_among(found, values)])


def _among(found: Words, values: Words) -> NDArray[np.bool_]:
    """Return which numbers are among some sorted values."""
    if not len(values):
        return np.zeros(len(found), np.bool_)
    good: NDArray[np.bool_] = values[np.minimum(np.searchsorted(values, found), len(values) - 1)] == found
    return good


def _together(found: Iterable[Words], width: int, most: int) -> Words:
    """Return the distinct rows; raise TooManyStates if there are more than `most`."""
    parts, total = [np.zeros((0, width), np.uint64)], 0
    for rows in found:
        parts.append(_distinct(rows))
        total += len(parts[-1])
        if total > min(4 * _CHUNK, most):
            parts = [_distinct(np.concatenate(parts))]
            total = len(parts[0])
            if total > most:
                raise TooManyStates(total)
    return _distinct(np.concatenate(parts))


def _keys(found: Words) -> Words:
    """Return a hash of each row; that of a single word is one-to-one."""
    keys = np.zeros(len(found), np.uint64)
    for word in found.T:
        keys = (keys ^ word) * _MIX
        keys ^= keys >> np.uint64(29)
    return keys


def _distinct(found: Words) -> Words:
    """Return the distinct rows, in the order of their keys."""
    if len(found) < 2:
        return found
    keys = _keys(found)
    order = np.argsort(keys)
    keys, found = keys[order], found[order]
    new = np.r_[True, (found[1:] != found[:-1]).any(axis=1)]
    kept = keys[new]
    if (kept[1:] == kept[:-1]).any():  # two different rows have the same key
        return np.unique(found, axis=0)
    return found[new]


def _shares(
    parts: Sequence[Sequence[Summand]],
    edges: Sequence[_Edges],
    factors: Sequence[tuple[int, ...]],
    channels: Sequence[int],
    tick: Callable[[], None],
) -> list[tuple[tuple[int, ...], ...]]:
    """Return for each part and option the sum over all choices with it, channel by channel."""
    columns: list[list[list[int]]] = [[] for _ in parts]
    for channel, weight in enumerate(channels):
        weights = [np.array([o.weights[weight] for o in options], object) for options in parts]
        forward = [np.array([1], object)]
        for w, edge, size in zip(weights, edges, [*(e.size for e in edges[1:]), len(factors)], strict=True):
            forward.append(_gathered(forward[-1][edge.before] * w[edge.option], edge.after, size))
        backward = np.array([f[channel] for f in factors], object)
        for k in range(len(parts) - 1, -1, -1):
            tick()
            edge = edges[k]
            ahead = backward[edge.after]
            through = forward[k][edge.before] * ahead
            sums = _gathered(through, edge.option, len(parts[k]))
            columns[k].append([int(s * w) for s, w in zip(sums, weights[k], strict=True)])
            backward = _gathered(ahead * weights[k][edge.option], edge.before, edge.size)
    return [tuple(zip(*column, strict=True)) for column in columns]


def _gathered(values: NDArray[Any], places: NDArray[np.intp], size: int) -> NDArray[Any]:
    """Return the sums of the values by place."""
    found = np.zeros(size, object)
    np.add.at(found, places, values)
    return found


def _path(edges: Sequence[_Edges]) -> Iterator[int]:
    """Yield the options of one choice of all parts."""
    state = 0
    for edge in edges:
        first = int(np.flatnonzero(edge.before == state)[0])
        yield int(edge.option[first])
        state = int(edge.after[first])


__all__ = ["Summand", "TooManyStates", "Total", "convolve"]
