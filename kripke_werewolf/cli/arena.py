"""The group `arena`: games of programs, language models and people, and reports on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeAlias

import click

from kripke_werewolf.base.errors import FormatError, UnknownNameError
from kripke_werewolf.base.files import read_text
from kripke_werewolf.base.settings import Natural, Positive
from kripke_werewolf.cli.declared import ExistingFile, NewPlace, Pairs, Reply, command, read_settings
from kripke_werewolf.cli.output import check_new, note, progress_shown, write_file
from kripke_werewolf.games.avalon.strategies import strategy_named
from kripke_werewolf.research.arena import Agent, Arena, arena_report, read_rows, replayed
from kripke_werewolf.research.arena.arena import BELIEFS
from kripke_werewolf.research.arena.tables import TABLES, ArenaTable

_Fields: TypeAlias = tuple[Literal["role", "phase", "kind", "seat"], ...]


@command("arena run")
def _run(
    table: Annotated[str, click.Choice(list(TABLES))],
    *,
    seats: Pairs = (),
    others: str = "blind",
    games: Positive = 1,
    talk: Natural = 0,
    set_: Pairs = (),
    seed: Natural = 0,
    out: NewPlace | None = None,
) -> Reply:
    """Play games at a TABLE, and print the scores of the agents.

    An agent is blind, chance or exact (what it believes; it moves at random), person (a page for a phone), or
    MODULE:CLASS, whose instances are called with a prompt and return an answer, such as a language model's.

    Options:
      --seat SEAT=AGENT: The agent of a seat; may be repeated.
      --others AGENT: The agent of the other seats.
      --games: The number of games, with seeds one after the other.
      --talk: How often everybody speaks in each phase before its first vote.
      --set NAME=VALUE: Change a setting of the table, such as rules=straat; may be repeated.
      --seed: The first seed.
      -o, --out FOLDER: Write each game as lines of JSON, TABLE-SEED.jsonl.
    """
    kind = TABLES[table]
    given = read_settings(kind, set_)
    if out is not None:
        if out.suffix:
            raise FormatError(f"{out} is no name of a folder; `arena report FILE… --json` writes scores")
        out.mkdir(exist_ok=True)
        check_new(*(out / f"{table}-{number}.jsonl" for number in range(seed, seed + games)))
    made: dict[str, Callable[[Any], str]] = {}
    found = []
    with progress_shown("playing", games) as progress:
        for number in range(seed, seed + games):
            begun: ArenaTable = kind(**given, seed=number)
            wanted = dict.fromkeys(begun.seats, others) | dict(seats)
            agents = {seat: _agent(made, seat, name, number) for seat, name in wanted.items()}
            text = Arena(begun, agents, talk=talk).run().to_jsonl()
            if out is not None:
                write_file(out / f"{table}-{number}.jsonl", text)
            found.append(read_rows(text))
            progress(1)
    return _reported(found, ())


def _agent(made: dict[str, Callable[[Any], str]], seat: str, name: str, seed: int) -> Callable[[Any], str]:
    """Return the agent of a seat; people and models stay the same from game to game."""
    if name in BELIEFS:
        return Agent(name, f"{seed} {seat}")
    if name == "person" and seat not in made:
        from kripke_werewolf.play.host.asking import Person, own_address

        made[seat] = person = Person(own_address())
        note(f"{seat} plays at {person.address}")
    elif seat not in made:
        if ":" not in name:
            raise UnknownNameError(name, (*BELIEFS, "person", "MODULE:CLASS"), kind="agent")
        made[seat] = strategy_named(name)
    return made[seat]


@command("arena report")
def _report(files: tuple[ExistingFile, ...], *, by: _Fields = (), replay: bool = False) -> Reply:
    """Print the scores in recorded games: means with 95% intervals, games as clusters.

    Options:
      --by: Divide by role, phase, kind or seat; may be repeated.
      --replay: Play the answers again; a line that does not follow from them is an error.
    """
    texts = {str(path): read_text(path) for path in files}
    if replay:
        for path, text in texts.items():
            replayed(text, source=path)
    return _reported([read_rows(text, source=path) for path, text in texts.items()], by)


def _reported(games: list[Any], by: _Fields) -> Reply:
    grid = arena_report(games, by)
    outcomes = Counter(rows[-1]["outcome"] for rows in games)
    lines = [f"{outcome}: {number} of {len(games)}" for outcome, number in outcomes.most_common()]
    scores = [dict(zip(grid.header, row, strict=True)) for row in grid.rows]
    return Reply([grid.to_text(), "", "outcomes", *lines], {"scores": scores, "outcomes": outcomes})
