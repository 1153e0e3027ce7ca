"""What a board on a page shows of a picture, as JSON-ready values."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from kripke_werewolf.base.reports.tables import counted
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.semantics.verdict import Verdict
from visualise.palette import Pen
from visualise.picture import ModelSketch, names_atoms
from visualise.scene import Scene
from visualise.text import text_of

Json = dict[str, Any]


def picture_data(ready: ModelSketch, scene: Scene) -> Json:
    """Return the box of a picture, its nodes, and what it says in words."""
    box = scene.box
    return {
        "width": round(box.width, 2),
        "height": round(box.height, 2),
        "origin": [round(box.left, 2), round(box.top, 2)],
        "nodes": [
            {"x": round(node.position.x, 2), "y": round(node.position.y, 2), **_written(ready, k)}
            for k, node in enumerate(scene.nodes)
        ],
        "words": ready.description,
        "remarks": ready.caption(scene),
    }


def _written(ready: ModelSketch, node: int) -> Json:
    """Return the text in and beside a node, and the atoms true there that it omits."""
    drawn = ready.nodes[node]
    texts = drawn.texts if drawn.signs else (drawn.name, *drawn.texts)  # with icons the name is beside them
    beside = set(" ".join(map(text_of, texts[1:])).split(", "))
    return {
        "text": " ".join("".join(run.text for run in text) for text in texts),
        "omitted": [atom for atom in ready.drawn.true_at(node) if atom not in beside],
        "repeats": names_atoms(text_of(drawn.name), ready.drawn.true_at(node), ready.drawn.atoms),
    }


def agent_data(name: str, pen: Pen) -> Json:
    """Return the name and the line of an agent."""
    return {"name": name, "colour": pen.colour, "dashes": " ".join(f"{length:g}" for length in pen.dashes)}


def marks(lots: Collection[Collection[int]], true: Collection[int]) -> str:
    """Return a sign for each node: whether all its worlds are in a set ("1"), none ("0"), or some ("m").

    >>> marks([[0, 1], [2], [3]], {1, 2})
    'm10'
    """
    signs: Mapping[frozenset[bool], str] = {frozenset([True]): "1", frozenset([False]): "0"}
    return "".join(signs.get(frozenset(world in true for world in lot), "m") for lot in lots)


def said_of(count: int, verdict: Verdict, model: KripkeModel) -> str:
    """Return at how many worlds a formula is true, and its verdict, in one or two sentences."""
    where = f"True at {count:,} of {counted(len(model), 'world')}."
    if not len(model) or model.designates_all:
        return where
    points = len(model.designated)
    which = "the actual world" if points == 1 else f"the {points:,} worlds that may be actual"
    return f"{where} At {which}: {str(verdict).replace('mixed', 'true at some of them')}."
