"""`kripke-werewolf forge FAMILY`: stories with questions about what people think, and their certificates."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import Annotated, Any

import click

from kripke_werewolf.cli.declared import ExistingFile, NewFile, command
from kripke_werewolf.cli.output import grid_text, note, save_plot, write_file
from kripke_werewolf.cli.running import executor_opened
from kripke_werewolf.errors import GameError
from kripke_werewolf.forge.family import FAMILIES, Knobs, family_named, forged
from kripke_werewolf.forge.item import read_items
from kripke_werewolf.forge.judged import FORMATS, JudgedItem, audit_table, format_named
from kripke_werewolf.forge.sharing import card_of, table_of
from kripke_werewolf.games.simulation import open_executor
from kripke_werewolf.settings import Natural, Positive, read_value, types_of

_KNOBS = {Knobs: "orders pairs agents events"}


@command("forge make", given=_KNOBS, running={open_executor: "workers scheduler"})
def _make(
    family: Annotated[str, click.Choice(list(FAMILIES))],
    *,
    items: Positive = 10,
    set_: tuple[str, ...] = (),
    seed: Natural | None = None,
    out: NewFile | None = None,
    given: dict[str, Any],
    running: dict[str, Any],
) -> None:
    """Make items of a FAMILY of stories, as lines of JSON.

    Options:
      --items: The number of items.
      --order: The order of the questions, from 0 to 6; may be repeated.
      --pairs: Give each item a twin that differs in one sentence and has another answer.
      --agents: The number of agents; by default as is usual in the family.
      --events: The number of events of a story; by default as is usual in the family.
      --set NAME=VALUE: Change another knob of the family; may be repeated.
      --seed: The seed: the same seed gives the same items, with any number of workers.
      -o, --out: The file to write; by default the items are printed.
    """
    chosen = family_named(family)
    knobs: Knobs = chosen.knobs(**_changes(set_, chosen.knobs) | given)
    drawn = secrets.randbits(32) if seed is None else seed
    # the file appears when all of it is written
    lines = click.open_file(str(out or "-"), "w", encoding="utf-8", atomic=out is not None)
    with executor_opened(**running) as executor, lines:
        for item in forged(chosen, knobs, items=items, seed=drawn, executor=executor):
            lines.write(f"{item.to_json()}\n")
    if seed is None:
        note(f"--seed {drawn} makes the same items again")


@command("forge share")
def _share(file: ExistingFile, *, out: NewFile) -> None:
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


_Findings = Annotated[NewFile | None, "-o, --out FILE: Write the findings as lines of JSON."]


@command("forge check")
def _check(file: ExistingFile, *, out: _Findings = None) -> None:
    """Derive everything in the items of a FILE again, from the text alone.

    Exit code 0 if all of it follows, 1 if not.
    """
    from kripke_werewolf.forge.checking import FORGED

    _tell(FORGED.audit(file), out)


@command("forge audit")
def _audit(
    published: Annotated[str, click.Choice(list(FORMATS))], file: ExistingFile, *, out: _Findings = None
) -> None:
    """Derive the labels of a published set of stories again, by both engines.

    FILE is the set in the format in which it was PUBLISHED. Prints for each kind of question and of mistake
    the number of items, the least order of a question with this answer, and the first item. Exit code 0 if
    nothing is wrong, 1 if something is.
    """
    _tell(format_named(published).audit(file), out)


def _tell(items: list[JudgedItem], out: Path | None) -> None:
    findings = [item for item in items if item.flaw]
    if out is not None:
        lines = (json.dumps(item._asdict(), ensure_ascii=False) for item in findings)
        write_file(out, "".join(f"{line}\n" for line in lines))
    click.echo(grid_text(audit_table(items)))
    click.get_current_context().exit(int(bool(findings)))


@command("forge report")
def _report(file: ExistingFile, *, draw: NewFile | None = None) -> None:
    """Print what the items of a FILE are like: orders, twins, and how often guessing is right.

    Options:
      --draw FILE: Also draw it, as .png, .svg or .pdf.
    """
    from kripke_werewolf.forge.checking import balance, plot_balance

    grid = balance([*read_items(file)])
    click.echo(grid_text(grid))
    if draw is not None:
        save_plot(draw, (7.0, 4.5), lambda axes: plot_balance(grid, axes))
