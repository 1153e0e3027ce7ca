"""Kripke models: worlds, one accessibility relation per agent, a valuation, designated worlds.

A model keeps its parts in a space (`semantics.space`): as integers (`semantics.bits`) up to about a hundred
worlds, otherwise as arrays (`semantics.arrays`). Public numbers and arrays follow the order of the worlds;
in a space of bits the numbers may have gaps.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeAlias, TypeVar, Union, Unpack

from kripke_werewolf.base.display import Catalogue, Displayed, drawn
from kripke_werewolf.base.drawing import Options, Picture, drawer, is_picture
from kripke_werewolf.base.errors import (
    FalseAnnouncement,
    FormatError,
    FormulaError,
    ModelError,
    UnknownAgentError,
    UnknownAtomError,
    UnknownWorldError,
    check_known,
)
from kripke_werewolf.base.usage import set_parts
from kripke_werewolf.logic.formulas.logics import Logic, logic_named
from kripke_werewolf.logic.formulas.operators import P, Probability, disjunction, within
from kripke_werewolf.logic.formulas.syntax import (
    Formula,
    FormulaLike,
    agent_name,
    asked_formula,
    asked_on_condition,
    formula,
    group_of,
    natural,
    rational,
)
from kripke_werewolf.logic.models.frames import FrameClass, Loss, losses, properties_of
from kripke_werewolf.logic.semantics.action import ActionModel
from kripke_werewolf.logic.semantics.answers import Answer, OfModel, answer_of, asked_of_model
from kripke_werewolf.logic.semantics.bits import (
    COLLECTION,
    BitSpace,
    Cells,
    Classes,
    Pairs,
    arrays_are_there,
)
from kripke_werewolf.logic.semantics.explored import Accessibility, Explored, PossibleWorld, name_shown
from kripke_werewolf.logic.semantics.ranks import MOST_RANKS, facts_of, hidden
from kripke_werewolf.logic.semantics.space import (
    DEFAULT_LIMIT,
    Copy,
    Worlds,
    check_formula_names,
    read_variables,
)
from kripke_werewolf.logic.semantics.verdict import NO_WORLD, Verdict
from kripke_werewolf.logic.semantics.worlds import Computed, Named, WorldNames, WorldSet

if TYPE_CHECKING:
    import networkx as nx

    from kripke_werewolf.base.reports.documents import Block
    from kripke_werewolf.logic.english.vocabulary import Vocabulary
    from kripke_werewolf.logic.semantics.arrays import ArraySpace
    from kripke_werewolf.logic.semantics.cells import Mask
    from kripke_werewolf.logic.semantics.explanation import Explanation
    from kripke_werewolf.logic.semantics.numbering import Ints
    from kripke_werewolf.logic.symbolic.structure import SymbolicStructure

T = TypeVar("T")

_MAPPING = (dict, Mapping)  # dictionaries first: they are recognised at once
SMALL = 128  # worlds up to which integers are faster than arrays, for up to 16 agents
_SHOWN_FRAMES = 128  # worlds up to which the repr says that relations are no equivalences
_SHOWN_LOSSES = 10_000  # and up to which it says what an update lost

Model = Union["KripkeModel", "SymbolicStructure"]
"""Any pointed model; the worlds of a symbolic structure are named by sets of true atoms."""
Meanings: TypeAlias = Mapping[str, ActionModel]
"""The action models that names in a formula stand for."""
GivenWeights = Mapping[Hashable, object] | None
"""The weights of an agent: a number for each world, or None for no probabilities."""


class _Form(NamedTuple):
    """The internal representation of a model.

    `space`: a `BitSpace` or an `ArraySpace`; `points`: the designated worlds as a truth set, None for all;
    `words`: those of questions in English, if they are known.
    """

    space: Worlds[Any]
    points: Any
    words: Vocabulary | None = None

    @property
    def designated(self) -> Any:
        """The designated worlds as a truth set."""
        return self.space.all if self.points is None else self.points


class KripkeModel(Explored[Hashable], Displayed):
    """A (multi-)pointed Kripke model; an immutable value.

    `worlds`: the names, any hashable values. `relations`: for each agent, the pairs (w, v) such that the
    agent considers v possible at w. `valuation`: for each atom, the worlds where it is true. `designated`:
    the worlds that may be the actual one; by default all. `weights`: for each agent with unequal weights,
    {world: number} (None: it has no probabilities). `variables`: for `Kv_a(x)`, {x: {value: formula}}, the
    formulas being exclusive. `ranks`: for each agent that finds some worlds more plausible than others,
    {world: rank}, 0 for the most plausible; only the order of worlds that it cannot tell apart counts.

    >>> m = KripkeModel(["w", "v"], {"a": [("w", "w"), ("v", "v"), ("w", "v"), ("v", "w")]}, {"p": ["w"]})
    >>> m.holds("K_a p", at="w")
    False

    It is explored by the names of its worlds:

    >>> m["w"]
    <PossibleWorld: 'w': p true; a considers {'w', 'v'} possible>
    >>> m.successors("a", "w"), m.relation("a"), m.valuation["p"], [w for w in m], "u" in m
    ({'w', 'v'}, <Accessibility: a: {'w', 'v'}>, {'w'}, ['w', 'v'], False)

    Raises `UnknownWorldError` for a pair, atom or designation that names no world, and `ModelError` for other
    invalid arguments. Two models are equal if they have the same worlds, agents, atoms, relations, truth,
    designated worlds, weights, ranks and variables, in any order.
    """

    __slots__ = ("_form", "_found")
    _form: _Form  # replaced as a whole, by another form of the same model
    _found: dict[str, Any]  # cached facts; `before`: relations and worlds before the update that made it

    def __init__(
        self,
        worlds: Iterable[Hashable],
        relations: Mapping[Any, Iterable[tuple[Hashable, Hashable]]],
        valuation: Mapping[str, Iterable[Hashable]],
        designated: Iterable[Hashable] | Hashable | None = None,
        *,
        weights: Mapping[Any, GivenWeights] | None = None,
        variables: Mapping[str, Mapping[str, FormulaLike]] | None = None,
        ranks: Mapping[Any, Mapping[Hashable, int]] | None = None,
    ) -> None:
        names = Named(worlds)
        read = {a: read_pairs(a, pairs, names) for a, pairs in _read_agents(relations).items()}
        self._build(names, read, valuation, designated, weights, variables, ranks)

    def _build(
        self,
        names: Named,
        relations: Mapping[str, Any],
        valuation: Mapping[str, Iterable[Hashable]],
        designated: Iterable[Hashable] | Hashable | None = None,
        weights: Mapping[Any, GivenWeights] | None = None,
        variables: Mapping[str, Mapping[str, FormulaLike]] | None = None,
        ranks: Mapping[Any, Mapping[Hashable, int]] | None = None,
    ) -> Self:
        """Give a new model its parts; the relations have been read, as classes, pairs or cells."""
        given: dict[str, list[Fraction] | None] = {}
        ordered: dict[str, list[int]] = {}
        if not isinstance(valuation, _MAPPING):
            raise ModelError(f"the valuation must be a mapping, such as {{'p': [worlds]}}; got {valuation!r}")
        true = {atom: _read_true(atom, worlds, names) for atom, worlds in valuation.items()}
        if weights:
            for agent, each in _read_agents(weights).items():
                check_known(agent, relations, UnknownAgentError)
                given[agent] = _read_weights(agent, each, names)
        if ranks:
            for agent, numbers in _read_agents(ranks).items():
                check_known(agent, relations, UnknownAgentError)
                ordered[agent] = _read_ranks(agent, numbers, names)
            true |= facts_of(ordered)
        parts = names, relations, true, given, read_variables(variables)
        space: Worlds[Any]
        if _few(names, relations):
            space = BitSpace.of(*parts)
        else:
            from kripke_werewolf.logic.semantics.arrays import ArraySpace

            space = ArraySpace.of(*parts)
        points = None
        if designated is not None:
            points = _read_designated(designated, names, space)
        self._fill(_Form(space, points), {"names": names})
        for agent in given:
            place = space.unweighed(agent)
            if place is not None and given[agent] is not None:
                raise ModelError(
                    f"the weights of agent {agent!r} sum to zero over what it considers possible "
                    f"at {names[place]!r}"
                )
        for agent in ordered:
            _check_cells(agent, space, names)
        if variables:
            space.asked().check_variables()
        return self

    def _fill(self, form: _Form, found: dict[str, Any]) -> None:
        object.__setattr__(self, "_form", form)  # one by one, as models are made often
        object.__setattr__(self, "_found", found)

    @classmethod
    def _of(
        cls,
        space: Worlds[Any],
        points: Any,
        before: tuple[Mapping[str, Any], Any] | None = None,
        words: Vocabulary | None = None,
    ) -> Self:
        model = cls.__new__(cls)
        model._fill(_Form(space, points, words), {"before": before})
        return model

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
        ranks: Mapping[Any, Mapping[Hashable, int]] | None = None,
    ) -> Self:
        """Return the S5 model in which each agent's information cells are the given classes.

        >>> m = KripkeModel.from_partitions([1, 2, 3], {"a": [[1, 2], [3]]}, {"p": [1]})
        >>> m.where("M_a p")
        [1, 2]

        Raises `ModelError` for classes that overlap or leave out a world.
        """
        names = Named(worlds)
        if not (weights or variables or ranks) and len(names.listed) <= SMALL:
            space = BitSpace.plain(names, classes, valuation)
            if space is not None:
                model = cls._of(space, _read_designated(designated, names, space))
                model._found["names"] = names
                return model
        read = {a: read_classes(a, given, names) for a, given in _read_agents(classes).items()}
        return cls.__new__(cls)._build(names, read, valuation, designated, weights, variables, ranks)

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
        ranks: Mapping[Any, Mapping[Hashable, int]] | None = None,
    ) -> Self:
        """Return the S5 model in which worlds are related for an agent iff it observes the same in both.

        `observations` gives each agent a function of the world; `valuation` returns the atoms that
        are true at a world. `atoms` declares further atoms, which may be true nowhere.

        >>> m = KripkeModel.from_observations(
        ...     [(0, 0), (0, 1), (1, 0), (1, 1)], {"a": lambda w: w[0]},
        ...     lambda w: [n for n, bit in zip("pq", w) if bit])
        >>> m.where("K_a p"), m.where("Kw_a q")
        ([(1, 0), (1, 1)], [])

        Raises `ModelError` for observations without a hash, and atoms that are not in a collection.
        """
        if not callable(valuation):
            raise ModelError(
                "the valuation must be a function that returns the atoms true at a world, such as "
                f"lambda world: …; got {valuation!r}"
            )
        names = Named(worlds)
        read = {a: _read_observations(a, seen, names) for a, seen in _read_agents(observations).items()}
        rows: dict[str, list[Hashable]] = {atom: [] for atom in atoms}
        for world in names:
            true = valuation(world)
            if isinstance(true, str) or not isinstance(true, Iterable):
                raise ModelError(f"the atoms true at {world!r} must be a collection, got {true!r}")
            for atom in true:
                rows.setdefault(atom, []).append(world)
        return cls.__new__(cls)._build(names, read, rows, designated, weights, variables, ranks)

    @classmethod
    def from_facts(
        cls,
        names: WorldNames,
        valuation: Mapping[str, int],
        seen: Mapping[str, list[int]],
        designated: int | None,
        blind: Iterable[str] = (),
    ) -> Self:
        """Return the S5 model in which agents tell worlds apart by facts, without checking; for builders.

        Sets of worlds are integers, whose bit i stands for the i-th name; `designated` None: all. `seen`: for
        each agent, the worlds where each of the facts that it sees is true; `blind`: the agents without
        probabilities.

        >>> from kripke_werewolf.logic.semantics.worlds import Named
        >>> m = KripkeModel.from_facts(Named(["w", "v"]), {"p": 0b01}, {"a": [0b01], "b": []}, 0b01)
        >>> m.holds("K_a p & ~K_b p")
        True
        """
        if _few(names, seen):
            return cls._of(BitSpace.by_facts(names, valuation, seen, blind), designated)
        from kripke_werewolf.logic.semantics.arrays import ArraySpace

        space = ArraySpace.by_facts(names, valuation, seen, blind)
        return cls._of(space, None if designated is None else space.mask_of_bits(designated))

    @classmethod
    def from_space(cls, space: BitSpace | ArraySpace, points: Any = None) -> Self:
        """Return the model of a space of bits or arrays, without copying or checking; for builders.

        `points`: the designated worlds as a truth set of the space, None for all.
        """
        model = cls._of(space, points)
        if isinstance(space, BitSpace) and len(model) > most_bits(space.relations):
            model._enlarge()
        return model

    @property
    def _space(self) -> Worlds[Any]:
        return self._form.space

    # --- a value -----------------------------------------------------------------------------------

    def __reduce__(self) -> tuple[Any, ...]:
        form = self._tidy()
        return type(self)._of, (form.space, form.points, self._found.get("before"), form.words)

    def _given(self) -> dict[str, Any]:
        names = "relations", "valuation", "weights", "variables", "ranks"
        parts = {part: getattr(self, part) for part in names}
        pointed = None if self.designates_all else self.designated
        return {"worlds": self.worlds, **parts, "designated": pointed}

    @property
    def size(self) -> int:
        """The number of worlds."""
        return len(self)

    def __len__(self) -> int:
        return self._space.count(self._space.all)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.worlds)

    def __contains__(self, world: object) -> bool:
        return self._space.find(world) is not None

    def __getitem__(self, world: Hashable) -> PossibleWorld[Hashable]:
        seen = {agent: self.successors(agent, world) for agent in self.agents}
        return PossibleWorld(world, self.atoms_at(world), seen)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, KripkeModel):
            return NotImplemented
        return (
            set(self.agents) == set(other.agents)
            and set(self.atoms) == set(other.atoms)
            and self.variables == other.variables
            and (theirs := other._as_in(self)) is not None
            and self.space.same_as(theirs)
            and set(self.designated) == set(other.designated)
        )

    def _as_in(self, other: KripkeModel) -> Worlds[Any] | None:
        """Return the space with the worlds in the order of another model; None if it has other worlds."""
        if self.worlds == other.worlds:
            return self.space
        places = [w for world in other.worlds if (w := self.worlds.find(world)) is not None]
        return self.space.reordered(places) if len(places) == len(self) == len(other) else None

    def __hash__(self) -> int:
        if "hash" not in self._found:  # numbers that neither names nor the order of worlds change
            space = self.space
            true = frozenset((atom, space.count(space.fact(atom))) for atom in self.atoms)
            arrows = frozenset((agent, self._arrows(agent)) for agent in self.agents)
            self._found["hash"] = hash((len(self), true, arrows))
        found: int = self._found["hash"]
        return found

    def headline(self) -> str:
        """Return the number of worlds, the agents, the atoms and the designated worlds in one line.

        If some relation is not an equivalence, the line names the class of each relation; and mentions
        `closed` if pairs seem to be missing, because a world has no successors, or a relation is only
        symmetric.

        >>> KripkeModel([1, 2], {"a": [(1, 2)]}, {"p": [1]})
        <KripkeModel: 2 worlds; agents a (K4); atoms p; designated all; closed() makes the relations S5>
        """
        space, points, _ = self._form
        shown = "all"
        if points is not None:
            names = [name_shown(space.name(w)) for w in space.members(points, 5)]
            shown = ", ".join([*names[:4], *["…" for _ in names[4:]]])
        worlds = f"{len(self):,} world{'' if len(self) == 1 else 's'}"
        classes = [self.frame_class(a) for a in self.agents] if len(self) <= _SHOWN_FRAMES else []
        named = [f"{c.agent} ({c})" for c in classes] if {*classes} - {"S5"} else self.agents
        agents = ", ".join(named) or "-"
        odd = any(not c.serial or (c.symmetric and not c.reflexive) for c in classes)
        atoms = (", ".join(self.atoms[:12]) or "-") + (", …" if len(self.atoms) > 12 else "")
        # whether the classes of large relations are lost takes time to find out: only when asked
        lost = self.lost if len(self) <= _SHOWN_LOSSES else ()
        told = f"; lost {', '.join(map(str, lost))}" if lost else ""
        told += "; closed() makes the relations S5" if odd else ""
        return f"{worlds}; agents {agents}; atoms {atoms}; designated {shown}{told}"

    def display(self) -> Iterator[Block]:
        """Yield the picture or, for a large model, the number of its worlds, its agents and its atoms."""
        yield drawn(self)

    def draw(self, path: str | os.PathLike[str] | None = None, **options: Unpack[Options]) -> Picture:
        """Return the picture of the model; `visualise.Options` explains the options.

        A notebook shows it; with `path` it is also written to that file, as `visualise.save` does.

        >>> m = KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]]}, {"p": ["w"]})
        >>> m.draw(formula="K_a p", title="Nobody knows")
        <Scene: Nobody knows; 2 nodes, 1 line>
        """
        if path is not None:
            self.save(path, **options)
        return drawer("scene_of")(self, options)

    # --- what it consists of -----------------------------------------------------------------------

    @property
    def space(self) -> Worlds[Any]:
        """For engines: the space on which formulas are evaluated, a small model as bits; without gaps."""
        return self._tidy().space

    def _tidy(self) -> _Form:
        """Renumber the worlds 0, 1, 2, … and represent small models by bits; return that form."""
        space, points, _ = self._form
        tidy, chosen = space.tidy(points, most_bits(space.relations))
        return self._form if tidy is space else self._keep(tidy, chosen)

    def _keep(self, space: Worlds[Any], points: Any) -> _Form:
        """Replace the form of the model by another form of the same model."""
        form = _Form(space, points, self._form.words)
        set_parts(self, _form=form)
        return form

    @property
    def arrays(self) -> ArraySpace:
        """For engines: the space of the model on arrays."""
        if "arrays" not in self._found:
            from kripke_werewolf.logic.semantics.arrays import ArraySpace

            space = self._space
            if isinstance(space, BitSpace):
                space = ArraySpace.from_bits(space.compact(), self.worlds)
            self._found["arrays"] = space
        return self._found["arrays"]  # type: ignore[no-any-return]

    @property
    def worlds(self) -> WorldNames:
        """The names of the worlds, in order."""
        if "names" not in self._found:
            space = self._space
            bits = isinstance(space, BitSpace)
            self._found["names"] = Named.known(space.named(space.all)) if bits else self.arrays.names
        return self._found["names"]  # type: ignore[no-any-return]

    @property
    def agents(self) -> tuple[str, ...]:
        """The names of the agents, in order."""
        return tuple(self._space.relations)

    @property
    def atoms(self) -> tuple[str, ...]:
        """The names of the atoms, in order."""
        return self._space.atoms

    @property
    def variables(self) -> Mapping[str, Mapping[str, Formula]]:
        """For each variable of `Kv` its values, each with the formula that defines it."""
        return self._space.variables

    @property
    def designated(self) -> tuple[Hashable, ...]:
        """The names of the designated worlds, in order."""
        space, points, _ = self._form
        return self.worlds[:] if points is None else tuple(space.named(points))

    @property
    def designates_all(self) -> bool:
        """Whether all worlds are designated because none was chosen."""
        return self._form.points is None

    @property
    def valuation(self) -> Mapping[str, WorldSet]:
        """For each atom, the worlds where it is true."""
        return Catalogue(self.atoms, self._extension)

    def _extension(self, atom: str) -> WorldSet:  # a method, so that a valuation can be pickled
        space = self._space
        check_known(atom, space.atoms, UnknownAtomError)
        return WorldSet(space, space.fact(atom))

    def atoms_at(self, world: Hashable) -> tuple[str, ...]:
        """Return the atoms that are true at a world."""
        space, place = self._space, self._place(world)
        return tuple(a for a in space.atoms if space.has(space.fact(a), place))

    def successors(self, agent: object, at: Hashable) -> WorldSet:
        """Return the worlds that an agent considers possible at a world."""
        space = self._space
        return WorldSet(space, space.sees(space.relations[self._agent(agent)], self._place(at)))

    def predecessors(self, agent: object, at: Hashable) -> WorldSet:
        """Return the worlds where an agent considers a world possible."""
        space, seen = self._space, self._place(at)
        return WorldSet(space, space.diamond(space.relations[self._agent(agent)], space.set_of([seen])))

    def reachable(self, agents: object, at: Hashable) -> WorldSet:
        """Return the worlds that some agents reach from a world in one or more steps: C is about them."""
        space, place = self._space, self._place(at)
        steps = space.joined(tuple(map(self._agent, group_of(agents))))
        return WorldSet(space, space.sees(steps, place))

    def classes(self, agent: object) -> list[list[Hashable]] | None:
        """Return the classes of an agent's relation; None if it is not an equivalence."""
        space = self._space
        found = space.classes(self._agent(agent))
        return None if found is None else [list(map(space.name, cell)) for cell in found]

    @property
    def weights(self) -> Mapping[str, Mapping[Hashable, int] | None]:
        """For agents with unequal weights, the weight of each world; None if it has no probabilities."""
        space, found = self.space, {}
        for agent in space.weights:
            given = space.listed_weights(agent)
            found[agent] = dict(zip(self.worlds, given, strict=True)) if any(given) else None
        return found

    @property
    def ranks(self) -> Mapping[str, Mapping[Hashable, int]]:
        """For agents that find some worlds more plausible than others, the rank of each world."""
        space, found = self.space, {}
        for agent in self.agents:
            if space.ranks(agent) and any(given := space.listed_ranks(agent)):
                found[agent] = dict(zip(self.worlds, given, strict=True))
        return found

    def _pairs(self, agent: str) -> Iterator[tuple[Hashable, Hashable]]:
        names = self.worlds[:]
        return ((names[w], names[v]) for w, v in self.space.pairs(agent))

    def _arrows(self, agent: str) -> int:
        return self.space.edge_count(agent)

    def _alike(self, agent: str, other: Explored[Any], their: str) -> bool:
        if not isinstance(other, KripkeModel):
            return super()._alike(agent, other, their)
        theirs = other._as_in(self)
        space = self.space
        return theirs is not None and space.same_pairs(space.relations[agent], theirs.relations[their])

    def _pictured(self, agent: str) -> Iterator[Block]:
        return self.for_agents([agent], self.atoms).display()

    # --- questions ---------------------------------------------------------------------------------

    @property
    def words(self) -> Vocabulary:
        """The names and words that questions in English are about; see `with_words`."""
        from kripke_werewolf.logic.english.vocabulary import Vocabulary

        known = self._form.words or Vocabulary(kinds=(("player", "players"), ("agent", "agents")))
        return replace(known, agents=known.agents or self.agents, atoms=self.atoms)

    def with_words(self, words: Vocabulary) -> KripkeModel:
        """Return the same model with words for questions in English; updates and files keep them.

        >>> from kripke_werewolf.logic.english.vocabulary import Vocabulary
        >>> coin = KripkeModel.from_partitions("ht", {"Ann": ["ht"]}, {"heads": ["h"]}, "t")
        >>> coin = coin.with_words(Vocabulary(facts=(("tails", "~heads"),)))
        """
        form = self._form
        return KripkeModel._of(form.space, form.points, self._found.get("before"), words)

    def ask(self, question: FormulaLike, *, given: FormulaLike | None = None) -> Answer:
        """Return the answer to a formula or a question in English, at the designated worlds.

        `given`: a condition, like "if" and "given that" in a question; see `verdict`.

        >>> m = KripkeModel.from_partitions("wv", {"Ann": ["wv"], "Bo": [["w"], ["v"]]}, {"p": ["w"]}, "w")
        >>> print(m.ask("does Ann know that p?"), "/", m.ask("who knows that p?"))
        no / Bo
        """
        return answer_of(OfModel(self, self.words), question, given)

    def _asked(self, f: FormulaLike) -> Formula:
        """Return the formula of a query, read with the names of the model."""
        return asked_formula(f, self._form.space.relations, self._form.space.atoms)

    def _bound(self, f: FormulaLike, actions: Meanings | None) -> Formula:
        node = f if isinstance(f, Formula) else self._asked(f)
        return node.bind(**actions) if actions else node

    def _truth(self, f: Formula, form: _Form | None = None) -> tuple[_Form, Any]:
        """Return a form of the model and the truth set of a formula in it."""
        form = form or self._form
        space = form.space
        found = space.memo.get(f)
        if found is None:
            if not isinstance(space, BitSpace):
                if len(self) <= most_bits(space.relations):
                    form = self._tidy()
                space = form.space.asked()
            check_formula_names(space, f)
            found = space.truth(f)
        return form, found

    def _place(self, world: Hashable, space: Worlds[Any] | None = None) -> int:
        """Return the number of a world in a space of the model; raises `UnknownWorldError`."""
        found = (space or self._space).find(world)
        if found is None:
            raise UnknownWorldError(world, self.worlds[:1000])
        return found

    def holds(self, f: FormulaLike, at: Hashable | None = None, *, actions: Meanings | None = None) -> bool:
        """Return whether a formula is true at the world `at`, by default at all designated worlds.

        `None` is the default, so a world called `None` is asked about as `m.point(None).holds(…)`.
        `actions` binds the names in `[name]φ` to action models.

        In a string, `K p` and `C p` are about the agents of the model: `K p` about its only agent.

        >>> m = KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]]}, {"p": ["w"]})
        >>> m.holds("p & ~K p", at="w")
        True
        """
        asked = self._bound(f, actions)
        form, inside = self._truth(asked)
        if at is not None:
            return form.space.has(inside, self._place(at, form.space))
        return not form.space.some(form.designated & form.space.complement(inside))

    def where(self, f: FormulaLike, *, actions: Meanings | None = None) -> list[Hashable]:
        """Return the names of the worlds where a formula is true."""
        form, inside = self._truth(self._bound(f, actions))
        return form.space.named(inside)

    def valid(self, f: FormulaLike, *, actions: Meanings | None = None) -> bool:
        """Return whether a formula is true at all worlds of the model."""
        form, inside = self._truth(self._bound(f, actions))
        return not form.space.some(form.space.complement(inside))

    def verdict(
        self, f: FormulaLike, *, given: FormulaLike | None = None, actions: Meanings | None = None
    ) -> Verdict:
        """Return whether a formula is true at all, none or some of the designated worlds.

        On a condition, at those of them where it holds: `given`, or in English "if" and "given that".

        >>> m = KripkeModel(["w", "v"], {}, {"p": ["w"]})
        >>> m.verdict("p"), m.verdict("p").fraction, m.verdict("p | ~p") == "true"
        (Verdict('mixed', 1, 2), Fraction(1, 2), True)
        >>> m.verdict("p", given="~p")
        Verdict('false', 0, 1)
        """
        asked, where = asked_of_model(self._form.space, f, given, actions)
        if where is not None:
            return self.verdict(asked & where).among(self.verdict(where))
        form, inside = self._truth(asked)
        return Verdict.of(form.space.count(form.designated & inside), form.space.count(form.designated))

    def explain(
        self,
        f: FormulaLike,
        at: Hashable | None = None,
        *,
        given: FormulaLike | None = None,
        actions: Meanings | None = None,
        called: Callable[[Hashable], str] = str,
    ) -> Explanation:
        """Return why a formula is true or false at the world `at`, as a tree of reasons.

        The default is the designated world. If there are several, it is one that determines the verdict;
        for a mixed verdict, one of each kind. `given`: a condition, see `verdict`; FormulaError if no such
        world has it. `called` returns the words for a world.

        >>> m = KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]]}, {"p": ["w"]})
        >>> print(m.explain("K_a p", at="w"))
        a does not know that p is true: a cannot tell w from v, where p is false
        >>> print(m.explain("K_a p", at="w", called=lambda world: f"world {world}"))
        a does not know that p is true: a cannot tell world w from world v, where p is false
        """
        from kripke_werewolf.logic.english.sentences import People
        from kripke_werewolf.logic.semantics.explanation import explain, explain_verdict

        node, where = asked_of_model(self._form.space, f, given, actions)
        form = self._tidy()
        space, points = form.space.asked(), form.designated
        check_formula_names(space, node)
        if at is not None:
            points = space.set_of([self._place(at, space)])
        if where is not None:
            check_formula_names(space, where)
            points = points & space.truth(where)
            if not space.some(points):
                raise FormulaError(f"nothing can be explained: {NO_WORLD}")
        if space.count(points) == 1:
            found = explain(space, node, space.members(points)[0], called, People.of(self.words))
        else:
            found = explain_verdict(space, node, points, called, People.of(self.words))
        return replace(found, model=self)

    def probabilities(
        self, agent: object, f: FormulaLike, *, given: FormulaLike | None = None
    ) -> dict[Fraction, int]:
        """Return an agent's probabilities of a formula, each with its number of designated worlds.

        On a condition (`given`) they are those in the agent's worlds where it holds, if there are any.

        >>> m = KripkeModel.from_partitions("uwv", {"a": ["uw", "v"]}, {"p": ["w", "v"]})
        >>> m.probabilities("a", "p")
        {Fraction(1, 2): 2, Fraction(1, 1): 1}
        >>> m.probabilities("a", "p", given="~p")
        {Fraction(0, 1): 2}
        """
        name, (node, where) = self._agent(agent), asked_on_condition(f, given, self.agents, self.atoms)
        form, inside = self._truth(node)
        space, left, there = form.space, form.designated, form.space.all
        if where is not None:
            there = self._truth(where, form)[1]
            left = left & self._truth(P(name, where) > 0, form)[1]
        found: dict[Fraction, int] = {}
        while space.some(left):
            seen = space.sees(space.relations[name], space.members(left, 1)[0]) & there
            whole = space.weigh(name, seen)
            value = Fraction(space.weigh(name, seen & inside), whole) if whole else Fraction(1)
            other: Formula = Probability([(1, name, node)], "!=", value)
            _, elsewhere = self._truth(other if where is None else within(where, other)[0], form)
            found[value] = space.count(left) - space.count(left & elsewhere)
            left = left & elsewhere
        return found

    def frame_class(self, agent: object) -> FrameClass:
        """Return the class of an agent's relation (`S5`, `KD45`, …), with counterexamples.

        >>> m = KripkeModel(["w", "v"], {"a": [("w", "v"), ("v", "v")]}, {})
        >>> m.frame_class("a") == "KD45", m.frame_class("a").counterexamples["reflexive"]
        (True, ('w',))
        """
        name, space = self._agent(agent), self._space
        failures = space.relations[name].failures(space.all)
        return FrameClass(name, {p: tuple(map(space.name, worlds)) for p, worlds in failures.items()})

    def frame_flaws(self, logic: str | Logic) -> Mapping[str, str]:
        """Return, for each agent whose relation does not fit its logic, a missing property, and where.

        `logic`: of all agents, or one for each. The model is a model of the logic iff nothing is returned.

        >>> m = KripkeModel(["w", "v"], {"a": [("w", "v"), ("v", "v")]}, {})
        >>> m.frame_flaws("a: KD45, others: S5"), m.frame_flaws("T")
        ({}, {'a': "not reflexive: 'w' does not see itself"})
        """
        chosen = logic_named(logic).about(self.agents, "the model")
        flaws: dict[str, str] = {}
        for agent in self.agents:
            wanted = chosen.of((agent,)).properties
            failing = self.frame_class(agent).flaws if wanted else {}
            if missing := [failing[p] for p in wanted if p in failing]:
                flaws[agent] = missing[0]
        return flaws

    @property
    def lost(self) -> tuple[Loss, ...]:
        """The agents whose relation lost a frame property in the update that made this model.

        Each is (agent, class before, class after), such as `("b", "S5", "KD45")`. Empty if the model is not
        the result of an update.
        """
        if not self._found.get("before"):
            return ()
        relations, worlds = self._found["before"]
        return losses(relations, worlds, self._space.relations, self._space.all)

    # --- updates and other models ------------------------------------------------------------------

    def announce(self, f: FormulaLike) -> KripkeModel:
        """Return the model after the truthful public announcement of a formula (Plaza 1989).

        Keeps the worlds where it is true, under their names. Raises `FalseAnnouncement` if it is
        true at no designated world.
        """
        form, inside = self._truth(self._bound(f, None))
        if not form.space.some(inside if form.points is None else inside & form.points):
            raise FalseAnnouncement(formula(f, agents=form.space.relations), self.designated)
        return _restricted(form, inside, "the announcement")

    __or__ = announce  # M | φ in textbooks

    def upgrade(self, f: FormulaLike, *, conservative: bool = False) -> KripkeModel:
        """Return the model in which the worlds where a formula is true are more plausible than all others.

        No world is excluded. With `conservative`, only the most plausible of them in each cell come first
        (van Benthem 2007). Ranks are numbered anew.

        >>> m = KripkeModel.from_partitions("wv", {"a": ["wv"]}, {"p": ["w"]})
        >>> m.valid("B_a p"), m.upgrade("p").valid("B_a p & ~K_a p"), m.upgrade("p").ranks
        (False, True, {'a': {'w': 0, 'v': 1}})
        """
        form, inside = self._truth(self._bound(f, None))
        space = form.space.upgraded(inside, conservative=conservative)
        return KripkeModel._of(space, form.points, self._found.get("before"), form.words)

    def ranked(self, ranks: Mapping[Any, Iterable[FormulaLike]]) -> KripkeModel:
        """Return the model in which a world's rank for an agent is the number of its formulas true there.

        >>> m = KripkeModel.from_partitions("wv", {"a": ["wv"]}, {"p": ["w"], "q": ["w"]})
        >>> m.ranked({"a": ["p", "q"]}).ranks
        {'a': {'w': 2, 'v': 0}}
        """
        form = self._tidy()
        given = {
            self._agent(agent): [self._truth(self._asked(f), form)[1] for f in counted]
            for agent, counted in ranks.items()
        }
        for agent in given:
            _check_cells(agent, form.space, self.worlds)
        return KripkeModel._of(form.space.ranked(given), form.points, self._found.get("before"), form.words)

    def ordered(self) -> KripkeModel:
        """Return the model in which a relation of belief (KD45) has become cells and ranks.

        The worlds that an agent considers possible remain more plausible than the others of their cell, so
        the agent believes the same, and can now be wrong without ever believing a contradiction.

        >>> m = KripkeModel("wv", {"a": [("w", "v"), ("v", "v")]}, {"p": ["v"]}, "w").ordered()
        >>> m.holds("B_a p & ~K_a p"), m.classes("a"), m.announce("~p").holds("B_a ~p")
        (True, [['w', 'v']], True)

        Raises `ModelError` for a relation that is not KD45.
        """
        form = self._tidy()
        space, relations = form.space, dict(form.space.relations)
        levels = {}
        for agent in self.agents:
            kind = self.frame_class(agent)
            if kind.reflexive and kind.euclidean:
                continue
            if flaws := [p for p in ("serial", "transitive", "euclidean") if not getattr(kind, p)]:
                raise ModelError(f"the relation of agent {agent!r} is no belief (KD45): it is not {flaws[0]}")
            seen = space.steps(relations[agent], space.all)
            parts = seen, space.complement(seen)
            levels[agent] = [space.all_of([part, level]) for part in parts for level in space.levels(agent)]
            relations[agent] = relations[agent].closed(space.all, ("reflexive", "symmetric", "transitive"))
        found = space.with_relations(relations).with_levels(levels)
        return KripkeModel._of(found, form.points, None, form.words)

    def restrict(self, worlds: Iterable[Hashable] | Hashable) -> KripkeModel:
        """Return the submodel of some worlds, given by their names.

        >>> m = KripkeModel(["w", "v", "u"], {"a": [("w", "v"), ("v", "u")]}, {})
        >>> list(m.restrict(["v", "w"])), m.restrict(["v", "w"]).relation("a")
        (['w', 'v'], <Accessibility: a: 'w' → 'v'>)
        """
        form = self._form
        chosen = _read_designated(worlds, self.worlds, form.space, "keep at least one world")
        if not form.space.some(form.designated & chosen):
            raise ModelError(
                f"no designated world is left of {', '.join(map(repr, self.designated[:6]))}; "
                "designate another one first, as in model.point(w).restrict(…)"
            )
        return _restricted(form, chosen)

    def update(self, action: ActionModel, *, limit: int = DEFAULT_LIMIT, merge: bool = False) -> KripkeModel:
        """Return the product update with an action model; its worlds are pairs (world, event).

        With `merge`, only the agents and atoms of the model are taken into account, so that events that
        concern others cost little. Events that these agents cannot notice, and changes of other atoms, are
        omitted. Events that the agents can neither tell apart nor distinguish by their effects are merged
        and named after the first of them. Equal copies of the worlds are merged and their weights added; if
        one copy is left, as after an announcement, the worlds keep their names. The same formulas are true
        as without `merge`, except that `everywhere` and `somewhere` are about the remaining worlds. The
        number of worlds may be smaller.

        Raises `FalseAnnouncement` if no designated event can happen at a designated world, and
        `ModelTooLarge` if more than `limit` worlds would result.
        """
        if not isinstance(action, ActionModel):
            raise FormulaError(f"expected an action model, got {action!r}; announce a formula with announce")
        form = self._form
        if not isinstance(form.space, BitSpace) and len(self) <= most_bits(form.space.relations):
            form = self._tidy()
        space = form.space
        if merge:
            action = action.for_agents(space.relations, space.valuation)
        action.check_names(space)
        sights = action.among(space.relations)
        if not isinstance(space, BitSpace):
            space = space.asked()
        given, (space, action) = action, space.prioritised(action)
        copies = space.copies(action, merge=merge)
        size = space.check_size(action, copies, limit)
        alone = copies[0].event if merge and len(copies) == 1 else None
        if alone is not None and all(sight[alone] >> alone & 1 for sight in sights.values()):
            updated, points = _changed(form, space, copies[0])
        else:
            updated, points = space.paired(action, copies, form.points)
        if not updated.some(points):
            wanted = disjunction(action.events[e].pre for e in action.designated)
            raise FalseAnnouncement(wanted, self.designated, what=action.name.replace("_", " "))
        if merge and action.changed:
            updated, points = updated.united(points)
            size = updated.count(updated.all)
        updated.asked().check_variables(repr(action.name), action.changed)
        if action is not given:
            updated = updated.tidied()
        every = updated.count(points) == size
        model = KripkeModel._of(updated, None if every else points, space.may_lose(updated), form.words)
        large = size > most_bits(updated.relations)
        if isinstance(updated, BitSpace) and (updated.is_sparse or large):
            model._tidy()
            if large:
                model._enlarge()
        return model

    __mul__ = update  # M ⊗ A in textbooks

    def _enlarge(self) -> None:
        """Switch the model to arrays if it has them."""
        if not arrays_are_there():
            return
        points = self._tidy().points
        arrays = self.arrays
        self._keep(arrays, None if points is None else arrays.mask_of_bits(points))

    def point(self, *worlds: Hashable) -> KripkeModel:
        """Return the same model with the given worlds designated."""
        if not worlds:
            raise ModelError("name at least one world to designate")
        form = self._form
        points = _read_designated(worlds, self.worlds, form.space)
        model = KripkeModel._of(form.space, points, self._found.get("before"), form.words)
        model._found["names"] = self.worlds
        return model

    def for_agents(self, agents: Iterable[object], atoms: Iterable[str]) -> KripkeModel:
        """Return the model with these agents and atoms only.

        It has the same worlds; `update(…, merge=True)` and `contract()` can then make smaller models.

        >>> cells = {"a": [["w", "v"]], "b": [["w"], ["v"]]}
        >>> m = KripkeModel.from_partitions(["w", "v"], cells, {"p": ["w"], "q": ["v"]})
        >>> m.for_agents("a", ["p"])
        <KripkeModel: 2 worlds; agents a; atoms p; designated all>
        """
        chosen, kept = [self._agent(agent) for agent in agents], tuple(atoms)
        for atom in kept:
            check_known(atom, self.atoms, UnknownAtomError)
        form = self._tidy()
        space = form.space.part(chosen, (*kept, *hidden(form.space.valuation, chosen)))
        return KripkeModel._of(space, form.points, self._found.get("before"), form.words)

    def closed(
        self, agent: object = None, *, under: str | Iterable[str] = ("reflexive", "symmetric", "transitive")
    ) -> KripkeModel:
        """Return the model with an agent's relation (by default everyone's) closed under properties.

        The closure is the smallest relation that contains the old one and has the given properties:
        `reflexive`, `serial`, `transitive`, `symmetric`, `euclidean`, or those of a class, `under="KD45"`.
        For `serial`, a world without successors becomes its own successor. Raises `ModelError` for other
        properties.
        """
        wanted = properties_of(under)
        form = self._tidy()
        space = form.space
        chosen = space.relations if agent is None else {(a := self._agent(agent)): space.relations[a]}
        closures = {a: relation.closed(space.all, wanted) for a, relation in chosen.items()}
        closed = space.with_relations({**space.relations, **closures})
        return KripkeModel._of(closed, form.points, None, form.words)

    def contract(
        self, *, keep_distributed: bool = False, keep_probability: bool = False, depth: int | None = None
    ) -> KripkeModel:
        """Return the bisimulation contraction: the smallest model in which the same formulas are true.

        Bisimilar worlds are merged into one world, which gets the name of the first and is designated if
        any of them is. Formulas without D and P keep their truth values. D is not preserved, since
        bisimilar worlds may differ in the intersection of the relations of a group;
        `keep_distributed=True` merges fewer worlds, so that D is preserved too.

        The weights of merged worlds are added. For an agent with unequal weights, worlds are merged only
        if the agent has the same probabilities at them, so that P is preserved; if the relation is not K45,
        merged worlds must also have the same predecessors. `keep_probability=True` does this for all
        agents. Otherwise P of an agent with equal weights is preserved if the merged worlds agree on it; if
        they do not, the agent has no probabilities in the result, and asking for them raises an error.

        With `depth`, only formulas of at most that modal depth at the designated worlds are preserved (E
        and Kw count as one step; C, `everywhere`, D and P are not preserved). Worlds that are further away
        are removed, so the model can be much smaller.
        """
        if depth is not None:
            if keep_distributed or keep_probability:
                raise ModelError("distributed knowledge and probabilities are not kept with depth=")
            form = self._form
            smaller, chosen = form.space.near(form.designated, natural(depth, "depth"))
            return KripkeModel._of(smaller, None if form.points is None else chosen, None, form.words)
        form = self._form if isinstance(self._space, BitSpace) else self._tidy()
        quotient, merged = form.space.contracted(distributed=keep_distributed, probable=keep_probability)
        points = None if form.points is None else merged(form.points)
        return KripkeModel._of(quotient, points, None, form.words)

    def generated(self) -> KripkeModel:
        """Return the submodel generated by the designated worlds: those reachable from them."""
        form = self._form
        return self if form.points is None else _restricted(form, form.space.reachable(form.points))

    # --- files and other libraries -----------------------------------------------------------------

    def to_dict(self) -> dict[str, object]:
        """Return the model as plain data for JSON, with the version of the schema.

        >>> from kripke_werewolf import KripkeModel
        >>> m = KripkeModel(["w", "v"], {"a": [("w", "v")]}, {"p": ["v"]}, "w")
        >>> data = m.to_dict()
        >>> data["version"], data["relations"], data["valuation"], data["designated"]
        (1, {'a': [['w', 'v']]}, {'p': ['v']}, ['w'])
        >>> KripkeModel.from_dict(data) == m
        True

        Raises `FormatError` for names of worlds that JSON cannot represent.
        """
        from kripke_werewolf.logic.models.formats.json import model_to_dict

        return model_to_dict(self)

    @classmethod
    def from_dict(cls, data: Any) -> KripkeModel:
        """Return the model described by plain data, as made by `to_dict`.

        Lists that stand for names are read as tuples. Raises `FormatError` with the place
        (`relations.a[3][1]`) and the reason.
        """
        from kripke_werewolf.logic.models.formats.json import model_from_dict

        return model_from_dict(data)

    def save(self, path: str | os.PathLike[str], **options: Any) -> None:
        """Write the model to a `.json` file, or its picture to another, with the options of `visualise.save`.

        If this fails, an existing file is left unchanged. Raises `FormatError` for an unknown extension, or
        for options with `.json`.
        """
        from kripke_werewolf.logic.models.formats.json import write

        if is_picture(path):
            drawer("save")(self, path, **options)
        elif options:
            raise FormatError(f"{', '.join(options)}: for pictures, not for a model that is saved as .json")
        else:
            write(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> KripkeModel:
        """Read a model from a JSON file, or from a picture that was saved; see `visualise.read`.

        Raises `FormatError` with the reason, for JSON with line and column or the place.
        """
        from kripke_werewolf.logic.models.formats.json import read_model

        return drawer("read")(path) if is_picture(path) else read_model(path)

    def to_networkx(self) -> nx.MultiDiGraph:
        """Return the model as a graph: edge attribute `agent`, node attributes `true` and `designated`.

        Raises `ModelError` for more than a few million edges.
        """
        from kripke_werewolf.logic.models.formats.networkx import to_networkx

        return to_networkx(self)

    @classmethod
    def from_networkx(cls, graph: nx.Graph) -> KripkeModel:
        """Return the model described by a graph, as made by `to_networkx`.

        A node's attribute `true` (or `atoms`) lists the atoms that are true there, `p=True` or `p=False` says
        it of one atom, and `designated` marks designated worlds; an edge's attribute `agent` (or `agents`)
        names the agent, or lists several. Other attributes are ignored. If no node has the attribute
        `designated`, all worlds are designated. An edge of an undirected graph counts in both directions;
        `closed` adds the loops. Raises `FormatError` for an edge without agent, and for anything but a graph.
        """
        from kripke_werewolf.logic.models.formats.networkx import from_networkx

        return from_networkx(graph)


class Numbered:
    """For engines and pictures: a model by the numbers of its worlds, 0, 1, 2, … in their order."""

    def __init__(self, model: KripkeModel) -> None:
        self._model, self._form = model, model._tidy()
        self.space = self._form.space

    def _inside(self, f: FormulaLike, actions: Meanings | None = None) -> Any:
        return self._model._truth(self._model._bound(f, actions), self._form)[1]

    @property
    def points(self) -> list[int]:
        """The designated worlds, ascending."""
        return self.space.members(self._form.designated)

    def numbers(self, f: FormulaLike) -> list[int]:
        """Return the worlds where a formula is true, ascending."""
        return self.space.members(self._inside(f))

    def mask(self, f: FormulaLike, *, actions: Meanings | None = None) -> Mask:
        """Return for each world whether a formula is true there."""
        inside: int | Mask = self._inside(f, actions)
        return self._model.arrays.mask_of_bits(inside) if isinstance(inside, int) else inside

    def successors(self, agent: object, world: int) -> list[int]:
        """Return the worlds that an agent considers possible at a world, ascending."""
        space = self.space
        return space.members(space.sees(space.relations[self._model._agent(agent)], world))

    def classes(self, agent: object) -> list[list[int]] | None:
        """Return the classes of an agent's relation; None if it is not an equivalence."""
        return self.space.classes(self._model._agent(agent))

    def submodel(self, worlds: Ints) -> KripkeModel:
        """Return the submodel of some worlds."""
        return _restricted(self._form, self.space.set_of(worlds.tolist()))

    def described(self, name: Callable[[int], Hashable], atoms: Mapping[str, Formula]) -> KripkeModel:
        """Return the model with other names and atoms.

        `name` gives each world a new name, by its number; `atoms` are the new atoms, each true where its
        formula is.
        """
        space = self.space
        names = Computed(len(self._model), name)
        new: Worlds[Any]
        orders = hidden(space.valuation, space.relations)
        if isinstance(space, BitSpace):
            true = {atom: self._inside(f) for atom, f in atoms.items()}
            true |= {atom: space.fact(atom) for atom in orders}
            new = BitSpace(space.all, space.relations, true, names.at, space.weights, space.variables)
        else:
            from kripke_werewolf.logic.semantics.arrays import ArraySpace, Valuation

            rows = {atom: partial(self.mask, f) for atom, f in atoms.items()}
            rows |= {atom: partial(space.fact, atom) for atom in orders}
            valuation = Valuation(len(names), rows)
            new = ArraySpace(names, space.relations, valuation, space.weights, space.variables)
        return KripkeModel._of(new, self._form.points, self._model._found.get("before"))


def most_bits(agents: Collection[str]) -> int:
    """Return the number of worlds up to which integers are faster than arrays.

    An operation on arrays has a price for each agent, however few worlds there are.
    """
    return SMALL * max(1, len(agents) // 8)


# --- reading the parts as users give them ----------------------------------------------------------


def _few(names: WorldNames, agents: Collection[str]) -> bool:
    """Return whether a model with these worlds and agents is represented by bits."""
    return len(names) <= most_bits(agents) or not arrays_are_there()


def _read_agents(given: Mapping[Any, T]) -> dict[str, T]:
    """Read a mapping from agents, given by names or numbers."""
    if not isinstance(given, _MAPPING):
        raise ModelError(f"what is given for agents must be a mapping, such as {{'a': …}}; got {given!r}")
    found: dict[str, T] = {}
    for agent, value in given.items():
        name = agent_name(agent)
        if name in found:
            raise ModelError(f"agent {name!r} is given twice (a number and its text name the same agent)")
        found[name] = value
    return found


def _restricted(form: _Form, inside: Any, update: str = "") -> KripkeModel:
    """Return the submodel of some worlds, given as a truth set of the form; `update`: the reason."""
    smaller = form.space.with_worlds(inside)
    smaller.asked().check_variables(update, ())
    points = None if form.points is None else smaller.taken(form.points, inside)
    return KripkeModel._of(smaller, points, form.space.may_lose(smaller), form.words)


def _changed(form: _Form, space: Any, copy: Copy[Any]) -> tuple[Any, Any]:
    """Return the space of one copy of the worlds under their old names, and its designated worlds."""
    inside = copy.worlds
    points = copy.chosen if form.points is None else copy.chosen & form.points
    if space.some(space.complement(inside)):
        points = space.taken(points, inside)
        updated = space.with_worlds(inside)
    else:
        updated = space
    facts = {atom: space.taken(true, inside) for atom, true in copy.post.items()}
    return updated.with_facts(facts) if facts else updated, points


def _read_true(atom: object, true: Any, names: WorldNames) -> list[int]:
    """Read the worlds where an atom is true, however they are given; the errors say what is meant."""
    wrong = not isinstance(atom, str) or not atom
    if not wrong and isinstance(true, (list, set, tuple)):
        with suppress(KeyError, TypeError):  # what is wrong is found below
            return list(map(names.numbers.__getitem__, true))
    if wrong and names.find(atom) is None:
        raise ModelError(f"an atom needs a nonempty name, got {atom!r}")
    if isinstance(true, str | Mapping) or not isinstance(true, Iterable):
        raise ModelError(
            f"the worlds where {atom!r} is true must be a collection, such as {list(names[:1])!r}; "
            f"got {true!r}"
        )
    listed = list(true)
    strange = (isinstance(w, str) and names.find(w) is None for w in listed)
    if {*map(str, listed)} == {"True", "False"} and names.find(listed[0]) is None:
        listing = "[w for w, true in zip(worlds, values) if true]"
        raise ModelError(f"a valuation lists the worlds where {atom!r} is true; write {listing}")
    if wrong or (names.find(atom) is not None and any(strange)):
        raise ModelError(
            f"a valuation gives each atom the worlds where it is true, such as {{'p': [{atom!r}]}}; "
            f"got {{{atom!r}: {listed!r}}}"
        )
    return [names.index(w) for w in listed]


def _read_observations(agent: object, observe: Callable[[Any], Hashable], names: WorldNames) -> Classes:
    """Read an equivalence relation given by an agent's observations."""
    if not callable(observe):
        example = "{…}.get" if isinstance(observe, Mapping) else "lambda world: …"
        raise ModelError(
            f"the observations of agent {agent!r} must be a function of the world, such as {example}; "
            f"got {observe!r}"
        )
    numbers: dict[Hashable, int] = {}
    labels = []
    for world in names:
        seen = observe(world)
        try:
            labels.append(numbers.setdefault(seen, len(numbers)))
        except TypeError:
            raise ModelError(
                f"agent {agent!r} observes {seen!r} at {world!r}, which cannot be compared by hash; "
                "let it be a string, a number or a tuple"
            ) from None
    return Classes(labels, len(numbers))


def read_pairs(agent: object, pairs: Iterable[tuple[Hashable, Hashable]], names: WorldNames) -> Pairs | Cells:
    """Read a relation given as pairs of worlds, or as that of another model with the same worlds."""
    if isinstance(pairs, Accessibility) and isinstance(of := pairs.among, KripkeModel) and of.worlds == names:
        return Cells(*of.space.cells(pairs.agent))
    if not isinstance(pairs, COLLECTION) or isinstance(pairs, str):
        raise ModelError(f"the relation of agent {agent!r} must be a collection of pairs, got {pairs!r}")
    numbers, found = names.numbers, []
    for pair in pairs:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            what = f"the relation of agent {agent!r} must consist of pairs of worlds, got {pair!r}"
            raise ModelError(f"{what}; a pair is {(names[0], names[-1])!r}; from_partitions takes sets")
        w, v = pair
        try:
            found.append((numbers[w], numbers[v]))
        except (KeyError, TypeError):
            raise _unknown_world(w if names.find(w) is None else v, names, f"agent {agent!r}") from None
    return Pairs(found)


def read_classes(agent: object, classes: Iterable[Iterable[Hashable]], names: Named) -> Classes:
    """Read an equivalence relation given by its classes."""
    return Classes.read(classes, names.numbers, f"agent {agent!r}", _unknown_world)


def _unknown_world(name: object, names: Collection[object], whose: str) -> UnknownWorldError:
    return UnknownWorldError(name, names, place=f"the relation of {whose}")


def _read_designated(
    given: Any, names: WorldNames, space: Worlds[Any], empty: str = "at least one world must be designated"
) -> Any:
    """Read designated worlds, None for all, one world, or several, as a truth set."""
    if given is None:
        return None
    if (place := space.find(given)) is not None:
        return space.set_of([place])
    one = isinstance(given, str) or not isinstance(given, Iterable)
    wanted = []
    for name in [given] if one else given:
        place = space.find(name)
        if place is None:
            raise UnknownWorldError(name, names[:1000])
        wanted.append(place)
    if not wanted:
        raise ModelError(empty)
    return space.set_of(wanted)


def _read_weights(
    agent: str, weights: Mapping[Hashable, object] | None, names: Named
) -> list[Fraction] | None:
    """Read the weights of an agent, given as {world: number} for all worlds; None: no probabilities."""
    if weights is None:
        return None
    values = [Fraction(0)] * len(names)
    for world, weight in weights.items():
        value = rational(weight)
        if value < 0:
            raise ModelError(
                f"the weight of world {world!r} for agent {agent!r} is {weight}; it must not be negative"
            )
        values[names.index(world)] = value
    if len(weights) != len(names):
        missing = next(name for name in names if name not in weights)
        raise ModelError(f"agent {agent!r} has weights, but none for world {missing!r}")
    return values


def _check_cells(agent: str, space: Worlds[Any], names: WorldNames) -> None:
    """Raise `ModelError` if the relation of an agent with ranks is not an equivalence."""
    lacking = space.relations[agent].failures(space.all)
    if "symmetric" in lacking:
        w, v = (repr(names[place]) for place in lacking["symmetric"])
        raise ModelError(
            f"agent {agent!r} has ranks, but at {w} it considers {v} possible and not the reverse; "
            "m.ordered() makes cells and ranks of a relation of belief"
        )
    if lacking:
        raise ModelError(f"agent {agent!r} has ranks, but its relation is not {min(lacking)}")


def _read_ranks(agent: str, ranks: Mapping[Hashable, int], names: Named) -> list[int]:
    """Read the ranks of an agent, given as {world: whole number} for all worlds."""
    if not isinstance(ranks, _MAPPING):
        raise ModelError(f"the ranks of agent {agent!r} must be a mapping {{world: rank}}, got {ranks!r}")
    found = {names.index(w): natural(rank, f"the rank of world {w!r}") for w, rank in ranks.items()}
    if (most := max(found.values(), default=0)) > MOST_RANKS:
        raise ModelError(f"agent {agent!r} has a rank of {most:,}; at most {MOST_RANKS:,} is possible")
    if len(found) != len(names):
        missing = next(name for name in names if name not in ranks)
        raise ModelError(f"agent {agent!r} has ranks, but none for world {missing!r}")
    return [found[w] for w in range(len(names))]


def load(path: str | os.PathLike[str]) -> KripkeModel:
    """Read a model from a JSON file or a picture, as `KripkeModel.load` does; `replay` reads games."""
    if os.fspath(path).endswith((".jsonl", ".log")):
        raise FormatError(f"{os.fspath(path)!r} is the log of a game: read it with kw.replay(path)")
    return KripkeModel.load(path)
