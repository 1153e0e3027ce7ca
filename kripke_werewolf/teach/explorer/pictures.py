"""Pictures of boards: worlds keep their places from step to step, and where they are put by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from kripke_werewolf.base.drawing import Options
from kripke_werewolf.teach.explorer.boards import Board
from kripke_werewolf.teach.explorer.edits import numbers_of
from kripke_werewolf.teach.explorer.limits import MOST_DRAWN
from kripke_werewolf.teach.explorer.state import Kept, State, digest, read_spot
from visualise.geometry import Point
from visualise.picture import ModelSketch, origins, sketch
from visualise.reading import Drawn
from visualise.scene import Scene
from visualise.sequence import inherited
from visualise.svg_output import to_svg

Places = Mapping[int, tuple[float, float]]


@dataclass(frozen=True, eq=False)
class _Arrangement:
    """The picture of a board: its sketch and the positions of the nodes.

    `key`: a name for everything it was made from. `came`: for each node, its predecessor in the previous
    picture, None if it is new or rearranged.
    """

    key: str
    sketch: ModelSketch
    place: tuple[Point, ...]
    came: tuple[int | None, ...] = ()
    before: _Arrangement | None = None

    @cached_property
    def bare(self) -> Scene:
        """The nodes and the lines."""
        return self.sketch.composed(list(self.place))

    @cached_property
    def scene(self) -> Scene:
        """The scene without legend and caption, which the page provides."""
        return self.sketch.finished(self.bare, legend=False, caption="")

    def svg(self, theme: str, agents: Sequence[str]) -> str:
        """Return the picture for the page as SVG, with the numbers of worlds and agents."""
        return to_svg(replace(self.scene, theme=theme), agents=agents)

    def alone(self, theme: str = "light") -> Scene:
        """Return the scene with its legend and its caption."""
        return self.sketch.finished(self.bare, theme=theme)

    @property
    def gone(self) -> list[int]:
        """The nodes of the previous picture without a successor, if the others are known."""
        if self.before is None or not self.came:
            return []
        return sorted(set(range(len(self.before.place))).difference(self.came))


_sketches = Kept[ModelSketch](60)
_pictures = Kept[_Arrangement](60)


def _sketch_of(board: Board) -> ModelSketch:
    """Return the sketch of the model of a board."""
    options: Options = {"limit": MOST_DRAWN, "agents": board.model.agents, "icons": board.source.icons}
    return _sketches.get(board.key, lambda: sketch(board.model, options))


def drawn_of(board: Board) -> Drawn:
    """Return the model of a board as it is drawn."""
    return _sketch_of(board).drawn


def picture_of(state: State, board: Board, step: int | None = None) -> _Arrangement:
    """Return the picture of a board, which belongs to a step of the state, by default the one shown."""
    picture: _Arrangement | None = None
    for number, here in zip([0, *state.path(step)], board.path, strict=True):
        places = state.places.get(number, {})
        before = picture
        key = digest(before.key if before else "", here.key, {str(k): v for k, v in places.items()})
        picture = _pictures.get(key, lambda: _drawn(key, here, before, places))  # noqa: B023 (called at once)
    assert picture is not None
    return picture


def _drawn(key: str, board: Board, before: _Arrangement | None, places: Places) -> _Arrangement:
    ready = _sketch_of(board)
    came: tuple[int | None, ...] = ()
    place = None
    if before is None:
        place = ready.placed(quick=True)
    elif board.kind == "edit" and ready.drawn.stands is None and before.sketch.drawn.stands is None:
        gone = numbers_of(board.do) if board.do["edit"] == "remove_world" else ()
        came = tuple(number for number in range(len(before.place)) if number not in gone)
        came += (None,) * (len(ready.drawn.worlds) - len(came))
        kept = [before.place[k] for k in came if k is not None]
        if "x" in board.do:  # where a new world is wanted
            kept.append(Point(*read_spot([board.do["x"], board.do.get("y")], "x, y")))
        if len(kept) == len(came):
            place = kept
    elif ready.nodes and before.place:
        place = inherited(list(before.place), before.sketch.drawn, ready, quick=True)
        came = tuple(origins(before.sketch.drawn.worlds, ready.drawn.worlds))
    if place is None:
        place = ready.placed(anew=True, quick=True)
    moved = [Point(*places[node]) if node in places else spot for node, spot in enumerate(place)]
    shown = ready if board.kind == "edit" else ready.at(moved)  # all arrows while they are edited
    return _Arrangement(key, shown, tuple(moved), came, before)
