"""From the full language to the core language.

Quantifiers over atoms expand to both values, and counting to a table of partial counts. Public
announcements are translated away: after them, an operator looks only at the worlds that survived
them. That is the reduction axioms of public announcement logic (Plaza 1989), and for common
knowledge those of Van Benthem, Van Eijck and Kooi (2006), read all at once. Other updates are
translated by the reduction axioms of `formulas.reduction`, which common knowledge does not have.
"""

from __future__ import annotations

from kripke_werewolf.deciding.core import FALSE, TRUE, Builder, Core
from kripke_werewolf.deciding.sat import Steps
from kripke_werewolf.errors import FormulaError
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.logics import Logic
from kripke_werewolf.language.probability import Probability
from kripke_werewolf.language.reduction import reduce_announcements

__all__ = ["translate"]

# the formula is written out 2^n times for n names
_MOST_QUANTIFIED = 10


def translate(formula: Formula, logic: Logic, steps: Steps) -> Core:
    """Return the formula in the core language, equivalent on the frames of the logic.

    Raises `FormulaError` naming the operator: for probability, for knowing a value, and for common
    knowledge after updates other than public announcements; `UnknownActionError` for an action
    that is not bound; `Undecided` when nested announcements take too many steps.
    """
    plain = formula.rewrite(_expanded)
    build = Builder(logic)
    # a subformula is read after announcements: among the worlds where this literal is true
    start = (plain, TRUE)
    done: dict[tuple[Formula, int], int] = {}
    stack = [start]
    while stack:
        node, alive = stack[-1]
        if (node, alive) in done:
            stack.pop()
            continue
        needed = _needed(build, node, alive, done)
        missing = [key for key in needed if key not in done]
        if missing:
            stack.extend(reversed(missing))
        else:
            # an operator under nested announcements costs as much as some looks at a clause
            steps.take(20)
            done[node, alive] = _literal(build, node, alive, [done[key] for key in needed])
            stack.pop()
    return build.finish(done[start], formula.agents)


def _expanded(node: Formula) -> Formula:
    """Write out a quantifier or an update other than a public announcement; inner ones are gone already."""
    match node:
        case s.Forall(names, body) | s.Exists(names, body):
            if len(names) > _MOST_QUANTIFIED:
                raise FormulaError(
                    f"cannot decide {str(node)!r}: a quantifier over {len(names)} atoms is too large "
                    f"to write out (at most {_MOST_QUANTIFIED})"
                )
            for name in names:
                values = [body.substitute({name: v}) for v in (s.TRUE, s.FALSE)]
                body = s.conjunction(values) if isinstance(node, s.Forall) else s.disjunction(values)
            return body
        case s.Box(s.Announce(_, None, False)) | s.Diamond(s.Announce(_, None, False)):
            return node
        case s.Box(s.Announce(_, None, True), body) | s.Diamond(s.Announce(_, None, True), body):
            # worlds with the other answer are cut off but exist: only everywhere sees them
            if any(isinstance(f, s.Everywhere | s.Somewhere) for f in body.subformulas()):
                return reduce_announcements(node)
        case s.Box() | s.Diamond():
            return reduce_announcements(node)
    return node


def _needed(
    build: Builder, node: Formula, alive: int, done: dict[tuple[Formula, int], int]
) -> list[tuple[Formula, int]]:
    """List what must be translated before the node: its children, each after its announcements."""
    match node:
        case s.Box(s.Announce(content, _, whether), body) | s.Diamond(s.Announce(content, _, whether), body):
            said = done.get((content, alive))
            if said is None:
                return [(content, alive)]
            answers = (said, -said) if whether else (said,)
            return [(content, alive), *((body, build.conj((alive, answer))) for answer in answers)]
        case Probability():
            raise FormulaError(f"cannot decide {str(node)!r}: probability (P_a) is not supported")
        case s.KnowsValue():
            raise FormulaError(
                f"cannot decide {str(node)!r}: Kv_a is not supported, because formulas do not say which "
                "values the variable has"
            )
    return [(child, alive) for child in node.children]


def _literal(build: Builder, node: Formula, alive: int, parts: list[int]) -> int:
    """Return the literal of the node, given those of what it needed."""

    def box(group: tuple[str, ...], body: int) -> int:
        return build.box(group, build.implies(alive, body))

    match node:
        case s.Atom(name):
            return build.atom(name)
        case s.Constant(value):
            return TRUE if value else FALSE
        case s.Not():
            return -parts[0]
        case s.And():
            return build.conj(parts)
        case s.Or():
            return build.disj(parts)
        case s.Xor():
            odd = FALSE
            for part in parts:
                odd = -build.iff(odd, part)
            return odd
        case s.Implies():
            return build.implies(*parts)
        case s.Iff():
            return build.iff(*parts)
        case s.Count("atleast", number, _):
            return build.at_least(number, parts)
        case s.Count("atmost", number, _):
            return -build.at_least(number + 1, parts)
        case s.Count("exactly", number, _):
            return build.conj((build.at_least(number, parts), -build.at_least(number + 1, parts)))
        case s.Knows(agent, _):
            return box((agent,), parts[0])
        case s.Possible(agent, _):
            return -box((agent,), -parts[0])
        case s.KnowsWhether(agent, _):
            return build.disj(box((agent,), part) for part in (parts[0], -parts[0]))
        case s.Everyone(group, _):
            return build.conj(box((agent,), parts[0]) for agent in group)
        case s.Distributed(group, _):
            return box(group, parts[0])
        case s.DistributedWhether(group, _):
            return build.disj(box(group, part) for part in (parts[0], -parts[0]))
        case s.Common(group, _):
            return build.common(group, alive, parts[0])
        case s.CommonWhether(group, _):
            return build.disj(build.common(group, alive, part) for part in (parts[0], -parts[0]))
        case s.Everywhere():
            return box((), parts[0])
        case s.Somewhere():
            return -box((), -parts[0])
        case s.Box(s.Announce(_, _, whether)) | s.Diamond(s.Announce(_, _, whether)):
            said, *after = parts
            ways = [build.conj((said, after[0]))]
            if whether:
                # exactly one of the answers is given, so box and diamond say the same
                ways.append(build.conj((-said, after[1])))
            elif isinstance(node, s.Box):
                ways.append(-said)
            return build.disj(ways)
    raise FormulaError(f"cannot decide {str(node)!r}: {type(node).__name__} is not supported")
