"""Who may do what now, and why not: every function answers None (allowed) or a reason in words."""

from __future__ import annotations

from collections.abc import Mapping

from kripke_werewolf.werewolf.events import Action
from kripke_werewolf.werewolf.roles import SEER
from kripke_werewolf.werewolf.state import Phase, Setup, State
from kripke_werewolf.werewolf.superposition import Superposition

__all__ = ["actor_refusal", "compulsory", "entitled", "missing", "target_refusal", "vote_refusal"]

_DOING: Mapping[Action, str] = {"vision": "visions", "attack": "attacks"}


def compulsory(setup: Setup, action: Action) -> bool:
    """Whether an action that is due has to be taken."""
    return action == "attack" or setup.rules.vision_compulsory


def entitled(
    setup: Setup, worlds: Superposition, phase: Phase, dead: frozenset[int]
) -> dict[Action, frozenset[int]]:
    """Return who has which action when a phase begins: the living who may be the seer, or the attacker."""
    result: dict[Action, frozenset[int]] = {}
    for action in setup.actions(phase):
        counts = _action_counts(setup, worlds, action)
        result[action] = frozenset(p for p, count in enumerate(counts) if count and p not in dead)
    return result


def _action_counts(setup: Setup, worlds: Superposition, action: Action) -> tuple[int, ...]:
    if action == "attack" and setup.rules.attackers == "dominant":
        return worlds.dominant_counts()
    counts = worlds.role_counts()
    if action == "vision":
        return counts[SEER]
    return tuple(map(sum, zip(*(counts[r] for r in setup.deck.wolf_roles), strict=True)))


def missing(setup: Setup, state: State) -> tuple[tuple[int, Action], ...]:
    """Return the compulsory actions not yet taken in this phase, by seat."""
    return tuple(
        (player, action)
        for player in range(setup.deck.players)
        for action in setup.actions(state.phase)
        if compulsory(setup, action) and player in state.open(action)
    )


def actor_refusal(setup: Setup, state: State, actor: int, action: Action) -> str | None:
    """Return why a player may not do this now; None if he may."""
    name = setup.players[actor]
    if state.verdict is not None:
        return "the game is over"
    if actor in state.dead:
        return f"{name} is dead"
    if action not in setup.actions(state.phase):
        first = action == "attack" and state.phase.kind == "night"
        return f"there are no {_DOING[action]} in {'the first night' if first else state.phase}"
    if actor not in state.entitled[action]:
        return f"{name} {_lacks(setup, action)}"
    if actor not in state.open(action):
        return f"{name} has already used or declined the {action} of {state.phase}"
    return _turn_refusal(setup, state, actor, action) if setup.strict else None


def _lacks(setup: Setup, action: Action) -> str:
    if action == "vision":
        return "is the seer in no remaining world"
    if setup.rules.attackers == "dominant":
        return "is the dominant wolf in no remaining world"
    return "is a wolf in no remaining world"


def _turn_refusal(setup: Setup, state: State, actor: int, action: Action) -> str | None:
    """In a night of turns: vision before attack, turns not mixed, and by number if the rules say so."""
    if state.phase.kind != "night":
        return None
    actions = setup.actions(state.phase)
    if action == "attack" and actor in state.open("vision"):
        return f"the vision of {setup.players[actor]} comes before the attack"

    def has_turn(player: int) -> bool:
        return any(player in state.open(a) for a in actions)

    for other in sorted(range(setup.deck.players), key=setup.numbers.__getitem__):
        if other == actor or not has_turn(other):
            continue
        begun = any(other in state.acted.get(a, frozenset()) for a in actions)
        earlier = setup.rules.acting_order == "number" and setup.numbers[other] < setup.numbers[actor]
        if begun or earlier:
            return f"it is the turn of {setup.players[other]}"
    return None


def target_refusal(setup: Setup, state: State, actor: int, action: Action, target: int) -> str | None:
    """Return why this target is not allowed; None if it is. The actor is taken to be allowed to act."""
    rules = setup.rules
    if target in state.dead:
        return f"{setup.players[target]} is dead"
    allowed_self = rules.vision_self if action == "vision" else rules.attack_self
    if target == actor and not allowed_self:
        return f"the rules {rules.name!r} allow no {action} on oneself"
    if action == "attack" and rules.attack_must_be_possible and not state.worlds.prey_counts(actor)[target]:
        return (
            f"{setup.players[target]} is a wolf in every remaining world in which "
            f"{setup.players[actor]} is the dominant wolf"
        )
    return None


def vote_refusal(setup: Setup, state: State, player: int) -> str | None:
    """Return why a player cannot be voted off now; None if he can."""
    if state.verdict is not None:
        return "the game is over"
    if state.phase.kind != "vote":
        return f"there is no vote in {state.phase}"
    if player in state.dead:
        return f"{setup.players[player]} is dead"
    return None
