"""Pictures of models, updates, games and stories: one `Scene`, one writer for each output.

In come models, action models, histories, tables of games and proofs; out go SVG, PNG, PDF, TikZ, DOT, HTML
and animations that show all of a model, or say what they leave out, and keep a sealed record of it
(`read`).

`picture` and `sequence` decide what is shown, `layout` and `routing` where, `themes` how; `scene` is the
result: all places, colours and words. The modules `…_output` write it, `output` chooses one by the ending
of a file's name.

Begin with `scene`, then with a short writer: `dot_output`.
"""

from kripke_werewolf.base.drawing import Options as Options
from kripke_werewolf.base.drawing import register as _register
from kripke_werewolf.base.usage import help_callers as _help_callers
from visualise.game import figure_svg as _figure_svg
from visualise.game import heat_map as heat_map
from visualise.game import history as history
from visualise.game import knowledge_map as knowledge_map
from visualise.game import parts_of_games as _parts_of_games
from visualise.game import timeline_plot as timeline_plot
from visualise.html_output import html as html
from visualise.output import animate as animate
from visualise.output import dot as dot
from visualise.output import draw as draw
from visualise.output import save as save
from visualise.output import scene_of as _scene_of
from visualise.output import svg as svg
from visualise.output import tikz as tikz
from visualise.picture import action_picture as action_picture
from visualise.picture import difference as difference
from visualise.picture import layout as layout
from visualise.picture import picture as picture
from visualise.public_cells import cells_picture as _cells_picture
from visualise.record import read as read
from visualise.scene import Scene as Scene
from visualise.sequence import Film as Film
from visualise.sequence import Frame as Frame
from visualise.sequence import film as film
from visualise.sequence import update_picture as update_picture

_REGISTERED = (
    *(_cells_picture, difference, _figure_svg, film, heat_map, history, _parts_of_games, read, save),
    *(_scene_of, svg, update_picture),
)
_register({function.__name__: function for function in _REGISTERED})
_help_callers(__name__)
