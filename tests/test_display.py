"""Every value shows itself: a line in a terminal, pictures and tables in a notebook, no internals."""

import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

import visualise
from kripke_werewolf import (
    LOGICS,
    PRESETS,
    ActionModel,
    Event,
    KripkeModel,
    OneNight,
    PlayedNight,
    QuantumWerewolf,
    TableChange,
    decide_validity,
    logic_named,
    preset,
    private,
    story,
)
from kripke_werewolf.base.display import DRAWN_WORLDS, Displayed
from kripke_werewolf.games.avalon import Avalon, published, solve
from kripke_werewolf.logic.models import History
from kripke_werewolf.logic.proofs import DERIVED, RULES
from kripke_werewolf.logic.puzzles import PUZZLES, puzzle
from kripke_werewolf.research.planning import ObservedAction, Task, find_plan, find_policy, validate
from kripke_werewolf.research.stories import story as told
from kripke_werewolf.teach.exercises import Exercise, Sheet, grade, new_exercise
from kripke_werewolf.teach.exercises import Task as SheetTask

HOSTILE = '<b onclick="x">&'
STORY = "agents: a, b\natoms: p\nsees a: p\nactual: p\nask: K_b p\nsize: 2\nannounce: p\nexpect yes: K_b p\n"


def coin(name: str = "w") -> KripkeModel:
    return KripkeModel.from_partitions(
        [name, "v"], {"a": [[name, "v"]], "b": [[name], ["v"]]}, {"p": [name]}, name
    )


def told_twice() -> History[KripkeModel]:
    return History(coin()).then("p", name="father speaks").then(private("a", "p"))


def game() -> QuantumWerewolf:
    start = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, seers=1, rules="straat", rng=3)
    return start.vision("Ann", "Bo", result="wolf")


def one_night() -> PlayedNight:
    cards = ("wolf", "minion", "robber", "drunk")
    return OneNight(("Ann", "Bo", HOSTILE), cards, 1).night(cards, [HOSTILE, "Ann"])


def exercise(kind: str) -> Any:
    return new_exercise(kind, rng=1)


def peeking() -> Task:
    peek = ObservedAction(private("a", "p").named("peek"), {"a": [(True, "a")], "b": [(True, "a")]})
    return Task(coin(), {"peek": peek}, "K_a p & K_b p")


VALUES: dict[str, Callable[[], Any]] = {
    "model": coin,
    "large model": lambda: KripkeModel(range(DRAWN_WORLDS + 1), {HOSTILE: []}, {}),
    "explanation": lambda: coin().explain("K_a p"),
    "verdict": lambda: coin().point("w", "v").verdict("p"),
    "frame class": lambda: coin().frame_class("a"),
    "world": lambda: coin()["w"],
    "worlds": lambda: coin().valuation["p"],
    "valuation": lambda: coin().valuation,
    "relations": lambda: coin().relations,
    "logics": lambda: LOGICS,
    "logic": lambda: logic_named("KD45"),
    "axioms": lambda: RULES,
    "axiom": lambda: RULES["T"],
    "derived rules": lambda: DERIVED,
    "derived rule": lambda: DERIVED["RK"][0],
    "puzzles": lambda: PUZZLES,
    "rule sets": lambda: PRESETS,
    "rule set": lambda: preset("straat"),
    "rules of Avalon": published,
    "Avalon": lambda: Avalon(published(merlin=True)),
    "relation": lambda: coin().relation("a"),
    "large relation": lambda: KripkeModel(range(41), {HOSTILE: [(1, 2)]}, {}).relation(HOSTILE),
    "action": lambda: private("a", "p"),
    "large action": lambda: ActionModel({k: Event() for k in range(DRAWN_WORLDS + 1)}, {}, others=[]),
    "history": told_twice,
    "large history": lambda: History(KripkeModel(range(41), {}, {"p": [1]})).then("p"),
    "step": lambda: told_twice().steps[0],
    "product": lambda: told_twice().steps[1],
    "timeline": lambda: told_twice().timeline("K_a p", "K_b p"),
    "learning": lambda: told_twice().explain_learning("K_a p"),
    "scene": lambda: coin().draw(),
    "film": lambda: told_twice().draw(),
    "frame": lambda: visualise.Frame("before", coin()),
    "decision": lambda: decide_validity("K_a p -> K_b p"),
    "decision without a model": lambda: decide_validity("K_a p -> p"),
    "questions": lambda: puzzle("hexa").questions,
    "answers": lambda: puzzle("hexa").answers(),
    "event of a puzzle": lambda: puzzle("hexa").events[0],
    "symbolic puzzle": lambda: puzzle("muddy-children", 30, engine="symbolic"),
    "planning task": peeking,
    "observed action": lambda: peeking().actions["peek"],
    "plan": lambda: find_plan(peeking()),
    "no plan": lambda: find_plan(peeking(), longest=0),
    "policy": lambda: find_policy(peeking()),
    "validation": lambda: validate(peeking(), ["peek"]),
    "check of a step": lambda: validate(peeking(), ["peek"]).steps[0],
    "story": lambda: told(STORY),
    "outcome": lambda: next(told(STORY).outcomes()),
    "game": game,
    "table": lambda: game().table(),
    "handout": lambda: game().handout("Ann"),
    "knowledge": lambda: game().knowledge(),
    "knowers": lambda: game().ask("who knows wolf_Bo"),
    "answer": lambda: game().ask("K_Ann wolf_Bo"),
    "timeline of a game": lambda: game().timeline("wolf_Bo"),
    "moment": lambda: game().timeline("wolf_Bo")[1],
    "since": lambda: game().since("K_Ann (seer_Ann -> wolf_Bo)"),
    "audit": lambda: game().audit(),
    "comparison of an audit": lambda: game().audit()[0],
    "episode": lambda: list(story(game()))[1],
    "message": lambda: game().news[0],
    "difference": lambda: TableChange(game().at(0).table(), game().table()),
    "outcomes of Avalon": lambda: solve(Avalon(published())),
    "one night": lambda: one_night().game,
    "played night": lambda: (
        one_night().claim("Bo", "~wolf_Bo").vote({"Ann": "Bo", "Bo": "Ann", HOSTILE: "Bo"})
    ),
    "task": lambda: SheetTask("truth-set", points=2),
    "sheet": lambda: Sheet("Week 1", (SheetTask("truth-set"),), 1),
    "variant": lambda: Sheet("Week 1", (SheetTask(exercise("truth-set")),), 1).variant("Ann"),
    "marks": lambda: grade(Sheet("Week 1", (SheetTask(exercise("truth-set")),), 1).variant("Ann"), ["none"]),
    **{f"puzzle {name}": lambda name=name: puzzle(name) for name in PUZZLES},
    **{f"exercise {kind}": lambda kind=kind: exercise(kind) for kind in Exercise.kinds},
    **{
        f"result {kind}": lambda kind=kind: exercise(kind).check(exercise(kind).solution())
        for kind in Exercise.kinds
    },
}
PICTURED = (
    "model", "explanation", "action", "history", "step", "product", "scene", "film",
    "frame", "decision", "public cells", "event of a puzzle", "story", "outcome", "puzzle muddy-children",
    "exercise truth-set",
)  # fmt: skip

ELEMENTS = {
    "div", "figure", "figcaption", "svg", "title", "desc", "g", "rect", "path", "circle", "polygon", "text",
    "tspan", "p", "ul", "li", "pre", "table", "thead", "tbody", "tr", "th", "td", "caption", "label", "input",
    "output", "h1", "h2", "h3", "code",
}  # fmt: skip
INTERNALS = re.compile(r"\b[A-Za-z_]+\([a-z_]+=|Fraction\(|object at 0x|frozenset\(|mappingproxy|BitSpace")


def rich(value: Displayed) -> str:
    """Return the notebook display of a value after checking that it is well-formed and safe."""
    bundle = value._repr_mimebundle_()
    assert list(bundle) in (["text/plain", "image/svg+xml"], ["text/plain", "text/html"])
    assert bundle["text/plain"] == repr(value)
    markup = list(bundle.values())[1]
    used = {
        element.tag.rpartition("}")[2] for element in ElementTree.fromstring(f"<div>{markup}</div>").iter()
    }
    assert used <= ELEMENTS
    return markup


@pytest.mark.parametrize("kind", VALUES)
def test_no_value_shows_its_internals(kind: str) -> None:
    value = VALUES[kind]()
    line, shown = repr(value), rich(value)
    words = "\n".join(ElementTree.fromstring(f"<div>{shown}</div>").itertext())
    for text in (line, words):
        assert not INTERNALS.search(text), text
    assert words.strip()
    assert len(line) < 400 or "\n" in line
    assert kind not in PICTURED or "<svg " in shown
    name = type(value).__name__
    assert line.startswith((f"<{name}: ", f"{name}('")) or line == str(value)


def test_a_lone_picture_is_svg() -> None:
    assert coin()._repr_mimebundle_()["image/svg+xml"] == visualise.svg(coin())


def test_the_path_of_an_explanation_is_marked() -> None:
    why = coin().explain("K_a p")
    assert rich(why) == visualise.svg(coin(), explain=why)
    assert why.model == coin()
    assert all(reason.model is None for reason in why.children)
    assert why.sentence in rich(coin().explain("K_b (p & ~K_a p)")) or "<pre" in rich(
        coin().explain("K_b (p & ~K_a p)")
    )


def test_hostile_names_stay_text() -> None:
    model = coin(HOSTILE)
    history = History(model).then("p", name=HOSTILE)
    for value in (
        model,
        history,
        history.steps[0],
        history.timeline("p"),
        model.explain("K_a p"),
        model.draw(),
    ):
        assert "<b" not in rich(value)


def test_a_film_has_a_slider_and_all_its_steps() -> None:
    shown = rich(told_twice())
    assert shown.count("<svg ") == 3
    assert 'type="range" min="0" max="3"' in shown
    for title in ("1. At first", "2. father speaks", "3. private"):
        assert title in shown


def sizes(shown: str) -> list[tuple[float, float]]:
    """Return width and height of the pictures, and check that they are not scaled."""
    found = [
        [float(x) for x in svg]
        for svg in re.findall(r'<svg [^>]*width="(\S+)" height="(\S+)" viewBox="0 0 (\S+) (\S+)"', shown)
    ]
    assert all(svg[:2] == svg[2:] for svg in found)
    return [(width, height) for width, height, *_ in found]


@pytest.mark.parametrize("name", ["cheryl", "muddy-children", "sum-and-product", "sally-anne"])
def test_frames_of_a_film_are_cut_to_what_is_left(name: str) -> None:
    film = puzzle(name).history().draw()
    shown = rich(film)
    assert len(sizes(shown)) == len(film.scenes)
    assert 'style="flex: none; min-width: min(100%, 19rem); max-width: 100%' in shown
    least = [float(size) for size in re.findall(r'<svg style="[^"]*min-width: (\d+)px"', shown)]
    assert least == pytest.approx([0.85 * width for width, _ in sizes(shown)], abs=1)  # legible: 8 pixels
    for (width, height), ready, scene in zip(sizes(shown), film.sketches, film.scenes, strict=True):
        alone = ready.finished(ready.composed([node.position for node in scene.nodes]), title="").box
        assert (width, height) == pytest.approx((alone.width, alone.height), abs=0.01)
        assert width <= film.box.width + 0.01
    if name == "muddy-children":
        first, *_, last = sizes(shown)
        assert max(last) < min(first)


def test_the_screen_of_a_game_has_no_secrets() -> None:
    seen = game()
    other = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, seers=1, rules="straat", rng=3)
    assert rich(seen) == rich(other.vision("Ann", "Cy", result="villager"))
    assert "wolf" not in rich(seen).replace("werewolf", "")


def test_a_large_history_is_not_built_for_its_display() -> None:
    history = History(KripkeModel(range(2000), {}, {"p": range(1000)})).then("p")
    left = history.steps[0].__dict__.pop("model", None)
    assert repr(history) == "<History: !p; worlds: 2,000 → ?>"
    assert "?" in rich(history)
    assert left is not None


SETUP = """import kripke_werewolf as kw, visualise
%load_ext kripke_werewolf
m = kw.KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]], "b": [["w"], ["v"]]}, {"p": ["w"]}, "w")
h = kw.History(m).then("p").then(kw.private("a", "p"))
g = kw.QuantumWerewolf(["Ann", "Bo", "Cy"], rules="straat", wolves=1, seers=1, rng=1)"""
RICH = (
    'm', 'm.valuation["p"]', 'h', 'h.steps', '[*h.models]', '[m, m]', '{"before": m, "after": h.model}',
    '(m, kw.public("p"))', '[m.verdict("p")]', 'kw.parse("[!p]K_a q")', 'kw.puzzles.PUZZLES',
    'kw.derivation("K_a p -> p")', 'g', 'g.handout("Ann")', 'visualise.picture(m)', '[*kw.story(g)]',
)  # fmt: skip
PLAIN = ('[kw.parse("K_a p")]', '[1, m]', '[]', '{}', 'm.worlds', 'm.classes("a")')  # fmt: skip


@pytest.mark.slow
def test_everything_displays_in_a_notebook() -> None:
    import nbformat  # reads a grammar when it is imported: only where it is needed
    from nbclient import NotebookClient

    cells = [nbformat.v4.new_code_cell(source) for source in (SETUP, *RICH, *PLAIN)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    shown = {cell.source: cell.outputs[0].data for cell in notebook.cells[1:]}
    for source in RICH:
        line = shown[source].pop("text/plain")
        assert not INTERNALS.search(line), line
        assert not INTERNALS.search(re.sub(r"<[^>]*>", "", "".join(shown[source].values()))), source
        assert len(line) < 400 or "\n" in line, line
        assert shown[source], source
    assert all([*shown[source]] == ["text/plain"] for source in PLAIN)
    assert shown["[m, m]"]["text/html"].count("<svg ") == 2
    assert "before:" in shown['{"before": m, "after": h.model}']["text/html"]
    assert "<b" not in shown["kw.puzzles.PUZZLES"]["text/html"].replace("<tb", "")
