"""The logics that can be decided, given by their frames.

A logic is named by its class of frames: every agent's relation has the same properties. The names are those
of the textbooks (Chellas, *Modal Logic*, 1980; Fagin, Halpern, Moses, Vardi, *Reasoning About Knowledge*,
1995); case and spaces are ignored.
"""

from __future__ import annotations

from dataclasses import dataclass

from kripke_werewolf.errors import UnknownNameError


@dataclass(frozen=True, slots=True)
class Logic:
    """A multi-agent modal logic: the properties that each agent's relation has."""

    name: str
    reflexive: bool = False
    """Every world is accessible from itself (axiom T: what is known is true)."""
    serial: bool = False
    """From every world some world is accessible (axiom D: beliefs are consistent)."""
    transitive: bool = False
    """Axiom 4: positive introspection."""
    euclidean: bool = False
    """Axiom 5: negative introspection; with reflexivity, an equivalence relation."""

    def __str__(self) -> str:
        return self.name

    @property
    def properties(self) -> tuple[str, ...]:
        """The names of the properties, as used by the frame class of a model."""
        names = ("reflexive", "serial", "transitive", "euclidean")
        return tuple(name for name in names if getattr(self, name))


LOGICS = {
    logic.name: logic
    for logic in (
        Logic("K"),
        Logic("T", reflexive=True, serial=True),
        Logic("KD", serial=True),
        Logic("K4", transitive=True),
        Logic("S4", reflexive=True, serial=True, transitive=True),
        Logic("K45", transitive=True, euclidean=True),
        Logic("KD45", serial=True, transitive=True, euclidean=True),
        Logic("S5", reflexive=True, serial=True, transitive=True, euclidean=True),
    )
}
"""The logics by name, from the weakest to the strongest."""

_ALIASES = {
    "KT": "T",
    "M": "T",
    "D": "KD",
    "KT4": "S4",
    "KT5": "S5",
    "KT45": "S5",
    "KTB4": "S5",
    "KT4B": "S5",
    "KDB4": "S5",
    "WEAKS5": "KD45",
}


def logic_named(name: str | Logic) -> Logic:
    """Return the logic with a name or alias; case is ignored.

    Raises `UnknownNameError`, which lists the names.

    >>> logic_named("kt4").name, logic_named("weak S5").name
    ('S4', 'KD45')
    """
    if isinstance(name, Logic):
        return name
    key = "".join(str(name).split()).upper()
    found = LOGICS.get(_ALIASES.get(key, key))
    if found is None:
        raise UnknownNameError(name, LOGICS, kind="logic")
    return found
