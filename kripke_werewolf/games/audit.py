"""The audit: games that a player cannot tell apart must look the same to them, byte for byte.

What a player can tell apart follows from the rules and the moves alone (`own_information`), not from what is
printed. A game is played again with other secrets, and every phase of these games on phones and on a device;
two moments at which a player was told the same form a pair. For every pair all that the player sees is
compared: the handout in each format, messages, chances and answers about knowledge, the shared screen, the
view on a phone, answers and refusals, and the screens and prompts of a device that is passed around. How a
table is run is not known here: the console registers it (`register_tables`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import cache, lru_cache, partial
from importlib import import_module
from itertools import zip_longest
from random import Random
from typing import Any, Protocol, TypeAlias

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.errors import GameError, KripkeError, ModelTooLarge
from kripke_werewolf.base.reports.tables import Grid, Tabled
from kripke_werewolf.games.werewolf import events
from kripke_werewolf.games.werewolf.draws import Chance
from kripke_werewolf.games.werewolf.enumerated import Enumerated
from kripke_werewolf.games.werewolf.events import Event, is_action, only_ends, table_due
from kripke_werewolf.games.werewolf.game import QuantumWerewolf
from kripke_werewolf.games.werewolf.log import PhaseChoice
from kripke_werewolf.games.werewolf.rules import Rules
from kripke_werewolf.games.werewolf.setup import LIMIT, Setup
from kripke_werewolf.games.werewolf.state import State
from kripke_werewolf.games.werewolf.table import make_table
from kripke_werewolf.games.werewolf.told import screen
from kripke_werewolf.logic.formulas import Atom, K

_OTHERS = 3
"""The number of games made from one."""

Shows: TypeAlias = Callable[[], Mapping[str, str]]
"""Returns what a player sees, by surface; a surface may have parts, named after a colon."""


class _Sat(Protocol):
    """A game at a table, with what was noted since its last step."""

    @property
    def game(self) -> QuantumWerewolf:
        """The game."""

    @property
    def choices(self) -> tuple[PhaseChoice, ...]:
        """The choices noted in this phase."""

    @property
    def flow(self) -> object:
        """Votes, and everything else that is noted."""


@dataclass(frozen=True, slots=True, repr=False)
class Compared(Displayed):
    """The pairs compared on one surface: their number, how many of them differ, and the first that does."""

    surface: str
    pairs: int
    leaks: int = 0
    example: str = ""
    """Who sees which line in the first two games that differ."""
    sittings: tuple[_Sat, ...] = ()
    """These games, with the choices noted since the phase began."""

    def headline(self) -> str:
        """Return the numbers, and the first difference."""
        return f"{self.surface}: {self.pairs} pairs, {self.leaks} differ {self.example}".rstrip()

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-able values; the games are lines of logs, and the choices noted since."""
        games = [{"log": s.game.log, "choices": list(map(asdict, s.choices))} for s in self.sittings]
        words = {"surface": self.surface, "pairs": self.pairs, "leaks": self.leaks, "example": self.example}
        return {**words, "games": games}


def audit(game: QuantumWerewolf, *, seed: int = 0) -> Tabled[Compared]:
    """Compare a game with others that a player cannot tell from it; return the findings by surface.

    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="gekka").vision("Ann", "Bo")
    >>> {compared.leaks for compared in audit(game)}
    {0}
    """
    found = _comparison(seed)
    found.play(game)
    return found.report()


def audit_rules(
    rules: str | Rules, players: int, *, games: int = 10, seed: int = 0, limit: int = LIMIT, **settings: Any
) -> Tabled[Compared]:
    """Play random games of a rule set, and compare each with others that a player cannot tell from it.

    `settings`: those of `QuantumWerewolf`, such as `wolves`, `targets` and `deal`. In every second game no
    table is published: there are few games with the same tables.
    """
    found, names = _comparison(seed), [f"P{place}" for place in range(1, players + 1)]
    for number in range(seed, seed + games):
        setup = QuantumWerewolf(names, rules=rules, rng=number, numbers="shuffled", **settings).setup
        if setup.deck.worlds > limit or not Enumerated.fits(setup.deck):
            what = "the audit asks what players know: the model"
            fewer = "audit fewer players or wolves, or public targets"
            raise ModelTooLarge(setup.deck.worlds, limit, what, fewer)
        if number % 2:
            setup = replace(setup, rules=replace(setup.rules, table_at=()))
        game = QuantumWerewolf.from_setup(setup, draw=Chance(number))
        while game.verdict is None:
            game = found.phones(game)
        found.play(game)
    return found.report()


# --- what a player can tell apart ------------------------------------------------------------------


@lru_cache(maxsize=2**14)
def own_information(game: QuantumWerewolf, player: str) -> tuple[tuple[str, ...], ...]:
    """Return all that the rules have told a player, from the record of the moves.

    That is: their own number, card and pack; for each phase the actions that the player is asked for, and
    their own chances; their own moves with results, and refusals; others' moves if targets are public; deaths
    with what is announced; notices to this player; words; ends of phases with the actions passed over, and
    the verdict; the published tables. Moves of one phase, and deaths found together, have no order.

    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="gekka")
    >>> looked = game.vision("Ann", "Bo")
    >>> [own_information(looked, name) == own_information(game, name) for name in game.players]
    [False, True, True]
    """
    setup, state, seat = game.setup, game.state, game.setup.seat(player)
    step = game.steps[-1] if game.steps else ()
    before = game.states[-2] if step else None
    told = [seen for event in step if (seen := _told(setup, before or state, event, player))]
    if before is None:
        cards = dict(zip(setup.players, setup.roles or (), strict=False))
        pack = [card for card in cards.items() if game.setup.deck.is_wolf(card[1])]
        own = cards.get(player), pack if (player, cards.get(player)) in pack else ()
        number = setup.numbers[seat] if setup.numbers_hidden else None
        told.append(("start", (replace(setup, roles=None, numbers=()), player, number, own)))
    if table_due(setup, step, state):
        table = make_table(setup, state, public=True).to_dict()
        told.append(("table", (table["rows"], table["worlds"] if setup.rules.show_worlds else "")))
    if before is None or before.phase != state.phase:
        asked = sorted(action for name, action in state.entitled if name == player)
        alone = setup.rules.told == "probabilities" and setup.deal == "quantum" and setup.actions(state.phase)
        chances = make_table(setup, state).rows[seat] if alone and seat not in state.dead else ()
        told.append(("phase", (state.phase, asked, chances)))
    parts = [] if before is None else [*own_information(game.undo(), player)]
    for kind, what in told:
        same = parts.pop()[1:] if parts and parts[-1][0] == kind else ()
        parts.append((kind, *sorted((*same, repr(what)))))
    return tuple(parts)


def _told(setup: Setup, before: State, event: Event, player: str) -> tuple[str, object] | None:
    """Return the part of an event that the rules tell a player, with a word for its kind; None if nothing."""
    quantum, told, hidden = setup.deal == "quantum", event.to_dict(), {"weights", "role", "roles"}
    match event:
        case events.Vision() | events.Attack() | events.Declined() | events.Refused():
            if event.actor != player:
                if setup.targets == "secret" or isinstance(event, events.Refused):
                    return None
                hidden |= {"result"} if quantum else {"result", "actor"}
        case events.PhaseEnded():
            told["missing"] = sorted(slot if quantum else slot[1] for slot in event.missing)
        case events.Notice():
            return ("told", event.role) if player == event.player else None
        case events.VotedOff() | events.FoundDead() | events.Collapsed() | events.GameEnded():
            pass
        case _:  # words, and kinds declared elsewhere, which say themselves what is seen of them
            if not isinstance(event, events.Said):
                told = {"seen": event.told_to(player, setup)}
            elif event.to and player not in (event.speaker, *event.to):
                if not event.noticed:
                    return None
                told["formula"] = event.subject
            told["acted"] = sorted(before.acted) if quantum else []
    seen = {key: value for key, value in told.items() if key not in hidden}
    return "moves" if is_action(event) else event.name, seen


# --- games with other secrets, and what is seen in them ------------------------------------------------


class Audit(ABC):
    """All moments by what players were told, and the differences found so far."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.first: dict[Hashable, tuple[_Sat, Shows]] = {}
        self.pairs: Counter[str] = Counter()
        self.leaks: dict[str, Compared] = {}

    def add(self, player: str, told: Hashable, sitting: _Sat, shows: Shows) -> None:
        """Compare a moment with the first one of another game at which the player was told the same."""
        other, others = self.first.setdefault((player, told), (sitting, shows := cache(shows)))
        if (other.game, other.choices, other.flow) == (sitting.game, sitting.choices, sitting.flow):
            return
        here, there = shows(), others()
        for part in sorted(here.keys() & there.keys()):
            surface = part.partition(":")[0]
            self.pairs[surface] += 1
            if here[part] != there[part]:
                lines = zip_longest(there[part].split("\n"), here[part].split("\n"), fillvalue="")
                one, two = next((one, two) for one, two in lines if one != two)
                words = f"{player} sees {one!r}, in another game {two!r}"
                first = self.leaks.setdefault(surface, Compared(surface, 0, 0, words, (other, sitting)))
                self.leaks[surface] = replace(first, leaks=first.leaks + 1)

    def report(self) -> Tabled[Compared]:
        """Return the numbers by surface."""
        pairs = sorted(self.pairs.items())
        found = [replace(self.leaks.get(name, Compared(name, 0)), pairs=number) for name, number in pairs]
        rows = tuple((c.surface, str(c.pairs), str(c.leaks), c.example) for c in found)
        return Tabled(found, Grid(("surface", "pairs", "leaks", ""), rows, words=True))

    def play(self, game: QuantumWerewolf) -> None:
        """Play a game again with other secrets, and every phase of these games on phones and on a device."""
        for other in (game, *(_again(game, self.chance) for _ in range(_OTHERS))):
            self.printed(other)
            for begin, state in enumerate(other.states):
                begins = not begin or other.states[begin - 1].phase != state.phase
                if begins and state.verdict is None:
                    self.phones(other.at(begin))
                    self.phones(other.at(begin))
                    self.device(other.at(begin))

    def printed(self, game: QuantumWerewolf, since: int = 0) -> None:
        """Compare what the library prints after some steps and after each later one."""
        for now in map(game.at, range(since, len(game.states))):
            sitting = self.sitting(now)
            for player in now.players:
                told = own_information(now, player)
                self.add(player, told, sitting, partial(_printed, now, player))
                in_turn = player == now.players[now.phase.position % len(now.players)]
                if in_turn and now.verdict is None and not now.state.acted:
                    self.add(player, ("begun", told), sitting, partial(_printed_at_first, now, player))

    @abstractmethod
    def sitting(self, game: QuantumWerewolf) -> _Sat:
        """Return the game at a table, before anything is noted."""

    @abstractmethod
    def phones(self, game: QuantumWerewolf) -> QuantumWerewolf:
        """Play a phase on phones, compare what a player sees meanwhile, and return the game after it."""

    @abstractmethod
    def device(self, game: QuantumWerewolf) -> None:
        """Pass a device around, and compare the screens that the players see."""


def _comparison(seed: int) -> Audit:
    """Return an empty comparison, with the tables of the console."""
    found: Audit = import_module("kripke_werewolf.play.console.compared").AtTables(seed)
    return found


def _again(game: QuantumWerewolf, chance: Random) -> QuantumWerewolf:
    """Return a game with the same moves as far as possible, but with other secrets of two players.

    They exchange numbers, cards and moves; some of their targets, the results of their visions, and some
    other draws and whispered words are different.
    """
    setup, some = game.setup, chance.sample(game.players, 2)
    names = dict(zip(some, reversed(some), strict=True))
    seats = [setup.seat(names.get(name, name)) for name in game.players]
    roles = setup.roles and tuple(setup.roles[seat] for seat in seats)
    numbers = tuple(setup.numbers[seat] for seat in seats) if setup.numbers_hidden else setup.numbers
    setup = replace(setup, roles=roles, numbers=numbers)
    found = QuantumWerewolf.from_setup(setup, draw=Chance(chance.getrandbits(32)))
    for step, before in zip(game.steps, game.states, strict=False):
        move, other = step[0].to_dict(), chance.random() < 0.5
        if "actor" in move:
            move["actor"] = names.get(str(move["actor"]), move["actor"])
            if move["actor"] in some and "target" in move and other:
                move["target"] = chance.choice(found.alive)
            other = move["actor"] in some
        elif "formula" in move and "to" in move and other:
            move["formula"] = f"~({move['formula']})"
        if other:
            move = {key: value for key, value in move.items() if key not in ("result", "role")}
        with suppress(GameError):
            while found.phase.position < before.phase.position:
                found = found.end_phase(missing="pass")
            found = found.end_phase(missing="pass") if only_ends(step) else found.play(Event.from_dict(move))
    return found


def _printed(game: QuantumWerewolf, player: str) -> dict[str, str]:
    """Return handout, messages and shared screen as a player sees them."""
    handout = game.handout(player)
    return {
        "handout: text": str(handout),
        "handout: JSON": handout.to_json(),
        "messages": "\n".join(str(message) for message in game.messages if message.to in (None, player)),
        "shared screen": screen(game).to_text(),
    }


def _printed_at_first(game: QuantumWerewolf, player: str) -> dict[str, str]:
    """Return other formats and knowledge, which take long and are compared for one player at a time."""
    handout, other = game.handout(player), next(name for name in reversed(game.players) if name != player)
    question = K(player, K(other, Atom(f"wolf_{player}")))
    found = {"handout: Markdown": handout.to_markdown(), "handout: HTML": handout.to_page()}
    try:
        return {**found, "knowledge": f"{game.table(viewer=player)}\n{game.ask(question)}"}
    except KripkeError as error:  # a refusal is an answer, too
        return {**found, "knowledge": str(error)}
