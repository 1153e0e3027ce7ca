"""Commands made of functions: the signature says what a command takes, the docstring what it means.

The parameters of the function before the `*` are arguments. The others are options, with the type and the
default of the parameter; a tuple stands for an option that may be repeated. The docstring ends with a part
`Options:` that spells each option, as in `-o, --output FILE: The file to write.` The option `--format` is
the parameter `format`, `format_` or, for a tuple, `formats`. A parameter whose type is a named tuple stands
for the options that are its fields. An option of several commands is a type with its text, as `AsJson` is.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from inspect import Parameter, cleandoc, signature
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import click

_SPELLED = re.compile(r"((?:-\w, )?--?[\w/-]+)(?: (.+?))?: (.*)")
"""An option as docstrings spell it: its names, what stands for its value, and its help."""


def _seconds(value: Any) -> float:
    found = float(click.FLOAT.convert(value, None, None))
    if not 0 < found < math.inf:
        raise click.BadParameter(f"{found:g} is not a number of seconds greater than 0")
    return found


def _names(value: str) -> list[str]:
    return [name.strip() for name in value.split(",") if name.strip()]


File = Annotated[Path, click.Path(dir_okay=False, path_type=Path)]
ExistingFile = Annotated[Path, click.Path(exists=True, dir_okay=False, path_type=Path)]
Folder = Annotated[Path, click.Path(file_okay=False, path_type=Path)]
Positive = Annotated[int, click.IntRange(min=1)]
Seconds = Annotated[float, _seconds]
Names = Annotated[list[str], _names]
"""Names separated by commas."""

Language = Annotated[
    str, "--language: The language: en, nl, de or ja; or a file with sentences, such as fr.ftl."
]
AsJson = Annotated[bool, "--json: Print JSON for other programs."]


Reading = Literal["facts", "exact"]
PublishedReading = Annotated[
    Reading,
    "--reading: What is used of what players were told: facts, such as entries of 0 and 100%, or all that "
    "follows.",
]
TableTimeout = Annotated[Seconds, "--timeout SECONDS: Look for the answer for at most this many seconds."]


def command(name: str, *, of: Any = click, **settings: Any) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a command of a function, in a group if one is given."""

    def decorate(function: Callable[..., Any]) -> click.Command:
        groups: dict[str, Any] = {}

        def collected(**given: Any) -> Any:
            for parameter, group in reversed(groups.items()):  # those in other groups first
                given[parameter] = group(*map(given.pop, group._fields))
            return function(**given)

        parameters, (text, _) = [*_declared(function, groups)], _parts(function)
        made: click.Command = of.command(name, help=text, params=parameters, **settings)(collected)
        return made

    return decorate


def _parts(described: object) -> tuple[str, list[str]]:
    """Return the text of a docstring on a command, and on each option."""
    text, _, options = cleandoc(described.__doc__ or "").partition("\nOptions:\n")
    return text, [" ".join(option.split()) for option in re.split(r"\n(?=-)", cleandoc(options))]


def _declared(described: Callable[..., Any], groups: dict[str, Any]) -> Iterator[click.Parameter]:
    """Yield the arguments and options of a function or a named tuple; note its named tuples in `groups`."""
    _, texts = _parts(described)
    hints = get_type_hints(described, include_extras=True)
    for parameter in signature(described).parameters.values():
        name, default = parameter.name, parameter.default
        if hasattr(hints[name], "_fields"):
            groups[name] = hints[name]
            yield from _declared(hints[name], groups)
        elif parameter.kind is Parameter.KEYWORD_ONLY or hasattr(described, "_fields"):
            yield _option(name, _kind(hints[name]), default, texts)
        else:
            yield _argument(name, _kind(hints[name]), default)


class _Kind(NamedTuple):
    """What a type hint says of a parameter: its type, the text of its option, and how many values it has."""

    type: Any
    text: str = ""
    number: int = 1


def _kind(hint: Any) -> _Kind:
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        kind = _kind(inner[0])
        for more in inner[1:]:
            kind = kind._replace(text=more) if isinstance(more, str) else kind._replace(type=more)
        return kind
    if origin is tuple:
        return _kind(inner[0])._replace(number=-1 if Ellipsis in inner else len(inner))
    if origin in (Union, UnionType):  # with None
        return _kind(inner[0])
    if origin is Literal:
        return _Kind(click.Choice(inner))
    return _Kind(click.Path(path_type=Path) if hint is Path else hint)


def _argument(name: str, kind: _Kind, default: Any) -> click.Argument:
    settings: dict[str, Any] = {"type": kind.type, "nargs": kind.number}
    if default is Parameter.empty or kind.number == -1:
        settings["required"] = default is Parameter.empty
    else:
        settings |= {"required": False, "default": default}
    if kind.number == -1:
        several = f"{name.removesuffix('s').upper()}…"
        settings["metavar"] = several if settings["required"] else f"[{several}]"
    return click.Argument([name], **settings)


def _option(name: str, kind: _Kind, default: Any, texts: list[str]) -> click.Option:
    spellings = "|".join(
        re.escape(n.replace("_", "-")) for n in (name, name.strip("_"), name.removesuffix("s"))
    )
    its_own = re.compile(rf"(-\w, )?--?({spellings})[ :/]")
    spelled = _SPELLED.fullmatch(kind.text or next(filter(its_own.match, texts), ""))
    assert spelled, f"the docstring does not spell the option of {name}"
    names, metavar, text = spelled.groups()
    settings: dict[str, Any] = {"help": text, "metavar": metavar, "required": default is Parameter.empty}
    if default is not Parameter.empty and kind.number != -1:
        shown = default is not None and default is not False and default != "" and "by default" not in text
        settings |= {"default": default, "show_default": shown}
    if kind.type is bool and "/" not in names:
        settings["is_flag"] = True
    elif kind.type is not bool:
        settings |= {"type": kind.type, "multiple": kind.number == -1, "nargs": max(kind.number, 1)}
    return click.Option([*names.split(", "), name], **settings)
