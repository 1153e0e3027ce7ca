"""Reading models for pictures, as plain data.

No other module accesses a model or an action model. Models with too many worlds to draw one by one are
represented by fewer nodes.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

from kripke_werewolf.base.grouping import grouped, numbered
from kripke_werewolf.base.reports.tables import counted
from kripke_werewolf.logic.formulas.syntax import agent_name
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.models.model import Numbered
from kripke_werewolf.logic.semantics import ActionModel
from kripke_werewolf.logic.semantics.bits import members
from kripke_werewolf.logic.semantics.verdict import Verdict
from visualise.palette import PENS
from visualise.text import natural_order, world_label, world_texts

_Sees = tuple[tuple[int, ...], ...]  # for each node those that an agent considers possible there, ascending


@dataclass(frozen=True, slots=True)
class Ties:
    """An agent's relation among the nodes.

    `sees`: the successors of each node. `classes`: the classes of an equivalence, by first node. `groups`:
    otherwise, if it is K45 (as belief is), the sets of nodes that see exactly each other and themselves; all
    other nodes then see exactly one group, or nothing. `ordered`: whether arrows that follow by transitivity
    are left out.
    """

    agent: str
    sees: _Sees
    classes: tuple[tuple[int, ...], ...] | None
    groups: tuple[tuple[int, ...], ...] = ()
    ordered: bool = False

    @classmethod
    def of(cls, agent: str, sees: _Sees) -> Ties:
        """Return the ties of an agent with these successors."""
        seen = sorted({cell for cell in sees if cell})
        if any(sees[w] != cell for cell in seen for w in cell):
            order = cls(agent, sees, None, ordered=True)
            sets = [set(own) for own in sees]
            transitive = all(sets[v] <= own for own in sets for v in own)
            if transitive and len(order.arrows) - len(order.pairs) >= _SAVED:
                return order
            return replace(order, ordered=False)
        if sum(map(len, seen)) == len(sees):
            return cls(agent, sees, tuple(seen))
        return cls(agent, sees, None, tuple(seen))

    @property
    def reflexive(self) -> bool:
        """Whether all nodes see themselves."""
        return all(w in seen for w, seen in enumerate(self.sees))

    @property
    def arrows(self) -> set[tuple[int, int]]:
        """The pairs of different nodes."""
        return {(i, j) for i, seen in enumerate(self.sees) for j in seen if i != j}

    @property
    def pairs(self) -> set[tuple[int, int]]:
        """The arrows between different nodes that are drawn; none for an equivalence."""
        if self.ordered:
            return self._steps()
        return set() if self.classes is not None else self.arrows

    def _steps(self) -> set[tuple[int, int]]:
        """Return arrows of a transitive relation, as few as possible, from which all others follow.

        Nodes that see each other are a chain, which arrows enter at its first node and leave at its last.
        """
        lot = [[v for v in seen if w in self.sees[v]] or [w] for w, seen in enumerate(self.sees)]
        above = [{lot[v][0] for v in seen} - {lot[w][0]} for w, seen in enumerate(self.sees)]
        found = set[tuple[int, int]]()
        for own in (lot[w] for w in range(len(lot)) if lot[w][0] == w):
            found.update(pair for i, j in pairwise(own) for pair in ((i, j), (j, i)))
            beyond = set[int]().union(*(above[v] for v in above[own[0]]))
            found.update((own[-1], v) for v in above[own[0]] - beyond)
        return found

    @property
    def loops(self) -> set[int]:
        """The nodes with a loop: those that see themselves, if not all do.

        With groups, those that are a group of their own, and none if all nodes see some.
        """
        if self.reflexive or (self.groups and all(self.sees)):
            return set()
        if self.groups:
            return {cell[0] for cell in self.groups if len(cell) == 1}
        return {w for w, seen in enumerate(self.sees) if w in seen}

    @property
    def cells(self) -> tuple[tuple[int, ...], ...]:
        """The sets of nodes joined by lines without arrow heads: classes, or else groups."""
        return self.groups if self.classes is None else self.classes

    @property
    def outside(self) -> list[tuple[int, tuple[int, ...]]]:
        """The nodes outside all cells that see a group, each with that group."""
        within = {w for cell in self.cells for w in cell}
        return [(w, seen) for w, seen in enumerate(self.sees) if seen and w not in within]

    def restricted(self, number: Mapping[int, int]) -> Ties:
        """Return the ties among some nodes, with new numbers."""

        def kept(cell: Iterable[int]) -> tuple[int, ...]:
            return tuple(number[w] for w in cell if w in number)

        def cells(found: Iterable[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
            return tuple(filter(None, map(kept, found)))

        sees = tuple(kept(self.sees[w]) for w in number)
        classes = None if self.classes is None else cells(self.classes)
        return Ties(self.agent, sees, classes, cells(self.groups), self.ordered)


@dataclass(frozen=True)
class Graph:
    """Relations between nodes 0, 1, …

    `bits`: for each node, the atoms true there, as a bit mask. `points`: the designated nodes. `layers`: if
    one agent has an order, for each node the number of more plausible layers in its cell.
    """

    ties: tuple[Ties, ...]
    bits: tuple[int, ...]
    points: frozenset[int] = frozenset()
    layers: tuple[int, ...] = ()

    @classmethod
    def of(cls, ties: Iterable[Ties], bits: Iterable[int], points: Iterable[int] = ()) -> Graph:
        """Return the graph in which groups replace arrows only if there are too many arrows."""
        graph = cls(tuple(ties), tuple(bits), frozenset(points))
        arrows = sum(len(t.pairs) for t in graph.ties if t.groups)
        few = graph.size <= _FEW or arrows <= _CROWDED * graph.size
        return graph.plain() if few else graph

    def plain(self) -> Graph:
        """Return the graph with all arrows, without groups."""
        return replace(self, ties=tuple(replace(t, groups=()) for t in self.ties))

    def unordered(self) -> Graph:
        """Return the graph with the arrows that follow by transitivity."""
        return replace(self, ties=tuple(replace(t, ordered=False) for t in self.ties))

    @property
    def size(self) -> int:
        """The number of nodes."""
        return len(self.bits)

    @cached_property
    def cells(self) -> tuple[tuple[int, ...], ...]:
        """The sets of nodes joined by lines without arrow heads, each once."""
        return tuple(dict.fromkeys(cell for ties in self.ties for cell in ties.cells if len(cell) > 1))

    @cached_property
    def outside(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """The nodes outside all groups of an agent, each with the group that it sees."""
        return tuple(pair for ties in self.ties if ties.groups for pair in ties.outside)

    @cached_property
    def arrows(self) -> tuple[tuple[int, int], ...]:
        """The lines of arrows between different nodes, the smaller first, each once."""
        found = {(min(i, j), max(i, j)) for ties in self.ties if not ties.groups for i, j in ties.pairs}
        return tuple(found)

    def neighbours(self) -> list[set[int]]:
        """Return for each node the other nodes related to it for some agent, in either direction."""
        near: list[set[int]] = [set() for _ in self.bits]
        for ties in self.ties:
            for cell in ties.classes or ():
                for w in cell:
                    near[w].update(cell)
            for i, j in ties.pairs:
                near[i].add(j)
                near[j].add(i)
        for w, others in enumerate(near):
            others.discard(w)
        return near

    def successors(self) -> list[set[int]]:
        """Return the union of each node's successors for all agents."""
        return [set[int]().union(*(ties.sees[w] for ties in self.ties)) for w in range(self.size)]

    def components(self) -> list[list[int]]:
        """Return the connected parts, each ascending, by their first node."""
        near = self.neighbours()
        left = set(range(self.size))
        found = []
        while left:
            part = set[int]().union(*waves(near, min(left)))
            left -= part
            found.append(sorted(part))
        return found

    def telling(self) -> Graph:
        """Return the graph without agents who confuse all nodes or none."""
        ties = (t for t in self.ties if t.classes is None or 1 < len(t.classes) < self.size)
        return Graph(tuple(ties), self.bits, self.points)

    def restricted(self, nodes: Sequence[int]) -> Graph:
        """Return the graph of some nodes, numbered from 0."""
        number = {w: k for k, w in enumerate(nodes)}
        points = frozenset(number[w] for w in self.points if w in number)
        return Graph(
            tuple(t.restricted(number) for t in self.ties), tuple(self.bits[w] for w in nodes), points
        )


_SAVED = 3  # arrows left out, at least, where some are
_FEW = 12  # up to this many nodes there is room for all arrows; among more,
_CROWDED = 2  # more arrows than these to a node are too many


def waves(near: Sequence[set[int]], *start: int) -> Iterator[set[int]]:
    """Yield some nodes, their neighbours, those one step farther, and so on.

    `near`: the neighbours of each node.
    """
    reached, wave = set[int](), set(start)
    while wave:
        yield wave
        reached |= wave
        wave = {v for w in wave for v in near[w]} - reached


@dataclass(frozen=True, slots=True)
class Drawn:
    """A model as drawn: a node for each world, or for several.

    `whole`: the model. `worlds`: the names of the nodes. `atoms`: those of the model, in natural order.
    `designated`: numbers of nodes. `ties`: the relations, `graph` those of the agents shown. `weights`: those
    of the nodes, for agents with unequal weights or weights of 0.
    `stands`: for each node, the worlds it represents; None if every world is a node. `beyond`: for a node the
    agents who consider worlds possible that are not drawn, with the number of these. `remark`: a sentence
    about worlds that are not drawn. `ranks`: for each agent with an order the layers of the nodes.
    """

    whole: KripkeModel
    worlds: tuple[Hashable, ...]
    atoms: tuple[str, ...]
    designated: frozenset[int]
    ties: tuple[Ties, ...]
    graph: Graph
    weights: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    stands: Sequence[Sequence[int]] | None = None
    beyond: Mapping[int, Sequence[tuple[str, int]]] = field(default_factory=dict)
    remark: str = ""
    ranks: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """The number of nodes."""
        return len(self.worlds)

    @property
    def lots(self) -> list[list[int]]:
        """The numbers of the worlds that each node represents."""
        if self.stands is None:
            return [[node] for node in range(self.size)]
        return [list(worlds) for worlds in self.stands]

    def marks(self, true: Collection[int]) -> str:
        """Return for each node whether all its worlds are in a set ("1"), none ("0"), or some ("m")."""
        found = []
        for lot in self.lots:
            inside = [world in true for world in lot]
            if all(inside):
                found.append("1")
            else:
                found.append("m" if any(inside) else "0")
        return "".join(found)

    def where_true(self, count: int, verdict: Verdict) -> str:
        """Return in words at how many worlds a formula is true, and the answer that `ask` gives."""
        model = self.whole
        where = f"True at {count:,} of {counted(len(model), 'world')}."
        if not len(model) or (model.designates_all and verdict == "mixed"):
            return where
        return f"{where} Answer: {verdict.in_words()}."

    def grouped(self) -> Drawn | None:
        """Return the model with groups instead of arrows; None if no group has several nodes."""
        shown = {ties.agent for ties in self.graph.ties}
        graph = replace(self.graph, ties=tuple(t for t in self.ties if t.agent in shown))
        if all(len(cell) == 1 for ties in graph.ties for cell in ties.groups):
            return None
        return replace(self, graph=graph)

    def true_at(self, node: int) -> list[str]:
        """Return the atoms that are true at a node."""
        return [atom for k, atom in enumerate(self.atoms) if self.graph.bits[node] >> k & 1]

    def bisimilar(self) -> list[int]:
        """Return for each node the number of its class of bisimilar nodes, by first node."""

        block, before = numbered(self.graph.bits), list[int]()

        def view(ties: Ties) -> list[frozenset[int]]:
            return [frozenset(before[node] for node in seen) for seen in ties.sees]

        while block != before:
            before = block
            block = numbered(zip(before, *map(view, self.ties), strict=True))
        return block


# --- models and action models ----------------------------------------------------------------------


def shown_agents(model: KripkeModel, agents: Iterable[Any] | None) -> tuple[str, ...]:
    """Return the names of the agents to draw, in the order of the model; raises `UnknownAgentError`.

    By default at most as many as there are different pens.
    """
    if agents is None:
        blind = ignorant(model)
        return tuple(agent for agent in model.agents if agent not in blind)[:PENS]
    asked = sorted(map(agent_name, as_list(agents)))
    wanted = {model._agent(agent) for agent in asked}
    return tuple(agent for agent in model.agents if agent in wanted)


def as_list(names: str | Iterable[Any]) -> list[Any]:
    """Return several names, or one, as a list."""
    return [names] if isinstance(names, str) else list(names)


def ignorant(model: KripkeModel) -> tuple[str, ...]:
    """Return the agents who cannot tell any worlds apart, nor order them: their lines would hide the others'.

    In models with few worlds they are drawn as well.
    """
    if len(model) < _MANY:
        return ()
    found = (a for a in model.agents if len(model.relation(a)) == len(model) ** 2)
    return tuple(agent for agent in found if agent not in model.ranks)


_MANY = 7  # from this many worlds on, agents who know nothing are named, not drawn


def read_action(action: ActionModel, agents: Iterable[str]) -> Graph:
    """Return the relations between the events; raises `UnknownAgentError`."""
    ties = (Ties.of(agent, tuple(tuple(members(seen)) for seen in action._sight(agent))) for agent in agents)
    points = frozenset(k for k, event in enumerate(action.events) if event in action.designated)
    return Graph(tuple(ties), (0,) * len(action.events), points).plain()


@dataclass(frozen=True)
class Reader:
    """Reads a model to show some agents."""

    model: KripkeModel
    agents: Sequence[str]

    def drawn(self, limit: int) -> Drawn:
        """Return the model as drawn, with at most `limit` nodes.

        In order of preference: all worlds; one for each class of bisimilar worlds (the contraction); one for
        each set of worlds that no agent can tell apart; the worlds closest to the designated ones, or to one
        of them if they are many; only the numbers.
        """
        if len(self.model) <= limit:
            return self.nodes([(w,) for w in range(len(self.model))])
        return self.contracted(limit) or self.by_classes(limit) or self.closest(limit) or self.numbers()

    def around(self, limit: int) -> Drawn | None:
        """Return the designated worlds and those closest to them; None if there are too many of them."""
        if len(self.model.designated) > limit // _SHARE:
            return None
        return self.closest(limit)

    @cached_property
    def cells(self) -> dict[str, _Cells]:
        """The agents' relations."""
        return {agent: _Cells(*self.model.space.cells(agent)) for agent in self.model.agents}

    @property
    def shown(self) -> dict[str, _Cells]:
        """The relations to show."""
        return {agent: self.cells[agent] for agent in self.agents}

    def nodes(self, lots: Sequence[Sequence[int]]) -> Drawn:
        """Return a node for each set of worlds, with the position and the name of its first world."""
        model, first = self.model, [lot[0] for lot in lots]
        atoms = natural_order(model.atoms)
        space = model.space
        rows = [space.fact(atom) for atom in atoms]

        def true_at(lot: Sequence[int]) -> int:
            return sum(1 << k for k, row in enumerate(rows) if all(space.has(row, w) for w in lot))

        bits = list(map(true_at, lots))
        ties = tuple(Ties.of(agent, cells.among(first)) for agent, cells in self.cells.items())
        pointed = set(Numbered(model).points)
        designated = frozenset(node for node, lot in enumerate(lots) if not pointed.isdisjoint(lot))
        weights = {}
        for agent in (a for a in model.agents if a in space.weights):
            each = space.listed_weights(agent)
            found = tuple(sum(each[w] for w in lot) for lot in lots)
            if 0 in found or len(set(found)) > 1:
                weights[agent] = found
        layered = space.layered() if space.is_ordered else space
        listed = {a: layered.listed_ranks(a) for a in self.agents if layered.ranks(a)}
        ranks = {agent: tuple(each[w] for w in first) for agent, each in listed.items() if any(each)}
        graph = Graph.of((t for t in ties if t.agent in self.agents), bits, designated)
        if len(ranks) == 1:
            graph = replace(graph, layers=next(iter(ranks.values())))
        return Drawn(
            whole=model,
            worlds=tuple(model.worlds[w] for w in first),
            atoms=atoms,
            designated=designated,
            ties=ties,
            graph=graph,
            weights=weights,
            ranks=ranks,
        )

    def instead(self, drawn: Drawn, lots: Sequence[Sequence[int]], how: str) -> Drawn:
        """Return fewer nodes, each of which represents a set of worlds."""
        remark = f"Of {len(self.model):,} worlds {drawn.size:,} are drawn: {how}."
        return replace(drawn, whole=self.model, stands=lots, remark=remark)

    def contracted(self, limit: int) -> Drawn | None:
        """Return one node for each class of bisimilar worlds."""
        small = self.model.contract()
        if len(small) > limit:
            return None
        drawn = replace(self, model=small).nodes([(w,) for w in range(len(small))])
        lots = [(self.model.worlds.index(world),) for world in small.worlds]
        return self.instead(drawn, lots, "the bisimulation contraction")

    def by_classes(self, limit: int) -> Drawn | None:
        """Return one node for each set of worlds that no agent can tell apart, if all are S5."""
        if not all(cells.equivalence for cells in self.shown.values()):
            return None
        labels = [cells.labels for cells in self.shown.values()]
        worlds = range(len(self.model))
        lots = list(grouped((tuple(label[w] for label in labels), w) for w in worlds).values())
        if len(lots) > limit:
            return None
        drawn = self.nodes(lots)
        named = zip(world_texts(drawn.worlds), lots, strict=True)
        names = [name if len(lot) == 1 else f"{name} +{len(lot) - 1}" for name, lot in named]
        if len(set(names)) < len(names):
            names = [f"{name} #{node}" for node, name in enumerate(names)]
        # the other agents may tell worlds of one node apart
        own = replace(drawn, worlds=tuple(names), ties=drawn.graph.ties)
        how = "a node (w +k) for all worlds that none of the agents drawn can tell apart"
        return self.instead(own, lots, how)

    def closest(self, limit: int) -> Drawn | None:
        """Return a node for each of the worlds closest to the designated ones, or to one of them."""
        designated = Numbered(self.model).points
        if not self.agents or not designated:
            return None
        if len(designated) <= limit // _SHARE:
            one = "one" if len(designated) == 1 else "ones"
            near, named = self._around(designated, limit), f"the designated {one}"
        else:  # of some spread evenly the one with most around it
            some = [designated[k * (len(designated) - 1) // (_TRIED - 1)] for k in range(_TRIED)]
            found = {world: self._around([world], limit) for world in some}
            chosen = max(found, key=lambda world: len(found[world]))
            near, named, designated = found[chosen], world_label(self.model.worlds[chosen]), [chosen]
        if len(near) == len(designated):
            return None
        order = sorted(near)
        lots = [(world,) for world in order]
        drawn = replace(self.nodes(lots), beyond=self._beyond(order))
        return self.instead(drawn, lots, f"the worlds closest to {named}")

    def _beyond(self, worlds: Sequence[int]) -> dict[int, list[tuple[str, int]]]:
        """Return for each world, by position, how many others each agent considers possible."""
        found = list[tuple[int, tuple[str, int]]]()
        for agent, cells in self.shown.items():
            for node, (world, inside) in enumerate(zip(worlds, cells.among(worlds), strict=True)):
                seen = sum(len(cells.members[cell]) for cell in cells.seen[cells.labels[world]])
                if seen > len(inside):
                    found.append((node, (agent, seen - len(inside))))
        return grouped(found)

    def _around(self, worlds: Iterable[int], limit: int) -> set[int]:
        """Return some worlds and those at most n steps away, for the largest n within the limit."""
        near = set(worlds)
        while True:
            further = near.union(*(cells.beside(near) for cells in self.shown.values()))
            if len(further) > limit or len(further) == len(near):
                return near
            near = further

    def numbers(self) -> Drawn:
        """Return a drawing without nodes."""
        count = {a: sum(map(bool, cells.members)) for a, cells in self.shown.items() if cells.equivalence}
        known = [f"{a} has {number:,} classes" for a, number in count.items()]
        said = f"{len(self.model):,} worlds are too many to draw{': ' if known else ''}{', '.join(known)}."
        return replace(self.nodes([]), stands=(), remark=said)


_TRIED = 12
_SHARE = 4  # at most this part of the nodes may be designated worlds


class _Cells:
    """A relation of any size: the cell of each world, the worlds of each cell, and edges of cells."""

    def __init__(self, labels: list[int], seen: list[list[int]]) -> None:
        self.labels, self.seen = labels, seen
        members = grouped((cell, world) for world, cell in enumerate(labels))
        seeing = grouped((target, source) for source, targets in enumerate(seen) for target in targets)
        self.members = [members.get(cell, []) for cell in range(len(seen))]
        self.seeing = [seeing.get(cell, []) for cell in range(len(seen))]

    @property
    def equivalence(self) -> bool:
        """Whether it is an equivalence."""
        return all(seen == [cell] for cell, seen in enumerate(self.seen) if self.members[cell])

    def among(self, worlds: Sequence[int]) -> _Sees:
        """Return for each of these worlds, ascending, its successors among them, renumbered from 0."""
        members = grouped((self.labels[world], number) for number, world in enumerate(worlds))
        sees = {
            cell: tuple(sorted(number for other in self.seen[cell] for number in members.get(other, ())))
            for cell in members
        }
        return tuple(sees[self.labels[world]] for world in worlds)

    def beside(self, worlds: Iterable[int]) -> set[int]:
        """Return the predecessors and successors of these worlds."""
        cells = {self.labels[world] for world in worlds}
        touched = {other for cell in cells for other in (*self.seen[cell], *self.seeing[cell])}
        return {world for cell in touched for world in self.members[cell]}
