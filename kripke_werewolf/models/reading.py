"""Reading the parts of a model as a user gives them: by the names of worlds."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from kripke_werewolf.errors import FormulaError, ModelError, UnknownNameError, UnknownWorldError
from kripke_werewolf.language.formulas import Formula, FormulaLike, agent_name, formula
from kripke_werewolf.models.relation import General, Mask, Partition, Relation
from kripke_werewolf.models.valuation import Valuation
from kripke_werewolf.models.worlds import WorldNames

if TYPE_CHECKING:
    from kripke_werewolf.models.model import KripkeModel

__all__ = [
    "check_exclusive",
    "read_agents",
    "read_classes",
    "read_designated",
    "read_pairs",
    "read_valuation",
    "read_variables",
]

T = TypeVar("T")


def read_agents(given: Mapping[Any, T]) -> dict[str, T]:
    """Read a mapping from agents, given by names or numbers."""
    found: dict[str, T] = {}
    for agent, value in given.items():
        if (name := agent_name(agent)) in found:
            raise ModelError(f"agent {name!r} is given twice (a number and its text name the same agent)")
        found[name] = value
    return found


def read_valuation(given: Mapping[str, Iterable[Hashable]], names: WorldNames) -> Valuation:
    """Read a valuation given as {atom: the worlds where it is true}."""
    rows: dict[str, Mask] = {}
    for atom, true in given.items():
        if not isinstance(atom, str) or not atom:
            raise ModelError(f"an atom needs a nonempty name, got {atom!r}")
        if isinstance(true, str) or not isinstance(true, Iterable):
            raise ModelError(f"the worlds where {atom!r} is true must be a collection, got {true!r}")
        row = np.zeros(len(names), bool)
        row[[names.index(w) for w in true]] = True
        rows[atom] = row
    return Valuation(len(names), rows)


def read_observations(agent: object, observe: Callable[[Any], Hashable], names: WorldNames) -> Partition:
    """Read an equivalence relation given by what an agent observes at a world."""
    numbers: dict[Hashable, int] = {}
    labels = np.empty(len(names), np.int32)
    for i, world in enumerate(names):
        seen = observe(world)
        try:
            labels[i] = numbers.setdefault(seen, len(numbers))
        except TypeError:
            raise ModelError(
                f"agent {agent!r} observes {seen!r} at {world!r}, which cannot be compared by hash; "
                "let it be a text, a number or a tuple"
            ) from None
    return Partition(labels, len(numbers))


def read_pairs(agent: object, pairs: Iterable[tuple[Hashable, Hashable]], names: WorldNames) -> Relation:
    """Read a relation given as pairs of worlds."""
    if not isinstance(pairs, Iterable) or isinstance(pairs, str):
        raise ModelError(f"the relation of agent {agent!r} must be a collection of pairs, got {pairs!r}")
    numbers: list[tuple[int, int]] = []
    for pair in pairs:
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise ModelError(f"the relation of agent {agent!r} must consist of pairs of worlds, got {pair!r}")
        numbers.append((_world(pair[0], names, agent), _world(pair[1], names, agent)))
    return General.from_pairs(len(names), numbers)


def read_classes(agent: object, classes: Iterable[Iterable[Hashable]], names: WorldNames) -> Partition:
    """Read an equivalence relation given by its classes."""
    if not isinstance(classes, Iterable) or isinstance(classes, str):
        raise ModelError(f"the classes of agent {agent!r} must be a collection, got {classes!r}")
    labels = np.full(len(names), -1, np.int32)
    count = 0
    for count, cell in enumerate(classes, 1):
        if not isinstance(cell, Iterable):
            raise ModelError(f"a class of agent {agent!r} must be a collection of worlds, got {cell!r}")
        for world in cell:
            number = _world(world, names, agent)
            if labels[number] >= 0:
                raise ModelError(
                    f"world {world!r} is in more than one class of agent {agent!r}, or twice in one"
                )
            labels[number] = count - 1
    missing = np.flatnonzero(labels < 0)
    if len(missing):
        raise ModelError(
            f"world {names[int(missing[0])]!r} is in no class of agent {agent!r}; every world must be in one"
        )
    return Partition(labels, count)


def _world(name: Hashable, names: WorldNames, agent: object) -> int:
    found = names.find(name)
    if found is None:
        raise UnknownWorldError(name, names, place=f"the relation of agent {agent!r}")
    return found


def read_designated(given: Any, names: WorldNames) -> npt.NDArray[np.int64] | None:
    """Read designated worlds: None for all, one world, or several; ascending indices."""
    if given is None:
        return None
    single = names.find(given)
    wanted = [single] if single is not None else [names.index(w) for w in _each(given)]
    if not wanted:
        raise ModelError("at least one world must be designated")
    return np.unique(np.array(wanted, np.int64))


def _each(given: Any) -> Iterator[Any]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        return iter((given,))  # a world's name that is not found: reported as such
    return chain(given)


def read_variables(
    given: Mapping[str, Mapping[str, FormulaLike]] | None,
) -> dict[str, dict[str, Formula]]:
    """Read the variables of `Kv`: for each its values and the formulas that say so."""
    found = {}
    for name, values in (given or {}).items():
        if not isinstance(values, Mapping):
            raise FormulaError(f"variable {name!r} must be given as {{value: formula}}, got {values!r}")
        if not values:
            raise FormulaError(f"variable {name!r} needs at least one value")
        found[name] = {str(value): formula(f) for value, f in values.items()}
    return found


def check_exclusive(model: KripkeModel) -> None:
    """Raise `ModelError` if a variable of the model has two values at some world."""
    for name, values in model.variables.items():
        held = np.zeros(len(model), np.int32)
        try:
            for f in values.values():
                held += model.truth_set(f)
        except UnknownNameError:  # reported when somebody asks about the variable
            continue
        twice = np.flatnonzero(held > 1)
        if len(twice):
            place = model.names[int(twice[0])]
            raise ModelError(f"variable {name!r} has two values at world {place!r}; they must be exclusive")
