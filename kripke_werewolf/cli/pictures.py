"""The commands `draw` and `explore`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import reduce
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import click

from kripke_werewolf.base.drawing import Options
from kripke_werewolf.base.errors import FormatError, FormulaError, UnknownNameError
from kripke_werewolf.cli import declared
from kripke_werewolf.cli.declared import Folder, Given, Names, NewFile, Pairs, Words, command
from kripke_werewolf.cli.output import page_apart
from kripke_werewolf.cli.sources import load_source
from kripke_werewolf.logic.formulas.syntax import Formula, formula
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.models.history import History
from kripke_werewolf.logic.puzzles import Puzzle, puzzle
from kripke_werewolf.logic.puzzles.catalogue import names_puzzle
from visualise import Frame, save

# --- draw ----------------------------------------------------------------------------------------


_Agents: TypeAlias = list[str] | None
_MOVING = (".gif", ".html")  # show all of a story; the other formats show its end


@command("draw", looks={Options: "edges arrangement title theme width font_size limit", save: "dpi document"})
def _draw(
    source: str,
    updates: Words = (),
    *,
    out: NewFile,
    n: int | None = None,
    updates_: Words = (),
    agents: Names | None = None,
    formulas: Words = (),
    colors: Pairs = (),
    secrets: bool = False,
    public: bool = False,
    atoms: Names | None = None,
    labels: bool | None = None,
    looks: Given,
) -> None:
    """Draw a model, a game or a puzzle.

    SOURCE is a model (a JSON file, or a picture of one), a game (the log that `play` writes) or the name of a
    puzzle.
    Pages (.html) and animations (.gif) show all updates; other formats show the result.

    \b
    kripke-werewolf draw muddy-children -n 3 -o cube.png
    kripke-werewolf draw muddy-children -n 3 -o m.gif --updates father nobody
    kripke-werewolf draw game.jsonl -o game.html

    Options:
      --labels/--legend: Whether agents' names are on the lines, or in a legend of colours.
      -o, --out: The file to write; its ending is the format: png, pdf, svg, tex, dot, gif, html, or for the
        model itself json.
      -n: The size of a puzzle.
      --updates UPDATE…: Updates: formulas to announce, or parts of the names of the puzzle's events, which
        happen with all before them.
      --agents NAMES: The agents whose relations are drawn, separated by commas; by default all.
      --formula: Fill the worlds where this formula is true. A page offers a choice of several
        formulas.
      --color AGENT=COLOUR: The colour of an agent's lines: #rrggbb, or a CSS colour name.
      --secrets: For a game: draw all secrets. This is the default once it is over.
      --public: For a game: draw only what everybody may know. This is the default until it is over.
      --atoms NAMES: The atoms shown at the worlds, separated by commas; '' for none. By default all.
      --edges: How to draw classes: without lines implied by transitivity (spanning), with all lines, or with
        outlines (hulls); by default spanning.
      --arrangement: The arrangement of worlds; by default auto.
      --title: A heading.
      --theme: The colours: light, dark, or print (no colours).
      --width: The width of the picture: centimetres, such as 8, or column.
      --font-size: The size of the names in points, instead of a width.
      --dpi: Dots per inch of a .png or .gif.
      --document: Write a complete LaTeX document, instead of a file to include.
      --limit: Draw each world up to this number of worlds, and larger models by classes.
    """
    if secrets and public:
        raise FormatError("--secrets and --public are two different pictures; give one of them")
    asked = [formula(text) for text in formulas]
    moving = out.suffix.lower() in _MOVING
    wanted = secrets if secrets or public else None
    story, options = _opened(source, n, (*updates_, *updates), agents, wanted, moving=moving)
    options |= looks
    given = {"agents": agents, "atoms": atoms, "edge_labels": labels}
    options |= {name: value for name, value in given.items() if value is not None}
    if len(asked) > 1 and out.suffix.lower() != ".html":
        raise FormatError("--formula: a picture shows one; several are for a page (.html), to choose among")
    if asked:
        options["formula"] = asked[0]
    if colors:
        options["colors"] = dict(colors)
    as_data = out.suffix.lower() == ".json"
    if as_data and isinstance(story, History | Puzzle):
        story = story.model
    if as_data and isinstance(story, KripkeModel):
        story.save(out, **options)
    else:
        save(story, out, formulas=asked[1:], **options)
    click.echo(str(out))


def _opened(
    source: str, n: int | None, updates: Sequence[str], agents: _Agents, secrets: bool | None, *, moving: bool
) -> tuple[KripkeModel | Puzzle | History[KripkeModel] | list[Frame], dict[str, Any]]:
    """Return the model, game or puzzle SOURCE after the updates, and the options that suit it."""
    found = puzzle(source, n=n) if names_puzzle(source, n) else load_source(source)
    if isinstance(found, Puzzle | KripkeModel) and secrets is not None:
        raise FormatError("--secrets and --public are for games")
    if isinstance(found, Puzzle):
        return _puzzle_story(found, updates), {"title": found.name} if moving else {}
    if isinstance(found, KripkeModel):
        return reduce(History.then, updates, History(found)) if updates else found, {}
    if updates:
        raise FormatError("--updates is for models and puzzles; --formula fills worlds of a game")
    from visualise.moments import game_frames

    return game_frames(found, agents, secrets=secrets, moving=moving)


def _puzzle_story(found: Puzzle, updates: Sequence[str]) -> Puzzle | History[KripkeModel]:
    """Return a puzzle, or its history if other updates are asked for than its own events."""
    if not updates:
        return found
    history, left = History(found.model), list(found.events)
    for text in updates:
        named = [event for event in left if text.casefold() in event.name.casefold()]
        if named:
            until = left.index(named[0]) + 1
            for event in left[:until]:
                history = history.then(event.action, name=event.name)
            del left[:until]
        else:
            history = history.then(_announced(text, found))
    return history


def _announced(text: str, found: Puzzle) -> Formula:
    """Read an update that is not an event of the puzzle as a formula about it."""
    with suppress(FormulaError):
        read = formula(text)
        if read.atoms <= set(found.model.atoms):
            return read
    raise UnknownNameError(text, [event.name for event in found.events], kind="event")


# --- explore -------------------------------------------------------------------------------------


@command("explore")
def _explore(
    source: str | None = None,
    *,
    n: int | None = None,
    player: str | None = None,
    export: Annotated[Path, declared.New(".html", ".htm")] | None = None,
    online: bool = False,
    pyodide: Folder | None = None,
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
      --player NAME: For a game: whose knowledge to show; by default the page asks, and an exported one
        shows what everybody may know.
      --export: Write one HTML file that works offline, instead of starting a server.
      --online: With --export: write a small file that loads Pyodide from its public server.
      --pyodide: With --export: a folder with the files of the npm package pyodide; by default npm
        downloads them.
      --port: The port of the server; by default any free port.
      --browser/--no-browser: Whether to open a browser.
    """
    from kripke_werewolf.teach.explorer.page.html import server_page

    if export is None and (online or pyodide is not None):
        raise FormatError("--online and --pyodide are for --export")
    whose = {"player": player} if player is not None or export is not None else {}
    start = _started(source, n, whose)
    if export is None:
        _serve(lambda path: server_page(start, path), port, browser=browser)
        return
    text = page_apart(start, online=online, pyodide=pyodide)
    export.write_text(text, encoding="utf-8")
    click.echo(str(export))


def _started(source: str | None, size: int | None, whose: dict[str, str | None]) -> dict[str, Any]:
    """Return the reply that the page shows first; raises `FormatError` if SOURCE cannot be opened.

    `whose`: the player whose view of a game is shown; without one the page asks for it, and holds the log.
    """
    from kripke_werewolf.teach.explorer import respond
    from kripke_werewolf.teach.explorer.page.html import open_arguments

    opened = open_arguments(source, size)
    reply = respond({"do": {"command": "open", **opened, **whose}})
    if choice := reply.get("result"):
        reply["choose"] = {"players": choice["choose"], "open": opened}
    if not reply["ok"]:
        place = f"{source}: " if source and Path(source).is_file() else ""
        raise FormatError(place + reply["error"]["message"])
    return reply


def _serve(page: Callable[[str], str], port: int, *, browser: bool) -> None:
    """Serve the page until the user interrupts."""
    import webbrowser

    from kripke_werewolf.teach.explorer.page.server import ExplorerServer

    with ExplorerServer(page, port=port) as server:
        click.echo(f"{server.url}\nPress Ctrl+C to stop.")
        if browser:
            webbrowser.open(server.url)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo("stopped")
