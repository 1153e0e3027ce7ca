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
page on file formats lists all keys and sentences. What can be read in two ways is refused.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import product, takewhile
from math import ceil, floor
from typing import Literal, NoReturn, TypeAlias

from kripke_werewolf.base.errors import (
    FormatError,
    GameError,
    KripkeError,
    check_known,
    did_you_mean,
)
from kripke_werewolf.base.files import parse_json, read_text
from kripke_werewolf.base.reports.tables import Cell, Rounded, counted
from kripke_werewolf.base.settings import as_data, read_value, types_of
from kripke_werewolf.games.werewolf import events as ev
from kripke_werewolf.games.werewolf.declarations import declared
from kripke_werewolf.games.werewolf.log import FORMAT
from kripke_werewolf.games.werewolf.pages import (
    MARK,
    Line,
    PageReader,
    Patterns,
    cards_in_words,
    patterns,
    read_event,
)
from kripke_werewolf.games.werewolf.roles import WOLF, Action, Deck, Role, Words
from kripke_werewolf.games.werewolf.rules import Rules, column_fact, preset, words_for
from kripke_werewolf.games.werewolf.setup import COUNTED, Phase, check_names, public_setup
from kripke_werewolf.games.werewolf.table import Table
from kripke_werewolf.games.werewolf.told import UNKNOWN, Entry, Told

_DEALT = (*COUNTED, "targets", "cards")
_SETTINGS = ("rules", "players", "you", "number", *_DEALT)
_NEEDED = ("rules", "players", "wolves", "you")
_NEEDED_LINES = {"rules": "cisra", "players": "Ann, Bo, Cy", "wolves": "1"}
"""Examples for lines that the head lacks."""
_OPTIONS = types_of(Rules).keys() - {"name"}
_PHASE = r"(?:night|day) \d+(?: ?, ?\w+)?"
_MISSING = ("-", "?", "…")
"""Entries of a table that are not known."""
_BULLET = re.compile(r"^\s*(?:[*•·>]|[-–—](?=\s+\D))\s*")
_CHAT = re.compile(
    r"^(?:\[[^\]]*\d:\d\d[^\]]*\]|[\d./]+,? \d\d?:\d\d(?: [ap]m)? -) *(?:[^:]{1,30}: )?", re.IGNORECASE
)
"""The time and the name before a message that is copied from a chat."""
_RULE = re.compile(r"[\s=_*|:+–—-]*[=_*|+–—-]{2}[\s=_*|:+–—-]*")
_TITLE = re.compile(r"#+\s*(?=what .+ knows$|(?:night|day)\b)", re.IGNORECASE)
_SPOKEN = (
    r"what (?P<you>.+) knows",
    r"(?:i am|i'm|me:|my name:|you are|player:) (?!(?:told|passed|asked|not)\b)(?P<you>.+)",
    r"(?:your|my) number(?: is|:)? ?(?P<number>\d+)",
)
"""The settings in sentences; the groups are the keys."""

Said: TypeAlias = Literal["asked for", "taken", "not asked for", "passed over"]
"""What a sheet says about a player's action; a declined one counts as taken, too."""


def read_sheet(text: str, *, source: str = "", roles: Iterable[Role] = ()) -> Told:
    """Return the evidence in a typed sheet.

    `source`: the name of the text in errors, such as that of its file; `roles`: those of your own among the
    cards. Raises FormatError with the line.
    """
    reader = PageReader(text) if MARK.search(text) else _Reader(text, roles)
    try:
        return reader.told()
    except KripkeError as error:
        line, _ = reader.given.get(str(error).partition("=")[0], (reader.number, ""))  # of an invalid setting
        where = f"{source}, line {line}" if source else f"line {line}"
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


@dataclass
class _Phase:
    """The content of a phase read so far."""

    phase: Phase
    dead: frozenset[str]
    """The players officially dead at its beginning."""
    said: dict[tuple[str, Action], Said] = field(default_factory=dict)
    events: list[ev.Event] = field(default_factory=list)
    """Moves and refusals, or votes with their consequences."""
    end: list[ev.Event] = field(default_factory=list)
    """What followed from the end of the phase."""
    table: Table | None = None
    chances: tuple[tuple[str, Cell], ...] = ()
    ended: bool = False
    short: bool = False
    """Whether it is a part of a night whose heading named no part."""
    nobody: str = ""
    """The way in which nobody died, according to the sheet."""


class _Reader:
    """Reads a sheet line by line; errors are about the line of this `number`."""

    def __init__(self, text: str, roles: Iterable[Role] = ()) -> None:
        self.number, self.roles = 1, tuple(roles)
        self.lines = _sheet_lines(text)
        self.given: dict[str, tuple[int, str]] = {}
        self.numbers: tuple[tuple[str, int], ...] = ()
        self.phases: list[_Phase] = []
        self.first: Table | None = None
        self.dead: dict[str, int] = {}
        """The players officially dead, each with the line of their death."""
        self.over = 0
        """The line with the verdict, or 0."""
        self.announced: list[frozenset[str]] = []
        """For each death with an announcement, the roles that it allows."""

    def fail(self, message: str, line: int | None = None) -> NoReturn:
        self.number = line or self.number
        raise GameError(message)

    def told(self) -> Told:
        rest = self._head()
        self._settings()
        self.sentences, self.others = self._patterns()
        while rest:
            self.number, line = rest.pop(0)
            if re.fullmatch(r"table:?", line, re.IGNORECASE):
                self._table(rest)
            elif self._is_table(line):
                rest.insert(0, (self.number, line))
                self._table(rest)
            elif line and (begun := re.match(rf"({_PHASE})\s*[:–—]\s*(.+)", line, re.IGNORECASE)):
                rest[:0] = [(self.number, begun[1]), (self.number, begun[2])]
            elif line and not self._heading(line.rstrip(".: ")):
                self._sentence(line)
        entries = tuple(map(self._entry, self.phases))
        return Told(self.setup, (self.viewer,), self.numbers, table=self.first, entries=entries)

    # the head

    def _head(self) -> list[Line]:
        for position, (number, line) in enumerate(self.lines):
            self.number = number
            key, colon, value = re.sub(r"^(\w+)\s*=", r"\1:", line).partition(":")
            key, value = key.strip().casefold(), value.strip().rstrip(".")
            known = key in (*_SETTINGS, *_OPTIONS)
            said = {key: value} if colon and known else _spoken_settings(line)
            if re.match(r"\d+ players under the rules ", line):
                self.fail(
                    "a printed page ends with the line '(kripke-werewolf handout 2 en)': without it, this is "
                    "a part, or a page of another version that does not say all rules; type the settings"
                )
            if line and not said:
                begins = re.match(rf"{_PHASE}\s*(?::|$)", line, re.IGNORECASE)  # a phase, perhaps a sentence
                is_setting = colon and " " not in key and begins is None
                if is_setting and not self.given.keys() >= set(_NEEDED):
                    hint = did_you_mean(key, (*_SETTINGS, *_OPTIONS))
                    self.fail(f"unknown setting {key!r}{hint} (a sheet needs {', '.join(_NEEDED)})")
                return self.lines[position:]
            for one, text in said.items():
                if self.given.get(one, (0, text))[1] != text or (one in self.given and known):
                    self.fail(f"{one!r} is given twice")
                self.given[one] = number, text
        return []

    def _setting(self, key: str) -> str:
        """Return a setting of the head; later errors are about its line."""
        self.number, value = self.given[key]
        return value

    def _settings(self) -> None:
        missing = [key for key in _NEEDED if key not in self.given]
        if missing:
            self.fail(self._lacks(missing), line=1)
        types = types_of(Deck) | types_of(Rules)
        given = {key: read_value(text, types.get(key)) for key, (_, text) in self.given.items()}
        settings = {key: value for key, value in given.items() if key in _DEALT}
        if "cards" in settings:
            cards = cards_in_words(self._setting("cards"), self.roles)
            settings |= {"cards": cards, "declared": [as_data(role) for role in self.roles]}
        options = {key: value for key, value in given.items() if key in _OPTIONS}
        players = self._players(self._setting("players"))
        rules = preset(self._setting("rules").casefold(), **options)
        if self._setting("players").isdecimal():  # the players go by their numbers
            rules = replace(rules, table="open")
        check_names(players)
        self._setting("wolves")
        self.setup = public_setup({**settings, "players": players, "rules": rules})
        self.game = declared(self.setup)
        self.nouns = {_noun(action): action for action in self.game.acts}
        self.viewer = self.setup.name_of(self._setting("you"))
        self.kind = "number" if self.setup.numbers_hidden else "player"
        if self.setup.numbers_hidden:
            if "number" not in self.given:
                which = "say which is yours, in a line such as 'number: 1'"
                self.fail(f"the tables of the rules {rules.name!r} go by number; {which}")
            self.numbers = ((self.viewer, int(self._label(self._setting("number")))),)

    def _lacks(self, missing: Sequence[str]) -> str:
        """Return the message that the head lacks settings, with the lines to add."""
        names = self._players(self._setting("players")) if "players" in self.given else ["Ann"]
        lines = [f"{key}: {_NEEDED_LINES.get(key, names[0])}" for key in missing]
        add = "the line" if len(lines) == 1 else "the lines"
        return (
            f"the head lacks {' and '.join(map(repr, missing))}: add {add} "
            f"{' and '.join(map(repr, lines))}, with your own {'values' if len(lines) > 1 else 'value'}"
        )

    def _players(self, listed: str) -> list[str]:
        if listed.isdecimal():
            if not 1 <= int(listed[:5]) <= 100:
                self.fail(f"{listed} players are not from 1 to 100")
            return [str(number) for number in range(1, int(listed) + 1)]
        if re.fullmatch(r"[-+−]?\d[\d.]*", listed):
            self.fail(f"{listed!r} is not a number of players")
        found = re.split(r"\s*(?:,|;|\band\b|&)\s*", re.sub(r",\s*and\b", ",", listed))
        return found if len(found) > 1 else listed.split()

    def _label(self, text: str) -> str:
        """Return the label of a row."""
        check_known(text, self.setup.rows, kind=self.kind)
        return text

    # phases

    def _heading(self, line: str) -> bool:
        """Begin the phase that a line names; a night may be named without its parts."""
        if not re.fullmatch(_PHASE, line, re.IGNORECASE):
            return False
        named = ", ".join(re.split(r"\s*,\s*", " ".join(line.casefold().split())))
        if str(self._next_phase()) != named:
            self._finish_night()
        phase = self._next_phase()
        short = str(phase).startswith(f"{named},")
        if named != str(phase) and not short:
            self.fail(f"the phase {line!r} does not come here; the next one is {str(phase)!r}")
        self._begin(short=short)
        return True

    def _begin(self, *, short: bool) -> None:
        if self.over:
            self.fail(f"the game has been over since line {self.over}; no phase follows")
        phase = self._next_phase()
        if self.phases:
            self.phases[-1].ended = True
        self.phases.append(_Phase(phase, frozenset(self.dead), short=short))

    def _part_follows(self) -> bool:
        """Whether the night goes on with another part, and its heading named no part."""
        if not self.phases or not self.phases[-1].short:
            return False
        now, later = self.phases[-1].phase, self._next_phase()
        return later.kind != "vote" and later.number == now.number

    def _finish_night(self) -> None:
        """Begin all parts of a night whose heading named none."""
        while self._part_follows():
            self._begin(short=True)

    def _next_phase(self) -> Phase:
        return self.setup.phase_after(self.phases[-1].phase if self.phases else None)

    @property
    def _now(self) -> _Phase:
        if not self.phases:
            self.fail(f"the first phase is missing: {str(self._next_phase())!r}")
        return self.phases[-1]

    # sentences

    def _patterns(self) -> tuple[Patterns, list[tuple[re.Pattern[str], Callable[..., None]]]]:
        """Return the sentences about events, as printed and as typed, and those about other things."""
        names = "|".join(map(re.escape, sorted(self.setup.players, key=len, reverse=True)))
        you, be = "(?:you|i)", "(?:is|was|are|were|am|got|has been|have been)"
        target, player, actor = (f"(?P<{field}>{names}|.+?)" for field in ("target", "player", "actor"))
        was = r"(?:: ?| and was |, who was |[,.] \w+ (?:was|were) |, | \()"
        word = rf"(?:{was}(?:an? |the )?(?P<announced>.+?)\)?)?"
        off = "(?:voted (?:off|out)|burned|burnt|lynched|hanged|hung|executed|eliminated)"
        killed = f"(?:died|{be} (?:dead|killed|eaten|murdered|bitten))"
        found = f"(?:{be} found dead|{killed}(?: (?:in|during) the night| at night| by the wolves))"
        me, sides = self.viewer, "|".join(ending.verdict for ending in self.game.endings)
        typed: list[tuple[str, ev.Event]] = [
            (f"{you} (?:cannot|can't|could not|couldn't) attack {target}", ev.Refused(me, "")),
            (
                f"{you} tried to (?:attack|kill) {target},? but (?:i )?(?:could not|couldn't|failed)",
                ev.Refused(me, ""),
            ),
            (f"{you} (?:kill(?:ed)?|murder(?:ed)?|eat|ate) {target}", ev.Attack(me, "")),
            (f"(?:{actor} )?(?:bites?|bit) {target}", ev.Attack(me, "")),
            (f"(?:{you} {be} told|only one role is left for me): (?P<role>.+)", ev.Notice(me, "")),
            ("one world is drawn", ev.Collapsed()),
            (
                f"(?:the )?(?P<verdict>{sides}) (?:wins?|won)(?:(?:: |; winners: )(?P<winners>.+))?",
                ev.GameEnded(""),
            ),
            (f"{player} (?:{be} )?{off}(?: by the village)?{word}", ev.VotedOff("")),
            (f"(?:the village|we) {off} {player}{word}", ev.VotedOff("")),
            (f"{player} {found}{word}", ev.FoundDead("")),
            (f"{actor} (?:takes?|took) {player} along{word}", ev.TakenAlong("")),
            (
                f"(?:{you} )?(?:see|saw) (?:that )?{target}(?: is| was| as|:|,) (?:an? )?(?P<result>.+)",
                ev.Vision(me, ""),
            ),
            *self._deeds(f"(?:{actor} )?", target, names),
        ]
        turn, none = f"(?:an? )?({'|'.join(self.nouns)})", "(?:nobody|no one|no-one|no player)"
        others: list[tuple[str, Callable[..., None]]] = [
            (f"{you} {be} (not )?asked for {turn}", self._asked),
            (f"{you} {be} passed over: {you} had {turn}", partial(self._passed, "you")),
            ("(?:you|my)r? chances(?: at its beginning)?: (.+)", self._chances),
            (f"end of (?:the phase|({_PHASE}))", self._over),
            (r"left: (\d+) worlds?", self._left),
            (r"now: (.+?)\. alive: .+", self._is_now),
            ("in fractions: .+", lambda: None),
            (rf"(?:end of ({_PHASE})\. )?passed over: (.+)", self._all_passed),
            (f"{none} (?:({be} {off}(?: by the village)?)|({found})|{killed})", self._nobody),
            (f"{player} {killed}{word}", self._died_somehow),
        ]
        printed = [(one.pattern.removesuffix(r"\."), event) for one, event in patterns(self.setup, (me,))]
        events = [(re.compile(text, re.IGNORECASE), event) for text, event in (*printed, *typed)]
        return events, [(re.compile(text, re.IGNORECASE), done) for text, done in others]

    def _deeds(self, actor: str, target: str, names: str) -> Iterator[tuple[str, ev.Event]]:
        """Yield the sentences about the actions of cards."""
        saw = r" ?[:=] ?| and (?:see|saw) ?:? |,? who is | and \w+ (?:is|was) |\. |, | ?->? ?| ?[–—→] ?| \("
        for action, act in self.game.acts.items():
            words, other, seen = words_for(action), "", ""
            if act.two:
                other = f" and (?P<other>{names}|.+?)"
            if act.shows:
                seen = rf"(?:(?:{saw})(?:an? )?(?P<result>.+?)\)?)?"
            at_all = f"{words.do.removesuffix(' at')}(?: at)?(?: any(?:one|body))?"
            none = f"(?:(?: not|n'?t) {at_all}| without the {action})"
            declined = f"(?:(?:do|does|did){none}|(?:chooses?|chose) not to {action})"
            yield actor + declined, ev.Declined(self.viewer, action)
            known = UNKNOWN if act.shows else None
            yield (
                f"{actor}(?:{words.do}|{words.does}|{words.did}) {target}{other}{seen}",
                ev.act_of(self.viewer, action, "", result=known),
            )

    def _sentence(self, line: str) -> None:
        *before, line = re.split(r"(?<=[.;])\s+(?=(?ai:i|you)\b)", line)
        for part in before:
            self._sentence(part)
        said = line.rstrip(".!")
        for pattern, done in self.others:
            if found := pattern.fullmatch(said):
                done(*found.groups())
                return
        event = read_event(said, self.sentences, name=self._player, names=self._players_in)
        if event is not None:
            self._note(event)
            return
        if re.fullmatch(r"[^\d]*?\d*[\s:|;]+[\d.,/%\s|;-]+", line):
            self.fail(
                f"{line!r} is a row without a table; first write its headings, such as 'number good evil'"
            )
        expected = f"a phase ({str(self._next_phase())!r}), 'table', or a sentence like 'you look at …: good'"
        self.fail(f"cannot read {line!r}; expected {expected}")

    def _note(self, event: ev.Event) -> None:
        """Note an event, if it can happen now."""
        match event:
            case ev.Acted():
                done = self._acted(event)  # perhaps in the next part of the night
                self._now.events.append(done)
            case ev.Declined(actor, action):
                self._turn(actor, action)
                self._now.events.append(event)
            case ev.Refused(actor, target):
                if not self.game.acts["attack"].refusable:
                    self.fail(f"the rules {self.setup.rules.name!r} refuse no attack for a secret reason")
                self._check_target(actor, "attack", target)
                self._now.events.append(event)
            case ev.OfficialDeath():
                self._follow(self._died(event))
            case ev.Notice(role=role):
                words = dict(self.game.notices)
                if role not in words:
                    self.fail(f"nobody is told {role!r} here (possible: {', '.join(words) or 'nothing'})")
                self._follow(event)
            case ev.GameEnded(verdict):
                self.over = self.number
                collapsed = any(isinstance(one, ev.Collapsed) for one in (*self._now.events, *self._now.end))
                self._follow(replace(event, verdict=verdict.casefold(), forced=collapsed))
            case _:
                self._follow(event)

    def _player(self, name: str) -> str:
        own = name.casefold() in ("you", "i", "me", "myself", "yourself") and name not in self.setup.players
        return self.viewer if own else self.setup.name_of(re.sub(r"^(?ai:player) (?=\d)", "", name))

    def _players_in(self, listed: str) -> tuple[str, ...]:
        return tuple(self._player(name) for name in re.split(r"\s*,\s*| and ", listed) if name)

    def _word(self, said: str, words: Words) -> tuple[str, frozenset[str]]:
        """Return a word that is said in the game, and the roles that it covers."""
        known = dict(words)
        if said.casefold() not in known:
            possible = f" (possible: {', '.join(known)})" if known else "; leave it out"
            self.fail(f"{said!r} is not said here{possible}")
        return said.casefold(), self.game.roles(known[said.casefold()])

    def _turn(self, player: str, action: Action, said: Said = "taken") -> None:
        """Note what is said about an action, if its player can act, and not twice."""
        while action not in self.setup.actions(self._now.phase):
            if not self._part_follows():
                same = [one.phase for one in self.phases if action in self.setup.actions(one.phase)]
                same = [phase for phase in same if phase.number == self._now.phase.number]
                before = f"; it belongs to {same[-1]}, above" if same else ""
                self.fail(f"there is no {action} in {self._now.phase}{before}")
            self._begin(short=True)
        now, turn = self._now, (player, action)
        if player in now.dead and said != "not asked for":
            self.fail(f"{player}, dead since line {self.dead[player]}, cannot act in {now.phase}")
        if player != self.viewer and self.setup.targets != "public" and said != "passed over":
            self.fail(
                f"others' moves are secret here, so nobody is told that {player} has a move (targets: public)"
            )
        again = now.said.get(turn) == said == "passed over"  # a handout says this twice
        if now.said.get(turn, "asked for") != "asked for" and not again:
            self.fail(f"the {action} of {player} in {now.phase} is given twice")
        now.said[turn] = said

    def _check_target(self, actor: str, action: Action, target: str) -> None:
        """Reject a target if everybody knows that it is not allowed."""
        now, do = self._now, words_for(action).do
        if target in now.dead:
            since = f"{target} has been dead since line {self.dead[target]}"
            self.fail(f"{actor} cannot {do} {target} in {now.phase}: {since}")
        if target == actor and not self.game.acts[action].on_self:
            self.fail(f"nobody can {do} themselves here ({action}_self: true allows it)")

    def _asked(self, no: str | None, word: str) -> None:
        self._turn(self.viewer, self.nouns[word.casefold()], "not asked for" if no else "asked for")

    def _acted(self, event: ev.Acted) -> ev.Acted:
        """Return an action with its result; others' have none, and one that is not given is unknown."""
        actor, action, act = event.actor, event.action, self.game.acts[event.action]
        self._turn(actor, action)
        for target in event.targets:
            self._check_target(actor, action, target)
        result = event.result
        if actor != self.viewer:
            if result not in (None, UNKNOWN):
                self.fail("only your own visions show you something")
            result = None
        elif act.shows and result != UNKNOWN:
            result = self._seen(action, event.target, result or "nothing")
        return ev.act_of(actor, action, *act.in_order(event.targets, self.setup.seat), result=result)

    def _seen(self, action: Action, target: str, result: str) -> str | None:
        """Return the result of an own action; reject one that no deal of the cards allows."""
        deck, act, own = self.setup.deck, self.game.acts[action], target == self.viewer
        looking = self.game.roles(act.by)
        if result == "nothing":
            if act.pool == "true" and self.setup.rules.acting_order != "random":
                self.fail("every vision shows something here (vision_worlds: alive allows 'nothing')")
            return None
        shown, _ = self._word(result, act.shows)
        cards = Counter(role for role in deck.roles if role in looking)
        if not own:
            cards = Counter({role: deck.cards(role) for role in deck.roles}) - cards
        possible = [word for word, where in act.shows if not self.game.roles(where).isdisjoint(cards)]
        if action == "vision" and len(looking) == 1 and shown not in possible:
            who = f"a {deck.looker.name} who looks at {'themselves' if own else target}"
            self.fail(f"{who} cannot see {shown!r} with these cards (possible: {', '.join(possible)})")
        return shown

    def _passed(self, name: str, word: str) -> None:
        action = self.nouns[word.casefold()]
        if not self.game.acts[action].compulsory:
            self.fail(f"the {action} may be declined here, so nobody is passed over (you do not look)")
        self._turn(self._player(name), action, "passed over")
        self._now.ended = True

    def _all_passed(self, phase: str | None, listed: str) -> None:
        self._over(phase)
        for item in re.split(r"(?<=\))\s*,\s*", listed):
            found = re.fullmatch(rf"(.+?) \(({'|'.join(self.game.acts)})\)", item, re.IGNORECASE)
            if found is None:
                self.fail(f"{item!r} is not a player with an action, such as 'Bo (vision)'")
            self._passed(found[1], _noun(found[2].casefold()))

    def _died(self, event: ev.OfficialDeath) -> ev.OfficialDeath:
        """Return a death; reject it if the player is dead already, or if there are not enough such cards."""
        player, voted, said = event.player, isinstance(event, ev.VotedOff), event.announced
        if isinstance(event, ev.FoundDead):
            self._finish_night()
        elif voted and self._now.phase.kind != "vote":
            self.fail(f"there is no vote in {self._now.phase}")
        if self._now.nobody in ("dead", "voted off" if voted else "found dead"):
            self.fail(f"the sheet says earlier that nobody was {self._now.nobody} in {self._now.phase}")
        if player in self.dead:
            self.fail(f"{player} has been dead since line {self.dead[player]}")
        self.dead[player] = self.number
        if said is None:
            return event
        word, roles = self._word(said, event.declared_in(self.setup).says)
        self.announced.append(roles)
        dead = sum(one <= roles for one in self.announced)
        cards = sum(map(self.setup.deck.cards, roles))
        if dead > cards:
            self.fail(f"{counted(dead, 'dead player')} cannot be {word!r}: {counted(cards, 'such card')}")
        return replace(event, announced=word)

    def _died_somehow(self, name: str, said: str | None) -> None:
        """Note a death without its cause, which only the night can be where there is no vote."""
        if self._now.phase.kind == "vote":
            player, word = self._player(name), "" if said is None else f": {said}"
            ways = f"'{player} was voted off{word}' or '{player} was found dead{word}'"
            self.fail(f"{player} may have died by the vote or at night; write {ways}")
        self._note(ev.FoundDead(self._player(name), announced=said))

    def _nobody(self, voted: str | None, found: str | None) -> None:
        """Note that nobody died in the phase, in a certain way or at all."""
        how, kinds = "dead", [ev.VotedOff, ev.FoundDead]
        if voted:
            how, kinds = "voted off", kinds[:1]
        elif found:
            how, kinds = "found dead", kinds[1:]
            self._finish_night()
        if voted and self._now.phase.kind != "vote":
            self.fail(f"there is no vote in {self._now.phase}")
        if any(isinstance(event, tuple(kinds)) for event in (*self._now.events, *self._now.end)):
            other = "; write 'nobody was found dead' for the night" if how == "dead" else ""
            self.fail(f"the sheet names a player who was {how} in {self._now.phase}{other}")
        self._now.nobody = how

    def _is_now(self, phase: str) -> None:
        """Read the last line of a handout, which names the phase that runs."""
        current = str(self.phases[-1].phase) if self.phases else None
        if phase not in ("the game is over", current) and not self._heading(phase):
            self.fail(f"{phase!r} is not a phase; the next one is {str(self._next_phase())!r}")

    def _left(self, number: str) -> None:
        """Note the number of worlds, which a handout prints below the table."""
        table = self.phases[-1].table if self.phases else self.first
        if table is None:
            self.fail("the number of worlds belongs below a table")
        self._publish(replace(table, worlds=int(number)))

    def _over(self, phase: str | None) -> None:
        if phase is not None and phase.casefold() != str(self._now.phase):
            self.fail(f"{phase!r} cannot end here; the phase is {str(self._now.phase)!r}")
        self._now.ended = True

    def _follow(self, event: ev.Event) -> None:
        """Note a vote, or a consequence of the last vote or of the end of the phase."""
        now = self._now
        nightfall = isinstance(event, ev.FoundDead) and self.setup.rules.verdict_at_vote == "before deaths"
        voted = now.phase.kind == "vote" and bool(now.events) and not now.ended and not nightfall
        during = voted or isinstance(event, ev.VotedOff)
        (now.events if during else now.end).append(event)
        now.ended = now.ended or not during

    # tables

    def _chances(self, text: str) -> None:
        if self.setup.rules.told != "probabilities":
            self.fail(f"the rules {self.setup.rules.name!r} tell nobody their chances (told: probabilities)")
        row = str(dict(self.numbers).get(self.viewer, self.viewer))
        items = [item.rpartition(" ") for item in re.split(r"\s*(?:,(?!\d)|;)\s*", text)]
        self._columns([heading for heading, _, _ in items])
        cells = _with_percent_signs({(row, heading): cell.replace(",", ".") for heading, _, cell in items})
        self._now.chances = tuple((h, self._cell(row, h, cell)) for (_, h), cell in cells.items())

    def _is_table(self, line: str) -> bool:
        """Whether a line is the headings of a table, which may come without the word."""
        words = _cells(line.casefold())
        if words and set(words) <= {*self.game.columns}:
            return True  # its first heading was left out
        headed = words[:1] in (["number"], ["player"]) and not "".join(words[1:2]).isdigit()
        return headed and any(word in self.game.columns for word in words[1:])

    def _table(self, rest: list[Line]) -> None:
        start, headings, worlds = self.number, tuple[str, ...](), None
        cells: dict[tuple[str, str], str] = {}
        lines: dict[str, int] = {}
        while rest and self._goes_on(rest[0], headings, begun=bool(lines)):
            self.number, line = rest.pop(0)
            words = _cells(line)
            if words and words[0].casefold() == "worlds:":
                if len(words) != 2 or not words[1].isdecimal():
                    self.fail("the number of worlds is a whole number: worlds: 13")
                worlds = int(words[1])
            elif words and not headings:
                if words[0].casefold() not in ("number", "player", *self.game.columns):
                    self.fail("the first heading of a table is 'number' or 'player'")
                named = [word.casefold() for word in words]
                headings = self._columns(named if named[0] in self.game.columns else named[1:])
            elif words:
                label, entries = _row_of(line, self.setup.rows, len(headings)) or self._no_row(line, headings)
                if label in lines:
                    self.fail(f"the row {label!r} is given twice")
                lines[label] = self.number
                cells |= {(label, heading): cell for heading, cell in zip(headings, entries, strict=True)}
        if not headings:
            self.fail("a table needs a line of headings: number evil dead", line=start)
        cells = _with_percent_signs(cells)
        rows = []
        for label, self.number in lines.items():
            rows.append(tuple(self._cell(label, heading, cells[label, heading]) for heading in headings))
        self.number = start
        self._finish_night()
        if self.phases and self.phases[-1].table is not None:
            self.fail(f"a second table in {self.phases[-1].phase}; each stands under its own phase")
        self._publish(Table(tuple(lines), headings, tuple(rows), worlds, heading=self.kind))

    def _publish(self, table: Table) -> None:
        self._check(table)
        if self.phases:
            self.phases[-1].ended = True
            self.phases[-1].table = table
        else:
            self.first = table

    def _goes_on(self, following: Line, headings: tuple[str, ...], *, begun: bool) -> bool:
        """Whether a line continues a table; rows are recognised by their label or their last entry."""
        number, line = following
        words = line.split()
        if not words:
            return bool(headings) and not begun
        if not headings:
            return True
        self.number, before = number, self.number
        labelled = _row_of(line, self.setup.rows, len(headings)) is not None
        self.number = before
        if labelled and not any(pattern.fullmatch(line) for pattern, _ in (*self.sentences, *self.others)):
            return True
        last = words[-1] in _MISSING or re.fullmatch(r"[-<>\d](?:.*\d)?%?", words[-1]) is not None
        heading = re.fullmatch(_PHASE, line, re.IGNORECASE) is not None
        return (last and not heading) or line.casefold().startswith("worlds:")

    def _columns(self, headings: list[str]) -> tuple[str, ...]:
        for heading in headings:
            check_known(heading, self.game.columns, kind="column")
            if headings.count(heading) > 1:
                self.fail(f"the column {heading!r} is given twice")
        return tuple(headings)

    def _no_row(self, line: str, headings: tuple[str, ...]) -> NoReturn:
        """Refuse a line that is not a row."""
        words = _cells(line)
        label = " ".join(words[: -len(headings)])
        given = len(list(takewhile(_is_entry, reversed(words[1:]))))
        if not label or (label not in self.setup.players and given > len(headings)):
            self.fail(
                f"the row {words[0]!r} has {given} {'entry' if given == 1 else 'entries'} for "
                f"{counted(len(headings), 'column')}; write - for a missing one"
            )
        self._label(label)
        wrong = next(place for place, word in enumerate(words[-len(headings) :]) if not _is_entry(word))
        self._cell(label, headings[wrong], words[wrong - len(headings)])
        raise AssertionError(line)

    def _cell(self, row: str, heading: str, text: str) -> Cell:
        if text in _MISSING:
            return None
        try:
            low, high = interval(text)
        except (ValueError, ZeroDivisionError):
            self.fail(
                f"the entry {row} {heading} {text!r} is not a probability: "
                "write 8%, 7.7%, 1/13, 0.08, or - if it is missing"
            )
        return Rounded(low, high, text, self.number)

    def _check(self, table: Table) -> None:
        """Reject entries that cannot be shares of the worlds, and rows and columns that cannot add up."""
        rows = ((label, *entry) for label in table.labels for entry in table.row(label).items())
        given = [(label, heading, cell) for label, heading, cell in rows if isinstance(cell, Rounded)]
        deck = self.setup.deck
        sides = ("good", WOLF) if deck.plain else ()
        for label in table.labels:
            row = {column_fact(heading): (heading, cell) for name, heading, cell in given if name == label}
            for facts in (sides, deck.kinds):
                parts = [row[fact] for fact in facts if fact in row]
                self._check_sum(label, parts, 1, whole=len(parts) == len(facts) > 0)
        for column in (heading for heading in table.columns if column_fact(heading) != "dead"):
            parts = [(label, cell) for label, heading, cell in given if heading == column]
            whole, cards = len(parts) == deck.players, deck.cards(self.game.fact(column))
            which = f", which is {counted(cards, 'card')}"
            self._check_sum(f"the column {column!r}", parts, cards, whole=whole, which=which)
        worlds = table.worlds
        for label, heading, cell in given:
            bitten = column_fact(heading) == "dead" and self.game.mark is not None
            if worlds is not None and not bitten and ceil(cell.low * worlds) > floor(cell.high * worlds):
                share = f"is not a share of {counted(worlds, 'world')}"
                self.fail(f"the entry {label} {heading} {cell.text} {share}", cell.line)

    def _check_sum(
        self, what: str, parts: list[tuple[str, Rounded]], total: int, *, whole: bool, which: str = ""
    ) -> None:
        """Reject entries that exceed a sum, or, if they are the `whole`, cannot reach it."""
        low, high = sum(cell.low for _, cell in parts), sum(cell.high for _, cell in parts)
        if low > total or (whole and high < total):
            listed = ", ".join(f"{name} {cell.text}" for name, cell in parts)
            message = f"the entries of {what} do not add up to {total * 100}%{which}: {listed}"
            self.fail(message, parts[-1][1].line)

    # all of it

    def _entry(self, now: _Phase) -> Entry:
        """Return the entry of a phase; own actions that the sheet does not mention are left open."""
        actions, said = self.setup.actions(now.phase), now.said
        own = [(self.viewer, action) for action in actions if self.viewer not in now.dead]
        events = ev.in_seat_order(self.setup, now.events)
        if now.ended and not any(isinstance(event, ev.GameEnded) for event in events):
            turns = product(self.setup.players, actions)
            missing = tuple(turn for turn in turns if said.get(turn) == "passed over")
            events += (ev.PhaseEnded(now.phase.kind, now.phase.number, missing), *now.end)
        return Entry(
            now.phase,
            asked=frozenset(turn for turn in own if said.get(turn, "not asked for") != "not asked for"),
            unsaid=frozenset(own) - said.keys(),
            chances=((self.viewer, now.chances),) if now.chances else (),
            events=events,
            acted=tuple(frozenset[tuple[str, Action]]() for e in now.events if not ev.is_action(e)),
            table=now.table,
        )


def _noun(action: Action) -> str:
    """Return the words for an action without their article."""
    return words_for(action).one.partition(" ")[2]


def _cells(line: str) -> list[str]:
    """Return the words of a line of a table, whatever separates them."""
    return re.sub(r"[|;\t]|,\s|(?<=[A-Za-z]),", " ", line).split()


def _sheet_lines(text: str) -> list[Line]:
    r"""Return the lines of a sheet with their numbers, without comments and ornaments.

    >>> _sheet_lines("## night 1\n\n- you look at Ann: good  # really")
    [(1, 'night 1'), (2, ''), (3, 'you look at Ann: good')]
    """
    text = unicodedata.normalize("NFC", text.removeprefix("\ufeff"))
    lines = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = _TITLE.sub("", raw.strip()).split("#", 1)[0].replace("**", "").replace("\xa0", " ")
        if _RULE.fullmatch(line):
            continue
        line = re.sub(r"(?ai:\b(was|were|is|are|have|has)n['’]?t\b)", r"\1 not", _CHAT.sub("", line))
        line = re.sub(r"^(?ai:n)(?=\d+ *(?:$|[:.,–-]))", "night ", line)
        line = re.sub(r"^(?ai:d)(?=\d+ *(?:$|[:.,–-]))", "day ", line)
        line = re.sub(r"(?ai:^(you|i)(?: have|['’]ve) (?!been\b))", r"\1 ", _BULLET.sub("", line).strip())
        lines.append((number, re.sub(r"(?<=\d)\s*(?:%|percent\b|per cent\b|pct\b)", "%", line)))
    return lines


def _spoken_settings(line: str) -> Mapping[str, str]:
    """Return the settings that a sentence of the head gives, by key; none for another line.

    >>> dict(_spoken_settings("Your number is 2.")), dict(_spoken_settings("you look at Ann"))
    ({'number': '2'}, {})
    """
    for pattern in _SPOKEN:
        if found := re.fullmatch(pattern, line.rstrip(".!"), re.IGNORECASE):
            return found.groupdict()
    return {}


def _is_entry(word: str) -> bool:
    """Whether a word is an entry of a table, however it is written."""
    return word in _MISSING or re.fullmatch(r"[<>]?\d[\d./,]*%?", word) is not None


def _row_of(line: str, labels: Collection[str], entries: int) -> tuple[str, list[str]] | None:
    """Return the label of a row and its entries; None if the line is not a row with this number of entries.

    Blanks, tabs, bars, semicolons or commas separate entries, and a comma may also be a decimal point.
    Raises GameError for a line that can be read in two ways.

    >>> _row_of("| Ann | 7,5% | 0 |", ["Ann"], 2), _row_of("Ann,7.5%,0", ["Ann"], 2)
    (('Ann', ['7.5%', '0']), ('Ann', ['7.5%', '0']))
    """
    flat = re.sub(r"\s+", " ", re.sub(r"[|;\t]", " ", line)).strip()
    found: dict[str, list[str]] = {}
    for between in (" ", r"[\s,]+", r"(?:,\s+|\s+)"):
        words = [word for word in re.split(between, flat) if word]
        label, cells = " ".join(words[:-entries]).strip(" :"), words[-entries:]
        if label in labels and len(cells) == entries and all(map(_is_entry, cells)):
            row = [cell.replace(",", ".") for cell in cells]
            found[" ".join([label, *row])] = [label, *row]
    if len(found) > 1:
        raise GameError(
            f"the row {line!r} can be read as {' or '.join(found)}; "
            "write decimal points, and blanks between entries"
        )
    for label, *row in found.values():
        return label, row
    return None


def _with_percent_signs(cells: Mapping[tuple[str, str], str]) -> dict[tuple[str, str], str]:
    """Return the entries of a table, by row and column, with the percent signs that were left out.

    Bare numbers are percentages if one of them is greater than 1, which no probability is. Raises GameError
    for a bare number that may be either.

    >>> _with_percent_signs({("Ann", "good"): "75", ("Ann", "evil"): "25"})
    {('Ann', 'good'): '75%', ('Ann', 'evil'): '25%'}
    """
    bare = {
        place: entry for place, entry in cells.items() if re.fullmatch(r"[<>]?(?:\d+\.?\d*|\.\d+)", entry)
    }
    numbers = {place: float(entry.lstrip("<>")) for place, entry in bare.items()}
    if not any(number > 1 for number in numbers.values()):
        return dict(cells)
    signed = any(entry.endswith("%") for entry in cells.values())
    for place, number in numbers.items():
        if signed and 0 < number <= 1:
            entry = bare[place]
            ways = f"{entry}% or the share {entry}; write {entry}% or {number * 100:g}%"
            raise GameError(f"the entry {' '.join(place)} {entry!r} may mean {ways}")
    return {**cells, **{place: f"{entry}%" for place, entry in bare.items()}}


def interval(text: str) -> tuple[Fraction, Fraction]:
    """Return the interval of probabilities denoted by a string; both ends are included if rounded.

    0 and 100% are exact, and so are fractions. Raises ValueError for anything but a probability.

    >>> interval("25%") == (Fraction(245, 1000), Fraction(255, 1000)), interval("1/13"), interval("0%")
    (True, (Fraction(1, 13), Fraction(1, 13)), (Fraction(0, 1), Fraction(0, 1)))
    """
    if not re.fullmatch(r"[<>]?[\d./]+%?", text):
        raise ValueError(text)
    number = text.removesuffix("%")
    unit = Fraction(1, 100) if text.endswith("%") else Fraction(1)
    value, half = Fraction(number.lstrip("<>")) * unit, unit / (2 * 10 ** len(number.partition(".")[2]))
    least = Fraction(1, 10**12)  # less than any share of worlds: a rounded number never means certainty
    if number[0] in "<>":
        low, high = (least, value) if number[0] == "<" else (value, 1 - least)
    elif "/" in number or value in (0, 1):
        low = high = value
    else:
        low, high = max(value - half, least), min(value + half, 1 - least)
    if not 0 <= low <= high <= 1:
        raise ValueError(text)
    return low, high
