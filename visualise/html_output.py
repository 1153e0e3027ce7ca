"""A story, or one model, as a page for the browser: one file that makes no network request.

The page has the picture of every step as SVG in `template` elements, and the data for its script as JSON.
Names are escaped and only ever set as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import Any, Unpack

from kripke_werewolf.base.drawing import Options
from kripke_werewolf.base.errors import ModelError
from kripke_werewolf.base.reports.documents import filled_page, inert
from kripke_werewolf.base.reports.tables import counted
from kripke_werewolf.logic.formulas.syntax import Formula, FormulaLike, formula
from visualise.geometry import Rect
from visualise.palette import INK, MUTED, TRUE_FILL, Pen
from visualise.picture import pens_of
from visualise.reading import Drawn
from visualise.record import in_markup, record_of, sealed
from visualise.sequence import Film, Story, film, title_of
from visualise.svg_output import clean, to_svg
from visualise.text import FAMILY, world_texts
from visualise.themes import THEMES


def html(story: Story, *, formulas: Iterable[FormulaLike] = (), **options: Unpack[Options]) -> str:
    """Return a model or a story as an interactive page: one file, no network.

    `formulas`: the formulas to choose from on the page. The option `formula` is added to them, and selected
    at the start.
    """
    asked = [formula(f) for f in ([formulas] if isinstance(formulas, str | Formula) else formulas)]
    chosen = None
    if options.get("formula") is not None:
        first = formula(options["formula"])
        asked = [first, *(f for f in asked if f is not first)]
        chosen = 0
    for name in ("width", "font_size"):
        if options.get(name) is not None:
            raise ModelError(f"{name} is for pictures; a page is as wide as its window")
    title = title_of(story, options)
    bare: Options = {**options, "legend": False, "edge_labels": False, "formula": None}
    bare |= {"title": "", "caption": ""}
    if options.get("theme") == "dark":
        bare["theme"] = "light"  # the style of the page makes it dark on screen only
    shown = film(story, **bare)
    box = shown.box
    agents = list(dict.fromkeys(ties.agent for ready in shown.sketches for ties in ready.drawn.ties))
    theme = THEMES[bare.get("theme", "light")]
    known = list(dict.fromkeys(agent for ready in shown.sketches for agent in ready.drawn.whole.agents))
    on = {agent for scene in shown.scenes for agent in scene.agents}
    pens = {a: theme.pen(look) for a, look in pens_of(known, bare, [a for a in known if a in on]).items()}
    called = {agent: name for ready in shown.sketches for agent, name in ready.look.called.items()}
    data = {
        "view": _view(box, box),
        "agents": [_agent(called[name], pens[name], name in on) for name in agents],
        "formulas": [f.unicode() for f in asked],
        "formula": chosen,
        "frames": [_frame(shown, k, agents, asked) for k in range(len(shown.frames))],
    }
    pictures = [to_svg(scene, box=box, agents=agents) for scene in shown.scenes]
    count = len(shown.frames) - 1
    through = f"A model through {counted(count, 'update')}"
    heading = title or (through if count else shown.sketches[0].title)
    whole: Options = {**bare, "legend": True, "caption": None}  # they stand beside the pictures
    page = files("visualise").joinpath("page.html").read_text(encoding="utf-8")
    script = files("visualise").joinpath("page.js").read_text(encoding="utf-8")
    parts = {
        "record": in_markup(record_of(*(ready.told(whole) for ready in shown.sketches))),
        "theme": options.get("theme", "auto"),
        "light": _variables("light"),
        "dark": _dark(pictures, pens),
        "title": clean(heading),
        "family": ", ".join(f'"{name}"' if " " in name else name for name in FAMILY),
        "first": pictures[0],
        "frames": "\n".join(f'<template id="frame-{k}">{svg}</template>' for k, svg in enumerate(pictures)),
        "data": inert(data),
        "script": script,
    }
    return sealed(filled_page(page, parts), ".html")


def _variables(name: str) -> str:
    """Return the colours of a theme as variables for the page."""
    theme = THEMES[name]
    named = {"ink": theme.ink, "paper": theme.paper, "muted": theme.line(MUTED), "accent": theme.accent}
    named["true"] = theme.fills([TRUE_FILL])[TRUE_FILL]
    return " ".join(f"--{key}: {colour};" for key, colour in named.items())


def _dark(pictures: Iterable[str], pens: Mapping[str, Pen]) -> str:
    """Return the style of the page for dark screens: variables, and replaced colours in the pictures."""
    theme = THEMES["dark"]
    lines = {look.colour for look in pens.values()}
    used = {pair for svg in pictures for pair in re.findall(r'(fill|stroke)="(#[0-9A-F]{6})"', svg)}
    used |= {("stroke", colour) for colour in lines}
    fills = theme.fills(sorted({colour for _, colour in used} - lines))
    new = {colour: theme.line(colour) if colour in lines else fills[colour] for _, colour in used}
    rules = [f"{{ color-scheme: dark; {_variables('dark')} {_DARK} }}"]
    rules += [
        f'svg [{kind}="{old}"]:not({_stays(old)}) {{ {kind}: {new[old]}; }}'
        for kind, old in sorted(used)
        if new[old] != old
    ]

    def under(root: str) -> str:
        return "\n".join(f"  {root} {rule}" for rule in rules)

    return (
        "@media screen and (prefers-color-scheme: dark) {\n" + under(':root[data-theme="auto"]') + "\n}\n"
        "@media screen {\n" + under(':root[data-theme="dark"]') + "\n}"
    )


def _stays(colour: str) -> str:
    """Return the parts of icons that keep a colour: all but the names below them."""
    return ".icon > :not(text)" if colour == INK else ".icon > *"


_DARK = "--line: #3b4047; --button: #22272d; --hover: #2e343b; --focus: #8cd0f5;"


def _view(ground: Rect, part: Rect) -> list[float]:
    """Return the view of a part of the ground in SVG coordinates; small pictures are not enlarged."""
    width, height = max(part.width + 20, 460.0), max(part.height + 20, 340.0)
    x, y = part.centre.x - ground.left - width / 2, ground.top - part.centre.y - height / 2
    return [round(x, 2), round(y, 2), round(width, 2), round(height, 2)]


def _agent(name: str, look: Pen, shown: bool) -> dict[str, Any]:
    dashes = " ".join(f"{length:g}" for length in look.dashes)
    return {"name": name, "colour": look.colour, "dashes": dashes, "on": shown}


def _frame(shown: Film, k: int, agents: list[str], formulas: list[Formula]) -> dict[str, Any]:
    sketch, frame = shown.sketches[k], shown.frames[k]
    drawn = sketch.drawn
    truths = [drawn.truth(f) for f in formulas]
    return {
        "title": frame.title,
        "caption": " ".join(sketch.remarks),
        "words": sketch.description,
        "size": len(frame.model),
        "view": _view(shown.box, Rect.union(scene.body for scene in shown.scenes[: k + 1] if scene.nodes)),
        "worlds": [
            {"name": name, "atoms": ", ".join(drawn.true_at(node)), "designated": node in drawn.designated}
            for node, name in enumerate(world_texts(drawn.worlds))
        ],
        "ties": [_ties(drawn, agent) for agent in agents],
        "truth": ["".join("01"[true] for true in drawn.at_nodes(truth)) for truth in truths],
        "answers": [_answer(truth, drawn.pointed) for truth in truths],
        "lost": shown.lost[k],
        "rows": [list(row) for row in frame.rows],
    }


def _answer(truth: list[bool], pointed: list[int]) -> str:
    """Return where a formula is true, in words; nodes may stand for several worlds."""
    found = {truth[world] for world in pointed}
    verdict = "true at some of them"
    if len(found) < 2:
        verdict = "false" if False in found else "true"
    return f"True at {sum(truth):,} of {counted(len(truth), 'world')}. At the designated worlds: {verdict}."


def _ties(drawn: Drawn, agent: str) -> dict[str, Any]:
    """Return an agent's relation: its classes, or the successors of each world."""
    ties = next((ties for ties in drawn.ties if ties.agent == agent), None)
    if ties is None:
        return {"cells": [[node] for node in range(drawn.size)]}
    return {"sees": ties.sees} if ties.classes is None else {"cells": ties.classes}
