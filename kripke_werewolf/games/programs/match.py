"""A match: a game with a strategy for every seat, which is a Markov chain.

Everything that solves, simulates and measures uses only a match: its initial states, the successors of a
state, and the knowledge of all players in it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from types import CodeType
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from kripke_werewolf.base._version import __version__
from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.errors import GameError
from kripke_werewolf.games.programs.knowledge import written
from kripke_werewolf.games.programs.outcomes import Simulation

if TYPE_CHECKING:
    from kripke_werewolf.games.programs.chain import Solution

S = TypeVar("S", bound="Solution")
N = TypeVar("N", bound=Simulation)
_OURS = f"{__name__.partition('.')[0]}."


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
    game: Any
    """The game without strategies."""
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

    def is_state(self, place: object) -> bool:
        """Return whether a play continues from here."""
        return isinstance(place, State)

    def stage(self, state: Any) -> int:
        """Return the rank that decides which states move first when many games move together."""
        return 0

    def moment(self, state: Any) -> str:
        """Return the name of the moment, for measurements; details follow a comma: "quest 2, proposal 3"."""
        moment: str = self.game.moment(state.now)
        return moment

    @abstractmethod
    def forget(self) -> None:
        """Clear the cached results of strategies; called when one of them has changed."""

    # --- identity --------------------------------------------------------------------------------

    def identity(self) -> str:
        """Return a string that differs if the rules, the code of a strategy or a parameter differ."""
        values = [self.title, self.game, *self.strategies(), *self.strategies().values()]
        return sha256("\n".join(map(identity, values)).encode()).hexdigest()[:16]

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


# --- what a strategy is ------------------------------------------------------------------------------


def parameters(value: object) -> dict[str, Any]:
    """Return the parameters of a strategy: the attributes of the instance."""
    found = dict(getattr(value, "__dict__", {}))
    for kind in type(value).__mro__:  # a dataclass may have slots instead
        slots = vars(kind).get("__slots__", ())
        found |= {name: getattr(value, name) for name in slots if hasattr(value, name)}
    return found


def named(value: object) -> str:
    """Return a strategy in one line: its class and its parameters.

    >>> class Patient:
    ...     def __init__(self, n): self.n = n
    >>> named(Patient(2))
    'Patient(n=2)'
    """
    shown = ", ".join(
        f"{name}={named(v) if hasattr(v, '__dict__') and not callable(v) else repr(v)}"
        for name, v in parameters(value).items()
    )
    name: str = getattr(value, "__qualname__", None) or type(value).__qualname__
    return f"{name.rpartition('<locals>.')[2]}({shown})"


def identity(value: object) -> str:
    """Return a string that differs for values with other parameters, of another class or with other code.

    The code is that of the methods or the function, without what it reads elsewhere, such as globals.

    >>> identity(lambda n: n + 1) == identity(lambda n: n + 2)
    False
    """
    kinds = [kind for kind in type(value).__mro__ if kind.__module__ != "builtins"]
    functions = [value, *(part for kind in kinds for part in vars(kind).values())]
    code = [_code(f.__code__) for f in functions if isinstance(getattr(f, "__code__", None), CodeType)]
    shown = named(value) if hasattr(value, "__dict__") else written(value)
    return sha256(repr((shown, code)).encode()).hexdigest()[:16]


def _code(code: CodeType) -> tuple[object, ...]:
    constants = [_code(c) if isinstance(c, CodeType) else written(c) for c in code.co_consts]
    return code.co_code, constants, code.co_names


def is_ours(strategy: object, question: str) -> bool:
    """Return whether a method of a strategy is the library's own, also of strategies among its parameters.

    The methods of the library's strategies call none of their own.
    """
    module = getattr(getattr(strategy, question, None), "__module__", None) or ""
    others = [value for value in parameters(strategy).values() if hasattr(value, question)]
    return module.startswith(_OURS) and all(is_ours(other, question) for other in others)


def check_match(match: object) -> Match[Any, Any]:
    """Return a match; raises GameError for anything else."""
    if not isinstance(match, Match):
        raise GameError(f"expected a game, such as Avalon(published()); got {match!r}")
    return match
