"""A model through a sequence of updates: worlds that survive stay where they are."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, log
from typing import Any, TypeAlias, Unpack

import numpy as np

from kripke_werewolf.errors import ModelError
from kripke_werewolf.models import KripkeModel
from kripke_werewolf.semantics import History
from visualise.compose import boxes_of, compose
from visualise.content import remarks
from visualise.geometry import Box, Positions
from visualise.layout import GAP, spread
from visualise.options import Options, cited
from visualise.picture import Sketch, faded, finished, origins, placed, sketch
from visualise.scene import Scene

__all__ = ["Film", "Frame", "Story", "film", "frames_of", "inherited", "lost_worlds", "roomy"]


@dataclass(frozen=True, slots=True)
class Frame:
    """A model and what has led to it; `rows`: a table to go with it, its first row the headings."""

    title: str
    model: KripkeModel
    rows: tuple[tuple[str, ...], ...] = ()


# what can be shown as a sequence: a history, something with a history (a puzzle), or titled models
Story: TypeAlias = "History | Iterable[tuple[str, KripkeModel]] | Any"


def frames_of(story: Story) -> tuple[Frame, ...]:
    """Return the models of a story in order, each with a title; raises `ModelError` where there is none."""
    history = getattr(story, "history", None)
    if callable(history):
        story = history()
    if isinstance(story, History):
        titles = ["At first", *(step.name for step in story.steps)]
        return tuple(Frame(t, m) for t, m in zip(titles, story.models(), strict=True))
    if isinstance(story, KripkeModel):
        return (Frame("", story),)
    try:
        frames = tuple(f if isinstance(f, Frame) else Frame(str(f[0]), f[1]) for f in story)
    except (TypeError, IndexError):
        frames = ()
    if not frames or not all(isinstance(frame.model, KripkeModel) for frame in frames):
        raise ModelError(
            f"cannot draw {cited(story)}: expected a model, or a story: a history, a puzzle or"
            f" pairs (title, model){_HINTS.get(type(story).__name__, '')}"
        )
    return frames


# what is often meant
_HINTS = {
    "QuantumWerewolf": "; of a game draw game.model()",
    "ActionModel": "; of an action model there is one picture only, in all formats but .gif and .html",
    "Scene": "; a finished picture is for all formats but .gif and .html",
}


@dataclass(frozen=True, slots=True)
class Film:
    """The scenes of a story, all on the same ground.

    `frames`: what is shown when; `scenes`: its picture; `between`: for each but the last the same
    picture with what the next update removes in grey, None where it removes nothing. `remarks`: what
    each leaves out, in words. `box`: the ground, which holds them all.
    """

    frames: tuple[Frame, ...]
    sketches: tuple[Sketch, ...]
    scenes: tuple[Scene, ...]
    between: tuple[Scene | None, ...]
    remarks: tuple[str, ...]
    box: Box


def film(story: Story, *, headings: bool = True, **options: Unpack[Options]) -> Film:
    """Return the scenes of a story; what `options` mean is said at `Options`.

    Heading and legend stand at the same place in all scenes; `headings=False` leaves headings out.
    """
    frames = frames_of(story)
    sketches = [sketch(frame.model, options) for frame in frames]
    every = [box for ready in sketches for box in boxes_of(ready.items, ready.structure)]
    places = [roomy(placed(sketches[0], options), Box.union(every))]
    for before, after in pairwise(sketches):
        places.append(inherited(places[-1], before, after, options))
    bare = [compose(r.items, r.structure, p, r.look) for r, p in zip(sketches, places, strict=True)]
    body = Box.union(scene.body for scene in bare)

    def shown(ready: Sketch, place: Positions, title: str, caption: str | None = None) -> Scene:
        own: Options = {**options, "title": title if headings else ""}
        if caption is not None:
            own["caption"] = caption
        return finished(ready, place, own, body=body)

    scenes = [shown(r, p, _titled(options, f)) for r, p, f in zip(sketches, places, frames, strict=True)]
    between: list[Scene | None] = []
    for k, later in enumerate(frames[1:]):
        if not lost_worlds(sketches[k], sketches[k + 1]):
            between.append(None)
            continue
        grey = faded(sketches[k], later.model)
        between.append(shown(grey, places[k], _titled(options, later), "Grey: what is lost."))
    said = tuple(" ".join(remarks(ready.drawn, ready.structure, options)) for ready in sketches)
    ground = Box.union(scene.box for scene in (*scenes, *between) if scene)
    return Film(frames, tuple(sketches), tuple(scenes), tuple(between), said, ground)


def _titled(options: Options, frame: Frame) -> str:
    title = options.get("title", "")
    return f"{title}: {frame.title}" if title and frame.title else title or frame.title


def roomy(place: Positions, box: Box) -> Positions:
    """Return the positions, scaled up if need be, so that everybody has room for a box around it."""
    if len(place) < 2:
        return place
    wide = np.abs(spread(place, [box] * len(place))).max()
    return place * max(1.0, float(wide / max(np.abs(place - place.mean(axis=0)).max(), 1e-9)))


def lost_worlds(before: Sketch, after: Sketch) -> list[int]:
    """Return the drawn worlds that an update removes; none where nodes stand for many worlds."""
    if before.drawn.block is not None or after.drawn.block is not None:
        return []
    return sorted(set(range(len(before.model))) - set(origins(before.model, after.model)))


def inherited(place: Positions, before: Sketch, after: Sketch, options: Options) -> Positions:
    """Return positions after an update: each world where the one it comes from was.

    Where one world has become several, each event gets a block of its own, beside or below the
    first. Worlds that come from nowhere, nodes that stand for many worlds, and blocks with little in
    them are a reason to arrange everything anew.
    """
    origin = origins(before.model, after.model)
    known = [k for k in origin if k is not None]
    reduced = any(ready.drawn.block is not None for ready in (before, after))
    if reduced or len(known) < len(origin):
        return _anew(after, place, options)
    if not known:
        return np.zeros((0, 2))
    out = place[known].copy()
    if len(set(known)) == len(known):
        return out
    groups: dict[Hashable, int] = {}
    number = np.array([groups.setdefault(_event(world), len(groups)) for world in after.model.worlds])
    box = Box.union(boxes_of(after.items, after.structure))
    wide = float(np.ptp(place[:, 0])) + box.width + 1.6 * GAP
    high = float(np.ptp(place[:, 1])) + box.height + 1.6 * GAP
    across = min(range(1, len(groups) + 1), key=lambda k: _flatness(k, len(groups), wide, high))
    out[:, 0] += (number % across) * wide
    out[:, 1] -= (number // across) * high
    anew = _anew(after, place, options)
    return anew if _extent(out, box) > _SPARSE * _extent(anew, box) else out


_SPARSE = 5.0  # with so many times the room it needs a picture is mostly empty


def _anew(ready: Sketch, around: Positions, options: Options) -> Positions:
    """Arrange worlds anew, in the middle of where the others were."""
    place = placed(ready, {**options, "pos": None})
    if not len(place) or not len(around):
        return place
    middle, former = ((p.max(axis=0) + p.min(axis=0)) / 2 for p in (place, around))
    shifted: Positions = place + former - middle
    return shifted


def _extent(place: Positions, box: Box) -> float:
    wide, high = np.ptp(place, axis=0)
    return float((wide + box.width) * (high + box.height))


def _flatness(across: int, count: int, wide: float, high: float) -> float:
    """Return how far so many blocks to a row are from a picture a little wider than high."""
    return abs(log(across * wide / (ceil(count / across) * high) / 1.3)) + 0.2 * (count % across > 0)


def _event(world: Hashable) -> Hashable:
    """Return what has been added to the name of a world: the event of a pair, or the last record."""
    if isinstance(world, tuple) and len(world) == 2:
        event: Hashable = world[1]
        return event
    return world.rpartition(" ")[2] if isinstance(world, str) else None
