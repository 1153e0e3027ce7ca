"""From a model to a `Scene`: what is shown of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, TypedDict, Unpack

from kripke_werewolf.errors import UnknownNameError
from kripke_werewolf.formulas.base import FormulaLike, agent_name, formula
from kripke_werewolf.models import KripkeModel
from visualise.compose import Item, Look, boxes_of, compose, with_notes
from visualise.geometry import Box, Positions
from visualise.layout import GAP, Arrangement, arrange, by_hand
from visualise.palette import PAPER, TRUE_FILL, Pen, pen
from visualise.routing import EdgeChoice
from visualise.scene import Scene
from visualise.structure import Structure, structure
from visualise.text import Text, atom_runs, natural, plain, width_of, world_text

__all__ = ["LIMIT", "Options", "layout", "picture"]

LIMIT = 60  # worlds drawn one by one, unless the caller allows more
_MANY = 7  # from here on agents who know nothing are named, not drawn


class Options(TypedDict, total=False):
    """What the functions of this package that draw a model have in common.

    `agents`: whose relations; by default all, but for agents who cannot tell any worlds apart in a
    model of more than a few: those are named in the caption. `pos`: {world: (x, y)} by hand.
    `arrangement`, `seed`: see `layout.arrange`. `formula`: worlds where it is true are filled. `explain`:
    an explanation (or a formula, explained at the first designated world) whose path is marked. `edges`:
    for equivalences, `"spanning"` lines (those implied by transitivity left out), the `"full"` set,
    or `"hulls"` around the classes. `edge_labels`: agents' names on black lines instead of colours
    with a legend. `atoms`: those shown, or a function of the world that returns a text. `names`:
    {world: text} or a function. `weights`: an agent whose weights are the sizes. `title`: a heading.
    `caption`: a text below; by default what is left out of the picture. `legend`: whether there is
    one. `limit`: how many worlds are drawn one by one.
    """

    agents: Iterable[Any] | None
    pos: Mapping[Any, Sequence[float]] | None
    arrangement: Arrangement
    seed: int
    formula: FormulaLike | None
    explain: Any
    edges: EdgeChoice
    edge_labels: bool
    atoms: Iterable[str] | Callable[[Any], str] | None
    names: Mapping[Any, str] | Callable[[Any], str] | None
    weights: Any
    title: str
    caption: str | None
    legend: bool
    limit: int


def picture(model: KripkeModel, **options: Unpack[Options]) -> Scene:
    """Return the scene of a model; `Options` says what can be chosen.

    Raises `UnknownAgentError`, `UnknownAtomError` and `UnknownNameError` for names that do not
    occur, and `ModelError` for positions that do not fit.
    """
    agents = shown_agents(model, options.get("agents"))
    s = structure(model, agents)
    items = _items(model, options)
    boxes = boxes_of(items, s)
    place = _place(model, s, boxes, options)
    pens = tuple(pen(model.agents.index(agent)) for agent in agents)
    edges = options.get("edges", "spanning")
    if edges not in ("spanning", "full", "hulls"):
        raise UnknownNameError(edges, ("spanning", "full", "hulls"), kind="choice of edges")
    scene = compose(items, s, place, Look(pens, edges, options.get("edge_labels", False)))
    return finished(scene, model, s, pens, options)


def layout(model: KripkeModel, **options: Unpack[Options]) -> dict[Hashable, tuple[float, float]]:
    """Return where `picture` puts the worlds, in points; give it back as `pos=` to share positions."""
    agents = shown_agents(model, options.get("agents"))
    s = structure(model, agents)
    place = _place(model, s, boxes_of(_items(model, options), s), options)
    return {world: (float(x), float(y)) for world, (x, y) in zip(model.worlds, place, strict=True)}


def shown_agents(model: KripkeModel, agents: Iterable[Any] | None) -> tuple[str, ...]:
    """Return the names of the agents to draw, in the order of the model; raises `UnknownAgentError`."""
    if agents is None:
        return tuple(agent for agent in model.agents if agent not in ignorant(model))
    wanted = {agent_name(agent) for agent in ([agents] if isinstance(agents, str) else agents)}
    for agent in sorted(wanted):
        model.relation(agent)
    return tuple(agent for agent in model.agents if agent in wanted)


def ignorant(model: KripkeModel) -> tuple[str, ...]:
    """Return the agents who cannot tell any worlds apart: their lines would hide the others'.

    In models of a few worlds they are drawn like all.
    """
    if len(model) < _MANY:
        return ()
    return tuple(a for a in model.agents if model.relation(a).edge_count() == len(model) ** 2)


def _place(model: KripkeModel, s: Structure, boxes: Sequence[Box], options: Options) -> Positions:
    pos = options.get("pos")
    if pos is not None:
        return by_hand(pos, model.worlds, boxes)
    gap = GAP
    if options.get("edge_labels"):  # room for the names on the lines
        gap = max(gap, min(width_of(plain(", ".join(t.agent for t in s.ties)), 10), 70.0) + 22)
    return arrange(
        s, boxes, arrangement=options.get("arrangement", "auto"), seed=options.get("seed", 0), gap=gap
    )


def _items(model: KripkeModel, options: Options) -> list[Item]:
    wanted = options.get("formula")
    true = None if wanted is None else model.truth_set(wanted)
    designated = set(model.designated_indices.tolist())
    some = len(designated) < len(model)
    parts = _parts(model, options.get("atoms"))
    scale = _scales(model, options.get("weights"))
    out = []
    for k, world in enumerate(model.worlds):
        name = _name(world, options.get("names"))
        out.append(
            Item(
                world,
                name,
                parts[k],
                ring=some and k in designated,
                fill=TRUE_FILL if true is not None and true[k] else PAPER,
                scale=scale[k],
                title=_title(model, world, name, some and k in designated),
            )
        )
    return out


def _name(world: Any, names: Mapping[Any, str] | Callable[[Any], str] | None) -> str:
    if names is None:
        return world_text(world)
    return str(names(world)) if callable(names) else str(names.get(world, world_text(world)))


def _parts(model: KripkeModel, atoms: Iterable[str] | Callable[[Any], str] | None) -> list[tuple[Text, ...]]:
    if callable(atoms):
        return [(text,) if (text := plain(str(atoms(world)))) else () for world in model.worlds]
    shown = (
        natural(model.atoms)
        if atoms is None
        else tuple(dict.fromkeys([atoms] if isinstance(atoms, str) else atoms))
    )
    rows = [(atom_runs(atom), model.truth(atom)) for atom in shown]
    return [tuple(text for text, row in rows if row[k]) for k in range(len(model))]


def _scales(model: KripkeModel, agent: Any) -> list[float]:
    if agent is None:
        return [1.0] * len(model)
    weights = model.weight(agent)
    largest = max(1, *map(int, weights))
    return [0.55 + 0.75 * (int(w) / largest) ** 0.5 for w in weights]


def _title(model: KripkeModel, world: Hashable, name: str, designated: bool) -> str:
    true = ", ".join(natural(model.atoms_at(world))) or "no atom"
    return f"world {name}{', designated' if designated else ''}; true: {true}"


def finished(scene: Scene, model: KripkeModel, s: Structure, pens: Sequence[Pen], options: Options) -> Scene:
    """Return the scene with its legend, its caption and its description."""
    from dataclasses import replace

    samples: list[tuple[Text, Mapping[str, object]]] = []
    if not options.get("edge_labels"):
        for ties, own in zip(s.ties, pens, strict=True):
            samples.append(
                (plain(ties.agent), {"pen": own, "agent": ties.agent, "heads": ties.classes is None})
            )
    wanted = options.get("formula")
    if wanted is not None:
        samples.append((plain(formula(wanted).unicode()), {"fill": TRUE_FILL}))
    caption = options.get("caption")
    title = options.get("title", "")
    described = replace(scene, title=title or _headline(model), description=_description(model, s))
    return with_notes(
        described,
        samples if options.get("legend", True) else (),
        heading=title,
        caption=_remarks(model, s, options) if caption is None else caption,
    )


def _remarks(model: KripkeModel, s: Structure, options: Options) -> str:
    out = []
    if len(model) > 1 and len(model.designated_indices) == len(model):
        out.append("All worlds are designated.")
    if options.get("agents") is None and (blind := ignorant(model)):
        names = " and ".join(filter(None, (", ".join(blind[:-1]), blind[-1])))
        out.append(f"{names} cannot tell any of these worlds apart.")
    if options.get("edges", "spanning") == "spanning" and any(
        len(cell) > 2 for ties in s.ties for cell in ties.classes or ()
    ):
        out.append("Lines implied by transitivity are left out.")
    if any(ties.classes is None and not ties.loops and ties.pairs for ties in s.ties):
        reflexive = [
            t.agent
            for t in s.ties
            if t.classes is None and model.relation(t.agent).edge_count() > len(t.pairs)
        ]
        if reflexive:
            out.append("Arrows from each world to itself are left out.")
    return " ".join(out)


def _headline(model: KripkeModel) -> str:
    count = len(model)
    return f"Kripke model with {count} world{'' if count == 1 else 's'}"


def _description(model: KripkeModel, s: Structure) -> str:
    parts = [f"{_headline(model)}."]
    if len(model.designated_indices) < len(model):
        named = ", ".join(world_text(w) for w in model.designated)
        parts.append(f"Designated: {named}.")
    for ties in s.ties:
        if ties.classes is not None:
            cells = "; ".join(
                ", ".join(world_text(model.worlds[w]) for w in cell) for cell in ties.classes if len(cell) > 1
            )
            parts.append(
                f"Agent {ties.agent} confuses {cells}." if cells else f"Agent {ties.agent} confuses nothing."
            )
        else:
            parts.append(f"Agent {ties.agent} has {len(ties.pairs)} arrows between different worlds.")
    return " ".join(parts)
