"""`kripke-werewolf explore [SOURCE]`: the explorer in a browser, from a local server or as a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from kripke_werewolf.cli.output import NEW_FILE, note
from kripke_werewolf.errors import FormatError
from kripke_werewolf.files import read_text


@click.command("explore")
@click.argument("source", required=False)
@click.option("-n", "size", type=int, help="The size of a puzzle.")
@click.option(
    "--player",
    metavar="NAME",
    help="For a game: whose knowledge to show; by default what everybody may know.",
)
@click.option(
    "--export",
    "out",
    type=NEW_FILE,
    help="Write one HTML file that works offline, instead of starting a server.",
)
@click.option(
    "--online",
    is_flag=True,
    help="With --export: write a small file that loads Pyodide from its public server.",
)
@click.option(
    "--pyodide",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="With --export: a folder with the files of the npm package pyodide; by default npm downloads them.",
)
@click.option(
    "--words",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A translation of the page, a JSON file.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="The port of the server; by default any free port.",
)
@click.option("--browser/--no-browser", default=True, help="Whether to open a browser.")
def explore_command(
    source: str | None,
    size: int | None,
    player: str | None,
    out: Path | None,
    online: bool,
    folder: Path | None,
    words: Path | None,
    port: int,
    browser: bool,
) -> None:
    """Explore a model in a browser: build it, ask questions, make announcements, solve exercises.

    SOURCE is the name of a puzzle, or a file: a model, a story, an exercise or a set of them, the log of a
    game. Without SOURCE, start with an empty board.

    \b
    kripke-werewolf explore muddy-children -n 3
    kripke-werewolf explore model.json --export page.html
    """
    from kripke_werewolf.explorer.page import offline_page, online_page, server_page, translated

    if out is None and (online or folder is not None):
        raise FormatError("--online and --pyodide are for --export")
    if online and folder is not None:
        raise FormatError("--online loads Pyodide from its CDN; --pyodide is for a page that works offline")
    spoken = translated(read_text(words), name=str(words)) if words is not None else None
    if out is not None and out.suffix.lower() not in (".html", ".htm"):
        raise FormatError(f"--export: the page is HTML, so the file must end in .html, got {str(out)!r}")
    start = _started(source, size, player)
    if out is None:
        _serve(lambda path: server_page(start, path, words=spoken), port, browser=browser)
        return
    if online:
        text = online_page(start, words=spoken)
    else:
        from kripke_werewolf.explorer.pyodide import bundle

        text = offline_page(start, bundle(folder, note=note), words=spoken)
    out.write_text(text, encoding="utf-8")
    click.echo(str(out))


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
