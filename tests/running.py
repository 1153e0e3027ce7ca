"""The command line in this process, and code in a new interpreter."""

import subprocess
import sys

from click.testing import CliRunner, Result

from kripke_werewolf.cli.main import cli


def invoke(*arguments: object, typed: str | None = None) -> Result:
    """Run a command; its errors are those of the result, not yet the messages that `main` makes of them."""
    return CliRunner().invoke(cli, list(map(str, arguments)), input=typed, standalone_mode=False)


def output(*arguments: object, typed: str | None = None) -> str:
    """Return the output of a command; its errors pass through."""
    result = invoke(*arguments, typed=typed)
    if result.exception is not None:
        raise result.exception
    return result.output


def run_python(code: str) -> str:
    """Return what code prints in a new interpreter; raise `CalledProcessError` if it fails."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
