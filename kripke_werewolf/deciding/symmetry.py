"""Atoms that may be exchanged for their negations without changing the formula.

The map that exchanges p with ~p everywhere in a formula is a symmetry if it maps each of its nodes to a node,
and the formula to itself. Then the image of a type is satisfiable iff the type is: one of several types that
differ by symmetries is enough. The formulas of Halpern and Moses ("A guide to completeness and complexity for
modal logics of knowledge and belief", 1992) that force a tree with 2^n leaves have n such symmetries, one for
each bit, which reduce 2^(n + 1) - 1 types to n + 1. An atom that the formula makes equal to a bit is
exchanged together with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from heapq import heapify, heappop, heappush

from kripke_werewolf.deciding.closure import BoxLiteral, Closure, Type
from kripke_werewolf.grouping import grouped
from kripke_werewolf.semantics.bits import members


class _Flip:
    """A symmetry: an atom, all `atoms` exchanged, as bits, and the images of nodes moved, as literals."""

    def __init__(self, atom: int, atoms: Iterable[int], images: Mapping[int, int]) -> None:
        self.atom, self.images = atom, images
        self.atoms = sum(1 << number for number in atoms)
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
    """The symmetries of a formula that were found; a combination of them is a set of bits.

    No two of them exchange the same atom.
    """

    def __init__(self, closure: Closure) -> None:
        graph = _Graph(closure)
        self.flips: list[_Flip] = []
        exchanged = 0
        for atom in closure.atoms:
            if not exchanged >> atom & 1:
                flip = graph.flip(atom)
                if flip is not None and not flip.atoms & exchanged:
                    self.flips.append(flip)
                    exchanged |= flip.atoms

    def to_false(self, found: Type) -> int:
        """Return the combination that maps a type to one where the exchanged atoms are false."""
        return sum(1 << n for n, flip in enumerate(self.flips) if found.truth >> flip.atom & 1)

    def of_nodes(self, turn: int, true: int, false: int) -> tuple[int, int]:
        """Return the image of requirements, as bits."""
        for n in members(turn):
            true, false = self.flips[n].of(true, false)
        return true, false

    def of_type(self, turn: int, found: Type) -> Type:
        """Return the image of a partial type."""
        true, false = self.of_nodes(turn, found.truth, found.known ^ found.truth)
        return Type(true, 0, true | false)

    def flipped(self, turn: int) -> int:
        """Return the atoms that a combination exchanges, as bits."""
        return sum(self.flips[n].atoms for n in members(turn))


class _Graph:
    """The nodes of a closure by their content, and the nodes that mention each."""

    def __init__(self, closure: Closure) -> None:
        self.closure = closure
        parts = {number: frozenset(parts) for number, parts in closure.conjunctions.items()}
        self.numbers: dict[object, int] = {said: n for n, said in (*closure.boxes.items(), *parts.items())}
        self.alike = grouped((frozenset(map(abs, said)), said) for said in parts.values())
        """Conjunctions with the same parts up to negation."""
        targets = [(abs(box.target), number) for number, box in closure.boxes.items()]
        self.parents = grouped([*((abs(part), n) for n, said in parts.items() for part in said), *targets])

    def flip(self, atom: int) -> _Flip | None:
        """Return a symmetry that exchanges an atom, and no more atoms than it must."""
        atoms = {atom}
        while True:
            images, missing = self._images(atoms)
            if missing is None:
                root = _image(images, self.closure.root) == self.closure.root
                return _Flip(atom, atoms, images) if root else None
            others = self.alike.get(frozenset(map(abs, missing)), ())
            differences = [{abs(part) for part in said - missing} for said in others]
            possible = [d for d in differences if d <= self.closure.atoms.keys() - atoms]
            if not possible:
                return None
            atoms |= min(possible, key=lambda d: (len(d), sorted(d)))

    def _images(self, atoms: Iterable[int]) -> tuple[dict[int, int], frozenset[int] | None]:
        """Return the images of the nodes, and the parts of a conjunction that would have to exist, if any."""
        images, reached = {atom: -atom for atom in atoms}, set(atoms)
        ahead = [parent for atom in atoms for parent in self.parents.get(atom, ())]
        heapify(ahead)
        while ahead:  # children come before parents
            number = heappop(ahead)
            if number in reached:
                continue
            reached.add(number)
            parts = frozenset[int]()
            if number in self.closure.boxes:
                group, target = self.closure.boxes[number]
                image = self.numbers.get(BoxLiteral(group, _image(images, target)))
            else:
                parts = frozenset([_image(images, part) for part in self.closure.conjunctions[number]])
                image = self.numbers.get(parts)
            if image is None:
                return images, parts
            if image != number:
                images[number] = image
                for parent in self.parents.get(number, ()):
                    heappush(ahead, parent)
        return images, None


def _image(images: Mapping[int, int], literal: int) -> int:
    image = images.get(abs(literal), abs(literal))
    return image if literal > 0 else -image
