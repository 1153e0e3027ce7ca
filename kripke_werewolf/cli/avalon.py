"""`kripke-werewolf avalon play|simulate|solve|study`."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click
import numpy as np

from kripke_werewolf.avalon import (
    Avalon,
    Rules,
    Simulation,
    SimulationStopped,
    configurations,
    intended,
    published,
    simulate,
    solve,
)
from kripke_werewolf.avalon.executors import open_executor
from kripke_werewolf.avalon.rules import PRESETS, option_values
from kripke_werewolf.avalon.study import PRINTED, Compared, Variation, ablation, compare
from kripke_werewolf.cli import avalon_output as output
from kripke_werewolf.cli.output import write_file
from kripke_werewolf.errors import FormatError, GameError, UnknownNameError

__all__ = ["avalon_command"]

F = TypeVar("F", bound=Callable[..., Any])

_BASES = ("F/F/F", "F/T/F")
"""The configurations whose rules the study changes one at a time."""
_PICTURES = (".png", ".pdf", ".svg")
_NAMES = "Merlin / higher-order evil / assassination"
_SEED = click.IntRange(min=0)


@click.group("avalon")
def avalon_command() -> None:
    """The game Avalon: one game told, many simulated, exact win rates, a published study."""


# --- options ---------------------------------------------------------------------------------------


_RULE_OPTIONS = (
    click.option(
        "--rules",
        type=click.Choice(list(PRESETS)),
        default="published",
        show_default=True,
        help="What produced the published table, or what its text describes.",
    ),
    click.option(
        "--merlin",
        type=click.Choice(["none", "naive", "cautious", "lowest", "uniform"]),
        help="Merlin's vote (naive, cautious), or in the published rules his seat (lowest, uniform).",
    ),
    click.option("--higher-order", is_flag=True, help="Evil players hide who they are."),
    click.option("--assassinate", is_flag=True, help="Evil players may name Merlin at the end."),
    click.option(
        "--set",
        "changes",
        multiple=True,
        metavar="OPTION=VALUE",
        help="Change one rule, for example announcements=policy; may be repeated.",
    ),
)


def _rule_options(command: F) -> F:
    for option in reversed(_RULE_OPTIONS):
        command = option(command)
    return command


def _worker_options(command: F) -> F:
    command = click.option(
        "--scheduler", metavar="ADDRESS", help="Run on the Dask cluster of this scheduler (extra 'cluster')."
    )(command)
    return click.option("--workers", type=int, help="Run in so many processes; by default in this one.")(
        command
    )


def _rules(
    preset: str, merlin: str | None, higher_order: bool, assassinate: bool, changes: Sequence[str]
) -> Rules:
    make = {"published": published, "intended": intended}[preset]
    chosen = None if merlin in (None, "none") else merlin
    if preset == "intended" and chosen in ("lowest", "uniform"):
        raise GameError(
            f"--merlin {merlin} is for --rules published; intended has naive and cautious, on any seat"
        )
    options = _changes(changes)
    if preset == "published" and chosen == "cautious" and "worlds" not in options:
        raise GameError(
            "--merlin cautious is for --rules intended; in the published rules no world says who is Merlin "
            "(--set worlds=roles --set knowledge=actual changes that)"
        )
    return make(merlin=chosen, higher_order=higher_order, assassinate=assassinate, **options)


def _changes(changes: Sequence[str]) -> dict[str, object]:
    """Read OPTION=VALUE; values are written as in Python, in any case: `none`, `true`, `policy`."""
    out: dict[str, object] = {}
    for change in changes:
        option, equals, text = change.partition("=")
        if option in ("merlin", "assassinate"):
            raise GameError(f"--set {change}: use --{option}, which the name of the configuration follows")
        if option not in option_values():
            raise UnknownNameError(option, option_values(), kind="rule")
        by_text = {str(value).lower(): value for value in option_values()[option]}
        if not equals or text.lower() not in by_text:
            raise GameError(f"--set {change}: {option} is one of {', '.join(by_text)}")
        out[option] = by_text[text.lower()]
    return out


def _check_file(path: Path | None, endings: Sequence[str] = ()) -> None:
    """Refuse a file that cannot be written, before anything is played."""
    if path is None:
        return
    if endings and path.suffix not in endings:
        *most, last = endings
        raise FormatError(f"cannot write {str(path)!r}: its ending must be {', '.join(most)} or {last}")
    if not path.parent.is_dir():
        raise FormatError(f"cannot write {str(path)!r}: there is no folder {str(path.parent)!r}")
    if not os.access(path.parent, os.W_OK):
        raise FormatError(f"cannot write {str(path)!r}: nobody may write into {str(path.parent)!r}")


def _fresh_seed() -> int:
    return int(np.random.default_rng().integers(2**32))


def _tell_seed(seed: int) -> None:
    """Tell a seed that was not given, so that the same games can be played again."""
    click.echo(f"note: with --seed {seed} the same is played again", err=True)


def _label(rules: Rules, higher_order: bool) -> str:
    as_printed = rules.name == "published" and rules.merlin == "naive"
    merlin = "F" if rules.merlin is None else "T" if as_printed else rules.merlin
    return f"{merlin}/{'FT'[higher_order]}/{'FT'[rules.assassinate]}"


# --- commands --------------------------------------------------------------------------------------


@avalon_command.command("play")
@_rule_options
@click.option("--seed", type=_SEED, help="The same seed plays the same game.")
@click.option("--html", "as_html", is_flag=True, help="Tell it as an HTML page.")
@click.option(
    "-o",
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write; by default printed.",
)
def play_command(
    rules: str, merlin: str | None, higher_order: bool, assassinate: bool, changes: tuple[str, ...],
    seed: int | None, as_html: bool, out: Path | None,
) -> None:  # fmt: skip
    """Play one game and tell it: every proposal, vote, card and announcement, and who knows what then."""
    game = Avalon(_rules(rules, merlin, higher_order, assassinate, changes))
    _check_file(out)
    drawn = _fresh_seed() if seed is None else seed
    played = game.play(rng=drawn)
    story = played.html() if as_html else f"{played}\n"
    if out is None:
        click.echo(story, nl=False)
    else:
        write_file(out, story)
    if seed is None:
        _tell_seed(drawn)


@avalon_command.command("solve")
@_rule_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs, with exact fractions.")
def solve_command(
    rules: str, merlin: str | None, higher_order: bool, assassinate: bool, changes: tuple[str, ...],
    as_json: bool,
) -> None:  # fmt: skip
    """Compute win rates and numbers of quests exactly, as fractions.

    Without --merlin, --higher-order and --assassinate, every configuration of the rules is solved.
    Configurations are written Merlin / higher-order evil / assassination (T or F).
    """
    if merlin is None and not higher_order and not assassinate:
        wanted = {name: r.but(**_changes(changes)) for name, r in configurations(rules).items()}
    else:
        single = _rules(rules, merlin, higher_order, assassinate, changes)
        wanted = {_label(single, higher_order): single}
    solutions = {name: solve(Avalon(r)) for name, r in _each("solving", wanted)}
    if as_json:
        click.echo(output.as_json(output.solutions_dict(rules, wanted, solutions)))
    else:
        output.print_solutions(rules, solutions)


@avalon_command.command("simulate")
@_rule_options
@click.option("--games", type=int, default=10_000, show_default=True, help="How many games are played.")
@click.option("--seed", type=_SEED, help="The same seed gives the same results, on any number of workers.")
@_worker_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
@click.option(
    "-o", "--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the results: .json or .csv."
)
@click.option(
    "--plot", type=click.Path(dir_okay=False, path_type=Path), help="Draw the results: .png, .pdf or .svg."
)
def simulate_command(
    rules: str, merlin: str | None, higher_order: bool, assassinate: bool, changes: tuple[str, ...],
    games: int, seed: int | None, workers: int | None, scheduler: str | None,
    as_json: bool, out: Path | None, plot: Path | None,
) -> None:  # fmt: skip
    """Play many games and count how they end, with 95 % confidence intervals.

    When the workers break off or the command is interrupted, the results so far are kept.
    """
    chosen = _rules(rules, merlin, higher_order, assassinate, changes)
    _check_file(out, (".json", ".csv"))
    _check_file(plot, _PICTURES)
    label = _label(chosen, higher_order)
    drawn = _fresh_seed() if seed is None else seed

    def report(result: Simulation) -> None:
        if not result.games:
            return
        about = {"rules": rules, "configuration": label, "options": chosen.options(), "seed": drawn}
        as_text = output.as_json({**about, "asked": games, **result.to_dict()})
        if as_json:
            click.echo(as_text)
        else:
            output.print_simulation(label, result)
        if seed is None:
            _tell_seed(drawn)
        if out is not None:
            write_file(out, result.to_csv() if out.suffix == ".csv" else f"{as_text}\n")
        if plot is not None:
            from visualise.avalon import save_results

            save_results({label: result}, plot, names=_NAMES)

    try:
        with _executor(workers, scheduler) as executor, _progress("playing", games) as progress:
            result = simulate(Avalon(chosen), games, rng=drawn, executor=executor, progress=progress)
    except SimulationStopped as stopped:
        report(stopped.simulation)
        raise
    report(result)


@avalon_command.command("study")
@click.option(
    "--games", type=int, default=20_000, show_default=True, help="How many games per configuration."
)
@click.option(
    "--seed", type=_SEED, default=1, show_default=True, help="The same seed gives the same results."
)
@_worker_options
@click.option(
    "--ablation/--no-ablation", "with_ablation", default=True, help="Change every rule alone as well."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
@click.option(
    "--plot", type=click.Path(dir_okay=False, path_type=Path), help="Draw the table: .png, .pdf or .svg."
)
def study_command(
    games: int, seed: int, workers: int | None, scheduler: str | None, with_ablation: bool, as_json: bool,
    plot: Path | None,
) -> None:  # fmt: skip
    """Print the published table beside ours, simulated and exact, and the effect of every single rule.

    Configurations are written Merlin / higher-order evil / assassination (T or F); `quests` is what the
    publication calls round length.
    """
    _check_file(plot, _PICTURES)
    rows: list[Compared] = []
    effects: dict[str, list[Variation]] = {}
    try:
        with _executor(workers, scheduler) as executor:
            with _progress("playing", games * len(PRINTED)) as progress:
                rows.extend(compare(games, rng=seed, executor=executor, progress=progress))
            for name in _BASES if with_ablation else ():
                effects[name] = []
                with _progress(f"changing the rules of {name}", None) as progress:
                    for variation in ablation(configurations("published")[name], executor=executor):
                        effects[name].append(variation)
                        progress(1)
    finally:  # also what was found until something broke
        if rows:
            if as_json:
                click.echo(output.as_json(output.study_dict(rows, effects)))
            else:
                output.print_study(rows, effects)
    if plot is not None:
        from visualise.avalon import save_results

        results = {row.configuration: row.simulated for row in rows}
        exact = {row.configuration: row.exact for row in rows}
        save_results(
            results, plot, exact=exact, names=_NAMES,
            printed={name: row.good for name, row in PRINTED.items()},
            printed_quests={name: row.quests for name, row in PRINTED.items()},
        )  # fmt: skip


# --- running ---------------------------------------------------------------------------------------


@contextmanager
def _executor(workers: int | None, scheduler: str | None) -> Iterator[Executor | None]:
    # a lost connection is told by our own message, not by tracebacks in the library's log
    if scheduler is not None:
        logging.disable(logging.CRITICAL)
    try:
        with open_executor(workers=workers, scheduler=scheduler) as executor:
            yield executor
    finally:
        logging.disable(logging.NOTSET)


@contextmanager
def _progress(what: str, total: int | None) -> Iterator[Callable[[int], object]]:
    """Show a progress bar on standard error, if that is a terminal; yields what advances it."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=total)
        yield lambda steps: bar.advance(task, steps)


def _each(what: str, wanted: dict[str, Rules]) -> Iterator[tuple[str, Rules]]:
    with _progress(what, len(wanted)) as progress:
        for item in wanted.items():
            yield item
            progress(1)
