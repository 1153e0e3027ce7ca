"""What follows a move by itself: deaths that are certain, verdicts, the forced collapse, notices."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from kripke_werewolf.werewolf.draws import Draw, choose
from kripke_werewolf.werewolf.events import Collapsed, Event, FoundDead, GameEnded, Told, Verdict, Weights
from kripke_werewolf.werewolf.roles import Role, is_wolf, kind
from kripke_werewolf.werewolf.rules import Shown
from kripke_werewolf.werewolf.state import Setup, State, death_chances
from kripke_werewolf.werewolf.superposition import random_world

__all__ = ["aftermath", "announced", "collapse_role", "known_roles", "mark_dead", "standing", "winners"]


def aftermath(setup: Setup, state: State, draw: Draw, *, voted: bool) -> tuple[State, tuple[Event, ...]]:
    """Let the consequences of a vote or of a finished phase happen; return the new state and the events.

    In this order: certain deaths one after the other, verdict, forced collapse with its deaths,
    private notices.
    """
    state, events = _cascade(setup, state, draw)
    nobody_left = len(state.dead) == setup.deck.players  # to vote, and so to test the end later
    if setup.rules.verdict_after == "phase" or voted or nobody_left:
        verdict = standing(setup, state)
        if verdict is None and _must_collapse(setup, state):
            worlds, roles = random_world(
                state.worlds, lambda p, w: choose(draw, "collapse", setup.players[p], w)
            )
            state = replace(state, worlds=worlds, forced=True)
            state, deaths = _cascade(setup, state, draw)
            events += (Collapsed(roles), *deaths)
            verdict = "wolves" if any(wolves for wolves, _ in state.worlds.living()) else "village"
        state = replace(state, verdict=verdict)
    state, told = _tell(setup, state)
    events += told
    if state.verdict is not None:
        won = tuple(name for name, wins in winners(setup, state).items() if wins)
        events += (GameEnded(state.verdict, state.forced, won),)
    return state, events


def announced(setup: Setup, shown: Shown, role: Role) -> str | None:
    """Return the word announced about a role; None if only the death is."""
    if shown == "death":
        return None
    labels = setup.rules.labels(shown, setup.deck)
    return next(label for label, roles in labels.items() if role in roles)


def collapse_role(
    setup: Setup, state: State, player: int, draw: Draw, *, forced: frozenset[Role] | None = None
) -> tuple[State, Role, Weights]:
    """Draw the exact role of a player and keep the matching worlds."""
    weights = {r: counts[player] for r, counts in state.worlds.role_counts().items() if counts[player]}
    role = choose(draw, "role", setup.players[player], weights, forced=forced)
    return replace(state, worlds=state.worlds.fix(player, role)), role, tuple(weights.items())


def mark_dead(setup: Setup, state: State, player: int, role: Role) -> State:
    """Let a player whose role was drawn be officially dead.

    With fractional attacks a dead wolf no longer counts among the wolves who share a bite, and his
    own bites vanish; `bites="script"` does neither.
    """
    bites, wolves_left = state.bites, state.wolves_left
    if is_wolf(role) and setup.rules.bites == "intended":
        wolves_left -= 1
        bites = {pair: share for pair, share in bites.items() if pair[1] != player}
    return replace(
        state,
        worlds=state.worlds.kill(player),
        dead=state.dead | {player},
        bites=bites,
        wolves_left=wolves_left,
    )


def _cascade(setup: Setup, state: State, draw: Draw) -> tuple[State, tuple[Event, ...]]:
    """Let everybody die who is dead in every world, until nobody is left to."""
    events: list[Event] = []
    chances = death_chances(setup, state)
    found = True
    while found:
        found = False
        for player in _by_rule(setup):
            chance = chances[player]
            if player in state.dead or (chance is not None and chance < 1):
                continue
            found = True
            if chance is None:  # no world is left, and with it no role to draw
                state = replace(state, dead=state.dead | {player})
                events.append(FoundDead(setup.players[player], None, None))
                continue
            state, role, weights = collapse_role(setup, state, player, draw)
            state = mark_dead(setup, state, player, role)
            word = announced(setup, setup.rules.announce_found, role)
            events.append(FoundDead(setup.players[player], role, word, weights))
            chances = death_chances(setup, state)
            if setup.rules.cascade == "lowest":
                break
    return state, tuple(events)


def _by_rule(setup: Setup) -> list[int]:
    seats = list(range(setup.deck.players))
    return sorted(seats, key=setup.numbers.__getitem__) if setup.rules.cascade == "lowest" else seats


def standing(setup: Setup, state: State) -> Verdict | None:
    """Return the verdict the rules give on the worlds as they are now, without any forced collapse."""
    if not state.worlds.size:
        return "draw"
    if _good_wins(setup, state):
        return "village"
    return "wolves" if _evil_wins(setup, state) else None


def _good_wins(setup: Setup, state: State) -> bool:
    rules, wolves = setup.rules, _wolf_counts(setup, state)
    if rules.good_wins == "all dead":
        return not any(living for living, _ in state.worlds.living())
    if rules.good_wins == "none living":
        return not any(count for p, count in enumerate(wolves) if p not in state.dead)
    size, dead = state.worlds.size, death_chances(setup, state)
    certain = [p for p, count in enumerate(wolves) if count == size and dead[p] == 1]
    return len(certain) == setup.deck.wolves


def _evil_wins(setup: Setup, state: State) -> bool:
    rules, wolves, size = setup.rules, _wolf_counts(setup, state), state.worlds.size
    if rules.evil_wins == "parity":
        same_wolves = all(count in (0, size) for count in wolves)
        return same_wolves and all(w >= others for w, others in state.worlds.living())
    if rules.evil_wins == "all wolves":
        return all(count == size for p, count in enumerate(wolves) if p not in state.dead)
    dead = death_chances(setup, state)
    known = sum(count == size and dead[p] == Fraction(0) for p, count in enumerate(wolves))
    return setup.deck.players - len(state.dead) <= 2 * known


def _must_collapse(setup: Setup, state: State) -> bool:
    if setup.rules.forced_collapse == "none":
        return False
    if setup.rules.forced_collapse == "annihilation":
        return all(not wolves or not others for wolves, others in state.worlds.living())
    return all(wolves >= others for wolves, others in state.worlds.living())


def _wolf_counts(setup: Setup, state: State) -> tuple[int, ...]:
    counts = state.worlds.role_counts()
    return tuple(map(sum, zip(*(counts[r] for r in setup.deck.wolf_roles), strict=True)))


def winners(setup: Setup, state: State) -> dict[str, bool | None]:
    """Return for every player whether he has won: on the winning side in every world; None in a draw.

    A player whose side is still open at the end has not won.
    """
    if state.verdict == "draw" or not state.worlds.size:
        return dict.fromkeys(setup.players)
    certain = state.worlds.size if state.verdict == "wolves" else 0
    return {
        name: count == certain for name, count in zip(setup.players, _wolf_counts(setup, state), strict=True)
    }


def known_roles(setup: Setup, state: State, *, ranks: bool = True) -> dict[int, Role]:
    """Return the players (by seat) with only one role left, and that role, with or without its rank."""
    if not state.worlds.size:
        return {}
    counts = state.worlds.role_counts()
    found: dict[int, Role] = {}
    for player in range(setup.deck.players):
        left = {role if ranks else kind(role) for role in setup.deck.roles if counts[role][player]}
        if len(left) == 1:
            found[player] = left.pop()
    return found


def _tell(setup: Setup, state: State) -> tuple[State, tuple[Told, ...]]:
    if setup.rules.told not in ("role", "kind") or setup.roles is not None:  # dealt a card, he knows it
        return state, ()
    known = known_roles(setup, state, ranks=setup.rules.told == "role")
    new = {p: role for p, role in known.items() if p not in state.told}
    state = replace(state, told=state.told | new.keys())
    return state, tuple(Told(setup.players[p], role) for p, role in new.items())
