"""Handouts: what a player was told, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kripke_werewolf.reports.documents import Block, Document, Heading, Items, NumberTable, Paragraph
from kripke_werewolf.reports.tables import shown
from kripke_werewolf.werewolf.events import Event, Played, is_action, worlds_text
from kripke_werewolf.werewolf.roles import is_wolf
from kripke_werewolf.werewolf.rules import ACTION_WORDS
from kripke_werewolf.werewolf.state import compulsory
from kripke_werewolf.werewolf.table import Table
from kripke_werewolf.werewolf.telling import describe_setup, messages
from kripke_werewolf.werewolf.told import Entry, Row, Told, told


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
            yield Paragraph(f"Left: {worlds_text(table.worlds)}.")


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
