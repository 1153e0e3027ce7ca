"""Pictures of models, updates and games."""

from kripke_werewolf.usage import help_callers
from visualise.avalon import draw_quests, draw_win_rates
from visualise.game import heat_map, history, knowledge_map, timeline_plot
from visualise.html_output import html
from visualise.output import animate, beamer, dot, draw, save, svg, tikz
from visualise.parsing import read
from visualise.picture import Options, action_picture, difference, layout, picture
from visualise.scene import Scene
from visualise.sequence import Film, Frame, film, update_picture

__all__ = [
    "Film",
    "Frame",
    "Options",
    "Scene",
    "action_picture",
    "animate",
    "beamer",
    "difference",
    "dot",
    "draw",
    "draw_quests",
    "draw_win_rates",
    "film",
    "heat_map",
    "history",
    "html",
    "knowledge_map",
    "layout",
    "picture",
    "read",
    "save",
    "svg",
    "tikz",
    "timeline_plot",
    "update_picture",
]

help_callers(__name__)
