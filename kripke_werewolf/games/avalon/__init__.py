"""The game Avalon with knowledge-based strategies."""

from kripke_werewolf.base.usage import help_callers as _help_callers
from kripke_werewolf.games import MarkovChain as MarkovChain
from kripke_werewolf.games import SimulationStopped as SimulationStopped
from kripke_werewolf.games import State as State
from kripke_werewolf.games import choose as choose
from kripke_werewolf.games import simulate as simulate
from kripke_werewolf.games import solve as solve
from kripke_werewolf.games import wilson as wilson
from kripke_werewolf.games.avalon.game import Avalon as Avalon
from kripke_werewolf.games.avalon.game import AvalonPlay as AvalonPlay
from kripke_werewolf.games.avalon.game import Deviation as Deviation
from kripke_werewolf.games.avalon.game import Turn as Turn
from kripke_werewolf.games.avalon.knowledge import Beliefs as Beliefs
from kripke_werewolf.games.avalon.knowledge import Knowledge as Knowledge
from kripke_werewolf.games.avalon.knowledge import deals as deals
from kripke_werewolf.games.avalon.knowledge import initial_model as initial_model
from kripke_werewolf.games.avalon.outcomes import AvalonOutcomes as AvalonOutcomes
from kripke_werewolf.games.avalon.outcomes import AvalonSimulation as AvalonSimulation
from kripke_werewolf.games.avalon.outcomes import AvalonSolution as AvalonSolution
from kripke_werewolf.games.avalon.rules import Deal as Deal
from kripke_werewolf.games.avalon.rules import Outcome as Outcome
from kripke_werewolf.games.avalon.rules import Rules as Rules
from kripke_werewolf.games.avalon.rules import configurations as configurations
from kripke_werewolf.games.avalon.rules import evil as evil
from kripke_werewolf.games.avalon.rules import intended as intended
from kripke_werewolf.games.avalon.rules import is_merlin as is_merlin
from kripke_werewolf.games.avalon.rules import merlin_found as merlin_found
from kripke_werewolf.games.avalon.rules import published as published
from kripke_werewolf.games.avalon.strategies import CautiousMerlin as CautiousMerlin
from kripke_werewolf.games.avalon.strategies import Evil as Evil
from kripke_werewolf.games.avalon.strategies import Good as Good
from kripke_werewolf.games.avalon.strategies import Situation as Situation

_help_callers(__name__)
