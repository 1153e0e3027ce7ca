"""`visualise.read` gives the model of a picture back, and never as it was if the picture was changed."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import visualise
from kripke_werewolf import History, KripkeModel, private, public
from kripke_werewolf.errors import FormatError
from kripke_werewolf.puzzles import puzzle
from tests.visualise.reader import model_of, read_dot, read_html, read_svg, read_tikz, same

READERS = {".svg": read_svg, ".tex": read_tikz, ".dot": read_dot, ".html": read_html}
FORMATS = "svg", "tex", "dot", "html"
NAMES = [
    "w", "世界", "a b", "it's", '"q"', "«x»", "é", "7", "0", "w_1", "x,y", "p and q", "α", "A", "Α", "\\n",
    "%", "{z}", "$", "#1", "<b>", "a long name of a world, number 1", "a long name of a world, number 2",
    "a.b", "+3", "x: 3", "“q”", "日本",
]  # fmt: skip
AGENTS = ["a", "Ann", "b c", "世", 'q"x', "1", "Bob and Cy"]
ATOMS = ["p", "q_1", "rain_today", "m_Ann", "x y", "ψ", "10"]


def random_model(rng: random.Random) -> KripkeModel:
    """Return a model of S5, K, KD45, with unreachable worlds, weights and unkind names."""
    worlds: list[Any] = rng.sample(NAMES, rng.randrange(1, 8))
    if rng.random() < 0.2:
        worlds = [(world, number % 2) for number, world in enumerate(worlds)]

    def relation() -> list[tuple[Any, Any]]:
        kind = rng.choice(["S5", "K", "KD45"])
        if kind == "K":
            return [(u, v) for u in worlds for v in worlds if rng.random() < 0.25]
        lots: dict[int, list[Any]] = {}
        for world in worlds:
            lots.setdefault(rng.randrange(3), []).append(world)
        seen = {
            k: lot if kind == "S5" else rng.sample(lot, rng.randrange(1, len(lot) + 1))
            for k, lot in lots.items()
        }
        return [(u, v) for k, lot in lots.items() for u in lot for v in seen[k]]

    agents = rng.sample(AGENTS, rng.randrange(1, 4))
    return KripkeModel(
        worlds,
        {agent: relation() for agent in agents},
        {p: [w for w in worlds if rng.random() < 0.4] for p in rng.sample(ATOMS, rng.randrange(4))},
        rng.sample(worlds, rng.randrange(1, min(len(worlds), 3) + 1)),
        weights={a: {w: rng.randrange(1, 5) for w in worlds} for a in agents if rng.random() < 0.2},
    )


def coin() -> KripkeModel:
    """Return a coin after a secret look: three worlds, belief, one of them actual."""
    model = KripkeModel.from_partitions(
        ["heads", "tails"], {"a": [["heads", "tails"]], "b": [["heads", "tails"]]}, {"h": ["heads"]}, "heads"
    )
    return model.update(private("a", "h"))


def saved(model: Any, path: Path, **options: Any) -> str:
    return visualise.save(model, path, **options).read_text(encoding="utf-8")


def reread(text: str, path: Path) -> KripkeModel:
    path.write_text(text, encoding="utf-8")
    return visualise.read(path)


def changed(text: str, path: Path, before: KripkeModel) -> KripkeModel | None:
    """Return the model of a picture that was changed, or None if it is refused.

    It is as it was before only if a slow reader sees the same, as when an agent without lines is not in the
    legend.
    """
    try:
        again = reread(text, path)
    except FormatError as error:
        if "the picture " not in str(error):
            raise
        return None
    assert again != before or same(model_of(READERS[path.suffix](text)), before), text
    return again


@cache
def drawn(seed: int) -> list[tuple[KripkeModel, dict[str, Any]]]:
    """Return three models with options of their pictures, among them the places of the worlds there."""
    rng, found = random.Random(seed), []
    for _ in range(3):
        model = random_model(rng)
        options: Any = {
            "edges": rng.choice(["spanning", "full", "hulls"]),
            "theme": rng.choice(["light", "dark", "print"]),
            "edge_labels": rng.random() < 0.5,
        }
        found.append((model, options | {"pos": visualise.picture(model, **options).positions}))
    return found


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("seed", range(8))
def test_a_picture_gives_its_model_back(seed: int, ending: str, tmp_path: Path) -> None:
    for model, options in drawn(seed):
        given = {name: value for name, value in options.items() if ending != "html" or name != "edge_labels"}
        again = visualise.read(visualise.save(model, tmp_path / f"m.{ending}", **given))
        assert again == model
        assert again.worlds == model.worlds


def test_a_model_file_is_read_as_well(tmp_path: Path) -> None:
    coin().save(tmp_path / "m.json")
    assert visualise.read(tmp_path / "m.json") == coin()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("npx") is None, reason="svgo runs on node")
def test_svg_is_read_after_an_optimiser(tmp_path: Path) -> None:
    rng, models = random.Random(5), {}
    for number in range(10):
        models[number] = random_model(rng)
        options: Any = {"edges": rng.choice(["spanning", "hulls"]), "edge_labels": number % 2 == 0}
        visualise.save(models[number], tmp_path / f"{number}.svg", **options)
    command = ["npx", "--no-install", "svgo", "--multipass", "--precision", "1", "-f", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "missing packages" in done.stderr:
        pytest.skip("svgo is not installed")
    assert done.returncode == 0, done.stderr
    for number, model in models.items():
        assert "\n<g" not in (tmp_path / f"{number}.svg").read_text(encoding="utf-8")
        assert visualise.read(tmp_path / f"{number}.svg") == model


@pytest.mark.parametrize("seed", range(6))
def test_outlines_may_be_one_path(seed: int, tmp_path: Path) -> None:
    """As an optimiser writes those that look the same."""
    rng = random.Random(seed)
    worlds = [f"w{k}" for k in range(rng.randrange(4, 9))]
    order = rng.sample(worlds, len(worlds))
    cells = [order[:2], order[2:4], order[4:]]
    model = KripkeModel.from_partitions(worlds, {"a": [*filter(None, cells)]}, {"p": worlds[:2]}, worlds[0])
    text = saved(model, tmp_path / "m.svg", edges="hulls")
    hulls = re.findall('<g class="hull".*?</g>', text, re.DOTALL)
    path = "".join(re.sub('.*points="(.*?)".*', r"M\1z", hull, flags=re.DOTALL) for hull in hulls)
    one = re.sub('<polygon points=".*?"', f'<path d="{path}"', hulls[0])
    for hull in hulls:
        text = text.replace(hull, one if hull == hulls[0] else "")
    assert len(hulls) > 1
    assert reread(text, tmp_path / "one.svg") == model


def test_an_arrow_may_end_far_from_the_corners_of_an_outline(tmp_path: Path) -> None:
    model = random_model(random.Random(10_570))
    assert visualise.read(visualise.save(model, tmp_path / "m.svg", edges="hulls", theme="print")) == model


def test_worlds_may_be_moved(tmp_path: Path) -> None:
    path = tmp_path / "m.svg"
    text = saved(coin(), path, edge_labels=True)
    moved = text.replace(
        '<g class="world" data-w="0"', '<g transform="translate(500,30)"><g class="world" data-w="0"'
    )
    start, found, end = moved.partition('data-w="0"')
    moved = start + found + end.replace("</g>", "</g></g>", 1)
    assert moved != text
    assert reread(moved, path) == coin()
    tikz = saved(coin(), tmp_path / "m.tex")
    further = re.sub(r"\(w0\) at \([^)]*\)", "(w0) at (9,9)", tikz)
    assert further != tikz
    assert reread(further, tmp_path / "m.tex") == coin()


def without_first(pattern: str) -> Callable[[str], str]:
    return lambda text: re.sub(pattern, "", text, count=1, flags=re.DOTALL)


@pytest.mark.parametrize(
    ("ending", "change"),
    [
        ("svg", lambda text: text.replace(">heads told<", ">mine<")),
        ("tex", lambda text: text.replace("{heads told}", "{mine}")),
        ("dot", lambda text: text.replace('"heads told"', '"mine"')),
        ("svg", lambda text: text.replace("Loops of a are left out.", "")),
        ("svg", lambda text: text.replace('stroke="#D55E00"', 'stroke="#0072B2"', 1)),
        ("svg", without_first(r'<g class="edge".*?</g>\n')),
        ("svg", without_first(r"<polygon[^>]*>\n")),
        ("svg", without_first(r'<tspan font-style="italic">h</tspan>|<text [^>]*>h</text>')),
        ("tex", without_first(r"  \\draw \(w\d\) edge[^\n]*\n")),
        ("dot", without_first(r"  w\d -> w\d [^\n]*\n")),
        ("dot", lambda text: text.replace('peripheries="2"', 'peripheries="1"')),
        ("html", without_first(r'<g class="edge".*?</g>\n')),
    ],
)
def test_a_changed_picture_is_not_read_as_it_was(
    ending: str, change: Callable[[str], str], tmp_path: Path
) -> None:
    path = tmp_path / f"m.{ending}"
    text = saved(coin(), path)
    other = change(text)
    assert other != text
    assert changed(other, path, coin()) is None or ending != "html"


@pytest.mark.parametrize("seed", range(3))
def test_an_svg_without_one_of_its_parts_is_not_read_as_it_was(seed: int, tmp_path: Path) -> None:
    """Only grounds and the heads of samples may go; and no part that is missing makes it stumble."""
    rng = random.Random(seed)
    options: Any = {"edges": rng.choice(["spanning", "hulls"]), "edge_labels": seed == 1}
    model, path = random_model(rng), tmp_path / "m.svg"
    root = ElementTree.fromstring(visualise.svg(model, **options))
    for parent in list(root.iter()):
        for place, part in enumerate(list(parent)):
            kind = part.tag.rpartition("}")[2]
            if kind in ("title", "desc") or (kind == "rect" and "stroke" not in part.attrib):
                continue
            if kind in ("path", "polygon") and parent.get("class") is None:
                continue
            parent.remove(part)
            changed(ElementTree.tostring(root, encoding="unicode"), path, model)
            parent.insert(place, part)
            for key in [key for key in part.attrib if key.startswith("data-") and key != "data-at"]:
                value = part.attrib.pop(key)
                changed(ElementTree.tostring(root, encoding="unicode"), path, model)
                part.set(key, value)


@pytest.mark.parametrize("look", ["display:none", "visibility:hidden"])
def test_a_hidden_line_is_a_change(look: str, tmp_path: Path) -> None:
    text = visualise.svg(coin()).replace('<g class="edge"', f'<g class="edge" style="{look}"', 1)
    changed(text, tmp_path / "m.svg", coin())


@pytest.mark.parametrize("kind", ["label", "edge", "world", "sample"])
@pytest.mark.parametrize("labels", [True, False])
def test_what_was_dragged_away_is_a_change(labels: bool, kind: str, tmp_path: Path) -> None:
    """Not a whole world: its lines are read where it was. Words that leave their world or line are."""
    path = tmp_path / "m.svg"
    root = ElementTree.fromstring(saved(coin(), path, edge_labels=labels))
    parts = [part for part in root if part.get("class") == kind]
    dragged = parts if kind == "edge" else [text for p in parts for text in p if text.tag.endswith("text")]
    assert bool(dragged) == (labels or kind != "label") or kind == "sample"
    for part in dragged:
        part.set("transform", "translate(70,-80)")
        with pytest.raises(FormatError, match="was changed"):
            reread(ElementTree.tostring(root, encoding="unicode"), path)
        del part.attrib["transform"]
    assert reread(ElementTree.tostring(root, encoding="unicode"), path) == coin()


def test_numbers_of_a_translation_need_no_blank(tmp_path: Path) -> None:
    text = visualise.svg(coin()).replace('<g class="edge"', '<g transform="translate(.5.5)" class="edge"', 1)
    assert reread(text, tmp_path / "m.svg") == coin()


@pytest.mark.parametrize(
    ("ending", "before", "added"),
    [
        ("svg", "</svg>", '<line x1="0" y1="0" x2="90" y2="90" stroke="black"/>'),
        ("svg", "</svg>", '<g><path d="M0 0L90 90" style="fill:none;stroke:#000"/></g>'),
        ("tex", r"\end{tikzpicture}", r"\draw[thick,->] (w0) -- (w2);"),
        ("tex", r"\end{tikzpicture}", r"{\draw (w0) edge (w2);}"),
        ("dot", "}", "w0 -> w2"),
        ("dot", "}", "w3;"),
        ("dot", "}", "{w0; w2} -> w1;"),
    ],
)
def test_a_line_drawn_by_hand_is_a_change(ending: str, before: str, added: str, tmp_path: Path) -> None:
    path = tmp_path / f"m.{ending}"
    head, found, tail = saved(coin(), path).rpartition(before)
    with_it = f"{head}{added}\n{found}{tail}"
    if added == "w3;":
        again = reread(with_it, path)
        assert again.worlds == (*coin().worlds, "w3")
        assert again.successors("a", "w3") == {"w3"}
        return
    with pytest.raises(FormatError):
        reread(with_it, path)


@pytest.mark.parametrize("seed", range(3))
def test_dot_may_be_written_on_one_line_or_many(seed: int, tmp_path: Path) -> None:
    """Graphviz folds long strings, writes plain names without quotes, and moves nodes to their lines."""
    rng = random.Random(seed)
    for model in (random_model(rng) for _ in range(3)):
        head, *lines, end = saved(model, tmp_path / "m.dot").splitlines()
        folded = [line.replace(', comment="{', ',\n\t\tcomment="{\\\n') for line in lines]
        bare = [re.sub(r'="([A-Za-z]+|[0-9.]+)"', r"=\1", line) for line in folded[1:]]
        for body in ("".join([head, *map(str.strip, lines), end]), "\n".join([head, folded[0], *bare, end])):
            assert reread(body, tmp_path / "m.dot") == model
        if shutil.which("dot"):
            command = ["dot", "-Tdot", "-O", str(tmp_path / "m.dot")]
            subprocess.run(command, check=True, capture_output=True)
            assert visualise.read(tmp_path / "m.dot.dot") == model


def test_a_line_moved_to_another_world_is_a_change(tmp_path: Path) -> None:
    model = KripkeModel("uvw", {"a": [("u", "v")]}, {}, ["u"])
    path, places = tmp_path / "m.svg", {"u": (0, 0), "v": (200, 0), "w": (400, 0)}
    text = saved(model, path, pos=places)
    group = re.search(r'<g class="edge".*?</g>', text, re.DOTALL)
    assert group
    shifted = (
        group[0]
        .replace("<path", '<path transform="translate(200)"')
        .replace("<polygon", '<polygon transform="translate(200)"')
    )
    again = reread(text.replace(group[0], shifted), path)
    assert again == KripkeModel("uvw", {"a": [("v", "w")]}, {}, ["u"])


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"atoms": []}, "atoms are not shown"),
        ({"agents": "a"}, "agents are not shown"),
        ({"caption": "mine"}, "caption"),
        ({"names": {("heads", "told"): "x"}}, "other names"),
        ({"legend": False, "edge_labels": False}, "legend"),
    ],
)
@pytest.mark.parametrize("ending", ["svg", "tex", "dot"])
def test_what_a_picture_hides_is_not_in_its_file(
    ending: str, options: Any, reason: str, tmp_path: Path
) -> None:
    path = tmp_path / f"m.{ending}"
    assert "valuation" not in saved(coin(), path, **options)
    with pytest.raises(FormatError, match=reason):
        visualise.read(path)


def why_refused(tmp_path: Path, name: str, text: str) -> str:
    """Return why a picture is not read."""
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        visualise.read(tmp_path / name)
    return str(caught.value)


def test_what_is_no_picture_of_a_model_says_why(tmp_path: Path) -> None:
    def refused(name: str, text: str) -> str:
        return why_refused(tmp_path, name, text)

    assert "its extension must be one of .svg, .tex" in refused("m.png", "")
    assert "no record" in refused("m.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>')
    assert "not SVG" in refused("m.svg", "<svg")
    assert "no picture" in refused("m.tex", "words")
    assert "not a page" in refused("m.html", "<p>")
    large = visualise.svg(puzzle("sum-and-product").model)
    assert "2,352 worlds" in refused("m.svg", large)
    assert "more, or something else" in refused("m.svg", visualise.svg(public("p")))
    damaged = visualise.svg(coin()).replace('data-model="{', 'data-model="', 1)
    assert "the record of the model" in refused("m.svg", damaged)


def test_a_page_of_several_steps_asks_for_one(tmp_path: Path) -> None:
    history = History(coin()).then(public("h"))
    path = visualise.save(history, tmp_path / "m.html")
    with pytest.raises(FormatError, match="2 pictures; choose one with step=0 to 1"):
        visualise.read(path)
    assert visualise.read(path, step=0) == coin()
    assert visualise.read(path, step=1) == history.model
    slides = visualise.save(history, tmp_path / "m.tex", frames=True)
    assert visualise.read(slides, step=1) == history.model


def test_records_are_data() -> None:
    record = json.loads(re.search('data-model="([^"]*)"', visualise.svg(coin()))[1].replace("&quot;", '"'))  # type: ignore[index]
    assert KripkeModel.from_dict(record["model"]) == coin()
