"""One night of attacks by two wolves, decided attack by attack.

A vision shows a seer who is a wolf, not which wolf: it leaves both orders of two wolves, or neither. So the
deals that survive are counted by seer and unordered pair. An attack removes the deals of one ordered pair:
a player is dominant in about half of the deals in which they are a wolf, and how far this can be off depends
on the attacks alone. Few ways to attack have such sums as a table shows; for each of these the visions are
added up seer by seer (`convolution`).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from math import ceil, floor, prod
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from kripke_werewolf.werewolf.inference.convolution import Option, TooManyStates, Total, convolve
from kripke_werewolf.werewolf.inference.evidence import Acting, Evidence, Known, Move, Shown
from kripke_werewolf.werewolf.inference.scenarios import as_wolf, open_targets, place_of, worlds_behind
from kripke_werewolf.werewolf.inference.solver import Choice, OutOfTime, Solution
from kripke_werewolf.werewolf.roles import WOLF, is_wolf

_Numbers = NDArray[np.int64]
_Rows = NDArray[np.intp]
"""Visions of a seer, by their rows."""

MAX_WAYS = 300_000
"""Ways to attack that are compared with a table at once."""
MAX_TRIED = 2_000
"""Ways to attack for which the visions are added up."""
MAX_STATES = 1_000_000
"""Partial sums that may be in memory at once."""


class Night:
    """What a player was told up to the first table after a night of attacks, and a move that is denied.

    Notices, verdicts, and who is not asked are left out: what this rules out is impossible.
    """

    def __init__(self, evidence: Evidence, place: Mapping[str, int], denied: Choice | None = None) -> None:
        self.evidence, self.place, self.denied = evidence, place, denied
        self.size = len(evidence.setup.players)
        self.pairs = list(combinations(range(self.size), 2))
        self.acting = {n: s for n, s in enumerate(evidence.steps) if isinstance(s, Acting)}
        self.tables = {n: s for n, s in enumerate(evidence.steps) if isinstance(s, Shown) and s.cells}
        self.cells = [(n, cell) for n, table in self.tables.items() for cell in table.cells]
        """All entries, each with the step of its table."""

    @cached_property
    def covered(self) -> bool:
        """Whether this method knows the rules and the evidence."""
        return self._rules_covered and self._steps_covered and all(self.targets)

    @property
    def _rules_covered(self) -> bool:
        rules, deck = self.evidence.setup.rules, self.evidence.setup.deck
        wolves = frozenset(deck.wolf_roles)
        return (
            deck.wolves == 2  # the deals are counted by seer and pair
            and deck.seers == 1
            and wolves in self.labels.values()  # a vision leaves both orders of a pair, or neither
            and rules.vision_worlds == "all"  # and does not depend on the attacks
            and rules.attack == "dominant"  # an attack removes one order of one pair
            and not rules.attack_self
        )

    @property
    def _steps_covered(self) -> bool:
        evidence, kinds = self.evidence, [self.evidence.setup.actions(s.phase) for s in self.acting.values()]
        return (
            kinds.count(("attack",)) == 1
            and kinds.count(("vision",)) == len(kinds) - 1  # no phase mixes them
            and [n for n in self.tables if n > self.night] == list(self.tables)[-1:] != []
            and all(step.ended for step in self.acting.values())  # all moves count
            and all(len(living) == self.size for living in evidence.living())
            and {as_wolf(cell)[0] for _, cell in self.cells} <= {WOLF, "dead"}
            and (self.denied is None or (self.denied.step, self.denied.action) == (self.night, "attack"))
            and prod(map(len, self.targets)) <= MAX_WAYS
        )

    @cached_property
    def night(self) -> int:
        """The step of the first attacks."""
        return next(n for n, s in self.acting.items() if "attack" in self.evidence.setup.actions(s.phase))

    @cached_property
    def labels(self) -> dict[str, frozenset[str]]:
        """The words of a vision, each with the roles that it covers."""
        rules = self.evidence.setup.rules
        return rules.labels(rules.vision_shows, self.evidence.setup.deck)

    def _known(self, number: int, actor: int, action: str) -> Known | None:
        known = ((self.place[n], a, k) for (n, a), k in self.acting[number].known.items())
        return next((k for p, a, k in known if (p, a) == (actor, action)), None)

    @cached_property
    def targets(self) -> list[list[int]]:
        """For each player the possible targets of their attack; none if they had none to choose.

        Nothing is lost by letting those choose who were not asked: there is no deal that they could change.
        """
        everybody, found = tuple(range(self.size)), []
        for p in everybody:
            known = self._known(self.night, p, "attack")
            targets = list(open_targets(self.evidence.setup, everybody, p, "attack"))
            if known is not None:
                target = known.target if isinstance(known, Move) else None
                targets = [] if target is None else [self.place[target]]
            if self.denied is not None and p == self.denied.actor:
                targets = [t for t in targets if t != self.denied.target]
            found.append(targets)
        return found

    # visions

    @cached_property
    def rows(self) -> list[tuple[list[_Numbers], list[tuple[Choice, ...]]]]:
        """For each seer, for each table the pairs of wolves that their visions may leave; and the visions."""
        return [self._row(s) for s in range(self.size)]

    def _row(self, seer: int) -> tuple[list[_Numbers], list[tuple[Choice, ...]]]:
        start = frozenset(i for i, pair in enumerate(self.pairs) if seer not in pair)
        states: dict[tuple[frozenset[int], ...], tuple[Choice, ...]] = {(start,): ()}
        for number in sorted({*self.acting, *self.tables} - {self.night}):
            if number in self.acting:
                after: dict[tuple[frozenset[int], ...], tuple[Choice, ...]] = {}
                for (*shown, left), made in states.items():
                    for choice, kept in self._looks(number, seer, left):
                        after.setdefault((*shown, kept), (*made, *choice))
                states = after
            else:
                states = {(*key, key[-1]): made for key, made in states.items()}
        sums = [
            np.array([[i in key[t] for i in range(len(self.pairs))] for key in states], np.int64)
            for t in range(len(self.tables))
        ]
        return sums, list(states.values())

    def _looks(
        self, number: int, seer: int, left: frozenset[int]
    ) -> Iterator[tuple[tuple[Choice, ...], frozenset[int]]]:
        known = self._known(number, seer, "vision")
        targets = open_targets(self.evidence.setup, tuple(range(self.size)), seer, "vision")
        words = self.labels
        if isinstance(known, Move) and known.target is not None:
            targets = (self.place[known.target],)
            words = {word: roles for word, roles in words.items() if word == known.result or not known.shown}
        else:
            yield (), left
            targets = () if known else targets
        for target, (word, roles) in product(targets, words.items()):
            evil = any(map(is_wolf, roles))
            kept = frozenset(i for i in left if (target in self.pairs[i]) == evil)
            if kept:
                yield (Choice(number, seer, "vision", target, word),), kept

    # attacks

    @cached_property
    def _ways(self) -> _Numbers:
        """All ways to attack, one in each row."""
        grid = np.meshgrid(*(np.array(t, np.int64) for t in self.targets), indexing="ij")
        return np.stack([column.ravel() for column in grid], axis=1)

    @cached_property
    def _lost(self) -> tuple[_Numbers, _Numbers, _Numbers, _Numbers]:
        """For each way and player the fewest and most deals lost as the dominant wolf, and as the other."""
        many = sum(row[-1].max(0) for row, _ in self.rows)
        few = sum(row[-1].min(0) for row, _ in self.rows)
        index = np.zeros((self.size, self.size), np.int64)
        for i, (a, b) in enumerate(self.pairs):
            index[a, b] = index[b, a] = i
        struck = index[np.arange(self.size), self._ways]
        out_low, out_high = few[struck], many[struck]
        in_low, in_high = np.zeros_like(out_low), np.zeros_like(out_high)
        for p in range(self.size):
            hit = self._ways == p
            in_low[:, p], in_high[:, p] = (out_low * hit).sum(1), (out_high * hit).sum(1)
        return out_low, out_high, in_low, in_high

    def _fitting(
        self, bounds: Sequence[tuple[str, int, int, int]], size: int
    ) -> Iterator[tuple[float, int, tuple[int, ...]]]:
        """Yield the ways to attack whose sums may be those of the table, by what each attack can change.

        Twice the deals where a player is dominant are those where they are a wolf, less those they lost as
        the dominant wolf, more those they lost as the other. Each way comes with the number of worlds, and
        with how far the table is from the middle of what is possible.
        """
        low, high = np.zeros(self.size, np.int64), np.full(self.size, size, np.int64)
        dead = []
        for fact, p, least, most in bounds:
            if fact == WOLF:
                low[p], high[p] = max(low[p], least), min(high[p], most)
            else:
                dead.append((p, least, most))
        low, high = (
            np.maximum(low, 2 * size - (high.sum() - high)),
            np.minimum(high, 2 * size - (low.sum() - low)),
        )
        out_low, out_high, in_low, in_high = self._lost
        least_, most_ = np.maximum(low - out_high + in_low, 0), high - out_low + in_high
        least_, most_ = least_ + least_ % 2, most_ - most_ % 2
        fits = (least_ <= most_).all(1) & (least_.sum(1) <= 2 * size) & (most_.sum(1) >= 2 * size)
        off = np.zeros(len(fits))
        for p, some, many in dead:
            hit = self._ways == p
            least, most = (least_ * hit).sum(1), (most_ * hit).sum(1)
            fits &= (least <= 2 * many) & (most >= 2 * some)
            off += np.abs(least + most - 2 * (some + many)) / (most - least + 1)
        for i in np.flatnonzero(fits):
            yield float(off[i]), size, tuple(self._ways[i].tolist())

    # sums

    @property
    def choices(self) -> frozenset[Choice]:
        """All attacks from which these are chosen."""
        return frozenset(
            Choice(self.night, p, "attack", t) for p, targets in enumerate(self.targets) for t in targets
        )

    def attacks(self, behind: Mapping[int, int], deadline: float | None) -> frozenset[Choice] | None:
        """Return the attacks of all ways to attack that all entries allow; None if it is too much.

        `behind`: numbers of worlds behind tables, by their steps. Raise OutOfTime if the time is up.
        """
        found = set[Choice]()
        for solution in self.solutions(range(len(self.cells)), deadline, behind):
            if solution.found is None:
                return None
            found |= self.choices & solution.made
        return frozenset(found)

    def solutions(
        self, entries: Sequence[int], deadline: float | None, behind: Mapping[int, int] = MappingProxyType({})
    ) -> Iterator[Solution]:
        """Yield a solution with some entries for each way to attack, or which of these rule all out.

        The last one is neither (`found` None) if it is too much. Raise OutOfTime if the time is up.
        """
        chosen: dict[int, list[int]] = {n: [] for n in self.tables}
        for i in entries:
            chosen[self.cells[i][0]].append(i)
        *early, last = self.tables
        for n in early:  # nobody is dead before the night
            chosen[n] = [i for i in chosen[n] if as_wolf(self.cells[i][1])[0] == WOLF]
        before, after = [i for n in early for i in chosen[n]], chosen[last]
        tried = sorted(
            fitting
            for size in self._sizes(last, after, behind)
            for fitting in self._fitting(self._bounds(after, size), size)
        )
        both, found, fitting = bool(behind), False, None
        try:
            if len(tried) > MAX_TRIED:
                raise TooManyStates(len(tried))
            for _, size, way in tried:
                if deadline is not None and time.monotonic() > deadline:
                    raise OutOfTime
                made = None if both else self._added(way, {last: size}, after, self._every_row)
                if both or (made is not None and before):
                    both = True
                    fitting = list(self._before(chosen, behind)) if fitting is None else fitting
                    sums = (
                        self._added(way, {**sizes, last: size}, [*before, *after], rows)
                        for sizes, rows in fitting
                        if all(size <= more for more in sizes.values())
                    )
                    made = next((made for made in sums if made is not None), None)
                if made is not None:
                    attacks = {Choice(self.night, p, "attack", t) for p, t in enumerate(way)}
                    found = True
                    yield Solution(True, frozenset({*attacks, *made}), ())
        except TooManyStates:
            yield Solution(None, frozenset(), ())
            return
        if not found:
            yield Solution(False, frozenset(), tuple([*before, *after] if both else after))

    def _before(
        self, chosen: Mapping[int, Sequence[int]], behind: Mapping[int, int]
    ) -> Iterator[tuple[dict[int, int], Sequence[_Rows]]]:
        """Yield the numbers of worlds that can be behind the early tables, and the visions that fit them."""
        *early, _ = self.tables
        sizes: list[dict[int, int]] = [{}]
        for n in [n for n in early if chosen[n]]:
            open_ = self._sizes(n, chosen[n], behind)
            sizes = [{**s, n: less} for s in sizes for less in open_ if less <= min(s.values(), default=less)]
        for s in sizes:
            found = self._sum((), s, [i for n in s for i in chosen[n]], self._every_row) if s else None
            if found is not None:
                parts = zip(found[1], found[0].shares, strict=True)
                yield s, [np.concatenate([r for r, n in zip(*p, strict=True) if any(n)]) for p in parts]
            elif not s:
                yield s, self._every_row

    def _sizes(self, number: int, entries: Sequence[int], behind: Mapping[int, int]) -> list[int]:
        """Return the numbers of worlds that can be behind a table with some entries."""
        some = replace(self.tables[number], cells=tuple(self.cells[i][1] for i in entries))
        found = worlds_behind(self.evidence, some, self.evidence.setup.deck.worlds)
        return [size for size in found if size == behind.get(number, size)]

    def _bounds(self, entries: Sequence[int], size: int) -> list[tuple[str, int, int, int]]:
        found = []
        for i in entries:
            fact, low, high = as_wolf(self.cells[i][1])
            p = place_of(self.evidence, self.cells[i][1].row)
            found.append((fact, p, ceil(low * size), floor(high * size)))
        return found

    @cached_property
    def _every_row(self) -> Sequence[_Rows]:
        return [np.arange(len(made)) for _, made in self.rows]

    def _added(
        self, way: Sequence[int], sizes: Mapping[int, int], entries: Sequence[int], rows: Sequence[_Rows]
    ) -> list[Choice] | None:
        """Return visions of all seers that, with some attacks, add up to what the tables show."""
        found = self._sum(way, sizes, entries, rows)
        if found is None:
            return None
        total, options = found
        chosen = zip(self.rows, options, total.example, strict=True)
        return [choice for (_, made), part, o in chosen for choice in made[part[o][0]]]

    def _sum(
        self, way: Sequence[int], sizes: Mapping[int, int], entries: Sequence[int], rows: Sequence[_Rows]
    ) -> tuple[Total, list[list[_Rows]]] | None:
        """Add up some visions of all seers; return also the visions that each option stands for."""
        factors, low, high, groups = [], list[int](), list[int](), []
        for n, size in sizes.items():
            here = [i for i in entries if self.cells[i][0] == n]
            for fact, p, least, most in [("", -1, size, size), *self._bounds(here, size)]:
                factors.append(self._factors(way, fact, p) if n > self.night else self._unhurt(fact, p))
                low.append(least)
                high.append(most)
                groups.append(n)
        order = list(self.tables)
        tables = [order.index(n) for n in groups]
        parts, options = [], []
        for (sums, _), some in zip(self.rows, rows, strict=True):
            numbers = np.stack([sums[t][some] @ f for t, f in zip(tables, factors, strict=True)], axis=1)
            small = np.flatnonzero((numbers <= high).all(1))
            unique, kind = np.unique(numbers[small], axis=0, return_inverse=True)
            parts.append([Option(tuple(row), 0, (1,)) for row in unique.tolist()])
            options.append(_grouped(some[small], kind.ravel(), len(unique)))
        total = convolve(
            parts, low, high, lambda end: (Fraction(1),), channels=[0], groups=groups, max_states=MAX_STATES
        )
        return None if total is None else (total, options)

    def _unhurt(self, fact: str, p: int) -> _Numbers:
        """Return in how many deals of each pair of wolves a fact holds before the attacks."""
        return np.array([2 * (not fact or (fact == WOLF and p in pair)) for pair in self.pairs], np.int64)

    def _factors(self, way: Sequence[int], fact: str, p: int) -> _Numbers:
        """Return in how many deals of each pair of wolves a fact holds after the attacks."""
        found = []
        for a, b in self.pairs:
            left = [(x, y) for x, y in ((a, b), (b, a)) if way[x] != y]
            found.append(sum(not fact or (p in (a, b) if fact == WOLF else way[x] == p) for x, _ in left))
        return np.array(found, np.int64)


def _grouped(rows: _Rows, kind: _Rows, kinds: int) -> list[_Rows]:
    """Return the rows of each kind."""
    order = np.argsort(kind, kind="stable")
    return np.split(rows[order], np.searchsorted(kind[order], np.arange(1, kinds)))


__all__ = ["Night"]
