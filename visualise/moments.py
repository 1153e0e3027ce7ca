"""The models of a game as frames: of what everybody may know, or with all secrets."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from kripke_werewolf.base.reports.documents import Paragraph
from kripke_werewolf.base.reports.tables import Grid
from kripke_werewolf.games.werewolf.game import QuantumWerewolf
from kripke_werewolf.games.werewolf.game_models import Course, build_model
from kripke_werewolf.games.werewolf.told import Told, screen, told
from visualise.sequence import Frame

_LIMIT = 20_000  # worlds of a model of a game


def game_frames(
    game: QuantumWerewolf,
    agents: Iterable[str] | None = None,
    *,
    secrets: bool | None = None,
    moving: bool = False,
) -> tuple[list[Frame], dict[str, Any]]:
    """Return the models of a game with titles, and the options that draw them: how to label the worlds.

    `agents`: the players whose knowledge is shown; by default all, if that is not too much. `secrets`: those
    of the players and the host; by default once the game is over, and else only what everybody may know.
    `moving`: every moment of the game that differs from the one before, instead of the last. Too many worlds
    to draw are said in a warning.
    """
    # the name of a world is its roles and, after a blank each, the private records
    looks: dict[str, Any] = {"names": lambda w: w.split(" ")[0], "atoms": lambda w: w.split(" ")[1:]}
    moments = [game.at(step) for step in range(len(game.states))] if moving else [game]
    open_now = game.verdict is not None if secrets is None else secrets
    known, frame_of = (told(game, full=True), _with_secrets) if open_now else (told(game).past, _public)
    players = _shown(known) if agents is None else list(agents)
    frames = [frame_of(moment, players) for moment in moments]
    frames = [frames[0], *(new for old, new in pairwise(frames) if new != old)]
    about = [f"Game of {', '.join(game.players)}."]
    deck = game.setup.deck
    roles = ", ".join(f"{deck.letter(role)} {role}" for role in deck.roles)
    about.append(f"A world names their roles in this order: {roles}; the dead with a capital.")
    if not moving:
        about.append(frames[-1].title)
    return frames, looks | {"title": " ".join(about)}


def _shown(known: Told) -> Sequence[str]:
    """Return all players, or none if the model of all their secrets has more worlds than one can look at."""
    if Course.of(known, known.setup.players).most_worlds <= _LIMIT:
        return known.setup.players
    remedy = "`game knowledge` prints it, `game report` draws the chances"
    warnings.warn(f"too many secrets to draw: what everybody knows is shown; {remedy}", stacklevel=3)
    return ()


def _public(game: QuantumWerewolf, agents: Sequence[str]) -> Frame:
    """Return the frame of public information: without actual worlds and without secrets."""
    document, known = screen(game), told(game).past
    said = [message.text for message in game.news if message.to is None]
    living = [block.text for block in document.blocks if isinstance(block, Paragraph)][:1]
    rows = next(((block.header, *block.rows) for block in document.blocks if isinstance(block, Grid)), ())
    title = " ".join([f"{document.title.capitalize()}.", *said, *living])
    model = build_model(known, agents, limit=_LIMIT)
    return Frame(title, model.point(*model.worlds), rows)


def _with_secrets(game: QuantumWerewolf, agents: Sequence[str]) -> Frame:
    """Return the frame of the game master, or of everybody after the game."""
    events = (event.in_full() for step in game.steps[-1:] for event in step)
    words = " ".join(filter(None, events)) if game.steps else "The game begins."
    grid, model = game.table().grid("percent"), game.model(agents, limit=_LIMIT)
    return Frame(words or "The phase ends.", model, (tuple(grid.header), *grid.rows))
