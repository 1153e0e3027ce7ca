"""Premises: a line that rests on premises stands for the implication from them.

By the deduction theorem, `φ1, …, φn ⊢ ψ` says that `φ1 & … & φn -> ψ` is derived. So the checker sees no
premises: it checks implications. Premises are true at one world, and need not be known; so a rule such as Nec
applies only to lines that rest on none.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from kripke_werewolf.language import operators as s
from kripke_werewolf.proofs.abbreviations import readings, unabbreviated
from kripke_werewolf.proofs.proof import Line
from kripke_werewolf.proofs.schemas import Premises
from kripke_werewolf.proofs.script import DoesNotApply, implication
from kripke_werewolf.proofs.systems import RULES

GIVEN = "given"
"""The word by which a line cites a premise."""

WITHIN_A_WORLD = ("MP", "PL", "Red", "RE", "Def")
"""The rules that also preserve truth at a single world."""


def discharged(
    line: Line, premises: Premises, above: Sequence[Line], rests: Sequence[Premises]
) -> tuple[Line, Premises]:
    """Return a line, expanded, as the implication from the premises on which it rests, and the premises.

    `premises` in expanded form; `rests`: the premises on which each line above rests.

    >>> from kripke_werewolf.language import parse
    >>> p = parse("p")
    >>> print(discharged(Line(parse("p | q"), "PL", (1,)), (p,), [Line(p, GIVEN)], [(p,)])[0].formula)
    p -> p | q

    Raises `DoesNotApply` for what is not a premise, and for a rule that does not apply to lines that rest on
    premises.
    """
    f, rule = unabbreviated(line.formula), line.rule
    if rule == GIVEN:
        if f not in premises:
            known = ", ".join(map(str, premises)) or "there are none"
            raise DoesNotApply(f"it is not one of the premises: {known}")
        return Line(s.Implies(f, f), "Taut"), (f,)
    used = tuple(p for p in premises if any(p in rests[n - 1] for n in line.refs))
    if used and rule not in WITHIN_A_WORLD:
        number, found = next((n, rests[n - 1]) for n in line.refs if rests[n - 1])
        raise DoesNotApply(
            f"{rule} needs lines that rest on no premise, and line {number} rests on "
            f"{', '.join(map(str, found))}, which is true here but perhaps not elsewhere"
        )
    if used and rule == "MP":  # between implications it is a step of propositional logic
        forms = readings([line.formula, *(above[n - 1].formula for n in line.refs)])
        if not any(RULES[rule].instance(order, g) for g, *cited in forms for order in permutations(cited)):
            raise DoesNotApply(f"the lines that it cites and this one are not of the form {RULES[rule].text}")
        rule = "PL"
    return Line(implication(used, f), rule, line.refs), used
