"""Reading TikZ: the content of pictures in LaTeX code from `save`, by their nodes and paths."""

import re
from math import dist

from tests.visualise.shown import Content, Spot, World
from visualise.geometry import inside_polygon
from visualise.tikz_output import ESCAPES, SYMBOLS

_SILENT = ("text", "textbf", "mathit", "mathrm")
_WORDS = {command.strip("\\{}"): sign for sign, command in (ESCAPES | SYMBOLS).items()}
_WORDS |= dict.fromkeys(_SILENT, "")


def untex(text: str) -> str:
    r"""Return the characters that LaTeX sets.

    >>> untex(r"$\mathit{wolf}_{\alpha}$, 50\%")
    'wolf_α, 50%'
    """

    def said(found: re.Match[str]) -> str:
        command = found[1] or ""
        assert command in _WORDS or len(command) < 2, command
        return _WORDS.get(command, command) if command else ""

    return re.sub(r"\\(char34|[A-Za-z]+|.)|[${}]", said, text.replace("~", " "))


_BRACES = r"\{(?:[^{}\\]|\\.|" * 5 + r"\{\}" + r")*\}" * 5  # braces that contain others, five deep
_OPTIONS = rf"\[(?:[^][{{}}\\]|\\.|{_BRACES}|\[[^][{{}}]*\])*\]"
_PICTURE = re.compile(rf"\\begin\{{tikzpicture\}}\s*{_OPTIONS}(.*?)\\end\{{tikzpicture\}}", re.DOTALL)
_STATEMENT = re.compile(rf"\s*\\(node|draw|fill|filldraw)\b((?:[^;{{}}\\]|\\.|{_BRACES})*);", re.DOTALL)
_NODE = re.compile(rf"({_OPTIONS})(?: \((\w+)\))? at \(([^()]*)\) ({_BRACES})", re.DOTALL)
_EDGE = re.compile(rf" \((\w+)\) edge({_OPTIONS})?(?: node{_OPTIONS} ({_BRACES}))? \((\w+)\)", re.DOTALL)
_STROKE = re.compile(r"\[(agent \d+)\b.*?\] (\(.*\)(?: -- cycle)?)")
_GROUND = re.compile(r"\[thin,.*\] \([^()]*\) rectangle \([^()]*\)")
_BESIDE = re.compile(r"label=\{[a-z ]+:\{(.*)\}\}", re.DOTALL)
_HEADS = {"<-": (True, False), "->": (False, True), "<->": (True, True)}
_BY = 0.3  # how far a text of the legend is from its sample at most, in centimetres


def tikz_shown(text: str) -> Content:
    """Return the content of the picture in LaTeX code; every part of it must be one that `save` writes."""
    (body,) = _PICTURE.findall(text)
    nodes, outlines = dict[str, tuple[World, Spot]](), list[tuple[str, list[Spot]]]()
    legend, words, edges = dict[str, str](), list[str](), list[tuple[str, ...]]()
    sample: tuple[str, Spot] | None = None
    code, place = re.sub(r"(?<!\\)%.*", "", body).rstrip(), 0
    while place < len(code):
        found = _STATEMENT.match(code, place)
        assert found, code[place:]
        place, (command, rest) = found.end(), found.groups()
        if node := _NODE.fullmatch(rest) if command == "node" else None:
            options, said = _split(node[1]), _lines(node[4][1:-1])
            if node[2]:
                beside = [
                    line for o in options if (label := _BESIDE.fullmatch(o)) for line in _lines(label[1])
                ]
                ring = "designated" in options and "designated/.style={double" in text
                nodes[node[2]] = World("\n".join(said), beside, ring), _spot(node[3])
            elif sample and "note" not in options:
                assert dist(sample[1], _spot(node[3])) <= _BY, "a text of the legend is beside its sample"
                legend[sample[0]], sample = "\n".join(said), None
            else:
                words.append("\n".join(said))
        elif stroke := _STROKE.fullmatch(rest):
            corners = [_spot(spot) for spot in re.findall(r"\(([^()]*)\)", stroke[2])]
            if stroke[2].endswith("cycle"):
                outlines.append((stroke[1], corners))
            else:
                sample = stroke[1], corners[-1]
        elif edge := _EDGE.fullmatch(rest):
            edges.append(edge.groups(""))
        else:
            assert command in ("fill", "filldraw") or _GROUND.fullmatch(rest), rest
    order = list(nodes)
    shown = Content([world for world, _ in nodes.values()], caption=" ".join(words))
    shown.legend = list(legend.values())
    for start, looks, said_on, end in edges:
        options = _split(looks or "[]")
        agents = [legend.get(option, option) for option in options if option.startswith("agent ")]
        heads = next((_HEADS[option] for option in options if option in _HEADS), (False, start == end))
        text_on = untex(said_on[1:-1]) or "".join(agents[:1])
        shown.lines.append((text_on, order.index(start), order.index(end), heads))
    for style, corners in outlines:
        members = [k for k, (_, spot) in enumerate(nodes.values()) if inside_polygon(corners)(spot)]
        shown.outlines.append((legend.get(style, style), tuple(members)))
    return shown


def _split(options: str) -> list[str]:
    """Return the options in brackets."""
    found = re.findall(rf'(?:[^][,{{}}"]|{_BRACES}|{_OPTIONS}|"[^"]*")+', options[1:-1])
    return [option.strip() for option in found if option.strip()]


def _lines(text: str) -> list[str]:
    return [untex(line).strip() for line in text.split(r"\\")]


def _spot(place: str) -> Spot:
    x, _, y = place.partition(",")
    return float(x), float(y)
