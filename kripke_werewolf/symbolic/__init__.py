"""The symbolic engine: knowledge and belief structures on binary decision diagrams."""

from kripke_werewolf.symbolic.bdd import Oxidd
from kripke_werewolf.symbolic.structure import BeliefStructure, KnowledgeStructure, States, SymbolicStructure
from kripke_werewolf.usage import help_callers

__all__ = ["BeliefStructure", "KnowledgeStructure", "Oxidd", "States", "SymbolicStructure"]

help_callers(__name__)
