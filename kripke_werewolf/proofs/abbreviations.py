"""Expansion of abbreviations into the few operators of the axioms.

Systems of axioms have the connectives, K, C, D of several agents, everywhere, public announcements and single
events of action models. All other operators abbreviate formulas built from these: M_a φ is ~K_a ~φ, E_G φ the
conjunction of K_a φ, D_{a} φ is K_a φ, <!φ>ψ is ~[!φ]~ψ. Proofs are checked with all abbreviations expanded.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from kripke_werewolf.deciding.translation import MOST_QUANTIFIED
from kripke_werewolf.errors import FormulaError
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.names import SCHEMATIC
from kripke_werewolf.language.operators import Mode, Scope
from kripke_werewolf.language.simplification import negated
from kripke_werewolf.semantics.action import action_of_update


@lru_cache(4096)
def unabbreviated(f: Formula) -> Formula:
    """Return a formula with its abbreviations expanded.

    >>> from kripke_werewolf.language import parse
    >>> print(unabbreviated(parse("M_a p & Kw_b q -> <!p>E_{a,b} q")))
    ~K_a ~p & (K_b q | K_b ~q) -> ~[!p]~(K_a q & K_b q)

    Raises `FormulaError` for common knowledge on a condition, for a quantifier over too many atoms, or around
    a schematic letter, and
    `UnknownActionError` for an action that is not bound; conditions and changes of actions are included.
    """
    return f.rewrite(_written_out)


def _written_out(node: Formula) -> Formula:
    match node:
        case s.Modal():
            return _of_boxes(node)
        case s.Diamond(update, body):
            return s.Not(_update_box(update, negated(body)))
        case s.Box(update, body):
            return _update_box(update, body)
        case s.Quantifier():
            return _instances(node)
    return node


def _of_boxes(node: s.Modal) -> Formula:
    scope, body = node.scope, node.body
    if node.within is not s.TRUE:
        raise FormulaError(
            f"there are no axioms for common knowledge on a condition ({node}); it is decided, not derived"
        )
    if scope in (Scope.EACH, Scope.SOME):
        parts = [_mode(Scope.AGENT, node.mode, (agent,), body) for agent in node.label]
        return s.disjunction(parts) if scope is Scope.SOME else s.conjunction(parts)
    if scope is Scope.MEET and len(node.label) == 1:
        scope = Scope.AGENT  # the knowledge of one agent
    return _mode(scope, node.mode, node.label, body)


def _mode(scope: Scope, mode: Mode, label: tuple[str, ...], body: Formula) -> Formula:
    box = s.modal(scope, Mode.BOX)
    assert box is not None
    if mode is Mode.DIAMOND:
        return s.Not(box._make(label, (negated(body),)))
    known = box._make(label, (body,))
    return known if mode is Mode.BOX else s.Or(known, box._make(label, (negated(body),)))


def _update_box(update: s.Announce | s.Act, body: Formula) -> Formula:
    """Return [update]body with designated events separated."""
    action = action_of_update(update)
    if action is None:
        return s.Box(update, body)
    for condition in action.formulas:
        unabbreviated(condition)
    whole = action.point(*action.events)
    return s.conjunction(s.Box(s.Act(action.name, event, whole), body) for event in action.designated)


def _instances(node: s.Quantifier) -> Formula:
    if letters := sorted(filter(SCHEMATIC.fullmatch, node.body.atoms)):
        raise FormulaError(
            f"{letters[0]} stands for any formula, also for one with {', '.join(node.names)}, so "
            f"{str(node)!r} cannot be written out; use atoms inside a quantifier"
        )
    bound = [name for name in node.names if name in node.body.atoms]
    if len(bound) > MOST_QUANTIFIED:
        raise FormulaError(
            f"cannot write out {str(node)!r}: a quantifier over {len(bound)} atoms has {2 ** len(bound):,} "
            f"instances (at most {MOST_QUANTIFIED} atoms)"
        )
    values = product((s.TRUE, s.FALSE), repeat=len(bound))
    found = [node.body.substitute(dict(zip(bound, v, strict=True))) for v in values]
    return s.conjunction(found) if node.every else s.disjunction(found)
