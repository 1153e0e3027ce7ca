"""The view agrees with the library."""

import json
import re
from typing import Any

import pytest

from kripke_werewolf import KripkeModel, Undecided
from kripke_werewolf.logic.models.model import Numbered
from kripke_werewolf.logic.proofs import check, read_proof
from kripke_werewolf.logic.puzzles import puzzle
from kripke_werewolf.teach.explorer import limits, respond
from kripke_werewolf.teach.explorer.limits import limited
from tests.cases import cases

from .pages import Page


def muddy() -> Page:
    return Page(puzzle="muddy-children", n=3)


def test_truth_per_world_and_node() -> None:
    page = muddy()
    model = page.model
    for text in ("muddy_1", "K_1 muddy_2", "~Kw_1 muddy_1 & E muddy_3", "[!muddy_1]C_{1,2} muddy_1", "true"):
        page.do("formula", text=text)
        shown = page.view("formula")
        assert [k for k, bit in enumerate(shown["truth"]) if bit == "1"] == Numbered(model).numbers(text)
        assert shown["nodes"] == shown["truth"]
        assert (shown["count"], shown["verdict"]) == (len(model.where(text)), str(model.verdict(text)))
        assert shown["error"] is None
    page.do("formula", text="  ")
    assert page.view("formula") is None
    page.do("formula", text="K_1 mudy_1")
    error = page.view("formula")["error"]
    assert "unknown atom 'mudy_1'; did you mean 'muddy_1'" in error["message"]
    assert (error["at"], error["field"]) == (4, "formula")


@cases(
    "Would prof believe that genius is true if told that drunk is true?",
    "would prof believe genius if told drunk?",
    "would prof believe, if told that drunk is true, that genius is false?",
    "does prof believe that genius is false if drunk is true?",
    "is genius true if drunk is true?",
    "does prof believe safely that genius is true?",
    "[^^drunk]B_prof ~genius",
)
def test_what_somebody_would_believe(text: str) -> None:
    page = Page(puzzle="professor")
    page.do("formula", text=text)
    shown, answer = page.view("formula"), page.model.ask(text)
    assert shown["verdict"] == str(answer.verdict)
    actual = page.model.worlds.index("drunken genius")
    assert shown["truth"][actual] == str(int(str(answer) == "yes"))


def test_nodes_that_stand_for_several_worlds() -> None:
    page = Page(puzzle="russian-cards")
    page.do("formula", text="a_0")
    shown, nodes = page.view("formula"), page.view("picture")["nodes"]
    assert len(nodes) <= limits.MOST_DRAWN < len(shown["truth"])
    for worlds, sign in zip([n["worlds"] for n in nodes], shown["nodes"], strict=True):
        found = {shown["truth"][w] for w in worlds}
        assert sign == ("m" if len(found) > 1 else found.pop())


def test_a_formula_that_never_ends_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "EFFORT_OF_PART", 20_000)
    page = Page(puzzle="muddy-children", n=6)
    page.do("formula", text="[1?!muddy_2]" * 60 + "K_1 muddy_1")
    assert "this formula takes too long" in page.view("formula")["error"]["message"]
    page.do("formula", text="K_1 muddy_2")
    assert page.view("formula")["verdict"] == "true"


def test_every_answer_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "EFFORT", 5_000)
    reply = respond({"do": {"command": "open", "puzzle": "consecutive-numbers", "n": 60}})
    assert "takes too long for this page" in reply["error"]["message"]


def test_limits_within_limits() -> None:
    def int_of(text: str) -> int:
        return int(text)

    def work(calls: int) -> None:
        for _ in range(calls):
            int_of("1")

    with limited(10_000, "the whole"):
        with limited(2_000, "a part"), pytest.raises(Undecided, match="a part takes too long"):
            work(5_000)
        with limited(2_000, "another part"):
            work(50)
        with pytest.raises(Undecided, match="the whole takes too long"):
            work(20_000)


def test_explanations_in_words_and_as_a_path() -> None:
    page = muddy()
    page.do("formula", text="K_1 K_2 muddy_3")
    page.do("world", world=7)
    shown = page.view("explanation")
    why = page.model.explain("K_1 K_2 muddy_3", at=page.model.worlds[7])
    assert "\n".join("  " * line["depth"] + line["text"] for line in shown["lines"]) == str(why)
    assert [(step["from"], step["to"], tuple(step["agents"])) for step in shown["path"]] == [
        (page.model.worlds.index(s), page.model.worlds.index(t), a) for s, a, t in why.path
    ]
    page.do("formula", text="K_1 (")
    assert page.view("explanation")["error"]["at"] == 5


def test_the_picture_is_sent_once_and_lists_what_the_page_needs() -> None:
    page = muddy()
    first = page.view("picture")
    assert sorted(re.findall(r'data-w="(\d+)"', first["svg"]), key=int) == [str(k) for k in range(8)]
    reply = respond({"state": page.state, "want": ["picture"], "have": first["key"]})
    assert "svg" not in reply["view"]["picture"]
    dark = respond({"state": page.state, "want": ["picture"], "have": first["key"], "theme": "dark"})
    assert dark["view"]["picture"]["svg"] != first["svg"]
    left, top = first["origin"]
    for node in first["nodes"]:
        assert 0 < node["x"] - left < first["width"]
        assert 0 < top - node["y"] < first["height"]


def test_a_formula_needs_no_new_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page(puzzle="aces-and-eights")
    page.view("picture")
    from kripke_werewolf.teach.explorer import pictures

    def drawn(*_: Any) -> Any:
        raise AssertionError("drawn again")

    monkeypatch.setattr(pictures, "_drawn", drawn)
    page.do("formula", text="K_1 two_2")
    reply = respond({"state": page.state, "want": ["formula", "picture"]})
    assert reply["view"]["formula"]["count"] > 0


def test_the_model_in_the_view() -> None:
    page = muddy()
    shown = page.view("model")
    assert shown["size"] == 8
    assert [w["name"] for w in shown["worlds"] if w["actual"]] == ["111"]
    assert shown["cells"]["1"] == Numbered(page.model).classes("1")
    assert {agent["class"] for agent in shown["agents"]} == {"S5"}
    large = Page(puzzle="muddy-children", n=9).view("model")
    assert (large["size"], large["worlds"], large["cells"]) == (512, None, None)


def test_facts() -> None:
    page = muddy()
    page.do("tell", how="tell", group=["1"], formula="muddy_1")
    facts = page.do("facts")
    model = page.model
    assert [(a["name"], a["class"]) for a in facts["agents"]] == [("1", "S5"), ("2", "KD45"), ("3", "KD45")]
    assert [text.split(":")[0] for text in facts["lost"]] == [
        f"The relation of {agent} was S5 and is KD45" for agent in "23"
    ]
    assert len(model.lost) == 2
    assert facts["contracted"] == len(model.contract())
    page.do("open", empty=True)
    for name in "wv":
        page.do("edit", edit="add_world", name=name)
    assert page.do("facts")["twins"] == [[0, 1]]


def test_who_knows_what_since_when() -> None:
    known = puzzle("muddy-children", 3)
    page = muddy()
    for _ in known.moments:
        page.do("next")
    history = known.history()
    page.do("pin", text="Kw_1 muddy_1")
    found = page.do("timeline")
    events = [0, *(k for k, s in enumerate(page.view("steps")) if s["kind"] == "next")]
    assert len(events) == len(history) + 1
    for row in [*found["rows"], *found["known"]]:
        verdicts = [row["verdicts"][k] for k in events]
        assert verdicts == [str(history.verdict(row["formula"], step=k)) for k in range(len(history) + 1)]
        assert (row["since"] and events.index(row["since"])) == history.since(row["formula"])
    page.do("edit", edit="add_atom", atom="new")
    for text in ("new", "K_9 new"):
        page.do("pin", text=text)
    _, new = page.do("timeline")["rows"]
    assert new["verdicts"][:-1] == [None] * (len(found["steps"]))


def test_validity_with_a_counter_model_or_a_derivation() -> None:
    page = muddy()
    found = page.do("valid", formula="K_a p -> p", logic="KD45")
    assert not found["answer"]
    model = KripkeModel.from_dict(found["model"])
    assert not model.holds("K_a p -> p")
    page.do("open", text=json.dumps(found["model"]))
    assert page.model == model
    found = page.do("valid", formula="K_a p -> p & p", logic="T")
    assert found["answer"]
    lines = "\n".join(f"{x['number']}. {x['unicode']}   {x['reason']}" for x in found["derivation"])
    assert check(read_proof(lines, logic="T")).right
    assert page.do("valid", formula="p | ~p", logic="K")["derivation"]
    found = page.do("valid", formula="[!p]p")
    assert (found["answer"], found["logic"]) == (True, "S5")


def test_completion() -> None:
    page = muddy()
    found = page.do("complete", text="K_1 (mud", at=8)
    assert (found["start"], found["end"]) == (5, 8)
    assert [item["insert"] for item in found["items"]] == ["muddy_1", "muddy_2", "muddy_3"]
    found = page.do("complete", text="C_{1,", at=5)
    assert [item["insert"] for item in found["items"]] == ["2", "3"]
    for text in ("K", "C", "D", "Kw", "M"):
        for item in page.do("complete", text=text, at=len(text))["items"]:
            if item["kind"] != "english":
                page.model.where(item["insert"] + "muddy_1" * (item["kind"] == "operator"))
    for text, word in (("Does child 1 kn", "know"), ("Is child 2 cle", "clean"), ("Do all chil", "children")):
        assert word in [item["shown"] for item in page.do("complete", text=text, at=len(text))["items"]]
    assert page.do("complete", text="K", at=1)["items"][0]["shown"] == "K_1"


def test_the_catalogue() -> None:
    found = muddy().do("catalogue")
    assert {"name": "hexa", "size": None}.items() <= next(
        p for p in found["puzzles"] if p["name"] == "hexa"
    ).items()
    assert json.loads(json.dumps(found)) == found
    assert [o["shown"] for o in found["operators"]].count("∧") == 1
    assert {"K_", "Kw_", "C_", "D_", "E_"} < {o["type"] for o in found["operators"]}
    for p in found["puzzles"]:
        assert p["about"].endswith("."), p
        assert "Return" not in p["about"]


@pytest.mark.parametrize("told", ["1", "2", "3"])
def test_after_a_secret_few_lines_tell_all_and_while_it_is_edited_there_are_all_arrows(told: str) -> None:
    page = muddy()
    page.do("tell", how="tell", group=[told], formula=f"muddy_{told}")
    few = page.view("picture")
    page.do("edit", edit="flip", world=0, atom="muddy_1")
    every = page.view("picture")
    lines, arrows = (picture["svg"].count('<g class="edge"') for picture in (few, every))
    assert 2 * lines < arrows
    assert "arrows to one of them go to all" in few["remarks"]
    assert "arrows to one of them" not in every["remarks"]
