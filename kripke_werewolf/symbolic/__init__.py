"""The symbolic engine: knowledge and belief structures on binary decision diagrams."""

from typing import TYPE_CHECKING

from kripke_werewolf.symbolic.bdd import Oxidd
from kripke_werewolf.usage import help_callers

if TYPE_CHECKING:
    from kripke_werewolf.symbolic.structure import (
        BeliefStructure,
        KnowledgeStructure,
        States,
        SymbolicStructure,
    )

_LATER = {"structure": ("BeliefStructure", "KnowledgeStructure", "States", "SymbolicStructure")}

__all__ = ["BeliefStructure", "KnowledgeStructure", "Oxidd", "States", "SymbolicStructure"]

help_callers(__name__)
