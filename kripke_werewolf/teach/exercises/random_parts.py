"""Parts of exercises: random models and formulas, and typical slips in reading a formula."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.simplification import simplify
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.notation.parser import parse
from kripke_werewolf.logic.semantics.action import ActionModel, Event
from kripke_werewolf.teach.exercises.exercise import Parameter, Rng, modal_depth
from kripke_werewolf.teach.exercises.forms import one_world_model
from kripke_werewolf.teach.exercises.generation import assume
from kripke_werewolf.teach.exercises.own_files import data_text

WORLDS = Parameter(4, range(3, 13), "worlds of the model")
DEPTH = Parameter(2, range(1, 6), "modal depth of the formula")
FORMULAS = Parameter((), None, "the formulas to vary; x and y stand for formulas, a and b for agents")


def random_model(size: int, agents: Iterable[str], rng: Rng) -> KripkeModel:
    """Return a random S5 model with actual world w1; it must be connected, without bisimilar worlds."""
    worlds = [f"w{k}" for k in range(1, size + 1)]
    most = max(2, (size + 1) // 2)
    views = {a: dict(zip(worlds, rng.integers(0, most, size).tolist(), strict=True)) for a in agents}
    true = {atom: [w for w in worlds if rng.random() < 0.5] for atom in ("pq" if size <= 6 else "pqr")}
    sees = {agent: view.__getitem__ for agent, view in views.items()}
    facts = {w: [atom for atom in true if w in true[atom]] for w in worlds}
    model = KripkeModel.from_observations(worlds, sees, facts.__getitem__, "w1", atoms=list(true))
    assume(len(model.generated()) == size == len(model.contract()))
    return model


def pick_world(model: KripkeModel, rng: Rng) -> str:
    """Return a random world of a model."""
    return str(model.worlds[int(rng.integers(len(model)))])


def random_literal(model: KripkeModel, rng: Rng) -> Formula:
    """Return an atom of the model or its negation."""
    return _perhaps_not(s.Atom(model.atoms[int(rng.integers(len(model.atoms)))]), 0.4, rng)


def random_formula(model: KripkeModel, depth: int, rng: Rng, outside: str = "") -> Formula:
    """Return a random formula of a modal depth; operators of the same agent are not nested directly."""
    if depth == 0:
        first, second = random_literal(model, rng), random_literal(model, rng)
        if rng.random() < 0.5 or first.atoms == second.atoms:
            return first
        return (first & second, first | second, first >> second)[rng.integers(3)]
    agents = [agent for agent in model.agents if agent != outside] or list(model.agents)
    agent = agents[int(rng.integers(len(agents)))]
    body = random_formula(model, depth - 1, rng, agent)
    kind = (s.Knows, s.Possible, s.KnowsWhether, s.Knows)[rng.integers(4)]
    f = _perhaps_not(kind(agent, body), 0.3, rng)
    if rng.random() < 0.25:
        literal = random_literal(model, rng)
        f = (literal & f, literal | f, literal >> f)[rng.integers(3)]
    return f


def telling(size: int, depth: int, rng: Rng) -> tuple[KripkeModel, Formula]:
    """Return a random model, and a formula true at some but not all worlds, unlike any literal."""
    model = random_model(size, "ab", rng)
    f = random_formula(model, depth, rng)
    true = set(model.where(f))
    assume(0 < len(true) < len(model))
    plain = [set(model.where(atom)) for atom in model.atoms]
    assume(true not in plain and {*model.worlds} - true not in plain)
    return model, f


PRINCIPLES = tuple(map(parse, data_text("principles.txt").splitlines()))
"""Principles that hold in some logics or in none; x and y stand for formulas, a and b for agents."""


_VOCABULARY = one_world_model("pq", "ab")


def plain_formula(depth: int, rng: Rng) -> Formula:
    """Return a random formula of a modal depth with atoms p and q, and agents a and b."""
    return random_formula(_VOCABULARY, depth, rng)


def random_instance(principle: Formula, depth: int, rng: Rng) -> Formula:
    """Return an instance of a principle, of a modal depth."""
    shape = principle
    if rng.random() < 0.5:
        shape = principle.rename(agents=lambda agent: {"a": "b", "b": "a"}.get(agent, agent))
    deeper = depth - modal_depth(shape)
    assume(deeper >= 0)
    first, second = plain_formula(deeper, rng), plain_formula(0, rng)
    assume(first is not second and first is not ~second and second is not ~first)
    f = shape.substitute({"x": first, "y": second})
    assume(modal_depth(f) == depth)
    return f


def _perhaps_not(f: Formula, share: float, rng: Rng) -> Formula:
    """Return a formula, or its negation in this share of the cases."""
    return ~f if rng.random() < share else f


def lettered(action: ActionModel, agents: Iterable[str]) -> ActionModel:
    """Return an action for some agents, with events named e, f, g and so on."""
    names = dict(zip(action.events, "efghij", strict=False))
    events = {names[e]: Event(simplify(event.pre), event.post) for e, event in action.events.items()}
    sights = {agent: action._sight(agent) for agent in agents}
    return ActionModel._of_sights(events, sights, [names[e] for e in action.designated])


# --- slips -----------------------------------------------------------------------------------------

_CONFUSED: tuple[tuple[type[Formula], type[Formula], str], ...] = (
    (s.Common, s.Everyone, "E for C"),
    (s.Everyone, s.Common, "C for E"),
    (s.Common, s.Distributed, "D for C"),
    (s.Distributed, s.Common, "C for D"),
    (s.Distributed, s.Everyone, "E for D"),
    (s.Distributed, s.SomeoneKnows, "someone knows for D"),
    (s.Everyone, s.SomeoneKnows, "someone for everyone"),
    (s.Knows, s.Possible, "diamond for box"),
    (s.Possible, s.Knows, "box for diamond"),
    (s.KnowsWhether, s.Knows, "knows that for knows whether"),
    (s.Knows, s.KnowsWhether, "knows whether for knows that"),
    (s.And, s.Or, "or for and"),
    (s.Or, s.And, "and for or"),
)


def slips(f: Formula) -> Iterator[tuple[Formula, str]]:
    """Yield the formulas with one operator replaced throughout by another that is easily confused with it.

    With each comes the name of the slip.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> [(str(misread), name) for misread, name in slips(parse("C_{a,b} p"))]
    [('E_{a,b} p', 'E for C'), ('D_{a,b} p', 'D for C')]
    """
    found = {type(node) for node in f.subformulas()}
    for kind, taken_for, name in _CONFUSED:
        if kind in found:
            yield _rebuilt(f, kind, partial(_confused, taken_for)), name
    if s.Implies in found:
        yield _rebuilt(f, s.Implies, lambda node: s.Implies(*reversed(node.children))), "converse"
    if s.Knows in found:
        yield _rebuilt(f, s.Knows, lambda node: node.children[0]), "truth for knowledge"


def _confused(other: type[Formula], node: Formula) -> Formula:
    children = node.children[-1:] if isinstance(node, s.Modal) else node.children
    return other._make(node.label, children)


def _rebuilt(f: Formula, kind: type[Formula], change: Callable[[Formula], Formula]) -> Formula:
    """Return a formula with each node of a kind changed, from the inside out."""
    return f.rewrite(lambda node: change(node) if type(node) is kind else node)
