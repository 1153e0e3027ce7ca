"""The logics that can be decided, given by their frames.

A logic is named by its class of frames: every agent's relation has the same properties. The names are those
of the textbooks (Chellas, *Modal Logic*, 1980; Fagin, Halpern, Moses, Vardi, *Reasoning About Knowledge*,
1995); case and spaces are ignored. A mixed logic gives agents relations with different properties: `a: S5, b:
KD45, others: K` says that a knows, b only believes, and nothing of the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache

from kripke_werewolf.base.display import Catalogue, Displayed
from kripke_werewolf.base.errors import FormulaError, UnknownNameError
from kripke_werewolf.base.grouping import grouped

FRAME_PROPERTIES = ("reflexive", "serial", "transitive", "symmetric", "euclidean")
"""The properties that frames may have."""

# every class with all properties that follow from its axioms; no other combinations occur
FRAME_CLASSES: Mapping[str, frozenset[str]] = {
    name: frozenset(properties.split())
    for name, properties in {
        "K": "",
        "KD": "serial",
        "KT": "reflexive serial",
        "KB": "symmetric",
        "KDB": "serial symmetric",
        "KTB": "reflexive serial symmetric",
        "K4": "transitive",
        "KD4": "serial transitive",
        "S4": "reflexive serial transitive",
        "K5": "euclidean",
        "KD5": "serial euclidean",
        "K45": "transitive euclidean",
        "KD45": "serial transitive euclidean",
        "KB5": "symmetric transitive euclidean",
        "S5": "reflexive serial transitive symmetric euclidean",
    }.items()
}


@dataclass(frozen=True, slots=True, repr=False)
class Logic(Displayed):
    """A multi-agent modal logic: the properties that each agent's relation has.

    In a mixed logic the properties are those that the relations of all agents have; `of` gives an agent's.
    """

    name: str
    reflexive: bool = False
    """Every world is accessible from itself (axiom T: what is known is true)."""
    serial: bool = False
    """From every world some world is accessible (axiom D: beliefs are consistent)."""
    transitive: bool = False
    """Axiom 4: positive introspection."""
    euclidean: bool = False
    """Axiom 5: negative introspection; with reflexivity, an equivalence relation."""
    symmetric: bool = False
    """Axiom B: what is true is known to be possible. Not listed for equivalence relations, which have it."""
    mixed: tuple[tuple[str, Logic], ...] = ()
    """In a mixed logic the logics of the agents that it names, and under `others` that of all others."""

    def __str__(self) -> str:
        return self.name

    def headline(self) -> str:
        """Return the name, and that of one logic for all agents with its relations."""
        if self.mixed:
            return self.name
        return f"{self.name}: {', '.join(self.properties) or 'all'} relations"

    @property
    def axioms(self) -> str:
        """The axioms among T, D, B, 4 and 5 that express the properties."""
        return "".join(axiom for axiom, name in _SAID_BY.items() if getattr(self, name))

    @property
    def properties(self) -> tuple[str, ...]:
        """The names of the properties, as used by the frame class of a model."""
        return tuple(name for name in FRAME_PROPERTIES if getattr(self, name))

    @property
    def equivalent(self) -> bool:
        """Whether all relations are equivalences, as in S5."""
        return self.reflexive and self.euclidean

    def of(self, group: Iterable[str]) -> Logic:
        """Return the logic of one agent, or of what several know together (D).

        >>> mixed = logic_named("a: S5, b: KD45, others: K")
        >>> mixed.of("b").name, mixed.of("c").name, mixed.of("ab").axioms
        ('KD45', 'K', '45')

        Raises `FormulaError` for a group of which some have symmetric and others euclidean relations, which
        cannot be decided.
        """
        return _of_group(self, tuple(group)) if self.mixed else self

    def words(self, agents: Iterable[str]) -> str:
        """Return the logic in a sentence that is about some agents; in a mixed logic, of each of them.

        >>> mixed = logic_named("a: S5, b: KD45, others: K")
        >>> mixed.words("ab"), mixed.words("b")
        ('the logic where a has S5, and b has KD45', 'KD45')
        """
        having = grouped((self.of((agent,)).name, agent) for agent in sorted(agents))
        if len(having) < 2:
            return next(iter(having), self.name)
        from kripke_werewolf.logic.english.sentences import names

        parts = (f"{names(few)} {'has' if len(few) == 1 else 'have'} {name}" for name, few in having.items())
        return f"the logic where {', and '.join(parts)}"


_OTHERS = "others"


@cache
def _of_group(mixed: Logic, group: tuple[str, ...]) -> Logic:
    logics = dict(mixed.mixed)
    found = {logics.get(agent, logics[_OTHERS]) for agent in group}
    if len(found) == 1:
        return found.pop()
    shifted = any(logic.euclidean and not logic.reflexive for logic in found)
    if shifted and any(logic.symmetric for logic in found):
        raise FormulaError(
            f"cannot decide what {', '.join(group)} know together (D) in {mixed}: "
            "a group may have agents of KB, KDB and KTB or of K45 and KD45, not of both"
        )
    return _common(found, mixed.name)


def _common(logics: Iterable[Logic], name: str) -> Logic:
    """Return the logic of the properties that relations of all of the logics have, and their intersection."""
    reflexive, transitive, euclidean, symmetric = (
        all(getattr(logic, p) or (p == "symmetric" and logic.equivalent) for logic in logics)
        for p in ("reflexive", "transitive", "euclidean", "symmetric")
    )
    return Logic(name, reflexive, reflexive, transitive, euclidean, symmetric and not euclidean)


def _of_frames(name: str) -> Logic:
    has = FRAME_CLASSES["KT" if name == "T" else name]
    euclidean = "euclidean" in has
    symmetric = "symmetric" in has and not euclidean
    return Logic(name, "reflexive" in has, "serial" in has, "transitive" in has, euclidean, symmetric)


_DECIDED = ("K", "T", "KD", "K4", "S4", "K45", "KD45", "S5", "KB", "KDB", "KTB")
_NAMED = {name: _of_frames(name) for name in _DECIDED}
LOGICS: Mapping[str, Logic] = Catalogue.of(_NAMED, lambda one: one.headline().partition(": ")[2])
"""The logics by name: from the weakest to the strongest, then those of symmetric relations."""

_ALIASES = {"M": "T", "B": "KTB", "WEAKS5": "KD45"}
_AXIOMS = re.compile("K?([DTB45]+)")
_SAID_BY = {"T": "reflexive", "D": "serial", "B": "symmetric", "4": "transitive", "5": "euclidean"}


def logic_named(name: str | Logic) -> Logic:
    """Return the logic with a name, or with the axioms D, T, B, 4 and 5 in its name; case is ignored.

    A logic for each agent is written `a: S5, b: KD45, others: K`, several agents of one logic `a b: S5`;
    without `others` the other agents have S5.

    >>> logic_named("kt4").name, logic_named("weak S5").name, logic_named("KDB5").name
    ('S4', 'KD45', 'S5')
    >>> logic_named("b: kd45, a: s5, others: k").name
    'a: S5, b: KD45, others: K'

    Raises `UnknownNameError`, which lists the names, and for other axioms names the nearest logics.
    """
    if isinstance(name, Logic):
        return name
    if ":" in str(name):
        return _mixed(str(name))
    return _one_for_all(name)


def _mixed(text: str) -> Logic:
    logics = {}
    for part in text.split(","):
        agents, colon, its = part.partition(":")
        for agent in agents.split() or [""]:
            if not (colon and agent) or agent in logics:
                flaw = f"agent {agent} has two" if agent in logics else f"cannot read {part.strip()!r}"
                raise FormulaError(f"logic {text!r}: {flaw}; write for example 'a: S5, b: KD45, others: K'")
            logics[agent] = _one_for_all(its.strip())
    others = logics.pop(_OTHERS, LOGICS["S5"])
    named = (*sorted((agent, logic) for agent, logic in logics.items() if logic != others), (_OTHERS, others))
    if len(named) == 1:
        return others
    common = _common([logic for _, logic in named], ", ".join(f"{agent}: {logic}" for agent, logic in named))
    serial = all(logic.serial for _, logic in named)
    return replace(common, serial=serial, mixed=named)


def _one_for_all(name: object) -> Logic:
    key = "".join(str(name).split()).upper()
    found = LOGICS.get(_ALIASES.get(key, key))
    if found is not None:
        return found
    known = [*LOGICS, "or one for each agent, as in 'a: S5, b: KD45, others: K'"]
    named = _AXIOMS.fullmatch(key)
    if named is None:
        raise UnknownNameError(name, known, kind="logic")
    wanted = implied({_SAID_BY[axiom] for axiom in named[1]})
    frames = {logic: implied(logic.properties) for logic in LOGICS.values()}
    weaker = max((logic for logic, has in frames.items() if has <= wanted), key=lambda one: len(frames[one]))
    if frames[weaker] == wanted:
        return weaker
    stronger = next(logic for logic, has in frames.items() if has > wanted)
    nearest = f"{weaker}, which is weaker (valid there is valid here), or {stronger}, which is stronger"
    raise UnknownNameError(name, known, kind="logic", meant=nearest)


def implied(properties: Iterable[str]) -> frozenset[str]:
    """Return properties of a relation, with those that follow from them.

    >>> sorted(implied(["symmetric", "transitive"]))
    ['euclidean', 'symmetric', 'transitive']
    """
    return min((has for has in FRAME_CLASSES.values() if has.issuperset(properties)), key=len)
