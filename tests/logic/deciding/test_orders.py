"""Validity in models with orders: known theorems, known failures, and formulas drawn at random."""

import random
from functools import partial

import pytest

import kripke_werewolf as kw
from kripke_werewolf import FormatError, FormulaError, countermodel, satisfiable, valid
from kripke_werewolf.logic.deciding import decision
from kripke_werewolf.logic.formulas import Act, Box
from tests.cases import cases, each
from tests.reference.plausibility import random_formula, random_orders

ORDERS = "S5 with orders"

STATIC = (
    "B_a p <-> B_a^{true} p",
    "(K_a p -> Sf_a p) & (Sf_a p -> B_a p)",
    "B_a^{q} p <-> (M_a q -> M_a (q & Sf_a (q -> p)))",
    "K_a p <-> B_a^{~p} p",
    "Sf_a p & q -> B_a^{q} p",
    "B_a (p -> q) -> B_a p -> B_a q",
    "B_a p -> ~B_a ~p",
    "B_a p -> B_a B_a p",
    "~B_a p -> B_a ~B_a p",
    "(B_a p -> K_a B_a p) & (~B_a p -> K_a ~B_a p)",
    "Sf_a p -> p",
    "Sf_a p -> Sf_a Sf_a p",
    "Sf_a (Sf_a p -> q) | Sf_a (Sf_a q -> p)",
    "K_a (p | Sf_a q) & K_a (q | Sf_a p) -> K_a p | K_a q",
    "Sb_a p <-> B_a p & K_a (p -> Sf_a p)",
    "B_a p <-> B_a Sf_a p",
    "B_a p <-> M_a Sf_a p",
    # the postulates of belief revision (Alchourrón, Gärdenfors and Makinson 1985)
    "B_a^{p} p",
    "M_a p -> ~B_a^{p} false",
    "B_a^{p & q} r -> B_a^{p} (q -> r)",
    "~B_a^{p} ~q & B_a^{p} (q -> r) -> B_a^{p & q} r",
    "K_a (p <-> q) -> (B_a^{p} r <-> B_a^{q} r)",
    "B_a^{p} q & B_a^{p} r -> B_a^{p & q} r",
    "B_a^{p} r & B_a^{q} r -> B_a^{p | q} r",
)
REDUCTION = (
    "[!p]B_a^{q} r <-> (p -> B_a^{p & [!p]q} [!p]r)",
    "[!p]Sf_a q <-> (p -> Sf_a (p -> [!p]q))",
    "[!p]Best_a q <-> (p -> Best_a (p & [!p]q))",
    "[^^p]K_a q <-> K_a [^^p]q",
    "[^^p]B_a^{q} r <-> (M_a (p & [^^p]q) & B_a^{p & [^^p]q} [^^p]r)"
    " | (~M_a (p & [^^p]q) & B_a^{[^^p]q} [^^p]r)",
    "[^^p]Sf_a q <-> (p & Sf_a (p -> [^^p]q)) | (~p & Sf_a (~p -> [^^p]q) & K_a (p -> [^^p]q))",
    "[^p]B_a^{q} r <-> (B_a^{p} ~[^p]q & B_a^{[^p]q} [^p]r) | (~B_a^{p} ~[^p]q & B_a^{p & [^p]q} [^p]r)",
    "[^p]Sf_a q <-> (Best_a p & B_a^{p} [^p]q) | (~Best_a p & B_a^{p} [^p]q & Sf_a [^p]q)",
)
DYNAMIC = (
    "M_a p -> [^^p]Sb_a p",
    "M_a p -> [^p]B_a p",
    "[^^p][^^~p](M_a ~p -> B_a ~p)",
    "[^p]B_a q <-> [^^p]B_a q",
    "p -> ([!p]B_a q <-> [^^p]B_a q)",
    "p -> ([!p]Sf_a q <-> [^^p]Sf_a q)",
    "[^^p & ~B_a p]~B_a (p & ~B_a p)",
)
FAILURES = (
    "B_a p -> p",
    "~Sf_a p -> Sf_a ~Sf_a p",
    "Sf_a p -> K_a Sf_a p",
    "Sb_a (p & q) -> Sb_a p",
    "B_a^{p} r -> B_a^{p & q} r",
    "[!p & ~B_a p]B_a (p & ~B_a p)",
    "M_a (p & ~B_a p) -> [^^p & ~B_a p]B_a (p & ~B_a p)",
    "M_a (p & ~B_a p) -> [^p & ~B_a p]B_a (p & ~B_a p)",
    "M_a p -> [^p]Sb_a p",
    "[^p]Sf_a q <-> B_a^{p} q & Sf_a q",
    "[^p]B_a^{q} r <-> [^^p]B_a^{q} r",
    "M_a (p & q) -> [^p][^q]B_a p",
    "[^^p][^^q]B_a^{~(p & q)} r <-> [^^p & q]B_a^{~(p & q)} r",
    "B_a p -> Sb_a p",
    "p -> ([!p]K_a q <-> [^^p]K_a q)",
)


@pytest.mark.slow
@each(STATIC + REDUCTION + DYNAMIC)
def test_theorems(f: str) -> None:
    assert valid(f, ORDERS)


@each(FAILURES)
def test_failures(f: str) -> None:
    model = countermodel(f, ORDERS)
    assert model is not None
    assert not model.holds(f)
    assert not model.frame_flaws("S5")


def test_theorems_are_true_in_models() -> None:
    """The schemas also for other formulas than atoms, which updates may change."""
    rng = random.Random(3)
    for _ in range(15):
        _, m = random_orders(rng, "pqr")
        put = {x: random_formula(rng, 1, ("not", "and", "B", "Sf"), "pqr") for x in "pqr"}
        for f in STATIC + REDUCTION:
            assert m.valid(kw.parse(f).substitute(put)), f
        for f in DYNAMIC:
            assert m.valid(f), f


def test_decisions_and_models_agree() -> None:
    """What is satisfiable has a model that passes the checker; what is not is true in no random model."""
    rng = random.Random(6)
    refuted = []
    for _ in range(150):
        f = random_formula(rng, 3)
        if satisfiable(f, ORDERS) is None:
            refuted.append(f)
    assert refuted
    for _ in range(200):
        _, m = random_orders(rng)
        assert not any(m.where(f) for f in refuted)


def test_more_ranks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(7)
    drawn = [random_formula(rng, 2) for _ in range(40)]
    found = [satisfiable(f, ORDERS) is not None for f in drawn]
    most = decision.rank_atoms
    for place in ("decision", "translation"):
        monkeypatch.setattr(
            f"kripke_werewolf.logic.deciding.{place}.rank_atoms",
            lambda f, logic: [
                *most(f, logic),
                *(type(x)(x.agent, x.least + n) for x in most(f, logic)[-1:] for n in (1, 2)),
            ],
        )
    assert [satisfiable(f, ORDERS) is not None for f in drawn] == found


@cases(
    ("CB_{a,b} p <-> CB_{a,b}^{true} p & B_a p", True),
    ("CB_{a,b} p -> B_a B_b p", True),
    ("B_a (p & CB_{a,b} p) & B_b (p & CB_{a,b} p) <-> CB_{a,b} p", True),
    ("C_{a,b} p -> CB_{a,b} p", True),
    ("CB_{a,b} p -> C_{a,b} p", False),
    ("B_a p & B_b p -> CB_{a,b} p", False),
    ("[^^p]CB_{a,b} p", False),
    ("C_{a,b} (M_a p & M_b p) -> [^^p]CB_{a,b} p", True),
)
def test_common_belief(f: str, expected: bool) -> None:
    assert valid(f, ORDERS) is expected


def test_as_many_layers_as_conditions() -> None:
    layers = "B_a p & B_a^{~p} q & B_a^{~p & ~q} r & M_a (~p & ~q & ~r)"
    found = satisfiable(layers, ORDERS)
    assert found is not None
    assert sorted({*found.ranks["a"].values()}) == [0, 1, 2, 3]
    assert satisfiable(f"{layers} & Sf_a ~p", ORDERS) is None


def test_orders_are_named() -> None:
    assert valid("B_a p -> K_a p")
    assert not valid("B_a p -> K_a p", ORDERS)
    mixed = "a: S5 with orders, others: S5"
    assert valid("K_a p | (B_b p -> K_b p)", mixed)
    assert not valid("B_a p -> K_a p", mixed)
    assert valid("Sf_a p -> B_a p", "with orders")
    assert kw.logic_named("a: kd45, b: s5 with orders").name == "a: KD45, b: S5 with orders, others: S5"
    assert str(kw.decide_validity("B_a p -> p", ORDERS)).endswith("a finds most plausible: w1; then w0")
    assert not valid("[!φ]B_a φ", ORDERS)
    assert valid("B_a (φ & ψ) <-> B_a φ & B_a ψ", ORDERS)
    assert kw.simplify("B_a p & p", logic=ORDERS) is kw.parse("B_a p & p")
    for wrong, logic in (
        ("Sf_a p", "S5"),
        ("[^^p]B_a p", "S5"),
        ("K_a p | B_b^{p} q", mixed),
        ("p", "K with orders"),
    ):
        with pytest.raises(FormulaError, match="orders"):
            valid(wrong, logic)


SPOKEN = (*STATIC[1:5], "[^p]p", "[^^p]B_a p -> [^^p]K_a p", "<^^p>q", "Bw_a p", "Best_a p", "CB_{a,b} p")


@each(SPOKEN)
def test_orders_are_not_derived(f: str) -> None:
    """Derivations read B as K, which it is not once worlds are ordered."""
    hinted = Box(Act("hint", None, kw.soft("p")), kw.parse("B_a q <-> K_a q"))
    for way in (kw.prove, kw.derivation, partial(kw.proofs.tableau, logic="S5")):
        for g in (f, hinted):
            with pytest.raises(FormulaError, match="nothing of orders of plausibility"):
                way(g)
    for proof, rule in ((kw.proofs.read_proof, "Taut"), (kw.proofs.read_natural, "LEM")):
        with pytest.raises(FormatError, match="nothing of orders of plausibility"):
            proof(f"1. {f}  {rule}")
    with pytest.raises(FormulaError, match="decided in S5 with orders"):
        kw.prove("B_a p -> p", ORDERS)
