"""Schemas: formulas with letters that stand for any formula, and instances that refute them.

Without updates a schema is valid iff its formula is, with the letters taken as atoms. With public
announcements it is not: [!p]p is valid for every atom p, though [!φ]φ is not for every formula φ, since φ may
become false by being announced. Schemas of public announcement logic are decidable (Holliday, Hoshi and
Icard, "Information dynamics and uniform substitution", Synthese 190, 2013): a letter is replaced by one atom
for each set of worlds in which it is evaluated, and these agree where the sets do (`translation`, `core`).

An instance is a formula of the same language, with any atoms and agents, even agents that the schema does not
mention.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from itertools import chain, combinations, count
from operator import or_

from kripke_werewolf.base.errors import FormulaError
from kripke_werewolf.logic.deciding.core import (
    FALSE,
    TRUE,
    AndNode,
    Core,
    Necessity,
    Paths,
    Proposition,
    paths_kept,
)
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.names import SCHEMATIC
from kripke_werewolf.logic.formulas.syntax import Formula, FormulaLike, asked_formula
from kripke_werewolf.logic.notation.reading import understand
from kripke_werewolf.logic.semantics.bits import BitSpace, Rows, members

_PREFIX = re.compile(r"\s*schema\s*:")


def read_schema(
    f: FormulaLike,
    letters: Iterable[str] | None = None,
    *,
    groups: Mapping[str, Iterable[object]] | None = None,
) -> tuple[Formula, frozenset[str]]:
    """Return a formula and its schematic atoms.

    These are `letters`, or else all atoms of a string that begins with `schema:`, or else φ, ψ and χ, also
    with an index or primes. In a string, operators without an index are about the agents it names, or else
    about a, or a and b; `groups` gives the agents of groups (see `parse`).

    >>> f, letters = read_schema("[!φ]p -> φ_1")
    >>> str(f), sorted(letters)
    ('[!φ]p -> φ_1', ['φ', 'φ_1'])
    >>> sorted(read_schema("schema: [!q]p")[1])
    ['p', 'q']
    """
    marked = isinstance(f, str) and _PREFIX.match(f)
    if isinstance(f, str):
        f = without_prefix(f)
    found = understand(f, agents=(), groups=groups).formula if isinstance(f, str) else asked_formula(f, ())
    if letters is not None:
        schematic = found.atoms.intersection(letters)
    else:
        schematic = found.atoms if marked else frozenset(filter(SCHEMATIC.fullmatch, found.atoms))
    _check_quantifiers(found, schematic)
    return found, schematic


def without_prefix(text: str) -> str:
    """Return a string with the prefix `schema:` replaced by spaces, so that positions stay the same."""
    marked = _PREFIX.match(text)
    return " " * marked.end() + text[marked.end() :] if marked else text


def _check_quantifiers(f: Formula, letters: frozenset[str]) -> None:
    """Raise `FormulaError` for a letter inside a quantifier, which might bind atoms of its instances."""
    for node in f.subformulas() if letters else ():
        if isinstance(node, s.Quantifier) and (inside := sorted(letters & node.body.atoms)):
            raise FormulaError(
                f"cannot decide the schema {str(f)!r}: {inside[0]} stands for any formula, also for one with "
                f"{', '.join(node.names)}, and the quantifier {str(node)!r} would bind these"
            )


# --- instances that read well --------------------------------------------------------------------


def likely_instances(schema: Formula, letters: frozenset[str]) -> Iterator[dict[str, Formula]]:
    """Yield instances that may refute a schema: short formulas for the letters, the simplest first.

    First atoms for all letters; then for one letter a formula that an announcement may make false, or true:
    Moore's `p & ~K_a p`, and similar ones; then the same for two letters. The agents are those of the schema
    and one that it does not mention.
    """
    fresh = (name for name in chain("pqrs", _numbered("p", 1)) if name not in schema.atoms)
    plain: dict[str, Formula] = {letter: s.Atom(next(fresh)) for letter in sorted(letters)}
    yield plain
    other = s.Atom(next(fresh))
    new = next(name for name in chain("abc", _numbered("c", 1)) if name not in schema.agents)
    agents = [*sorted(schema.agents)[:2], new]
    for size in (1, 2):
        for agent in agents if size == 1 else agents[:1]:
            for chosen in combinations(plain, size):
                for change in _CHANGES:
                    yield plain | {letter: change(agent, plain[letter], other) for letter in chosen}


_CHANGES: tuple[Callable[[str, Formula, Formula], Formula], ...] = (
    lambda a, p, q: p & ~s.Knows(a, p),
    lambda a, p, q: ~s.Knows(a, p),
    lambda a, p, q: p >> s.Knows(a, p),
    lambda a, p, q: s.Knows(a, p),
    lambda a, p, q: p | q & ~s.Knows(a, q),
    lambda a, p, q: s.Everywhere(p),
)


# --- an instance read off a model ----------------------------------------------------------------


def named_instance(core: Core, found: BitSpace, schema: Formula) -> tuple[dict[str, Formula], BitSpace]:
    """Return formulas for the letters of a schema, and a model where they have the truth sets of the copies.

    `found` is a model of the core formula of the schema. In the model returned every world has a name, an
    atom true only there, and a new agent cannot tell any two worlds apart: so a formula can say which worlds
    are left, and at which of them it is true.
    """
    taken = schema.atoms | schema.agents
    agent = next(name for name in chain("e", _numbered("e")) if name not in taken)
    free = (name for name in _numbered("w") if name not in taken)
    names = dict(zip(members(found.all), free, strict=False))
    sets = truth_sets(core, found)

    def named(inside: int) -> list[Formula]:
        return [s.Atom(names[w]) for w in members(inside)]

    def left(inside: int) -> list[Formula]:
        return [
            *(s.Possible(agent, x) for x in named(inside)),
            *(~s.Possible(agent, x) for x in named(found.all ^ inside)),
        ]

    values: dict[str, Formula] = {}
    for letter, copies in core.copies.items():
        # a copy that the formula does not depend on is not in the graph
        true = {
            sets.get(within, found.all): found.fact(copy)
            for within, copy in copies.items()
            if copy in found.valuation
        }
        everywhere = reduce(or_, [inside & there for inside, there in true.items()], 0)
        if all(everywhere & inside == there & inside for inside, there in true.items()):
            values[letter] = s.disjunction(named(everywhere))
        else:
            parts = [
                s.conjunction([*left(inside), s.disjunction(named(inside & there))])
                for inside, there in true.items()
                if inside & there
            ]
            values[letter] = s.disjunction(parts)
    relations = {**found.relations, agent: Rows([(found.all, found.all)])}
    facts = {atom: found.valuation.get(atom, 0) for atom in schema.atoms - core.copies.keys()}
    facts |= {name: 1 << w for w, name in names.items()}
    return values, BitSpace.numbered(found.all, relations, facts)


def _numbered(letter: str, first: int = 0) -> Iterator[str]:
    return map(f"{letter}{{}}".format, count(first))


def truth_sets(core: Core, space: BitSpace) -> dict[int, int]:
    """Return the truth set in a model of each literal of a core formula."""
    found = {TRUE: space.all, FALSE: 0}

    def seeing(agent: str, inside: int) -> int:
        return space.diamond(space.relations[agent], inside)

    for number, node in core.nodes.items():
        match node:
            case Proposition(name):
                inside = space.fact(name)
            case AndNode(parts):
                inside = space.all_of([found[part] for part in parts])
            case Necessity(group, body):
                inside = space.box(space.met(group) if group else space.total, found[body])
            case Paths(edges, start):
                wrong = paths_kept(edges, found.__getitem__, seeing)
                inside = space.all & ~wrong[start]
        found[number], found[-number] = inside, space.all ^ inside
    return found
