"""Pictures of models, updates and games."""

from visualise.output import draw, save
from visualise.picture import Options, layout, picture
from visualise.scene import Scene

__all__ = ["Options", "Scene", "draw", "layout", "picture", "save"]
