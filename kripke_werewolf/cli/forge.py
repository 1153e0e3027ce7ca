"""`kripke-werewolf forge FAMILY`: stories with questions about what people think, and their certificates."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import Annotated, Any

import click

from kripke_werewolf.cli.declared import ExistingFile, File, Positive, command
from kripke_werewolf.cli.output import WithDefault, exit_with, note, print_grid, save_plot, write_file
from kripke_werewolf.cli.running import Running, executor_opened
from kripke_werewolf.errors import GameError
from kripke_werewolf.forge.family import FAMILIES, Knobs, family_named, forged, read_items
from kripke_werewolf.forge.judged import FORMATS, JudgedItem, audit_table, card_of, format_named, table_of
from kripke_werewolf.settings import read_value, types_of

Output = Annotated[Any, click.File("w", encoding="utf-8", atomic=True)]
"""A file that is written line by line, and appears when all of it is written; `-`: printed."""


@click.group("forge", cls=WithDefault, default="make")
def forge_command() -> None:
    """Make stories with questions about who believes what, whose answers are derived twice.

    Without another command, `make` is meant: kripke-werewolf forge rooms --items 10 --pairs
    """


@command("make", of=forge_command)
def forge_make_command(
    family: Annotated[str, click.Choice(list(FAMILIES))],
    *,
    items: Positive = 10,
    orders: tuple[int, ...] = (),
    pairs: bool = False,
    agents: Positive | None = None,
    events: Positive | None = None,
    set_: tuple[str, ...] = (),
    seed: Annotated[int | None, click.IntRange(min=0)] = None,
    running: Running,
    out: Output = "-",
) -> None:
    """Make items of a FAMILY of stories, as lines of JSON.

    Options:
      --items: The number of items.
      --order: The order of the questions, from 0 to 6; may be repeated.
      --pairs: Give each item a twin that differs in one sentence and has another answer.
      --agents: The number of agents.
      --events: The number of events of a story.
      --set NAME=VALUE: Change another knob of the family; may be repeated.
      --seed: The seed: the same seed gives the same items, with any number of workers.
      -o, --out: The file to write; by default the items are printed.
    """
    chosen = family_named(family)
    given = {"orders": orders, "pairs": pairs, "agents": agents, "events": events}
    wanted = _changes(set_, chosen.knobs) | {name: value for name, value in given.items() if value}
    knobs: Knobs = chosen.knobs(**wanted)
    drawn = secrets.randbits(32) if seed is None else seed
    with executor_opened(running) as executor:
        for item in forged(chosen, knobs, items=items, seed=drawn, executor=executor):
            out.write(f"{item.to_json()}\n")
    if seed is None:
        note(f"--seed {drawn} makes the same items again")


@command("share", of=forge_command)
def share_command(file: ExistingFile, *, out: File) -> None:
    """Write the items in FILE as a table (.parquet; extra 'tables'), or else their data card in Markdown.

    Options:
      -o, --out: The file to write.
    """
    items = tuple(read_items(file))
    if out.suffix == ".parquet":
        table_of(items).to_parquet(out)
    else:
        write_file(out, card_of(items).to_markdown())


def _changes(changes: tuple[str, ...], knobs: Any) -> dict[str, Any]:
    """Read NAME=VALUE for knobs; raise `GameError` for anything else."""
    types, found = types_of(knobs), dict[str, Any]()
    for change in changes:
        name, equals, value = change.partition("=")
        if not equals or name not in types:
            raise GameError(f"--set {change}: write NAME=VALUE, with one of the knobs {', '.join(types)}")
        found[name] = read_value(value, types[name])
    return found


_Findings = Annotated[File | None, "-o, --out FILE: Write the findings as lines of JSON."]
_Picture = Annotated[File | None, "--draw FILE: Also draw it, as .png, .svg or .pdf."]


@command("check", of=forge_command)
def forge_check_command(file: ExistingFile, *, out: _Findings = None) -> None:
    """Derive everything in the items of a FILE again, from the text alone.

    Exit code 0 if all of it follows, 1 if not.
    """
    from kripke_werewolf.forge.judged import FORGED

    _tell(FORGED.audit(file), out)


@command("audit", of=forge_command)
def forge_audit_command(
    published: Annotated[str, click.Choice(list(FORMATS))], file: ExistingFile, *, out: _Findings = None
) -> None:
    """Derive the labels of a published set of stories again, by both engines.

    FILE is the set in the format in which it was PUBLISHED. Prints for each kind of question and of mistake
    the number of items, the least order of a question with this answer, and the first item. Exit code 0 if
    nothing is wrong, 1 if something is.
    """
    _tell(format_named(published).audit(file), out)


def _tell(items: list[JudgedItem], out: Path | None) -> None:
    print_grid(audit_table(items))
    findings = [item for item in items if item.flaw]
    if out is not None:
        lines = (json.dumps(item._asdict(), ensure_ascii=False) for item in findings)
        write_file(out, "".join(f"{line}\n" for line in lines))
    exit_with(not findings)


@command("report", of=forge_command)
def forge_report_command(file: ExistingFile, *, draw: _Picture = None) -> None:
    """Print what the items of a FILE are like: orders, twins, and how often guessing is right."""
    from kripke_werewolf.forge.judged import balance, plot_balance

    grid = balance([*read_items(file)])
    print_grid(grid)
    if draw is not None:
        save_plot(draw, (7.0, 4.5), lambda axes: plot_balance(grid, axes))
