"""A story, or one model, as a page for the browser: one file that asks no network for anything.

The page holds the picture of every step as SVG in `template` elements, and what is needed to answer
questions about it as JSON. Names reach the page escaped and are only ever set as text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.resources import files
from typing import Any, Unpack

import numpy as np

from kripke_werewolf.language.formulas import Formula, FormulaLike, formula
from kripke_werewolf.models import KripkeModel
from kripke_werewolf.models.relation import Mask, Partition
from visualise.content import headline
from visualise.geometry import Box
from visualise.options import Options
from visualise.palette import pen
from visualise.picture import Sketch
from visualise.sequence import Film, Story, film, lost_worlds
from visualise.svg_output import clean, to_svg
from visualise.text import FAMILY, natural, world_texts

__all__ = ["to_html"]


def to_html(story: Story, *, formulas: Iterable[FormulaLike] = (), **options: Unpack[Options]) -> str:
    """Return the page of a story. `formulas`: those to choose among, to see where they hold.

    The option `formula` is one more of them, chosen when the page opens.
    """
    asked = [formula(f) for f in ([formulas] if isinstance(formulas, str | Formula) else formulas)]
    chosen = None
    if options.get("formula") is not None:
        first = formula(options["formula"])  # type: ignore[arg-type]
        asked = [first, *(f for f in asked if f is not first)]
        chosen = 0
    title = options.get("title", "")
    bare: Options = {
        **options,
        "legend": False,
        "caption": "",
        "title": "",
        "formula": None,
        "edge_labels": False,
    }
    shown = film(story, headings=False, **bare)
    box = shown.box
    agents = list(dict.fromkeys(agent for ready in shown.sketches for agent in ready.model.agents))
    drawn = {ties.agent for ready in shown.sketches for ties in ready.structure.ties}
    data = {
        "view": _view(box),
        "agents": [_agent(name, k, name in drawn) for k, name in enumerate(agents)],
        "formulas": [f.unicode() for f in asked],
        "formula": chosen,
        "frames": [_frame(shown, k, agents, asked) for k in range(len(shown.frames))],
    }
    pictures = [to_svg(scene, box=box, agents=agents) for scene in shown.scenes]
    count = len(shown.frames) - 1
    what = f"A model through {count} update{'' if count == 1 else 's'}"
    heading = title or (what if count else headline(shown.frames[0].model))
    page = files("visualise").joinpath("page.html").read_text(encoding="utf-8")
    script = files("visualise").joinpath("page.js").read_text(encoding="utf-8")
    parts = {
        "title": clean(heading),
        "family": ", ".join(f'"{name}"' if " " in name else name for name in FAMILY),
        "first": pictures[0],
        "frames": "\n".join(f'<template id="frame-{k}">{svg}</template>' for k, svg in enumerate(pictures)),
        # inside a script element only its end tag and comments would be read as markup
        "data": json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
        "script": script,
    }
    head, *rest = page.split("@@")
    return head + "".join(parts[piece] if k % 2 == 0 else piece for k, piece in enumerate(rest))


def _view(box: Box) -> list[float]:
    """Return the part of the plane the page opens with: a small picture is not blown up."""
    width, height = max(box.width, 460.0), max(box.height, 340.0)
    return [round(x, 2) for x in ((box.width - width) / 2, (box.height - height) / 2, width, height)]


def _agent(name: str, number: int, shown: bool) -> dict[str, Any]:
    look = pen(number)
    return {
        "name": name,
        "colour": look.colour,
        "dashes": " ".join(f"{d:g}" for d in look.dashes),
        "on": shown,
    }


def _frame(shown: Film, k: int, agents: list[str], formulas: list[Any]) -> dict[str, Any]:
    ready, frame = shown.sketches[k], shown.frames[k]
    model = ready.model
    designated = set(model.designated_indices.tolist())
    names = world_texts(model.worlds)
    masks = [frame.model.truth_set(f) for f in formulas]
    lost = lost_worlds(ready, shown.sketches[k + 1]) if k + 1 < len(shown.sketches) else []
    return {
        "title": frame.title,
        "caption": shown.remarks[k],
        "words": shown.scenes[k].description,
        "size": len(frame.model),
        "worlds": [
            {
                "name": names[number],
                "atoms": ", ".join(natural(model.atoms_at(item.world))),
                "designated": number in designated,
            }
            for number, item in enumerate(ready.items)
        ],
        "ties": [_ties(ready, agent) for agent in agents],
        "truth": [_bits(ready.drawn.truth(mask)) for mask in masks],
        "answers": [_answer(frame.model, mask) for mask in masks],
        "lost": lost,
        "rows": [list(row) for row in frame.rows],
    }


def _answer(model: KripkeModel, mask: Mask) -> str:
    """Return where a formula is true, in words; nodes may stand for many worlds."""
    pointed = mask[model.designated_indices]
    verdict = "true" if pointed.all() else "true at some of them" if pointed.any() else "false"
    count = np.count_nonzero(mask)
    worlds = f"{len(model):,} world{'' if len(model) == 1 else 's'}"
    return f"True at {count:,} of {worlds}. At the designated worlds: {verdict}."


def _bits(mask: Mask) -> str:
    return "".join("01"[bit] for bit in mask.astype(int).tolist())


def _ties(ready: Sketch, agent: str) -> dict[str, Any]:
    """Return an agent's relation: its classes, or for each world those it sees."""
    if agent not in ready.model.relations:
        return {"cells": [[w] for w in range(len(ready.model))]}
    relation = ready.model.relation(agent).simplest()
    if isinstance(relation, Partition):
        return {"cells": [cell.tolist() for cell in relation.members if len(cell)]}
    sees: list[list[int]] = [[] for _ in range(len(relation))]
    for i, j in relation.pairs():
        sees[i].append(j)
    return {"sees": sees}
