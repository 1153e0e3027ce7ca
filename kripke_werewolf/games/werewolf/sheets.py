"""A player's sheet as a short text typed by hand.

The head gives the settings, one `key: value` per line; then come the phases, each under its name as the
program prints it, with one sentence per line, and with tables:

>>> sheet = read_sheet('''
... rules: cisra
... players: Ann, Bo, Cy, Di
... wolves: 1
... you: Bo
... number: 2
...
... night 1, visions
...   you look at Ann: good
...   table
...     number  evil
...     1       25%
...     2       38%
...     3       25%
...     4       1/8
... ''')
>>> sheet.player, sheet.entries[0].table["2", "evil"].text
('Bo', '38%')

`#` begins a comment. Missing information is unknown, except that notices not mentioned were not given. The
page on file formats lists everything that is read; anything else is refused.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from fractions import Fraction
from functools import reduce
from typing import Any

from kripke_werewolf.base.errors import FormatError, KripkeError, check_known
from kripke_werewolf.base.files import parse_json, read_text, unmarked
from kripke_werewolf.base.reports.tables import Cell, Rounded
from kripke_werewolf.base.settings import as_data, read_value, types_of
from kripke_werewolf.base.wording import Sentence
from kripke_werewolf.games.werewolf import events as ev
from kripke_werewolf.games.werewolf import pages
from kripke_werewolf.games.werewolf.log import FORMAT
from kripke_werewolf.games.werewolf.roles import Deck, Role
from kripke_werewolf.games.werewolf.rules import OLDER, Rules, preset, words_for
from kripke_werewolf.games.werewolf.setup import Setup, check_names, public_setup
from kripke_werewolf.games.werewolf.table import Table
from kripke_werewolf.games.werewolf.told import UNKNOWN, Told

_EXAMPLES = {"rules": "cisra", "players": "Ann, Bo, Cy", "wolves": "1", "you": "Ann", "number": "1"}
"""What the head must have; a number if the table goes by number."""
_KEYS = (*_EXAMPLES, "seers", "targets", "cards", *sorted(types_of(Rules).keys() - {"name"}))
_SHORTER = {
    " and see: ": ": ",
    " and see nothing": ": nothing",
    " and was a ": ": ",
    "; winners: ": ": ",
    ", who is a wolf in every world where you are the leading wolf": "",
    "Nothing can change any more; one": "One",
    "Only one role is left for you": "You are told",
}
"""What may be typed for words of the printed sentences."""


def read_sheet(text: str, *, source: str = "", roles: Iterable[Role] = ()) -> Told:
    """Return the evidence in a typed sheet, or in a printed page.

    `source`: the name of the text in errors, such as that of its file; `roles`: those of your own among the
    cards. Raises FormatError with the line.
    """
    reader = pages.PageReader(text) if pages.PAGE.search(text) else _Reader(text, roles)
    try:
        return reader.told()
    except KripkeError as error:
        line, _ = reader.given.get(str(error).partition("=")[0], (reader.number, ""))  # of an invalid setting
        where = ", ".join(filter(None, (source, f"line {line}")))
        raise FormatError(f"{where}: {error}") from None


def load_sheet(path: str, *, roles: Iterable[Role] = ()) -> Told:
    """Return the evidence in a file: a handout as JSON, or a typed sheet with `roles` of your own.

    Raises `FormatError`, and `OSError` if the file cannot be read.
    """
    text = read_text(path)
    if text.startswith(f'{{"format": "{FORMAT}"'):
        raise FormatError(
            f"{path}: the log of a game, not the sheet of one player; `game handout {path} --player NAME "
            f"--json` writes such a sheet, and `ask {path} … --reading exact` asks about the game itself"
        )
    if not path.endswith(".json"):
        return read_sheet(text, source=path, roles=roles)
    data = parse_json(text, path)
    try:
        return Told.from_dict(data)
    except FormatError as error:
        raise FormatError(f"{path}: {error}") from None


class _Reader(pages.SentenceReader):
    """Reads a sheet line by line."""

    def __init__(self, text: str, roles: Iterable[Role] = ()) -> None:
        super().__init__(_lines(text))
        self.roles = tuple(roles)

    def told(self) -> Told:
        """Return everything that the sheet says."""
        self._head()
        self._settings()
        while self.rest:
            line = self.next()
            if line == str(self.following):
                self.begin()
            elif line == "table":
                self._table()
            elif line:
                self._sentence(line)
        return self.all()

    # the head

    def _head(self) -> None:
        while self.rest and (said := re.fullmatch(r"(?:(\w+): *(.*))?", self.rest[0][1])):
            self.next()
            key, value = said.groups()
            if key in self.given:
                self.fail(f"{key!r} is given twice")
            if key is not None:
                check_known(key, _KEYS, kind="setting", place="the head")
                self.given[key] = self.number, value

    def _setting(self, key: str) -> str:
        """Return a setting that the head must have; later errors are about its line."""
        if key not in self.given:
            self.number = 1
            self.fail(f"the head lacks {key!r}: add a line such as '{key}: {_EXAMPLES[key]}'")
        self.number, value = self.given[key]
        return value

    def _settings(self) -> None:
        types = types_of(Deck) | types_of(Rules)
        given = {key: read_value(text, types.get(key)) for key, (_, text) in self.given.items()}
        options = {key: value for key, value in given.items() if key in types_of(Rules)}
        settings: dict[str, Any] = {key: given[key] for key in ("wolves", "seers", "targets") if key in given}
        phases, name = {line.partition(",")[0] for _, line in self.rest}, self._setting("rules")
        if name in OLDER and ("night 0" in phases or ("day 2" in phases and "day 1" not in phases)):
            options = {"first_number": OLDER[name].first_number, "number_rises_at": "vote", **options}
        rules, listed = preset(name, **options), self._setting("players")
        players = listed.split(", ")
        if re.fullmatch(r"\d\d?", listed):  # they go by their numbers
            rules, players = replace(rules, table="open"), [*map(str, range(1, int(listed) + 1))]
        elif len(players) < 2:
            self.fail(f"{listed!r} is neither a list such as 'Ann, Bo, Cy' nor a number of players up to 99")
        settings |= {"rules": rules, "players": check_names(players)}
        if "cards" in given:
            settings["cards"] = pages.cards_in_words(self._setting("cards"), self.roles)
            settings["declared"] = [as_data(role) for role in self.roles]
        self._setting("wolves")
        setup = public_setup(settings)
        self.me = setup.name_of(self._setting("you"))
        known = Told(setup, (self.me,))
        if setup.numbers_hidden:
            number = check_known(self._setting("number"), setup.rows, kind="number")
            known = replace(known, numbers=((self.me, int(number)),))
        self.typed = tuple(_typed(setup, self.me))
        self.start(known, self.typed)
        self.of_chances.append(
            (self.me, known.to(self.me, Sentence("your-chances", chances=pages.place("value"))))
        )

    # phases and sentences

    def _sentence(self, line: str) -> None:
        """Read a sentence, which may begin with a small letter and lack the full stop."""
        sentence = line if line.endswith(".") else f"{line}."
        if not any(map(self.read, (sentence, sentence[:1].upper() + sentence[1:]))):
            forms = {said: said for said in (*self.own_turns, "End of the phase.")}
            forms |= {re.sub("\ue000.+?\ue001", "", t): _shown(self.setup, t, e) for t, e in self.typed}
            near = " or ".join(repr(forms[said]) for said in get_close_matches(line, forms, 2, 0))
            self.fail(
                f"cannot read {line!r}; nearest to it is {near} (players: {', '.join(self.setup.players)}); "
                f"the next phase is {str(self.following)!r}, and 'table' begins a table"
            )

    def turn(self, turn: pages.Turn, said: str, *targets: str) -> None:
        """Note what is said about an action, if it can be taken, and not twice."""
        now, (player, action) = self.now, turn
        if action not in self.setup.actions(now.phase):
            self.fail(f"there is no {action} in {now.phase}")
        for name in sorted({player, *targets} & now.dead):
            if said != "not-asked":
                self.fail(f"{name} has been dead since line {self.dead[name]}")
        again = now.said.get(turn) == said == "you-are-passed-over"  # a handout says this twice
        if now.said.get(turn, "asked-for") != "asked-for" and not again:
            self.fail(f"the {action} of {player} in {now.phase} is given twice")
        if said == "you-are-passed-over" and not self.game.acts[action].compulsory:
            self.fail(f"the {action} may be declined here, so nobody is passed over")
        now.ended = now.ended or said == "you-are-passed-over"
        super().turn(turn, said)

    def during(self, event: ev.Event) -> bool:
        """Whether an event was before the end of the phase; what can only be after it ends the phase."""
        now = self.now
        late = isinstance(event, ev.FoundDead) and self.setup.rules.verdict_at_vote == "before deaths"
        voted = now.phase.kind == "vote" and bool(now.events) and not late
        early = isinstance(event, ev.Acted | ev.Declined | ev.Refused | ev.VotedOff)
        early |= not now.ended and (isinstance(event, ev.Said) or voted)
        now.ended |= not early
        return early

    def note(self, event: ev.Event, said: str) -> None:
        """Note an event, if it can happen now."""
        now, vote = self.now, self.now.phase.kind == "vote"
        match event:
            case ev.Acted(actor, _, action=action):
                self.turn((actor, action), "taken", *event.targets)
                act = self.game.acts[action]
                if actor in event.targets and not act.on_self:
                    self.fail(f"nobody can {words_for(action).do} themselves here")
                always = act.pool == "true" and self.setup.rules.acting_order != "random"
                if actor == self.me and act.shows and event.result is None and always:
                    self.fail("every vision shows something here (vision_worlds: alive allows 'nothing')")
                target, *other = act.in_order(event.targets, self.setup.seat)
                event = replace(event, target=target, other="".join(other))
            case ev.Declined(actor, action):
                self.turn((actor, action), "taken")
            case ev.OfficialDeath(player):
                if vote and " died" in said:
                    self.fail(f"write '{player} was voted off' or '{player} was found dead', not 'died'")
                if not vote and isinstance(event, ev.VotedOff):
                    self.fail(f"there is no vote in {now.phase}")
                if player in self.dead:
                    self.fail(f"{player} has been dead since line {self.dead[player]}")
        super().note(event, said)

    # tables

    def cells(self, texts: Sequence[str]) -> list[Cell]:
        """Return the values of some entries, which may be rounded or missing."""
        found = list[Cell]()
        for text in texts:
            try:
                found.append(None if text == "-" else read_entry(text, self.number))
            except ValueError:
                self.fail(f"{text!r} is not a probability: write 8%, 7.7%, 1/13, 0.08, <1%, or - if missing")
        return found

    def _table(self) -> None:
        """Read a table; it ends with an empty line, or with the name of a phase."""
        headings, worlds = tuple[str, ...](), None
        rows = dict[str, tuple[Cell, ...]]()
        while self.rest and self.rest[0][1] and not pages.PHASE.fullmatch(self.rest[0][1]):
            line = self.next()
            if said := re.fullmatch(r"worlds: (\d+)", line):
                worlds = int(said[1])
            elif not headings:
                first, *named = line.split()
                check_known(first, ("number", "player"), kind="first heading of a table")
                headings = self.columns(named)
            else:
                label, cells = self.row(line, len(headings))
                if label in rows:
                    self.fail(f"the row {label!r} is given twice")
                rows[label] = tuple(self.cells(cells))
        if not headings:
            self.fail("a table needs a line of headings: number evil dead")
        table = Table(tuple(rows), headings, tuple(rows.values()), worlds, heading=self.label)
        self.publish(table)


def _typed(setup: Setup, viewer: str) -> Iterator[tuple[str, ev.Event]]:
    """Yield the sentences of a sheet with places, as printed and shorter, each with the event it is about."""
    for text, event in pages.printed_events(setup, (viewer,)):
        yield text, event
        short = reduce(lambda said, words: said.replace(*words), _SHORTER.items(), text)
        if isinstance(event, ev.Declined):
            do = words_for(event.action).do.removesuffix(" at")
            short = f"You do not {do}." if event.actor == viewer else f"{pages.place('actor')} does not {do}."
        elif isinstance(event, ev.Acted) and event.result:
            yield short.partition(": ")[0] + ".", replace(event, result=UNKNOWN)
        elif isinstance(event, ev.VotedOff | ev.FoundDead):
            yield short.replace(" is ", " was "), event
            yield short.replace(" is found dead", " died"), event
        yield short, event


def _shown(setup: Setup, text: str, event: ev.Event) -> str:
    """Return a sentence with what may stand in its places."""
    words = dict.fromkeys(pages.WORDS, " or ".join(pages.words_of(setup, event)))
    return re.sub("\ue000(.+?)\ue001", lambda place: words.get(place[1], "NAME"), text)


def _lines(text: str) -> list[pages.Line]:
    r"""Return the lines of a sheet with their numbers, without comments, bullets and further blanks.

    >>> _lines("night 1\n# in the dark\n* You look at  Ann and see: good.  # really")
    [(1, 'night 1'), (3, 'You look at Ann and see: good.')]
    """
    text = unicodedata.normalize("NFC", unmarked(text))
    parts = ((number, *line.partition("#")[:2]) for number, line in enumerate(text.splitlines(), 1))
    kept = ((number, said.split()) for number, said, comment in parts if said.strip() or not comment)
    return [(number, " ".join(words).removeprefix("* ")) for number, words in kept]


def read_entry(text: str, line: int) -> Rounded:
    """Return a typed entry; both ends of the interval are included if it is rounded.

    0 and 100% are exact, and so are fractions. Raises ValueError for anything but a probability.

    >>> entry = read_entry("25%", 1)
    >>> str(entry.low), str(entry.high), str(read_entry("1/13", 2).low)
    ('49/200', '51/200', '1/13')
    """
    said = re.fullmatch(r"([<>]?)(\d+(?:\.\d+)?|\d+/[1-9]\d*)(%?)", text)
    if said is None:
        raise ValueError(text)
    sign, number, percent = said.groups()
    unit = Fraction(1, 100) if percent else Fraction(1)
    value, half = Fraction(number) * unit, unit / (2 * 10 ** len(number.partition(".")[2]))
    least = Fraction(1, 10**12)  # less than any share of worlds: a rounded number never means certainty
    low, high = max(value - half, least), min(value + half, 1 - least)
    if sign:
        low, high = (least, value) if sign == "<" else (value, 1 - least)
    elif "/" in number or value in (0, 1):
        low = high = value
    if not 0 <= low <= high <= 1:
        raise ValueError(text)
    return Rounded(low, high, text, line)
