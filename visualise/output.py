"""Drawing on axes and saving to files: the door of the package."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from kripke_werewolf.errors import FormatError
from kripke_werewolf.models import KripkeModel
from visualise.matplotlib_output import draw_scene, figure_of
from visualise.picture import Options, picture
from visualise.scene import Scene

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw", "save"]


def draw(what: KripkeModel | Scene, *, ax: Axes | None = None, **options: Unpack[Options]) -> Axes:
    """Draw a model (or a finished scene) with matplotlib; return the axes.

    Without `ax` a new pyplot figure of the size of the picture is made. Nothing is shown.
    """
    return draw_scene(scene_of(what, options), ax)


def scene_of(what: KripkeModel | Scene, options: Options) -> Scene:
    """Return a scene as it is, or that of a model."""
    return what if isinstance(what, Scene) else picture(what, **options)


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
    content = _WRITERS[ending](scene_of(what, options))
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


_WRITERS: dict[str, Callable[[Scene], bytes]] = {
    ".png": _matplotlib("png"),
    ".pdf": _matplotlib("pdf"),
}
