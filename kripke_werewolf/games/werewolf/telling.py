"""A game told in words: messages, and the story with all secrets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.reports.documents import Block, Paragraph
from kripke_werewolf.base.reports.tables import Cell, shown
from kripke_werewolf.base.wording import Sentence, sequence
from kripke_werewolf.games.werewolf.events import Event, Played, Step, in_seat_order, table_due, told_together
from kripke_werewolf.games.werewolf.setup import Phase, Setup
from kripke_werewolf.games.werewolf.state import State
from kripke_werewolf.games.werewolf.table import Table, make_table

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


def chances_text(own: Iterable[tuple[str, Cell]]) -> str:
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


def announced_table(setup: Setup, step: Step, before: State, state: State) -> Table | None:
    """Return the table that is announced after a step, if there is one; without a step, at the start."""
    return make_table(setup, state, public=True) if table_due(setup, step, before, state) else None


def story(game: Played) -> Iterator[Episode]:
    """Yield the steps of a game with their effects, from the start to now.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1).vision("Ann", "Bo", result="wolf")
    >>> for episode in story(game):
    ...     print(episode.step, episode.worlds, *episode.sentences)
    0 6
    1 5 Ann looks at Bo and sees wolf (of 2 worlds: villager 1, wolf 1).
    """
    setup, before = game.setup, game.states[0]
    for number, (step, state) in enumerate(zip(((), *game.steps), game.states, strict=True)):
        public = announced_table(setup, step, before, state)
        yield Episode(number, before.phase, step, state.worlds.size, make_table(setup, state), public)
        before = state


def describe_setup(setup: Setup) -> str:
    """Return the public settings of a game: a sentence, and those of the rules page about changed rules.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> describe_setup(QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="gekka").setup)
    "3 players under the rules 'gekka': 1 seer, 1 wolf, 1 villager; quantum deal, secret targets."
    """
    cards = [words for words in setup.deck.in_words if not words.startswith("0 ")]
    how = {"rules": setup.rules.name, "deal": setup.deal, "targets": setup.targets}
    some = {"some": setup.sample is not None, "sample": setup.sampled}
    said = Sentence("settings", n=len(setup.players), cards=cards, **how, **some)
    if not setup.rules.changes():
        return said
    from kripke_werewolf.games.werewolf.rulesheet import house_rules

    rules = house_rules(setup)
    if rules:
        return sequence(said, Sentence("house-rules", rules=sequence(*rules)))
    return said
