"""Common knowledge after updates as a system of fixed points, one for each combination of events.

[U,s]C_G φ depends on the events that the members of G confuse: it holds iff, where s can happen, every member
knows [U,y](φ & C_G φ) for every event y that they then consider possible. So it is the greatest solution of
one equation for each event y that G can reach. Without updates, and after a public announcement, there is one
equation; after updates of updates, one for each combination of their events.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import NamedTuple

from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.proofs.abbreviations import unabbreviated
from kripke_werewolf.logic.semantics.space import Together


class State(NamedTuple):
    """One fixed point: [x]C_G^{ψ} φ, where x are events of all updates.

    `goal`: this formula. `condition`: where x can happen; None without updates. `body`: [x]φ. `within`:
    [x]ψ, `true` if there is no ψ. `steps`: the members of G, each with the numbers of the states to which
    they step, which are the events that they consider possible. `sign`: that of rules about the updates: @
    with an action, ! for an announcement, or none.
    """

    goal: Formula
    condition: Formula | None
    body: Formula
    within: Formula
    steps: tuple[tuple[str, int], ...]
    sign: str

    @property
    def fixed(self) -> Formula:
        """What those who step to this state know by the fixed point: [x]φ & [x]C_G^{ψ} φ, where [x]ψ."""
        return _where(self.within, s.And(self.body, self.goal))

    def entered(self, *invariant: Formula) -> Formula:
        """Return the formula by which induction keeps an invariant: it and [x]φ, where x happens, and [x]ψ.

        Without an invariant it is [x]φ alone.
        """
        if self.condition is None:
            return _where(self.within, s.conjunction([self.body, *invariant]))
        given = [self.condition]
        if self.within is not s.TRUE:
            given.append(self.within)
        return s.Implies(s.conjunction(given), s.conjunction([*invariant, self.body]))


def _where(condition: Formula, f: Formula) -> Formula:
    return f if condition is s.TRUE else s.Implies(condition, f)


@lru_cache(1024)
def states(goal: Formula) -> tuple[State, ...] | None:
    """Return the fixed points on which [x]C_G^{ψ} φ depends, itself first; None for another formula.

    Abbreviations must be expanded, and two announcements in a row made one.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> told = unabbreviated(parse("[a!p]C_{a,b} q"))
    >>> [(str(x.goal), x.steps) for x in states(told)]
    [('[private:told]C_{a,b} q', (('a', 0), ('b', 1))), ('[private:nothing]C_{a,b} q', (('a', 1), ('b', 1)))]
    """
    updates, common = updates_of(goal)
    announced = [isinstance(update, s.Announce) for update in updates]
    if not isinstance(common, s.Common) or any(map(all, pairwise(announced))):
        return None
    sign = "@"
    if all(announced):
        sign = "!" if updates else ""
    numbers, found = {tuple(updates): 0}, list[State]()
    while len(found) < len(numbers):
        here = list(numbers)[len(found)]
        steps = [
            (agent, numbers.setdefault(seen, len(numbers)))
            for agent in common.label
            for seen in product(*(taken_for((agent,), update) for update in here))
        ]
        goal, body, within = (after(here, f) for f in (common, common.body, common.within))
        if common.within is s.TRUE:
            within = s.TRUE
        happens = possible(goal) if isinstance(goal, s.Box) else None
        found.append(State(goal, happens, body, within, tuple(dict.fromkeys(steps)), sign))
    return tuple(found)


def taken_for(group: Sequence[str], update: s.Update) -> list[s.Update]:
    """Return the events that all of a group consider possible when one happens."""
    match update:
        case s.Act(name, event, model) if model is not None:
            return [s.Act(name, e, model) for e in model.successors(Together(tuple(group)), event)]
    return [update]


def under(box: Formula, body: Formula) -> Formula:
    """Return the operator of a box applied to another body."""
    return box.with_children((*box.children[:-1], body))


def instead(goal: Formula, f: Formula) -> Formula:
    """Return [x]f for a goal [x]C_G φ.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> print(instead(parse("[!p]C_{a,b} q"), parse("r")))
    [!p]r
    """
    return after(updates_of(goal)[0], f)


def after(updates: Sequence[s.Update], f: Formula) -> Formula:
    """Return [x]f for updates x, one after the other."""
    for update in reversed(updates):
        f = s.Box(update, f)
    return f


def updates_of(f: Formula) -> tuple[list[s.Update], Formula]:
    """Return the updates x of [x]φ, one after the other, and φ."""
    updates = list[s.Update]()
    while isinstance(f, s.Box):
        updates.append(f.update)
        f = f.body
    return updates, f


def possible(f: s.Box) -> Formula:
    """Return where the updates x of [x]φ can be made one after the other."""
    if not isinstance(f.body, s.Box):
        return condition(f)
    return s.And(condition(f), s.Box(f.update, possible(f.body)))


def condition(f: s.Box) -> Formula:
    """Return the condition under which the update of [update]ψ can happen."""
    match f.update:
        case s.Act(_, event, model) if model is not None:
            return unabbreviated(model.events[event].pre)
    return f.children[0]


def fixed_point(found: Sequence[State], place: int = 0) -> s.Iff:
    """Return the fixed point of a state: in which case it holds.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> print(fixed_point(states(parse("[!p]C_{a,b} q"))))
    [!p]C_{a,b} q <-> p -> K_a ([!p]q & [!p]C_{a,b} q) & K_b ([!p]q & [!p]C_{a,b} q)
    """
    here = found[place]
    known = s.conjunction(s.Knows(agent, found[end].fixed) for agent, end in here.steps)
    if here.condition is not None:
        known = s.Implies(here.condition, known)
    return s.Iff(here.goal, known)


def induction_step(found: Sequence[State], place: int, invariants: Sequence[Formula]) -> s.Implies:
    """Return the premise of induction for a state, with an invariant for each state.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> print(induction_step(states(parse("C_{a,b} p")), 0, [parse("q")]))
    q -> K_a (p & q) & K_b (p & q)
    """
    here, invariant = found[place], invariants[place]
    ends = [(agent, found[end], invariants[end]) for agent, end in here.steps]
    known = s.conjunction(s.Knows(agent, end.entered(kept)) for agent, end, kept in ends)
    if here.condition is not None:
        invariant = s.And(invariant, here.condition)
    return s.Implies(invariant, known)
