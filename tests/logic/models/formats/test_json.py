"""Models and actions as JSON: round trips, and errors for invalid data."""

import json
import re
from collections.abc import Hashable
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kripke_werewolf.base.errors import FormatError, ModelError
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.models.formats import json as json_format
from kripke_werewolf.logic.models.model import Numbered
from kripke_werewolf.logic.semantics.action import ActionModel, Event, private, public, suspected
from kripke_werewolf.logic.semantics.arrays import ArraySpace
from kripke_werewolf.logic.semantics.worlds import Computed
from tests.cases import cases
from tests.strategies import action_models, plain_models

pytestmark = pytest.mark.usefixtures("carrier")

SIMPLE = st.one_of(
    st.none(), st.text(max_size=3), st.integers(), st.floats(allow_nan=False, allow_infinity=False)
)
NAMES = st.recursive(SIMPLE, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=4)


def data(**changes: Any) -> dict[str, Any]:
    """Return good data with some entries changed."""
    good: dict[str, Any] = {
        "format": "kripke-model",
        "version": 1,
        "worlds": ["w", "v", ["pair", 1]],
        "relations": {"a": [["w", "v"], ["v", ["pair", 1]]], "b": {"classes": [["w", "v"], [["pair", 1]]]}},
        "valuation": {"p": ["w"], "q": []},
        "designated": ["v"],
        "weights": {"b": [1, "2/3", 0.5]},
        "variables": {"x": {"yes": "p & q", "no": "~(p & q)"}},
    }
    good["weights"]["b"][2] = "1/2"
    return {key: value for key, value in (good | changes).items() if value is not ...}


@given(plain_models(max_worlds=5), st.data())
def test_models_survive_the_round_trip(plain: Any, draw: st.DataObject) -> None:
    model = plain.build()
    names = draw.draw(st.lists(NAMES, min_size=len(model), max_size=len(model), unique=True))
    arrays = ArraySpace(
        Computed(len(model), lambda i: names[i], lambda name: names.index(name) if name in names else None),
        model.arrays.relations,
        model.arrays.valuation,
        model.arrays.weights,
        model.variables,
    )
    renamed = KripkeModel.from_space(arrays, np.isin(np.arange(len(model)), Numbered(model).points))
    text = json.dumps(renamed.to_dict())
    again = KripkeModel.from_dict(json.loads(text))
    assert again == renamed
    assert list(map(type, again.worlds)) == list(map(type, names))
    assert json.dumps(again.to_dict()) == text


def test_all_parts_are_read() -> None:
    m = KripkeModel.from_dict(data())
    assert list(m.worlds) == ["w", "v", ("pair", 1)]
    assert list(m.arrays.pairs("a")) == [(0, 1), (1, 2)]
    assert list(m.arrays.pairs("b")) == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 2)]
    assert (m.where("p"), m.atoms, m.designated) == (["w"], ("p", "q"), ("v",))
    assert m.arrays.weight("b").tolist() == [6, 4, 3]
    assert str(m.variables["x"]["no"]) == "~(p & q)"
    assert not m.designates_all


def test_optional_parts_may_be_left_out() -> None:
    m = KripkeModel.from_dict(data(format=..., version=..., designated=..., weights=..., variables=...))
    assert m.designates_all
    assert m.to_dict()["designated"] is None
    assert "weights" not in m.to_dict()
    assert KripkeModel.from_dict(data(designated=None, weights=None, variables=None)) == m


def test_an_agent_without_probabilities_survives() -> None:
    m = KripkeModel.from_partitions(
        "pqrs", {"a": ["pq", "rs"], "b": ["pqrs"]}, {"p": ["p"], "r": ["r"]}, weights={"b": None}
    )
    text = json.dumps(m.to_dict())
    assert json.loads(text)["weights"] == {"b": None}
    again = KripkeModel.from_dict(json.loads(text))
    assert again == m
    assert again.valid("P_a(p) + P_a(r) = 1/2")
    with pytest.raises(ModelError, match="agent 'b' has no probabilities at 'p'"):
        again.holds("P_b(p) > 0")


def test_weights_beyond_machine_integers() -> None:
    m = KripkeModel.from_partitions([1, 2], {"a": [[1, 2]]}, {}, weights={"a": {1: 10**40, 2: 10**40 + 1}})
    assert KripkeModel.from_dict(json.loads(json.dumps(m.to_dict()))) == m


cyclic: list[Any] = ["v"]
cyclic.append(cyclic)
deep: list[Any] = []
for _ in range(60):
    deep = [deep]


@cases(
    ({"version": 2}, "version: this program reads version 1, got 2"),
    ({"worlds": ...}, "worlds: missing"),
    ({"worlds": ["w", "v", "w"]}, "worlds: world 'w' is given twice; names of worlds must differ"),
    ({"worlds": ["w", {"x": 1}]}, "worlds[1]: the name of a world must be a string, a number, true"),
    ({"worlds": ["w", ["v", float("nan")]]}, "worlds[1][1]: the name of a world must be"),
    ({"worlds": [cyclic]}, "a name may be nested at most 50 levels deep"),
    ({"relations": {"a": [["w", "v"], ["w", "u"]]}}, "relations.a[1][1]: 'u' is not a world of this model"),
    (
        {"relations": {"a": {"cells": []}}},
        "relations.a: expected a list of pairs or the single key 'classes'",
    ),
    (
        {"relations": {"b": {"classes": [["w", "v"], ["v"]]}}},
        "relations.b: world 'v' is in more than one class of agent 'b', or twice in one",
    ),
    (
        {"relations": {"b": {"classes": [["w", "v"]]}}},
        "relations.b: world ('pair', 1) is in no class of agent 'b'; every world must be in one",
    ),
    ({"valuation": {"p": "w"}}, "valuation.p: expected a list, got 'w'"),
    ({"designated": ["u"]}, "designated[0]: 'u' is not a world of this model"),
    ({"weights": {"c": [1, 1, 1]}}, "weights.c: no agent 'c' in relations"),
    ({"weights": {"b": [1, 0.5, 1]}}, "weights.b[1]: expected an exact number"),
    ({"weights": {"b": [1, -1, 1]}}, "the weight of world 'v' for agent 'b' is -1; it must not be negative"),
    (
        {"weights": {"b": [0, 0, 1]}},
        "the weights of agent 'b' sum to zero over what it considers possible at 'w'",
    ),
    ({"variables": {"x": {"yes": "p &"}}}, "variables.x.yes: cannot read the formula at column 4"),
)
def test_bad_data(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(FormatError) as caught:
        KripkeModel.from_dict(data(**changes))
    assert message in str(caught.value)


class Colour(Enum):
    RED = 1


@pytest.mark.parametrize("name", [frozenset({1}), Colour.RED, float("inf"), (1, float("nan")), b"w"])
def test_names_that_json_has_no_form_for(name: Hashable) -> None:
    with pytest.raises(FormatError, match="cannot be written as JSON"):
        KripkeModel([name], {}, {}).to_dict()


def test_numbers_of_numpy_become_plain() -> None:
    m = KripkeModel([np.int64(3), (np.uint8(1), "w")], {}, {})
    assert json.loads(json.dumps(m.to_dict()))["worlds"] == [3, [1, "w"]]


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    m = KripkeModel.from_dict(data())
    m.save(path)
    assert KripkeModel.load(path) == m
    KripkeModel(["ü"], {}, {}).save(str(path))
    assert list(KripkeModel.load(str(path)).worlds) == ["ü"]
    assert [file.name for file in tmp_path.iterdir()] == ["model.json"]


def test_a_failed_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "model.json"
    KripkeModel(["old"], {}, {}).save(path)
    with pytest.raises(FormatError):
        KripkeModel([frozenset()], {}, {}).save(path)

    def full(descriptor: int) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(json_format.os, "fsync", full)
    with pytest.raises(OSError, match="no space left"):
        KripkeModel(["new"], {}, {}).save(path)
    assert list(KripkeModel.load(path).worlds) == ["old"]
    assert [file.name for file in tmp_path.iterdir()] == ["model.json"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"worlds": [1,\n  2,, 3]}', ", line 2, column 5: expecting value"),
        ("", ", line 1, column 1: expecting value"),
        ('{"worlds": [], "worlds": []}', ": the key 'worlds' occurs twice in one object"),
        ('{"worlds": [NaN]}', ": NaN is not a JSON number"),
        ("[" * 100_000, ": the data are nested too deeply"),
        ("[]", ": the model: expected an object, got a list"),
    ],
)
def test_bad_files(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "model.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        KripkeModel.load(path)
    assert str(caught.value) == f"{path}{message}"


def test_a_byte_order_mark_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    model = KripkeModel(["w"], {"a": [("w", "w")]}, {"p": ["w"]})
    model.save(path)
    path.write_text(path.read_text(encoding="utf-8"), encoding="utf-8-sig")
    assert KripkeModel.load(path) == model


def test_files_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_bytes(b'{"\xff')
    with pytest.raises(FormatError, match="not valid UTF-8: invalid start byte at byte 2"):
        KripkeModel.load(path)
    with pytest.raises(FileNotFoundError):
        KripkeModel.load(tmp_path / "none.json")


# --- action models -----------------------------------------------------------------------------------


@given(action_models())
def test_an_action_survives(action: ActionModel) -> None:
    written = json.loads(json.dumps(action.to_dict()))
    assert ActionModel.from_dict(written) == action


def test_events_are_named_by_strings() -> None:
    pairs = [((1, "x"), 2), (2, 2)]
    action = ActionModel({(1, "x"): "p", 2: "q"}, {"a": pairs}, [2], name="two")
    again = ActionModel.from_dict(action.to_dict())
    assert list(again.events.items()) == [("(1, 'x')", Event("p")), ("2", Event("q"))]
    assert again.relations == {"a": {(str(e), str(f)) for e, f in pairs}}
    assert (again.designated, again.name) == (("2",), "two")


def test_what_a_text_cannot_hold_is_refused() -> None:
    first, second = (ActionModel({"e": f}, {"a": [("e", "e")]}, name="look") for f in ("~p", "K_a p"))
    with pytest.raises(ModelError, match="mentions the action 'look'"):
        first.then(second).to_dict()


def test_the_other_agents_of_an_action() -> None:
    for action in (public("p"), private("a", "p"), suspected("a", "p")):
        assert ActionModel.from_dict(action.to_dict()) == action
    with pytest.raises(ModelError, match="two events of the action look alike"):
        ActionModel({1: "p", "1": "q"}, {}).to_dict()


@cases(
    ([], "the action model: expected an object, got a list"),
    ({"event": {}}, "event: no such key; did you mean 'events'?"),
    ({"events": {"e": {"weight": 0}}}, "events.e.weight: the weight of an event must be positive"),
    ({"events": {"e": {}}, "relations": {"a": [["e"]]}}, "relations.a[0]: expected a pair of events"),
    ({"events": {"e": {}}, "others": {"cells": []}}, "others: expected a list of pairs or"),
    ({"events": {"e": {}}, "designated": []}, "at least one event must be designated"),
    ({"events": {"e": {}}, "name": 3}, "name: expected a string, got 3"),
)
def test_what_is_no_action(wrong: Any, message: str) -> None:
    with pytest.raises(FormatError, match=re.escape(message)):
        ActionModel.from_dict(wrong)
