"""A player's information as a value: everything that one player may know, and nothing else.

A `Handout` holds the public settings, the player's own number or card, and for each phase: the actions the
player was asked for, the parts of the events that the player may see (`Event.told_to`), and the table that
was made public. It contains nothing hidden from the player: two games with the same observations of a player
give equal handouts. The words, the model of the player's knowledge, and the histories that explain the
observations are all computed from this value.

During a phase it contains only the player's own moves and public ones (`targets="public"`).
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias, get_args

from kripke_werewolf.display import Displayed
from kripke_werewolf.errors import FormatError
from kripke_werewolf.reports.documents import Block, Document, Heading, Items, Paragraph, Sheet
from kripke_werewolf.reports.tables import Cell, shown
from kripke_werewolf.werewolf.events import (
    Attack,
    Declined,
    Event,
    FoundDead,
    GameEnded,
    PhaseEnded,
    Played,
    Refused,
    Step,
    Vision,
    VotedOff,
    deaths_in_seat_order,
    in_seat_order,
    is_action,
    worlds_text,
)
from kripke_werewolf.werewolf.roles import Role, is_wolf, parse_roles
from kripke_werewolf.werewolf.rules import ACTION_WORDS, FACTS, Action, Verdict, check_possible
from kripke_werewolf.werewolf.setup import Phase, Setup, public_setup
from kripke_werewolf.werewolf.state import State, compulsory
from kripke_werewolf.werewolf.table import Table, make_table, table_due
from kripke_werewolf.werewolf.telling import describe_setup, messages

if TYPE_CHECKING:
    from kripke_werewolf.language.formulas import FormulaLike
    from kripke_werewolf.werewolf.questions import Answer, Reading

FORMAT = "kripke_werewolf handout"
VERSION = 1

Moves: TypeAlias = frozenset[tuple[str, Action]]
"""Players with an action each."""


@dataclass(frozen=True, slots=True)
class Part:
    """The part of a handout about one phase."""

    phase: Phase
    asked: tuple[Action, ...] = ()
    """The actions that the player was asked for; living players are not asked for the others."""
    chances: tuple[tuple[str, Cell], ...] = ()
    """Their own probabilities by column, if the rules tell them at the beginning of the phase."""
    events: tuple[Event, ...] = ()
    """The player's moves, observations and messages, in order; moves that belong together in seat order."""
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

    def move(self, player: str, action: Action) -> Vision | Attack | Declined | None:
        """Return the visible move of a player, or None."""
        moves = (event for event in self.events if isinstance(event, Vision | Attack | Declined))
        return next((move for move in moves if (move.actor, move.action) == (player, action)), None)

    def refused(self, player: str) -> tuple[str, ...]:
        """Return the targets that the player was told they cannot attack."""
        return tuple(e.target for e in self.events if isinstance(e, Refused) and e.actor == player)


@dataclass(frozen=True, slots=True, repr=False)
class Handout(Displayed):
    """Everything that one player may know: equal for games they cannot tell apart.

    `str(handout)` is plain text; `to_markdown` and `to_html` write other formats, `to_dict` gives exact data.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="gekka")
    >>> handout = game.vision("Ann", "Bo", result="human").handout("Ann")
    >>> handout.parts[0].asked, handout.parts[0].move("Ann", "vision").result
    (('vision',), 'human')
    >>> Handout.from_dict(handout.to_dict()) == handout
    True
    """

    player: str
    """Its owner; "" for public information (`public_handout`)."""
    setup: Setup
    """The public settings of the game."""
    number: int | None = None
    """Their number, if numbers are hidden."""
    card: Role | None = None
    """Their card, in a classical deal."""
    pack: tuple[tuple[str, Role], ...] = ()
    """The other wolves and their cards, told to a wolf in a classical deal."""
    table: Table | None = None
    """The table published before the first move."""
    parts: tuple[Part, ...] = ()
    """The phases so far; the last is the current one, or the one that ended the game."""

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that the player has seen, in order."""
        return tuple(event for part in self.parts for event in part.events)

    @property
    def known_numbers(self) -> Mapping[str, int]:
        """The player's own number, by name, if numbers are hidden."""
        return {} if self.number is None else {self.player: self.number}

    @property
    def tables(self) -> tuple[Table, ...]:
        """The published tables, in order."""
        found = (self.table, *(part.table for part in self.parts))
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
    def verdict(self) -> Verdict | None:
        """The verdict; None while the game runs."""
        return next((event.verdict for event in self.events if isinstance(event, GameEnded)), None)

    @property
    def phase(self) -> str:
        """The current phase in words."""
        return str(self.parts[-1].phase) if self.verdict is None else "the game is over"

    # in words

    @property
    def opening(self) -> tuple[str, ...]:
        """The messages to the player before the first move."""
        return _opening(self.setup, self.number, self.card, self.pack)

    @property
    def told(self) -> tuple[tuple[str, ...], ...]:
        """For each phase all messages to the player, in sentences."""
        return tuple(self._told(part) for part in self.parts)

    def _told(self, part: Part) -> tuple[str, ...]:
        said = messages(self.setup, part.events)
        own = [event.told_to(None, self.setup) for event in part.events if self._did(event)]
        twice = {event.in_public() for event in own if event is not None}  # the private message contains more
        told = (m for m in said if m.to == self.player or (m.to is None and m.text not in twice))
        return tuple(message.text for message in told)

    def _did(self, event: Event) -> bool:
        return is_action(event) and event.actor == self.player

    def lines(self, part: Part) -> tuple[str, ...]:
        """Return a phase in sentences: own chances, actions not asked for, messages."""
        own = (f"Your chances at its beginning: {chances_text(part.chances)}.",) if part.chances else ()
        return (*own, *self._asked(part), *self._told(part))

    def _asked(self, part: Part) -> Iterator[str]:
        """Yield the player's actions in a phase that were not taken, or not asked for."""
        before = self.parts[: self.parts.index(part)]
        if (
            not self.player
            or not part.begun
            or self.player in dead_in(e for earlier in before for e in earlier.events)
        ):
            return
        for action in self.setup.actions(part.phase):
            if action not in part.asked:
                yield f"You are not asked for {ACTION_WORDS[action].one}."
            elif part.ended and compulsory(self.setup, action) and part.move(self.player, action) is None:
                yield f"You are passed over: you had {ACTION_WORDS[action].one}."

    @property
    def document(self) -> Document:
        """The handout as a document."""
        setting = describe_setup(self.setup)
        blocks: list[Block] = [Paragraph(setting), Paragraph(f"Players: {', '.join(self.setup.players)}.")]
        if self.opening:
            blocks.append(Items(self.opening))
        blocks += _sheet(self.table)
        for part in self.parts:
            lines = self.lines(part)
            if not lines and part is self.parts[-1] and self.verdict is None:
                continue  # a phase without any information yet
            blocks.append(Heading(str(part.phase)))
            if lines:
                blocks.append(Items(lines))
            blocks += _sheet(part.table)
        blocks.append(Paragraph(f"Now: {self.phase}. Alive: {', '.join(self.alive) or 'nobody'}."))
        return Document(f"What {self.player or 'everybody'} knows", tuple(blocks))

    def probabilities(
        self,
        *,
        columns: Sequence[str] | None = None,
        reading: Reading = "facts",
        timeout: float | None = None,
    ) -> Table:
        """Return the player's probabilities of all facts; the note below the table names the reading.

        `reading` and `timeout` as in `QuantumWerewolf.table`.

        >>> from kripke_werewolf import QuantumWerewolf
        >>> game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=1, rules="gekka")
        >>> seen = game.vision("Ann", "Bo", result="wolf").handout("Ann").probabilities()
        >>> str(seen["Bo", "wolf"]), seen.note
        ('3/10', 'as Ann sees it, reading: facts; a published table may say more (reading: table)')
        """
        from kripke_werewolf.werewolf.knowledge import table_from

        return table_from(self, columns=columns, reading=reading, timeout=timeout)

    def ask(
        self, question: FormulaLike, *, reading: Reading = "facts", timeout: float | None = None
    ) -> Answer:
        """Return whether a formula is true in all, none or some of the worlds the player considers possible.

        About the player's own knowledge the answer is that of `QuantumWerewolf.ask`; `reading` and `timeout`
        as there.

        >>> from kripke_werewolf import QuantumWerewolf
        >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1).vision("Ann", "Bo", result="wolf")
        >>> sheet = game.handout("Ann")
        >>> print(sheet.ask("K_Ann (seer_Ann -> wolf_Bo)"), sheet.ask("wolf_Bo"))
        yes in 2 of 5 worlds
        """
        from kripke_werewolf.werewolf.questions import ask_from

        return ask_from(self, question, reading=reading, timeout=timeout)

    def with_probabilities(self, *, reading: Reading = "facts", timeout: float | None = None) -> Document:
        """Return the document with the probabilities that follow from it; see `probabilities`."""
        document = self.document
        found = (Heading("What follows"), Sheet(self.probabilities(reading=reading, timeout=timeout)))
        return replace(document, blocks=(*document.blocks, *found))

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
        """Return the owner of the handout, and the phase."""
        return f"{self.document.title}; {self.phase}"

    def display(self) -> Iterator[Block]:
        """Yield the document."""
        yield Heading(self.document.title, 1)
        yield from self.document.blocks

    def __str__(self) -> str:
        return self.document.to_text()

    # as data

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-able values, probabilities as fractions; unknown values are omitted."""
        found: dict[str, Any] = {"format": FORMAT, "version": VERSION, "player": self.player}
        found["settings"] = self.setup.to_dict()
        if self.number is not None:
            found["number"] = self.number
        if self.card is not None:
            found |= {"card": self.card, "pack": dict(self.pack)}
        if self.table is not None:
            found["table"] = self.table.to_dict()
        return {**found, "phases": [_part_to_dict(part) for part in self.parts]}

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Handout:
        """Return the handout written by `to_dict`; raise FormatError for anything else."""
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            raise FormatError(f"a handout has the format {FORMAT!r}")
        if data.get("version") != VERSION:
            raise FormatError(f"version {data.get('version')!r} of handouts is unknown (known: {VERSION})")
        try:
            setup = public_setup(data["settings"])
            pack, table = data.get("pack", {}), data.get("table")
            return Handout(
                player="" if data["player"] == "" else setup.name_of(str(data["player"])),
                setup=setup,
                number=None if data["player"] == "" else _read_number(data.get("number"), setup),
                card=None if data.get("card") is None else _read_role(data["card"], setup),
                pack=tuple((setup.name_of(name), _read_role(role, setup)) for name, role in pack.items()),
                table=None if table is None else _read_table(table, setup),
                parts=tuple(_read_part(item, setup) for item in data["phases"]),
            )
        except KeyError as error:
            raise FormatError(f"the handout lacks {error}") from None
        except (TypeError, ValueError, AttributeError) as error:
            raise FormatError(f"not a handout: {error}") from error

    def to_json(self) -> str:
        """Return JSON."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)


def dead_in(events: Iterable[Event]) -> tuple[str, ...]:
    """Return the official deaths among some events, in order."""
    return tuple(event.player for event in events if isinstance(event, VotedOff | FoundDead))


def _part_to_dict(part: Part) -> dict[str, Any]:
    phase = part.phase
    found: dict[str, Any] = {
        "phase": {"kind": phase.kind, "number": phase.number, "position": phase.position},
        "asked": list(part.asked),
        "events": [event.to_dict() for event in part.events],
    }
    if part.chances:
        found["chances"] = {column: None if v is None else str(v) for column, v in part.chances}
    if any(part.acted):
        found["acted"] = [sorted(map(list, moves)) for moves in part.acted]
    if part.table is not None:
        found["table"] = part.table.to_dict()
    return found


def _read_part(data: Mapping[str, Any], setup: Setup) -> Part:
    phase = Phase(**data["phase"])
    if not isinstance(phase.position, int) or phase.kind != setup.phase_at(phase.position):
        raise FormatError(f"the phase {data['phase']!r} is not one of the rules {setup.rules.name!r}")
    for action in (*data["asked"], *(a for moves in data.get("acted", ()) for _, a in moves)):
        if action not in get_args(Action):
            raise FormatError(f"{action!r} is not an action (known: {', '.join(get_args(Action))})")
    events = tuple(Event.from_dict(item) for item in data["events"])
    for name in _named(events):
        setup.seat(name)
    ends = next((i for i, event in enumerate(events) if isinstance(event, PhaseEnded)), len(events))
    silent: list[list[object]] = [[] for event in events[:ends] if not is_action(event)]
    acted = data.get("acted", silent)
    if len(acted) != len(silent):
        raise FormatError(
            f"{phase}: 'acted' has {len(acted)} entries, for {len(silent)} events between moves"
        )
    chances = {c: None if v is None else Fraction(v) for c, v in data.get("chances", {}).items()}
    table = data.get("table")
    return Part(
        phase=phase,
        asked=tuple(data["asked"]),
        chances=tuple(chances.items()),
        events=events,
        acted=tuple(frozenset((str(name), action) for name, action in moves) for moves in acted),
        table=None if table is None else _read_table(table, setup),
    )


def _read_table(data: Mapping[str, Any], setup: Setup) -> Table:
    """Return a table; raise FormatError if it is not about these players."""
    table = Table.from_dict(data)
    rows = tuple(str(n) for n in range(1, len(setup.players) + 1)) if setup.numbers_hidden else setup.players
    if sorted(table.labels) != sorted(rows):
        raise FormatError(f"the rows of a table are {', '.join(rows)} here, not {', '.join(table.labels)}")
    for column in table.columns:
        check_possible("column", column, tuple(FACTS))
    return table


def _named(events: Iterable[Event]) -> Iterator[str]:
    """Yield the players named by events; for an action with a hidden actor only the target."""
    for event in events:
        for field in ("actor", "target", "player"):
            if isinstance(name := getattr(event, field, ""), str) and name:
                yield name
        if isinstance(event, GameEnded):
            yield from event.winners


def _read_number(number: object, setup: Setup) -> int | None:
    if number is None and not setup.numbers_hidden:
        return None
    if type(number) is not int or not 1 <= number <= len(setup.players) or not setup.numbers_hidden:
        raise FormatError(f"{number!r} cannot be the player's own number here")
    return number


def _read_role(role: object, setup: Setup) -> Role:
    meant = parse_roles(str(role), setup.deck)
    if len(meant) != 1:
        raise FormatError(f"{role!r} is not an exact role here (possible: {', '.join(setup.deck.roles)})")
    return next(iter(meant))


def _sheet(table: Table | None) -> Iterator[Block]:
    if table is not None:
        yield Sheet(table)
        if table.worlds is not None:
            yield Paragraph(f"Left: {worlds_text(table.worlds)}.")


# --- made from a game ----------------------------------------------------------------------------


def handout(game: Played, player: str | int) -> Handout:
    """Return everything a player may know, and nothing else, as text, Markdown, HTML or data.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="gekka")
    >>> game.vision("Ann", "Bo", result="human").handout("Ann").told[0]
    ('You look at Bo and see: human.',)
    """
    return handout_of(game, player)


def public_handout(game: Played, *, only: Container[int] | None = None) -> Handout:
    """Return all public information: the handout of nobody."""
    return handout_of(game, None, only=only)


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
    known = public_handout(game)
    lists = [f"Alive: {', '.join(known.alive) or 'nobody'}."]
    if known.dead:
        lists.append(f"Dead: {', '.join(name for name in known.setup.players if name in known.dead)}.")
    told = tuple(sentence for part in known.told for sentence in part)
    table = known.tables[-1] if known.tables else None
    title = known.phase if known.verdict is None else "The game is over"
    blocks = (Paragraph(" ".join(lists)), *_sheet(table), *([Items(told)] if told else []))
    return Document(title, blocks)


def handout_of(game: Played, player: str | int | None, *, only: Container[int] | None = None) -> Handout:
    """Return a handout as if only the events with the given numbers (from 1) had happened.

    The messages after a complete step, such as the table and those at the beginning of the next phase, belong
    to its last event.
    """
    setup = game.setup
    draft = Draft.begun(setup, game.states[0], None if player is None else setup.name_of(player))
    for step, before, state in zip(game.steps, game.states, game.states[1:], strict=False):
        draft = draft.then(step, before, state, only=only)
    return draft.handout()


def handouts_of(game: Played, *, only: Container[int] | None = None) -> dict[str, Handout]:
    """Return the handouts of all players; see `handout_of`. Every table is computed only once."""
    setup, start = game.setup, game.states[0]
    published = Published.after(setup, (), start)
    drafts = {name: Draft.begun(setup, start, name, published=published) for name in setup.players}
    for step, before, state in zip(game.steps, game.states, game.states[1:], strict=False):
        published = Published.after(setup, step, state)
        drafts = {n: d.then(step, before, state, only=only, published=published) for n, d in drafts.items()}
    return {name: draft.handout() for name, draft in drafts.items()}


@dataclass(frozen=True, slots=True)
class Published:
    """The tables published after a step, for all handouts at once."""

    table: Table | None
    """The announced table."""
    chances: Table | None
    """The table from which players are told their own chances at the beginning of a phase, or None."""

    @classmethod
    def after(cls, setup: Setup, step: Step, state: State) -> Published:
        """Return the tables after a step; an empty step stands for the start."""
        return cls(_announced(setup, step, state), _told_from(setup, state))


@dataclass(frozen=True, slots=True)
class Draft:
    """A handout that grows with the game, step by step.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1).vision("Ann", "Bo", result="wolf")
    >>> draft = Draft.begun(game.setup, game.states[0], "Ann").then(game.steps[0], *game.states)
    >>> draft.handout() == game.handout("Ann")
    True
    """

    setup: Setup
    """All settings of the game."""
    player: str | None
    """Its owner; None for public information."""
    table: Table | None
    """The table published before the first move."""
    parts: tuple[Part, ...]
    """The phases so far, their events in the order in which they happened."""
    acted: frozenset[tuple[str, Action]] = frozenset()
    """The players who have acted in the current phase."""
    number: int = 0
    """The number of events so far."""
    reached: int = 1
    """The number of phases up to the last event considered."""

    @classmethod
    def begun(
        cls, setup: Setup, state: State, player: str | None, *, published: Published | None = None
    ) -> Draft:
        """Return the handout before the first move."""
        published = published or Published.after(setup, (), state)
        return cls(setup, player, published.table, (_begun(setup, state, player, published),))

    def then(
        self,
        step: Step,
        before: State,
        state: State,
        *,
        only: Container[int] | None = None,
        published: Published | None = None,
    ) -> Draft:
        """Return the handout after another step.

        `only`: as if only the events with these numbers had happened.
        """
        setup, name, parts = self.setup, self.player, [*self.parts]
        number, reached, acted = self.number, self.reached, set(self.acted)
        happened = [e for n, e in enumerate(step, number + 1) if only is None or n in only]
        number += len(step)
        for event in deaths_in_seat_order(setup, happened):
            reached = len(parts)
            if isinstance(event, Vision | Attack | Declined):
                acted.add((event.actor, event.action))
            seen = event.told_to(name, setup)
            if seen is not None:
                now = parts[-1]
                during = not is_action(event) and not any(
                    isinstance(e, PhaseEnded) for e in (*now.events, event)
                )
                heard = (_seen_to_act(setup, acted, name),) if during else ()
                parts[-1] = replace(now, events=(*now.events, seen), acted=now.acted + heard)
        if only is not None and number not in only:
            published = None
            parts[-1] = replace(parts[-1], cut=parts[-1].cut or bool(happened))
        else:
            published = published or Published.after(setup, step, state)
            parts[-1] = replace(parts[-1], table=published.table, cut=False)
        if state.phase != before.phase:
            acted = set()
            parts.append(
                Part(state.phase, begun=False) if published is None else _begun(setup, state, name, published)
            )
        return replace(self, parts=tuple(parts), acted=frozenset(acted), number=number, reached=reached)

    def handout(self) -> Handout:
        """Return the present handout."""
        setup, name, parts = self.setup, self.player, [*self.parts]
        while not parts[-1].begun and len(parts) > self.reached:
            parts.pop()
        seat = None if name is None else setup.seat(name)
        return Handout(
            player=name or "",
            setup=setup.public,
            number=None if seat is None or not setup.numbers_hidden else setup.numbers[seat],
            card=None if seat is None or setup.roles is None else setup.roles[seat],
            pack=() if name is None else _pack(setup, name),
            table=self.table,
            parts=tuple(replace(part, events=in_seat_order(setup, part.events)) for part in parts),
        )


def _seen_to_act(setup: Setup, acted: Iterable[tuple[str, Action]], player: str | None) -> Moves:
    quantum = setup.deal == "quantum"  # otherwise it would reveal the cards
    return frozenset((actor, action) for actor, action in acted if quantum or actor == player)


def _begun(setup: Setup, state: State, player: str | None, published: Published) -> Part:
    """Return the part of a new phase, with the player's messages at its beginning."""
    if player is None:
        return Part(state.phase)
    seat = setup.seat(player)
    asked = tuple(a for a in setup.actions(state.phase) if seat in state.entitled.get(a, ()))
    return Part(state.phase, asked, _chances(setup, state, player, published.chances))


def _pack(setup: Setup, player: str) -> tuple[tuple[str, Role], ...]:
    if setup.roles is None or not is_wolf(setup.roles[setup.seat(player)]):
        return ()
    cards = zip(setup.players, setup.roles, strict=True)
    return tuple((name, role) for name, role in cards if is_wolf(role) and name != player)


def opening(setup: Setup, player: str) -> tuple[str, ...]:
    """Return the sentences that a player is told before the first move.

    Their number, if the table is anonymous; in a classical deal their card, and for wolves the other wolves.
    """
    seat = setup.seat(player)
    number = setup.numbers[seat] if setup.numbers_hidden else None
    card = None if setup.roles is None else setup.roles[seat]
    return _opening(setup, number, card, _pack(setup, player))


def _opening(
    setup: Setup, number: int | None, card: Role | None, pack: Sequence[tuple[str, Role]]
) -> tuple[str, ...]:
    told = [] if number is None else [f"Your number is {number}."]
    if card is not None:
        told.append(f"Your role is {card}.")
        if is_wolf(card):
            others = ", ".join(f"{name} ({role})" if setup.deck.ranked else name for name, role in pack)
            told.append(f"The other wolves: {others}." if others else "You are the only wolf.")
    return tuple(told)


def announced_table(game: Played) -> Table:
    """Return the public table as announced: with the number of worlds only if the rules say so."""
    return _public(game.setup, game.states[-1])


def _announced(setup: Setup, step: Step, state: State) -> Table | None:
    """Return the table announced after a step, if there is one."""
    return _public(setup, state) if table_due(setup, step, state) else None


def _public(setup: Setup, state: State) -> Table:
    table = make_table(setup, state, public=True)
    return table if setup.rules.show_worlds else replace(table, worlds=None)


def chances(game: Played, player: str) -> tuple[tuple[str, Cell], ...]:
    """Return the probabilities that players are told about themselves in this phase.

    None if the rules tell none, or if they were dealt their roles.
    """
    setup, state = game.setup, game.states[-1]
    return _chances(setup, state, player, _told_from(setup, state))


def _told_from(setup: Setup, state: State) -> Table | None:
    """Return the table from which players are told their own chances; None if the rules tell none now."""
    if setup.rules.told != "probabilities" or setup.deal == "classical":
        return None
    if not setup.actions(state.phase) or state.verdict is not None:
        return None
    return make_table(setup, state, public=True)


def _chances(setup: Setup, state: State, player: str, table: Table | None) -> tuple[tuple[str, Cell], ...]:
    seat = setup.seat(player)
    if table is None or seat in state.dead:
        return ()
    return tuple(table.row(str(setup.numbers[seat]) if table.heading == "number" else player).items())


def chances_text(own: tuple[tuple[str, Cell], ...]) -> str:
    """Return a player's probabilities in words.

    >>> from fractions import Fraction
    >>> chances_text((("seer", Fraction(1, 4)), ("dead", Fraction(0))))
    'seer 25%, dead 0%'
    """
    return ", ".join(f"{column} {shown(value, 'percent')}" for column, value in own)
