"""Commands on logs: `replay`, `table`, `handout`, `report`, `branch`, `undo`; on rules: `rules`, `audit`."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, get_args
from urllib.parse import quote

import click

from kripke_werewolf.cli.output import (
    NEW_FILE,
    check_ending,
    exit_with,
    json_option,
    note,
    print_grid,
    print_json,
    reading_options,
    table_timeout_option,
    tell,
    write_file,
)
from kripke_werewolf.cli.sources import load_game, load_rules
from kripke_werewolf.console.commands import move, parse_command, player_named
from kripke_werewolf.errors import GameError, IllegalMove, KripkeError
from kripke_werewolf.reports.documents import Document
from kripke_werewolf.reports.tables import FORMATS, Numbers, Tabular
from kripke_werewolf.werewolf import LogFile, QuantumWerewolf, Table, compare, read_log, story
from kripke_werewolf.werewolf.draws import Chance
from kripke_werewolf.werewolf.events import worlds_text
from kripke_werewolf.werewolf.rulesheet import rule_sheet
from kripke_werewolf.werewolf.table import TableChange
from kripke_werewolf.werewolf.telling import describe_setup, report

_numbers_option = click.option(
    "--as",
    "numbers",
    type=click.Choice(get_args(Numbers)),
    help="How to write probabilities; by default decimal, in JSON exact fractions.",
)
_json_format = click.option("--json", "as_json", is_flag=True, help="The same as --format json.")


def _format_option(formats: Iterable[str], text: str) -> Callable[..., Callable[..., object]]:
    return click.option(
        "--format", "form", type=click.Choice(list(formats)), default="text", show_default=True, help=text
    )


# --- replay and table ------------------------------------------------------------------------------


@click.command("replay")
@click.argument("log")
@click.option("--step", type=int, metavar="N", help="Only the first N steps.")
@_numbers_option
@json_option
def replay_command(log: str, step: int | None, numbers: Numbers | None, as_json: bool) -> None:
    """Print the game in LOG step by step, with all secrets, and then the table."""
    game = load_game(log, step)
    if as_json:
        print_json(
            {
                "setting": describe_setup(game.setup),
                "players": list(game.players),
                "steps": [episode.to_dict() for episode in story(game)],
                "phase": str(game.phase),
                "alive": list(game.alive),
                "verdict": game.verdict,
                "results": game.results,
                "table": game.table().to_dict(numbers or "fractions"),
            }
        )
        return
    click.echo(f"{describe_setup(game.setup)}\nPlayers: {', '.join(game.players)}.")
    phase = None
    for episode in story(game):
        if episode.step and episode.phase != phase:
            phase = episode.phase
            click.echo(f"\n{phase}")
        number = f"{episode.step:4}  " if episode.step else "      "
        text = " ".join(episode.sentences) or ("The phase ends." if episode.step else "The start.")
        click.echo(f"{number}{text} [{worlds_text(episode.worlds)}]")
    over = f"over: {game.verdict}" if game.verdict else f"{game.phase}"
    click.echo(f"\nAfter step {len(game.steps)}: {over}. Alive: {', '.join(game.alive) or 'nobody'}.\n")
    _print_table(game.table(), "text", numbers)


@click.command("table")
@click.argument("log")
@_format_option(FORMATS, "The format of the table.")
@_numbers_option
@click.option("--public", is_flag=True, help="Print the public table instead of the game master's.")
@click.option("--viewer", metavar="PLAYER", help="The table for this player, who knows their own moves.")
@click.option("--step", type=int, metavar="N", help="The table after N steps; by default after the last.")
@click.option("--diff", type=int, metavar="N", help="The changes since step N.")
@reading_options
@_json_format
def table_command(
    log: str,
    form: str,
    numbers: Numbers | None,
    public: bool,
    viewer: str | None,
    step: int | None,
    diff: int | None,
    reading: Any,
    timeout: float,
    as_json: bool,
) -> None:
    """Print the probability table of the game in LOG, by default as the game master sees it."""
    if public and viewer is not None:
        raise GameError("--public and --viewer are two different tables; give one of them")
    if viewer is None and reading != "facts":
        raise GameError(f"--reading {reading} is about what a player knows: give --viewer PLAYER, too")

    def table(game: QuantumWerewolf) -> Table:
        if viewer is None:
            return game.table(public=public)
        return game.table(viewer=player_named(viewer, game.setup), reading=reading, timeout=timeout)

    whole = load_game(log)
    game = whole if step is None else whole.at(step)
    before = None if diff is None else whole.at(diff)
    shown = table(game) if before is None else TableChange(table(before), table(game))
    if as_json or form == "json":
        state = {"step": len(game.steps), "phase": str(game.phase), "verdict": game.verdict}
        print_json({**state, **shown.to_dict(numbers or "fractions")})
        return
    if before is not None and form == "text":
        click.echo(f"step {diff} → {len(game.steps)}, worlds: {before.size:,} → {game.size:,}\n")
    _print_table(shown, form, numbers)


def _print_table(table: Tabular, form: str, numbers: Numbers | None) -> None:
    """Print a table in one of the formats; as text on a terminal it is ruled."""
    grid = table.grid(numbers or "decimal")
    if form == "text":
        print_grid(grid)
        return
    click.echo(FORMATS[form](table, numbers or "decimal"))
    if form == "csv" and grid.note:  # there is no place for it among the values
        note(grid.note)


# --- handout and report ----------------------------------------------------------------------------

_HANDOUTS: Mapping[str, Callable[[Document], str]] = {
    "text": lambda document: document.to_text() + "\n",
    "markdown": Document.to_markdown,
    "html": Document.to_page,
}


@click.command("handout")
@click.argument("log")
@click.option("--player", required=True, help="The player, by name or number.")
@_format_option((*_HANDOUTS, "json"), "The format of the handout.")
@click.option("--step", type=int, metavar="N", help="The handout after N steps; by default after the last.")
@click.option(
    "--reading",
    type=click.Choice(["facts", "table"]),
    help="Add how likely the player holds every fact, under this reading of the published tables.",
)
@table_timeout_option
@click.option("-o", "--output", type=NEW_FILE, help="The file to write; by default it is printed.")
@_json_format
def handout_command(
    log: str,
    player: str,
    form: str,
    step: int | None,
    reading: Any,
    timeout: float,
    output: Path | None,
    as_json: bool,
) -> None:
    """Print what one player of the game in LOG may know, and nothing else.

    These are the player's number, visions and attacks, all announcements, and the published tables.
    --reading adds what follows from them.
    """
    if output is not None and output.exists() and output.samefile(log):
        raise GameError(f"{output} is the log of the game; give another file for the handout")
    game = load_game(log, step)
    handout = game.handout(player_named(player, game.setup))
    if not as_json and form != "json":
        document = handout.document
        if reading is not None:
            document = handout.with_probabilities(reading=reading, timeout=timeout)
        write_file(output, _HANDOUTS[form](document), secret=game.verdict is None)
        return
    content = handout.to_dict()
    if reading is not None:
        table = handout.probabilities(reading=reading, timeout=timeout)
        content["follows"] = {"reading": reading, "table": table.to_dict()}
    text = json.dumps(content, indent=2, ensure_ascii=False)
    write_file(output, f"{text}\n", secret=game.verdict is None)


@click.command("report")
@click.argument("log")
@click.option(
    "-o",
    "--output",
    required=True,
    type=NEW_FILE,
    help="The file: report.html (one self-contained page) or report.md (with a picture file for each plot).",
)
@click.option("--step", type=int, metavar="N", help="Only the first N steps.")
@click.option("--plots/--no-plots", default=True, show_default=True, help="Whether the report has plots.")
def report_command(log: str, output: Path, step: int | None, plots: bool) -> None:
    """Write a report of the game in LOG, to read after the game: it contains all secrets."""
    if output.suffix.lower() != ".htm":
        check_ending(output, (".html", ".md"))
    game = load_game(log, step)
    document, secret = report(game, plots=plots), game.verdict is None
    written = [output]
    if output.suffix.lower() == ".md":
        links = {}
        for figure in document.figures():
            picture = output.with_name(f"{output.stem}-{figure.name}.svg")
            write_file(picture, figure.svg + "\n", secret=secret)
            links[figure.name] = quote(picture.name)
            written.append(picture)
        write_file(output, document.to_markdown(links), secret=secret)
    else:
        write_file(output, document.to_page(), secret=secret)
    click.echo("\n".join(map(str, written)))


# --- rules and audit --------------------------------------------------------------------------------


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


@click.command("audit")
@click.argument("rules", metavar="RULES")
@click.option("--players", type=click.IntRange(min=2), required=True, help="The number of players.")
@click.option(
    "--wolves", type=click.IntRange(min=1), help="The number of wolves; by default as the rules suggest."
)
@click.option("--targets", type=click.Choice(["secret", "public"]), default="secret", show_default=True)
@click.option("--deal", type=click.Choice(["quantum", "classical"]), default="quantum", show_default=True)
@click.option(
    "--games", type=click.IntRange(min=1), default=10, show_default=True, help="The number of games."
)
@click.option("--seed", type=int, default=0, show_default=True, help="The seed for all random draws.")
@json_option
def audit_command(
    rules: str,
    players: int,
    wolves: int | None,
    targets: Any,
    deal: Any,
    games: int,
    seed: int,
    as_json: bool,
) -> None:
    """Compare random games that a player cannot tell apart, and report what looks different to the player.

    RULES is the name of a rule set, or a TOML file with fields of the rules, where `preset = "gekka"`
    names the rule set to change. Each game is played again for every player, with other secrets of the
    others. `pairs` counts the moments at which the player has been told the same in two games, `leaks` those
    at which the handout, messages, the view on a phone, refusals, or the screens of a device that is passed
    around differ. --json contains the first two games for each, as lines of logs.

    Exit code 0 if nothing leaked, 1 if something did.
    """
    from kripke_werewolf.console.audit import audit_rules

    found = audit_rules(
        load_rules(rules),
        players,
        wolves=wolves,
        targets=targets,
        deal=deal,
        games=games,
        seed=seed,
    )
    tell(found.table.to_text().split("\n"), [compared.to_dict() for compared in found], as_json=as_json)
    exit_with(not any(compared.leaks for compared in found))


# --- branch and undo -------------------------------------------------------------------------------


@click.command("branch")
@click.argument("log")
@click.option("--step", type=int, required=True, metavar="N", help="The number of steps to copy.")
@click.option("-o", "--output", "new", required=True, type=NEW_FILE, help="The new log.")
@click.option(
    "--move", "moves", multiple=True, metavar="MOVE", help="A move, written as in play; may be repeated."
)
@click.option("--against", type=int, metavar="N", help="Compare with LOG after N steps.")
@click.option("--seed", type=int, help="The seed for the outcomes of moves.")
@_numbers_option
@json_option
def branch_command(
    log: str,
    step: int,
    new: Path,
    moves: tuple[str, ...],
    against: int | None,
    seed: int | None,
    numbers: Numbers | None,
    as_json: bool,
) -> None:
    """Copy the first N steps of LOG to a new log, make moves there, and print the differences.

    For example, what if Ann had looked at Cy?

    \b
      kripke-werewolf branch g.jsonl --step 0 -o h.jsonl --move "vision Ann Cy"

    By default, the new game is compared with LOG after the same number of steps; without --move, with the
    whole of LOG.
    """
    game = load_game(log)
    there = game.at(step)
    if moves:
        seed = secrets.randbits(62) if seed is None else seed
        there = there.with_draw(Chance(seed))
        for text in moves:
            command = parse_command(text, game.setup)
            try:
                there = there if command is None else move(there, command)
            except KripkeError as error:
                raise GameError(f"the move {text!r} is refused: {error}") from None
    if against is None:
        against = min(len(there.steps), len(game.steps)) if moves else len(game.steps)
    change = compare(game.at(against), there)
    with LogFile.create(new, there, session=read_log(log).session):
        pass
    if as_json:
        print_json(change.to_dict(numbers or "fractions"))
        return
    click.echo("; ".join([f"{new}: {log} up to step {step}", *moves]))
    click.echo(f"difference: {log}, step {against} → {new}, step {len(there.steps)}")
    click.echo(change.to_text(numbers or "decimal"))


@click.command("undo")
@click.argument("log")
@click.option(
    "--steps", type=click.IntRange(min=1), default=1, show_default=True, help="The number of steps."
)
def undo_command(log: str, steps: int) -> None:
    """Undo the last steps of the game in LOG. The log keeps them and marks them as undone."""
    with LogFile.open(log) as file:
        if file.notice:
            note(file.notice)
        game = file.game
        if steps > len(game.steps):
            raise IllegalMove(f"cannot undo {steps}: the game has {len(game.steps)} steps")
        file.write(game.at(len(game.steps) - steps))
        for number in range(len(game.steps), len(game.steps) - steps, -1):
            told = " ".join(text for event in game.steps[number - 1] if (text := event.in_full()))
            click.echo(f"undone: step {number}: {told or 'the end of the phase.'}")
        click.echo(f"now: step {len(file.game.steps)}, {file.game.phase}, {worlds_text(file.game.size)}")
