"""The symbolic engine: knowledge and belief structures on binary decision diagrams."""

from kripke_werewolf.symbolic.bdd import BDDs, Oxidd
from kripke_werewolf.symbolic.structure import BeliefStructure, KnowledgeStructure, States, SymbolicStructure

__all__ = ["BDDs", "BeliefStructure", "KnowledgeStructure", "Oxidd", "States", "SymbolicStructure"]
