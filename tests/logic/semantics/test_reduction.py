"""Announcements and actions translated away: true at the same worlds, on models of every kind."""

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kripke_werewolf import ActionModel, Event, Formula, KripkeModel, parse, reduce_announcements
from kripke_werewolf.base.errors import FormulaError, UnknownActionError, UnknownAgentError
from kripke_werewolf.logic import formulas as formulas
from kripke_werewolf.logic.models.model import Numbered
from tests import strategies
from tests.cases import cases, each
from tests.strategies import action_models, models

pytestmark = pytest.mark.usefixtures("carrier")

ORDERED = (
    formulas.BelievesGiven,
    formulas.BelievesWhether,
    formulas.Best,
    formulas.CommonBelief,
    formulas.SafelyBelieves,
    formulas.StronglyBelieves,
)
INEXPRESSIBLE = (
    formulas.Common,
    formulas.CommonDual,
    formulas.CommonWhether,
    formulas.KnowsValue,
    formulas.Probability,
    *ORDERED,
)


def is_static(formula: Formula) -> bool:
    return not any(isinstance(f, formulas.Box | formulas.Diamond) for f in formula.subformulas())


@settings(max_examples=settings.default.max_examples * 4)
@given(models(weights=True, max_worlds=4), st.data())
def test_translated_announcements_are_true_at_the_same_worlds(
    model: KripkeModel, data: st.DataObject
) -> None:
    formula = data.draw(strategies.formulas(max_depth=4, probability=False))
    translated(formula, model)


@given(models(weights=True, max_worlds=4), action_models(), st.data())
def test_translated_actions_are_true_at_the_same_worlds(
    model: KripkeModel, action: ActionModel, data: st.DataObject
) -> None:
    acts = [formulas.Act("act"), formulas.Act("act", next(iter(action.events)))]
    formula = data.draw(strategies.formulas(actions=acts, quantifiers=False, max_depth=3))
    translated(formula.bind(act=action), model)


@each(["[!p]", "<!p>", "[?!p]", "[a!p]", "[b?!(p | q)]"])
def test_every_operator_after_an_update(update: str) -> None:
    worlds = ["pq", "p", "q", ""]
    cells = [[worlds], [[w] for w in worlds], [["pq", "p"], ["q", ""]], [["pq", "q"], ["p", ""]]]
    pairs = [[(w, v) for cell in classes for w in cell for v in cell] for classes in cells]
    pairs.append([("pq", "p"), ("p", "q"), ("q", ""), ("", "q")])
    valuation = {"p": ["pq", "p"], "q": ["pq", "q"]}
    both = [(pairs[k], pairs[(k + step) % 5]) for k in range(5) for step in (0, 1, 2)]
    built = [KripkeModel(worlds, {"a": a, "b": b}, valuation) for a, b in both]
    for body in ("q", "~K_b q"):
        for formula in strategies.with_every_operator(parse(body)):
            translated(parse(f"{update}({formula})"), *built)


def translated(formula: Formula, *models: KripkeModel) -> None:
    static = None
    with suppress(FormulaError):
        static = reduce_announcements(formula)
    if static is None:
        assert any(isinstance(f, INEXPRESSIBLE) for f in every_formula(formula))
        return
    assert is_static(static)
    for model in map(Numbered, models):
        assert np.array_equal(model.mask(static), model.mask(formula)), str(static)


def every_formula(formula: Formula) -> list[Formula]:
    found = []
    for node in formula.subformulas():
        found.append(node)
        match node:
            case formulas.Box(formulas.Act(_, _, model), _) | formulas.Diamond(formulas.Act(_, _, model), _):
                assert model is not None
                found += [g for f in model.formulas for g in every_formula(f)]
    return found


@cases(
    ("[!f]p", "f -> p"),
    ("<!f>p", "f & p"),
    ("[!f]C_{a,b} q", "f -> C_{a,b}^{f} q"),
    ("<!f>Cm_{a,b}^{g} q", "f & Cm_{a,b}^{f & g} q"),
    ("[!f]Cw_{a,b}^{K_a g} q", "f -> Cw_{a,b}^{f & K_a (f -> g)} q"),
    ("[!f]~g", "f -> ~g"),
    ("[!f](g & h)", "f -> g & h"),
    ("[!f]K_a g", "f -> K_a (f -> g)"),
    ("[!f]D_{a,b} g", "f -> D_{a,b} (f -> g)"),
    ("[!f]E_{a,b} g", "f -> K_a (f -> g) & K_b (f -> g)"),
    ("<!f>M_a g", "f & M_a (f & g)"),
    ("[!f]everywhere g", "f -> everywhere (f -> g)"),
    ("[!f][!g]h", "f -> g -> h"),
    ("[![!f]g]h", "(f -> g) -> h"),
    ("[!f]forall p. (p | g)", "f -> forall p. (p | g)"),
    ("[!f]exists f. f", "f -> true | false"),
    ("[?!f]K_a g", "(f -> K_a (f -> g)) & (~f -> K_a (~f -> g))"),
    ("[a!f]K_b g", "f -> K_b g"),
    ("K_a C_{a,b} p", "K_a C_{a,b} p"),
    ("[!C_{a,b} f]K_a g", "C_{a,b} f -> K_a (C_{a,b} f -> g)"),
)
def test_the_axioms(dynamic: str, static: str) -> None:
    assert str(reduce_announcements(dynamic)) == static


@cases(
    ("[a!p]C_{a,b} q", "common knowledge after an update"),
    ("[a?!p]K_a Cw_{a,b} q", "common knowledge after an update"),
    ("[a!p]Kv_a(x)", "only the model knows"),
    ("[!p]P_a(q) > 1/2", "an update splits the weights"),
)
def test_what_cannot_be_translated(text: str, reason: str) -> None:
    with pytest.raises(FormulaError, match=f"cannot translate .*{reason}"):
        reduce_announcements(text)


def test_actions_must_be_bound_and_know_the_agents() -> None:
    with pytest.raises(UnknownActionError, match="unknown action 'show'"):
        reduce_announcements("[show]p")
    action = ActionModel({"e": Event("p")}, {"a": [("e", "e")]})
    assert str(reduce_announcements(parse("[show]K_a q").bind(show=action))) == "p -> K_a (p -> q)"
    with pytest.raises(UnknownAgentError, match="unknown agent 'b'"):
        reduce_announcements(parse("[show]K_b q").bind(show=action))


def test_postconditions_change_at_once() -> None:
    swap = ActionModel({"e": Event(True, {"p": "q", "q": "p & [!p]r"})}, {}, others=[("e", "e")])
    assert str(reduce_announcements(parse("[swap](p & ~q)").bind(swap=swap))) == "q & ~(p & (p -> r))"


def test_translations_share_their_parts() -> None:
    static = reduce_announcements("[!M_a p]" * 100 + "K_a q")
    assert is_static(static)
    assert sum(1 for _ in static.subformulas()) < 10_000  # as a text it has more than 2**100 symbols
