"""Scenes as TikZ, with the style names common in logic courses: modal, world, point, reflexive above, …

The snippet includes its styles and needs only `tikz` and `amsmath`. Names are escaped. Nodes are named `w0`,
`w1`, …, so that a figure can be edited by hand.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import atan2, cos, degrees, dist, pi, sin
from unicodedata import name, normalize

from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.base.reports.latex import included, standing_alone
from kripke_werewolf.logic.formulas.names import TEX_ESCAPES
from visualise.geometry import Point, Rect
from visualise.palette import PAPER, Pen
from visualise.record import record_of, sealed
from visualise.routing import at_worlds
from visualise.scene import Edge, Label, Node, Scene
from visualise.text import LATIN, Run, Text, plain, text_of
from visualise.themes import THEMES, Theme, coloured

_CM = 2.54 / 72
ESCAPES = TEX_ESCAPES | {
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",
    "…": r"\dots{}",
}
SYMBOLS = {
    "¬": r"\neg", "∧": r"\wedge", "∨": r"\vee", "→": r"\to", "↔": r"\leftrightarrow", "⊤": r"\top",
    "⊥": r"\bot", "⊕": r"\oplus", "⊗": r"\otimes", "≥": r"\geq", "≤": r"\leq", "≠": r"\neq", "∀": r"\forall",
    "∃": r"\exists", "⟨": r"\langle", "⟩": r"\rangle", "·": r"\cdot", "∅": r"\emptyset",
}  # fmt: skip


def _greek() -> Iterator[tuple[str, str]]:
    """Yield the Greek letters with their commands, including those that look like Latin letters."""
    for letter in "αβγδεζηθικλμνξοπρστυφχψω":
        word = name(letter).rpartition(" ")[2].lower().replace("lamda", "lambda")
        yield letter, rf"\{'var' if letter in 'εφ' else ''}{word}"
        yield letter.upper(), rf"\{word.capitalize()}"
    for letter, latin in LATIN.items():
        if letter != "Υ":
            yield letter, latin if latin == "o" else rf"\mathrm{{{latin}}}"
    yield from {"ς": r"\varsigma", "ϑ": r"\vartheta", "ϕ": r"\phi", "ϵ": r"\epsilon", "ϱ": r"\varrho"}.items()


SYMBOLS |= dict(_greek())
"""Signs and Greek letters with their commands in math mode."""
_WIDE_LOOPS = {
    "left": "looseness=1,min distance=10mm,out=188,in=172",
    "right": "looseness=1,min distance=10mm,out=352,in=8",
}
_LOOPS = {"above": (60, 120), "below": (300, 240), "left": (210, 150), "right": (330, 30)}


_PACKAGES = ("tikz", "amsmath")


def to_tikz(scene: Scene, *, document: bool = False) -> str:
    """Return the scene as a `tikzpicture`, or as a document of one page that compiles as it is."""
    picture = _picture(scene)
    rare = _rare(picture)
    if not document:
        fonts = f"LuaLaTeX or XeLaTeX, and a font with these characters: {' '.join(rare)}"
        return sealed(included(picture, _PACKAGES, [f"needs {fonts}"] if rare else []), ".tex")
    size = (scene.scale * side + 36 for side in (scene.box.width, scene.box.height))
    width, height = (f"{side * _CM:.1f}cm" for side in size)
    page = rf"\usepackage[paperwidth={width},paperheight={height},margin=0.4cm]{{geometry}}"
    preamble = [page, *fonts_for(rare), r"\pagestyle{empty}"]
    return sealed(standing_alone([r"\noindent\centering", *picture], _PACKAGES, preamble), ".tex")


def _picture(scene: Scene) -> list[str]:
    """Return the lines of the picture."""
    scene, theme = coloured(scene)
    body = [*_ground(scene, theme), *_drawing(scene, theme)]
    used, looks = "\n".join(body), _styles(scene, theme)
    styles = [f"  {name}/.style={{{look}}}," for name, look in looks.items() if _uses(used, name)]
    return [
        f"% {' '.join(text_of(plain(scene.title)).split())}",
        r"\begin{tikzpicture}[",
        *styles,
        f"  modal{_scaled(scene)}]",
        *(f"  {line}" for line in body),
        f"  % model: {record_of((scene.model, scene.unread))}",
        r"\end{tikzpicture}",
    ]


def _rare(lines: Sequence[str]) -> list[str]:
    """Return the characters that need other fonts than LaTeX's default ones."""
    return sorted({c for line in lines if not line.startswith("%") for c in line if not common(c)})


# characters that LaTeX sets with its first fonts, beside accented letters
_COMMON = frozenset("ÆæØøßŒœŁłı¡¿§©°·–—‘’“”†‡•")
_ACCENTS = frozenset("\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327")


def common(character: str) -> bool:
    """Return whether LaTeX's default fonts have a character."""
    if character < "\x80" or character in _COMMON:
        return True
    return character < "\u0180" and normalize("NFD", character)[1:] in _ACCENTS


_FONTS = (
    *("DejaVu Sans", "FreeSerif", "Noto Sans CJK JP", "Noto Sans CJK SC", "Droid Sans Fallback"),
    *("Noto Emoji", "Symbola"),
)


def fonts_for(rare: Sequence[str]) -> Iterator[str]:
    """Yield code by which LuaLaTeX takes other characters from installed fonts."""
    if rare:
        yield r"\ifdefined\directlua"
        yield r"  \usepackage{fontspec}"
        yield r"  \newcommand\others{}"
        for font in _FONTS:
            yield rf'  \IfFontExistsTF{{{font}}}{{\edef\others{{\others "{font}:",}}}}{{}}'
        yield r'  \directlua{luaotfload.add_fallback("others", {\others})}'
        yield r"  \setmainfont{Latin Modern Roman}[RawFeature={fallback=others}]"
        yield r"\fi"
        yield r"\ifdefined\DeclareUnicodeCharacter"
        for c in rare:
            number = f"{ord(c):04X}"
            yield rf"  \DeclareUnicodeCharacter{{{number}}}{{\fbox{{\tiny {number}}}}}"
        yield r"\fi"


def _uses(body: str, style: str) -> bool:
    return style in ("modal", "every label") or f"[{style}" in body or f",{style}" in body


# --- styles ----------------------------------------------------------------------------------------


def _styles(scene: Scene, theme: Theme) -> dict[str, str]:
    sizes = _sizes(scene)
    between = "" if theme.paper == PAPER else f"={_colour('', theme.paper)[1:]}"
    styles = {
        "modal": ">=stealth,semithick,every node/.style={font=\\small}",
        "every label": "font=\\footnotesize,align=center",
        "point": "circle,draw,fill=black,inner sep=1.2pt",
        "designated": f"double{between},double distance=1.6pt",
        "shown": f"preaction={{draw,{_colour('draw', theme.accent)},opacity=0.55,line width=6pt}}",
        "agents": f"{_colour('fill', theme.paper) if theme.instead else 'fill=white'},inner sep=1.5pt",
        "note": "font=\\footnotesize,inner sep=1pt",
    }
    for kind, half in sizes.items():
        wide, high = f"minimum width={_cm(2 * half.x)}cm", f"minimum height={_cm(2 * half.y)}cm"
        if kind == "world":
            styles[kind] = f"circle,draw,minimum size={_cm(2 * half.x)}cm,inner sep=1pt"
        elif kind == "wide world":
            styles[kind] = f"draw,rounded corners={scene.scale * half.y:.1f}bp,{wide},{high},inner sep=2pt"
        else:
            styles[kind] = f"draw,{wide},{high},inner sep=2pt"
    for side, (out, into) in _LOOPS.items():
        styles[f"reflexive {side}"] = f"->,loop,looseness=7,out={out},in={into}"
    for number, pen in enumerate(_pens(scene), 1):
        dashes = " ".join(f"{'off' if k % 2 else 'on'} {length:g}pt" for k, length in enumerate(pen.dashes))
        pattern = f",dash pattern={dashes}" if dashes else ""
        styles[f"agent {number}"] = f"{_colour('draw', pen.colour)},thick{pattern}"
    return styles


def _sizes(scene: Scene) -> dict[str, Point]:
    """Return for each kind of node its most frequent size."""
    halves = grouped((node.kind, node.half) for node in scene.nodes)
    return {kind: Counter(sizes).most_common(1)[0][0] for kind, sizes in halves.items()}


def _pens(scene: Scene) -> list[Pen]:
    pens = [edge.pen for edge in scene.edges if not edge.label] + [hull.pen for hull in scene.hulls]
    pens += [entry.pen for entry in scene.legend if entry.pen]
    return list(dict.fromkeys(pens))


def _colour(what: str, colour: str) -> str:
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return f"{what}={{rgb,255:red,{red};green,{green};blue,{blue}}}"


def _cm(length: float) -> str:
    shown = f"{length * _CM:.2f}"
    return "0.00" if shown == "-0.00" else shown


def _at(p: Point) -> str:
    return f"({_cm(p.x)},{_cm(p.y)})"


def _rectangle(box: Rect) -> str:
    left, bottom, right, top = box
    return f"{_at(Point(left, bottom))} rectangle {_at(Point(right, top))}"


def _scaled(scene: Scene) -> str:
    """Return the options of a picture with a special colour or size."""
    looks = []
    if scene.theme != "light":
        looks.append(_colour("color", THEMES[scene.theme].ink))
    if scene.scale != 1:
        looks.append(f"scale={scene.scale:.3f},every node/.append style={{scale={scene.scale:.3f}}}")
    return "".join(f",{look}" for look in looks)


def _ground(scene: Scene, theme: Theme) -> Iterator[str]:
    """Yield the ground if it is not white."""
    if theme.paper != PAPER:
        yield rf"\fill[{_colour('fill', theme.paper)}] {_rectangle(scene.box)};"


# --- the picture -----------------------------------------------------------------------------------


def _drawing(scene: Scene, theme: Theme) -> Iterator[str]:
    pens = {pen: f"agent {number}" for number, pen in enumerate(_pens(scene), 1)}
    for hull in scene.hulls:
        corners = " -- ".join(_at(p) for p in hull.outline)
        fill = _colour("fill", hull.pen.colour)
        yield rf"\draw[{pens[hull.pen]},{fill},fill opacity=0.08] {corners} -- cycle;"
    sizes = _sizes(scene)
    for node in scene.nodes:
        yield _node(node, sizes, theme)
        yield from _signs(node, theme)
    looped: dict[int, int] = {}
    for edge in scene.edges:
        yield _edge(edge, scene, pens, looped)
    for entry in scene.legend:
        if entry.pen:
            start, end = map(_at, entry.line)
            yield rf"\draw[{pens[entry.pen]}{',->' if entry.heads else ''}] {start} -- {end};"
        elif entry.fill:
            yield rf"\draw[thin,{_colour('fill', entry.fill)}] {_rectangle(entry.patch)};"
        at = _at(entry.line[1].moved(Point(2, 0)))
        yield rf"\node[right,inner sep=2pt] at {at} {{{_latex(entry.text)}}};"
    for note in scene.notes:
        at = _at(Point(note.at.x, note.at.y + 0.36 * note.size))
        yield rf"\node[note] at {at} {{{_latex(note.text)}}};"


def _node(node: Node, sizes: dict[str, Point], theme: Theme) -> str:
    name = "" if node.signs else r"\\".join(_latex(line.text) for line in node.labels)
    looks = [node.kind if name or node.signs else "point"]
    if node.ring:
        looks.append("designated")
    if (name or node.signs) and node.half != sizes[node.kind]:
        looks += [f"minimum width={_cm(2 * node.half.x)}cm", f"minimum height={_cm(2 * node.half.y)}cm"]
    if len(node.labels) > 1:
        looks.append("align=center")
    if node.fill != theme.paper:
        looks.append(_colour("fill", node.fill))
    if node.stroke != theme.ink:
        looks.append(_colour("draw", node.stroke) + "," + _colour("text", node.stroke))
    if node.accent:
        looks.append("shown")
    if node.lines:
        lines = r"\\".join(_latex(line.text) for line in node.lines)
        looks.append(f"label={{{node.side}:{{{lines}}}}}")
    return rf"\node[{','.join(looks)}] ({node.key}) at {_at(node.position)} {{{name}}};"


def _signs(node: Node, theme: Theme) -> Iterator[str]:
    """Yield the icons in a node."""
    for sign in node.placed_signs:
        for corners, fill in sign.shapes:
            rim = _colour("draw", theme.rim(node.stroke))
            look = f"very thin,{rim},{_colour('fill', theme.part(fill))}"
            yield rf"\filldraw[{look}] {' -- '.join(map(_at, corners))} -- cycle;"
        for label in sign.labels:
            at = _at(label.at.moved(Point(0, 0.36 * label.size)))
            yield rf"\node[note,{_colour('text', label.colour)}] at {at} {{{_latex(label.text)}}};"


def _edge(edge: Edge, scene: Scene, pens: dict[Pen, str], looped: dict[int, int]) -> str:
    source, target = scene.nodes[edge.source], scene.nodes[edge.target]
    looks = [] if edge.label else [pens[edge.pen]]
    arrow = {(False, False): "", (False, True): "->", (True, False): "<-", (True, True): "<->"}[edge.heads]
    where = ""
    if edge.source == edge.target:
        where = _direction(edge, source)
        looks.append(f"reflexive {where}")
        if source.half.x != source.half.y:  # the ends of a wide node are farther from its middle
            looks.append(_WIDE_LOOPS.get(where, "looseness=5"))
        if before := looped.get(edge.source, 0):  # the next loop at the same place is larger
            looks.append(f"looseness={7 + 3 * before}")
        looped[edge.source] = before + 1
    else:
        if arrow:
            looks.append(arrow)
        bend = _bend(edge, source, target)
        if bend:
            looks.append(f"bend {'left' if bend > 0 else 'right'}={abs(bend)}")
        whole = at_worlds(edge, scene.nodes).curve
        for sign, end in (("<", 0), (">", -1)):
            if (short := dist(whole[end], edge.curve[end])) > 1:  # it ends at an outline
                looks.append(f"shorten {sign}={_cm(short)}cm")
        if edge.label:
            where = _along(edge.label, source.position, target.position)
    if edge.accent:
        looks.append("shown")
    label = ""
    if edge.label:
        names = _latex(edge.label.text)
        label = f" node[{','.join(filter(None, ('agents', where)))}] {{{names}}}"
    options = f"[{','.join(looks)}]" if looks else ""
    return rf"\draw ({source.key}) edge{options}{label} ({target.key});"


def _direction(edge: Edge, node: Node) -> str:
    """Return the side of its node on which a loop is."""
    far = edge.curve[len(edge.curve) // 2]
    near, (x, y) = edge.curve[1], node.position
    angle = atan2(far.y + near.y - 2 * y, far.x + near.x - 2 * x)
    return {0: "right", 1: "above", 2: "left", 3: "below"}[round(angle / (pi / 2)) % 4]


def _bend(edge: Edge, source: Node, target: Node) -> int:
    """Return the angle at which the curve leaves the straight line, in degrees; 0 for a straight one."""
    dx, dy = target.position.x - source.position.x, target.position.y - source.position.y
    return round(degrees(atan2(4 * edge.bow, (dx * dx + dy * dy) ** 0.5)))


def _along(label: Label, start: Point, end: Point) -> str:
    """Return the position of a label on its line, unless in the middle."""
    angle = atan2(end.y - start.y, end.x - start.x)
    length = ((end.x - start.x) ** 2 + (end.y - start.y) ** 2) ** 0.5
    reach = (label.at.x - start.x) * cos(angle) + (label.box.centre.y - start.y) * sin(angle)
    place = reach / length
    return "" if abs(place - 0.5) < 0.04 else f"pos={place:.2f}"


# --- text ------------------------------------------------------------------------------------------


def _latex(text: Text) -> str:
    """Return the runs in LaTeX: names with an index and single letters in math mode, all else escaped."""
    out = []
    for run, following in pairwise((*text, Run(""))):
        if run.style == "index":
            continue
        if following.style == "index":
            # only the last word before the index is its stem
            head = re.sub(r"\w*\Z", "", run.text)
            out.append(f"{escaped(head)}${_math(run.text[len(head) :])}_{{{_math(following.text)}}}$")
        elif run.style == "italic":
            out.append(f"${_math(run.text)}$")
        elif run.style == "bold":
            out.append(rf"\textbf{{{escaped(run.text)}}}")
        else:
            out.append(escaped(run.text))
    return "".join(out)


def _math(name: str) -> str:
    """Return a name in math mode: letters and digits as an identifier, all else as text."""
    if name in SYMBOLS:
        return SYMBOLS[name]
    if re.fullmatch(r"[A-Za-z]|[0-9]*", name):
        return name
    return f"\\mathit{{{name}}}" if re.fullmatch("[A-Za-z0-9]+", name) else f"\\text{{{escaped(name)}}}"


def escaped(text: str) -> str:
    """Return a string escaped for LaTeX."""
    return text.translate(_WRITTEN)


_WRITTEN = str.maketrans({sign: f"${command}$" for sign, command in SYMBOLS.items()} | ESCAPES)
