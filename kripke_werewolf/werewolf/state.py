"""The state of a game between two moves: possible actions, deaths, and winners.

Refusals are reasons in words, or None if an action is allowed.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from kripke_werewolf.werewolf.roles import SEER, Role, kind
from kripke_werewolf.werewolf.rules import ACTION_WORDS, Action, Verdict
from kripke_werewolf.werewolf.setup import Phase, Setup
from kripke_werewolf.werewolf.superposition import Superposition, probability


@dataclass(frozen=True, slots=True)
class State:
    """The state of a game between two moves."""

    worlds: Superposition
    phase: Phase
    entitled: Mapping[Action, frozenset[int]] = field(default_factory=dict)
    """The players entitled to each action when the phase began."""
    acted: Mapping[Action, frozenset[int]] = field(default_factory=dict)
    """The players who have used or declined each action."""
    votes: int = 0
    """The number of players voted off in this phase."""
    dead: frozenset[int] = frozenset()
    """The players officially dead."""
    bites: Mapping[tuple[int, int], Fraction] = field(default_factory=dict)
    """Fractional attacks: the fraction of a life of each bite, by (target, attacker)."""
    wolves_left: int = 0
    """Fractional attacks: the number of wolves who share a bite."""
    told: frozenset[int] = frozenset()
    """The players who have been told that only one role is left to them."""
    verdict: Verdict | None = None
    forced: bool = False
    """Whether the verdict followed from a forced collapse."""

    def open(self, action: Action) -> frozenset[int]:
        """Return the players who still have this action in the current phase."""
        return self.entitled.get(action, frozenset()) - self.acted.get(action, frozenset())

    @property
    def waits(self) -> bool:
        """Whether anybody still has an action in the current phase."""
        return any(self.open(action) for action in self.entitled)

    def after_acting(self, actor: int, action: Action) -> State:
        """Return the state in which a player has used an action or declined it."""
        done = self.acted.get(action, frozenset()) | {actor}
        return replace(self, acted={**self.acted, action: done})


def start_state(setup: Setup, worlds: Superposition) -> State:
    """Return the state before the first move."""
    phase = Phase(setup.phase_at(0), setup.rules.first_number, 0)
    return begun_phase(setup, State(worlds, phase, wolves_left=setup.deck.wolves), phase)


def begun_phase(setup: Setup, state: State, phase: Phase) -> State:
    """Return the state at the beginning of a phase, in which living possible seers or wolves act."""
    rights: dict[Action, frozenset[int]] = {}
    for action in setup.actions(phase):
        counts = _acting_counts(setup, state.worlds, action)
        rights[action] = frozenset(p for p, count in enumerate(counts) if count and p not in state.dead)
    return replace(state, phase=phase, entitled=rights, acted={}, votes=0)


def _acting_counts(setup: Setup, worlds: Superposition, action: Action) -> tuple[int, ...]:
    if action == "vision":
        return worlds.role_counts()[SEER]
    return worlds.dominant_counts() if setup.rules.attackers == "dominant" else worlds.wolf_counts()


# who may do what


def compulsory(setup: Setup, action: Action) -> bool:
    """Whether a due action is compulsory."""
    return action == "attack" or setup.rules.vision_compulsory


def missing(setup: Setup, state: State) -> tuple[tuple[str, Action], ...]:
    """Return the compulsory actions not yet taken in this phase, in seat order."""
    return tuple(
        (name, action)
        for seat, name in enumerate(setup.players)
        for action in setup.actions(state.phase)
        if compulsory(setup, action) and seat in state.open(action)
    )


def actor_refusal(setup: Setup, state: State, actor: int, action: Action) -> str | None:
    """Return why a player may not take this action now; None if they may."""
    name = setup.players[actor]
    if state.verdict is not None:
        return "the game is over"
    if actor in state.dead:
        return f"{name} is dead"
    if action not in setup.actions(state.phase):
        first = action == "attack" and state.phase.kind == "night"
        return f"there are no {ACTION_WORDS[action].several} in {'the first night' if first else state.phase}"
    if actor not in state.entitled[action]:
        return f"{name} {_lacks(setup, action)}"
    again = repeat_refusal(setup, state, actor, action)
    return again or (_turn_refusal(setup, state, actor, action) if setup.strict else None)


def repeat_refusal(setup: Setup, state: State, actor: int, action: Action) -> str | None:
    """Return the refusal of an action that the player has used or declined in this phase; None otherwise."""
    if actor not in state.acted.get(action, ()):
        return None
    return f"{setup.players[actor]} has already used or declined the {action} of {state.phase}"


def _lacks(setup: Setup, action: Action) -> str:
    if action == "vision":
        return "is the seer in no remaining world"
    if setup.rules.attackers == "dominant":
        return "is the dominant wolf in no remaining world"
    return "is a wolf in no remaining world"


def _turn_refusal(setup: Setup, state: State, actor: int, action: Action) -> str | None:
    """Return the refusal in a night of turns: vision before attack, whole turns, perhaps by number."""
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


def public_refusals(setup: Setup, dead: Container[int], actor: int, action: Action) -> dict[int, str]:
    """Return the targets publicly known to be illegal for an actor, each with the reason."""
    rules, names = setup.rules, setup.players
    found = {target: f"{name} is dead" for target, name in enumerate(names) if target in dead}
    if not (rules.vision_self if action == "vision" else rules.attack_self):
        found.setdefault(actor, f"the rules {rules.name!r} allow no {action} on oneself")
    return found


def secret_refusals(setup: Setup, state: State, actor: int, action: Action) -> dict[int, str]:
    """Return the targets that would leave no world in which the actor is dominant.

    A refusal for this reason informs the actor.
    """
    if action != "attack" or not setup.rules.attack_must_be_possible:
        return {}
    where = f"in every remaining world in which {setup.players[actor]} is the dominant wolf"
    return {
        target: f"{setup.players[target]} is a wolf {where}"
        for target, count in enumerate(state.worlds.prey_counts(actor))
        if not count
    }


def target_refusals(setup: Setup, state: State, actor: int, action: Action) -> dict[int, str]:
    """Return the illegal targets of an actor who is allowed to act, each with the reason."""
    public = public_refusals(setup, state.dead, actor, action)
    return secret_refusals(setup, state, actor, action) | public


def refusal_text(actor: str, action: Action, target: str | None, reason: str) -> str:
    """Return the message that an actor cannot choose a target, with the reason."""
    return f"{actor} cannot {ACTION_WORDS[action].do} {target}: {reason}"


def legal_targets(setup: Setup, state: State, actor: int, action: Action) -> tuple[str, ...]:
    """Return the legal targets of an actor who is allowed to act: names in seat order."""
    refused = target_refusals(setup, state, actor, action)
    return tuple(name for target, name in enumerate(setup.players) if target not in refused)


def vote_refusal(setup: Setup, state: State, player: int) -> str | None:
    """Return why a player cannot be voted off now; None if they can."""
    if state.verdict is not None:
        return "the game is over"
    if state.phase.kind != "vote":
        return f"there is no vote in {state.phase}"
    if player in state.dead:
        return f"{setup.players[player]} is dead"
    return None


# deaths and winners


def alive(setup: Setup, state: State) -> tuple[str, ...]:
    """Return the players who are not officially dead, in seat order."""
    return tuple(name for seat, name in enumerate(setup.players) if seat not in state.dead)


def death_chances(setup: Setup, state: State) -> tuple[Fraction | None, ...]:
    """Return every player's probability of being dead, by seat; None if no world is left.

    With fractional attacks it is the expected sum of the bites ("straat" rules): over the worlds, and over
    the players X who are wolves there while the target is not, of the fraction of X's bite.
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


def standing(setup: Setup, state: State) -> Verdict | None:
    """Return the rules' verdict on the present worlds, without any forced collapse."""
    if not state.worlds.size:
        return "draw"
    if _good_wins(setup, state):
        return "village"
    return "wolves" if _evil_wins(setup, state) else None


def _good_wins(setup: Setup, state: State) -> bool:
    if setup.rules.good_wins == "all dead":
        return not any(living for living, _ in state.worlds.living())
    wolves = state.worlds.wolf_counts()
    if setup.rules.good_wins == "none living":
        return not any(count for p, count in enumerate(wolves) if p not in state.dead)
    size, dead = state.worlds.size, death_chances(setup, state)
    certain = [p for p, count in enumerate(wolves) if count == size and dead[p] == 1]
    return len(certain) == setup.deck.wolves


def _evil_wins(setup: Setup, state: State) -> bool:
    rules, wolves, size = setup.rules, state.worlds.wolf_counts(), state.worlds.size
    if rules.evil_wins == "parity":
        same_wolves = all(count in (0, size) for count in wolves)
        return same_wolves and all(w >= others for w, others in state.worlds.living())
    if rules.evil_wins == "all wolves":
        return all(count == size for p, count in enumerate(wolves) if p not in state.dead)
    dead = death_chances(setup, state)
    known = sum(count == size and dead[p] == Fraction(0) for p, count in enumerate(wolves))
    return setup.deck.players - len(state.dead) <= 2 * known


def must_collapse(setup: Setup, state: State) -> bool:
    """Whether an undetermined game ends here by drawing a world."""
    if setup.rules.forced_collapse == "none":
        return False
    if setup.rules.forced_collapse == "annihilation":
        return all(not wolves or not others for wolves, others in state.worlds.living())
    return all(wolves >= others for wolves, others in state.worlds.living())


def winners(setup: Setup, state: State) -> dict[str, bool | None]:
    """Return for every player whether they have won: on the winning side in every world; None in a draw.

    A player whose side is still open at the end has not won.
    """
    if state.verdict == "draw" or not state.worlds.size:
        return dict.fromkeys(setup.players)
    certain = state.worlds.size if state.verdict == "wolves" else 0
    counts = zip(setup.players, state.worlds.wolf_counts(), strict=True)
    return {name: count == certain for name, count in counts}


def known_roles(setup: Setup, state: State, *, ranks: bool = True) -> dict[str, Role]:
    """Return the players with only one role left, with that role, with or without its rank."""
    if not state.worlds.size:
        return {}
    counts = state.worlds.role_counts()
    found: dict[str, Role] = {}
    for seat, name in enumerate(setup.players):
        left = {role if ranks else kind(role) for role in setup.deck.roles if counts[role][seat]}
        if len(left) == 1:
            found[name] = left.pop()
    return found
