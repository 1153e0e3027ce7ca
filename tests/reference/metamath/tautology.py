"""Tautologies by their truth tables: an integer has a bit for each row."""

from functools import reduce
from operator import and_, or_, xor

from kripke_werewolf import Formula, Undecided
from kripke_werewolf.logic import formulas as f

MOST = 22  # letters of a table


def is_tautology(formula: Formula) -> bool:
    """Return whether a formula is true in every row; what stands under another operator is a letter."""
    inside = (f.Constant, f.Not, f.And, f.Or, f.Xor, f.Implies, f.Iff, f.Count)
    letters, joined, pending = dict[Formula, int](), set[Formula](), [formula]
    while pending:
        node = pending.pop()
        if not isinstance(node, inside):
            letters.setdefault(node, len(letters))
        elif node not in joined:
            joined.add(node)
            pending += node.children
    if len(letters) > MOST:
        raise Undecided(f"a table of {len(letters)} letters is too large")
    every = (1 << (1 << len(letters))) - 1
    true: dict[Formula, int] = {}
    for letter, number in letters.items():  # every second block of 2 ** number rows
        block = 1 << number
        true[letter] = every // ((1 << block) + 1) << block
    for node in formula.subformulas():
        if node not in joined:
            continue
        parts = [true[child] for child in node.children]
        match node:
            case f.Constant(value):
                true[node] = every if value else 0
            case f.Not():
                true[node] = every & ~parts[0]
            case f.And():
                true[node] = reduce(and_, parts)
            case f.Or():
                true[node] = reduce(or_, parts)
            case f.Xor():
                true[node] = reduce(xor, parts)
            case f.Implies():
                true[node] = every & ~parts[0] | parts[1]
            case f.Iff():
                true[node] = every & ~(parts[0] ^ parts[1])
            case f.Count(kind, number):
                most = [every] + [0] * (len(parts) + 1)  # where at least so many are true
                for part in parts:
                    most = [every, *(most[n] | most[n - 1] & part for n in range(1, len(most)))]
                least = most[number] if number < len(most) else 0
                more = most[number + 1] if number + 1 < len(most) else 0
                true[node] = {"atleast": least, "atmost": every & ~more, "exactly": least & ~more}[kind]
    return true[formula] == every
