"""What is written about a model: names and atoms of worlds, titles, descriptions, remarks."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Mapping
from typing import Any

import numpy as np

from kripke_werewolf.errors import ModelError, UnknownNameError
from kripke_werewolf.language.formulas import agent_name
from kripke_werewolf.models import KripkeModel
from kripke_werewolf.models.refinement import Refinement, View
from visualise.compose import Item
from visualise.large import Drawn
from visualise.options import Options
from visualise.palette import INK, PAPER, TRUE_FILL, class_fill
from visualise.structure import Structure
from visualise.text import Text, atom_runs, natural, plain, world_texts

__all__ = ["description", "headline", "items_of", "left_out", "listed", "remarks", "shown_agents"]

_MANY = 7  # from so many worlds on, agents who know nothing are named, not drawn
_LONGEST_DESCRIPTION = 2000


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


def items_of(drawn: Drawn, options: Options, marked: Container[Hashable] = ()) -> list[Item]:
    """Return what is to be shown of each world; those `marked` are on an explanation's path."""
    model = drawn.model
    fills = _fills(drawn, options)
    designated = set(model.designated_indices.tolist())
    some = len(designated) < len(model)
    parts = _parts(model, options.get("atoms"))
    scale = _scales(model, options.get("weights"))
    shown = world_texts(model.worlds)
    out = []
    for k, world in enumerate(model.worlds):
        name = _name(world, shown[k], options.get("names"))
        ring = some and k in designated
        title = _title(model, world, shown[k], ring)
        accent = world in marked
        out.append(Item(world, name, parts[k], "round", ring, fills[k], INK, scale[k], title, accent))
    return out


def _fills(drawn: Drawn, options: Options) -> list[str]:
    wanted, colours = options.get("formula"), options.get("colours")
    if colours not in (None, "bisimulation"):
        raise UnknownNameError(colours, ["bisimulation"], kind="choice of colours")
    if colours and wanted is not None:
        raise ModelError("fills show a formula or bisimulation classes; give formula= or colours=, not both")
    if colours:
        return _class_fills(bisimulation_classes(drawn.model))
    if wanted is None:
        return [PAPER] * len(drawn.model)
    return [TRUE_FILL if true else PAPER for true in drawn.truth(drawn.whole.truth_set(wanted))]


def _class_fills(classes: list[int]) -> list[str]:
    """Return a colour for each class of several worlds; worlds that are like no other stay white."""
    fills: dict[int, str] = {}
    for k in classes:
        if classes.count(k) > 1 and k not in fills:
            fills[k] = class_fill(len(fills))
    return [fills.get(k, PAPER) for k in classes]


def bisimulation_classes(model: KripkeModel) -> list[int]:
    """Return the number of each world's class of bisimilar worlds, by first world."""
    start = np.zeros(len(model), np.int64)
    for atom in model.atoms:
        _, start = np.unique(2 * start + model.truth(atom), return_inverse=True)
    views = [View(relation) for relation in model.relations.values()]
    block = Refinement(views, start.astype(np.int32)).run().block
    numbers: dict[int, int] = {}
    return [numbers.setdefault(b, len(numbers)) for b in block.tolist()]


def _name(world: Any, shown: str, names: Mapping[Any, str] | Callable[[Any], str] | None) -> str:
    if names is None:
        return shown
    return str(names(world)) if callable(names) else str(names.get(world, shown))


def _parts(
    model: KripkeModel, atoms: Iterable[str] | Callable[[Any], str | Iterable[str]] | None
) -> list[tuple[Text, ...]]:
    if callable(atoms):
        said = (atoms(world) for world in model.worlds)
        return [tuple(filter(None, map(plain, [t] if isinstance(t, str) else t))) for t in said]
    if atoms is None:
        shown = natural(model.atoms)
    else:
        shown = tuple(dict.fromkeys([atoms] if isinstance(atoms, str) else atoms))
    rows = [(atom_runs(atom), model.truth(atom)) for atom in shown]
    return [tuple(text for text, row in rows if row[k]) for k in range(len(model))]


def _scales(model: KripkeModel, agent: Any) -> list[float]:
    if agent is None:
        return [1.0] * len(model)
    weights = [int(w) for w in model.weight(agent)]
    mean = max(sum(weights) / max(len(weights), 1), 1e-9)
    return [min(2.0, max(0.75, (w / mean) ** 0.5)) for w in weights]


def _title(model: KripkeModel, world: Hashable, name: str, designated: bool) -> str:
    true = ", ".join(natural(model.atoms_at(world))) or "no atom"
    return f"world {name}{', designated' if designated else ''}; true: {true}"


# --- about the whole -------------------------------------------------------------------------------


def listed(names: Iterable[str]) -> str:
    """Return names as a reader lists them: `a, b and c`."""
    found = list(names)
    return " and ".join(filter(None, (", ".join(found[:-1]), *found[-1:])))


def headline(model: KripkeModel) -> str:
    """Return what a model is called that has no name."""
    count = len(model)
    return f"Kripke model with {count:,} world{'' if count == 1 else 's'}"


def left_out(s: Structure, options: Options) -> list[str]:
    """Return what has to be said of lines that are not drawn."""
    spanning = options.get("edges", "spanning") == "spanning"
    if spanning and any(len(cell) > 2 for ties in s.ties for cell in ties.classes or ()):
        return ["Lines implied by transitivity are left out."]
    return []


def remarks(drawn: Drawn, s: Structure, options: Options) -> list[str]:
    """Return what has to be said below a picture, in sentences: what is left out of it."""
    model = drawn.model
    out = [drawn.remark] if drawn.remark else []
    if len(model) > 1 and len(model.designated_indices) == len(model):
        out.append("All worlds are designated.")
    if options.get("agents") is None and (blind := ignorant(drawn.whole)):
        out.append(f"{listed(blind)} cannot tell any of these worlds apart.")
    out += left_out(s, options)
    if options.get("edges", "spanning") == "spanning" and any(ties.groups for ties in s.ties):
        out.append("Lines without heads join worlds that see each other; arrows to one of them go to all.")
    # loops that all worlds have are not in the structure
    if any(t.pairs and not t.loops and model.relation(t.agent).edge_count() > len(t.pairs) for t in s.ties):
        out.append("Arrows from each world to itself are left out.")
    if options.get("colours") == "bisimulation":
        out.append("Worlds of one colour are bisimilar; white ones are like no other.")
    return out


def description(drawn: Drawn, s: Structure) -> str:
    """Return the relations in words, for those who cannot see the picture."""
    model = drawn.model
    names = world_texts(model.worlds)
    parts = [f"{headline(drawn.whole)}.", drawn.remark]
    if len(model.designated_indices) < len(model):
        parts.append(f"Designated: {', '.join(names[k] for k in model.designated_indices.tolist())}.")
    for ties in s.ties:
        if ties.classes is None:
            parts.append(f"Agent {ties.agent}: {len(ties.pairs)} arrows between different worlds.")
            continue
        cells = "; ".join(", ".join(names[w] for w in cell) for cell in ties.classes if len(cell) > 1)
        parts.append(f"Agent {ties.agent} confuses {cells or 'no worlds'}.")
    text = " ".join(filter(None, parts))
    return text if len(text) <= _LONGEST_DESCRIPTION else text[: _LONGEST_DESCRIPTION - 1] + "…"
