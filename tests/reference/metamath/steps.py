"""Metamath proofs as tables of unique steps, and their notation.

A step applies an axiom, a theorem or a syntax axiom to earlier steps. In Metamath expressions are themselves
proved, by syntax axioms, so expressions and theorems are steps of one table.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kripke_werewolf.base.errors import FormulaError, Undecided
from tests.reference.metamath.database import Assertion, Database, Pattern, Reference

_MOST_STEPS = 500_000
_LONGEST = 1_000_000  # characters of an expression


class Application(NamedTuple):
    """A label, and the numbers of the steps to which it is applied."""

    label: str
    uses: tuple[int, ...] = ()


class StepTable:
    """A table of steps; a step is its number, and every step comes after those it uses."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.table: list[Application] = []
        self._numbers: dict[Application, int] = {}
        self._claims: dict[str, tuple[int, ...]] = {}
        self._variables: list[frozenset[str]] = []

    def step(self, label: str, *uses: int) -> int:
        """Return the step that applies a label to other steps."""
        key = Application(label, uses)
        if key not in self._numbers:
            if len(self.table) >= _MOST_STEPS:
                raise Undecided(f"no proof in metamath was found within {_MOST_STEPS:,} steps")
            self._numbers[key] = len(self.table)
            self.table.append(key)
            own = (label,) if label.startswith("v.") else ()
            self._variables.append(frozenset(own).union(*(self._variables[used] for used in uses)))
        return self._numbers[key]

    def expression(self, pattern: Pattern, meaning: Mapping[str, int]) -> int:
        """Return the expression that results from a pattern when its variables are replaced."""
        if pattern.label in meaning:
            return meaning[pattern.label]
        return self.step(pattern.label, *(self.expression(part, meaning) for part in pattern.parts))

    def claims(self, statement: Assertion) -> tuple[int, ...]:
        """Return the premises and the conclusion of an axiom or a theorem, with its variables."""
        label = statement.reference.label
        if label not in self._claims:
            patterns = (*statement.premises, statement.conclusion)
            self._claims[label] = tuple(self.expression(pattern, {}) for pattern in patterns)
        return self._claims[label]

    def matches(self, pattern: int, number: int, meaning: dict[str, int]) -> bool:
        """Return whether an expression is an instance of a pattern; `meaning` receives the substitution."""
        label, parts = self.table[pattern]
        if label.startswith("v."):
            return meaning.setdefault(label, number) == number
        step = self.table[number]
        if not self._variables[pattern] or step.label != label:
            return pattern == number
        return all(self.matches(part, used, meaning) for part, used in zip(parts, step.uses, strict=True))

    def apply(self, applied: Reference, meaning: Mapping[str, int], *premises: int) -> int:
        """Return the step that applies an axiom or a theorem with a substitution for its variables."""
        return self.step(applied.label, *(meaning[v] for v in applied.variables), *premises)

    def variables(self, *numbers: int) -> tuple[str, ...]:
        """Return the labels of the variables in some expressions, in the order required in proofs."""
        found = frozenset[str]().union(*(self._variables[number] for number in numbers))
        return tuple(label for _, label in self.database.variables.values() if label in found)

    def below(self, root: int) -> list[int]:
        """Return a step and all its dependencies, in the order of the table."""
        found, stack = {root}, [root]
        while stack:
            new = {used for used in self.table[stack.pop()].uses if used not in found}
            found |= new
            stack += new
        return sorted(found)

    # --- writing -------------------------------------------------------------------------------

    def text(self, root: int) -> str:
        """Return an expression as Metamath symbols; raises `FormulaError` if there are too many."""
        written: dict[int, str] = {}
        for number in self.below(root):
            label, uses = self.table[number]
            if label.startswith("v."):
                written[number] = label[2:]
                continue
            parts = {label[2:]: written[n] for label, n in zip(self.database.parts(label), uses, strict=True)}
            if (size := sum(map(len, parts.values()))) > _LONGEST:
                raise FormulaError(
                    f"a formula of {size:,} characters is too long to export (at most {_LONGEST:,})"
                )
            symbols = (parts.get(symbol, symbol) for symbol in self.database.syntax[label].symbols)
            written[number] = " ".join(filter(None, symbols))
        return written[root]

    def proof(self, root: int, given: Sequence[str] = ()) -> tuple[list[str], list[str]]:
        """Return the proof of a step in Metamath's compressed format: the labels, and a code per step.

        `given` are the labels of variables in the theorem, which have the first numbers. A step that is used
        again is marked by Z and then referred to by a number of its own.
        """
        times: dict[int, int] = {}
        for number in self.below(root):
            for used in self.table[number].uses:
                times[used] = times.get(used, 0) + 1
        labels = {label: n for n, label in enumerate(given, 1)}
        order: list[tuple[int, bool]] = []  # steps in the order pushed, and whether they exist already
        marked: dict[int, int] = {}
        stack = [(root, False)]
        while stack:
            number, ready = stack.pop()
            label, uses = self.table[number]
            if ready or not uses or number in marked:
                order.append((number, number in marked))
                if number not in marked:
                    labels.setdefault(label, len(labels) + 1)
                    if uses and times.get(number, 0) > 1:
                        marked[number] = len(marked) + 1
            else:
                stack.append((number, True))
                stack += [(used, False) for used in reversed(uses)]
        codes = []
        for number, again in order:
            if again:
                codes.append(_code(len(labels) + marked[number]))
            else:
                codes.append(_code(labels[self.table[number].label]) + "Z" * (number in marked))
        return list(labels)[len(given) :], codes


def _code(number: int) -> str:
    """Return a positive number in the notation of compressed proofs.

    >>> [_code(n) for n in (1, 20, 21, 120, 121)]
    ['A', 'T', 'UA', 'YT', 'UUA']
    """
    number, last = divmod(number - 1, 20)
    code = chr(ord("A") + last)
    while number:
        number, digit = divmod(number - 1, 5)
        code = chr(ord("U") + digit) + code
    return code
