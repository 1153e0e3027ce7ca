"""Other ways to write or to name the same thing, for tests that the answer stays the same.

`rewritings` gives the equivalents of one operator, `rewritten` a random combination of all over a formula.
`Names` renames formulas, actions and models alike.
"""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from typing import Any

from hypothesis import strategies as st

from kripke_werewolf import ActionModel, Event, Formula, FormulaError
from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.formulas.operators import (
    Modal,
    Mode,
    Nary,
    Scope,
    conjunction,
    disjunction,
    modal,
    opposite,
)

# --- other writings of a formula -------------------------------------------------------------------


def brackets(g: Formula) -> Iterator[Formula]:
    """Yield a conjunction, disjunction or exclusive or with other brackets."""
    if isinstance(g, Nary):
        kind, parts = type(g), g.children
        if len(parts) > 2:
            yield kind(kind(*parts[:-1]), parts[-1])
            yield kind(parts[0], kind(*parts[1:]))
        flat = [p for part in parts for p in (part.children if type(part) is kind else (part,))]
        if len(flat) > len(parts):
            yield kind(*flat)


def order(g: Formula) -> Iterator[Formula]:
    """Yield a formula with its parts in the opposite order, where this makes no difference."""
    if isinstance(g, f.Count | f.Iff | Nary):
        yield g.with_children(reversed(g.children))
    elif isinstance(g, f.Probability):
        yield f.Probability(reversed(g.terms), g.relation, g.bound)
    elif isinstance(g, f.Forall | f.Exists) and len(g.names) > 1:
        yield type(g)(reversed(g.names), g.body)


def duals(g: Formula) -> Iterator[Formula]:
    """Yield a formula written with the dual operator, or by the operators that it abbreviates."""
    yield ~~g
    match g:
        case f.And(parts):
            yield ~disjunction(~p for p in parts)
        case f.Or(parts):
            yield ~conjunction(~p for p in parts)
            yield ~disjunction(parts[:-1]) >> parts[-1]
        case f.Xor((p, q)):
            yield ~p.iff(q)
        case f.Implies(p, q):
            yield ~p | q
        case f.Iff(p, q):
            yield (p >> q) & (q >> p)
        case f.Forall(names, body):
            yield ~f.Exists(names, ~body)
        case f.Exists(names, body):
            yield ~f.Forall(names, ~body)
        case f.Box(update, body):
            yield ~f.Diamond(update, ~body)
        case f.Diamond(update, body):
            yield ~f.Box(update, ~body)
        case f.Probability(terms, relation, bound):
            yield ~f.Probability(terms, opposite(relation), bound)
        case Modal():
            yield from _dual_modal(g)


def _dual_modal(g: Modal) -> Iterator[Formula]:
    if g.mode is Mode.WHETHER:
        yield g.of_kind(type(g), ~g.body)
    else:
        scope = {Scope.EACH: Scope.SOME, Scope.SOME: Scope.EACH}.get(g.scope, g.scope)
        other = modal(scope, Mode.DIAMOND if g.mode is Mode.BOX else Mode.BOX)
        if other is not None:
            yield ~g.of_kind(other, ~g.body)
    if (long := g.unfolded()) is not None:
        yield long


def counts(g: Formula) -> Iterator[Formula]:
    """Yield a count written by other counts or, if short, by conjunctions and disjunctions."""
    if not isinstance(g, f.Count):
        return
    kind, number, parts = g.kind, g.number, g.children
    if kind == "exactly":
        yield f.atleast(number, *parts) & f.atmost(number, *parts)
    elif kind == "atmost":
        yield ~f.atleast(number + 1, *parts)
    elif number:
        yield ~f.atmost(number - 1, *parts)
    if len(parts) <= 4:
        low, high = g.bounds
        yield disjunction(
            conjunction(p if i in chosen else ~p for i, p in enumerate(parts))
            for size in range(low, min(high, len(parts)) + 1)
            for chosen in combinations(range(len(parts)), size)
        )


def bound(g: Formula) -> Iterator[Formula]:
    """Yield a quantified formula with other bound atoms out of `FRESH`, unless an action mentions them."""
    if isinstance(g, f.Forall | f.Exists):
        new = [name for name in FRESH if name not in g.atoms][: len(g.names)]
        try:
            yield type(g)(new, g.body.substitute(dict(zip(g.names, map(f.Atom, new), strict=True))))
        except (FormulaError, ValueError):  # an action mentions a bound atom; no new name is left
            return


FRESH = ("s", "t", "u", "v")
"""Atoms that bound atoms are renamed to; a model must have them."""


def rewritings(g: Formula) -> list[Formula]:
    """Return equivalents of a formula that differ in its outermost operator."""
    return [h for ways in (brackets, order, duals, counts, bound) for h in ways(g)]


def rewritten(g: Formula, rng: Random) -> Formula:
    """Return an equivalent formula in which each operator may be written differently."""
    return g.rewrite(lambda node: rng.choice([node, *rewritings(node)]))


def nested(g: Formula, *, right: bool = True) -> Formula:
    """Return a formula in which every chain of one operator has two parts, nested to one side."""

    def step(node: Formula) -> Formula:
        if not isinstance(node, Nary) or len(node.children) == 2:
            return node
        kind, parts = type(node), list(node.children)
        while len(parts) > 1:
            parts[-2:] = [kind(*parts[-2:])] if right else parts[-2:]
            if not right:
                parts[:2] = [kind(*parts[:2])]
        return parts[0]

    return g.rewrite(step)


# --- other names -----------------------------------------------------------------------------------

WEIRD = (
    *("0", "12", "_", "a_", "a_1", "_a", "Mary Ann", "Mary  Ann_2", " x", 'say "p"', "it's", "'", "a,b"),
    *("{a}", "K_a", "Kp", "K", "and", "not", "true", "knows", "everybody", "nobody", "exactly", "P_a", "x'"),
    *("φ", "Ἀθηνᾶ", "Иван", "山田", "علي", "é", "ı", "a\\b", "$", "[!p]", "->", "#", "p.", "a:b", "\u00a0"),
)
"""Names that are easily misread."""


@dataclass(frozen=True)
class Names:
    """New names of agents, atoms, worlds and events; a name that is not listed stays."""

    agents: Mapping[str, str] = field(default_factory=dict)
    atoms: Mapping[str, str] = field(default_factory=dict)
    worlds: Mapping[Hashable, Hashable] = field(default_factory=dict)

    def agent(self, name: str) -> str:
        """Return the new name of an agent."""
        return self.agents.get(name, name)

    def atom(self, name: str) -> str:
        """Return the new name of an atom."""
        return self.atoms.get(name, name)

    def world(self, name: Any) -> Any:
        """Return the new name of a world; after updates, of a pair of a world and an event."""
        if name not in self.worlds and isinstance(name, tuple) and len(name) == 2:
            return self.world(name[0]), name[1]
        return self.worlds.get(name, name)

    def formula(self, g: Formula) -> Formula:
        """Return a formula with the new names, also inside the actions bound in it."""

        def step(node: Formula) -> Formula:
            if isinstance(node, f.Box | f.Diamond) and isinstance(node.update, f.Act) and node.update.model:
                name, event, model = node.update
                return type(node)(f.Act(name, event, self.action(model)), node.body)
            return node

        return g.rename(agents=self.agent, atoms=self.atom).rewrite(step)

    def action(self, action: ActionModel) -> ActionModel:
        """Return an action model with the new names of agents and atoms."""
        events = {
            name: Event(
                self.formula(event.pre),
                {self.atom(p): self.formula(g) for p, g in event.post.items()},
                weight=event.weight,
            )
            for name, event in action.events.items()
        }
        sights = {self.agent(a): sight for a, sight in action._sights.items()}
        return ActionModel._of_sights(
            events, sights, action.designated, others=action._others, name=action.name
        )


@st.composite
def renamings(
    draw: st.DrawFn,
    *,
    agents: tuple[str, ...] = ("a", "b"),
    atoms: tuple[str, ...] = ("p", "q", "r"),
    worlds: tuple[Hashable, ...] = (),
) -> Names:
    """Return one-to-one maps to names that are easily misread; worlds also get numbers."""

    def to(names: tuple[Any, ...], new: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[Any, Any]]:
        chosen = st.lists(new, min_size=len(names), max_size=len(names), unique=True)
        return chosen.map(lambda found: dict(zip(names, found, strict=True)))

    weird = st.one_of(st.sampled_from(WEIRD), st.text(min_size=1, max_size=6))
    whole = st.one_of(weird, st.integers(-5, 50))
    return Names(draw(to(agents, weird)), draw(to(atoms, weird)), draw(to(worlds, whole)))
