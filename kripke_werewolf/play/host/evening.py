"""An evening: players join, a game is played, then the next. Nothing here knows about networks.

Only one thread at a time may use an `Evening`; `frames` makes all views to be sent at once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias, get_args

from kripke_werewolf.base.errors import FormatError, GameError, IllegalMove, check_known
from kripke_werewolf.base.reports.documents import Document
from kripke_werewolf.base.reports.tables import Grid
from kripke_werewolf.base.wording import ENGLISH, Sentence, in_language, word
from kripke_werewolf.games.werewolf import PRESETS, LogFile, Role
from kripke_werewolf.games.werewolf.log import Ballot, HouseRules
from kripke_werewolf.games.werewolf.rulesheet import night_sheet, rule_sheet
from kripke_werewolf.games.werewolf.setup import Deal
from kripke_werewolf.games.werewolf.vocabulary import vocabulary
from kripke_werewolf.logic.english.sentence_parser import completions
from kripke_werewolf.play.host.seats import Seats, SeatsFile, check_name
from kripke_werewolf.play.tabletop import PHONES, Away, Keeper, Receipt, Robots
from kripke_werewolf.play.tabletop.beginning import (
    OF_A_NIGHT,
    ONE_NIGHT_RULES,
    Settings,
    dealt_cards,
    new_game,
    new_night,
    settings_in_words,
    sheet_of,
)
from kripke_werewolf.play.tabletop.commands import read_command
from kripke_werewolf.play.tabletop.night import NightKeeper
from kripke_werewolf.play.tabletop.views import View, grid_view, view_bytes

AnyKeeper: TypeAlias = Keeper | NightKeeper
ON_PHONES = HouseRules(ballot="open", missing="pass", absent="pass")
"""The house rules that suit phones."""
_HOUSE = ("ballot", "ties", "missing", "absent", "night_seconds", "day_seconds")
_SECONDS = ("", 60, 120, 300, 600)
CHOICES: Mapping[str, tuple[str | int, ...]] = {
    "rule_set": (*PRESETS, ONE_NIGHT_RULES),
    "deal": get_args(Deal),
    "wolves": ("", 1, 2, 3, 4),
    "cards": ("", "suggested"),
    "ballot": get_args(Ballot),
    "night_seconds": _SECONDS,
    "day_seconds": _SECONDS,
}
"""The settings that people choose in the lobby, and the values offered; "": as usual."""

TV, MASTER, SECRETS, WATCHER = "tv", "master", "secrets", "watch"
"""Readers other than players: the shared screen, the game master, the latter with all secrets, and those who
watch; they see everything."""

Reader: TypeAlias = tuple[str, str | None]
"""A reader: `("player", name)`, or one of the others with None."""

_STEP = 4096
_LONGEST_ID = 64
_LONGEST_QUESTION = 300


def _padded(content: bytes, size: int) -> bytes:
    """Return a JSON object padded to `size` bytes with spaces in an extra field.

    >>> len(_padded(b'{"a":1}', 40)), len(_padded(b'{"b":12345}', 40))
    (40, 40)
    """
    blanks = size - len(content) - len(b',"pad":""')
    return content[:-1] + b',"pad":"' + b" " * blanks + b'"}'


@dataclass(frozen=True, slots=True)
class Dispatch:
    """A view to send."""

    mark: str
    """A string that is equal for equal views."""
    content: bytes
    """The view as `{"view": …}`, padded to the common size."""


Frames: TypeAlias = dict[tuple[Reader, str], Dispatch]
"""What is sent to each reader, by languages."""


class Evening:
    """An evening of games in a folder; before the log of a game exists, players join.

    `language`: the shared screen's. `keeper`: of a game that goes on. `settings`: of the game to begin.
    """

    def __init__(
        self,
        file: SeatsFile,
        settings: Settings,
        *,
        language: str = ENGLISH,
        keeper: AnyKeeper | None = None,
    ) -> None:
        self.keeper = keeper
        self._file, self._language = file, language
        seats = file.seats or Seats()
        if keeper is not None:
            players = keeper.game.players
            devices = tuple(d for d in seats.devices if d.seat is None or d.seat in (*players, *seats.later))
            if isinstance(keeper, Keeper):  # the phase has its whole time again
                flow = replace(keeper.sitting.flow, timed="", deadline=None)
                keeper.sitting = replace(keeper.sitting, flow=flow)
            if seats.robots and not seats.begun:  # it was cut off while it began
                keeper.submit(None, Robots(seats.robots))
            seats = replace(seats, players=players, begun=True, devices=devices)
        else:
            self._check(settings, len(seats.players))
        file.write(replace(seats, settings=settings))

    @staticmethod
    def _check(settings: Settings, players: int) -> HouseRules:
        """Return the house rules of settings; raise GameError for impossible ones."""
        sheet_of(_of_the_game(settings), players)
        return replace(ON_PHONES, **{name: settings[name] for name in _HOUSE if name in settings})

    @property
    def log(self) -> Path:
        """The log of the game that is played or begins next."""
        return self._file.log

    @property
    def sheet(self) -> Document:
        """The rules of the game on one page."""
        match self.keeper:
            case None:
                return sheet_of(_of_the_game(self.seats.settings), len(self.seats.players))
            case NightKeeper(game=game):
                return night_sheet(game.cards, game.middle)
            case Keeper(game=game):
                setup = game.setup
                cards: dict[str | Role, int] = dict(setup.deck.others)
                return rule_sheet(setup.rules, deal=setup.deal, targets=setup.targets, cards=cards)

    @property
    def seats(self) -> Seats:
        """The seats as on disk."""
        assert self._file.seats is not None
        return self._file.seats

    @property
    def number(self) -> int:
        """The number of the game that is played or begins next."""
        return len(self.seats.finished) + 1

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.keeper is not None and self.keeper.over

    def close(self) -> None:
        """Close the log."""
        if self.keeper is not None:
            self.keeper.close()

    # before the game

    def join(self, name: object, language: str = ENGLISH) -> str:
        """Admit a player on a new device, and return its token; `language`: the shared screen's."""
        name = name.strip() if isinstance(name, str) else name
        token = self._admitted(*self.seats.join(name, language))
        if self.keeper is not None:
            if name in self.keeper.sitting.flow.away:
                self.keeper.submit(None, Away(str(name), away=False))
            if name in (robots := self.keeper.sitting.flow.robots):
                self.keeper.submit(None, Robots(tuple(robot for robot in robots if robot != name)))
        return token

    def _admitted(self, seats: Seats, token: str) -> str:
        """Write the seats with a new device, and return its token."""
        self._file.write(seats)
        return token

    def with_robots(self, number: Any) -> None:
        """Let this number of robots play along in the game to begin."""
        if self.seats.begun:
            raise IllegalMove(Sentence("game-has-begun"))
        self._file.write(self.seats.with_robots(number))

    def watch(self, code: object, *, promised: bool) -> str:
        """Admit a device that watches, and return its token."""
        return self._admitted(*self.seats.watch(code, promised=promised))

    def admit(self, *, allowed: bool) -> None:
        """Send away all who watch; if it is `allowed`, a new code admits others."""
        self._file.write(self.seats.admitting(allowed=allowed))

    def join_master(self) -> str:
        """Admit a new device of the game master, and return its token."""
        return self._admitted(*self.seats.join_master())

    def free(self, name: object) -> None:
        """Free a seat, so that another device can take it."""
        self._file.write(self.seats.without(check_name(name)))

    def leave(self, seat: str) -> None:
        """Remove a player who is waiting for the game to begin."""
        if self.seats.begun and seat not in self.seats.later:
            raise IllegalMove(Sentence("cannot-leave"))
        self.free(seat)

    def change(self, given: Mapping[str, object]) -> None:
        """Change settings of the game to begin to values that `CHOICES` offers; "": as usual."""
        if self.keeper is not None:
            raise IllegalMove(Sentence("game-has-begun"))
        settings = dict(self.seats.settings)
        for name, value in given.items():
            check_known(name, CHOICES, kind="setting")
            if value not in CHOICES[name] or isinstance(value, bool):
                raise FormatError(f"{name} is one of {', '.join(map(str, CHOICES[name]))}; got {value!r}")
            settings.pop(name, None)
            if value != "":
                settings[name] = [value] if name == "cards" else value
        if settings.get("rule_set") != self.seats.settings.get("rule_set") and "cards" not in given:
            settings.pop("cards", None)  # each rule set has its own
        if settings.get("rule_set") == ONE_NIGHT_RULES:
            settings = {name: value for name, value in settings.items() if name in (*OF_A_NIGHT, *_HOUSE)}
        self._check(settings, len(self.seats.players))
        self._file.write(replace(self.seats, settings=settings))

    def begin(self, now: float, expected: tuple[str, ...] = ()) -> None:
        """Begin the game with the players who have joined, or with those who are expected and the robots."""
        if self.keeper is not None:
            raise IllegalMove(Sentence("game-has-begun"))
        settings, players = self.seats.settings, self.seats.players
        if expected:
            players = (*expected, *self.seats.robots)
        chosen, house = _of_the_game(settings), self._check(settings, len(players))
        if settings.get("rule_set") == ONE_NIGHT_RULES:
            self.keeper = NightKeeper(self.log, new_night(players, chosen, self._language))
        else:
            game = new_game(players, chosen, self._language)
            self.keeper = Keeper(LogFile.create(self.log, game, session=(house, settings["seed"])), PHONES)
        self._file.write(replace(self.seats, players=players, begun=True))
        if self.seats.robots:
            self.keeper.submit(None, Robots(self.seats.robots))
        self.keeper.tick(now)

    def again(self, *, draw: bool) -> None:
        """Open the lobby for the next game, in which the same people play; `draw`: with new seats."""
        if not self.over:
            raise IllegalMove(Sentence("not-over"))
        self.close()
        self._file.write(self._ended(draw=draw))
        self.keeper = None

    def _ended(self, *, draw: bool = False) -> Seats:
        """Return the seats as they are after the game that is played, if it is over."""
        if self.keeper is None or not self.keeper.over:
            return self.seats
        return self.seats.again(self.keeper.winners, draw=draw)

    # the game

    def submit(self, seat: str | None, body: Mapping[str, Any], now: float) -> Receipt:
        """Carry out a command from a device: `command`, `request` (a new id) and `moment`."""
        if self.keeper is None:
            raise IllegalMove(Sentence("game-not-begun"))
        request, shown = body.get("request"), body.get("moment")
        for name, value in (("request", request), ("moment", shown)):
            if not isinstance(value, str) or not 0 < len(value) <= _LONGEST_ID:
                raise FormatError(f"the {name} is a string of 1 to {_LONGEST_ID} characters")
        game, _, moment = str(shown).partition(":")
        if game != str(self.number):
            raise IllegalMove(Sentence("another-game"))
        command = read_command(body.get("command"), seat)
        answer = self.keeper.submit(seat, command, request=request, moment=moment, now=now)
        if seat is None and isinstance(command, Away) and command.away and answer.accepted:
            self.free(command.player)
        return answer

    def hint(self, seat: str, action: str) -> str:
        """Return a hint to a player; see `Keeper.hint`."""
        if len(action) > _LONGEST_ID:
            raise FormatError(f"no action has a name of more than {_LONGEST_ID} characters")
        if self.keeper is None or self.over:
            raise IllegalMove(Sentence("game-not-begun"))
        return self.keeper.hint(seat, action)

    def ask(self, seat: str, question: object) -> str:
        """Return the answer to a player's question; see `Keeper.ask`."""
        return self._asked(question).ask(seat, str(question))

    def continued(self, begun: object) -> tuple[str, ...]:
        """Return how a half-typed question may go on, by what everybody knows; see `completions`."""
        return completions(str(begun), vocabulary(self._asked(begun).game.setup.public))

    def _asked(self, text: object) -> Keeper:
        """Return the keeper of a game that answers questions, if a string may be one."""
        if not isinstance(text, str) or len(text) > _LONGEST_QUESTION:
            raise FormatError(f"a question is a string of at most {_LONGEST_QUESTION} characters")
        if isinstance(self.keeper, NightKeeper):
            raise IllegalMove(Sentence("night-not-here"))
        if not isinstance(self.keeper, Keeper):
            raise IllegalMove(Sentence("game-not-begun"))
        return self.keeper

    def tick(self, now: float) -> bool:
        """Let time pass, and return whether that changed anything."""
        return self.keeper is not None and any([self.keeper.tick(now), self.keeper.play_robots(now)])

    # views

    def view(self, reader: Reader, online: Container[Reader] = ()) -> View:
        """Return a reader's present view. `online`: players with open pages, shown to the game master."""
        who, name = reader
        if self.keeper is None or name in self.seats.later:
            found = self._lobby(reader)
        elif who == "player":
            leads = self.over and name == self.seats.players[0]
            found = {**self.keeper.player_view(name or ""), "leads": leads}
        elif who in (SECRETS, WATCHER):
            found = self.keeper.master_view()
        else:
            found = self.keeper.public_view()
        if "moment" in found:
            found = {**found, "moment": f"{self.number}:{found['moment']}"}
        if score := self._ended().score:
            rows = tuple((name, str(won), str(played)) for name, (won, played) in score.items())
            table = Grid((word("player"), word("won"), word("games")), rows)
            found = {**found, "score": grid_view(table)}
        if who in (MASTER, SECRETS):
            everybody = (*self.seats.players, *self.seats.later)
            taken = [name for name in everybody if name not in self.seats.free]
            showing = [name for name in taken if ("player", name) in online]
            found = {**found, "view": who, "taken": taken, "online": showing, "watching": self.seats.watching}
            found["later"] = list(self.seats.later)
            if isinstance(self.keeper, Keeper) and not self.over:
                game = self.keeper.game
                found["played"] = list(self.keeper.sitting.flow.robots)
                found["acts"] = list(game.setup.actions(game.phase))
        if watchers := self.seats.watchers:
            found = {**found, "watchers": Sentence("watched", n=watchers)}
        return found

    def _lobby(self, reader: Reader) -> View:
        """Return the view before the game; of those who joined late, before the next."""
        seats = self.seats
        waits = reader[1] in seats.later
        players = list(seats.later if waits else seats.players)
        found: View = {"view": "lobby", "kind": "lobby", "players": players, "waits": waits}
        found["settings"] = settings_in_words(seats.settings)
        found["robots"] = Sentence("robots-play", n=len(seats.robots), names=seats.robots)
        found["practice"] = len(seats.robots)
        with suppress(GameError):  # too few people as yet
            found["deck"] = grid_view(dealt_cards(seats.settings, len(seats.players)))
        first = not waits and players[:1] == [reader[1]]
        if reader[0] == "player":
            found |= {"player": reader[1], "first": first}
        if first or reader[0] in (MASTER, SECRETS):
            long = seats.settings.get("rule_set") != ONE_NIGHT_RULES
            found["choices"] = [self._choice(name) for name in CHOICES if long or name == "rule_set"]
        return found

    def _choice(self, name: str) -> View:
        chosen = {"rule_set": "straat", "deal": "quantum", "ballot": ON_PHONES.ballot, **self.seats.settings}
        value = chosen.get(name, "")
        if name == "cards" and value:
            value = value[0]
        offered = dict.fromkeys((*CHOICES[name], value))  # a command may have chosen another
        labels = [[one, _offered(name, one)] for one in offered]
        return {"name": name, "label": word(name), "value": value, "offered": labels}

    def frames(self, online: Container[Reader] = (), languages: Iterable[str] = (ENGLISH,)) -> Frames:
        """Return everybody's present frame in some languages, the game master's only if their page is open.

        The frames of all players in one language have the same size.
        """
        players = (*self.seats.players, *self.seats.later)
        wanted: list[Reader] = [*(("player", name) for name in players), (TV, None)]
        wanted += [(who, None) for who in (MASTER, SECRETS, WATCHER) if (who, None) in online]
        views = {reader: self.view(reader, online) for reader in wanted}
        return {(reader, name): frame for name in languages for reader, frame in _told(views, name).items()}


def _offered(name: str, value: str | int) -> str:
    """Return a value of `CHOICES` in words."""
    if name.endswith("_seconds"):
        return Sentence("minutes", n=int(value or 0) // 60)
    if name == "rule_set":
        return Sentence("rules-in-short", rules=value)
    return word(str(value)) if value else Sentence("as-usual", name=name)


def _of_the_game(settings: Settings) -> Settings:
    """Return settings without the house rules."""
    return {name: value for name, value in settings.items() if name not in _HOUSE}


def _told(found: Mapping[Reader, View], language: str) -> dict[Reader, Dispatch]:
    views = {reader: view_bytes(view) for reader, view in in_language(dict(found), language).items()}
    bodies = {reader: b'{"view":' + content + b"}" for reader, content in views.items()}
    lengths = [len(body) for (who, _), body in bodies.items() if who == "player"]
    longest = max(lengths, default=0) + len(b',"pad":""')
    size = -(-longest // _STEP) * _STEP  # reveals little about the longest
    bodies |= {reader: _padded(body, size) for reader, body in bodies.items() if reader[0] == "player"}
    marks = {reader: hashlib.sha256(view).hexdigest()[:16] for reader, view in views.items()}
    return {reader: Dispatch(marks[reader], body) for reader, body in bodies.items()}


def reply_to(answer: Receipt, language: str) -> bytes:
    """Return the reply to a command; all replies have a similar size."""
    text = in_language(answer.text, language)
    told = {"accepted": answer.accepted, "text": text[: _STEP // 8]}
    return _padded(json.dumps(told, separators=(",", ":")).encode(), _STEP)
