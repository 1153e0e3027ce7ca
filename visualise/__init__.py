"""Pictures of models, updates and games."""

from visualise.output import dot, draw, save, svg, tikz
from visualise.picture import Options, layout, picture
from visualise.scene import Scene

__all__ = ["Options", "Scene", "dot", "draw", "layout", "picture", "save", "svg", "tikz"]
