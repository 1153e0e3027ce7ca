"""Who learns from which event: an audit of what a game gives away.

A player learns from an event what he can rule out after it that he could not before: assignments of
roles that he considered possible. Whom an event is meant for follows from `seen_by`; a *leak* is
somebody else who learns from it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kripke_werewolf.errors import GameError
from kripke_werewolf.werewolf.events import Attack, Declined, Event, Said, Told, Vision
from kripke_werewolf.werewolf.learning import describe

if TYPE_CHECKING:
    from kripke_werewolf.werewolf.game import QuantumWerewolf

__all__ = ["Leak", "Learnt", "audit", "check_private"]


class Leak(GameError):
    """Somebody learnt from an event that was not meant for him.

    `players`: for each of them an assignment of roles (letters by seat) that he can rule out now.
    """

    def __init__(self, event: str, players: dict[str, str]) -> None:
        self.players = players
        who = "; ".join(f"{name} can rule out {world}" for name, world in players.items())
        super().__init__(f"not private: {event.removesuffix('.')}: {who}")


@dataclass(frozen=True, slots=True)
class Learnt:
    """What the players learnt from one event.

    `number`, `event`: which one, in words; `meant_for`: the players who may see more of it than that it
    happened; `ruled_out`: for each player who learnt something, the assignments of roles (letters by
    seat) that he can rule out since.
    """

    number: int
    event: str
    meant_for: frozenset[str]
    ruled_out: dict[str, frozenset[str]]

    @property
    def leaked_to(self) -> frozenset[str]:
        """The players who learnt something though it was not meant for them."""
        return frozenset(self.ruled_out) - self.meant_for


def audit(game: QuantumWerewolf, *, limit: int) -> tuple[Learnt, ...]:
    """Return for every event who learnt from it; see `QuantumWerewolf.audit`."""
    possible = {player: _considered(game, player, limit) for player in game.players}
    found = []
    for number, event in enumerate(game.events, 1):
        ruled_out = {}
        for player, sets in possible.items():
            gone = sets[number - 1] - sets[number]
            if gone:
                ruled_out[player] = gone
        found.append(Learnt(number, describe(game, number), _audience(event, game), ruled_out))
    return tuple(found)


def check_private(game: QuantumWerewolf, event: int, to: Iterable[str | int], *, limit: int) -> None:
    """Raise `Leak` if anybody but the players `to` learnt from an event."""
    if not 1 <= event <= len(game.events):
        raise GameError(f"there is no event {event}; events run from 1 to {len(game.events)}")
    allowed = {game.players[game.setup.seat(player)] for player in to}
    learnt = audit(game, limit=limit)[event - 1]
    others = {p: min(worlds) for p, worlds in learnt.ruled_out.items() if p not in allowed}
    if others:
        raise Leak(learnt.event, others)


def _considered(game: QuantumWerewolf, player: str, limit: int) -> list[frozenset[str]]:
    """Return the assignments that a player considers possible at the start and after every event."""
    from kripke_werewolf.werewolf.knowledge_model import models_after

    # a model for one player is generated from the designated worlds: all of it is what he considers
    models = models_after(game, [player], deaths_of=[], weighted=False, limit=limit)
    return [frozenset(_roles(name) for name in model().worlds) for _, model in models]


def _roles(name: object) -> str:
    return str(name).partition(" ")[0].lower()


def _audience(event: Event, game: QuantumWerewolf) -> frozenset[str]:
    public = game.setup.targets == "public"
    match event:
        case Vision(actor, _, _):
            return frozenset({actor})
        case Attack(actor, _) | Declined(actor, _):
            return frozenset(game.players) if public else frozenset({actor})
        case Told(player, _):
            return frozenset({player})
        case Said(speaker, _, to) if to:
            return frozenset({speaker, *to})
        case _:
            return frozenset(game.players)
