"""A story as an animated GIF: each model, and between two what the update removes in grey."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from visualise.files import quiet_about_fonts
from visualise.geometry import Box
from visualise.matplotlib_output import figure_of
from visualise.scene import Scene
from visualise.sequence import Film

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["to_gif"]

_MODEL_TIME, _LOST_TIME, _LAST_TIME = 1800, 1400, 3200  # milliseconds
_LARGEST = 1000  # pixels


def to_gif(film: Film) -> bytes:
    """Return the story as an animated GIF that repeats."""
    scenes: list[tuple[Scene, int]] = []
    for k, scene in enumerate(film.scenes):
        scenes.append((scene, _MODEL_TIME if k + 1 < len(film.scenes) else _LAST_TIME))
        if k < len(film.between) and (lost := film.between[k]):
            scenes.append((lost, _LOST_TIME))
    images = [_image(scene, film.box) for scene, _ in scenes]
    out = BytesIO()
    images[0].save(
        out, "GIF", save_all=True, append_images=images[1:], duration=[time for _, time in scenes], loop=0
    )
    return out.getvalue()


def _image(scene: Scene, box: Box) -> Image:
    from PIL import Image

    out = BytesIO()
    figure = figure_of(scene, box=box)
    dpi = min(144.0, _LARGEST / max(figure.get_size_inches()))
    with quiet_about_fonts():
        figure.savefig(out, format="png", dpi=dpi)
    return Image.open(out).convert("RGB").quantize(128)
