"""The gallery of the docs is what the script makes."""

from __future__ import annotations

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_gallery_is_drawn_as_the_docs_show_it(tmp_path: Path) -> None:
    script = runpy.run_path(str(ROOT / "examples" / "gallery.py"))
    paths = script["draw"](tmp_path / "gallery")
    assert [p.name for p in paths] == [figure.file for figure in script["FIGURES"]]
    shown = ROOT / "docs" / "gallery"
    kept = {p.name for p in paths if p.suffix != ".html"}  # pages are drawn when the docs are built
    assert kept == {p.name for p in shown.iterdir() if p.suffix != ".html"}
    for path in paths:  # what matplotlib draws differs between its releases
        if path.suffix == ".tex" or (path.suffix == ".svg" and 'role="img"' in path.read_text("utf-8")):
            assert path.read_text("utf-8") == (shown / path.name).read_text("utf-8"), path.name
    assert (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8") == script["page"]("gallery")
