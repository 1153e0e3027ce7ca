"""Dynamic epistemic logic, and the game Quantum Werewolf."""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING

from kripke_werewolf._version import __version__ as __version__
from kripke_werewolf.errors import *  # noqa: F403
from kripke_werewolf.language import *  # noqa: F403
from kripke_werewolf.models import *  # noqa: F403
from kripke_werewolf.semantics import *  # noqa: F403

if _TYPE_CHECKING:
    from kripke_werewolf.deciding import *  # noqa: F403
    from kripke_werewolf.proofs import Proof, derivation, read_proof  # noqa: F401
    from kripke_werewolf.symbolic import *  # noqa: F403
    from kripke_werewolf.werewolf import *  # noqa: F403

# loaded when first asked for: a program that checks a model need not wait for games and diagrams
_LATER = {
    "deciding": (
        "Decision",
        "LOGICS",
        "Logic",
        "countermodel",
        "decide_satisfiability",
        "decide_validity",
        "logic_named",
        "satisfiable",
        "valid",
    ),
    "proofs": (
        "Proof",
        "derivation",
        "read_proof",
    ),
    "symbolic": (
        "BeliefStructure",
        "KnowledgeStructure",
        "SymbolicStructure",
    ),
    "werewolf": (
        "Deck",
        "Enumerated",
        "Episode",
        "Handout",
        "LogFile",
        "Message",
        "PRESETS",
        "QuantumWerewolf",
        "Rules",
        "StateChange",
        "Superposition",
        "Table",
        "branch",
        "compare",
        "preset",
        "read_log",
        "replay",
        "story",
    ),
}
_HOME = {name: module for module, names in _LATER.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(_import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
