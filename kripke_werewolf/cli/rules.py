"""The command `rules`: the rules of a game on one page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from kripke_werewolf.cli.output import NEW_FILE, check_ending, write_file
from kripke_werewolf.cli.sources import load_rules
from kripke_werewolf.werewolf.rulesheet import rule_sheet


@click.command("rules")
@click.argument("rules", metavar="RULES")
@click.option(
    "--deal", default="quantum", show_default=True, help="quantum, or classical: ordinary Werewolf."
)
@click.option(
    "--targets",
    default="secret",
    show_default=True,
    help="secret or public: whether others see whom a player looks at or attacks.",
)
@click.option(
    "-o", "--output", type=NEW_FILE, help="The file: rules.html (a page to print), rules.md or rules.txt."
)
def rules_command(rules: str, deal: Any, targets: Any, output: Path | None) -> None:
    """Print the rules of a game on one page, for its players.

    RULES is the name of a rule set, or a TOML file with fields of the rules, where `preset = "gekka"`
    names the rule set to change.
    """
    sheet = rule_sheet(load_rules(rules), deal=deal, targets=targets)
    writers: dict[str, Callable[[], str]] = {
        ".html": sheet.to_page,
        ".md": sheet.to_markdown,
        ".txt": lambda: f"{sheet.to_text()}\n",
    }
    if output is not None:
        check_ending(output, tuple(writers))
    write_file(output, writers[output.suffix.lower() if output else ".txt"]())
    if output is not None:
        click.echo(str(output))
