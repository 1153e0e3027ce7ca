"""Formulas as clauses of a sentence, for explanations."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from kripke_werewolf.formulas import syntax as s

__all__ = ["clause", "listed", "names"]

_DEEP = 6  # operators that a clause spells out before it quotes the formula


def clause(f: s.Formula, value: bool = True) -> str:
    """Return the clause that a formula is true, or that it is false.

    >>> clause(s.Knows("a", "~p")), clause(s.Not(s.KnowsWhether("b", "p")), False)
    ('a knows that p is false', 'b knows whether p is true')
    """
    head = ""
    for _ in range(_DEEP):
        knows, considers = ("knows", "considers") if value else ("does not know", "does not consider")
        match f:
            case s.Not(body):
                f, value = body, not value
                continue
            case s.Knows(agent, body):
                head += f"{agent} {knows} that "
            case s.Possible(agent, body):
                head += f"{agent} {considers} it possible that "
            case s.KnowsWhether(agent, body):
                head += f"{agent} {knows} whether "
            case s.Everyone(group, body):
                head += f"{'' if value else 'not '}all of {names(group)} know that "
            case s.Common(group, body):
                head += f"it is {'' if value else 'not '}common knowledge among {names(group)} that "
            case s.Distributed(group, body):
                head += f"{names(group)} {'know' if value else 'do not know'} together that "
            case _:
                break
        f, value = body, True
    return f"{head}{quoted(f)} is {'true' if value else 'false'}"


def quoted(f: s.Formula) -> str:
    """Return the text of a formula, in brackets if it is more than one word and a bracket."""
    text = str(f)
    return f"({text})" if isinstance(f, s.And | s.Or | s.Xor | s.Implies | s.Iff) else text


def names(group: Sequence[str]) -> str:
    """Return the names of a group: `a, b and c`."""
    return group[0] if len(group) == 1 else f"{', '.join(group[:-1])} and {group[-1]}"


def listed(worlds: Sequence[Hashable], number: int) -> str:
    """Return the first of `number` worlds: `w, v, u and 3 more`."""
    shown = ", ".join(map(str, worlds))
    return f"{shown} and {number - len(worlds)} more" if number > len(worlds) else shown
