"""The symbolic engine against the explicit one, on random models, formulas and actions."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kripke_werewolf.base.errors import FalseAnnouncement, FormulaError, ModelError
from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.models.model import Numbered
from kripke_werewolf.logic.semantics import ActionModel
from kripke_werewolf.logic.symbolic import BeliefStructure, KnowledgeStructure, SymbolicStructure
from tests.reference.kripke import Plain
from tests.strategies import action_models, formulas, formulas_with_actions, plain_models, secret_actions

MANY = settings(max_examples=settings.default.max_examples * 3)


def named(model: KripkeModel) -> KripkeModel:
    """Return the model with an atom for each world, so that states tell which world they are."""
    data = model.to_dict()
    data["valuation"] |= {f"world_{i}": [w] for i, w in enumerate(data["worlds"])}
    return KripkeModel.from_dict(data)


def worlds_of(states: object) -> list[int]:
    return sorted(int(n.removeprefix("world_")) for s in states for n in s if n.startswith("world_"))


def expected_masks(model: KripkeModel, parts: list[f.Formula]):
    try:
        return [Numbered(model).mask(part) for part in parts]
    except FormulaError:  # a quantified atom that is bound again inside, or used by an action
        assume(False)


@MANY
@given(plain_models(), formulas_with_actions())
def test_every_operator_agrees_with_the_explicit_engine(plain: Plain, formula: f.Formula) -> None:
    model = named(plain.build())
    parts = list(formula.subformulas())
    masks = expected_masks(model, parts)
    structure = KnowledgeStructure.from_explicit(model)
    for part, mask in zip(parts, masks, strict=True):
        assert worlds_of(structure.where(part)) == mask.nonzero()[0].tolist(), part
    whole = masks[-1]
    assert structure.verdict(formula) == model.verdict(formula)
    assert structure.verdict(formula).fraction == model.verdict(formula).fraction
    assert structure.holds(formula) == model.holds(formula)
    assert structure.valid(formula) == whole.all()


@given(secret_actions())
def test_an_update_for_these_agents_only_keeps_what_is_true(
    case: tuple[Plain, Plain, list[ActionModel], f.Formula],
) -> None:
    plain, part, actions, body = case
    full, merged = plain.build(), KnowledgeStructure.from_explicit(part.build())
    for action in actions:
        try:
            full = full.update(action)
        except (FalseAnnouncement, ModelError):
            assume(False)
        merged = merged.update(action, merge=True)
    assert str(merged.verdict(body)) == str(full.verdict(body))


@MANY
@given(plain_models(max_worlds=8), formulas_with_actions())
def test_worlds_with_equal_atoms_stay_apart(plain: Plain, formula: f.Formula) -> None:
    model = plain.build()
    (mask,) = expected_masks(model, [formula])
    structure = KnowledgeStructure.from_explicit(model)
    assert structure.size == len(model)
    assert structure.count(formula) == mask.sum()
    assert structure.verdict(formula).fraction == model.verdict(formula).fraction


def same(structure: SymbolicStructure, model: KripkeModel, formula: f.Formula) -> None:
    assert structure.size == len(model)
    assert structure.designated.size == len(model.designated)
    assert structure.count(formula) == Numbered(model).mask(formula).sum()
    assert structure.verdict(formula).fraction == model.verdict(formula).fraction


@MANY
@given(plain_models(), st.lists(action_models(), min_size=1, max_size=2), formulas(variables=["x"]))
def test_updates_agree(plain: Plain, actions: list[ActionModel], formula: f.Formula) -> None:
    model = plain.build()
    structure = KnowledgeStructure.from_explicit(model)
    expected_masks(model, [formula])
    for action in actions:
        try:
            model = model.update(action)
        except FalseAnnouncement:
            with pytest.raises(FalseAnnouncement):
                structure.update(action)
            return
        structure = structure.update(action)
        same(structure, model, formula)
        same(KnowledgeStructure.from_explicit(structure.to_explicit()), model, formula)
        assert structure.to_explicit().verdict(formula).fraction == model.verdict(formula).fraction
    generated = model.generated()
    same(structure.generated(), generated, formula)
    assert structure.valid(formula) == model.valid(formula)


@MANY
@given(plain_models(), formulas(max_depth=2), formulas(max_depth=2))
def test_announcements_agree(plain: Plain, content: f.Formula, formula: f.Formula) -> None:
    model = plain.build()
    structure = KnowledgeStructure.from_explicit(model)
    expected_masks(model, [formula, content])
    try:
        announced = model.announce(content)
    except FalseAnnouncement:
        with pytest.raises(FalseAnnouncement):
            structure.announce(content)
        return
    same(structure.announce(content), announced, formula)


@given(plain_models(s5=True), formulas(max_depth=2))
def test_equivalences_give_knowledge_structures(plain: Plain, formula: f.Formula) -> None:
    structure = KnowledgeStructure.from_explicit(plain.build())
    assert isinstance(structure, KnowledgeStructure)
    back = structure.to_explicit()
    assert all(a == b for a, b in zip(back.worlds, structure.worlds, strict=True))
    for i, state in enumerate(back.worlds):
        assert back.worlds.find(state) == i


ATOMS = ("p", "q", "r")


@st.composite
def belief_structures(draw: st.DrawFn) -> BeliefStructure:
    literals = [*ATOMS, *(a + "'" for a in ATOMS)]
    boolean = {"modal": False, "dynamic": False, "quantifiers": False, "everywhere": False}
    law = draw(formulas(atoms=ATOMS, **boolean))
    links = {a: draw(formulas(atoms=literals, **boolean)) for a in ("a", "b")}
    seen = {a: draw(st.lists(st.sampled_from(ATOMS), max_size=2)) for a in ("a", "b")}
    assume(KnowledgeStructure(ATOMS, True, {}).count(law))
    return BeliefStructure(ATOMS, law, links, observables=seen)


@given(belief_structures(), formulas(atoms=ATOMS))
def test_belief_structures_mean_what_they_say(structure: BeliefStructure, formula: f.Formula) -> None:
    model = structure.to_explicit()
    expected_masks(model, [formula])
    assert list(structure.where(formula)) == model.where(formula)
