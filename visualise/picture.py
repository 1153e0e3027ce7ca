"""From a model to a `Scene`."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Unpack

from kripke_werewolf.errors import UnknownNameError
from kripke_werewolf.formulas.base import formula
from kripke_werewolf.models import KripkeModel
from visualise.compose import Item, boxes_of, compose
from visualise.content import description, headline, items_of, remarks, shown_agents
from visualise.edges import Look
from visualise.geometry import Box, Positions
from visualise.layout import GAP, arrange, by_hand
from visualise.legend import with_notes
from visualise.options import Options
from visualise.palette import FADED, TRUE_FILL, Pen, pen
from visualise.scene import Scene
from visualise.structure import Structure, structure
from visualise.text import Text, formula_runs, plain, width_of

__all__ = ["Sketch", "difference", "finished", "layout", "picture", "sketch"]


@dataclass(frozen=True, slots=True)
class Sketch:
    """A model made ready to be drawn: all but positions."""

    model: KripkeModel
    structure: Structure
    items: tuple[Item, ...]
    look: Look


def sketch(model: KripkeModel, options: Options) -> Sketch:
    """Return what is to be drawn of a model; raises for names that do not occur."""
    agents = shown_agents(model, options.get("agents"))
    edges = options.get("edges", "spanning")
    if edges not in ("spanning", "full", "hulls"):
        raise UnknownNameError(edges, ("spanning", "full", "hulls"), kind="choice of edges")
    pens = tuple(pen(model.agents.index(agent)) for agent in agents)
    look = Look(pens, edges, options.get("edge_labels", False))
    return Sketch(model, structure(model, agents), tuple(items_of(model, options)), look)


def placed(ready: Sketch, options: Options) -> Positions:
    """Return the positions of the worlds: by hand, or by the arrangement that fits."""
    boxes = boxes_of(ready.items, ready.structure)
    pos = options.get("pos")
    if pos is not None:
        return by_hand(pos, ready.model.worlds, boxes)
    arrangement, seed = options.get("arrangement", "auto"), options.get("seed", 0)
    return arrange(ready.structure, boxes, arrangement=arrangement, seed=seed, gap=_gap(ready))


def _gap(ready: Sketch) -> float:
    if not ready.look.edge_labels:
        return GAP
    names = ", ".join(ties.agent for ties in ready.structure.ties)
    return max(GAP, min(width_of(plain(names), 10), 70.0) + 22)  # room for the names on the lines


def finished(ready: Sketch, place: Positions, options: Options, *, body: Box | None = None) -> Scene:
    """Return the scene at given positions, with its legend, its caption and its description.

    `body`: the place that heading and legend keep clear of, by default that of the drawing.
    """
    model, s = ready.model, ready.structure
    scene = compose(ready.items, s, place, ready.look)
    title, caption = options.get("title", ""), options.get("caption")
    described = replace(scene, title=title or headline(model), description=description(model, s))
    return with_notes(
        described,
        samples(s, ready.look.pens, options) if options.get("legend", True) else (),
        heading=title,
        caption=remarks(model, s, options) if caption is None else caption,
        body=body,
    )


def samples(s: Structure, pens: Sequence[Pen], options: Options) -> list[tuple[Text, Mapping[str, object]]]:
    """Return what the legend shows: the agents' lines and the formula's fill."""
    found: list[tuple[Text, Mapping[str, object]]] = []
    if not options.get("edge_labels"):
        for ties, own in zip(s.ties, pens, strict=True):
            look = {"pen": own, "agent": ties.agent, "heads": ties.classes is None}
            found.append((plain(ties.agent), look))
    wanted = options.get("formula")
    if wanted is not None:
        found.append((formula_runs(formula(wanted).unicode(), 60), {"fill": TRUE_FILL}))
    return found


def picture(model: KripkeModel, **options: Unpack[Options]) -> Scene:
    """Return the scene of a model; `Options` says what can be chosen.

    Raises `UnknownAgentError`, `UnknownAtomError` and `UnknownNameError` for names that do not
    occur, and `ModelError` for positions or an arrangement that do not fit.
    """
    ready = sketch(model, options)
    return finished(ready, placed(ready, options), options)


def layout(model: KripkeModel, **options: Unpack[Options]) -> dict[Hashable, tuple[float, float]]:
    """Return where `picture` puts the worlds, in points; give it back as `pos=` to share positions."""
    place = placed(sketch(model, options), options)
    return {world: (float(x), float(y)) for world, (x, y) in zip(model.worlds, place, strict=True)}


def difference(before: KripkeModel, after: KripkeModel, **options: Unpack[Options]) -> Scene:
    """Return the scene of a model in which what is missing from a later one is grey.

    Worlds correspond by name; where `after` is a product, the world (w, e) is what has become of w.
    """
    ready = sketch(before, options)
    caption = options.get("caption")
    if caption is None:
        said = remarks(before, ready.structure, options)
        options["caption"] = f"Grey: what is lost. {said}".strip()
    return finished(faded(ready, after), placed(ready, options), options)


def origins(before: KripkeModel, after: KripkeModel) -> list[int | None]:
    """Return for each world of an updated model the number of the world it comes from.

    That is the one of the same name; for a world (w, e) of a product the one called w; and where
    names are texts that grow by what is recorded, as in games, the longest old name that the new one
    begins with, capitals aside (they mark the dead).
    """
    texts: dict[str, int] = {}
    for k, world in enumerate(before.worlds):
        if isinstance(world, str):
            texts.setdefault(world.casefold(), k)
    found: list[int | None] = []
    for world in after.worlds:
        number = before.worlds.find(world)
        if number is None and isinstance(world, tuple) and len(world) == 2:
            number = before.worlds.find(world[0])
        if number is None and isinstance(world, str):
            words = world.casefold().split(" ")
            starts = (" ".join(words[:k]) for k in range(len(words), 0, -1))
            number = next((texts[start] for start in starts if start in texts), None)
        found.append(number)
    return found


def faded(ready: Sketch, after: KripkeModel) -> Sketch:
    """Return the sketch with the worlds and lines grey that a later model lacks."""
    origin = origins(ready.model, after)
    kept = {number for number in origin if number is not None}
    items = tuple(
        item if k in kept else replace(item, stroke=FADED, ring=item.ring, title=item.title + "; lost")
        for k, item in enumerate(ready.items)
    )
    alive: set[tuple[int, int, int]] = set()
    for number, ties in enumerate(ready.structure.ties):
        if ties.agent not in after.relations:
            continue
        for i, j in after.relation(ties.agent).pairs():
            a, b = origin[i], origin[j]
            if a is not None and b is not None:
                alive.add((number, a, b))
    return replace(ready, items=items, look=replace(ready.look, alive=frozenset(alive)))
