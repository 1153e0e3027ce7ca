"""The methods that all kinds of models share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, Self

from kripke_werewolf.language.formulas import Formula, FormulaLike
from kripke_werewolf.semantics.action import ActionModel
from kripke_werewolf.semantics.verdict import Verdict

if TYPE_CHECKING:
    from kripke_werewolf.semantics.space import Space


class Model(Protocol):
    """A pointed model: `KripkeModel`, which lists its worlds, or a `SymbolicStructure`, which does not.

    Worlds are named by whatever the model names them by: a symbolic structure by sets of true atoms.
    """

    @property
    def space(self) -> Space[Any]:
        """The worlds, relations and truth sets of the model."""
        ...

    @property
    def agents(self) -> tuple[str, ...]:
        """The names of the agents, in order."""
        ...

    @property
    def atoms(self) -> tuple[str, ...]:
        """The names of the atoms, in order."""
        ...

    @property
    def variables(self) -> Mapping[str, Mapping[str, Formula]]:
        """For each variable of `Kv` its values, with the formulas that say so."""
        ...

    @property
    def size(self) -> int:
        """The exact number of worlds."""
        ...

    def holds(
        self, f: FormulaLike, at: Any = None, *, actions: Mapping[str, ActionModel] | None = None
    ) -> bool:
        """Return whether a formula is true at a world, by default at all designated worlds."""
        ...

    def where(self, f: FormulaLike, *, actions: Mapping[str, ActionModel] | None = None) -> Iterable[Any]:
        """Return the worlds where a formula is true."""
        ...

    def valid(self, f: FormulaLike, *, actions: Mapping[str, ActionModel] | None = None) -> bool:
        """Return whether a formula is true at all worlds."""
        ...

    def verdict(self, f: FormulaLike, *, actions: Mapping[str, ActionModel] | None = None) -> Verdict:
        """Return whether a formula is true at all, at none or at some of the designated worlds."""
        ...

    def point(self, *worlds: Any) -> Self:
        """Return the same model with the given worlds designated."""
        ...

    def announce(self, f: FormulaLike) -> Self:
        """Return the model after the truthful public announcement of a formula."""
        ...

    def update(self, action: ActionModel, *, merge: bool = False) -> Self:
        """Return the model after an action; see `KripkeModel.update`."""
        ...

    def generated(self) -> Self:
        """Return the model of the worlds that the designated ones lead to."""
        ...
