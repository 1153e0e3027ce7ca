"""The game Avalon with knowledge-based strategies."""

from kripke_werewolf.base.usage import help_callers
from kripke_werewolf.games import MarkovChain, SimulationStopped, State, choose, simulate, solve
from kripke_werewolf.games.avalon.game import Avalon
from kripke_werewolf.games.avalon.knowledge import Knowledge, initial_model
from kripke_werewolf.games.avalon.outcomes import AvalonSimulation, AvalonSolution
from kripke_werewolf.games.avalon.rules import (
    Deal,
    Outcome,
    Rules,
    Situation,
    configurations,
    intended,
    merlin_found,
    published,
)
from kripke_werewolf.games.avalon.strategies import CautiousMerlin, Evil, Good

__all__ = [
    "Avalon",
    "AvalonSimulation",
    "AvalonSolution",
    "CautiousMerlin",
    "Deal",
    "Evil",
    "Good",
    "Knowledge",
    "MarkovChain",
    "Outcome",
    "Rules",
    "SimulationStopped",
    "Situation",
    "State",
    "choose",
    "configurations",
    "initial_model",
    "intended",
    "merlin_found",
    "published",
    "simulate",
    "solve",
]

help_callers(__name__)
