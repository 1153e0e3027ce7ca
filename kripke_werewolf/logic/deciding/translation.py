"""Translation of the full language to the core language: formulas are evaluated to literals.

The core language is a further carrier of the semantics (`semantics.space`): its worlds are copies of those of
any model, one for each sequence of events, and a truth set is a vector of literals of core formulas, one for
each copy. So each operator translates itself by its own truth condition, after any updates. A relation leads
only to worlds where the events can happen, which are given by literals as well. This amounts to the reduction
axioms of announcements (Plaza 1989) and of action models (Baltag, Moss and Solecki 1998) applied all at once;
common knowledge becomes an automaton, not a program as in Van Benthem, Van Eijck and Kooi (2006).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, NoReturn, TypeAlias

from kripke_werewolf.base.errors import FormulaError, UnknownAgentError
from kripke_werewolf.base.grouping import all_after, grouped, numbered, remembered
from kripke_werewolf.logic.deciding.core import FALSE, TRUE, Builder, Core, PathStep
from kripke_werewolf.logic.deciding.orders import check_decidable, rank_atoms
from kripke_werewolf.logic.deciding.sat import Steps
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.logics import Logic
from kripke_werewolf.logic.formulas.simplification import simplify
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.semantics.action import ActionModel
from kripke_werewolf.logic.semantics.bits import members
from kripke_werewolf.logic.semantics.space import Copy, Space


def translate(
    formula: Formula, logic: Logic, steps: Steps, *, value: bool = True, letters: frozenset[str] = frozenset()
) -> Core:
    """Return a core formula which says, on the frames of the logic, that a formula has a truth value.

    `letters`: the schematic atoms. An announcement may change the truth of the formulas they stand for, so
    each becomes a new atom for each set of worlds that are left (`Core.copies`), and after actions for each
    copy of the worlds; these are free (`Core.free`).

    Raises `FormulaError` naming the operator for probability and for knowing a value; `UnknownActionError`
    for an action that is not bound; `Undecided` when nested updates take too many steps.
    """
    build = Builder(logic)

    def literal(f: Formula) -> int:
        check_decidable(f, logic)
        agents = [*f.agents, _STRANGER] if letters else f.agents
        ranks = [(atom, (build.atom(atom),)) for atom in rank_atoms(f, logic)]
        place = _Place((TRUE,), tuple((agent, (1,)) for agent in agents), tuple(ranks))
        return _Copies(build, steps, letters, place).truth(f)[0]

    try:
        found = literal(formula)
    except FormulaError as refusal:
        if letters:
            raise
        try:  # what cannot be decided may drop out
            found = literal(simplify(formula, logic=logic))
        except FormulaError:
            raise refusal from None
    return build.finish(found if value else -found, formula.agents)


def boolean_literal(formula: Formula, build: Builder, steps: Steps) -> int:
    """Return the literal of a Boolean formula; `build` gives those of the atoms."""
    return _Copies(build, steps, frozenset(), _Place((TRUE,), ())).truth(formula)[0]


_STRANGER = ""  # an agent that only instances of a schema mention

_Vector: TypeAlias = tuple[int, ...]
"""A literal for each copy of the worlds."""


class _Look(NamedTuple):
    """The relation of a group between copies: for each copy, those that it leads to, as bits."""

    group: tuple[str, ...]
    sights: _Vector


class _Reach(NamedTuple):
    """The relation of one or more steps along some relations, each to a world in a set."""

    steps: tuple[_Look, ...]
    within: _Vector


class _Known(dict[str, _Look]):
    """The relations of the agents who have one; an action in the formula has none for the others."""

    def __missing__(self, agent: str) -> NoReturn:
        place = (
            f"an action of the formula; give {agent!r} a relation there, or others=[…] for all who have none"
        )
        raise UnknownAgentError(agent, self, place=place)


class _Place(NamedTuple):
    """The content of a space of copies; equal contents are one space, so that nothing is evaluated twice.

    `alive`: the worlds of each copy. `sights`: for each agent, the copies seen at each copy; the relation
    leads to those of the worlds seen before. `facts`: the truth sets of the atoms that were changed. `begun`:
    the copies to which the update leads at once.
    """

    alive: _Vector
    sights: tuple[tuple[str, _Vector], ...]
    facts: tuple[tuple[str, _Vector], ...] = ()
    begun: tuple[int, ...] = ()

    def merged(self, *, distributed: bool, whole: bool) -> tuple[_Place, dict[int, int]]:
        """Return the place with one copy for bisimilar ones, and the number there of each copy that counts.

        A copy without worlds does not count; nor does one that no path reaches after the update, if the
        `whole` place is of no importance. What groups know together (`distributed`) may tell bisimilar copies
        apart; then none are merged.
        """
        there = {n for n, worlds in enumerate(self.alive) if worlds != FALSE}
        looks = [[there.intersection(members(n)) for n in seen] for _, seen in self.sights]
        begun = [n for n in there if whole or n in self.begun]
        counting = sorted(all_after(begun, lambda n: chain(*(seen[n] for seen in looks))))
        values = [self.alive, *(inside for _, inside in self.facts)]
        if distributed:
            values.append(tuple(range(len(self.alive))))
        kinds = numbered(tuple(x[n] for x in values) for n in counting)
        number, classes = dict(zip(counting, kinds, strict=True)), 0
        while len({*kinds}) > classes:
            classes = len({*kinds})
            seen_kinds = ((frozenset(number[m] for m in seen[n]) for seen in looks) for n in counting)
            kinds = numbered(zip(kinds, map(tuple, seen_kinds), strict=True))
            number = dict(zip(counting, kinds, strict=True))
        first = {k: n for n, k in reversed(number.items())}
        kept = [first[k] for k in sorted(first)]

        def taken(values: _Vector) -> _Vector:
            return tuple([values[n] for n in kept])

        sights = tuple(
            (agent, tuple([sum(1 << k for k in {number[m] for m in seen[n]}) for n in kept]))
            for (agent, _), seen in zip(self.sights, looks, strict=True)
        )
        facts = tuple((atom, taken(inside)) for atom, inside in self.facts)
        return _Place(taken(self.alive), sights, facts), number


class _Copies(Space[_Vector]):
    """Copies of the worlds of any model; truth sets are vectors of literals.

    The value of a literal at worlds that a copy does not have is of no importance, since no relation leads
    there.
    """

    __slots__ = ("all", "build", "letters", "place", "relations", "spaces", "steps", "valuation")
    relations: Mapping[str, _Look]
    variables: Mapping[str, Mapping[str, Formula]] = {}
    valuation: dict[str, _Vector]

    def __init__(
        self,
        build: Builder,
        steps: Steps,
        letters: frozenset[str],
        place: _Place,
        spaces: dict[_Place, _Copies] | None = None,
    ) -> None:
        super().__init__()
        self.build, self.steps, self.letters, self.place = build, steps, letters, place
        self.spaces = {place: self} if spaces is None else spaces
        self.all = (TRUE,) * len(place.alive)
        self.valuation = dict(place.facts)
        self.relations = _Known((agent, _Look((agent,), seen)) for agent, seen in place.sights)

    def _at(self, place: _Place) -> _Copies:
        given = self.build, self.steps, self.letters, place, self.spaces
        return remembered(self.spaces, place, lambda: _Copies(*given))

    def evaluated(self, f: Formula) -> _Vector:
        # an operator under nested updates costs as much as a few steps of the search
        self.steps.take(20 * len(self.all))
        return f.truth(self)

    def fact(self, atom: str) -> _Vector:
        if atom in self.letters:
            first = next(iter(self.spaces))
            # after public announcements it has some of the worlds, unchanged
            if self.place.facts == first.facts and all(seen == (1,) for _, seen in self.place.sights):
                return (self.build.copy(atom, self.place.alive[0]),)
            self.build.free = True
            number = list(self.spaces).index(self.place)
            return tuple([self.build.atom(f"{atom}\0{number}.{n}") for n in range(len(self.all))])
        return self.valuation.get(atom) or (self.build.atom(atom),) * len(self.all)

    def with_facts(self, facts: Mapping[str, _Vector]) -> _Copies:
        changed = tuple(sorted({**self.valuation, **facts}.items()))
        return self._at(self.place._replace(facts=changed))

    def some(self, inside: _Vector) -> bool:
        return any(x != FALSE for x in inside)

    def complement(self, inside: _Vector) -> _Vector:
        return tuple([-x for x in inside])

    def all_of(self, sets: Sequence[_Vector]) -> _Vector:
        return tuple(map(self.build.conj, zip(*sets, strict=True))) if sets else self.all

    def any_of(self, sets: Sequence[_Vector]) -> _Vector:
        return tuple(map(self.build.disj, zip(*sets, strict=True))) if sets else self.complement(self.all)

    def odd_of(self, sets: Sequence[_Vector]) -> _Vector:
        return tuple(map(self.build.odd, zip(*sets, strict=True)))

    def counted(self, sets: Sequence[_Vector], low: int, high: int) -> _Vector:
        at_least = self.build.at_least
        return tuple(
            self.build.conj((at_least(low, column), -at_least(high + 1, column)))
            for column in zip(*sets, strict=True)
        )

    def box(self, relation: _Look | _Reach, inside: _Vector) -> _Vector:
        if isinstance(relation, _Reach):
            return self._paths([(look, relation.within) for look in relation.steps], inside)
        known = {seen: self._known(relation.group, seen, inside) for seen in {*relation.sights}}
        return tuple([known[seen] for seen in relation.sights])

    def _known(self, group: tuple[str, ...], seen: int, inside: _Vector) -> int:
        """Return the literal that some copies, as bits, are inside wherever a group sees them."""
        parts = list[int]()
        for body, entered in grouped((inside[n], self.place.alive[n]) for n in members(seen)).items():
            if self.build.disj(entered) == TRUE:  # so that equal formulas are equal literals
                entered = [TRUE]
            parts += [self.build.box(group, worlds, body) for worlds in entered]
        return self.build.conj(parts)

    def commonly(self, group: tuple[str, ...], given: _Vector, inside: _Vector) -> _Vector:
        return self._paths([(self.relations[a], self.best(a, given)) for a in group], inside)

    def _paths(self, ways: Sequence[tuple[_Look, _Vector]], inside: _Vector) -> _Vector:
        """Return where every nonempty path ends inside whose steps lead to the worlds given for each."""
        alive, edges = self.place.alive, list[list[PathStep]]()
        entering = [(k, alive if x == self.all else self.all_of([alive, x])) for k, x in ways]
        for here in range(len(alive)):
            out = [(look, entered, n) for look, entered in entering for n in members(look.sights[here])]
            edges.append([PathStep(look.group[0], TRUE, x[n], inside[n], n) for look, x, n in out])
        self.steps.take(4 * sum(map(len, edges)))
        return tuple(self.build.paths(edges, alive))

    def meet(self, left: _Look, right: _Look) -> _Look:
        group = tuple(sorted({*left.group, *right.group}))
        return _Look(group, tuple([x & y for x, y in zip(left.sights, right.sights, strict=True)]))

    def join(self, relations: list[_Look], within: _Vector | None = None) -> _Reach:
        return _Reach(tuple(relations), within or self.all)

    def make_total(self) -> _Look:
        return _Look((), ((1 << len(self.all)) - 1,) * len(self.all))

    def restricted(self, inside: _Vector) -> tuple[_Copies, Callable[[_Vector], _Vector]]:
        alive = self.all_of([self.place.alive, inside])
        return self._at(self.place._replace(alive=alive)), lambda found: self.all_of([inside, found])

    def product(self, action: ActionModel) -> tuple[_Copies, Callable[[_Vector], _Vector]]:
        sights = {a: action._sights.get(a, action._others) for a in self.relations}
        made = self.copies(action, merge=not self.letters and None not in sights.values())
        copies = sorted(made, key=lambda copy: (copy.worlds, sorted(copy.post.items())))
        olds = range(len(self.all))
        pairs = [(copy, old) for copy in copies for old in olds]
        self.steps.take(len(copies) * len(pairs))

        def seen_from(sight: Sequence[int], seen: _Vector, copy: Copy[_Vector], old: int) -> int:
            after = [seen[old] if sight[copy.event] >> other.event & 1 else 0 for other in copies]
            return sum(there << n * len(olds) for n, there in enumerate(after))

        new = {
            agent: tuple(seen_from(sight, self.relations[agent].sights, *pair) for pair in pairs)
            for agent, sight in sights.items()
            if sight is not None
        }
        changed = {atom: self.fact(atom) for copy in copies for atom in copy.post} | self.valuation
        facts = {
            atom: tuple(copy.post.get(atom, before)[old] for copy, old in pairs)
            for atom, before in sorted(changed.items())
        }
        alive = tuple(self.build.joint((self.place.alive[old], copy.worlds[old])) for copy, old in pairs)
        begun = [n for n, (copy, old) in enumerate(pairs) if copy.chosen[old] != FALSE]
        place = _Place(alive, tuple(new.items()), tuple(facts.items()), tuple(begun))

        def before(found: _Vector) -> _Vector:
            return self.any_of(
                [
                    tuple(self.build.conj((copy.chosen[old], found[n * len(olds) + old])) for old in olds)
                    for n, copy in enumerate(copies)
                ]
            )

        return self._at(place), before

    def contracted_after(
        self, before: Space[_Vector], *, distributed: bool, probable: bool, whole: bool
    ) -> tuple[_Copies, Callable[[_Vector], _Vector]] | None:
        if self.letters:
            return None
        place, number = self.place.merged(distributed=distributed, whole=whole)

        def unfolded(found: _Vector) -> _Vector:
            return tuple([found[number[n]] if n in number else FALSE for n in range(len(self.all))])

        return self._at(place), unfolded

    def compared(self, node: s.Probability) -> _Vector:
        raise FormulaError(
            f"cannot decide {str(node)!r}: probability (P_a) is not supported; a given model evaluates it"
        )
