"""Abbreviations: expanded into the few operators of the axioms, and written as in a given formula.

Systems of axioms have the connectives, K, C (also on a condition), D of several agents, everywhere, public
announcements and single events of action models. All other operators abbreviate formulas built from these:
M_a φ is ~K_a ~φ, E_G φ the conjunction of K_a φ, D_{a} φ is K_a φ, <!φ>ψ is ~[!φ]~ψ. Proofs are checked with
all abbreviations expanded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial

from kripke_werewolf.base.errors import FormulaError
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.names import SCHEMATIC
from kripke_werewolf.logic.formulas.operators import Mode, Scope
from kripke_werewolf.logic.formulas.simplification import negated
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.semantics.action import action_of, action_of_update

_ORDERS = "derivations say nothing of orders of plausibility; such formulas are decided in 'S5 with orders'"


@lru_cache(4096)
def unabbreviated(f: Formula) -> Formula:
    """Return a formula with its abbreviations expanded.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> print(unabbreviated(parse("M_a p & Kw_b q -> <!p>E_{a,b} q")))
    ~K_a ~p & (K_b q | K_b ~q) -> ~[!p]~(K_a q & K_b q)

    Raises `FormulaError` for what depends on orders, a quantifier over too many atoms, or around a schematic
    letter, and `UnknownActionError` for an action that is not bound; conditions and changes of actions are
    included.
    """
    return f.rewrite(_written_out)


def spelt_out(f: Formula) -> Formula:
    """Return a formula with its abbreviations expanded as in textbooks, even to double negations.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> print(spelt_out(parse("M_a ~p")), "and", unabbreviated(parse("M_a ~p")))
    ~K_a ~~p and ~K_a p
    """
    return f.rewrite(partial(_written_out, denied=s.Not))


def without_double_negations(f: Formula) -> Formula:
    """Return a formula without double negations, and without negations of `true` and `false`."""
    return f.rewrite(lambda node: negated(node.body) if isinstance(node, s.Not) else node)


def positive(f: Formula) -> Formula:
    """Return a formula without the negation before it, if there is one."""
    return f.body if isinstance(f, s.Not) else f


def readings(formulas: Sequence[Formula]) -> Iterator[list[Formula]]:
    """Yield formulas with their abbreviations expanded; if there are any, also without double negations.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> [[str(f) for f in found] for found in readings([parse("M_a p"), parse("~~p")])]
    [['~K_a ~p', '~~p'], ['~K_a ~p', 'p']]
    """
    found = [unabbreviated(f) for f in formulas]
    yield found
    if any(f is not g for f, g in zip(found, formulas, strict=True)):
        yield [without_double_negations(f) for f in found]


def _written_out(node: Formula, denied: Callable[[Formula], Formula] = negated) -> Formula:
    match node:
        case s.Modal() if node.scope not in s.ORDERED:
            return _of_boxes(node, denied)
        case s.Modal() | s.Dynamic(s.Upgrade(), _):
            raise FormulaError(_ORDERS)
        case s.Diamond(update, body):
            return s.Not(_update_box(update, denied(body)))
        case s.Box(update, body):
            return _update_box(update, body)
        case s.Quantifier():
            return _instances(node)
    return node


def _of_boxes(node: s.Modal, denied: Callable[[Formula], Formula]) -> Formula:
    if node.scope in (Scope.EACH, Scope.SOME):
        of_agent = s.modal(Scope.AGENT, node.mode)
        assert of_agent is not None
        parts = [_of_boxes(of_agent._make((agent,), (node.body,)), denied) for agent in node.label]
        joined = s.disjunction if node.scope is Scope.SOME else s.conjunction
        return joined(parts)
    alone = node.scope is Scope.MEET and len(node.label) == 1  # the knowledge of one agent
    box = s.box_of(Scope.AGENT if alone else node.scope)
    within = () if node.within is s.TRUE else (node.within,)
    refuted = box._make(node.label, (*within, denied(node.body)))
    if node.mode is Mode.DIAMOND:
        return s.Not(refuted)
    known = box._make(node.label, (*within, node.body))
    return known if node.mode is Mode.BOX else s.Or(known, refuted)


def _update_box(update: s.Update, body: Formula) -> Formula:
    """Return [update]body with designated events separated."""
    action = action_of_update(update)
    if action is None:
        return s.Box(update, body)
    if any(event.ranks for event in action.events.values()):
        raise FormulaError(_ORDERS)
    for condition in action.formulas:
        unabbreviated(condition)
    whole = action.point(*action.events)
    return s.conjunction(s.Box(s.Act(action.name, event, whole), body) for event in action.designated)


def _instances(node: s.Quantifier) -> Formula:
    if letters := sorted(filter(SCHEMATIC.fullmatch, node.body.atoms)):
        raise FormulaError(
            f"{letters[0]} stands for any formula, even for one with {', '.join(node.names)}, so "
            f"{str(node)!r} cannot be written out; use atoms inside a quantifier"
        )
    return node.unfolded()


# --- abbreviations in use ------------------------------------------------------------------------------


def same_box(f: Formula, box: Formula) -> bool:
    """Return whether a formula has the same operator as a box."""
    return type(f) is type(box) and f.label == box.label and f.children[:-1] == box.children[:-1]


class Abbreviator:
    """Writes formulas with the abbreviations used in a given formula, and with E_G for its groups.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> print(Abbreviator(parse("M_a p & C_{a,b} p")).written(parse("~K_a ~q -> K_a q & K_b q")))
    M_a q -> E_{a,b} q
    """

    def __init__(self, like: Formula) -> None:
        nodes = list(like.subformulas())
        self.kinds = {type(node) for node in nodes}
        groups = {node.label for node in nodes if isinstance(node, s.OfGroup) and len(node.label) > 1}
        self.groups = {tuple((agent,) for agent in group) for group in groups}
        self.updates = dict(pair for node in nodes if isinstance(node, s.Dynamic) for pair in _events(node))

    def written(self, f: Formula) -> Formula:
        """Return a formula with those abbreviations."""
        found = f.rewrite(self._abbreviated)
        return found if unabbreviated(found) is f else f

    def _abbreviated(self, node: Formula) -> Formula:
        match node:
            case s.Not(s.Modal() as box) if isinstance(inside := box.children[-1], s.Not):
                dual = s.modal(box.scope, Mode.DIAMOND)
                if dual in self.kinds and dual is not None:
                    return dual._make(box.label, inside.children)
            case s.Not(s.Box(update, s.Not(body))) if s.Diamond in self.kinds:
                return s.Diamond(update, body)
            case s.And(parts) if tuple(g.label for g in parts) in self.groups and _alike(parts):
                return s.box_of(s.Scope.EACH)._make(tuple(g.label[0] for g in parts), parts[0].children)
            case s.Or((s.Modal() as one, s.Modal() as other)) if same_box(one, other):
                whether = s.modal(one.scope, Mode.WHETHER)
                if (
                    whether in self.kinds
                    and whether is not None
                    and negated(one.children[-1]) is other.children[-1]
                ):
                    return whether._make(one.label, one.children)
            case s.Box(s.Act() as act, body) if act in self.updates:
                return s.Box(self.updates[act], body)
        return node


def _alike(parts: Sequence[Formula]) -> bool:
    """Return whether formulas say the same about different agents' knowledge."""
    return all(isinstance(g, s.Knows) and g.body is parts[0].children[-1] for g in parts)


def _events(node: s.Dynamic) -> Iterator[tuple[s.Act, s.Update]]:
    """Yield the update of a formula by the event it denotes."""
    action = action_of(node)
    if action is not None and len(action.designated) == 1:
        yield s.Act(action.name, action.designated[0], action.point(*action.events)), node.update
