"""The game Avalon with knowledge-based strategies."""

from kripke_werewolf.base.usage import help_callers
from kripke_werewolf.games import MarkovChain, SimulationStopped, State, choose, simulate, solve
from kripke_werewolf.games.avalon.game import Avalon, AvalonPlay, Turn
from kripke_werewolf.games.avalon.knowledge import Beliefs, Knowledge, initial_model
from kripke_werewolf.games.avalon.outcomes import AvalonOutcomes, AvalonSimulation, AvalonSolution
from kripke_werewolf.games.avalon.rules import (
    Deal,
    Outcome,
    Rules,
    Situation,
    configurations,
    deals,
    evil,
    intended,
    is_merlin,
    merlin_found,
    published,
)
from kripke_werewolf.games.avalon.strategies import CautiousMerlin, Evil, Good

__all__ = [
    "Avalon",
    "AvalonOutcomes",
    "AvalonPlay",
    "AvalonSimulation",
    "AvalonSolution",
    "Beliefs",
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
    "Turn",
    "choose",
    "configurations",
    "deals",
    "evil",
    "initial_model",
    "intended",
    "is_merlin",
    "merlin_found",
    "published",
    "simulate",
    "solve",
]

help_callers(__name__)
