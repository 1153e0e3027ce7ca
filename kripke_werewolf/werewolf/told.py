"""What some players were told as a value: everything that they may know together, and nothing else.

A `Told` holds the public settings, the owners' numbers or cards, and for each phase: the actions that the
owners were asked for, the parts of the events that they may see (`Event.told_to`), and the published table.
Two games with the same observations of its owners give equal values. Words, models of knowledge, and the
histories that explain the observations are all computed from it. Its owner is one player; without owners it
is public information; a group has what its members were told, each event as its most informed member sees it.

During a phase it contains only the owners' own moves and public ones (`targets="public"`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import dropwhile, takewhile
from typing import Any, TypeAlias

from kripke_werewolf.display import Displayed
from kripke_werewolf.errors import FormatError
from kripke_werewolf.language.formulas import FormulaLike
from kripke_werewolf.reports.documents import Block, Document, Heading, Items, Paragraph
from kripke_werewolf.settings import check_possible
from kripke_werewolf.werewolf.answers import Answer, Reading
from kripke_werewolf.werewolf.declarations import declared
from kripke_werewolf.werewolf.events import (
    Acted,
    Declined,
    Event,
    GameEnded,
    OfficialDeath,
    PhaseEnded,
    Played,
    Refused,
    Step,
    in_seat_order,
    is_action,
    table_due,
)
from kripke_werewolf.werewolf.move_atoms import MoveAtom
from kripke_werewolf.werewolf.roles import WOLF, Action, exact_role
from kripke_werewolf.werewolf.setup import Phase, Setup, public_setup
from kripke_werewolf.werewolf.state import State, is_compulsory
from kripke_werewolf.werewolf.table import Row, Table, make_table
from kripke_werewolf.werewolf.telling import as_published, chances_text, describe_setup, messages
from kripke_werewolf.wording import Sentence, sequence

FORMAT = "kripke_werewolf handout"
VERSION = 1

UNKNOWN = "?"
"""The result of a vision in a typed sheet that does not give it; None means that nothing was shown."""

Moves: TypeAlias = frozenset[tuple[str, Action]]
"""Players with an action each."""

_FINDERS: dict[str, Callable[..., Any]] = {}
"""What is found from a `Told` by modules that know the engines, by name; see `found_by`."""


def found_by(**functions: Callable[..., Any]) -> None:
    """Make functions known that answer the methods of `Told` of the same names."""
    _FINDERS.update(functions)


@dataclass(frozen=True, slots=True)
class Entry:
    """What was told about one phase."""

    phase: Phase
    asked: Moves = frozenset()
    """The owners' actions asked for at its beginning; living players are not asked for the others."""
    unsaid: Moves = frozenset()
    """The owners' actions that a typed sheet does not mention, not even whether they were asked for."""
    chances: tuple[tuple[str, Row], ...] = ()
    """For each owner, their probabilities by column, if the rules tell them at the beginning of the phase."""
    events: tuple[Event, ...] = ()
    """Moves, observations and messages, in order; moves that belong together in seat order."""
    acted: tuple[Moves, ...] = ()
    """For each event before the end that is not an action, the players seen to have acted by then.

    In a classical deal players know this only about themselves.
    """
    table: Table | None = None
    """The table published at the end of the phase."""
    begun: bool = True
    """Whether the beginning of the phase is among the events considered."""
    cut: bool = False
    """Whether the events considered end before what followed from the last one, perhaps the phase's end."""

    @property
    def ended(self) -> bool:
        """Whether the phase is over."""
        return any(isinstance(event, PhaseEnded | GameEnded) for event in self.events)

    @property
    def passed_over(self) -> Moves:
        """The players whose compulsory actions were not taken; in a classical deal none are named."""
        ends = (event.missing for event in self.events if isinstance(event, PhaseEnded))
        return frozenset(missing for end in ends for missing in end)

    @property
    def moves(self) -> Mapping[tuple[str, Action], Acted | Declined]:
        """The visible moves by actor and action."""
        moves = (event for event in self.events if isinstance(event, Acted | Declined))
        return {(move.actor, move.action): move for move in moves}

    def move(self, player: str, action: Action) -> Acted | Declined | None:
        """Return the visible move of a player, or None."""
        return self.moves.get((player, action))

    def refused(self, player: str) -> tuple[str, ...]:
        """Return the targets that the player was told they cannot attack."""
        return tuple(e.target for e in self.events if isinstance(e, Refused) and e.actor == player)

    @property
    def interruptions(self) -> tuple[tuple[Moves, Event], ...]:
        """The events before the end other than actions, each with the players seen to have acted by then."""
        before = takewhile(lambda event: not isinstance(event, PhaseEnded), self.events)
        return tuple(zip(self.acted, (event for event in before if not is_action(event)), strict=True))

    @property
    def after(self) -> tuple[Event, ...]:
        """The events that followed from the end."""
        return tuple(dropwhile(lambda event: not isinstance(event, PhaseEnded), self.events))[1:]

    def of(self, setup: Setup, players: Sequence[str]) -> Entry:
        """Return the part that some of the owners were told."""
        classical = setup.deal == "classical"  # who else has acted would reveal the cards
        between = (moved for moved, event in self.interruptions if _as_told(event, setup, players))
        seen = (part for event in self.events if (part := _as_told(event, setup, players)))
        return replace(
            self,
            asked=_of(self.asked, players),
            unsaid=_of(self.unsaid, players),
            chances=tuple(row for row in self.chances if row[0] in players),
            events=in_seat_order(setup, seen),
            acted=tuple(_of(moved, players) if classical else moved for moved in between),
        )


def _of(moves: Moves, players: Sequence[str]) -> Moves:
    return frozenset(move for move in moves if move[0] in players)


def _as_told(event: Event, setup: Setup, players: Sequence[str]) -> Event | None:
    """Return an event as the most informed of some players sees it: what the others see follows from it."""
    views = {player: event.told_to(player, setup) for player in players or (None,)}
    seen = [view for view in views.values() if view is not None]
    most = (v for v in seen[1:] if all(v.told_to(p, setup) == view for p, view in views.items()))
    return next(most, seen[0]) if seen else None


@dataclass(frozen=True, slots=True, repr=False)
class Told(Displayed):
    """Everything that some players may know together: equal for games they cannot tell apart.

    `str(told)` is plain text; `to_markdown` and `to_html` write other formats, `to_dict` gives exact data.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="gekka")
    >>> handout = game.vision("Ann", "Bo", result="human").handout("Ann")
    >>> handout.entries[0].asked, handout.entries[0].move("Ann", "vision").result
    (frozenset({('Ann', 'vision')}), 'human')
    >>> Told.from_dict(handout.to_dict()) == handout
    True
    """

    setup: Setup
    """The public settings of the game."""
    owners: tuple[str, ...] = ()
    """The players, in seat order; none for public information."""
    numbers: tuple[tuple[str, int], ...] = ()
    """The owners' numbers, if numbers are hidden."""
    cards: tuple[tuple[str, str], ...] = ()
    """The cards known in a classical deal, in seat order: the owners', and what they were told of others'."""
    table: Table | None = None
    """The table published before the first move."""
    entries: tuple[Entry, ...] = ()
    """The phases so far; the last is the current one, or the one that ended the game."""

    def __getitem__(self, player: str) -> tuple[Event, ...]:
        """Return the events, in order, that name a player.

        >>> from kripke_werewolf import QuantumWerewolf
        >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="gekka")
        >>> handout = game.vision("Ann", "Bo", result="human").handout("Ann")
        >>> [event.in_private() for event in handout["Bo"]], [*handout], len(handout)
        (['You look at Bo and see: human.'], ['Ann', 'Bo', 'Cy'], 3)
        """
        name = self.setup.name_of(player)
        return tuple(event for event in self.events if name in event.named)

    def __iter__(self) -> Iterator[str]:
        return iter(self.setup.players)

    def __len__(self) -> int:
        return len(self.setup.players)

    def of(self, *players: str) -> Told:
        """Return the part that some of the owners were told; without owners, the public part."""
        game, cards = declared(self.setup), dict(self.cards)
        held = {name: self.setup.deck.role(cards[name]).looks for name in players if name in cards}
        known = {n: word for own in held.values() for n, c in cards.items() if (word := game.shown(own, c))}
        known |= held
        return replace(
            self,
            owners=tuple(name for name in self.setup.players if name in players),
            numbers=tuple(pair for pair in self.numbers if pair[0] in players),
            cards=tuple((name, known[name]) for name, _ in self.cards if name in known),
            entries=tuple(entry.of(self.setup, players) for entry in self.entries),
        )

    @property
    def player(self) -> str:
        """The owner; "" for public information; the names of all owners if there are several."""
        return " and ".join(self.owners)

    @property
    def number(self) -> int | None:
        """The owner's number, if numbers are hidden."""
        return self.known_numbers.get(self.player)

    @property
    def card(self) -> str | None:
        """The owner's card, in a classical deal."""
        return dict(self.cards).get(self.player)

    @property
    def pack(self) -> tuple[tuple[str, str], ...]:
        """The others' cards that the owner was told in a classical deal: for a wolf, those of the wolves."""
        return tuple((name, role) for name, role in self.cards if name not in self.owners)

    @property
    def known_numbers(self) -> Mapping[str, int]:
        """The numbers known by name, if numbers are hidden."""
        return dict(self.numbers)

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that was seen, in order."""
        return tuple(event for entry in self.entries for event in entry.events)

    @property
    def tables(self) -> tuple[Table, ...]:
        """The published tables, in order."""
        found = (self.table, *(entry.table for entry in self.entries))
        return tuple(table for table in found if table is not None)

    @property
    def dead(self) -> tuple[str, ...]:
        """The players who are officially dead, in the order of their deaths."""
        return dead_in(self.events)

    @property
    def alive(self) -> tuple[str, ...]:
        """The players who are not officially dead, in seat order."""
        dead = self.dead
        return tuple(name for name in self.setup.players if name not in dead)

    @property
    def begun(self) -> bool:
        """Whether anything has happened that may have told players their own roles."""
        return len(self.entries) > 1 or any(e.ended or dead_in(e.events) for e in self.entries)

    @property
    def announced(self) -> bool:
        """Whether anything was announced that may say more than facts: a table, the end of a phase, …"""
        return self.setup.deal == "quantum" and (bool(self.tables) or self.begun)

    @property
    def past(self) -> Told:
        """What was told up to the end of the last phase."""
        over = self.verdict is not None or self.entries[-1].ended
        return self if over else replace(self, entries=self.entries[:-1])

    def dead_before(self, entry: Entry) -> tuple[str, ...]:
        """Return the players who were officially dead when a phase began."""
        earlier = self.entries[: self.entries.index(entry)]
        return dead_in(event for one in earlier for event in one.events)

    def made(self, move: MoveAtom) -> bool | None:
        """Whether a move was made, as far as the owners were told; None if they were not.

        They know their own moves and, if targets are public, everybody's.

        >>> from kripke_werewolf import QuantumWerewolf
        >>> from kripke_werewolf.werewolf.move_atoms import read_move
        >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1).vision("Ann", "Bo", result="wolf")
        >>> move = read_move(game.setup, "looked_Ann_Bo")
        >>> game.handout("Ann").made(move), game.handout("Cy").made(move)
        (True, None)
        """
        own, setup = move.actor in self.owners, self.setup
        if not own and (move.result or setup.targets == "secret" or setup.deal == "classical"):
            return None
        found: set[bool | None] = {False}
        for entry in self.entries:
            for action in move.actions:
                seen, left_out = entry.move(move.actor, action), (move.actor, action) in entry.unsaid
                if isinstance(seen, Acted):
                    shown = move.result if seen.result == UNKNOWN else seen.result
                    made = move.is_made(seen.actor, action, seen.targets, shown, entry.phase.number)
                    found.add(made and (None if move.result and seen.result == UNKNOWN else True))
                elif own and (left_out or not entry.begun):
                    found.add(None)
        return True if True in found else None if None in found else False

    @property
    def verdict(self) -> str | None:
        """The verdict; None while the game runs."""
        return next((event.verdict for event in self.events if isinstance(event, GameEnded)), None)

    @property
    def running(self) -> bool:
        """Whether a phase of moves has begun and not ended."""
        return any(not now.ended and bool(self.setup.actions(now.phase)) for now in self.entries[-1:])

    @property
    def phase(self) -> str:
        """The current phase in words."""
        return str(self.entries[-1].phase) if self.verdict is None else Sentence("game-is-over")

    # in words

    @property
    def opening(self) -> tuple[str, ...]:
        """The messages to the owner before the first move.

        They give their number, if the table is anonymous; in a classical deal their card and, to a wolf, the
        other wolves.
        """
        said = [] if self.number is None else [Sentence("your-number", number=self.number)]
        if self.card is not None:
            said.append(Sentence("your-role", role=self.card))
            deck, pack = self.setup.deck, [{"player": name, "role": role} for name, role in self.pack]
            if deck.is_wolf(self.card):
                wolves = [one for one in pack if deck.is_wolf(one["role"])]
                others = [Sentence("with-rank", ranked=deck.ranked, **one) for one in wolves]
                said.append(Sentence("other-wolves", n=len(others), others=others))
            elif pack:
                said.append(Sentence("you-are-told", who=[Sentence("has-role", **one) for one in pack]))
        return tuple(said)

    @property
    def told(self) -> tuple[tuple[str, ...], ...]:
        """For each phase, all messages to the owner, in sentences."""
        return tuple(map(self._sentences, self.entries))

    def _sentences(self, entry: Entry) -> tuple[str, ...]:
        """Return all messages to the owner in a phase."""
        own = (event for event in entry.events if is_action(event) and event.actor == self.player)
        public = (event.told_to(None, self.setup) for event in own)
        twice = {event.in_public() for event in public if event is not None}  # the owner is told more
        said = messages(self.setup, entry.events)
        heard = (m for m in said if m.to == self.player or (m.to is None and m.text not in twice))
        return tuple(message.text for message in heard)

    def lines(self, entry: Entry) -> tuple[str, ...]:
        """Return a phase in sentences: own chances, actions not asked for, messages."""
        own = (Sentence("chances-at-first", chances=chances_text(row)) for _, row in entry.chances)
        return (*own, *self._asked(entry), *self._sentences(entry))

    def _asked(self, entry: Entry) -> Iterator[str]:
        """Yield the owner's actions in a phase that were not taken, or not asked for."""
        name = self.player
        if not name or not entry.begun or name in self.dead_before(entry):
            return
        for action in self.setup.actions(entry.phase):
            if (name, action) in entry.unsaid:
                continue
            if (name, action) not in entry.asked:
                yield Sentence("not-asked", action=action)
            elif entry.ended and is_compulsory(self.setup, action) and entry.move(name, action) is None:
                yield Sentence("you-are-passed-over", action=action)

    @property
    def document(self) -> Document:
        """The handout: what the owner was told, as a document."""
        blocks: list[Block] = [
            Paragraph(describe_setup(self.setup)),
            Paragraph(Sentence("players", names=self.setup.players)),
        ]
        if self.opening:
            blocks.append(Items(self.opening))
        blocks += as_published(self.table)
        for entry in self.entries:
            lines = self.lines(entry)
            if not lines and entry is self.entries[-1] and self.verdict is None:
                continue  # a phase without any information yet
            blocks.append(Heading(str(entry.phase)))
            if lines:
                blocks.append(Items(lines))
            blocks += as_published(entry.table)
        blocks.append(Paragraph(Sentence("now", phase=self.phase, n=len(self.alive), names=self.alive)))
        title = Sentence("what-is-known", n=len(self.owners), player=self.player)
        return Document(title, tuple(blocks))

    def probabilities(
        self,
        *,
        columns: Sequence[str] | None = None,
        reading: Reading = "facts",
        timeout: float | None = None,
    ) -> Table:
        """Return the owner's probabilities of all facts; the note below the table names the reading.

        `reading` and `timeout` as in `QuantumWerewolf.table`.

        >>> from kripke_werewolf import QuantumWerewolf
        >>> game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=1, rules="gekka")
        >>> seen = game.vision("Ann", "Bo", result="wolf").handout("Ann").probabilities()
        >>> str(seen["Bo", "wolf"]), seen.note
        ('3/10', 'as Ann sees it, reading: facts; what was announced may say more (reading: exact)')
        """
        found: Table = _FINDERS["probabilities"](self, columns=columns, reading=reading, timeout=timeout)
        return found

    def ask(
        self, question: FormulaLike, *, reading: Reading = "facts", timeout: float | None = None
    ) -> Answer:
        """Return whether a formula is true in all, none or some of the worlds the owner considers possible.

        About the owner's own knowledge the answer is that of `QuantumWerewolf.ask`; `reading` and `timeout`
        as there. Questions in English are asked by the owner: "am I a wolf?"

        >>> from kripke_werewolf import QuantumWerewolf
        >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1).vision("Ann", "Bo", result="wolf")
        >>> sheet = game.handout("Ann")
        >>> print(sheet.ask("K_Ann (seer_Ann -> wolf_Bo)"), sheet.ask("wolf_Bo"))
        yes in 2 of 5 worlds
        """
        found: Answer = _FINDERS["ask"](self, question, reading=reading, timeout=timeout)
        return found

    def with_probabilities(self, *, reading: Reading = "facts", timeout: float | None = None) -> Document:
        """Return the document with the probabilities that follow from it; see `probabilities`."""
        table = self.probabilities(reading=reading, timeout=timeout)
        found = self.document
        return replace(
            found, blocks=(*found.blocks, Heading(Sentence("what-follows")), table.grid("percent"))
        )

    def to_markdown(self) -> str:
        """Return Markdown, with names escaped."""
        return self.document.to_markdown()

    def to_html(self) -> str:
        """Return a fragment of HTML, with names escaped."""
        return self.document.to_html()

    def to_page(self) -> str:
        """Return a whole HTML page."""
        return self.document.to_page()

    def headline(self) -> str:
        """Return the owner, and the phase."""
        return f"{self.document.title}; {self.phase}"

    def display(self) -> Iterator[Block]:
        """Yield the document."""
        yield Heading(self.document.title, 1)
        yield from self.document.blocks

    def __str__(self) -> str:
        return self.document.to_text()

    # as data

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-able values of a handout, probabilities as fractions; unknown values are omitted."""
        found: dict[str, Any] = {"format": FORMAT, "version": VERSION, "player": self.player}
        found["settings"] = self.setup.to_dict()
        if self.number is not None:
            found["number"] = self.number
        if self.card is not None:
            found |= {"card": self.card, "pack": dict(self.pack)}
        if self.table is not None:
            found["table"] = self.table.to_dict()
        return {**found, "phases": [_written(entry, self.setup) for entry in self.entries]}

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Told:
        """Return the handout written by `to_dict`; raise FormatError for anything else."""
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            raise FormatError(f"a handout has the format {FORMAT!r}")
        if data.get("version") != VERSION:
            raise FormatError(f"version {data.get('version')!r} of handouts is unknown (known: {VERSION})")
        try:
            setup = public_setup(data["settings"])
            player = "" if data["player"] == "" else setup.name_of(str(data["player"]))
            number = _read_number(data.get("number"), setup) if player else None
            cards = dict(data.get("pack", {}))
            if data.get("card") is not None:
                cards[player] = data["card"]
            known = {setup.name_of(name): _card(role, setup) for name, role in cards.items()}
            return Told(
                setup,
                (player,) if player else (),
                () if number is None else ((player, number),),
                tuple((name, known[name]) for name in setup.players if name in known),
                None if data.get("table") is None else _read_table(data["table"], setup),
                tuple(_read(item, setup, player) for item in data["phases"]),
            )
        except KeyError as error:
            raise FormatError(f"the handout lacks {error}") from None
        except (TypeError, ValueError, AttributeError) as error:
            raise FormatError(f"not a handout: {error}") from error

    def to_json(self) -> str:
        """Return JSON."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)


def _card(word: str, setup: Setup) -> str:
    """Return a card, or several possible ones, as written; raise GameError for unknown roles."""
    if " or " in str(word):
        return " or ".join(exact_role(part, setup.deck) for part in str(word).split(" or "))
    return word if word == WOLF and setup.deck.ranked else exact_role(word, setup.deck)


def dead_in(events: Iterable[Event]) -> tuple[str, ...]:
    """Return the official deaths among some events, in order."""
    return tuple(event.player for event in events if isinstance(event, OfficialDeath))


def _written(entry: Entry, setup: Setup) -> dict[str, Any]:
    phase, asked = entry.phase, {action for _, action in entry.asked}
    found: dict[str, Any] = {
        "phase": {"kind": phase.kind, "number": phase.number, "position": phase.position},
        "asked": [action for action, *_ in setup.deck.timed if action in asked],
        "events": [event.to_dict() for event in entry.events],
    }
    for _, row in entry.chances:
        found["chances"] = {column: None if v is None else str(v) for column, v in row}
    if any(entry.acted):
        found["acted"] = [sorted(map(list, moves)) for moves in entry.acted]
    if entry.table is not None:
        found["table"] = entry.table.to_dict()
    return found


def _read(data: Mapping[str, Any], setup: Setup, player: str) -> Entry:
    phase = Phase(**data["phase"])
    if not isinstance(phase.position, int) or phase.kind != setup.phase_at(phase.position):
        raise FormatError(f"the phase {data['phase']!r} is not one of the rules {setup.rules.name!r}")
    for action in (*data["asked"], *(a for moves in data.get("acted", ()) for _, a in moves)):
        check_possible("action", action, [known for known, *_ in setup.deck.timed])
    events = tuple(Event.from_dict(item) for item in data["events"])
    for event in events:
        named = [getattr(event, field, "") for field in ("actor", "target", "player")]
        for name in (*filter(None, named), *getattr(event, "winners", ())):  # an actor may be hidden
            setup.seat(name)
    ends = next((i for i, event in enumerate(events) if isinstance(event, PhaseEnded)), len(events))
    silent: list[list[object]] = [[] for event in events[:ends] if not is_action(event)]
    acted = data.get("acted", silent)
    if len(acted) != len(silent):
        raise FormatError(
            f"{phase}: 'acted' has {len(acted)} entries, for {len(silent)} events between moves"
        )
    chances = tuple((c, None if v is None else Fraction(v)) for c, v in data.get("chances", {}).items())
    return Entry(
        phase=phase,
        asked=frozenset((player, action) for action in data["asked"]),
        chances=((player, chances),) if chances else (),
        events=events,
        acted=tuple(frozenset((str(name), action) for name, action in moves) for moves in acted),
        table=None if data.get("table") is None else _read_table(data["table"], setup),
    )


def _read_table(data: Mapping[str, Any], setup: Setup) -> Table:
    """Return a table; raise FormatError if it is not about these players."""
    table = Table.from_dict(data)
    if sorted(table.labels) != sorted(setup.rows):
        rows, given = ", ".join(setup.rows), ", ".join(table.labels)
        raise FormatError(f"the rows of a table are {rows} here, not {given}")
    for column in table.columns:
        check_possible("column", column, tuple(declared(setup).columns))
    return table


def _read_number(number: object, setup: Setup) -> int | None:
    if number is None and not setup.numbers_hidden:
        return None
    if type(number) is not int or not 1 <= number <= len(setup.players) or not setup.numbers_hidden:
        raise FormatError(f"{number!r} cannot be the player's own number here")
    return number


# --- made from a game ----------------------------------------------------------------------------


def told(game: Played, *players: str | int, only: Container[int] | None = None, full: bool = False) -> Told:
    """Return everything that some players were told together; without players, what everybody was told.

    `only`: as if only the events with these numbers (from 1) had happened. The messages after a complete
    step, such as the table and those at the beginning of the next phase, belong to its last event. `full`:
    with the secrets of the game master.
    """
    setup = game.setup
    known, number, reached = told_first(setup, game.states[0]), 0, 1
    for step, before, state in zip(game.steps, game.states, game.states[1:], strict=False):
        kept = tuple(e for n, e in enumerate(step, number + 1) if only is None or n in only)
        number += len(step)
        reached = len(known.entries) if kept else reached
        known = told_next(known, setup, kept, before, state, whole=only is None or number in only)
    entries = known.entries
    while not entries[-1].begun and len(entries) > reached:
        entries = entries[:-1]
    known = replace(known, entries=entries)
    return known if full else known.of(*map(setup.name_of, players))


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
    dead = [name for name in known.setup.players if name in known.dead]
    lists = [Sentence("who-is-alive", n=len(known.alive), names=known.alive)]
    lists += [Sentence("who-is-dead", names=dead)] if dead else []
    said = tuple(sentence for phase in known.told for sentence in phase)
    table = known.tables[-1] if known.tables else None
    title = known.phase if known.verdict is None else Sentence("over")
    blocks = (Paragraph(sequence(*lists)), *as_published(table), *([Items(said)] if said else []))
    return Document(title, blocks)


def told_first(setup: Setup, state: State) -> Told:
    """Return everything about a game before its first move, with all secrets."""
    players = setup.players
    return Told(
        setup.public,
        players,
        tuple(zip(players, setup.numbers, strict=True)) if setup.numbers_hidden else (),
        tuple(zip(players, setup.roles or (), strict=False)),
        _announced(setup, (), state),
        (_begun(setup, state),),
    )


def told_next(
    known: Told, setup: Setup, step: Step, before: State, state: State, *, whole: bool = True
) -> Told:
    """Return everything about a game after another step.

    `setup`: all settings; `whole`: whether the step is complete, with the messages after it.
    """
    *entries, now = known.entries
    for event in step:
        if not (is_action(event) or isinstance(event, PhaseEnded) or now.ended):
            now = replace(now, acted=(*now.acted, frozenset(now.moves)))
        now = replace(now, events=(*now.events, event))
    now = replace(
        now,
        events=in_seat_order(setup, now.events),
        table=_announced(setup, step, state) if whole else now.table,
        cut=not whole and (now.cut or bool(step)),
    )
    entries.append(now)
    if state.phase != before.phase:
        entries.append(_begun(setup, state) if whole else Entry(state.phase, begun=False))
    return replace(known, entries=tuple(entries))


def _begun(setup: Setup, state: State) -> Entry:
    """Return the entry of a new phase, with the messages at its beginning."""
    return Entry(state.phase, state.entitled, chances=tuple(own_chances(setup, state).items()))


def _announced(setup: Setup, step: Step, state: State) -> Table | None:
    """Return the table announced after a step, if there is one."""
    if not table_due(setup, step, state):
        return None
    table = make_table(setup, state, public=True)
    return table if setup.rules.show_worlds else replace(table, worlds=None)


def own_chances(setup: Setup, state: State) -> dict[str, Row]:
    """Return the probabilities that the living are told about themselves in this phase, if any are told."""
    told = setup.rules.told == "probabilities" and setup.deal == "quantum"
    if not told or not setup.actions(state.phase) or state.verdict is not None:
        return {}
    table = make_table(setup, state, public=True)
    labels = map(str, setup.numbers) if table.heading == "number" else setup.players
    rows = {name: tuple(table.row(label).items()) for name, label in zip(setup.players, labels, strict=True)}
    return {name: rows[name] for seat, name in enumerate(setup.players) if seat not in state.dead}
