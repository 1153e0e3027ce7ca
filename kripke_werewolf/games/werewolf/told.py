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
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import chain, dropwhile, product, takewhile
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.base.provided import provided
from kripke_werewolf.base.reports.documents import Block, Document, Heading, Items, Paragraph
from kripke_werewolf.base.reports.tables import Cell, Rounded, json_value, shown
from kripke_werewolf.base.settings import as_data, check_possible
from kripke_werewolf.base.wording import Sentence, divided, sequence
from kripke_werewolf.games.werewolf import events as ev
from kripke_werewolf.games.werewolf.declarations import Declared, by_cards, declared, keeps
from kripke_werewolf.games.werewolf.move_atoms import MoveAtom
from kripke_werewolf.games.werewolf.roles import WOLF, Action, Schema, exact_role
from kripke_werewolf.games.werewolf.setup import Phase, Setup, more_settings, public_setup
from kripke_werewolf.games.werewolf.state import State, is_compulsory
from kripke_werewolf.games.werewolf.table import Table
from kripke_werewolf.games.werewolf.telling import announced_table, chances_text, describe_setup
from kripke_werewolf.games.werewolf.vocabulary import vocabulary
from kripke_werewolf.logic.english.sentences import of_the_only
from kripke_werewolf.logic.formulas.operators import Atom
from kripke_werewolf.logic.formulas.simplification import negated
from kripke_werewolf.logic.formulas.syntax import Formula, FormulaLike
from kripke_werewolf.logic.semantics.answers import Answer

if TYPE_CHECKING:
    from kripke_werewolf.logic.english.vocabulary import Vocabulary
    from kripke_werewolf.logic.semantics.explanation import Explanation

FORMAT = "kripke_werewolf handout"
VERSION = 1
PAGES = 2
"""The version of printed handouts."""

UNKNOWN = "?"
"""The result of a vision in a typed sheet that does not give it; None means that nothing was shown."""

Moves: TypeAlias = frozenset[tuple[str, Action]]
"""Players with an action each."""
Row: TypeAlias = tuple[tuple[str, Cell], ...]
"""Values by column."""

# --- answers -------------------------------------------------------------------------------------

Answering: TypeAlias = Literal["auto", "explicit", "symbolic"]
Reading: TypeAlias = Literal["facts", "exact"]
"""Whether to ask engines that use facts only, or those that use everything that follows."""


def reading_of(word: str) -> Reading:
    """Return a reading by its name; `table` is the old name of `exact`."""
    meant: Any = {"table": "exact"}.get(word, word)
    if meant not in ("facts", "exact"):
        check_possible("reading", meant, get_args(Reading))
    return meant  # type: ignore[no-any-return]


def reading_in_words(reading: Reading, *, more: bool) -> str:
    """Return the reading that an answer rests on; `more`: whether what was announced may say more.

    >>> reading_in_words("facts", more=True)
    'reading: facts; what was announced may say more (reading: exact)'
    """
    found = f"reading: {reading}"
    if more:
        found += "; what was announced may say more (reading: exact)"
    return found


@dataclass(frozen=True, repr=False, eq=False)
class GameAnswer(Answer):
    """The answer to a question about a game; players by name. `asked`: the question, see `AskedOfGame`."""

    reading: Reading = "facts"
    """How published tables were read."""
    more: bool = False
    """Whether a published table may imply more than was used for a negative answer."""
    sampled: str = ""
    """The part of the worlds it refers to, if the game is played on a sample; else ""."""
    empty: bool = False
    """Whether it is true because no condition in it ever is: "the dead know …" while all are alive."""

    @property
    def note(self) -> str:
        """The reading used for the answer, in words.

        >>> from kripke_werewolf import QuantumWerewolf
        >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="gekka").vision("Ann", "Bo")
        >>> game.end_phase().ask("K_Ann wolf_Cy").note
        'reading: facts; what was announced may say more (reading: exact)'
        """
        more = self.more or any(part.more for _, part in self.parts)
        return reading_in_words(self.reading, more=more)

    def explain(self) -> Explanation:
        """Return the explanation, a tree of checkable reasons; see `KripkeModel.explain`.

        If the worlds of all players in question are too many, it is given by fewer worlds: those that fit the
        information of one player, of a group, or of the public. Raises GameError if these do not suffice, and
        if the `timeout` of the question is over.
        """
        found: Explanation = self.asked.explanation(self.verdict)
        single = vocabulary(self.asked.game.setup).single
        return found.reworded(lambda text: of_the_only(text, single))

    def reasons(self) -> tuple[str, ...]:
        """Return the news and table entries on which a positive answer about knowledge rests, if found."""
        about_knowledge = self.holds and self.asked.knowers and self.given is None
        return tuple(self.asked.reasons()) if about_knowledge else ()

    def __str__(self) -> str:
        text = super().__str__()
        if self.parts:
            return text
        if self.empty:
            text += ", since it is about nobody: its condition is never true"
        if self.sampled:
            text += f" ({self.sampled})"
        return text


# --- what was told ---------------------------------------------------------------------------------


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
    shown: frozenset[tuple[str, str, str]] | None = frozenset()
    """The news at its beginning, as in `State.shown`; None: unknown."""
    events: tuple[ev.Event, ...] = ()
    """Moves, observations and messages, in order; moves that belong together in seat order."""
    acted: tuple[Moves, ...] = ()
    """For each event before the end that is not an action, the players seen to have acted by then.

    In a classical deal players know this only about themselves.
    """
    table: Table | None = None
    """The table published at the end of the phase."""
    resting: bool = False
    """Whether nobody but the owners is taken to have moved unseen, as for probabilities before its end."""
    cut: bool = False
    """Whether the events considered end before what followed from the last one, perhaps the phase's end."""

    @property
    def ended(self) -> bool:
        """Whether the phase is over."""
        return any(isinstance(event, ev.PhaseEnded | ev.GameEnded) for event in self.events)

    @property
    def passed_over(self) -> Moves:
        """The players whose compulsory actions were not taken; in a classical deal none are named."""
        ends = (event.missing for event in self.events if isinstance(event, ev.PhaseEnded))
        return frozenset(missing for end in ends for missing in end)

    @property
    def moves(self) -> Mapping[tuple[str, Action], ev.Acted | ev.Declined]:
        """The visible moves by actor and action."""
        moves = (event for event in self.events if isinstance(event, ev.Acted | ev.Declined))
        return {(move.actor, move.action): move for move in moves}

    def move(self, player: str, action: Action) -> ev.Acted | ev.Declined | None:
        """Return the visible move of a player, or None."""
        return self.moves.get((player, action))

    def refused(self, player: str) -> tuple[str, ...]:
        """Return the targets that the player was told they cannot attack."""
        return tuple(e.target for e in self.events if isinstance(e, ev.Refused) and e.actor == player)

    @property
    def interruptions(self) -> tuple[tuple[Moves, ev.Event], ...]:
        """The events before the end other than actions, each with the players seen to have acted by then."""
        before = takewhile(lambda event: not isinstance(event, ev.PhaseEnded), self.events)
        return tuple(zip(self.acted, (event for event in before if not ev.is_action(event)), strict=True))

    @property
    def after(self) -> tuple[ev.Event, ...]:
        """The events that followed from the end."""
        return tuple(dropwhile(lambda event: not isinstance(event, ev.PhaseEnded), self.events))[1:]

    def of(self, setup: Setup, players: Sequence[str]) -> Entry:
        """Return the part that some of the owners were told."""
        between = (moved for moved, event in self.interruptions if _as_told(event, setup, players))
        if setup.deal == "classical":  # who else has acted would reveal the cards
            between = (_of(moved, players) for moved in between)
        seen = (part for event in self.events if (part := _as_told(event, setup, players)))
        return replace(
            self,
            asked=_of(self.asked, players),
            unsaid=_of(self.unsaid, players),
            chances=tuple(row for row in self.chances if row[0] in players),
            shown=self.shown and frozenset(news for news in self.shown if news[0] in ("", *players)),
            events=ev.in_seat_order(setup, seen),
            acted=tuple(between),
        )


def _of(moves: Moves, players: Sequence[str]) -> Moves:
    return frozenset(move for move in moves if move[0] in players)


def _as_told(event: ev.Event, setup: Setup, players: Sequence[str]) -> ev.Event | None:
    """Return an event as the most informed of some players sees it: what the others see follows from it."""
    views = {player: event.told_to(player, setup) for player in players or (None,)}
    seen = [view for view in views.values() if view is not None]
    for most in seen[1:]:
        if all(most.told_to(player, setup) == view for player, view in views.items()):
            return most
    return next(iter(seen), None)


def _as_published(table: Table | None, *, exact: bool = True) -> Iterator[Block]:
    """Yield a published table, with the number of worlds if it is told; nothing without a table."""
    if table is not None:
        yield table.grid("percent")
        if table.worlds is not None:
            yield Paragraph(Sentence("left-in-all", n=table.worlds))
        if exact and (fractions := _in_fractions(chain.from_iterable(table.rows))):
            yield Paragraph(fractions)


def _in_fractions(cells: Iterable[Cell]) -> str:
    """Return the values of rounded percentages, or "": one, or if they differ, all in order.

    >>> _in_fractions([Fraction(1, 13), Fraction(1, 4), Fraction(1, 13)])
    'In fractions: 7.7% is 1/13.'
    """
    values: dict[str, list[Fraction]] = {}
    for cell in cells:
        if isinstance(cell, Fraction):
            values.setdefault(shown(cell, "percent"), []).append(cell)
    rounded = ((text, some) for text, some in values.items() if {*some} != {as_percentage(text)})
    parts = [
        Sentence("in-fraction", share=text, values=some if len({*some}) > 1 else some[:1])
        for text, some in rounded
    ]
    if parts:
        return Sentence("in-fractions", shares=divided(parts))
    return ""


def as_percentage(text: str) -> Fraction | None:
    """Return the value of an exact percentage; None for `<0.1%` and the like."""
    if text[0] in "<>":
        return None
    return Fraction(text.removesuffix("%")) / 100


@dataclass(frozen=True, slots=True, repr=False)
class Told(Displayed):
    """Everything that some players may know together: equal for games they cannot tell apart.

    `str(told)` is plain text; its `document` has other formats, `to_dict` gives exact data.

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
    def alone(self) -> frozenset[str]:
        """The owner if there is only one; else nobody."""
        return frozenset(self.owners) if len(self.owners) == 1 else frozenset()

    @property
    def number(self) -> int | None:
        """The owner's number, if numbers are hidden."""
        return dict(self.numbers).get(self.player)

    @property
    def card(self) -> str | None:
        """The owner's card, in a classical deal."""
        return dict(self.cards).get(self.player)

    @property
    def pack(self) -> tuple[tuple[str, str], ...]:
        """The others' cards that the owner was told in a classical deal: for a wolf, those of the wolves."""
        return tuple((name, role) for name, role in self.cards if name not in self.owners)

    @property
    def events(self) -> tuple[ev.Event, ...]:
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
        if self.verdict is not None or self.entries[-1].ended:
            return self
        return replace(self, entries=self.entries[:-1])

    @property
    def resting(self) -> Told:
        """The same, as if nobody but the owners had moved in the running phase."""
        if not self.running:
            return self
        return replace(self, entries=(*self.entries[:-1], replace(self.entries[-1], resting=True)))

    def dead_before(self, entry: Entry) -> tuple[str, ...]:
        """Return the players who were officially dead when a phase began."""
        earlier = self.entries[: self.entries.index(entry)]
        return dead_in(event for one in earlier for event in one.events)

    def made(self, move: MoveAtom) -> bool | None:
        """Whether a move was made, as far as the owners were told; None if they were not.

        They know their own moves and, if targets are public, everybody's.

        >>> from kripke_werewolf import QuantumWerewolf
        >>> from kripke_werewolf.games.werewolf.move_atoms import read_move
        >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1).vision("Ann", "Bo", result="wolf")
        >>> move = read_move(game.setup, "looked_Ann_Bo")
        >>> game.handout("Ann").made(move), game.handout("Cy").made(move)
        (True, None)
        """
        own, setup = move.actor in self.owners, self.setup
        if not own and (move.result or setup.targets == "secret" or setup.deal == "classical"):
            return None
        found: bool | None = False
        for entry, action in product(self.entries, move.actions):
            seen, night = entry.move(move.actor, action), entry.phase.number
            if isinstance(seen, ev.Acted):
                if seen.result != UNKNOWN or not move.result:
                    if move.is_made(seen.actor, action, seen.targets, seen.result, night):
                        return True
                elif move.is_made(seen.actor, action, seen.targets, move.result, night):
                    found = None
            elif own and (move.actor, action) in entry.unsaid:
                found = None
        return found

    @property
    def verdict(self) -> str | None:
        """The verdict; None while the game runs."""
        return next((event.verdict for event in self.events if isinstance(event, ev.GameEnded)), None)

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
        deck, pack = self.setup.deck, [{"player": name, "role": role} for name, role in self.pack]
        said: list[str] = [self.to(name, Sentence("your-number", number=n)) for name, n in self.numbers]
        held = ((name, role) for name, role in self.cards if name in self.owners)
        said += [self.to(name, Sentence("your-role", role=role)) for name, role in held]
        if self.card is not None and deck.is_wolf(self.card):
            others = [
                Sentence("with-rank", ranked=deck.ranked, **one) for one in pack if deck.is_wolf(one["role"])
            ]
            said.append(Sentence("other-wolves", n=len(others), others=others))
            pack = [one for one in pack if not deck.is_wolf(one["role"])]
        if pack:
            said.append(Sentence("you-are-told", who=[Sentence("has-role", **one) for one in pack]))
        return tuple(said)

    def to(self, owner: str, text: str) -> str:
        """Return a message to one of the owners; a group's pages say to whom."""
        if len(self.owners) == 1:
            return text
        return Sentence("labelled", label=owner, text=text)

    @property
    def told(self) -> tuple[tuple[str, ...], ...]:
        """For each phase, all messages to the owner, in sentences."""
        return tuple(map(self._sentences, self.entries))

    def _sentences(self, entry: Entry) -> tuple[str, ...]:
        """Return all messages to the owners in a phase: the news, then those to everybody first."""
        said, acted, known = list(self.news(entry)), iter(entry.acted), Moves()
        for together in ev.told_together(entry.events):
            moved = known
            for event in together:
                if not ev.is_action(event):
                    moved = next(acted, moved)
            if moved != known:
                who = [Sentence("left-out", player=p, hidden=not p, action=a) for p, a in sorted(moved)]
                said.append(Sentence("acted-by-then", who=who))
            known = moved
            for own in (False, True):
                some = (event for event in together if own is not {*event.insiders}.isdisjoint(self.owners))
                said += filter(None, map(self.sentence, some))
        return tuple(said)

    def news(self, entry: Entry) -> Iterator[str]:
        """Yield the messages to the owners and to everybody when a phase begins, as far as they are new."""
        place, dead = self.entries.index(entry), self.dead_before(entry)
        before = self.entries[place - 1].shown if place else None
        for news in declared(self.setup).news:
            for hearer in [""] if news.public else [name for name in self.owners if name not in dead]:
                now, then = (
                    [name for name in self.setup.players if (hearer, news.word, name) in (shown or ())]
                    for shown in (entry.shown, before)
                )
                due = now != then
                if news.asked:
                    due = (hearer, news.asked) in entry.asked
                if due:
                    yield self.told_news(hearer, news.word, now)

    def told_news(self, hearer: str, word: str, names: Sequence[str]) -> str:
        """Return the news to an owner, or to everybody, of whom a word is true."""
        said = Sentence("shown", word=word, n=len(names), names=names)
        if hearer:
            return self.to(hearer, said)
        return said

    def sentence(self, event: ev.Event) -> str:
        """Return an event in words: those for an owner who sees more of it, or those for everybody."""
        own = [name for name in self.owners if name in event.insiders]
        if not own:
            return event.in_public()
        if isinstance(event, ev.Said):
            return event.in_full()
        return self.to(own[0], event.in_private())

    def lines(self, entry: Entry) -> tuple[str, ...]:
        """Return a phase in sentences: own chances, actions asked for or not, messages."""
        own = list[str]()
        for name, row in entry.chances:
            own.append(self.to(name, Sentence("chances-at-first", chances=chances_text(row))))
            own += filter(None, [_in_fractions(cell for _, cell in row)])
        return (*own, *self._asked(entry), *self._sentences(entry))

    def _asked(self, entry: Entry) -> Iterator[str]:
        """Yield the owners' actions in a phase that were not taken yet, or not asked for."""
        living = (name for name in self.owners if name not in self.dead_before(entry))
        for turn in product(living, self.setup.actions(entry.phase)):
            name, action = turn
            if turn not in entry.asked and turn not in entry.unsaid:
                yield self.to(name, Sentence("not-asked", action=action))
            elif turn in entry.moves or turn in entry.unsaid:
                continue
            elif not entry.ended:
                yield self.to(name, Sentence("asked-for", action=action))
            elif is_compulsory(self.setup, action):
                yield self.to(name, Sentence("you-are-passed-over", action=action))

    @property
    def document(self) -> Document:
        """The handout: what the owner was told, as a document."""
        blocks: list[Block] = [
            Paragraph(describe_setup(self.setup)),
            Paragraph(Sentence("players", names=self.setup.players)),
        ]
        more = (
            f"{key}: {json.dumps(value, ensure_ascii=False)}"
            for key, value in more_settings(self.setup).items()
        )
        if first := (*more, *self.opening):
            blocks.append(Items(first))
        blocks += _as_published(self.table)
        for entry in self.entries:
            lines = self.lines(entry)
            if not lines and entry is self.entries[-1] and self.verdict is None:
                continue  # a phase without any information yet
            blocks.append(Heading(str(entry.phase)))
            if lines:
                blocks.append(Items(lines))
            blocks += _as_published(entry.table)
        blocks.append(Paragraph(Sentence("now", phase=self.phase, n=len(self.alive), names=self.alive)))
        if self._complete:
            blocks.append(Paragraph(Sentence("handout-mark", version=PAGES)))
        title = Sentence("what-is-known", n=len(self.owners), player=self.player)
        return Document(title, tuple(blocks))

    @property
    def _complete(self) -> bool:
        """Whether nothing is unknown, as it may be in a typed sheet."""
        rows = chain.from_iterable(table.rows for table in self.tables)
        rounded = any(isinstance(cell, Rounded) for row in rows for cell in row)
        return not rounded and not any(entry.unsaid for entry in self.entries)

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
        found: Table = provided("table_told")(self, columns, reading, timeout)
        return found

    @property
    def words(self) -> Vocabulary:
        """The names and words that questions in English are about; its owner says "I"."""
        return replace(vocabulary(self.setup, self.numbers), asker=self.player)

    def ask(
        self,
        question: FormulaLike,
        *,
        given: FormulaLike | None = None,
        reading: Reading = "facts",
        timeout: float | None = None,
    ) -> GameAnswer:
        """Return whether a formula is true in all, none or some of the worlds the owner considers possible.

        About the owner's own knowledge the answer is that of `QuantumWerewolf.ask`; `given`, `reading` and
        `timeout` as there. Questions in English are asked by the owner: "am I a wolf?"

        >>> from kripke_werewolf import QuantumWerewolf
        >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1).vision("Ann", "Bo", result="wolf")
        >>> sheet = game.handout("Ann")
        >>> print(sheet.ask("K_Ann (seer_Ann -> wolf_Bo)"), sheet.ask("wolf_Bo"))
        yes in 2 of 5 worlds
        """
        found: GameAnswer = provided("ask")(self, question, given=given, reading=reading, timeout=timeout)
        return found

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
        group, cards = len(self.owners) > 1, {name: role for name, role in self.cards if name in self.owners}
        found: dict[str, Any] = {"format": FORMAT, "version": VERSION}
        found |= {"player": list(self.owners) if group else self.player, "settings": self.setup.to_dict()}
        if self.numbers:
            found["number"] = self._by_owner(dict(self.numbers))
        if cards:
            found |= {"card": self._by_owner(cards), "pack": dict(self.pack)}
        if self.table is not None:
            found["table"] = self.table.to_dict()
        return {**found, "phases": [self._written(entry) for entry in self.entries]}

    def _by_owner(self, values: Mapping[str, object]) -> object:
        """Return the value of the owner, or if they are several, those of each."""
        if len(self.owners) > 1:
            return values
        return next(iter(values.values()), [])

    def _written(self, entry: Entry) -> dict[str, Any]:
        phase, timed = entry.phase, [action for action, *_ in self.setup.deck.timed]
        asked = {name: [action for action in timed if (name, action) in entry.asked] for name in self.owners}
        found: dict[str, Any] = {
            "phase": as_data(phase),
            "asked": self._by_owner(asked),
            "events": [event.to_dict() for event in entry.events],
        }
        if entry.chances:
            rows = {n: {c: json_value(v, "fractions") for c, v in row} for n, row in entry.chances}
            found["chances"] = self._by_owner(rows)
        if declared(self.setup).news and entry.shown is not None:
            found["shown"] = sorted(map(list, entry.shown))
        if any(entry.acted):
            found["acted"] = [sorted(map(list, moves)) for moves in entry.acted]
        if entry.table is not None:
            found["table"] = entry.table.to_dict()
        return found

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Told:
        """Return the handout written by `to_dict`; raise FormatError for anything else."""
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            raise FormatError(f"a handout has the format {FORMAT!r}")
        if data.get("version") != VERSION:
            raise FormatError(f"version {data.get('version')!r} of handouts is unknown (known: {VERSION})")
        try:
            setup = public_setup(data["settings"])
            named = data["player"] if isinstance(data["player"], list) else [data["player"]]
            owners = tuple(setup.name_of(str(name)) for name in named if name != "")
            numbers = _each(owners, data.get("number", {} if owners[1:] else None))
            cards = {**data.get("pack", {}), **(_each(owners, data["card"]) if "card" in data else {})}
            known = {setup.name_of(name): _card(role, setup) for name, role in cards.items()}
            return Told(
                setup,
                owners,
                tuple(pair for name in owners for pair in _read_number(numbers.get(name), setup, name)),
                tuple((name, known[name]) for name in setup.players if name in known),
                _read_table(data.get("table"), setup),
                tuple(_read(item, setup, owners) for item in data["phases"]),
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


def dead_in(events: Iterable[ev.Event]) -> tuple[str, ...]:
    """Return the official deaths among some events, in order."""
    return tuple(event.player for event in events if isinstance(event, ev.OfficialDeath))


def _each(owners: Sequence[str], values: Any) -> dict[str, Any]:
    """Return the values written by `_by_owner`, by owner."""
    if len(owners) < 2:
        return dict.fromkeys(owners, values)
    return {name: values[name] for name in owners if name in values}


def _read(data: Mapping[str, Any], setup: Setup, owners: Sequence[str]) -> Entry:
    phase = Phase(**data["phase"])
    if not isinstance(phase.position, int) or phase.kind != setup.phase_at(phase.position):
        raise FormatError(f"the phase {data['phase']!r} is not one of the rules {setup.rules.name!r}")
    asked = [(name, action) for name, actions in _each(owners, data["asked"]).items() for action in actions]
    for _, action in chain(asked, *data.get("acted", ())):
        check_possible("action", action, [known for known, *_ in setup.deck.timed])
    events = tuple(ev.Event.from_dict(item) for item in data["events"])
    for name in chain.from_iterable(event.named for event in events):
        setup.seat(name)
    ends = next((i for i, event in enumerate(events) if isinstance(event, ev.PhaseEnded)), len(events))
    silent: list[list[object]] = [[] for event in events[:ends] if not ev.is_action(event)]
    acted = data.get("acted", silent)
    if len(acted) != len(silent):
        raise FormatError(f"{phase}: 'acted' has {len(acted)} entries for {len(silent)} events between moves")
    rows = _each(owners, data["chances"]).items() if "chances" in data else ()
    news = data.get("shown", None if declared(setup).news else ())  # older versions told none
    if news is not None:
        news = frozenset((n and setup.name_of(n), word, setup.name_of(t)) for n, word, t in news)
    return Entry(
        phase=phase,
        asked=frozenset(asked),
        chances=tuple(
            (n, tuple((c, None if v is None else Fraction(v)) for c, v in row.items())) for n, row in rows
        ),
        shown=news,
        events=events,
        acted=tuple(frozenset((str(name), action) for name, action in moves) for moves in acted),
        table=_read_table(data.get("table"), setup),
    )


def _read_table(data: Mapping[str, Any] | None, setup: Setup) -> Table | None:
    """Return a table, if there is one; raise FormatError if it is not about these players."""
    if data is None:
        return None
    table = Table.from_dict(data)
    if sorted(table.labels) != sorted(setup.rows):
        rows, given = ", ".join(setup.rows), ", ".join(table.labels)
        raise FormatError(f"the rows of a table are {rows} here, not {given}")
    for column in table.columns:
        check_possible("column", column, tuple(declared(setup).columns))
    return table


def _read_number(number: object, setup: Setup, player: str) -> tuple[tuple[str, int], ...]:
    if number is None and not setup.numbers_hidden:
        return ()
    if type(number) is not int or not 1 <= number <= len(setup.players) or not setup.numbers_hidden:
        raise FormatError(f"{number!r} cannot be the player's own number here")
    return ((player, number),)


# --- what tables and notices say ------------------------------------------------------------------


def _cells_of(game: Declared, table: Table) -> Iterator[tuple[str, str, str, Cell]]:
    """Yield row, column, fact and value of every cell; of a typed entry the value if it is exact."""
    for label, row in zip(table.labels, table.rows, strict=True):
        for column, value in zip(table.columns, row, strict=True):
            if isinstance(value, Rounded):
                value = value.low if value.low == value.high else None
            yield label, column, game.fact(column), value


def published_cells(known: Told, place: int) -> list[tuple[str, str, str, Cell]]:
    """Return the cells of the table after a phase, without deaths as long as nobody can be dead in secret."""
    done = known.entries[: place + 1]
    table = (known.table, *(entry.table for entry in done))[-1]
    if table is None:
        return []
    attacks, game = any("attack" in known.setup.actions(entry.phase) for entry in done), declared(known.setup)
    mortal = game.mortal and attacks
    return [cell for cell in _cells_of(game, table) if mortal or cell[2] != "dead"]


def certain_facts(known: Told, place: int) -> dict[Formula, str]:
    """Return the certain facts in the table after a phase (-1: at the start), each with its entry in words.

    In an anonymous table these are the owners' own rows, as far as they say that they are alive: for their
    roles see `roles_left`.
    """
    found: dict[Formula, str] = {}
    rows, hidden = {str(number): name for name, number in known.numbers}, known.setup.numbers_hidden
    if not hidden:
        rows = {name: name for name in known.setup.players}
    for label, column, fact, value in published_cells(known, place):
        if label not in rows or value not in (0, 1) or (hidden and (value or fact != "dead")):
            continue
        name = rows[label]
        true: Formula = Atom(f"{fact}_{name}")
        words = f"{name} is {column} with certainty (100%)"
        if fact == "good" and known.setup.deck.plain:
            true = ~Atom(f"{WOLF}_{name}")
        if not value:
            true, words = negated(true), f"{name} is not {column} with certainty (0%)"
        found.setdefault(true, words)
    return found


def roles_left(known: Told, player: str, place: int | None) -> frozenset[str]:
    """Return the roles that an owner may have as far as they were told, before a phase or by now."""
    setup, left = known.setup, frozenset(known.setup.deck.roles)
    entries, number, game = known.entries[:place], str(dict(known.numbers).get(player)), declared(setup)
    tables = (known.table, *(entry.table for entry in entries))
    if setup.deck.changing:  # only what is said of the present cards
        entries, tables = known.entries[-1 if place is None else place :][:1], tables[-1:]
    cells = (cell for table in tables if table is not None for cell in _cells_of(game, table))
    news = [(column, value) for row, column, _, value in cells if row == number]
    for entry in entries:
        news += dict(entry.chances).get(player, ())
        for event in entry.events:
            if isinstance(event, ev.Notice) and event.player == player:
                left = frozenset(role for role in left if event.role in (role, setup.deck.kind(role)))
    for column, value in news:
        roles = game.roles(game.columns[column])
        if column != "dead" and value == 1:
            left &= roles
        elif column != "dead" and value == 0:
            left -= roles
    return left


def surely(known: Told, place: int, player: str, kind: Schema) -> bool:
    """Whether everybody knows that there is a world of a kind, by a player's card, as a phase begins.

    There is one in a later table; or there was one at the start, or in an earlier table, and nothing since
    can have removed it.
    """
    setup, game = known.setup, declared(known.setup)
    if setup.sample is not None or not by_cards(game, kind):
        return setup.sample is None and not place
    roles = game.roles(kind)
    for at, entry in reversed([*enumerate(known.entries)]):
        for name, column, fact, value in published_cells(known, at):
            if name == player and value and fact != "dead" and game.roles(game.columns[column]) <= roles:
                return True
        events = (event for event in entry.events if not ev.is_action(event))
        if at < place and any(event.model(setup, frozenset(), frozenset()) is not None for event in events):
            return False
        if at < place and not all(keeps(game, game.acts[act], kind) for act in setup.actions(entry.phase)):
            return False
    return any(map(setup.deck.cards, roles))


@lru_cache(maxsize=64)
def tellable(setup: Setup) -> tuple[frozenset[str], ...]:
    """Return the sets of roles that players may be told are left to them; the first contains all."""
    rules, everything, game = setup.rules, frozenset(setup.deck.roles), declared(setup)
    if setup.deal == "classical":
        return (everything,)
    facts = {game.roles(where) for _, where in game.notices}
    if (setup.numbers_hidden and rules.table_at) or rules.told == "probabilities":
        columns = [game.roles(game.columns[c]) for c in game.headings if c != "dead"]
        facts |= {part for roles in columns for part in (roles, everything - roles)}
    found = {everything}
    for fact in facts:
        found |= {roles & fact for roles in found}
    return (everything, *sorted(found - {everything, frozenset()}, key=sorted))


# --- made from a game ----------------------------------------------------------------------------


def told(
    game: ev.Played, *players: str | int, only: Container[int] | None = None, full: bool = False
) -> Told:
    """Return everything that some players were told together; without players, what everybody was told.

    `only`: as if only the first events had happened, by their numbers (from 1). The messages after a complete
    step, such as the table and those at the beginning of the next phase, belong to its last event. `full`:
    with the secrets of the game master.
    """
    setup, number = game.setup, 0
    known = told_first(setup, game.states[0])
    for step, before, state in zip(game.steps, game.states, game.states[1:], strict=False):
        happened = tuple(e for n, e in enumerate(step, number + 1) if only is None or n in only)
        if not happened:
            break
        number += len(step)
        known = told_next(known, setup, happened, before, state, whole=len(happened) == len(step))
    return known if full else known.of(*map(setup.name_of, players))


def screen(game: ev.Played) -> Document:
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
    if dead:
        lists.append(Sentence("who-is-dead", names=dead))
    blocks: list[Block] = [Paragraph(sequence(*lists))]
    for table in known.tables[-1:]:
        blocks += _as_published(table, exact=False)
    if said := tuple(chain.from_iterable(known.told)):
        blocks.append(Items(said))
    title = known.phase if known.verdict is None else Sentence("over")
    return Document(title, tuple(blocks))


def told_first(setup: Setup, state: State) -> Told:
    """Return everything about a game before its first move, with all secrets."""
    players = setup.players
    numbers = tuple(zip(players, setup.numbers, strict=True)) if setup.numbers_hidden else ()
    cards = tuple(zip(players, setup.roles or (), strict=False))
    table, first = announced_table(setup, (), state, state), _begun(setup, state)
    return Told(setup.public, players, numbers, cards, table, (first,))


def told_next(
    known: Told, setup: Setup, step: ev.Step, before: State, state: State, *, whole: bool = True
) -> Told:
    """Return everything about a game after another step.

    `setup`: all settings; `whole`: whether the step is complete, with the messages after it.
    """
    *entries, now = known.entries
    for event in step:
        if not (ev.is_action(event) or isinstance(event, ev.PhaseEnded) or now.ended):
            now = replace(now, acted=(*now.acted, frozenset(now.moves)))
        now = replace(now, events=(*now.events, event))
    now = replace(now, events=ev.in_seat_order(setup, now.events))
    if not whole:
        return replace(known, entries=(*entries, replace(now, cut=True)))
    entries.append(replace(now, table=announced_table(setup, step, before, state)))
    if state.phase != before.phase:
        entries.append(_begun(setup, state))
    return replace(known, entries=tuple(entries))


def _begun(setup: Setup, state: State) -> Entry:
    """Return the entry of a new phase, with the messages at its beginning."""
    chances = tuple(own_chances(setup, state).items())
    return Entry(state.phase, state.entitled, chances=chances, shown=state.shown)


def own_chances(setup: Setup, state: State) -> dict[str, Row]:
    """Return the probabilities that the living are told about themselves in this phase, if any are told."""
    told = setup.rules.told == "probabilities" and setup.deal == "quantum"
    if not told or not setup.actions(state.phase) or state.verdict is not None:
        return {}
    headings = declared(setup).headings
    rows = zip(setup.players, state.chances(headings, public=True), strict=True)
    return {name: tuple(zip(headings, row, strict=True)) for name, row in rows if name in state.alive}
