"""What is copied out of the page makes the same model elsewhere."""

import json
from typing import Any

import pytest

from kripke_werewolf import KripkeModel
from kripke_werewolf.teach.explorer.copying import COPIES

from .pages import Page

OWN = (
    "event seen if c_0:",
    'event "not seen": a_0 := true, c_0 := ~c_0',
    'agent b: seen -> "not seen", "not seen" -> "not seen"',
)


def pages() -> list[tuple[str, Page]]:
    hexa = Page(puzzle="hexa")
    hexa.do("announce", formula="~a_1")
    hexa.do("formula", text="K_a a_0")
    told = Page(puzzle="hexa")
    for how in ("tell", "show", "suspect", "observe"):
        told.do("tell", how=how, group=["b", "c"], formula="~c_0")
    told.do("tell", how="whether", formula="K_b a_1")
    told.do("tell", how="assign", changes={"a_0": "~a_0", "b_1": "a_0"})
    own = Page(puzzle="hexa")
    own.do("act", text="\n".join(OWN))
    edited = Page(puzzle="muddy-children", n=2)
    edited.do("announce", formula="muddy_1")
    edited.do("edit", edit="add_agent", agent="Mary Ann")
    edited.do("announce", formula="muddy_2")
    liar = Page(puzzle="muddy-children", n=2)
    liar.do("tell", how="lie", group=["1"], formula="~muddy_2")
    gossip = Page(puzzle="gossip")
    gossip.do("next")
    return [
        ("hexa", hexa), ("told", told), ("own", own), ("edited", edited), ("liar", liar), ("gossip", gossip)
    ]  # fmt: skip


@pytest.mark.parametrize(("name", "page"), pages(), ids=lambda value: value if isinstance(value, str) else "")
def test_python_and_json_make_the_same_model(name: str, page: Page) -> None:
    found: dict[str, Any] = {}
    exec(page.do("copy", what="python")["text"], found)
    assert found["model"] == page.model
    page.do("open", text=page.do("copy", what="json")["text"])
    assert page.model == found["model"]


def test_weights_are_in_every_copy() -> None:
    cells, weights = {"a": ["wv"]}, {"a": {"w": 3, "v": 1}}
    values = {"x": {"1": "p", "0": "~p"}}
    for variables in (None, values):
        model = KripkeModel.from_partitions(
            "wv", cells, {"p": ["w"]}, "w", weights=weights, variables=variables
        )
        page = Page(text=json.dumps(model.to_dict()))
        found: dict[str, Any] = {}
        exec(page.do("copy", what="python")["text"], found)
        copied = KripkeModel.from_dict(json.loads(page.do("copy", what="json")["text"]))
        assert found["model"] == copied == model


def test_every_copy_has_a_name_and_a_type() -> None:
    page = Page(puzzle="hexa")
    for what, copy in COPIES.items():
        if what not in ("proof", "latex"):  # test_proving
            found = page.do("copy", what=what)
            assert found["file"] == f"hexa{copy.ending}"
            assert found["text"]
