"""Whether two actions have the same effect on every model of a logic.

The effect of an action at a world depends on its atoms and on the knowledge that conditions mention: on the
type of the world. All possible types, with all possible steps between them, are one model, in which every
condition has a truth value. Two actions have the same effect iff there is a bisimulation of their products
with it that preserves the type: the action emulation of Van Eijck, Ruan and Sadzik 2012, for actions whose
preconditions determine the type.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property
from itertools import product

from kripke_werewolf.deciding import logic_named, satisfiable
from kripke_werewolf.errors import FormulaError
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.sentences import names
from kripke_werewolf.models import KripkeModel, bisimilar, distinguishing_formula
from kripke_werewolf.models.model import Numbered
from kripke_werewolf.proofs.abbreviations import unabbreviated
from kripke_werewolf.semantics.action import ActionModel

_MOST = 8
"""The largest number of atoms and knowledge statements from which types are made: at most 2^8 types."""
_STEPS = 100_000
COMPARED = ("K", "KD45", "S5")
"""The logics of agents for which the possible steps between types are known."""


class _Types:
    """The types of worlds that some formulas distinguish, as a model of a logic.

    Raises `FormulaError` for modal operators other than those about the knowledge of one agent or of each of
    several, and for too many formulas.
    """

    def __init__(
        self, formulas: Sequence[Formula], atoms: Sequence[str], agents: Sequence[str], logic: str
    ) -> None:
        self.agents = tuple(agents)
        self._letters: dict[Formula, s.Atom] = {}  # for K_a φ, with letters for the knowledge in φ
        self._meaning: dict[str, Formula] = {}
        skeletons = {f: unabbreviated(f).rewrite(self._lettered) for f in formulas}
        self._basic = [*map(s.Atom, atoms), *self._letters.values()]
        if len(self._basic) > _MOST:
            raise FormulaError(
                f"the conditions mention {len(self._basic)} atoms and things known; at most {_MOST} can be "
                "compared"
            )
        rows = list(product((True, False), repeat=len(self._basic)))
        true = {atom.name: [n for n, row in enumerate(rows) if row[k]] for k, atom in enumerate(self._basic)}
        self._every = KripkeModel.from_partitions(range(len(rows)), {}, true)
        self.worlds = [n for n, row in enumerate(rows) if not self._letters or self._possible(row, logic)]
        self.holds = {f: self._where(skeleton) for f, skeleton in skeletons.items()}
        """For each of the formulas, the types at whose worlds it is true."""
        self.steps = {agent: self._steps_of(agent, logic) for agent in agents}
        """For each agent and type, the types that the agent may then consider possible."""

    def _lettered(self, node: Formula) -> Formula:
        match node:
            case s.Knows(_, body):
                if node not in self._letters:
                    letter = s.Atom(f"known {len(self._letters)}")
                    self._letters[node] = letter
                    self._meaning[letter.name] = node.with_children([body.substitute(self._meaning)])
                return self._letters[node]
            case s.Modal() | s.Dynamic() | s.Quantifier() | s.Probability() | s.KnowsValue():
                raise FormulaError(f"conditions with {node.unicode()} cannot be compared")
        return node

    def _possible(self, row: Sequence[bool], logic: str) -> bool:
        basic = (self._meaning.get(atom.name, atom) for atom in self._basic)
        whole = s.conjunction(f if true else s.Not(f) for f, true in zip(basic, row, strict=True))
        return satisfiable(whole, logic=logic, limit=_STEPS) is not None

    def _where(self, skeleton: Formula) -> frozenset[int]:
        return frozenset(Numbered(self._every).numbers(skeleton)) & frozenset(self.worlds)

    def _steps_of(self, agent: str, logic: str) -> dict[int, list[int]]:
        known = [
            (self._where(letter), self._where(box.children[0]))
            for box, letter in self._letters.items()
            if isinstance(box, s.Knows) and box.agent == agent
        ]
        same = logic_named(logic).of((agent,)).euclidean  # then agents know what they know and do not know

        def possible(w: int, v: int) -> bool:
            """Return whether an agent at a world of the first type may consider the second possible."""
            if same and any((w in box) != (v in box) for box, _ in known):
                return False
            return all(v in body or w not in box for box, body in known)

        return {w: [v for v in self.worlds if possible(w, v)] for w in self.worlds}

    def words(self, world: int) -> str:
        """Return the facts of a type in words: "where p and K_a p are true"."""
        true = [atom for atom in self._basic if world in self._where(atom)]
        shown = [self._meaning.get(atom.name, atom).unicode() for atom in true] or ["no atom"]
        return f"where {names(shown)} {'are' if len(shown) > 1 else 'is'} true"

    @cached_property
    def model(self) -> KripkeModel:
        """The types as a model, with further atoms that no action changes, so that they keep the type."""
        pairs = {a: [(w, v) for w in self.worlds for v in self.steps[a][w]] for a in self.agents}
        true = {atom.name: sorted(self._where(atom)) for atom in self._basic}
        before = {f"{name} before": where for name, where in true.items()}
        facts = {name: where for name, where in true.items() if name not in self._meaning}
        return KripkeModel(self.worlds, pairs, facts | before)


class Effects:
    """Two actions for the same agents and atoms, compared on all models of a logic."""

    def __init__(
        self,
        mine: ActionModel,
        right: ActionModel,
        *,
        atoms: Sequence[str],
        agents: Sequence[str],
        logic: str = "K",
    ) -> None:
        self.actions = mine, right
        self.atoms = tuple(atoms)
        self.types = _Types([*mine.formulas, *right.formulas, *map(s.Atom, atoms)], atoms, agents, logic)

    def difference(self) -> str:
        """Return where the first action differs from the second, the correct one; empty if nowhere."""
        both = []
        for w in self.types.worlds:
            mine, right = (
                [e for e in action.designated if w in self.types.holds[action.events[e].pre]]
                for action in self.actions
            )
            if mine and right:
                both.append((w, mine, right))
            elif mine or right:
                verb = "can happen, but should not" if mine else "cannot happen, but should"
                return f"{self.types.words(w)}, your action {verb}"
        if not both:
            return ""
        first, second = (self.types.model.update(action.point(*action.events)) for action in self.actions)
        for w, mine, right in both:
            alike = {(e, f) for e in mine for f in right if bisimilar(first, (w, e), second, (w, f))}
            pairs = [(e, right[0]) for e in mine if not any((e, f) in alike for f in right)]
            pairs += [(mine[0], f) for f in right if not any((e, f) in alike for e in mine)]
            if pairs:
                e, f = pairs[0]
                return f"{self.types.words(w)}, {self._told(first, (w, e), second, (w, f))}"
        return ""

    def _told(self, first: KripkeModel, here: Hashable, second: KripkeModel, there: Hashable) -> str:
        """Return a fact that holds after an event of the first action, and not after one of the second."""
        mine, right = (model.for_agents(self.types.agents, self.atoms) for model in (first, second))
        said = distinguishing_formula(mine, here, right, there)
        if said is None:
            return "your action leaves the agents with different beliefs about the facts before it"
        if mine.holds(said, at=here):
            return f"{said} is true after your action and false after the right one"
        return f"{said} is false after your action and true after the right one"
