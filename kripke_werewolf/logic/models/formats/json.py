"""Models as JSON; `semantics.action_json` has action models.

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
* `ranks` (optional): for agents that find some worlds more plausible than others the list of their ranks, 0
  for the most plausible, in the order of `worlds`;
* `variables` (optional): for each variable its values, each with a formula as a string;
* `words` (optional): those of questions in English, as the fields of a `Vocabulary`: `facts` such as
  `["clean", "~muddy"]`, `kinds` of agents such as `["child", "children"]`, …

The input is checked: an error names the place, such as `relations.a[3][1]`, and the reason.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Hashable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, SupportsIndex

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.base.files import parse_json, read_text, replace_file
from kripke_werewolf.base.settings import as_data, from_data
from kripke_werewolf.logic.english.vocabulary import Vocabulary
from kripke_werewolf.logic.formulas.operators import Atom
from kripke_werewolf.logic.formulas.syntax import formula, natural, rational
from kripke_werewolf.logic.models.model import KripkeModel, Numbered, read_classes, read_pairs
from kripke_werewolf.logic.semantics.action_json import (
    check_keys,
    checked,
    items_at,
    mapping_at,
    read_relation,
    said_of,
)
from kripke_werewolf.logic.semantics.worlds import Named

FORMAT = "kripke-model"
VERSION = 1

_REQUIRED = ("worlds", "relations", "valuation")
_OPTIONAL = ("designated", "weights", "ranks", "variables", "words", "format", "version")
_DEEPEST = 50  # levels of tuples in the name of a world


# --- writing ---------------------------------------------------------------------------------------


def model_to_dict(model: KripkeModel) -> dict[str, Any]:
    """Return a model as plain data, ready for `json.dumps`; see `KripkeModel.to_dict`."""
    names = [_plain(name) for name in model.worlds]
    places = Numbered(model)

    def named(worlds: Iterable[int]) -> list[Any]:
        return [names[w] for w in worlds]

    relations: dict[str, Any] = {}
    for agent in model.agents:
        classes = places.classes(agent)
        if classes is None:
            relations[agent] = list(map(named, places.space.pairs(agent)))
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
    if weights := model.weights:
        found["weights"] = {agent: given and [*given.values()] for agent, given in weights.items()}
    if ranks := model.ranks:
        found["ranks"] = {agent: [*given.values()] for agent, given in ranks.items()}
    if model.variables:
        found["variables"] = {
            name: {value: str(f) for value, f in values.items()} for name, values in model.variables.items()
        }
    if model._form.words is not None:
        found["words"] = as_data(replace(model._form.words, atoms=(), moves=()))
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
            f"{os.fspath(path)!r}; for SMCDEL, kw.to_smcdel(model) returns the text"
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
    top = mapping_at(data, "the model")
    check_keys(top, _REQUIRED + _OPTIONAL, f" in version {VERSION}")
    for key in _REQUIRED:
        if key not in top:
            raise FormatError(f"{key}: missing")
    if (given := top.get("format", FORMAT)) != FORMAT:
        raise FormatError(f"format: expected {FORMAT!r}, got {said_of(given)}")
    if (number := top.get("version", VERSION)) != VERSION or isinstance(number, bool):
        raise FormatError(f"version: this program reads version {VERSION}, got {said_of(number)}")

    worlds = [_name(w, place) for w, place in items_at(top["worlds"], "worlds")]
    names = checked("worlds", Named, worlds)

    def known(value: Any, place: str) -> Hashable:
        name = _name(value, place)
        if names.find(name) is None:
            raise FormatError(f"{place}: {said_of(value)} is not a world of this model")
        return name

    def each(value: Any, place: str) -> list[Hashable]:
        return [known(w, at) for w, at in items_at(value, place)]

    relations: dict[str, Any] = {}
    for agent, given in mapping_at(top["relations"], "relations").items():
        place = f"relations.{agent}"
        by_classes, found = read_relation(given, place, known, "worlds")
        relations[agent] = checked(place, read_classes if by_classes else read_pairs, agent, found, names)

    valuation = {
        atom: each(true, f"valuation.{atom}")
        for atom, true in mapping_at(top["valuation"], "valuation").items()
    }
    designated = top.get("designated")
    if designated is not None:
        designated = each(designated, "designated")
        if not designated:
            raise FormatError("designated: at least one world must be designated (null: all)")
    numbers: dict[str, dict[str, Any]] = {"weights": {}, "ranks": {}}
    for key, read in (("weights", rational), ("ranks", partial(natural, what="the rank of a world"))):
        for agent, given in mapping_at(top.get(key) or {}, key).items():
            place = f"{key}.{agent}"
            if agent not in relations:
                raise FormatError(f"{place}: no agent {agent!r} in relations")
            if given is None and key == "weights":
                numbers[key][agent] = None
                continue
            values = [checked(at, read, x) for x, at in items_at(given, place)]
            if len(values) != len(worlds):
                raise FormatError(f"{place}: expected {len(worlds)} {key}, one per world, got {len(values)}")
            numbers[key][agent] = dict(zip(worlds, values, strict=True))
    variables: dict[str, dict[str, Any]] = {}
    for name, values in mapping_at(top.get("variables") or {}, "variables").items():
        place = f"variables.{name}"
        variables[name] = {
            value: checked(f"{place}.{value}", formula, f) for value, f in mapping_at(values, place).items()
        }

    parts = names, relations, valuation, designated
    build = KripkeModel.__new__(KripkeModel)._build
    model: KripkeModel = checked("the model", build, *parts, variables=variables, **numbers)
    if "words" in top:
        model = model.with_words(checked("words", from_data, Vocabulary, mapping_at(top["words"], "words")))
    return model


def _name(value: Any, place: str, depth: int = 0) -> Hashable:
    if isinstance(value, list | tuple):
        if depth >= _DEEPEST:
            raise FormatError(f"{place}: a name may be nested at most {_DEEPEST} levels deep")
        return tuple(_name(part, at, depth + 1) for part, at in items_at(value, place))
    if _is_simple(value):
        found: Hashable = value
        return found
    raise FormatError(
        f"{place}: the name of a world must be a string, a number, true, false, null, or a list of these; "
        f"got {said_of(value)}"
    )
