"""A player's knowledge of roles, by counting: a handout read as a superposition.

A handout is folded over `Counted`: each event keeps the worlds given by its `learn`, and the attacks of
others, unseen by the player, multiply them. Worlds count once for each possible way of these attacks, so
their shares are the player's probabilities, as in the model of their knowledge. No world is listed, so a view
of twenty players takes a few milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from kripke_werewolf.errors import GameError
from kripke_werewolf.werewolf.actions import (
    Stage,
    View,
    cells_of,
    covered,
    deaths_possible,
    roles_left,
)
from kripke_werewolf.werewolf.counted import Counted
from kripke_werewolf.werewolf.events import is_action
from kripke_werewolf.werewolf.handout import Handout
from kripke_werewolf.werewolf.roles import SEER, WOLF
from kripke_werewolf.werewolf.rules import Action
from kripke_werewolf.werewolf.setup import Setup
from kripke_werewolf.werewolf.table import Table

MANY = 100_000
"""Models with more worlds are replaced by counting in queries and tables; smaller ones can be shown."""


@dataclass(frozen=True, slots=True)
class CountedView:
    """The worlds that a player considers possible, counted; published tables are read as facts.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=1, rules="cisra")
    >>> CountedView.of(game.vision("Ann", "Bo", result="evil").handout("Ann")).chance("wolf_Bo")
    Fraction(3, 10)
    """

    setup: Setup
    cases: tuple[Counted, ...]
    """The worlds where the player is a wolf, and those where they are not; neither is empty."""

    @classmethod
    def of(cls, handout: Handout) -> CountedView:
        """Return the worlds that a player with this handout considers possible.

        Raises GameError if it cannot be counted: in a classical deal, on a sample, with public targets or
        several seers, after believed words, refused attacks or the end of the game, if somebody dies whose
        side is not announced, or if no world is left.
        """
        setup, seat = handout.setup, handout.setup.seat(handout.player)
        if setup.deal == "classical" or setup.sample is not None or setup.targets == "public":
            raise GameError("only quantum deals of all worlds with secret targets are counted for a player")
        start, view = Counted.start(setup.deck), View.of({handout.player: handout})
        ends = [_folded(start.among(seat, covered(side, setup)), view, handout) for side in (WOLF, "good")]
        cases = tuple(worlds for worlds in ends if worlds.size)
        if not cases:
            raise GameError("no world is left")
        if len({_dead_wolves(worlds) for worlds in cases}) > 1:
            raise GameError(f"{handout.player} died, and their side is open: the cases weigh differently")
        return cls(setup, cases)

    def chance(self, atom: str) -> Fraction:
        """Return the player's probability of a fact about a role, such as `wolf_Bo`."""
        fact, _, name = atom.partition("_")
        seat = self.setup.seat(name)
        counts = (_count(worlds, seat, fact) for worlds in self.cases)
        return Fraction(sum(counts), sum(worlds.size for worlds in self.cases))


def _count(worlds: Counted, seat: int, fact: str) -> int:
    """Count the worlds where a fact about a role is true; ranks are counted only if needed."""
    if fact in (WOLF, "good"):
        wolves = worlds.wolf_counts()[seat]
        return wolves if fact == WOLF else worlds.size - wolves
    return worlds.role_counts()[fact][seat]


def _folded(worlds: Counted, view: View, handout: Handout) -> Counted:
    """Return the worlds left after everything that a player has been told."""
    worlds = _with_table(worlds, view, -1, handout)
    for place, stage in enumerate(view.stages):
        worlds = _with_stage(worlds, view, stage, handout.player)
        worlds = _with_table(worlds, view, place, handout)
    if view.begun:
        worlds = worlds.among(view.setup.seat(handout.player), roles_left(handout, None))
    return worlds


def _dead_wolves(worlds: Counted) -> frozenset[int]:
    evidence = worlds.evidence
    return frozenset(player for player in evidence.killed if evidence.is_wolf(player))


def _with_stage(worlds: Counted, view: View, stage: Stage, player: str) -> Counted:
    """Return the worlds after a phase: moves and attacks, or the events of a vote; then its end."""
    setup = view.setup
    if setup.actions(stage.phase):
        if stage.interruptions:
            raise GameError("a phase that was interrupted cannot be counted")
        if player not in stage.dead:
            worlds = _with_own_moves(worlds, view, stage, player)
        worlds = _with_unseen_attack(worlds, view, stage, player)
    for event in (*(event for _, event in stage.interruptions), *stage.after):
        worlds = event.learn(worlds, setup)
    return worlds


def _with_own_moves(worlds: Counted, view: View, stage: Stage, player: str) -> Counted:
    setup, part = view.setup, stage.own[player]
    for event in part.events:
        if is_action(event):
            worlds = event.learn(worlds, setup)
    for action in setup.actions(stage.phase):
        if action not in part.asked and stage.phase.position:
            worlds = _not_asked(worlds, view, player, action)
    return worlds


def _not_asked(worlds: Counted, view: View, player: str, action: Action) -> Counted:
    """Keep the worlds where the player does not have the role that the action needs."""
    seat = view.setup.seat(player)
    if action == "attack" and view.setup.rules.attackers == "dominant":
        return worlds.rest(seat)
    return worlds.without(seat, SEER if action == "vision" else WOLF)


def _with_unseen_attack(worlds: Counted, view: View, stage: Stage, player: str) -> Counted:
    """Add another unseen attack once attacks are over; until then they reveal nothing about roles."""
    setup = view.setup
    living = {name for name in setup.players if name not in stage.dead}
    if "attack" not in setup.actions(stage.phase) or setup.rules.attack == "fractional" or not stage.ended:
        return worlds
    if any(action == "attack" and name != player for name, action in stage.seen.passed_over):
        raise GameError("attacks that some were seen to be passed over for cannot be counted")
    if not living - {player}:
        return worlds
    return worlds.unseen_attack(setup.seat(player), map(setup.seat, living))


def _with_table(worlds: Counted, view: View, place: int, handout: Handout) -> Counted:
    """Return the worlds after the table published after a phase (-1: at the start).

    The roles in the player's own row of an anonymous table are among those of `roles_left`.
    """
    setup, mortal = view.setup, deaths_possible(view, place)
    table = view.table if place < 0 else view.stages[place].seen.table
    if table is None:
        return worlds
    if not setup.numbers_hidden:
        return _with_entries(worlds, view, table, mortal=mortal)
    dead = [v for row, _, fact, v in cells_of(table) if (row, fact) == (str(handout.number), "dead")]
    return worlds.spare(setup.seat(handout.player)) if mortal and 0 in dead else worlds


def _with_entries(worlds: Counted, view: View, table: Table, *, mortal: bool) -> Counted:
    """Return the worlds after the certain entries of a table with names."""
    setup, everything = view.setup, frozenset(view.setup.deck.roles)
    for name, _, fact, value in cells_of(table):
        seat = setup.seat(name)
        if value not in (0, 1) or (fact == "dead" and not mortal):
            continue
        if fact != "dead":
            meant = covered(fact, setup)
            worlds = worlds.among(seat, meant if value else everything - meant)
        elif not value:
            worlds = worlds.spare(seat)
        elif seat not in worlds.evidence.killed:
            worlds = worlds.fall(seat).without(seat, WOLF)
    return worlds
