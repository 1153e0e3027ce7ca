"""Games with knowledge-based strategies: played, solved, simulated and measured."""

from kripke_werewolf.base.usage import help_callers
from kripke_werewolf.games.programs.chance import Mixed, choose, wilson
from kripke_werewolf.games.programs.identity import identity
from kripke_werewolf.games.programs.knowledge import Knowledge
from kripke_werewolf.games.programs.match import Match, State
from kripke_werewolf.games.programs.outcomes import Outcomes, Simulation
from kripke_werewolf.games.programs.program import Anything, Cases, End, Game, Happening, Program
from kripke_werewolf.games.programs.response import Response, best_response
from kripke_werewolf.games.programs.simulation import MarkovChain, SimulationStopped, simulate
from kripke_werewolf.games.programs.solving import Records, Solution, records, solve
from kripke_werewolf.games.programs.symmetry import exchange, rotation

__all__ = [
    "Anything",
    "Cases",
    "End",
    "Game",
    "Happening",
    "Knowledge",
    "MarkovChain",
    "Match",
    "Mixed",
    "Outcomes",
    "Program",
    "Records",
    "Response",
    "Simulation",
    "SimulationStopped",
    "Solution",
    "State",
    "best_response",
    "choose",
    "exchange",
    "identity",
    "records",
    "rotation",
    "simulate",
    "solve",
    "wilson",
]

help_callers(__name__)
