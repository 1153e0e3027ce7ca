"""All puzzles by name."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import Any

from kripke_werewolf.base.display import Catalogue
from kripke_werewolf.base.errors import FormatError, ModelError, UnknownNameError, check_known
from kripke_werewolf.base.usage import explained
from kripke_werewolf.logic.english.phrases import sections
from kripke_werewolf.logic.puzzles import actions, announcements, beliefs, cards, numbers
from kripke_werewolf.logic.puzzles.puzzle import Engine, Puzzle

_SAID = sections("puzzles", __package__ or "")
_ROOMS = (actions, announcements, beliefs, cards, numbers)
_BUILT = {name.replace("_", "-"): build for room in _ROOMS for name, build in vars(room).items()}

PUZZLES: Catalogue[Callable[..., Puzzle]] = Catalogue.of(
    {name: _BUILT[name] for name in _SAID if name in _BUILT},
    lambda build: _SAID[build.__name__.replace("_", "-")]["says"],
)
"""The functions that build the puzzles, each with a sentence for any size."""


def puzzle(name: str, n: int | None = None, *, engine: Engine = "explicit", **options: Any) -> Puzzle:
    """Return a puzzle by its name, of size n where the puzzle has a size, on one of the engines.

    `options`: the other arguments of the function of that puzzle, such as `muddy` of `muddy_children`. Raises
    `UnknownNameError` for an unknown name, `CallError` for an unknown option, and `ModelError` for an
    impossible size.

    >>> len(puzzle("muddy-children", 5).model)
    32
    """
    build = PUZZLES[check_known(name, PUZZLES, kind="puzzle")]
    if n is not None and "n" not in signature(build).parameters:
        raise ModelError(f"the puzzle {name} has no size n")
    given = {option: value for option, value in {"n": n, **options}.items() if value is not None}
    found: Puzzle = explained(build)(**given, engine=engine)
    return found


def names_puzzle(source: str, n: int | None = None) -> bool:
    """Whether a command means a puzzle by `source`, and not a file.

    Raises `FormatError` for a size given with a file, and `UnknownNameError` for a word that is neither.

    >>> names_puzzle("cheryl"), names_puzzle("model.json")
    (True, False)
    """
    if source in PUZZLES:
        return True
    if n is not None:
        raise FormatError(f"a size is for puzzles, and {source!r} is not one of them: {', '.join(PUZZLES)}")
    path = Path(source)
    if path.name == source and not path.suffix and not path.exists():
        beside = sorted(file.name for file in Path().iterdir())
        raise UnknownNameError(source, [*PUZZLES, *beside], kind="puzzle or file")
    return False
