"""What a model answers does not depend on how it is presented: order, names, carrier, copies of worlds."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kripke_werewolf import (
    ActionModel,
    Formula,
    KnowledgeStructure,
    KripkeModel,
    bisimilar,
    distinguishing_formula,
    public,
)
from kripke_werewolf.base.errors import FalseAnnouncement, FormulaError, ModelError
from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.models import model as models
from tests.reference.kripke import Plain
from tests.strategies import action_models, formulas, formulas_with_actions, plain_models

MODELS = plain_models(max_worlds=4)
EQUAL = plain_models(max_worlds=4, weights=False)
FORMULAS = formulas_with_actions(max_depth=3)
ACTIONS = action_models()
LOCAL = formulas(everywhere=False, variables=["x"], max_depth=3)
# worlds of bits, of arrays; each carrier as the smallest number of worlds on arrays
CARRIERS = {"bits": 1_000, "arrays": -1}
fewer = settings(max_examples=max(10, settings.default.max_examples // 3))


@contextmanager
def carried(small: int) -> Iterator[None]:
    """Let models of more than `small` worlds be arrays."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(models, "SMALL", small)
        yield


def answers(model: KripkeModel, asked: Formula, action: ActionModel) -> dict[str, Any]:
    """Return what a model answers about a formula, in a form that does not depend on the order of worlds."""
    found: dict[str, Any] = {}

    def answer(name: str, find: Callable[[], Any]) -> None:
        try:
            found[name] = find()
        except (FalseAnnouncement, ModelError) as error:
            found[name] = type(error)
        except FormulaError as error:
            assume("in the action of" not in str(error))
            found[name] = type(error)

    answer("where", lambda: set(model.where(asked)))
    answer("holds", lambda: model.holds(asked))
    answer("verdict", lambda: model.verdict(asked))
    answer("valid", lambda: model.valid(asked))
    answer("at", lambda: {w for w in model.worlds if model.holds(asked, at=w)})
    answer("explained", lambda: {w for w in model.worlds if model.explain(asked, at=w).value})
    answer("announced", lambda: set(model.announce(asked).where("M_a p | K_b q")))
    answer("announced in a formula", lambda: set(model.where(f.Diamond(f.Announce(asked), "M_a p | K_b q"))))
    answer("updated", lambda: set(model.update(action).where(asked)))
    answer("merged", lambda: model.update(action, merge=True).contract().verdict("C_{a,b} (p | M_a q)"))
    answer("contracted", lambda: len(model.generated().contract()))
    return found


def in_order(plain: Plain, order: list[Any], *, back: bool = False) -> KripkeModel:
    """Return the model of the same parts, given in another order."""
    way = reversed if back else iter
    return replace(
        plain,
        worlds=tuple(order),
        relations=dict(way(list(plain.relations.items()))),  # type: ignore[operator]
        true=dict(way(list(plain.true.items()))),  # type: ignore[operator]
        memo={},
    ).build()


@fewer
@given(MODELS, FORMULAS, ACTIONS, st.data())
def test_order_and_carrier_do_not_matter(
    plain: Plain, asked: Formula, action: ActionModel, data: st.DataObject
) -> None:
    wanted = answers(plain.build(), asked, action)
    order = data.draw(st.permutations(plain.worlds))
    for small in CARRIERS.values():
        with carried(small):
            assert answers(in_order(plain, order, back=True), asked, action) == wanted
    events = dict(reversed(action.events.items()))
    turned = ActionModel(
        events,
        action.relations,
        action.designated,
    )
    assert answers(plain.build(), asked, turned) == wanted


# --- copies of worlds, worlds that do not count -----------------------------------------------------


def with_copy(plain: Plain, world: Any) -> Plain:
    """Return a model with a bisimilar copy of a world, which shares the weight of the world with it."""

    def also(worlds: frozenset[Any]) -> frozenset[Any]:
        return worlds | {"copy"} if world in worlds else worlds

    def twice(pairs: frozenset[Any]) -> frozenset[Any]:
        of = {w: (w, "copy") if w == world else (w,) for w in plain.worlds}
        return frozenset((v, u) for w, x in pairs for v in of[w] for u in of[x])

    return replace(
        plain,
        worlds=(*plain.worlds, "copy"),
        relations={a: twice(pairs) for a, pairs in plain.relations.items()},
        true={p: also(true) for p, true in plain.true.items()},
        designated=also(plain.designated),
        weights={
            a: {**given, world: given[world] / 2, "copy": given[world] / 2}
            for a, given in plain.weights.items()
        },
        memo={},
    )


NO_MEET = formulas(variables=["x"], max_depth=3).filter(
    lambda g: (
        not any(
            isinstance(x, f.Distributed | f.DistributedDual | f.DistributedWhether) for x in g.subformulas()
        )
    )
)


@fewer
@given(MODELS, NO_MEET, ACTIONS)
def test_a_bisimilar_copy_of_a_world_changes_nothing(
    plain: Plain, asked: Formula, action: ActionModel
) -> None:
    world = plain.worlds[0]
    model, larger = plain.build(), with_copy(plain, world).build()
    true = model.where(asked)
    assert larger.where(asked) == [*true, *(["copy"] if world in true else [])]
    assert larger.holds(asked) == model.holds(asked)
    assert bisimilar(larger, world, larger, "copy")
    assert bisimilar(model, world, larger, "copy")
    assert distinguishing_formula(model, world, larger, "copy") is None
    smallest, smaller = (m.contract(keep_probability=True) for m in (model, larger))
    assert len(smallest) == len(smaller)
    assert str(larger.verdict(asked)) == str(model.verdict(asked))
    with_update = f.Diamond(f.Act("act", None, action), asked)
    assert larger.holds(with_update, at="copy") == model.holds(with_update, at=world)


@fewer
@given(MODELS, LOCAL, plain_models(max_worlds=2))
def test_unreachable_worlds_do_not_matter_to_local_formulas(
    plain: Plain, asked: Formula, other: Plain
) -> None:
    worlds = {w: ("apart", w) for w in other.worlds}
    larger = replace(
        plain,
        worlds=(*plain.worlds, *worlds.values()),
        relations={
            a: pairs | {(worlds[w], worlds[v]) for w, v in other.relations[a]}
            for a, pairs in plain.relations.items()
        },
        true={p: true | {worlds[w] for w in other.true[p]} for p, true in plain.true.items()},
        weights={
            a: {**given, **{worlds[w]: x for w, x in other.weights[a].items()}}
            for a, given in plain.weights.items()
        },
        memo={},
    )
    small, large = plain.build(), larger.build()
    assert [w for w in large.where(asked) if w in plain.worlds] == small.where(asked)
    assert large.verdict(asked) == small.verdict(asked)
    smallest, smaller = (m.generated().contract(keep_probability=True) for m in (small, large))
    assert len(smallest) == len(smaller)
    for world in plain.worlds:
        assert bisimilar(large, world, small, world)


@given(MODELS, formulas(variables=["x"], max_depth=3), st.sampled_from([Fraction(1), Fraction(2, 3)]))
def test_an_agent_who_is_asked_nothing_does_not_matter(
    plain: Plain, asked: Formula, weight: Fraction
) -> None:
    told = frozenset((w, plain.worlds[0]) for w in plain.worlds)
    larger = replace(
        plain,
        relations={"stranger": told, **plain.relations},
        weights={"stranger": {w: weight * (i + 1) for i, w in enumerate(plain.worlds)}, **plain.weights},
        memo={},
    ).build()
    model = plain.build()
    assert larger.where(asked) == model.where(asked)
    assert larger.for_agents(model.agents, model.atoms) == model
    for world in model.where(asked)[:1]:
        assert str(larger.explain(asked, at=world)) == str(model.explain(asked, at=world))


# --- exclusive variables ----------------------------------------------------------------------------


VALUES = formulas(dynamic=False, probability=False, quantifiers=False, max_depth=1)


def outcome(ask: Callable[..., Any], *given: Any) -> str:
    """Return whether a question about a model or an update of it is answered."""
    try:
        ask(*given)
    except FalseAnnouncement:
        return "nothing is left"
    except ModelError as error:
        return "refused" if "variable 'y' has two values" in str(error) else str(error)
    return "answered"


UPDATES: list[Callable[[ActionModel, Formula], tuple[ActionModel, Callable[[Any], Any]]]] = [
    lambda action, _: (action, lambda m: m.update(action)),
    lambda _, content: (public(content), lambda m: m.announce(content)),
]


@pytest.mark.parametrize("way", UPDATES, ids=["action", "announcement"])
@fewer
@given(EQUAL, st.lists(VALUES, min_size=1, max_size=3), ACTIONS, VALUES)
def test_an_update_that_breaks_a_variable_is_refused_by_every_route(
    way: Callable[..., Any], plain: Plain, values: list[Formula], action: ActionModel, content: Formula
) -> None:
    """Whether a model of any carrier is updated or a formula about the update is asked."""
    both = f.Count("atleast", 2, *values)
    free = replace(plain, variables={}, memo={}).build()
    plain = replace(plain, variables={"y": dict(zip("012", values, strict=False))}, memo={})
    assert outcome(plain.build) == ("refused" if free.where(both) else "answered")
    assume(not free.where(both))
    update, explicit = way(action, content)
    try:
        wanted = "refused" if free.update(update).where(both) else "answered"
    except FalseAnnouncement:
        assume(False)
    asked = f.Diamond(f.Act("act", None, update), f.KnowsValue("a", "y"))
    for small in CARRIERS.values():
        with carried(small):
            model = plain.build()
            assert outcome(explicit, model) == outcome(model.where, asked) == wanted
            assert outcome(model.explain, asked, model.worlds[0]) == wanted
    structure = KnowledgeStructure.from_explicit(plain.build())
    assert outcome(explicit, structure) == outcome(structure.count, asked) == wanted
