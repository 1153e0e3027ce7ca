"""Smaller formulas that say the same, in a named logic.

An equivalence may hold for knowledge and fail for belief: K_a K_a p says the same as K_a p where
relations are equivalences, not where they are arbitrary. So every rule here names the frames it
needs, and inside an update only those properties count that the update preserves: a serial relation
need not stay serial after an announcement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula, FormulaLike, formula
from kripke_werewolf.language.laws import (
    OPPOSITE,
    count,
    equivalence,
    exclusive,
    implication,
    negated,
    negation,
)
from kripke_werewolf.language.probability import Probability

if TYPE_CHECKING:
    from kripke_werewolf.language.logics import Logic

__all__ = ["simplify"]


def simplify(f: FormulaLike, *, logic: str | Logic = "K") -> Formula:
    """Return a formula equivalent to `f` in a logic, with no more operators and atoms than `f`.

    `logic` is K, KD, T, K4, S4, K45, KD45 or S5, in any capitals: the result is true at the same
    worlds in every model whose relations are such. Used are the laws of propositional logic and

    * in every logic: K_a true = true, K_a φ & K_a ψ = K_a (φ & ψ) and so for every box, ~K_a ~φ =
      M_a φ and so for every dual, Kw_a ~φ = Kw_a φ, D_{a} φ = E_{a} φ = K_a φ, [!true]φ = φ,
      [!φ]β = φ -> β for β without modal operators, P_a(true) = 1;
    * serial frames (KD, T, S4, KD45, S5): K_a false = C_G false = false, M_a true = true, K_a φ
      implies M_a φ;
    * reflexive frames (T, S4, S5): D_G false = false, K_a φ implies φ, K_a C_G φ = C_G K_a φ =
      C_G φ for a in G;
    * transitive frames (K4, S4, K45, KD45, S5): C_{a} φ = K_a φ;
    * reflexive or euclidean and transitive (S4, K45, KD45, S5): K_a K_a φ = K_a φ, D_G D_G φ =
      D_G φ, K_a Kw_a φ = Kw_a φ; and without transitivity C_G C_G φ = C_G φ;
    * transitive and euclidean (K45, KD45, S5): Kw_a K_a φ = true;
    * all that and serial (KD45, S5): K_a M_a φ = M_a φ, K_a ~K_a φ = ~K_a φ, and so for whatever a
      knows about itself.

    >>> print(simplify("K_a K_a p & ~~q"), "/", simplify("K_a K_a p & ~~q", logic="S5"))
    K_a K_a p & q / K_a p & q

    Raises `UnknownNameError` for another logic.
    """
    from kripke_werewolf.language.logics import logic_named

    start = formula(f), logic_named(logic)
    done: dict[tuple[Formula, Logic], Formula] = {}
    tasks = [start]
    booleans: dict[Formula, bool] = {}
    while tasks:
        node, frames = key = tasks[-1]
        if key in done:
            tasks.pop()
            continue
        wanted = list(zip(node.children, _inside(node, frames), strict=True))
        if missing := [part for part in wanted if part not in done]:
            tasks += missing
            continue
        simpler = node.with_children(done[part] for part in wanted)
        if simpler is node:
            simpler = _step(node, frames, booleans)
        if simpler is node:
            done[key] = node
        elif (simpler, frames) in done:
            done[key] = done[simpler, frames]
        else:  # another rule may now apply
            tasks.append((simpler, frames))
    return done[start]


def _inside(node: Formula, logic: Logic) -> tuple[Logic, ...]:
    """Return, for each child, the logic of the models it is evaluated on."""
    match node:
        case s.Box(s.Announce(_, group, whether), _) | s.Diamond(s.Announce(_, group, whether), _):
            if group is not None and not whether:  # private: what the others believe becomes false
                return logic, replace(logic, reflexive=False, serial=False)
            return logic, replace(logic, serial=logic.reflexive)
        case s.Box() | s.Diamond():
            return (replace(logic, reflexive=False, serial=False, transitive=False, euclidean=False),)
    return (logic,) * len(node.children)


def _step(node: Formula, logic: Logic, booleans: dict[Formula, bool]) -> Formula:
    """Apply one rule at the root of a formula whose parts are simple; return it itself if none fits."""
    match node:
        case s.Not(f):
            return negation(node, f)
        case s.And() | s.Or():
            return _junction(node, logic)
        case s.Xor(parts):
            return exclusive(parts)
        case s.Implies(f, g):
            return implication(node, f, g)
        case s.Iff(f, g):
            return equivalence(node, f, g)
        case s.Count(kind, number, parts):
            return count(kind, number, parts)
        case s.Forall() | s.Exists():
            return _quantifier(node)
        case s.Box() | s.Diamond():
            return _dynamic(node, booleans)
        case Probability():
            return _probability(node)
        case s.Atom() | s.Constant() | s.KnowsValue():
            return node
    return _modal(node, logic)


# --- conjunctions and disjunctions ---------------------------------------------------------------

# box & box = one box of the conjunction; diamond | diamond = one diamond of the disjunction
_MERGED: dict[type[Formula], tuple[type[Formula], ...]] = {
    s.And: (s.Knows, s.Everyone, s.Common, s.Distributed, s.Everywhere, s.Forall, s.Box),
    s.Or: (s.Possible, s.Somewhere, s.Exists, s.Diamond),
}


def _junction(node: Formula, logic: Logic) -> Formula:
    """Simplify a conjunction; read everything upside down for a disjunction."""
    kind, other = (s.And, s.Or) if isinstance(node, s.And) else (s.Or, s.And)
    nothing, all_over = (s.TRUE, s.FALSE) if kind is s.And else (s.FALSE, s.TRUE)
    parts: dict[Formula, None] = {}
    for part in node.children:
        parts |= dict.fromkeys(part.children if isinstance(part, kind) else (part,))
    parts.pop(nothing, None)

    following = {part: _following(part, kind is s.And, logic) for part in parts}
    known = set(parts).union(*following.values())
    if all_over in parts or any(negated(f) in known for f in known):
        return all_over

    givers = Counter(f for found in following.values() for f in found)
    for part in reversed(list(parts)):
        if givers[part] or any(f in parts for f in _following(part, kind is s.Or, logic)):
            del parts[part]
            givers.subtract(following.pop(part))
    known = set(parts).union(*following.values())

    for part in parts:  # what the other parts decide need not be asked again
        rest = part
        if isinstance(part, other):
            left = [f for f in part.children if negated(f) not in known]
            rest = part if len(left) == len(part.children) else _joined(other, left)
        elif isinstance(part, s.Implies) and kind is s.And:
            if part.left in known:
                rest = part.right
            elif negated(part.right) in known:
                rest = negated(part.left)
        if rest is not part:
            return _joined(kind, [rest if f is part else f for f in parts])

    merged: dict[object, list[Formula]] = {}
    for part in parts:
        same = (type(part), part.label, part.children[:-1]) if type(part) in _MERGED[kind] else part
        merged.setdefault(same, []).append(part)
    return _joined(
        kind,
        [
            first.with_children(
                (*first.children[:-1], _joined(kind, [f.children[-1] for f in (first, *more)]))
            )
            if more
            else first
            for first, *more in merged.values()
        ],
    )


def _joined(kind: type[Formula], parts: list[Formula]) -> Formula:
    return s.conjunction(parts) if kind is s.And else s.disjunction(parts)


def _following(f: Formula, weaker: bool, logic: Logic) -> set[Formula]:
    """Return formulas that follow from `f`, or (not `weaker`) from which it follows; not `f` itself."""
    found: set[Formula] = set()
    stack = [f]
    while stack:
        for g in _next(stack.pop(), weaker, logic):
            if g not in found:
                found.add(g)
                stack.append(g)
    return found - {f}


def _next(f: Formula, weaker: bool, logic: Logic) -> Iterable[Formula]:
    if isinstance(f, s.Not):
        return [negated(g) for g in _next(f.body, not weaker, logic)]
    if weaker:
        match f:
            case s.And(parts):
                return parts
            case s.Everywhere(g):
                return [g]
            case s.Knows(agent, g):
                return [*([g] if logic.reflexive else ()), *([s.Possible(agent, g)] if logic.serial else ())]
            case s.Everyone(_, g) | s.Common(_, g) | s.Distributed(_, g) if logic.reflexive:
                return [g]
        return []
    match f:
        case s.Or(parts):
            return parts
        case s.Implies(g, h):
            return [negated(g), h]
        case s.Somewhere(g):
            return [g]
        case s.Possible(agent, g):
            return [*([g] if logic.reflexive else ()), *([s.Knows(agent, g)] if logic.serial else ())]
        case s.KnowsWhether(agent, g):
            return [s.Knows(agent, g), s.Knows(agent, negated(g))]
    return []


# --- modal operators -----------------------------------------------------------------------------

_SINGLE: dict[type[Formula], type[Formula]] = {
    s.Everyone: s.Knows,
    s.Common: s.Knows,
    s.Distributed: s.Knows,
    s.CommonWhether: s.KnowsWhether,
    s.DistributedWhether: s.KnowsWhether,
}


def _modal(node: Formula, logic: Logic) -> Formula:
    body = node.children[0]
    inner = body.body if isinstance(body, s.Not) else body
    # constant: of the same truth value at all worlds of a model
    constant = isinstance(inner, s.Constant | s.Everywhere | s.Somewhere)
    match node:
        case s.KnowsWhether() | s.CommonWhether() | s.DistributedWhether():
            if constant:
                return s.TRUE
            if body is not inner:
                return node.with_children([inner])
        case s.Everywhere() | s.Somewhere():
            return body if constant else node
        case s.Possible():
            if body is s.FALSE or (constant and logic.serial):
                return body
        case _:
            serial = logic.reflexive if isinstance(node, s.Distributed) else logic.serial
            if body is s.TRUE or (constant and serial):
                return body
    closed = logic.transitive or not isinstance(node, s.Common | s.CommonWhether)
    if closed and type(node) in _SINGLE and len(node.label) == 1:
        return _SINGLE[type(node)]._make(node.label, node.children)
    return _stacked(node, body, inner, logic)


def _stacked(node: Formula, body: Formula, inner: Formula, logic: Logic) -> Formula:
    """Apply what an operator over another operator of the same agents comes to."""
    idempotent = logic.transitive and (logic.reflexive or logic.euclidean)
    introspective = logic.transitive and logic.euclidean
    match node, body:
        case (s.KnowsWhether(agent, _), _) if introspective and _is_about(inner, agent):
            return s.TRUE
        case (s.Knows(agent, _) | s.Possible(agent, _), _) if (
            introspective and logic.serial and _is_about(inner, agent)
        ):
            return body
        case (s.Knows(a, _), s.Knows(b, _) | s.KnowsWhether(b, _) | s.Not(s.Possible(b, _))) | (
            s.Possible(a, _),
            s.Possible(b, _) | s.Not(s.Knows(b, _) | s.KnowsWhether(b, _)),
        ) if a == b and idempotent:
            return body
        case (s.Distributed(g, _), s.Distributed(h, _)) if g == h and idempotent:
            return body
        case (s.Common(g, _), s.Common(h, _)) if g == h and (logic.reflexive or logic.euclidean):
            return body
        case (s.Common(g, _), s.Knows() | s.Everyone()) if logic.reflexive and set(body.label) <= set(g):
            return node.with_children(body.children)
        case (s.Knows() | s.Everyone(), s.Common(g, _)) if logic.reflexive and set(node.label) <= set(g):
            return body
    return node


def _is_about(f: Formula, agent: str) -> bool:
    """Return whether a formula depends only on what the agent considers possible."""
    if isinstance(f, Probability):
        return all(term.agent == agent for term in f.terms)
    return isinstance(f, s.Knows | s.Possible | s.KnowsWhether | s.KnowsValue) and f.agent == agent


# --- updates, quantifiers, probabilities ---------------------------------------------------------

_BOOLEAN = (s.Atom, s.Constant, s.Not, s.And, s.Or, s.Xor, s.Implies, s.Iff, s.Count)


def _is_boolean(f: Formula, known: dict[Formula, bool]) -> bool:
    stack = [f]
    while stack:
        node = stack[-1]
        if isinstance(node, _BOOLEAN) and (open_parts := [c for c in node.children if c not in known]):
            stack += open_parts
        else:
            known[node] = isinstance(node, _BOOLEAN) and all(known[c] for c in node.children)
            stack.pop()
    return known[f]


def _dynamic(node: Formula, booleans: dict[Formula, bool]) -> Formula:
    assert isinstance(node, s.Box | s.Diamond)
    box, body = isinstance(node, s.Box), node.body
    if body is (s.TRUE if box else s.FALSE):
        return body
    match node.update:
        case s.Announce(s.Not(f), group, True):
            return type(node)(s.Announce(f, group, True), body)
        case s.Announce(content, group, whether):
            if content is s.TRUE and (whether or group is None):
                return body
            if content is s.FALSE and not whether:
                return s.Constant(box)
            if _is_boolean(body, booleans):  # an announcement changes no fact
                if whether:
                    return body
                return s.Implies(content, body) if box else s.And(content, body)
    return node


def _quantifier(node: Formula) -> Formula:
    assert isinstance(node, s.Forall | s.Exists)
    body = node.body
    if isinstance(body, type(node)):
        return type(node)((*node.names, *body.names), body.body)
    names = [name for name in node.names if name in body.atoms]
    if not names:
        return body
    if isinstance(body, s.Atom):
        return s.Constant(isinstance(node, s.Exists))
    return type(node)(names, body)


def _probability(node: Probability) -> Formula:
    sums: dict[tuple[str, Formula], Fraction] = {}
    bound = node.bound
    for coefficient, agent, body in node.terms:
        if body is s.TRUE:
            bound -= coefficient
        else:
            sums[agent, body] = sums.get((agent, body), Fraction(0)) + coefficient
    terms = [(c, agent, body) for (agent, body), c in sums.items() if c]
    # every probability lies between 0 and 1
    least = sum((c for c, _, _ in terms if c < 0), Fraction(0))
    most = sum((c for c, _, _ in terms if c > 0), Fraction(0))
    always = {
        ">=": least >= bound,
        ">": least > bound,
        "<=": most <= bound,
        "<": most < bound,
        "=": least == most == bound,
        "!=": not least <= bound <= most,
    }
    if always[node.relation]:
        return s.TRUE
    if always[OPPOSITE[node.relation]]:
        return s.FALSE
    return Probability(terms, node.relation, bound)
