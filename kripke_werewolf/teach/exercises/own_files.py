"""This library as files, for programs that must bring it along: a page with Python, a grader on a server."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable

_STUDIES = {"games/avalon", "games/programs", "logic/tables", "research/arena", "research/forge"}
_STUDIES |= {"research/planning/epddl"}
_PROGRAMS = {"cli", "play", "teach/exercises/class_host.py", "teach/explorer/page", "visualise/board"}
_LANGUAGES = {f"base/wording/{language}.ftl" for language in ("de", "ja", "nl")}
_LEFT_OUT = _STUDIES | _PROGRAMS | _LANGUAGES
"""What no command of the page uses: studies of games; what only a terminal, a server or files need; games in
other languages than English.
"""


def data_text(name: str) -> str:
    """Return the text of a file beside these modules."""
    return files(__package__).joinpath(name).read_text("utf-8")


def sources(without: frozenset[str] = frozenset()) -> Iterator[tuple[str, bytes]]:
    """Yield the files of the two packages, except those that neither a page nor a grader needs.

    `without`: further packages and parts of them that are not needed.
    """
    for package in sorted({"kripke_werewolf", "visualise"} - without):
        yield from _files(package, files(package), _LEFT_OUT | without)


def _files(path: str, folder: Traversable, left_out: Collection[str]) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        name = f"{path}/{entry.name}"
        if entry.name == "__pycache__" or name.removeprefix("kripke_werewolf/") in left_out:
            continue
        if entry.is_dir():
            yield from _files(name, entry, left_out)
        else:
            yield name, entry.read_bytes()
