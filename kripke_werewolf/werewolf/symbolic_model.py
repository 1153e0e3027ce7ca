"""The model of a game as a knowledge structure: for secrets that no list of worlds could hold.

Variables say who has which card; every event adds variables for what was done and seen, as the action
models in `actions` say. Of somebody whose knowledge is not asked about, visions only narrow the
designated states, and attacks add the victim, where his death matters.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Iterator, Mapping
from math import comb, prod
from typing import TYPE_CHECKING

from kripke_werewolf.errors import DiagramTooLarge, GameError
from kripke_werewolf.language import TRUE, Atom, Formula, conjunction, disjunction, exactly
from kripke_werewolf.semantics.action import ActionModel
from kripke_werewolf.semantics.action import Event as Possible
from kripke_werewolf.symbolic.bdd import DEFAULT_NODES, Oxidd
from kripke_werewolf.symbolic.structure import KnowledgeStructure, SymbolicStructure
from kripke_werewolf.werewolf.actions import action_of, definitions
from kripke_werewolf.werewolf.events import (
    Attack,
    Collapsed,
    Declined,
    Event,
    FoundDead,
    Told,
    Vision,
    VotedOff,
)
from kripke_werewolf.werewolf.replay import repeat_step
from kripke_werewolf.werewolf.speech import spoken_agents, spoken_atoms

if TYPE_CHECKING:
    from kripke_werewolf.werewolf.game import QuantumWerewolf

__all__ = ["build_structure", "structures_after"]


def build_structure(
    game: QuantumWerewolf,
    agents: Iterable[str | int] | None = None,
    *,
    deaths_of: Iterable[str | int] | None = None,
    nodes: int = DEFAULT_NODES,
) -> SymbolicStructure:
    """Return the multi-pointed knowledge structure of a game for some of its players, by default all.

    The counterpart of `build_model` for the quantum deal. `deaths_of`: the players with an atom
    `dead_…` that follows their deaths at night, by default all; weights are right only then. The other
    atoms are seers and the exact wolf roles; `definitions` expresses the rest by these.

    `nodes`: how large the diagrams may become. Raises `GameError` for a classical deal, for a sample of
    worlds, and when no world is left, and `DiagramTooLarge`, before building where the cards alone need
    more nodes.
    """
    for _, structure in structures_after(game, agents, deaths_of=deaths_of, nodes=nodes):
        last = structure
    return last


def structures_after(
    game: QuantumWerewolf,
    agents: Iterable[str | int] | None = None,
    *,
    deaths_of: Iterable[str | int] | None = None,
    only: Container[int] | None = None,
    nodes: int = DEFAULT_NODES,
) -> Iterator[tuple[int, SymbolicStructure]]:
    """Yield the number of each event (from 1; 0 for the start) and the structure after it.

    `only`: the numbers of the events that happen, the others being left out; by default all.
    """
    setup, players = game.setup, game.players
    if setup.deal == "classical" or setup.sample is not None:
        raise GameError("the symbolic engine plays the quantum deal with all worlds; use the explicit one")
    asked = {setup.seat(a) for a in (players if agents is None else agents)}
    asked |= {setup.seat(a) for a in spoken_agents(game.events)}
    chosen = [p for i, p in enumerate(players) if i in asked]
    tracked = {players[setup.seat(p)] for p in (players if deaths_of is None else deaths_of)}
    tracked |= {e.player for e in game.events if isinstance(e, FoundDead | VotedOff)}
    tracked |= {p for p in players if f"dead_{p}" in spoken_atoms(game.events)}
    if setup.rules.vision_worlds == "alive":
        tracked |= {e.actor for e in game.events if isinstance(e, Vision)} & set(chosen)
    structure: SymbolicStructure = _start(game, chosen, nodes)
    updates = _Updates(game, frozenset(chosen), frozenset(tracked))
    before, number = game.at(0), 0
    yield number, structure
    for step in game.steps:
        for event in step:
            number += 1
            if only is None or number in only:
                structure = updates.after(structure, event, before)
                yield number, structure
        before = repeat_step(before, step)


def _start(game: QuantumWerewolf, agents: Iterable[str], nodes: int) -> KnowledgeStructure:
    """Every card lies somewhere, nobody has two, nobody is dead, and nobody has seen anything."""
    needed = _expected_nodes(game, frozenset(agents))
    if needed > nodes:
        what = f"about as many for {len(game.players)} players with these cards and secrets"
        raise DiagramTooLarge(needed, nodes, f"{what}; allow more")
    deck = game.setup.deck
    special = deck.roles[1:]
    laws: list[Formula] = [
        exactly(deck.cards(role), *(Atom(f"{role}_{name}") for name in game.players)) for role in special
    ]
    for name in game.players:
        own = [Atom(f"{role}_{name}") for role in special]
        laws += [~(a & b) for i, a in enumerate(own) for b in own[:i]]
        laws.append(~Atom(f"dead_{name}"))
    # the cards of one player side by side: the order in which the diagrams stay small
    vocabulary = [f"{fact}_{name}" for name in game.players for fact in (*special, "dead")]
    return KnowledgeStructure(vocabulary, conjunction(laws), {a: [] for a in agents}, bdds=Oxidd(nodes=nodes))


def _expected_nodes(game: QuantumWerewolf, agents: frozenset[str]) -> int:
    """Return about how many nodes a question needs, as measured.

    For every player the law keeps which cards went to those before him. What an agent considers possible
    after a secret act is another set of targets for every set of wolves.
    """
    deck, players = game.setup.deck, len(game.players)
    special = deck.roles[1:]
    law = 2 * players * prod(deck.cards(role) + 1 for role in special) * len(special)
    secret = sum(
        isinstance(e, Vision | Attack) and e.actor in agents and game.setup.targets == "secret"
        for e in game.events
    )
    return max(law, 2 * comb(players, deck.wolves) * (1 + 2 * players * (secret - 1)) if secret else 0)


class _Updates:
    """The updates that the events of one game make, for some agents and some deaths."""

    def __init__(self, game: QuantumWerewolf, agents: frozenset[str], tracked: frozenset[str]) -> None:
        self.game, self.agents, self.tracked = game, agents, tracked
        self.definitions = definitions(game)

    def after(self, structure: SymbolicStructure, event: Event, before: QuantumWerewolf) -> SymbolicStructure:
        """Return the structure after one event; `before` is the game when its step began."""
        action = action_of(event, self.game, before)
        if action is None:
            return structure
        match event:
            case Attack(actor, target) if actor not in self.agents:
                return self._silent_attack(structure, action, target)
            case VotedOff() | FoundDead():
                return structure.update(self._plain(action))
            case Vision(actor, _, None) if actor not in self.agents:
                return structure  # drawn from no world, so it speaks against none
            case Collapsed():
                silent = True
            case Told(player, _):
                silent = player not in self.agents
            case Vision(actor, _, _) | Declined(actor, _):
                silent = actor not in self.agents
            case _:
                silent = False
        if silent:  # nobody in question notices: only the designated states are fewer
            return structure.narrow(self._defined(action.events[action.designated[0]].pre))
        return structure.update(self._plain(action))

    def _defined(self, f: Formula) -> Formula:
        return f.substitute(self.definitions)

    def _plain(self, action: ActionModel) -> ActionModel:
        """Return the action over the atoms of the structure, without the deaths that do not matter."""
        return action.with_events(
            {
                name: Possible(self._defined(event.pre), self._followed(event.post), weight=event.weight)
                for name, event in action.events.items()
            }
        )

    def _followed(self, post: Mapping[str, Formula]) -> dict[str, Formula]:
        followed = {f"dead_{name}" for name in self.tracked}
        return {atom: self._defined(f) for atom, f in post.items() if atom in followed}

    def _silent_attack(
        self, structure: SymbolicStructure, action: ActionModel, target: str
    ) -> SymbolicStructure:
        """Update with an attack of somebody whose knowledge is not asked about.

        `action` has one event per target, possible where the attacker is not dominant or the target no
        wolf. Where he is not dominant, all of them do the same: one event instead.
        """
        strongest = self._strongest(action)
        events: dict[Hashable, Possible] = {}
        unfollowed = []
        for name, event in action.events.items():
            here = strongest & self._defined(event.pre)
            if name in self.tracked:
                events[name] = Possible(here, {f"dead_{name}": TRUE})
            else:
                unfollowed.append(here)
        if not events:  # who died does not matter: only that somebody could
            possible = structure.announce(~strongest | disjunction(unfollowed))
            return possible.narrow(self._defined(action.events[target].pre))
        if unfollowed:
            events["somebody else"] = Possible(disjunction(unfollowed))
        events["nobody"] = Possible(~strongest)
        actual = target if target in self.tracked else "somebody else"
        everything = [(e, f) for e in events for f in events]
        update = ActionModel(events, {}, [actual, "nobody"], others=everything, name=action.name)
        return structure.update(update).narrow(self._defined(action.events[target].pre))

    def _strongest(self, action: ActionModel) -> Formula:
        """Return that the attacker is the dominant wolf: what the deaths in the action hang on."""
        name, event = next(iter(action.events.items()))
        return self._defined(event.post[f"dead_{name}"]).children[1]
