"""The proof desk on the page: lines, hints, undo, a link that brings all back, and what is hostile."""

import pytest

from kripke_werewolf.teach.explorer import State, link, respond, state_of_link
from tests.cases import cases, each

from .pages import Page


def begun(text: str = "logic: T\nshow: p -> M_a p") -> Page:
    page = Page()
    page.do("proof", text=text)
    return page


def test_a_proof_by_hints() -> None:
    page = begun("logic: S5\nshow: p, p -> K_a q ⊢ q\nrules: MP, T")
    assert page.view("proof")["claim"] == "p, p -> K_a q ⊢ q"
    assert [name for name, *_ in page.view("proof")["palette"]] == ["given", "MP", "T"]
    while not page.view("proof")["done"]:
        row = page.do("hint")["row"]
        assert page.do("judge", text=row) == {"right": True, "reason": ""}
        page.do("row", text=row)
    assert page.said == "p, p -> K_a q ⊢ q is derived."
    assert r"\to" in page.do("copy", what="latex")["text"]
    again = Page(text=page.do("copy", what="proof")["text"])
    assert again.view("proof") == page.view("proof")


def test_a_wrong_line_gives_its_reason_and_is_replaced() -> None:
    page = begun()
    assert page.do("judge", text="p -> K_a p   T")["right"] is False
    assert page.do("judge", text="p ->")["right"] is None
    page.do("row", text="p -> K_a p   T")
    (row,) = page.view("proof")["rows"]
    assert not row["right"]
    assert "not an instance of T" in row["why"]
    assert "the other direction" in page.do("hint")["why"]
    page.do("row", text="K_a ~p -> ~p   T")
    rows = page.view("proof")["rows"]
    assert [(row["formula"], row["reason"]) for row in rows] == [("K_a ~p -> ~p", "T")]


def test_undo_redo_and_a_link() -> None:
    page = begun()
    page.do("row", text="K_a ~p -> ~p   T")
    page.do("row", text="p -> M_a p   PL 1")
    page.do("unrow")
    page.do("unrow")
    shown = page.view("proof")
    assert shown["undone"] == "K_a ~p -> ~p   T"
    page.state = state_of_link(link(State.from_dict(page.state))).to_dict()
    assert page.view("proof") == shown
    page.do("rerow")
    page.do("rerow")
    assert page.view("proof")["done"]
    assert "no line was taken back" in page.refused("rerow")["message"]
    page.do("proof", text="show: p -> p")
    assert "no line to take back" in page.refused("unrow")["message"]


WHAT_CANNOT_BE_BEGUN = ["", "show: ", "show: p ->", "logic: S9\nshow: p", "show: p\nrules: No"]
WHAT_CANNOT_BE_BEGUN += ["show: " + "p" * 60_000]


@each(WHAT_CANNOT_BE_BEGUN)
def test_what_cannot_be_begun(text) -> None:
    assert Page().refused("proof", text=text)["message"]


@cases("p\nq", "x" * 10_000, "<img src=x onerror=f()>", "show: q", "p   Magic", "")
def test_hostile_lines_change_nothing(text) -> None:
    page = begun()
    assert page.refused("row", text=text)["message"]
    assert not page.view("proof")["rows"]
    assert "no proof is begun" in Page().refused("row", text="p")["message"]


@pytest.mark.parametrize("proof", [3, "show: p ->", "x" * 60_000, "show: p\n1. p   Magic"])
def test_a_damaged_link_is_refused(proof: object) -> None:
    reply = respond({"state": {"explorer": 1, "start": {"empty": True}, "proof": proof}, "want": ["proof"]})
    assert not reply["ok"]
    assert reply["error"]["kind"] == "FormatError"


@pytest.mark.parametrize("calculus", ["", "calculus: natural\n"])
def test_an_error_stands_where_it_was_typed(calculus: str) -> None:
    page = Page(empty=True)
    page.do("proof", text=f"{calculus}logic: K\nshow: p -> q, p ⊢ q")
    for text, column in (("p &   premise", 3), ("q -> (p   ->I 1", 7)):
        for told in (page.do("judge", text=text)["reason"], page.refused("row", text=text)["message"]):
            message, line, caret = told.split("\n")
            assert "line" not in message.partition(";")[0]
            assert "column" not in message
            assert line == f"  {text}"
            assert caret == " " * (2 + column) + "^"
