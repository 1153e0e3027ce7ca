"""The audit: games that a player cannot tell apart must look the same to them, byte for byte.

What a player can tell apart follows from the declarations of events and cards (`told_by_declaration`), not
from what is printed. A game has *twins*: one hidden move of another player is different, or two players have
each other's cards, numbers and moves. Two moments at which a player was told the same form a pair. For every
pair all that the player sees is compared: what `Audit.printed` and `Audit.known` return.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import combinations, zip_longest
from random import Random
from typing import Any, TypeAlias

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.errors import GameError, KripkeError
from kripke_werewolf.base.reports.tables import Grid, Tabled
from kripke_werewolf.games.werewolf import events as ev
from kripke_werewolf.games.werewolf.declarations import declared
from kripke_werewolf.games.werewolf.draws import Chance
from kripke_werewolf.games.werewolf.events import table_due
from kripke_werewolf.games.werewolf.game import QuantumWerewolf
from kripke_werewolf.games.werewolf.rules import Rules
from kripke_werewolf.games.werewolf.setup import Setup
from kripke_werewolf.games.werewolf.state import State
from kripke_werewolf.games.werewolf.table import make_table
from kripke_werewolf.games.werewolf.told import screen
from kripke_werewolf.logic.formulas import Atom, K

_TWINS = 18
"""The greatest number of twins of a game that are only printed."""

_Move: TypeAlias = dict[str, object] | None
Shows: TypeAlias = Callable[[], Mapping[str, str]]
"""Returns what a player sees, by surface; a surface may have parts, named after a colon."""


@dataclass(frozen=True, slots=True, repr=False)
class Compared(Displayed):
    """The pairs compared on one surface: their number, how many of them differ, and the first that does."""

    surface: str
    pairs: int = 0
    leaks: int = 0
    example: str = ""
    """Who sees which line in the first two games that differ."""
    games: tuple[QuantumWerewolf, ...] = ()
    """These games."""

    def headline(self) -> str:
        """Return the numbers, and the first difference."""
        return f"{self.surface}: {self.pairs} pairs, {self.leaks} differ {self.example}".rstrip()

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-able values; the games are lines of logs."""
        words = {"surface": self.surface, "pairs": self.pairs, "leaks": self.leaks, "example": self.example}
        return {**words, "games": [{"log": game.log} for game in self.games]}


def audit_rules(
    rules: str | Rules, players: int, *, games: int = 10, seed: int = 0, **settings: Any
) -> Tabled[Compared]:
    """Play random games of a rule set, and compare each with others that a player cannot tell from it.

    `settings`: those of `QuantumWerewolf`, such as `wolves`, `targets` and `deal`. In every second game no
    table is published: there are few games with the same tables.
    """
    found, names = Audit(seed), [f"P{place}" for place in range(1, players + 1)]
    how: dict[str, Any] = {"numbers": "shuffled", "engine": "enumerated", **settings}
    for number in range(seed, seed + games):
        setup = QuantumWerewolf(names, rules=rules, rng=number, **how).setup
        if number % 2:
            setup = replace(setup, rules=replace(setup.rules, table_at=()))
        game = QuantumWerewolf.from_setup(setup, draw=Chance(number))
        while game.verdict is None:
            voting = game.phase.kind == "vote" and not game.state.naming
            if voting and found.chance.random() < 0.8:
                game = game.vote_off(found.chance.choice(game.alive))
            else:
                game = game.end_phase(missing="random")
        found.play(game)
    return found.report()


# --- what a player can tell apart ------------------------------------------------------------------


@lru_cache(maxsize=2**14)
def told_by_declaration(game: QuantumWerewolf, player: str) -> tuple[tuple[str, ...], ...]:
    """Return all that a player is told, from the record of the moves and the declarations alone.

    That is: their own number and card, and what it knows; for each phase the actions that they are asked for,
    the news of cards, and their own chances; of events what their `audience` lets them see; the published
    tables. Moves of one phase, and deaths found together, have no order.

    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="gekka")
    >>> looked = game.vision("Ann", "Bo")
    >>> [told_by_declaration(looked, name) == told_by_declaration(game, name) for name in game.players]
    [False, True, True]
    """
    setup, state, meant = game.setup, game.state, declared(game.setup)
    step, before = game.steps[-1] if game.steps else (), game.states[-2] if game.steps else None
    told = [part for event in step if (part := _part(setup, before or state, event, player))]
    seat = setup.seat(player)
    if before is None:
        cards, known = dict(zip(setup.players, setup.roles or (), strict=False)), dict[str, str]()
        if player in cards:
            own = setup.deck.role(cards.pop(player)).looks
            known = {name: meant.shown(own, card) for name, card in cards.items()} | {player: own}
        numbers = setup.numbers[seat] if setup.numbers_hidden else setup.numbers
        told.append(("", (replace(setup, roles=None, numbers=()), player, numbers, known)))
    if table_due(setup, step, before or state, state):
        table = make_table(setup, state, public=True).to_dict()
        told.append(("", (table["rows"], table.get("worlds", ""))))
    if before is None or before.phase != state.phase:
        asked = sorted(action for name, action in state.entitled if name == player)
        news = sorted(one for one in state.shown if one[0] in ("", player))
        alone = setup.rules.told == "probabilities" and setup.deal == "quantum" and setup.actions(state.phase)
        chances = make_table(setup, state).rows[seat] if alone and seat not in state.dead else ()
        told.append(("", (state.phase, asked, news, chances)))
    parts = [] if before is None else [*told_by_declaration(game.undo(), player)]
    for unordered, what in told:
        same = parts.pop()[1:] if unordered and parts and parts[-1][0] == unordered else ()
        parts.append((unordered, *sorted((*same, repr(what)))))
    return tuple(parts)


def _part(setup: Setup, before: State, event: ev.Event, player: str) -> tuple[str, object] | None:
    """Return the part of an event shown to a player, after its `unordered`; None if nothing is."""
    inside = player in event.insiders
    sees = {"insiders": inside, "master": False}
    sees |= {"public": inside or setup.targets == "public", "quantum": inside or setup.deal == "quantum"}
    hidden = {field for field, who in event.audience.items() if not sees[who]}
    if "" in hidden:
        return None
    seen = event.to_dict() | {field: event.instead(field) for field in hidden}
    if event.is_move and not ev.is_action(event) and not isinstance(event, ev.PhaseEnded):
        seen["acted"] = sorted(before.acted) if setup.deal == "quantum" else []
    return event.unordered, sorted(seen.items(), key=repr)


# --- games with other secrets, and what is seen in them ------------------------------------------------


class Audit:
    """All moments by what players were told, and the differences found so far.

    Who shows players other things derives a class, whose `printed` or `known` return them as well.

    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="gekka").vision("Ann", "Bo")
    >>> {compared.leaks for compared in Audit(0).of(game)}
    {0}
    """

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.first: dict[Hashable, tuple[QuantumWerewolf, object, Shows]] = {}
        self.pairs: Counter[str] = Counter()
        self.leaks: dict[str, Compared] = {}

    def add(
        self, player: str, told: Hashable, game: QuantumWerewolf, shows: Shows, noted: object = None
    ) -> None:
        """Compare a moment with the first one of another game at which the player was told the same.

        `noted`: what else makes moments of one game different.
        """
        shows = cache(shows)
        other, before, others = self.first.setdefault((player, told), (game, noted, shows))
        if (other, before) == (game, noted):
            return
        here, there = shows(), others()
        for part in sorted(here.keys() & there.keys()):
            surface = part.partition(":")[0]
            self.pairs[surface] += 1
            if here[part] != there[part]:
                lines = zip_longest(there[part].split("\n"), here[part].split("\n"), fillvalue="")
                one, two = next((one, two) for one, two in lines if one != two)
                words = f"{player} sees {one!r}, in another game {two!r}"
                leak = self.leaks.setdefault(surface, Compared(surface, 0, 0, words, (other, game)))
                self.leaks[surface] = replace(leak, leaks=leak.leaks + 1)

    def report(self) -> Tabled[Compared]:
        """Return the numbers by surface."""
        pairs = sorted(self.pairs.items())
        found = [replace(self.leaks.get(name, Compared(name)), pairs=number) for name, number in pairs]
        rows = tuple((c.surface, str(c.pairs), str(c.leaks), c.example) for c in found)
        return Tabled(found, Grid(("surface", "pairs", "leaks", ""), rows, words=True))

    def of(self, game: QuantumWerewolf) -> Tabled[Compared]:
        """Compare a game with others that a player cannot tell from it; return the findings by surface."""
        self.play(game)
        return self.report()

    def play(self, game: QuantumWerewolf) -> None:
        """Print a game and its twins."""
        twins = [*_twins(game)]
        for other in (game, *self.chance.sample(twins, min(_TWINS, len(twins)))):
            self.steps(other)

    def steps(self, game: QuantumWerewolf, since: int = 0) -> None:
        """Compare what the library prints after some steps and after each later one."""
        for now in map(game.at, range(since, len(game.states))):
            for player in now.players:
                told = told_by_declaration(now, player)
                self.add(player, told, now, partial(self.printed, now, player))
                in_turn = player == now.players[now.phase.position % len(now.players)]
                if in_turn and now.verdict is None and not now.state.acted:
                    self.add(player, ("begun", told), now, partial(self.known, now, player))

    def printed(self, game: QuantumWerewolf, player: str) -> dict[str, str]:
        """Return handout, messages and shared screen as a player sees them; compared at every moment."""
        handout = game.handout(player)
        return {
            "handout: text": str(handout),
            "handout: JSON": handout.to_json(),
            "messages": "\n".join(str(message) for message in game.messages if message.to in (None, player)),
            "shared screen": screen(game).to_text(),
        }

    def known(self, game: QuantumWerewolf, player: str) -> dict[str, str]:
        """Return the conclusions that a player could work out.

        That takes long: they are compared when a phase begins, for one player at a time.
        """
        other = next(name for name in reversed(game.players) if name != player)
        try:
            said = f"{game.table(viewer=player)}\n{game.ask(K(player, K(other, Atom(f'wolf_{player}'))))}"
        except KripkeError as error:  # a refusal is an answer, too
            said = str(error)
        return {"knowledge": said}


def _twins(game: QuantumWerewolf) -> Iterator[QuantumWerewolf]:
    """Yield games that differ in one hidden thing, with the same other moves and draws where possible.

    In some of them two players have each other's numbers, cards and moves.
    """
    died = {e.player: e.role for e in game.events if isinstance(e, ev.OfficialDeath)}

    def draw(kind: str, player: str | None, weights: Mapping[str, int]) -> str:
        return next((role for role in weights if role == died.get(player or "")), next(iter(weights)))

    setup = game.setup
    moves: list[_Move] = [None if ev.only_ends(step) else step[0].to_dict() for step in game.steps]
    for one, other in combinations(game.players, 2):
        names = {one: other, other: one}
        seats = [setup.seat(names.get(name, name)) for name in game.players]
        roles = setup.roles and tuple(setup.roles[seat] for seat in seats)
        numbers = tuple(setup.numbers[seat] for seat in seats) if setup.numbers_hidden else setup.numbers
        start = QuantumWerewolf.from_setup(replace(setup, roles=roles, numbers=numbers))
        exchanged = [move and dict(move) for move in moves]
        for move in filter(None, exchanged):
            if "actor" in move:
                move["actor"] = names.get(str(move["actor"]), move["actor"])
        yield _played(start.with_draw(draw), exchanged, game.states)
    for number, (event, *_) in enumerate(game.steps):
        some = [[instead, *moves[number + 1 :]] for instead in _alternatives(game.at(number), event)]
        if ev.is_action(event) and number + 1 < len(moves):
            some.append([*moves[number : number + 2][::-1], *moves[number + 2 :]])
        for tail in some:
            yield _played(game.at(number).with_draw(draw), tail, game.states[number:])


def _alternatives(game: QuantumWerewolf, move: ev.Event) -> Iterator[_Move]:
    """Yield the moves that may be in the place of one that is hidden, or whose outcome is."""
    match move:
        case ev.Said() if move.to:
            yield replace(move, formula=f"~({move.formula})").to_dict()
        case ev.VotedOff():
            yield from (replace(move, role=role).to_dict() for role in game.setup.deck.roles)
        case ev.Acted() | ev.Declined() | ev.Refused():
            for targets in game.legal_choices(move.actor, move.action).values():
                for result, _ in declared(game.setup).acts[move.action].shows or ((None, ""),):
                    yield ev.act_of(move.actor, move.action, *targets, result=result).to_dict()
            yield ev.Declined(move.actor, move.action).to_dict()


def _played(game: QuantumWerewolf, moves: Iterable[_Move], before: Iterable[State]) -> QuantumWerewolf:
    """Return a game after further moves in the phases of these states, as far as they are legal."""
    for move, state in zip(moves, before, strict=False):
        undrawn = move and {field: value for field, value in move.items() if field not in ("result", "role")}
        for tried in (move, undrawn):
            with suppress(GameError):
                now = game
                while now.phase.position < state.phase.position:
                    now = now.end_phase(missing="pass")
                game = now.play(ev.Event.from_dict(tried)) if tried else now.end_phase(missing="pass")
                break
    return game
