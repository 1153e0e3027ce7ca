"""Formulas as strings: ASCII, Unicode, LaTeX, and the Python expression that rebuilds them.

`parse` reads all three notations: `parse(str(f)) == parse(f.latex()) == f`. The loops use an explicit
stack, so deep formulas cause no recursion errors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.names import atom_latex, atom_text, group_latex, group_text
from kripke_werewolf.logic.formulas.operators import Binding, Spelling
from kripke_werewolf.logic.formulas.syntax import Formula


@dataclass(frozen=True, slots=True)
class Notation:
    """A notation for formulas: the spellings it uses, and the form of names and groups."""

    column: int
    atom: Callable[[str], str]
    group: Callable[[tuple[str, ...]], str]

    def sign(self, spelling: Spelling) -> str:
        """Return a sign in this notation."""
        return spelling[self.column]  # type: ignore[return-value]

    def before(self, spelling: Spelling) -> str:
        """Return a sign before its operand: words and LaTeX commands are followed by a space."""
        sign = self.sign(spelling)
        if sign[-1].isalpha() or sign.endswith("}"):
            sign += " "
        return sign


ASCII = Notation(0, atom_text, group_text)
UNICODE = Notation(1, atom_text, group_text)
LATEX = Notation(2, atom_latex, group_latex)

# a piece of output: a string, or a formula with the binding its place asks for
_Piece: TypeAlias = str | tuple[Formula, int]


def to_text(formula: Formula, notation: Notation) -> str:
    """Write a formula in a notation."""
    out: list[str] = []
    stack: list[_Piece] = [(formula, 0)]
    while stack:
        piece = stack.pop()
        if isinstance(piece, str):
            out.append(piece)
            continue
        node, wanted = piece
        binding, pieces = _pieces(node, notation)
        if binding < wanted:
            pieces = ["(", *pieces, ")"]
        stack.extend(reversed(pieces))
    return "".join(out)


def _pieces(node: Formula, n: Notation) -> tuple[int, list[_Piece]]:
    """Return the precedence of a formula and the pieces of its notation."""
    match node:
        case s.Atom(name):
            return Binding.PRIMARY, [n.atom(name)]
        case s.Constant(value):
            return Binding.PRIMARY, [n.sign(node.spellings[value])]
        case s.Infix():
            return node.binding, _between(f" {n.sign(node.spelling)} ", _operands(node))
        case s.Modal():
            sign = n.sign(node.spelling)
            if node.label:
                sign += f"_{n.group(node.label)}"
            within = [piece for f in node.children[:-1] for piece in ("^{", (f, 0), "}")]
            return Binding.PREFIX, [sign, *within, " ", (node.body, Binding.PREFIX)]
        case s.Quantifier(names, body):
            bound = f"{n.before(node.spelling)}{', '.join(map(n.atom, names))}. "
            return Binding.PREFIX, [bound, (body, Binding.PREFIX)]
        case s.Dynamic(update, body):
            opening, closing = n.before(node.spelling), n.before(node.closing)
            return Binding.PREFIX, [opening, *_update(update, n), closing, (body, Binding.PREFIX)]
        case s.Unary(body):
            return Binding.PREFIX, [n.before(node.spelling), (body, Binding.PREFIX)]
        case s.Count(kind, number, parts):
            listed = _between(", ", [(part, 0) for part in parts])
            return Binding.PRIMARY, [f"{n.sign(node.spellings[kind])}({number}; ", *listed, ")"]
        case s.KnowsValue(agent, variable):
            return Binding.PRIMARY, [f"{n.sign(node.spelling)}_{n.group((agent,))}({n.atom(variable)})"]
        case s.Probability(_, relation, bound):
            comparison = n.sign(node.comparisons[relation].spelling)
            return Binding.PRIMARY, [*_sum(node, n), f" {comparison} {bound}"]
    raise TypeError(f"cannot print {type(node).__name__}")


def _operands(node: s.Infix) -> list[_Piece]:
    """Return the operands with the binding required at each position."""
    first, *others = node.children
    tighter = node.binding + 1
    loose = {node.groups: node.binding}  # the side on which a chain needs no brackets
    return [(first, loose.get("left", tighter)), *((part, loose.get("right", tighter)) for part in others)]


def _between(separator: str, parts: Iterable[_Piece]) -> list[_Piece]:
    pieces: list[_Piece] = [piece for part in parts for piece in (separator, part)]
    return pieces[1:]


def _update(update: s.Update, n: Notation) -> list[_Piece]:
    match update:
        case s.Upgrade(content, kind):
            return [n.before(s.UPGRADES[kind]), (content, 0)]
        case s.Announce(content, group, whether):
            to = ",".join(agent if agent.isdecimal() else n.atom(agent) for agent in group or ())
            return [f"{to}?!" if whether else f"{to}!", (content, 0)]
        case s.Act(name, event, _):
            if event is None:
                return [n.atom(name)]
            return [f"{n.atom(name)}:{n.atom(str(event))}"]


def _sum(node: s.Probability, n: Notation) -> list[_Piece]:
    letter, times = n.sign(node.spelling), n.sign(node.times)
    if times.isascii() and len(times) > 1:
        times = f" {times} "
    pieces: list[_Piece] = []
    plus, minus = "", "-"  # before the first
    for coefficient, agent, body in node.terms:
        size, sign = abs(coefficient), minus if coefficient < 0 else plus
        plus, minus = " + ", " - "
        factor = "" if size == 1 else f"{size}{times}"
        pieces += [f"{sign}{factor}{letter}_{n.group((agent,))}(", (body, 0), ")"]
    return pieces


# --- as Python -----------------------------------------------------------------------------------


def to_repr(formula: Formula) -> str:
    """Write the expression of Python that builds the formula: `parse` of its string, with bound actions."""
    updates = (f.update for f in formula.subformulas() if isinstance(f, s.Dynamic))
    acts = {u.name: u.model for u in updates if isinstance(u, s.Act) and u.model is not None}
    bound = ", ".join(f"{name}={model!r}" for name, model in acts.items())
    read = f"parse({str(formula)!r})"
    return f"{read}.bind({bound})" if bound else read
