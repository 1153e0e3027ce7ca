"""Settings: the fields of dataclasses, whose types say which values they can have."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from itertools import chain
from operator import index
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, SupportsIndex, Union, get_args, get_origin, get_type_hints

from kripke_werewolf.base.errors import GameError, did_you_mean

Natural = Annotated[int, 0]
"""An integer of at least 0."""
Positive = Annotated[int, 1]
"""An integer of at least 1."""

_WANTED: Mapping[Any, str] = {
    str: "a word",
    Natural: "an integer of at least 0",
    Positive: "an integer of at least 1",
    Positive | None: "an integer of at least 1",
}


@cache
def types_of(kind: type[Any]) -> dict[str, Any]:
    """Return the types of the fields of a dataclass."""
    hints = get_type_hints(kind, include_extras=True)
    return {field.name: hints[field.name] for field in fields(kind)}


def possible_values(hint: Any) -> tuple[Any, ...]:
    """Return all values of a type with few: truth values, literals, None, unions of these; () for others.

    >>> possible_values(Literal["lot", "village"] | None)
    ('lot', 'village', None)
    """
    kind, parts = get_origin(hint), get_args(hint)
    if hint is bool:
        return (False, True)
    if hint is NoneType:
        return (None,)
    if kind is Literal:
        return parts
    each = [possible_values(part) for part in parts] if kind in (Union, UnionType) else []
    return tuple(chain.from_iterable(each)) if all(each) else ()


def fits(value: object, hint: Any) -> bool:
    """Whether a value is of a type, down to the members of tuples; a truth value is not a number.

    Type variables, protocols and other types that no value shows fit every value.

    >>> fits((("Ann", 2),), tuple[tuple[str, Positive], ...]), fits(True, int)
    (True, False)
    >>> fits("Ann", Mapping[str, int]), fits({}, Mapping[str, int]), fits("Ann", Any)
    (False, True, True)
    """
    kind, parts = get_origin(hint), get_args(hint)
    if kind is Annotated:
        least = parts[1]
        too_small = isinstance(value, int) and isinstance(least, int) and value < least
        return fits(value, parts[0]) and not too_small
    if kind in (Union, UnionType):
        return any(fits(value, part) for part in parts)
    if kind is Literal:
        return value in parts
    if kind is tuple and isinstance(value, tuple):
        members = parts[:1] * len(value) if parts[1:] == (...,) else parts
        return len(value) == len(members) and all(map(fits, value, members))
    if kind is tuple:
        return False
    try:
        return isinstance(value, kind or hint) and (hint is not int or not isinstance(value, bool))
    except TypeError:
        return hint is not None or value is None


def _own_integer(value: object) -> object:
    """Return an integer of another library, such as numpy, as an `int`; any other value unchanged."""
    return index(value) if isinstance(value, SupportsIndex) and not isinstance(value, bool) else value


def read_value(text: str, hint: Any) -> object:
    """Return a value of a type as people write it, or the string itself, which `check_fields` then refuses.

    >>> read_value("yes", bool), read_value("3", Positive | None), read_value("vote, night", tuple[str, ...])
    (True, 3, ('vote', 'night'))
    """
    word, parts = text.casefold(), (hint, *get_args(hint))
    if hint is bool:
        known = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        return known.get(word, text)
    if word == "none" and NoneType in parts:
        return None
    if get_origin(hint) is tuple:
        return tuple(part.strip() for part in text.removesuffix(",").split(","))
    whole = text.removeprefix("-").isdecimal() and len(text) < 1000  # `int` refuses thousands of digits
    return int(text) if whole and any(part in (int, Natural, Positive) for part in parts) else text


def check_fields(settings: Any) -> None:
    """Raise GameError if a field of a dataclass is not of its type; lists from a file become tuples."""
    empty = {field.name for field in fields(settings) if field.default == ""}
    for name, hint in types_of(settings.__class__).items():
        value, listed = getattr(settings, name), get_origin(hint) is tuple
        if listed and not isinstance(value, list | tuple):
            raise GameError(f"{name}={value!r} is not a list")
        one, members = (get_args(hint)[0], tuple(value)) if listed else (hint, (_own_integer(value),))
        for member in members:
            if allowed := possible_values(one):
                check_possible(name, member, allowed)
            elif not fits(member, one) or (member == "" and name not in empty):
                kinds = get_args(one) if get_origin(one) in (Union, UnionType) else (one,)
                either = " or ".join(getattr(kind, "__name__", str(kind)) for kind in kinds)
                wanted = _WANTED.get(one, f"a value of the type {either}")
                raise GameError(f"{name}={member!r} is not possible; give {wanted}")
        if listed or members[0] is not value:
            object.__setattr__(settings, name, members if listed else members[0])


def check_possible(name: str, value: object, allowed: Collection[object]) -> None:
    """Raise GameError if a setting has an invalid value."""
    if not any(value == one and isinstance(value, bool) is isinstance(one, bool) for one in allowed):
        hint = did_you_mean(str(value), map(str, allowed))
        raise GameError(f"{name}={value!r} is not possible{hint} (allowed: {', '.join(map(repr, allowed))})")


def changes(settings: Any, base: Any) -> list[str]:
    """Return the fields of a dataclass that differ from those of another, as `name=value`."""
    both = {field.name: (getattr(settings, field.name), getattr(base, field.name)) for field in fields(base)}
    return [f"{name}={own!r}" for name, (own, other) in both.items() if own != other]


def as_data(value: Any) -> Any:
    """Return a dataclass as JSON-able values, without fields that have their defaults."""
    if isinstance(value, tuple):
        return [as_data(part) for part in value]
    if not is_dataclass(value):
        return value
    given = {field.name: (getattr(value, field.name), field.default) for field in fields(value)}
    return {name: as_data(now) for name, (now, default) in given.items() if now != default}


def from_data(hint: Any, data: Any, *, called: str = "") -> Any:
    """Return the value of a type written by `as_data`; raise GameError, with its name, for anything else.

    >>> from kripke_werewolf.games.werewolf.roles import Wound
    >>> from_data(Wound, as_data(Wound("wolf_{i}", "wolf_{i}", lasting=True))).lasting
    True
    """
    kinds: list[Any] = [part for part in (hint, *get_args(hint)) if is_dataclass(part)]
    if isinstance(data, Mapping) and kinds:
        kind = next((one for one in kinds if data.keys() <= types_of(one).keys()), kinds[0])
        types, called = types_of(kind), called or f"a {kind.__name__}"
        if unknown := [name for name in data if name not in types]:
            raise GameError(f"{called} has no {unknown[0]!r} (known: {', '.join(types)})")
        needed = (one.name for one in fields(kind) if one.default is one.default_factory is MISSING)
        if missing := [name for name in needed if name not in data]:
            raise GameError(f"{called} lacks {', '.join(map(repr, missing))}")
        made = kind(**{name: from_data(types[name], part) for name, part in data.items()})
        for name, part in data.items():
            if not fits(getattr(made, name), types[name]):
                raise GameError(f"the {name} of {called} cannot be {part!r}")
        return made
    if isinstance(data, list):
        listed = next((part for part in (hint, *get_args(hint)) if get_origin(part) is tuple), None)
        members = get_args(listed) or (None, ...)
        each = members[:1] * len(data) if members[1:] == (...,) else members
        return tuple(from_data(part, item) for part, item in zip(each, data, strict=True))
    return data
