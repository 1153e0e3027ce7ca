"""The audit of a rule set: play random games on the shared device and count who learns from which events.

The games are played on the screens of the console (`Rounds`) by players who answer at random, so the audit
counts only what the console itself has shown. Every game is played twice, with the same votes and different
secrets. As long as two games agree on the public information, the device must be passed on in the same way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TypeAlias

from kripke_werewolf.console.screens import DECLINE, LEAVE, Rounds
from kripke_werewolf.console.terminal import Style, Words
from kripke_werewolf.errors import ModelTooLarge
from kripke_werewolf.tabletop import DEVICE, Keeper
from kripke_werewolf.werewolf import LogFile, QuantumWerewolf
from kripke_werewolf.werewolf.enumerated import Enumerated
from kripke_werewolf.werewolf.events import Event, FoundDead, is_action
from kripke_werewolf.werewolf.handout import public_handout
from kripke_werewolf.werewolf.learning import Learnt
from kripke_werewolf.werewolf.log import HouseRules
from kripke_werewolf.werewolf.rules import Rules
from kripke_werewolf.werewolf.setup import LIMIT, Deal, Targets

_PROMPTS = 60
"""The number of prompts per player after which a random game is stopped."""

Public: TypeAlias = tuple[object, ...]
"""The living players of every phase so far, the verdict, and the lines typed on the shared screen."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The number of times that players learnt from events of one kind, in some random games.

    `times`: the number of these events; `meant`, `leaked`: the number of times that a player learnt from one
    that was, or was not, meant for them; `example`: one that leaked, in words.
    """

    kind: str
    times: int
    meant: int
    leaked: int
    example: str = ""


def audit_rules(
    rules: str | Rules,
    players: int,
    *,
    wolves: int | None = None,
    targets: Targets = "secret",
    deal: Deal = "quantum",
    games: int = 10,
    seed: int = 0,
    limit: int = LIMIT,
) -> tuple[Tally, ...]:
    """Play random games of a rule set, and return for each kind of event how often players learnt from it.

    >>> {tally.leaked for tally in audit_rules("straat", 3, wolves=1, games=1)}
    {0}

    The last two tallies are about what everybody can see. `order`: public events that are announced one after
    the other; any other order than that of the seats could say who was first. `rounds`: how often the device
    changes hands, and the number of prompts each time. It counts how often two games came to a point with the
    same public information; there `leaked` counts where the device went on differently.
    """
    found: dict[str, list[Learnt]] = {}
    orders: list[bool] = []
    played: list[tuple[Round, ...]] = []
    names = [f"P{place}" for place in range(1, players + 1)]
    for number in range(games):
        for secret in (2 * (seed + number), 2 * (seed + number) + 1):
            start = QuantumWerewolf(names, rules=rules, wolves=wolves, targets=targets, deal=deal, rng=secret)
            if start.size > limit or not Enumerated.fits(start.setup.deck):
                raise _too_large(start.size, limit)
            game, rounds = on_device(start, votes=seed + number, secrets=secret)
            played.append(rounds)
        try:
            learnt_in = game.audit(limit=limit)
        except ModelTooLarge as error:
            raise _too_large(error.worlds, limit) from None
        for learnt in learnt_in:
            found.setdefault(learnt.kind, []).append(learnt)
        for part in public_handout(game).parts:
            orders += in_seat_order(game.setup.players, part.events)
    told = [_tally(kind, learnt) for kind, learnt in found.items()]
    return (*told, Tally("order", len(orders), 0, orders.count(False)), compared(played))


def _too_large(worlds: int, limit: int) -> ModelTooLarge:
    what = "the audit lists the worlds that a player considers possible: their model"
    return ModelTooLarge(worlds, limit, what, "audit fewer players or wolves, or public targets")


def _tally(kind: str, events: Sequence[Learnt]) -> Tally:
    leaks = [(learnt.event, min(learnt.leaked_to)) for learnt in events if learnt.leaked_to]
    total = sum(len(learnt.ruled_out) for learnt in events)
    leaked = sum(len(learnt.leaked_to) for learnt in events)
    example = f"{leaks[0][0]} ({leaks[0][1]})" if leaks else ""
    return Tally(kind, len(events), total - leaked, leaked, example)


# --- the order of announcements --------------------------------------------------------------------


def in_seat_order(players: Sequence[str], events: Iterable[Event]) -> list[bool]:
    """Return for each run of moves, or of deaths, whether each kind is in seat order.

    The public sees no actors in a classical deal; there the order is that of the targets.

    >>> from kripke_werewolf.werewolf.events import Attack, Vision
    >>> moves = [Vision("Ann", "Cy"), Attack("Ann", "Bo"), Attack("Cy", "Bo")]
    >>> in_seat_order(["Ann", "Bo", "Cy"], moves), in_seat_order(["Cy", "Bo", "Ann"], moves)
    ([True], [False])
    >>> in_seat_order(["Ann", "Bo", "Cy"], [Attack("", "Cy"), Attack("", "Bo")])
    [False]
    """
    found = []
    told = [event for event in events if is_action(event) or isinstance(event, FoundDead)]
    for _, run in groupby(told, key=is_action):
        seats: dict[str, list[int]] = {}
        for event in run:
            name = event.player if isinstance(event, FoundDead) else event.actor
            name = name or getattr(event, "target", "")
            if name:
                seats.setdefault(event.name, []).append(players.index(name))
        found += [order == sorted(order) for order in seats.values() if len(order) > 1]
    return found


# --- the rounds of the device ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Round:
    """The prompts in order, from one change of the public information to the next.

    `prompts`: the prompts on the shared screen, and "" for a prompt on a private screen. `when`: the phase.
    """

    public: Public
    when: str
    prompts: tuple[str, ...]

    def __str__(self) -> str:
        turns = sum(not now and bool(before) for before, now in pairwise(("start", *self.prompts)))
        return f"{self.when}: {turns} turns of the device with {len(self.prompts)} prompts"


class _Table:
    """A terminal whose players answer at random: votes from one source, secret answers from another.

    Nobody types a name that is known to be refused, or asks for the device again.
    """

    size = None

    def __init__(self, keeper: Keeper, votes: int, secrets: int) -> None:
        self.keeper, self.votes, self.secrets = keeper, Random(votes), Random(secrets)
        self.private = False
        self.typed: tuple[str, ...] = ()  # on the screen that all see
        self.prompts: list[tuple[Public, str, str]] = []

    def show(self, text: str, style: Style = "plain") -> None:
        """Note whether the screen is for one player."""
        self.private = self.private or style == "private"

    def clear(self, *, hands: bool = False) -> None:
        """Begin a screen for everybody."""
        self.private = False

    def ask(self, prompt: str, first: Words = (), names: Words = (), *, until: float | None = None) -> str:
        """Answer at random; raise EOFError after a long game."""
        game = self.keeper.game
        if len(self.prompts) > _PROMPTS * len(game.players):
            raise EOFError
        self.prompts.append(((*_phases(game), *self.typed), str(game.phase), "" if self.private else prompt))
        if not self.private:
            line = self.votes.choice([*names, *names, "end"]) if names else ""
            self.typed += (line,) if line else ()
            return line
        offered = [name for name in first if name in game.players]
        if prompt == LEAVE or not offered:
            return ""
        return self.secrets.choice([*offered, "nobody"] if DECLINE in prompt else offered)

    @property
    def rounds(self) -> tuple[Round, ...]:
        """The rounds of the device; without the last one if it was cut off before the game was over."""
        found = [
            Round(public, when, tuple(prompt for _, _, prompt in run))
            for (public, when), run in groupby(self.prompts, key=lambda made: made[:2])
        ]
        return tuple(found if self.keeper.game.verdict is not None else found[:-1])


def _phases(game: QuantumWerewolf) -> Iterator[object]:
    """Yield the players alive at the beginning of every phase, and the verdict."""
    for phase, states in groupby(game.states, key=lambda state: state.phase):
        yield phase, next(states).dead
    yield game.verdict


def on_device(
    start: QuantumWerewolf, *, votes: int, secrets: int
) -> tuple[QuantumWerewolf, tuple[Round, ...]]:
    """Play a game on the shared device with random answers; return the game and the rounds."""
    with TemporaryDirectory() as folder, LogFile.create(Path(folder) / "game.jsonl", start) as log:
        keeper = Keeper(log, DEVICE, house=HouseRules(), seed=secrets)
        table = _Table(keeper, votes, secrets)
        Rounds(keeper, table).run()
        return keeper.game, table.rounds


def compared(played: Iterable[Iterable[Round]]) -> Tally:
    """Return how often the device was passed on differently for the same public information.

    Every round is compared with the first one of another game with the same public information.
    """
    first: dict[Public, Round] = {}
    met: defaultdict[bool, list[str]] = defaultdict(list)
    for rounds in played:
        for found in rounds:
            other = first.setdefault(found.public, found)
            if other is not found:
                same = other.prompts == found.prompts
                met[same].append("" if same else f"{found}, in another game {other}")
    return Tally("rounds", len(met[True]) + len(met[False]), 0, len(met[False]), *met[False][:1])
