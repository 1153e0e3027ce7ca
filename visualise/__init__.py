"""Pictures of models, updates and games."""

from visualise.actions import action_picture, update_picture
from visualise.options import Options
from visualise.output import animate, dot, draw, html, save, svg, tikz
from visualise.picture import difference, layout, picture
from visualise.scene import Scene
from visualise.sequence import Frame

__all__ = [
    "Frame",
    "Options",
    "Scene",
    "action_picture",
    "animate",
    "difference",
    "dot",
    "draw",
    "html",
    "layout",
    "picture",
    "save",
    "svg",
    "tikz",
    "update_picture",
]
