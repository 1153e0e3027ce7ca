"""`kripke-werewolf explore [SOURCE]`: the explorer in a browser, from a local server or as a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import click

from kripke_werewolf.cli.declared import ExistingFile, Folder, NewFile, command
from kripke_werewolf.cli.output import note
from kripke_werewolf.errors import FormatError
from kripke_werewolf.files import known_ending, read_text


@command("explore")
def _explore(
    source: str | None = None,
    *,
    n: int | None = None,
    player: str | None = None,
    export: NewFile | None = None,
    online: bool = False,
    pyodide: Folder | None = None,
    words: ExistingFile | None = None,
    port: Annotated[int, click.IntRange(0, 65535)] = 0,
    browser: bool = True,
) -> None:
    """Explore a model in a browser: build it, ask questions, make announcements, solve exercises.

    SOURCE is the name of a puzzle, or a file: a model, a story, an exercise or a set of them, the log of a
    game. Without SOURCE, start with an empty board.

    \b
    kripke-werewolf explore muddy-children -n 3
    kripke-werewolf explore model.json --export page.html

    Options:
      -n: The size of a puzzle.
      --player NAME: For a game: whose knowledge to show; by default what everybody may know.
      --export: Write one HTML file that works offline, instead of starting a server.
      --online: With --export: write a small file that loads Pyodide from its public server.
      --pyodide: With --export: a folder with the files of the npm package pyodide; by default npm
        downloads them.
      --words: A translation of the page, a JSON file.
      --port: The port of the server; by default any free port.
      --browser/--no-browser: Whether to open a browser.
    """
    from kripke_werewolf.explorer.page import offline_page, online_page, server_page, translated

    if export is None and (online or pyodide is not None):
        raise FormatError("--online and --pyodide are for --export")
    if online and pyodide is not None:
        raise FormatError("--online loads Pyodide from its CDN; --pyodide is for a page that works offline")
    spoken = translated(read_text(words), name=str(words)) if words is not None else None
    if export is not None:
        known_ending(export, (".html", ".htm"))
    start = _started(source, n, player)
    if export is None:
        _serve(lambda path: server_page(start, path, words=spoken), port, browser=browser)
        return
    if online:
        text = online_page(start, words=spoken)
    else:
        from kripke_werewolf.explorer.pyodide import bundle

        text = offline_page(start, bundle(pyodide, note=note), words=spoken)
    export.write_text(text, encoding="utf-8")
    click.echo(str(export))


def _started(source: str | None, size: int | None, player: str | None) -> dict[str, Any]:
    """Return the reply that the page shows first; raises `FormatError` if SOURCE cannot be opened."""
    from kripke_werewolf.explorer.page import open_arguments
    from kripke_werewolf.web import respond

    reply = respond({"do": {"command": "open", **open_arguments(source, size), "player": player}})
    if not reply["ok"]:
        place = f"{source}: " if source and Path(source).is_file() else ""
        raise FormatError(place + reply["error"]["message"])
    return reply


def _serve(page: Callable[[str], str], port: int, *, browser: bool) -> None:
    """Serve the page until the user interrupts."""
    from kripke_werewolf.explorer.server import ExplorerServer

    with ExplorerServer(page, port=port) as server:
        click.echo(f"{server.url}\nPress Ctrl+C to stop.")
        if browser:
            import webbrowser

            webbrowser.open(server.url)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo("stopped")
