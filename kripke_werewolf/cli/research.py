"""The groups `avalon` and `forge` (stories with questions)."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import click

from kripke_werewolf.base.errors import GameError, check_known, missing_package
from kripke_werewolf.base.reports.tables import Grid
from kripke_werewolf.base.settings import Natural, Positive
from kripke_werewolf.cli import declared
from kripke_werewolf.cli.declared import AsJson, ExistingFile, Given, NewFile, Pairs, Reply, command
from kripke_werewolf.cli.output import note, print_json, progress_shown, write_file
from kripke_werewolf.games import avalon
from kripke_werewolf.games.avalon import Rules, study
from kripke_werewolf.games.avalon.outcomes import decimals
from kripke_werewolf.games.avalon.rules import PRESETS, option_values
from kripke_werewolf.games.avalon.strategies import strategy_named
from kripke_werewolf.games.programs.chain import open_executor
from kripke_werewolf.research.forge import cues, judged
from kripke_werewolf.research.forge.family import FAMILIES, Knobs, family_named, forged, read_items

# --- avalon --------------------------------------------------------------------------------------


# --- options ---------------------------------------------------------------------------------------


_Seed = Annotated[Natural | None, "--seed: The same seed gives the same results, on any number of workers."]


def _strategies(*, good: str | None = None, evil: str | None = None, merlin_by: str | None = None) -> Given:
    """Return the strategies that take the places of the players' own.

    Modules are looked for in the current folder as well.

    Options:
      --good MODULE:CLASS: The strategy of the good players, such as module:Class(n=3).
      --evil MODULE:CLASS: The strategy of the evil players.
      --merlin-by MODULE:CLASS: The strategy of Merlin.
    """
    sys.path.insert(0, str(Path.cwd()))
    named = {"good": good, "evil": evil, "merlin": merlin_by}
    return {who: strategy_named(text) for who, text in named.items() if text}


def _chosen(
    *,
    rules: Annotated[str, click.Choice(list(PRESETS))] = "published",
    merlin: Literal["none", "naive", "cautious", "lowest", "uniform"] | None = None,
    higher_order: bool = False,
    assassinate: bool = False,
    set_: Pairs = (),
) -> tuple[str, Rules]:
    """Return the rules that options choose and the name of this configuration.

    Raises `GameError` for options that contradict each other.

    Options:
      --rules: published: the rules behind the published table; intended: those its text describes.
      --set OPTION=VALUE: Change one rule, for example announcements=policy; may be repeated.
      --merlin: How Merlin votes (naive, cautious) or, with the published rules, their seat (lowest, uniform).
      --higher-order: Evil players reason about the knowledge of others.
      --assassinate: Evil players may name Merlin at the end.
    """
    votes = None if merlin in (None, "none") else merlin
    made = PRESETS[rules](merlin=votes, higher_order=higher_order, assassinate=assassinate, **_changes(set_))
    as_printed = made.name == "published" and made.merlin == "naive"
    seen = "T" if as_printed else made.merlin or "F"
    return "/".join([seen, *("T" if rule else "F" for rule in (higher_order, made.assassinate))]), made


_CHOSEN: Mapping[Any, str] = {_chosen: "rules merlin higher_order assassinate set_"}
_STRATEGIES: Mapping[Any, str] = {_strategies: "good evil merlin_by"}
_RUNNING: Mapping[Any, str] = {open_executor: "workers"}


def _game(rules: Rules, strategies: Mapping[str, str]) -> avalon.Avalon:
    """Return the game under some rules with strategies."""
    return avalon.Avalon(rules, **_strategies(**strategies))


def _changes(changes: Pairs) -> dict[str, object]:
    """Return the options of rules; values are written as in Python, in any case: `none`, `true`, `policy`."""
    out: dict[str, object] = {}
    for option, text in changes:
        change = f"--set {option}={text}"
        if option in ("merlin", "assassinate"):
            raise GameError(f"{change}: use --{option}, which the name of the configuration follows")
        check_known(option, option_values(), kind="rule")
        by_text = {str(value).lower(): value for value in option_values()[option]}
        if text.lower() not in by_text:
            raise GameError(f"{change}: {option} is one of {', '.join(by_text)}")
        out[option] = by_text[text.lower()]
    return out


_AGAIN = "--seed {} plays the same again"
"""Said of a seed that was not given."""


# --- commands --------------------------------------------------------------------------------------


@command("avalon play", chosen=_CHOSEN, strategies=_STRATEGIES)
def _play(*, chosen: Given, strategies: Given, seed: _Seed = None) -> None:
    """Play one game and print every proposal, vote, card and announcement, with what players then know."""
    game = _game(_chosen(**chosen)[1], strategies)
    drawn = secrets.randbits(32) if seed is None else seed
    click.echo(game.play(rng=drawn))
    if seed is None:
        note(_AGAIN.format(drawn))


@command("avalon solve", chosen=_CHOSEN, strategies=_STRATEGIES)
def _solve(*, chosen: Given, strategies: Given) -> Reply:
    """Compute win rates and numbers of quests exactly, as fractions.

    Without --merlin, --higher-order and --assassinate, every configuration of the rules is solved.
    Configurations are written Merlin / higher-order evil / assassination (T or F).
    """
    preset = chosen.get("rules", "published")
    if chosen.keys() <= {"rules", "set_"}:
        changes = _changes(chosen.get("set_", ()))
        wanted = {name: rules.but(**changes) for name, rules in avalon.configurations(preset).items()}
    else:
        wanted = dict([_chosen(**chosen)])
    solutions = {}
    with progress_shown("solving", len(wanted)) as progress:
        for name, rules in wanted.items():
            solutions[name] = avalon.solve(_game(rules, strategies))
            progress(1)
    found = {name: {**s.to_dict(), "options": wanted[name].options()} for name, s in solutions.items()}
    rows = (
        (name, f"{float(s.good):.6f}", str(s.good), *(decimals(mean, 5) for mean in s.means().values()))
        for name, s in solutions.items()
    )
    headings = (preset, "good", "exactly", "quests", "Good won", "Evil won")
    table = Grid(headings, tuple(rows), words=True).to_text()
    return Reply([table], _with_format({"rules": preset, "configurations": found}))


@command("avalon simulate", chosen=_CHOSEN, strategies=_STRATEGIES, running=_RUNNING)
def _simulate(
    *,
    games: int = 10_000,
    seed: _Seed = None,
    as_json: AsJson = False,
    chosen: Given,
    strategies: Given,
    running: Given,
) -> None:
    """Play many games and count how they end, with 95% confidence intervals.

    If a worker fails or the command is interrupted (even by SIGTERM), the results so far are kept.

    Options:
      --games: The number of games.
    """
    label, rules = _chosen(**chosen)
    drawn = secrets.randbits(32) if seed is None else seed

    def report(result: avalon.AvalonSimulation) -> None:
        if not result.games:
            return
        about = {"rules": chosen.get("rules", "published"), "configuration": label}
        about |= {"options": rules.options(), "seed": drawn, "asked": games}
        if as_json:
            print_json(_with_format({**about, **result.to_dict()}))
        else:
            click.echo(f"{label}: {result.rate()}")
            click.echo(result.grid().to_text())
        if seed is None:
            note(_AGAIN.format(drawn))

    try:
        with open_executor(**running) as executor, progress_shown("playing", games) as done:
            game = _game(rules, strategies)
            result = avalon.simulate(game, games, rng=drawn, executor=executor, progress=done)
    except avalon.SimulationStopped as stopped:
        report(stopped.simulation)
        raise
    report(result)


@command("avalon study", chosen=_STRATEGIES, running=_RUNNING)
def _study(
    *,
    games: int = 20_000,
    seed: _Seed = 1,
    ablation_: bool = True,
    as_json: AsJson = False,
    chosen: Given,
    running: Given,
) -> None:
    """Compare the published table with simulated and exact values, and show the effect of each rule.

    Configurations are written Merlin / higher-order evil / assassination (T or F); `quests` is what the
    publication calls round length. The printed values are the published ones, even with other strategies.

    Options:
      --games: The number of games per configuration.
      --ablation/--no-ablation: Also compute the effect of each rule.
    """
    strategies = _strategies(**chosen)
    published = avalon.configurations("published")
    found = study.StudyFindings([], {})
    try:
        with open_executor(**running) as executor:
            with progress_shown("playing", games * len(study.PRINTED)) as advance:
                how: dict[str, Any] = {"strategies": strategies, "executor": executor, "progress": advance}
                found.rows.extend(study.replicate(games, rng=seed, **how))
            for name in ("F/F/F", "F/T/F") if ablation_ else ():
                effects = found.effects.setdefault(name, [])
                with progress_shown(f"changing the rules of {name}") as advance:
                    for changed in study.ablation(published[name], strategies=strategies, executor=executor):
                        effects.append(changed)
                        advance(1)
    finally:  # also what was found until something broke
        if found.rows and as_json:
            print_json(_with_format(found.to_dict()))
        elif found.rows:
            for block in found.blocks():
                click.echo(block.to_text() if isinstance(block, Grid) else block)


def _with_format(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return data for other programs, with the name and the version of their format."""
    return {"format": "kripke_werewolf avalon", "version": 1, **content}


# --- forge ---------------------------------------------------------------------------------------


@command("forge make", given={Knobs: "orders pairs quadruples agents events"}, running=_RUNNING)
def _make(
    family: Annotated[str, click.Choice(list(FAMILIES))],
    *,
    items: Positive = 10,
    set_: Pairs = (),
    seed: Natural | None = None,
    out: NewFile | None = None,
    allow_cues: bool = False,
    given: Given,
    running: Given,
) -> None:
    """Make items of a FAMILY of stories, as lines of JSON.

    A file is not written if somebody who does not understand the stories is right in more than 55% of the
    items of an order; those who learn from the words are asked if scikit-learn is installed (extra
    'readers').

    Options:
      --items: The number of items.
      --order: The order of the questions, from 1 to 6; may be repeated.
      --pairs: Give each item a twin that differs in one sentence and has another answer.
      --quadruples: Make items in fours: two sentences change, and each of them changes the answer.
      --agents: The number of agents; by default as is usual in the family.
      --events: The number of events of a story; by default as is usual in the family.
      --set NAME=VALUE: Change another knob of the family; may be repeated.
      --seed: The seed: the same seed gives the same items, with any number of workers.
      -o, --out: The file to write; by default the items are printed.
      --allow-cues: Write the file even if the words give answers away.
    """
    chosen = family_named(family)
    knobs: Knobs = chosen.knobs(**declared.read_settings(chosen.knobs, set_) | given)
    drawn = secrets.randbits(32) if seed is None else seed
    with open_executor(**running) as executor:
        made = forged(chosen, knobs, items=items, seed=drawn, executor=executor)
        if out is None:
            for item in made:
                click.echo(item.to_json())
        else:
            written = [*made]
            if not allow_cues and (found := cues.cues(written)):
                reader = max(found, key=found.__getitem__)
                raise GameError(
                    f"reader {reader!r} is right in {found[reader]:.2f} of the items of an order (allowed: "
                    f"{cues.ALLOWED}); ask for --quadruples, or write the file with --allow-cues"
                )
            write_file(out, "".join(f"{item.to_json()}\n" for item in written))
            if not cues.LEARNING:
                note(missing_package("asking readers who learn from words", "scikit-learn", extra="readers"))
    if seed is None:
        note(f"--seed {drawn} makes the same items again")


@command("forge share")
def _share(file: ExistingFile, *, out: NewFile) -> None:
    """Write the data card of the items in FILE, in Markdown.

    Options:
      -o, --out: The file to write.
    """
    write_file(out, judged.card_of(tuple(read_items(file))).to_markdown())


@command("forge check")
def _check_items(file: ExistingFile) -> Reply:
    """Derive everything in the items of a FILE again, from the text alone.

    Exit code 0 if all of it follows, 1 if not.
    """
    return _findings(judged.FORGED.audit(file))


@command("forge audit")
def _audit(
    published: str,
    file: ExistingFile,
    *,
    places: Literal["open", "closed"] | None = None,
    skip: bool = False,
) -> Reply:
    """Derive the labels of a published set of stories again, by both engines.

    FILE is the set in the format in which it was PUBLISHED: tomi, hitom, or a grammar file (.toml; then FILE
    has lines of JSON). Prints for each kind of question and of mistake the number of items, the least order
    of a question with this answer, and the first item. Exit code 0 if nothing is wrong, 1 if something is.

    Options:
      --places: Whether those who come in see what is in the places; by default as the format says.
      --skip: Count the items that are not understood, instead of stopping at the first.
    """
    from kripke_werewolf.research.forge.published import format_of

    items = format_of(published, places=places).audit(file, skip=skip)
    skipped = [item for item in items if item.flaw == judged.SKIPPED]
    if skipped:
        first = f"{skipped[0].place}, {skipped[0].why}"
        note(f"{len(skipped):,} of {len(items):,} items were skipped; the first: {first}")
    return _findings(items)


def _findings(items: list[judged.JudgedItem]) -> Reply:
    findings = [item for item in items if item.flaw]
    right = all(item.flaw == judged.SKIPPED for item in findings)
    return Reply([judged.audit_table(items).to_text()], [item._asdict() for item in findings], right)


@command("forge report")
def _report(file: ExistingFile) -> None:
    """Print what the items of a FILE are like, and how often readers are right who do not understand them."""
    click.echo(judged.balance([*read_items(file)]).to_text())
