"""`kripke-werewolf game study|merge`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from kripke_werewolf.cli.avalon import executor_opened, on_workers, progress_shown
from kripke_werewolf.cli.output import NEW_FILE, WholeHelps, write_file
from kripke_werewolf.errors import FormatError
from kripke_werewolf.games.studies import merged, read_study, run_study

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group("game", cls=WholeHelps)
def game_command() -> None:
    """Run studies of games whose players act on their knowledge."""


@game_command.command("study")
@click.argument("file", type=_FILE)
@click.option(
    "-o",
    "--out",
    type=NEW_FILE,
    required=True,
    help="The JSON file for the result; an unfinished study is continued from it.",
)
@on_workers
@click.option("--progress/--no-progress", default=None, help="Show a progress bar; by default on a terminal.")
def study_command(file: Path, out: Path, progress: bool | None, **running: Any) -> None:
    """Run the study in a TOML file, or continue it.

    You may stop the study at any moment, also by SIGTERM or SIGKILL. The same command then plays the
    missing games, and the result is the same.
    """
    run_file(file, out, progress=progress, **running)


def run_file(file: Path, out: Path, *, progress: bool | None, **running: Any) -> None:
    """Run the study of a file and print the share of every outcome."""
    sys.path.insert(0, str(Path.cwd()))  # modules with strategies lie beside the study
    study = read_study(file)
    with executor_opened(**running) as executor:
        total = study.games * len(study.cells)
        with progress_shown("playing", total, shown=progress) as advance:
            result = run_study(study, out, executor=executor, progress=advance)
    for cell in result["cells"]:
        values = ", ".join(f"{place} = {value}" for place, value in cell["cell"].items()) or cell["game"]
        click.echo(values)
        games = sum(row["games"] for row in cell["outcomes"])
        for row in cell["outcomes"]:
            name = " ".join(str(v) for k, v in row.items() if k != "games")
            click.echo(f"  {name:30} {row['games']:>12,}  {row['games'] / games:.4f}")


@game_command.command("merge")
@click.argument("files", nargs=-1, type=_FILE, required=True)
@click.option("-o", "--out", type=NEW_FILE, help="The file to write; by default it is printed.")
def merge_command(files: tuple[Path, ...], out: Path | None) -> None:
    """Add up results of the same study with different seeds."""
    results = []
    for file in files:
        try:
            results.append(json.loads(file.read_text(encoding="utf-8")))
        except ValueError as error:
            raise FormatError(f"cannot read the result {str(file)!r}: {error}") from None
    total = results[0]
    for other in results[1:]:
        total = merged(total, other)
    write_file(out, json.dumps(total, indent=2) + "\n")
