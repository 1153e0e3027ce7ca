"""Printed handouts read back: `read_page(str(told)) == told`.

A page is read by the sentences that print it: each event that players may see is printed with places for
players and words, and a line that fits is this event. What was read is printed again and compared, so a page
is read as it was printed, or refused with its first other line.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache, reduce
from html import unescape
from itertools import islice, product, zip_longest
from typing import Any, NoReturn, TypeAlias, TypeVar

from kripke_werewolf.base.errors import GameError, KripkeError, UnknownNameError, check_known
from kripke_werewolf.base.files import unmarked
from kripke_werewolf.base.reports.tables import Cell, counted
from kripke_werewolf.base.settings import from_data, types_of
from kripke_werewolf.base.wording import Sentence
from kripke_werewolf.games.werewolf import events as ev
from kripke_werewolf.games.werewolf.declarations import declared
from kripke_werewolf.games.werewolf.roles import ROLES, SEER, VILLAGER, WOLF, Action, Role
from kripke_werewolf.games.werewolf.rules import PRESETS, Rules
from kripke_werewolf.games.werewolf.setup import Phase, Setup, public_setup
from kripke_werewolf.games.werewolf.table import Table
from kripke_werewolf.games.werewolf.told import PAGES, Entry, Moves, Row, Told, as_percentage

T = TypeVar("T")
Patterns: TypeAlias = Sequence[tuple[re.Pattern[str], ev.Event]]
"""Sentences, each with the event that it is about; the groups are the fields that it fills."""
News: TypeAlias = frozenset[tuple[str, str, str]]
Turn: TypeAlias = tuple[str, Action]
Line: TypeAlias = tuple[int, str]
"""The number of a line, and its text."""

PAGE = re.compile(r"^(?:.{0,4}\(kripke-werewolf handout |\d+ players under the rules )", re.MULTILINE)
"""The beginning of a line that pages have and typed sheets have not."""
PHASE = re.compile(r"(?:night|day) \d+(?:, \w+)?")
_OLDER = {
    "chances at its beginning:": "chances at the start:",
    "does without the ": "declines the ",
    "do without the ": "decline the ",
    "you are the dominant wolf": "you are the leading wolf",
}
"""Words of older pages and sheets, with those of today."""
_BULLET = "* "
_PLAYERS = ("actor", "target", "other", "player", "speaker")
"""The fields of events with one player."""
_LISTS = ("tied", "to", "winners")
WORDS = ("announced", "result", "role")
"""The fields of events with a word about a card."""
_SETTINGS = re.compile(
    r"\d+ players under the rules ['‘’](?P<rules>.+?)['‘’]: (?P<cards>.+?); "
    r"(?P<deal>\w+) deal, (?P<targets>\w+) targets.*"
)


@dataclass
class Noted:
    """The content of a phase read so far."""

    phase: Phase
    dead: frozenset[str]
    """The players officially dead at its beginning."""
    shown: News
    """The news at its beginning; what nobody mentions is as in the phase before."""
    said: dict[Turn, str]
    """What is said about actions: `asked-for`, `taken`, `not-asked` or `you-are-passed-over`."""
    chances: dict[str, Row] = field(default_factory=dict)
    events: list[ev.Event] = field(default_factory=list)
    """Moves and refusals, or votes with their consequences."""
    acted: list[Moves] = field(default_factory=list)
    """For each of these that is not an action, the players seen to have acted by then."""
    moved: Moves = frozenset()
    """The players seen to have acted so far."""
    missing: Sequence[Turn] = ()
    """The turns that were passed over, as the end of the phase names them."""
    end: list[ev.Event] = field(default_factory=list)
    """What followed from the end of the phase."""
    ended: bool = False
    table: Table | None = None


class SentenceReader(ABC):
    """Reads what was told, line by line; errors are about the line of this `number`."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.number, self.lines, self.rest = 1, lines, [*lines]
        self.given = dict[str, Line]()
        """The settings, each with the number of its line."""
        self.phases: list[Noted] = []
        self.dead: dict[str, int] = {}
        """The players officially dead, each with the line of their death."""
        self.over = 0
        """The line with the verdict, or 0."""

    def fail(self, message: str) -> NoReturn:
        """Raise GameError."""
        raise GameError(message)

    def next(self) -> str:
        """Return the next line."""
        if not self.rest:
            self.fail("the text ends too early")
        self.number, line = self.rest.pop(0)
        return line

    def start(self, known: Told, said: Sequence[tuple[str, ev.Event]]) -> None:
        """Begin to read about a game, of which this is known; `said`: the sentences for events."""
        self.known, self.setup, self.game = known, known.setup, declared(known.setup)
        self.label = "number" if self.setup.numbers_hidden else "player"
        self.patterns = _patterns(self.setup, tuple(said))
        chances = Sentence("chances-at-first", chances=place("value"))
        self.of_chances = [(owner, known.to(owner, chances)) for owner in known.owners]
        kinds = product(known.owners, self.game.acts, ("asked-for", "not-asked", "you-are-passed-over"))
        self.own_turns = {known.to(p, Sentence(kind, action=a)): ((p, a), kind) for p, a, kind in kinds}
        hidden = {"classical": ("",), "quantum": ()}[self.setup.deal]
        turns = product((*self.setup.players, *hidden), self.game.acts)
        self.turns: Mapping[str, Turn] = {
            Sentence("left-out", player=p, hidden=not p, action=a): (p, a) for p, a in turns
        }

    # phases

    @property
    def following(self) -> Phase:
        """The phase that comes next."""
        return self.setup.phase_after(self.phases[-1].phase if self.phases else None)

    @property
    def now(self) -> Noted:
        """The phase that is read."""
        if not self.phases:
            self.fail(f"the first phase is missing: {str(self.following)!r}")
        return self.phases[-1]

    def own(self, now: Noted) -> list[Turn]:
        """Return the turns that the owners may have in a phase."""
        living = (name for name in self.known.owners if name not in now.dead)
        return [*product(living, self.setup.actions(now.phase))]

    def begin(self) -> None:
        """Begin the next phase; news that nobody is asked about stays as it was."""
        if self.over:
            self.fail(f"the game has been over since line {self.over}; no phase follows")
        asked = {news.word for news in self.game.news if news.asked}
        shown = (one for phase in self.phases[-1:] for one in phase.shown)
        kept = frozenset(one for one in shown if one[0] not in self.dead and one[1] not in asked)
        self.phases.append(Noted(self.following, frozenset(self.dead), kept, {}))

    def read(self, said: str) -> bool:
        """Read a whole sentence; return whether it is one."""
        said = reduce(lambda text, words: text.replace(*words), _OLDER.items(), said)
        now, ending = self.now, ev.PhaseEnded(self.now.phase.kind, self.now.phase.number).in_public()
        ends = rf"(?:End of the phase\.|{re.escape(ending)})? ?(?:Passed over: (?P<who>.+)\.)?"
        living = [name for name in self.known.owners if name not in now.dead]
        if said in self.own_turns:
            self.turn(*self.own_turns[said])
        elif ended := re.fullmatch(ends, said):
            words = filter(None, (ended["who"] or "").split(", "))
            now.missing = [self.turns[check_known(word, self.turns, kind="turn")] for word in words]
            now.ended = True
            for turn in now.missing:
                self.turn(turn, "you-are-passed-over")
        elif acted := _fits(Sentence("acted-by-then", who=[place("who")]), said):
            now.moved = frozenset(_listed(acted["who"], self.turns))
        elif event := read_event(said, self.patterns, self.setup):
            self.note(event, said)
        elif (news := read_news(self.known, said, living)) is not None:
            now.shown = with_news(now.shown, *news)
        else:
            return any(self._read_chances(owner, _fits(text, said)) for owner, text in self.of_chances)
        return True

    def _read_chances(self, owner: str, said: re.Match[str] | None) -> bool:
        """Note an owner's chances at the beginning of a phase, if a line fits; return whether it does."""
        if said is not None:
            if self.setup.rules.told != "probabilities":
                self.fail(f"the rules {self.setup.rules.name!r} tell nobody chances (told: probabilities)")
            items = [item.rpartition(" ") for item in said["value"].split(", ")]
            cells = self.cells([cell for *_, cell in items])
            self.now.chances[owner] = tuple(zip(self.columns([h for h, *_ in items]), cells, strict=True))
        return said is not None

    def turn(self, turn: Turn, said: str) -> None:
        """Note what is said about an action."""
        self.now.said[turn] = said

    def during(self, event: ev.Event) -> bool:
        """Whether an event was before the end of the phase."""
        return not self.now.ended

    def note(self, event: ev.Event, said: str) -> None:
        """Note an event."""
        now = self.now
        if isinstance(event, ev.OfficialDeath):
            self.dead[event.player] = self.number
        elif isinstance(event, ev.GameEnded):
            self.over = self.number
            event = replace(event, forced=ev.Collapsed() in (*now.events, *now.end))
        if not self.during(event):
            now.end.append(event)
            return
        now.events.append(event)
        if not ev.is_action(event):
            now.acted.append(now.moved)

    # tables

    @abstractmethod
    def cells(self, texts: Sequence[str]) -> list[Cell]:
        """Return the values of some entries."""

    def columns(self, headings: Sequence[str]) -> tuple[str, ...]:
        """Return the headings of columns."""
        for heading in headings:
            check_known(heading, self.game.columns, kind="column")
            if headings.count(heading) > 1:
                self.fail(f"the column {heading!r} is given twice")
        return tuple(headings)

    def row(self, line: str, columns: int) -> tuple[str, list[str]]:
        """Return the label of a row and its entries."""
        labels = [label for label in self.setup.rows if f"{line} ".startswith(f"{label} ")]
        label = max(labels, key=len, default=line.rsplit(None, columns)[0])
        check_known(label, self.setup.rows, kind=self.label)
        cells = line.removeprefix(label).split()
        if len(cells) != columns:
            self.fail(f"{line!r} does not fit {counted(columns, 'column')}; write - for a missing entry")
        return label, cells

    def publish(self, table: Table) -> None:
        """Note a table: before the first phase, or at the end of one, which is over."""
        if not self.phases:
            self.known = replace(self.known, table=table)
        elif self.now.table is not None:
            self.fail(f"a second table in {self.now.phase}; each stands under its own phase")
        else:
            self.now.ended, self.now.table = True, table

    # all of it

    def all(self) -> Told:
        """Return everything that was read."""
        return replace(self.known, entries=tuple(map(self._entry, self.phases)))

    def _entry(self, now: Noted) -> Entry:
        """Return the entry of a phase; what a sheet does not mention of own actions is left open."""
        own, said, events = self.own(now), now.said, now.events
        over = now.ended or now is not self.phases[-1]
        if over and not any(isinstance(event, ev.GameEnded) for event in events):
            missing = now.missing
            if self.setup.deal == "quantum":
                turns = product(self.setup.players, self.setup.actions(now.phase))
                missing = [turn for turn in turns if said.get(turn) == "you-are-passed-over"]
            events = [*events, ev.PhaseEnded(now.phase.kind, now.phase.number, tuple(missing)), *now.end]
        return Entry(
            now.phase,
            frozenset(turn for turn in own if said.get(turn, "not-asked") != "not-asked"),
            frozenset(own) - said.keys(),
            chances=tuple(now.chances.items()),
            shown=now.shown,
            events=ev.in_seat_order(self.setup, events),
            acted=tuple(now.acted),
            table=now.table,
        )


class PageReader(SentenceReader):
    """Reads a printed page."""

    def __init__(self, text: str) -> None:
        super().__init__(_page_lines(text))

    def told(self) -> Told:
        """Return everything that the page says; raise GameError for a page that was not printed so."""
        self._check_mark()
        try:
            return self._told()
        except (ValueError, TypeError, LookupError, ZeroDivisionError) as error:
            if isinstance(error, KripkeError):
                raise
            return self.fail(f"not a line of a printed page: {error}")

    def _told(self) -> Told:
        self.rest = [*self.lines[:-1]]
        known = self._head(self.next(), self.next(), self.next())
        self.start(known, printed_events(known.setup, known.owners))
        header = Table((), self.game.headings, (), None, heading=self.label).grid().header
        while self.rest:
            line = self.next()
            if line.startswith("Now: "):
                if not self.over and line.startswith(f"Now: {self.following}. "):
                    self.begin()
            elif line.split() == [*header]:
                self._table()
            elif line == str(self.following):
                self.begin()
            elif not self.read(line.removeprefix(_BULLET)):
                self.fail(f"cannot read {line!r}; the next phase is {str(self.following)!r}")
        found = self.all()
        self._compare(found)
        return found

    def begin(self) -> None:
        """Begin the next phase, in which the owners were asked for what is not said to be otherwise."""
        super().begin()
        self.now.said.update(dict.fromkeys(self.own(self.now), "asked-for"))

    def _items(self) -> Iterator[str]:
        """Yield the lines of a list."""
        while self.rest and self.rest[0][1].startswith(_BULLET):
            yield self.next().removeprefix(_BULLET)

    def _check_mark(self) -> None:
        self.number, last = self.lines[-1]
        if last != (mark := Sentence("handout-mark", version=PAGES)):
            self.fail(
                f"a printed page ends with the line {str(mark)!r}, not {last!r}: this is a part, or of "
                "another version or language; `game handout LOG --player NAME` writes a page"
            )

    def _compare(self, found: Told) -> None:
        """Refuse a page that is not printed like this."""
        pairs = zip_longest(self.lines, _page_lines(str(found)), fillvalue=(self.number, ""))
        for (self.number, line), (_, printed) in pairs:
            if _plain(line) != _plain(printed):
                self.fail(f"{line!r} is not what the page says here, which is {printed!r}: it was edited")

    # the head

    def _head(self, title: str, rules_and_cards: str, named: str) -> Told:
        said = _SETTINGS.fullmatch(rules_and_cards)
        if said is None:
            self.fail(f"{rules_and_cards!r} does not say the players, the rules and the cards")
        data: dict[str, Any] = {"players": named.removeprefix("Players: ").removesuffix(".").split(", ")}
        options, opening = dict[str, Any](), list[str]()
        for line in self._items():
            key, _, value = line.partition(": ")
            if key in types_of(Rules):
                options[key] = json.loads(value)
            elif key in ("declared", "sample", "numbers", "strict", "players"):
                data[key] = json.loads(value)
            else:
                opening.append(line)
        rules = replace(PRESETS.get(said["rules"], Rules(name=said["rules"])), **options)
        cards = cards_in_words(said["cards"], [from_data(Role, role) for role in data.get("declared", ())])
        cards.pop(VILLAGER, 0)
        settings: dict[str, Any] = {"wolves": cards.pop(WOLF), "seers": cards.pop(SEER, 0), "cards": cards}
        settings |= {"deal": said["deal"], "targets": said["targets"], "rules": rules}
        setup = public_setup(settings | data)
        who = re.sub("^What (.+) knows$", r"\1", title)
        owners = (who,) if who in setup.players else _listed(who, {name: name for name in setup.players})
        return self._opening(Told(setup, owners), opening)

    def _opening(self, found: Told, lines: Sequence[str]) -> Told:
        """Add the messages before the first move: numbers, and cards."""
        setup, numbers, cards = found.setup, dict[str, int](), dict[str, str]()
        names, word = _any_of(setup.players), place("value")
        for line in lines:
            for owner in found.owners:
                if said := _fits(found.to(owner, Sentence("your-number", number=word)), line):
                    numbers[owner] = int(said["value"])
                if said := _fits(found.to(owner, Sentence("your-role", role=word)), line):
                    cards[owner] = said["value"]
            if line.startswith("The other wolves: "):
                wolves = re.findall(rf"({names})(?: \((\w+)\))?(?:, | and |\.$)", line)
                cards |= {name: rank or WOLF for name, rank in wolves}
            if line.startswith("You are told: "):
                cards |= dict(re.findall(rf"({names}) is (.+?)(?=\.$|, {names} is )", line))
        held = tuple((name, cards[name]) for name in setup.players if name in cards)
        return replace(found, numbers=tuple(numbers.items()), cards=held)

    # tables

    def _table(self) -> None:
        """Read a table, of which the headings were read, with what stands below it."""
        columns, worlds, note, fractions = self.game.headings, None, "", ""
        rows = [self.row(self.next(), len(columns)) for _ in self.setup.rows]
        while self.rest and not re.match(rf"\* |Now: |{PHASE.pattern}$", self.rest[0][1]):
            line = self.next()
            if said := re.fullmatch(r"Left: (.+) worlds?\.", line):
                worlds = int(re.sub(r"\D", "", said[1]))
            elif line.startswith("In fractions: "):
                fractions = line
            else:
                note = line
        cells = iter(_cells([cell for _, row in rows for cell in row], fractions))
        values = tuple(tuple(islice(cells, len(columns))) for _ in rows)
        labels = tuple(label for label, _ in rows)
        self.publish(Table(labels, columns, values, worlds, note, self.label))

    def cells(self, texts: Sequence[str]) -> list[Cell]:
        """Return the values of percentages, exact if the next line gives fractions for them."""
        if self.rest and self.rest[0][1].startswith("* In fractions: "):
            return _cells(texts, self.next())
        return _cells(texts, "")


def _cells(texts: Sequence[str], fractions: str) -> list[Cell]:
    """Return the values of percentages, exact if fractions are given for them."""
    exact = {text: values.split(", ") for text, values in re.findall(r"(\S+) is ([\d/, ]+)", fractions)}
    found = list[Cell]()
    for text in texts:
        if values := exact.get(text):
            found.append(Fraction(values.pop(0) if len(values) > 1 else values[0]))
        else:
            found.append(None if text == "?" else as_percentage(text))
    return found


def cards_in_words(listed: str, own: Iterable[Role]) -> dict[str, int]:
    """Return the numbers of cards in a list; `own`: roles that are not in the catalogue.

    >>> cards_in_words("hunter, 2 foxes", ())
    {'hunter': 1, 'fox': 2}
    """
    known = {**ROLES, **{role.name: role for role in own}}
    names = {word: role.name for role in known.values() for word in (role.name, role.several)}
    found: dict[str, int] = {}
    for item in re.split(r"\s*,\s*", listed):
        number, _, name = item.rpartition(" ")
        if name not in names or (number and not number.isdecimal()):
            place = "this line (--roles FILE declares your own)"
            raise UnknownNameError(name if number else item, names, kind="card", place=place)
        found[names[name]] = int(number or 1)
    return found


def _page_lines(text: str) -> list[Line]:
    """Return the lines of a page with their numbers, without rulers and the markup of Markdown."""
    markdown = unmarked(text).lstrip("\n").startswith("# ")
    lines = []
    for number, raw in enumerate(unmarked(text).splitlines(), 1):
        line = raw.strip()
        if markdown:
            line = re.sub(r"^#+ |^\| | \|$", "", line).replace(" | ", "  ")
            line = unescape(re.sub(r"\\(.)", r"\1", line))
        if line and not re.fullmatch(r"=+|[-: ]+", line):
            lines.append((number, line))
    return lines


def _plain(line: str) -> str:
    """Return a line as it is compared: with straight quotes and single blanks."""
    return " ".join(re.sub("[‘’]", "'", line).split())


def read_news(found: Told, line: str, living: Sequence[str]) -> tuple[str, str, tuple[str, ...]] | None:
    """Return the news that a line tells: to whom, the word, and of whom it is true."""
    for news in declared(found.setup).news:
        for hearer in [""] if news.public else living:
            if line == found.told_news(hearer, news.word, ()):
                return hearer, news.word, ()
            if said := _fits(found.told_news(hearer, news.word, [place("names")]), line):
                return hearer, news.word, _listed(said["names"], {name: name for name in found.setup.players})
    return None


def with_news(shown: News, hearer: str, word: str, names: Iterable[str]) -> News:
    """Return the earlier news with that of whom a word is true now."""
    kept = (one for one in shown if one[:2] != (hearer, word))
    return frozenset((*kept, *((hearer, word, name) for name in names)))


# --- sentences -----------------------------------------------------------------------------------


def place(name: str) -> str:
    """Return a place for a word in a sentence."""
    return f"\ue000{name}\ue001"


def _pattern(text: str, words: Mapping[str, str]) -> re.Pattern[str]:
    """Return the pattern of a sentence with places; `words`: the patterns at places, if not for any words."""

    def group(place: re.Match[str]) -> str:
        return f"(?P<{place[1]}>{words.get(place[1], '.+')})"

    said = re.escape(text).replace(r"was\ a\ ", r"was\ (?:a\ )?")  # as "was good", and in older pages
    return re.compile(re.sub("\ue000(.+?)\ue001", group, said))


def _fits(text: str, line: str) -> re.Match[str] | None:
    return _pattern(text, {}).fullmatch(line)


def _any_of(texts: Iterable[str]) -> str:
    return f"(?:{'|'.join(map(re.escape, sorted(texts, key=len, reverse=True)))})"


def _listed(text: str, known: Mapping[str, T]) -> tuple[T, ...]:
    """Return the meanings of the items of a list."""
    return tuple(known[item] for item in re.findall(rf"({_any_of([*known])})(?:, | and |$)", text))


def read_event(line: str, sentences: Patterns, setup: Setup) -> ev.Event | None:
    """Return the event that a line tells."""
    players = {name: name for name in setup.players}
    for pattern, event in sentences:
        if said := pattern.fullmatch(line):
            words: dict[str, Any] = said.groupdict()
            words |= {field: _listed(words[field], players) for field in _LISTS if field in words}
            return replace(event, **words)  # type: ignore[type-var]
    return None


@lru_cache(maxsize=64)
def printed_events(setup: Setup, owners: tuple[str, ...]) -> Sequence[tuple[str, ev.Event]]:
    """Return the sentences, with places, for all events that the owners of a page may see."""
    told, events = Told(setup, owners), tuple(_events(setup, owners))
    heard = ((event.in_full(), event) for event in events if isinstance(event, ev.Said) and event.to)
    found = (*heard, *((told.sentence(event), event) for event in events))
    about = [place(word) for word in WORDS]
    return [one for one in found if words_of(setup, one[1]) or not any(word in one[0] for word in about)]


def words_of(setup: Setup, event: ev.Event) -> tuple[str, ...]:
    """Return the words about a card that an event may have."""
    game = declared(setup)
    says = game.notices
    if isinstance(event, ev.Acted):
        says = game.acts[event.action].shows
    elif isinstance(event, ev.OfficialDeath):
        says = event.declared_in(setup).says
    return tuple(word for word, _ in says)


@lru_cache(maxsize=64)
def _patterns(setup: Setup, said: tuple[tuple[str, ev.Event], ...]) -> Patterns:
    """Return sentences with places for the players and words of a game."""
    player = _any_of(setup.players)
    names = dict.fromkeys(_PLAYERS, player) | dict.fromkeys(_LISTS, f"{player}(?:(?:, | and ){player})*")
    found = []
    for text, event in said:
        words = dict.fromkeys(WORDS, _any_of(words_of(setup, event)))
        found.append((_pattern(text, names | words), event))
    return found


def _events(setup: Setup, owners: Sequence[str]) -> Iterator[ev.Event]:
    """Yield all events that players may see, with places for players and words."""
    game = declared(setup)
    actor, target, player, word = map(place, ("actor", "target", "player", "announced"))
    others = {"classical": ("",), "quantum": (actor,)}[setup.deal] if setup.targets == "public" else ()
    for (action, act), who in product(game.acts.items(), (*owners, *others)):
        other = place("other") if act.two else ""
        results = (place("result"), None) if act.shows and who in owners else (None,)
        yield from (ev.act_of(who, action, target, other, result=result) for result in results)
        yield ev.Declined(who, action)
    for owner in owners:
        yield ev.Notice(owner, place("role"))
        if any(act.refusable for act in game.acts.values()):
            yield ev.Refused(owner, target)
    for named in (word, None):
        yield ev.VotedOff(player, announced=named, tied=(place("tied"),))
        yield ev.VotedOff(player, announced=named)
        yield ev.FoundDead(player, announced=named)
        yield ev.TakenAlong(player, announced=named, actor=actor)
    if game.spared.needs != "false":
        yield from (ev.Spared(player, tied=(place("tied"),)), ev.Spared(player))
    yield ev.Collapsed()
    for verdict, won in product((*(one.verdict for one in game.endings), "draw"), ((place("winners"),), ())):
        yield ev.GameEnded(verdict, winners=won)
    said = ev.Said(place("speaker"), place("formula"))
    yield from (said, replace(said, believed=True))
    for noticed in (True, False):
        yield replace(said, to=(place("to"),), believed=True, noticed=noticed)
