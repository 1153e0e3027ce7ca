"""Fresh exercises from a seed, each with one right answer, which the checker has verified."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from kripke_werewolf.deciding import satisfiable
from kripke_werewolf.errors import ModelError, Undecided, UnknownNameError
from kripke_werewolf.exercises.tasks import (
    Announcement,
    Distinguish,
    Exercise,
    FindModel,
    ModelChecking,
    TruthSet,
    modal_depth,
)
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula, natural
from kripke_werewolf.models import KripkeModel, bisimilar, distinguishing_formula

if TYPE_CHECKING:
    from numpy.random import Generator

_TRIES = 3000
_CHOICES = 4


def new_exercise(kind: str, *, size: int = 4, depth: int = 2, rng: Generator | int | None = None) -> Exercise:
    """Return a fresh exercise of a kind, about an S5 model with `size` worlds.

    `depth`: the modal depth of the formula (for announcements: of what is announced). The answer is
    unique: a truth value, a set of worlds, one of four formulas, or, for `find-model`, a model
    that is unique up to isomorphism among those small enough. The same seed gives the same exercise.

    Raises `UnknownNameError` for another kind, `ModelError` if no such exercise is found.

    >>> exercise = new_exercise("model-checking", size=4, depth=2, rng=1)
    >>> exercise.check(exercise.solution()).right
    True
    """
    from numpy.random import default_rng

    if kind not in KINDS:
        raise UnknownNameError(kind, KINDS, kind="kind of exercise")
    least = 2 if kind == "find-model" else 3  # two worlds leave no exercise worth asking
    if not least <= natural(size, "size") <= 12:
        raise ModelError(f"the size of {kind} is a number of worlds from {least} to 12, got {size}")
    if not 1 <= natural(depth, "depth") <= 5:
        raise ModelError(f"the depth is from 1 to 5, got {depth}")
    generator = default_rng(rng)
    for _ in range(_TRIES):
        found = KINDS[kind](size, depth, generator)
        if found is not None:
            return found
    raise ModelError(
        f"no {kind} exercise of size {size} and depth {depth} was found in {_TRIES:,} attempts; "
        "ask for a larger size or a smaller depth"
    )


# --- random parts ----------------------------------------------------------------------------------


def _model(size: int, agents: Iterable[str], rng: Generator) -> KripkeModel | None:
    """Return a random S5 model; None if it is not connected or has bisimilar worlds."""
    worlds = [f"w{k}" for k in range(1, size + 1)]
    most = max(2, (size + 1) // 2)
    classes = {agent: _classes(worlds, rng.integers(0, most, size).tolist()) for agent in agents}
    true = {atom: [w for w in worlds if rng.random() < 0.5] for atom in ("pq" if size <= 6 else "pqr")}
    model = KripkeModel.from_partitions(worlds, classes, true, "w1")
    return model if len(model.generated()) == size == len(model.contract()) else None


def _classes(worlds: Sequence[str], labels: Sequence[int]) -> list[list[str]]:
    """Return the classes of worlds with the same label."""
    return [
        [w for w, label in zip(worlds, labels, strict=True) if label == wanted]
        for wanted in sorted(set(labels))
    ]


def _literal(model: KripkeModel, rng: Generator) -> Formula:
    atom = s.Atom(str(rng.choice(list(model.atoms))))
    return ~atom if rng.random() < 0.4 else atom


def _formula(model: KripkeModel, depth: int, rng: Generator, outside: str = "") -> Formula:
    """Return a random formula of a modal depth; operators of the same agent are not nested directly."""
    if depth == 0:
        first, second = _literal(model, rng), _literal(model, rng)
        if rng.random() < 0.5 or first.atoms == second.atoms:
            return first
        return (first & second, first | second, first >> second)[rng.integers(3)]
    agents = [agent for agent in model.agents if agent != outside] or list(model.agents)
    agent = str(rng.choice(agents))
    body = _formula(model, depth - 1, rng, agent)
    f: Formula = (s.Knows, s.Possible, s.KnowsWhether, s.Knows)[rng.integers(4)](agent, body)
    if rng.random() < 0.3:
        f = ~f
    if rng.random() < 0.25:
        literal = _literal(model, rng)
        f = (literal & f, literal | f, literal >> f)[rng.integers(3)]
    return f


# --- kinds -----------------------------------------------------------------------------------------


def _telling(size: int, depth: int, rng: Generator) -> tuple[KripkeModel, Formula] | None:
    """Return a model, and a formula true at some but not all of its worlds, and equivalent to no literal."""
    model = _model(size, "ab", rng)
    if model is None:
        return None
    f = _formula(model, depth, rng)
    true = set(model.where(f))
    if len(true) in (0, len(model)):
        return None
    literals = [literal for atom in map(s.Atom, model.atoms) for literal in (atom, ~atom)]
    return None if any(set(model.where(literal)) == true for literal in literals) else (model, f)


def _model_checking(size: int, depth: int, rng: Generator) -> Exercise | None:
    telling = _telling(size, depth, rng)
    if telling is None:
        return None
    model, f = telling
    at = model.worlds[int(rng.integers(size))]
    found = ModelChecking("", model.point(at), f, at)
    answers = [answer for answer in ("yes", "no") if found.check(answer).right]
    return found if answers == [found.solution()] else None


def _truth_set(size: int, depth: int, rng: Generator) -> Exercise | None:
    telling = _telling(size, depth, rng)
    return None if telling is None else TruthSet("", *telling)


def _distinguish(size: int, depth: int, rng: Generator) -> Exercise | None:
    model = _model(size, "ab", rng)
    if model is None:
        return None
    pairs = [
        (w, v)
        for w, v in combinations(model.worlds, 2)
        if bisimilar(model, w, model, v, depth=depth - 1) and not bisimilar(model, w, model, v, depth=depth)
    ]
    if not pairs:
        return None
    w, v = pairs[int(rng.integers(len(pairs)))]
    right = distinguishing_formula(model, w, model, v)
    if right is None or modal_depth(right) != depth:
        return None
    free = Distinguish("", model, w, v)
    wrong: dict[Formula, None] = {}
    for _ in range(40):
        f = _formula(model, depth, rng)
        if len(wrong) < _CHOICES - 1 and not free.check_formula(f).right:
            wrong.setdefault(f)
    return _with_choices(free, right, wrong, rng)


def _announcement(size: int, depth: int, rng: Generator) -> Exercise | None:
    model = _model(size, "abc", rng)
    if model is None:
        return None
    secret = _literal(model, rng)
    if not model.holds(secret):
        secret = s.Not(secret) if isinstance(secret, s.Atom) else secret.children[0]
    if model.holds(s.Knows("b", secret)) or model.holds(s.KnowsWhether("c", secret)):
        return None
    free = Announcement("", model, "a", (("b", secret),), (("c", secret),))
    right: dict[Formula, None] = {}
    wrong: dict[Formula, None] = {}
    for _ in range(60):
        f = _formula(model, int(rng.integers(depth)), rng)
        if model.holds(s.Knows("a", f)) and not model.valid(f):  # what a could say, and tells something
            (right if free.check_formula(f).right else wrong).setdefault(f)
    if not right:
        return None
    for _ in range(40):
        f = _formula(model, int(rng.integers(depth)), rng)
        if len(wrong) < _CHOICES - 1 and f not in right and not free.check_formula(f).right:
            wrong.setdefault(f)
    return _with_choices(free, next(iter(right)), wrong, rng)


def _with_choices(
    free: Distinguish | Announcement, right: Formula, wrong: Iterable[Formula], rng: Generator
) -> Exercise | None:
    """Return the exercise with four formulas to choose from; None if not just one of them is right."""
    found = [right, *wrong]
    if len(found) < _CHOICES:
        return None
    exercise = replace(free, choices=tuple(found[k] for k in rng.permutation(_CHOICES).tolist()))
    numbers = [str(n) for n in range(1, _CHOICES + 1) if exercise.check(str(n)).right]
    return exercise if len(numbers) == 1 and numbers == [exercise.solution()] else None


def _find_model(size: int, depth: int, rng: Generator) -> Exercise | None:
    """Return the description of a random model, whose worlds differ in their atoms.

    Of depth 1 it has one agent, and says what this agent knows and considers possible. Of larger
    depth there are two, and that is common knowledge between them. It determines the model up to
    bisimilarity, so up to isomorphism if no more worlds are allowed than it has.
    """
    if size > 4:
        raise ModelError("find-model exercises have at most 4 worlds, all different in two atoms")
    agents = "a" if depth == 1 else "ab"
    states = rng.permutation(4)[:size].tolist()
    worlds = [f"w{k}" for k in range(1, size + 1)]
    true = {
        atom: [w for w, x in zip(worlds, states, strict=True) if x >> k & 1] for k, atom in enumerate("pq")
    }
    most = 1 if depth == 1 else 2
    classes = {agent: _classes(worlds, rng.integers(0, most, size).tolist()) for agent in agents}
    model = KripkeModel.from_partitions(worlds, classes, true, "w1")
    if len(model.generated()) < size:
        return None
    state = dict(zip(worlds, states, strict=True))
    everything = _short(states)
    rules = [] if everything == s.TRUE else [everything if depth > 1 else s.Knows("a", everything)]
    for agent in agents:
        for cell in classes[agent]:
            known: list[Formula] = [s.Possible(agent, _short([state[w]], states)) for w in cell]
            if len(cell) < size:
                inside = _short([state[w] for w in cell], states)
                # of a single world it is enough to say that it is known
                rules.append(
                    s.Implies(inside, s.conjunction([s.Knows(agent, inside), *known[len(cell) == 1 :]]))
                )
            else:
                rules += known
    whole = s.conjunction(rules) if depth == 1 else s.Common(list(agents), s.conjunction(rules))
    f = s.conjunction([_short([state["w1"]]), whole])
    try:
        smallest = satisfiable(f, logic="S5")
    except Undecided:
        return None
    exercise = FindModel("", f, "S5", size)
    if smallest is None or len(smallest) != size or not exercise.check(exercise.solution()).right:
        return None
    return exercise if bisimilar(smallest, smallest.designated[0], model, "w1") else None


def _short(wanted: Sequence[int], states: Sequence[int] = range(4)) -> Formula:
    """Return a short formula that, among the states given, is true at those wanted.

    Bit 0 of a state is p, bit 1 is q.
    """
    p, q = s.Atom("p"), s.Atom("q")
    literals = [p, q, ~p, ~q]
    pairs = [(x, y) for x, y in combinations(literals, 2) if x.atoms != y.atoms]
    rows = {f: {k for k in range(4) if bool(k >> n % 2 & 1) == (n < 2)} for n, f in enumerate(literals)}
    found: dict[Formula, set[int]] = {s.TRUE: set(range(4)), **rows}
    found |= {x & y: rows[x] & rows[y] for x, y in pairs}
    found |= {x | y: rows[x] | rows[y] for x, y in pairs}
    found |= {p.iff(q): {0, 3}, p ^ q: {1, 2}}
    return next(f for f, true in found.items() if true & set(states) == set(wanted))


KINDS: Mapping[str, Callable[[int, int, Generator], Exercise | None]] = {
    "model-checking": _model_checking,
    "truth-set": _truth_set,
    "distinguish": _distinguish,
    "announcement": _announcement,
    "find-model": _find_model,
}
