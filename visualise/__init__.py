"""Pictures of models, updates and games."""

from visualise.actions import action_picture, update_picture
from visualise.avalon import draw_quests, draw_win_rates
from visualise.game import heat_map, history, knowledge_map, timeline_plot
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
    "draw_quests",
    "draw_win_rates",
    "heat_map",
    "history",
    "html",
    "knowledge_map",
    "layout",
    "picture",
    "save",
    "svg",
    "tikz",
    "timeline_plot",
    "update_picture",
]
