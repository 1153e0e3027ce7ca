"""Action models as values, and the ready-made ones."""

import pytest

from kripke_werewolf import ActionModel, Event, assign, lie, observe, private, public, semi_private, suspected
from kripke_werewolf.base.errors import (
    FalseAnnouncement,
    FormulaError,
    ModelError,
    UnknownActionError,
    UnknownAgentError,
)
from kripke_werewolf.logic.formulas import Atom
from kripke_werewolf.logic.models import KripkeModel
from tests.cases import cases

MODEL = KripkeModel.from_partitions("wv", {"a": ["wv"], "b": ["wv"], "c": ["wv"]}, {"p": ["w"]})


def test_observing_an_answer_among_several() -> None:
    model = KripkeModel.from_partitions(
        range(4), {"a": [range(4)], "b": [range(4)]}, {"p": [0, 1], "q": [0, 2]}
    )
    after = model.update(observe("a", ["p & q", "p & ~q", "~p"]))
    assert len(after) == 4
    assert after.where("Kw_a q") == [(0, "p & q"), (1, "p & ~q")]
    assert after.valid("K_b Kw_a p & ~Kw_b p")
    assert model.update(observe("a", "p")).valid("Kw_a p & ~Kw_b p")


def test_group_members_may_be_named_in_any_form() -> None:
    for group in ("a", ["a"], {"a"}, ("a", "a")):
        assert semi_private(group, "p") == semi_private("a", "p")


def test_actions_are_values() -> None:
    one, two = private("a", "p"), private(["a"], Atom("p"))
    assert one == two
    assert hash(one) == hash(two)
    assert one != private("a", "~p")
    assert one != one.named("whisper")
    assert one.point("nothing") != one
    assert Event("p", {"p": "q"}) == Event(Atom("p"), {"p": Atom("q")})
    assert repr(Event("p", {"q": "p"}, weight="1/2")) == "Event('p', {'q': 'p'}, weight='1/2')"
    with pytest.raises(AttributeError, match="immutable"):
        one.name = "other"
    with pytest.raises(AttributeError, match="immutable"):
        one.events["told"].pre = Atom("q")  # type: ignore[misc]


def test_classes_of_events_are_an_equivalence() -> None:
    events = {"e": "p", "f": "~p", "g": "true"}
    action = ActionModel.from_partitions(events, {"a": [["e", "g"], ["f"]]}, "e", others=[["e", "f", "g"]])
    assert action._sight("a") == (0b101, 0b010, 0b101)
    assert action._sight("b") == (0b111,) * 3
    assert action.events["e"] == Event("p")
    assert action == ActionModel(
        {name: Event(pre) for name, pre in events.items()},
        {"a": [("e", "e"), ("e", "g"), ("g", "e"), ("g", "g"), ("f", "f")]},
        "e",
        others=[(e, f) for e in events for f in events],
    )


@cases(
    (lambda: ActionModel({}, {}), ModelError),
    (lambda: ActionModel({"e": 5}, {}), ModelError),  # type: ignore[dict-item]
    (lambda: ActionModel.from_partitions({"e": "p"}, {"a": []}), ModelError),
    (lambda: ActionModel.from_partitions({"e": "p"}, {"a": [["f"]]}), UnknownActionError),
    (lambda: ActionModel({"e": Event()}, {"a": [("e", "f")]}), UnknownActionError),
    (lambda: ActionModel({"e": Event()}, {"a": ["e"]}), ModelError),  # type: ignore[list-item]
    (lambda: ActionModel({"e": Event()}, {}, ["f"]), UnknownActionError),
    (lambda: ActionModel({"e": Event()}, {}, []), ModelError),
    (lambda: ActionModel({"e": Event()}, {}).point("f"), UnknownActionError),
    (lambda: MODEL.update(ActionModel({"e": Event()}, {"a": [("e", "e")]})), UnknownAgentError),
    (lambda: assign(), FormulaError),
    (lambda: private([], "p"), FormulaError),
    (lambda: Event(weight=0.5), FormulaError),
    (lambda: public("p &"), FormulaError),
)
def test_parts_that_make_no_action_are_errors(build, error) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(error):
        build()


def test_composing_actions_for_different_agents_needs_others() -> None:
    one = ActionModel({"e": Event()}, {"a": [("e", "e")]})
    two = ActionModel({"e": Event()}, {"b": [("e", "e")]})
    with pytest.raises(UnknownAgentError):
        one.then(two)
    both = one.then(public("p"))
    assert both.designated == (("e", "announced"),)
    assert both.relations.keys() == {"a"}


def test_a_private_announcement_leaves_the_others_as_they_were() -> None:
    after = MODEL.update(private(["a", "b"], "p"))
    assert len(after) == 3
    assert after.holds("C_{a,b} p & ~M_c Kw_a p")


def test_a_suspicion_is_known_by_nobody_else() -> None:
    after = MODEL.update(suspected("a", "p"))
    assert len(after) == 4
    assert after.holds("Kw_a p & M_b Kw_a p & M_b ~Kw_a p")


def test_a_lie_needs_a_speaker_who_knows_better() -> None:
    told = MODEL.update(semi_private("a", "p")).point(("w", "yes"))
    with pytest.raises(FalseAnnouncement, match="false lie"):
        told.update(lie("a", "p"))
    assert told.update(lie("a", "~p")).holds("K_a p & K_b ~p & K_b K_a ~p")


def test_an_update_says_which_agents_lost_what() -> None:
    after = MODEL.point("w").update(private("a", "p"))
    assert [str(loss) for loss in after.lost] == ["b: S5 -> KD45", "c: S5 -> KD45"]
    then = after.announce("K_a p")
    assert [str(loss) for loss in then.lost] == ["b: KD45 -> KB5", "c: KD45 -> KB5"]
    assert MODEL.update(semi_private("a", "p")).lost == ()
