"""Make notebooks of the lessons: one .ipynb for each script here.

    python examples/to_notebooks.py DIRECTORY

The text at the top of a script and the comments that stand alone become text, the rest becomes code.
"""

from __future__ import annotations

import ast
import json
import os
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
TOOLS = ("gallery", "site", "to_notebooks")  # scripts that are no lessons


def lessons() -> list[Path]:
    """Return the scripts that are lessons, by name."""
    return sorted(path for path in HERE.glob("*.py") if path.stem not in TOOLS)


def notebook(script: Path, directory: Path) -> dict[str, Any]:
    """Return the notebook of a script, which will lie in a directory, as the data of its JSON."""
    text = script.read_text(encoding="utf-8")
    heading, body = _opened(text)
    cells = [_cell("markdown", heading)]
    if "__file__" in body or "sys.argv" in body:  # which notebooks lack, or mean otherwise
        path = Path(os.path.relpath(script, directory)).as_posix()
        cells.append(_cell("code", f"import sys\n\n__file__ = {path!r}\nsys.argv = [__file__]"))
    cells += [_cell(kind, part) for kind, part in _parts(body)]
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    return {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _opened(text: str) -> tuple[str, str]:
    """Return the docstring of a script as Markdown, and the code below it."""
    first = ast.parse(text).body[0]
    doc = ast.get_docstring(ast.parse(text)) or ""
    title, *rest = doc.split("\n\n")
    kept = [p for p in rest if not p.lstrip().startswith("python examples/")]
    return "\n\n".join([f"# {title.rstrip('.')}", *kept]), "\n".join(text.split("\n")[first.end_lineno :])


def _parts(body: str) -> list[tuple[str, str]]:
    """Return the pieces of a script: comments that begin after a blank line are text."""
    parts: list[tuple[str, list[str]]] = []
    before = ""
    for line in body.split("\n"):
        comment = line.startswith("# ")
        if comment and (not before or (parts and parts[-1][0] == "markdown")):
            if not parts or parts[-1][0] != "markdown":
                parts.append(("markdown", []))
            parts[-1][1].append(line[2:])
        else:
            if not parts or parts[-1][0] != "code":
                parts.append(("code", []))
            parts[-1][1].append(line)
        before = line.strip()
    joined = [(kind, "\n".join(lines).strip("\n")) for kind, lines in parts]
    return [(kind, text) for kind, text in joined if text.strip()]


def _cell(kind: str, text: str) -> dict[str, Any]:
    cell: dict[str, Any] = {"cell_type": kind, "metadata": {}, "source": text.splitlines(keepends=True)}
    if kind == "code":
        cell |= {"execution_count": None, "outputs": []}
    return cell


def main(directory: Path) -> None:
    """Write the notebooks of all lessons into a directory."""
    directory.mkdir(parents=True, exist_ok=True)
    for script in lessons():
        target = directory / f"{script.stem}.ipynb"
        data = notebook(script, directory)
        target.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(target)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python examples/to_notebooks.py DIRECTORY")
    main(Path(sys.argv[1]))
