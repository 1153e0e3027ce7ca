"""Ranks, belief read off them, upgrades and action priority, against sets of pairs (`tests.reference`)."""

import random
from collections.abc import Callable
from functools import reduce

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kripke_werewolf as kw
from kripke_werewolf import ActionModel, Event, Formula, KripkeModel, bisimilar
from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.models import model as choice
from kripke_werewolf.logic.models.formats.smcdel import to_smcdel
from kripke_werewolf.logic.puzzles import nearest_worlds
from kripke_werewolf.logic.semantics.arrays import ArraySpace, Valuation
from kripke_werewolf.logic.semantics.cells import Partition
from kripke_werewolf.logic.semantics.ranks import RankAtom
from kripke_werewolf.logic.semantics.worlds import Computed
from kripke_werewolf.logic.symbolic import KnowledgeStructure
from tests.cases import cases
from tests.reference.plausibility import (
    AGENTS,
    ATOMS,
    BELIEFS,
    acted,
    random_action,
    random_formula,
    random_orders,
    revealing,
    true_at,
)
from tests.strategies import formulas, models

PROFESSOR = KripkeModel.from_partitions(
    ["sober", "fool", "both"],
    {"a": [["sober", "fool", "both"]]},
    {"genius": ["sober", "both"], "drunk": ["fool", "both"]},
    "both",
    ranks={"a": {"sober": 0, "fool": 1, "both": 2}},
)
seeds = st.integers(0, 2**32).map(random.Random)


def asked(rng: random.Random) -> Formula:
    return revealing(rng) if rng.random() < 0.5 else random_formula(rng, rng.randint(1, 3))


# --- what the operators say ------------------------------------------------------------------------


@pytest.mark.parametrize("small", [choice.SMALL, -1], ids=["bits", "arrays"])
def test_truth_is_that_of_the_definitions(small: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "SMALL", small)
    rng = random.Random(small)
    for _ in range(150):
        orders, m = random_orders(rng)
        g, at = asked(rng), rng.choice(orders.worlds)
        expected = true_at(orders, g)
        assert (set(m.where(g)), m.holds(g, at=at)) == (expected, at in expected)


@pytest.mark.slow
def test_truth_on_diagrams_is_that_of_the_definitions() -> None:
    rng = random.Random(5)
    for _ in range(80):
        orders, m = random_orders(rng)
        g = asked(rng)
        structure = KnowledgeStructure.from_explicit(m)
        assert structure.count(g) == len(true_at(orders, g))
        assert structure.to_explicit().valid(g) == m.valid(g)


@pytest.mark.slow
def test_updates_of_models_are_those_in_formulas() -> None:
    rng = random.Random(8)
    for _ in range(60):
        orders, m = random_orders(rng)
        g, content = (random_formula(rng, 2, ("not", "and", *BELIEFS)) for _ in range(2))
        for kind in ("radical", "conservative"):
            after = m.upgrade(content, conservative=kind == "conservative")
            assert after.where(g) == m.where(f.Box(f.Upgrade(content, kind), g))
        action = random_action(rng, content)
        if any(true_at(orders, action[e].pre) for e in action.designated):
            after = m.update(action)
            assert set(after.where(g)) == true_at(acted(orders, action), g)
            symbolic = KnowledgeStructure.from_explicit(m).update(action)
            assert symbolic.count(g) == len(after.where(g))


@given(seeds)
def test_degrees_and_the_best_worlds_of_layers(rng: random.Random) -> None:
    orders, m = random_orders(rng)
    g = random_formula(rng, 1, ("not", "and", "B"))
    number = rng.randint(0, 3)
    wanted = set()
    for w in orders.worlds:
        rest, seen = orders.cell("a", w), set()
        for _ in range(number + 1):
            seen |= orders.first("a", rest)
            rest -= seen
        if seen <= true_at(orders, g):
            wanted.add(w)
    assert set(m.where(f.degree("a", number, g))) == wanted


@given(seeds, st.sampled_from(["radical", "conservative"]))
def test_upgrades_put_the_right_worlds_first(rng: random.Random, kind: str) -> None:
    orders, m = random_orders(rng)
    content = random_formula(rng, 1, ("not", "B", "Sf"))
    for g in ("Sf_a p", "Sf_a ~p", "Sf_b q", "B_a^{~p} q", "B_b^{~q} p"):
        upgraded = f.Box(f.Upgrade(content, kind), kw.parse(g))
        assert set(m.where(upgraded)) == true_at(orders, upgraded)


@given(seeds)
def test_upgrades_are_actions(rng: random.Random) -> None:
    _, m = random_orders(rng)
    content, g = (random_formula(rng, 2, ("not", "and", *BELIEFS)) for _ in range(2))
    assert m.where(f.Box(f.Act("soft", None, kw.soft(content)), g)) == m.where(f.Box(f.Upgrade(content), g))


@given(seeds)
def test_two_actions_are_one(rng: random.Random) -> None:
    _, m = random_orders(rng)
    first, second = (random_action(rng, random_formula(rng, 1, ("not", *BELIEFS))) for _ in range(2))
    g = random_formula(rng, 2, ("not", "and", *BELIEFS))
    both = f.Box(f.Act("both", None, first.then(second)), g)
    assert m.where(both) == m.where(f.Box(f.Act("one", None, first), f.Box(f.Act("two", None, second), g)))


def test_the_event_counts_before_the_world() -> None:
    """Two ranks of worlds and three of events: added ranks would be another order."""
    m = KripkeModel.from_partitions("wv", {"a": ["wv"]}, {"p": ["w"]}, ranks={"a": {"w": 1, "v": 0}})
    cell = [[0, 1, 2]]
    first = ActionModel.from_partitions({e: Event(rank=e) for e in range(3)}, {"a": cell})
    places = [("v", 0), ("w", 0), ("v", 1), ("w", 1), ("v", 2), ("w", 2)]
    assert m.update(first).ranks == {"a": {place: k for k, place in enumerate(places)}}
    twice = m.update(first.then(first)).ranks["a"]
    assert sorted(twice, key=twice.__getitem__) == [
        (w, (e, g)) for g in range(3) for e in range(3) for w in "vw"
    ]


def test_carriers_agree_where_relations_are_no_cells() -> None:
    rng = random.Random(1)
    for _ in range(60):
        _, m = random_orders(rng)
        told = f.Announce(random_formula(rng, 1, ("not", "B")), ("a",))
        g = f.Box(told, f.B("b", random_formula(rng, 1, ("not", *BELIEFS)), within="p"))
        assert m.arrays.named(m.arrays.truth(g)) == m.where(g)


# --- without ranks everything is as before ---------------------------------------------------------


def known(g: Formula) -> Formula:
    """Return the formula with K for B."""
    return g.rewrite(lambda node: f.K(node.agent, node.body) if isinstance(node, f.B) else node)


@given(models(max_worlds=4), formulas(), st.sampled_from("ab"))
def test_without_ranks_belief_is_knowledge(m: KripkeModel, g: Formula, agent: str) -> None:
    for h in (f.B(agent, g), ~f.B(agent, ~g), f.B("a", f.B("b", g))):
        assert m.where(h) == m.where(known(h))
    assert m.where(f.B(agent, g, within="p")) == m.where(f.K(agent, f.Atom("p") >> g))
    assert m.where(f.CB(["a", "b"], g)) == m.where(f.C(["a", "b"], g))
    assert m.ranks == {}
    assert "ranks" not in m.to_dict()


def test_equal_ranks_are_no_ranks() -> None:
    worlds = ["w", "v"]
    plain, equal, other = (
        KripkeModel.from_partitions(worlds, {"a": [worlds]}, {"p": ["w"]}, ranks=ranks)
        for ranks in ({}, {"a": {"w": 0, "v": 0}}, {"a": {"w": 0, "v": 1}})
    )
    assert plain == equal != other
    assert (plain.ranks, other.ranks) == ({}, {"a": {"w": 0, "v": 1}})
    assert other.point("w") != other
    assert "p" in repr(other)
    assert "rank" not in repr(other.atoms)


# --- models keep them --------------------------------------------------------------------------------


@given(seeds)
def test_models_keep_ranks(rng: random.Random) -> None:
    _, m = random_orders(rng)
    g = random_formula(rng, 3)
    assert KripkeModel.from_dict(m.to_dict()) == m == KripkeModel.from_networkx(m.to_networkx())
    assert KripkeModel.from_space(m.arrays).ranks == m.ranks == m.point(*m.worlds[:1]).ranks
    contracted = m.contract()
    merged = set(contracted.worlds)
    assert set(contracted.where(g)) == {w for w in m.where(g) if w in merged}
    assert m.for_agents("a", m.atoms).ranks.keys() == m.ranks.keys() & {"a"}
    action = random_action(rng, f.Atom("p"))
    assert ActionModel.from_dict(action.to_dict()).to_dict() == action.to_dict()


@given(seeds)
def test_bisimilar_worlds_agree_and_others_are_told_apart(rng: random.Random) -> None:
    (_, m), (_, n) = random_orders(rng), random_orders(rng)
    w, v = m.worlds[0], n.worlds[0]
    if not bisimilar(m, w, n, v):
        g = kw.distinguishing_formula(m, w, n, v)
        assert g is not None
        assert m.holds(g, at=w)
        assert not n.holds(g, at=v)
    else:
        g = random_formula(rng, 3)
        assert m.holds(g, at=w) == n.holds(g, at=v)
    shifted = {a: {w: 2 * k + 3 for w, k in ranks.items()} for a, ranks in m.ranks.items()}
    cells = {a: m.classes(a) or [] for a in AGENTS}
    again = KripkeModel.from_partitions(m.worlds, cells, m.valuation, ranks=shifted)
    assert bisimilar(m, w, again, w)


def test_a_relation_of_belief_becomes_an_order() -> None:
    m = KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]], "b": [["w", "v"]]}, {"p": ["w"]}, "w")
    told = m.update(kw.private("b", "p"))
    soft = told.ordered()
    assert told.holds("B_b p & B_a ~K_b p")
    assert soft.holds("B_b p & B_a ~B_b p & ~K_a ~B_b p")
    assert told.announce("K_b p").holds("K_a false")
    assert soft.announce("B_b p").holds("B_a B_b p & ~B_a false")
    assert m.update(kw.private("b", "p").ordered()).holds("B_a ~B_b p & ~K_a ~B_b p")


def test_nobody_ever_believes_a_contradiction() -> None:
    rng = random.Random(4)
    for _ in range(1000):
        _, m = random_orders(rng)
        for _ in range(3):
            content = random_formula(rng, 1, ("not", "and", "B"))
            if m.verdict(content) != "false":
                m = m.update(kw.private(rng.choice(AGENTS), content).ordered(), merge=True).contract()
        assert not m.where("B_a false | B_b false")


# --- what is refused -----------------------------------------------------------------------------------


def build(**more: object) -> KripkeModel:
    parts: dict[str, object] = {"a": [("w", "v"), ("v", "v")], "b": [(x, y) for x in "wv" for y in "wv"]}
    return KripkeModel("wv", parts, {"p": ["w"]}, **more)  # type: ignore[arg-type]


@cases(
    (
        {"a": {"w": 0, "v": 1}},
        "agent 'a' has ranks, but at 'w' it considers 'v' possible and not the reverse",
    ),
    ({"b": {"w": 0}}, "agent 'b' has ranks, but none for world 'v'"),
    ({"b": {"w": 0, "v": -1}}, "the rank of world 'v' needs a whole number that is not negative"),
    ({"b": {"w": 0, "v": 10**6}}, "at most 1,000"),
    ({"b": {"w": 0, "u": 1}}, "unknown world 'u'"),
    ({"b": [0, 1]}, "must be a mapping"),
    ({"c": {"w": 0, "v": 1}}, "unknown agent 'c'"),
    ({"c": {}}, "unknown agent 'c'"),
)
def test_what_are_no_ranks(ranks: object, said: str) -> None:
    with pytest.raises(kw.errors.KripkeError, match=said):
        build(ranks=ranks)


@cases(
    (lambda: to_smcdel(PROFESSOR), "SMCDEL has no orders"),
    (lambda: ActionModel({"e": "p", "g": "p"}, {"a": [("e", "g")]}).ordered(), "a is not euclidean"),
    (lambda: KripkeModel("wv", {"a": [("w", "v")]}, {}).ordered(), "no belief"),
    (lambda: Event("p", rank=-1), "not negative"),
    (lambda: PROFESSOR.contract(depth=1), "not kept with depth"),
    (lambda: reduce(KripkeModel.upgrade, LAMPS, nearest_worlds(11).model), "more than 1,000 ranks"),
    (lambda: PROFESSOR.restrict(["sober", "both"]).ranked({"a": ["p"]}), "unknown atom 'p'"),
    (lambda: KnowledgeStructure(["p"], True, {"a": []}, ranks={"b": ["p"]}), "unknown agent 'b'"),
    (lambda: KnowledgeStructure(["p"], True, {"a": []}, ranks={"a": ["K_a p"]}), "must be a boolean formula"),
    (lambda: kw.reduce_announcements("[^p]B_a q"), "it changes orders"),
    (lambda: kw.reduce_announcements("[!p]B_a^{q} r"), "also changes the order"),
    (lambda: f.Box(f.Upgrade(f.Atom("p"), "gentle"), "p"), "upgrade 'gentle'"),
)
def test_what_is_refused(ask: Callable[[], object], said: str) -> None:
    with pytest.raises(kw.errors.KripkeError, match=said):
        ask()


ORDERED = kw.private("b", "p").ordered()
LAMPS = [f"lamp_{k}" for k in range(1, 12)]


# --- words ----------------------------------------------------------------------------------------------


@cases(
    ("B_a ~genius", "at both a finds sober most plausible, and genius is true there"),
    ("B_a^{drunk} ~genius", "the only world that a finds most plausible of those where drunk is true"),
    ("Sf_a genius", "at both a finds fool at least as plausible as both, and genius is false there"),
    ("CB_{a} drunk", "at both a considers sober most plausible, where drunk is false"),
    ("Bw_a drunk", "a believes that drunk is false"),
    ("Sb_a (genius | drunk)", "a knows that (genius | drunk -> Sf_a (genius | drunk))"),
    ("[^^drunk]B_a ~genius", "after the radical upgrade that drunk is true, a believes that genius is false"),
)
def test_explanations(g: str, said: str) -> None:
    found = PROFESSOR.explain(g)
    assert said in str(found)
    assert found.value == PROFESSOR.holds(g)


@cases(
    ("would a believe that genius is true if told that drunk is true?", "B_a^{drunk} genius", "no"),
    ("would a believe, if told that drunk is true, that genius is false?", "B_a^{drunk} ~genius", "yes"),
    ("would a believe genius if told drunk?", "B_a^{drunk} genius", "no"),
    ("does a believe safely that genius is true?", "Sf_a genius", "no"),
    ("does a believe that genius is false if drunk is true?", "B_a ~genius", "yes"),
    ("who would believe, if told that drunk is true, that genius is false?", "B_a^{drunk} ~genius", "a"),
)
def test_questions(text: str, formula: str, answer: str) -> None:
    found = PROFESSOR.ask(text)
    assert (str(found.formula), str(found)) == (formula, answer)


@given(seeds)
def test_explanations_say_what_is_true(rng: random.Random) -> None:
    orders, m = random_orders(rng)
    g, w = asked(rng), rng.choice(orders.worlds)
    for node in m.explain(g, at=w):
        if not node.after:
            assert node.value == (node.world in true_at(orders, node.formula))


@given(seeds)
def test_formulas_and_sentences_are_read_back(rng: random.Random) -> None:
    g = random_formula(rng, 3, ("not", "and", "or", "K", "hard", "radical", "conservative", *BELIEFS))
    assert kw.parse(str(g)) == kw.parse(g.unicode()) == kw.parse(g.latex()) == g
    assert kw.from_sentence(kw.to_sentence(g)) == g


# --- large models ----------------------------------------------------------------------------------------


def test_many_worlds_on_arrays() -> None:
    rng = np.random.default_rng(0)
    n, ranks = 60_000, 10
    cell = np.unique(rng.integers(0, n // 20, n), return_inverse=True)[1].astype(np.int32)
    rank, p, q = rng.integers(0, ranks, n), rng.random(n) < 0.5, rng.random(n) < 0.5
    masks = {"p": p, "q": q, **{RankAtom("a", k): rank >= k for k in range(1, ranks)}}
    relations = {"a": Partition(cell, cell.max() + 1)}
    m = KripkeModel.from_space(ArraySpace(Computed(n, lambda w: w), relations, Valuation(n, masks), {}, {}))
    least = np.full(cell.max() + 1, ranks)
    np.minimum.at(least, cell[q], rank[q])
    bad = set(cell[q & (rank == least[cell]) & ~p].tolist())
    assert m.where("B_a^{q} p") == [w for w in range(n) if int(cell[w]) not in bad]


def test_distances_on_diagrams() -> None:
    names = [f"x{i}" for i in range(30)]
    m = KnowledgeStructure(names, True, {"a": []}, ranks={"a": names})  # Dalal 1988: the distance from none
    three = f.atleast(3, *names)
    assert m.size == 2**30
    assert m.valid(f.B("a", f.exactly(3, *names), within=three))
    assert m.upgrade(three).valid(f.B("a", f.exactly(3, *names)))
    assert m.upgrade("x0", conservative=True).valid(f.B("a", f.exactly(1, *names) & "x0"))


# --- a thousand private announcements -------------------------------------------------------------------


def renumbered(m: KripkeModel) -> KripkeModel:
    """Return the model with numbers for worlds: names that updates have nested would grow at each."""
    number = {w: k for k, w in enumerate(m.worlds)}
    return KripkeModel.from_partitions(
        number.values(),
        {a: [[number[w] for w in cell] for cell in m.classes(a) or ()] for a in m.agents},
        {p: [number[w] for w in worlds] for p, worlds in m.valuation.items()},
        [number[w] for w in m.designated],
        ranks={a: {number[w]: k for w, k in ranks.items()} for a, ranks in m.ranks.items()},
    )


def unseen_toss(atom: str) -> ActionModel:
    """Return the event in which a fact becomes true, and nobody sees whether."""
    events = {"heads": Event(post={atom: True}), "tails": Event(post={atom: False})}
    return ActionModel.from_partitions(events, {agent: [[*events]] for agent in AGENTS}, "heads")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_nobody_believes_a_contradiction_after_a_thousand_private_announcements(seed: int) -> None:
    """Each doubles what the other cannot exclude; truths told to both, and tosses, keep the model small."""
    rng = random.Random(seed)
    _, m = random_orders(rng)
    m, told, wrong = m.point(m.worlds[0]), 0, 0
    while told < 1000:
        if len(m) < 40:
            content, group = random_formula(rng, 2, ("not", "and", "K", *BELIEFS)), rng.choice(AGENTS)
            told += 1
        else:
            (here,), other = m.designated, rng.choice([w for w in m.worlds if w not in m.designated])
            content, group = kw.distinguishing_formula(m, here, m, other), [*AGENTS]
        if not m.holds(content):
            content = ~content
        action = kw.private(group, content).for_agents(AGENTS, ATOMS).ordered()
        m = renumbered(m.update(action).generated().contract())
        assert m.valid("~B_a false & ~B_b false")
        wrong += m.holds("~(Best_a true & Best_b true)")  # what somebody believes is not all true
        if len(m) < 3 or rng.random() < 0.02:
            m = renumbered(m.update(unseen_toss(rng.choice(ATOMS))).generated().contract())
    assert wrong > 100
