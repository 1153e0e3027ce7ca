"""After any sequence of commands, the board equals the result of the library's own calls."""

import json
from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kripke_werewolf import KripkeError, KripkeModel, private, semi_private, suspected
from kripke_werewolf.logic.models.model import Numbered
from kripke_werewolf.teach.explorer import State, link, respond
from kripke_werewolf.teach.explorer.commands import COMMANDS
from kripke_werewolf.teach.explorer.queries import QUERIES
from kripke_werewolf.teach.explorer.replies import BUG

from .pages import Page

Change = Callable[[KripkeModel], KripkeModel]

LITERALS = st.sampled_from(["p", "~p", "q", "p | q", "~p & q"])
FORMULAS = LITERALS | st.builds(
    "{}_{} ({})".format, st.sampled_from(["K", "M", "~Kw", "Kw"]), st.sampled_from("ab"), LITERALS
)
AGENTS = st.sampled_from("ab")
TOLD = {"tell": private, "show": semi_private, "suspect": suspected}


def announced(formula: str) -> tuple[dict[str, Any], Change]:
    return {"command": "announce", "formula": formula}, lambda model: model.announce(formula)


def told(how: str, agent: str, formula: str) -> tuple[dict[str, Any], Change]:
    do = {"command": "tell", "how": how, "group": [agent], "formula": formula}
    return do, lambda model: model.update(TOLD[how]([agent], formula))


def contracted() -> tuple[dict[str, Any], Change]:
    return {"command": "contract"}, lambda model: model.contract()


def flipped(world: int, atom: str) -> tuple[dict[str, Any], Change]:
    def change(model: KripkeModel) -> KripkeModel:
        data = model.to_dict()
        data["valuation"][atom] = [
            w
            for k, w in enumerate(data["worlds"])
            if (k in Numbered(model).numbers(atom)) != (w == data["worlds"][world])
        ]
        return KripkeModel.from_dict(data)

    return {"command": "edit", "edit": "flip", "world": world, "atom": atom}, change


def arrowed(agent: str, first: int, second: int) -> tuple[dict[str, Any], Change]:
    def change(model: KripkeModel) -> KripkeModel:
        data = model.to_dict()
        names = data["worlds"]
        pairs = {*Numbered(model).space.pairs(agent)} ^ {
            (names.index(names[first]), names.index(names[second]))
        }
        data["relations"][agent] = [[names[w], names[v]] for w, v in pairs]
        return KripkeModel.from_dict(data)

    return {"command": "edit", "edit": "arrow", "agent": agent, "from": first, "to": second}, change


EVENTS = st.one_of(
    st.builds(announced, FORMULAS),
    st.builds(told, st.sampled_from(sorted(TOLD)), AGENTS, LITERALS),
    st.builds(contracted),
    st.builds(flipped, st.integers(0, 3), st.sampled_from("pq")),
    st.builds(arrowed, AGENTS, st.integers(0, 3), st.integers(0, 3)),
)

START = KripkeModel.from_partitions(
    ["pq", "p", "q", "-"],
    {"a": [["pq", "p"], ["q", "-"]], "b": [["pq", "q"], ["p", "-"]]},
    {"p": ["pq", "p"], "q": ["pq", "q"]},
    "pq",
)


@given(st.lists(EVENTS | st.sampled_from(["undo", "redo", "begin", "link"]), max_size=10))
def test_commands_are_the_librarys_calls(events: list[Any]) -> None:
    page = Page(text=json.dumps(START.to_dict()))
    past, future = [START], list[KripkeModel]()
    for event in events:
        if event == "undo":
            if len(past) > 1:
                future.append(past.pop())
                page.do("undo")
            else:
                page.refused("undo")
        elif event == "redo":
            if future:
                past.append(future.pop())
                page.do("redo")
            else:
                page.refused("redo")
        elif event == "begin":
            past, future = [past[-1]], []
            page.do("begin")
        elif event == "link":
            page.do("open", link=link(State.from_dict(page.state)))
        else:
            do, change = event
            arguments = {key: value for key, value in do.items() if key != "command"}
            try:
                if len(past[-1]) > 200:
                    raise KripkeError
                after = change(past[-1])
            except (KripkeError, IndexError):
                page.refused(do["command"], **arguments)
            else:
                past, future = [*past, after], []
                page.do(do["command"], **arguments)
        same(page, past[-1])


def same(page: Page, model: KripkeModel) -> None:
    """Check that the page shows a model: its truth, its picture, its sizes, and all of them as JSON."""
    assert page.model == model
    reply = respond({"state": page.state, "do": {"command": "formula", "text": "K_a p -> Kw_b q"}})
    assert reply["ok"]
    view = reply["view"]
    assert view["model"]["size"] == len(model) == len(view["formula"]["truth"])
    assert view["formula"]["count"] == len(model.where("K_a p -> Kw_b q"))
    assert [agent["class"] for agent in view["model"]["agents"]] == [
        model.frame_class(a) for a in model.agents
    ]
    assert len(view["picture"]["nodes"]) == len(view["formula"]["nodes"]) == len(view["picture"]["came"])
    spots = [(node["x"], node["y"]) for node in view["picture"]["nodes"]]
    assert len(set(spots)) == len(spots)


KEYS = """
text formula world edit how group step puzzle n action do first second what at number answer node nodes x y
agent worlds link changes named logic theme formulas
"""


@given(st.integers(2, 4), st.data())
def test_any_request_at_all_has_a_reply(n: int, data: st.DataObject) -> None:
    values = st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-2, 9)
        | st.text(max_size=5)
        | st.sampled_from(["K_1 muddy_1", "1"]),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
        max_leaves=5,
    )
    names = st.sampled_from([*COMMANDS, *QUERIES])
    keys = KEYS.split()
    page = Page(puzzle="muddy-children", n=n)
    page.do("next")
    arguments = data.draw(st.dictionaries(st.sampled_from(keys), values, max_size=4))
    reply = respond({"state": page.state, "do": {"command": data.draw(names), **arguments}})
    assert reply["ok"] or reply["state"] == page.state
    assert reply["ok"] or reply["error"]["kind"] != BUG, reply["error"]
