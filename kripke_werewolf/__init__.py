"""Dynamic epistemic logic, and the game Quantum Werewolf."""

from kripke_werewolf._version import __version__ as __version__
from kripke_werewolf.checking import *  # noqa: F403
from kripke_werewolf.deciding import *  # noqa: F403
from kripke_werewolf.errors import *  # noqa: F403
from kripke_werewolf.formulas import *  # noqa: F403
from kripke_werewolf.models import *  # noqa: F403
from kripke_werewolf.symbolic import KnowledgeStructure as KnowledgeStructure
from kripke_werewolf.symbolic import SymbolicStructure as SymbolicStructure
from kripke_werewolf.updates import *  # noqa: F403
from kripke_werewolf.werewolf import *  # noqa: F403
