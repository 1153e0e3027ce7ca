"""Positions of worlds: an arrangement chosen by structure, spread so that nothing overlaps.

An arrangement is a function from a graph and a seed to possible positions of the worlds, in arbitrary units:
usually one, none if it does not apply. All are deterministic, and no two worlds get the same position.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import combinations, compress, islice, pairwise
from math import atan2, ceil, cos, dist, hypot, inf, isfinite, log, pi, sin, sqrt
from operator import mul, ne
from random import Random
from statistics import median
from typing import Any, TypeAlias, get_args

from kripke_werewolf.base.drawing import Arrangement
from kripke_werewolf.base.errors import ModelError, check_known, near_misses
from kripke_werewolf.base.grouping import grouped
from visualise.geometry import ORIGIN, Point, Rect, crossing, mean, spanning_tree, turn
from visualise.reading import Graph, Ties, waves
from visualise.text import rows_of

Positions: TypeAlias = list[Point]

GAP = 30.0  # the least space between the boxes of two worlds: room for edges


def arrange(
    graph: Graph,
    boxes: Sequence[Rect],
    *,
    arrangement: Arrangement = "auto",
    seed: int = 0,
    gap: float = GAP,
    measure: Callable[[Positions], float] | None = None,
    quick: bool = False,
    widest: float = inf,
) -> Positions:
    """Return positions in points for nodes with the given boxes, at least `gap` apart.

    `measure`: the cost of the lines and texts of a picture with given positions, by default estimated.
    `arrangement="auto"` tries those that fit the structure and takes the best; `quick`: it tries only a few.
    `widest`: the width of the page; what is wider is used only if everything is.
    Raises `ModelError` if the requested arrangement does not fit the model.
    """
    check_known(arrangement, get_args(Arrangement), kind="arrangement")
    if not graph.size:
        return []
    if arrangement == "auto":
        candidates = list(_candidates(graph, boxes, seed, gap, nested=quick))
        if widest < inf:
            candidates = _narrow(graph, candidates, boxes, gap, widest)
    else:
        fit = _FITS.get(arrangement, spread)
        candidates = [(0.0, fit(way, boxes, gap)) for way in _NAMED[arrangement](graph, seed)]
    if not candidates:
        raise ModelError(f"arrangement {arrangement!r} does not fit this model; 'auto' chooses one that does")
    if len(candidates) == 1 or measure is None:
        return _ranked(graph, candidates, boxes)[0][1]

    best, least = candidates[0][1], inf
    ranked = _ranked(graph, candidates, boxes)
    downwards = [each for each in ranked[_DRAWN:] if each[0] == _DOWNWARDS]
    for own, place in [*ranked[:_DRAWN], *downwards]:
        form = own + _formed(_lines(graph, place), place, boxes)
        if form < least - _ALIKE and (cost := round(form + measure(place), 6)) < least:
            best, least = place, cost
    return best


def _narrow(
    graph: Graph, candidates: Sequence[_Candidate], boxes: Sequence[Rect], gap: float, widest: float
) -> list[_Candidate]:
    """Return the candidates, also upright, and the best of them fitted to a page.

    They have a handicap for what does not fill the page.
    """
    found = list(candidates)
    if not graph.layers:  # they say which worlds are more plausible
        upright = [(own, [Point(-y, -x) for x, y in way]) for own, way in candidates]
        found += [(own, fit(way, boxes, gap)) for own, way in upright for fit in (_stretched, _parted)]
    for own, way in _ranked(graph, found, boxes)[:_UNTANGLED]:
        if _extent(way, boxes).width > widest:
            found.append((own, _within(graph, way, boxes, gap, widest)))
    filled = [_extent(way, boxes).width / widest for _, way in found]
    return [
        (own + _BEYOND_PAGE * max(0.0, share - 1) + _EMPTY * max(0.0, 1 - share), way)
        for share, (own, way) in zip(filled, found, strict=True)
    ]


def _within(graph: Graph, place: Positions, boxes: Sequence[Rect], gap: float, widest: float) -> Positions:
    """Return positions that a page holds, in rows like bricks in a wall.

    Worlds keep their order as far as possible, and layers their own rows.
    """
    wide, layers = max(box.width for box in boxes), graph.layers or (0,) * graph.size
    across = max(1, int((widest + gap) / (wide + gap) - 0.5))
    step = max(wide + gap, (widest - wide) / (across - 0.5))
    order = sorted(range(graph.size), key=lambda w: (-layers[w], -place[w].y))
    found, y = [ORIGIN] * graph.size, 0.0
    rows = rows_of(order, lambda row: len(row) <= across and layers[row[0]] == layers[row[-1]])
    for number, row in enumerate(rows):
        for column, w in enumerate(sorted(row, key=lambda w: place[w].x)):
            found[w] = Point((column + (across - len(row)) / 2 + 0.5 * (number % 2)) * step, y)
        y -= max(boxes[w].height for w in row) + 0.8 * gap
    straight = _Straight(found)
    pairs = (
        [pair for row in rows for pair in combinations(row, 2)]
        if graph.layers
        else combinations(range(graph.size), 2)
    )
    return _untangled(straight, partial(straight.lines, graph), pairs) if graph.size <= _SEVERAL else found


_BEYOND_PAGE, _EMPTY = 250.0, 3.0  # the handicap of what is twice as wide, or leaves the page empty


_DRAWN, _UNTANGLED, _BEGUN = 3, 2, 3  # arrangements that are drawn to be measured, untangled, begun by force

_Candidate: TypeAlias = tuple[float, Positions]


def _ranked(graph: Graph, candidates: Iterable[_Candidate], boxes: Sequence[Rect]) -> list[_Candidate]:
    """Return the most promising candidates, best first, and those downwards; of similar ones only one."""
    rated = [(round(own + _estimate(graph, way, boxes), 6), own, way) for own, way in candidates]
    rated.sort(key=lambda each: each[0])
    found: list[_Candidate] = []
    last, most = -inf, 1.5 * rated[0][0] + _HOPEFUL
    for estimate, own, way in rated:
        if last + _ALIKE < estimate <= most or own == _DOWNWARDS:
            found.append((own, way))
            last = estimate
    return found


_ALIKE, _HOPEFUL = 0.05, 3.0  # the least difference between estimates, and the most from the best


def _candidates(
    graph: Graph, boxes: Sequence[Rect], seed: int, gap: float, *, nested: bool = False
) -> Iterator[_Candidate]:
    """Yield positions with a handicap for their kind; `nested`: only a few, for parts of an arrangement."""

    def fitted(handicap: float, fit: _Fit, ways: Iterable[Positions]) -> list[_Candidate]:
        return [(handicap, fit(way, boxes, gap)) for way in ways]

    if graph.layers:  # the most plausible worlds are at the bottom
        rows = grouped((layer, w) for w, layer in enumerate(graph.layers))
        near = graph.neighbours()
        yield from fitted(0.0, _stretched, [_in_rows([rows[k] for k in sorted(rows, reverse=True)], near)])
        return
    for shape, fit in ((_line, _stretched), (_cube, spread), (_hexagon, spread)):
        if ways := shape(graph, seed):  # the structure decides: nothing else is tried
            yield from fitted(0.0, fit, ways)
            return
    parts, telling = graph.components(), graph.telling()
    if len(parts) > 1:
        yield 0.0, _packed(graph, parts, boxes, seed, gap)
    if any(ties.pairs for ties in graph.ties):
        yield from fitted(_DOWNWARDS, _stretched, _layered(graph, seed))
    for grid in _grids(telling, seed):
        extent = Rect.of(grid)
        holes = 1 - graph.size / ((extent.width + 1) * (extent.height + 1))
        # rows and columns show everything about two agents
        plain = len(telling.ties) == 2 and all(x % 1 == 0 for x, _ in grid)
        yield from fitted((-4.0 if plain else 0.5) + 3 * holes, _stretched, [grid])
    if not telling.ties:  # all worlds are alike
        yield from fitted(0.0 if graph.size > 8 else 3.0, _stretched, _rows(graph, seed))
    if len(parts) == 1:
        if graph.size <= (16 if telling.ties else 8):
            yield from fitted(1.0 + max(0, graph.size - 10) / 4, spread, _ring(graph, seed))
        if telling.ties:
            several = not nested and graph.size <= _SEVERAL
            ways = _force(graph, seed, _BEGUN if several else 0)
            loose = fitted(1.0, _parted, [_downwards(graph, way) for way in ways])
            if graph.size > _SMALL:
                yield from loose
                return
            best = _ranked(graph, loose, boxes)[:_DRAWN]
            swaps = list(combinations(range(graph.size), 2))
            yield from best
            if not several:
                best = []
            for own, way in best[:_UNTANGLED]:
                straight = _Straight(way)
                untangled = _untangled(straight, partial(straight.lines, graph), swaps)
                untangled = apart(untangled, boxes, gap)
                yield own, untangled
                if graph.size <= _SHORT and not _tangles(graph, untangled):
                    break
            yield from fitted(2.0, spread, [way for _, way in best])


_DOWNWARDS = -3.0  # the bonus of an arrangement downwards from the actual worlds
_SHORT = 16  # nodes of a graph for which one of them without crossings is enough
_SEVERAL = 40  # nodes of a graph for which stress majorisation begins more than once


def _packed(
    graph: Graph, parts: Sequence[Sequence[int]], boxes: Sequence[Rect], seed: int, gap: float
) -> Positions:
    """Arrange the parts separately, and place them in rows."""
    blocks = []
    for part in parts:
        own = [boxes[w] for w in part]
        inner = graph.restricted(part)
        place = _ranked(inner, _candidates(inner, own, seed, gap, nested=True), own)[0][1]
        blocks.append((part, place, _extent(place, own)))
    area = sum((extent.width + gap) * (extent.height + gap) for *_, extent in blocks)
    limit = max(1.5 * area**0.5, max(extent.width for *_, extent in blocks) + 1)
    out, y = [ORIGIN] * graph.size, 0.0
    for row in rows_of(blocks, lambda row: sum(extent.width + gap for *_, extent in row) - gap <= limit):
        x = 0.0
        for part, place, extent in row:
            for w, spot in zip(part, place, strict=True):
                out[w] = spot.moved(Point(x - extent.left, y - extent.top))
            x += extent.width + gap
        y -= max(extent.height for *_, extent in row) + gap
    return out


def _extent(place: Positions, boxes: Sequence[Rect]) -> Rect:
    """Return the box around boxes that are relative to their positions."""
    return Rect.union(box.moved(spot) for spot, box in zip(place, boxes, strict=True))


# --- room ------------------------------------------------------------------------------------------


def spread(place: Sequence[Point], boxes: Sequence[Rect], gap: float = GAP) -> Positions:
    """Scale positions so that boxes around them keep a distance; `boxes` are relative to their worlds."""
    place = _centred(place)
    more = max((min(need) for need in _needs(place, boxes, gap)), default=1.0)
    return [Point(x * more, y * more) for x, y in place]


def _stretched(place: Sequence[Point], boxes: Sequence[Rect], gap: float = GAP) -> Positions:
    """Spread positions in rows and columns, scaling the two axes separately."""
    place = _centred(place)
    needs = list(_needs(place, boxes, gap))
    level = max((across for across, up in needs if up > _FAR), default=0.0)
    upright = max((up for across, up in needs if across > _FAR), default=0.0)
    x, y = level or upright or 1.0, upright or level or 1.0
    more = max((min(across / x, up / y) for across, up in needs), default=1.0)
    more = max(1.0, more)
    return [Point(p.x * x * more, p.y * y * more) for p in place]


def _parted(place: Sequence[Point], boxes: Sequence[Rect], gap: float = GAP) -> Positions:
    """Spread positions as far as most boxes need, and push apart those that are still too close.

    Boxes that are wider than high get more horizontal room. Scaling separates the rest.
    """
    wide = sum(box.width + gap for box in boxes) / sum(box.height + gap for box in boxes)
    place = _centred([Point(x * min(max(wide, 1.0), _WIDEST), y) for x, y in place])
    least = [0.0] * len(place)  # the factor that each needs
    for (i, j), need in zip(combinations(range(len(place)), 2), _needs(place, boxes, gap), strict=True):
        least[i], least[j] = max(least[i], min(need)), max(least[j], min(need))
    scale = sorted(least)[len(least) // 3] or 1.0
    at = [Point(x * scale, y * scale) for x, y in place]
    for _ in range(_PUSHES if len(place) <= _SMALL else _PUSHES // 3):
        if not _pushed(at, boxes, gap):
            break
    return apart(at, boxes, gap)


def apart(place: Positions, boxes: Sequence[Rect], gap: float = GAP) -> Positions:
    """Return positions, spread if some boxes are still too close."""
    if max((min(need) for need in _needs(place, boxes, gap)), default=0.0) > 1:
        return spread(place, boxes, gap)
    return place


def _untangled(
    straight: _Straight, lines: Callable[[Sequence[int]], Collection[int]], pairs: Iterable[tuple[int, int]]
) -> Positions:
    """Swap pairs of worlds as long as fewer straight lines then cross each other or pass through worlds.

    `lines`: those that are drawn if the worlds have the numbered positions.
    """
    at, swaps = list(range(len(straight.place))), list(pairs)
    best, before = straight.cost(lines(at)), inf
    while 0 < best < before:
        before = best
        for i, j in swaps:
            at[i], at[j] = at[j], at[i]
            if best and (found := straight.cost(lines(at))) < best:
                best = found
            else:
                at[i], at[j] = at[j], at[i]
    return [straight.place[k] for k in at]


class _Straight:
    """The straight lines between numbered positions; what is asked about one is found once.

    The lines are numbered, too: the two directions have the same number.
    """

    def __init__(self, place: Positions) -> None:
        self.place = place
        self._far, self._beside = cache(self._distances), cache(self._sides)
        self._met, self._tree = cache(self._meets), cache(self._spanning)
        self.lines_of = cache(self._numbers)

    def _numbers(self, i: int) -> list[int]:
        """Return the numbers of the lines between a position and each."""
        count = len(self.place)
        return [min(i, j) * count + max(i, j) for j in range(count)]

    def lines(self, graph: Graph, at: Sequence[int]) -> set[int]:
        """Return an estimate of the lines that are drawn if the worlds have the numbered positions."""
        found = {self.lines_of(at[i])[at[j]] for i, j in graph.arrows}
        for w, seen in graph.outside:
            far = self._far(at[w])
            found.add(self.lines_of(at[w])[min([at[v] for v in seen], key=far.__getitem__)])
        for cell in graph.cells:
            spots = tuple(sorted([at[w] for w in cell]))
            found.update(self._tree(spots))
        return found

    def _distances(self, i: int) -> list[float]:
        return [round(dist(self.place[i], spot), 6) for spot in self.place]

    def _spanning(self, spots: tuple[int, ...]) -> list[int]:
        edges = spanning_tree(spots, lambda i, j: dist(self.place[i], self.place[j]))
        return [self.lines_of(i)[j] for i, j in edges]

    def cost(self, lines: Collection[int]) -> int:
        """Return the number of crossings of lines, and twice that of positions they pass through."""
        drawn = sum([1 << line for line in lines])
        met = list(map(self._met, lines))
        return sum([(crossed & drawn).bit_count() for crossed, _ in met]) // 2 + 2 * sum([n for _, n in met])

    def _meets(self, line: int) -> tuple[int, int]:
        """Return the lines that cross one, as a bit mask, and the number of positions on it."""
        i, j = divmod(line, len(self.place))
        sides = self._beside(line)
        left, right = ([k for k, side in enumerate(sides) if way * side > 0] for way in (1, -1))
        crossed = 0
        for other in (self.lines_of(k)[m] for k in left for m in right):
            there = self._beside(other)
            if there[i] * there[j] < 0:
                crossed |= 1 << other
        return crossed, _through([(i, j)], self.place, self.place, _FLAT)

    def _sides(self, line: int) -> list[float]:
        """Return for each position on which side of a line it is, as a sign; 0 on the line."""
        i, j = divmod(line, len(self.place))
        return [turn(self.place[i], self.place[j], spot) for spot in self.place]


_FLAT = 1e-6  # a line this close to a world passes through it


_WIDEST = 2.4  # the most by which positions are stretched for wide boxes
_PUSHES = 120  # rounds
_SMALL = 150  # nodes of a graph for which everything is tried


def _pushed(at: Positions, boxes: Sequence[Rect], gap: float) -> bool:
    """Push boxes that are too close apart, each by half; return whether any were."""
    moved = False
    order = sorted(range(len(at)), key=lambda w: at[w].x + boxes[w].left)
    for rank, i in enumerate(order):
        for j in order[rank + 1 :]:
            if at[j].x + boxes[j].left - at[i].x - boxes[i].right >= gap + 1:
                break
            (px, py), (qx, qy) = at[i], at[j]
            wide, high = _room(at[i], at[j], boxes[i], boxes[j], gap)
            wide, high = wide - abs(qx - px), high - abs(qy - py)
            if wide <= 0 or high <= 0:
                continue
            moved = True
            if wide < high:
                by = Point((wide + 0.1) / 2 * (1 if qx >= px else -1), 0.0)
            else:
                by = Point(0.0, (high + 0.1) / 2 * (1 if qy >= py else -1))
            at[i], at[j] = Point(px - by.x, py - by.y), Point(qx + by.x, qy + by.y)
    return moved


def _needs(place: Sequence[Point], boxes: Sequence[Rect], gap: float) -> Iterator[tuple[float, float]]:
    """Yield for each pair of boxes the factors by which either axis alone would separate them."""
    for (a, p), (b, q) in combinations(zip(place, boxes, strict=True), 2):
        (px, py), (qx, qy) = a, b
        wide, high = _room(a, b, p, q, gap)
        yield wide / abs(qx - px) if qx != px else inf, high / abs(qy - py) if qy != py else inf


def _room(a: Point, b: Point, p: Rect, q: Rect, gap: float) -> tuple[float, float]:
    """Return how far apart two places must be for their boxes, across or up."""
    wide = p.right - q.left if b.x >= a.x else q.right - p.left
    high = p.top - q.bottom if b.y >= a.y else q.top - p.bottom
    return wide + gap, high + 0.8 * gap


_Fit: TypeAlias = Callable[[Sequence[Point], Sequence[Rect], float], Positions]


_FAR = 1e6  # a factor so large that the two stand in one row or column


def _centred(place: Sequence[Point]) -> Positions:
    """Return the positions around their centre of gravity."""
    x, y = mean(place)
    return [Point(p.x - x, p.y - y) for p in place]


def reach(place: Sequence[Point]) -> float:
    """Return the extent of the positions from their centre of gravity, along either axis."""
    return max((max(abs(x), abs(y)) for x, y in _centred(place)), default=0.0)


def by_hand(
    pos: Mapping[Any, Sequence[float]], worlds: Sequence[Hashable], boxes: Sequence[Rect]
) -> Positions:
    """Read positions given as {world: (x, y)}, in any unit; scaled up where worlds would overlap.

    Raises `ModelError` for a world without a position, a position that is not a pair of numbers, and two
    worlds at one place.
    """
    taken: dict[Point, Hashable] = {}
    for world in worlds:
        if world not in pos:
            near = near_misses(str(world), map(str, pos))
            hint = f"; it has one for {near[0]!r}" if near else ""
            raise ModelError(f"pos has no position for world {world!r}{hint}; every world needs one")
        try:
            x, y = map(float, pos[world])
        except (TypeError, ValueError):
            raise ModelError(f"the position of {world!r} must be two numbers, got {pos[world]!r}") from None
        at = Point(x, y)
        if not all(map(isfinite, at)):
            raise ModelError(f"the position of world {world!r} must be finite, got {pos[world]!r}")
        if at in taken:
            raise ModelError(f"worlds {taken[at]!r} and {world!r} have the same position {pos[world]!r}")
        taken[at] = world
    place = list(taken)
    needed = spread(place, boxes)
    if len(place) < 2:
        return needed
    factor = reach(needed) / max(reach(place), 1e-12)
    return needed if factor > 1 + 1e-9 or factor < 0.25 else place


# --- arrangements ----------------------------------------------------------------------------------


def _line(graph: Graph, seed: int) -> list[Positions]:
    """Arrange a chain: each world is related to at most two others, without a cycle."""
    near = graph.neighbours()
    if max(map(len, near)) > 2 or sum(map(len, near)) != 2 * graph.size - 2 or len(graph.components()) > 1:
        return []
    order = [next(w for w, others in enumerate(near) if len(others) < 2)]
    while len(order) < graph.size:
        order.append(next(w for w in near[order[-1]] if w not in order[-2:]))
    across = graph.size if graph.size <= 9 else ceil(sqrt(2.5 * graph.size))
    out = [ORIGIN] * graph.size
    for place, world in enumerate(order):
        row, column = divmod(place, across)  # to and fro, like a snake
        out[world] = Point(column if row % 2 == 0 else across - 1 - column, -row)
    return [out]


# directions of the atoms; a hypercube of more than five dimensions is no help to the eye
_CUBES = {
    2: [(1.0, 0.0), (0.0, 1.0)],
    3: [(1.0, 0.0), (0.0, 1.0), (0.46, 0.36)],
    # the projection in which the outline is a regular octagon
    4: [(cos(pi / 8 + k * pi / 4), sin(pi / 8 + k * pi / 4)) for k in range(4)],
    # one in which no corner comes close to another, or to a line
    5: [(1.32, -0.14), (0.86, 0.05), (0.42, 0.24), (0.27, 1.03), (-0.54, 0.54)],
}


def _cube(graph: Graph, seed: int) -> list[Positions]:
    """Arrange worlds at the corners of a hypercube, where agents confuse worlds that differ in one atom."""
    corners = _corners(graph)
    axes = _CUBES.get(len(corners[0]), [])
    if not axes or 2 * graph.size < 2 ** len(axes) or len(set(corners)) < graph.size:
        return []

    def apart(i: int, j: int) -> int:
        return sum(map(ne, corners[i], corners[j]))

    for ties in graph.ties:
        steps = list(ties.pairs)
        for cell in ties.classes or ():
            steps += spanning_tree(cell, apart)
        if any(apart(i, j) > 1 for i, j in steps):
            return []
    xs, ys = zip(*axes, strict=True)
    return [[Point(sum(compress(xs, corner)), sum(compress(ys, corner))) for corner in corners]]


def _corners(graph: Graph) -> list[tuple[int, ...]]:
    """Return for each world its varying atoms as zeros and ones; of atoms that vary alike only one."""
    columns: dict[tuple[int, ...], tuple[int, ...]] = {}
    for atom in range(max(graph.bits).bit_length()):
        column = tuple(bits >> atom & 1 for bits in graph.bits)
        if len(set(column)) > 1:
            columns.setdefault(tuple(bit ^ column[0] for bit in column), column)
    return list(zip(*columns.values(), strict=True)) or [()] * graph.size


def _hexagon(graph: Graph, seed: int) -> list[Positions]:
    """Arrange six worlds that each agent confuses in three pairs, as when three players hold three cards."""
    pairs = all({len(cell) for cell in ties.classes or ()} == {2} for ties in graph.ties)
    if graph.size != 6 or len(graph.components()) > 1 or not pairs:
        return []
    return _ring(graph, seed)


def _ring(graph: Graph, seed: int) -> list[Positions]:
    """Arrange worlds on a circle so that few lines cross; six of them as a hexagon."""
    n = graph.size
    start = pi / 2 + (pi / n if n % 2 == 0 else 0)
    radius = max(1.0, n / 6)
    turns = (start - 2 * pi * number / n for number in range(n))
    straight = _Straight([Point(radius * cos(turn), radius * sin(turn)) for turn in turns])
    return [_untangled(straight, partial(straight.lines, graph), combinations(range(1, n), 2))]


def _grids(graph: Graph, seed: int) -> list[Positions]:
    """Arrange worlds in rows and columns by the classes of two agents, for some pairs of agents."""
    telling = [ties for ties in graph.ties if len(ties.classes or ()) > 1]
    pairs = islice(combinations(telling, 2), 6)
    fewer_first = (sorted(pair, key=lambda ties: len(ties.cells)) for pair in pairs)
    return [_grid(rows, columns, graph.size) for rows, columns in fewer_first]


def _grid(rows: Ties, columns: Ties, size: int) -> Positions:
    """Arrange rows and columns by the classes of two agents; worlds in the same cell are side by side."""
    row, column = _labels(rows), _labels(columns)
    for _ in range(6):  # rounds of barycentres: related worlds come close
        row = _by_mean(row, column)
        column = _by_mean(column, row)
    cells = grouped(((row[world], column[world]), world) for world in range(size))
    widest = [1] * (max(column) + 1)
    for (_, c), members in cells.items():
        widest[c] = max(widest[c], len(members))
    out = [ORIGIN] * size
    for (r, c), members in cells.items():
        left = sum(widest[:c]) + (widest[c] - len(members)) / 2
        for k, world in enumerate(members):
            out[world] = Point(left + k, -r)
    return out


def _labels(ties: Ties) -> list[int]:
    return [number for _, number in sorted((w, n) for n, cell in enumerate(ties.classes or ()) for w in cell)]


def _by_mean(label: list[int], other: list[int]) -> list[int]:
    """Renumber labels by the mean of the other labels that they occur with."""
    with_it = grouped(sorted(zip(label, other, strict=True)))
    order = sorted(with_it, key=lambda own: round(sum(with_it[own]) / len(with_it[own]), 9))
    rank = {own: place for place, own in enumerate(order)}
    return [rank[own] for own in label]


def _rows(graph: Graph, seed: int) -> list[Positions]:
    """Arrange worlds in reading order, in a block slightly wider than high."""
    across = max(1, ceil(sqrt(1.6 * graph.size)))
    return [[Point(w % across, -(w // across)) for w in range(graph.size)]]


def _force(graph: Graph, seed: int, most: int = 0) -> list[Positions]:
    """Arrange worlds at distances given by the number of steps between them; small graphs in two ways.

    The starts are those of classical scaling (Torgerson 1952), the first axis with the second and with the
    third, shaken a little by a generator with the given seed. As long as lines cross in all of them, it draws
    others, until there are `most`.
    """
    if graph.size == 1:
        return [[ORIGIN]]
    steps, random = _distances(graph), Random(seed)
    first, *others = _scaled(steps, random)
    if graph.size > _SMALL:
        del others[1:]
    starts = []
    for other in others * (3 if most else 1):
        spots = zip(first, other, strict=True)
        starts.append([complex(x + random.gauss(0, 0.05), y + random.gauss(0, 0.05)) for x, y in spots])
    pulls = [_pulls(w, row) for w, row in enumerate(steps)]

    def settled(start: Sequence[complex]) -> Positions:
        return _turned([Point(z.real, z.imag) for z in _relaxed(pulls, start)])

    found = list(map(settled, starts))
    wide, tangled = sqrt(graph.size), all(_tangles(graph, way) for way in found)
    while tangled and len(found) < most:
        found.append(settled([complex(random.gauss(0, wide), random.gauss(0, wide)) for _ in pulls]))
        tangled = _tangles(graph, found[-1]) > 0
    return found


_Pull: TypeAlias = tuple[int, float, float]  # by another world: its number, 1 / its distance, its weight


def _relaxed(pulls: Sequence[Sequence[_Pull]], start: Sequence[complex]) -> list[complex]:
    """Return positions that distort the distances little (stress majorisation), as complex numbers.

    Gansner, Koren and North 2005, section 2.3: in turn, each world moves to the position where its own stress
    is least; here slightly beyond, which takes fewer rounds.
    """
    at = list(start)
    beyond = [_BEYOND / sum(weight for _, _, weight in own) for own in pulls]
    for _ in range(_ROUNDS):
        farthest = 0.0
        for w, own in enumerate(pulls):
            here, pull = at[w], 0j
            for other, force, weight in own:
                away = here - at[other]
                pull += away * (force / (abs(away) or 1e-9) - weight)
            pull *= beyond[w]
            at[w] = here + pull
            farthest = max(farthest, abs(pull))
        if farthest < _STILL:
            break
    return at


def _pulls(w: int, row: Sequence[float]) -> list[_Pull]:
    """Return the worlds that affect one: in large graphs, close ones and a few.

    Ortmann, Klimenta and Brandes 2016 show that a few dozen others are enough.
    """
    some = max(1, len(row) // 40)
    return [
        (v, 1 / step, 1 / step**2)
        for v, step in enumerate(row)
        if v != w and (len(row) <= _SMALL or step <= 2 or v % some == 0)
    ]


_BEYOND = 1.6  # times the way to the place of least stress
_ROUNDS = 60
_STILL = 0.01  # of a step


def _distances(graph: Graph) -> list[list[float]]:
    """Return the number of steps between each pair of worlds; for unconnected ones, the number of worlds."""
    near = graph.neighbours()
    far, out = float(graph.size), []
    for start in range(graph.size):
        steps = {w: n for n, reached in enumerate(waves(near, start)) for w in reached}
        out.append([steps.get(w, far) for w in range(graph.size)])
    return out


def _scaled(steps: list[list[float]], random: Random) -> list[list[float]]:
    """Return three axes that approximate the distances: classical scaling by power iteration."""
    n = len(steps)
    means = [sum(map(mul, row, row)) / n for row in steps]
    whole = sum(means) / n
    inner = [
        [(a + b - step * step - whole) / 2 for b, step in zip(means, row, strict=True)]
        for a, row in zip(means, steps, strict=True)
    ]
    axes: list[list[float]] = []
    for _ in range(3):
        axis, length = [random.gauss(0, 1) for _ in range(n)], 1.0
        for _ in range(40):
            axis = [sum(map(mul, row, axis)) for row in inner]
            for other in axes:  # at right angles to those before
                shadow = sum(map(mul, axis, other)) / (sum(map(mul, other, other)) or 1.0)
                axis = [a - shadow * b for a, b in zip(axis, other, strict=True)]
            length = sqrt(sum(map(mul, axis, axis))) or 1.0
            axis = [a / length for a in axis]
        axes.append([a * sqrt(length) for a in axis])
    return axes


def _downwards(graph: Graph, place: Positions) -> Positions:
    """Return positions, or their mirror image with more arrows leading down."""
    arrows = [(i, j) for ties in graph.ties for i, j in ties.pairs if (j, i) not in ties.pairs]
    rising = sum(place[j].y > place[i].y for i, j in arrows)
    falling = sum(place[j].y < place[i].y for i, j in arrows)
    return [Point(x, -y) for x, y in place] if rising > falling else place


def _turned(place: Positions) -> Positions:
    """Turn the longer axis to the horizontal, and the first world to the upper left."""
    place = _centred(place)
    spread_x, spread_y = (sum(map(mul, axis, axis)) for axis in zip(*place, strict=True))
    angle = atan2(2 * sum(x * y for x, y in place), spread_x - spread_y) / 2
    level = [(x * cos(angle) + y * sin(angle), y * cos(angle) - x * sin(angle)) for x, y in place]
    first_x, first_y = level[0]
    right, down = first_x > 1e-9, first_y < -1e-9
    return [Point(-x if right else x, -y if down else y) for x, y in level]


def _layered(graph: Graph, seed: int) -> list[Positions]:
    """Arrange worlds in rows from the actual ones down, arrows leading from one row to the next.

    After Sugiyama, Tagawa and Toda 1981: worlds that see each other share a row, and the rank of a row is the
    length of the longest path to it; or else rows are the numbers of steps from the actual worlds. Within
    rows, worlds are sorted by the positions of related worlds.
    """
    found = []
    near = graph.successors()
    one_way = [(i, j) for i, seen in enumerate(near) for j in seen if i not in near[j]]
    for level in {tuple(_depths(graph)), tuple(_steps(graph))}:
        rows = grouped(sorted((depth, w) for w, depth in enumerate(level)))
        within = any(level[i] == level[j] for i, j in one_way)  # arrows that run over each other in a row
        if max(level) and max(map(len, rows.values())) <= 12 and not within:
            found.append(_in_rows(list(rows.values()), graph.neighbours(), graph.arrows))
    return sorted(found)


def _steps(graph: Graph) -> list[int]:
    """Return the number of steps from the closest actual world; other worlds are above their successors."""
    near = graph.successors()
    level: dict[int, int] = {}
    for depth, wave in enumerate(waves(near, *sorted(graph.points))):
        level |= dict.fromkeys(wave, depth)
    while above := {w for w in range(graph.size) if w not in level and not near[w].isdisjoint(level)}:
        level |= {w: max(0, min(level[v] for v in near[w] if v in level) - 1) for w in above}
    last = max(level.values(), default=-1) + 1
    return [level.get(w, last) for w in range(graph.size)]


def _depths(graph: Graph) -> list[int]:
    """Return the length of the longest path to each world; worlds that reach each other count as one."""
    near = graph.successors()
    reach = [set[int]().union(*waves(near, w)) for w in range(graph.size)]
    lot = [frozenset(v for v in reach[w] if w in reach[v]) for w in range(graph.size)]
    depth: dict[frozenset[int], int] = {}
    for own in sorted(set(lot), key=lambda own: -len(reach[min(own)])):  # successors come later
        above = [depth[other] for other in depth if other and min(own) in reach[min(other)]]
        depth[own] = max(above, default=-1) + 1
    return [depth[own] for own in lot]


def _in_rows(
    levels: Sequence[Sequence[int]], related: Sequence[set[int]], passing: Iterable[tuple[int, int]] = ()
) -> Positions:
    """Return the positions of rows of worlds, each world close to those it is related to.

    The lines `passing` have a place in each row that they pass, as if there were a world.
    """
    rows, near = [list(row) for row in levels], [set(others) for others in related]
    depth = {w: k for k, row in enumerate(levels) for w in row}
    lines = [(i, j) for i, others in enumerate(related) for j in others if i < j]
    for i, j in passing:
        above, below = sorted((i, j), key=lambda w: depth[w])
        chain = [above, *range(len(near), len(near) + depth[below] - depth[above] - 1), below]
        for lane, row in zip(chain[1:-1], rows[depth[above] + 1 :], strict=False):
            row.append(lane)
            near.append(set())
        near[i].discard(j)
        near[j].discard(i)
        for v, w in pairwise(chain):
            near[v].add(w)
            near[w].add(v)
    across = {w: k - (len(row) - 1) / 2 for row in rows for k, w in enumerate(row)}
    best = inf
    for sweep in range(12):
        for row in rows if sweep % 2 == 0 else rows[::-1]:
            own = {w: [across[v] for v in near[w] if v not in row] or [across[w]] for w in row}
            row.sort(key=lambda w: round(sum(own[w]) / len(own[w]), 9))
            across |= _spaced(row, {w: sum(its) / len(its) for w, its in own.items()})
        if (count := _entangled(rows, near, across)) < best:
            best, places = count, dict(across)
    place = [Point(places[w], -0.75 * depth[w]) for w in range(len(related))]
    if len(place) > _SEVERAL:
        return place
    straight = _Straight(place)

    def drawn(at: Sequence[int]) -> list[int]:
        return [straight.lines_of(at[i])[at[j]] for i, j in lines]

    return _untangled(straight, drawn, (pair for row in levels for pair in combinations(row, 2)))


def _spaced(row: Sequence[int], wanted: Mapping[int, float]) -> dict[int, float]:
    """Return places at least one apart, in the order of the row, close to those wanted."""
    from_left, from_right = {}, {}
    left, right = -inf, inf
    for w in row:
        left = from_left[w] = max(wanted[w], left + 1)
    for w in reversed(row):
        right = from_right[w] = min(wanted[w], right - 1)
    return {w: (from_left[w] + from_right[w]) / 2 for w in row}


def _entangled(rows: Sequence[Sequence[int]], near: Sequence[set[int]], across: Mapping[int, float]) -> int:
    """Return the number of lines that cross between rows, or pass worlds within a row."""
    depth = {w: k for k, row in enumerate(rows) for w in row}
    place = [Point(across[w], -depth[w]) for w in range(len(depth))]
    lines = [(i, j) for i, others in enumerate(near) for j in others if i < j]
    return _crossings(lines, place) + _through(lines, place, place, _FLAT)


# arrangements in rows and columns; others are scaled evenly
_FITS: Mapping[str, _Fit] = dict.fromkeys(("line", "grid", "rows", "layers"), _stretched) | {"force": _parted}

_NAMED: Mapping[str, Callable[[Graph, int], list[Positions]]] = {
    "line": _line,
    "cube": _cube,
    "ring": _ring,
    "grid": _grids,
    "layers": _layered,
    "force": _force,
    "rows": _rows,
}


# --- how good positions are ------------------------------------------------------------------------


def _formed(lines: Sequence[tuple[int, int]], place: Positions, boxes: Sequence[Rect]) -> float:
    """Return the cost of positions apart from lines: page size, shape, long lines."""
    whole = _extent(place, boxes)
    side = max(whole.width / 1.4, whole.height)
    sprawl = max(0.0, 1.4 * side * side / needed(boxes) - 4.0)
    if not lines:
        return sprawl
    lengths = [dist(place[i], place[j]) for i, j in lines]
    extent = Rect.of(place).grown(30)
    shape = abs(log(extent.width / extent.height / 1.4))
    return sprawl + 0.3 * max(lengths) / max(median(lengths), 1e-9) + shape


def needed(boxes: Sequence[Rect]) -> float:
    """Return the area that boxes need in a loose arrangement."""
    return sum((box.width + GAP) * (box.height + GAP) for box in boxes)


def _estimate(graph: Graph, place: Positions, boxes: Sequence[Rect]) -> float:
    """Return an estimate of the cost of a picture, with straight lines."""
    lines = _lines(graph, place)
    form = _formed(lines, place, boxes)
    crossings = 5.0 * _crossings(lines, place) / sqrt(len(lines) or 1)
    through = 2.0 * _through(lines, place, place, 20.0)
    return form + crossings + through


def _lines(graph: Graph, place: Positions) -> list[tuple[int, int]]:
    """Return an estimate of the lines to be drawn, few enough to be evaluated quickly."""
    lines = sorted(_Straight(place).lines(graph, range(graph.size)))
    return [divmod(line, graph.size) for line in lines[:400]]


def _crossings(lines: Sequence[tuple[int, int]], place: Positions) -> int:
    """Count the pairs of lines that cross without a common end."""
    swept = []
    for i, j in lines:
        (ax, ay), (bx, by) = place[i], place[j]
        left, right = (ax, bx) if ax < bx else (bx, ax)
        low, high = (ay, by) if ay < by else (by, ay)
        swept.append((left, low, right, high, i, j))
    swept.sort()
    count = 0
    for number, (_, bottom, right, top, i, j) in enumerate(swept, 1):
        for left, low, _, high, k, m in islice(swept, number, None):
            if left > right:
                break
            if low > top or high < bottom or i in (k, m) or j in (k, m):
                continue
            count += crossing(place[i], place[j], place[k], place[m])
    return count


def _tangles(graph: Graph, place: Positions) -> int:
    """Return the number of crossings of the lines that would be drawn."""
    return _crossings(_lines(graph, place), place)


def _through(lines: Sequence[tuple[int, int]], place: Positions, spots: Positions, near: float) -> int:
    """Count how often a line passes close to a spot other than its ends."""
    count = 0
    for i, j in lines:
        (ax, ay), (bx, by) = place[i], place[j]
        dx, dy = bx - ax, by - ay
        square = max(dx * dx + dy * dy, 1e-9)
        left, right = (ax - near, bx + near) if ax < bx else (bx - near, ax + near)
        bottom, top = (ay - near, by + near) if ay < by else (by - near, ay + near)
        for x, y in spots:
            if left < x < right and bottom < y < top:
                t = min(1.0, max(0.0, ((x - ax) * dx + (y - ay) * dy) / square))
                close = hypot(ax + t * dx - x, ay + t * dy - y) < near
                count += close and min(hypot(x - ax, y - ay), hypot(x - bx, y - by)) > 1e-6
    return count
