"""A story, or one model, as a page for the browser: one file that makes no network request.

The page holds the picture of every step as SVG in `template` elements, and as JSON the data that
its script answers questions from. Names reach the page escaped and are only ever set as text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.resources import files
from typing import Any, Unpack

from kripke_werewolf.language.formulas import Formula, FormulaLike, formula
from kripke_werewolf.reports.tables import counted
from visualise.geometry import Box
from visualise.palette import pen
from visualise.picture import Options
from visualise.reading import Drawn
from visualise.sequence import Film, Story, film
from visualise.svg_output import clean, to_svg
from visualise.text import FAMILY, world_texts


def html(story: Story, *, formulas: Iterable[FormulaLike] = (), **options: Unpack[Options]) -> str:
    """Return a model or a story as an interactive page: one file, no network.

    `formulas`: those to choose among on the page, to see where they hold. The option `formula` is
    one more of them, chosen when the page opens.
    """
    asked = [formula(f) for f in ([formulas] if isinstance(formulas, str | Formula) else formulas)]
    chosen = None
    if options.get("formula") is not None:
        first = formula(options["formula"])  # type: ignore[arg-type]
        asked = [first, *(f for f in asked if f is not first)]
        chosen = 0
    title = options.get("title", "")
    bare: Options = {**options, "legend": False, "edge_labels": False, "formula": None}
    bare |= {"title": "", "caption": ""}
    shown = film(story, headings=False, **bare)
    box = shown.box
    agents = list(dict.fromkeys(ties.agent for ready in shown.sketches for ties in ready.drawn.ties))
    on = {agent for scene in shown.scenes for agent in scene.agents}
    data = {
        "view": _view(box),
        "agents": [_agent(shown.sketches[0].look.called[name], k, name in on) for k, name in enumerate(agents)],
        "formulas": [f.unicode() for f in asked],
        "formula": chosen,
        "frames": [_frame(shown, k, agents, asked) for k in range(len(shown.frames))],
    }
    pictures = [to_svg(scene, box=box, agents=agents) for scene in shown.scenes]
    count = len(shown.frames) - 1
    through = f"A model through {counted(count, 'update')}"
    heading = title or (through if count else shown.sketches[0].title)
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
    dashes = " ".join(f"{length:g}" for length in look.dashes)
    return {"name": name, "colour": look.colour, "dashes": dashes, "on": shown}


def _frame(shown: Film, k: int, agents: list[str], formulas: list[Formula]) -> dict[str, Any]:
    sketch, frame = shown.sketches[k], shown.frames[k]
    drawn = sketch.drawn
    names = world_texts(drawn.worlds)
    truths = [drawn.truth(f) for f in formulas]
    return {
        "title": frame.title,
        "caption": " ".join(sketch.remarks),
        "words": sketch.description,
        "size": len(frame.model),
        "worlds": [
            {
                "name": names[node],
                "atoms": ", ".join(drawn.true_at(node)),
                "designated": node in drawn.designated,
            }
            for node in range(drawn.size)
        ],
        "ties": [_ties(drawn, agent) for agent in agents],
        "truth": ["".join("01"[true] for true in drawn.at_nodes(truth)) for truth in truths],
        "answers": [_answer(truth, drawn.pointed) for truth in truths],
        "lost": shown.lost[k],
        "rows": [list(row) for row in frame.rows],
    }


def _answer(truth: list[bool], pointed: list[int]) -> str:
    """Return where a formula is true, in words; nodes may stand for many worlds."""
    found = {truth[world] for world in pointed}
    verdict = "true at some of them" if len(found) > 1 else "false" if False in found else "true"
    return f"True at {sum(truth):,} of {counted(len(truth), 'world')}. At the designated worlds: {verdict}."


def _ties(drawn: Drawn, agent: str) -> dict[str, Any]:
    """Return an agent's relation: its classes, or for each world those it sees."""
    ties = next((ties for ties in drawn.ties if ties.agent == agent), None)
    if ties is None:
        return {"cells": [[node] for node in range(drawn.size)]}
    return {"sees": ties.sees} if ties.classes is None else {"cells": ties.classes}
