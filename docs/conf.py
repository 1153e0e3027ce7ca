"""Sphinx: the pages of this directory (MyST Markdown) and the API from the docstrings."""

import runpy
from pathlib import Path

from kripke_werewolf import __version__

project = "kripke_werewolf"
author = "The kripke_werewolf maintainers"
release = version = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
root_doc = "index"
exclude_patterns = ["_build", "paper"]
html_theme = "furo"
myst_heading_anchors = 3
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 100
default_role = "code"
nitpicky = False
suppress_warnings = [
    "myst.header",
    "ref.python",  # packages may have classes of one name, such as the State of Avalon and of the explorer
]

# the interactive page of the gallery is not kept with the sources
_docs = Path(__file__).parent
runpy.run_path(str(_docs.parent / "examples" / "gallery.py"))["draw"](_docs / "gallery", ".html")


def setup(app: object) -> None:
    """Put the explorer beside the pages: the links in them open their models in it."""
    app.connect("build-finished", _write_explorer)  # type: ignore[attr-defined]


def _write_explorer(app: object, error: Exception | None) -> None:
    from kripke_werewolf.explorer.page import online_page
    from kripke_werewolf.web import respond

    if error is None:
        page = online_page(respond({"do": {"command": "open", "puzzle": "muddy-children", "n": 3}}))
        Path(app.outdir, "explorer-page.html").write_text(page, encoding="utf-8")  # type: ignore[attr-defined]
