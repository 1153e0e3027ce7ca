"""Games with knowledge-based strategies: played, solved, simulated and measured."""

from kripke_werewolf.games.chance import Mixed, choose, wilson
from kripke_werewolf.games.identity import identity
from kripke_werewolf.games.knowledge import Knowledge
from kripke_werewolf.games.match import Match, State
from kripke_werewolf.games.outcomes import Outcomes, Simulation
from kripke_werewolf.games.program import Anything, Cases, End, Game, Happening, Program
from kripke_werewolf.games.response import Response, best_response
from kripke_werewolf.games.simulation import MarkovChain, SimulationStopped, simulate
from kripke_werewolf.games.solving import Records, Solution, records, solve
from kripke_werewolf.games.symmetry import exchange, rotation
from kripke_werewolf.usage import help_callers

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
