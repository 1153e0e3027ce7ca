"""The Kripke model of a game: what its players can and cannot tell apart.

The classical reading takes every surviving (assignment, deaths) with what the players have privately
seen and done as a possible actual game of ordinary Werewolf. The superposition is the set of
designated worlds. Every event of the game is an action model:

* *vision* of i at j with result r: events (t, r') for every legal target t and result r', possible
  where i is no seer or t shows r'; i tells them apart, nobody else does. One event more, always
  possible, where a vision may be declined; and one for "no result" where only living seers see.
* *attack* of i on j: events t, possible where i is not the dominant wolf or t is no wolf; t dies where i
  is dominant; i tells them apart, nobody else does. Fractional attacks change no world.
* *death* of p with role r: one event per role, possible where p has it (and had, or had not, died
  before, as the rules say); everybody learns what is announced about the role.
* *notice* to i that only one role is left: "told r" for every role, possible where i has it, and
  "not told"; i tells them apart, nobody else does.

With public targets only the actual target counts. In the classical deal everybody knows his card, the
wolves know each other, one world is designated, and a vision or an attack is that of whoever has the
role: events (i, t, r).

Only the agents in the question matter. For everybody else a vision merely narrows the designated
worlds, and an attack branches only where its author is dominant; worlds that then differ in nothing
are one, and their weights add up.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from math import comb
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from kripke_werewolf.errors import GameError
from kripke_werewolf.language.formulas import formula
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.models.relation import Mask, dense
from kripke_werewolf.werewolf.announced_tables import Secret, consistent
from kripke_werewolf.werewolf.enumerated import Enumerated
from kripke_werewolf.werewolf.events import (
    Action,
    Attack,
    Collapsed,
    Declined,
    Event,
    FoundDead,
    PhaseEnded,
    Said,
    Told,
    Vision,
    VotedOff,
)
from kripke_werewolf.werewolf.legality import target_refusal
from kripke_werewolf.werewolf.possibilities import Possibilities
from kripke_werewolf.werewolf.replay import repeat_step
from kripke_werewolf.werewolf.roles import Role, kind
from kripke_werewolf.werewolf.rules import Shown
from kripke_werewolf.werewolf.speech import secretly_told, spoken_agents, spoken_atoms

if TYPE_CHECKING:
    from kripke_werewolf.werewolf.game import QuantumWerewolf

__all__ = ["atoms_of", "build_model", "largest_model", "models_after"]

_Option: TypeAlias = tuple[int | None, str | None]  # target and result of an action, as far as it has them


def build_model(
    game: QuantumWerewolf,
    agents: Iterable[str | int] | None = None,
    *,
    deaths_of: Iterable[str | int] | None = None,
    weighted: bool = True,
    table_announced: bool = False,
    limit: int,
) -> KripkeModel:
    """Return the multi-pointed Kripke model of the game for some of its players, by default all.

    `deaths_of`: the players with an atom `dead_…`, by default all; fewer make a smaller model.
    `weighted`: whether to compute the agents' weights, which only P needs. Worlds are named by the
    roles in seat order (capital where dead) and the agents' private records. `table_announced`: take
    the public table as an announcement about the superposition (see `announced_tables`; small games).

    Raises `ModelTooLarge`, before building, at a step with more than `limit` worlds, and `GameError`
    when no world is left.
    """
    for _, model in models_after(  # noqa: B007 - the last one counts
        game,
        agents,
        deaths_of=deaths_of,
        weighted=weighted,
        table_announced=table_announced,
        limit=limit,
    ):
        pass
    return model()


def models_after(
    game: QuantumWerewolf,
    agents: Iterable[str | int] | None = None,
    *,
    deaths_of: Iterable[str | int] | None = None,
    weighted: bool = True,
    limit: int,
    only: Container[int] | None = None,
    table_announced: bool = False,
) -> Iterator[tuple[int, Callable[[], KripkeModel]]]:
    """Yield the number of each event (from 1; 0 for the start) and a function that makes the model then.

    `only`: the numbers of the events that happen, the others being left out; by default all.
    `table_announced`: drop the worlds in which another probability table would have been shown, when one
    was; then all players are modelled, and the model after an event may be yielded twice.
    """
    setup = game.setup
    everybody = range(len(setup.players))
    if secretly_told(game.events):
        raise GameError("after words that others did not notice only the symbolic engine answers")
    asked = setup.players if agents is None or table_announced else agents
    chosen = sorted({setup.seat(a) for a in (*asked, *spoken_agents(game.events))})
    wanted = frozenset(everybody) if deaths_of is None else frozenset(setup.seat(p) for p in deaths_of)
    # deaths that later events ask about
    needed = {setup.seat(player) for player in _found(game)}
    needed |= {p for p in everybody if f"dead_{setup.players[p]}" in spoken_atoms(game.events)}
    if setup.rules.vision_worlds == "alive":
        needed |= {setup.seat(e.actor) for e in game.events if isinstance(e, Vision)} & set(chosen)
    kind_of_deal = _Classical if setup.deal == "classical" else _Quantum
    before = game.at(0)
    events = kind_of_deal(before, tuple(chosen), wanted | needed, weighted, limit)

    def model() -> KripkeModel:
        return events.worlds.model(wanted)

    number = 0
    yield number, model
    for step in game.steps:
        for event in step:
            number += 1
            if only is None or number in only:
                events.apply(event, before, number)
                yield number, model
        before = repeat_step(before, step)
        if table_announced and before.table_due:
            events.worlds.keep(consistent(events.worlds, events.secrets, before))
            yield number, model


def largest_model(
    game: QuantumWerewolf, agents: Iterable[str | int], *, deaths_of: Iterable[str | int]
) -> int:
    """Return how many worlds `build_model` may come to at most, without building anything."""
    setup = game.setup
    chosen = {setup.seat(a) for a in (*agents, *spoken_agents(game.events))}
    size = setup.deck.worlds if setup.deal == "classical" else game.at(0).size
    others = len(setup.players) - (not setup.rules.vision_self)
    victims = nights = 0
    for event in game.events:
        match event:
            case Vision(actor, _, _) | Declined(actor, "vision"):
                if setup.seat(actor) in chosen and len(chosen) > 1:
                    seen = len(setup.rules.labels(setup.rules.vision_shows, setup.deck)) + 1
                    size *= seen if setup.targets == "public" else seen * others
            case Attack(actor, _) if setup.rules.attack == "dominant":
                victims += 1
                if setup.seat(actor) in chosen and len(chosen) > 1 and setup.targets == "secret":
                    size *= others
            case PhaseEnded():
                nights += bool(victims)
                victims = 0
    followed = len({setup.seat(p) for p in deaths_of} | {setup.seat(p) for p in _found(game)})
    # one dominant wolf kills at most one player a night
    return size * sum(comb(followed, k) for k in range(min(nights + bool(victims), followed) + 1))


def _found(game: QuantumWerewolf) -> set[str]:
    return {e.player for e in game.events if isinstance(e, FoundDead | VotedOff)}


def atoms_of(game: QuantumWerewolf) -> tuple[str, ...]:
    """Return all atoms that formulas about this game may use: `wolf_Alice`, `dead_Bob`, …"""
    facts = ["wolf", "seer", "villager", "good", "dead"]
    if game.rules.ranked:
        facts += [*game.setup.deck.wolf_roles, "dominant"]
    return tuple(f"{fact}_{name}" for fact in facts for name in game.players)


class _Events:
    """The action models of the events; `apply` performs the product update with that of one event."""

    def __init__(
        self,
        start: QuantumWerewolf,
        agents: tuple[int, ...],
        tracked: frozenset[int],
        weighted: bool,
        limit: int,
    ) -> None:
        self.setup, self.agents, self.tracked = start.setup, agents, tracked
        self.rules, self.deck = self.setup.rules, self.setup.deck
        self.public = self.setup.targets == "public"
        self.results = self.rules.labels(self.rules.vision_shows, self.deck)
        self.worlds = Possibilities(
            self.start(start), agents, weighted=weighted, limit=limit, names=self.setup.players
        )
        self.number = 0
        self.event: Event | None = None
        self.secrets: dict[int, Secret] = {}
        self.deal()
        self.worlds.prune()

    def start(self, start: QuantumWerewolf) -> Enumerated:
        """Return the assignments at the start."""
        raise NotImplementedError

    def deal(self) -> None:
        """Let everybody know what the deal tells him."""

    def vision(self, actor: int, actual: _Option, before: QuantumWerewolf) -> None:
        """Update with a vision: target and result, (None, None) for a declined one."""
        raise NotImplementedError

    def attack(self, actor: int, target: int, before: QuantumWerewolf) -> None:
        """Update with an attack that kills in the worlds where its author is dominant."""
        raise NotImplementedError

    def told(self, player: int, role: Role) -> None:
        """Update with the notice that only one role is left."""

    def apply(self, event: Event, before: QuantumWerewolf, number: int) -> None:
        """Update with one event and its number; `before` is the game when its step began."""
        seat = self.setup.seat
        self.event, self.number = event, number
        match event:
            case Vision(actor, target, result):
                self.vision(seat(actor), (seat(target), result), before)
            case Declined(actor, "vision"):
                self.vision(seat(actor), (None, None), before)
            case Attack(actor, target) if self.rules.attack == "dominant":
                self.attack(seat(actor), seat(target), before)
            case VotedOff(player, role, word):
                self.death(seat(player), role, word, self.rules.announce_vote, voted=True)
            case FoundDead(player, role, word):
                self.death(seat(player), role, word, self.rules.announce_found, voted=False)
            case Told(player, role):
                self.told(seat(player), role)
            case Collapsed(roles):
                self.worlds.narrow(self.worlds.is_deal(roles))
            case Said() if event.believed:
                self.said(event)
            case _:
                return
        self.worlds.prune()

    def death(self, player: int, role: Role | None, word: str | None, shown: Shown, *, voted: bool) -> None:
        """Update with a death: who has the role in which worlds, and what everybody hears of it."""
        worlds = self.worlds
        if role is None:
            raise GameError("no world is left, so there is nothing to know about the game")
        keep = np.ones(len(worlds), bool)
        if self.rules.attack == "dominant" and not voted:
            keep = worlds.is_dead(player)
        elif self.rules.vote_eliminates and voted:
            keep = ~worlds.is_dead(player)
        if word is not None:  # everybody tells other announcements apart: their worlds are out of reach
            keep &= worlds.has(player, self.rules.labels(shown, self.deck)[word])
        worlds.narrow(worlds.has(player, [role]))
        worlds.keep(keep)
        worlds.kill(player, np.ones(len(worlds), bool))

    def said(self, event: Said) -> None:
        """Update with what was said and believed: to everybody, or to some while the others see it."""
        true = self.worlds.truth_set(formula(event.formula))
        self.worlds.narrow(true)
        if event.to:
            for name in (event.speaker, *event.to):
                self.worlds.refine(self.setup.seat(name), true.astype(np.int8))
        else:
            self.worlds.keep(true)

    def kill(self, targets: list[int], chosen: npt.NDArray[np.integer], where: Mask) -> None:
        """Let the target numbered `chosen` die, of those whose deaths matter."""
        for number, target in enumerate(targets):
            if target in self.tracked:
                self.worlds.kill(target, where & (chosen == number))

    def describe(self, agent: int, option: _Option) -> str:
        """Return an option for the name of a world: `Ann:Bob=wolf`."""
        target, result = option
        whom = "" if target is None else self.setup.players[target]
        return f"{self.setup.players[agent]}:{whom}{'' if result is None else '=' + result}"


class _Quantum(_Events):
    """Nobody knows any role at the start, and everybody acts as if he had each of them."""

    def start(self, start: QuantumWerewolf) -> Enumerated:
        if not isinstance(start.worlds, Enumerated):
            raise GameError(
                f"an explicit model needs the worlds one by one; this game has {start.size:,} at the start "
                "and only counts them: use `ask`, a sample of the worlds (sample=), or fewer players"
            )
        return start.worlds

    def targets(self, actor: int, action: Action, actual: int | None, before: QuantumWerewolf) -> list[int]:
        """Return the targets the others consider possible, by seat."""
        if self.public:
            return [] if actual is None else [actual]
        everybody = range(len(self.setup.players))
        return [t for t in everybody if target_refusal(self.setup, before._state, actor, action, t) is None]

    def vision(self, actor: int, actual: _Option, before: QuantumWerewolf) -> None:
        worlds, (target, result) = self.worlds, actual
        if actor not in self.agents:
            if target is not None and result is not None:
                worlds.narrow(~worlds.is_seer(actor) | worlds.has(target, self.results[result]))
            return
        seer = worlds.is_seer(actor)
        possible: dict[_Option, Mask] = {}
        for t in self.targets(actor, "vision", target, before):
            possible |= {(t, r): ~seer | worlds.has(t, roles) for r, roles in self.results.items()}
            if self.rules.vision_worlds == "alive":
                possible[t, None] = ~(seer & ~worlds.is_dead(actor))
        if not self.rules.vision_compulsory and (target is None or not self.public):
            possible[None, None] = np.ones(len(worlds), bool)
        self.act(actor, possible, actual)

    def attack(self, actor: int, target: int, before: QuantumWerewolf) -> None:
        worlds = self.worlds
        targets = self.targets(actor, "attack", target, before)
        dominant = worlds.dominant(actor)
        prey = [~worlds.is_wolf(t) for t in targets]
        if actor in self.agents:
            possible: dict[_Option, Mask] = {
                (t, None): ~dominant | p for t, p in zip(targets, prey, strict=True)
            }
            chosen = self.act(actor, possible, (target, None))
            self.kill(targets, chosen, worlds.dominant(actor))
        else:
            # where he is not dominant all events do the same: one world, the actual event among them
            event = worlds.copy([*(dominant & p for p in prey), ~dominant])
            worlds.narrow((event == targets.index(target)) | (event == len(targets)))
            self.kill(targets, event, np.ones(len(worlds), bool))
            worlds.merge()

    def told(self, player: int, role: Role) -> None:
        if player not in self.agents:
            return  # he has that role in every designated world already
        meant: dict[Role, list[Role]] = {}
        for r in self.deck.roles:
            meant.setdefault(r if self.rules.told == "role" else kind(r), []).append(r)
        possible: dict[_Option, Mask] = {
            (None, r): self.worlds.has(player, all_) for r, all_ in meant.items()
        }
        self.act(player, possible | {(None, None): np.ones(len(self.worlds), bool)}, (None, role))

    def act(self, agent: int, possible: dict[_Option, Mask], actual: _Option) -> npt.NDArray[np.integer]:
        """Branch every world into the options possible there, which the agent alone tells apart."""
        worlds, number = self.worlds, list(possible).index(actual)
        if self.agents == (agent,):
            # he knows what he did and saw, and nobody else's uncertainty is asked about
            worlds.keep(possible[actual])
            return np.full(len(worlds), number)
        option = worlds.copy(list(possible.values()), teller=agent)
        worlds.refine(agent, option)
        worlds.narrow(option == number)
        if not isinstance(self.event, Told):
            names = [(t if t is None else self.setup.players[t], r) for t, r in possible]
            self.secrets[len(worlds.records)] = Secret(self.number, tuple(names))
        worlds.record([self.describe(agent, o) for o in possible], option)
        return option


class _Classical(_Events):
    """Ordinary Werewolf: everybody knows his card, the wolves know each other, roles act for real."""

    def start(self, start: QuantumWerewolf) -> Enumerated:
        return Enumerated.start(self.deck)

    def deal(self) -> None:
        worlds = self.worlds
        worlds.actual = worlds.is_deal(self.setup.roles or ())
        wolf = np.isin(worlds.roles, [worlds.code[r] for r in self.deck.wolf_roles])
        team = np.zeros(len(worlds), np.int64)  # one number for each way the wolf cards may lie
        for cards in np.where(wolf, worlds.roles, 0).T:
            team = dense(team * len(worlds.code) + cards, (int(team.max()) + 1) * len(worlds.code))[0].astype(
                np.int64
            )
        for k in self.agents:
            worlds.refine(k, worlds.roles[:, k])
            worlds.refine(k, np.where(wolf[:, k], team, 0))

    def living(self, actual: int | None, before: QuantumWerewolf) -> list[int]:
        """Return the targets the others consider possible, by seat."""
        return [actual] if self.public and actual is not None else [self.setup.seat(p) for p in before.alive]

    def vision(self, actor: int, actual: _Option, before: QuantumWerewolf) -> None:
        worlds, target = self.worlds, actual[0]
        if target is None:
            return  # nothing was looked at, and everybody sees that the night passes without
        possible: dict[tuple[int, _Option], Mask] = {}
        for i in range(len(self.setup.players)):
            for t in self.living(target, before):
                if t != i or self.rules.vision_self:
                    for result, roles in self.results.items():
                        possible[i, (t, result)] = worlds.is_seer(i) & worlds.has(t, roles)
        event = worlds.copy(list(possible.values()))
        author = np.array([i for i, _ in possible])[event]
        for k in self.agents:
            worlds.refine(k, np.where(author == k, event + 1, 0))
        worlds.narrow(event == list(possible).index((actor, actual)))
        worlds.record([self.describe(i, o) for i, o in possible], event)
        worlds.merge()

    def attack(self, actor: int, target: int, before: QuantumWerewolf) -> None:
        worlds = self.worlds
        if not worlds.dominant(actor)[worlds.actual].all():
            return  # an attack without effect
        targets = self.living(target, before)
        event = worlds.copy([~worlds.is_wolf(t) for t in targets])
        for k in self.agents:  # the wolves agree on the victim, nobody else hears of it
            worlds.refine(k, np.where(worlds.is_wolf(k), event + 1, 0))
        worlds.narrow(event == targets.index(target))
        worlds.record([self.describe(actor, (t, None)) for t in targets], event)
        self.kill(targets, event, np.ones(len(worlds), bool))
        worlds.merge()
