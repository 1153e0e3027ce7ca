"""`kripke-werewolf report LOG -o FILE`."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import click

from kripke_werewolf.cli.output import write_file
from kripke_werewolf.cli.sources import load_game
from kripke_werewolf.errors import FormatError
from kripke_werewolf.werewolf.report import report

__all__ = ["report_command"]


@click.command("report")
@click.argument("log")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file: report.html (one self-contained page) or report.md (with a picture file for each plot).",
)
@click.option("--step", type=int, metavar="N", help="Only the first N steps.")
@click.option("--plots/--no-plots", default=True, show_default=True, help="Whether to draw plots.")
def report_command(log: str, output: Path, step: int | None, plots: bool) -> None:
    """Write the whole story of the game in LOG, for after the game: all that was secret is in it."""
    ending = output.suffix.lower()
    if ending not in (".html", ".htm", ".md"):
        raise FormatError(
            f"cannot tell the format of {str(output)!r} by its ending {ending!r}; allowed are .html and .md"
        )
    game = load_game(log)
    document = report(game if step is None else game.at(step), plots=plots)
    written = [output]
    if ending == ".md":
        links = {}
        for figure in document.figures():
            picture = output.with_name(f"{output.stem}-{figure.name}.svg")
            write_file(picture, figure.svg + "\n")
            links[figure.name] = quote(picture.name)
            written.append(picture)
        write_file(output, document.to_markdown(links))
    else:
        write_file(output, document.to_page())
    click.echo("\n".join(str(path) for path in written))
