"""Themes, colours, sizes and fonts: in every format, and errors."""

import re
import shutil
import subprocess
import warnings
from collections.abc import Callable
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import visualise
from kripke_werewolf import FormatError, KripkeModel, ModelError, UnknownAgentError, UnknownNameError, parse
from kripke_werewolf.logic.puzzles import puzzle
from tests.visualise.sheet import belief, classes
from tests.visualise.sheet import product as sheet_product
from visualise.geometry import sampled
from visualise.layout import _centred, reach
from visualise.measures import measured
from visualise.picture import Options
from visualise.themes import THEMES

GREEK = "αβγδεζηθικλμνξοπρσςτυφχψωΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩϑϕϵϱ"


def two(worlds: str = "wv", atom: str = "p") -> KripkeModel:
    first, second = worlds
    cells = {"a": [[first, second]], "b": [[first], [second]], "c": [[first, second]]}
    return KripkeModel.from_partitions([first, second], cells, {atom: [first]}, first)


def colours(text: str) -> set[str]:
    return set(re.findall(r"#[0-9A-F]{6}", text))


def png(model: Any, path: Path, **options: Any) -> Image.Image:
    return Image.open(BytesIO(visualise.save(model, path / "x.png", **options).read_bytes())).convert("RGB")


@pytest.mark.parametrize("theme", THEMES)
def test_a_theme_colours_all_formats(theme: str, tmp_path: Path) -> None:
    options: Options = {"theme": theme, "formula": "p", "explain": "K_a p"}  # type: ignore[typeddict-item]
    paper = THEMES[theme].paper
    assert png(two(), tmp_path, **options).getpixel((1, 1)) == tuple(bytes.fromhex(paper[1:]))
    svg, dot, tikz = (write(two(), **options) for write in (visualise.svg, visualise.dot, visualise.tikz))
    assert f'height="{re.search(r"viewBox=.0 0 [0-9.]+ ([0-9.]+)", svg)[1]}" fill="{paper}"' in svg  # type: ignore[index]
    assert paper in dot
    rgb = "red,{};green,{};blue,{}".format(*bytes.fromhex(paper[1:]))
    assert (rgb in tikz) == (theme != "light")


def test_themes_share_no_colour_but_those_meant() -> None:
    light, dark = (colours(visualise.svg(two(), theme=name, formula="p")) for name in ("light", "dark"))
    assert not light & dark
    greys = colours(visualise.svg(two(), theme="print", formula="p"))
    assert all(len({colour[1:3], colour[3:5], colour[5:]}) == 1 for colour in greys)


def test_fills_differ_in_print() -> None:
    worlds = range(12)
    model = KripkeModel(worlds, {}, {f"p_{k}": [2 * k, 2 * k + 1] for k in range(6)})
    nodes = visualise.svg(model, fills="bisimulation", theme="print", limit=20)
    faces = re.findall(r'class="face" fill="(#\w+)"', nodes)
    assert len(faces) == 12
    assert len(set(faces)) == 6


def test_contrast_of_texts_and_lines() -> None:
    def light(colour: str) -> float:
        parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    def contrast(one: str, other: str) -> float:
        low, high = sorted((light(one), light(other)))
        return (high + 0.05) / (low + 0.05)

    for name in ("dark", "print"):
        theme = THEMES[name]
        assert contrast(theme.ink, theme.paper) > 12
        for colour in ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"):
            assert contrast(theme.line(colour), theme.paper) > 3
        for fill in theme.fills(["#BFE0F5", "#BFDDF2", "#F9D3B4"]).values():
            assert fill in theme.instead.values() or contrast(theme.ink, fill) > 4.5


def test_colours_of_agents() -> None:
    drawn = visualise.svg(two(), colors={"a": "tomato", "c": "#0a0"})
    assert {"#FF6347", "#00AA00"} <= colours(drawn)
    assert "#0072B2" not in drawn
    page = visualise.html(two(), colors={"a": "tomato"})
    assert '"name":"a","colour":"#FF6347"' in page


def test_width_and_size_of_names(tmp_path: Path) -> None:
    dots = round(8 / 2.54 * 300)
    assert abs(png(two(), tmp_path, width=8, dpi=300).width - dots) <= 1
    assert f'width="{8 / 2.54 * 72:.2f}"' in visualise.svg(two(), width=8)
    assert "every node/.append style={scale=2.000}" in visualise.tikz(two(), font_size=22)
    assert 'size="' in visualise.dot(two(), width=8)
    gif = Image.open(visualise.save(puzzle("hexa"), tmp_path / "x.gif", width=8, dpi=100))
    assert abs(gif.width - 8 / 2.54 * 100) <= 1


@pytest.mark.parametrize("name", ["muddy-children", "cheryl", "russian-cards", "three-wise-men", "hexa"])
@pytest.mark.parametrize("width", ["6cm", "8cm", "column"])
def test_a_picture_for_print_is_legible_or_says_how_wide_it_must_be(name: str, width: str) -> None:
    model = puzzle(name).model
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        scene = visualise.picture(model, width=width)
    wide = 8.4 if width == "column" else float(width.removesuffix("cm"))
    assert scene.scale * scene.box.width == pytest.approx(wide / 2.54 * 72)
    smallest = scene.scale * min(label.size for node in scene.nodes for label in (*node.labels, *node.lines))
    assert (smallest >= 6.95) == (not caught)
    assert measured(scene).faults == 0
    for warning in caught:
        told = re.search(r"cannot be read below a width of ([\d.]+) cm", str(warning.message))
        assert told
        assert 7 <= smallest * float(told[1]) / wide < 7.2


KINDS: dict[str, Callable[[int], KripkeModel]] = {
    "belief": lambda seed: belief(seed, 4 + seed % 8, "abcd"[: 1 + seed % 4]),
    "classes": lambda seed: classes(seed, 5 + seed % 10, "abcd"[: 2 + seed % 3]),
    "products": lambda seed: sheet_product(seed, "abc"[: 2 + seed % 2], 2),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", [None, "8cm"])
def test_no_text_is_crossed_by_a_line_or_by_another_text(kind: str, width: str | None) -> None:
    """Not even by an outline: places on all of them are outside all boxes of texts beside worlds."""
    for seed in range(300, 312):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            scene = visualise.picture(KINDS[kind](seed), width=width)
        boxes = [label.box for node in scene.nodes for label in node.lines]
        drawn = [sampled(edge.curve, 150) for edge in scene.edges]
        for hull in scene.hulls:
            sides = zip(hull.outline, (*hull.outline[1:], hull.outline[0]), strict=True)
            drawn += [sampled(side, 40) for side in sides]
        for number, box in enumerate(boxes):
            assert not any(map(box.overlaps, boxes[number + 1 :])), seed
            left, bottom, right, top = box
            assert not any(left < x < right and bottom < y < top for way in drawn for x, y in way), seed


@pytest.mark.slow
def test_eight_centimetres_are_enough_for_most_pictures() -> None:
    small = 0
    for kind, seed in product(KINDS, range(320, 330)):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            scene = visualise.picture(KINDS[kind](seed), width="8cm")
        assert measured(scene).faults == 0, (kind, seed)
        assert scene.box.height <= 3 * scene.box.width
        small += len(caught)
    assert small <= 3


def test_all_formats_of_a_figure_share_one_layout() -> None:
    for seed in range(340, 352):
        model = belief(seed, 4 + seed % 8, "abc"[: 1 + seed % 3])
        plain, named = (visualise.picture(model, edge_labels=labels) for labels in (False, True))
        assert {hull.members for hull in plain.hulls} == {hull.members for hull in named.hulls}
        xs, ys = ([node.position for node in scene.nodes] for scene in (plain, named))
        factor = reach(ys) / (reach(xs) or 1)
        for p, q in zip(_centred(xs), _centred(ys), strict=True):
            assert q == pytest.approx((factor * p.x, factor * p.y), abs=1e-6), seed


@pytest.mark.parametrize("sign", [" ", "_"])
def test_a_long_name_is_written_in_two_lines(sign: str) -> None:
    name = sign.join(["the", "neighbour", "has", "the", "spare", "key"])
    model = KripkeModel.from_partitions([name, "v"], {"a": [[name, "v"]]}, {"p": [name]}, name)
    for width in (None, "8cm"):
        first, _ = visualise.picture(model, width=width).nodes
        lines = ["".join(run.text for run in label.text) for label in first.labels]
        assert len(lines) == 2
        assert "".join(lines).replace(" ", "") == name.replace(" ", "")
        assert all(
            first.box.left <= label.box.left < label.box.right <= first.box.right for label in first.labels
        )


@pytest.mark.slow
@pytest.mark.parametrize("dimensions", [4, 5])
def test_texts_give_way_to_lines(dimensions: int) -> None:
    atoms = [f"the_child_number_{k}_is_muddy" for k in range(dimensions)]
    worlds = ["".join(bits) for bits in product("01", repeat=dimensions)]
    model = KripkeModel.from_partitions(
        worlds,
        {str(k): [[w, f"{w[:k]}1{w[k + 1 :]}"] for w in worlds if w[k] == "0"] for k in range(dimensions)},
        {atom: [w for w in worlds if w[k] == "1"] for k, atom in enumerate(atoms)},
    )
    scene = visualise.picture(model)
    assert len(scene.nodes) == len(worlds)
    assert measured(scene).struck == 0
    said = " ".join(run.text for line in scene.notes for run in line.text)
    counted = any(run.text.startswith("+") for node in scene.nodes for text in node.texts for run in text)
    assert counted == ("+k: k more atoms" in said)


def test_atoms_that_repeat_names_are_left_out_for_print() -> None:
    model = puzzle("muddy-children", n=4).model
    scene = visualise.picture(model, width="8cm")
    assert not any(node.lines for node in scene.nodes)
    said = " ".join(run.text for line in scene.notes for run in line.text)
    assert "The name of a world says which atoms are true there." in said
    assert not any(word in said for word in ("false everywhere", "not shown"))


def test_the_lines_of_all_agents_drawn_can_be_told_apart() -> None:
    agents = [f"agent {k}" for k in range(60)]
    model = KripkeModel.from_partitions("uvw", {agent: ["uv", "w"] for agent in agents}, {})
    scene = visualise.picture(model)
    assert scene.agents == tuple(agents[:42])
    looks = {(entry.pen.colour, entry.pen.dashes) for entry in scene.legend if entry.pen}
    assert len(looks) == 42
    said = " ".join(run.text for line in scene.notes for run in line.text)
    assert "18 more agents are not drawn: there are too many lines to tell apart." in said
    some = visualise.picture(model, agents=["agent 50", "agent 8"])
    assert len({entry.pen for entry in some.legend}) == 2
    with pytest.raises(ModelError, match="60 agents cannot be told apart; name at most 42"):
        visualise.svg(model, agents=agents)
    assert visualise.picture(model, agents=agents, edge_labels=True).agents == tuple(agents)
    page = visualise.html(model)
    assert len(set(re.findall(r'"colour":"(#\w+)","dashes":"([^"]*)"', page))) == 42


def test_the_ends_of_wide_worlds_follow_the_size() -> None:
    model = KripkeModel(["a wide name", "v"], {}, {})
    corners = [
        float(re.search(r"rounded corners=([\d.]+)bp", visualise.tikz(model, font_size=size))[1])  # type: ignore[index]
        for size in (11, 5.5)
    ]
    assert corners == [15, 7.5]


def test_bad_looks_name_the_allowed_ones() -> None:
    refused: list[tuple[Any, type[Exception], str]] = [
        ({"theme": "drak"}, UnknownNameError, "did you mean 'dark'"),
        ({"colors": {"x": "red"}}, UnknownAgentError, "'x'"),
        ({"colors": {"a": "rde"}}, ModelError, r"colors\['a'\] must be a colour.*'rde'"),
        ({"width": 0}, ModelError, "from 1 to 500, got 0"),
        ({"width": "8 miles"}, ModelError, "a length like '8cm' or 'column', from 1 to 500, got '8 miles'"),
        ({"font_size": float("nan")}, ModelError, "points from 2 to 200"),
        ({"width": 8, "font_size": 9}, ModelError, "not both"),
        ({"themes": "dark"}, UnknownNameError, "did you mean 'theme'"),
    ]
    for options, error, said in refused:
        with pytest.raises(error, match=said):
            visualise.svg(two(), **options)


def test_options_of_other_formats_are_refused(tmp_path: Path) -> None:
    refused: list[tuple[str, Any, type[Exception], str]] = [
        (".svg", {"dpi": 300}, FormatError, "dpi is for .png and .gif, and not for .svg"),
        (".png", {"dpi": 0}, ModelError, "dots to an inch from 10 to 2400, got 0"),
        (".png", {"document": True}, FormatError, "document is for .tex, and not for .png"),
    ]
    for ending, options, error, said in refused:
        with pytest.raises(error, match=said):
            visualise.save(two(), tmp_path / f"x{ending}", **options)
    assert not list(tmp_path.iterdir())


def test_greek_letters_in_tikz() -> None:
    snippet = visualise.tikz(two("αψ", "φ_β"))
    assert r"{$\alpha$}" in snippet
    assert r"\varphi_{\beta}" in snippet
    lines = visualise.tikz(two(), title=GREEK).splitlines()
    assert all(line.isascii() for line in lines if not line.startswith("%"))


def test_indices_of_numbers() -> None:
    assert parse("0_a & 1_{Ann}").latex() == r"0_{a} \wedge 1_{Ann}"
    assert parse(parse("0_a & 12_b").latex()) == parse("0_a & 12_b")
    assert "$0_{a}$" in visualise.tikz(two(atom="0_a"))
    assert 'font-style="italic">0' not in visualise.svg(two(atom="0_a"))


def test_letters_of_other_scripts_find_a_font(tmp_path: Path) -> None:
    from visualise.matplotlib_output import _families, _family_with

    assert _families("abc") == ["DejaVu Sans"]
    found = _family_with("世")
    assert found != "DejaVu Sans"
    if found is None:
        pytest.skip("no font with Chinese characters is installed")
    assert _families("a世b") == ["DejaVu Sans", found]
    one, other = (png(two(worlds), tmp_path) for worlds in ("世v", "界v"))
    assert one != other  # boxes would be alike


def _complete(engine: str) -> bool:
    """Return whether an engine is installed; LuaLaTeX comes apart from its loader of fonts, and these."""
    if engine != "lualatex" or not shutil.which(engine):
        return bool(shutil.which(engine))
    files = ("luaotfload-main.lua", "lmroman10-regular.otf")
    found = (subprocess.run(["kpsewhich", file], capture_output=True, check=False) for file in files)
    return all(search.returncode == 0 for search in found)


@pytest.mark.parametrize("engine", ["pdflatex", "lualatex"])
def test_documents_compile(engine: str, tmp_path: Path) -> None:
    if not _complete(engine):
        pytest.skip(f"no {engine} with the fonts that it loads by itself")
    visualise.save(two("α世"), tmp_path / "one.tex", document=True, theme="dark", title=f"{GREEK} Ж", width=6)
    visualise.save(puzzle("hexa"), tmp_path / "two.tex", document=True, theme="print")
    for name in ("one.tex", "two.tex"):
        done = subprocess.run(
            [engine, "-interaction=nonstopmode", "-halt-on-error", name],
            cwd=tmp_path, capture_output=True, text=True, timeout=280, check=False, errors="replace",
        )  # fmt: skip
        assert done.returncode == 0, done.stdout[-2000:]


def test_at_the_width_that_is_told_letters_can_be_read() -> None:
    model = puzzle("muddy-children", n=5).model
    with pytest.warns(UserWarning, match="cannot be read below a width of") as told:
        visualise.svg(model, width=8)
    (wide,) = re.findall(r"below a width of ([\d.]+) cm", str(told[0].message))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        text = visualise.svg(model, width=float(wide) + 0.1)
    scale = (float(wide) + 0.1) / 2.54 * 72 / float(re.search(r'viewBox="0 0 ([\d.]+)', text)[1])  # type: ignore[index]
    sizes = [float(size) for size in re.findall(r'<text[^>]*font-size="([\d.]+)"', text)]
    assert min(sizes) * scale >= 6.95
