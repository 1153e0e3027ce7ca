"""The page of the explorer: one HTML file built from the modules, the style and the words in `assets`.

The same modules draw in a page from the local server, in a single-file page, and in a notebook. They contain
no logic: they send commands to `kripke_werewolf.teach.explorer` and show its replies.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from kripke_werewolf.base.files import read_text
from kripke_werewolf.teach.explorer.page import pyodide
from kripke_werewolf.teach.explorer.page.pyodide import asset
from visualise.html_output import page_of, script

_PART = '<script type="text/plain" data-part="{}">{}</script>'

Reply = Mapping[str, Any]
"""An answer of `kripke_werewolf.teach.explorer.respond`."""


def server_page(start: Reply, address: str) -> str:
    """Return the page that sends its requests to the server at `address`, a path, and shows `start` first."""
    return _page({"place": "server", "address": address}, start, connect="'self'")


def offline_page(start: Reply, parts: Mapping[str, str], *, site: bool = False) -> str:
    """Return the page that contains Pyodide and needs no network; `parts`: see `pyodide.bundle`.

    `site`: whether sheets lie beside it, which it opens by the code in a link.
    """
    config = {"place": "offline", "site": site}
    return _page(config, start, parts=parts, connect="'self'" if site else "'none'", evaluate=True)


def online_page(start: Reply, *, site: bool = False) -> str:
    """Return the small page that loads Pyodide from its CDN, checking the hash of every file."""
    config = {"place": "online", "cdn": pyodide.CDN, "hashes": dict(pyodide.HASHES)}
    parts = pyodide.encoded({pyodide.LIBRARY: pyodide.library()})
    connect = f"'self' {pyodide.CDN}" if site else pyodide.CDN
    return _page({**config, "site": site}, start, parts=parts, connect=connect, evaluate=True)


def open_arguments(source: str | None, n: int | None = None) -> dict[str, Any]:
    """Return the arguments of the command `open` for a puzzle or a file; None for an empty board.

    Raises `FormatError` for a name that is neither, and `OSError` for a file that cannot be read.

    >>> open_arguments("muddy-children", 3)
    {'puzzle': 'muddy-children', 'n': 3}
    """
    from kripke_werewolf.logic.puzzles.catalogue import names_puzzle

    if source is None and n is None:
        return {"empty": True}
    if names_puzzle(source or "", n):
        return {"puzzle": source, "n": n}
    path = Path(source or "")
    return {"text": read_text(path), "name": path.name}


@cache
def english() -> dict[str, Any]:
    """Return the words of the page."""
    return {**json.loads(asset("words.json")), **json.loads(asset("more-words.json"))}


def _page(
    config: Mapping[str, Any],
    start: Reply,
    *,
    parts: Mapping[str, str] | None = None,
    connect: str,
    evaluate: bool = False,
) -> str:
    policy = {"connect-src": connect}
    data: dict[str, Any] = {"config": config, "start": start, "words": english()}
    if evaluate:
        policy |= {"script-src": "'wasm-unsafe-eval' blob:", "worker-src": "blob:"}
        data["worker"] = asset("worker.js")
        data["config"] = {**config, "lock": pyodide.LOCK, "unpack": asset("unpack.txt")}
    held = "\n".join(_PART.format(name, text) for name, text in (parts or {}).items())
    code, style, title = script("main", asset), asset("style.css"), str(english()["title"])
    return page_of(code, style, data, title=title, parts=held, policy=policy)
