"""Checking an explanation: whether each claim holds, and follows from those it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from kripke_werewolf.language import operators as s
from kripke_werewolf.models.common import reachable
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.semantics.explanation import Explanation
from kripke_werewolf.semantics.truth import Frame, evaluated

__all__ = ["follows"]


def follows(model: KripkeModel, node: Explanation) -> bool:
    """Return whether a claim is true in the model, its links exist, and its reasons suffice."""
    frame = evaluated(model, [])
    for update in node.after:
        frame.add([s.Box(update, s.TRUE)])
        frame = frame.after[update][0]
    if node.world is None:
        return _designated(frame, node)
    here = frame.model.names.find(node.world)
    if here is None:
        return False
    frame.add([node.formula])
    return (
        bool(frame.memo[node.formula][here]) == node.value
        and all(_linked(frame, *link) for link in node.links)
        and _suffices(frame, node, here)
    )


def _designated(frame: Frame, node: Explanation) -> bool:
    verdict = frame.model.verdict(node.formula)
    values = {child.value for child in node.children}
    return (
        values == {"true": {True}, "false": {False}, "mixed": {True, False}}[verdict]
        and node.value == (verdict == "true")
        and all(c.formula is node.formula and c.world in frame.model.designated for c in node.children)
    )


def _linked(frame: Frame, source: object, agents: Sequence[str], target: object) -> bool:
    names = frame.model.names
    w, v = names.find(source), names.find(target)
    return (
        w is not None
        and v is not None
        and all(v in frame.model.relations[agent].successors(w) for agent in agents)
    )


def _suffices(frame: Frame, node: Explanation, here: int) -> bool:
    f, children = node.formula, node.children
    if node.rule in ("looked up", "numbers", "valuation"):
        return not children
    if not children:  # summed up: the claim itself has been looked up
        return node.rule in ("all parts", "all worlds", "all outcomes")
    if node.rule in ("negation", "one part", "all parts"):
        given = {child.formula: child.value for child in children}
        if any((child.world, child.after) != (node.world, node.after) for child in children):
            return False
        return _from_parts(frame, f, given) == node.value
    if node.rule in ("cannot happen", "afterwards", "all outcomes"):
        return _after(frame, node, here)
    if any(child.after != node.after for child in children):
        return False
    if node.rule == "two values":
        return _two_values(frame, node)
    body = f.children[0]
    if any(child.formula is not body for child in children):
        return False
    ends = [child.world for child in children]
    if node.rule == "path":
        sources = [link.source for link in node.links]
        return (
            isinstance(f, s.Common)
            and sources[0] == node.world
            and all(a.target == b.source for a, b in pairwise(node.links))
            and [node.links[-1].target] == ends
            and all(set(link.agents) <= set(f.group) for link in node.links)
            and not children[0].value
        )
    if not isinstance(f, s.Everywhere | s.Somewhere | s.Common):
        agents = (f.agent,) if isinstance(f, s.Knows | s.Possible | s.KnowsWhether) else f.label
        if [tuple(link) for link in node.links] != [(node.world, agents, end) for end in ends]:
            return False
    values = {child.value for child in children}
    if node.rule == "two worlds":
        return values == {True, False}
    universal = isinstance(f, s.Knows | s.Distributed | s.Everywhere | s.Common)
    if node.rule == "one world":
        return values == {not universal}
    return values == {universal} and {frame.model.names.find(end) for end in ends} == set(
        _looked_at(frame, f, here)
    )


def _looked_at(frame: Frame, f: s.Formula, here: int) -> list[int]:
    match f:
        case s.Knows(agent, _) | s.Possible(agent, _):
            found = frame.model.relations[agent].successors(here)
        case s.Distributed(group, _):
            found = frame.meet(group).successors(here)
        case s.Common(group, _):
            start = np.zeros(len(frame.model), bool)
            start[here] = True
            found = np.flatnonzero(reachable([frame.model.relations[a] for a in group], start))
        case _:
            found = np.arange(len(frame.model))
    return [int(v) for v in found]


def _from_parts(frame: Frame, f: s.Formula, given: dict[s.Formula, bool]) -> bool | None:
    """Return the truth value that follows from those of some parts; None if none does."""
    match f:
        case s.Not(g):
            known = given.get(g)
            return None if known is None else not known
        case s.Implies(g, h):
            left = given.get(g)
            return _any([None if left is None else not left, given.get(h)])
        case s.Xor(parts) if all(g in given for g in parts):
            return sum(given[g] for g in parts) % 2 == 1
        case s.Iff(g, h) if g in given and h in given:
            return given[g] == given[h]
        case s.Count(kind, number, parts) if all(g in given for g in parts):
            true = sum(given[g] for g in parts)
            return {"exactly": true == number, "atleast": true >= number, "atmost": true <= number}[kind]
        case s.And(parts):
            return _all([given.get(g) for g in parts])
        case s.Or(parts):
            return _any([given.get(g) for g in parts])
        case s.Everyone(group, g):
            return _all([given.get(s.Knows(agent, g)) for agent in group])
        case s.Forall():
            return _all([given.get(g) for g in frame.expanded(f)])
        case s.Exists() | s.KnowsValue():
            return _any([given.get(g) for g in frame.expanded(f)])
        case s.KnowsWhether(agent, g):
            return _any([given.get(s.Knows(agent, g)), given.get(s.Knows(agent, ~g))])
        case s.DistributedWhether(group, g):
            return _any([given.get(s.Distributed(group, g)), given.get(s.Distributed(group, ~g))])
        case s.CommonWhether(group, g):
            return _any([given.get(s.Common(group, g)), given.get(s.Common(group, ~g))])
    return None


def _all(values: Sequence[bool | None]) -> bool | None:
    return False if False in values else None if None in values else True


def _any(values: Sequence[bool | None]) -> bool | None:
    return True if True in values else None if None in values else False


def _two_values(frame: Frame, node: Explanation) -> bool:
    assert isinstance(node.formula, s.KnowsValue)
    values = list(frame.model.variables[node.formula.variable].values())
    frame.add(values)
    first, second = (frame.model.names.index(child.world) for child in node.children)
    here = [(node.world, (node.formula.agent,), child.world) for child in node.children]
    return [tuple(link) for link in node.links] == here and all(
        not (frame.memo[g][first] and frame.memo[g][second]) for g in values
    )


def _after(frame: Frame, node: Explanation, here: int) -> bool:
    assert isinstance(node.formula, s.Box | s.Diamond)
    update, box = node.formula.update, isinstance(node.formula, s.Box)
    after, updated = frame.after[update]
    outcomes = set(np.flatnonzero((updated.world == here) & updated.chosen).tolist())
    if node.rule == "cannot happen":
        return not outcomes and node.value == box and not any(child.value for child in node.children)
    found = {after.model.names.find(child.world) for child in node.children}
    if any(child.after != (*node.after, update) for child in node.children) or not found <= outcomes:
        return False
    if any(child.formula is not node.formula.body for child in node.children):
        return False
    values = {child.value for child in node.children}
    if node.rule == "afterwards":
        return values == {not box} and node.value == (not box)
    return values == {box} and found == outcomes
