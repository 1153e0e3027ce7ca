"""How many ranks matter to a formula, so that models with orders can be decided without them.

The decision procedure evaluates a formula on literals (`translation`), where ranks are atoms as in any
model. If a formula has n conditions of belief and m operators of safe belief of an agent, only the best
worlds of the conditions, and m worlds where safe belief fails, need ranks of their own. So 1 + m + 2 n
ranks suffice, or 1 + n if m is 0. An update copies the conditions after it, once for each of its parts.
"""

from __future__ import annotations

from collections.abc import Iterable

from kripke_werewolf.base.errors import FormulaError
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.logics import Logic
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.semantics.ranks import RankAtom


def check_orders(f: Formula, logic: Logic) -> None:
    """Raise `FormulaError` for an operator about the order of an agent who has none in a logic."""
    for node in s.nodes_within(f):
        agents: Iterable[str] = ()
        if isinstance(node, s.Modal) and node.scope in s.ORDERED:
            agents = node.label
        elif isinstance(node, s.Dynamic) and isinstance(node.update, s.Upgrade):
            agents = f.agents
        lacking = [agent for agent in sorted(agents) if not logic.of((agent,)).ordered]
        if lacking:
            raise FormulaError(
                f"{node} depends on the order of {lacking[0]}, who has none in {logic}; ask in a logic with "
                "orders: 'S5 with orders', or for one agent 'a: S5 with orders, others: K'"
            )


def rank_atoms(f: Formula, logic: Logic) -> list[RankAtom]:
    """Return the atoms of the ranks that matter to a formula, for the agents with an order."""
    agents = [agent for agent in sorted(f.agents) if logic.of((agent,)).ordered]
    return [RankAtom(agent, k) for agent in agents for k in range(1, _most_rank(f, agent) + 1)]


def _most_rank(f: Formula, agent: str) -> int:
    """Return the greatest rank of an agent that matters to a formula."""
    best, safe = _conditions(f, agent)
    return safe + best * (2 if safe else 1)


def _conditions(f: Formula, agent: str) -> tuple[int, int]:
    """Return the number of conditions of an agent's belief in a formula, and of safe belief."""
    found: dict[Formula, tuple[int, int]] = {}
    for node in f.ordered(_parts):
        best = safe = 0
        times = 1
        if isinstance(node, s.Modal) and agent in node.label:
            safe = int(node.scope is s.Scope.ORDER)
            best = int(isinstance(node, s.Believes) or node.scope in (s.Scope.BEST, s.Scope.BELIEF))
        if isinstance(node, s.Dynamic):
            if isinstance(node.update, s.Upgrade):
                times = 2
                best += node.update.kind == "conservative"
            elif isinstance(node.update, s.Act):
                events = node.update.bound.events.values()
                times = len({event.rank_for(agent) for event in events})
        for part in _parts(node):
            copies = times if part is node.children[-1] else 1
            best, safe = best + copies * found[part][0], safe + copies * found[part][1]
        found[node] = best, safe
    return found[f]


def _parts(f: Formula) -> tuple[Formula, ...]:
    """Return the children of a formula, and the conditions of an action that it names."""
    if isinstance(f, s.Dynamic) and isinstance(f.update, s.Act):
        return (*f.update.bound.formulas, *f.children)
    return f.children
