"""Draw, or save to a file: the ending of its name chooses one of the writers, `…_output`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, Unpack

from kripke_werewolf.base.drawing import Options
from kripke_werewolf.base.errors import FormatError, ModelError
from kripke_werewolf.base.files import known_ending, write_aside
from kripke_werewolf.logic.formulas.syntax import FormulaLike
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.semantics import ActionModel, Explanation
from visualise.dot_output import to_dot
from visualise.html_output import html
from visualise.matplotlib_output import draw_scene, to_gif, to_pdf, to_png
from visualise.picture import action_picture, check_bounds, picture
from visualise.scene import Scene
from visualise.sequence import Story, film, still_of
from visualise.svg_output import to_svg
from visualise.tikz_output import to_tikz

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# of a history or of titled models a still picture shows the last model, of a puzzle the first
Drawable: TypeAlias = "KripkeModel | ActionModel | Explanation | Scene | Story"


def scene_of(what: Drawable, options: Options) -> Scene:
    """Return a scene unchanged, or that of a model, an action model, an explanation or a model of a story."""
    if isinstance(what, Scene):
        if options:
            raise ModelError(f"a finished picture has no options: {', '.join(options)}")
        return what
    if isinstance(what, ActionModel):
        return action_picture(what, **options)
    if isinstance(what, Explanation) and what.model is not None:
        return scene_of(what.model, {"explain": what, **options})
    if isinstance(what, KripkeModel):
        return picture(what, **options)
    return still_of(what).sketch(options).scene()


def draw(what: Drawable, *, ax: Axes | None = None, **options: Unpack[Options]) -> Axes:
    """Draw a model, an action model or a finished scene with matplotlib; return the axes.

    Without `ax` a new pyplot figure of the size of the picture is made. Nothing is shown, and no
    global setting is changed.
    """
    return draw_scene(scene_of(what, options), ax)


def svg(what: Drawable, **options: Unpack[Options]) -> str:
    """Return a picture as SVG."""
    return to_svg(scene_of(what, options))


def tikz(what: Drawable, *, document: bool = False, **options: Unpack[Options]) -> str:
    """Return a picture as a TikZ snippet, or as a document that compiles, with agents' names on the lines.

    With `edge_labels=False` it has colours and a legend instead.
    """
    if not isinstance(what, Scene):
        options = {"edge_labels": True, **options}
    return to_tikz(scene_of(what, options), document=document)


def dot(what: Drawable, **options: Unpack[Options]) -> str:
    """Return a picture as DOT, without icons."""
    if not isinstance(what, Scene):
        options = {**options, "icons": ()}
    return to_dot(scene_of(what, options))


def save(
    what: Drawable,
    path: str | os.PathLike[str],
    *,
    formulas: Iterable[FormulaLike] = (),
    document: bool = False,
    dpi: float | None = None,
    **options: Unpack[Options],
) -> Path:
    """Save a picture in the format given by the suffix of the path; return the path.

    Suffixes: `.png`, `.pdf`, `.svg`, `.tex`, `.dot` show one picture, the last of a history, the first of a
    puzzle; `.gif` and `.html` show all of a story. `formulas` is for pages (see `html`). A `.tex` file is
    included with `\\input`; with `document` it compiles as it is. `dpi`: the dots per inch of a `.png` or
    `.gif`.

    The file is written under another name and then renamed, so that a failure leaves no partial file. Raises
    `FormatError` for an unknown suffix and for a path that cannot be written.
    """
    target = Path(path)
    ending = known_ending(target, _ENDINGS)
    if document and ending != ".tex":
        raise FormatError(f"document is for .tex, and not for {ending}")
    if dpi is not None:
        if ending not in (".png", ".gif"):
            raise FormatError(f"dpi is for .png and .gif, and not for {ending}")
        check_bounds("dpi", dpi, 10, 2400, "dots to an inch")
    match ending:
        case ".png":
            content = to_png(scene_of(what, options), dpi or 200)
        case ".pdf":
            content = to_pdf(scene_of(what, options))
        case ".gif":
            content = to_gif(film(what, headings=True, **options), dpi)
        case ".html":
            content = html(what, formulas=formulas, **options).encode()
        case ".tex":
            content = tikz(what, document=document, **options).encode()
        case ".dot":
            content = dot(what, **options).encode()
        case _:
            content = svg(what, **options).encode()
    write_aside(target, content)
    return target


_ENDINGS = (".png", ".pdf", ".svg", ".dot", ".tex", ".gif", ".html")
