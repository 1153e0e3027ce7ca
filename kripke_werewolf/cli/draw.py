"""`kripke-werewolf draw SOURCE -o FILE`."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import click

from kripke_werewolf.cli.declared import File, Names, command
from kripke_werewolf.cli.output import note
from kripke_werewolf.cli.sources import load
from kripke_werewolf.errors import FormatError, FormulaError, UnknownNameError
from kripke_werewolf.language.formulas import formula
from kripke_werewolf.models import KripkeModel
from kripke_werewolf.models.history import History
from kripke_werewolf.puzzles import Puzzle, puzzle
from kripke_werewolf.puzzles.catalogue import names_puzzle

if TYPE_CHECKING:
    from kripke_werewolf.language import Formula
    from kripke_werewolf.semantics.action import ActionModel
    from kripke_werewolf.werewolf import QuantumWerewolf
    from visualise import Frame

_MOVING = (".gif", ".html")  # show all of a story; the other formats show its end
_LIMIT = 20_000  # worlds of a model of a game
_DRAWN = 60  # worlds with secrets that are shown to everybody one by one


class _Looks(NamedTuple):
    """What a picture shows of its models, and how.

    Options:
      --atoms NAMES: The atoms shown at the worlds, separated by commas; '' for none. By default all.
      --edges: How to draw classes: without lines implied by transitivity, with all lines, or with
        outlines.
      --arrangement: The arrangement of worlds: auto, line, cube, ring, grid, layers, force, rows or
        graphviz.
      --title: A heading.
      --theme: The colours: light, dark, or print (no colours).
      --width: The width of the picture in centimetres.
      --font-size: The size of the names in points, instead of a width.
      --dpi: Dots per inch of a .png or .gif.
      --document: Write a complete LaTeX document, instead of a file to include.
      --limit: Draw each world up to this number of worlds, and larger models by classes.
    """

    atoms: Names | None = None
    edges: Literal["spanning", "full", "hulls"] = "spanning"
    edge_labels: Annotated[
        bool | None, "--labels/--legend: Whether agents' names are on the lines, or in a legend of colours."
    ] = None
    arrangement: str = "auto"
    title: str | None = None
    theme: str | None = None
    width: float | None = None
    font_size: float | None = None
    dpi: float | None = None
    document: bool = False
    limit: int | None = None


@command("draw")
def draw_command(
    source: str,
    updates: tuple[str, ...] = (),
    *,
    out: File,
    n: int | None = None,
    more: Annotated[
        tuple[str, ...],
        "--updates UPDATE…: Updates: parts of the names of the puzzle's events, or formulas to announce.",
    ] = (),
    agents: Names | None = None,
    formulas: tuple[str, ...] = (),
    colors: tuple[str, ...] = (),
    secrets: bool = False,
    public: bool = False,
    looks: _Looks,
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
      -o, --out: The file to write; its ending is the format: png, pdf, svg, tex, dot, gif or html.
      -n: The size of a puzzle.
      --agents NAMES: The agents whose relations are drawn, separated by commas; by default all.
      --formula: Fill the worlds where this formula is true. A page offers a choice of several
        formulas.
      --color AGENT=COLOUR: The colour of an agent's lines: #rrggbb, or a CSS colour name.
      --secrets: For a game: draw all secrets. This is the default once it is over.
      --public: For a game: draw only what everybody may know. This is the default until it is over.
    """
    from visualise import save

    if secrets and public:
        raise FormatError("--secrets and --public are two different pictures; give one of them")
    asked = [formula(text) for text in formulas]
    ending = out.suffix.lower()
    wanted = secrets if secrets or public else None
    story, options = _read(source, n, (*more, *updates), agents, wanted, moving=ending in _MOVING)
    options |= {name: value for name, value in looks._asdict().items() if value is not None}
    if len(asked) > 1 and ending != ".html":
        raise FormatError("--formula: a picture shows one; several are for a page (.html), to choose among")
    if asked:
        options["formula"] = asked[0]
    if colors:
        options["colors"] = dict(map(_coloured, colors))
    save(story, out, agents=agents, formulas=asked[1:], **options)
    click.echo(str(out))


def _coloured(text: str) -> tuple[str, str]:
    agent, equals, colour = text.rpartition("=")
    if not equals:
        raise FormatError(f"--color must be AGENT=COLOUR, got {text!r}")
    return agent, colour


def _read(
    source: str,
    size: int | None,
    updates: tuple[str, ...],
    agents: list[str] | None,
    secrets: bool | None,
    *,
    moving: bool,
) -> tuple[KripkeModel | Puzzle | History[KripkeModel] | list[Frame], dict[str, Any]]:
    """Return the model, game or puzzle SOURCE after the updates, and the options that suit it."""
    if names_puzzle(source, size):
        found = puzzle(source, n=size)
        _check_is_no_game(secrets)
        return _puzzle_story(found, updates), {"title": found.name} if moving else {}
    loaded = load(source)
    if not isinstance(loaded, KripkeModel):
        if updates:
            raise FormatError("--updates is for models and puzzles; --formula fills worlds of a game")
        open_now = loaded.verdict is not None if secrets is None else secrets
        return _game_story(loaded, agents, secrets=open_now, moving=moving)
    _check_is_no_game(secrets)
    history = History(loaded)
    for text in updates:
        history = history.then(text)
    return history if updates else loaded, {}


def _check_is_no_game(secrets: bool | None) -> None:
    if secrets is not None:
        raise FormatError("--secrets and --public are for games")


def _puzzle_story(found: Puzzle, updates: tuple[str, ...]) -> Puzzle | History[KripkeModel]:
    """Return a puzzle, or its history if other updates are asked for than its own events."""
    if not updates:
        return found
    history = History(found.model)
    left = list(found.events)
    for text in updates:
        place = next((k for k, event in enumerate(left) if text.casefold() in event.name.casefold()), None)
        if place is None:
            history = history.then(_announced(text, found))
        else:
            event = left[place]
            del left[: place + 1]
            history = history.then(event.action, name=event.name)
    return history


def _announced(text: str, found: Puzzle) -> Formula | ActionModel:
    """Read an update that is not an event of the puzzle as a formula about it."""
    try:
        read = formula(text)
    except FormulaError:
        read = None
    if read is None or not read.atoms <= set(found.model.atoms):
        raise UnknownNameError(text, [event.name for event in found.events], kind="event")
    return read


def _game_story(
    game: QuantumWerewolf, agents: list[str] | None, *, secrets: bool, moving: bool
) -> tuple[list[Frame], dict[str, Any]]:
    """Return the models of a game, of a still picture only the last, and how to label the worlds."""
    # the name of a world is its roles and, after a blank each, the private records
    looks: dict[str, Any] = {"names": lambda w: w.split(" ")[0], "atoms": lambda w: w.split(" ")[1:]}
    moments = [game.at(step) for step in range(len(game.states))] if moving else [game]
    if secrets:
        shown = _drawable(game, agents)
        told = [_with_secrets(moment, shown) for moment in moments]
    else:
        told = list(map(_public, moments))
    if any(frame.cells for frame in told):
        if agents is not None:
            raise FormatError("--agents: too many secrets to draw in public; the game master adds --secrets")
        note("too many worlds to draw one by one; the players' cells are shown")
    frames = [told[0], *(new for old, new in pairwise(told) if new != old)]
    about = [f"Game of {', '.join(game.players)}."]
    if not all(frame.cells for frame in frames):
        about.append(f"{_key(game)}.")
    if not moving:
        about.append(told[-1].title)
    return frames, looks | {"title": " ".join(about)}


def _key(game: QuantumWerewolf) -> str:
    """Return the meaning of the letters of a world."""

    roles = ", ".join(f"{game.setup.deck.letter(role)} {role}" for role in game.setup.deck.roles)
    return f"A world names their roles in this order: {roles}; the dead with a capital"


def _drawable(game: QuantumWerewolf, agents: list[str] | None) -> list[str]:
    """Return the players whose knowledge the model has: those asked for, else all if that is not too much.

    With many secrets the model for all players has more worlds than anybody can look at; then a note says so,
    and the superposition is drawn.
    """
    from kripke_werewolf.werewolf.game_models import Course
    from kripke_werewolf.werewolf.told import told

    if agents is not None:
        return agents
    if Course.of(told(game, full=True), game.players).most_worlds <= _LIMIT:
        return list(game.players)
    note("too many secrets to draw; the superposition is shown (see --agents)")
    return []


def _public(game: QuantumWerewolf) -> Frame:
    """Return the frame of public information: without actual worlds and without secrets.

    Where the worlds are too many to draw it is the players' cells.
    """
    from kripke_werewolf.reports.documents import Paragraph
    from kripke_werewolf.reports.tables import Grid
    from kripke_werewolf.werewolf.game_models import Course, build_model
    from kripke_werewolf.werewolf.knowledge import public_cells
    from kripke_werewolf.werewolf.told import screen, told
    from visualise import Frame

    document, known = screen(game), told(game).past
    said = [message.text for message in game.news if message.to is None]
    living = [block.text for block in document.blocks if isinstance(block, Paragraph)][:1]
    grids = [block for block in document.blocks if isinstance(block, Grid)]
    rows = ((tuple(grids[0].header), *grids[0].rows)) if grids else ()
    title = " ".join([f"{document.title.capitalize()}.", *said, *living])
    if Course.of(known, game.players).most_worlds <= _LIMIT:
        model = build_model(known, limit=_LIMIT)
        if len(model) <= _DRAWN:
            return Frame(title, model.point(*model.worlds), rows)
    cells = public_cells(game, limit=_LIMIT)
    return Frame(title, cells.deals, rows, cells)


def _with_secrets(game: QuantumWerewolf, agents: list[str]) -> Frame:
    """Return the frame of the game master, or of everybody after the game."""
    from visualise import Frame

    told = (event.in_full() for step in game.steps[-1:] for event in step)
    words = " ".join(filter(None, told)) if game.steps else "The game begins."
    grid = game.table().grid("percent")
    model = game.model(agents, limit=_LIMIT)
    return Frame(words or "The phase ends.", model, (tuple(grid.header), *grid.rows))
