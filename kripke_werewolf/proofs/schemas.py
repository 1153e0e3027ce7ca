"""Schemas of axioms and rules, and their instances.

A schema is a formula in which φ, ψ, χ, … stand for any formulas, and p for any atom. Its agents and groups
are those of the instance: `K_a φ -> φ` is a schema for every agent, `C_G φ -> C_G C_G φ` for every group.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import count, product
from typing import NamedTuple, TypeAlias

from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.names import SCHEMATIC
from kripke_werewolf.language.parser import parse
from kripke_werewolf.proofs.abbreviations import unabbreviated

LABELS = frozenset({("a",), ("G",), ("H",)})
"""The labels of modal operators that are replaced in an instance: an agent, or a group."""


def is_schematic(f: Formula) -> bool:
    """Return whether a formula is a schematic letter: φ, ψ or χ, perhaps with an index.

    A derivation for it holds for all formulas, so axioms about atoms do not apply to it.
    """
    return isinstance(f, s.Atom) and SCHEMATIC.fullmatch(f.name) is not None


def with_greek_letters(f: Formula, letters: Iterable[str]) -> Formula:
    """Return a formula with schematic letters for derivations: p becomes φ_1.

    >>> print(with_greek_letters(parse("φ_1 -> p"), ["p", "φ_1"]))
    φ_1 -> φ_2
    """
    fresh = (name for n in count(1) if (name := f"φ_{n}") not in f.atoms)
    greek = {letter: next(fresh) for letter in sorted(letters) if not is_schematic(s.Atom(letter))}
    return f.rename(atoms=lambda atom: greek.get(atom, atom))


class Schema(NamedTuple):
    """Premises and a conclusion, with abbreviations expanded; an axiom has no premises.

    `letters`: the atoms in them that stand for any formulas; `facts`: those that stand for any atoms. All
    other atoms, such as those of an action, stand for themselves.
    """

    premises: tuple[Formula, ...]
    conclusion: Formula
    letters: frozenset[str]
    facts: frozenset[str] = frozenset()


Premises: TypeAlias = tuple[Formula, ...]
Meaning: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""The letters for agents and groups, each with its agents."""


@dataclass(frozen=True, slots=True)
class RuleForm:
    """One form of a rule in its notation: `φ -> ψ, φ ⊢ ψ`; without `⊢` it is an axiom.

    `groups`: whether agents and groups, given by their letters, fit together, if not all do.
    """

    text: str
    groups: Callable[[Mapping[str, tuple[str, ...]]], bool] = lambda _: True

    def schemas(self, premises: Premises, conclusion: Formula) -> Iterator[Schema]:
        """Yield the schema for all agents and groups that may occur in the formulas."""
        return (filled(self.text, meaning) for meaning in self.meanings((*premises, conclusion)))

    def meanings(self, formulas: Premises) -> Iterator[Meaning]:
        """Yield the agents and groups for which the letters may stand in an instance."""
        nodes = (node for f in formulas for node in f.subformulas() if isinstance(node, s.Modal))
        labels, fits = dict.fromkeys(node.label for node in nodes), _fits(self.text)
        for chosen in product(*([label for label in labels if fit(label)] for fit in fits.values())):
            meaning = tuple(zip(fits, chosen, strict=True))
            if self.groups(dict(meaning)):
                yield meaning


def instance_of(schema: Schema, premises: Premises, conclusion: Formula) -> dict[str, Formula] | None:
    """Return the formulas for the letters of a schema that yield an instance, or None.

    Abbreviations in the instance must be expanded.
    """
    if len(premises) != len(schema.premises):
        return None
    found: dict[str, Formula] = {}
    for pattern, f in zip((*schema.premises, schema.conclusion), (*premises, conclusion), strict=True):
        if not _matches(schema, pattern, f, found):
            return None
    return found


def _matches(schema: Schema, pattern: Formula, f: Formula, found: dict[str, Formula]) -> bool:
    """Return whether a formula is an instance of a pattern; `found` receives the formulas of its letters."""
    if isinstance(pattern, s.Atom):
        fact = pattern.name in schema.facts and isinstance(f, s.Atom) and not is_schematic(f)
        if fact or pattern.name in schema.letters:
            return found.setdefault(pattern.name, f) is f
        return pattern is f
    if type(pattern) is not type(f) or pattern.label != f.label or len(pattern.children) != len(f.children):
        return False
    return all(_matches(schema, part, g, found) for part, g in zip(pattern.children, f.children, strict=True))


def _read(text: str) -> Schema:
    before, turnstile, after = text.rpartition("⊢")
    premises = tuple(parse(part) for part in before.split(",")) if turnstile else ()
    conclusion = parse(after)
    return Schema(premises, conclusion, conclusion.atoms.union(*(f.atoms for f in premises)))


@lru_cache(256)
def _fits(text: str) -> Mapping[str, Callable[[tuple[str, ...]], bool]]:
    """Return the letters for agents and groups in a schema's text, each with its possible labels."""
    schema = _read(text)
    found: dict[str, Callable[[tuple[str, ...]], bool]] = {}
    for f in (*schema.premises, schema.conclusion):
        for node in f.subformulas():
            if isinstance(node, s.Modal) and node.label in LABELS:
                letter = node.label[0]
                found[letter] = (lambda label: len(label) == 1) if letter == "a" else bool
    return found


@lru_cache(4096)
def filled(text: str, meaning: Meaning) -> Schema:
    """Return the schema given by a string, for these agents and groups."""
    labels = {(letter,): label for letter, label in meaning}

    def step(node: Formula) -> Formula:
        if not isinstance(node, s.Modal) or not node.label:
            return node
        return node._make(labels[node.label], node.children)

    schema = _read(text)
    premises = tuple(unabbreviated(f.rewrite(step)) for f in schema.premises)
    return Schema(premises, unabbreviated(schema.conclusion.rewrite(step)), schema.letters)
