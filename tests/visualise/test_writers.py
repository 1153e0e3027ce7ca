"""SVG, TikZ, DOT, matplotlib and files."""

import random
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import matplotlib as mpl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import pyplot as plt

import visualise
from kripke_werewolf import FormatError, KripkeModel, private
from kripke_werewolf.logic.puzzles import puzzle
from tests.running import run_python
from tests.visualise.golden import FOLDER, WRITERS, drawings, hostile, two_worlds, written

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def no_figures_left() -> Iterator[None]:
    yield
    plt.close("all")


@pytest.mark.parametrize("ending", WRITERS)
def test_golden_texts(ending: str) -> None:
    for name in drawings():
        assert written(name, ending) == (FOLDER / f"{name}.{ending}").read_text(encoding="utf-8")


def test_hostile_names_stay_text_in_svg() -> None:
    root = ElementTree.fromstring(visualise.svg(hostile()))
    written = ["".join(node.itertext()) for node in root.iter(f"{SVG}text")]
    assert set(map(str, hostile().worlds)) | set(hostile().agents) <= set(written)
    assert {node.tag.removeprefix(SVG) for node in root.iter()} <= {
        *("svg", "title", "desc", "rect", "g", "path", "polygon", "circle", "text", "tspan"),
    }


@pytest.mark.parametrize("ending", ["png", "pdf", "svg", "tex", "dot", "html", "gif"])
def test_names_without_meaning_are_drawn(ending: str, tmp_path: Path) -> None:
    model = KripkeModel.from_partitions(
        ["a\x00b", "c\ud800", "d\ne\tf", "", "g"],
        {"x\ud800": [["a\x00b", "c\ud800"], ["d\ne\tf", ""], ["g"]]},
        {"p": [""]},
    )
    written = visualise.save(model, tmp_path / f"m.{ending}", title="two\nlines \ud800").read_bytes()
    if ending in ("svg", "tex", "dot"):
        text = written.decode()
        assert "d e f" in text
        assert "c\ufffd" in text or ending == "tex"
        assert "\x00" not in text


def compiled(text: str, folder: Path) -> str:
    (folder / "m.tex").write_text(text, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "m.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout[-1500:]
    return done.stdout


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no pdflatex here")
def test_tikz_compiles_with_the_scripts_of_the_world(tmp_path: Path) -> None:
    names = ["Łódź, Žižek, Ærø", "ąđþ «x»", "世界", "Ёж 🐺"]
    model = KripkeModel.from_partitions(
        names, {"Zoë": [names[:2], names[2:]], "Ёж": [names]}, {"世": names[:1]}
    )
    compiled(visualise.tikz(model, document=True), tmp_path)
    assert "LuaLaTeX or XeLaTeX, and a font with these characters: « » þ ą đ Ё ж 世 界" in visualise.tikz(
        model
    )
    assert "XeLaTeX" not in visualise.tikz(two_worlds())


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no pdflatex here")
@pytest.mark.parametrize("name", drawings())
@pytest.mark.parametrize("labels", [True, False])
def test_tikz_compiles(name: str, labels: bool, tmp_path: Path) -> None:
    what, options = drawings()[name]
    said = compiled(visualise.tikz(what, document=True, **{**options, "edge_labels": labels}), tmp_path)
    assert "Overfull" not in said
    assert "1 page" in said


def test_tikz_snippet_has_the_usual_style_names() -> None:
    text = visualise.tikz(two_worlds().update(private("a", "p")), edges="full")
    assert r"\documentclass" not in text
    for style in ("modal", "world", "designated", "reflexive left"):
        assert f"{style}/.style=" in text
    assert "point/.style=" not in text  # only what is used
    assert "point/.style=" in visualise.tikz(two_worlds(), names=lambda w: "")


needs_graphviz = pytest.mark.skipif(shutil.which("dot") is None, reason="there is no Graphviz here")


def run_dot(text: str) -> None:
    """Check that Graphviz draws a file without a complaint."""
    done = subprocess.run(["dot", "-Tpng"], input=text.encode(), capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"\x89PNG")


@needs_graphviz
@given(st.integers(0, 2**32), st.sampled_from(["ab", "abcdef"]), st.sampled_from([0.15, 0.5]))
@settings(max_examples=12)
def test_graphviz_draws_models_with_many_lines(seed: int, agents: str, share: float) -> None:
    rng = random.Random(seed)
    worlds = [f"w{k}" for k in range(16 if share < 0.5 else 6)]
    pairs = {a: [(w, v) for w in worlds for v in worlds if rng.random() < share] for a in agents}
    model = KripkeModel(worlds, pairs, {"p": ["w0"]}, ["w0"])
    run_dot(visualise.dot(model, arrangement="ring"))


def test_agents_differ_in_dot_without_their_colours() -> None:
    model = KripkeModel.from_partitions("wv", {agent: ["wv"] for agent in "abcdef"}, {})
    lines = [line for line in visualise.dot(model).splitlines() if " -- " in line]
    looks = {(re.findall(r'style="(\w+)"', line)[0], line.count("#")) for line in lines}
    assert len(lines) == len(looks) == 6


# --- matplotlib ------------------------------------------------------------------------------------


def test_draw_on_axes_of_the_caller() -> None:
    figure, axes = plt.subplots(1, 2)
    before = dict(mpl.rcParams)
    assert visualise.draw(two_worlds(), ax=axes[1]) is axes[1]
    assert visualise.draw(puzzle("hexa").model, ax=axes[0]) is axes[0]
    assert dict(mpl.rcParams) == before
    assert [text.get_text() for text in axes[1].texts][:2] == ["w", "p"]
    assert plt.get_fignums() == [figure.number]


def test_text_follows_the_size_of_the_axes() -> None:
    _, small = plt.subplots(figsize=(2, 2))
    _, large = plt.subplots(figsize=(8, 8))
    model = puzzle("hexa").model
    sizes = [visualise.draw(model, ax=ax).texts[0].get_fontsize() for ax in (small, large)]
    assert sizes[1] == pytest.approx(4 * sizes[0], rel=0.2)


def test_draw_makes_one_figure_and_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plt, "show", lambda *_, **__: pytest.fail("show was called"))
    ax = visualise.draw(two_worlds())
    assert plt.get_fignums() == [ax.figure.number]


def test_written_text_is_as_wide_as_the_scene_says() -> None:
    """The measured width of DejaVu Sans, the font of matplotlib, is the one layouts count with."""
    ax = visualise.draw(two_worlds(), names=lambda w: f"name {w}WiM", atoms=[])
    figure = ax.figure
    figure.canvas.draw()
    shown = ax.texts[0].get_window_extent().width * 72 / figure.dpi
    counted = (
        visualise.picture(two_worlds(), names=lambda w: f"name {w}WiM", atoms=[]).nodes[0].labels[0].box.width
    )
    assert shown == pytest.approx(counted, rel=0.08)


# --- files -----------------------------------------------------------------------------------------


def test_save_by_ending(tmp_path: Path) -> None:
    begins = {
        "png": b"\x89PNG",
        "pdf": b"%PDF",
        "svg": b"<svg",
        "tex": b"% include this file",
        "dot": b"graph",
    }
    for ending, begin in (begins | {"gif": b"GIF8", "html": b"<!DOCTYPE html>"}).items():
        paths = [visualise.save(two_worlds(), tmp_path / f"{name}.{ending}") for name in ("one", "two")]
        one, two = (path.read_bytes() for path in paths)
        assert one == two
        assert one.startswith(begin)
    assert not plt.get_fignums()
    assert len(list(tmp_path.iterdir())) == 14


def test_unknown_ending_lists_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"m\.bmp': its extension must be one of \.png, .*\.html"):
        visualise.save(two_worlds(), tmp_path / "m.bmp")
    assert not list(tmp_path.iterdir())


def test_unwritable_path_is_one_error_and_no_file(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot write"):
        visualise.save(two_worlds(), tmp_path / "missing" / "m.svg")
    (tmp_path / "m.svg").mkdir()
    with pytest.raises(FormatError, match="cannot write"):
        visualise.save(two_worlds(), tmp_path / "m.svg")
    assert [p.name for p in tmp_path.iterdir()] == ["m.svg"]


def test_failure_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m.svg"
    path.write_text("old", encoding="utf-8")

    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(FormatError, match="No space left"):
        visualise.save(two_worlds(), path)
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_the_core_does_not_load_visualise() -> None:
    code = (
        "import sys, kripke_werewolf;"
        "print(sorted({'visualise', 'matplotlib', 'networkx'} & set(sys.modules)))"
    )
    assert run_python(code).strip() == "[]"


def test_visualise_loads_matplotlib_only_to_draw_with_it() -> None:
    code = (
        "import sys, visualise, kripke_werewolf as kw;"
        "visualise.svg(kw.KripkeModel(['w'], {}, {}));"
        "print(sorted({'matplotlib', 'networkx', 'PIL'} & set(sys.modules)))"
    )
    assert run_python(code).strip() == "[]"
