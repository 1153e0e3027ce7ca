"""What the pictures of worlds are made of: children with mud, hats, cards, wolves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Icon:
    """A part of the pictures of worlds, for some atoms.

    `drawing`: the name of a file in `visualise/drawings`, whose parts of the class `true` are drawn where one
    of the atoms is true, those of the class `false` elsewhere. `shows`: the atoms, each with the words
    written into the drawing where it is true. `label`: the name below.

    >>> hands = [Icon("card", {f"{player}_{card}": card for card in "01"}, player) for player in "ab"]
    """

    drawing: str
    shows: Mapping[str, str]
    label: str = ""


def wolf_icons(atoms: Iterable[str]) -> tuple[Icon, ...]:
    """Return the icons that show who is a wolf in the worlds of a game, from the atoms of its model.

    Below each stands the player's name, or its beginning; numbers in the order of the seats if beginnings are
    the same. For example `visualise.svg(model, icons=wolf_icons(model.atoms))`.

    >>> [icon.label for icon in wolf_icons(["seer_Ann", "wolf_Ann", "wolf_Charlotte"])]
    ['Ann', 'Charl']
    """
    names = [atom.removeprefix("wolf_") for atom in atoms if atom.startswith("wolf_")]
    labels = [name[:_LETTERS] for name in names]
    if len(set(labels)) < len(names):
        labels = [str(seat) for seat in range(1, len(names) + 1)]
    return tuple(Icon("wolf", {f"wolf_{name}": ""}, label) for name, label in zip(names, labels, strict=True))


_LETTERS = 5
"""The letters of a label for which there is room below an icon."""
