"""Updates of updates: copies of worlds as they are reached, against reduction axioms and models."""

from contextlib import suppress
from itertools import pairwise
from random import Random

import pytest

from kripke_werewolf import ActionModel, Event, FormulaError, KripkeModel, Undecided, parse, valid
from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.proofs import check, derivation
from kripke_werewolf.logic.semantics.reduction import reduce_announcements
from tests.logic.deciding.test_updates import action, after, random_model
from tests.reference.small_models import PROPERTIES

AGENTS, ATOMS = "abc", "pq"
SEEDS = range(3)


def updates(rng: Random) -> list[f.Box]:
    """Return some updates, each of `true`: announced to all or to a few, or an action; some come twice."""
    pool = [
        f.Atom("p"),
        ~f.Atom("q"),
        f.K("a", "p"),
        f.M("b", "q"),
        f.D(["a", "b"], "q"),
        f.C(["a", "c"], "p"),
    ]
    told, found = rng.choice(pool), list[f.Box]()
    for _ in range(rng.choice([1, 2, 3, 4])):
        told = told if rng.random() < 0.4 else rng.choice(pool)
        group = rng.choice([None, rng.sample(AGENTS, rng.randint(1, 2))])
        if rng.random() < 0.25:
            found.append(after(rng.choice([action(rng), flipped(rng)]), f.TRUE))
        else:
            kind = rng.choice([f.Box, f.Box, f.Diamond])
            found.append(kind(f.Announce(told, group, whether=rng.random() < 0.4), f.TRUE))
    return found


def flipped(rng: Random) -> ActionModel:
    """Return an action that changes the value of an atom; some think that it does not."""
    atom, told = rng.choice(ATOMS), rng.sample(AGENTS, rng.randint(1, 2))
    return ActionModel(
        {"flip": Event(f.TRUE, {atom: ~f.Atom(atom)}), "nothing": "true"},
        {agent: [("flip", "flip"), ("nothing", "nothing")] for agent in told},
        ["flip"],
        others=[("flip", "nothing"), ("nothing", "nothing")],
        name=f"flip{rng.randrange(10**6)}",
    )


def put(before: list[f.Box], body: f.Formula) -> f.Formula:
    """Return a formula after updates."""
    for update in before:
        body = update.with_children((*update.children[:-1], body))
    return body


def updated(rng: Random, body: f.Formula) -> f.Formula:
    return put(updates(rng), body)


def nested(rng: Random, depth: int) -> f.Formula:
    """Return a random formula of knowledge, alone and together, with updates in it."""
    if depth == 0:
        return rng.choice([f.Atom("p"), ~f.Atom("p"), f.Atom("q")])
    one, other = nested(rng, depth - 1), nested(rng, depth - 1)
    group = rng.sample(AGENTS, 2)
    within = rng.choice([f.TRUE, f.TRUE, f.Atom("p")])
    return rng.choice(
        [
            one | ~other,
            f.K(rng.choice(AGENTS), one),
            ~f.K(rng.choice(AGENTS), one | other),
            f.D(group, one),
            f.C(group, one, within=within),
            f.Everywhere(one),
            updated(rng, one),
            updated(rng, one),
        ]
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_a_formula_is_equivalent_to_its_reduction(seed: int) -> None:
    rng, tried = Random(seed), 0
    while tried < 40:
        formula = updated(rng, nested(rng, 2))
        try:
            static = reduce_announcements(formula)
        except FormulaError:
            continue  # common knowledge after updates that some do not notice
        logic = rng.choice(list(PROPERTIES))
        try:
            assert valid(formula.iff(static), logic, limit=400_000), (formula, logic)
        except (Undecided, FormulaError):
            continue
        tried += 1


@pytest.mark.parametrize("seed", SEEDS)
def test_common_knowledge_after_updates_is_a_fixed_point(seed: int) -> None:
    rng, tried = Random(seed), 0
    while tried < 12:
        group, inside = rng.sample(AGENTS, 2), nested(rng, rng.choice([0, 1]))
        common, before = f.C(group, inside), updates(rng)
        told, unfolded = put(before, common), put(before, f.E(group, inside & common))
        logic = rng.choice(list(PROPERTIES))
        with suppress(Undecided, FormulaError):
            assert valid(told.iff(unfolded), logic, limit=100_000), (told, logic)
            tried += 1


@pytest.mark.parametrize("seed", SEEDS)
def test_no_model_contradicts_an_answer(seed: int) -> None:
    rng, denied = Random(seed), 0
    while denied < 12:
        formula = nested(rng, 2) >> updated(rng, nested(rng, 2))
        logic = rng.choice(list(PROPERTIES))
        with suppress(Undecided, FormulaError):
            if valid(formula, logic, limit=100_000):
                denied += 1
                for _ in range(6):
                    m = random_model(rng, dict.fromkeys(AGENTS, logic))
                    # the model checker, since the slow reference takes minutes after several actions
                    assert KripkeModel(m.worlds, m.relations, m.true).valid(formula), (formula, logic)


@pytest.mark.parametrize("told", ["[a!p]", "[a?!p]", "[a!K_b p]", "[a?!K_b p]", "[a!p][b?!q][!r]"])
def test_copies_that_are_alike_are_one(told: str) -> None:
    # otherwise there were 2^40 of them
    assert valid(told * 40 + "C_{a,b} r", limit=100_000) == (told[-3:] == "!r]")
    assert valid(f"C_{{a,b}} r -> {told * 40}C_{{a,b}} r", limit=100_000)


def test_copies_that_look_alike_and_lead_elsewhere_are_two() -> None:
    names = ["e0", "e1", "e2", "e3"]
    chain = ActionModel(
        {name: "p" if name == "e3" else "true" for name in names},
        {"a": [*pairwise(names), ("e3", "e3")]},
        ["e0"],
        others=[(name, name) for name in names],
        name="chain",
    )
    after_three = parse("[chain]K_a K_a K_a p").bind(chain=chain)
    after_two = parse("[chain]K_a K_a p").bind(chain=chain)
    assert valid(after_three, "K4")
    assert not valid(after_two, "K4")


def test_groups_tell_copies_apart_that_nobody_alone_does() -> None:
    # a sees one copy of a world, and b another that is true of the same: together they see neither
    split = ActionModel(
        {"e": "p", "left": "true", "right": "true"},
        {"a": [("e", "left"), ("left", "left"), ("right", "right")], "b": [("e", "right")]},
        ["e"],
        name="split",
    )
    told = [parse(f"[split]{f}").bind(split=split) for f in ("D_{a,b} false", "K_a false")]
    assert valid(told[0], "K")
    assert not valid(told[1], "K")


def test_a_derivation_after_many_updates() -> None:
    proof = derivation("[a!p]" * 4 + "(C_{a,b} r -> E_{a,b} r)")
    assert proof is not None
    assert check(proof).right


def test_what_is_known_where_it_is_true() -> None:
    assert valid("C_{a,b}^{p} " * 5_000 + "p")
    assert valid("[!p]" * 10 + "C_{a,b} p", "K")
    assert not valid("C_{a,b}^{p} " * 50 + "q")
