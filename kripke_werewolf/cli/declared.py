"""How a command is written, as a function: the signature says what it takes, the docstring what it means.

The parameters of the function before the `*` are arguments. The others are options, with the type and the
default of the parameter; a tuple stands for an option that may be repeated. The docstring ends with a part
`Options:` that spells each option, as in `-o, --output FILE: The file to write.` The option `--format` is
the parameter `format`, `format_` or, for a tuple, `formats`. An option of several commands is a type with its
text, as `Language` is.

A command that hands options on to a function of the library names that function, and those of its parameters
that are options, as in `@command("count", running={open_executor: "workers"})`. Their types and defaults are
those of the function, their help is in the docstring of the command, or else what the library says of the
parameter, as in "`workers`: the number of processes." or below the field of a class. The parameter `running`
of the command is a dictionary of those that were given, `Given`, or of all: `Settled`.

A command that returns `Reply` has the option `--json`, and one that makes a `NewFile` has `--force`.
"""

from __future__ import annotations

import inspect
import math
import re
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from inspect import Parameter, cleandoc, signature
from itertools import chain
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import click
from click.core import ParameterSource

from kripke_werewolf.base.errors import Undecided, check_known
from kripke_werewolf.base.files import known_ending
from kripke_werewolf.base.settings import read_value
from kripke_werewolf.base.wording import known_language
from kripke_werewolf.cli.output import check_new, print_json

_Function = Callable[..., Any]
COMMANDS: dict[str, click.Command] = {}
"""The commands in the modules that are loaded, by their names with those of their groups."""

_SPELLED = re.compile(r"((?:-\w, )?--?[\w/-]+)(?: (.+?))?: (.*)")
"""An option as docstrings spell it: its names, what stands for its value, and its help."""
_FIELD = re.compile(r'^    (\w+): .*\n    """((?:.|\n)+?)\.?"""', re.MULTILINE)
_PARAMETER = re.compile(r"`(\w+)`: ((?:.|\n)+?)(?=\.\s|\.?$|\n\*)")
"""A parameter as the docstrings of the library describe it."""


def _seconds(value: Any) -> float:
    found = float(click.FLOAT.convert(value, None, None))
    if not 0 < found < math.inf:
        raise click.BadParameter(f"{found:g} is not a number of seconds greater than 0")
    return found


def read_step(value: str) -> int | str:
    """Return a number of steps, or the name of a phase."""
    if value.removeprefix("-").isdigit():
        return int(value)
    return value


def _names(value: str) -> list[str]:
    return [name.strip() for name in value.split(",") if name.strip()]


def _pair(value: str, form: object) -> tuple[str, str]:
    name, equals, rest = (part.strip() for part in value.partition("="))
    if not (name and equals):
        raise click.BadParameter(f"{value!r} is not of the form {form}")
    return name, rest


def read_settings(kind: _Function, pairs: Pairs) -> dict[str, Any]:
    """Return the values that NAME=VALUE give to parameters of a class or a function, all but its seed."""
    types = get_type_hints(kind, include_extras=True)
    known = [name for name in signature(kind).parameters if name != "seed"]
    return {check_known(name, known, kind="setting"): read_value(text, types[name]) for name, text in pairs}


class New(click.Path):
    """The path of a file that a command makes: without `--force`, nothing may be there.

    `endings`: those that its name may have; all if none are given. `folder`: whether it may be a folder.
    """

    def __init__(self, *endings: str, folder: bool = False) -> None:
        super().__init__(dir_okay=folder, path_type=Path)
        self.endings = endings

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; raise `FormatError` for another ending."""
        if self.endings:
            known_ending(value, self.endings)
        return super().convert(value, param, ctx)


Log = Annotated[Path, click.Path(dir_okay=False, path_type=Path)]
NewFile = Annotated[Path, New()]
NewPlace = Annotated[Path, New(folder=True)]
"""A file or a folder."""
ExistingFile = Annotated[Path, click.Path(exists=True, dir_okay=False, path_type=Path)]
Folder = Annotated[Path, click.Path(file_okay=False, path_type=Path)]
Seconds = Annotated[float, _seconds]
StepOrPhase = Annotated[int | str, read_step]
"""A number of steps, or the name of a phase, for all steps until its end."""
FirstSteps = Annotated[
    StepOrPhase | None, '--step N: Only the first N steps, or those until the end of a phase: "day 1".'
]
Names = Annotated[list[str], _names]
"""Names separated by commas."""
Words = tuple[str, ...]
"""Several arguments, or the values of an option that may be repeated."""

Pairs = tuple[Annotated[tuple[str, str], _pair], ...]
"""The values of an option NAME=VALUE that may be repeated."""

Given = dict[str, Any]
"""The options of the library that were given, by the names of its parameters."""
Settled = Mapping[str, Any]
"""Options with their values, given or not."""
_LANGUAGE = "--language LANGUAGE: The language: en, nl, de, ja, or a file with sentences: fr.ftl."
Language = Annotated[str, known_language, _LANGUAGE]
AsJson = Annotated[bool, "--json: Print JSON for other programs."]
Reading = Literal["facts", "exact"]
Viewer = Annotated[str | None, "--player PLAYER: Only what this player knows."]


class Asking(NamedTuple):
    """How the knowledge of players is asked for.

    Options:
      --reading: What is used of what players were told: facts, such as entries of 0 and 100%, or all that
        follows.
      --timeout SECONDS: Look for the answer for at most this many seconds.
      --engine: For a game: the engine; by default chosen by size.
    """

    reading: Reading = "facts"
    timeout: Seconds = 60
    engine: Literal["auto", "explicit", "symbolic"] = "auto"


class Reply(NamedTuple):
    """What a command prints: lines for people, or content for programs; the exit code is 1 unless `yes`."""

    lines: Iterable[str]
    content: object
    yes: bool = True
    indent: int | None = 2
    undecided: str = ""
    """What was not decided; the command then ends as one that has failed."""

    def show(self, *, as_json: bool) -> None:
        """Print the answer and end the command."""
        if as_json:
            print_json(self.content, indent=self.indent)
        else:
            for line in self.lines:
                click.echo(line)
        if self.undecided:
            raise Undecided(self.undecided)
        click.get_current_context().exit(int(not self.yes))


_JSON = click.Option(["--json", "as_json"], is_flag=True, help="Print JSON for other programs.")
_FORCE = click.Option(["--force"], is_flag=True, help="Write over files that exist.")


def command(
    path: str, *, cls: type[click.Command] = click.Command, **takes: Mapping[Any, str]
) -> Callable[[_Function], _Function]:
    """Make a command of a function.

    `path`: its name after those of its groups. `takes`: for parameters of the function, what they collect for
    the library: the names of options of some functions, classes or values; a value gives the defaults.
    """

    def decorate(function: _Function) -> _Function:
        text, texts = _parts(function)
        parameters = [*_declared(function, texts, takes)]
        taken = [*chain(*(sources.items() for sources in takes.values()))]
        texts += chain(*(_parts(source)[1] for source, _ in taken))
        parameters += chain(*(_taken(source, names.split(), texts) for source, names in taken))
        made = [parameter.name for parameter in parameters if isinstance(parameter.type, New)]
        hints = get_type_hints(function)
        if hints["return"] is Reply:
            parameters.append(_JSON)
        if made:
            parameters.append(_FORCE)

        def run(**given: Any) -> Any:
            context = click.get_current_context()
            if made:
                check_new(*(given[name] for name in made if given[name] is not None))
                del given["force"]
            for parameter, sources in takes.items():
                names = " ".join(sources.values()).split()
                usual = {n for n in names if context.get_parameter_source(n) is ParameterSource.DEFAULT}
                left_out = usual if hints[parameter] == Given else ()
                values = {name: given.pop(name) for name in names}
                given[parameter] = {name: value for name, value in values.items() if name not in left_out}
            if _JSON not in parameters:
                return function(**given)
            as_json = given.pop("as_json")
            return function(**given).show(as_json=as_json)

        COMMANDS[path] = cls(path.split()[-1], params=parameters, help=text, callback=run)
        return function

    return decorate


def _parts(described: object) -> tuple[str, list[str]]:
    """Return the text of a docstring on a command, and on each option."""
    text, _, options = cleandoc(described.__doc__ or "").partition("\nOptions:\n")
    return text, [" ".join(option.split()) for option in re.split(r"\n(?=-)", cleandoc(options))]


def _declared(function: _Function, texts: Iterable[str], taken: Container[str]) -> Iterator[click.Parameter]:
    """Yield the arguments and options that a function declares, without those of the library."""
    hints = get_type_hints(function, include_extras=True)
    for name, parameter in signature(function).parameters.items():
        if name in taken:
            continue
        if parameter.kind is Parameter.KEYWORD_ONLY:
            yield _option(name, _kind(hints[name]), parameter.default, texts)
        else:
            yield _argument(name, _kind(hints[name]), parameter.default)


def _taken(source: Any, names: Iterable[str], texts: Sequence[str]) -> Iterator[click.Parameter]:
    """Yield options for parameters of the library, as they are declared there."""
    kind = source if callable(source) else type(source)
    described = inspect.unwrap(kind)
    if typed := getattr(described, "__required_keys__", None) is not None:  # a typed dictionary
        given = {name: Parameter(name, Parameter.KEYWORD_ONLY, default=None) for name in names}
    else:
        given = dict(signature(described).parameters)
    known = {name: " ".join(text.split()) for name, text in _PARAMETER.findall(inspect.getdoc(kind) or "")}
    if inspect.isclass(described):
        known |= {name: " ".join(text.split()) for name, text in _FIELD.findall(inspect.getsource(described))}
    for name in names:
        hint = described.__annotations__[name] if typed else given[name].annotation
        written = getattr(hint, "__forward_arg__", hint)
        home = vars(sys.modules[described.__module__])
        written = eval(written, home) if isinstance(written, str) else written
        text = known.get(name, "").replace("`", "")
        option = f"--{name.replace('_', '-')}: {text[:1].upper()}{text[1:]}." if text else ""
        default = getattr(source, name) if kind is not source else given[name].default
        yield _option(name, _kind(written), default, [*texts, option])


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
            if isinstance(more, int):  # the least value, as in `settings`
                more = click.IntRange(min=more)
            kind = kind._replace(text=more) if isinstance(more, str) else kind._replace(type=more)
        return kind
    if origin is tuple:
        number = -1 if Ellipsis in inner else len(inner)
        return _kind(inner[0])._replace(number=number)
    if origin in (Union, UnionType):
        return _kind(next(part for part in inner if part is not NoneType))
    if origin is Literal:
        return _Kind(click.Choice(inner))
    return _Kind(click.Path(path_type=Path) if hint is Path else hint)


def _argument(name: str, kind: _Kind, default: Any) -> click.Argument:
    required = default is Parameter.empty
    settings: dict[str, Any] = {"type": kind.type, "nargs": kind.number, "required": required}
    if kind.number == -1:
        several = f"{name.removesuffix('s').upper()}…"
        settings["metavar"] = several if required else f"[{several}]"
    elif not required:
        settings["default"] = default
    return click.Argument([name], **settings)


def _option(name: str, kind: _Kind, default: Any, texts: Iterable[str]) -> click.Option:
    words = {word.replace("_", "-") for word in (name, name.strip("_"), name.removesuffix("s"))}
    its_own = re.compile(rf"(-\w, )?--?({'|'.join(words)})[ :/]")
    spelled = _SPELLED.fullmatch(kind.text or next(filter(its_own.match, texts), ""))
    assert spelled, f"the docstring does not spell the option of {name}"
    names, metavar, text = spelled.groups()
    if kind.type is _pair:
        kind = kind._replace(type=lambda value: _pair(value, metavar))
    settings: dict[str, Any] = {"help": text, "metavar": metavar, "required": default is Parameter.empty}
    if default is not Parameter.empty and kind.number != -1:
        shown = default is not None and default is not False and default != ""
        settings["show_default"] = shown and "by default" not in text
        settings["default"] = default
    if kind.type is bool and "/" not in names:
        settings["is_flag"] = True
    elif kind.type is not bool:
        settings |= {"type": kind.type, "multiple": kind.number == -1, "nargs": max(kind.number, 1)}
    return click.Option([*names.split(", "), name], **settings)
