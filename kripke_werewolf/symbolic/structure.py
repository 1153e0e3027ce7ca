"""Symbolic structures: the states are the models of a law instead of a list of worlds.

`KnowledgeStructure` for S5: every agent observes some variables (van Benthem, van Eijck, Gattinger
and Su 2018, definition 3). `BeliefStructure` for any relations (ibid., section 4). Both answer the
calls of `KripkeModel`, exactly, for numbers of states that no list could hold.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, NoReturn

from kripke_werewolf.errors import (
    FalseAnnouncement,
    ModelError,
    UnknownAtomError,
    UnknownWorldError,
)
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula, FormulaLike, formula
from kripke_werewolf.semantics.verdict import Verdict
from kripke_werewolf.symbolic.bdd import BDDs
from kripke_werewolf.symbolic.conjunction import Conjunction, Part, part
from kripke_werewolf.symbolic.evaluation import truth, truths
from kripke_werewolf.symbolic.reading import designate, governed, space_of
from kripke_werewolf.symbolic.space import Space, State
from kripke_werewolf.symbolic.transformer import product

if TYPE_CHECKING:
    from kripke_werewolf.models.model import KripkeModel
    from kripke_werewolf.semantics.action import ActionModel

__all__ = ["BeliefStructure", "KnowledgeStructure", "States", "SymbolicStructure"]


class States(Collection[State]):
    """Some states of a structure, made one by one when asked for.

    `size` is their exact number; `len` works as long as it fits a machine word.
    """

    __slots__ = ("_inside", "_space")

    def __init__(self, space: Space, inside: Conjunction) -> None:
        self._space, self._inside = space, inside

    @property
    def size(self) -> int:
        """The number of states, however large."""
        return self._space.bdds.attempt(self._inside.count, self._space.law.scope)

    def __len__(self) -> int:
        return self.size

    def __contains__(self, state: object) -> bool:
        try:
            true = self._space.assignment(state)  # type: ignore[arg-type]
        except (UnknownAtomError, UnknownWorldError):
            return False
        return all(self._space.bdds.value(p.diagram, true) for p in self._inside.parts)

    def __iter__(self) -> Iterator[State]:
        return (self._space.state(true) for true in self._space.assignments(self._inside))

    def __repr__(self) -> str:
        return f"<{self.size:,} states>"


class SymbolicStructure:
    """What knowledge and belief structures share; an immutable value.

    A state is the frozenset of the names that are true at it: atoms, and after an update with an
    action model also hidden names that tell apart states with the same atoms (`vocabulary` lists
    them). Formulas mention atoms only.
    """

    __slots__ = ("_chosen", "space")
    space: Space
    _chosen: Part | None

    def _fill(self, space: Space, chosen: Part | None) -> None:
        object.__setattr__(self, "space", space)
        object.__setattr__(self, "_chosen", chosen)

    @staticmethod
    def _of(space: Space, chosen: Part | None) -> SymbolicStructure:
        """Return a structure of the kind that the relations of the space need."""
        s5 = all(not r.link for r in space.relations.values())
        kind = KnowledgeStructure if s5 else BeliefStructure
        found = kind.__new__(kind)
        found._fill(space, chosen)
        return found

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"structures are immutable: cannot set {name!r}")

    # --- what it consists of -----------------------------------------------------------------------

    @property
    def agents(self) -> tuple[str, ...]:
        """The names of the agents, in order."""
        return self.space.agents

    @property
    def atoms(self) -> tuple[str, ...]:
        """The names of the atoms, in order."""
        return self.space.atoms

    @property
    def vocabulary(self) -> tuple[str, ...]:
        """The names of the variables, in order: atoms and hidden ones."""
        return tuple(self.space.vocabulary)

    @property
    def observables(self) -> Mapping[str, frozenset[str]]:
        """For each agent the names of the variables it observes."""
        return {
            agent: frozenset(n for n, v in self.space.vocabulary.items() if r.observed >> v & 1)
            for agent, r in self.space.relations.items()
        }

    @property
    def size(self) -> int:
        """The number of states, exactly and however large."""
        return self.worlds.size

    def __len__(self) -> int:
        return self.size

    @property
    def worlds(self) -> States:
        """The states."""
        return States(self.space, self.space.law.all)

    @property
    def designated(self) -> States:
        """The designated states."""
        return States(self.space, self._among_designated(None))

    @property
    def nodes(self) -> int:
        """The number of diagram nodes that the law takes."""
        return sum(self.space.bdds.size(p.diagram) for p in self.space.law.all.parts)

    def __repr__(self) -> str:
        def listed(names: tuple[str, ...]) -> str:
            return ", ".join(names[:12]) + (f", … ({len(names)})" if len(names) > 12 else "") or "-"

        hidden = len(self.space.vocabulary.keys() - self.space.valuation.keys())
        return (
            f"<{type(self).__name__}: agents {listed(self.agents)}; atoms {listed(self.atoms)}; "
            f"{f'{hidden} hidden; ' if hidden else ''}law of {self.nodes:,} nodes; "
            f"designated {'all' if self._chosen is None else 'some'}>"
        )

    # --- questions ---------------------------------------------------------------------------------

    def _among_designated(self, inside: Part | None) -> Conjunction:
        law, chosen = self.space.law.all, self._chosen
        if chosen is None:
            return Conjunction(law.bdds, (*law.parts, *_some(inside)))
        # what really happened decides most of what the law says about events; multiplied with each
        # other instead, the parts about the events of one action can grow exponentially
        parts = law.bdds.attempt(_within, (*law.parts, *_some(inside)), chosen)
        return Conjunction(law.bdds, (*parts, chosen))

    def _truth(self, f: FormulaLike, actions: Mapping[str, ActionModel] | None) -> Part:
        return truth(self.space, _bound(f, actions))

    def holds(
        self,
        f: FormulaLike,
        at: Iterable[str] | None = None,
        *,
        actions: Mapping[str, ActionModel] | None = None,
    ) -> bool:
        """Return whether a formula is true at the state `at`, by default at all designated states.

        `at` is the set of the names that are true there. `actions` binds the names in `[name]φ` to
        action models. Raises `UnknownWorldError` for a state that the law excludes.
        """
        inside = self._truth(f, actions)
        if at is not None:
            return self.space.bdds.value(inside.diagram, self.space.assignment(at))
        return not self.space.bdds.attempt(self._among_designated(_negated(inside)).satisfiable)

    def valid(self, f: FormulaLike, *, actions: Mapping[str, ActionModel] | None = None) -> bool:
        """Return whether a formula is true at all states of the structure."""
        outside = _negated(self._truth(f, actions))
        return not self.space.bdds.attempt(self.space.law.some, outside)

    def where(self, f: FormulaLike, *, actions: Mapping[str, ActionModel] | None = None) -> Iterator[State]:
        """Return an iterator over the states where a formula is true."""
        return iter(States(self.space, self.space.law.states(self._truth(f, actions))))

    def count(self, f: FormulaLike, *, actions: Mapping[str, ActionModel] | None = None) -> int:
        """Return the exact number of states where a formula is true."""
        return States(self.space, self.space.law.states(self._truth(f, actions))).size

    def verdict(self, f: FormulaLike, *, actions: Mapping[str, ActionModel] | None = None) -> Verdict:
        """Return whether a formula is true at all, at none or at some of the designated states."""
        inside = self._truth(f, actions)
        found = States(self.space, self._among_designated(inside)).size
        return Verdict.of(found, self.designated.size)

    # --- updates and other structures ----------------------------------------------------------------

    def point(self, *states: Iterable[str] | Formula) -> SymbolicStructure:
        """Return the same structure with the given states designated.

        Each is the set of names true at it, or a formula: then all states where that is true.
        """
        if not states:
            raise ModelError("name at least one state to designate")
        return self._of(self.space, designate(self.space, states))

    def narrow(self, f: FormulaLike) -> SymbolicStructure:
        """Return the same structure with only those designated states where a formula is true.

        Nobody learns anything. Raises `FalseAnnouncement` if that is nowhere.
        """
        inside = truth(self.space, formula(f))
        chosen = Conjunction(self.space.bdds, tuple(p for p in (self._chosen, inside) if p is not None))
        narrowed = self._of(self.space, self.space.bdds.attempt(chosen.whole))
        if not self.space.bdds.attempt(narrowed._among_designated(None).satisfiable):
            raise self._nothing_left(formula(f), "assumption")
        return narrowed

    def announce(self, f: FormulaLike) -> SymbolicStructure:
        """Return the structure after the truthful public announcement of a formula.

        The new law is the old one and the formula's truth set. Raises `FalseAnnouncement` if it is
        true at no designated state.
        """
        content = formula(f)
        inside = truth(self.space, content)
        if not self.space.bdds.attempt(self._among_designated(inside).satisfiable):
            raise self._nothing_left(content, "announcement")
        return self._of(self.space.bdds.attempt(self.space.restricted, inside), self._chosen)

    def update(self, action: ActionModel) -> SymbolicStructure:
        """Return the structure after an action model: a transformer of law, facts and observables.

        Where an agent's relation over the events is no equivalence, the result is a belief
        structure. Raises `FalseAnnouncement` if no designated event can happen at a designated
        state.
        """
        for atom in sorted(action.formula_atoms - self.space.valuation.keys()):
            raise UnknownAtomError(atom, self.atoms)
        formulas = action.formulas
        found = dict(zip(formulas, truths(self.space, formulas), strict=True))
        space, transition = self.space.bdds.attempt(product, self.space, action, found)
        chosen = Conjunction(self.space.bdds, (transition.chosen,))
        chosen = chosen if self._chosen is None else chosen.also(self._chosen)
        every = transition.designates_all and self._chosen is None
        updated = self._of(space, None if every else self.space.bdds.attempt(chosen.whole))
        if not self.space.bdds.attempt(updated._among_designated(None).satisfiable):
            wanted = s.disjunction(action.events[e].pre for e in action.designated)
            raise self._nothing_left(wanted, action.name.replace("_", " "))
        return updated

    def _nothing_left(self, f: Formula, what: str) -> FalseAnnouncement:
        designated = self.designated
        shown = [_shown(state) for state in islice(designated, 6)]
        return FalseAnnouncement(f, shown, what=what, count=designated.size)

    def generated(self) -> SymbolicStructure:
        """Return the structure of the states that the designated ones lead to along the relations."""
        if self._chosen is None:
            return self
        return self._of(self.space.bdds.attempt(self._reached), self._chosen)

    def _reached(self) -> Space:
        law = self.space.law
        found = Conjunction(law.bdds, (*law.all.parts, *_some(self._chosen))).whole()
        relations = list(self.space.relations.values())
        unchanged = turn = 0
        while unchanged < len(relations):
            more = relations[turn % len(relations)].accessible(law, found)
            turn += 1
            new = Conjunction(law.bdds, (*law.all.parts, more, _negated(found)))
            if new.satisfiable():
                found = Part(found.diagram | more.diagram, found.support | more.support)
                unchanged = 0
            else:
                unchanged += 1
        return self.space.restricted(part(law.bdds, found.diagram, found.support))

    def optimise(self, *, keep: Iterable[str] | None = None) -> SymbolicStructure:
        """Return a structure with fewer variables that satisfies the same formulas.

        Drops variables that the law determines, all but one of those that it makes equivalent, and
        unobserved ones that no atom depends on; states that differ only in these become one, so
        counts may shrink (weights are added). `keep`: the atoms that stay, by default all.
        """
        from kripke_werewolf.symbolic.translation import optimised

        space, chosen = self.space.bdds.attempt(optimised, self.space, self._chosen, keep)
        return self._of(space, chosen)

    def to_explicit(self) -> KripkeModel:
        """Return the explicit model: its worlds are the states."""
        from kripke_werewolf.symbolic.translation import to_explicit

        return to_explicit(self)


class KnowledgeStructure(SymbolicStructure):
    """A knowledge structure: vocabulary, state law, observables; designated states.

    `vocabulary`: the names of the atoms, in the order of the diagrams, related ones close together.
    `law`: a boolean formula; the states are the sets of atoms that satisfy it. `observables`: for
    each agent the atoms whose truth values it sees. `designated`: a formula, or states as sets of
    true atoms; by default all. `variables`: for `Kv_a(x)`, {x: {value: formula}}. `bdds`: the
    manager of the diagrams, for a memory limit of one's own.

    >>> muddy = KnowledgeStructure(["m1", "m2"], "m1 | m2", {1: ["m2"], 2: ["m1"]})
    >>> muddy.size, muddy.count("K_1 m1"), muddy.announce("~K_1 m1 & ~K_2 m2").size
    (3, 1, 1)

    Raises `UnknownAtomError` for observables outside the vocabulary, and `ModelError` for a law
    that no state satisfies.
    """

    __slots__ = ()

    def __init__(
        self,
        vocabulary: Iterable[str],
        law: FormulaLike,
        observables: Mapping[Any, Iterable[str]],
        designated: FormulaLike | Iterable[Iterable[str]] | None = None,
        *,
        variables: Mapping[str, Mapping[Any, FormulaLike]] | None = None,
        bdds: BDDs | None = None,
    ) -> None:
        space = space_of(vocabulary, observables, {}, variables, bdds)
        self._fill(*governed(space, law, designated))

    @classmethod
    def from_states(
        cls,
        vocabulary: Iterable[str],
        states: Iterable[Iterable[str]],
        observables: Mapping[Any, Iterable[str]],
        designated: FormulaLike | Iterable[Iterable[str]] | None = None,
        *,
        variables: Mapping[str, Mapping[Any, FormulaLike]] | None = None,
        bdds: BDDs | None = None,
    ) -> KnowledgeStructure:
        """Return the structure with just the given states, each the set of its true atoms."""
        space = space_of(vocabulary, observables, {}, variables, bdds)
        found = cls.__new__(cls)
        found._fill(*governed(space, list(states), designated))
        return found

    @classmethod
    def from_explicit(cls, model: KripkeModel) -> SymbolicStructure:
        """Return the structure of an explicit model, with hidden variables where atoms do not suffice.

        A belief structure if some relation is no equivalence.
        """
        from kripke_werewolf.symbolic.translation import from_explicit

        return from_explicit(model)


class BeliefStructure(SymbolicStructure):
    """A belief structure: vocabulary, state law, a relation between states for each agent.

    `relations`: for each agent a boolean formula over the atoms and, with a prime, the same atoms
    at the accessible state: `"p' -> p"`. `observables`: for each agent atoms on which accessible
    states agree besides; an agent may have either or both. The rest as for `KnowledgeStructure`.

    >>> b = BeliefStructure(["p"], True, {"a": "p'", "b": "p <-> p'"})
    >>> sorted(map(sorted, b.where("K_a p & ~p & K_b ~p")))
    [[]]
    """

    __slots__ = ()

    def __init__(
        self,
        vocabulary: Iterable[str],
        law: FormulaLike,
        relations: Mapping[Any, FormulaLike],
        designated: FormulaLike | Iterable[Iterable[str]] | None = None,
        *,
        observables: Mapping[Any, Iterable[str]] | None = None,
        variables: Mapping[str, Mapping[Any, FormulaLike]] | None = None,
        bdds: BDDs | None = None,
    ) -> None:
        space = space_of(vocabulary, observables or {}, relations, variables, bdds)
        self._fill(*governed(space, law, designated))


def _bound(f: FormulaLike, actions: Mapping[str, ActionModel] | None) -> Formula:
    found = formula(f)
    return found.bind(**actions) if actions else found


def _negated(p: Part) -> Part:
    return Part(~p.diagram, p.support)


def _within(parts: Iterable[Part], chosen: Part) -> list[Part]:
    return [
        Part(p.diagram & chosen.diagram, p.support | chosen.support) if p.support & chosen.support else p
        for p in parts
    ]


def _some(p: Part | None) -> tuple[Part, ...]:
    return () if p is None else (p,)


def _shown(state: State) -> str:
    return "{" + ", ".join(sorted(state)) + "}"
