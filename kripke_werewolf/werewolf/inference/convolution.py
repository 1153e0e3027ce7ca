"""Convolution: all ways to choose one option of each part such that the sums are as demanded.

Every option has a vector of whole numbers, a set of flags and a weight. The vectors are added and the flags
united, part by part. A partial sum is dropped as soon as no choice of the other parts can bring it within its
bounds; equal ones are one state. Numbers that must be met exactly are added up group by group first (the
numbers of one table, and before that some of them): a partial sum is dropped if one of its groups cannot be
completed. Then the sums of the last parts are listed too, from the end, and a state is dropped if none of
them completes it. Vectors are packed into words of 64 bits, each number in a field with a guard bit, so that
a million of them are added and tested in a few milliseconds. Weights are exact integers, added up only along
states that lead to an end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Words: TypeAlias = NDArray[np.uint64]
"""States or options: one row each, packed numbers first and then flags."""

_CHUNK = 1 << 20
_MIX = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x27D4EB2F165667C5, 0xD6E8FEB86659FD93)


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
class FinalSum:
    """An accepted sum of all parts, with the factors for its weights."""

    numbers: tuple[int, ...]
    flags: int


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


class _Layout:
    """The positions of each number and the flags in the words."""

    def __init__(
        self,
        parts: Sequence[Sequence[Summand]],
        low: Sequence[int | None],
        high: Sequence[int | None],
        groups: Sequence[int],
    ):
        size = len(low)
        least = [[min(o.numbers[c] for o in part) for c in range(size)] for part in parts]
        most = [[max(o.numbers[c] for o in part) for c in range(size)] for part in parts]
        self.base = least
        span = [[b - a for a, b in zip(x, y, strict=True)] for x, y in zip(least, most, strict=True)]
        self.offset = offset = [sum(row[c] for row in least) for c in range(size)]
        total = [sum(row[c] for row in span) for c in range(size)]
        self.low = [0 if b is None else max(0, b - o) for b, o in zip(low, offset, strict=True)]
        self.high = [t if b is None else min(t, b - o) for b, o, t in zip(high, offset, total, strict=True)]
        self.possible = all(a <= b and b >= 0 for a, b in zip(self.low, self.high, strict=True))
        self.rest = [[sum(row[c] for row in span[k:]) for c in range(size)] for k in range(len(parts) + 1)]
        self.before = [[sum(row[c] for row in span[:k]) for c in range(size)] for k in range(len(parts) + 1)]
        widest = [max((row[c] for row in span), default=0) for c in range(size)]
        exact = [c for c in range(size) if self.low[c] == self.high[c]]
        self.places = [(0, 0, 0)] * size  # word, shift, bits with the guard
        self.exact = 0
        for group in dict.fromkeys(groups[c] for c in exact):
            self.exact = self._place([c for c in exact if groups[c] == group], widest, self.exact)
        """The number of initial words in which every number must be met exactly."""
        self.words = self._place([c for c in range(size) if c not in exact], widest, self.exact)
        flags = 0
        for part in parts:
            for option in part:
                flags |= option.flags
        self.bits = [b for b in range(flags.bit_length()) if flags >> b & 1]
        self.flag_words = -(-len(self.bits) // 64)

    def _place(self, columns: Sequence[int], widest: Sequence[int], word: int) -> int:
        """Assign positions to some numbers from a word on, and return the next free word."""
        used = 0
        for c in columns:
            bits = max(1, (max(self.high[c], 0) + widest[c]).bit_length()) + 1
            if used + bits > 64:
                word, used = word + 1, 0
            self.places[c] = word, used, bits
            used += bits
        return word + 1 if columns else word

    def masks(self, word: int) -> list[int]:
        """Return the masks of the numbers in a word."""
        return [((1 << bits) - 1) << shift for at, shift, bits in self.places if at == word]

    def goal(self) -> Words:
        """Return the exact numbers required at an end."""
        found = [0] * self.exact
        for (word, shift, _), number in zip(self.places, self.low, strict=True):
            if word < self.exact:
                found[word] |= number << shift
        return np.array(found, np.uint64)

    def guards(self) -> list[int]:
        found = [0] * self.words
        for word, shift, bits in self.places:
            found[word] |= 1 << (shift + bits - 1)
        return found

    def above(self) -> list[int]:
        """Return the numbers that, added to a state, set the guard of every number that is too great."""
        found = [0] * self.words
        for (word, shift, bits), high in zip(self.places, self.high, strict=True):
            found[word] |= ((1 << (bits - 1)) - 1 - high) << shift
        return found

    def below(self, others: Sequence[int]) -> tuple[list[int], list[int]]:
        """Return numbers to add to a state, and the guards that this sets for numbers that are great enough.

        `others`: the greatest amounts that the other parts can add.
        """
        added, wanted = [0] * self.words, [0] * self.words
        for c, (word, shift, bits) in enumerate(self.places):
            least = self.low[c] - others[c]
            if least > 0:
                added[word] |= ((1 << (bits - 1)) - least) << shift
                wanted[word] |= 1 << (shift + bits - 1)
        return added, wanted

    def packed(self, options: Sequence[Summand], base: Sequence[int]) -> Words:
        rows = []
        for option in options:
            words = [0] * (self.words + self.flag_words)
            for (word, shift, _), number, least in zip(self.places, option.numbers, base, strict=True):
                words[word] |= (number - least) << shift
            for i, b in enumerate(self.bits):
                if option.flags >> b & 1:
                    words[self.words + i // 64] |= 1 << (i % 64)
            rows.append(words)
        return np.array(rows, np.uint64).reshape(len(options), self.words + self.flag_words)

    def unpacked(self, state: Words) -> FinalSum:
        words = [int(w) for w in state]
        numbers = [
            (words[word] >> shift & ((1 << bits) - 1)) + o
            for (word, shift, bits), o in zip(self.places, self.offset, strict=True)
        ]
        flags = 0
        for i, b in enumerate(self.bits):
            if words[self.words + i // 64] >> (i % 64) & 1:
                flags |= 1 << b
        return FinalSum(tuple(numbers), flags)


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
    finish: Callable[[FinalSum], tuple[Fraction, ...] | None],
    *,
    channels: Sequence[int],
    groups: Sequence[int],
    max_states: int,
    tick: Callable[[], None] = lambda: None,
) -> Total | None:
    """Return the sums over all choices of one option per part whose numbers are within bounds.

    `finish` accepts an end and returns one factor for each channel, or None; `channels` says with which
    of the options' weights each channel begins; `groups` says which numbers belong together, such as those
    of one table. None if no choice is accepted. Raises TooManyStates beyond `max_states` states.
    """
    if not all(parts):
        return None
    order = sorted(range(len(parts)), key=lambda i: len(parts[i]))
    ordered = [parts[i] for i in order]
    layout = _Layout(ordered, low, high, groups)
    if not layout.possible:
        return None
    packed = [layout.packed(options, base) for options, base in zip(ordered, layout.base, strict=True)]
    addition = _Addition(layout, packed, tick)
    layers, states = addition.layers(max_states)
    if len(layers) <= len(packed):
        return None
    ends = [finish(layout.unpacked(state)) for state in layers[-1]]
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
        self.useful = [self._useful(word, layout.masks(word)) for word in range(layout.exact)]

    def _useful(self, word: int, masks: Sequence[int]) -> _Useful:
        """Return the sums of some exact numbers of a word that occur on the way to the goal.

        They are found from both ends. The sums of fewer of these numbers are found first and limit them.
        """
        mask = np.uint64(sum(masks))
        parts = [_sorted(options[:, word] & mask) for options in self.packed]
        goal = self.layout.goal()[word] & mask
        half = len(masks) // 2
        fewer = [self._useful(word, some) for some in (masks[:half], masks[half:]) if half > 1]

        def completed(found: Words, number: int, *, back: bool) -> Words:
            found = _sorted(found)
            for some in fewer:
                found = found[some.holds(goal - found if back else found, number)]
            return found

        end = len(parts)
        ahead: list[Words] = [np.zeros(1, np.uint64)]
        behind: dict[int, Words] = {end: ahead[0]}
        while len(ahead) <= end:
            self.tick()
            number = len(ahead)
            if len(ahead[-1]) * len(parts[number - 1]) <= len(behind[end]) * len(parts[end - 1]):
                sums = np.add.outer(ahead[-1], parts[number - 1]).ravel()
                ahead.append(completed(_at_most(self.layout, word, mask, sums), number, back=False))
            else:
                end -= 1
                sums = np.add.outer(behind[end + 1], parts[end]).ravel()
                behind[end] = completed(_at_most(self.layout, word, mask, sums), end, back=True)
        found = [*ahead, *([ahead[0]] * (len(parts) - end))]
        found[end] = ahead[end][_among(goal - ahead[end], behind[end])]
        for number in range(end + 1, len(found)):
            reached = goal - np.add.outer(found[number - 1], parts[number - 1]).ravel()
            found[number] = (goal - _common(reached, behind[number]))[::-1]
        for number in range(end - 1, -1, -1):
            found[number] = _common(
                np.subtract.outer(found[number + 1], parts[number]).ravel(), ahead[number]
            )
        return _Useful(mask, tuple(found))

    def _sums(
        self, states: Words, options: Words, number: int, *, back: bool = False
    ) -> Iterator[tuple[Words, NDArray[np.intp], NDArray[np.intp]]]:
        """Yield the sums of states and options that the other parts can complete, with both their positions.

        `number`: the number of the parts in the sum; if `back`, of those not in it. The words are added one
        after the other, each only for the pairs that its predecessors leave.
        """
        layout, goal = self.layout, self.layout.goal()
        others = layout.before[number] if back else layout.rest[number]
        order = np.lexsort(options.T[::-1])
        rows = options[order]
        first = (
            np.flatnonzero(np.r_[True, rows[1:, 0] != rows[:-1, 0]]) if layout.exact else np.zeros(1, np.intp)
        )
        for start, end in pairwise([*first.tolist(), len(rows)]):
            alike = rows[start:end]  # options with the same first word
            step = max(1, _CHUNK // len(alike))
            kept = np.arange(len(states))
            if layout.exact:
                sums = states[:, 0] + alike[0, 0]
                kept = np.flatnonzero(self.useful[0].holds(goal[0] - sums if back else sums, number))
            for at in range(0, len(kept), step):
                self.tick()
                before = np.repeat(kept[at : at + step], len(alike))
                option = np.tile(np.arange(len(alike)), len(before) // len(alike))
                for w in range(1, layout.exact):
                    sums = states[before, w] + alike[option, w]
                    good = self.useful[w].holds(goal[w] - sums if back else sums, number)
                    before, option = before[good], option[good]
                found = states[before]
                chosen = alike[option, : found.shape[1]]
                found[:, : layout.words] += chosen[:, : layout.words]
                found[:, layout.words :] |= chosen[:, layout.words :]
                good = _inside(layout, found, others)
                yield found[good], before[good], order[start:end][option[good]]

    def layers(self, max_states: int) -> tuple[list[Words], int]:
        """Return the sums of the first parts, for every number of parts, and the number of states.

        The exact numbers of the last parts are added up from the other end, as long as that is less work;
        beyond the meeting point only states that these complete are kept. Ends early if none is left.
        """
        layout, packed = self.layout, self.packed
        layers = [np.zeros((1, layout.words + layout.flag_words), np.uint64)]
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
                    keys = np.sort(_keys(layout.goal() - ahead[number]))
                    found = (sums[_among(_keys(sums[:, : layout.exact]), keys)] for sums in found)
                left = _together(found, layers[-1].shape[1], most)
                layers.append(left)
            states += len(left)
            if not len(left):
                return layers[:-1], states
        return layers, states

    def edges(self, layers: Sequence[Words], accepting: NDArray[np.bool_]) -> list[_Edges]:
        """Return the choices of each part that lead to an accepted end, the last part first."""
        found, width = [], self.layout.exact
        goals = layers[-1][accepting]
        for number in range(len(self.packed), 0, -1):
            layer, options = layers[number - 1], self.packed[number - 1]
            leading = np.arange(len(layer))
            if width:  # what flags a state has does not follow from a goal, but its exact numbers do
                sources = [_keys(goals[:, :width] - option) for option in _distinct(options[:, :width])]
                leading = np.flatnonzero(_among(_keys(layer[:, :width]), _sorted(np.concatenate(sources))))
            before, chosen, after = [], [], []
            keys = _keys(goals)
            order = np.argsort(keys)
            keys = keys[order]
            for sums, states, taken in self._sums(layer[leading], options, number):
                at = np.minimum(np.searchsorted(keys, _keys(sums)), len(keys) - 1)
                hit = order[at]
                same = np.flatnonzero((goals[hit] == sums).all(axis=1))
                before.append(leading[states[same]])
                chosen.append(taken[same])
                after.append(hit[same])
            all_before = np.concatenate(before)
            kept, renumbered = np.unique(all_before, return_inverse=True)
            found.append(_Edges(renumbered, np.concatenate(chosen), np.concatenate(after), len(kept)))
            goals = layer[kept]
        return found[::-1]


def _at_most(layout: _Layout, word: int, mask: np.uint64, sums: Words) -> Words:
    """Return the sums in which no number of a word is too great."""
    guards, above = np.uint64(layout.guards()[word]) & mask, np.uint64(layout.above()[word]) & mask
    small: NDArray[np.bool_] = (sums + above) & guards == 0
    return sums[small]


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


def _inside(layout: _Layout, found: Words, others: Sequence[int]) -> NDArray[np.bool_]:
    """Return the states whose other than exact numbers are within the bounds.

    `others`: the greatest amounts that the other parts can add.
    """
    good = np.ones(len(found), np.bool_)
    guards, above = layout.guards(), layout.above()
    added, wanted = layout.below(others)
    for w in range(layout.exact, min(layout.words, found.shape[1])):
        column = found[:, w]
        good &= (column + np.uint64(above[w])) & np.uint64(guards[w]) == 0
        if wanted[w]:
            mask = np.uint64(wanted[w])
            good &= (column + np.uint64(added[w])) & mask == mask
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
    """Return a key per row: the row itself if it is one word, else a hash of its words."""
    if found.shape[1] == 0:
        return np.zeros(len(found), np.uint64)
    if found.shape[1] == 1:
        return found[:, 0]
    keys = np.zeros(len(found), np.uint64)
    for w in range(found.shape[1]):
        keys = (keys ^ found[:, w]) * np.uint64(_MIX[w % len(_MIX)] | 1)
        keys ^= keys >> np.uint64(29)
    return keys


def _distinct(found: Words) -> Words:
    """Return the distinct rows, in the order of their keys."""
    if len(found) < 2:
        return found
    keys = _keys(found)
    order = np.argsort(keys)
    keys, found = keys[order], found[order]
    new = np.ones(len(found), np.bool_)
    new[1:] = keys[1:] != keys[:-1]
    if found.shape[1] > 1:
        new[1:] |= (found[1:] != found[:-1]).any(axis=1)
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
    if not len(values):
        return found
    order = np.argsort(places, kind="stable")
    places = places[order]
    starts = np.flatnonzero(np.r_[True, places[1:] != places[:-1]])
    found[places[starts]] = np.add.reduceat(values[order], starts)
    return found


def _path(edges: Sequence[_Edges]) -> Iterator[int]:
    """Yield the options of one choice of all parts."""
    state = 0
    for edge in edges:
        first = int(np.flatnonzero(edge.before == state)[0])
        yield int(edge.option[first])
        state = int(edge.after[first])


__all__ = ["FinalSum", "Summand", "TooManyStates", "Total", "convolve"]
