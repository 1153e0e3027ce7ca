"""The core language of the decision procedure: a formula as a graph of few kinds of nodes.

All operators are reduced to negation, conjunction and two modal operators. A *literal* is an integer: `n`
says that node n is true, `-n` that it is false. Node 1 is the constant true, and a node refers only to
earlier nodes, so one pass in order evaluates a graph of any depth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple, TypeAlias

from kripke_werewolf.base.grouping import all_after, grouped, remembered
from kripke_werewolf.logic.formulas.logics import Logic

TRUE, FALSE = 1, -1

_MOST_SETS = 200  # of parts: as many are written out instead of a counter
_JOINED = 64  # levels of boxes inside each other that are joined with others
_SHORT = 8  # parts of a conjunction that is repeated in each conjunction around it


class Proposition(NamedTuple):
    """An atom."""

    name: str

    @property
    def parts(self) -> tuple[int, ...]:
        """The literals on which the node depends: none."""
        return ()


class AndNode(NamedTuple):
    """All of the literals are true."""

    parts: tuple[int, ...]


class Necessity(NamedTuple):
    """The body holds at all worlds that the relations of all agents of the group lead to.

    One agent: knowledge. Several: distributed knowledge. None: every world of the model.
    """

    group: tuple[str, ...]
    body: int

    @property
    def parts(self) -> tuple[int, ...]:
        """The literals on which the node depends."""
        return (self.body,)


class PathStep(NamedTuple):
    """A step of an agent to a state of an automaton, from worlds of `guard` to worlds of `within`.

    A path may end with the step; then the body must hold where it ends.
    """

    agent: str
    guard: int
    within: int
    body: int
    state: int


class Paths(NamedTuple):
    """The body of the last step holds at the end of every nonempty path of an automaton from `start`.

    A path runs through worlds and states, with an edge for each step; `edges` are the edges from each state.
    With one state this is relativised common knowledge (Van Benthem, Van Eijck, Kooi 2006): the path need not
    start in `within`, and if that is true, it is plain common knowledge. With more it is common knowledge
    after actions: the states are events.
    """

    edges: tuple[tuple[PathStep, ...], ...]
    start: int = 0

    @property
    def steps(self) -> Iterator[PathStep]:
        """The edges from all states."""
        return (edge for out in self.edges for edge in out)

    @property
    def parts(self) -> tuple[int, ...]:
        """The literals on which the node depends."""
        return tuple([part for edge in self.steps for part in edge[1:4]])


Node: TypeAlias = Proposition | AndNode | Necessity | Paths


class Core(NamedTuple):
    """A formula in the core language.

    `nodes`: the nodes of the formula by number, children first. `root`: the literal that stands for the
    formula. `agents`: those of the original formula. `copies`: the atoms that stand for a schematic letter,
    by the letter and by the literal of the worlds left where it is evaluated. `free`: whether further atoms
    stand for a letter after an action; then not every combination of their values comes from one formula.
    """

    nodes: Mapping[int, Node]
    root: int
    agents: tuple[str, ...]
    copies: Mapping[str, Mapping[int, str]]
    free: bool = False

    @property
    def needed(self) -> set[int]:
        """The literals that matter where the formula must be true."""
        found = {self.root}
        # parents come after their children, so going down meets every use first
        for number, node in reversed([*self.nodes.items()]):
            parts = node.parts
            if isinstance(node, Paths):
                parts = tuple([part for e in node.steps for part in (-e.guard, -e.within, e.body)])
            for literal in found & {number, -number}:
                found.update(part if literal > 0 else -part for part in parts)
        return found


class Builder:
    """Builds a core graph bottom-up, with one node for equal nodes and none for trivial ones.

    It applies laws of the logic that remove a modal operator, such as K_a K_a φ <-> K_a φ with positive
    introspection and truth. The scope of a modal operator is given by its group and by `within`, a literal
    that is true at the worlds left after announcements.
    """

    def __init__(self, logic: Logic) -> None:
        self._logic = logic
        self._nodes: list[Node | None] = [None, None]
        self._numbers: dict[Node, int] = {}
        self._automata: dict[tuple[object, ...], list[int]] = {}
        self.copies: dict[str, dict[int, str]] = {}
        self.free = False

    def _add(self, node: Node) -> int:
        if node not in self._numbers:
            self._numbers[node] = len(self._nodes)
            self._nodes.append(node)
        return self._numbers[node]

    def atom(self, name: str) -> int:
        """Return the literal of an atom."""
        return self._add(Proposition(name))

    def copy(self, letter: str, within: int) -> int:
        """Return the literal of a schematic letter when the worlds left are those of `within`.

        The null character in the name of a copy distinguishes it from other atoms.
        """
        known = self.copies.setdefault(letter, {})
        return self.atom(known.setdefault(within, f"{letter}\0{within}"))

    def conj(self, literals: Iterable[int]) -> int:
        """Return the conjunction of literals."""
        parts = set(literals)
        parts.discard(TRUE)
        if FALSE in parts or not parts.isdisjoint([-part for part in parts]):
            return FALSE
        if len(parts) <= 1:
            return parts.pop() if parts else TRUE
        return self._add(AndNode(tuple(sorted(parts))))

    def joint(self, literals: Iterable[int]) -> int:
        """Return the conjunction of literals, with the parts of those that are conjunctions themselves."""
        opened = self._opened(literals)
        return self.conj(part for part in opened if not self._inside(part))

    def disj(self, literals: Iterable[int]) -> int:
        """Return the disjunction of literals."""
        return -self.conj([-literal for literal in literals])

    def odd(self, literals: Iterable[int]) -> int:
        """Return a literal that is true iff an odd number of the literals are."""
        parts = list(literals)
        odd = TRUE if sum(part < 0 for part in parts) % 2 else FALSE
        for part in sorted(map(abs, parts)):  # so that neither order nor negations make a difference
            odd = self.conj((self.disj((odd, part)), self.disj((-odd, -part))))
        return odd

    def at_least(self, number: int, literals: Sequence[int]) -> int:
        """Return a literal that is true iff at least `number` of the literals are."""
        if number > len(literals):
            return FALSE
        if comb(len(literals), number) <= _MOST_SETS:  # as one would write it without the operator
            return self.disj([self.conj(some) for some in combinations(literals, number)])
        # row[k]: at least k of those seen so far
        row = [TRUE] + [FALSE] * number
        for literal in literals:
            for k in range(number, 0, -1):
                row[k] = self.disj((row[k], self.conj((row[k - 1], literal))))
        return row[number]

    def box(self, group: tuple[str, ...], within: int, body: int) -> int:
        """Return the literal of `Necessity`: K_a, D_G, or "everywhere" for the empty group."""
        return self._box(group, body if within == TRUE else self.disj((-within, body)))

    def _box(self, group: tuple[str, ...], body: int) -> int:
        logic = self._logic.of(group)
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
                return self.disj((body, self._box(group, FALSE)))
        return self._add(Necessity(group, body))

    def paths(self, edges: Sequence[Sequence[PathStep]], alive: Sequence[int] = ()) -> list[int]:
        """Return the literals for each state that all nonempty paths of an automaton end where they must.

        Strong components are taken apart, the last first: what lies beyond a component is a box. In a
        component, states that exclude each other become one; `alive` are literals that are true wherever a
        path begins at a state or enters it.
        """
        if len(edges) == 1:
            out = self._joined(edges[0], (0,))
            return [TRUE if all(e.body == TRUE for e in out) else self._automaton(_loop(out))]
        key = tuple(map(tuple, edges)), tuple(alive or [TRUE] * len(edges))
        return remembered(self._automata, key, lambda: self._paths(*key))

    def _paths(self, edges: Sequence[Sequence[PathStep]], alive: Sequence[int]) -> list[int]:
        states = range(len(edges))
        whole = [self._joined(out, states) for out in edges]
        known: dict[int, int] = {}
        for part in strong_parts({x: {e.state for e in whole[x]} for x in states}):
            leaving = {
                x: self.conj(
                    self.disj((-guard, self.box((agent,), within, self.conj((body, known[y])))))
                    for agent, guard, within, body, y in whole[x]
                    if y not in part
                )
                for x in part
            }
            inner = {
                x: [
                    e._replace(body=self.conj((e.body, leaving[e.state])))
                    for e in whole[x]
                    if e.state in part
                ]
                for x in part
            }
            for x, inside in self._component(inner, alive).items():
                known[x] = self.conj((leaving[x], inside))
        return [known[x] for x in states]

    def _joined(self, edges: Iterable[PathStep], place: Sequence[int] | Mapping[int, int]) -> list[PathStep]:
        """Return the passable edges with their states renamed; edges with the same ends become one.

        A body that says where the edge leads is true there.
        """
        passable = [edge for edge in edges if edge.guard != FALSE and edge.within != FALSE]
        found = grouped(((e.agent, e.guard, place[e.state]), (e.within, e.body)) for e in passable)
        joined = []
        for (agent, guard, state), ways in found.items():
            within, body = ways[0]
            if len(ways) > 1:
                within = self.disj(entered for entered, _ in ways)
                if any(other != body for _, other in ways):
                    body = self.conj(self.disj((-entered, end)) for entered, end in ways)
            if body == within:
                body = TRUE
            joined.append(PathStep(agent, guard, within, body, state))
        return joined

    def _component(self, edges: Mapping[int, Sequence[PathStep]], alive: Sequence[int]) -> dict[int, int]:
        """Return the literals of the states of a strong component."""
        if all(edge.body == TRUE for out in edges.values() for edge in out):
            return dict.fromkeys(edges, TRUE)
        if len(edges) == 1:
            ((x, out),) = edges.items()
            return {x: self._automaton(_loop([e._replace(state=0) for e in out]))}
        opened = {x: self._opened([alive[x]]) for x in edges}
        merged: list[list[int]] = []
        for x in edges:
            denied = {-part for part in opened[x]}
            room = (m for m in merged if not any(denied.isdisjoint(opened[y]) for y in m))
            if (found := next(room, None)) is None:
                merged.append([x])
            else:
                found.append(x)
        place = {x: n for n, states in enumerate(merged) for x in states}
        steps: list[dict[PathStep, list[int]]] = [{} for _ in merged]
        for x, out in edges.items():
            here = TRUE if len(merged[place[x]]) == 1 else alive[x]
            for edge in self._joined(out, place):
                guards = steps[place[x]].setdefault(edge._replace(guard=TRUE), [])
                guards.append(self.conj((edge.guard, here)))
        whole = tuple(
            tuple(sorted(edge._replace(guard=self.disj(guards)) for edge, guards in out.items()))
            for out in steps
        )
        return {x: self._automaton(Paths(whole, place[x])) for x in edges}

    def _automaton(self, node: Paths) -> int:
        """Return the literal of an automaton; for one agent with a transitive relation, that of a box."""
        if len(node.edges) == 1 and len(node.edges[0]) == 1:
            ((agent, guard, within, body, _),) = node.edges[0]
            if guard == TRUE and self._logic.of((agent,)).transitive:
                return self.box((agent,), within, body)
        return self._add(node)

    def _opened(self, literals: Iterable[int]) -> dict[int, None]:
        """Return literals, the parts of those that are conjunctions, and theirs."""
        return all_after(literals, self._inside)

    def _inside(self, literal: int) -> tuple[int, ...]:
        """Return the parts of a conjunction; none of another literal."""
        node = self._nodes[max(literal, 0)]
        return node.parts if isinstance(node, AndNode) else ()

    def _agreement(self) -> Iterator[int]:
        """Yield literals that make copies of a letter agree if the same worlds are left.

        The formula that replaces the letter has one truth set in each set of worlds, however it was reached.
        """
        for copies in self.copies.values():
            for (left, x), (right, y) in combinations(copies.items(), 2):
                same_worlds = self.box((), TRUE, -self.odd((left, right)))
                differ = self.conj((left, self.odd((self.atom(x), self.atom(y)))))
                yield self.disj((-same_worlds, self.box((), TRUE, -differ)))

    def finish(self, root: int, agents: Iterable[str]) -> Core:
        """Return the graph of the nodes on which `root` and the agreement of copies depend.

        Brackets leave no trace in it: a conjunction of conjunctions is a single one; so is a disjunction of
        disjunctions. In a conjunction, boxes of one group that occur only there are one.
        """
        root = self.conj([root, *self._agreement()])
        left = {within for copies in self.copies.values() for within in copies}
        new = self.rebuilt(self.needed([root, *left]), [root, *left], {})
        copies = {a: {image_of(new, x): name for x, name in held.items()} for a, held in self.copies.items()}
        root = image_of(new, root)
        needed = self.needed([root, *(image_of(new, within) for within in left)])
        return Core(needed, root, tuple(sorted(agents)), copies, self.free)

    def needed(self, literals: Iterable[int]) -> dict[int, Node]:
        """Return the nodes on which literals depend, children first."""
        needed = {*map(abs, literals)}
        found = list[tuple[int, Node]]()
        for number in range(max(needed), TRUE, -1):
            node = self._nodes[number]
            if number in needed and node is not None:
                found.append((number, node))
                needed.update(map(abs, node.parts))
        return dict(reversed(found))

    def rebuilt(
        self, nodes: Mapping[int, Node], literals: Sequence[int], values: Mapping[str, int]
    ) -> dict[int, int]:
        """Return for each node an equivalent literal without nested conjunctions.

        `values` are the literals that replace atoms. A long conjunction that is a part of several nodes, or
        one of the `literals`, remains a node, so that the graph grows little.
        """
        uses = Counter([abs(part) for node in nodes.values() for part in node.parts])
        uses.update(map(abs, literals))
        new, once = {TRUE: TRUE}, set[int]()
        for number, node in nodes.items():
            match node:
                case Proposition(name):
                    new[number] = values.get(name) or self.atom(name)
                case AndNode(parts):
                    new[number] = self._flat([image_of(new, part) for part in parts], once)
                case Necessity(group, body):
                    new[number] = self._box(group, image_of(new, body))
                case Paths(edges, start):
                    new[number] = self.paths([[renamed(new, edge) for edge in out] for out in edges])[start]
            if uses[number] == 1:
                once.add(new[number])
        return new

    def _flat(self, literals: list[int], once: Container[int], levels: int = _JOINED) -> int:
        """Return the conjunction of literals; conjunctions that are short, or in `once`, are opened.

        Boxes in `once` of one group become one; so do those inside them, a number of levels deep.
        """
        flat = list[int]()
        for part in literals:
            opened = self._inside(part)
            if opened and (len(opened) <= _SHORT or part in once):
                literals += opened
            else:
                flat.append(part)
        boxes = [(self._nodes[part], part) for part in flat if levels and part > 0 and part in once]
        alike = grouped((box.group, (part, box.body)) for box, part in boxes if isinstance(box, Necessity))
        for group, several in alike.items():
            if len(several) > 1:
                bodies = dict(several)
                flat = [part for part in flat if part not in bodies]
                flat.append(self._box(group, self._flat([*bodies.values()], once, levels - 1)))
        return self.conj(flat)


def simplified(core: Core, logic: Logic) -> tuple[Core, frozenset[str]]:
    """Return a formula that is satisfiable iff the given one is, and the atoms that are true in its models.

    If a formula has an atom on one side of negations only, then it stays true when the atom becomes true, or
    false, everywhere; so the atom is replaced by this value. A schema with copies of letters is returned as
    it is.
    """
    always = set[str]()
    while values := _pure(core):
        always |= {name for name, value in values.items() if value == TRUE}
        build = Builder(logic)
        new = build.rebuilt(core.nodes, [core.root], values)
        root = image_of(new, core.root)
        core = core._replace(nodes=build.needed([root]), root=root)
    return core, frozenset(always)


def _pure(core: Core) -> dict[str, int]:
    """Return the values of the atoms that occur on one side of negations only; none for a schema."""
    needed = core.needed
    return {
        node.name: TRUE if number in needed else FALSE
        for number, node in core.nodes.items()
        if isinstance(node, Proposition) and not (core.copies or needed >= {number, -number})
    }


def image_of(images: Mapping[int, int], literal: int) -> int:
    """Return the image of a literal, given those of nodes."""
    return images[literal] if literal > 0 else -images[-literal]


def paths_kept(
    edges: Sequence[Sequence[PathStep]], where: Callable[[int], int], sees: Callable[[str, int], int]
) -> list[int]:
    """Return for each state of an automaton the worlds from which a path leads to a false body, as bits.

    `where`: the worlds where a literal is true; `sees`: those where an agent sees some of a set.
    """
    kept, before = [0] * len(edges), list[int]()
    while kept != before:
        before = list(kept)
        for x, out in enumerate(edges):
            for agent, guard, within, body, state in out:
                there = (where(-body) | before[state]) & where(within)
                kept[x] |= where(guard) & sees(agent, there)
    return kept


def _loop(edges: Iterable[PathStep]) -> Paths:
    """Return the automaton of a single state."""
    return Paths((tuple(sorted(edges)),))


def renamed(images: Mapping[int, int], edge: PathStep) -> PathStep:
    """Return a step with the images of its literals."""
    agent, guard, within, body, state = edge
    return PathStep(agent, image_of(images, guard), image_of(images, within), image_of(images, body), state)


def strong_parts(after: Mapping[int, set[int]]) -> list[set[int]]:
    """Return the strong components of a graph, each after those that it leads to.

    >>> strong_parts({0: {1}, 1: {0, 2}, 2: set()})
    [{2}, {0, 1}]
    """
    before: dict[int, list[int]] = {x: [] for x in after}
    for x, ends in after.items():
        for y in ends:
            before[y].append(x)
    parts, left = list[tuple[int, int, set[int]]](), set(after)
    while left:
        first = min(left)
        reached, leading = all_after([first], after.__getitem__), all_after([first], before.__getitem__)
        part = {x for x in reached if x in leading}
        parts.append((len(reached), first, part))
        left -= part
    return [part for _, _, part in sorted(parts)]
