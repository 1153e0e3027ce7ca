"""One model has one picture, other models have others, and the explorer shows what Python says."""

import json
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import visualise
from kripke_werewolf import KripkeModel
from kripke_werewolf.teach.explorer import State, link, respond
from kripke_werewolf.teach.explorer.replies import BUG
from tests.strategies import plain_models
from tests.teach.explorer.pages import Page
from tests.visualise.reader import Figure, model_of, read_dot, read_html, read_svg, read_tikz

RING: Any = {"arrangement": "ring"}  # the same places for models of the same size
FIGURES: Mapping[str, Callable[[KripkeModel], Figure]] = {
    "svg": lambda model: read_svg(visualise.svg(model, **RING)),
    "tikz": lambda model: read_tikz(visualise.tikz(model, **RING)),
    "dot": lambda model: read_dot(visualise.dot(model, **RING)),
    "html": lambda model: read_html(visualise.html(model, **RING)),
}
FORMATS = st.sampled_from(sorted(FIGURES))

Parts = dict[str, Any]
"""The arguments of a model."""


@st.composite
def parts(draw: st.DrawFn) -> Parts:
    """Return the parts of a random model with weights, whose worlds are strings."""
    plain = draw(plain_models(max_worlds=4))
    name = {world: f"{world + 1}" for world in plain.worlds}
    return {
        "worlds": list(name.values()),
        "relations": {a: [(name[w], name[v]) for w, v in sorted(r)] for a, r in plain.relations.items()},
        "valuation": {p: [name[w] for w in sorted(true)] for p, true in plain.true.items()},
        "designated": [name[w] for w in sorted(plain.designated)],
        "weights": {a: {name[w]: n for w, n in given.items()} for a, given in plain.weights.items()},
    }


def built(given: Parts) -> KripkeModel:
    return KripkeModel(
        given["worlds"], given["relations"], given["valuation"], given["designated"], weights=given["weights"]
    )


def shown(figure: Figure) -> dict[str, Any]:
    """Return all that a figure shows, by names instead of numbers."""
    read = model_of(figure)
    name = read.names.__getitem__
    return {
        "worlds": set(read.names),
        "true": {atom: set(map(name, true)) for atom, true in read.true.items()},
        "designated": set(map(name, read.designated)),
        "relations": {a: {(name(w), name(v)) for w, v in pairs} for a, pairs in read.relations.items()},
        "weights": {a: {name(w): k for w, k in found.items()} for a, found in read.weights.items()},
        "left out": (read.unweighed, read.silent),
    }


def renamed(given: Parts, name: Callable[[str], Hashable]) -> Parts:
    """Return the parts of a model with other names of worlds."""
    return {
        "worlds": [name(w) for w in given["worlds"]],
        "relations": {a: [(name(w), name(v)) for w, v in r] for a, r in given["relations"].items()},
        "valuation": {p: [name(w) for w in true] for p, true in given["valuation"].items()},
        "designated": [name(w) for w in given["designated"]],
        "weights": {a: {name(w): n for w, n in own.items()} for a, own in given["weights"].items()},
    }


def rewritten(draw: Callable[..., Any], given: Parts) -> Parts:
    """Return the parts of the same model in another order, with repetitions, maybe with numbers for names."""

    def mixed(items: list[Any]) -> list[Any]:
        again = draw(st.lists(st.sampled_from(items), max_size=2)) if items else []
        return draw(st.permutations([*items, *again])) if items else []

    def turned(value: Mapping[str, Any]) -> dict[str, Any]:
        return {key: value[key] for key in draw(st.permutations(list(value)))}

    other = {
        "worlds": draw(st.permutations(given["worlds"])),
        "relations": {a: mixed(r) for a, r in turned(given["relations"]).items()},
        "valuation": {p: mixed(true) for p, true in turned(given["valuation"]).items()},
        "designated": mixed(given["designated"]),
        "weights": {
            a: {w: 3 * n for w, n in turned(own).items()} for a, own in turned(given["weights"]).items()
        },
    }
    return renamed(other, draw(st.sampled_from([str, int])))


@given(parts(), FORMATS, st.data())
def test_a_model_in_another_spelling_has_the_same_picture(given: Parts, written: str, data: Any) -> None:
    figure = FIGURES[written]
    model, other = built(given), built(rewritten(data.draw, given))
    assert shown(figure(other)) == shown(figure(model))
    again = KripkeModel.from_dict(json.loads(json.dumps(model.to_dict())))
    assert figure(again) == figure(model)


def changed(draw: Callable[..., Any], given: Parts) -> Parts:
    """Return the parts of a model that differs in one thing."""
    worlds = given["worlds"]
    world, agent = draw(st.sampled_from(worlds)), draw(st.sampled_from(sorted(given["relations"])))
    kind = draw(st.sampled_from(["pair", "atom", "designated", "weight", "no weights", "name"]))
    if kind == "pair":
        pair = world, draw(st.sampled_from(worlds))
        pairs = {*given["relations"][agent]} ^ {pair}
        return given | {"relations": given["relations"] | {agent: sorted(pairs)}}
    if kind == "atom":
        atom = draw(st.sampled_from(sorted(given["valuation"])))
        return given | {
            "valuation": given["valuation"] | {atom: sorted({*given["valuation"][atom]} ^ {world})}
        }
    if kind == "designated":
        return given | {"designated": sorted({*given["designated"]} ^ {world}) or worlds}
    if kind == "no weights":
        return given | {"weights": given["weights"] | {agent: None}}
    if kind == "name":
        return renamed(given, lambda w: "new" if w == world else w)
    own = given["weights"][agent]
    return given | {"weights": given["weights"] | {agent: own | {world: own[world] + Fraction(1, 7)}}}


@given(parts(), FORMATS, st.data())
def test_other_models_have_other_pictures(given: Parts, written: str, data: Any) -> None:
    figure, model, other = FIGURES[written], built(given), built(changed(data.draw, given))
    assert (shown(figure(other)) == shown(figure(model))) == (other == model)


def test_variables_are_said_to_be_left_out() -> None:
    def said(**variables: Any) -> str:
        model = KripkeModel.from_partitions("wv", {"a": ["wv"]}, {"p": ["w"]}, variables=variables)
        return read_svg(visualise.svg(model)).caption

    values = {"0": "p", "1": "~p"}
    assert "Variables" not in said()
    assert said(y=values, x=values) == f"{said()} Variables not shown: x and y."


def test_weights_that_are_left_out_are_named() -> None:
    def many(last: int) -> KripkeModel:
        worlds = range(40)
        cells = {"a": [worlds], "b": [worlds[:20], worlds[20:]]}
        weights = {"a": dict.fromkeys(worlds, 1) | {39: last}, "b": dict.fromkeys(worlds, 1) | {3: last}}
        return KripkeModel.from_partitions(worlds, cells, {"p": [0]}, [0], weights=weights)

    for write in visualise.svg, visualise.tikz, visualise.dot:
        assert "Weights of a and b are not shown." in " ".join(write(many(2), **RING).split())


# --- the explorer ------------------------------------------------------------------------------------

WORLDS = st.integers(0, 4)
EDITS = st.one_of(
    st.fixed_dictionaries({"edit": st.just("add_world")}),
    st.builds(lambda ws: {"edit": "remove_world", "worlds": ws}, st.lists(WORLDS, min_size=1, max_size=3)),
    st.builds(lambda w, p: {"edit": "flip", "world": w, "atom": p}, WORLDS, st.sampled_from("pq")),
    st.builds(
        lambda edit, a, ws: {"edit": edit, "agent": a, "worlds": ws},
        st.sampled_from(["join", "split"]), st.sampled_from("ab"), st.lists(WORLDS, min_size=1, max_size=3),
    ),
    st.builds(
        lambda a, w, v: {"edit": "move", "agent": a, "worlds": [w], "to": v},
        st.sampled_from("ab"), WORLDS, WORLDS,
    ),
    st.builds(lambda w, v: {"edit": "arrow", "agent": "b", "from": w, "to": v}, WORLDS, WORLDS),
    st.builds(lambda ws: {"edit": "actual", "worlds": ws}, st.lists(WORLDS, max_size=2)),
)  # fmt: skip
ACTS = EDITS.map(lambda do: {"command": "edit", **do}) | st.sampled_from(
    [
        {"command": "announce", "formula": "p | M_a q"},
        {"command": "tell", "how": "tell", "group": ["a"], "formula": "p"},
        {"command": "contract"},
    ]
)
QUESTION = "K_a p | ~M_b q"
START = KripkeModel.from_partitions(
    ["pq", "p", "q"], {"a": [["pq", "p"], ["q"]], "b": [["pq", "q"], ["p"]]},
    {"p": ["pq", "p"], "q": ["pq", "q"]}, "pq", weights={"a": {"pq": 1, "p": 2, "q": 3}},
)  # fmt: skip


def board(page: Page) -> tuple[Any, ...]:
    """Return what the page shows: the model, its picture, the answer to a question."""
    view = respond({"state": page.state, "do": {"command": "formula", "text": QUESTION}})["view"]
    places = [(node["x"], node["y"], node["text"]) for node in view["picture"]["nodes"]]
    return (
        page.model,
        places,
        view["picture"]["remarks"],
        view["formula"]["truth"],
        view["formula"]["verdict"],
    )


@given(st.lists(ACTS, min_size=1, max_size=5))
def test_the_board_is_the_same_by_every_way_to_it(acts: list[dict[str, Any]]) -> None:
    page = Page(text=json.dumps(START.to_dict()))
    boards = [board(page)]
    for act in acts:
        steps = len(page.state.get("steps", []))
        arguments = {key: value for key, value in act.items() if key != "command"}
        if page.reply(act["command"], [], **arguments)["ok"]:
            page.do(act["command"], **arguments)
            assert len(page.state["steps"]) == steps + 1  # one act is one step
            boards.append(board(page))
            model, _, _, truth, verdict = boards[-1]
            assert [w for w, one in zip(model.worlds, truth, strict=True) if one == "1"] == model.where(
                QUESTION
            )
            assert verdict == str(model.verdict(QUESTION))
            assert page.said.startswith(("All ", "The ", "Now ")) or f"{len(model)} " in page.said
    for back in reversed(boards[:-1]):
        page.do("undo")
        assert board(page) == back
    for forth in boards[1:]:
        page.do("redo")
        assert board(page) == forth
    linked, reloaded = Page(link=link(State.from_dict(page.state))), Page()
    reloaded.state = json.loads(json.dumps(page.state))
    assert board(linked) == board(reloaded) == boards[-1]


WRONG = [None, True, -1, 7, 10**30, 1.5, float("nan"), "", "zz", "1" * 5000, "\ud800", [], [[]], [{}], {}]


def spoiled(draw: Callable[..., Any], value: Any) -> Any:
    """Return a value with something of another type at a random place in it."""
    deeper = bool(value) and isinstance(value, dict | list) and draw(st.integers(0, 5)) > 0
    if not deeper:
        return draw(st.sampled_from(WRONG))
    if isinstance(value, dict):
        key = draw(st.sampled_from(sorted(value)))
        return value | {key: spoiled(draw, value[key])}
    place = draw(st.integers(0, len(value) - 1))
    return [*value[:place], spoiled(draw, value[place]), *value[place + 1 :]]


@given(ACTS, st.data())
def test_values_of_wrong_types_are_refused_with_a_message(do: dict[str, Any], data: Any) -> None:
    page = Page(text=json.dumps(START.to_dict()), name="start")
    page.do("tell", how="tell", group=["a"], formula="p")
    page.do("pin", text="p")
    request = {"state": page.state, "do": do, "want": ["model", "formula"], "have": "x", "theme": "light"}
    wrong = spoiled(data.draw, request)
    reply = respond(wrong)
    json.dumps(reply)
    assert reply["ok"] or reply["error"]["kind"] != BUG, (wrong, reply["error"])
    assert reply["ok"] or reply["error"]["message"]
