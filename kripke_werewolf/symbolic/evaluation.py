"""The symbolic model checker: truth sets as diagrams.

The same fold over the subformulas as on explicit models, with diagrams for arrays and quantification
over unobserved variables for the box. A dynamic operator evaluates its body on the updated space,
which is built once per query and update. Nothing recurses.

A truth set is meant relative to the law: what it says elsewhere has no meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import and_, or_, xor
from typing import cast

from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.probability import Probability
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.semantics.action import ActionModel, action_of_update
from kripke_werewolf.semantics.truth import check_names
from kripke_werewolf.symbolic.bdd import Diagram, Variables
from kripke_werewolf.symbolic.conjunction import Part, balanced
from kripke_werewolf.symbolic.probability import probability_set
from kripke_werewolf.symbolic.relation import Relation
from kripke_werewolf.symbolic.space import Space
from kripke_werewolf.symbolic.transformer import Transition, product

__all__ = ["truth", "truths"]

# what needs other formulas than its children, or its body in another space
_SPECIAL = (s.Box, s.Diamond, s.Forall, s.Exists, s.KnowsValue, s.Xor)


def truth(space: Space, formula: Formula) -> Part:
    """Return where a formula is true, as a diagram.

    Raises an `UnknownNameError` for an atom, agent, variable or action that the structure or the
    formula does not have, wherever it occurs, and `DiagramTooLarge` when memory runs out.
    """
    return truths(space, [formula])[0]


def truths(space: Space, formulas: Sequence[Formula]) -> list[Part]:
    """Return the truth sets of several formulas; subformulas they share are evaluated once."""
    for formula in formulas:
        if formula not in space.checked:
            check_names(cast(KripkeModel, space), formula)  # a space has what the check looks at
            _check_quantifiers(formula)
            space.checked.add(formula)
    temporary: list[Variables] = []
    root = _Frame(space, temporary)
    tasks = [(root, f) for f in reversed(formulas)]
    try:
        while tasks:
            frame, node = tasks[-1]
            if node in frame.memo:
                tasks.pop()
                continue
            missing = frame.missing(node)
            if missing:
                tasks.extend(missing)
            else:
                frame.memo[node] = space.bdds.attempt(frame.evaluate, node)
                tasks.pop()
        return [root.memo[f] for f in formulas]
    finally:
        # what updates and quantifiers inside the formulas added, no result depends on
        for new in temporary:
            space.bdds.release(new)


def _check_quantifiers(formula: Formula) -> None:
    """Raise `FormulaError` where a quantified atom occurs in an action: there it cannot be replaced."""
    pending, seen = [formula], set[Formula]()
    while pending:
        inside: dict[Formula, frozenset[str]] = {}
        for node in pending.pop().subformulas():
            found = frozenset[str]().union(*(inside[c] for c in node.children))
            match node:
                case s.Forall(names, body) | s.Exists(names, body):
                    if not found.isdisjoint(names):
                        body.substitute(dict.fromkeys(names, s.TRUE))  # which says what is wrong
                case s.Box(s.Act(_, _, action), _) | s.Diamond(s.Act(_, _, action), _) if action is not None:
                    found |= action.formula_atoms
                    pending.extend(f for f in action.formulas if f not in seen)
                    seen.update(action.formulas)
            inside[node] = found


class _Frame:
    """One space of the query: the given one, or what an update or quantifier inside makes of it."""

    def __init__(self, space: Space, temporary: list[Variables]) -> None:
        self.space = space
        self.temporary = temporary
        self.bdds = space.bdds
        self.memo: dict[Formula, Part] = {}
        self.met: dict[tuple[str, ...], Relation] = {}
        self.after: dict[s.Announce | s.Act, tuple[_Frame, Transition | None]] = {}
        self.ranging: dict[tuple[str, ...], tuple[_Frame, Variables]] = {}
        self.summands: dict[s.Xor, list[Formula]] = {}
        self._unbound: _Frame | None = None

    # --- what is needed first -----------------------------------------------------------------------

    def missing(self, node: Formula) -> list[tuple[_Frame, Formula]]:
        """Return what must be evaluated before `node` can be, and has not been yet."""
        if not isinstance(node, _SPECIAL):
            return self.wants(node.children)
        match node:
            case s.Box(update, body) | s.Diamond(update, body):
                action = action_of_update(update)
                wanted = [f for f in (action.formulas if action else node.children[:1]) if f not in self.memo]
                if wanted:
                    return [(self, f) for f in wanted]
                return self.updated(update, action)[0].wants((body,))
            case s.Forall(names, body) | s.Exists(names, body):
                return self.quantified(names)[0].wants((body,))
            case s.KnowsValue():
                return self.unbound.wants(self.values(node))
            case s.Xor():
                return self.wants(self.odd(node))
        raise TypeError(f"nothing special about {type(node).__name__}")

    def wants(self, formulas: Sequence[Formula]) -> list[tuple[_Frame, Formula]]:
        found = []
        for f in formulas:
            if f not in self.memo:
                if isinstance(f, s.Atom):
                    self.memo[f] = self.space.fact(f.name)
                else:
                    found.append((self, f))
        return found

    # --- truth conditions ---------------------------------------------------------------------------

    def evaluate(self, node: Formula) -> Part:
        """Return the truth set of `node`, its parts being in the memo."""
        memo, space, bdds = self.memo, self.space, self.bdds
        match node:
            case s.Atom(name):
                return space.fact(name)
            case s.Constant(value):
                return Part(bdds.true if value else bdds.false, 0)
            case s.Not(f):
                return _not(memo[f])
            case s.And(parts):
                return self.combine(and_, parts, bdds.true)
            case s.Or(parts):
                return self.combine(or_, parts, bdds.false)
            case s.Xor():
                return self.combine(xor, self.odd(node), bdds.false)
            case s.Implies(f, g):
                return Part(~memo[f].diagram | memo[g].diagram, memo[f].support | memo[g].support)
            case s.Iff(f, g):
                return Part(~(memo[f].diagram ^ memo[g].diagram), memo[f].support | memo[g].support)
            case s.Count(kind, number, parts):
                return self.counted(kind, number, [memo[f] for f in parts])
            case s.Knows(agent, f):
                return self.box(space.relations[agent], memo[f])
            case s.Possible(agent, f):
                return self.settled(space.relations[agent].possible(space.law, memo[f]))
            case s.KnowsWhether(agent, f):
                return self.settled(space.relations[agent].whether(space.law, memo[f]))
            case s.Everyone(group, f):
                return self.everyone(group, memo[f])
            case s.Common(group, f):
                return self.common(group, memo[f])
            case s.CommonWhether(group, f):
                both = [self.common(group, memo[f]), self.common(group, _not(memo[f]))]
                return self.joined(or_, both, bdds.false)
            case s.Distributed(group, f):
                return self.box(self.meet(group), memo[f])
            case s.DistributedWhether(group, f):
                return self.settled(self.meet(group).whether(space.law, memo[f]))
            case s.Everywhere(f):
                return _not(self.somewhere(_not(memo[f])))
            case s.Somewhere(f):
                return self.somewhere(memo[f])
            case s.Forall(names, body):
                frame, new = self.quantified(names)
                return _not(self.some_value(_not(frame.memo[body]), new))
            case s.Exists(names, body):
                frame, new = self.quantified(names)
                return self.some_value(frame.memo[body], new)
            case s.KnowsValue(agent):
                known = [self.box(space.relations[agent], self.unbound.memo[f]) for f in self.values(node)]
                return self.joined(or_, known, bdds.false)
            case s.Box(update, body):
                frame, transition = self.after[update]
                if transition is not None:
                    return transition.every(frame.memo[body])
                content, then = memo[node.children[0]], frame.memo[body]
                return Part(~content.diagram | then.diagram, content.support | then.support)
            case s.Diamond(update, body):
                frame, transition = self.after[update]
                if transition is not None:
                    return transition.some(frame.memo[body])
                content, then = memo[node.children[0]], frame.memo[body]
                return Part(content.diagram & then.diagram, content.support | then.support)
            case Probability():
                return probability_set(space, node, memo)
        raise TypeError(f"no truth condition for {type(node).__name__}")

    def joined(
        self, operation: Callable[[Diagram, Diagram], Diagram], parts: Sequence[Part], empty: Diagram
    ) -> Part:
        support = 0
        for p in parts:
            support |= p.support
        return Part(balanced(self.bdds, operation, (p.diagram for p in parts), empty), support)

    def combine(
        self, operation: Callable[[Diagram, Diagram], Diagram], nodes: Sequence[Formula], empty: Diagram
    ) -> Part:
        return self.joined(operation, [self.memo[f] for f in nodes], empty)

    def odd(self, node: s.Xor) -> list[Formula]:
        """Return the formulas that occur an odd number of times in nested exclusive ors.

        The coins of the dining cryptographers cancel here, before any diagram is built.
        """
        if node not in self.summands:
            order = _inner(node)
            times: dict[Formula, int] = dict.fromkeys(order, 0)
            times[node] = 1
            leaves: dict[Formula, int] = {}
            for inner in reversed(order):
                for child in inner.children if times[inner] % 2 else ():
                    counts = times if child in times else leaves
                    counts[child] = counts.get(child, 0) + 1
            self.summands[node] = [f for f, n in leaves.items() if n % 2]
        return self.summands[node]

    def counted(self, kind: str, number: int, parts: Sequence[Part]) -> Part:
        """Return where a number of the parts is true, by adding one part at a time."""
        bdds = self.bdds
        wanted = number if kind == "atleast" else number + 1
        # row[j]: at least j of the parts so far; the lowest in the order come first
        row = [bdds.true] + [bdds.false] * wanted
        support = 0
        for done, p in enumerate(sorted(parts, key=lambda p: bdds.top(p.diagram), reverse=True)):
            support |= p.support
            for j in range(min(wanted, done + 1), 0, -1):
                row[j] = bdds.choose(p.diagram, row[j - 1], row[j])
        if kind == "atleast":
            return Part(row[number], support)
        return Part(~row[number + 1] if kind == "atmost" else row[number] & ~row[number + 1], support)

    def box(self, relation: Relation, inside: Part) -> Part:
        return self.settled(relation.necessary(self.space.law, inside))

    def settled(self, p: Part) -> Part:
        """Return a constant for what the law decides.

        Where the law is in parts, what agents know can be simple at all states but complicated
        elsewhere, and more so in combination.
        """
        law = self.space.law
        if len(law.all.parts) > 1 and p.support:
            if not law.some(p):
                return Part(self.bdds.false, 0)
            if not law.some(_not(p)):
                return Part(self.bdds.true, 0)
        return p

    def everyone(self, group: tuple[str, ...], inside: Part) -> Part:
        known = [self.box(self.space.relations[a], inside) for a in group]
        return self.joined(and_, known, self.bdds.true)

    def common(self, group: tuple[str, ...], inside: Part) -> Part:
        """Return C φ = E X for the greatest fixpoint X of φ & E X.

        Its complement grows from the states outside φ, one agent's step at a time: what an agent
        adds, the next one uses at once.
        """
        law, relations = self.space.law, [self.space.relations[a] for a in group]
        lost = _not(inside)
        unchanged = turn = 0
        while unchanged < len(relations):
            more = self.settled(relations[turn % len(relations)].possible(law, lost))
            turn += 1
            if law.some(Part(more.diagram & ~lost.diagram, more.support | lost.support)):
                lost = Part(lost.diagram | more.diagram, lost.support | more.support)
                unchanged = 0
            else:
                unchanged += 1
        if any(r.link for r in relations):
            return self.everyone(group, _not(lost))
        return _not(lost)  # equivalences: one more step leads nowhere new

    def meet(self, group: tuple[str, ...]) -> Relation:
        if group not in self.met:
            first, *others = (self.space.relations[a] for a in group)
            for other in others:
                first = first.meet(self.space.law, other)
            self.met[group] = first
        return self.met[group]

    def somewhere(self, inside: Part) -> Part:
        # quantified variables are no part of the states and stay
        return self.space.law.states(inside).eliminate(self.space.law.scope).whole()

    # --- spaces inside formulas ---------------------------------------------------------------------

    @property
    def unbound(self) -> _Frame:
        """The frame without quantified atoms: what the values of declared variables mean here."""
        if not self.space.bound:
            return self
        if self._unbound is None:
            self._unbound = _Frame(self.space.unbound(), self.temporary)
        return self._unbound

    def values(self, node: s.KnowsValue) -> list[Formula]:
        return list(self.space.variables[node.variable].values())

    def quantified(self, names: tuple[str, ...]) -> tuple[_Frame, Variables]:
        """Return the frame in which the names stand for new variables that everybody observes.

        Putting true or false for an atom is the same as evaluating with a variable that has that
        value at all states, and takes one evaluation instead of two for each atom.
        """
        if names not in self.ranging:
            space, new = self.space.binding(names)
            self.temporary.append(new)
            self.ranging[names] = _Frame(space, self.temporary), new
        return self.ranging[names]

    def some_value(self, inside: Part, new: Variables) -> Part:
        return Part(self.bdds.exists(inside.diagram, new), inside.support & ~new)

    def updated(
        self, update: s.Announce | s.Act, action: ActionModel | None
    ) -> tuple[_Frame, Transition | None]:
        """Return the frame of the updated space; without a transition after a public announcement."""
        if update not in self.after:
            if action is None:
                assert isinstance(update, s.Announce)
                restricted = self.bdds.attempt(self.space.restricted, self.memo[update.content])
                self.after[update] = _Frame(restricted, self.temporary), None
            else:
                space, transition = self.bdds.attempt(product, self.space, action, self.memo, named=False)
                self.temporary.append(transition.events)
                self.after[update] = _Frame(space, self.temporary), transition
        return self.after[update]


def _inner(node: s.Xor) -> list[s.Xor]:
    """Return the exclusive ors that hang together with `node`, children before parents."""
    done: dict[s.Xor, None] = {}
    stack: list[tuple[s.Xor, bool]] = [(node, False)]
    while stack:
        f, expanded = stack.pop()
        if f in done:
            continue
        if expanded:
            done[f] = None
        else:
            stack.append((f, True))
            stack.extend((c, False) for c in f.children if isinstance(c, s.Xor) and c not in done)
    return list(done)


def _not(p: Part) -> Part:
    return Part(~p.diagram, p.support)
