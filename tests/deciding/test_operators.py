"""The decision procedure also reads the meaning of an operator off its declaration."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kripke_werewolf import language as f
from kripke_werewolf.deciding import countermodel, satisfiable, valid
from kripke_werewolf.language.formulas import withdraw
from kripke_werewolf.language.operators import Binding, Infix, Mode, OfGroup, Scope, Spelling
from tests.theorems import LOGICS

MEANINGS = [
    ("M_a p", "~K_a ~p"),
    ("Kw_a p", "K_a p | K_a ~p"),
    ("E_{a,b} p", "K_a p & K_b p"),
    ("Em_{a,b} p", "~E_{a,b} ~p"),
    ("Ew_{a,b} p", "Kw_a p & Kw_b p"),
    ("Sk_{a,b} p", "K_a p | K_b p"),
    ("Cm_{a,b} p", "~C_{a,b} ~p"),
    ("Cw_{a,b} p", "C_{a,b} p | C_{a,b} ~p"),
    ("Dm_{a,b} p", "~D_{a,b} ~p"),
    ("Dw_{a,b} p", "D_{a,b} p | D_{a,b} ~p"),
    ("somewhere p", "~everywhere ~p"),
    ("p ^ q ^ K_a p", "(p & q & K_a p) | (p & ~q & ~K_a p) | (~p & q & ~K_a p) | (~p & ~q & K_a p)"),
    ("exactly(1; p, q)", "(p | q) & ~(p & q)"),
    ("atmost(1; p, q, K_a p)", "~(p & q) & ~(p & K_a p) & ~(q & K_a p)"),
    ("forall q. K_a (p | q)", "K_a p"),
    ("exists q. Sk_{a,b} (p & q)", "Sk_{a,b} p"),
    ("[!p]Sk_{a,b} q", "p -> K_a (p -> [!p]q) | K_b (p -> [!p]q)"),
    ("<!p>Cm_{a,b} q", "p & ~[!p]C_{a,b} ~q"),
]


@pytest.mark.parametrize("logic", LOGICS)
def test_every_operator_has_its_meaning(logic: str) -> None:
    for operator, meaning in MEANINGS:
        assert valid(f"({operator}) <-> ({meaning})", logic=logic), operator
        for asked in (operator, f"~({operator})"):
            model = satisfiable(asked, logic=logic)
            assert model is not None, asked
            assert model.holds(f"({operator}) <-> ({meaning})"), asked


@pytest.fixture
def declared() -> Iterator[tuple[type[OfGroup], type[Infix]]]:
    """Declare two operators: somebody knows whether φ, and neither φ nor ψ."""

    class SomeoneWhether(OfGroup):
        spelling = Spelling.word("Sw")
        scope, mode = Scope.SOME, Mode.WHETHER

    class Neither(Infix):
        spelling = Spelling("neither", "⊽", r"\barvee")
        binding = Binding.OR

        def __new__(cls, *parts):  # type: ignore[no-untyped-def]
            return cls._make((), tuple(map(f.formula, parts)))

        def truth(self, space):  # type: ignore[no-untyped-def]
            return space.complement(space.any_of([space.memo[part] for part in self.children]))

    yield SomeoneWhether, Neither
    withdraw(SomeoneWhether)
    withdraw(Neither)


@pytest.mark.parametrize("logic", LOGICS)
def test_an_operator_declared_elsewhere_is_decided(
    logic: str, declared: tuple[type[OfGroup], type[Infix]]
) -> None:
    someone, neither = declared
    knows = someone(("a", "b"), "p")
    assert valid(f.Iff(knows, "Kw_a p | Kw_b p"), logic=logic)
    assert valid(f.Iff(neither("p", knows), "~p & ~Kw_a p & ~Kw_b p"), logic=logic)
    assert valid(f.Box(f.Announce("p | q"), f.Iff(knows, "Kw_a p | Kw_b p")), logic=logic)
    model = countermodel(someone(("a", "b"), neither("p", "q")) >> f.parse("K_a p"), logic=logic)
    assert model is not None
    assert model.holds("~K_a p")
