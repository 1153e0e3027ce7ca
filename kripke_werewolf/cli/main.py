"""The group of all commands, and how errors reach the user.

A command's module is imported when the command is called. A command ends with exit code 0 for yes and
done, 1 for no; bad input ends with 2, and one message on standard error.
"""

from __future__ import annotations

import errno
import os
import re
import sys
import warnings
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import NoReturn

import click

from kripke_werewolf._version import __version__
from kripke_werewolf.cli.output import note
from kripke_werewolf.errors import KripkeError, UnknownNameError, missing_package, near_misses
from kripke_werewolf.usage import advised, meant_names

# why output cannot be written; such an error names no file, and commands name the files that they write
_UNWRITTEN = {errno.ENOSPC, errno.EFBIG, errno.EIO, errno.EBADF}
_DISTRIBUTIONS = {"PIL": "pillow"}  # what pip calls a package that has another name in Python

# for each command its module, where the command `name` is the object `name_command`, and its line in the help
_COMMANDS = {
    "play": ("play", "play a game of Quantum Werewolf, or continue one"),
    "ask": ("questions", "answer questions about a game or a model"),
    "table": ("games", "print the probability table of a game, or its changes"),
    "handout": ("games", "print what one player of a game may know"),
    "replay": ("games", "print a game step by step"),
    "draw": ("draw", "draw a model, a game or a puzzle"),
    "explore": ("explore", "explore a model in a browser, or write a page for it"),
    "prove": ("prove", "decide whether a formula is valid, and show a counter-model if not"),
    "check": ("check", "answer the queries of an SMCDEL file, or evaluate formulas on a model"),
    "puzzle": ("puzzles", "run a puzzle from the literature, or list all"),
    "story": ("story", "run a story from a text file and check its answers"),
    "demo": ("play", "play a small game of Quantum Werewolf and print what its players know"),
    "host": ("play", "host a game of Quantum Werewolf on the players' phones"),
    "rules": ("games", "print the rules of a game on one page"),
    "report": ("games", "write a report of a whole game, with tables and plots"),
    "tale": ("games", "tell a game as a story to pass on"),
    "statistics": ("games", "count games, winners and players over the logs in a folder"),
    "branch": ("games", "change a game from a step on, in a new log, and compare"),
    "decks": ("games", "print suggested decks, with their chances under blind play"),
    "night": ("games", "print what the players of One Night Werewolf can conclude"),
    "undo": ("games", "undo the last steps of a game"),
    "audit": ("games", "compare games that a player cannot tell apart"),
    "knowledge": ("questions", "print what players know about each other"),
    "infer": ("infer", "find all histories of a game that explain one player's sheet"),
    "timeline": ("questions", "print for every event of a game whether formulas are true"),
    "proof": ("proof", "check, expand or export a derivation"),
    "plan": ("plan", "find or check a plan for a task in EPDDL, the language of epistemic planning"),
    "forge": ("forge", "make stories about who believes what, with certified answers"),
    "exercise": ("exercise", "generate exercises and sheets, check and grade answers"),
    "avalon": ("avalon", "play, simulate and solve the game Avalon"),
    "game": ("avalon", "run studies of games whose players act on their knowledge"),
}


class _Commands(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name.startswith("-"):
            return None
        if cmd_name not in _COMMANDS:
            from kripke_werewolf.puzzles import PUZZLES

            names = [f"puzzle {cmd_name}"] if cmd_name in PUZZLES else meant_names(cmd_name, _COMMANDS)
            alike = names == near_misses(cmd_name, _COMMANDS)  # which the error names
            meant = advised(sys.modules[__package__], cmd_name)
            meant = meant or ("" if alike else " or ".join(map(repr, names)))
            raise UnknownNameError(cmd_name, _COMMANDS, kind="command", meant=meant)
        module = import_module(f"kripke_werewolf.cli.{_COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Read `help COMMAND` as `COMMAND --help`, and `help` and `version` as the options."""
        if args[0] == "help" and args[1:]:
            args = [args[1], "--help"]
        elif args[0] in ("help", "version"):
            self.make_context("kripke-werewolf", [f"--{args[0]}"])
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in _COMMANDS.items()])


@click.command(
    cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, "-V", "--version", prog_name="kripke-werewolf")
def cli() -> None:
    """Check, prove, draw and teach dynamic epistemic logic, and play Quantum Werewolf."""


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
        _fail(missing_package("this", _DISTRIBUTIONS.get(name, name)))
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
    if error.errno != errno.ENOENT or not path.parent.is_dir():
        return ""
    from kripke_werewolf.puzzles import PUZZLES

    places = {beside.name: str(beside) for beside in sorted(path.parent.iterdir())}
    near = near_misses(path.name, [*PUZZLES, *places], 2) if path.name else []
    return f"; did you mean {' or '.join(places.get(name, name) for name in near)}?" if near else ""


def _discard_output() -> None:
    """Discard output that could not be written, so that Python does not try again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _explained(error: click.ClickException) -> click.ClickException:
    """Suggest a fix for a surplus argument, and the option that an unknown one stands for."""
    from kripke_werewolf.language.logics import LOGICS

    if not isinstance(error, click.UsageError) or error.ctx is None:
        return error
    command, meant, advice = error.ctx.command, list[str](), ""
    if found := re.search(r"unexpected extra arguments? \((.*)\)", error.message):
        advice = ": write a formula in quotes, and numbers and names as options (see --help)."
        if any("--players" in p.opts for p in command.params):
            advice = ": names of players follow --players."
        numbers = [
            p.opts[0] for p in command.params if isinstance(p.type, type(click.INT)) and p.opts[0][0] == "-"
        ]
        given = found[1].split()
        options = {name for p in command.params for name in p.opts}
        known = {"--logic": LOGICS, "--player": [found[1]] if found[1].isalpha() else []}
        if all(map(str.isdecimal, given)) and len(given) <= len(numbers):
            meant = [" ".join(map(" ".join, zip(numbers, given, strict=False)))]
        elif command.name == "prove" and os.path.isfile(file := error.ctx.params["formula"]):
            meant = [f'ask {file} "{found[1]}"']
        elif all(f"--{word.partition('=')[0]}" in options for word in given):
            meant = [" ".join(f"--{word.replace('=', ' ')}" for word in given)]
        else:
            meant = [f"{name} {found[1]}" for name in known if name in options and found[1] in known[name]]
    elif error.message.startswith("No such command"):
        asked, groups = error.message.split("'")[1], dict[str, click.Command]()
        for context in filter(None, (error.ctx.parent, error.ctx)):
            groups |= getattr(context.command, "commands", {})
        meant = [f"{name} {asked}" for name, of in groups.items() if asked in getattr(of, "commands", ())]
        advice = " A formula is for prove, as in prove FORMULA --proof." * (" " in error.message[17:])
    elif isinstance(error, click.NoSuchOption) and not re.fullmatch(r"[\w-]*\w", error.option_name):
        advice = " Write a formula in quotes."
    elif isinstance(error, click.NoSuchOption):
        dashed = next(
            (arg for arg in sys.argv if re.match(r"-\w\w", arg) and arg[:2] == error.option_name), ""
        )
        whole = dashed.split("=")[0]
        if any(f"-{whole}" in p.opts for p in command.params):
            meant = [f"-{dashed}"]
        asked = error.option_name.lstrip("-")
        if asked in ("o", "out", "output") and not any("--out" in o for p in command.params for o in p.opts):
            advice = " The result is printed: write > FILE after the command."
        if calls := advised(sys.modules[__package__], f"{command.name}(", f"{asked}="):
            return click.UsageError(f"{error.message} Did you mean {calls}?", error.ctx)
        for place, of in {"": command, **getattr(command, "commands", {})}.items():
            chosen = ((p.opts[0], p.type.choices) for p in of.params if isinstance(p.type, click.Choice))
            meant += [f"{option} {asked}" for option, choices in chosen if asked in choices]
            meant += [o for p in of.params for o in p.opts if asked[1:] == "" and o.startswith(f"--{asked}")]
            names = {option.lstrip("-"): option for p in of.params for option in p.opts if option[0] == "-"}
            meant += [f"{place} {names[n]}".lstrip() for n in meant_names(asked, names)]
    advice += f" Did you mean {' or '.join(meant[:3])}?" if meant else ""
    return click.UsageError(error.message + advice, error.ctx) if advice else error


def _fail(message: str) -> NoReturn:
    click.echo(f"error: {message}", err=True)
    sys.exit(2)
