"""What a package imports at its top level stands above it in the picture of CONTRIBUTING.md."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def layers() -> list[list[str]]:
    """Return the packages of each line of the picture."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    picture = text.partition("```text\n")[2].partition("```")[0]
    return [re.split(r" {3,}", line)[0].split() for line in picture.splitlines()]


def modules(package: str) -> list[Path]:
    if package == "visualise":
        return sorted((ROOT / "visualise").glob("*.py"))
    home = ROOT / "kripke_werewolf" / package
    return sorted(home.rglob("*.py")) if home.is_dir() else [home.with_suffix(".py")]


def imported(path: Path) -> Iterator[str]:
    """Yield the packages that a module imports at its top level."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        names = [alias.name for alias in node.names]
        if isinstance(node, ast.ImportFrom):
            whole = node.module == "kripke_werewolf"  # the names are packages then
            names = [f"{node.module}.{name}" for name in names] if whole else [node.module or ""]
        for name in names:
            top, _, rest = name.partition(".")
            if top in ("kripke_werewolf", "visualise"):
                yield rest.partition(".")[0] if rest and top == "kripke_werewolf" else top


def test_the_picture_shows_every_package() -> None:
    found = {p.name for p in (ROOT / "kripke_werewolf").iterdir() if (p / "__init__.py").exists()}
    shown = [package for layer in layers() for package in layer]
    modules = {
        "display",
        "errors",
        "files",
        "grouping",
        "processes",
        "randomness",
        "settings",
        "testing",
        "usage",
    }
    assert sorted(shown) == sorted(found | modules | {"visualise"})


@pytest.mark.parametrize("number", range(len(layers())))
def test_imports_go_upwards(number: int) -> None:
    above = {package for layer in layers()[:number] for package in layer} | {"_version"}
    for package in layers()[number]:
        allowed = above | {package}
        for module in modules(package):
            assert set(imported(module)) <= allowed, module
