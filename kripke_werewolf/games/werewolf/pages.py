"""Printed handouts read back: `read_page(str(told)) == told`.

A page is read by the sentences that print it: each event that players may see is printed with places for
players and words, and a line that fits is this event. What was read is printed again and compared, so a page
is read as it was printed, or refused with its first other line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from html import unescape
from itertools import product, zip_longest
from typing import Any, NoReturn, TypeAlias, TypeVar

from kripke_werewolf.base.errors import GameError, KripkeError, UnknownNameError
from kripke_werewolf.base.reports.tables import Cell
from kripke_werewolf.base.settings import from_data, types_of
from kripke_werewolf.base.wording import Sentence
from kripke_werewolf.games.werewolf import events as ev
from kripke_werewolf.games.werewolf.declarations import declared
from kripke_werewolf.games.werewolf.roles import ROLES, SEER, VILLAGER, WOLF, Role
from kripke_werewolf.games.werewolf.rules import PRESETS, Rules
from kripke_werewolf.games.werewolf.setup import Phase, Setup, public_setup
from kripke_werewolf.games.werewolf.table import Table
from kripke_werewolf.games.werewolf.told import PAGES, Entry, Moves, Row, Told, as_percentage

T = TypeVar("T")
Patterns: TypeAlias = Sequence[tuple[re.Pattern[str], ev.Event]]
"""Sentences, each with the event that it is about; the groups are the fields that it fills."""
News: TypeAlias = frozenset[tuple[str, str, str]]
Line: TypeAlias = tuple[int, str]
"""The number of a line, and its text."""

PAGE = re.compile(r"^(?:.{0,4}\(kripke-werewolf handout |\d+ players under the rules )", re.MULTILINE)
"""The beginning of a line that pages have and typed sheets have not."""
PHASE = re.compile(r"(?:night|day) \d+(?:, \w+)?")
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


class LineReader:
    """Reads lines one by one; errors are about the line of this `number`."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.number, self.lines, self.rest = 1, lines, [*lines]
        self.given = dict[str, Line]()
        """The settings, each with the number of its line."""

    def fail(self, message: str) -> NoReturn:
        """Raise GameError."""
        raise GameError(message)

    def next(self) -> str:
        """Return the next line."""
        if not self.rest:
            self.fail("the text ends too early")
        self.number, line = self.rest.pop(0)
        return line

    def turns_in_words(self, setup: Setup) -> Mapping[str, tuple[str, str]]:
        """Return the players, who may be hidden, with each action, by their words."""
        players = (*setup.players, "") if setup.deal == "classical" else setup.players
        turns = product(players, (action for action, *_ in setup.deck.timed))
        return {
            Sentence("left-out", player=p, hidden=not p, action=action): (p, action) for p, action in turns
        }


class PageReader(LineReader):
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
        rest = self.rest = [*self.lines[:-1]]
        found = self._head(self.next(), self.next(), self.next())
        table, entries = self._table(found), list[Entry]()
        while rest and not rest[0][1].startswith("Now: "):
            entries.append(self._entry(found, entries))
        found = replace(found, table=table, entries=tuple(entries))
        if found.verdict is None and rest and rest[0][1].startswith(f"Now: {self._phase(found, entries)}. "):
            found = replace(found, entries=(*entries, self._entry(found, entries, heading=False)))
        self._compare(found)
        return found

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

    # phases

    def _phase(self, found: Told, entries: Sequence[Entry]) -> Phase:
        return found.setup.phase_after(entries[-1].phase if entries else None)

    def _entry(self, found: Told, entries: Sequence[Entry], *, heading: bool = True) -> Entry:
        """Return the phase whose heading comes next, or one about which nothing was said yet."""
        setup, phase = found.setup, self._phase(found, entries)
        if heading and self.next() != str(phase):
            self.fail(f"the phase {str(phase)!r} is expected here")
        dead = replace(found, entries=tuple(entries)).dead
        living = [name for name in found.owners if name not in dead]
        asked = {*product(living, setup.actions(phase))}
        turn_lines = {
            found.to(name, Sentence(kind, action=action)): (kind, (name, action))
            for (name, action), kind in product(asked, ("asked-for", "you-are-passed-over", "not-asked"))
        }
        events, acted, moved = list[ev.Event](), list[Moves](), Moves()
        shown = _carried(found, entries[-1:], living)
        chances, turns = dict[str, list[str]](), self.turns_in_words(setup)
        end, over = ev.PhaseEnded(phase.kind, phase.number), False
        for line in self._items() if heading else ():
            if line in turn_lines:
                kind, turn = turn_lines[line]
                if kind == "not-asked":
                    asked.remove(turn)
            elif (news := read_news(found, line, living)) is not None:
                shown = with_news(shown, *news)
            elif line.startswith("In fractions: "):
                [*chances.values()][-1].append(line)
            elif said := _fits(Sentence("acted-by-then", who=[place("who")]), line):
                moved = frozenset(_listed(said["who"], turns))
            elif line.startswith(end.in_public()):
                over, missing = True, line.removeprefix(end.in_public()).removesuffix(".")
                events.append(replace(end, missing=_listed(missing, turns)))
            elif (event := read_event(line, _patterns(setup, found.owners), setup)) is not None:
                events.append(event)
                if not (over or ev.is_action(event)):
                    acted.append(moved)
            else:
                owner, shares = self._chances(found, line)
                chances[owner] = [shares]
        if ev.Collapsed() in events and isinstance(last := events[-1], ev.GameEnded):
            events[-1] = replace(last, forced=True)
        return Entry(
            phase,
            frozenset(asked),
            chances=tuple((owner, _row(*said)) for owner, said in chances.items()),
            shown=shown,
            events=ev.in_seat_order(setup, events),
            acted=tuple(acted),
            table=self._table(found),
        )

    def _chances(self, found: Told, line: str) -> tuple[str, str]:
        """Return an owner, and their chances in words."""
        told = ((n, found.to(n, Sentence("chances-at-first", chances=place("value")))) for n in found.owners)
        for owner, text in told:
            if said := _fits(text, line):
                return owner, said["value"]
        return self.fail(f"cannot read {line!r}")

    # tables

    def _table(self, found: Told) -> Table | None:
        """Return the table that comes next, if there is one."""
        setup, rows = found.setup, list[list[str]]()
        kind, columns = "number" if setup.numbers_hidden else "player", declared(setup).headings
        empty = Table((), columns, (), None, heading=kind)
        if not self.rest or self.rest[0][1].split() != [*empty.grid().header]:
            return None
        self.next()
        for _ in setup.rows:
            rows.append(self.next().rsplit(None, len(columns))[1:])
        note, worlds, fractions = "", None, ""
        while self.rest and not re.match(rf"\* |Now: |{PHASE.pattern}$", self.rest[0][1]):
            line = self.next()
            if said := re.fullmatch(r"Left: (.+) worlds?\.", line):
                worlds = int(re.sub(r"\D", "", said[1]))
            elif line.startswith("In fractions: "):
                fractions = line
            else:
                note = line
        cells, width = _cells([cell for row in rows for cell in row], fractions), len(columns)
        values = tuple(tuple(cells[start : start + width]) for start in range(0, len(cells), width))
        return Table(setup.rows, columns, values, worlds, note, kind)


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
    markdown = text.lstrip("\ufeff\n").startswith("# ")
    lines = []
    for number, raw in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
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


def _cells(shown: Sequence[str], fractions: str) -> list[Cell]:
    """Return the values of percentages, exact if fractions are given for them."""
    exact = {text: values.split(", ") for text, values in re.findall(r"(\S+) is ([\d/, ]+)", fractions)}
    found = list[Cell]()
    for text in shown:
        if values := exact.get(text):
            found.append(Fraction(values.pop(0) if len(values) > 1 else values[0]))
        else:
            found.append(None if text == "?" else as_percentage(text))
    return found


def _carried(found: Told, before: Sequence[Entry], living: Sequence[str]) -> News:
    """Return the news of the phase before that stays as it was unless a page says more."""
    asked = {news.word for news in declared(found.setup).news if news.asked}
    shown = (one for entry in before for one in entry.shown or ())
    return frozenset(one for one in shown if one[0] in ("", *living) and one[1] not in asked)


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


def _row(shares: str, fractions: str = "") -> Row:
    """Return an owner's chances by column."""
    items = [share.rpartition(" ") for share in shares.split(", ")]
    return tuple(
        zip((column for column, _, _ in items), _cells([cell for *_, cell in items], fractions), strict=True)
    )


# --- sentences -----------------------------------------------------------------------------------


def place(name: str) -> str:
    """Return a place for a word in a sentence."""
    return f"\ue000{name}\ue001"


def _pattern(text: str, words: Mapping[str, str]) -> re.Pattern[str]:
    """Return the pattern of a sentence with places; `words`: the patterns at places, if not for any words."""

    def group(place: re.Match[str]) -> str:
        return f"(?P<{place[1]}>{words.get(place[1], '.+')})"

    return re.compile(re.sub("\ue000(.+?)\ue001", group, re.escape(text)))


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


def as_patterns(setup: Setup, said: Iterable[tuple[str, ev.Event]]) -> Patterns:
    """Return sentences with places for the players and words of a game."""
    player = _any_of(setup.players)
    names = dict.fromkeys(_PLAYERS, player) | dict.fromkeys(_LISTS, f"{player}(?:(?:, | and ){player})*")
    found = []
    for text, event in said:
        words = dict.fromkeys(WORDS, _any_of(words_of(setup, event)))
        found.append((_pattern(text, names | words), event))
    return found


@lru_cache(maxsize=64)
def _patterns(setup: Setup, owners: tuple[str, ...]) -> Patterns:
    return as_patterns(setup, printed_events(setup, owners))


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
