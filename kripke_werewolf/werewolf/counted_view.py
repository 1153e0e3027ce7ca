"""A player's knowledge of roles and deaths, by counting: what was told, read as a superposition.

What was told is folded over `Counted`: each event keeps the worlds given by its `learn`, and the attacks of
others, unseen by the player, multiply them. Worlds count once for each possible way of these attacks, so
their shares are the player's probabilities, as in the model of their knowledge. No world is listed: twenty
players take a few milliseconds.
"""

from __future__ import annotations

from kripke_werewolf.language import Atom, disjunction
from kripke_werewolf.werewolf.actions import certain_facts, deaths_in_rows, roles_left
from kripke_werewolf.werewolf.counted import Counted
from kripke_werewolf.werewolf.declarations import declared, seated
from kripke_werewolf.werewolf.events import Vision, is_action
from kripke_werewolf.werewolf.setup import Setup
from kripke_werewolf.werewolf.superposition import NotCovered, NoWorldLeft
from kripke_werewolf.werewolf.told import Entry, Told

MANY = 100_000
"""Models with more worlds are replaced by counting in queries and tables; smaller ones can be shown."""


def counted_worlds(known: Told) -> Counted | str:
    """Return the worlds that the owner (or, without one, everybody) considers possible; or why not.

    Published tables are read as facts. Not covered are classical deals, samples, public targets, several
    seers, believed words, and the end of the game. Raises NoWorldLeft if no world is left.

    >>> from kripke_werewolf import Atom, QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=1, rules="cisra")
    >>> known = game.vision("Ann", "Bo", result="evil").handout("Ann")
    >>> worlds = counted_worlds(known)
    >>> worlds.count(Atom("wolf_1")), worlds.size
    (3, 10)
    """
    setup = known.setup
    if setup.deal == "classical" or setup.sample is not None or setup.targets == "public":
        return "only quantum deals of all worlds with secret targets are counted for a player"
    if len(known.owners) > 1:
        return "worlds are counted for one player"
    try:
        worlds = _with_table(Counted.start(setup.deck), known, -1)
        for place, entry in enumerate(known.entries):
            worlds = _with_table(_with_phase(worlds, known, entry), known, place)
    except NotCovered as why:
        return str(why)
    for name in known.owners if known.begun else ():
        seat, roles = setup.seat(name), roles_left(known, name, None)
        worlds = worlds.keep(disjunction(Atom(f"{role}_{seat}") for role in roles))
    if not worlds.size:
        raise NoWorldLeft
    return worlds


def counts_deaths(known: Told) -> bool:
    """Whether the counted worlds say who is dead: not while attacks are under way."""
    return known.entries[-1].ended or not _attacks(known.setup, known.entries[-1])


def _with_phase(worlds: Counted, known: Told, entry: Entry) -> Counted:
    """Return the worlds after a phase: moves and attacks, or the events of a vote; then its end."""
    setup = known.setup
    if setup.actions(entry.phase):
        if entry.interruptions:
            raise NotCovered("a phase that was interrupted cannot be counted")
        worlds = _with_unseen_attack(worlds, known, entry)
        for name in known.owners:
            if name not in known.dead_before(entry):
                worlds = _with_own_moves(worlds, setup, entry, name)
    for event in (*(event for _, event in entry.interruptions), *entry.after):
        worlds = event.learn(worlds, setup)
    return worlds


def _with_own_moves(worlds: Counted, setup: Setup, entry: Entry, player: str) -> Counted:
    for event in entry.events:
        if is_action(event):
            hidden = isinstance(event, Vision) and event.result is None
            if hidden and _attacks(setup, entry) and not entry.ended:
                raise NotCovered("a vision without a result cannot be counted while attacks are under way")
            worlds = event.learn(worlds, setup)
    for action in setup.actions(entry.phase):
        if (player, action) not in entry.asked and entry.phase.position:
            asked = declared(setup).acts[action].asked
            worlds = worlds.keep(seated(setup, f"~({asked})", setup.seat(player)))
    return worlds


def _attacks(setup: Setup, entry: Entry) -> bool:
    """Whether a phase has attacks that kill."""
    return "attack" in setup.actions(entry.phase) and declared(setup).mark is None


def _with_unseen_attack(worlds: Counted, known: Told, entry: Entry) -> Counted:
    """Add another unseen attack once attacks are over; until then they reveal nothing about roles."""
    setup = known.setup
    player, living = known.player, {*setup.players} - {*known.dead_before(entry)}
    if not _attacks(setup, entry) or not entry.ended:
        return worlds
    if any(action == "attack" and name != player for name, action in entry.passed_over):
        raise NotCovered("attacks cannot be counted after some players were seen to miss theirs")
    if not living - {player}:
        return worlds
    return worlds.unseen_attack(setup.seat(player) if player else None, map(setup.seat, living))


def _with_table(worlds: Counted, known: Told, place: int) -> Counted:
    """Return the worlds after the certain entries of the table after a phase (-1: at the start).

    The roles in the player's own row of an anonymous table are among those of `roles_left`.
    """
    setup = known.setup
    for fact in certain_facts(known, place):
        worlds = worlds.keep(fact.rename(atoms=setup.by_seat))
    if known.player and deaths_in_rows(known, place).get(str(known.number)) == 0:
        worlds = worlds.keep(~Atom(f"dead_{setup.seat(known.player)}"))
    return worlds
