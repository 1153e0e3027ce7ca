"""Laws of propositional logic and of duality: one step towards a smaller formula at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.probability import Probability

__all__ = ["OPPOSITE", "count", "equivalence", "exclusive", "implication", "negated", "negation"]

# ~box ~ = diamond, ~diamond ~ = box
_DUAL: dict[type[Formula], type[Formula]] = {
    s.Knows: s.Possible,
    s.Everywhere: s.Somewhere,
    s.Forall: s.Exists,
    s.Box: s.Diamond,
}
_DUAL |= {diamond: box for box, diamond in _DUAL.items()}
# the comparison that is true when this one is false
OPPOSITE = {">=": "<", "<": ">=", ">": "<=", "<=": ">", "=": "!=", "!=": "="}


def negated(f: Formula) -> Formula:
    """Return the negation of a formula, without doubling it."""
    if isinstance(f, s.Not):
        return f.body
    if isinstance(f, s.Constant):
        return s.Constant(not f.value)
    return s.Not(f)


def negation(node: Formula, f: Formula) -> Formula:
    """Simplify `node`, the negation of `f`."""
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
        case Probability(terms, relation, bound):
            return Probability(terms, OPPOSITE[relation], bound)
        case s.And(parts) | s.Or(parts):
            if 2 * sum(isinstance(part, s.Not) for part in parts) >= len(parts):
                other = s.Or if isinstance(f, s.And) else s.And
                return other(*map(negated, parts))
    if type(f) in _DUAL:
        *content, body = f.children
        if isinstance(body, s.Not):
            return _DUAL[type(f)]._make(f.label, (*content, body.body))
    return node


def implication(node: Formula, f: Formula, g: Formula) -> Formula:
    """Simplify `node`, the implication of `g` by `f`."""
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


def equivalence(node: Formula, f: Formula, g: Formula) -> Formula:
    """Simplify `node`, the equivalence of `f` and `g`."""
    match f, g:
        case (s.Constant(value), other) | (other, s.Constant(value)):
            return other if value else negated(other)
        case _ if f is g:
            return s.TRUE
        case _ if f is negated(g):
            return s.FALSE
        case (s.Not(a), s.Not(b)):
            return s.Iff(a, b)
        case (s.Not(a), b) | (b, s.Not(a)):
            return s.Xor(a, b)
    return node


def exclusive(parts: Iterable[Formula]) -> Formula:
    """Return the exclusive or of the parts, simplified."""
    odd = False
    times: Counter[Formula] = Counter()
    for part in parts:
        for piece in part.children if isinstance(part, s.Xor) else (part,):
            if isinstance(piece, s.Not | s.Constant):
                odd ^= piece is not s.FALSE
                piece = piece.body if isinstance(piece, s.Not) else s.FALSE
            times[piece] += 1
    left = [piece for piece, number in times.items() if number % 2 and piece is not s.FALSE]
    if len(left) < 2:
        only = left[0] if left else s.FALSE
        return negated(only) if odd else only
    if odd:
        return s.Iff(*left) if len(left) == 2 else s.Not(s.Xor(*left))
    return s.Xor(*left)


def count(kind: str, number: int, parts: tuple[Formula, ...]) -> Formula:
    """Return the comparison of how many parts are true with a number, simplified."""
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
    if kind == "atleast":
        low, high = max(number, 0), size
    else:
        low, high = (0 if kind == "atmost" else number), min(number, size)
    if low > high or low < 0:
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
