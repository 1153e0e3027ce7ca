"""Drawing on axes and saving to files: the door of the package."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, Unpack

from kripke_werewolf.errors import FormatError, ModelError
from kripke_werewolf.language.formulas import FormulaLike
from kripke_werewolf.models import KripkeModel
from kripke_werewolf.semantics import ActionModel
from visualise.dot_output import to_dot
from visualise.files import write_aside
from visualise.html_output import html
from visualise.matplotlib_output import draw_scene, to_file, to_gif
from visualise.picture import Options, action_picture, picture
from visualise.scene import Scene
from visualise.sequence import Story, film, frames_of
from visualise.svg_output import to_svg
from visualise.tikz_output import to_tikz

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# of a story (a history, a puzzle, titled models) a still picture shows the last model
Drawable: TypeAlias = "KripkeModel | ActionModel | Scene | Story"


def scene_of(what: Drawable, options: Options) -> Scene:
    """Return a scene as it is, or that of a model, an action model, or the end of a story."""
    if isinstance(what, Scene):
        if options:
            raise ModelError(f"a finished picture has no options: {', '.join(options)}")
        return what
    if isinstance(what, ActionModel):
        return action_picture(what, **options)
    return picture(what if isinstance(what, KripkeModel) else frames_of(what)[-1].model, **options)


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
    """Return a picture as a TikZ snippet, or as a document that compiles; agents' names on the lines.

    With `edge_labels=False` it has colours and a legend instead.
    """
    return to_tikz(scene_of(what, _labelled(what, options)), document=document)


def dot(what: Drawable, **options: Unpack[Options]) -> str:
    """Return a picture as DOT."""
    return to_dot(scene_of(what, options))


def animate(story: Story, path: str | os.PathLike[str], **options: Unpack[Options]) -> Path:
    """Save a story as an animated GIF in which worlds keep their places; return the path."""
    target = Path(path)
    if target.suffix.lower() != ".gif":
        raise FormatError(f"an animation is a .gif, got {str(path)!r}; save() knows the other endings")
    return save(story, target, **options)


def save(
    what: Drawable,
    path: str | os.PathLike[str],
    *,
    formulas: Iterable[FormulaLike] = (),
    **options: Unpack[Options],
) -> Path:
    """Save a picture in the format that the ending of the path names; return the path.

    Endings: `.png`, `.pdf`, `.svg`, `.tex` (a document that compiles), `.dot` show one picture;
    `.gif` and `.html` show all of a story. `formulas` is for pages (see `html`).

    The file is written under another name and then renamed, so that a failure leaves no half of it.
    Raises `FormatError` for an unknown ending and for a path that cannot be written.
    """
    if isinstance(what, str | os.PathLike):
        raise FormatError(f"save takes what is drawn first: save(…, {os.fspath(what)!r})")
    target = Path(path)
    ending = target.suffix.lower()
    if ending == ".html":
        content = html(what, formulas=formulas, **options).encode()
    elif ending == ".gif":
        content = to_gif(film(what, **options))
    elif ending in _WRITERS:
        own = _labelled(what, options) if ending == ".tex" else options
        content = _WRITERS[ending](scene_of(what, own))
    else:
        known = ", ".join([*_WRITERS, ".gif", ".html"])
        raise FormatError(
            f"cannot tell the format of {str(path)!r} by its ending {ending!r}; allowed are {known}"
        )
    write_aside(target, content)
    return target


def _labelled(what: Drawable, options: Options) -> Options:
    return options if isinstance(what, Scene) else {"edge_labels": True, **options}


_WRITERS: dict[str, Callable[[Scene], bytes]] = {
    ".png": lambda scene: to_file(scene, "png"),
    ".pdf": lambda scene: to_file(scene, "pdf"),
    ".svg": lambda scene: to_svg(scene).encode(),
    ".tex": lambda scene: to_tikz(scene, document=True).encode(),
    ".dot": lambda scene: to_dot(scene).encode(),
}
