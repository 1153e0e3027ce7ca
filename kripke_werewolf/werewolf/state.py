"""The setup of a game and its state between two moves, as values the engine works on.

Inside the engine players are indices from 0 in seat order; names appear in events and messages.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, TypeAlias
from unicodedata import category

from kripke_werewolf.errors import GameError, UnknownNameError
from kripke_werewolf.werewolf.events import Action, Verdict
from kripke_werewolf.werewolf.roles import Deck, Role
from kripke_werewolf.werewolf.rules import PhaseKind, Rules
from kripke_werewolf.werewolf.superposition import Superposition, probability

__all__ = ["Deal", "Phase", "Setup", "State", "Targets", "check_names", "death_chances"]

Targets: TypeAlias = Literal["secret", "public"]
Deal: TypeAlias = Literal["quantum", "classical"]

ACTIONS: Mapping[PhaseKind, tuple[Action, ...]] = {
    "vote": (),
    "visions": ("vision",),
    "attacks": ("attack",),
    "night": ("vision", "attack"),
}


@dataclass(frozen=True, slots=True)
class Setup:
    """What is fixed before the first move, and common knowledge except `roles` and perhaps `numbers`."""

    players: tuple[str, ...]
    """The names, in seat order."""
    deck: Deck
    rules: Rules
    targets: Targets = "secret"
    """Whether the others see whom a player looks at and attacks."""
    deal: Deal = "quantum"
    """Nobody has a role (`quantum`), or everybody was dealt one (`classical`)."""
    numbers: tuple[int, ...] = ()
    """The number of each player, by seat: the rows of an anonymous table."""
    strict: bool = False
    """Whether a phase may only end when every compulsory action was taken."""
    roles: tuple[Role, ...] | None = None
    """The actual roles by seat, of a classical deal."""
    sample: tuple[int, int] | None = None
    """Greatest number of worlds and seed, when the game runs on a random part of the worlds."""

    @property
    def sampled(self) -> str:
        """Return what must be said with every number of a game played on a part of the worlds; or nothing."""
        if self.sample is None:
            return ""
        return f"a random sample of at most {self.sample[0]:,} of the {self.deck.worlds:,} worlds"

    def seat(self, player: str | int) -> int:
        """Return the index of a player given by name, or by number as an integer.

        Raises UnknownNameError with near misses.
        """
        if isinstance(player, int) and player in self.numbers:
            return self.numbers.index(player)
        if player in self.players:
            return self.players.index(str(player))
        raise UnknownNameError(player, self.players, kind="player")

    def phase_at(self, position: int) -> PhaseKind:
        """Return the kind of the phase at this position of the game."""
        opening, cycle = self.rules.opening, self.rules.cycle
        if position < len(opening):
            return opening[position]
        return cycle[(position - len(opening)) % len(cycle)]

    def phase_after(self, phase: Phase) -> Phase:
        """Return the phase that follows."""
        kind = self.phase_at(phase.position + 1)
        rises = kind == "vote" if self.rules.number_rises_at == "vote" else phase.kind == "vote" != kind
        return Phase(kind, phase.number + rises, phase.position + 1)

    def actions(self, phase: Phase) -> tuple[Action, ...]:
        """Return the actions players have in a phase, in the order of a turn."""
        first = phase.position < len(self.rules.opening)
        without_attack = first and not self.rules.first_attack
        return tuple(a for a in ACTIONS[phase.kind] if not (a == "attack" and without_attack))


_UNPRINTABLE = ("Cc", "Cs", "Zl", "Zp")  # controls, halves of a surrogate pair, separators of lines


def check_names(players: object) -> tuple[str, ...]:
    """Return the names as a tuple; raise GameError if they cannot be the players of a game.

    Refused: no names, anything but strings, empty names, surrounding blanks, control characters
    (line breaks, tabs), half characters that no file can hold, duplicates. Quotes, emoji and markup are
    names like any other.
    """
    if isinstance(players, str) or not isinstance(players, (list, tuple)):
        raise GameError(f"players={players!r} is not a list of names")
    for name in players:
        if not isinstance(name, str) or not name.strip():
            raise GameError(f"{name!r} is not a player's name; a name is a text that is not empty")
        if name != name.strip() or any(category(c) in _UNPRINTABLE for c in name):
            raise GameError(
                f"the name {name!r} has a line break, a control character or blanks at an end; leave them out"
            )
    twice = sorted({name for name in players if players.count(name) > 1})
    if twice:
        raise GameError(f"the name {twice[0]!r} occurs more than once; players need different names")
    if not players:
        raise GameError("a game needs players; the list of names is empty")
    return tuple(players)


@dataclass(frozen=True, slots=True)
class Phase:
    """A part of the game in which the same things may be done: "night 1", "day 2"."""

    kind: PhaseKind
    number: int
    position: int
    """How many phases came before."""

    def __str__(self) -> str:
        if self.kind in ("vote", "night"):
            return f"{'day' if self.kind == 'vote' else 'night'} {self.number}"
        return f"night {self.number}, {self.kind}"


@dataclass(frozen=True, slots=True)
class State:
    """Where a game stands between two moves."""

    worlds: Superposition
    phase: Phase
    entitled: Mapping[Action, frozenset[int]] = field(default_factory=dict)
    """Who had the right to which action when the phase began."""
    acted: Mapping[Action, frozenset[int]] = field(default_factory=dict)
    """Who has used it or declined."""
    votes: int = 0
    """Players voted off in this phase."""
    dead: frozenset[int] = frozenset()
    """The officially dead."""
    bites: Mapping[tuple[int, int], Fraction] = field(default_factory=dict)
    """Fractional attacks: (target, attacker) and the fraction of a life each bite counts."""
    wolves_left: int = 0
    """Fractional attacks: the number of wolves a bite is shared by."""
    told: frozenset[int] = frozenset()
    """Who has been told his only role left."""
    verdict: Verdict | None = None
    forced: bool = False
    """Whether the verdict came by a forced collapse."""

    def open(self, action: Action) -> frozenset[int]:
        """Return who still has this action in the current phase."""
        return self.entitled.get(action, frozenset()) - self.acted.get(action, frozenset())


def death_chances(setup: Setup, state: State) -> tuple[Fraction | None, ...]:
    """Return the probability of being dead of every player by seat; None when no world is left.

    With fractional attacks it is the expected sum of the bites ("straat" rules): over the worlds and
    the players X who are wolves there while the target is not, of the fraction X's bite counts.
    """
    worlds, seats = state.worlds, range(setup.deck.players)
    if not worlds.size:
        return (None,) * setup.deck.players
    if setup.rules.attack == "dominant":
        return tuple(probability(count, worlds) for count in worlds.death_counts())
    bitten = [Fraction(0)] * setup.deck.players
    for (target, attacker), share in state.bites.items():
        if target not in state.dead:
            bitten[target] += share * worlds.bite_count(attacker, target) / worlds.size
    return tuple(Fraction(1) if p in state.dead else bitten[p] for p in seats)
