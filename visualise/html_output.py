"""A story, or one model, as a page for the browser: one file that makes no network request.

The page has the pictures of all steps on the board that the explorer shows as well: the same script and the
same style, which any page of this kind is made of. Names are only ever set as text.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from html import escape
from importlib.resources import files
from typing import Any, Unpack

from kripke_werewolf.base.drawing import Options
from kripke_werewolf.base.errors import ModelError
from kripke_werewolf.base.reports.documents import filled_page, inert
from kripke_werewolf.base.reports.tables import counted
from kripke_werewolf.logic.formulas.syntax import Formula, FormulaLike, formula
from kripke_werewolf.logic.models.model import Numbered
from visualise.picture import origins, pens_of
from visualise.record import in_markup, record_of, sealed
from visualise.sequence import Film, Story, film, title_of
from visualise.svg_output import clean, to_svg
from visualise.text import world_texts
from visualise.themes import THEMES

Json = dict[str, Any]
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./(\w+)\.js";\n', re.MULTILINE)


def html(story: Story, *, formulas: Iterable[FormulaLike] = (), **options: Unpack[Options]) -> str:
    """Return a model or a story as an interactive page: one file, no network.

    `formulas`: the formulas to choose from on the page. The option `formula` is added to them, and selected
    at the start.
    """
    asked = [formula(f) for f in ([formulas] if isinstance(formulas, str | Formula) else formulas)]
    first = None if options.get("formula") is None else formula(options["formula"])
    if first is not None:
        asked = [first, *(f for f in asked if f is not first)]
    for name in ("width", "font_size"):
        if options.get(name) is not None:
            raise ModelError(f"{name} is for pictures; a page is as wide as its window")
    bare: Options = {**options, "legend": False, "edge_labels": False, "formula": None}
    bare |= {"title": "", "caption": ""}
    shown = film(story, **bare)
    count = len(shown.frames) - 1
    through = f"A model through {counted(count, 'update')}"
    heading = title_of(story, options) or (through if count else shown.sketches[0].title)
    theme = options.get("theme", "auto")
    drawn = {agent: None for scene in shown.scenes for agent in scene.agents}
    known = dict.fromkeys(agent for ready in shown.sketches for agent in ready.drawn.whole.agents)
    agents = [agent for agent in known if agent in drawn]
    pens = pens_of([*known], bare, agents)
    light, dark = THEMES[bare.get("theme", "light")], THEMES["dark"]
    called = {agent: name for ready in shown.sketches for agent, name in ready.look.called.items()}
    data = {
        "words": json.loads(_board_file("words.json")),
        "title": heading,
        "theme": "light" if theme == "print" else theme,
        "agents": [
            {**light.pen(pens[agent]).on_board(called[agent]), "dark": dark.line(pens[agent].colour)}
            for agent in agents
        ],
        "formulas": [f.unicode() for f in asked],
        "formula": None if first is None else 0,
        "frames": [
            _frame(shown, k, agents, asked, ["print"] if theme == "print" else ["light", "dark"])
            for k in range(len(shown.frames))
        ],
    }
    whole: Options = {**bare, "legend": True, "caption": None}  # they stand beside the pictures
    record = record_of(*(ready.told(whole) for ready in shown.sketches))
    page = page_of(
        script("viewer", _board_file),
        _board_file("style.css"),
        data,
        title=heading,
        record=record,
    )
    return sealed(page, ".html")


def _frame(shown: Film, k: int, agents: list[str], asked: list[Formula], themes: list[str]) -> Json:
    """Return a step: its picture in all colours, and what is true and possible where."""
    ready, scene, frame = shown.sketches[k], shown.scenes[k], shown.frames[k]
    drawn, called = ready.drawn, ready.look.called
    nodes = [[node] for node in range(drawn.size)]  # the page has what is true at each, not at each world
    picture: Json = {
        "key": str(k),
        **ready.on_board(scene, nodes),
        "gone": [],
        "came": [None] * drawn.size,
    }
    if k:
        before = shown.sketches[k - 1].drawn
        picture |= {"gone": shown.lost[k - 1], "came": origins(before.worlds, drawn.worlds)}
    picture["svg"] = {name: to_svg(replace(scene, theme=name), agents=agents) for name in themes}
    truths = [set(Numbered(frame.model).numbers(f)) for f in asked]
    return {
        "name": frame.title,
        "size": len(frame.model),
        "picture": picture,
        "model": {
            "atoms": drawn.atoms,
            "all_actual": len(drawn.designated) == drawn.size,
            "worlds": [
                {"name": name, "atoms": drawn.true_at(node), "actual": node in drawn.designated}
                for node, name in enumerate(world_texts(drawn.worlds))
            ],
        },
        "sees": [{"agent": called.get(ties.agent, ties.agent), "nodes": ties.sees} for ties in drawn.ties],
        "truth": [drawn.marks(true) for true in truths],
        "said": [
            drawn.where_true(len(true), frame.model.verdict(f)) for f, true in zip(asked, truths, strict=True)
        ],
        "rows": frame.rows,
    }


# --- pages -----------------------------------------------------------------------------------------


def _board_file(name: str) -> str:
    """Return the text of a file of the board."""
    return files("visualise").joinpath("board", name).read_text(encoding="utf-8")


def script(entry: str, file: Callable[[str], str]) -> str:
    """Return a module of a page with all its imports as one: no two have the same name at the top."""
    texts: dict[str, str] = {}

    def take(name: str) -> None:
        text = file(f"{name}.js")
        for used in _IMPORT.findall(text):
            if used not in texts:
                take(used)
        text = _IMPORT.sub("", text)
        texts[name] = text if name == entry else text.replace("\nexport ", "\n")

    take(entry)
    return "\n".join(texts.values())


def page_of(
    code: str,
    style: str,
    data: Mapping[str, Any],
    *,
    title: str = "",
    parts: str = "",
    record: str = "",
    policy: Mapping[str, str] | None = None,
) -> str:
    """Return the page of a script, its style and its data, which may use nothing else.

    `data`: with the `words` of the page. `parts`: more elements with data. `record`: that of
    pictures, for `read`. `policy`: what the page may do besides.
    """
    rules = {
        "default-src": "'none'",
        "script-src": _hash(code),
        "style-src": _hash(style),
        "img-src": "data: blob:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    for key, more in (policy or {}).items():
        rules[key] = f"{rules.get(key, '')} {more}".strip()
    texts = {
        "lang": escape(str(data["words"]["language"])),
        "record": record and f" {in_markup(record)}",
        "policy": "; ".join(f"{key} {value}" for key, value in rules.items()),
        "title": clean(title),
        "needs": escape(str(data["words"]["needs-script"])),
        "style": style,
        "data": inert(data),
        "parts": parts,
        "script": code,
    }
    return filled_page(_board_file("page.html"), texts)


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
    return f"'sha256-{digest}'"
