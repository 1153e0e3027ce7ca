"""What is written about a model: names and atoms of worlds, titles, descriptions, remarks."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

from kripke_werewolf.formulas.base import agent_name
from kripke_werewolf.models import KripkeModel
from visualise.compose import Item
from visualise.options import Options
from visualise.palette import PAPER, TRUE_FILL
from visualise.structure import Structure
from visualise.text import Text, atom_runs, natural, plain, world_text

__all__ = ["description", "headline", "items_of", "listed", "remarks", "shown_agents"]

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


def items_of(model: KripkeModel, options: Options) -> list[Item]:
    """Return what is to be shown of each world."""
    wanted = options.get("formula")
    true = None if wanted is None else model.truth_set(wanted)
    designated = set(model.designated_indices.tolist())
    some = len(designated) < len(model)
    parts = _parts(model, options.get("atoms"))
    scale = _scales(model, options.get("weights"))
    out = []
    for k, world in enumerate(model.worlds):
        name = _name(world, options.get("names"))
        ring = some and k in designated
        fill = TRUE_FILL if true is not None and true[k] else PAPER
        out.append(
            Item(
                world,
                name,
                parts[k],
                ring=ring,
                fill=fill,
                scale=scale[k],
                title=_title(model, world, name, ring),
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
    if atoms is None:
        shown = natural(model.atoms)
    else:
        shown = tuple(dict.fromkeys([atoms] if isinstance(atoms, str) else atoms))
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


# --- about the whole -------------------------------------------------------------------------------


def listed(names: Iterable[str]) -> str:
    """Return names as a reader lists them: `a, b and c`."""
    found = list(names)
    return " and ".join(filter(None, (", ".join(found[:-1]), *found[-1:])))


def headline(model: KripkeModel) -> str:
    """Return what a model is called that has no name."""
    count = len(model)
    return f"Kripke model with {count:,} world{'' if count == 1 else 's'}"


def remarks(model: KripkeModel, s: Structure, options: Options) -> str:
    """Return what has to be said below a picture: what is left out of it."""
    out = []
    if len(model) > 1 and len(model.designated_indices) == len(model):
        out.append("All worlds are designated.")
    if options.get("agents") is None and (blind := ignorant(model)):
        out.append(f"{listed(blind)} cannot tell any of these worlds apart.")
    spanning = options.get("edges", "spanning") == "spanning"
    if spanning and any(len(cell) > 2 for ties in s.ties for cell in ties.classes or ()):
        out.append("Lines implied by transitivity are left out.")
    # loops that all worlds have are not in the structure
    if any(t.pairs and not t.loops and model.relation(t.agent).edge_count() > len(t.pairs) for t in s.ties):
        out.append("Arrows from each world to itself are left out.")
    return " ".join(out)


def description(model: KripkeModel, s: Structure) -> str:
    """Return the relations in words, for those who cannot see the picture."""
    names = [world_text(w) for w in model.worlds]
    parts = [f"{headline(model)}."]
    if len(model.designated_indices) < len(model):
        parts.append(f"Designated: {', '.join(names[k] for k in model.designated_indices.tolist())}.")
    for ties in s.ties:
        if ties.classes is None:
            parts.append(f"Agent {ties.agent}: {len(ties.pairs)} arrows between different worlds.")
            continue
        cells = "; ".join(", ".join(names[w] for w in cell) for cell in ties.classes if len(cell) > 1)
        parts.append(f"Agent {ties.agent} confuses {cells or 'no worlds'}.")
    text = " ".join(parts)
    return text if len(text) <= _LONGEST_DESCRIPTION else text[: _LONGEST_DESCRIPTION - 1] + "…"
