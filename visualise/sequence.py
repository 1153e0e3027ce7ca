"""A model through updates: surviving worlds keep their places."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, log
from typing import TYPE_CHECKING, Any, TypeAlias, Unpack

from kripke_werewolf.base.display import Displayed, drawn
from kripke_werewolf.base.drawing import Options, drawer
from kripke_werewolf.base.errors import ModelError
from kripke_werewolf.base.grouping import grouped, numbered
from kripke_werewolf.base.reports.documents import Block, Figure, Paragraph, Slides
from kripke_werewolf.base.reports.tables import counted
from kripke_werewolf.base.usage import advised
from kripke_werewolf.logic.models import History, KripkeModel
from kripke_werewolf.logic.semantics import ActionModel
from visualise.geometry import Point, Rect
from visualise.layout import GAP, Positions, apart
from visualise.picture import ModelSketch, Sketch, action_sketch, check_args, cited, origins, scale_of, sketch
from visualise.reading import Drawn, shown_agents
from visualise.scene import Scene, beside

if TYPE_CHECKING:
    from kripke_werewolf.logic.puzzles.puzzle import Icon


@dataclass(frozen=True, slots=True, repr=False)
class Frame(Displayed):
    """A model with a title.

    `rows`: an accompanying table with a row of headings. `icons`: those of its puzzle.
    """

    title: str
    model: KripkeModel
    rows: tuple[tuple[str, ...], ...] = ()
    icons: tuple[Icon, ...] = ()

    def sketch(self, options: Options) -> ModelSketch:
        """Return the sketch of its picture."""
        return sketch(self.model, {"icons": self.icons, **options})

    def headline(self) -> str:
        """Return the title and the number of worlds."""
        return f"{self.title}: {counted(len(self.model), 'world')}"

    def display(self) -> Iterator[Block]:
        """Yield the title and the picture of the model."""
        yield Paragraph(self.title)
        yield drawn(self.model)


# a sequence of models: a history, something with a history (a puzzle), or models with titles or without
Story: TypeAlias = "History[KripkeModel] | Iterable[tuple[str, KripkeModel]] | Any"


def _frames_of(story: Story) -> tuple[Frame, ...]:
    """Return the models of a story in order, each with a title; raises `ModelError` if there are none."""
    if isinstance(story, Film):
        return story.frames
    icons = getattr(story, "icons", ())
    if own := _own_history(story):
        story = own()
    if isinstance(story, History):
        titles = ["At first", *(step.name for step in story.steps)]
        return tuple(Frame(t, m, icons=icons) for t, m in zip(titles, story.models, strict=True))
    if isinstance(story, KripkeModel):
        return (Frame("", story),)
    if isinstance(story, list | tuple) and any(isinstance(model, KripkeModel) for model in story):
        story = [(f"Model {number}", model) for number, model in enumerate(story, 1)]
    try:
        frames = tuple(f if isinstance(f, Frame) else Frame(str(f[0]), f[1]) for f in story)
    except (TypeError, IndexError):
        frames = ()
    if not frames or not all(isinstance(frame.model, KripkeModel) for frame in frames):
        calls = advised(story, "picture")
        raise ModelError(
            f"cannot draw {cited(story)}: expected a model, or a story: a history, a puzzle or"
            f" pairs (title, model){calls and f'; write {calls}'}"
        )
    return frames


def still_of(story: Story) -> Frame:
    """Return the frame for a still picture of a story: of a puzzle the first, otherwise the last.

    Raises `ModelError` for a list, or a film, of several models.
    """
    frames = _frames_of(story)
    if isinstance(story, list | tuple | Film) and len(frames) > 1:
        raise ModelError(
            f"one picture cannot show {len(frames)} models: draw each, visualise.difference(before, after),"
            " or all of them as .gif or .html"
        )
    return frames[0 if _own_history(story) else -1]


def title_of(story: Story, options: Options) -> str:
    """Return the title of a story: as requested, else the name of a puzzle."""
    return options.get("title", str(getattr(story, "name", "")) if _own_history(story) else "")


def _own_history(story: Story) -> Callable[[], Any] | None:
    """Return the method that computes the history of a puzzle; None for other stories."""
    found = getattr(story, "history", None)
    return found if callable(found) else None


@dataclass(frozen=True, slots=True, repr=False)
class Film(Displayed):
    """The scenes of a story on a common ground.

    `frames`: the models; `sketches`, `scenes`: their pictures. `lost`: for each frame, the nodes removed by
    the next update; `between`: for each frame but the last, the same picture with these in grey, None if
    there are none. `box`: the ground, which contains all scenes.
    """

    frames: tuple[Frame, ...]
    sketches: tuple[ModelSketch, ...]
    scenes: tuple[Scene, ...]
    lost: tuple[tuple[int, ...], ...]
    between: tuple[Scene | None, ...]
    box: Rect

    def headline(self) -> str:
        """Return the titles of the frames."""
        return " → ".join(frame.title for frame in self.frames)

    def display(self) -> Iterator[Block]:
        """Yield the scenes as a strip, each cut to what is left, with the legend below."""
        cut = (
            replace(ready.finished(replace(scene, notes=()), title=""), scale=scene.scale)
            for ready, scene in zip(self.sketches, self.scenes, strict=True)
        )
        shown = zip(self.frames, cut, strict=True)
        yield Slides(tuple(Figure(frame.title, drawer("svg")(scene), frame.title) for frame, scene in shown))


def film(story: Story, *, headings: bool = False, **options: Unpack[Options]) -> Film:
    """Return the scenes of a story; see `Options`.

    The legend has the same place in all scenes, and with `headings` the titles do as well.
    """
    frames = _frames_of(story)
    sketches = [frame.sketch(options) for frame in frames]
    first = sketches[0]
    room = Rect.union(box for ready in sketches for box in ready.rooms)
    places = [apart(first.placed(), [room] * first.graph.size)]
    lost: list[tuple[int, ...]] = []
    grey: list[ModelSketch | None] = []
    for before, after in pairwise(sketches):
        places.append(inherited(places[-1], before.drawn, after))
        lost.append(_lost(before.drawn, after.drawn))
        grey.append(before.faded(after.drawn) if lost[-1] else None)
    bare = [ready.composed(place) for ready, place in zip(sketches, places, strict=True)]
    body = Rect.union(scene.body for scene in bare)

    def shown(scene: Scene, ready: ModelSketch, frame: Frame, caption: str | None) -> Scene:
        titles = [title_of(story, options), frame.title] if headings else []
        title = ": ".join(filter(None, titles))
        return ready.finished(scene, body=body, title=title, caption=caption, width=None, font_size=None)

    caption = options.get("caption")
    scenes = [shown(s, ready, frame, caption) for s, ready, frame in zip(bare, sketches, frames, strict=True)]
    between = [
        shown(ready.composed(place), ready, frame, ready.said) if ready else None
        for ready, place, frame in zip(grey, places[:-1], frames[1:], strict=True)
    ]
    whole = Rect.union(scene.box for scene in (*scenes, *between) if scene)
    scale = scale_of(whole, options)
    return Film(
        frames=frames,
        sketches=tuple(sketches),
        scenes=tuple(replace(scene, scale=scale) for scene in scenes),
        lost=(*lost, ()),
        between=tuple(scene and replace(scene, scale=scale) for scene in between),
        box=whole,
    )


def update_picture(model: KripkeModel, action: ActionModel, **options: Unpack[Options]) -> Scene:
    """Return the scene of a product update: the model, the action model, and the model after it.

    A world (w, e) of the product has the position of w within a separate block for each event.
    """
    check_args(model, options)
    product = model.update(action)
    telling = [shown_agents(m, options.get("agents")) for m in (model, product)]
    shown = tuple(agent for agent in model.agents if any(agent in found for found in telling))
    blind = [agent for agent in model.agents if agent not in shown] if options.get("agents") is None else []
    options = {**options, "agents": shown}
    first, last = sketch(model, options), sketch(product, options)
    middle = action_sketch(action, shown, model.agents, {**options, "pos": None, "arrangement": "auto"})
    place = first.placed()
    places = place, middle.placed(), inherited(place, first.drawn, last)
    scenes = [
        ready.finished(ready.composed(at), legend=False, title="", caption="", width=None, font_size=None)
        for ready, at in zip((first, middle, last), places, strict=True)
    ]
    joined = beside(scenes, ["M", f"A: {action.name.replace('_', '-')}", "M ⊗ A"])
    remarks = tuple(_remarks([("M", first), ("A", middle), ("M ⊗ A", last)], blind))
    whole = replace(middle, title=joined.title, description=joined.description, remarks=remarks)
    return whole.finished(joined)


def _remarks(parts: Sequence[tuple[str, Sketch]], blind: Sequence[str]) -> Iterable[str]:
    """Return the remarks on a model, an action model and their product, each sentence once."""
    where = grouped((sentence, name) for name, part in parts for sentence in part.remarks)
    out = []
    if blind:
        out.append(f"{parts[0][1].look.listed(blind)} cannot tell any worlds apart.")
    together = grouped(
        ("" if len(names) == len(parts) else f"In {' and '.join(names)}: ", sentence)
        for sentence, names in where.items()
    )
    out += together.pop("", [])  # first: what follows "In M:" is about M
    return out + [scope + " ".join(sentences) for scope, sentences in together.items()]


# --- places ----------------------------------------------------------------------------------------


def _lost(before: Drawn, after: Drawn) -> tuple[int, ...]:
    """Return the nodes removed by an update; none if nodes represent several worlds."""
    if before.stands is not None or after.stands is not None:
        return ()
    left = set(origins(before.worlds, after.worlds))
    return tuple(node for node in range(before.size) if node not in left)


def inherited(place: Positions, before: Drawn, ready: ModelSketch, *, quick: bool = False) -> Positions:
    """Return positions after an update: those of the worlds they come from, or new ones.

    Everything is rearranged (`quick`: quickly) if worlds have no origin, if nodes represent several worlds,
    if lines pass behind worlds, or if blocks are sparse.
    """
    out, box = _kept(place, before, ready), Rect.union(ready.rooms)
    if out is not None and len(out) <= len(place):
        return out
    anew = _anew(ready, place, quick=quick)
    out = _kept(apart(place, [box] * len(place)), before, ready)
    if out is None or ready.hides(out) or _area(out, box) > _SPARSE * _area(anew, box):
        return anew
    return out


def _kept(place: Positions, before: Drawn, ready: ModelSketch) -> Positions | None:
    """Return positions after an update: each world keeps the position of its origin.

    If a world has become several, each event gets its own block, beside or below that of an actual event,
    which stays in place. None if some worlds have no origin, or if nodes represent several worlds.
    """
    after = ready.drawn
    origin = origins(before.worlds, after.worlds)
    known = [number for number in origin if number is not None]
    if before.stands is not None or after.stands is not None or len(known) < len(origin):
        return None
    if len(set(known)) == len(known):
        return [place[number] for number in known]
    actual = [after.worlds[number] for number in sorted(after.designated)]
    blocks = numbered(map(_event, (*actual, *after.worlds)))
    block = blocks[len(actual) :]
    box, former, count = Rect.union(ready.rooms), Rect.of(place), max(blocks) + 1
    wide, high = former.width + box.width + 1.6 * GAP, former.height + box.height + 1.6 * GAP

    def flatness(across: int) -> float:
        """Return how far a layout with this many blocks per row is from the target aspect ratio."""
        down = ceil(count / across)
        ragged = 0.2 if count % across else 0.0
        return abs(log(across * wide / (down * high) / 1.3)) + ragged

    across = min(range(1, count + 1), key=flatness)
    return [
        place[number].moved(Point(own % across * wide, -(own // across) * high))
        for number, own in zip(known, block, strict=True)
    ]


_SPARSE = 5.0  # with so many times the room it needs a picture is mostly empty


def _anew(ready: ModelSketch, around: Positions, *, quick: bool) -> Positions:
    """Arrange worlds anew, around the centre of the others."""
    place = ready.placed(anew=True, quick=quick)
    if not place or not around:
        return place
    middle, former = Rect.of(place).centre, Rect.of(around).centre
    return [at.moved(Point(former.x - middle.x, former.y - middle.y)) for at in place]


def _area(place: Positions, box: Rect) -> float:
    extent = Rect.of(place)
    return (extent.width + box.width) * (extent.height + box.height)


def _event(world: Hashable) -> Hashable:
    """Return the last part of a world's name: the event of a pair, or the last record."""
    if isinstance(world, str):
        return world.rpartition(" ")[2]
    event: Hashable = world[1] if isinstance(world, tuple) and len(world) == 2 else None
    return event
