"""Every command of the page, and its errors."""

import json
from pathlib import Path
from typing import Any

import pytest

from kripke_werewolf import (
    ActionModel,
    KripkeModel,
    assign,
    observe,
    private,
    semi_private,
    suspected,
    whether,
)
from kripke_werewolf.logic.models.model import Numbered
from kripke_werewolf.logic.puzzles import PUZZLES, puzzle
from kripke_werewolf.logic.written import action_lines
from kripke_werewolf.teach.explorer import limits, respond
from kripke_werewolf.teach.explorer.commands import COMMANDS
from kripke_werewolf.teach.explorer.queries import QUERIES
from kripke_werewolf.teach.explorer.replies import BUG
from tests.cases import cases

from .pages import Page


def muddy() -> Page:
    return Page(puzzle="muddy-children", n=3)


def coin() -> Page:
    """Return a page with a coin that neither a nor b sees."""
    page = Page(empty=True)
    for edit in (
        {"edit": "add_agent", "agent": "a"},
        {"edit": "add_agent", "agent": "b"},
        {"edit": "add_atom", "atom": "heads"},
        {"edit": "add_world", "name": "h", "atoms": ["heads"]},
        {"edit": "add_world", "name": "t"},
        {"edit": "join", "agent": "a", "worlds": [0, 1]},
        {"edit": "join", "agent": "b", "worlds": [0, 1]},
        {"edit": "actual", "worlds": [0]},
    ):
        page.do("edit", **edit)
    return page


COIN = KripkeModel.from_partitions(["h", "t"], {"a": [["h", "t"]], "b": [["h", "t"]]}, {"heads": ["h"]}, "h")


# --- opening ---------------------------------------------------------------------------------------


MANY_WORLDS = {"what-sum", "sum-and-product", "dining-cryptographers"}


@pytest.mark.parametrize("name", sorted(PUZZLES.keys() - MANY_WORLDS))
def test_every_puzzle_opens_and_its_story_can_be_told(name: str) -> None:
    page = Page(puzzle=name)
    known = puzzle(name)
    assert page.model == known.model
    for _ in known.moments:
        page.do("next")
    assert page.model == known.history().model
    guide = page.view("guide")
    assert guide["finished"]
    assert guide["of"] == len(guide["done"]) == len(known.moments)
    answers = [str(verdict) for _, verdict in known.answers()]
    assert [done["value"] for done in guide["done"] if done["kind"] == "question"] == answers
    assert page.view("picture")["svg"].startswith("<svg")


def test_a_puzzle_that_is_too_large_is_not_built(monkeypatch: pytest.MonkeyPatch) -> None:
    def built(*arguments: object, **others: object) -> None:
        raise AssertionError("the model is built")

    monkeypatch.setattr("kripke_werewolf.logic.puzzles.numbers.numbered_model", built)
    assert "134,550 worlds" in Page(puzzle="hexa").refused("open", puzzle="what-sum")["message"]


def test_a_puzzle_that_is_too_large_is_refused() -> None:
    page = muddy()
    error = page.refused("open", puzzle="muddy-children", n=13)
    assert "8,192 worlds" in error["message"]
    assert "3,000" in error["message"]
    assert "n can be at most" in page.refused("open", puzzle="muddy-children", n=25)["message"]
    assert "unknown puzzle 'mudy'" in page.refused("open", puzzle="mudy")["message"]


def test_what_is_opened_is_recognised() -> None:
    page = Page(text="agents: a\natoms: p\nsees a: nothing\nactual: p\nannounce: p\n", name="small.txt")
    assert len(page.model) == 2
    page.do("next")
    assert len(page.model) == 1
    page.do(
        "open",
        text='{"format": "kripke-model", "version": 1, "worlds": ["w"], "relations": {}, "valuation": {}}',
    )
    assert len(page.model) == 1
    saved = page.state
    page.do("open", puzzle="hexa")
    page.do("open", text=page.reply("copy", what="link")["result"]["text"])
    assert len(page.model) == 6
    page.do("open", empty=True)
    assert len(page.model) == 0
    page.state = saved
    for text, message in (
        ("", "this file is empty"),
        ("hello", "expected ':' after 'hello'"),
        ('{"format": "kripke-model"}', "worlds: missing"),
        ("x" * 1_000_001, "the file is too long"),
        ("[" * 100_000, "statement"),
        ("agents: a\n" + "#" * 900_000, "a story needs worlds"),
    ):
        assert message in page.refused("open", text=text, name="f")["message"]
    assert "expected one of empty, puzzle, text, link" in page.refused("open")["message"]


# --- events ----------------------------------------------------------------------------------------


@cases(
    ({"how": "whether", "formula": "heads"}, whether("heads")),
    ({"how": "tell", "group": ["a"], "formula": "heads"}, private(["a"], "heads")),
    ({"how": "show", "group": ["a", "b"], "formula": "heads"}, semi_private(["a", "b"], "heads")),
    ({"how": "suspect", "group": ["b"], "formula": "heads"}, suspected(["b"], "heads")),
    ({"how": "observe", "group": ["a"], "formula": "~heads"}, observe(["a"], "~heads")),
    ({"how": "assign", "changes": {"heads": "~heads"}}, assign(heads="~heads")),
)
def test_ready_made_actions_are_those_of_the_library(do: dict[str, Any], action: Any) -> None:
    page = coin()
    drawn = page.do("action", do={"command": "tell", **do})
    assert drawn["words"].startswith("Action model")
    assert all(f"event {event}" in drawn["words"] for event in action.events)
    page.do("tell", **do)
    assert page.model == COIN.update(action)
    page.do("undo")
    page.do("act", text="\n".join(action_lines(action)))
    assert page.model == COIN.update(action)
    page.do("undo")


def test_own_and_named_actions() -> None:
    own = {
        "name": "peek",
        "events": {"seen": {"pre": "heads"}, "not": {"post": {"heads": "true"}}},
        "relations": {"b": {"classes": [["seen", "not"]]}},
        "designated": ["seen"],
    }
    page = coin()
    page.do("act", text="\n".join(action_lines(ActionModel.from_dict(own))))
    assert page.model.holds("K_a heads & ~Kw_b ~heads | true")
    assert page.model.worlds[0] == ("h", "seen")
    assert len(page.model) == 3
    page = Page(puzzle="gossip")
    named = page.do("catalogue")["named"]
    assert named
    start = page.model
    page.do("act", named=named[0])
    assert page.model == start.update(puzzle("gossip").actions[named[0]])
    assert "unknown action 'hug'" in page.refused("act", named="hug")["message"]


@cases(
    ("heads &", "formula", 7, "ends too early"),
    ("K_a head", "formula", 4, "unknown atom 'head'; did you mean"),
    (None, "formula", None, "expected a formula as a string"),
    ("~heads", None, None, "false announcement"),
)
def test_an_announcement_that_is_wrong(formula, field, at, message) -> None:
    error = coin().refused("announce", formula=formula)
    assert message in error["message"]
    assert (error["field"], error["at"]) == (field, at)


@cases(
    ({"how": "shout"}, None, "unknown action 'shout'"),
    ({"how": "tell", "formula": "heads"}, "group", "at least one agent"),
    ({"how": "lie", "group": ["a", "b"], "formula": "heads"}, "group", "one agent"),
    ({"how": "tell", "group": "a", "formula": "heads"}, "group", "group: expected a list of strings"),
    ({"how": "tell", "group": ["a"], "formula": "~"}, "formula", "expected"),
    ({"how": "assign"}, "changes", "which atoms change"),
    ({"how": "assign", "changes": {"heads": "K_a ("}}, "changes.heads", "ends too early"),
)
def test_a_ready_made_action_that_is_wrong(do, field, message) -> None:
    error = coin().refused("tell", **do)
    assert message in error["message"]
    assert error["field"] == field


@cases(
    ("", "your action, line 1, column 1: expected lines 'event NAME"),
    ("event e if heads &:", "your action, line 1, column 19: the text ends too early"),
    ("event e:\nagent c: e -> e", "line 2, column 7: unknown agent 'c'"),
    ("event e: tails := true", "line 1, column 10: unknown atom 'tails'"),
    ("event e:\nactual: f", "line 2, column 9: unknown event 'f'"),
    ("event e: " * 1000, "text is too long"),
)
def test_lines_of_an_action_that_are_wrong(text: str, message: str) -> None:
    assert message in coin().refused("act", text=text)["message"]


def test_growth_stops_at_the_limit() -> None:
    page = Page(puzzle="muddy-children", n=10)
    page.do("tell", how="suspect", group=["1"], formula="muddy_2")
    error = page.refused("tell", how="suspect", group=["2"], formula="muddy_1")
    assert "would have 4,096 worlds, above the limit of 3,000" in error["message"]
    assert len(page.model) == 2_048


# --- edits -----------------------------------------------------------------------------------------


def test_partitions_stay_partitions() -> None:
    page = coin()
    assert page.model == COIN
    page.do("edit", edit="add_world", atoms=["heads"])
    assert Numbered(page.model).classes("a") == [[0, 1], [2]]
    page.do("edit", edit="join", agent="a", worlds=[1, 2])
    assert Numbered(page.model).classes("a") == [[0, 1, 2]]
    page.do("edit", edit="split", agent="a", worlds=[0, 2])
    assert sorted(map(sorted, Numbered(page.model).classes("a") or [])) == [[0, 2], [1]]
    page.do("edit", edit="remove_world", world=0)
    assert page.model.frame_class("a") == page.model.frame_class("b") == "S5"
    assert list(page.model.worlds) == ["t", "w1"]
    assert page.model.designates_all
    page.do("edit", edit="rename_world", world=1, name="u")
    page.do("edit", edit="flip", world=1, atom="heads")
    assert page.model.where("heads") == []
    page.do("edit", edit="rename_agent", agent="b", name="Bea B.")
    page.do("edit", edit="rename_atom", atom="heads", name="up")
    page.do("edit", edit="remove_agent", agent="a")
    assert (page.model.agents, page.model.atoms) == (("Bea B.",), ("up",))
    page.do("edit", edit="remove_atom", atom="up")
    assert page.model.atoms == ()


def test_arrows_and_closures() -> None:
    page = coin()
    page.do("edit", edit="arrow", agent="a", **{"from": 0, "to": 0})
    assert page.model.frame_class("a") != "S5"
    assert list(Numbered(page.model).space.pairs("a")) == [(0, 1), (1, 0), (1, 1)]
    assert "not a partition" in page.refused("edit", edit="join", agent="a", worlds=[0, 1])["message"]
    page.do("edit", edit="close", agent="a", under="S5")
    assert page.model == COIN
    page.do("edit", edit="arrow", agent="b", **{"from": 1, "to": 0})
    page.do("edit", edit="arrow", agent="b", **{"from": 1, "to": 0})
    assert page.model == COIN


def test_weights_and_variables_survive_edits() -> None:
    model = KripkeModel.from_partitions(
        ["w", "v"],
        {"a": [["w", "v"]]},
        {"p": ["w"]},
        weights={"a": {"w": 2, "v": 1}},
        variables={"x": {"1": "p", "0": "~p"}},
    )
    page = Page(text=json.dumps(model.to_dict()))
    page.do("edit", edit="rename_atom", atom="p", name="q")
    assert page.model.holds("P_a(q) = 2/3 & ~Kv_a(x)")
    assert "variable 'x' depends on" in page.refused("edit", edit="remove_atom", atom="q")["message"]
    page.do("edit", edit="add_world")
    page.do("edit", edit="join", agent="a", worlds=[0, 2])
    page.do("edit", edit="remove_world", world=1)
    page.do("edit", edit="rename_agent", agent="a", name="b")
    assert page.model.holds("P_b(q) = 2/3")


@cases(
    ({"edit": "explode"}, "unknown edit 'explode'"),
    ({"edit": "add_world", "name": "h"}, "there is already a world 'h'"),
    ({"edit": "add_world", "atoms": "heads"}, "atoms: expected a list of strings"),
    ({"edit": "add_world", "x": "left", "y": 0}, "expected two numbers"),
    ({"edit": "remove_world", "world": 2}, "expected the number of a world from 0 to 1, got 2"),
    ({"edit": "flip", "world": True, "atom": "heads"}, "world: expected a whole number, got True"),
    ({"edit": "add_agent", "agent": "a"}, "there is already an agent 'a'"),
    ({"edit": "add_agent", "agent": "a" * 61}, "the name of the agent is too long"),
    ({"edit": "join", "agent": "a", "worlds": 1}, "worlds: expected a list of numbers of worlds"),
    ({"edit": "close", "agent": "a", "under": "S6"}, "unknown frame property or class 'S6'"),
)
def test_an_edit_that_is_wrong(do, message) -> None:
    assert message in coin().refused("edit", **do)["message"]


def test_large_models_are_not_edited() -> None:
    page = Page(puzzle="muddy-children", n=8)
    assert "up to 200 worlds can be edited" in page.refused("edit", edit="add_world")["message"]


# --- steps -----------------------------------------------------------------------------------------


def test_undo_redo_branches() -> None:
    page = muddy()
    page.do("announce", formula="muddy_1 | muddy_2 | muddy_3")
    page.do("announce", formula="~K_1 muddy_1")
    page.do("undo")
    page.do("undo")
    assert "nothing to undo" in page.refused("undo")["message"]
    page.do("redo")
    assert len(page.model) == 7
    page.do("announce", formula="muddy_1")
    assert [(s["parent"], s["on_path"]) for s in page.view("steps")] == [
        (None, True), (0, True), (1, False), (1, True)
    ]  # fmt: skip
    assert "nothing to redo" in page.refused("redo")["message"]
    page.do("go", step=2)
    assert len(page.model) == 6
    page.do("undo")
    page.do("redo")
    assert page.state["at"] == 2
    page.do("forget", step=2)
    assert len(page.model) == 7
    assert [s["size"] for s in page.view("steps")] == [8, 7, 4]
    page.do("forget", step=1)
    assert (page.state.get("at", 0), len(page.view("steps"))) == (0, 1)
    assert "open something else" in page.refused("forget", step=0)["message"]
    assert "expected a step" in page.refused("go", step=1)["message"]


def test_the_number_of_steps_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    page = coin()
    page.do("begin")
    monkeypatch.setattr(limits, "MOST_STEPS", 3)
    for _ in range(3):
        page.do("contract")
    assert "at most 3 steps" in page.refused("contract")["message"]
    page.do("begin")
    page.do("contract")


def test_begin_makes_the_model_the_start() -> None:
    page = muddy()
    page.do("announce", formula="muddy_1")
    before, places = page.model, page.view("picture")["nodes"]
    page.do("begin")
    assert page.model == before
    assert len(page.view("steps")) == 1
    now = page.view("picture")["nodes"]
    assert all(
        abs(a["x"] - b["x"]) < 0.1 and abs(a["y"] - b["y"]) < 0.1 for a, b in zip(places, now, strict=True)
    )


def test_chosen_things() -> None:
    page = muddy()
    page.do("formula", text="K_1 muddy_2")
    page.do("world", world=7)
    page.do("announce", formula="muddy_1")
    assert page.state["world"] == 3  # the same world, renumbered
    assert page.view("explanation")["value"] is True
    page.do("world", world=None)
    assert page.view("explanation") is None
    page.do("logic", logic="kd45")
    assert page.state["logic"] == "KD45"
    page.do("pin", text="muddy_1")
    page.do("pin", text="muddy_1")
    page.do("pin", text="K_1 muddy")
    pins = page.view("pins")
    assert pins[0]["verdict"] == "true"
    assert "unknown atom 'muddy'" in pins[1]["error"]["message"]
    page.do("unpin", number=1)
    assert page.state["pins"] == ["muddy_1"]
    for command, arguments, message in (
        ("world", {"world": 4}, "from 0 to 3, got 4"),
        ("logic", {"logic": "S6"}, "unknown logic 'S6'"),
        ("unpin", {"number": 1}, "from 0 to 0, got 1"),
        ("pin", {"text": " "}, "no formula to keep"),
        ("formula", {"text": None}, "expected a string"),
        ("formula", {"text": "p" * 4_001}, "text is too long"),
    ):
        assert message in page.refused(command, **arguments)["message"]


def test_places_are_kept_and_handed_down() -> None:
    page = muddy()
    page.do("place", node=7, x=500, y=-400)
    page.do("announce", formula="muddy_1")
    picture = page.view("picture")
    assert (picture["nodes"][3]["x"], picture["nodes"][3]["y"]) == (500, -400)
    assert picture["came"] == [4, 5, 6, 7]
    assert picture["gone"] == [0, 1, 2, 3]
    page.do("place", node=1, x=3, y=4)
    assert page.view("picture")["nodes"][1]["x"] == 3
    page.do("arrange")
    assert page.view("picture")["nodes"][3]["x"] != 500
    assert "number of a node from 0 to 3" in page.refused("place", node=4, x=0, y=0)["message"]
    assert "two numbers" in page.refused("place", node=0, x="far")["message"]


def test_predictions() -> None:
    page = muddy()
    page.do("predict", answer="7")
    page.do("next")
    page.do("predict", answer="no")
    page.do("next")
    done = page.view("guide")["done"]
    assert [(d["prediction"], d["right"]) for d in done] == [("7", True), ("false", False)]
    assert "expected a number of worlds" in Page(puzzle="hexa").refused("predict", answer="many")["message"]
    page.do("undo")
    assert page.view("guide")["position"] == 1
    assert "expected one of true, false, mixed" in page.refused("predict", answer="7")["message"]
    assert "expected a string" in page.refused("predict", answer=7)["message"]
    assert "nothing to predict" in coin().refused("predict", answer="7")["message"]


# --- requests --------------------------------------------------------------------------------------


@cases(
    None,
    3,
    [],
    {"do": 3},
    {"do": {"command": "fly"}},
    {"do": {"command": ["open"]}},
    {"state": 3},
    {"state": {"explorer": 1}},
    {"want": ["weather"]},
    {"theme": "pink"},
    {"do": {"command": "open", "puzzle": ["hexa"]}},
    {"do": {"command": "open", "puzzle": "muddy-children", "n": "3"}},
    {"do": {"command": "open", "text": 3}},
    {"do": {"command": "copy", "what": "gold"}},
    {"do": {"command": "complete", "text": "p", "at": 9}},
    {"do": {"command": "compare"}},
    {"do": {"command": "valid", "formula": "K_a ("}},
    {"do": {"command": "action"}},
    {"do": {"command": "exercise", "number": 0}},
)
def test_a_wrong_request_is_an_error(request_) -> None:
    reply = respond(request_)
    assert not reply["ok"]
    assert reply["error"]["message"]
    assert reply["error"]["kind"] != BUG


def test_every_command_is_tried_here() -> None:
    here = Path(__file__).parent
    written = "".join(path.read_text(encoding="utf-8") for path in here.glob("*.py"))
    missing = [name for name in (*COMMANDS, *QUERIES) if f'"{name}"' not in written]
    assert missing == []
