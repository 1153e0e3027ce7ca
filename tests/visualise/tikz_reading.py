"""Reading TikZ: the content of pictures in LaTeX code, from `save` or by others, by their nodes and paths."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from math import dist
from typing import TypeAlias

from kripke_werewolf.errors import FormatError
from tests.visualise.shown import Content, Picture, Spot, World
from visualise.geometry import inside_polygon
from visualise.tikz_output import ESCAPES, SYMBOLS

_Styles: TypeAlias = Mapping[str, list[str]]

_SILENT = (
    "text textrm textbf textit textsf texttt emph mathit mathrm mathbf mathsf mathtt bf it sf displaystyle "
    "tiny scriptsize footnotesize small normalsize large"
)
_WORDS = {command.strip("\\{}"): sign for sign, command in (ESCAPES | SYMBOLS).items()}
_WORDS |= dict.fromkeys(_SILENT.split(), "") | {"lnot": "¬", "quad": " "} | dict.fromkeys(",;:", " ")


def untex(text: str) -> str:
    r"""Return the characters that LaTeX sets; raises `FormatError` for a command that it does not know.

    >>> untex(r"$\mathit{wolf}_{\alpha}$, 50\%")
    'wolf_α, 50%'
    """

    def said(found: re.Match[str]) -> str:
        command = found[1] or ""
        if command not in _WORDS and len(command) > 1:
            raise FormatError(f"the command \\{command} in a text cannot be read")
        return _WORDS.get(command, command) if command else ""

    return re.sub(r"\\(char34|[A-Za-z]+|.)|[${}]", said, text.replace("~", " "))


_BRACES = r"\{(?:[^{}\\]|\\.|" * 5 + r"\{\}" + r")*\}" * 5  # braces that contain others, five deep
_OPTIONS = rf"\[(?:[^][{{}}\\]|\\.|{_BRACES}|\[[^][{{}}]*\])*\]"
_LOOKS = rf"(?:\s*(?:{_OPTIONS}|(?:at)?\s*\([^()]*\)))*\s*"  # the options, the name and the place of a node
_TEXTS = rf"(?:\s*node\b{_LOOKS}{_BRACES})*"
_PICTURE = re.compile(rf"\\begin\{{tikzpicture\}}\s*({_OPTIONS})?(.*?)\\end\{{tikzpicture\}}", re.DOTALL)
_STYLE = re.compile(
    rf"([\w ]+)/\.(?:append )?style\s*=\s*({_BRACES})|\\tikzstyle\s*({_BRACES})\s*=\s*({_OPTIONS})"
)
# comments, styles, and scopes that only move things
_SILENCE = re.compile(
    rf"(?<!\\)%.*|\\(?:begin|end)\{{scope\}}(?:\[[^][]*shift[^][]*\]|(?!\s*\[))|\\tikzset\s*{_BRACES}"
    rf"|\\tikzstyle\s*{_BRACES}\s*=\s*{_OPTIONS}"
)
_STATEMENT = re.compile(rf"\s*\\(node|path|draw|fill|filldraw)\b((?:[^;{{}}\\]|\\.|{_BRACES})*);", re.DOTALL)
_NODE = re.compile(rf"({_LOOKS})({_BRACES})\s*", re.DOTALL)
_SEGMENT = re.compile(
    rf"\s*(--|(?:to|edge)\b|\.\.\s*controls.*?\.\.)?((?:\s*{_OPTIONS}|{_TEXTS})*)\s*\(([^()]*)\)({_TEXTS})",
    re.DOTALL,
)
_STROKE = re.compile(r"\[(agent \d+)\b.*?\] (\(.*\)(?: -- cycle)?)")
_GROUND = re.compile(r"\[(?:use as bounding box|thin,.*)\] \([^()]*\) rectangle \([^()]*\)")
_BESIDE = re.compile(r"(?:\[[^]]*\])?\s*(?:[a-z ]+|-?\d+):(.*)", re.DOTALL)
_ARROW = re.compile(r"([^-=\s]*)-([^-=\s]*)")
_SHAPES = {"draw", "circle", "ellipse", "rectangle", "world", "point", "state", "fill"}
_PENS = re.compile(
    "(?:draw|color)=.*|.*(?:dashed|dotted)|red|blue|green|orange|purple|violet|brown|gray|cyan"
)
_FAINT = ("white", "draw=white", "draw=none", "opacity=0")
_BY = 0.3  # how far a text of the legend is from its sample at most, in centimetres


def tikz_pictures(text: str) -> list[Picture]:
    """Return the pictures in LaTeX code."""
    styles: dict[str, list[str]] = {}
    for name, style, old, options in _STYLE.findall(re.sub(r"(?<!\\)%.*", "", text)):
        styles.setdefault((name or old[1:-1]).strip(), []).extend(_split(style or options))
    return [
        partial(tikz_shown, found[2], text.count("\n", 0, found.start(2)), _split(found[1] or "[]"), styles)
        for found in _PICTURE.finditer(text)
    ]


def _split(options: str) -> list[str]:
    """Return the options in brackets or braces, without declarations of styles."""
    found = re.findall(rf'(?:[^][,{{}}"]|{_BRACES}|{_OPTIONS}|"[^"]*")+', options.strip()[1:-1])
    return [option.strip() for option in found if option.strip() and "/." not in option]


def _listed(text: str) -> list[str]:
    """Return the options in all the brackets of a string."""
    return [option for part in re.findall(_OPTIONS, text) for option in _split(part)]


def _expanded(options: Iterable[str], styles: _Styles) -> Iterator[str]:
    """Yield options, and those that they are styles for."""
    for option in options:
        yield option
        yield from _expanded(styles.get(option, ()), {k: v for k, v in styles.items() if k != option})


def tikz_shown(body: str, above: int, options: list[str], styles: _Styles) -> Content:
    """Return the content of a picture.

    `above`: the number of lines above it in the file. `options`: those of the picture; `styles`: the declared
    ones.
    """
    record = re.search(r"^\s*% model: (.*)$", body, re.MULTILINE)
    code = _SILENCE.sub(lambda found: "\n" * found[0].count("\n"), body).rstrip()
    drawing, place = _Drawing(styles, options, ours=record is not None), 0
    while place < len(code):
        found = _STATEMENT.match(code, place)
        try:
            if not found:
                raise FormatError(r"only \node, \path and \draw are read, each up to its semicolon")
            drawing.add(*found.groups())
        except FormatError as error:
            start = len(code) - len(code[place:].lstrip())
            line, told = 1 + above + code.count("\n", 0, start), code[start:].partition("\n")[0]
            raise FormatError(f"line {line}, {told[:60]!r}: {error}") from None
        place = found.end()
    return drawing.content()


class _Drawing:
    """A picture, as far as its commands have been read; `ours`: whether `save` wrote it."""

    def __init__(self, styles: _Styles, options: list[str], *, ours: bool) -> None:
        self.styles, self.options, self.ours = styles, options, ours
        self.nodes = dict[str, tuple[World, bool, str]]()  # whether they are drawn, and where
        self.lines = list[tuple[str, str, list[str], list[str]]]()  # ends, options and texts
        self.words, self.legend, self.outlines = list[str](), dict[str, str](), list[tuple[str, list[Spot]]]()
        self.sample: tuple[str, Spot] | None = None

    def add(self, command: str, rest: str) -> None:
        """Read a command; raises `FormatError`."""
        stroke = _STROKE.fullmatch(rest) if self.ours else None
        if command == "node":
            self.node(rest)
        elif stroke:
            corners = [_spot(place) for place in re.findall(r"\(([^()]*)\)", stroke[2])]
            if stroke[2].endswith("cycle"):
                self.outlines.append((stroke[1], corners))
            else:
                self.sample = stroke[1], corners[-1]
        elif not self.ours or not (command in ("fill", "filldraw") or _GROUND.fullmatch(rest)):
            self.path(command, rest)

    def node(self, rest: str) -> None:
        """Read a node."""
        if not (found := _NODE.fullmatch(rest)):
            raise FormatError("a node has options, a name, a place, and then a text in braces")
        options = list(_expanded(["every node", *_listed(found[1])], self.styles))
        places = dict(re.findall(r"(at)?\s*\(\s*([^()]*?)\s*\)", re.sub(_OPTIONS, "", found[1])))
        name, at = places.get("", ""), places.get("at", "")
        text = "\n".join(untex(line).strip() for line in found[2][1:-1].split(r"\\"))
        if name in self.nodes or any(option.startswith("fit=") for option in options):
            raise FormatError("a node that fits others, or has the name of another, cannot be read")
        if name:
            beside = [line for option in options for line in _beside(option)]
            ring = any(re.fullmatch("double|double=.*|accepting|initial.*", option) for option in options)
            drawn = not _SHAPES.isdisjoint(options)
            self.nodes[name] = World(text, beside, ring, name), drawn, at
        elif self.sample and "note" not in options:
            if dist(self.sample[1], _spot(at)) > _BY:
                raise FormatError("a text of the legend is not beside its sample")
            self.legend[self.sample[0]], self.sample = text, None
        else:
            self.words.append(text)

    def path(self, command: str, rest: str) -> None:
        """Read the lines of a path."""
        begun = re.match(rf"(?:\s*{_OPTIONS})*", rest)
        start, place = "", begun.end() if begun else 0
        options = [*self.options, "every path", *_listed(rest[:place])]
        while rest[place:].strip():
            found = _SEGMENT.match(rest, place)
            if not found or (not found[1] and found[2].strip()) or "," in found[3]:
                told = rest[place:].strip()[:30]
                raise FormatError(f"{told!r} cannot be read: lines join worlds by their names")
            place, (how, on, end, after) = found.end(), found.groups()
            end = end.partition(".")[0].strip() or start
            if how and how != "edge" and command == "path" and "draw" not in options:
                raise FormatError(r"a \path without edges draws nothing")
            if how:
                texts = re.findall(rf"node\b{_LOOKS}({_BRACES})", on + after)
                every = ["every edge"] if how == "edge" else []
                own = [*options, *every, *_listed(re.sub(_TEXTS, "", on))]
                all_own = list(_expanded(own, self.styles))
                if faint := next((option for option in all_own if option in _FAINT), ""):
                    raise FormatError(f"a line with the option {faint} is invisible")
                self.lines.append((start, end, all_own, [untex(text[1:-1]) for text in texts]))
            if how != "edge":
                start = end

    def content(self) -> Content:
        """Return the content; texts that are not drawn and without lines are words."""
        joined = {end for line in self.lines for end in line[:2]}
        if lost := joined - self.nodes.keys():
            raise FormatError(f"a line ends at {lost.pop()!r}, which is not a world")
        order = [k for k, (_, drawn, _) in self.nodes.items() if drawn or k in joined or self.ours]
        words = [*self.words, *(self.nodes[name][0].name for name in self.nodes if name not in order)]
        shown = Content([self.nodes[name][0] for name in order], caption=" ".join(words))
        shown.legend = list(self.legend.values())
        for start, end, options, texts in self.lines:
            quoted = [untex(option[1:].partition('"')[0]) for option in options if option.startswith('"')]
            styles = [self.legend.get(option, option) for option in options if option.startswith("agent ")]
            arrows = [
                found for o in options if (found := _ARROW.fullmatch(re.sub(r"\[.*?\]|^arrows=", "", o)))
            ]
            back, forth = arrows[-1].groups() if arrows else ("", "")
            heads = back.strip("|{}") != "", forth.strip("|{}") != ""
            text = ",".join([*quoted, *texts]) or "".join(styles[:1])
            shown.lines.append((text, order.index(start), order.index(end), heads))
            shown.looks.add(" ".join(filter(_PENS.fullmatch, options)))
        for style, corners in self.outlines:
            members = [
                k for k, name in enumerate(order) if inside_polygon(corners, _spot(self.nodes[name][2]))
            ]
            shown.outlines.append((self.legend.get(style, style), tuple(members)))
        return shown


def _beside(option: str) -> list[str]:
    """Return the lines that an option puts beside a node."""
    key, _, text = option.partition("=")
    if option.startswith('"'):
        key, text = "label", option[1:].partition('"')[0]
    if key.strip() not in ("label", "pin"):
        return []
    while re.fullmatch(_BRACES, text.strip(), re.DOTALL):
        text = text.strip()[1:-1]
    found = _BESIDE.fullmatch(text)
    text = found[1].strip() if found else text
    return [untex(line).strip() for line in text.split(r"\\")]


def _spot(place: str) -> Spot:
    x, _, y = place.partition(",")
    return float(x), float(y)
