"""A player's knowledge of roles and deaths, by counting: a handout read as a superposition.

A handout is folded over `Counted`: each event keeps the worlds given by its `learn`, and the attacks of
others, unseen by the player, multiply them. Worlds count once for each possible way of these attacks, so
their shares are the player's probabilities, as in the model of their knowledge. No world is listed, so a view
of twenty players takes a few milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from kripke_werewolf.language import Atom, disjunction
from kripke_werewolf.werewolf.actions import Stage, View, cells_of, deaths_possible, roles_left
from kripke_werewolf.werewolf.counted import Counted
from kripke_werewolf.werewolf.declarations import declared, seated
from kripke_werewolf.werewolf.events import Vision, is_action
from kripke_werewolf.werewolf.rules import Action
from kripke_werewolf.werewolf.setup import Setup
from kripke_werewolf.werewolf.superposition import NotCovered, NoWorldLeft
from kripke_werewolf.werewolf.table import Table
from kripke_werewolf.werewolf.told import Told

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
    worlds: Counted
    attacking: bool
    """Whether attacks are under way, so that deaths are not counted."""

    @classmethod
    def of(cls, handout: Told) -> CountedView:
        """Return the worlds that a player with this handout considers possible.

        Raises NotCovered if it cannot be counted: in a classical deal, on a sample, with public targets or
        several seers, or after believed words or the end of the game; NoWorldLeft if no world is left. The
        handout of nobody is what everybody knows.
        """
        setup = handout.setup
        if setup.deal == "classical" or setup.sample is not None or setup.targets == "public":
            raise NotCovered("only quantum deals of all worlds with secret targets are counted for a player")
        view = View.of({handout.player: handout})
        worlds = _folded(Counted.start(setup.deck), view, handout)
        if not worlds.size:
            raise NoWorldLeft
        return cls(setup, worlds, _attacking(setup, view.stages[-1]))

    def chance(self, atom: str) -> Fraction:
        """Return the player's probability of a fact, such as `wolf_Bo` or `dead_Bo`.

        Raises NotCovered for deaths during attacks.
        """
        fact, _, name = atom.partition("_")
        if fact == "dead":
            self.check_deaths()
        return Fraction(self.worlds.count(Atom(f"{fact}_{self.setup.seat(name)}")), self.worlds.size)

    def check_deaths(self) -> None:
        """Raise NotCovered if attacks are under way."""
        if self.attacking:
            raise NotCovered("deaths are not counted while attacks are under way")


def _folded(worlds: Counted, view: View, handout: Told) -> Counted:
    """Return the worlds left after everything that a player has been told."""
    worlds = _with_table(worlds, view, -1, handout)
    for place, stage in enumerate(view.stages):
        worlds = _with_stage(worlds, view, stage, handout.player)
        worlds = _with_table(worlds, view, place, handout)
    if view.begun and handout.player:
        seat = view.setup.seat(handout.player)
        worlds = worlds.keep(disjunction(Atom(f"{role}_{seat}") for role in roles_left(handout, None)))
    return worlds


def _with_stage(worlds: Counted, view: View, stage: Stage, player: str) -> Counted:
    """Return the worlds after a phase: moves and attacks, or the events of a vote; then its end."""
    setup = view.setup
    if setup.actions(stage.phase):
        if stage.interruptions:
            raise NotCovered("a phase that was interrupted cannot be counted")
        worlds = _with_unseen_attack(worlds, view, stage, player)
        if player and player not in stage.dead:
            worlds = _with_own_moves(worlds, view, stage, player)
    for event in (*(event for _, event in stage.interruptions), *stage.after):
        worlds = event.learn(worlds, setup)
    return worlds


def _with_own_moves(worlds: Counted, view: View, stage: Stage, player: str) -> Counted:
    setup, part = view.setup, stage.own[player]
    for event in part.events:
        if is_action(event):
            if isinstance(event, Vision) and event.result is None and _attacking(setup, stage):
                raise NotCovered("a vision without a result cannot be counted while attacks are under way")
            worlds = event.learn(worlds, setup)
    for action in setup.actions(stage.phase):
        if (player, action) not in part.asked and stage.phase.position:
            worlds = _not_asked(worlds, view, player, action)
    return worlds


def _not_asked(worlds: Counted, view: View, player: str, action: Action) -> Counted:
    """Keep the worlds where the player does not have the role that the action needs."""
    asked = declared(view.setup).acts[action].asked
    return worlds.keep(seated(view.setup, f"~({asked})", view.setup.seat(player)))


def _attacks(setup: Setup, stage: Stage) -> bool:
    """Whether a phase has attacks that kill."""
    return "attack" in setup.actions(stage.phase) and declared(setup).mark is None


def _attacking(setup: Setup, stage: Stage) -> bool:
    return _attacks(setup, stage) and not stage.ended


def _with_unseen_attack(worlds: Counted, view: View, stage: Stage, player: str) -> Counted:
    """Add another unseen attack once attacks are over; until then they reveal nothing about roles."""
    setup = view.setup
    living = {name for name in setup.players if name not in stage.dead}
    if not _attacks(setup, stage) or not stage.ended:
        return worlds
    if any(action == "attack" and name != player for name, action in stage.seen.passed_over):
        raise NotCovered("attacks that some were seen to be passed over for cannot be counted")
    if not living - {player}:
        return worlds
    return worlds.unseen_attack(setup.seat(player) if player else None, map(setup.seat, living))


def _with_table(worlds: Counted, view: View, place: int, handout: Told) -> Counted:
    """Return the worlds after the table published after a phase (-1: at the start).

    The roles in the player's own row of an anonymous table are among those of `roles_left`.
    """
    setup, mortal = view.setup, deaths_possible(view, place)
    table = view.table if place < 0 else view.stages[place].seen.table
    if table is None:
        return worlds
    if not setup.numbers_hidden:
        return _with_entries(worlds, view, table, mortal=mortal)
    if not handout.player:
        return worlds
    dead = [v for row, _, fact, v in cells_of(table) if (row, fact) == (str(handout.number), "dead")]
    return worlds.keep(~Atom(f"dead_{setup.seat(handout.player)}")) if mortal and 0 in dead else worlds


def _with_entries(worlds: Counted, view: View, table: Table, *, mortal: bool) -> Counted:
    """Return the worlds after the certain entries of a table with names."""
    for name, _, fact, value in cells_of(table):
        if value in (0, 1) and (fact != "dead" or mortal):
            atom = Atom(f"{fact}_{view.setup.seat(name)}")
            worlds = worlds.keep(atom if value else ~atom)
    return worlds
