"""The model in the file of a picture: the record that writers put there, its seal, and `read`.

The seal is a check value of the whole file, except of the way in which its lines end; for PNG, of the pixels
and of the record; for PDF, of every byte. It shows changes; it does not prove who made the file.
"""

from __future__ import annotations

import json
import os
import re
from hashlib import sha256
from html import escape, unescape
from io import BytesIO
from pathlib import Path
from struct import pack
from typing import Any
from zlib import crc32

from kripke_werewolf.base.errors import FormatError, KripkeError
from kripke_werewolf.base.files import known_ending, parse_json, read_text
from kripke_werewolf.logic.models import KripkeModel
from visualise.text import natural_order

_UNSEALED = "0" * 16
_RECORDS = {
    ".svg": r'data-model="([^"]*)"',
    ".html": r'data-model="([^"]*)"',
    ".tex": "^  % model: (.*)$",
    ".dot": "^// model: (.*)$",
    ".gv": "^// model: (.*)$",
    ".pdf": r"/Keywords \(((?:[^\\)]|\\.)*)\)",
    ".png": "^record: (.+)$",  # a line after that of the pixels, see `_png_text`
}
"""Where each format keeps its record."""


# --- writing ---------------------------------------------------------------------------------------


def record_of(*told: tuple[KripkeModel | None, str]) -> str:
    """Return the record of the pictures in a file as JSON in ASCII, not yet sealed.

    For each picture: its model, or None and the reason why there is none.
    """
    pictures: list[dict[str, Any]] = []
    for model, unread in told:
        try:
            pictures.append({"unread": unread} if model is None else {"model": model.to_dict()})
        except FormatError as error:
            pictures.append({"unread": str(error)})
    return json.dumps({"seal": _UNSEALED, "pictures": pictures}, separators=(",", ":"))


def in_markup(record: str) -> str:
    """Return the attribute of an element of SVG or HTML that holds a record."""
    return f'data-model="{escape(record)}"'


def sealed(text: str, ending: str) -> str:
    """Return the text of a file with the check value of all of it in its record."""
    start, end = _seal(text, _record(text, ending))
    return text[:start] + _check(text) + text[end:]


def sealed_png(content: bytes, record: str) -> bytes:
    """Return a PNG with its sealed record, in a chunk of text after its header."""
    _, kept = sealed(_png_text(content, record), ".png").split("record: ")
    chunk = b"tEXtmodel\0" + kept.encode()
    whole = pack(">I", len(chunk) - 4) + chunk + pack(">I", crc32(chunk))
    return content[:_PNG_HEADER] + whole + content[_PNG_HEADER:]


_PNG_HEADER = 33  # its bytes


def _png_text(content: bytes, record: str = "") -> str:
    """Return the sealed part of a PNG: a check value of its pixels, and a record, by default its own."""
    from PIL import Image

    try:
        with Image.open(BytesIO(content), formats=["PNG"]) as image:
            pixels = sha256(image.convert("RGBA").tobytes()).hexdigest()
            return f"pixels: {image.size} {pixels}\nrecord: {record or image.info.get('model', '')}"
    except (OSError, ValueError) as error:
        raise FormatError(f"it is not PNG: {error}") from None


def _check(text: str) -> str:
    return sha256(text.encode()).hexdigest()[: len(_UNSEALED)]


def _record(text: str, ending: str) -> tuple[int, int]:
    """Return where the record of a file stands, as the format writes it."""
    found = re.search(_RECORDS[ending], text, re.MULTILINE)
    if not found:
        raise FormatError(
            "it has no record of a model: it is not from visualise or from an earlier version, or was changed"
        )
    return found.span(1)


def _seal(text: str, record: tuple[int, int]) -> tuple[int, int]:
    """Return where the seal of a record stands, which is its first part."""
    found = re.compile("[0-9a-f]{16}").search(text, *record)
    return found.span() if found else record


# --- reading ---------------------------------------------------------------------------------------


def read(path: str | os.PathLike[str], *, step: int | None = None) -> KripkeModel:
    """Return the model of a picture from `save`: SVG, PNG, PDF, TikZ, DOT, or a page; or of a JSON file.

    `step`: which picture of a page, from 0. A graph in DOT that others wrote is read as well: the first line
    of a label is the name of a world, the other lines (or `xlabel`) are the atoms that are true there, with
    commas between them; the actual worlds have a double outline; the label of an edge names its agents, and
    edges without any are those of one agent, a. Lines without heads are those of an equivalence.

    Raises `FormatError` for other files, for pictures that leave parts of their model out, and for those that
    were changed after they were drawn: what they show may no longer be what their record says.
    """
    source = Path(path)
    ending = known_ending(source, (*_RECORDS, ".json"))
    if ending == ".json":
        return KripkeModel.load(source)
    try:
        if ending == ".png":
            text = _png_text(source.read_bytes())
        elif ending == ".pdf":
            text = source.read_bytes().decode("latin-1")
        else:
            text = read_text(source)
        if ending in (".dot", ".gv") and not re.search(f"{_RECORDS[ending]}|layout=nop2", text, re.MULTILINE):
            return _drawn_by_others(text)
        return _recorded(text, ending, step)
    except KripkeError as error:
        raise FormatError(f"cannot read a model from {str(path)!r}: {error}") from None


def _recorded(text: str, ending: str, step: int | None) -> KripkeModel:
    """Return the model that a file records, if nothing in the file has been changed."""
    start, end = _record(text, ending)
    record = text[start:end]
    if ending == ".pdf":
        record = re.sub(r"\\(.)", r"\1", record)
    if ending in (".svg", ".html"):
        record = unescape(record)
    data = parse_json(record, "the record of the model")
    if not isinstance(data, dict):
        raise FormatError(f"the record of the model must be an object, got {record[:20]!r}")
    if "pictures" not in data:
        raise FormatError(
            "it is from an earlier version, whose pictures are not read any more; draw it again, or give the"
            ' "model" in its record, which is JSON, to KripkeModel.from_dict'
        )
    place = _seal(text, (start, end))
    if data["seal"] != _check(text[: place[0]] + _UNSEALED + text[place[1] :]):
        raise FormatError("the picture was changed after it was drawn, and may not show what its record says")
    pictures = data["pictures"]
    if step not in range(len(pictures)) and (step is not None or len(pictures) > 1):
        raise FormatError(f"it has {len(pictures)} pictures; choose one with step=0 to {len(pictures) - 1}")
    found = pictures[step or 0]
    if "model" not in found:
        raise FormatError(f"the picture does not tell all of a model: {found['unread']}")
    return KripkeModel.from_dict(found["model"])


# --- graphs by others ------------------------------------------------------------------------------

_LINE, _LISTED = r"\\[nlr]", r"\\[nlr]|,"  # between the lines of a label; between atoms, or agents
_STEPS = {"forward": [(0, 1)], "back": [(1, 0)], "both": [(0, 1), (1, 0)]}  # by the heads of an arrow
_DEFAULTS = {"label", "xlabel", "peripheries", "dir", "arrowhead", "arrowtail"}


def _drawn_by_others(text: str) -> KripkeModel:
    """Return the model of a graph in DOT, as `read` describes it; raises `FormatError` for other graphs."""
    import networkx as nx
    from pydot.dot_parser import GraphParser
    from pyparsing import ParseException

    try:
        graphs = GraphParser.parser.parse_string(text, parse_all=True)
    except ParseException as error:
        raise FormatError(f"line {error.lineno} is not DOT: {error.line.strip()[:60]!r}") from None
    if len(graphs) > 1 or graphs[0].get_subgraph_list():
        raise FormatError("it has more than one graph, or a subgraph")
    graph = nx.nx_pydot.from_pydot(graphs[0])
    for kind in ("node", "edge"):
        defaults = graph.graph.get(kind, {})
        if _DEFAULTS & defaults.keys() or re.search("point|double", defaults.get("shape", "")):
            raise FormatError(f"the {kind}s have a label or a form by default; write it at each {kind}")
    names, double, valuation = dict[str, str](), list[str](), dict[str, set[str]]()
    for node, look in graph.nodes(data=True):
        if ":" in re.sub('".*"', "", node) or "point" in look.get("shape", ""):
            raise FormatError(f"the node {node} is no world; leave out ports, and arrows from nowhere")
        name, *more = re.split(_LINE, _unquoted(look.get("label", node)), maxsplit=1)
        if re.search("[,¬]", name):
            raise FormatError(
                f"the label {name!r} does not begin with the name of its world, on a line of its own"
            )
        names[node] = name.strip() or _unquoted(node)
        for literal in _items(_unquoted(look.get("xlabel", "")), *more):
            true = valuation.setdefault(literal.lstrip("¬~! "), set())
            if literal[0] not in "¬~!":
                true.add(names[node])
        if "double" in look.get("shape", "") or "2" in look.get("peripheries", ""):
            double.append(names[node])
    if len(set(names.values())) < len(names):
        raise FormatError("two worlds have the same name")
    edges = [(i, j, look, _items(_unquoted(look.get("label", "")))) for i, j, look in graph.edges(data=True)]
    colours = {look.get("color") for *_, look, _ in edges}
    lines: dict[str, set[tuple[str, str]]] = {}
    for i, j, look, agents in edges:
        if not agents and (len(colours) > 1 or any(others for *_, others in edges)):
            raise FormatError(f"the edge from {i} to {j} has no agent")
        steps = _STEPS.get(look.get("dir", "forward"))
        if steps is None or "invis" in look.get("style", "") or "none" in look.get("arrowhead", ""):
            raise FormatError(f"the heads of the edge from {i} to {j} are unclear; write dir=…")
        ends = names[i], names[j]
        for agent in agents or ["a"]:
            lines.setdefault(agent, set()).update((ends[k], ends[m]) for k, m in steps)
    worlds, order = list(names.values()), natural_order(lines)
    if graph.is_directed():
        return KripkeModel(worlds, {agent: lines[agent] for agent in order}, valuation, double or None)
    cells = {}
    for agent in order:
        drawn = nx.Graph(list(lines[agent]))
        drawn.add_nodes_from(worlds)
        cells[agent] = list(nx.connected_components(drawn))
    return KripkeModel.from_partitions(worlds, cells, valuation, double or None)


def _unquoted(text: str) -> str:
    if text.startswith("<"):
        raise FormatError(f"it has an HTML label, {text[:40]!r}; only plain text is read")
    return text.strip('"').replace(r"\"", '"')


def _items(*texts: str) -> list[str]:
    """Return the items of lists with commas or line breaks."""
    return [item.strip() for text in texts for item in re.split(_LISTED, text) if item.strip()]
