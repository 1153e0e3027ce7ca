"""Pictures of models, updates, games and stories: one `Scene`, one writer for each output.

In come models, action models, histories, tables of games and proofs; out go SVG, PNG, PDF, TikZ, DOT, HTML
and animations that show all of a model, or say what they leave out, and keep a sealed record of it
(`read`).

`picture` and `sequence` decide what is shown, `layout` and `routing` where, `themes` how; `scene` is the
result: all places, colours and words. The modules `…_output` write it, `output` chooses one by the ending
of a file's name.

Begin with `scene`, then with a short writer: `dot_output`.
"""

from kripke_werewolf.base.drawing import Options, register
from kripke_werewolf.base.usage import help_callers
from visualise.game import figure_svg, heat_map, history
from visualise.html_output import html
from visualise.output import dot, draw, save, scene_of, svg, tikz
from visualise.picture import action_picture, difference, layout, picture
from visualise.record import read
from visualise.scene import Scene
from visualise.sequence import Film, Frame, film, update_picture

__all__ = [
    "Film",
    "Frame",
    "Options",
    "Scene",
    "action_picture",
    "difference",
    "dot",
    "draw",
    "film",
    "heat_map",
    "history",
    "html",
    "layout",
    "picture",
    "read",
    "save",
    "svg",
    "tikz",
    "update_picture",
]

_REGISTERED = (difference, figure_svg, film, heat_map, history, read, save, scene_of, svg, update_picture)
register({function.__name__: function for function in _REGISTERED})
help_callers(__name__)
