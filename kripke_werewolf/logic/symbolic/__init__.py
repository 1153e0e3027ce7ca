"""The symbolic engine: knowledge and belief structures on binary decision diagrams."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from kripke_werewolf.base.usage import help_callers as _help_callers
from kripke_werewolf.logic.symbolic.bdd import Oxidd as Oxidd

if _TYPE_CHECKING:
    from kripke_werewolf.logic.symbolic.smcdel import SmcdelFile as SmcdelFile
    from kripke_werewolf.logic.symbolic.smcdel import read_smcdel as read_smcdel
    from kripke_werewolf.logic.symbolic.structure import BeliefStructure as BeliefStructure
    from kripke_werewolf.logic.symbolic.structure import KnowledgeStructure as KnowledgeStructure
    from kripke_werewolf.logic.symbolic.structure import States as States
    from kripke_werewolf.logic.symbolic.structure import SymbolicStructure as SymbolicStructure

_help_callers(__name__)
