"""The gallery shows the pictures and the scripts that examples/gallery.py makes, and the scripts run."""

import re
import runpy
import shutil
from pathlib import Path

import pytest

import visualise

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".svg", ".tex", ".html"])
def test_the_gallery_is_drawn_by_graphviz(
    ending: str, tmp_path: Path, pictures: list[visualise.Scene]
) -> None:
    """The fixture of all tests here lets Graphviz draw what is drawn."""
    assert runpy.run_path(str(ROOT / "examples" / "gallery.py"))["draw"](tmp_path, ending)
    assert pictures


@pytest.mark.slow
def test_scripts_of_the_gallery_draw_its_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each block of the page is pasted into an interpreter of its own."""
    script = runpy.run_path(str(ROOT / "examples" / "gallery.py"))
    page = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    assert page == script["page"]("gallery")
    shutil.copytree(ROOT / "examples" / "games", tmp_path / "examples" / "games")
    monkeypatch.chdir(tmp_path)
    for block in re.findall(r"^```py\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        assert max(map(len, block.splitlines())) <= script["WIDTH"]
        exec(compile(block, "docs/gallery.md", "exec"), {})
    paths = [path for path in tmp_path.iterdir() if path.is_file()]
    assert {p.name for p in paths} == {figure.file for figure in script["FIGURES"]}
    shown = ROOT / "docs" / "gallery"
    kept = {p.name for p in paths if p.suffix != ".html"}  # pages are drawn when the docs are built
    assert kept == {p.name for p in shown.iterdir() if p.suffix != ".html"}
    for path in paths:  # what matplotlib draws differs between its releases
        if path.suffix == ".tex" or (path.suffix == ".svg" and 'role="img"' in path.read_text("utf-8")):
            assert path.read_text("utf-8") == (shown / path.name).read_text("utf-8"), path.name
