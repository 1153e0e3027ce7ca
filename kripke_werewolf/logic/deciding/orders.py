"""How many ranks matter to a formula, so that models with orders can be decided without them.

The decision procedure evaluates a formula on literals (`translation`), where ranks are atoms as in any
model. If a formula has n conditions of belief and m operators of safe belief of an agent, only the best
worlds of the conditions, and m worlds where safe belief fails, need ranks of their own. So 1 + m + 2 n
ranks suffice, or 1 + n if m is 0. An update copies the conditions after it, once for each of its parts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kripke_werewolf.base.errors import FormulaError
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.logics import Logic
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.semantics.ranks import RankAtom


def check_decidable(f: Formula, logic: Logic) -> None:
    """Raise `FormulaError` for Kv, and for an operator about the order of an agent who has none."""
    nodes: Iterable[Formula] = (*f.below, f)
    if f.is_scattered:
        nodes = s.nodes_within(f)
    for node in nodes:
        if isinstance(node, s.KnowsValue):
            raise FormulaError(
                f"cannot decide {str(node)!r}: Kv_a is not supported, because formulas do not say which "
                "values the variable has"
            )
        agents: Iterable[str] = ()
        if isinstance(node, s.Modal) and node.scope in s.ORDERED:
            agents = node.label
        elif isinstance(node, s.Dynamic) and isinstance(node.update, s.Upgrade):
            agents = f.agents
        for agent in sorted(agents):
            if not logic.of((agent,)).ordered:
                raise FormulaError(
                    f"{node} depends on the order of {agent}, who has none in {logic}; ask in a logic with "
                    "orders: 'S5 with orders', or for one agent 'a: S5 with orders, others: K'"
                )


def rank_atoms(f: Formula, logic: Logic) -> list[RankAtom]:
    """Return the atoms of the ranks that matter to a formula, for the agents with an order."""
    agents = [agent for agent in sorted(f.agents) if logic.of((agent,)).ordered]
    return [RankAtom(agent, k) for agent in agents for k in range(1, _most_rank(f, agent) + 1)]


def _most_rank(f: Formula, agent: str) -> int:
    """Return the greatest rank of an agent that matters to a formula."""
    kinds = [condition[0] for condition in _conditions(f, agent)]
    safe = kinds.count("safe")
    return safe + kinds.count("best") * (2 if safe else 1)


def _conditions(f: Formula, agent: str) -> frozenset[tuple[Any, ...]]:
    """Return the sets that the order of an agent is asked about: `best` of a condition, or `safe`.

    One that is asked about after an update is several before it, one for each copy of the worlds.
    """
    found: dict[Formula, frozenset[tuple[Any, ...]]] = {}
    for node in f.ordered(_parts):
        own, copies = set[tuple[Any, ...]](), 1
        match node:
            case s.Modal(body) if agent in node.label:
                if node.scope is s.Scope.ORDER:
                    own.add(("safe", body))
                elif isinstance(node, s.Best):
                    own.add(("best", body))
                elif isinstance(node, s.Believes) or node.scope in s.ORDERED:
                    own.add(("best", node.within))
            case s.Dynamic(s.Upgrade(content, kind), _):
                copies = 2
                if kind == "conservative":
                    own.add(("best", content))
            case s.Dynamic(s.Act() as act, _):
                copies = len({event.rank_for(agent) for event in act.bound.events.values()})
        here = _parts(node)
        if isinstance(node, s.Dynamic):
            update, here = (node.label, node.children[:-1]), here[:-1]
            own |= {(c[0], update, n, c) for c in found[node.body] for n in range(copies)}
        found[node] = frozenset(own.union(*(found[part] for part in here)))
    return found[f]


def _parts(f: Formula) -> tuple[Formula, ...]:
    """Return the conditions of an action that a formula names, and then its children."""
    if isinstance(f, s.Dynamic) and isinstance(f.update, s.Act):
        return (*f.update.bound.formulas, *f.children)
    return f.children
