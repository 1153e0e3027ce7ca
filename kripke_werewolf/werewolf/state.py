"""The state of a game between two moves: possible actions, deaths, and winners.

Refusals are reasons in words, or None if an action is allowed.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache

from kripke_werewolf.language import TRUE, Atom, Constant, Formula, Not, simplify
from kripke_werewolf.werewolf.declarations import Schema, Words, condition_holds, declared, seated
from kripke_werewolf.werewolf.roles import WOLF, Deck, Role
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
    phase = setup.phase_after(None)
    return begun_phase(setup, State(worlds, phase, wolves_left=setup.deck.wolves), phase)


def begun_phase(setup: Setup, state: State, phase: Phase) -> State:
    """Return the state at the beginning of a phase, in which living possible seers or wolves act."""
    rights: dict[Action, frozenset[int]] = {}
    for action in setup.actions(phase):
        asked = declared(setup).acts[action].asked
        possible = (p for p in range(setup.deck.players) if p not in state.dead)
        rights[action] = frozenset(p for p in possible if state.worlds.count(seated(setup, asked, p)))
    return replace(state, phase=phase, entitled=rights, acted={}, votes=0)


# who may do what


def compulsory(setup: Setup, action: Action) -> bool:
    """Whether a due action is compulsory."""
    return declared(setup).acts[action].compulsory


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
        return f"{name} is {_being(declared(setup).acts[action].asked)} in no remaining world"
    again = repeat_refusal(setup, state, actor, action)
    return again or (_turn_refusal(setup, state, actor, action) if setup.strict else None)


def repeat_refusal(setup: Setup, state: State, actor: int, action: Action) -> str | None:
    """Return the refusal of an action that the player has used or declined in this phase; None otherwise."""
    if actor not in state.acted.get(action, ()):
        return None
    return f"{setup.players[actor]} has already used or declined the {action} of {state.phase}"


_BEING = {"seer": "the seer", "dominant": "the dominant wolf", "wolf": "a wolf"}


def _being(schema: Schema) -> str:
    """Return a schema about the actor in words."""
    return _BEING.get(schema.removesuffix("_{i}"), f"one of whom {schema} is true")


def _turn_refusal(setup: Setup, state: State, actor: int, action: Action) -> str | None:
    """Return the refusal in a night of turns: vision before attack, whole turns, perhaps by number."""
    if state.phase.kind != "night":
        return None
    if action == "attack" and actor in state.open("vision"):
        return f"the vision of {setup.players[actor]} comes before the attack"

    number = setup.numbers.__getitem__
    waiting = frozenset[int]().union(*map(state.open, state.entitled)) - {actor}
    begun = waiting & frozenset[int]().union(*state.acted.values())
    if setup.rules.acting_order == "number":
        begun |= {other for other in waiting if number(other) < number(actor)}
    return f"it is the turn of {setup.players[min(begun, key=number)]}" if begun else None


def public_refusals(setup: Setup, dead: Container[int], actor: int, action: Action) -> dict[int, str]:
    """Return the targets publicly known to be illegal for an actor, each with the reason."""
    found = {target: f"{name} is dead" for target, name in enumerate(setup.players) if target in dead}
    if not declared(setup).acts[action].on_self:
        found.setdefault(actor, f"the rules {setup.rules.name!r} allow no {action} on oneself")
    return found


def secret_refusals(setup: Setup, state: State, actor: int, action: Action) -> dict[int, str]:
    """Return the targets that would leave no world in which the action is the actor's.

    A refusal for this reason informs the actor.
    """
    act, names = declared(setup).acts[action], setup.players
    if not act.refusable:
        return {}
    where = f"in every remaining world in which {names[actor]} is {_being(act.by)}"
    possible = f"({act.by}) & ~({act.impossible})"
    return {
        target: f"{name} is a wolf {where}"
        for target, name in enumerate(names)
        if not state.worlds.count(seated(setup, possible, actor, target))
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
    worlds, mark = state.worlds, declared(setup).mark
    if not worlds.size:
        return (None,) * setup.deck.players
    if mark is None:
        return tuple(probability(count, worlds) for count in worlds.death_counts())
    bitten = [Fraction(player in state.dead) for player in range(setup.deck.players)]
    for (target, attacker), share in state.bites.items():
        if target not in state.dead:
            bitten[target] += share * worlds.count(seated(setup, mark.where, attacker, target)) / worlds.size
    return tuple(bitten)


def standing(setup: Setup, state: State) -> Verdict | None:
    """Return the rules' verdict on the present worlds, without any forced collapse."""
    if not state.worlds.size:
        return "draw"
    endings = declared(setup).endings
    return next((ending.verdict for ending in endings if holds(setup, state, ending.when)), None)


def holds(setup: Setup, state: State, condition: Schema) -> bool:
    """Whether a condition about all worlds is true, as that of a verdict."""
    chances: list[Fraction | None] = []

    def everywhere(body: Formula) -> bool:
        match body:
            case Atom(name) | Not(Atom(name)) if name.startswith("dead_"):
                chances.extend(() if chances else death_chances(setup, state))  # a life may be lost in part
                return chances[int(name[5:])] == isinstance(body, Atom)
            case Atom() | Not(Atom()):
                return state.worlds.count(body) == state.worlds.size
        return all(true_of(body, setup.deck, *living) for living in state.worlds.living())  # alike for all

    return condition_holds(seated(setup, condition), everywhere, state.dead)


@lru_cache(maxsize=1024)
def true_of(f: Formula, deck: Deck, wolves: int, others: int) -> bool:
    """Whether a formula about all players alike is true in a world with these numbers of living players."""
    facts: dict[str, Formula] = {}
    for seat in range(deck.players):
        wolf = seat in range(deck.wolves)
        alive = seat in range(wolves) or seat in range(deck.wolves, deck.wolves + others)
        for fact, value in ((WOLF, wolf), ("good", not wolf), ("dead", not alive)):
            facts[f"{fact}_{seat}"] = Constant(value)
    return simplify(f.substitute(facts)) is TRUE


def winners(setup: Setup, state: State) -> dict[str, bool | None]:
    """Return for every player whether they have won: on the winning side in every world; None in a draw.

    A player whose side is still open at the end has not won.
    """
    if state.verdict == "draw" or not state.worlds.size:
        return dict.fromkeys(setup.players)
    wins = declared(setup).ending(state.verdict or "village").wins
    count, size = state.worlds.count, state.worlds.size
    return {name: count(seated(setup, wins, seat)) == size for seat, name in enumerate(setup.players)}


def known_roles(setup: Setup, state: State) -> dict[str, Role]:
    """Return the players with only one role left, with that role and its rank."""
    return certain(setup, state, tuple((role, f"{role}_{{i}}") for role in setup.deck.roles))


def certain(setup: Setup, state: State, words: Words, *, besides: Container[int] = ()) -> dict[str, str]:
    """Return the players of whom a word is true in every world, with that word; some players are left out."""
    worlds, found = state.worlds, dict[str, str]()
    for seat, name in enumerate(setup.players if worlds.size else ()):
        for word, where in () if seat in besides else words:
            if worlds.count(seated(setup, where, seat)) == worlds.size:
                found[name] = word
    return found
