"""The actions of a whole phase at once, in the order of the rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from kripke_werewolf.errors import IllegalMove, UnknownNameError
from kripke_werewolf.werewolf.draws import choose
from kripke_werewolf.werewolf.events import Action
from kripke_werewolf.werewolf.legality import actor_refusal
from kripke_werewolf.werewolf.state import Setup, State

if TYPE_CHECKING:
    from kripke_werewolf.werewolf.game import QuantumWerewolf

__all__ = ["Actions", "Missing", "act_at_random", "work_off"]

Missing: TypeAlias = Literal["refuse", "pass", "random"]
Actions: TypeAlias = Mapping[str, str | Mapping[str, str | tuple[str, str]]]
Checked: TypeAlias = dict[int, dict[Action, tuple[str, str | None]]]


def work_off(
    game: QuantumWerewolf, actions: Actions, *, order: Iterable[str] | None, missing: Missing | None
) -> QuantumWerewolf:
    """Make all moves of a phase and end it; see `QuantumWerewolf.act`."""
    phase = game.phase
    checked = _check(game.setup, game._state, actions)
    game, acting = (game, list(order)) if order is not None else _in_order(game, checked)
    left_out = [name for name in game.players if game.setup.seat(name) in checked and name not in acting]
    if left_out:
        raise IllegalMove(f"order={acting!r} leaves out {', '.join(left_out)}, who should act")
    for player in acting:
        for kind, (target, result) in checked.get(game.setup.seat(player), {}).items():
            if kind == "attack":
                game = game.attack(player, target)
            else:
                game = game.vision(player, target, result=result)
    ended = game.phase != phase or game.verdict is not None
    return game if ended else game.end_phase(missing=missing)


def act_at_random(game: QuantumWerewolf) -> QuantumWerewolf:
    """Take every missing compulsory action with a random legal target, and end the phase."""
    phase = game.phase
    for player, action in game.waiting_for:
        draw = game._chance()
        targets = game.legal_targets(player, action)
        if not targets:
            continue
        target = choose(draw, "target", player, dict.fromkeys(targets, 1))
        game = game.with_draw(draw)
        game = game.attack(player, target) if action == "attack" else game.vision(player, target)
    return game if game.phase != phase or game.verdict else game.end_phase(missing="pass")


def _in_order(game: QuantumWerewolf, checked: Checked) -> tuple[QuantumWerewolf, list[str]]:
    setup = game.setup
    if setup.rules.acting_order == "number":
        return game, [setup.players[p] for p in sorted(checked, key=setup.numbers.__getitem__)]
    draw, rest, order = game._chance(), [setup.players[p] for p in sorted(checked)], list[str]()
    while rest:
        order.append(choose(draw, "turn", None, dict.fromkeys(rest, 1)))
        rest.remove(order[-1])
    return game.with_draw(draw), order


def _check(setup: Setup, state: State, actions: Actions) -> Checked:
    """Check who acts before anything is done, and bring all ways of writing an action into one form."""
    kinds = setup.actions(state.phase)
    if not kinds and actions:
        raise IllegalMove(f"there is nothing to act in {state.phase}; the village votes with vote_off")
    lenient = replace(setup, strict=False)  # who acts is the question here, not in which order
    checked: Checked = {}
    for player, given in actions.items():
        seat = setup.seat(player)
        if not isinstance(given, Mapping):
            if len(kinds) != 1:
                raise IllegalMove(f"{player}: say whether {given!r} is the target of a {' or '.join(kinds)}")
            given = {kinds[0]: given}
        for kind in given:
            if kind not in kinds:
                raise UnknownNameError(kind, kinds, kind="action", place=str(state.phase))
        checked[seat] = {}
        for action in kinds:
            target = given.get(action)
            if target is None:
                continue
            reason = actor_refusal(lenient, state, seat, action)
            if reason is not None:
                raise IllegalMove(f"the {action} of {player} is refused: {reason}")
            checked[seat][action] = target if isinstance(target, tuple) else (target, None)
    return checked
