"""The third carrier: truth sets as decision diagrams.

A state assigns a truth value to every variable and satisfies the law. An atom is a *fact*: a function of the
variables, initially a single variable. A factual change replaces the function, so the variable keeps the old
value for the agents who observed it.

An update adds variables for the event that happened; the law says where it can happen, and agents observe the
variables that they see (van Benthem, van Eijck, Gattinger and Su 2018, section 3; Gattinger 2018, chapter 2).
The value of a truth set outside the law has no meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from operator import and_, or_, xor
from typing import Any, Self, TypeAlias

from kripke_werewolf.base.errors import UnknownAtomError, UnknownWorldError, check_known
from kripke_werewolf.base.grouping import numbered
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.semantics.action import ActionModel, is_equivalence
from kripke_werewolf.logic.semantics.bits import members
from kripke_werewolf.logic.semantics.space import Copy, Space
from kripke_werewolf.logic.symbolic.bdd import Diagram, Oxidd, Variables, variable_set
from kripke_werewolf.logic.symbolic.conjunction import Conjunction, Factor, balanced, factor, joint_support
from kripke_werewolf.logic.symbolic.relation import Everything, Law, Relation, TransitiveClosure
from kripke_werewolf.logic.symbolic.weights import EventWeights, Levels, Weighting, agent_probability, weights

State: TypeAlias = frozenset[str]


class DiagramSpace(Space[Factor]):
    """A symbolic structure without its designated states.

    `vocabulary`: the variable of each name, in order; `valuation`: the function of each atom. Names that are
    not atoms are hidden: they distinguish states that agree on all atoms. `weightings`: the factors of the
    weights of states. `bound`: atoms that stand for quantified variables. `temporary`: variables added by the
    current query.
    """

    def __init__(
        self,
        bdds: Oxidd,
        vocabulary: Mapping[str, int],
        valuation: Mapping[str, Factor],
        law: Law,
        relations: Mapping[str, Relation],
        variables: Mapping[str, Mapping[str, Formula]],
        weightings: tuple[Weighting, ...] = (),
    ) -> None:
        super().__init__()
        self.bdds, self.vocabulary, self.valuation, self.law = bdds, vocabulary, valuation, law
        self.relations, self.variables, self.weightings = relations, variables, weightings
        self.bound: Mapping[str, Factor] = {}
        self.temporary: list[Variables] = []

    def __reduce__(self) -> tuple[Any, ...]:
        parts = self.vocabulary, self.valuation, self.law, self.relations, self.variables, self.weightings
        return type(self), (self.bdds, *parts)

    def _with(self, **changes: Any) -> Self:
        """Return a space with some components replaced and nothing evaluated yet."""
        names = "vocabulary", "valuation", "law", "relations", "variables", "weightings"
        found = type(self)(self.bdds, *(changes.get(name, getattr(self, name)) for name in names))
        found.bound = changes.get("bound", self.bound)
        found.temporary = changes.get("temporary", self.temporary)
        return found

    # --- one question ------------------------------------------------------------------------------

    def truths(self, *formulas: Formula) -> list[Factor]:
        """Return the truth sets of formulas; common subformulas are evaluated once."""
        space = self._with(temporary=[])
        try:
            return [space.truth(f) for f in formulas]
        finally:
            # no result depends on the variables added by updates and quantifiers inside formulas
            for new in space.temporary:
                self.bdds.release(new)

    def evaluated(self, f: Formula) -> Factor:  # noqa: D102 - inherited
        return self.bdds.attempt(f.truth, self)

    # --- the algebra -------------------------------------------------------------------------------

    @property
    def all(self) -> Factor:  # type: ignore[override]
        """All states."""
        return Factor(self.bdds.true, 0)

    def complement(self, inside: Factor) -> Factor:  # noqa: D102 - inherited
        return ~inside

    def all_of(self, sets: Sequence[Factor]) -> Factor:  # noqa: D102 - inherited
        return balanced(self.bdds, and_, sets, self.bdds.true)

    def any_of(self, sets: Sequence[Factor]) -> Factor:  # noqa: D102 - inherited
        return balanced(self.bdds, or_, sets, self.bdds.false)

    def odd_of(self, sets: Sequence[Factor]) -> Factor:  # noqa: D102 - inherited
        return balanced(self.bdds, xor, sets, self.bdds.false)

    def counted(self, sets: Sequence[Factor], low: int, high: int) -> Factor:  # noqa: D102 - inherited
        bdds = self.bdds
        bounded = high < len(sets)
        most = high + 1 if bounded else low
        # row[j]: at least j of the parts so far; the lowest in the order come first
        row = [bdds.true] + [bdds.false] * most
        support = 0
        for done, p in enumerate(sorted(sets, key=lambda p: bdds.top(p.diagram), reverse=True)):
            support |= p.support
            for j in range(min(most, done + 1), 0, -1):
                row[j] = p.diagram.ite(row[j - 1], row[j])
        found = Factor(row[low], support)
        return found & Factor(~row[most], support) if bounded else found

    def fact(self, atom: str) -> Factor:  # noqa: D102 - inherited
        return self.bound.get(atom) or self.valuation[atom]

    def some(self, inside: Factor) -> bool:  # noqa: D102 - inherited
        return self.law.some(inside)

    def example(self, inside: Factor) -> str | None:  # noqa: D102 - inherited
        found = next(self.assignments(self.law.states(inside)), None)
        return None if found is None else f"state {state_text(self.state(found))}"

    def may_hold(self, inside: Factor) -> bool:  # noqa: D102 - inherited
        return bool(inside.diagram != self.bdds.false)

    def box(self, relation: Any, inside: Factor) -> Factor:  # noqa: D102 - inherited
        return relation.necessary(self.law, inside)  # type: ignore[no-any-return]

    def diamond(self, relation: Any, inside: Factor) -> Factor:  # noqa: D102 - inherited
        return relation.possible(self.law, inside)  # type: ignore[no-any-return]

    def whether(self, relation: Any, inside: Factor) -> Factor:  # noqa: D102 - inherited
        return relation.whether(self.law, inside)  # type: ignore[no-any-return]

    def meet(self, left: Relation, right: Relation) -> Relation:  # noqa: D102 - inherited
        return left.meet(self.bdds, right)

    def join(self, relations: list[Relation], within: Factor) -> TransitiveClosure:  # noqa: D102 - inherited
        return TransitiveClosure(relations, within)

    def make_total(self) -> Everything:  # noqa: D102 - inherited
        return Everything()

    def chances(self, agent: str, inside: Factor) -> Levels:
        """Return an agent's probability of a truth set, as a function of the state."""
        weight = weights(self.bdds, self.weightings, agent)
        return agent_probability(self.law, self.relations[agent], weight, inside)

    # --- spaces inside formulas --------------------------------------------------------------------

    @property
    def unbound(self) -> DiagramSpace:  # noqa: D102 - inherited
        if self.bound and "unbound" not in self._groups:
            self._groups["unbound"] = self._with(bound={})
        return self._groups.get("unbound", self)  # type: ignore[no-any-return]

    def instances(self, node: s.Quantifier) -> list[tuple[Space[Factor], Formula]]:
        """Return the body, with the space in which the atoms are new variables observed by all agents.

        Replacing an atom by true or false is the same as evaluating with a variable that has that value at
        all states; one evaluation replaces two per atom.
        """
        return [(self._binding(node)[0], node.body)]

    def quantified(self, node: s.Quantifier, sets: list[Factor]) -> Factor:  # noqa: D102 - inherited
        return self._projected(node, sets[0], self._binding(node)[1])

    def _projected(self, node: s.Quantifier, inside: Factor, variables: Variables) -> Factor:
        if node.every:
            inside = ~inside
        diagram = self.bdds.exists(inside.diagram, variables & inside.support)
        found = Factor(diagram, inside.support & ~variables)
        return ~found if node.every else found

    def _binding(self, node: s.Quantifier) -> tuple[DiagramSpace, Variables]:
        key = "binding", node.names
        if node.body.acted_on & {*node.names}:
            node.body.substitute(dict.fromkeys(node.names, s.TRUE))  # whose error says what is wrong
        if key not in self._groups:
            new = self.bdds.declare(len(node.names))
            self.temporary.append(variable_set(new))
            bound = {n: Factor(self.bdds.variable(v), 1 << v) for n, v in zip(node.names, new, strict=True)}
            self._groups[key] = self._with(bound={**self.bound, **bound}), variable_set(new)
        return self._groups[key]  # type: ignore[no-any-return]

    def restricted(self, inside: Factor) -> tuple[DiagramSpace, Callable[[Factor], Factor]]:  # noqa: D102
        return self.with_law(inside), inside.__and__

    def with_law(self, *parts: Factor) -> Self:
        """Return the space restricted to the states where the parts are true."""
        return self._with(law=self.bdds.attempt(self.law.also, *parts))

    def with_facts(self, facts: Mapping[str, Factor]) -> Self:  # noqa: D102 - inherited
        return self._with(valuation={**self.valuation, **facts})

    def product(self, action: ActionModel) -> tuple[DiagramSpace, Callable[[Factor], Factor]]:  # noqa: D102
        updated, happens, chosen, new = self.bdds.attempt(self.paired, action, self.copies(action))
        self.temporary.append(new)

        def before(inside: Factor) -> Factor:
            return Conjunction(self.bdds, (*happens, chosen, inside)).eliminate(new).whole()

        return updated, before

    def paired(
        self, action: ActionModel, copies: Sequence[Copy[Factor]], *, named: bool = False
    ) -> tuple[Self, tuple[Factor, ...], Factor, Variables]:
        """Return the space of the copies made by an update, and how it was made.

        Copies are coded in binary in new variables, observed by the agents who can tell all copies apart. An
        agent with another equivalence over them observes the binary code of its class; an agent with any
        other relation gets a link between codes. The new variables lie below the lowest one that a
        precondition depends on; they get names only if `named`. Also returned: the meaning of the codes, the
        designated codes, and the new variables.
        """
        bdds = self.bdds
        sights = {agent: action._sight(agent) for agent in self.relations}
        events = [copy.event for copy in copies]
        # for each agent and copy the numbers of the copies that the agent considers possible at it
        sees = {}
        for agent, sight in sights.items():
            sees[agent] = [sum(1 << k for k, f in enumerate(events) if sight[e] >> f & 1) for e in events]
        # the class number of each copy; None if the relation is not an equivalence
        classes = {a: tuple(numbered(seen)) if is_equivalence(seen) else None for a, seen in sees.items()}
        width = (len(copies) - 1).bit_length()
        shared = {labels: max(labels).bit_length() for labels in classes.values() if labels}
        shared = {labels: size for labels, size in shared.items() if 0 < max(labels) < len(copies) - 1}
        deciding = joint_support(copy.worlds for copy in copies)
        lowest = max(members(deciding), key=bdds.level, default=None)
        new = list(bdds.declare(width + sum(shared.values()), below=lowest))
        code = new[:width]
        everything = variable_set(code)
        literals = [Factor(bdds.variable(v), 1 << v) for v in code]
        at = []
        for k in range(len(copies)):
            signed = [p if k >> place & 1 else ~p for place, p in enumerate(literals)]
            at.append(Factor(self.all_of(signed).diagram, everything))

        def where(wanted: Iterable[int]) -> Factor:
            return Factor(self.any_of([at[k] for k in wanted]).diagram, everything)

        happens = Conjunction(bdds)
        if len(copies) < 1 << width:
            happens = happens.also(factor(bdds, where(range(len(copies))).diagram, everything))
        for here, copy in zip(at, copies, strict=True):
            happens = happens.also(~here | copy.worlds)
        observed: dict[tuple[int, ...], Variables] = {tuple(range(len(copies))): everything}
        start = width
        for labels, size in shared.items():
            label = new[start : start + size]
            start += size
            observed[labels] = variable_set(label)
            for place, v in enumerate(label):
                true_at = where(k for k, cell in enumerate(labels) if cell >> place & 1)
                happens = happens.also(~(Factor(bdds.variable(v), 1 << v) ^ true_at))

        def updated(agent: str, old: Relation) -> Relation:
            labels = classes[agent]
            if labels is not None:
                return old.also(observed[labels]) if max(labels) else old
            edges = [
                here & Factor(bdds.copied(where(members(seen)).diagram, everything), everything << 1)
                for here, seen in zip(at, sees[agent], strict=True)
            ]
            return old.also(0, self.any_of(edges))

        changed = {atom: None for copy in copies for atom in copy.post}
        valuation = dict(self.valuation)
        for atom in changed:
            old = self.valuation[atom]
            found = self.any_of([h & copy.post.get(atom, old) for h, copy in zip(at, copies, strict=True)])
            valuation[atom] = factor(bdds, found.diagram, found.support)
        space = self._with(
            valuation=valuation,
            law=self.law.also(*happens.parts, new=variable_set(new)),
            relations={agent: updated(agent, old) for agent, old in self.relations.items()},
        )
        if named:
            space.vocabulary = self._extended(action.name, changed, new)
        sizes = [event.weight for event in action.events.values()]
        if len(sizes) > 1:
            space.weightings = (*self.weightings, EventWeights(at, copies, sizes, sights))
        return space, happens.parts, self._chosen(at, copies), variable_set(new)

    def _chosen(self, at: Sequence[Factor], copies: Sequence[Copy[Factor]]) -> Factor:
        """Return the designated copies, given their codes."""
        whole = [copy.chosen.diagram == copy.worlds.diagram for copy in copies]
        if all(whole):
            return self.all
        found = [h if w else h & copy.chosen for h, copy, w in zip(at, copies, whole, strict=True)]
        chosen = self.any_of(found)
        return factor(self.bdds, chosen.diagram, chosen.support)

    def _extended(self, action: str, changed: Mapping[str, object], new: list[int]) -> dict[str, int]:
        """Return the vocabulary with names for new variables and new names for those of changed atoms."""
        taken = {*self.vocabulary, *self.valuation}
        hidden = max(0, len(self.vocabulary) - len(self.valuation))

        def fresh(stem: str, number: int) -> str:
            while (name := f"{stem}#{number}") in taken:
                number += 1
            taken.add(name)
            return name

        names = {fresh(name, 1) if name in changed else name: v for name, v in self.vocabulary.items()}
        return names | {fresh(action, hidden + i): v for i, v in enumerate(new, 1)}

    # --- states ------------------------------------------------------------------------------------

    @cached_property
    def derived(self) -> tuple[str, ...]:
        """The atoms that are not, or no longer, the variable with their name."""
        plain = {name: self.bdds.variable(v) for name, v in self.vocabulary.items()}
        return tuple(a for a in self.atoms if self.valuation[a].diagram != plain.get(a))

    def state(self, true: Collection[int]) -> State:
        """Return the state in which exactly the given variables are true: the set of its true names."""
        names = {name for name, v in self.vocabulary.items() if v in true}
        names.update(a for a in self.derived if self.bdds.value(self.valuation[a].diagram, true))
        return frozenset(names)

    def assignment(self, state: Iterable[str]) -> frozenset[int]:
        """Return the variables that are true at a state.

        Raises `UnknownAtomError` for an unknown name, and `UnknownWorldError` if no state of the law has
        exactly these true names.
        """
        if isinstance(state, str) or not isinstance(state, Iterable):
            raise UnknownWorldError(state, (), place="a symbolic structure: give the set of its true atoms")
        names = frozenset(state)
        true = self.numbers(names)
        if self.state(true) != names or not all(self.bdds.value(p.diagram, true) for p in self.law.all.parts):
            raise UnknownWorldError(
                state_text(names), (), kind="state", place="the structure; its law excludes it"
            )
        return true

    def numbers(self, names: Iterable[str]) -> frozenset[int]:
        """Return the variables with these names; raises `UnknownAtomError` for any other name."""
        for name in names:
            if name not in self.vocabulary:
                check_known(name, self.valuation, UnknownAtomError)
        return frozenset(self.vocabulary[n] for n in names if n in self.vocabulary)

    def assignments(self, inside: Conjunction) -> Iterator[frozenset[int]]:
        """Yield the assignments to the vocabulary that satisfy `inside`, by the sets of true variables.

        In lexicographic order of the diagrams' variable order, false before true.
        """
        order = sorted(members(self.law.scope), key=self.bdds.level)
        stack: list[tuple[Diagram, int, Any]] = [(self.bdds.attempt(inside.whole).diagram, 0, None)]
        while stack:
            f, depth, path = stack.pop()
            if f == self.bdds.false:
                continue
            if depth == len(order):
                found = []
                while path is not None:
                    v, path = path
                    found.append(v)
                yield frozenset(found)
                continue
            v = order[depth]
            branch = self.bdds.branch(f)
            _, high, low = branch if branch is not None and branch[0] == v else (v, f, f)
            stack.append((high, depth + 1, (v, path)))
            stack.append((low, depth + 1, path))


def state_text(state: State) -> str:
    """Return the words for a state: its true names."""
    return "{" + ", ".join(sorted(state)) + "}"
