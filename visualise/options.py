"""The choices that all functions drawing a model have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypedDict, get_args

from kripke_werewolf.errors import ModelError, UnknownNameError
from kripke_werewolf.language.formulas import FormulaLike
from kripke_werewolf.models import KripkeModel
from visualise.layout import Arrangement
from visualise.routing import EdgeChoice
from visualise.text import elided

__all__ = ["LIMIT", "ColourChoice", "Options", "check", "cited"]

LIMIT = 60  # worlds drawn one by one, unless the caller allows more

ColourChoice: TypeAlias = Literal["bisimulation"]


class Options(TypedDict, total=False):
    """What the functions of this package that draw a model have in common.

    `agents`: whose relations; by default all, but for agents who cannot tell any worlds apart in a
    model of more than a few: those are named in the caption. `pos`: {world: (x, y)} by hand, in any
    unit. `arrangement`, `seed`: see `layout.arrange`. `formula`: worlds where it is true are filled.
    `colours="bisimulation"`: bisimilar worlds have the same colour. `explain`: an explanation (or a
    formula, explained at the first designated world) whose path is marked. `edges`: for
    equivalences, `"spanning"` lines (those implied by transitivity left out), the `"full"` set, or
    `"hulls"` around the classes. `edge_labels`: agents' names on black lines instead of colours
    with a legend. `atoms`: those shown, or a function of the world that returns a text, or several.
    `names`: {world: text} or a function. `weights`: an agent whose weights are the sizes. `title`: a
    heading. `caption`: a text below, instead of what is said about things left out. `legend`:
    whether there is one. `limit`: how many worlds are drawn one by one; larger models are drawn by classes.
    """

    agents: Iterable[Any] | None
    pos: Mapping[Any, Sequence[float]] | None
    arrangement: Arrangement
    seed: int
    formula: FormulaLike | None
    colours: ColourChoice | None
    explain: Any
    edges: EdgeChoice
    edge_labels: bool
    atoms: Iterable[str] | Callable[[Any], str | Iterable[str]] | None
    names: Mapping[Any, str] | Callable[[Any], str] | None
    weights: Any
    title: str
    caption: str | None
    legend: bool
    limit: int


def cited(value: object) -> str:
    """Return how a value is called in a message: as Python writes it, not too long."""
    return elided(repr(value), 70)


def check(model: object, options: Options, *, kind: type = KripkeModel, what: str = "a model") -> None:
    """Raise `ModelError` for what is no model and for wrong values, `UnknownNameError` for unknown options.

    `kind`, `what`: the class asked for, and how it is called.
    """
    if not isinstance(model, kind):
        raise ModelError(f"cannot draw {cited(model)}: expected {what}")
    for name, value in options.items():
        if name not in Options.__annotations__:
            raise UnknownNameError(name, list(Options.__annotations__), kind="option")
        if name == "edges" and value not in get_args(EdgeChoice):
            raise UnknownNameError(str(value), get_args(EdgeChoice), kind="choice of edges")
        allowed, wanted = _KINDS.get(name, (object, ""))
        fits = isinstance(value, allowed) and not (isinstance(value, bool) and allowed is int)
        if not fits or (name == "limit" and isinstance(value, int) and value < 1):
            raise ModelError(f"{name} must be {wanted}, got {cited(value)}")


_NONE = type(None)
_KINDS: dict[str, tuple[Any, str]] = {
    "agents": ((Iterable, _NONE), "names of agents"),
    "pos": ((Mapping, _NONE), "a mapping {world: (x, y)}"),
    "seed": (int, "a whole number"),
    "atoms": ((Iterable, Callable, _NONE), "names of atoms, or a function of the world"),
    "names": ((Mapping, Callable, _NONE), "a mapping {world: text}, or a function of the world"),
    "title": (str, "a text"),
    "caption": ((str, _NONE), "a text"),
    "limit": (int, "a whole number of worlds, at least 1"),
}
