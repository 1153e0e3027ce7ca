"""From a model to a `Scene`."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Unpack

from kripke_werewolf.language.formulas import FormulaLike, formula
from kripke_werewolf.models import KripkeModel
from kripke_werewolf.semantics import Explanation
from visualise.compose import Item, boxes_of, compose
from visualise.content import description, headline, items_of, remarks, shown_agents
from visualise.edges import Look, gap_for
from visualise.geometry import Box, Positions
from visualise.large import Drawn, small_enough
from visualise.layout import arrange, by_hand
from visualise.legend import with_notes
from visualise.options import LIMIT, Options, check
from visualise.palette import ACCENT_FILL, FADED, TRUE_FILL, Pen, pen
from visualise.routing import Triples
from visualise.scene import Scene
from visualise.structure import Structure, structure
from visualise.text import Text, formula_runs, plain

__all__ = ["Sketch", "difference", "finished", "layout", "picture", "sketch"]


@dataclass(frozen=True, slots=True)
class Sketch:
    """A model made ready to be drawn: all but positions. `said`: an explanation in words."""

    drawn: Drawn
    structure: Structure
    items: tuple[Item, ...]
    look: Look
    said: str = ""

    @property
    def model(self) -> KripkeModel:
        """The model that is drawn."""
        return self.drawn.model


def sketch(model: KripkeModel, options: Options) -> Sketch:
    """Return what is to be drawn of a model; raises for names that do not occur."""
    check(model, options)
    agents = shown_agents(model, options.get("agents"))
    drawn = small_enough(model, agents, options.get("limit", LIMIT))
    pens = tuple(pen(model.agents.index(agent)) for agent in agents)
    look = Look(pens, options.get("edges", "spanning"), options.get("edge_labels", False))
    why = _explanation(model, options.get("explain"))
    if why is not None:
        look = replace(look, accents=_accents(drawn.model, agents, why))
    items = items_of(drawn, options, () if why is None else why.worlds)
    said = "" if why is None else why.sentences()
    return Sketch(drawn, structure(drawn.model, agents), tuple(items), look, said)


def _explanation(model: KripkeModel, wanted: Explanation | FormulaLike | None) -> Explanation | None:
    if wanted is None or isinstance(wanted, Explanation):
        return wanted
    return model.explain(wanted)


def _accents(model: KripkeModel, agents: Sequence[str], why: Explanation) -> Triples:
    """Return the steps of an explanation that can be seen in the picture."""
    out = set()
    for link in why.path:
        source, target = model.worlds.find(link.source), model.worlds.find(link.target)
        if source is not None and target is not None:
            out |= {(agents.index(a), source, target) for a in link.agents if a in agents}
    return frozenset(out)


def placed(ready: Sketch, options: Options) -> Positions:
    """Return the positions of the worlds: by hand, or by the arrangement that fits."""
    boxes = boxes_of(ready.items, ready.structure)
    pos = options.get("pos")
    if pos is not None:
        return by_hand(pos, ready.model.worlds, boxes)
    arrangement, seed = options.get("arrangement", "auto"), options.get("seed", 0)
    return arrange(
        ready.structure, boxes, arrangement=arrangement, seed=seed, gap=gap_for(ready.structure, ready.look)
    )


def finished(ready: Sketch, place: Positions, options: Options, *, body: Box | None = None) -> Scene:
    """Return the scene at given positions, with its legend, its caption and its description.

    `body`: the place that heading and legend keep clear of, by default that of the drawing.
    """
    s = ready.structure
    scene = compose(ready.items, s, place, ready.look)
    title, caption = options.get("title", ""), options.get("caption")
    named = title or headline(ready.drawn.whole)
    described = replace(scene, title=named, description=description(ready.drawn, s))
    return with_notes(
        described,
        samples(s, ready.look.pens, options) if scene.nodes and options.get("legend", True) else (),
        heading=title,
        caption=" ".join([ready.said, *remarks(ready.drawn, s, options)]) if caption is None else caption,
        body=body,
    )


def samples(s: Structure, pens: Sequence[Pen], options: Options) -> list[tuple[Text, Mapping[str, object]]]:
    """Return what the legend shows: the agents' lines and the formula's fill."""
    found: list[tuple[Text, Mapping[str, object]]] = []
    if not options.get("edge_labels") or options.get("edges") == "hulls":
        for ties, own in zip(s.ties, pens, strict=True):
            look = {"pen": own, "agent": ties.agent, "heads": ties.classes is None}
            found.append((plain(ties.agent), look))
    wanted = options.get("formula")
    if wanted is not None:
        found.append((formula_runs(formula(wanted).unicode(), 60), {"fill": TRUE_FILL}))
    if options.get("explain") is not None:
        found.append((plain("why"), {"fill": ACCENT_FILL}))
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
    check(after, {})
    ready = sketch(before, options)
    caption = options.get("caption")
    if caption is None:
        said = remarks(ready.drawn, ready.structure, options)
        options["caption"] = " ".join(["Grey: what is lost.", *said])
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
