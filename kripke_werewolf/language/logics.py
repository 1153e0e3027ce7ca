"""The logics that can be decided, given by their frames.

A logic is named by its class of frames: every agent's relation has the same properties. The names are those
of the textbooks (Chellas, *Modal Logic*, 1980; Fagin, Halpern, Moses, Vardi, *Reasoning About Knowledge*,
1995); case and spaces are ignored.
"""

from __future__ import annotations

import re
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
    def axioms(self) -> str:
        """The axioms among T, D, 4 and 5 that say the properties."""
        has = {"T": self.reflexive, "D": self.serial, "4": self.transitive, "5": self.euclidean}
        return "".join(axiom for axiom, said in has.items() if said)

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

_ALIASES = {"M": "T", "WEAKS5": "KD45"}
_AXIOMS = re.compile("K?([DTB45]+)")
# axioms that follow from others; B is symmetry
_FOLLOWING = (("T", "D"), ("DB4", "T"), ("B4", "5"), ("B5", "4"), ("T5", "B4"))


def logic_named(name: str | Logic) -> Logic:
    """Return the logic with a name, or with the axioms D, T, B, 4 and 5 in its name; case is ignored.

    Raises `UnknownNameError`, which lists the names, and for other axioms names the nearest logics.

    >>> logic_named("kt4").name, logic_named("weak S5").name, logic_named("KDB5").name
    ('S4', 'KD45', 'S5')
    """
    if isinstance(name, Logic):
        return name
    key = "".join(str(name).split()).upper()
    found = LOGICS.get(_ALIASES.get(key, key))
    if found is not None:
        return found
    named = _AXIOMS.fullmatch(key)
    if named is None:
        raise UnknownNameError(name, LOGICS, kind="logic")
    wanted = _closed(named[1])
    axioms = {logic: _closed(logic.axioms) for logic in LOGICS.values()}
    weaker = max((a for a in axioms if axioms[a] <= wanted), key=lambda a: len(axioms[a]))
    if axioms[weaker] == wanted:
        return weaker
    stronger = next(logic for logic in axioms if axioms[logic] > wanted)
    nearest = f"{weaker}, which is weaker (valid there is valid here), or {stronger}, which is stronger"
    raise UnknownNameError(name, LOGICS, kind="logic", meant=nearest)


def _closed(axioms: str) -> set[str]:
    """Return axioms with those that follow from them on frames."""
    found = set(axioms)
    for _ in _FOLLOWING:
        for given, following in _FOLLOWING:
            if found.issuperset(given):
                found.update(following)
    return found
