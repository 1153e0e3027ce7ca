"""Reading DOT: the content of graphs from `save`, by their labels."""

import re

from pydot import Common
from pydot.dot_parser import GraphParser

from tests.visualise.shown import Content, World

_HEADS = {"none": (False, False), "back": (True, False), "forward": (False, True), "both": (True, True)}
_BARE = re.compile(r'("(?:[^"\\]|\\.)*")|([\w.]*[\x80-\U0010ffff][\w.\x80-\U0010ffff]*)', re.DOTALL)


def dot_shown(text: str) -> Content:
    """Return the content of a DOT graph."""
    # what pydot takes for a name ends at signs that Graphviz allows
    text = _BARE.sub(lambda found: found[1] or f'"{found[2]}"', text)
    (graph,) = GraphParser.parser.parse_string(text, parse_all=True)
    looks = {node.get_name(): _look(node) for node in graph.get_node_list()}
    caption = looks["graph"]["label"]
    worlds = looks.keys() - {"graph", "node", "edge"}  # statements about all of them
    order = sorted(worlds, key=lambda name: (len(name), name))  # w2 before w10
    shown = Content([], caption=caption)
    for own in map(looks.__getitem__, order):
        beside = own["xlabel"].split("\n") if "xlabel" in own else []
        shown.worlds.append(World(own["label"], beside, own.get("peripheries") == "2"))
    for edge in graph.get_edge_list():
        look, (start, end) = _look(edge), map(order.index, (edge.get_source(), edge.get_destination()))
        shown.lines.append((look["label"], start, end, _HEADS[look.get("dir", "none")]))
    return shown


def _look(part: Common) -> dict[str, str]:
    return {key: _unquoted(value or "") for key, value in part.get_attributes().items()}


def _unquoted(text: str) -> str:
    bare = text[1:-1] if text.startswith('"') else text
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] in "nlr" else found[1], bare)
