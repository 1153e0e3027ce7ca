"""What one player may know of a game, and nothing else.

Everything is made from the part of each event that the player may see (`seen_by`), his own number or
card, and the tables at the moments the rules make them public. Two games of which he has seen the
same give the same handout.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kripke_werewolf.reports.documents import Block, Document, Heading, Items, Paragraph, Sheet
from kripke_werewolf.reports.tables import Cell, shown
from kripke_werewolf.werewolf.messages import messages
from kripke_werewolf.werewolf.roles import is_wolf
from kripke_werewolf.werewolf.state import Setup
from kripke_werewolf.werewolf.story import describe_setup, stages, worlds_text
from kripke_werewolf.werewolf.table import Table

if TYPE_CHECKING:
    from kripke_werewolf.werewolf.game import QuantumWerewolf

__all__ = ["Handout", "Part", "announced_table", "chances", "chances_text", "handout", "opening"]


@dataclass(frozen=True, slots=True)
class Part:
    """What a player learnt in one phase."""

    phase: str
    chances: tuple[tuple[str, Cell], ...]
    """His own probabilities by column, where the rules tell him at the beginning of the phase."""
    told: tuple[str, ...]
    """What he did, was shown and was told, and what was announced, in this order of time."""
    table: Table | None
    """The table that was made public at the end of the phase."""


@dataclass(frozen=True, slots=True)
class Handout:
    """What one player may know: a value that is the same for games he cannot tell apart.

    `str(handout)` is plain text; `to_markdown` and `to_html` write it in other formats.
    """

    player: str
    setting: str
    """The public settings of the game."""
    players: tuple[str, ...]
    opening: tuple[str, ...]
    """What he was told before the first move: his number, his card."""
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


def handout(game: QuantumWerewolf, player: str | int) -> Handout:
    """Return what a player may know; see `QuantumWerewolf.handout`."""
    setup = game.setup
    name = game.players[setup.seat(player)]
    parts: list[Part] = []
    opening_table, before = None, None
    for now in stages(game):
        table = announced_table(now) if now.table_due else None
        if before is None:
            opening_table = table
        else:
            seen = [event.seen_by(name, targets=setup.targets) for event in now.steps[-1]]
            told = tuple(
                m.text
                for m in messages(setup, [event for event in seen if event is not None])
                if m.to in (None, name)
            )
            parts[-1] = replace(parts[-1], told=parts[-1].told + told, table=table)
        if before is None or now.phase != before.phase:
            parts.append(Part(str(now.phase), chances(now, name), (), None))
        before = now
    if game.verdict is None and not parts[-1].told and not parts[-1].chances:
        parts.pop()  # a phase of which nothing is known yet
    return Handout(
        player=name,
        setting=describe_setup(setup),
        players=game.players,
        opening=opening(setup, name),
        table=opening_table,
        parts=tuple(parts),
        alive=game.alive,
        phase=str(game.phase) if game.verdict is None else "the game is over",
    )


def opening(setup: Setup, player: str) -> tuple[str, ...]:
    """Return what a player is told before the first move.

    His number, if the table is anonymous; in a classical deal his card, and to a wolf the other wolves.
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


def announced_table(game: QuantumWerewolf) -> Table:
    """Return the public table as it is announced: with the number of worlds only where the rules say so."""
    table = game.table(public=True)
    return table if game.rules.show_worlds else replace(table, worlds=None)


def chances(game: QuantumWerewolf, player: str) -> tuple[tuple[str, Cell], ...]:
    """Return the probabilities a player is told of himself in this phase.

    None if the rules tell none, or if he was dealt his role.
    """
    if game.rules.told != "probabilities" or game.setup.roles is not None or player not in game.alive:
        return ()
    if not game.setup.actions(game.phase) or game.verdict is not None:
        return ()
    label = str(game.setup.numbers[game.setup.seat(player)])
    table = game.table(public=True)
    return tuple(table.row(label if table.heading == "number" else player).items())


def chances_text(own: tuple[tuple[str, Cell], ...]) -> str:
    """Return somebody's probabilities in words.

    >>> from fractions import Fraction
    >>> chances_text((("seer", Fraction(1, 4)), ("dead", Fraction(0))))
    'seer 25%, dead 0%'
    """
    return ", ".join(f"{column} {shown(value, 'percent')}" for column, value in own)
