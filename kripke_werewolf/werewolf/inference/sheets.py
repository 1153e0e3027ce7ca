"""A player's sheet as a short text typed by hand.

The head gives the settings, one `key: value` per line; then come the phases in order, each under its name,
with one sentence per line and with tables:

>>> sheet = read_sheet('''
... rules: cisra
... players: Ann, Bo, Cy, Di
... wolves: 1
... you: Bo
... number: 2
...
... night 0, visions
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
page on file formats lists all keys and sentences.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from itertools import takewhile
from math import ceil, floor
from typing import Any, NoReturn

from kripke_werewolf.errors import FormatError, KripkeError, did_you_mean
from kripke_werewolf.reports.tables import Cell, Rounded, counted
from kripke_werewolf.werewolf.events import (
    Attack,
    Collapsed,
    Declined,
    Event,
    FoundDead,
    GameEnded,
    Notice,
    PhaseEnded,
    Refused,
    Vision,
    VotedOff,
    in_seat_order,
)
from kripke_werewolf.werewolf.roles import SEER, Role
from kripke_werewolf.werewolf.rules import ACTION_WORDS, FACTS, Action, Rules, preset
from kripke_werewolf.werewolf.rules import Shown as Announced
from kripke_werewolf.werewolf.setup import Phase, Setup, check_names, public_setup
from kripke_werewolf.werewolf.state import compulsory
from kripke_werewolf.werewolf.table import Table
from kripke_werewolf.werewolf.told import UNKNOWN, Entry, Told

_SETTINGS = ("rules", "players", "wolves", "seers", "targets", "you", "number")
_NEEDED = ("rules", "players", "wolves", "you")
_MISSING = ("-", "?", "…")
_OPTIONS = {f.name for f in fields(Rules)} - {"name"}


def read_sheet(text: str, *, source: str = "") -> Told:
    """Return the evidence in a typed sheet.

    `source`: the name of the text in errors, such as that of its file. Raises FormatError with the line.
    """
    return _Reader(text, source).told()


@dataclass
class _Phase:
    """The content of a phase read so far."""

    phase: Phase
    dead: frozenset[str]
    """The players officially dead at its beginning."""
    moves: dict[tuple[str, Action], Event | None] = field(default_factory=dict)
    """The known moves; None: not asked."""
    passed: list[tuple[str, Action]] = field(default_factory=list)
    refused: list[Event] = field(default_factory=list)
    after: list[list[Event]] = field(default_factory=list)
    """Each vote with its consequences; the last list: those of the end of the phase."""
    table: Table | None = None
    chances: tuple[tuple[str, Cell], ...] = ()
    ended: bool = False


class _Reader:
    """Reads a sheet line by line."""

    def __init__(self, text: str, source: str) -> None:
        self.source, self.number = source, 0
        text = unicodedata.normalize("NFC", text.removeprefix("\ufeff"))
        lines = (line.split("#", 1)[0].strip() for line in text.splitlines())
        self.lines = list(enumerate((re.sub(r"(?<=\d)\s+%", "%", line) for line in lines), 1))
        self.given: dict[str, tuple[int, str]] = {}
        self.phases: list[_Phase] = []
        self.first: list[Table] = []
        self.dead: dict[str, int] = {}
        """The players officially dead, each with the line of their death."""
        self.over = 0
        """The line with the verdict, or 0."""
        self.announced: list[frozenset[Role]] = []
        """For each death with an announcement the roles that it allows."""

    def fail(self, message: str, line: int | None = None) -> NoReturn:
        where = f"line {line or self.number}"
        raise FormatError(f"{self.source}, {where}: {message}" if self.source else f"{where}: {message}")

    def told(self) -> Told:
        rest = self._head()
        self.setup, self.viewer, own = self._settings()
        self.sentences = self._patterns()
        while rest:
            self.number, line = rest.pop(0)
            if not line:
                continue
            if line.casefold() == "table":
                self._table(rest)
            elif not self._heading(line):
                self._sentence(line)
        numbers = () if own is None else ((self.viewer, own),)
        first = self.first[-1] if self.first else None
        return Told(
            self.setup, (self.viewer,), numbers, table=first, entries=tuple(map(self._entry, self.phases))
        )

    # the head

    def _head(self) -> list[tuple[int, str]]:
        for position, (number, line) in enumerate(self.lines):
            self.number = number
            key, colon, value = line.partition(":")
            key = key.strip().casefold()
            if line and (not colon or key not in (*_SETTINGS, *_OPTIONS)):
                if colon and not self.given.keys() >= set(_NEEDED):
                    hint = did_you_mean(key, (*_SETTINGS, *_OPTIONS))
                    self.fail(f"unknown setting {key!r}{hint} (a sheet needs {', '.join(_NEEDED)})")
                return self.lines[position:]
            if line:
                if key in self.given:
                    self.fail(f"{key!r} is given twice")
                self.given[key] = number, value.strip()
        return []

    def _settings(self) -> tuple[Setup, str, int | None]:
        for needed in _NEEDED:
            if needed not in self.given:
                self.fail(f"the head lacks {needed!r}", line=1)
        players = re.split(r"\s*,\s*", self.given["players"][1])
        by_number = len(players) == 1 and players[0].isdecimal()
        if not by_number and len(players) == 1 and re.fullmatch(r"[-+−]?\d[\d.]*", players[0]):
            self.fail(f"{players[0]!r} is not a number of players", self.given["players"][0])
        if by_number:
            if not 1 <= int(players[0][:5]) <= 100:
                self.fail(f"{players[0]} players are not from 1 to 100", self.given["players"][0])
            players = [str(number) for number in range(1, int(players[0]) + 1)]
        options = {k: self._value(v) for k, (_, v) in self.given.items() if k in _OPTIONS}
        data: dict[str, Any] = {"players": players}
        for key in ("wolves", "seers"):
            if key in self.given:
                self.number, value = self.given[key]
                if not value.isdecimal():
                    self.fail(f"{value!r} is not a number of {key}")
                data[key] = int(value)
        if "targets" in self.given:
            data["targets"] = self.given["targets"][1]
        self.number = self.given["rules"][0]
        try:
            rules = preset(self.given["rules"][1], **options)
            if by_number:  # the players go by their numbers
                rules = replace(rules, table="open")
            self.number = self.given["players"][0]
            check_names(players)
            self.number = self.given["wolves"][0]
            setup = public_setup({**data, "rules": rules})
        except KripkeError as error:
            key = str(error).partition("=")[0]  # an option with an invalid value
            self.fail(str(error), self.given[key][0] if key in options else None)
        self.number, you = self.given["you"]
        viewer = self._named(you, setup)
        if not setup.numbers_hidden:
            return setup, viewer, None
        if "number" not in self.given:
            self.fail(f"the tables of the rules {rules.name!r} go by number; say which is yours (number: 3)")
        self.number, own = self.given["number"]
        if not own.isdecimal() or not 1 <= int(own) <= len(players):
            self.fail(f"{own!r} is not a number from 1 to {len(players)}")
        return setup, viewer, int(own)

    def _value(self, text: str) -> object:
        words = {"true": True, "false": False, "yes": True, "no": False}
        if text.casefold() in words:
            return words[text.casefold()]
        if text.isdecimal():
            return int(text)
        return tuple(re.split(r"\s*,\s*", text.removesuffix(","))) if "," in text else text

    def _named(self, name: str, setup: Setup) -> str:
        if name not in setup.players:
            hint = did_you_mean(name, setup.players)
            self.fail(f"unknown player {name!r}{hint} (known: {', '.join(setup.players)})")
        return name

    # phases

    def _heading(self, line: str) -> bool:
        phase = self._next_phase()
        if line.casefold() == str(phase):
            if self.over:
                self.fail(f"the game is over since line {self.over}; no phase follows")
            if self.phases:
                self.phases[-1].ended = True
            self.phases.append(_Phase(phase, frozenset(self.dead)))
            self.phases[-1].after.append([])
            return True
        if re.fullmatch(r"(night|day) \d+(, \w+)?", line.casefold()):
            self.fail(f"the phase {line!r} does not come here; the next one is {str(phase)!r}")
        return False

    def _next_phase(self) -> Phase:
        if not self.phases:
            return Phase(self.setup.phase_at(0), self.setup.rules.first_number, 0)
        return self.setup.phase_after(self.phases[-1].phase)

    @property
    def _now(self) -> _Phase:
        if not self.phases:
            self.fail(f"the first phase is missing: {str(self._next_phase())!r}")
        return self.phases[-1]

    # sentences

    def _patterns(self) -> list[tuple[re.Pattern[str], Callable[..., None]]]:
        names = "|".join(map(re.escape, sorted(self.setup.players, key=len, reverse=True)))
        who, word = rf"({names}|.+?)", r"(?:(?::| and was)\s*(.+?))?"
        why = "(?:, who is a wolf in every world where you are the dominant wolf)?"
        tied = r"(?:the vote is tied between .+; the lot decides\. )?"
        phase = r"((?:night|day) \d+(?:, \w+)?)"
        table: list[tuple[str, Callable[..., None]]] = [
            (r"you are not asked for (?:a |an )?(vision|attack)", self._not_asked),
            (rf"you cannot attack {who}{why}", self._refused),
            (r"you are passed over: you had an? (vision|attack)", lambda a: self._passed(self.viewer, a)),
            (r"(?:you are told|only one role is left for you): (.+)", self._told),
            (r"your chances(?: at its beginning)?: (.+)", self._chances),
            (r"(?:nothing can change any more; )?one world is drawn", self._collapsed),
            (r"the (village|wolves) wins?(?:(?:: |; winners: )(.+))?", self._ended),
            (rf"end of (?:the phase|{phase})", self._over),
            (rf"(?:end of {phase}\. )?passed over: (.+)", self._all_passed),
            (rf"{tied}{who} (?:is|was) voted off{word}", self._voted),
            (rf"{who} (?:is|was) found dead{word}", self._found),
            (rf"{who} (?:(?:does|do) not look|(?:does|do) without the vision)", self._declined),
            (rf"{who} looks? at {who}(?:(?::| and see:?)\s*(.+?))?", self._looked),
            (rf"{who} attacks? {who}", lambda p, t: self._moved(p, "attack", t)),
        ]
        return [(re.compile(pattern, re.IGNORECASE), done) for pattern, done in table]

    def _sentence(self, line: str) -> None:
        for pattern, done in self.sentences:
            if found := pattern.fullmatch(line.rstrip(".")):
                done(*found.groups())
                return
        expected = f"a phase ({str(self._next_phase())!r}), 'table', or a sentence like 'you look at …: good'"
        self.fail(f"cannot read {line!r}; expected {expected}")

    def _player(self, name: str) -> str:
        return self.viewer if name.casefold() == "you" else self._named(name, self.setup)

    def _turn(self, player: str, action: Action, *, idle: bool = False, passed: bool = False) -> str:
        """Return the player who has an action; reject it if they cannot, or not twice."""
        player, now = self._player(player), self._now
        if action not in self.setup.actions(now.phase):
            self.fail(f"there is no {action} in {now.phase}")
        if player in now.dead and not idle:
            self.fail(f"{player} cannot act in {now.phase}: {player} is dead since line {self.dead[player]}")
        if player != self.viewer and self.setup.targets != "public" and not passed:
            self.fail(
                f"others' moves are secret here, so nobody is told that {player} has a move (targets: public)"
            )
        turn = player, action
        if turn in now.moves or (turn in now.passed and not passed):  # a handout says the latter twice
            self.fail(f"the {action} of {player} in {now.phase} is given twice")
        return player

    def _moved(self, player: str, action: Action, target: str, result: str | None = None) -> None:
        actor, whom = self._player(player), self._player(target)
        if action in self.setup.actions(self._now.phase) and actor not in self._now.dead:
            self._check_target(actor, action, whom)
        self._turn(actor, action)
        made = Attack(actor, whom) if action == "attack" else Vision(actor, whom, result)
        self._now.moves[actor, action] = made

    def _check_target(self, player: str, action: Action, target: str) -> None:
        rules, now = self.setup.rules, self._now
        if target in now.dead:
            since = f"{target} is dead since line {self.dead[target]}"
            self.fail(f"{player} cannot {ACTION_WORDS[action].do} {target} in {now.phase}: {since}")
        option = "vision_self" if action == "vision" else "attack_self"
        if target == player and not getattr(rules, option):
            self.fail(f"nobody can {ACTION_WORDS[action].do} themselves here ({option}: true allows it)")

    def _not_asked(self, action: str) -> None:
        kind = self._action(action)
        self._now.moves[self._turn(self.viewer, kind, idle=True), kind] = None

    def _declined(self, player: str) -> None:
        name = self._turn(player, "vision")
        self._now.moves[name, "vision"] = Declined(name, "vision")

    def _passed(self, player: str, word: str) -> None:
        action = self._action(word)
        if not compulsory(self.setup, action):
            self.fail(f"the {action} may be declined here, so nobody is passed over (you do not look)")
        turn = self._turn(player, action, passed=True), action
        self._now.passed += [turn] if turn not in self._now.passed else []
        self._now.ended = True

    def _all_passed(self, phase: str | None, listed: str) -> None:
        self._over(phase)
        for item in re.split(r"(?<=\))\s*,\s*", listed):
            found = re.fullmatch(r"(.+?) \((vision|attack)\)", item, re.IGNORECASE)
            if found is None:
                self.fail(f"{item!r} is not a player with an action, such as 'Bo (vision)'")
            self._passed(found[1], found[2])

    def _action(self, word: str) -> Action:
        return "vision" if word.casefold() == "vision" else "attack"

    def _looked(self, player: str, target: str, result: str | None) -> None:
        own = self._player(player) == self.viewer
        if result is not None and not own:
            self.fail("only your own visions show you something")
        shown = None if result in (None, "nothing") else self._label(result, self.setup.rules.vision_shows)
        self._moved(player, "vision", target, UNKNOWN if own and result is None else shown)
        if result is not None:
            self._check_result(self._player(target), shown)

    def _check_result(self, target: str, result: str | None) -> None:
        """Reject a result of the viewer's vision that no deal of the cards allows."""
        rules, deck = self.setup.rules, self.setup.deck
        if result is None:
            if rules.vision_worlds != "alive" and rules.acting_order != "random":
                self.fail("every vision shows something here (vision_worlds: alive allows 'nothing')")
            return
        possible = [
            label
            for label, roles in rules.labels(rules.vision_shows, deck).items()
            if (SEER in roles if target == self.viewer else any(deck.cards(r) > (r == SEER) for r in roles))
        ]
        if result not in possible:
            self.fail(
                f"a seer who looks at {'themselves' if target == self.viewer else target} cannot see "
                f"{result!r} with these cards (possible: {', '.join(possible)})"
            )

    def _label(self, word: str, shown: Any) -> str:
        labels = self.setup.rules.labels(shown, self.setup.deck)
        if word.casefold() not in labels:
            self.fail(f"{word!r} is not said here (possible: {', '.join(labels)})")
        return word.casefold()

    def _dies(self, player: str, word: str | None, shown: Announced) -> None:
        """Note a death; reject it if the player is dead already, or if there are not enough such cards."""
        if player in self.dead:
            self.fail(f"{player} is dead already, since line {self.dead[player]}")
        self.dead[player] = self.number
        if word is None:
            return
        deck, roles = self.setup.deck, self.setup.rules.labels(shown, self.setup.deck)[word]
        self.announced.append(roles)
        dead = sum(one <= roles for one in self.announced)
        cards = sum(deck.cards(role) for role in roles)
        if dead > cards:
            self.fail(f"{counted(dead, 'dead player')} cannot be {word!r}: {counted(cards, 'such card')}")

    def _refused(self, target: str) -> None:
        if not self.setup.rules.attack_must_be_possible:
            self.fail(f"the rules {self.setup.rules.name!r} refuse no attack for a secret reason")
        self._check_target(self.viewer, "attack", self._player(target))
        self._now.refused.append(Refused(self.viewer, self._player(target)))

    def _voted(self, player: str, said: str | None) -> None:
        if self._now.phase.kind != "vote":
            self.fail(f"there is no vote in {self._now.phase}")
        word = None if said is None else self._label(said, self.setup.rules.announce_vote)
        self._dies(self._player(player), word, self.setup.rules.announce_vote)
        self._now.after.insert(-1, [VotedOff(self._player(player), announced=word)])

    def _found(self, player: str, said: str | None) -> None:
        word = None if said is None else self._label(said, self.setup.rules.announce_found)
        self._dies(self._player(player), word, self.setup.rules.announce_found)
        self._follow(FoundDead(self._player(player), announced=word))

    def _told(self, role: str) -> None:
        roles = self.setup.deck.roles if self.setup.rules.told == "role" else ("villager", "seer", "wolf")
        if self.setup.rules.told not in ("role", "kind") or role not in roles:
            self.fail(f"nobody is told {role!r} here (possible: {', '.join(roles)})")
        self._follow(Notice(self.viewer, role))

    def _collapsed(self) -> None:
        self._follow(Collapsed())

    def _ended(self, side: Any, names: str | None) -> None:
        won = tuple(self._player(name) for name in re.split(r"\s*,\s*", names)) if names else ()
        self.over = self.number
        self._follow(GameEnded(side, winners=won))

    def _over(self, phase: str | None) -> None:
        if phase is not None and phase.casefold() != str(self._now.phase):
            self.fail(f"{phase!r} cannot end here; the phase is {str(self._now.phase)!r}")
        self._now.ended = True

    def _follow(self, event: Event) -> None:
        now = self._now
        nightfall = isinstance(event, FoundDead) and self.setup.rules.verdict_at_vote == "before deaths"
        voted = now.phase.kind == "vote" and len(now.after) > 1 and not now.ended and not nightfall
        now.after[-2 if voted else -1].append(event)
        now.ended = now.ended or not voted

    # tables

    def _chances(self, text: str) -> None:
        if self.setup.rules.told != "probabilities":
            self.fail(f"the rules {self.setup.rules.name!r} tell nobody their chances (told: probabilities)")
        row = self.viewer if not self.setup.numbers_hidden else self.given["number"][1]
        cells = []
        for item in re.split(r"\s*,\s*", text):
            heading, _, value = item.rpartition(" ")
            cells.append((heading, self._cell(row, heading, value)))
        self._now.chances = tuple(cells)

    def _table(self, rest: list[tuple[int, str]]) -> None:
        start, headings, worlds = self.number, tuple[str, ...](), None
        rows: dict[str, tuple[Cell, ...]] = {}
        while rest:
            number, line = rest[0]
            words = line.split()
            if not words or (headings and not self._is_row(words, headings)):
                break
            self.number = number
            rest.pop(0)
            if words[0].casefold() == "worlds:":
                if len(words) != 2 or not words[1].isdecimal():
                    self.fail("the number of worlds is a whole number: worlds: 13")
                worlds = int(words[1])
            elif not headings:
                headings = self._headings(words)
            else:
                label, values = self._row(words, headings)
                if label in rows:
                    self.fail(f"the row {label!r} is given twice")
                cells = zip(headings, values, strict=True)
                rows[label] = tuple(self._cell(label, heading, value) for heading, value in cells)
        self.number = start
        if not headings:
            self.fail("a table needs a line of headings: number evil dead")
        kind = "number" if self.setup.numbers_hidden else "player"
        table = Table(tuple(rows), headings, tuple(rows.values()), worlds, heading=kind)
        self._check_sums(table)
        if worlds is not None:
            self._check_shares(table, worlds)
        if self.phases:
            self.phases[-1].ended = True
            self.phases[-1].table = table
        else:
            self.first.append(table)

    def _is_row(self, words: list[str], headings: tuple[str, ...]) -> bool:
        """Whether a line below the headings is a row: by its last entry, or by its label and length."""
        label = " ".join(words[: -len(headings)])
        labels = (
            map(str, range(1, len(self.setup.players) + 1))
            if self.setup.numbers_hidden
            else self.setup.players
        )
        if label in labels and not any(pattern.fullmatch(" ".join(words)) for pattern, _ in self.sentences):
            return True
        return _is_entry(words[-1]) and not re.fullmatch(r"(?i)(night|day) \d+(, \w+)?", " ".join(words))

    def _headings(self, words: list[str]) -> tuple[str, ...]:
        if words[0].casefold() not in ("number", "player"):
            self.fail("the first heading of a table is 'number' or 'player'")
        for heading in words[1:]:
            if heading not in FACTS:
                hint = did_you_mean(heading, FACTS)
                self.fail(f"unknown column {heading!r}{hint} (known: {', '.join(FACTS)})")
            if words.count(heading) > 1:
                self.fail(f"the column {heading!r} is given twice")
        return tuple(words[1:])

    def _row(self, words: list[str], headings: tuple[str, ...]) -> tuple[str, list[str]]:
        label, values = " ".join(words[: -len(headings)]), words[-len(headings) :]
        entries = len(list(takewhile(_is_entry, reversed(words[1:]))))
        if not label or (label not in self.setup.players and entries > len(headings)):
            self.fail(
                f"the row {words[0]!r} has {entries} {'entry' if entries == 1 else 'entries'} for "
                f"{counted(len(headings), 'column')}; write - for a missing one"
            )
        if self.setup.numbers_hidden:
            if not label.isdecimal() or not 1 <= int(label) <= len(self.setup.players):
                self.fail(f"the row {label!r} is not a number from 1 to {len(self.setup.players)}")
            return str(int(label)), values
        return self._named(label, self.setup), values

    def _cell(self, row: str, heading: str, text: str) -> Cell:
        if text in _MISSING:
            return None
        if heading not in FACTS:
            self.fail(f"unknown column {heading!r} (known: {', '.join(FACTS)})")
        try:
            low, high = interval(text)
        except (ValueError, ZeroDivisionError):
            self.fail(
                f"the entry {row} {heading} {text!r} is not a probability: "
                "write 8%, 7.7%, 1/13, 0.08, or - if it is missing"
            )
        return Rounded(low, high, text, self.number)

    def _check_shares(self, table: Table, worlds: int) -> None:
        """Reject entries that are not shares of the announced number of worlds."""
        for row, heading, cell in _entries(table):
            if FACTS[heading] == "dead" and self.setup.rules.attack == "fractional":
                continue
            if ceil(cell.low * worlds) > floor(cell.high * worlds):
                share = f"is not a share of {counted(worlds, 'world')}"
                self.fail(f"the entry {row} {heading} {cell.text} {share}", cell.line)

    def _check_sums(self, table: Table) -> None:
        """Reject rows whose roles cannot add up to 1, and columns that cannot add up to their cards."""
        for label in table.labels:
            row = {FACTS[h]: (h, cell) for name, h, cell in _entries(table) if name == label}
            for facts in (("good", "wolf"), ("villager", "seer", "wolf")):
                found = [row[fact] for fact in facts if fact in row]
                low, high = sum(c.low for _, c in found), sum(c.high for _, c in found)
                if low > 1 or (len(found) == len(facts) and high < 1):
                    entries = " and ".join(f"{h} {c.text}" for h, c in found)
                    self.fail(f"the entries of {label} do not add up to 100%: {entries}", found[0][1].line)
        deck = self.setup.deck
        for heading in (h for h in table.columns if FACTS[h] != "dead"):
            column = [(name, cell) for name, h, cell in _entries(table) if h == heading]
            wanted = deck.cards(FACTS[heading])
            low, high = sum(c.low for _, c in column), sum(c.high for _, c in column)
            if low > wanted or (len(column) == deck.players and high < wanted):
                entries = ", ".join(f"{name} {cell.text}" for name, cell in column)
                self.fail(
                    f"the entries of the column {heading!r} do not add up to {wanted * 100}%, "
                    f"which is {counted(wanted, 'card')}: {entries}",
                    column[-1][1].line,
                )

    # all of it

    def _entry(self, now: _Phase) -> Entry:
        """Return the entry of a phase; own actions that the sheet does not mention are left open."""
        actions, kind = self.setup.actions(now.phase), now.phase.kind
        own = [(self.viewer, action) for action in actions if self.viewer not in now.dead]
        made = [event for event in now.moves.values() if event is not None]
        acted = [turn for turn in own if now.moves.get(turn) is not None or turn in now.passed]
        missing = [(n, a) for n in self.setup.players for a in actions if (n, a) in now.passed]
        *votes, end = now.after
        events = [
            *in_seat_order(self.setup, [*made, *now.refused]),
            *(event for vote in votes for event in vote),
        ]
        if now.ended and not any(isinstance(event, GameEnded) for event in events):
            events += [PhaseEnded(kind, now.phase.number, tuple(missing)), *end]
        return Entry(
            now.phase,
            asked=frozenset(acted),
            unsaid=frozenset(turn for turn in own if turn not in now.moves and turn not in now.passed),
            chances=((self.viewer, now.chances),) if now.chances else (),
            events=tuple(events),
            acted=tuple(frozenset[tuple[str, Action]]() for vote in votes for _ in vote),
            table=now.table,
        )


def _entries(table: Table) -> Iterator[tuple[str, str, Rounded]]:
    """Yield row, column and entry of all that is given in a typed table."""
    for label in table.labels:
        for heading, cell in table.row(label).items():
            if isinstance(cell, Rounded):
                yield label, heading, cell


def _is_entry(word: str) -> bool:
    return word in _MISSING or re.fullmatch(r"[<>]?[\d./]+%?", word) is not None


def interval(text: str) -> tuple[Fraction, Fraction]:
    """Return the interval of probabilities denoted by a string; both ends are included if rounded.

    0 and 100% are exact, and so are fractions. Raises ValueError for anything but a probability.

    >>> interval("25%") == (Fraction(245, 1000), Fraction(255, 1000)), interval("1/13"), interval("0%")
    (True, (Fraction(1, 13), Fraction(1, 13)), (Fraction(0, 1), Fraction(0, 1)))
    """
    if not _is_entry(text):
        raise ValueError(text)
    percent = text.endswith("%")
    number = text.removesuffix("%")
    unit = Fraction(1, 100) if percent else Fraction(1)
    least = Fraction(1, 10**12)  # less than any share of worlds
    if number[:1] in "<>" and number:
        value = Fraction(number[1:]) * unit
        low, high = (least, value) if number[0] == "<" else (value, 1 - least)
    else:
        value = Fraction(number) * unit
        exact = "/" in number or value in (0, 1)
        decimals = len(number.partition(".")[2])
        half = Fraction(0) if exact else unit / (2 * 10**decimals)
        low, high = max(value - half, Fraction(0)), min(value + half, Fraction(1))
        if not exact:  # a rounded number never means certainty
            low, high = max(low, least), min(high, 1 - least)
    if not 0 <= low <= high <= 1:
        raise ValueError(text)
    return low, high
