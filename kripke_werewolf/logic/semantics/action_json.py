"""Action models as JSON, and what reading checked JSON has in common.

An action model is an object with the keys

* `events`: for each event, by its name, an object with `pre`, the precondition (`"true"` if left out),
  `post` (optional), for each atom that changes the formula for its new value, `weight` (optional), and
  `ranks` (optional), for each agent how implausible the event is, and `rank`, for all other agents;
* `relations` (optional): for each agent the pairs of events, or the classes, as for worlds;
* `others` (optional): the same for every agent who is not in `relations`;
* `designated` (optional): the list of designated events, or null for all;
* `name` (optional).

The input is checked: an error names the place, such as `relations.a[3][1]`, and the reason. Models are in
`models.formats.json`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any

from kripke_werewolf.base.errors import FormatError, KripkeError, ModelError, cut_off, did_you_mean
from kripke_werewolf.logic.formulas.operators import Act, Dynamic
from kripke_werewolf.logic.formulas.syntax import formula, natural
from kripke_werewolf.logic.semantics.action import ActionModel, Event, Sight, is_equivalence
from kripke_werewolf.logic.semantics.bits import members

_ACTION = ("name", "events", "relations", "others", "designated")
_EVENT = ("pre", "post", "weight", "rank", "ranks")


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
        if event.ranks:
            content["rank"] = event.rank_for("")
            content["ranks"] = {agent: rank for agent, rank in event.ranks.items() if agent}
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


def action_from_dict(data: Any) -> ActionModel:
    """Return the action model described by plain data; see `ActionModel.from_dict`."""
    top = mapping_at(data, "the action model")
    check_keys(top, _ACTION)
    if "events" not in top:
        raise FormatError("events: missing")
    events = {}
    for name, given in mapping_at(top["events"], "events").items():
        place = f"events.{name}"
        parts = mapping_at(given, place)
        check_keys(parts, _EVENT, place=f"{place}.")
        changes = mapping_at(parts.get("post") or {}, f"{place}.post")
        post = {atom: checked(f"{place}.post.{atom}", formula, f) for atom, f in changes.items()}
        pre = checked(f"{place}.pre", formula, parts.get("pre", True))
        ranks = {"": parts.get("rank", 0), **mapping_at(parts.get("ranks") or {}, f"{place}.ranks")}
        for number in ranks.values():
            checked(f"{place}.ranks", natural, number, "the rank of an event")
        weight = parts.get("weight", 1)
        events[name] = checked(f"{place}.weight", Event, pre, post, weight=weight, rank=ranks)

    def known(value: Any, place: str) -> str:
        if not isinstance(value, str) or value not in events:
            raise FormatError(f"{place}: {said_of(value)} is not an event of this action model")
        return value

    def pairs(given: Any, place: str) -> list[tuple[str, str]]:
        by_classes, found = read_relation(given, place, known, "events")
        if not by_classes:
            return [(e, f) for e, f in found]
        if sorted(e for cell in found for e in cell) != sorted(events):
            raise FormatError(f"{place}: every event must be in exactly one class")
        return [pair for cell in found for pair in product(cell, repeat=2)]

    relations = {
        agent: pairs(given, f"relations.{agent}")
        for agent, given in mapping_at(top.get("relations") or {}, "relations").items()
    }
    others = pairs(top["others"], "others") if top.get("others") is not None else None
    designated = top.get("designated")
    if designated is not None:
        designated = [known(e, at) for e, at in items_at(designated, "designated")]
    name = top.get("name", "action")
    if not isinstance(name, str):
        raise FormatError(f"name: expected a string, got {said_of(name)}")

    given = events, relations, designated
    action: ActionModel = checked("the action model", ActionModel, *given, others=others, name=name)
    return action


# --- places in the data --------------------------------------------------------------------------


def read_relation(
    given: Any, place: str, known: Callable[[Any, str], Any], members: str
) -> tuple[bool, list[list[Any]]]:
    """Return whether a relation is given by its classes; then its classes, or else its pairs of members."""
    by_classes = isinstance(given, Mapping)
    if by_classes and given.keys() != {"classes"}:
        raise FormatError(f"{place}: expected a list of pairs or the single key 'classes'")
    found = []
    for item, at in items_at(given["classes"], f"{place}.classes") if by_classes else items_at(given, place):
        found.append([known(value, where) for value, where in items_at(item, at)])
        if not by_classes and len(found[-1]) != 2:
            raise FormatError(f"{at}: expected a pair of {members}, got {len(found[-1])}")
    return by_classes, found


def check_keys(given: Mapping[str, Any], known: tuple[str, ...], where: str = "", place: str = "") -> None:
    """Raise `FormatError` for an unknown key."""
    for key in given:
        if key not in known:
            meant = did_you_mean(key, known) or f" (known: {', '.join(known)})"
            raise FormatError(f"{place}{key}: no such key{where}{meant}")


def checked(place: str, build: Any, *parts: Any, **more: Any) -> Any:
    """Call `build`; if it fails, name the place in the data."""
    try:
        return build(*parts, **more)
    except KripkeError as error:
        raise FormatError(f"{place}: {error}") from None


def mapping_at(value: Any, place: str) -> Mapping[str, Any]:
    """Return an object; raise `FormatError` for anything else."""
    if not isinstance(value, Mapping):
        raise FormatError(f"{place}: expected an object, got {said_of(value)}")
    for key in value:
        if not isinstance(key, str) or not key:
            raise FormatError(f"{place}: keys must be nonempty strings, got {said_of(key)}")
    return value


def items_at(value: Any, place: str) -> Iterator[tuple[Any, str]]:
    """Yield the items of a list, each with its place."""
    if not isinstance(value, list | tuple):
        raise FormatError(f"{place}: expected a list, got {said_of(value)}")
    for i, item in enumerate(value):
        yield item, f"{place}[{i}]"


def said_of(value: Any) -> str:
    """Return some data as an error shows it."""
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    return cut_off(repr(value))
