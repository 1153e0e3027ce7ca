"""A game told in words: messages, the story with all secrets, the final report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from kripke_werewolf.base.drawing import drawer
from kripke_werewolf.display import Displayed
from kripke_werewolf.reports.documents import Block, Document, Figure, Heading, Items, Paragraph
from kripke_werewolf.reports.tables import Grid, Tabled, shown
from kripke_werewolf.werewolf.events import Event, OfficialDeath, Played, Step, in_seat_order, told_together
from kripke_werewolf.werewolf.rules import column_fact
from kripke_werewolf.werewolf.setup import Phase, Setup
from kripke_werewolf.werewolf.superposition import probability
from kripke_werewolf.werewolf.table import Table, TableChange, make_table, table_due
from kripke_werewolf.wording import Sentence, sequence, word

if TYPE_CHECKING:
    from kripke_werewolf.werewolf.game import QuantumWerewolf
    from kripke_werewolf.werewolf.told import Row

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
                if (alone := event.told_to(player, setup)) is not None:
                    found.append(Message(player, alone.in_private()))
    return tuple(found)


# parts of handouts


def as_published(table: Table | None) -> Iterator[Block]:
    """Yield a published table, with the number of worlds if it is told; nothing without a table."""
    if table is not None:
        yield table.grid("percent")
        if table.worlds is not None:
            yield Paragraph(Sentence("left-in-all", n=table.worlds))


def chances_text(own: Row) -> str:
    """Return a player's probabilities in words.

    >>> from fractions import Fraction
    >>> chances_text((("seer", Fraction(1, 4)), ("dead", Fraction(0))))
    'seer 25%, dead 0%'
    """
    shares = [Sentence("share", fact=column, share=shown(value, "percent")) for column, value in own]
    return Sentence("list", items=shares)


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
        told = sequence(*self.sentences) or Sentence("phase-ends" if self.step else "game-begins")
        return Sentence("episode", step=self.step, phase=self.phase, told=told, n=self.worlds)

    def display(self) -> Iterator[Block]:
        """Yield the line, and the game master's table."""
        yield Paragraph(self.headline())
        yield self.table.grid("percent")

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
        public = make_table(setup, state, public=True) if table_due(setup, step, state) else None
        yield Episode(number, phase, step, state.worlds.size, make_table(setup, state), public)
        phase = state.phase


def describe_setup(setup: Setup) -> str:
    """Return the public settings of a game in one sentence.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> describe_setup(QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="gekka").setup)
    "3 players under the rules 'gekka': 1 seer, 1 wolf, 1 villager; quantum deal, secret targets."
    """
    cards = [words for words in setup.deck.in_words if not words.startswith("0 ")]
    how = {"rules": setup.rules.name, "deal": setup.deal, "targets": setup.targets}
    some = {"some": setup.sample is not None, "sample": setup.sampled}
    return Sentence("settings", n=len(setup.players), cards=cards, **how, **some)


# the end


def ending(game: QuantumWerewolf, *, numbers: bool = True) -> Tabled[tuple[str, str]]:
    """Return the players' roles, as far as they are settled, their deaths, and the winners.

    For an open role the possible ones are given, each with its share of the remaining worlds. `numbers`:
    whether hidden numbers of players are told.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, seers=0, rules="straat")
    >>> print(ending(game.end_phase().vote_off("Bo", role="wolf")).table.to_text())
    player  number  role      died              result
    Ann          1  villager                    won
    Bo           2  wolf      voted off, day 1  lost
    Cy           3  villager                    won
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
    counts, words = game.worlds.role_counts(), {True: word("won"), False: word("lost")}
    rows = []
    for seat, name in enumerate(setup.players):
        chances = ((role, probability(counts[role][seat], game.worlds)) for role in setup.deck.roles)
        still = chances_text(tuple((role, chance) for role, chance in chances if chance))
        number = (str(setup.numbers[seat]),) if numbers else ()
        result = words.get(game.results.get(name), "") if game.verdict else ""  # type: ignore[arg-type]
        role = word(roles[name]) if roles.get(name) else still or "?"
        rows.append((name, *number, role, died.get(name, ""), result))
    columns = ("player", *(("number",) if numbers else ()), "role", "died", "result")
    header = tuple(map(word, columns))
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
    return Document(Sentence("report-title", rules=game.rules.name), tuple(blocks))


def _players(game: QuantumWerewolf) -> Iterator[Block]:
    setup = game.setup
    lines = []
    for seat, name in enumerate(game.players):
        number = [Sentence("number", n=setup.numbers[seat])] if setup.rules.table == "anonymous" else []
        role = [Sentence("was-dealt", role=setup.roles[seat])] if setup.roles is not None else []
        lines.append(Sentence("list", items=[name, *number, *role]))
    yield Items(tuple(lines))
    if changed := setup.rules.changes():
        yield Paragraph(Sentence("options", changed=changed))


def _result(game: QuantumWerewolf) -> Iterator[Block]:
    yield Heading(Sentence("result"))
    if game.verdict is None:
        yield Paragraph(Sentence("still-running", phase=game.phase, n=game.size))
    else:
        yield Paragraph(Sentence("who-won", verdict=game.verdict, forced=game.forced, n=game.size))
        words = {True: "won", False: "lost", None: "neither"}
        ends = game.results.items()
        yield Items(tuple(Sentence("how-it-went", player=name, how=words[won]) for name, won in ends))
    if game.known_roles:
        known = [Sentence("role-of", player=name, role=role) for name, role in game.known_roles.items()]
        yield Paragraph(Sentence("certain-roles", known=known))
    yield game.table().grid("percent")


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
