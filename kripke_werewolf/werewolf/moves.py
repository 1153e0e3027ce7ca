"""The moves: each takes a state and returns the next one with the events, or raises IllegalMove.

A move that completes its phase also ends it, with everything that follows.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from kripke_werewolf.errors import IllegalMove, UnknownNameError, near_misses
from kripke_werewolf.werewolf.draws import Draw, choose
from kripke_werewolf.werewolf.endings import aftermath, announced, collapse_role, mark_dead
from kripke_werewolf.werewolf.events import Action, Attack, Declined, Event, PhaseEnded, Vision, VotedOff
from kripke_werewolf.werewolf.legality import (
    actor_refusal,
    compulsory,
    entitled,
    missing,
    target_refusal,
    vote_refusal,
)
from kripke_werewolf.werewolf.roles import Role, parse_roles
from kripke_werewolf.werewolf.state import Setup, State

__all__ = ["Moved", "attack", "decline", "end_phase", "vision", "vote_off"]

Moved = tuple[State, tuple[Event, ...]]


def vision(
    setup: Setup, state: State, actor: int, target: int, draw: Draw, *, result: str | None = None
) -> Moved:
    """Let a player look at another; `result` forces what he sees, or restricts it (`"wolf"`: any rank)."""
    _check_action(setup, state, actor, "vision", target)
    rules, name = setup.rules, setup.players[actor]
    labels = rules.labels(rules.vision_shows, setup.deck)
    pool = state.worlds.pool(actor, target, alive=rules.vision_worlds == "alive")
    weights = {
        label: count for label, roles in labels.items() if (count := sum(pool.get(r, 0) for r in roles))
    }
    forced = None if result is None else _labels_within(result, labels, setup)
    if not weights:
        if forced is not None:
            alive = " and alive" if rules.vision_worlds == "alive" else ""
            raise IllegalMove(f"{name} sees nothing: no world is left in which {name} is a seer{alive}")
        shown = None
    else:
        shown = choose(draw, "vision", name, weights, forced=forced)
        state = replace(state, worlds=state.worlds.see(actor, target, labels[shown]))
    event = Vision(name, setup.players[target], shown, tuple(weights.items()))
    return _after_action(setup, state, actor, "vision", event, draw)


def attack(setup: Setup, state: State, actor: int, target: int, draw: Draw) -> Moved:
    """Let a player attack another, as the wolf he may be."""
    _check_action(setup, state, actor, "attack", target)
    if setup.rules.attack == "dominant":
        state = replace(state, worlds=state.worlds.attack(actor, target))
    else:
        share = Fraction(1, max(state.wolves_left, 1))
        state = replace(state, bites={**state.bites, (target, actor): share})
    event = Attack(setup.players[actor], setup.players[target])
    return _after_action(setup, state, actor, "attack", event, draw)


def decline(setup: Setup, state: State, actor: int, action: Action, draw: Draw) -> Moved:
    """Let a player do without an action that is not compulsory."""
    reason = actor_refusal(setup, state, actor, action)
    if reason is None and compulsory(setup, action):
        reason = f"the {action} is compulsory under the rules {setup.rules.name!r}"
    if reason is not None:
        raise IllegalMove(f"{setup.players[actor]} cannot decline the {action}: {reason}")
    return _after_action(setup, state, actor, action, Declined(setup.players[actor], action), draw)


def vote_off(
    setup: Setup,
    state: State,
    player: int,
    draw: Draw,
    *,
    role: str | None = None,
    tied: tuple[str, ...] = (),
) -> Moved:
    """Let the village vote a player off; `role` forces his role, or restricts it (`"wolf"`: any rank)."""
    reason = vote_refusal(setup, state, player)
    if reason is not None:
        raise IllegalMove(f"{setup.players[player]} cannot be voted off: {reason}")
    forced = None if role is None else parse_roles(role, setup.deck)
    if setup.rules.vote_eliminates:
        state = replace(state, worlds=state.worlds.spare(player))
    state, drawn, weights = collapse_role(setup, state, player, draw, forced=forced)
    state = mark_dead(setup, state, player, drawn)
    word = announced(setup, setup.rules.announce_vote, drawn)
    events: tuple[Event, ...] = (VotedOff(setup.players[player], drawn, word, weights, tied),)
    state, consequences = aftermath(setup, replace(state, votes=state.votes + 1), draw, voted=True)
    events += consequences
    if state.verdict is None and state.votes >= setup.rules.burnings:
        state, ending = end_phase(setup, state, draw)
        events += ending
    return state, events


def end_phase(setup: Setup, state: State, draw: Draw) -> Moved:
    """End the phase: who may decline has declined, compulsory actions not taken are noted as missing."""
    if state.verdict is not None:
        raise IllegalMove("the phase cannot end: the game is over")
    events: list[Event] = [
        Declined(setup.players[player], action)
        for action in setup.actions(state.phase)
        if not compulsory(setup, action)
        for player in sorted(state.open(action))
    ]
    left_out = tuple((setup.players[p], action) for p, action in missing(setup, state))
    events.append(PhaseEnded(state.phase.kind, state.phase.number, left_out))
    state, consequences = aftermath(setup, state, draw, voted=False)
    events += consequences
    if state.verdict is None:
        phase = setup.phase_after(state.phase)
        rights = entitled(setup, state.worlds, phase, state.dead)
        state = replace(state, phase=phase, entitled=rights, acted={}, votes=0)
    return state, tuple(events)


def _check_action(setup: Setup, state: State, actor: int, action: Action, target: int) -> None:
    reason = actor_refusal(setup, state, actor, action) or target_refusal(setup, state, actor, action, target)
    if reason is not None:
        verb = "look at" if action == "vision" else "attack"
        raise IllegalMove(f"{setup.players[actor]} cannot {verb} {setup.players[target]}: {reason}")


def _after_action(setup: Setup, state: State, actor: int, action: Action, event: Event, draw: Draw) -> Moved:
    done = state.acted.get(action, frozenset()) | {actor}
    state = replace(state, acted={**state.acted, action: done})
    if any(state.open(a) for a in setup.actions(state.phase)):
        return state, (event,)
    state, ending = end_phase(setup, state, draw)
    return state, (event, *ending)


def _labels_within(text: str, labels: dict[str, frozenset[Role]], setup: Setup) -> frozenset[str]:
    """The results of a vision that a word stands for: itself, or all within the roles it covers."""
    if text in labels:
        return frozenset({text})
    try:
        wanted = parse_roles(text, setup.deck)
    except UnknownNameError:
        wanted = frozenset()
    found = frozenset(label for label, roles in labels.items() if roles <= wanted)
    if not found:
        near = near_misses(text, labels)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise IllegalMove(f"a vision cannot show {text!r}{hint} (possible: {', '.join(labels)})")
    return found
