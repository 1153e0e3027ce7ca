"""The whole story of a game, for after it: everything that was secret, with tables and plots."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from itertools import groupby
from typing import TYPE_CHECKING

from kripke_werewolf.reports.documents import Block, Document, Figure, Heading, Items, Paragraph, Sheet
from kripke_werewolf.werewolf.changes import TableChange
from kripke_werewolf.werewolf.rules import FACTS, PRESETS, Rules
from kripke_werewolf.werewolf.story import Episode, describe_setup, story, worlds_text

if TYPE_CHECKING:
    from kripke_werewolf.werewolf.game import QuantumWerewolf

__all__ = ["report"]


def report(game: QuantumWerewolf, *, plots: bool = True) -> Document:
    """Return the story of a game by phases: who did what, what it changed, tables, results, plots.

    `plots` needs the package `visualise`.
    """
    episodes = list(story(game))
    blocks: list[Block] = [Paragraph(describe_setup(game.setup)), *_players(game), *_result(game)]
    if plots:
        blocks += _plots(game, episodes)
    for _, part in groupby(episodes[1:], key=lambda episode: episode.phase):
        steps = list(part)
        before = episodes[steps[0].step - 1]
        blocks += _phase(before, steps)
    return Document(f"Quantum Werewolf: {game.rules.name}", tuple(blocks))


def _players(game: QuantumWerewolf) -> Iterator[Block]:
    setup = game.setup
    lines = []
    for seat, name in enumerate(game.players):
        number = f", number {setup.numbers[seat]}" if setup.rules.table == "anonymous" else ""
        role = f", dealt {setup.roles[seat]}" if setup.roles is not None else ""
        lines.append(f"{name}{number}{role}")
    yield Items(tuple(lines))
    options = _options(setup.rules)
    if options:
        yield Paragraph(f"Options: {', '.join(options)}.")


def _options(rules: Rules) -> list[str]:
    """The fields in which the rules differ from the preset of the same name; all for a name of one's own."""
    base = asdict(PRESETS[rules.name]) if rules.name in PRESETS else asdict(Rules(name=rules.name))
    return [f"{name}={value!r}" for name, value in asdict(rules).items() if value != base[name]]


def _result(game: QuantumWerewolf) -> Iterator[Block]:
    yield Heading("Result")
    if game.verdict is None:
        yield Paragraph(f"The game is not over: it is {game.phase}, with {worlds_text(game.size)} left.")
    else:
        ends = {"village": "The village won", "wolves": "The wolves won", "draw": "Nobody won"}
        how = " by the forced collapse" if game.forced else ""
        yield Paragraph(f"{ends[game.verdict]}{how}. Left: {worlds_text(game.size)}.")
        words = {True: "won", False: "lost", None: "neither won nor lost"}
        yield Items(tuple(f"{name} {words[won]}" for name, won in game.results.items()))
    if game.known_roles:
        known = ", ".join(f"{name}: {role}" for name, role in game.known_roles.items())
        yield Paragraph(f"Roles that are certain: {known}.")
    yield Sheet(game.table())


def _plots(game: QuantumWerewolf, episodes: list[Episode]) -> Iterator[Block]:
    from visualise.game import figure_svg, heat_map, history

    yield Heading("Plots")
    table = game.table()
    size = (1.8 + 1.1 * len(table.columns), 0.8 + 0.36 * len(table.labels))
    svg = figure_svg(lambda ax: heat_map(table, ax=ax), size=size, name="table")
    yield Figure("table", svg, "The table at the end; darker is more likely")
    for column in table.columns:
        if FACTS[column] in ("good", "villager"):
            continue  # what is left of the others
        svg = figure_svg(lambda ax, c=column: history(episodes, c, ax=ax), size=(8.5, 3.4), name=column)  # type: ignore[misc]
        yield Figure(column, svg, f"{column} over the game; a cross marks a death")


def _phase(before: Episode, steps: list[Episode]) -> Iterator[Block]:
    yield Heading(str(steps[0].phase))
    lines = []
    for episode in steps:
        text = " ".join(episode.sentences) or "The phase ends."
        lines.append(f"Step {episode.step}: {text} [{worlds_text(episode.worlds)}]")
    yield Items(tuple(lines))
    change = TableChange(before.table, steps[-1].table)
    yield Paragraph("What this phase changed:" if change.changed else "The table stays as it was.")
    if change.changed:
        yield Sheet(change)
    public = steps[-1].public
    if public is not None:
        yield Paragraph("The table that was made public:")
        yield Sheet(public)
