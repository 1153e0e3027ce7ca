"""Random valid formulas: implications of two agents, some with common knowledge or announcements."""

from collections.abc import Iterator, Sequence
from random import Random

from kripke_werewolf import LOGICS as DECIDED_IN
from kripke_werewolf import Formula, Undecided, valid
from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.formulas.logics import FRAME_AXIOMS
from kripke_werewolf.logic.proofs.tautologies import is_tautology

LOGICS = {name: DECIDED_IN[name] for name in FRAME_AXIOMS}
"""The logics in which formulas are derived, by name."""

KINDS = ("plain", "common", "announced")
_GROUP = ("a", "b")
_FEW_STEPS = 200_000


def theorems(
    number: int, rng: Random, *, depth: int = 3, kinds: Sequence[str] = KINDS
) -> Iterator[tuple[Formula, str, str]]:
    """Yield random valid formulas, the name of the logic of each, and its kind, in turn.

    By default a third of them has common knowledge, a third announcements. Most tautologies are left out,
    and most implications of which one side is never, or always, true.
    """
    for place in range(number):
        logic, kind = list(LOGICS)[place % len(LOGICS)], kinds[place % len(kinds)]
        while not _wanted(found := implication(kind, rng, depth), kind, logic, rng):
            pass
        yield found, logic, kind


def implication(kind: str, rng: Random, depth: int) -> f.Implies:
    """Return a random implication of a kind."""
    return f.Implies(formula(kind, rng, depth), formula(kind, rng, depth))


def formula(kind: str, rng: Random, depth: int) -> Formula:
    """Return a random formula of limited depth."""
    if depth == 0 or rng.random() < 0.15:
        return f.Atom(rng.choice("pq"))

    def part() -> Formula:
        return formula(kind, rng, depth - 1)

    special = {
        "plain": [],
        "common": ["C", "C", "E"],
        "announced": ["!", "!"],
        "together": ["D", "D"],
        "mixed": ["C", "D", "!", "!"],
    }[kind]
    match rng.choice(["~", "&", "|", "->", "K", "K", "K", "M", *special]):
        case "~":
            return f.Not(part())
        case "&":
            return f.And(part(), part())
        case "|":
            return f.Or(part(), part())
        case "->":
            return f.Implies(part(), part())
        case "K":
            return f.Knows(rng.choice(_GROUP), part())
        case "M":
            return f.Possible(rng.choice(_GROUP), part())
        case "C":
            return f.Common(_GROUP, part())
        case "E":
            return f.Everyone(_GROUP, part())
        case "D":
            return f.Distributed(_GROUP, part())
    return f.Box(f.Announce(part()), part())


def _wanted(found: f.Implies, kind: str, logic: str, rng: Random) -> bool:
    operators = {
        "plain": f.Formula,
        "common": f.Common,
        "announced": f.Box,
        "together": f.Distributed,
        "mixed": f.Box,
    }
    if not any(isinstance(node, operators[kind]) for node in found.subformulas()):
        return False
    try:
        sides = valid(~found.left, logic=logic) or valid(found.right, logic=logic)
        trivial = sides or is_tautology(found)
        return valid(found, logic=logic, limit=_FEW_STEPS) and (not trivial or rng.random() < 0.2)
    except Undecided:
        return False


def mutant(whole: Formula, rng: Random) -> Formula:
    """Return a formula with one symbol changed."""
    node = rng.choice(list(whole.subformulas()))
    other = rng.choice(_mutations(node))
    return whole.rewrite(lambda g: other if g is node else g)


def _mutations(node: Formula) -> list[Formula]:
    found: list[Formula] = [f.Not(node)]
    match node:
        case f.Atom(name):
            found.append(f.Atom("q" if name == "p" else "p"))
        case f.And(parts):
            found += [f.Or(*parts), parts[0]]
        case f.Or(parts):
            found += [f.And(*parts), parts[0]]
        case f.Implies(left, right):
            found += [f.Implies(right, left), f.Iff(left, right), right]
        case f.Iff(left, right):
            found += [f.Implies(left, right), f.Implies(right, left)]
        case f.Knows(agent, body):
            found += [f.Knows("b" if agent == "a" else "a", body), f.Common(_GROUP, body), body]
        case f.Everyone(_, body) | f.Common(_, body):
            found += [f.Knows("a", body), f.Everyone(_GROUP, body), f.Common(_GROUP, body)]
        case f.Box(f.Announce(content), body):
            found += [f.Box(f.Announce(body), content), body, f.Implies(content, body)]
        case f.Not(body):
            found.append(body)
    return found
