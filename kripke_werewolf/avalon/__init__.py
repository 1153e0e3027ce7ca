"""The game Avalon with knowledge-based strategies."""

from kripke_werewolf.avalon.game import Avalon, Deviation, Played, State, Turn
from kripke_werewolf.avalon.knowledge import Beliefs, Knowledge, deals, initial_model
from kripke_werewolf.avalon.outcomes import Outcomes, Simulation, Solution
from kripke_werewolf.avalon.rules import (
    Deal,
    Outcome,
    Rules,
    configurations,
    evil,
    intended,
    is_merlin,
    merlin_found,
    published,
)
from kripke_werewolf.avalon.strategies import CautiousMerlin, Evil, Good, Situation
from kripke_werewolf.games import Chain, SimulationStopped, choose, simulate, solve, wilson

__all__ = [
    "Avalon",
    "Beliefs",
    "CautiousMerlin",
    "Chain",
    "Deal",
    "Deviation",
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
    "wilson",
]
