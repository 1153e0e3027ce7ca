"""A game told after its end: its deaths, everybody's chances, its turning points, and who could have known.

The tale is a function of the game and its votes. Its numbers are those of the game master's table at that
moment. It leaves out players' numbers and everything about the evening, so it can be passed on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import groupby, pairwise
from typing import NamedTuple, TypeAlias, get_args

from kripke_werewolf.base.drawing import drawer
from kripke_werewolf.base.errors import KripkeError
from kripke_werewolf.base.reports.documents import Block, Document, Figure, Heading, Items, Paragraph
from kripke_werewolf.base.reports.tables import Grid, Tabled, shown, sparkline
from kripke_werewolf.base.wording import Sentence, sequence, word
from kripke_werewolf.games.werewolf.declarations import declared
from kripke_werewolf.games.werewolf.events import Acted, OfficialDeath, Played, Step, Vision
from kripke_werewolf.games.werewolf.game import QuantumWerewolf
from kripke_werewolf.games.werewolf.knowledge import Knowledge, knowledge_of
from kripke_werewolf.games.werewolf.roles import WOLF
from kripke_werewolf.games.werewolf.rules import column_fact
from kripke_werewolf.games.werewolf.state import State, being
from kripke_werewolf.games.werewolf.table import TableChange, make_table
from kripke_werewolf.games.werewolf.telling import Episode, chances_text, describe_setup, story
from kripke_werewolf.games.werewolf.told import Reading

Asked: TypeAlias = tuple[int, Reading]
"""A number of steps, and the reading of what players were told."""
Findings: TypeAlias = Mapping[Asked, "Knowledge | str"]
"""Everybody's knowledge at ends of phases, or why it is unknown."""
Votes: TypeAlias = Mapping[tuple[int, int], str]
"""The counts of votes, by the position of the phase and the number of players already voted off in it."""

_MATTERS = Fraction(1, 10)
"""The least rise of a chance to be dead that is told, unless the move named the player."""
_TURNS = 3
"""The number of turning points."""


def phase_ends(game: Played) -> list[int]:
    """Return the numbers of steps after which a phase or the game was over.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> phase_ends(QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1).vision("Ann", "Bo").end_phase())
    [2]
    """
    pairs = enumerate(pairwise(game.states), 1)
    return [n for n, (was, now) in pairs if (was.phase, was.verdict) != (now.phase, now.verdict)]


def to_ask(game: Played) -> list[Asked]:
    """Return the questions about a game: by each reading, who knows what at the end of each phase."""
    # a classical deal publishes no table
    readings: tuple[Reading, ...] = ("facts",) if game.setup.deal == "classical" else get_args(Reading)
    return [(step, reading) for reading in readings for step in phase_ends(game)]


def knowledge_after(game: QuantumWerewolf, asked: Asked, timeout: float | None = None) -> Knowledge | str:
    """Return everybody's knowledge after a number of steps, or why it is unknown.

    `timeout`: for how many seconds histories are searched for.
    """
    step, reading = asked
    try:
        return knowledge_of(game.at(step), reading=reading, timeout=timeout)
    except KripkeError as error:
        return str(error)


class _FirstKnown(NamedTuple):
    """The first end of a phase at which a player could know another's card, or their own."""

    step: int
    subject: str
    role: str


def first_known(game: Played, found: Findings, reading: Reading) -> dict[tuple[str, str], _FirstKnown]:
    """Return since when each player could know their own `role`, a living `wolf` and the one who looks."""
    first = dict[tuple[str, str], _FirstKnown]()
    for (step, read), known in sorted(found.items(), key=lambda item: item[0]):
        if read != reading or isinstance(known, str):
            continue
        alive = game.states[step].alive
        for viewer, subject in known.shares:
            role = known.known(viewer, subject)
            if role and viewer == subject:
                first.setdefault((viewer, "role"), _FirstKnown(step, subject, role))
            elif role in (WOLF, game.setup.deck.looker.name) and subject in alive:
                first.setdefault((viewer, role), _FirstKnown(step, subject, role))
    return first


def who_knew(game: Played, found: Findings) -> Iterator[Block]:
    """Yield for each reading since when players could know their own card, a wolf and the seer."""
    if found:
        yield Heading(Sentence("tale-knowledge"))
    asked, topics = to_ask(game), ("role", WOLF, game.setup.deck.looker.name)

    def cell(known: _FirstKnown | None) -> str:
        if known is None:
            return "–"
        about = word(known.role) if known.subject == viewer else known.subject
        return Sentence("list", items=[about, game.states[known.step - 1].phase])

    for reading in dict.fromkeys(read for _, read in found):
        first, rows = first_known(game, found, reading), list[tuple[str, ...]]()
        for viewer in game.setup.players:
            rows.append((viewer, *(cell(first.get((viewer, topic))) for topic in topics)))
        wanted = [found.get(one, "") for one in asked if one[1] == reading]
        missing = sum(isinstance(one, str) for one in wanted)
        note: str = Sentence("tale-reading", reading=reading)
        if missing:
            note = sequence(note, Sentence("tale-missing", n=missing, count=len(wanted)))
        table = Grid(tuple(map(word, ("player", *topics))), tuple(rows), note, words=True)
        yield table if missing < len(wanted) else Paragraph(note)


def _deaths(game: QuantumWerewolf, votes: Votes) -> Iterator[Block]:
    """Yield a heading for each death and what led to it: the votes, or the moves that made it likely."""
    chances = [state.death_chances for state in game.states]
    for number, step in enumerate(game.steps):
        for event in (event for event in step if isinstance(event, OfficialDeath)):
            before, seat = game.states[number], game.setup.seat(event.player)
            tally = votes.get((before.phase.position, before.votes), "") if event.is_move else ""
            yield Heading(Sentence("list", items=[event.player, before.phase]), 3)
            yield Paragraph(sequence(tally, event.in_full()))
            course = [chance[seat] or Fraction(0) for chance in chances[: number + 2]]
            rises = list[str]()
            for made, state, was, now in zip(game.steps, game.states, course, course[1:], strict=False):
                aimed = event.player in getattr(made[0], "targets", ()) and not isinstance(made[0], Vision)
                if not now:  # what had made it likely was not so
                    rises = []
                if now - was > (Fraction(0) if aimed else _MATTERS):
                    told, (b, a) = _with_weight(made, state), (shown(x, "percent") for x in (was, now))
                    rises.append(Sentence("tale-rise", told=told, phase=state.phase, before=b, after=a))
            if rises and not event.is_move:
                yield Items(tuple(rises))


def _with_weight(step: Step, state: State) -> str:
    """Return a move in words; for an action, with the share of the worlds where it counts."""
    move, act = step[0], declared(state.setup).acts.get(getattr(step[0], "action", ""))
    told = move.in_full() or Sentence("phase-ends")
    if act is None or not isinstance(move, Acted) or state.worlds.size == 1:
        return told
    counts = state.count(act.by, state.setup.seat(move.actor))
    share = shown(state.share(counts), "percent")
    return sequence(told, Sentence("tale-counts", actor=move.actor, card=being(act.by), share=share))


def _chances(game: QuantumWerewolf) -> Grid:
    """Return how the shares of the worlds in which players are wolves, or dead, went from phase to phase."""
    tables = [make_table(game.setup, game.states[step]) for step in (0, *phase_ends(game))]
    columns = [c for c in tables[0].columns if column_fact(c) in (WOLF, "evil", "dead")]

    def course(player: str, column: str) -> str:
        cells = [cell if isinstance(cell := table[player, column], Fraction) else None for table in tables]
        first, last = (shown(cell, "percent") for cell in (cells[0], cells[-1]))
        return Sentence("tale-course", bars=sparkline(cells), before=first, after=last)

    rows = tuple((name, *(course(name, column) for column in columns)) for name in game.players)
    header = tuple(map(word, ("player", *columns)))
    return Grid(header, rows, Sentence("tale-chances-note"), words=True)


def _turns(game: QuantumWerewolf) -> Iterator[Block]:
    """Yield the moves that removed the greatest shares of the worlds."""
    sizes = [state.worlds.size for state in game.states]
    left = {n: Fraction(now, was) for n, (was, now) in enumerate(pairwise(sizes)) if now < was}
    if not left:
        return
    yield Heading(Sentence("tale-turns"))
    lines = []
    for n in sorted(sorted(left, key=left.__getitem__)[:_TURNS]):
        move, *then = game.steps[n]
        deaths = (event.in_full() for event in then if isinstance(event, OfficialDeath))
        told = sequence(move.in_full(), *deaths) or Sentence("phase-ends")
        worlds = {"before": sizes[n], "after": sizes[n + 1]}
        lines.append(Sentence("tale-turn", told=told, phase=game.states[n].phase, **worlds))
    yield Items(tuple(lines))


def tale(game: QuantumWerewolf, found: Findings | None = None, *, votes: Votes | None = None) -> Document:
    """Return a game as a story to pass on, with all secrets of the players and none of the host.

    `found`: what everybody could have known; left out if None. `votes`: as they were counted at the table.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, seers=0).end_phase()
    >>> for block in tale(game.vote_off("Bo", role="wolf")).blocks:
    ...     if isinstance(block, Heading):
    ...         print(block.text)
    The deaths
    Bo, day 1
    How the chances went
    Turning points
    """
    blocks: list[Block] = [*_outcome(game, numbers=False)]
    if deaths := list(_deaths(game, votes or {})):
        blocks += [Heading(Sentence("tale-deaths")), *deaths]
    if game.setup.deal != "classical":  # in which the game master knows everything
        blocks.append(Heading(Sentence("tale-chances")))
        blocks += [_chances(game), *_turns(game)]
    blocks += who_knew(game, found or {})
    return Document(Sentence("tale-title", rules=game.rules.name), tuple(blocks))


# --- the end ---------------------------------------------------------------------------------------


def ending(game: QuantumWerewolf, *, numbers: bool = True) -> Tabled[tuple[str, str]]:
    """Return the players' roles, as far as they are settled, their deaths, and the winners.

    For an open role the possible ones are given, each with its share of the remaining worlds. `numbers`:
    whether hidden numbers of players are told.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, seers=0, rules="straat")
    >>> print(ending(game.end_phase().vote_off("Bo", role="wolf")).table.to_text())
    player  result  role      died              number
    Ann     won     villager                         1
    Bo      lost    wolf      voted off, day 1       2
    Cy      won     villager                         3
    """
    setup, died = game.setup, dict[str, str]()
    numbers = numbers and setup.numbers_hidden
    roles = dict(zip(setup.players, setup.roles or (), strict=False))
    for step, before in zip(game.steps, game.states, strict=False):
        for event in step:
            if isinstance(event, OfficialDeath):
                died[event.player] = Sentence("died", how=event.name, phase=before.phase)
                if event.role is not None:
                    roles[event.player] = event.role
    roles |= game.known_roles
    counts, results, rows = game.worlds.role_counts(), game.results, list[tuple[str, ...]]()
    words: dict[bool | None, str] = {True: word("won"), False: word("lost")}
    for seat, name in enumerate(setup.players):
        chances = ((role, game.state.share(counts[role][seat])) for role in setup.deck.roles)
        role = chances_text(tuple((role, chance) for role, chance in chances if chance)) or "?"
        if roles.get(name):
            role = word(roles[name])
        result = words.get(results.get(name), "")
        rows.append((name, result, role, died.get(name, ""), str(setup.numbers[seat])))
    width = 5 if numbers else 4
    columns = ("player", "result", "role", "died", "number")[:width]
    table = Grid(tuple(map(word, columns)), tuple(row[:width] for row in rows), words=True)
    return Tabled(((row[0], row[2]) for row in rows), table)


def _outcome(game: QuantumWerewolf, *, numbers: bool) -> Iterator[Block]:
    """Yield the settings, who won, and what became of each player; `numbers`: as in `ending`."""
    yield Paragraph(describe_setup(game.setup))
    if game.verdict is None:
        yield Paragraph(Sentence("still-running", phase=game.phase, n=game.size))
    else:
        yield Paragraph(Sentence("who-won", verdict=game.verdict, forced=game.forced, n=game.size))
    yield ending(game, numbers=numbers).table


# --- the report ------------------------------------------------------------------------------------


def report(game: QuantumWerewolf, *, plots: bool = True) -> Document:
    """Return the story of a game by phases: actions, changes, tables, results, plots.

    `plots` needs the package `visualise`.
    """
    episodes = list(story(game))
    blocks: list[Block] = [*_outcome(game, numbers=True), game.table().grid("percent")]
    if plots:
        blocks += _plots(game, episodes)
    for _, part in groupby(episodes[1:], key=lambda episode: episode.phase):
        steps = list(part)
        before = episodes[steps[0].step - 1]
        blocks += _phase(before, steps)
    return Document(Sentence("report-title", rules=game.rules.name), tuple(blocks))


def _plots(game: QuantumWerewolf, episodes: list[Episode]) -> Iterator[Block]:
    figure_svg, heat_map, history = drawer("figure_svg"), drawer("heat_map"), drawer("history")

    yield Heading(Sentence("plots"))
    table = game.table()
    size = (1.8 + 1.1 * len(table.columns), 0.8 + 0.36 * len(table.labels))
    svg = figure_svg(lambda ax: heat_map(table, ax=ax), size=size, name="table")
    yield Figure("table", svg, Sentence("plot-of-the-table"))
    for column in table.columns:
        if column_fact(column) in ("good", "villager"):
            continue  # the rest of the others
        svg = figure_svg(lambda ax, c=column: history(episodes, c, ax=ax), size=(8.5, 3.4), name=column)
        yield Figure(column, svg, Sentence("plot-of-a-column", fact=column))


def _phase(before: Episode, steps: list[Episode]) -> Iterator[Block]:
    yield Heading(str(steps[0].phase))
    lines = []
    for episode in steps:
        told = sequence(*episode.sentences) or Sentence("phase-ends")
        lines.append(Sentence("step-of-story", step=episode.step, told=told, n=episode.worlds))
    yield Items(tuple(lines))
    change = TableChange(before.table, steps[-1].table)
    yield Paragraph(Sentence("what-changed", changed=bool(change.changed)))
    if change.changed:
        yield change.grid("percent")
    public = steps[-1].public
    if public is not None:
        yield Paragraph(Sentence("table-made-public"))
        yield public.grid("percent")
