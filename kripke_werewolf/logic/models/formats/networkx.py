"""Conversion of models to and from networkx graphs.

The graph is a `MultiDiGraph`. Its nodes are the worlds, with the attributes `true` (a list of the true atoms;
`atoms` and `p=True` are read, too) and `designated` (a bool); an edge with the attribute `agent` means that
this agent considers the target possible at the source. The attributes `atoms`, `agents` and `variables` of
the graph list all of them, since an atom may be true nowhere and a relation empty. Weights are a node
attribute `weights`, {agent: number}; ranks likewise.
"""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

from kripke_werewolf.base.errors import FormatError, ModelError
from kripke_werewolf.logic.formulas.syntax import agent_name
from kripke_werewolf.logic.models.model import KripkeModel

if TYPE_CHECKING:
    import networkx as nx

_MOST_EDGES = 5_000_000  # a graph of Python objects takes about half a gigabyte per million


def to_networkx(model: KripkeModel) -> nx.MultiDiGraph:
    """Return a model as a graph; see `KripkeModel.to_networkx`."""
    import networkx as nx

    edges = sum(map(len, model.relations.values()))
    if edges > _MOST_EDGES:
        raise ModelError(
            f"the graph would have {edges:,} edges, above the limit of {_MOST_EDGES:,}; "
            "contract the model first"
        )
    graph = nx.MultiDiGraph(
        atoms=list(model.atoms),
        agents=list(model.agents),
        variables={name: {v: str(f) for v, f in values.items()} for name, values in model.variables.items()},
    )
    designated, weights, ranks = set(model.designated), model.weights, model.ranks
    for name in model:
        if name is None:
            raise ModelError("networkx does not accept None as a node: rename that world")
        graph.add_node(name, true=list(model.atoms_at(name)), designated=name in designated)
        if weights:
            shares = {agent: 0 if given is None else given[name] for agent, given in weights.items()}
            graph.nodes[name]["weights"] = shares
        if ranks:
            graph.nodes[name]["ranks"] = {agent: given[name] for agent, given in ranks.items()}
    for agent, pairs in model.relations.items():
        graph.add_edges_from((w, v, agent, {"agent": agent}) for w, v in pairs)
    return graph


def from_networkx(graph: nx.Graph) -> KripkeModel:
    """Return the model described by a graph; see `KripkeModel.from_networkx`."""
    if not all(hasattr(graph, part) for part in ("graph", "nodes", "edges")):
        raise FormatError(f"expected a networkx graph, got {graph!r}")
    pairs: dict[str, list[tuple[Hashable, Hashable]]] = {
        agent_name(a): [] for a in _listed(graph.graph, "agents", "the graph")
    }
    for w, v, data in graph.edges(data=True):
        agents = data.get("agent", data.get("agents"))
        if agents is None:
            told = f"no attribute 'agent'; it names who considers {v!r} possible at {w!r}"
            if data:
                told += f"; write agent=… for {', '.join(map(str, data))}=…"
            raise FormatError(f"edge {w!r} -> {v!r}: {told}")
        for agent in agents if isinstance(agents, list | tuple | set) else [agents]:
            seen = pairs.setdefault(agent_name(agent), [])
            seen.append((w, v))
            if not graph.is_directed():
                seen.append((v, w))
    true: dict[str, list[Hashable]] = {a: [] for a in _listed(graph.graph, "atoms", "the graph")}
    designated: list[Hashable] = []
    numbers: dict[str, dict[str, dict[Hashable, Any]]] = {"weights": {}, "ranks": {}}
    for name, data in graph.nodes(data=True):
        listed = [atom for key in ("true", "atoms") for atom in _listed(data, key, f"node {name!r}")]
        facts = {key: value for key, value in data.items() if isinstance(value, bool) and key != "designated"}
        for atom in dict.fromkeys([*listed, *facts]):
            worlds = true.setdefault(atom, [])
            if facts.get(atom, True):
                worlds.append(name)
        if data.get("designated"):
            designated.append(name)
        for key, found in numbers.items():
            for agent, number in _mapped(data, key, f"node {name!r}").items():
                found.setdefault(agent, {})[name] = number
    read = ("designated", *numbers, "true", "atoms")
    others = sorted({str(key) for _, data in graph.nodes(data=True) for key in data if key not in read})
    if others and not true:
        warnings.warn(f"there are no atoms: a node's true=[…] lists them, and not {others}", stacklevel=3)
    marked = any("designated" in data for _, data in graph.nodes(data=True))
    given = _mapped(graph.graph, "variables", "the graph")
    variables = {name: _mapped(given, name, "the graph's variables") for name in given}
    chosen, more = designated if marked else None, dict[str, Any](numbers)
    return KripkeModel(graph.nodes, pairs, true, chosen, variables=variables, **more)


def _listed(data: Mapping[str, Any], key: str, place: str) -> list[Any]:
    found = data.get(key, [])
    if isinstance(found, str | Mapping) or not hasattr(found, "__iter__"):
        raise FormatError(f"{place}: the attribute {key!r} must be a list, got {found!r}")
    return list(found)


def _mapped(data: Mapping[str, Any], key: str, place: str) -> Mapping[Any, Any]:
    found = data.get(key, {})
    if not isinstance(found, Mapping):
        raise FormatError(f"{place}: the attribute {key!r} must be a mapping, got {found!r}")
    return found
