"""Typical slips in reading a formula: one operator mistaken for another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula

_CONFUSED: tuple[tuple[type[Formula], type[Formula], str], ...] = (
    (s.Common, s.Everyone, "E for C"),
    (s.Everyone, s.Common, "C for E"),
    (s.Common, s.Distributed, "D for C"),
    (s.Distributed, s.Common, "C for D"),
    (s.Distributed, s.Everyone, "E for D"),
    (s.Distributed, s.SomeoneKnows, "someone knows for D"),
    (s.Everyone, s.SomeoneKnows, "someone for everyone"),
    (s.Knows, s.Possible, "diamond for box"),
    (s.Possible, s.Knows, "box for diamond"),
    (s.KnowsWhether, s.Knows, "knows that for knows whether"),
    (s.Knows, s.KnowsWhether, "knows whether for knows that"),
    (s.And, s.Or, "or for and"),
    (s.Or, s.And, "and for or"),
)


def slips(f: Formula) -> Iterator[tuple[Formula, str]]:
    """Yield the formulas with one operator replaced throughout by another that is easily confused with it.

    With each comes the name of the slip.

    >>> from kripke_werewolf.language import parse
    >>> [(str(misread), name) for misread, name in slips(parse("C_{a,b} p"))]
    [('E_{a,b} p', 'E for C'), ('D_{a,b} p', 'D for C')]
    """
    found = {type(node) for node in f.subformulas()}
    for kind, taken_for, name in _CONFUSED:
        if kind in found:
            yield _rebuilt(f, kind, partial(_confused, taken_for)), name
    if s.Implies in found:
        yield _rebuilt(f, s.Implies, lambda node: s.Implies(*reversed(node.children))), "converse"
    if s.Knows in found:
        yield _rebuilt(f, s.Knows, lambda node: node.children[0]), "truth for knowledge"


def _confused(other: type[Formula], node: Formula) -> Formula:
    children = node.children[-1:] if isinstance(node, s.Modal) else node.children
    return other._make(node.label, children)


def _rebuilt(f: Formula, kind: type[Formula], change: Callable[[Formula], Formula]) -> Formula:
    """Return a formula with each node of a kind changed, from the inside out."""
    return f.rewrite(lambda node: change(node) if type(node) is kind else node)
