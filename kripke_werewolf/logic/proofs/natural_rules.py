"""The rules of natural deduction, each declared once.

Checker, hints, palettes, printers and the documentation read these declarations. A row cites rows and
subproofs, and becomes one line of a derivation: that what it rests on implies its formula. So a rule also
names the axioms and rules of the systems that this line cites, and whether it is sound in a logic is left to
them. The rules for connectives are those of Fitch (1952), strict subproofs for a box those of Fitch and of
Fagin, Halpern, Moses and Vardi (1995), with what may be brought into them in each logic as in Garson
(*Modal Logic for Philosophers*, 2013) and Huth and Ryan (*Logic in Computer Science*, 2004, chapter 5).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import permutations, product

from kripke_werewolf.base.display import Catalogue, Displayed
from kripke_werewolf.base.errors import UnknownNameError
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.proofs.systems import RULES, Schema, filled, instance_of, told_in


class RowKind(Enum):
    """What a row does, which decides what it may cite and the lines that it becomes."""

    OPEN = "begins a subproof, or states a premise"
    CONNECTIVES = "follows by the connectives"
    AXIOM = "follows from a row by an instance of an axiom `row -> formula`"
    REWRITE = "replaces one part of a row by an equivalent, in either direction"
    BRING = "brings what a row says into a box"
    CLOSE = "closes a box"
    INDUCTION = "closes a strict subproof by induction"


Shape = Callable[[Formula, Sequence[Formula], Sequence[s.Implies]], bool]


@dataclass(frozen=True, slots=True, repr=False)
class NaturalRule(Displayed):
    """A rule of natural deduction.

    `name`: its name in proofs; `also`: other names; `text`: its notation, in which `[φ … ψ]` is a subproof
    that assumes φ and contains ψ, and `K_a[… ψ]` a strict one; `english`: its meaning; `hilbert`: the axioms
    and rules that its line cites; `shape`: whether a formula, rows and subproofs fit it, if the notation does
    not say so.
    """

    name: str
    text: str
    english: str
    kind: RowKind
    hilbert: tuple[str, ...]
    also: tuple[str, ...] = ()
    shape: Shape | None = None

    def headline(self) -> str:
        """Return the name, the notation and the meaning."""
        return f"{self.name}, {self.text}: {self.english}"

    @property
    def unfit(self) -> str:
        """What is wrong with a row that does not have its form."""
        return f"the row and what it cites do not fit {self.headline()}"

    @property
    def step(self) -> int:
        """1 if its row begins a subproof, -1 if it cites one, which it ends; else 0."""
        return (self.name in BRACKETS) - ("…" in self.text.partition(" ⊢ ")[0] and " ⊢ " in self.text)

    def fits(self, f: Formula, rows: Sequence[Formula], subproofs: Sequence[s.Implies]) -> bool:
        """Return whether a formula follows from rows and subproofs by a rule for connectives.

        A subproof counts as the implication that it proves. Abbreviations must be expanded.
        """
        if self.shape is not None:
            return self.shape(f, rows, subproofs)
        return any(
            instance_of(schema, order, f) is not None for schema, order in self._tries(rows, subproofs)
        )

    def given(self, rows: Sequence[Formula], subproofs: Sequence[s.Implies]) -> Formula | None:
        """Return the formula that the rule yields, if rows and subproofs determine it.

        >>> from kripke_werewolf.logic.formulas import parse
        >>> print(NATURAL["->E"].given([parse("p"), parse("p -> K_a q")], []))
        K_a q
        """
        if self.shape is not None:
            return None
        for schema, order in self._tries(rows, subproofs):
            found = instance_of(schema._replace(conclusion=s.TRUE), order, s.TRUE)
            if found is not None and set(found) >= schema.conclusion.atoms:
                return schema.conclusion.substitute(found)
        return None

    def _tries(
        self, rows: Sequence[Formula], subproofs: Sequence[s.Implies]
    ) -> Iterator[tuple[Schema, tuple[Formula, ...]]]:
        """Yield the schemas of the notation, with what is cited in every order."""
        text = re.sub(r"\[([^\]]*) … ([^\]]*)\]", r"(\1 -> \2)", self.text)
        if len(subproofs) != self.text.count("["):
            return
        for form in text.split("; "):
            for order in product(permutations(rows), permutations(subproofs)):
                yield filled(form, ()), (*order[0], *order[1])


def _parts(kind: type[s.And] | type[s.Or], *formulas: Formula) -> set[Formula]:
    """Return the operands of conjunctions or disjunctions, even of nested ones."""
    nodes = (g for f in formulas for g in f.ordered(lambda g: g.children if isinstance(g, kind) else ()))
    return {g for g in nodes if not isinstance(g, kind)}


def _joined(f: Formula, rows: Sequence[Formula], cases: Sequence[s.Implies]) -> bool:
    return isinstance(f, s.And) and not cases and _parts(s.And, f) == _parts(s.And, *rows)


def _taken(f: Formula, rows: Sequence[Formula], cases: Sequence[s.Implies]) -> bool:
    return len(rows) == 1 and not cases and _parts(s.And, f) <= _parts(s.And, *rows)


def _weakened(f: Formula, rows: Sequence[Formula], cases: Sequence[s.Implies]) -> bool:
    return len(rows) == 1 and not cases and _parts(s.Or, *rows) <= _parts(s.Or, f)


def _split(f: Formula, rows: Sequence[Formula], cases: Sequence[s.Implies]) -> bool:
    whole = len(rows) == 1 and all(case.right is f for case in cases)
    return whole and _parts(s.Or, *rows) <= _parts(s.Or, *(case.left for case in cases))


def _any(f: Formula, rows: Sequence[Formula], cases: Sequence[s.Implies]) -> bool:
    return True


def _rule(
    name: str, text: str, english: str, kind: RowKind, *cited: str,
    also: tuple[str, ...] = (), shape: Shape | None = None,
) -> NaturalRule:  # fmt: skip
    """Declare a rule."""
    if kind is RowKind.CONNECTIVES and not cited:
        cited = ("PL",)
    return NaturalRule(name, text, english, kind, cited, also, shape)


_UPDATES = [r for r in RULES.values() if r.name[0] in "!@" and r.is_axiom and r.name != "!="]
_NAMES = [r.name for r in _UPDATES]
_ONE_PLACE = "at one place, in either direction"
_AXIOM, _REWRITE, _INDUCTION = RowKind.AXIOM, RowKind.REWRITE, RowKind.INDUCTION
_SHAPES = {"&I": _joined, "&E": _taken, "|I": _weakened, "|E": _split, "PL": _any}
_DECLARED = (
    *(
        _rule(name, text.strip(), english, RowKind[kind.upper()], *cited, also=also, shape=_SHAPES.get(name))
        for name, also, (kind, *cited), english, (text,) in told_in("natural")
    ),
    _rule("!=", "everywhere (φ <-> ψ) ⊢ [!φ]χ <-> [!ψ]χ", RULES["!="].english, _AXIOM, "!="),
    _rule("Ind", "χ, [χ … E_G (φ & χ)] ⊢ C_G φ", "induction", _INDUCTION, "Ind", "Ind!", "Ind@"),
    _rule("Mix", RULES["Mix"].text, f"a fixed point, {_ONE_PLACE}", _REWRITE, "Mix", "Mix!", "Mix@"),
    _rule("!", "χ([!φ]ψ) ⊢ χ(…)", f"any axiom about updates, {_ONE_PLACE}", _REWRITE, *_NAMES),
    *(_rule(rule.name, rule.text, rule.english, _REWRITE, rule.name) for rule in _UPDATES),
)

NATURAL: Mapping[str, NaturalRule] = Catalogue.of(
    {rule.name: rule for rule in _DECLARED}, NaturalRule.headline
)
"""The rules by name."""

PALETTE = tuple(name for name in NATURAL if name != "PL")
"""The rules that a proof may use unless it says otherwise: PL would leave nothing to do."""

BRACKETS = frozenset({"assume", "box", "invariant"})
"""The rules that begin a subproof."""

STRICT = BRACKETS - {"assume"}
"""The rules that begin a subproof that rows from outside cannot enter, unless they rest on nothing."""


_RESTS_ON = {"RK4": {"4", "5", "5_U", "Mix"}, "RK5": {"5", "5_U"}, "C->K": {"Mix"}}
"""Derived rules, each with axioms, one of which suffices."""


def useful(axioms: Iterable[str], premises: Sequence[Formula]) -> Iterator[str]:
    """Yield the rules of the palette that are of use where these axioms hold.

    >>> rules = [*useful(["T", "4"], [])]
    >>> "R4" in rules, "R5" in rules, "Ind" in rules, "premise" in rules
    (True, False, False, False)
    """
    known = {"PL", "RK", *axioms}
    known |= {name for name, needed in _RESTS_ON.items() if needed & known}
    absent = {"premise": not premises, "invariant": "Ind" not in known}
    for rule in map(NATURAL.__getitem__, PALETTE):
        has = any if rule.kind in (_AXIOM, _REWRITE, _INDUCTION) else all
        if not absent.get(rule.name) and has(name in known for name in rule.hilbert):
            yield rule.name


def natural_rule(name: str) -> NaturalRule:
    """Return the rule with a name, or with another name for it; raises `UnknownNameError`.

    >>> natural_rule("∧i").name, natural_rule("MP").name
    ('&I', '->E')
    """
    for fold in (str, str.casefold):
        for rule in NATURAL.values():
            if fold(name) in map(fold, (rule.name, *rule.also)):
                return rule
    raise UnknownNameError(name, list(NATURAL), kind="rule of natural deduction")
