"""A short document as a list of blocks, written as plain text, Markdown or HTML.

Blocks contain plain strings, where paragraphs and items may have code between backticks: the writers escape
them. Notebooks show values as fragments of such documents.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TypeAlias

from kripke_werewolf.base.reports.tables import Grid, cell_width, markdown_text

_STYLE = """
body { font-family: system-ui, sans-serif; line-height: 1.45; max-width: 52rem; margin: 2rem auto;
  padding: 0 1rem; color: #1a1a1a; background: #fff; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { border-bottom: 1px solid #ccc; padding: 0.2rem 0.7rem; font-variant-numeric: tabular-nums; }
th[scope=row] { text-align: left; }
caption { caption-side: bottom; text-align: left; font-size: 0.9rem; color: #555; }
figure { margin: 1rem 0; }
figcaption { font-size: 0.9rem; color: #555; }
@media (max-width: 40rem) { table { display: block; overflow-x: auto; } th, td { padding: 0.2rem 0.4rem; } }
"""
_DARK = """
@media screen and (prefers-color-scheme: dark) {
  body { color: #ececec; background: #16191d; }
  th, td { border-color: #3b4047; }
  caption { color: #b4b7bb; }
  figure { color: #1a1a1a; background: #fff; }
}
"""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 is the title."""

    text: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Some sentences."""

    text: str


@dataclass(frozen=True, slots=True)
class Items:
    """A list with bullets."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture as SVG, with a description."""

    name: str
    svg: str
    caption: str


@dataclass(frozen=True, slots=True)
class Outline:
    """Lines with significant indentation."""

    text: str


@dataclass(frozen=True, slots=True)
class Slides:
    """A sequence of pictures: a strip, and a slider that shows one at a time."""

    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Beside:
    """Blocks side by side if there is room."""

    blocks: tuple[Block, ...]


Block: TypeAlias = "Heading | Paragraph | Items | Grid | Figure | Outline | Slides | Beside"


@dataclass(frozen=True, slots=True)
class Document:
    """A title and blocks."""

    title: str
    blocks: tuple[Block, ...]
    language: str = "en"
    """The name of its language, for HTML."""

    def figures(self) -> Iterable[Figure]:
        """Return the pictures."""
        return (block for block in self.blocks if isinstance(block, Figure))

    def to_text(self) -> str:
        """Return plain text."""
        return self._written(_text)

    def to_markdown(self, links: Mapping[str, str] | None = None) -> str:
        """Return Markdown; `links` maps the name of each figure to its file."""
        return self._written(lambda block: _markdown(block, links or {})) + "\n"

    def to_html(self) -> str:
        """Return the blocks as a fragment of HTML."""
        return fragment((Heading(self.title, 1), *self.blocks))

    def to_page(self) -> str:
        """Return a whole HTML page that needs no other file."""
        return whole_page(self.title, self.to_html(), _DARK, language=self.language)

    def _written(self, write: Callable[[Block], str]) -> str:
        """Return the title and all blocks, each written by `write`."""
        return "\n\n".join(filter(None, map(write, (Heading(self.title, 1), *self.blocks))))


def whole_page(title: str, body: str, style: str = "", *, language: str = "en") -> str:
    """Return a whole HTML page from its body; `style` is added to the common style."""
    return (
        f'<!DOCTYPE html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}{style}</style>\n</head>\n<body>\n"
        f"{body}\n</body>\n</html>\n"
    )


def filled_page(page: str, parts: Mapping[str, str]) -> str:
    """Return a page with its parts, each at the places with its name.

    >>> filled_page("<h1>@@title@@</h1>", {"title": "A @@title@@"})
    '<h1>A @@title@@</h1>'
    """
    pieces = page.split("@@")
    pieces[1::2] = [parts[name] for name in pieces[1::2]]
    return "".join(pieces)


def inert(data: object) -> str:
    """Return JSON for a script element, where only tags and comments would be read as markup.

    >>> inert({"a": "</script>"})
    '{"a":"\\\\u003c/script>"}'
    """
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def fragment(blocks: Iterable[Block]) -> str:
    """Return blocks as a fragment of HTML."""
    return "\n".join(map(_html, blocks))


def _text(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"{text}\n{('=' if level == 1 else '-') * cell_width(text)}"
        case Paragraph(text) | Outline(text):
            return text
        case Items(texts):
            return "\n".join(f"* {text}" for text in texts)
        case Grid():
            return block.to_text()
        case Figure(_, _, caption):
            return f"[{caption}]"
        case Slides(parts) | Beside(parts):
            return "\n\n".join(map(_text, parts))


def _markdown(block: Block, links: Mapping[str, str]) -> str:
    match block:
        case Heading(text, level):
            return f"{'#' * level} {markdown_text(text)}"
        case Paragraph(text):
            return _markdown_words(text)
        case Items(texts):
            return "\n".join(f"* {_markdown_words(text)}" for text in texts)
        case Grid():
            return block.to_markdown()
        case Figure(name, _, caption):
            return f"![{markdown_text(caption)}]({links[name]})" if name in links else ""
        case Outline(text):
            return "\n".join(f"    {line}" for line in text.splitlines())
        case Slides(parts) | Beside(parts):
            return "\n\n".join(filter(None, (_markdown(part, links) for part in parts)))


def _html(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"<h{level}>{escape(text)}</h{level}>"
        case Paragraph(text):
            return f"<p>{_html_words(text)}</p>"
        case Items(texts):
            return "<ul>\n" + "".join(f"<li>{_html_words(text)}</li>\n" for text in texts) + "</ul>"
        case Grid():
            return block.to_html()
        case Figure(_, svg, caption):
            said = f"<figcaption>{escape(caption)}</figcaption>\n" if caption else ""
            return f"<figure>\n{_fluid(svg, caption)}\n{said}</figure>"
        case Outline(text):
            return f'<pre style="white-space: pre-wrap">{escape(text)}</pre>'
        case Slides(figures):
            return _strip(figures)
        case Beside(parts):
            style = "display: flex; flex-wrap: wrap; gap: 0 1.5rem; align-items: center"
            return f'<div style="{style}">\n{fragment(parts)}\n</div>'


def _html_words(text: str) -> str:
    """Return a string as HTML, its parts between backticks as code.

    >>> _html_words("Is `p & q` true & known?")
    'Is <code>p &amp; q</code> true &amp; known?'
    """
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


def _markdown_words(text: str) -> str:
    """Return a string as Markdown, its parts between backticks as code."""
    return re.sub("(`[^`]+`)|[^`]+|`", lambda part: part[1] or markdown_text(part[0]), text)


_SHOW_ONE = (
    "const one = Number(this.value), strip = this.closest('div').lastElementChild; "
    "[...strip.children].forEach((figure, k) => { figure.hidden = one > 0 && k !== one - 1; }); "
    "this.nextElementSibling.textContent = one > 0 ? `${one} of ${this.max}` : 'all steps';"
)


def _strip(figures: Sequence[Figure]) -> str:
    """Return figures in rows, each at its own size, with a slider that shows one; all without scripts.

    A figure whose letters would be tiny at the width of the page scrolls instead: at 0.85 of its
    size letters of 9.5 points are at least 8 pixels high.
    """
    shown = "\n".join(
        f'<figure style="flex: none; min-width: min(100%, 19rem); max-width: 100%; overflow-x: auto; '
        f'margin: 0.3rem">\n'
        f'<figcaption style="width: 0; min-width: 100%">{k}. {escape(figure.caption)}</figcaption>\n'
        f"{_fluid(figure.svg, figure.caption, 0.85)}\n</figure>"
        for k, figure in enumerate(figures, 1)
    )
    slider = ""
    if len(figures) > 1:
        slider = (
            f'<label><input type="range" min="0" max="{len(figures)}" value="0" aria-label="Step" '
            f'oninput="{escape(_SHOW_ONE)}"/> <output>all steps</output></label>\n'
        )
    return f'<div>\n{slider}<div style="display: flex; flex-wrap: wrap">\n{shown}\n</div>\n</div>'


def _fluid(svg: str, caption: str, least: float = 0.0) -> str:
    """Return a picture that shrinks with the available width, at most to `least` of its size.

    Its caption describes it.
    """
    said = "" if 'role="img"' in svg or not caption else f' role="img" aria-label="{escape(caption)}"'
    wide = ""
    if least and (size := re.search(r'<svg [^>]*?width="([\d.]+)"', svg)):
        wide = f"; min-width: {least * float(size[1]):.0f}px"
    return svg.replace("<svg ", f'<svg style="max-width: 100%; height: auto{wide}"{said} ', 1)
