"""The bridge to mlsolver: with a stand-in for the package, and with the package if it is installed."""

import importlib.util
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import kripke_werewolf as kw
from kripke_werewolf import FormatError, FormulaError, KripkeModel, ModelError
from kripke_werewolf.logic.models.formats.mlsolver import (
    from_mlsolver,
    from_mlsolver_formula,
    to_mlsolver,
    to_mlsolver_formula,
)
from tests.strategies import plain_models

pytestmark = pytest.mark.usefixtures("carrier")

INSTALLED = "mlsolver" not in sys.modules and importlib.util.find_spec("mlsolver") is not None
SHARED = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def stand_in() -> dict[str, ModuleType]:
    """Return modules with the classes of mlsolver, their fields, and truth at a world."""

    def kind(name: str, fields: str, truth: Any) -> type:
        names = fields.split()

        def start(self: Any, *values: Any) -> None:
            for field, value in zip(names, values, strict=True):
                setattr(self, field, value)

        return type(name, (), {"__init__": start, "semantic": truth})

    def seen(structure: Any, agent: str, w: str) -> list[str]:
        return [v for x, v in structure.relations[agent] if x == w]

    formula, kripke = ModuleType("mlsolver.formula"), ModuleType("mlsolver.kripke")
    for made in (
        kind("Atom", "name", lambda f, m, w: next(x for x in m.worlds if x.name == w).assignment[f.name]),
        kind("Not", "inner", lambda f, m, w: not f.inner.semantic(m, w)),
        kind("And", "left right", lambda f, m, w: f.left.semantic(m, w) and f.right.semantic(m, w)),
        kind("Or", "left right", lambda f, m, w: f.left.semantic(m, w) or f.right.semantic(m, w)),
        kind("Implies", "left right", lambda f, m, w: not f.left.semantic(m, w) or f.right.semantic(m, w)),
        kind(
            "Box_a", "agent inner", lambda f, m, w: all(f.inner.semantic(m, v) for v in seen(m, f.agent, w))
        ),
        kind(
            "Diamond_a",
            "agent inner",
            lambda f, m, w: any(f.inner.semantic(m, v) for v in seen(m, f.agent, w)),
        ),
        kind(
            "Box_star",
            "inner",
            lambda f, m, w: all(
                f.inner.semantic(m, v) for v in [w, *(v for a in m.relations for v in seen(m, a, w))]
            ),
        ),
        kind("Box", "inner", None),
        kind("Diamond", "inner", None),
    ):
        setattr(formula, made.__name__, made)
    kripke.World = kind("World", "name assignment", None)  # type: ignore[attr-defined]
    kripke.KripkeStructure = kind("KripkeStructure", "worlds relations", None)  # type: ignore[attr-defined]
    return {"mlsolver": ModuleType("mlsolver"), "mlsolver.formula": formula, "mlsolver.kripke": kripke}


@pytest.fixture(
    params=[
        "stand-in",
        pytest.param("installed", marks=pytest.mark.skipif(not INSTALLED, reason="no mlsolver")),
    ]
)
def mlsolver(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    if request.param == "stand-in":
        for name, module in stand_in().items():
            monkeypatch.setitem(sys.modules, name, module)
    yield importlib.import_module("mlsolver.formula")
    if request.param == "installed":
        for name in [n for n in sys.modules if n.partition(".")[0] == "mlsolver"]:
            del sys.modules[name]


def common_operators() -> st.SearchStrategy[kw.Formula]:
    """Return a strategy for formulas that both libraries have."""
    agents = st.sampled_from(["a", "b"])
    leaves = st.sampled_from(["p", "q", "r"]).map(kw.Atom)

    def deeper(part: st.SearchStrategy[kw.Formula]) -> st.SearchStrategy[kw.Formula]:
        several = st.lists(part, min_size=2, max_size=3)
        return st.one_of(
            part.map(kw.Not),
            st.builds(lambda kind, parts: kind(*parts), st.sampled_from([kw.And, kw.Or, kw.Xor]), several),
            st.builds(lambda kind, f, g: kind(f, g), st.sampled_from([kw.Implies, kw.Iff]), part, part),
            st.builds(
                lambda kind, a, f: kind(a, f),
                st.sampled_from([kw.Knows, kw.Possible, kw.KnowsWhether, kw.Everyone]),
                agents,
                part,
            ),
            st.builds(kw.Everyone, st.just(["a", "b"]), part),
        )

    return st.recursive(leaves, deeper, max_leaves=6)


@SHARED
@given(plain=plain_models(weights=False, max_worlds=4), f=common_operators())
def test_both_libraries_agree_on_what_both_have(mlsolver: Any, plain: Any, f: kw.Formula) -> None:
    model = plain.build()
    structure, theirs = to_mlsolver(model), to_mlsolver_formula(f)
    assert [theirs.semantic(structure, str(w)) for w in model.worlds] == [
        model.holds(f, at=w) for w in model.worlds
    ]
    again, back = from_mlsolver(structure), from_mlsolver_formula(theirs)
    assert again.where(back) == [str(w) for w in model.where(f)]
    assert to_mlsolver(again).relations == structure.relations
    assert (again.agents, set(again.atoms)) == (model.agents, set(model.atoms))


def test_box_star_is_read_as_what_it_computes(mlsolver: Any) -> None:
    chain = KripkeModel.from_partitions("123", {"a": ["12", "3"], "b": ["1", "23"]}, {"p": ["1", "2"]})
    star = mlsolver.Box_star(mlsolver.Atom("p"))
    f = from_mlsolver_formula(star, agents=["a", "b"])
    assert str(f) == "p & E_{a,b} p"
    assert [star.semantic(to_mlsolver(chain), w) for w in "123"] == [chain.holds(f, at=w) for w in "123"]
    assert chain.where(f) == ["1"]
    assert chain.where("C_{a,b} p") == []
    with pytest.raises(FormulaError, match=r"say which with agents=\[…\]"):
        from_mlsolver_formula(star)
    assert str(from_mlsolver_formula(star, agents=[])) == "p"


def test_structures_and_formulas_without_agents(mlsolver: Any) -> None:
    kripke = importlib.import_module("mlsolver.kripke")
    structure = kripke.KripkeStructure(
        [kripke.World("w", {"p": True}), kripke.World("v", {"q": False})], {("w", "v")}
    )
    m = from_mlsolver(structure, agent="me")
    assert m == KripkeModel("wv", {"me": [("w", "v")]}, {"p": ["w"], "q": []})
    f = mlsolver.Box(mlsolver.Diamond(mlsolver.Atom("1:R")))
    assert from_mlsolver_formula(f, agent="me") == kw.K("me", kw.M("me", kw.Atom("1:R")))


@pytest.mark.parametrize(
    "text",
    ["C_a p", "D_a p", "true", "exactly(1; p, q)", "P_a(p) >= 1/2", "[!p]q", "forall p. p", "everywhere p"],
)
def test_formulas_that_mlsolver_cannot_say(mlsolver: Any, text: str) -> None:
    with pytest.raises(FormulaError, match=r"^mlsolver has n"):
        to_mlsolver_formula(f"p & ({text})")


def test_what_does_not_convert(mlsolver: Any) -> None:
    with pytest.raises(ModelError, match="'1' would be the name of two worlds"):
        to_mlsolver(KripkeModel([1, "1"], {}, {}))
    with pytest.raises(FormatError, match="expected a formula of mlsolver, got an object of class int"):
        from_mlsolver_formula(mlsolver.Not(3))
    f = mlsolver.Not(mlsolver.Atom("p"))
    f.inner = mlsolver.Not(f)
    with pytest.raises(FormatError, match="cyclic"):
        from_mlsolver_formula(f)


def test_deep_formulas(mlsolver: Any) -> None:
    f: kw.Formula = kw.Atom("p")
    for _ in range(5000):
        f = kw.K("a", f)
    assert from_mlsolver_formula(to_mlsolver_formula(f)) is f


def test_without_mlsolver(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("mlsolver", "mlsolver.kripke", "mlsolver.formula"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ModuleNotFoundError, match="mlsolver is not installed; it is on GitHub only"):
        to_mlsolver(KripkeModel("w", {}, {}))
