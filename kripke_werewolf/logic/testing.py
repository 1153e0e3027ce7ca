"""Checks of user-defined games: worlds, observations, events and handouts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from kripke_werewolf.base.errors import FalseAnnouncement, GameError, KripkeError
from kripke_werewolf.logic.formulas.operators import Knows
from kripke_werewolf.logic.formulas.syntax import Formula, agent_name, formula
from kripke_werewolf.logic.models.history import History
from kripke_werewolf.logic.models.model import KripkeModel, Numbered
from kripke_werewolf.logic.semantics.action import ActionModel
from kripke_werewolf.logic.semantics.worlds import world_text

__all__ = ["Game", "check_game"]


@dataclass(frozen=True, slots=True)
class Game:
    """A user-defined game, for `check_game`.

    `worlds`: all possible worlds, hashable and different. `observations`: for each player a function that
    returns what the player observes at a world. `valuation`: a function that returns the atoms that are true
    at a world. `start`: the actual world. `events`: the events in order, each as (name, action) or (name,
    action, player); the action is an action model, or a formula to announce, and the player makes the move.
    `handout` (optional): a function of player and world that returns the text for the player.
    """

    worlds: Iterable[Hashable]
    observations: Mapping[Any, Callable[[Any], Hashable]]
    valuation: Callable[[Any], Iterable[str]]
    start: Hashable
    events: Sequence[tuple[Any, ...]] = ()
    handout: Callable[[Any, Any], object] | None = None


def check_game(game: Game) -> History[KripkeModel]:
    """Check a game and return its history.

    * The worlds are different, and the actual one is among them.
    * Observations and valuation always return the same result for a world: observations a hashable
      value, the valuation names of atoms. The relations are made from them, so all players are S5
      at the start.
    * After every event the actual world is still there, and exactly one world is designated.
    * A player's move depends on nothing that the player does not know: where it can be made, the
      player knows that it can.
    * A handout is measurable: it is the same at worlds that its reader cannot tell apart, at the
      start and after every event.

    Raises `GameError` that says which of these fails, and where.

    >>> coin = Game(
    ...     worlds=["heads", "tails"],
    ...     observations={"a": lambda world: world, "b": lambda world: None},
    ...     valuation=lambda world: ["h"] if world == "heads" else [],
    ...     start="heads",
    ...     events=[("a says so", "h", "a")],
    ... )
    >>> check_game(coin).model.holds("K_b h")
    True
    """
    model = _start(game)
    history, products = History(model), 0
    _check_handouts(game, model, products, "at the start")
    for number, event in enumerate(game.events, 1):
        name, action, mover = _event(event, number)
        where = f"event {number} ({name!r})"
        try:
            if mover is not None:
                _check_move(history.model, action, mover, where)
            history = history.then(action, name=name)
        except GameError:
            raise
        except FalseAnnouncement as error:
            raise GameError(f"{where} removes the actual world: {error}") from None
        except KripkeError as error:
            raise GameError(f"{where}: {error}") from None
        products += isinstance(action, ActionModel)
        left = history.model.designated
        if len(left) != 1:
            shown = ", ".join(map(world_text, left))
            raise GameError(
                f"after {where} {len(left)} worlds are designated ({shown}); designate the one event "
                "that happens: action.point(event)"
            )
        if _origin(left[0], products) != game.start:
            raise GameError(f"after {where} the actual world is {left[0]!r}, no longer {game.start!r}")
        _check_handouts(game, history.model, products, f"after {where}")
    return history


def _start(game: Game) -> KripkeModel:
    if not isinstance(game, Game):
        raise GameError(f"expected a kripke_werewolf.logic.testing.Game, got {game!r}")
    worlds = list(game.worlds)
    if not worlds:
        raise GameError("the game has no worlds")
    if game.start not in worlds:
        raise GameError(f"the start {game.start!r} is not one of the {len(worlds):,} worlds")
    if not game.observations:
        raise GameError("the game has no players: observations is empty")
    for player, observe in game.observations.items():
        _check_function(f"the observation of {player!r}", observe, worlds)
    for world in worlds:
        atoms = _asked("the valuation", lambda w: tuple(sorted(game.valuation(w))), world)
        wrong = [atom for atom in atoms if not isinstance(atom, str)]
        if wrong or atoms != tuple(sorted(game.valuation(world))):
            what = f"returns {wrong[0]!r}, not a string" if wrong else "answers differently when asked twice"
            raise GameError(f"the valuation {what}, at {world!r}")
    try:
        return KripkeModel.from_observations(worlds, game.observations, game.valuation, [game.start])
    except KripkeError as error:
        raise GameError(str(error)) from None


def _check_function(what: str, function: Callable[[Any], Hashable], worlds: Sequence[Hashable]) -> None:
    for world in worlds:
        first, second = _asked(what, function, world), _asked(what, function, world)
        try:
            same = hash(first) == hash(second) and first == second
        except TypeError:
            raise GameError(
                f"{what} is {first!r} at {world!r}, which is not hashable; return a tuple or a frozenset"
            ) from None
        if not same:
            raise GameError(
                f"{what} answers differently when asked twice, at {world!r}: {first!r}, {second!r}"
            )


def _asked(what: str, function: Callable[[Any], Any], world: Hashable) -> Any:
    try:
        return function(world)
    except Exception as error:  # whatever the user's function does wrong
        raise GameError(f"{what} fails at {world!r}: {type(error).__name__}: {error}") from error


def _event(event: object, number: int) -> tuple[str, ActionModel | Formula, str | None]:
    if not isinstance(event, tuple) or len(event) not in (2, 3) or not isinstance(event[0], str):
        raise GameError(f"event {number} must be (name, action) or (name, action, player), got {event!r}")
    try:
        action = event[1] if isinstance(event[1], ActionModel) else formula(event[1])
        return event[0], action, agent_name(event[2]) if len(event) == 3 else None
    except KripkeError as error:
        raise GameError(f"event {number} ({event[0]!r}): {error}") from None


def _check_move(model: KripkeModel, action: ActionModel | Formula, player: str, where: str) -> None:
    """Check that the player knows that the move can be made, wherever it can."""
    chosen = [action] if isinstance(action, Formula) else [action.events[e].pre for e in action.designated]
    for f in chosen:
        for world in model.where(f & ~Knows(player, f))[:1]:
            raise GameError(
                f"{where} is a move of {player!r} that depends on more than {player!r} knows: at "
                f"{world_text(world)} it can be made, but {player!r} does not know {f}"
            )


def _check_handouts(game: Game, model: KripkeModel, products: int, when: str) -> None:
    handout = game.handout
    if handout is None:
        return
    names, places = list(model.worlds), Numbered(model)
    for player in game.observations:
        what, write = f"the handout of {player!r}", partial(handout, player)
        read = [_asked(what, write, _origin(name, products)) for name in names]
        classes = places.classes(player)
        if classes is None:
            sights = [(world, places.successors(player, world)) for world in range(len(names))]
        else:
            sights = [(cell[0], cell) for cell in classes]
        for world, seen in sights:
            for other in seen:
                if read[other] != read[world]:
                    raise GameError(
                        f"{when} the handout of {player!r} tells more than {player!r} has observed: at "
                        f"{world_text(names[world])} it is {read[world]!r}, at {world_text(names[other])} it "
                        f"is {read[other]!r}"
                    )


def _origin(name: Hashable, products: int) -> Hashable:
    """Return the world at the start from which a world results after this many product updates."""
    for _ in range(products):
        assert isinstance(name, tuple)  # a world of a product is a pair (world, event)
        name = name[0]
    return name
