"""A judge of explanations: whether every claim is true in the model and follows from its reasons."""

from collections.abc import Hashable
from itertools import pairwise
from typing import Any

from kripke_werewolf.logic.english.sentences import People
from kripke_werewolf.logic.formulas import Formula
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.operators import Mode, Scope
from kripke_werewolf.logic.semantics.bits import BitSpace
from kripke_werewolf.logic.semantics.explanation import (
    Explanation,
    Link,
    _after,
    _junction,
    _looked_at,
    _outcomes,
    _Place,
)
from kripke_werewolf.logic.semantics.space import Worlds


def follows(model: Any, explanation: Explanation) -> bool:
    """Return whether every claim is true in the model and follows from its reasons."""
    places = {(): _Place(model.space.asked(), (), str, People.of(None))}
    return all(_follows(model, places, node) for node in explanation)


def _verdict_follows(model: Any, node: Explanation) -> bool:
    """Return whether a claim about all designated worlds follows from the claims about some."""
    verdict = model.verdict(node.formula)
    values = {child.value for child in node.children}
    return (
        values == {"true": {True}, "false": {False}, "mixed": {True, False}}[verdict]
        and node.value == (verdict == "true")
        and all(c.formula is node.formula and c.world in model.designated for c in node.children)
    )


def _follows(model: Any, places: dict[Any, _Place], node: Explanation) -> bool:
    """Return whether a claim is true in the model, its links exist, and its reasons suffice."""
    if node.world is None:
        return _verdict_follows(model, node)
    for number, update in enumerate(node.after):
        way = node.after[: number + 1]
        if way not in places:
            places[way] = places[way[:-1]].updated(s.Box(update, s.TRUE))
    space = places[node.after].space
    here = space.find(node.world)
    return (
        here is not None
        and space.has(space.truth(node.formula), here) == node.value
        and all(_linked(space, link) for link in node.links)
        and _suffices(space, node, here)
    )


def _linked(space: Worlds[Any], link: Link) -> bool:
    w, v = space.find(link.source), space.find(link.target)
    return (
        w is not None
        and v is not None
        and all(space.has(space.sees(space.relations[a], w), v) for a in link.agents)
    )


def _suffices(space: Worlds[Any], node: Explanation, here: int) -> bool:
    f, children = node.formula, node.children
    if node.rule in ("looked up", "numbers", "valuation"):
        return not children
    if not children:  # a summary: the claim itself has been evaluated
        return node.rule in ("all parts", "all worlds", "all outcomes")
    if isinstance(f, s.Dynamic):
        return _suffices_after(space, f, node, here)
    if any(child.after != node.after for child in children):
        return False
    if node.rule in ("negation", "one part", "all parts"):
        given = {child.formula: child.value for child in children}
        return all(c.world == node.world for c in children) and _from_parts(space, f, given) == node.value
    ends = [child.world for child in children]
    links = [tuple(link) for link in node.links]
    if node.rule == "two values":
        return isinstance(f, s.KnowsValue) and (
            links == [(node.world, (f.agent,), end) for end in ends] and _two_values(space, f, ends)
        )
    if not isinstance(f, s.Modal) or any(child.formula is not f.body for child in children):
        return False
    values = {child.value for child in children}
    if node.rule == "path":
        return (
            f.scope is Scope.REACH
            and node.links[0].source == node.world
            and all(a.target == b.source for a, b in pairwise(node.links))
            and [node.links[-1].target] == ends
            and all(set(link.agents) <= set(f.label) for link in node.links)
            and all(_is_true(space, f.within, link.target) for link in node.links)
            and values == {f.mode is Mode.DIAMOND}
        )
    if f.scope in (Scope.AGENT, Scope.MEET) and links != [(node.world, f.label, end) for end in ends]:
        return False
    match node.rule:
        case "two worlds":
            return f.mode is Mode.WHETHER and values == {True, False}
        case "one world":
            return values == {f.mode is Mode.DIAMOND}
    there = [space.find(end) for end in ends]
    return values == {f.mode is Mode.BOX} and {*there} == {*space.members(_looked_at(space, f, here))}


def _is_true(space: Worlds[Any], f: Formula, name: Hashable) -> bool:
    world = space.find(name)
    return world is not None and space.has(space.truth(f), world)


def _from_parts(space: Worlds[Any], f: Formula, given: dict[Formula, bool]) -> bool | None:
    """Return the truth value that follows from those of some parts; None if it is not determined."""
    settled = _junction(space, f)
    if settled is not None:
        literals, decides = settled
        values = {given[g] == positive for g, positive in literals if g in given}
        if decides in values:
            return decides
        return not decides if given.keys() >= {g for g, _ in literals} else None
    if not f.pointwise or not given.keys() >= {*f.children}:
        return None
    known = f.with_children(s.Constant(given[g]) for g in f.children)
    return bool(BitSpace(1, {}, {}, str, {}, {}).truth(known))


def _two_values(space: Worlds[Any], f: s.KnowsValue, ends: list[Hashable]) -> bool:
    first, second = map(space.find, ends)
    if first is None or second is None:
        return False
    values = [space.truth(g) for g in space.variables[f.variable].values()]
    return not any(space.has(true, first) and space.has(true, second) for true in values)


def _suffices_after(space: Worlds[Any], f: s.Dynamic, node: Explanation, here: int) -> bool:
    after = _after(space, f)
    outcomes = set(_outcomes(space, f, after, here))
    values = {child.value for child in node.children}
    if node.rule == "cannot happen":
        return not outcomes and node.value == f.every and values == {False}
    found = {after.find(child.world) for child in node.children}
    if any((c.after, c.formula) != ((*node.after, f.update), f.body) for c in node.children):
        return False
    if node.rule == "afterwards":
        return values == {not f.every} == {node.value} and found <= outcomes
    return node.rule == "all outcomes" and values == {f.every} and found == outcomes
