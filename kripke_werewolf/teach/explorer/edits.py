"""Edits of a model: worlds, agents, atoms, lines, cells and the actual world.

An edit is a function from a model and its arguments to a new model. The relation of an agent who is S5 is a
partition, and stays one: `join` merges the cells of some worlds, `split` makes these worlds a cell,
and `move` puts them into the cell of the world `to`. `flip` makes an atom true at some worlds, or false if it
is true at all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count, product
from typing import Any

from kripke_werewolf.base.errors import FormatError, ModelError, check_known
from kripke_werewolf.logic.formulas import parse
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.models.formats.json import model_to_dict
from kripke_werewolf.teach.explorer import limits
from kripke_werewolf.teach.explorer.limits import check_length
from kripke_werewolf.teach.explorer.state import by_name, chosen, read_number

Data = dict[str, Any]
"""A model as written by `KripkeModel.to_dict`."""
_MOST = f"models of up to {limits.MOST_EDITED} worlds can be edited here"


def edited(model: KripkeModel, do: Mapping[str, Any]) -> KripkeModel:
    """Return a model after the edit described by a command.

    >>> board = KripkeModel.from_partitions([], {}, {})
    >>> for do in ({"edit": "add_agent", "agent": "a"}, {"edit": "add_atom", "atom": "p"},
    ...            {"edit": "add_world", "atoms": ["p"]}, {"edit": "add_world"},
    ...            {"edit": "join", "agent": "a", "worlds": [0, 1]}):
    ...     board = edited(board, do)
    >>> board.classes("a"), board.where("p & ~K_a p")
    ([['w1', 'w2']], ['w1'])

    Raises `FormatError` and `ModelError` for an impossible edit.
    """
    edit = chosen(_EDITS, do.get("edit"), "edit")
    if len(model) > limits.MOST_EDITED:
        raise ModelError(f"{_MOST}; this one has {len(model):,}")
    data = model.to_dict()
    edit(data, do)
    return KripkeModel.from_dict(data)


# --- arguments -------------------------------------------------------------------------------------


def _world(data: Data, value: Any, key: str) -> Any:
    return data["worlds"][read_number(value, key, len(data["worlds"]) - 1, "the number of a world")]


def numbers_of(do: Mapping[str, Any]) -> list[Any]:
    """Return the numbers of the worlds that an edit is about: `worlds`, or else the single `world`."""
    return [do.get("world")] if do.get("worlds") is None else list(dict.fromkeys(do["worlds"]))


def _worlds(data: Data, do: Mapping[str, Any]) -> list[Any]:
    key = "world" if do.get("worlds") is None else "worlds"
    return [_world(data, number, key) for number in numbers_of(do)]


def _known(do: Mapping[str, Any], key: str, names: Mapping[str, Any]) -> str:
    return check_known(str(do.get(key)), names, kind=key)


def _new(do: Mapping[str, Any], key: str, names: Sequence[Any] | Mapping[str, Any], kind: str) -> str:
    name = str(do.get(key) or "").strip()
    if not name:
        raise FormatError(f"{key}: expected a name for the {kind}")
    check_length(name, 60, f"the name of the {kind}")
    if name in names:
        raise FormatError(f"there is already a{'n' if kind[0] in 'aeiou' else ''} {kind} {name!r}")
    return name


# --- worlds ----------------------------------------------------------------------------------------


def _add_world(data: Data, do: Mapping[str, Any]) -> None:
    worlds = data["worlds"]
    if len(worlds) >= limits.MOST_EDITED:
        raise ModelError(_MOST)
    name = next(new for number in count(1) if (new := f"w{number}") not in worlds)
    if do.get("name") is not None:
        name = _new(do, "name", worlds, "world")
    for atom in dict.fromkeys(do.get("atoms") or []):
        data["valuation"][_known({"atom": atom}, "atom", data["valuation"])].append(name)
    worlds.append(name)
    for relation in data["relations"].values():
        if isinstance(relation, dict):
            relation["classes"].append([name])
    for weights in data.get("weights", {}).values():
        if weights is not None:
            weights.append(1)


def _remove_world(data: Data, do: Mapping[str, Any]) -> None:
    gone, numbers = _worlds(data, do), numbers_of(do)
    _change_worlds(data, lambda names: [w for w in names if w not in gone])
    for agent, weights in data.get("weights", {}).items():
        if weights is not None:
            data["weights"][agent] = [weight for k, weight in enumerate(weights) if k not in numbers]


def _rename_world(data: Data, do: Mapping[str, Any]) -> None:
    old, new = _world(data, do.get("world"), "world"), _new(do, "name", data["worlds"], "world")
    _change_worlds(data, lambda names: [new if w == old else w for w in names])


def _change_worlds(data: Data, change: Callable[[list[Any]], list[Any]]) -> None:
    """Change every list of worlds; cells that become empty, and pairs that lose a world, are removed."""
    data["worlds"] = change(data["worlds"])
    data["valuation"] = {atom: change(true) for atom, true in data["valuation"].items()}
    for agent, relation in data["relations"].items():
        if isinstance(relation, dict):
            relation["classes"] = list(filter(None, map(change, relation["classes"])))
        else:
            data["relations"][agent] = [pair for pair in map(change, relation) if len(pair) == 2]
    if data["designated"] is not None:
        data["designated"] = change(data["designated"]) or None


def _actual(data: Data, do: Mapping[str, Any]) -> None:
    chosen = _worlds(data, do)
    data["designated"] = [w for w in data["worlds"] if w in chosen] or None


# --- agents and atoms ------------------------------------------------------------------------------


def _add_agent(data: Data, do: Mapping[str, Any]) -> None:
    check_length(data["relations"], 29, "the list of agents")
    agent = _new(do, "agent", data["relations"], "agent")
    data["relations"][agent] = {"classes": [[w] for w in data["worlds"]]}


def _remove_agent(data: Data, do: Mapping[str, Any]) -> None:
    agent = _known(do, "agent", data["relations"])
    del data["relations"][agent]
    data.get("weights", {}).pop(agent, None)


def _rename_agent(data: Data, do: Mapping[str, Any]) -> None:
    old, new = _known(do, "agent", data["relations"]), _new(do, "name", data["relations"], "agent")
    for part in ("relations", "weights"):
        if part in data:
            data[part] = {new if agent == old else agent: value for agent, value in data[part].items()}


def _add_atom(data: Data, do: Mapping[str, Any]) -> None:
    check_length(data["valuation"], 59, "the list of atoms")
    data["valuation"][_new(do, "atom", data["valuation"], "atom")] = []


def _remove_atom(data: Data, do: Mapping[str, Any]) -> None:
    atom = _known(do, "atom", data["valuation"])
    for name, values in data.get("variables", {}).items():
        if any(atom in parse(text).atoms for text in values.values()):
            raise ModelError(f"the variable {name!r} depends on the atom {atom!r}")
    del data["valuation"][atom]


def _rename_atom(data: Data, do: Mapping[str, Any]) -> None:
    names = {_known(do, "atom", data["valuation"]): _new(do, "name", data["valuation"], "atom")}
    data["valuation"] = {names.get(atom, atom): true for atom, true in data["valuation"].items()}
    for values in data.get("variables", {}).values():
        for value, text in values.items():
            values[value] = str(parse(text).rename(atoms=lambda name: names.get(name, name)))


def _flip(data: Data, do: Mapping[str, Any]) -> None:
    chosen, atom = _worlds(data, do), _known(do, "atom", data["valuation"])
    true = data["valuation"][atom]
    added = [] if all(w in true for w in chosen) else chosen
    data["valuation"][atom] = [*(w for w in true if w not in chosen), *added]


# --- relations -------------------------------------------------------------------------------------


def _cells(data: Data, do: Mapping[str, Any]) -> tuple[str, list[list[Any]]]:
    agent = _known(do, "agent", data["relations"])
    relation = data["relations"][agent]
    if not isinstance(relation, dict):
        instead = "draw arrows, or close it under S5 to have cells"
        raise ModelError(f"the relation of {agent} is not a partition: {instead}")
    return agent, relation["classes"]


def _join(data: Data, do: Mapping[str, Any]) -> None:
    agent, cells = _cells(data, do)
    chosen = _worlds(data, do)
    rest = [cell for cell in cells if not any(w in chosen for w in cell)]
    joined = [w for w in data["worlds"] if not any(w in cell for cell in rest)]
    data["relations"][agent] = {"classes": [*filter(None, [*rest, joined])]}


def _split(data: Data, do: Mapping[str, Any]) -> None:
    agent, cells = _cells(data, do)
    chosen = _worlds(data, do)
    if do.get("to") is not None:
        goal = _world(data, do["to"], "to")
        chosen += [w for cell in cells if goal in cell for w in cell if w not in chosen]
    rest = [[w for w in cell if w not in chosen] for cell in cells]
    data["relations"][agent] = {"classes": [*filter(None, [*rest, chosen])]}


def _arrow(data: Data, do: Mapping[str, Any]) -> None:
    agent = _known(do, "agent", data["relations"])
    pair = [_world(data, do.get(end), end) for end in ("from", "to")]
    relation = data["relations"][agent]
    if isinstance(relation, dict):
        relation = [[*pair] for cell in relation["classes"] for pair in product(cell, repeat=2)]
    if pair in relation:
        relation.remove(pair)
    else:
        relation.append(pair)
    data["relations"][agent] = relation


def _close(data: Data, do: Mapping[str, Any]) -> None:
    agent = _known(do, "agent", data["relations"])
    closed = KripkeModel.from_dict(data).closed(agent, under=str(do.get("under", "S5")))
    data["relations"][agent] = model_to_dict(closed)["relations"][agent]


_EDITS: Mapping[str, Callable[[Data, Mapping[str, Any]], None]] = {
    **by_name(_add_world, _remove_world, _rename_world, _actual, _add_agent, _remove_agent, _rename_agent),
    **by_name(_add_atom, _remove_atom, _rename_atom, _flip, _join),
    **dict.fromkeys(("split", "move"), _split),
    **by_name(_arrow, _close),
}
