"""Answers to the queries of SMCDEL files, by the same definitions as SMCDEL's on the same diagrams.

A formula becomes a Boolean function of the vocabulary, also of its assignments that break the state
law (van Benthem, van Eijck, Gattinger and Su 2018, definition 5). It matters to quantifiers, which
may look at such assignments, and to `TRUE?` at one of them; everywhere else `KnowledgeStructure` and
`KripkeModel` say the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from operator import and_, or_, xor
from typing import Any

from kripke_werewolf.errors import ModelTooLarge
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.models.formats.smcdel import Answer, SmcdelFile
from kripke_werewolf.symbolic.bdd import BDDs, Oxidd, Variables, variable_set

__all__ = ["answers"]


def answers(file: SmcdelFile, *, limit: int, bdds: BDDs | None = None) -> list[Answer]:
    """Return the answers to the queries of a file; see `SmcdelFile.answers`."""
    bdds = bdds or Oxidd()
    number = dict(zip(file.vocabulary, bdds.declare(len(file.vocabulary)), strict=True))
    observed = {a: variable_set(number[p] for p in atoms) for a, atoms in file.observables.items()}
    everything = _Structure(bdds, number, bdds.true, variable_set(number.values()), observed)
    law = bdds.attempt(_truth, everything, file.law)
    structure = _Structure(bdds, number, law, everything.scope, observed)
    found: list[Answer] = []
    for query in file.queries:
        true = bdds.attempt(_truth, structure, query.formula)
        if query.state is not None:
            found.append(bdds.value(true, {number[p] for p in query.state}))
        elif query.kind == "VALID?":
            found.append(law & ~true == bdds.false)
        else:
            size = bdds.count(law & true, len(number))
            if size > limit:
                advice = "ask VALID? or TRUE? instead, or narrow the question"
                raise ModelTooLarge(size, limit, f"the answer to {query.text}", advice)
            found.append(list(_states(bdds, law & true, number)))
    return found


def _states(bdds: BDDs, inside: Any, number: Mapping[str, int]) -> Iterator[list[int | str]]:
    """Yield the assignments of a function, each as the list of its true atoms."""
    order = sorted(number, key=lambda atom: bdds.level(number[atom]))
    stack: list[tuple[Any, int, tuple[str, ...]]] = [(inside, 0, ())]
    while stack:
        f, place, true = stack.pop()
        if f == bdds.false:
            continue
        if place == len(order):
            yield [int(atom) if atom.isdecimal() else atom for atom in number if atom in true]
            continue
        atom = order[place]
        branch = bdds.branch(f)
        yes, no = (f, f) if branch is None or branch[0] != number[atom] else branch[1:]
        stack += [(yes, place + 1, (*true, atom)), (no, place + 1, true)]


class _Structure:
    """A knowledge structure, and the Boolean functions of the formulas evaluated on it so far."""

    def __init__(
        self,
        bdds: BDDs,
        number: Mapping[str, int],
        law: Any,
        scope: Variables,
        observed: Mapping[str, Variables],
    ) -> None:
        self.bdds, self.number, self.law, self.scope, self.observed = bdds, number, law, scope, observed
        self.memo: dict[Formula, Any] = {}
        self.after: dict[s.Announce, list[tuple[Any, _Structure, int | None]]] = {}

    def missing(self, node: Formula) -> list[tuple[_Structure, Formula]]:
        """Return what must be evaluated before `node` can be, and has not been yet."""
        if isinstance(node, s.Box | s.Diamond):
            assert isinstance(node.update, s.Announce)
            if node.update.content not in self.memo:
                return [(self, node.update.content)]
            branches = [(structure, node.body) for _, structure, _ in self.updated(node.update)]
            return [(structure, f) for structure, f in branches if f not in structure.memo]
        return [(self, f) for f in node.children if f not in self.memo]

    def evaluate(self, node: Formula) -> Any:
        """Return the function of `node`, its parts being evaluated."""
        memo, bdds = self.memo, self.bdds
        match node:
            case s.Atom(name):
                return bdds.variable(self.number[name])
            case s.Constant(value):
                return bdds.true if value else bdds.false
            case s.Not(f):
                return ~memo[f]
            case s.And(parts):
                return reduce(and_, (memo[f] for f in parts))
            case s.Or(parts):
                return reduce(or_, (memo[f] for f in parts))
            case s.Xor(parts):
                return reduce(xor, (memo[f] for f in parts))
            case s.Implies(f, g):
                return ~memo[f] | memo[g]
            case s.Iff(f, g):
                return ~(memo[f] ^ memo[g])
            case s.Count("exactly", 1, parts):
                none, one = bdds.true, bdds.false
                for f in parts:
                    none, one = none & ~memo[f], bdds.choose(memo[f], none, one)
                return one
            case s.Forall(names, f):
                return ~bdds.exists(~memo[f], self.variables(names))
            case s.Exists(names, f):
                return bdds.exists(memo[f], self.variables(names))
            case s.Knows(a, f):
                return self.box((a,), memo[f])
            case s.KnowsWhether(a, f):
                return self.box((a,), memo[f]) | self.box((a,), ~memo[f])
            case s.Distributed(group, f):
                return self.box(group, memo[f])
            case s.DistributedWhether(group, f):
                return self.box(group, memo[f]) | self.box(group, ~memo[f])
            case s.Common(group, f):
                return self.common(group, memo[f])
            case s.CommonWhether(group, f):
                return self.common(group, memo[f]) | self.common(group, ~memo[f])
            case s.Box(s.Announce() as update, f):
                return ~self.happens(update, f, negate=True)
            case s.Diamond(s.Announce() as update, f):
                return self.happens(update, f, negate=False)
        raise TypeError(f"no such formula in SMCDEL: {type(node).__name__}")

    def variables(self, names: tuple[str, ...]) -> Variables:
        return variable_set(self.number[name] for name in names)

    def box(self, group: tuple[str, ...], inside: Any) -> Any:
        """Return where `inside` holds at all states in which the group observes the same."""
        hidden = self.scope & ~reduce(or_, (self.observed[a] for a in group))
        return ~self.bdds.and_exists(self.law, ~inside, hidden)

    def common(self, group: tuple[str, ...], inside: Any) -> Any:
        """Return the greatest fixed point of: `inside`, and everyone in the group knows it."""
        found = inside
        while True:
            smaller = reduce(and_, (self.box((a,), found) for a in group), inside)
            if smaller == found:
                return found
            found = smaller

    def updated(self, update: s.Announce) -> list[tuple[Any, _Structure, int | None]]:
        """Return the ways an announcement can go: where, to what structure, and its signal, if any.

        What a group learns is a new variable, its signal, that only they observe.
        """
        if update not in self.after:
            content, bdds = self.memo[update.content], self.bdds
            if update.group is None:
                cases = [content, ~content] if update.whether else [content]
                self.after[update] = [(case, self.derived(self.law & case), None) for case in cases]
            else:
                (signal,) = bdds.declare(1)
                law = self.law & ~(bdds.variable(signal) ^ content)
                structure = self.derived(law, signal, update.group)
                self.after[update] = [(content, structure, signal), (~content, structure, signal)]
        return self.after[update]

    def derived(self, law: Any, signal: int | None = None, group: tuple[str, ...] = ()) -> _Structure:
        new = 0 if signal is None else 1 << signal
        observed = {a: seen | new if a in group else seen for a, seen in self.observed.items()}
        return _Structure(self.bdds, self.number, law, self.scope | new, observed)

    def happens(self, update: s.Announce, f: Formula, *, negate: bool) -> Any:
        """Return where an announcement can go such that `f` (or its negation) holds afterwards."""
        found = self.bdds.false
        for place, (where, structure, signal) in enumerate(self.updated(update)):
            after = ~structure.memo[f] if negate else structure.memo[f]
            if signal is not None:
                value = self.bdds.false if place else self.bdds.true
                after = self.bdds.substitute(after, {signal: value})
            found = found | (where & after)
        return found


def _truth(structure: _Structure, f: Formula) -> Any:
    tasks = [(structure, f)]
    while tasks:
        place, node = tasks[-1]
        if node in place.memo:
            tasks.pop()
        elif missing := place.missing(node):
            tasks += missing
        else:
            place.memo[node] = place.evaluate(node)
    return structure.memo[f]
