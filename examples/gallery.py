"""The gallery: one picture of each kind.

Run `python examples/gallery.py` to draw the pictures into docs/gallery and to write docs/gallery.md, or
name another folder for the pictures. Each function returns an object for `visualise.save` and its
options, or a function that draws on matplotlib axes. docs/gallery.md shows each function as a script of
its own. The interactive page is not kept with the sources: it is drawn when the documentation is built.
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import visualise
from kripke_werewolf import ActionModel, Event, History, KripkeModel, lie, private, suspected
from kripke_werewolf.games.werewolf import QuantumWerewolf, replay
from kripke_werewolf.logic.puzzles import puzzle
from kripke_werewolf.teach.explorer import State, link
from kripke_werewolf.teach.explorer.state import Edit
from visualise.game import figure_svg

Drawing = tuple[Any, dict[str, Any]]  # an object and the options for drawing it
FIVE_PLAYERS = Path(__file__).parent / "games" / "five_players.jsonl"
WIDTH = 84  # of a line of code in the documentation


@dataclass(frozen=True)
class Figure:
    """A picture of the gallery: its file, its caption, and the function that makes it."""

    file: str
    text: str
    make: Callable[[], Drawing]


FIGURES: list[Figure] = []


def figure(file: str) -> Callable[[Callable[[], Drawing]], Callable[[], Drawing]]:
    """Add a function to the gallery; its docstring is the caption of the picture."""

    def enter(make: Callable[[], Drawing]) -> Callable[[], Drawing]:
        FIGURES.append(Figure(file, make.__doc__ or "", make))
        return make

    return enter


@figure("coin.svg")
def coin() -> Drawing:
    """A first model: the coin shows heads; a has looked, b has not."""
    model = KripkeModel.from_partitions(
        ["heads", "tails"],
        {"a": [["heads"], ["tails"]], "b": [["heads", "tails"]]},
        {"h": ["heads"]},
        designated="heads",
    )
    return model, {}


@figure("muddy-children.svg")
def muddy_children() -> Drawing:
    """Three muddy children: the eight worlds are the corners of a cube."""
    return puzzle("muddy-children", n=3).model, {}


@figure("father.svg")
def father() -> Drawing:
    """The world that the father's announcement removes is grey."""
    before = puzzle("muddy-children", n=3).model
    after = before.announce("muddy_1 | muddy_2 | muddy_3")
    return visualise.difference(before, after, title="At least one of you is muddy"), {}


@figure("nobody-knows.svg")
def nobody_knows() -> Drawing:
    """Nobody knows: the three worlds where a child would know are removed."""
    children = puzzle("muddy-children", n=3)
    history = children.history()
    return visualise.difference(history.at(1), history.at(2), title="Nobody knows"), {}


@figure("muddy-children.gif")
def muddy_film() -> Drawing:
    """The whole puzzle as an animation; the remaining worlds keep their places."""
    return puzzle("muddy-children", n=3), {"title": "Muddy children"}


@figure("muddy-children.html")
def muddy_page() -> Drawing:
    """The same puzzle as an interactive page."""
    formulas = [
        "Kw_1 muddy_1",
        "E_{1,2,3} (muddy_1 | muddy_2 | muddy_3)",
        "C_{1,2,3} (muddy_1 | muddy_2 | muddy_3)",
    ]
    return puzzle("muddy-children", n=3), {"title": "Muddy children", "formulas": formulas}


@figure("hexa.svg")
def hexa() -> Drawing:
    """Three cards for three players form a hexagon, here with agents' names on the lines."""
    return puzzle("hexa").model, {"edge_labels": True}


@figure("hexa.tex")
def hexa_tikz() -> Drawing:
    """The same for LaTeX."""
    return puzzle("hexa").model, {}


@figure("four-children.svg")
def four_children() -> Drawing:
    """Four muddy children: a four-dimensional cube."""
    return puzzle("muddy-children", n=4).model, {"atoms": []}


@figure("cheryl.svg")
def cheryl() -> Drawing:
    """Cheryl's birthday: one knows the month (rows), the other the day (columns)."""
    return puzzle("cheryl").model, {"atoms": []}


@figure("cheryl-hulls.svg")
def cheryl_hulls() -> Drawing:
    """The same with classes outlined instead of joined by lines."""
    return puzzle("cheryl").model, {"atoms": [], "edges": "hulls"}


@figure("aces-and-eights.svg")
def aces_and_eights() -> Drawing:
    """Aces and eights, arranged by the players' relations."""
    return puzzle("aces-and-eights").model, {"atoms": []}


@figure("common-knowledge.svg")
def common_knowledge() -> Drawing:
    """Why it is not common knowledge that b does not have 7: a path to a world where b has it."""
    model = puzzle("consecutive-numbers").model
    (actual,) = model.where("a_2 & b_3")
    return model.point(actual).generated(), {"explain": "C_{a,b} ~b_7"}


@figure("truth.svg")
def truth() -> Drawing:
    """The worlds where a formula is true are filled."""
    model = puzzle("three-wise-men").model
    return model, {"formula": "Kw_1 red_1 | Kw_2 red_2 | Kw_3 red_3"}


@figure("bisimulation.svg")
def bisimulation() -> Drawing:
    """Worlds of one colour are bisimilar."""
    arrows = [tuple(pair) for pair in ("uv", "uw", "vx", "wy", "xz", "yz", "zz")]
    model = KripkeModel("uvwxyz", {"a": arrows}, {"p": ["v", "w", "z"]}, "u")
    return model, {"fills": "bisimulation"}


@figure("layers.svg")
def layers() -> Drawing:
    """The professor: plausible worlds are at the bottom, and the actual one is least plausible."""
    return puzzle("professor").model, {}


@figure("secret.svg")
def secret() -> Drawing:
    """A secret: b has been told, and a believes that nothing happened."""
    model = KripkeModel.from_partitions(
        ["heads", "tails"],
        {"a": [["heads"], ["tails"]], "b": [["heads", "tails"]]},
        {"h": ["heads"]},
        designated="heads",
    )
    return model.update(private("b", "h")), {"edge_labels": True}


@figure("private.svg")
def private_announcement() -> Drawing:
    """A private announcement, which b does not notice. The result is no longer S5."""
    before = KripkeModel.from_partitions(
        ["w", "v"], {"a": [["w", "v"]], "b": [["w", "v"]]}, {"p": ["w"]}, ["w"]
    )
    return visualise.update_picture(before, private("a", "p")), {}


@figure("suspected.svg")
def suspected_announcement() -> Drawing:
    """b suspects that a has looked into the letter."""
    before = KripkeModel.from_partitions(
        ["w", "v"], {"a": [["w", "v"]], "b": [["w", "v"]]}, {"p": ["w"]}, ["w"]
    )
    return visualise.update_picture(before, suspected("a", "p"), edge_labels=True), {}


@figure("action.svg")
def action_model() -> Drawing:
    """An action model: a coin is turned or not. Each event has its precondition and effect below."""
    events = {"turn": Event("~secret", {"heads": "~heads"}), "leave": Event()}
    relations = {
        "a": [(e, e) for e in events],
        "b": [(e, f) for e in events for f in events],
    }
    return ActionModel(events, relations, ["turn"], name="coin"), {}


@figure("lie.svg")
def after_a_lie() -> Drawing:
    """After a lie, b has a false belief; arrows show that the relation is not an equivalence."""
    knows = KripkeModel.from_partitions(
        ["w", "v"], {"a": [["w"], ["v"]], "b": [["w", "v"]]}, {"p": ["w"]}, ["v"]
    )
    return History(knows).then(lie("a", "p")).model, {}


@figure("sally-anne.svg")
def sally_anne() -> Drawing:
    """Sally's false belief: the marble is in the box, but she thinks that this is impossible."""
    names = {True: "in the basket", False: "in the box"}
    model = puzzle("sally-anne").history().model
    where = {world: names["basket" in model.atoms_at(world)] for world in model.worlds}
    return model, {"names": where, "atoms": [], "edge_labels": True}


@figure("game.svg")
def game() -> Drawing:
    """Quantum Werewolf with four players after the first night; in filled worlds Bob is a wolf."""
    players = ["Alice", "Bob", "Craig", "David"]
    started = QuantumWerewolf(players, wolves=2, rules="straat", targets="public")
    night = started.vision("Alice", "Bob", result="wolf").attack("Alice", "Craig")
    key = "Alice, Bob, Craig, David: v villager, s seer, w wolf"
    options = {"names": lambda w: w.split(" ")[0], "atoms": [], "formula": "wolf_Bob"}
    return night.model(deaths_of=[]), {**options, "title": key}


@figure("classical.svg")
def classical() -> Drawing:
    """Ordinary Werewolf: 12 deals; players know their own role, and wolves know each other."""
    dealt = QuantumWerewolf(
        ["Alice", "Bob", "Craig", "David"],
        wolves=2,
        rules="straat",
        deal="classical",
        targets="public",
        rng=1,
    )
    key = "Alice, Bob, Craig, David: v villager, s seer, w wolf"
    return dealt.model(), {"atoms": [], "names": lambda w: w.split(" ")[0], "title": key}


@figure("heat-map.svg")
def heat_map() -> Drawing:
    """The table of a game of five players as a heat map."""
    table = replay(FIVE_PLAYERS).table()
    return lambda ax: visualise.heat_map(table, ax=ax), {"size": (5.0, 2.6)}


@figure("history.svg")
def history() -> Drawing:
    """The probability that each player is dead, after every step of a game; crosses mark deaths."""
    played = replay(FIVE_PLAYERS)
    return lambda ax: visualise.history(played, "dead", ax=ax), {"size": (7.0, 3.2)}


@figure("large.svg")
def large() -> Drawing:
    """A model of 840 worlds: each node represents all worlds that nobody can tell apart."""
    model = KripkeModel.from_observations(
        range(840),
        {"a": lambda w: w % 4, "b": lambda w: w % 3},
        lambda w: [f"divisible_{k}" for k in (2, 3, 5, 7, 11, 13) if w % k == 0],
    )
    return model, {}


def _after(start: dict[str, Any], *commands: dict[str, Any]) -> State:
    """Return the state of the explorer after some commands."""
    last = len(commands)
    return State(start, tuple(Edit(before, do) for before, do in enumerate(commands)), at=last, tip=last)


_CHILDREN = {"puzzle": "muddy-children", "n": 3}
_TWO_WORLDS = KripkeModel.from_partitions(
    ["w", "v"], {"a": [["w", "v"]], "b": [["w", "v"]]}, {"p": ["w"]}, ["w"]
)
_TOLD = {"command": "tell", "group": ["a"], "formula": "p"}
_STORIES: dict[str, State] = {
    "muddy-children.svg": State(_CHILDREN),
    "muddy-children.gif": State(_CHILDREN),
    "muddy-children.html": State(_CHILDREN),
    "four-children.svg": State({"puzzle": "muddy-children", "n": 4}),
    "hexa.svg": State({"puzzle": "hexa"}),
    "cheryl.svg": State({"puzzle": "cheryl"}),
    "aces-and-eights.svg": State({"puzzle": "aces-and-eights"}),
    "truth.svg": State({"puzzle": "three-wise-men"}, formula="Kw_1 red_1 | Kw_2 red_2 | Kw_3 red_3"),
    "father.svg": _after(_CHILDREN, {"command": "next"}),
    "nobody-knows.svg": _after(_CHILDREN, *3 * [{"command": "next"}]),
    "private.svg": _after({"model": _TWO_WORLDS.to_dict()}, {**_TOLD, "how": "tell"}),
    "suspected.svg": _after({"model": _TWO_WORLDS.to_dict()}, {**_TOLD, "how": "suspect"}),
}
"""The figures that show a puzzle, or what happened in a model, as the explorer has them."""


def explorer_links() -> dict[str, str]:
    """Return for each figure of a model or a story, by its file, the link that opens it in the explorer."""
    found = {file: link(state) for file, state in _STORIES.items()}
    for each in FIGURES:
        if each.file not in found:
            what, options = each.make()
            if isinstance(what, KripkeModel):
                formula = str(options.get("formula") or options.get("explain") or "")
                found[each.file] = link(State({"model": what.to_dict()}, formula=formula))
    return found


def draw(folder: Path, ending: str = "") -> list[Path]:
    """Draw all figures, or those with an ending, into a folder and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for each in FIGURES:
        if not each.file.endswith(ending):
            continue
        what, options = each.make()
        path = folder / each.file
        if callable(what):
            path.write_text(figure_svg(what, name=path.stem, **options) + "\n", encoding="utf-8")
        else:
            visualise.save(what, path, **options)
        paths.append(path)
    return paths


def script(each: Figure) -> str:
    """Return the function of a figure as a script that draws this figure and can be pasted."""
    source = textwrap.dedent(inspect.getsource(each.make).partition(f'"""{each.text}"""\n')[2])
    body = ast.parse(source := source.replace("FIVE_PLAYERS", '"examples/games/five_players.jsonl"'))

    def text(node: ast.AST) -> str:
        return ast.get_source_segment(source, node) or ""

    made = body.body.pop()
    assert isinstance(made, ast.Return)
    assert isinstance(made.value, ast.Tuple)
    drawn, options = made.value.elts
    before = "".join(source.splitlines(keepends=True)[: made.lineno - 1])
    if isinstance(drawn, ast.Lambda):
        last = f'axes = {text(drawn.body).replace(", ax=ax)", ")")}\naxes.figure.savefig("{each.file}")'
    else:
        assert isinstance(options, ast.Dict)
        arguments = [text(drawn), f'"{each.file}"']
        for key, value in zip(options.keys, options.values, strict=True):
            arguments.append(f"{ast.literal_eval(key)}={text(value)}" if key else f"**{text(value)}")
        last = f"visualise.save({', '.join(arguments)})"
        if len(last) > WIDTH:
            last = "\n".join(["visualise.save(", *(f"    {argument}," for argument in arguments), ")"])
    code = before + last
    used = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}
    return f"{imports(used)}\n\n{code}"


def imports(used: set[str]) -> str:
    """Return the imports of this file that bring some of these names."""
    found = []
    for node in ast.parse(Path(__file__).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names if alias.name in used]
            if names and isinstance(node, ast.Import):
                found.append(f"import {', '.join(names)}")
            elif names:
                found.append(f"from {node.module} import {', '.join(names)}")
    return "\n".join(found)


def page(folder: str) -> str:
    """Return the gallery as Markdown, for pictures in a folder beside it."""
    parts = [
        "# Gallery",
        "To draw a picture of your own, copy a script and change it. The file extension selects the format;\n"
        "`draw`, `heat_map` and the other plots draw on matplotlib axes with `ax=`. Run scripts that read\n"
        "`examples/games/five_players.jsonl` in the folder of this project. [Draw for LaTeX](latex.md) has\n"
        "more options, and `kripke-werewolf draw` does the same [on the command line](command-line.md#draw).",
    ]
    for each in FIGURES:
        shown = each.file.endswith((".svg", ".gif"))
        link = f"{folder}/{each.file}"
        name = Path(each.file).stem.replace("-", " ")  # the caption below the picture describes it
        picture, file = (f"![{name}]({link})\n\n", "") if shown else ("", f" ([{each.file}]({link}))")
        parts.append(f"{picture}{each.text}{file}\n\n```py\n{script(each)}\n```")
    return "\n\n".join(parts) + "\n"


def main() -> None:
    """Draw the gallery into docs/gallery, or into the folder named on the command line."""
    if len(sys.argv) > 1:
        paths = draw(Path(sys.argv[1]))
    else:
        docs = Path(__file__).resolve().parent.parent / "docs"
        paths = draw(docs / "gallery")
        (docs / "gallery.md").write_text(page("gallery"), encoding="utf-8")
    print(f"{len(paths)} pictures in {paths[0].parent}")


if __name__ == "__main__":
    main()
