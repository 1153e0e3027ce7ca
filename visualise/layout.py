"""Where the worlds of a picture stand: an arrangement chosen by structure, spread so nothing overlaps."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from kripke_werewolf.errors import ModelError, UnknownNameError, near_misses
from visualise import arrangements
from visualise.geometry import Box, Positions, spanning_tree
from visualise.structure import Structure

__all__ = ["GAP", "Arrangement", "arrange", "by_hand", "spread"]

Arrangement: TypeAlias = Literal["auto", "line", "cube", "ring", "grid", "force", "rows", "graphviz"]

GAP = 30.0  # the least space between the boxes of two worlds: room for edges
_GRID_CANDIDATES = 6
_MOST_EDGES = 400  # looked at in judging an arrangement


def arrange(
    s: Structure,
    boxes: Sequence[Box],
    *,
    arrangement: Arrangement = "auto",
    seed: int = 0,
    gap: float = GAP,
) -> Positions:
    """Return positions in points, shape (n, 2), for worlds that take the given boxes, `gap` apart at least.

    `arrangement="auto"` tries what fits the structure and takes the one with the fewest crossings.
    Raises `ModelError` where the arrangement asked for does not fit the model.
    """
    if arrangement not in get_args(Arrangement):
        raise UnknownNameError(arrangement, get_args(Arrangement), kind="arrangement")
    if s.size == 0:
        return np.zeros((0, 2))
    if arrangement == "auto":
        candidates = list(_candidates(s, boxes, seed, gap))
        return min(candidates, key=lambda c: round(c[0] + _cost(s, c[1], boxes) + _sprawl(c[1], boxes), 6))[1]
    if arrangement == "graphviz":
        return spread(_graphviz(s, seed), boxes, gap)
    named = {"line": arrangements.line, "cube": arrangements.cube, "ring": arrangements.ring}
    found: Positions | None
    if arrangement in named:
        found = named[arrangement](s)
    elif arrangement == "grid":
        grids = [spread(g, boxes, gap, stretch=True) for g in _grids(s) if g is not None]
        found = min(grids, key=lambda g: round(_cost(s, g, boxes), 6)) if grids else None
    else:
        found = arrangements.force(s, seed) if arrangement == "force" else arrangements.rows(s)
    if found is None:
        raise ModelError(
            f"the arrangement {arrangement!r} does not fit this model; 'auto' chooses one that does"
        )
    return spread(found, boxes, gap, stretch=arrangement in ("grid", "line", "rows"))


def _candidates(
    s: Structure, boxes: Sequence[Box], seed: int, gap: float
) -> Iterator[tuple[float, Positions]]:
    """Yield positions, each with what speaks against its kind."""
    for shape in (arrangements.line, arrangements.cube, arrangements.hexagon):
        found = shape(s)
        if found is not None:  # the structure says it all: nothing else is tried
            yield 0.0, spread(found, boxes, gap, stretch=shape is arrangements.line)
            return
    parts = s.components()
    if len(parts) > 1:
        yield 0.0, _packed(s, parts, boxes, seed, gap)
    telling = s.telling()
    for found in _grids(telling):
        if found is not None:
            holes = 1 - s.size / ((np.ptp(found[:, 0]) + 1) * (np.ptp(found[:, 1]) + 1))
            # rows and columns say everything about two agents
            plain = len(telling.ties) == 2 and not (found % 1).any()
            yield (-1.5 if plain else 0.5) + 3 * holes, spread(found, boxes, gap, stretch=True)
    for ties in telling.ties:
        if ties.classes is not None and max(map(len, ties.classes)) > 2 and 2 * len(ties.classes) <= s.size:
            yield 0.5, _packed(s, ties.classes, boxes, seed, 1.6 * gap)
    if not telling.ties:  # all worlds are alike
        yield (0.0 if s.size > 8 else 3.0), spread(arrangements.rows(s), boxes, gap, stretch=True)
    if len(parts) == 1:
        if s.size <= (16 if telling.ties else 8):
            yield 1.0 + max(0, s.size - 10) / 4, spread(arrangements.ring(s), boxes, gap)
        if telling.ties:
            yield 2.0, spread(arrangements.force(s, seed), boxes, gap)


def _grids(s: Structure) -> Iterator[Positions | None]:
    count = 0
    for i, a in enumerate(s.ties):
        for b in s.ties[i + 1 :]:
            if a.classes is None or b.classes is None or len(a.classes) < 2 or len(b.classes) < 2:
                continue
            count += 1
            if count > _GRID_CANDIDATES:
                return
            rows, columns = (a, b) if len(a.classes) <= len(b.classes) else (b, a)
            yield arrangements.grid(s, rows, columns)


def _packed(
    s: Structure, parts: Sequence[Sequence[int]], boxes: Sequence[Box], seed: int, gap: float
) -> Positions:
    """Arrange the parts one by one and set them in rows."""
    placed = []
    for part in parts:
        own = [boxes[w] for w in part]
        found = arrange(s.restricted(part), own, seed=seed, gap=gap)
        placed.append((part, found, _hull_box(found, own)))
    area = sum((box.width + gap) * (box.height + gap) for *_, box in placed)
    limit = max(1.5 * area**0.5, max(box.width for *_, box in placed) + 1)
    out = np.zeros((s.size, 2))
    x = y = height = 0.0
    for part, found, box in placed:
        if x and x + box.width > limit:
            x, y, height = 0.0, y - height - gap, 0.0
        out[list(part)] = found + np.array([x - box.left, y - box.top])
        x += box.width + gap
        height = max(height, box.height)
    return out


def _hull_box(place: Positions, boxes: Sequence[Box]) -> Box:
    return Box.union(
        Box(x + b.left, y + b.bottom, x + b.right, y + b.top)
        for (x, y), b in zip(place.tolist(), boxes, strict=True)
    )


def spread(place: Positions, boxes: Sequence[Box], gap: float = GAP, *, stretch: bool = False) -> Positions:
    """Scale positions so that boxes around them keep a distance; `boxes` are relative to their world.

    With `stretch` the two axes are scaled on their own.
    """
    n = len(place)
    place = place - place.mean(axis=0)
    if n < 2:
        return place
    left, bottom, right, top = np.array(boxes, float).T
    i, j = np.triu_indices(n, 1)
    step = place[j] - place[i]
    scale = np.ones(2)
    # what each axis alone would have to be scaled by to part the two boxes
    wide = np.where(step[:, 0] >= 0, right[i] - left[j], right[j] - left[i]) + gap
    high = np.where(step[:, 1] >= 0, top[i] - bottom[j], top[j] - bottom[i]) + 0.8 * gap
    with np.errstate(divide="ignore"):
        across, up = wide / np.abs(step[:, 0]), high / np.abs(step[:, 1])
    if stretch:
        level, upright = up > 1e6, across > 1e6
        if level.any():
            scale[0] = across[level].max()
        if upright.any():
            scale[1] = up[upright].max()
        if not upright.any() or not level.any():
            scale[:] = scale[0] if level.any() else scale[1] if upright.any() else 1
        across, up = across / scale[0], up / scale[1]
        scale = scale * max(1.0, float(np.minimum(across, up).max()))
    else:
        scale = scale * float(np.minimum(across, up).max())
    return place * scale


def by_hand(
    pos: Mapping[Any, Sequence[float]], worlds: Sequence[Hashable], boxes: Sequence[Box]
) -> Positions:
    """Read positions given as {world: (x, y)}, in any unit; scaled up where worlds would overlap.

    Raises `ModelError` for a world without a position, a position that is no pair of numbers, and
    two worlds at one place.
    """
    place = np.zeros((len(worlds), 2))
    taken: dict[tuple[float, float], Hashable] = {}
    for number, world in enumerate(worlds):
        if world not in pos:
            near = near_misses(str(world), map(str, pos))
            hint = f"; it has one for {near[0]!r}" if near else ""
            raise ModelError(f"pos has no position for world {world!r}{hint}; every world needs one")
        try:
            x, y = map(float, pos[world])
        except (TypeError, ValueError):
            raise ModelError(
                f"the position of world {world!r} must be two numbers, got {pos[world]!r}"
            ) from None
        if not np.isfinite([x, y]).all():
            raise ModelError(f"the position of world {world!r} must be finite, got {pos[world]!r}")
        if (x, y) in taken:
            raise ModelError(f"worlds {taken[x, y]!r} and {world!r} have the same position {pos[world]!r}")
        taken[x, y] = world
        place[number] = x, y
    needed = spread(place, boxes)
    if len(place) < 2:
        return needed
    factor = np.abs(needed).max() / max(np.abs(place - place.mean(axis=0)).max(), 1e-12)
    return needed if factor > 1 + 1e-9 or factor < 0.25 else place


def _graphviz(s: Structure, seed: int) -> Positions:
    try:
        import pygraphviz
    except ImportError:
        raise ModelError(
            "arrangement='graphviz' needs pygraphviz: pip install kripke-werewolf[graphviz]"
        ) from None
    graph = pygraphviz.AGraph(strict=True)
    graph.add_nodes_from(range(s.size))
    graph.add_edges_from(np.argwhere(np.triu(s.neighbours())).tolist())
    graph.graph_attr["start"] = str(seed)
    graph.layout("neato")
    found = [tuple(map(float, graph.get_node(i).attr["pos"].split(","))) for i in range(s.size)]
    return np.array(found)


# --- how good positions are ------------------------------------------------------------------------


def _cost(s: Structure, place: Positions, boxes: Sequence[Box]) -> float:
    """Crossings, edges through worlds and labels, and the length of edges, as they will be drawn."""
    edges = np.array(_drawn(s, place), np.int64).reshape(-1, 2)
    if not len(edges):
        return 0.0
    a, b = place[edges[:, 0]], place[edges[:, 1]]
    lengths = np.linalg.norm(b - a, axis=1)
    stretched = float(lengths.max() / max(float(np.median(lengths)), 1e-9))
    size = np.ptp(place, axis=0) + 60
    shape = abs(float(np.log(size[0] / size[1] / 1.4)))
    crossings = _crossings(a, b, edges) / len(edges) ** 0.5
    through = 2.0 * _through(a, b, place, 20.0)
    lows = np.array([min(0.0, box.bottom + 6) for box in boxes])
    if (lows < -24).any():  # labels below the worlds
        middles = place + np.stack([np.zeros(len(lows)), (lows - 15) / 2], axis=1)
        through += 0.4 * _through(a, b, middles[lows < -24], 10.0)
    return float(crossings + through + 0.3 * stretched + shape)


def _sprawl(place: Positions, boxes: Sequence[Box]) -> float:
    """By how much the page that holds all is larger than a loose arrangement of the boxes needs."""
    whole = _hull_box(place, boxes)
    side = max(whole.width / 1.4, whole.height)
    need = sum((box.width + GAP) * (box.height + GAP) for box in boxes)
    return max(0.0, 1.4 * side * side / need - 4.0)


def _drawn(s: Structure, place: Positions) -> list[tuple[int, int]]:
    found: set[tuple[int, int]] = set()
    for ties in s.ties:
        for cell in ties.cells:
            if len(cell) > 1:
                own = place[list(cell)]
                length = np.linalg.norm(own[:, None] - own[None, :], axis=2)
                found |= {(cell[i], cell[j]) for i, j in spanning_tree(length)}
        arrows = ties.entries(place) if ties.groups else ties.pairs
        found |= {(min(i, j), max(i, j)) for i, j in arrows}
    return sorted(found)[:_MOST_EDGES]


def _crossings(a: Positions, b: Positions, edges: npt.NDArray[np.int64]) -> int:
    i, j = np.triu_indices(len(edges), 1)
    shared = (edges[i][:, :, None] == edges[j][:, None, :]).any(axis=(1, 2))

    def side(p: Positions, q: Positions, r: Positions) -> npt.NDArray[np.float64]:
        cross = (q[:, 0] - p[:, 0]) * (r[:, 1] - p[:, 1]) - (q[:, 1] - p[:, 1]) * (r[:, 0] - p[:, 0])
        return np.sign(np.round(cross, 6))

    crosses = (side(a[i], b[i], a[j]) * side(a[i], b[i], b[j]) < 0) & (
        side(a[j], b[j], a[i]) * side(a[j], b[j], b[i]) < 0
    )
    return int(np.count_nonzero(crosses & ~shared))


def _through(a: Positions, b: Positions, spots: Positions, near: float) -> int:
    """Count how often an edge passes close to a spot that is not its end."""
    along = b - a
    square = np.maximum((along**2).sum(axis=1), 1e-9)
    t = np.clip(((spots[None] - a[:, None]) * along[:, None]).sum(axis=2) / square[:, None], 0, 1)
    apart = np.linalg.norm(a[:, None] + t[..., None] * along[:, None] - spots[None], axis=2)
    ends = np.minimum(
        np.linalg.norm(a[:, None] - spots[None], axis=2), np.linalg.norm(b[:, None] - spots[None], axis=2)
    )
    return int(np.count_nonzero((apart < near) & (ends > 1e-6)))
