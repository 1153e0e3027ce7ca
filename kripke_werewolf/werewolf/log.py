"""The log of a game (reading comes with the file formats)."""

from __future__ import annotations


def game_lines(game: object) -> tuple[str, ...]:
    """Return the lines of the log."""
    return ()
