"""Common knowledge after actions, and a logic for each agent, against slow references and by invariance."""

from contextlib import suppress
from random import Random

import pytest

from kripke_werewolf import ActionModel, Decision, Event, FormulaError, Undecided, parse
from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.deciding import (
    countermodel,
    decide_satisfiability,
    decide_validity,
    logic_named,
    satisfiable,
    valid,
)
from kripke_werewolf.logic.deciding.closure import closure_of
from kripke_werewolf.logic.deciding.core import Builder
from kripke_werewolf.logic.deciding.elimination import Elimination
from kripke_werewolf.logic.deciding.sat import Steps
from kripke_werewolf.logic.deciding.translation import _Copies, _Place
from kripke_werewolf.logic.proofs import check, derivation, expand
from tests.reference.kripke import Plain, extension, plain
from tests.reference.small_models import PROPERTIES, SmallModels, has
from tests.strategies import closed
from tests.theorems import LOGICS

AGENTS, ATOMS = "abc", "pq"
RING = 16


def action(rng: Random, agents: str = AGENTS) -> ActionModel:
    """Return an action of up to four events with changes of facts."""
    events = [f"e{n}" for n in range(rng.choice([2, 2, 3, 4]))]
    p, q = f.Atom("p"), f.Atom("q")
    pool = [f.TRUE, p, q, ~p, ~q, f.K(agents[0], p), ~f.K(agents[-1], q)]
    found = {
        e: Event(rng.choice(pool), {rng.choice(ATOMS): rng.choice(pool)} if rng.random() < 0.3 else {})
        for e in events
    }
    pairs = {a: [(d, e) for d in events for e in events if rng.random() < 0.5] for a in agents}
    alone = [(e, e) for e in events]
    return ActionModel(found, pairs, [rng.choice(events)], others=alone, name=f"act{rng.randrange(10**6)}")


def after(update: ActionModel, body: f.Formula) -> f.Formula:
    return f.Box(f.Act(update.name, None, update), body)


def inner(rng: Random, depth: int, agents: str, updates: list[ActionModel]) -> f.Formula:
    """Return a random formula."""
    if depth == 0:
        literal = f.Atom(rng.choice(ATOMS))
        return ~literal if rng.random() < 0.4 else literal
    one, other = (inner(rng, depth - 1, agents, updates) for _ in range(2))
    group = rng.sample(agents, rng.randint(1, len(agents)))
    kinds = [~one, one & other, one | other, f.K(rng.choice(agents), one), f.C(group, one)]
    return rng.choice([*kinds, f.C(group, one), after(rng.choice(updates), one)])


def likely(rng: Random, agents: str = AGENTS) -> f.Formula:
    """Return a formula with common knowledge after an action, which is often valid."""
    updates = [action(rng, agents) for _ in range(rng.choice([1, 1, 2]))]
    g, h = (inner(rng, rng.choice([0, 0, 1]), agents, updates) for _ in range(2))
    group, update = rng.sample(agents, 2), rng.choice(updates)
    within = rng.choice([f.TRUE, f.TRUE, f.Atom("p")])
    common = f.C(group, g, within=within)
    one = rng.choice(group)
    return rng.choice(
        [
            after(update, common) >> after(update, f.K(one, within >> (g & common))),
            after(update, f.C(group, g & h)).iff(after(update, common) & after(update, f.C(group, h))),
            common >> after(update, common),
            after(update, f.C(group, g >> f.E(group, g)))
            >> (after(update, f.E(group, g)) >> after(update, common)),
            after(update, common) >> f.C(group, after(update, g)),
            inner(rng, 2, agents, updates) >> after(update, inner(rng, 2, agents, updates)),
        ]
    )


def logics(rng: Random, names: list[str]) -> dict[str, str]:
    return {agent: rng.choice(names) for agent in AGENTS}


def written(of: dict[str, str]) -> str:
    return ", ".join(f"{agent}: {name}" for agent, name in of.items())


def decided(formula: f.Formula, logic: str) -> Decision | None:
    try:
        return decide_satisfiability(formula, logic=logic, limit=400_000)
    except Undecided:
        return None


def fits(model: Plain, of: dict[str, str]) -> bool:
    """Return whether each agent's relation has the properties of their logic."""
    for agent, pairs in model.relations.items():
        rows = [[(w, v) in pairs for v in model.worlds] for w in model.worlds]
        wanted = set(PROPERTIES[of[agent]].split())
        if "symmetric" in wanted and any((v, w) not in pairs for w, v in pairs):
            return False
        if not all(has(name, rows) for name in wanted - {"symmetric"}):
            return False
    return True


@pytest.mark.parametrize("seed", range(4))
def test_random_formulas_have_a_model_or_their_negation_is_derived(seed: int) -> None:
    rng, derived = Random(seed), 0
    for _ in range(25):
        of = logics(rng, list(LOGICS)) if seed % 2 else dict.fromkeys(AGENTS, rng.choice(list(PROPERTIES)))
        formula = likely(rng)
        formula = ~formula if rng.random() < 0.7 else formula
        found = decided(formula, written(of))
        if found is None:
            continue
        if found.model is not None:
            shown = plain(found.model)
            assert shown.designated <= extension(shown, formula), (formula, of)
            assert fits(shown, of), (formula, of)
        for _ in range(0 if found.answer else 4):
            assert not extension(random_model(rng, of), formula), (formula, of)
        if not found.answer and LOGICS.keys() >= {*of.values()}:
            with suppress(Undecided):
                proof = derivation(~formula, logic=written(of), limit=200_000)
                assert proof is not None, (formula, of)
                assert check(expand(proof) if derived < 3 else proof).right, (formula, of)
                derived += 1
    assert derived > 3


def random_model(rng: Random, of: dict[str, str]) -> Plain:
    n = rng.randint(1, 4)
    pairs = [(w, v) for w in range(n) for v in range(n)]
    relations = {}
    for agent, name in of.items():
        given = {pair for pair in pairs if rng.random() < 0.3}
        if "symmetric" in PROPERTIES[name]:
            given |= {(v, w) for w, v in given}
        relations[agent] = frozenset(closed(given, n, name))
    true = {p: frozenset(w for w in range(n) if rng.random() < 0.5) for p in ATOMS}
    return Plain(
        tuple(range(n)), relations, true, frozenset(range(n)), {a: dict.fromkeys(range(n), 1) for a in of}
    )


@pytest.mark.parametrize("seed", range(3))
def test_what_mixed_groups_know_together_against_small_models(seed: int) -> None:
    rng, known = Random(seed), {}
    for _ in range(25):
        of = {agent: rng.choice(list(PROPERTIES)) for agent in "ab"}
        euclidean = {"K5", "KD5", "K45", "KD45"}.intersection(of.values())
        if euclidean and any("B" in name for name in of.values()):
            continue  # what they know together is not decided
        parts = [distributed(rng, 2) for _ in range(rng.randint(1, 3))]
        formula = f.conjunction(parts)
        found = decided(formula, written(of))
        if found is None:
            continue
        if found.model is not None:
            shown = plain(found.model)
            assert shown.designated <= extension(shown, formula)
            assert fits(shown, of)
        for size in (1, 2):
            key = of["a"], of["b"], size
            if not found.answer:
                known[key] = known.get(key) or SmallModels(list(of.values()), size, "ab", ATOMS)
                assert not known[key].satisfy(formula), (formula, of)


def distributed(rng: Random, depth: int) -> f.Formula:
    if depth == 0:
        return rng.choice([f.Atom("p"), ~f.Atom("p"), f.Atom("q")])
    body = rng.choice(
        [distributed(rng, depth - 1), distributed(rng, depth - 1) | distributed(rng, depth - 1)]
    )
    found = rng.choice([f.D(["a", "b"], body), f.K(rng.choice("ab"), body), f.D(["a", "b"], body)])
    return ~found if rng.random() < 0.5 else found


def test_a_step_of_belief_leads_to_where_distributed_knowledge_is_true() -> None:
    # a is reached by a, and b sees every world: so both together see the world that a reaches
    assert valid("K_a (D_{a,b} p -> p)", logic="a: K45, b: S5")
    assert valid("K_a (D_{a,b} p -> p)", logic="a: KD45, b: T")
    assert not valid("D_{a,b} p -> p", logic="a: K45, b: S5")
    assert not valid("K_a (D_{a,b} p -> p)", logic="a: K45, b: K")
    assert valid("D_{a,b} p -> D_{a,b} D_{a,b} p", logic="a: K4, b: S5")
    assert not valid("~D_{a,b} p -> D_{a,b} ~D_{a,b} p", logic="a: K4, b: S5")
    assert valid("p -> D_{a,b} ~D_{a,b} ~p", logic="a: KB, b: S5")
    with pytest.raises(FormulaError, match="a group may have agents of KB, KDB, KTB and KB5 or of K5"):
        valid("D_{a,b} p -> p", logic="a: KB, b: K45")


def test_one_logic_for_each_is_one_for_all() -> None:
    assert logic_named("a: S5, others: S5") is LOGICS["S5"]
    assert logic_named("a b: K, others: KD45").name == "a: K, b: K, others: KD45"
    mixed = logic_named("a: S5, b: KD45")
    assert (mixed.serial, mixed.reflexive, mixed.properties) == (
        True,
        False,
        ("serial", "transitive", "euclidean"),
    )
    assert decide_validity("K_a p -> p", logic=mixed).logic == "a: S5, b: KD45, others: S5"


@pytest.mark.parametrize("logic", LOGICS)
def test_updates_that_agents_notice_in_part(logic: str) -> None:
    assert valid("[a!p]C_{b,c} q <-> (p -> C_{b,c} q)", logic)
    assert valid("[a,b!p]C_{a,b} p", logic)
    assert not valid("[a!p][b!p]C_{a,b} p", logic)
    assert not valid("[a,b!p]C_{a,b,c} p", logic)
    three, four = "[a?!p][b?!q][c?!r]", "[a?!p][b?!q][c?!r][d?!s]"
    assert valid(f"{three}C_{{a,b,c}} (Kw_a p & Kw_b q & Kw_c r)", logic)
    assert valid(f"C_{{a,b,c,d}} t -> {four}C_{{a,b,c,d}} (t & Kw_a p & Kw_d s)", logic)
    assert not valid(f"{four}C_{{a,b,c,d}} (t | Kw_a p & p)", logic)
    model = countermodel("[a!p][b!p]C_{a,b} p", logic)
    assert model is not None
    assert not model.holds("[a!p][b!p]C_{a,b} p")


@pytest.mark.parametrize("logic", ["K", "KD45", "S5"])
def test_a_ring_of_events_and_a_channel_that_loses_messages(logic: str) -> None:
    names = [f"e{n}" for n in range(RING)]
    near = {
        agent: [
            (names[i], names[j])
            for i in range(RING)
            for j in range(RING)
            if (i + shift) // 2 % (RING // 2) == (j + shift) // 2 % (RING // 2)
        ]
        for agent, shift in (("a", 0), ("b", 1))
    }
    ring = ActionModel(
        {e: f"p{n}" if n % 2 else f"~p{n}" for n, e in enumerate(names)}, near, ["e0"], name="ring"
    )
    keeps, invents = (
        parse(t).bind(ring=ring) for t in ("C_{a,b} q -> [ring]C_{a,b} q", "K_a q -> [ring]C_{a,b} q")
    )
    assert valid(keeps, logic)
    assert not valid(invents, logic)
    pairs = {
        "a": "got-got got-lost lost-lost lost-got none-none",
        "b": "got-got lost-lost lost-none none-lost none-none",
    }
    lossy = ActionModel(
        {"got": "p", "lost": "p", "none": "true"},
        {agent: [tuple(pair.split("-")) for pair in text.split()] for agent, text in pairs.items()},
        ["got"],
        name="lossy",
    )
    thrice = "[lossy][lossy][lossy]"
    assert valid(parse(f"C_{{a,b}} (p & q) -> {thrice}C_{{a,b}} (p & q)").bind(lossy=lossy), logic)
    assert not valid(parse(f"K_a q -> {thrice}C_{{a,b}} q").bind(lossy=lossy), logic)


def test_theories() -> None:
    assert valid("K_a q", given=["p", "p -> q"])
    assert valid("C_{a,b} q", "K", given=["p -> K_a p & K_b p & q", "p"])
    assert not valid("K_a q", given=["p"])
    assert satisfiable("~K_a p", given=["p"]) is None
    model = satisfiable("~K_a q & ~K_a ~q", given=["q -> p"])
    assert model is not None
    assert model.where("q -> p") == list(model.worlds)
    with pytest.raises(FormulaError, match="given= must be a list of formulas"):
        valid("p", given="p")


def test_symmetric_relations() -> None:
    for logic in ("KB", "KDB", "KTB", "S5"):
        assert valid("p -> K_a M_a p", logic)
        assert valid("p -> C_{a,b} ~C_{a,b} ~p", logic)
    assert not valid("K_a p -> K_a K_a p", "KTB")
    assert not valid("K_a p -> p", "KDB")
    assert not valid("~K_a false", "KB")


def test_common_knowledge_on_a_condition_in_the_core_language() -> None:
    # what an operator C_{a,b}^{ψ} asks of a space: the condition need not hold where paths begin
    build = Builder(LOGICS["K"])
    copies = _Copies(build, Steps(1_000), frozenset(), _Place((1,), (("a", (1,)), ("b", (1,)))))
    p, q = (copies.truth(f.Atom(name)) for name in ATOMS)
    steps = [copies.relations[agent] for agent in "ab"]
    (common,) = copies.box(copies.join(steps, p), q)
    (everyone,) = copies.truth(f.E(["a", "b"], f.Atom("p") >> f.Atom("q")))
    for denied, answer in ((-everyone, False), (everyone, True), (copies.complement(p)[0], True)):
        core = build.finish(build.conj([common, denied]), "ab")
        assert (Elimination(closure_of(core, LOGICS["K"]), Steps(10_000)).run() is not None) is answer
    assert copies.box(copies.join(steps), q) == copies.truth(f.C(["a", "b"], f.Atom("q")))
