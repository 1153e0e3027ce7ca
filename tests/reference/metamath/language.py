"""Formulas as Metamath expressions.

This module declares the symbols that the prelude lacks: atoms, agents and groups, the operators that remain
after expansion of abbreviations, and the names in the given formulas.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from kripke_werewolf import Formula, FormulaError
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.operators import Mode, Scope
from kripke_werewolf.logic.proofs.systems import is_schematic
from tests.reference.metamath.database import Syntax, prelude
from tests.reference.metamath.steps import StepTable

if TYPE_CHECKING:
    from kripke_werewolf.logic.semantics.action import ActionModel

_LETTERS = {"φ": "ph", "ϕ": "phi", "ψ": "ps", "χ": "ch", "θ": "th"}
_VARIABLE = re.compile(r"phi|(?:phi?|ps|ch|th|A)[-0-9].*")  # declared when needed
_KINDS = {"atom": "P", "agent": "A", "group": "G", "event": "E"}
_GROUP = ("{", "G", "}")
_INDEX = {Scope.AGENT: ("A",), Scope.REACH: _GROUP, Scope.MEET: _GROUP, Scope.WORLDS: ()}
_LARGEST = 1_000  # the largest number written, in unary


class SchemaVariables(NamedTuple):
    """The names in a schema that are variables: atoms for formulas or for atoms, and all agents."""

    letters: frozenset[str] = frozenset()
    facts: frozenset[str] = frozenset()
    agents: bool = False


AS_IT_IS = SchemaVariables()
"""A formula without variables."""


@cache
def _operators() -> Mapping[str, Syntax]:
    """Return the notation of the expressions that the prelude lacks, by label."""
    found = {
        "w.atom": Syntax("wff", ("P",)),
        "g.one": Syntax("group", ("A",)),
        "g.more": Syntax("group", ("A", ",", "G")),
        "w.announced": Syntax("wff", ("[!", "ph", "]", "ps")),
        "w.after": Syntax("wff", ("[", "E", "]", "ph")),
        "w.within": Syntax("wff", ("C^_", *_GROUP, "(", "ph", ",", "ps", ")")),
    }
    for scope, index in _INDEX.items():
        box = s.modal(scope, Mode.BOX)
        assert box is not None
        sign = box.spelling.ascii
        found[f"w.{sign}"] = Syntax("wff", (f"{sign}_" if index else sign, *index, "ph"))
    return found


@cache
def _connectives() -> Mapping[str, str]:
    """Return the labels of the connectives by their notation."""
    signs = prelude().constants - {"(", ")"}
    found = {label: [x for x in syntax.symbols if x in signs] for label, syntax in prelude().syntax.items()}
    return {written[0]: label for label, written in found.items() if written}


class Language:
    """The expressions of a file as steps; `declarations` are the lines that declare their parts.

    Schematic letters (φ, ψ, χ) are variables, except `fixed` ones, which occur in actions.
    """

    def __init__(self, fixed: frozenset[str] = frozenset()) -> None:
        self.fixed = fixed
        self.database = prelude().copy()
        self.steps = StepTable(self.database)
        self.declarations: list[str] = []
        self._names: dict[tuple[str, Any], int] = {}
        self._expressions: dict[tuple[Formula, SchemaVariables], int] = {}
        self.declare_constants(*_KINDS)
        for typecode, name in _KINDS.items():
            self._variable(typecode, name)
        self.declare_constants(*(symbol for syntax in _operators().values() for symbol in syntax.symbols))
        for label, syntax in _operators().items():
            self._declare(label, syntax)
        self._reserved = {*self.database.constants, *self.database.variables}

    # --- declarations ------------------------------------------------------------------------------

    def declare_constants(self, *symbols: str) -> None:
        """Declare the new ones among some symbols."""
        known = (self.database.constants, self.database.variables)
        new = dict.fromkeys(x for x in symbols if not any(x in names for names in known))
        self.database.constants.update(new)
        self.declarations += [f"$c {' '.join(new)} $."] if new else []

    def _variable(self, typecode: str, name: str) -> int:
        """Return the step of a variable, declaring it if it is new."""
        label = f"v.{name}"
        if name not in self.database.variables:
            self.database.variables[name] = typecode, label
            self.declarations += [f"$v {name} $.", f"{label} $f {typecode} {name} $."]
        return self.steps.step(label)

    def _declare(self, label: str, syntax: Syntax) -> None:
        self.database.syntax[label] = syntax
        self.declarations.append(" ".join([label, "$a", syntax.typecode, *syntax.symbols, "$."]))

    def _name(self, typecode: str, key: Hashable, *words: object) -> int:
        """Return the step of a name, declaring it if it is new.

        Names are unchanged if Metamath and the other symbols allow it, else escaped with % as in URLs.
        """
        if (typecode, key) not in self._names:
            label = f"{typecode}.{sum(kind == typecode for kind, _ in self._names) + 1}"
            token = ":".join(quote(str(word), safe="").replace(".", "%2E") for word in words)
            if token in self._reserved or _VARIABLE.fullmatch(token):
                token = f"%{ord(token[0]):02X}{token[1:]}"
            self.declare_constants(token)
            self._declare(label, Syntax(typecode, (token,)))
            self._names[typecode, key] = self.steps.step(label)
        return self._names[typecode, key]

    # --- expressions -------------------------------------------------------------------------------

    def expression(self, f: Formula, reading: SchemaVariables = AS_IT_IS) -> int:
        """Return the step of a formula, with abbreviations expanded."""
        for node in f.subformulas():
            if (node, reading) not in self._expressions:
                parts = [self._expressions[child, reading] for child in node.children]
                self._expressions[node, reading] = self._written(node, parts, reading)
        return self._expressions[f, reading]

    def _written(self, f: Formula, parts: list[int], reading: SchemaVariables) -> int:
        step = self.steps.step
        match f:
            case s.Atom(name):
                return self._atom(name, reading, is_schematic(f) and name not in self.fixed)
            case s.Constant(value):
                return step(_connectives()[f.spellings[value].ascii])
            case s.Count():
                return self._count(f, parts)
            case s.Infix() if f.spelling.ascii in _connectives():
                label, (found, *rest) = _connectives()[f.spelling.ascii], parts
                for part in rest:
                    found = step(label, found, part)
                return found
            case s.Not():
                return step(_connectives()[f.spelling.ascii], *parts)
            case s.Modal(scope=scope, mode=Mode.BOX) if scope in _INDEX:
                sign = f.spelling.ascii if len(parts) == 1 else "within"
                return step(f"w.{sign}", *parts, *self._index(f, reading))
            case s.Box(s.Announce(_, None, False)):
                return step("w.announced", *parts)
            case s.Box(s.Act(name, event, model)) if model is not None:
                return step("w.after", *parts, self._event(name, event, model))
        raise FormulaError(
            f"{f} cannot be exported to metamath: {type(f).__name__} belongs to no system of axioms"
        )

    def _atom(self, name: str, reading: SchemaVariables, is_letter: bool) -> int:
        if name in reading.letters or is_letter:
            return self._variable("wff", _letter(name))
        fact = name in reading.facts
        found = self._variable("atom", "P") if fact else self._name("atom", name, name)
        return self.steps.step("w.atom", found)

    def _count(self, f: s.Count, parts: list[int]) -> int:
        if f.number > _LARGEST:
            raise FormulaError(f"{f} cannot be exported to metamath: {f.number:,} is above {_LARGEST:,}")
        number = self.steps.step("n.0")
        for _ in range(f.number):
            number = self.steps.step("n.s", number)
        listed = self.steps.step("l.nil")
        for part in reversed(parts):
            listed = self.steps.step("l.add", part, listed)
        return self.steps.step(_connectives()[f.kind], number, listed)

    def _index(self, f: s.Modal, reading: SchemaVariables) -> list[int]:
        """Return the agent or the group of an operator, if it has one."""
        agents = [self._agent(agent, reading) for agent in f.label]
        if f.scope is Scope.AGENT or not agents:
            return agents
        group = self.steps.step("g.one", agents[-1])
        for agent in reversed(agents[:-1]):
            group = self.steps.step("g.more", agent, group)
        return [group]

    def _agent(self, name: str, reading: SchemaVariables) -> int:
        return self._variable("agent", name) if reading.agents else self._name("agent", name, name)

    def _event(self, name: str, event: Hashable, model: ActionModel) -> int:
        """Return the step of an event; events of different actions of the same name are numbered."""
        same = [key for kind, key in self._names if kind == "event" and key[:2] == (name, str(event))]
        key = next((key for key in same if key[2:] == (event, model)), (name, str(event), event, model))
        words = (name, event) if key in same[:1] or not same else (name, event, len(same) + 1)
        return self._name("event", key, *words)


def _letter(name: str) -> str:
    """Return the variable for a letter, in characters allowed in labels.

    >>> [_letter(name) for name in ("φ", "ψ2", "ψ_2", "ψ''", "χ_ä")]
    ['ph', 'ps2', 'ps-2', 'ps--2', 'ch-_C3_A4']
    """
    index = re.sub("'+", lambda primes: f"--{len(primes[0])}", name[1:].replace("_", "-"))
    return _LETTERS[name[0]] + quote(index, safe="").replace("%", "_")


def ascii_text(text: str) -> str:
    """Return a comment in the characters allowed by Metamath, with letters named as its variables."""
    named = "".join(_LETTERS.get(letter, letter) for letter in text.replace("⊢", "|-").replace("$", ""))
    return named.encode("ascii", "replace").decode("ascii")
