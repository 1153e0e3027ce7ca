"""The symbolic engine: knowledge and belief structures on binary decision diagrams."""

from kripke_werewolf.symbolic.bdd import Oxidd
from kripke_werewolf.symbolic.structure import BeliefStructure, KnowledgeStructure, States, SymbolicStructure

__all__ = ["BeliefStructure", "KnowledgeStructure", "Oxidd", "States", "SymbolicStructure"]
