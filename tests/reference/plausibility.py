"""Belief by plausibility as the definitions read (Baltag and Smets 2008; van Benthem 2007), on sets of pairs.

No ranks: in `order[a]` the pair (w, v) says that a cannot tell w from v, and finds w at least as plausible.
"""

import random
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from kripke_werewolf import ActionModel, Event, Formula, KripkeModel
from kripke_werewolf.logic import formulas as f

World = Hashable
Pairs = frozenset[tuple[Any, Any]]
AGENTS, ATOMS = "ab", "pq"


@dataclass(frozen=True)
class Orders:
    """A plausibility model: `same` are the cells of each agent, as pairs."""

    worlds: tuple[World, ...]
    same: Mapping[str, Pairs]
    order: Mapping[str, Pairs]
    true: Mapping[str, frozenset[World]]

    def cell(self, agent: str, w: World) -> set[World]:
        """Return the worlds that an agent cannot tell from a world."""
        return {v for v in self.worlds if (w, v) in self.same[agent]}

    def first(self, agent: str, among: Iterable[World]) -> set[World]:
        """Return the worlds that are at least as plausible as all of some."""
        return {v for v in among if all((v, u) in self.order[agent] for u in among)}

    def kept(self, worlds: Iterable[World]) -> "Orders":
        """Return the part of some worlds."""
        kept = frozenset(worlds)

        def part(pairs: Pairs) -> Pairs:
            return frozenset(pair for pair in pairs if kept.issuperset(pair))

        return Orders(
            tuple(w for w in self.worlds if w in kept),
            {a: part(pairs) for a, pairs in self.same.items()},
            {a: part(pairs) for a, pairs in self.order.items()},
            {p: true & kept for p, true in self.true.items()},
        )

    def reordered(self, before: Any) -> "Orders":
        """Return the model in which `before(agent, w, v)` says whether w is at least as plausible as v."""
        order = {a: frozenset(x for x in pairs if before(a, *x)) for a, pairs in self.same.items()}
        return Orders(self.worlds, self.same, order, self.true)


def true_at(m: Orders, g: Formula) -> set[World]:
    """Return the worlds where a formula is true."""
    inner = [true_at(m, part) for part in g.children if not isinstance(g, f.Box)]
    every = set(m.worlds)
    match g:
        case f.Atom(name):
            return set(m.true[name])
        case f.Constant(value):
            return every if value else set()
        case f.Not():
            return every - inner[0]
        case f.And():
            return set.intersection(*inner)
        case f.Or():
            return set.union(*inner)
        case f.Implies():
            return (every - inner[0]) | inner[1]
        case f.Possible(agent):
            return {w for w in every if m.cell(agent, w) & inner[0]}
        case f.Believes(agent):
            return {w for w in every if m.first(agent, m.cell(agent, w)) <= inner[0]}
        case f.Knows(agent):
            return {w for w in every if m.cell(agent, w) <= inner[0]}
        case f.BelievesGiven(agent):
            return {w for w in every if m.first(agent, m.cell(agent, w) & inner[0]) <= inner[1]}
        case f.BelievesWhether(agent):
            tops = {w: m.first(agent, m.cell(agent, w)) for w in every}
            return {w for w, top in tops.items() if top <= inner[0] or not top & inner[0]}
        case f.SafelyBelieves(agent):
            return {w for w in every if {v for v in every if (v, w) in m.order[agent]} <= inner[0]}
        case f.StronglyBelieves(agent):
            return {w for w in every if _strong(m, agent, m.cell(agent, w), inner[0])}
        case f.Best(agent):
            return {w for w in inner[0] if w in m.first(agent, m.cell(agent, w) & inner[0])}
        case f.CommonBelief(group):
            given = inner[0] if len(inner) > 1 else every
            steps = {(w, v) for a in group for w in every for v in m.first(a, m.cell(a, w) & given)}
            return {w for w in every if _reached(steps, w) <= inner[-1]}
        case f.Box(f.Announce(content), body):
            return (every - true_at(m, content)) | true_at(m.kept(true_at(m, content)), body)
        case f.Box(f.Upgrade(content, kind), body):
            x = true_at(m, content)
            first = dict.fromkeys(m.order, x)
            if kind == "conservative":
                first = {a: {w for w in x if w in m.first(a, m.cell(a, w) & x)} for a in m.order}
            after = m.reordered(
                lambda a, w, v: (
                    (w in first[a]) > (v in first[a])
                    or ((w in first[a]) == (v in first[a]) and (w, v) in m.order[a])
                )
            )
            return true_at(after, body)
        case f.Box(f.Act(_, _, ActionModel() as action), body):
            after = acted(m, action)
            x = true_at(after, body)
            pre = {e: true_at(m, action[e].pre) for e in action.designated}
            return {w for w in every if all((w, e) in x for e in pre if w in pre[e])}
    raise TypeError(g)


def _strong(m: Orders, agent: str, cell: set[World], x: set[World]) -> bool:
    order = m.order[agent]
    inside, outside = cell & x, cell - x
    return bool(inside) and all((w, v) in order and (v, w) not in order for w in inside for v in outside)


def _reached(steps: set[tuple[World, World]], w: World) -> set[World]:
    found: set[World] = set()
    while more := {v for u, v in steps if u == w or u in found} - found:
        found |= more
    return found


def acted(m: Orders, action: ActionModel) -> Orders:
    """Return the product, ordered by events first (the action priority rule)."""
    pre = {e: true_at(m, action[e].pre) for e in action}
    worlds = [(w, e) for e in action for w in m.worlds if w in pre[e]]
    post = {(e, p): true_at(m, h) for e in action for p, h in action[e].post.items()}
    sees = {a: {(e, g) for e in action for g in action.successors(a, e)} for a in m.same}
    same = {
        a: frozenset((x, y) for x in worlds for y in worlds if (x[0], y[0]) in r and (x[1], y[1]) in sees[a])
        for a, r in m.same.items()
    }
    true = {p: frozenset(x for x in worlds if x[0] in post.get((x[1], p), t)) for p, t in m.true.items()}

    def before(agent: str, x: Any, y: Any) -> bool:
        ranks = action[x[1]].rank_for(agent), action[y[1]].rank_for(agent)
        return ranks[0] < ranks[1] or (ranks[0] == ranks[1] and (x[0], y[0]) in m.order[agent])

    return Orders(tuple(worlds), same, {}, true).reordered(before)


# --- random models and formulas ------------------------------------------------------------------


def layered(rng: random.Random, items: Iterable[Any]) -> list[list[Any]]:
    """Return a random ordered partition."""
    left, found = list(items), []
    rng.shuffle(left)
    while left:
        size = rng.randint(1, len(left))
        found.append(left[:size])
        left = left[size:]
    return found


def random_orders(rng: random.Random, atoms: str = ATOMS) -> tuple[Orders, KripkeModel]:
    """Return a random plausibility model, for the oracle and for the library."""
    worlds = [f"w{i}" for i in range(rng.randint(1, 6))]
    cells = {a: layered(rng, worlds) for a in AGENTS}
    layers = {a: [layered(rng, cell) for cell in cells[a]] for a in AGENTS}
    rank = {a: {w: k for cell in layers[a] for k, x in enumerate(cell) for w in x} for a in AGENTS}
    same = {a: frozenset((w, v) for c in cells[a] for w in c for v in c) for a in AGENTS}
    order = {a: frozenset((w, v) for w, v in same[a] if rank[a][w] <= rank[a][v]) for a in AGENTS}
    true = {p: frozenset(w for w in worlds if rng.random() < 0.5) for p in atoms}
    return Orders(tuple(worlds), same, order, true), KripkeModel.from_partitions(
        worlds, cells, true, ranks=rank
    )


BELIEFS = ("B", "B", "given", "given", "Bw", "Sf", "Sf", "Sb", "best", "CB")
UPDATES = ("hard", "radical", "conservative", "act")


def random_formula(rng: random.Random, depth: int, kinds: Iterable[str] = (), atoms: str = ATOMS) -> Formula:
    """Return a random formula with operators of these kinds; by default all, and updates."""
    kinds = tuple(kinds) or ("not", "and", "or", "K", *BELIEFS, *UPDATES, "radical", "conservative")
    if not depth or rng.random() < 0.1:
        return f.Atom(rng.choice(atoms)) if rng.random() < 0.93 else f.TRUE
    kind, agent = rng.choice(kinds), rng.choice(AGENTS)
    static = tuple(k for k in kinds if k not in UPDATES)
    g, h = (random_formula(rng, depth - 1, static if kind == "act" else kinds, atoms) for _ in range(2))
    of_one = {"K": f.K, "B": f.B, "Bw": f.Bw, "Sf": f.Sf, "Sb": f.Sb, "best": f.Best}
    match kind:
        case "not":
            return ~g
        case "and":
            return g & h
        case "or":
            return g | h
        case "given":
            return f.B(agent, g, within=h)
        case "CB":
            return f.CB([*AGENTS], g, within=h if rng.random() < 0.5 else None)
        case "hard":
            return f.Box(f.Announce(h), g)
        case "radical" | "conservative":
            return f.Box(f.Upgrade(h, kind), g)
        case "act":
            return f.Box(f.Act("act", None, random_action(rng, h, atoms)), g)
    return of_one[kind](agent, g)


def random_action(rng: random.Random, condition: Formula, atoms: str = ATOMS) -> ActionModel:
    """Return a random action model with ranks."""
    events: dict[Hashable, Event] = {}
    for name in range(rng.randint(1, 3)):
        other = f.Atom(rng.choice(atoms))
        pre = rng.choice([condition, ~condition, other, f.TRUE])
        post = {rng.choice(atoms): condition} if rng.random() < 0.3 else {}
        events[name] = Event(pre, post, rank={a: rng.randint(0, 2) for a in AGENTS})
    cells = {a: [[*events]] if rng.random() < 0.5 else layered(rng, events) for a in AGENTS}
    chosen = rng.sample([*events], rng.randint(1, len(events)))
    return ActionModel.from_partitions(events, cells, chosen)


def revealing(rng: random.Random) -> Formula:
    """Return a belief after one or two updates: what they change shows there."""
    found = f.B(rng.choice(AGENTS), f.Atom("p"), within=f.Atom("q"))
    if rng.random() < 0.8:
        found = random_formula(rng, 2, ("not", "and", *BELIEFS))
    for _ in range(rng.randint(1, 2)):
        content = random_formula(rng, rng.randint(0, 2), ("not", "and", "or", *BELIEFS))
        kind = rng.choice((*UPDATES, "act"))
        if kind == "act":
            found = f.Box(f.Act("act", None, random_action(rng, content)), found)
        else:
            found = f.Box(f.Announce(content) if kind == "hard" else f.Upgrade(content, kind), found)
    return found
