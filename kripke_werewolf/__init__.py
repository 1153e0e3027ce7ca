"""Dynamic epistemic logic, and the game Quantum Werewolf.

A tour; every name below has its own help text (`help(kw.KripkeModel)`).

>>> import kripke_werewolf as kw

Build a model, and ask about it. Alice sees whether p; Bob does not:

>>> m = kw.KripkeModel.from_partitions(
...     ["w", "v"], {"alice": [["w"], ["v"]], "bob": [["w", "v"]]}, {"p": ["w"]}, designated="w")
>>> m.holds("K_alice p"), m.holds("K_bob p"), m.where("K_bob Kw_alice p")
(True, False, ['w', 'v'])

See why, announce, and look at the picture (`kw.draw(m)`, `kw.save(m, "m.svg")`, `kw.load("m.svg")`):

>>> print(m.explain("K_bob p"))
bob does not know that p is true: bob cannot tell w from v, where p is false
>>> m.announce("p").holds("C_{alice,bob} p")
True

Tell Bob alone; keep the steps; ask since when something has been known:

>>> h = kw.History(m).then(kw.private("bob", "p"), name="a letter")
>>> h.model.holds("K_bob p & ~K_alice K_bob p"), h.since("K_bob p")
(True, 1)

Prove, or get a counter-model:

>>> kw.valid("K_a p -> K_a K_a p", "S5"), kw.valid("K_a p -> K_a K_a p", "T")
(True, False)
>>> print(kw.prove("K_a (p & q) -> K_a p", "K"))
logic: K
1. p & q -> p             PL
2. K_a (p & q) -> K_a p   RK 1

Overview:

* models and updates: `KripkeModel`, `ActionModel`, `Event`, `public`, `private`, `History`
* files and pictures: `draw`, `save`, `load`
* formulas: strings, or `atoms`, `K`, `C`, `D`, …; `parse`, `from_sentence`, `to_sentence`
* validity, proofs and plans: `valid`, `satisfiable`, `countermodel`, `prove`, `plan`
* large models: `KnowledgeStructure`, `BeliefStructure`; rows of a table: `TableModel`, `disclose`
* the game: `QuantumWerewolf`, `Rules`, `preset`, `Role`, `SecretAct`, `replay`; `Avalon`
* packages: `kw.puzzles`, `kw.stories`, `kw.exercises`, `kw.planning`, `kw.games`, `kw.avalon`, `kw.proofs`
* errors: every error is a `KripkeError`, and says what is allowed
"""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from kripke_werewolf.base._version import __version__ as __version__
from kripke_werewolf.base.display import load_ipython_extension as load_ipython_extension
from kripke_werewolf.base.errors import *  # noqa: F403
from kripke_werewolf.base.places import PLACES as _PLACES
from kripke_werewolf.base.usage import load_later as _load_later
from kripke_werewolf.logic import formulas as _language
from kripke_werewolf.logic import models as _models
from kripke_werewolf.logic import semantics as _semantics

if _TYPE_CHECKING:
    from kripke_werewolf import games as games
    from kripke_werewolf.base import display as display
    from kripke_werewolf.base import errors as errors
    from kripke_werewolf.base import reports as reports
    from kripke_werewolf.base import wording as wording
    from kripke_werewolf.base.drawing import draw as draw
    from kripke_werewolf.base.drawing import save as save
    from kripke_werewolf.games import avalon as avalon
    from kripke_werewolf.games import werewolf as werewolf
    from kripke_werewolf.games.avalon import Avalon as Avalon
    from kripke_werewolf.games.one_night import OneNight as OneNight
    from kripke_werewolf.games.one_night import PlayedNight as PlayedNight
    from kripke_werewolf.games.werewolf import *  # noqa: F403
    from kripke_werewolf.logic import deciding as deciding
    from kripke_werewolf.logic import models as models
    from kripke_werewolf.logic import proofs as proofs
    from kripke_werewolf.logic import puzzles as puzzles
    from kripke_werewolf.logic import semantics as semantics
    from kripke_werewolf.logic import symbolic as symbolic
    from kripke_werewolf.logic import tables as tables
    from kripke_werewolf.logic.deciding import *  # noqa: F403
    from kripke_werewolf.logic.formulas import *  # noqa: F403
    from kripke_werewolf.logic.formulas.operators import *  # noqa: F403
    from kripke_werewolf.logic.models import *  # noqa: F403
    from kripke_werewolf.logic.models.model import load as load
    from kripke_werewolf.logic.proofs import Proof as Proof
    from kripke_werewolf.logic.proofs import derivation as derivation
    from kripke_werewolf.logic.proofs import prove as prove
    from kripke_werewolf.logic.proofs import read_proof as read_proof
    from kripke_werewolf.logic.puzzles import muddy_children as muddy_children
    from kripke_werewolf.logic.semantics import *  # noqa: F403
    from kripke_werewolf.logic.symbolic import *  # noqa: F403
    from kripke_werewolf.logic.tables import *  # noqa: F403
    from kripke_werewolf.research import arena as arena
    from kripke_werewolf.research import planning as planning
    from kripke_werewolf.research import stories as stories
    from kripke_werewolf.research.planning import plan as plan
    from kripke_werewolf.teach import exercises as exercises

    language = _language

# loaded when first asked for: a program that checks a model need not wait for games and diagrams
_LATER = {
    "base.drawing": ("draw", "save"),
    "logic.formulas": _language.__all__,
    "logic.models": _models.__all__,
    "logic.semantics": _semantics.__all__,
    "logic.deciding": (
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
    "logic.models.model": ("load",),
    "research.planning": ("plan",),
    "logic.proofs": ("Proof", "derivation", "prove", "read_proof"),
    "logic.puzzles": ("muddy_children",),
    "games.avalon": ("Avalon",),
    "logic.symbolic": (
        "BeliefStructure",
        "KnowledgeStructure",
        "SmcdelFile",
        "SymbolicStructure",
        "read_smcdel",
    ),
    "logic.tables": ("Disclosure", "TableAnswer", "TableModel", "disclose"),
    "games.werewolf": (
        "Deck",
        "Enumerated",
        "Episode",
        "LogFile",
        "Message",
        "PRESETS",
        "QuantumWerewolf",
        "Role",
        "Rules",
        "SecretAct",
        "Superposition",
        "Table",
        "TableChange",
        "Told",
        "preset",
        "read_log",
        "replay",
        "story",
    ),
    "games.one_night": ("OneNight", "PlayedNight"),
}
_PACKAGES = {**_PLACES, "games": "games"}

# what `dir` leaves out: parts of other values, and operators that have a letter
_INNER = """
Accessibility Act Believes BelievesGiven BelievesWhether Best Bw Cm Common CommonBelief CommonDual
CommonWhether Constant Count DEFAULT_LIMIT DiagramTooLarge
Distributed DistributedDual DistributedWhether Dm Em Enumerated Episode Everyone EveryoneDual EveryoneWhether
Exists Forall FrameClass Knows KnowsValue KnowsWhether Learning LinearSum Link Loss Message NameSet
Possible PossibleWorld Probability SmcdelFile SomeoneKnows Step Superposition TableChange Told
Understood Cw Dw Ew Announce SecretAct UnknownActionError UnknownVariableError atoms display errors language
load_ipython_extension models reports semantics story understand console explorer forge host tabletop testing
wording TableAnswer Disclosure tables SafelyBelieves StronglyBelieves Upgrade degree CB Sb Sf
"""

_load_later(__name__)
