"""Exercises generated from a seed, with answers verified by the checker; their models and formulas."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from kripke_werewolf.base.errors import FormulaError, ModelError, Undecided, check_known
from kripke_werewolf.base.randomness import generator
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas import parse
from kripke_werewolf.logic.formulas.simplification import simplify
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.semantics.action import ActionModel, Event
from kripke_werewolf.teach.exercises.exercise import (
    Card,
    Exercise,
    Parameter,
    Setting,
    kind_named,
    modal_depth,
)
from kripke_werewolf.teach.exercises.exercise import Rng as Rng
from kripke_werewolf.teach.exercises.forms import one_world_model
from kripke_werewolf.teach.exercises.own_files import data_text

STORIES: Mapping[str, Any] = tomllib.loads(data_text("stories.toml"))
"""What is told in exercises."""

_TRIES = 3000


class Unsuitable(Exception):
    """An attempt to generate an exercise has failed; another one may succeed."""


def assume(condition: object) -> None:
    """Raise `Unsuitable`, so that another attempt is made, unless a condition holds."""
    if not condition:
        raise Unsuitable


def checked_parameters(kind: str, given: Mapping[str, Setting]) -> dict[str, Setting]:
    """Return all parameters of a kind, with defaults for those not given.

    Raises `UnknownNameError` for an unknown kind or parameter, `ModelError` for a value that is not allowed.

    >>> checked_parameters("truth-set", {"size": 5})
    {'size': 5, 'depth': 2, 'formulas': ()}
    """
    parameters = kind_named(kind).parameters
    found = {name: parameter.default for name, parameter in parameters.items()}
    for name, value in given.items():
        parameter = parameters[check_known(name, parameters, kind=f"parameter of {kind}")]
        settled = parameter.settled(value)
        if settled is None:
            allowed = f"{name} of {kind} ({parameter.meaning}) may be {parameter.allowed_text}"
            raise ModelError(f"{allowed}, got {value!r}")
        found[name] = settled
    return found


def new_exercise(kind: str, *, rng: Rng | int | None = None, **parameters: Setting) -> Exercise:
    """Return a new exercise of a kind, such as one about an S5 model with `size` worlds.

    The parameters are those of the kind (`Exercise.kinds[kind].parameters`). The same seed gives the same
    exercise.

    Raises `UnknownNameError` for an unknown kind or parameter, `ModelError` if a value is not allowed or no
    such exercise is found.

    >>> exercise = new_exercise("truth-set", size=4, depth=2, rng=1)
    >>> exercise.check(exercise.solution()).right
    True
    """
    return next(alike(kind, generator(rng), parameters))


def dealt(suits: Sequence[Sequence[Card]], rng: Rng, place: int) -> Card:
    """Return the card at a place, from 0, when all cards are dealt; `rng` shuffles them.

    No suit comes up again before the others have, and no card before the others of its suit.

    >>> from numpy.random import default_rng
    >>> suits = ([{"n": 1}, {"n": 3}], [{"n": 2}, {"n": 4}])
    >>> sorted(dealt(suits, default_rng(7), place)["n"] for place in range(4))
    [1, 2, 3, 4]
    """
    shuffled = [[suit[k] for k in rng.permutation(len(suit))] for suit in suits]
    passed, at = divmod(place, len(suits))
    orders = [rng.permutation(len(suits)) for _ in range(passed + 1)]
    suit: Sequence[Card] = shuffled[int(orders[passed][at])]
    return suit[passed % len(suit)]


def deck_of(kind: str, parameters: Mapping[str, Any]) -> Sequence[Sequence[Card]]:
    """Return the cards of a list of formulas, if one is given, otherwise the deck of a kind."""
    others = dict(parameters)
    listed = [{"principle": f, "depth": modal_depth(f)} for f in map(parse, others.pop("formulas", ()))]
    return [listed] if listed else Exercise.kinds[kind].deck(**others)


def alike(
    kind: str, rng: Rng, parameters: Mapping[str, Setting], card: Card | None = None
) -> Iterator[Exercise]:
    """Yield new exercises of a kind with the same card of its `deck`: this one, or one that is drawn.

    Another card is drawn if no exercise is found. Raises as `new_exercise`.
    """
    values = checked_parameters(kind, parameters)
    suits, others = deck_of(kind, values), {k: v for k, v in values.items() if k != "formulas"}
    failed, fixed = 0, False
    while failed < _TRIES:
        if not fixed and failed % Exercise.kinds[kind].patience == 0 and (failed or card is None):
            suit = suits[int(rng.random() * len(suits)) if len(suits) > 1 else 0]
            card = suit[int(rng.integers(len(suit)))]
        failed += 1
        with suppress(Unsuitable, FormulaError, Undecided):
            found = Exercise.kinds[kind].generate(rng, **{**others, **(card or {})})
            if found is not None and found.solvable():
                failed, fixed = 1, True
                yield found
    wanted = ", ".join(f"{name} {value}" for name, value in values.items())
    raise ModelError(f"no exercise of the kind {kind} with {wanted} was found in {_TRIES:,} attempts")


# --- parts of exercises ---------------------------------------------------------------------------


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

_CONFUSED = [line.split(" ", 2) for line in data_text("slips.txt").splitlines()]
"""Operators that are confused: the one that is meant, the other, and the name of the slip."""


def slips(f: Formula) -> Iterator[tuple[Formula, str]]:
    """Yield the formulas with one operator replaced throughout by another that is easily confused with it.

    With each comes the name of the slip.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> [(str(misread), name) for misread, name in slips(parse("C_{a,b} p"))]
    [('E_{a,b} p', 'E for C'), ('D_{a,b} p', 'D for C')]
    """
    found = {type(node) for node in f.subformulas()}
    for meant, taken_for, name in _CONFUSED:
        if (kind := getattr(s, meant)) in found:
            yield _rebuilt(f, kind, partial(_confused, getattr(s, taken_for))), name
    if s.Implies in found:
        yield _rebuilt(f, s.Implies, lambda node: s.Implies(*reversed(node.children))), "converse"
    if s.Knows in found:
        yield _rebuilt(f, s.Knows, lambda node: node.children[0]), "truth for knowledge"
    with suppress(FormulaError):
        if (bare := parse(re.sub("[()]", "", str(f)))) is not f:
            yield bare, "parentheses missing"


def _confused(other: type[Formula], node: Formula) -> Formula:
    children = node.children[-1:] if isinstance(node, s.Modal) else node.children
    return other._make(node.label, children)


def _rebuilt(f: Formula, kind: type[Formula], change: Callable[[Formula], Formula]) -> Formula:
    """Return a formula with each node of a kind changed, from the inside out."""
    return f.rewrite(lambda node: change(node) if type(node) is kind else node)
