"""Atoms that may be exchanged for their negations without changing the formula.

The map that exchanges p with ~p everywhere in a formula is a symmetry if it maps each of its nodes to a node,
and the formula to itself. Then the image of a type is satisfiable iff the type is: one of several types that
differ by symmetries is enough. The formulas of Halpern and Moses ("A guide to completeness and complexity for
modal logics of knowledge and belief", 1992) that force a tree with 2^n leaves have n such symmetries, one for
each bit, which reduce 2^(n + 1) - 1 types to n + 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heapify, heappop, heappush

from kripke_werewolf.deciding.closure import Box, Closure, Type
from kripke_werewolf.semantics.bits import members


class Flip:
    """A symmetry: the atom exchanged, and the images, as literals, of the nodes moved."""

    __slots__ = ("atom", "images", "moved")

    def __init__(self, atom: int, images: Mapping[int, int]) -> None:
        self.atom, self.images = atom, images
        self.moved = sum(1 << number for number in images)

    def of(self, true: int, false: int) -> tuple[int, int]:
        """Return the images of true nodes and of false nodes, as bits."""
        there, absent = true & ~self.moved, false & ~self.moved
        for number in members((true | false) & self.moved):
            image = self.images[number]
            if (true >> number & 1) == (image > 0):
                there |= 1 << abs(image)
            else:
                absent |= 1 << abs(image)
        return there, absent


class Symmetries:
    """The symmetries of a formula that exchange one atom each; a combination of them is a set of bits."""

    __slots__ = ("flips",)

    def __init__(self, closure: Closure) -> None:
        numbers: dict[object, int] = {tuple(sorted(parts)): n for n, parts in closure.conjunctions.items()}
        numbers |= {box: n for n, box in closure.boxes.items()}
        parents: dict[int, list[int]] = {}
        for number, parts in closure.conjunctions.items():
            for part in parts:
                parents.setdefault(abs(part), []).append(number)
        for number, box in closure.boxes.items():
            parents.setdefault(abs(box.target), []).append(number)
        found = (_flip(closure, atom, numbers, parents) for atom in closure.atoms)
        self.flips = [flip for flip in found if flip is not None]

    def to_false(self, found: Type) -> int:
        """Return the combination that maps a type to one where the exchanged atoms are false."""
        return sum(1 << n for n, flip in enumerate(self.flips) if found.truth >> flip.atom & 1)

    def of_nodes(self, turn: int, true: int, false: int) -> tuple[int, int]:
        """Return the image of requirements, as bits."""
        for n in members(turn):
            true, false = self.flips[n].of(true, false)
        return true, false

    def of_type(self, turn: int, found: Type, size: int) -> Type:
        """Return the image of a type with `size` nodes."""
        every = (2 << size) - 2
        truth, _ = self.of_nodes(turn, found.truth, every & ~found.truth)
        targets, _ = self.of_nodes(turn, found.targets, 0)
        return Type(truth, targets)

    def flipped(self, turn: int) -> int:
        """Return the atoms that a combination exchanges, as bits."""
        return sum(1 << self.flips[n].atom for n in members(turn))


def _flip(
    closure: Closure, atom: int, numbers: Mapping[object, int], parents: Mapping[int, list[int]]
) -> Flip | None:
    images, ahead, reached = {atom: -atom}, list(parents.get(atom, ())), {atom}
    heapify(ahead)
    while ahead:  # children come before parents
        number = heappop(ahead)
        if number in reached:
            continue
        reached.add(number)
        if number in closure.boxes:
            group, target = closure.boxes[number]
            key: object = Box(group, _image(images, target))
        else:
            key = tuple(sorted(_image(images, part) for part in closure.conjunctions[number]))
        if key not in numbers:
            return None
        if numbers[key] != number:
            images[number] = numbers[key]
            for parent in parents.get(number, ()):
                heappush(ahead, parent)
    return Flip(atom, images) if _image(images, closure.root) == closure.root else None


def _image(images: Mapping[int, int], literal: int) -> int:
    image = images.get(abs(literal), abs(literal))
    return image if literal > 0 else -image
