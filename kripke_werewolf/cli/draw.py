"""`kripke-werewolf draw SOURCE -o FILE`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kripke_werewolf.cli.output import NEW_FILE, note
from kripke_werewolf.cli.sources import load
from kripke_werewolf.errors import FormatError, FormulaError, UnknownNameError
from kripke_werewolf.language.formulas import formula
from kripke_werewolf.models import KripkeModel
from kripke_werewolf.models.history import History
from kripke_werewolf.puzzles import PUZZLES, Puzzle, puzzle

if TYPE_CHECKING:
    from kripke_werewolf.language import Formula
    from kripke_werewolf.semantics.action import ActionModel
    from kripke_werewolf.werewolf import QuantumWerewolf
    from visualise import Frame

_MOVING = (".gif", ".html")  # show all of a story; the other formats show its end
_LIMIT = 20_000  # worlds of a model of a game


def _names(_: click.Context, __: click.Parameter, value: str | None) -> list[str] | None:
    return None if value is None else [name.strip() for name in value.split(",") if name.strip()]


@click.command("draw")
@click.argument("source")
@click.argument("more", nargs=-1, metavar="[UPDATE]…")
@click.option(
    "-o",
    "--out",
    required=True,
    type=NEW_FILE,
    help="The file to write; its ending is the format: png, pdf, svg, tex, dot, gif or html.",
)
@click.option("-n", "size", type=int, help="The size of a puzzle that has one.")
@click.option(
    "--updates",
    multiple=True,
    metavar="UPDATE…",
    help="What happens: parts of the names of the puzzle's events, or formulas that are announced.",
)
@click.option(
    "--agents",
    callback=_names,
    metavar="NAMES",
    help="Whose relations are drawn, with commas; by default all.",
)
@click.option(
    "--atoms",
    callback=_names,
    metavar="NAMES",
    help="The atoms written at the worlds, with commas; '' for none. By default all that are true.",
)
@click.option(
    "--formula",
    "formulas",
    multiple=True,
    help="Worlds where it is true are filled. On a page several can be chosen among.",
)
@click.option(
    "--edges",
    type=click.Choice(["spanning", "full", "hulls"]),
    default="spanning",
    help="How classes are shown: lines without those implied by transitivity, all lines, or outlines.",
)
@click.option(
    "--labels/--legend",
    "edge_labels",
    default=None,
    help="Agents' names on the lines, or colours and a legend.",
)
@click.option(
    "--arrangement",
    default="auto",
    help="How worlds are arranged: auto, line, cube, ring, grid, force, rows or graphviz.",
)
@click.option("--title", help="A heading.")
@click.option(
    "--limit", type=int, help="How many worlds are drawn one by one; larger models are drawn by classes."
)
def draw_command(
    source: str,
    more: tuple[str, ...],
    out: Path,
    size: int | None,
    updates: tuple[str, ...],
    agents: list[str] | None,
    formulas: tuple[str, ...],
    **looks: Any,
) -> None:
    """Draw a model, a game or a puzzle.

    SOURCE is a model (a JSON file), a game (the log that `play` writes) or the name of a puzzle.
    A page (.html) and an animation (.gif) show all updates, the other formats what comes after them.

    \b
    kripke-werewolf draw muddy-children -n 3 -o cube.png
    kripke-werewolf draw muddy-children -n 3 -o m.gif --updates father nobody
    kripke-werewolf draw game.jsonl -o game.html
    """
    from visualise import save

    asked = [formula(text) for text in formulas]
    ending = out.suffix.lower()
    story, options = _read(source, size, (*updates, *more), agents, moving=ending in _MOVING)
    options |= {name: value for name, value in looks.items() if value is not None}
    if len(asked) > 1 and ending != ".html":
        raise FormatError("--formula: a picture shows one; several are for a page (.html), to choose among")
    if asked:
        options["formula"] = asked[0]
    save(story, out, agents=agents, formulas=asked[1:], **options)
    click.echo(str(out))


def _read(
    source: str, size: int | None, updates: tuple[str, ...], agents: list[str] | None, *, moving: bool
) -> tuple[KripkeModel | History[KripkeModel] | list[Frame], dict[str, Any]]:
    """Return the model, game or puzzle SOURCE after the updates, and the options that suit it."""
    if source in PUZZLES:
        found = puzzle(source, n=size)
        return _puzzle_story(found, updates, moving=moving), {"title": found.name} if moving else {}
    if size is not None:
        raise FormatError(f"-n is for puzzles; {source!r} is not one of them: {', '.join(PUZZLES)}")
    if not Path(source).exists() and not Path(source).suffix:
        raise UnknownNameError(source, PUZZLES, kind="puzzle or file")
    loaded = load(source)
    if not isinstance(loaded, KripkeModel):
        if updates:
            raise FormatError("--updates is for models and puzzles; a game has events of its own")
        return _game_story(loaded, agents, moving=moving)
    history = History(loaded)
    for text in updates:
        history = history.then(text)
    return history if updates else loaded, {}


def _puzzle_story(found: Puzzle, updates: tuple[str, ...], *, moving: bool) -> History[KripkeModel]:
    """Return the history of a puzzle: the updates asked for, else for moving pictures its own events."""
    history = History(found.model)
    if not updates:
        return found.history() if moving else history
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
    """Read an update that is no event of the puzzle as a formula about it."""
    try:
        read = formula(text)
    except FormulaError:
        read = None
    if read is None or not read.atoms <= set(found.model.atoms):
        raise UnknownNameError(text, [event.name for event in found.events], kind="event")
    return read


def _game_story(
    game: QuantumWerewolf, agents: list[str] | None, *, moving: bool
) -> tuple[KripkeModel | list[Frame], dict[str, Any]]:
    """Return the model of a game, or for moving pictures all its models, and how to label the worlds."""
    agents = _drawable(game, agents)
    heading = f"Game of {', '.join(game.players)}"
    # the name of a world is its roles and, after a blank each, the private records
    looks: dict[str, Any] = {"names": lambda w: w.split(" ")[0], "atoms": lambda w: w.split(" ")[1:]}
    if moving:
        return list(_game_frames(game, agents)), looks | {"title": heading}
    heading += ": a world names their roles in this order, the dead with a capital"
    return game.model(agents, limit=_LIMIT), looks | {"title": heading}


def _drawable(game: QuantumWerewolf, agents: list[str] | None) -> list[str]:
    """Return the players whose knowledge is drawn: those asked for, else all if that is not too much.

    With many secrets the model for all players has more worlds than anybody can look at; then just the
    superposition is drawn, and a note says how to see what a player can tell apart.
    """
    from kripke_werewolf.werewolf.game_models import largest_model

    if agents is not None:
        return agents
    if largest_model(game, game.players, deaths_of=game.players) <= _LIMIT:
        return list(game.players)
    note("too many secrets to draw; only the superposition is shown (see --agents)")
    return []


def _game_frames(game: QuantumWerewolf, agents: list[str]) -> Iterator[Frame]:
    """Yield the game after each of its steps that changed what is known, with its table."""
    from kripke_werewolf.werewolf.telling import sentence, stages
    from visualise import Frame

    last = None
    for step, state in enumerate(stages(game)):
        model = state.model(agents, limit=_LIMIT)
        if model == last:
            continue
        last = model
        words = " ".join(filter(None, map(sentence, game.steps[step - 1]))) if step else "The game begins."
        grid = state.table().grid("percent")
        yield Frame(words, model, (tuple(grid.header), *grid.rows))
