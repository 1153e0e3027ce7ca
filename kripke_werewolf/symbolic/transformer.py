"""Action models as transformers of symbolic structures.

New variables say which event happened; the law says where it can happen; agents observe what they
see of it (Van Benthem, van Eijck, Gattinger and Su 2018, section 3; Gattinger 2018, chapter 2).
A factual change replaces the function of an atom, so no copy of the old value is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from operator import and_, or_

import numpy as np

from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.models.relation import Partition
from kripke_werewolf.models.relation import Relation as ExplicitRelation
from kripke_werewolf.semantics.action import ActionModel
from kripke_werewolf.symbolic.bdd import BDDs, Diagram, Variables, members, variable_set
from kripke_werewolf.symbolic.conjunction import Conjunction, Part, balanced, part
from kripke_werewolf.symbolic.relation import Law, Relation
from kripke_werewolf.symbolic.space import Space
from kripke_werewolf.symbolic.weights import EventWeights

__all__ = ["Transition", "product"]


@dataclass(frozen=True, slots=True)
class Transition:
    """How the states of an updated space come from those before.

    `events`: the new variables. `happens`: which of their values an event has that can happen,
    with the variables before. `chosen`: the events among them that are designated.
    """

    bdds: BDDs
    events: Variables
    happens: tuple[Part, ...]
    chosen: Part

    @property
    def designates_all(self) -> bool:
        """Whether every event is designated."""
        return self.chosen.diagram == self.bdds.true

    def some(self, inside: Part) -> Part:
        """Return the old states at which some designated event can happen that leads inside."""
        return Conjunction(self.bdds, (*self.happens, self.chosen, inside)).eliminate(self.events).whole()

    def every(self, inside: Part) -> Part:
        """Return the old states at which every designated event that can happen leads inside."""
        outside = self.some(Part(~inside.diagram, inside.support))
        return Part(~outside.diagram, outside.support)


def product(
    space: Space, action: ActionModel, true: Mapping[Formula, Part], *, named: bool = True
) -> tuple[Space, Transition]:
    """Return the update of a space with an action model, given the truth sets of its formulas.

    The event is coded in binary in new variables, which those agents observe who tell all events
    apart. An agent with another equivalence over the events observes the binary code of its class;
    an agent with any other relation gets a link between codes. The new variables lie
    below the lowest one that a precondition depends on. `named=False` leaves them without names, for
    a space whose states nobody will see.
    """
    bdds = space.bdds
    events = list(action.events.values())
    action.check_agents(space.relations)
    relations = {agent: action.relation(agent) for agent in space.agents}
    width = (len(events) - 1).bit_length()
    # each different nontrivial equivalence, by its labels
    classes: dict[bytes, np.ndarray] = {}
    for relation in relations.values():
        if isinstance(relation, Partition) and 1 < relation.cells < len(events):
            classes[relation.labels.tobytes()] = relation.labels
    widths = {key: int(labels.max()).bit_length() for key, labels in classes.items()}
    lowest = _lowest(bdds, [true[e.pre] for e in events])
    new = list(bdds.declare(width + sum(widths.values()), below=lowest))
    code = new[:width]
    codes = [_code(bdds, code, i) for i in range(len(events))]
    everything = variable_set(code)

    def where(wanted: Iterable[int]) -> Diagram:
        return balanced(bdds, or_, (codes[i] for i in wanted), bdds.false)

    happens = Conjunction(bdds)
    if len(events) < 1 << width:
        happens = happens.also(part(bdds, where(range(len(events))), everything))
    for event, at in zip(events, codes, strict=True):
        pre = true[event.pre]
        happens = happens.also(part(bdds, ~at | pre.diagram, pre.support | everything))
    sees: dict[bytes, Variables] = {}
    start = width
    for key, labels in classes.items():
        label = new[start : start + widths[key]]
        start += len(label)
        sees[key] = variable_set(label)
        for place, v in enumerate(label):
            true_at = where([i for i, cell in enumerate(labels.tolist()) if cell >> place & 1])
            same = ~(bdds.variable(v) ^ true_at)
            happens = happens.also(part(bdds, same, everything | 1 << v))

    def updated(agent: str, old: Relation) -> Relation:
        relation = relations[agent]
        if not isinstance(relation, Partition):
            edges = [
                at & bdds.copied(where(js), everything) for at, js in zip(codes, _seen(relation), strict=True)
            ]
            link = balanced(bdds, or_, edges, bdds.false)
            return old.also(0, Part(link, everything | everything << 1))
        if relation.cells == 1:
            return old
        return old.also(everything if relation.cells == len(events) else sees[relation.labels.tobytes()])

    law = Law(space.law.all.also(*happens.parts), space.law.scope | variable_set(new))
    changed = {atom: None for event in events for atom in event.post}
    valuation = dict(space.valuation)
    for atom in changed:
        old = space.valuation[atom]
        values = [true[e.post[atom]] if atom in e.post else old for e in events]
        diagram = balanced(
            bdds,
            or_,
            (at & value.diagram for at, value in zip(codes, values, strict=True)),
            bdds.false,
        )
        support = everything
        for value in values:
            support |= value.support
        valuation[atom] = part(bdds, diagram, support)
    designated = set(action.designated)
    chosen = where([i for i, name in enumerate(action.events) if name in designated])
    if len(designated) == len(events):
        chosen = bdds.true
    weighting = EventWeights(
        tuple(Part(f, everything) for f in codes),
        tuple(true[e.pre] for e in events),
        tuple(e.weight for e in events),
        {agent: _seen(relation) for agent, relation in relations.items()},
    )
    after = replace(
        space,
        vocabulary=_extended(space, action.name, changed, new) if named else space.vocabulary,
        valuation=valuation,
        law=law,
        relations={agent: updated(agent, old) for agent, old in space.relations.items()},
        weightings=(*space.weightings, weighting) if len(events) > 1 else space.weightings,
    )
    return after, Transition(bdds, variable_set(new), happens.parts, part(bdds, chosen, everything))


def _seen(relation: ExplicitRelation) -> list[list[int]]:
    """Return for each event the numbers of those that the agent considers possible when it happens."""
    seen: list[list[int]] = [[] for _ in range(len(relation))]
    for i, j in relation.pairs():
        seen[i].append(j)
    return seen


def _code(bdds: BDDs, code: list[int], number: int) -> Diagram:
    literals = (
        bdds.variable(v) if number >> place & 1 else ~bdds.variable(v) for place, v in enumerate(code)
    )
    return balanced(bdds, and_, literals, bdds.true)


def _lowest(bdds: BDDs, parts: list[Part]) -> int | None:
    support = 0
    for p in parts:
        support |= p.support
    return max(members(support), key=bdds.level, default=None)


def _extended(space: Space, action: str, changed: Mapping[str, object], new: list[int]) -> dict[str, int]:
    """Return the vocabulary with names for new variables, and others for those of changed atoms."""
    taken = {*space.vocabulary, *space.valuation}
    hidden = max(0, len(space.vocabulary) - len(space.valuation))

    def fresh(stem: str, number: int) -> str:
        while (name := f"{stem}#{number}") in taken:
            number += 1
        taken.add(name)
        return name

    names = {fresh(name, 1) if name in changed else name: v for name, v in space.vocabulary.items()}
    return names | {fresh(action, hidden + i): v for i, v in enumerate(new, 1)}
