"""Sphinx: the pages of this directory (MyST Markdown) and the API from the docstrings."""

import re
import runpy
import shutil
from pathlib import Path, PurePosixPath
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform

from kripke_werewolf import __version__

project = "kripke_werewolf"
author = "The kripke_werewolf maintainers"
release = version = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
root_doc = "index"
exclude_patterns = ["_build", "paper"]
html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["pages.css"]
html_favicon = html_logo = "static/icon.svg"
html_title = f"{project} {release}"
html_show_copyright = False
html_search_scorer = str(Path(__file__).parent / "static" / "search.js")
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

_docs = Path(__file__).parent
_written = runpy.run_path(str(_docs / "declared.py"))["written"]

# the interactive page of the gallery is not kept with the sources
_gallery = runpy.run_path(str(_docs.parent / "examples" / "gallery.py"))
_gallery["draw"](_docs / "gallery", ".html")
_links: dict[str, str] = _gallery["explorer_links"]()

# a page for each package in the table of api.md, from its docstrings
_PAGE = """# {name}

```{{eval-rst}}
.. automodule:: {name}
   :members:
   :inherited-members: object, str, tuple, dict, Collection, Exception, BaseException, Formula
```
"""
shutil.rmtree(_docs / "api", ignore_errors=True)
(_docs / "api").mkdir()
for _name in re.findall(r"\(api/([\w.]+)\.md\)", (_docs / "api.md").read_text(encoding="utf-8")):
    (_docs / "api" / f"{_name}.md").write_text(_PAGE.format(name=_name), encoding="utf-8")


def setup(app: Any) -> None:
    """Make the pages of the packages; put the explorer beside them, and links to it below pictures."""
    app.add_transform(DefinedTerms)
    app.connect("source-read", _write_declared)
    app.connect("autodoc-skip-member", _belongs_elsewhere)
    app.connect("autodoc-process-docstring", _leave_out)
    app.connect("doctree-read", _link_pictures)
    app.connect("build-finished", _write_explorer)


class DefinedTerms(SphinxTransform):
    """Put what the page on logic defines, in bold, into the index: the search shows it first."""

    default_priority = 700  # before the index is read from the page

    def apply(self, **kwargs: Any) -> None:
        """Mark each term."""
        if self.env.current_document.docname == "logic":
            for number, term in enumerate(list(self.document.findall(nodes.strong))):
                words, name = term.astext().lower(), f"term-{number}"
                entry = addnodes.index(entries=[("single", words, name, "main", None)])
                term.parent.insert(term.parent.index(term), [entry, nodes.target("", "", ids=[name])])


def _write_declared(app: Any, name: str, source: list[str]) -> None:
    """Write the parts of a page that are declared in code."""
    source[0] = _written(source[0])


def _belongs_elsewhere(
    app: Any, kind: str, name: str, value: object, skip: bool, options: object
) -> bool | None:
    """Leave out what another package documents."""
    home = getattr(value, "__module__", None)
    documented = app.env.current_document.docname.removeprefix("api/")
    if (
        kind == "module"
        and isinstance(home, str)
        and home.partition(".")[0] in ("kripke_werewolf", "visualise")
    ):
        return skip or not f"{home}.".startswith(f"{documented}.")
    return skip


def _leave_out(app: Any, kind: str, name: str, value: object, options: object, lines: list[str]) -> None:
    """Leave out what Python writes about tuples' fields."""
    if lines and lines[0].startswith("Alias for field number"):
        lines.clear()


def _link_pictures(app: Any, page: nodes.document) -> None:
    """Put a link below each picture of the gallery, which opens its model in the explorer."""
    for image in list(page.findall(nodes.image)):
        path = PurePosixPath(image["uri"])
        if path.parent.name == "gallery" and path.name in _links:
            above = "../" * app.env.current_document.docname.count("/")
            address = f"{above}explorer-page.html#{_links[path.name]}"
            link = nodes.reference("", "Open in the explorer", refuri=address, internal=False)
            below = nodes.paragraph("", "", link, classes=["explorer-link"])
            image.parent.parent.insert(image.parent.parent.index(image.parent) + 1, below)


def _write_explorer(app: Any, error: Exception | None) -> None:
    """Write the explorer's page, in which the links of the documentation open their models."""
    from kripke_werewolf.teach.explorer import respond
    from kripke_werewolf.teach.explorer.page.html import online_page

    if error is None:
        page = online_page(respond({"do": {"command": "open", "puzzle": "muddy-children", "n": 3}}))
        Path(app.outdir, "explorer-page.html").write_text(page, encoding="utf-8")
