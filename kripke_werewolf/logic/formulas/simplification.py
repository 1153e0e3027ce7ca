"""Simplification of formulas in a named logic.

An equivalence may hold for knowledge and fail for belief: K_a K_a p is equivalent to K_a p if relations are
equivalences, but not if they are arbitrary. So every rule here names the frames it needs, and inside an
update only properties that the update preserves are used: a serial relation may not remain serial after an
announcement. The laws of a modal operator follow from its scope and mode.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from kripke_werewolf.base.grouping import all_after
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.logics import LOGICS, Logic, logic_named
from kripke_werewolf.logic.formulas.operators import Mode, Scope
from kripke_werewolf.logic.formulas.syntax import Formula, FormulaLike, formula


def simplify(f: FormulaLike, *, logic: str | Logic = "K") -> Formula:
    """Return a formula equivalent to `f` in a logic, with no more operators and atoms than `f`.

    `logic` is K, KD, T, K4, S4, K45, KD45 or S5, in upper or lower case: the result is true at the same
    worlds in every model of this logic. The rules are the laws of propositional logic and

    * in every logic: K_a true = true, K_a φ & K_a ψ = K_a (φ & ψ) and likewise for every box, ~K_a ~φ =
      M_a φ and likewise for every dual, Kw_a ~φ = Kw_a φ, D_{a} φ = E_{a} φ = K_a φ, [!true]φ = φ,
      [!φ]β = φ -> β for β without modal operators, P_a(true) = 1;
    * serial frames (KD, T, S4, KD45, S5): K_a false = C_G false = false, M_a true = true, K_a φ
      implies M_a φ;
    * reflexive frames (T, S4, S5): D_G false = false, K_a φ implies φ, K_a C_G φ = C_G K_a φ =
      C_G φ for a in G;
    * transitive frames (K4, S4, K45, KD45, S5): C_{a} φ = K_a φ;
    * reflexive or euclidean and transitive (S4, K45, KD45, S5): K_a K_a φ = K_a φ, D_G D_G φ =
      D_G φ, K_a Kw_a φ = Kw_a φ; and without transitivity C_G C_G φ = C_G φ;
    * transitive and euclidean (K45, KD45, S5): Kw_a K_a φ = true;
    * all that and serial (KD45, S5): K_a M_a φ = M_a φ, K_a ~K_a φ = ~K_a φ, and likewise for
      whatever a knows about itself.

    >>> print(simplify("K_a K_a p & ~~q"), "/", simplify("K_a K_a p & ~~q", logic="S5"))
    K_a K_a p & q / K_a p & q

    Raises `UnknownNameError` for an unknown logic.
    """
    whole = formula(f)
    named = logic_named(logic, whole.agents)
    # with orders B is not K: then only the laws that hold of every operator
    start = whole, LOGICS["K"] if named.ordered else named
    done: dict[tuple[Formula, Logic], Formula] = {}
    tasks = [start]
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
            simpler = _step(node, frames)
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
        case s.Dynamic(s.Announce(_, group, whether), _):
            if group is not None and not whether:  # private: what the others believe becomes false
                return logic, replace(logic, reflexive=False, serial=False)
            return logic, replace(logic, serial=logic.reflexive)
        case s.Dynamic(s.Upgrade(), _):
            return logic, logic
        case s.Dynamic():
            return (replace(logic, reflexive=False, serial=False, transitive=False, euclidean=False),)
    return (logic,) * len(node.children)


def _step(node: Formula, logic: Logic) -> Formula:
    """Apply one rule at the root of a formula with simplified parts; return it unchanged if none applies."""
    match node:
        case s.Not(f):
            return _negation(node, f)
        case s.And() | s.Or():
            return _junction(node, logic)
        case s.Parity():
            return _parity(node)
        case s.Implies(f, g):
            return _implication(node, f, g)
        case s.Count(kind, number, parts):
            return _count(kind, number, parts)
        case s.Quantifier():
            return _quantifier(node)
        case s.Dynamic():
            return _dynamic(node)
        case s.Probability():
            return _probability(node)
        case s.Modal() if node.scope not in s.ORDERED:
            return _modal(node, logic)
    return node


# --- propositional logic, and duality ------------------------------------------------------------


def negated(f: Formula) -> Formula:
    """Return the negation of a formula, without a double negation."""
    if isinstance(f, s.Not):
        return f.body
    if isinstance(f, s.Constant):
        return s.Constant(not f.value)
    return s.Not(f)


def _dual(kind: type[Formula]) -> type[Formula] | None:
    """Return the operator that is ~box ~ of a box, and the reverse; None if there is none."""
    if issubclass(kind, s.Modal):
        scope = {Scope.EACH: Scope.SOME, Scope.SOME: Scope.EACH}.get(kind.scope, kind.scope)
        mode = {Mode.BOX: Mode.DIAMOND, Mode.DIAMOND: Mode.BOX}.get(kind.mode)
        return None if mode is None else s.modal(scope, mode)
    if issubclass(kind, s.Quantifier):
        return s.Exists if kind.every else s.Forall
    if issubclass(kind, s.Dynamic):
        return s.Diamond if kind.every else s.Box
    return None


def _negation(node: Formula, f: Formula) -> Formula:
    match f:
        case s.Not() | s.Constant():
            return negated(f)
        case s.Iff(g, h):
            return s.Xor(g, h)
        case s.Xor((g, h)):
            return s.Iff(g, h)
        case s.Implies(g, s.Not(h)):
            return s.And(g, h)
        case s.Count("atleast", number, parts) if number > 0:
            return s.Count("atmost", number - 1, *parts)
        case s.Count("atmost", number, parts):
            return s.Count("atleast", number + 1, *parts)
        case s.Probability(terms, relation, bound):
            return s.Probability(terms, s.opposite(relation), bound)
        case s.And(parts) | s.Or(parts):
            if 2 * sum(isinstance(part, s.Not) for part in parts) >= len(parts):
                other = s.Or if isinstance(f, s.And) else s.And
                return other(*map(negated, parts))
    if (dual := _dual(type(f))) is not None:
        *content, body = f.children
        if isinstance(body, s.Not):
            return dual._make(f.label, (*content, body.body))
    return node


def _implication(node: Formula, f: Formula, g: Formula) -> Formula:
    match f, g:
        case (s.Constant(value), _):
            return g if value else s.TRUE
        case (_, s.Constant(value)):
            return s.TRUE if value else negated(f)
        case _ if f is g:
            return s.TRUE
        case _ if f is negated(g):
            return g
        case (s.Not(a), s.Not(b)):
            return s.Implies(b, a)
        case (s.Not(a), _):
            return s.Or(a, g)
        case (_, s.Implies(a, b)) if a is f:
            return s.Implies(f, b)
        case (_, s.And(parts)) if f in parts:
            return s.Implies(f, s.conjunction(part for part in parts if part is not f))
        case (_, s.Or(parts)) if f in parts:
            return s.TRUE
        case (s.And(parts), _) if g in parts:
            return s.TRUE
    return node


def _parity(node: s.Parity) -> Formula:
    """Simplify an exclusive disjunction, or an equivalence, with those among its parts."""
    parts, even = node.summands
    left = [part for part in parts if not isinstance(part, s.Constant)]
    denied = even != (s.TRUE in parts)
    if len(left) < 2:
        only = left[0] if left else s.FALSE
        return negated(only) if denied else only
    if denied and len(left) == 2:
        return s.Iff(*left)
    found = s.Xor(*left)
    return s.Not(found) if denied else found


def _count(kind: str, number: int, parts: tuple[Formula, ...]) -> Formula:
    left: Counter[Formula] = Counter()
    for part in parts:
        opposite = negated(part)
        if part is s.TRUE or left[opposite]:  # of a formula and its negation one is true
            number -= 1
            if part is not s.TRUE:
                left[opposite] -= 1
        elif part is not s.FALSE:
            left[part] += 1
    open_parts = tuple(left.elements())
    size = len(open_parts)
    low, high = max(number, 0), min(number, size)
    if kind == "atleast":
        high = size
    if kind == "atmost":
        low = 0
    if low > high:
        return s.FALSE
    if (low, high) == (0, size):
        return s.TRUE
    if low == high == size:
        return s.conjunction(open_parts)
    if (low, high) == (1, size):
        return s.disjunction(open_parts)
    if size == 1:
        return negated(open_parts[0])
    if size == 2 and low == high == 1:
        return s.Xor(*open_parts)
    return s.Count(kind, number, *open_parts)


# --- conjunctions and disjunctions ---------------------------------------------------------------


def _distributes(f: Formula) -> type[Formula] | None:
    """Return And if an operator distributes over conjunctions, like a box; Or if over disjunctions."""
    if isinstance(f, s.Quantifier | s.Dynamic):
        return s.And if f.every else s.Or
    if isinstance(f, s.Modal):
        if f.mode is Mode.BOX and f.scope is not Scope.SOME:
            return s.And
        if f.mode is Mode.DIAMOND and f.scope is not Scope.EACH:
            return s.Or
    return None


def _junction(node: Formula, logic: Logic) -> Formula:
    """Simplify a conjunction, or dually a disjunction."""
    kind: type[Formula] = s.And
    other: type[Formula] = s.Or
    nothing, all_over = s.TRUE, s.FALSE
    if isinstance(node, s.Or):
        kind, other, nothing, all_over = s.Or, s.And, s.FALSE, s.TRUE
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

    for part in parts:  # subformulas decided by the other parts are replaced
        rest = part
        if isinstance(part, other):
            left = [f for f in part.children if negated(f) not in known]
            if len(left) < len(part.children):
                rest = _joined(other, left)
        elif isinstance(part, s.Implies) and kind is s.And:
            if part.left in known:
                rest = part.right
            elif negated(part.right) in known:
                rest = negated(part.left)
        if rest is not part:
            return _joined(kind, [rest if f is part else f for f in parts])

    merged: dict[Any, list[Formula]] = {}
    for part in parts:
        alike: Any = part
        if _distributes(part) is kind:
            alike = type(part), part.label, part.children[:-1]
        merged.setdefault(alike, []).append(part)
    return _joined(kind, [_merged(kind, found) for found in merged.values()])


def _merged(kind: type[Formula], parts: list[Formula]) -> Formula:
    """Return one operator over the joined bodies of several."""
    if len(parts) == 1:
        return parts[0]
    *content, _ = parts[0].children
    return parts[0].with_children((*content, _joined(kind, [f.children[-1] for f in parts])))


def _joined(kind: type[Formula], parts: list[Formula]) -> Formula:
    return s.conjunction(parts) if kind is s.And else s.disjunction(parts)


def _following(f: Formula, weaker: bool, logic: Logic) -> set[Formula]:
    """Return formulas other than `f` that follow from it or, unless `weaker`, that imply it."""
    return {*all_after([f], lambda g: _next(g, weaker, logic))} - {f}


def _next(f: Formula, weaker: bool, logic: Logic) -> Iterable[Formula]:
    match f:
        case s.Not(g):
            return [negated(h) for h in _next(g, not weaker, logic)]
        case s.And(parts) if weaker:
            return parts
        case s.Or(parts) if not weaker:
            return parts
        case s.Implies(g, h) if not weaker:
            return [negated(g), h]
        case s.Modal(g) if f.scope not in s.ORDERED:
            box, diamond = s.modal(f.scope, Mode.BOX), s.modal(f.scope, Mode.DIAMOND)
            mode, other = (Mode.BOX, diamond) if weaker else (Mode.DIAMOND, box)
            if f.mode is mode and f.within is s.TRUE:
                found = list[Formula]()
                if logic.reflexive or f.scope is Scope.WORLDS:
                    found.append(g)
                if other is not None and _is_serial(f.scope, logic):
                    found.append(f.of_kind(other, g))
                return found
            if f.mode is Mode.WHETHER and not weaker and box is not None:
                return [f.of_kind(box, g), f.of_kind(box, negated(g))]
    return []


# --- modal operators -----------------------------------------------------------------------------


def _is_serial(scope: Scope, logic: Logic) -> bool:
    """Return whether the relations of a scope are serial; for an intersection, only if it is reflexive."""
    if scope is Scope.MEET:
        return logic.reflexive
    return scope is Scope.WORLDS or logic.serial


def _modal(node: s.Modal, logic: Logic) -> Formula:
    body, scope, mode = node.body, node.scope, node.mode
    inner = body.body if isinstance(body, s.Not) else body
    # constant: of the same truth value at all worlds of a model
    constant = isinstance(inner, s.Constant | s.OfWorlds)
    if node.within is s.FALSE:
        return s.Constant(mode is not Mode.DIAMOND)
    if mode is Mode.WHETHER:
        if constant:
            return s.TRUE
        if body is not inner:
            return node.of_kind(type(node), inner)
    elif body is s.Constant(mode is Mode.BOX):
        return body
    if node.within is not s.TRUE:
        if mode is Mode.DIAMOND:
            body = negated(body)
        return s.Constant(mode is not Mode.DIAMOND) if body is node.within else node  # C^ψ ψ is true
    if len(node.children) > 1:
        return node.with_children([body])
    if constant and mode is not Mode.WHETHER and _is_serial(scope, logic):
        return body
    if scope not in (Scope.AGENT, Scope.WORLDS) and len(node.label) == 1:
        of_agent = s.modal(Scope.AGENT, mode)
        if of_agent is not None and (logic.transitive or scope is not Scope.REACH):
            return of_agent._make(node.label, node.children)
    return _stacked(node, body, inner, logic)


def _stacked(node: s.Modal, body: Formula, inner: Formula, logic: Logic) -> Formula:
    """Apply the laws for an operator over another operator of the same agents."""
    idempotent = logic.transitive and (logic.reflexive or logic.euclidean)
    introspective = logic.transitive and logic.euclidean
    if node.scope in (Scope.AGENT, Scope.MEET):
        about = _is_about(inner, node)
        if node.mode is Mode.WHETHER:
            return s.TRUE if about and introspective else node
        if about and introspective and _is_serial(node.scope, logic):
            return body
        if about and idempotent and isinstance(inner, s.Modal):
            # K over K, Kw or ~M, and M over M, ~K or ~Kw
            says_some = (inner.mode is Mode.DIAMOND) == (inner is body)
            if says_some == (node.mode is Mode.DIAMOND):
                return body
    if not isinstance(body, s.Modal) or body.mode is not node.mode or node.mode is Mode.WHETHER:
        return node
    if body.within is not s.TRUE:
        return node
    if node.scope is body.scope is Scope.REACH and node.label == body.label:
        return body if logic.reflexive or logic.euclidean else node
    for reach, step, simpler in ((node, body, node.with_children(body.children)), (body, node, body)):
        if reach.scope is Scope.REACH and _is_step(step) and set(step.label) <= set(reach.label):
            return simpler if logic.reflexive else node
    return node


def _is_step(f: s.Modal) -> bool:
    """Return whether an operator is about every step of some agents: K, M, E and the dual of E."""
    return f.scope is Scope.AGENT or (f.scope, f.mode) in ((Scope.EACH, Mode.BOX), (Scope.SOME, Mode.DIAMOND))


def _is_about(f: Formula, node: s.Modal) -> bool:
    """Return whether a formula depends only on the worlds in the scope of an operator's agents."""
    match f:
        case s.Modal():
            return f.scope is node.scope and f.label == node.label
        case s.Probability(terms):
            return node.scope is Scope.AGENT and all(term.agent == node.label[0] for term in terms)
        case s.KnowsValue(agent):
            return node.scope is Scope.AGENT and agent == node.label[0]
    return False


# --- updates, quantifiers, probabilities ---------------------------------------------------------


def _dynamic(node: s.Dynamic) -> Formula:
    box, body = node.every, node.body
    if body is s.Constant(box):
        return body
    match node.update:
        case s.Announce(s.Not(f), group, True):
            return type(node)(s.Announce(f, group, True), body)
        case s.Announce(content, group, whether):
            if content is s.TRUE and (whether or group is None):
                return body
            if content is s.FALSE and not whether:
                return s.Constant(box)
            if body.is_boolean:  # an announcement changes no fact
                if whether:
                    return body
                return s.Implies(content, body) if box else s.And(content, body)
    return node


def _quantifier(node: s.Quantifier) -> Formula:
    body = node.body
    if isinstance(body, type(node)):
        return type(node)((*node.names, *body.names), body.body)
    names = [name for name in node.names if name in body.atoms]
    if not names:
        return body
    if isinstance(body, s.Atom):
        return s.Constant(not node.every)
    return type(node)(names, body)


def _probability(node: s.Probability) -> Formula:
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
    if always[s.opposite(node.relation)]:
        return s.FALSE
    return s.Probability(terms, node.relation, bound)
