"""A slow checker over plain Python sets, one clause per operator, as the definitions read."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product as tuples
from operator import eq, ge, gt, le, lt, ne
from typing import Any

from kripke_werewolf import ActionModel, Formula, KripkeModel, private, semi_private, whether
from kripke_werewolf.logic import formulas as f

World = Hashable
Pairs = frozenset[tuple[World, World]]


@dataclass(frozen=True)
class Plain:
    """A Kripke model of sets; `true` holds the worlds of each atom, `weights` a number per agent, world."""

    worlds: tuple[World, ...]
    relations: Mapping[str, Pairs]
    true: Mapping[str, frozenset[World]]
    designated: frozenset[World]
    weights: Mapping[str, Mapping[World, Fraction]]
    variables: Mapping[str, Mapping[str, Formula]] = field(default_factory=dict)
    memo: dict[Formula, frozenset[World]] = field(default_factory=dict, compare=False, repr=False)

    def seen(self, agent: str, world: World) -> frozenset[World]:
        """Return the worlds that an agent considers possible at a world."""
        return frozenset(v for w, v in self.relations[agent] if w == world)

    def build(self) -> KripkeModel:
        """Return the library's model of the same parts."""
        return KripkeModel(
            self.worlds,
            self.relations,
            self.true,
            self.designated,
            weights={a: w for a, w in self.weights.items() if len(set(w.values())) > 1},
            variables=self.variables,
        )


def plain(model: KripkeModel) -> Plain:
    """Return a model of the library as sets."""
    names = list(model.worlds)
    return Plain(
        tuple(names),
        {a: frozenset((names[i], names[j]) for i, j in model.space.pairs(a)) for a in model.agents},
        {p: frozenset(model.where(f.Atom(p))) for p in model.atoms},
        frozenset(model.designated),
        {
            a: {n: Fraction(x) for n, x in zip(names, model.space.listed_weights(a), strict=True)}
            for a in model.agents
        },
        model.variables,
    )


def holds(model: Plain, formula: Formula, world: World) -> bool:
    """Return whether a formula is true at a world."""
    return world in extension(model, formula)


def extension(model: Plain, formula: Formula) -> frozenset[World]:
    """Return the worlds where a formula is true."""
    if formula not in model.memo:
        model.memo[formula] = frozenset(w for w in model.worlds if _true(model, formula, w))
    return model.memo[formula]


def _true(m: Plain, formula: Formula, w: World) -> bool:
    match formula:
        case f.Atom(name):
            return w in m.true[name]
        case f.Constant(value):
            return bool(value)
        case f.Not(g):
            return not holds(m, g, w)
        case f.And(parts):
            return all(holds(m, g, w) for g in parts)
        case f.Or(parts):
            return any(holds(m, g, w) for g in parts)
        case f.Xor(parts):
            return sum(holds(m, g, w) for g in parts) % 2 == 1
        case f.Implies(g, h):
            return not holds(m, g, w) or holds(m, h, w)
        case f.Iff(g, h):
            return holds(m, g, w) == holds(m, h, w)
        case f.Count(kind, number, parts):
            count = sum(holds(m, g, w) for g in parts)
            return {"exactly": count == number, "atleast": count >= number, "atmost": count <= number}[kind]
        case f.Knows(agent, g):
            return m.seen(agent, w) <= extension(m, g)
        case f.Possible(agent, g):
            return bool(m.seen(agent, w) & extension(m, g))
        case f.KnowsWhether(agent, g):
            return _whether(m.seen(agent, w), extension(m, g))
        case f.KnowsValue(agent, variable):
            return any(m.seen(agent, w) <= extension(m, g) for g in m.variables[variable].values())
        case f.Everyone(group, g):
            return all(m.seen(agent, w) <= extension(m, g) for agent in group)
        case f.EveryoneDual(group, g):
            return any(m.seen(agent, w) & extension(m, g) for agent in group)
        case f.EveryoneWhether(group, g):
            return all(_whether(m.seen(agent, w), extension(m, g)) for agent in group)
        case f.SomeoneKnows(group, g):
            return any(m.seen(agent, w) <= extension(m, g) for agent in group)
        case f.Common(group, g):
            return reachable(m, group, w, formula.within) <= extension(m, g)
        case f.CommonDual(group, g):
            return bool(reachable(m, group, w, formula.within) & extension(m, g))
        case f.CommonWhether(group, g):
            return _whether(reachable(m, group, w, formula.within), extension(m, g))
        case f.Distributed(group, g):
            return _seen_by_all(m, group, w) <= extension(m, g)
        case f.DistributedDual(group, g):
            return bool(_seen_by_all(m, group, w) & extension(m, g))
        case f.DistributedWhether(group, g):
            return _whether(_seen_by_all(m, group, w), extension(m, g))
        case f.Everywhere(g):
            return extension(m, g) == set(m.worlds)
        case f.Somewhere(g):
            return extension(m, g) != set()
        case f.Forall(names, g):
            return all(holds(m, instance, w) for instance in _instances(names, g))
        case f.Exists(names, g):
            return any(holds(m, instance, w) for instance in _instances(names, g))
        case f.Probability(terms, relation, bound):
            left = sum(c * probability(m, agent, w, g) for c, agent, g in terms)
            return bool({">=": ge, ">": gt, "<=": le, "<": lt, "=": eq, "!=": ne}[relation](left, bound))
        case f.Box(update, g):
            after, results = happening(m, update, w)
            return all(holds(after, g, v) for v in results)
        case f.Diamond(update, g):
            after, results = happening(m, update, w)
            return any(holds(after, g, v) for v in results)
    raise TypeError(type(formula).__name__)


def _whether(seen: frozenset[World], true: frozenset[World]) -> bool:
    return seen <= true or not seen & true


def _seen_by_all(m: Plain, group: Iterable[str], w: World) -> frozenset[World]:
    return frozenset.intersection(*(m.seen(agent, w) for agent in group))


def _instances(names: tuple[str, ...], g: Formula) -> list[Formula]:
    return [
        g.substitute({n: f.Constant(v) for n, v in zip(names, values, strict=True)})
        for values in tuples((False, True), repeat=len(names))
    ]


def reachable(m: Plain, group: Iterable[str], w: World, within: Formula) -> frozenset[World]:
    """Return the worlds at the end of a path of one or more steps, each of some agent of the group.

    The condition is true at each world of the path after the first.
    """
    group = list(group)
    found: set[World] = set()
    edge = {w}
    while edge:
        seen = {v for u in edge for agent in group for v in m.seen(agent, u)}
        edge = {v for v in seen if holds(m, within, v)} - found
        found |= edge
    return frozenset(found)


def probability(m: Plain, agent: str, w: World, g: Formula) -> Fraction:
    """Return the share of g among the worlds that the agent considers possible; 1 if these have weight 0."""
    seen, weight = m.seen(agent, w), m.weights[agent]
    whole = sum((weight[v] for v in seen), Fraction(0))
    part = sum((weight[v] for v in seen if holds(m, g, v)), Fraction(0))
    return part / whole if whole else Fraction(1)


# --- updates -------------------------------------------------------------------------------------


def happening(m: Plain, update: f.Announce | f.Act, w: World) -> tuple[Plain, list[World]]:
    """Return the model after an update, and the worlds of it that w becomes."""
    match update:
        case f.Announce(content, None, False):
            return announced(m, content), [w] if holds(m, content, w) else []
        case f.Announce(content, None, True):
            action = whether(content)
        case f.Announce(content, group, True):
            action = semi_private(group, content)
        case f.Announce(content, group, False):
            action = private(group, content)
        case f.Act(_, None, ActionModel() as action):
            pass
        case f.Act(_, event, ActionModel() as action):
            action = action.point(event)
    return producted(m, action), [(w, e) for e in action.designated if holds(m, action.events[e].pre, w)]


def announced(m: Plain, content: Formula) -> Plain:
    """Return the model after a public announcement."""
    kept = extension(m, content)
    return Plain(
        tuple(w for w in m.worlds if w in kept),
        {
            a: frozenset((w, v) for w, v in pairs if w in kept and v in kept)
            for a, pairs in m.relations.items()
        },
        {p: true & kept for p, true in m.true.items()},
        m.designated & kept,
        {a: {w: x for w, x in weights.items() if w in kept} for a, weights in m.weights.items()},
        m.variables,
    )


def event_pairs(action: ActionModel, agent: str) -> set[tuple[Any, Any]]:
    """Return which events an agent confuses, by name."""
    events = list(action.events)
    return {
        (e, g)
        for e, seen in zip(events, action._sight(agent), strict=True)
        for j, g in enumerate(events)
        if seen >> j & 1
    }


def producted(m: Plain, action: ActionModel) -> Plain:
    """Return the product of a model with an action model."""
    pairs = [(w, e) for e, event in action.events.items() for w in m.worlds if holds(m, event.pre, w)]
    confused = {a: event_pairs(action, a) for a in m.relations}
    return Plain(
        tuple(pairs),
        {
            a: frozenset(
                ((w, e), (v, g)) for w, e in pairs for v, g in pairs if (w, v) in r and (e, g) in confused[a]
            )
            for a, r in m.relations.items()
        },
        {
            p: frozenset(
                (w, e)
                for w, e in pairs
                if (holds(m, action.events[e].post[p], w) if p in action.events[e].post else w in true)
            )
            for p, true in m.true.items()
        },
        frozenset((w, e) for w, e in pairs if w in m.designated and e in action.designated),
        {
            a: {(w, e): weights[w] * _share(m, action, confused[a], w, e) for w, e in pairs}
            for a, weights in m.weights.items()
        },
        m.variables,
    )


def _share(m: Plain, action: ActionModel, confused: set[tuple[Any, Any]], w: World, e: Any) -> Fraction:
    if (e, e) not in confused:
        return Fraction(1)
    alternatives = [g for g in action.events if (e, g) in confused and holds(m, action.events[g].pre, w)]
    return action.events[e].weight / sum(action.events[g].weight for g in alternatives)
