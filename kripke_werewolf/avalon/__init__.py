"""The game Avalon, played by agents that decide by what they know."""

from kripke_werewolf.avalon.game import Avalon, Played, State, Turn
from kripke_werewolf.avalon.knowledge import Knowledge, deals, initial_model
from kripke_werewolf.avalon.outcomes import Outcomes, Solution, solve, wilson
from kripke_werewolf.avalon.rules import (
    Deal,
    Outcome,
    Rules,
    configurations,
    evil,
    intended,
    is_merlin,
    published,
)
from kripke_werewolf.avalon.simulation import Chain, Simulation, SimulationStopped, simulate
from kripke_werewolf.avalon.strategies import CautiousMerlin, Evil, Good, Situation

__all__ = [
    "Avalon",
    "CautiousMerlin",
    "Chain",
    "Deal",
    "Evil",
    "Good",
    "Knowledge",
    "Outcome",
    "Outcomes",
    "Played",
    "Rules",
    "Simulation",
    "SimulationStopped",
    "Situation",
    "Solution",
    "State",
    "Turn",
    "configurations",
    "deals",
    "evil",
    "initial_model",
    "intended",
    "is_merlin",
    "published",
    "simulate",
    "solve",
    "wilson",
]
