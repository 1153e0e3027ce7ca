"""Reading DOT: the content of graphs, from `save` or by others, by their labels."""

from __future__ import annotations

import re
from typing import TypeAlias

from pydot import Common, Edge, Graph, Node, Subgraph
from pydot.classes import FrozenDict
from pydot.dot_parser import GraphParser
from pyparsing import ParseException

from kripke_werewolf.errors import FormatError
from tests.visualise.shown import Content, World

_HEADS = {"none": (False, False), "back": (True, False), "forward": (False, True), "both": (True, True)}
_INVISIBLE = ("point", "none", "plaintext")  # shapes of a node from which an arrow comes to the actual world
_TEXTS = ("label", "xlabel", "headlabel", "taillabel")  # of an edge
_BARE = re.compile(r'("(?:[^"\\]|\\.)*")|([\w.]*[\x80-\U0010ffff][\w.\x80-\U0010ffff]*)', re.DOTALL)
_Look: TypeAlias = dict[str, str]


def dot_shown(text: str) -> Content:
    """Return the content of a DOT graph."""
    # what pydot takes for a name ends at signs that Graphviz allows
    text = _BARE.sub(lambda found: found[1] or f'"{found[2]}"', text)
    try:
        graph, *more = GraphParser.parser.parse_string(text, parse_all=True)
    except ParseException as error:
        raise FormatError(f"line {error.lineno} is not DOT: {error.line.strip()[:60]!r}") from None
    if more:
        raise FormatError("it has more than one graph")
    directed = graph.get_type() == "digraph"
    nodes, edges = dict[str, _Look](), list[tuple[str, str, _Look]]()
    defaults: dict[str, _Look] = {"node": {}, "edge": {}, "graph": _look(graph)}
    _collect(graph, defaults, nodes, edges)
    caption, record = defaults["graph"].get("label"), re.search("^// model: ", text, re.MULTILINE)
    faint = {n for n, look in nodes.items() if look.get("shape") in _INVISIBLE or _invisible(look)}
    starts = set() if record or faint == nodes.keys() else faint
    begun = {j for i, j, _ in edges if i in starts}
    order = [name for name in nodes if name not in starts]
    if record:
        order.sort(key=lambda name: (len(name), name))  # w2 before w10
    shown = Content([], caption=caption or "")
    for name in order:
        own = nodes[name]
        double = own.get("peripheries") == "2" or own.get("shape", "").startswith("double")
        beside = own["xlabel"].split("\n") if "xlabel" in own else []
        shown.worlds.append(World(own.get("label", name), beside, double or name in begun, name))
    for i, j, look in edges:
        if i not in starts and not _invisible(look):
            if "none" in (look.get("arrowhead"), look.get("arrowtail")):
                raise FormatError(f"the head of the edge from {i!r} to {j!r} cannot be read: write dir=…")
            heads = _HEADS[look.get("dir", "forward" if directed else "none")]
            text = next((look[key] for key in _TEXTS if key in look), "")
            shown.lines.append((text, order.index(i), order.index(j), heads))
            shown.looks.add(" ".join(look.get(key, "") for key in ("color", "style")))
    return shown


def _invisible(look: _Look) -> bool:
    hidden = "invis" in look.get("style", ""), look.get("color") == "transparent", look.get("penwidth") == "0"
    return any(hidden)


def _look(part: Common) -> _Look:
    return {key: _unquoted(value or "") for key, value in part.get_attributes().items()}


def _collect(
    graph: Graph, defaults: dict[str, _Look], nodes: dict[str, _Look], edges: list[tuple[str, str, _Look]]
) -> list[str]:
    """Add the nodes and the edges of a graph and its parts with all their attributes; return the nodes."""
    inside = list[str]()

    def met(end: str | FrozenDict) -> list[str]:
        if not isinstance(end, str):
            return _collect(Subgraph(obj_dict=end), {**defaults}, nodes, edges)
        inside.append(_unquoted(re.sub(r':[^"]*$', "", end)))
        nodes.setdefault(inside[-1], {"label": inside[-1], **defaults["node"]})
        return inside[-1:]

    parts: list[Node | Edge | Subgraph] = [*graph.get_node_list(), *graph.get_edge_list()]
    parts += graph.get_subgraph_list()
    for part in sorted(parts, key=lambda part: part.get_sequence() or 0):
        if isinstance(part, Subgraph):
            inside += _collect(part, {**defaults}, nodes, edges)
        elif isinstance(part, Edge):
            sources, targets = map(met, part.obj_dict["points"])
            edges += [(i, j, defaults["edge"] | _look(part)) for i in sources for j in targets]
        elif part.get_name() in defaults:
            defaults[part.get_name()] = defaults[part.get_name()] | _look(part)
        else:
            (name,) = met(part.get_name())
            nodes[name] = nodes[name] | _look(part)
    return inside


def _unquoted(text: str) -> str:
    if text.startswith("<"):
        raise FormatError(f"it has an HTML label, {text[:40]!r}; only plain text is read")
    bare = text[1:-1] if text.startswith('"') else text
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] in "nlr" else found[1], bare)
