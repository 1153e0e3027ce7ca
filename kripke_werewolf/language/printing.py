"""Formulas as text: ASCII, Unicode, LaTeX, and the Python expression that rebuilds them.

`parse` reads all three notations back: `parse(str(f)) == parse(f.latex()) == f`. The loops keep a
stack of their own, so that depth costs no recursion.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from kripke_werewolf.language import operators as s
from kripke_werewolf.language.names import atom_latex, atom_text, group_latex, group_text
from kripke_werewolf.language.probability import Probability

__all__ = ["ASCII", "LATEX", "UNICODE", "Notation", "to_repr", "to_text"]

# how tightly an operator binds; a child that binds less than its place asks for gets parentheses
_IFF, _IMPLIES, _OR, _XOR, _AND, _PREFIX, _PRIMARY = range(1, 8)


@dataclass(frozen=True, slots=True)
class Notation:
    """The symbols of one way to write formulas."""

    true: str
    false: str
    negation: str
    conjunction: str
    exclusive: str
    disjunction: str
    implies: str
    iff: str
    possible: str
    forall: str
    exists: str
    langle: str
    rangle: str
    relations: dict[str, str]
    words: str
    operator: str
    times: str
    atom: Callable[[str], str]
    group: Callable[[tuple[str, ...]], str]


ASCII = Notation(
    "true", "false", "~", " & ", " ^ ", " | ", " -> ", " <-> ", "M", "forall ", "exists ", "<", ">",
    {}, "{}", "{}", "*", atom_text, group_text,
)  # fmt: skip
UNICODE = Notation(
    "⊤", "⊥", "¬", " ∧ ", " ⊕ ", " ∨ ", " → ", " ↔ ", "M", "∀", "∃", "⟨", "⟩",
    {">=": "≥", "<=": "≤", "!=": "≠"}, "{}", "{}", "·", atom_text, group_text,
)  # fmt: skip
LATEX = Notation(
    r"\top", r"\bot", r"\neg ", r" \wedge ", r" \oplus ", r" \vee ", r" \to ", r" \leftrightarrow ",
    r"\hat{K}", r"\forall ", r"\exists ", r"\langle ", r"\rangle ",
    {">=": r"\geq", "<=": r"\leq", "!=": r"\neq"}, r"\mathsf{{{}}}", r"\mathit{{{}}}", r" \cdot ",
    atom_latex, group_latex,
)  # fmt: skip

# a piece of output: a text, or a formula with the binding its place asks for
_Piece = str | tuple[s.Formula, int]


def to_text(formula: s.Formula, notation: Notation) -> str:
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


def _pieces(node: s.Formula, n: Notation) -> tuple[int, list[_Piece]]:
    match node:
        case s.Atom(name):
            return _PRIMARY, [n.atom(name)]
        case s.Constant(value):
            return _PRIMARY, [n.true if value else n.false]
        case s.Not(body):
            return _PREFIX, [n.negation, (body, _PREFIX)]
        case s.And(parts):
            return _AND, _between(n.conjunction, parts, _PREFIX)
        case s.Xor(parts):
            return _XOR, _between(n.exclusive, parts, _AND)
        case s.Or(parts):
            return _OR, _between(n.disjunction, parts, _XOR)
        case s.Implies(left, right):
            return _IMPLIES, [(left, _OR), n.implies, (right, _IMPLIES)]
        case s.Iff(left, right):
            return _IFF, [(left, _IFF), n.iff, (right, _IMPLIES)]
        case s.Count(kind, number, parts):
            return _PRIMARY, [n.words.format(kind), f"({number}; ", *_between(", ", parts, 0), ")"]
        case s.Knows(agent, body):
            return _PREFIX, [f"K_{n.group((agent,))} ", (body, _PREFIX)]
        case s.Possible(agent, body):
            return _PREFIX, [f"{n.possible}_{n.group((agent,))} ", (body, _PREFIX)]
        case s.KnowsWhether(agent, body):
            return _PREFIX, [f"{n.operator.format('Kw')}_{n.group((agent,))} ", (body, _PREFIX)]
        case s.KnowsValue(agent, variable):
            return _PRIMARY, [f"{n.operator.format('Kv')}_{n.group((agent,))}({n.atom(variable)})"]
        case s.Everyone(group, body):
            return _PREFIX, [f"E_{n.group(group)} ", (body, _PREFIX)]
        case s.Common(group, body):
            return _PREFIX, [f"C_{n.group(group)} ", (body, _PREFIX)]
        case s.Distributed(group, body):
            return _PREFIX, [f"D_{n.group(group)} ", (body, _PREFIX)]
        case s.CommonWhether(group, body):
            return _PREFIX, [f"{n.operator.format('Cw')}_{n.group(group)} ", (body, _PREFIX)]
        case s.DistributedWhether(group, body):
            return _PREFIX, [f"{n.operator.format('Dw')}_{n.group(group)} ", (body, _PREFIX)]
        case s.Everywhere(body):
            return _PREFIX, [n.words.format("everywhere"), " ", (body, _PREFIX)]
        case s.Somewhere(body):
            return _PREFIX, [n.words.format("somewhere"), " ", (body, _PREFIX)]
        case s.Forall(names, body):
            return _PREFIX, [n.forall, ", ".join(map(n.atom, names)), ". ", (body, _PREFIX)]
        case s.Exists(names, body):
            return _PREFIX, [n.exists, ", ".join(map(n.atom, names)), ". ", (body, _PREFIX)]
        case s.Box(update, body):
            return _PREFIX, ["[", *_update(update, n), "]", (body, _PREFIX)]
        case s.Diamond(update, body):
            return _PREFIX, [n.langle, *_update(update, n), n.rangle, (body, _PREFIX)]
        case Probability(terms, relation, bound):
            return _PRIMARY, [*_sum(terms, n), f" {n.relations.get(relation, relation)} {bound}"]
    raise TypeError(f"cannot print {type(node).__name__}")


def _between(separator: str, parts: tuple[s.Formula, ...], binding: int) -> list[_Piece]:
    pieces: list[_Piece] = []
    for part in parts:
        pieces += [separator, (part, binding)]
    return pieces[1:]


def _update(update: s.Announce | s.Act, n: Notation) -> list[_Piece]:
    match update:
        case s.Announce(content, group, whether):
            to = ",".join(_member(agent, n) for agent in group or ())
            return [to + ("?!" if whether else "!"), (content, 0)]
        case s.Act(name, event, _):
            return [n.atom(name) + (f":{n.atom(str(event))}" if event is not None else "")]


def _member(agent: str, n: Notation) -> str:
    return agent if agent.isdecimal() else n.atom(agent)


def _sum(terms: tuple[tuple[Fraction, str, s.Formula], ...], n: Notation) -> list[_Piece]:
    pieces: list[_Piece] = []
    for i, (coefficient, agent, body) in enumerate(terms):
        size = abs(coefficient)
        sign = ("-" if coefficient < 0 else "") if i == 0 else (" - " if coefficient < 0 else " + ")
        factor = "" if size == 1 else f"{size}{n.times}"
        pieces += [f"{sign}{factor}P_{n.group((agent,))}(", (body, 0), ")"]
    return pieces


_SHORT = {
    s.Knows: "K",
    s.Possible: "M",
    s.KnowsWhether: "Kw",
    s.KnowsValue: "Kv",
    s.Everyone: "E",
    s.Common: "C",
    s.Distributed: "D",
}


def to_repr(formula: s.Formula) -> str:
    """Write the Python expression that builds the formula with the names of the package."""
    out: list[str] = []
    stack: list[str | s.Formula] = [formula]
    while stack:
        piece = stack.pop()
        if isinstance(piece, str):
            out.append(piece)
            continue
        stack.extend(reversed(_repr_pieces(piece)))
    return "".join(out)


def _repr_pieces(node: s.Formula) -> list[str | s.Formula]:
    name = _SHORT.get(type(node), type(node).__name__)
    arguments: list[list[str | s.Formula]]
    match node:
        case s.Box(s.Announce(content, group, whether), body) | s.Diamond(
            s.Announce(content, group, whether), body
        ):
            arguments = [["Announce(", content, f", {group!r}, {whether!r})"], [body]]
        case s.Box(update, body) | s.Diamond(update, body):
            arguments = [[repr(update)], [body]]
        case Probability(terms, relation, bound):
            triples: list[str | s.Formula] = ["["]
            for i, (coefficient, agent, body) in enumerate(terms):
                triples += [f"{', ' if i else ''}('{coefficient}', {agent!r}, ", body, ")"]
            arguments = [[*triples, "]"], [repr(relation)], [f"'{bound}'"]]
        case s.Constant(value):
            return ["TRUE" if value else "FALSE"]
        case s.Everyone() | s.Common() | s.Distributed() | s.CommonWhether() | s.DistributedWhether():
            arguments = [[repr(node.label)], [node.body]]
        case s.Forall(names, body) | s.Exists(names, body):
            arguments = [[repr(names)], [body]]
        case _:
            arguments = [[repr(x)] for x in node.label]
            arguments += [[c] for c in node.children]
    pieces: list[str | s.Formula] = [f"{name}("]
    for i, argument in enumerate(arguments):
        pieces += [", " if i else "", *argument]
    return [*pieces, ")"]
