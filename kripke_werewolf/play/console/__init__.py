"""The console of a game: a language of commands, and two screens on a table."""

from kripke_werewolf.play.console.commands import Command, parse_command

__all__ = ["Command", "parse_command"]
