"""Games in which players know things: Quantum Werewolf, One Night, Avalon, and any game as a program.

In come rules, seats and moves; out go games that never change, what each player knows, tables of exact
probabilities, handouts, verdicts, logs. A game is a Kripke model by what its players were told; nothing is
said twice.

`werewolf` has roles, rules, events and questions of the showcase; `one_night` and `avalon` are games of
their own; `programs` declares other games, and solves, simulates and measures them (its names are here:
`kw.games.solve`); `audit` checks that what players see follows from what they were told.

Begin with `werewolf.game`, or with `programs.program` for a game of your own.
"""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from kripke_werewolf.base.usage import help_callers as _help_callers

if _TYPE_CHECKING:
    from kripke_werewolf.games.programs.chance import Mixed as Mixed
    from kripke_werewolf.games.programs.chance import choose as choose
    from kripke_werewolf.games.programs.chance import wilson as wilson
    from kripke_werewolf.games.programs.identity import identity as identity
    from kripke_werewolf.games.programs.knowledge import Knowledge as Knowledge
    from kripke_werewolf.games.programs.match import Match as Match
    from kripke_werewolf.games.programs.match import State as State
    from kripke_werewolf.games.programs.outcomes import Outcomes as Outcomes
    from kripke_werewolf.games.programs.outcomes import Simulation as Simulation
    from kripke_werewolf.games.programs.program import Anything as Anything
    from kripke_werewolf.games.programs.program import Cases as Cases
    from kripke_werewolf.games.programs.program import End as End
    from kripke_werewolf.games.programs.program import Game as Game
    from kripke_werewolf.games.programs.program import Happening as Happening
    from kripke_werewolf.games.programs.program import Program as Program
    from kripke_werewolf.games.programs.response import Response as Response
    from kripke_werewolf.games.programs.response import best_response as best_response
    from kripke_werewolf.games.programs.simulation import MarkovChain as MarkovChain
    from kripke_werewolf.games.programs.simulation import SimulationStopped as SimulationStopped
    from kripke_werewolf.games.programs.simulation import simulate as simulate
    from kripke_werewolf.games.programs.solving import Records as Records
    from kripke_werewolf.games.programs.solving import Solution as Solution
    from kripke_werewolf.games.programs.solving import records as records
    from kripke_werewolf.games.programs.solving import solve as solve
    from kripke_werewolf.games.programs.symmetry import exchange as exchange
    from kripke_werewolf.games.programs.symmetry import rotation as rotation

_help_callers(__name__)
