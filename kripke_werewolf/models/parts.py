"""What a Kripke model consists of."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from kripke_werewolf.errors import UnknownAgentError, UnknownAtomError
from kripke_werewolf.language.formulas import Formula, agent_name
from kripke_werewolf.models.relation import Mask, Partition, Relation
from kripke_werewolf.models.valuation import Valuation
from kripke_werewolf.models.weights import Weights
from kripke_werewolf.models.worlds import Selected, WorldNames

if TYPE_CHECKING:
    from kripke_werewolf.models.frames import Loss

__all__ = ["Parts"]

_SLOTS = ("names", "relations", "valuation", "_designated", "weights", "variables", "_before")


class Parts:
    """The parts of a model, as arrays over the worlds 0..n-1; an immutable value.

    `names`: the names of the worlds. `relations`: for each agent its accessibility relation.
    `valuation`: for each atom its truth set. `weights`: for agents that do not count all worlds the
    same. `variables`: for each variable its values, with the formulas that say so.
    """

    __slots__ = ("_before", "_designated", "names", "relations", "valuation", "variables", "weights")
    _before: Mapping[str, Relation]
    _designated: npt.NDArray[np.integer] | None
    names: WorldNames
    relations: Mapping[str, Relation]
    valuation: Valuation
    weights: Mapping[str, Weights]
    variables: Mapping[str, Mapping[str, Formula]]

    @classmethod
    def from_parts(
        cls,
        names: WorldNames,
        relations: Mapping[str, Relation],
        valuation: Valuation,
        designated: npt.NDArray[np.integer] | None = None,
        *,
        weights: Mapping[str, Weights] | None = None,
        variables: Mapping[str, Mapping[str, Formula]] | None = None,
        before: Mapping[str, Relation] | None = None,
    ) -> Self:
        """Return the model of ready arrays, without copying or checking; for builders of large models.

        `designated`: ascending indices of worlds, None for all. `before`: if the model results from
        an update, the relations before it, for `lost` to compare.
        """
        model = cls.__new__(cls)
        # an equivalence has lost nothing: no need to remember what it was
        old = {a: r for a, r in (before or {}).items() if not isinstance(relations[a], Partition)}
        given = dict(weights or {}), dict(variables or {})
        model._assign(names, dict(relations), valuation, designated, *given, old)
        return model

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), *(getattr(self, slot) for slot in _SLOTS))

    def _assign(self, *parts: Any) -> None:
        for slot, part in zip(_SLOTS, parts, strict=True):
            object.__setattr__(self, slot, part)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"models are immutable: cannot set {name!r}")

    def __len__(self) -> int:
        return len(self.names)

    @property
    def worlds(self) -> WorldNames:
        """The names of the worlds, in order."""
        return self.names

    @property
    def agents(self) -> tuple[str, ...]:
        """The names of the agents, in order."""
        return tuple(self.relations)

    @property
    def atoms(self) -> tuple[str, ...]:
        """The names of the atoms, in order."""
        return tuple(self.valuation)

    @property
    def designated(self) -> tuple[Hashable, ...]:
        """The names of the designated worlds, in order."""
        return self.names[:] if self._designated is None else Selected(self.names, self._designated)[:]

    @property
    def designated_indices(self) -> npt.NDArray[np.integer]:
        """The indices of the designated worlds, ascending."""
        return np.arange(len(self)) if self._designated is None else self._designated

    @property
    def designates_all(self) -> bool:
        """Whether all worlds are designated because none was chosen."""
        return self._designated is None

    def relation(self, agent: object) -> Relation:
        """Return an agent's accessibility relation; raises `UnknownAgentError`."""
        name = agent_name(agent)
        if name not in self.relations:
            raise UnknownAgentError(name, self.relations)
        return self.relations[name]

    def truth(self, atom: str) -> Mask:
        """Return the truth set of an atom, a boolean array; raises `UnknownAtomError`."""
        if atom not in self.valuation:
            raise UnknownAtomError(atom, self.valuation)
        return self.valuation[atom]

    def atoms_at(self, world: Hashable) -> tuple[str, ...]:
        """Return the atoms that are true at a world."""
        number = self.names.index(world)
        return tuple(a for a in self.valuation if self.valuation[a][number])

    def weight(self, agent: object) -> Weights:
        """Return an agent's weights of the worlds, integers; all 1 by default."""
        self.relation(agent)
        return self.weights.get(agent_name(agent), np.ones(len(self), np.int64))

    def _with(self, **parts: Any) -> Self:
        values = {
            "names": self.names,
            "relations": self.relations,
            "valuation": self.valuation,
            "designated": self._designated,
            "weights": self.weights,
            "variables": self.variables,
            "before": self._before,
        } | parts
        return self.from_parts(**values)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Parts):
            return NotImplemented
        return (
            self.relations.keys() == other.relations.keys()
            and set(self.atoms) == set(other.atoms)
            and self.names == other.names
            and np.array_equal(self.designated_indices, other.designated_indices)
            and all(np.array_equal(self.valuation[a], other.valuation[a]) for a in self.atoms)
            and all(self.relations[a].same_as(other.relations[a]) for a in self.agents)
            and all(np.array_equal(self.weight(a), other.weight(a)) for a in self.agents)
            and self.variables == other.variables
        )

    def __hash__(self) -> int:
        return hash((len(self), frozenset(self.agents), frozenset(self.atoms)))

    def __repr__(self) -> str:
        shown = "all" if self._designated is None else ", ".join(map(repr, self.designated[:4]))
        more = ", …" if self._designated is not None and len(self._designated) > 4 else ""
        worlds = f"{len(self):,} world{'' if len(self) == 1 else 's'}"
        agents = ", ".join(self.agents) or "-"
        atoms = (", ".join(self.atoms[:12]) or "-") + (", …" if len(self.atoms) > 12 else "")
        # whether the classes of large relations are lost takes time to find out: only when asked
        quick = sum(len(self.relations[a].sources) for a in self._before) <= 100_000
        lost = f"; lost {', '.join(map(str, self.lost))}" if quick and self.lost else ""
        return f"<KripkeModel: {worlds}; agents {agents}; atoms {atoms}; designated {shown}{more}{lost}>"

    @property
    def lost(self) -> tuple[Loss, ...]:
        """The agents whose relation lost a frame property in the update that made this model.

        For each (agent, class before, class after): `("b", "S5", "KD45")`. Empty for a model that
        is not the result of an update.
        """
        from kripke_werewolf.models.frames import losses

        return losses(self._before, self.relations)


def _restored(kind: type[Parts], *parts: Any) -> Parts:
    model = kind.__new__(kind)
    model._assign(*parts)
    return model
