"""Models and action models as JSON.

A model is an object with the keys

* `format`: `"kripke-model"`, and `version`: 1; both may be left out;
* `worlds`: the list of names. A name is a string, a number, a truth value, null, or a list of these,
  which stands for a tuple;
* `relations`: for each agent, the list of pairs `[w, v]` such that it considers v possible at w, or,
  for an equivalence, `{"classes": [[w, …], …]}`;
* `valuation`: for each atom, the list of worlds where it is true;
* `designated`: the list of designated worlds, or null for all;
* `weights` (optional): for agents with weights the list of weights, in the order of `worlds`, as
  integers or strings such as `"2/3"`; null for an agent without probabilities;
* `variables` (optional): for each variable its values, each with a formula as a string.

An action model is an object with the keys

* `events`: for each event, by its name, an object with `pre`, the precondition (`"true"` if left out),
  `post` (optional), for each atom that changes the formula for its new value, and `weight` (optional);
* `relations` (optional): for each agent the pairs of events, or the classes, as for worlds;
* `others` (optional): the same for every agent who is not in `relations`;
* `designated` (optional): the list of designated events, or null for all;
* `name` (optional).

The input is checked: an error names the place, such as `relations.a[3][1]`, and the reason.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsIndex

from kripke_werewolf.errors import FormatError, KripkeError, ModelError, cut_off, did_you_mean
from kripke_werewolf.files import parse_json, read_text, replace_file
from kripke_werewolf.language.formulas import formula, rational
from kripke_werewolf.language.operators import Act, Atom, Dynamic
from kripke_werewolf.semantics.action import ActionModel, Event, Sight, is_equivalence
from kripke_werewolf.semantics.bits import members

if TYPE_CHECKING:
    from kripke_werewolf.models.model import KripkeModel

FORMAT = "kripke-model"
VERSION = 1

_REQUIRED = ("worlds", "relations", "valuation")
_OPTIONAL = ("designated", "weights", "variables", "format", "version")
_ACTION = ("name", "events", "relations", "others", "designated")
_EVENT = ("pre", "post", "weight")
_DEEPEST = 50  # levels of tuples in the name of a world


# --- writing ---------------------------------------------------------------------------------------


def model_to_dict(model: KripkeModel) -> dict[str, Any]:
    """Return a model as plain data, ready for `json.dumps`; see `KripkeModel.to_dict`."""
    from kripke_werewolf.models.model import Numbered

    names = [_plain(name) for name in model.worlds]
    places = Numbered(model)

    def named(worlds: Iterable[int]) -> list[Any]:
        return [names[w] for w in worlds]

    relations: dict[str, Any] = {}
    for agent in model.agents:
        classes = places.classes(agent)
        if classes is None:
            relations[agent] = list(map(named, places.pairs(agent)))
        else:
            relations[agent] = {"classes": list(map(named, classes))}
    found: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "worlds": names,
        "relations": relations,
        "valuation": {atom: named(places.numbers(Atom(atom))) for atom in model.atoms},
        "designated": None if model.designates_all else named(places.points),
    }
    if weights := places.weights:
        found["weights"] = {agent: given if any(given) else None for agent, given in weights.items()}
    if model.variables:
        found["variables"] = {
            name: {value: str(f) for value, f in values.items()} for name, values in model.variables.items()
        }
    return found


def action_to_dict(action: ActionModel) -> dict[str, Any]:
    """Return an action model as plain data, ready for `json.dumps`; see `ActionModel.to_dict`."""
    names = [str(event) for event in action.events]
    if len(set(names)) < len(names):
        raise ModelError("two events of the action look alike; rename one")
    for f in action.formulas:
        for node in f.subformulas():
            if isinstance(node, Dynamic) and isinstance(node.update, Act) and node.update.model is not None:
                raise ModelError(
                    f"{f} mentions the action {node.update.name!r}, which cannot be written as a string; "
                    "write the actions one by one"
                )

    def written(sight: Sight) -> Any:
        if is_equivalence(sight):
            return {"classes": [[names[e] for e in members(cell)] for cell in dict.fromkeys(sight)]}
        return [[names[e], names[f]] for e, seen in enumerate(sight) for f in members(seen)]

    events: dict[str, Any] = {}
    for name, event in action.events.items():
        content: dict[str, Any] = {"pre": str(event.pre)}
        if event.post:
            content["post"] = {atom: str(f) for atom, f in event.post.items()}
        if event.weight != 1:
            content["weight"] = str(event.weight)
        events[str(name)] = content
    found: dict[str, Any] = {
        "name": action.name,
        "designated": [str(event) for event in action.designated],
        "events": events,
        "relations": {agent: written(sight) for agent, sight in action._sights.items()},
    }
    if action._others is not None:
        found["others"] = written(action._others)
    return found


def _is_simple(name: object) -> bool:
    return name is None or isinstance(name, str | int) or (isinstance(name, float) and math.isfinite(name))


def _plain(name: Hashable) -> Any:
    """Return a world's name in its JSON form."""
    if isinstance(name, tuple):
        return [_plain(part) for part in name]
    if _is_simple(name):
        return name
    if isinstance(name, SupportsIndex):  # numpy's integers
        return int(name)
    raise FormatError(
        f"the world {name!r} cannot be written as JSON: names must be strings, finite numbers, truth values, "
        "None, or tuples of such"
    )


def write(model: KripkeModel, path: str | os.PathLike[str]) -> None:
    """Write a model to a JSON file; if this fails, an existing file is left unchanged."""
    if Path(path).suffix.lower() not in ("", ".json"):
        raise FormatError(
            f"a model is saved as JSON, with the ending .json, or as a picture, such as .png or .svg; got "
            f"{os.fspath(path)!r}"
        )
    replace_file(Path(path), model_text(model).encode())


def model_text(model: KripkeModel) -> str:
    """Return the content of the JSON file of a model: a line for each of its parts."""
    data = model_to_dict(model)
    entries = (f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in data.items())
    return "{\n" + ",\n".join(entries) + "\n}\n"


# --- reading ---------------------------------------------------------------------------------------


def read_model(path: str | os.PathLike[str]) -> KripkeModel:
    """Read a model from a JSON file.

    Raises `FormatError` with line and column where the file is not JSON, and with the place in the
    data where it is not a model; `OSError` if it cannot be opened.
    """
    data = parse_json(read_text(path), os.fspath(path))
    try:
        return model_from_dict(data)
    except FormatError as error:
        raise FormatError(f"{os.fspath(path)}: {error}") from None


def model_from_dict(data: Any) -> KripkeModel:
    """Return the model described by plain data; see `KripkeModel.from_dict`."""
    from kripke_werewolf.models.model import KripkeModel, read_classes, read_pairs
    from kripke_werewolf.models.worlds import Named

    top = _mapping(data, "the model")
    _check_keys(top, _REQUIRED + _OPTIONAL, f" in version {VERSION}")
    for key in _REQUIRED:
        if key not in top:
            raise FormatError(f"{key}: missing")
    if (given := top.get("format", FORMAT)) != FORMAT:
        raise FormatError(f"format: expected {FORMAT!r}, got {_shown(given)}")
    if (number := top.get("version", VERSION)) != VERSION or isinstance(number, bool):
        raise FormatError(f"version: this program reads version {VERSION}, got {_shown(number)}")

    worlds = [_name(w, place) for w, place in _items(top["worlds"], "worlds")]
    names = _checked("worlds", Named, worlds)

    def known(value: Any, place: str) -> Hashable:
        name = _name(value, place)
        if names.find(name) is None:
            raise FormatError(f"{place}: {_shown(value)} is not a world of this model")
        return name

    def each(value: Any, place: str) -> list[Hashable]:
        return [known(w, at) for w, at in _items(value, place)]

    relations: dict[str, Any] = {}
    for agent, given in _mapping(top["relations"], "relations").items():
        place = f"relations.{agent}"
        by_classes, found = _relation(given, place, known, "worlds")
        relations[agent] = _checked(place, read_classes if by_classes else read_pairs, agent, found, names)

    valuation = {
        atom: each(true, f"valuation.{atom}")
        for atom, true in _mapping(top["valuation"], "valuation").items()
    }
    designated = top.get("designated")
    if designated is not None:
        designated = each(designated, "designated")
        if not designated:
            raise FormatError("designated: at least one world must be designated (null: all)")
    weights: dict[str, dict[Hashable, object] | None] = {}
    for agent, given in _mapping(top.get("weights") or {}, "weights").items():
        place = f"weights.{agent}"
        if agent not in relations:
            raise FormatError(f"{place}: no agent {agent!r} in relations")
        if given is None:
            weights[agent] = None
            continue
        numbers = [_checked(at, rational, x) for x, at in _items(given, place)]
        if len(numbers) != len(worlds):
            raise FormatError(f"{place}: expected {len(worlds)} weights, one per world, got {len(numbers)}")
        weights[agent] = dict(zip(worlds, numbers, strict=True))
    variables: dict[str, dict[str, Any]] = {}
    for name, values in _mapping(top.get("variables") or {}, "variables").items():
        place = f"variables.{name}"
        variables[name] = {
            value: _checked(f"{place}.{value}", formula, f) for value, f in _mapping(values, place).items()
        }

    parts = names, relations, valuation, designated
    model: KripkeModel = _checked(
        "the model", KripkeModel._from_read, *parts, weights=weights, variables=variables
    )
    return model


def action_from_dict(data: Any) -> ActionModel:
    """Return the action model described by plain data; see `ActionModel.from_dict`."""
    top = _mapping(data, "the action model")
    _check_keys(top, _ACTION)
    if "events" not in top:
        raise FormatError("events: missing")
    events = {}
    for name, given in _mapping(top["events"], "events").items():
        place = f"events.{name}"
        parts = _mapping(given, place)
        _check_keys(parts, _EVENT, place=f"{place}.")
        changes = _mapping(parts.get("post") or {}, f"{place}.post")
        post = {atom: _checked(f"{place}.post.{atom}", formula, f) for atom, f in changes.items()}
        pre = _checked(f"{place}.pre", formula, parts.get("pre", True))
        events[name] = _checked(f"{place}.weight", Event, pre, post, weight=parts.get("weight", 1))

    def known(value: Any, place: str) -> str:
        if not isinstance(value, str) or value not in events:
            raise FormatError(f"{place}: {_shown(value)} is not an event of this action model")
        return value

    def pairs(given: Any, place: str) -> list[tuple[str, str]]:
        by_classes, found = _relation(given, place, known, "events")
        if not by_classes:
            return [(e, f) for e, f in found]
        if sorted(e for cell in found for e in cell) != sorted(events):
            raise FormatError(f"{place}: every event must be in exactly one class")
        return [pair for cell in found for pair in product(cell, repeat=2)]

    relations = {
        agent: pairs(given, f"relations.{agent}")
        for agent, given in _mapping(top.get("relations") or {}, "relations").items()
    }
    others = pairs(top["others"], "others") if top.get("others") is not None else None
    designated = top.get("designated")
    if designated is not None:
        designated = [known(e, at) for e, at in _items(designated, "designated")]
    name = top.get("name", "action")
    if not isinstance(name, str):
        raise FormatError(f"name: expected a string, got {_shown(name)}")

    given = events, relations, designated
    action: ActionModel = _checked("the action model", ActionModel, *given, others=others, name=name)
    return action


def _relation(
    given: Any, place: str, known: Callable[[Any, str], Any], members: str
) -> tuple[bool, list[list[Any]]]:
    """Return whether a relation is given by its classes; then its classes, or else its pairs of members."""
    by_classes = isinstance(given, Mapping)
    if by_classes and given.keys() != {"classes"}:
        raise FormatError(f"{place}: expected a list of pairs or the single key 'classes'")
    found = []
    for item, at in _items(given["classes"], f"{place}.classes") if by_classes else _items(given, place):
        found.append([known(value, where) for value, where in _items(item, at)])
        if not by_classes and len(found[-1]) != 2:
            raise FormatError(f"{at}: expected a pair of {members}, got {len(found[-1])}")
    return by_classes, found


def _check_keys(given: Mapping[str, Any], known: tuple[str, ...], where: str = "", place: str = "") -> None:
    """Raise `FormatError` for an unknown key."""
    for key in given:
        if key not in known:
            meant = did_you_mean(key, known) or f" (known: {', '.join(known)})"
            raise FormatError(f"{place}{key}: no such key{where}{meant}")


def _checked(place: str, build: Any, *parts: Any, **more: Any) -> Any:
    """Call `build`; if it fails, name the place in the data."""
    try:
        return build(*parts, **more)
    except KripkeError as error:
        raise FormatError(f"{place}: {error}") from None


def _mapping(value: Any, place: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise FormatError(f"{place}: expected an object, got {_shown(value)}")
    for key in value:
        if not isinstance(key, str) or not key:
            raise FormatError(f"{place}: keys must be nonempty strings, got {_shown(key)}")
    return value


def _items(value: Any, place: str) -> Iterator[tuple[Any, str]]:
    """Yield the items of a list, each with its place."""
    if not isinstance(value, list | tuple):
        raise FormatError(f"{place}: expected a list, got {_shown(value)}")
    for i, item in enumerate(value):
        yield item, f"{place}[{i}]"


def _name(value: Any, place: str, above: tuple[int, ...] = ()) -> Hashable:
    if isinstance(value, list | tuple):
        if id(value) in above:
            raise FormatError(f"{place}: cyclic: this list contains itself")
        if len(above) >= _DEEPEST:
            raise FormatError(f"{place}: a name may be nested at most {_DEEPEST} levels deep")
        return tuple(_name(part, at, (*above, id(value))) for part, at in _items(value, place))
    if _is_simple(value):
        found: Hashable = value
        return found
    raise FormatError(
        f"{place}: the name of a world must be a string, a number, true, false, null, or a list of these; "
        f"got {_shown(value)}"
    )


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return "an object"
    return "a list" if isinstance(value, list | tuple) else cut_off(repr(value))
