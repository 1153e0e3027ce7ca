"""The symbolic engine: knowledge and belief structures on binary decision diagrams."""

from typing import TYPE_CHECKING

from kripke_werewolf.base.usage import help_callers
from kripke_werewolf.logic.symbolic.bdd import Oxidd

if TYPE_CHECKING:
    from kripke_werewolf.logic.symbolic.smcdel import SmcdelFile, read_smcdel
    from kripke_werewolf.logic.symbolic.structure import (
        BeliefStructure,
        KnowledgeStructure,
        States,
        SymbolicStructure,
    )

_LATER = {
    "smcdel": ("SmcdelFile", "read_smcdel"),
    "structure": ("BeliefStructure", "KnowledgeStructure", "States", "SymbolicStructure"),
}

__all__ = [
    "BeliefStructure",
    "KnowledgeStructure",
    "Oxidd",
    "SmcdelFile",
    "States",
    "SymbolicStructure",
    "read_smcdel",
]

help_callers(__name__)
