"""Drawing on axes and saving to files: the door of the package."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from kripke_werewolf.errors import FormatError
from kripke_werewolf.models import KripkeModel
from visualise.dot_output import to_dot
from visualise.matplotlib_output import draw_scene, figure_of
from visualise.picture import Options, picture
from visualise.scene import Scene
from visualise.svg_output import to_svg
from visualise.tikz_output import to_tikz

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["dot", "draw", "save", "scene_of", "svg", "tikz", "write_aside"]


def draw(what: KripkeModel | Scene, *, ax: Axes | None = None, **options: Unpack[Options]) -> Axes:
    """Draw a model (or a finished scene) with matplotlib; return the axes.

    Without `ax` a new pyplot figure of the size of the picture is made. Nothing is shown.
    """
    return draw_scene(scene_of(what, options), ax)


def scene_of(what: KripkeModel | Scene, options: Options) -> Scene:
    """Return a scene as it is, or that of a model."""
    return what if isinstance(what, Scene) else picture(what, **options)


def svg(what: KripkeModel | Scene, **options: Unpack[Options]) -> str:
    """Return a picture as SVG."""
    return to_svg(scene_of(what, options))


def tikz(what: KripkeModel | Scene, *, document: bool = False, **options: Unpack[Options]) -> str:
    """Return a picture as a TikZ snippet, or as a document that compiles; agents' names on the lines.

    With `edge_labels=False` it has colours and a legend instead.
    """
    return to_tikz(scene_of(what, _labelled(options)), document=document)


def dot(what: KripkeModel | Scene, **options: Unpack[Options]) -> str:
    """Return a picture as DOT."""
    return to_dot(scene_of(what, options))


def _labelled(options: Options) -> Options:
    return {"edge_labels": True, **options}


def save(what: KripkeModel | Scene, path: str | os.PathLike[str], **options: Unpack[Options]) -> Path:
    """Save a picture in the format that the ending of the path names; return the path.

    The file is written aside and then renamed, so that a failure leaves no half of it. Raises
    `FormatError` for an ending nobody knows and for a path that cannot be written.
    """
    target = Path(path)
    ending = target.suffix.lower()
    if ending not in _WRITERS:
        known = ", ".join(_WRITERS)
        raise FormatError(
            f"cannot tell the format of {str(path)!r} by its ending {ending!r}; allowed are {known}"
        )
    content = _WRITERS[ending](scene_of(what, _labelled(options) if ending == ".tex" else options))
    write_aside(target, content)
    return target


def write_aside(path: Path, content: bytes) -> None:
    """Write a file under another name in its folder and rename it; raises `FormatError`."""
    aside = None
    try:
        handle, aside = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(aside, 0o666 & ~_umask())
        os.replace(aside, path)
    except OSError as error:
        if aside is not None and os.path.exists(aside):
            os.unlink(aside)
        raise FormatError(f"cannot write {str(path)!r}: {error.strerror or error}") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _matplotlib(kind: str) -> Callable[[Scene], bytes]:
    def write(scene: Scene) -> bytes:
        from io import BytesIO

        out = BytesIO()
        # no date inside: the same picture gives the same file
        metadata = {"CreationDate": None} if kind == "pdf" else {"Software": None}
        figure_of(scene).savefig(out, format=kind, dpi=200, metadata=metadata)
        return out.getvalue()

    return write


def _text(write: Callable[[Scene], str]) -> Callable[[Scene], bytes]:
    return lambda scene: write(scene).encode()


_WRITERS: dict[str, Callable[[Scene], bytes]] = {
    ".png": _matplotlib("png"),
    ".pdf": _matplotlib("pdf"),
    ".svg": _text(to_svg),
    ".tex": _text(partial(to_tikz, document=True)),
    ".dot": _text(to_dot),
}
