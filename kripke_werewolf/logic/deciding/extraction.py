"""Models built from satisfiable types: a world for each type.

Partial types have arrows to their witnesses, closed as the frames of the logic require. Whole types have the
largest relations that respect their boxes, with which every set of types that contains its witnesses is a
model. That does not hold for distributed knowledge: on types, D_G has a relation of its own, contained in
those of the members of G, whose intersection may be larger.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from kripke_werewolf.logic.deciding.closure import Closure, Type
from kripke_werewolf.logic.semantics.bits import BitSpace, Rows

Witnessed: TypeAlias = Mapping[Type, Sequence[tuple[str, Type]]]
"""Partial types, with the formula true in the first, and the witnesses of each, with their agents."""


def model_of_types(closure: Closure, types: Sequence[Type] | Witnessed) -> BitSpace:
    """Return the model of types that contain all their witnesses; world 0 has the first type."""
    every, numbers = (1 << len(types)) - 1, {found: n for n, found in enumerate(types)}
    relations = {}
    for agent in closure.agents:
        sights = []
        for here in types:
            if isinstance(types, Mapping):
                seen = {witness for who, witness in types[here] if who == agent}
            else:
                seen = {there for there in types if closure.related((agent,), here, there)}
            sights.append(sum(1 << numbers[there] for there in seen))
        relations[agent] = Rows.of_sights(sights)
        if isinstance(types, Mapping):
            properties = {*closure.logic.of((agent,)).properties} - {"serial"}
            relations[agent] = relations[agent].closed(every, properties)
    valuation = {
        atom: sum((here.truth >> node & 1) << n for here, n in numbers.items())
        for node, atom in closure.atoms.items()
    }
    return BitSpace.numbered(every, relations, valuation)
