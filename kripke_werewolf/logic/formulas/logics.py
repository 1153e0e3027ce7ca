"""The logics that can be decided, given by their frames.

A logic is named by its class of frames: every agent's relation has the same properties. The names are those
of the textbooks (Chellas, *Modal Logic*, 1980; Fagin, Halpern, Moses, Vardi, *Reasoning About Knowledge*,
1995); case and spaces are ignored. A mixed logic gives agents relations with different properties: `a: S5, b:
KD45, others: K` says that a knows, b only believes, and nothing of the others. Agents are named as in
formulas, `{Mary Ann}: K`. In `S5 with orders` agents may find some of their worlds more plausible than
others; in all other logics they find them equally plausible, so that B is K.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

from kripke_werewolf.base.display import Catalogue, Displayed
from kripke_werewolf.base.errors import FormulaError, UnknownAgentError, UnknownNameError
from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.base.reader import BRACED, QUOTED, read_names
from kripke_werewolf.logic.formulas.names import group_text

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
    """In a mixed logic the logics of the agents that it names and, at the end, under "", that of others."""
    ordered: bool = False
    """Whether agents may find some of the worlds that they cannot tell apart more plausible than others."""

    def __str__(self) -> str:
        return self.name

    def headline(self) -> str:
        """Return the name, and that of one logic for all agents with its relations."""
        if self.mixed:
            return self.name
        return f"{self.name}: {', '.join(self.properties) or 'all'} relations"

    @property
    def properties(self) -> tuple[str, ...]:
        """The names of the properties, as used by the frame class of a model."""
        return tuple(name for name in FRAME_PROPERTIES if getattr(self, name))

    @property
    def equivalent(self) -> bool:
        """Whether all relations are equivalences, as in S5."""
        return self.reflexive and self.euclidean

    @property
    def introspective(self) -> bool:
        """Whether agents know what they know and what they do not know (axioms 4 and 5)."""
        return self.transitive and self.euclidean

    def about(self, agents: Collection[str], place: str = "the formula") -> Logic:
        """Return this logic, which is about these agents and no others.

        Raises `UnknownAgentError` if it names an agent who is not among them, while one of them is not named:
        that one would have the logic of all others, which was perhaps not meant.

        >>> logic_named("mary: K").about(["Mary"])
        Traceback (most recent call last):
        ...
        kripke_werewolf.errors.UnknownAgentError: unknown agent 'mary' in the logic of the formula, ...
        """
        named = {agent for agent, _ in self.mixed[:-1]}
        strangers, left = sorted(named.difference(agents)), sorted({*agents} - named)
        if strangers and left:
            where = f"the logic of {place}, where {', '.join(left)} would have {self.mixed[-1][1]}"
            raise UnknownAgentError(strangers[0], sorted(agents), place=where)
        return self

    def of(self, group: Iterable[str]) -> Logic:
        """Return the logic of one agent, or of what several know together (D).

        >>> mixed = logic_named("a: S5, b: KD45, others: K")
        >>> mixed.of("b").name, mixed.of("c").name, mixed.of("ab").properties
        ('KD45', 'K', ('transitive', 'euclidean'))

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


_EXAMPLE = "'a: S5, b: KD45, others: K'"


@cache
def _of_group(mixed: Logic, group: tuple[str, ...]) -> Logic:
    *_, (_, others) = mixed.mixed
    found = {dict(mixed.mixed[:-1]).get(agent, others) for agent in group}
    if len(found) == 1:
        return found.pop()
    shifted = any(logic.euclidean and not (logic.reflexive or logic.symmetric) for logic in found)
    if shifted and any(logic.symmetric for logic in found):
        raise FormulaError(
            f"cannot decide what {', '.join(group)} know together (D) in {mixed}: "
            "a group may have agents of KB, KDB, KTB and KB5 or of K5, KD5, K45 and KD45, not of both"
        )
    return _common(found, mixed.name)


def _common(logics: Iterable[Logic], name: str) -> Logic:
    """Return the logic of the properties that relations of all of the logics have, and their intersection."""
    reflexive, transitive, euclidean, symmetric = (
        all(getattr(logic, p) or (p == "symmetric" and logic.equivalent) for logic in logics)
        for p in ("reflexive", "transitive", "euclidean", "symmetric")
    )
    return Logic(
        name, reflexive, reflexive, transitive, euclidean, symmetric and not (reflexive and euclidean)
    )


def _of_frames(name: str) -> Logic:
    has = FRAME_CLASSES["KT" if name == "T" else name]
    reflexive, serial, transitive, symmetric, euclidean = (p in has for p in FRAME_PROPERTIES)
    return Logic(name, reflexive, serial, transitive, euclidean, symmetric and name != "S5")


_ORDER = "K T KD K4 S4 K45 KD45 S5 KB KDB KTB KD4 K5 KD5 KB5"
_NAMED = {name: _of_frames(name) for name in _ORDER.split()}
LOGICS: Mapping[str, Logic] = Catalogue.of(_NAMED, lambda one: one.headline().partition(": ")[2])
"""The logics by name: those that are used most from the weakest to the strongest, then the others."""

FRAME_AXIOMS: Mapping[str, str] = {
    "K": "", "T": "T", "KD": "D", "K4": "4", "S4": "T4", "K45": "45", "KD45": "D45", "S5": "T5"
}  # fmt: skip
"""The logics in which formulas are derived, each with its axioms about frames."""

_ORDERS = "WITHORDERS"
_ALIASES = {"M": "T", "B": "KTB", "WEAKS5": "KD45"}
_AXIOMS = re.compile("K?([DTB45]+)")
_SAID_BY = {"T": "reflexive", "D": "serial", "B": "symmetric", "4": "transitive", "5": "euclidean"}
_CLAUSE = re.compile(rf'((?:{QUOTED}|{BRACED}|[^,:"{{}}])+):([^,:]*)(?:,|\Z)')
_NAMES = re.compile(rf'{QUOTED}|{BRACED}|[^\s"{{}}]+')


def logic_named(name: str | Logic, agents: Collection[str] | None = None) -> Logic:
    """Return the logic with a name, or with the axioms D, T, B, 4 and 5 in its name; case is ignored.

    A logic for each agent is written `a: S5, b: KD45, others: K`, several agents of one logic `a b: S5`;
    without `others` the other agents have S5. Names are as in formulas: `{Mary Ann}: K`; an agent called
    others is written in braces or quotes. `agents`: all that there are, see `Logic.about`.

    >>> logic_named("kt4").name, logic_named("weak S5").name, logic_named("KDB5").name
    ('S4', 'KD45', 'S5')
    >>> logic_named('b: kd45, {Mary Ann} "a": s5, others: k').name
    '{Mary Ann}: S5, a: S5, b: KD45, others: K'

    Raises `UnknownNameError`, which lists the names.
    """
    if isinstance(name, Logic):
        return name
    if ":" not in str(name):
        return _one_for_all(name)
    found = _mixed(str(name))
    return found if agents is None else found.about(agents)


def _mixed(text: str) -> Logic:
    logics, others, at = dict[str, Logic](), LOGICS["S5"], 0
    while at < len(text):
        clause = _CLAUSE.match(text, at)
        if clause is None or not clause[1].strip():
            raise FormulaError(f"logic {text!r}: cannot read {text[at:].strip()!r}; for example {_EXAMPLE}")
        at, its = clause.end(), _one_for_all(clause[2].strip())
        for agent in _agents_in(clause[1], text):
            if agent in logics:
                who = agent or "others"
                raise FormulaError(f"logic {text!r}: agent {who} has two; write for example {_EXAMPLE}")
            logics[agent] = its
    others = logics.pop("", others)
    if {*logics.values()} <= {others}:
        return others
    every = (*sorted(logics.items()), ("", others))
    written = [f"{_text(agent)}: {logic}" for agent, logic in every]
    common = _common([logic for _, logic in every], ", ".join(written))
    ordered = any(logic.ordered for _, logic in every)
    return replace(common, serial=all(logic.serial for _, logic in every), ordered=ordered, mixed=every)


def _agents_in(names: str, text: str) -> Iterator[str]:
    """Yield the agents named before a colon, and "" for the word `others`."""
    try:
        for name in _NAMES.findall(names):
            if name == "others":
                yield ""
            else:
                yield from (agent for agent, _ in read_names(name))
    except ValueError as error:
        raise FormulaError(f"logic {text!r}: {error.args[0]}") from None


def _text(agent: str) -> str:
    """Return an agent as the name of a mixed logic writes it, "" as `others`."""
    return {"": "others", "others": "{others}"}.get(agent) or group_text((agent,))


def _one_for_all(name: object) -> Logic:
    key = "".join(str(name).split()).upper()
    found = LOGICS.get(_ALIASES.get(key, key))
    if found is not None:
        return found
    if key.endswith(_ORDERS):
        found = _one_for_all(key.removesuffix(_ORDERS) or "S5")
        if not found.equivalent:
            raise FormulaError(f"only equivalences have orders: write 'S5 with orders', not {str(name)!r}")
        return replace(found, name="S5 with orders", ordered=True)
    named = _AXIOMS.fullmatch(key)
    if named is None:
        raise UnknownNameError(name, [*LOGICS, f"or one for each agent, as in {_EXAMPLE}"], kind="logic")
    frames = implied({_SAID_BY[axiom] for axiom in named[1]})
    return next(logic for logic in LOGICS.values() if implied(logic.properties) == frames)


def implied(properties: Iterable[str]) -> frozenset[str]:
    """Return properties of a relation, with those that follow from them.

    >>> sorted(implied(["symmetric", "transitive"]))
    ['euclidean', 'symmetric', 'transitive']
    """
    return min((has for has in FRAME_CLASSES.values() if has.issuperset(properties)), key=len)
