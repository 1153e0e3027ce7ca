"""Telling a game: messages, the story with every secret, the handout of one player, the report afterwards.

A handout is made from the part of each event that the player may see (`Event.seen_by`), their own number
or card, and the tables at the moments the rules make them public. Two games of which a player has seen
the same give the same handout.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from kripke_werewolf.reports.documents import Block, Document, Figure, Heading, Items, Paragraph, Sheet
from kripke_werewolf.reports.tables import Cell, shown
from kripke_werewolf.werewolf.events import Event, Played, Step, ends_phase, worlds_text
from kripke_werewolf.werewolf.roles import is_wolf, number_of
from kripke_werewolf.werewolf.rules import FACTS, PRESETS, Rules
from kripke_werewolf.werewolf.setup import Phase, Setup
from kripke_werewolf.werewolf.state import State, alive
from kripke_werewolf.werewolf.table import Table, TableChange, make_table, table_due

if TYPE_CHECKING:
    from kripke_werewolf.werewolf.game import QuantumWerewolf

# messages


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence for one player, or for everybody (`to` is None)."""

    to: str | None
    text: str

    def __str__(self) -> str:
        return self.text if self.to is None else f"[{self.to}] {self.text}"


def messages(setup: Setup, events: Iterable[Event]) -> tuple[Message, ...]:
    """Return the messages of the game master about the events, in order, to those concerned.

    Private things are told to nobody else: a private message is made from what the player may see of
    the event, a public one from what everybody may see.
    """
    found: list[Message] = []
    for event in events:
        everybody = event.seen_by(None, targets=setup.targets)
        if everybody is not None and (text := everybody.in_public()):
            found.append(Message(None, text))
        for player in event.concerned:
            alone = event.seen_by(player, targets=setup.targets)
            if alone is not None:
                found.append(Message(player, alone.in_private()))
    return tuple(found)


# the story


@dataclass(frozen=True, slots=True)
class Episode:
    """One step of a game with its effects; step 0 is the start."""

    step: int
    phase: Phase
    """The phase in which the step was made."""
    events: Step
    worlds: int
    """The number of worlds after the step."""
    table: Table
    """The game master's table after the step."""
    public: Table | None
    """The table that was announced then; None if none was."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """The events in the words of somebody who knows everything."""
        return tuple(text for event in self.events if (text := sentence(event)))

    @property
    def ended(self) -> bool:
        """Whether the step ended its phase."""
        return ends_phase(self.events)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-able values."""
        return {
            "step": self.step,
            "phase": str(self.phase),
            "events": [event.to_dict() for event in self.events],
            "text": list(self.sentences),
            "worlds": self.worlds,
        }


def stages(game: QuantumWerewolf) -> Iterator[QuantumWerewolf]:
    """Yield the game at its start and after every step."""
    return (game.at(step) for step in range(len(game.states)))


def story(game: Played) -> Iterator[Episode]:
    """Yield the steps of a game with their effects, from the start to now.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1).vision("Ann", "Bo", result="wolf")
    >>> for episode in story(game):
    ...     print(episode.step, episode.worlds, *episode.sentences)
    0 6
    1 5 Ann looks at Bo and sees wolf (of 2 worlds: villager 1, wolf 1).
    """
    setup, phase = game.setup, game.states[0].phase
    for number, (step, state) in enumerate(zip(((), *game.steps), game.states, strict=True)):
        yield Episode(
            step=number,
            phase=phase,
            events=step,
            worlds=state.worlds.size,
            table=make_table(setup, state),
            public=make_table(setup, state, public=True) if table_due(setup, step, state) else None,
        )
        phase = state.phase


def sentence(event: Event) -> str:
    """Return an event in one sentence, with everything that is secret."""
    return event.in_full()


def describe_setup(setup: Setup) -> str:
    """Return the public settings of a game in one sentence.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> describe_setup(QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="gekka").setup)
    "3 players under the rules 'gekka': 1 seer, 1 wolf, 1 villager; quantum deal, secret targets."
    """
    deck = setup.deck
    cards = [(deck.seers, "seer", "seers"), (deck.wolves, "wolf", "wolves")]
    cards.append((deck.villagers, "villager", "villagers"))
    held = ", ".join(number_of(n, one, many) for n, one, many in cards if n)
    sample = f", {setup.sampled}" if setup.sampled else ""
    return (
        f"{len(setup.players)} players under the rules {setup.rules.name!r}: {held}; "
        f"{setup.deal} deal, {setup.targets} targets{sample}."
    )


# the handout


@dataclass(frozen=True, slots=True)
class Part:
    """The part of a handout about one phase."""

    phase: str
    chances: tuple[tuple[str, Cell], ...]
    """Their own probabilities by column, where the rules tell them at the beginning of the phase."""
    told: tuple[str, ...]
    """Their actions, everything they were shown and told, and the announcements, in order of time."""
    table: Table | None
    """The table that was made public at the end of the phase."""


@dataclass(frozen=True, slots=True)
class Handout:
    """Everything one player may know: a value that is the same for games they cannot tell apart.

    `str(handout)` is plain text; `to_markdown` and `to_html` write it in other formats.
    """

    player: str
    setting: str
    """The public settings of the game."""
    players: tuple[str, ...]
    opening: tuple[str, ...]
    """Facts told before the first move: their number, their card."""
    table: Table | None
    """The table that was made public before the first move."""
    parts: tuple[Part, ...]
    alive: tuple[str, ...]
    phase: str
    """The current phase, or how the game ended."""

    @property
    def document(self) -> Document:
        """The handout as a document."""
        blocks: list[Block] = [Paragraph(self.setting), Paragraph(f"Players: {', '.join(self.players)}.")]
        if self.opening:
            blocks.append(Items(self.opening))
        blocks += _sheet(self.table)
        for part in self.parts:
            blocks.append(Heading(part.phase))
            own = (f"Your chances at its beginning: {chances_text(part.chances)}.",) if part.chances else ()
            if own or part.told:
                blocks.append(Items((*own, *part.told)))
            blocks += _sheet(part.table)
        blocks.append(Paragraph(f"Now: {self.phase}. Alive: {', '.join(self.alive) or 'nobody'}."))
        return Document(f"What {self.player} knows", tuple(blocks))

    def to_markdown(self) -> str:
        """Return Markdown, names escaped."""
        return self.document.to_markdown()

    def to_html(self) -> str:
        """Return a fragment of HTML, names escaped."""
        return self.document.to_html()

    def to_page(self) -> str:
        """Return a whole page of HTML."""
        return self.document.to_page()

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-able values, probabilities as fractions."""
        return {
            "player": self.player,
            "setting": self.setting,
            "players": list(self.players),
            "opening": list(self.opening),
            "table": None if self.table is None else self.table.to_dict(),
            "phases": [
                {
                    "phase": part.phase,
                    "chances": {column: None if v is None else str(v) for column, v in part.chances},
                    "told": list(part.told),
                    "table": None if part.table is None else part.table.to_dict(),
                }
                for part in self.parts
            ],
            "alive": list(self.alive),
            "phase": self.phase,
        }

    def to_json(self) -> str:
        """Return JSON."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)

    def _repr_html_(self) -> str:
        return self.to_html()

    def __str__(self) -> str:
        return self.document.to_text()


def _sheet(table: Table | None) -> Iterator[Block]:
    if table is not None:
        yield Sheet(table)
        if table.worlds is not None:
            yield Paragraph(f"Left: {worlds_text(table.worlds)}.")


def handout(game: Played, player: str | int) -> Handout:
    """Return everything a player may know, and nothing else, as text, Markdown or HTML.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="gekka")
    >>> game.vision("Ann", "Bo", result="human").handout("Ann").parts[0].told
    ('You look at Bo and see: human.',)
    """
    setup, now = game.setup, game.states[-1]
    name = setup.name_of(player)
    parts = [_part(setup, game.states[0], name)]
    for step, before, state in zip(game.steps, game.states, game.states[1:], strict=False):
        seen = [event.seen_by(name, targets=setup.targets) for event in step]
        told = messages(setup, (event for event in seen if event is not None))
        own = tuple(message.text for message in told if message.to in (None, name))
        table = _announced(setup, step, state)
        parts[-1] = replace(parts[-1], told=parts[-1].told + own, table=table)
        if state.phase != before.phase:
            parts.append(_part(setup, state, name))
    if now.verdict is None and not parts[-1].told and not parts[-1].chances:
        parts.pop()  # a phase of which nothing is known yet
    return Handout(
        player=name,
        setting=describe_setup(setup),
        players=setup.players,
        opening=opening(setup, name),
        table=_announced(setup, (), game.states[0]),
        parts=tuple(parts),
        alive=alive(setup, now),
        phase=str(now.phase) if now.verdict is None else "the game is over",
    )


def _part(setup: Setup, state: State, player: str) -> Part:
    """Return the part of a phase that begins, as far as a player is told anything at its beginning."""
    return Part(str(state.phase), _chances(setup, state, player), (), None)


def opening(setup: Setup, player: str) -> tuple[str, ...]:
    """Return the sentences that a player is told before the first move.

    Their number, if the table is anonymous; in a classical deal their card, and to a wolf the other wolves.
    """
    seat = setup.seat(player)
    told = []
    if setup.rules.table == "anonymous":
        told.append(f"Your number is {setup.numbers[seat]}.")
    if setup.roles is not None:
        told.append(f"Your role is {setup.roles[seat]}.")
        if is_wolf(setup.roles[seat]):
            others = [
                f"{name} ({role})" if setup.deck.ranked else name
                for name, role in zip(setup.players, setup.roles, strict=True)
                if is_wolf(role) and name != player
            ]
            told.append(f"The other wolves: {', '.join(others)}." if others else "You are the only wolf.")
    return tuple(told)


def announced_table(game: Played) -> Table:
    """Return the public table as it is announced: with the number of worlds only where the rules say so."""
    return _public(game.setup, game.states[-1])


def _announced(setup: Setup, step: Step, state: State) -> Table | None:
    """Return the table that is announced after a step, if one is."""
    return _public(setup, state) if table_due(setup, step, state) else None


def _public(setup: Setup, state: State) -> Table:
    table = make_table(setup, state, public=True)
    return table if setup.rules.show_worlds else replace(table, worlds=None)


def chances(game: Played, player: str) -> tuple[tuple[str, Cell], ...]:
    """Return the probabilities that players are told about themselves in this phase.

    None if the rules tell none, or if they were dealt their roles.
    """
    return _chances(game.setup, game.states[-1], player)


def _chances(setup: Setup, state: State, player: str) -> tuple[tuple[str, Cell], ...]:
    seat = setup.seat(player)
    if setup.rules.told != "probabilities" or setup.roles is not None or seat in state.dead:
        return ()
    if not setup.actions(state.phase) or state.verdict is not None:
        return ()
    table = make_table(setup, state, public=True)
    return tuple(table.row(str(setup.numbers[seat]) if table.heading == "number" else player).items())


def chances_text(own: tuple[tuple[str, Cell], ...]) -> str:
    """Return somebody's probabilities in words.

    >>> from fractions import Fraction
    >>> chances_text((("seer", Fraction(1, 4)), ("dead", Fraction(0))))
    'seer 25%, dead 0%'
    """
    return ", ".join(f"{column} {shown(value, 'percent')}" for column, value in own)


# the report


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
