"""The group of all commands, and how errors reach the user.

A command's module is imported when the command is called. A command ends with exit code 0 for yes and
done, 1 for no; bad input ends with 2, and one message on standard error.
"""

from __future__ import annotations

import os
import sys
import warnings
from importlib import import_module
from typing import NoReturn

import click

from kripke_werewolf._version import __version__
from kripke_werewolf.cli.output import note
from kripke_werewolf.errors import KripkeError, UnknownNameError

# for each command its module, where the command `name` is the object `name_command`, and its line in the help
_COMMANDS = {
    "demo": ("play", "play a small game of Quantum Werewolf and ask what its players know"),
    "play": ("play", "play a game of Quantum Werewolf, or go on with one"),
    "host": ("host", "host a game of Quantum Werewolf on everybody's phone"),
    "rules": ("rules", "tell the rules of a game on one page"),
    "replay": ("games", "tell a game step by step"),
    "table": ("games", "print the probability table of a game, or what has changed"),
    "handout": ("games", "print what one player of a game may know"),
    "report": ("games", "write the whole story of a game, with tables and plots"),
    "branch": ("games", "begin a new log with the first steps of another, and compare"),
    "undo": ("games", "take back the last steps of a game"),
    "ask": ("questions", "ask formulas about a game or a model"),
    "audit": ("games", "play random games of some rules, and say which events tell whom something"),
    "knowledge": ("questions", "print who knows what about whom in a game"),
    "infer": ("infer", "find everything that explains one player's sheet of a game"),
    "timeline": ("questions", "print when formulas became true in a game"),
    "check": ("questions", "answer the queries of an SMCDEL file, or check formulas on a model"),
    "prove": ("prove", "decide whether a formula is valid, and show a counter-model if not"),
    "proof": ("proof", "check a derivation line by line, or write it in primitive steps"),
    "puzzle": ("puzzles", "run a puzzle of the literature, or list them"),
    "story": ("puzzles", "tell a story in a text file, and check its answers"),
    "exercise": ("exercise", "make exercises, check answers, print them"),
    "avalon": ("avalon", "play, simulate and solve the Avalon study"),
    "game": ("game", "run studies of games whose players decide by what they know"),
    "explore": ("explore", "explore a model in the browser, or write a page that does"),
    "draw": ("draw", "draw a model, a game or a puzzle"),
}


class _Commands(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name.startswith("-"):
            return None
        if cmd_name not in _COMMANDS:
            raise UnknownNameError(cmd_name, _COMMANDS, kind="command")
        module = import_module(f"kripke_werewolf.cli.{_COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in _COMMANDS.items()])


@click.command(
    cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="kripke-werewolf")
def cli() -> None:
    """Dynamic epistemic logic, and the game Quantum Werewolf."""


def main() -> None:
    """Run the command line: the entry point of the console script."""
    warnings.showwarning = lambda message, *_, **__: note(message)
    try:
        code = cli.main(prog_name="kripke-werewolf", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except (click.exceptions.Abort, KeyboardInterrupt):
        sys.exit("interrupted")
    except KripkeError as error:
        _fail(str(error))
    except BrokenPipeError:
        # the reader of our output has gone: nothing more to say, and nothing to flush at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name in ("", "kripke_werewolf", "visualise"):
            raise
        if name in sys.stdlib_module_names:
            _fail(f"this needs {error.name}, which this Python does not have")
        _fail(f"this needs {name}, which is not installed here: pip install {name}")
    except OSError as error:
        _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))


def _fail(message: str) -> NoReturn:
    click.echo(f"error: {message}", err=True)
    sys.exit(2)
