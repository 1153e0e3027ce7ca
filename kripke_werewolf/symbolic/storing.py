"""Decision diagrams as plain data, so that structures can be pickled: the nodes of the diagrams, in order.

Structures that are pickled together share their manager afterwards as they did before.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Sequence
from typing import Any, TypeAlias

from kripke_werewolf.grouping import all_after
from kripke_werewolf.symbolic.bdd import Diagram, Oxidd

Nodes: TypeAlias = Sequence[tuple[int, int, int]]
"""For each node, its variable, and the places of its two branches; places 0 and 1 are true and false."""


def stored(bdds: Oxidd, value: object) -> tuple[Oxidd, bytes, Nodes, list[int]]:
    """Return a value with diagrams of a manager among its parts, in the form that `restored` reads."""
    file, roots = io.BytesIO(), dict[Diagram, int]()

    class Pickler(pickle.Pickler):
        def persistent_id(self, part: Any) -> int | None:
            if isinstance(part, type(bdds.true)):
                return roots.setdefault(part, len(roots))
            return -1 if part is bdds else None

    Pickler(file, pickle.HIGHEST_PROTOCOL).dump(value)
    every = all_after(roots, lambda f: (bdds.branch(f) or ())[1:])
    branches = {f: branch for f in every if (branch := bdds.branch(f))}
    below = sorted(branches, key=bdds.top, reverse=True)  # branches before the nodes that have them
    places = {f: place for place, f in enumerate((bdds.true, bdds.false, *below))}
    nodes = [(v, places[high], places[low]) for v, high, low in map(branches.__getitem__, below)]
    return bdds, file.getvalue(), nodes, [places[f] for f in roots]


def restored(bdds: Oxidd, data: bytes, nodes: Nodes, roots: Sequence[int]) -> Any:
    """Return the value that was stored, with its diagrams in a manager."""
    built = [bdds.true, bdds.false]
    for variable, high, low in nodes:
        built.append(bdds.attempt(bdds.choose, bdds.variable(variable), built[high], built[low]))
    parts = [*(built[place] for place in roots), bdds]

    class Unpickler(pickle.Unpickler):
        def persistent_load(self, number: int) -> Any:
            return parts[number]

    return Unpickler(io.BytesIO(data)).load()
