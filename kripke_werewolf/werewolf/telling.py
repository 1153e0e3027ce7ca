"""A game told in words: messages, handouts, the screen, the story with all secrets, the final report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from kripke_werewolf.display import Displayed
from kripke_werewolf.reports.documents import Block, Document, Figure, Heading, Items, NumberTable, Paragraph
from kripke_werewolf.reports.tables import Grid, Tabled, counted, shown
from kripke_werewolf.werewolf.events import (
    Event,
    FoundDead,
    Played,
    Step,
    VotedOff,
    in_seat_order,
    is_action,
    told_together,
)
from kripke_werewolf.werewolf.roles import is_wolf, number_of
from kripke_werewolf.werewolf.rules import ACTION_WORDS, FACTS, PRESETS, Rules
from kripke_werewolf.werewolf.setup import Phase, Setup
from kripke_werewolf.werewolf.state import compulsory
from kripke_werewolf.werewolf.superposition import probability
from kripke_werewolf.werewolf.table import Table, TableChange, make_table, table_due
from kripke_werewolf.werewolf.told import Entry, Row, Told, told

if TYPE_CHECKING:
    from kripke_werewolf.werewolf.game import QuantumWerewolf

# messages


@dataclass(frozen=True, slots=True, repr=False)
class Message(Displayed):
    """A sentence for one player, or for everybody (`to` is None)."""

    to: str | None
    text: str

    def headline(self) -> str:
        """Return the sentence and its addressee."""
        return str(self)

    def __str__(self) -> str:
        return self.text if self.to is None else f"[{self.to}] {self.text}"


def messages(setup: Setup, events: Iterable[Event]) -> tuple[Message, ...]:
    """Return the game master's messages about the events, in order, with their addressees.

    Secrets stay secret: a private message uses the part of the event visible to the player, a public one the
    public part. Consecutive moves are announced in seat order, and so are players found dead: the real order
    may be secret.
    """
    found: list[Message] = []
    for together in told_together(events):
        public = (event.told_to(None, setup) for event in together)
        announced = in_seat_order(setup, (event for event in public if event is not None))
        found += (Message(None, text) for event in announced if (text := event.in_public()))
        for event in in_seat_order(setup, together):
            for player in event.concerned:
                alone = event.told_to(player, setup)
                if alone is not None:
                    found.append(Message(player, alone.in_private()))
    return tuple(found)


# handouts: what a player was told, and the screen: what everybody was


def opening(known: Told) -> tuple[str, ...]:
    """Return the sentences that a player is told before the first move.

    Their number, if the table is anonymous; in a classical deal their card, and for wolves the other wolves.
    """
    said = [] if known.number is None else [f"Your number is {known.number}."]
    if known.card is not None:
        said.append(f"Your role is {known.card}.")
        if is_wolf(known.card):
            ranked = known.setup.deck.ranked
            others = ", ".join(f"{name} ({role})" if ranked else name for name, role in known.pack)
            said.append(f"The other wolves: {others}." if others else "You are the only wolf.")
    return tuple(said)


def sentences(known: Told, entry: Entry) -> tuple[str, ...]:
    """Return all messages to the owner in a phase."""

    def own(event: Event) -> bool:
        return is_action(event) and event.actor == known.player

    said = messages(known.setup, entry.events)
    public = [event.told_to(None, known.setup) for event in entry.events if own(event)]
    twice = {event.in_public() for event in public if event is not None}  # the private message contains more
    heard = (m for m in said if m.to == known.player or (m.to is None and m.text not in twice))
    return tuple(message.text for message in heard)


def lines(known: Told, entry: Entry) -> tuple[str, ...]:
    """Return a phase in sentences: own chances, actions not asked for, messages."""
    own = tuple(f"Your chances at its beginning: {chances_text(row)}." for _, row in entry.chances)
    return (*own, *_asked(known, entry), *sentences(known, entry))


def _asked(known: Told, entry: Entry) -> Iterator[str]:
    """Yield the owner's actions in a phase that were not taken, or not asked for."""
    name = known.player
    if not name or not entry.begun or name in known.dead_before(entry):
        return
    for action in known.setup.actions(entry.phase):
        if (name, action) not in entry.asked:
            yield f"You are not asked for {ACTION_WORDS[action].one}."
        elif entry.ended and compulsory(known.setup, action) and entry.move(name, action) is None:
            yield f"You are passed over: you had {ACTION_WORDS[action].one}."


def document(known: Told) -> Document:
    """Return the handout as a document."""
    setup = known.setup
    blocks: list[Block] = [
        Paragraph(describe_setup(setup)),
        Paragraph(f"Players: {', '.join(setup.players)}."),
    ]
    if known.opening:
        blocks.append(Items(known.opening))
    blocks += _sheet(known.table)
    for entry in known.entries:
        told_then = lines(known, entry)
        if not told_then and entry is known.entries[-1] and known.verdict is None:
            continue  # a phase without any information yet
        blocks.append(Heading(str(entry.phase)))
        if told_then:
            blocks.append(Items(told_then))
        blocks += _sheet(entry.table)
    blocks.append(Paragraph(f"Now: {known.phase}. Alive: {', '.join(known.alive) or 'nobody'}."))
    return Document(f"What {known.player or 'everybody'} knows", tuple(blocks))


def with_table(known: Told, table: Table) -> Document:
    """Return the handout with the probabilities that follow from it."""
    found = document(known)
    return replace(found, blocks=(*found.blocks, Heading("What follows"), NumberTable(table)))


def _sheet(table: Table | None) -> Iterator[Block]:
    if table is not None:
        yield NumberTable(table)
        if table.worlds is not None:
            yield Paragraph(f"Left: {counted(table.worlds, 'world')}.")


def chances_text(own: Row) -> str:
    """Return a player's probabilities in words.

    >>> from fractions import Fraction
    >>> chances_text((("seer", Fraction(1, 4)), ("dead", Fraction(0))))
    'seer 25%, dead 0%'
    """
    return ", ".join(f"{column} {shown(value, 'percent')}" for column, value in own)


def handout(game: Played, player: str | int) -> Told:
    """Return everything a player may know, and nothing else, as text, Markdown, HTML or data.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="gekka")
    >>> game.vision("Ann", "Bo", result="human").handout("Ann").told[0]
    ('You look at Bo and see: human.',)
    """
    return told(game, player)


def screen(game: Played) -> Document:
    """Return all public information, for a shared screen.

    It has the phase, the living players, the last published table, and the announcements so far.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1).vision("Ann", "Bo", result="wolf")
    >>> print(screen(game).to_text())
    night 1
    =======
    <BLANKLINE>
    Alive: Ann, Bo, Cy.
    """
    known = told(game)
    lists = [f"Alive: {', '.join(known.alive) or 'nobody'}."]
    if known.dead:
        lists.append(f"Dead: {', '.join(name for name in known.setup.players if name in known.dead)}.")
    said = tuple(sentence for phase in known.told for sentence in phase)
    table = known.tables[-1] if known.tables else None
    title = known.phase if known.verdict is None else "The game is over"
    blocks = (Paragraph(" ".join(lists)), *_sheet(table), *([Items(said)] if said else []))
    return Document(title, blocks)


# the story


@dataclass(frozen=True, slots=True, repr=False)
class Episode(Displayed):
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
    """The table announced then, or None."""

    def headline(self) -> str:
        """Return the number, the events and the number of remaining worlds."""
        told = " ".join(self.sentences) or ("The phase ends." if self.step else "The game begins.")
        return f"{self.step}, {self.phase}: {told} [{counted(self.worlds, 'world')}]"

    def display(self) -> Iterator[Block]:
        """Yield the line, and the game master's table."""
        yield Paragraph(self.headline())
        yield NumberTable(self.table)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The events in sentences with all secrets."""
        return tuple(text for event in self.events if (text := event.in_full()))

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


# the end


def ending(game: QuantumWerewolf) -> Tabled[tuple[str, str]]:
    """Return the players' roles, as far as they are settled, their deaths, and the winners.

    For an open role the possible ones are given, each with its share of the remaining worlds.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, seers=0, rules="straat")
    >>> print(ending(game.end_phase().vote_off("Bo", role="wolf")).table.to_text())
    player  number  role      died              result
    Ann          1  villager                    won
    Bo           2  wolf      voted off, day 1  lost
    Cy           3  villager                    won
    """
    setup, died = game.setup, dict[str, str]()
    roles = dict(zip(setup.players, setup.roles or (), strict=False))
    for step, before in zip(game.steps, game.states, strict=False):
        for event in step:
            if isinstance(event, VotedOff | FoundDead):
                how = "voted off" if isinstance(event, VotedOff) else "found dead"
                died[event.player] = f"{how}, {before.phase}"
                if event.role is not None:
                    roles[event.player] = event.role
    roles |= game.known_roles
    counts, words = game.worlds.role_counts(), {True: "won", False: "lost"}
    rows = []
    for seat, name in enumerate(setup.players):
        chances = ((role, probability(counts[role][seat], game.worlds)) for role in setup.deck.roles)
        still = ", ".join(f"{role} {shown(chance, 'percent')}" for role, chance in chances if chance)
        number = (str(setup.numbers[seat]),) if setup.numbers_hidden else ()
        result = words.get(game.results.get(name), "") if game.verdict else ""  # type: ignore[arg-type]
        rows.append((name, *number, roles.get(name) or still or "?", died.get(name, ""), result))
    header = ("player", *(("number",) if setup.numbers_hidden else ()), "role", "died", "result")
    return Tabled(((row[0], row[-3]) for row in rows), Grid(header, tuple(rows), words=True))


# the report


def report(game: QuantumWerewolf, *, plots: bool = True) -> Document:
    """Return the story of a game by phases: actions, changes, tables, results, plots.

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
    base = asdict(PRESETS.get(setup.rules.name, Rules(name=setup.rules.name)))
    changed = {name: value for name, value in asdict(setup.rules).items() if value != base[name]}
    if changed:
        yield Paragraph(f"Options: {', '.join(f'{name}={value!r}' for name, value in changed.items())}.")


def _result(game: QuantumWerewolf) -> Iterator[Block]:
    yield Heading("Result")
    if game.verdict is None:
        yield Paragraph(f"The game is not over: it is {game.phase}, with {counted(game.size, 'world')} left.")
    else:
        ends = {"village": "The village won", "wolves": "The wolves won", "draw": "Nobody won"}
        how = " by the forced collapse" if game.forced else ""
        yield Paragraph(f"{ends[game.verdict]}{how}. Left: {counted(game.size, 'world')}.")
        words = {True: "won", False: "lost", None: "neither won nor lost"}
        yield Items(tuple(f"{name} {words[won]}" for name, won in game.results.items()))
    if game.known_roles:
        known = ", ".join(f"{name}: {role}" for name, role in game.known_roles.items())
        yield Paragraph(f"Roles that are certain: {known}.")
    yield NumberTable(game.table())


def _plots(game: QuantumWerewolf, episodes: list[Episode]) -> Iterator[Block]:
    from visualise.game import figure_svg, heat_map, history

    yield Heading("Plots")
    table = game.table()
    size = (1.8 + 1.1 * len(table.columns), 0.8 + 0.36 * len(table.labels))
    svg = figure_svg(lambda ax: heat_map(table, ax=ax), size=size, name="table")
    yield Figure("table", svg, "The table at the end; darker is more likely")
    for column in table.columns:
        if FACTS[column] in ("good", "villager"):
            continue  # the rest of the others
        svg = figure_svg(lambda ax, c=column: history(episodes, c, ax=ax), size=(8.5, 3.4), name=column)  # type: ignore[misc]
        yield Figure(column, svg, f"{column} over the game; a cross marks a death")


def _phase(before: Episode, steps: list[Episode]) -> Iterator[Block]:
    yield Heading(str(steps[0].phase))
    lines = []
    for episode in steps:
        text = " ".join(episode.sentences) or "The phase ends."
        lines.append(f"Step {episode.step}: {text} [{counted(episode.worlds, 'world')}]")
    yield Items(tuple(lines))
    change = TableChange(before.table, steps[-1].table)
    yield Paragraph("What this phase changed:" if change.changed else "The table stays as it was.")
    if change.changed:
        yield NumberTable(change)
    public = steps[-1].public
    if public is not None:
        yield Paragraph("The table that was made public:")
        yield NumberTable(public)
