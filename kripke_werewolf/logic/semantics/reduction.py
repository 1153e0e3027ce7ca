"""Elimination of announcements and actions by the reduction axioms.

The truth of a formula after an update is expressed by a formula before it: [!φ]K_a ψ is equivalent to
φ -> K_a (φ -> [!φ]ψ), and so on down to the atoms (Plaza 1989; Baltag, Moss and Solecki 1998; van
Ditmarsch, van der Hoek and Kooi 2007, chapters 4 and 6). A translation can be exponentially longer
when printed; in memory it stays small, since its parts are shared.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from kripke_werewolf.base.errors import FormulaError
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.operators import Mode, Scope
from kripke_werewolf.logic.formulas.simplification import negated
from kripke_werewolf.logic.formulas.syntax import Formula, FormulaLike, formula
from kripke_werewolf.logic.semantics.action import action_of, action_of_update, public
from kripke_werewolf.logic.semantics.bits import members
from kripke_werewolf.logic.semantics.space import Together, needs


def reduce_announcements(f: FormulaLike) -> Formula:
    """Return a formula without announcements and actions that is true at the same worlds.

    The equivalence holds in every model, whatever its relations; B is read as K, as in models without ranks.

    >>> print(reduce_announcements("[!p]K_a q"))
    p -> K_a (p -> q)

    >>> print(reduce_announcements("[!p]C_{a,b} q"))
    p -> C_{a,b}^{p} q

    Raises `FormulaError` if there is no such formula or none is known: for common knowledge after an update
    that some of the group do not notice (Baltag, Moss and Solecki 1998), and for probabilities and Kv
    after an update; `UnknownActionError` for a name that is not bound.
    """
    found = formula(f)
    static: dict[Formula, Formula] = {}
    for node in found.subformulas():
        new = node.with_children(static[c] for c in node.children)
        static[node] = _Update(new.update).translated(new) if isinstance(new, s.Dynamic) else new
    return static[found]


class _Update:
    """An action model with static preconditions and postconditions; events are numbered."""

    def __init__(self, update: s.Update) -> None:
        action = action_of_update(update)
        if isinstance(update, s.Upgrade):
            raise FormulaError(f"cannot translate {update.english} {update.content}: it changes orders")
        if action is None:
            assert isinstance(update, s.Announce)
            action = public(update.content)
        self.action = action
        number = {event: i for i, event in enumerate(action.events)}
        events = action.events.values()
        self.designated = [number[event] for event in action.designated]
        self.pre = [reduce_announcements(event.pre) for event in events]
        self.post = [{p: reduce_announcements(f) for p, f in event.post.items()} for event in events]
        static = [*self.pre, *(f for post in self.post for f in post.values())]
        self.atoms = frozenset[str]().union(*(f.atoms for f in static), *self.post)
        self.after: list[dict[Formula, Formula]] = [{} for _ in events]

    def translated(self, node: s.Dynamic) -> Formula:
        """Return a static formula equivalent to `node`, whose body is static."""
        body = node.body.rewrite(self.instances)
        for part in body.subformulas():
            for e, known in enumerate(self.after):
                try:
                    known[part] = self.holds_after(e, part)
                except _Inexpressible as reason:
                    raise FormulaError(f"cannot translate {part} in {node}: {reason}") from None
        if node.every:
            return s.conjunction(_if(self.pre[e], self.after[e][body]) for e in self.designated)
        return s.disjunction(_and(self.pre[e], self.after[e][body]) for e in self.designated)

    def instances(self, f: Formula) -> Formula:
        """Spell out a quantifier over atoms that the update mentions too, and E_G for each agent.

        The latter because agents confuse different events.
        """
        match f:
            case s.Modal() if f.scope in (Scope.EACH, Scope.SOME):
                of_each = f.unfolded()
                assert of_each is not None
                return of_each
            case s.Quantifier() if not self.atoms.isdisjoint(f.names):
                return f.unfolded()
        return f

    def holds_after(self, e: int, f: Formula) -> Formula:
        """Return a formula that is true before event `e`, where it can happen, iff `f` is true after it.

        Uses the results for the parts of `f`, for every event.
        """
        match f:
            case s.Atom(name):
                return self.post[e].get(name, f)
            case s.Modal():
                return self.modal(e, f)
            case s.Probability():
                raise _Inexpressible("an update splits the weights of worlds")
            case s.KnowsValue():
                raise _Inexpressible("only the model knows which values a variable has")
        if not (f.pointwise or isinstance(f, s.Quantifier)):
            raise _Inexpressible(f"what {type(f).__name__} comes to before an update is not declared")
        return f.with_children(self.after[e][c] for c in f.children)

    def modal(self, e: int, f: s.Modal) -> Formula:
        """Return a formula that is true before event `e` iff a modal formula is true after it.

        A box after the event is a box before it for every event that its agents consider possible then.
        """
        if f.scope in s.ORDERED:
            raise _Inexpressible("an update also changes the order of its agents")
        if f.scope is Scope.REACH:
            if any(self.seen((agent,), e) != [e] for agent in f.label):
                raise _Inexpressible(
                    "common knowledge after an update that some of the group do not notice cannot be said "
                    "without updates (E_G E_G …, to any depth, can)"
                )
            if self.pre[e] is s.TRUE:
                return f.with_children(self.after[e][c] for c in f.children)
            within = self.pre[e]
            if len(f.children) > 1:
                within = _and(within, self.after[e][f.within])
            return f.with_children((within, self.after[e][f.body]))
        seen = self.seen(f.label, e)
        if f.mode is Mode.DIAMOND:
            return s.disjunction(f.with_children((_and(self.pre[i], self.after[i][f.body]),)) for i in seen)
        box = s.box_of(f.scope)
        known = s.conjunction(box._make(f.label, (_if(self.pre[i], self.after[i][f.body]),)) for i in seen)
        if f.mode is Mode.BOX:
            return known
        refuted = (box._make(f.label, (_if(self.pre[i], negated(self.after[i][f.body])),)) for i in seen)
        return s.Or(known, s.conjunction(refuted))

    def seen(self, group: Iterable[str], event: int) -> list[int]:
        """Return the events that all of the group consider possible when an event happens."""
        return members(self.action._sight(Together(tuple(group)))[event])


class _Inexpressible(Exception):
    """Why a formula has no translation."""


def as_announcements(node: s.Dynamic, letters: Container[str] = ()) -> Formula | None:
    """Return an equivalent of [update]ψ or <update>ψ with public announcements instead, or None.

    There is one if the designated events are public for the agents in ψ and change no facts, and neither ψ
    nor a condition in it is about all worlds. One of the `letters` counts as if it were.

    >>> print(as_announcements(s.Box(s.Announce(formula("p"), whether=True), "K_a q")))
    [!p]K_a q & [!~p]K_a q
    >>> as_announcements(s.Box(s.Announce(formula("p"), whether=True), "everywhere q"))
    """
    action, body = action_of(node), node.body
    anything: Mapping[str, Mapping[str, Formula]] = {"": {"": s.Everywhere(s.TRUE)}}  # values of variables
    if action is None or any(atom in letters for atom in body.atoms) or needs(body, anything).whole:
        return None
    sights, events = [action._sight(agent) for agent in body.agents], list(action.events)
    for event in action.designated:
        here = events.index(event)
        if action.events[event].post or any(sight[here] != 1 << here for sight in sights):
            return None
    parts = [type(node)(s.Announce(action.events[event].pre), body) for event in action.designated]
    return s.conjunction(parts) if node.every else s.disjunction(parts)


def _if(condition: Formula, f: Formula) -> Formula:
    return f if condition is s.TRUE or f is s.TRUE else s.Implies(condition, f)


def _and(condition: Formula, f: Formula) -> Formula:
    return s.conjunction(g for g in (condition, f) if g is not s.TRUE)
