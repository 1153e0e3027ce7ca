"""States and links: round trips, and clear errors for damaged data."""

import json
import zlib
from base64 import urlsafe_b64encode
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.teach.explorer import State, link, respond, state_of_link
from kripke_werewolf.teach.explorer.state import Answered, Edit
from tests.cases import cases

LINES = st.text(max_size=30)
FORMULAS = st.fixed_dictionaries({"command": st.just("announce"), "formula": LINES})
SPOTS = st.tuples(st.floats(-999, 999), st.floats(-999, 999))


@st.composite
def states(draw: st.DrawFn) -> State:
    steps = tuple(Edit(draw(st.integers(0, k)), draw(FORMULAS)) for k in range(draw(st.integers(0, 6))))
    number = st.integers(0, len(steps))
    exercises = draw(st.none() | st.fixed_dictionaries({"items": st.lists(LINES, min_size=1, max_size=3)}))
    starts = [{"empty": True}, {"puzzle": "hexa"}, {"puzzle": "muddy-children", "n": 4}]
    small = st.integers(0, 9)
    return State(
        start=draw(st.sampled_from(starts)),
        steps=steps,
        at=draw(number),
        tip=draw(number),
        formula=draw(LINES),
        pins=tuple(draw(st.lists(LINES, max_size=3))),
        world=draw(st.none() | st.integers(0, 9)),
        logic=draw(st.sampled_from(["S5", "KD45"])),
        places=draw(st.dictionaries(number, st.dictionaries(small, SPOTS, max_size=3), max_size=2)),
        predictions=draw(st.dictionaries(small, LINES, max_size=3)),
        exercises=exercises,
        answers=draw(st.dictionaries(small, st.builds(Answered, LINES, st.booleans()), max_size=3)),
    )


@given(states())
def test_a_state_is_its_json_and_its_link(state: State) -> None:
    data = json.loads(json.dumps(state.to_dict()))
    assert State.from_dict(data) == state
    assert state_of_link(link(state)) == state
    assert state_of_link(f"https://example.org/explorer.html#{link(state)}") == state
    assert set(link(state)) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")


@given(states(), st.data())
def test_a_changed_link_is_refused_or_read(state: State, data: st.DataObject) -> None:
    text = link(state)
    place = data.draw(st.integers(0, len(text) - 1))
    broken = text[:place] + data.draw(st.sampled_from("Ab0-_.#% ")) + text[place + 1 :]
    try:
        found = state_of_link(broken)
    except FormatError:
        return
    assert state_of_link(link(found)) == found


def packed(data: Any) -> str:
    packer = zlib.compressobj(9, wbits=-15)
    raw = packer.compress(json.dumps(data).encode()) + packer.flush()
    return f"1.{urlsafe_b64encode(raw).decode().rstrip('=')}"


@cases(
    ("", "this link is broken: it does not begin with a version and a dot"),
    ("1.@@@@", "this link is broken"),
    ("2." + packed({})[2:], "made by a newer version"),
    (link(State(formula="K_a p" * 20))[:-9], "this link is broken"),
    (packed([]), "not a state of the explorer"),
    (packed({"explorer": 9}), "this version reads format 1, got 9"),
    (packed({"explorer": 1}), "start: expected an object"),
    (packed({"explorer": 1, "start": {}, "more": 1}), "more: no such key"),
    (packed({"explorer": 1, "start": {}, "steps": [[1, {}]]}), "expected a number from 0 to 0, got 1"),
    (packed({"explorer": 1, "start": {}, "steps": [[0]]}), "steps[0]: expected the step before it"),
    (packed({"explorer": 1, "start": {}, "formula": 3}), "formula: expected a string"),
    (packed({"explorer": 1, "start": {}, "formula": "p" * 5_000}), "formula is too long: 5,000"),
    (packed({"explorer": 1, "start": {}, "places": {"0": {"0": [1e9, 0]}}}), "expected two numbers"),
    (packed({"explorer": 1, "start": {}, "answers": {"0": "yes"}}), "expected an answer"),
    (packed({"explorer": 1, "start": {}, "exercises": {"items": []}}), "at least one exercise"),
    (packed({"explorer": 1, "start": {"sudoku": 1}}), "start: expected one of empty, puzzle, "),
    (packed({"explorer": 1, "start": {"exercise": 0}}), "no exercises are open"),
    (packed({"explorer": 1, "start": {"empty": 1}, "steps": [[0, {"command": "open"}]]}), "unknown step"),
    (packed({"explorer": 1, "start": {"empty": 1}, "formula": "x" * 4_100_000}), "this link holds too much"),
    (packed({"explorer": 1, "start": {"empty": 1}, "logic": "S6"}), "logic: unknown logic 'S6'"),
    ("1." + "A" * 500_000, "the link is too long"),
)
def test_a_broken_link_is_a_message(text, message) -> None:
    good = respond({"do": {"command": "open", "puzzle": "hexa"}})["state"]
    reply = respond({"state": good, "do": {"command": "open", "link": text}})
    assert not reply["ok"]
    assert reply["state"] == good
    assert message in reply["error"]["message"]
    assert "\n" not in reply["error"]["short"]


# made by the first release that had links
OLD_LINK = (
    "1.VY5dCoMwHMOvMvJcxU7GoFfYEUSktP8xoV9Uy5zSnX11MHAveUh-CdlASzA-UoTgDNMs4wyxIaR1NQQBm7R-Veox"
    "Gh3JgcFBtHknKUwQXdewDcpbK50uuKNlRu5Zx_9s6ZxPTlHp3320ychivm8DP333B146_TE7RgxPH02ZaRmCkYqm_W"
    "Gzy7k84E19YVVbN30uv0IkPap59O5H4YqcPw"
)


def test_a_link_of_an_old_release_stays_readable() -> None:
    reply = respond({"do": {"command": "open", "link": OLD_LINK}, "want": ["formula", "steps", "guide"]})
    assert reply["ok"]
    assert [step["size"] for step in reply["view"]["steps"]] == [8, 7, 6]
    assert reply["view"]["formula"]["unicode"] == "K_1 muddy_1"
    assert reply["view"]["guide"]["done"][0]["right"] is True
