"""The functions that draw: `visualise` registers them when it is loaded, and values ask for them by name.

So a model can draw itself, and nothing in this package depends on the package that draws.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias, TypedDict, Unpack, overload

from kripke_werewolf.base.settings import Positive

Arrangement: TypeAlias = Literal["auto", "line", "cube", "ring", "grid", "layers", "force", "rows"]
"""The ways to arrange worlds; see `visualise.layout.arrange`."""
EdgeChoice: TypeAlias = Literal["spanning", "full", "hulls"]
"""What is drawn of an equivalence."""


class Options(TypedDict, total=False):
    """The common options of the functions that draw a model.

    `agents`: the agents whose relations are drawn; by default all, except, in larger models, agents who
    cannot tell any worlds apart, who are named in the caption. `pos`: {world: (x, y)} by hand, in any unit.
    `arrangement`, `seed`: see `layout.arrange`. `formula`: worlds where it is true are filled.
    `fills="bisimulation"`: bisimilar worlds have the same colour. `explain`: an explanation (or a formula,
    explained at the first designated world) whose path is marked. `edges`: for equivalences, `"spanning"`
    lines (those implied by transitivity left out), the `"full"` set, or `"hulls"` around the classes.
    `edge_labels`: agents' names on black lines instead of colours with a legend. `atoms`: those shown, or a
    function of the world that returns a string, or several. `names`: {world: string} or a function.
    `icons`: drawings inside the worlds, as a puzzle declares them; each stands for its atoms, if all occur,
    unless nodes represent several worlds. `title`: a heading. `caption`: a string below, instead of the
    remarks on things left out. `legend`: whether there is one. `limit`: the most worlds drawn one by one, by
    default 64, or 24 if the writing would be too small to read; larger models are drawn by classes, or around
    the designated worlds. The order of the worlds may change their places, but not what is shown.

    The look: `theme`: `"light"`, `"dark"`, or `"print"` without colours. `colors`: {agent: colour}, a colour
    as `#rrggbb` or by its name in CSS; by default colours follow the order of the agents. `width`: of the
    picture, in centimetres, `"8cm"` or `"column"`; worlds then stand so that letters of 7 points fit, if they
    can. Or `font_size`: of the names in it, in points (11 unless the picture is resized). Lettering and
    everything else scale together.
    """

    agents: Iterable[Any] | None
    pos: Mapping[Any, Sequence[float]] | None
    arrangement: Arrangement
    seed: int
    formula: Any
    fills: Literal["bisimulation"] | None
    explain: Any
    edges: EdgeChoice
    edge_labels: bool
    atoms: Iterable[str] | Callable[[Any], str | Iterable[str]] | None
    names: Mapping[Any, str] | Callable[[Any], str] | None
    icons: Sequence[Any]
    title: str
    caption: str | None
    legend: bool
    limit: Positive
    theme: str
    colors: Mapping[Any, str] | None
    width: str | float | None
    font_size: float | None


class Picture(Protocol):
    """A finished picture: a notebook shows it, and `visualise.save` writes it to a file."""

    @property
    def title(self) -> str:
        """The heading, or a name made of its content."""

    def display(self) -> Iterator[Any]:
        """Yield the picture, for a notebook."""


class Pictures(Protocol):
    """The pictures of a story, in order; a notebook shows them, and `visualise.save` writes them."""

    @property
    def scenes(self) -> tuple[Picture, ...]:
        """The pictures."""

    def display(self) -> Iterator[Any]:
        """Yield the pictures, for a notebook."""


def is_picture(path: str | os.PathLike[str]) -> bool:
    """Return whether a file is named like a picture.

    >>> is_picture("cube.PNG"), is_picture("cube.json")
    (True, False)
    """
    return Path(path).suffix.lower() in _ENDINGS


def draw(what: Any, path: str | os.PathLike[str] | None = None, **options: Unpack[Options]) -> Any:
    """Return the picture of a model, an action, a history, …; with `path` it is also written to that file."""
    if path is not None:
        save(what, path, **options)
    return what.draw(**options)


def save(what: Any, path: str | os.PathLike[str], **options: Any) -> None:
    """Write a value to a file: its picture, if the file is named like one, or else its data."""
    if is_picture(path):
        drawer("save")(what, path, **options)
    else:
        what.save(path, **options)


_ENDINGS = (".png", ".pdf", ".svg", ".tex", ".dot", ".gv", ".gif", ".html")
_DRAWERS: dict[str, Callable[..., Any]] = {}


def register(functions: Mapping[str, Callable[..., Any]]) -> None:
    """Make functions of the package that draws known by name."""
    _DRAWERS.update(functions)


@overload
def drawer(name: Literal["scene_of", "difference", "update_picture"]) -> Callable[..., Picture]: ...
@overload
def drawer(name: Literal["film"]) -> Callable[..., Pictures]: ...
@overload
def drawer(name: str) -> Callable[..., Any]: ...
def drawer(name: str) -> Callable[..., Any]:
    """Return a function that draws; loads the package that draws.

    >>> drawer("svg").__module__
    'visualise.output'
    """
    if name not in _DRAWERS:
        import_module("visualise")
    return _DRAWERS[name]
