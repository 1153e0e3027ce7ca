"""The players' cells in a game with too many worlds to draw: a row of boxes for each player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

from kripke_werewolf.base.drawing import Options
from kripke_werewolf.base.errors import ModelError
from kripke_werewolf.base.reports.tables import counted
from visualise.geometry import Point
from visualise.layout import Positions
from visualise.palette import FADED, INK, PAPER
from visualise.picture import ModelSketch, check_args
from visualise.reading import Graph, Reader
from visualise.routing import Look
from visualise.scene import LINE_SIZE, NAME_SIZE, Node, Scene
from visualise.text import Text, elided, plain, series, width_of

if TYPE_CHECKING:
    from kripke_werewolf.games.werewolf.knowledge import PlayerCells, PublicCells

_HEIGHT, _ROW, _GAP = 15.0, 62.0, 12.0  # half a box's height, from row to row, between boxes
_MOST_BOXES = 8
_SHADES = ("#56B4E9", "#85C8EF", "#A9D8F4", "#CBE7F8", "#E8F4FC")  # the darker, the fewer deals are left
_ONLY_WORLDS = ("agents", "pos", "formula", "fills", "explain", "weights")


@dataclass(frozen=True, slots=True, kw_only=True)
class CellsSketch(ModelSketch):
    """The sketch of the players' cells, with fixed positions of its nodes."""

    def placed(self, *, anew: bool = False, quick: bool = False) -> Positions:
        """Return the positions of the nodes, which are always the same."""
        return [node.position for node in self.nodes]


def cells_picture(cells: PublicCells, **options: Unpack[Options]) -> Scene:
    """Return the scene of the players' cells."""
    return cells_sketch(cells, options).scene()


def cells_sketch(cells: PublicCells, options: Options) -> CellsSketch:
    """Return the sketch of the players' cells; raises `ModelError` for options that are about worlds."""
    check_args(cells.deals, options)
    for name in _ONLY_WORLDS:
        if options.get(name) is not None:
            raise ModelError(f"{name} is for pictures of worlds; here the worlds are too many to draw")
    nodes = tuple(_nodes(cells))
    remarks = tuple(_remarks(cells))
    rows = "; ".join(node.title for node in nodes)
    return CellsSketch(
        nodes=nodes,
        graph=Graph((), (0,) * len(nodes)),
        look=Look({}, {}),
        title="The players' cells",
        description=f"{' '.join(remarks)} {rows}.",
        remarks=remarks,
        options=options,
        drawn=Reader(cells.deals, ()).drawn(0),
    )


def _nodes(cells: PublicCells) -> list[Node]:
    """Return a node for each player and one for each box, row by row."""
    names = [plain(elided(p.player)) for p in cells.players]
    roles = [plain(_roles(p, cells)) for p in cells.players]
    half = max(width_of(name, NAME_SIZE) for name in names) / 2 + 9
    room = max(half, *(width_of(role, LINE_SIZE) / 2 for role in roles))
    found: list[Node] = []

    def add(at: Point, wide: float, name: Text, below: Text, **more: Any) -> None:
        key, size = f"w{len(found)}", Point(wide, _HEIGHT)
        found.append(Node(key=key, name=name, half=size, texts=(below,), position=at, **more))

    for row, player in enumerate(cells.players):
        y = -_ROW * row
        title = f"{player.player}, {'alive' if player.alive else 'dead'}: {_roles(player, cells)}"
        look: dict[str, Any] = {"stroke": INK if player.alive else FADED}
        add(Point(0.0, y), half, names[row], roles[row], world=player.player, title=title, **look)
        x = room + 2 * _GAP
        for place, (least, most, count) in enumerate(_boxes(player.left)):
            shown, cells_there, fill, title = _described(least, most, count, len(cells.deals))
            name, below = plain(shown), plain(cells_there)
            wide = max(width_of(name, NAME_SIZE) / 2 + 8, 20.0, width_of(below, LINE_SIZE) / 2)
            world, look["fill"], look["shape"] = (player.player, place), fill, "square"
            add(Point(x + wide, y), wide, name, below, world=world, title=f"{player.player}: {title}", **look)
            x += 2 * wide + _GAP
    return found


def _described(least: int, most: int, count: int, deals: int) -> tuple[str, str, str, str]:
    """Return the text in a box, the one below it, its fill, and its description."""
    if not count:
        return "?", "not counted", PAPER, "cells are not counted"
    shown, cells, fill = f"{least:,}", counted(count, "cell"), PAPER
    if least < most:
        shown += f"–{most:,}"
    if least < deals:
        fill = _SHADES[min(len(_SHADES) * least // (deals + 1), len(_SHADES) - 1)]
    return shown, cells, fill, f"{cells} with {shown} deals left"


def _roles(player: PlayerCells, cells: PublicCells) -> str:
    """Return a player's possible roles according to public information."""
    if player.roles == cells.roles:
        return "any role"
    return " or ".join(filter(None, [", ".join(player.roles[:-1]), *player.roles[-1:]]))


def _boxes(left: Sequence[int] | None) -> list[tuple[int, int, int]]:
    """Return the distribution of the numbers of deals in cells: least, greatest, and number of such cells."""
    if left is None:
        return [(0, 0, 0)]
    found = [(deals, deals, count) for deals, count in sorted(Counter(left).items())]
    while len(found) > _MOST_BOXES:  # merge the closest ones
        k = min(range(len(found) - 1), key=lambda k: found[k + 1][1] / max(found[k][0], 1))
        (least, _, some), (_, most, more) = found[k : k + 2]
        found[k : k + 2] = [(least, most, some + more)]
    return found


def _remarks(cells: PublicCells) -> Iterator[str]:
    """Yield remarks on the content of the figure and on omissions."""
    deals = counted(len(cells.deals), "deal")
    yield f"Everybody considers {deals} possible: who has which role, and who is dead."
    yield (
        "A cell is what a player may have learnt in secret. A box shows how many of these deals are left for"
        " a player in such a cell; below it: how many such cells the player has."
    )
    if uncounted := [elided(p.player) for p in cells.players if p.left is None]:
        yield f"The cells of {series(uncounted)} are too many to count."
    if not all(p.alive for p in cells.players):
        yield "Grey: officially dead."
    yield "Not shown: the deals themselves, and what players know about each other."
