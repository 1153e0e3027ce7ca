"""`kripke-werewolf avalon play|simulate|solve|study`, and `game study|merge` for any game."""

from __future__ import annotations

import json
import os
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import reduce
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

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
from kripke_werewolf.cli.declared import AsJson, ExistingFile, File, command
from kripke_werewolf.cli.output import WholeHelps, note, print_grid, write_file
from kripke_werewolf.cli.running import Running, executor_opened
from kripke_werewolf.errors import FormatError, GameError, check_known
from kripke_werewolf.files import known_ending, parse_json, read_text
from kripke_werewolf.games.studies import merged, read_study, run_study, strategy_named
from kripke_werewolf.reports.tables import Grid

_BASES = ("F/F/F", "F/T/F")
"""The configurations whose rules the study changes one at a time."""


@click.group("avalon", cls=WholeHelps)
def avalon_command() -> None:
    """Play and simulate the game Avalon, compute exact win rates, and repeat a published study."""


# --- options ---------------------------------------------------------------------------------------


_Seed = Annotated[
    int | None,
    click.IntRange(min=0),
    "--seed: The seed: the same seed gives the same results, with any number of workers.",
]
_Progress = Annotated[bool | None, "--progress/--no-progress: Show a progress bar; by default on a terminal."]


class _Strategies(NamedTuple):
    """The strategies that take the places of the players' own.

    Options:
      --good MODULE:CLASS: The strategy of the good players, such as module:Class(n=3).
      --evil MODULE:CLASS: The strategy of the evil players.
      --merlin-by MODULE:CLASS: The strategy of Merlin.
    """

    good: str | None = None
    evil: str | None = None
    merlin_by: str | None = None

    def loaded(self) -> dict[str, Any]:
        """Return the strategies; modules are looked for in the current folder as well."""
        sys.path.insert(0, str(Path.cwd()))
        named = zip(("good", "evil", "merlin"), self, strict=True)
        return {who: strategy_named(text) for who, text in named if text}


class _Chosen(NamedTuple):
    """The rules that the options of a command choose.

    Options:
      --merlin: How Merlin votes (naive, cautious) or, with the published rules, their seat (lowest, uniform).
      --higher-order: Evil players reason about the knowledge of others.
      --assassinate: Evil players may name Merlin at the end.
    """

    preset: Annotated[
        str,
        click.Choice(list(PRESETS)),
        "--rules: published: the rules behind the published table; intended: those its text describes.",
    ] = "published"
    merlin: Literal["none", "naive", "cautious", "lowest", "uniform"] | None = None
    higher_order: bool = False
    assassinate: bool = False
    strategies: _Strategies = _Strategies()
    changes: Annotated[
        tuple[str, ...],
        "--set OPTION=VALUE: Change one rule, for example announcements=policy; may be repeated.",
    ] = ()

    def game(self, rules: Rules) -> Avalon:
        """Return the game under some rules with the strategies chosen."""
        game = Avalon(rules, **self.strategies.loaded())
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


def _tell_unread(games: Iterable[Avalon]) -> None:
    """Tell on standard error which options of the rules a strategy does not read, each once."""
    note(*dict.fromkeys(line for game in games for line in unread(game)))


def _changes(changes: Sequence[str]) -> dict[str, object]:
    """Read OPTION=VALUE; values are written as in Python, in any case: `none`, `true`, `policy`."""
    out: dict[str, object] = {}
    for change in changes:
        option, equals, text = change.partition("=")
        if option in ("merlin", "assassinate"):
            raise GameError(f"--set {change}: use --{option}, which the name of the configuration follows")
        check_known(option, option_values(), kind="rule")
        by_text = {str(value).lower(): value for value in option_values()[option]}
        if not equals or text.lower() not in by_text:
            raise GameError(f"--set {change}: {option} is one of {', '.join(by_text)}")
        out[option] = by_text[text.lower()]
    return out


def _check_file(path: Path | None, endings: Sequence[str] = ()) -> None:
    """Refuse a file that cannot be written, before anything is played."""
    if path is None:
        return
    if endings:
        known_ending(path, endings)
    if not path.parent.is_dir():
        raise FormatError(f"cannot write {str(path)!r}: there is no folder {str(path.parent)!r}")
    if not os.access(path.parent, os.W_OK):
        raise FormatError(f"cannot write {str(path)!r}: no permission to write into {str(path.parent)!r}")


def _tell_seed(seed: int) -> None:
    """Print a seed that was not given, so that the same games can be played again."""
    note(f"--seed {seed} plays the same again")


# --- commands --------------------------------------------------------------------------------------


@command("play", of=avalon_command)
def avalon_play_command(
    *, chosen: _Chosen, seed: _Seed = None, html: bool = False, out: File | None = None
) -> None:
    """Play one game and print every proposal, vote, card and announcement, with what players then know.

    Options:
      --html: Write an HTML page.
      -o, --out: The file to write; by default it is printed.
    """
    game = chosen.game(chosen.rules)
    _check_file(out)
    drawn = secrets.randbits(32) if seed is None else seed
    played = game.play(rng=drawn)
    write_file(out, played.html() if html else f"{played}\n")
    if seed is None:
        _tell_seed(drawn)


@command("solve", of=avalon_command)
def solve_command(
    *,
    chosen: _Chosen,
    as_json: Annotated[bool, "--json: Print JSON for other programs, with exact fractions."] = False,
) -> None:
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


@command("simulate", of=avalon_command)
def simulate_command(
    *,
    chosen: _Chosen,
    games: int = 10_000,
    seed: _Seed = None,
    progress: _Progress = None,
    running: Running,
    as_json: AsJson = False,
    out: File | None = None,
) -> None:
    """Play many games and count how they end, with 95% confidence intervals.

    If a worker fails or the command is interrupted (even by SIGTERM), the results so far are kept.

    Options:
      --games: The number of games.
      -o, --out: Write the results: .json or .csv.
    """
    rules, label = chosen.rules, chosen.label
    _check_file(out, (".json", ".csv"))
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
            write_file(out, result.to_csv() if out.suffix.lower() == ".csv" else f"{as_text}\n")

    try:
        with executor_opened(running) as executor, progress_shown("playing", games, shown=progress) as done:
            result = simulate(chosen.game(rules), games, rng=drawn, executor=executor, progress=done)
    except SimulationStopped as stopped:
        report(stopped.simulation)
        raise
    report(result)


@command("study", of=avalon_command)
def study_command(
    *,
    progress: _Progress = None,
    games: int = 20_000,
    seed: _Seed = 1,
    chosen: _Strategies,
    running: Running,
    ablation_: bool = True,
    as_json: AsJson = False,
) -> None:
    """Compare the published table with simulated and exact values, and show the effect of each rule.

    Configurations are written Merlin / higher-order evil / assassination (T or F); `quests` is what the
    publication calls round length. The printed values are the published ones, even with other strategies.
    `game study` runs studies of your own.

    Options:
      --games: The number of games per configuration.
      --ablation/--no-ablation: Also compute the effect of each rule.
    """
    strategies = chosen.loaded()
    _tell_unread(with_strategies(rules, strategies) for rules in configurations("published").values())
    rows: list[Replication] = []
    effects: dict[str, list[Variation]] = {}
    try:
        with executor_opened(running) as executor:
            with progress_shown("playing", games * len(PRINTED), shown=progress) as advance:
                found = replicate(games, rng=seed, strategies=strategies, executor=executor, progress=advance)
                rows.extend(found)
            for name in _BASES if ablation_ else ():
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


# --- studies of any game ----------------------------------------------------------------------------


@click.group("game", cls=WholeHelps)
def game_command() -> None:
    """Run studies of games whose players act on their knowledge."""


@command("study", of=game_command)
def study_file_command(
    file: ExistingFile, *, out: File, running: Running, progress: _Progress = None
) -> None:
    """Run the study in a TOML file, or continue it.

    You may stop the study at any moment, even with SIGTERM or SIGKILL. The same command then plays the
    missing games, and the result is the same.

    Options:
      -o, --out: The JSON file for the result; an unfinished study is continued from it.
    """
    run_file(file, out, progress=progress, running=running)


def run_file(file: Path, out: Path, *, progress: bool | None, running: Running) -> None:
    """Run the study of a file and print the share of every outcome."""
    sys.path.insert(0, str(Path.cwd()))  # modules with strategies lie beside the study
    study = read_study(file)
    with executor_opened(running) as executor:
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


@command("merge", of=game_command)
def merge_command(files: tuple[ExistingFile, ...], *, out: File | None = None) -> None:
    """Add up results of the same study with different seeds.

    Options:
      -o, --out: The file to write; by default it is printed.
    """
    total = reduce(merged, [parse_json(read_text(file), str(file)) for file in files])
    write_file(out, json.dumps(total, indent=2) + "\n")


# --- running ---------------------------------------------------------------------------------------


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
