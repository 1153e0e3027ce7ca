"""Kripke models: worlds, one accessibility relation per agent, a valuation, designated worlds."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from kripke_werewolf.errors import ModelError
from kripke_werewolf.language.formulas import Formula, FormulaLike, agent_name, formula
from kripke_werewolf.models.common import reachable
from kripke_werewolf.models.conversions import Conversions
from kripke_werewolf.models.parts import Parts
from kripke_werewolf.models.reading import (
    check_exclusive,
    read_agents,
    read_classes,
    read_designated,
    read_observations,
    read_pairs,
    read_valuation,
    read_variables,
)
from kripke_werewolf.models.relation import Mask, Relation
from kripke_werewolf.models.weights import GivenWeights, read_weights
from kripke_werewolf.models.worlds import Listed, Selected, WorldNames

if TYPE_CHECKING:
    from kripke_werewolf.models.frames import FrameClass
    from kripke_werewolf.semantics.action import ActionModel
    from kripke_werewolf.semantics.explanation import Explanation
    from kripke_werewolf.semantics.verdict import Verdict

__all__ = ["DEFAULT_LIMIT", "KripkeModel"]

# worlds that an update may produce unless the caller allows more
DEFAULT_LIMIT = 20_000_000


class KripkeModel(Parts, Conversions):
    """A (multi-)pointed Kripke model; an immutable value.

    `worlds`: the names, any hashable values. `relations`: for each agent the pairs (w, v) such that
    the agent considers v possible at w. `valuation`: for each atom the worlds where it is true.
    `designated`: the worlds that may be the actual one; by default all of them. `weights`: for each
    agent that does not count all worlds the same, {world: number} (None: it has no probabilities).
    `variables`: for `Kv_a(x)`, {x: {value: formula}}, the formulas being exclusive.

    >>> m = KripkeModel(["w", "v"], {"a": [("w", "w"), ("v", "v"), ("w", "v"), ("v", "w")]}, {"p": ["w"]})
    >>> m.holds("K_a p", at="w")
    False

    Raises `UnknownWorldError` for a pair, atom or designation that names no world, and `ModelError`
    for parts that fit no model. Two models are equal if they have the same worlds, in the same
    order, agents, atoms, relations, truth, designated worlds, weights and variables.
    """

    __slots__ = ()

    def __init__(
        self,
        worlds: Iterable[Hashable],
        relations: Mapping[Any, Iterable[tuple[Hashable, Hashable]]],
        valuation: Mapping[str, Iterable[Hashable]],
        designated: Iterable[Hashable] | Hashable | None = None,
        *,
        weights: Mapping[Any, GivenWeights] | None = None,
        variables: Mapping[str, Mapping[str, FormulaLike]] | None = None,
    ) -> None:
        names = Listed(worlds)
        read = {a: read_pairs(a, pairs, names) for a, pairs in read_agents(relations).items()}
        self._fill(names, read, valuation, designated, weights, variables)

    def _fill(self, names: WorldNames, relations: Mapping[str, Relation], *given: Any) -> Self:
        valuation, designated, weights, variables = given
        self._assign(
            names,
            relations,
            read_valuation(valuation, names),
            read_designated(designated, names),
            read_weights(weights, names, relations),
            read_variables(variables),
            {},
        )
        if variables:
            check_exclusive(self)
        return self

    @classmethod
    def _of_relations(cls, *parts: Any) -> Self:
        return cls.__new__(cls)._fill(*parts)

    # --- other ways to build one -------------------------------------------------------------------

    @classmethod
    def from_partitions(
        cls,
        worlds: Iterable[Hashable],
        classes: Mapping[Any, Iterable[Iterable[Hashable]]],
        valuation: Mapping[str, Iterable[Hashable]],
        designated: Iterable[Hashable] | Hashable | None = None,
        *,
        weights: Mapping[Any, GivenWeights] | None = None,
        variables: Mapping[str, Mapping[str, FormulaLike]] | None = None,
    ) -> Self:
        """Return the S5 model in which each agent's information cells are the given classes.

        >>> m = KripkeModel.from_partitions([1, 2, 3], {"a": [[1, 2], [3]]}, {"p": [1]})
        >>> m.where("M_a p")
        [1, 2]

        Raises `ModelError` for classes that overlap or leave out a world.
        """
        names = Listed(worlds)
        read = {a: read_classes(a, given, names) for a, given in read_agents(classes).items()}
        return cls._of_relations(names, read, valuation, designated, weights, variables)

    @classmethod
    def from_observations(
        cls,
        worlds: Iterable[Hashable],
        observations: Mapping[Any, Callable[[Any], Hashable]],
        valuation: Callable[[Any], Iterable[str]],
        designated: Iterable[Hashable] | Hashable | None = None,
        *,
        atoms: Iterable[str] = (),
        weights: Mapping[Any, GivenWeights] | None = None,
        variables: Mapping[str, Mapping[str, FormulaLike]] | None = None,
    ) -> Self:
        """Return the S5 model in which an agent cannot tell apart the worlds it observes the same in.

        `observations` gives each agent a function of the world; `valuation` returns the atoms that
        are true at a world. `atoms` declares atoms that may be true nowhere.

        >>> m = KripkeModel.from_observations(
        ...     [(0, 0), (0, 1), (1, 0), (1, 1)], {"a": lambda w: w[0]},
        ...     lambda w: [n for n, bit in zip("pq", w) if bit])
        >>> m.where("K_a p"), m.where("Kw_a q")
        ([(1, 0), (1, 1)], [])

        Raises `ModelError` for observations without a hash, and atoms that are not in a collection.
        """
        names = Listed(worlds)
        relations = {a: read_observations(a, seen, names) for a, seen in read_agents(observations).items()}
        rows: dict[str, list[Hashable]] = {atom: [] for atom in atoms}
        for world in names:
            true = valuation(world)
            if isinstance(true, str) or not isinstance(true, Iterable):
                raise ModelError(f"the atoms true at {world!r} must be a collection, got {true!r}")
            for atom in true:
                rows.setdefault(atom, []).append(world)
        return cls._of_relations(names, relations, rows, designated, weights, variables)

    # --- questions ---------------------------------------------------------------------------------

    def truth_set(self, f: FormulaLike, *, actions: Mapping[str, ActionModel] | None = None) -> Mask:
        """Return where a formula is true: a boolean array over the worlds."""
        from kripke_werewolf.semantics.truth import truth_set

        return truth_set(self, _bound(f, actions))

    def holds(
        self, f: FormulaLike, at: Hashable | None = None, *, actions: Mapping[str, ActionModel] | None = None
    ) -> bool:
        """Return whether a formula is true at the world `at`, by default at all designated worlds.

        `actions` binds the names in `[name]φ` to action models.
        """
        true = self.truth_set(f, actions=actions)
        if at is not None:
            return bool(true[self.names.index(at)])
        return bool(true[self.designated_indices].all())

    def where(self, f: FormulaLike, *, actions: Mapping[str, ActionModel] | None = None) -> list[Hashable]:
        """Return the names of the worlds where a formula is true."""
        return [self.names[i] for i in np.flatnonzero(self.truth_set(f, actions=actions)).tolist()]

    def valid(self, f: FormulaLike, *, actions: Mapping[str, ActionModel] | None = None) -> bool:
        """Return whether a formula is true at all worlds of the model."""
        return bool(self.truth_set(f, actions=actions).all())

    def verdict(self, f: FormulaLike, *, actions: Mapping[str, ActionModel] | None = None) -> Verdict:
        """Return whether a formula is true at all, at none or at some of the designated worlds.

        >>> m = KripkeModel(["w", "v"], {}, {"p": ["w"]})
        >>> m.verdict("p"), m.verdict("p").fraction, m.verdict("p | ~p") == "true"
        (Verdict('mixed', 1, 2), Fraction(1, 2), True)
        """
        from kripke_werewolf.semantics.verdict import Verdict

        true = self.truth_set(f, actions=actions)[self.designated_indices]
        return Verdict.of(int(np.count_nonzero(true)), len(true))

    def explain(
        self, f: FormulaLike, at: Hashable | None = None, *, actions: Mapping[str, ActionModel] | None = None
    ) -> Explanation:
        """Return why a formula is true or false at the world `at`, as a tree of reasons.

        By default at the designated world; if there are several, at one that decides (of a mixed
        verdict: at one of each kind).

        >>> m = KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]]}, {"p": ["w"]})
        >>> print(m.explain("K_a p", at="w"))
        a does not know that p is true: a cannot tell w from v, where p is false
        """
        from kripke_werewolf.semantics.explaining import explain

        return explain(self, _bound(f, actions), at)

    def frame_class(self, agent: object) -> FrameClass:
        """Return the class of an agent's relation (`S5`, `KD45`, …), with a counterexample for what fails.

        >>> m = KripkeModel(["w", "v"], {"a": [("w", "v"), ("v", "v")]}, {})
        >>> m.frame_class("a") == "KD45", m.frame_class("a").counterexamples["reflexive"]
        (True, ('w',))
        """
        from kripke_werewolf.models.frames import frame_class

        return frame_class(agent_name(agent), self.relation(agent), self.names)

    # --- updates and other models ------------------------------------------------------------------

    def announce(self, f: FormulaLike) -> KripkeModel:
        """Return the model after the truthful public announcement of a formula (Plaza 1989).

        Keeps the worlds where it is true, under their names. Raises `FalseAnnouncement` if it is
        true at no designated world.
        """
        from kripke_werewolf.semantics.product import announce

        return announce(self, formula(f))

    def update(self, action: ActionModel, *, limit: int = DEFAULT_LIMIT) -> KripkeModel:
        """Return the product update with an action model; its worlds are pairs (world, event).

        Raises `FalseAnnouncement` if no designated event can happen at a designated world, and
        `ModelTooLarge` if more than `limit` worlds would result.
        """
        from kripke_werewolf.semantics.product import product_update

        return product_update(self, action, limit=limit)

    def point(self, *worlds: Hashable) -> KripkeModel:
        """Return the same model with the given worlds designated."""
        if not worlds:
            raise ModelError("name at least one world to designate")
        return self._with(designated=read_designated(worlds, self.names))

    def restrict(self, worlds: Mask | npt.NDArray[np.integer]) -> KripkeModel:
        """Return the submodel of some worlds, given as a mask or as ascending indices."""
        kept: npt.NDArray[np.integer] = np.flatnonzero(worlds) if worlds.dtype == bool else worlds  # type: ignore[assignment]
        designated = self._designated
        if designated is not None:
            number = np.full(len(self), -1, np.int64)
            number[kept] = np.arange(len(kept))
            designated = number[designated]
            designated = designated[designated >= 0]
        return KripkeModel.from_parts(
            Selected(self.names, kept),
            {agent: relation.restrict(kept) for agent, relation in self.relations.items()},
            self.valuation.take(kept),
            designated,
            weights={agent: w.take(kept) for agent, w in self.weights.items()},
            variables=self.variables,
            before=self.relations,
        )

    def closed(
        self, agent: object = None, *, under: str | Iterable[str] = ("reflexive", "symmetric", "transitive")
    ) -> KripkeModel:
        """Return the model with an agent's relation (by default everyone's) closed under properties.

        That is the least larger relation that is `reflexive`, `serial`, `transitive`, `symmetric`,
        `euclidean`; or that of a class, `under="KD45"`. A world that sees nothing is made serial by
        seeing itself. Raises `ModelError` for other properties.
        """
        from kripke_werewolf.models.closures import closure

        chosen = self.relations if agent is None else {agent_name(agent): self.relation(agent)}
        closures = {a: closure(relation, under) for a, relation in chosen.items()}
        return self._with(relations={**self.relations, **closures}, before=None)

    def contract(self, *, keep_distributed: bool = False, keep_probability: bool = False) -> KripkeModel:
        """Return the bisimulation contraction: the smallest model in which the same formulas are true.

        Bisimilar worlds become one, which bears the name of the first of them and is designated if
        any of them is. Everything without D, and without P, is true at it iff it was at them.

        D is not kept: worlds that each agent alone cannot tell apart may differ in what the agents
        consider possible together. `keep_distributed=True` merges only so far that D is kept too.

        The weights of merged worlds add up. For an agent with weights of its own, worlds merge only
        if it gives the same probabilities at them, so that P is kept; where what an agent sees is
        not seen from inside (its relation is not K45) merged worlds must also have the same
        observers. `keep_probability=True` treats all agents so. Otherwise P of an agent that counts
        all worlds the same is kept if the worlds merged agree on it; if not, the agent has no
        probabilities in the result, and to ask for them is an error.
        """
        from kripke_werewolf.models.bisimulation import contract

        return contract(self, keep_distributed=keep_distributed, keep_probability=keep_probability)

    def generated(self) -> KripkeModel:
        """Return the submodel generated by the designated worlds: all that formulas true there depend on."""
        start = np.zeros(len(self), bool)
        start[self.designated_indices] = True
        return self.restrict(start | reachable(tuple(self.relations.values()), start))


def _bound(f: FormulaLike, actions: Mapping[str, ActionModel] | None) -> Formula:
    found = formula(f)
    return found.bind(**actions) if actions else found
