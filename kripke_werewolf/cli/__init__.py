"""The command line: `kripke-werewolf COMMAND …`."""

from kripke_werewolf.cli.main import main

__all__ = ["main"]
