"""Common knowledge on a condition: C_G^{ψ} φ, its laws, and who reads or refuses it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kripke_werewolf as kw
from kripke_werewolf import Formula, KripkeModel
from kripke_werewolf.logic.formulas import operators as s
from tests import strategies
from tests.cases import cases, each
from tests.strategies import models

pytestmark = pytest.mark.usefixtures("carrier")

KINDS = (s.Common, s.CommonDual, s.CommonWhether)
PARTS = strategies.formulas(max_depth=2, probability=False)
STATIC = strategies.formulas(max_depth=1, probability=False, dynamic=False, quantifiers=False)


@given(models(), st.sampled_from(KINDS), PARTS, PARTS)
def test_other_names(model: KripkeModel, kind: type[s.OfReach], within: Formula, body: Formula) -> None:
    f = kind(model.agents[:2], body, within=within)
    renamed = f.rename(agents=lambda a: f"{a}0", atoms=lambda p: f"{p}0")
    assert renamed.rename(agents=lambda a: a[:-1], atoms=lambda p: p[:-1]) is f
    for text in (str(f), f.latex(), f.unicode()):
        assert kw.parse(text) is f
    assert kw.from_sentence(kw.to_sentence(f)) is f
    assert model.where(kw.simplify(f, logic="K")) == model.where(f)


@given(st.sampled_from(["K", "T", "S4", "KD45", "S5"]), st.sampled_from(KINDS), STATIC, STATIC, STATIC)
def test_what_is_decided_holds_in_models(
    logic: str, kind: type[s.OfReach], within: Formula, body: Formula, other: Formula
) -> None:
    group = ("a", "b")
    f = kind(group, body, within=within) & other
    found = kw.satisfiable(f, logic=logic)
    if found is not None:
        assert found.where(f)
    announced = s.Box(s.Announce(within), kind(group, body))
    reduced = within >> kind(group, s.Box(s.Announce(within), body), within=within)
    if kind is s.Common:
        assert kw.valid(s.Iff(announced, reduced), logic=logic)
    assert kw.valid(s.Iff(announced, kw.reduce_announcements(announced)), logic=logic)


@cases(
    ("C_{a,b}(p, q)", "C_{a,b}^{p} q"),
    ("C^{p & r}_{a,b} q", "C_{a,b}^{p & r} q"),
    ("Cw_{a,b}^p q", "Cw_{a,b}^{p} q"),
    ("C^p_{a,b} q", "C_{a,b}^{p} q"),
    (r"C_{\{a,b\}}^{\neg p} q", "C_{a,b}^{~p} q"),
    ("C_{a,b}^2 q", "C_{a,b} C_{a,b} q"),
    ("C_{a,b}(p) & q", "C_{a,b} p & q"),
)
def test_spellings(text: str, meant: str) -> None:
    assert kw.understand(text).formula is kw.parse(meant)


@each(["K_a^{p} q", "E_{a,b}^{p} q", "C_{a,b}^{} q", "C_{a,b}^{p q", "C_{a,b}^{p}"])
def test_what_is_no_condition(text: str) -> None:
    with pytest.raises(kw.FormulaSyntaxError):
        kw.understand(text)


def test_it_is_decided_and_derived() -> None:
    law = kw.parse("[!p]C_{a,b} q <-> (p -> C_{a,b}^{p} [!p]q)")
    assert kw.valid(law)
    assert kw.derivation(law).conclusion == law
