"""Games in which players know things: Quantum Werewolf, One Night, Avalon, and any game as a program.

In come rules, seats and moves; out go games that never change, what each player knows, tables of exact
probabilities, handouts, verdicts, logs. A game is a Kripke model by what its players were told; nothing is
said twice.

`werewolf` has roles, rules, events and questions of the showcase; `one_night` and `avalon` are games of
their own; `programs` declares other games, and solves, simulates and measures them (its names are here:
`kw.games.solve`); `audit` checks that what players see follows from what they were told.

Begin with `werewolf.game`, or with `programs.program` for a game of your own.
"""

from typing import TYPE_CHECKING

from kripke_werewolf.base.usage import help_callers

if TYPE_CHECKING:
    from kripke_werewolf.games.programs.chain import MarkovChain, SimulationStopped, Solution, simulate, solve
    from kripke_werewolf.games.programs.chance import Mixed, choose, wilson
    from kripke_werewolf.games.programs.knowledge import Knowledge
    from kripke_werewolf.games.programs.match import Match, State
    from kripke_werewolf.games.programs.outcomes import Outcomes, Simulation
    from kripke_werewolf.games.programs.program import Anything, Cases, End, Game, Happening, Program

_PACKAGES = {name: name for name in ("avalon", "one_night", "programs", "werewolf")}
_LATER = {
    "programs.chain": ("MarkovChain", "SimulationStopped", "Solution", "simulate", "solve"),
    "programs.chance": ("Mixed", "choose", "wilson"),
    "programs.knowledge": ("Knowledge",),
    "programs.match": ("Match", "State"),
    "programs.outcomes": ("Outcomes", "Simulation"),
    "programs.program": ("Anything", "Cases", "End", "Game", "Happening", "Program"),
}
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
    "Simulation",
    "SimulationStopped",
    "Solution",
    "State",
    "choose",
    "simulate",
    "solve",
    "wilson",
]

help_callers(__name__)
