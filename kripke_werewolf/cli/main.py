"""How the command line starts: it finds the commands in the modules beside it, and shows errors.

A command is a function in a module of this package, decorated with its name: `@command("game table")`. Its
module is imported when the command is called, and the help reads the names and docstrings in the files. A
command ends with exit code 0 for yes and done, 1 for no; bad input ends with 2, and one message on standard
error.
"""

from __future__ import annotations

import errno
import os
import re
import sys
import warnings
from contextlib import suppress
from functools import cache
from importlib import import_module
from inspect import cleandoc
from io import TextIOWrapper
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn

import click

from kripke_werewolf.base._version import __version__
from kripke_werewolf.base.errors import KripkeError, UnknownNameError, missing_package, near_misses
from kripke_werewolf.base.usage import advised, meant_names
from kripke_werewolf.cli.output import note

# why output cannot be written; such an error names no file, and commands name the files that they write
_UNWRITTEN = {errno.ENOSPC, errno.EFBIG, errno.EIO, errno.EBADF}
_DISTRIBUTIONS = {"PIL": "pillow"}  # what pip calls a package that has another name in Python
_EXTRAS = dict.fromkeys(("h11", "prompt_toolkit", "segno", "starlette", "uvicorn"), "play")
"""The packages that an extra brings."""

_SECTIONS = {
    "Logic": ("ask", "prove", "check", "draw", "explore", "puzzle", "story", "plan", "disclose"),
    "An evening of Werewolf": ("demo", "play", "host", "game"),
    "A class": ("exercise", "proof"),
    "Research": ("avalon", "forge", "arena"),
}
"""The commands and groups of the first level, as the help shows them; others come last."""

_MOST = 3  # commands, or options, that are named in a message
_DEFAULTS = {"plan": "find", "forge": "make"}
"""The commands that are meant if a group is called without the name of one."""
_GROUP = re.compile(r"^([\w ]+): ((?:.|\n(?!\w))*)", re.MULTILINE)
_COMMAND = re.compile(r'^@command\(\s*"([\w ]+)".*?^def .*?"""(.*?)"""', re.MULTILINE | re.DOTALL)


@cache
def _declared() -> dict[str, tuple[str, str]]:
    """Return for every command its module and its docstring, as they stand in the files."""
    found = {}
    for file in sorted(Path(__file__).parent.glob("*.py")):
        for path, text in _COMMAND.findall(file.read_text(encoding="utf-8")):
            found[path] = file.stem, text
    return found


def _within(group: str) -> dict[str, str]:
    """Return the names of the commands and groups in a group, each with its help."""
    helps = {path: text for path, (_, text) in _declared().items()} | _GROUPS
    inner = {path.split()[-1]: text for path, text in helps.items() if path.rpartition(" ")[0] == group}
    first = [name for name in chain(*_SECTIONS.values()) if name in inner and not group]
    return {name: inner[name] for name in dict.fromkeys([*first, *inner])}


class _Group(click.Group):
    """A group whose commands are imported when they are called.

    Groups:
    plan: Find a plan for a task in EPDDL or PDDL, check a plan, or ground a task.

      Without another command, `find` is meant: kripke-werewolf plan problem.epddl domain.epddl
    game: Print, ask, change and audit recorded games, and print their rules.

      A game is the log that `play` writes.
    exercise: Generate exercises and sheets, check and grade answers.
    exercise sheet: Write sheets of several tasks, check answers, and export them to learning systems.
    exercise class: Write an individual sheet for each student, grade answers, and export the sheets.
    proof: Write and check derivations, and expand them into steps with axioms.
    avalon: Play and simulate the game Avalon, compute exact win rates, and repeat a published study.
    forge: Make stories with questions about who believes what, whose answers are derived twice.

      Without another command, `make` is meant: kripke-werewolf forge rooms --items 10 --pairs
    arena: Let programs and language models play, and score them by what each seat could know.
    """

    def __init__(self, path: str = "", **settings: Any) -> None:
        super().__init__(path.rpartition(" ")[2] or None, help=_GROUPS.get(path), **settings)
        self.path = path

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments of the command that is named or meant."""
        known = (*_within(self.path), "help", "-h", "--help")
        if self.path in _DEFAULTS and args and args[0] not in known:
            misspelt = near_misses(args[0], known) and not os.path.exists(args[0])
            args = args if misspelt else [_DEFAULTS[self.path], *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_within(self.path))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return None if cmd_name.startswith("-") else self.named(cmd_name)

    def named(self, name: str) -> click.Command:
        """Return a command or group by its name."""
        from kripke_werewolf.cli.declared import COMMANDS

        path = f"{self.path} {name}".strip()
        if path in _GROUPS:
            return _Group(path)
        if path not in _declared():
            raise _unknown(self.path, name)
        import_module(f"{__package__}.{_declared()[path][0]}")
        return COMMANDS[path]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Read `help COMMAND` as `COMMAND --help`, and `help` and `version` as the options."""
        if args[0] == "help" and args[1:]:
            args = [*args[1:], "--help"]
        elif args[0] == "help" or (args[0] == "version" and not self.path):
            self.make_context(ctx.info_name, [f"--{args[0]}"], parent=ctx.parent)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands with the whole first sentence of each, on the first level in sections."""
        texts = {name: " ".join(text.split()) for name, text in _within(self.path).items()}
        left = {name: text.partition(". ")[0].rstrip(".") for name, text in texts.items()}
        for title, names in () if self.path else _SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, left.pop(name)) for name in names])
        if left:
            with formatter.section("Commands"):
                formatter.write_dl([*left.items()])


_GROUPS = {name: cleandoc(text) for name, text in _GROUP.findall(cleandoc(_Group.__doc__ or ""))}
"""The groups of commands, with their help."""
cli = _Group(params=[], context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
cli.help = "Check, prove, draw and teach dynamic epistemic logic, and play Quantum Werewolf."
click.version_option(__version__, "-V", "--version", prog_name="kripke-werewolf")(cli)


def main() -> None:
    """Run the command line: the entry point of the console script."""
    warnings.showwarning = lambda message, *_, **__: note(message)
    if isinstance(sys.stdout, TextIOWrapper):  # for letters that a terminal or a pipe lacks
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = cli.main(prog_name="kripke-werewolf", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except click.ClickException as error:
        _explained(error).show()
        sys.exit(2)
    except (click.exceptions.Abort, KeyboardInterrupt):
        sys.exit("interrupted")
    except KripkeError as error:
        _fail(str(error))
    except BrokenPipeError:
        # the reader of our output has gone: nothing more to say, and nothing to flush at exit
        _discard_output()
        sys.exit(0)
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name in ("", "kripke_werewolf", "visualise"):
            raise
        if name in sys.stdlib_module_names:
            _fail(f"this needs {error.name}, which this Python does not have")
        _fail(missing_package("this", _DISTRIBUTIONS.get(name, name), extra=_EXTRAS.get(name)))
    except OSError as error:
        if error.filename:
            _fail(f"{error.filename}: {error.strerror}{_near_file(error)}")
        if error.errno in _UNWRITTEN:
            _discard_output()
            _fail(f"standard output could not be written: {error.strerror}")
        _fail(str(error))


def _near_file(error: OSError) -> str:
    """Return the end of the message for a missing file: files and puzzles with similar names."""
    path = Path(os.fsdecode(error.filename))
    if error.errno != errno.ENOENT or not path.parent.is_dir() or not path.name:
        return ""
    from kripke_werewolf.logic.puzzles import PUZZLES

    places = {beside.name: str(beside) for beside in sorted(path.parent.iterdir())}
    near = near_misses(path.name, {*PUZZLES, *places} - {path.name}, 2)
    return f"; did you mean {' or '.join(places.get(name, name) for name in near)}?" if near else ""


def _discard_output() -> None:
    """Discard output that could not be written, so that Python does not try again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str) -> NoReturn:
    click.echo(f"error: {message}", err=True)
    sys.exit(2)


# --- what was meant ----------------------------------------------------------------------------------


def _unknown(group: str, name: str) -> UnknownNameError:
    """Return the error for a command that does not exist: what was meant, here or in other groups."""
    from kripke_werewolf.logic.puzzles import PUZZLES

    here, everywhere = _within(group), [*_declared(), *_GROUPS]
    places = [path for path in everywhere if path.split()[-1] == name]
    path = f"{group} {name}".strip().replace(" ", "_")
    meant = advised(sys.modules["kripke_werewolf.cli"], path)  # as the table of words calls it
    if not group and name in PUZZLES:
        meant = f"'puzzle {name}'"
    elif " " in name:
        meant = f'prove "{name}"'
    elif places and not meant and not (group and meant_names(name, here)):
        root = "kripke-werewolf " if group else ""
        meant = " or ".join(f"'{root}{path}'" for path in places)
    elif not meant:
        known = {path.split()[-1]: path for path in reversed(everywhere)}
        known |= {inner: inner for inner in here}
        names = meant_names(name, here) or near_misses(name, known)
        if names != near_misses(name, here):  # which the error names
            meant = " or ".join(repr(known[other]) for other in names)
    return UnknownNameError(name, here, kind="command", place=group, meant=meant)


def _explained(error: click.ClickException) -> click.ClickException:
    """Suggest a fix for a surplus argument, and the option that an unknown one stands for."""
    if not isinstance(error, click.UsageError) or error.ctx is None:
        return error
    if found := re.search(r"unexpected extra arguments? \((.*)\)", error.message):
        advice = _about_arguments(error.ctx, found[1])
    elif isinstance(error, click.NoSuchOption):
        advice = _about_option(error.ctx, error.option_name)
    elif isinstance(error, click.MissingParameter) and isinstance(error.param, click.Option):
        return click.UsageError(f"{error.format_message()}\n{error.param.help}", error.ctx)
    elif isinstance(error, click.BadParameter) and not isinstance(error, click.MissingParameter):
        known = getattr(getattr(error.param, "type", None), "choices", ())
        given = re.findall("'(.*)' is not one of", error.message)
        near = [repr(name) for word in given for name in meant_names(word, known)]
        about = _suggestion(near) or f" {getattr(error.param, 'help', None) or ''}".rstrip()
        return click.BadParameter(error.message + about, error.ctx, error.param)
    else:
        return error
    return click.UsageError(error.message + advice, error.ctx)


def _suggestion(meant: list[str]) -> str:
    return f" Did you mean {' or '.join(meant[:_MOST])}?" if meant else ""


def _about_arguments(context: click.Context, surplus: str) -> str:
    """Return the advice on words that a command does not take."""
    from kripke_werewolf.logic.formulas.logics import LOGICS

    parameters, given = context.command.params, surplus.split()
    options = {name for p in parameters for name in p.opts}
    before = " ".join(sys.argv).partition(f" {surplus}")[0].split()
    last = next((word for word in reversed(before) if word in options), "--players")
    if last != "--players" and any(last in p.opts and getattr(p, "multiple", False) for p in parameters):
        return f": {last} takes one value; repeat it: {last} {given[0]}."
    if "--players" in options:
        return ": names of players follow --players."
    advice = ": write a formula in quotes, and numbers and names as options (see --help)."
    numbers = [p.opts[0] for p in parameters if isinstance(p.type, type(click.INT)) and p.opts[0][0] == "-"]
    meant = []
    if all(map(str.isdecimal, given)) and len(given) <= len(numbers):
        meant = [" ".join(f"{option} {number}" for option, number in zip(numbers, given, strict=False))]
    elif context.command.name == "prove" and os.path.isfile(file := context.params["formula"]):
        meant = [f'ask {file} "{surplus}"']
    elif all(f"--{word.partition('=')[0]}" in options for word in given):
        meant = [" ".join(f"--{word.replace('=', ' ')}" for word in given)]
    elif "--logic" in options and surplus in LOGICS:
        meant = [f"--logic {surplus}"]
    elif "--player" in options and surplus.isalpha():
        meant = [f"--player {surplus}"]
    elif all(parameter.name not in ("formula", "formulas") for parameter in parameters):
        advice = ": it takes no more arguments (see --help)."
    return advice + _suggestion(meant)


def _about_option(context: click.Context, option: str) -> str:
    """Return the advice on an option that a command does not have."""
    command, asked = context.command, option.lstrip("-")
    if not re.fullmatch(r"[\w-]*\w", option):
        return " Write a formula in quotes."
    path = "_".join(context.command_path.split()[1:])
    if calls := advised(sys.modules["kripke_werewolf.cli"], f"{path}(", f"{asked}="):
        return f" Did you mean {calls}?"
    meant = []
    dashed = next((arg for arg in sys.argv if re.match(r"-\w\w", arg) and arg[:2] == option), "")
    if any(f"-{dashed.partition('=')[0]}" in p.opts for p in command.params):
        meant = [f"-{dashed}"]
    places = {"": command}
    if isinstance(command, _Group):
        places |= {name: command.named(name) for name in _within(command.path)}
    for place, of in places.items():
        names = {spelled.lstrip("-"): spelled for p in of.params for spelled in p.opts if spelled[0] == "-"}
        chosen = [p for p in of.params if asked in getattr(p.type, "choices", ())]
        found = [f"{p.opts[0]} {asked}" for p in chosen]
        found += [names[name] for name in meant_names(asked, names)]
        meant += [f"{place} {one}".lstrip() for one in found]
    written = any("--out" in o for p in command.params for o in p.opts)
    if asked in ("o", "out", "output") and not written:
        return " The result is printed: write > FILE after the command." + _suggestion(meant)
    if meant:
        return _suggestion(meant)
    known = [p.opts[0] for p in command.params if p.opts[0].startswith("-")] or [*places][1:] or ["none"]
    others = [path for path, other in _all().items() if any(f"--{asked}" in p.opts for p in other.params)]
    nearest = sorted(others, key=lambda path: path.count(" "))[:_MOST]
    advice = f" (known: {', '.join(known)})"
    if nearest:
        advice += f" It is an option of {', '.join(map(repr, nearest))}."
    return advice


def _all() -> dict[str, click.Command]:
    """Return all commands whose packages are installed, by their paths."""
    from kripke_werewolf.cli.declared import COMMANDS

    for module, _ in _declared().values():
        with suppress(ModuleNotFoundError):
            import_module(f"{__package__}.{module}")
    return COMMANDS
