"""Symbolic structures: a law describes the states, instead of a list of worlds.

In a `KnowledgeStructure`, for S5, every agent observes some variables (van Benthem, van Eijck, Gattinger and
Su 2018, definition 3). A `BeliefStructure` has arbitrary relations (ibid., section 4). Both have the methods
of `KripkeModel`, for numbers of states that are too large for a list.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import islice
from typing import Any

from kripke_werewolf.base.display import Catalogue
from kripke_werewolf.base.errors import (
    FalseAnnouncement,
    FormulaError,
    ModelError,
    UnknownAgentError,
    UnknownAtomError,
    UnknownWorldError,
    check_known,
)
from kripke_werewolf.base.usage import Helpful, set_parts
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.syntax import (
    Formula,
    FormulaLike,
    agent_name,
    asked_formula,
    formula,
    group_of,
)
from kripke_werewolf.logic.models.model import KripkeModel, Meanings
from kripke_werewolf.logic.semantics.action import ActionModel
from kripke_werewolf.logic.semantics.answers import asked_of_model
from kripke_werewolf.logic.semantics.explored import Explored, NameSet, PossibleWorld
from kripke_werewolf.logic.semantics.space import check_formula_names, read_variables
from kripke_werewolf.logic.semantics.verdict import Verdict
from kripke_werewolf.logic.symbolic.bdd import Oxidd, restored, stored, variable_set
from kripke_werewolf.logic.symbolic.conjunction import Conjunction, Factor, assembled, factor
from kripke_werewolf.logic.symbolic.diagrams import DiagramSpace, State, state_text
from kripke_werewolf.logic.symbolic.relation import Law, Relation, grown


class States(NameSet[State]):
    """A set of states of a structure, generated one by one; it compares and combines like any set.

    `size` is their exact number; `len` works as long as it fits a machine word.
    """

    __slots__ = ("_inside", "_space")

    def __init__(self, space: DiagramSpace, inside: Conjunction) -> None:
        self._space, self._inside = space, inside

    @property
    def size(self) -> int:
        """The exact number of states."""
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

    def __reduce__(self) -> tuple[Any, ...]:
        return NameSet, (list(self),)

    def headline(self) -> str:
        """Return the number of the states."""
        return f"{self.size:,} states"

    def __repr__(self) -> str:
        return f"<{self.headline()}>"


class SymbolicStructure(Explored[State], metaclass=Helpful):
    """The base class of knowledge and belief structures; immutable.

    A state is the frozenset of the names that are true at it: atoms and, after an update with an action
    model, hidden names that distinguish states with the same atoms (`vocabulary` lists them). Formulas
    mention atoms only. Two structures are equal if their explicit models are.
    """

    __slots__ = ("_chosen", "space")
    space: DiagramSpace
    _chosen: Factor | None

    def _fill(self, space: DiagramSpace, chosen: Factor | None) -> None:
        set_parts(self, space=space, _chosen=chosen)

    def _govern(self, law: Any, designated: Any) -> None:
        """Set the law, from a formula or a list of states, and the designated states."""
        if isinstance(law, list | tuple):
            inside, told = _listed(self.space, law), ""
        else:
            inside, told = _boolean_truth(self.space, formula(law), "the law"), f": {law}"
        self._fill(self.space.with_law(inside), None)
        if not self.space.bdds.attempt(self.space.law.all.satisfiable):
            raise ModelError(f"the law excludes every state{told}")
        self.space.check_variables()
        if isinstance(designated, Formula | str | bool | frozenset | set):
            designated = [designated]
        if designated is not None:
            self._fill(self.space, self._designate(designated))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, stored(self.space.bdds, (self.space, self._chosen))

    @staticmethod
    def _of(space: DiagramSpace, chosen: Factor | None) -> SymbolicStructure:
        """Return a structure of the class required by the relations of the space."""
        s5 = all(not r.link for r in space.relations.values())
        kind = KnowledgeStructure if s5 else BeliefStructure
        found = kind.__new__(kind)
        found._fill(space, chosen)
        return found

    # --- what it consists of -----------------------------------------------------------------------

    @property
    def agents(self) -> tuple[str, ...]:
        """The names of the agents, in order."""
        return tuple(self.space.relations)

    @property
    def atoms(self) -> tuple[str, ...]:
        """The names of the atoms, in order."""
        return self.space.atoms

    @property
    def variables(self) -> Mapping[str, Mapping[str, Formula]]:
        """For each variable of `Kv` its values, each with the formula that defines it."""
        return self.space.variables

    @property
    def vocabulary(self) -> tuple[str, ...]:
        """The names of the variables, in order: atoms and hidden ones."""
        return tuple(self.space.vocabulary)

    @property
    def observables(self) -> Mapping[str, frozenset[str]]:
        """For each agent, the names of the variables it observes."""
        return {
            agent: frozenset(n for n, v in self.space.vocabulary.items() if r.observed >> v & 1)
            for agent, r in self.space.relations.items()
        }

    @property
    def size(self) -> int:
        """The exact number of states."""
        return self.worlds.size

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[State]:
        return iter(self.worlds)

    def __contains__(self, state: object) -> bool:
        return state in self.worlds

    def __getitem__(self, state: Iterable[str]) -> PossibleWorld[State]:
        name = self.space.state(self.space.assignment(state))
        seen = {agent: self.successors(agent, name) for agent in self.agents}
        return PossibleWorld(name, tuple(atom for atom in self.atoms if atom in name), seen)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SymbolicStructure):
            return NotImplemented
        if self.space is other.space and self._chosen is other._chosen:
            return True
        same = hash(self) == hash(other) and self.size == other.size
        return same and self.to_explicit() == other.to_explicit()

    def __hash__(self) -> int:
        return hash((frozenset(self.agents), frozenset(self.atoms)))

    @property
    def valuation(self) -> Mapping[str, States]:
        """For each atom, the states where it is true."""
        return Catalogue(self.atoms, lambda atom: self._states(self._truth(s.Atom(atom))))

    def _states(self, inside: Factor) -> States:
        return States(self.space, self.space.law.states(inside))

    def _at(self, state: Iterable[str]) -> Factor:
        """Return the diagram of one state."""
        self.space.assignment(state)  # raises an error for anything that is not a state
        return _listed(self.space, [state])

    def successors(self, agent: object, at: Iterable[str]) -> States:
        """Return the states that an agent considers possible at a state."""
        space, state = self.space, self._at(at)
        accessible = space.relations[self._agent(agent)].accessible
        return self._states(space.bdds.attempt(accessible, space.law, state))

    def predecessors(self, agent: object, at: Iterable[str]) -> States:
        """Return the states where an agent considers a state possible."""
        space, state = self.space, self._at(at)
        return self._states(space.bdds.attempt(space.diamond, space.relations[self._agent(agent)], state))

    def reachable(self, agents: object, at: Iterable[str]) -> States:
        """Return the states that some agents reach from a state in one or more steps: C is about them."""
        law, state = self.space.law, self._at(at)
        steps = [self.space.relations[self._agent(agent)].accessible for agent in group_of(agents)]
        first = self.space.any_of([law.bdds.attempt(step, law, state) for step in steps])
        return self._states(law.bdds.attempt(grown, law, first, steps))

    def restrict(self, states: Iterable[Iterable[str]]) -> SymbolicStructure:
        """Return the structure of some of its states."""
        kept = [state for state in states if self.space.assignment(state) is not None]
        found = self._of(self.space.with_law(_listed(self.space, kept)), self._chosen)
        if not found.designated.size:
            raise ModelError("keep at least one designated state")
        return found

    @property
    def worlds(self) -> States:
        """The states."""
        return States(self.space, self.space.law.all)

    @property
    def designated(self) -> States:
        """The designated states."""
        return States(self.space, self._among_designated(None))

    def __repr__(self) -> str:
        def listed(names: tuple[str, ...]) -> str:
            more = [f"… ({len(names)})"] if len(names) > 12 else []
            return ", ".join([*names[:12], *more]) or "-"

        space = self.space
        told = [f"agents {listed(self.agents)}", f"atoms {listed(self.atoms)}"]
        if hidden := len(space.vocabulary.keys() - space.valuation.keys()):
            told.append(f"{hidden} hidden")
        told.append(f"law of {sum(space.bdds.size(p.diagram) for p in space.law.all.parts):,} nodes")
        told.append(f"designated {'all' if self._chosen is None else 'some'}")
        return f"<{type(self).__name__}: {'; '.join(told)}>"

    # --- questions ---------------------------------------------------------------------------------

    def _among_designated(self, inside: Factor | None) -> Conjunction:
        law, chosen = self.space.law.all, self._chosen
        parts = law.parts if inside is None else (*law.parts, inside)
        if chosen is None:
            return Conjunction(law.bdds, parts)

        def within() -> list[Factor]:
            return [p & chosen if p.support & chosen.support else p for p in parts]

        # the designated states decide most of the law about events; multiplied with each
        # other instead, the parts about the events of one action can grow exponentially
        return Conjunction(law.bdds, (*law.bdds.attempt(within), chosen))

    def _truths(self, *given: FormulaLike, actions: Meanings | None = None) -> list[Factor]:
        space, found = self.space, []
        for f in given:
            found.append(asked_formula(f, space.relations, space.atoms).bind(**(actions or {})))
            check_formula_names(space, found[-1])
        return space.truths(*found)

    def _truth(self, f: FormulaLike, actions: Meanings | None = None) -> Factor:
        return self._truths(f, actions=actions)[0]

    def holds(
        self, f: FormulaLike, at: Iterable[str] | None = None, *, actions: Meanings | None = None
    ) -> bool:
        """Return whether a formula is true at the state `at`, by default at all designated states.

        `at` is the set of the names that are true there. `actions` binds the names in `[name]φ` to
        action models. Raises `UnknownWorldError` for a state that the law excludes.
        """
        inside = self._truth(f, actions)
        if at is not None:
            return self.space.bdds.value(inside.diagram, self.space.assignment(at))
        return not self.space.bdds.attempt(self._among_designated(~inside).satisfiable)

    def valid(self, f: FormulaLike, *, actions: Meanings | None = None) -> bool:
        """Return whether a formula is true at all states of the structure."""
        outside = ~self._truth(f, actions)
        return not self.space.bdds.attempt(self.space.law.some, outside)

    def where(self, f: FormulaLike, *, actions: Meanings | None = None) -> Iterator[State]:
        """Return an iterator over the states where a formula is true."""
        return iter(self._states(self._truth(f, actions)))

    def count(self, f: FormulaLike, *, actions: Meanings | None = None) -> int:
        """Return the exact number of states where a formula is true."""
        return self._states(self._truth(f, actions)).size

    def verdict(
        self, f: FormulaLike, *, given: FormulaLike | None = None, actions: Meanings | None = None
    ) -> Verdict:
        """Return whether a formula is true at all, none or some of the designated states.

        With `given`, of those where this is true; see `KripkeModel.verdict`.
        """
        asked, where = asked_of_model(self.space, f, given, actions)
        if where is not None:
            return self.verdict(asked & where).among(self.verdict(where))
        inside = self._truth(asked)
        found = States(self.space, self._among_designated(inside)).size
        return Verdict.of(found, self.designated.size)

    def probabilities(self, agent: object, f: FormulaLike) -> dict[Fraction, int]:
        """Return an agent's probabilities of a formula, each with its number of designated states.

        >>> KnowledgeStructure("pq", "p | q", {"a": "p"}).probabilities("a", "q")
        {Fraction(1, 2): 2, Fraction(1, 1): 1}
        """
        name, inside = self._agent(agent), self._truth(f)
        levels = self.space.bdds.attempt(self.space.chances, name, inside)
        found = {v: States(self.space, self._among_designated(p)).size for v, p in sorted(levels.items())}
        return {value: number for value, number in found.items() if number}

    # --- updates and other structures ----------------------------------------------------------------

    def point(self, *states: Iterable[str] | Formula) -> SymbolicStructure:
        """Return the same structure with the given states designated.

        Each is the set of names true at it, or a formula, for all states where it is true.
        """
        if not states:
            raise ModelError("name at least one state to designate")
        return self._of(self.space, self._designate(states))

    def _designate(self, states: Iterable[Iterable[str] | Formula]) -> Factor:
        """Return the designated states, each given as the set of its true names, or by a formula."""
        space, formulas, listed = self.space, list[FormulaLike](), list[Iterable[str]]()
        for given in states:
            if isinstance(given, Formula | str | bool):
                formulas.append(given)
            else:
                space.assignment(given)  # raises an error for anything that is not a state
                listed.append(given)
        parts = self._truths(*formulas)
        if listed:
            parts.append(_listed(space, listed))
        found = space.any_of(parts)
        chosen = factor(space.bdds, found.diagram, found.support)
        if not space.bdds.attempt(space.law.some, chosen):
            raise ModelError("at least one state must be designated")
        return chosen

    def announce(self, f: FormulaLike) -> SymbolicStructure:
        """Return the structure after the truthful public announcement of a formula.

        The new law is the conjunction of the old one and the formula's truth set. Raises `FalseAnnouncement`
        if it is true at no designated state.
        """
        content = asked_formula(f, self.space.relations, self.space.atoms)
        inside = self._truth(content)
        if not self.space.bdds.attempt(self._among_designated(inside).satisfiable):
            raise self._nothing_left(content, "announcement")
        restricted = self.space.with_law(inside)
        restricted.check_variables("the announcement", ())
        return self._of(restricted, self._chosen)

    def upgrade(self, f: FormulaLike, *, conservative: bool = False) -> SymbolicStructure:
        """Return the structure in which the states where a formula is true are the more plausible ones.

        With `conservative`, only the most plausible of them in each cell are; see `KripkeModel.upgrade`.
        """
        inside = self._truth(f)
        space = self.space.bdds.attempt(partial(self.space.upgraded, inside, conservative=conservative))
        return self._of(space, self._chosen)

    def update(self, action: ActionModel, *, merge: bool = False) -> SymbolicStructure:
        """Return the structure after an action model: a transformer of law, facts and observables.

        If an agent's relation over the events is not an equivalence, the result is a belief structure.
        `merge`: update only for the agents and atoms of the structure; see `KripkeModel.update`. Raises
        `FalseAnnouncement` if no designated event can happen at a designated state.
        """
        if merge:
            action = action.for_agents(self.space.relations, self.space.valuation)
        action.check_names(self.space)
        space = self.space._with(temporary=[])
        space.memo.update(zip(action.formulas, self._truths(*action.formulas), strict=True))
        bdds, given = space.bdds, action
        space, action = bdds.attempt(space.prioritised, action)
        copies = bdds.attempt(space.copies, action, merge=merge)
        if not copies:
            raise self._impossible(action)
        updated, _, designated, _ = bdds.attempt(space.paired, action, copies, named=True)
        updated.check_variables(repr(action.name), action.changed)
        chosen = self._chosen
        if chosen is None:
            chosen = None if designated.diagram == bdds.true else designated
        else:
            chosen = bdds.attempt(Conjunction(bdds, (designated,)).also(chosen).whole)
        found = self._of(updated if action is given else bdds.attempt(updated.tidied), chosen)
        if not bdds.attempt(found._among_designated(None).satisfiable):
            raise self._impossible(action)
        return found

    def _impossible(self, action: ActionModel) -> FalseAnnouncement:
        wanted = s.disjunction(action.events[e].pre for e in action.designated)
        return self._nothing_left(wanted, action.name.replace("_", " "))

    def _nothing_left(self, f: Formula, what: str) -> FalseAnnouncement:
        designated = self.designated
        few = [state_text(state) for state in islice(designated, 6)]
        return FalseAnnouncement(f, few, what=what, count=designated.size)

    def generated(self) -> SymbolicStructure:
        """Return the structure of the states that are reachable from the designated states."""
        if self._chosen is None:
            return self
        law, bdds = self.space.law, self.space.bdds
        steps = [relation.accessible for relation in self.space.relations.values()]
        found = bdds.attempt(grown, law, bdds.attempt(law.states(self._chosen).whole), steps)
        kept = bdds.attempt(factor, bdds, found.diagram, found.support)
        return self._of(self.space.with_law(kept), self._chosen)

    def to_explicit(self) -> KripkeModel:
        """Return the explicit model: its worlds are the states."""
        from kripke_werewolf.logic.symbolic.translation import to_explicit

        return to_explicit(self)


class KnowledgeStructure(SymbolicStructure):
    """A knowledge structure: vocabulary, state law, observables; designated states.

    `vocabulary`: the names of the atoms, in the order of the diagrams, related ones close together.
    `law`: a boolean formula; the states are the sets of atoms that satisfy it; or a list of these
    states. `observables`: for each agent the atoms whose truth values it sees. `designated`: a
    formula, or states as sets of true atoms; by default all. `variables`: for `Kv_a(x)`,
    {x: {value: formula}}. `bdds`: the manager of the diagrams, which can set another memory limit. `ranks`:
    for an agent that finds some states more plausible than others, boolean formulas; the rank of a state is
    the number of those that are true at it, so that distances are easily written.

    >>> muddy = KnowledgeStructure(["m1", "m2"], "m1 | m2", {1: ["m2"], 2: ["m1"]})
    >>> muddy.size, muddy.count("K_1 m1"), muddy.announce("~K_1 m1 & ~K_2 m2").size
    (3, 1, 1)
    >>> tidy = KnowledgeStructure(["x", "y"], True, {"a": []}, ranks={"a": ["x", "y"]})
    >>> tidy.valid("B_a ~(x | y) & B_a^{x | y} (x ^ y)")
    True

    Raises `UnknownAtomError` for observables outside the vocabulary, and `ModelError` for a law
    that no state satisfies.
    """

    __slots__ = ()

    def __init__(
        self,
        vocabulary: Iterable[str],
        law: FormulaLike | Sequence[Iterable[str]],
        observables: Mapping[Any, Iterable[str]],
        designated: FormulaLike | Iterable[Iterable[str]] | None = None,
        *,
        variables: Mapping[str, Mapping[Any, FormulaLike]] | None = None,
        bdds: Oxidd | None = None,
        ranks: Mapping[Any, Sequence[FormulaLike]] | None = None,
    ) -> None:
        space, sets = _read(vocabulary, observables, {}, variables, bdds), dict[str, list[Factor]]()
        for agent, counted in (ranks or {}).items():
            name = check_known(agent_name(agent), space.relations, UnknownAgentError)
            sets[name] = [_boolean_truth(space, formula(f), f"the ranks of agent {name!r}") for f in counted]
        self._fill(space.bdds.attempt(space.ranked, sets), None)
        self._govern(law, designated)

    @classmethod
    def from_explicit(cls, model: KripkeModel) -> SymbolicStructure:
        """Return the structure of an explicit model, with hidden variables if atoms do not suffice.

        A belief structure if some relation is not an equivalence.
        """
        from kripke_werewolf.logic.symbolic.translation import from_explicit

        return from_explicit(model)


class BeliefStructure(SymbolicStructure):
    """A belief structure: vocabulary, state law, a relation between states for each agent.

    `relations`: for each agent, a boolean formula over the atoms and, with a prime, the same atoms at the
    accessible state: `"p' -> p"`. `observables`: for each agent, atoms on which accessible states also agree;
    an agent may have either or both. The rest is as for `KnowledgeStructure`.

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
        bdds: Oxidd | None = None,
    ) -> None:
        self._fill(_read(vocabulary, observables or {}, relations, variables, bdds), None)
        self._govern(law, designated)


def _restored(*parts: Any) -> SymbolicStructure:
    return SymbolicStructure._of(*restored(*parts))


# --- reading what a structure is given -------------------------------------------------------------


def _read(
    vocabulary: Iterable[str],
    observables: Mapping[Any, Iterable[str]],
    links: Mapping[Any, FormulaLike],
    variables: Mapping[str, Mapping[Any, FormulaLike]] | None,
    bdds: Oxidd | None,
) -> DiagramSpace:
    """Return the space of all sets of atoms, with observables and relations."""
    names = list(vocabulary)
    for name in names:
        if not isinstance(name, str) or not name:
            raise ModelError(f"an atom needs a nonempty name, got {name!r}")
    if len(set(names)) < len(names):
        twice = next(n for n in names if names.count(n) > 1)
        raise ModelError(f"atom {twice!r} appears twice in the vocabulary")
    manager = bdds or Oxidd()
    numbers = dict(zip(names, manager.declare(len(names)), strict=True))
    law = Law(Conjunction(manager), variable_set(numbers.values()))
    read = {agent_name(a): formula(f) for a, f in links.items()}
    seen = {agent_name(a): list(atoms) for a, atoms in observables.items()}
    valuation = {n: Factor(manager.variable(v), 1 << v) for n, v in numbers.items()}
    primed = {n + "'": Factor(manager.variable(v + 1), 1 << v + 1) for n, v in numbers.items()}
    doubled = DiagramSpace(manager, numbers, primed | valuation, law, {}, {})
    relations = {}
    for agent in {**seen, **read}:
        for atom in seen.get(agent, ()):
            check_known(atom, numbers, UnknownAtomError, place=f"the observables of agent {agent!r}")
        observed = variable_set(numbers[a] for a in seen.get(agent, ()))
        link: tuple[Factor, ...] = ()
        if agent in read:
            clash = next((n for n in names if n + "'" in numbers), None)
            if clash is not None:
                raise ModelError(f"atom {clash + chr(39)!r} cannot be told from the primed atom {clash!r}")
            link = (_boolean_truth(doubled, read[agent], f"the relation of agent {agent!r}"),)
        relations[agent] = Relation(0, link).meet(manager, Relation(observed))
    return DiagramSpace(manager, numbers, valuation, law, relations, read_variables(variables))


def _boolean_truth(space: DiagramSpace, f: Formula, place: str) -> Factor:
    """Return the truth set of a Boolean formula; `place` is for the error message."""
    for node in f.subformulas():
        if not node.pointwise:
            raise FormulaError(f"{place} must be a boolean formula of atoms; it contains {node}")
    for atom in sorted(f.atoms):
        check_known(atom, space.valuation, UnknownAtomError)
    return space.truths(f)[0]


def _listed(space: DiagramSpace, states: Sequence[Iterable[str]]) -> Factor:
    """Return the diagram of a list of states."""
    rows = [variable_set(space.numbers(frozenset(state))) for state in states]
    order = sorted(space.vocabulary.values(), key=space.bdds.level)
    return Factor(space.bdds.attempt(assembled, space.bdds, rows, order), space.law.scope)
