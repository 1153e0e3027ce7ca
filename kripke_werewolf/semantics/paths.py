"""Shortest paths along the relations of several agents."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from kripke_werewolf.models.relation import Mask, Relation

__all__ = ["layers_until", "only", "steps_back"]


def only(size: int, world: int) -> Mask:
    """Return the set of one world, as a mask."""
    mask = np.zeros(size, bool)
    mask[world] = True
    return mask


def layers_until(relations: Collection[Relation], start: int, goal: Mask) -> list[Mask]:
    """Return the worlds that 0, 1, 2, … steps lead to first, up to a layer that meets the goal.

    At least one step is made. The goal must be reachable.
    """
    layers = [only(len(goal), start)]
    seen = np.zeros(len(goal), bool)
    while len(layers) == 1 or not (layers[-1] & goal).any():
        new = np.zeros(len(goal), bool)
        for relation in relations:
            cells = np.zeros(relation.cells, bool)
            cells[relation.labels[layers[-1]]] = True
            entered = np.zeros(relation.cells, bool)
            entered[relation.targets[cells[relation.sources]]] = True
            new |= entered[relation.labels]
        layers.append(new & ~seen)
        seen |= new
    return layers


def steps_back(relations: Mapping[str, Relation], layers: list[Mask], end: int) -> list[tuple[int, str, int]]:
    """Return the steps (world, agent, world) of a path through the layers to a world of the last."""
    steps = []
    for layer in reversed(layers[:-1]):
        for agent, relation in relations.items():
            cells = np.zeros(relation.cells, bool)
            cells[relation.sources[relation.targets == relation.labels[end]]] = True
            before = np.flatnonzero(cells[relation.labels] & layer)
            if len(before):
                steps.append((int(before[0]), agent, end))
                end = int(before[0])
                break
    return steps[::-1]
