"""Operators declared here and nowhere else: all parts of the package know them by their declaration."""

from collections.abc import Iterator
from typing import TypeVar

import pytest
from hypothesis import given

import kripke_werewolf as kw
from kripke_werewolf import FormulaError, KnowledgeStructure
from kripke_werewolf.logic.english.questions import Who
from kripke_werewolf.logic.english.sentence_parser import read_question
from kripke_werewolf.logic.english.vocabulary import Vocabulary
from kripke_werewolf.logic.formulas import operators as o
from kripke_werewolf.logic.formulas import syntax
from kripke_werewolf.logic.formulas.syntax import all_operators as known
from kripke_werewolf.logic.models import model as choice
from kripke_werewolf.logic.semantics.space import Space
from tests.cases import cases
from tests.reference.explanations import follows
from tests.reference.kripke import Plain
from tests.strategies import plain_models

S = TypeVar("S")


@pytest.fixture(scope="module", autouse=True)
def declared() -> Iterator[dict[str, type[kw.Formula]]]:
    """Declare three operators for the tests of this module."""

    class SomeoneKnowsWhether(o.OfGroup):
        """Skw_G φ: someone in the group knows whether φ."""

        __slots__ = ()
        spelling = o.Spelling("Skw", "Ŝw", r"\mathsf{Skw}", also=("Someone",))
        scope, mode = o.Scope.SOME, o.Mode.WHETHER
        english = o.English("someone among {} knows whether", "nobody among {} knows whether")

    class Uncertain(o.OfAgent):
        """U_a φ: a considers φ possible; a second name of an operator that there is."""

        __slots__ = ()
        spelling = o.Spelling("U", "𝖴", r"\mathsf{U}")
        mode = o.Mode.DIAMOND
        english = o.English("{} deems it possible that", "{} deems it impossible that")

    class Nand(o.Nary, o.Junction):
        """φ nand ψ: not all are true."""

        __slots__ = ()
        spelling = o.Spelling("nand", "⊼", r"\barwedge")
        binding = o.Binding.AND
        english = o.English("not both … and …", several="not all of these hold: …, … and …")
        decides = True

        def literals(self) -> list[tuple[kw.Formula, bool]]:
            return [(part, False) for part in self.children]

    class Contingent(o.Unary):
        """φ is true at some worlds and false at others: an operator of a kind of its own."""

        __slots__ = ()
        spelling = o.Spelling("contingent", "∇", r"\nabla")

        def truth(self, space: Space[S]) -> S:
            inside = space.memo[self.body]
            there, not_there = (
                space.diamond(space.total, part) for part in (inside, space.complement(inside))
            )
            return space.all_of([there, not_there])

    kinds: list[type[kw.Formula]] = [SomeoneKnowsWhether, Uncertain, Nand, Contingent]
    yield {kind.__name__: kind for kind in kinds}
    syntax._declared = tuple(kind for kind in syntax._declared if kind not in kinds)


# each with what it means, in the operators of the language
MEANINGS = [
    ("Skw_{a,b} (p | K_c q)", "Kw_a (p | K_c q) | Kw_b (p | K_c q)"),
    ("U_a (p & K_b q)", "M_a (p & K_b q)"),
    ("K_a p nand q nand r", "~(K_a p & q & r)"),
    ("K_c (Skw_{a,b} p nand q) -> C_{a,b} U_b q", "K_c ~((Kw_a p | Kw_b p) & q) -> C_{a,b} M_b q"),
    ("[b! p nand q] Skw_{a,b} q", "[b! ~(p & q)] (Kw_a q | Kw_b q)"),
    ("forall p. U_a (p nand q)", "forall p. M_a ~(p & q)"),
    ("K_a ~contingent (p | q)", "K_a ~(somewhere (p | q) & somewhere ~(p | q))"),
    ("[!p|q] contingent K_a p", "[!p|q] (somewhere K_a p & somewhere ~K_a p)"),
]
meanings = pytest.mark.parametrize(("text", "meaning"), MEANINGS)


@meanings
def test_it_is_read_and_printed_in_three_notations(text: str, meaning: str) -> None:
    formula = kw.parse(text)
    assert formula is not kw.parse(meaning)
    for written in (str(formula), formula.unicode(), formula.latex()):
        assert kw.parse(written) is formula


def test_how_it_is_written(declared: dict[str, type[kw.Formula]]) -> None:
    formula = kw.parse("~Someone_{b,a} (p nand q)")
    assert formula is ~declared["SomeoneKnowsWhether"](["a", "b"], declared["Nand"]("p", "q"))
    assert str(formula) == "~Skw_{a,b} (p nand q)"
    assert formula.unicode() == "¬Ŝw_{a,b} (p ⊼ q)"
    assert formula.latex() == r"\neg \mathsf{Skw}_{a,b} (p \barwedge q)"
    assert str(kw.Atom("nand")) == '"nand"'
    assert repr(formula) == "parse('~Skw_{a,b} (p nand q)')"


def test_it_is_worded() -> None:
    said = "Cat knows that someone among Ann and Bob knows whether p is true."
    assert kw.to_sentence("K_Cat Skw_{Ann,Bob} p") == said
    assert kw.to_sentence("~U_Ann p") == "Ann deems it impossible that p is true."
    assert kw.from_sentence(said) is kw.parse("K_Cat Skw_{Ann,Bob} p")


@meanings
def test_its_sentences_are_read(text: str, meaning: str) -> None:
    formula = kw.parse(text)
    if "contingent" in text:
        with pytest.raises(FormulaError, match="Contingent declares no English"):
            kw.to_sentence(formula)
        return
    assert kw.from_sentence(kw.to_sentence(formula)) is formula


def test_its_questions_are_read() -> None:
    about = Vocabulary(("a", "b"), ("p", "q", "r"))
    for asked, formula in (
        ("does a deem it possible that p?", "U_a p"),
        ("does anybody among a and b know whether not both p and q?", "Skw_{a,b} (p nand q)"),
        ("nobody knows whether p", "~Skw_{a,b} p"),
        ("is it the case that not all of these hold: p, q and r?", "p nand q nand r"),
    ):
        assert read_question(asked, about) is kw.parse(formula)
    who = read_question("who deems it possible that p?", about)
    assert isinstance(who, Who)
    assert who.of("b") is kw.parse("U_b p")


@meanings
@given(plain_models(agents="abc"))
def test_it_is_evaluated_on_every_carrier(text: str, meaning: str, plain: Plain) -> None:
    for small in (1_000, -1):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(choice, "SMALL", small)
            model = plain.build()
            assert model.where(text) == model.where(meaning)
    structure = KnowledgeStructure.from_explicit(model)
    assert structure.valid(kw.parse(text).iff(meaning))
    assert structure.count(text) == len(model.where(text))


@meanings
@given(plain_models(agents="abc"))
def test_it_is_explained(text: str, meaning: str, plain: Plain) -> None:
    model = plain.build()
    for world in model.worlds:
        explanation = model.explain(text, at=world)
        assert explanation.value == model.holds(meaning, at=world)
        assert follows(model, explanation)


@pytest.mark.parametrize("announced", ["!U_b p", "a! p nand q", "a?! Skw_{b,c} p"])
@pytest.mark.parametrize(("text", "meaning"), MEANINGS[:3])
def test_it_is_reduced_to_what_holds_before(announced: str, text: str, meaning: str) -> None:
    reduced = kw.reduce_announcements(f"[{announced}]({text})")
    assert not any(isinstance(f, kw.Box) for f in reduced.subformulas())
    assert kw.valid(reduced.iff(f"[{announced}]({meaning})"), logic="K")


@meanings
def test_it_is_simplified_and_decided(text: str, meaning: str) -> None:
    equivalence = kw.parse(text).iff(meaning)
    assert kw.valid(equivalence, logic="K")
    assert not kw.valid(~equivalence, logic="S5")
    assert kw.valid(kw.simplify(text, logic="S5").iff(meaning), logic="S5")


def test_simplification_by_the_laws_of_its_scope_and_mode() -> None:
    assert str(kw.simplify("Skw_{a,b} ~p")) == "Skw_{a,b} p"
    assert str(kw.simplify("Skw_a p")) == "Kw_a p"
    assert str(kw.simplify("U_a U_a p", logic="S5")) in ("U_a p", "M_a p")


def test_what_is_not_declared_is_not_guessed() -> None:
    for refused in (kw.reduce_announcements, kw.to_sentence):
        with pytest.raises(FormulaError, match="contingent"):
            refused("[!p]contingent q")


def spelled(*signs: str, **parts: object) -> dict[str, object]:
    return {"spelling": o.Spelling(*signs), "__slots__": (), **parts}


@cases(
    (o.Unary, spelled("K", "𝕂", r"\mathbf{K}"), "Mine cannot be written 'K': Knows is"),
    (
        o.Nary,
        spelled("nor", "⊽", r"\wedge") | {"binding": o.Binding.OR},
        r"cannot be written .*wedge': And is",
    ),
    (o.Unary, spelled("", "∇", r"\nabla"), "Mine has an empty sign"),
    (o.Unary, spelled("empty", "∅", r"\emptyset"), "Mine has a spelling, but no truth condition"),
    (o.OfAgent, spelled("Q", "ℚ", r"\mathsf{Q}"), "Mine has a spelling, but no mode"),
    (o.OfGroup, spelled("Q", "ℚ", r"\mathsf{Q}") | {"mode": o.Mode.BOX}, "Mine has a spelling, but no scope"),
)
def test_declarations_that_cannot_be(base: type, parts: dict[str, object], message: str) -> None:
    with pytest.raises(FormulaError, match=message):
        type(base)("Mine", (base,), parts)
    assert not any(kind.__name__ == "Mine" for kind in known())


def test_an_operator_may_be_declared_again() -> None:
    def declare(says: str) -> type[o.OfAgent]:
        class Doubts(o.OfAgent):
            __slots__ = ()
            spelling = o.Spelling("Dbt", "Dbt", r"\mathsf{Dbt}")
            mode = o.Mode.DIAMOND
            english = o.English(says, f"not {says}")

        return Doubts

    declare("{} wonders whether maybe")
    latest = declare("{} suspects that")
    try:
        assert type(kw.parse("Dbt_a p")) is latest
        assert kw.to_sentence("Dbt_Ann p") == "Ann suspects that p is true."
    finally:
        syntax._declared = tuple(kind for kind in syntax._declared if kind is not latest)
