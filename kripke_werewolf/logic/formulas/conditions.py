"""Conditions of questions: they restrict the worlds that a question is about to those where they hold."""

from __future__ import annotations

from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.syntax import Formula, joined


def within(given: Formula, f: Formula) -> tuple[Formula, Formula]:
    """Return a formula as it is asked on a condition, and the statement that some world is left for it.

    What is said of all worlds, of some, or of what agents know or find likely, is then said of those worlds,
    or of those of these agents, where the condition holds. Anything else is asked where it holds, and stays
    as it is; so does knowledge of the condition itself ("if Bo is the seer, does Cy know it?"), because
    nobody learns the condition.

    >>> print(*within(s.Atom("q"), s.P("a", "p") >= "1/2"), sep=", ")
    P_a(q & p) - 1/2*P_a(q) >= 0, P_a(q) > 0
    >>> print(*within(s.Atom("q"), s.Knows("a", "p")), *within(s.Atom("q"), s.Knows("a", "q")), sep=", ")
    K_a (q -> p), ~K_a ~q, K_a q, q
    """
    if isinstance(f, s.Somewhere):
        return s.Somewhere(given & f.body), s.Somewhere(given)
    if isinstance(f, s.Everywhere):
        return s.Everywhere(s.Implies(given, f.body)), s.Somewhere(given)
    if isinstance(f, s.Probability) and len({term.agent for term in f.terms}) == 1:
        agent = f.terms[0].agent
        terms = [(term.coefficient, agent, given & term.body) for term in f.terms]
        return s.Probability([*terms, (-f.bound, agent, given)], f.relation, 0), s.P(agent, given) > 0
    if isinstance(f, s.OfAgent | s.OfGroup) and f.within is s.TRUE and f.body not in (given, ~given):
        if f.mode is s.Mode.WHETHER and (parts := f.unfolded()) is not None:
            asked = [within(given, part) for part in parts.children]
            return parts.with_children(part for part, _ in asked), asked[0][1]
        if f.mode is s.Mode.DIAMOND:
            return f.with_children([given & f.body]), f.with_children([given])
        if f.mode is s.Mode.BOX:
            return f.with_children([s.Implies(given, f.body)]), ~f.with_children([~given])
    return f, given


def conditioned(f: Formula, given: Formula) -> tuple[Formula, Formula]:
    """Return a question as it is asked on a condition, and where: in the worlds where the second is true.

    Their verdicts give that of the question, see `Verdict.among`. The second has the names of the first, so
    that the same worlds are counted. What a condition restricts is said in `within`.

    >>> from kripke_werewolf import Atom, Somewhere
    >>> print(*conditioned(Atom("p"), Atom("q")), *conditioned(Somewhere("p"), Atom("q"))[:1], sep=", ")
    p, q & (p | ~p), somewhere (q & p)
    """
    new, left = dict[Formula, Formula](), dict[Formula, None]()
    for node in f.ordered(joined):
        if parts := joined(node):
            new[node] = node.with_children(new[part] for part in parts)
        else:
            new[node], some = within(given, node)
            left[some] = None
    return new[f], s.conjunction(left) & (new[f] | ~new[f])
