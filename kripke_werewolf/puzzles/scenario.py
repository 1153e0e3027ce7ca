"""Starts of puzzles without a list of worlds: the worlds satisfy a law, or are numbers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from kripke_werewolf.errors import ModelError
from kripke_werewolf.language import Formula
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.semantics.bits import arrays_are_there
from kripke_werewolf.usage import Explaining

if TYPE_CHECKING:
    from kripke_werewolf.symbolic import KnowledgeStructure, Oxidd

_FEW = 64  # worlds up to which a model is built from a list, beyond that from arrays if available
_GLANCE = 12  # with more atoms a notebook shows a puzzle without its model
_MOST = 2**21  # states examined before a law removes them


@dataclass(frozen=True)
class Scenario(Explaining):
    """The start of a puzzle whose worlds are all the sets of atoms that satisfy a law.

    `atoms`: in the order of the decision diagrams, related ones close together. `sees`: the atoms observed by
    each agent. `actual`: the atoms that are true at the actual world. `name`: a function from the binary
    number of the true atoms, the first atom being the highest digit, to the name of the world in the explicit
    model; by default the digits.

    >>> from kripke_werewolf.language import parse
    >>> hats = Scenario(["red_1", "red_2"], parse("red_1 | red_2"), {1: ["red_2"], 2: ["red_1"]},
    ...                 ["red_1", "red_2"])
    >>> list(hats.model().worlds), hats.structure().size
    (['01', '10', '11'], 3)
    """

    atoms: Sequence[str]
    law: Formula
    sees: Mapping[Any, Collection[str]]
    actual: Collection[str]
    name: Callable[[int], Hashable] | None = None

    @property
    def is_large(self) -> bool:
        """Whether the model may be too large to build it only for display."""
        return len(self.atoms) > _GLANCE

    def model(self) -> KripkeModel:
        """Return the explicit model; raises `ModelError` if it would have too many worlds."""
        value = _place_values(self.atoms)

        def number(true: Iterable[str]) -> int:
            return sum(value[atom] for atom in true)

        return numbered_model(
            obeying(self.atoms, [self.law]),
            {atom: partial(_masked, place) for atom, place in value.items()},
            {agent: partial(_masked, number(seen)) for agent, seen in self.sees.items()},
            self.name or f"{{:0{len(self.atoms)}b}}".format,
            number(self.actual),
        )

    def structure(self, *, bdds: Oxidd | None = None) -> KnowledgeStructure:
        """Return the knowledge structure; `bdds` manages its diagrams and can set another memory limit."""
        from kripke_werewolf.symbolic import KnowledgeStructure

        return KnowledgeStructure(self.atoms, self.law, self.sees, [self.actual], bdds=bdds)


def obeying(atoms: Sequence[str], laws: Sequence[Formula]) -> Sequence[int]:
    """Return the sets of atoms that satisfy laws, as ascending binary numbers with a digit for each atom.

    The sets grow atom by atom; a law removes some as soon as all its atoms are included. Raises `ModelError`
    if none or too many are left.

    >>> from kripke_werewolf.language import parse
    >>> found = obeying(["p", "q", "r"], [parse("p <-> q"), parse("q | r")])
    >>> [format(number, "03b") for number in found]
    ['001', '110', '111']
    """
    found: Sequence[int] = [0]
    left = list(laws)
    for count, atom in enumerate(atoms, 1):
        if 2 * len(found) > _MOST:
            raise ModelError(
                f"more than {_MOST:,} states to look at; put laws about few atoms first, and atoms that a law"
                " relates next to each other"
            )
        found = [number << 1 | digit for number in found for digit in (0, 1)]
        known = atoms[:count]
        for law in [law for law in left if law.atoms <= set(known)]:
            left.remove(law)
            true = {a: partial(_masked, place) for a, place in _place_values(known).items()}
            found = numbered_model(found, true, {}, int).where(law)  # type: ignore[assignment]
        if not found:
            raise ModelError(f"the laws leave no world: no state of {atom!r} obeys them")
    return found


def runs(ranges: Iterable[range]) -> Sequence[int]:
    """Return the numbers of all the ranges, one after the other; an array if there are many."""
    given = list(ranges)
    if sum(map(len, given)) <= _FEW or not arrays_are_there():
        return list(chain.from_iterable(given))
    import numpy as np

    arrays = [np.arange(run.start, run.stop, run.step, dtype=np.int64) for run in given]
    return np.concatenate(arrays)  # type: ignore[return-value]


def numbered_model(
    numbers: Sequence[int],
    atoms: Mapping[str, Callable[[Any], Any]],
    observations: Mapping[Any, Callable[[Any], Any]],
    name: Callable[[int], Hashable],
    actual: int | None = None,
) -> KripkeModel:
    """Return the S5 model with one world for each number.

    `atoms` gives for each atom a function that is nonzero where it is true, `observations` for each agent a
    function to the nonnegative integer it sees, `name` the name of a world. The functions in `atoms` and
    `observations` must be arithmetical, since they are also called with an array of all numbers. `actual`:
    the number of the designated world; by default all are designated.

    >>> numbered_model(range(4), {"p": lambda k: k & 1}, {"a": lambda k: k >> 1}, str, 3).holds("M_a ~p")
    True
    """
    if len(numbers) <= _FEW or not arrays_are_there():
        number = {name(k): k for k in map(int, numbers)}
        return KripkeModel.from_observations(
            number,
            {agent: partial(_seen, see, number) for agent, see in observations.items()},
            lambda world: [atom for atom, true in atoms.items() if true(number[world])],
            None if actual is None else [name(actual)],
            atoms=atoms,
        )
    import numpy as np

    from kripke_werewolf.semantics.arrays import Valuation
    from kripke_werewolf.semantics.cells import Partition
    from kripke_werewolf.semantics.numbering import dense
    from kripke_werewolf.semantics.worlds import Computed

    try:
        table = np.asarray(numbers, np.int64)
    except OverflowError:
        table = np.asarray(numbers, object)
    relations = {}
    for agent, see in observations.items():
        seen = see(table)
        labels, cells = dense(seen, int(seen.max()) + 1)
        relations[str(agent)] = Partition(labels, len(cells))

    @cache
    def places() -> Mapping[Hashable, int]:
        return {name(k): place for place, k in enumerate(table.tolist())}

    def find(world: object) -> int | None:
        return places().get(world) if isinstance(world, Hashable) else None

    return KripkeModel.from_parts(
        Computed(len(table), lambda place: name(int(table[place])), find),
        relations,
        Valuation(len(table), {atom: partial(_truth, true, table) for atom, true in atoms.items()}),
        None if actual is None else table == actual,
    )


def _place_values(atoms: Sequence[str]) -> dict[str, int]:
    return {atom: 1 << place for atom, place in zip(atoms, reversed(range(len(atoms))), strict=True)}


def _masked(mask: int, numbers: Any) -> Any:
    return numbers & mask


def _seen(function: Callable[[Any], Any], number: Mapping[Hashable, int], world: Hashable) -> Hashable:
    seen: Hashable = function(number[world])
    return seen


def _truth(function: Callable[[Any], Any], table: Any) -> Any:
    return function(table).astype(bool)
