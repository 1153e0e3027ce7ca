"""Truth after updates at single worlds, against the definitions and against the product models."""

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kripke_werewolf import FormulaError, KripkeModel, UnknownAtomError, UnknownWorldError
from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.formulas import Act, Box, Diamond, K
from kripke_werewolf.logic.semantics import ActionModel, Event, private, unbuilt
from kripke_werewolf.logic.semantics.bits import BitSpace
from kripke_werewolf.logic.semantics.unbuilt import true_at
from tests.reference.kripke import Plain, extension
from tests.strategies import action_models, formulas, formulas_with_actions, plain_models


def answers(model: Plain, asked: f.Formula) -> list[bool] | None:
    """Return what is found without products; the formula is true where the definition says so."""
    space = replace(model, variables={}).build().space
    assert isinstance(space, BitSpace)
    found = true_at(space, asked, range(len(model.worlds)), 0)
    if found is not None:
        true = extension(model, asked)
        assert found == [world in true for world in model.worlds]
    return found


SAID = formulas(probability=False, everywhere=False, max_depth=3)
CONTENTS = formulas(probability=False, everywhere=False, quantifiers=False, max_depth=1)


@given(
    plain_models(), st.lists(action_models(contents=CONTENTS), min_size=1, max_size=2), SAID, st.booleans()
)
def test_after_actions_each_world_is_as_the_definition_says(
    model: Plain, actions: list[ActionModel], body: f.Formula, every: bool
) -> None:
    asked = body
    for number, action in enumerate(reversed(actions)):
        asked = (Box if every else Diamond)(Act(f"act{number}", None, action), asked)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(unbuilt, "min", max, raising=False)  # as many successors as there are
        assert answers(model, asked) is not None


@given(plain_models(), formulas_with_actions())
def test_nested_updates_and_every_operator(model: Plain, asked: f.Formula) -> None:
    assume(not any(isinstance(g, f.KnowsValue) for g in asked.subformulas()))
    try:
        extension(model, asked)
    except FormulaError:  # a quantifier over an atom of an action
        assume(False)
    answers(model, asked)


def flips(count: int) -> list[ActionModel]:
    """Return actions in which one of three agents sees that p or q changes, and the others see nothing."""
    idle = {"idle": Event()}
    return [
        ActionModel(
            {"e": Event(True, {"p": "~p"} if i % 2 else {"q": "p", "p": "~q"}), **idle},
            {"abc"[i % 3]: [("e", "e"), ("idle", "idle")]},
            ["e"],
            others=[("e", "idle"), ("idle", "idle")],
            name=f"flip{i}",
        )
        for i in range(count)
    ]


def start() -> KripkeModel:
    cells = {agent: ["lrx"] for agent in "abc"}
    return KripkeModel.from_partitions("lrx", cells, {"p": ["l"], "q": ["r"]}, "l")


def after(actions: list[ActionModel], asked: f.Formula) -> f.Formula:
    """Return the formula that another is true after some actions."""
    for action in reversed(actions):
        asked = Box(Act(action.name, None, action), asked)
    return asked


FLIPS = flips(24)  # the product has 3 * 2 ** 24 worlds


@given(
    formulas(agents=("a",), atoms=("p", "q"), probability=False, everywhere=False, max_depth=2),
    st.sampled_from("lrx"),
)
def test_what_an_agent_has_not_seen_has_not_happened_for_them(body: f.Formula, world: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BitSpace, "product", lambda *given: pytest.fail("a product was built"))
        found = start().holds(after(FLIPS, K("a", body)), at=world)
    assert found == (world in start().where(after(FLIPS[::3], K("a", body))))  # where builds the products


def test_names_are_checked_as_before() -> None:
    with pytest.raises(UnknownAtomError):
        start().holds(Box(Act("tell", None, private("a", "r")), "p"), at="l")
    with pytest.raises(UnknownWorldError):
        start().holds(Box(Act("tell", None, private("a", "p")), "p"), at="z")
