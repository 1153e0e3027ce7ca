"""The core language of the decision procedure: a formula as a graph of few kinds of nodes.

All operators are reduced to negation, conjunction, two modal ones and nothing else. A *literal* is
an integer: `n` says that node n is true, `-n` that it is false. Node 1 is the constant true, and a
node only refers to nodes before it, so one pass in order evaluates a graph, at any depth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from kripke_werewolf.language.logics import Logic

__all__ = ["FALSE", "TRUE", "Builder", "CommonNode", "Conjunction", "Core", "Necessity", "Proposition"]

TRUE, FALSE = 1, -1


@dataclass(frozen=True, slots=True)
class Proposition:
    """An atom."""

    name: str


@dataclass(frozen=True, slots=True)
class Conjunction:
    """All of the literals are true."""

    parts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Necessity:
    """The body holds wherever the relations of all agents of the group lead.

    One agent: knowledge. Several: distributed knowledge. None: every world of the model, since no
    relation restricts where to look.
    """

    group: tuple[str, ...]
    body: int


@dataclass(frozen=True, slots=True)
class CommonNode:
    """The body holds at the end of every nonempty path of the group through worlds of `within`.

    This is relativised common knowledge (Van Benthem, Van Eijck, Kooi 2006): the start of the path
    need not be in `within`. With `within` true it is plain common knowledge.
    """

    group: tuple[str, ...]
    within: int
    body: int


Node: TypeAlias = Proposition | Conjunction | Necessity | CommonNode


@dataclass(frozen=True, slots=True)
class Core:
    """A formula in the core language.

    `nodes` starts with two placeholders, so that literal n is `nodes[n]` (node 1 is true); `root`
    is the literal that stands for the formula. `agents` are those of the formula it came from.
    """

    nodes: tuple[Node | None, ...]
    root: int
    agents: tuple[str, ...]

    def numbered(self) -> Iterator[tuple[int, Node]]:
        """Yield the nodes with their numbers, children first."""
        for number, node in enumerate(self.nodes):
            if node is not None:
                yield number, node

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The groups of the modal nodes, those of common knowledge as their single members."""
        found: dict[tuple[str, ...], None] = {}
        for _, node in self.numbered():
            match node:
                case Necessity(group, _):
                    found[group] = None
                case CommonNode(group, _, _):
                    found.update(((a,), None) for a in group)
        return tuple(found)


class Builder:
    """Builds a core graph bottom-up; equal nodes are one, and trivial ones disappear.

    Simplification uses the laws of the logic where they drop a modal operator for certain, such as
    K_a K_a φ <-> K_a φ with positive introspection and truth.
    """

    def __init__(self, logic: Logic) -> None:
        self._logic = logic
        self._nodes: list[Node | None] = [None, None]
        self._numbers: dict[Node, int] = {}

    def _add(self, node: Node) -> int:
        number = self._numbers.get(node)
        if number is None:
            number = self._numbers[node] = len(self._nodes)
            self._nodes.append(node)
        return number

    def atom(self, name: str) -> int:
        """Return the literal of an atom."""
        return self._add(Proposition(name))

    def conj(self, literals: Iterable[int]) -> int:
        """Return the conjunction of literals."""
        parts = set(literals) - {TRUE}
        if FALSE in parts or any(-part in parts for part in parts):
            return FALSE
        if len(parts) <= 1:
            return next(iter(parts), TRUE)
        return self._add(Conjunction(tuple(sorted(parts))))

    def disj(self, literals: Iterable[int]) -> int:
        """Return the disjunction of literals."""
        return -self.conj(-literal for literal in literals)

    def implies(self, left: int, right: int) -> int:
        """Return the literal of `left -> right`."""
        return self.disj((-left, right))

    def iff(self, left: int, right: int) -> int:
        """Return the literal of `left <-> right`."""
        if left == right or left == -right:
            return TRUE if left == right else FALSE
        return self.conj((self.implies(left, right), self.implies(right, left)))

    def at_least(self, number: int, literals: list[int]) -> int:
        """Return the literal that at least `number` of the literals are true."""
        if number > len(literals):
            return FALSE
        # row[k]: at least k of those seen so far
        row = [TRUE] + [FALSE] * number
        for literal in literals:
            for k in range(number, 0, -1):
                row[k] = self.disj((row[k], self.conj((row[k - 1], literal))))
        return row[number]

    def box(self, group: tuple[str, ...], body: int) -> int:
        """Return the literal of `Necessity`: K_a, D_G, or everywhere for the empty group."""
        logic = self._logic
        if body == TRUE or (body == FALSE and (logic.reflexive or not group)):
            return body
        if body == FALSE and logic.serial and len(group) == 1:
            return FALSE
        inner = self._nodes[abs(body)]
        if isinstance(inner, Necessity) and inner.group == group:
            introspective = not group or (logic.transitive and logic.euclidean)
            if body > 0 and (introspective or (logic.transitive and logic.reflexive)):
                return body
            if body < 0 and introspective:
                return self.disj((body, self.box(group, FALSE)))
        return self._add(Necessity(group, body))

    def common(self, group: tuple[str, ...], within: int, body: int) -> int:
        """Return the literal of `CommonNode`; of one agent with a transitive relation, a box."""
        if body == TRUE or within == FALSE:
            return TRUE
        if len(group) == 1 and self._logic.transitive:
            return self.box(group, self.implies(within, body))
        return self._add(CommonNode(group, within, body))

    def finish(self, root: int, agents: Iterable[str]) -> Core:
        """Return the graph of what `root` needs, renumbered in order."""
        needed: set[int] = set()
        stack = [abs(root)]
        while stack:
            number = stack.pop()
            if number > 1 and number not in needed:
                needed.add(number)
                stack.extend(abs(part) for part in _parts(self._nodes[number]))
        nodes: list[Node | None] = [None, None]
        new = {1: 1}
        for number in sorted(needed):
            new[number] = len(nodes)
            nodes.append(_renumbered(self._nodes[number], new))
        return Core(tuple(nodes), _literal(root, new), tuple(sorted(agents)))


def _literal(literal: int, new: dict[int, int]) -> int:
    return new[literal] if literal > 0 else -new[-literal]


def _parts(node: Node | None) -> tuple[int, ...]:
    match node:
        case Conjunction(parts):
            return parts
        case Necessity(_, body):
            return (body,)
        case CommonNode(_, within, body):
            return (within, body)
    return ()


def _renumbered(node: Node | None, new: dict[int, int]) -> Node | None:
    match node:
        case Conjunction(parts):
            return Conjunction(tuple(_literal(p, new) for p in parts))
        case Necessity(group, body):
            return Necessity(group, _literal(body, new))
        case CommonNode(group, within, body):
            return CommonNode(group, _literal(within, new), _literal(body, new))
    return node
