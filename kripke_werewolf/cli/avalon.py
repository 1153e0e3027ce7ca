"""`kripke-werewolf avalon play|simulate|solve|study`, and `game study|merge` for any game."""

from __future__ import annotations

import json
import logging
import os
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import asdict
from functools import reduce, wraps
from pathlib import Path
from typing import Any, NamedTuple

import click

from kripke_werewolf.avalon import (
    Avalon,
    AvalonSimulation,
    AvalonSolution,
    Rules,
    SimulationStopped,
    configurations,
    simulate,
    solve,
)
from kripke_werewolf.avalon.rules import PRESETS, option_values
from kripke_werewolf.avalon.study import (
    PRINTED,
    Replication,
    Variation,
    ablation,
    replicate,
    unread,
    with_strategies,
)
from kripke_werewolf.cli.output import NEW_FILE, WholeHelps, json_option, note, print_grid, write_file
from kripke_werewolf.cli.settings import with_options
from kripke_werewolf.errors import FormatError, GameError, UnknownNameError
from kripke_werewolf.files import parse_json, read_text
from kripke_werewolf.games.identity import named
from kripke_werewolf.games.simulation import open_executor, stoppable
from kripke_werewolf.games.studies import merged, read_study, run_study, strategy_named
from kripke_werewolf.reports.tables import Grid

_BASES = ("F/F/F", "F/T/F")
"""The configurations whose rules the study changes one at a time."""
_STUDY_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_RESULT = "JSON file for the result; an unfinished study is continued from it."
_PICTURES = (".png", ".pdf", ".svg")
_NAMES = "Merlin / higher-order evil / assassination"


@click.group("avalon", cls=WholeHelps)
def avalon_command() -> None:
    """Play and simulate the game Avalon, compute exact win rates, and repeat a published study."""


# --- options ---------------------------------------------------------------------------------------


class _Chosen(NamedTuple):
    """The rules that the options of a command choose."""

    preset: str
    merlin: str | None
    higher_order: bool
    assassinate: bool
    good: str | None
    evil: str | None
    merlin_by: str | None
    changes: tuple[str, ...]

    def game(self, rules: Rules) -> Avalon:
        """Return the game under some rules with the strategies chosen."""
        game = Avalon(rules, **_strategies(self.good, self.evil, self.merlin_by))
        _tell_unread([game])
        return game

    @property
    def rules(self) -> Rules:
        """The rules; raises `GameError` for options that contradict each other."""
        merlin = None if self.merlin in (None, "none") else self.merlin
        if self.preset == "intended" and merlin in ("lowest", "uniform"):
            raise GameError(
                f"--merlin {merlin} is for --rules published; intended has naive and cautious, on any seat"
            )
        options = _changes(self.changes)
        if self.preset == "published" and merlin == "cautious" and "worlds" not in options:
            raise GameError(
                "--merlin cautious is for --rules intended; in the published rules no world says who is "
                "Merlin (--set worlds=roles --set knowledge=actual changes that)"
            )
        return PRESETS[self.preset](
            merlin=merlin, higher_order=self.higher_order, assassinate=self.assassinate, **options
        )

    @property
    def label(self) -> str:
        """The name of the configuration."""
        rules = self.rules
        as_printed = rules.name == "published" and rules.merlin == "naive"
        merlin = "F" if rules.merlin is None else "T" if as_printed else rules.merlin
        return f"{merlin}/{'FT'[self.higher_order]}/{'FT'[rules.assassinate]}"


def _strategies(good: str | None, evil: str | None, merlin_by: str | None) -> dict[str, Any]:
    """Return the strategies that options name; modules are looked for in the current folder as well."""
    sys.path.insert(0, str(Path.cwd()))
    named = {"good": good, "evil": evil, "merlin": merlin_by}
    return {who: strategy_named(text) for who, text in named.items() if text}


def _tell_unread(games: Iterable[Avalon]) -> None:
    """Tell on standard error which options of the rules a strategy does not read, each once."""
    note(*dict.fromkeys(line for game in games for line in unread(game)))


def _by_strategies(strategies: Mapping[str, Any]) -> str:
    """Return the strategies in words, for the caption of a picture."""
    return "".join(f"; {who}: {named(strategy)}" for who, strategy in strategies.items())


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


_STRATEGY_OPTIONS = (
    click.option(
        "--good", metavar="MODULE:CLASS", help="The strategy of the good players, such as module:Class(n=3)."
    ),
    click.option("--evil", metavar="MODULE:CLASS", help="The strategy of the evil players."),
    click.option("--merlin-by", metavar="MODULE:CLASS", help="The strategy of Merlin."),
)
_RULE_OPTIONS = (
    click.option(
        "--rules",
        "preset",
        type=click.Choice(list(PRESETS)),
        default="published",
        show_default=True,
        help="published: the rules behind the published table; intended: those its text describes.",
    ),
    click.option(
        "--merlin",
        type=click.Choice(["none", "naive", "cautious", "lowest", "uniform"]),
        help="How Merlin votes (naive, cautious) or, with the published rules, their seat (lowest, uniform).",
    ),
    click.option("--higher-order", is_flag=True, help="Evil players reason about the knowledge of others."),
    click.option("--assassinate", is_flag=True, help="Evil players may name Merlin at the end."),
    *_STRATEGY_OPTIONS,
    click.option(
        "--set",
        "changes",
        multiple=True,
        metavar="OPTION=VALUE",
        help="Change one rule, for example announcements=policy; may be repeated.",
    ),
)


def _choosing_rules(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that choose rules; it gets them as one argument `chosen`."""

    @wraps(command)
    def collected(**given: Any) -> None:
        command(chosen=_Chosen(**{name: given.pop(name) for name in _Chosen._fields}), **given)

    return with_options(*_RULE_OPTIONS)(collected)


on_workers = with_options(
    click.option("--workers", type=int, help="The number of processes; by default one."),
    click.option(
        "--scheduler", metavar="ADDRESS", help="Run on the Dask cluster of this scheduler (extra 'cluster')."
    ),
)
"""Gives a command the options that spread it over processes: those of `executor_opened`."""


_SEED = click.IntRange(min=0)


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


def _tell_seed(seed: int) -> None:
    """Tell a seed that was not given, so that the same games can be played again."""
    note(f"with --seed {seed} the same is played again")


# --- commands --------------------------------------------------------------------------------------


@avalon_command.command("play")
@_choosing_rules
@click.option("--seed", type=_SEED, help="The seed: the same seed gives the same game.")
@click.option("--html", "as_html", is_flag=True, help="Write an HTML page.")
@click.option("-o", "--out", type=NEW_FILE, help="The file to write; by default it is printed.")
def avalon_play_command(chosen: _Chosen, seed: int | None, as_html: bool, out: Path | None) -> None:
    """Play one game and print every proposal, vote, card and announcement, with what players then know."""
    game = chosen.game(chosen.rules)
    _check_file(out)
    drawn = secrets.randbits(32) if seed is None else seed
    played = game.play(rng=drawn)
    write_file(out, played.html() if as_html else f"{played}\n")
    if seed is None:
        _tell_seed(drawn)


@avalon_command.command("solve")
@_choosing_rules
@click.option("--json", "as_json", is_flag=True, help="Print JSON for other programs, with exact fractions.")
def solve_command(chosen: _Chosen, as_json: bool) -> None:
    """Compute win rates and numbers of quests exactly, as fractions.

    Without --merlin, --higher-order and --assassinate, every configuration of the rules is solved.
    Configurations are written Merlin / higher-order evil / assassination (T or F).
    """
    if chosen.merlin is None and not chosen.higher_order and not chosen.assassinate:
        changes = _changes(chosen.changes)
        wanted = {name: rules.but(**changes) for name, rules in configurations(chosen.preset).items()}
    else:
        wanted = {chosen.label: chosen.rules}
    solutions = {}
    with progress_shown("solving", len(wanted)) as progress:
        for name, rules in wanted.items():
            solutions[name] = solve(chosen.game(rules))
            progress(1)
    if as_json:
        found = {name: {**s.to_dict(), "options": wanted[name].options()} for name, s in solutions.items()}
        click.echo(_json_text({"rules": chosen.preset, "configurations": found}))
    else:
        _print_solutions(chosen.preset, solutions)


@avalon_command.command("simulate")
@_choosing_rules
@click.option("--games", type=int, default=10_000, show_default=True, help="The number of games.")
@click.option(
    "--seed", type=_SEED, help="The seed: the same seed gives the same results, with any number of workers."
)
@click.option("--progress/--no-progress", default=None, help="Show a progress bar; by default on a terminal.")
@on_workers
@json_option
@click.option("-o", "--out", type=NEW_FILE, help="Write the results: .json or .csv.")
@click.option("--plot", type=NEW_FILE, help="Draw the results: .png, .pdf or .svg.")
def simulate_command(
    chosen: _Chosen,
    games: int,
    seed: int | None,
    progress: bool | None,
    as_json: bool,
    out: Path | None,
    plot: Path | None,
    **running: Any,
) -> None:
    """Play many games and count how they end, with 95% confidence intervals.

    If a worker fails or the command is interrupted (also by SIGTERM), the results so far are kept.
    """
    rules, label = chosen.rules, chosen.label
    _check_file(out, (".json", ".csv"))
    _check_file(plot, _PICTURES)
    drawn = secrets.randbits(32) if seed is None else seed

    def report(result: AvalonSimulation) -> None:
        if not result.games:
            return
        about = {"rules": chosen.preset, "configuration": label, "options": rules.options(), "seed": drawn}
        as_text = _json_text({**about, "asked": games, **result.to_dict()})
        if as_json:
            click.echo(as_text)
        else:
            _print_simulation(label, result)
        if seed is None:
            _tell_seed(drawn)
        if out is not None:
            write_file(out, result.to_csv() if out.suffix == ".csv" else f"{as_text}\n")
        if plot is not None:
            from visualise.avalon import save_results

            chosen_by = _strategies(chosen.good, chosen.evil, chosen.merlin_by)
            save_results({label: result}, plot, names=_NAMES + _by_strategies(chosen_by))

    try:
        with executor_opened(**running) as executor, progress_shown("playing", games, shown=progress) as done:
            result = simulate(chosen.game(rules), games, rng=drawn, executor=executor, progress=done)
    except SimulationStopped as stopped:
        report(stopped.simulation)
        raise
    report(result)


@avalon_command.command("study")
@click.argument("file", type=_STUDY_FILE, required=False)
@click.option("-o", "--out", type=NEW_FILE, help=f"With FILE: the {_RESULT}")
@click.option("--progress/--no-progress", default=None, help="Show a progress bar; by default on a terminal.")
@click.option(
    "--games", type=int, default=20_000, show_default=True, help="The number of games per configuration."
)
@click.option(
    "--seed", type=_SEED, default=1, show_default=True, help="The seed: the same seed gives the same results."
)
@with_options(*_STRATEGY_OPTIONS)
@on_workers
@click.option(
    "--ablation/--no-ablation", "with_ablation", default=True, help="Also compute the effect of each rule."
)
@json_option
@click.option("--plot", type=NEW_FILE, help="Draw the table: .png, .pdf or .svg.")
def study_command(
    file: Path | None,
    out: Path | None,
    progress: bool | None,
    games: int,
    seed: int,
    good: str | None,
    evil: str | None,
    merlin_by: str | None,
    with_ablation: bool,
    as_json: bool,
    plot: Path | None,
    **running: Any,
) -> None:
    """Compare the published table with simulated and exact values, and show the effect of each rule.

    Configurations are written Merlin / higher-order evil / assassination (T or F); `quests` is what the
    publication calls round length. With FILE, the study in this TOML file is run instead, as by `game
    study`. The printed values are the published ones, even with other strategies.
    """
    if file is not None or out is not None:
        if file is None or out is None:
            raise GameError("a study of your own needs both: avalon study FILE -o RESULT")
        run_file(file, out, progress=progress, **running)
        return
    _check_file(plot, _PICTURES)
    strategies = _strategies(good, evil, merlin_by)
    _tell_unread(with_strategies(rules, strategies) for rules in configurations("published").values())
    rows: list[Replication] = []
    effects: dict[str, list[Variation]] = {}
    try:
        with executor_opened(**running) as executor:
            with progress_shown("playing", games * len(PRINTED), shown=progress) as advance:
                found = replicate(games, rng=seed, strategies=strategies, executor=executor, progress=advance)
                rows.extend(found)
            for name in _BASES if with_ablation else ():
                effects[name] = []
                with progress_shown(f"changing the rules of {name}", None, shown=progress) as advance:
                    base = configurations("published")[name]
                    for variation in ablation(base, strategies=strategies, executor=executor):
                        effects[name].append(variation)
                        advance(1)
    finally:  # also what was found until something broke
        if rows:
            if as_json:
                click.echo(_json_text(_study_dict(rows, effects)))
            else:
                _print_study(rows, effects)
    if plot is not None:
        from visualise.avalon import save_results

        save_results(
            {row.configuration: row.simulated for row in rows},
            plot,
            exact={row.configuration: row.exact for row in rows},
            names=_NAMES + _by_strategies(strategies),
            printed={name: row.good for name, row in PRINTED.items()},
            printed_quests={name: row.quests for name, row in PRINTED.items()},
        )


# --- studies of any game ----------------------------------------------------------------------------


@click.group("game", cls=WholeHelps)
def game_command() -> None:
    """Run studies of games whose players act on their knowledge."""


@game_command.command("study")
@click.argument("file", type=_STUDY_FILE)
@click.option("-o", "--out", type=NEW_FILE, required=True, help=f"The {_RESULT}")
@on_workers
@click.option("--progress/--no-progress", default=None, help="Show a progress bar; by default on a terminal.")
def study_file_command(file: Path, out: Path, progress: bool | None, **running: Any) -> None:
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
@click.argument("files", nargs=-1, type=_STUDY_FILE, required=True)
@click.option("-o", "--out", type=NEW_FILE, help="The file to write; by default it is printed.")
def merge_command(files: tuple[Path, ...], out: Path | None) -> None:
    """Add up results of the same study with different seeds."""
    total = reduce(merged, [parse_json(read_text(file), str(file)) for file in files])
    write_file(out, json.dumps(total, indent=2) + "\n")


# --- running ---------------------------------------------------------------------------------------


@contextmanager
def executor_opened(workers: int | None, scheduler: str | None) -> Iterator[Executor | None]:
    """Open the executor that the options ask for; a lost connection is told in our own words only.

    SIGTERM, which schedulers send, is treated like an interruption by the keyboard.
    """
    # a lost connection is told by our own message, not by tracebacks in the library's log
    if scheduler is not None:
        logging.disable(logging.CRITICAL)
    try:
        with stoppable(), open_executor(workers=workers, scheduler=scheduler) as executor:
            yield executor
    finally:
        logging.disable(logging.NOTSET)


@contextmanager
def progress_shown(
    what: str, total: int | None, *, shown: bool | None = None
) -> Iterator[Callable[[int], object]]:
    """Show a progress bar on standard error, by default if that is a terminal; yield what advances it."""
    if not (sys.stderr.isatty() if shown is None else shown):
        yield lambda steps: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda steps: bar.advance(task, steps)


# --- printing --------------------------------------------------------------------------------------


def _json_text(content: Mapping[str, Any]) -> str:
    """Return JSON with the name and the version of its format."""
    return json.dumps({"format": "kripke_werewolf avalon", "version": 1, **content}, indent=2)


def _print_solutions(preset: str, solutions: Mapping[str, AvalonSolution]) -> None:
    """Print exact win rates and mean numbers of quests."""
    rows = (
        (name, f"{float(s.good):.6f}", str(s.good), *(_decimal(mean, 5) for mean in s.means().values()))
        for name, s in solutions.items()
    )
    _print_table((preset, "good", "exactly", "quests", "Good won", "Evil won"), rows)


def _print_simulation(label: str, result: AvalonSimulation) -> None:
    """Print the win rate with its interval, and how often each outcome occurred."""
    low, high = result.interval()
    click.echo(
        f"{label}: {result.games:,} games, Good won {float(result.good):.4f} ({low:.4f} to {high:.4f})"
    )
    rows = (
        (o.winner, str(o.quests), o.by, f"{count:,}", f"{float(count / result.games):.4f}")
        for o, count in result.rows()
    )
    _print_table(("won by", "quests", "decided by", "games", "share"), rows)


def _print_study(rows: Sequence[Replication], effects: Mapping[str, Sequence[Variation]]) -> None:
    """Print the published table beside ours, and the effect of every rule."""
    table = []
    for row in rows:
        printed, simulated, exact = row.printed, row.simulated, row.exact
        low, high = simulated.interval()
        rates = [f"{printed.good:.2f}", f"{float(simulated.good):.4f}", f"{low:.4f} to {high:.4f}"]
        rates += [f"{float(exact.good):.4f}", f"{row.deviation():+.1f}"]
        quests = [f"{printed.quests:.3f}", _decimal(simulated.quests(), 3), _decimal(exact.quests(), 3)]
        quests += [f"{printed.quests_good:.2f}", _decimal(exact.quests("good"), 2)]
        quests += [f"{printed.quests_evil:.2f}", _decimal(exact.quests("evil"), 2)]
        table.append((row.configuration, *rates, *quests))
    click.echo("Good's win rate, and quests played: in all games, in those Good won, in those Evil won")
    click.echo("(SE: the difference between printed and exact rate, in standard errors of 1,000 games)\n")
    headings = ("", "printed", "ours", "95%", "exact", "SE")
    _print_table((*headings, "quests", "ours", "exact", "Good", "exact", "Evil", "exact"), table)
    for name, variations in effects.items():
        base = next(row.exact.good for row in rows if row.configuration == name)
        click.echo(f"\n{name} with one rule changed; Good's exact win rate is {base} = {float(base):.4f}\n")
        changed = []
        for v in variations:
            good, effect = "-", v.problem
            if v.good is not None:
                remark = f" ({v.problem})" if v.problem else ""
                good, effect = f"{float(v.good):.4f}", f"{float(v.good - base):+.4f}{remark}"
            changed.append((v.option, str(v.value), good, effect))
        _print_table(("rule", "changed to", "good", "effect"), changed)


def _study_dict(rows: Sequence[Replication], effects: Mapping[str, Sequence[Variation]]) -> dict[str, Any]:
    """Return the published table beside ours, and the effect of every rule."""
    table = {
        row.configuration: {
            "printed": row.printed._asdict(),
            "simulated": row.simulated.to_dict(),
            "exact": row.exact.to_dict(),
            "printed_deviation": row.deviation(),
        }
        for row in rows
    }
    ablation = {
        name: [{**asdict(v), "good": None if v.good is None else str(v.good)} for v in variations]
        for name, variations in effects.items()
    }
    return {"table": table, "ablation": ablation}


def _print_table(headings: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    print_grid(Grid(headings, tuple(rows), words=True))


def _decimal(value: Any, places: int) -> str:
    return "-" if value is None else f"{float(value):.{places}f}"
