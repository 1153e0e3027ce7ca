"""This library as files, for programs that must bring it along: a page with Python, a grader on a server."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable

_STUDIES = {"games/avalon", "games/programs", "logic/tables", "research/arena", "research/forge"}
_STUDIES |= {"research/planning/epddl"}
_PROGRAMS = {"cli", "play/host", "teach/explorer/page"}
_LEFT_OUT = _STUDIES | _PROGRAMS
"""What no command of the page uses: studies of games; what only a terminal, a server or files need."""


def data_text(name: str) -> str:
    """Return the text of a file beside these modules."""
    return files(__package__).joinpath(name).read_text("utf-8")


def sources() -> Iterator[tuple[str, bytes]]:
    """Yield the files of the two packages, except those that neither a page nor a grader needs."""
    for package in ("kripke_werewolf", "visualise"):
        yield from _files(package, files(package))


def _files(path: str, folder: Traversable) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        name = f"{path}/{entry.name}"
        if entry.name == "__pycache__" or name.removeprefix("kripke_werewolf/") in _LEFT_OUT:
            continue
        if entry.is_dir():
            yield from _files(name, entry)
        else:
            yield name, entry.read_bytes()
