"""Spaces, in which formulas are evaluated: an algebra of truth sets and relations.

A *space* has worlds, a relation for each agent, and the truth set of each atom. A truth set may be an integer
whose bits are worlds (`semantics.bits`), a numpy array (`semantics.arrays`) or a decision diagram
(`symbolic.diagrams`): anything with & | ^. This module has their common parts: the evaluation of all
subformulas of a formula, children first, each once; the spaces after updates inside a formula; and the copies
of worlds made by a product update. The declarations of the operators contain the rest.

The evaluation uses an explicit stack, so deep formulas and deeply nested updates cause no recursion errors.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import chain
from math import inf
from operator import or_
from threading import RLock
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Self, TypeVar

from kripke_werewolf.base.errors import (
    FormulaError,
    ModelError,
    ModelTooLarge,
    UnknownActionError,
    UnknownAgentError,
    UnknownAtomError,
    UnknownVariableError,
    check_known,
)
from kripke_werewolf.base.grouping import grouped, remembered
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.operators import Scope
from kripke_werewolf.logic.formulas.syntax import Formula, FormulaLike, formula
from kripke_werewolf.logic.semantics.contraction import merged_blocks, probable_agents
from kripke_werewolf.logic.semantics.ranks import Ranked

if TYPE_CHECKING:
    from kripke_werewolf.logic.semantics.action import ActionModel

S = TypeVar("S")

DEFAULT_LIMIT = 20_000_000  # worlds that an update may produce unless the caller allows more
_evaluating = RLock()  # one thread at a time, since another could clear the memo


class Copy(NamedTuple, Generic[S]):
    """A copy of the worlds at which an event happens, made by an update.

    `event`: the number of the event; `worlds`: where it can happen; `post`: the new truth sets of atoms that
    change; `chosen`: where it is a designated event. `merged`: the events that the copy stands for, each with
    its worlds; several only if no agent can tell them apart.
    """

    event: int
    worlds: S
    post: Mapping[str, S]
    chosen: S
    merged: tuple[tuple[int, S], ...]


class Together(str):
    """The name of an additional agent of a space, who sees what all members of a group see, or all if empty.

    Bisimulation then preserves what the group knows together.
    """

    __slots__ = ("members",)
    members: tuple[str, ...]

    def __new__(cls, members: tuple[str, ...]) -> Together:
        """Return the name for a group."""
        found = super().__new__(cls, f"D_{{{','.join(members)}}}")
        found.members = members
        return found


class Space(Ranked[S]):
    """Worlds, relations and truth sets of atoms, with the truth sets evaluated so far (`memo`)."""

    __slots__ = ("_after", "_groups", "_joint", "memo")
    remembered: ClassVar[float] = inf
    """The number of formulas whose truth sets a space keeps from one query to the next."""
    _after: dict[Any, tuple[Space[S], Callable[[S], S]]]
    _groups: dict[Any, Any]
    _joint: dict[Any, Any]  # the relations of groups

    def __init__(self) -> None:
        self.memo, self._after, self._groups, self._joint = {}, {}, {}, {}

    def with_facts(self, facts: Mapping[str, S]) -> Self:
        """Return the space with the truth sets of some atoms replaced, or with further atoms."""
        raise FormulaError("orders of plausibility cannot be changed here; ask a KripkeModel")

    # --- relations -------------------------------------------------------------------------------

    def met(self, group: tuple[str, ...]) -> Any:  # noqa: D102 - inherited
        known = self.relations.get(Together(group))
        if known is not None:
            return known
        if not group:
            return self.total
        return self._group("met", group, lambda relations: reduce(self.meet, relations))

    def joined(self, group: tuple[str, ...], within: Formula = s.TRUE) -> Any:  # noqa: D102 - inherited
        inside = self.all if within is s.TRUE else self.memo[within]
        return self._group(("joined", within), group, lambda relations: self.join(relations, inside))

    @property
    def total(self) -> Any:  # noqa: D102 - inherited
        return self._group("total", (), lambda _: self.make_total())

    def _group(self, what: object, group: tuple[str, ...], make: Callable[[list[Any]], Any]) -> Any:
        return remembered(self._joint, (what, group), lambda: make([self.relations[a] for a in group]))

    @abstractmethod
    def meet(self, left: Any, right: Any) -> Any:
        """Return the intersection of two relations."""

    @abstractmethod
    def join(self, relations: list[Any], within: S) -> Any:
        """Return the relation of one or more steps along any of the relations, each to a world in a set."""

    @abstractmethod
    def make_total(self) -> Any:
        """Return the total relation: every world sees every world."""

    # --- the fold --------------------------------------------------------------------------------

    def truth(self, f: Formula) -> S:
        """Return the truth set of a formula; its names are known to occur here."""
        found = self.memo.get(f)
        return self._evaluate(f) if found is None else found

    def _evaluate(self, f: Formula) -> S:
        memo = self.memo
        with _evaluating:
            if len(memo) > self.remembered:
                self.forget()
            if f.is_scattered:
                stack = [self._steps(f)]
                while stack:
                    task = next(stack[-1], None)
                    if task is None:
                        stack.pop()
                    else:
                        stack.append(task[0]._steps(task[1]))
            else:
                for g in f.below:
                    if g not in memo:
                        memo[g] = self.evaluated(g)
                memo[f] = self.evaluated(f)
            return memo[f]

    def forget(self) -> None:
        """Clear the memo of truth sets."""
        self.memo.clear()
        self._after.clear()
        self._groups.clear()
        self._joint.clear()

    def _steps(self, f: Formula) -> Iterator[tuple[Any, Formula]]:
        """Evaluate a formula; yield the formulas to evaluate in other spaces first, with their spaces."""
        memo = self.memo
        for g in (*f.below, f):
            if g not in memo:
                if g.scattered:
                    for space, h in g.elsewhere(self):
                        if h not in space.memo:
                            yield space, h
                memo[g] = self.evaluated(g)

    def evaluated(self, f: Formula) -> S:
        """Return the truth set of a formula whose dependencies are in the memo."""
        return f.truth(self)

    # --- probability -----------------------------------------------------------------------------

    def chances(self, agent: str, inside: S) -> Any:
        """Return an agent's probabilities of a truth set, each with the worlds where it has it."""
        raise NotImplementedError

    def compared(self, node: s.Probability) -> S:  # noqa: D102 - inherited
        sums: dict[Fraction, Any] = {Fraction(0): self.all}
        for term in node.terms:
            chances = self.chances(term.agent, self.memo[term.body])
            added = (
                (total + term.coefficient * value, here & there)
                for value, here in chances.items()
                for total, there in sums.items()
            )
            sums = level_sets(added, self.may_hold)
        return self.any_of([worlds for value, worlds in sums.items() if node.holds(value, node.bound)])

    # --- spaces inside formulas ------------------------------------------------------------------

    @property
    def unbound(self) -> Space[S]:  # noqa: D102 - inherited
        return self

    def instances(self, node: s.Quantifier) -> list[tuple[Space[S], Formula]]:  # noqa: D102 - inherited
        return remembered(self._groups, node, lambda: [(self, f) for f in node.instances()])

    def quantified(self, node: s.Quantifier, sets: list[S]) -> S:  # noqa: D102 - inherited
        return self.all_of(sets) if node.every else self.any_of(sets)

    def after(self, node: s.Dynamic, *, exact: bool = False) -> tuple[Space[S], Callable[[S], S]]:
        """Return the space after the update of a formula, and the map that takes its truth sets back.

        The map takes a set to the worlds at which some designated event leads into it. A space that has grown
        is contracted as far as the body of the formula allows (not if `exact`).
        """
        from kripke_werewolf.logic.semantics.action import action_of

        action, made = action_of(node), (node.label, node.children[:-1])
        keep = None if exact or action is None else needs(node.body, self.variables)[1:4]
        if (made, keep) not in self._after:
            update, found = node.update, (self, lambda inside: inside)
            if isinstance(update, s.Upgrade):
                inside = self.memo[update.content]
                found = self.upgraded(inside, conservative=update.kind == "conservative"), found[1]
            elif action is None:
                found = self.restricted(self.memo[node.children[0]])
                found[0].check_variables("the announcement", frozenset())
            else:
                space, prior = self.prioritised(action)
                found = space.product(prior)
                found[0].check_variables(repr(action.name), action.changed)
                if prior is not action:
                    found = found[0].tidied(), found[1]
            if keep is not None:
                whole, found = found, self._contracted(found, *keep)
                if whole is found:
                    self._after[made, None] = whole
            self._after[made, keep] = found
        return self._after[made, keep]

    def check_variables(self, update: str = "", changed: Collection[str] | None = None) -> None:
        """Raise `ModelError` if a declared variable has two values at some world.

        `update`: the words for the update that made the space; `changed`: the atoms that it changed, so that
        variables which cannot have got two values by it need not be evaluated.
        """
        for name, values in self.variables.items():
            given = values.values()
            if changed is not None and all(f.is_boolean and f.atoms.isdisjoint(changed) for f in given):
                continue
            if any(f.atoms - self.valuation.keys() or f.agents - self.relations.keys() for f in given):
                continue  # reported when the variable is used
            held = [self.unbound.truth(f) for f in given]
            world = self.example(self.counted(held, 2, len(held)))
            if world is not None:
                when = f" after {update}" if update else ""
                raise ModelError(f"variable {name!r} has two values at {world}{when}; they must be exclusive")

    def example(self, inside: S) -> str | None:
        """Return the words for one world of a truth set; None if it is empty."""
        return "some world" if self.some(inside) else None

    def _contracted(
        self, found: tuple[Space[S], Callable[[S], S]], distributed: bool, probable: bool, whole: bool
    ) -> tuple[Space[S], Callable[[S], S]]:
        space, before = found
        smaller = space.contracted_after(self, distributed=distributed, probable=probable, whole=whole)
        if smaller is None:
            return found
        contracted, unfold = smaller
        return contracted, lambda inside: before(unfold(inside))

    def contracted_after(
        self, before: Self, *, distributed: bool, probable: bool, whole: bool
    ) -> tuple[Space[S], Callable[[S], S]] | None:
        """Return a contraction and the map back to its worlds, if the space has grown enough.

        It preserves what groups know together, probabilities, and what is true everywhere, if wanted.
        """
        return None

    @abstractmethod
    def restricted(self, inside: S) -> tuple[Space[S], Callable[[S], S]]:
        """Return the subspace of the given worlds, and the map that takes its sets back."""

    @abstractmethod
    def product(self, action: ActionModel) -> tuple[Space[S], Callable[[S], S]]:
        """Return the product update, and the map back; formulas of the action are in the memo."""

    # --- what an update makes --------------------------------------------------------------------

    def copies(self, action: ActionModel, *, merge: bool = False) -> list[Copy[S]]:
        """Return the copies of the worlds made by an action, one for each event.

        With `merge`, events that no agent here can tell apart and that make the same changes share a copy;
        those that change nothing where they happen are merged with those that never do. The same formulas are
        true: a copy has the accessibility of each of its events, each agent gives it the sum of their
        weights, and no group confuses it with more copies than any of them.
        """
        happens = [self.truth(event.pre) for event in action.events.values()]
        posts = [
            {atom: self.truth(value) for atom, value in event.post.items()}
            for event in action.events.values()
        ]
        designated = set(action.designated)
        chosen = {e for e, name in enumerate(action.events) if name in designated}
        if not merge:
            none = self.any_of([])
            return [
                Copy(e, worlds, posts[e], worlds if e in chosen else none, ((e, worlds),))
                for e, worlds in enumerate(happens)
            ]
        found = []
        for alike in action._kinds(self.relations):
            silent = next((same for same in alike if not posts[same[0]]), None)
            quiet = [(e, happens[e]) for e in silent or ()]
            for same in alike:
                post, parts = posts[same[0]], [(e, happens[e]) for e in same]
                if same is silent:
                    continue
                if silent is not None:
                    changes = self.any_of([self.odd_of([x, self.fact(atom)]) for atom, x in post.items()])
                    nothing = self.complement(changes)
                    quiet += [(e, self.all_of([worlds, nothing])) for e, worlds in parts]
                    parts = [(e, self.all_of([worlds, changes])) for e, worlds in parts]
                found.append(self._copy(parts, post, chosen))
            if quiet:
                found.append(self._copy(quiet, {}, chosen))
        return [copy for copy in found if self.may_hold(copy.worlds)]

    def may_hold(self, inside: S) -> bool:
        """Return whether a truth set has worlds, as far as this is known quickly."""
        return self.some(inside)

    def _copy(self, merged: list[tuple[int, S]], post: Mapping[str, S], chosen: Container[int]) -> Copy[S]:
        """Return the copy made by some events, each at its worlds."""
        worlds = self.any_of([worlds for _, worlds in merged])
        pointed = worlds
        if not all(e in chosen for e, _ in merged):
            pointed = self.any_of([worlds for e, worlds in merged if e in chosen])
        return Copy(merged[0][0], worlds, post, pointed, tuple(merged))


class Worlds(Space[S]):
    """A space with numbered and named worlds: the two representations of `KripkeModel`."""

    __slots__ = ()
    weights: Mapping[str, Any]

    # --- sets --------------------------------------------------------------------------------------

    def example(self, inside: S) -> str | None:  # noqa: D102 - inherited
        return next((f"world {self.name(world)!r}" for world in self.members(inside, 1)), None)

    @abstractmethod
    def name(self, world: int) -> Hashable:
        """Return the name of a world."""

    @abstractmethod
    def find(self, name: object) -> int | None:
        """Return the world with a name, or None."""

    @abstractmethod
    def named(self, inside: S) -> list[Hashable]:
        """Return the names of the worlds in a set, in order."""

    @abstractmethod
    def set_of(self, worlds: Sequence[int]) -> S:
        """Return the set of the given worlds."""

    @abstractmethod
    def has(self, inside: S, world: int) -> bool:
        """Return whether a set contains a world."""

    @abstractmethod
    def count(self, inside: S) -> int:
        """Return the number of worlds in a set."""

    @abstractmethod
    def members(self, inside: S, most: int | None = None) -> list[int]:
        """Return the first worlds of a set, ascending, at most `most`."""

    # --- relations ---------------------------------------------------------------------------------

    def sees(self, relation: Any, world: int) -> S:
        """Return the successors of a world."""
        return self.steps(relation, self.set_of([world]))

    @abstractmethod
    def steps(self, relation: Any, inside: S) -> S:
        """Return the successors of the worlds in a set."""

    @abstractmethod
    def reachable(self, start: S) -> S:
        """Return the worlds reachable from a set, itself included."""

    @abstractmethod
    def classes(self, agent: str) -> list[list[int]] | None:
        """Return the classes of an agent's relation; None if it is not an equivalence."""

    @abstractmethod
    def cells(self, agent: str) -> tuple[list[int], list[list[int]]]:
        """Return the cell of each world, and for each cell the worlds that the agent sees from it."""

    def pairs(self, agent: str) -> Iterator[tuple[int, int]]:
        """Yield the pairs (w, v) such that an agent considers v possible at w; the worlds have no gaps."""
        labels, seen = self.cells(agent)
        worlds = grouped((cell, w) for w, cell in enumerate(labels))
        sees = [sorted(chain.from_iterable(worlds.get(cell, ()) for cell in cells)) for cells in seen]
        return ((w, v) for w, cell in enumerate(labels) for v in sees[cell])

    @abstractmethod
    def weigh(self, agent: str, inside: S) -> int:
        """Return the total weight of a set of worlds for an agent."""

    @abstractmethod
    def listed_weights(self, agent: str) -> list[int]:
        """Return an agent's weight of each world; the worlds have no gaps."""

    @abstractmethod
    def edge_count(self, agent: str) -> int:
        """Return the number of pairs in an agent's relation."""

    @abstractmethod
    def unweighed(self, agent: str) -> int | None:
        """Return a world whose successors for the agent all have weight 0; None if there is none."""

    # --- other spaces --------------------------------------------------------------------------------

    @abstractmethod
    def tidy(self, points: S | None, small: int) -> tuple[Worlds[Any], Any]:
        """Return the space without gaps, one of few worlds as bits, and the designated worlds in it."""

    def asked(self) -> Self:
        """Return the space for one query, with its own memo if truth sets are large."""
        return self

    def check_size(self, action: ActionModel, copies: Sequence[Copy[S]], limit: int = DEFAULT_LIMIT) -> int:
        """Return the number of worlds made by an update; raises `ModelTooLarge` above a limit."""
        size = sum(self.count(copy.worlds) for copy in copies)
        if size > limit:
            advice = "use fewer events, announce something first, contract the model, or raise limit="
            raise ModelTooLarge(size, limit, f"the product with {action.name!r}", advice)
        return size

    @abstractmethod
    def with_worlds(self, inside: S) -> Self:
        """Return the subspace of the given worlds."""

    def united(self, points: S) -> tuple[Self, S]:
        """Return the space with equal copies merged, and the image of the designated worlds.

        Two worlds are equal copies if they have the same true atoms, and the same successors and predecessors
        for every agent. Merging them preserves K, C and D; their weights are added.
        """
        agents = probable_agents(self, self.relations)
        columns = [column for relation in self.relations.values() for column in relation.places(self.all)]
        smaller, merged = self.quotient(self.refined(agents, columns), agents)
        return smaller, merged(points)

    @abstractmethod
    def with_relations(self, relations: Mapping[str, Any]) -> Self:
        """Return the space with the given relations."""

    @abstractmethod
    def taken(self, inside: S, kept: S) -> S:
        """Return a set in the numbering of the subspace of the worlds `kept`."""

    @abstractmethod
    def paired(self, action: ActionModel, copies: Sequence[Copy[S]], points: S | None) -> tuple[Self, S]:
        """Return the space of the copies made by an update, and the designated copies of `points`."""

    def contracted(self, *, distributed: bool, probable: bool) -> tuple[Self, Callable[[S], S]]:
        """Return the bisimulation contraction, and the map of sets to it; see `KripkeModel.contract`.

        `distributed`: preserve distributed knowledge; `probable`: preserve the probabilities of all agents.
        """
        return self.quotient(*merged_blocks(self, distributed=distributed, probable=probable))

    @abstractmethod
    def started(self, columns: Iterable[Sequence[Any]] = ()) -> Any:
        """Return a number for each world, the same for those that agree in true atoms and in each column.

        Numbers begin with 0 and have no gaps; -1 stands where there is no world.
        """

    @abstractmethod
    def refined(self, agents: Collection[str], columns: Iterable[Sequence[Any]] = ()) -> Any:
        """Return the blocks of bisimilar worlds; `block` is that of each world.

        They agree in each column, and `agents` give the blocks seen from them the same probabilities.
        """

    @abstractmethod
    def quotient(self, found: Any, agents: Collection[str]) -> tuple[Self, Callable[[S], S]]:
        """Return the space of the blocks found, each as its first world, and the map of sets to it.

        Some agents keep their weights, which are added; others have equal ones, or no probabilities.
        """

    @abstractmethod
    def canonical(self, points: S, *, probable: bool = False) -> tuple[Worlds[Any], Any, Hashable]:
        """Return a canonical form of the worlds reachable from some points, the points in it, and a key.

        Two spaces with the same agents and atoms have the same key iff they are bisimilar at the points; with
        `probable`, iff they also agree on probabilities. The canonical form is the bisimulation contraction
        with its worlds in an order that depends on nothing else; it has no probabilities. With `probable` the
        form keeps them, and may then have more worlds, in another order.
        """

    @abstractmethod
    def unweighted(self) -> Self:
        """Return the space in which no agent has probabilities."""

    def near(self, points: S, depth: int) -> tuple[Self, S]:
        """Return a space that satisfies the same formulas up to a depth at the points, and the points in it.

        Probabilities are not preserved. Only worlds at most `depth` steps away are kept; the last ones see
        nothing, and worlds that no formula of the remaining depth tells apart are merged.
        """
        if self.is_ordered:
            raise ModelError("orders of plausibility are not kept with depth=")
        looking, kept = self.complement(self.all), points
        for _ in range(depth):
            looking = kept
            kept = self.any_of([kept, *(self.steps(r, looking) for r in self.relations.values())])
        inner, there = self.with_worlds(kept), self.taken(looking, kept)
        seeing = {agent: relation.leaving(there) for agent, relation in inner.relations.items()}
        blind = inner.with_relations(seeing).unweighted()
        smaller, merged = blind.contracted(distributed=False, probable=False)
        return smaller, merged(self.taken(points, kept))

    @abstractmethod
    def may_lose(self, updated: Any) -> tuple[Mapping[str, Any], Any]:
        """Return the relations that may have lost a property in an update, with their worlds."""

    @abstractmethod
    def part(self, agents: Collection[str], atoms: Iterable[str]) -> Self:
        """Return the space restricted to these agents and atoms."""

    def listed_ranks(self, agent: str) -> list[int]:
        """Return an agent's rank of each world; the worlds have no gaps."""
        found = [0] * self.count(self.all)
        for rank, level in enumerate(self.levels(agent)):
            for world in self.members(level):
                found[world] = rank
        return found

    @abstractmethod
    def same_as(self, other: Any) -> bool:
        """Return whether a space with the same names has equal relations, truth sets, weights and ranks."""
        return all(
            self.same_pairs(r, other.relations[agent])
            and self.listed_ranks(agent) == other.listed_ranks(agent)
            for agent, r in self.relations.items()
        )

    @abstractmethod
    def same_pairs(self, left: Any, right: Any) -> bool:
        """Return whether two relations have the same pairs of worlds."""

    @abstractmethod
    def reordered(self, worlds: Sequence[int]) -> Self:
        """Return the space with the same worlds in another order; the space has no gaps."""


# --- numbers that depend on the world ------------------------------------------------------------


def level_sets(parts: Iterable[tuple[Any, S]], some: Callable[[S], bool]) -> dict[Any, S]:
    """Return for each value the worlds where a function has it, given several sets of them.

    `some`: returns whether a set of worlds is to be kept.
    """
    kept = grouped((value, worlds) for value, worlds in parts if some(worlds))
    return {value: reduce(or_, worlds) for value, worlds in kept.items()}


def event_shares(
    sizes: Sequence[Any],
    sights: Mapping[str, Sequence[int]],
    copies: Sequence[Copy[S]],
    everywhere: S,
    some: Callable[[S], bool],
) -> dict[str, list[dict[tuple[Any, Any], S]]]:
    """Return the factors by which each copy changes an agent's weights of worlds, each with the worlds.

    An agent splits the weight of a world among the events that it confuses there: the factor of a copy is the
    size of its events, divided by that of all possible events that the agent confuses with them: a pair
    (part, whole). It is 1 for an event that the agent does not consider possible when it happens.
    """

    def summed(parts: Sequence[tuple[Any, Any]], within: Any) -> dict[Any, Any]:
        sums = {0: within}
        for size, worlds in parts:
            inside = [(total + size, here & worlds) for total, here in sums.items()]
            sums = level_sets(inside + [(total, here & ~worlds) for total, here in sums.items()], some)
        return sums

    happening = [part for copy in copies for part in copy.merged]
    known: dict[Any, dict[Any, Any]] = {}

    def factors(copy: Copy[S], seen: int) -> dict[tuple[Any, Any], Any]:
        alone = not seen >> copy.event & 1
        own: dict[Any, Any] = {1 if alone else sizes[copy.event]: copy.worlds}
        if len(copy.merged) > 1:
            own = summed([(1 if alone else sizes[e], worlds) for e, worlds in copy.merged], copy.worlds)
        if alone:
            return {(part, 1): worlds for part, worlds in own.items()}
        if seen not in known:
            known[seen] = summed([(sizes[e], at) for e, at in happening if seen >> e & 1], everywhere)
        both = [((part, n), here & there) for part, here in own.items() for n, there in known[seen].items()]
        return level_sets(both, some)

    found: dict[str, list[dict[tuple[Any, Any], S]]] = {agent: [] for agent in sights}
    for agent, sight in sights.items():
        for k, copy in enumerate(copies):
            key = k, sight[copy.event]
            if key not in known:
                known[key] = factors(copy, sight[copy.event])
            found[agent].append(known[key])
    return found


# --- names ---------------------------------------------------------------------------------------


def read_variables(given: Mapping[str, Mapping[Any, FormulaLike]] | None) -> dict[str, dict[str, Formula]]:
    """Read the variables of `Kv`: for each, its values and the formulas that define them."""
    found = {}
    for name, values in (given or {}).items():
        if not isinstance(values, Mapping):
            raise FormulaError(f"variable {name!r} must be given as {{value: formula}}, got {values!r}")
        if not values:
            raise FormulaError(f"variable {name!r} needs at least one value")
        found[name] = {str(value): formula(f) for value, f in values.items()}
        for value, f in found[name].items():
            # it would have to be evaluated to know whether it can be
            if any(isinstance(node, s.KnowsValue | s.Dynamic) for node in f.subformulas()):
                raise FormulaError(
                    f"value {value!r} of variable {name!r} must be a formula without Kv and updates; got {f}"
                )
    return found


def check_formula_names(space: Space[Any], f: Formula) -> None:
    """Raise an `UnknownNameError` if a formula mentions names that a space does not have.

    The check looks into the actions that the formula names and into the variables of `Kv` as well.
    """
    agents, atoms = space.relations.keys(), space.valuation.keys()
    if agents >= f.agents and atoms >= f.atoms and not f.is_scattered:
        return
    from kripke_werewolf.logic.formulas.names import meant_by_agent, meant_by_atom

    asked, shown = [f], space.atoms
    for node in s.nodes_within(f):
        match node:
            case s.Dynamic(s.Act(name, event, action), _):
                if action is None:
                    raise UnknownActionError.unbound(name)
                if event is not None:
                    action.point(event)
            case s.KnowsValue(_, variable):
                check_known(variable, space.variables, UnknownVariableError)
                asked += space.variables[variable].values()
    for g in asked:
        for agent in sorted(g.agents - agents):
            raise UnknownAgentError(agent, agents, meant=meant_by_agent(agent, agents))
        for atom in sorted(g.atoms - atoms):
            raise UnknownAtomError(atom, shown, meant=meant_by_atom(atom))


class Needs(NamedTuple):
    """The properties of a model that the truth value of a formula depends on.

    `depth`: its modal depth, infinite for common knowledge. `distributed`, `probable`: whether it depends
    on distributed knowledge and on probabilities, which bisimulation does not preserve. `whole`: whether it
    depends on unreachable worlds. `valued`: whether it depends on the values of variables.
    """

    depth: float = 0
    distributed: bool = False
    probable: bool = False
    whole: bool = False
    valued: bool = False

    def __or__(self, other: Needs) -> Needs:
        flags = (mine or theirs for mine, theirs in zip(self[1:], other[1:], strict=True))
        return Needs(max(self.depth, other.depth), *flags)

    def after(self, other: Needs) -> Needs:
        """Return the needs before an update that is followed by something with needs `other`."""
        return (self | other)._replace(depth=self.depth + other.depth)


_EVERYTHING = Needs(inf, distributed=True, probable=True, whole=True)  # but values of variables
_STEPS = {
    Scope.REACH: Needs(inf),
    Scope.MEET: Needs(1, distributed=True),
    Scope.WORLDS: Needs(inf, whole=True),
    Scope.BELIEF: Needs(inf),
}


def needs(f: Formula | ActionModel, variables: Mapping[str, Mapping[str, Formula]]) -> Needs:
    """Return the needs of a formula or an action, given the variables of the model."""
    found = _needs(f) if isinstance(f, Formula) else _needs_of(f)
    if found.valued:
        for value in (value for values in variables.values() for value in values.values()):
            found |= _needs(value)._replace(depth=_needs(value).depth + found.depth)
    return found


def _needs(f: Formula) -> Needs:
    """Return the needs of a formula, except those of the values of variables."""
    key = "needs"
    for node in f.ordered(lambda g: () if key in g._found else g.children):
        if key not in node._found:
            inner = [g._found[key] for g in node.children]
            found = reduce(or_, inner, Needs())
            match node:
                case s.Modal():
                    found = found.after(_STEPS.get(node.scope, Needs(1)))
                case s.Probability():
                    found = found.after(Needs(1, probable=True))
                case s.KnowsValue():
                    found = found.after(Needs(1, valued=True))
                case s.Dynamic():
                    found = _needs_after(node, inner)
                case _ if not (node.pointwise or isinstance(node, s.Quantifier)):
                    found |= _EVERYTHING  # an operator that does not declare its needs
            node._found[key] = found
    return f._found[key]  # type: ignore[no-any-return]


def _needs_after(f: s.Dynamic, inner: list[Needs]) -> Needs:
    """Return the needs of a formula about an update, given those of its parts."""
    from kripke_werewolf.logic.semantics.action import action_of

    action = action_of(f)
    if action is None:
        return inner[1].after(inner[0])
    return reduce(or_, inner, Needs()).after(_needs_of(action))


def _needs_of(action: ActionModel) -> Needs:
    """Return the needs of the formulas of an action."""
    return action._once("needs", lambda: reduce(or_, map(_needs, action.formulas), Needs()))
