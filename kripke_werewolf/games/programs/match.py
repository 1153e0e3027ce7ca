"""A match: a game with a strategy for every seat, which is a Markov chain.

Everything that solves, simulates and measures uses only a match: its initial states, the successors of a
state, and the knowledge of all players in it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from kripke_werewolf.base._version import __version__
from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.errors import GameError
from kripke_werewolf.games.programs.identity import identity, named
from kripke_werewolf.games.programs.outcomes import Simulation
from kripke_werewolf.games.programs.symmetry import Names, renamed_value

if TYPE_CHECKING:
    from kripke_werewolf.games.programs.solving import Solution

S = TypeVar("S", bound="Solution")
N = TypeVar("N", bound=Simulation)


@dataclass(frozen=True, slots=True)
class Twin:
    """One of several points of a model with the same state of the world, but different knowledge."""

    world: Hashable
    number: int = 0
    memories: tuple[Any, ...] = ()
    """What each player has seen and done, if a strategy uses it."""

    def __str__(self) -> str:
        return f"{self.world} ({self.number})" if self.number else str(self.world)


class State(NamedTuple):
    """A state of a game: everybody's knowledge, the actual point of that model, the public situation."""

    knowledge: Any
    world: Any
    now: Any

    @property
    def actual(self) -> Any:
        """The state of the world."""
        return world_of(self.world)


def world_of(point: Any) -> Any:
    """Return the state of the world at a point of a model."""
    return point.world if isinstance(point, Twin) else point


class Match(Displayed, ABC, Generic[S, N]):
    """A game with a strategy for every seat.

    A subclass defines the initial states, the successors of a state (states, or outcomes: anything else), and
    its rules and strategies. Matches are equal if they have the same rules and strategies, parameters
    included.
    """

    title: str = "game"
    """The name of the game."""
    solution: type[S]
    """The class of solutions."""
    simulation: type[N]
    """The class of simulations."""

    def headline(self) -> str:
        """Return the name of the game and the strategies."""
        return f"{self.title}: {', '.join(f'{who} {named(how)}' for who, how in self.strategies().items())}"

    @abstractmethod
    def starts(self) -> Mapping[Any, Fraction]:
        """Return the initial states with their probabilities."""

    @abstractmethod
    def successors(self, state: Any) -> Mapping[Any, Fraction]:
        """Return the possible successors, states and outcomes, with their probabilities."""

    @abstractmethod
    def strategies(self) -> Mapping[str, object]:
        """Return the strategies by the names of their players."""

    def options(self) -> Mapping[str, object]:
        """Return the options of the rules, by name."""
        return {}

    def source(self) -> object:
        """Return the value that defines the rules; it is part of the identity."""
        return dict(self.options())

    def possible(self) -> Collection[Any] | None:
        """Return all outcomes that the rules allow, whatever the strategies; None if they are not listed."""
        return None

    def is_state(self, place: object) -> bool:
        """Return whether a play continues from here."""
        return isinstance(place, State)

    def stage(self, state: Any) -> int:
        """Return the rank that decides which states move first when many games move together."""
        return 0

    def moment(self, state: Any) -> str:
        """Return the name of the moment, for measurements; details follow a comma: "quest 2, proposal 3"."""
        return "play"

    # --- symmetries: see `games.symmetry` --------------------------------------------------------

    def symmetries(self) -> Sequence[Names]:
        """Return renamings of the players that generate the symmetries of the rules."""
        return ()

    def proven(self) -> bool:
        """Return whether the strategies are known to treat all players alike, from how they are made."""
        return False

    def originals(self, state: Any) -> Sequence[Names] | None:
        """Return the renamings that carry a representative to the states it represents; None: all."""
        return None

    def renamed(self, now: Any, names: Names) -> Any:
        """Return a public situation, or an atom, with the players renamed."""
        return renamed_value(now, names)

    def frame(self, now: Any) -> tuple[Any, ...]:
        """Return players that a public situation names, so that renamings can be chosen by them."""
        return ()

    def pruned(self, state: Any) -> Any:
        """Return a state with the same future, without anything that can no longer matter."""
        return state

    def image(self, knowledge: Any, names: Names) -> tuple[Any, Mapping[Any, Any]]:
        """Return knowledge with the players renamed, and the image of each world."""
        raise GameError(f"{self.title} has symmetries(), but no image() of knowledge after renaming")

    @abstractmethod
    def forget(self) -> None:
        """Clear the cached results of strategies; called when one of them has changed."""

    # --- identity --------------------------------------------------------------------------------

    def identity(self) -> str:
        """Return a string that differs if the rules, a strategy or a parameter differ.

        Raises GameError for a strategy that cannot be compared.
        """
        parts = [self.title, identity(self.source())]
        for who, strategy in self.strategies().items():
            try:
                parts.append(f"{who} {identity(strategy)}")
            except GameError as error:
                raise GameError(f"the strategy of {who}, {named(strategy)}: {error}") from None
        return sha256("\n".join(parts).encode()).hexdigest()[:16]

    def current(self) -> str:
        """Return the identity; cached results of strategies that have changed are cleared."""
        now = self.identity()
        if getattr(self, "_identity", now) != now:
            self.forget()
        self._identity = now
        return now

    def unchanged(self) -> None:
        """Raise GameError if a strategy has changed since the last call of `current`."""
        if self.identity() != self._identity:
            changed = ", ".join(f"{who} {named(s)}" for who, s in self.strategies().items())
            raise GameError(
                f"a strategy changed while it was played ({changed}): a strategy must be a value, whose "
                "decisions depend on its parameters and on what it is asked, not on what happened before"
            )

    def about(self) -> dict[str, Any]:
        """Return the description stored with results: game, rules, strategies, identity, version."""
        return {
            "game": self.title,
            "rules": {name: _plain(value) for name, value in self.options().items()},
            "strategies": {who: named(strategy) for who, strategy in self.strategies().items()},
            "identity": self.identity(),
            "version": __version__,
        }

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Match):
            return NotImplemented
        return type(self) is type(other) and self.identity() == other.identity()

    def __hash__(self) -> int:
        return hash(self.identity())


def _plain(value: object) -> object:
    """Return a value in a form that JSON supports."""
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def check_match(match: object) -> Match[Any, Any]:
    """Return a match; raises GameError for anything else."""
    if not isinstance(match, Match):
        name = getattr(match, "name", None)
        given = f"the rules {name!r}" if type(match).__name__ == "Rules" and name else repr(match)
        raise GameError(f"expected a game, such as Avalon(published()); got {given}")
    return match
