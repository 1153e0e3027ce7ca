"""The game Avalon, played by agents that decide by what they know."""

from kripke_werewolf.avalon.chain import Chain, Solution, solve
from kripke_werewolf.avalon.game import Avalon, Played, State, Turn
from kripke_werewolf.avalon.knowledge import Knowledge, deals, initial_model
from kripke_werewolf.avalon.outcomes import Outcomes, wilson
from kripke_werewolf.avalon.rules import Rules, configurations, intended, published
from kripke_werewolf.avalon.setting import Deal, Outcome, evil, is_merlin
from kripke_werewolf.avalon.simulation import Simulation, SimulationStopped, simulate
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
